"""Pictures that races have in common: how far both players are, and dice to be rolled (language/pictures.py)."""

from collections.abc import Iterator, Sequence
from typing import Any


def race_bars(mine: int, theirs: int, turn: int, goal: int) -> dict[str, Any]:
    """A bar for each player; the turn total so far is drawn behind the score of the player to move (owner 0)."""
    bars = [{"owner": 0, "value": min(mine, goal), "of": goal, "more": turn}, {"owner": 1, "value": min(theirs, goal), "of": goal}]
    return {"kind": "bars", "bars": bars}


def dice_to_roll(number: int, label: str, place: str = "roll", rolled: Sequence[int] = ()) -> dict[str, Any]:
    """So many dice that lie ready: a click on them is the place. Of those that were `rolled` only the faces that count are known."""
    unknown: list[Any] = [{"face": "", "look": "out"}] * (number - len(rolled)) if rolled else [None] * number
    return {"kind": "dice", "label": label, "place": place, "dice": [*rolled, *unknown]}


def alone(banked: int, turn: int, goal: int) -> dict[str, Any]:
    """The bar of a player who has no opponent."""
    return {"kind": "bars", "bars": [{"owner": 0, "value": banked, "of": goal, "more": turn}]}


def dice_and_chips(dice: int, rolled: str, turn: int) -> Iterator[dict[str, Any]]:
    """The dice to be rolled, or the last roll, of which `rolled` names the dice that score; and the chips of the turn, to be banked."""
    scoring = [int(face) for face in rolled if face.isdigit()]
    yield dice_to_roll(dice, f"rolled: {len(scoring)} score" if rolled else "roll", rolled=scoring)
    yield {"kind": "coins", "label": "bank: chips of this turn", "coins": turn, "place": "bank"}


def turn_of_pig(mine: int, theirs: int, turn: int, goal: int) -> Iterator[dict[str, Any]]:
    """Both scores, the die, and the turn total, which a player clicks to hold."""
    yield race_bars(mine, theirs, turn, goal)
    yield dice_to_roll(1, "roll")
    yield {"kind": "coins", "label": "hold: points of this turn", "coins": turn, "place": "hold"}

"""Pictures of positions: what a game may return, what is said of anything else, the text that they give, and those of the catalogue."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.games.catalogue import ENTRIES
from zermelo.games.named import game_named
from zermelo.language import pictures
from zermelo.language.checking import check
from zermelo.language.pictures import KINDS, Misdrawn, as_text, picture_of, places_of
from zermelo.language.rules import Rules

PICTURED = (
    *("card-draw", "solitaire-pig", "pig", "piglet", "exact-pig", "hog", "ten-thousand", "ten-thousand-race", "farkle", "gobblet"),
    *("ten-thousand-house", "ten-thousand-turns", "fewest-turns", "house-race"),
    *("tic-tac-toe", "connect-four", "dodgem", "left-center-right", "dreidel", "hog-simultaneous", "lemonade"),
    *("robot-maze", "guess-number", "coin-patterns"),
)
HIDDEN: dict[str, dict[str, int]] = {
    "kuhn-poker": {}, "leduc-poker": {"ranks": 2}, "liars-dice": {"sides": 2, "dice": 2}, "goofspiel": {"cards": 3},
    "battleship": {"shots": 2}, "holdem-river": {}, "inspection": {},
}  # fmt: skip
# Not every action has a place in these.
WORDS_ONLY = (
    *("hog", "ten-thousand", "ten-thousand-house", "ten-thousand-race", "farkle"),
    *("card-draw", "lemonade", "hog-simultaneous", "robot-maze", "ten-thousand-turns", "house-race"),
)


class Drawn:
    """A game that draws what it was given."""

    def __init__(self, data: Any):
        self.data = data

    def picture(self, s: Any) -> Any:
        if isinstance(self.data, Exception):
            raise self.data
        return self.data

    def places(self, s: Any, action: Any) -> Any:
        return self.data


class At(NamedTuple):
    n: int


class Heap(NamedTuple):
    """Take one or two; who takes the last one wins. Its picture can be spoiled."""

    spoiled: bool = False

    def start(self) -> At:
        return At(4)

    def actions(self, s: At) -> Iterator[int]:
        if s.n > 0:
            yield 1
        if s.n > 1:
            yield 2

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At, int]]:
        yield 1, 0, At(s.n - action), -1

    def payoff(self, s: At) -> int:
        return -1

    def picture(self, s: At) -> dict[str, Any]:
        return {"kind": "coins", "coins": "many" if self.spoiled else s.n, "label": "heap"}


# --- the data ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"kind": "grid", "cells": [["x", None], [["a", "b"], {"shape": "disc", "owner": 1, "size": 2}]]}, "x   .\nb   o2"),
        ({"kind": "grid", "cells": [[{"owner": 0}, {"place": "p", "text": "7"}]], "columns": ["A", "B"]}, "x 7\nA B"),
        ({"kind": "grid", "cells": [[{"owner": 0, "heads": "up"}], [None]], "rows": ["1", "2"], "label": "board"}, "board:\n1  ^\n2  ."),
        (
            {"kind": "grid", "cells": [[{"walls": ["up", "left"]}, "x"], [None, {"walls": ["left"], "pieces": ["long"]}]]},
            "+----+    +\n|      x\n+    +    +\n     |long\n+    +    +",
        ),
        ({"kind": "dice", "dice": [3, None, {"face": "6", "look": "out"}]}, "3 ? 6"),
        ({"kind": "cards", "label": "hand", "cards": ["A♠", None, {"card": "♥", "count": 3}]}, "hand: A♠, ?, ♥ x 3"),
        ({"kind": "cards", "cards": []}, "none"),
        ({"kind": "coins", "label": "pot", "coins": 1}, "pot: 1 coin"),
        ({"kind": "bars", "bars": [{"value": 3, "of": 10, "more": 2, "owner": 0}]}, "player to move: 3 + 2 of 10"),
        ({"kind": "bars", "bars": [{"value": 3, "of": 10}, {"value": 1.5, "of": 10, "label": "B"}]}, "3 of 10\nB: 1.5 of 10"),
        (
            {"kind": "seats", "seats": [{"coins": 3, "turn": True}, {"coins": 0, "out": True}], "middle": {"coins": 2}},
            "seat 1: 3, seat 2: out; middle: 2; seat 1 to move",
        ),
        ({"kind": "facts", "facts": [("day", 3), ("sky", "blue")]}, "day: 3, sky: blue"),
        ([{"kind": "chart", "points": [(0, 1.5)]}, {"kind": "coins", "coins": 2}], "2 coins"),
        ([{"kind": "coins", "coins": 2, "in text": False}], ""),
    ],
)
def test_pictures_in_characters(data: Any, text: str) -> None:
    assert as_text(picture_of(Drawn(data), None) or []) == text


def test_what_is_covered_stands_behind() -> None:
    found = picture_of(Drawn({"kind": "grid", "cells": [[["a", "b"], None]]}), None) or []
    assert (as_text(found), as_text(found, covered=True)) == ("b .", "b a  .")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (7, "`picture` must return a dict"),
        ("grid", "`picture` must return a dict"),
        ([{}] * 33, "at most 32 dicts"),
        ({"kind": "board"}, f"'kind' is one of {', '.join(KINDS)}"),
        ([None], "element 1 of `picture` must be a dict"),
        ({"kind": "grid"}, "has no 'cells'"),
        ({"kind": "grid", "cells": [["x"], []]}, "all as long as the first, not [1, 0]"),
        ({"kind": "grid", "cells": []}, "rows of cells"),
        ({"kind": "grid", "cells": [[None] * 41]}, "a list of at most 40 cells"),
        ({"kind": "grid", "cells": [[{"shape": "cat"}]]}, "one of disc, mark, arrow, square, star, not 'cat'"),
        ({"kind": "grid", "cells": [[{"shape": "disc", "size": 10}]]}, "from 1 to 9"),
        ({"kind": "grid", "cells": [[{"owner": 2}]]}, "must be 0 or 1, not 2"),
        ({"kind": "grid", "cells": [[{"owner": True}]]}, "must be 0 or 1, not True"),
        ({"kind": "grid", "cells": [[{"walls": ["north"]}]]}, "one of right, up, left, down, not 'north'"),
        ({"kind": "grid", "cells": [[{"place": ""}]]}, "must be a place"),
        ({"kind": "grid", "cells": [[None, None]], "columns": ["a"]}, "a text for each of its 2 columns, not 1"),
        ({"kind": "grid", "cells": [[None, None]], "other side": "diagonal"}, "as many rows as columns"),
        ({"kind": "coins", "coins": -1}, "a whole number from 0, not -1"),
        ({"kind": "coins", "coins": 1, "lable": "x"}, "'lable'; it can have coins, kind, label, owner, place"),
        ({"kind": "coins", "coins": 1, "label": "x" * 81}, "a text of at most 80 letters"),
        ({"kind": "dice", "dice": [3.5]}, "a text of at most 80 letters"),
        ({"kind": "cards", "cards": "A"}, "a list of at most 64 cards"),
        ({"kind": "bars", "bars": [{"value": float("nan"), "of": 1}]}, "must be a number"),
        ({"kind": "bars", "bars": [{"value": 10**400, "of": 1}]}, "must be a number"),
        ({"kind": "seats", "seats": [{"coins": 1, "turn": 1}]}, "True or False, not 1"),
        ({"kind": "facts", "facts": ["ab c"]}, "must be a pair"),
        ({"kind": "chart", "points": [(0, "1")]}, "must be a number"),
        (ZeroDivisionError("1 / 0\nthere"), "`picture` raises ZeroDivisionError: 1 / 0 there"),
    ],
)
def test_what_is_no_picture_is_told_in_a_line(data: Any, text: str) -> None:
    with pytest.raises(Misdrawn) as told:
        picture_of(Drawn(data), None)
    assert text in str(told.value) and "\n" not in str(told.value)


def test_places_are_short_texts_or_numbers() -> None:
    assert places_of(Drawn((3, "hand")), None, 0) == ["3", "hand"]
    assert places_of(object(), None, 0) == []
    for data in (7, "place", [None], [1.5], [True], range(9), [""], ["x" * 81]):
        with pytest.raises(Misdrawn, match="place"):
            places_of(Drawn(data), None, 0)


def test_the_page_tells_how_much_a_picture_may_hold() -> None:
    page = " ".join((Path(__file__).parent.parent / "docs" / "how-to" / "draw-a-board.md").read_text().split())
    assert (
        f"At most: {pictures.MOST_ELEMENTS} elements; {pictures.MOST_LETTERS} letters in a text (also in facts and labels); "
        f"{pictures.MOST_SIDE} rows and {pictures.MOST_SIDE} columns in a grid, {pictures.MOST_PIECES} pieces in a cell; "
        f"{pictures.MOST_THINGS} dice, cards, bars, seats or facts in an element; {pictures.MOST_POINTS} points in a chart; "
        f"{pictures.MOST_PLACES} places for an action."
    ) in page


def test_any_data_gives_a_picture_or_one_line() -> None:
    dice = random.Random(4)
    leaves = [None, 0, 1, -1, True, "", "x", 2.5, 10**30, float("inf"), b"x", {}, [], (), {"kind": "grid"}, object()]
    keys = ["kind", "cells", "dice", "cards", "coins", "bars", "seats", "facts", "points", "owner", "place", "look", "size", "label", 3]

    def anything(depth: int) -> Any:
        kind = dice.randrange(4) if depth else 0
        if kind == 1:
            return [anything(depth - 1) for _ in range(dice.randrange(4))]
        if kind in (2, 3):
            made = {k: anything(depth - 1) for k in dice.sample(keys, dice.randrange(5))}
            return {**made, "kind": dice.choice(list(KINDS))} if kind == 3 else made
        return dice.choice(leaves)

    drawn = 0
    for _ in range(3000):
        try:
            as_text(picture_of(Drawn(anything(4)), None) or [])
            drawn += 1
        except Misdrawn as error:
            assert "\n" not in str(error) and len(str(error)) < 400
    assert drawn > 20


# --- the language -----------------------------------------------------------------------------------------------------------------


def test_the_picture_takes_the_place_of_show() -> None:
    rules = Rules(Heap())
    assert rules.show(rules.start) == "heap: 4 coins" and rules.revealed(rules.start) is None and not rules.covers
    assert Rules(Heap(spoiled=True)).show(At(4)) == "At(n=4)"


def test_a_spoiled_picture_is_remarked_on_and_keeps_nothing_from_being_solved() -> None:
    assert check(Heap()).remarks == ()
    (remark,) = check(Heap(spoiled=True)).remarks
    assert "must be a whole number from 0, not 'many' (at At(n=4))" in remark and "\n" not in remark
    solution = zermelo.solve(Heap(spoiled=True))
    assert solution.value == 1 and remark in solution.report.notes


def test_places_belong_to_the_game_where_it_draws_nothing() -> None:
    class Own(NamedTuple):
        start, actions, outcomes, payoff = Heap.start, Heap.actions, Heap.outcomes, Heap.payoff

        def places(self) -> int:
            return 7

    assert Rules(Own()).places(At(4), 1) == [] and zermelo.solve(Own()).value == 1


def test_pictures_do_not_enter_the_hash_of_rules() -> None:
    from zermelo.language.rules_text import rules_hash

    drawn = type("Heap", (Heap,), {"picture": lambda self, s: []})
    assert rules_hash(drawn()) == rules_hash(Heap())


# --- the catalogue ------------------------------------------------------------------------------------------------------------------


def test_which_games_draw_themselves() -> None:
    states = [e for e in ENTRIES if not hasattr(e.game_class(), "rows") and not hasattr(e.game_class(), "sees")]
    assert {e.command for e in states if hasattr(e.game_class(), "picture")} == set(PICTURED)
    hidden = {e.command for e in ENTRIES if hasattr(e.game_class(), "sees")}
    assert hidden == {*HIDDEN, "one-card-poker"}


@pytest.mark.parametrize("word", PICTURED)
def test_every_place_is_in_the_picture_and_places_tell_actions_apart(word: str) -> None:
    rules, dice = Rules(game_named(word)), random.Random(word)
    for _ in range(6):
        state = rules.start
        for _ in range(120):
            elements = rules.picture(state) or []
            assert elements or not rules.actions(state)
            actions = [] if rules.is_simultaneous else [a for a in rules.actions(state) if a is not None]
            places = {a: tuple(rules.places(state, a)) for a in actions[:200]}
            known = set(all_places(elements))
            assert all(set(p) <= known for p in places.values())
            clicked = [p for p in places.values() if p]
            assert len(set(clicked)) == len(clicked)
            assert all(places.values()) or word in WORDS_ONLY
            if not rules.actions(state):
                break
            state = dice.choice(rules.outcomes(state, dice.choice(rules.actions(state)))).state


def all_places(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        if "place" in data:
            yield data["place"]
        for value in data.values():
            yield from all_places(value)
    elif isinstance(data, list):
        for item in data:
            yield from all_places(item)


@pytest.mark.parametrize("word", HIDDEN)
def test_a_player_sees_nothing_in_the_picture_that_the_rules_do_not_let_him_see(word: str) -> None:
    """States in which a player sees the same numbers are drawn alike for him, and his actions have places in what he sees."""
    rules = Rules(game_named(word, **HIDDEN[word]))
    reached, drawn = {rules.start}, [{}, {}]  # type: ignore[var-annotated]
    waiting = [rules.start]
    while waiting:
        state = waiting.pop()
        actions = rules.actions(state)
        for player in range(2):
            picture = rules.picture_for(player, state)
            is_ours = len(actions) > 1 and (rules.is_simultaneous or rules.player(state) == player)
            if not is_ours:  # elsewhere he need not tell states apart
                continue
            assert drawn[player].setdefault(rules.seen(state, player), picture) == picture
            own = rules.choices(state)[player] if rules.is_simultaneous else actions
            assert {p for a in own for p in rules.places(state, a)} <= set(all_places(picture or []))
        for action in actions:
            for outcome in rules.outcomes(state, action):
                if outcome.ways and outcome.state not in reached:
                    reached.add(outcome.state)
                    waiting.append(outcome.state)
    assert any(rules.picture(s) != rules.picture_for(0, s) for s in reached)


def test_what_may_show_hidden_cards_is_drawn_for_nobody() -> None:
    assert picture_of(Drawn([]), None, 0) is None and picture_of(Drawn([]), None) == []

"""Ten Thousand (Zilch, Farkle): one turn with five dice, for the most points.

Crocce and Mordecki 2014 ("A finite exact algorithm to solve a dice game"); tables and the lemma are numbered as in
that paper.

What scores, in chips of 50 points, is in dice_sets.py; with five dice there is one triple at most.
"""

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, NamedTuple

from zermelo.games import dice_sets
from zermelo.games.dice_sets import POINTS_A_CHIP
from zermelo.games.race_pictures import dice_to_roll

DICE = 5

# Actions, in the order of Table 3. From the third on: take scoring dice back and leave them to be rolled again.
STOP, ROLL = range(2)
TAKE_BACK = (  # fives, ones, number of the triple that the action takes back
    (0, 0, 0),
    (0, 0, 0),
    (1, 0, 0),
    (0, 1, 0),
    (2, 0, 0),
    (1, 1, 0),
    (0, 2, 0),
    (2, 1, 0),
    (1, 2, 0),
    (0, 3, 0),
    (0, 0, 2),
    (0, 0, 3),
    (0, 0, 4),
    (3, 0, 0),
    (0, 0, 6),
)


NAMES = ("", "", "5", "1", "55", "51", "11", "551", "511", "111", "222", "333", "444", "555", "666")  # of what is taken back


class State(NamedTuple):
    score: Annotated[int, "chips collected in this turn"]
    fives: Annotated[int, "5s of the last roll that can still be taken back"]
    ones: Annotated[int, "1s of the last roll that can still be taken back"]
    triple: Annotated[int, "the number of which three can still be taken back; 0: none"]
    dice: Annotated[int, "dice to roll next; 0: the turn is over"]


def chips(fives: int, ones: int, triple: int) -> int:
    """What a configuration of scoring dice scores."""
    score = fives + 2 * ones + 2 * triple
    if fives >= 3:
        score += 7
    if ones >= 3:
        score += 14
    return score


def scoring_dice(fives: int, ones: int, triple: int) -> int:
    return fives + ones + (3 if triple > 0 else 0)


def combinations(fives: int, ones: int, triple: int) -> int:
    """Scoring combinations; three 5s or three 1s count as three."""
    return fives + ones + (1 if triple > 0 else 0)


@cache
def frequencies() -> tuple[tuple[int, ...], ...]:
    """Table 5: rows (fives, ones, triple, ways with 1 die, ..., ways with 5 dice); the first row scores nothing."""
    by_dice = dice_sets.frequencies()[1 : DICE + 1]
    rolls = {s for ways in by_dice for s in ways}
    order = sorted(rolls, key=lambda s: (s.dice(), len(s.triples), s.ones, s.triples))
    return tuple((s.fives, s.ones, sum(s.triples), *(ways.get(s, 0) for ways in by_dice)) for s in order)


def threshold(dice: int) -> int:
    """The least score at which a roll of this many dice gains nothing on average: gain <= score x ways to lose it."""
    gain = sum(row[2 + dice] * chips(*row[:3]) for row in frequencies())
    lost = frequencies()[0][2 + dice]
    return -(-gain // lost)


ROLLS = frequencies()
ENOUGH = max(threshold(dice) for dice in range(1, DICE + 1))  # 56 chips


def remaining(score: int, fives: int, ones: int, triple: int, dice: int) -> State:
    """The state after a roll; which dice scored only matters where some can be taken back and some kept."""
    if dice == 0:
        return State(score, 0, 0, 0, DICE)  # all dice scored: roll all five again, nothing can be taken back
    if combinations(fives, ones, triple) < 2:
        return State(score, 0, 0, 0, dice)
    return State(score, fives, ones, triple, dice)


class TenThousand(NamedTuple):
    """Roll five dice, set aside those that score, and roll the rest; or stop to bank the chips of the turn.

    A roll without score loses them. If all dice score, you may go on with all five. Of two or more scoring
    combinations you may take some back, at least one staying, to roll more dice; after taking back you roll or
    stop. `moves` allows only the first `moves` actions of Table 3 (Table 4), and `back` any of them.

    Nothing in the rules bounds the score. From `ENOUGH` chips on, the least score at which no roll gains anything on
    average whatever the number of dice, the turn is claimed to be settled; Zermelo proves the claim for every score
    (the paper's Lemma 4.3) before it cuts the game there.
    """

    moves: Annotated[int, "actions allowed, in the order of the paper's Table 3", (2, 3, 4, 5, 6, 15)] = 15
    points: Annotated[bool, "pay in points instead of chips of 50 points"] = False
    back: Annotated[str, "what may be taken back, such as 5,55,222; all, or none"] = "all"

    def title(self) -> str:
        back = {"all": "", "none": ", no dice can be taken back"}.get(self.back, f", only {self.back} can be taken back")
        return f"Ten Thousand, one turn: {self.moves} actions{back}"

    def payoff_unit(self) -> str:
        return "points" if self.points else "chips"

    def start(self) -> State:
        if self.back not in ("all", "none"):
            for name in self.back.split(","):
                if name not in NAMES[2:]:
                    raise ValueError(f"back is all, none or some of {', '.join(NAMES[2:])} with commas between them, not {self.back!r}")
        return State(0, 0, 0, 0, DICE)

    def actions(self, s: State) -> Iterator[int]:
        if s.dice > 0:
            if s.score > 0:
                yield STOP
            yield ROLL
            for action in range(2, self.moves):
                if self.is_allowed(action) and self.can_take_back(s, action):
                    yield action

    def is_allowed(self, action: int) -> bool:
        """Whether `back` names what this action takes back."""
        return self.back == "all" or "," + NAMES[action] + "," in "," + self.back + ","

    def settled(self, s: State) -> bool:
        return s.score >= ENOUGH

    def can_take_back(self, s: State, action: int) -> bool:
        """Are these dice there, and does a scoring combination stay?"""
        fives, ones, triple = TAKE_BACK[action]
        stays = s.fives - fives + s.ones - ones + (1 if s.triple != triple else 0)
        return s.fives >= fives and s.ones >= ones and (triple == 0 or s.triple == triple) and stays > 0

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == STOP:
            yield 1, s.score * (POINTS_A_CHIP if self.points else 1), State(0, 0, 0, 0, 0)
        elif action == ROLL:
            yield ROLLS[0][2 + s.dice], 0, State(0, 0, 0, 0, 0)
            for row in range(1, len(ROLLS)):
                ways = ROLLS[row][2 + s.dice]
                if ways > 0:
                    fives, ones, triple = ROLLS[row][0], ROLLS[row][1], ROLLS[row][2]
                    dice = s.dice - scoring_dice(fives, ones, triple)
                    yield ways, 0, remaining(s.score + chips(fives, ones, triple), fives, ones, triple, dice)
        else:
            fives, ones = s.fives - TAKE_BACK[action][0], s.ones - TAKE_BACK[action][1]
            triple = s.triple if TAKE_BACK[action][2] == 0 else 0
            score = s.score - chips(s.fives, s.ones, s.triple) + chips(fives, ones, triple)
            dice = s.dice + scoring_dice(s.fives, s.ones, s.triple) - scoring_dice(fives, ones, triple)
            yield 1, 0, State(score, 0, 0, 0, dice)

    def show(self, s: State) -> str:
        if s.dice == 0:
            return "the turn is over"
        back = ["5"] * s.fives + ["1"] * s.ones + [f"three {s.triple}s"] * (s.triple > 0)
        return f"{s.score} chips, {s.dice} dice to roll" + (f", may take back of: {', '.join(back)}" if back else "")

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """The chips collected, the dice to roll, and those that can be taken back."""
        if s.dice > 0:
            yield {"kind": "coins", "label": "stop: chips of this turn", "coins": s.score, "place": "stop"}
            yield dice_to_roll(s.dice, "roll")
            back = [5] * s.fives + [1] * s.ones + [s.triple] * (3 if s.triple else 0)
            if back:
                yield {"kind": "dice", "label": "can be taken back", "dice": back}

    def places(self, s: State, action: int) -> Iterator[str]:
        if action in (STOP, ROLL):
            yield self.action_name(action)

    def action_name(self, action: int) -> str:
        if action in (STOP, ROLL):
            return "stop" if action == STOP else "roll"
        fives, ones, triple = TAKE_BACK[action]
        return "take back " + (f"three {triple}s" if triple else "5" * fives + "1" * ones)


TenThousand.State = State  # type: ignore[attr-defined]

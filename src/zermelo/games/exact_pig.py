"""Pig to a goal that must be hit exactly, and the contest that asks "hold or continue?".

ICPC Latin America 2019, problem H ("Hold or Continue?"); Vilches 2022 on its approximate solution.

Written from the view of the player to move, as in pig.py: a win pays 1, a loss -1, and P(win) = (1 + value) / 2.
Two players with 74 points each can't ever score 75: their play has no end, is worth 0, and each "wins" with
probability 1/2.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple

from zermelo.games.race_pictures import turn_of_pig

ROLL, HOLD = range(2)
KEEP, PASS = +1, -1  # who moves next: the same player, or the other one


class State(NamedTuple):
    mine: Annotated[int, "score of the player to move"]
    theirs: Annotated[int, "score of the opponent"]
    turn: Annotated[int, "points collected in this turn, not banked yet"]


class ExactPig(NamedTuple):
    """Race to hit the goal exactly. In your turn roll as often as you like, at least once; hold to bank the turn total.

    A 1 loses the turn total and the turn, and so does a roll after which score and turn total together exceed the
    goal. The first to bank exactly the goal wins. Every state of the box 0 <= mine < goal, 0 <= theirs <= goal, 0 <=
    turn <= goal can be asked for, also those that no play reaches, such as a turn total of 1; those with mine +
    turn > goal aren't positions, and are worth 0.
    """

    goal: Annotated[int, "points to win, to be hit exactly", range(2, 501)] = 75

    def title(self) -> str:
        return f"Exact Pig: first to exactly {self.goal} points"

    def start(self) -> State:
        return State(0, 0, 0)

    def space(self) -> State:
        return State._make([range(self.goal), range(self.goal + 1), range(self.goal + 1)])

    def actions(self, s: State) -> Iterator[int]:
        if s.theirs < self.goal and s.mine + s.turn <= self.goal:
            yield ROLL
            if s.turn > 0:
                yield HOLD

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        if action == HOLD:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0), PASS
        else:
            for face in range(1, 7):
                if face == 1 or s.mine + s.turn + face > self.goal:
                    yield 1, 0, State(s.theirs, s.mine, 0), PASS
                else:
                    yield 1, 0, State(s.mine, s.theirs, s.turn + face), KEEP

    def payoff(self, s: State) -> int:
        return -1 if s.theirs == self.goal and s.mine + s.turn <= self.goal else 0

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        return f"player to move has {s.mine}, opponent {s.theirs}, turn total {s.turn}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield from turn_of_pig(s.mine, s.theirs, s.turn, self.goal)

    def places(self, s: State, action: int) -> Iterator[str]:
        yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "roll"


ExactPig.State = State  # type: ignore[attr-defined]


def answer(text: str, decide: Callable[[Any, Any, Any], Sequence[Any]], goal: int = 75) -> str:
    """Answer a file of the contest: a line Q, then Q lines "C H X"; each gets a line "H" (hold) or "C" (continue).

    `decide(C, H, X)` gets three equally long lists (own scores, opponent's scores, turn totals) and returns as many
    truth values: True where holding is strictly better. Raises ValueError that names the line where the text isn't of
    this form.
    """
    mine, theirs, turn = queries(text, goal)
    return "".join("H\n" if hold else "C\n" for hold in decide(mine, theirs, turn))


def queries(text: str, goal: int = 75) -> tuple[list[int], list[int], list[int]]:
    """The lists C, H and X of a file of the contest; ValueError, naming the line, if it isn't one."""
    lines = text.rstrip().splitlines()
    if not lines:
        raise ValueError("the file is empty; its first line is the number of queries")
    (count,) = integers(lines, 0, "the number of queries")
    if count != len(lines) - 1:
        raise ValueError(f"line 1 announces {count} queries, but {len(lines) - 1} lines follow")
    mine, theirs, turn = [0] * count, [0] * count, [0] * count
    for i in range(count):
        c, h, x = mine[i], theirs[i], turn[i] = integers(lines, i + 1, "three numbers C H X")
        if not (0 <= c < goal and 0 <= h < goal and 0 <= x <= goal - c):
            raise ValueError(
                f"line {i + 2}: {lines[i + 1]!r} is no position: scores C and H are from 0 to {goal - 1}, "
                f"and the turn total X is from 0 to {goal} - C"
            )
    return mine, theirs, turn


def integers(lines: list[str], at: int, wanted: str) -> list[int]:
    """The whole numbers of a line, `wanted` of them."""
    words = lines[at].split()
    try:
        if len(words) == (1 if at == 0 else 3):
            return [int(word) for word in words]
    except ValueError:
        pass
    raise ValueError(f"line {at + 1}: expected {wanted}, found {lines[at]!r}")

"""The checker: every fault is found, said once, in the user's words, with the state at hand; sound rules pass."""

from __future__ import annotations

import collections
import doctest
import enum
import functools
import itertools
import math
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.engines.exploring import agreement
from zermelo.errors import ParameterError, RulesError
from zermelo.kernels.kernel import only
from zermelo.language.checking.checker import LONGEST, OUTCOMES, STATES, check
from zermelo.language.checking.examination import Examination
from zermelo.language.checking.play import Play
from zermelo.link.constants import CannotCompile, literal


class State(NamedTuple):
    left: int
    hand: tuple[int, ...] = (0, 0)


class Other(NamedTuple):
    left: int
    hand: tuple[int, ...] = (0, 0)


class Point(NamedTuple):
    x: int
    y: int


class Holder(NamedTuple):
    point: Any


class Empty(NamedTuple):
    pass


class Sound(NamedTuple):
    """Take 1 or 2 of `goal` counters; the base of the faulty games below, which replace one member each."""

    goal: int = 5

    def start(self) -> Any:
        return State(self.goal)

    def actions(self, s: State) -> Iterator[Any]:
        if s.left > 0:
            yield 1
            if s.left > 1:
                yield 2

    def outcomes(self, s: State, action: Any) -> Iterator[Any]:
        yield 1, 1, State(s.left - action, s.hand)


def faulty(**members: Any) -> Any:
    """A game like `Sound` with these members in place of its own; None takes one away."""
    namespace = {name: member for name, member in vars(Sound).items() if name in ("start", "actions", "outcomes")}
    namespace |= members
    kept = {name: member for name, member in namespace.items() if member is not None}
    made = type("Faulty", (NamedTuple("Base", [("goal", int)]),), {"__slots__": (), **kept})  # noqa: UP014
    return made(5)


def faults_of(game: Any) -> list[str]:
    with pytest.raises(RulesError) as caught:
        check(game)
    return caught.value.faults


START = "State(left=5, hand=(0, 0))"


def only_fault(game: Any) -> str:
    faults = faults_of(game)
    assert len(faults) == 1, faults
    assert "\n" not in faults[0]
    return faults[0]


def here(fault: str) -> bool:
    """The fault names this file and a line."""
    return re.search(r"\(test_check\.py line \d+\)", fault) is not None


# --- sound rules pass ------------------------------------------------------------------------------------------------


class Board(NamedTuple):
    cells: tuple[int, ...]


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
TURN = (2, 5, 8, 1, 4, 7, 0, 3, 6)
MIRROR = (2, 1, 0, 5, 4, 3, 8, 7, 6)
KEEP, PASS = 1, -1


class Kind(enum.IntEnum):
    EASY = 1
    HARD = 2


def other_side(cells: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((3 - cells[i]) % 3 if cells[i] else 0 for i in range(9))


class TicTacToe(NamedTuple):
    kind: int = Kind.EASY

    def start(self) -> Board:
        return Board((0,) * 9)

    def is_lost(self, s: Board) -> bool:
        return any(s.cells[a] == 2 and s.cells[b] == 2 and s.cells[c] == 2 for a, b, c in LINES)

    def actions(self, s: Board) -> Iterator[int]:
        if not self.is_lost(s):
            for i in range(9):
                if s.cells[i] == 0:
                    yield i

    def outcomes(self, s: Board, i: int) -> Iterator[Any]:
        ways = math.comb(3, 1) if self.kind == Kind.HARD else 1
        yield ways, 0, s._replace(cells=other_side(s.cells[:i] + (1,) + s.cells[i + 1 :])), PASS

    def payoff(self, s: Board) -> int:
        return -1 if self.is_lost(s) else 0

    def stage(self, s: Board) -> int:
        return sum(1 for c in s.cells if c)

    def space(self) -> Board:
        return Board((range(3),) * 9)  # type: ignore[arg-type]

    def symmetries(self, s: Board) -> Iterator[Board]:
        cells = s.cells
        for k in range(8):
            turned = tuple(cells[TURN[i]] for i in range(9))
            cells = tuple(turned[MIRROR[i]] for i in range(9)) if k == 3 else turned
            yield Board(cells)


class Walk(NamedTuple):
    """Pure chance with two payoffs, both signs, float ways, and a helper used as a member's name would be."""

    far: int = 30
    payoffs = ("steps", "money")

    def start(self) -> Point:
        return Point(3, 0)

    def outcomes(self, s: Point) -> Iterator[Any]:
        if 0 < s.x < self.far:
            yield 0.5, (1, -0.5), Point(s.x - 1, self.plays(s))
            yield 1, (1, +2), Point(s.x + 1, self.plays(s))
            yield 0, (1, 0), Point(-7, -7)  # ways 0: it can't happen, so anything goes but the shape

    def plays(self, s: Point) -> int:
        return 1 - s.y

    def payoff(self, s: Point) -> tuple[int, int]:
        return 0, s.x

    def player(self, s: Point) -> bool:
        return s.y == 1

    def show(self, s: Point) -> str:
        return f"at {s.x}"


class Deep(NamedTuple):
    """A binary tree that is too wide for breadth first, with a fault far down."""

    depth: int = 400

    def start(self) -> Point:
        return Point(0, 0)

    def actions(self, s: Point) -> Iterator[int]:
        if s.x < self.depth:
            yield 0
            yield 1

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        yield 1, 1 if s.x < 100 else math.nan, Point(s.x + 1, (2 * s.y + action) % 1000)


@pytest.mark.parametrize("game", [Sound(), TicTacToe(), Walk(), TicTacToe(Kind.HARD)])
def test_sound_rules_pass(game: Any) -> None:
    sample = check(game)
    assert sample.states[0] == game.start()
    assert len(set(sample.states)) == len(sample.states) <= STATES


def test_a_small_game_is_seen_whole() -> None:
    assert sorted(check(Sound(5)).states) == [State(n) for n in range(6)]


def test_deep_states_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Examination, "is_late", lambda self: False)  # on a busy machine, neither a hundredth of a second nor
    with pytest.raises(RulesError) as raised:
        check(Deep(), seconds=math.inf)  # a second gets there
    (fault,) = raised.value.faults
    assert "the payoff of an outcome is nan at Point(x=1" in fault
    assert "it must be finite" in fault


def test_parameters_are_checked_first() -> None:
    with pytest.raises(ParameterError, match="goal must be a whole number"):
        check(Sound(2.5))  # type: ignore[arg-type]


# --- faults that show when the rules run -----------------------------------------------------------------------------


def start_float(self: Any) -> Any:
    return State(5 / 2)  # type: ignore[arg-type]


def start_list(self: Any) -> Any:
    return State(5, [0, 0])  # type: ignore[arg-type]


def start_string(self: Any) -> Any:
    return State("five")  # type: ignore[arg-type]


def start_nested(self: Any) -> Any:
    return State(5, ((0, 0), (0, 0)))  # type: ignore[arg-type]


def start_tuple(self: Any) -> Any:
    return (5, (0, 0))


def start_none(self: Any) -> Any:
    self.goal  # noqa: B018


def start_named(self: Any) -> Any:
    return Holder(Point(1, 2))


def start_big(self: Any) -> Any:
    return State(1 << 64)


@pytest.mark.parametrize(
    "start, words",
    [
        (start_float, "`left` is 2.5, but fields must be whole numbers or tuples of whole numbers; use // "),
        (start_list, "`hand` is [0, 0], but fields must be whole numbers or tuples of whole numbers; write it"),
        (start_string, "`left` is 'five', but fields must be whole numbers or tuples of whole numbers; number the"),
        (start_nested, "`hand` holds (0, 0), but its items must be whole numbers; a tuple in a tuple must"),
        (start_tuple, "`start` returns (5, (0, 0)): a state must be a NamedTuple: write `class State(NamedTuple):`"),
        (start_none, "`start` returns None: a state must be a NamedTuple: write `return State(...)`"),
        (start_named, "`point` is of class Point; write it as a plain tuple or as fields of their own"),
        (start_big, "`left` must stay below 2^63"),
        (lambda self: State(5, ()), "`hand` is an empty tuple"),
        (lambda self: Empty(), "Empty has no fields"),
    ],
)
def test_start(start: Any, words: str) -> None:
    assert words in only_fault(faulty(start=start))


def outcomes_with(ways: Any = 1, payoff: Any = 1, sign: Any = None) -> Any:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        yield (ways, payoff, State(s.left - action)) if sign is None else (ways, payoff, State(s.left - action), sign)

    return outcomes


NOT_NUMBERS = [
    (None, "it must be a number, not None"),
    (math.nan, "it must be finite"),
    (-math.inf, "it must be finite"),
    ("1", "it must be a number, not a str"),
    (1j, "it must be a number, not a complex"),
    (1 << 63, "whole numbers must stay below 2^63"),
    (Fraction(1, 2), "whole numbers"),
]


def run_faults(game: Any) -> list[str]:
    """The faults that show at a state, without those of the source (test games are made by closures)."""
    return [f for f in faults_of(game) if "State(left" in f]


@pytest.mark.parametrize("value, words", NOT_NUMBERS)
def test_ways_and_payoffs_must_be_numbers(value: Any, words: str) -> None:
    (fault,) = run_faults(faulty(outcomes=outcomes_with(ways=value)))
    assert fault.startswith(f"the ways are {value!r} at {START}, action 1: ") and words in fault
    assert here(fault) and fault.endswith(" more like it]")
    (fault,) = run_faults(faulty(outcomes=outcomes_with(payoff=value)))
    assert fault.startswith(f"the payoff of an outcome is {value!r} at {START}, action 1: ")
    assert words in fault and here(fault)
    (fault,) = run_faults(faulty(payoff=lambda self, s: value))
    assert fault.startswith(f"the payoff of a finished position is {value!r} at State(left=0, hand=(0, 0)): ")
    assert words in fault and here(fault)


@pytest.mark.parametrize(
    "outcomes, words",
    [
        (outcomes_with(ways=-2), f"the ways are -2 at {START}, action 1: ways can't be negative"),
        (outcomes_with(ways=0), f"the ways sum to 0 at {START}, action 1: at least one outcome needs"),
        (outcomes_with(sign=0), f"the fourth element of an outcome is 0 at {START}, action 1: it must be"),
        (outcomes_with(sign=2), "must be +1 (KEEP) or -1 (PASS)"),
        (outcomes_with(sign="PASS"), "the fourth element of an outcome is 'PASS'"),
        (outcomes_with(payoff=(1, 2)), "it must be one number; name the payoffs in `payoffs` to have several"),
    ],
)
def test_outcomes(outcomes: Any, words: str) -> None:
    (fault,) = run_faults(faulty(outcomes=outcomes))
    assert words in fault


def yields(*items: Any) -> Any:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        yield from items

    return outcomes


@pytest.mark.parametrize(
    "item, words",
    [
        ((1, State(0)), f"`outcomes` yields 2 elements at {START}, action 1: write `yield ways, payoff"),
        ((1, 0, State(0), 1, 1), "`outcomes` yields 5 elements"),
        (State(0), "`outcomes` yields a state"),
        (7, "`outcomes` yields 7"),
        ((1, 0, (0, (0, 0))), f"the next state is (0, (0, 0)) at {START}, action 1: write State(...)"),
        ((1, 0, Other(0)), "the next state is Other(left=0, hand=(0, 0)) at"),
        ((1, 0, State(0, (0, 0, 0))), "the length of `hand` must be the same in every state"),
        ((1, 0, State(0.5)), "`left` is 0.5, but fields must be whole numbers"),  # type: ignore[arg-type]
        ((0, 0, State(0, (0,))), "the length of `hand` must be the same in every state"),
    ],
)
def test_what_outcomes_yields(item: Any, words: str) -> None:
    (fault,) = run_faults(faulty(outcomes=yields(item, (1, 0, State(0)))))
    assert words in fault and here(fault)


def test_an_action_needs_an_outcome() -> None:
    (fault,) = run_faults(faulty(outcomes=yields()))
    assert f"`outcomes` yields nothing at {START}, action 1" in fault


def test_chance_that_sums_to_zero() -> None:
    class Coin(NamedTuple):
        def start(self) -> Point:
            return Point(1, 1)

        def outcomes(self, s: Point) -> Iterator[Any]:
            yield s.x, 0, Point(s.x - 1, s.y)
            yield s.y, 0, Point(s.x, s.y - 1)

    fault = only_fault(Coin())
    assert "the ways sum to 0 at Point(x=0, y=0): at least one outcome needs positive ways; yield nothing" in fault


def acts(*items: Any) -> Any:
    def actions(self: Any, s: State) -> Iterator[Any]:
        if s.left == 5:
            yield from items

    return actions


@pytest.mark.parametrize(
    "actions, words",
    [
        (acts(1, 2, 1), f"`actions` yields 1 twice at {START}: yield each action once"),
        (acts(1, (1, 2)), f"`actions` yields (1, 2) at {START}: other actions are whole numbers"),
        (acts((1, 2), (1, 2, 3)), "other actions are tuples of 2; all actions of a game must have one shape"),
        (acts(1, "take"), f"`actions` yields 'take' at {START}: an action must be a whole number or a"),
        (acts(None), "an action must be a whole number"),
        (acts(1.0), "an action must be a whole number"),
        (acts(1, 1 << 63), "numbers in an action must be below 2^63"),
    ],
)
def test_actions(actions: Any, words: str) -> None:
    (fault,) = run_faults(faulty(actions=actions, outcomes=yields((1, 0, State(0)))))
    assert words in fault and here(fault)


class Lists(NamedTuple):
    def start(self) -> Point:
        return Point(2, 0)

    def actions(self, s: Point) -> list[int]:
        return [1] if s.x else []

    def outcomes(self, s: Point, action: int) -> list[Any]:
        return [(1, 0, Point(s.x - action, 0))]


class Forgets(NamedTuple):
    def start(self) -> Point:
        return Point(2, 0)

    def actions(self, s: Point) -> Any:
        [1, 2]  # noqa: B018

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        yield 1, 0, s


class HalfYields(NamedTuple):
    def start(self) -> Point:
        return Point(2, 0)

    def moves(self, s: Point) -> Any:
        return [1, 2]

    def actions(self, s: Point) -> Any:
        if s.x == 0:
            return ()
        if s.x > 1:
            return self.moves(s)
        yield 1

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        """A text, and ... in its place, may stand alone."""
        ...  # noqa: PIE790
        yield 1, 0, Point(s.x - 1, 0)
        1, 0, Point(0, 0)  # noqa: B018
        s.x < 1  # noqa: B015


class Slips(NamedTuple):
    """Statements that say something else by a letter or two."""

    def start(self) -> Point:
        return Point(2, 0)

    def outcomes(self, s: Point) -> Iterator[Any]:
        left = [s.x, 0]
        chosen = 1
        chosen == 2  # noqa: B015
        left[0] == chosen  # noqa: B015
        left.sort  # noqa: B018
        s.x == 3  # noqa: B015
        if s.x > 0:
            yield 1, 0, Point(s.x - 1, left[1])


class Halves(NamedTuple):
    def start(self) -> Point:
        return Point(2, 0)

    def outcomes(self, s: Point) -> Iterator[Any]:
        for n in range(s.x):
            yield 1, 0, Point(0, n + 0.5)  # type: ignore[arg-type]


def test_a_mistake_with_many_values_is_one_fault() -> None:
    assert only_fault(Halves()).endswith("[and 1 more like it]")


def test_return_instead_of_yield() -> None:
    actions, outcomes = faults_of(Lists())
    assert "`actions` must yield: write a line `yield ...` with an action for each one, do not return them (test_check.py" in actions
    assert "`outcomes` must yield: write a line `yield ...` with ways, payoff, state" in outcomes
    returned, alone = faults_of(Forgets())
    assert "`actions` returns None at Point(x=2, y=0): it must yield" in returned
    assert "`[1, 2]` alone does nothing: was `yield` or `return` meant before it? (test_check.py line" in alone
    lost, *rest = faults_of(HalfYields())
    assert "`actions` yields, so what `return self.moves(s)` returns is lost: write `yield`, or `yield from`, for each of these" in lost
    assert [text.partition(" alone")[0] for text in rest] == ["`1, 0, Point(0, 0)`", "`s.x < 1`"]
    told = " alone does nothing: was `yield` or `return` meant before it"
    meant = [text.partition(told)[2].partition("? (")[0] for text in faults_of(Slips())]
    assert meant == [", or `chosen = 2`", ", or `left[0] = chosen`", ", or `left.sort(...)`", ""]


@pytest.mark.parametrize("player", [2, -1, None, "first", 0.5])
def test_player(player: Any) -> None:
    (fault,) = run_faults(faulty(player=lambda self, s: player))
    assert f"`player` returns {player!r} at {START}: it must be 0 (maximises) or 1 (minimises)" in fault


def test_payoffs() -> None:
    (fault,) = run_faults(faulty(payoffs=("a", "b"), outcomes=outcomes_with(payoff=(1, 2, 3))))
    assert "the payoff of an outcome is (1, 2, 3)" in fault and "`payoffs` has 2 names, so it must be a tuple" in fault
    (fault,) = run_faults(faulty(payoffs=("a", "b"), outcomes=outcomes_with(payoff=1)))
    assert "the payoff of an outcome is 1 at" in fault
    assert "`payoffs` is 'turns': it must be a tuple of different names" in only_fault(faulty(payoffs="turns"))
    assert "`payoffs` is ('a', 'a')" in only_fault(faulty(payoffs=("a", "a")))
    assert "`payoffs` is ()" in only_fault(faulty(payoffs=()))


def test_stage() -> None:
    (fault,) = run_faults(faulty(stage=lambda self, s: s.left))
    assert f"`stage` falls from 5 at {START} to 4 at State(left=4, hand=(0, 0)): it must never" in fault
    (fault,) = run_faults(faulty(stage=lambda self, s: None))
    assert f"`stage` returns None at {START}: it must be a whole number" in fault


def test_space() -> None:
    two = (range(2), range(2))
    (fault,) = run_faults(faulty(space=lambda self: State(range(2, 9), two)))  # type: ignore[arg-type]
    assert "the next state at State(left=3, hand=(0, 0)), action 2 is State(left=1, hand=(0, 0)), outside" in fault
    assert "left = 1 is not in range(2, 9)" in fault
    faults = faults_of(faulty(space=lambda self: State(range(4), two)))  # type: ignore[arg-type]
    assert f"the start is {START}, outside `space`: left = 5 is not in range(0, 4)" in faults[0]
    for wrong in (State(9, two), State(range(9)), (range(9), two), State(range(9), (range(2),)), State(range(0), two)):  # type: ignore[arg-type]
        fault = only_fault(faulty(space=lambda self, wrong=wrong: wrong))
        assert "it must return State(...) with a range in place of every number" in fault


def same_as(*others: Any) -> Any:
    def symmetries(self: Any, s: State) -> Iterator[Any]:
        if s.left == 5:
            yield from others

    return symmetries


def pairs(self: Any, s: State) -> Iterator[Any]:
    """5 ~ 4 and 4 ~ 3, but not 5 ~ 3."""
    if s.left in (5, 4):
        yield State(9 - s.left)
    if s.left in (4, 3):
        yield State(7 - s.left)


def test_symmetries() -> None:
    (fault,) = run_faults(faulty(symmetries=same_as(State(4))))
    assert f"`symmetries` yields State(left=4, hand=(0, 0)) for {START}, but not the other way" in fault
    (fault,) = run_faults(faulty(symmetries=pairs))
    assert f"yields State(left=3, hand=(0, 0)) for only one of {START} and State(left=4" in fault
    (fault,) = run_faults(faulty(symmetries=same_as(State(5, (0, 0, 0)))))
    assert "a position that `symmetries` yields is State(left=5, hand=(0, 0, 0)) at State(left=5" in fault
    assert "write State(...), as `start` does" in run_faults(faulty(symmetries=same_as((5, 0))))[0]


# --- faults of the rules as Python -----------------------------------------------------------------------------------


class Misspelt(NamedTuple):
    goal: int = 5

    def start(self) -> State:
        return State(self.goal)

    def actions(self, s: State) -> Iterator[int]:
        if s.left < self.gaol:  # type: ignore[attr-defined]
            yield 1

    def outcomes(self, s: State, action: int) -> Iterator[Any]:
        yield 1, 0, State(s.lefft)  # type: ignore[attr-defined]
        yield 1, 0, State(s.left - actoin)  # type: ignore[name-defined]  # noqa: F821
        yield 1, 0, State(math.conb(s.left, 2))  # type: ignore[attr-defined]


def test_names_that_do_not_exist_are_all_found() -> None:
    faults = faults_of(Misspelt())
    assert len(faults) == 4
    assert f"`actions`: Misspelt has no `gaol`; did you mean `goal`? at {START} (test_check.py" in faults[0]
    text = "\n".join(faults[1:])  # never run, for `actions` fails first: found in the source
    assert "State has no field `lefft`; did you mean `left`? (test_check.py line" in text
    assert "the name `actoin` is not defined; did you mean `action`?" in text
    assert "`math.conb` does not exist; did you mean `comb`?" in text


class Crashes(NamedTuple):
    def start(self) -> State:
        return State(5)

    def actions(self, s: State) -> Iterator[int]:
        yield 0
        yield 7

    def outcomes(self, s: State, action: int) -> Iterator[Any]:
        yield 1, 0, State(s.left, (s.hand[self.pick(action)], 0))

    def pick(self, action: int) -> int:
        if action == 0:
            return 1 // action
        return action


def test_exceptions_of_the_rules() -> None:
    division, index = faults_of(Crashes())
    first = Crashes.pick.__code__.co_firstlineno
    assert division.startswith("`outcomes` raised ZeroDivisionError: ")
    assert f"at {START}, action 0 (test_check.py line {first + 2})" in division
    assert index.startswith(f"`outcomes` raised IndexError: tuple index out of range at {START}, action 7")


def test_start_that_raises() -> None:
    assert only_fault(faulty(start=lambda self: State(1 // 0))).startswith("`start` raised ZeroDivisionError")


def test_start_that_refuses_without_a_sentence() -> None:
    def start(self: Any) -> Any:
        raise ValueError

    with pytest.raises(ParameterError, match="^Faulty: `start` raises ValueError without a sentence that says why$"):
        check(faulty(start=start))


def yields_state(self: Any) -> Iterator[Any]:
    yield State(self.goal)


def yields_payoff(self: Any, s: State) -> Iterator[Any]:
    yield 1


@pytest.mark.parametrize(
    "member, at, rule", [("start", "", yields_state), ("payoff", f" at {START.replace('5', '0')}", yields_payoff)]
)
def test_yield_instead_of_return(member: str, at: str, rule: Any) -> None:
    fault = only_fault(faulty(**{member: rule}))
    assert fault.startswith(f"`{member}` yields{at}: it must return its answer, so write `return` instead of `yield`") and here(fault)


def test_members_of_the_wrong_form() -> None:
    def selfless() -> Any:
        return State(5)

    assert only_fault(faulty(start=selfless)) == "`start` must be written `def start(self)`, not `def start()`"

    def outcomes(self: Any, s: Any) -> Any:
        yield 1, 0, State(0)

    assert "`outcomes` must be written `def outcomes(self, s, action)`, not `def outcomes(self" in only_fault(
        faulty(outcomes=outcomes)
    )
    assert "(a game without `actions` is pure chance), not" in only_fault(faulty(actions=None))
    said = only_fault(faulty(space=lambda self, stage: None))
    assert "`def space(self)` (or, in a game of pure chance with `stage(self, s)`, `def space(self, stage)`), not" in said
    assert "`player` is a value, but the name stands for a method `def player(self, s)`" in only_fault(faulty(player=1))


@pytest.mark.parametrize(
    "said, meant", [("symetries", "symmetries"), ("players", "player"), ("stages", "stage"), ("symmetry", "symmetries")]
)
def test_misspelt_members(said: str, meant: str) -> None:
    def member(self: Any, s: Any) -> int:
        return 0

    fault = only_fault(faulty(**{said: member}))
    assert fault == f"`{said}` is no part of the language of rules: did you mean `{meant}`?"


def test_misspelt_members_that_are_needed() -> None:
    faults = faults_of(faulty(outcomes=None, outcome=Sound.outcomes))
    assert faults == [
        "the method `outcomes` is missing",
        "`outcome` is no part of the language of rules: did you mean `outcomes`?",
    ]
    assert "did you mean `payoffs`?" in only_fault(faulty(payofs=("turns", "wins")))
    faults = faults_of(faulty(actions=None, action=Sound.actions))
    assert "`action` is no part of the language of rules: did you mean `actions`?" in faults


def test_rules_that_change_their_mind() -> None:
    calls = itertools.count()

    class Fickle(NamedTuple):
        def start(self) -> Point:
            return Point(0, 0)

        def outcomes(self, s: Point) -> Iterator[Any]:
            if s.x == 0:
                yield 1, 0, Point(1, next(calls))

    faults = faults_of(Fickle())
    assert any("`outcomes` says one thing and then another at Point(x=0, y=0)" in f for f in faults)


def test_a_start_that_is_drawn() -> None:
    """It is run by Python only, so that the source is not looked at: a shuffled deck was solved as it fell."""
    calls = itertools.count(5)
    fault = only_fault(faulty(start=lambda self: State(next(calls))))
    assert fault.startswith("`start` says one thing and then another: rules must always give the same answer; put chance into")


def test_rules_that_change_parameters() -> None:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        self.goal = action
        yield 1, 1, State(s.left - action)

    assert any("`self.goal = ...`: parameters can't be changed; put into the state what" in f for f in faults_of(faulty(outcomes=outcomes)))


@pytest.mark.parametrize("name, what", [("show", " at State("), ("action_name", " for action 1 (at State("), ("title", ":")])
def test_texts_without_return(name: str, what: str) -> None:
    """They were shown as None."""
    rules = {"show": lambda self, s: None, "action_name": lambda self, action: None, "title": lambda self: None}
    fault = faults_of(faulty(**{name: rules[name]}))[0]
    assert f"`{name}` returns None{what}" in fault and "so write `return`" in fault and here(fault)


def test_a_single_payoff_with_a_name_is_a_tuple_of_one_number() -> None:
    assert "`payoffs` has 1 name, so it must be a tuple of 1 number, such as (0,)" in only_fault(faulty(payoffs=("coins",)))


@pytest.mark.parametrize("sign, turns, is_told", [(-1, True, True), (1, True, False), (-1, False, False)])
def test_players_who_are_exchanged_twice(sign: int, turns: bool, is_told: bool) -> None:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        yield 1, 1, State(s.left - action, (0, 1 - s.hand[1])), sign

    def player(self: Any, s: State) -> int:
        return s.hand[1] if turns else 0

    said = "an outcome has -1, and `player` goes from 0 to 1, too: players are exchanged twice"
    assert [said in remark and here(remark) for remark in check(faulty(outcomes=outcomes, player=player)).remarks] == [True] * is_told


def test_play_that_is_over_at_the_start() -> None:
    """Chance that is to begin, in a game with `actions`, was "no faults" and a value of 0."""
    def actions(self: Any, s: State) -> Iterator[int]:
        if s.left < 5:
            yield 1

    remark = "play is over at the start, where `actions` yields nothing; if chance is to begin, it must yield one action there"
    assert check(faulty(actions=actions)).remarks == (remark,)
    assert check(faulty()).remarks == () and check(Chance(0)).remarks == ()


class Chance(NamedTuple):
    """Pure chance, over at once for n=0: that is no mistake."""

    n: int = 0

    def start(self) -> Point:
        return Point(self.n, 0)

    def outcomes(self, s: Point) -> Iterator[Any]:
        if s.x:
            yield 1, 1, Point(s.x - 1, 0)


LOG: list[int] = []
ROWS = ([0, 0], [0, 0])


@pytest.mark.parametrize("name", ["`LOG`", "`ROWS`", "`self.seen`", "`self.kept`", "`memo` of `outcomes`", "`memo` of `payoff`"])
def test_rules_that_change_what_is_outside_of_the_state(name: str) -> None:
    """A small game was solved as if they did not, and the value of a rule that counts its calls was proven."""
    start = State(2)

    class Keeps(NamedTuple):
        kept: list[int] = []
        seen = [0]

        def start(self) -> State:
            return start

        def actions(self, s: State) -> Iterator[int]:
            if s.left > 0:
                yield 0

        def outcomes(self, s: State, action: int, memo: dict[int, int] = {}) -> Iterator[Any]:  # noqa: B006
            if name == "`LOG`":
                LOG.append(s.left)
            if name == "`ROWS`":
                row = ROWS[1]
                row[0] += 1
            if name == "`self.seen`":
                self.seen[0] += 1
            if name == "`self.kept`":
                self.kept.insert(0, s.left)
            if name == "`memo` of `outcomes`":
                memo[s.left] = 1
            yield 1, 0, State(s.left - 1)

        def payoff(self, s: State, *, memo: set[int] = set()) -> int:  # noqa: B006
            if name == "`memo` of `payoff`":
                memo.add(1)
            return 1

    said = f"{name} is changed by the rules, which depend only on the state and the parameters: put what changes into the state"
    assert any(f.startswith(said) and here(f) for f in faults_of(Keeps(kept=[1])))


def test_lists_that_start_fills() -> None:
    """It is run by Python, once and again: what it prepares are constants to the rules."""
    table: list[int] = []

    def start(self: Any) -> State:
        table[:] = range(self.goal + 1)
        return State(self.goal)

    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        yield 1, table[s.left], State(s.left - action, s.hand)

    check(faulty(start=start, outcomes=outcomes))


def test_a_constant_that_contains_itself() -> None:
    table: list[Any] = [1]
    table.append(table)

    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        yield 1, table[0], State(s.left - action, s.hand)

    (fault,) = faults_of(faulty(outcomes=outcomes))
    assert fault.startswith("`table` contains itself: write it as a tuple of numbers") and here(fault)


def test_a_class_can_not_be_changed() -> None:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        Holder.calls = 1  # type: ignore[attr-defined]
        yield 1, 1, State(s.left - action)

    assert any("`Holder.calls = ...`: a class can't be changed; put into the state" in f for f in faults_of(faulty(outcomes=outcomes)))


turns = 0


def test_global_names_are_not_said_to_have_no_value() -> None:
    def outcomes(self: Any, s: State, action: int) -> Iterator[Any]:
        global turns
        turns = turns * 1
        yield 1, turns, State(s.left - action)

    assert "`global` can't compile: rules depend only on" in only_fault(faulty(outcomes=outcomes))


class Forgetful(NamedTuple):
    """Both helpers want `self.` before them."""

    def start(self) -> Point:
        return Point(0, 0)

    def least(self, x: int) -> int:
        return x

    def outcomes(self, s: Point) -> Iterator[Any]:
        if s.x == 0:
            yield least(s.x), 0, Point(1, 0)  # type: ignore[name-defined]  # noqa: F821
        if s.x > 1:
            yield start(s.x), 0, Point(1, 0)  # type: ignore[name-defined]  # noqa: F821


def test_a_method_without_self() -> None:
    faults = faults_of(Forgetful())
    assert faults[0].startswith("`outcomes`: the name `least` is not defined; did you mean `self.least`? at Point(x=0, y=0)")
    assert faults[1].startswith("the name `start` is not defined; did you mean `self.start`?")


def test_async_rules() -> None:
    """It was said that the source had changed since it was loaded."""

    async def actions(self: Any, s: State) -> Any:
        yield 1

    returned, source = faults_of(faulty(actions=actions))
    assert "it must yield" in returned and "`async` can't compile: write a plain `def`" in source


class Endless(NamedTuple):
    def start(self) -> Point:
        return Point(0, 0)

    def actions(self, s: Point) -> Iterator[int]:
        i = 0
        while True:
            yield i
            i += 1

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        yield 1, 0, Point(s.x + 1, action)


class Slow(NamedTuple):
    def start(self) -> Point:
        return Point(0, 0)

    def actions(self, s: Point) -> Iterator[int]:
        for i in range(100):
            time.sleep(0.002)
            yield i

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        time.sleep(0.02)
        yield 1, -1 if s.x else math.nan, Point(s.x + 1, action)


def test_endless_and_slow_rules_do_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long the rules slept does not depend on what else the machine does."""
    slept, sleep = list[float](), time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: (slept.append(seconds), sleep(seconds)))
    assert "`actions` yields 100,000 times or more at Point(x=0, y=0): does a loop never end?" in only_fault(Endless())
    assert any("is nan at Point(x=0, y=0)" in f for f in faults_of(Slow()))
    assert 0 < sum(slept) < 4 * LONGEST + 2


class Wide(NamedTuple):
    """A state from which very much can follow."""

    actions_: int = 200
    each: int = 500
    wrong: int = -1  # the action with ways that are none

    def start(self) -> Point:
        return Point(0, 0)

    def actions(self, s: Point) -> Iterator[int]:
        if s.y == 0:
            for action in range(self.actions_):  # noqa: UP028
                yield action

    def outcomes(self, s: Point, action: int) -> Iterator[Any]:
        for k in range(self.each):
            yield -1 if action == self.wrong else 1 + k % 7, action * k % 11, Point((action + k) % 5, 1)


def test_of_a_state_with_very_many_outcomes_some_actions_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    outcome = Play._outcome
    monkeypatch.setattr(Play, "_outcome", lambda self, where, *more: looked.append(where) or outcome(self, where, *more))
    found = check(Wide())
    assert len(looked) == OUTCOMES and len(found.states) == 6 and not found.seen.is_all
    assert str(found.seen).endswith("6 states and more (as far as examined)")
    assert found.remarks == ("at Point(x=0, y=0) only 20 of 200 actions were examined, which lead to 10,000 outcomes",)
    looked.clear()
    found = check(Wide(20, 500))
    assert len(looked) == 10_000 and found.remarks == () and found.seen.is_all, "all of them"
    assert check(Wide(1, OUTCOMES + 1)).remarks == (), "an action is examined as a whole"


def test_faults_among_very_many_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the actions that come first, and of some that come later."""
    assert any("the ways are -1" in fault for fault in faults_of(Wide(wrong=9)))
    outcomes, asked = Wide.outcomes, set()

    @functools.wraps(outcomes)
    def noted(game: Any, s: Any, action: int) -> Any:
        asked.add(action)
        return outcomes(game, s, action)

    with monkeypatch.context() as patch:
        patch.setattr(Wide, "outcomes", noted)
        check(Wide())
    late = [action for action in range(10, 200) if action in asked]
    assert len(late) == 10 and max(late) > 100
    assert all(faults_in(Wide(wrong=action)) for action in late)
    assert not any(faults_in(Wide(wrong=action)) for action in (late[0] + 1, late[-1] - 1))


def faults_in(game: Any) -> list[str]:
    try:
        check(game)
    except RulesError as error:
        return error.faults
    return []


def test_compiled_rules_with_very_many_outcomes_are_compared_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    interpreted = agreement._interpreted

    def counted(explored: Any, state: Any, action: Any) -> Any:
        compared.append(len(found := interpreted(explored, state, action)))
        return found

    monkeypatch.setattr(agreement, "_interpreted", counted)
    with only("compiled"):
        solution = zermelo.solve(Wide())
    assert sum(compared) == agreement.OUTCOMES and solution.report.facts["outcomes"] == 100_000
    assert any("only 20 of 200 actions were examined" in note for note in solution.report.notes)
    monkeypatch.setattr(agreement, "_interpreted", lambda explored, state, action: interpreted(explored, state, action)[::-1])
    with pytest.raises(RulesError, match="compiled code"):
        zermelo.solve(Wide())


def test_the_actions_that_are_compared() -> None:
    few = agreement._few(np.array([30, 40, 50]))
    assert list(few) == [0, 1, 2]
    chosen = list(agreement._few(np.full(1000, 100)))
    assert chosen[0] == 0 and len(set(chosen)) == len(chosen) == 100 and max(chosen) > 900
    assert list(agreement._few(np.array([99_999, 1, 1]))) == [0]


# --- faults of the source: what can't compile ------------------------------------------------------------------------

TABLE = {1: 2}
CHOICES = {1, 2}
STEPS = range(3)
HALF = Fraction(1, 2)


class Colour(enum.Enum):
    RED = "red"


class Plain:
    size = 3

    def __init__(self) -> None:
        self.size = 4


@functools.cache
def cached(x: int) -> int:
    return x


lambda_helper = lambda x: x  # noqa: E731


def starred(*items: int) -> int:
    return items[0]


class Uncompilable(NamedTuple):
    goal: int = 0

    def start(self) -> State:
        return State(5)

    def actions(self, s: State) -> Iterator[int]:
        yield from range(s.left)

    def outcomes(self, s: State, action: int) -> Iterator[Any]:
        outcome = (1, 0, State(0))
        yield outcome

    def never(self, s: State) -> Any:
        import os

        global CALLS
        first, *rest = s.hand
        try:
            first = 1 // first
        except ZeroDivisionError:
            first = 0
        with open("file") as file:
            print(file, os)
        a = max(s.hand, key=lambda x: -x)
        b = any(s.hand) + sum((x for x in s.hand), start=1)
        c = list(x for x in s.hand)  # noqa: C400
        d = tuple(sorted(s.hand)) + tuple(sorted(x for x in s.hand))
        e = {x for x in s.hand}, set(x for x in s.hand)  # noqa: C416, C401
        for x, y in zip(s.hand, s.hand, strict=True):
            print(x, y)
        f = State(**{"left": 1})  # noqa: PIE804
        g = TABLE[1] + len(CHOICES) + len(STEPS) + HALF + Plain().size + cached(1) + lambda_helper(1) + starred(1)
        h = [*reversed(s.hand), *itertools.chain(s.hand), *collections.Counter(s.hand)]
        i = s._asdict()["left"] + math.factorial(3) + functools.reduce(int.__add__, s.hand) + random.random()
        j = Colour.RED
        s.left = 4  # type: ignore[misc]
        return a, b, c, d, e, f, g, h, i, j

    def player(self, s: State) -> int:
        if s.left > 1000:
            return self.never(s)  # type: ignore[no-any-return]
        return 0


@pytest.mark.parametrize(
    "words",
    [
        "write the outcome out where it is yielded: `yield ways, payoff, State(...)`",
        "`import` inside a rule can't compile",
        "`global` can't compile",
        "`*` on the left of `=` can't compile",
        "`except ZeroDivisionError` can't compile",
        "`with` can't compile",
        "`max(..., key=...)` can't compile",
        "`sum(..., start=...)` can't compile",
        "a generator expression compiles only directly inside tuple, list, sorted, sum, any, all, min, max: write `set([... for ...])`",
        "a set comprehension can't compile",
        "`zip(..., strict=...)` can't compile",
        "`**` in a call can't compile",
        "`STEPS` is a range kept in a name",
        "`HALF` is a Fraction, which can't compile",
        "`Plain` is a class, and only NamedTuples",
        "`cached` is decorated (a cache?)",
        "the helper `<lambda>` is a lambda, which can't compile: write it with `def`",
        "`starred` takes `*` arguments",
        "`reversed` can't compile",
        "`itertools.chain` belongs to `itertools`",
        "`collections.Counter` belongs to `collections`, which can't compile: count in a dictionary of your own",
        "`._asdict()` can't compile: name the fields",
        "`math.factorial` can't compile",
        "`functools.reduce` is a function of `functools`",
        "`random.random` draws at random",
        "`Colour.RED` is a member of an Enum: make it an IntEnum or a StrEnum",
        "`s.left = ...`: a state can't be changed",
    ],
)
def test_what_cannot_compile(words: str) -> None:
    hits = [f for f in uncompilable_faults() if words in f]
    assert len(hits) == 1, uncompilable_faults()
    assert here(hits[0])


@functools.cache
def uncompilable_faults() -> list[str]:
    return faults_of(Uncompilable())


class Careless(NamedTuple):
    """In Python the power is a number; compiled, it is beyond 64 bits, which raised an exception that the rule itself caught: 1000."""

    top: int = 5

    def start(self) -> State:
        return State(self.top)

    def outcomes(self, s: State) -> Iterator[Any]:
        if s.left > 0:
            x = 10**6 if s.left == 123_457 else 1
            try:
                y = x**20
            except Exception:
                y = 0
            try:
                y += 1
            except:  # noqa: E722
                y = 0
            finally:
                y -= 1
            yield 1, 0 if y > 0 else 1000, State(s.left - 1)


def test_rules_that_catch_exceptions() -> None:
    first = Careless.outcomes.__code__.co_firstlineno
    assert sorted(fault.partition(" (test_check.py line ")[0::2] for fault in faults_of(Careless())) == [
        ("`except Exception` can't compile: test with `if` before the operation", f"{first + 5})"),
        ("`except` can't compile: test with `if` before the operation", f"{first + 9})"),
        ("`finally` can't compile: leave it out", f"{first + 7})"),
    ]


def test_lines_are_those_of_the_file() -> None:
    first = Uncompilable.outcomes.__code__.co_firstlineno
    assert any(f"write the outcome out where it is yielded: `yield ways, payoff, State(...)` (test_check.py line {first + 2})" in f
               for f in uncompilable_faults())  # fmt: skip


class Stated(NamedTuple):
    x: int

    def doubled(self) -> int:
        return 2 * self.x


class Allowed(NamedTuple):
    """Constructs that look suspicious and compile."""

    goal: int = 3
    bonus = 2

    def start(self) -> Stated:
        return Stated(self.goal)

    def helper(self, n: int) -> int:
        best = max(n, 0)
        items = [i * i for i in range(n + 1)]
        items.append(sum(items))
        values = sorted(items, reverse=True)
        return min(values[-1], best, max(i for i in items)) + self.bonus + Kind.EASY

    @property
    def top(self) -> int:
        return self.goal + 1

    def outcomes(self, s: Stated) -> Iterator[Any]:
        if s.doubled() > 0 and any(i == s.x for i in range(self.top)) and s.x not in (77, 78):
            assert s.x < 1000, f"too much: {s.x}"
            lost = 0
            for i, (a, b) in enumerate(zip((1, 2), (3, 4))):  # noqa: B905
                lost += i * a * b
            table = {1: 2}
            yield table[1], lost * math.comb(4, 2) / 2, s._replace(x=s.x - 1)
            yield self.helper(s.x), -1, Stated(*(s.x - 1,))


def test_what_compiles_is_not_refused() -> None:
    assert len(check(Allowed()).states) == 4


# --- where the source comes from -------------------------------------------------------------------------------------

DOCTEST = """
>>> from typing import NamedTuple
>>> from zermelo.language.checking import check
>>> class S(NamedTuple):
...     n: int
>>> class Game(NamedTuple):
...     def start(self):
...         return S(3)
...     def outcomes(self, s):
...         if s.n:
...             yield 1, 0, S(s.n - 1)
>>> len(check(Game()).states)
4
"""


def test_a_game_in_a_doctest() -> None:
    module = ModuleType("doctest_of_check")
    module.__doc__ = DOCTEST
    results = doctest.testmod(module)
    assert (results.attempted, results.failed) == (5, 0)


def test_source_that_cannot_be_read() -> None:
    scope: dict[str, Any] = {"NamedTuple": NamedTuple, "State": Point}
    exec(
        "class Typed(NamedTuple):\n    def start(self): return State(0, 0)\n    def outcomes(self, s):\n"
        "        if s.x < 3: yield 1, 0, State(s.x + 1, 0)\n",
        scope,
    )
    assert "the source of `Typed.outcomes` can't be read (<string>): define the game in a .py file" in only_fault(
        scope["Typed"]()
    )


def test_the_checker_needs_only_the_standard_library() -> None:
    code = "import sys, zermelo.language.checking; print(*({'numpy', 'numba', 'scipy'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == ""


def leaving(s: State) -> Iterator[Any]:
    if s.left == 1:
        raise SystemExit(0)
    yield 1, 1, State(s.left - 1)


def test_a_rule_that_ends_the_process_is_a_fault() -> None:
    """The command line ended with code 0 and said nothing."""
    with pytest.raises(RulesError, match=r"`outcomes` raised SystemExit: 0 at State\(left=1"):
        check(faulty(actions=None, outcomes=lambda self, s: leaving(s)))


@pytest.mark.parametrize(
    ("action_name", "said"),
    [
        (lambda self, action: ("none", "take one")[action], "action 1 (take one): "),
        (lambda self, action: str(action), "action 1: "),
        (lambda self, action: {}[action], "action 1: "),
    ],
)
def test_faults_name_the_action(action_name: Any, said: str) -> None:
    fault = run_faults(faulty(outcomes=outcomes_with(payoff=None), action_name=action_name))[0]
    assert fault.startswith(f"the payoff of an outcome is None at {START}, {said}")


class Kept(NamedTuple):
    number: int
    other: Any


@pytest.mark.parametrize(
    ("constant", "words"),
    [
        ((1, len), "`T[1]` is a builtin_function_or_method, which can't compile"),
        (((1, 2), (3, int)), "`T[1][1]` is a type, which can't compile"),
        (Kept(1, (2, 2**63)), "`T.other[1]` is 9223372036854775808: whole numbers"),
        (pytest, "`T` is a module, which can't compile"),
    ],
)
def test_what_lies_in_a_table_is_told_by_its_place(constant: Any, words: str) -> None:
    """It was said of the whole tuple: "`T` is a type"."""
    with pytest.raises(CannotCompile, match=re.escape(words)):
        literal(constant, "T", lambda kind: kind.__name__)


def in_words(number: int) -> str:
    return f"{number} left"


class Told(NamedTuple):
    n: int

    def told(self) -> str:
        return in_words(self.n) + f" of {self.last()}"

    def last(self) -> int:
        return len(f"{self.n}")


class Telling(NamedTuple):
    """A state with a method for people."""

    top: int = 3

    def start(self) -> Told:
        return Told(self.top)

    def outcomes(self, s: Told) -> Iterator[tuple[int, int, Told]]:
        if s.n > 0:
            yield 1, 1, Told(s.n - 1)

    def show(self, s: Told) -> str:
        return s.told()


class Measured(Telling):
    def payoff(self, s: Told) -> int:
        return s.last()


def test_methods_of_the_state_that_no_compiled_rule_calls_need_not_compile() -> None:
    """A text for `show` was refused: formatted text can't compile."""
    assert zermelo.plan(Telling()).engine == "explored" and zermelo.solve(Telling()).rules.show(Told(12)) == "12 left of 2"
    with pytest.raises(RulesError) as told:
        zermelo.solve(Measured())
    (fault,) = told.value.faults
    assert fault.startswith("`f'{self.n}'`: formatted text can't compile")


class Making(Telling):
    def outcomes(self, s: Told) -> Iterator[tuple[int, int, Told]]:
        if s.n > 0:
            yield 1, 1, Told._make((s.n - 1,))


def test_make_of_a_named_tuple_is_told_what_to_write() -> None:
    """It was "is a classmethod: make it a function of the module"."""
    with pytest.raises(RulesError, match=r"`Told._make` can't compile: name the fields one by one, as in State\(a, b\)"):
        zermelo.check(Making())


class Counted(NamedTuple):
    n: int
    seen: int = 0


class Counting(NamedTuple):
    last: int = 2

    def start(self):
        return Counted(self.last)

    def outcomes(self, s):
        if s.n > 0:
            yield 1, s.seen, Counted(s.n - 1, 1 - s.seen)


@pytest.mark.parametrize("name", ["__eq__", "__hash__", "__iter__", "__len__", "__getitem__"])
def test_a_state_is_told_apart_by_its_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """States that were equal by a method of their own became one, in Python only; others ended as a traceback of Zermelo's own."""
    monkeypatch.setattr(sys.modules[__name__], "Counted", type("Own", (Counted,), {name: lambda self, *given: 1}))
    fault = f"Own has a `{name}` of its own, but states are told apart by their numbers: make it a method of another name"
    with pytest.raises(RulesError, match=re.escape(fault)):
        zermelo.solve(Counting())


@pytest.mark.parametrize("name", ["__eq__", "__iter__", "__getitem__", "__getattr__"])
def test_a_game_is_known_by_its_parameters(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a `__getattr__` it was taken for a solution; other parameters were used than those that it has."""
    monkeypatch.setattr(Counting, name, lambda self, *given: iter((1,)), raising=False)
    fault = f"Counting has a `{name}` of its own, but a game is known by its parameters: make it a method of another name"
    with pytest.raises(RulesError, match=re.escape(fault)):
        zermelo.solve(Counting())

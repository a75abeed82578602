"""Turns that are the same whatever the opponent has: which fields rules only hand on, and stages solved by patterns."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.engines.entries import patterns, solving
from zermelo.engines.entries.table import LayoutTooNarrow, declared, entries_of, entries_of_answers
from zermelo.games import HouseRace, Pig, TenThousandRace
from zermelo.kernels.status import DONE
from zermelo.kernels.verify_patterns import bounded_sweep, open_exits
from zermelo.language.passthrough import passthrough_fields
from zermelo.language.rules import Rules
from zermelo.link import EnteredRules
from zermelo.solvers.by_component import Cyclic
from zermelo.states.layout import Layout

KEEP, PASS = +1, -1
BANK, ROLL = range(2)


class Seen(NamedTuple):
    mine: int
    theirs: int
    turn: int

    def total(self) -> int:
        return self.mine + self.turn

    def both(self) -> int:
        return self.mine + self.theirs


class Race(NamedTuple):
    """Spin a wheel some of whose fields lose the turn, and others say 1, 2 or 3, as often as you like; bank to pass."""

    goal: int = 9
    zeros: int = 2
    ones: int = 1
    twos: int = 1
    threes: int = 2
    least: int = 1  # to be banked at a time

    def start(self) -> Seen:
        return Seen(0, 0, 0)

    def actions(self, s: Seen) -> Iterator[int]:
        if s.total() < self.goal:
            yield ROLL
            if s.turn >= self.least:
                yield BANK

    def outcomes(self, s: Seen, action: int) -> Iterator[tuple[int, int, Seen, int]]:
        if action == BANK:
            yield 1, 0, Seen(s.theirs, s.mine + s.turn, 0), PASS
        else:
            yield self.zeros, 0, Seen(s.theirs, s.mine, 0), PASS
            yield self.ones, 0, self.after(s, 1), KEEP
            yield self.twos, 0, self.after(s, 2), KEEP
            yield self.threes, 0, self.after(s, 3), KEEP

    def after(self, s: Seen, k: int) -> Seen:
        return s._replace(turn=self.goal - s.mine) if s.total() + k >= self.goal else s._replace(turn=s.turn + k)

    def payoff(self, s: Seen) -> int:
        return 1

    def stage(self, s: Seen) -> int:
        return (s.mine + s.theirs) * self.goal + min(s.mine, s.theirs)

    def entries(self) -> Iterator[Seen]:
        for mine in range(self.goal):
            for theirs in range(self.goal):
                yield Seen(mine, theirs, 0)


def with_members(**members: Any) -> Any:
    """The race with other members: a game class of its own, read as any other."""
    return type("Changed", (Race,), members)()


# --- what is handed on ---------------------------------------------------------------------------------------------------


def test_what_the_rules_never_look_at() -> None:
    assert passthrough_fields(Rules(Race())) == ("theirs",)
    assert passthrough_fields(Rules(TenThousandRace())) == ("theirs",)
    assert passthrough_fields(Rules(Pig())) == ("theirs",)


def looks(self: Any, s: Seen) -> Iterator[int]:
    if s.mine < self.goal and s.theirs < self.goal:
        yield ROLL


def compares(self: Any, s: Seen) -> Iterator[int]:
    if s != Seen(0, 0, 0):
        yield ROLL


def unpacks(self: Any, s: Seen) -> Iterator[int]:
    mine, theirs, _turn = s
    if mine < theirs:
        yield ROLL


def counts(self: Any, s: Seen) -> Iterator[int]:
    if s[1] < 3:
        yield ROLL


def renames(self: Any, s: Seen) -> Iterator[int]:
    other = s
    if other.theirs < 3:
        yield ROLL


def asks_the_state(self: Any, s: Seen) -> Iterator[int]:
    if s.both() < 3:
        yield ROLL


def gets(self: Any, s: Seen) -> Iterator[int]:
    if getattr(s, "theirs") < 3:  # noqa: B009
        yield ROLL


def sums(self: Any, s: Seen) -> Iterator[int]:
    yield from range(sum(s))


def is_action(self: Any, s: Seen) -> Iterator[Any]:
    yield s


def by_an_inner_function(self: Any, s: Seen) -> Iterator[int]:
    def far() -> int:
        return s.theirs

    if far() < 3:
        yield ROLL


def behind(s: Seen) -> bool:
    return s.mine < s.theirs


def helped(self: Any, s: Seen) -> Iterator[int]:
    if behind(s):
        yield ROLL


def turned(s: Seen) -> Seen:
    return Seen(s.theirs, s.mine, 0)


def through_a_new_state(self: Any, s: Seen) -> Iterator[int]:
    if turned(s).mine < 3:
        yield ROLL


def through_a_replaced_one(self: Any, s: Seen) -> Iterator[int]:
    if s._replace(mine=s.theirs).mine < 3:
        yield ROLL


def in_a_list(self: Any, s: Seen) -> Iterator[int]:
    for other in [s]:
        if other.theirs < 3:
            yield ROLL


@pytest.mark.parametrize(
    "rule",
    [looks, compares, unpacks, counts, renames, asks_the_state, gets, sums, is_action, by_an_inner_function, helped, through_a_new_state,
     through_a_replaced_one, in_a_list],
)  # fmt: skip
def test_rules_that_look_at_it(rule: Any) -> None:
    assert "theirs" not in passthrough_fields(Rules(with_members(actions=rule)))


def given_away(self: Any, s: Seen, action: int) -> Iterator[tuple[int, int, Seen, int]]:
    yield 1, 0, turned(turned(s)), PASS  # the inner one is looked at as a new state


def as_ways(self: Any, s: Seen, action: int) -> Iterator[tuple[int, int, Seen, int]]:
    yield 1 + s.theirs, 0, Seen(s.theirs, s.mine, 0), PASS


def in_an_expression(self: Any, s: Seen, action: int) -> Iterator[tuple[int, int, Seen, int]]:
    yield 1, 0, Seen(s.theirs + 1, s.mine, 0), PASS


@pytest.mark.parametrize("rule", [given_away, as_ways, in_an_expression])
def test_outcomes_that_look_at_it(rule: Any) -> None:
    assert "theirs" not in passthrough_fields(Rules(with_members(outcomes=rule)))


def payoff_of_it(self: Any, s: Seen) -> int:
    return s.theirs


def test_a_payoff_that_looks_at_it() -> None:
    assert "theirs" not in passthrough_fields(Rules(with_members(payoff=payoff_of_it)))


# --- stages solved by patterns -------------------------------------------------------------------------------------------


def solved(game: Any, monkeypatch: pytest.MonkeyPatch, expects: bool = True) -> Any:
    """The solution by patterns, and that there were some."""
    found = []

    def noted(*arguments: Any) -> Any:
        found.append(patterns.patterns_of(*arguments))
        return found[-1]

    monkeypatch.setattr(solving, "patterns_of", noted)
    solution = zermelo.solve(game)
    assert solution.report.engine == "entries"
    assert (len(found[-1][0].of_entry) > 0) == expects
    return solution


def in_the_general_way(game: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(patterns, "passthrough_fields", lambda rules: ())
    solution = solved(game, monkeypatch, expects=False)
    monkeypatch.undo()
    return solution


@pytest.mark.parametrize("game", [Race(), Race(goal=1), Race(goal=16, zeros=1, ones=3, twos=0), TenThousandRace(goal=10),
                                  TenThousandRace(goal=7, dice=6), TenThousandRace(goal=9, head_start=3)])  # fmt: skip
def test_every_entry_as_in_the_general_way(game: Any, monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    if game.goal == 1:  # a single entry is no pattern
        assert zermelo.solve(game).value == zermelo.solve(game, solver=Cyclic()).value
        return
    plain = entries_of_answers(in_the_general_way(game, monkeypatch).answers)
    solution = solved(game, monkeypatch)
    found = entries_of_answers(solution.answers)
    assert solution.report.notes == ()  # nothing was given up for the general way
    assert np.array_equal(found.keys, plain.keys)
    assert np.all(np.abs(found.value - plain.value) <= found.error + plain.error)
    assert np.max(found.error) < 1e-13


@pytest.mark.parametrize("game", [Race(goal=25), Race(goal=40, least=3), TenThousandRace(goal=30), TenThousandRace(goal=16, dice=6)])
def test_what_patterns_have_in_common_is_stored_once(game: Any) -> None:
    """Every pattern is the same graph as that which the rules give, by the values that a sweep finds."""
    rules = Rules(game)
    layout = Layout.of(declared(rules))
    while True:  # until every state fits in
        entries = entries_of(rules, declared(rules), layout)
        try:
            found, _, why = patterns.patterns_of(EnteredRules(rules, layout), entries)
            break
        except LayoutTooNarrow as narrow:
            layout = narrow.layout
    assert why == () and len(found.root) == game.goal
    assert len(found.to) < 0.6 * found.sizes[:, 2].sum()
    assert_all_numbers_stand_once(found)
    dice = np.random.default_rng(1)
    worth = dice.uniform(-1, 1, len(entries.keys))
    for p in range(0, game.goal, 3):
        states, rows, outcomes = by_rules(game, entries, found.of_entry.tolist().index(p), worth)
        assert found.sizes[p].tolist() == [states[1], rows, outcomes]
        assert swept(found, entries, p, worth) == pytest.approx(states[0], abs=1e-13)


def assert_all_numbers_stand_once(found: Any) -> None:
    for p, (exits, nodes) in enumerate(found.shared):
        own, after = found.own[p], found.own[p + 1]
        numbers = (found.exit[:exits], found.exit[own[0] : after[0]], found.node[:nodes], found.node[own[1] : after[1]])
        assert sorted(np.concatenate(numbers).tolist()) == list(range(found.numbers[p]))
        assert found.root[p] in numbers[2] or found.root[p] in numbers[3]


def test_states_that_are_alike_stand_once(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """They stood twice in a pattern, and one of two numbers was never written: bounds were refused or not by what had been there."""
    read: list[Any] = []

    def noted(*arguments: Any) -> Any:
        read.append(patterns.patterns_of(*arguments))
        return read[-1]

    monkeypatch.setattr(solving, "patterns_of", noted)
    bits = set()
    for _ in range(2):
        solution = zermelo.solve(HouseRace(goal=500))
        assert solution.report.notes == ()
        bits.add(entries_of_answers(solution.answers).value.tobytes())
    assert len(bits) == 1
    for found, _, why in read:
        assert why == ()
        assert_all_numbers_stand_once(found)


def by_rules(game: Any, entries: Any, number: int, worth: np.ndarray) -> tuple[tuple[float, int], int, int]:
    """What an entry is worth if all entries were worth so much, itself included where play comes back; how many states follow up to
    there, and their rows and outcomes."""
    values: dict[Any, float] = {}
    seen, rows, outcomes = set(), 0, 0

    def value(s: Any, begins: bool = False) -> float:
        nonlocal rows, outcomes
        at = -1 if begins else entries.find(entries.layout.pack(s))
        if at >= 0:
            return float(worth[at])
        if s in values:
            return values[s]
        best = None
        for action in game.actions(s):
            rows += 1
            total, ways = 0.0, 0
            for w, _, after, sign in game.outcomes(s, action):
                outcomes += 1
                seen.add((after, sign))
                total += w * sign * value(after)
                ways += w
            best = max(total / ways, -9.0 if best is None else best)
        values[s] = float(game.payoff(s)) if best is None else best
        return values[s]

    found = value(entries.layout.unpack(int(entries.keys[number])), True)
    return (found, len(seen) + 1), rows, outcomes


def swept(found: Any, entries: Any, p: int, worth: np.ndarray) -> float:
    """The same by a sweep of the pattern, for the first entry that has it."""
    number = found.of_entry.tolist().index(p)
    value, asked, shared = np.zeros(found.numbers[p]), np.zeros(2 * found.numbers[p]), np.zeros(2, np.int64)
    known = entries.keys, entries.table, worth.reshape(-1, 1), np.zeros((len(worth), 1))
    status, _, largest = open_exits(found, p, found.handed[number], (0, 0), 0, 0, known, value, asked, shared)
    assert status == DONE
    bounded_sweep(found, p, largest, value, asked, np.zeros((9, 3)))
    return float(value[found.root[p]])


def test_a_state_that_needs_a_wider_layout_is_met_before_stages_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns were given up for it, and stages solved one by one until the state came."""
    tried, narrow = [], []

    def run(schedule: Any, run: Any = solving.Schedule.run) -> None:
        tried.append(schedule)
        run(schedule)

    def too_narrow(error: Any, *arguments: Any, init: Any = LayoutTooNarrow.__init__) -> None:
        narrow.append(error)
        init(error, *arguments)

    monkeypatch.setattr(solving, "SPARE", 0)
    monkeypatch.setattr(solving.Schedule, "run", run)
    monkeypatch.setattr(LayoutTooNarrow, "__init__", too_narrow)
    solved(Race(goal=33), monkeypatch)
    assert len(narrow) > 0 and len(tried) == 1


def two_ways_back(self: Any, s: Seen, action: int) -> Iterator[tuple[int, int, Seen, int]]:
    if action == BANK:
        yield 1, 0, Seen(s.theirs, s.mine + s.turn, 0), PASS
    else:
        yield 2, 0, Seen(s.theirs, s.mine, 0), PASS
        if 0 < s.mine < self.goal - 1:
            yield 1, 0, Seen(s.mine, s.theirs, 0), PASS  # where both have as many, the same state as above
        yield 3, 0, self.after(s, 1), KEEP
        yield 2, 0, self.after(s, 2), KEEP


@pytest.mark.parametrize("goal", [5, 6, 12])
def test_two_exits_of_one_sign_to_the_same_entry_of_a_stage(goal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last one was given the value of that entry, the other one 0."""
    game = type("Changed", (Race,), {"outcomes": two_ways_back})(goal=goal)
    plain = entries_of_answers(in_the_general_way(game, monkeypatch).answers)
    found = entries_of_answers(solved(game, monkeypatch).answers)
    assert np.all(np.abs(found.value - plain.value) <= found.error + plain.error)
    general = zermelo.solve(game, solver=Cyclic())
    assert abs(zermelo.solve(game).value - general.value) < 1e-12


def test_bounds_hold_the_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Race(goal=4)
    exact = zermelo.solve(game, exact=True)
    entries = entries_of_answers(solved(game, monkeypatch).answers)
    for mine in range(4):
        for theirs in range(4):
            s = Seen(mine, theirs, 0)
            at = entries.find(entries.layout.pack(s))
            truth = exact.probe(s).value
            assert isinstance(truth, Fraction)
            assert abs(Fraction(float(entries.value[at, 0])) - truth) <= Fraction(float(entries.error[at, 0]))


@settings(max_examples=15, deadline=None)
@given(
    goal=st.integers(2, 12),
    ways=st.tuples(st.integers(1, 9), *[st.integers(0, 9)] * 2, st.integers(1, 9)),
    least=st.integers(1, 4),
)
def test_races_at_random(goal: int, ways: tuple[int, ...], least: int) -> None:
    game = Race(goal, *ways, least)
    found, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert found.report.engine == "entries"
    one, other = found.certificate, general.certificate
    assert one.low <= other.high and other.low <= one.high
    assert one.high - one.low < 1e-13


def test_a_missing_entry_is_told() -> None:
    def entries(self: Any) -> Iterator[Seen]:
        for mine in range(self.goal):
            for theirs in range(self.goal - (mine == 5)):
                yield Seen(mine, theirs, 0)

    with pytest.raises(zermelo.RulesError, match="`entries` does not yield"):
        zermelo.solve(with_members(entries=entries))


def test_stages_in_a_wrong_order_are_told() -> None:
    def stage(self: Any, s: Seen) -> int:
        return -s.mine - s.theirs

    with pytest.raises(zermelo.RulesError, match="stage"):
        zermelo.solve(with_members(stage=stage))


def test_stages_that_patterns_do_not_solve_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """They were solved in the general way without a word."""
    expected = solved(Race(goal=6), monkeypatch)
    assert expected.report.notes == ()
    monkeypatch.undo()
    monkeypatch.setattr("zermelo.engines.entries.worker.MOST_CUT", 0)  # entries of a stage that patterns have room for
    solution = solved(Race(goal=6), monkeypatch)
    stages = solution.report.facts["stages"]
    why = "the method for stages that share a pattern did not converge there, or its bound was refused"
    assert solution.report.notes == (f"{stages:,} of {stages:,} stages were solved one by one: {why}",)
    assert abs(solution.value - expected.value) <= 1e-13


def test_entries_too_few_for_patterns_are_told_only_where_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The note was "1 entry for 1 pattern, too many to gain anything"."""
    assert zermelo.solve(Race(goal=2)).report.notes == ()
    monkeypatch.setattr(patterns, "MANY", 1)
    (note,) = zermelo.solve(Race(goal=2)).report.notes
    assert note == "stages are found one by one: 4 entry states have 2 patterns, and only from 4 to a pattern on is anything gained"


def test_patterns_are_compared_with_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few stages are solved again without them: what patterns are read from is not looked at when bounds are checked."""
    given = patterns.patterns_of

    def wrong(*arguments: Any) -> Any:
        found, *others = given(*arguments)
        return found._replace(ways=np.where(found.ways == 2.0, 2.5, found.ways)), *others

    monkeypatch.setattr(solving, "patterns_of", wrong)
    with pytest.raises(AssertionError, match="patterns give another value than the rules: a bug in Zermelo"):
        zermelo.solve(Race(goal=12))

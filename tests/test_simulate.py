"""`simulate`: the same for any number of threads, in agreement with exact distributions, and clear about bad input."""

from __future__ import annotations

import dataclasses
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

import zermelo
from asking import engine_of, evaluate, simulate
from test_solvers import moves, transitions
from zermelo.errors import NoValue, OutOfReach, ParameterError
from zermelo.games import CardDraw, LeftCenterRight, Piglet
from zermelo.kernels.simulate import BLOCK, LANES, alias_tables, columns_for
from zermelo.language.rules import Rules
from zermelo.uses.chain import component_of, restrict
from zermelo.uses.plays import MOST_BINS, _Bins

PLAYS = 20_000


class At(NamedTuple):
    place: int


class Loop(NamedTuple):
    """Wait, at `wage` a time, until chance ends it: with `ways_out` chances in 10; and then find oneself at a circle or the end."""

    ways_out: int = 5
    wage: int = 1
    circle: bool = False

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place == 0:
            yield 10 - self.ways_out, self.wage, At(0)
            yield self.ways_out, 0, At(1)
        elif self.circle and s.place < 3:
            yield 1, 0, At(3 - s.place)

    def payoff(self, s: At) -> int:
        return 2


class Coin(NamedTuple):
    """Two flips of payoffs that are no whole numbers, the second one's negated by PASS."""

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, float, At, int]]:
        if s.place < 2:
            yield 1, 0.5, At(s.place + 1), -1
            yield 3, 0.25, At(s.place + 1), -1


class Wheel(NamedTuple):
    """One draw of a number: more than 100,000 different totals, and unequal chances."""

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place < 2000:
            for i in range(600):
                yield 1, i if s.place == 0 else 1000 * i, At(s.place + 1000)


class Trap(NamedTuple):
    """Leave with 1, or GO round two places forever, at `wage` a step."""

    wage: int = 0

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if action == 0:
            yield 1, 0, At(2)
        else:
            yield 1, self.wage, At(1 - s.place)

    def payoff(self, s: At) -> int:
        return 1


@pytest.fixture(scope="module")
def solved() -> Callable[[Any], Any]:
    known: dict[Any, Any] = {}

    def solve(game: Any) -> Any:
        key = (type(game), game)
        if key not in known:
            known[key] = zermelo.solve(game)
        return known[key]

    return solve


def total_spread(solution: Any) -> dict[tuple[int, int], Fraction]:
    """The exact joint distribution of total and length of an acyclic game under the solution's policy."""
    rules = Rules(solution.game)
    spread: Counter[tuple[int, int]] = Counter()

    def go_on(s: Any, total: int, length: int, view: int, chance: Fraction) -> None:
        legal = rules.actions(s)
        if not legal:
            spread[total + view * rules.payoff(s)[0], length] += chance  # type: ignore[assignment]
            return
        outcomes = rules.outcomes(s, solution.policy(s))
        ways = sum(o.ways for o in outcomes)
        for o in outcomes:
            if o.ways:
                go_on(o.state, total + view * o.payoff[0], length + 1, view * o.sign, chance * Fraction(o.ways, ways))

    go_on(rules.start, 0, 0, 1, Fraction(1))
    return spread


def fits(observed: dict[Any, int], expected: dict[Any, Fraction], plays: int) -> bool:
    """Whether a chi-square test at about 1 in 10,000 lets counts pass; rare values are put together."""
    assert set(observed) <= set(expected)
    often = [k for k, p in expected.items() if p * plays >= 5]
    rest = 1 - sum(expected[k] for k in often)
    pairs = [(observed.get(k, 0), float(expected[k] * plays)) for k in often]
    if rest * plays >= 5:
        pairs.append((plays - sum(o for o, _ in pairs), float(rest * plays)))
    chi = sum((o - e) ** 2 / e for o, e in pairs)
    degrees = len(pairs) - 1
    return chi < degrees + 4 * math.sqrt(2 * degrees) + 8


def test_distribution_of_total_and_length(solved: Any) -> None:
    solution = solved(CardDraw(4, 4))
    report = simulate(solution, PLAYS, seed=1)
    spread = total_spread(solution)
    totals: Counter[int] = Counter()
    lengths: Counter[int] = Counter()
    for (total, length), chance in spread.items():
        totals[total] += chance  # type: ignore[assignment]
        lengths[length] += chance  # type: ignore[assignment]
    assert fits(report.distribution, totals, PLAYS)
    assert fits(report.lengths, lengths, PLAYS)
    assert sum(report.distribution.values()) == sum(report.lengths.values()) == PLAYS
    assert (report.minimum, report.maximum) == (min(report.distribution), max(report.distribution))
    numbers = np.repeat(list(report.distribution), list(report.distribution.values()))
    assert report.mean == pytest.approx(numbers.mean(), rel=1e-12)
    assert report.standard_error == pytest.approx(numbers.std(ddof=1) / math.sqrt(PLAYS), rel=1e-9)
    assert report.mean_length == pytest.approx(sum(k * n for k, n in report.lengths.items()) / PLAYS)
    assert report.z == pytest.approx((report.mean - solution.value) / report.standard_error)


def test_z_is_a_standard_normal_variable(solved: Any) -> None:
    zs = [simulate(solved(CardDraw(8, 8)), 2000, seed).z for seed in range(200)]
    assert abs(np.mean(zs)) * math.sqrt(200) < 4
    assert 0.8 < np.std(zs) < 1.2


@pytest.mark.parametrize("game", [CardDraw(26, 26), Piglet(5), Loop(3, 2)], ids=repr)
def test_mean_agrees_with_the_value(game: Any, solved: Any) -> None:
    report = simulate(solved(game), PLAYS, seed=5)
    assert abs(report.z) < 4
    assert report.circling == 0


def test_every_named_payoff(solved: Any) -> None:
    report = simulate(solved(LeftCenterRight(3, 2)), PLAYS, seed=2)
    assert list(report.totals) == ["turns", "seat 1 wins", "seat 2 wins", "seat 3 wins"]
    assert all(abs(t.z) < 4 for t in report.totals.values())
    assert sum(t.mean for n, t in report.totals.items() if n != "turns") == pytest.approx(1)
    assert report.totals["turns"].distribution == report.lengths


def test_same_seed_same_result_for_any_number_of_threads(solved: Any) -> None:
    solution = solved(Piglet(5))
    reports = []
    before = numba.get_num_threads()
    for threads in (1, before):
        numba.set_num_threads(threads)
        reports.append(dataclasses.replace(simulate(solution, PLAYS + 7, seed=11), seconds=0.0))
    numba.set_num_threads(before)
    assert reports[0] == reports[1]
    assert simulate(solution, PLAYS, seed=12).distribution != simulate(solution, PLAYS, seed=11).distribution


def test_blocks_are_the_same_in_a_longer_simulation(solved: Any) -> None:
    solution = solved(CardDraw(26, 26))
    shorter, longer = simulate(solution, BLOCK, seed=3), simulate(solution, 3 * BLOCK + 1, seed=3)
    assert all(longer.distribution[k] >= n for k, n in shorter.distribution.items())
    assert all(longer.lengths[k] >= n for k, n in shorter.lengths.items())


class Late(NamedTuple):
    """A hundred steps without payoff, and then very much."""

    steps: int = 100
    prize: float = 1e30

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place < self.steps:
            yield 1, 0, At(s.place + 1)

    def payoff(self, s: At) -> float:
        return self.prize


@pytest.mark.parametrize(("steps", "discount"), [(100, 0.5), (400, 0.9)])
def test_with_a_discount_large_payoffs_that_come_late_are_not_cut_off(steps: int, discount: float) -> None:
    solution = zermelo.solve(Late(steps), discount=discount)
    played = solution.simulate(10, seed=1)
    assert played.mean == pytest.approx(1e30 * discount**steps, rel=1e-9) and played.lengths == {steps: 10}


@pytest.mark.slow
def test_machine_code_that_two_processes_kept_is_not_mistaken(tmp_path: Path) -> None:
    """Each compiles plays for one type of numbers of states, as its first function; the third process has both."""
    program = """
import sys, numpy as np
from zermelo.kernels import simulate as kernels
for bits in sys.argv[1:]:
    target = np.array([0, 1, 1, 2], np.dtype("int" + bits))  # from the first two states on with chance 1/2; the third is the end
    columns = kernels.columns_for(4, target.dtype)
    states = columns.view(target.dtype)
    edge_start, alias = np.array([0, 2, 4, 4]), np.zeros(4, np.int32)
    kernels.alias_tables.interpreted(edge_start, np.ones(4), target, np.ones(4, np.int8), columns, states, alias)
    total, length, cycled, how, where = np.empty((2000, 1)), np.empty(2000, np.int64), np.empty(2000, np.bool_), *np.zeros((2, 2), np.int64)
    kernels.play_blocks.compiled(
        0, np.array([1, 2], np.uint64), 0, edge_start, columns, states, alias, np.ones((4, 1)), True, np.zeros((3, 1)),
        np.zeros(3, np.int8), 1.0, 1e-18, 1000, total, length, cycled, how, where)
    print(bits, total.mean(), length.mean(), how.any())
"""
    folders = {"ZERMELO_CACHE": str(tmp_path / "rules"), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def said(*bits: str) -> list[str]:
        command = [sys.executable, "-c", program, *bits]
        return subprocess.run(command, env=os.environ | folders, capture_output=True, text=True, check=True).stdout.splitlines()

    apart = said("32") + said("64")
    assert [line.split(" ", 1)[0] for line in apart] == ["32", "64"] and len({line.split(" ", 1)[1] for line in apart}) == 1
    assert said("32", "64") == apart and said("64", "32") == apart[::-1]


@pytest.mark.parametrize("plays", [1, 2, LANES - 1, LANES, LANES + 1, BLOCK - 1, BLOCK, BLOCK + 1])
def test_every_play_is_counted_once(plays: int, solved: Any) -> None:
    report = simulate(solved(Piglet(4)), plays, seed=3)
    assert sum(report.lengths.values()) == sum(report.distribution.values()) == report.plays == plays
    assert set(report.distribution) <= {-1, 1}


def test_one_play_has_no_standard_error(solved: Any) -> None:
    report = simulate(solved(Coin()), 1)
    assert math.isnan(report.standard_error)
    assert report.z is None
    assert "z =" not in repr(report) and "nan" not in repr(report) + report._repr_html_()


def test_totals_that_are_not_whole_numbers(solved: Any) -> None:
    report = simulate(solved(Coin()), PLAYS, seed=4)
    assert report.distribution is None
    assert report.histogram.counts.sum() == PLAYS
    assert len(report.histogram.edges) == len(report.histogram.counts) + 1
    assert (report.minimum, report.maximum) == (-0.25, 0.25)
    at_zero = report.histogram.counts[np.searchsorted(report.histogram.edges, 0.0, side="right") - 1]
    assert at_zero / PLAYS == pytest.approx(10 / 16, abs=0.02)
    assert abs(report.z) < 4


def test_too_many_different_totals_make_a_histogram(solved: Any) -> None:
    report = simulate(solved(Wheel()), 200_000, seed=4)
    assert report.distribution is None
    assert report.histogram.counts.sum() == 200_000
    assert len(report.histogram.counts) <= MOST_BINS
    assert report.histogram.counts[5:-5].std() < 5 * math.sqrt(report.histogram.counts[5:-5].mean())
    assert simulate(solved(Wheel()), 1000, seed=4).histogram is None


class Fortune(NamedTuple):
    """Ten rounds, in each of which `prize` is paid or not."""

    prize: int = 2**62

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place < 10:
            yield 1, self.prize, At(s.place + 1)
            yield 1, 0, At(s.place + 1)


@pytest.mark.parametrize("prize", [2**62, -(2**62), 2**51])
def test_whole_totals_beyond_what_floats_hold_exactly_make_a_histogram(prize: int, solved: Any) -> None:
    result = simulate(solved(Fortune(prize)), PLAYS, seed=2)
    assert result.mean == pytest.approx(5 * prize, rel=0.02) and abs(result.z) < 4
    assert result.distribution is None and int(result.histogram.counts.sum()) == PLAYS
    fewer = simulate(solved(Fortune(2**49)), PLAYS, seed=2)
    assert sum(fewer.distribution.values()) == PLAYS and max(fewer.distribution) == 10 * 2**49


def test_bins_do_not_depend_on_batches() -> None:
    numbers = np.random.default_rng(1).normal(3, 100, 5000)
    once, often = _Bins(), _Bins()
    once.add(numbers)
    for part in np.split(numbers, 10):
        often.add(part)
    assert np.array_equal(once.histogram().edges, often.histogram().edges)
    assert np.array_equal(once.histogram().counts, often.histogram().counts)
    assert np.array_equal(np.histogram(numbers, once.histogram().edges)[0], once.histogram().counts)


def test_bins_of_a_single_value() -> None:
    for value in (0.0, 0.1, -1e300, 1e-300):
        bins = _Bins()
        bins.add(np.full(3, value))
        counts, edges = bins.histogram()
        assert counts.tolist() == [3]
        assert edges[0] <= value < edges[1]


def test_alias_tables_give_the_exact_chances() -> None:
    random = np.random.default_rng(3)
    widths = np.array([1, 2, 0, 7, 100])
    starts = np.concatenate([[0], np.cumsum(widths)])
    ways = random.integers(1, 1000, starts[-1]).astype(float)
    next_state = random.integers(0, 5, starts[-1]).astype(np.int32)
    sign = random.choice(np.array([-1, 1], np.int8), starts[-1])
    columns, alias = columns_for(starts[-1], next_state.dtype), np.empty(starts[-1], np.int32)
    states = columns.view(next_state.dtype)
    for low, high in ((0, 2), (2, 5)):  # states in two parts
        own = slice(starts[low], starts[high])
        alias_tables(starts[low : high + 1], ways[own], next_state[own], sign[own], columns[own], states[own], alias[own])
    threshold, target = columns[:, 0], np.where(sign < 0, ~next_state, next_state)
    assert (states[:, -2] == target).all() and (states[:, -1] == target[np.repeat(starts[:-1], widths) + alias]).all()
    for first, last in zip(starts[:-1], starts[1:], strict=True):
        chance = np.zeros(last - first)
        for k in range(first, last):
            chance[k - first] += threshold[k]
            chance[alias[k]] += 1 - threshold[k]
        np.testing.assert_allclose(chance / max(1, last - first), ways[first:last] / ways[first:last].sum(), rtol=1e-12)


def test_play_that_circles_unpaid_ends_there(solved: Any) -> None:
    report = simulate(solved(Loop(5, 1, True)), PLAYS, seed=6)
    assert report.circling == PLAYS
    assert abs(report.z) < 4


def test_a_policy_of_the_users(solved: Any) -> None:
    report = simulate(solved(Trap()), 100, policy=lambda s: 1)
    assert (report.mean, report.circling, report.z) == (0.0, 100, None)
    solution = solved(Piglet(5))
    alone = simulate(solution, PLAYS, 8, policy=lambda s: 0)
    second = simulate(solution, PLAYS, 8, policy=lambda s: 0, seat=1)
    both = simulate(solution, PLAYS, 8, policy=lambda s: 0, opponent=lambda s: 0)
    for report, arguments in (
        (alone, {"policy": lambda s: 0}),
        (second, {"policy": lambda s: 0, "seat": 1}),
        (both, {"policy": lambda s: 0, "opponent": lambda s: 0}),
    ):
        value = evaluate(solution, **arguments).value
        assert abs(report.mean - value) < 4 * report.standard_error


def test_circling_for_pay_is_refused(solved: Any) -> None:
    with pytest.raises(NoValue, match=r"cycle forever through At\(place=1\) -> At\(place=0\) -> At\(place=1\) while payoffs go on"):
        simulate(solved(Trap(-1)), 10, policy=lambda s: 1)


class Rings(NamedTuple):
    """LEAVE for 1, or go ON along a ring of three places, each lap counted, or of two, where 1 is paid and given back."""

    payoffs = ("score", "laps")
    first: int = 1  # where ON leads from the start

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 6:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, tuple[int, int], At]]:
        if action == 0:
            yield 1, (0, 0), At(6)
        elif s.place == 0:
            yield 1, (0, 0), At(self.first)
        elif s.place <= 3:
            yield 1, (0, int(s.place == 3)), At(1 + s.place % 3)
        else:
            yield 1, (9 - 2 * s.place, 0), At(9 - s.place)

    def payoff(self, s: At) -> tuple[int, int]:
        return 1, 0


@pytest.mark.parametrize(
    ("first", "named"),
    [
        (1, r"At\(place=3\) -> At\(place=1\) -> At\(place=2\) -> At\(place=3\)"),  # only the second payoff adds up
        (4, r"At\(place=[45]\)"),  # none does: one state of the cycle
    ],
)
def test_the_cycle_that_play_is_caught_in_is_named(first: int, named: str, solved: Any) -> None:
    """By plays as by an exact evaluation, and not another one that the play did not come to."""
    for ask in (lambda **more: simulate(solved(Rings(first)), 10, **more), lambda **more: evaluate(solved(Rings(first)), **more)):
        with pytest.raises(NoValue, match=rf"cycle forever through {named} while payoffs go on"):
            ask(policy=lambda s: 1)


def test_a_cycle_among_others_is_the_one_of_this_play() -> None:
    """States 0 and 1 lead into one another, as do 2 and 3; 4 leads to both pairs."""
    chain = transitions([moves([(1, 1, 1)]), moves([(1, 0, 0)]), moves([(1, 1, 3)]), moves([(1, 1, 2)]), moves([(1, 0, 0), (1, 0, 2)])])
    parts = [component_of(chain, state).nonzero()[0].tolist() for state in range(5)]
    assert parts == [[0, 1], [0, 1], [2, 3], [2, 3], [4]]


def test_discounted_payoffs() -> None:
    solution = zermelo.solve(Loop(3, 2), discount=0.9)
    report = simulate(solution, PLAYS, seed=9)
    assert abs(report.z) < 4
    endless = simulate(zermelo.solve(Trap(-1), discount=0.5), 3, policy=lambda s: 1)
    assert endless.mean == pytest.approx(-2)


def test_a_play_that_is_too_long(solved: Any) -> None:
    with pytest.raises(OutOfReach, match=r"still going on after 20 moves, at At\(place=0\); so long a play is not simulated"):
        simulate(solved(Loop(1, 1)), 1000, max_length=20)


def test_a_play_that_is_too_long_ends_all(solved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other blocks of plays were played to their ends first, or for as long."""
    from zermelo.kernels import simulate as kernels

    failed: list[int] = []
    play_blocks = kernels.play_blocks

    def played(*given: Any) -> None:
        play_blocks(*given)
        failed.append(int(np.count_nonzero(given[-2])))  # by `how`

    monkeypatch.setattr(kernels, "play_blocks", played)
    with pytest.raises(OutOfReach, match="still going on after 20 moves"):
        simulate(solved(Loop(1, 1)), 40 * kernels.BLOCK, max_length=20)
    assert failed and set(failed) == {1}


def test_restricted_transitions_are_the_chosen_rows(solved: Any) -> None:
    explored = engine_of(solved(Piglet(4)))
    whole = explored.whole()
    rows = np.diff(whole.action_start)
    chain = restrict(explored, np.where(rows > 0, rows - 1, -1).astype(np.int32))
    assert np.array_equal(np.diff(chain.action_start), (rows > 0).astype(int))
    for i in np.flatnonzero(rows):
        old = slice(*whole.outcome_start[whole.action_start[i + 1] - 1 : whole.action_start[i + 1] + 1])
        new = slice(*chain.outcome_start[chain.action_start[i] : chain.action_start[i] + 2])
        for name in ("ways", "next", "sign", "payoff"):
            assert np.array_equal(getattr(whole, name)[old], getattr(chain, name)[new])
    assert np.array_equal(whole.final_payoff, chain.final_payoff)
    with pytest.raises(ValueError, match="does not have"):
        restrict(explored, rows.astype(np.int32))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"plays": 0}, "plays must be a whole number from 1 to 1000000000000, not 0"),
        ({"plays": 2.5}, "plays must be a whole number from 1 to 1000000000000, not 2.5"),
        ({"plays": True}, "plays must be"),
        ({"plays": 10, "seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"plays": 10, "seed": "x"}, "seed must be"),
        ({"plays": 10, "max_length": 0}, "max_length must be"),
        ({"plays": 10, "policy": 3}, "a policy is a function"),
        ({"plays": 10, "policy": lambda s: 9}, "the policy returns 9 at"),
        ({"plays": 10, "policy": lambda s: 0, "seat": 2}, "seat must be 0 or 1"),
    ],
)
def test_bad_input(arguments: dict[str, Any], message: str, solved: Any) -> None:
    with pytest.raises(ParameterError, match=message):
        simulate(solved(Piglet(4)), **arguments)


class Ticket(NamedTuple):
    """A ticket for 1, and one in ten million wins 20 million."""

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if not s.place:
            yield 1, 20_000_000, At(1)
            yield 10_000_000, -1, At(1)


def test_plays_that_all_have_one_total_do_not_contradict_the_value() -> None:
    """z was -inf, and in JSON null."""
    result = zermelo.solve(Ticket()).simulate(50)
    assert (result.mean, result.standard_error, result.z) == (-1.0, 0.0, None) and "z =" not in repr(result)


class Side(NamedTuple):
    spot: int
    side: int


class Mirrored(NamedTuple):
    """The first player takes a side; the second one answers, at once or slowly, which costs nothing. One side is the mirror image of the
    other, and there the actions come in the opposite order."""

    payoffs = ("gain", "time")

    def start(self) -> Side:
        return Side(0, 0)

    def player(self, s: Side) -> int:
        return s.spot

    def actions(self, s: Side) -> Iterator[int]:
        if s.spot < 2:
            yield s.side
            yield 1 - s.side

    def outcomes(self, s: Side, action: int) -> Iterator[tuple[int, tuple[int, int], Side]]:
        yield 1, (0, s.spot * (1 + 2 * action)), Side(s.spot + 1, 0 if s.spot else action)

    def symmetries(self, s: Side) -> Iterator[Side]:
        if s.spot == 1:
            yield Side(1, 1 - s.side)

    def payoff(self, s: Side) -> tuple[int, int]:
        return 1, 0


def test_the_solution_plays_its_own_policy_against_one_that_is_given(in_python: None) -> None:
    """Symmetric states are kept apart for that, and solved once more, where others of equally good actions may be taken."""
    solution = zermelo.solve(Mirrored())
    assert solution.payoffs["time"] == 1.0
    for side in (0, 1):
        assert solution.best_action(Side(1, side)) == 0
        assert solution.simulate(5, policy=lambda s, side=side: side).totals["time"].mean == 1.0

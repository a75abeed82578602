"""`distribution`: probabilities of lengths and totals against recursion in Fractions, solved values and simulation."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.errors import NoValue, OutOfReach, ParameterError
from zermelo.games import CardDraw, Dreidel, GobbletGobblers, LeftCenterRight, Pig, Piglet, SolitairePig, TenThousand
from zermelo.language.rules import Rules
from zermelo.uses import distribution as module
from zermelo.views import plot, table
from zermelo.views.slices import has_lengths


class At(NamedTuple):
    place: int


class Chain(NamedTuple):
    """A chain of any rows: a row has (ways, payoff, next place, sign) for every outcome, and none where play is over."""

    rows: tuple[tuple[tuple[int, int, int, int], ...], ...] = ()
    finals: tuple[int, ...] = ()

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At, int]]:
        for ways, payoff, place, sign in self.rows[s.place]:
            yield ways, payoff, At(place), sign

    def payoff(self, s: At) -> int:
        return self.finals[s.place]


class Wait(NamedTuple):
    """Wait, at `wage` a time, until chance ends it with 1 in `odds`, in the end (50 payoff) or, as often, a circle."""

    odds: int = 2
    wage: int = 1
    circle: bool = False

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place == 0:
            yield 2 * (self.odds - 1), self.wage, At(0)
            yield 1, 0, At(1)
            yield 1, 0, At(2 if self.circle else 1)
        elif s.place > 1:
            yield 1, 0, At(5 - s.place)

    def payoff(self, s: At) -> int:
        return 50


class Trap(NamedTuple):
    """Two places forever, or as long as a discount lets them count."""

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        yield 1, 1, At(1 - s.place)


class Steps(NamedTuple):
    """One step pays an amount, the end another: `half` of them."""

    amount: int = 1
    half: float = 1.0
    length: int = 1

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, float, At]]:
        if s.place < self.length:
            yield 1, self.amount * self.half, At(s.place + 1)
            yield 1, -self.amount * self.half, At(s.place + 1)


class Prize(NamedTuple):
    """A draw of far more different totals than memory holds, each step multiplying them."""

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[tuple[int, int, At]]:
        if s.place < 9:
            yield 1, 0, At(s.place + 1)
            yield 1, 2_000_000_000, At(s.place + 1)
            yield 1, 1, At(s.place + 1)


@pytest.fixture(scope="module")
def solved() -> Callable[..., Any]:
    known: dict[Any, Any] = {}

    def solve(game: Any, **options: Any) -> Any:
        key = (type(game), game, *options.items())
        if key not in known:
            known[key] = zermelo.solve(game, **options)
        return known[key]

    return solve


def spread(solution: Any, payoff: str | None, steps: int) -> dict[int, Fraction]:
    """The oracle: every (state, view, total) and its probability as a Fraction, step by step, by the rules in Python."""
    rules = Rules(solution.game)
    column = None if payoff is None else rules.payoffs.index(payoff)
    going, ended = Counter({(rules.start, 1, 0): Fraction(1)}), Counter()
    for _ in range(steps + 1):
        after: Counter[Any] = Counter()
        for (s, view, total), chance in going.items():
            if not rules.actions(s):
                ended[total + view * (0 if column is None else rules.payoff(s)[column])] += chance
                continue
            outcomes = rules.outcomes(s, solution.policy(s))
            ways = sum(o.ways for o in outcomes)
            for o in outcomes:
                gain = 1 if column is None else view * o.payoff[column]
                after[o.state, view * o.sign, total + gain] += chance * Fraction(o.ways, ways)
        going = Counter({k: p for k, p in after.items() if p})
    return {k: p for k, p in sorted(ended.items()) if p}


def check(found: Any, expected: dict[int, Fraction]) -> None:
    """Every probability lies within its error bound; nothing else has more than the tail."""
    assert found.support.tolist() == list(expected)
    assert np.all(np.diff(found.support) > 0)
    for p, e, true in zip(found.probabilities, found.errors, expected.values(), strict=True):
        assert abs(Fraction(float(p)) - true) <= Fraction(float(e))
    assert 1 - sum(expected.values()) - Fraction(found.endless) <= Fraction(found.tail) + Fraction(1, 10**14)


# --- against the oracle -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("payoff", [None, "payoff"])
@pytest.mark.parametrize("game", [CardDraw(5, 5), SolitairePig(), SolitairePig(3), Steps(3, 1.0, 6)], ids=repr)
def test_games_that_end(game: Any, payoff: str | None, solved: Any) -> None:
    found = solved(game).distribution(payoff, tail=0)
    check(found, spread(solved(game), payoff, 30))
    assert found.tail == found.endless == 0
    assert math.isinf(found.tail_from)
    assert found.errors.max() < 1e-13


@pytest.mark.parametrize(
    ("game", "payoff"),
    [
        (LeftCenterRight(3, 1), None),
        (LeftCenterRight(3, 1), "turns"),
        (LeftCenterRight(3, 1), "seat 2 wins"),
        (Pig(5), None),
        (Pig(5), "payoff"),
        (Piglet(3), None),
        (Wait(2, 1), None),
        (Wait(2, 1), "payoff"),
        (Wait(3, -2), "payoff"),
    ],
    ids=repr,
)
def test_games_that_return(game: Any, payoff: str | None, solved: Any) -> None:
    found = solved(game).distribution(payoff, tail=1e-3)
    expected = spread(solved(game), payoff, found.steps)
    check(found, expected)
    assert 0 < found.tail <= 1e-3 * (1 + 1e-9)
    later = spread(solved(game), payoff, found.steps + 20)
    errors = dict(zip(found.support.tolist(), found.errors.tolist(), strict=True))
    for value, p in expected.items():  # what the tail may still come to is in the errors
        assert later[value] - p <= Fraction(errors[value])
    assert all(value >= found.tail_from for value in later if later[value] > expected.get(value, 0))


rows = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        st.tuples(
            *(
                st.lists(
                    st.tuples(st.integers(1, 4), st.integers(-2, 3), st.integers(i + 1, n), st.sampled_from([1, -1])),
                    min_size=1,
                    max_size=3,
                ).map(tuple)
                for i in range(n)
            ),
            st.just(()),
        ),
        st.tuples(*(st.integers(-3, 3) for _ in range(n + 1))),
    )
)


@settings(max_examples=60, deadline=None)
@given(rows, st.sampled_from([None, "payoff"]))
def test_any_chain(chain: Any, payoff: str | None) -> None:
    """The rules are put straight into the engine's form: compiling every example would take minutes."""
    game = Chain(*chain)
    expected = spread(FakeSolution(game), payoff, 10)
    going = module._Going("Chain", module._chain(lifted_of(game), None if payoff is None else 0), 0.0)
    while going.left > 0:
        going.step()
    check(going.result("chain"), expected)


class FakeSolution:
    def __init__(self, game: Any):
        self.game, self.policy = game, lambda s: None


def lifted_of(game: Chain) -> Any:
    """A chain of `Chain` on nodes (place, view) as chain.py makes it, successors first."""
    from types import SimpleNamespace

    from zermelo.problem.transitions import Transitions

    n = len(game.rows)
    order = [(place, view) for place in reversed(range(n)) for view in (1, -1)]
    number = {node: i for i, node in enumerate(order)}
    outcomes = [[(w, v * p, number[t, v * s]) for w, p, t, s in game.rows[place]] for place, v in order]
    flat = [o for row in outcomes for o in row]
    counts = [len(row) for row in outcomes]
    starts = np.concatenate([[0], np.cumsum([c > 0 for c in counts])])
    edges = np.concatenate([[0], np.cumsum([c for c in counts if c])])
    ways, payoffs, targets = (np.array(column) for column in zip(*flat, strict=True))
    final = np.array([[v * game.finals[place] if not game.rows[place] else 0.0] for place, v in order], float)
    transitions = Transitions(
        0, 2 * n, starts, edges, ways.astype(float), targets.astype(np.int32), np.ones(len(flat), np.int8),
        payoffs.astype(float)[:, None], final, np.zeros(2 * n, np.int8),
    )  # fmt: skip
    return SimpleNamespace(
        game=transitions, start=number[0, 1], is_acyclic=True, num_states=2 * n, show=str, rules=Rules(game)
    )


# --- against values and simulations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [CardDraw(26, 26), Pig(15), LeftCenterRight(3, 2), Dreidel(2, 4), TenThousand(), Wait(3, -2)], ids=repr
)
def test_means_are_the_solved_values(game: Any, solved: Any) -> None:
    solution = solved(game)
    for name, value in solution.payoffs.items():
        found = solution.distribution(name)
        low, high = solution.bounds[name]
        widest = max(1.0, float(np.abs(found.support).max()))
        assert abs(found.mean - float(value)) <= float(high - low) + 1e-12 + 4 * widest * (found.rounding + found.tail)
        assert found.probabilities.sum() + found.tail == pytest.approx(1, abs=1e-10)


def test_variance_against_solved_second_moments(solved: Any) -> None:
    found = solved(LeftCenterRight(3, 2)).distribution("seat 1 wins")
    p = solved(LeftCenterRight(3, 2)).payoffs["seat 1 wins"]
    assert found.variance == pytest.approx(p * (1 - p), abs=1e-10)
    waits = solved(Wait(4, 1)).distribution()
    assert waits.mean == pytest.approx(4, abs=1e-8)  # geometric
    assert waits.variance == pytest.approx(12, abs=1e-6)
    assert waits.standard_deviation == pytest.approx(math.sqrt(12), abs=1e-7)


@pytest.mark.parametrize("game", [CardDraw(8, 8), Pig(12), LeftCenterRight(3, 2)], ids=repr)
def test_histograms_of_simulations_fit(game: Any, solved: Any) -> None:
    plays = 20_000
    report = solved(game).simulate(plays, seed=1)
    name = next(iter(report.totals))
    for counts, found in (
        (report.lengths, solved(game).distribution()),
        (report.distribution, solved(game).distribution(name)),
    ):
        chances = dict(zip(found.support.tolist(), found.probabilities.tolist(), strict=True))
        assert set(counts) <= set(chances)
        often = [k for k, p in chances.items() if p * plays >= 5]
        chi = sum((counts.get(k, 0) - plays * chances[k]) ** 2 / (plays * chances[k]) for k in often)
        assert chi < len(often) + 4 * math.sqrt(2 * len(often)) + 8


def test_turns_are_lengths(solved: Any) -> None:
    lengths, turns = (solved(LeftCenterRight(3, 2)).distribution(what) for what in (None, "turns"))
    assert np.array_equal(lengths.support, turns.support)
    assert np.array_equal(lengths.probabilities, turns.probabilities)
    assert lengths.tail_from == turns.tail_from == lengths.steps + 1


def test_a_total_that_the_state_knows_takes_one_row(solved: Any) -> None:
    from asking import engine_of
    from zermelo.uses.chain import optimal_chain

    solution = solved(CardDraw(26, 26))
    going = module._Going("", module._chain(optimal_chain(solution.answers, engine_of(solution)), 0), 0.0)
    while going.left > 0:
        going.step()
        assert going.chain.gains.width == 0
    assert len(going.window) <= 2 * going.chain.size


def test_opened_from_a_file(solved: Any, tmp_path: Any) -> None:
    solved(Pig(12)).save(tmp_path / "pig")
    opened, made = zermelo.open(tmp_path / "pig").distribution(), solved(Pig(12)).distribution()
    assert np.array_equal(opened.probabilities, made.probabilities)


# --- play without end -------------------------------------------------------------------------------------------------


class Rarely(NamedTuple):
    """Two steps, each of which comes about once in so many moves on average."""

    seldom: int

    def start(self) -> At:
        return At(0)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.place < 2:
            yield self.seldom - 1, 0, s
            yield 1, 0, At(s.place + 1)


@pytest.mark.parametrize("seldom", [3, 1000, 10**12 + 1])
def test_mean_and_variance_of_lengths_have_bounds(in_python: None, seldom: int) -> None:
    length = zermelo.solve(Rarely(seldom)).length
    assert length.mean_low <= length.mean <= length.mean_high and length.mean_low <= 2 * seldom <= length.mean_high
    assert length.variance_low <= 2 * seldom * (seldom - 1) <= length.variance_high
    assert length.mean_high - length.mean_low < 1e-3 + 1e-9 * seldom


def test_endless_play_has_no_length_but_a_total(solved: Any) -> None:
    solution = solved(Wait(2, 1, True))
    found = solution.distribution()
    assert found.endless == pytest.approx(0.5)
    assert found.probabilities.sum() == pytest.approx(0.5)
    assert math.isinf(found.mean) and math.isnan(found.variance)
    assert found.quantile(0.25) == 1 and math.isinf(found.quantile(0.75))
    assert found.at_least(2) == pytest.approx(0.75) and "endless" in repr(found)
    totals = solution.distribution("payoff")
    assert totals.endless == 0
    assert totals.mean == pytest.approx(float(solution.value), abs=1e-9)
    assert totals.probability(0) == totals.probability(50) == 0.25


def test_play_that_never_ends_at_all() -> None:
    solution = zermelo.solve(Trap(), discount=0.5)
    found = solution.distribution()
    assert (found.endless, len(found.support), found.tail) == (1.0, 0, 0.0)
    assert math.isinf(found.mean) and math.isinf(found.quantile(0)) and found.bins(5) == []
    with pytest.raises(OutOfReach, match="discounted payoff"):
        solution.distribution("payoff")
    solution.answers.discount = 1.0
    with pytest.raises(NoValue, match="cycle forever"):
        solution.distribution("payoff")


# --- questions to a distribution --------------------------------------------------------------------------------------


def test_probabilities_and_quantiles(solved: Any) -> None:
    found = solved(Steps(1, 1.0, 2)).distribution("payoff")
    assert dict(zip(found.support.tolist(), found.probabilities.tolist(), strict=True)) == {-2: 0.25, 0: 0.5, 2: 0.25}
    assert [found.probability(k) for k in (-2, -1, 0, 3)] == [0.25, 0, 0.5, 0]
    assert [found.at_most(k) for k in (-3, -2, -1, 0.5, 9)] == [0, 0.25, 0.25, 0.75, 1]
    assert [found.at_least(k) for k in (-3, -2, -1, 0.5, 9)] == [1, 1, 0.75, 0.25, 0]
    assert [found.quantile(q) for q in (0, 0.25, 0.26, 0.75, 0.76, 1)] == [-2, -2, 0, 0, 2, 2]
    assert (found.mean, found.variance) == (0, 2)
    assert found.quantile(Fraction(1, 4)) == found.quantile(np.float64(0.25)) == -2
    for odd in (1.5, -1, True, "0.5", None, math.nan):
        with pytest.raises(ParameterError, match=f"from 0 to 1, not {odd!r}"):
            found.quantile(odd)
    for odd in ("2", True, None, math.nan, 1j):
        for ask in (found.probability, found.at_most, found.at_least):
            with pytest.raises(ParameterError, match="a probability is asked for by a number, not "):
                ask(odd)


def test_a_quantile_in_the_tail(solved: Any) -> None:
    found = solved(Wait(10, 1)).distribution(tail=0.4)
    assert found.quantile(0.5) == 7
    with pytest.raises(OutOfReach, match="lies in the tail of 0.39; ask for a smaller tail"):
        found.quantile(0.9)


@pytest.mark.parametrize("most", [1, 3, 10, 1000])
def test_bins_are_equal_and_leave_out_only_rare_values(most: int, solved: Any) -> None:
    found = solved(LeftCenterRight(3, 2)).distribution()
    bins = found.bins(most)
    assert len({high - low for low, high, _ in bins}) == 1
    assert all(before[1] + 1 == after[0] for before, after in zip(bins, bins[1:], strict=False))
    assert 0.997 < sum(p for *_, p in bins) <= 1 + 1e-12
    assert len(bins) <= most + 1


# --- edges and bad input ----------------------------------------------------------------------------------------------


def test_a_game_that_is_over_at_once(solved: Any) -> None:
    for payoff in (None, "payoff"):
        found = solved(CardDraw(0, 0)).distribution(payoff)
        assert (found.support.tolist(), found.probabilities.tolist(), found.steps) == ([0], [1.0], 0)
        assert (found.mean, found.variance, found.tail, found.quantile(1)) == (0, 0, 0, 0)
    assert solved(Steps(7, 1.0, 0)).distribution("payoff").support.tolist() == [0]


def test_one_action_and_one_card(solved: Any) -> None:
    assert solved(CardDraw(1, 0)).distribution("payoff").support.tolist() == [1]
    assert solved(Pig(1)).distribution().support.tolist()[:3] == [1, 2, 3]
    assert solved(Pig(1)).distribution().probability(2) == pytest.approx(5 / 36)


def test_payoffs_are_counted_in_their_common_unit(solved: Any) -> None:
    found = solved(Steps(1_000_000, 1.0, 9)).distribution("payoff")
    assert found.support.tolist() == [1_000_000 * k for k in range(-9, 10, 2)]
    assert found.probability(1_000_000) == math.comb(9, 4) / 512


def test_bad_input(solved: Any) -> None:
    solution = solved(LeftCenterRight(3, 1))
    with pytest.raises(ParameterError, match="no payoff 'turn' in LeftCenterRight; did you mean turns"):
        solution.distribution("turn")
    with pytest.raises(ParameterError, match="there are turns, seat 1 wins, seat 2 wins, seat 3 wins"):
        solution.distribution("x")
    for tail in (-0.1, 1, math.nan, "x", True):
        with pytest.raises(ParameterError, match="tail must be a probability"):
            solution.distribution(tail=tail)
    with pytest.raises(ParameterError, match="max_steps must be a whole number"):
        solution.distribution(max_steps=-1)


def test_fractions_are_refused(solved: Any) -> None:
    assert solved(Steps(1, 0.5)).distribution().support.tolist() == [1]
    with pytest.raises(OutOfReach, match=r"whole numbers up to .* At\(place=0\) payoff is 0.5"):
        solved(Steps(1, 0.5)).distribution("payoff")
    with pytest.raises(OutOfReach, match=r"payoff is 1e\+30"):
        solved(Steps(1, 1e30)).distribution("payoff")


def test_too_long(solved: Any) -> None:
    with pytest.raises(
        OutOfReach, match="after 50 moves plays are still going on with probability at least 0.951, which"
    ):
        solved(Wait(1000, 1)).distribution(max_steps=50)


def test_a_tail_of_0_is_for_play_that_ends(solved: Any) -> None:
    """A million actions were followed, and then it was said that more might do."""
    with pytest.raises(OutOfReach, match="play can return to a state, .* something is always left: give a tail above 0, such as 1e-12"):
        solved(Wait(10, 1)).distribution(tail=0)


def test_too_many_totals(solved: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solved(Prize()).distribution("payoff").mean == pytest.approx(float(solved(Prize()).value))  # few are reached
    monkeypatch.setattr("zermelo.uses.distribution.MOST_SCATTERED", 1)
    told = r"these are [\d,]+, .* GiB, more than half of the memory of .*: give a tail above that, smaller parameters, or payoffs"
    with pytest.raises(OutOfReach, match=told):
        solved(Prize()).distribution("payoff")


def test_urns_that_are_swept_are_followed_stage_by_stage(solved: Any) -> None:
    solution = solved(CardDraw(2500, 2500))
    assert has_lengths(solution) and not solution.has_states
    spread = solution.distribution("payoff")
    assert spread.mean == pytest.approx(float(solution.value), abs=1e-7)


# --- views ------------------------------------------------------------------------------------------------------------


def test_the_table_adds_up(solved: Any) -> None:
    for game in (Pig(15), CardDraw(6, 6), Wait(30, 1), Wait(2, 1, True)):
        shown = table.lengths(solved(game))
        assert len(shown.rows) <= 30
        assert sum(row[1] for row in shown.rows) == pytest.approx(100, abs=1e-6)
        data, length = shown.as_json(), solved(game).length  # of all plays, also of the few that the table does not follow
        assert [data[name] for name in ("mean low", "mean", "mean high")] == [length.mean_low, length.mean, length.mean_high]
        assert data["standard deviation"] == pytest.approx(length.standard_deviation, nan_ok=True)
        assert sum(data["probabilities"]) + data["tail"] + data["endless"] == pytest.approx(1)
        assert plot.lengths(solved(game)).axes


def test_lengths_are_offered_where_they_make_sense(solved: Any) -> None:
    assert has_lengths(solved(Pig(15))) and has_lengths(solved(CardDraw(6, 6)))
    assert not has_lengths(solved(GobbletGobblers(1, 5, False)))  # the length of best play is one number


def test_a_loop_that_is_hardly_ever_left_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A million steps were followed first, for several seconds. Two states, left with 1 in 10^12 from either, after two steps to them."""
    followed: list[int] = []
    step = module.kernels.step
    monkeypatch.setattr(module.kernels, "step", lambda *given: followed.append(1) or step(*given))
    rare = 10**12

    def loop(ways: int) -> Chain:
        there, back = ((ways - 1, 0, 3, 1), (1, 1, 4, 1)), ((ways - 1, 0, 2, 1), (1, 1, 4, 1))
        return Chain((((1, 0, 1, 1),), ((1, 0, 2, 1),), there, back, ()), (0,) * 5)

    solution = zermelo.solve(loop(rare))
    for payoff in (None, "payoff"):
        followed.clear()
        with pytest.raises(OutOfReach, match="after 1,000,000 moves plays are still going on with probability at least 1, which is more"):
            solution.distribution(payoff)
        assert len(followed) <= 4
    near = zermelo.solve(loop(10))  # 0.9^k <= 1e-12 after 263 steps
    assert near.distribution(max_steps=265).tail <= 1e-12
    with pytest.raises(OutOfReach, match="after 260 moves plays are still going on with probability at least 1.57e-12"):
        near.distribution(max_steps=260)
    uneven = Chain((((1, 0, 0, 1), (1, 0, 1, 1)), ((99, 0, 0, 1), (1, 0, 2, 1)), ()), (0,) * 3)  # one state of the loop is never left
    assert zermelo.solve(uneven).distribution().tail <= 1e-12


class Jackpot(NamedTuple):
    """Pays 1 or `size`, and begins again or goes on."""

    size: int
    again: bool = False

    def start(self):
        return Left(6)

    def outcomes(self, s):
        if s.n > 0:
            yield 1, self.size, Left(s.n - 1)
            yield 2, 1, Left(6 if self.again else s.n - 1)


class Left(NamedTuple):
    n: int


def test_totals_that_scatter_too_much(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """This was an AttributeError after the first move that had too many."""
    monkeypatch.setattr(module, "MOST_SCATTERED", 100)
    with pytest.raises(OutOfReach, match="also those that no play has"):
        zermelo.solve(Prize()).distribution("payoff")


@pytest.mark.parametrize("again", [False, True])
def test_few_totals_far_apart(again, in_python):
    """Every total from the least to the greatest had a place: 10^9 were refused for want of memory, although few are reached."""
    tail = 0.999 if again else 0.0
    near, far = (zermelo.solve(Jackpot(size, again)).distribution("payoff", tail=tail) for size in (1000, 10**9))
    assert far.support.tolist() == [n % 1000 + n // 1000 * 10**9 for n in near.support.tolist()]
    assert far.probabilities == pytest.approx(near.probabilities, rel=1e-13) and far.rounding == near.rounding
    assert (far.steps, far.tail) == (near.steps, pytest.approx(near.tail, rel=1e-13)) and (again or far.mean == pytest.approx(2e9 + 4))


def wandering(seed: int, gains: tuple[int, int]) -> Chain:
    """Six places, from each to any others: gains from the first to the second, and ends that pay something."""
    r = np.random.default_rng(seed)
    gain = r.integers(gains[0], gains[1] + 1, (5, 4)).tolist()
    ways = r.choice([1, 50, 1000], (5, 3)).tolist()
    rows = [[(ways[i][k], gain[i][k], int(r.integers(0, 6)), 1) for k in range(3)] + [(2000, gain[i][3], 6, 1)] for i in range(5)]
    return Chain((*map(tuple, rows), (), ()), tuple(r.integers(-3, 4, 7).tolist()))


def compare(found: Any, game: Chain, tail: float, steps: int = 18) -> None:
    """Every probability, found or not, lies between what has ended after some steps and what may still end, up to errors."""
    ended = spread(FakeSolution(game), "payoff", steps)
    left = 1 - sum(ended.values())
    assert left < 1e-2
    probabilities = dict(zip(found.support.tolist(), zip(found.probabilities.tolist(), found.errors.tolist(), strict=True), strict=True))
    for total in {*probabilities, *ended}:
        p, error = probabilities.get(total, (0.0, found.tail if total >= found.tail_from else 0.0))
        assert ended.get(total, 0) - Fraction(error) <= Fraction(p) <= ended.get(total, 0) + left + Fraction(error)
    assert found.tail <= tail * (1 + 1e-9)
    assert 1 - math.fsum(found.probabilities) == pytest.approx(found.tail, abs=1e-14 + 1e-6 * tail)


@pytest.mark.parametrize("gains", [(0, 9), (1, 3), (-7, 0), (-3, -1), (0, 1)])
def test_from_total_to_total(gains: tuple[int, int], in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no move makes totals smaller, or none larger, all play that comes to a total is moved on at once."""
    monkeypatch.setattr(module, "LONG", -1)
    monkeypatch.setattr(module, "LESS", 0)
    monkeypatch.setattr(module, "TOGETHER", 32)  # a few totals a call
    began, ways = module._ByTotals.__init__, []
    monkeypatch.setattr(module._ByTotals, "__init__", lambda self, *given: (ways.append(given[1]), began(self, *given))[1])
    for seed in range(3):
        game = wandering(seed, gains)
        solution = zermelo.solve(game)
        found = solution.distribution("payoff", tail=1e-9)
        compare(found, game, 1e-9)
        assert found.mean == pytest.approx(solution.value, abs=1e-6)
        fine = [solution.distribution("payoff", tail=1e-13, max_steps=limit) for limit in (None, 10_000)]  # limited: from move to move
        one, other = (dict(zip(d.support.tolist(), d.probabilities.tolist(), strict=True)) for d in fine)
        assert {t: one.get(t, 0.0) for t in {*one, *other}} == pytest.approx({t: other.get(t, 0.0) for t in {*one, *other}}, abs=2e-13)
        by_moves = fine[1]
        assert by_moves.mean == pytest.approx(found.mean, abs=1e-6) and by_moves.rounding < 1e-11 and found.rounding < 1e-11
        assert 0 in gains or gains[0] < 0 or min(game.finals) < 0 or found.tail_from > found.support.max() - 6
    rises = 1 if gains[1] > 0 else -1
    assert set(ways) <= {rises} and len(ways) == 2 * {(-7, 0): 2, (0, 1): 1}.get(gains, 3)  # play may go round without a gain


@pytest.mark.parametrize("sign", [1, -1])
def test_from_total_to_total_with_final_payoffs_of_the_other_sign(sign: int, in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places for final totals were counted from totals of states, here about 50: those below 0 were added to others."""
    jump, leap = 50 * sign, 100 * sign
    rows = ((1, jump, 1, 1), (1, 0, 1, 1)), ((1, sign, 1, 1), (1, leap, 2, 1), (1, 0, 3, 1)), ((1, 0, 3, 1), (1, sign, 2, 1)), ()
    game = Chain(rows, (0, 0, 0, -20 * sign))
    monkeypatch.setattr(module, "LONG", 5)
    monkeypatch.setattr(module, "LESS", 0)
    monkeypatch.setattr(module, "TOGETHER", 40)
    found = zermelo.solve(game).distribution("payoff", tail=1e-6)
    assert found.probability(-20 * sign) == pytest.approx(1 / 6)
    compare(found, game, 1e-6)


@pytest.mark.parametrize("far", [1, 6 * 10**8])
def test_what_hardly_matters_is_dropped(far: int, in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many totals at many states most have probabilities such as 1e-200: they took most of the time. At most a quarter of the tail is
    dropped."""
    monkeypatch.setattr(module, "MANY", 1)
    monkeypatch.setattr(module, "SPARSE", 1000)
    monkeypatch.setattr(module, "MOST_IN_RING", 0)
    monkeypatch.setattr(module, "machine_memory", lambda: 1 << 26)
    dropped: list[float] = []
    drop = module._Going._drop
    monkeypatch.setattr(module._Going, "_drop", lambda self, p, at: (dropped.append(p), drop(self, p, at))[1])
    for seed in range(3 if far == 1 else 1):
        dropped.clear()
        game = wandering(seed, (-2, 3))
        if far > 1:
            game = Chain(tuple(tuple((w, p * far + t, t, s) for w, p, t, s in row) for row in game.rows), game.finals)
        found = zermelo.solve(game).distribution("payoff", tail=1e-3)
        assert 0 < sum(dropped) <= 0.25e-3
        compare(found, game, 1e-3)
        assert found.tail_from == -math.inf  # totals may fall

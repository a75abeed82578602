"""Sweeps over the stages of an urn: right to the bound they give, for any window; resumable; clear about bad input."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import zermelo
from asking import solve_urn
from known import known
from zermelo.answers.swept import Cone
from zermelo.certificates.urn import exit_error
from zermelo.cli import main
from zermelo.engines.urn import sweep as sweeps
from zermelo.engines.urn.curves import Curve, curve
from zermelo.engines.urn.exact import exact_value
from zermelo.engines.urn.sweep import Sweep
from zermelo.errors import FileError, OutOfReach, ParameterError, RulesError, UnreachableState
from zermelo.games import card_draw_growth as law
from zermelo.games import card_draw_single as single
from zermelo.games import card_draw_views
from zermelo.games.card_draw import DRAW, STOP, CardDraw, State
from zermelo.kernels.urn import COLUMN
from zermelo.views.play import Session

CARDS = st.integers(0, 60)


def swept(red: int, black: int, tolerance: float | None = 1e-9, **options: Any) -> Any:
    """A deck of any size, swept; `zermelo.solve` explores small ones."""
    game = CardDraw(red, black)
    zermelo.check(game)
    return solve_urn(game, tolerance=tolerance, **options)


@cache
def exact(red: int, black: int) -> Fraction:
    return exact_value("CardDraw", red, black)


# --- right -----------------------------------------------------------------------------------------------------------------


def large(is_slow: bool) -> list[Any]:
    return [f for f in known("card_draw", "V(n,n), decimals") if (f.params["red"] > 1_000_000) == is_slow]


def agrees(fact: Any) -> zermelo.Solution:
    """The solution, which must agree with the known value to the digits given, and to its own bound."""
    n = fact.params["red"]
    solution = zermelo.solve(CardDraw(n, n))
    digits = len(fact.value.partition(".")[2])
    assert solution.low - 10.0**-digits <= float(fact.value) <= solution.high + 10.0**-digits
    assert solution.value == pytest.approx(float(fact.value), rel=1e-9), (
        "much closer than the bound promises for the largest"
    )
    return solution


@pytest.mark.parametrize("fact", large(False), ids=lambda f: f.id)
def test_known_values(fact: Any) -> None:
    solution = agrees(fact)
    assert solution.high - solution.low <= 3e-9 * solution.value


@pytest.mark.slow
@pytest.mark.parametrize("fact", large(True), ids=lambda f: f.id)
def test_known_values_of_the_largest_decks(fact: Any) -> None:
    """2 million cards of each colour take two seconds, 10^7 ten, 133,787,000 eight minutes."""
    solution = agrees(fact)
    assert solution.high - solution.low < 0.001, "two decimals are certified"


@pytest.mark.parametrize("fact", known("card_draw", "V(n,n), rational"), ids=lambda f: f.id)
def test_published_rationals(fact: Any) -> None:
    assert exact(fact.params["red"], fact.params["black"]) == fact.exact


@given(CARDS, CARDS)
@settings(max_examples=40, deadline=None)
def test_whole_numbers_agree_with_recursion(red: int, black: int) -> None:
    if red * black > 900:
        red, black = red // 2, black // 2
    assert exact(red, black) == naive.value(CardDraw(red, black))


@given(CARDS, CARDS, st.sampled_from([1e-2, 1e-5, 1e-9]))
@settings(max_examples=40, deadline=None)
def test_the_bound_holds_and_is_as_narrow_as_asked(red: int, black: int, tolerance: float) -> None:
    solution, truth = swept(red, black, tolerance), exact(red, black)
    assert solution.low <= truth <= solution.high
    assert solution.high - solution.low <= 2.01 * tolerance * max(1, truth)


@pytest.mark.parametrize("deviations", [0.3, 1.0, 2.0, 3.0, 4.0])
@pytest.mark.parametrize(("red", "black"), [(900, 900), (800, 1000), (1000, 800), (40, 900), (900, 40), (500, 480)])
def test_the_bound_holds_for_windows_that_miss_much(red: int, black: int, deviations: float) -> None:
    sweep = Sweep(red, black, deviations)
    sweep.run()
    cone, truth = Cone(sweep.swept()), exact(red, black)
    value, error = cone.value(red, black), cone.error(red, black)
    assert value <= truth + 1e-10, "credited with more than can be won"
    assert truth <= value + error + 1e-12
    if deviations == 0.3 and red == black:
        assert error > 1e-3 and truth - value > 1e-6, "the window misses something, and the bound says so"


def test_windows_of_different_widths_agree() -> None:
    """The widest has several columns, the others one; all give the same value to the bound."""
    n, found = 200_000, []
    for deviations in (7.5, 12.0, 60.0):
        sweep = Sweep(n, n, deviations)
        sweep.run()
        assert sweep.row(n, n)[0] == pytest.approx(Cone(sweep.swept()).value(n, n), rel=1e-12)
        found.append(float(sweep.row(n, n)[0]))
        widest = int(np.diff(sweep.tiles[:, [2, 1]]).max())
        assert (widest >= 3 * COLUMN) == (deviations == 60.0)
    assert max(found) - min(found) < 1e-9 * found[0]


def test_every_state_agrees_with_the_general_engine() -> None:
    solution, general = swept(300, 250), zermelo.solve(CardDraw(300, 250))
    dice = random.Random(5)
    states = [State(dice.randint(0, 300), dice.randint(0, 250)) for _ in range(60)]
    for state in [
        *states,
        State(300, 250),
        State(0, 250),
        State(300, 0),
        State(0, 0),
        State(1, 0),
        State(0, 1),
        State(1, 1),
    ]:
        ours, theirs = solution.probe(state), general.probe(state)
        assert ours.low - 1e-12 <= theirs.value <= ours.high + 1e-12
        assert set(ours.actions) == set(theirs.actions)
        for action, value in theirs.actions.items():
            assert ours.actions[action] == pytest.approx(value, abs=1e-9)
        if theirs.actions and abs(theirs.actions[DRAW]) > 1e-9:
            assert ours.action == theirs.action
        elif not theirs.actions:
            assert ours.action is None


def drawn(red: int, black: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """The solution of the general engine, its states (red, then black cards), and what drawing is worth in each."""
    general = zermelo.solve(CardDraw(red, black))
    r, b, worth = *general.space.columns.values(), np.zeros((red + 2, black + 2))  # where none is left, -1 is the last place
    worth[r, b] = general.values
    return general, np.stack([r, b]), (r * (1 + worth[r - 1, b]) + b * (worth[r, b - 1] - 1)) / np.maximum(r + b, 1)


def test_the_frontier_is_where_the_general_engine_stops() -> None:
    n = 250
    general, states, drawing = drawn(n, n)
    for k in range(0, len(drawing), 997):
        assert drawing[k] == pytest.approx(general.probe(State(*states[:, k].tolist())).actions.get(DRAW, 0.0), abs=1e-13)
    frontier = swept(n, n).frontier
    held = (states.sum(axis=0) <= frontier.known) & (np.abs(drawing) > 1e-12)
    assert (frontier.stops(*states[:, held]) == (drawing[held] <= 0)).all()
    assert frontier.known > 1.5 * n
    known_stops = next(f.value for f in known("card_draw") if f.id == "card_draw.stop")
    for red, black in enumerate(known_stops):
        assert frontier.stops(red, black + (red == 1 and black == 2)), "at 1 red, 2 black cards both are best"
        assert black == 0 or not frontier.stops(red, black - 1)


class DrawFirst(CardDraw):
    """The same, with the actions in the other order."""

    def actions(self, s: State) -> Any:
        if s.red + s.black > 0:
            yield DRAW
            yield STOP


def test_where_drawing_is_as_good_the_policy_stops_as_the_line_does() -> None:
    """`best_action` drew there, being the first action, and what `length` and `distribution` told was of stopping; then tables did, for
    which the game is solved once more."""
    solution = solve_urn(DrawFirst(1, 2))
    assert solution.frontier.stops(1, 2) and solution.action_value(State(1, 2), DRAW) == 0
    assert solution.best_action(State(1, 2)) == solution.probe(State(1, 2)).action == STOP
    assert solution.distribution("payoff").probability(0) == solution.length.mean == 1
    assert solution.best_action(State(1, 1)) == DRAW
    numbers = {state: int(number) for state, number in zip(solution.space, solution.action_numbers, strict=True)}
    assert (numbers[State(1, 2)], numbers[State(1, 1)]) == (1, 0)


def test_one_stops_with_more_ahead_the_more_cards_are_left() -> None:
    reach = swept(20_000, 20_000).frontier.reach
    raw = Sweep(20_000, 20_000, 8.0)
    raw.run()
    seen = raw._reach[raw._reach > 0]
    assert (np.diff(seen) > 0).all() and len(seen) > 100
    assert (np.diff(reach) >= 0).all()


# --- curves -----------------------------------------------------------------------------------------------------------------


def test_a_curve_has_the_values_of_all_balanced_decks() -> None:
    found = curve(400)
    assert found.n.tolist() == list(range(401)) and found.value[0] == 0.0
    for n in (0, 1, 2, 3, 10, 26, 27, 143, 399, 400):
        assert abs(found.value[n] - float(exact(n, n))) <= found.error[n] + 1e-15
    assert (found.error <= 1e-9 * np.maximum(found.value, 1)).all()
    some = curve(400, at=[26, 399, 26])
    assert some.n.tolist() == [26, 399] and (some.value == found.value[[26, 399]]).all()
    assert curve(0).value.tolist() == [0.0] and len(curve(5, at=[]).n) == 0


def test_a_curve_over_several_columns() -> None:
    sweep = Sweep(200_000, 200_000, 60.0, [1_000, 29_999, 200_000])
    sweep.run()
    narrow = curve(200_000, at=[1_000, 29_999, 200_000])
    assert sweep.curve == pytest.approx(narrow.value, rel=1e-10)


@pytest.mark.parametrize(("limit", "options"), [(-1, {}), (2.5, {}), (True, {}), (5, {"at": [6]}), (5, {"at": [-1]})])
def test_a_curve_refuses(limit: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="must"):
        curve(limit, **options)


# --- exact ------------------------------------------------------------------------------------------------------------------


def test_exact_values_of_larger_decks() -> None:
    solution = zermelo.solve(CardDraw(400, 300), exact=True)
    assert solution.report.engine == "urn" and solution.is_exact and solution.low == solution.high
    assert solution.value == exact(400, 300)
    assert solution.certificate.kind == "proof" and "whole numbers" in str(solution.certificate)


def test_exact_values_out_of_reach() -> None:
    with pytest.raises(OutOfReach, match="would take hours or more in rational numbers"):
        zermelo.solve(CardDraw(10**6, 10**6), exact=True)


# --- without a table of states -------------------------------------------------------------------------------------------------


def test_large_decks_are_swept_and_small_ones_are_not() -> None:
    assert zermelo.solve(CardDraw(3000, 3000)).report.engine == "urn"
    assert zermelo.solve(CardDraw(100, 100)).report.engine == "explored"


def test_what_needs_all_states_says_so() -> None:
    solution = swept(3000, 3000)
    for ask in (
        lambda: solution.space,
        lambda: solution.values,
        lambda: solution.to_dataframe(),
        lambda: solution.to_xarray(),
        lambda: solution.export_umb("x.umb"),
    ):
        with pytest.raises(OutOfReach, match="smaller parameters"):
            ask()


def test_probing_what_is_no_state() -> None:
    solution = swept(50, 50)
    with pytest.raises(UnreachableState):
        solution.probe(State(51, 0))
    with pytest.raises(UnreachableState):
        solution.probe(State(-1, 0))
    with pytest.raises(ParameterError):
        solution.probe((1, 1))


def test_simulated_play_agrees() -> None:
    solution = swept(500, 500)
    played = solution.simulate(40_000, seed=3)
    assert abs(played.z or 9) < 4 and played.plays == 40_000 and played.circling == 0
    general = zermelo.solve(CardDraw(500, 500)).simulate(40_000, seed=4)
    spread = 4 * np.hypot(played.standard_error, general.standard_error)
    assert abs(played.mean - general.mean) < spread
    assert played.mean_length == pytest.approx(general.mean_length, rel=0.02)
    assert solution.simulate(40_000, seed=3).distribution == played.distribution
    assert solution.simulate(1).plays == 1
    with pytest.raises(ParameterError, match="plays"):
        solution.simulate(0)


def test_playing_with_many_cards_of_each_colour() -> None:
    solution = swept(20_000, 20_000)
    assert solution.simulate(40, seed=1).mean == pytest.approx(74, abs=56)
    session = Session(solution, seed=7)
    for k in range(300):  # beyond the first cone
        if k % 20 == 0:
            assert [c.name for c in session.hint()] == ["draw", "stop"]
        session.act(DRAW)
    assert session.undo() and session.state == session.rules.start or session.steps
    session.act(STOP)
    assert session.is_over


# --- checkpoints -----------------------------------------------------------------------------------------------------------------


class Interrupted(Exception):
    pass


@pytest.fixture
def short_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "BUDGET", 200_000)


def interrupt_after(calls: int) -> Any:
    seen = []

    def progress(what: str, done: int, total: int | None) -> None:
        assert total is not None and 0 <= done <= total
        assert not seen or done >= seen[-1], "progress never goes back"
        seen.append(done)
        if len(seen) == calls:
            raise Interrupted

    return progress


@pytest.mark.usefixtures("short_calls")
def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "run"
    whole = swept(9000, 9000)
    for calls in (1, 3, 5):
        with pytest.raises(Interrupted):
            swept(9000, 9000, checkpoint=path, progress=interrupt_after(calls))
        assert path.exists()
    resumed = swept(9000, 9000, checkpoint=path)
    assert (resumed.value, resumed.low, resumed.high) == (whole.value, whole.low, whole.high)
    assert (resumed.frontier.reach == whole.frontier.reach).all()
    again = swept(9000, 9000, checkpoint=path)
    assert again.value == whole.value and again.statistics["cells"] == whole.statistics["cells"]
    assert [p.name for p in tmp_path.iterdir()] == ["run"]


@pytest.mark.usefixtures("short_calls")
def test_a_curve_goes_on_too(tmp_path: Path) -> None:
    path, at = tmp_path / "run", [10, 1000, 5000, 9000]
    with pytest.raises(Interrupted):
        curve(9000, at=at, checkpoint=path, progress=interrupt_after(3))
    assert (curve(9000, at=at, checkpoint=path).value == curve(9000, at=at).value).all()
    with pytest.raises(FileError, match="another run .values kept: 4 there, 3 here"):
        curve(9000, at=at[1:], checkpoint=path)


def test_a_sweep_of_a_small_urn_says_what_it_takes(tmp_path: Path) -> None:
    """It was "in 0 KiB"."""
    report = zermelo.solve(CardDraw(8, 9), checkpoint=tmp_path / "deck").report
    assert report.summary.endswith(f" in {report.facts['bytes']} bytes")


def test_a_foreign_or_damaged_checkpoint_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run"
    swept(3000, 3000, checkpoint=path)
    good = path.read_bytes()
    with pytest.raises(FileError, match="another run .balls that pay 1: 3000 there, 3001 here"):
        swept(3001, 3000, checkpoint=path)
    with pytest.raises(FileError, match="another run .width of the window"):
        swept(3000, 3000, 1e-6, checkpoint=path)
    assert zermelo.open(path).value == swept(3000, 3000).value, "a finished checkpoint is a solution, too"
    assert path.read_bytes() == good
    for bad in (
        good[:-9],
        good[:100] + bytes([good[100] ^ 1]) + good[101:],
        good[:-1] + bytes([good[-1] ^ 1]),
        b"",
        b"hello",
    ):
        path.write_bytes(bad)
        with pytest.raises(FileError):
            swept(3000, 3000, checkpoint=path)
        assert path.read_bytes() == bad
    zermelo.solve(CardDraw(5, 5)).save(path)
    with pytest.raises(FileError, match="no checkpoint"):
        swept(3000, 3000, checkpoint=path)
    with pytest.raises(FileError, match="directory"):
        swept(3000, 3000, checkpoint=tmp_path)
    with pytest.raises(FileError, match="can't be written"):
        swept(3000, 3000, checkpoint=tmp_path / "nowhere" / "run")


def test_two_processes_on_one_checkpoint_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "run"
    seen = []

    def another_starts(what: str, done: int, total: int | None) -> None:
        if not seen:
            with pytest.raises(FileError) as caught:
                swept(3000, 3000, checkpoint=path)
            seen.append(str(caught.value))

    swept(3000, 3000, checkpoint=path, progress=another_starts)
    assert seen == [f"{path} is in use by another process: let that one end, or give another name"]
    assert [p.name for p in tmp_path.iterdir()] == ["run"]
    swept(3000, 3000, checkpoint=path)


def test_only_sweeps_have_checkpoints(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="takes no checkpoint"):
        zermelo.solve(zermelo.games.SolitairePig(), checkpoint=tmp_path / "run")


# --- tolerance -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", [0, -1e-9, 1, 2.0, "small", True, float("nan")])
def test_tolerances_that_are_none(tolerance: Any) -> None:
    for game in (CardDraw(3000, 3000), CardDraw(2, 2), zermelo.games.SolitairePig()):
        with pytest.raises(ParameterError, match="tolerance must be"):
            zermelo.solve(game, tolerance=tolerance)


def test_a_tolerance_below_what_doubles_can_certify() -> None:
    with pytest.raises(ParameterError, match=r"can't certify 1e-12 over 2,000,000 stages, about \de-10 is possible"):
        swept(10**6, 10**6, 1e-12)
    with pytest.raises(OutOfReach, match="certified to .* only; `exact` proves it"):
        zermelo.solve(zermelo.games.Pig(20), tolerance=1e-17)
    assert zermelo.solve(zermelo.games.Pig(20), tolerance=1e-12).value > 0.2


@pytest.mark.parametrize(("red", "black"), [(-1, 5), (5, -1), (2.5, 3), ("5", 3), (True, 1), (10**10, 5)])
def test_decks_that_are_none(red: Any, black: Any) -> None:
    with pytest.raises(ParameterError, match="red|black"):
        swept(red, black)


# --- the declaration ---------------------------------------------------------------------------------------------------------------


class FalseUrn(NamedTuple):
    """Says that it is an urn, but red cards pay 2, or the deck is refilled, or what `urn` says is not even two numbers."""

    pays: int = 1
    drops: int = 1
    says: int = 2

    def start(self) -> State:
        return State(5, 5)

    def actions(self, s: State) -> Any:
        if s.red + s.black > 0:
            yield STOP
            yield DRAW

    def outcomes(self, s: State, action: int) -> Any:
        if action == STOP:
            yield 1, 0, State(0, 0)
        else:
            yield s.red, self.pays, State(s.red - self.drops * (s.red > 2), s.black)
            yield s.black, -1, State(s.red, s.black - 1)

    def urn(self, s: State) -> Any:
        return (s.red, s.black)[: self.says]


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (FalseUrn(pays=2), "not those of an urn"),
        (FalseUrn(drops=0), "not those of an urn"),
        (FalseUrn(says=1), "it must be the balls"),
    ],
)
def test_a_false_urn_is_found_out(game: Any, why: str) -> None:
    with pytest.raises(RulesError, match=why):
        zermelo.check(game)


def test_exits_of_a_window_that_holds_everything() -> None:
    sweep = Sweep(10, 10, 50.0)
    sweep.run()
    assert exit_error(sweep.tiles, 10, 10).sum() == 0.0


# --- command line ------------------------------------------------------------------------------------------------------------------


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: str) -> tuple[int, str, str]:
        code = main(["solve", "card-draw", "--red", "5000", "--black", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    path = tmp_path / "run"
    options = ["--tolerance", "1e-8", "--checkpoint", str(path)]
    code, out, _ = run("4000", *options, "--json")
    data = json.loads(out)
    assert code == 0 and data["low"] <= data["value"] <= data["high"] and data["statistics"]["solver"] == "UrnSweep"
    assert path.exists() and "9,000 stages" in run("4000", *options)[1]
    code, out, err = run("4001", *options)
    assert code == 2 and not out and "another run" in err
    code, out, err = run("4000", "--tolerance", "1e-15")
    assert code == 2 and not out and "is possible" in err


# --- the growth law ------------------------------------------------------------------------------------------------------------------


def test_constants_of_the_growth_law() -> None:
    a = law.stopping_constant()
    assert a == pytest.approx(0.8399236756923726897637, abs=4e-16)
    assert law.growth_constant() == pytest.approx(0.5220376759871238665383, abs=4e-16)
    assert a == pytest.approx(
        (1 - a * a) * math.sqrt(2 * math.pi) * math.exp(a * a / 2) * (1 + math.erf(a / 2**0.5)) / 2
    )
    assert law.decay() == pytest.approx(0.23116668673, abs=1e-11)


def test_the_decay_is_that_of_waiting_below_the_stopping_line() -> None:
    """Independently: how often a walk pinned to 0 is not yet stopped with m cards left falls as m^r."""
    frontier = swept(200_000, 200_000).frontier
    steps = 1 << 12
    line = law.stopping_constant()
    grid = np.linspace(-8.0, line, steps)
    h = grid[1] - grid[0]
    inner = grid[1:-1]
    # generator f''/2 - y f'/2, f(line) = 0, by central differences; its slowest eigenvalue is -r
    from scipy.linalg import eig_banded  # symmetrised with the weight exp(-y^2/2)

    weight = np.exp(-((grid[:-1] + h / 2) ** 2) / 2)
    centre = np.exp(-(inner**2) / 2)
    diagonal = (weight[:-1] + weight[1:]) / (2 * h * h * centre)
    off = -weight[1:-1] / (2 * h * h * np.sqrt(centre[:-1] * centre[1:]))
    banded = np.zeros((2, len(inner)))
    banded[0], banded[1, :-1] = diagonal, off
    slowest = eig_banded(banded, lower=True, eigvals_only=True, select="i", select_range=(0, 0))[0]
    assert slowest == pytest.approx(law.decay(), abs=1e-4)
    ahead = np.arange(50, 300)
    assert np.abs(frontier.reach[ahead] / (ahead / line) ** 2 - 1).max() < 0.05, "one stops about a sqrt(m) ahead"


@cache
def a_million() -> Curve:
    return curve(10**6, at=law.decades(10**6))


def test_extrapolation_from_small_decks_meets_large_ones() -> None:
    near, far = curve(30_000, at=law.decades(30_000)), a_million()
    guessed = law.extrapolation(near)
    for n, value in zip(far.n, far.value, strict=True):
        assert abs(guessed.value(n) - value) <= 2 * guessed.error(n) + 1e-9
    assert law.extrapolation(far).value(133_787_000) == pytest.approx(6038.2168824, abs=5e-7)
    with pytest.raises(ParameterError, match="at least 8 decks"):
        law.extrapolation(curve(2000))


def test_the_rest_falls_with_the_predicted_exponent() -> None:
    found = a_million()
    rest = dict(zip(found.n.tolist(), law.rest(found).tolist(), strict=True))
    seen = -math.log10(rest[10**6] / rest[10**5])
    assert seen == pytest.approx(law.decay(), abs=0.01)


def test_single_precision_explains_the_fits_of_the_essay() -> None:
    values = single.balanced(single.ESSAY)
    assert values[0] == 0 and values[1] == 0.5 and values[-1] == pytest.approx(79.11305, abs=5e-6)
    assert curve(single.ESSAY, at=[single.ESSAY]).value[0] == pytest.approx(79.11653, abs=5e-6)
    together = single.fit_with_predictions()
    assert together.spread == pytest.approx(2.68411, abs=5e-6)  # as printed, with 91,897 degrees of freedom


@pytest.mark.parametrize("largest", [0, 1, 2, 40])
def test_single_precision_of_small_decks(largest: int) -> None:
    """The program as it is printed in the essay, cell by cell."""
    table = {(0, 0): np.float32(0)}
    for red in range(largest + 1):
        for black in range(largest + 1):
            cards = red + black
            if not red or not black:
                table[red, black] = np.float32(red)
                continue
            if_red, if_black = table[red - 1, black] + np.float32(1), table[red, black - 1] - np.float32(1)
            table[red, black] = np.float32(max(0.0, red / cards * float(if_red) + black / cards * float(if_black)))
    assert single.balanced(largest).tolist() == [round(float(table[n, n]), 6) for n in range(largest + 1)]


def test_fits_of_the_essay() -> None:
    log, root, both = law.fits(law.essay_values())
    assert root.coefficients[1] == pytest.approx(0.522116, abs=1e-6) and root.spread < 0.002
    assert log.spread > 6 and both.spread < root.spread
    assert log.value(np.array([1.0]))[0] < -100, "the logarithm is far off where decks are small"


@pytest.mark.parametrize("view", ["boundary", "growth"])
def test_tables_of_large_decks(view: str) -> None:
    shown = card_draw_views.TABLES[view].make(swept(10_000, 9_000), {})
    assert len(shown.rows) > 10
    if view == "boundary":
        frontier = swept(10_000, 9_000).frontier
        for red, black, _ in shown.rows[1:]:
            assert frontier.stops(red, black) and not frontier.stops(red, black - 1)


def test_a_solved_deck_is_not_swept_again_for_its_curve(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own value joins those of smaller decks; all of them lie in the certified intervals of a curve of their own."""
    limits: list[int] = []

    def noted(limit: int, **options: Any) -> Curve:
        limits.append(limit)
        return curve(limit, **options)

    monkeypatch.setattr(card_draw_views, "GROWTH", 2000)
    monkeypatch.setattr(card_draw_views, "curve", noted)
    found = card_draw_views._measured(swept(20_000, 20_000))
    again = curve(20_000, at=found.n)
    assert limits == [found.n[-2]] and found.n[-1] == 20_000
    assert (np.abs(found.value - again.value) <= found.error + again.error).all() and (found.error > 0).all()


def test_views_that_need_all_states_are_not_offered() -> None:
    from zermelo.games.all_views import FIGURES, TABLES, fitting

    solution = swept(10_000, 9_000)
    assert list(fitting(solution, TABLES)) == ["boundary", "balanced", "growth", "actions", "lengths"]
    assert list(fitting(solution, FIGURES)) == ["games", "growth", "rest", "lengths"]


# --- lopsided decks -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "black"),
    [
        (0, 0),
        (0, 1),
        (1, 0),
        (0, 50),
        (50, 0),
        (1, 5000),
        (5000, 1),
        (3, 10**6),
        (10**6, 3),
        (400, 450),
        (400, 420),
        (420, 400),
    ],
)
def test_lopsided_decks(red: int, black: int) -> None:
    solution, truth = swept(red, black), exact(red, black)
    assert solution.low <= truth <= solution.high and solution.low >= max(0, red - black)
    assert solution.high - solution.low <= (1e-7 if black == 10**6 else 2.1e-9) * max(1, truth)
    played = solution.simulate(50 if red == 10**6 else 4000, seed=2)
    assert played.mean == pytest.approx(float(truth), abs=5 * played.standard_error + 1e-5)
    if red + black:
        assert (solution.best_action(State(red, black)) == STOP) == (truth == 0)


@pytest.mark.parametrize(("red", "black"), [(300, 340), (200, 400), (300, 300), (340, 290)])
def test_the_frontier_is_right_as_far_as_it_is_known(red: int, black: int) -> None:
    frontier, (_, states, drawing) = swept(red, black).frontier, drawn(red, black)
    held = (states.sum(axis=0) > 0) & (states.sum(axis=0) <= frontier.known) & (np.abs(drawing) > 1e-6)
    assert (frontier.stops(*states[:, held]) == (drawing[held] <= 0)).all() and held.sum() > 1000


@pytest.mark.parametrize(  # one stops at the beginning with 0.84 times the root of all cards ahead: 376
    "ahead", [-950, -158, 0, 158, 316, 372, 378, 950]
)
def test_tolerances_for_decks_with_more_of_one_colour(ahead: int) -> None:
    red = 10**5
    tolerance = 1e-8 if ahead <= red**0.5 / 2 else 1e-6
    solution = swept(red, red + ahead, tolerance)
    assert solution.high - solution.low <= 2 * tolerance * max(1, solution.value)


class Minimised(CardDraw):
    def player(self, s: State) -> int:
        return 1


class Paid(CardDraw):
    def payoff(self, s: State) -> int:
        return 5


class Passed(CardDraw):
    def outcomes(self, s: State, action: int) -> Any:
        for ways, payoff, state in super().outcomes(s, action):
            yield ways, payoff, state, -1 if action == DRAW else 1


class Negated(CardDraw):
    """What a red card pays counts for the other player, and so does what comes then: that is no urn."""

    def outcomes(self, s: State, action: int) -> Any:
        for ways, payoff, state in super().outcomes(s, action):
            yield ways, -payoff, state, -1 if action == DRAW else 1


class Failing(CardDraw):
    def urn(self, s: State) -> Any:
        return s.red // 0


@pytest.mark.parametrize("game_class", [Minimised, Paid, Passed, Negated, Failing])
def test_games_that_are_more_than_an_urn_are_refused(game_class: Any) -> None:
    with pytest.raises(RulesError, match="urn"):
        zermelo.solve(game_class(30, 30), tolerance=1e-9)


def test_a_large_deck_is_not_explored_in_vain() -> None:
    with pytest.raises(OutOfReach, match="more than 100,000,000 states .*takes no discount"):
        zermelo.solve(CardDraw(10**5, 10**5), discount=0.9)


def test_a_fraction_meets_any_tolerance() -> None:
    assert zermelo.solve(CardDraw(40, 30), exact=True, tolerance=1e-30).is_exact


def test_the_boundary_of_a_deck_that_is_hardly_worth_a_draw() -> None:
    """Most of the line is then not known, and not shown."""
    for red, black in ((1500, 3000), (10_000, 10_200), (0, 3), (3, 5)):
        solution = swept(red, black)
        shown = card_draw_views.TABLES["boundary"].make(solution, {})
        assert shown.rows[0][:2] == (0, 0)
        for r, b, _ in [row for row in shown.rows[1:] if row[0] <= 200]:
            assert exact(r, b) == 0 and exact(r, b - 1) > 0 or (r, b) == (1, 3), "1 red, 2 black cards: both are best"

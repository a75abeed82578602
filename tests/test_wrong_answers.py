"""Answers that were wrong once, or that made no sense: each must be right now, or be refused in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.engines.boards import engine as boards
from zermelo.engines.urn import sweep
from zermelo.games import Dodgem
from zermelo.games.binary_search import BinarySearch
from zermelo.games.card_draw import DRAW, STOP, CardDraw
from zermelo.games.card_draw import State as Deck
from zermelo.games.ten_thousand_race import ROLL, State, TenThousandRace, bank_at
from zermelo.solvers.by_component import Cyclic
from zermelo.uses import need


@pytest.fixture(scope="module")
def race() -> Any:
    """A race that is solved stage by stage, only the entries of stages being kept."""
    return zermelo.solve(TenThousandRace(goal=6))


@pytest.fixture(scope="module")
def general() -> Any:
    """The same race, all its states explored and kept."""
    return zermelo.solve(TenThousandRace(goal=6), solver=Cyclic())


def test_action_value_of_a_race_at_the_start(race: Any, general: Any) -> None:
    """It was read at the number of a state in a table of entries: 0.42826."""
    start = race.rules.start
    worth = race.action_value(start, ROLL)
    assert worth == race.probe(start).actions[ROLL] == pytest.approx(general.action_value(start, ROLL), abs=1e-12)
    assert worth == pytest.approx(0.41970410365195, abs=1e-13)


def test_action_value_of_a_race_at_every_state(race: Any, general: Any) -> None:
    """It raised `IndexError` beyond as many states as there are entries."""
    for state in general.space:
        actions = race.probe(state).actions
        assert set(actions) == set(general.rules.actions(state))
        for action, worth in actions.items():
            assert race.action_value(state, action) == worth
            assert worth == pytest.approx(general.action_value(state, action), abs=1e-12)
    off_play = State(2, 3, 1, 1, 0)  # no play comes to it: four dice set aside are worth more than one chip
    assert off_play not in general.space
    assert race.probe(off_play).actions == {a: race.action_value(off_play, a) for a in race.rules.actions(off_play)}
    outcomes = [o for o in race.rules.outcomes(off_play, ROLL) if o.ways]
    mean = sum(o.ways * o.sign * race.probe(o.state).value for o in outcomes) / sum(o.ways for o in outcomes)
    assert race.action_value(off_play, ROLL) == pytest.approx(mean, abs=1e-12)
    with pytest.raises(zermelo.ParameterError, match="not a state"):
        race.action_value((0, 0), ROLL)


def test_mixtures_of_a_game_in_which_nobody_chooses_at_once(race: Any, general: Any) -> None:
    """They were zeros, and two empty lists."""
    for solution in (race, general, zermelo.solve(CardDraw(3000, 3000))):
        for ask in (lambda s: s.mixtures, lambda s: s.mixtures_at(0)):
            with pytest.raises(zermelo.ParameterError, match="nobody chooses at the same time"):
                ask(solution)


ARRAYS = ("values", "errors", "payoff_values", "action_numbers", "distances", "space")
TABLES = ("to_dataframe", "to_xarray", "census", "farthest")


def test_arrays_of_all_states_of_a_deck_that_is_swept() -> None:
    """Some were arrays of length 1: of the start alone."""
    solution = zermelo.solve(CardDraw(3000, 3000))
    for name in ARRAYS:
        with pytest.raises(zermelo.OutOfReach, match="needs all 9,006,001 states of CardDraw, which are not stored"):
            getattr(solution, name)
    for name in TABLES:
        with pytest.raises(zermelo.OutOfReach, match="needs all 9,006,001 states"):
            getattr(solution, name)()
    lopsided = zermelo.solve(CardDraw(3_000_000, 3))
    assert lopsided.certificate.low == lopsided.low == lopsided.probe(Deck(3_000_000, 3)).low >= 2_999_997


def test_action_value_of_a_deck_that_is_swept() -> None:
    """It was refused, though `probe` has it."""
    solution = zermelo.solve(CardDraw(3000, 3000))
    for state in (Deck(3000, 3000), Deck(2990, 2970), Deck(3, 5), Deck(0, 7)):
        assert {a: solution.action_value(state, a) for a in (STOP, DRAW)} == solution.probe(state).actions
    general = zermelo.solve(CardDraw(30, 30))
    for state in (Deck(30, 30), Deck(7, 9), Deck(1, 0)):
        assert solution.action_value(state, DRAW) == pytest.approx(general.action_value(state, DRAW), abs=1e-9)
    with pytest.raises(zermelo.UnreachableState):
        solution.action_value(Deck(3001, 5), DRAW)


def test_max_states_is_not_ignored() -> None:
    """It was, by sweeps and by games given by best responses."""
    with pytest.raises(zermelo.OutOfReach, match="CardDraw has more than 10 states; give smaller parameters or raise"):
        zermelo.solve(CardDraw(3000, 3000), max_states=10)
    assert zermelo.solve(CardDraw(3000, 3000), max_states=3001**2).statistics["solver"] == "UrnSweep"
    with pytest.raises(zermelo.OutOfReach, match="more than 9,006,000 states"):
        zermelo.solve(CardDraw(3000, 3000), max_states=3001**2 - 1)
    with pytest.raises(zermelo.ParameterError, match="given by best responses and takes no max_states"):
        zermelo.solve(BinarySearch(5), max_states=1)


def test_a_tolerance_is_a_wish_that_every_engine_is_asked_about() -> None:
    """Any tolerance sent a deck to the sweep, which certifies less of a small one than the general engine does."""
    plain, wished = zermelo.solve(CardDraw(71, 71)), zermelo.solve(CardDraw(71, 71), tolerance=1e-13)
    assert wished.report.engine == "explored"
    assert (wished.value, wished.low, wished.high) == (plain.value, plain.low, plain.high)
    assert wished.high - wished.low < 2e-13
    assert zermelo.solve(CardDraw(71, 71), tolerance=1e-13, discount=0.9).high < plain.low
    with pytest.raises(zermelo.OutOfReach, match=r"certified to 4\.\de-14 only; `exact` proves it"):
        zermelo.solve(CardDraw(71, 71), tolerance=1e-15)
    lopsided = zermelo.solve(CardDraw(2000, 10))  # here the sweep is the closer one
    closer = zermelo.solve(CardDraw(2000, 10), tolerance=1e-14)
    assert closer.report.engine == "urn" and closer.high - closer.low < lopsided.high - lopsided.low
    assert lopsided.low <= closer.high and closer.low <= lopsided.high
    large = zermelo.solve(CardDraw(3000, 3000), tolerance=1e-8)
    assert large.report.engine == "urn" and large.high - large.low <= 2e-8 * large.value
    with pytest.raises(
        zermelo.ParameterError, match=r"can't certify 1e-15 over 6,000 stages, about \de-1\d is possible"
    ):
        zermelo.solve(CardDraw(3000, 3000), tolerance=1e-15)


def test_a_saved_sweep_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was refused as a checkpoint."""
    path, game = tmp_path / "deck", CardDraw(3000, 3000)
    solved = zermelo.solve(game)
    solved.save(path)
    found = zermelo.open(path)
    assert found.report.engine == "urn" and found.game == game
    assert (found.value, found.bounds, str(found.certificate)) == (solved.value, solved.bounds, str(solved.certificate))
    for state in (game.start(), Deck(2950, 2900), Deck(20, 30)):
        assert found.probe(state) == solved.probe(state)
    assert np.array_equal(found.frontier.reach, solved.frontier.reach) and found.frontier.known == solved.frontier.known
    assert found.simulate(100, seed=1).mean == solved.simulate(100, seed=1).mean
    assert zermelo.solve(game, checkpoint=path).value == solved.value, "the file is a checkpoint, too"
    assert zermelo.open(path).value == solved.value, "which is left alone when all is done"
    found.save(path)
    assert zermelo.open(path).value == solved.value
    with pytest.raises(zermelo.ParameterError, match="only the tables of large board games are compressed"):
        solved.save(path, compress=True)
    with pytest.raises(zermelo.FileError, match="holds the solution of CardDraw"):
        zermelo.open(path, game=CardDraw(3000, 3001))

    proven = zermelo.solve(CardDraw(300, 200), exact=True)
    proven.save(path)
    again = zermelo.open(path)
    assert again.report.engine == "urn" and again.is_exact and again.value == proven.value

    def interrupt(what: str, done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sweep, "BUDGET", 1000)
    with pytest.raises(KeyboardInterrupt):
        zermelo.solve(CardDraw(3000, 3010), checkpoint=tmp_path / "half", progress=interrupt)
    with pytest.raises(zermelo.FileError, match="is a checkpoint .sweep of an urn., not a solution"):
        zermelo.open(tmp_path / "half")


@pytest.mark.parametrize("seat", [0, 1])
def test_best_response_in_a_race_that_is_too_large_to_be_stored(
    race: Any, general: Any, seat: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was refused, though the engine can answer a plan."""
    expected = general.best_response(bank_at(3), seat=seat)
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)
    found = race.best_response(bank_at(3), seat=seat)
    assert found.value == pytest.approx(expected.value, abs=1e-12) and found.low <= expected.high
    assert expected.low <= found.high and found.high - found.low < 1e-9
    assert found.gain == pytest.approx(expected.gain, abs=1e-12) and found.gain > 0.001
    assert found.payoffs == {"payoff": found.value} and found.seat == seat and found.states > 100
    assert found.policy(race.rules.start) == expected.policy(race.rules.start)
    with pytest.raises(zermelo.ParameterError, match="seat must be 0 or 1"):
        race.best_response(bank_at(3), seat=2)
    with pytest.raises(zermelo.ParameterError, match="a policy is a function"):
        race.best_response(7)


def test_a_large_board_game_is_exact_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_python: None) -> None:
    """`exact` was taken and forgotten: `is_exact` was False, and values were floats."""
    explored = zermelo.solve(Dodgem(2), exact=True)
    monkeypatch.setattr(boards, "FEW_POSITIONS", -1)
    solution = zermelo.solve(Dodgem(2), exact=True)
    assert solution.report.engine == "boards"
    assert solution.is_exact and explored.is_exact and isinstance(solution.value, Fraction)
    assert (solution.value, solution.low, solution.high) == (explored.value, explored.low, explored.high)
    assert solution.certificate.kind == explored.certificate.kind == "proof"
    for state in explored.space:
        here, there = solution.probe(state), explored.probe(state)
        assert (here.value, here.actions, here.payoffs) == (there.value, there.actions, there.payoffs)
        assert all(isinstance(v, Fraction) for v in (here.value, here.low, *here.actions.values()))
    solution.save(tmp_path / "exact")
    found = zermelo.open(tmp_path / "exact")
    assert found.is_exact and isinstance(found.value, Fraction) and found.value == solution.value
    plain = zermelo.solve(Dodgem(2))
    assert not plain.is_exact and isinstance(plain.value, float) and plain.value == solution.value

"""What can be asked of a swept urn: lengths, payoffs, policies; as the general engine says of small decks, or as simulated."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import zermelo
from asking import solve_urn
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games.card_draw import DRAW, STOP, CardDraw, State
from zermelo.uses import evaluate_urn, need, simulate_urn
from zermelo.views.slices import has_lengths

DECKS = [(30, 30), (20, 31), (31, 20), (2, 40), (40, 2), (3, 3), (1, 1), (1, 0), (0, 1), (0, 0)]


@pytest.fixture(scope="module")
def large() -> Any:
    return zermelo.solve(CardDraw(3000, 3000))


# --- lengths and payoffs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("red", "black"), DECKS)
def test_small_decks_as_the_general_engine_has_them(red: int, black: int) -> None:
    """With 1 red and 2 black cards left both actions are best; both engines stop."""
    swept, general = solve_urn(CardDraw(red, black)), zermelo.solve(CardDraw(red, black))
    for payoff in (None, "payoff"):
        ours, theirs = swept.distribution(payoff, tail=0.0), general.distribution(payoff, tail=0.0)
        assert ours.support.tolist() == theirs.support.tolist() and ours.of == theirs.of
        assert ours.probabilities == pytest.approx(theirs.probabilities, abs=1e-14)
        assert ours.tail == ours.endless == 0.0 and ours.tail_from == math.inf and 0 < ours.rounding < 1e-13
    ours, theirs = swept.length, general.length
    assert ours.mean == pytest.approx(theirs.mean, abs=1e-12) and ours.variance == pytest.approx(theirs.variance, abs=1e-10)
    assert ours.mean_low <= theirs.mean_high and theirs.mean_low <= ours.mean_high
    assert ours.variance_low - 1e-12 <= theirs.variance <= ours.variance_high + 1e-12


@pytest.mark.parametrize(("red", "black"), [(3000, 3000), (3000, 3060), (4000, 3000), (1_200_000, 3), (20_000, 30_000)])
def test_large_decks(red: int, black: int) -> None:
    """The mean of what is won is the value, which came from the other end."""
    solution = zermelo.solve(CardDraw(red, black))
    lengths, won = solution.distribution(), solution.distribution("payoff")
    for found in (lengths, won):
        assert 0 <= found.tail <= 1e-12 and found.probabilities.sum() == pytest.approx(1, abs=1e-10)
        assert (found.errors >= found.probabilities * found.rounding).all()
    slack = won.rounding * float(np.abs(won.support) @ won.probabilities) + won.tail * (red + black) + 1e-12
    assert solution.low - slack <= won.mean <= solution.high + slack
    assert won.support[0] >= min(red - black, 0) and lengths.support[-1] <= max(red + black, 1)
    length = solution.length
    assert length.mean == pytest.approx(lengths.mean, rel=1e-9) and length.mean_low <= length.mean <= length.mean_high
    assert length.mean_high - length.mean_low < 1e-6
    assert length.variance_low <= length.variance <= length.variance_high
    assert length.variance == pytest.approx(lengths.variance, rel=1e-6, abs=1e-4)


def test_a_smaller_tail_moves_nothing_by_more_than_the_tail(large: Any) -> None:
    whole, cut = large.distribution("payoff", tail=0.0), large.distribution("payoff", tail=1e-3)
    assert whole.tail == 0.0 and 1e-5 < cut.tail <= 1e-3
    kept = dict(zip(cut.support.tolist(), cut.probabilities.tolist(), strict=True))
    missing = [p - kept.get(x, 0.0) for x, p in zip(whole.support.tolist(), whole.probabilities.tolist(), strict=True)]
    assert min(missing) > -1e-12 and sum(missing) == pytest.approx(cut.tail, rel=1e-6)


def test_as_simulated(large: Any) -> None:
    played, lengths, won = large.simulate(20_000, seed=5), large.distribution(), large.distribution("payoff")
    assert abs(played.mean_length - lengths.mean) < 4 * lengths.standard_deviation / 20_000**0.5
    assert abs(played.mean - won.mean) < 4 * won.standard_deviation / 20_000**0.5


def test_plays_of_a_policy_in_a_deck_that_is_too_large_to_be_stored(large: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They were refused, though only the states that they come to are needed."""

    def forty(s: State) -> int:
        return DRAW if s.red + s.black > 5960 else STOP

    played = large.simulate(3000, policy=forty, seed=2)
    assert set(played.lengths) == {41} and played.distribution == large.simulate(3000, policy=forty, seed=2).distribution
    assert all(won % 2 == 0 for won in played.distribution) and played.total.value is None
    deviation = math.sqrt(40 * (6000 - 40) / 5999)  # drawn without putting back
    assert abs(played.mean) < 4 * deviation / math.sqrt(3000)
    assert played.standard_error == pytest.approx(deviation / math.sqrt(3000), rel=0.1)
    for given, said in (({"seat": 1}, "not a game for two"), ({"cluster": "local"}, "without `cluster`")):
        with pytest.raises(ParameterError, match=said):
            large.simulate(10, policy=forty, **given)
    monkeypatch.setattr(simulate_urn, "MOST_ASKED", 100)
    with pytest.raises(OutOfReach, match="more than 100 states, at each of which your policy is asked"):
        large.simulate(10, policy=forty)


def test_a_line_that_is_not_known_far_enough_is_found_again() -> None:
    rough, fine = zermelo.solve(CardDraw(3000, 3000), tolerance=0.1), zermelo.solve(CardDraw(3000, 3000))
    assert rough.frontier.known < fine.frontier.known - 100
    ours, theirs = rough.distribution("payoff"), fine.distribution("payoff")
    assert ours.tail <= 1e-12 and ours.probabilities == pytest.approx(theirs.probabilities, abs=1e-11)


def test_refusals(large: Any) -> None:
    with pytest.raises(OutOfReach, match="6,000 moves, more than max_steps"):
        large.distribution(max_steps=5999)
    with pytest.raises(ParameterError, match="max_steps must"):
        large.distribution(max_steps=-1)
    with pytest.raises(ParameterError, match="tail must be"):
        large.distribution(tail=1)
    with pytest.raises(ParameterError, match="no payoff"):
        large.distribution("losses")
    with pytest.raises(OutOfReach, match="give a tail"):
        zermelo.solve(CardDraw(10**5, 10**5)).distribution(tail=0.0)


def test_views_of_lengths_are_offered(large: Any) -> None:
    assert has_lengths(large) and not large.has_states
    assert has_lengths(zermelo.solve(CardDraw(400, 300), exact=True))


# --- policies -----------------------------------------------------------------------------------------------------------


def two_ahead(s: State) -> int:
    return STOP if s.black - s.red >= 2 else DRAW


def never(s: State) -> int:
    return DRAW


def always(s: State) -> int:
    return STOP


def foolish(s: State) -> int:
    return STOP if s.red == 7 or s.red + s.black < 3 else DRAW


@pytest.mark.parametrize("policy", [two_ahead, never, always, foolish])
@pytest.mark.parametrize(("red", "black"), [(30, 30), (12, 20), (20, 12)])
def test_a_policy_of_ones_own(policy: Any, red: int, black: int, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = zermelo.solve(CardDraw(red, black)).evaluate(policy)
    swept = solve_urn(CardDraw(red, black))
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)
    ours = swept.evaluate(policy)
    assert ours.low <= theirs.value <= ours.high and ours.high - ours.low < 1e-12
    assert ours.loss == pytest.approx(theirs.loss, abs=1e-9) and ours.payoffs == {"payoff": ours.value}
    assert [m.cost for m in ours.mistakes] == pytest.approx([m.cost for m in theirs.mistakes], abs=1e-9)
    assert {m.state for m in ours.mistakes if m.cost > ours.mistakes[-1].cost + 1e-9} <= {m.state for m in theirs.mistakes}


def test_the_bounds_hold_where_much_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = zermelo.solve(CardDraw(30, 30)).evaluate(two_ahead).value
    swept = solve_urn(CardDraw(30, 30))
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)
    monkeypatch.setattr(evaluate_urn, "TAIL", 0.2)
    found = swept.evaluate(two_ahead)
    assert found.low < truth < found.high and 1e-3 < found.high - found.low < 3


def test_too_many_questions_are_refused_in_time(large: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert large.evaluate(always).states == 1
    found = large.evaluate(always)
    assert found.value == 0 and found.loss == large.value and found.worst_state == State(3000, 3000)
    monkeypatch.setattr(evaluate_urn, "TRIED", 1000)
    monkeypatch.setattr(evaluate_urn, "MOST_ASKED", 500_000)
    with pytest.raises(OutOfReach, match=r"takes about \de\+0[56] questions to it"):
        large.evaluate(never)


def test_a_policy_that_fails_and_seats_that_there_are_not(large: Any) -> None:
    with pytest.raises(ParameterError, match="are legal"):
        large.evaluate(lambda s: 7)
    with pytest.raises(ParameterError, match="the policy fails at 3000 red and 3000 black"):
        large.evaluate(lambda s: 1 // 0)
    for ask in (
        lambda: large.evaluate(always, always),
        lambda: large.evaluate(always, seat=1),
        lambda: large.best_response(always),
    ):
        with pytest.raises(ParameterError, match="not a game for two"):
            ask()


def test_the_stopping_line_of_a_small_urn_is_that_of_its_stored_policy() -> None:
    """It was refused: only urns that were swept had one."""
    solution = zermelo.solve(CardDraw(30, 26))
    assert solution.report.engine == "explored" and not solution.has_stopping_line
    frontier, urns = solution.frontier, 0
    for state in solution.space:
        if 0 < state.red + state.black <= frontier.known:
            actions = solution.probe(state).actions
            drawing = actions[DRAW] - actions[STOP]
            urns += 1
            assert abs(drawing) < 1e-9 or frontier.stops(*solution.game.urn(state)) == (drawing < 0)
    assert urns > 100
    with pytest.raises(OutOfReach, match="the stopping line is not for CardDraw"):
        _ = zermelo.solve(CardDraw(5, 5), discount=0.9).frontier


def test_a_line_that_the_window_cuts_off_is_not_taken_for_known() -> None:
    """With 59 and 68 balls left one stops, but the window of this tolerance has at most 67 balls of -1."""
    length = solve_urn(CardDraw(88, 68), tolerance=1e-3).length
    assert length.mean_low <= 146.98017899792123 <= length.mean_high, "found by recursion in rational numbers"

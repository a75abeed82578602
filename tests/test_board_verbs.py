"""Board games in a table of codes: every verb as the general engine has it, on small twins treated as too large to be stored."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from asking import solve_board
from test_boards import Alone, Countdown, Pile, TwoRows
from zermelo import spaces
from zermelo.games import Dodgem
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.uses import board_response, need
from zermelo.views.play import Session

# Drawn by circling, won with PASS, drawn at the end (symmetries, `player`), a player who moves twice.
GAMES = [GobbletGobblers(1, 1, True), Dodgem(3), TwoRows(), Countdown(20)]
SEATS = [(game, seat) for game in GAMES for seat in (0, 1)]


@pytest.fixture(scope="module")
def twins() -> Callable[[Any], tuple[Any, Any]]:
    """(solved as a large board game, solved by the general engine), each once."""
    known: dict[Any, tuple[Any, Any]] = {}

    def of(game: Any) -> tuple[Any, Any]:
        if game not in known:
            with only("interpreted"):
                known[game] = solve_board(game), zermelo.solve(game)
        return known[game]

    return of


@pytest.fixture(autouse=True)
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is solved again with all states stored."""
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)


def first_of(game: Any) -> Callable[[Any], Any]:
    return lambda s: next(iter(game.actions(s)))


def last_of(game: Any) -> Callable[[Any], Any]:
    return lambda s: list(game.actions(s))[-1]


def middle_of(game: Any) -> Callable[[Any], Any]:
    def policy(s: Any) -> Any:
        actions = list(game.actions(s))
        return actions[sum(map(hash, s)) % len(actions)]

    return policy


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_plays_under_optimal_play(in_python: None, twins: Any, game: Any) -> None:
    board, general = twins(game)
    ours, theirs = board.simulate(50, seed=3), general.simulate(50, seed=3)
    assert (ours.lengths, ours.circling, ours.distribution) == (theirs.lengths, theirs.circling, theirs.distribution)
    assert ours.total.value == theirs.total.value and ours.z == theirs.z == 0.0
    length, expected = board.length, general.length
    assert length.mean == expected.mean and (length.variance == 0.0 or math.isnan(length.variance) and math.isnan(expected.variance))
    for payoff in (None, "payoff"):
        ours, theirs = board.distribution(payoff), general.distribution(payoff)
        assert ours.support.tolist() == theirs.support.tolist() and ours.of == theirs.of
        assert ours.probabilities.tolist() == theirs.probabilities.tolist()
        assert (ours.endless, ours.tail) == (theirs.endless, theirs.tail)


@pytest.mark.parametrize(("game", "seat"), SEATS, ids=str)
def test_policies_of_ones_own(in_python: None, twins: Any, game: Any, seat: int) -> None:
    """Against optimal play and against another policy: value, loss, mistakes, and the same play when it is simulated."""
    board, general = twins(game)
    first, middle, last = (of(game) for of in (first_of, middle_of, last_of))
    for policy, opponent in ((first, None), (middle, middle), (last, None), (last, middle)):
        ours = board.evaluate(policy, opponent, seat=seat)
        theirs = general.evaluate(policy, opponent, seat=seat)
        assert (ours.value, ours.loss, ours.seat, ours.states) == (theirs.value, theirs.loss, seat, theirs.states)
        assert theirs.low <= ours.low == ours.value == ours.high <= theirs.high
        assert ours.payoffs == theirs.payoffs and ours.bounds == {"payoff": (ours.value, ours.value)}
        assert [m.cost for m in ours.mistakes] == [m.cost for m in theirs.mistakes]  # of equally costly ones, others may be listed
        for mistake in (*ours.mistakes, *theirs.mistakes):
            best, taken = (general.action_value(mistake.state, a) for a in (mistake.best, mistake.action))
            assert mistake.action == policy(mistake.state) and abs(best - taken) == mistake.cost
        played = [s.simulate(3, policy=policy, opponent=opponent, seat=seat) for s in (board, general)]
        assert played[0].lengths == played[1].lengths and played[0].circling == played[1].circling
        assert played[0].mean == played[1].mean and played[0].total.value is None
        if opponent is None:  # the opponent of a simulation takes the first of equally good moves, not the one that hurts most
            assert (played[0].mean - ours.value) * (1, -1)[seat] >= 0
        else:
            assert played[0].mean == ours.value


def test_a_mistake_is_found(in_python: None) -> None:
    """Taking one of three left, two must be taken; a single win thrown away costs 2."""
    board = solve_board(Countdown(4))
    found = board.evaluate(lambda s: 2 if s.left == 4 else 1)
    assert (found.value, found.loss) == (-1.0, 2.0)
    (mistake,) = found.mistakes
    assert (mistake.state.left, mistake.action, mistake.best, mistake.cost) == (4, 2, 1, 2.0)
    assert found.worst_state == mistake.state


@pytest.mark.parametrize(("game", "seat"), SEATS, ids=str)
def test_best_responses(in_python: None, twins: Any, game: Any, seat: int) -> None:
    """As much as the general engine finds, and the answer's policy comes to it."""
    board, general = twins(game)
    for opponent in (first_of(game), middle_of(game)):
        ours, theirs = board.best_response(opponent, seat=seat), general.best_response(opponent, seat=seat)
        assert (ours.value, ours.gain) == (theirs.value, theirs.gain)
        assert theirs.low <= ours.low == ours.value == ours.high <= theirs.high
        assert (ours.seat, ours.states, ours.payoffs) == (seat, theirs.states, theirs.payoffs)
        assert board.evaluate(ours.policy, opponent, seat=seat).value == ours.value
        assert general.evaluate(ours.policy, opponent, seat=seat).value == ours.value


def test_the_response_is_for_positions_that_occur(twins: Any) -> None:
    """The opponent, who begins, may move otherwise in mirror images, which don't occur."""
    game = TwoRows()
    board, _ = twins(game)
    answer = board.best_response(first_of(game), seat=1).policy
    for state in [o.state for a in board.rules.actions(game.start()) for o in board.rules.outcomes(game.start(), a)]:
        if state == type(state)((1,) + (0,) * 5):
            assert answer(state) in list(game.actions(state))
        else:
            with pytest.raises(zermelo.UnreachableState, match="is no state where the answer decides"):
                answer(state)


def test_what_is_refused(twins: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Dodgem(3)
    board, _ = twins(game)
    monkeypatch.setattr(board_response, "MOST_POSITIONS", 10)
    with pytest.raises(zermelo.OutOfReach, match="which are more than 10 in Dodgem: ask for smaller parameters"):
        board.best_response(first_of(game))
    with pytest.raises(zermelo.OutOfReach, match="an export needs tables of all .* positions of Dodgem"):
        board.export_umb(tmp_path / "dodgem.umb")
    with pytest.raises(zermelo.OutOfReach, match="a play was still going on after 2 moves, at [^;]*; raise max_steps"):
        board.distribution(max_steps=2)
    for ask in (board.evaluate, board.best_response, lambda p: board.simulate(2, policy=p)):
        with pytest.raises(zermelo.ParameterError, match="a policy is a function"):
            ask(7)
        with pytest.raises(zermelo.ParameterError, match="the policy returns 'up' at"):
            ask(lambda s: "up")
    for ask in (board.evaluate, board.best_response):
        with pytest.raises(zermelo.ParameterError, match="seat must be 0 or 1"):
            ask(first_of(game), seat=2)


class Side(NamedTuple):
    """`Alone`, played by the players that `who` names, who are asked in turn; `sign` of their moves."""

    who: tuple[int, int] = (1, 1)
    sign: int = 1

    def start(self) -> Pile:
        return Pile(4, 0)

    def player(self, s: Pile) -> int:
        return self.who[s.left % 2]

    actions = Alone.actions

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - 1 if action else 0, 1 - action), self.sign

    def payoff(self, s: Pile) -> int:
        return s.bonus - 1 if self.who[0] else 1 - s.bonus

    def space(self) -> Any:
        return spaces.product(range(5), range(2))


class Forced(Side):
    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1 - s.bonus


SIDES = Alone(), Side(), Side((0, 0)), Side((0, 1)), Side((1, 1), -1), Forced((0, 1)), Forced((0, 1), -1)


@pytest.mark.parametrize("game", SIDES, ids=str)
def test_whether_one_player_or_two_move(twins: Any, game: Any) -> None:
    """A puzzle was told to be for two players, and took an opponent."""
    board, general = twins(game)
    for fact in ("players", "passes"):
        assert board.report.facts[fact] == general.report.facts[fact]
    for words in ("one player", "two players"):
        assert (words in board.report.summary) == (words in general.report.summary)
    policy = first_of(game)
    for solution in (board, general):
        for ask in (solution.evaluate, lambda p, s=solution, **given: s.simulate(2, policy=p, **given)):
            if solution.report.is_for_two:
                ask(policy, opponent=policy, seat=1)
                continue
            for given in ({"opponent": policy}, {"seat": 1 - solution.rules.player(solution.rules.start)}):
                if given != {"seat": 0}:  # what nobody has asked for
                    with pytest.raises(zermelo.ParameterError, match="is not a game for two: it takes neither an opponent nor"):
                        ask(policy, **given)
        if not solution.report.is_for_two:
            with pytest.raises(zermelo.ParameterError, match="the seat must be 1, not 2: this is no game for two"):
                Session(solution, 1)
    found, expected = board.evaluate(policy), general.evaluate(policy)
    assert (found.value, found.loss, found.seat, found.against) == (expected.value, expected.loss, expected.seat, expected.against)


def test_a_policy_is_asked_once_in_a_state(twins: Any) -> None:
    game = Dodgem(3)
    board, _ = twins(game)
    asked: list[Any] = []

    def policy(s: Any) -> Any:
        asked.append(s)
        return first_of(game)(s)

    board.evaluate(policy, seat=1)
    assert asked and len(asked) == len(set(asked))


def test_exact_answers_stay_exact(in_python: None) -> None:
    from fractions import Fraction

    from zermelo.engines.base import Request
    from zermelo.engines.boards.solving import solve_board as solved
    from zermelo.solution import solution_of

    board = solution_of(solved(Request(Dodgem(2), exact=True)))
    found = board.evaluate(first_of(Dodgem(2)))
    assert isinstance(found.value, Fraction) and isinstance(found.loss, Fraction) and found.is_exact
    assert isinstance(board.best_response(first_of(Dodgem(2))).value, Fraction)


def test_a_small_board_game_is_exported(in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("umbi")
    monkeypatch.undo()
    assert solve_board(Dodgem(2)).export_umb(tmp_path / "dodgem.umb").states > 10

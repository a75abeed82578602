"""Games of OpenSpiel as games of ours, and ours as games of OpenSpiel; what is computed is compared with OpenSpiel's own algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.basics.notices import Notice
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games import KuhnPoker, Pig
from zermelo.kernels.kernel import only

pyspiel = pytest.importorskip("pyspiel")


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with only("interpreted"):
        yield


def minimax(state: Any) -> Fraction:
    """The value of a state for player 0, straight from the definition."""
    if state.is_terminal():
        return Fraction(state.returns()[0])
    if state.is_chance_node():
        return sum((Fraction(p).limit_denominator(1000) * minimax(state.child(a)) for a, p in state.chance_outcomes()), Fraction(0))
    best = max if state.current_player() == 0 else min
    return best(minimax(state.child(a)) for a in state.legal_actions())


# --- theirs as ours ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nim(pile_sizes=1;2;3)", "catch(rows=4,columns=3)"])
def test_perfect_information_is_worth_what_minimax_says(name: str) -> None:
    expected = minimax(pyspiel.load_game(name).new_initial_state())
    for merge in (True, False):
        assert zermelo.solve(zermelo.from_openspiel(name, merge=merge), exact=True).value == expected


@pytest.mark.parametrize(
    ("name", "ways"),
    [("pig(winscore=4,horizon=6,diceoutcomes=3)", (True, False)), ("pig(winscore=4,horizon=10,diceoutcomes=2)", (True,))],
)
def test_moves_that_are_left_count_though_no_text_shows_them(name: str, ways: tuple[bool, ...]) -> None:
    """Ten moves: 1/7 was certified, the value of play without an end, for 73/512."""
    expected = minimax(pyspiel.load_game(name).new_initial_state())
    for merge in ways:
        assert zermelo.solve(zermelo.from_openspiel(name, merge=merge), exact=True).value == expected
    with pytest.warns(Notice, match=r"moves at the latest, which is left out.*a larger max_states"):
        zermelo.from_openspiel(name.replace("horizon=", "horizon=1"), max_states=200)


def test_tic_tac_toe_has_5478_positions_and_is_drawn() -> None:
    game = zermelo.from_openspiel("tic_tac_toe")
    solution = zermelo.solve(game)
    assert solution.value == 0 and solution.certificate.kind == "proof" and solution.report.states == 5478
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for action in (0, 4, 1):  # o must block
        state.apply_action(action)
    at = game.find(state)
    assert solution.best_action(at) == 2 and solution.probe(at).value == 0
    assert solution.rules.action_name(2) == "x(0,2) or o(0,2)"
    assert "xx." in solution.rules.show(at)


def test_kuhn_and_leduc_are_proven() -> None:
    kuhn = zermelo.solve(zermelo.from_openspiel("kuhn_poker"))
    assert kuhn.value == Fraction(-1, 18) and kuhn.certificate.kind == "proof"
    leduc = zermelo.solve(zermelo.from_openspiel("leduc_poker"))
    assert leduc.certificate.kind == "proof"
    assert float(leduc.value) == pytest.approx(-0.085606424078, abs=5e-13)
    assert leduc.value == zermelo.solve("leduc-poker").value


def test_information_states_are_what_a_player_sees() -> None:
    game = zermelo.from_openspiel("kuhn_poker")
    solution = zermelo.solve(game)
    king = solution.probe(game.seen("2b"), seat=1)  # bet to, with the best card
    assert king.actions[1] > king.actions[0] or king.mixture[1] == 1
    with pytest.raises(ParameterError, match="nobody moves"):
        game.seen("9b")


def test_simultaneous_moves_are_moves_in_turn_unseen() -> None:
    assert zermelo.solve(zermelo.from_openspiel("matrix_rps")).value == 0
    assert zermelo.solve(zermelo.from_openspiel("matrix_mp")).policy(0)[1,] == {0: Fraction(1, 2), 1: Fraction(1, 2)}


@pytest.mark.parametrize(
    "name, said",
    [
        ("matrix_pd", "general-sum"),
        ("kuhn_poker(players=3)", "is for 3 players"),
        ("backgammon", "more than 300 states"),
        ("2048", "writes two states alike|more than 300 states"),
    ],
)
def test_games_that_are_refused(name: str, said: str) -> None:
    with pytest.raises(OutOfReach, match=said) as error:
        zermelo.from_openspiel(name, max_states=300)
    assert "\n" not in str(error.value)


def test_names_and_options_that_are_wrong() -> None:
    for ask in (
        lambda: zermelo.from_openspiel("no_such_game"),
        lambda: zermelo.from_openspiel(7),
        lambda: zermelo.from_openspiel(pyspiel.load_game("tic_tac_toe").new_initial_state()),
        lambda: zermelo.exploitability("kuhn_poker", None),
        lambda: zermelo.exploitability("kuhn_poker", lambda state: None),
        lambda: zermelo.exploitability("kuhn_poker", lambda state: [0.5, 0.5]),
        lambda: zermelo.exploitability("tic_tac_toe", lambda state: None),
        lambda: zermelo.from_openspiel("kuhn_poker", wheels=3),
        lambda: zermelo.from_openspiel(pyspiel.load_game("kuhn_poker"), players=2),
        lambda: zermelo.from_openspiel("kuhn_poker", policies={2: None}),
        lambda: zermelo.from_openspiel("kuhn_poker", policies={0: lambda state: {7: 1.0}}),
        lambda: zermelo.from_openspiel("kuhn_poker", policies={0: lambda state: {0: 0.4}}),
    ):
        with pytest.raises(ParameterError) as error:
            ask()
        assert "\n" not in str(error.value)


# --- policies of theirs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kuhn_poker", "nim(pile_sizes=1;2;3)", "catch(rows=4,columns=3)"])
def test_exploitability_is_what_openspiel_says(name: str) -> None:
    policy = pytest.importorskip("open_spiel.python.policy")
    algorithm = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game(name)
    uniform = policy.UniformRandomPolicy(game)
    found = zermelo.exploitability(game, uniform, exact=True)
    assert isinstance(found.value, Fraction) and found.low == found.value == found.high
    near = zermelo.exploitability(name, uniform)
    assert near.low <= found.value <= near.high and near.high - near.low < 1e-12
    if game.num_players() == 2:
        assert float(found.nash_conv) == pytest.approx(algorithm.nash_conv(game, uniform), abs=1e-12)
        assert float(found.value) == pytest.approx(algorithm.exploitability(game, uniform), abs=1e-12)
    else:
        assert found.responses[0] == minimax(game.new_initial_state())


def test_the_exploitability_of_learnt_play_is_an_interval() -> None:
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    algorithm = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game("kuhn_poker")
    solver = cfr.CFRSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = zermelo.exploitability(game, average)
    assert 0 < found.low <= found.value <= found.high
    assert found.high - found.low < 1e-12 and isinstance(found.value, Fraction)
    ours = zermelo.from_openspiel(game)
    solution = zermelo.solve(ours)
    told = [solution.evaluate(ours.strategy(average, seat), seat=seat) for seat in (0, 1)]
    assert told[0].loss + told[1].loss == found.nash_conv
    assert float(found.nash_conv) == pytest.approx(algorithm.nash_conv(game, average), abs=1e-10)


# --- ours as theirs ---------------------------------------------------------------------------------------------------


def test_ours_comes_back_with_the_same_value() -> None:
    for game in (KuhnPoker(), Pig(goal=5)):
        there = zermelo.to_openspiel(game)
        assert pyspiel.load_game(there.get_type().short_name).num_distinct_actions() == there.num_distinct_actions()
        assert zermelo.solve(zermelo.from_openspiel(there)).value == pytest.approx(zermelo.solve(game).value, abs=1e-12)


def test_openspiel_plays_ours() -> None:
    pyspiel_tests = pytest.importorskip("open_spiel.python.policy")
    algorithm = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    ours, theirs = zermelo.to_openspiel(KuhnPoker()), pyspiel.load_game("kuhn_poker")
    found = [algorithm.nash_conv(game, pyspiel_tests.UniformRandomPolicy(game)) for game in (ours, theirs)]
    assert found[0] == pytest.approx(found[1], abs=1e-12)
    pyspiel.random_sim_test(ours, num_sims=5, serialize=False, verbose=False)
    pyspiel.random_sim_test(zermelo.to_openspiel(Pig(goal=5)), num_sims=5, serialize=False, verbose=False)


class Pile(NamedTuple):
    left: int


class Paying(NamedTuple):
    """Take one or two, which is paid at once; the last one taken costs three."""

    matches: int = 5

    def start(self) -> Pile:
        return Pile(self.matches)

    def actions(self, s: Pile) -> Any:
        for take in range(1, min(2, s.left) + 1):  # noqa: UP028
            yield take

    def outcomes(self, s: Pile, take: int) -> Any:
        yield 1, take - (3 if take == s.left else 0), Pile(s.left - take), -1


def test_payoffs_on_the_way_and_pass() -> None:
    game = zermelo.to_openspiel(Paying())
    assert minimax(game.new_initial_state()) == zermelo.solve(Paying(), exact=True).value
    assert game.max_game_length() == 5 and game.max_utility() >= 1
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)
    assert zermelo.solve(zermelo.from_openspiel(game), exact=True).value == zermelo.solve(Paying(), exact=True).value


class Dimes(NamedTuple):
    """Player 0 takes 10 cents, then 20 or none."""

    def start(self) -> Pile:
        return Pile(2)

    def actions(self, s: Pile) -> Any:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: Pile, take: int) -> Any:
        yield 1, 0.1 if s.left == 2 else 0.2 * take, Pile(s.left - 1)


def test_payoffs_that_add_up_are_the_decimals_that_are_meant() -> None:
    """As floats 0.1 and 0.2 are 0.30000000000000004, of which there was no exact value."""
    there = zermelo.to_openspiel(Dimes())
    assert there.new_initial_state().child(1).child(1).returns() == [0.3]
    assert zermelo.solve(zermelo.from_openspiel(there), exact=True).value == Fraction(3, 10)


class Draws(NamedTuple):
    """Two draws to choose from, each of two numbers."""

    def start(self) -> Pile:
        return Pile(2)

    def actions(self, s: Pile) -> Any:
        if s.left == 2:
            yield 1
            yield 3

    def outcomes(self, s: Pile, chance: int) -> Any:
        yield chance, 0, Pile(1)
        yield 1, 0, Pile(0)

    def payoff(self, s: Pile) -> int:
        return s.left


def test_what_is_drawn_after_two_actions_is_written_apart() -> None:
    """The texts of both were alike, and OpenSpiel's algorithms know states by their texts."""
    there = zermelo.to_openspiel(Draws())
    start = there.new_initial_state()
    assert str(start.child(0)) != str(start.child(1))
    assert zermelo.solve(zermelo.from_openspiel(there), exact=True).value == Fraction(3, 4)


def test_moves_without_a_choice_are_information_states_apart() -> None:
    """What a player sees where he has no choice need not tell the states apart, as player B's node and the chance node here."""
    text = """EFG 2 R "forced" { "A" "B" }
c "" 1 "" { "x" 1/2 "y" 1/2 } 0
p "" 2 1 "" { "b" } 0
t "" 1 "" { 5, -5 }
p "" 2 1 "" { "b" } 0
c "" 2 "" { "z" 1 } 0
t "" 2 "" { 1, -1 }"""
    game = zermelo.from_gambit(text)
    assert zermelo.solve(zermelo.from_openspiel(zermelo.to_openspiel(game)), exact=True).value == 3


def test_what_openspiel_can_not_hold() -> None:
    from zermelo.games import HogSimultaneous

    with pytest.raises(OutOfReach, match="both choose at once"):
        zermelo.to_openspiel(HogSimultaneous(goal=5))
    with pytest.raises(OutOfReach, match="more than 3 states"):
        zermelo.to_openspiel(Pig(goal=5), max_states=3)
    with pytest.raises(ParameterError, match="already"):
        zermelo.to_openspiel(KuhnPoker(), name="kuhn_poker")

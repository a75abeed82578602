"""Games in which both choose at once: small matrix games in floats, stochastic games against Shapley's iteration in Fractions, bounds
that hold without a tolerance, games without optimal strategies, and all that people do with such a solution."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.optimize import linprog

import zermelo
from naive_matrix import shapley, value
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import OutOfReach, RulesError
from zermelo.games import HogSimultaneous
from zermelo.games.hog_simultaneous import State
from zermelo.kernels import joint_newton
from zermelo.kernels.kernel import only
from zermelo.kernels.matrix_game import solve_matrix
from zermelo.language.rules import read
from zermelo.link.interpreted_steps import InterpretedSteps
from zermelo.link.native import CompiledSteps
from zermelo.methods import joint_block
from zermelo.problem.solver import NotConverged, SolverFailure, Unbounded, Uncertified
from zermelo.problem.transitions import Transitions
from zermelo.solvers.simultaneous import Simultaneous
from zermelo.uses.chain import optimal_chain
from zermelo.uses.need import explored_of
from zermelo.views.play import Session

# --- matrices ---------------------------------------------------------------------------------------------------------


def solved(matrix):
    a = np.array(matrix, float)
    p, q = np.full(a.shape[0], np.nan), np.full(a.shape[1], np.nan)
    return solve_matrix(a, *a.shape, p, q), p, q


def program(a):
    """The value by a linear program of somebody else's."""
    rows, columns = a.shape
    inequality = np.hstack([-a.T, np.ones((columns, 1))])
    total = np.append(np.ones(rows), 0.0)[None]
    bounds = [(0, None)] * rows + [(None, None)]
    return -linprog(np.append(np.zeros(rows), -1.0), inequality, np.zeros(columns), total, [1.0], bounds).fun


KINDS = {
    "normal": lambda r, m, n: r.normal(size=(m, n)),
    "ties": lambda r, m, n: r.integers(-2, 3, (m, n)).astype(float),
    "nearly equal": lambda r, m, n: 3.0 + 1e-9 * r.integers(0, 3, (m, n)),
    "rank one": lambda r, m, n: np.outer(r.normal(size=m), r.normal(size=n)) + 1e-7 * r.normal(size=(m, n)),
    "huge and tiny": lambda r, m, n: r.normal(size=(m, n)) * 10.0 ** r.integers(-8, 9, (m, n)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_both_strategies_of_a_matrix_guarantee_its_value(kind):
    dice = np.random.default_rng(1)
    for _ in range(60):
        a = KINDS[kind](dice, *dice.integers(1, 31, 2))
        worth, p, q = solved(a)
        scale = np.abs(a).max()
        assert p.min() >= 0 and q.min() >= 0 and abs(p.sum() - 1) < 1e-14 and abs(q.sum() - 1) < 1e-14
        assert (a @ q).max() - (p @ a).min() <= 4e-14 * scale
        assert (p @ a).min() - 1e-14 * scale <= worth <= (a @ q).max() + 1e-14 * scale


def test_the_value_of_a_matrix_is_that_of_the_linear_program_and_of_all_kernels():
    dice = np.random.default_rng(2)
    for _ in range(20):
        a = dice.integers(-9, 10, dice.integers(1, 4, 2))
        assert abs(solved(a)[0] - float(value(a.tolist()))) < 1e-14 * 9
        wide = dice.normal(size=dice.integers(2, 20, 2))
        assert abs(solved(wide)[0] - program(wide)) < 1e-8


# --- stochastic games against the oracle ------------------------------------------------------------------------------


class Problem(NamedTuple):
    """A game by hand: what solvers see."""

    whole_game: Transitions
    width: list[int]
    components: list[int]

    num_payoffs = 1

    @property
    def num_states(self):
        return self.whole_game.high

    def widths(self, low, high):
        return np.array(self.width[low:high], np.int32)

    def batches(self):
        yield self.whole_game, np.array(self.components, np.int64)


def problem(states, components=None):
    """States as in `naive_matrix.shapley`; chances become whole ways. One component unless boundaries are given."""
    rows = [cell for s in states if isinstance(s, list) for row in s for cell in row]
    counts = [len(s) * len(s[0]) if isinstance(s, list) else 0 for s in states]
    outs = [o for cell in rows for o in cell]
    game = Transitions(
        0,
        len(states),
        np.cumsum([0, *counts]).astype(np.int64),
        np.cumsum([0] + [len(cell) for cell in rows]).astype(np.int64),
        np.array([float(o[0]) * 60 for o in outs]),
        np.array([o[2] for o in outs], np.int32),
        np.array([o[3] for o in outs], np.int8),
        np.array([[float(o[1])] for o in outs]),
        np.array([[0.0 if isinstance(s, list) else float(s)] for s in states]),
        np.zeros(len(states), np.int8),
    )
    finals = next(i for i, s in enumerate(states) if isinstance(s, list))
    return Problem(
        game,
        [len(s) if isinstance(s, list) else 0 for s in states],
        components or [*range(finals + 1), len(states)],
    )


def random_game(dice, size, most=3, leave=Fraction(1, 2), passes=False):
    """`size` states from which play leaves with a probability of `leave` at least, to two final ones."""
    states = [Fraction(dice.randint(-5, 5)), Fraction(dice.randint(-5, 5))]

    def cell():
        sign = dice.choice((1, -1)) if passes else 1
        stays = (Fraction(1) - leave, dice.randint(-3, 3), dice.randrange(2, size + 2), sign)
        return [stays, (leave, dice.randint(-3, 3), dice.randrange(2), 1)]

    for _ in range(size):
        m, n = dice.randint(1, most), dice.randint(1, most)
        states.append([[cell() for _ in range(n)] for _ in range(m)])
    return states


def close(found, expected):
    return all(
        abs(Fraction(float(v)) - x) <= Fraction(float(e)) + Fraction(1, 2**64)
        for v, e, x in zip(found.value[:, 0], found.error[:, 0], expected, strict=True)
    )


@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_values_lie_within_their_bounds(passes, discount):
    dice = random.Random(7)
    for size in (1, 3, 5):
        states = random_game(dice, size, leave=Fraction(1, 2) if discount == 1 else Fraction(0), passes=passes)
        found = Simultaneous().solve(problem(states), discount, lambda *_: None)
        expected = shapley(states, Fraction(discount), 70)
        assert close(found, expected) and found.error.max() < 1e-12


def test_large_components_are_solved_without_a_small_cutset(monkeypatch):
    monkeypatch.setattr(joint_block, "PATIENCE", 3)
    dice = random.Random(3)
    for passes in (False, True):
        states = random_game(dice, 50, most=2, passes=passes)
        for state in states[2:]:  # so many ways back that no small cutset does
            for row in state:
                for cell in row:
                    cell[0] = (Fraction(1, 12), *cell[0][1:])
                    cell += [(Fraction(1, 12), 0, dice.randrange(2, 52), 1) for _ in range(5)]
        found = Simultaneous().solve(problem(states), 1.0, lambda *_: None)
        again = shapley(states, Fraction(1), 25)  # within 2^-25 of the truth
        assert found.error.max() < 1e-11
        assert max(abs(float(x) - v) for x, v in zip(again, found.value[:, 0], strict=True)) < 5 * 2.0**-25


def test_player_0_against_the_best_answer_finds_the_same(monkeypatch):
    """Hoffman and Karp's method, taken where switching both strategies at once does not help."""
    states = random_game(random.Random(5), 6)
    expected = shapley(states, Fraction(1), 60)
    game = problem(states)
    mixed = _prepare(game)
    rows, block = _block(game, mixed)
    monkeypatch.setattr(joint_block.JointBlock, "switched_together", lambda self, best, parts: np.inf)
    block.iterate()
    assert max(abs(v - float(x)) for v, x in zip(block.value[:-1, 0], expected[2:], strict=True)) < 1e-13


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_the_transitions_are_not_written_again_to_count_actions(tier, monkeypatch):
    """`widths` did so, for each batch, which was a quarter of the time of Hog."""
    with only(tier):
        explored = zermelo.solve(HogSimultaneous(5, 2)).answers.explored
    rules = explored.rules
    expected = [len(rules.choices(state)[0]) * bool(rules.actions(state)) for state in map(explored.state_of, range(explored.num_states))]
    again = replace(explored)
    monkeypatch.setattr(Explored, "_write", None)
    assert explored.widths(0, explored.num_states).tolist() == expected and max(expected) == 2
    assert explored.widths(3, 5).tolist() == expected[3:5]
    monkeypatch.undo()
    assert again.widths(3, 5).tolist() == expected[3:5]
    assert again.widths(0, explored.num_states).tolist() == expected


def _prepare(game):
    from zermelo.solvers.simultaneous import _prepared

    return _prepared(game.whole_game, game.widths(0, game.num_states))


def _block(game, mixed):
    from zermelo.kernels.components import isolate
    from zermelo.kernels.condense import Rows, condense

    batch = game.whole_game
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, 1.0)
    rows = Rows(0, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    part = joint_newton.Mixed(mixed.width[2:], mixed.p_start[2:], mixed.q_start[2:], mixed.p, mixed.q)
    value = batch.final_payoff.copy()
    return rows, joint_block.JointBlock(Rows(*isolate(rows, 2, batch.high, value)), part, True)


# --- play that could go on forever -----------------------------------------------------------------------------------


def certain(payoff, state, sign=1):
    return [(Fraction(1), payoff, state, sign)]


def test_a_game_without_an_optimal_strategy_gets_an_honest_interval():
    """Hide or run (Everett 1957): hiding forever never wins, but the runner can win with a chance as near to 1 as he likes."""
    hide_or_run = [
        [certain(0, 2), certain(0, 1)],
        [certain(0, 1), certain(0, 0)],
    ]  # state 0 is worth 0, state 1 is worth 1
    game = problem([Fraction(0), Fraction(1), hide_or_run])
    found = Simultaneous().solve(game, 1.0, lambda *_: None)
    low, high = found.value[2, 0] - found.error[2, 0], found.value[2, 0] + found.error[2, 0]
    assert low <= 1 <= high and high - low < 1e-3


class Spot(NamedTuple):
    at: int


class Tabled(NamedTuple):
    """A game given by its tables: `cells` has a row for every state (rows, columns, the outcomes of each pair: ways, next, sign), `ends`
    what the states after these pay."""

    cells: tuple = ()
    ends: tuple = ()

    def start(self):
        return Spot(0)

    def actions(self, s):
        if s.at < len(self.cells):
            yield from range(self.cells[s.at][0])

    def other_actions(self, s):
        if s.at < len(self.cells):
            yield from range(self.cells[s.at][1])

    def outcomes(self, s, i, j):
        for ways, after, sign in self.cells[s.at][2][i * self.cells[s.at][1] + j]:
            yield ways, 0, Spot(after), sign

    def payoff(self, s):
        return self.ends[s.at - len(self.cells)]


STAY = ((1, 0, 1),)


def test_a_tolerance_that_is_not_met_does_not_advise_what_is_refused():
    """It said that `exact` proves the value, which is refused where play can return to a state."""
    run = Tabled(((2, 2, (STAY, ((1, 1, 1),), ((1, 1, 1),), ((1, 2, 1),))),), (1, 0))
    with pytest.raises(OutOfReach, match="so that values need not be rational, and floats can do no better$"):
        zermelo.solve(run, tolerance=1e-12)


@pytest.mark.parametrize(
    ("cells", "ends", "expected"),
    [
        (((2, 1, (STAY, ((1, 1, 1),))),), (0.5,), Fraction(1, 2)),  # go on or stop: in the game that may stop by itself both are as good
        (((1, 2, (((1, 0, -1), (2, 1, 1)), STAY)),), (-3,), Fraction(-3, 2)),  # v = -v / 3 - 2, as the other one is in the same place
        (((2, 2, (STAY, ((1, 2, 1),), ((3, 1, -1), (1, 1, 1), (3, 2, 1)), STAY)),), (1, -1), Fraction(-5, 7)),
        # the first stays against the first column and is paid 1/2 in the second: a bit of his second row makes the first leave for 3/4
        (((2, 2, (STAY, ((1, 1, 1),), ((1, 0, 1), (1, 2, 1)), STAY)),), (0.5, 0.75), Fraction(1, 2)),
        # player 1 has to threaten with his first column, which player 0 must not touch by a second row (-3)
        (((2, 2, (STAY, ((1, 1, 1),), ((1, 2, 1),), STAY)),), (-0.5, -3), Fraction(-1, 2)),
    ],
)
def test_staying_forever_that_is_as_good_as_leaving(cells, ends, expected):
    """Strategies of the game that stops now and then had no bound here, as a probability of 10^-6 too many or too few decides."""
    solution = zermelo.solve(Tabled(cells, ends))
    assert solution.low <= expected <= solution.high and solution.high - solution.low < 1e-5


def test_a_bound_that_says_nothing_is_not_the_last_word():
    """One player must not have the small probability that the other one needs: the interval was [-102, 103]."""
    cells = (
        (4, 2, (((3, 6, 1),), ((2, 6, 1), (1, 0, 1), (1, 2, 1)), ((3, 0, 1),), ((3, 1, 1), (1, 1, 1)), ((1, 4, 1), (3, 4, 1), (1, 2, -1)),
                ((1, 6, -1), (3, 5, -1)), ((1, 1, -1), (3, 1, -1)), ((3, 1, 1),))),
        (1, 1, (((1, 4, 1),),)),
        (2, 3, (((1, 6, 1), (1, 2, -1)), ((1, 3, -1),), ((3, 4, 1), (1, 2, -1), (1, 2, 1)), ((1, 3, 1), (2, 3, 1), (2, 3, 1)),
                ((3, 5, 1), (1, 5, 1)), ((3, 5, 1), (1, 5, 1)))),
        (3, 2, (((1, 1, 1), (3, 5, 1), (1, 3, 1)), ((3, 3, 1),), ((1, 3, 1),), ((3, 4, 1),), ((1, 4, 1), (2, 4, 1)), ((3, 2, -1),))),
    )  # fmt: skip
    solution = zermelo.solve(Tabled(cells, (0.5, 1, 0.5)))
    assert solution.low <= 0.5 <= solution.high and solution.high - solution.low < 1e-5


@pytest.mark.parametrize(
    ("cells", "ends", "discount"),
    [
        # outcomes with PASS that lead outside
        (((2, 3, (((2, 2, -1), (2, 0, 1)), STAY, ((1, 1, -1),), ((1, 2, 1),), ((1, 0, 1), (4, 2, 1)), STAY)),), (0.5, -3), 0.9999),
        # a kink of T lies between the values at hand and those of both strategies, and best responses come nearer by steps of 10^-5
        (((3, 3, (((2, 2, -1), (1, 4, 1)), STAY, ((3, 4, 1),), STAY, ((1, 1, 1), (1, 4, 1)), ((3, 1, 1),), ((2, 3, 1),), ((1, 1, 1),),
                  ((2, 3, 1), (1, 0, 1)))), (1, 2, (((2, 3, 1),), STAY))), (0.5, -1, -3), 0.99999),
        # PASS that leads back
        (((3, 3, (STAY, ((2, 1, 1), (3, 2, 1), (3, 0, -1)), ((1, 3, 1),), ((1, 1, 1), (1, 3, 1), (1, 1, 1)), STAY, ((3, 1, -1),), STAY,
                  ((2, 2, 1), (1, 1, -1)), ((1, 0, -1), (3, 1, 1), (1, 3, 1)))),
          (1, 3, (((2, 0, 1), (3, 3, 1), (3, 0, -1)), ((1, 1, 1),), ((1, 0, 1), (1, 1, 1))))), (-1, -1), 0.9999),
    ],
)  # fmt: skip
def test_a_discount_near_1(cells, ends, discount):
    """Shapley 1953: every discounted game has a value, that is T's only fixed point."""
    game = Tabled(cells, ends)
    solution = zermelo.solve(game, discount=discount)
    assert solution.high - solution.low < 1e-9
    values = [Fraction(solution.probe(Spot(k)).value) for k in range(len(cells))] + [Fraction(end) for end in ends]
    for (rows, columns, table), found in zip(cells, values, strict=False):
        worth = [sum(w * sign * values[t] for w, t, sign in pair) * Fraction(discount) / sum(w for w, _, _ in pair) for pair in table]
        again = value([worth[i * columns : (i + 1) * columns] for i in range(rows)])
        assert abs(again - found) < 1e-15


@pytest.mark.parametrize(("cells", "ends"), [((1, 2, (STAY, ((1, 1, 1),))), -1), ((2, 1, (STAY, ((1, 1, 1),))), 1)])
def test_who_leaves_for_as_much_as_staying_seems_worth_leaves_at_once(cells, ends):
    """His first action stays, which the values alone can't tell from leaving: the stopped game had to be solved more often."""
    solution = zermelo.solve(Tabled((cells,), (ends,)))
    assert solution.low <= ends <= solution.high and solution.high - solution.low < 1e-14
    assert not solution.report.notes


@pytest.mark.parametrize("discount", [1.0, 0.9])
@pytest.mark.parametrize("ends", [(0.25805587247843836, -0.25805587247843836), (0.1, -0.1), (0.3, -0.3)])
def test_a_tie_of_a_fair_game_is_played_again(ends, discount):
    """Rock, paper, scissors with prizes of their own: refused, as the value 0 gave rounding errors nothing to be small against."""
    ends = (1, -1, *ends)
    won, lost, little, less = (((1, k, 1),) for k in range(1, 5))
    solution = zermelo.solve(Tabled(((3, 3, (STAY, lost, little, won, STAY, lost, less, won, STAY)),), ends), discount=discount)
    assert solution.low <= 0 <= solution.high and solution.high - solution.low < 1e-14
    assert not solution.report.notes


def meeting(edges, exit):
    """Two walk on a graph at once. When they meet or pass each other, player 0 pays 1; when player 1 is at the exit, he does."""
    places = [(a, b) for a in range(len(edges)) for b in range(len(edges)) if a != b != exit]
    number = {place: k + 2 for k, place in enumerate(places)}

    def after(a, b, x, y):
        return certain(0, 0 if x == y or (x, y) == (b, a) else number.get((x, y), 1))

    return problem([-1, 1, *([[after(a, b, x, y) for y in edges[b]] for x in edges[a]] for a, b in places)])


@pytest.mark.parametrize(
    ("edges", "exit", "width"),
    [
        (((0, 1, 3), (0, 1, 2), (1, 3), (0, 2, 3)), 3, 2e-4),
        (((0, 1, 3), (0, 2), (1, 2, 3), (0, 2)), 2, 1e-14),
        (((1, 3, 4), (0, 1, 2), (1, 2, 3), (2, 3, 4), (0, 3, 4)), 4, 1e-14),
        (((1, 2), (0, 1, 2), (0, 1, 2)), 0, 1e-10),  # rare stops: values that were far off seemed to be a solution
    ],
)
def test_meeting_on_a_graph(edges, exit, width):
    """The way to the solution leads farther away at first. The game was refused, or its interval was wide."""
    found = Simultaneous().solve(meeting(edges, exit), 1.0, lambda *_: None)
    assert 0 < found.error.max() < width


def test_payoffs_that_cancel_each_other_are_no_measure_of_rounding():
    """The best solution was left for a worse one again and again."""
    own = [
        [[(Fraction(1), 1, 1, -1)], [(Fraction(1, 2), 1, 2, -1), (Fraction(1, 2), -1, 0, -1)]],
        [[(Fraction(1, 2), -1, 0, 1), (Fraction(1, 2), 0, 0, -1)], certain(0, 2)],
    ]
    found = Simultaneous().solve(problem([1e-6, 1, own]), 1.0, lambda *_: None)
    assert found.error.max() < 1e-6


class Leaving(NamedTuple):
    """Player 0 stays or leaves, which costs 4 in the end. Staying costs nothing, or 3 if player 1 says so; leaving then pays 1 a step."""

    def start(self):
        return Spot(0)

    def actions(self, s):
        if s.at == 0:
            yield from range(2)

    def other_actions(self, s):
        if s.at == 0:
            yield from range(2)

    def outcomes(self, s, leaves, says):
        if leaves:
            yield 1, 4 * (says - 1), Spot(1)
            yield 1, says, Spot(0)
        else:
            yield 1, -3 * says, Spot(0)


def test_a_threat_that_is_hardly_ever_carried_out_can_be_small(tmp_path):
    """That staying costs 10^-9 a step was not seen: values that are a little off seem to cost as much. The game was refused."""
    solution = zermelo.solve(Leaving())
    assert solution.low <= -4 <= solution.high and solution.high - solution.low < 1e-10
    path = tmp_path / "leaving.certificate"
    solution.export_certificate(path)
    verdict = zermelo.verify(path, Leaving())
    assert verdict.verified and verdict.low <= -4 <= verdict.high and verdict.high - verdict.low < 1e-10


def test_a_loss_may_be_small_beside_the_payoffs():
    """Who stays for nothing loses 10^-6 if player 1 says so, where others lose 10^6: that counted as nothing, and the game was refused."""
    states = [0.5, [[certain(0, 3)]], [[certain(0, 1), certain(1e-6, 2)], [certain(-1e6, 0), certain(0, 0)]], [[certain(0, 2)]]]
    found = Simultaneous().solve(problem(states), 1.0, lambda *_: None)
    assert (abs(found.value[1:, 0]) <= found.error[1:, 0]).all() and found.error.max() < 1e-12


def test_an_error_is_small_beside_the_values_not_beside_the_largest_payoff():
    """Nobody ever pays 10^6. The interval was [-1, 0]: player 1 stayed, which seemed worth as much as leaving."""
    game = problem([-1, [[certain(1e-6, 1), certain(-1e6, 1)], [certain(0, 1), certain(0, 0)]]])
    found = Simultaneous().solve(game, 1.0, lambda *_: None)
    assert abs(found.value[1, 0] + 1) <= found.error[1, 0] < 1e-9


def test_circling_without_payoff_is_worth_nothing():
    """Either player can stay; staying is what both want."""
    stay = [[certain(0, 2), certain(0, 1)], [certain(0, 0), certain(0, 0)]]
    found = Simultaneous().solve(problem([Fraction(-1), Fraction(1), stay]), 1.0, lambda *_: None)
    assert abs(found.value[2, 0]) <= found.error[2, 0] + 1e-300 and found.error[2, 0] < 1e-6


def test_payoffs_that_pile_up_for_ever_have_no_value():
    pump = [[certain(1, 2), certain(1, 2)], [certain(0, 0), certain(0, 1)]]
    with pytest.raises((Uncertified, Unbounded, NotConverged)):
        Simultaneous().solve(problem([Fraction(-1), Fraction(1), pump]), 1.0, lambda *_: None)


def test_refusals_of_random_games_name_states_where_play_could_stay():
    """Not the nodes of the games for one that are left if a strategy is fixed, of which there are twice as many."""
    refused = 0
    for seed in range(40):
        dice = random.Random(seed)
        states = random_game(dice, dice.randint(1, 5), leave=Fraction(dice.choice((0, 0, 1)), 2), passes=bool(seed % 3))
        game = problem(states)
        try:
            with only("compiled"):  # some take long
                Simultaneous().solve(game, 1.0, lambda *_: None)
        except SolverFailure as refusal:
            refused += 1
            assert refusal.states and sorted(set(refusal.states)) == sorted(refusal.states)
            assert all(2 <= s < len(states) for s in refusal.states)
    assert 8 < refused < 32


# --- Hog --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hog():
    with only("compiled"):  # where it ends up, after Python has tried
        return zermelo.solve(HogSimultaneous(goal=20))


@pytest.fixture(scope="module")
def short():
    return zermelo.solve(HogSimultaneous(goal=4, most_dice=5))


def win(solution, *scores):
    return (1 + solution.probe(State(*scores, 0)).value) / 2


def test_hog_agrees_with_numbers_computed_elsewhere(hog):
    assert abs(win(hog, 0, 10) - 0.367549548992693) < 1e-14
    assert max(hog.errors) < 1e-14
    choosing = ((s, value) for s, value in zip(hog.space, hog.values, strict=True) if max(s.first, s.second) < 20 and not s.waiting)
    worth = {(s.first, s.second): value for s, value in choosing}
    assert len(worth) == 19**2  # a score of 1 does not occur
    assert all(abs(worth[a, b] + worth[b, a]) < 2e-14 for a, b in worth)


def test_hog_agrees_with_value_iteration_over_all_pairs_of_totals(hog):
    """Independent of the rules: the laws of totals as arrays, linear programs instead of the simplex method here."""
    goal, dice = 12, 4
    laws = []
    law = np.array([1.0])
    for _ in range(dice):
        law = np.convolve(law, [0, 0, 1, 1, 1, 1, 1]) / 6
        laws.append(np.append([1 - law.sum()], law[1:]))
    size = goal + 6 * dice
    v = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    for total in range(2 * goal - 2, -1, -1):
        for a in range(max(0, total - goal + 1), min(goal, total + 1)):
            b = total - a
            v[a, b] = 0.0
            for _ in range(60):
                table = np.array([[x @ v[a : a + x.size, b : b + y.size] @ y for y in laws] for x in laws])
                before, v[a, b] = v[a, b], solved(table)[0]
                if abs(before - v[a, b]) < 1e-15:
                    break
            if total % 7 == 0:
                assert abs(program(table) - v[a, b]) < 1e-8
    ours = zermelo.solve(HogSimultaneous(goal, dice))
    reachable = [(a, b) for a in range(goal) for b in range(goal) if State(a, b, 0) in ours.space]
    assert len(reachable) == (goal - 1) ** 2  # a score of 1 does not occur
    assert max(abs(v[a, b] - ours.probe(State(a, b, 0)).value) for a, b in reachable) < 1e-13


def test_the_mixture_near_the_end_is_the_one_computed_elsewhere():
    """At 99 to 99 it does not matter how far the goal is."""
    near = zermelo.solve(HogSimultaneous(goal=1))
    mixture = near.probe(State(0, 0, 0)).mixture
    assert {n: round(p, 9) for n, p in mixture.items() if p} == {2: 0.175580455, 3: 0.052937507, 5: 0.771482038}


def test_a_probe_has_both_mixtures_and_what_every_action_is_worth(hog):
    probe = hog.probe(State(10, 15, 0))
    assert sum(probe.mixture.values()) == pytest.approx(1) and sum(probe.other_mixture.values()) == pytest.approx(1)
    assert probe.mixture[probe.action] == max(probe.mixture.values())
    for mixture, worth, sign in ((probe.mixture, probe.actions, 1), (probe.other_mixture, probe.other_actions, -1)):
        for action, chance in mixture.items():
            assert sign * worth[action] <= sign * probe.value + 1e-12
            assert chance == 0 or worth[action] == pytest.approx(probe.value, abs=1e-12)
    over = hog.probe(State(21, 3, 0))
    assert over.action is None and over.mixture == {} and over.value == 1


def test_a_stored_solution_has_the_mixtures(hog, tmp_path):
    hog.save(tmp_path / "hog.zermelo")
    opened = zermelo.open(tmp_path / "hog.zermelo")
    for state in (State(0, 0, 0), State(10, 15, 0), State(2, 7, 3), State(33, 15, 0)):
        assert opened.probe(state) == hog.probe(state)
    assert opened.simulate(2000, seed=4).mean == hog.simulate(2000, seed=4).mean


def test_simulation_and_distribution_follow_the_mixtures(hog):
    played = hog.simulate(200_000, seed=2)
    assert abs(played.z) < 4
    lengths = hog.distribution()
    assert abs(lengths.mean - played.mean_length) < 0.05
    assert played.lengths.keys() <= set(range(2, 400, 2))  # two steps a round


def test_a_data_frame_names_the_likeliest_actions(hog):
    frame = hog.to_dataframe().set_index(["first", "second", "waiting"])
    row, probe = frame.loc[10, 15, 0], hog.probe(State(10, 15, 0))
    assert row["action"] == f"{probe.action} dice" and row["probability"] == probe.mixture[probe.action]
    assert row["other action"] == "5 dice" and row["other probability"] == max(probe.other_mixture.values())


def test_models_of_one_player_a_state_are_refused(hog, tmp_path):
    with pytest.raises(OutOfReach, match="both choose at once"):
        hog.export_umb(tmp_path / "hog.umb")


@pytest.mark.parametrize("seat", [0, 1])
def test_plays_of_a_strategy_of_ones_own_agree_with_its_value(hog, seat):
    """Pure or mixed, in either seat, against the optimal mixture or another strategy."""
    for strategy, opponent in ((lambda s: 2, None), (lambda s: {1: 0.5, 3: 0.5}, None), (lambda s: 1, lambda s: 2)):
        played = hog.simulate(20_000, seed=3, policy=strategy, opponent=opponent, seat=seat)
        worth = hog.evaluate(strategy, opponent, seat=seat).value
        assert abs(played.mean - worth) < 5 * played.standard_error and played.z is None


# --- playing ----------------------------------------------------------------------------------------------------------


def test_a_person_plays_against_the_other_mixture(short):
    drawn = []
    for seed in range(16):
        session = Session(short, 0, seed)
        (choice,) = [c for c in session.hint() if c.action == 3]
        steps = session.act(3)
        drawn.append(steps[0].other)
        best = session.solution.probe(State(0, 0, 0)).value
        assert steps[0].loss == pytest.approx(best - choice.value, abs=1e-12) and steps[0].choices == 5
        assert session.is_over or session.is_persons_turn
    expected = short.probe(State(0, 0, 0)).other_mixture
    assert set(drawn) == {f"{n} dice" for n, p in expected.items() if p}


def test_the_second_seat_plays_the_second_players_actions(short):
    session = Session(short, 1, 5)
    while not session.is_over:
        best = session.hint()[0]
        session.act(best.action)
    assert session.mistakes == [] and session.result in (-1, 0, 1)
    assert all(step.seat == 1 for step in session.steps)
    assert session.undo() and not session.is_over


# --- rules of one's own -----------------------------------------------------------------------------------------------


class Ladder(NamedTuple):
    """Rock, paper, scissors for the first to be two ahead; a paper is worth two."""

    lead: int = 2

    class At(NamedTuple):
        ahead: int

    def start(self):
        return Ladder.At(0)

    def actions(self, s):
        if abs(s.ahead) < self.lead:
            yield 0
            yield 1
            yield 2

    def other_actions(self, s):
        if abs(s.ahead) < self.lead:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s, action, other):
        won = (action - other + 4) % 3 - 1
        step = won * (2 if (action if won > 0 else other) == 1 else 1)
        yield 1, 0, Ladder.At(max(-self.lead, min(self.lead, s.ahead + step)))

    def payoff(self, s):
        return 1 if s.ahead > 0 else -1


class LadderByViews(NamedTuple):
    """The same from the view of whoever is ahead: the other's view counts negated."""

    lead: int = 2

    def start(self):
        return Ladder.At(0)

    def actions(self, s):
        if s.ahead < self.lead:
            yield 0
            yield 1
            yield 2

    def other_actions(self, s):
        if s.ahead < self.lead:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s, action, other):
        won = (action - other + 4) % 3 - 1
        step = won * (2 if (action if won > 0 else other) == 1 else 1)
        ahead = max(-self.lead, min(self.lead, s.ahead + step))
        if ahead < 0:
            yield 1, 0, Ladder.At(-ahead), -1
        else:
            yield 1, 0, Ladder.At(ahead), 1

    def payoff(self, s):
        return 1


def test_views_of_both_players_give_the_same_values():
    """A draw at every step is possible forever: play circles for free."""
    one, other = zermelo.solve(Ladder(3)), zermelo.solve(LadderByViews(3))
    for ahead in range(3):
        a, b = one.probe(Ladder.At(ahead)), other.probe(Ladder.At(ahead))
        assert a.low <= b.high and b.low <= a.high and a.high - a.low < 1e-9 and b.high - b.low < 1e-9
    assert abs(one.value) < 1e-9
    person = Session(other, 1, 3)
    while not person.is_over:
        person.act(person.hint()[0].action)
    assert person.result in (-1, 1) and person.cost < 1e-6


class Auction(NamedTuple):
    """Bid 0 to `most` for a prize of a known worth, twice; several payoffs."""

    most: int = 3

    class Round(NamedTuple):
        left: int

    payoffs = ("gain", "bids", "wins")

    def start(self):
        return Auction.Round(2)

    def actions(self, s):
        for bid in range(self.most + 1):
            if s.left > 0:
                yield bid

    def other_actions(self, s):
        for bid in range(self.most + 1):
            if s.left > 0:
                yield bid

    def outcomes(self, s, bid, other):
        prize = self.most + s.left
        gain = (prize - bid) * (bid > other) - (prize - other) * (bid < other)
        yield 1, (gain, bid + other, 1 * (bid > other)), Auction.Round(s.left - 1)

    def payoff(self, s):
        return 0, 0, 0


def test_exact_values_and_the_other_payoffs():
    exact, floats = zermelo.solve(Auction(), exact=True), zermelo.solve(Auction())
    assert exact.is_exact and exact.certificate.kind == "proof"
    tables = [[[(p - i) * (i > j) - (p - j) * (i < j) for j in range(4)] for i in range(4)] for p in (5, 4)]
    assert exact.value == sum(value(t) for t in tables) == 0
    probe = exact.probe(Auction.Round(1))
    assert all(isinstance(p, Fraction) for p in probe.mixture.values()) and sum(probe.mixture.values()) == 1
    for name, number in floats.payoffs.items():
        low, high = floats.bounds[name]
        assert low <= number <= high and high - low < 1e-12
    assert floats.payoffs["bids"] > 0
    assert abs(exact.simulate(20_000).totals["bids"].z) < 4  # with the mixtures of the exact solution


def test_exact_values_of_games_that_can_return_are_refused(hog):
    with pytest.raises(OutOfReach, match="need not be rational"):
        zermelo.solve(HogSimultaneous(5, 2), exact=True)


def test_exact_values_that_are_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each moment multiplies their digits: a race of 100 states ran for minutes, silently."""
    monkeypatch.setattr("zermelo.solvers.rational_simultaneous.MOST_BITS", 2)
    with pytest.raises(OutOfReach, match="states an exact value has more than 0 digits.*leave out exact=True for a certified interval"):
        zermelo.solve(Auction(), exact=True)



class Broken(NamedTuple):
    """A sound game; the faulty ones below replace a member."""

    goal: int = 3

    class S(NamedTuple):
        left: int

    def start(self):
        return Broken.S(self.goal)

    def actions(self, s):
        if s.left > 0:
            yield 0
            yield 1

    def other_actions(self, s):
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s, action, other):
        yield 1, action - other, Broken.S(s.left - 1)


def faulty(**members):
    return type("Faulty", (Broken,), members)()


def no_more(self, s):
    if s.left > 1:
        yield 0


def twice(self, s):
    if s.left > 0:
        yield 0
        yield 0


def a_tuple(self, s):
    if s.left > 0:
        yield 0
        yield (1, 2)


def one_argument(self, s, action):
    yield 1, 0, Broken.S(s.left - 1)


def who(self, s):
    return 0


@pytest.mark.parametrize(
    ("members", "told"),
    [
        ({"other_actions": no_more}, "`actions` yields something at S(left=1) and `other_actions` nothing"),
        ({"actions": no_more}, "`other_actions` yields something at S(left=1) and `actions` nothing"),
        ({"other_actions": twice}, "`other_actions` yields 0 twice"),
        ({"other_actions": a_tuple}, "all actions of a game must have one shape"),
        ({"outcomes": one_argument}, "`outcomes` must be written `def outcomes(self, s, action, other)`"),
        ({"player": who}, "`other_actions` and `player` do not go together"),
        ({"settled": who}, "`other_actions` and `settled` do not go together"),
        ({"bounds": who}, "`other_actions` and `bounds` do not go together"),
    ],
)
def test_faults_are_told_in_the_users_words(members, told):
    with pytest.raises(RulesError) as error:
        zermelo.solve(faulty(**members))
    assert told in str(error.value)


class Late(NamedTuple):
    """More states than the checker sees, at one of which, far from the start, one of the two has nothing to choose from."""

    n: int = 200
    idle: int = 1

    class S(NamedTuple):
        x: int
        y: int

    def start(self):
        return Late.S(0, 0)

    def actions(self, s):
        if s.x < self.n and not (self.idle == 0 and s.x == self.n - 1 and s.y == 1):
            yield 0
            yield 1

    def other_actions(self, s):
        if s.x < self.n and not (self.idle == 1 and s.x == self.n - 1 and s.y == 1):
            yield 0
            yield 1

    def outcomes(self, s, action, other):
        yield 1, 1 if action == other else -1, Late.S(s.x + 1, (s.y + action) % 3)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("idle", [0, 1])
def test_who_has_nothing_to_choose_from_far_from_the_start_is_found(idle, tier):
    one, other = ("other_actions", "actions") if idle == 0 else ("actions", "other_actions")
    told = rf"`{one}` yields something at S\(x=199, y=1\) and `{other}` nothing"
    with only(tier), pytest.raises(RulesError, match=told):
        zermelo.solve(Late(idle=idle))
    with only(tier):
        right = zermelo.solve(Late(idle=2))
    assert right.value == pytest.approx(0, abs=1e-9) and right.report.facts["interpreted"] == (tier == "interpreted")


def test_the_check_of_a_certificate_is_told_of_it():
    layout, keys = explored_of(zermelo.solve(Late(5, 2)).answers).layout, [Late.S(4, 1), Late.S(4, 2), Late.S(5, 0)]
    for idle in range(3):
        rules = read(Late(5, idle))
        for steps in (InterpretedSteps(rules), CompiledSteps(rules, layout)):
            found = steps.of(layout, layout.pack_many(keys))
            assert found.player.tolist() == [-2 if idle < 2 else 0, 0, 0]
            assert np.diff(found.row_of).tolist() == [0 if idle < 2 else 4, 4, 0]


class Turning(NamedTuple):
    """Every step may be the last one. Switching both strategies went round here, through the same four pairs."""

    class S(NamedTuple):
        n: int

    def start(self):
        return Turning.S(3)

    def actions(self, s):
        for action, _ in enumerate(TURNING[s.n]):
            yield action

    def other_actions(self, s):
        if len(TURNING[s.n]) > 0:
            for action, _ in enumerate(TURNING[s.n][0]):
                yield action

    def outcomes(self, s, own, other):
        for ways, paid, n in TURNING[s.n][own][other]:
            yield ways, paid, Turning.S(n)

    def payoff(self, s):
        return 1 if s.n == 0 else -1


TURNING = (  # ways, payment and next state; by state, and the actions of either player
    (),
    ((((1, 2, 2), (1, 0, 0)),),),
    ((((1, 0, 2), (3, 2, 1), (1, 0, 0)), ((3, 1, 3), (2, 0, 0)), ((2, 2, 3), (3, 0, 3), (1, 0, 0))),),
    (
        (((3, 1, 4), (1, 0, 0)), ((1, 1, 5), (2, 0, 0))),
        (((2, 2, 0), (2, 2, 1), (2, 0, 0)), ((2, 0, 1), (1, 2, 0), (1, -1, 2), (1, 0, 0))),
        (((1, 2, 4), (1, 0, 0)), ((1, 0, 2), (2, 0, 0))),
    ),
    (),
    (
        (((3, 2, 5), (1, 1, 4), (1, 0, 0)), ((1, 2, 2), (1, 0, 0))),
        (((1, 0, 0), (1, 1, 4), (1, 0, 0), (2, 0, 0)), ((1, 0, 5), (1, 0, 0))),
        (((2, 1, 5), (2, 0, 0)), ((3, 0, 5), (1, 0, 0))),
    ),
)


@pytest.mark.usefixtures("in_python")
def test_strategies_that_go_round_are_left():
    """It said that doubles can't certify a value."""
    solution = zermelo.solve(Turning())
    assert solution.low <= Fraction(40, 19) <= solution.high and solution.high - solution.low < 1e-12


class Twice(NamedTuple):
    """Matching pennies at one of a thousand places, where player 0 yields heads twice, which the checker does not see."""

    class S(NamedTuple):
        place: int
        pays: int

    def start(self):
        return Twice.S(0, 0)

    def actions(self, s):
        if s.place < 1000:
            yield 0
        if s.place == 777:
            yield 0
            yield 1

    def other_actions(self, s):
        if s.place < 1000:
            yield 0
        if s.place == 777:
            yield 1

    def outcomes(self, s, own, other):
        if s.place == 0:
            for place in range(1, 1000):
                yield 1, 0, Twice.S(place, 0)
        else:
            yield int(own == other or s.place != 777), 0, Twice.S(1000, 1)
            yield int(own != other or s.place != 777), 0, Twice.S(1000, -1)

    def payoff(self, s):
        return s.pays


@pytest.mark.parametrize("exact", [False, True])
def test_the_probabilities_of_an_action_that_is_yielded_twice_are_added(in_python, exact):
    """One of the two was dropped, and the others did not sum to 1."""
    solution = zermelo.solve(Twice(), exact=exact)
    state = Twice.S(777, 0)
    assert solution.value == 0 and solution.policy(state) == solution.probe(state).mixture == {0: 0.5, 1: 0.5}


def test_choosing_at_once_needs_actions():
    class Alone(NamedTuple):
        n: int = 1

        def start(self):
            return Broken.S(self.n)

        def other_actions(self, s):
            yield 0

        def outcomes(self, s):
            yield 1, 0, s

    with pytest.raises(RulesError, match="`other_actions` needs `actions`"):
        zermelo.check(Alone())


# --- tables and pictures ----------------------------------------------------------------------------------------------


def test_tables_and_pictures_of_hog(short, hog):
    from zermelo.games import hog_simultaneous_views
    from zermelo.views.table import VIEWS

    dice = hog_simultaneous_views.dice_table(short).as_json()
    assert dice["rows"][0][1] == "5:77 2:18 3:5"
    end = hog_simultaneous_views.end_table(short, {"second": 0})
    assert [cell for cell in end.rows[0][1:-1] if cell] == pytest.approx([17.558046, 5.293751, 77.148204])
    assert end.rows[0][-1] == pytest.approx(0.5)
    actions = VIEWS["actions"].make(short, {})
    assert len(actions.rows) == 10 and sum(row[2] for row in actions.rows) == pytest.approx(2)
    assert [row[3] for row in actions.rows if row[2]] == pytest.approx([0] * 6, abs=1e-12)
    assert VIEWS["states"].make(hog, {"first": 10, "second": 15}).columns[-1] == "likeliest action"
    assert len(hog_simultaneous_views.mixture_figure(hog).axes) == 3
    with pytest.raises(zermelo.ParameterError, match="no play of Simultaneous Hog to 4 leads to"):
        hog_simultaneous_views.end_table(short, {"second": 1})
    with pytest.raises(zermelo.ParameterError, match="no field 'frist'"):
        hog_simultaneous_views.end_table(short, {"frist": 1})


def test_lengths_are_shown_of_games_without_chance() -> None:
    """Mixed strategies draw: a tie of rock, paper, scissors is played again."""
    from zermelo.views.table import VIEWS

    won, lost = ((1, 1, 1),), ((1, 2, 1),)
    solution = zermelo.solve(Tabled(((3, 3, (STAY, lost, won, won, STAY, lost, lost, won, STAY)),), (1, -1)))
    assert VIEWS["lengths"].fits(solution)
    assert [row[1] for row in VIEWS["lengths"].make(solution, {}).rows[:3]] == pytest.approx([200 / 3, 200 / 9, 200 / 27])


def test_the_command_line_tells_both_mixtures(capsys):
    import json

    from zermelo.cli import main

    assert main(["solve", "hog-simultaneous", "--goal", "4", "--most-dice", "5", "--json"]) == 0
    start = json.loads(capsys.readouterr().out)["start"]
    assert [round(x["probability"], 3) for x in start["mixture"]] == [0, 0.176, 0.053, 0, 0.771]
    assert main(["solve", "hog-simultaneous", "--goal", "4", "--most-dice", "5"]) == 0
    assert "5 dice: 77.15 %, 2 dice: 17.56 %, 3 dice: 5.294 %" in " ".join(capsys.readouterr().out.split())
    assert main(["solve", "hog-simultaneous", "--goal", "4", "--first", "4"]) == 2
    assert "somebody has reached the goal" in capsys.readouterr().err
    assert main(["solve", "hog-simultaneous", "--goal", "4", "--exact"]) == 2
    assert "need not be rational" in capsys.readouterr().err


# --- mirror images ----------------------------------------------------------------------------------------------------


class Penalty(NamedTuple):
    """Shoot left or right while the keeper dives; he is worse on one side, and changes it at times. Best of some kicks."""

    kicks: int = 4

    class At(NamedTuple):
        left: int
        weak: int  # the keeper's weak side, 0 or 1

    def start(self):
        return Penalty.At(self.kicks, 0)

    def actions(self, s):
        if s.left > 0:
            yield 0
            yield 1

    def other_actions(self, s):
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s, shot, dive):
        goals = 9 if shot != dive else 5 if shot == s.weak else 2
        for weak in range(2):
            yield goals, 1, Penalty.At(s.left - 1, weak)
            yield 10 - goals, 0, Penalty.At(s.left - 1, weak)


class MirroredPenalty(Penalty):
    def symmetries(self, s):
        yield Penalty.At(s.left, 1 - s.weak)


@pytest.mark.parametrize("exact", [False, True])
def test_a_mirror_image_has_the_mirrored_mixtures(exact):
    whole, half = (zermelo.solve(game, exact=exact) for game in (Penalty(), MirroredPenalty()))
    assert half.space.size < whole.space.size and abs(whole.value - half.value) < 1e-14
    for weak in range(2):
        a, b = (solution.probe(Penalty.At(3, weak)) for solution in (whole, half))
        for one, other in ((a.mixture, b.mixture), (a.other_mixture, b.other_mixture), (a.actions, b.actions)):
            assert all(abs(one[k] - other[k]) < 1e-12 for k in (0, 1))
    assert a.mixture[1] == pytest.approx(float(whole.probe(Penalty.At(3, 0)).mixture[0]))
    tenths = value([[5, 9], [9, 2]])
    assert whole.probe(Penalty.At(1, 0)).value == pytest.approx(float(tenths) / 10)
    assert whole.value == 4 * tenths / 10 or not exact


def test_goofspiel_against_plain_recursion():
    """The example of docs/writing-games.md, exactly, every state."""
    import runpy
    from functools import lru_cache
    from pathlib import Path

    rules = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "goofspiel.py"))
    game = rules["Goofspiel"](3)

    @lru_cache(None)
    def worth(s):
        own, others = list(game.actions(s)), list(game.other_actions(s))
        if not own:
            return Fraction(0)
        return value([[mean(list(game.outcomes(s, a, b))) for b in others] for a in own])

    def mean(outcomes):
        return sum(w * (paid + worth(t)) for w, paid, t in outcomes if w) / Fraction(sum(w for w, _, _ in outcomes))

    exact, floats = zermelo.solve(game, exact=True), zermelo.solve(game)
    assert exact.value == 0 and len(exact.space) == len(floats.space) == 140
    for state in exact.space:
        probe = floats.probe(state)
        assert exact.probe(state).value == worth(state)
        assert Fraction(probe.low) <= worth(state) <= Fraction(probe.high)


# --- policies of one's own --------------------------------------------------------------------------------------------


def test_policies_of_ones_own_are_evaluated(short):
    start = short.probe(State(0, 0, 0))
    best = {n: p for n, p in start.mixture.items() if p}
    for mixture, loss in (
        (best, 0.0),
        ({5: 0.5, 2: 0.5}, 0.0),
    ):  # what is in the mixture loses nothing against the other's
        found = short.evaluate(lambda s, mixture=mixture: mixture if s == State(0, 0, 0) else short.probe(s).mixture)
        assert found.loss == pytest.approx(loss, abs=1e-13) and found.low <= found.value <= found.high
    once = short.evaluate(lambda s: 1 if s == State(0, 0, 0) else short.probe(s).mixture)
    # a single die: played again after every round without points, so that more is lost than by one mistake
    assert once.loss > short.value - start.actions[1] - 1e-12 and once.high - once.low < 1e-12
    second = short.evaluate(lambda s: 1 if s == State(0, 0, 0) else short.probe(s).other_mixture, seat=1)
    assert second.loss == pytest.approx(once.loss, abs=1e-12) and second.value == pytest.approx(-once.value, abs=1e-12)


class Uneven(NamedTuple):
    """A matrix: player 0 mixes equally, player 1 takes his first action three times in four."""

    class S(NamedTuple):
        over: int

    def start(self):
        return Uneven.S(0)

    def actions(self, s):
        if s.over == 0:
            yield 0
            yield 1

    def other_actions(self, s):
        if s.over == 0:
            yield 0
            yield 1

    def outcomes(self, s, own, other):
        yield 1, (3 if other else 1) if own else 2 - 2 * other, Uneven.S(1)


def test_the_policy_of_a_solution_is_that_of_the_player_who_is_asked(in_python):
    """For player 1 it gave the mixture of player 0."""
    solution = zermelo.solve(Uneven(), exact=True)
    assert solution.value == Fraction(3, 2) and solution.policy(Uneven.S(0), 1) == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    for seat in (0, 1):
        assert solution.best_response(solution.policy, seat=seat).gain == 0
    assert solution.evaluate(lambda s: 0, solution.policy).value == solution.evaluate(lambda s: 1, solution.policy).value == Fraction(3, 2)


def test_two_policies_against_each_other(short):
    """Two dice against five, again and again while both show a 1: from the laws of their totals, in Fractions."""
    laws = []
    for dice in (2, 5):
        law = {0: Fraction(1)}
        for _ in range(dice):
            law = {t: sum(law.get(t - face, 0) for face in range(2, 7)) / Fraction(6) for t in range(6 * dice + 1)}
        laws.append({0: 1 - sum(law.values()), **{t: p for t, p in law.items() if p}})
    won = sum(p * q * ((a > b) - (a < b)) for a, p in laws[0].items() for b, q in laws[1].items())
    value = won / (1 - laws[0][0] * laws[1][0])
    found = short.evaluate(lambda s: 2, lambda s: 5)
    assert Fraction(found.low) <= value <= Fraction(found.high) and found.high - found.low < 1e-13
    assert found.value == pytest.approx(float(value), abs=1e-14)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (lambda s: 7, "returns 7 at . to ., where 1, 2, 3, 4, 5 are legal"),
        (lambda s: {1: 0.7, 2: 0.7}, "they must sum to 1"),
        (lambda s: {1: 1.5, 2: -0.5}, "they must sum to 1"),
        (lambda s: {1: Decimal(1)}, "they must be finite numbers: whole numbers, fractions or floats"),  # it was called no finite number
        (lambda s: 1 // 0, "the policy fails at . to .: ZeroDivisionError"),
        (5, "a policy is a function"),
    ],
)
def test_policies_that_are_at_fault(short, policy, said):
    with pytest.raises(zermelo.ParameterError, match=said):
        short.evaluate(policy)


def test_policies_and_exchanged_players_do_not_go_together():
    with pytest.raises(OutOfReach, match="exchanges the players"):
        zermelo.solve(LadderByViews(2)).evaluate(lambda s: 0)


def test_lengths_and_distributions_allow_for_the_rounding_of_mixtures() -> None:
    """Ways of what is played are products with probabilities: that was left out of the bounds."""
    solution = zermelo.solve(HogSimultaneous(6, most_dice=3))
    table: Any = solution.answers
    assert optimal_chain(table, explored_of(table)).blur > 0
    length, spread = solution.length, solution.distribution()
    assert length.variance_low < length.variance < length.variance_high
    assert abs(length.mean - spread.mean) < 1e-8 and spread.rounding > 10 * 2.0**-53 * spread.steps


class Place(NamedTuple):
    x: int


class Pushing(NamedTuple):
    """Both may push or wait: nobody moves where both wait, and whoever pushes alone is likelier to win the step."""

    n: int = 1000

    def start(self):
        return Place(self.n // 2)

    def actions(self, s):
        if 0 < s.x < self.n:
            yield 0
            yield 1

    def other_actions(self, s):
        if 0 < s.x < self.n:
            yield 0
            yield 1

    def outcomes(self, s, a, b):
        if a == 0 and b == 0:
            yield 1, 0, s
        else:
            yield 1 + (a > b), 0, Place(s.x + 1)
            yield 1 + (b > a), 0, Place(s.x - 1)

    def payoff(self, s):
        return s.x == self.n


@pytest.mark.parametrize("n", [2, 20, 1000])
def test_a_long_walk_in_which_both_may_wait(n):
    """Both push at every place, which makes the walk fair: the value is x / n. From values of 0 it took a round a state."""
    solution = zermelo.solve(Pushing(n))
    for x in (1, n // 2, n - 1):
        there = solution.probe(Place(x))
        assert there.low <= Fraction(x, n) <= there.high and there.high - there.low < 1e-9

"""Verbs where strategies are mixed: both choose at once, games given by best replies, matrices. The oracles enumerate, in Fractions."""

from __future__ import annotations

import copy
import pickle
import runpy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.games import BinarySearch, HogSimultaneous
from zermelo.games.search_trees import guesses

EXAMPLES = Path(__file__).parent.parent / "examples"
Goofspiel = runpy.run_path(str(EXAMPLES / "goofspiel.py"))["Goofspiel"]
Blotto = runpy.run_path(str(EXAMPLES / "blotto.py"))["Blotto"]


# --- both choose at once ----------------------------------------------------------------------------------------------


def played(game: Any, plans: Any) -> Any:
    """state -> (payoff, best action of the player whose plan is None), in Fractions; play never returns."""
    found: dict[Any, Any] = {}

    def value(s: Any) -> Fraction:
        if s not in found:
            found[s] = step(s)
        return found[s][0]

    def pair(s: Any, a: Any, b: Any) -> Fraction:
        outcomes = [o for o in game.outcomes(s, a, b) if o[0]]
        return sum((o[0] * (o[1] + value(o[2])) for o in outcomes), Fraction(0)) / sum(o[0] for o in outcomes)

    def step(s: Any) -> Any:
        own, other = list(game.actions(s)), list(game.other_actions(s))
        if not own:
            return (Fraction(game.payoff(s)) if hasattr(game, "payoff") else Fraction(0)), None
        p, q = (plan and dict(plan(s)) for plan in plans)
        if p is None:
            return max((sum(q[b] * pair(s, a, b) for b in q), a) for a in own)
        if q is None:
            return min((sum(p[a] * pair(s, a, b) for a in p), b) for b in other)
        return sum(p[a] * q[b] * pair(s, a, b) for a in p for b in q), None

    return value(game.start()), found


def lopsided(game: Any, side: int) -> Any:
    """Any strategy: weights 1, 2, 3, ... on the actions, turned by the state."""

    def plan(s: Any) -> dict[Any, Fraction]:
        legal = list((game.actions, game.other_actions)[side](s))
        turn = sum(s) % len(legal)
        weights = range(1, len(legal) + 1)
        return {a: Fraction(w, sum(weights)) for a, w in zip(legal[turn:] + legal[:turn], weights, strict=True)}

    return plan


def pure(game: Any, side: int) -> Any:
    def plan(s: Any) -> Any:
        return max((game.actions, game.other_actions)[side](s))

    return plan


def certain(plan: Any) -> Any:
    return lambda s: {plan(s): 1}


@pytest.fixture(scope="module", params=[True, False], ids=["exact", "floats"])
def goofspiel(request: Any) -> Any:
    return zermelo.solve(Goofspiel(3), exact=request.param)


def check(number: Any, expected: Fraction, is_exact: bool) -> None:
    if is_exact:
        assert isinstance(number, Fraction) and number == expected
    else:
        assert number == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", [lopsided, pure])
def test_the_best_response_where_both_choose_at_once(goofspiel: Any, seat: int, kind: Any) -> None:
    game = goofspiel.game
    opponent = kind(game, 1 - seat)
    fixed = opponent if kind is lopsided else certain(opponent)
    expected, actions = played(game, (None, fixed) if seat == 0 else (fixed, None))
    found = goofspiel.best_response(opponent, seat=seat)
    check(found.value, expected, goofspiel.is_exact)
    assert found.low <= expected <= found.high and found.high - found.low <= 1e-12 and found.seat == seat
    sign = 1 if seat == 0 else -1
    check(found.gain, sign * (expected - 0), goofspiel.is_exact)  # the game is worth 0
    again = goofspiel.evaluate(found.policy, opponent, seat=seat)
    check(again.value, expected, goofspiel.is_exact)
    check(again.loss, -sign * expected, goofspiel.is_exact)
    assert found.policy(game.start()) == 0
    assert expected != 0 and len(actions) > 20


def test_any_two_strategies_have_the_exact_worth(goofspiel: Any) -> None:
    game = goofspiel.game
    expected, _ = played(game, (lopsided(game, 0), certain(pure(game, 1))))
    found = goofspiel.evaluate(lopsided(game, 0), pure(game, 1))
    check(found.value, expected, goofspiel.is_exact)
    assert found.is_exact == goofspiel.is_exact and found.low <= expected <= found.high


def test_against_optimal_play_nothing_is_gained(goofspiel: Any) -> None:
    def optimal(side: int) -> Any:
        return lambda s: (goofspiel.probe(s).mixture, goofspiel.probe(s).other_mixture)[side]

    for seat in (0, 1):
        assert goofspiel.best_response(optimal(1 - seat), seat=seat).gain == pytest.approx(0, abs=1e-12)
        assert goofspiel.evaluate(optimal(seat), seat=seat).loss == pytest.approx(0, abs=1e-12)
    best = goofspiel.best_response(lopsided(goofspiel.game, 1))
    loss = goofspiel.evaluate(lopsided(goofspiel.game, 1), best.policy, seat=1).loss
    check(loss, Fraction(best.gain), goofspiel.is_exact)  # what one gains, the other loses
    assert goofspiel.evaluate(lopsided(goofspiel.game, 1), seat=1).loss <= loss


class Left(NamedTuple):
    rounds: int


class Forced(NamedTuple):
    """Both choose at once, and have one action each."""

    def start(self) -> Left:
        return Left(2)

    def actions(self, s: Left) -> Any:
        if s.rounds:
            yield 0

    def other_actions(self, s: Left) -> Any:
        if s.rounds:
            yield 0

    def outcomes(self, s: Left, a: int, b: int) -> Any:
        yield 1, a - b, Left(s.rounds - 1)
        yield 2, 3, Left(0)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("seat", [0, 1])
def test_who_has_one_action_each_is_played_against_as_anybody(in_python: None, seat: int, exact: bool) -> None:
    solution = zermelo.solve(Forced(), exact=exact)
    for found in (solution.evaluate(lambda s: 0, seat=seat), solution.best_response(lambda s: 0, seat=seat)):
        assert found.low <= Fraction(8, 3) <= found.high and found.seat == seat


def test_the_optimal_mixture_of_an_opened_solution(tmp_path: Path, goofspiel: Any) -> None:
    """States are numbered anew; evaluated against the stored mixtures."""
    goofspiel.save(tmp_path / "goofspiel.zermelo")
    opened = zermelo.open(tmp_path / "goofspiel.zermelo", goofspiel.game)
    plan = lopsided(goofspiel.game, 1)
    assert opened.best_response(plan).value == goofspiel.best_response(plan).value
    assert opened.evaluate(plan, seat=1).value == pytest.approx(goofspiel.evaluate(plan, seat=1).value, abs=1e-12)


def test_a_best_response_where_play_can_return() -> None:
    """Hog: value iteration over the rules, in floats."""
    solution = zermelo.solve(HogSimultaneous(goal=5, most_dice=3))
    game = solution.game
    plan = lopsided(game, 1)
    states = [s for s in solution.space if list(game.actions(s))]
    value = dict.fromkeys(states, 0.0)

    def worth(s: Any, a: Any, b: Any) -> float:
        rows = list(game.outcomes(s, a, b))
        return sum(w * (paid + value.get(t, game.payoff(t))) for w, paid, t in rows) / sum(w for w, _, _ in rows)

    for _ in range(200):
        for s in states:
            mixture = plan(s).items()
            value[s] = max(sum(float(q) * worth(s, a, b) for b, q in mixture) for a in game.actions(s))
    found = solution.best_response(plan)
    assert found.value == pytest.approx(value[game.start()], abs=1e-12)
    assert found.low <= found.value <= found.high and found.high - found.low < 1e-12
    assert solution.evaluate(found.policy, plan).value == pytest.approx(found.value, abs=1e-12)
    at_once = solution.best_response(lambda s: solution.probe(s).other_mixture)
    assert at_once.gain < 1e-13 and solution.best_response(lambda s: solution.probe(s).mixture, seat=1).gain < 1e-13
    assert found.gain > 0.01


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: s.best_response(7), "a policy is a function"),
        (lambda s: s.best_response(lambda x: 9), "returns 9 at .*, where 1, 2 are legal"),
        (lambda s: s.best_response(lambda x: {1: 0.5}), "must sum to 1"),
        (lambda s: s.best_response(lambda x: {1: float("nan"), 2: 1}), "must be finite"),
        (lambda s: s.best_response(lambda x: 1 / 0), "the policy fails at"),
        (lambda s: s.best_response(pure(s.game, 1), seat=2), "seat must be 0 or 1"),
    ],
)
def test_bad_strategies_are_told(call: Any, said: str, goofspiel: Any) -> None:
    with pytest.raises(ParameterError, match=said):
        call(goofspiel)


def test_the_reply_refuses_states_without_a_choice(goofspiel: Any) -> None:
    game = goofspiel.game
    reply = goofspiel.best_response(pure(game, 1)).policy
    over = next(s for s in goofspiel.space if not list(game.actions(s)))
    with pytest.raises(UnreachableState, match="no state where the answer decides"):
        reply(over)


def test_an_export_says_why_not(goofspiel: Any, tmp_path: Path) -> None:
    with pytest.raises(OutOfReach, match="UMB, .* gives every state one player, and in Goofspiel both choose at once"):
        goofspiel.export_umb(tmp_path / "goofspiel.umb")


# --- matrices ---------------------------------------------------------------------------------------------------------


MATRIX = [[3, -1, Fraction(1, 2)], [-2, 1, 0.1]]


@pytest.fixture(scope="module")
def matrix() -> Any:
    return zermelo.matrix_game(MATRIX)


def pays(row: int, column: int) -> Fraction:
    return Fraction(str(MATRIX[row][column]))


@pytest.mark.parametrize("mixture", [[1, 0], [Fraction(1, 3), Fraction(2, 3)], [0.1, 0.9]])
def test_what_a_row_strategy_guarantees(matrix: Any, mixture: list[Any]) -> None:
    p = [Fraction(str(x)) for x in mixture]
    columns = [sum(p[i] * pays(i, j) for i in (0, 1)) for j in range(3)]
    found = matrix.evaluate(mixture)
    assert found.value == found.low == found.high == min(columns) and found.is_exact
    assert found.reply == columns.index(min(columns)) and found.loss == matrix.value - min(columns) > 0
    assert found.against_optimal == sum(q * c for q, c in zip(matrix.column, columns, strict=True))
    assert matrix.evaluate(dict(enumerate(mixture))) == found
    response = matrix.best_response(mixture, seat=1)
    assert (response.value, response.strategy, response.gain) == (found.value, found.reply, found.loss)
    against = matrix.evaluate(mixture, 2)
    assert against.value == columns[2] and against.reply is None and against.loss == matrix.value - columns[2]


def test_the_other_seat_and_optimal_play(matrix: Any) -> None:
    rows = [pays(i, 0) for i in (0, 1)]
    found = matrix.evaluate(0, seat=1)
    assert found.value == max(rows) and found.reply == 0 and found.loss == max(rows) - matrix.value
    for seat in (0, 1):
        assert matrix.evaluate(matrix.policy(seat), seat=seat).loss == 0
        response = matrix.best_response(matrix.policy(1 - seat), seat=seat)
        assert response.gain == 0 and response.value == matrix.value
        assert matrix.evaluate(response.policy, matrix.policy(1 - seat), seat=seat).value == matrix.value


def test_the_law_and_the_frame_of_a_matrix(matrix: Any) -> None:
    law = matrix.distribution()
    pairs = [(pays(i, j), p * q) for i, p in enumerate(matrix.row) for j, q in enumerate(matrix.column) if p * q]
    assert sum(law.probabilities) == 1 and law.mean == matrix.value
    assert all(law.probability(x) == sum(p for y, p in pairs if y == x) for x in law.support)
    assert law.variance == sum(p * (x - law.mean) ** 2 for x, p in pairs)
    middle = law.support[1]
    assert law.at_most(middle) + law.at_least(middle) - law.probability(middle) == 1
    assert law.quantile(law.probabilities[0]) == law.support[0] and law.quantile(1) == law.support[-1]
    for ask in (law.probability, law.at_most, law.at_least, law.quantile):
        with pytest.raises(ParameterError, match="is asked for by a number"):
            ask("1")
    frame = matrix.to_dataframe()
    assert list(frame["exact probability"]) == [*matrix.row, *matrix.column]
    for _, row in frame[frame.player == "column player"].iterrows():
        expected = sum(p * pays(i, row.strategy) for i, p in enumerate(matrix.row))
        assert row["exact payoff"] == expected and row.payoff == float(expected)


def test_strategies_that_are_handed_out_may_be_changed(matrix: Any) -> None:
    """They were those of the solution, which had another row from then on."""
    for solution in (matrix, zermelo.solve(BinarySearch(3))):
        before = solution.row, solution.column, solution.distribution()
        for seat in (0, 1):
            solution.policy(seat).clear()
        for side in (solution.row, solution.column):
            if isinstance(side, dict):
                side.clear()
        assert (solution.row, solution.column, solution.distribution()) == before


def test_payoffs_beyond_floats() -> None:
    """The exact verbs answer; floats are asked for in one line, where they were errors of Python or 0."""
    huge, tiny = zermelo.matrix_game([[10**400, -(10**400)], [-(10**400), 10**400]]), zermelo.matrix_game([[10**200, 0], [0, 1e-300]])
    assert huge.value == 0 and huge.distribution().variance == 10**800
    long = zermelo.matrix_game([[10**5000, 0], [0, 1]]).distribution()
    assert "0 to 100000000000000000000000...000000000000000000000000 (5,001 digits), mean" in repr(long)
    with pytest.raises(OutOfReach, match="too large for a float: `variance` is exact"):
        _ = huge.distribution().standard_deviation
    assert tiny.distribution().standard_deviation == pytest.approx(1e-300)
    assert zermelo.matrix_game([[1, -1], [-1, 1]]).distribution().standard_deviation == 1
    for solution in (huge, tiny, zermelo.matrix_game([[1.7e308, -1.7e308], [-1.7e308, 1.7e308]])):
        with pytest.raises(OutOfReach, match=r"payoffs of them are at most 1e100; distribution\(\) is exact"):
            solution.simulate(10)
    assert zermelo.matrix_game([[-(10**400)]]).to_dataframe()["payoff"].tolist() == [-float("inf")] * 2
    for q in (10**400, -(10**400)):
        with pytest.raises(ParameterError, match="a number from 0 to 1"):
            huge.distribution().quantile(q)


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (2, "2 is no row of the matrix: they are numbered from 0 to 1"),
        ([1], "1 probabilities are given, but the matrix has 2 rows"),
        ([0.5, 0.6], "must sum to 1"),
        ({0: 2, 1: -1}, "none may be negative"),
        ("first", "a strategy is the number of a row"),
        ({0: "x", 1: 1}, "must be finite numbers"),
        (np.array(1), "a strategy is the number of a row"),
    ],
)
def test_bad_strategies_of_a_matrix(matrix: Any, strategy: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        matrix.evaluate(strategy)
    with pytest.raises(ParameterError, match="seat must be 0"):
        matrix.evaluate(0, seat=2)


def test_a_matrix_solution_is_still_a_tuple_of_four(matrix: Any) -> None:
    value, row, column, certificate = matrix
    assert (value, row, column, certificate) == matrix[:] and matrix.value == value
    for copied in (copy.deepcopy(matrix), pickle.loads(pickle.dumps(matrix))):
        assert copied == matrix and copied.evaluate(0) == matrix.evaluate(0)


def test_a_matrix_in_a_file(tmp_path: Path, capsys: Any) -> None:
    """Payoffs of any size, and no probabilities lost; the command line shows it."""
    payoff = [[10**40, Fraction(1, 3), 0], [0, 1, 10**40], [-1, 2, 0.1]]
    solution = zermelo.matrix_game(payoff)
    solution.save(tmp_path / "m")
    found = zermelo.open(tmp_path / "m")
    assert isinstance(found, zermelo.MatrixSolution) and found == solution and hash(found) == hash(solution)
    assert found.payoff == tuple(map(tuple, [*payoff[:2], [-1, 2, Fraction(1, 10)]])) and found.report == solution.report
    assert found.evaluate([0.5, 0.5, 0]) == solution.evaluate([0.5, 0.5, 0])
    with pytest.raises(zermelo.FileError, match="which has no rules: open it without a game"):
        zermelo.open(tmp_path / "m", Blotto)
    for command in (["solve"], ["solve", "--json"], ["table"], ["simulate", "--plays", "100"]):
        assert main([command[0], str(tmp_path / "m"), *command[1:]]) == 0
    assert "a matrix of 3 x 3 payoffs" in capsys.readouterr().out
    assert main(["solve", str(tmp_path / "m"), "--certificate", str(tmp_path / "c")]) == main(["verify", str(tmp_path / "c")]) == 0
    assert main(["play", str(tmp_path / "m")]) == 2


# --- games given by best replies --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blotto() -> Any:
    return zermelo.solve(Blotto(4, 3, (1, 2, 4)))


def armies(soldiers: int) -> list[tuple[int, ...]]:
    return [s for s in product(range(soldiers + 1), repeat=3) if sum(s) == soldiers]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_strategy_against_all_replies(blotto: Any, seat: int) -> None:
    game, mine, others = blotto.game, armies(4 - seat), armies(3 + seat)
    mixture = {mine[0]: Fraction(1, 2), mine[3]: Fraction(1, 3), mine[-1]: Fraction(1, 6)}

    def met(own: Any, other: Any) -> Fraction:
        return Fraction(game.payoff(*((own, other) if seat == 0 else (other, own))))

    worth = {o: sum(p * met(s, o) for s, p in mixture.items()) for o in others}
    worst = (min if seat == 0 else max)(worth.values())
    found = blotto.evaluate(mixture, seat=seat)
    assert found.value == worst and worth[found.reply] == worst and found.loss == abs(blotto.value - worst) > 0
    best = blotto.policy(1 - seat)
    assert found.against_optimal == sum(q * worth[o] for o, q in best.items())
    response = blotto.best_response(mixture, seat=1 - seat)
    assert response.value == worst and response.gain == found.loss and worth[response.strategy] == worst
    assert blotto.evaluate(mixture, response.policy, seat=seat).value == worst
    pure = blotto.evaluate(mine[0], seat=seat)
    assert pure.value == (min if seat == 0 else max)(met(mine[0], o) for o in others)
    assert blotto.evaluate(blotto.policy(seat), seat=seat).loss == 0
    assert blotto.best_response(best, seat=seat).gain == 0


def test_the_law_the_length_and_the_frame(blotto: Any) -> None:
    law = blotto.distribution()
    assert law.mean == blotto.value and sum(law.probabilities) == 1
    played = blotto.simulate(20_000, seed=1)
    for total, count in played.distribution.items():
        assert abs(count / 20_000 - law.probability(total)) < 0.02
    assert blotto.length.mean == played.mean_length == 1 and blotto.length.variance == 0
    assert blotto.payoffs == {"payoff": blotto.value}
    frame = blotto.to_dataframe()
    assert len(frame) == len(blotto.row) + len(blotto.column) and set(frame.player) == set(blotto.players)
    assert all(frame["exact payoff"] == blotto.value)  # whatever is played is a best reply
    assert dict(zip(frame.strategy, frame["exact probability"], strict=True)).items() >= blotto.column.items()


def test_strategies_that_stand_for_several() -> None:
    """Alice's numbers are known to the method of replies in pairs only; Bob's trees are compared with all of her numbers."""
    n = 5
    solution = zermelo.solve(BinarySearch(n))
    trees = [list(guesses(tree)) for tree in all_trees(1, n)]
    uniform = {i: Fraction(1, n) for i in range(1, n + 1)}
    found = solution.evaluate(uniform)
    assert found.value == min(sum(Fraction(g, n) for g in tree) for tree in trees) and found.loss > 0
    assert sum(Fraction(g, n) for g in guesses(found.reply)) == found.value
    assert solution.evaluate(3).value == 1  # who knows it guesses it at once
    assert solution.evaluate(solution.row).loss == solution.evaluate(solution.column, seat=1).loss == 0
    for tree in all_trees(1, n):
        pure = solution.evaluate(tree, seat=1)
        assert pure.value == max(guesses(tree)) == guesses(tree)[pure.reply - 1]
        assert solution.best_response(tree).gain == pure.loss
    lopsided = {1: Fraction(2, 3), 4: Fraction(1, 3)}  # its mirror image is another one
    assert solution.evaluate(1).value == 1
    assert solution.evaluate(lopsided).value == min(2 * tree[0] + tree[3] for tree in trees) / Fraction(3)
    with pytest.raises(ParameterError, match="6 is not among the rows"):
        solution.evaluate(6)
    tree = next(iter(solution.column))
    for number in (0, -1, n + 1):  # the first two were read from the end of the tree, and gained beyond the value
        asked = (lambda k, t: solution.evaluate(t, k, seat=1), lambda k, t: solution.simulate(10, policy=k, opponent=t))
        for ask in (solution.evaluate, *asked):
            with pytest.raises(ParameterError, match=f"{number} is not among the rows"):
                ask(number, tree)
    with pytest.raises(ParameterError, match="no payoff of|no strategy"):
        solution.evaluate("no tree", seat=1)


def all_trees(low: int, high: int) -> list[tuple[int, ...]]:
    """All search trees of low..high in pre-order."""
    if low > high:
        return [()]
    return [
        (root, *left, *right)
        for root in range(low, high + 1)
        for left in all_trees(low, root - 1)
        for right in all_trees(root + 1, high)
    ]


def test_bounds_are_enough(blotto: Any) -> None:
    """With a tolerance the value is an interval; what strategies guarantee is exact all the same."""
    game = Blotto(5, 4, (1, 2, 4))
    solution = zermelo.solve(game, tolerance=1e-3)
    assert solution.evaluate(solution.row).value == solution.low
    assert solution.evaluate(solution.column, seat=1).value == solution.high
    assert solution.evaluate(solution.row).loss == (solution.high - solution.low) / 2


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ({(0, 0, 4): 0.5}, "must sum to 1"),
        ([0, 0, 4], "is no strategy of the row player: give one strategy, or a dict"),
        (7, "payoff"),
        ((9, 9, 9), r"is \(9, 9, 9\) a strategy of the row player\? it would be worth 7 against a best response, and no"),  # its loss was 0
    ],
)
def test_bad_strategies_are_named(blotto: Any, strategy: Any, said: str) -> None:
    with pytest.raises(zermelo.ZermeloError, match=said):
        blotto.evaluate(strategy)


def test_a_column_that_is_too_good_is_no_strategy(blotto: Any) -> None:
    with pytest.raises(ParameterError, match=r"is \(9, 9, 9\) a strategy of the column player\? it would be worth -7 "):
        blotto.evaluate((9, 9, 9), seat=1)


def test_every_verb_answers_or_says_what_to_ask(blotto: Any, matrix: Any, tmp_path: Path) -> None:
    names = [n for n in dir(zermelo.Solution) if not n.startswith("_")]
    refused = {n for n in [*names, "rules", "layout"] if not hasattr(blotto, n)}
    assert "evaluate" not in refused and {"probe", "space", "export_umb", "rules"} <= refused
    for solution in (blotto, matrix):
        for name in {n for n in [*names, "rules", "layout"] if not hasattr(solution, n)}:
            with pytest.raises(OutOfReach, match=f"has no `{name}`: the game has no states; .+") as told:
                getattr(solution, name)
            assert "\n" not in str(told.value)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        blotto.nonsense  # noqa: B018
    assert not blotto.has_rules and not blotto.has_states and blotto.discount == 1
    assert copy.copy(blotto).value == blotto.value
    blotto.save(tmp_path / "blotto.zermelo")
    opened = zermelo.open(tmp_path / "blotto.zermelo", blotto.game)
    assert opened.evaluate((4, 0, 0)) == blotto.evaluate((4, 0, 0))

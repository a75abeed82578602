"""Verbs where strategies are mixed: both choose at once, games given by best replies, matrices. The oracles enumerate, in Fractions."""

from __future__ import annotations

import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.games import HogSimultaneous

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
        (lambda s: s.best_response(lambda x: 9), "answers 9 at .*, where 1, 2 are legal"),
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
    with pytest.raises(OutOfReach, match="format has no words"):
        goofspiel.export_umb(tmp_path / "goofspiel.umb")

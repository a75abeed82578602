"""The derivative of the value with respect to a parameter, under the optimal policy, as a rational number.

The game is solved in rationals, which gives V and a policy. The rules are then run again along that policy, with a number for the
parameter that carries its derivative with it (dual.py): for every state s that play can reach, this gives the derivative c(s) of

    sum of p(s, t) (payoff(s, t) + sign discount V(t)),    V held fixed,

and the same sum without derivatives must equal V(s), which is checked. The derivative D of the policy's value then satisfies
D(s) = c(s) + sum of p(s, t) sign discount D(t), which is solved in rationals, so that nothing is rounded anywhere.

Interpretation. D(start) is the derivative of the value of *this policy*. It is the derivative of the value of the game if the policy stays
optimal nearby. That is certain if (1) its action is the only best one in every state that play can reach under it, (2) the rules are smooth
in the parameter in all states of the game, and (3) no play returns to a state, or there is a discount, or nobody ever has a choice. Values
then change continuously, so that no other action becomes better immediately. If one of these fails, the answer says which, and the value
may have a kink there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, written
from zermelo.errors import OutOfReach, ZermeloError
from zermelo.games.named import Target
from zermelo.language.rules import Rules
from zermelo.solution import Solution
from zermelo.solving import solve
from zermelo.studies.dual import Dual, NotSmooth, dual

MOST_STATES = 20_000  # the most states of a game that is solved in rationals for this purpose
NOT_IN_TURN = "derivatives are of games in which players see everything and move in turn"
MOST_REACHED = 2_000  # the most states that play can reach under the optimal policy


@described(
    parameters="All parameters of the game, by name.",
    name="The parameter by which the derivative is taken, at its value in `parameters`.",
    derivative="The derivative of the value of the optimal policy that was found, a Fraction without any rounding; None if there is none.",
    is_of_value="Whether it surely is the derivative of the value of the game, too, as the policy stays optimal for nearby parameters.",
    why="Why there is no derivative, or why it may not be that of the value; else \"\".",
)
class Derivative(NamedTuple):
    """How the value of a game changes with a parameter, at one value of the parameter."""

    parameters: dict[str, Any]
    name: str
    derivative: Fraction | None
    is_of_value: bool
    why: str


def derivative(target: Target, parameters: Mapping[str, Any], discount: float, name: str, states: int | None) -> Derivative:
    """The derivative of the game with these parameters. Anything that cannot be computed is stated in the result."""
    given = dict(parameters)
    try:
        if states is not None and states > MOST_STATES:
            raise OutOfReach(f"the game has {states:,} states, and derivatives are computed in rationals up to {MOST_STATES:,}")
        chosen = {f.name: parameters[f.name] for f in target.fields}
        if target.is_given_by_replies:
            raise OutOfReach(NOT_IN_TURN)
        solution: Any = solve(target.game_of(chosen), exact=True, discount=discount, max_states=MOST_STATES)
        _check(solution)
        game = type(solution.game)(**{**given, name: Dual(written(given[name]), Fraction(1))})
        others = [n for n in game._fields if n != name]
        if [getattr(game, n) for n in others] != [getattr(solution.game, n) for n in others]:
            raise NotSmooth("other parameters follow from it")
        equations, tied = _equations(solution, Rules(game), written(discount))
        found = _solved(equations)
    except NotSmooth as error:
        return Derivative(given, name, None, False, f"{name}: {error}")
    except (ZermeloError, TypeError, ValueError, ZeroDivisionError) as error:
        return Derivative(given, name, None, False, " ".join(str(error).split()))
    why = _why_of_policy(solution, Rules(game), tied)
    return Derivative(given, name, found, not why, why)


def _why_of_policy(solution: Solution, rules: Rules, tied: int) -> str:
    """The reason why another policy may be better nearby; "" if there is none."""
    if tied:
        return f"{'another action is' if tied == 1 else f'{tied} other actions are'} equally good: the value may have a kink here"
    facts = solution.report.facts
    if not facts.get("acyclic") and not facts.get("chance_only") and solution.discount == 1:
        return "play can return to a state: it is not known whether another policy is better near by"
    try:
        _examine(Rules(solution.game), rules)
    except NotSmooth as error:
        return f"the value may have a kink here, as elsewhere in the game {error}"
    return ""


def _examine(plain: Rules, rules: Rules) -> None:
    """Raise `NotSmooth` if the rules are not smooth in the parameter somewhere in the game."""
    waiting = [rules.start]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        actions = rules.actions(state)
        if actions != plain.actions(state):
            raise NotSmooth("the actions depend on it")
        if not actions:
            rules.payoff(state)
        for action in actions:
            for _, _, following, _ in _outcomes(rules, state, action):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)


def _check(solution: Any) -> None:
    """Raise `OutOfReach` for games whose policy is not one action per state, and for those that declare values of their own."""
    if not isinstance(solution, Solution):
        raise OutOfReach(NOT_IN_TURN)
    solution.require_turns("a derivative")
    for member in ("bounds", "settled"):
        if hasattr(solution.game, member):
            raise OutOfReach(f"the game declares `{member}`, and derivatives are of games without it")


class _Equation(NamedTuple):
    """D(state) = constant + sum of factor D(other)."""

    constant: Fraction
    factors: dict[Any, Fraction]


def _equations(solution: Solution, rules: Rules, discount: Fraction) -> tuple[dict[Any, _Equation], int]:
    """An equation for every state that play can reach, the start last, each after those that its play reaches first; and the number of
    other actions that are equally good."""
    start = rules.start
    if not _is_whole(start):
        raise NotSmooth("states depend on it")
    found: dict[Any, _Equation] = {}
    seen = {start}
    tied = 0
    path: list[tuple[Any, _Equation, list[Any]]] = []

    def entered(state: Any) -> None:
        nonlocal tied
        if len(seen) > MOST_REACHED:
            raise OutOfReach(f"play can reach more than {MOST_REACHED:,} states, the most for derivatives")
        probe = solution.probe(state)
        tied += max(sum(worth == probe.value for worth in probe.actions.values()) - 1, 0)
        equation = _equation(solution, rules, state, probe, discount)
        path.append((state, equation, list(equation.factors)))

    entered(start)
    while path:
        state, equation, waiting = path[-1]
        if waiting:
            following = waiting.pop()
            if following not in seen:
                seen.add(following)
                entered(following)
        else:
            found[state] = equation
            path.pop()
    return found, tied


def _equation(solution: Solution, rules: Rules, state: Any, probe: Any, discount: Fraction) -> _Equation:
    value: Number = probe.value
    actions = rules.actions(state)
    if not actions:
        final = dual(rules.payoff(state)[0])
        _compare(final.value, value)
        return _Equation(final.slope, {})
    if probe.action not in actions:
        raise NotSmooth("the actions depend on it")
    outcomes = _outcomes(rules, state, probe.action)
    total = Dual(Fraction(0))
    for ways, *_ in outcomes:
        total = total + ways
    worth, factors = Dual(Fraction(0)), dict[Any, Fraction]()
    for ways, payoff, following, sign in outcomes:
        share = ways / total
        worth = worth + share * (payoff + sign * discount * _value(solution, following))
        factors[following] = factors.get(following, Fraction(0)) + share.value * sign * discount
    _compare(worth.value, value)
    return _Equation(worth.slope, factors)


def _outcomes(rules: Rules, state: Any, action: Any) -> list[tuple[Dual, Dual, Any, int]]:
    """Ways, payoff, next state and sign of everything that can happen."""
    found = [(dual(o.ways), dual(o.payoff[0]), o.state, o.sign) for o in rules.outcomes(state, action)]
    if any(ways.value == 0 and ways.slope != 0 for ways, *_ in found):
        raise NotSmooth("something has probability 0 just here, and would be negative on one side")
    if not all(_is_whole(following) for _, _, following, _ in found):
        raise NotSmooth("states depend on it")
    return [outcome for outcome in found if outcome[0].value != 0]


def _value(solution: Solution, state: Any) -> Fraction:
    return Fraction(solution.answers.known(state).values[0])


def _compare(found: Fraction, value: Number) -> None:
    if found != value:
        raise OutOfReach("computed in rationals the rules give another value than with floats: give numbers as short decimals")


def _is_whole(state: Any) -> bool:
    return all(all(isinstance(x, int) for x in part) if isinstance(part, tuple) else isinstance(part, int) for part in state)


def _solved(equations: dict[Any, _Equation]) -> Fraction:
    """The unknown of the last equation: each is solved for its own unknown, which is substituted into the later ones."""
    solved: dict[Any, _Equation] = {}
    last = Fraction(0)
    for state, (constant, factors) in equations.items():
        row = dict(factors)
        while known := next((s for s in row if s in solved), None):
            factor = row.pop(known)
            constant += factor * solved[known].constant
            for other, more in solved[known].factors.items():
                row[other] = row.get(other, Fraction(0)) + factor * more
        stays = 1 - row.pop(state, Fraction(0))
        if stays == 0:
            raise OutOfReach("play may go on forever, and has no derivative then")
        last = constant / stays
        solved[state] = _Equation(last, {s: factor / stays for s, factor in row.items()})
    return last

"""Solutions as plain data, for `--json` and for the page of `zermelo serve`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import Number, digits, down, in_full, up
from zermelo.basics.values import as_json
from zermelo.matrix.plain import Matrix
from zermelo.solution import Certificate, DataSolution, HiddenSolution, MixedSolution, Solution
from zermelo.uses.mixed import strategy_data
from zermelo.uses.property import apart, deadlocks, remark
from zermelo.uses.units import winning
from zermelo.views.words import value_digits

if TYPE_CHECKING:
    from zermelo.solution import Probe
    from zermelo.uses.property import PropertyAnswer
    from zermelo.uses.simulate import Simulation


def as_data(solution: Any) -> dict[str, Any]:
    """The facts about a game: value, bounds, certificate, the actions at the start (or both strategies), and how it was solved."""
    if isinstance(solution, HiddenSolution):
        return _of_strategies(solution, _behaviour(solution))
    return _of_strategies(solution, _mixed(solution)) if isinstance(solution, MixedSolution) else outline(solution)


def outline(solution: Any) -> dict[str, Any]:
    """The same without the strategies, which may be long."""
    if isinstance(solution, DataSolution):
        return _without_rules(solution)
    return _of_strategies(solution) if isinstance(solution, HiddenSolution | MixedSolution) else _of_states(solution)


def _of_states(solution: Solution) -> dict[str, Any]:
    """A game with states."""
    start = solution.probe(solution.rules.start)
    name = solution.rules.action_names(a for a in start.actions if a is not None)
    data = {
        **_game(solution.game),
        "discount": solution.discount,
        **number_as_data("value", solution.value, solution.low, solution.high),
        "payoffs": {n: number_as_data("value", v, *solution.bounds[n]) for n, v in solution.payoffs.items()},
        "certificate": _certificate(solution.certificate),
        "start": {
            "state": start.state._asdict(),
            "position": solution.rules.show(start.state),
            **_mixtures(solution, start),
            "best action": None if start.action is None else name[start.action],
            "best action is certain": start.is_action_certain,
            "actions": [_action(start, a, name[a]) for a in start.actions if a is not None],
            "moves to the end": start.distance,
        },
        **_report(solution),
    }
    if asked := solution.property:
        data["property"] = _property(asked)
        differs = apart(solution.game)
        told = [f"the value is that of the translated game: {differs}"] if differs else []
        data["notes"] = [*data["notes"], *told, *filter(None, [deadlocks(solution)])]
    win, unit = solution.win_probability(), winning(solution.answers)
    return {**data, **({"unit": unit.name, "win probability": number_as_data("value", *win)} if win and unit else {})}


def _property(asked: PropertyAnswer) -> dict[str, Any]:
    """The answer to the property of a model; a value of None where no single number answers."""
    ends = {"low": None if math.isinf(asked.low) else down(asked.low), "high": None if math.isinf(asked.high) else up(asked.high)}
    bounds = {"digits": None, "exact": None, **ends}
    own = {"value": None, **bounds} if asked.value is None else number_as_data("value", asked.value, asked.low, asked.high)
    data = {"text": asked.text, **own, **({} if asked.relation == "=?" else {"holds": asked.holds})}
    if not asked.is_of_start:
        data["said"] = asked.said
        data |= {name: number_as_data("value", *end) for name, end in (("least", asked.least), ("most", asked.most)) if end is not None}
        data["states"] = [{"state": s.state, **number_as_data("value", s.value, s.low, s.high)} for s in asked.states]
    return data


def _action(start: Probe, action: Any, name: str) -> dict[str, Any]:
    """An action at the start: its worth and bounds."""
    low, high = start.action_bounds[action]
    win = start.win_probabilities.get(action)
    return {
        "action": name,
        "value": float(start.actions[action]),
        "low": down(low),
        "high": up(high),
        **({"win probability": number_as_data("value", *win)} if win else {}),
    }


def _mixtures(solution: Solution, start: Probe) -> dict[str, Any]:
    """The mixed strategies of both players at the start, where both choose at once."""
    if start.mixture is None or start.other_mixture is None:
        return {}
    sides = {"mixture": start.mixture, "other mixture": start.other_mixture}
    return {side: _shares(solution, mixture) for side, mixture in sides.items()}


def _shares(solution: Solution | HiddenSolution, mixture: Mapping[Any, Number]) -> list[dict[str, Any]]:
    """How often each action is played."""
    name = solution.rules.action_names(mixture)
    return [{"action": name[a], "probability": float(p)} for a, p in mixture.items()]


def _certificate(certificate: Certificate) -> dict[str, Any]:
    return {
        "kind": certificate.kind,
        "low": down(certificate.low),
        "high": up(certificate.high),
        "argument": certificate.argument,
    }


def number_as_data(name: str, value: Number, low: Number, high: Number) -> dict[str, Any]:
    """A number, stored under this name, and its bounds."""
    if math.isinf(low):  # JSON has no such number
        return {name: None, "digits": "infinite", "exact": None, "low": None, "high": None}
    return {
        name: float(value),
        "digits": digits(value, low, high),
        "exact": in_full(value) if isinstance(value, Fraction) else None,
        "low": down(low),
        "high": up(high),
    }


def _of_strategies(solution: MixedSolution | HiddenSolution, strategies: Any = None) -> dict[str, Any]:
    """A game whose solution is a strategy for each of two players."""
    certificate = _certificate(solution.certificate)
    if isinstance(solution, MixedSolution):
        certificate = {**certificate, "low": in_full(solution.low), "high": in_full(solution.high)}
    told = {} if strategies is None else {"strategies": strategies}
    return {**_facts(solution), "certificate": certificate, **told, **_report(solution)}


def _behaviour(solution: HiddenSolution) -> list[list[dict[str, Any]]]:
    """The strategies of both players in every information set."""
    return [
        [{"sees": list(seen), "actions": _shares(solution, mixture)} for seen, mixture in solution.policy(seat).items()]
        for seat in range(2)
    ]


def _mixed(solution: MixedSolution) -> dict[str, Any]:
    """A mixed strategy for each player of a matrix game."""
    return {
        name: [{**strategy_data(solution.game, seat, s), "probability": in_full(p)} for s, p in solution.policy(seat).items()]
        for seat, name in enumerate(solution.players)
    }


def _without_rules(solution: DataSolution) -> dict[str, Any]:
    """A saved solution whose rules were not given."""
    parameters = as_json(solution.parameters)
    about = {"game": solution.name, "parameters": parameters, "discount": solution.discount, "rules": None, "note": solution.need}
    if solution.answers.at_start is None:
        return {**about, "statistics": solution.statistics}
    return {
        **about,
        **number_as_data("value", solution.value, solution.low, solution.high),
        "payoffs": {n: number_as_data("value", v, *solution.bounds[n]) for n, v in solution.payoffs.items()},
        "certificate": _certificate(solution.certificate),
        "statistics": solution.statistics,
    }


def _facts(solution: MixedSolution | HiddenSolution) -> dict[str, Any]:
    """The first entries for a solution that is a strategy for each of two players."""
    return {
        **_game(solution.game),
        "value": float(solution.value),
        "digits": value_digits(solution),
        "exact": in_full(Fraction(solution.value)) if solution.is_exact else None,
        "low": down(solution.low),
        "high": up(solution.high),
    }


def _report(solution: Any) -> dict[str, Any]:
    """The last entries: how the game was solved."""
    report = solution.report
    return {
        "statistics": solution.statistics,
        "engine": report.engine,
        "not asked": [refusal._asdict() for refusal in report.tried],
        "notes": list(report.notes),
    }


def _game(game: Any) -> dict[str, Any]:
    """A game and its parameters in JSON."""
    is_matrix = isinstance(game, Matrix)
    parameters = {"payoffs": [[in_full(x) for x in row] for row in game.payoffs]} if is_matrix else as_json(game._asdict())
    return {"game": type(game).__name__, "parameters": parameters}


def simulation_as_data(solution: Solution, simulation: Simulation) -> dict[str, Any]:
    """The output of `simulate --json`."""
    return {
        **_game(solution.game),
        "discount": solution.discount,
        "plays": simulation.plays,
        "seed": simulation.seed,
        "seconds": simulation.seconds,
        "totals": {
            name: {
                "mean": t.mean,
                "standard error": t.standard_error,
                "minimum": t.minimum,
                "maximum": t.maximum,
                "value": None if t.value is None else float(t.value),
                "z": t.z,
                "distribution": t.distribution,
                "histogram": t.histogram and {"counts": t.histogram.counts, "edges": t.histogram.edges},
            }
            for name, t in simulation.totals.items()
        },
        "lengths": simulation.lengths,
        "circling": simulation.circling,
        **({"note": note} if (note := remark(solution.game, is_in_unit=False)) else {}),
    }

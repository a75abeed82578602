"""A state as data: its text and picture, its worth, its actions, and their outcomes.

Numbers are those of `solution.probe`, from the rules' point of view in this state (with PASS, that of the player to move). The
page itself keeps track of which of two people that is, as `views.play.Session` does.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import Number, between, digits, down, in_full, is_wide, up
from zermelo.basics.words import counted
from zermelo.errors import ParameterError, UnreachableState
from zermelo.games.all_views import TABLES, fitting
from zermelo.language.parameters import fields
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Action, Joint, Outcome, State
from zermelo.serve.whole import whole
from zermelo.solution import Chance, Probe, Solution
from zermelo.uses.lookahead import places, proven_losses
from zermelo.uses.probe import with_unlisted
from zermelo.uses.units import Winning, measure, percent, winning
from zermelo.views.data import number_as_data
from zermelo.views.slices import are_fields_telling, slots_of, state_of
from zermelo.views.words import is_decided

MOST_ACTIONS = 1000  # listed at most, the best first
MOST_OUTCOMES = 500  # listed at most, the likeliest first
SHORT = 24  # characters of a fraction shown beside a bar
FIGURES, DECIMALS = 6, 2  # of a number beside a bar: six figures, but always those before the point and two after it
PLAIN, GROUPED = 1e15, re.compile(r"-?\d{5,}(\.\d+)?")  # numbers without an exponent; those that are written in groups of three digits
WORKS_OUT = "actions"  # the table that works out what a state is worth that no play reaches
LONGEST = 90  # characters of a state told in numbers
RESULTS = {1: "win", 0: "draw", -1: "loss"}
WINNERS = {1: "the first player won", 0: "draw", -1: "the second player won"}  # where nobody is left to move; the first is player 0


def facts(solution: Solution) -> dict[str, Any]:
    """The facts about a game with states that the page needs to show its positions."""
    report, unit, own = solution.report, winning(solution.answers), measure(solution.game)
    return {
        "slots": list(solution.layout.slot_names),
        "fields": _fields(solution.rules.start),
        "start": slots_of(solution.rules.start),
        "two players": report.is_for_two,
        "passes": report.passes,
        "told": solution.rules.is_told,
        "fields tell": are_fields_telling(solution),
        "chance only": solution.rules.is_chance,
        "simultaneous": solution.rules.is_simultaneous,
        "decided": is_decided(solution),
        "win draw loss": bool(report.is_for_two and report.facts.get("win_draw_loss") and solution.discount == 1),
        "payoffs": list(solution.rules.payoffs),
        "unit": None if unit is None else {"name": unit.name, "who": unit.who, **_line(unit)},
        "payoff unit": None if own is None else own._asdict(),
    }


def _fields(start: State) -> list[dict[str, Any]]:
    """The fields of a state: what the game says of each, and how many numbers a tuple has (None: it is a number)."""
    found = zip(fields(type(start)), start, strict=True)
    return [{"name": f.name, "about": f.doc, "count": len(value) if isinstance(value, tuple) else None} for f, value in found]


def _line(unit: Winning) -> dict[str, float]:
    """The linear map from values to chances of winning."""
    at_0, at_1 = float(unit.convert(Fraction(0))), float(unit.convert(Fraction(1)))
    return {"at 0": at_0, "slope": at_1 - at_0}


def state_at(solution: Solution, slots: Any) -> State:
    """The state with these whole numbers, in the order of `slots`. Raises `ParameterError`."""
    names = solution.layout.slot_names
    slots = [whole(x) for x in slots] if isinstance(slots, list) else slots
    is_list = isinstance(slots, list) and all(isinstance(x, int) and not isinstance(x, bool) for x in slots)
    if not is_list or len(slots) != len(names):
        raise ParameterError(f"a state of {solution.rules.name} is {counted(len(names), 'whole number')}: {', '.join(names)}")
    return state_of(solution, slots)


@contextmanager
def in_words_of_the_page(solution: Solution, state: State) -> Iterator[None]:
    """Says of a state that was not solved what a person at the page can do; Python's message names arguments that nobody can type there."""
    try:
        yield
    except UnreachableState:
        view = fitting(solution, TABLES).get(WORKS_OUT)
        more = f', or try the table "{view.doc}": where it can, it works out what such a state is worth' if view else ""
        raise UnreachableState(f"no play from the start comes to {_in_numbers(state)}: enter other numbers{more}") from None


def _in_numbers(state: State) -> str:
    """A state by the names and numbers of its fields, as they are entered; the game's own words may fail for one that can't be."""
    found = zip(type(state)._fields, state, strict=True)
    text = ", ".join(f"{name} {' '.join(map(str, value)) if isinstance(value, tuple) else value}" for name, value in found)
    return text if len(text) <= LONGEST else "this state"


def position(solution: Solution, state: State) -> dict[str, Any]:
    """All that the page shows of a state. Raises `UnreachableState`, `ParameterError`."""
    with in_words_of_the_page(solution, state):
        probe = solution.probe(state)
    rules = solution.rules
    is_over = not rules.actions(state)
    own, others = _choices(solution, probe)
    unit = winning(solution.answers)
    more = {} if len(own) <= MOST_ACTIONS else {"more actions": len(own) - MOST_ACTIONS}
    return {
        "state": slots_of(state),
        "text": rules.show(state),
        **_covered(solution, state),
        **_drawn(solution, state, own),
        "over": is_over,
        "player": probe.player,
        "chance": bool(own) and own[0]["action"] is None,
        **number_as_data("value", probe.value, probe.low, probe.high),
        "value": _drawn_as(probe.value, probe.low, probe.high),
        "says": WINNERS[round(float(probe.value))]
        if is_over and is_decided(solution) and not solution.report.passes
        else says(solution, unit, probe.value, probe.low, probe.high, probe.distance, probe.player),
        "moves to the end": probe.distance,
        "payoffs": {n: float(v) for n, v in probe.payoffs.items()},
        "paid at the end": [float(x) for x in rules.payoff(state)] if is_over else None,
        "cut off": is_over and rules.bounds(state) is not None,
        "asks": [] if is_over else list(rules.asks(state)),
        "best is certain": probe.is_action_certain,
        "actions": own[:MOST_ACTIONS],
        **({"other actions": others[:MOST_ACTIONS]} if probe.mixture is not None else {}),
        **more,
    }


def _choices(solution: Solution, probe: Probe) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The actions of the player to move, the best first; where both choose at once, those of both, the likeliest first."""
    if probe.mixture is None:
        return _ranked(solution, probe), []
    sides = (
        (probe.mixture, probe.actions, probe.action_bounds, 1),
        (probe.other_mixture or {}, probe.other_actions or {}, probe.other_action_bounds, -1),
    )
    own, others = (_mixed(solution, *side, float(probe.high - probe.low)) for side in sides)
    return own, others


def _ranked(solution: Solution, probe: Probe) -> list[dict[str, Any]]:
    sign = 1 if probe.player == 0 else -1
    losses, place = (of(probe.actions, probe.action_bounds, sign) for of in (proven_losses, places))
    unit, found, name = winning(solution.answers), [], solution.rules.action_names(probe.actions)
    for index, (action, value) in enumerate(probe.actions.items()):
        moves = None if action is None else solution.moves_after(probe.state, action)
        low, high = probe.action_bounds[action]
        found.append(
            {
                **_action(index, action, name[action], value, (low, high)),
                "says": says(solution, unit, value, low, high, moves, probe.player),
                "loss": losses[action],
                "moves": moves,
                "best": action == probe.action,
                "order": (place[action], (moves or 0) * (1 if sign * value > 0 else -1), action != probe.action),
            }
        )
    found.sort(key=lambda a: a["order"])
    return [{n: v for n, v in a.items() if n != "order"} for a in found]


def _mixed(
    solution: Solution,
    mixture: Mapping[Action, Number],
    values: Mapping[Action, Number],
    bounds: Mapping[Action, Any],
    sign: int,
    known: float,
) -> list[dict[str, Any]]:
    """`known` : how far the value of the state is known. What mixtures in floats leave of a 0 is less, and shown as 0 with wider bounds."""
    losses, unit, name = proven_losses(values, bounds, sign), winning(solution.answers), solution.rules.action_names(mixture)
    ends = {a: max(abs(low), abs(high)) for a, (low, high) in bounds.items()}
    noughts = {a: end for a, end in ends.items() if 0 < end <= known and not isinstance(values[a], Fraction)}
    values = {**values, **dict.fromkeys(noughts, 0.0)}
    bounds = {**bounds, **{a: (-end, end) for a, end in noughts.items()}}
    found = [
        {
            **_action(index, action, name[action], values[action], bounds[action]),
            "says": says(solution, unit, values[action], bounds[action][0], bounds[action][1], None),
            "loss": losses[action],
            "probability": float(probability),
            "best": probability > 0,
        }
        for index, (action, probability) in enumerate(mixture.items())
    ]
    return sorted(found, key=lambda a: -a["probability"])


def _action(
    index: int, action: Action, name: str, value: Number, bounds: tuple[Number, Number]
) -> dict[str, Any]:
    """An action by its place in the order of the rules; `action` is None where only chance moves."""
    return {
        "index": index,
        "action": list(action) if isinstance(action, tuple) else action,
        "name": name,
        "value": _drawn_as(value, *bounds),
        "low": down(bounds[0]),
        "high": up(bounds[1]),
        "exact": in_full(value) if isinstance(value, Fraction) else None,
    }


def _drawn_as(value: Number, low: Number, high: Number) -> float:
    """A value for bars and charts: 0 where it can't be told from 0. Rounding would fill a scale otherwise."""
    return 0.0 if low <= 0 <= high and not is_wide(low, high) else float(value)


def says(solution: Solution, unit: Winning | None, value: Number, low: Number, high: Number, moves: int | None, player: int = 0) -> str:
    """A value as short text: win, draw or loss of the player to move; the chance of winning; or the number, in certain digits."""
    if is_decided(solution) and not is_wide(low, high):
        result = RESULTS[round(float(value)) * (1 if player == 0 else -1)]
        return (
            result
            if moves is None or result == "draw"
            else f"{result} in {moves}"
            if moves
            else {"win": "won", "loss": "lost"}[result]
        )
    if unit is not None:
        chance: Chance = unit.of(value, low, high)
        return f"{percent(chance)} %"
    own = measure(solution.game)
    if own is not None:
        return own.written(_number(*own.shown(value, low, high)))
    return _number(value, low, high)


def _number(value: Number, low: Number, high: Number) -> str:
    """A number in a few characters: a short fraction, or digits that are certain; the interval if hardly any are."""
    if is_wide(low, high):
        return between(low, high)
    if isinstance(value, Fraction):
        text = in_full(value)
        return _grouped(text if len(text) <= SHORT else _rounded(float(value)))
    rounded, certain = _rounded(float(value)), digits(value, low, high)
    return _grouped(rounded if len(rounded) <= len(certain) else certain)


def _rounded(value: float) -> str:
    """A float in six figures, or more where a value that is no whole number would look like one. (`number` of the page's scripts.)"""
    if not 1 <= abs(value) < PLAIN:
        return f"{value:.{FIGURES}g}"
    places = max(FIGURES - 1 - math.floor(math.log10(abs(value))), DECIMALS)
    return f"{value:.{places}f}".rstrip("0").rstrip(".")


def _grouped(text: str) -> str:
    """A number of five digits or more before the point, in groups of three: 5,000,000,002.5."""
    if not GROUPED.fullmatch(text):
        return text
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}"


def _covered(solution: Solution, state: State) -> dict[str, Any]:
    """The position with covered things revealed, if the game can show that."""
    revealed = solution.rules.revealed(state)
    return {} if revealed is None else {"with covered": revealed}


def _drawn(solution: Solution, state: State, actions: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The picture of the position, and its places by the indices of actions; or what is wrong with it."""
    rules = solution.rules
    if not rules.is_pictured:
        return {}
    try:
        picture = rules.picture(state)
        if rules.is_simultaneous:
            return {"picture": picture, "places": {}}
        legal = rules.actions(state)
        asked = [a["index"] for a in actions[:MOST_ACTIONS] if a["action"] is not None]
        return {"picture": picture, "places": {str(k): found for k in asked if (found := rules.places(state, legal[k]))}}
    except Misdrawn as error:
        return {"misdrawn": f"There is no picture of this position: {error}."}


# --- the outcomes of an action ----------------------------------------------------------------------------------------------


def outcomes(solution: Solution, state: State, action: Any, other: Any = None) -> dict[str, Any]:
    """The outcomes of an action, the likeliest first, and one that is drawn by chance. `action` is an index among the actions
    of the rules, or a list of numbers if the game asks for these. Raises `ParameterError`, `UnreachableState`."""
    rules = solution.rules
    with in_words_of_the_page(solution, state):
        solution.answers.known(state)  # raises for a state that was not solved
    if rules.is_simultaneous:
        own, others = rules.choices(state)
        taken: Action = Joint(_chosen(own, action), _chosen(others, other))
    elif isinstance(action, list):
        taken = _typed(rules.asks(state), action)
        _check_typed(solution, state, taken)
    else:
        taken = _chosen(rules.actions(state), action)
    found = likeliest(solution, state, taken)
    drawn = random.choices(range(len(found)), [float(o.ways) for _, o in found])[0]
    shown = found if len(found) <= MOST_OUTCOMES else [*found[:MOST_OUTCOMES], *([found[drawn]] if drawn >= MOST_OUTCOMES else [])]
    judged = {"loss": _loss(solution, state, taken)} if isinstance(action, list) else {}
    return {
        "action": rules.action_name(taken),
        "outcomes": [_outcome(solution, outcome, probability) for probability, outcome in shown],
        "drawn": min(drawn, MOST_OUTCOMES),
        "more": len(found) - len(shown),
        **judged,
    }


def likeliest(solution: Solution, state: State, action: Action) -> list[tuple[Fraction, Outcome]]:
    """All outcomes of an action with their probabilities, the likeliest first."""
    return sorted(solution.rules.chances(state, action), key=lambda pair: -pair[0])


def _typed(names: Sequence[str], numbers: list[Any]) -> Action:
    """An action given by the numbers that the game asks for."""
    numbers = [whole(n) for n in numbers]
    if len(numbers) != len(names) or not all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
        wanted = f"{len(names)} whole numbers: {', '.join(names)}" if names else "chosen by its place in the list"
        raise ParameterError(f"an action is {wanted} here, not {numbers!r}")
    return tuple(numbers)


def _check_typed(solution: Solution, state: State, action: Action) -> None:
    """Raise `ParameterError` for an action that is not legal, or leads to states that no listed action leads to: they were not solved."""
    try:
        solution.action_value(state, action)
    except UnreachableState:
        name = solution.rules.action_name(action)
        raise ParameterError(f"{name} leads to states that were not solved: choose one of the actions in the list") from None


def _chosen(actions: Sequence[Action], place: Any) -> Action:
    if not actions:
        raise ParameterError("the play is over")
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(actions):
        raise ParameterError(f"an action is a whole number from 0 to {len(actions) - 1} here, not {place!r}")
    return actions[place]


def _loss(solution: Solution, state: State, action: Action) -> float:
    """The cost of an unlisted action to the player to move."""
    probe = solution.probe(state)
    return proven_losses(*with_unlisted(solution.answers, probe, action), 1 if probe.player == 0 else -1)[action]


def outcome_facts(outcome: Outcome, probability: Fraction) -> dict[str, Any]:
    """The facts about an outcome that do not need its next state."""
    return {
        "probability": float(probability),
        "odds": str(probability) if len(str(probability)) <= SHORT else None,
        "payoff": [float(x) for x in outcome.payoff],
        "sign": outcome.sign,
    }


def _outcome(solution: Solution, outcome: Outcome, probability: Fraction) -> dict[str, Any]:
    value = solution.answers.known(outcome.state).values[0]
    return {
        **outcome_facts(outcome, probability),
        "state": slots_of(outcome.state),
        "text": solution.rules.in_line(outcome.state),
        "value": outcome.sign * float(value),  # from the view of the player to move in the state before
    }

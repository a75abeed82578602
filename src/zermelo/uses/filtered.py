"""The value of a property over several states: the initial ones, or those where the condition of a filter holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number
from zermelo.basics.words import counted
from zermelo.errors import OutOfReach
from zermelo.uses.need import tabled

AT_ONCE = 100_000  # states that are unpacked at once
NAMED = 10  # states that a line names


@described(
    state="The state, by the variables of the model.",
    value="The value of the property there.",
    low="The true value is at least this.",
    high="It is at most this.",
    holds="Whether the threshold is met there; None if there is none, or if the bounds do not decide it.",
)
class At(NamedTuple):
    """A state of a model, and the value of the property there."""

    state: str
    value: Number
    low: Number
    high: Number
    holds: bool | None


class _Infinite(NamedTuple):
    """What is known of a state in which play is cut off because its value is infinite."""

    values: tuple[float, ...] = (math.inf,)

    def interval(self) -> tuple[float, float]:
        """Both ends."""
        return math.inf, math.inf


class Found(NamedTuple):
    """The result of a filter. `value`: None if no single number answers; `said`: in words; `states`: the states that it names; `least` and
    `most`: the ends of a range, with their bounds."""

    value: Number | None
    low: Number
    high: Number
    holds: bool | None
    said: str
    states: tuple[At, ...] = ()
    least: tuple[Number, Number, Number] | None = None
    most: tuple[Number, Number, Number] | None = None


def states_of(solution: Any, question: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """The states in question, with the values of their variables, in order, and the facts about them."""
    answers, game = solution.answers, solution.game
    start = game.start()
    if question.among == "init":
        sides = () if answers.rules.is_chance else ("actions", "other_actions") if answers.rules.is_simultaneous else ("actions",)
        chosen = [o[2] for o in game.outcomes(start, *(next(iter(getattr(game, side)(start))) for side in sides))]
    else:
        table = tabled(answers, "a filter over states")
        unpacked = (s for k in range(0, len(table.keys), AT_ONCE) for s in table.layout.unpack_many(table.keys[k : k + AT_ONCE]))
        counts = [f for f in start._fields if f != "phase" and f not in {field for _, field, _ in question.variables}]  # as at the start
        chosen = [s for s in unpacked if s.phase == 1 and all(getattr(s, f) == getattr(start, f) for f in counts)]
        chosen = [s for s in chosen if game.selected(s)]
    found = {tuple(int(getattr(s, field)) for _, field, _ in question.variables): s for s in chosen}
    for values in sorted(found):
        is_infinite = question.is_cut and game.endless(found[values])
        yield values, _Infinite() if is_infinite else answers.known(found[values])


def told(values: Sequence[int], variables: Sequence[tuple[str, str, bool]]) -> str:
    """A state by its variables: x=1 & !b."""
    pairs = zip(values, variables, strict=True)
    return " & ".join(f"{'' if value else '!'}{name}" if is_truth else f"{name}={value}" for value, (name, _, is_truth) in pairs)


def filtered(question: Any, states: Sequence[At], number: Callable[[Number, Number, Number], str]) -> Found:
    """Apply the operator of a question to its states. Raises `OutOfReach`."""
    op = question.op
    where = f"{counted(len(states), 'initial state' if question.among == 'init' else 'state')}"
    if not states:
        raise OutOfReach(f"{question.text}: the condition of the filter holds in no state that can be reached")
    if op == "state" and len(states) != 1:
        raise OutOfReach(f"{question.text}: filter(state, ...) is about one state, and its condition holds in {where}")
    if op in ("first", "state"):
        return Found(*states[0][1:], "", (states[0],))
    if question.relation != "=?":
        return _of_truths(op, states, where)
    if op in ("sum", "avg"):
        return _added(op, states)
    least, greatest = _extreme(min, states), _extreme(max, states)
    if op in ("min", "max"):
        return Found(*(least if op == "min" else greatest), None, "")
    hull = (least[0] if least[0] == greatest[0] else None, least[1], greatest[2])
    if op in ("argmin", "argmax"):
        found = [s for s in states if (s.low <= least[2] if op == "argmin" else s.high >= greatest[1])]
        return Found(*hull, None, f"is {_named(found, number)}", tuple(found))
    said = f"= [{number(*least)}, {number(*greatest)}] over {where}"
    if least[0] == greatest[0]:
        said = f"= {number(least[0], *hull[1:])} in all of {where}"
    if op in ("print", "printall"):
        shown = [s for s in states if op == "printall" or s.value != 0]
        return Found(*hull, None, f"{said}: {_named(shown, number)}", tuple(shown), least, greatest)
    return Found(*hull, None, said, () if op else tuple(states), least, greatest)


def _of_truths(op: str, states: Sequence[At], where: str) -> Found:
    """The result for a property with a threshold."""
    surely, maybe = sum(s.holds is True for s in states), sum(s.holds is not False for s in states)
    if op == "count":
        said = f"= {surely}" if surely == maybe else f"lies between {surely} and {maybe}: --exact decides"
        return Found(Fraction(surely) if surely == maybe else surely, surely, maybe, None, f"{said} (of {where})")
    if op == "exists":
        holds = True if surely else None if maybe else False
    else:
        holds = True if surely == len(states) else None if maybe == len(states) else False
    told = {True: "true", False: "false", None: "not decided: --exact decides"}[holds]
    hull = (None, min(s.low for s in states), max(s.high for s in states))
    said = f"is {told} (it holds in {surely} of {where})"
    if op in ("print", "printall"):
        shown = [s for s in states if op == "printall" or s.holds]
        return Found(*hull, holds, said + "".join(f"; {s.state}: {_truth(s)}" for s in shown[:NAMED]) + _more(shown), tuple(shown))
    return Found(*hull, holds, said, () if op else tuple(states))


def _columns(states: Sequence[At]) -> tuple[list[Number], list[Number], list[Number]]:
    """Values, with their lower and upper bounds."""
    return [s.value for s in states], [s.low for s in states], [s.high for s in states]


def _extreme(best: Callable[[list[Number]], Number], states: Sequence[At]) -> tuple[Number, Number, Number]:
    value, low, high = _columns(states)
    return best(value), best(low), best(high)


def _truth(at: At) -> str:
    return {True: "true", False: "false", None: "not decided"}[at.holds]


def _added(op: str, states: Sequence[At]) -> Found:
    parts = len(states) if op == "avg" else 1
    value, low, high = (sum((Fraction(x) for x in column), Fraction(0)) / parts for column in _columns(states))
    if all(isinstance(s.value, Fraction | int) for s in states):
        return Found(value, value, value, None, "")
    return Found(float(value), math.nextafter(float(low), -math.inf), math.nextafter(float(high), math.inf), None, "")


def _named(states: Sequence[At], number: Callable[[Number, Number, Number], str]) -> str:
    return "; ".join(f"{s.state}: {number(s.value, s.low, s.high)}" for s in states[:NAMED]) + _more(states)


def _more(states: Sequence[At]) -> str:
    return f"; and {len(states) - NAMED:,} more, which --json has" if len(states) > NAMED else ""

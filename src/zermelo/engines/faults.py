"""Faults of rules that show only when they run compiled, reported in the user's terms with the state."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from zermelo.basics.interrupts import raised_text
from zermelo.basics.words import listed
from zermelo.errors import NoValue, OutOfReach, ParameterError, RulesError, ZermeloError
from zermelo.foreign.modules import question_about
from zermelo.language.checking import check_states
from zermelo.language.names import declared_as
from zermelo.language.parameters import describe
from zermelo.language.rules import Action, Rules, State, lengths
from zermelo.link import RuleRaised
from zermelo.problem.cycles import Cycle
from zermelo.problem.solver import IN_FLOATS, SolverFailure, Unbounded, Unproven
from zermelo.states.layout import Layout, declared_ranges, flatten, nested

GIVING_UP = "if the player who wants little can avoid that, --never 1000000 finds the value"
GIVEN = "if the player who wants little can avoid that, give open constants with --const, or --never 1000000"
MOST_FOLLOWED = 100_000  # outcomes, to see whether play goes on
LONGEST_FOLLOWED = 2.0  # seconds, if rules are slow
FEW_FOLLOWED = 1000  # fewer outcomes than this are not conclusive
MOST_OF_A_CYCLE = 6  # states that a message names
MOST_PAYOFF = 2**31  # totals of a distribution, in whole numbers


def raised_at(rules: Rules, state: Any, error: RuleRaised) -> RulesError:
    """The error for a rule that stopped, or raised an exception, at `state` while it ran compiled. (Raises it if Python also raises there,
    with the line.)"""
    if not error.is_endless:
        check_states(rules, [state])  # raises, with the line, if Python also raises there
    return RulesError(rules.name, [f"at {rules.in_line(state)}: {error.faults[0]}"])


def answer_of(rules: Rules, policy: Callable[[State], Any], state: State) -> Any:
    """The answer of a user's policy in a state. Raises `ParameterError` if the policy fails."""
    try:
        return policy(state)
    except (Exception, SystemExit) as error:
        raise ParameterError(f"the policy fails at {rules.in_line(state)}: {raised_text(error)}") from error


def position(rules: Rules, state: State, legal: Sequence[Action], action: Any) -> int:
    """The position of what a policy returns among the legal actions of a state. Raises `ParameterError`."""
    try:
        return legal.index(action)
    except ValueError:
        mixed = "; probabilities are for games in which both choose at once" if isinstance(action, dict) else ""
        raise ParameterError(f"the policy returns {action!r} at {rules.in_line(state)}, where {listed(legal)} are legal{mixed}") from None


def unsolved(
    rules: Rules, failure: SolverFailure, show: Callable[[int], str], exact_helps: bool, discount_helps: bool, floats_help: bool = False
) -> ZermeloError:
    """The error for a game that a solver failed at, with what can be done about it: `NoValue` if there certainly is no value, otherwise
    `OutOfReach`. show : the text of the state of a number; exact_helps, discount_helps : whether requesting these differs from
    the present options; floats_help : whether it is known that the game is solved without `exact`."""
    why, advice, question = failure.why, list[str](), question_about(type(rules.game))
    if len(rules.payoffs) > 1:
        why = why.replace("what", f"what of `{rules.payoffs[failure.payoff]}`", 1)
    if exact_helps and not (rules.is_simultaneous or rules.is_cut_off or isinstance(failure, Unbounded)):
        advice.append("exact=True solves it in rationals" if failure.is_sure_to_end else "exact=True proves one where it can")
    if discount_helps and question is None and not rules.is_cut_off and not hasattr(rules.game, "settled"):
        limit = ", and so there is if a number of the state counts the moves that are left" if rules.is_simultaneous else ""
        advice.append("with a discount, such as discount=0.99, there is one" + limit)
    is_endless = isinstance(failure, Unbounded) and failure.is_proven
    if question is not None and isinstance(failure, Unbounded):
        advice += [GIVEN if rules.game._fields else GIVING_UP] * (question.grows == "never")
    if is_endless and question is not None and question.grows == "infinite":
        said = f"{rules.name}: infinite. {why[:1].upper()}{why[1:]}"
    elif is_endless and question is not None and question.grows in ("never", "some"):
        said = f"{rules.name}: infinite in some states: {why}"
    elif is_endless:
        said = f"{rules.name} has no value: {why}"
    elif isinstance(failure, Unproven):
        said, advice = f"{rules.name} has no exact value that can be proven: {why}", [IN_FLOATS if floats_help else failure.remedy]
    elif failure.is_sure_to_end:
        said = f"{rules.name} has a value, since play ends here with probability 1, but doubles can't certify one"
        advice = advice[:1]
    else:
        doubles = "" if isinstance(failure, Unbounded) else " in doubles"
        said = f"{rules.name} may have a value, but none can be certified{doubles}: {why}"
    more = f" and {len(failure.states) - 3:,} more" if len(failure.states) > 3 else ""
    text = "; ".join([said, *advice]) + f". States: {'; '.join(show(s) for s in failure.states[:3])}{more}"
    if isinstance(failure, Unbounded) and failure.cycle:
        paid = "" if hasattr(rules.game, "payoff_unit") else f" that pays {failure.cycle.paid:g}"
        text += f". A cycle{paid}: {cycle_text(failure.cycle, show)}"
    return NoValue(text) if is_endless else OutOfReach(text)


def cycle_text(cycle: Cycle, show: Callable[[int], str]) -> str:
    """The states of a cycle in the order of play: "S(x=0) -> S(x=1) -> S(x=0)"."""
    states, most = cycle.states, MOST_OF_A_CYCLE
    parts = [show(s) for s in states[:most]] + [f"{len(states) - most:,} more"] * (len(states) > most)
    return " -> ".join([*parts, show(states[0])])


def holding_successors(rules: Rules, layout: Layout, state: Any) -> Layout:
    """A layout that also holds every next state of `state`; `layout` does not hold one of them. Raises `RulesError`, `OutOfReach`."""
    check_states(rules, [state])
    wider, held = layout, set[Any]()
    for action in rules.actions(state):
        for outcome in rules.outcomes(state, action):
            if not outcome.ways or outcome.state in held:
                continue
            held.add(outcome.state)
            for successor in (outcome.state, *rules.same_as(outcome.state)):
                if wider.pack(successor) < 0:
                    wider = holding(rules, wider, state, successor)
    if wider is layout:
        why = "compiled rules lead to another state than in Python; do numbers go beyond 2^63?"
        raise RulesError(rules.name, [f"at {rules.in_line(state)}: {why}"])
    return wider


def leads_further(rules: Rules, state: Any, slot: int, change: int) -> tuple[int, int] | None:
    """Whether the rules, run at the state with this number of the state changed, lead to states where it has changed even more: (the
    changed number, one that follows). None if not, or if they cannot be run there."""
    numbers = flatten(state)
    numbers[slot] += change
    far = nested(type(state), lengths(state), numbers)
    try:
        for action in rules.actions(far):
            for outcome in rules.outcomes(far, action):
                after = flatten(outcome.state)[slot]
                if outcome.ways > 0 and (after - numbers[slot]) * change > 0:
                    return numbers[slot], after
    except Exception:  # rules need not be valid there
        return None
    return None


def goes_on(rules: Rules, state: Any, slot: int, sign: int) -> bool:
    """Whether play that aims for large (small: sign = -1) values of this number continues from the state for long, and reaches a larger
    (smaller) one. Among the possible next states it takes the one with the most, at random if there are several, and ends only if all of
    them end, or are settled."""
    random, begun, left = Random(0), flatten(state)[slot], MOST_FOLLOWED
    until = time.monotonic() + LONGEST_FOLLOWED
    try:
        actions = rules.actions(state)
        while left > 0 and time.monotonic() < until:
            following = [o.state for action in actions for o in rules.outcomes(state, action) if o.ways > 0]
            left -= 1 + len(following)
            random.shuffle(following)
            following.sort(key=lambda after: -sign * flatten(after)[slot])
            for state in following:
                if not rules.is_settled(state) and (actions := rules.actions(state)):
                    break
            else:
                return False
    except Exception:  # the fault is reported, with the state, when the search gets there
        return False
    return left <= MOST_FOLLOWED - FEW_FOLLOWED and (flatten(state)[slot] - begun) * sign > 0


def holding(rules: Rules, layout: Layout, state: Any, successor: Any) -> Layout:
    """A layout that also holds `successor`, a next state of `state`. Raises `RulesError` if it is not a state, `OutOfReach` if no key
    is long enough."""
    if not layout.is_for(successor):
        raise RulesError(
            rules.name, [f"at {rules.in_line(state)}: the next state {successor!r} is not a {layout.state_class.__name__}"]
        )
    if lengths(successor) != layout.lengths:
        raise RulesError(
            rules.name, [f"at {rules.in_line(state)}: the next state {successor!r} has a tuple of another length"]
        )
    check_declared(rules, layout, [successor])
    for slot, value in enumerate(flatten(successor)):
        if not 0 <= value - layout.low[slot] < 1 << layout.bits[slot]:
            try:
                layout = layout.widened(slot, int(value))
            except OutOfReach as error:
                raise OutOfReach(f"{rules.name}: {error}") from None
    return layout


def check_declared(rules: Rules, layout: Layout, states: Iterable[Any]) -> None:
    """Raise `RulesError` if a field of a state lies outside the range that its class declares."""
    declared = declared_ranges(layout.state_class, layout.lengths)
    for state in states if any(declared) else ():
        for name, value, allowed in zip(layout.slot_names, flatten(state), declared, strict=True):
            if allowed is not None and value not in allowed:
                why = f"{name} is {value}, {declared_as(rules.game, describe(allowed))}"
                raise RulesError(rules.name, [f"in {rules.in_line(state)}: {why}"])


def disagreement(rules: Rules, state: Any, what: str = "") -> RulesError:
    """The error for compiled rules that differ from the same rules in Python at `state`; `what` follows the state in the message."""
    why = "was the file edited after it was imported? do whole numbers grow beyond 2^63?"
    where = f"at {rules.in_line(state)}{what}"
    return RulesError(rules.name, [f"{where}: compiled rules must say what they say in Python ({why})"])


TOO_LONG_TO_PLAY = "so long a play is not simulated: `length`, `evaluate` and the value itself are computed without one"


def no_total(rules: Rules, found: str) -> OutOfReach:
    """The error for a payoff that a distribution cannot count; `found` says which payoff it is, and where."""
    return OutOfReach(
        f"{rules.name}: distributions are of payoffs that are whole numbers up to {MOST_PAYOFF:,}, and {found}; "
        "give payoffs in a smaller or larger unit"
    )

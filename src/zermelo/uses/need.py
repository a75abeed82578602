"""What a verb needs from an answer: the capability itself, a bridge to it, or the reason why it is unavailable."""

from __future__ import annotations

from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

from zermelo.answers.base import Answers, Entered, StoppingLine, Tabled
from zermelo.answers.report import Report
from zermelo.basics.notices import notify
from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress, silent
from zermelo.basics.values import is_hashable
from zermelo.errors import OutOfReach, RulesError
from zermelo.language.rules import Rules

if TYPE_CHECKING:
    from zermelo.engines.exploring.explored import Explored

Bounds = tuple[Number, Number]
_names: WeakKeyDictionary[Rules, list[Any]] = WeakKeyDictionary()  # what the names in solved rules stood for (`names_used`)
MANY = 20_000  # states that take a second or more to be found and solved, of which people are told
MOST_BRIDGED = 4_000_000  # states of a game that is solved again, all states stored, where a verb needs them


def need(answers: Answers, capability: type, what: str, progress: Progress = silent) -> Any:
    """The answer itself if it has the capability; otherwise the same game solved again with all states stored, if only these are missing
    and they are few. Raises `OutOfReach`: "`what` needs ..."."""
    why = answers.lacks(capability)
    if why is None:
        return answers
    if capability is Tabled and can_be_tabled(answers):
        return _bridged(answers, progress)
    raise OutOfReach(f"{what} {why}")


def tabled(answers: Answers, what: str, progress: Progress = silent) -> Tabled:
    """The answer with all states as arrays. Raises `OutOfReach`."""
    return cast(Tabled, need(answers, Tabled, what, progress))


def can_be_tabled(answers: Answers) -> bool:
    """Whether all states are there, or few enough to be solved again."""
    return answers.lacks(Tabled) is None or answers.report.states <= MOST_BRIDGED


def apart(answers: Tabled, progress: Progress = silent) -> Tabled:
    """The same game with symmetric states kept apart, for policies of the user's own, which may treat them differently: solved again, where
    the game declares `symmetries`, and cached."""
    if not answers.rules.folded:
        return answers
    if answers.apart is None:
        answers.apart = found = explored_again(answers, progress, folded=False)
        if (states := found.report.states) >= MANY:
            instead = f"with {states:,} states instead of {answers.report.states:,}"
            why = "a policy may treat symmetric states differently, so they are kept apart"
            notify(f"{answers.rules.name} was solved once more, {instead}: {why}")
    return cast(Tabled, answers.apart)


def check_same_rules(answers: Any) -> None:
    """Raise `RulesError` if the rules are no longer those that were solved: a constant that they use may have changed in this process."""
    if not answers.report.rules:
        return
    from zermelo.language.rules_text import rules_hash  # here, so that light commands start without hashlib

    game = answers.game if hasattr(answers, "game") else answers.rules.game
    if rules_hash(game) != answers.report.rules:
        raise RulesError(type(game).__name__, ["the rules, or a constant that they use, have changed since they were solved: solve again"])


def remember_names(answers: Any) -> None:
    """Remember what the names in the rules stand for, when they have just been solved."""
    from zermelo.language.source import names_used

    _names[answers.rules] = [(*used, _content(used[-1])) for used in names_used(type(answers.rules.game))]


def _content(value: Any) -> int | None:
    """The hash of what a value holds that may have changed within, such as a list; None if it can't be, or if this can't be said."""
    with suppress(Exception):  # hash and pickle run what the user wrote
        if callable(value) or isinstance(value, ModuleType) or (is_hashable(value) and not hasattr(value, "__dict__")):
            return None
        import pickle  # only here, as few rules have such a value

        return hash(pickle.dumps(value))
    return None


def check_same_names(answers: Any) -> None:
    """The same where it must be fast: what the names in the rules stand for is compared."""
    if not answers.report.rules or not hasattr(answers, "rules"):
        return
    known = _names.get(answers.rules)
    if known is None or any(look_up(name) is not value or (held and _content(value) != held) for look_up, name, value, held in known):
        check_same_rules(answers)
        remember_names(answers)


def explored_again(answers: Any, progress: Progress, folded: bool = True) -> Any:
    """The same game solved by the general engine. Raises `RulesError` where this contradicts the answer: then the rules say something of
    themselves that was believed and is not true."""
    from zermelo.engines.base import Request
    from zermelo.engines.explored.engine import StoringEngine

    check_same_rules(answers)
    game, exact, discount = answers.rules.game, answers.is_exact, answers.discount
    found = StoringEngine().solve(Request(game, exact=exact, discount=discount, progress=progress, folded=folded))
    before, now = answers.known(answers.rules.start), found.known(answers.rules.start)
    told = answers.rules.payoffs if answers.rules.is_chance else answers.rules.payoffs[:1]  # others depend on the choice among ties
    for j, name in enumerate(told):
        (low, high), (least, most) = before.interval(j), now.interval(j)
        if high < least or most < low:
            raise RulesError(answers.rules.name, [_contradiction(answers.report, name, (low, high), (least, most))])
    return found


def _contradiction(report: Report, payoff: str, before: Bounds, now: Bounds) -> str:
    believed = report.facts.get("believed")
    why = f"`{believed}` does not hold at states where it was not compared with the rules" if believed else "please report it"
    return (
        f"the {payoff} lies between {before[0]} and {before[1]} as the engine {report.engine} solved it, but between {now[0]} and {now[1]} "
        f"where every state is asked: {why}"
    )


def _bridged(answers: Any, progress: Progress) -> Any:
    """The same game solved by the general engine; cached. With the policy of the answer, so that all verbs speak of one."""
    if answers.bridge is None:
        answers.bridge = explored_again(answers, progress)
        if answers.lacks(Entered) is None:
            from zermelo.engines.entries.again import as_entered

            answers.bridge = as_entered(answers, answers.bridge, progress)
        elif answers.lacks(StoppingLine) is None:
            from zermelo.engines.urn.solving import as_swept

            answers.bridge = as_swept(answers, answers.bridge)
    return answers.bridge


def explored_of(answers: Tabled) -> Explored:
    """The explored game behind an answer; explored again if another process or another engine solved it."""
    if answers.explored is None:
        from zermelo.engines.base import Request
        from zermelo.engines.exploring.game import explored_game

        check_same_rules(answers)
        answers.explored = explored_game(Request(answers.rules.game, folded=answers.rules.folded))
    return cast("Explored", answers.explored)


def check_turns(answers: Answers, what: str) -> None:
    """Raise `OutOfReach` where both players choose at once, so that `what` does not apply."""
    if answers.rules.is_simultaneous:
        raise OutOfReach(
            f"{what}: in {answers.rules.name} both choose at once, and optimal play is mixed; probe(state).mixture has it"
        )


def check_end(answers: Answers, what: str) -> None:
    """Raise `OutOfReach` if play is cut off somewhere: `what` would need to know how it ends."""
    if answers.rules.is_cut_off:
        raise OutOfReach(
            f"{what}: {answers.rules.name} cuts play off and bounds the rest, and what is not played has no one value"
        )

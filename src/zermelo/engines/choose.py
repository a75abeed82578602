"""The engines, in the order in which they are asked, and the choice of one for a game."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.answers.report import Refusal
from zermelo.engines.base import OPTIONS, Engine, Request
from zermelo.engines.boards.engine import BoardsEngine
from zermelo.engines.entries.engine import EntriesEngine
from zermelo.engines.explored.engine import ExploredEngine, StoringEngine
from zermelo.engines.hidden.engine import HiddenEngine
from zermelo.engines.horizon.engine import HorizonEngine
from zermelo.engines.replies.engine import RepliesEngine
from zermelo.engines.stages.engine import StagesEngine
from zermelo.engines.urn.engine import SmallUrnEngine, UrnEngine
from zermelo.errors import OutOfReach, ParameterError, ZermeloError
from zermelo.language.checking.private import private_fields

ENGINES: tuple[Engine, ...] = (
    RepliesEngine(),
    HiddenEngine(),
    UrnEngine(),
    StagesEngine(),
    EntriesEngine(),
    BoardsEngine(),
    ExploredEngine(),
    HorizonEngine(),
    StoringEngine(),
    SmallUrnEngine(),
)
MADE_FOR_SOME = ENGINES[: [e.name for e in ENGINES].index(ExploredEngine.name)]  # those asked before the general one
NO_STATES = "it has no states"
ALL_SEEN = "its players do not see everything, and this is for games in which they do"
KINDS = (NO_STATES, ALL_SEEN)


def why_not(engine: Engine, request: Request) -> str | None:
    """None if the engine accepts the game with the given options; otherwise the reason. The rules are examined before the first engine is
    asked, so that their faults are reported first (`RulesError`)."""
    kind = _of_another_kind(engine, request)
    if kind is not None:
        return kind
    unknown = _takes_no(engine, request)
    return engine.why_not(request) or (f"it is {unknown}" if unknown else None)


def willing(request: Request, tried: list[Refusal], notes: list[str]) -> Iterator[Engine]:
    """The engines that accept the game, in order. The reasons of the others are added to `tried`, or to `notes` for an engine made for such
    games."""
    for engine in ENGINES:
        why = why_not(engine, request)
        if why is None:
            yield engine
        else:
            tried.append(Refusal(engine.name, why))
            notes += gives_away(engine, request)


def _of_another_kind(engine: Engine, request: Request) -> str | None:
    """A clause if the engine cannot be used for games of this kind."""
    if request.is_given_by_replies:
        return None if isinstance(engine, RepliesEngine) else NO_STATES
    is_for_all_seen = not isinstance(engine, RepliesEngine | HiddenEngine)
    return ALL_SEEN if request.rules.is_hidden and is_for_all_seen else None


def _takes_no(engine: Engine, request: Request) -> str | None:
    """A clause about the given options that the engine does not support; None if it supports all."""
    unknown = [option for option in request.asked if option not in engine.honours]
    return f"{engine.about} and takes no {' and no '.join(unknown)}" if unknown else None


def gives_away(engine: Engine, request: Request) -> list[str]:
    """Notes for the report if an engine made for such games was skipped because of an option."""
    if isinstance(engine, HiddenEngine) and not request.is_given_by_replies and not request.rules.is_hidden:
        return _looks_private(request)
    if engine not in MADE_FOR_SOME or _of_another_kind(engine, request) is not None:
        return []
    why = _takes_no(engine, request)
    if why is None or engine.why_not(request) is not None:
        return []
    return [f"the engine {engine.name}, made for such games, was not asked: this is {why}"]


def _looks_private(request: Request) -> list[str]:
    """A note if the state seems to contain something that not every player should see."""
    fields = [f"`{name}`" for name in private_fields(request.rules, request.sample)]
    if not fields:
        return []
    names = f"{', '.join(fields[:-1])} and {fields[-1]} look" if len(fields) > 1 else f"{fields[0]} looks"
    return [
        f"{names} private (dealt by chance, never shown), but {request.name} has no `sees`, so everybody is taken to see everything: if "
        "players do not, declare `sees(self, s, player)` (docs/hidden-information.md)"
    ]


def refusal(request: Request, tried: list[Refusal]) -> ZermeloError:
    """The error to raise if no engine accepts the game. It is about the engines that would have accepted it except for an option, if there
    are any."""
    made_for_it = [e for e in ENGINES if _of_another_kind(e, request) is None and e.why_not(request) is None]
    unfit = {e: f"{request.name} is {why}" for e in made_for_it if (why := _takes_no(e, request))}
    gave_up = [f"the engine {name} gave up: {why}" for name, why in tried if any(e.name == name and e not in unfit for e in made_for_it)]
    general = dict(tried).get(ExploredEngine.name)
    if general not in (None, *KINDS) and _takes_no(ExploredEngine(), request) is None:  # it is too large
        return OutOfReach("; ".join([f"{request.name}: {general}: give smaller parameters", *list(unfit.values())[:1]]))
    if unfit and not gave_up and len(request.asked) > 1 and all(any(option in e.honours for e in made_for_it) for option in request.asked):
        options = " or with ".join(request.asked)
        return ParameterError(f"{request.name} can be solved with {options}, but not with all of them: leave one out")
    if unfit:
        engine, why = next(iter(unfit.items()))
        unknown = [OPTIONS[option] for option in request.asked if option not in engine.honours]
        return ParameterError(f"{why}: {'; '.join(gave_up or unknown)}")
    return OutOfReach(f"{request.name}: " + "; ".join(f"{name}: {why}" for name, why in tried if why not in KINDS))

"""The engines, in the order in which they are asked, and the question which of them takes a game."""

from __future__ import annotations

from zermelo.answers.report import Refusal
from zermelo.engines.base import OPTIONS, Engine, Request
from zermelo.engines.boards.engine import BoardsEngine
from zermelo.engines.entries.engine import EntriesEngine
from zermelo.engines.explored.engine import ExploredEngine
from zermelo.engines.replies.engine import RepliesEngine
from zermelo.engines.stages.engine import StagesEngine
from zermelo.engines.urn.engine import SmallUrnEngine, UrnEngine
from zermelo.errors import OutOfReach, ParameterError, ZermeloError

ENGINES: tuple[Engine, ...] = (
    RepliesEngine(),
    UrnEngine(),
    StagesEngine(),
    EntriesEngine(),
    BoardsEngine(),
    ExploredEngine(),
    SmallUrnEngine(),
)
NO_STATES = "it has no states"


def why_not(engine: Engine, request: Request) -> str | None:
    """None if the engine takes the game, with the options that were given; else why not. The rules are examined before the first engine
    is asked, so that their faults are told first."""
    if request.is_given_by_replies:
        if not isinstance(engine, RepliesEngine):
            return NO_STATES
    elif not isinstance(engine, RepliesEngine):
        _ = request.rules, request.sample
    return engine.why_not(request) or _takes_no(engine, request)


def _takes_no(engine: Engine, request: Request) -> str | None:
    """The options that were given and that the engine does not know."""
    unknown = [option for option in request.asked if option not in engine.honours]
    return f"{engine.about} takes no {' and no '.join(unknown)}" if unknown else None


def gives_away(engine: Engine, request: Request) -> list[str]:
    """What to say where an engine that is made for the game does not solve it, because of an option."""
    if isinstance(engine, ExploredEngine | SmallUrnEngine) or (request.is_given_by_replies and not isinstance(engine, RepliesEngine)):
        return []
    why = _takes_no(engine, request)
    return [f"{engine.name} was not asked: {why}"] if why and engine.why_not(request) is None else []


def refusal(request: Request, tried: list[Refusal]) -> ZermeloError:
    """The error if no engine takes the game: that of the engine that would have taken it but for an option."""
    for engine in ENGINES:
        if request.is_given_by_replies == isinstance(engine, RepliesEngine) and engine.why_not(request) is None:
            unknown = [option for option in request.asked if option not in engine.honours]
            if unknown:
                about = "; ".join(OPTIONS[option] for option in unknown)
                return ParameterError(f"{request.name} is {engine.about} and takes no {' and no '.join(unknown)}: {about}")
    return OutOfReach(f"{request.name}: " + "; ".join(f"{name}: {why}" for name, why in tried if why != NO_STATES))

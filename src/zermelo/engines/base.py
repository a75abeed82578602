"""The interface of engines: their input and their results."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from zermelo.basics.parameters import check_path, check_progress, check_tolerance, whole
from zermelo.basics.progress import Progress, silent
from zermelo.cluster.connection import check_address
from zermelo.errors import ParameterError
from zermelo.language.checking import Seen, check, perhaps_misspelt
from zermelo.language.checking.checker import LONGEST, SECONDS, Sample
from zermelo.language.replies import is_given_by_replies
from zermelo.language.rules import Rules, State
from zermelo.problem.solver import Solver


@dataclass(frozen=True)
class Request:
    """A game and the options of `zermelo.solve`: the input of every engine. Rules are read once, and examined once."""

    game: Any
    exact: bool = False  # proven rational numbers are wanted
    discount: float = 1.0
    solver: Solver | None = None  # instead of the automatic choice
    max_states: int | None = None
    tolerance: float | None = None  # how far the value may be from the true one (relative; absolute below 1)
    checkpoint: str | Path | None = None
    quick: bool = False  # the tables of large board games are checked at a sample only
    refine: bool = False  # the strategies of a game with hidden information are proven to be refined
    cluster: str | None = None  # the cluster whose machines share the table of a board game
    progress: Progress = silent
    is_thorough: bool = False  # the rules are examined for longer than in `solve`
    folded: bool = True  # states that are the same under `symmetries` are one

    def checked(self) -> Request:
        """The request itself. Raises `ParameterError` if an option has a value that makes no sense for any game."""
        discount = self.discount
        if not isinstance(discount, int | float):
            raise ParameterError(f"discount must be a float greater than 0 and at most 1, such as 0.9, not {discount!r}")
        if isinstance(discount, bool) or not 0 < discount <= 1:
            raise ParameterError(f"discount must be greater than 0 and at most 1, not {discount!r}")
        if self.max_states is not None:
            whole("max_states", self.max_states, 1)
        check_tolerance(self.tolerance)
        if self.checkpoint is not None:
            if isinstance(self.checkpoint, str | Path) and Path(self.checkpoint) == Path():  # also the meaning of an empty text
                raise ParameterError(
                    "checkpoint must name a file, or a folder of its own for a board game or a game in stages; not the current folder"
                )
            check_path(self.checkpoint)
        if self.cluster is not None:
            check_address(self.cluster)
            if self.checkpoint is not None:
                raise ParameterError("a cluster keeps what is done in a folder of its own ($ZERMELO_CACHE): leave the checkpoint out")
        for name in ("exact", "quick", "refine"):
            if not isinstance(getattr(self, name), bool):
                raise ParameterError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if self.solver is not None and not hasattr(self.solver, "accepts"):
            raise ParameterError(f"solver must be an object such as zermelo.Backward(), not {self.solver!r}")
        check_progress(self.progress)
        if self.quick and self.exact:
            raise ParameterError("exact=True proves what quick=True leaves unproven: ask for one of them")
        return self

    @property
    def name(self) -> str:
        """The name of the game's class."""
        return type(self.game).__name__

    @property
    def asked(self) -> tuple[str, ...]:
        """The options that differ from their defaults."""
        return tuple(f.name for f in fields(self) if f.name in OPTIONS and getattr(self, f.name) != f.default)

    @property
    def is_given_by_replies(self) -> bool:
        """Whether it is a matrix game given by best responses and thus without states."""
        return is_given_by_replies(self.game)

    @cached_property
    def _examined(self) -> Sample:
        return check(self.game, seconds=LONGEST if self.is_thorough else SECONDS)

    @cached_property
    def rules(self) -> Rules:
        """The rules of a game with states, read and examined. Raises `RulesError` with all faults at once, `ParameterError`."""
        return self._examined.rules if self.folded else Rules(self._examined.rules.game, folded=False)

    @property
    def sample(self) -> list[State]:
        """The states at which the rules were run in Python and examined. Raises as `rules` does."""
        return self._examined.states


    @property
    def seen(self) -> Seen | None:
        """Facts about the game at these states; None for matrix games given by best responses."""
        return None if self.is_given_by_replies else self._examined.seen

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on rules that are allowed, but probably not what was meant."""
        return tuple(perhaps_misspelt(self.game)) if self.is_given_by_replies else self._examined.remarks


OPTIONS = {
    "exact": "exact is for games whose values are rational numbers",
    "discount": "a discount is for games that go from state to state",
    "solver": "a solver is for games whose states are explored",
    "max_states": "max_states is for games with states",
    "tolerance": "a tolerance is for values that are certified by a bound",
    "quick": "quick is for board games of more than a million positions, whose tables are checked afterwards",
    "refine": "refine is for games with hidden information (`sees`): of their optimal strategies it finds those that make the mistakes of "
    "the other player cost most",
    "cluster": "a cluster solves board games that declare `space(self)` and games in stages that declare `entries()`, and of all games "
    "shares studies and simulated plays (docs/cluster.md)",
    "checkpoint": "a checkpoint is for sweeps over the stages of an urn, regret minimisation, games in stages (`stage` with `space` or "
    "`entries`), and board games that declare `space`",
}
MOST_EXPLORED = 100_000_000  # states, about 3 GB: protects a machine from a typo; max_states may raise it
HORIZON = frozenset({"discount", "exact", "tolerance"})  # the options that engines/horizon/ takes into account
FEW_STORED = 4_000_000  # states of a game that counts the moves left, up to which they are stored for every number of these


class GivesUp(Exception):
    """Raised by an engine that accepted a game but cannot solve it; `why` is the reason, in the user's terms. The next engine is asked.
    `is_noted` : whether a note tells the user, because an engine gave up that might have done better."""

    def __init__(self, why: str, is_noted: bool = True):
        super().__init__(why)
        self.why, self.is_noted = why, is_noted


NOT_COMPILED = "not compiled here: what only the compiler refuses would show in a larger game"
TWO_TIERS = "run by Python first; compiled if that takes a third of a second (or as long as compiling), or if they are compiled already"


class Examined(NamedTuple):
    """How many states (in matrix games: strategies) an engine has examined, and whether the compiler has seen the rules, as it does where
    Python alone takes too long; None where it has no part in this."""

    number: int
    is_compiled: bool | None = None


class Engine(Protocol):
    """A way from rules to an answer.

    name     its name in `zermelo.plan` and in reports
    about    the games it solves, in a few words that follow "it is"
    honours  the options that it takes into account, by their names in `Request`
    believes what it takes from the rules and compares with them at some states only: names of members
    runs     the way it runs the rules, in words that follow "rules:"
    """

    name: str
    about: str
    honours: frozenset[str]
    believes: tuple[str, ...]
    runs: str

    def why_not(self, request: Request) -> str | None:
        """None if it accepts the game; otherwise the reason, as a clause in the user's terms. Quick: rules are run at a few states at
        most."""

    def notes(self, request: Request) -> tuple[str, ...]:
        """Faster methods of this engine that the game does not allow, with the reasons; a sentence each."""

    def examine(self, request: Request) -> Examined:
        """Check the game's declarations for this engine that the rules checker does not check. Raises `RulesError`."""

    def solve(self, request: Request) -> Any:
        """The answer (`answers.base.Answers` or `MixedAnswers`). Raises `GivesUp`, `RulesError`, `ParameterError`, `NoValue`, `OutOfReach`,
        `FileError`."""

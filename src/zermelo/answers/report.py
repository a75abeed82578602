"""How a game was solved: the engine and method, the time taken, facts about the game, and the engines tried earlier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from zermelo.basics.bounds import Certificate
from zermelo.basics.fields import described
from zermelo.basics.numbers import Number


@described(
    engine="The name of the engine.",
    why="A clause in the user's words, such as \"it does not declare `urn(s)`\".",
)
class Refusal(NamedTuple):
    """An engine that did not accept the game."""

    engine: str
    why: str


@dataclass(frozen=True)
class Report:
    """How a game was solved. Facts, keys and units: docs/glossary.md."""

    engine: str
    """Its name in `zermelo.plan`."""
    solver: str
    """The method, such as "Backward"."""
    summary: str
    """A one-line description of the game."""
    facts: Mapping[str, Any]
    """Counts, such as that of states, under the names in docs/glossary.md."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Seconds per step: compiling, exploring, solving ..."""
    tried: tuple[Refusal, ...] = ()
    """The engines that were asked earlier, and why they did not accept the game."""
    notes: tuple[str, ...] = ()
    """Faster ways that were not possible, and why."""
    rules: str = field(default="", repr=False, compare=False)
    """The hash of the rules as they were solved; empty where it is not known."""

    @property
    def statistics(self) -> dict[str, Any]:
        """Facts, method and times in one dictionary, as the command line prints them in JSON."""
        times = {f"seconds {step}": s for step, s in self.seconds.items()}
        return {**self.facts, **({"solver": self.solver} if self.solver else {}), **times}

    @property
    def states(self) -> int:
        """The number of states of the game."""
        return int(self.facts["states"])

    @property
    def is_for_two(self) -> bool:
        """Whether two players have choices."""
        return self.facts.get("players") == 2 or bool(self.facts.get("passes"))

    @property
    def passes(self) -> bool:
        """Whether the rules use PASS, so that values are those of the player to move."""
        return bool(self.facts.get("passes"))

    @property
    def was_interrupted(self) -> bool:
        """Whether the search was interrupted, so that the answer is the best one so far and less accurate than requested."""
        return bool(self.facts.get("interrupted"))

    @property
    def is_decided_without_chance(self) -> bool:
        """Whether play ends in a win, a draw or a loss, with no other payoff, and nothing is left to chance, not by mixing either."""
        return bool(self.facts.get("win_draw_loss") and self.facts.get("deterministic") and not self.facts.get("simultaneous"))

    @property
    def is_sampled(self) -> bool:
        """Whether the answer was checked at a sample of its positions only, so that it is not proven."""
        return "checked" in self.facts and int(self.facts["checked"]) < self.states

    def certificate(self, low: Number, high: Number, argument: str) -> Certificate:
        """The kind of certificate that an interval of a value supports: an answer checked at a sample only is not proven."""
        kind = "sample" if self.is_sampled else "proof" if low == high else "bound"
        believed = self.facts.get("believed")
        said = f"; believed of the rules, and compared with them at some states only: `{believed}`" if believed else ""
        return Certificate(kind, low, high, argument + said)

    def believing(self, members: Sequence[str]) -> Report:
        """The same report, of an answer that rests on these members of the game."""
        return replace(self, facts={**self.facts, "believed": "`, `".join(members)}) if members else self

    def after(self, tried: tuple[Refusal, ...], notes: tuple[str, ...] = ()) -> Report:
        """The same report, with the engines that were asked earlier and notes about them."""
        return replace(self, tried=(*tried, *self.tried), notes=(*self.notes, *notes))

    @staticmethod
    def of_statistics(engine: str, statistics: Mapping[str, Any], summary: str) -> Report:
        """The report from a stored file of an older version, which has only statistics."""
        seconds = {k.removeprefix("seconds "): v for k, v in statistics.items() if k.startswith("seconds ")}
        facts = {k: v for k, v in statistics.items() if k != "solver" and not k.startswith("seconds ")}
        return Report(engine, str(statistics.get("solver", "")), summary, facts, seconds)

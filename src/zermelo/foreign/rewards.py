"""The payments of states and steps: rewards as methods of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from zermelo.foreign.asked import Asked
from zermelo.foreign.model import Branch, Expr, Number, RewardItem, Truth, may_fail
from zermelo.foreign.python import SUM, safe
from zermelo.foreign.steps import Step
from zermelo.foreign.text import Text


class Rewards:
    """The rewards of a structure, as text: those in question, or those that are bounded.

    items, structure   what pays, and the name of the structure; method: the name of a method for the payments of states
    in_units           by the model's payment of branches: the payment in the unit of the items
    must_not_fall      the rules check that nothing below 0 is paid
    """

    def __init__(
        self,
        asked: Asked,
        text: Text,
        items: Sequence[RewardItem],
        in_units: Mapping[Expr, Expr],
        structure: str | None,
        method: str,
        must_not_fall: bool = False,
    ):
        self.asked, self.text, self.in_units, self.must_not_fall = asked, text, in_units, must_not_fall
        self.items, self.structure, self.method = items, structure, method
        self.rewarding: dict[str, str] = {}  # the payment of a label
        self.muted = False  # while nothing is paid

    def of_state(self) -> str:
        """The payment of a state, per step."""
        items = [r for r in self.items if r.label is None]
        if len(items) == 1 and items[0].guard == Truth(True) and not may_fail(items[0].value):
            return self.text.write.text(items[0].value, SUM)
        return f"self.{self.method}(s)" if items else "0"

    def methods(self) -> None:
        """A method for the payments of states, and one for each label with payments."""
        if self.asked.property.path == "instant":
            labels: list[str | None] = [None]
        else:
            labels = list(dict.fromkeys(r.label for r in self.items))
        for label in labels:
            items = [r for r in self.items if r.label == label]
            if not items:
                continue
            is_constant = all(isinstance(r.value, Number) for r in items)
            is_written_in = is_constant or not (self.must_not_fall or may_fail(items[0].value))
            if len(items) == 1 and items[0].guard == Truth(True) and is_written_in:
                text = self.text.write.text(items[0].value, SUM)
            else:
                spelt = safe(f"{self.method}_{label}", self.text.own) if label is not None else self.method
                body = ["total = 0"]
                for r in items:
                    add = [f"total += {self.text.write.text(r.value)}{self.remark(r)}"]
                    if self.must_not_fall and not isinstance(r.value, Number):
                        add.insert(0, self.falls_at(r))
                    body += add if r.guard == Truth(True) else [f"if {self.text.write.text(r.guard)}:", *(f"    {line}" for line in add)]
                self.text.method(f"{spelt}(self, s)", [*body, "return total"])
                text = f"self.{spelt}(s)"
            if label is not None:
                self.rewarding[label] = text

    def remark(self, item: RewardItem) -> str:
        """A comment with the line of an item, if something can go wrong there."""
        return f"  # rewards, line {item.line}" if item.line and not isinstance(item.value, Number) else ""

    def falls_at(self, item: RewardItem) -> str:
        """A line that tests whether an item lets a count fall."""
        return f'assert {self.text.write.text(item.value, SUM)} >= 0, "what is gathered would fall (line {item.line})"'

    def of_step(self, step: Step, paid: list[str]) -> str:
        """The payment of a step."""
        if not self.on_the_way or self.muted:
            return "0"
        found = [self.of_state(), self.rewarding.get(step.label, "0"), *paid]
        return " + ".join(t for t in found if t != "0") or "0"

    def gain(self, step: Step) -> str:
        """The gain of a step, whether or not it is paid."""
        found = [self.of_state(), self.rewarding.get(step.label, "0")]
        return " + ".join(t for t in found if t != "0") or "0"

    def of_branch(self, branch: Branch) -> list[Expr]:
        """The payment of these rewards by a branch itself, in their unit."""
        name = self.asked.model.paying.get(self.structure or "", "")
        if name not in branch.paid or branch.paid[name] == Number(Fraction(0)):
            return []
        return [self.in_units.get(branch.paid[name], branch.paid[name])]

    def in_branches(self, step: Step, n: int) -> bool:
        """Whether branches of part n of a step pay something themselves."""
        return any(self.of_branch(b) for c in step.parts[n].commands for b in c.branches)

    @property
    def on_the_way(self) -> bool:
        """Whether steps pay, rather than the last state."""
        return self.asked.property.path != "instant" and (self.asked.pays or bool(self.items))

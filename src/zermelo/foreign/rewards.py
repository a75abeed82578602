"""What states and steps pay: rewards as methods of a game."""

from __future__ import annotations

from fractions import Fraction

from zermelo.foreign.asked import Asked
from zermelo.foreign.model import Branch, Expr, Number, Truth
from zermelo.foreign.python import SUM, safe
from zermelo.foreign.steps import Step
from zermelo.foreign.text import Text


class Rewards:
    """The rewards that are asked for, as text."""

    def __init__(self, asked: Asked, text: Text):
        self.asked, self.text = asked, text
        self.rewarding: dict[str, str] = {}  # what a label pays

    def of_state(self) -> str:
        """What a state pays, a step."""
        items = [r for r in self.asked.rewards if r.label is None]
        if len(items) == 1 and items[0].guard == Truth(True):
            return self.text.write.text(items[0].value, SUM)
        return "self.rewards(s)" if items else "0"

    def methods(self) -> None:
        """A method for what states pay, and one for each label that is paid for."""
        if self.asked.property.path == "instant":
            labels: list[str | None] = [None]
        else:
            labels = list(dict.fromkeys(r.label for r in self.asked.rewards)) if self.asked.pays else []
        for label in labels:
            items = [r for r in self.asked.rewards if r.label == label]
            if not items:
                continue
            plain = len(items) == 1 and items[0].guard == Truth(True)
            if plain:
                text = self.text.write.text(items[0].value, SUM)
            else:
                spelt = safe(f"rewards_{label}", self.text.own) if label is not None else "rewards"
                body = ["total = 0"]
                for r in items:
                    add = f"total += {self.text.write.text(r.value)}"
                    body += [add] if r.guard == Truth(True) else [f"if {self.text.write.text(r.guard)}:", f"    {add}"]
                self.text.method(f"{spelt}(self, s)", [*body, "return total"])
                text = f"self.{spelt}(s)"
            if label is not None:
                self.rewarding[label] = text

    def of_step(self, step: Step, paid: list[str]) -> str:
        """What a step pays."""
        if not self.on_the_way:
            return "0"
        found = [self.of_state(), self.rewarding.get(step.label, "0"), *paid]
        return " + ".join(t for t in found if t != "0") or "0"

    def of_branch(self, branch: Branch) -> list[Expr]:
        """What a branch itself pays of the rewards that are asked for."""
        name = self.asked.model.paying.get(self.asked.property.rewards or "", "")
        return [branch.paid[name]] if self.asked.pays and name in branch.paid and branch.paid[name] != Number(Fraction(0)) else []

    def in_branches(self, step: Step, n: int) -> bool:
        """Whether branches of part n of a step pay something themselves."""
        return any(self.of_branch(b) for c in step.parts[n].commands for b in c.branches)

    @property
    def on_the_way(self) -> bool:
        """Whether steps pay, rather than the last state."""
        return self.asked.pays and self.asked.property.path != "instant"

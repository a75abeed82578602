"""Checks of how people see a game: texts of states and actions, pictures, and what a person types in."""

from __future__ import annotations

from typing import Any

from zermelo.basics.words import counted
from zermelo.language.checking.examination import Checks
from zermelo.language.checking.runner import FAILED
from zermelo.language.checking.values import short, show
from zermelo.language.checking.watchdog import Endless
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Joint
from zermelo.language.units import asks_fault


class Texts(Checks):
    """Checks of `show`, `asks`, `action_name` and `picture`: that they run, and that the picture can be drawn."""

    def texts(self, state: Any, actions: list[Any]) -> None:
        """Ask for all texts at a state; `actions` are those that are legal there."""
        single = [a for joint in actions for a in (joint if isinstance(joint, Joint) else (joint,)) if a is not None]
        if self.has("show") and self.runner.call("show", state, "", state) is None:
            self._not_returned("show", f"at {show(state)}")
        if self.has("action_name"):
            self._named(state, actions)
        if self.has("asks"):
            self._asked(state, single)
        self._drawn(state, single)

    def _named(self, state: Any, actions: list[Any]) -> None:
        """Ask for the names of all actions; that two of one player have the same name, or one has none, is a remark."""
        pairs = [joint if isinstance(joint, Joint) else (joint, None) for joint in actions]
        for side in zip(*pairs, strict=True):
            known: dict[str, Any] = {}
            for action in dict.fromkeys(a for a in side if a is not None):
                found = self.runner.call("action_name", state, "", action)
                if found is FAILED or self.examination.called_alike:
                    continue
                if found is None:
                    self._not_returned("action_name", f"for action {short(action)} (at {show(state)})")
                name = str(found).strip()
                if not name:
                    self.examination.called_alike = f"`action_name` is empty for action {short(action)} (at {show(state)})"
                elif name in known:
                    both = f"actions {short(known[name])} and {short(action)}"
                    self.examination.called_alike = f"`action_name` is {short(name)} for both {both} (at {show(state)})"
                known[name] = action

    def _not_returned(self, member: str, context: str) -> None:
        text = f"`{member}` returns None {context}: it must return text, so write `return`"
        self.faults.add(("texts", member), f"{text} {self.runner.place_of(member)}")

    def _asked(self, state: Any, actions: list[Any]) -> None:
        """Report names of numbers that are none, or not as many as an action has numbers."""
        found = self.runner.call("asks", state, "", state)
        if found is FAILED:
            return
        fault = asks_fault(found)
        odd = next((a for a in actions if found and not (isinstance(a, tuple) and len(a) == len(found))), None) if not fault else None
        if odd is not None:
            names = f"{counted(len(found), 'number')}, {short(found)}"
            fault = f"`asks` asks for {names}, but action {short(odd)} is no tuple of as many: return a name for each number"
        if fault:
            self.faults.add(("asks",), f"{fault} (at {show(state)}) {self.runner.place_of('asks')}")

    def _drawn(self, state: Any, actions: list[Any]) -> None:
        """Ask for the picture; what is wrong with it is a remark, as the answers do not depend on it."""
        examination = self.examination
        if not self.has("picture") or examination.misdrawn:
            return
        try:
            with self.runner.watchdog.watching:
                self.rules.picture(state)
                for player in range(2 if self.has("sees") else 0):
                    self.rules.picture_for(player, state)
                for action in actions:
                    self.rules.places(state, action)
        except Misdrawn as error:
            examination.misdrawn = f"{error} (at {show(state)}); the position is shown as text there"
        except Endless:
            examination.misdrawn = f"`picture` or `places` takes too long at {show(state)}; the position is shown as text there"

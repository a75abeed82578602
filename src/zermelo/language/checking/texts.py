"""Checks of how people see a game: texts of states and actions, and what a person types in."""

from __future__ import annotations

from typing import Any

from zermelo.language.checking.examination import Checks
from zermelo.language.rules import Joint


class Texts(Checks):
    """Checks of `show`, `asks` and `action_name`: that they run."""

    def texts(self, state: Any, actions: list[Any]) -> None:
        """Ask for all texts at a state; `actions` are those that are legal there."""
        single = [a for joint in actions for a in (joint if isinstance(joint, Joint) else (joint,)) if a is not None]
        calls = [
            ("show", (state,)),
            ("asks", (state,)),
            *(("action_name", (action,)) for action in dict.fromkeys(single)),
        ]
        for member, arguments in calls:
            if self.has(member):
                self.runner.call(member, state, "", *arguments)

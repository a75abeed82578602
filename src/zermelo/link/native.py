"""The compiled kernels of one game, called with its parameters."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from zermelo.errors import RulesError
from zermelo.language.rules import Rules
from zermelo.link.cache import load_module
from zermelo.link.constants import CannotCompile
from zermelo.link.module import Plans, board_module_text, entered_module_text, module_text, staged_module_text
from zermelo.states.layout import Layout


class RuleRaised(RulesError):
    """A rule raised an exception while it ran compiled."""

    def __init__(self, game: str, error: Exception):
        super().__init__(game, [f"a rule raised {type(error).__name__}: {error}"])


class Native:
    """A generated module bound to the parameters of a game."""

    def __init__(self, rules: Rules, layout: Layout, write: Callable[[Rules, Layout], str]):
        self.rules = rules
        try:
            text = write(rules, layout)
        except CannotCompile as error:
            raise RulesError(rules.name, [str(error)]) from None
        self.module = load_module(text)
        numbers = [v for v in rules.game if not isinstance(v, tuple | list | str)]
        self.integers = np.array([int(v) for v in numbers if isinstance(v, int)], dtype=np.int64)
        if rules.is_cut_off:
            self.integers = np.append(self.integers, 0)
        self.floats = np.array([v for v in numbers if isinstance(v, float)], dtype=np.float64)

    def _call(self, kernel: Any, *arguments: Any) -> int:
        """Call a kernel. Raises `RulesError` if it can't be compiled, `RuleRaised` if a rule raises an exception in it."""
        try:
            return kernel(self.integers, self.floats, *arguments)
        except Exception as error:
            if kernel.signatures:  # it was compiled
                raise RuleRaised(self.rules.name, error) from None
            raise RulesError(self.rules.name, [compiler_fault(error)]) from None


class NativeRules(Native):
    """`explore` and `materialize` (link/templates/rules.py)."""

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, module_text)

    def count_upper_bounds(self, upper: bool) -> None:
        """Whether play that is cut off pays the upper bound that `bounds` yields, instead of the lower one."""
        self.integers[-1] = upper

    def explore(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.explore, layout_numbers(layout), *arguments)

    def count_actions(self, layout: Layout, *arguments: Any) -> int:
        """With simultaneous moves: how many actions player 0 has in each state (link/templates/joint_rules.py)."""
        return self._call(self.module.count_actions, layout_numbers(layout), *arguments)

    def materialize(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.materialize, layout_numbers(layout), *arguments)


class StagedRules(Native):
    """`write_rows` (link/templates/staged_rules.py)."""

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, staged_module_text)

    def write_rows(self, *arguments: Any) -> int:
        return self._call(self.module.write_rows, *arguments)


class BoardRules(Native):
    """`reach`, `expand`, `pull`, `push`, `compare` and `mirror_images` (link/templates/board_rules.py)."""

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, board_module_text)

    def call(self, kernel: str, *arguments: Any) -> Any:
        return self._call(getattr(self.module, kernel), *arguments)


class EnteredRules(Native):
    """`solve_stages` and `fill_apart` (link/templates/entered_rules.py)."""

    def __init__(self, rules: Rules, layout: Layout, plans: Plans = (None, None)):
        super().__init__(rules, layout, partial(entered_module_text, plans=plans))
        self.has_plans = any(plans)

    def solve_stages(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.solve_stages, layout_numbers(layout), *arguments)

    def fill_apart(self, layout: Layout, *arguments: Any) -> int:
        return self._call(self.module.fill_apart, layout_numbers(layout), *arguments)


def layout_numbers(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Lowest value, shift and number of values of each slot. A tuple, so that compiled code keeps them in registers."""
    return tuple(layout.low), tuple(layout.shifts), tuple(1 << b for b in layout.bits)


def compiler_fault(error: Exception) -> str:
    """The compiler's error in one line, without its traceback."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines()]
    skipped = ("During", "File", "Failed in", "Traceback", "-", "^")
    reasons = [line for line in lines if line and not line.startswith(skipped)]
    source = [lines[i - 1] for i, line in enumerate(lines) if line == "^" and i > 0]
    told = re.findall(r"raised a specific error:\s*(?:\w+: )?(.+)", text)
    reasons = told or reasons
    reason = reasons[0].strip() if reasons else "it has no native counterpart"
    if "getitem" in reason or "getiter" in reason:
        reason = (
            "what a variable chooses from must hold rows of one length (pad them with -1), and a slice t[i:j] needs "
            "numbers that follow from the parameters (else write a loop)"
        )
    reason = reason.removesuffix(" found for signature:")
    where = f" in the line `{source[0]}`" if source else ""
    advice = "See docs/writing-games.md, 'What compiles'."
    return f"these rules run in Python but can't be compiled{where}: {reason.rstrip('.')}. {advice}"

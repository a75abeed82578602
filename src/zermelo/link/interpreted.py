"""The kernels that call the rules, run by Python with the original rules: small games are solved before the compiler would
have started.

The kernels are those of link/templates/, whose text is executed here; the text that module.py writes before it for the compiler is defined
for Python in `_around`. `InterpretedRules` finds next states; interpreted_stages.py has the kernels of
games in stages.
"""

from __future__ import annotations

import math
from functools import lru_cache
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from zermelo.basics.interrupts import of_handler
from zermelo.kernels import status
from zermelo.kernels.exploring import search
from zermelo.kernels.kernel import Allowance, Kernel, OneTakesLong, OutOfTime, interpret, is_over, kernels_among
from zermelo.language.checking.values import is_whole
from zermelo.language.checking.watchdog import LONGEST, Endless, Watchdog
from zermelo.language.rules import Rules, State
from zermelo.link.cache import TEMPLATES
from zermelo.link.constants import LIMIT
from zermelo.link.module import steps_templates
from zermelo.link.native import RuleRaised
from zermelo.states.keys import OBJECTS
from zermelo.states.layout import Layout
from zermelo.states.quotient import smallest_key

NOTHING = np.empty(0)  # in place of the parameters, which the rules have


class Row(list[tuple[float, tuple[float, ...], State, int]]):
    """The outcomes of an action: ways, payoffs, next state, sign."""

    action: Any


class Interpreted:
    """The kernels of some templates. Each rule is evaluated once in a state, and the result is kept.

    When the time allowed for a call is over, no more rules are called, and `OutOfTime` is raised."""

    def __init__(self, rules: Rules, layout: Layout, said: dict[State, list[Row]] | None = None):
        self.rules, self.layout = rules, layout
        self.upper = False  # whether play that is cut off pays the upper bound that `bounds` yields, instead of the lower one
        self._said = {} if said is None else said
        self._states: dict[int, State] = {}
        self._keys: dict[State, int] = {}
        self._kernels = self._around()
        for template in self._templates():
            exec(_code(template), self._kernels)
        self._kernels.update(kernels_among(self._kernels, "interpreted"))

    def _templates(self) -> list[str]:
        raise NotImplementedError

    def call(self, kernel: str, allowance: Allowance, *arguments: Any) -> Any:
        """Call a kernel. Raises `RuleRaised` if a rule raises an exception in it, `OutOfTime`."""
        try:
            longest = LONGEST if allowance.is_limited else math.inf
            with Watchdog(longest, lambda: allowance.asked) as watchdog, watchdog.watching:
                return interpret(self._kernels[kernel], (NOTHING, NOTHING, *arguments), allowance)
        except (OutOfTime, MemoryError):  # no fault of the rules: whoever watches the memory raises it wherever Python is
            raise
        except Endless:  # machine code counts the rounds of loops, and reports which of them does not end
            raise OneTakesLong from None
        except (Exception, SystemExit) as error:
            if raised := of_handler(error):
                raise raised from None
            raise RuleRaised(self.rules.name, error) from None

    # The functions that the templates call. An action is its row there. ------------------------------------------------------------------

    def _around(self) -> dict[str, Any]:
        rules, whole = self.rules, int if self.layout.num_words == 1 else self.layout.whole
        return {
            **{name: value for name, value in vars(status).items() if name.isupper()},
            "np": np,
            "njit": _as_written,
            "inner": _as_written,
            "inlined": _as_written,
            "CHANCE": rules.is_chance,
            "JOINT": rules.is_simultaneous,
            "PAYOFFS": len(rules.payoffs),
            "game_of": lambda integers, floats: None,
            "slots_of_layout": lambda numbers: None,
            "unpack": lambda key, layout: self._state(whole(key)),
            "actions": lambda game, state: self._rows(state),
            "outcomes": lambda game, state, row, layout: [(w, p, self._key(t), sign) for w, p, t, sign in row],
            "player": lambda game, state: rules.player(state),
            "final_payoff": lambda game, state: self._final_payoff(state),
        }

    def _rows(self, state: State) -> list[Row]:
        if state not in self._said:
            self._said[state] = self._asked(state)
        return self._said[state]

    def _asked(self, state: State) -> list[Row]:
        rules, rows = self.rules, list[Row]()
        actions = [None] if rules.is_chance and rules.bounds(state) is None else rules.actions(state)
        for action in actions:
            if is_over():
                raise OutOfTime
            outcomes = rules.outcomes(state, action)
            row = Row((_float(o.ways), self._paid(o.payoff), o.state, o.sign if o.sign in (1, -1) else 0) for o in outcomes)
            row.action = action
            rows.append(row)
        return rows

    def _final_payoff(self, state: State) -> tuple[float, ...]:
        cut = self.rules.bounds(state)
        return self._paid(self.rules.payoff(state) if cut is None else (cut[self.upper],))

    def _paid(self, payoff: tuple[Any, ...]) -> tuple[float, ...]:
        """Payoffs as floats; not-a-numbers in place of what the language does not allow."""
        count = len(self.rules.payoffs)
        is_good = len(payoff) == count and not any(isinstance(p, int) and abs(p) >= LIMIT for p in payoff)
        return tuple(map(_float, payoff)) if is_good else (math.nan,) * count

    def _state(self, key: int) -> State:
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = self.layout.unpack(key)
        return state

    def _key(self, state: State) -> int:
        if not self.layout.is_for(state):  # tuples of other classes may be equal
            return -1
        key = self._keys.get(state)
        if key is None:
            key = self._keys[state] = smallest_key(self.rules, self.layout, state)
        return key


class Numbers(dict[int, int]):
    """A table from keys to numbers that kernels/exploring.py addresses directly."""

    def __missing__(self, key: int) -> int:
        return -1


class InterpretedRules(Interpreted):
    """The rules with the interface of `NativeRules`.

    allowance : for all calls together"""

    def __init__(self, rules: Rules, layout: Layout, allowance: Allowance, said: dict[State, list[Row]] | None = None):
        self.allowance = allowance
        super().__init__(rules, layout, said)

    def _templates(self) -> list[str]:
        return steps_templates(self.rules)

    def words_of(self, layout: Layout) -> int:
        """The number of words of the keys in its arrays (states/keys.py)."""
        return 1 if layout.num_words == 1 else OBJECTS

    def keys_of(self, layout: Layout, keys: np.ndarray) -> np.ndarray:
        """Keys in the form of its arrays."""
        return keys if layout.num_words == 1 else layout.wholes(keys)

    def with_layout(self, layout: Layout) -> InterpretedRules:
        """The same for another layout; results of the rules are kept."""
        return InterpretedRules(self.rules, layout, self.allowance, self._said)

    def count_upper_bounds(self, upper: bool) -> None:
        """Whether play that is cut off pays the upper bound that `bounds` yields, instead of the lower one."""
        self.upper = upper

    def write_steps(self, layout: Layout, *arguments: Any) -> int:
        return self._call("write_steps", *arguments)

    def search(self, layout: Layout, *arguments: Any) -> int:
        return self._call("search", self._kernels["write_steps"], *arguments)

    def see(self, layout: Layout, *arguments: Any) -> int:
        """With hidden information: both players' knowledge and available actions (link/templates/hidden_rules.py)."""
        return self._call("see", *arguments)

    def run(self, kernel: Kernel, *arguments: Any) -> Any:
        """Call a kernel that does not use rules in this tier, without a time limit: it is fast compared with the rules."""
        return kernel.by_python(*arguments)

    def _call(self, kernel: str, *arguments: Any) -> int:
        return int(self.call(kernel, self.allowance, None, *arguments))

    def _around(self) -> dict[str, Any]:
        rules = self.rules
        return {
            **super()._around(),
            "search": search,
            "own_actions": lambda game, state: len(rules.choices(state)[0]),
            "one_is_idle": lambda game, state: rules.one_is_idle(state),
            "zermelo_rule_actions": lambda game, state: rules.game.actions(state),
            "zermelo_rule_other_actions": lambda game, state: rules.game.other_actions(state),
            "zermelo_rule_sees": lambda game, state, viewer: rules.seen(state, viewer),
            "zermelo_support": SimpleNamespace(numbers_of=_numbers_of, whole=int),
        }


def _as_written(function: Any = None, **options: Any) -> Any:
    """In place of numba's decorator."""
    return function or _as_written


def _numbers_of(action: Any) -> Any:
    numbers = action if isinstance(action, tuple) else (action,)
    if not all(map(is_whole, numbers)):
        raise ValueError(f"an action is {action!r}: it must be a whole number or a tuple of these")
    return numbers


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


@lru_cache(maxsize=8)
def _code(template: str) -> CodeType:
    return compile((TEMPLATES / template).read_text(), str(TEMPLATES / template), "exec")

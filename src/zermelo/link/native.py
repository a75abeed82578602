"""The compiled kernels of one game, called with its parameters."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakSet

import numpy as np

from zermelo.basics.interrupts import heed, of_handler
from zermelo.errors import RulesError
from zermelo.kernels.block import solve_block
from zermelo.kernels.calling import address_of
from zermelo.kernels.entered import solve_stages
from zermelo.kernels.exploring import search, search_together
from zermelo.kernels.kernel import Kernel, arrays_among
from zermelo.kernels.stopped import ENDLESS, Stopped
from zermelo.language.readings import numbers_read
from zermelo.language.rules import Rules
from zermelo.link.cache import load_module, note_refusal, refusal
from zermelo.link.constants import CannotCompile
from zermelo.link.interpreted_steps import Steps
from zermelo.link.module import (
    Written,
    is_narrow,
    module_text,
    steps_module_text,
)
from zermelo.link.refused import compiler_fault, own_failure
from zermelo.states.keys import are_keys, distinct, room
from zermelo.states.layout import Layout


class RuleRaised(RulesError):
    """A rule raised an exception while it ran compiled."""

    def __init__(self, game: str, error: BaseException, written: Written | None = None):
        text = f"a rule raised {type(error).__name__}: {error}"
        if isinstance(error, StopIteration):  # the compiler turns it into this
            text = "a rule raised ValueError: min or max of nothing"
        if written is not None and isinstance(error, Stopped):
            (expression, where), why = _place(error.args[0], written), error.args[1]
            text = f"`{expression}` {why} {where}"
        self.is_endless = isinstance(error, Stopped) and error.args[1] == ENDLESS
        super().__init__(game, [text])


def _place(named: int | str, written: Written) -> tuple[str, str]:
    """The expression of the rules, and its line. A function may be a part of one of the rules' functions, with a longer name."""
    if isinstance(named, int):
        return written.places[named]
    while named and named not in written.functions:
        named = named.rpartition("_")[0]
    return written.functions.get(named, ("one of the rules", ""))


class RulesRefused(RulesError):
    """The compiler can't take the rules."""


compiled_here: WeakSet[type] = WeakSet()  # classes of games whose rules this process has linked to machine code


class Native:
    """A generated module bound to the parameters of a game."""

    def __init__(self, rules: Rules, layout: Layout, write: Callable[[Rules, Layout], Written]):
        self.rules, self.write = rules, write
        self._fitted: tuple[Layout, tuple[tuple[int, ...], ...], np.ndarray] | None = None  # of the last call
        self._lent: tuple[Any, int] = None, 0  # a function passed to kernels with the kinds of its arguments; its address
        self._link(layout)
        numbers = [v for v in rules.game if not isinstance(v, tuple | list | str)]
        self.integers = np.array([int(v) for v in numbers if isinstance(v, int)], dtype=np.int64)
        self.edge = len(self.integers)
        if rules.is_cut_off:
            self.integers = np.append(self.integers, 0)
        read = [numbers_read(rules.game, name) or () for name in self.written.read]
        self.integers = np.concatenate([self.integers, *(np.array(n, np.int64) for n in (list(map(len, read)), *read))])
        self.floats = np.array([v for v in numbers if isinstance(v, float)], dtype=np.float64)

    def _link(self, layout: Layout) -> None:
        try:
            written = self.write(self.rules, layout)
        except CannotCompile as error:
            raise RulesRefused(self.rules.name, [str(error)]) from None
        self.module = load_module(written.text)  # first, because another thread compares the rest to see whether this is its module
        self.written = written
        compiled_here.add(type(self.rules.game))

    def _numbers(self, layout: Layout) -> tuple[tuple[tuple[int, ...], ...], np.ndarray]:
        """The layout as kernels take it: as tuples, which stay in registers, or as int64[3, slots], of the same type for all games.

        Machine code is replaced if it assumes 32 bits and these are too few, or if slots lie in
        other words."""
        fitted = self._fitted  # another thread may replace it
        if fitted is None or fitted[0] is not layout:
            if (self.written.is_narrow and not is_narrow(layout)) or self.written.words != layout.words:
                self._link(layout)
            numbers = layout_numbers(layout)
            fitted = self._fitted = layout, numbers, np.array(numbers, np.int64)
        return fitted[1:]

    def call(self, kernel: str, *arguments: Any) -> Any:
        """Call a kernel. Raises `RulesRefused` if it can't be compiled, `RuleRaised` if a rule raises an exception in it."""
        function = getattr(self.module, kernel)
        heed()
        with self._errors_of(function):
            return function(self.integers, self.floats, *arguments)

    @contextlib.contextmanager
    def _errors_of(self, function: Any) -> Iterator[None]:
        """Errors of machine code that runs this function, and of the compiler, in the words of the rules. What it refused once is not
        tried again."""
        if told := refusal(self.written.text, function.__name__):
            raise RulesRefused(self.rules.name, [compiler_fault(told, self.written)])
        try:
            yield
        except MemoryError:  # not a fault of the rules
            raise
        except Exception as error:
            if isinstance(error.__cause__, MemoryError):  # that the compiler's code continued with
                raise error.__cause__ from None
            if raised := of_handler(error):
                raise raised from None
            if function.signatures:  # it was compiled
                raise RuleRaised(self.rules.name, error, self.written) from None
            if isinstance(error, OSError):  # of the compiler: no fault of the rules either
                raise
            told = str(error) if _is_refusal(error) else own_failure(error)
            note_refusal(self.written.text, function.__name__, told)
            raise RulesRefused(self.rules.name, [compiler_fault(told, self.written)]) from None

    def call_with(self, layout: Layout, kernel: str, *arguments: Any) -> Any:
        """The same for a kernel that takes the layout."""
        numbers, _ = self._numbers(layout)  # first: it may load another module
        return self.call(kernel, numbers, *arguments)

    def lend(self, name: str, layout: Layout, given: tuple[Any, ...], kernel: Kernel, *arguments: Any) -> int:
        """Call a kernel that does not contain rules and calls the module's function of this name; `given` : its further arguments, after
        the parameters and the layout."""
        _, array = self._numbers(layout)  # first: it may load another module
        numbers, function = (self.integers, self.floats, array), getattr(self.module, name)
        heed()
        with self._errors_of(function):
            lent = self._lent  # another thread may replace it
            kinds = function, [(a.dtype, a.flags.c_contiguous) for a in arrays_among(given)]
            if lent[0] != kinds:
                lent = self._lent = kinds, address_of(function, (*numbers, *given))
            return int(kernel.compiled(*numbers, lent[1], *arguments))


def _is_refusal(error: Exception) -> bool:
    """Whether the compiler refuses the rules, and has not failed in itself."""
    from numba.core.errors import NumbaError  # loaded: it compiles

    return isinstance(error, NumbaError | NotImplementedError)


class StepRules(Native):
    """`write_steps` (link/templates/steps.py): the outcomes of given states."""

    def write_steps(self, layout: Layout, *arguments: Any) -> int:
        _, numbers = self._numbers(layout)  # first: it may load another module
        return self.call("write_steps", numbers, *arguments)


class NativeRules(StepRules):
    """`write_steps`, and the kernels that find all states from the start on; with hidden information also `see`."""

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, module_text)

    def words_of(self, layout: Layout) -> int:
        """The number of words of the keys in its arrays (states/keys.py)."""
        return layout.num_words

    def keys_of(self, layout: Layout, keys: np.ndarray) -> np.ndarray:
        """Keys in the form of its arrays."""
        return keys

    def count_upper_bounds(self, upper: bool) -> None:
        """Whether play that is cut off pays the upper bound that `bounds` yields, instead of the lower one."""
        self.integers[self.edge] = upper

    def search(
        self, layout: Layout, table: Any, direct: bool, keys: np.ndarray, begin: np.ndarray, link: np.ndarray, c: np.ndarray,
        most: int, wide: int, *room: np.ndarray,
    ) -> int:  # fmt: skip
        """kernels/exploring.py, `search`, with these rules."""
        return self.lend("write_steps", layout, (keys, *room), search, table, direct, keys, begin, link, c, most, wide, *room)

    def search_together(self, layout: Layout, arguments: tuple[Any, ...], first: bool) -> int:
        """kernels/exploring.py, `search_together`, with these rules."""
        keys, rooms = arguments[2], arguments[10:]
        return self.lend("write_steps", layout, (keys, *(array[0] for array in rooms)), search_together, *arguments, first)

    def pays_together(self, layout: Layout, arguments: tuple[Any, ...]) -> bool:
        """Whether to call it: `Kernel.pays`."""
        return search_together.pays((self.integers, self.floats, self._numbers(layout)[1], 0, *arguments, True))

    def see(self, layout: Layout, *arguments: Any) -> int:
        """With hidden information: both players' knowledge and available actions (link/templates/hidden_rules.py)."""
        return self.call_with(layout, "see", *arguments)

    def mark_open(self, layout: Layout, *arguments: Any) -> None:
        """With hidden information: the states in which play continues."""
        _, numbers = self._numbers(layout)  # first: it may load another module
        self.call("mark_open", numbers, *arguments)

    def run(self, kernel: Kernel, *arguments: Any) -> Any:
        """Call a kernel that does not use rules, in the tier of these rules."""
        return kernel.compiled(*arguments)


def apart(stage: int, roots: np.ndarray, entries: Any, block: Any) -> tuple[Any, ...]:
    """The arguments with which `fill_block` finds the states from entries up to the next ones: no policies, and no known values. (The
    counters come last.)"""
    nobody = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.bool_)
    return False, stage, (-1, -1), entries, roots, block, *nobody


def with_rules(*arguments: Any) -> tuple[Any, ...]:
    """Arguments of the kinds that `Native.lend` calls a kernel with, which is given these."""
    return np.zeros(0, np.int64), np.zeros(0), np.zeros((3, 1), np.int64), 0, *arguments


def stages_kernel(lifted: bool, *arguments: Any) -> tuple[Kernel, tuple[Any, ...]]:
    """The kernel that `NativeEntries.solve_stages` needs for such arguments, besides the rules, and arguments of the same kinds as it is
    given."""
    low, _, at, *_ = arguments
    if low == at:
        return solve_block, (0, arguments[8], arguments[6][2])
    return solve_stages, with_rules(lifted, *arguments)


def stages_kept(lifted: bool, *arguments: Any) -> bool:
    """Whether machine code of that kernel is on disk, for whatever rules."""
    kernel, given = stages_kernel(lifted, *arguments)
    return kernel.is_kept(given)


class NativeEntries(Native):
    """`fill_block` (link/templates/entered_rules.py), and the kernel that solves stages with it."""

    def solve_stages(self, layout: Layout, lifted: bool, *arguments: Any) -> int:
        """kernels/entered.py, `solve_stages`, with these rules. For a single stage Python calls the two kernels that solve it, as that one
        takes as long to compile as both of them."""
        low, _, at, *_ = arguments
        if low == at:
            _, numbers = self._numbers(layout)  # first: it may load another module
            fill_block = self.module.fill_block
            heed()
            with self._errors_of(fill_block):
                return int(solve_stages.around(self.integers, self.floats, numbers, fill_block, lifted, *arguments))
        entries, more, block, c = *arguments[6:9], arguments[-1]
        return self.lend("fill_block", layout, (*apart(0, more, entries, block), c), solve_stages, lifted, *arguments)

    def fill_block(self, layout: Layout, *arguments: Any) -> int:
        _, numbers = self._numbers(layout)  # first: it may load another module
        return int(self.call("fill_block", numbers, *arguments))


class CompiledSteps(StepRules):
    """`write_steps` and `write_images` (link/templates/steps.py, images.py): only the rules, compiled. Answers are
    checked with it."""

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, steps_module_text)

    def of(self, layout: Layout, keys: np.ndarray) -> Steps:
        steps = StepArrays(len(self.rules.payoffs), len(keys), 16 * len(keys) + 64, layout.num_words)
        while self.write_steps(layout, np.ascontiguousarray(keys), *steps.arrays) < len(keys):
            steps = steps.doubled()
        return steps.written(len(keys))

    def images(self, layout: Layout, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the states that are symmetric to each begin, and their keys (-1 if the layout can't hold one)."""
        if not self.rules.folded:
            return np.zeros(len(keys) + 1, np.int64), layout.room(0)
        most = 8 * len(keys) + 64
        while True:
            image_of, images = np.zeros(len(keys) + 1, np.int64), layout.room(most)
            if self.call_with(layout, "write_images", np.ascontiguousarray(keys), image_of, images) == len(keys):
                return image_of, images[: image_of[-1]]
            most *= 4

    def least(self, layout: Layout, keys: np.ndarray) -> np.ndarray:
        """The smallest key of the orbit of each state; -1 for keys that are the smallest."""
        some = are_keys(keys)
        image_of, images = self.images(layout, keys[some])
        found = np.concatenate([keys[some], images])
        owner = np.concatenate([np.arange(len(image_of) - 1), np.repeat(np.arange(len(image_of) - 1), np.diff(image_of))])
        least = keys.copy()
        smallest = np.full(len(image_of) - 1, np.iinfo(np.int64).max)
        if keys.ndim == 1:
            np.minimum.at(smallest, owner, found)
            least[some] = smallest
        else:
            ascending, rank = distinct(found)
            np.minimum.at(smallest, owner, np.where(are_keys(found), rank, -1))
            least[some] = np.where(smallest[:, None] < 0, -1, ascending[smallest])
        return least


APART = 16  # numbers between two that different threads write all the time: they are not in neighbouring lines of the cache


class StepArrays:
    """The arrays to which `write_steps` writes the outcomes of some states. `words` : of a key (states/keys.py); `several` : not for one
    batch of states, but for this many, each in a row of all arrays."""

    def __init__(self, payoffs: int, states: int, outcomes: int, words: int, several: int = 0):
        self.sizes = payoffs, states, outcomes, words
        rows = (several,) if several else ()
        self.at = np.zeros((*rows, 1 if not several else APART), np.int64)
        self.row_of, self.outcome_of = np.zeros((*rows, states + 1), np.int64), np.zeros((*rows, outcomes + 2), np.int64)
        self.ways, self.sign = np.empty((*rows, outcomes)), np.empty((*rows, outcomes), np.int8)
        self.key = room(words, outcomes * (several or 1)).reshape(*rows, outcomes, *((words,) if words > 1 else ()))
        self.payoff = np.empty((*rows, outcomes, payoffs))
        self.final = np.empty((*rows, states, payoffs))
        self.player, self.own = np.empty((*rows, states), np.int8), np.empty((*rows, states), np.int32)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays in the form that `write_steps` takes."""
        return (
            self.at, self.row_of, self.outcome_of, self.ways, self.key, self.sign, self.payoff, self.final, self.player, self.own,
        )  # fmt: skip

    def doubled(self) -> StepArrays:
        """Room for twice as many outcomes."""
        payoffs, states, outcomes, words = self.sizes
        return StepArrays(payoffs, states, 2 * outcomes, words)

    def written(self, states: int) -> Steps:
        """The outcomes written for this many states."""
        rows = int(self.row_of[states])
        used = int(self.outcome_of[rows])
        return Steps(
            self.row_of[: states + 1], self.outcome_of[: rows + 1], self.ways[:used], self.key[:used], self.sign[:used],
            self.payoff[:used], self.final[:states], self.player[:states], self.own[:states],
        )  # fmt: skip


def layout_numbers(layout: Layout) -> tuple[tuple[int, ...], ...]:
    """Lowest value, shift in its word, and number of values of each slot."""
    return tuple(layout.low), tuple(layout.shifts), tuple(1 << b for b in layout.bits)

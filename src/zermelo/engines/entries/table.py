"""The entry states of a game, as declared by `entries` and `stage`: checked, as arrays for the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.words import counted
from zermelo.engines.faults import holding_successors
from zermelo.errors import RulesError
from zermelo.kernels.tables import find, rehash
from zermelo.language.checking.values import are_plain, is_whole, short, state_fault
from zermelo.language.rules import Rules, State, lengths
from zermelo.states.layout import Layout


@dataclass
class Entries:
    """The entry states of all stages, those of the first stage first. Values and errors are filled in from the last stage on."""

    rules: Rules
    layout: Layout
    keys: np.ndarray  # int64[entries], within a stage ascending
    stages: np.ndarray  # int64[stages], by the game's numbers, ascending
    first: np.ndarray  # int64[stages + 1], the first entry of each
    table: np.ndarray  # int32, key -> entry
    value: np.ndarray  # float64[entries, payoffs]
    error: np.ndarray  # float64[entries, payoffs]

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Keys, their hash table, values and errors, as kernels take them."""
        return self.keys, self.table, self.value, self.error

    def kept_in(self, numbers: np.ndarray) -> None:
        """Keep values and errors in an array float64[2 * entries * payoffs] from now on, values first."""
        self.value, self.error = numbers.reshape(2, *self.value.shape)

    def spans(self, low: int, high: int) -> list[tuple[int, int]]:
        """The beginnings and ends of the values and errors of the entries low..high-1 in that array."""
        width = self.value.shape[1]
        return [(begin + low * width, begin + high * width) for begin in (0, self.value.size)]

    def find(self, key: int) -> int:
        """The number of the entry state with this key, or -1."""
        return int(find(self.table, self.keys, key)) if key >= 0 else -1

    def lifted(self, passes: bool) -> Entries:
        """Every entry state after an even number of passes of the turn (link/templates/entered_rules.py) and, where rules pass it, after an
        odd one, all without values."""
        sides = 1 + passes
        keys = (2 * self.keys[:, None] + np.arange(sides)).ravel()
        return _numbered(self.rules, self.layout, keys, self.stages, sides * self.first)


class LayoutTooNarrow(Exception):
    """A state that follows does not fit into the layout: everything starts again with `layout`, a wider one."""

    def __init__(self, entries: Entries, key: int):
        """`key`: of the state from which it follows."""
        super().__init__()
        self.layout = holding_successors(entries.rules, entries.layout, entries.layout.unpack(key))


def declared(rules: Rules, most: int | None = None) -> list[State]:
    """The states that `entries` yields, or the first of them, at most `most`, then the start; a state may occur twice. Raises `RulesError`,
    and `MemoryError` where they are too many."""
    found: list[State] = []
    try:
        found.extend(islice(rules.game.entries(), most))
    except MemoryError:
        raise MemoryError(f"`entries` had yielded {counted(len(found), 'state')}") from None
    except Exception as error:
        raise RulesError(rules.name, [f"`entries` raised {type(error).__name__}: {error}"]) from None
    start = rules.start
    shape = lengths(start)
    for state in () if are_plain(found, start) else found:  # they may be many
        if type(state) is not type(start) or lengths(state) != shape or state_fault(state):
            raise RulesError(
                rules.name, [f"`entries` yields {state!r}: it must yield states like the start, {start!r}"]
            )
    return [*found, start]


def _stage(rules: Rules, state: State) -> int:
    """The stage of an entry state. Raises `RulesError`."""
    try:
        stage = rules.game.stage(state)
    except Exception as error:
        raise RulesError(rules.name, [f"`stage` raised {type(error).__name__}: {error} at {rules.in_line(state)}"]) from None
    if not is_whole(stage):
        raise RulesError(rules.name, [f"`stage` returns {short(stage)} at {rules.in_line(state)}: it must be a whole number"])
    if not -(2**63) <= stage < 2**63:
        raise RulesError(rules.name, [f"`stage` returns {short(stage)} at {rules.in_line(state)}: stages have 64 bits"])
    return int(stage)


def entries_of(rules: Rules, states: list[State], layout: Layout) -> Entries:
    """The arrays of these entry states by stage, each state once. Raises `RulesError`."""
    numbers = np.array([_stage(rules, state) for state in states], np.int64)
    keys = layout.pack_many(states)
    order = np.lexsort((keys, numbers))
    keys, numbers = keys[order], numbers[order]
    own = np.append(True, (keys[1:] != keys[:-1]) | (numbers[1:] != numbers[:-1]))
    keys, numbers = keys[own], numbers[own]
    stages, first = np.unique(numbers, return_index=True)
    return _numbered(rules, layout, keys, stages, np.append(first, len(keys)).astype(np.int64))


def _numbered(rules: Rules, layout: Layout, keys: np.ndarray, stages: np.ndarray, first: np.ndarray) -> Entries:
    """The same with a table of the keys and room for the values."""
    table = np.full(1 << max(4, (2 * len(keys)).bit_length()), -1, np.int32)
    rehash(table, keys, len(keys))
    shape = len(keys), len(rules.payoffs)
    return Entries(rules, layout, keys, stages, first, table, np.zeros(shape), np.zeros(shape))


def entries_of_answers(answers: EnteredAnswers) -> Entries:
    """The entry states of an answer, with copies of their values, as solving a stage again writes to them."""
    a = answers
    found = _numbered(a.rules, a.layout, np.array(a.keys), np.array(a.stages), np.array(a.first))
    found.value[:], found.error[:] = a.value, a.error
    return found

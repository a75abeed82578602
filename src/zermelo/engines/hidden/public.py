"""Explore a game with hidden information by public states (kernels/public.py), depth first and many at a time: each state is kept only
until its next states are known. Rules are compiled, and run on all threads."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics import machine
from zermelo.basics.progress import Progress
from zermelo.basics.runs import running
from zermelo.basics.threads import crew, shared, spare, threads
from zermelo.engines.faults import disagreement, holding_successors, raised_at
from zermelo.engines.hidden.cutting import BYTES as BYTES_CUT
from zermelo.engines.hidden.cutting import public_states
from zermelo.errors import OutOfReach
from zermelo.kernels import public as told
from zermelo.kernels.public import Out, Work, enter, matrices_again, views_again
from zermelo.language.checking import check_states
from zermelo.language.rules import Rules
from zermelo.link import NativeRules, RuleRaised, StepArrays
from zermelo.problem.panels import Matrices, PanelForm, Panels
from zermelo.problem.sequences import Side
from zermelo.states.layout import Layout

if TYPE_CHECKING:
    from zermelo.basics.crew import Crew

BATCH = 1 << 15  # entries that are expanded together, unless a single public state has more
SHARED = 1 << 11  # states for which a thread pays off
CUT = 1 << 20  # entries of a bundle that is divided into public states before they are expanded
BYTES = 320, 140, 200  # for each entry of a batch, payment of its moves, and next state: working memory, results, output
MORE = 1 << 18  # the most room beyond the needs of a batch
DEEPEST = 5_000  # moves of a play after which the search by states checks whether it can go on forever
LEAST = 1 << 12  # initial room for waiting bundles
COMPARED = 16  # states of a game at which compiled `sees` is compared with Python's
UNIT = 2.0**-53


class Unsorted(Exception):
    """The game cannot be explored by public states: an information set belongs to several of them, or something is wrong with the rules."""


class PublicGame(NamedTuple):
    """A sequence form, and its information sets; by player."""

    form: PanelForm
    seen: tuple[tuple[np.ndarray, np.ndarray], ...]  # the beginning of the observations in each set, and all observations
    actions: tuple[np.ndarray, ...]  # int64[numbers]: the numbers of the actions, in the order of sequences
    state: tuple[np.ndarray, ...]  # int64[sets]: the key of a state of each
    layout: Layout
    facts: dict[str, int]  # numbers of histories, ends, public states


def public_game(rules: Rules, layout: Layout, most: int, progress: Progress) -> PublicGame:
    """The game sorted by public states. Raises `Unsorted`, `LongKeys`, `OutOfReach`, `RulesError`."""
    search = _Search(rules, _of_one_word(layout), NativeRules(rules, layout), most, progress)
    search.run()
    return search.result()


class _Batch(NamedTuple):
    """Bundles that are processed together."""

    parts: tuple[np.ndarray, ...]  # key, row, column, near and act of all entries, and where the bundles begin
    steps: np.ndarray  # of the bundles
    asked: Future[Any]  # the results of expanding the entries

    @property
    def keys(self) -> np.ndarray:
        return self.parts[0]

    @property
    def size(self) -> int:
        return len(self.keys)


class LongKeys(Exception):
    """Keys of several words, which are not sorted by public states."""


def _of_one_word(layout: Layout) -> Layout:
    if layout.num_words > 1:
        raise LongKeys
    return layout


class _Search:
    """The results so far, and the waiting work."""

    def __init__(self, rules: Rules, layout: Layout, native: NativeRules, most: int, progress: Progress):
        self.rules, self.layout, self.native, self.most, self.progress = rules, layout, native, most, progress
        self.c = np.zeros(told.COUNTERS, np.int64)
        self.c[[told.SEQUENCES_0, told.SEQUENCES_1]] = 1
        shapes: dict[str, Any] = {
            "key": np.int64, "row": np.int32, "column": np.int32, "near": np.float64, "act": np.int32, "begin": np.int64, "steps": np.int32,
            "parent": (2, np.int32), "first": (2, np.int64), "state": (2, np.int64), "seen_begin": (2, np.int64), "seen": (2, np.int64),
            "acts": (2, np.int64), "views": (2, np.int64), "kind": np.int8, "matrix": np.int32, "scale": np.float64, "rows_at": np.int64,
            "columns_at": np.int64, "listed": np.int32, "high": np.int32, "wide": np.int32, "cap": np.float64, "at": np.int64,
            "pool": np.float64, "table": np.int32, "loose": (2, np.int32), "paid": np.float64, "ways_in": (3, np.int32),
            "ways": np.float64,
        }  # fmt: skip
        self.arrays = {
            name: np.zeros((kind[0], LEAST), kind[1]) if isinstance(kind, tuple) else np.zeros(LEAST, kind) for name, kind in shapes.items()
        }
        self.arrays["table"][:] = -1
        self.arrays["first"][:, 0] = 1
        self.arrays["key"][0], self.arrays["near"][0], self.arrays["begin"][1] = layout.pack(rules.start), 1.0, 1
        self.c[[told.ENTRIES, told.BUNDLES]] = 1
        self.work: Work | None = None
        self.sizes = [0, 0, 0]  # it has room for this many entries, payments of moves, and next states
        self.whole: set[int] = set()  # the beginnings of bundles that must not be divided (any more)
        self.rooms: list[StepArrays] = []
        self.batches = 0  # batches that were entered

    def run(self) -> None:
        """Explore to the end: while the results of a batch are entered, other threads expand the next one."""
        with crew(min(threads() - 1, 1)) as pool:
            coming: deque[_Batch] = deque()
            while coming or self.c[told.BUNDLES] > 0:
                while self.c[told.BUNDLES] > 0 and (not coming or (len(coming) < 2 and coming[0].size <= CUT)):
                    coming.append(self._begun(self._taken(), pool))
                batch = coming.popleft()
                follow, begin, numbers = batch.asked.result()
                outside = np.flatnonzero(follow[3] < 0)
                if not len(outside):
                    self._enter(batch, follow, begin, numbers)
                    continue
                row = int(np.searchsorted(follow[1], outside[0], side="right")) - 1
                state = self.layout.unpack(int(batch.keys[int(np.searchsorted(follow[0], row, side="right")) - 1]))
                again = [batch, *coming]
                self._widen(holding_successors(self.rules, self.layout, state), again)
                coming = deque(self._begun(b[:2], pool) for b in again)

    def _begun(self, taken: tuple[tuple[np.ndarray, ...], np.ndarray], pool: Crew) -> _Batch:
        return _Batch(*taken, pool.submit(self._asked, taken[0][0]))

    def _enter(self, batch: _Batch, follow: tuple[np.ndarray, ...], begin: np.ndarray, numbers: np.ndarray) -> None:
        """Enter the results of a batch."""
        c = self.c
        if self.batches < COMPARED:
            self._compare(batch.keys, begin, numbers)
        self._make_room(batch.size, follow, len(numbers))
        assert self.work is not None
        why = enter.compiled(batch.parts, batch.steps, follow, begin, numbers, Out(**self.arrays), self.work, c)
        self.batches += 1
        if why != told.SORTED or (self.batches > DEEPEST and c[told.ENDS] == 0):
            raise Unsorted
        histories = int(c[told.HISTORIES] + c[told.ENDS])
        if self.batches % 16 == 0:
            self.progress("exploring by public states", histories, None)
            self._check_memory()
        if histories > self.most:
            more = f"has more than {self.most:,} histories"
            raise OutOfReach(f"{self.rules.name} {more}; give smaller parameters or raise max_states")

    def _widen(self, layout: Layout, batches: list[_Batch]) -> None:
        """Use the keys of a wider layout from now on, also in these batches."""
        for batch in batches:
            if not batch.asked.cancel():
                wait([batch.asked])  # it reads the layout
        c, layout = self.c, _of_one_word(layout)
        waiting = self.arrays["key"][: c[told.ENTRIES]]
        states = [self.arrays["state"][q, : c[told.SETS_0 + q]] for q in range(2)]
        for keys in (waiting, *states, *(batch.keys for batch in batches)):
            keys[:] = self.layout.moved(keys, layout)
        self.layout = layout

    def _cut(self) -> None:
        """Divide the bundle that was found last into public states, if it is large: these wait separately, and the ends of play come
        first."""
        last = int(self.c[told.BUNDLES]) - 1
        low, high = self.arrays["begin"][last : last + 2].tolist()
        if high - low <= CUT or low in self.whole:
            return
        self._require(BYTES_CUT * (high - low), high - low)
        parts = public_states(self.native, self.layout, self._seen, self.arrays["key"][low:high])
        order, counts = np.argsort(parts, kind="stable"), np.bincount(parts)
        for name in ("key", "row", "column", "near", "act"):
            self.arrays[name][low:high] = self.arrays[name][low:high][order]
        begins = low + running(counts[counts > 0])
        steps = self.arrays["steps"][last]
        self.c[told.BUNDLES] = count = last + len(begins) - 1
        for name in ("begin", "steps"):
            self._grow(name, last + 1, len(begins))
        self.arrays["begin"][last : count + 1], self.arrays["steps"][last:count] = begins, steps
        self.whole |= set(begins[:-1].tolist())

    def _taken(self) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
        """The bundles that were found last, as many as fill a batch."""
        self._cut()
        bundles, entries = int(self.c[told.BUNDLES]), int(self.c[told.ENTRIES])
        begin = self.arrays["begin"]
        first = min(int(np.searchsorted(begin[:bundles], entries - BATCH)), bundles - 1)
        low = int(begin[first])
        self.whole.difference_update(begin[first:bundles].tolist() if self.whole else ())
        parts = tuple(self.arrays[name][low:entries].copy() for name in ("key", "row", "column", "near", "act"))
        starts, steps = begin[first : bundles + 1] - low, self.arrays["steps"][first:bundles].copy()
        self.c[told.BUNDLES], self.c[told.ENTRIES] = first, low
        return (*parts, starts), steps

    def _asked(self, keys: np.ndarray) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
        """The next states of these states, and the observations of the players in them."""
        number = max(min(threads(), len(keys) // SHARED), 1)
        ends = [len(keys) * k // number for k in range(number + 1)]
        pieces = shared(self._piece, [keys[low:high] for low, high in zip(ends[:-1], ends[1:], strict=True)])
        if len(pieces) == 1:
            return pieces[0]
        rows, outcomes, numbers = ([0, *np.cumsum([int(p[which][-1]) for p in found])] for which, found in self._sizes(pieces))
        row_of = np.concatenate([p[0][0][:-1] + r for p, r in zip(pieces, rows, strict=False)] + [rows[-1:]])
        outcome_of = np.concatenate([p[0][1][:-1] + o for p, o in zip(pieces, outcomes, strict=False)] + [outcomes[-1:]])
        rest = (np.concatenate([p[0][k] for p in pieces]) for k in range(2, 8))
        begin = np.concatenate([p[1][:-1] + n for p, n in zip(pieces, numbers, strict=False)] + [numbers[-1:]])
        return (row_of, outcome_of, *rest), begin, np.concatenate([p[2] for p in pieces])

    @staticmethod
    def _sizes(pieces: list[Any]) -> list[tuple[int, list[Any]]]:
        return [(0, [p[0] for p in pieces]), (1, [p[0] for p in pieces]), (1, pieces)]

    def _piece(self, keys: np.ndarray) -> tuple[tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
        room = spare(self.rooms, lambda: StepArrays(len(self.rules.payoffs), len(keys), 4 * len(keys) + 1024, 1))
        payoffs, states, outcomes, _ = room.sizes
        if states < len(keys):
            room = StepArrays(payoffs, len(keys), max(outcomes, 4 * len(keys)), 1)
        try:
            while (done := self.native.write_steps(self.layout, keys, *room.arrays)) < len(keys):
                room = room.doubled()
        except RuleRaised as error:
            raise raised_at(self.rules, self.layout.unpack(int(keys[int(room.at[0])])), error) from None
        row_of, outcome_of, ways, key, sign, payoff, final, player, *_ = room.written(done)
        copies = tuple(a.copy() for a in (row_of, outcome_of, ways, key, sign, payoff, final, player))
        self.rooms.append(room)
        is_open = copies[0][1:] > copies[0][:-1]  # another thread may use the room by now
        begin, numbers = self._seen(keys[is_open])
        counts = np.zeros((len(keys), 4), np.int64)  # nobody is asked for observations at the end of play
        counts[is_open] = np.diff(begin).reshape(-1, 4)
        return copies, running(counts), numbers

    def _seen(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The observations of the players in these states, and the actions there."""
        begin, numbers = np.zeros(4 * len(keys) + 1, np.int64), np.zeros(16 * len(keys) + 1024, np.int64)
        try:
            while self.native.see(self.layout, keys, 0, len(keys), begin, numbers) < len(keys):
                numbers = np.zeros(2 * len(numbers), np.int64)
        except RuleRaised as error:
            check_states(self.rules, [self.layout.unpack(int(key)) for key in keys])  # the first at which Python also raises
            raise raised_at(self.rules, self.layout.unpack(int(keys[0])), error) from None
        return begin, numbers[: begin[-1]]

    def _compare(self, keys: np.ndarray, begin: np.ndarray, numbers: np.ndarray) -> None:
        """Raise `RulesError` if compiled rules differ from the same rules in Python."""
        is_open = np.diff(begin[::4]) > 0
        if not is_open.any():
            return
        at = int(np.argmax(is_open))
        state = self.layout.unpack(int(keys[at]))
        for player in range(2):
            compiled, said = tuple(numbers[begin[4 * at + player] : begin[4 * at + player + 1]].tolist()), self.rules.seen(state, player)
            if compiled != said:
                raise disagreement(self.rules, state, f": player {player} sees {said} in Python, {compiled} compiled")

    def _make_room(self, entries: int, follow: tuple[np.ndarray, ...], numbers: int) -> None:
        outcomes, c = len(follow[2]), self.c
        at_most = 3 * entries + outcomes  # panels, and so matrices
        sets = int(max(c[told.SETS_0], c[told.SETS_1])) + 1
        for names, used, more in (
            (("key", "row", "column", "near", "act"), c[told.ENTRIES], outcomes),
            (("begin", "steps"), c[told.BUNDLES] + 1, entries + 1),
            (("parent", "first", "state", "seen_begin"), sets, entries + 1),
            (("seen",), max(c[told.SEEN_0], c[told.SEEN_1]), numbers),
            (("acts",), max(c[told.ACTS_0], c[told.ACTS_1]), numbers),
            (("kind", "matrix", "scale", "rows_at", "columns_at"), c[told.PANELS], at_most),
            (("listed",), c[told.INDEX], 2 * at_most),
            (("high", "wide", "cap", "at"), c[told.MATRICES], at_most),
            (("pool",), c[told.POOL], told.SPARSE * at_most),
            (("loose", "paid"), c[told.LOOSE], entries + outcomes),
            (("ways_in", "ways"), c[told.WAYS_IN], 2 * entries),
        ):
            for name in names:
                self._grow(name, int(used), more)
        views = self.arrays["views"]
        if 2 * (int(c[told.HASHED]) + entries) > views.shape[1]:
            larger = np.zeros((2, 1 << (4 * (int(c[told.HASHED]) + entries)).bit_length()), np.int64)
            views_again.compiled(views, larger)
            self.arrays["views"] = larger
        matrices = int(c[told.MATRICES]) + at_most
        if 2 * matrices > len(self.arrays["table"]):
            self.arrays["table"] = np.full(1 << (4 * matrices).bit_length(), -1, np.int32)
            matrices_again.compiled(Out(**self.arrays), int(c[told.MATRICES]))
        payments = max(entries, int(np.count_nonzero(follow[5])))
        sizes = entries + 1, payments + 1, outcomes + 1
        if self.work is None or any(had < now for had, now in zip(self.sizes, sizes, strict=True)):
            if max(sizes) > BATCH:  # of a single public state, or several that are not yet distinguished
                self._require(sum(each * size for each, size in zip(BYTES, sizes, strict=True)), max(sizes))
            self.work = None  # before another one is created
            self.sizes = [max(had, now + min(now // 2, MORE)) for had, now in zip(self.sizes, sizes, strict=True)]
            self.work = _work(*self.sizes)

    def _require(self, room: int, states: int) -> None:
        machine.require(room, f"{self.rules.name}, in which {states:,} states follow from what is found together,")

    def _grow(self, name: str, used: int, more: int) -> None:
        """Room for this many more after those in use. The rest is not copied, as memory that has not been written to takes no space."""
        array = self.arrays[name]
        if used + more > array.shape[-1]:
            grown = np.zeros((*array.shape[:-1], max(used + more, 2 * array.shape[-1])), array.dtype)
            grown[..., :used] = array[..., :used]
            self.arrays[name] = grown

    def _check_memory(self) -> None:
        held = sum(a.nbytes for a in self.arrays.values())
        if held > 1 << 25:
            what = f"{self.rules.name}, of which {int(self.c[told.HISTORIES]):,} histories were found: room for twice as many"
            machine.require(held, what)

    def result(self) -> PublicGame:
        c, a = self.c, self.arrays
        counts = [(int(c[told.SETS_0 + q]), int(c[told.SEEN_0 + q]), int(c[told.ACTS_0 + q])) for q in range(2)]
        sides = [Side(a["parent"][q, : counts[q][0]].copy(), a["first"][q, : counts[q][0] + 1].copy()) for q in range(2)]
        high, wide, cap, at = (a[name][: int(c[told.MATRICES])].copy() for name in ("high", "wide", "cap", "at"))
        matrices = Matrices(high, wide, cap, at, a["pool"][: int(c[told.POOL])].copy())
        blur = (2 * int(c[told.STEPS]) + 8) * 2 * UNIT
        loose, paid = a["loose"][:, : int(c[told.LOOSE])], a["paid"][: int(c[told.LOOSE])].copy()
        payments = self._panels(told.PAYMENT, matrices, loose[0].copy(), loose[1].copy(), paid)
        ways_in = []
        for q in range(2):
            known = a["ways_in"][:, : int(c[told.WAYS_IN])]
            mine = known[0] == q
            ways = a["ways"][: int(c[told.WAYS_IN])][mine]
            ways_in.append(self._panels(told.VISIT + q, matrices, known[1][mine], known[2][mine], ways))
        largest = max(float(np.abs(payments.scale).max(initial=0.0)), float(np.abs(paid).max(initial=0.0)))
        form = PanelForm((sides[0], sides[1]), payments, (ways_in[0], ways_in[1]), blur, largest)
        seen = tuple((a["seen_begin"][q, : n + 1].copy(), a["seen"][q, :m].copy()) for q, (n, m, _) in enumerate(counts))
        actions = tuple(a["acts"][q, :m].copy() for q, (_, _, m) in enumerate(counts))
        state = tuple(a["state"][q, :n].copy() for q, (n, _, _) in enumerate(counts))
        facts = {"histories": int(c[told.HISTORIES]), "ends": int(c[told.ENDS]), "public_states": int(c[told.PUBLIC])}
        return PublicGame(form, seen, actions, state, self.layout, facts)

    def _panels(self, kind: int, matrices: Matrices, row: np.ndarray, column: np.ndarray, near: np.ndarray) -> Panels:
        count = int(self.c[told.PANELS])
        chosen = np.flatnonzero(self.arrays["kind"][:count] == kind)
        chosen = chosen[np.argsort(self.arrays["matrix"][chosen], kind="stable")]
        matrix, scale, rows_at, columns_at = (self.arrays[name][chosen] for name in ("matrix", "scale", "rows_at", "columns_at"))
        return Panels(matrices, matrix, scale, rows_at, columns_at, self.arrays["listed"][: int(self.c[told.INDEX])], row, column, near)


def _work(entries: int, payments: int, states: int) -> Work:
    """Room for this many entries of a batch, payments of moves (or of ends, or ways in), and next states."""
    table = 1 << (2 * max(entries, payments, states) + 32).bit_length()
    of_entries = ("rest", "sorted")
    twice = ("group", "seen_by", "code", "root", "width", "set", "part", "counted")
    sizes: dict[str, Any] = {
        "keys": table, "values": table, "stamps": table, "grid": told.SPARSE * payments, "gross": told.SPARSE * payments,
        "look": (2, entries), **dict.fromkeys(of_entries, entries), **dict.fromkeys(twice, 2 * max(entries, payments)),
    }  # fmt: skip
    wide = ("keys", "stamps", "order", "first", "rest", "seen_by", "code", "sorted", "counted")
    kinds: dict[str, Any] = {**dict.fromkeys(wide, np.int64), **dict.fromkeys(("near", "paid", "grid", "gross"), np.float64)}
    return Work(**{name: np.zeros(sizes.get(name, payments), kinds.get(name, np.int32)) for name in Work._fields})

"""The results of many plays, added up batch by batch: mean, spread and distribution of every total, and of lengths."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.basics.fields import described
from zermelo.basics.html import bars, card, note, table
from zermelo.basics.numbers import WHOLE, Number, in_few
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import counted

MOST_PLAYS = 10**12  # days or months of work
BLOCK = 1024  # plays that share a generator of random numbers (kernels/simulate.py)
MOST_DISTINCT = 100_000  # distinct totals up to which their distribution is kept value by value
MOST_BINS = 256
SMALL, LARGE = 1e-4, 1e12  # means between these are written without an exponent
MOST_BARS = 60  # of the picture in a notebook
SECONDS_A_BATCH = 0.25  # between two checks for Ctrl-C
MOST_BLOCKS = 1 << 10  # in a batch: a million plays


@described(
    counts="int64[bins]: totals in each bin.",
    edges="float64[bins + 1]: the ends of the bins, ascending.",
)
class Histogram(NamedTuple):
    """The number of totals in each bin: bin i is edges[i] <= total < edges[i+1]."""

    counts: np.ndarray
    edges: np.ndarray


@dataclass(frozen=True)
class Total:
    """One named payoff, added up over each play, as it is paid to player 0 (with PASS: to the player who moves first)."""

    mean: float
    """The mean total."""
    standard_error: float
    """The standard error of the mean; NaN after a single play."""
    minimum: float
    """The smallest total."""
    maximum: float
    """The largest total."""
    distribution: dict[int, int] | None
    """How often each total came about, where totals are whole numbers below 2^53 and no more than 100,000 different ones."""
    histogram: Histogram | None
    """Counts by bins, where there is no `distribution`."""
    value: Number | None
    """What the solution expects; None if policies of the user's were played."""

    @property
    def z(self) -> float | None:
        """Standard errors from the value up to the mean; 0 if they agree to rounding. None where either is missing, and where all plays had
        one total, but not the value: what is rare may not have happened, and the standard error is no measure."""
        if self.value is None or math.isnan(self.standard_error):
            return None
        difference = self.mean - float(self.value)
        if abs(difference) <= 1e-12 * max(1.0, abs(self.mean)):
            return 0.0
        return difference / self.standard_error if self.standard_error > 0 else None


@dataclass(frozen=True)
class Simulation:
    """The results of many plays. `mean`, `z` and similar attributes are those of the first payoff; `totals` has all."""

    plays: int
    """How many plays were played."""
    seed: int
    """The seed of the random numbers."""
    totals: dict[str, Total]
    """For every named payoff its totals."""
    lengths: dict[int, int]
    """How many plays had each number of moves. With a discount a play is followed until what comes weighs less than 1e-18 (less if
    payoffs are large beside their mean), and counted up to there."""
    circling: int
    """Plays that cycle forever without payoff; counted with the length at which they begin to."""
    seconds: float
    """Seconds that it took."""

    @property
    def total(self) -> Total:
        """The total of the payoff that players play for."""
        return next(iter(self.totals.values()))

    @property
    def mean(self) -> float:
        """The mean total of the first payoff."""
        return self.total.mean

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.total.standard_error

    @property
    def minimum(self) -> float:
        """The smallest total."""
        return self.total.minimum

    @property
    def maximum(self) -> float:
        """The largest total."""
        return self.total.maximum

    @property
    def distribution(self) -> dict[int, int] | None:
        """How often each total occurred; None where only a histogram is kept."""
        return self.total.distribution

    @property
    def histogram(self) -> Histogram | None:
        """Counts by bin, where there is no distribution."""
        return self.total.histogram

    @property
    def z(self) -> float | None:
        """Standard errors from the computed value up to the mean; None where either is missing."""
        return self.total.z

    @property
    def steps(self) -> int:
        """Moves of all plays together."""
        return sum(length * plays for length, plays in self.lengths.items())

    @property
    def mean_length(self) -> float:
        """The mean number of moves of a play."""
        return self.steps / self.plays

    def ranges(self, most: int) -> list[tuple[int, int, int]]:
        """(least total, greatest total, plays) of at most `most` equal ranges of the first payoff's totals; nothing where there is no
        `distribution`."""
        if not self.distribution:
            return []
        low, high = min(self.distribution), max(self.distribution)
        width = -(-(high - low + 1) // most)
        counts: Counter[int] = Counter()
        for total, plays in self.distribution.items():
            counts[(total - low) // width] += plays
        return [(low + i * width, low + (i + 1) * width - 1, counts[i]) for i in range((high - low) // width + 1)]

    def _repr_html_(self) -> str:
        """The plays as notebooks show them: a line for each payoff, and how often each total of the first one came about."""
        columns = ("total", "mean", "standard error", "computed value", "z", "least", "most")
        rows = [
            [name, f"{t.mean:{form}}", f"{t.standard_error:{form}}" if self.plays > 1 else "",
             "" if t.value is None else f"{float(t.value):{form}}",
             "" if t.z is None else f"{round(t.z, 2) + 0.0:+.2f}", in_few(t.minimum), in_few(t.maximum)]
            for name, t in self.totals.items()
            for form in [form_of_mean(t.mean, t.standard_error)]
        ]  # fmt: skip
        main = next(iter(self.totals))
        shares = [(low, high, plays / self.plays) for low, high, plays in self.ranges(MOST_BARS)]
        length = f"length: {self.mean_length:.2f} moves on average, from {min(self.lengths)} to {max(self.lengths)}"
        endless = f"without an end: {counted(self.circling, 'play')}" if self.circling else ""
        drawn = bars(shares, f"how often each total of {main} came about") if len(shares) > 1 else ""
        return card(f"{counted(self.plays, 'play')}, seed {self.seed}", table(columns, rows), drawn, note(length), note(endless))

    def __repr__(self) -> str:
        z = "" if self.z is None else f", z = {round(self.z, 2) + 0.0:+.2f}"
        spread = f" +- {self.standard_error:.2g}" if self.plays > 1 else ""
        return f"<Simulation of {counted(self.plays, 'play')}: mean {in_few(self.mean)}{spread}{z}>"


def form_of_mean(mean: float, error: float) -> str:
    """The format of a mean and its standard error: with an exponent if they are very small or large."""
    return ".6f" if not mean and not error > 0 or SMALL <= max(abs(mean), error) < LARGE else ".6e"


class Playable(Protocol):
    """Anything that can be played many times."""

    names: tuple[str, ...]  # of the payoffs
    is_whole: bool  # whether totals are whole numbers
    block: int  # plays that share a generator of random numbers

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, payoffs], lengths int64[plays], whether they cycle bool[plays]."""


class Stuck(Exception):
    """A play that can't be counted: its status, and the state where it stopped, as kernels number them. The table explains it."""


def play_all(
    table: Playable, plays: int, seed: int, values: dict[str, Number], progress: Progress, cluster: str | None = None
) -> Simulation:
    """Play batch by batch, and add up; on a `cluster` if one is given, with the same result."""
    started = time.perf_counter()
    names = table.names
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    try:
        tally = _played(table, key, plays, progress) if cluster is None else _played_on(cluster, table, key, plays, progress)
    except Stuck as error:
        raise getattr(table, "explained")(*error.args) from None  # noqa: B009 only such tables raise it
    results = {name: column.result(values.get(name)) for name, column in zip(names, tally.sums, strict=True)}
    return Simulation(plays, seed, results, dict(sorted(tally.lengths.items())), tally.circling, time.perf_counter() - started)


class _Tally:
    """The results of plays so far. `references` : the numbers that sums are centred on, if earlier plays have decided them."""

    def __init__(self, table: Playable, references: Sequence[float] | None = None):
        self.sums = [_Sums(table.is_whole) for _ in table.names]
        for column, reference in zip(self.sums, references or (), strict=False):
            column.reference = reference
        self.lengths: Counter[int] = Counter()
        self.circling = 0

    @property
    def references(self) -> list[float]:
        return [float(column.reference or 0.0) for column in self.sums]

    def add(self, totals: np.ndarray, steps: np.ndarray, circled: np.ndarray) -> None:
        for j, column in enumerate(self.sums):
            column.add(totals[:, j])
        self.lengths.update(_tally(steps))
        self.circling += int(circled.sum())

    def join(self, later: _Tally) -> None:
        """Add the plays that follow these."""
        for column, other in zip(self.sums, later.sums, strict=True):
            column.join(other)
        self.lengths.update(later.lengths)
        self.circling += later.circling


def _played(
    table: Playable, key: np.ndarray, plays: int, progress: Progress, at: int = 0, references: Sequence[float] | None = None
) -> _Tally:
    """The plays from number `at` on, which begins a block."""
    tally = _Tally(table, references)
    for first, count in _batches(plays, table.block):
        tally.add(*table.play(key, (at + first) // table.block, count))
        progress("playing", first + count, plays)
    return tally


# --- on a cluster -----------------------------------------------------------------------------------------------------

A_TASK = 1 << 20  # plays, at most
TASKS = 16  # per processor, at least, if there are enough plays


def _played_on(address: str, table: Playable, key: np.ndarray, plays: int, progress: Progress) -> _Tally:
    """The same plays, by the machines of a cluster. The first few decide around what all sums are."""
    from zermelo.cluster.connection import connected
    from zermelo.cluster.tasks import Tasks

    with connected(address) as library:
        tasks = Tasks(library, _piece_played, (table, key))
        unit = math.lcm(table.block, BLOCK)
        size = max(min(plays // (TASKS * tasks.number), A_TASK) // unit, 1) * unit
        pieces = [(at, min(size, plays - at)) for at in range(0, plays, size)]
        progress("playing", 0, plays)
        (tally,) = tasks.in_order([(*pieces[0], None)])
        references = tally.references
        for (at, count), later in zip(pieces[1:], tasks.in_order((*piece, references) for piece in pieces[1:]), strict=True):
            tally.join(later)
            progress("playing", at + count, plays)
        return tally


def _piece_played(shared: tuple[Playable, np.ndarray], piece: tuple[int, int, Sequence[float] | None]) -> _Tally:
    """In a process of the cluster."""
    at, count, references = piece
    return _played(*shared, count, silent, at, references)


def _batches(plays: int, block: int) -> Iterator[tuple[int, int]]:
    """(first play, number of plays), in whole blocks; one batch takes about a quarter of a second."""
    first, blocks = 0, 8
    while first < plays:
        before = time.perf_counter()
        count = min(blocks * block, plays - first)
        yield first, count
        first += count
        if time.perf_counter() - before < SECONDS_A_BATCH / 2:
            blocks = min(2 * blocks, MOST_BLOCKS)


class _Sums:
    """One payoff, added up over batches; the result doesn't depend on where one batch ends and the next begins."""

    def __init__(self, is_whole: bool):
        self.plays = 0
        self.block_sums: list[float] = []
        self.block_squares: list[float] = []  # around the reference
        self.reference: float | None = None
        self.minimum, self.maximum = math.inf, -math.inf
        self.distribution: Counter[int] | None = Counter() if is_whole else None
        self.bins = _Bins()

    def add(self, totals: np.ndarray) -> None:
        if self.reference is None:
            self.reference = float(
                np.rint(totals[:BLOCK].mean()) if self.distribution is not None else totals[:BLOCK].mean()
            )
        self.plays += len(totals)
        around = totals - self.reference
        cuts = np.arange(0, len(totals), BLOCK)
        self.block_sums += np.add.reduceat(around, cuts).tolist()
        self.block_squares += np.add.reduceat(around * around, cuts).tolist()
        self.minimum, self.maximum = min(self.minimum, float(totals.min())), max(self.maximum, float(totals.max()))
        if self.distribution is not None:
            if max(-self.minimum, self.maximum) < WHOLE:
                self.distribution.update(_tally(totals))
                if len(self.distribution) <= MOST_DISTINCT:
                    return
                totals = totals[:0]
            self._put_into_bins(self.distribution)
            self.distribution = None
        if len(totals):
            self.bins.add(totals)

    def _put_into_bins(self, counted: Counter[int]) -> None:
        if counted:
            self.bins.add(np.array(list(counted), np.float64), np.array(list(counted.values())))

    def join(self, later: _Sums) -> None:
        """Add the plays that follow these, which were summed around the same reference."""
        self.plays += later.plays
        self.block_sums += later.block_sums
        self.block_squares += later.block_squares
        self.minimum, self.maximum = min(self.minimum, later.minimum), max(self.maximum, later.maximum)
        if self.distribution is not None and later.distribution is not None:
            self.distribution.update(later.distribution)
            if len(self.distribution) <= MOST_DISTINCT:
                return
            later.distribution = Counter()
        for sums in (self, later):
            if sums.distribution is not None:
                sums._put_into_bins(sums.distribution)
                sums.distribution = None
        self.bins.join(later.bins)

    def result(self, value: Number | None) -> Total:
        assert self.reference is not None
        n, total = self.plays, math.fsum(self.block_sums)
        variance = max(0.0, math.fsum(self.block_squares) - total * total / n) / (n - 1) if n > 1 else math.nan
        kept = None if self.distribution is None else dict(sorted(self.distribution.items()))
        histogram = self.bins.histogram() if kept is None else None
        mean = self.reference + total / n
        return Total(mean, math.sqrt(variance / n), self.minimum, self.maximum, kept, histogram, value)


class _Bins:
    """A histogram whose bins are as wide as a power of two, doubled whenever there would be more than 256 of them."""

    def __init__(self) -> None:
        self.width, self.first, self.counts = 0.0, 0, np.zeros(0, np.int64)

    def add(self, totals: np.ndarray, plays: np.ndarray | None = None) -> None:
        low, high = float(totals.min()), float(totals.max())
        if self.width == 0.0:
            spread = max(high - low, max(abs(low), abs(high)) * 2.0**-30) or 1.0
            self.width = 2.0 ** (math.frexp(spread)[1] - 12)
            self.first = math.floor(low / self.width)
        while self._needed(low, high) > MOST_BINS:
            self._double()
        first, last = self._range(low, high)
        counts = np.zeros(last - first + 1, np.int64)
        counts[self.first - first : self.first - first + len(self.counts)] = self.counts
        places = np.floor(totals / self.width).astype(np.int64) - first
        counts += np.bincount(places, weights=plays, minlength=len(counts)).astype(np.int64)
        self.first, self.counts = first, counts

    def join(self, other: _Bins) -> None:
        """Add the counts of other bins."""
        if not len(other.counts):
            return
        if not len(self.counts):
            self.width, self.first, self.counts = other.width, other.first, other.counts
            return
        while self.width < other.width:
            self._double()
        while other.width < self.width:
            other._double()
        while max(self.first + len(self.counts), other.first + len(other.counts)) - min(self.first, other.first) > MOST_BINS:
            self._double()
            other._double()
        first = min(self.first, other.first)
        counts = np.zeros(max(self.first + len(self.counts), other.first + len(other.counts)) - first, np.int64)
        for bins in (self, other):
            counts[bins.first - first : bins.first - first + len(bins.counts)] += bins.counts
        self.first, self.counts = first, counts

    def _range(self, low: float, high: float) -> tuple[int, int]:
        first, last = math.floor(low / self.width), math.floor(high / self.width)
        if len(self.counts):
            first, last = min(first, self.first), max(last, self.first + len(self.counts) - 1)
        return first, last

    def _needed(self, low: float, high: float) -> int:
        first, last = self._range(low, high)
        return last - first + 1

    def _double(self) -> None:
        places = (self.first + np.arange(len(self.counts))) // 2
        self.width, self.first = 2 * self.width, self.first // 2
        self.counts = np.bincount(places - self.first, weights=self.counts).astype(np.int64)

    def histogram(self) -> Histogram:
        return Histogram(self.counts, (self.first + np.arange(len(self.counts) + 1)) * self.width)


def _tally(numbers: np.ndarray) -> dict[int, int]:
    """The number of occurrences of each whole number."""
    low, high = int(numbers.min()), int(numbers.max())
    if high - low > 1 << 20:
        distinct, counts = np.unique(numbers, return_counts=True)
        return dict(zip(map(int, distinct.tolist()), counts.tolist(), strict=True))
    counts = np.bincount((numbers - low).astype(np.int64))
    places = np.flatnonzero(counts)
    return dict(zip((places + low).tolist(), counts[places].tolist(), strict=True))

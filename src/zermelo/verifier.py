"""Verifies certificates (docs/certificates.md has the format, the theorems and their proofs). One program, meant to be read as a whole.

It needs numpy and the rules of the game, interpreted or compiled (`zermelo.link`), and nothing that solves games or bounds values. It
believes nothing but what it has checked: the list holds the start and all that follows from a listed state, each with its inequalities.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from zermelo.basics.numbers import from_full, meant, rounding, shortened, written
from zermelo.basics.progress import Progress
from zermelo.basics.verdict import Verdict
from zermelo.basics.words import game_text
from zermelo.errors import FileError
from zermelo.language.rules import Rules, State
from zermelo.link import CompiledSteps, InterpretedSteps, Steps
from zermelo.states.keys import are_keys, distinct, index_of, sortable
from zermelo.states.layout import layout_described

FORMAT = "zermelo certificate 2"
U, TINY = 2.0**-53, 1e-200  # the relative error of an operation with doubles; more than underflow loses: ways are 1e-100 to 1e100
FEW, COMPARED = 10_000, 500  # states whose rules are run by Python; if there are more, states where compiled rules are compared with it
ASSUMED = ("settled", "must_end", "best_row", "best_column")  # are believed; also `symmetries`, where not checked
BATCH, MOST_IMAGES = 1 << 16, 50_000_000  # states at a time; states up to which `symmetries` need not be believed
SMALLEST, LARGEST, WHOLE = 1e-100, 1e100, 2.0**53  # of ways, payoffs and bounds; from here on a whole number may have been another one
rational = np.frompyfunc(written, 1, 1)  # the rationals that floats stand for
LONGEST, NEVER = 100_000, 2**31 - 1  # moves after which play is assumed to go on forever; moves to the end if there is none


class Refused(Exception):
    """Raised if a certificate claims more than it proves; the text names the state."""


class Certificate(NamedTuple):
    path: str
    header: dict[str, Any]
    arrays: dict[str, np.ndarray]

    def array(self, name: str, kind: str, *shape: int) -> np.ndarray:
        """An array of numbers of a kind ("i", "f") and shape, -1 for any length. Raises `FileError`."""
        found = self.arrays.get(name)
        fits = found is not None and found.dtype.kind == kind and found.ndim == len(shape)
        if not fits or any(n not in (-1, m) for n, m in zip(shape, found.shape, strict=True)):  # type: ignore[union-attr]
            raise FileError(f"{self.path}: the array {name!r} is missing or of another shape; write the certificate again")
        return np.asarray(found, np.int64 if kind == "i" else np.float64)

    def fractions(self, name: str, count: int) -> np.ndarray:
        """Rationals, written as text "3/4", one a line; no text stands for none."""
        lines = bytes(self.array(name, "u", -1).astype(np.uint8)).decode("ascii").split()
        if len(lines) != count:
            raise FileError(f"{self.path}: {name!r} has {len(lines):,} numbers instead of {count:,}; write the certificate again")
        return np.array(list(map(from_full, lines)), object)


def read(path: str | Path) -> Certificate:
    """The certificate in a file: a zip archive (numpy's .npz), whose members have checksums. Raises `FileError`."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}  # as a whole, so that checksums are verified
        header = json.loads(members.pop("header.json"))
        arrays = {n.removesuffix(".npy"): np.load(io.BytesIO(data), allow_pickle=False) for n, data in members.items()}
        known = header["format"] == FORMAT
    except OSError as error:
        raise FileError(f"{path} can't be read: {error.strerror or error}") from None
    except MemoryError:
        raise
    except Exception as error:  # any error that a damaged file causes in zip and numpy
        raise FileError(f"{path} is not a certificate, or is damaged ({type(error).__name__}): write it again") from None
    if not known:
        raise FileError(f"{path} has the format {header['format']!r}, and this program reads {FORMAT!r}")
    return Certificate(str(path), header, arrays)


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, list) else value


def sums(place: np.ndarray, x: np.ndarray, size: int) -> np.ndarray:
    """The sums of the numbers at every place, of floats or fractions."""
    np.add.at(found := np.zeros(size, x.dtype), place, x)
    return found


class Listed:
    """The states that a certificate lists, and their next states."""

    def __init__(self, certificate: Certificate, game: Any, interpreted: bool | None, progress: Progress):
        self.certificate, self.header, rules = certificate, certificate.header, Rules(game)
        self.payoffs, words = len(rules.payoffs), layout_described(rules.start, self.header).num_words
        self.keys = certificate.array("states", "i", -1, *([words] if words > 1 else []))
        self.size = self.listed = len(self.keys)
        self.compiled = self.size > FEW if interpreted is None else not interpreted
        self.together = BATCH if self.compiled else max(BATCH >> 3, 1)  # states at a time: Python takes its time with each
        self.run(game)
        self.entry, self.image = cast(Any, slice(None)), np.zeros(self.size, bool)  # whose claims hold for a state; if it isn't listed
        self.sorted = sortable(self.keys)
        right = self.layout.are_held(self.keys) & np.append(True, self.sorted[1:] > self.sorted[:-1])
        self.require(np.arange(self.size), right, "states are not listed in ascending order, each once")
        self.how = f"compiled, and compared with Python at {min(COMPARED, self.size):,} states" if self.compiled else "run by Python"
        self.folded = hasattr(game, "symmetries") and (self.rules.is_simultaneous or not self._unfold(progress))
        start = self.rules.least(rules.start) if self.folded else rules.start
        self.first = index_of(self.keys, self.layout.item(self.layout.pack(start)))
        if self.first < 0:
            raise Refused(f"the start is not listed: {self.rules.in_line(rules.start)}")
        for k in np.unique(np.linspace(0, self.size - 1, min(COMPARED, self.size) if self.compiled else 0).astype(int)):
            pair: Any = self._run(self.steps, k, k + 1), self._run(self.python, k, k + 1)
            if any(not np.array_equal(a, b) for a, b in zip(*pair, strict=True)):
                raise self.at(k, "compiled rules do something else than Python (--interpreted has Python run them)")

    def run(self, game: Any) -> None:
        """Load the rules, in a process that is to run them."""
        self.rules = Rules(game)
        self.layout, self.python = layout_described(self.rules.start, self.header), InterpretedSteps(self.rules)
        self.steps: Any = CompiledSteps(self.rules, self.layout) if self.compiled else self.python

    def _unfold(self, progress: Progress) -> bool:
        """Also check every state symmetric to a listed one, with the claims of the latter: then `symmetries` need not be believed."""
        found = [(self.keys, np.arange(self.listed))]
        for low in range(0, self.listed, self.together):
            progress("finding symmetric states", low, self.listed)
            image_of, images = self._ask(self.steps, "images", low, min(low + self.together, self.listed))
            found.append((images, low + np.repeat(np.arange(len(image_of) - 1), np.diff(image_of))))
            if sum(len(keys) for keys, _ in found) > MOST_IMAGES:
                return False
        every, of = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        every, of = every[are_keys(every)], of[are_keys(every)]  # keys that can't be a state are not listed
        self.sorted, first = np.unique(sortable(every), return_index=True)
        self.keys, self.entry, self.image, self.size = every[first], of[first], first >= self.listed, len(first)
        return True

    def at(self, number: int, what: str) -> Refused:
        """A refusal that names a state as the game shows it."""
        return Refused(f"at {self.rules.in_line(self.layout.unpack(self.keys[number]))}: {what}")

    def require(self, numbers: np.ndarray, right: Any, what: str) -> None:
        """Raise `Refused` for the first state for which `right` is false."""
        if not right.all():
            raise self.at(int(numbers[int(np.argmin(right))]), what)

    def _ask(self, steps: Any, what: str, low: int, high: int) -> Any:
        """The results of the rules at some states. If they fail, states are run one by one: rules may fail for keys that are not states."""
        try:
            return getattr(steps, what)(self.layout, self.keys[low:high].copy())  # keys that came from elsewhere may be read-only
        except Exception as error:
            if steps is self.python and high - low == 1:
                raise self.at(low, f"a rule fails ({type(error).__name__})") from None
            for k in range(low, high):
                self._ask(self.python, what, k, k + 1)
            raise

    def _run(self, steps: Any, low: int, high: int) -> Steps:
        """The outcomes of some states; next states by their index in the list, -1 for those that are not listed."""
        found = self._ask(steps, "of", low, high)
        some, which = distinct(found.next)  # sorted look-ups are faster
        some = sortable(steps.least(self.layout, some) if self.folded else some)
        place = np.minimum(np.searchsorted(self.sorted, some), self.size - 1)
        return found._replace(low=low, next=np.where((self.sorted[place] == some)[which], place[which], -1))

    def batch(self, low: int) -> Steps:
        """The outcomes of the states from this one on: all are listed, and the numbers allow rounding to be bounded."""
        s = self._run(self.steps, low, min(low + self.together, self.size))
        self.require(s.low + s.state, np.diff(s.outcome_of) > 0, "an action has no outcome of positive ways")
        of, all_ = s.low + s.state[s.row], s.low + np.arange(len(s.player))
        self.require(of, s.next >= 0, "a next state is not listed")
        plain = (s.ways >= SMALLEST) & (s.ways <= LARGEST) & (np.abs(s.sign) == 1)
        self.require(of, plain, "ways are negative or not between 1e-100 and 1e100, or a sign is neither KEEP nor PASS")
        self.require(of, (np.abs(s.payoff) <= LARGEST).all(axis=1), "a payoff is not a number, or beyond 1e100")
        self.require(all_, (np.abs(s.final) <= LARGEST).all(axis=1), "the payoff of the end is not a number, or beyond 1e100")
        self.require(all_, np.isin(s.player, (0, 1)), "`player` is neither 0 nor 1, or one of two has no action")
        return s


class Rows(NamedTuple):
    """The rows that matter on a side, for one of the payoffs. The averaged numbers are floats or fractions."""

    side: int
    j: int  # the number of the payoff
    state: np.ndarray  # int64[rows]: index in the list
    pair: np.ndarray  # int64[rows]: which of all actions it is (with simultaneous moves, the first of those that it averages)
    row: np.ndarray  # int64[outcomes], 0 to len(state) - 1
    weight: np.ndarray  # [outcomes]
    paid: np.ndarray  # [outcomes]: to the player whose side it is
    next: np.ndarray  # int64[outcomes]: index of the next state
    passed: np.ndarray  # bool[outcomes]: whether the value of the other side applies there
    size: np.ndarray  # float64[rows]: the number of a row's outcomes
    blur: float  # the relative error of the weights

    def sum(self, x: np.ndarray) -> np.ndarray:
        return sums(self.row, x, len(self.state))

    def mean(self, x: np.ndarray) -> np.ndarray:
        return self.sum(self.weight * x) / self.sum(self.weight)


class Play:
    """What each player can still reach if the other keeps to a policy or mixtures. On side 1, that of player 1, payoffs are negated."""
    claims_of: Callable[[np.ndarray, np.ndarray, Rows], Iterator[tuple[np.ndarray, str]]]  # final states, their payoffs; rows of the others

    def __init__(self, listed: Listed, exact: bool):  # whether numbers are fractions
        self.listed, self.exact, self.both, certificate = listed, exact, listed.rules.is_simultaneous, listed.certificate
        if self.both:
            self.starts = [certificate.array(name, "i", listed.listed + 1) for name in ("own_start", "other_start")]
            shares = zip(("own", "other"), self.starts, strict=True)
            self.mixed = [certificate.fractions(n, s[-1]) if self.exact else certificate.array(n, "f", -1) for n, s in shares]
        else:
            self.policy = certificate.array("policy", "i", listed.listed)[listed.entry]

    def check(self, low: int) -> None:
        """Raise `Refused` unless everything follows in the batch of states from this one on, of each payoff for each side."""
        s = self.listed.batch(low)
        ends, fits = np.flatnonzero(np.diff(s.row_of) == 0), np.ones(len(s.state), bool)  # actions for which everything holds
        for j, side in product(range(self.listed.payoffs), (0, 1)):
            r = self.rows(s, side, j)
            one = self.listed.image[r.state] & ((j > 0) | (s.player[r.state - s.low] != side))  # states where one action is enough
            for right, what in self.claims_of(s.low + ends, (1 - 2 * side) * s.final[ends, j], r):
                self.listed.require(r.state, right | one, what)
                fits[r.pair[one]] &= right[one]
        some = np.bincount(s.state[fits], minlength=len(s.player)) + (np.diff(s.row_of) == 0) > 0
        self.listed.require(s.low + np.arange(len(some)), some, "what is said of a symmetric state holds for no action")

    def rows(self, s: Steps, side: int, j: int) -> Rows:
        """Every action of the side's player, averaged over the other's mixture or policy; except for the first payoff, both policies."""
        count, pair, state, first = np.diff(s.row_of), s.row, s.state, s.row_of[:-1][s.state]
        own = s.own if self.both else np.where(s.player == 0, count, 1)  # a player who does not move has one choice
        counts = own, count // np.maximum(own, 1)
        action = np.divmod(np.arange(len(state)) - first, np.maximum(counts[1], 1)[state])
        shares = [self._share(s, k, counts[k], state, action[k]) for k in (0, 1)]
        share = shares[0] * shares[1] if j else shares[1 - side]
        label = first + (0 if j else action[side]) if self.both else np.arange(len(state))  # the first pair of a row
        labels, kept = (np.unique if self.both else np.asarray)(label[share > 0]), np.flatnonzero((share > 0)[pair])
        ways, payoff = (rational(x) if self.exact else x for x in (s.ways, s.payoff[kept, j]))
        weight, row, blur = ways[kept], np.searchsorted(labels, label)[pair[kept]], 0.0
        size, number = np.bincount(row, minlength=len(labels)).astype(float), s.low + state[labels]
        if self.both:
            weight = share[pair[kept]] * (weight / sums(pair, ways, len(state))[pair[kept]])
            blur = (np.diff(s.outcome_of).max(initial=0) + 4) * U
            self.listed.require(number[row], weight > (0 if self.exact else 1e-300), "an outcome is too rare to be weighed")
        return Rows(side, j, number, labels, row, weight, (1 - 2 * side) * payoff, s.next[kept], s.sign[kept] < 0, size, blur)

    def _share(self, s: Steps, player: int, counts: np.ndarray, state: np.ndarray, action: np.ndarray) -> np.ndarray:
        """The weight of one player's action in each pair."""
        numbers = s.low + np.arange(len(counts))
        if self.both:
            first, mixed = self.starts[player][numbers], self.mixed[player]
            self.listed.require(numbers, (first >= 0) & (first + counts <= len(mixed)), "the mixture has no weight for every action")
            share = mixed[first[state] + action]
            plain = (share == 0) | ((share >= (0 if self.exact else SMALLEST)) & (share <= LARGEST))
            self.listed.require(s.low + state, plain, "a weight of the mixture is none")
        else:
            share = np.where(s.player[state] == player, self.listed.image[s.low + state] | (action == self.policy[s.low + state]), True)
        some = np.bincount(state[share > 0], minlength=len(counts)) > 0
        self.listed.require(numbers, some | (counts == 0), "the policy is no action, or all weights of the mixture are 0")
        return share


class Bounds(Play):
    """Theorem 1: nobody can get more from a state than the sum of two doubles, `base` + `more`; a third double is its `drift`."""

    def __init__(self, listed: Listed, discount: float):
        super().__init__(listed, exact=False)
        self.discount, shape, certificate = discount, (listed.listed, listed.payoffs, 2), listed.certificate
        above, below = (certificate.array(name, "f", *shape) for name in ("above", "below"))
        drift = certificate.array("drift", "f", *shape) if "drift" in certificate.arrays else np.zeros(shape)
        claims = np.array([[above[..., 0], above[..., 1], drift[..., 0]], [-below[..., 0], below[..., 1], drift[..., 1]]])
        self.claims = claims[:, :, listed.entry]  # float64[side, base more drift, states, payoffs]
        plain = (np.abs(self.claims) <= LARGEST).all(axis=(0, 1, 3)) & (self.claims[:, 1] >= 0.0).all(axis=(0, 2))
        listed.require(np.arange(listed.size), plain, "a bound is not a number, or beyond 1e100, or its second number is negative")
        (above, more, _), (below, less, _) = self.claims[:, :, listed.first, 0].tolist()
        high, low = math.nextafter(above + more, math.inf) if more else above, math.nextafter(below + less, math.inf) if less else below
        self.interval = -low, high  # of the start

    def claims_of(self, numbers: np.ndarray, pays: np.ndarray, r: Rows) -> Iterator[tuple[np.ndarray, str]]:
        """Whether no final state pays more than its bound; whether each row is strict or free."""
        listed, name = self.listed, f"the bound from {('above', 'below')[r.side]}" + (f" of payoff {r.j}" if r.j else "")
        if listed.rules.is_cut_off:  # each side has a bound of its own
            cuts = [listed.rules.bounds(listed.layout.unpack(key)) for key in listed.keys[numbers]]
            pays = np.array([p if c is None else (1 - 2 * r.side) * float(c[1 - r.side]) for p, c in zip(pays, cuts, strict=True)])
        (base, more, _), doubt = self.claims[r.side][:, numbers, r.j], np.array([rounding(float(p)) for p in pays])
        older = "" if ((beyond := np.maximum(pays - base, 0.0)) > more).any() else ", rounded, as older versions forgot: write it again"
        listed.require(numbers, (beyond + doubt) * (1.0 + 4.0 * U) <= more, f"{name} is not one of what the end pays{older}")
        here, after = self.claims[r.side][:, r.state, r.j], self.claims[r.side ^ r.passed, :, r.next, r.j].T
        right = self._is_strict(r, here, after)
        if self.discount == 1.0 and not right.all():
            right |= self._is_free(r, here, after, ~right)
        yield right, f"{name} does not follow from the next states, or play can go round forever"

    def _is_strict(self, r: Rows, here: np.ndarray, after: np.ndarray) -> np.ndarray:
        """bool[rows]: base + more is surely greater than the mean of payoff + discount * (base + more of the next state)."""
        (base, more, _), later, count = here, self.discount * after[0], r.size
        change = (moved := later - base[r.row]) + r.paid
        steps = 2.0 * count + 8.0 + 2.0 * r.blur / U
        rough = steps * r.mean(np.abs(change)) + r.mean(np.where(r.paid != 0.0, np.abs(moved), 0.0))
        rough += (self.discount != 1.0) * r.mean(np.abs(later))
        rough *= U * (1.0 + (4.0 * count + 32.0) * U)
        residual, ahead = r.mean(change), self.discount * r.mean(after[1])
        needed = residual + rough + ahead + (2.0 * steps + 4.0) * U * np.abs(ahead)
        return more > needed + 4.0 * U * (np.abs(residual) + rough + np.abs(ahead)) + TINY

    def _is_free(self, r: Rows, here: np.ndarray, after: np.ndarray, which: np.ndarray) -> np.ndarray:
        """bool[rows], of those: base + more is at least payoff + base + more of every next state, and not negative on average."""
        (base, more, drift), free = here, which.copy()
        for k in np.flatnonzero(which[r.row]):
            free[r.row[k]] &= math.fsum((r.paid[k], *after[:2, k], -base[r.row[k]], -more[r.row[k]])) <= 0.0 and abs(r.paid[k]) < WHOLE
        gain, drifts = after[2] - drift[r.row], r.mean(np.abs(after[2]) + np.abs(drift[r.row])) > 0.0
        bound = r.mean(gain) + ((2.0 * r.size + 16.0) * U + 2.0 * r.blur) * r.mean(np.abs(gain)) + TINY
        return free & np.where(drifts, bound + 4.0 * U * (np.abs(base) + np.abs(more)) <= base + more, base >= -more)


class Exact(Play):
    """Theorem 3: rational values."""

    def __init__(self, listed: Listed, discount: float):
        super().__init__(listed, exact=True)
        self.discount, shape, certificate = written(discount), (listed.listed, listed.payoffs), listed.certificate
        self.value = certificate.fractions("values", shape[0] * shape[1]).reshape(shape)[listed.entry]
        self.moves = certificate.array("moves", "f", *shape, 2)[listed.entry]
        plain = ((self.moves >= 0.0) & (self.moves <= LARGEST)).all(axis=(1, 2))
        listed.require(np.arange(listed.size), plain, "the number of moves is negative or none")
        self.interval = self.value[listed.first, 0], self.value[listed.first, 0]  # of the start

    def claims_of(self, numbers: np.ndarray, pays: np.ndarray, r: Rows) -> Iterator[tuple[np.ndarray, str]]:
        """Whether ends pay the value; whether no row is worth more than its state, and play by rows worth as much ends or is free."""
        view, ahead = 1 - 2 * r.side, self.discount * self.value[r.next, r.j] * (1 - 2 * r.passed)
        self.listed.require(numbers, rational(pays) == view * self.value[numbers, r.j], "the value is not what the end pays")
        here, each = view * self.value[r.state, r.j], r.paid + view * ahead
        worth, which = r.mean(each), f"an action is worth {('more', 'less')[r.side]} than the value"
        yield worth <= here, which + (" of the policy" if r.j else "")
        after, now = self.moves[r.next, r.j, r.side ^ r.passed], self.moves[r.state, r.j, r.side]
        mean = r.sum((r.weight / r.sum(r.weight)[r.row]).astype(float) * after)
        free = (here >= 0) & (r.sum(1 * ((each != here[r.row]) | (after > now[r.row]))) == 0)
        right = (worth < here) | (now >= (1.0 + mean) * (1.0 + (2.0 * r.size + 16.0) * U)) | free | (self.discount < 1)
        yield right, "actions that are worth the value can be repeated forever, and that play ends is not shown"


class Results:
    """Theorem 2: wins, draws and losses with their distances to the end."""

    def __init__(self, listed: Listed, discount: float):
        self.listed, count = listed, listed.listed
        self.value, self.distance = (listed.certificate.array(name, "i", count)[listed.entry] for name in ("value", "distance"))
        plain = (np.abs(self.value) <= 1) & (self.distance >= -1) & (self.distance < NEVER) & ((self.value == 0) | (self.distance >= 0))
        listed.require(np.arange(listed.size), plain, "this is neither a win, a draw nor a loss with a number of moves to the end")
        self.score = self.value * (NEVER - self.distance)  # the sooner a win the more, the sooner a loss the less
        self.interval = int(self.value[listed.first]), int(self.value[listed.first])  # of the start

    def check(self, low: int) -> None:
        listed, value, distance, s = self.listed, self.value, self.distance, self.listed.batch(low)
        count, state, here, mover = np.diff(s.row_of), s.state, s.low + np.arange(len(s.player)), 1 - 2 * s.player
        listed.require(here[state], (np.diff(s.outcome_of) == 1) & (listed.payoffs == 1), "there is chance in it")
        listed.require(here[state], (s.payoff == 0.0).all(axis=1), "something is paid on the way")
        got, best = mover[state] * s.sign * self.score[s.next], np.full(len(count), -NEVER)  # of the player to move
        np.maximum.at(best, state, got - np.sign(got))
        follows = (self.score[here] == mover * best) & ((value[here] != 0) | (distance[here] < 0))
        right = np.where(count == 0, (value[here] == s.final[:, 0]) & (distance[here] == 0), follows)
        listed.require(here, right, "result and distance do not follow from the next states")


def check_strategies(certificate: Certificate, game: Any) -> tuple[Fraction, Fraction]:
    """Theorem 4: mixed strategies of a matrix game, and what they guarantee. `game` is None if the matrix is in the certificate."""
    listed = [{s: s for s in getattr(game, name, tuple)()} for name in ("rows", "columns")]  # of the types that the rules expect
    sides = [[own.get(s, s) for s in map(tuples, side)] for side, own in zip(certificate.header["strategies"], listed, strict=True)]
    low, high, *shares = certificate.fractions("fractions", 2 + len(sides[0]) + len(sides[1])).tolist()
    mixtures = [dict(zip(sides[0], shares, strict=False)), dict(zip(sides[1], shares[len(sides[0]) :], strict=True))]
    table = [[Fraction(x) for x in row] for row in certificate.header["matrix"]] if game is None else [[]]
    if any(len(row) != len(table[0]) for row in table):
        raise Refused("the rows of the matrix are not all of one length")
    members, unit = [getattr(game, f"{w}_members", lambda s: [s]) for w in ("row", "column")], meant(getattr(game, "unit", lambda: 1)())
    pays = (lambda r, c: table[r][c]), (lambda r, c: unit * meant(game.payoff(r, c))), (lambda r, c: meant(game.member_payoff(r, c)))
    pay = pays[(game is not None) + hasattr(game, "member_payoff")]
    for k, (word, verb, other) in enumerate((("row", "gets", "column"), ("column", "pays", "row"))):
        known = game is None or hasattr(game, f"best_{word}") or mixtures[k].keys() <= listed[k].keys()  # else `rows` are all
        if not known or len(mixtures[k]) != len(sides[k]) or sum(mixtures[k].values()) != 1 or min(mixtures[k].values()) < 0:
            raise Refused(f"the {word} player's probabilities are negative, do not sum to 1, or of a strategy named twice or not listed")
        against = [(s, p / len(each)) for one, p in mixtures[1 - k].items() for each in [list(members[1 - k](one))] for s in each]
        replies = (s for one in _replies(game, word, mixtures[1 - k], (len(table), len(table[0]))[k]) for s in members[k](one))
        worth, own = (max, min)[k]((sum((p * pay(*((o, s), (s, o))[k]) for s, p in against), Fraction(0)), repr(o)) for o in replies)
        if not low <= worth <= high:
            than = f"more than {shortened(high)}" if worth > high else f"less than {shortened(low)}"
            raise Refused(f"{word} {own} {verb} {than} against the {other} player's mixture")
    return low, high


def _replies(game: Any, word: str, mixture: Mapping[Any, Fraction], size: int) -> Sequence[Any]:
    """The strategies to compare: the best response to a mixture, or all that the game lists (the matrix has) if there is no such method."""
    scale, reply = math.lcm(*(p.denominator for p in mixture.values())), getattr(game, f"best_{word}", None)
    found = reply({s: int(p * scale) for s, p in mixture.items() if p}) if reply else list(getattr(game, f"{word}s", lambda: range(size))())
    return found if isinstance(found, list) else [found]


def check_information_sets(certificate: Certificate, game: Any, progress: Progress) -> tuple[Fraction, Fraction, int]:
    """Theorem 5: behaviour strategies where players do not see everything. Returns their guarantees, and the number of states and lines."""
    starts = [certificate.array(f"{name}_start", "i", -1) for name in ("own", "other")]
    low, high, *shares = certificate.fractions("fractions", 2 + sum(int(start[-1]) for start in starts)).tolist()
    rules, gone = Rules(game), 0
    for player, (start, name, word, said) in enumerate(zip(starts, ("own", "other"), ("gets", "pays"), (low, high), strict=True)):
        sees_start, sees = certificate.array(f"{name}_sees_start", "i", len(start)), certificate.array(f"{name}_sees", "i", -1)
        strategy: dict[Any, list[Fraction]] = {None: [Fraction(1)]}  # by what the player sees; None if there is no choice
        for k in range(len(start) - 1):
            seen, mixture = tuple(sees[sees_start[k] : sees_start[k + 1]].tolist()), shares[start[k] : start[k + 1]]
            if seen in strategy or sum(mixture) != 1 or min(mixture) < 0:
                raise Refused(f"where a player sees {seen} his probabilities are negative, do not sum to 1, or are given twice")
            strategy[seen] = mixture
        del shares[: start[-1]]
        end, steps = _best_reply(rules, strategy, 1 - player, progress)
        gone += steps
        if (end < low, end > high)[player]:
            raise Refused(f"against the best response player {player} {word} {shortened(end)}, and not {shortened(said)}")
    return low, high, gone


def _best_reply(rules: Rules, strategy: Mapping[Any, list[Fraction]], replying: int, progress: Progress) -> tuple[Fraction, int]:
    """Player 0's result if `replying` responds best and remembers the own choices: a *line* is all of these, 0 if there are none."""
    play: dict[tuple[State, int], Fraction] = {(rules.start, 0): Fraction(1)}
    lines: dict[Any, tuple[int, int]] = {}  # by line and what the player sees: the first line that continues there, and how many do
    meant: dict[Any, list[Any]] = {}  # by player and what the player sees: the actions
    gone, moves, worth = 0, 0, [Fraction(0)]  # player 0's result on each line
    while play:
        after: dict[tuple[State, int], Fraction] = defaultdict(Fraction)
        for (state, line), chance in play.items():
            gone, actions = gone + 1, rules.actions(state)
            if not actions:
                worth[line] += chance * written(rules.payoff(state)[0])
                continue
            sides = rules.choices(state) if rules.is_simultaneous else (actions, [None]) if rules.player(state) == 0 else ([None], actions)
            sees = [rules.seen(state, q) if len(sides[q]) > 1 else None for q in range(2)]  # None if there is no choice
            for q, seen in enumerate(sees):
                if seen is not None and meant.setdefault((q, seen), sides[q]) != sides[q]:
                    raise Refused(f"at {rules.in_line(state)} player {q} has other actions than where he sees the same")
            mixture, first = strategy.get(sees[1 - replying], []), line
            if len(mixture) != len(sides[1 - replying]):
                raise Refused(f"at {rules.in_line(state)} player {1 - replying} has no probabilities for his actions")
            if sees[replying] is not None:
                first = lines.setdefault((line, sees[replying]), (len(worth), len(sides[replying])))[0]
                worth += [Fraction(0)] * (len(sides[replying]) if first == len(worth) else 0)
            for number, action in enumerate(actions):
                pair = divmod(number, len(sides[1]))
                share = chance * mixture[pair[1 - replying]]
                following = [(o, written(o.ways)) for o in rules.outcomes(state, action) if o.ways] if share else []
                total, goes_on = sum((ways for _, ways in following), Fraction(0)), first + pair[replying]
                if share and not min((ways if o.sign == 1 else 0 for o, ways in following), default=0) > 0:
                    raise Refused(f"at {rules.in_line(state)} the rules use PASS, or ways are negative, or all are 0")
                for o, ways in following:
                    part = share if len(following) == 1 else share * ways / total
                    after[o.state, goes_on] += part
                    if o.payoff[0]:
                        worth[goes_on] += part * written(o.payoff[0])
        play, moves = after, moves + 1
        progress("following all plays", moves, None)
        if moves > LONGEST:
            raise Refused(f"after {LONGEST:,} moves play has not come to an end")
    for (line, _), (first, count) in reversed(lines.items()):
        worth[line] += (max, min)[replying](worth[first : first + count])
    return worth[0], gone


Argument = Bounds | Results | Exact
THEOREMS: dict[str, Callable[[Listed, float], Argument]] = {"bounds": Bounds, "results": Results, "exact": Exact}
NOT_FOR = {"bounds": ("sees",), "exact": ("sees", "bounds"), "results": ("sees", "bounds", "other_actions")}  # if one is declared
Share = Callable[[Argument, Sequence[int]], Generator[Any]]  # checks all batches; yields a result or an error of each, in order


def verify(certificate: Certificate, game: Any, interpreted: bool | None, progress: Progress, share: Share) -> Verdict:
    """Check a certificate. `game` : None for a matrix. Raises `FileError` for a certificate that can't be understood, `OutOfReach`."""
    header, kind, assumes = certificate.header, str(certificate.header.get("kind")), tuple(n for n in ASSUMED if hasattr(game, n))
    states, how, discount, fault, low, high = 0, "run by Python", 1.0, None, None, None  # type: int, str, float, Any, Any, Any
    try:
        if kind == "strategies":
            low, high = check_strategies(certificate, game)
        elif kind == "information sets":
            low, high, states = check_information_sets(certificate, game, progress)
        else:
            discount = float(header["discount"])
            declares_more = any(hasattr(game, name) for name in NOT_FOR.get(kind, ()))
            if declares_more or kind not in THEOREMS or not 0.0 < discount <= 1.0 or (kind == "results" and discount < 1.0):
                raise FileError(f"{certificate.path}: no certificates of the kind {kind!r} with the discount {discount} are for this game")
            listed = Listed(certificate, game, True if kind == "exact" else interpreted, progress)
            states, how, assumes = listed.size, listed.how, ("symmetries",) * listed.folded + assumes
            argument = THEOREMS[kind](listed, discount)
            with closing(share(argument, lows := range(0, states, listed.together))) as batches:
                for begin, _ in zip(lows, batches, strict=True):
                    progress("verifying", min(begin + listed.together, states), states)
            low, high = argument.interval
    except Refused as refusal:
        fault = str(refusal)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError, OverflowError) as error:
        raise FileError(f"{certificate.path} can't be understood ({type(error).__name__}: {error}): write it again") from None
    return Verdict(not fault, fault, kind, "a matrix" if game is None else game_text(game), low, high, states, how, assumes, discount)

"""Verifies certificates (docs/certificates.md has the format, the theorems and their proofs). One program, to be read as a whole.

It needs numpy and the rules of the game, interpreted or compiled (`zermelo.link`); no solver, no kernel, and none of the code that finds or
checks bounds while a game is solved. It believes nothing of a certificate but what it has checked: the list of states holds the start
and every state that follows from a listed one; every inequality of the theorems holds at every listed state, rounding included.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import written
from zermelo.basics.progress import Progress, silent
from zermelo.basics.verdict import Verdict
from zermelo.errors import FileError
from zermelo.language.rules import Rules, State, lengths
from zermelo.states.keys import are_keys, distinct, index_of, sortable
from zermelo.states.layout import Layout, are_words, words_for

FORMAT = "zermelo certificate 2"
U = 2.0**-53  # the relative error of an operation with doubles
TINY = 1e-200  # more than what underflow can lose: ways lie between 1e-100 and 1e100
FEW, COMPARED = 10_000, 500  # states whose rules are run by Python; where there are more: at which compiled rules are compared with it
ASSUMED = ("symmetries", "settled", "best_row", "best_column")  # declarations that are believed
MOST_IMAGES = 50_000_000  # states that are checked one by one where `symmetries` need not be believed
BATCH = 1 << 16  # states at a time
SMALLEST, LARGEST = 1e-100, 1e100  # of ways, payoffs and bounds
LONGEST = 100_000  # moves after which play that has not ended is taken for one that never does
NEVER = 2**31 - 1  # moves to the end
Outcome = tuple[Fraction, tuple[Fraction, ...], int, int]  # probability, payoffs, number of the next state, sign


class Refused(Exception):
    """Raised where a certificate says more than it shows; the text names the state."""


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

    def fractions(self, name: str, count: int) -> list[Fraction]:
        """Rationals, written as text "3/4", one a line."""
        lines = bytes(self.array(name, "u", -1).astype(np.uint8)).decode("ascii").split("\n")
        if len(lines) != count:
            raise FileError(f"{self.path}: {name!r} has {len(lines):,} numbers instead of {count:,}; write the certificate again")
        return [Fraction(line) for line in lines]


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
    except Exception as error:  # whatever a damaged file makes of zip and numpy
        raise FileError(f"{path} is no certificate, or damaged ({type(error).__name__}): write it again") from None
    if not known:
        raise FileError(f"{path} has the format {header['format']!r}, and this program reads {FORMAT!r}")
    return Certificate(str(path), header, arrays)


def tuples(value: Any) -> Any:
    return tuple(map(tuples, value)) if isinstance(value, list) else value


class Steps(NamedTuple):
    """What follows from some of the listed states, as the rules say it. Rows are actions (pairs of them, where both choose at once)."""

    low: int  # index of the first state
    row_of: np.ndarray  # int64[states + 1]: where the rows of a state begin
    outcome_of: np.ndarray  # int64[rows + 1]: where the outcomes of a row begin; only those of positive ways are listed
    ways: np.ndarray  # float64[outcomes]
    next: np.ndarray  # int64[outcomes]: index of the next state in the list
    sign: np.ndarray  # int[outcomes]: -1 if the other player moves next and the value counts negated
    payoff: np.ndarray  # float64[outcomes, payoffs]
    final: np.ndarray  # float64[states, payoffs]: of final states
    player: np.ndarray  # int[states]
    own: np.ndarray  # int[states]: with simultaneous moves, how many actions player 0 has


class Listed:
    """The states that a certificate lists, and what follows from them."""

    def __init__(self, certificate: Certificate, game: Any, interpreted: bool | None, progress: Progress):
        self.certificate, self.progress, self.rules = certificate, progress, Rules(game)
        self.start, self.payoffs = self.rules.start, len(self.rules.payoffs)
        low, bits = (tuple(int(x) for x in certificate.header[name]) for name in ("low", "bits"))
        if len({len(low), len(bits), sum(n or 1 for n in lengths(self.start))}) > 1 or min(bits) < 0:
            raise FileError(f"{certificate.path}: its states have other numbers than those of the game; write the certificate again")
        words = tuple(int(x) for x in certificate.header.get("words", words_for(bits)))
        if not are_words(words, bits):
            raise FileError(f"{certificate.path}: its `words` can't hold its `bits`; write the certificate again")
        self.layout = Layout(type(self.start), lengths(self.start), low, bits, words).checked()
        several = self.layout.num_words
        self.keys = certificate.array("states", "i", -1, *([several] if several > 1 else []))
        self.size = self.listed = len(self.keys)
        self.entry: Any = slice(None)  # which listed state says what holds of a state that is checked
        self.sorted = sortable(self.keys)
        right = self.layout.are_held(self.keys) & np.append(True, self.sorted[1:] > self.sorted[:-1])
        self.require(np.arange(self.size), right, "states are not listed in ascending order, each once")
        from zermelo.link import CompiledSteps, InterpretedSteps  # only here: not every command needs them

        self.steps = self.python = InterpretedSteps(self.rules)  # type: Any
        self.how = "run by Python"
        if not (self.size <= FEW if interpreted is None else interpreted):
            self.steps = CompiledSteps(self.rules, self.layout)
            self.how = f"compiled, and compared with Python at {min(COMPARED, self.size):,} states"
        self.folded = hasattr(game, "symmetries") and not (certificate.header["kind"] == "results" and self._unfold())
        self.first = self.number(self.start)
        if self.first < 0:
            raise Refused(f"the start is not listed: {self.rules.in_line(self.start)}")

    def _unfold(self) -> bool:
        """Have every state checked that is symmetric to a listed one, with what is said of that: then `symmetries` are not believed."""
        found = [(self.keys, np.arange(self.listed))]
        for low in range(0, self.listed, BATCH):
            image_of, images = self._ask(self.steps, "images", low, min(low + BATCH, self.listed))
            found.append((images, low + np.repeat(np.arange(len(image_of) - 1), np.diff(image_of))))
            if sum(len(keys) for keys, _ in found) > MOST_IMAGES:
                return False
        every, of = (np.concatenate(arrays) for arrays in zip(*found, strict=True))
        none = ~are_keys(every)
        every[none] = self.keys[of[none]]  # what can't be a state is not listed
        self.sorted, first = np.unique(sortable(every), return_index=True)
        self.keys, self.entry, self.size = every[first], of[first], len(first)
        return True

    def number(self, state: State) -> int:
        """The index of a state, or of its representative, or -1."""
        key = self.layout.pack(self.rules.least(state) if self.folded else state)
        return index_of(self.keys, self.layout.item(key))

    def state(self, number: int) -> State:
        return self.layout.unpack(self.keys[number])

    def at(self, number: int, what: str) -> Refused:
        """The refusal that names a state as the game shows it."""
        return Refused(f"at {self.rules.in_line(self.state(number))}: {what}")

    def require(self, numbers: np.ndarray, right: Any, what: str) -> None:
        """Raise `Refused` for the first state for which `right` is false."""
        if not right.all():
            raise self.at(int(numbers[int(np.argmin(right))]), what)

    def batches(self) -> Iterator[Steps]:
        """What follows from all states. Raises `Refused` where a next state is not listed."""
        compared = min(COMPARED, self.size) if self.steps is not self.python else 0
        for k in np.unique(np.linspace(0, self.size - 1, compared).astype(int)):
            pair: Any = self._run(self.steps, k, k + 1), self._run(self.python, k, k + 1)
            if any(not np.array_equal(a, b) for a, b in zip(*pair, strict=True)):
                raise self.at(k, "compiled rules do something else than Python (--interpreted has Python run them)")
        for low in range(0, self.size, BATCH):
            steps = self._run(self.steps, low, min(low + BATCH, self.size))
            self._check(steps)
            yield steps
            self.progress("verifying", min(low + BATCH, self.size), self.size)

    def _ask(self, steps: Any, what: str, low: int, high: int) -> Any:
        """What the rules say of some states. Where they fail, they are asked one by one: rules need not make sense of what is no state."""
        try:
            return getattr(steps, what)(self.layout, self.keys[low:high])
        except Exception as error:
            if steps is self.python and high - low == 1:
                raise self.at(low, f"a rule fails ({type(error).__name__})") from None
            for k in range(low, high):
                self._ask(self.python, what, k, k + 1)
            raise

    def _run(self, steps: Any, low: int, high: int) -> Steps:
        row_of, outcome_of, ways, key, *rest = self._ask(steps, "of", low, high)
        some, which = distinct(key)  # what is looked up in order is found sooner
        some = sortable(steps.least(self.layout, some) if self.folded else some)
        place = np.minimum(np.searchsorted(self.sorted, some), self.size - 1)
        return Steps(low, row_of, outcome_of, ways, np.where((self.sorted[place] == some)[which], place[which], -1), *rest)

    def _check(self, s: Steps) -> None:
        """That all next states are listed, and that the numbers are such that rounding can be bounded."""
        state = s.low + np.repeat(np.arange(len(s.player)), np.diff(s.row_of))
        self.require(state, np.diff(s.outcome_of) > 0, "an action has no outcome of positive ways")
        of, all_ = np.repeat(state, np.diff(s.outcome_of)), s.low + np.arange(len(s.player))
        self.require(of, s.next >= 0, "a next state is not listed")
        self.require(of, (s.ways >= SMALLEST) & (s.ways <= LARGEST), "ways are negative or not between 1e-100 and 1e100")
        self.require(of, (np.abs(s.payoff) <= LARGEST).all(axis=1), "a payoff is not a number, or beyond 1e100")
        self.require(of, np.abs(s.sign) == 1, "a sign is neither KEEP nor PASS")
        self.require(all_, (np.abs(s.final) <= LARGEST).all(axis=1), "the payoff of the end is not a number, or beyond 1e100")
        self.require(all_, np.isin(s.player, (0, 1)), "`player` is neither 0 nor 1")


class Rows(NamedTuple):
    """The rows that matter on one side: every outcome's row, index in `Steps` and weight; every row's state in `Steps`."""

    row: np.ndarray  # int64[outcomes], 0 to len(state) - 1
    outcome: np.ndarray  # int64[outcomes]
    weight: np.ndarray  # float64[outcomes]
    state: np.ndarray  # int64[rows], from 0
    blur: float  # the relative error of the weights

    def mean(self, x: np.ndarray) -> np.ndarray:
        return np.bincount(self.row, self.weight * x, len(self.state)) / np.bincount(self.row, self.weight, len(self.state))


class Side(NamedTuple):
    """Bounds from above, as sums of two doubles, of what a player can get: `view` is 1 for player 0, -1 for player 1, who is paid the
    negated payoffs. base, more, drift : float64[2, n], first those of the player's own side, then the other's, which count after PASS."""

    view: int
    base: np.ndarray
    more: np.ndarray
    drift: np.ndarray


class Bounds:
    """Theorem 1: every value lies in its interval."""

    def __init__(self, listed: Listed, discount: float):
        self.listed, self.discount, self.both = listed, discount, listed.rules.is_simultaneous
        n, payoffs, certificate = listed.size, listed.payoffs, listed.certificate
        self.above, self.below = (certificate.array(name, "f", n, payoffs, 2) for name in ("above", "below"))
        self.drift = certificate.array("drift", "f", n, payoffs, 2) if "drift" in certificate.arrays else np.zeros((n, payoffs, 2))
        for array in (self.above, self.below, self.drift):
            listed.require(np.arange(n), (np.abs(array) <= LARGEST).all(axis=(1, 2)), "a bound is not a number, or beyond 1e100")
        if self.both:
            self.starts = [certificate.array(name, "i", n + 1) for name in ("own_start", "other_start")]
            self.mixed = [certificate.array(name, "f", -1) for name in ("own", "other")]
        else:
            self.policy = certificate.array("policy", "i", n)

    def check(self) -> tuple[float, float]:
        """Raise `Refused` unless all bounds follow; the interval of the start."""
        for steps in self.listed.batches():
            for j in range(self.listed.payoffs):
                base = np.stack([self.above[:, j, 0], -self.below[:, j, 0]])
                more = np.stack([self.above[:, j, 1], self.below[:, j, 1]])
                for view in (1, -1):
                    side = Side(view, base[::view], more[::view], self.drift[:, j].T[::view])
                    self._check_side(steps, self._rows(steps, view, j), side, j)
        (above, more_), (below, less) = self.above[self.listed.first, 0], self.below[self.listed.first, 0]
        return math.nextafter(below - less, -math.inf) if less else below, math.nextafter(above + more_, math.inf) if more_ else above

    def _check_side(self, s: Steps, rows: Rows, side: Side, j: int) -> None:
        """That every final state pays no more than its bound, and that every row is strict or free."""
        listed, name = self.listed, f"the bound from {'above' if side.view > 0 else 'below'}" + (f" of payoff {j}" if j else "")
        ends = np.flatnonzero(np.diff(s.row_of) == 0)
        pays = side.view * s.final[ends, j]
        if listed.rules.is_cut_off:  # each side has a bound of its own
            cuts = [listed.rules.bounds(listed.state(s.low + int(i))) for i in ends]
            pays = np.array([p if c is None else side.view * float(c[side.view > 0]) for p, c in zip(pays, cuts, strict=True)])
        enough = (pays - side.base[0][s.low + ends]) * (1.0 + 2.0 * U) <= side.more[0][s.low + ends]
        listed.require(s.low + ends, enough, f"{name} is not one of what the end pays")
        loose = np.flatnonzero(~self._is_strict(s, rows, side, j))
        free = self._is_free(s, rows, side, j, loose) if loose.size and self.discount == 1.0 else np.zeros(loose.size, bool)
        listed.require(s.low + rows.state[loose], free, f"{name} does not follow from the next states, or play can go round for ever")

    def _is_strict(self, s: Steps, rows: Rows, side: Side, j: int) -> np.ndarray:
        """bool[rows]: base + more is surely greater than the mean of payoff + discount * (base + more of the next state)."""
        count, state = np.bincount(rows.row, minlength=len(rows.state)).astype(float), s.low + rows.state
        after, passed = s.next[rows.outcome], (s.sign[rows.outcome] < 0).astype(int)
        later, paid = self.discount * side.base[passed, after], side.view * s.payoff[rows.outcome, j]
        moved = later - side.base[0][state][rows.row]
        change = moved + paid
        steps = 2.0 * count + 8.0 + 2.0 * rows.blur / U
        rough = steps * rows.mean(np.abs(change)) + rows.mean(np.where(paid != 0.0, np.abs(moved), 0.0))
        rough += rows.mean(np.abs(later)) if self.discount != 1.0 else 0.0
        rough *= U * (1.0 + (4.0 * count + 32.0) * U)
        residual, ahead = rows.mean(change), self.discount * rows.mean(side.more[passed, after])
        needed = residual + rough + ahead + (2.0 * steps + 4.0) * U * np.abs(ahead)
        return side.more[0][state] > needed + 4.0 * U * (np.abs(residual) + rough + np.abs(ahead)) + TINY

    def _is_free(self, s: Steps, rows: Rows, side: Side, j: int, which: np.ndarray) -> np.ndarray:
        """bool[which]: base + more is at least payoff + base + more of the next state whatever comes about, and not negative on average."""
        here, after, passed = s.low + rows.state, s.next[rows.outcome], (s.sign[rows.outcome] < 0).astype(int)
        free = np.ones(len(rows.state), bool)
        for k in np.flatnonzero(np.isin(rows.row, which)):
            r, o = rows.row[k], rows.outcome[k]
            next_ = side.base[passed[k], after[k]], side.more[passed[k], after[k]]
            free[r] &= math.fsum((side.view * s.payoff[o, j], *next_, -side.base[0][here[r]], -side.more[0][here[r]])) <= 0.0
        base, more, drift = side.base[0][here], side.more[0][here], side.drift[0][here]
        gain = side.drift[passed, after] - drift[rows.row]
        count, drifts = np.bincount(rows.row, minlength=len(here)), rows.mean(np.abs(gain) + np.abs(drift[rows.row])) > 0.0
        bound = rows.mean(gain) + ((2.0 * count + 16.0) * U + 2.0 * rows.blur) * rows.mean(np.abs(gain)) + TINY
        return (free & np.where(drifts, bound + 4.0 * U * (np.abs(base) + np.abs(more)) <= base + more, base >= -more))[which]

    def _rows(self, s: Steps, view: int, j: int) -> Rows:
        """All rows of the player whose side it is, those of the other's policy; of payoffs but the first, those of both policies."""
        count, outcomes = np.diff(s.row_of), np.diff(s.outcome_of)
        row, state = np.repeat(np.arange(len(outcomes)), outcomes), np.repeat(np.arange(len(count)), count)
        if self.both:
            return self._mixed_rows(s, view, j, row, state)
        policy = self.policy[s.low : s.low + len(count)]
        fits = (count == 0) | ((policy >= 0) & (policy < count))
        self.listed.require(s.low + np.arange(len(count)), fits, "the policy is no action")
        chosen = np.zeros(len(outcomes), bool)
        chosen[(s.row_of[:-1] + policy)[count > 0]] = True
        matters = chosen if j else chosen | (s.player[state] == (view < 0))
        kept = np.flatnonzero(matters[row])
        return Rows((np.cumsum(matters) - 1)[row[kept]], kept, s.ways[kept], state[matters], 0.0)

    def _mixed_rows(self, s: Steps, view: int, j: int, row: np.ndarray, state: np.ndarray) -> Rows:
        counts = s.own, np.diff(s.row_of) // np.maximum(s.own, 1)
        action = np.divmod(np.arange(len(state)) - s.row_of[:-1][state], np.maximum(counts[1], 1)[state])
        shares = [self._share(s, k, counts[k], state, action[k]) for k in (0, 1)]
        share = shares[0] * shares[1] if j else shares[1] if view > 0 else shares[0]
        mine = np.zeros(len(state), np.int64) if j else action[0] if view > 0 else action[1]
        widest = int(max(c.max(initial=1) for c in counts))
        kept = np.flatnonzero((share > 0.0)[row])
        labels, rows = np.unique((state * widest + mine)[row[kept]], return_inverse=True)
        weight = share[row[kept]] * (s.ways[kept] / np.bincount(row, s.ways, len(state))[row[kept]])
        return Rows(rows, kept, weight, labels // widest, (np.diff(s.outcome_of).max(initial=0) + 4) * U)

    def _share(self, s: Steps, side: int, counts: np.ndarray, state: np.ndarray, action: np.ndarray) -> np.ndarray:
        """float64[rows]: the weight of one player's action in each pair."""
        first, mixed, numbers = self.starts[side][s.low : s.low + len(counts)], self.mixed[side], s.low + np.arange(len(counts))
        self.listed.require(numbers, (first >= 0) & (first + counts <= len(mixed)), "the mixture has no weight for every action")
        share = mixed[first[state] + action]
        self.listed.require(s.low + state, (share == 0.0) | ((share >= SMALLEST) & (share <= LARGEST)), "a weight of the mixture is none")
        some = np.bincount(state[share > 0.0], minlength=len(counts))
        self.listed.require(numbers, (some > 0) | (counts == 0), "all weights of the mixture are 0")
        return share


def check_results(listed: Listed) -> int:
    """Theorem 2: wins, draws and losses with their distances to the end. The value of the start."""
    value, distance = (listed.certificate.array(name, "i", listed.listed)[listed.entry] for name in ("value", "distance"))
    plain = (np.abs(value) <= 1) & (distance >= -1) & (distance < NEVER) & ((value == 0) | (distance >= 0))
    listed.require(np.arange(listed.size), plain, "this is neither a win, a draw nor a loss with a number of moves to the end")
    for s in listed.batches():
        count, here = np.diff(s.row_of), slice(s.low, s.low + len(s.player))
        state = np.repeat(np.arange(len(count)), count)
        one = (np.diff(s.outcome_of) == 1) & (listed.payoffs == 1)
        listed.require(s.low + state, one, "there is chance in it")
        listed.require(s.low + state, (s.payoff == 0.0).all(axis=1), "something is paid on the way")
        got = (1 - 2 * s.player[state]) * s.sign * value[s.next]  # of the player to move
        soonest, longest, holds = np.full(len(count), NEVER), np.full(len(count), -1), np.zeros(len(count), bool)
        np.minimum.at(soonest, state[got > 0], distance[s.next][got > 0])
        np.maximum.at(longest, state[got < 0], distance[s.next][got < 0])
        holds[state[got == 0]] = True
        result = np.where(soonest < NEVER, 1, np.where(holds, 0, -1))
        needed = np.where(soonest < NEVER, soonest + 1, np.where(holds, -1, longest + 1))
        result, needed = np.where(count == 0, s.final[:, 0], (1 - 2 * s.player) * result), np.where(count == 0, 0, needed)
        right = (value[here] == result) & (distance[here] == needed)
        listed.require(s.low + np.arange(len(count)), right, "result and distance do not follow from the next states")
    return int(value[listed.first])


def check_exact(listed: Listed, discount: Fraction) -> Fraction:
    """Theorem 3: rational values. The rules are run by Python, a state at a time. The value of the start."""
    n, payoffs, rules, certificate = listed.size, listed.payoffs, listed.rules, listed.certificate
    value = certificate.fractions("values", n * payoffs)
    moves = certificate.array("moves", "f", n, payoffs, 2)
    listed.require(np.arange(n), ((moves >= 0.0) & (moves <= LARGEST)).all(axis=(1, 2)), "the number of moves is negative or none")
    both = rules.is_simultaneous
    policy = [] if both else certificate.array("policy", "i", n).tolist()
    starts = [certificate.array(name, "i", n + 1).tolist() for name in ("own_start", "other_start")] if both else []
    mixed = [certificate.fractions(name, starts[k][-1]) for k, name in enumerate(("own", "other"))] if both else []
    for number in range(n):
        state = listed.state(number)
        actions = rules.actions(state)
        if not actions and [written(x) for x in rules.payoff(state)] != value[number * payoffs : (number + 1) * payoffs]:
            raise listed.at(number, "the value is not what the end pays")
        rows = [_exact_row(listed, number, state, action) for action in actions]
        if both and rows:
            shares = [mixed[k][starts[k][number] : starts[k][number + 1]] for k in (0, 1)]
            if len(shares[0]) * len(shares[1]) != len(rows) or any(sum(x) != 1 or min(x) < 0 for x in shares):
                raise listed.at(number, "the mixtures are none")
        elif rows and not 0 <= policy[number] < len(rows):
            raise listed.at(number, "the policy is no action")
        for j, view in ((j, view) for j in range(payoffs) for view in (1, -1) if rows):
            mine = j == 0 and not both and rules.player(state) == (view < 0)
            for row in _left(rows, shares, view, j) if both else rows if mine else [rows[policy[number]]]:
                _check_row(listed, number, row, view, j, value, moves[:, j], discount)
        listed.progress("verifying", number + 1, n)
    return value[listed.first * payoffs]


def _exact_row(listed: Listed, number: int, state: State, action: Any) -> list[Outcome]:
    happening = [o for o in listed.rules.outcomes(state, action) if o.ways != 0]
    found = [(written(o.ways), tuple(map(written, o.payoff)), listed.number(o.state), o.sign) for o in happening]
    total = sum((o[0] for o in found), Fraction(0))
    if not found or any(o[0] < 0 for o in found) or any(o[2] < 0 for o in found):
        raise listed.at(number, "a next state is not listed" if found else "an action has no outcome")
    return [(ways / total, paid, after, sign) for ways, paid, after, sign in found]


def _left(rows: list[list[Outcome]], shares: list[list[Fraction]], view: int, j: int) -> list[list[Outcome]]:
    """The rows that are left to one player if the other keeps to his mixture; with other payoffs, the one if both do."""
    own, other = shares
    found: dict[int, list[Outcome]] = {}
    for number, row in enumerate(rows):
        i, k = divmod(number, len(other))
        share = own[i] * other[k] if j else other[k] if view > 0 else own[i]
        if share:
            found.setdefault(0 if j else i if view > 0 else k, []).extend((share * o[0], *o[1:]) for o in row)
    return list(found.values())


def _check_row(
    listed: Listed, number: int, row: list[Outcome], view: int, j: int, value: list[Fraction], moves: np.ndarray, discount: Fraction
) -> None:
    """That the row is worth no more than the state; and if as much, that play by such rows ends or is free."""
    payoffs, side = listed.payoffs, 0 if view > 0 else 1
    here = view * value[number * payoffs + j]
    each = [(p, view * (paid[j] + sign * discount * value[after * payoffs + j])) for p, paid, after, sign in row]
    worth = sum((p * x for p, x in each), Fraction(0))
    if worth > here:
        raise listed.at(number, f"an action is worth {'more' if view > 0 else 'less'} than the value" + (" of the policy" if j else ""))
    if worth < here or discount < 1:
        return
    ahead = [float(moves[after, side if sign > 0 else 1 - side]) for _, _, after, sign in row]
    mean = math.fsum(float(p) * m for (p, _), m in zip(each, ahead, strict=True)) * (1.0 + 16.0 * U)
    is_free = here >= 0 and all(x == here for _, x in each) and max(ahead) <= moves[number, side]
    if not is_free and not moves[number, side] >= (1.0 + mean) * (1.0 + 4.0 * U):
        raise listed.at(number, "play can go round for ever among actions that are worth the value, and that it ends is not shown")


def check_strategies(certificate: Certificate, game: Any) -> tuple[Fraction, Fraction]:
    """Theorem 4: mixed strategies of a matrix game, and what they guarantee. `game` is None where the matrix is in the certificate."""
    sides = [[tuples(s) for s in side] for side in certificate.header["strategies"]]
    low, high, *shares = certificate.fractions("fractions", 2 + len(sides[0]) + len(sides[1]))
    mixtures = [dict(zip(sides[0], shares, strict=False)), dict(zip(sides[1], shares[len(sides[0]) :], strict=True))]
    for mixture, side, word in zip(mixtures, sides, ("row", "column"), strict=True):
        if len(mixture) != len(side) or sum(mixture.values()) != 1 or min(mixture.values()) < 0:
            raise Refused(f"the {word} player's probabilities are negative, do not sum to 1, or name a strategy twice")
    if game is None:
        table = [[Fraction(x) for x in row] for row in certificate.header["matrix"]]
        if any(len(row) != len(table[0]) for row in table):
            raise Refused("the rows of the matrix are not all of one length")
        rows, columns, pays = range(len(table)), range(len(table[0])), lambda row, column: table[row][column]
    else:
        rows, columns = _replies(game, "row", mixtures[1]), _replies(game, "column", mixtures[0])  # type: ignore[assignment]
        unit = written(game.unit()) if hasattr(game, "unit") else Fraction(1)
        pays = lambda row, column: unit * written(game.payoff(row, column))  # noqa: E731
    for row in rows:
        if sum((q * pays(row, column) for column, q in mixtures[1].items()), Fraction(0)) > high:
            raise Refused(f"row {row!r} gets more than {high} against the column player's mixture")
    for column in columns:
        if sum((p * pays(row, column) for row, p in mixtures[0].items()), Fraction(0)) < low:
            raise Refused(f"column {column!r} pays less than {low} against the row player's mixture")
    return low, high


def _replies(game: Any, word: str, mixture: Mapping[Any, Fraction]) -> Sequence[Any]:
    """The strategies that are compared: the game's best response to a mixture, or all that it lists if it has no such method."""
    if not hasattr(game, f"best_{word}"):
        return list(getattr(game, f"{word}s")())
    scale = math.lcm(*(p.denominator for p in mixture.values()))
    found = getattr(game, f"best_{word}")({s: int(p * scale) for s, p in mixture.items() if p})
    return found if isinstance(found, list) else [found]


def check_information_sets(certificate: Certificate, game: Any, progress: Progress) -> tuple[Fraction, Fraction, int]:
    """Theorem 5: behaviour strategies in a game whose players do not see everything, and what they guarantee. Also how many pairs of a
    state and of what the replying player has chosen were gone through."""
    starts = [certificate.array(f"{name}_start", "i", -1) for name in ("own", "other")]
    low, high, *shares = certificate.fractions("fractions", 2 + sum(int(start[-1]) for start in starts))
    rules, strategies, begin = Rules(game), [], 0
    for start, name in zip(starts, ("own", "other"), strict=True):
        sees_start, sees = certificate.array(f"{name}_sees_start", "i", len(start)), certificate.array(f"{name}_sees", "i", -1)
        strategy = {}
        for k in range(len(start) - 1):
            seen, mixture = tuple(sees[sees_start[k] : sees_start[k + 1]].tolist()), shares[begin + start[k] : begin + start[k + 1]]
            if seen in strategy or not mixture or sum(mixture) != 1 or min(mixture) < 0:
                raise Refused(f"where a player sees {seen} his probabilities are negative, do not sum to 1, or are given twice")
            strategy[seen] = mixture
        strategies.append(strategy)
        begin += int(start[-1])
    least, gone = _best_reply(rules, strategies[0], 1, progress)
    most, more = _best_reply(rules, strategies[1], 0, progress)
    if least < low:
        raise Refused(f"against the best response player 0 gets {float(least)!r} with his strategy, and not {float(low)!r}")
    if most > high:
        raise Refused(f"against the best response player 1 pays {float(most)!r} with his strategy, and not {float(high)!r}")
    return low, high, gone + more


def _best_reply(rules: Rules, strategy: Mapping[Any, list[Fraction]], replying: int, progress: Progress) -> tuple[Fraction, int]:
    """What player 0 gets if `replying` replies best to a strategy of the other one, and remembers what he chose. All plays go on at once;
    a *line* is what he has chosen so far, from 0, where he has chosen nothing."""
    best = max if replying == 0 else min
    play: dict[tuple[State, int], Fraction] = {(rules.start, 0): Fraction(1)}
    worth, choices = [Fraction(0)], {}  # by line; by line and what he sees: the first line that goes on from there, and his actions
    mixes: dict[Any, list[Any]] = {}  # by what the other one sees: the actions that his probabilities belong to
    gone = 0
    for moves in range(LONGEST):
        after: dict[tuple[State, int], Fraction] = {}
        for (state, line), chance in play.items():
            gone += 1
            actions = rules.actions(state)
            if not actions:
                worth[line] += chance * written(rules.payoff(state)[0])
                continue
            sides = rules.choices(state) if rules.is_simultaneous else (actions, actions)
            chooses = [len(sides[q]) > 1 and (rules.is_simultaneous or rules.player(state) == q) for q in range(2)]
            first = -1
            if chooses[replying]:
                key = line, rules.seen(state, replying)
                if key not in choices:
                    choices[key] = len(worth), sides[replying]
                    worth += [Fraction(0)] * len(sides[replying])
                first, meant = choices[key]
                if meant != sides[replying]:
                    raise Refused(f"at {rules.in_line(state)} player {replying} has other actions than where he sees the same")
            mixture = None
            if chooses[1 - replying]:
                seen = rules.seen(state, 1 - replying)
                mixture, meant = strategy.get(seen), mixes.setdefault(seen, sides[1 - replying])
                if mixture is None or meant != sides[1 - replying] or len(mixture) != len(meant):
                    raise Refused(f"at {rules.in_line(state)} player {1 - replying} has no probabilities for his actions")
            for number, action in enumerate(actions):
                own, other = number, number
                if rules.is_simultaneous:
                    own, other = divmod(number, len(sides[1]))[:: 1 if replying == 0 else -1]
                share = chance if mixture is None else chance * mixture[other]
                if not share:
                    continue
                goes_on = line if first < 0 else first + own
                outcomes = [o for o in rules.outcomes(state, action) if o.ways]
                total = sum((written(o.ways) for o in outcomes), Fraction(0))
                for o in outcomes:
                    part = share if len(outcomes) == 1 else share * written(o.ways) / total
                    if o.sign != 1:
                        raise Refused(f"at {rules.in_line(state)} the rules use PASS, which does not go together with `sees`")
                    if o.payoff[0]:
                        worth[goes_on] += part * written(o.payoff[0])
                    place = o.state, goes_on
                    after[place] = after[place] + part if place in after else part
        progress("following all plays", moves, None)
        play = after
        if not play:
            break
    else:
        raise Refused(f"after {LONGEST:,} moves play has not come to an end")
    for (line, _), (first, actions) in reversed(choices.items()):
        worth[line] += best(worth[first : first + len(actions)])
    return worth[0], gone


def verify(certificate: Certificate, game: Any, interpreted: bool | None = None, progress: Progress = silent) -> Verdict:
    """Check a certificate. `game` : None for a matrix. Raises `FileError` for one that can't be understood, `OutOfReach`."""
    header, assumes = certificate.header, tuple(name for name in ASSUMED if hasattr(game, name))
    name = "a matrix" if game is None else f"{type(game).__name__}({', '.join(f'{n}={v!r}' for n, v in game._asdict().items())})"
    kind, states, how, fault, low, high = str(header.get("kind")), 0, "run by Python", None, None, None  # type: str, int, str, Any, Any, Any
    try:
        if kind == "strategies":
            low, high = check_strategies(certificate, game)
        elif kind == "information sets":
            low, high, states = check_information_sets(certificate, game, progress)
        else:
            discount = float(header["discount"])
            if kind not in ("bounds", "results", "exact") or not 0.0 < discount <= 1.0 or (kind == "results" and discount < 1.0):
                raise FileError(f"{certificate.path}: no certificates of the kind {kind!r} with the discount {discount} are known")
            listed = Listed(certificate, game, True if kind == "exact" else interpreted, progress)
            states, how = listed.size, listed.how
            assumes = tuple(name for name in assumes if name != "symmetries" or listed.folded)
            if kind == "bounds":
                low, high = Bounds(listed, discount).check()
            else:
                low = high = check_results(listed) if kind == "results" else check_exact(listed, written(discount))
    except Refused as refusal:
        fault = str(refusal)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ZeroDivisionError, OverflowError) as error:
        raise FileError(f"{certificate.path} can't be understood ({type(error).__name__}: {error}): write it again") from None
    return Verdict(fault is None, fault, kind, name, low, high, states, how, assumes)

"""A part of a table whose positions are distributed over machines: codes of the positions that one machine owns (kernels/status.py), and
for each undecided one how many of its next positions are not yet won for the opponent.

Positions are dealt in units: unit u of `unit` numbers belongs to the owner u % parts, who keeps it as its own unit u // parts. Within a
part positions have places, 0, 1, 2, ...
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.status import DRAWN, FIRST, NEW, UNSEEN
from zermelo.kernels.verify_results import NEVER, implied


@kernel
def by_owner(
    numbers: np.ndarray, unit: int, owner: np.ndarray, first: np.ndarray, begins: np.ndarray, places: np.ndarray, order: np.ndarray
) -> None:
    """Sort numbers by their owners: `places` uint32[n] or int64[n] within their parts, those of owner k from begins[k] to begins[k + 1];
    `order` int64[n], the index at which each is written, or int64[0] if that is not asked for.

    owner, first : int64[units], whose each unit is, and its first place there."""
    shift = 0
    while 1 << shift < unit:
        shift += 1
    if 1 << shift != unit:
        shift = -1
    begins[:] = 0
    for i in range(len(numbers)):
        begins[owner[numbers[i] >> shift if shift >= 0 else numbers[i] // unit] + 1] += 1
    for k in range(len(begins) - 1):
        begins[k + 1] += begins[k]
    fill, asked = begins[:-1].copy(), len(order) > 0
    for i in range(len(numbers)):
        which = numbers[i] >> shift if shift >= 0 else numbers[i] // unit  # a division takes longer than all else here
        at = fill[owner[which]]
        if asked:
            order[i] = at
        places[at] = first[which] + numbers[i] - which * unit
        fill[owner[which]] = at + 1


BLOCK = 64  # codes that are looked at together


@inner
def occurs(block: np.ndarray, code: int, other: int) -> bool:
    """Whether one of two codes is among these. There is no early end: so the compiler compares many at once."""
    found = np.uint8(0)
    for one in block:
        found |= np.uint8(one == code) | np.uint8(one == other)
    return found != 0


@kernel
def collect(codes: np.ndarray, code: int, other: int, begin: int, found: np.ndarray) -> tuple[int, int]:
    """The places from `begin` on that have one of these codes, until `found` is full: how many, and where to go on."""
    k = 0
    for low in range(begin, len(codes), BLOCK):
        block = codes[low : low + BLOCK]
        if occurs(block, code, other):
            for i in range(len(block)):
                if block[i] == code or block[i] == other:
                    if k == len(found):
                        return k, low + i
                    found[k] = low + i
                    k += 1
    return k, len(codes)


@kernel
def collect_seen(codes: np.ndarray, begin: int, found: np.ndarray) -> tuple[int, int]:
    """The same for places with any code but UNSEEN."""
    k = 0
    for i in range(begin, len(codes)):
        if codes[i] != UNSEEN:
            if k == len(found):
                return k, i
            found[k] = i
            k += 1
    return k, len(codes)


@kernel
def numbers_of(places: np.ndarray, unit: int, parts: int, part: int, numbers: np.ndarray) -> None:
    """Write to `numbers` int64[n] what positions the places of a part are."""
    shift = 0
    while 1 << shift < unit:
        shift += 1
    for i in range(len(places)):
        place = np.int64(places[i])
        which = place >> shift if 1 << shift == unit else place // unit  # a division takes longer than all else here
        numbers[i] = (which * parts + part) * unit + place - which * unit


@kernel
def examined(codes: np.ndarray, places: np.ndarray, open_moves: np.ndarray) -> tuple[int, int, int]:
    """Decide what is won or lost in 1 move, given how many next positions are not won for the opponent (-1: one is lost for them). How many
    are won, and lost, and the largest of these numbers."""
    won, lost, most = 0, 0, 0
    for i in range(len(places)):
        code = DRAWN
        if open_moves[i] < 0:
            code = FIRST + 1
            won += 1
        elif open_moves[i] == 0:
            code = -FIRST - 1
            lost += 1
        codes[places[i]] = code
        most = max(most, open_moves[i])
    return won, lost, most


@kernel
def keep_open(left: np.ndarray, places: np.ndarray, open_moves: np.ndarray) -> None:
    """Note for each place how many next positions are not won for the opponent."""
    for i in range(len(places)):
        left[places[i]] = max(open_moves[i], 0)


@kernel
def reach(codes: np.ndarray, places: np.ndarray, new: np.ndarray) -> int:
    """Mark as NEW what was not seen before; these places are written to `new`. How many."""
    k = 0
    for i in range(len(places)):
        if codes[places[i]] == UNSEEN:
            codes[places[i]] = NEW
            new[k] = places[i]
            k += 1
    return k


@kernel
def win(codes: np.ndarray, places: np.ndarray, moves: int) -> int:
    """A move leads from these places to a position that the opponent has lost: what is undecided is won. How many are."""
    won = 0
    for i in range(len(places)):
        if codes[places[i]] == DRAWN:
            codes[places[i]] = FIRST + moves
            won += 1
    return won


@kernel
def lose(codes: np.ndarray, left: np.ndarray, places: np.ndarray, moves: int) -> int:
    """One of the next positions of each of these places is won for the opponent: where that was the last one it is lost. How many are."""
    lost = 0
    for i in range(len(places)):
        at = places[i]
        if codes[at] == DRAWN:
            left[at] -= 1
            if left[at] == 0:
                codes[at] = -FIRST - moves
                lost += 1
    return lost


@kernel
def decide(
    codes: np.ndarray, left: np.ndarray, places: np.ndarray, begins: np.ndarray, after: np.ndarray, flags: np.ndarray, moves: int
) -> tuple[int, int]:
    """Decide in `moves` moves what follows from the codes `after` of the next positions; how many are won, and lost.

    left : where it is noted, of what stays undecided, how many next positions are not won for the opponent in fewer moves; or empty."""
    won, lost = 0, 0
    for i in range(len(places)):
        wins, open_moves = False, 0
        for k in range(begins[i], begins[i + 1]):
            code = np.int64(after[k])
            away = abs(code) - FIRST
            if away < 0 or away >= moves:
                open_moves += 1
            elif (code > 0) != (flags[k] & (2 if away == 0 else 1) != 0):
                wins = True
        if wins:
            codes[places[i]] = FIRST + moves
            won += 1
        elif open_moves == 0:
            codes[places[i]] = -FIRST - moves
            lost += 1
        elif len(left) > 0:
            left[places[i]] = open_moves
    return won, lost


@kernel
def first_different(
    codes: np.ndarray, begins: np.ndarray, after: np.ndarray, flags: np.ndarray, ends: np.ndarray
) -> int:
    """The first position whose code does not follow from those of its next positions; -1 if there is none. `ends` : what the code is if
    play is over there."""
    for i in range(len(codes)):
        soonest, longest, holds = np.int64(NEVER), np.int64(-1), False
        for k in range(begins[i], begins[i + 1]):
            code = np.int64(after[k])
            if code == UNSEEN:
                return i
            if abs(code) == DRAWN:  # or FINAL_DRAW
                holds = True
                continue
            away = abs(code) - FIRST
            if (code > 0) == (flags[k] & (2 if away == 0 else 1) != 0):
                longest = max(longest, away)
            else:
                soonest = min(soonest, away)
        if begins[i] == begins[i + 1]:
            expected = np.int64(ends[i])
        else:
            result, distance = implied(soonest, holds, longest)
            expected = np.int64(result * (FIRST + distance) if result != 0 else DRAWN)
        if np.int64(codes[i]) != expected:
            return i
    return -1

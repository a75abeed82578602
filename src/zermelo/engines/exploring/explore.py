"""From the rules of a game to its reachable states, numbered in component order.

`explore(rules)` chooses a layout, the states to begin with, and whether Python runs the rules: it does so for a moment, and they are
compiled if there is more to do. If the compiler refuses them, Python goes on.
"""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Any

import numpy as np

from zermelo.basics import ahead, machine
from zermelo.basics.notices import notify
from zermelo.basics.progress import Progress, silent
from zermelo.basics.threads import crew, threads
from zermelo.engines.base import MOST_EXPLORED
from zermelo.engines.exploring.agreement import check_agreement
from zermelo.engines.exploring.explored import SHARED, Explored
from zermelo.engines.exploring.search import Search
from zermelo.engines.faults import check_declared, holding
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels.kernel import Allowance, OutOfTime, forced
from zermelo.language.rules import Rules
from zermelo.link import (
    LONG,
    InterpretedRules,
    NativeRules,
    RulesRefused,
    allowance,
    count_in_python,
    in_python_alone,
    is_outgrown,
    most_patience,
    patience,
    remember_found,
    remember_outgrown,
    seconds_in_python,
    seconds_to_compile,
    was_found,
    why_not_written,
    why_too_long,
)
from zermelo.states.keys import word_of
from zermelo.states.layout import Layout, declared_ranges, flatten
from zermelo.states.positions import TOGETHER, check_all_held, check_held, outside
from zermelo.states.quotient import smallest_key

MOST_ROOTS = 10_000  # the most initial states for interpreted rules
MOST_LISTED = 1_000_000  # the most states of a box that are listed where nothing is solved, as symmetries may leave so few of them
ROOT_BYTES = 24  # for each state of a declared box, before the search begins
A_MOMENT = 0.1  # seconds after which Python asks whether it will find all states in time
SURE = 1.5  # times the seconds that a search seems to need until its end
A_LITTLE = 0.6  # seconds for which Python may go on to end it, or as long as it has taken, if that is more
ENOUGH = 1.0  # seconds that a process spends interpreting rules that it uses repeatedly; then they are compiled (long ones later)


def explore(
    rules: Rules, sample: list[Any], max_states: int = MOST_EXPLORED, progress: Progress = silent, kind: str | None = None
) -> Explored:
    """All states reachable from the start (or from any state of the game's `space`), numbered in component order; compiled rules have
    been compared with the interpreted ones. `kind` : of `zermelo warm`, whose other kernels another process may compile in the meantime."""
    check_box(rules, max_states)
    known = [*sample, rules.start, *_corners(rules)]
    layout = Layout.tight(known)
    check_declared(rules, layout, known)
    check_held(rules, known)
    layout, roots = _roots(rules, layout)
    spent = seconds_in_python(rules)
    is_known = forced() is None and spent >= ENOUGH and spent >= seconds_to_compile(rules)
    allowed = Allowance(0.0) if is_known else for_python(rules, layout)
    if kind is not None and LONG <= allowed.seconds < math.inf:
        rest = allowed.seconds - A_MOMENT
        allowed = Allowance(A_MOMENT, lambda: _helped(search, kind, rest))
    if allowed.seconds and len(roots) <= MOST_ROOTS:
        search = Search(rules, layout, InterpretedRules(rules, layout, allowed), roots, max_states, progress)
        allowed.more.append(lambda: _a_little_more(search, allowed.seconds))
        try:
            _run_counted(search)
        except OutOfTime:
            if allowed.seconds >= LONG:  # otherwise another process would load the machine code more slowly than Python explores
                remember_outgrown(rules)
            layout, roots = _roots(rules, search.layout)
        else:
            if search.has_help:
                remember_found(rules)
            return _numbered(search)
    if _is_too_long(rules):
        search = Search(rules, layout, InterpretedRules(rules, layout, Allowance(math.inf)), roots, max_states, progress)
        search.run()
        return _numbered(search)
    if kind is not None:
        ahead.begin(kind)
    try:
        search = Search(rules, layout, NativeRules(rules, layout), roots, max_states, progress)
        search.run()
    except RulesRefused as why:
        with in_python_alone(rules, why) as allowed:
            search = Search(rules, layout, InterpretedRules(rules, layout, allowed), roots, max_states, progress)
            search.run()
    return _numbered(search)


def check_box(rules: Rules, max_states: int | None = None) -> int:
    """The number of states in the box that `space` declares, 0 without one. Raises `OutOfReach` if they are too many, for memory, too."""
    box, most = _box(rules), max_states or MOST_EXPLORED
    size = 0 if box is None else math.prod(1 + (r[-1] - r[0]) // r.step for r in _ranges(box))  # (`len` is for 64 bits)
    if size > most:
        raise OutOfReach(f"the `space` of {rules.name} has {size:,} states, more than {most:,} (max_states)")
    machine.require(ROOT_BYTES * size, f"the `space` of {rules.name} with {size:,} states")
    return size


def for_python(rules: Rules, layout: Layout) -> Allowance:
    """The time for which Python may explore: none if it took too long for this game before."""
    return Allowance(0.0) if forced() is None and is_outgrown(rules) else allowance(rules, layout)


def _helped(search: Search, kind: str, seconds: float) -> float:
    """The seconds for which Python goes on searching. If it is going to need more, another process compiles meanwhile, unless Python found
    all states of the game before: what it compiles is lost when this process ends."""
    if search.seconds_left(A_MOMENT) > seconds and not was_found(search.rules):
        search.has_help = True
        ahead.begin(kind)
    return seconds


def _a_little_more(search: Search, spent: float) -> float:
    """The seconds for which Python may go on when its time is over: enough to end a search that seems to be nearly done, where rules would
    have to be compiled; else none."""
    more = SURE * search.seconds_left(spent)
    return more if spent >= LONG and more <= max(A_LITTLE, spent) else 0.0


def _is_too_long(rules: Rules) -> bool:
    """Whether Python runs the rules no matter how long it takes, with a notice."""
    if forced() is not None or not (why := why_too_long(rules)):
        return False
    notify(f"{rules.name} is not compiled, so that it is slow: {why}")
    return True


def _run_counted(search: Search) -> None:
    """Search to the end, and add up how long Python has run these rules, with any parameters."""
    began = time.thread_time()
    try:
        search.run()
    finally:
        count_in_python(search.rules, time.thread_time() - began)


def _numbered(search: Search) -> Explored:
    """The states that were found, numbered in component order. None lies outside the declared ranges or `space`, and if the rules were
    compiled, they have been compared with the interpreted ones, while another thread put the states in order. Raises `RulesError`."""
    found = search.found()
    check_declared(search.rules, search.layout, _extremes(found))
    check_all_held(search.rules, search.layout, found.keys)
    _check_in_box(search.rules, search.layout, found.keys)
    if search.is_interpreted or found.num_states < SHARED or threads() == 1:
        check_agreement(found)
        return search.result(search.order())
    with crew(1) as pool:
        order = pool.submit(search.order)
        check_agreement(found)
        return search.result(order.result())


def _extremes(explored: Explored) -> list[Any]:
    """States that have the smallest and the largest number of every slot whose range is declared."""
    layout = explored.layout
    declared = declared_ranges(layout.state_class, layout.lengths)
    if not any(declared):
        return []
    columns = (layout.column(explored.keys, slot) for slot, d in enumerate(declared) if d is not None)
    numbers = {int(f(column)) for column in columns for f in (np.argmin, np.argmax)}
    return [layout.unpack(explored.keys[k]) for k in sorted(numbers)]


def compile_rules(rules: Rules, sample: list[Any]) -> None:
    """Compile the rules, and explore one state with them. Raises `RulesError`."""
    layout = Layout.of([*sample, rules.start])
    roots = layout.array([layout.pack(rules.start)])
    Search(rules, layout, NativeRules(rules, layout), roots, 1, silent).step(1)


def try_rules(rules: Rules, sample: list[Any], max_states: int | None = None) -> bool:
    """Start like `explore`: Python explores for a moment; if there is more to do, the rules are compiled. Returns whether they were. Raises
    `RulesError`, and `OutOfReach` where `explore` would before it begins."""
    is_listed = check_box(rules, max_states) <= MOST_LISTED
    layout = Layout.tight([*sample, rules.start, *_corners(rules)])
    layout, roots = _roots(rules, layout) if is_listed else (layout, np.zeros(0))
    if is_listed and len(roots) <= MOST_ROOTS:
        interpreted = InterpretedRules(rules, layout, Allowance(min(patience(rules, layout), most_patience(rules))))
        with suppress(OutOfTime):
            Search(rules, layout, interpreted, roots, MOST_EXPLORED, silent).run()
            write_rules(rules, layout)
            return False
    if _is_too_long(rules):
        return False
    compile_rules(rules, sample)
    return True


def write_rules(rules: Rules, layout: Layout) -> None:
    """Write these rules for the compiler, as they would be compiled if the game were larger. Raises `RulesError`."""
    fault = "" if _is_too_long(rules) else why_not_written(rules, layout)
    if fault:
        raise RulesError(rules.name, [fault])


def _box(rules: Rules) -> Any:
    """The box that `space` declares: a state whose fields are ranges (or tuples of ranges); None without `space`, or for a ranked space."""
    is_box = hasattr(rules.game, "space") and not rules.is_staged and rules.ranked is None
    return rules.game.space() if is_box else None


def _ranges(box: Any) -> list[Any]:
    """The range of every number in a state."""
    return flatten(box)


def _check_in_box(rules: Rules, layout: Layout, keys: np.ndarray) -> None:
    """Raise `RulesError` if the declared box does not hold one of these states, which are all reached. (Where one state stands for all that
    are symmetric, it may be another one that is reached: only the sample is compared then.)"""
    box = None if rules.folded else _box(rules)
    for at in range(0, len(keys) if box else 0, TOGETHER):
        some = keys[at : at + TOGETHER]
        for slot, values in enumerate(_ranges(box)):
            column, ends = layout.column(some, slot), (values[0], values[-1])  # (`min` would go through the range)
            is_held = (column >= min(ends)) & (column <= max(ends))
            if abs(values.step) != 1:
                is_held &= (column - values.start) % values.step == 0
            if not is_held.all():
                raise outside(rules, layout.unpack(some[int(np.argmin(is_held))]))


def _corners(rules: Rules) -> list[Any]:
    """The smallest and the largest state of the declared box."""
    box = _box(rules)
    if box is None:
        return []

    def corner(end: Any) -> Any:  # of two numbers: to go through a range takes time where it is long
        fields = (tuple(end(r[0], r[-1]) for r in field) if isinstance(field, tuple) else end(field[0], field[-1]) for field in box)
        return type(box)(*fields)

    return [corner(min), corner(max)]


def _roots(rules: Rules, layout: Layout) -> tuple[Layout, np.ndarray]:
    """Keys of the initial states, namely the start and every state of the declared box; and the layout, wide enough for them."""
    start = layout.array([layout.pack(rules.start)])
    box = _box(rules)
    keys = start[: box is not None] * 0
    for slot, values in enumerate(_ranges(box) if box else ()):
        count, own = len(keys), np.array(values, dtype=np.int64) - layout.low[slot]
        keys = np.repeat(keys, len(own), axis=0)
        word = word_of(keys, layout.words[slot])
        word |= np.tile(own << layout.shifts[slot], count)
    keys = np.concatenate([start, keys])
    if not rules.folded:
        return layout, keys
    wider, states = layout, layout.unpack_many(keys)
    for state in states:
        for other in rules.same_as(state):
            wider = holding(rules, wider, state, other)
    if wider is not layout:
        return _roots(rules, wider)
    return layout, layout.array(sorted({smallest_key(rules, layout, state) for state in states}))

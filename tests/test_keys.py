"""Keys: numbers that never change take no bits, and declared ranges are used as they are."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import pytest

import zermelo
from zermelo.errors import RulesError
from zermelo.states.layout import Layout


class Plain(NamedTuple):
    big: int
    at: int
    pair: tuple[int, int]


class Walk(NamedTuple):
    """From 0 up to `n` by steps of 1 or 2, beside numbers that never change."""

    n: int = 20

    def start(self):
        return Plain(1 << 40, 0, (7, -(1 << 30)))

    def outcomes(self, s):
        if s.at < self.n:
            for step in (1, 2):
                yield 1, 0, s._replace(at=s.at + step)

    def payoff(self, s):
        return s.at


def test_what_never_changes_takes_no_bits():
    solution = zermelo.solve(Walk())
    layout = solution.space.layout
    assert layout.bits == (0, layout.bits[1], 0, 0)
    assert layout.low[0] == 1 << 40 and layout.low[3] == -(1 << 30)
    assert 20 <= solution.value <= 21
    assert [s.at for s in solution.space] == list(range(22))


class Late(NamedTuple):
    """A number that starts to change far from the start, in either direction."""

    down: bool

    def start(self):
        return Plain(0, 100, (5, 5))

    def outcomes(self, s):
        if s.big < 100:
            yield 1, 0, s._replace(big=s.big + 1)
        elif 0 < s.at < 300:
            yield 1, 0, s._replace(at=s.at - 1 if self.down else s.at + 1)

    def payoff(self, s):
        return s.at


@pytest.mark.parametrize(("down", "end"), [(True, 0), (False, 300)])
def test_what_changes_late_is_given_bits(down, end):
    solution = zermelo.solve(Late(down))
    assert solution.value == end
    assert len(solution.space) == 101 + abs(end - 100)


class Declared(NamedTuple):
    x: Annotated[int, "where one is", range(-3, 6)]
    y: Annotated[tuple[int, int], range(4)]
    z: int


class Inside(NamedTuple):
    top: int = 5

    def start(self):
        return Declared(-3, (0, 3), 0)

    def outcomes(self, s):
        if s.x < self.top:
            yield 1, 0, s._replace(x=s.x + 1)

    def payoff(self, s):
        return s.x


def test_declared_ranges_are_used_as_they_are():
    layout = zermelo.solve(Inside()).space.layout
    assert layout.low == (-3, 0, 0, 0)
    assert layout.bits == (4, 2, 2, 0)


@pytest.mark.parametrize("top", [6, 7, 30, 300])
def test_a_state_outside_of_its_declared_range_is_a_fault(top):
    """6 to 12 fit into the bits of the range, and are told all the same."""
    with pytest.raises(RulesError, match="x is .*, but the state class declares it from -3 to 5"):
        zermelo.solve(Inside(top))


@pytest.mark.parametrize("ask", [zermelo.check, zermelo.solve, zermelo.plan])
def test_a_state_that_an_outcome_leaves_outside_of_its_range_is_found_by_check_and_solve(ask):
    with pytest.raises(RulesError) as told:
        ask(Inside(7))
    (fault,) = told.value.faults
    assert fault.startswith("the next state at Declared(x=5, y=(0, 3), z=0) is Declared(x=6, y=(0, 3), z=0): x is 6, but the state class")
    assert "declares it from -3 to 5: widen the range or correct the rule (test_keys.py line" in fault


def leaves(self, s):
    if s.x < 0:
        yield 0, 0, s._replace(y=(9, 9))  # can't happen
        yield 1, 0, s._replace(x=s.x + 1, y=(4, 0))


def mirrored(self, s):
    yield s._replace(y=(s.y[0], 7 - s.y[1]))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"start": lambda self: Declared(9, (0, 3), 0)}, "the start is Declared(x=9, y=(0, 3), z=0): x is 9, but"),
        ({"outcomes": leaves}, "the next state at Declared(x=-3, y=(0, 3), z=0) is Declared(x=-2, y=(4, 0), z=0): y[0] is 4, but"),
        ({"symmetries": mirrored}, "a position that `symmetries` yields at Declared(x=-3, y=(0, 3), z=0) is Declared(x=-3, y=(0, 4)"),
    ],
)
def test_starts_tuples_and_symmetric_positions_outside_of_a_range_are_found(changes, said):
    for ask in (zermelo.check, zermelo.solve):
        with pytest.raises(RulesError) as told:
            ask(type("Changed", (Inside,), changes)())
        assert told.value.faults[0].startswith(said)


def test_widening_from_nothing():
    layout = Layout.tight([Plain(5, -2, (0, 0))])
    assert layout.bits == (0, 0, 0, 0)
    up, down = layout.widened(0, 9), layout.widened(1, -9)
    assert (up.low[0], up.bits[0], down.low[1], down.bits[1]) == (5, 3, -9, 3)
    for wider, big, at in ((up, 9, -2), (up, 5, -2), (down, 5, -9), (down, 5, -2)):
        state = Plain(big, at, (0, 0))
        assert wider.unpack(wider.pack(state)) == state


def test_room_for_twice_as_many_numbers_where_keys_may_have_so_many_bits():
    layout = Layout.of([Plain(5, -2, (0, 0)), Plain(6, 1, (3, 0))])
    more = layout.roomier(sum(layout.bits) + 4)
    assert more.low == layout.low and more.bits == tuple(bits + 1 for bits in layout.bits)
    assert layout.roomier(sum(layout.bits) + 3) is layout


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("together", [1, 3, 100])
def test_keys_move_to_a_wider_layout_some_at_a_time(words, together, monkeypatch):
    monkeypatch.setattr("zermelo.states.layout.TOGETHER", together)
    states = [Plain(big - 5, at, (7, -at)) for big in range(2) for at in range(5)]
    narrow = Layout.of(states)
    wide = Layout.of([*states, Plain(1 << (40 if words == 1 else 61), -3, (1 << 9, 0))])
    assert wide.num_words == words
    moved = narrow.moved(narrow.array(map(narrow.pack, states)), wide)
    assert moved.tolist() == wide.array(map(wide.pack, states)).tolist() and wide.unpack_many(moved) == states
    assert [narrow.column(narrow.array(map(narrow.pack, states)), slot).tolist() for slot in range(4)] == [
        [s.big for s in states], [s.at for s in states], [7] * 10, [-s.at for s in states],
    ]  # fmt: skip
    assert len(narrow.moved(narrow.array([]), wide)) == 0

"""Games with `symmetries` of which one state of an orbit is stored: what is said of the others, in which actions may be named otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import zermelo
from limits import FEW_STORED, lowered


class At(NamedTuple):
    place: int
    side: int


class Waiting(NamedTuple):
    """Waiting is worth as much as ending play, as play may be ended later. The other side names the actions otherwise."""

    prize: int = 3
    by_chance: bool = False

    def start(self) -> At:
        return At(0, 1)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield 2 * s.side
            yield 2 * s.side + 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[float, int, At]]:
        ways = (0.1, 0.2, 0.3) if s.side == 0 else (0.3, 0.2, 0.1)  # these sums differ as floats
        for k in range(3):
            side = 1 - s.side if self.by_chance and k == 1 else s.side
            yield ways[k], 0, At(0 if action % 2 == 0 else 1, side)

    def payoff(self, s: At) -> int:
        return self.prize

    def symmetries(self, s: At) -> Iterator[At]:
        yield At(s.place, 1 - s.side)


class Ties(NamedTuple):
    """Two actions that win as much and of which the by-product differs; the other side lists them the other way round."""

    payoffs = ("won", "spent")

    def start(self) -> At:
        return At(0, 1)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield s.side
            yield 1 - s.side

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, tuple[int, int], At]]:
        yield 1, (0, action), At(1, s.side)

    def payoff(self, s: At) -> tuple[int, int]:
        return 3, 0

    def symmetries(self, s: At) -> Iterator[At]:
        yield At(s.place, 1 - s.side)


@pytest.mark.parametrize("by_chance", [False, True])
@pytest.mark.parametrize("exact", [False, True])
def test_the_policy_of_an_image_does_what_was_solved(by_chance: bool, exact: bool) -> None:
    """The first action that compared best was taken: to wait, forever."""
    solution = zermelo.solve(Waiting(by_chance=by_chance), exact=exact)
    assert solution.value == pytest.approx(3) and list(solution.space) == [At(0, 0), At(1, 0)]
    assert (solution.best_action(At(0, 0)), solution.best_action(At(0, 1))) == (1, 3)
    assert solution.probe(At(0, 1)).action == 3 and solution.best_action(At(1, 1)) is None
    found = solution.evaluate(solution.policy)
    assert found.value == pytest.approx(3) and found.loss == pytest.approx(0, abs=1e-12)


def test_by_products_may_differ_where_states_are_kept_apart() -> None:
    """The rules were blamed: `symmetries` does not hold."""
    solution = zermelo.solve(Ties())
    found = solution.evaluate(lambda s: 1)
    assert found.payoffs == pytest.approx({"won": 3, "spent": 1})


class Left(NamedTuple):
    mine: int
    left: int


class Counted(NamedTuple):
    """A game in stages of which a number of moves left could be left out of the states."""

    goal: int = 4
    moves: int = 6

    def start(self) -> Left:
        return Left(0, self.moves)

    def actions(self, s: Left) -> Iterator[int]:
        if s.left > 0 and s.mine < self.goal:
            yield 1
            yield 2

    def outcomes(self, s: Left, action: int) -> Iterator[tuple[int, int, Left]]:
        yield 1, 0, Left(s.mine + action, s.left - 1)
        yield action, 0, Left(s.mine, s.left - 1)

    def payoff(self, s: Left) -> int:
        return s.mine

    def stage(self, s: Left) -> int:
        return self.moves - s.left

    def entries(self) -> Iterator[Left]:
        for mine in range(self.goal + 2):
            for left in range(1, self.moves + 1):
                yield Left(mine, left)


def test_what_is_solved_again_is_stored(in_python: Any) -> None:
    """The engine that was asked gave up, and nobody was asked after it."""
    expected = zermelo.solve(Counted(), solver=zermelo.Backward())
    with lowered(FEW_STORED, 1):
        solution = zermelo.solve(Counted())
        assert solution.report.engine == "entries"
        assert solution.values == pytest.approx(expected.values, abs=1e-12)

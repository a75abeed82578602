"""A small game for each engine, solved by that engine and by the general one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import naive_hidden
import zermelo
from limits import FEW_POSITIONS, FEW_STORED, MOST_BRIDGED, MOST_STORED, lowered
from zermelo import Backward, Cyclic
from zermelo.games import CardDraw, Dodgem, KuhnPoker, LeftCenterRight, Pig
from zermelo.kernels.kernel import only

sys.path.append(str(Path(__file__).parents[2] / "examples"))
from coin_race import CoinRace  # noqa: E402
from matches import Matches  # noqa: E402

Policy = Callable[[Any], Any]
EXACT: Mapping[str, Any] = {"exact": True}


# --- games ---------------------------------------------------------------------------------------------------------------


class Coins(NamedTuple):
    left: int
    mover: int


class TakeCoins(NamedTuple):
    """Two take coins in turn from a heap, in which now and then one more is lost. No play returns to a state."""

    coins: int = 6

    def start(self) -> Coins:
        return Coins(self.coins, 0)

    def player(self, s: Coins) -> int:
        return s.mover

    def actions(self, s: Coins) -> Iterator[int]:
        for take in range(1, min(2, s.left) + 1):  # noqa: UP028
            yield take

    def outcomes(self, s: Coins, take: int) -> Iterator[tuple[int, int, Coins]]:
        paid = take if s.mover == 0 else -take
        yield 3, paid, Coins(s.left - take, 1 - s.mover)
        yield 1, paid, Coins(max(s.left - take - 1, 0), 1 - s.mover)

    def payoff(self, s: Coins) -> int:
        return 2 * s.mover - 1  # whoever would have to move pays 1


class Spot(NamedTuple):
    at: int
    left: int  # moves


class Climb(NamedTuple):
    """Climb ten steps in a number of moves, with care or in haste."""

    moves: int = 9

    def start(self) -> Spot:
        return Spot(0, self.moves)

    def actions(self, s: Spot) -> Iterator[int]:
        if s.left > 0 and s.at < 10:
            yield 1
            yield 2

    def outcomes(self, s: Spot, stride: int) -> Iterator[tuple[int, int, Spot]]:
        yield 4 - stride, 0, s._replace(at=min(s.at + stride, 10), left=s.left - 1)
        yield stride, 0, s._replace(at=max(s.at - 1, 0), left=s.left - 1)

    def payoff(self, s: Spot) -> int:
        return s.at


class Night(NamedTuple):
    left: int
    loot: int  # that lies there


class Burglar(NamedTuple):
    """Each night a burglar goes or stays, and a guard watches, for a wage of 1, or sleeps, at the same time."""

    nights: int = 3

    def start(self) -> Night:
        return Night(self.nights, 1)

    def actions(self, s: Night) -> Iterator[int]:
        for goes in range(2 if s.left > 0 else 0):  # noqa: UP028
            yield goes

    def other_actions(self, s: Night) -> Iterator[int]:
        for watches in range(2 if s.left > 0 else 0):  # noqa: UP028
            yield watches

    def outcomes(self, s: Night, goes: int, watches: int) -> Iterator[tuple[int, int, Night]]:
        if goes and watches:
            yield 1, -2, Night(0, 0)
        else:
            paid = 1 if watches else goes * s.loot
            yield 2, paid, Night(s.left - 1, 1)
            yield 1, paid, Night(s.left - 1, 2)


MATRIX = ((0, -1, 2), (1, 0, -1), (-1, 1, 0), (0, 1, -2))


class Hidden(NamedTuple):
    """A matrix game whose rows and columns are found by best replies."""

    unit_of_payoff: int = 1

    def rows(self) -> Sequence[int]:
        return [0]

    def columns(self) -> Sequence[int]:
        return [0]

    def payoff(self, row: int, column: int) -> int:
        return MATRIX[row][column]

    def best_row(self, weights: Mapping[int, Any]) -> int:
        return max(range(len(MATRIX)), key=lambda i: sum(w * MATRIX[i][j] for j, w in weights.items()))

    def best_column(self, weights: Mapping[int, Any]) -> int:
        return min(range(len(MATRIX[0])), key=lambda j: sum(w * MATRIX[i][j] for i, w in weights.items()))


# --- policies, legal everywhere; in games in stages they are compiled ---------------------------------------------------------


def take_one(s: Any) -> int:
    return 1


def bank_at_two(s: Any) -> int:
    return 1 if s.turn >= 2 else 0


def stay(s: Any) -> int:
    return 0


def nothing(s: Any) -> None:
    """In a game of chance it is never asked."""


def first_move(s: Any) -> Any:
    return next(Dodgem(2).actions(s))


def draw_from_full_decks(s: Any) -> int:
    return 1 if s.red + s.black > 15 else 0


# --- who solves what ----------------------------------------------------------------------------------------------------------


class Twin(NamedTuple):
    column: str  # in the record
    engine: str  # in `zermelo.plan`
    game: Any
    reference: Mapping[str, Any]  # the options under which the general engine solves it
    policy: Policy = nothing
    limits: tuple[tuple[tuple[ModuleType, str], int], ...] = ()  # that are lowered, so that the engine takes so small a game
    is_large: bool = False  # and counts as too large to be solved once more with all states stored


AS_LARGE = ((FEW_POSITIONS, -1), (MOST_STORED, 0))
TWINS = (
    Twin("acyclic", "explored", TakeCoins(), EXACT, take_one),
    Twin("cyclic", "explored", Pig(5), EXACT, bank_at_two),
    Twin("won-lost", "explored", Matches(9), EXACT, take_one),
    Twin("at-once", "explored", Burglar(), EXACT, stay),
    Twin("stages", "stages", LeftCenterRight(3, 1), {"solver": Cyclic()}),
    Twin("entries", "entries", CoinRace(5), {"solver": Cyclic()}, bank_at_two),
    Twin("entries+", "entries", CoinRace(5), {"solver": Cyclic()}, bank_at_two, (), True),
    Twin("horizon", "horizon", Climb(), EXACT, take_one, ((FEW_STORED, -1),), True),
    Twin("boards", "boards", Dodgem(2), {}, first_move, AS_LARGE),
    Twin("boards+", "boards", Dodgem(2), {}, first_move, AS_LARGE, True),
    Twin("urn", "urn", CardDraw(12, 9), {"solver": Backward()}, draw_from_full_decks, AS_LARGE),
    Twin("urn+", "urn", CardDraw(12, 9), {"solver": Backward()}, draw_from_full_decks, AS_LARGE, True),
    Twin("replies", "replies", Hidden(), {}),
    Twin("matrix", "matrix_game", MATRIX, {}),
    Twin("hidden", "hidden", KuhnPoker(), {}),
)
WITHOUT_STATES = ("replies", "matrix_game", "hidden")  # engines whose answers are strategies
TWIN = {twin.column: twin for twin in TWINS}


@contextmanager
def among_its_like(twin: Twin) -> Iterator[None]:
    """The limits by which the engine takes this game, and by which it counts as large."""
    with ExitStack() as stack:
        for limit, value in (*twin.limits, *(((MOST_BRIDGED, 0),) if twin.is_large else ())):
            stack.enter_context(lowered(limit, value))
        if twin.engine == "horizon":  # whose games, counted as large, are compiled at once
            stack.enter_context(only("interpreted"))
        yield


@cache
def solved(column: str) -> Any:
    """The twin, solved by its engine."""
    twin = TWIN[column]
    if twin.engine == "matrix_game":
        return zermelo.matrix_game(twin.game)
    with among_its_like(twin):
        return zermelo.solve(twin.game)


@cache
def solved_generally(column: str) -> Any:
    """The twin, solved by the general engine; where an answer is strategies, the whole matrix, of all pure strategies if need be."""
    twin = TWIN[column]
    if twin.engine in ("replies", "matrix_game"):
        return zermelo.matrix_game(MATRIX)
    if twin.engine == "hidden":
        return zermelo.matrix_game(naive_hidden.matrix(twin.game))
    return _explored(type(twin.game), twin.game, tuple(twin.reference.items()))


@cache
def _explored(game_class: type, game: Any, options: tuple[tuple[str, Any], ...]) -> Any:
    """Once for two twins of the same game. Games of two classes can be equal."""
    return zermelo.solve(game, **dict(options))

"""Board games whose positions are ranked: the table of codes against the general engine and against published counts."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
import zermelo
from asking import solve_board
from test_models_benchmarks import benchmark
from zermelo import spaces
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.boards import board, engine, solving
from zermelo.engines.boards.numbering import numbering
from zermelo.engines.explored.engine import ExploredEngine
from zermelo.games import ConnectFour, Dodgem
from zermelo.games.connect_four import has_four
from zermelo.games.dodgem import State as DodgemState
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.language.checking.checker import Sample
from zermelo.language.checking.seen import Seen
from zermelo.language.rules import read
from zermelo.link.native import Native
from zermelo.link.numbering import MOST_DIRECT, numbering_text
from zermelo.storage import boards as storing
from zermelo.uses import need
from zermelo.views.board_tables import best_line
from zermelo.views.play import Session, converse

PASS = -1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Cells(NamedTuple):
    cells: tuple[int, ...]  # 0 empty, 1 of the first player, 2 of the second


class TicTacToe(NamedTuple):
    """One number a square, and symmetries that exchange them: they don't map part by part."""

    def start(self) -> Cells:
        return Cells((0,) * 9)

    def player(self, s: Cells) -> int:
        moved = 0
        for i in range(9):
            moved += s.cells[i] > 0
        return moved % 2

    def actions(self, s: Cells) -> Iterator[int]:
        if self.payoff(s) == 0:
            for i in range(9):
                if s.cells[i] == 0:
                    yield i

    def outcomes(self, s: Cells, action: int) -> Iterator[tuple[int, int, Cells]]:
        yield 1, 0, Cells(s.cells[:action] + (1 + self.player(s),) + s.cells[action + 1 :])

    def payoff(self, s: Cells) -> int:
        for line in LINES:
            a, b, c = line
            if s.cells[a] == s.cells[b] and s.cells[b] == s.cells[c]:
                if s.cells[a] == 1:
                    return 1
                if s.cells[a] == 2:
                    return -1
        return 0

    def symmetries(self, s: Cells) -> Iterator[Cells]:
        cells = s.cells
        for _ in range(4):
            cells = (cells[2], cells[1], cells[0], cells[5], cells[4], cells[3], cells[8], cells[7], cells[6])
            yield Cells(cells)
            cells = (cells[0], cells[3], cells[6], cells[1], cells[4], cells[7], cells[2], cells[5], cells[8])
            yield Cells(cells)

    def space(self) -> Any:
        return spaces.product(*[range(3)] * 9)


class TwoRows(NamedTuple):
    """Tic-tac-toe on two rows, where three in one of them win."""

    def start(self) -> Cells:
        return Cells((0,) * 6)

    def player(self, s: Cells) -> int:
        moved = 0
        for i in range(6):
            moved += s.cells[i] > 0
        return moved % 2

    def actions(self, s: Cells) -> Iterator[int]:
        if self.payoff(s) == 0:
            for i in range(6):
                if s.cells[i] == 0:
                    yield i

    outcomes = TicTacToe.outcomes

    def payoff(self, s: Cells) -> int:
        for i in (0, 3):
            if s.cells[i] == s.cells[i + 1] and s.cells[i] == s.cells[i + 2] and s.cells[i] > 0:
                return 3 - 2 * s.cells[i]
        return 0

    def symmetries(self, s: Cells) -> Iterator[Cells]:
        cells = s.cells
        for _ in range(2):
            cells = cells[3:] + cells[:3]
            yield Cells(cells)
            yield Cells((cells[2], cells[1], cells[0], cells[5], cells[4], cells[3]))

    def space(self) -> Any:
        return spaces.product(*[range(3)] * 6)


class Pile(NamedTuple):
    left: int
    bonus: int


class Countdown(NamedTuple):
    """Take one or two from a pile; whoever takes two from a pile of a multiple of five moves again. The last one wins.

    `steps` more moves, one way only, delay the end."""

    pile: int = 20
    steps: int = 0

    def start(self) -> Pile:
        return Pile(self.pile + self.steps, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1
            if s.left > 1 and s.left <= self.pile:
                yield 2

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        again = action == 2 and s.left % 5 == 0
        yield 1, 0, Pile(s.left - action, 0), 1 if again else PASS

    def payoff(self, s: Pile) -> int:
        return -1

    def space(self) -> Any:
        return spaces.product(range(self.pile + self.steps + 1), range(1))


class Unmirrored(NamedTuple):
    """Tic-tac-toe, positions that are the same up to symmetry told apart."""

    start = TicTacToe.start
    player = TicTacToe.player
    actions = TicTacToe.actions
    outcomes = TicTacToe.outcomes
    payoff = TicTacToe.payoff
    space = TicTacToe.space


class Forwards(NamedTuple):
    """Gobblet Gobblers with forward rules only."""

    sizes: int = 2
    per_size: int = 2
    moving: bool = True
    start = GobbletGobblers.start
    actions = GobbletGobblers.actions
    outcomes = GobbletGobblers.outcomes
    moved = GobbletGobblers.moved
    payoff = GobbletGobblers.payoff
    symmetries = GobbletGobblers.symmetries
    space = GobbletGobblers.space


class Alone(NamedTuple):
    """One player moves again and again, and wins unless he gives up for a draw: in no level is anything lost."""

    pile: int = 5

    def start(self) -> Pile:
        return Pile(self.pile, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - 1 if action else 0, 1 - action), 1

    def payoff(self, s: Pile) -> int:
        return 1 - s.bonus

    def space(self) -> Any:
        return spaces.product(range(self.pile + 1), range(2))


class Renewed(NamedTuple):
    """Take one or two from a pile, the last one wins; from all but multiples of three one may go back to the whole pile. What is lost in
    many moves is known only when all before is."""

    pile: int = 20
    start = Countdown.start
    steps = 0

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1
            if s.left > 1:
                yield 2
            if s.left % 3 > 0:
                yield 0

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action if action else self.pile, 0), PASS

    payoff = Countdown.payoff
    space = Countdown.space


class Upwards(Countdown):
    """The same, counted upwards: each position leads to larger numbers."""

    def start(self) -> Pile:
        return Pile(0, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left < self.pile:
            yield 1
            if s.left < self.pile - 1:
                yield 2

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        again = action == 2 and (self.pile - s.left) % 5 == 0
        yield 1, 0, Pile(s.left + action, 0), 1 if again else PASS


class Peaceful(Upwards):
    """Which ends in a draw."""

    def payoff(self, s: Pile) -> int:
        return 0


COMPILED = [GobbletGobblers(2, 1, True), ConnectFour(4, 2)]  # tables of others: the tiers write the same
IN_PYTHON = [  # which takes less time than to compile their rules, or even than these take compiled
    GobbletGobblers(1, 1, False),
    GobbletGobblers(1, 3, True),
    GobbletGobblers(1, 5, False),
    TwoRows(),
    Forwards(2, 1, True),
    Forwards(1, 3, False),
    Countdown(40),
    Renewed(40),
    ConnectFour(4, 2),
    Dodgem(2),
    Dodgem(3),
]

PUBLISHED = {GobbletGobblers(1, 5, False): 765}  # tic-tac-toe: Schaefer 2002 ("OXO")


@lru_cache(None, typed=True)
def explored_once(game: Any) -> Any:
    if isinstance(game, Forwards):
        return explored_once(GobbletGobblers(*game))  # which take no moves back there
    with only("interpreted"):
        return zermelo.solve(game)


@lru_cache(None, typed=True)
def ranked_once(game: Any, tier: str) -> Any:
    with only(tier):
        return solve_board(game)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small games are solved in a table of codes, too."""
    monkeypatch.setattr(engine, "FEW_POSITIONS", -1)


@pytest.mark.parametrize(
    ("tier", "game"), [*(("compiled", game) for game in COMPILED), *(("interpreted", game) for game in IN_PYTHON)], ids=str
)
def test_every_position_is_worth_what_the_general_engine_finds(tier: str, game: Any) -> None:
    explored, solution = explored_once(game), ranked_once(game, tier)
    assert solution.value == explored.value
    assert solution.report.states == explored.space.size == PUBLISHED.get(game, explored.space.size)
    assert solution.census() == explored.census()
    step = max(1, explored.space.size // 100)
    for s in explored.answers.layout.unpack_many(explored.answers.keys[::step]):
        (at,) = (explored.probe(s),)
        here = solution.probe(s)
        assert (here.value, here.distance, here.actions, here.player) == (at.value, at.distance, at.actions, at.player)
        if here.action is not None:
            assert solution.moves_after(s, here.action) == here.distance


def test_a_probe_looks_every_next_position_up_once(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts are remembered, which neither lets anything pass for a position that is none nor keeps them all."""
    solution = zermelo.solve(GobbletGobblers(2, 1, True))
    looked, find = [], solution.answers.positions.find  # type: ignore[attr-defined]
    monkeypatch.setattr(solution.answers.positions, "find", lambda state: looked.append(state) or find(state))  # type: ignore[attr-defined]
    rules = solution.rules
    probe = solution.probe(rules.start)
    following = {o.state for action in rules.actions(rules.start) for o in rules.outcomes(rules.start, action)}
    assert sorted(looked) == sorted({rules.start, *following})
    assert solution.probe(rules.start) == probe and len(looked) == len(following) + 1
    for state in (tuple(rules.start), [*rules.start], type(rules.start)(*(tuple(map(float, f)) for f in rules.start))):
        with pytest.raises(zermelo.ParameterError, match="is not a state of"):
            solution.probe(state)
    monkeypatch.setattr("zermelo.answers.boards.REMEMBERED", 4)
    assert solution.probe(rules.start) == probe
    assert [solution.probe(s).value for s in following] and len(solution.answers._known) <= 4  # type: ignore[attr-defined]


class Lane(NamedTuple):
    t: int
    x: int


class Lanes(NamedTuple):
    """Two lanes that mirror one another but for the step `odd`, which play comes to in the second lane only: from there it wins."""

    steps: int = 6000
    odd: int = 50

    def start(self) -> Lane:
        return Lane(0, 0)

    def actions(self, s: Lane) -> Iterator[int]:
        if s.t <= self.odd:
            yield 0

    def outcomes(self, s: Lane, action: int) -> Iterator[tuple[int, int, Lane, int]]:
        if s.t == self.odd:
            yield 1, 0, Lane(self.odd + 1 + s.x, 0), PASS
        else:
            yield 1, 0, Lane(s.t + 1, 1 if s.t == self.odd - 1 else s.x), PASS

    def payoff(self, s: Lane) -> int:
        return 1 if s.t == self.odd + 1 else -1

    def symmetries(self, s: Lane) -> Iterator[Lane]:
        yield Lane(s.t, 1 - s.x) if s.t != self.odd else s

    def space(self) -> Any:
        return spaces.product(range(self.steps), range(2))


class FewImages(Lanes):
    """The same, with nothing yielded where a position is its only image."""

    def symmetries(self, s: Lane) -> Iterator[Lane]:
        if s.t != self.odd:
            yield Lane(s.t, 1 - s.x)


class NoImageOfTheStart(Lanes):
    def symmetries(self, s: Lane) -> Iterator[Lane]:
        if 0 < s.t < self.odd:
            yield Lane(s.t, 1 - s.x)


@pytest.mark.parametrize(("tier", "game"), [
    ("compiled", Lanes()), ("interpreted", Lanes()), ("interpreted", FewImages(60)), ("interpreted", NoImageOfTheStart(60)),
], ids=str)  # fmt: skip
def test_symmetries_that_map_parts_by_themselves_nearly_everywhere(tier: str, game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The value was -1, with a proof: the tables of images were filled where the game says nothing of the kind."""
    with only(tier), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        monkeypatch.setattr("zermelo.basics.notices._said", [])
        solution = solve_board(game)
    explored = explored_once(game)
    assert ["solved again" in str(w.message) for w in said] == [True] * (type(game) is Lanes)
    assert solution.value == explored.value == 1 and solution.report.states == explored.space.size
    assert "mirror images are computed one by one" in solution.report.notes[-1]


def test_a_quick_check_compares_images_too(in_python: None) -> None:
    assert solve_board(Lanes(), quick=True).value == 1  # as few positions as these are all looked at


class TwoSides(Countdown):
    """It doesn't matter on which side the pile is; `symmetries` asks for a number."""

    def symmetries(self, s: Pile) -> Iterator[Pile]:
        yield Pile(s.left, 1 - s.bonus) if s.left >= 0 else s

    def space(self) -> Any:
        return spaces.product(range(self.pile + 1), range(2))


def test_how_mirror_images_are_checked_is_told(in_python: None) -> None:
    (note,) = solve_board(TwoSides()).report.notes
    assert note.startswith("mirror images were compared with the numbering position by position")
    for proven in (Dodgem(3), GobbletGobblers(1, 1, False)):
        assert not any("mirror images" in note for note in ranked_once(proven, "interpreted").report.notes)


class Undefined(NamedTuple):
    """`player` is for positions in which somebody moves."""

    end: int = 30
    ending: int = -1

    def start(self) -> Pile:
        return Pile(self.end, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1
            yield 2

    def player(self, s: Pile) -> int:
        return (self.end // s.left + s.left) % 2

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile]]:
        yield 1, 0, Pile(max(s.left - action, 0), 0)

    def payoff(self, s: Pile) -> int:
        return self.ending

    def space(self) -> Any:
        return spaces.product(range(self.end + 1), range(1))


@pytest.mark.parametrize("ending", [-1, 0, 1])
@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_nobody_moves_at_the_end(tier: str, ending: int) -> None:
    game = Undefined(300 if ending < 0 or tier == "compiled" else 30, ending)  # the long ones are solved, or compiled, by another test
    explored, solution = explored_once(game), ranked_once(game, tier)
    assert solution.value == explored.value and solution.census() == explored.census()
    assert solution.probe(Pile(0, 0)).value == explored.probe(Pile(0, 0)).value == ending
    assert solution.simulate(3, seed=1).mean == explored.simulate(3, seed=1).mean


@pytest.mark.parametrize("game", [GobbletGobblers(2, 1, True), Undefined(300), ConnectFour(4, 2), Lanes(60)], ids=str)
def test_both_tiers_write_the_same_table(game: Any) -> None:
    """With images part by part, without any, and with images one by one; with moves in two bytes, too."""
    compiled, interpreted = ranked_once(game, "compiled"), ranked_once(game, "interpreted")
    assert (compiled.answers.codes == interpreted.answers.codes).all()
    assert compiled.answers.codes.dtype == interpreted.answers.codes.dtype == (np.int16 if type(game) is Undefined else np.int8)
    told = [{k: v for k, v in s.report.facts.items() if k != "levels"} for s in (compiled, interpreted)]
    assert told[0] == told[1] and compiled.certificate == interpreted.certificate


class Shaped(Countdown):
    """The pile lies on one of three sides, and the rules have a variable with the name of what says where tables are."""

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        again = action == 2 and s.left % 5 == 0
        yield 1, 0, Pile(s.left - action, (s.bonus + action) % 3), 1 if again else PASS

    def payoff(self, s: Pile) -> int:
        shape = ((0, 1), (2, -1))
        return shape[1][1]

    def symmetries(self, s: Pile) -> Iterator[Pile]:
        yield Pile(s.left, (s.bonus + 1) % 3)
        yield Pile(s.left, (s.bonus + 2) % 3)

    def space(self) -> Any:
        return spaces.product(range(self.pile + self.steps + 1), range(3))


def test_tables_of_large_games_are_constants_of_their_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which saves a fifth of the time. The table is the same, and rules are left as they are."""
    texts: list[str] = []
    monkeypatch.setattr("zermelo.engines.boards.numbering.LARGE", 0)
    link = Native._link
    monkeypatch.setattr(Native, "_link", lambda self, layout: (link(self, layout), texts.append(self.written.text))[0])
    game = Shaped(12)
    with only("compiled"):
        found = solve_board(game)
    assert (found.answers.codes == ranked_once(game, "interpreted").answers.codes).all()
    assert [" shape[" in text for text in texts] == [True, False]  # of images alone, and of what solves the game


class Impossible(Lanes):
    def symmetries(self, s: Lane) -> Iterator[Lane]:
        yield Lane(s.t, 1 - s.x + 0 // (s.t - 40))


def test_an_error_in_symmetries_is_told_with_the_state(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Seen(2, False, False, 1, False)
    monkeypatch.setattr("zermelo.engines.base.check", lambda game, **_: Sample([game.start()], read(game), seen, ()))
    with pytest.raises(zermelo.RulesError, match=r"at Lane\(t=40, x=0\): `symmetries` raised ZeroDivisionError"):
        solve_board(Impossible(60))


def test_positions_are_numbered_and_found_again(in_python: None) -> None:
    for game in (GobbletGobblers(2, 1, True), TwoRows(), Unmirrored()):
        positions = numbering(read(game)).positions
        rules = positions.rules
        for number in range(0, positions.size, max(1, positions.size // 500)):
            state = positions.state(number)
            found = positions.find(state)
            images = [state, *rules.same_as(state)]
            assert found <= number and {positions.find(s) for s in images} == {found}
            assert positions.state(found) in images


class Ranked(NamedTuple):
    """A place that is alone, a number below 0 with another one, and three numbers that add up."""

    def space(self) -> Any:
        def rising(last: int, value: int) -> int | None:
            return value if value >= last else None

        return spaces.product(range(2, 7), spaces.words([range(-3, 2), range(4)], -5, rising), spaces.compositions(5, 3))

    def start(self) -> Cells:
        return Cells((2, -3, 0, 0, 0, 5))

    def actions(self, s: Cells) -> Iterator[int]:
        yield from ()

    def outcomes(self, s: Cells, action: int) -> Iterator[tuple[int, int, Cells, int]]:
        yield 1, 0, s, PASS


@pytest.mark.parametrize("most", [0, 64, MOST_DIRECT])
def test_ranks_are_those_of_the_space_in_tables_of_either_kind(in_python: None, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Where the table of all values is small, it gives the rank at once; else values are read one after another."""
    monkeypatch.setattr("zermelo.link.numbering.MOST_DIRECT", most)
    of = numbering(read(Ranked()))
    parts = of.positions.parts
    scope: dict[str, Any] = {"np": np, "inner": lambda function: function, "fetch": lambda numbers, index: numbers[index]}
    exec(numbering_text(parts), scope)
    inside = 0
    for x in product(range(7, 0, -3), range(-5, 4), range(-1, 6), range(-1, 8), range(-1, 8), range(-1, 7)):
        ranks = [parts[0].find(x[:1]), parts[1].find(x[1:3]), parts[2].find(x[3:])]
        found = scope["part_ranks"](x, of.data, of.shape)
        assert [*found] == ranks if min(ranks) >= 0 else min(found) < 0
        if min(ranks) >= 0:
            inside += 1
            assert scope["slots_at"](scope["whole_rank"](found, of.shape), of.data, of.shape) == x
    assert inside == 19 * 21


def test_only_first_parts_that_stand_for_their_mirror_images_are_numbered(in_python: None) -> None:
    """219 of 1,423: the number that issue 5 gives for Gobblet Gobblers, and its size of the table."""
    positions = numbering(read(GobbletGobblers())).positions
    assert [part.size for part in positions.parts] == [1423] * 3
    assert len(positions.representatives) == 219
    assert positions.size == 443_459_451


@pytest.mark.parametrize("pile", [0, 1])
def test_the_smallest_games(in_python: None, pile: int) -> None:
    solution = solve_board(Countdown(pile))
    assert (solution.value, solution.probe(solution.rules.start).distance) == (2 * pile - 1, pile)
    assert solution.report.states == pile + 1


def test_who_moves_again_wins_by_moving_to_what_is_won(in_python: None) -> None:
    solution = solve_board(Alone())
    assert [(p.value, p.distance) for p in map(solution.probe, (Pile(n, 0) for n in range(6)))] == [(1, n) for n in range(6)]


def test_small_games_are_explored_and_large_ones_ranked(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert zermelo.solve(Dodgem(2)).report.engine == "explored"
    monkeypatch.setattr(engine, "FEW_POSITIONS", -1)
    assert zermelo.solve(Dodgem(2)).report.engine == "boards"


def test_play_of_more_moves_than_a_byte_holds(in_python: None) -> None:
    solution = solve_board(Countdown(7, 130))
    explored = zermelo.solve(Countdown(7, 130))
    assert solution.answers.codes.dtype == np.int16
    assert solution.probe(solution.rules.start).distance == explored.probe(explored.rules.start).distance > 130
    assert solution.census() == explored.census()


def test_moves_that_all_lead_to_smaller_numbers_take_few_passes(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    passes, run = [], solving.Table.run
    monkeypatch.setattr(solving.Table, "run", lambda self, kernel, *a, **o: passes.append(kernel) or run(self, kernel, *a, **o))
    assert solve_board(Countdown(200)).report.states == 201
    assert passes.count("expand") == board.UPWARDS + 3  # the first downwards finds the rest; one looks at each side of it


def test_play_of_more_moves_than_two_bytes_hold_is_left_to_the_general_engine(
    few: None, in_python: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board.status, "MOST_MOVES_OF_ALL", 130)
    with pytest.raises(GivesUp, match="play may take more than"):
        solve_board(Countdown(7, 130))
    solution = zermelo.solve(Countdown(7, 130))
    assert solution.report.engine == "explored"
    assert any("the engine boards gave up: play may take more than 32,000 moves" in note for note in solution.report.notes)


def test_play_so_long_that_all_is_looked_at_again_and_again_is_left_to_the_general_engine(
    few: None, in_python: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "OFTEN", 20)
    assert zermelo.solve(Countdown(100)).report.engine == "boards"  # play can't come back
    solution = zermelo.solve(Renewed(100))
    assert solution.report.engine == "explored"
    note = "the engine boards gave up: play is so long that after 26 levels all positions were looked at 20 times"
    assert note in solution.report.notes
    monkeypatch.setattr(solving, "fits", lambda needed: False)
    assert zermelo.solve(Renewed(100)).report.engine == "boards"


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kernels that went through the whole table, which is one part."""
    found, counted = list[str](), solving.Table.counted
    monkeypatch.setattr(solving.Table, "counted", lambda self, kernel, *a: found.append(kernel) or counted(self, kernel, *a))
    return found


@pytest.mark.parametrize(("game", "passed", "is_told"), [
    (Forwards(1, 3, False), ["deepen"], False), (ConnectFour(4, 2), ["deepen"], False), (TwoRows(), ["deepen"], False),
    (Upwards(100), ["deepen"], False), (Peaceful(100), ["deepen"], False), (Upwards(200), ["deepen", "deepen"], False),  # in two bytes
    (Renewed(9), ["deepen", *["pull"] * 5], True), (GobbletGobblers(1, 3, False), ["pull"], False), (Countdown(2), [], False),
], ids=str)  # fmt: skip
def test_where_play_can_not_come_back_positions_are_looked_at_once(
    in_python: None, passes: list[str], game: Any, passed: list[str], is_told: bool
) -> None:
    explored, solution = explored_once(game), solve_board(game)
    assert [p for p in passes if p not in ("expand", "compare")] == passed
    assert solution.census() == explored.census()
    assert any("late levels look" in note for note in solution.report.notes) == is_told
    levels = solution.report.facts["levels"]
    assert [level["moves"] for level in levels] == [*range(1, len(levels) + 1)]


def test_who_looks_at_positions_anywhere_returns_now_and_then(
    in_python: None, passes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that Ctrl-C is noticed: the first position may lead to all others. What waited then is looked at again."""
    whole = solve_board(ConnectFour(3, 3))
    passes.clear()
    monkeypatch.setattr(solving, "LOOKS", 37)
    parts = solve_board(ConnectFour(3, 3))
    assert passes.count("deepen") > 20 and (parts.answers.codes == whole.answers.codes).all()
    assert not any("late levels" in note for note in parts.report.notes)


def test_positions_that_wait_for_too_many_others_are_left_to_the_levels(
    in_python: None, passes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first position leads to 100 others before one is known."""
    monkeypatch.setattr("zermelo.kernels.status.DEEPEST", 40)
    for game in (Upwards(100), Peaceful(100)):
        solution = solve_board(game)
        assert solution.census() == explored_once(game).census()
        assert "late levels" in solution.report.notes[0]
    assert passes.count("deepen") == 2 and passes.count("pull") > 40


class Coin(NamedTuple):
    """There is chance in it."""

    def start(self) -> Pile:
        return Pile(3, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 0

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - 1, 0), PASS
        yield 1, 0, Pile(0, 1), PASS

    def payoff(self, s: Pile) -> int:
        return s.bonus

    def space(self) -> Any:
        return spaces.product(range(4), range(2))


class Paying(NamedTuple):
    start = Coin.start
    actions = Coin.actions
    payoff = Coin.payoff
    space = Coin.space

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 1, Pile(s.left - 1, 0), PASS


class Scored(NamedTuple):
    """The end pays 2."""

    pile: int = 3
    actions = Coin.actions
    space = Coin.space

    def start(self) -> Pile:
        return Pile(self.pile, int(self.pile == 0))

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - 1, 1), PASS

    def payoff(self, s: Pile) -> int:
        return 2 * s.bonus


@pytest.mark.parametrize(("game", "why"), [
    (Coin(), r"at Pile\(left=3, bonus=0\), an action has several outcomes"),
    (Paying(), r"at Pile\(left=3, bonus=0\), something is paid before the end"),
    (Scored(), r"at Pile\(left=1, bonus=1\), play ends, at once or after a move, with a payoff other than 1, 0 and -1"),
    (Scored(0), r"at Pile\(left=0, bonus=1\), play ends"),
], ids=str)  # fmt: skip
def test_what_is_no_game_of_win_draw_and_loss_is_explored(few: None, in_python: None, game: Any, why: str) -> None:
    with pytest.raises(GivesUp, match=why):
        solve_board(game)
    assert zermelo.solve(game).report.engine == "explored"


# --- saved -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compressed", [False, True])
def test_a_saved_solution_answers_alike(few: None, tmp_path: Path, compressed: bool) -> None:
    solution = zermelo.solve(GobbletGobblers(2, 2, True))
    path = tmp_path / "solution"
    storing.save(solution.answers, path, compressed)  # type: ignore[arg-type]
    again = zermelo.open(path)
    assert again.census() == solution.census()
    assert again.certificate == solution.certificate and again.statistics == solution.statistics
    assert again.farthest() == solution.farthest()
    for number in range(0, len(solution.answers.codes), 997):  # type: ignore[attr-defined]
        assert again.answers.codes[number] == solution.answers.codes[number]  # type: ignore[attr-defined]


def test_damage_in_packed_codes_is_told() -> None:
    table = storing.packed(np.arange(10, dtype=np.int8))
    blocks = table["blocks"].copy()
    blocks[4] ^= 255
    with pytest.raises(zermelo.FileError, match="gobblet.zst is damaged"):
        storing.PackedCodes("gobblet.zst", blocks, table["ends"], 10, "int8")[3]


def test_a_saved_solution_opens_without_a_compiler(few: None, tmp_path: Path) -> None:
    import subprocess

    path = tmp_path / "solution"
    zermelo.solve(GobbletGobblers(2, 1, True)).save(path)
    code = f"import sys, zermelo\ns = zermelo.open({str(path)!r})\ns.probe(s.rules.start)\nassert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("what", ["values", "errors", "distances", "payoff_values", "action_numbers"])
def test_arrays_of_all_states_are_refused_in_words(few: None, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(need, "MOST_BRIDGED", 0)
    solution = zermelo.solve(GobbletGobblers(2, 1, True))
    with pytest.raises(zermelo.OutOfReach, match="kept in a byte each"):
        getattr(solution, what)
    for method in (solution.to_dataframe, solution.to_xarray):
        with pytest.raises(zermelo.OutOfReach, match="kept in a byte each"):
            method()


def test_damaged_files_are_told(few: None, tmp_path: Path) -> None:
    path = tmp_path / "solution"
    zermelo.solve(GobbletGobblers(2, 1, True)).save(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    with pytest.raises(zermelo.FileError, match="cut short"):
        zermelo.open(path)
    path.write_bytes(whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:])
    with pytest.raises(zermelo.FileError, match="damaged"):
        zermelo.open(path)


# --- bad input ---------------------------------------------------------------------------------------------------------


class Outside(NamedTuple):
    start = Countdown.start
    actions = Countdown.actions
    outcomes = Countdown.outcomes
    payoff = Countdown.payoff
    pile: int = 20
    steps: int = 0

    def space(self) -> Any:
        return spaces.product(range(3, 21), range(1))


class Elsewhere(NamedTuple):
    start = Countdown.start
    actions = Countdown.actions
    outcomes = Countdown.outcomes
    payoff = Countdown.payoff
    pile: int = 20
    steps: int = 0

    def space(self) -> Any:
        return spaces.product(range(3), range(1))


class Short(NamedTuple):
    start = Countdown.start
    actions = Countdown.actions
    outcomes = Countdown.outcomes
    payoff = Countdown.payoff
    pile: int = 20
    steps: int = 0

    def space(self) -> Any:
        return spaces.product(range(21))


class Forgetful(NamedTuple):
    """`parents` forgets what was taken two at a time."""

    pile: int = 20
    steps: int = 0
    start = Countdown.start
    actions = Countdown.actions
    payoff = Countdown.payoff
    space = Countdown.space

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action, 0), PASS

    def parents(self, s: Pile) -> Iterator[Pile]:
        if s.left < self.pile:
            yield Pile(s.left + 1, 0)


class Inventive(NamedTuple):
    """`parents` yields a position from which nothing leads here."""

    pile: int = 20
    steps: int = 0
    start = Countdown.start
    actions = Countdown.actions
    outcomes = Countdown.outcomes
    payoff = Countdown.payoff
    space = Countdown.space

    def parents(self, s: Pile) -> Iterator[Pile]:
        for n in range(1, 4):
            if s.left + n <= self.pile:
                yield Pile(s.left + n, 0)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (Outside(), "a position follows that `space` does not hold"),
        (Elsewhere(), "`space` does not hold the start"),
        (Short(), "`space` has 1 numbers a state, and a state has 2"),
        (Forgetful(), "`parents` does not yield .* though a move leads from there"),
        (Inventive(), "`parents` yields .* but no move leads from there"),
    ],
)
def test_faults_of_the_rules_are_told(few: None, in_python: None, game: Any, fault: str) -> None:
    with pytest.raises(zermelo.RulesError, match=fault):
        zermelo.solve(game)


def test_a_small_game_is_asked_for_positions_outside_of_its_space_where_rules_are_tried() -> None:
    request = Request(Outside())
    with pytest.raises(zermelo.RulesError, match=r"`space` does not hold Pile\(.*\), which is reached"):
        ExploredEngine().examine(request)
    assert ExploredEngine().examine(Request(Countdown())).number > 0


class Gap(NamedTuple):
    """A position is missing in the middle of the space, far from the start."""

    start = Countdown.start
    actions = Countdown.actions
    outcomes = Countdown.outcomes
    payoff = Countdown.payoff
    pile: int = 3000
    steps: int = 0
    missing: int = 5

    def space(self) -> Any:
        return spaces.product(spaces.words([range(self.pile + 1)], 0, lambda node, value: None if value == self.missing else 0), range(1))


class OneSide(NamedTuple):
    """The side on which the pile lies does not matter, and `space` holds one of them only: not that of images, or not that of the play."""

    side: int
    pile: int = 20

    def start(self) -> Pile:
        return Pile(self.pile, self.side)

    def actions(self, s: Pile) -> Iterator[int]:
        yield from range(1, min(2, s.left) + 1)

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action, s.bonus if s.left > 10 else self.side), PASS

    def payoff(self, s: Pile) -> int:
        return -1

    def symmetries(self, s: Pile) -> Iterator[Pile]:
        yield Pile(s.left, 1 - s.bonus)

    def space(self) -> Any:
        return spaces.product(range(self.pile + 1), range(1, 2))


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_small_game_with_positions_outside_of_its_space_is_refused(tier: str) -> None:
    """It was solved, and refused by `check` or with a larger parameter only."""
    seen = {s.left for s in zermelo.check(Gap()).states}
    missing = min(n for n in range(1000, 2000) if n not in seen)
    outside = r"`space` does not hold Pile\(left={}, bonus=0\), which is reached"
    image = r"`symmetries` yields Pile\(left=\d+, bonus=0\) for Pile\(left=\d+, bonus=1\): `space` does not hold it"
    with only(tier):
        for game, fault in ((Gap(), outside.format(5)), (Gap(missing=missing), outside.format(missing)), (OneSide(1), image)):
            with pytest.raises(zermelo.RulesError, match=fault):
                zermelo.solve(game)
    for verb in (zermelo.solve, zermelo.plan):
        with pytest.raises(zermelo.RulesError, match="`space` does not hold the start"):
            verb(OneSide(0))


class Welcoming(Forgetful):
    """All that can be taken back, and once three at a time."""

    def parents(self, s: Pile) -> Iterator[Pile]:
        for n in (1, 2):
            if s.left + n <= self.pile:
                yield Pile(s.left + n, 0)
        if s.left == 3:
            yield Pile(6, 0)


class Branches(NamedTuple):
    """One of several branches that are said to be the same ends where the others go on."""

    branches: int = 2

    def start(self) -> Lane:
        return Lane(0, 0)

    def actions(self, s: Lane) -> Iterator[int]:
        if s.t < 3 and (s.t < 2 or s.x != 1):
            yield 0

    def outcomes(self, s: Lane, action: int) -> Iterator[tuple[int, int, Lane, int]]:
        yield 1, 0, Lane(s.t + 1, 1 if s.t == 1 else s.x), PASS

    def payoff(self, s: Lane) -> int:
        return -1

    def symmetries(self, s: Lane) -> Iterator[Lane]:
        for x in range(self.branches):
            yield Lane(s.t, x)

    def space(self) -> Any:
        return spaces.product(range(4), range(self.branches))


@pytest.fixture
def unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is noticed of the rules before the game is solved, as in a game that is too large for it."""
    seen = Seen(2, False, False, 1, False)
    monkeypatch.setattr("zermelo.engines.base.check", lambda game, **_: Sample([game.start()], read(game), seen, ()))


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (Forgetful(25), r"`parents` does not yield Pile\(left=5, bonus=0\) for Pile\(left=3, bonus=0\), though a move leads"),
        (Welcoming(9), r"at Pile\(left=6, bonus=0\): the result does not follow .*: `parents` leaves out or adds positions"),
        (Branches(2), r"`symmetries` calls Lane\(t=2, x=0\) and Lane\(t=2, x=1\) the same, but other things can happen there"),
        (Branches(3), r"at Lane\(t=2, x=0\): the result does not follow .*: `symmetries` calls positions the same that are not"),
    ],
    ids=str,
)
def test_wrong_declarations_do_not_pass_the_proof(
    unseen: None, in_python: None, monkeypatch: pytest.MonkeyPatch, game: Any, fault: str
) -> None:
    monkeypatch.setattr(board, "TAKING_BACK", 0)  # moves are taken back even where it does not pay
    monkeypatch.setattr("zermelo.language.checking.claims.COMPARED", -1)  # one mirror image is looked at, as in a large game
    with pytest.raises(zermelo.RulesError, match=fault):
        solve_board(game)


class Drawn(Outside):
    def show(self, s: Pile) -> str:
        return f"left: {s.left}\n bonus: {s.bonus}"


def test_a_position_of_several_lines_is_told_in_one(unseen: None, in_python: None) -> None:
    with pytest.raises(zermelo.RulesError) as told:
        solve_board(Drawn())
    assert told.value.faults == ["at left: 4 / bonus: 0: a position follows that `space` does not hold"]


class Shifted(Branches):
    """An image has no images of its own."""

    def symmetries(self, s: Lane) -> Iterator[Lane]:
        yield Lane(s.t if s.t < 2 else 5 - s.t - (s.t == 3), s.x)


def test_the_position_is_told_whose_images_are_missing(unseen: None, in_python: None) -> None:
    with pytest.raises(zermelo.RulesError, match=r"`symmetries` is not a group: at Lane\(t=2, x=0\), images of an image are missing"):
        solve_board(Shifted())


def test_tables_that_do_not_fit_are_refused_before_they_are_begun() -> None:
    with pytest.raises(zermelo.OutOfReach, match=r"about 953,199,685,623 positions: a table of them needs about 887.7 GiB of memory"):
        zermelo.solve(GobbletGobblers(3, 9, True))
    with pytest.raises(zermelo.OutOfReach, match="more than 1,000 states"):
        zermelo.solve(GobbletGobblers(2, 3, True), max_states=1000)


# --- the games -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("per_size", [(1, 1), (1, 2), (1, 3), (1, 4), (1, 6), (2, 1), (2, 2)], ids=str)
@pytest.mark.parametrize("moving", [False, True])
def test_small_rule_sets_of_gobblet_are_draws(per_size: tuple[int, int], moving: bool) -> None:
    """All but (2, 3, x) and (3, 2, 1) of up to six pieces a player (issue 5)."""
    game = GobbletGobblers(*per_size, moving)
    assert (solve_board(game) if per_size == (2, 2) else explored_once(game)).value == 0


@pytest.mark.parametrize("moving", [False, True])
def test_three_sizes_of_one_piece_are_a_draw(moving: bool) -> None:
    with only("compiled"):  # where it ends up, after Python has tried
        assert zermelo.solve(GobbletGobblers(3, 1, moving)).value == 0


@cache
def two_sizes_of_three_pieces(moving: bool) -> Any:
    return zermelo.solve(GobbletGobblers(2, 3, moving))


def test_two_sizes_of_three_pieces_are_won() -> None:
    """(2, 3, 0) in 9 and (2, 3, 1) in 11 moves; 1,964,786 positions in the first ("Strongly solving Gobblet Gobblers")."""
    fixed, moving = map(two_sizes_of_three_pieces, (False, True))
    start = fixed.rules.start
    assert (fixed.report.states, fixed.probe(start).distance, moving.probe(start).distance) == (1_964_786, 9, 11)
    assert fixed.value == moving.value == 1
    longest = moving.farthest()
    assert longest is not None
    assert (
        moving.probe(longest).distance
        == max(d for d, _ in moving.census()["won"])
        == len(list(best_line(moving, longest)))
    )


def test_every_position_is_checked_unless_a_sample_is_asked_for(few: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(solving, "SAMPLED", 200)
    whole = zermelo.solve(GobbletGobblers(2, 2, True))
    assert whole.report.facts["checked"] == whole.report.states and whole.certificate.kind == "proof"
    assert f"all {whole.report.states:,} checked" in whole.certificate.argument
    sampled = zermelo.solve(GobbletGobblers(2, 2, True), quick=True)
    checked = sampled.report.facts["checked"]
    assert 50 < checked < whole.report.states / 5
    assert sampled.certificate.kind == "sample" and "proof" not in str(sampled.certificate)
    assert f"a sample of {checked:,} of {whole.report.states:,} positions" in str(sampled.certificate)
    sampled.save(tmp_path / "sampled")
    assert zermelo.open(tmp_path / "sampled").certificate == sampled.certificate


def test_a_sample_of_everything_is_a_proof(few: None) -> None:
    assert zermelo.solve(GobbletGobblers(2, 1, True), quick=True).certificate.kind == "proof"


def test_a_sample_is_for_tables_only() -> None:
    with pytest.raises(zermelo.ParameterError, match="takes no quick: quick is for board games of more than a million positions"):
        zermelo.solve(GobbletGobblers(1, 3, True), quick=True)
    with pytest.raises(zermelo.ParameterError, match="exact=True proves what quick=True leaves unproven"):
        zermelo.solve(GobbletGobblers(), quick=True, exact=True)


@pytest.mark.parametrize("game", [GobbletGobblers(2, 1, True), GobbletGobblers(2, 1, False), ConnectFour(4, 2), Lanes(60)], ids=str)
def test_the_check_finds_every_wrong_code(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a sample, or one that trusts the solver, would pass some of these."""
    table: list[Any] = []
    compare = solving._compare
    monkeypatch.setattr(solving, "_compare", lambda t, quick: table.append(t) or compare(t, quick))
    monkeypatch.setattr(board, "check_states", lambda *of: None)  # the rules are right, which takes long to see a thousand times
    positions = solve_board(game).report.states
    codes = table[0].codes
    reached = np.flatnonzero(codes)
    assert len(reached) == positions == compare(table[0], False)
    for number in reached[:: max(1, len(reached) // 100)]:
        right = codes[number]
        for wrong in {-right, right + 1, right - 1, 1, -1, 2, -2, 3, -3, -128} - {right, 0}:
            codes[number] = wrong
            with pytest.raises((AssertionError, zermelo.RulesError), match="does not follow"):
                compare(table[0], False)
        codes[number] = right
    assert compare(table[0], False) == positions


@pytest.mark.slow
def test_gobblet_gobblers() -> None:
    """341,024,631 positions; won in 13 moves (same source). All of them are compared with the next ones by `solve`."""
    solution = zermelo.solve(GobbletGobblers())
    assert solution.report.states == 341_024_631
    assert solution.probe(solution.rules.start).distance == 13
    assert solution.report.facts["checked"] == 341_024_631 and solution.certificate.kind == "proof"


class Beads(NamedTuple):
    """Take one or two beads of three from the left of a long row. Positions are many by what `space` says, few by play."""

    places: int = 16

    class State(NamedTuple):
        row: tuple[int, ...]

    def start(self) -> Any:
        return self.State((1, 1, 1) + (0,) * (self.places - 3))

    def actions(self, s: Any) -> Any:
        for k in (1, 2):
            if sum(s.row) >= k:
                yield k

    def outcomes(self, s: Any, action: Any) -> Any:
        left = sum(s.row) - action
        yield 1, 0, self.State(tuple(1 if i < left else 0 for i in range(self.places))), -1

    def payoff(self, s: Any) -> int:
        return -1

    def space(self) -> Any:
        from zermelo.spaces import words

        return words([range(3)] * self.places, 0, lambda node, cell: node)


def test_a_space_whose_words_are_too_many_to_be_listed_is_explored() -> None:
    """`check` said that the engine for boards takes it, and `solve` refused it. (Dodgem on 5 x 5 was such a game of the catalogue.)"""
    why = "`space` has a part of 43,046,721 tuples, more than 4,000,000"
    assert why in dict(zermelo.plan(Beads()).tried)["boards"]
    assert zermelo.solve(Beads()).value == -1
    with pytest.raises(zermelo.ParameterError, match="from 2 to 4"):
        zermelo.solve("dodgem", size=5)


@pytest.mark.parametrize("line", [[(0, 0), (1, 0), (2, 0), (3, 0)], [(1, 0), (1, 1), (1, 2), (1, 3)],
                                  [(0, 0), (1, 1), (2, 2), (3, 3)], [(1, 3), (2, 2), (3, 1), (4, 0)]])  # fmt: skip
def test_connect_four_sees_lines_of_all_directions_and_none_around_a_corner(line: list[tuple[int, int]]) -> None:
    height = 4
    assert has_four(sum(1 << c * (height + 1) + r for c, r in line), height)
    around = [(0, 2), (0, 3), (1, 0), (1, 1)]  # neighbours in the numbering but for the empty row above each column
    assert not has_four(sum(1 << c * (height + 1) + r for c, r in around), height)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 8), (8, 1), (3, 3), (2, 4)])
def test_boards_too_small_for_four_are_draws_and_narrow_ones_too(width: int, height: int) -> None:
    assert zermelo.solve(ConnectFour(width, height)).value == 0


def test_dodgem_agrees_with_the_naive_solver() -> None:
    solution, values = ranked_once(Dodgem(3), "interpreted"), naive.solve(Dodgem(3))
    assert solution.report.states == len(values)
    assert all(solution.probe(s).value == v for s, (v,) in values.items())


def test_a_car_leaves_the_board_forwards_only() -> None:
    game = Dodgem(2)
    s = DodgemState((0, 1, 0, 2))  # . > / . ^
    assert list(game.actions(s)) == [(1, 0)]
    ((_, _, after, _),) = game.outcomes(s, (1, 0))
    assert sum(cell == 2 for cell in after.cells) == 0
    assert game.payoff(DodgemState((0, 0, 0, 2))) == 1 and not list(game.actions(DodgemState((0, 0, 0, 2))))


def _covers(session: Session, action: Any) -> bool:
    """Take an action and leave it if a piece is covered after the reply."""
    session.act(action)
    covered = session.rules.revealed(session.state) is not None and not session.is_over
    return covered or not session.undo()


def test_play_tells_distances_and_reveals_covered_pieces(few: None) -> None:
    solution = zermelo.solve(GobbletGobblers(2, 2, True))
    said: list[str] = []
    session = Session(solution)
    assert any(_covers(session, action) for action in [choice.action for choice in session.legal()])
    words = iter(["h", "?", "r", "r", "u", "?", "r", "q"])
    converse(session, lambda prompt: next(words), lambda *text: said.append(" ".join(text)))
    before, after = "\n".join(said).split("taken back")
    assert "a loss in" in before and "what is covered" in before and "x2 o1" in before.replace("o2 x1", "x2 o1")
    assert "what is covered" not in after and "nothing is covered" in after
    with pytest.raises(zermelo.ParameterError, match="not a legal action"):
        Session(solution).act((0, 1, 1))


def test_interrupted_solving_leaves_nothing_behind() -> None:
    def interrupt(what: str, done: int, total: int | None) -> None:
        if "won or lost" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_board(GobbletGobblers(2, 2, True), progress=interrupt)


def test_a_win_is_played_out_against_every_reply() -> None:
    """By rules written once more, with stacks of pieces (benchmarks/gobblet_win.py); another first move does not win."""
    module = benchmark("gobblet_win")
    solution = two_sizes_of_three_pieces(True)
    best = solution.probe(solution.game.start())
    assert (best.value, best.distance) == (1, 11)
    first = module.FirstPlayer(solution)
    assert first.lasts(((),) * 9, 11) == 11
    assert len(first.proven) == 170
    with pytest.raises(AssertionError, match="not won in time"):
        module.FirstPlayer(solution).lasts(((),) * 9, 9)
    other = module.FirstPlayer(solution)
    play = other.choice
    other.choice = lambda board: play(board) if any(board) else (1, -1, 0)
    with pytest.raises(AssertionError, match="the second player wins|not won in time|a draw"):
        other.lasts(((),) * 9, 99)

"""Games with decisions that are solved stage by stage from where stages are entered: against the general engine, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from limits import MOST_BRIDGED, lowered
from zermelo.basics.progress import silent
from zermelo.engines.base import GivesUp
from zermelo.engines.entries import again
from zermelo.engines.entries.flow import flow
from zermelo.engines.entries.moments import moments
from zermelo.engines.entries.worker import RUN, Worker, runs_of
from zermelo.engines.explored.engine import ExploredEngine
from zermelo.errors import OutOfReach
from zermelo.kernels.block import room, solve_block
from zermelo.solvers.by_component import Cyclic


class Place(NamedTuple):
    level: int
    spot: int
    side: int


class Ladder(NamedTuple):
    """A random game of levels: on every level one walks in circles among spots until one gets to a level above. `seed` shapes it.

    Everything that the engine of stages has to cope with: two players (in turn by `player`, or PASS), payoffs of both signs, several
    payoffs, ways that are no whole numbers, a spot that leads back to itself, levels that are entered anywhere.
    """

    levels: int = 4
    spots: int = 5
    seed: int = 1
    passing: bool = False
    fraction: bool = False
    payoffs = ("gold", "moves")

    def start(self) -> Place:
        return Place(0, 0, 0)

    def entries(self) -> Iterator[Place]:
        for level in range(self.levels):
            for spot in range(self.spots):
                for side in range(1 if self.passing else 2):
                    yield Place(level, spot, side)

    def stage(self, s: Place) -> int:
        return 10 * s.level

    def player(self, s: Place) -> int:
        return s.side

    def actions(self, s: Place) -> Iterator[int]:
        if s.level < self.levels:
            yield 0
            for more in range((s.spot + self.seed) % 3):
                yield 1 + more

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[float, tuple[float, int], Place, int]]:
        mixed = (self.seed * 7919 + s.level * 31 + s.spot * 17 + s.side * 5 + action * 13) % 1009
        scale = 0.7 if self.fraction else 1.0
        for k in range(3):
            mixed = (mixed * 131 + 71 * k) % 1009
            up = 1 if k == 0 else 0
            side = 0 if self.passing else (s.side + mixed) % 2
            gold = (mixed % 7 - 3) * scale
            sign = -1 if self.passing and mixed % 2 else 1
            yield (1 + mixed % 5) * scale, (gold, 1), Place(s.level + up, mixed % self.spots, side), sign

    def payoff(self, s: Place) -> tuple[float, int]:
        return s.spot - 2, 0


GAMES = [
    Ladder(levels, spots, seed, passing, fraction)
    for seed, (levels, spots) in enumerate([(1, 1), (2, 3), (4, 5), (3, 8), (6, 2), (5, 4)])
    for passing in (False, True)
    for fraction in (False, True)
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_agrees_with_the_general_engine(game: Ladder) -> None:
    """Values, bounds and actions of all states."""
    ours, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert ours.statistics["solver"] == "Entries"
    for name, (low, high) in general.bounds.items():
        assert ours.bounds[name][0] <= high and low <= ours.bounds[name][1]
    assert float(ours.high) - float(ours.low) < 1e-12
    for state in general.space:
        one, two = ours.probe(state), general.probe(state)
        assert one.low <= two.high and two.low <= one.high
        for action, worth in one.actions.items():
            assert isclose(worth, two.actions[action], abs_tol=1e-11)
        best = max if one.player == 0 else min
        assert one.action is None or isclose(one.actions[one.action], best(one.actions.values()), abs_tol=1e-11)


def test_bounds_hold_the_exact_values() -> None:
    for game in GAMES[4:12]:
        ours = zermelo.solve(game)
        if not game.fraction:
            assert ours.low <= zermelo.solve(game, exact=True).value <= ours.high


@pytest.mark.parametrize("stages", [0, 1, 2, 3, 50, 961, 2000, 5001])
def test_runs_hold_each_stage_once_and_few_at_both_ends(stages: int) -> None:
    runs = runs_of(stages)
    assert [k for low, high in runs for k in reversed(range(low, high))] == [*reversed(range(stages))]
    lengths = [high - low for low, high in runs]
    assert all(2 <= n <= RUN for n in lengths) or stages < 2
    assert all(n in (2, 3) for n in (*lengths[:1], *lengths[-1:])) or stages < 2
    assert (RUN in lengths) == (stages >= 2000)


def test_the_same_in_every_run() -> None:
    game = Ladder(6, 7, 3)
    first, second = zermelo.solve(game), zermelo.solve(game)
    one, other = first.answers, second.answers
    assert (one.value == other.value).all() and (one.error == other.error).all()


@pytest.mark.parametrize("game", GAMES[4:12], ids=str)
def test_an_opened_solution_is_to_the_bit_what_was_solved(game: Ladder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values and bounds as the stages were solved; what needs all states has them from the file, and from a file of that file."""
    solution, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    solution.save(tmp_path / "file")
    monkeypatch.setattr(ExploredEngine, "solve", None)  # nothing is solved again
    zermelo.open(tmp_path / "file").save(tmp_path / "second")
    for name in ("file", "second"):
        again = zermelo.open(tmp_path / name)
        assert again.payoffs == solution.payoffs and again.bounds == solution.bounds and again.certificate == solution.certificate
        assert again.statistics == solution.statistics
        for state in general.space:
            assert again.probe(state) == solution.probe(state)
        assert (again.values == solution.values).all() and (again.action_numbers == solution.action_numbers).all()
        assert again.simulate(100, seed=1).mean == solution.simulate(100, seed=1).mean


def test_without_its_rules_a_file_has_the_value_and_all_states(tmp_path: Path) -> None:
    solution = zermelo.solve(Ladder(3, 4, 2))
    solution.save(tmp_path / "file")
    text = f"import zermelo; s = zermelo.open({str(tmp_path / 'file')!r}); print(type(s).__name__, s.value.hex(), s.space.size)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["DataSolution", float(solution.value).hex(), str(solution.space.size)]


def test_what_needs_all_states_is_solved_again() -> None:
    game = Ladder(3, 4, 2)
    ours, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert ours.space.size == general.space.size
    assert ours.simulate(1000, seed=1).mean == general.simulate(1000, seed=1).mean
    assert isclose(ours.evaluate(lambda s: 0).value, general.evaluate(lambda s: 0).value)


def test_states_that_play_never_comes_to(in_python: None) -> None:
    """They are solved with their stage if they belong to one."""
    game = zermelo.solve(Wide(3))
    assert game.probe(Spot(1, 77)).value == 1.0
    with pytest.raises(zermelo.UnreachableState):
        game.probe(Spot(-1, 0))


class Spot(NamedTuple):
    level: int
    spot: int


class Wide(NamedTuple):
    """The spots grow within a stage, beyond all that entries show."""

    levels: int = 3

    def start(self) -> Spot:
        return Spot(0, 0)

    def entries(self) -> Iterator[Spot]:
        for level in range(self.levels):
            yield Spot(level, 0)

    def stage(self, s: Spot) -> int:
        return s.level

    def actions(self, s: Spot) -> Iterator[int]:
        if s.level < self.levels:
            yield 0
            yield 1

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, int, Spot]]:
        if action == 0:
            yield 1, 0, Spot(s.level + 1, 0)
        else:
            yield 1, 0, Spot(s.level, min(s.spot + 1, 1000))
            yield 1, 0, Spot(s.level + 1, 0)

    def payoff(self, s: Spot) -> int:
        return 1


def test_the_layout_is_widened_where_needed(in_python: None) -> None:
    solution = zermelo.solve(Wide(3))
    assert solution.value == 1.0 and solution.statistics["states"] > 3_000


class Forever(NamedTuple):
    """A stage in which one can stay forever: left to the general engine."""

    levels: int = 2
    start = Wide.start
    entries = Wide.entries
    stage = Wide.stage
    actions = Wide.actions

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, int, Spot]]:
        if action == 0:
            yield 1, 0, Spot(s.level, 1 - s.spot)
        else:
            yield 1, -1, Spot(s.level + 1, 0)


def test_play_without_end_goes_to_the_general_engine() -> None:
    solution = zermelo.solve(Forever())
    assert solution.value == 0.0 and solution.statistics["solver"] == "Cyclic"


# --- what is refused ------------------------------------------------------------------------------------------------------------


def fault(game: Any) -> str:
    with pytest.raises(zermelo.RulesError) as told:
        zermelo.solve(game)
    assert len(told.value.faults) == 1
    return told.value.faults[0]


def changed(**members: Any) -> Any:
    """The game Wide with other members."""
    return type("Wide", (Wide,), members)()


def test_a_missing_entry() -> None:
    def entries(self: Any) -> Iterator[Spot]:
        yield Spot(0, 0)
        yield Spot(2, 0)

    what = fault(changed(entries=entries))
    assert (
        what
        == "`entries` does not yield Spot(level=1, spot=0), where a later stage is entered from Spot(level=0, spot=0)"
    )


class Other(NamedTuple):
    level: int
    spot: int


NO_STATES = (1, (0, 0), Other(0, 0), Spot((0,), 0), Spot(0.0, 0), Spot(1 << 63, 0), Spot(0, -1 << 63))


@pytest.mark.parametrize("odd", NO_STATES, ids=str)
def test_entries_that_are_no_states(odd: Any) -> None:
    def entries(self: Any) -> Iterator[Any]:
        yield Spot(0, 0)
        yield odd

    said = fault(changed(entries=entries))
    assert said == f"`entries` yields {odd!r}: it must yield states like the start, Spot(level=0, spot=0)"


def test_entries_that_fail() -> None:
    def entries(self: Any) -> Iterator[Any]:
        raise ValueError("no idea")

    assert fault(changed(entries=entries)) == "`entries` raised ValueError: no idea"


def test_entries_that_are_very_many_or_never_end() -> None:
    """`zermelo check` listed all of them, for minutes; where memory ran out, a fault of the rules was told."""

    def entries(self: Any) -> Iterator[Any]:
        while True:
            yield Spot(0, 0)

    assert zermelo.plan(changed(entries=entries)).engine == "entries"

    def full(self: Any) -> Iterator[Any]:
        yield Spot(0, 0)
        raise MemoryError

    with pytest.raises(zermelo.errors.NoMemory, match=r"memory ran out, .* \(`entries` had yielded 1 state\): give smaller parameters"):
        zermelo.solve(changed(entries=full))


def with_an_error(self: Any, s: Spot) -> int:
    return s.level // (7 - s.level) if s.level == 7 else s.level


def with_a_half(self: Any, s: Spot) -> float:
    return 7.5 if s.level == 7 else s.level


def beyond_64_bits(self: Any, s: Spot) -> int:
    return 2**63 if s.level == 7 else s.level


@pytest.mark.parametrize(("stage", "told"), [
    (with_an_error, "raised ZeroDivisionError: integer division or modulo by zero at Spot(level=7, spot=0)"),
    (with_a_half, "returns 7.5 at Spot(level=7, spot=0): it must be a whole number"),
    (beyond_64_bits, "returns 9223372036854775808 at Spot(level=7, spot=0): stages have 64 bits"),
])  # fmt: skip
def test_a_stage_that_is_none_of_an_entry_that_play_never_comes_to(stage: Any, told: str, in_python: None) -> None:
    """Nothing looks at it before the entries are put in order. An error was a traceback, and the state was not told."""

    def entries(self: Any) -> Iterator[Any]:
        yield from (*Wide.entries(self), Spot(7, 0))  # type: ignore[arg-type]

    assert fault(changed(entries=entries, stage=stage)) == f"`stage` {told}"


def test_members_that_do_not_go_together() -> None:
    def settled(self: Any, s: Spot) -> bool:
        return False

    assert fault(changed(settled=settled)).startswith("`entries` and `settled` do not go together: ")


def test_entries_takes_no_state() -> None:
    def entries(self: Any, s: Spot) -> Iterator[Spot]:
        yield s

    assert "`entries` must be written `def entries(self)`" in fault(changed(entries=entries))


def test_too_many_states(in_python: None) -> None:
    with pytest.raises(zermelo.OutOfReach, match=r"Wide has more than 1,000 states"):
        zermelo.solve(Wide(3), max_states=1000)


def test_bounds_follow_each_other_along_a_long_stage() -> None:
    """At every node of a chain one may stop, which is worth 0 and known, or pay a little and go on to the next; the last leads to what is
    known less well. The rows that ask for most are those that go on, and each shows only at the error of the next node."""
    nodes, price, missed = 40, 1e-13, 1e-10
    stop, far = nodes, nodes + 1
    block = room(nodes + 3, 2 * nodes + 3, 2 * nodes + 3, 1)
    block.first_row[: nodes + 1] = np.arange(0, 2 * nodes + 1, 2)
    block.first_row[nodes + 1 : nodes + 3] = 2 * nodes
    block.first_outcome[: 2 * nodes + 1] = np.arange(2 * nodes + 1)
    block.player[:], block.total[:], block.ways[:] = 0, 1.0, 1.0
    block.reward[:], block.rough[:], block.loose[:] = 0.0, 0.0, 0.0
    block.reward[1::2] = -price
    block.to[: 2 * nodes : 2], block.to[1 : 2 * nodes : 2] = stop, np.arange(1, nodes + 1)
    block.to[2 * nodes - 1] = far
    block.value[[stop, far]], block.error[[stop, far]] = 0.0, [[0.0], [missed]]
    assert solve_block(nodes + 2, block, np.zeros((0, 1)))
    assert (block.value[:nodes] == 0.0).all()
    assert block.error[:nodes, 0] == pytest.approx(missed - price * np.arange(nodes, 0, -1), rel=1e-6)
    assert (block.error[:nodes, 0] >= missed - price * np.arange(nodes, 0, -1)).all()


class Even(NamedTuple):
    """On every level all actions are worth the same; they differ in how long one stays."""

    seed: int
    levels: int
    gold: float
    payoffs = ("gold", "moves")

    def start(self) -> Place:
        return Place(0, 0, 0)

    def entries(self) -> Iterator[Place]:
        for level in range(self.levels):
            yield Place(level, 0, 0)

    def stage(self, s: Place) -> int:
        return s.level

    def actions(self, s: Place) -> Iterator[int]:
        if s.level < self.levels:
            for action in range(3):  # noqa: UP028
                yield action

    def ways(self, level: int, action: int) -> tuple[int, int]:
        """Up and to stay."""
        mixed = (self.seed * 7919 + level * 31 + action * 13) % 1009
        return 1 + mixed % 7, mixed // 7 % 6

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, tuple[float, int], Place]]:
        up, stay = self.ways(s.level, action)
        yield up, (self.gold, 1), Place(s.level + 1, 0, 0)
        yield stay, (0, 1), s

    def payoff(self, s: Place) -> tuple[int, int]:
        return 0, 0


@pytest.mark.parametrize("most", [0, 1000], ids=["large", "small"])
def test_of_equally_good_actions_one_is_played_throughout(in_python: None, most: int) -> None:
    """What is paid, lengths and the policy are of the same optimal policy, although each solves stages again, or the whole game."""
    with lowered(MOST_BRIDGED, most):
        for seed in range(16):
            game = Even(seed, 1 + seed % 4, (0.7, 0.1, 1.1)[seed % 3])
            solution = zermelo.solve(game)
            assert solution.report.engine == "entries"
            moves = 0.0
            for level in range(game.levels):
                up, stay = game.ways(level, solution.best_action(Place(level, 0, 0)))
                moves += 1 + stay / up
            assert solution.payoffs["moves"] == pytest.approx(moves)
            assert solution.length.mean == pytest.approx(moves)


class Walk(NamedTuple):
    """Up a ladder by one or two rungs a move, for a price that depends on the rung; `alone` moves, or both in turn."""

    rungs: int = 5
    alone: int = -1

    def start(self) -> Place:
        return Place(0, 0, 0)

    def actions(self, s: Place) -> Iterator[int]:
        for by in range(1, min(2, self.rungs - s.level) + 1):  # noqa: UP028
            yield by

    def player(self, s: Place) -> int:
        return self.alone if self.alone >= 0 else s.level % 2

    def outcomes(self, s: Place, by: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, (s.level + by) % 3 + by, Place(s.level + by, 0, 0)

    def stage(self, s: Place) -> int:
        return s.level

    def entries(self) -> Iterator[Place]:
        for level in range(self.rungs):
            yield Place(level, 0, 0)


@pytest.mark.parametrize("game", [Walk(1), Walk(2), Walk(2, 0), Walk(2, 1)], ids=str)
def test_how_many_players_choose(game: Walk, in_python: None) -> None:
    """Nobody on a ladder of one rung; one player was told, or two if players differed."""
    solution, general = zermelo.solve(game), zermelo.solve(game, solver=Cyclic())
    assert (solution.report.engine, general.report.engine) == ("entries", "explored")
    assert solution.statistics["players"] == general.statistics["players"] == (0 if game.rungs == 1 else 2 if game.alone < 0 else 1)


@pytest.mark.parametrize("alone", [0, 1])
def test_who_plays_alone_may_be_player_1(alone: int, in_python: None) -> None:
    """His policy was that of nobody: `evaluate` and `simulate` gave the value of optimal play."""
    solution = zermelo.solve(Walk(6, alone))
    assert solution.report.engine == "entries"

    def long(s: Place) -> int:
        return 2

    paid = 4.0 + 3.0 + 2.0  # to rung 2, 4 and 6
    with lowered(MOST_BRIDGED, 0):
        for seat in {0, alone}:
            found, played = solution.evaluate(long, seat=seat), solution.simulate(10, policy=long, seat=seat)
            assert found.value == played.mean == paid and found.seat == alone
            assert found.loss == abs(paid - float(solution.value))
        for ask in (solution.evaluate, lambda p, **given: solution.simulate(10, policy=p, **given)):
            for given in ({"opponent": long}, *([] if alone else [{"seat": 1}])):
                with pytest.raises(zermelo.ParameterError, match="Walk is not a game for two"):
                    ask(long, **given)


class Beside(Walk):
    """Player 1 moves in entry states that play does not come to."""

    def player(self, s: Place) -> int:
        return s[1]

    def entries(self) -> Iterator[Place]:
        for level in range(self.rungs):
            yield Place(level, 0, 0)
            yield Place(level, 1, 0)


@pytest.mark.parametrize("most", [0, 1000], ids=["large", "small"])
def test_a_game_that_is_told_to_be_for_two_takes_an_opponent(most: int, in_python: None) -> None:
    """Where it was solved once more, it was for one."""
    solution = zermelo.solve(Beside(4))
    assert solution.report.engine == "entries" and solution.report.is_for_two

    def short(s: Place) -> int:
        return 1

    with lowered(MOST_BRIDGED, most):
        assert solution.evaluate(short, short).value == solution.simulate(5, policy=short, opponent=short).mean == 8.0


def test_a_policy_is_asked_where_its_player_has_a_choice(in_python: None) -> None:
    """It was asked in the other player's states, too, and where one action is all there is."""
    solution = zermelo.solve(Walk(6))

    def even(s: Place) -> int:
        assert s.level in (0, 2, 4), "not mine"
        return 2

    def odd(s: Place) -> int:
        assert s.level in (1, 3), "not mine"  # at 5 there is one action
        return 2

    with lowered(MOST_BRIDGED, 0):
        assert solution.evaluate(even, odd).value == solution.simulate(10, policy=odd, opponent=even, seat=1).mean == 9.0
        assert solution.best_response(odd).seat == 0 and solution.evaluate(odd, seat=1).seat == 1
        nothing: Any = lambda s: None  # noqa: E731
        for ask in (solution.evaluate, solution.best_response, lambda p: solution.simulate(10, policy=p)):
            with pytest.raises(zermelo.ParameterError, match=r"^the policy returns None at Place\(level=\d, .*\), where 1, 2 are legal$"):
                ask(nothing)


class Past(NamedTuple):
    """From the first level play goes past the second, if it is good: to go there costs 1."""

    levels: int = 3

    def start(self) -> Spot:
        return Spot(0, 0)

    def stage(self, s: Spot) -> int:
        return s.level

    def entries(self) -> Iterator[Spot]:
        for level in range(self.levels):
            yield Spot(level, 0)

    def actions(self, s: Spot) -> Iterator[int]:
        if s.level < self.levels:
            yield 0
            yield 1

    def outcomes(self, s: Spot, action: int) -> Iterator[tuple[int, int, Spot]]:
        if s.level == 0:
            yield 1, action - 1, Spot(1 + action, 0)
        else:
            yield 1, 0, Spot(s.level + 1, action if s.level == 2 else 0)

    def payoff(self, s: Spot) -> int:
        return s.spot


@pytest.mark.parametrize("number", [1, 3])
def test_stages_that_play_does_not_come_to_may_be_too_hard(number: int, in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads solve stages ahead: what was not wanted in the end was refused by several, and not by one."""
    answers = zermelo.solve(Past()).answers
    solve = Worker.solve

    def too_hard(self: Worker, low: int, high: int, at: int, *more: Any) -> int:
        if at == 1:
            raise GivesUp("too hard")
        return solve(self, low, high, at, *more)

    monkeypatch.setattr(Worker, "solve", too_hard)
    monkeypatch.setattr(again, "threads", lambda: number)
    assert flow(answers, None, 10, 1e-9, 1000, silent).ended == {2: 1.0}
    assert flow(answers, 0, 10, 1e-9, 1000, silent).ended == {1: 1.0}
    with pytest.raises(OutOfReach, match="too hard"):
        moments(answers, silent)

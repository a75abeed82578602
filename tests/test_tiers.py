"""Rules and kernels run interpreted say the same as compiled ones, down to the last bit; small games need no compiler."""

from __future__ import annotations

import importlib
import itertools
import math
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import nullcontext
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.engines.exploring import explore
from zermelo.errors import RulesError, ZermeloError
from zermelo.games.named import game_named
from zermelo.kernels import earlier
from zermelo.kernels import kernel as tiers
from zermelo.kernels.block import solve_block
from zermelo.kernels.condense import Rows
from zermelo.kernels.exact_pig import in_place, round_by_round
from zermelo.kernels.from_below import rise
from zermelo.kernels.kernel import Allowance, Kernel, OutOfTime, interpret, kernel, only
from zermelo.kernels.twice import fused
from zermelo.language.rules import read
from zermelo.link import LONG, EnteredRules, StagedRules, again, is_outgrown, patience, remember_outgrown, stages_kernel
from zermelo.link.module import entered_module_text
from zermelo.link.native import NativeEntries
from zermelo.states.layout import Layout

# Random games, of one class, so that the rules are compiled once ---------------------------------------------------------


class At(NamedTuple):
    place: int
    mover: int = 0


def mixed(a, b):
    """A number below 2^31 that looks random."""
    x = (a * 1103515245 + b * 12345 + 1013904223) % 2147483648
    x = (x * 69069 + 1) % 2147483648
    return (x >> 7) + (x & 127) * 16777216


class Wild(NamedTuple):
    """A game drawn by `seed`: states in a line, up to three actions, up to three outcomes, two payoffs."""

    seed: int = 0
    states: int = 12
    back: int = 0  # how far play may lead back
    players: int = 1
    passing: bool = False
    paying: bool = True

    @staticmethod
    def payoffs():
        return ("first", "second")

    def start(self):
        return At(0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        if s.place < self.states:
            for a in range(1 + mixed(self.seed, s.place) % 3):  # noqa: UP028
                yield a

    def outcomes(self, s, a):
        drawn = mixed(self.seed, 8 * s.place + 2 * a + s.mover)
        for k in range(1 + drawn % 3):
            x = mixed(drawn, k)
            step = 1 + x % 4
            if (x >> 5) % 3 == 0 and self.back > 0:
                step = -(x % (self.back + 1))
            to = min(max(s.place + step, 0), self.states + 2)
            pays = 0.1 * ((x >> 9) % 13) - 0.6 if self.paying else 0.0
            sign = -1 if self.passing and (x >> 3) % 2 == 1 else 1
            mover = (s.mover + (x >> 4)) % self.players
            yield 1 + (x >> 6) % 5, (pays, 1), At(to, mover), sign

    def payoff(self, s):
        return 0.7 * (mixed(self.seed, s.place) % 7) - 2, 0


class Both(NamedTuple):
    """Both choose at once, as drawn by `seed`."""

    seed: int = 0
    states: int = 6
    back: int = 0

    def start(self):
        return At(0)

    def actions(self, s):
        if s.place < self.states:
            for a in range(1 + mixed(self.seed, s.place) % 3):  # noqa: UP028
                yield a

    def other_actions(self, s):
        if s.place < self.states:
            for a in range(1 + mixed(self.seed + 1, s.place) % 3):  # noqa: UP028
                yield a

    def outcomes(self, s, a, b):
        drawn = mixed(self.seed, 16 * s.place + 4 * a + b)
        for k in range(1 + drawn % 2):
            x = mixed(drawn, k)
            to = s.place + 1 if x % 3 or self.back == 0 else max(0, s.place - self.back)
            yield 1 + x % 3, 0, At(to)

    def payoff(self, s):
        return mixed(self.seed, s.place) % 9 - 4.5


class Of(NamedTuple):
    stage: int
    place: int
    mover: int = 0


class Turns(NamedTuple):
    """A game of chance in stages, drawn by `seed`; two seats, whose payoffs change places when the table is turned."""

    seed: int = 0
    stages: int = 4
    places: int = 5

    @staticmethod
    def payoffs():
        return ("moves", "first seat", "second seat")

    @staticmethod
    def seats():
        return ("first seat", "second seat")

    def start(self):
        return Of(0, 0)

    def stage(self, s):
        return s.stage

    def space(self, stage):
        return (range(stage, stage + 1), range(self.places), range(1)) if stage <= self.stages else None

    def turned(self, s):
        return Of(s.stage, s.place), s.mover

    def outcomes(self, s):
        if s.stage < self.stages:
            for k in range(2 + mixed(self.seed, s.place + 31 * s.stage) % 3):
                x = mixed(self.seed + 7 * s.stage + s.place, k)
                onwards = 1 if k == 0 else (x >> 3) % 2
                pays = (1, 0.1 * (x % 5), 0) if s.mover == 0 else (1, 0, 0.1 * (x % 5))
                yield 1 + x % 4, pays, Of(s.stage + onwards, (x >> 7) % self.places, (s.mover + (x >> 12)) % 2)

    def payoff(self, s):
        return (0, 1, 0) if s.mover == 0 else (0, 0, 1)


class Laps(NamedTuple):
    """A game with decisions in stages, drawn by `seed`, entered at the places 0 and 1 of each."""

    seed: int = 0
    stages: int = 4
    places: int = 5
    passing: bool = False

    def start(self):
        return Of(0, 0)

    def stage(self, s):
        return s.stage

    def entries(self):
        for stage in range(self.stages):
            for place in range(2):
                for mover in range(2):
                    yield Of(stage, place, mover)

    def player(self, s):
        return s.mover

    def actions(self, s):
        if s.stage < self.stages:
            for a in range(1 + mixed(self.seed, s.place + 31 * s.stage) % 3):  # noqa: UP028
                yield a

    def outcomes(self, s, a):
        drawn = mixed(self.seed + 7 * s.stage, 8 * s.place + 2 * a + s.mover)
        for k in range(2 + drawn % 2):
            x = mixed(drawn, k)
            onwards = 1 if k == 0 else (x >> 3) % 2
            place = (x >> 7) % (2 if onwards == 1 else self.places)
            sign = -1 if self.passing and x % 3 == 0 else 1
            yield 1 + x % 4, 0.1 * (x % 7), Of(s.stage + onwards, place, (s.mover + (x >> 12)) % 2), sign

    def payoff(self, s):
        return 0.7 * (mixed(self.seed, s.place) % 7) - 2


def bits(array: Any) -> Any:
    return None if array is None else (array.dtype, array.shape, array.tobytes())


def said(game: Any, **options: Any) -> Any:
    """All that is known of a game, or why it has no answer."""
    try:
        return told(zermelo.solve(game, **options))
    except ZermeloError as error:
        return type(error), str(error)


def told(solution: Any) -> Any:
    a = solution.answers
    facts = {k: v for k, v in a.report.facts.items() if k != "interpreted"}
    mixtures = getattr(a, "mixtures", None)
    arrays = [getattr(a, name, None) for name in ("value", "error", "policy", "distance")]
    kept = [array if array is None else bits(np.asarray(array)) for array in arrays]
    keys = getattr(a, "keys", None)  # they depend on the layout, and that on how many states were examined first, in a time
    states = None if keys is None else a.layout.unpack_many(np.asarray(keys))
    return kept, mixtures and tuple(map(bits, mixtures)), a.argument, a.report.solver, a.report.engine, facts, solution.value, states


def agree(game: Any, **options: Any) -> Any:
    with only("interpreted"):
        interpreted = said(game, **options)
    with only("compiled"):
        assert said(game, **options) == interpreted, (game, options)
    return interpreted


def test_rules_are_compiled_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with only("interpreted"):
        expected = said(Wild(states=200))
    for seconds in ("SHORT", "LONG"):
        monkeypatch.setattr(f"zermelo.link.tiers.{seconds}", 1e-4)
    solution = zermelo.solve(Wild(states=200))
    assert not solution.report.facts["interpreted"]
    assert said(Wild(states=200)) == expected


def solved_in_both(kind: int, seeds: range) -> int:
    """How many of these games have a value."""
    solved = 0
    for seed in seeds:
        options = {"discount": 0.9} if seed % 3 == 0 and kind >= 2 else {}
        game = Wild(
            seed,
            states=4 + seed % 20,
            back=(0, 0, 2, 9, 3, 30)[kind],
            players=(1, 2, 1, 2, 1, 2)[kind],
            paying=kind < 3,
        )
        solved += not isinstance(agree(game, **options)[0], type)
    return solved


@pytest.mark.parametrize("kind", range(6))
def test_random_games_in_both_tiers(kind: int) -> None:
    assert solved_in_both(kind, range(15)) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(6))
def test_many_random_games_in_both_tiers(kind: int) -> None:
    assert solved_in_both(kind, range(30, 400)) >= 120


def test_random_games_of_chance_in_stages_in_both_tiers() -> None:
    for seed in range(18):
        assert agree(Turns(seed, 1 + seed % 6, 1 + seed % 9))[4] == "stages"


def test_random_games_with_decisions_in_stages_in_both_tiers() -> None:
    engines = [agree(Laps(seed, 1 + seed % 6, 2 + seed % 7, seed % 2 == 1))[4] for seed in range(18)]
    assert engines.count("entries") >= 15


def allow(monkeypatch: pytest.MonkeyPatch, code: str, short: float, long: float, **seconds: float) -> None:
    """Seconds that Python may take, and where machine code of rules is."""
    for name, value in {"SHORT": short, "LONG": long, **seconds}.items():
        monkeypatch.setattr(f"zermelo.link.tiers.{name}", value)
    monkeypatch.setattr("zermelo.link.tiers.machine_code", lambda text: code)
    monkeypatch.setattr("zermelo.link.again._seconds", {})


@cache
def interpreted_only(game: Any) -> Any:
    with only("interpreted"):
        return said(game)


def is_interpreted(game: Any) -> bool:
    """Whether it is solved by Python to the end; nothing else may depend on that."""
    solution = zermelo.solve(game)
    assert told(solution) == interpreted_only(game)
    return bool(solution.report.facts["interpreted"])


def test_stages_are_begun_anew_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    allow(monkeypatch, "missing", 0.02, 0.02, WRITING=0.0, FILLING=0.0)
    monkeypatch.setattr("zermelo.link.tiers.stages_kept", lambda *given: True)
    assert not is_interpreted(Turns(3, 30, 20)) and not is_interpreted(Laps(4, 40, 20))


def test_stages_that_took_too_long_are_compiled_at_once_next_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every command waited for a third of a second for Python before it loaded the machine code of, say, `dreidel --players 3`."""
    monkeypatch.setattr("zermelo.link.outgrown.cache_directory", lambda: tmp_path)
    monkeypatch.setattr("zermelo.link.tiers.stages_kept", lambda *given: True)
    allow(monkeypatch, "missing", 0.001, 0.001, WRITING=0.0, FILLING=0.0)
    for game, kind in ((Turns(3, 30, 20), StagedRules), (Laps(4, 40, 20), EnteredRules)):
        rules = read(game)
        layout = Layout.of([rules.start])
        kind(rules, layout)._remember(0.0005)  # less than it takes to load machine code
        assert kind(rules, layout)._interpreted and not is_interpreted(game)
        assert not kind(rules, layout)._interpreted and kind(read(game._replace(seed=9)), layout)._interpreted
        assert not is_outgrown(rules)  # where its states are explored, Python may be quick


def test_equations_are_written_by_python_while_compiling_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """`left-center-right players=4`, 1,365 states, which Python solves in 1.5 s, took 5 s with nothing compiled."""
    game = Turns(3, 30, 20)
    allow(monkeypatch, "missing", 0.005, 0.01, WRITING=10_000.0)
    monkeypatch.setattr("zermelo.link.again._before", {read(game).hash: 0.0})
    assert is_interpreted(game)
    for which, already in (("_seconds", {Turns: 10_000.0}), ("_before", {read(game).hash: 10_000.0})):  # in this process, or in others
        with monkeypatch.context() as solved_again_and_again:
            solved_again_and_again.setattr(f"zermelo.link.again.{which}", already)
            assert not is_interpreted(game)
    allow(monkeypatch, "kept", 0.005, 0.01, WRITING=10_000.0)
    assert not is_interpreted(game)


def test_rules_are_not_compiled_in_every_process_where_that_can_not_be_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Once all processes together had taken as long as compiling does, each compiled them: 4 s instead of 2."""
    game = Turns(3, 30, 20)
    rules = read(game)
    monkeypatch.setattr("zermelo.link.tiers.is_kept", lambda text: False)
    monkeypatch.setattr("zermelo.kernels.earlier.cache_directory", lambda: tmp_path)
    monkeypatch.setattr(earlier, "_counted", [])
    earlier.seconds_before(again._name(rules), lambda: 10_000.0)
    for compiles in (True, False, False):
        earlier.keep()
        monkeypatch.setattr(again, "_before", {})
        allow(monkeypatch, "missing", 0.005, 0.01, WRITING=10_000.0)
        assert is_interpreted(game) is not compiles


class Unlike(Turns):
    """Rules that the compiler can't take, as its types show."""

    def payoff(self, s):
        kinds = (0, (s.place, 1))
        kinds = (kinds[s.mover], 0)
        return Turns.payoff(self, s)


class UnlikeLaps(Laps):
    def actions(self, s):
        kinds = (0, (s.place, 1))
        kinds = (kinds[s.mover], 0)
        for a in Laps.actions(self, s):  # noqa: UP028
            yield a


REFUSED = r"^Python goes on running \w+, .* for 30 s at most: these rules run in Python but can't be compiled in the line `kinds"
NOT_ALONE = r"can't be compiled in the line `kinds.*\. Python alone may take 0 s, and needs longer: change what the compiler refuses"


def test_rules_of_stages_that_the_compiler_can_not_take_are_not_refused_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python took as long as compiling does, the noise of a machine decided whether rules were refused; and those that it had solved
    twice were refused at last: what was compiled until then seemed to be all, or another thread was refused later."""
    for name, value in {"SHORT": 0.005, "LONG": 0.01, "WRITING": 10_000.0, "ONE_STAGE": 0.0, "STAGES": 0.0, "FILLING": 0.0}.items():
        monkeypatch.setattr(f"zermelo.link.tiers.{name}", value)
    monkeypatch.setattr("zermelo.engines.stages.equations.LEAST", 1)
    monkeypatch.setattr(again, "_seconds", {Unlike: 10_000.0})
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    monkeypatch.setattr("zermelo.basics.threads._asked", [3])
    remember_outgrown(read(Unlike(3, 9, 20)), "stages")
    with pytest.warns(UserWarning, match=REFUSED):
        assert is_interpreted(Unlike(3, 9, 20))
    assert is_interpreted(Unlike(4, 9, 20)) and not is_outgrown(read(Unlike(3, 9, 20)), "stages")
    with pytest.warns(UserWarning, match=REFUSED):
        assert is_interpreted(UnlikeLaps(4, 40, 20))
    for name in ("ALONE", "TIMES"):
        monkeypatch.setattr(f"zermelo.link.alone.{name}", 0)
    again._seconds[Unlike] = 10_000.0
    for game in (Unlike(3, 9, 20), UnlikeLaps(4, 40, 20)):
        with pytest.raises(RulesError, match=NOT_ALONE):
            zermelo.solve(game)
    monkeypatch.setattr("zermelo.link.tiers.LONG", 10.0)
    with only("compiled"), pytest.raises(RulesError, match="can't be compiled"):
        zermelo.solve(Unlike(3, 9, 20))


def test_machine_code_is_looked_for_with_the_layout_that_states_need_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was with the first one: where that was too narrow, Python went on as long as compiling takes, in every process."""
    rules, asked = read(Laps()), list[str]()
    monkeypatch.setattr("zermelo.link.tiers.machine_code", lambda text: asked.append(text) or "kept")
    narrow, wide = (Layout.of([Of(0, 0), Of(9, most)]) for most in (9, 1 << 40))
    entered = EnteredRules(rules, narrow)
    entered._give_up("fill_block")
    with pytest.raises(OutOfTime):
        entered._in_time_with(wide, "fill_block")
    assert not entered._is_missing() and asked[-1] == entered_module_text(rules, wide).text != entered_module_text(rules, narrow).text


def test_python_gives_up_early_where_it_would_take_much_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What threads had not finished counted as if it had been lost: chance decided whether `dreidel --players 3` compiled its rules."""
    rules, clock = read(game_named("left-center-right", players=2)), [0.0]
    monkeypatch.setattr("time.thread_time", lambda: clock[0])
    monkeypatch.setattr(StagedRules, "_is_missing", lambda rules: True)
    monkeypatch.setattr("zermelo.link.again._seconds", {})
    monkeypatch.setattr("zermelo.link.again._before", {rules.hash: 0.0})
    monkeypatch.setattr("zermelo.link.tiers.is_outgrown", lambda *rules: False)

    def does(found: int | None, seconds: float) -> int:
        clock[0] += seconds
        if found is None or not staged._interpreted:
            raise OutOfTime
        return found

    staged, results = StagedRules(rules, Layout.of([rules.start])), iter([None, 7])
    assert staged._while_it_pays("write_rows", lambda: does(0, 0.1), 10, 100, 2.0) == 0
    assert staged._while_it_pays("write_rows", lambda: does(next(results), 0.2), 40, 90, 2.0) == 7
    for seconds, left, goes_on in ((0.01, 100, True), (0.01, 1000, False), (0.1, 50, False)):
        staged = StagedRules(rules, Layout.of([rules.start]))
        assert staged._while_it_pays("write_rows", lambda: does(1, seconds), 1, left, 2.0) == 1  # noqa: B023
        with nullcontext() if goes_on else pytest.raises(OutOfTime):
            staged._while_it_pays("write_rows", lambda: does(0, 0.0), 1, left, 2.0)


def test_reading_patterns_is_no_reason_to_compile_what_solves_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ten-thousand-race goal=20`, which Python solves in 2 s, took 13 s now and then: rules were compiled while patterns were read, and
    then the kernel of stages, since the rules were."""
    allow(monkeypatch, "loaded", 0.01, 0.01, STAGES=10_000.0)
    monkeypatch.setattr("zermelo.link.tiers.stages_kept", lambda *given: False)
    monkeypatch.setattr("zermelo.link.native.NativeEntries.solve_stages", lambda *given: pytest.fail("compiled"))
    is_interpreted(Laps(4, 40, 20))


@pytest.mark.parametrize("way", ["in Python", "large", "kernel kept", "large, kernel kept"])
def test_stages_are_solved_by_python_while_compiling_takes_longer(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing compiled, the kernel of stages took 12 s for games that Python solves in one, and with it on disk an edited game took 3 s:
    not if the first stages show that Python takes longer."""
    stages, filling = (0.1 if way == slow else 10_000.0 for slow in ("large", "large, kernel kept"))
    allow(monkeypatch, "missing", 0.01, 0.01, STAGES=stages, FILLING=filling)
    monkeypatch.setattr("zermelo.link.tiers.stages_kept", lambda *given: "kept" in way)
    assert is_interpreted(Laps(4, 40, 20)) == ("large" not in way)


def test_a_stage_that_is_solved_again_needs_no_kernel_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 2 s more to compile, to check eight stages of a race by its rules."""
    needed, solved = [], NativeEntries.solve_stages

    def noted(self: NativeEntries, layout: Layout, lifted: bool, *arguments: Any) -> int:
        kernel, given = stages_kernel(lifted, *arguments)
        why = solved(self, layout, lifted, *arguments)
        needed.append((kernel, kernel.is_kept(given)))
        return why

    monkeypatch.setattr(NativeEntries, "solve_stages", noted)
    asked, found = [Of(2, 3), Of(4, 2, 1), Of(5, 4)], []
    for tier in tiers.TIERS:
        with only(tier):
            solution = zermelo.solve(Laps(5, 6, 5))
            needed.clear()
            found.append([(solution.probe(state), solution.best_action(state)) for state in asked])
    assert found[0] == found[1] and set(needed) == {(solve_block, True)}


def test_random_games_that_pass_in_both_tiers() -> None:
    for seed in range(12):
        agree(Wild(seed, 4 + seed % 12, back=(0, 3)[seed % 2], passing=True), **({"discount": 0.9} if seed % 2 else {}))


def test_random_games_in_which_both_choose_at_once_in_both_tiers() -> None:
    for seed in range(18):  # each number of states with each length of ways back
        agree(Both(seed, 2 + seed % 6, back=seed // 6))


def test_verbs_of_games_in_stages_in_both_tiers() -> None:
    def all_of(game: Any) -> Any:
        solution = zermelo.solve(game)
        found = [solution.simulate(200, seed=7), solution.length, solution.probe(Of(1, 1, 0))]
        if isinstance(game, Turns):
            return repr([*found, solution.distribution("moves")])
        return repr([*found, solution.evaluate(lambda s: 0).value])

    for game in (Turns(1), Laps(1), Laps(2, passing=True)):
        with only("interpreted"):
            interpreted = all_of(game)
        with only("compiled"):
            assert all_of(game) == interpreted


def test_verbs_in_both_tiers() -> None:
    def all_of(solution: Any) -> Any:
        start = solution.answers.rules.start
        drawn = solution.simulate(300, seed=7)
        moves = solution.distribution("second")
        first = solution.evaluate(lambda s: 0)
        reply = solution.best_response(lambda s: 0, seat=0)
        return repr((drawn, moves, first.value, reply.value, solution.action_value(start, 0)))

    for seed in (0, 1, 2, 4):
        game = Wild(seed, states=15, back=3, players=2, paying=False)
        with only("interpreted"):
            interpreted = all_of(zermelo.solve(game))
        with only("compiled"):
            assert all_of(zermelo.solve(game)) == interpreted


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("pig", {"goal": 6}), ("solitaire-pig", {}), ("hog", {"goal": 6}), ("exact-pig", {"goal": 5}), ("coin-patterns", {"flips": 8}),
        ("left-center-right", {"players": 4, "chips": 1}), ("dreidel", {"players": 4, "coins": 1}),  # their rules are those of test_chance
    ],
)
def test_small_games_of_the_catalogue_in_both_tiers(name: str, small: dict[str, int]) -> None:
    agree(game_named(name, **small))


# Kernels ------------------------------------------------------------------------------------------------------------------


@kernel
def added_slowly(array, times):
    for _ in range(times):
        added_once(array)
    return array[0]


@kernel
def added_once(array):
    for i in range(array.size):
        array[i] += 1.5


@kernel
def wrapped(number):
    return number * np.int64(6364136223846793005) + np.int64(1442695040888963407)


def test_a_call_that_takes_too_long_is_begun_anew_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(tiers, "PATIENCE", 0.01)
    monkeypatch.setattr(tiers, "START", 0.0)  # as if the compiler were loaded, which it may not be
    array = np.zeros(100)
    assert not added_slowly.is_ready
    assert added_slowly(array, 3) == 4.5
    assert not added_slowly.is_ready
    assert added_slowly(array, 30_000) == 45_004.5
    assert added_slowly.is_ready
    assert set(array) == {45_004.5}
    waits = kernel(lambda: time.sleep(0.02))
    waits()
    assert waits.seconds < 0.01  # of the processor


@kernel(undo="counts")
def filled(values, low, counts):
    for i in range(low, low + 3):
        added_once(values[i : i + 1])
        counts[0] += 1


def test_what_other_threads_have_written_stays_where_a_call_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    values, counts = np.zeros(9), np.zeros(1, np.int64)

    def interrupted(function: Any, arguments: Any, allowance: Any) -> None:
        filled.interpreted(values, 3, counts)  # what another thread does, and this one before it is stopped
        filled.interpreted(values, 0, counts)
        raise tiers.OutOfTime

    monkeypatch.setattr(tiers, "interpret", interrupted)
    filled(values, 0, counts)
    assert counts == 3 and np.count_nonzero(values) == 6


@pytest.mark.parametrize(
    ("size", "seconds", "kept", "given_up", "to_be_compiled"),
    [
        (10, 0.5, True, False, False),
        (10, 1.5, True, True, False),
        (10, 1.5, False, False, False),
        (10, 4.5, False, True, True),
        (500_000, 0.0, False, True, True),
        (500_000, 0.0, True, True, False),
    ],
)
def test_python_gives_up_where_it_would_take_longer(
    size: int, seconds: float, kept: bool, given_up: bool, to_be_compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A race of a million states took ten seconds with nothing compiled, and 4.2 once it was edited."""
    foreseen, arguments = kernel(lambda x: x), (np.zeros(size),)
    foreseen.to_compile = 3.0
    monkeypatch.setattr(tiers.Kernel, "is_kept", lambda *_: kept)
    monkeypatch.setattr(tiers, "COMPILER", "not.loaded")
    assert foreseen.foresee(seconds, arguments) == to_be_compiled
    assert (foreseen.patience(arguments) == 0.0) == given_up
    assert not foreseen.foresee(seconds, arguments) or not given_up  # said once


def test_value_iteration_looks_at_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that works on small arrays for long, and calls no other but for that."""
    monkeypatch.setattr(tiers, "PATIENCE", 0.01)
    monkeypatch.setattr(rise, "is_ready", False)
    size = 300
    ring = np.append(np.arange(1, size), 0).astype(np.int32)
    starts, half = np.arange(size + 1), np.full(size, 0.5)
    rows = Rows(0, starts, starts, ring, half, half[:, None], np.zeros((size, 1), bool), np.zeros(size, np.int8))
    value = np.zeros((size + 1, 1))
    rise(rows, np.arange(size, dtype=np.int32), 1.0, -1.0, 3000, value, np.zeros(size, np.int32))
    assert rise.is_ready
    assert value[:-1] == pytest.approx(1.0, rel=1e-12)


def test_machine_code_that_is_kept_is_loaded_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(tiers.Kernel, "to_compile", 2.0)
    added_once.compiled(np.zeros(3))
    again, never = tiers.Kernel(added_once.function, added_once.options), tiers.Kernel(wrapped.function, {})
    assert again.is_kept((np.zeros(5),)) and not never.is_kept((1, 2))
    assert not again.is_kept((np.zeros(3, np.float32),))  # for other numbers it is not
    for kernel_, of, seconds, expected in ((again, np.zeros(3), 0.004, 0.006), (again, np.zeros(3), 0.02, -0.01)):
        kernel_.seconds = seconds
        assert kernel_.patience((of,)) == pytest.approx(expected)
    for seconds, expected in ((0.15, 1.0), (2.5, 0.0)):
        never.seconds = seconds
        assert never.patience((1, 2)) == expected


def test_what_has_been_compiled_since_it_was_looked_for_is_known() -> None:
    """Python solved a stage of `house-race` for eight seconds, while the machine code that had solved all of them lay in memory."""
    once_more = tiers.Kernel(wrapped.function, {})
    assert not once_more.is_kept((1,))
    once_more.compiled(1)
    assert once_more.is_kept((1,))


def test_patience_is_half_of_what_compiling_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many bytes of Python's code as there are, those of kernels that are called included, take time."""
    calling = kernel(lambda x: wrapped(x) + wrapped(wrapped(x)))
    sizes = [len(k.function.__code__.co_code) for k in (calling, wrapped)]
    assert calling.to_compile == pytest.approx(tiers.BYTE * sum(sizes))
    slow, quick = kernel(lambda: 1), kernel(lambda: 1)
    slow.to_compile, quick.to_compile = 3.0, 0.1
    monkeypatch.setattr(tiers.Kernel, "is_kept", lambda *_: False)
    monkeypatch.setattr(tiers, "COMPILER", "not.loaded")
    assert slow.patience(()) == 2.0 and slow.handles([200_000, 200_000]) and not slow.handles([200_000] * 3)
    assert not slow.handles([tiers.SMALL + 1])  # arrays of large games are passed on to other threads
    part = np.empty(200_000)
    for given, seconds in (((part,) * 3, 0.4), ((part,) * 9, 0.0), ((np.empty(tiers.SMALL + 1),), 0.0)):  # a short attempt, or none
        assert slow.patience(given) == pytest.approx(seconds)
    slow.seconds = 0.5
    assert slow.patience((part,) * 3) < 0.0
    slow.seconds = 0.0
    monkeypatch.setattr(tiers, "COMPILER", "sys")
    assert slow.patience(()) == 1.5 and not slow.handles([200_000, 200_000])
    assert quick.patience(()) == tiers.PATIENCE and quick.handles([tiers.SMALL])


def test_machine_code_of_earlier_processes_is_loaded_where_python_takes_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that had been given before let Python run a kernel for two seconds, since the compiler was not loaded."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(tiers, "COMPILER", "not.loaded")
    monkeypatch.setattr(tiers.Kernel, "to_compile", 1.0)
    for before, seconds, goes_on in ((0.0, 0.5, True), (0.9, 0.3, True), (0.9, 0.5, False), (0.0, 1.1, False)):
        kernel_ = tiers.Kernel(wrapped.function, {})
        kernel_.seconds, kernel_.seconds_before = seconds, before
        assert (kernel_.patience((1, 2)) > 0.0) == goes_on


def test_what_takes_half_a_second_of_every_process_is_compiled_by_one_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each counted its own seconds only, so that none of them ever had enough of it."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setitem(sys.modules, tiers.COMPILER, sys.modules.get(tiers.COMPILER, ModuleType("loaded")))
    monkeypatch.setattr(tiers.Kernel, "is_kept", lambda *_: False)
    monkeypatch.setattr(tiers.Kernel, "to_compile", 2.0)
    for process in range(5):
        kernel_ = tiers.Kernel(wrapped.function, {})
        assert kernel_.patience((1, 2)) == (tiers.MOMENT if process >= 4 else 1.0)
        kernel_.seconds = 0.5
        assert kernel_.patience((1, 2)) == (0.0 if process >= 3 else 1.0)
        earlier.keep()
    (kept,) = (tmp_path / earlier.FOLDER).iterdir()
    kept.write_text("damaged")
    kernel_ = tiers.Kernel(wrapped.function, {})
    kernel_.seconds = 0.5
    assert kernel_.patience((1, 2)) == 1.0
    kernel_.seconds = 2.0
    assert kernel_.patience((1, 2)) == 0.0


def test_a_kernel_waits_for_the_compiler_that_another_thread_is_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python names a module among those that are loaded before it has run: what the module has not defined yet was asked for."""
    importlib.import_module("zermelo.kernels.machine")  # which needs the whole one
    half = ModuleType(tiers.COMPILER)
    monkeypatch.setitem(sys.modules, tiers.COMPILER, half)

    def compiler() -> Any:  # waits for the other thread, as an import does
        half.kinds = lambda compiled, arguments: arguments  # type: ignore[attr-defined]
        half.is_kept = lambda compiled, kinds: True  # type: ignore[attr-defined]
        return lambda **options: lambda function: function

    monkeypatch.setattr(tiers, "compiler", compiler)
    assert kernel(lambda: 1).is_kept(())


def test_whole_numbers_wrap_round_in_both_tiers() -> None:
    for number in (np.int64(3), np.int64(2**62), np.int64(-5)):
        with only("interpreted"):
            interpreted = wrapped(number)
        with only("compiled"):
            assert wrapped(number) == interpreted
        assert type(interpreted) is int


def test_a_product_and_a_sum_rounded_once() -> None:
    dice = np.random.default_rng(3)
    for _ in range(200):
        a, b = dice.normal(size=2) * 2.0 ** dice.integers(-300, 300, 2)
        product = a * b
        assert Fraction(fused.interpreted(a, b, -product)) == Fraction(a) * Fraction(b) - Fraction(product)


# Without a compiler -------------------------------------------------------------------------------------------------------

OWN = """
    from typing import NamedTuple
    from zermelo.spaces import product

    class S(NamedTuple):
        n: int
        k: int = 0

    class Climb(NamedTuple):
        goal: int = 6

        def start(self):
            return S(0)

        def player(self, s):
            return s.n % 2

        def actions(self, s):
            if s.n < self.goal:
                yield 1
                yield 2

        def outcomes(self, s, a):
            yield 1, 1, S(min(s.n + a, self.goal))
            yield a, 0, S(max(s.n - 1, 0))

    class Rooms(Climb):
        "with decisions, in stages"

        def stage(self, s):
            return s.n

        def entries(self):
            for n in range(self.goal):
                yield S(n)

        def outcomes(self, s, a):
            yield 1, 1, S(s.n + 1)
            yield a, 0, S(s.n, min(s.k + a, 3))

    class Turns(NamedTuple):
        "of chance, in stages"

        def start(self):
            return S(0)

        def stage(self, s):
            return s.n

        def space(self, stage):
            return (range(stage, stage + 1), range(4)) if stage <= 6 else None

        def outcomes(self, s):
            if s.n < 6:
                yield 1, 1, S(s.n + 1)
                yield 2, 1, S(s.n, (s.k + 1) % 4)

    class Both(NamedTuple):
        "simultaneous moves"

        def start(self):
            return S(0)

        def actions(self, s):
            if s.n < 4:
                yield 1
                yield 2

        def other_actions(self, s):
            if s.n < 4:
                yield 1
                yield 2

        def outcomes(self, s, a, b):
            yield 1, (1 if a == b else -1), S(s.n + 1)
            yield 1, 0, S(s.n)

    class Board(NamedTuple):
        "a board game whose positions are ranked"

        def start(self):
            return S(7)

        def space(self):
            return product(range(8), range(1))

        def actions(self, s):
            for a in range(1, 3):
                if a <= s.n:
                    yield a

        def outcomes(self, s, a):
            yield 1, 0, S(s.n - a), -1

        def payoff(self, s):
            return -1
"""
USED = """
    import sys
    sys.path.insert(0, ".")
    import own, zermelo
    from zermelo.games.kuhn_poker import KuhnPoker
    for name in sys.argv[1:]:
        game = getattr(own, name, KuhnPoker)()
        zermelo.check(game), zermelo.plan(game)
        solution = zermelo.solve(game)
        report, rules = solution.report, solution.game
        solution.value, solution.simulate(20), solution.save(f"{name}.solution")
        used = ["solved"]
        if report.engine != "hidden":
            start = rules.start()
            zermelo.open(f"{name}.solution", game).probe(start)
            solution.distribution(), solution.length, solution.probe(start), solution.certificate
            if report.engine == "explored" and name != "Both":
                solution.export_certificate(f"{name}.certificate")
                zermelo.verify(f"{name}.certificate", game)
                used.append("verified")
            if report.engine != "stages":
                solution.evaluate(lambda s: 1), solution.best_response(lambda s: 1, seat=0)
                used.append("answered")
            assert report.facts["interpreted"]
        print(name, report.engine, *used, *sorted({"numba", "scipy", "llvmlite"} & set(sys.modules)))
"""
WITHOUT_A_COMPILER = {
    "Climb": "explored solved verified answered",
    "Rooms": "entries solved answered",
    "Turns": "stages solved",
    "Both": "explored solved answered",
    "Board": "explored solved verified answered",
    "KuhnPoker": "hidden solved scipy",  # comes last: the others do not load scipy
}


def test_small_games_are_solved_and_used_without_a_compiler(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(textwrap.dedent(OWN))
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(USED), *WITHOUT_A_COMPILER], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.stdout.splitlines() == [f"{name} {said}" for name, said in WITHOUT_A_COMPILER.items()], ran.stderr


PATIENCE = """
import sys
import time
from own import Climb
from zermelo.language.rules import read
from zermelo.engines.exploring.explore import for_python
from zermelo.link import remember_outgrown
from zermelo.states.layout import Layout
for game in (Climb(), Climb(goal=9)):
    rules = read(game)
    print(for_python(rules, Layout.of([rules.start])).seconds)
    if "remember" in sys.argv:
        remember_outgrown(rules)
        break
"""


def test_a_game_that_took_too_long_is_compiled_at_once_next_time(tmp_path: Path) -> None:
    """With these parameters and these rules, no others."""
    own = tmp_path / "own.py"
    own.write_text(textwrap.dedent(OWN))

    def said(*words: str) -> list[float]:
        environment = {**os.environ, "ZERMELO_CACHE": str(tmp_path / "cache")}
        ran = subprocess.run(
            [sys.executable, "-B", "-c", PATIENCE, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert not ran.stderr
        return list(map(float, ran.stdout.split()))

    assert said("remember") == [LONG]
    assert said() == [0.0, LONG]
    own.write_text(own.read_text().replace("yield 2", "yield 3"))
    assert said() == [LONG, LONG]


@pytest.mark.parametrize(
    ("moment", "code", "asked", "interpreted"),
    [(60.0, "missing", 0, True), (1e-9, "missing", 1, True), (1e-9, "kept", 1, False), (1e-9, "loaded", 1, False)],
)
def test_where_machine_code_is_matters_only_after_a_moment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, moment: float, code: str, asked: int, interpreted: bool
) -> None:
    """Finding out means writing the module, which was most of the time of a small game in a process that has compiled before."""
    importlib.import_module("numba")
    looked: list[str] = []
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(again, "_seconds", {})
    monkeypatch.setattr("zermelo.link.tiers.SHORT", moment)
    monkeypatch.setattr("zermelo.link.tiers.LONG", moment + 60.0)
    monkeypatch.setattr("zermelo.link.tiers.machine_code", lambda text: (looked.append(text), code)[1])
    monkeypatch.setattr("zermelo.link.tiers.compiled_here", set())
    assert explored_of(Wild(seed=5)).is_interpreted is interpreted
    assert len(looked) == asked
    monkeypatch.setattr("zermelo.link.tiers.compiled_here", {Wild})
    assert explored_of(Wild(seed=5)).is_interpreted is (interpreted and code != "loaded")
    assert len(looked) == asked + 1


@pytest.mark.parametrize("game", [Turns(3, 4, 5), Laps(4, 4, 5)], ids=["chance", "decisions"])
def test_it_matters_only_after_a_moment_in_stages_too(monkeypatch: pytest.MonkeyPatch, game: Any) -> None:
    """As the module was written first, a small race took twice as long in a process that has compiled before."""
    looked: list[str] = []
    importlib.import_module("numba")
    monkeypatch.setattr("zermelo.link.tiers.LONG", 60.0)
    monkeypatch.setattr("zermelo.link.tiers.machine_code", lambda text: (looked.append(text), "missing")[1])
    monkeypatch.setattr("zermelo.link.tiers.compiled_here", set())
    for moment in (30.0, 1e-9):
        monkeypatch.setattr("zermelo.link.tiers.SHORT", moment)
        assert zermelo.solve(game).report.facts["interpreted"] and bool(looked) == (moment < 1)
    looked.clear()
    monkeypatch.setattr("zermelo.link.tiers.compiled_here", {type(game)})
    monkeypatch.setattr("zermelo.link.tiers.SHORT", 30.0)
    assert zermelo.solve(game).report.facts["interpreted"] and looked


def test_only_a_long_time_in_python_is_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where machine code is at hand Python has a moment only: not enough to send the next process to the compiler. A long time is forgotten
    after a day: it may have been the machine's fault, and the compiler was loaded for good."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(again, "_seconds", {})
    for seconds, remembered in ((1e-9, False), (LONG, True)):
        allowed = Allowance(1e-9)
        allowed.seconds = seconds
        monkeypatch.setattr(explore, "allowance", lambda *_, allowed=allowed: allowed)
        assert not explored_of(Wild(seed=5)).is_interpreted
        assert is_outgrown(read(Wild(seed=5))) is remembered
    (mark,), long_ago = (tmp_path / "outgrown").iterdir(), time.time() - 100_000
    os.utime(mark, (long_ago, long_ago))
    assert not is_outgrown(read(Wild(seed=5)))
    remember_outgrown(read(Wild(seed=5)))
    assert is_outgrown(read(Wild(seed=5)))


class Fan(NamedTuple):
    """From the start to one of so many places, and from there in so many steps to the end."""

    places: int
    steps: int = 1

    def start(self):
        return At(0)

    def outcomes(self, s):
        if s.place == 0:
            for k in range(self.places):
                yield 1, 0, At(1 + k)
        elif s.place > 0:
            yield 1, 0, At(s.place + self.places if s.place <= self.places * (self.steps - 1) else -1)


@pytest.mark.parametrize(
    ("game", "ends", "begun"), [(Fan(1000), True, 0), (Fan(1800), True, 1), (Fan(8000), False, 2), (Fan(40, 200), False, 2)], ids=str
)
def test_python_ends_a_search_that_is_nearly_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: Fan, ends: bool, begun: int
) -> None:
    """Whether a game was explored in 0.29 or 0.31 seconds decided whether its answer took one second or five. Where all of it seems to take
    longer, another process begins. By the clock of this test time passes whenever it is looked at."""
    clock, kinds = itertools.count(1), []
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(again, "_seconds", {})
    monkeypatch.setattr(explore.ahead, "begin", kinds.append)
    monkeypatch.setattr(explore, "allowance", lambda *_: Allowance(LONG))
    monkeypatch.setattr(tiers, "time", SimpleNamespace(**dict.fromkeys(("perf_counter", "thread_time"), lambda: next(clock) * LONG / 1500)))
    assert explore.explore(read(game), [game.start()], kind="cycles").is_interpreted is ends
    assert (next(clock) > 1500) is (begun > 0) and kinds == ["cycles"] * begun  # asked again before the rules are compiled
    kinds.clear()
    if ends:  # it did nothing that the next process would find
        assert explore.explore(read(game), [game.start()], kind="cycles").is_interpreted and not kinds
    monkeypatch.setattr(explore, "allowance", lambda *_: Allowance(math.inf))  # from the beginning on
    native: Any = explore.explore(read(Fan(1)), [game.start()], kind="cycles").native
    assert not native.allowance.is_limited


class Broken(NamedTuple):
    """Fails far from the start; or it is half a player's turn there."""

    mover: float = 0.0

    def start(self):
        return At(0)

    def player(self, s):
        return self.mover if s.place == 2500 else 0

    def actions(self, s):
        if s.place < 3000:
            yield 1

    def outcomes(self, s, a):
        yield 1, 1 // (2500 - s.place + (self.mover > 0)), At(s.place + 1)


@pytest.mark.parametrize("tier", tiers.TIERS)
def test_a_rule_that_fails_far_from_the_start(tier: str) -> None:
    with only(tier), pytest.raises(RulesError, match=r"ZeroDivisionError.*place=2500"):
        zermelo.solve(Broken())
    with only(tier), pytest.raises(RulesError, match="`player` returns 0.5 at .*place=2500.*test_tiers.py line"):  # 0.5 was taken for 0
        zermelo.solve(Broken(0.5))


class Long(NamedTuple):
    """Yields in three places that differ."""

    def start(self):
        return At(0)

    def outcomes(self, s):
        if s.place < 20:
            yield 1, 0, At(s.place + 1)
        if s.place < 10:
            yield s.place, 1, At(s.place + 2)
        if s.place < 5:
            yield 2, s.place, At(s.place + 3)


def test_rules_that_are_too_long_for_the_compiler_are_run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """It took 24 GB and was killed; the limit and the time before compiling are made small here."""
    compiled = zermelo.solve(Long())
    monkeypatch.setattr(explore, "allowance", lambda *_: Allowance(1e-9))
    monkeypatch.setattr("zermelo.link.too_long.MOST_YIELDS", 2)
    solution = zermelo.solve(Long())
    assert solution.report.facts["interpreted"]
    assert any("yields in 3 places that differ, and the compiler copes with 2" in note for note in solution.report.notes)
    assert solution.value == compiled.value
    assert not any("not compiled" in note for note in zermelo.solve(Wild()).report.notes)


def test_rules_that_take_long_to_compile_are_run_by_python_for_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that yields in hundreds of places took two minutes to compile, and three seconds without."""
    rules = read(Long())
    layout = Layout.of([rules.start])
    assert patience(rules, layout) <= LONG
    monkeypatch.setattr("zermelo.link.too_long.SQUARE", 2.0)
    monkeypatch.setattr("zermelo.link.tiers.machine_code", lambda text: "missing")
    assert patience(rules, layout) == 18.0
    monkeypatch.setattr("zermelo.link.too_long.FREE", 0)
    assert 18.0 < patience(rules, layout) < 18.5
    monkeypatch.setattr("zermelo.link.too_long.FREE", 8_000)
    most = patience(read(Wild()), Layout.of([Wild().start()]))  # compiled anyway
    for seconds in (most - 1.0, most):
        monkeypatch.setattr(again, "_seconds", {Wild: seconds})
        assert explored_of(Wild()).is_interpreted is (seconds < most)


class Halves(Broken):
    """Leads to half a place."""

    def outcomes(self, s, a):
        yield 1, 0, At(s.place + 1 if s.place != 2500 else 2500.5)


def test_a_state_that_is_no_whole_number_far_from_the_start() -> None:
    with only("interpreted"), pytest.raises(RulesError, match="place=2500"):
        zermelo.solve(Halves())


# Rules that are asked again and again -----------------------------------------------------------------------------------


@pytest.fixture
def asked_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Python had run the rules of `Wild` for a minute in this process."""
    monkeypatch.setattr(again, "_seconds", {Wild: 60.0})


def explored_of(game: Wild) -> Any:
    rules = read(game)
    return explore.explore(rules, [rules.start])


def test_rules_that_are_asked_again_and_again_are_compiled_at_last(asked_for_long: None) -> None:
    assert not explored_of(Wild(seed=5)).is_interpreted
    with only("interpreted"):
        assert explored_of(Wild(seed=5)).is_interpreted


def test_time_in_python_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(again, "_seconds", {})
    monkeypatch.setattr(explore, "allowance", lambda *_: Allowance(10.0))
    assert explored_of(Wild(seed=5)).is_interpreted
    assert 0 < again._seconds[Wild] < 10


class Strange(Wild):
    """Rules that the compiler can't take, as its types show."""

    def payoff(self, s):
        kinds = (0, (s.place, 1))
        kinds = (kinds[s.mover], 0)
        return Wild.payoff(self, s)


def test_rules_that_python_can_run_and_the_compiler_can_not_are_not_refused_at_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From when they had been compiled in part on, Python had no time at all, nor if it had once taken a little too long."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    monkeypatch.setattr(again, "_seconds", {Strange: 60.0})
    remember_outgrown(read(Strange(seed=5)))
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    with pytest.warns(UserWarning, match=REFUSED):
        assert explored_of(Strange(seed=5)).is_interpreted
    assert explored_of(Strange(seed=6)).is_interpreted
    assert again.seconds_in_python(read(Strange())) == -math.inf
    with only("compiled"), pytest.raises(RulesError):
        explored_of(Strange(seed=7))
    for name in ("ALONE", "TIMES"):
        monkeypatch.setattr(f"zermelo.link.alone.{name}", 0)
    again._seconds[Strange] = 60.0
    with pytest.raises(RulesError, match=NOT_ALONE):
        explored_of(Strange(seed=5))


@kernel(inline="always")
def _next(x: int) -> int:
    return x + 1


@kernel
def _counted(n: int) -> int:
    x = 0
    while x < n:
        x = _next(x)
    return x


def test_a_kernel_that_calls_only_inlined_ones_looks_at_the_time() -> None:
    """Plays of billions of moves were interpreted to their end, for hours."""
    with pytest.raises(OutOfTime):
        interpret(_counted.interpreted, (10**12,), Allowance(0.05))


@pytest.mark.parametrize("method", [round_by_round, in_place], ids=["round by round", "in place"])
def test_published_methods_look_at_the_time(method: Kernel) -> None:
    """Their arrays are their own, and they go over them again and again: 20 seconds, where machine code takes half of one."""
    with pytest.raises(OutOfTime):
        interpret(method.interpreted, (100, 10**9, 0.0), Allowance(0.05))


# Compiled kernels take an index as it is: a negative one would not count from the end ------------------------------------


class Strict(np.ndarray):
    """An array that takes no negative whole number as an index."""

    def _look(self, index: Any) -> None:
        each = index if type(index) is tuple else (index,)
        assert not any(isinstance(i, int | np.integer) and i < 0 for i in each), f"a negative index: {index}"

    def __getitem__(self, index: Any) -> Any:
        self._look(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._look(index)
        super().__setitem__(index, value)


def with_arrays(of: type, value: Any) -> Any:
    """The same, with arrays of this class in it."""
    if isinstance(value, np.ndarray):
        return value.view(of)
    if isinstance(value, tuple):
        made = [with_arrays(of, v) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    return value


class StrictNumpy(ModuleType):
    """numpy, whose new arrays are strict."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if name not in ("empty", "zeros", "ones", "full", "arange", "empty_like", "zeros_like"):
            return found
        return lambda *arguments, **options: found(*arguments, **options).view(Strict)


def forget_interpreted() -> None:
    """Kernels are made anew for Python, with the names of then."""
    for module in [m for name, m in sys.modules.items() if name.startswith("zermelo.kernels.")]:
        for made in [k for k in vars(module).values() if isinstance(k, Kernel)]:
            made.__dict__.pop("interpreted", None)
            made.__dict__.pop("watched", None)


@pytest.fixture
def strict_arrays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python runs all kernels, on strict arrays."""
    among, strict = tiers.kernels_among, {"np": StrictNumpy("numpy")}

    def strictly(function: Any, arguments: tuple[Any, ...], allowance: Allowance) -> Any:
        return with_arrays(np.ndarray, interpret(function, with_arrays(Strict, arguments), allowance))

    with monkeypatch.context() as patched, only("interpreted"):
        patched.setattr(tiers, "_names_of", {})
        patched.setattr(tiers, "kernels_among", lambda names, tier: among(names, tier) | (strict if names.get("np") is np else {}))
        patched.setattr(tiers, "interpret", strictly)
        forget_interpreted()
        yield
    forget_interpreted()


def test_kernels_have_no_negative_indices(strict_arrays: None) -> None:
    with pytest.raises(AssertionError, match="a negative index"):
        kernel(lambda array, k: array[k])(np.arange(3), -1)
    for seed in range(12):
        said(Wild(seed, 4 + seed % 9, seed % 4, 1 + seed % 2, seed % 3 == 0, seed % 5 > 1), **({"discount": 0.9} if seed % 7 == 0 else {}))
        said(Both(seed, 2 + seed % 6, seed % 4))
        said(Turns(seed, 1 + seed % 4, 1 + seed % 7))
        said(Laps(seed, 1 + seed % 4, 2 + seed % 6, seed % 2 == 1))


@pytest.mark.slow
def test_compiled_kernels_stay_within_their_arrays(tmp_path: Path) -> None:
    """The tests of this file, with compiled code that looks at every index, negative ones included."""
    checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "ZERMELO_CACHE": str(tmp_path / "rules")}
    tests = [sys.executable, "-m", "pytest", "-q", "-k", "both_tiers", __file__]
    assert subprocess.run(tests, env=os.environ | checked).returncode == 0


def test_a_tier_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was as good as none."""
    monkeypatch.setenv("ZERMELO_TIER", "Compiled")
    with pytest.raises(zermelo.ParameterError, match="ZERMELO_TIER must be interpreted or compiled, not 'Compiled'"):
        tiers._asked_for()
    monkeypatch.setenv("ZERMELO_TIER", "compiled")
    assert tiers._asked_for() == ["compiled"]

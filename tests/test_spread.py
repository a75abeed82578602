"""Tables of board games spread over parts: the same codes as in one piece. What needs Ray is skipped without it (the extra `cluster`); what
needs several machines is slow."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from asking import solve_board
from test_boards import PASS, Alone, Pile
from zermelo import spaces
from zermelo.basics.progress import silent
from zermelo.basics.sources import program
from zermelo.engines.base import Request
from zermelo.engines.boards.board import who_moves, why_forward
from zermelo.engines.boards.numbering import numbering
from zermelo.engines.boards.spread import conductor as conducting
from zermelo.engines.boards.spread.conductor import Conductor, kept
from zermelo.engines.boards.spread.levels import Leader, OneAfterTheOther, State
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import Part
from zermelo.errors import FileError, ParameterError, RulesError
from zermelo.games import ConnectFour, Dodgem, Pig
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.kernels.status import DRAWN, FIRST
from zermelo.language.rules import read
from zermelo.storage.file import write


def ray() -> Any:
    return pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")


# --- who owns a position ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size, parts, unit", [(1, 1, None), (10, 3, 2), (10, 9, 3), (24, 2, 4), (100_000, 3, None), (23, 5, 1)])
def test_every_number_has_one_owner_and_one_place(size: int, parts: int, unit: int | None) -> None:
    owners = Owners.of(size, parts, unit)
    every = [owners.numbers(k, np.arange(owners.places(k))) for k in range(owners.parts)]
    assert owners.parts <= parts and np.array_equal(np.sort(np.concatenate(every)), np.arange(size))
    for k in range(owners.parts):
        assert all(number // owners.unit % owners.parts == k for number in every[k].tolist())
        begins = np.concatenate([np.arange(b, min(b + owners.unit, size)) for b in owners.begins(k)])
        assert np.array_equal(begins, every[k])


# --- the same codes, without a cluster --------------------------------------------------------------------------------


def spread(
    game: Any, parts: int, unit: int | None = None, takes_back: bool | None = None, due: bool = False
) -> tuple[np.ndarray, State, Any]:
    """Codes of all positions, solved by parts in this process; how far that is, and what the check says."""
    rules = read(game)
    of = numbering(rules)
    owners = Owners.of(of.positions.size, parts, unit)
    back = not why_forward(rules) if takes_back is None else takes_back
    own = [Part(rules, owners, k, back) for k in range(owners.parts)]
    leader = Leader(OneAfterTheOther(own), back, silent, lambda state: None, lambda: due)
    state = leader.solve(State(), of.positions.number(rules.start), of.positions.size)
    compared = leader.compare(1, state, of.positions.size)
    codes = np.zeros(of.positions.size, own[0].codes.dtype)
    for part in own:
        codes[owners.numbers(part.number, np.arange(len(part.codes)))] = part.codes
    return codes, state, compared


class OneOrThree(NamedTuple):
    """Take one or three from a pile until one or none is left: whoever is to move then has won, or lost. In every level one position is
    won, and one is lost."""

    pile: int = 60

    def start(self) -> Pile:
        return Pile(self.pile, 0)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 1:
            yield 1
        if s.left > 2:
            yield 3

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action, 0), PASS

    def payoff(self, s: Pile) -> int:
        return 1 if s.left == 1 else -1

    def space(self) -> Any:
        return spaces.product(range(self.pile + 1), range(1))

    def parents(self, s: Pile) -> Iterator[Pile]:
        for n in (1, 3):
            if 1 < s.left + n <= self.pile:
                yield Pile(s.left + n, 0)


SMALL = GobbletGobblers(1, 3)
GAMES = [
    ("compiled", SMALL, 64), ("compiled", SMALL, None), ("interpreted", OneOrThree(), 4),
    ("interpreted", ConnectFour(2, 4), 50), ("interpreted", Dodgem(2), 4), ("interpreted", Alone(), 1),
]  # fmt: skip


@lru_cache(None, typed=True)
def whole_of(game: Any) -> Any:
    """The answers in one piece, found by Python."""
    with only("interpreted"):
        return solve_board(game).answers


@pytest.mark.parametrize("tier, game, unit", GAMES, ids=repr)
def test_parts_find_the_same_codes(tier: str, game: Any, unit: int | None) -> None:
    whole = whole_of(game)
    with only(tier):
        found = [spread(game, parts, unit) for parts in (1, 2, 3)]
    for codes, state, (compared, different) in found:
        assert np.array_equal(codes, whole.codes) and codes.dtype == whole.codes.dtype
        assert different == -1 and compared == whole.report.states and state.moves == whole.report.facts["moves"]
        movers = who_moves(state.looked, state.moves, state.of_1, state.passes)
        assert movers == {fact: whole.report.facts[fact] for fact in ("players", "passes")}
        assert [level[:3] for level in state.levels] == [(x["moves"], x["won"], x["lost"]) for x in whole.report.facts["levels"]]


def test_looking_forward_again_finds_the_same_codes() -> None:
    back, forward = spread(SMALL, 3, 64), spread(SMALL, 3, 64, takes_back=False)
    assert np.array_equal(back[0], forward[0]) and back[1].bytes < forward[1].bytes


@pytest.mark.parametrize("which", [lambda d: d % 2, lambda d: d % 3 == 0, lambda d: d < 3], ids=["odd", "third", "second"])
def test_any_level_may_look_forward_and_others_take_moves_back(which: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = spread(SMALL, 1)
    monkeypatch.setattr(State, "undecided", property(lambda state: -1 if which(state.next_level) else 1 << 60))
    codes, state, compared = spread(SMALL, 3, 64)
    assert np.array_equal(codes, whole[0]) and compared == whole[2]
    assert [level[:3] for level in state.levels] == [level[:3] for level in whole[1].levels]


def test_a_step_goes_on_with_the_first_positions_where_others_were_reached_since() -> None:
    rules = read(GobbletGobblers(1, 3))
    part = Part(rules, Owners.of(numbering(rules).positions.size, 1, 64), 0, True)
    start = int(numbering(rules).positions.number(rules.start))
    part.at = start + 1
    part.start(start)
    assert part.expand()[0].looked == 1


class Counting(OneAfterTheOther):
    """Writes down the level of every step that takes moves back."""

    def __init__(self, parts: list[Part]):
        super().__init__(parts)
        self.back: list[int] = []

    def each(self, method: str, *arguments: Any) -> list[Any]:
        if method == "push":
            self.back.append(arguments[0])
        return super().each(method, *arguments)


def back_in(game: Any, unit: int) -> tuple[list[int], State]:
    """The levels in which steps of two parts take moves back, and the state at the end."""
    rules = read(game)
    of = numbering(rules)
    owners = Owners.of(of.positions.size, 2, unit)
    crew = Counting([Part(rules, owners, k, True) for k in range(2)])
    leader = Leader(crew, True, silent, lambda state: None, lambda: False)
    return crew.back, leader.solve(State(), of.positions.number(rules.start), of.positions.size)


def test_moves_are_taken_back_from_lost_and_won_positions_in_one_step(in_python: None) -> None:
    back, state = back_in(OneOrThree(), 4)
    assert {level[1:3] for level in state.levels[:-2]} == {(1, 1)} and len(back) == len(set(back)) > 20


def test_where_much_was_decided_the_few_positions_that_are_left_are_looked_at() -> None:
    back, state = back_in(GobbletGobblers(1, 4), 64)
    assert sum(state.first) > state.looked - sum(state.first) and back == [d for d, *_ in state.levels if d > 2]


def test_stopping_again_and_again_to_save_changes_nothing() -> None:
    often, once = spread(GobbletGobblers(1, 3), 2, 64, due=True), spread(GobbletGobblers(1, 3), 2, 64)
    assert np.array_equal(often[0], once[0]) and often[1].moves == once[1].moves and often[1].looked == once[1].looked


def test_a_part_is_taken_up_from_disk_and_delivered(tmp_path: Path) -> None:
    rules = read(GobbletGobblers(1, 3))
    owners = Owners.of(numbering(rules).positions.size, 2, 64)
    part = Part(rules, owners, 1, True)
    part.codes[:] = np.arange(len(part.codes)) % 7
    for cut in (1, 2, 3):
        part.save(str(tmp_path), cut)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut-2-part-1", "cut-3-part-1"]
    again = Part(rules, owners, 1, True)
    again.restore(str(tmp_path), 3)
    assert np.array_equal(again.codes, part.codes) and np.array_equal(again.left, part.left)
    (tmp_path / "table").write_bytes(bytes(owners.size))
    again.deliver(str(tmp_path / "table"))
    table = np.fromfile(tmp_path / "table", np.int8)
    assert np.array_equal(table[owners.numbers(1, np.arange(len(part.codes)))], part.codes) and table[:64].sum() == 0
    again.restore(str(tmp_path), 0)
    assert not again.codes.any()
    written = (tmp_path / "cut-3-part-1").read_bytes()
    (tmp_path / "cut-4-part-1").write_bytes(written)
    with pytest.raises(zermelo.errors.FileError, match="cut-4-part-1 was written as another file: delete .*, and solve again"):
        again.restore(str(tmp_path), 4)
    at = len(written) // 2
    for damaged in (b"", b"no", written[:100], written[:-1], written[:at] + bytes([written[at] ^ 16]) + written[at + 1 :]):
        (tmp_path / "cut-3-part-1").write_bytes(damaged)
        with pytest.raises(zermelo.errors.FileError, match="cut-3-part-1 .*: delete .*, and solve again") as caught:
            again.restore(str(tmp_path), 3)
        assert "\n" not in str(caught.value)
    for unwritable in (tmp_path / "none" / "table", tmp_path):
        with pytest.raises(zermelo.errors.FileError, match="can't be written"):
            again.deliver(str(unwritable))


def test_the_check_finds_a_wrong_code() -> None:
    rules, whole = read(SMALL), whole_of(SMALL)
    owners = Owners.of(numbering(rules).positions.size, 2, 64)
    own = [Part(rules, owners, k, True) for k in range(2)]
    for part in own:
        part.codes = np.array(whole.codes[owners.numbers(part.number, np.arange(len(part.codes)))])
    leader = Leader(OneAfterTheOther(own), True, silent, lambda state: None, lambda: False)
    assert leader.compare(1, State(), 0) == (whole.report.states, -1)
    assert leader.compare(7, State(), 0)[0] < whole.report.states // 5
    own[1].codes[np.flatnonzero(np.abs(own[1].codes) > 2)[0]] += 1
    assert leader.compare(1, State(), 0)[1] >= 0


def test_the_check_finds_what_is_wrong_about_wins_in_one_move() -> None:
    """Of such a win it looks at one move only; all other claims, and ends, are compared in full."""
    rules, whole = read(SMALL), whole_of(SMALL)
    owners = Owners.of(numbering(rules).positions.size, 2, 64)
    own = [Part(rules, owners, k, True) for k in range(2)]
    leader = Leader(OneAfterTheOther(own), True, silent, lambda state: None, lambda: False)
    dice = np.random.default_rng(1)
    for code, wrong in ((FIRST + 1, FIRST + 3), (FIRST + 1, DRAWN), (FIRST + 3, FIRST + 1), (-FIRST - 2, FIRST + 1), (-FIRST, DRAWN)):
        for at in dice.choice(np.flatnonzero(whole.codes == code), 3):
            codes = np.array(whole.codes)
            codes[at] = wrong
            for part in own:
                part.codes = codes[owners.numbers(part.number, np.arange(len(part.codes)))]
            assert leader.compare(1, State(), 0)[1] >= 0, (code, wrong, at)


def test_faults_of_rules_can_travel() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(RulesError("Game", ["a", "b"])))
    assert (error.game, error.faults, str(error)) == ("Game", ["a", "b"], str(RulesError("Game", ["a", "b"])))


# --- what a cluster is asked ------------------------------------------------------------------------------------------


def test_games_that_a_cluster_can_not_spread_are_refused_in_one_line() -> None:
    for game in (Pig(10), zermelo.games.CardDraw(5, 5)):
        with pytest.raises(ParameterError, match="takes no cluster: a cluster solves board games") as caught:
            zermelo.solve(game, cluster="local")
        assert "\n" not in str(caught.value)
    with pytest.raises(ParameterError, match="cluster must be"):
        zermelo.solve(Pig(10), cluster="here:now")
    with pytest.raises(ParameterError, match="leave the checkpoint out"):
        zermelo.solve(GobbletGobblers(1, 3), cluster="local", checkpoint="there")
    assert Request(Pig(5), cluster="local").asked == ("cluster",)


def test_one_machine(compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ray()
    from zermelo.cluster.connection import connected
    from zermelo.engines.boards.spread.solving import solve_on_cluster

    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    game, told = GobbletGobblers(1, 3), []
    whole = solve_board(game)
    with connected("local"):
        answers = solve_on_cluster(Request(game, cluster="local", progress=lambda *what: told.append(what)), parts=2, unit=64)
        solution = zermelo.solve(game, cluster="local")
    for found in (answers, solution.answers):
        assert np.array_equal(found.codes, whole.answers.codes) and found.argument == whole.answers.argument
    assert solution.value == whole.value and told and answers.report.facts["parts"] == 2
    assert not list((compiled / "spread").iterdir())  # nothing is left of what is done


class Orders:
    """In place of Ray: every order to an actor is written down as (actor, method, orders whose results it is given), and not executed."""

    def __init__(self) -> None:
        self.all: list[tuple[int, str, list[int]]] = []
        self.actors = 0

    def available_resources(self) -> dict[str, float]:
        return {"CPU": 9.0}

    def remote(self, **options: Any) -> Any:
        return lambda kind: SimpleNamespace(remote=self._actor)

    def _actor(self, *arguments: Any) -> Any:
        me, self.actors = self.actors, self.actors + 1

        def order(method: str, *arguments: Any) -> int:
            self.all.append((me, method, list(arguments)))
            return len(self.all) - 1

        steps = SimpleNamespace(options=lambda num_returns: SimpleNamespace(remote=lambda *a: [order(*a)] * num_returns))
        return SimpleNamespace(do=SimpleNamespace(remote=order), hand_out=steps)

    def get(self, orders: list[int]) -> list[int]:
        return orders


def test_no_part_waits_for_answers() -> None:
    """Before a part takes in answers, it has been given the next step, and those who answer nothing to do after the step that they are in
    when asked."""
    from zermelo.engines.boards.spread.conductor import Machines, Task

    ray = Orders()
    task: Any = SimpleNamespace(owners=Owners.of(24, 3, 4), spec=Task)
    rounds = Machines(ray, task).inquire("ask", (), "compare", ())
    for _ in range(4):
        next(rounds)  # type: ignore[call-overload]
    with pytest.raises(StopIteration):
        rounds.send(True)  # type: ignore[attr-defined]
    for actor in range(3):
        own = [(at, method, given) for at, (who, method, given) in enumerate(ray.all) if who == actor]
        steps = [at for at, method, _ in own if method == "ask"]
        taken = [(at, given) for at, method, given in own if method == "compare"]
        assert len(taken) == len(steps) - 1 == 4
        for k, (at, answers) in enumerate(taken[:-1]):
            assert [ray.all[answer][:2] for answer in answers] == [(other, "told") for other in range(3) if other != actor]
            for answer in answers:
                other = ray.all[answer][0]
                between = [method for who, method, _ in ray.all[answer + 1 : at] if who == other]
                assert "ask" in between and steps[k + 2] < at
                assert ray.all[answer][2] == [steps[k]]


@pytest.mark.parametrize("where", ["conductor", "part"])
def test_machines_with_other_sources_are_named_at_once(where: str, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray takes an actor that can't begin for lost, and it was begun again for ever."""
    ray()
    from zermelo.cluster.connection import connected
    from zermelo.engines.boards.spread import solving

    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    monkeypatch.setattr(solving, "program", lambda: f"another {where}")
    if where == "part":
        monkeypatch.setattr(solving, "Conductor", type("Conductor", (Conductor,), {"_check": lambda self: None}))
    with connected("local"), pytest.raises(zermelo.OutOfReach, match="has another version of Zermelo: install the same one"):
        solving.solve_on_cluster(Request(GobbletGobblers(1, 3), cluster="local"), parts=2, unit=64)


# --- several machines -------------------------------------------------------------------------------------------------

SLOWLY = 500  # positions whose moves a part examines at a time, so that something can happen meanwhile


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache for all tests of a cluster, so that rules are compiled once."""
    return tmp_path_factory.mktemp("cache")


@contextmanager
def machines(number: int, processors: int = 1) -> Iterator[Any]:
    """A cluster of so many machines, each in processes of its own."""
    ray()
    from ray.cluster_utils import Cluster

    from zermelo.cluster.connection import ray as library

    library()  # with what it sets for clusters begun here

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": processors, "object_store_memory": 1 << 28})
    try:
        for _ in range(number - 1):
            cluster.add_node(num_cpus=processors, object_store_memory=1 << 28)
        yield cluster
    finally:
        if ray().is_initialized():
            ray().shutdown()
        cluster.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_machines_find_the_same_codes(number: int, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    game = GobbletGobblers(2, 2)
    whole = solve_board(game).answers
    with machines(number) as cluster:
        found = zermelo.solve(game, cluster=cluster.address)
    facts = found.report.facts
    assert np.array_equal(found.answers.codes, whole.codes) and found.answers.argument == whole.argument
    assert facts["parts"] == facts["machines"] == number
    assert facts["bytes of a part"] <= 2 * (facts["table"] // number + 8192)


def place_of_the_conductor() -> str:
    """The machine on which Ray has put it."""
    from ray._private.state import actors

    found = actors().values()
    return next(str(actor["Address"]["NodeID"]) for actor in found if actor["ActorClassName"] == "Conductor" and actor["State"] == "ALIVE")


@pytest.fixture
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was said in an earlier test is said again."""
    monkeypatch.setattr("zermelo.basics.notices._said", [])


@pytest.mark.slow
@pytest.mark.parametrize("of", ["expand", "levels", "compare"])
def test_a_machine_that_dies_is_replaced(of: str, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has a part of the table is killed at three times; neither the first one nor that of the conductor."""
    from zermelo.engines.boards.spread.solving import solve_on_cluster

    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    game = GobbletGobblers(2, 2)
    whole = solve_board(game).answers
    words = {"expand": "reached", "levels": "in 2 moves", "compare": "compared"}[of]
    with machines(3) as cluster:
        killed: list[str] = []

        def kill(what: str, done: int, total: int | None) -> None:
            if words in what and not killed:
                killed.append(what)
                leads = place_of_the_conductor()
                other = next(node for node in cluster.list_all_nodes()[1:] if node.node_id != leads)
                cluster.remove_node(other, allow_graceful=False)

        answers = solve_on_cluster(Request(game, cluster=cluster.address, progress=kill), parts=3, share=1e9, chunk=SLOWLY)
    assert killed and np.array_equal(answers.codes, whole.codes) and answers.argument == whole.argument
    assert answers.report.facts["parts lost"] >= 1 and any("lost and replaced" in note for note in answers.report.notes)


ASKS = """
import sys
import zermelo
from zermelo.engines.base import Request
from zermelo.engines.boards.spread.solving import solve_on_cluster
from zermelo.games.gobblet import GobbletGobblers

if __name__ == "__main__":
    asked = Request(GobbletGobblers(2, 2), cluster=sys.argv[1], progress=lambda *what: print(*what, flush=True))
    solve_on_cluster(asked, chunk=int(sys.argv[2]))
"""


@pytest.mark.slow
def test_who_asked_may_die_and_ask_again(
    tmp_path: Path, compiled: Path, nothing_said: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    (tmp_path / "asks.py").write_text(textwrap.dedent(ASKS))
    game = GobbletGobblers(2, 2)
    whole = solve_board(game).answers
    with machines(2) as cluster:
        asks = [sys.executable, str(tmp_path / "asks.py"), cluster.address, str(SLOWLY)]
        asking = subprocess.Popen(asks, stdout=subprocess.PIPE, text=True)
        assert asking.stdout is not None
        for line in asking.stdout:
            if "reached" in line or "moves" in line:
                break
        asking.send_signal(signal.SIGKILL)
        asking.wait()
        time.sleep(1)
        with pytest.warns(UserWarning, match="attached to what is being solved"):
            again = zermelo.solve(game, cluster=cluster.address)
    assert np.array_equal(again.answers.codes, whole.codes)


@pytest.mark.slow
def test_ctrl_c_leaves_cuts_that_another_run_takes_up(
    compiled: Path, nothing_said: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zermelo.engines.boards.spread.solving import solve_on_cluster

    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    game = GobbletGobblers(2, 2)
    whole = solve_board(game).answers

    def stop(what: str, done: int, total: int | None) -> None:
        if "moves" in what:
            raise KeyboardInterrupt

    interrupted = pytest.warns(UserWarning, match="interrupted: .* are on disk")
    with machines(2) as cluster, pytest.raises(KeyboardInterrupt), interrupted:
        solve_on_cluster(Request(game, cluster=cluster.address, progress=stop), share=1e9, chunk=SLOWLY)
    with machines(3) as cluster, pytest.warns(UserWarning, match="taken up from"):
        answers = solve_on_cluster(Request(game, cluster=cluster.address))
    assert np.array_equal(answers.codes, whole.codes) and answers.report.facts["parts"] == 2  # as it was begun


def test_a_damaged_state_is_told(tmp_path: Path) -> None:
    """A digit of its text was another one, and 0 positions were solved."""
    assert kept(tmp_path) == (State(), None)
    there = {"owners": list(Owners.of(1000, 2, 64)), "state": State(cut=8, is_expanded=True, levels=[(1, 2, 3, 0.5)]).as_data()}
    write(tmp_path / "state", there, {})
    written = (tmp_path / "state").read_bytes()
    assert kept(tmp_path) == (State(cut=8, is_expanded=True, levels=[(1, 2, 3, 0.5)]), Owners.of(1000, 2, 64))
    for damaged in (b"", b"no", written[:100], written.replace(b'"cut": 8', b'"cut": 0')):
        (tmp_path / "state").write_bytes(damaged)
        with pytest.raises(FileError, match="state .*: delete .*, and solve again"):
            kept(tmp_path)


def test_whoever_waits_takes_the_result_and_the_last_one_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of two that asked deleted the folder, and the other one ended with an error."""
    now = [0.0]
    monkeypatch.setattr(conducting, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(Conductor, "lead", lambda self: {"width": 1})
    (tmp_path / "spread").mkdir()
    task: Any = SimpleNamespace(folder=str(tmp_path / "spread"), program=program())
    conductor = Conductor(task)
    assert [conductor.asked(who) for who in ("first", "second")] == [{"width": 1}] * 2
    assert not conductor.left("first", True) and (tmp_path / "spread").exists()
    assert conductor.left("second", True) and not (tmp_path / "spread").exists()
    assert conductor.asked("third") is None

    conductor = Conductor(task)
    conductor.asked("lost")
    now[0] = 60
    conductor.asked("other")
    assert conductor.left("other", True)

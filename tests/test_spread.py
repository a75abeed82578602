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
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from asking import solve_board
from test_boards import Alone
from zermelo.basics.progress import silent
from zermelo.engines.base import Request
from zermelo.engines.boards.board import why_forward
from zermelo.engines.boards.numbering import numbering
from zermelo.engines.boards.spread.levels import Leader, OneAfterTheOther, State
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.boards.spread.part import Part
from zermelo.errors import ParameterError, RulesError
from zermelo.games import ConnectFour, Dodgem, Pig
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.status import DRAWN, FIRST
from zermelo.language.rules import read


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


GAMES = [(GobbletGobblers(1, 3), 64), (GobbletGobblers(2, 2, False), None), (ConnectFour(4, 4), 1000), (Dodgem(3), 16), (Alone(), 1)]


@pytest.mark.parametrize("game, unit", GAMES, ids=repr)
def test_parts_find_the_same_codes(game: Any, unit: int | None) -> None:
    whole = solve_board(game).answers
    for parts in (1, 2, 3):
        codes, state, (compared, different) = spread(game, parts, unit)
        assert np.array_equal(codes, whole.codes) and codes.dtype == whole.codes.dtype
        assert different == -1 and compared == whole.report.states and state.moves == whole.report.facts["moves"]
        assert [level[:3] for level in state.levels] == [(x["moves"], x["won"], x["lost"]) for x in whole.report.facts["levels"]]


def test_looking_forward_again_finds_the_same_codes() -> None:
    game = GobbletGobblers(1, 3)
    back, forward = spread(game, 3, 64), spread(game, 3, 64, takes_back=False)
    assert np.array_equal(back[0], forward[0]) and back[1].bytes < forward[1].bytes


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
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cut-2-part-1.npz", "cut-3-part-1.npz"]
    again = Part(rules, owners, 1, True)
    again.restore(str(tmp_path), 3)
    assert np.array_equal(again.codes, part.codes) and np.array_equal(again.left, part.left)
    (tmp_path / "table").write_bytes(bytes(owners.size))
    again.deliver(str(tmp_path / "table"))
    table = np.fromfile(tmp_path / "table", np.int8)
    assert np.array_equal(table[owners.numbers(1, np.arange(len(part.codes)))], part.codes) and table[:64].sum() == 0
    again.restore(str(tmp_path), 0)
    assert not again.codes.any()
    (tmp_path / "cut-3-part-1.npz").write_bytes(b"no")
    with pytest.raises(zermelo.errors.FileError, match="can't be read"):
        again.restore(str(tmp_path), 3)


def test_the_check_finds_a_wrong_code() -> None:
    game = GobbletGobblers(1, 3)
    rules = read(game)
    whole = solve_board(game).answers
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
    game = GobbletGobblers(1, 3)
    rules, whole = read(game), solve_board(game).answers
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


@pytest.mark.parametrize("where", ["conductor", "part"])
def test_machines_with_other_sources_are_named_at_once(where: str, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray takes an actor that can't begin for lost, and it was begun again for ever."""
    ray()
    from zermelo.cluster.connection import connected
    from zermelo.engines.boards.spread import solving
    from zermelo.engines.boards.spread.conductor import Conductor

    monkeypatch.setenv("ZERMELO_CACHE", str(compiled))
    monkeypatch.setattr(solving, "program", lambda: f"another {where}")
    if where == "part":
        monkeypatch.setattr(solving, "Conductor", type("Conductor", (Conductor,), {"lead_once": Conductor.lead}))
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


"""Work shared by the machines of a cluster: the same bits as without. Most needs Ray (the extra `cluster`)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.answers.base import Entered
from zermelo.cli import main
from zermelo.cluster import connection
from zermelo.cluster.connection import _join, check_address
from zermelo.cluster.sources import received, shipped
from zermelo.errors import OutOfReach, ParameterError, RulesError
from zermelo.games import Pig
from zermelo.games.named import class_in
from zermelo.language.rules import read
from zermelo.language.rules_text import rules_hash


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of one machine, begun once."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from zermelo.cluster.connection import connected

    with connected("local") as library:
        yield library


def test_without_ray_one_line_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text("raise ImportError('no ray')")
    code = (
        "import sys, zermelo, zermelo.cluster.tasks, zermelo.cluster.sources, zermelo.studies.machines; assert 'ray' not in sys.modules;"
        "from zermelo.cli import main; main(['solve', 'pig', '--goal', '5']); assert 'ray' not in sys.modules;"
        "sys.exit(main(['study', 'pig', '--goal', '5,6', '--anew', '--cluster', 'local']))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)
    assert done.returncode == 2
    assert done.stderr.strip() == "zermelo: a cluster needs the package ray (no ray): pip install 'zermelo[cluster]'"


@pytest.mark.parametrize("address", ["", "there", "http://a:1", 5, "a:b", "ray://a:1"])
def test_an_address_is_checked_before_anything_is_done(address: Any) -> None:
    with pytest.raises(ParameterError, match="cluster must be"):
        check_address(address)
    with pytest.raises(ParameterError, match="cluster must be"):
        zermelo.study(Pig, goal=[5], cluster=address)
    with pytest.raises(ParameterError, match="cluster must be"):
        zermelo.solve(Pig(5)).simulate(10, cluster=address)


def test_where_no_cluster_is_one_line_says_so_at_once() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    with pytest.raises(OutOfReach, match="no cluster answers at 127.0.0.1:1 "):
        zermelo.study(Pig, goal=[5], cluster="127.0.0.1:1", anew=True)


@pytest.mark.parametrize("mode", [None, "disabled", "token"])
def test_what_answers_and_is_no_cluster_or_asks_for_a_token_is_told(mode: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def init(self, **options: Any) -> None:
            raise ConnectionError("Failed to connect to Ray cluster at there")

    monkeypatch.setenv("RAY_AUTH_MODE", mode) if mode else monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    said = "Failed to connect to Ray cluster at there.: it may be no cluster, or one of another version"
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(OutOfReach, match=said) as caught:
        _join(Refusing(), f"127.0.0.1:{server.getsockname()[1]}", {})
    assert ("RAY_AUTH_MODE=token in the environment" in str(caught.value)) == (mode != "token")


def test_a_cluster_has_several_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second solve in a process that was connected as localhost: was refused."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_server(("127.0.0.1", 0)) as another:
        here, elsewhere = (end.getsockname()[1] for end in (server, another))
        there = SimpleNamespace(gcs_address=f"127.0.0.1:{here}")
        library = SimpleNamespace(is_initialized=lambda: True, get_runtime_context=lambda: there)
        monkeypatch.setattr(connection, "ray", lambda: library)
        for address in ("auto", f"127.0.0.1:{here}", f"localhost:{here}"):
            with connection.connected(address) as found:
                assert found is library
        for address in (f"localhost:{elsewhere}", f"...:{here}", "127.0.0.1:1"):
            with pytest.raises(ParameterError, match="needs another process"), connection.connected(address):
                pass


def test_ray_says_nothing_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """It printed where in its code a command was that SIGTERM ended."""
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace())
    monkeypatch.setattr(os, "environ", {})
    connection.ray()
    assert os.environ["RAY_DISABLE_FAILURE_SIGNAL_HANDLER"] == "1" and os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_a_cluster_without_processors_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked waited, and nothing said for what."""
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    for resources, number in (({"CPU": 3.0, "memory": 1.0}, 3), ({"CPU": 1.0}, 1)):
        assert connection.processors(SimpleNamespace(cluster_resources=lambda there=resources: there)) == number
    with pytest.warns(UserWarning, match="the cluster has no processors: work begins when a machine joins it"):
        assert connection.processors(SimpleNamespace(cluster_resources=lambda: {"memory": 1.0})) == 1


def test_a_game_of_a_file_travels_as_its_text(tmp_path: Path) -> None:
    path = tmp_path / "walk_shipped.py"
    path.write_text(OWN)
    game = class_in(path, "")
    sent = shipped(game, rules_hash)
    path.unlink()
    del sys.modules["walk_shipped"]
    again = received(sent, rules_hash)
    assert again is not game and again is received(sent, rules_hash) and rules_hash(again) == rules_hash(game)
    assert zermelo.solve(again()).value == zermelo.solve(again(4)).value - 1
    assert received(shipped(Pig, rules_hash), rules_hash) is Pig
    with pytest.raises(OutOfReach, match="not read from a Python file"):
        shipped(type("Loose", (), {}), rules_hash)


def test_a_file_that_a_game_imports_must_be_the_same_everywhere(tmp_path: Path) -> None:
    """Rows of a study were those of the other rules, and kept for these."""
    (tmp_path / "beside_shipped.py").write_text("def step(n):\n    return n - 1\n")
    (tmp_path / "walk_with_another.py").write_text("from beside_shipped import step\n" + OWN.replace("s.left - 1", "step(s.left)"))
    sent = shipped(class_in(tmp_path / "walk_with_another.py", ""), rules_hash)
    another = "def step(n):\n    return n - 10\n"
    for text, why in ((another, "they are not those of the machine that asked"), ("", "cannot import name 'step'")):
        (tmp_path / "beside_shipped.py").write_text(text)
        del sys.modules["beside_shipped"]
        sys.modules.pop(sent.module, None)
        for _ in range(2):  # what failed is not taken for there
            with pytest.raises(OutOfReach, match=f"other rules of Walk .*{why}.*: files that walk_with_another.py imports must") as caught:
                received(sent, rules_hash)
            assert "\n" not in str(caught.value)


def test_a_file_that_was_changed_is_not_sent(tmp_path: Path) -> None:
    """A cluster solved what the file said by then, not the game that was loaded from it."""
    path = tmp_path / "walk_changed.py"
    path.write_text(OWN)
    game = class_in(path, "")
    path.write_text(OWN.replace("s.left - 1", "s.left - 2"))
    with pytest.raises(RulesError, match="has changed since it was loaded"):
        shipped(game, rules_hash)


OWN = """
from typing import NamedTuple

class State(NamedTuple):
    left: int

class Walk(NamedTuple):
    length: int = 3

    def start(self):
        return State(self.length)

    def actions(self, s):
        if s.left:
            yield 0

    def outcomes(self, s, action):
        yield 1, 1, State(s.left - 1)
"""


def test_a_study_has_the_same_rows(local: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    path = tmp_path / "walk_there.py"
    path.write_text(OWN)
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    apart = zermelo.study(Pig, goal=[3, 5, 7], cluster="local", anew=True)
    here = zermelo.study(Pig, goal=[3, 5, 7], processes=1, anew=True)
    assert apart.is_whole and apart.cluster == "local" and apart.from_disk == 0
    assert [r._replace(seconds=0, compiling=0) for r in apart.rows] == [r._replace(seconds=0, compiling=0) for r in here.rows]
    assert main(["study", f"{path}:Walk", "--length", "1..4", "--cluster", "local"]) == 0
    assert "4 combinations, 4 solved" in capsys.readouterr().out
    assert zermelo.study(f"{path}:Walk", length=[1, 2, 3, 4]).from_disk == 4  # kept on the machine that asked


def test_ctrl_c_keeps_what_a_cluster_has_done(local: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))

    def interrupt(what: str, done: int, total: int | None) -> None:
        if done >= 2:
            raise KeyboardInterrupt

    goals = list(range(3, 9))
    with pytest.warns(UserWarning, match="interrupted"):
        study = zermelo.study(Pig, goal=goals, cluster="local", progress=interrupt)
    assert not study.is_whole and 2 <= len(study.rows) < 6
    again = zermelo.study(Pig, goal=goals, cluster="local")
    assert again.is_whole and again.from_disk >= len(study.rows)


def test_a_combination_whose_processes_are_lost_is_told(local: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "walk_killed.py"
    killed = "__import__('os').kill(__import__('os').getpid(), 9) if self.length == 2 else 0"
    path.write_text(OWN.replace("yield 1, 1,", f"{killed}\n        yield 1, 1,"))
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    study = zermelo.study(f"{path}:Walk", length=[1, 2, 3], cluster="local")
    assert [bool(row.error) for row in study.rows] == [False, True, False]
    assert "were lost 3 times" in study.rows[1].error


@pytest.mark.parametrize("game, plays", [(Pig(20), 4000), (zermelo.games.CardDraw(30, 30), 5001)], ids=["pig", "urn"])
def test_plays_are_the_same(local: Any, game: Any, plays: int) -> None:
    solution = zermelo.solve(game)
    here, apart = solution.simulate(plays, 7), solution.simulate(plays, 7, cluster="local")
    assert apart.totals == here.totals and apart.lengths == here.lengths and apart.circling == here.circling


def test_sums_do_not_depend_on_how_plays_are_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.uses import plays

    monkeypatch.setattr(plays, "MOST_DISTINCT", 50)
    dice = np.random.default_rng(1)
    for is_whole in (True, False):
        totals = np.rint(dice.normal(0, 300, 9 * 1024)) if is_whole else dice.normal(0, 3, 9 * 1024)
        totals[-1024:] *= 50
        whole, parted = plays._Sums(is_whole), plays._Sums(is_whole)
        whole.add(totals)
        parted.add(totals[:1024])
        for at in (1024, 3072, 8192):
            later = plays._Sums(is_whole)
            later.reference = parted.reference
            later.add(totals[at : {1024: 3072, 3072: 8192, 8192: 9216}[at]])
            parted.join(later)
        a, b = whole.result(None), parted.result(None)
        assert (a.mean, a.standard_error, a.minimum, a.maximum) == (b.mean, b.standard_error, b.minimum, b.maximum)
        assert a.histogram is not None and b.histogram is not None
        assert np.array_equal(a.histogram.counts, b.histogram.counts) and np.array_equal(a.histogram.edges, b.histogram.edges)


def test_plays_that_are_no_play_are_told(local: Any) -> None:
    from zermelo.uses.simulate import simulate

    with pytest.raises(OutOfReach, match="still going on after 2 moves"):
        simulate(zermelo.solve(Pig(20)).answers, 5000, 1, max_length=2, cluster="local")


def test_shoes_of_blackjack(local: Any) -> None:
    from zermelo.games import blackjack

    shoes = [[8 - k, 8, 8, 8, 8, 8, 8, 8, 8, 32 - k] for k in range(3)]
    rules = blackjack.Rules(decks=2)
    assert np.array_equal(blackjack.evaluate(shoes, rules), blackjack.evaluate(shoes, rules, cluster="local"))


def test_games_whose_plays_go_together_are_refused() -> None:
    from zermelo.uses.simulate import simulate

    class Raced:
        """An answer whose stages are entered."""

        rules = read(Pig(5))

        def lacks(self, capability: type) -> str | None:
            return None if capability is Entered else "no"

    with pytest.raises(ParameterError, match="Pig: its plays go through its stages together.*; `cluster` shares the plays of"):
        simulate(Raced(), 10, cluster="local")  # type: ignore[arg-type]


"""Certificates checked in parts, by threads, in any order and by a cluster: the verdict, with the first state that fails, is the same."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from capabilities.twins import Burglar
from test_verifier import ThreeHeaps, Toll, mutated, numbers_changed, parts, write
from zermelo import verifier
from zermelo.basics.progress import silent
from zermelo.cli import main
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.games import Pig
from zermelo.uses import verify_in_parts
from zermelo.uses.verify_in_parts import Sent, _checked, in_threads

BATCHES = 5  # states


def one_by_one(argument: verifier.Argument, lows: Sequence[int]) -> Generator[Any]:
    return (argument.check(low) for low in lows)


def backwards(argument: verifier.Argument, lows: Sequence[int]) -> Generator[Any]:
    """As machines might do it: each with what was sent to it, in memory that can't be written to, and the last batch first."""
    arrays: list[pickle.PickleBuffer] = []
    text = pickle.dumps(Sent(argument, argument.listed.rules.game), protocol=5, buffer_callback=arrays.append)
    sent = pickle.loads(text, buffers=[bytes(array.raw()) for array in arrays])
    assert not sent.argument.listed.keys.flags.writeable
    for error in reversed([_checked(sent, low) for low in reversed(lows)]):
        if error is not None:
            raise error
        yield None


WAYS: list[Callable[..., Generator[Any]]] = [one_by_one, backwards, in_threads]


def verdict(path: Path, game: Any, interpreted: bool, share: Callable[..., Generator[Any]]) -> Any:
    try:
        return verifier.verify(verifier.read(path), game, interpreted, silent, share)
    except FileError as error:
        return str(error)


GAMES: list[tuple[Any, dict[str, Any]]] = [
    (Pig(4), {}),
    (Pig(3), {"exact": True}),
    (Burglar(3), {}),  # simultaneous moves
    (Toll(), {}),  # two payoffs
    (ThreeHeaps(1), {}),  # symmetries
    (zermelo.games.Dodgem(2), {}),  # results
]


@pytest.mark.parametrize(("game", "options"), GAMES, ids=str)
def test_any_order_gives_the_same_verdict(
    game: Any, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier, "BATCH", BATCHES)
    for name in ("shipped", "received"):  # this process has the class
        monkeypatch.setattr(verify_in_parts, name, lambda game_class, hash_of: game_class)
    zermelo.solve(game, **options).export_certificate(tmp_path / "right")
    contents, dice = parts(tmp_path / "right"), random.Random(str(game))
    before, refused = zermelo.threads(), 0
    zermelo.threads(3)
    try:
        for number in range(12):
            changed = mutated(contents, dice) if number else contents
            if number:  # in more than one place
                numbers_changed(dice.choice([a for n, a in changed.items() if n != "header.json" and a.size]), dice)
            path = write(tmp_path / "changed", changed)
            for interpreted in (True, False)[: 1 if isinstance(game, Toll) else 2]:  # `ThreeHeaps`, too, is compiled for two payoffs
                one, *others = (verdict(path, game, interpreted, share) for share in WAYS)
                assert all(other == one for other in others)
            assert number or one.verified
            refused += not one or isinstance(one, str)
    finally:
        zermelo.threads(before)
    assert refused > 3


def test_progress_counts_states_and_the_first_refusal_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifier, "BATCH", 80)  # of compiled states: Python, which takes longer, tells more often
    zermelo.solve(Pig(4)).export_certificate(tmp_path / "pig.cert")
    contents, told = parts(tmp_path / "pig.cert"), list[tuple[int, int | None]]()
    size = len(contents["states.npy"])
    assert zermelo.verify(tmp_path / "pig.cert", progress=lambda what, done, total: told.append((done, total))).verified
    assert told == [(min(low + 10, size), size) for low in range(0, size, 10)]
    for at in (14, 23):  # a bound that no row can follow from
        contents["above.npy"][at] = -5.0, 0.0
    write(tmp_path / "wrong", contents)
    told.clear()
    found = zermelo.verify(tmp_path / "wrong", progress=lambda what, done, total: told.append((done, total)))
    assert not found and len(told) <= 1


def test_progress_tells_of_symmetric_states_before_any_is_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them are found first, which Python did without a word."""
    monkeypatch.setattr(verifier, "BATCH", 80)
    zermelo.solve(zermelo.games.ConnectFour(3, 3)).export_certificate(tmp_path / "four.cert")
    listed, told = len(parts(tmp_path / "four.cert")["states.npy"]), list[tuple[str, int, int | None]]()
    found = zermelo.verify(tmp_path / "four.cert", progress=lambda *what: told.append(what))
    assert found.verified and found.states > listed
    assert [w for w in told if w[0] != "verifying"] == [("finding symmetric states", low, listed) for low in range(0, listed, 10)]


@pytest.mark.parametrize("address", ["", "there", 5])
def test_an_address_is_checked_first(address: Any, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="cluster must be"):
        zermelo.verify(tmp_path / "no such file", cluster=address)


def test_what_is_not_checked_by_states_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    zermelo.matrix_game([[1, -1], [-1, 1]]).export_certificate(tmp_path / "matrix")
    with pytest.raises(ParameterError, match="it lists no states; `cluster` shares the states that certificates of other games list"):
        zermelo.verify(tmp_path / "matrix", cluster="local")
    assert main(["solve", "kuhn-poker", "--certificate", str(tmp_path / "kuhn")]) == 0
    assert main(["verify", str(tmp_path / "kuhn"), "--cluster", "local"]) == 2
    said = capsys.readouterr().err
    assert "plays are followed from the start, on one machine; `cluster` shares" in said and said.count("\n") == 1


def test_a_game_that_can_not_travel_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zermelo.solve(Toll()).export_certificate(tmp_path / "toll")
    monkeypatch.delattr("test_verifier.Toll")
    with pytest.raises(OutOfReach, match="Toll was not read from a Python file"):
        zermelo.verify(tmp_path / "toll", Toll, cluster="local")


# --- with Ray ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """A cluster of one machine, begun once."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from zermelo.cluster.connection import connected

    with connected("local") as library:
        yield library


def test_a_cluster_has_the_same_verdict(local: Any, tmp_path: Path) -> None:
    game, path = Pig(70), tmp_path / "pig.cert"
    zermelo.solve(game).export_certificate(path)
    contents, told = parts(path), list[int]()
    assert len(contents["states.npy"]) > 2 * verifier.BATCH
    here = zermelo.verify(path)
    apart = zermelo.verify(path, cluster="local", progress=lambda what, done, total: told.append(done))
    assert here.verified and apart == here and told[-1] == here.states and told == sorted(told)
    for at in (verifier.BATCH + 999, 2 * verifier.BATCH + 5):
        contents["above.npy"][at] = -5.0, 0.0
    here, apart = (zermelo.verify(write(tmp_path / "wrong", contents), cluster=cluster) for cluster in (None, "local"))
    assert here.fault and apart == here
    contents["policy.npy"] = contents["policy.npy"][:-1]
    with pytest.raises(FileError, match="the array 'policy' is missing or of another shape"):
        zermelo.verify(write(tmp_path / "short", contents), cluster="local")


WALK = """
from typing import NamedTuple

class State(NamedTuple):
    left: int

class Walk(NamedTuple):
    length: int = 9

    def start(self):
        return State(self.length)

    def actions(self, s):
        if s.left:
            yield 0

    def outcomes(self, s, action):
        if s.left == 4:
            WHAT
        yield 1, 1, State(s.left - 1)
"""


@pytest.mark.parametrize("lost", ["once", "always"])
def test_a_process_that_is_lost(lost: str, local: Any, tmp_path: Path) -> None:
    path, flag, proof = tmp_path / f"walk_lost_{lost}.py", tmp_path / "flag", str(tmp_path / "certificate")
    system, gone = "__import__('os')", "remove" if lost == "once" else "stat"
    kill = f"({system}.{gone}({str(flag)!r}), {system}.kill({system}.getpid(), 9)) if {system}.path.exists({str(flag)!r}) else 0"
    path.write_text(WALK.replace("WHAT", kill))
    game = f"{path}:Walk"
    zermelo.solve(game).export_certificate(proof)
    right = zermelo.verify(proof, game)
    flag.touch()
    if lost == "once":
        assert right.verified and zermelo.verify(proof, game, cluster="local") == right
        assert not flag.exists()
    else:
        with pytest.raises(OutOfReach, match="were lost 3 times"):
            zermelo.verify(proof, game, cluster="local")


def test_symmetric_states_are_checked_there(local: Any, tmp_path: Path) -> None:
    zermelo.solve("gobblet", sizes=1, per_size=3).export_certificate(tmp_path / "gobblet")
    found = zermelo.verify(tmp_path / "gobblet", cluster="local")
    assert found == zermelo.verify(tmp_path / "gobblet") and found.verified
    contents = parts(tmp_path / "gobblet")
    contents["distance.npy"][np.flatnonzero(contents["distance.npy"] > 0)[:3]] += 2
    write(tmp_path / "wrong", contents)
    assert not (found := zermelo.verify(tmp_path / "wrong", cluster="local")) and found == zermelo.verify(tmp_path / "wrong")

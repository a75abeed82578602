"""Games solved in stages by the processes of a cluster: the same bits as by threads, whatever is lost on the way. Most of it runs with a
stand-in for Ray, in this process; what needs Ray itself is skipped without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import zermelo
from zermelo.engines.entries import machines
from zermelo.errors import OutOfReach, ParameterError, RulesError
from zermelo.games import TenThousandRace
from zermelo.kernels.kernel import only

EXAMPLES = Path(__file__).parent.parent / "examples"
SMALL = TenThousandRace(goal=20)


class Lost(Exception):
    pass


class Raised(Exception):
    def __init__(self, cause: BaseException):
        self.cause = cause


class StandIn:
    """What the engine uses of Ray, with processes in this one. `dies`: at these calls, counted from 1, the process is lost; at the call
    `stopped`, somebody presses Ctrl-C."""

    exceptions = SimpleNamespace(RayActorError=Lost, RayTaskError=Raised)

    def __init__(self, processors: int, dies: tuple[int, ...] = (), stopped: int = 0):
        self.processors, self.dies, self.stopped, self.calls, self.killed, self.made = processors, dies, stopped, 0, 0, 0

    def remote(self, **options: Any) -> Any:
        def kind(cls: type) -> Any:
            def make(*arguments: Any) -> Any:
                self.made += 1
                own, state = cls(*arguments), {"dead": False}
                return SimpleNamespace(**{n: SimpleNamespace(remote=self._call(getattr(own, n), n, state)) for n in ("begin", "solve")})

            return SimpleNamespace(remote=make)

        return kind

    def _call(self, method: Any, name: str, state: dict[str, bool]) -> Any:
        def call(*arguments: Any) -> Any:
            if name == "solve":
                self.calls += 1
                state["dead"] |= self.calls in self.dies
                if self.calls == self.stopped:
                    raise KeyboardInterrupt
            if state["dead"]:
                return lambda: (_ for _ in ()).throw(Lost("killed"))
            try:
                arguments = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)  # as sent
                found = method(*arguments)
                found = tuple(np.array(f) if isinstance(f, np.ndarray) else f for f in found) if found else None
            except Exception as error:
                raised = error
                return lambda: (_ for _ in ()).throw(Raised(raised))
            return lambda: found

        return call

    def get(self, reference: Any) -> Any:
        return reference()

    def kill(self, solver: Any) -> None:
        self.killed += 1

    def nodes(self) -> list[dict[str, bool]]:
        return [{"Alive": True}] * self.processors

    def cluster_resources(self) -> dict[str, int]:
        return {"CPU": self.processors}


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where values are kept: tests of another process solve the same games, and one process at a time writes to a folder."""
    monkeypatch.setattr(machines, "cache_directory", lambda: tmp_path)
    return tmp_path


@pytest.fixture(autouse=True, scope="module")
def compiled_rules() -> Iterator[None]:
    """Compiled once, at the first solve, instead of after several were interpreted for long."""
    with only("compiled"):
        yield


@pytest.fixture(scope="module")
def here(compiled_rules: None) -> Any:
    return zermelo.solve(SMALL)


def solved(monkeypatch: pytest.MonkeyPatch, library: StandIn, game: Any = SMALL) -> Any:
    @contextmanager
    def connected(address: str) -> Iterator[StandIn]:
        yield library

    monkeypatch.setattr(machines, "connected", connected)
    return zermelo.solve(game, cluster="local")


def assert_same(here: Any, there: Any) -> None:
    for name in ("value", "error", "keys", "stages"):
        assert np.array_equal(getattr(here.answers, name), getattr(there.answers, name)), name
    assert here.bounds == there.bounds and here.certificate == there.certificate
    apart = ("parts", "machines", "parts lost", "interpreted")
    mine, yours = ({k: v for k, v in s.report.facts.items() if k not in apart} for s in (here, there))
    assert mine == yours


@pytest.mark.parametrize("processors", [1, 2, 3])
def test_the_same_bits_and_counts_for_any_number_of_processes(processors: int, here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    library = StandIn(processors)
    there = solved(monkeypatch, library)
    assert_same(here, there)
    assert there.report.facts["parts"] == library.made == library.killed == processors and there.report.facts["parts lost"] == 0
    assert there.probe(SMALL.start()).value == pytest.approx(there.value)  # states of a stage are found again, here


@pytest.mark.parametrize("dies", [(1,), (2, 5), (3, 4, 9)])
def test_a_process_that_is_lost_is_replaced(dies: tuple[int, ...], here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    library = StandIn(2, dies)
    there = solved(monkeypatch, library)
    assert_same(here, there)
    assert there.report.facts["parts lost"] == len(dies) and library.made == 2 + len(dies)


def test_processes_that_are_lost_again_and_again_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutOfReach, match=r"the processes that were to solve a stage were lost 3 times \(killed\)"):
        solved(monkeypatch, StandIn(1, (4, 5, 6)))


def test_the_same_command_goes_on_where_another_was_stopped(own_folder: Path, here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.warns(UserWarning, match="interrupted: what is solved is on disk"), pytest.raises(KeyboardInterrupt):
        solved(monkeypatch, StandIn(2, stopped=6))
    left = list((own_folder / machines.FOLDER).iterdir())
    with pytest.warns(UserWarning, match="taken up from"):
        there = solved(monkeypatch, StandIn(2))
    assert len(left) == 1 and not left[0].exists()
    assert_same(here, there)


def test_errors_of_the_rules_are_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cut(TenThousandRace):
        def entries(self):
            yield from (s for s in TenThousandRace.entries(self) if s != TenThousandRace.start(self)._replace(mine=3))

    here = "`entries` does not yield"
    with pytest.raises((RulesError, OutOfReach), match=f"{here}|was not read from a Python file"):
        solved(monkeypatch, StandIn(1), Cut(goal=20))


def test_a_machine_with_another_version_is_told_and_not_taken_for_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(wanted: str) -> None:
        raise OutOfReach("there has another version of Zermelo")

    monkeypatch.setattr(machines, "check_program", check)
    library = StandIn(2)
    with pytest.raises(OutOfReach, match="there has another version of Zermelo"):
        solved(monkeypatch, library)
    assert library.made == library.killed == 2


def test_what_can_not_be_shared_is_refused() -> None:
    with pytest.raises(ParameterError, match="a cluster keeps what is done in a folder of its own"):
        zermelo.solve(SMALL, cluster="local", checkpoint="there")
    with pytest.raises(ParameterError, match="takes no cluster"):
        zermelo.solve("left-center-right", cluster="local")


def test_with_ray_itself() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    game = f"{EXAMPLES / 'coin_race.py'}:CoinRace"
    assert_same(zermelo.solve(SMALL), zermelo.solve(SMALL, cluster="local"))
    assert_same(zermelo.solve(game), zermelo.solve(game, cluster="local"))

"""Large boards solved in a folder, three bits a position: the same answers as in memory, whenever the process is killed."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from asking import solve_board
from test_boards import Alone, Coin, Countdown, FewImages, Forgetful, Forwards, Pile, Shaped
from zermelo.basics import machine
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.boards import board, on_disk, solving
from zermelo.games import ConnectFour, Dodgem
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.kernels.status import FIELDS
from zermelo.solution import solution_of
from zermelo.spaces import product
from zermelo.storage.file import read
from zermelo.storage.levels import Record, write_record
from zermelo.uses import board_certificate

MIDDLE = GobbletGobblers(2, 2, True)  # 311,637 numbers
SMALL = GobbletGobblers(1, 3, True)  # 971 numbers, six levels; Python takes less time for it than to compile the rules
IN_PYTHON = [
    SMALL, GobbletGobblers(1, 1, False), Forwards(1, 3, False), FewImages(60), Countdown(40), ConnectFour(4, 2),
    Dodgem(2), Alone(), Countdown(7, 130),
]  # fmt: skip


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is written as often as can be."""
    monkeypatch.setattr(on_disk, "SECONDS", 0.0)
    monkeypatch.setattr(on_disk, "TOGETHER", 4)


def solve_in(folder: Path, game: Any, **options: Any) -> Any:
    return solution_of(on_disk.solve_on_disk(Request(game, checkpoint=folder, **options)))


class Once(NamedTuple):
    there: Any  # solved in a folder, to which nothing may be written
    here: Any  # solved in memory
    folder: Path

    def copied(self, folder: Path) -> Path:
        """The same levels in a folder that may be written to."""
        return Path(shutil.copytree(self.folder, folder, dirs_exist_ok=True))


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Any], Once]:
    """A game solved by Python in both ways, each once."""
    known: dict[str, Once] = {}

    def of(game: Any) -> Once:
        if (name := repr(game)) not in known:
            folder = tmp_path_factory.mktemp("levels")
            with only("interpreted"):
                known[name] = Once(solve_in(folder, game), solve_board(game), folder)
        return known[name]

    return of


def codes(solution: Any) -> np.ndarray:
    return np.asarray(solution.answers.codes[:])


def facts(solution: Any) -> dict[str, Any]:
    """What is known of the game, without times."""
    found = dict(solution.report.facts)
    found["levels"] = [(level["moves"], level["won"], level["lost"]) for level in found["levels"]]
    return found


def assert_same(solution: Any, other: Any) -> None:
    assert codes(solution).dtype == codes(other).dtype
    assert np.array_equal(codes(solution), codes(other))
    assert facts(solution) == facts(other)
    assert str(solution.certificate) == str(other.certificate)


@pytest.mark.parametrize("game", IN_PYTHON, ids=str)
def test_both_ways_give_the_same(once: Any, game: Any) -> None:
    assert_same(once(game).there, once(game).here)


class Returning(Shaped):
    """Nobody moves again, and moves can be taken back: a game of which every kernel is called, with few rules, which compile fast."""

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action, (s.bonus + action) % 3), -1

    def parents(self, s: Pile) -> Iterator[Pile]:
        for n in range(1, 3):
            if s.left + n <= self.pile:
                yield Pile(s.left + n, (s.bonus - n) % 3)


def test_both_ways_give_the_same_compiled(once: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, called, call = Returning(40), set[str](), board.Board.call
    monkeypatch.setattr(board.Board, "call", lambda self, kernel, *of: (called.add(kernel), call(self, kernel, *of))[1])
    with only("compiled"):
        there = solve_in(tmp_path / "levels", game)
    assert called == {
        "spread", "settle", "pull_level", "harvest", "push_level", "lay", "compare_ends", "compare_level", "age", "mark", "open_bits",
    }  # fmt: skip
    assert_same(there, once(game).here)


def test_a_kernel_is_called_with_one_kind_of_arrays(in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bits that were read can't be written to, those just made could: the longest kernels were compiled for both."""
    kinds: dict[str, set[Any]] = {}
    call = board.Board.call

    def noted(self: Any, kernel: str, *arguments: Any) -> None:
        arrays = tuple((a.dtype, a.ndim, a.flags.writeable) for a in arguments if isinstance(a, np.ndarray))
        kinds.setdefault(kernel, set()).add(arrays)
        call(self, kernel, *arguments)

    monkeypatch.setattr(board.Board, "call", noted)
    solve_in(tmp_path, Countdown(12))
    assert {"mark", "compare_level"} <= set(kinds)
    assert [name for name, of in kinds.items() if len(of) > 1] == []


@pytest.mark.parametrize("taking_back", [0.0, 1e9])
def test_taking_moves_back_and_looking_forwards_give_the_same(
    once: Any, in_python: None, taking_back: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Returning(40)
    here = once(game).here
    monkeypatch.setattr(board, "TAKING_BACK", taking_back)
    assert_same(solve_in(tmp_path, game), here)
    assert_same(solve_board(game), here)


def test_files_are_the_same(once: Any, tmp_path: Path) -> None:
    there, here, _ = once(SMALL)
    for compress in (False, True):
        paths = [tmp_path / f"{name}.zermelo" for name in ("there", "here")]
        for solution, path in zip((there, here), paths, strict=True):
            solution.save(path, compress=compress)
        (a, b) = (read(path) for path in paths)
        assert a.header["argument"] == b.header["argument"] and a.header["codes"] == b.header["codes"]
        assert {n: v.tobytes() for n, v in a.arrays.items()} == {n: v.tobytes() for n, v in b.arrays.items()}
        assert zermelo.open(paths[0]).census() == here.census()


def test_every_verb_reads_the_folder(once: Any, in_python: None, tmp_path: Path) -> None:
    game = ConnectFour(4, 2)
    here = once(game).here
    there = zermelo.solve(game, checkpoint=once(game).copied(tmp_path))
    start = here.rules.start
    assert there.report.engine == "boards" and str(tmp_path / "table.zermelo") in there.report.notes[-1]
    assert there.probe(start) == here.probe(start)
    assert there.census() == here.census()
    assert there.simulate(20, seed=1).mean == here.simulate(20, seed=1).mean
    assert there.evaluate(here.policy).value == here.value
    assert there.answers.farthest() == here.answers.farthest()
    there.export_certificate(tmp_path / "it.certificate")
    assert zermelo.verify(tmp_path / "it.certificate")


def test_a_certificate_is_the_same_where_the_rules_are_compiled(once: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they are for more positions."""
    here = once(GobbletGobblers(1, 1, False)).here
    here.export_certificate(tmp_path / "python")
    monkeypatch.setattr(board_certificate, "FEW", 0)
    here.export_certificate(tmp_path / "compiled")
    assert (tmp_path / "python").read_bytes() == (tmp_path / "compiled").read_bytes()


class Killed(BaseException):
    """The process ends here."""


def test_it_goes_on_wherever_it_ended(often: None, in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends before and after every single record is written, in turn."""
    game, wanted = Countdown(5), solve_board(Countdown(5))
    writes, written = [0, 0], on_disk.write_record
    ended: set[str] = set()

    def write(path: Path, *arguments: Any) -> None:
        if writes[0] == writes[1]:
            ended.add(path.name)
            raise Killed
        written(path, *arguments)
        writes[0] += 1

    monkeypatch.setattr(on_disk, "write_record", write)
    while True:
        writes[0] = 0
        try:
            solution = solve_in(tmp_path, game)
            break
        except Killed:
            writes[1] = 1  # from now on each run writes one record more than was there
    assert ended >= {"board", "reached", "level-0001", "level-0002", "checked"}
    assert np.array_equal(codes(solution), codes(wanted))
    assert facts(solution)["states"] == facts(wanted)["states"] == facts(solution)["checked"]
    assert facts(solution)["moves"] == facts(wanted)["moves"]
    assert not (tmp_path / "reached").exists()


@pytest.mark.slow
def test_it_goes_on_after_it_was_killed_at_random_moments(often: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal that ends it at once, in another process each time; the last one is left alone."""
    monkeypatch.setattr(on_disk, "TOGETHER", 40)
    wanted = solve_board(MIDDLE)
    began = time.process_time()
    solve_in(tmp_path / "once", MIDDLE)  # what is compiled need not be compiled again
    took, seed = time.process_time() - began, random.Random(5)
    killed = 0
    for _ in range(5):
        child, seconds = os.fork(), seed.uniform(0.02, 0.3) * min(took, 2.0)
        if not child:
            try:
                signal.setitimer(signal.ITIMER_PROF, seconds)  # of its own work, however long others keep it from that
                solve_in(tmp_path / "often", MIDDLE)
            finally:
                os._exit(0)
        killed += os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGPROF
    assert killed
    assert_same(solve_in(tmp_path / "often", MIDDLE), wanted)
    assert not [path for path in (tmp_path / "often").iterdir() if path.name.endswith((".tmp", ".lock"))]


@pytest.mark.parametrize("game", [SMALL, Forwards(1, 3, False), Countdown(40)], ids=str)
def test_kernels_that_follow_moves_are_called_for_few_positions(
    game: Any, once: Any, in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing looked for Ctrl-C during a chunk of three million positions, for 5 s of a machine with much to do."""
    wanted, asked, counted = once(game).there, [], on_disk.Levels.counted

    def seen(self: Any, kernel: str, *arguments: Any) -> np.ndarray:
        if kernel in ("spread", "pull_level", "push_level", "compare_level"):
            _, low, of = arguments[:3]
            asked.append((kernel, 8 * len(of) if isinstance(of, np.ndarray) else of - low))
        return counted(self, kernel, *arguments)

    monkeypatch.setattr(on_disk.Levels, "counted", seen)
    monkeypatch.setattr(on_disk, "CHUNKS", 2)
    monkeypatch.setattr(on_disk, "PIECE", 8 * FIELDS)
    assert_same(solve_in(tmp_path, game), wanted)
    assert {kernel for kernel, _ in asked} >= {"spread", "compare_level"} and max(positions for _, positions in asked) <= 8 * FIELDS


def test_a_finished_folder_is_read(once: Any, in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = once(SMALL).there
    once(SMALL).copied(tmp_path)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    monkeypatch.setattr(on_disk.Levels, "counted", None)  # no kernel is called
    assert_same(solve_in(tmp_path, SMALL), first)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


@pytest.mark.slow
def test_a_sample_is_no_proof_and_can_be_made_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for way in (on_disk, solving):
        monkeypatch.setattr(way, "SAMPLED", 1000)
    sampled = solve_in(tmp_path, MIDDLE, quick=True)
    assert_same(sampled, solve_board(MIDDLE, quick=True))
    assert sampled.certificate.kind == "sample"
    assert_same(solve_in(tmp_path, MIDDLE), solve_board(MIDDLE))
    assert zermelo.open(tmp_path / "table.zermelo").certificate.kind == "proof"


@pytest.mark.parametrize(
    ("game", "level", "side", "gained"),
    [
        (SMALL, 2, 1, True), (SMALL, 3, 0, True), (SMALL, 5, 0, True), (SMALL, 5, 0, False),
        (Countdown(12), 2, 1, False), (Countdown(12), 3, 0, False),
    ],
)  # fmt: skip
def test_the_check_finds_a_wrong_level(
    game: Any, once: Any, in_python: None, level: int, side: int, gained: bool, tmp_path: Path
) -> None:
    """A level says of one position more (a draw), or of one less, that it was decided."""
    first = once(game).there
    once(game).copied(tmp_path)
    codes_before = codes(first)
    record = Record(tmp_path / f"level-{level:04}")
    chunks = [np.frombuffer(record[c], np.uint8).copy() for c in range(len(record))]
    sign = -1 if side else 1
    at = np.flatnonzero(codes_before == (board.status.DRAWN if gained else sign * (board.status.FIRST + level)))[0]
    chunk, place = divmod(int(at), record.header["run"]["chunk"])
    if not len(chunks[chunk]):
        chunks[chunk] = np.zeros(2 * -(-min(record.header["run"]["chunk"], len(codes_before)) // 8), np.uint8)
    chunks[chunk].reshape(2, -1)[side, place >> 3] ^= 1 << (place & 7)
    header = dict(record.header)
    write_record(record.path, [on_disk.zlib.compress(c.tobytes()) if c.any() else b"" for c in chunks], lambda: header)
    (tmp_path / "checked").unlink()
    error = zermelo.RulesError if game is SMALL else AssertionError  # no rule is a possible cause
    with pytest.raises(error, match="the result does not follow from the next positions: .*a bug in Zermelo"):
        solve_in(tmp_path, game)


def test_what_is_about_other_levels_is_made_anew(once: Any, in_python: None, tmp_path: Path) -> None:
    """A damaged table is written again; a level that was deleted is decided again, and so is the check."""
    game, table = Countdown(12), tmp_path / "table.zermelo"
    first = once(game).there
    once(game).copied(tmp_path)
    whole, looks = table.read_bytes(), on_disk.Levels.check
    table.unlink()  # it is mapped
    table.write_bytes(whole[:100])
    assert_same(solve_in(tmp_path, game), first)
    assert zermelo.open(table, game=game).census() == first.census()  # its size may differ: it holds seconds as text
    (tmp_path / "level-0003").unlink()
    checked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_disk.Levels, "check", lambda self, quick: checked.append(self.checked.level) or looks(self, quick))
        assert_same(solve_in(tmp_path, game), first)
    assert checked == [0]


def test_wrong_parents_do_not_pass_the_proof(in_python: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "TAKING_BACK", 0)
    request = Request(Forgetful(25), checkpoint=tmp_path)
    monkeypatch.setattr(type(request), "rules", property(lambda self: zermelo.language.rules.read(self.game)))
    with pytest.raises(zermelo.RulesError, match=r"`parents` does not yield Pile\(left=5, bonus=0\) for Pile\(left=3, bonus=0\)"):
        on_disk.solve_on_disk(request)


class Half(NamedTuple):
    """Looks like a board game until its end is met, far from the start, which pays half a point."""

    n: int = 5_000

    class S(NamedTuple):
        x: int

    def start(self):
        return self.S(self.n)

    def actions(self, s):
        for take in range(1, 4):
            if take <= s.x:
                yield take

    def outcomes(self, s, take):
        yield 1, 0, self.S(s.x - take), -1

    def payoff(self, s):
        return -0.5

    def space(self):
        return product(range(self.n + 1))


def test_a_game_that_turns_out_to_be_none_for_boards_is_refused_with_the_reason(in_python: None, tmp_path: Path) -> None:
    with pytest.raises(zermelo.ParameterError, match=r"takes no checkpoint: the engine boards gave up: at S\(x=3\), play ends"):
        zermelo.solve(Half(), checkpoint=tmp_path)


def test_other_games_are_left_to_other_engines(tmp_path: Path) -> None:
    with only("interpreted"), pytest.raises(GivesUp):
        on_disk.solve_on_disk(Request(Coin(), checkpoint=tmp_path))
    with pytest.raises(zermelo.ParameterError, match="a checkpoint is for"):
        zermelo.solve("pig", goal=10, checkpoint=tmp_path)


def refused(folder: Path, game: Any = MIDDLE) -> str:
    with pytest.raises(zermelo.FileError) as caught:
        solve_in(folder, game)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_folders_that_do_not_do_are_told(in_python: None, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("something")
    assert "it is a file, and a large board needs a folder" in refused(file)
    assert "it is a file, and a large board needs a folder" in refused(file / "levels")
    assert "can't be written" in refused(Path("/proc/levels"))
    assert file.read_text() == "something"
    folder = tmp_path / "levels"
    solve_in(folder, Countdown(12))
    said = refused(folder, Countdown(13))
    assert "is of another board (parameters: {'pile': 12, 'steps': 0} there" in said and "give another folder" in said
    whole = (folder / "level-0001").read_bytes()
    for changed in (whole[:-20], whole[:40] + bytes([whole[40] ^ 1]) + whole[41:], b"ZMLEVEL\n", b"something", b""):
        (folder / "level-0001").write_bytes(changed)
        (folder / "checked").unlink(missing_ok=True)
        assert "level-0001" in refused(folder, Countdown(12))


@pytest.mark.parametrize("is_checked", [True, False])
def test_levels_under_other_names_are_refused(once: Any, in_python: None, is_checked: bool, tmp_path: Path) -> None:
    """A level says which one it is: with two of them swapped every number was wrong, called proven."""
    game = Countdown(12)
    first = once(game).there
    once(game).copied(tmp_path)
    (third, fifth), other = (tmp_path / "level-0003", tmp_path / "level-0005"), tmp_path / "other"
    for name in ("table.zermelo", "checked")[: 1 if is_checked else 2]:
        (tmp_path / name).unlink()
    for a, b in ((third, other), (fifth, third), (other, fifth)):
        a.rename(b)
    assert "level-0003 is damaged (it was written as level-0005): delete it and those of later levels" in refused(tmp_path, game)
    for path in sorted(tmp_path.glob("level-*"))[2:]:
        path.unlink()
    assert_same(solve_in(tmp_path, game), first)
    record = Record(third)
    old = {name: value for name, value in record.header.items() if name not in ("file", "format")}
    new, other_run = {**record.header, "format": 3}, {**record.header, "run": {**record.header["run"], "seed": 7}}
    for header, why in (
        (old, "is of an older version, whose files do not say which level they hold: give another folder"),
        (new, "has format 3, but this Zermelo"),
        (other_run, "is of another board (seed: 7 there, None here)"),
    ):
        write_record(third, [on_disk.zlib.compress(record[c]) for c in range(len(record))], lambda header=header: header)  # type: ignore[misc]
        assert f"level-0003 {why}" in refused(tmp_path, game)


def test_a_table_of_other_parameters_is_written_anew(in_python: None, tmp_path: Path) -> None:
    """Two boards of as many numbers: the table of one in the folder of the other."""
    paths = [tmp_path / str(n) / "table.zermelo" for n in (5, 6)]
    games = [Countdown(40, 7), Countdown(30, 17)]
    solutions = [solve_in(path.parent, game) for path, game in zip(paths, games, strict=True)]
    assert len(codes(solutions[0])) == len(codes(solutions[1])) and not np.array_equal(*map(codes, solutions))
    paths[1].unlink()
    paths[1].write_bytes(paths[0].read_bytes())
    assert_same(solve_in(paths[1].parent, games[1]), solutions[1])


def test_a_full_disk_leaves_the_last_level(once: Any, in_python: None, tmp_path: Path) -> None:
    """Files may not grow beyond a limit: what was written before stays, and is gone on from."""
    game, folder = GobbletGobblers(2, 1, False), tmp_path / "levels"
    first, _, done = once(game)
    sizes = {path.name: path.stat().st_size for path in done.iterdir()}
    assert sizes["table.zermelo"] - 100 > sizes["level-0001"] > sizes["board"] + 100
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for too_large, left in (("level-0001", {"board"}), ("table.zermelo", {*sizes} - {"table.zermelo"})):
        resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[too_large] - 100, before[1]))  # seconds in it have more or fewer digits
        try:
            assert f"{too_large} can't be written: File too large" in refused(folder, game)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert {path.name for path in folder.iterdir()} == left
    assert_same(solve_in(folder, game), first)


def test_what_does_not_fit_is_refused_with_the_way_that_does(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "available", lambda: 1 << 20)
    game = GobbletGobblers(2, 3, True)
    with pytest.raises(zermelo.OutOfReach, match=r"a table of them needs about 6 MiB .* give smaller parameters, or a folder .* 2 MiB"):
        zermelo.solve(game)
    assert any("does not fit into memory: give smaller parameters, or a folder" in note for note in zermelo.plan(game).notes)
    with pytest.raises(zermelo.OutOfReach, match="three bits for each of them needs about .* give smaller parameters"):
        zermelo.solve(game, checkpoint=tmp_path)
    monkeypatch.setattr(machine, "available", lambda: 1 << 30)
    assert "a byte a position in memory, 6 MiB" in zermelo.plan(game).notes  # after those on what there was no time to examine, if any
    assert any(f"levels on disk in {tmp_path}" in note for note in zermelo.plan(game, checkpoint=tmp_path).notes)


def test_saving_what_memory_can_not_hold_unpacked_says_how_to(once: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    solution = once(SMALL).there
    monkeypatch.setattr(machine, "available", lambda: 1 << 10)
    monkeypatch.setattr(machine, "SMALL", 0)
    with pytest.raises(zermelo.OutOfReach, match=r"saving Gobblet.* as it is needs .* save it compressed \(compress=True"):
        solution.save(tmp_path / "plain")
    solution.save(tmp_path / "packed", compress=True)
    assert {path.name for path in tmp_path.iterdir()} == {"packed"}


def test_two_processes_do_not_share_a_folder(tmp_path: Path) -> None:
    with on_disk.alone_with(tmp_path / "levels"):
        child = os.fork()
        if not child:
            code = 1
            try:
                solve_in(tmp_path, MIDDLE)
            except zermelo.FileError as error:
                code = 0 if "is in use by another process" in str(error) else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

"""Files that are written as a whole, what killed processes leave behind, and files that only one process may use."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

import zermelo
from zermelo.basics import disk
from zermelo.cli import main
from zermelo.engines.urn import kept
from zermelo.engines.urn.sweep import Sweep, swept
from zermelo.storage.file import is_there

WRITING = """
import sys, time
from pathlib import Path
from zermelo.basics import disk
with disk.replacing(Path(sys.argv[1])) as temporary:
    temporary.write_text("half of it")
    print("writing", flush=True)
    time.sleep(60)
"""
HOLDING = """
import sys, time
from pathlib import Path
from zermelo.basics import disk
with disk.alone_with(Path(sys.argv[1])) as is_alone:
    print(is_alone, flush=True)
    time.sleep(60)
"""


def started(script: str, path: Path) -> subprocess.Popen[str]:
    """A process that has come as far as to say so."""
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline()
    return process


def killed(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_what_a_killed_process_left_behind_is_deleted_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    path = tmp_path / "file"
    other = tmp_path / ".another.0123456789ab.tmp"
    other.write_text("not of this file")
    process = started(WRITING, path)
    try:
        with disk.replacing(path) as temporary:
            temporary.write_text("whole")
        assert path.read_text() == "whole"
        assert len(names(tmp_path)) == 3, "the other process is still writing"
    finally:
        killed(process)
    assert path.read_text() == "whole" and len(names(tmp_path)) == 3
    with disk.replacing(path) as temporary:
        temporary.write_text("newer")
    assert path.read_text() == "newer" and names(tmp_path) == {"file", other.name}
    disk.remove_left_behind(tmp_path, ".*.tmp")
    assert names(tmp_path) == {"file"}


def test_without_locks_only_old_files_are_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*arguments: object) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", refuses)
    new, old = tmp_path / ".file.1.tmp", tmp_path / ".file.2.tmp"
    for path in (new, old):
        path.write_text("")
    os.utime(old, (time.time() - 2 * disk.DAY,) * 2)
    with disk.replacing(tmp_path / "file") as temporary:
        temporary.write_text("whole")
    assert names(tmp_path) == {"file", new.name}


def test_only_one_process_is_alone_with_a_file(tmp_path: Path) -> None:
    path = tmp_path / "run"
    process = started(HOLDING, path)
    try:
        with disk.alone_with(path) as is_alone:
            assert not is_alone
    finally:
        killed(process)
    with disk.alone_with(path) as is_alone:
        assert is_alone, "the lock of a killed process does not last"
        with disk.alone_with(path) as twice:
            assert not twice
    assert names(tmp_path) == set()


def test_ctrl_c_while_a_file_is_locked_leaves_no_file_and_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process went on, as a notebook does, and the checkpoint was in use for ever."""
    path, flock = tmp_path / "file", disk.fcntl.flock

    def interrupted(descriptor: int, how: int) -> None:
        flock(descriptor, how)
        raise KeyboardInterrupt

    with monkeypatch.context() as once:
        once.setattr(disk.fcntl, "flock", interrupted)
        with pytest.raises(KeyboardInterrupt), disk.replacing(path):
            pass
        assert names(tmp_path) == set()
        with pytest.raises(KeyboardInterrupt), disk.alone_with(path):
            pass
    with disk.alone_with(path) as is_alone:
        assert is_alone
    assert names(tmp_path) == set()


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command ended as "RuntimeError: Could not determine home directory" for a user whom only a container knows."""

    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("ZERMELO_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    with pytest.raises(OSError, match="Not a directory"):
        disk.cache_directory().mkdir(parents=True, exist_ok=True)


def test_an_empty_name_of_the_cache_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache was the current folder."""
    monkeypatch.setenv("ZERMELO_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/base")
    assert disk.cache_directory() == Path("/base/zermelo")


def test_a_home_that_no_shell_has_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a file of settings a folder called ~ was made."""
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("ZERMELO_CACHE", "~/kept")
    assert disk.cache_directory() == Path("/home/somebody/kept")


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    """A device named as output was replaced by a file, which as root takes /dev/null from everybody."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    solution = zermelo.solve("pig", goal=4)
    for write in (solution.save, solution.export_certificate):
        with pytest.raises(zermelo.FileError, match="can't be written: it is no ordinary file"):
            write(pipe)
    with pytest.raises(OSError, match="no ordinary file"), disk.replacing(pipe):
        pass
    assert pipe.is_fifo() and list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("option", ["--output", "--certificate"])
def test_it_is_told_before(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("zermelo.solving.solve", lambda *_, **__: pytest.fail("it was solved"))
    os.mkfifo(tmp_path / "pipe")
    assert main(["solve", "pig", option, str(tmp_path / "pipe")]) == 2
    assert "it is no ordinary file, and would be replaced by one" in capsys.readouterr().err
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize(
    "words",
    ["page binary-search --n 5 --patience 0 -o x.html", "translate coin.prism -o x.py", "blackjack table --decks 1 --split-to 2 -o x.txt"],
)
def test_a_full_disk_is_told_with_the_name_of_the_file(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It said "file: No space left on device"."""
    monkeypatch.chdir(tmp_path)
    Path("coin.prism").write_text("dtmc\nmodule m\n x : [0..1] init 0;\n [] x=0 -> 0.5:(x'=0) + 0.5:(x'=1);\nendmodule\n")
    asked = ("--property", "P=? [ F x=1 ]") if "coin" in words else ()
    written, once = Path(words.split()[-1]), disk._sync

    def sync(path: Path, *how: int) -> None:
        if path.name.startswith(f".{written.name}."):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        once(path, *how)

    monkeypatch.setattr(disk, "_sync", sync)
    assert main([*words.split(), *asked]) == 2
    assert capsys.readouterr().err.strip() == f"zermelo: {written} can't be written: No space left on device"
    assert not written.exists()


def test_an_answer_is_printed_though_it_can_not_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was lost, whatever it had taken to find it."""

    def sync(path: Path, *how: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk, "_sync", sync)
    saved, certificate = tmp_path / "p.zermelo", tmp_path / "p.cert"
    words = ["solve", "piglet", "--goal", "2", "-o", str(saved), "--certificate", str(certificate)]
    assert main(words) == 2
    text = capsys.readouterr()
    assert "first player wins" in text.out and "saved to" not in text.out
    whys = [f"{path} can't be written: No space left on device" for path in (saved, certificate)]
    assert text.err.splitlines() == [f"zermelo: {why}" for why in whys]
    assert main([*words, "--json"]) == 2
    told = json.loads(capsys.readouterr().out)
    assert told["value"] and told["output"] is told["certificate file"] is None
    assert [told["not saved"], told["no certificate"]] == whys
    assert not list(tmp_path.iterdir())


def test_two_files_need_two_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The certificate replaced the solution that had just been saved."""
    name = str(tmp_path / "a")
    assert main(["solve", "pig", "--goal", "4", "--output", name, "--certificate", name]) == 2
    assert "--output and --certificate are both" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_where_nothing_can_be_looked_for_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of another user, here a name that is too long: `zermelo.solve` ended with the system's error, also where only the cache
    could not be read."""
    long = "a" * 300
    for game in (long, f"{long}.py:Game", f"{tmp_path}/{long}/game.py:Game"):
        with pytest.raises(zermelo.FileError, match="^can't read .*: File name too long$"):
            zermelo.solve(game)
    for look in (lambda: swept(Sweep(2, 2, 9.0), checkpoint=tmp_path / long), lambda: is_there(tmp_path / long)):
        with pytest.raises(zermelo.FileError, match="can't be read: File name too long"):
            look()
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / long))
    assert kept.find(50, 50, 9.0) is None


def test_an_answer_that_another_user_keeps_to_himself_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    path = kept._path(50, 50, 9.0, (), False)
    path.parent.mkdir()
    path.write_bytes(b"what can't be read")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kept.find(50, 50, 9.0) is None

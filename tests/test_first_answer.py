"""What a first answer does not do: modules that are not loaded, commands that are not made, memory that is not taken, functions that are
not compiled. Clocks are in
benchmarks/first_answer.py."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.basics import ahead
from zermelo.cli import main, warm
from zermelo.cli.app import COMMANDS, GROUPS, build
from zermelo.cli.lines import cells, folded, print_pairs
from zermelo.games.named import game_named
from zermelo.kernels.kernel import only

STAIRS = '''
from typing import NamedTuple

class Step(NamedTuple):
    n: int

class Stairs(NamedTuple):
    steps: int = 30

    def start(self):
        return Step(0)

    def actions(self, s):
        if s.n < self.steps:
            yield 1
            yield 2

    def outcomes(self, s, a):
        yield 4, -1, Step(min(s.n + a, self.steps))
        yield a, -1, Step(max(s.n - 3, 0))
'''
PUSHED = '''
from typing import NamedTuple

class Place(NamedTuple):
    x: int

class Pushed(NamedTuple):
    size: int = 150

    def start(self):
        return Place(1)

    def player(self, s):
        return s.x % 2

    def actions(self, s):
        if s.x % 25:
            for step in (-3, -1, 1, 3):
                yield step

    def outcomes(self, s, action):
        yield 3, 0, Place((s.x + action) % self.size)
        yield 1, 0, Place((s.x * 7 + 2 * action) % self.size)

    def payoff(self, s):
        return s.x % 3
'''
EXAMPLES = Path(__file__).parent.parent / "examples"
RUN = """
import json, re, sys
from pathlib import Path
from zermelo.cli import main
code = main(sys.argv[1:])
peak = int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024
print(json.dumps([code, peak, sorted(sys.modules)]), file=sys.stderr)
"""
HEAVY = {
    "numba", "llvmlite", "scipy", "highspy", "flint", "matplotlib", "pandas", "xarray", "rich", "concurrent.futures",
    "zermelo.verifier", "zermelo.cli.blackjack", "zermelo.cli.puzzle", "zermelo.games.blackjack.rules",
}  # fmt: skip
MOST = 80  # MiB
RARE = (
    "certify_with_ends", "certify_ends", "propose_ends", "bound_from_above", "certify_with_claims", "certify_claims", "propose_claim",
    "bound_claimed", "settle_circling", "settle_staying", "mark_rest", "improve",
)  # fmt: skip

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="how much memory a process took at most is asked of Linux")


def run(*words: str, cache: Path | None = None) -> tuple[str, float, set[str]]:
    """What the command line prints, MiB at most, and the modules that it has loaded, all in a process of its own. cache : a new folder, if
    nothing has been compiled."""
    fresh = {"ZERMELO_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache)} if cache else {}
    done = subprocess.run([sys.executable, "-c", RUN, *words], capture_output=True, text=True, env={**os.environ, **fresh})
    code, peak, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    return done.stdout, peak, set(modules)


def test_a_small_game_is_solved_with_little(tmp_path: Path) -> None:
    (tmp_path / "stairs.py").write_text(STAIRS)
    said, peak, modules = run("solve", f"{tmp_path}/stairs.py:Stairs")
    assert "-68.2912 " in said and peak < MOST
    assert not HEAVY & modules and not {m for m in modules if m.startswith("zermelo.storage")}


@pytest.mark.parametrize("words", [["card-draw"], ["dodgem", "--size", "2"], ["left-center-right", "--players", "2"]])
def test_small_games_of_the_catalogue_take_little_memory(words: list[str]) -> None:
    _, peak, modules = run("solve", *words)
    assert "numba" not in modules and peak < MOST


def test_small_games_of_any_shape_need_no_compiler(tmp_path: Path) -> None:
    """Components in which neither a few states nor the graph decide."""
    (tmp_path / "pushed.py").write_text(PUSHED)
    for words, value in [([EXAMPLES / "gamblers_ruin.py", "--chips", "300"], "0.500000 "), ([tmp_path / "pushed.py"], "0.220766 ")]:
        said, _, modules = run("solve", *map(str, words), cache=tmp_path)
        assert value in said and "certified to" in said and "numba" not in modules


def test_a_file_is_opened_with_little(tmp_path: Path) -> None:
    file = f"{tmp_path}/cards.zermelo"
    assert main(["solve", "card-draw", "-o", file]) == 0
    said, peak, modules = run("solve", file)
    assert "2.62448 " in said and peak < MOST
    assert not HEAVY & modules
    said, peak, modules = run("table", file)
    assert peak < MOST and not (HEAVY - {"rich"}) & modules


@pytest.mark.parametrize("name", [*COMMANDS, *GROUPS])
def test_only_the_command_that_is_named_is_made(name: str) -> None:
    app = build([name])
    assert len(app.registered_commands) + len(app.registered_groups) == 1


@pytest.mark.parametrize("words", [["--help"], ["--help", "solve"], ["solv"], ["--version"]])
def test_all_commands_are_made_where_none_is_named(words: list[str]) -> None:
    app = build(words)
    assert len(app.registered_commands) == len(COMMANDS) and len(app.registered_groups) == len(GROUPS)


@pytest.mark.parametrize(
    ("text", "most", "lines"),
    [
        ("", 5, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one  two three", 9, ["one  two", "three"]),
        ("one two", 7, ["one two"]),
        ("abcdefghij kl", 4, ["abcd", "efgh", "ij", "kl"]),
        ("a\nb c", 9, ["a", "b c"]),
        ("   abc def", 6, ["   abc", "def"]),
        ("将棋 go", 5, ["将棋", "go"]),
        ("将棋将棋", 5, ["将棋", "将棋"]),
    ],
)
def test_lines_are_folded_at_spaces(text: str, most: int, lines: list[str]) -> None:
    assert list(folded(text, most)) == lines
    assert all(cells(line) <= most for line in lines)


def test_labels_and_texts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "35")
    print_pairs([("value", "1"), ("将", "a text that is longer than a line")])
    assert capsys.readouterr().out.splitlines() == ["  value  1", "  将     a text that is longer than", "         a line"]


# --- what is compiled -------------------------------------------------------------------------------------------------


@contextmanager
def compilations() -> Iterator[list[str]]:
    """The functions that numba compiles meanwhile, as "module.name"; what it finds on disk or in memory is not among them."""
    from numba.core import event

    found: list[str] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            function = event.data["dispatcher"].py_func
            found.append(f"{function.__module__}.{function.__qualname__}")

        def on_end(self, event: Any) -> None:
            pass

    with event.install_listener("numba:compile", Listener()):
        yield found


def stairs(folder: Path, name: str, text: str) -> Any:
    (folder / f"{name}.py").write_text(text)
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec and spec.loader
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Stairs()


def test_after_an_edit_the_rules_are_compiled_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))  # where an earlier run has left nothing
    with only("compiled"):
        zermelo.solve(stairs(tmp_path, "stairs_before", STAIRS))
        edited = stairs(tmp_path, "stairs_after", STAIRS.replace("yield 4, -1", "yield 5, -1"))
        with compilations() as found:
            solution = zermelo.solve(edited)
    assert solution.value != -68.29124331778
    assert found and not [name for name in found if name.startswith("zermelo.")]
    assert len(found) < 25, found


def test_what_few_games_need_is_compiled_for_these_only() -> None:
    """In a process of its own, since kernels that were compiled before stay in memory."""
    code = (
        "import zermelo; from zermelo.kernels import certify, newton, propose_ends, verify_ends, components\n"
        "from zermelo.kernels.kernel import only\n"
        "with only('compiled'): zermelo.solve('pig', goal=5)\n"
        "modules = certify, newton, propose_ends, verify_ends, components\n"
        "kernels = [k for m in modules for k in vars(m).values() if hasattr(k, 'is_ready')]\n"
        "print(*sorted({k.__name__ for k in kernels if vars(k).get('compiled') and vars(k)['compiled'].signatures}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    compiled = set(done.stdout.split())
    assert {"certify_components", "settle_components"} <= compiled and not set(RARE) & compiled


def test_what_was_compiled_ahead_is_found() -> None:
    said, _, _ = run("warm", "chance", "--json")
    (job,) = json.loads(said)
    assert job["kind"] == "chance" and job["game"] == "card-draw" and job["seconds"] > 0 and job["kept"]
    assert run("warm", "chance")[0].startswith("  chance  there   chance and decisions")
    code = (
        "import sys; sys.path.insert(0, 'tests'); import zermelo; from test_first_answer import compilations\n"
        "from zermelo.kernels.kernel import only\n"
        "with compilations() as found, only('compiled'): zermelo.solve('card-draw', red=30, black=20)\n"
        "print(found)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_each_kind_is_a_small_game_of_the_catalogue() -> None:
    assert len({job.kind for job in warm.JOBS}) == len(warm.JOBS)
    for job in warm.JOBS:
        assert zermelo.solve(game_named(job.word, **job.parameters)).report.facts["states"] < 3000


def test_kinds_that_there_are_not_and_games_that_fail(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["warm", "cycle"]) == 2
    assert capsys.readouterr().err == "zermelo: no kind of games 'cycle' in zermelo warm; did you mean cycles or chance?\n"
    monkeypatch.setattr(warm, "JOBS", (warm.Job("cycles", "", "pig", {"goal": -1}),))
    monkeypatch.setattr(warm, "CHILD", f"print('-' * 100_000); {warm.CHILD}")  # more than a pipe holds: it was waited for for ever
    assert main(["warm"]) == 2
    said = capsys.readouterr()
    assert not said.out and said.err.startswith("zermelo: pig: ") and "goal" in said.err and said.err.count("\n") == 1
    monkeypatch.setattr(warm, "CHILD", """print('cannot keep it\\n{"compiled": true, "kept": false}')""")
    monkeypatch.setattr("zermelo.basics.notices._said", [])
    assert main(["warm"]) == 0
    said = capsys.readouterr()
    assert said.err == "zermelo: cannot keep it\n" and "  not kept:  " in said.out  # nobody heard of it


@pytest.mark.skipif(os.name == "nt", reason="groups of processes")
def test_compiling_ahead_is_interrupted(tmp_path: Path) -> None:
    folders = {"ZERMELO_CACHE": str(tmp_path / "rules"), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    command = [sys.executable, "-m", "zermelo.cli", "warm"]
    process = subprocess.Popen(command, env=os.environ | folders, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (tmp_path / "rules").exists():  # the first process compiles
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[1] == "interrupted\n" and process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(
    "words",
    [(warm.CHILD, "{other}", "cycles", "pig"), (ahead.CHILD, "{other}", "{mark}", "cycles", "")],
    ids=["warm", "ahead"],
)
def test_what_compiles_ends_with_the_process_that_has_begun_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    mark = tmp_path / "mark"
    other = subprocess.Popen([sys.executable, "-c", ""])  # its parent is not this one
    words = tuple(word.format(other=other.pid, mark=mark) if word.startswith("{") else word for word in words)
    done = subprocess.run([sys.executable, "-P", "-c", *words], env=os.environ | {"ZERMELO_CACHE": str(tmp_path)}, capture_output=True)
    other.wait()
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"") and not mark.exists()

"""The examples at the end of every command's --help: they are there, and they work."""

import builtins
import io
import json
import shlex
import sys
import textwrap

import pytest

from zermelo import solve
from zermelo.cli import main
from zermelo.cli.app import COMMANDS, GROUPS, group_of
from zermelo.cli.examples import EXAMPLES
from zermelo.cli.puzzle import NAMES as PUZZLES
from zermelo.serve.server import Server

WALK = textwrap.dedent(
    '''
    from typing import Annotated, NamedTuple

    class S(NamedTuple):
        at: int

    class Walk(NamedTuple):
        """Walk to the end by steps of one or two; each may be lost."""
        length: Annotated[int, "how far to walk", range(1, 50)] = 5

        def start(self):
            return S(0)

        def actions(self, s):
            if s.at < self.length:
                yield 1
                yield 2

        def outcomes(self, s, a):
            yield 1, a, S(min(s.at + a, self.length))
            yield 1, 0, S(s.at + 1)
    '''
)


MODEL = """mdp
const int N;
module walker
  x : [0..N];
  [slow] x<N -> (x'=x+1);
  [fast] x<N -> 1/2 : (x'=min(x+2,N)) + 1/2 : true;
endmodule
rewards "steps" true : 1; endrewards
"""


@pytest.fixture
def place(monkeypatch, tmp_path):
    """A directory with the files that the examples name."""
    (tmp_path / "mygame.py").write_text(WALK)
    (tmp_path / "walk.prism").write_text(MODEL)
    (tmp_path / "queries.txt").write_text("1\n3 4 5\n")
    (tmp_path / "pictures").mkdir()
    monkeypatch.chdir(tmp_path)

    def end(*_):
        raise EOFError

    def ended(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", end)
    monkeypatch.setattr(Server, "serve_forever", ended)
    yield tmp_path
    sys.modules.pop("mygame", None)


def test_every_command_has_examples():
    groups = {f"{name} {command}" for name in GROUPS for command in _commands_of(name)}
    assert set(EXAMPLES) == {*COMMANDS, *groups}


def _commands_of(group):
    return PUZZLES if group == "puzzle" else group_of(group).COMMANDS


@pytest.mark.parametrize("command", EXAMPLES)
def test_help_ends_with_examples_of_this_command(command, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "140")
    assert main([*command.split(), "--help"]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.strip().splitlines()]
    assert tuple(lines[-len(EXAMPLES[command]) :]) == EXAMPLES[command]
    assert all(line.startswith(f"zermelo {command}") for line in EXAMPLES[command])


ELSEWHERE = {"zermelo demo": "tests/test_cli.py", "zermelo warm chance --json": "tests/test_first_answer.py"}  # where they are run as well


@pytest.mark.parametrize("line", [line for lines in EXAMPLES.values() for line in lines if line not in ELSEWHERE])
def test_examples_work(line, place, capsys, monkeypatch):
    line, _, file = line.partition(" < ")
    if line.startswith(("zermelo study", "zermelo cache")):
        monkeypatch.setenv("ZERMELO_CACHE", str(place / "cache"))  # theirs, and not the user's
    if "zermelo verify" in line:
        solve("pig", goal=5).export_certificate(place / "pig.cert")
    if file:
        monkeypatch.setattr(sys, "stdin", io.StringIO((place / file).read_text()))
    assert main(shlex.split(line)[1:]) == 0
    captured = capsys.readouterr()
    assert captured.out and (not captured.err or "play" in line)
    if "--json" in line:
        json.loads(captured.out)

"""Consoles that are not UTF-8: nothing that is printed fails there, and what they can't show looks like it."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from zermelo.basics.words import cells, padded
from zermelo.cli import main
from zermelo.cli.encoding import LOOK_ALIKES, look_alike

GAME = '''
from typing import Annotated, NamedTuple

class Zug(NamedTuple):
    übrig: int

class Würfel(NamedTuple):
    """Ein Spiel mit ♠ und – Strichen… naïve."""
    größe: Annotated[int, "Größe ♥", range(1, 9)] = 3

    def start(self):
        return Zug(self.größe)

    def actions(self, s):
        for i in range(1, min(3, s.übrig) + 1):
            yield i

    def outcomes(self, s, a):
        yield 1, 0, Zug(s.übrig - a), -1

    def payoff(self, s):
        return -1

    def show(self, s):
        return "♠" * s.übrig + "│日本"

    def action_name(self, a):
        return f"→{a} \\ud83c"
'''

COMMANDS = (
    "--help", "list", "solve würfel.py:Würfel", "solve würfel.py:Würfel --help", "solve würfel.py:Würfel --json", "solve würfel.py:Würfe",
    "table würfel.py:Würfel", "simulate würfel.py:Würfel --plays 1000",
    "play würfel.py:Würfel --seed 1", "check würfel.py:Würfel", "check würfel.py:Wurfel",
    "simulate card-draw --red 5 --black 5 --plays 2000",
    "table pig --goal 5 --view lengths", "plot würfel.py:Würfel -o ü.svg", "reproduce solitaire-pig", "puzzle podiums", "blackjack",
    "blackjack dealer --decks 1", "solve ♠",
)  # fmt: skip


class Console(io.TextIOWrapper):
    """A stream of this encoding."""

    def __init__(self, encoding: str):
        super().__init__(io.BytesIO(), encoding=encoding)

    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_fails_on_such_a_console(words: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("würfel.py").write_text(GAME, encoding="utf-8")
    replies = iter("11q")
    monkeypatch.setattr("builtins.input", lambda prompt="": print(prompt, end="") or next(replies))
    out, err = Console(encoding), Console(encoding)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    code = main(words.split())
    monkeypatch.undo()
    sys.modules.pop("würfel", None)
    is_wrong = words.split()[-1] in ("würfel.py:Würfe", "würfel.py:Wurfel", "♠")
    assert code == (2 if is_wrong else 0), err.text()
    assert err.text() if is_wrong else out.text()
    assert out.errors == "strict"
    if "--json" in words:
        assert json.loads(out.text())["parameters"] == {"größe": 3}
    if "lengths" in words:
        assert "####" in out.text()


@pytest.mark.parametrize("words", ["play pig --goal 3", "play kuhn-poker", "play binary-search --n 3"])
@pytest.mark.usefixtures("in_python")
def test_what_is_typed_has_an_answer(words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that are no text, and more digits than Python takes for a number, were tracebacks."""
    typed = b"\xff\n" + b"1" * 5000 + b"\n\xfe\xff\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
    assert main(words.split()) == 0
    out = capsys.readouterr().out
    assert "'\ufffd' is no" in out and "'\ufffd\ufffd' is no" in out and " ...' is no" in out and "1" * 300 not in out


@pytest.mark.parametrize(
    ("character", "plain"),
    [("█", "#"), ("│", "|"), ("─", "-"), ("╭", "+"), ("┼", "+"), ("é", "e"), ("⠋", "*"), ("日", "??"), ("я", "?"), ("²", "2")],
)  # fmt: skip
def test_what_looks_alike(character: str, plain: str) -> None:
    assert look_alike(character) == plain


def test_look_alikes_are_ascii() -> None:
    assert all(text.isascii() and not character.isascii() for character, text in LOOK_ALIKES.items())


def test_columns_are_told_apart_by_the_width_of_their_characters() -> None:
    """Names were padded by their number of characters, of which some take two columns."""
    assert cells("剪刀") == 4 == cells(padded("剪刀", 4)) and padded("ab", 4) == "ab  " and padded("e\u0301", 2) == "e\u0301 "

"""Playing a game whose players do not see everything: what is shown is what is seen, and decisions are judged by the solution."""

from __future__ import annotations

import inspect
import json
import random
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from test_hidden import GOOD, Tell, reachable
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games import Battleship, Goofspiel, HoldemRiver, Inspection, KuhnPoker, LeducPoker, LiarsDice
from zermelo.language.rules import Rules
from zermelo.views import play_mixed
from zermelo.views.listed import listed, meant
from zermelo.views.play_hidden import Session, converse

GAMES = (
    KuhnPoker(), LeducPoker(2), LiarsDice(sides=2), Inspection(), Inspection(told=True), Goofspiel(3), Goofspiel(3, True),
    Battleship(3, 1, 2, 3), HoldemRiver(first="AhAd QsJs", second="KdKh KdKc"),
)  # fmt: skip


@lru_cache(None, typed=True)
def solved(game: Any) -> Any:
    return zermelo.solve(game)


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_what_is_shown_tells_no_more_than_what_is_seen(game: Any) -> None:
    """Where a player sees the same numbers he is shown the same text, wherever somebody has a choice."""
    rules, shown = Rules(game), {}
    assert "player" in inspect.signature(game.show).parameters
    for state in reachable(game):
        both = rules.choices(state) if rules.is_simultaneous else (rules.actions(state),) * 2
        for player in range(2):
            if len(both[player]) > 1 and (rules.is_simultaneous or rules.player(state) == player):
                key = player, rules.seen(state, player)
                assert shown.setdefault(key, game.show(state, player=player)) == game.show(state, player=player)
    assert len(set(shown.values())) > 1


@pytest.mark.parametrize("game", [*GAMES, Tell(GOOD)], ids=str)
@pytest.mark.parametrize("seat", [0, 1])
def test_best_actions_lose_nothing(game: Any, seat: int) -> None:
    solution = solved(game)
    for seed in range(10):
        session = Session(solution, seat, seed)
        while not session.is_over:
            known = [(a, share, worth) for a, share, worth in session.hint() if worth is not None]
            best = max(known, key=lambda h: h[2])[0] if known else session.hint()[0][0]
            assert session.act(best).loss in (None, pytest.approx(0, abs=1e-12))
        assert session.cost < 1e-9 and session.shown() is not None
        while session.undo():
            assert not session.is_over


def test_the_same_seed_deals_the_same_cards_and_undo_keeps_them() -> None:
    solution = zermelo.solve(KuhnPoker())
    session = Session(solution, 0, 4)
    cards = session.state.first, session.state.second
    session.act(1)
    end = session.state
    assert session.undo() and (session.state.first, session.state.second) == cards
    session.act(1)
    assert session.state == end and Session(solution, 0, 4).state.first == cards[0]
    with pytest.raises(ParameterError):
        Session(solution, 2)
    with pytest.raises(ParameterError, match="is no action here"):
        Session(solution, 0, 4).act(7)


def test_plays_come_to_the_value_on_average() -> None:
    """A person who draws from the solution gets the value."""
    solution = zermelo.solve(KuhnPoker())
    for seat in range(2):
        paid = []
        for seed in range(500):
            session = Session(solution, seat, seed)
            dice = random.Random(seed + 10**6)
            while not session.is_over:
                hints = session.hint()
                session.act(dice.choices([a for a, _, _ in hints], [share for _, share, _ in hints])[0])
            paid.append(session.result)
        assert abs(sum(paid) / len(paid) - (-1 if seat == 0 else 1) / 18) < 3.5 * 1.4 / len(paid) ** 0.5


def test_the_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    solution = zermelo.solve(KuhnPoker())
    seed = next(s for s in range(100) if Session(solution, 0, s).state[:2] == (0, 2))
    said: list[str] = []
    lines = iter(["?", "h", "p", "nonsense", "", "check", "u", "2"])
    data = converse(solution, 0, seed, lambda _: next(lines), lambda text="": said.append(text))
    text = "\n".join(said)
    assert "second has" not in text.partition("the play is over")[0] and "you have 0: nothing said yet" in text
    assert "'nonsense' is not an action here" in text and "taken back" in text and "first has 0, second has 2" in text
    assert data["over"] and data["decisions"][0]["action"] == "bet or call" and len(data["decisions"]) == 1 and data["result"] == -2
    assert "mistakes cost" in text or "no mistakes." in text
    json.dumps(data)
    assert converse(solution, 0, seed, lambda _: "q", lambda text="": None)["over"] is False
    assert main(["play", "binary-search", "--seat", "3"]) == 2
    assert "zermelo:" in capsys.readouterr().err


def test_a_matrix_game_is_played_in_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    words = iter(["?", "h", "15", "nine", "99", "", "a", "q"])
    monkeypatch.setattr("builtins.input", lambda *_: next(words))
    blotto = str(Path(__file__).parent.parent / "examples" / "blotto.py")
    assert main(["play", blotto, "--seed", "3"]) == 0
    said = " ".join(capsys.readouterr().out.split())  # lines are folded
    assert "both choose at once" in said and "(12, 0, 0, 0) against" in said
    assert "'nine' is no strategy: type the number or the name of a strategy" in said and "'99' is no" in said
    assert "not the best: this costs" in said
    assert "1 game: " in said and "with best play 1.53333" in said
    assert main(["play", blotto, "--seat", "3"]) == 2
    assert "Traceback" not in capsys.readouterr().err


class Card(NamedTuple):
    said: int
    end: int


class Coin(NamedTuple):
    """Player 0 hides a coin in a hand, 0 or 1; player 1 says which hand, and wins it if right. Hand 1 is listed first."""

    def start(self) -> Card:
        return Card(-1, 0)

    def player(self, s: Card) -> int:
        return 0 if s.said < 0 else 1

    def actions(self, s: Card) -> Any:
        if not s.end:
            yield 1
            yield 0

    def outcomes(self, s: Card, a: int) -> Any:
        if s.said < 0:
            yield 1, 0, Card(a, 0)
        else:
            yield 1, -1 if a == s.said else 1, Card(s.said, 1)

    def sees(self, s: Card, player: int) -> Any:
        yield player
        if player == 0:
            yield s.said


class Wordy(Coin):
    def action_name(self, action: int) -> str:
        return f"choose the number {action}, whatever the other one may choose"


def test_long_names_stand_one_below_the_other_and_sides_have_the_names_of_the_page() -> None:
    solution = zermelo.solve(Wordy())
    for seat, side in enumerate(("first", "second")):
        said: list[str] = []
        converse(solution, seat, 1, lambda _: "q", lambda text="", said=said: said.append(text))
        assert said[1] == f"You are the {side} player, against optimal play, and see what your player sees. ? is help."
        assert said[4:6] == [f"  {k} choose the number {2 - k}, whatever the other one may choose" for k in (1, 2)]


def test_names_that_are_numbers_are_typed_and_not_counted() -> None:
    """The list said "1 0  2 1", and whoever typed 1 took its number 2."""
    solution = zermelo.solve(Coin())
    for seat in (0, 1):
        for word in ("0", "1"):
            said: list[str] = []
            lines = iter(["2", "?", word])
            data = converse(solution, seat, 1, lambda _, lines=lines: next(lines), lambda text="", said=said: said.append(text))
            assert "  1  0" in said, said
            assert "'2' is not an action here; type an action as it is listed, or ? for help" in said
            assert any(text.startswith("Type an action as it is listed.\n") for text in said)
            assert [d["action"] for d in data["decisions"]] == [word] and data["over"]


def test_rows_that_are_numbers_are_typed_and_not_counted() -> None:
    solution = zermelo.matrix_game([[0, 1, 3], [1, 0, 3], [-9, -9, -9]])
    said: list[str] = []
    lines = iter(["3", "?", "2", "1", "", "q"])
    data = play_mixed.converse(solution, 0, 1, lambda _: next(lines), lambda text="": said.append(text))
    assert [r["own"] for r in data["games"]] == ["2", "1"]
    assert {"  0", "  1", "  2"} <= set(said) and "'3' is no strategy: type a strategy as it is listed; ? is help" in said
    assert "nothing was typed: type a strategy as it is listed; ? is help" in said
    assert re.search(r"  2 against \d: you get -9; after 1 game -9$", "\n".join(said), re.M) and "; after 2 games -" in "\n".join(said)


def test_a_list_and_what_is_typed_for_it() -> None:
    mixed, plain, equal = ["0", "10", "pass"], ["pass", "raise 1", "raise 2"], ["7", "7", "b"]
    assert listed(mixed) == mixed and listed(plain) == ["1 pass", "2 raise 1", "3 raise 2"] and listed(equal)[0] == "1 7"
    assert [meant(word, mixed) for word in ("0", "1", "10", "p", "", "2")] == [[0], [], [1], [2], [], []]
    assert [meant(word, plain) for word in ("1", "raise", "raise 2", "4", "0", "\u00b2")] == [[0], [1, 2], [2], [], [], []]
    assert [meant(word, equal) for word in ("1", "2", "7", "b")] == [[0], [1], [], [2]]
    assert [meant(word, ["(1, 12)", "(1, 1)", "(11, 2)"]) for word in ("(1,1)", "( 11,2 )", "(1,", " ")] == [[1], [2], [0, 1], []]

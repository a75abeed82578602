"""Rules that the compiler refuses: Python goes on alone, and says so, whichever engine runs them. (Stages: test_tiers.py.)"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo import spaces
from zermelo.engines.exploring import explore
from zermelo.engines.hidden.views import Views
from zermelo.errors import RulesError
from zermelo.kernels.kernel import Allowance, only
from zermelo.language.rules import read

REFUSED = r"^Python goes on running \w+, about a hundred times slower than machine code.*can't be compiled in the line `kinds"


class At(NamedTuple):
    place: int
    left: int


class Counted(NamedTuple):
    """Moves are counted down."""

    moves: int = 9

    def start(self):
        return At(0, self.moves)

    def actions(self, s):
        if s.left > 0:
            yield 1
            yield 2

    def outcomes(self, s, a):
        kinds = (0, (s.place, 1))
        kinds = (kinds[a - 1], 0)
        yield 1, 0, At((3 * s.place + a) % 10, s.left - 1)

    def payoff(self, s):
        return s.place


class Dealt(NamedTuple):
    card: int = -1
    other: int = -1
    bet: int = -1


class Guess(NamedTuple):
    """What the second player sees does not compile."""

    def start(self):
        return Dealt()

    def actions(self, s):
        if s.bet < 0:
            yield 0
            if s.card >= 0:
                yield 1

    def outcomes(self, s, a):
        if s.card < 0:
            for card in range(2):
                for other in range(2):
                    yield 1, 0, Dealt(card, other)
        else:
            yield 1, 0, s._replace(bet=a)

    def payoff(self, s):
        return s.bet * (2 * s.card - 1)

    def sees(self, s, player):
        kinds = (0, (s.bet, 1))
        kinds = (kinds[player], 0)
        yield s.bet
        yield s.card if player == 0 else s.other


class Pile(NamedTuple):
    left: int
    mover: int


class Take(NamedTuple):
    """The positions are ranked."""

    pile: int = 20

    def start(self):
        return Pile(self.pile, 0)

    def player(self, s):
        return s.mover

    def actions(self, s):
        for a in range(1, min(s.left, 3) + 1):  # noqa: UP028
            yield a

    def outcomes(self, s, a):
        kinds = (0, (s.left, 1))
        kinds = (kinds[s.mover], 0)
        yield 1, 0, Pile(s.left - a, 1 - s.mover)

    def payoff(self, s):
        return 2 * s.mover - 1

    def space(self):
        return spaces.product(range(self.pile + 1), range(2))


@pytest.fixture(autouse=True)
def none_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.basics.notices._said", [])


@pytest.mark.parametrize(
    ("game", "engine", "changed"),
    [
        (Counted(), "explored", {}),
        (Counted(), "horizon", {"engines.base.FEW_STORED": 20}),
        (Guess(), "hidden", {}),
        (Take(), "explored", {"engines.boards.engine.FEW_POSITIONS": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_python_goes_on_alone(game: Any, engine: str, changed: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """They were refused where Python took a little longer than usual: by chance."""
    with only("interpreted"):
        value = zermelo.solve(game).value
    for name, few in changed.items():
        monkeypatch.setattr(f"zermelo.{name}", few)
    monkeypatch.setattr("zermelo.engines.exploring.explore.allowance", lambda *_: Allowance(0.0))
    monkeypatch.setattr("zermelo.link.again._seconds", {})
    with pytest.warns(UserWarning, match=REFUSED):
        found = zermelo.solve(game)
    assert found.value == value and found.report.engine == engine
    for name in ("ALONE", "TIMES"):
        monkeypatch.setattr(f"zermelo.link.alone.{name}", 0)
    if engine != "hidden":  # what the players see is asked in one call
        with pytest.raises(RulesError, match="Python alone may take 0 s"):
            zermelo.solve(game)


def test_certificates_are_checked_in_python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    zermelo.solve(Counted()).export_certificate(tmp_path / "counted.cert")
    monkeypatch.setattr("zermelo.verifier.FEW", 1)
    with pytest.warns(UserWarning, match=REFUSED):
        assert zermelo.verify(tmp_path / "counted.cert", Counted)
    with pytest.raises(RulesError, match="can't be compiled"):
        zermelo.verify(tmp_path / "counted.cert", Counted, interpreted=False)


class Stares(Guess):
    def sees(self, s, player):
        while s.bet == 1:
            pass
        yield s.bet


def test_sees_that_never_ends_is_told_with_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python ran it, at a state that the checker had not seen, a traceback ended the program."""
    rules = read(Stares())
    monkeypatch.setattr(explore, "check_agreement", lambda found: None)
    explored = explore.explore(rules, [rules.start])
    for name in ("link.interpreted", "language.checking.runner"):
        monkeypatch.setattr(f"zermelo.{name}.LONGEST", 0.2)
    with pytest.raises(RulesError, match=r"still running after .* bet=1"):
        Views(explored)

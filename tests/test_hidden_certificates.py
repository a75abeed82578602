"""Certificates of games whose players do not see everything: what is right is verified, what was changed is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.basics.progress import silent
from zermelo.engines.hidden import solving
from zermelo.errors import FileError, OutOfReach
from zermelo.games import KuhnPoker, LiarsDice
from zermelo.uses.certificate import text_of
from zermelo.uses.certificate import write as write_certificate
from zermelo.uses.verify_in_parts import in_threads
from zermelo.verifier import read, verify

F = Fraction


def numbers(certificate: Any) -> list[Fraction]:
    return [F(line) for line in bytes(certificate.arrays["fractions"]).decode().split("\n")]


def rewritten(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> Any:
    write_certificate(path, header, arrays)
    return zermelo.verify(path)


@pytest.mark.parametrize("game", [KuhnPoker(), KuhnPoker(5), LiarsDice(sides=3)])
def test_what_was_changed_is_refused(game: Any, tmp_path: Path) -> None:
    """A share moved from one action to another, a narrower interval: refused, or what it says still holds."""
    solution, path = zermelo.solve(game), tmp_path / "certificate"
    solution.export_certificate(path)
    found, dice = read(path), random.Random(1)
    verdict = zermelo.verify(path)
    assert verdict.verified and verdict.low == verdict.high == solution.value and verdict.kind == "information sets"
    starts = [found.arrays["own_start"].tolist(), found.arrays["other_start"].tolist()]
    refused = 0
    for _ in range(40):
        shares = numbers(found)
        player = dice.randrange(2)
        k = dice.randrange(len(starts[player]) - 1)
        begin = 2 + (starts[0][-1] if player else 0) + starts[player][k]
        one, two = dice.sample(range(begin, begin + starts[player][k + 1] - starts[player][k]), 2)
        moved = shares[one] * F(dice.randrange(1, 5), 4)
        shares[one], shares[two] = shares[one] - moved, shares[two] + moved
        changed = rewritten(path, found.header, {**found.arrays, "fractions": text_of(shares)})
        assert changed.verified or "against the best response" in changed.fault
        refused += not changed.verified
    assert refused  # most sets of liars are not reached by optimal play
    for at, by in ((0, F(1, 1000)), (1, F(-1, 1000))):
        shares = numbers(found)
        shares[at] += by
        assert not rewritten(path, found.header, {**found.arrays, "fractions": text_of(shares)}).verified
    shares = numbers(found)
    shares[2] += 1
    assert "do not sum to 1" in rewritten(path, found.header, {**found.arrays, "fractions": text_of(shares)}).fault
    seen = found.arrays["own_sees"].copy()
    seen[:] = 7
    assert not rewritten(path, found.header, {**found.arrays, "own_sees": seen}).verified
    with pytest.raises(FileError, match="this is no certificate for such a game"):
        rewritten(path, {**found.header, "kind": "bounds"}, found.arrays)


def test_bounds_of_rounded_strategies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW", 0)
    solution = zermelo.solve(KuhnPoker(), tolerance=1e-4)
    solution.export_certificate(tmp_path / "bounds")
    verdict = zermelo.verify(tmp_path / "bounds")
    assert verdict.verified and verdict.low <= F(-1, 18) <= verdict.high
    assert abs(verdict.low - F(solution.low)) < 1e-5 and abs(verdict.high - F(solution.high)) < 1e-5


class Place(NamedTuple):
    card: int
    said: int
    moves: int


class Odd(NamedTuple):
    """Both choose at once, after a card that one of them sees; with ways that are no short decimals."""

    odd: bool = True

    def start(self) -> Place:
        return Place(-1, -1, 0)

    def sees(self, s: Place, player: int) -> Iterator[int]:
        yield s.moves
        if player == 0:
            yield s.card

    def actions(self, s: Place) -> Iterator[int]:
        if s.moves < 2:
            yield 0
        if s.moves == 1:
            yield 1

    def other_actions(self, s: Place) -> Iterator[int]:
        if s.moves < 2:
            yield 0
        if s.moves == 1:
            yield 1

    def outcomes(self, s: Place, a: int, b: int) -> Iterator[tuple[float, int, Place]]:
        if s.moves == 0:
            yield (1 / 3 if self.odd else 1.0), 0, Place(0, -1, 1)
            yield (2 / 7 if self.odd else 2.0), 0, Place(1, -1, 1)
        else:
            yield 1.0, (1 + s.card if a == b else -1), Place(s.card, a, 2)


def test_both_at_once(tmp_path: Path) -> None:
    solution = zermelo.solve(Odd(False))
    solution.export_certificate(tmp_path / "odd")
    verdict = zermelo.verify(tmp_path / "odd", Odd)
    assert verdict.verified and verdict.low == verdict.high == solution.value
    with pytest.raises(OutOfReach, match="not short decimals, so there is no certificate"):
        zermelo.solve(Odd()).export_certificate(tmp_path / "none")
    assert not (tmp_path / "none").exists()
    np.testing.assert_allclose(solution.distribution("payoff").mean, float(solution.value))


class Toss(NamedTuple):
    heads: int
    guess: int


class Guess(NamedTuple):
    """Guess a coin that has been tossed; not to guess costs half."""

    ways: int = 1
    sign: int = 1

    def start(self) -> Toss:
        return Toss(-1, -1)

    def actions(self, s: Toss) -> Iterator[int]:
        if s.heads < 0:
            yield 0
        elif s.guess < 0:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s: Toss, action: int) -> Iterator[tuple[int, float, Toss, int]]:
        if s.heads < 0:
            yield 1, 0, Toss(0, -1), 1
            yield 1, 0, Toss(1, -1), 1
        elif action == 2:
            yield self.ways, -0.5, Toss(s.heads, 2), self.sign
        else:
            yield 1, 1 if action == s.heads else -1, Toss(s.heads, action), 1

    def sees(self, s: Toss, player: int) -> Iterator[int]:
        yield s.guess


@pytest.mark.parametrize("game", [Guess(0), Guess(-1), Guess(1, -1)], ids=str)
def test_plays_of_rules_that_are_wrong_do_not_get_lost(game: Guess, tmp_path: Path) -> None:
    """An action of no ways led nowhere, and cost nothing."""
    path = tmp_path / "certificate"
    zermelo.solve(Guess()).export_certificate(path)
    found = read(path)
    shares = [F(0), F(0), F(0), F(0), F(1)]
    found.arrays["fractions"] = text_of(shares)
    verdict = verify(found, game, True, silent, in_threads)
    assert not verdict.verified and "ways are negative, or all are 0" in str(verdict.fault)
    with pytest.raises(zermelo.ZermeloError):
        zermelo.solve(game)

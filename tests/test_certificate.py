"""Certificates at the edges: ties that rounding hides, numbers near the limits, solvers asked for what they can't do."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo import ParameterError, RulesError
from zermelo.certificates.certify import Certifier
from zermelo.problem.solver import Uncertified
from zermelo.problem.transitions import Transitions
from zermelo.solvers.by_component import Backward, Cyclic


class S(NamedTuple):
    at: int


class Tie(NamedTuple):
    """States 3 and 4 may be circled unpaid; state 4 may be left to 2, which is worth exactly 0 by cancellation."""

    numerator: int = 2
    denominator: int = 3
    who: int = 0

    def start(self):
        return S(3)

    def player(self, s):
        return self.who if s.at == 4 else 0

    def actions(self, s):
        if s.at > 0:
            yield 0
            if s.at == 4:
                yield 1

    def outcomes(self, s, action):
        if s.at == 1:
            yield self.numerator, 1, S(0)
            yield self.denominator - self.numerator, 0, S(0)
        elif s.at == 2:
            yield self.denominator, 0, S(1)
            yield self.numerator, -1, S(0)
        elif s.at == 3:
            yield 1, 0, S(4)
        else:
            yield 1, 0, S(3) if action == 0 else S(2)


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize(("numerator", "denominator"), [(1, 3), (1, 5), (2, 7), (1, 10), (3, 11), (1, 49), (2, 3)])
def test_a_tie_with_circling_that_rounding_hides(numerator: int, denominator: int, who: int) -> None:
    game = Tie(numerator, denominator, who)
    solution = zermelo.solve(game)
    assert solution.low <= 0 <= solution.high < 1e-12
    assert zermelo.solve(game, exact=True).value == 0


class Pays(NamedTuple):
    """One step: `one` ways to be paid `pay`, `other` ways to be paid nothing."""

    one: float = 1.0
    other: float = 1.0
    pay: float = 1.0

    def start(self):
        return S(1)

    def outcomes(self, s):
        if s.at > 0:
            yield self.one, self.pay, S(0)
            yield self.other, 0, S(0)


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Pays(1e308, 1e308), "between -1e\\+100"),
        (Pays(5e-324, 0), "1e-100 or more"),
        (Pays(1.0, 1.0, 1e300), "between -1e\\+100"),
        (Pays(1.0, 1.0, float("nan")), "finite"),
    ],
)
def test_numbers_beyond_the_limits_are_refused(game: Pays, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        zermelo.solve(game)


@pytest.mark.parametrize(
    "game", [Pays(1e100, 1e100), Pays(1e-100, 3e-100), Pays(1e-100, 1e100, 1e100), Pays(1, 1, 1e-90)]
)
def test_numbers_near_the_limits_keep_their_bounds(game: Pays) -> None:
    solution = zermelo.solve(game)
    truth = Fraction(game.one) * Fraction(game.pay) / (Fraction(game.one) + Fraction(game.other))
    assert solution.low <= truth <= solution.high
    assert solution.high - solution.low <= 1e-14 * max(abs(float(truth)), 1e-180)


class Prize(NamedTuple):
    """Two steps to a prize."""

    prize: int

    def start(self):
        return S(2)

    def outcomes(self, s):
        if s.at > 0:
            yield 1, 0, S(s.at - 1)

    def payoff(self, s):
        return self.prize


@pytest.mark.parametrize("prize", [2**53 + 1, -(2**60) - 1, 2**62 + 1, 2**53 - 1])
def test_whole_prizes_beyond_53_bits(prize: int, in_python: None) -> None:
    """Floats can't tell them from their neighbours: at the end, too, the interval has them."""
    solution = zermelo.solve(Prize(prize))
    for at in range(3):
        found = solution.probe(S(at))
        assert Fraction(found.low) <= prize <= Fraction(found.high)
        assert at > 0 or abs(prize) > 2**53 or found.low == found.high


def batch_of_one_row(ways: list[float], payoff: list[float]) -> Transitions:
    """State 1 with one action, which leads to the final state 0."""
    k = len(ways)
    return Transitions(
        0, 2, np.array([0, 0, 1]), np.array([0, k]), np.array(ways), np.zeros(k, np.int32), np.ones(k, np.int8),
        np.array(payoff)[:, None], np.zeros((2, 1)), np.zeros(2, np.int8),
    )  # fmt: skip


def test_what_is_not_finite_is_not_certified() -> None:
    batch = batch_of_one_row([1e308, 1e308], [1.0, 0.0])
    value, policy = np.zeros((2, 1)), np.array([-1, 0], np.int32)
    with pytest.raises(Uncertified):
        Certifier(value, policy).certify(batch, np.array([0, 1, 2]))
    value[1] = np.nan
    with pytest.raises(Uncertified):
        Certifier(value, policy).certify(batch_of_one_row([1.0], [1.0]), np.array([0, 1, 2]))


class Race(NamedTuple):
    """Two moves to a win; with `counted`, a second payoff counts the moves."""

    counted: bool = False

    def start(self):
        return S(2)

    def payoffs(self):
        return ("win", "five") if self.counted else ("win",)

    def actions(self, s):
        if s.at > 0:
            yield 0
            yield 1

    def outcomes(self, s, action):
        yield 1, (0,) * (1 + self.counted), S(s.at - 1)

    def payoff(self, s):
        return tuple(1 + 4 * i for i in range(1 + self.counted))


def test_retrograde_analysis_knows_its_limits() -> None:
    assert zermelo.solve(Race()).value == 1
    assert zermelo.solve(Race(), discount=0.5).value == pytest.approx(0.25)
    with pytest.raises(ParameterError, match="Retrograde does not take this game.*discounted by 0.5"):
        zermelo.solve(Race(), discount=0.5, solver=zermelo.Retrograde())
    assert dict(zermelo.solve(Race(counted=True)).payoffs) == {"win": 1, "five": 5}


class Chances(NamedTuple):
    """1 for sure, or by one of 49 equal chances."""

    def start(self) -> S:
        return S(0)

    def actions(self, s: S) -> Iterator[int]:
        if s.at == 0:
            yield 0
            yield 1

    def outcomes(self, s: S, action: int) -> Iterator[tuple[int, int, S]]:
        for k in range(49 if action else 1):
            yield 1, 0, S(1 + k)

    def payoff(self, s: S) -> int:
        return 1


@pytest.mark.parametrize(("solver", "chosen"), [(Backward(), 0), (Cyclic(), 1)], ids=["backward", "cyclic"])
def test_the_certificate_of_an_opened_solution_is_of_its_policy(solver: Any, chosen: int, tmp_path: Path, in_python: None) -> None:
    """The game was solved again, by the solver of its own, which may take another of equally good actions."""
    solution = zermelo.solve(Chances(), solver=solver)
    solution.save(tmp_path / "chances")
    for found in (solution, zermelo.open(tmp_path / "chances", Chances())):
        assert found.best_action(S(0)) == chosen
        found.export_certificate(tmp_path / "certificate")
        with zipfile.ZipFile(tmp_path / "certificate") as archive:
            assert np.load(io.BytesIO(archive.read("policy.npy")))[0] == chosen
        assert zermelo.verify(tmp_path / "certificate", Chances()).verified

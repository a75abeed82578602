"""A part of a strategy is locked: the value is that of the matrix of all pure strategies that keep to it."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import naive_hidden as naive
import zermelo
from test_hidden import Tell
from zermelo.engines.hidden import solving
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games import KuhnPoker, LeducPoker, LiarsDice

F = Fraction


def by_matrix(game: Any, seat: int, fixed: naive.Strategy) -> Fraction:
    """The value if `seat` keeps to `fixed`, from all pure strategies that differ elsewhere."""
    free = [{**pure, **fixed} for pure in naive.pure_strategies(game, seat)]
    own = list({repr(sorted(s.items())): s for s in free}.values())
    other = list(naive.pure_strategies(game, 1 - seat))
    pairs = [[(a, b) if seat == 0 else (b, a) for b in other] for a in own]
    table = [[naive.value(game, pair) for pair in row] for row in pairs]
    return zermelo.matrix_game(table if seat == 0 else [list(column) for column in zip(*table, strict=True)]).value


@pytest.mark.parametrize("game", [KuhnPoker(), Tell()])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_value_with_a_part_locked(game: Any, seat: int) -> None:
    solution, dice = zermelo.solve(game), random.Random(seat)
    every = naive.sets(game)[seat]
    for count in (1, len(every) - 1, len(every)):
        fixed = {}
        for seen in dice.sample(sorted(every), count):
            weights = [dice.choice((0, 1, 2)) for _ in every[seen]]
            weights[dice.randrange(len(weights))] += 1
            fixed[seen] = {a: F(w, sum(weights)) for a, w in zip(every[seen], weights, strict=True)}
        found = solution.lock(fixed, seat=seat)
        assert found.is_exact and found.value == by_matrix(game, seat, fixed)
        both = found.policy(0), found.policy(1)
        assert {seen: both[seat][seen] for seen in fixed} == fixed and set(both[seat]) == set(every)
        assert naive.value(game, both) == found.value == naive.best_reply(game, 1 - seat, both[seat])
        assert found.distribution("payoff").mean == pytest.approx(float(found.value), abs=1e-12)
        played = found.simulate(20_000, seed=1)
        assert abs(played.mean - float(found.value)) <= 5 * played.standard_error
        for seen in set(every) - set(fixed):
            here = found.probe(seen, seat)
            assert here.mixture == both[seat][seen] and here.offered >= here.reach
        theirs = {seen: actions[-1] for seen, actions in naive.sets(game)[1 - seat].items()}
        as_mixture = {seen: {a: F(1)} for seen, a in theirs.items()}
        answered = found.best_response(theirs, seat=seat)
        whole = {**{seen: {a: F(1)} for seen, a in answered.policy.items()}, **fixed}
        assert naive.value(game, (whole, as_mixture) if seat == 0 else (as_mixture, whole)) == answered.value


def test_locks_add_up_and_bounds_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = zermelo.solve(LeducPoker())
    one, two = {(0, -1, 1, 0, 0, 0, 0): 1}, {(2, -1, 1, 0, 0, 0, 0): {1: F(1, 3), 2: F(2, 3)}}
    both = solution.lock({**one, **two})
    assert solution.lock(one).lock(two).value == both.value <= solution.lock(one).value <= solution.value
    assert solution.lock(solution.policy(0)).value == solution.lock(solution.policy(1), seat=1).value == solution.value
    monkeypatch.setattr(solving, "FEW", 0)
    bounded = solution.lock({**one, **two}, tolerance=1e-3)
    assert bounded.certificate.kind == "bound" and bounded.low <= both.value <= bounded.high
    assert bounded.distribution("payoff").mean == pytest.approx(float(both.value), abs=0.1)


def test_a_game_that_was_explored_by_public_states_is_proven_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was refused, and the note said so, too: "ways or payoffs that are not short decimals". All of Kuhn poker's are whole numbers."""
    one, two = {(0, -1, -1, -1): 0}, {(1, -1, -1, -1): {0: F(1, 2), 1: F(1, 2)}}
    exact = zermelo.solve(KuhnPoker())
    with monkeypatch.context() as patched:
        for name in ("SOME_STATES", "FEW", "MOST_PROVEN"):
            patched.setattr(solving, name, 0)
        found = zermelo.solve(KuhnPoker(), tolerance=1e-3)
        assert found.report.facts["public_states"]
        bounded = found.lock(one)
        assert not bounded.is_exact and bounded.low <= exact.value <= bounded.high
        assert [n for n in bounded.report.notes if "bounded" in n] == [
            "the value is bounded and not proven: the game has payoffs in floats, as it was explored by public states; exact=True "
            "explores it state by state"
        ]
        found.save(tmp_path / "kuhn")
        for whole in (found, zermelo.open(tmp_path / "kuhn")):
            for options in ({"exact": True}, {"refine": True}):
                proven = whole.lock({**one, **two}, **options)
                assert proven.value == F(-1, 12) and proven.is_exact
                assert not any("bounded" in n for n in proven.report.notes) and "rounds" not in proven.report.facts
                assert proven.policy(0) == exact.lock({**one, **two}, **options).policy(0)
                assert proven.distribution("payoff").mean == pytest.approx(-1 / 12)
        assert bounded.lock(two, exact=True).value == F(-1, 12)
    assert found.lock(one).value == exact.value  # as small games are proven without a request


def test_a_player_who_calls_everything_a_lie() -> None:
    """Against it the best is a claim that holds: with a die of two sides, no wild face and one's own face in hand."""
    solution = zermelo.solve(LiarsDice(sides=2, wild=0))
    found = solution.lock(lambda seen: 0 if seen[-1] else None, seat=1)
    assert found.value == 1  # nobody is a liar who claims one of what he has


def test_what_makes_no_sense(tmp_path: Path) -> None:
    solution = zermelo.solve(KuhnPoker())
    locked = solution.lock({(0, -1, -1, -1): 0})
    assert any("locked: 1 information set of player 0" in note for note in locked.report.notes)
    with pytest.raises(ParameterError, match="what player 0 does where he sees .* is locked: 0: 1, 1: 0"):
        locked.probe((0, -1, -1, -1))
    with pytest.raises(OutOfReach, match="a part is locked, and files hold the whole game only"):
        locked.save(tmp_path / "locked")
    with pytest.raises(OutOfReach, match="a part is locked, and a certificate is about the game"):
        locked.export_certificate(tmp_path / "locked")
    assert not list(tmp_path.iterdir())
    for nonsense in ({}, {(9,): 1}, {(0, -1, -1, -1): 7}, 3, lambda seen: None, {0: 1}, {(0, -1, -1, -1): {0: 0.5}}):
        with pytest.raises(ParameterError) as refused:
            solution.lock(nonsense)
        assert "\n" not in str(refused.value)

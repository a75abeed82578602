"""Games with hidden information explored by public states: the same sequence form as state by state, on any number of threads, and searches
that go on from a checkpoint."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from several_threads import several
from zermelo.certificates import best_replies
from zermelo.certificates.best_replies import interval, reply_between
from zermelo.engines.base import Request
from zermelo.engines.hidden import public, searching, solving
from zermelo.engines.hidden.public import Unsorted, public_game
from zermelo.engines.hidden.solving import unfolded_game
from zermelo.errors import FileError
from zermelo.games import HoldemRiver, KuhnPoker, LeducPoker, LiarsDice
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules
from zermelo.link.module import module_text
from zermelo.methods import regrets
from zermelo.methods.regrets import Regrets
from zermelo.states.layout import Layout

RIVER = HoldemRiver(first="AA KQs JTs", second="KQ TT 77", bet=40, middle_bet=90, large_bet=150, stack=300)
GAMES = [KuhnPoker(), KuhnPoker(5), LeducPoker(), LiarsDice(2, 1, sides=2), RIVER]
VALUES = [Fraction(-1, 18), None, -0.085606424078, Fraction(3, 4), None]


def by_public_states(game: Any) -> Any:
    request = Request(game)
    return public_game(request.rules, Layout.tight([*request.sample, request.rules.start]), 10**6, lambda *_: None)


def payoffs(form: Any, named: list[list[Any]]) -> dict[Any, float]:
    """What pairs of sequences pay, by what is seen and the place of the action."""
    return {(named[0][i], named[1][j]): v for i, j, v in zip(form.row.tolist(), form.column.tolist(), form.near.tolist(), strict=True)}


def named(form: Any, seen: Any) -> list[list[Any]]:
    found: list[list[Any]] = []
    for player, side in enumerate(form.sides):
        names: list[Any] = [()]
        for k in range(side.sets):
            names += [(seen(player, k), at) for at in range(int(side.first[k + 1] - side.first[k]))]
        found.append(names)
    return found


@pytest.mark.parametrize("cut", [0, public.CUT])
@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_public_states_give_the_same_sequence_form(game: Any, cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where all bundles are cut into public states before they are worked on."""
    monkeypatch.setattr(public, "CUT", cut)
    game_by, plain = by_public_states(game), unfolded_game(Request(game))

    def seen_there(player: int, k: int) -> tuple[int, ...]:
        begin, numbers = game_by.seen[player]
        return tuple(numbers[begin[k] : begin[k + 1]].tolist())

    ours = payoffs(game_by.form, named(game_by.form, seen_there))
    theirs = payoffs(plain.form, named(plain.form, lambda p, k: plain.views.knows[p][plain.seen[p][k]]))
    assert ours.keys() == theirs.keys() and game_by.facts["histories"] == plain.histories
    assert max(abs(ours[pair] - theirs[pair]) for pair in ours) <= 1e-12 * plain.form.largest
    assert game_by.form.largest == plain.form.largest
    ways = [np.sort(np.bincount(f.visits[0].set, f.visits[0].near)) for f in (game_by.form, plain.form)]
    assert np.allclose(*ways, rtol=1e-12)


@pytest.mark.parametrize(("game", "value"), list(zip(GAMES, VALUES, strict=True)))
def test_intervals_from_panels_contain_the_proven_value(game: Any, value: Any) -> None:
    search = Regrets(by_public_states(game).form)
    search.run(500)
    low, high = interval(search.form, search.weights)
    proven = zermelo.solve(game)
    assert low <= proven.value <= high and high - low < 0.02 * search.form.largest
    assert value is None or abs(proven.value - value) < 1e-11
    plain = unfolded_game(Request(game)).form  # the same strategies, bounded without panels: mixtures of sets by what is seen
    assert plain.is_exact and not search.form.is_exact


@pytest.mark.parametrize("sizes", [(1, 1, 1), (2, 3, 1), (1, 1, 100), (100, 1, 2), (1, 1 << 20, 5)])
def test_the_room_to_work_in_never_fills_up(sizes: tuple[int, int, int]) -> None:
    """What is looked up in a full table is looked for without end."""
    work = public._work(*sizes)
    assert len(work.keys) >= 2 * max(sizes) and len(work.act) >= sizes[1] and len(work.rest) >= sizes[0]


@pytest.mark.parametrize("game", [LeducPoker(), RIVER], ids=["Leduc", "river"])
def test_rounds_are_the_same_bits_with_any_number_of_threads(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regrets, "LARGE", 0)
    for form in (by_public_states(game).form, unfolded_game(Request(game)).form):
        states = []
        for _ in several():
            search = Regrets(form)
            with only("compiled"):
                search.run(3)
                search.run(30)
            states.append(search.arrays)
        for other in states[1:]:
            assert all(np.array_equal(states[0][name], other[name]) for name in other)


@pytest.mark.parametrize("game", [LeducPoker(), RIVER], ids=["Leduc", "river"])
def test_bounds_are_the_same_bits_with_any_number_of_threads(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = zermelo.threads()
    monkeypatch.setattr(best_replies, "LARGE", 0)
    try:
        for form in (by_public_states(game).form, unfolded_game(Request(game)).form):
            search = Regrets(form)
            search.run(10)
            found = set()
            for number, parts in ((1, 1), (1, 4), (2, 1), (3, 7)):
                zermelo.threads(number)
                monkeypatch.setattr(best_replies, "PARTS", parts)
                low, high = interval(form, search.weights)
                found |= {(low, high), tuple(reply_between(form, player, search.weights[player])[player] for player in range(2))}
            assert len(found) == 1
            assert low == pytest.approx(reply_written_out(form, 0, search.weights[0]), abs=1e-9)
            assert high == pytest.approx(reply_written_out(form, 1, search.weights[1]), abs=1e-9)
    finally:
        zermelo.threads(before)


def reply_written_out(form: Any, player: int, weight: np.ndarray) -> float:
    """What player 0 gets against a best reply to this behaviour, from the pairs of sequences, without bounds of rounding."""
    side, other = form.sides[player], form.sides[1 - player]
    plan = np.ones(side.sequences)
    for k in range(side.sets):
        part = slice(side.first[k], side.first[k + 1])
        total = weight[part].sum()
        plan[part] = plan[side.parent[k]] * (weight[part] / total if total else 1 / len(weight[part]))
    own, against = form.indices(player)
    worth = np.bincount(against, plan[own] * form.near, other.sequences)
    for k in range(other.sets - 1, -1, -1):
        worth[other.parent[k]] += (np.min, np.max)[player](worth[other.first[k] : other.first[k + 1]])
    return float(worth[0])


def test_the_same_public_states_with_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "SHARED", 1)
    monkeypatch.setattr(public, "CUT", 500)
    forms = [[by_public_states(RIVER).form for _ in range(3)] for _ in several()]
    one = forms[0][0]
    for form in sum(forms, []):
        assert all(np.array_equal(a, b) for a, b in zip(form.payments[1:], one.payments[1:], strict=True))
        assert all(np.array_equal(a, b) for a, b in zip(form.sides, one.sides, strict=True) for a, b in zip(a, b, strict=True))


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game counts as large."""
    for name in ("SOME_STATES", "FEW", "MOST_PROVEN"):
        monkeypatch.setattr(solving, name, 0)


@pytest.mark.usefixtures("large")
def test_verbs_of_a_game_that_was_solved_by_public_states(tmp_path: Path) -> None:
    game = LeducPoker()
    found = zermelo.solve(game, tolerance=1e-3)
    assert found.statistics["public_states"] == 102 and found.low <= -0.085606424078 <= found.high
    assert found.high - found.low <= 2e-3
    for seat in (0, 1):
        loss = found.evaluate(found.policy(seat), seat=seat)
        assert abs(loss.value - (found.low, found.high)[seat]) < 1e-9
    assert found.simulate(20_000, seed=1).mean == pytest.approx(float(found.value), abs=0.06)
    assert sum(found.distribution("payoff").probabilities) == pytest.approx(1.0)
    seen = next(iter(found.policy(0)))
    assert found.probe(seen).reach > 0
    assert found.lock({seen: next(iter(found.policy(0)[seen]))}, tolerance=1e-3).low <= found.high + 1e-9
    found.save(tmp_path / "leduc.zermelo")
    again = zermelo.open(tmp_path / "leduc.zermelo")
    assert (again.low, again.high) == (found.low, found.high) and again.probe(seen).mixture == found.probe(seen).mixture
    assert again.simulate(2000, seed=1).mean == found.simulate(2000, seed=1).mean


class Shown(NamedTuple):
    told: int
    hidden: int
    step: int
    guess: int


class Forgets(NamedTuple):
    """Both see a number, and forget it; player 1 guesses a hidden one."""

    def start(self) -> Shown:
        return Shown(-1, 0, 0, -1)

    def player(self, s: Shown) -> int:
        return 1

    def sees(self, s: Shown, player: int) -> Iterator[int]:
        yield s.told
        yield s.step
        yield s.hidden if player == 0 else -1

    def actions(self, s: Shown) -> Iterator[int]:
        if s.step < 3:
            yield 0
            if s.step == 2:
                yield 1

    def outcomes(self, s: Shown, action: int) -> Iterator[tuple[int, int, Shown]]:
        if s.step == 0:
            for told in range(2):
                for hidden in range(2):
                    yield 1 + hidden, 0, Shown(told, hidden, 1, -1)
        elif s.step == 1:
            yield 1, 0, Shown(-1, s.hidden, 2, -1)
        else:
            yield 1, 0, Shown(-1, s.hidden, 3, action)

    def payoff(self, s: Shown) -> int:
        return 1 if s.guess != s.hidden else 0


def test_what_both_forget_is_explored_state_by_state(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unsorted):
        by_public_states(Forgets())
    assert zermelo.solve(Forgets()).value == Fraction(1, 3)
    monkeypatch.setattr(solving, "SOME_STATES", 0)
    assert "state by state" in " ".join(zermelo.solve(Forgets()).report.notes)


@pytest.mark.usefixtures("large")
def test_a_search_goes_on_from_its_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "leduc.checkpoint"
    straight = zermelo.solve(LeducPoker(), tolerance=1e-3)
    calls: list[int] = []

    def interrupt(what: str, done: int, total: int | None) -> None:
        calls.append(done)
        if what.startswith("minimising") and done >= 100:
            raise KeyboardInterrupt

    first = zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path, progress=interrupt)
    assert first.statistics["interrupted"] and 100 <= first.statistics["rounds"] < straight.statistics["rounds"]
    second = zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path)
    assert (second.low, second.high) == (straight.low, straight.high)
    assert second.statistics["rounds"] == straight.statistics["rounds"]
    third = zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path)  # nothing is left to do
    assert (third.low, third.high, third.statistics["rounds"]) == (second.low, second.high, second.statistics["rounds"])
    with pytest.raises(FileError, match="is a checkpoint of regret minimisation, not a solution: solve the game with it as checkpoint"):
        zermelo.open(path)
    with pytest.raises(FileError, match="is a saved solution or a checkpoint, not a certificate"):
        zermelo.verify(path)
    with pytest.raises(FileError, match="another game"):
        zermelo.solve(LeducPoker(ranks=4), tolerance=1e-3, checkpoint=path)
    with pytest.raises(FileError, match="is a directory"):
        zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[-100] ^= 1
    path.write_bytes(bytes(damaged))
    with pytest.raises(FileError):
        zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path)
    monkeypatch.setattr(searching, "CHECKPOINT_SECONDS", 0.0)
    path.unlink()
    assert zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path).low == straight.low


@pytest.mark.usefixtures("large")
def test_ctrl_c_in_the_middle_of_a_round_saves_those_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while a kernel runs, after which the arrays are ahead of the count of rounds: nothing was saved, up to a minute lost."""
    path, run = tmp_path / "leduc.checkpoint", Regrets.run
    straight = zermelo.solve(LeducPoker(), tolerance=1e-3)

    def interrupted(self: Regrets, rounds: int) -> None:
        run(self, rounds)
        if self.rounds >= 100:
            self.rounds -= rounds
            for array in self.arrays.values():
                array += 1.0
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(Regrets, "run", interrupted)
        first = zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path)
    done = first.statistics["rounds"]
    assert first.statistics["interrupted"] and 32 < done < 100 and f"interrupted after {done} rounds" in " ".join(first.report.notes)
    second = zermelo.solve(LeducPoker(), tolerance=first.high - first.low, checkpoint=path)  # nothing is left to do
    assert (second.low, second.high, second.statistics["rounds"]) == (first.low, first.high, done)
    third = zermelo.solve(LeducPoker(), tolerance=1e-3, checkpoint=path)
    assert (third.low, third.high, third.statistics["rounds"]) == (straight.low, straight.high, straight.statistics["rounds"])


def test_a_checkpoint_that_is_not_needed_is_told(tmp_path: Path) -> None:
    found = zermelo.solve(KuhnPoker(), checkpoint=tmp_path / "kuhn")
    assert found.is_exact and "no checkpoint was kept" in " ".join(found.report.notes) and not (tmp_path / "kuhn").exists()


def test_the_same_machine_code_serves_every_range() -> None:
    games = [RIVER, RIVER._replace(first="22+ A2s+", board="2c 2d 7h 8s Jc")]
    layout = Layout.of([RIVER.start(), RIVER.State((51, 50), (51, 50), 8**5)])
    texts = {module_text(Rules(game), layout).text.replace(type(game).__name__, "") for game in games}
    assert len(texts) == 1 and "in_range" not in texts.pop()


@pytest.mark.parametrize("game", [KuhnPoker(), LiarsDice(sides=2)], ids=lambda g: type(g).__name__)
def test_the_certificate_of_a_game_solved_by_public_states_is_verified(game: Any, tmp_path: Path, large: None) -> None:
    solution = zermelo.solve(game, tolerance=1e-3)
    assert "public_states" in solution.report.facts
    solution.export_certificate(tmp_path / "certificate")
    verdict = zermelo.verify(tmp_path / "certificate")
    assert verdict, verdict.fault
    solution.save(tmp_path / "solution")  # a file holds payoffs in floats
    zermelo.open(tmp_path / "solution").export_certificate(tmp_path / "again")
    again = zermelo.verify(tmp_path / "again")
    assert again and (again.low, again.high) == (verdict.low, verdict.high)


def test_a_small_game_is_explored_state_by_state_whatever_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    by_public_states(KuhnPoker())  # its rules are compiled
    assert "public_states" not in zermelo.solve(KuhnPoker()).report.facts
    monkeypatch.setattr(solving, "forced", lambda: "compiled")
    assert "public_states" not in zermelo.solve(KuhnPoker()).report.facts

"""Refined strategies: of all that are optimal, those that make the other player's mistakes cost most.

The oracle lets the other player err: every sequence of d choices of his has at least the probability e^d, for one small fraction e. What
he can still do is a mixture of finitely many strategies, so that this is a matrix game, solved in fractions by whole plays (naive_hidden).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import naive_hidden as naive
import zermelo
from zermelo.certificates.mistakes import costs_of_mistakes, refined_choices
from zermelo.engines.base import Request
from zermelo.engines.hidden import proving
from zermelo.engines.hidden.solving import unfolded_game
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games import KuhnPoker, OneCardPoker, Pig
from zermelo.methods.sequence_program import Optima, exact_plan, trembling_plan

F = Fraction
SMALL = F(1, 1000)


class Talk(NamedTuple):
    """Player 1 says 0 or 1, player 0, who knows a bit, answers, and player 1 speaks again; what that pays follows from `seed`."""

    seed: int
    unit: float = 1.0

    class State(NamedTuple):
        bit: int
        said: tuple[int, int, int]  # -1 where nothing has been said
        moves: int

    def start(self) -> State:
        return self.State(-1, (-1, -1, -1), 0)

    def player(self, s: State) -> int:
        return s.moves % 2

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.bit if player == 0 else -1
        for word in s.said:  # noqa: UP028
            yield word

    def actions(self, s: State) -> Iterator[int]:
        if s.moves < 4:
            yield 0
        if 0 < s.moves < 4:
            yield 1

    def outcomes(self, s: State, a: int) -> Iterator[tuple[int, float, State]]:
        if s.moves == 0:
            yield 1, 0, self.State(0, s.said, 1)
            yield 2, 0, self.State(1, s.said, 1)
        else:
            said = (a if s.moves == 1 else s.said[0], a if s.moves == 2 else s.said[1], a if s.moves == 3 else s.said[2])
            yield 1, 0, self.State(s.bit, said, s.moves + 1)

    def payoff(self, s: State) -> float:
        number = (8 * s.bit + 4 * s.said[0] + 2 * s.said[1] + s.said[2]) * (2 * self.seed + 7) + self.seed
        return self.unit * ((number * number // 3) % 5 - 2)


def erring(game: Any, player: int) -> list[naive.Strategy]:
    """The strategies of which every one is a mixture in which all sequences of d choices have a probability of e^d or more."""
    sets = naive.sets(game)[player]
    found = []
    for choice in product(*sets.values()):
        plan, strategy = {(): F(1)}, {}
        for seen, chosen in sorted(zip(sets, choice, strict=True), key=lambda pair: sum(n >= 0 for n in pair[0])):
            before = tuple(n for k, n in enumerate(seen[1:]) if k % 2 != player and n >= 0)  # what he said himself
            least = SMALL ** (len(before) + 1)
            actions = sets[seen]
            spare = plan[before] - least * len(actions)
            chances = {a: least + (spare if a == chosen else 0) for a in actions}
            plan |= {(*before, a): p for a, p in chances.items()}
            strategy[seen] = {a: p / plan[before] for a, p in chances.items()}
        found.append(strategy)
    return found


def unrefined(game: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The solution with the plans at which the linear program ends."""
    with monkeypatch.context() as change:
        change.setattr(Optima, "refined", lambda program: None)
        return zermelo.solve(game)


@pytest.mark.parametrize("seed", [3, 7, 10, 13])
@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_is_better_against_one_who_errs(seed: int, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Talk(seed)
    refined, plain = zermelo.solve(game, refine=True), unrefined(game, monkeypatch)
    assert refined.is_exact and refined.report.facts["refined"] and refined.value == plain.value
    errs, sign = erring(game, 1 - seat), 1 if seat == 0 else -1

    def against(mine: naive.Strategy) -> list[Fraction]:
        return [sign * naive.value(game, (mine, theirs) if seat == 0 else (theirs, mine)) for theirs in errs]

    best = zermelo.matrix_game([against(mine) for mine in naive.pure_strategies(game, seat)]).value
    assert min(against(refined.policy(seat))) == best == min(against(zermelo.solve(game).policy(seat)))
    assert min(against(plain.policy(seat))) < best or (seat == 1 and seed != 13)


def gifts(solution: Any) -> Fraction:
    """What single mistakes of player 1 in one-card poker bring player 0 in sum, if player 1 plays a best response else."""
    policy, replies = solution.policy(0), solution.best_response(solution.policy(0), seat=1).policy
    wrong = ({**replies, seen: 1 - action} for seen, action in replies.items())
    return sum((solution.evaluate(policy, theirs).value - solution.value for theirs in wrong), F(0))


def test_a_gift_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    game = OneCardPoker()
    assert gifts(unrefined(game, monkeypatch)) == F(25, 78)
    assert gifts(zermelo.solve(game, refine=True)) == gifts(zermelo.solve(game)) == F(71, 117)


def test_who_gets_somewhere_by_a_mistake_of_his_own_replies_best() -> None:
    solution = zermelo.solve(KuhnPoker(5), refine=True)
    calls, folds = 1, 0
    assert solution.policy(0)[4, 0, 1, -1] == {folds: 0, calls: 1} and solution.policy(0)[0, 0, 1, -1] == {folds: 1, calls: 0}


def test_a_proof_is_no_formality() -> None:
    form = unfolded_game(Request(Talk(13))).form
    for player in range(2):
        program = Optima(form, player, form.near)
        plain, basis = program.plain, program.refined()
        plans = [proving._whole(exact_plan(form, player, found)) for found in (plain, basis)]
        witness = [proving._whole(part) for part in trembling_plan(form, player, basis)]
        assert costs_of_mistakes(form, player, plans[0])[1:] < costs_of_mistakes(form, player, plans[1])[1:]
        assert refined_choices(form, player, plans[1], witness) is not None
        assert refined_choices(form, player, plans[0], witness) is None
        assert refined_choices(form, player, plans[1], witness[:1]) is None
        never = [witness[0], *(part._replace(numerator=[0] * len(part.numerator)) for part in witness[1:])]
        assert refined_choices(form, player, plans[1], never) is None  # an opponent who does not err proves nothing


class Step(NamedTuple):
    done: int
    chosen: int


class Large(NamedTuple):
    """Player 1 ends play, or lets player 0 choose one of three payments of either sign."""

    def start(self) -> Step:
        return Step(0, 0)

    def player(self, s: Step) -> int:
        return 1 - s.done

    def sees(self, s: Step, player: int) -> Iterator[int]:
        yield s.done

    def actions(self, s: Step) -> Iterator[int]:
        if s.done < 2:
            yield 0
            yield 1
        if s.done == 1:
            yield 2

    def outcomes(self, s: Step, action: int) -> Iterator[tuple[int, int, Step]]:
        yield 1, 0, Step(1 if action and not s.done else 2, action + s.done)

    def payoff(self, s: Step) -> int:
        return (126_737_545_120, 542_239_250_829, 13_104_664_559, -46_920_226_389)[s.chosen]


@pytest.mark.usefixtures("in_python")
def test_large_payoffs_are_refined() -> None:
    """The simplex method took rounding errors of these numbers for costs, and refining was refused."""
    solution = zermelo.solve(Large(), refine=True)
    assert solution.value == 126_737_545_120 and solution.policy(0)[(1,)][0] == 1


def test_what_is_locked_can_be_refined() -> None:
    solution = zermelo.solve(OneCardPoker())
    always = solution.lock({(12, -1, -1, -1): 1}, refine=True)
    assert always.value == solution.value and always.report.facts["refined"]
    assert not always.lock({(11, -1, -1, -1): 1}).report.facts["refined"]


def test_a_file_keeps_the_argument(tmp_path: Path) -> None:
    solution = zermelo.solve(KuhnPoker(), refine=True)
    solution.save(tmp_path / "kuhn")
    again = zermelo.open(tmp_path / "kuhn")
    assert again.policy(0) == solution.policy(0) and "mistakes cost more" in again.certificate.argument


def test_where_it_makes_no_sense(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.cli import main

    assert main(["solve", "pig", "--refine"]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "takes no refine: refine is for games with hidden information" in said.err
    with pytest.raises(ParameterError, match="takes no refine"):
        zermelo.solve(Pig(), refine=True)
    with pytest.raises(ParameterError, match="refine must be True or False, not 'yes'"):
        zermelo.solve(KuhnPoker(), refine="yes")
    with pytest.raises(OutOfReach, match=r"not short decimals, .*; leave out refine=True for an interval"):
        zermelo.solve(Talk(3, unit=1 / 3), refine=True)
    monkeypatch.setattr(Optima, "refined", lambda program: None)
    with pytest.raises(OutOfReach, match=r"led to no proof that .*; leave out refine=True"):
        zermelo.solve(KuhnPoker(), refine=True)

"""Hidden information: what players see, perfect recall, values proven in two ways, and what is asked of the solution."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import naive_hidden as naive
import zermelo
from zermelo import games
from zermelo.engines.base import Request
from zermelo.engines.choose import gives_away
from zermelo.engines.exploring import explore as exploring
from zermelo.engines.hidden import solving
from zermelo.engines.hidden.engine import HiddenEngine
from zermelo.errors import NoStates, OutOfReach, ParameterError, RulesError, UnreachableState, ZermeloError
from zermelo.games import KuhnPoker, LeducPoker, LiarsDice
from zermelo.kernels.kernel import only
from zermelo.language.checking import Sample, check
from zermelo.language.checking.private import private_fields
from zermelo.language.rules import Rules
from zermelo.views.information_sets import grid

F = Fraction


class Step(NamedTuple):
    bit: int  # dealt to player 0; -1 before
    said: int
    guess: int
    moves: int


GOOD, TOO_LITTLE, ACTIONS, FORGETS, RETURNS, HALF = range(6)


class Tell(NamedTuple):
    """Player 0 gets a bit, says one, player 1 guesses it, and player 0 may then double. One way of writing it is right."""

    how: int = GOOD

    def start(self) -> Step:
        return Step(-1, -1, -1, 0)

    def player(self, s: Step) -> int:
        return 1 if s.moves == 2 else 0

    def sees(self, s: Step, player: int) -> Iterator[int]:
        if player == 0:
            yield s.bit
        if self.how != TOO_LITTLE or player == 1:
            yield s.said
        yield s.guess
        yield s.moves

    def actions(self, s: Step) -> Iterator[int]:
        if s.moves < 4:
            yield 0
        if 0 < s.moves < 4 and not (self.how == ACTIONS and s.moves == 2 and s.bit == 1):
            yield 1

    def outcomes(self, s: Step, a: int) -> Iterator[tuple[Any, int, Step]]:
        if s.moves == 0:
            if self.how == HALF:
                yield 0.5, 0, Step(0, -1, -1, 1)
                yield 0.25, 0, Step(1, -1, -1, 1)
            else:
                yield 2.0, 0, Step(0, -1, -1, 1)
                yield 1.0, 0, Step(1, -1, -1, 1)
        elif s.moves == 1:
            yield 1, 0, Step(s.bit, a, -1, 2)
        elif s.moves == 2:
            yield 1, 0, Step(s.bit, -1 if self.how == FORGETS else s.said, a, 1 if self.how == RETURNS and a == 1 else 3)
        else:
            won = 1 if s.guess != s.bit else -1
            yield 1, won + a * (1 if s.bit == s.said else -1), Step(s.bit, s.said, s.guess, 4)


SOLVED: dict[Any, Any] = {}


def solved(game: Any) -> Any:
    if game not in SOLVED:
        SOLVED[game] = zermelo.solve(game)
    return SOLVED[game]


def some_strategy(game: Any, player: int, seed: int) -> naive.Strategy:
    dice, found = random.Random(seed), {}
    for seen, actions in naive.sets(game)[player].items():
        weights = [dice.choice((0, 0, 1, 2, 5)) for _ in actions]
        weights[dice.randrange(len(weights))] += 1
        found[seen] = {a: F(w, sum(weights)) for a, w in zip(actions, weights, strict=True)}
    return found


# --- values, each in two ways ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "value"), [(KuhnPoker(), F(-1, 18)), (KuhnPoker(2), None), (Tell(), None)])
def test_the_value_is_that_of_the_matrix_of_all_pure_strategies(game: Any, value: Fraction | None) -> None:
    solution = solved(game)
    by_matrix = zermelo.matrix_game(naive.matrix(game)).value
    assert solution.value == by_matrix and (value is None or value == by_matrix)
    assert solution.certificate.kind == "proof" and solution.is_exact and solution.report.engine == "hidden"


@pytest.mark.parametrize("game", [KuhnPoker(), KuhnPoker(4), Tell(), LiarsDice(sides=2), LiarsDice(2, 1, 2, 0)])
def test_no_reply_to_either_strategy_is_better_than_the_value(game: Any) -> None:
    solution = solved(game)
    policies = solution.policy(0), solution.policy(1)
    assert naive.value(game, policies) == solution.value
    for player in range(2):
        assert naive.best_reply(game, player, policies[1 - player]) == solution.value


class Bet(NamedTuple):
    dealt: int
    first: int


class Pennies(NamedTuple):
    """A 2 x 2 matrix in cents: a common denominator makes its numbers too long for floats to solve its equations."""

    def start(self) -> Bet:
        return Bet(0, 0)

    def player(self, s: Bet) -> int:
        return s.dealt

    def actions(self, s: Bet) -> Iterator[int]:
        if s.dealt < 2:
            yield 1
            yield 2

    def sees(self, s: Bet, player: int) -> Iterator[int]:
        yield s.first if player == 0 else 0

    def outcomes(self, s: Bet, action: int) -> Iterator[tuple[int, float, Bet]]:
        if s.dealt == 0:
            yield 1, 0.0, Bet(1, action)
        else:
            yield 1, ((12345.67, -3457.89), (-4562.37, 9876.51))[s.first - 1][action - 1], Bet(2, s.first)


def test_compiled_rules_are_compared_with_those_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Any] = []
    monkeypatch.setattr(exploring, "check_agreement", compared.append)
    assert zermelo.solve(KuhnPoker()).report.facts["states"] == compared[0].num_states


def test_equations_with_numbers_too_long_for_floats_are_solved_too() -> None:
    """Six sequences led to "no proof", and to an interval of 5.5 around 3508.6."""
    solution = solved(Pennies())
    a, b, c, d = F(1234567, 100), F(-345789, 100), F(-456237, 100), F(987651, 100)
    assert solution.value == (a * d - b * c) / (a + d - b - c) == F(265389899031, 75606100)
    assert solution.certificate.kind == "proof"


class Dealt(NamedTuple):
    card: int
    step: int
    bet: int


class FarApart(NamedTuple):
    """Player 0 sees a card and bets, player 1 sees the bet and answers; payoffs are about 10^9, 1 and 10^-9."""

    seed: int
    cards: int

    def start(self) -> Dealt:
        return Dealt(-1, 0, 0)

    def player(self, s: Dealt) -> int:
        return 1 if s.step == 2 else 0

    def actions(self, s: Dealt) -> Iterator[int]:
        if s.step < 3:
            yield 0
        if s.step == 1 or s.step == 2:
            yield 1

    def sees(self, s: Dealt, player: int) -> Iterator[int]:
        yield s.step
        if player == 0:
            yield s.card
        if s.step >= 2:
            yield s.bet

    def paid(self, card: int, bet: int, answer: int) -> float:
        x = (self.seed * 7919 + card * 104729 + bet * 1299709 + answer * 15485863 + card * bet * answer * 31337) % 1000003
        k = x // 3 % 7 - 3
        return k * 1000000000.0 if x % 3 == 0 else k / 1000000000 if x % 3 == 1 else k * 1.0

    def outcomes(self, s: Dealt, action: int) -> Iterator[tuple[int, float, Dealt]]:
        if s.step == 0:
            for card in range(self.cards):
                yield 1, 0.0, Dealt(card, 1, 0)
        elif s.step == 1:
            yield 1, 0.0, Dealt(s.card, 2, action)
        else:
            yield 1, self.paid(s.card, s.bet, action), Dealt(s.card, 3, s.bet)


@pytest.mark.parametrize(("seed", "cards"), [(0, 3), (4, 2)])
def test_tiny_payoffs_beside_huge_ones_are_proven_too(seed: int, cards: int) -> None:
    """A linear program with 10 sequences led to no proof: what is tiny lay below the tolerances of the simplex method."""
    solution = solved(FarApart(seed, cards))
    assert solution.certificate.kind == "proof" and solution.low == solution.value == solution.high


class Over(NamedTuple):
    """No move is ever made."""

    paid: float = 3.0

    def start(self) -> Bet:
        return Bet(2, 0)

    def player(self, s: Bet) -> int:
        return 0

    def actions(self, s: Bet) -> Iterator[int]:
        if s.dealt < 2:
            yield 1

    def sees(self, s: Bet, player: int) -> Iterator[int]:
        yield s.first

    def outcomes(self, s: Bet, action: int) -> Iterator[tuple[int, int, Bet]]:
        yield 1, 1, Bet(2, action)

    def payoff(self, s: Bet) -> float:
        return self.paid


class OverAtOnce(NamedTuple):
    """The same for two who would choose at once."""

    paid: float = -0.5

    def start(self) -> Bet:
        return Bet(2, 0)

    def actions(self, s: Bet) -> Iterator[int]:
        if s.dealt < 2:
            yield 1

    def other_actions(self, s: Bet) -> Iterator[int]:
        if s.dealt < 2:
            yield 1

    def sees(self, s: Bet, player: int) -> Iterator[int]:
        yield s.first

    def outcomes(self, s: Bet, own: int, other: int) -> Iterator[tuple[int, int, Bet]]:
        yield 1, 1, Bet(2, own)

    def payoff(self, s: Bet) -> float:
        return self.paid


@pytest.mark.parametrize("game", [Over(), Over(0.1), Over(0.0), OverAtOnce()], ids=repr)
def test_a_game_that_is_over_as_it_starts_is_worth_its_payoff(game: Any, tmp_path: Path) -> None:
    """It was 0, proven."""
    solution, paid = zermelo.solve(game), F(str(game.paid))
    assert solution.value == zermelo.solve(game, exact=True).value == zermelo.solve(game, refine=True).value == paid
    assert solution.evaluate({}).value == solution.best_response({}, seat=1).value == paid
    assert solution.simulate(10).mean == game.paid and solution.length.mean == 0
    assert zermelo.study(type(game), paid=[game.paid]).to_dataframe()["value"].tolist() == [paid]
    with pytest.raises(OutOfReach, match="nobody has a choice in Over"):
        grid(solution)  # it was empty
    solution.export_certificate(tmp_path / "over.certificate")
    verdict = zermelo.verify(tmp_path / "over.certificate", game)
    assert verdict and verdict.low == verdict.high == paid


def test_leduc() -> None:
    solution = solved(LeducPoker())
    assert solution.value == F(-1454920850547486749701863871533, 16995463438839962469905132501930)
    assert abs(float(solution.value) + 0.085606424078) < 1e-12  # OpenSpiel's test of its sequence form
    assert solution.statistics["information_sets"] == 288 and solution.statistics["sequences"] == 674  # by rank


@pytest.mark.parametrize("game", [KuhnPoker(), LeducPoker()])
def test_regret_minimisation_bounds_the_proven_value(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    proven = solved(game)
    monkeypatch.setattr(solving, "FEW", 0)
    bounded = zermelo.solve(game, tolerance=1e-4)
    assert bounded.low <= proven.value <= bounded.high and bounded.high - bounded.low <= 2e-4
    assert bounded.certificate.kind == "bound" and not bounded.is_exact and isinstance(bounded.value, float)
    for seat in range(2):
        shares = {s: {a: F(p) / sum(map(F, m.values())) for a, p in m.items()} for s, m in bounded.policy(seat).items()}
        worth = proven.evaluate(shares, seat=seat)
        assert (worth.value >= bounded.low - 1e-12) if seat == 0 else (worth.value <= bounded.high + 1e-12)
        near = bounded.evaluate(bounded.policy(seat), seat=seat)
        assert near.low <= worth.value + 1e-12 and near.high >= worth.value - 1e-12 and near.loss <= 3e-4
        assert abs(bounded.best_response(bounded.policy(1 - seat), seat=seat).value - float(proven.value)) <= 3e-4


def test_a_search_that_is_interrupted_keeps_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW", 0)
    seen: list[str] = []

    def interrupt(what: str, done: int, total: int | None) -> None:
        if what.startswith("minimising"):
            seen.append(what)
            if len(seen) == 3:
                raise KeyboardInterrupt

    found = zermelo.solve(KuhnPoker(), tolerance=1e-12, progress=interrupt)
    assert found.low <= F(-1, 18) <= found.high and found.high - found.low > 1e-6
    assert any("interrupted" in note for note in found.report.notes) and "gap" in seen[-1]


def test_ways_that_are_no_short_decimals_are_bounded_and_not_proven() -> None:
    assert solved(Tell(HALF)).value == solved(Tell()).value  # 1/2 to 1/4 is 2 to 1
    with pytest.raises(OutOfReach):
        zermelo.solve(KuhnPoker(), exact=True, max_states=5)


class Unequal(NamedTuple):
    """A 2 x 2 matrix with `large` and 1 in its diagonal: worth large / (large + 1)."""

    large: int = 10**12

    def start(self) -> Bet:
        return Bet(0, 0)

    def player(self, s: Bet) -> int:
        return s.dealt

    def actions(self, s: Bet) -> Iterator[int]:
        if s.dealt < 2:
            yield 0
            yield 1

    def sees(self, s: Bet, player: int) -> Iterator[int]:
        yield s.first if player == 0 else 0

    def outcomes(self, s: Bet, action: int) -> Iterator[tuple[int, int, Bet]]:
        if s.dealt == 0:
            yield 1, 0, Bet(1, action)
        elif s.first != action:
            yield 1, 0, Bet(2, action)
        else:
            yield 1, 1 if action else self.large, Bet(2, action)


def test_large_whole_payoffs_are_proven() -> None:
    """From 10^12 on they were taken for long decimals, and gave an interval from -0.002 to 1."""
    for large in (10**12, 123456789012345):
        assert zermelo.solve(Unequal(large)).value == F(large, large + 1)


def test_whole_payoffs_that_no_float_tells_apart_are_not_proven() -> None:
    """10^17 and 10^17 + 1 are the same float. `tolerance` said that `exact` proves it, and `exact` that it does not."""
    game = Unequal(10**17 + 1)
    assert any("or too long for exact numbers" in note for note in zermelo.solve(game).report.notes)
    with pytest.raises(OutOfReach, match="or too long for exact numbers; leave out exact=True"):
        zermelo.solve(game, exact=True)
    with pytest.raises(OutOfReach, match=r"certified to .* only; floats can do no better; ways and payoffs that are .* below 2\^53"):
        zermelo.solve(game, tolerance=1e-9)
    over = zermelo.solve(Over(1e17 + 16))
    assert not over.is_exact and over.low <= 10**17 + 16 <= over.high


class At(NamedTuple):
    place: int


class Table(NamedTuple):
    """At each place outcomes (ways, payoff, next place) of every action of player 0, who sees where he is; play ends where there are
    none."""

    moves: tuple = ()
    ends: tuple = ()

    def start(self) -> At:
        return At(0)

    def sees(self, s: At, player: int) -> Iterator[int]:
        yield s.place

    def actions(self, s: At) -> Iterator[int]:
        for action, _ in enumerate(self.moves[s.place]):
            yield action

    def outcomes(self, s: At, action: int) -> Iterator[tuple[float, float, At]]:
        for ways, paid, place in self.moves[s.place][action]:
            yield ways, paid, At(place)

    def payoff(self, s: At) -> float:
        return self.ends[s.place]


@pytest.mark.usefixtures("in_python")
def test_ways_whose_sum_is_longer_than_a_word_prove_nothing() -> None:
    """In units of 10^-12, each of them fits a word, but not their sum: the `proof` said -10^-12, which is the value of the other action."""
    many = tuple((8192.0, 0, 3 if k < 900 else 4) for k in range(1126))
    game = Table((((((1, 0, 1),), ((1, 0, 2),))), (many,), (((1e-12, 0, 4), (1.0, 0, 5)),), (), (), ()), (0, 0, 0, 1, -1, 0))
    solution = zermelo.solve(game)
    assert solution.low <= F(900 - 226, 1126) <= solution.high and solution.high - solution.low < 1e-3


@pytest.mark.usefixtures("in_python")
def test_common_denominators_that_no_float_holds_are_no_crash() -> None:
    """OverflowError, from as many denominators without a common factor, or from a tiny payoff beside a larger one."""
    primes = [p for p in range(10**4, 20_000) if all(p % d for d in range(2, 142))][:90]
    moves = (tuple(((1, 0, 1 + k),) for k in range(90)), *((((1, 0, 91), (p - 1, 0, 92)),) for p in primes), (), ())
    chances = zermelo.solve(Table(moves, (*[0] * 91, 1, -1)))
    assert chances.low <= F(2, primes[0]) - 1 <= chances.high and not chances.is_exact
    tiny = zermelo.solve(Table(((((1, 0, 1),), ((1, 0, 2),)), (), ()), (0, 1e-305, 5e6)))
    assert tiny.low <= 5e6 <= tiny.high and not tiny.is_exact


@pytest.mark.usefixtures("in_python")
def test_bounds_include_chances_that_are_too_small_for_a_float() -> None:
    """(10^-99)^4 is 0 as a float, and the interval, of 10^-300 in either direction, did not contain what is paid with this chance."""
    moves = *((((1e-99, 0, k + 1), (1.0, 0, 5)),) for k in range(4)), (), ()
    solution = zermelo.solve(Table(moves, (0, 0, 0, 0, 9e99, 0)))
    paid = F(9 * 10**99, (10**99 + 1) ** 4)
    assert solution.low <= paid <= solution.high
    against = solution.evaluate({}, {})
    assert against.low <= paid <= against.high


class Talk(NamedTuple):
    coin: int = -1
    said: int = -1
    guess: int = -1


class Split(NamedTuple):
    """Both choose at once: player 0 a number, player 1 a pair. Worth 7/3."""

    def start(self) -> At:
        return At(0)

    def sees(self, s: At, player: int) -> Iterator[int]:
        yield s.place

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield 4
            yield 5

    def other_actions(self, s: At) -> Iterator[tuple[int, int]]:
        if s.place == 0:
            yield (1, 7)
            yield (2, 8)

    def outcomes(self, s: At, own: int, other: tuple[int, int]) -> Iterator[tuple[int, int, At]]:
        yield 1, 0, At(own * 10 + other[1])

    def payoff(self, s: At) -> int:
        return {47: 3, 48: 1, 57: 2, 58: 3}.get(s.place, 0)


@pytest.mark.usefixtures("in_python")
def test_players_who_choose_at_once_may_have_actions_of_different_shapes(tmp_path: Path) -> None:
    """The pairs of player 1 were read as numbers: his strategy was {1: 2/3, 7: 1/3}."""
    solution = zermelo.solve(Split())
    assert solution.value == F(7, 3)
    assert solution.policy(0) == {(0,): {4: F(1, 3), 5: F(2, 3)}} and solution.policy(1) == {(0,): {(1, 7): F(2, 3), (2, 8): F(1, 3)}}
    assert solution.evaluate(lambda seen: (1, 7), seat=1).value == 3
    solution.save(tmp_path / "split.zermelo")
    assert zermelo.open(tmp_path / "split.zermelo", game=Split()).policy(1) == solution.policy(1)


class Told(NamedTuple):
    """A coin is tossed, and player 0, who sees it, says something; player 1 guesses. Saying the truth is paid with 1/2."""

    amount: float

    def start(self) -> Talk:
        return Talk()

    def player(self, s: Talk) -> int:
        return int(s.said >= 0)

    def sees(self, s: Talk, player: int) -> Iterator[int]:
        if player == 0:
            yield s.coin
        yield s.said

    def actions(self, s: Talk) -> Iterator[int]:
        if s.guess < 0:
            yield 0
            if s.coin >= 0:
                yield 1

    def outcomes(self, s: Talk, action: int) -> Iterator[tuple[int, float, Talk]]:
        if s.coin < 0:
            yield 1, 0.0, Talk(0)
            yield 1, 0.0, Talk(1)
        elif s.said < 0:
            yield 1, 0.0, Talk(s.coin, action)
        else:
            yield 1, (self.amount if action == s.coin else -1.0) + (0.5 if s.said == s.coin else 0.0), Talk(s.coin, s.said, action)


@pytest.mark.parametrize("amount", [0.1, math.pi, 1 / 3, 1e9 * math.sqrt(2)])
def test_payoffs_that_are_no_short_decimals_cost_the_proof_but_no_digits(amount: float) -> None:
    """The interval was a thousandth of the largest payoff. To say nothing is best: player 1 then guesses as well without it."""
    solution = zermelo.solve(Told(amount))
    exact = (F(amount) - F(1, 2)) / 2 if amount != 0.1 else F(-1, 5)
    assert solution.low <= exact <= solution.high and solution.high - solution.low <= 1e-13 * max(1, amount)
    assert solution.report.solver == "linear program" and ("not proven" in str(solution.report.notes)) == (amount != 0.1)
    assert solution.evaluate(solution.policy(0), seat=0).value == pytest.approx(float(exact), rel=1e-12)
    assert zermelo.solve(Told(amount), tolerance=1e-12 * max(1, amount)).high - exact <= 1e-12 * max(1, amount)


def test_a_proof_that_was_not_found_is_not_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "proven", lambda form, wanted: None)
    with pytest.raises(OutOfReach, match="only; a linear program led to no proof either"):
        zermelo.solve(Unequal(10**15), tolerance=1e-9)


def test_exact_is_a_proof() -> None:
    assert zermelo.solve(KuhnPoker(), exact=True).value == F(-1, 18)


# --- what is wrong with rules ------------------------------------------------------------------------------------------------


class Odd(NamedTuple):
    """Chance draws one of many places. At one of them the actions or what is seen are odd; nothing is paid."""

    odd: str
    at: int = 777

    def start(self) -> At:
        return At(0)

    def sees(self, s: At, player: int) -> Iterator[Any]:
        yield s.place
        yield 0.5 if self.odd == "half" and s.place == self.at else 0

    def actions(self, s: At) -> Iterator[Any]:
        if s.place <= 0:
            yield (0, 0)
        elif s.place < 1000:
            yield (0, 0)
            if s.place == self.at and self.odd == "shape":
                yield (0, 1, 2)
            elif s.place == self.at and self.odd == "float":
                yield (0, 1.5)
            else:
                yield (0, 0 if s.place == self.at and self.odd == "twice" else 1)

    def outcomes(self, s: At, action: Any) -> Iterator[tuple[int, int, At]]:
        if s.place > 0:
            yield 1, 0, At(1000)
        else:
            for place in range(1, 1000):
                yield 1, 0, At(place)


ODD = [
    ("shape", "must have one shape"),
    ("twice", r"yields \(0, 0\) twice at At\(place=777\)"),
    ("float", r"yields \(0, 1.5\) at At\(place=777\): an action must be a whole number or a tuple of whole numbers"),
    ("half", r"yields 0.5 for player 0 at At\(place=777\): it must be a whole number"),
]


@pytest.mark.usefixtures("in_python")
@pytest.mark.parametrize(("odd", "says"), ODD)
def test_what_is_odd_is_found_in_every_information_set(odd: str, says: str) -> None:
    """The checker sees 300 states. Elsewhere the numbers of all later actions were read in the wrong places, the probabilities of an action
    that is yielded twice did not sum to 1, and what a player sees was rounded, so that 0.2 and 0.7 were the same to him."""
    with pytest.raises(RulesError, match=says):
        zermelo.solve(Odd(odd))


@pytest.mark.parametrize(
    ("how", "says"),
    [
        (TOO_LITTLE, r"player 0 sees the same numbers .* at Step\(.* and at Step\(.*, but he has chosen .* `sees` must yield everything"),
        (ACTIONS, r"player 1 sees the same numbers .* at Step\(.* and at Step\(.*, but his actions are .* and their order may depend only"),
        (FORGETS, r"two plays lead to Step\(.*\), and in one of them player 0 has chosen [01] where he saw .*: the state forgets"),
        (RETURNS, r"play can return to Step\(.*\): with hidden information"),
    ],
)
def test_rules_that_do_not_fit_together(how: int, says: str) -> None:
    with pytest.raises(RulesError, match=says) as caught:
        zermelo.solve(Tell(how))
    assert len(caught.value.faults) == 1 and "\n" not in caught.value.faults[0]
    with pytest.raises(RulesError, match=says):
        zermelo.plan(Tell(how))


class ShownAlike(Tell):
    """What the game shows is the same of many states."""

    def show(self, s: Step) -> str:
        return "a card"


TWO = r"at Step\(.* and at Step\("


@pytest.mark.parametrize(("how", "says"), [(TOO_LITTLE, TWO), (ACTIONS, TWO), (RETURNS, r"to Step\(")])
def test_states_that_do_not_fit_together_are_named_as_the_checker_names_them(how: int, says: str) -> None:
    """Two states were "at a card and at a card"."""
    with pytest.raises(RulesError, match=says):
        zermelo.solve(ShownAlike(how))


class Driver(NamedTuple):
    """The absent-minded driver (Piccione and Rubinstein 1997): he turns off at an exit or goes on, and all exits look the same."""

    def start(self) -> At:
        return At(0)

    def sees(self, s: At, player: int) -> Iterator[int]:
        yield 0

    def actions(self, s: At) -> Iterator[int]:
        yield from range(2 if s.place < 2 else 0)

    def outcomes(self, s: At, on: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 1 if s.place == 1 and on else 0 if on else 4 * s.place, At(s.place + 1 if on else 3)


def test_a_past_choice_is_named_though_a_player_sees_the_same_where_nobody_chooses() -> None:
    """The end of play, which looks the same, was asked for its actions: an IndexError."""
    says = r"he has chosen nothing yet before the one, and 1 where he saw \(0,\) before the other"
    with pytest.raises(RulesError, match=says):
        zermelo.solve(Driver())


class NoNumbers(NamedTuple):
    def start(self) -> Step:
        return Step(-1, -1, -1, 0)

    def actions(self, s: Step) -> Iterator[int]:
        yield 0

    def sees(self, s: Step, player: int) -> Iterator[Any]:
        yield (s.bit, s.said)

    def outcomes(self, s: Step, a: int) -> Iterator[Any]:
        yield 1, 0, s


class Three(NoNumbers):
    payoffs = ("first", "second", "third")


def test_faults_that_show_without_exploring() -> None:
    with pytest.raises(RulesError, match="`sees` yields .* it must be a whole number; yield the numbers of a tuple one by one"):
        zermelo.plan(NoNumbers())
    with pytest.raises(RulesError, match="two players play for one payoff"):
        zermelo.plan(Three())


class OpenKuhn(NamedTuple):
    """Kuhn poker as a newcomer writes it: with both hands in the state, and nothing said of who sees them."""

    def start(self) -> Any:
        return KuhnPoker().start()

    def player(self, s: Any) -> int:
        return KuhnPoker().player(s)

    def actions(self, s: Any) -> Iterator[int]:
        yield from KuhnPoker().actions(s)

    def outcomes(self, s: Any, move: int) -> Iterator[Any]:
        yield from KuhnPoker().outcomes(s, move)

    def payoff(self, s: Any) -> int:
        return KuhnPoker().payoff(s)


def reachable(game: Any) -> list[Any]:
    rules = Rules(game)
    found = [rules.start]
    for state in found:
        found += [o.state for a in rules.actions(state) for o in rules.outcomes(state, a) if o.ways and o.state not in found]
    return list(dict.fromkeys(found))


def test_hands_that_nobody_is_said_to_see_are_noticed() -> None:
    assert private_fields(Rules(OpenKuhn()), [KuhnPoker().start(), *reachable(OpenKuhn())]) == ["first", "second"]
    assert private_fields(Rules(KuhnPoker()), reachable(KuhnPoker())) == []
    request = Request(OpenKuhn())
    request.__dict__["_examined"] = Sample(reachable(OpenKuhn()), Rules(OpenKuhn()), "", ())
    assert any("`first` and `second` look private" in note for note in gives_away(HiddenEngine(), request))


@pytest.mark.parametrize("game", [games.Hog(), games.HogSimultaneous(20, 3), games.TicTacToe(), games.CoinPatterns()])
def test_games_in_which_everything_is_seen_raise_no_false_alarm(game: Any) -> None:
    assert private_fields(Rules(game), check(game).states) == []


# --- verbs -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [KuhnPoker(), Tell(), LiarsDice(2, 1, 2, 0)])
@pytest.mark.parametrize("seat", [0, 1])
def test_strategies_of_ones_own(game: Any, seat: int) -> None:
    solution = solved(game)
    sign = 1 if seat == 0 else -1
    for seed in range(3):
        mine, theirs = some_strategy(game, seat, seed), some_strategy(game, 1 - seat, 10 + seed)
        worst = naive.best_reply(game, 1 - seat, mine)
        found = solution.evaluate(mine, seat=seat)
        assert found.value == found.low == found.high == worst and found.loss == sign * (solution.value - worst) >= 0
        pair = (mine, theirs) if seat == 0 else (theirs, mine)
        assert solution.evaluate(lambda seen, m=mine: m[seen], theirs, seat=seat).value == naive.value(game, pair)
        optimal = (mine, solution.policy(1)) if seat == 0 else (solution.policy(0), mine)
        assert found.against_optimal == naive.value(game, optimal)
        assert len(found.mistakes) <= 10
        if len(found.mistakes) < 10:
            assert sum(m.cost for m in found.mistakes) == sign * (solution.value - found.against_optimal)
        assert all(m.cost > 0 for m in found.mistakes)
        reply = solution.best_response(theirs, seat=seat)
        best = naive.best_reply(game, seat, theirs)
        assert reply.value == best and reply.gain == sign * (best - solution.value) >= 0
        as_strategy = {seen: {action: F(1)} for seen, action in reply.policy.items()}
        assert naive.value(game, (as_strategy, theirs) if seat == 0 else (theirs, as_strategy)) == best


def test_an_information_set() -> None:
    solution = solved(KuhnPoker())
    called = solution.probe((1, 0, 1, -1))
    assert called == solution.probe(KuhnPoker.State(1, 2, (0, 1, -1))) == solution.probe(KuhnPoker.State(1, 0, (0, 1, -1)), 0)
    assert called.player == 0 and set(called.mixture) == {0, 1} and sum(called.mixture.values()) == 1
    assert called.actions == {0: -1, 1: -1} and called.value == -1  # indifferent, or he would not mix
    assert called.offered == called.reach == F(1, 3) * F(1, 2) * (1 + solution.policy(1)[0, 0, -1, -1][1])  # the queen never bets first
    frame = solution.to_dataframe()
    assert len(frame) == 24 and set(frame.columns) == {"player", "seen", "action", "name", "probability", "value", "reach"}
    row = frame[(frame["player"] == 0) & (frame["seen"] == (1, 0, 1, -1)) & (frame["action"] == 1)].iloc[0]
    assert row["probability"] == float(called.mixture[1]) and row["value"] == -1.0 and row["reach"] == pytest.approx(float(called.reach))


def test_the_table_of_all_sets_asks_for_each_plan_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    solution, asked = solved(LeducPoker()), []
    plan = type(solution.answers).plan
    monkeypatch.setattr(type(solution.answers), "plan", lambda answers, player: asked.append(player) or plan(answers, player))
    assert len(solution.to_dataframe()) == 672 and len(asked) <= 6  # once a set is a minute for 7,000 rows


def test_strategies_say_something_sensible_where_play_never_gets() -> None:
    solution = solved(KuhnPoker())
    calls, folds = 1, 0
    assert solution.policy(0)[2, 0, 1, -1] == {folds: 0, calls: 1}  # the highest card calls, also if it always bets
    assert solution.policy(0)[0, 0, 1, -1] == {folds: 1, calls: 0}


def test_plays_are_drawn_from_both_strategies() -> None:
    solution = solved(KuhnPoker())
    drawn = solution.simulate(40_000, seed=3)
    assert abs(drawn.z) < 4 and drawn.plays == 40_000 and set(drawn.distribution) == {-2, -1, 1, 2}
    always = solution.best_response(lambda seen: 1, seat=1)
    against = solution.simulate(40_000, policy=lambda seen: 1, opponent=always.policy)
    assert abs(against.mean - float(always.value)) < 5 * against.standard_error
    assert solution.simulate(1000, seed=5).mean == solution.simulate(1000, seed=5).mean


@pytest.mark.parametrize("exact", [True, False])
def test_a_file_holds_all(exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW", 5000 if exact else 0)
    solution = zermelo.solve(KuhnPoker(), tolerance=1e-3)
    solution.save(tmp_path / "kuhn")
    again = zermelo.open(tmp_path / "kuhn")
    assert again.certificate == solution.certificate and again.policy(0) == solution.policy(0) and again.policy(1) == solution.policy(1)
    assert again.probe((1, 0, 1, -1)) == solution.probe((1, 0, 1, -1)) and repr(again) == repr(solution)
    assert again.evaluate(lambda seen: 1) == solution.evaluate(lambda seen: 1)
    assert again.simulate(2000).mean == solution.simulate(2000).mean
    with pytest.raises(ParameterError, match="compressed"):
        solution.save(tmp_path / "small", compress=True)


@pytest.mark.parametrize("exact", [True, False])
def test_a_large_file_is_read_by_pages_and_answers_in_machine_code(exact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "FEW", 5000 if exact else 0)
    solution = zermelo.solve(KuhnPoker(), tolerance=1e-3)
    solution.save(tmp_path / "kuhn")
    monkeypatch.setattr("zermelo.storage.file.CHECKED_BYTES", -1)
    again = zermelo.open(tmp_path / "kuhn")
    with only("compiled"):
        assert again.evaluate(lambda seen: 1) == solution.evaluate(lambda seen: 1)
        assert again.best_response(lambda seen: 1).value == solution.best_response(lambda seen: 1).value
        assert again.simulate(100, seed=1).mean == solution.simulate(100, seed=1).mean


def test_questions_that_make_no_sense() -> None:
    solution = solved(KuhnPoker())
    for name in ("space", "values", "best_action", "export_umb", "frontier", "census", "win_probability"):
        with pytest.raises(NoStates, match=f"HiddenSolution has no `{name}`: the players do not see the states; ") as caught:
            getattr(solution, name)
        assert "\n" not in str(caught.value)
    assert not hasattr(solution, "nonsense")
    with pytest.raises(ParameterError, match="takes no discount"):
        zermelo.solve(KuhnPoker(), discount=0.9)
    with pytest.raises(ParameterError, match="takes no solver"):
        zermelo.solve(KuhnPoker(), solver=zermelo.Backward())
    for where in ((9, 9), KuhnPoker.State(5, 5, (7, 7, 7)), KuhnPoker.State(0, 1, (1, 1, -1))):
        with pytest.raises(UnreachableState):
            solution.probe(where)
    for nonsense in (None, 3, "x", (1.5, 2)):
        with pytest.raises(ParameterError):
            solution.probe(nonsense)
    for strategy in (3, lambda seen: 7, lambda seen: {0: 0.5}, lambda seen: 1 / 0, {}, lambda seen: None, lambda seen: True):
        with pytest.raises(ZermeloError) as refused:
            solution.evaluate(strategy)
        assert "\n" not in str(refused.value)
    for seat in (2, -1, True, None, "x"):
        with pytest.raises(ParameterError, match="seat must be 0 or 1"):
            solution.evaluate(lambda seen: 0, seat=seat)


def test_kuhn_in_thirty_lines(tmp_path: Path) -> None:
    """The rules and the answers that the page shows."""
    page = (Path(__file__).parent.parent / "docs" / "hidden-information.md").read_text()
    rules, questions, locks, *_ = re.findall(r"```python\n(.*?)```", page, re.S)
    (tmp_path / "kuhn_of_the_page.py").write_text(rules)
    solution = zermelo.solve(f"{tmp_path / 'kuhn_of_the_page.py'}:Kuhn")
    assert solution.value == F(-1, 18) and sum(solution.policy(0)[2, -1, -1, -1].values()) == 1
    lines = [line.partition("  #")[0].strip() for line in questions.splitlines() if not line.startswith("solution = ")]
    assert len(lines) == 5 and all(eval(line, {"solution": solution}) is not None for line in lines)
    for line in locks.splitlines():
        asked, _, said = line.partition("  #")
        assert eval(asked, {"solution": solution}) == F(said.split()[-1])

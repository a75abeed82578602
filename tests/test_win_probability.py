"""`win_probability`: chances of winning, linear in the value, for what the game pays; checked by `check` and by every `solve`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import naive
import zermelo
from zermelo.cli.report import summary
from zermelo.errors import RulesError
from zermelo.games import Pig
from zermelo.uses.units import winning


class At(NamedTuple):
    n: int


class Steps(NamedTuple):
    """`left` coins, each of which pays 1 if it shows heads; the base of the games below."""

    left: int = 3

    def start(self) -> At:
        return At(self.left)

    def outcomes(self, s: At) -> Iterator[Any]:
        if s.n > 0:
            yield 1, 1, At(s.n - 1)
            yield 1, 0, At(s.n - 1)


class Duel(NamedTuple):
    """Player 0 takes 1 or 2 of `left`; who takes the last one wins what `payoff` says."""

    left: int = 4

    def start(self) -> At:
        return At(self.left)

    def actions(self, s: At) -> Iterator[int]:
        if s.n > 0:
            yield 1
        if s.n > 1:
            yield 2

    def outcomes(self, s: At, action: int) -> Iterator[Any]:
        yield 2, 0, At(s.n - action), -1
        yield 1, 0, At(max(s.n - action - 1, 0)), -1

    def payoff(self, s: At) -> int:
        return -1

    def win_probability(self, value: Any) -> Any:
        return (1 + value) / 2


def changed(base: type, **changes: Any) -> Any:
    return type("Changed", (base,), {"__slots__": (), **changes})()


def faults(ask: Callable[[Any], Any], game: Any) -> list[str]:
    with pytest.raises(RulesError) as told:
        ask(game)
    return told.value.faults


def halves(self: Any, value: Any) -> Any:
    return (1 + value) / 2


WRONG: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "raises": (lambda self, value: 1 // 0, "`win_probability` raised ZeroDivisionError: "),
    "None": (lambda self, value: None, "`win_probability` returns None for the value -1 of the final state At(n=0): it must return"),
    "text": (lambda self, value: "x", "`win_probability` returns a str for the value -1 of"),
    "True": (lambda self, value: True, "`win_probability` returns a bool"),
    "complex": (lambda self, value: 0.5j, "`win_probability` returns a complex"),
    "NaN": (lambda self, value: float("nan"), "`win_probability` is nan for the value -1"),
    "large": (lambda self, value: 5 + value, "`win_probability` is 4 for the value -1 of the final state At(n=0): a chance lies between 0"),
    "of the winner": (lambda self, value: 1 + value, "`win_probability` is 2 for the value 1 of a player whose opponent gets -1"),
    "square": (lambda self, value: value * value, "`win_probability` is not linear in the value: 1 for the value -1 and 1 for 1, but "),
    "cube": (lambda self, value: (1 + value**3) / 2, "`win_probability` is not linear in the value: 0 for the value -1 and 1 for 1, but "),
    "step": (lambda self, value: int(value > 0), "`win_probability` is not linear in the value: "),
    "of losing": (lambda self, value: (1 - value) / 2, "`win_probability` falls from 1 for the value -1 to 0 for 1"),
    "constant": (lambda self, value: 0.5, "`win_probability` is 0.5 for the values -1 and 1: it must rise, as `(1 + value) / 2` does"),
    "floats only": (lambda self, value: (1 + value.hex().count("0")) / 99, "`win_probability`: Fraction has no `hex`"),
}


@pytest.mark.parametrize("ask", [zermelo.check, zermelo.solve, zermelo.plan], ids=["check", "solve", "plan"])
@pytest.mark.parametrize("name", WRONG)
def test_conversions_that_are_none_are_refused(name: str, ask: Callable[[Any], Any]) -> None:
    conversion, said = WRONG[name]
    (fault,) = faults(ask, changed(Duel, win_probability=conversion))
    assert fault.startswith(said) and "inherited" not in fault and "(test_win_probability.py line" in fault


def test_conversions_that_are_right_stay() -> None:
    """In floats, whole numbers and fractions; clamped beyond what the game pays; for any payoffs."""
    truth = (1 + naive.value(Duel())) / 2
    for conversion in (halves, lambda self, v: 0.5 + 0.5 * float(v), lambda self, v: max(0, min(1, (1 + v) / 2))):
        found = zermelo.solve(changed(Duel, win_probability=conversion)).win_probability()
        assert found is not None and found.low <= truth <= found.high
    thirds = changed(Duel, payoff=pays_three, win_probability=lambda self, value: (3 + value) / 6)
    found = zermelo.solve(thirds).win_probability()
    assert found is not None and float(found.value) == pytest.approx(float(truth), abs=1e-12)


def pays_three(self: Any, s: At) -> int:
    return -3


def test_what_outcomes_pay_at_the_end_is_looked_at() -> None:
    """Only the last outcome pays: final states are worth 0, which is a chance."""

    def outcomes(self: Any, s: At) -> Iterator[Any]:
        if s.n > 0:
            yield 1, 2 if s.n == 1 else 0, At(s.n - 1)
            yield 1, 0, At(0)

    said = "`win_probability` is 2 for the value 2 with which play ends at At(n=1): a chance lies between 0 and 1"
    for ask in (zermelo.check, zermelo.solve):
        (fault,) = faults(ask, changed(Steps, outcomes=outcomes, win_probability=lambda self, value: value))
        assert fault.startswith(said)
    half = zermelo.solve(changed(Steps, outcomes=outcomes, win_probability=lambda self, value: value / 2)).win_probability()
    assert half is not None and half.value == pytest.approx(1 / 8)


@pytest.mark.parametrize("options", [{}, {"exact": True}])
def test_solved_values_that_are_no_chances_are_refused(options: dict[str, Any]) -> None:
    """Three coins pay 1 each: every end pays 0 or 1, which are chances, but the value of the start is 3/2."""
    game = changed(Steps, win_probability=lambda self, value: value)
    zermelo.check(game)  # it can't tell without solving
    (fault,) = faults(lambda g: zermelo.solve(g, **options), game)
    assert fault == "`win_probability` is 1.5 for the value 1.5: a chance lies between 0 and 1"
    third = zermelo.solve(changed(Steps, win_probability=lambda self, value: value / 3), **options).win_probability()
    assert third is not None and third.value == pytest.approx(Fraction(1, 2))


def test_the_largest_value_of_all_states_counts_too() -> None:
    """The start is worth 1/2, and a state after it 3/2."""

    def outcomes(self: Any, s: At) -> Iterator[Any]:
        if s.n == 4:
            yield 1, 0, At(3)
            yield 2, 0, At(0)
        elif s.n > 0:
            yield 1, 1, At(s.n - 1)
            yield 1, 0, At(s.n - 1)

    game = changed(Steps, start=lambda self: At(4), outcomes=outcomes, win_probability=lambda self, value: value)
    assert naive.value(game) == Fraction(1, 2)
    (fault,) = faults(zermelo.solve, game)
    assert fault.startswith("`win_probability` is 1.5 for the value 1.5: ")


def test_discounted_values_are_no_chances_and_are_not_looked_at() -> None:
    game = changed(Steps, win_probability=lambda self, value: value)
    assert zermelo.solve(game, discount=0.5).win_probability() is None


# --- inherited ---------------------------------------------------------------------------------------------------------------


class Twice(Pig):
    """A win pays 2."""

    def payoff(self, s: Any) -> Any:
        return 2 * Pig.payoff(self, s)


class Half(Pig):
    """A win pays 1/2: the chances of Pig would lie between 1/4 and 3/4."""

    def payoff(self, s: Any) -> Any:
        return Pig.payoff(self, s) / 2


class Misere(Pig):
    """Who wins loses."""

    def payoff(self, s: Any) -> Any:
        return -Pig.payoff(self, s)


class Again(Pig):
    """The same in other words."""

    def payoff(self, s: Any) -> Any:
        return Pig.payoff(self, s) + 0


@pytest.mark.parametrize("ask", [zermelo.check, zermelo.solve])
@pytest.mark.parametrize(
    ("game_class", "said"), [(Twice, "`win_probability` is 1.5 for the value 2 of"), (Half, "`win_probability` is 0.75 at State(")]
)
def test_an_inherited_conversion_of_other_payoffs_is_refused(game_class: Any, said: str, ask: Callable[[Any], Any]) -> None:
    (fault,) = faults(ask, game_class(10))
    name = game_class.__name__
    assert fault.startswith(said) and f"; it is inherited from Pig: define one for what {name} pays, or `win_probability = None`" in fault


def test_the_advice_helps() -> None:
    pig = zermelo.solve(Pig(10)).win_probability()
    assert pig is not None
    own = type("Own", (Twice,), {"__slots__": (), "win_probability": lambda self, value: (2 + value) / 4})
    found = zermelo.solve(own(10)).win_probability()
    assert found is not None and found.value == pytest.approx(pig.value, abs=1e-12)
    none = zermelo.solve(type("Without", (Twice,), {"__slots__": (), "win_probability": None})(10))
    assert none.win_probability() is None and winning(none.answers) is None and "chance" not in repr(none)
    meant = zermelo.solve(type("Meant", (Half,), {"__slots__": (), "win_probability": Pig.win_probability})(10)).win_probability()
    assert meant is not None and 0.25 <= meant.value <= 0.75


def test_an_inherited_conversion_that_fits_stays() -> None:
    pig, again, misere = (zermelo.solve(g(10)).win_probability() for g in (Pig, Again, Misere))
    assert pig == again and misere is not None and 0 < misere.value < 1


def test_opened_solutions_say_it_in_one_line(tmp_path: Any) -> None:
    """`win_probability` is no part of the rules that a file knows: it may have changed since."""
    game = changed(Duel)
    zermelo.solve(game).save(tmp_path / "duel.zermelo")
    broken = type("Changed", (Duel,), {"__slots__": (), "win_probability": lambda self, value: None})
    opened = zermelo.open(tmp_path / "duel.zermelo", broken)
    for ask in (lambda: opened.win_probability(), lambda: opened.probe(opened.rules.start), lambda: opened.to_dataframe()):
        with pytest.raises(RulesError, match="`win_probability` returns None for the value"):
            ask()


class Bold(NamedTuple):
    """Bet a coin or two until 0 or 4; the coins that are bet count, too."""

    payoffs = ("win", "bet")

    def start(self) -> At:
        return At(2)

    def actions(self, s: At) -> Iterator[int]:
        if 0 < s.n < 4:
            yield from (1, 2)

    def outcomes(self, s: At, bet: int) -> Iterator[Any]:
        yield 3, (0, bet), At(min(4, s.n + bet))
        yield 4, (0, bet), At(max(0, s.n - bet))

    def payoff(self, s: At) -> tuple[int, int]:
        return (1 if s.n == 4 else -1), 0

    def win_probability(self, value: Any) -> Any:
        return (1 + value) / 2


@pytest.mark.parametrize(("most", "first", "second"), [(6, "46.9194 %", "42.8571 %"), (3, "46.9 %", "42.9 %")])  # 99/211 and 3/7
def test_the_chance_stands_before_several_payoffs_and_actions_have_as_many_digits(
    in_python: None, most: int, first: str, second: str
) -> None:
    told = dict(summary(zermelo.solve(Bold()), most))
    assert list(told)[:3] == ["the player wins", "win", "bet"]
    assert told["the player wins"] == first
    assert told["best at the start"] == f"1   (1: {first}, 2: {second})"

"""Proof that an endless game may be cut off where its rules claim that play is settled.

A game whose score can grow without limit declares with `settled(s)` where its first action, to stop, is best. Let S be those states,
u(s) the payoff of stopping, and V the solution of the game in which only stopping is allowed in S. The cut loses nothing if

    sum of ways * (payoff + U(next))  <=  sum of ways * u(s)      for every s in S and every other action,  U = u on S, V elsewhere,

where V is that of the solution, and in states that were not solved (between a roll and a choice, say) the best mean of the U that
follow; for then U satisfies U >= T U everywhere, so no policy can get more than U (payoffs being non-negative, U >= 0 and play that never
ends pays nothing beyond what it has collected; Chow, Robbins and Siegmund 1971, chapter 3). S is infinite: one number of the state, the
score, has no bound. The rules are therefore run with the score `base + x`, x >= 0 unknown (`Beyond`): comparisons that hold for all x are
decided, payoffs become affine in x, and the inequality is checked for all x at once. Where a comparison depends on x, the base is
raised, for each action as far as it needs, and the scores below it are checked one by one, from the smallest on with which a settled
state was reached or can follow one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

from zermelo.basics.interrupts import raised_text
from zermelo.basics.numbers import meant
from zermelo.basics.values import is_hashable
from zermelo.errors import RulesError, ZermeloError
from zermelo.language.rules import Action, Outcome, Rules, State

MAX_BASE = 100_000  # the most scores that are checked one by one
SURE_TRIES = 8  # bases that are tried before it is guessed how far to go
MAX_REST = 100_000  # the most states, not counting differences in score
ROUNDED = 1e-9  # what an action is worth more, relative to what stopping is worth, where rounding may be the reason
MAX_FALLS = 50  # the most times that settled states with lower scores are found to follow
MAX_BETWEEN = 50  # the most moves from a settled state to the next settled or solved one

Found = TypeVar("Found")


class DependsOnX(Exception):
    """A comparison does not have the same result for all x >= 0, nor for all x >= k with a k below `least`."""

    def __init__(self, why: str, least: int = 1):
        super().__init__(why)
        self.least = least


class TooMany(DependsOnX):
    """More kinds of states, scores aside, than are checked."""


class NotCovered(DependsOnX):
    """A state can follow a settled one that the proof can't follow, whatever x is."""


class Beyond:
    """The number base + slope * x for an unknown whole x >= 0."""

    __slots__ = ("base", "slope")

    def __init__(self, base: Any, slope: Any):
        self.base, self.slope = base, slope

    def __add__(self, other: Any) -> Beyond:
        if isinstance(other, Beyond):
            return Beyond(self.base + other.base, self.slope + other.slope)
        return Beyond(self.base + other, self.slope)

    __radd__ = __add__

    def __neg__(self) -> Beyond:
        return Beyond(-self.base, -self.slope)

    def __sub__(self, other: Any) -> Beyond:
        return self + -other

    def __rsub__(self, other: Any) -> Beyond:
        return _beyond(other) - self

    def __mul__(self, factor: Any) -> Beyond:
        if isinstance(factor, Beyond):
            raise DependsOnX("a product of two unbounded numbers")
        return Beyond(self.base * factor, self.slope * factor)

    __rmul__ = __mul__

    def __lt__(self, other: Any) -> bool:
        d = self - other
        return d.for_all(d.base < 0 and d.slope <= 0, d.base >= 0 and d.slope >= 0)

    def __le__(self, other: Any) -> bool:
        d = self - other
        return d.for_all(d.base <= 0 and d.slope <= 0, d.base > 0 and d.slope >= 0)

    def __gt__(self, other: Any) -> bool:
        return not self <= other

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def __eq__(self, other: object) -> bool:
        d = self - other
        return d.for_all(d.base == 0 and d.slope == 0, d.base * d.slope > 0 or (d.slope == 0 and d.base != 0))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.base} + {self.slope}x"

    def for_all(self, always: bool, never: bool) -> bool:
        """The result of a comparison of this difference with 0, if it is the same for every x. Raises `DependsOnX` if it is not."""
        if always or never:
            return always
        raise DependsOnX("a comparison depends on x", max(1, math.ceil(-self.base / Fraction(self.slope))))  # up to where it is 0


def _beyond(number: Any) -> Beyond:
    return number if isinstance(number, Beyond) else Beyond(number, 0)


def prove(rules: Rules, frontier: list[State], upper_value: Callable[[State], Fraction | float | None], exact: bool) -> str:
    """Check the claim of `settled` for every score; returns the argument in words.

    frontier : settled states that were reached; upper_value : an upper bound of the value of a state that is not settled
    (None where the state is unknown); exact : floats of the rules mean decimals, 0.1 is 1/10. Raises `RulesError` naming the state
    and the action that does better.
    """
    if not frontier:
        return "no play comes to a state where `settled` says so"
    reasons: list[str] = []
    for slot in _most_grown_first(rules.start, frontier):
        proof = _Proof(rules, slot, upper_value, exact)
        try:
            base = proof.base(frontier)
        except (ZermeloError, MemoryError):
            raise
        except NotCovered as error:
            reasons.append(str(error))
        except (DependsOnX, TypeError, AttributeError):  # or an operation on the number is not possible with an unknown one
            pass
        except Exception as error:
            reasons.append(f"the rules raised {raised_text(error)} at {proof.at}, which could follow a settled state")
        else:
            return (
                f"stopping where `settled` says so is proven best for every {rules.start._fields[slot]} "
                f"(one by one below {base}, from there for all at once)"
            )
    reasons.append("no single number of the state grows without end in a way that sums and comparisons describe")
    raise RulesError(rules.name, [f"`settled` can't be proven: {reasons[0]}"])


def _most_grown_first(start: State, frontier: list[State]) -> list[int]:
    """The slots of the state that may hold the score, first those that differ most from the start in the settled states that were reached:
    a number that grows no further, taken for the score, would let a claim look false, or another one look endless."""
    whole = [slot for slot in range(len(start)) if all(isinstance(s[slot], int) for s in (start, *frontier))]
    return sorted(whole, key=lambda slot: -max(abs(s[slot] - start[slot]) for s in frontier))


class _Proof:
    """Checks the inequality above, with field number `slot` as the score. All arithmetic is exact."""

    def __init__(
        self, rules: Rules, slot: int, upper_value: Callable[[State], Fraction | float | None], is_exact: bool
    ):
        self.rules, self.slot, self.upper_value, self.is_exact = rules, slot, upper_value, is_exact
        self.at = rules.start  # the state that rules were asked about last
        self.lowest = 0  # the smallest score of a settled state that is shown
        self.lower = 0  # that of one that was found to follow
        self.bounds: dict[Any, Any] = {}  # U, by `key`
        self.looks: dict[Any, tuple[list[Action], bool]] = {}  # the first action of states, and whether they are settled, by `key`
        self.between: dict[Any, dict[Any, State]] = {}  # what states that are neither settled nor solved lead to, both by `key`
        self.computing: list[State] = []  # those whose U is being computed

    def base(self, frontier: list[State]) -> int:
        """The score from which the inequality is shown for all at once; below it, it was shown score by score."""
        self.lower = min(s[self.slot] for s in frontier)
        for _ in range(MAX_FALLS):
            self.lowest = self.lower
            highest = self.base_from_lowest(frontier)
            if self.lower == self.lowest:
                return highest
        raise self.falling()

    def base_from_lowest(self, frontier: list[State]) -> int:
        """The same for scores from `lowest` on."""
        highest = self.lowest
        known = {self.with_score(s, 0) for s in frontier}  # settled states with their scores replaced by 0
        queue = list(known)
        while queue:
            base, found = self.from_base_on(queue.pop())
            highest = max(highest, base)
            queue += found - known
            known |= found
            if len(known) > MAX_REST:
                raise TooMany("too many kinds of settled states")
        return highest

    def from_base_on(self, rest: State) -> tuple[int, set[State]]:
        """The score from which the inequality holds for all at once in states that differ only in their scores, below which it is checked
        score by score, action by action; and the settled states that these lead to, with their scores replaced by 0."""
        first, others = self.least_base(self.lowest, rest, self.others)
        highest, found = first, set[State]()
        for state in (self.with_score(rest, score) for score in range(self.lowest, first)):
            if self.look(state)[1]:
                for action in self.others(state):
                    found |= self.check(action, state)
        for k, action in enumerate(others):
            base, rests = self.least_base(first, rest, partial(self.check, action))
            found |= rests
            for state in (self.with_score(rest, score) for score in range(first, base)):
                found |= self.check(self.others(state)[k] if _has_unknown(action) else action, state)
            highest = max(highest, base)
        return highest, found

    def least_base(self, lowest: int, rest: State, find: Callable[[State], Found]) -> tuple[int, Found]:
        """The least base found, from `lowest` on, such that `find` does not depend on x in this state with the score base + x, and what it
        finds then."""
        failed, base, found, tries = lowest - 1, lowest, None, 0
        while found is None:
            try:
                found = find(self.with_score(rest, Beyond(base, 1)))
            except (TooMany, NotCovered):
                raise
            except DependsOnX as error:  # from bases below the next one, the same comparison would be met and depend on x
                tries += 1
                failed = base + error.least - 1
                base = failed + 1 if tries < SURE_TRIES else max(failed + 1, base + (base - lowest) // 2)
                if error.least > MAX_BASE:
                    score = rest._fields[self.slot]
                    why = f"rules compare {score} with {base:,} or so, and at most {MAX_BASE:,} numbers are checked one by one"
                    raise NotCovered(why) from None
                if base - lowest > MAX_BASE:
                    raise
        while base - failed > 1:  # a lower one leaves fewer scores to be shown one by one
            middle = (base + failed) // 2
            try:
                found, base = find(self.with_score(rest, Beyond(middle, 1))), middle
            except DependsOnX:
                failed = middle
        return base, found

    def others(self, state: State) -> list[Action]:
        """The actions of a settled state but the first, whose worth is found, too."""
        if not self.look(state)[1]:
            raise DependsOnX("not settled for every x")
        self.bound(state)
        return self.rules.all_actions(state)[1:]

    def bound(self, state: State) -> Any:
        """U of a state."""
        return self.found(self.bounds, self.key(state), state, self.bound_anew)

    def rest_of_settled(self, states: dict[Any, State]) -> set[State]:
        """The settled ones among these states (by `key`), with their scores replaced by 0. Lower scores than all that are shown are
        noted."""
        rests = set()
        for key, state in states.items():
            if not (self.looks.get(key) or self.look(state))[1]:
                continue
            rest = self.with_score(state, 0)
            if _has_unknown(rest):
                raise TooMany("more numbers than the score grow without end")
            score = _beyond(state[self.slot])
            if score < self.lowest:
                if score.slope:
                    raise self.falling()
                self.lower = min(self.lower, score.base)
            rests.add(rest)
        return rests

    def falling(self) -> NotCovered:
        score = self.rules.start._fields[self.slot]
        return NotCovered(f"settled states are followed by others, which are settled, too, with a lower and lower {score}")

    def look(self, state: State) -> tuple[list[Action], bool]:
        """The first action of a state, if play continues in it, and whether it is settled then."""
        return self.found(self.looks, self.key(state), state, self.look_anew)

    def look_anew(self, state: State) -> tuple[list[Action], bool]:
        self.at = state
        first = self.rules.first_action(state)
        return first, bool(first) and bool(self.rules.game.settled(state))

    def with_score(self, state: State, score: Any) -> State:
        return type(state)(*state[: self.slot], score, *state[self.slot + 1 :])

    def key(self, state: State) -> Any:
        """What stands for a state in a dictionary, also for one with unknown numbers."""
        score = state[self.slot]
        if type(score) is Beyond:
            state = (*state[: self.slot], (Beyond, score.base, score.slope), *state[self.slot + 1 :])
        return _key(state) if _has_unknown(state) else state

    def found(self, known: dict[Any, Any], key: Any, state: State, find: Callable[[State], Any]) -> Any:
        """The cached result for a state, computed if missing."""
        result = known.get(key)
        if result is None:
            known[key] = result = find(state)
        return result

    def check(self, action: Action, state: State) -> set[State]:
        """Raise unless stopping in a settled state is at least as good as this action; returns the settled states that it leads to, with
        their scores replaced by 0."""
        successors: dict[Any, State] = {}
        gain, total = self.sum_after(state, action, successors)
        worth = self.bound(state) * total
        excess = _beyond(gain - worth)
        if excess.base > 0 or excess.slope > 0:  # more for some x
            rules = self.rules
            claim, truth = rules.action_name(self.look(state)[0][0]), rules.action_name(action)
            fault = f"`settled` claims that {claim} is best at {state}, but {truth} is worth more there"
            by_rounding = ROUNDED * _beyond(worth)
            if not self.is_exact and excess.base <= by_rounding.base and excess.slope <= by_rounding.slope:
                fault += ", if only by rounding: claim it a little later, or solve with exact=True"
            raise RulesError(rules.name, [fault])
        return self.rest_of_settled(successors)

    def sum_after(self, state: State, action: Action, successors: dict[Any, State]) -> tuple[Any, Any]:
        """Sums of ways * (payoff + U(next)) and of ways; enters the states that the action leads to, by `key`."""
        total: Any = 0
        gain: Any = 0
        for ways, o in self.happening(state, action):
            self.refuse_unless_one_gains(o.payoff, o.sign)
            total += ways
            key, paid = self.key(o.state), o.payoff[0]
            bound = self.found(self.bounds, key, o.state, self.bound_anew)
            gain = gain + (bound if _is_zero(paid) else self.exact(paid) + bound) * ways
            successors[key] = o.state
            if key in self.between:
                successors |= self.between[key]
        return gain, total

    def happening(self, state: State, action: Action) -> list[tuple[Any, Outcome]]:
        """What can happen, each with its ways, without floats. Raises `RulesError` if nothing can."""
        self.at = state
        found = [(self.exact(o.ways), o) for o in self.rules.outcomes(state, action) if not _is_zero(o.ways)]
        if not found:
            fault = f"the ways sum to 0 at {state}, action {action}: at least one outcome needs positive ways"
            raise RulesError(self.rules.name, [fault])
        return found

    def refuse_unless_one_gains(self, payoffs: Iterable[Any], sign: int = 1) -> None:
        """Raise `RulesError` for what the proof does not cover."""
        if sign != 1 or any(map(_may_be_negative, payoffs)):
            raise RulesError(self.rules.name, ["`settled` is for one player and payoffs that are not negative"])

    def worth_of_stopping(self, state: State, stop: Action) -> Any:
        """The value of the first action, which must end the play. Raises `RulesError` if it does not."""
        rules = self.rules
        total: Any = 0
        gain: Any = 0
        for ways, o in self.happening(state, stop):
            if self.look(o.state)[0]:
                fault = f"at {state}, which `settled` calls settled, the first action must end the play"
                raise RulesError(rules.name, [fault])
            final = rules.payoff(o.state)
            self.refuse_unless_one_gains([*o.payoff, *final], o.sign)
            total += ways
            gain = gain + (self.exact(o.payoff[0]) + self.exact(final[0])) * ways
        return gain if total == 1 else gain * Fraction(1, total)

    def bound_anew(self, state: State) -> Any:
        """U of a next state: the payoff of stopping if it is settled, otherwise an upper bound of its value, or the best mean of U."""
        first, is_settled = self.look(state)
        if not first:
            final = self.rules.payoff(state)
            self.refuse_unless_one_gains(final)
            return self.exact(final[0])
        if is_settled:
            return self.worth_of_stopping(state, first[0])
        value = None if _has_unknown(state) else self.upper_value(state)
        if value is None:
            return self.best_mean(state)
        return value if isinstance(value, Fraction) else Fraction(value)

    def best_mean(self, state: State) -> Any:
        """U of a state that is neither settled nor solved: the most that an action is worth, by the U of the states that it leads to."""
        if len(self.computing) == MAX_BETWEEN:
            why = f"{self.computing[0]} can follow a settled state, and is neither settled nor reached before play is settled"
            raise NotCovered(f"{why}; nor is what comes within {MAX_BETWEEN} moves")
        successors: dict[Any, State] = {}
        best: Any = 0  # payoffs are not negative
        self.computing.append(state)
        try:
            for action in self.rules.all_actions(state):
                gain, total = self.sum_after(state, action, successors)
                mean = gain * Fraction(1, total)
                best = mean if mean > best else best
        finally:
            self.computing.pop()
        self.between[self.key(state)] = successors
        return best

    def exact(self, number: Any) -> Any:
        """A number of the rules without floats."""
        if type(number) is int:
            return number
        if isinstance(number, Beyond):
            return Beyond(self.exact(number.base), self.exact(number.slope))
        if isinstance(number, float):
            return meant(number) if self.is_exact else Fraction(number)
        return number


def _key(value: Any) -> Any:
    """A state with unknown numbers as a key of a dictionary."""
    if isinstance(value, Beyond):
        return Beyond, value.base, value.slope
    return tuple(map(_key, value)) if isinstance(value, tuple) else value


def _has_unknown(value: Any) -> bool:
    """Whether a state contains an unknown number: such a number has no hash, so that no rules look it up by mistake."""
    return not is_hashable(value)


def _may_be_negative(number: Any) -> bool:
    return number.base < 0 or number.slope < 0 if type(number) is Beyond else number < 0


def _is_zero(number: Any) -> bool:
    return isinstance(number, int | float) and number == 0

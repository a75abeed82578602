"""A solved game that other programs play step by step: the parts that all kinds of environments share.

`Played` is the interface that the environments of Gymnasium and PettingZoo use. `Table` implements it for games whose states everybody
sees, hidden_environment.py for games whose players do not see everything, mixed_environment.py for matrix games.

Actions are numbered once for the whole game, so that a number means the same in every state. Regrets come from one step of lookahead, so
they are exact where the solution is, and have bounds elsewhere. Where both choose at once, they are those against the other side's optimal
mixture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any, NamedTuple, NoReturn, Self

import numpy as np

from zermelo.answers.base import Answers
from zermelo.basics.numbers import down, up
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action, Joint, State
from zermelo.states.layout import flatten
from zermelo.uses.lookahead import happening
from zermelo.uses.need import can_be_tabled, check_end, tabled
from zermelo.uses.probe import best_action, mixture, probe

LISTED = 200_000  # states whose actions are collected
REMEMBERED = 65_536  # states whose facts are cached
DRAWN = 2**62  # whole-number ways whose sum is below this are drawn exactly


def check_mode(render_mode: str | None) -> None:
    """Raise `ParameterError` for an unknown way to show a position."""
    if render_mode not in (None, "ansi"):
        raise ParameterError(f"`render_mode` must be None or 'ansi', not {render_mode!r}")


class At(NamedTuple):
    """Where play is. `side`: 1 if PASS has been used an odd number of times, so that the state is seen by the other side."""

    state: State
    side: int


class Played(ABC):
    """A solved game played by one seat or two. `at` is the current point of play: an object specific to the game.

    name : the game's. is_simultaneous : whether both seats choose at once. actions : each seat's actions in the whole game, in the order
    of the numbers of actions.
    """

    def __init__(self, name: str, is_simultaneous: bool, actions: tuple[tuple[Any, ...], tuple[Any, ...]]):
        self.name, self.is_simultaneous, self.actions_of = name, is_simultaneous, actions
        self.numbers = tuple({action: k for k, action in enumerate(listed)} for listed in actions)
        self._remembered: dict[Any, dict[str, Any]] = {}

    def __deepcopy__(self, copied: Any) -> Self:
        """The same: copies of an environment, which search trees are made of, share what does not change."""
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("an environment can't be pickled: pickle the solution, and make the environment of it there")

    @abstractmethod
    def ends_of(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest numbers that a seat can observe: int64[slots] each."""

    @abstractmethod
    def begin(self, random: np.random.Generator) -> tuple[float, Any]:
        """Seat 0's payoff before anybody chooses, and the point of play after it."""

    @abstractmethod
    def is_over(self, at: Any) -> bool:
        """Whether nothing follows."""

    @abstractmethod
    def choosers(self, at: Any) -> tuple[int, ...]:
        """The seats that choose now: one seat, or both at once; none in a game of chance or when play is over."""

    @abstractmethod
    def observed(self, at: Any, seat: int) -> np.ndarray:
        """int64[slots]: the numbers that a seat observes."""

    def everything(self, at: Any) -> np.ndarray:
        """int64[slots]: the observations of both seats in sequence."""
        return np.concatenate([self.observed(at, seat) for seat in range(2)])

    @abstractmethod
    def legal(self, at: Any, seat: int) -> Sequence[Any]:
        """The legal actions of a seat that chooses."""

    @abstractmethod
    def answer(self, at: Any, seat: int, strategy: Any, random: np.random.Generator) -> Any:
        """The action of a seat by a user's strategy or policy, or by the solution if that is None."""

    @abstractmethod
    def moved(self, at: Any, chosen: Mapping[int, Any], random: np.random.Generator) -> tuple[float, Any]:
        """Seat 0's payoff for the chosen actions, chance included, and the point of play after them."""

    @abstractmethod
    def facts(self, at: Any, seat: int) -> dict[str, Any]:
        """The solution's facts for a seat."""

    @abstractmethod
    def shown(self, at: Any) -> str:
        """The current point of play, as text."""

    @abstractmethod
    def choice(self, at: Any, seat: int, action: Any) -> str:
        """A seat's intended action and where it is taken, in one line for error messages."""

    def remembered(self, key: Any, known: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The facts, computed once for each key; the arrays belong to the caller."""
        found = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= REMEMBERED:  # for copies in other threads, too
                self._remembered.clear()
            found = self._remembered[key] = known()
        return {name: x.copy() if isinstance(x, np.ndarray) else x for name, x in found.items()}

    def numbered(self, seat: int, number: Any) -> Any:
        """The action of a seat with this number. Raises `ParameterError` for anything else."""
        actions = self.actions_of[seat]
        try:
            is_one = 0 <= int(number) < len(actions) and int(number) == number
        except (TypeError, ValueError, OverflowError):
            is_one = False
        if not is_one:
            raise ParameterError(f"actions have numbers from 0 to {len(actions) - 1}, not {number}")
        return actions[int(number)]

    def check_legal(self, at: Any, seat: int, action: Any) -> None:
        """Raise `ParameterError` for an action that is not legal."""
        if action not in self.legal(at, seat):
            raise ParameterError(f"{self.choice(at, seat, action)} is not legal")

    def mask(self, at: Any, seat: int) -> np.ndarray:
        """int8[actions]: 1 for legal actions; all zeros for a seat that waits."""
        found = np.zeros(len(self.actions_of[seat]), np.int8)
        choosers = self.choosers(at)
        for action in self.legal(at, seat) if seat in choosers or not choosers else ():
            if action not in self.numbers[seat]:
                raise ParameterError(f"{self.choice(at, seat, action)} is not in `actions`")
            found[self.numbers[seat][action]] = 1
        return found


class Table(Played):
    """A solved game whose states everybody sees. Raises `OutOfReach` where play is cut off."""

    def __init__(self, answers: Answers, what: str, actions: Iterable[Action] | None = None):
        check_end(answers, what)
        self.answers, self.rules = answers, answers.rules
        self.actions = tuple(_actions(answers, what)) if actions is None else listed(actions, what)
        super().__init__(self.rules.name, self.rules.is_simultaneous, (self.actions, self.actions))
        self.number = self.numbers[0]
        layout = answers.layout
        self.low = np.array(layout.low, np.int64)
        self.high = self.low + np.array([2**b - 1 for b in layout.bits], np.int64)
        self.start = At(self.rules.start, 0)
        if self.rules.must_end and np.isinf(tabled(answers, what).error[:, 0]).any():
            raise OutOfReach(f"{what}: in some states of {self.rules.name} best play is not known, as play need not end there (`must_end`)")
        if self.is_over(self.start):
            raise OutOfReach(f"{what}: in {self.rules.name} play is over at the start")

    def ends_of(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        return self.low, self.high

    def begin(self, random: np.random.Generator) -> tuple[float, At]:
        return 0.0, self.start

    def is_over(self, at: At) -> bool:
        return not self.rules.actions(at.state)

    def seat(self, at: At) -> int:
        """The seat to move: 0 or 1; 0 if only chance moves."""
        return self.rules.player(at.state) ^ at.side

    def choosers(self, at: At) -> tuple[int, ...]:
        if self.is_over(at) or self.rules.is_chance:
            return ()
        return (0, 1) if self.is_simultaneous else (self.seat(at),)

    def observed(self, at: At, seat: int) -> np.ndarray:
        """int64[slots]: the numbers of the state, in order. Both see all of them."""
        return np.array(flatten(at.state), np.int64)

    def everything(self, at: At) -> np.ndarray:
        """int64[slots]: the numbers of the state."""
        return self.observed(at, 0)

    def legal(self, at: At, seat: int) -> list[Action]:
        """The actions of the player to move; where both choose at once, those of this seat."""
        return self.rules.choices(at.state)[seat ^ at.side] if self.rules.is_simultaneous else self.rules.actions(at.state)

    def choice(self, at: At, seat: int, action: Action) -> str:
        return f"{self.rules.action_in_words(action)} at {self.rules.in_line(at.state)}"

    def shown(self, at: At) -> str:
        return self.rules.show(at.state)

    def answer(self, at: At, seat: int, strategy: Any, random: np.random.Generator) -> Action:
        if not self.is_simultaneous:
            if strategy is None:
                return best_action(self.answers, at.state)
            from zermelo.uses.chain import chosen_position

            return self.rules.actions(at.state)[chosen_position(self.rules, strategy, at.state)]
        from zermelo.uses.evaluate_joint import answered

        side = seat ^ at.side
        policy = strategy or partial(mixture, self.answers, seat=side)
        return self.legal(at, seat)[draw_one(answered(self.rules, policy, at.state, side), random)]

    def moved(self, at: At, chosen: Mapping[int, Action], random: np.random.Generator) -> tuple[float, At]:
        """The drawn payoff of one action to seat 0, and the point of play after it. Final payoffs are paid on the way to the end."""
        action = Joint(chosen[at.side], chosen[1 - at.side]) if self.is_simultaneous else next(iter(chosen.values()))
        outcomes = happening(self.answers, at.state, action)
        drawn = outcomes[draw([o.ways for o in outcomes], random)]
        after = At(drawn.state, at.side ^ (drawn.sign < 0))
        paid = -drawn.payoff[0] if at.side else drawn.payoff[0]
        if self.is_over(after):
            end = self.rules.payoff(after.state)[0]
            paid += -end if after.side else end
        return float(paid), after

    def facts(self, at: At, seat: int) -> dict[str, Any]:
        """The facts about a state from a seat's view: its value with bounds and, on the seat's turn, the regret of all actions.
        Where the solution is exact, `exact_value` and `exact_regret` are the same in fractions. Where both choose at once, `mixture` is the
        seat's optimal one."""
        return self.remembered((at, seat), lambda: self._known(at, seat))

    def _known(self, at: At, seat: int) -> dict[str, Any]:
        if self.is_over(at):
            return {"action_mask": np.zeros(len(self.actions), np.int8), **nothing_more(self.answers.is_exact)}
        sign = 1 if seat == at.side else -1
        found = probe(self.answers, at.state)
        bounds = turned(found.low, found.high, sign)
        facts = {"action_mask": self.mask(at, seat), "value": sign * float(found.value) + 0.0, "value_bounds": bounds}
        if self.rules.is_simultaneous:
            own = (found.other_actions, found.other_action_bounds) if seat ^ at.side else (found.actions, found.action_bounds)
            facts |= self._regrets(seat ^ at.side, *own)
            facts |= self._mixed((found.other_mixture if seat ^ at.side else found.mixture) or {})
        elif self.seat(at) == seat:
            facts |= self._regrets(found.player, found.actions, found.action_bounds)
        if isinstance(found.value, Fraction):
            facts["exact_value"] = sign * found.value
        return facts

    def _mixed(self, mixture: Mapping[Action, Any]) -> dict[str, Any]:
        """The probability of each action in the optimal mixture."""
        every = tuple(mixture.get(action, 0) for action in self.actions)
        told: dict[str, Any] = {"mixture": np.array(every, float)}
        return told | {"exact_mixture": tuple(map(Fraction, every))} if self.answers.is_exact else told

    def _regrets(self, player: int, values: Any, its_bounds: Any) -> dict[str, Any]:
        """For each action, how much less it is worth to the mover than a best one, and an interval that contains the true number; infinite
        if it is not legal."""
        better = 1 if player == 0 else -1
        ends = {a: turned(low, high, better) for a, (low, high) in its_bounds.items()}
        worth: dict[Action, Any] = {a: better * v for a, v in values.items()}
        best = max(worth.values())
        regret, bounds = np.full(len(self.actions), np.inf), np.full((len(self.actions), 2), np.inf)
        for a, (low, high) in ends.items():
            others = [both for b, both in ends.items() if b != a]
            least, most = (max((both[k] for both in others), default=-np.inf) for k in (0, 1))
            less = regret[self.number[a]] = float(best - worth[a])
            bounds[self.number[a]] = (
                min(less, np.nextafter(least - high, -np.inf)) if least > high else 0.0,
                max(less, np.nextafter(most - low, np.inf)) if most > low else 0.0,
            )
        if not all(isinstance(x, Fraction) for x in worth.values()):
            return {"regret": regret, "regret_bounds": bounds}
        exact = tuple(best - worth[a] if a in worth else None for a in self.actions)
        ends_of = [(np.inf, np.inf) if x is None else turned(x, x, 1) for x in exact]
        return {"regret": regret, "regret_bounds": np.array(ends_of), "exact_regret": exact}


def turned(low: Any, high: Any, sign: int) -> tuple[float, float]:
    """A float interval around an interval of any numbers, negated where the sign is -1."""
    if sign < 0:
        low, high = -high, -low
    return ((low if isinstance(low, float) else down(low)) + 0.0, (high if isinstance(high, float) else up(high)) + 0.0)


def nothing_more(is_exact: bool) -> dict[str, Any]:
    """The facts about the worth of a finished play, all of which has been paid."""
    return {"value": 0.0, "value_bounds": (0.0, 0.0), **({"exact_value": Fraction(0)} if is_exact else {})}


def draw(ways: Sequence[Any], random: np.random.Generator) -> int:
    """The number of an outcome, drawn in proportion to the ways; exactly so if these are whole numbers whose sum is not huge."""
    if len(ways) == 1:
        return 0
    total = sum(ways)
    if all(isinstance(w, int | np.integer) for w in ways) and total < DRAWN:
        left, shares = int(random.integers(int(total))), ways
    else:
        left, shares = random.random(), [float(w / total) for w in ways]  # type: ignore[assignment]
    for k, share in enumerate(shares):
        left -= share
        if left < 0:
            return k
    return max(k for k, w in enumerate(ways) if w)


def draw_one(chances: Sequence[Fraction], random: np.random.Generator) -> int:
    """An index drawn with these probabilities; exactly so unless their denominators are huge."""
    common = lcm(*(p.denominator for p in chances))
    return draw([int(p * common) for p in chances], random)


def listed(actions: Any, what: str, option: str = "actions") -> tuple[Action, ...]:
    """The items that an option lists. Raises `ParameterError`."""
    try:
        found = tuple(actions)
        is_plain = bool(found) and len(set(found)) == len(found)
    except TypeError:
        raise ParameterError(f"{what}: `{option}` must be a list of all {option} of the game, not {actions!r}") from None
    if not is_plain:
        raise ParameterError(f"{what}: `{option}` must be all different, and one at least")
    return found


def _actions(answers: Answers, what: str) -> list[Action]:
    """All actions of the game, of both players, sorted. Raises `OutOfReach` if there are too many states to examine."""
    rules = answers.rules
    if rules.is_chance:
        return [None]
    if answers.report.states > LISTED or not can_be_tabled(answers):
        raise OutOfReach(f"{what} needs actions=[...], all actions of {rules.name}: only up to {LISTED:,} states are searched for them")
    found: set[Action] = set()
    for kept in tabled(answers, what).space:
        for state in (kept, *rules.same_as(kept)):  # symmetric states may name actions otherwise
            found.update(*(rules.choices(state) if rules.is_simultaneous else [rules.actions(state)]))
    return sorted(found, key=lambda a: (isinstance(a, tuple), a))


def seats(table: Table) -> list[int]:
    """The seats that have a choice somewhere: [0], [1], or both; [] in a game of chance. Found by running the rules in all states."""
    if table.rules.is_chance:
        return []
    if table.answers.report.is_for_two:
        return [0, 1]
    choosing = (s for s in tabled(table.answers, "an environment").space if len(table.rules.actions(s)) > 1)
    return [table.rules.player(state) for state in choosing][:1]

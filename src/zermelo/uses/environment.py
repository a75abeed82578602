"""A solved game as something that is played step by step by other programs: what all kinds of environments have in common.

Actions are numbered once for the whole game, so that a number means the same in every state. Regrets come from one step of lookahead, so
they are exact where the solution is, and have bounds elsewhere. Where both choose at once, they are those against the other side's optimal
mixture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action, Joint, State
from zermelo.states.layout import flatten
from zermelo.uses.lookahead import down, happening, up
from zermelo.uses.need import can_be_tabled, check_end, tabled
from zermelo.uses.probe import probe

LISTED = 200_000  # states that are asked for their actions
REMEMBERED = 65_536  # states of which it is remembered what is known
DRAWN = 2**62  # whole-number ways whose sum is below this are drawn exactly


class At(NamedTuple):
    """Where play is. `side`: 1 if PASS has been used an odd number of times, so that the state is seen by the other side."""

    state: State
    side: int


class Table:
    """A solved game at which two seats, or one, sit. Raises `OutOfReach` where play is cut off."""

    def __init__(self, answers: Answers, what: str, actions: Iterable[Action] | None = None):
        check_end(answers, what)
        self.answers, self.rules = answers, answers.rules
        self.actions = tuple(_actions(answers, what)) if actions is None else _given(actions, what)
        self.number = {action: k for k, action in enumerate(self.actions)}
        if not self.actions or len(self.number) < len(self.actions):
            raise ParameterError(f"{what}: `actions` must be all different, and one at least")
        layout = answers.layout
        self.low = np.array(layout.low, np.int64)
        self.high = self.low + np.array([2**b - 1 for b in layout.bits], np.int64)
        self._facts: dict[tuple[At, int], dict[str, Any]] = {}
        self.start = At(self.rules.start, 0)
        if self.is_over(self.start):
            raise OutOfReach(f"{what}: in {self.rules.name} play is over at the start")

    def is_over(self, at: At) -> bool:
        return not self.rules.actions(at.state)

    def seat(self, at: At) -> int:
        """Who moves: 0 or 1; 0 where only chance does."""
        return self.rules.player(at.state) ^ at.side

    def observed(self, at: At) -> np.ndarray:
        """int64[slots]: the numbers of the state, in order."""
        return np.array(flatten(at.state), np.int64)

    def legal(self, at: At, seat: int) -> list[Action]:
        """What whoever moves can do; where both choose at once, what this seat can."""
        return self.rules.choices(at.state)[seat ^ at.side] if self.rules.is_simultaneous else self.rules.actions(at.state)

    def chosen(self, at: At, seat: int, number: Any) -> Action | None:
        """The action of a seat with this number; None if it is not legal. Raises `ParameterError` for what is no number of an action."""
        if not 0 <= int(number) < len(self.actions):
            raise ParameterError(f"actions have numbers from 0 to {len(self.actions) - 1}, not {number}")
        action = self.actions[int(number)]
        return action if action in self.legal(at, seat) else None

    def not_legal(self, at: At, number: Any) -> ParameterError:
        """The error for an action that is not."""
        named = self.rules.action_in_words(self.actions[int(number)])
        return ParameterError(f"{named} at {self.rules.in_line(at.state)} is not legal")

    def together(self, at: At, actions: Sequence[Action]) -> Joint:
        """What both seats have chosen at once, as an action of the rules."""
        return Joint(actions[at.side], actions[1 - at.side])

    def mask(self, at: At, seat: int) -> np.ndarray:
        """int8[actions]: 1 for those that are legal."""
        found = np.zeros(len(self.actions), np.int8)
        for action in self.legal(at, seat):
            if action not in self.number:
                raise ParameterError(f"{self.rules.action_in_words(action)} at {self.rules.in_line(at.state)} is not in `actions`")
            found[self.number[action]] = 1
        return found

    def moved(self, at: At, action: Action, random: np.random.Generator) -> tuple[float, At]:
        """What one action pays to seat 0, drawn, and where play is then. What the end pays is paid on the way to it."""
        outcomes = happening(self.answers, at.state, action)
        drawn = outcomes[draw([o.ways for o in outcomes], random)]
        after = At(drawn.state, at.side ^ (drawn.sign < 0))
        paid = -drawn.payoff[0] if at.side else drawn.payoff[0]
        if self.is_over(after):
            end = self.rules.payoff(after.state)[0]
            paid += -end if after.side else end
        return float(paid), after

    def facts(self, at: At, seat: int) -> dict[str, Any]:
        """What is known of a state, from the view of a seat: its value with bounds and, on the seat's turn, the regret of all actions.
        Where the solution is exact, `exact_value` and `exact_regret` are the same in fractions. Where both choose at once, `mixture` is the
        seat's optimal one."""
        if len(self._facts) >= REMEMBERED:
            self._facts.clear()
        found = self._facts.get((at, seat))
        if found is None:
            found = self._facts[at, seat] = self._known(at, seat)
        return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in found.items()}

    def _known(self, at: At, seat: int) -> dict[str, Any]:
        if self.is_over(at):
            return {"action_mask": np.zeros(len(self.actions), np.int8), "value": 0.0, "value_bounds": (0.0, 0.0)}
        sign = 1 if seat == at.side else -1
        found = probe(self.answers, at.state)
        bounds = _turned(found.low, found.high, sign)
        facts = {"action_mask": self.mask(at, seat), "value": sign * float(found.value), "value_bounds": bounds}
        if self.rules.is_simultaneous:
            own = (found.other_actions, found.other_action_bounds) if seat ^ at.side else (found.actions, found.action_bounds)
            facts |= self._regrets(seat ^ at.side, *own)
            facts |= self._mixed((found.other_mixture if seat ^ at.side else found.mixture) or {})
        elif self.seat(at) == seat:
            facts |= self._regrets(found.player, found.actions, found.action_bounds)
        if self.answers.is_exact:
            facts["exact_value"] = sign * found.value
        return facts

    def _mixed(self, mixture: Mapping[Action, Any]) -> dict[str, Any]:
        """By action, how probable it is in the optimal mixture."""
        every = tuple(mixture.get(action, 0) for action in self.actions)
        told: dict[str, Any] = {"mixture": np.array(every, float)}
        return told | {"exact_mixture": tuple(map(Fraction, every))} if self.answers.is_exact else told

    def _regrets(self, player: int, values: Any, its_bounds: Any) -> dict[str, Any]:
        """By action, how much less it is worth to the mover than a best one, and an interval that contains the true number; infinite where
        it is not legal."""
        better = 1 if player == 0 else -1
        ends = {a: _turned(low, high, better) for a, (low, high) in its_bounds.items()}
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
        if not self.answers.is_exact:
            return {"regret": regret, "regret_bounds": bounds}
        exact = tuple(best - worth[a] if a in worth else None for a in self.actions)
        ends_of = [(np.inf, np.inf) if x is None else (down(x), up(x)) for x in exact]
        return {"regret": regret, "regret_bounds": np.array(ends_of), "exact_regret": exact}


def _turned(low: Any, high: Any, sign: int) -> tuple[float, float]:
    """An interval of floats around one of any numbers, of the negated ones where the sign is -1."""
    if sign < 0:
        low, high = -high, -low
    return (low if isinstance(low, float) else down(low), high if isinstance(high, float) else up(high))


def draw(ways: list[Any], random: np.random.Generator) -> int:
    """The number of an outcome, drawn in proportion to the ways; exactly so where these are whole numbers."""
    if len(ways) == 1:
        return 0
    is_whole = all(isinstance(w, int | np.integer) for w in ways) and sum(ways) < DRAWN
    left: float = int(random.integers(int(sum(ways)))) if is_whole else random.random() * float(sum(ways))
    for k, w in enumerate(ways):
        left -= w
        if left < 0:
            return k
    return len(ways) - 1


def draw_one(chances: Sequence[Fraction], random: np.random.Generator) -> int:
    """The number of one of these probabilities, drawn; exactly so unless their denominators are huge."""
    common = lcm(*(p.denominator for p in chances))
    return draw([int(p * common) for p in chances], random)


def _given(actions: Any, what: str) -> tuple[Action, ...]:
    """The actions that somebody lists. Raises `ParameterError`."""
    try:
        found = tuple(actions)
        hash(found)
        return found
    except TypeError:
        raise ParameterError(f"{what}: `actions` must be a list of all actions of the game, not {actions!r}") from None


def _actions(answers: Answers, what: str) -> list[Action]:
    """All actions of the game, of both players, sorted. Raises `OutOfReach` where there are too many states to ask."""
    rules = answers.rules
    if rules.is_chance:
        return [None]
    if answers.report.states > LISTED or not can_be_tabled(answers):
        raise OutOfReach(f"{what} needs actions=[...], all actions of {rules.name}: only up to {LISTED:,} states are searched for them")
    found: set[Action] = set()
    for state in tabled(answers, what).space:
        found.update(*(rules.choices(state) if rules.is_simultaneous else [rules.actions(state)]))
    return sorted(found, key=lambda a: (isinstance(a, tuple), a))


def seats(table: Table) -> list[int]:
    """The seats that have a choice somewhere: [0], [1], or both; [] in a game of chance. Asked of the rules in all states."""
    if table.rules.is_chance:
        return []
    if table.answers.report.is_for_two:
        return [0, 1]
    choosing = (s for s in tabled(table.answers, "an environment").space if len(table.rules.actions(s)) > 1)
    return [table.rules.player(state) for state in choosing][:1]

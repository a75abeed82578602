"""A solved game whose players do not see everything, for environments: each seat observes only what its player sees.

A seat observes the numbers of `sees` at its latest decision, and learns at the next decision what has happened since. So nothing is shown
that the player does not know, and the shape of an observation follows from the information sets. Where there is no choice (the deal, a
player with one action, a decision that `lock` has fixed) play continues automatically.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.hidden import HiddenAnswers, Seen
from zermelo.errors import OutOfReach
from zermelo.language.rules import Action, Joint, State
from zermelo.uses.environment import Played, draw, draw_one, listed, nothing_more, turned
from zermelo.uses.hidden import HiddenProbe, SetsOf, chances_of, check_player, check_strategy


class Place(NamedTuple):
    """The current point of a play. `sets`: the number of the information set of each player who chooses. `last`: what each player saw
    at the last choice, or sees at the current one; None before."""

    state: State
    sets: tuple[int | None, int | None]
    last: tuple[Seen | None, Seen | None]


class HiddenTable(Played):
    """A solved game with hidden information, for two seats or one. Raises `OutOfReach` if nobody has a choice."""

    def __init__(self, answers: HiddenAnswers, what: str, actions: Iterable[Action] | None = None):
        self.answers, self.rules = answers, answers.rules
        self.actions = tuple(_actions(answers)) if actions is None else listed(actions, what)
        if not self.actions:
            raise OutOfReach(f"{what}: nobody has a choice in {self.rules.name}")
        super().__init__(self.rules.name, self.rules.is_simultaneous, (self.actions, self.actions))
        self.ends = tuple(_ends(answers, seat) for seat in range(2))
        self.locked = tuple(answers.locked(seat) for seat in range(2))
        self._sets: dict[int, SetsOf] = {}

    def ends_of(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        return self.ends[seat]

    def begin(self, random: np.random.Generator) -> tuple[float, Place]:
        return self._until_choice(self.rules.start, 0.0, (None, None), random)

    def is_over(self, at: Place) -> bool:
        return not self.rules.actions(at.state)

    def choosers(self, at: Place) -> tuple[int, ...]:
        return tuple(seat for seat, k in enumerate(at.sets) if k is not None)

    def observed(self, at: Place, seat: int) -> np.ndarray:
        """int64[slots]: what the player saw at the last or current choice; the rest is padded with a number below all of these."""
        low, _ = self.ends[seat]
        found, seen = low.copy(), at.last[seat] or ()
        found[: len(seen)] = seen
        return found

    def legal(self, at: Place, seat: int) -> list[Action]:
        return self._options(at.state, seat)

    def choice(self, at: Place, seat: int, action: Action) -> str:
        seen = " ".join(map(str, at.last[seat] or ())) or "nothing"
        return f"{self.rules.action_in_words(action)}, where player {seat} sees {seen},"

    def shown(self, at: Place) -> str:
        return self.rules.show(at.state)

    def answer(self, at: Place, seat: int, strategy: Any, random: np.random.Generator) -> Action:
        k, sets = at.sets[seat], self.answers.sets[seat]
        assert k is not None
        if strategy is None:
            return sets.actions(k)[_drawn(self.answers.mixture(seat, k), random)]
        return sets.actions(k)[_drawn(chances_of(self.answers, strategy, seat, sets, k) or [], random)]

    def moved(self, at: Place, chosen: Mapping[int, Action], random: np.random.Generator) -> tuple[float, Place]:
        paid, state = self._stepped(at.state, chosen, random)
        return self._until_choice(state, paid, at.last, random)

    def facts(self, at: Place, seat: int) -> dict[str, Any]:
        """The legal actions and, on the seat's turn, the solution's facts about its information set: `value` and `regret` (nan where the
        other player's strategy and chance never lead), `mixture`; in exact solutions also in fractions, and intervals of floats."""
        k = at.sets[seat]
        told: dict[str, Any] = {"action_mask": self.mask(at, seat)}
        if k is None:
            return told | nothing_more(self.answers.is_exact) if self.is_over(at) else told
        return told | self.remembered((seat, k), lambda: self._told(self._sets_of(seat).probe(k)))

    def _sets_of(self, seat: int) -> SetsOf:
        if seat not in self._sets:
            self._sets[seat] = SetsOf(self.answers, seat)
        return self._sets[seat]

    # --- from one choice to the next ------------------------------------------------------------------------------------

    def _until_choice(
        self, state: State, paid: float, last: tuple[Seen | None, Seen | None], random: np.random.Generator
    ) -> tuple[float, Place]:
        """Continue until somebody has a choice, or play is over; final payoffs are paid on the way to the end."""
        while self.rules.actions(state):
            seen = {seat: self.rules.seen(state, seat) for seat in range(2) if len(self._options(state, seat)) > 1}
            sets = [self.answers.sets[seat].find(seen[seat]) if seat in seen else None for seat in range(2)]
            if sets != [None, None]:
                now = [seen[seat] if k is not None else last[seat] for seat, k in enumerate(sets)]
                return paid, Place(state, (sets[0], sets[1]), (now[0], now[1]))
            more, state = self._stepped(state, {}, random)
            paid += more
        return paid + float(self.rules.payoff(state)[0]), Place(state, (None, None), last)

    def _stepped(self, state: State, chosen: Mapping[int, Action], random: np.random.Generator) -> tuple[float, State]:
        """One action of the rules, with the choices of the seats, and with those that are left to chance."""
        rules = self.rules
        if rules.is_simultaneous:
            both = [chosen[seat] if seat in chosen else self._by_chance(state, seat, random) for seat in range(2)]
            action: Any = Joint(both[0], both[1])
        else:
            mover = int(rules.player(state))
            action = chosen[mover] if mover in chosen else self._by_chance(state, mover, random)
        outcomes = [o for o in rules.outcomes(state, action) if o.ways]
        drawn = outcomes[draw([o.ways for o in outcomes], random)]
        return float(drawn.payoff[0]), drawn.state

    def _by_chance(self, state: State, seat: int, random: np.random.Generator) -> Action:
        """A player's only action, or one drawn from what is locked."""
        options = self._options(state, seat)
        if len(options) == 1:
            return options[0]
        chances = self.locked[seat][self.rules.seen(state, seat)]
        return options[_drawn([chances.get(action, Fraction(0)) for action in options], random)]

    def _options(self, state: State, seat: int) -> list[Action]:
        rules = self.rules
        if rules.is_simultaneous:
            return rules.choices(state)[seat]
        return rules.actions(state) if int(rules.player(state)) == seat else []

    # --- the facts --------------------------------------------------------------------------------------------------

    def _told(self, here: HiddenProbe) -> dict[str, Any]:
        better, is_exact = (1, -1)[here.player], self.answers.is_exact
        worth = {action: None if value is None else better * value for action, value in here.actions.items()}
        every = [worth.get(action) for action in self.actions]
        best = max((value for value in worth.values() if value is not None), default=None)
        less = [None if best is None or value is None else best - value for value in every]
        mixture = tuple(here.mixture.get(action, 0) for action in self.actions)
        unknown = [np.nan if action in worth else np.inf for action in self.actions]
        told: dict[str, Any] = {
            "value": np.nan if here.value is None else better * float(here.value),
            "regret": np.array([u if x is None else float(x) for x, u in zip(less, unknown, strict=True)]),
            "mixture": np.array(mixture, float),
        }
        if not is_exact:
            return told
        value = None if here.value is None else better * here.value
        told |= {"exact_value": value, "exact_regret": tuple(less), "exact_mixture": tuple(Fraction(p) for p in mixture)}
        told["value_bounds"] = (np.nan, np.nan) if value is None else turned(value, value, 1)
        told["regret_bounds"] = np.array([(u, u) if x is None else turned(x, x, 1) for x, u in zip(less, unknown, strict=True)])
        return told


def _drawn(chances: Any, random: np.random.Generator) -> int:
    """An index drawn with these probabilities; exactly so for Fractions."""
    if isinstance(chances[0], Fraction):
        return draw_one(chances, random)
    return draw(chances, random)


def _actions(answers: HiddenAnswers) -> list[Action]:
    """All actions in information sets of both players, sorted."""
    found = {action for sets in answers.sets for k in range(len(sets)) for action in sets.actions(k)}
    return sorted(found, key=lambda a: (isinstance(a, tuple), a))


def _ends(answers: HiddenAnswers, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest number in each slot of an observation; the least is the one that pads the slots."""
    arrays = answers.sets[seat].arrays
    slots = max(1, int(np.diff(arrays.seen_start).max(initial=0)))
    low = int(arrays.seen.min(initial=0)) - 1
    high = int(arrays.seen.max(initial=0))
    return np.full(slots, low, np.int64), np.full(slots, high, np.int64)


def table(answers: HiddenAnswers, seat: int | None, opponent: Any, actions: Iterable[Action] | None) -> tuple[HiddenTable, int]:
    """The game and the chosen seat: by default 0, unless only the other seat has choices. Raises `ParameterError`."""
    if opponent is not None:
        check_strategy(answers, opponent)
    found = HiddenTable(answers, "an environment", actions)
    if seat is None:
        return found, int(not len(answers.sets[0]))
    return found, check_player(answers, seat)

"""Games of ours as games of OpenSpiel: Python games, which its algorithms accept."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple

from zermelo.basics.numbers import meant
from zermelo.errors import OutOfReach, ParameterError
from zermelo.foreign.openspiel import package
from zermelo.language.rules import Action, Outcome, Rules, State, read

MOST = 200_000  # states that are visited to collect the actions
LENGTH = 10_000  # limit on the moves of a game that has no longest play


class Facts(NamedTuple):
    """The facts about a game that OpenSpiel needs in advance."""

    actions: list[Action]
    players: int
    chances: int  # the most outcomes of an action
    pays_on_the_way: bool
    low: float  # the least and the greatest total payoff of player 0
    high: float
    length: int


def to_openspiel(game: Any, *, name: str = "", max_states: int = MOST, max_length: int | None = None) -> Any:
    """A game of ours as a `pyspiel.Game`, registered so that `pyspiel.load_game(name)` finds it, too.

    game        a game of one or two players who move in turn, with hidden information or without
    name        the name in OpenSpiel; by default zermelo_ and the name of the class, with a checksum of the parameters if there are any
    max_states  all states are visited first, by Python; more than that are refused
    max_length  the longest play as stated to OpenSpiel, which does not enforce it; by default counted, or 10,000 if play can return

    Actions are numbered in sorted order, once for the whole game. An action with several outcomes is followed by a node of chance. In games
    with `sees` the information state is the numbers that a player sees. Payoffs are the first ones, paid to player 0. Raises
    `OutOfReach` for games with simultaneous moves or play that is cut off, for large ones, and if OpenSpiel is missing; `ParameterError`.
    """
    spiel = package("to_openspiel")
    rules = read(game)
    if rules.is_simultaneous:
        raise OutOfReach(f"{rules.name}: both choose at once; only games in which players move in turn are written for OpenSpiel")
    if rules.is_cut_off:
        raise OutOfReach(f"{rules.name} cuts play off and bounds the rest, and what is not played can't be written for OpenSpiel")
    facts = _facts(rules, max_states, max_length)
    name = name or _name(rules)
    kind = _kind(spiel, rules, facts, name)
    made = _game_class(spiel, rules, facts, kind)
    if name in spiel.registered_names():
        if name not in _ours:
            raise ParameterError(f"OpenSpiel has a game {name} already: give another name")
    else:
        spiel.register_game(kind, made)
        _ours.add(name)
    return made()


_ours: set[str] = set()


def _name(rules: Rules) -> str:
    if not rules.game._fields:
        return f"zermelo_{rules.name.lower()}"
    return f"zermelo_{rules.name.lower()}_{hashlib.sha256(repr(rules.game).encode()).hexdigest()[:8]}"


# --- facts needed beforehand ---------------------------------------------------------------------------------------------


def _facts(rules: Rules, most: int, max_length: int | None) -> Facts:
    """Visits all states."""
    actions: set[Action] = set()
    after: dict[State, list[tuple[Any, State, int]]] = {}
    waiting, players, chances, pays, passes = [rules.start], {0}, 1, False, False
    while waiting:
        state = waiting.pop()
        if state in after:
            continue
        if len(after) >= most:
            raise OutOfReach(f"{rules.name} has more than {most:,} states, and all are gone through to be written for OpenSpiel")
        legal = rules.actions(state)
        after[state] = []
        for action in legal:
            outcomes = [o for o in rules.outcomes(state, action) if o.ways]
            chances = max(chances, len(outcomes))
            pays |= any(o.payoff[0] != 0 for o in outcomes)
            passes |= any(o.sign < 0 for o in outcomes)
            after[state] += [(o.payoff[0], o.state, o.sign) for o in outcomes]
            waiting += [o.state for o in outcomes]
        if len(legal) > 1:
            actions.update(legal)
            players.add(rules.player(state))
        elif legal:
            actions.update(a for a in legal if a is not None)
    found = _extremes(rules, after)
    low, high, length = found if found else (*_of_ends(rules, after, pays, passes), LENGTH)
    ordered = sorted(actions, key=lambda a: (isinstance(a, tuple), a))
    return Facts(ordered, 2 if passes or 1 in players else 1, chances, pays, low, high, max_length or length)


def _extremes(rules: Rules, after: dict[State, Any]) -> tuple[float, float, int] | None:
    """The least and the greatest payoff of a play, and its most moves; None if play can return to a state."""
    found: dict[State, tuple[float, float, int]] = {}
    path = [rules.start]
    open_: set[State] = set()
    while path:
        state = path[-1]
        if state in found:
            path.pop()
            continue
        left = [n for _, n, _ in after[state] if n not in found]
        if left:
            if state in open_ or state in left:
                return None
            open_.add(state)
            path += left
            continue
        path.pop()
        open_.discard(state)
        if not after[state]:
            found[state] = (float(rules.payoff(state)[0]),) * 2 + (0,)
            continue
        ends = [(p + found[n][0], p + found[n][1]) if sign > 0 else (p - found[n][1], p - found[n][0]) for p, n, sign in after[state]]
        found[state] = min(float(e[0]) for e in ends), max(float(e[1]) for e in ends), 1 + max(found[n][2] for _, n, _ in after[state])
    return found[rules.start]


def _of_ends(rules: Rules, after: dict[State, Any], pays: bool, passes: bool) -> tuple[float, float]:
    """The same if play can return: the payoffs of ends, or any number."""
    if pays:
        return -inf, inf
    ends = [float(rules.payoff(state)[0]) for state, outcomes in after.items() if not outcomes] or [0.0]
    return (-max(map(abs, ends)), max(map(abs, ends))) if passes else (min(*ends, 0.0), max(*ends, 0.0))


def _kind(spiel: Any, rules: Rules, facts: Facts, name: str) -> Any:
    types = spiel.GameType
    return types(
        short_name=name,
        long_name=rules.name,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if facts.chances > 1 else types.ChanceMode.DETERMINISTIC,
        information=types.Information.IMPERFECT_INFORMATION if rules.is_hidden else types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if facts.players == 2 else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.REWARDS if facts.pays_on_the_way else types.RewardModel.TERMINAL,
        max_num_players=facts.players,
        min_num_players=facts.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
    )


# --- the game -------------------------------------------------------------------------------------------------------------


def _game_class(spiel: Any, rules: Rules, facts: Facts, kind: Any) -> Any:
    """The class of the game in OpenSpiel, whose states are ours, and sometimes an action whose outcome is not yet drawn."""
    number = {action: k for k, action in enumerate(facts.actions)}
    bound = max(abs(facts.low), abs(facts.high))
    low, high = (-bound, bound) if facts.players == 2 else (facts.low, facts.high)
    sums = {"utility_sum": 0.0} if facts.players == 2 else {}
    info = spiel.GameInfo(
        num_distinct_actions=max(len(number), 1), max_chance_outcomes=facts.chances if facts.chances > 1 else 0, num_players=facts.players,
        min_utility=low, max_utility=high, max_game_length=facts.length, **sums,
    )  # fmt: skip

    class Position(spiel.State):
        """A state."""

        def __init__(self, game: Any):
            super().__init__(game)
            self.ours, self.side, self.paid, self.last = rules.start, 0, Fraction(0), Fraction(0)
            self.drawn: list[Outcome] | None = None  # the outcomes to draw from
            self.chosen = ""  # the action that they follow
            self._settle()

        def _settle(self) -> None:
            """Make this a chance node if it is one; add the final payoff."""
            legal = rules.actions(self.ours)
            if not legal:
                self._pay(rules.payoff(self.ours)[0])
            elif len(legal) == 1 and len(outcomes := happening(legal[0], self.ours)) > 1:
                self.drawn = outcomes

        def _pay(self, payoff: Any) -> None:
            paid = -meant(payoff) if self.side else meant(payoff)  # floats added up would not be the decimals that are meant
            self.paid, self.last = self.paid + paid, self.last + paid

        def _follow(self, outcome: Outcome) -> None:
            self._pay(outcome.payoff[0])
            self.drawn, self.chosen, self.ours, self.side = None, "", outcome.state, self.side ^ (outcome.sign < 0)
            self._settle()

        def current_player(self) -> int:
            if self.drawn is not None:
                return int(spiel.PlayerId.CHANCE)
            if not rules.actions(self.ours):
                return int(spiel.PlayerId.TERMINAL)
            return (rules.player(self.ours) ^ self.side) if facts.players == 2 else 0

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(number[a] if a is not None else 0 for a in rules.actions(self.ours))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            outcomes = self.drawn or []
            total = sum(o.ways for o in outcomes)
            return [(k, float(Fraction(o.ways) / Fraction(total))) for k, o in enumerate(outcomes)]

        def _apply_action(self, action: int) -> None:
            self.last = Fraction(0)
            if self.drawn is not None:
                self._follow(self.drawn[action])
                return
            chosen = facts.actions[action] if facts.actions else None
            outcomes = happening(chosen, self.ours)
            if len(outcomes) == 1:
                self._follow(outcomes[0])
            else:
                self.drawn, self.chosen = outcomes, f"{chosen}: "

        def _action_to_string(self, player: int, action: int) -> str:
            if player < 0:
                return f"{action}: {rules.in_line(self.drawn[action].state)}" if self.drawn and action < len(self.drawn) else str(action)
            return rules.action_name(facts.actions[action]) if facts.actions else "chance"

        def is_terminal(self) -> bool:
            return self.drawn is None and not rules.actions(self.ours)

        def returns(self) -> list[float]:
            """The payoffs so far; zero before the end if only the end pays."""
            return [float(self.paid), float(-self.paid)][: facts.players]

        def rewards(self) -> list[float]:
            return [float(self.last), float(-self.last)][: facts.players]

        def __str__(self) -> str:
            drawn = f", {self.chosen}{len(self.drawn)} outcomes to be drawn from" if self.drawn else ""
            return f"{', '.join(f'{n}={v}' for n, v in zip(self.ours._fields, self.ours, strict=True))}, side {self.side}{drawn}"

    def happening(action: Action, state: State) -> list[Outcome]:
        return [o for o in rules.outcomes(state, action) if o.ways]

    class Observer:
        """What a player sees, as text."""

        def __init__(self) -> None:
            self.tensor: Any = None
            self.dict: dict[str, Any] = {}

        def set_from(self, state: Any, player: int) -> None:
            """Does nothing: only text is supported."""

        def string_from(self, state: Any, player: int) -> str:
            if not rules.is_hidden:
                return str(state)
            legal = rules.actions(state.ours)
            is_forced = len(legal) == 1 and player == state.current_player()  # where rules need not tell states apart
            forced = f", without a choice: {legal[0]}" if is_forced else ""
            return f"player {player} sees {' '.join(map(str, rules.seen(state.ours, player)))}{forced}"

    class Game(spiel.Game):
        """The game."""

        def __init__(self, params: Any = None):
            super().__init__(kind, info, params or {})

        def new_initial_state(self) -> Position:
            return Position(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer()

    return Game

"""The language of rules: how a game written in plain Python is read. Standard library only.

A game is a NamedTuple of parameters with the methods `start`, `actions` and `outcomes` (see docs/writing-games.md).
`Rules` is the only place that fills in the defaults of omitted members, and runs the rules interpreted.
"""

from __future__ import annotations

import contextlib
import inspect
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from zermelo.basics.values import in_python
from zermelo.basics.words import choice_text
from zermelo.errors import ParameterError, RulesError
from zermelo.language.parameters import made, validate_parameters
from zermelo.language.pictures import as_text, picture_of, places_of
from zermelo.language.replies import NO_RESPONSES, is_given_by_replies, lacks_responses
from zermelo.language.source import redefined
from zermelo.language.units import asks_fault

State = Any  # a NamedTuple of integers or tuples of integers, declared by the game
Action = Any  # an integer or a tuple of integers, chosen by the game; None in a game of pure chance

DEFAULT_PAYOFF = "payoff"

LARGE = 50_000  # entries of a ranked space that takes longer to make than the hash of the rules
LARGEST_KEPT = 1_000_000
_large_spaces: WeakKeyDictionary[type, tuple[Any, Any]] = WeakKeyDictionary()  # the last one of each class of games


def lengths(state: State) -> tuple[int, ...]:
    """The shape of a state, by fields: 0 for a number, n for a tuple of n numbers."""
    return tuple(len(v) if isinstance(v, tuple) else 0 for v in state)


class Joint(NamedTuple):
    """A joint action: both players' simultaneous choices, in a game that declares `other_actions`."""

    action: Action  # of player 0
    other: Action  # of player 1


class Outcome(NamedTuple):
    """One of the possible outcomes of an action."""

    ways: Any  # non-negative weight: probability = ways / (sum of ways of the action)
    payoff: tuple[Any, ...]  # a number for each named payoff, paid to player 0 (to the player to move if the game uses PASS)
    state: State
    sign: int  # +1 (KEEP); -1 (PASS): the value of `state` counts negated


class Rules:
    """A game's rules, run by Python, with a default for every member that the game leaves out. `folded` : whether states that `symmetries`
    says are the same are one state."""

    def __init__(self, game: Any, folded: bool = True):
        self.game = game
        self.folded = folded and hasattr(game, "symmetries")
        self.name = type(game).__name__
        self._pictured: tuple[State, list[dict[str, Any]] | None] = None, None  # the state that was drawn last

    @cached_property
    def hash(self) -> str:
        """The hash of the rules without the parameters (language/rules_text.py). Raises `RulesError` where their source can't be read."""
        from zermelo.language.rules_text import rules_hash  # here, so that light commands start without hashlib

        return rules_hash(self.game)

    @cached_property
    def start(self) -> State:
        return self.game.start()

    @cached_property
    def is_chance(self) -> bool:
        """Whether it is a game of chance: it has no `actions`."""
        return not hasattr(self.game, "actions")

    @cached_property
    def is_simultaneous(self) -> bool:
        """Whether moves are simultaneous, player 1 choosing among `other_actions`. The actions are then of type `Joint`."""
        return hasattr(self.game, "other_actions")

    @cached_property
    def payoffs(self) -> tuple[str, ...]:
        """Names of the payoffs that are computed together; players maximise or minimise the first."""
        names = getattr(self.game, "payoffs", (DEFAULT_PAYOFF,))
        return tuple(names() if callable(names) else names)

    @cached_property
    def has_several_payoffs(self) -> bool:
        return hasattr(self.game, "payoffs")

    def actions(self, state: State) -> list[Action]:
        """Legal actions; [None] where only chance moves; [] in final states; only the first if play is settled."""
        every = self.all_actions(state)
        return every[:1] if every and self.is_settled(state) else every

    def all_actions(self, state: State) -> list[Action]:
        """Legal actions, including those that `settled` claims not to be better than the first."""
        if self.bounds(state) is not None:
            return []
        if self.is_chance:
            return [None] if self.outcomes(state, None) else []
        if self.is_simultaneous:
            own, others = self.choices(state)
            return [Joint(action, other) for action in own for other in others]
        return list(self.game.actions(state))

    def first_action(self, state: State) -> list[Action]:
        """The first of all actions, alone in a list; [] in final states."""
        if self.is_cut_off or self.is_chance or self.is_simultaneous:
            return self.all_actions(state)[:1]
        return list(islice(self.game.actions(state), 1))

    def choices(self, state: State) -> tuple[list[Action], list[Action]]:
        """The actions of player 0 and of player 1 in a game with simultaneous moves; none in final states."""
        own = list(self.game.actions(state))
        return own, list(self.game.other_actions(state)) if own else []

    def one_is_idle(self, state: State) -> bool:
        """Whether both choose at once, and only one of them has an action: then the rules are wrong."""
        if not self.is_simultaneous:
            return False
        own, others = (next(iter(said), None) for said in (self.game.actions(state), self.game.other_actions(state)))
        return (own is None) != (others is None)

    def own_actions(self, state: State) -> list[Action]:
        """The actions of the player to move; of player 0 with simultaneous moves."""
        return self.choices(state)[0] if self.is_simultaneous else self.actions(state)

    def is_settled(self, state: State) -> bool:
        """Whether the game claims that its first action is best here and in all states that could follow (engines/explored/settled.py)."""
        return hasattr(self.game, "settled") and not self.is_chance and bool(self.game.settled(state))

    @cached_property
    def is_cut_off(self) -> bool:
        """Whether the game declares `bounds`: it cuts play off in some states, and bounds their values instead."""
        return hasattr(self.game, "bounds")

    def bounds(self, state: State) -> tuple[Any, Any] | None:
        """The bounds of the value of a state where play is cut off; None elsewhere."""
        return next(iter(self.game.bounds(state)), None) if self.is_cut_off else None

    def outcomes(self, state: State, action: Action) -> list[Outcome]:
        chosen = () if self.is_chance else action if self.is_simultaneous else (action,)
        raw = self.game.outcomes(state, *chosen)
        return [Outcome(o[0], self._payoff_tuple(o[1]), o[2], o[3] if len(o) > 3 else 1) for o in raw]

    def chances(self, state: State, action: Action) -> list[tuple[Fraction, Outcome]]:
        """The possible outcomes of an action, with their probabilities. Those that differ in nothing but their ways are one."""
        found: dict[tuple[Any, ...], Fraction] = {}
        for ways, *facts in self.outcomes(state, action):
            if ways:
                found[tuple(facts)] = found.get(tuple(facts), Fraction(0)) + Fraction(ways)
        total = sum(found.values())
        return [(ways / total, Outcome(ways, *facts)) for facts, ways in found.items()]

    def _payoff_tuple(self, payoff: Any) -> tuple[Any, ...]:
        return tuple(payoff) if self.has_several_payoffs else (payoff,)

    def player(self, state: State) -> int:
        """The player to move: 0 (the maximiser) or 1 (the minimiser); 0 if the game does not declare it."""
        return self.game.player(state) if hasattr(self.game, "player") else 0

    def payoff(self, state: State) -> tuple[Any, ...]:
        """The payoffs of a final state, one for each name; zeros if the game declares none; the lower bound where play is cut off."""
        cut = self.bounds(state)
        if cut is not None:
            return (cut[0],)
        if hasattr(self.game, "payoff"):
            return self._payoff_tuple(self.game.payoff(state))
        return (0,) * len(self.payoffs)

    @cached_property
    def is_hidden(self) -> bool:
        """Whether the game declares `sees`: its players do not see everything."""
        return hasattr(self.game, "sees")

    def seen(self, state: State, player: int) -> tuple[int, ...]:
        """The numbers that a player knows in a state, in a game with `sees`."""
        said = tuple(self.game.sees(state, player))
        seen = tuple(map(int, said))
        if seen != said:
            raise ValueError(f"`sees` yields {said}: these must be whole numbers")
        return seen

    def same_as(self, state: State) -> Iterator[State]:
        """The other states of this state's orbit, as `symmetries` yields them; none where they are kept apart."""
        if self.folded:
            yield from self.game.symmetries(state)

    def least(self, state: State) -> State:
        """The representative of this state's orbit: the smallest state."""
        return min((state, *self.same_as(state)))

    def what_happens(self, state: State, action: Action) -> Counter[tuple[Any, ...]]:
        """What an action can lead to, written the same way in symmetric states: the payoffs, the representative of the next state, and the
        sign, with their ways, added exactly."""
        found: Counter[tuple[Any, ...]] = Counter()
        for o in self.outcomes(state, action):
            if o.ways:
                found[o.payoff, self.least(o.state), o.sign] += Fraction(o.ways)  # type: ignore[assignment]
        return found

    @property
    def must_end(self) -> bool:
        """Whether a play that never ends is worth infinitely much to player 0."""
        return bool(getattr(type(self.game), "must_end", False))

    @cached_property
    def is_staged(self) -> bool:
        """Whether the game declares the states of each of its stages: `stage(s)` and `space(stage)` (engines/stages)."""
        return hasattr(self.game, "stage") and _takes_a_stage(getattr(self.game, "space", None))

    @cached_property
    def ranked(self) -> Any:
        """The ranked space of the states: the result of `space(self)`, or None if that is a box."""
        if self.is_staged or not hasattr(self.game, "space"):
            return None
        if self.knows_ranked:
            return _large_spaces[type(self.game)][1]
        space = self.game.space()
        return self.keep(space) if hasattr(space, "automaton") else None

    @property
    def knows_ranked(self) -> bool:
        """Whether `space(self)` need not be called: its result, a ranked space, is known."""
        kept = _large_spaces.get(type(self.game))
        return vars(self).get("ranked") is not None or kept is not None and kept[0] == self._space_key

    def keep(self, space: Any) -> Any:
        """Remember the ranked space, and a large one also for other games of this class with the same parameters."""
        if LARGE <= len(space.automaton.following) <= LARGEST_KEPT and self._space_key is not None:
            _large_spaces[type(self.game)] = self._space_key, space
        vars(self)["ranked"] = space
        return space

    @cached_property
    def _space_key(self) -> Any:
        """What the space depends on; None if that can't be said."""
        try:
            key = self.hash, tuple(self.game), repr(tuple(self.game))  # equal parameters may be of different types
            hash(key)
        except (RulesError, TypeError):  # rules without source; a parameter such as a list
            return None
        return key

    @cached_property
    def is_entered(self) -> bool:
        """Whether the game declares its entry states: `stage(s)` and `entries()` (engines/entries)."""
        return hasattr(self.game, "stage") and hasattr(self.game, "entries") and not self.is_staged

    @cached_property
    def urn_states(self) -> int:
        """The number of states of an urn, including the start; 0 if `urn` fails there (the checker then reports why)."""
        try:
            plus, minus = self.game.urn(self.start)
            return int((plus + 1) * (minus + 1))
        except Exception:
            return 0

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The names of the payoffs that belong to the seats, in the order of the seats."""
        return tuple(self.game.seats()) if self.is_staged and hasattr(self.game, "seats") else ()

    def turned(self, state: State) -> tuple[State, int]:
        """The state with the table rotated so that the seat to move comes first, and the number of seats by which it is rotated."""
        if not (self.is_staged and hasattr(self.game, "turned")):
            return state, 0
        turned, by = self.game.turned(state)
        return turned, by if self.seats else 0

    def payoff_after(self, payoff: int, turns: int) -> int:
        """The index of the payoff that number `payoff` of a state becomes when the table is rotated by `turns` seats."""
        name = self.payoffs[payoff]
        if name not in self.seats:
            return payoff
        return self.payoffs.index(self.seats[(self.seats.index(name) - turns) % len(self.seats)])

    @cached_property
    def is_pictured(self) -> bool:
        """Whether the game declares `picture`: its positions can be drawn."""
        return hasattr(self.game, "picture")

    def picture(self, state: State) -> list[dict[str, Any]] | None:
        """A state as plain data to be drawn (language/pictures.py); None if the game draws nothing. Raises `Misdrawn`."""
        drawn = self._pictured  # texts are also made from it; other threads may meanwhile draw another state
        if drawn[0] is not state:
            drawn = self._pictured = state, picture_of(self.game, state)
        return drawn[1]

    def picture_for(self, player: int, state: State) -> list[dict[str, Any]] | None:
        """The same as a player sees it; None if the game does not draw that. Raises `Misdrawn`."""
        return picture_of(self.game, state, player)

    def places(self, state: State, action: Action) -> list[str]:
        """The places of the picture to click for an action. Raises `Misdrawn`."""
        return places_of(self.game, state, action) if self.is_pictured else []

    @cached_property
    def covers(self) -> bool:
        """Whether `show` can leave something covered: it takes `reveal`, or a picture with a board takes its place."""
        if hasattr(self.game, "show"):
            return "reveal" in inspect.signature(self.game.show).parameters
        with contextlib.suppress(Exception):
            return any(element["kind"] == "grid" for element in self.picture(self.start) or [])
        return False

    def revealed(self, state: State) -> str | None:
        """A state as text, including what `show` leaves covered; None if nothing is covered."""
        with contextlib.suppress(Exception):  # as below
            if self.covers:
                has_text = hasattr(self.game, "show")
                text = str(self.game.show(state, reveal=True)) if has_text else as_text(self.picture(state) or [], covered=True)
                return None if text == self.show(state) else text
        return None

    @property
    def is_told(self) -> bool:
        """Whether the game describes states in its own words."""
        return hasattr(self.game, "show")

    def show(self, state: State) -> str:
        """A state as readable text: the game's own `show`, or its picture in characters, or the state as written in Python."""
        with contextlib.suppress(Exception):  # the checker reports it; errors about something else must still be reported
            if hasattr(self.game, "show"):
                return str(self.game.show(state))
            if self.is_pictured and (text := as_text(self.picture(state) or [])):
                return text
        return f"{type(state).__name__}({', '.join(f'{n}={v}' for n, v in zip(state._fields, state, strict=True))})"

    def in_line(self, state: State) -> str:
        """The same in one line, for errors."""
        return " / ".join(line.strip() for line in self.show(state).splitlines())

    def asks(self, state: State) -> tuple[str, ...]:
        """The names of the numbers that a person types in here when playing; () if the person chooses from a list of actions. Raises
        `RulesError` for anything else: the checker asks at the first states only."""
        found = self.game.asks(state) if hasattr(self.game, "asks") else ()
        if fault := asks_fault(found):
            raise RulesError(self.name, [fault])
        return tuple(found)

    def why_not(self, state: State, action: Action) -> str:
        """Why a person may not take an action that `actions` omits; '' if only because another is at least as good."""
        return (
            str(self.game.why_not(state, action)) if hasattr(self.game, "why_not") else "it is not a legal action here"
        )

    def action_in_words(self, action: Any) -> str:
        """The same for anything, even if it is not an action, for errors."""
        try:
            return self.action_name(action)
        except Exception:
            return repr(action)

    def action_name(self, action: Action) -> str:
        """An action as readable text: the game's own `action_name`, or the action as written in Python."""
        if isinstance(action, Joint):
            return f"{self.action_name(action.action)} against {self.action_name(action.other)}"
        if hasattr(self.game, "action_name"):
            return " / ".join(line.strip() for line in str(self.game.action_name(action)).splitlines())
        return "chance" if action is None else choice_text(action)

    def action_names(self, actions: Iterable[Action]) -> dict[Action, str]:
        """Actions of one player as texts that differ: those that `action_name` calls alike, or nothing, have the action itself, too."""
        names = {action: self.action_name(action) for action in actions}
        while True:
            count = Counter(names.values())
            alike = [action for action, name in names.items() if not name or count[name] > 1]
            if not alike:
                return names
            names |= {action: f"{names[action]} ({choice_text(action)})".strip() for action in alike}

    def name_among(self, action: Action, actions: Iterable[Action]) -> str:
        """An action as text that no other of these has; one that is not among them by its own name."""
        return self.action_names(actions).get(action) or self.action_name(action)


def _takes_a_stage(space: Any) -> bool:
    """Whether `space` is a method that is called with a stage."""
    return callable(space) and len(inspect.signature(space).parameters) == 1


def read(game: Any) -> Rules:
    """The `Rules` of a game with states. Raises `RulesError` if it does not look like a game, `ParameterError` for parameters out of
    range."""
    if isinstance(game, type):
        raise RulesError(game.__name__, [f"this is the class; pass a game, as in {made(game)}"])
    name = type(game).__name__
    if isinstance(game, str):
        raise ParameterError(f"{game!r} is a name, and a game itself is needed here, such as zermelo.games.Pig(20)")
    if isinstance(game, tuple) and (own := redefined(type(game))):
        fault = f"{name} has a `{own}` of its own, but a game is known by its parameters: make it a method of another name"
        raise RulesError(name, [fault])
    if hasattr(game, "game") and hasattr(game, "certificate"):
        raise ParameterError(f"this is a solution ({name}), and a game is needed here: give solution.game")
    if not (isinstance(game, tuple) and hasattr(game, "_fields")):
        raise RulesError(name, ["a game is a NamedTuple of its parameters: write `class MyGame(NamedTuple):`"])
    missing = [m for m in ("start", "outcomes") if not callable(getattr(game, m, None))]
    if missing and is_given_by_replies(game):
        raise ParameterError(
            f"{name} is a matrix game, without states: `zermelo.solve`, `zermelo.plan` and `zermelo.check` take it"
        )
    if lacks_responses(game):
        raise RulesError(name, [NO_RESPONSES])
    if missing:
        raise RulesError(name, [f"the method `{m}` is missing" for m in missing])
    game = in_python(game)
    validate_parameters(game)
    return Rules(game)

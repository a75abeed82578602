"""Games of OpenSpiel as games in our language: OpenSpiel follows them to the end, once, and they become a table of nodes.

If everybody sees everything, a node is OpenSpiel's text of a state, so that lines of play that meet are merged; otherwise it is a
history, and players see the number of their information state.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.notices import notify
from zermelo.errors import OutOfReach, ParameterError
from zermelo.foreign.tables import Move, Outcome, Table, class_name, class_of, joined, payoff_of, weights

PIP = "pip install 'zermelo[openspiel]'"
MOST = 1_000_000  # nodes
CHANCE = -1  # the action of nodes in which chance moves, or a player whose policy is given
LONG = 3  # most alternative words in the name of an action; beyond, its number is used


def from_openspiel(
    game: Any, *, policies: Mapping[int, Any] | None = None, merge: bool = True, max_states: int = MOST, **parameters: Any
) -> Any:
    """A game of OpenSpiel, as a game that every verb accepts. OpenSpiel's own rules are run once for every state, which is slow.

    game        a `pyspiel.Game`, or its name: from_openspiel("tic_tac_toe"), from_openspiel("leduc_poker", players=2)
    policies    players whose policy is given: {seat: policy of OpenSpiel}; their actions are left to chance, so that the value is that of
                a best response to them
    merge       whether states with the same OpenSpiel text are merged, in games in which everybody sees everything. Wherever
                two lines of play meet, both are compared one move further. Where play could then take longer than OpenSpiel's
                ever does (its texts do not show how many moves are left), only states after as many moves are merged; if these
                would be more than `max_states`, the limit of moves is left out, and a notice says so
    max_states  more nodes than that are refused

    One or two players with a constant sum; values are those of player 0. Imperfect information is taken from
    `information_state_string`; simultaneous moves become moves in turn, the first unseen by the second. A probability such as
    0.3333333333333333 is read as 1/3. The game has `find(state)`, the state of ours for a `pyspiel.State`, `is_for_one`, and, with
    imperfect information, `seen(text)`, what a player with this information state sees, and `strategy(policy, seat)`, a policy of
    OpenSpiel in the form that the verbs of the solution accept.

    Raises `OutOfReach` for other games, for those that are too large, or if OpenSpiel is missing, and `ParameterError`.
    """
    spiel = package("from_openspiel")
    loaded = _loaded(spiel, game, parameters)
    kind = loaded.get_type()
    name = str(kind.short_name)
    _check(spiel, loaded, kind, name)
    if kind.dynamics == spiel.GameType.Dynamics.SIMULTANEOUS:
        loaded = spiel.convert_to_turn_based(loaded)
        kind = loaded.get_type()
    is_hidden = kind.information != spiel.GameType.Information.PERFECT_INFORMATION
    if is_hidden and not kind.provides_information_state_string:
        raise OutOfReach(f"{name} has no information_state_string, which says what a player knows: write the rules (docs/writing-games.md)")
    for seat in policies or {}:
        if seat not in range(loaded.num_players()):
            raise ParameterError(f"policies: {name} has the seats 0 to {loaded.num_players() - 1}, not {seat!r}")
    walk = Walk(loaded, name, policies or {}, is_hidden, merge, max_states)
    try:
        if not walk.whole():
            walk = Walk(loaded, name, policies or {}, is_hidden, merge, max_states, counts=True)
            walk.whole()
    except spiel.SpielError as error:
        raise OutOfReach(f"{name}: OpenSpiel says {str(error).splitlines()[0]}") from None
    made: Any = class_of(walk.table(), name)
    found = made()
    state_class = type(found.start())
    made.find = staticmethod(lambda state: state_class(walk.node(state)))
    made.is_for_one = loaded.num_players() == 1
    if is_hidden:
        made.seen, made.strategy = staticmethod(walk.seen), staticmethod(walk.strategy)
    return found


def package(what: str) -> Any:
    """The module pyspiel. Raises `OutOfReach` if it is missing."""
    try:
        import pyspiel
    except ImportError:
        raise OutOfReach(f"{what} needs the package open_spiel: {PIP}") from None
    return pyspiel


def _loaded(spiel: Any, game: Any, parameters: Mapping[str, Any]) -> Any:
    if isinstance(game, spiel.Game):
        if parameters:
            raise ParameterError(f"from_openspiel knows no option {', '.join(parameters)}: parameters go with the name of a game")
        return game
    if not isinstance(game, str):
        raise ParameterError(f"from_openspiel takes a pyspiel.Game or its name, not {type(game).__name__}")
    if game.partition("(")[0] not in spiel.registered_names():
        raise ParameterError(f"OpenSpiel has no game {game}; pyspiel.registered_names() lists all")
    try:
        return spiel.load_game(game, dict(parameters)) if parameters else spiel.load_game(game)
    except (spiel.SpielError, TypeError) as error:
        raise ParameterError(f"OpenSpiel can't load {game}: {str(error).splitlines()[0]}") from None


def _check(spiel: Any, game: Any, kind: Any, name: str) -> None:
    """Raise `OutOfReach` for games that the language can't express."""
    players, types = game.num_players(), spiel.GameType
    if players > 2:
        raise OutOfReach(f"{name} is for {players} players, and games are solved for one or two")
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        raise OutOfReach(f"{name} samples what chance does, and its probabilities are not told: there is nothing to compute with")
    if kind.dynamics not in (types.Dynamics.SEQUENTIAL, types.Dynamics.SIMULTANEOUS):
        raise OutOfReach(f"{name} is a mean-field game, which is not solved here")
    if players == 2 and kind.utility not in (types.Utility.ZERO_SUM, types.Utility.CONSTANT_SUM):
        raise OutOfReach(f"{name}: what one player wins the other does not lose (general-sum); only games of a constant sum are solved")


class _Found(NamedTuple):
    """The facts about a node: the player to move (-1: nobody), the legal actions, and the labels and payoffs that follow, with weights."""

    player: int
    actions: tuple[int, ...]
    weights: tuple[Fraction, ...]  # of chance; () where a player moves
    labels: tuple[Any, ...]
    paid: tuple[Fraction, ...]


class Walk:
    """All nodes of a game of OpenSpiel. `label` distinguishes nodes; with `counts` also by the number of moves made."""

    def __init__(
        self, game: Any, name: str, policies: Mapping[int, Any], is_hidden: bool, merge: bool, most: int, counts: bool = False
    ):
        self.game, self.name, self.policies, self.is_hidden, self.most = game, name, policies, is_hidden, most
        self.counts = counts
        self.is_merged = merge and not is_hidden
        self.by_moves = game.get_type().reward_model == type(game.get_type().reward_model).REWARDS
        self.found: list[_Found] = []
        self.number: dict[Any, int] = {}
        self.shown: list[str] = []
        self.final: list[Fraction] = []
        self.names: dict[int, dict[str, None]] = {}
        self.said: tuple[dict[str, int], dict[str, int]] = ({}, {})  # information states, by player
        self.first: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})  # a history of each
        self.sees: tuple[list[int], list[int]] = ([], [])

    def label(self, state: Any) -> Any:
        if not self.is_merged:
            return tuple(state.history())
        return state.current_player(), str(state), *(_moves(state) if self.counts else ())

    def node(self, state: Any) -> int:
        """The number of the node of a state. Raises `ParameterError`."""
        number = self.number.get(self.label(state))
        if number is None:
            raise ParameterError(f"{self.name}: play does not come to this state: {' '.join(str(state).split())}")
        return number

    def seen(self, text: str) -> tuple[int, ...]:
        """What a player with this information state sees, as a tuple. Raises `ParameterError`."""
        for said in self.said:
            if text in said:
                return (said[text],)
        raise ParameterError(f"{self.name}: nobody moves with the information state {text!r}")

    def strategy(self, policy: Any, seat: int = 0) -> dict[tuple[int, ...], dict[int, Fraction]]:
        """A policy of OpenSpiel in the information sets of a seat, in the form that `HiddenSolution.evaluate` accepts."""
        found: dict[tuple[int, ...], dict[int, Fraction]] = {}
        for number, history in self.first[seat].items():
            state = self.game.new_initial_state()
            for action in history:
                state.apply_action(action)
            exact = self._chances(state, behaviour(policy, state, seat))
            total = sum(exact, Fraction(0))
            found[number,] = {a: p / total for a, p in zip(state.legal_actions(), exact, strict=True)}
        return found

    def whole(self) -> bool:
        """Visit all states, beginning at the start; false if states were merged that differ in how many moves are left, and can be kept
        apart. Raises `OutOfReach`."""
        start = self.game.new_initial_state()
        waiting = self._entered(start)
        while waiting:
            child = waiting.pop()
            label = self.label(child)
            if label not in self.number:
                waiting += self._entered(child)
            elif self.is_merged:
                there = self.number[label]
                if (self._known(child)[0], self._total(child)) != (self.found[there], self.final[there]):
                    if not self.counts:
                        return False
                    raise OutOfReach(
                        f"{self.name}: OpenSpiel writes two states alike in which different things can happen; "
                        "merge=False keeps all lines of play apart"
                    )
        if not self.is_merged or self.counts or not self._is_too_long():
            return True
        longest = self.game.max_game_length()
        if len(self.found) * longest <= self.most:
            return False
        notify(
            f"{self.name}: OpenSpiel ends play after {longest:,} moves at the latest, which is left out: its texts of states do not show "
            "how many moves are left; a larger max_states=... counts them"
        )
        return True

    def _is_too_long(self) -> bool:
        """Whether there is a play with more decisions than any of OpenSpiel's, or one that comes back to a node: then states were merged
        that differ in how many moves are left."""
        before = [0] * len(self.found)  # labels that lead to each node
        for found in self.found:
            for label in found.labels:
                before[self.number[label]] += 1
        decisions, waiting, done = [0] * len(self.found), [k for k, n in enumerate(before) if not n], 0
        while waiting:
            at = waiting.pop()
            found, done = self.found[at], done + 1
            for label in found.labels:
                after = self.number[label]
                decisions[after] = max(decisions[after], decisions[at] + (found.player >= 0))
                before[after] -= 1
                if not before[after]:
                    waiting.append(after)
        return done < len(self.found) or max(decisions) > self.game.max_game_length()

    def _entered(self, state: Any) -> list[Any]:
        """Enter a state as a node; return the states that follow."""
        if len(self.found) >= self.most:
            which = " (kept apart by the number of moves, as OpenSpiel's texts do not show how many are left)" if self.counts else ""
            raise OutOfReach(f"{self.name} has more than {self.most:,} states{which}; smaller parameters, or max_states=..., which is slow")
        self.number[self.label(state)] = len(self.found)
        found, children = self._known(state)
        self.found.append(found)
        self.final.append(self._total(state))
        self.shown.append(str(state) if self.is_merged else self._history(state))
        mover = state.current_player()
        for p in (0, 1):
            is_own = self.is_hidden and p == mover
            said = self.said[p]
            self.sees[p].append(said.setdefault(state.information_state_string(p), len(said) + 1) if is_own else 0)
            if is_own:
                self.first[p].setdefault(self.sees[p][-1], state.history())
        if not found.weights:
            for action in found.actions:
                self.names.setdefault(action, {})[state.action_to_string(mover, action)] = None
        return children

    def _history(self, state: Any) -> str:
        return ", ".join(str(a) for a in state.history()) or "start"

    def _known(self, state: Any) -> tuple[_Found, list[Any]]:
        """The facts about a node, and the states that follow."""
        if state.is_terminal():
            return _Found(-1, (), (), (), ()), []
        mover, actions = state.current_player(), tuple(state.legal_actions())
        children = [state.child(action) for action in actions]
        before = payoff_of(state.returns()[0]) if self.by_moves else Fraction(0)
        paid = tuple(payoff_of(c.returns()[0]) - before if self.by_moves else Fraction(0) for c in children)
        chances: tuple[Fraction, ...] = ()
        if state.is_chance_node() or mover in self.policies:
            told = dict(state.chance_outcomes()) if state.is_chance_node() else behaviour(self.policies[mover], state, mover)
            chances = tuple(self._chances(state, told))
        return _Found(mover, actions, chances, tuple(self.label(c) for c in children), paid), children

    def _chances(self, state: Any, told: Mapping[int, Any]) -> list[Fraction]:
        """The probabilities of the legal actions. Raises `ParameterError`."""
        where, actions = " ".join(str(state).split()), state.legal_actions()
        if wrong := set(told) - set(actions):
            raise ParameterError(f"{self.name}: probabilities of {sorted(wrong)} at {where}, which is not legal there")
        found = weights([told.get(action, 0.0) for action in actions])
        if found is None:
            raise ParameterError(f"{self.name}: probabilities {dict(told)} at {where} do not sum to 1")
        return found

    def _total(self, state: Any) -> Fraction:
        """The payoff of the end; 0 if payoffs are paid on the way."""
        return payoff_of(state.returns()[0]) if state.is_terminal() and not self.by_moves else Fraction(0)

    def table(self) -> Table:
        """The nodes."""
        moves: list[list[Move]] = []
        for found in self.found:
            after = [self.number[label] for label in found.labels]
            if found.weights:
                moves.append([Move(CHANCE, joined(map(Outcome, found.weights, found.paid, after)))])
            else:
                moves.append([Move(a, [Outcome(1, paid, n)]) for a, paid, n in zip(found.actions, found.paid, after, strict=True)])
        names = {a: " or ".join(words) if len(words) <= LONG else str(a) for a, words in self.names.items()}
        if any(found.weights for found in self.found):
            names[CHANCE] = "chance"
        title = f"{self.game}, a game of OpenSpiel".replace("\n", " ")
        player = [1 if found.player == 1 and not found.weights else 0 for found in self.found]
        return Table(
            class_name(self.name), title, list(moves), player=player, final=list(self.final), names=names, shown=self.shown,
            sees=(self.sees[0], self.sees[1]) if self.is_hidden else None,
        )  # fmt: skip


def _moves(state: Any) -> tuple[int, int]:
    """The number of decisions made, and that of moves of chance."""
    history = state.full_history()
    drawn = sum(move.player < 0 for move in history)
    return len(history) - drawn, drawn


def behaviour(policy: Any, state: Any, seat: int) -> dict[int, float]:
    """The function of a policy of OpenSpiel: an object with `action_probabilities`, or a function of the state. Raises `ParameterError`."""
    if not hasattr(policy, "action_probabilities") and not callable(policy):
        what = "a policy of OpenSpiel has `action_probabilities` or is a function of the state"
        raise ParameterError(f"{what}, unlike {type(policy).__name__}")
    told = policy.action_probabilities(state, seat) if hasattr(policy, "action_probabilities") else policy(state)
    try:
        return dict(told)
    except (TypeError, ValueError):
        raise ParameterError(f"a policy of OpenSpiel gives a dict of actions and probabilities, not {told!r}") from None

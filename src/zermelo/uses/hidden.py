"""Queries about a game whose players do not see everything: what to do in an information set, the worth of a user's strategy, and
the best response to it. Exact where the value is proven and probabilities are given as whole numbers, fractions or short decimals.

A strategy gives an action, or a dict of actions and probabilities, for an information set, which is identified by the numbers that the
player sees there. It is a function of these numbers (a tuple), or a dict with them as keys. It is used only where its own choices can lead.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.answers.hidden import HiddenAnswers, InformationSets, Seen, plan_of
from zermelo.basics.fields import described
from zermelo.basics.html import card, facts, table
from zermelo.basics.interrupts import raised_text
from zermelo.basics.numbers import Number, digits, in_few, percent_text, shortened
from zermelo.basics.words import listed
from zermelo.errors import NoStates, ParameterError, UnreachableState, ZermeloError
from zermelo.language.rules import Action, State
from zermelo.states.space import check_state

if TYPE_CHECKING:
    import pandas

Strategy = Callable[[Seen], Any] | Mapping[Seen, Any]
Weights = list[Any]
MOST_MISTAKES = 10


@described(
    player="Who chooses there.",
    seen="The numbers that the player sees.",
    mixture="The probability of each action.",
    value="What player 0 is paid from there on; None if the other player's strategy and chance never lead there.",
    actions="The value of each action, the player going on as in the solution.",
    reach="The probability that play gets there, if both play as in the solution.",
    offered="The probability of getting there if the player always chose the actions that lead there.",
    state="One of the states that the player can't tell apart there.",
)
class HiddenProbe(NamedTuple):
    """The facts about an information set. Values are the payoffs to player 0 from there on if both continue as in the solution."""

    player: int
    seen: Seen
    mixture: dict[Action, Number]
    value: Number | None
    actions: dict[Action, Number | None]
    reach: Number
    offered: Number
    state: State

    def _repr_html_(self) -> str:
        """The information set as notebooks show it: the actions, and what they are worth to the first player."""
        rows = [("value", _told(self.value)), ("reached with probability", _told(self.reach))]
        actions = [(str(a), f"{percent_text(p)} %", _told(self.actions[a])) for a, p in self.mixture.items()]
        seen = " ".join(map(str, self.seen)) or "nothing"
        return card(f"Player {self.player} sees {seen}", facts(rows), table(("action", "played", "value to player 0"), actions))


def _told(number: Number | None) -> str:
    if number is None:
        return "not known"
    return shortened(number) if isinstance(number, Fraction) else in_few(number, 10)


@described(
    seen="The numbers that the player sees.",
    mixture="The probabilities of the strategy's actions there.",
    best="An action with which nothing is lost there.",
    cost="How much the strategy loses there on average, over all plays.",
)
class HiddenMistake(NamedTuple):
    """An information set where a strategy loses something against the other player's optimal one."""

    seen: Seen
    mixture: dict[Action, Number]
    best: Action
    cost: Number


@dataclass(frozen=True)
class HiddenEvaluation:
    """The worth of a strategy to player 0.

    `value` is its result against a best response (the worst case), or against the opponent if one was given.
    """

    value: Number
    """What player 0 is paid on average."""
    low: Number
    """The true worth is at least this."""
    high: Number
    """The true worth is at most this."""
    loss: Number
    """By how much that is worse for the strategy's player than the solution's value: what can be gained against it. The difference of two
    values, whose bounds are `low` and `high` here and in the solution."""
    seat: int
    """The player who plays the strategy."""
    against_optimal: Number
    """What the strategy is worth against the other player's strategy in the solution."""
    mistakes: tuple[HiddenMistake, ...] = field(repr=False)
    """Mistakes against that one, the costliest first, at most 10."""

    @property
    def is_exact(self) -> bool:
        """Whether `value` is proven to be exact."""
        return self.low == self.high

    def __repr__(self) -> str:
        return f"<HiddenEvaluation in seat {self.seat}: value {digits(self.value, self.low, self.high)}, loss {_digits(self.loss)}>"


@dataclass(frozen=True)
class HiddenResponse:
    """The best response to a strategy. Against a fixed strategy no mixture is needed."""

    value: Number
    """What player 0 is paid on average."""
    low: Number
    """The true value is at least this."""
    high: Number
    """The true value is at most this."""
    gain: Number
    """What the player who responds gets beyond the solution's value."""
    seat: int
    """The player who responds."""
    policy: Mapping[Seen, Action] = field(repr=False)
    """A dict from the numbers that the player sees to an action, for each of his information sets."""

    @property
    def is_exact(self) -> bool:
        """Whether `value` is proven to be exact."""
        return self.low == self.high

    def __repr__(self) -> str:
        return f"<HiddenResponse in seat {self.seat}: value {digits(self.value, self.low, self.high)}, gain {_digits(self.gain)}>"


def check_player(answers: HiddenAnswers, seat: Any) -> int:
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
        raise ParameterError(f"{answers.rules.name}: seat must be 0 or 1, not {seat!r}")
    return int(seat)


def policy(answers: HiddenAnswers, seat: int) -> dict[Seen, dict[Action, Number]]:
    """A player's strategy in the solution: the probabilities of actions, by what the player sees."""
    player = check_player(answers, seat)
    sets = answers.sets[player]
    free = {sets.seen(k): dict(zip(sets.actions(k), answers.mixture(player, k), strict=True)) for k in range(len(sets))}
    return {**free, **answers.locked(player)}


def shown(answers: HiddenAnswers, seat: int) -> dict[Seen, str]:
    """What a player sees, by its numbers, in the game's words where it has them: its `show(s, player=...)`, with the lines of a board in
    sequence; otherwise the numbers. Where two have the same words, the numbers follow."""
    player = check_player(answers, seat)
    if answers.lock is not None:
        return shown(answers.lock.whole, player)
    sets, show = answers.sets[player], getattr(answers.rules.game, "show", None)
    has_words = show is not None and "player" in inspect.signature(show).parameters
    found = {}
    for k, key in enumerate(sets.arrays.state):
        seen = sets.seen(k)
        text = str(show(answers.layout.unpack(key), player=player)) if has_words and show is not None else ""
        found[seen] = in_a_line(text).removeprefix("you have ") or " ".join(map(str, seen)) or "nothing"
    often = Counter(found.values())
    return {seen: text if often[text] == 1 else f"{text} ({' '.join(map(str, seen))})" for seen, text in found.items()}


def in_a_line(text: str) -> str:
    """Boards as text in a line: rows with strokes between them, boards with bars."""
    boards = [" / ".join(line.strip() for line in part.splitlines() if line.strip()) for part in text.split("\n\n")]
    return " | ".join(filter(None, boards))


# --- one information set ------------------------------------------------------------------------------------------------


def probe(answers: HiddenAnswers, where: Any, seat: int | None = None) -> HiddenProbe:
    """The facts about the information set of a state, or of the numbers that a player sees. Raises `ParameterError`,
    `UnreachableState`."""
    player, seen = _meant(answers, where, seat)
    sets = answers.sets[player]
    k = sets.find(seen)
    if k is None:
        locked = answers.locked(player).get(seen)
        if locked is not None:
            said = ", ".join(f"{action!r}: {p}" for action, p in locked.items())
            raise ParameterError(f"{answers.rules.name}: what player {player} does where he sees {seen} is locked: {said}")
        raise UnreachableState(f"{answers.rules.name}: player {player} has no choice where he sees {seen}, or never sees it")
    return SetsOf(answers, player).probe(k)


class SetsOf:
    """All information sets of a player: what they share is computed once, and each can then be queried."""

    def __init__(self, answers: HiddenAnswers, player: int):
        self.answers, self.player, self.sets = answers, player, answers.sets[player]
        self.plan, self.other_plan = answers.plan(player), answers.plan(1 - player)
        self.worth, self.unit = _values(answers, player), _unit(answers)

    def probe(self, k: int) -> HiddenProbe:
        """The facts about set k."""
        answers, sets = self.answers, self.sets
        actions, mixture = sets.actions(k), answers.mixture(self.player, k)
        own = self.plan[int(sets.side.parent[k])]
        offered = _offered(answers, self.player, k, self.other_plan)
        paid: list[Any] = [self.worth[s] * self.unit / offered if offered else None for s in sets.sequences(k)]
        value: Any = sum(v * p for v, p in zip(paid, mixture, strict=True)) if offered else None
        state = answers.layout.unpack(sets.arrays.state[k])
        mixed, values = dict(zip(actions, mixture, strict=True)), dict(zip(actions, paid, strict=True))
        return HiddenProbe(self.player, sets.seen(k), mixed, value, values, offered * own, offered, state)


def _meant(answers: HiddenAnswers, where: Any, seat: int | None) -> tuple[int, Seen]:
    """The player who chooses, and what that player sees."""
    rules = answers.rules
    if answers.layout.is_for(where):
        check_state(rules, answers.layout, where)
        try:
            actions = rules.choices(where) if rules.is_simultaneous else rules.actions(where)
            mover = int(rules.player(where))
            if not actions or actions == ([], []):
                raise UnreachableState(f"{where}: the play is over in {rules.name}")
            player = (0 if rules.is_simultaneous else mover) if seat is None else check_player(answers, seat)
            if player != mover and not rules.is_simultaneous:
                raise ParameterError(f"{rules.name}: player {mover} moves at {where}, and not player {player}")
            return player, rules.seen(where, player)
        except ZermeloError:
            raise
        except Exception:  # the rules may fail for anything that is not a state of the game
            raise UnreachableState(f"{where} can't be reached from {rules.start} in {rules.name}") from None
    if not isinstance(where, tuple | list) or not all(isinstance(n, int | np.integer) for n in where):
        raise ParameterError(f"{rules.name}: ask for a state, or for the numbers that a player sees, not for {where!r}")
    seen = tuple(map(int, where))
    if seat is not None:
        return check_player(answers, seat), seen
    knowing = [player for player in range(2) if answers.sets[player].find(seen) is not None]
    if len(knowing) == 2:
        raise ParameterError(f"{rules.name}: both players can see {seen}: say whose information set is meant, as in seat=1")
    return (knowing or [0])[0], seen


def _unit(answers: HiddenAnswers) -> Any:
    return answers.form.unit if answers.is_exact else 1.0


def _offered(answers: HiddenAnswers, player: int, k: int, plan: list[Any]) -> Number:
    """The probability that the other player's plan and chance lead to a set."""
    visits = answers.form.visits[player]
    first, last = np.searchsorted(visits.set, [k, k + 1]).tolist()
    led = [(v, plan[i]) for v, i in enumerate(visits.other[first:last].tolist(), first) if plan[i]]
    if answers.is_exact and visits.over is not None and visits.under is not None:
        return sum((Fraction(int(visits.over[v]), int(visits.under[v])) * share for v, share in led), Fraction(0))
    return float(sum(visits.near[v] * float(share) for v, share in led))


def _values(answers: HiddenAnswers, player: int) -> list[Any]:
    """The payoff to player 0 from each sequence of a player on, by the strategies of the solution; in the unit of the payoffs."""
    paid = _paid(answers, player, answers.plan(1 - player))
    side = answers.sets[player].side
    for k in range(side.sets - 1, -1, -1):
        mixture = answers.mixture(player, k)
        span = range(int(side.first[k]), int(side.first[k + 1]))
        paid[int(side.parent[k])] += sum(p * paid[s] for p, s in zip(mixture, span, strict=True) if p)
    return paid


def _paid(answers: HiddenAnswers, player: int, other_plan: list[Any]) -> list[Any]:
    """The payoff of each sequence of a player against a plan of the other, without what follows."""
    form = answers.form
    if not answers.is_exact:
        from zermelo.methods.regrets import worth_of

        return ((1 - 2 * player) * worth_of(form, player, np.array(other_plan, float))).tolist()
    own, other = form.indices(player)
    common = lcm(*(Fraction(x).denominator for x in other_plan))
    numbers, whole = [int(x * common) for x in other_plan], [0] * form.shape[player]
    for i, j, amount in zip(own.tolist(), other.tolist(), form.whole.tolist(), strict=True):
        whole[i] += numbers[j] * amount
    return [Fraction(n, common) for n in whole]


# --- strategies of the user ----------------------------------------------------------------------------------------------


def evaluate(answers: HiddenAnswers, strategy: Strategy, opponent: Strategy | None, seat: int) -> HiddenEvaluation:
    """The result of a strategy against a best response, or against `opponent` unless that is None."""
    player = check_player(answers, seat)
    weights = read_strategy(answers, strategy, player)
    plan = plan_of(answers.sets[player].side, weights)
    if opponent is None:
        low, high, _ = _best(answers, 1 - player, plan, weights)
    else:
        theirs = read_strategy(answers, opponent, 1 - player)
        low = high = _average(answers, player, plan, plan_of(answers.sets[1 - player].side, theirs))
        if not answers.is_exact:
            low, high = _spread(answers, float(low))
    value = low if low == high else (low + high) / 2
    loss = answers.value - value if player == 0 else value - answers.value
    if opponent is None:
        loss = max(loss, loss * 0)
    optimal = _average(answers, player, plan, answers.plan(1 - player))
    return HiddenEvaluation(value, low, high, loss, player, optimal, _mistakes(answers, player, weights, plan))


def best_response(answers: HiddenAnswers, opponent: Strategy, seat: int) -> HiddenResponse:
    """The best that the player in `seat` can do against a strategy of the other."""
    player = check_player(answers, seat)
    weights = read_strategy(answers, opponent, 1 - player)
    low, high, chosen = _best(answers, player, plan_of(answers.sets[1 - player].side, weights), weights)
    value = low if low == high else (low + high) / 2
    gain = value - answers.value if player == 0 else answers.value - value
    sets = answers.sets[player]
    named = {sets.seen(k): sets.actions(k)[int(s) - int(sets.side.first[k])] for k, s in enumerate(chosen.tolist())}
    return HiddenResponse(value, low, high, max(gain, gain * 0), player, named)


def _best(answers: HiddenAnswers, player: int, other_plan: list[Any], weights: Weights) -> tuple[Number, Number, np.ndarray]:
    """The value of the best response of `player`, between two bounds, and its sequence in every set."""
    from zermelo.certificates.best_replies import best_actions, reply_between

    paid = _paid(answers, player, other_plan)
    chosen = best_actions(answers.sets[player].side, paid, max if player == 0 else min)
    if answers.is_exact:
        value = paid[0] * answers.form.unit
        return value, value, chosen
    return *reply_between(answers.form, 1 - player, np.array(weights, float)), chosen


def _average(answers: HiddenAnswers, player: int, plan: list[Any], other_plan: list[Any]) -> Number:
    """Player 0's payoff if these two plans are played."""
    paid = _paid(answers, player, other_plan)
    total = sum((share * amount for share, amount in zip(plan, paid, strict=True) if share), paid[0] * 0)
    return total * _unit(answers)


def _spread(answers: HiddenAnswers, value: float) -> tuple[float, float]:
    """An interval around a sum of floats."""
    from zermelo.kernels.verify_replies import TINY

    form = answers.form
    error = (form.blur + (len(form.near) + 64) * 2.0**-50) * float(form.size.sum()) + TINY
    return value - error, value + error


def _mistakes(answers: HiddenAnswers, player: int, weights: Weights, plan: list[Any]) -> tuple[HiddenMistake, ...]:
    """The sets where the strategy loses against the other player's optimal one. The costs of all sets sum to its loss against that."""
    from zermelo.certificates.best_replies import best_actions

    sets = answers.sets[player]
    side = sets.side
    worth = _paid(answers, player, answers.plan(1 - player))
    chosen = best_actions(side, worth, max if player == 0 else min)
    found = []
    first = side.first.tolist()
    for k, (leading, best) in enumerate(zip(side.parent.tolist(), chosen.tolist(), strict=True)):
        if not plan[leading]:
            continue
        lost = sum(plan[s] * (worth[best] - worth[s]) for s in range(first[k], first[k + 1]))
        cost = (lost if player == 0 else -lost) * _unit(answers)
        if cost > (0 if answers.is_exact else 1e-12 * float(answers.form.size.max(initial=0.0))):
            actions = sets.actions(k)
            mixture = {a: plan[s] / plan[leading] for a, s in zip(actions, sets.sequences(k), strict=True) if plan[s]}
            found.append(HiddenMistake(sets.seen(k), mixture, actions[best - first[k]], cost))
    return tuple(sorted(found, key=lambda m: -m.cost)[:MOST_MISTAKES])


def check_strategy(answers: HiddenAnswers, strategy: Any) -> None:
    """Raise `ParameterError` for anything that is not a strategy."""
    if not callable(strategy) and not isinstance(strategy, Mapping):
        raise ParameterError(
            f"{answers.rules.name}: a strategy is a function of the numbers that a player sees, or a dict of these, not {strategy!r}"
        )


def read_strategy(answers: HiddenAnswers, strategy: Any, player: int) -> Weights:
    """A strategy as weights by sequence; sets that its own choices do not reach get no weights. Raises `ParameterError`."""
    check_strategy(answers, strategy)
    sets = answers.sets[player]
    side, weights = sets.side, [0] * sets.side.sequences
    weights[0] = 1
    reached = [True] + [False] * (side.sequences - 1)
    for k, leading in enumerate(side.parent.tolist()):
        if not reached[leading]:
            continue
        chances = chances_of(answers, strategy, player, sets, k)
        assert chances is not None
        common = lcm(*(p.denominator for p in chances))
        for s, p in zip(sets.sequences(k), chances, strict=True):
            weights[s] = int(p * common)
            reached[s] = p > 0
    return weights if answers.is_exact else [float(w) for w in _scaled(side, weights)]


def _scaled(side: Any, weights: Weights) -> Iterator[float]:
    """Weights as floats: the largest of a set is 1."""
    yield 1.0
    for k in range(side.sets):
        own = weights[int(side.first[k]) : int(side.first[k + 1])]
        most = max(own) or 1
        for w in own:
            yield w / most


def chances_of(
    answers: HiddenAnswers, strategy: Any, player: int, sets: InformationSets, k: int, may_be_silent: bool = False
) -> list[Fraction] | None:
    """The probabilities of the actions in a set, as the strategy gives them; None where the strategy is silent, if it may be."""
    from zermelo.matrix.mixture import probabilities  # loads the library of rational numbers

    seen, actions, name = sets.seen(k), sets.actions(k), answers.rules.name
    if isinstance(strategy, Mapping):
        if seen not in strategy:
            if may_be_silent:
                return None
            raise ParameterError(f"{name}: the strategy of player {player} has nothing for {seen}, which play can reach")
        said = strategy[seen]
    else:
        try:
            said = strategy(seen)
        except ZermeloError:
            raise
        except (Exception, SystemExit) as error:
            asked = f"the strategy of player {player}, given the numbers {seen}, failed"
            raise ParameterError(f"{name}: {asked}: {raised_text(error)}") from error
    if said is None and may_be_silent:
        return None
    where = f"{name}: the probabilities of player {player} for {seen}"
    try:
        mixture = probabilities(said if isinstance(said, Mapping) else {said: 1}, where)
    except TypeError:
        raise ParameterError(f"{name}: the strategy of player {player} gives {said!r} for {seen}, which is no action") from None
    for action in mixture:
        if action not in actions or isinstance(action, bool | float):
            raise ParameterError(f"{name}: the strategy of player {player} gives {action!r} for {seen}; the actions are {listed(actions)}")
    return [mixture.get(a, Fraction(0)) for a in actions]


# --- attributes that do not apply ---------------------------------------------------------------------------------------------

SETS = "probe(state) and policy(seat) tell what to do in an information set"
FRAME = "to_dataframe() lists the information sets"
INSTEAD = {
    **dict.fromkeys(("best_action", "action_numbers", "mixtures", "mixtures_at", "state"), SETS),
    "action_value": "probe(state).actions has the values of the actions",
    **dict.fromkeys(("space", "values", "errors", "payoff_values", "to_xarray", "require_states"), FRAME),
    **dict.fromkeys(("moves_after", "distances", "census", "farthest"), "distribution() has the lengths of plays"),
    "require_turns": SETS,
    "win_probability": "distribution(payoff) has how often each payoff occurs",
    "frontier": "only urns have a stopping line",
    "export_umb": "UMB, the format of model checkers, gives every state one observation, not one for each player; save() keeps the answer",
}


def no_attribute(name: str) -> AttributeError:
    """The error for an attribute that solutions of games with hidden information do not have."""
    if name not in INSTEAD:
        return AttributeError(f"'HiddenSolution' object has no attribute {name!r}")
    return NoStates(f"HiddenSolution has no `{name}`: the players do not see the states; {INSTEAD[name]}")


# --- all information sets -----------------------------------------------------------------------------------------------


def to_dataframe(answers: HiddenAnswers) -> pandas.DataFrame:
    """One row per action of an information set: the player, what the player sees, the action and its name, its probability and value, and
    the probability that play gets there."""
    import pandas

    rows = []
    for player in range(2):
        of_player = SetsOf(answers, player)
        for k in range(len(of_player.sets)):
            here = of_player.probe(k)
            for action, p in here.mixture.items():
                value = here.actions[action]
                worth = float("nan") if value is None else float(value)
                rows.append((player, here.seen, action, answers.rules.action_name(action), float(p), worth, float(here.reach)))
    frame = pandas.DataFrame({"player": [row[0] for row in rows]})
    for name, k in (("seen", 1), ("action", 2)):
        frame[name] = pandas.Series([row[k] for row in rows], dtype=object)
    for name, k in (("name", 3), ("probability", 4), ("value", 5), ("reach", 6)):
        frame[name] = [row[k] for row in rows]
    return frame


def _digits(number: Number) -> str:
    return shortened(number) if isinstance(number, Fraction) else f"{number:.15g}"

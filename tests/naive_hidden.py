"""The oracle for games with hidden information: recursion over whole plays, in dicts and Fractions. Tiny games only.

A strategy is a dict from what a player sees to a dict of probabilities of actions. Nothing here knows of sequences: best replies try every
pure strategy, or go down the tree of plays with the weights that the other player and chance give to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from zermelo.language.rules import Joint, Rules

Strategy = dict[tuple[int, ...], dict[Any, Fraction]]


def choosers(rules: Rules, state: Any) -> list[int]:
    """Who has a choice in a state."""
    if rules.is_simultaneous:
        return [q for q in range(2) if len(rules.choices(state)[q]) > 1]
    return [rules.player(state)] if len(rules.actions(state)) > 1 else []


def options(rules: Rules, state: Any, player: int) -> list[Any]:
    return rules.choices(state)[player] if rules.is_simultaneous else rules.actions(state)


def own_part(action: Any, player: int) -> Any:
    return action[player] if isinstance(action, Joint) else action


def sets(game: Any) -> tuple[dict[Any, list[Any]], dict[Any, list[Any]]]:
    """What each player can see where he has a choice, and his actions there."""
    rules = Rules(game)
    found: tuple[dict[Any, list[Any]], dict[Any, list[Any]]] = ({}, {})
    waiting, known = [rules.start], {rules.start}
    while waiting:
        state = waiting.pop()
        for player in choosers(rules, state):
            found[player][rules.seen(state, player)] = options(rules, state, player)
        for action in rules.actions(state):
            for outcome in rules.outcomes(state, action):
                if outcome.ways and outcome.state not in known:
                    known.add(outcome.state)
                    waiting.append(outcome.state)
    return found


@lru_cache(maxsize=10_000)
def moves(kind: type, game: Any, state: Any) -> tuple[Fraction, list[Any]]:
    """What is paid if play is over there; for each action what whoever chooses sees, with his part of it, and the probabilities, payments
    and states that follow. Asked of the rules once for all strategies. (`kind` : games of two classes may be equal tuples.)"""
    rules, found = Rules(game), []
    for action in rules.actions(state):
        chosen = [(player, rules.seen(state, player), own_part(action, player)) for player in choosers(rules, state)]
        outcomes = [o for o in rules.outcomes(state, action) if o.ways]
        ways = sum(Fraction(o.ways) for o in outcomes)
        found.append((chosen, [(Fraction(o.ways) / ways, Fraction(o.payoff[0]), o.state) for o in outcomes]))
    return (Fraction(0) if found else Fraction(rules.payoff(state)[0])), found


def value(game: Any, strategies: tuple[Strategy, Strategy]) -> Fraction:
    """What player 0 gets on average."""

    def worth(state: Any) -> Fraction:
        total, found = moves(type(game), game, state)
        for chosen, outcomes in found:
            chance = Fraction(1)
            for player, seen, part in chosen:
                chance *= strategies[player][seen].get(part, Fraction(0))
            if chance:
                total += chance * sum(share * (paid + worth(after)) for share, paid, after in outcomes)
        return total

    return worth(Rules(game).start)


def pure_strategies(game: Any, player: int) -> Iterator[Strategy]:
    every = sets(game)[player]
    for choice in product(*every.values()):
        yield {seen: {action: Fraction(1)} for seen, action in zip(every, choice, strict=True)}


def plays(game: Any) -> Iterator[tuple[Fraction, tuple[frozenset[Any], frozenset[Any]]]]:
    """Every play: what it pays times its probability if both choose so, and for each player the pairs of what he sees and chooses."""
    rules = Rules(game)

    def on(state: Any, chance: Fraction, paid: Fraction, chosen: tuple[frozenset[Any], ...]) -> Iterator[Any]:
        actions = rules.actions(state)
        if not actions:
            yield chance * (paid + Fraction(rules.payoff(state)[0])), chosen
        for action in actions:
            own = [{(rules.seen(state, q), own_part(action, q))} if q in choosers(rules, state) else set() for q in range(2)]
            outcomes = [o for o in rules.outcomes(state, action) if o.ways]
            ways = sum(Fraction(o.ways) for o in outcomes)
            for o in outcomes:
                both = (chosen[0] | own[0], chosen[1] | own[1])
                yield from on(o.state, chance * Fraction(o.ways) / ways, paid + Fraction(o.payoff[0]), both)

    yield from on(rules.start, Fraction(1), Fraction(0), (frozenset(), frozenset()))


def matrix(game: Any) -> list[list[Fraction]]:
    """The payoffs of all pure strategies of player 0 against all of player 1: the sums over the plays that both lead to."""
    every = list(plays(game))
    rows, columns = (
        [{k for k, (_, chosen) in enumerate(every) if all(a in s[seen] for seen, a in chosen[q])} for s in pure_strategies(game, q)]
        for q in range(2)
    )
    return [[sum((every[k][0] for k in row & column), Fraction(0)) for column in columns] for row in rows]


def best_reply(game: Any, player: int, other: Strategy) -> Fraction:
    """What player 0 gets if `player` replies best to a strategy of the other one: plays are followed together as long as they look the same
    to `player`. Plays are kept as (state, weight of chance and of the other player, paid so far)."""
    rules, sign = Rules(game), 1 if player == 0 else -1

    def worth(plays: list[tuple[Any, Fraction]]) -> Fraction:
        """Plays that player 0 or 1, who replies, can't tell apart unless they look different now; what he gets, times weights."""
        total, waiting = Fraction(0), list(plays)
        decisions: dict[Any, list[tuple[Any, Fraction]]] = {}
        while waiting:
            state, weight = waiting.pop()
            if not rules.actions(state):
                total += sign * weight * Fraction(rules.payoff(state)[0])
            elif player in choosers(rules, state):
                decisions.setdefault(rules.seen(state, player), []).append((state, weight))
            else:
                paid, after = moved(state, weight, None)
                total += sign * paid
                waiting += after
        for group in decisions.values():
            best = None
            for own in options(rules, group[0][0], player):
                steps = [moved(state, weight, own) for state, weight in group]
                here = sign * sum((paid for paid, _ in steps), Fraction(0)) + worth([play for _, after in steps for play in after])
                best = here if best is None else max(best, here)
            assert best is not None
            total += best
        return total

    def moved(state: Any, weight: Fraction, own: Any) -> tuple[Fraction, list[tuple[Any, Fraction]]]:
        paid, after = Fraction(0), []
        for action in rules.actions(state):
            if own is not None and own_part(action, player) != own:
                continue
            chance = weight
            if 1 - player in choosers(rules, state):
                chance *= other[rules.seen(state, 1 - player)].get(own_part(action, 1 - player), Fraction(0))
            outcomes = rules.outcomes(state, action)
            ways = sum(Fraction(o.ways) for o in outcomes)
            for o in outcomes:
                if chance and o.ways:
                    share = chance * Fraction(o.ways) / ways
                    paid += share * Fraction(o.payoff[0])
                    after.append((o.state, share))
        return paid, after

    return sign * worth([(rules.start, Fraction(1))])

"""The oracle for games with hidden information: recursion over whole plays, in dicts and Fractions. Tiny games only.

A strategy is a dict from what a player sees to a dict of probabilities of actions. Nothing here knows of sequences: best replies try every
pure strategy, or go down the tree of plays with the weights that the other player and chance give to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
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


def value(game: Any, strategies: tuple[Strategy, Strategy]) -> Fraction:
    """What player 0 gets on average."""
    rules = Rules(game)

    def worth(state: Any) -> Fraction:
        actions = rules.actions(state)
        if not actions:
            return Fraction(rules.payoff(state)[0])
        total = Fraction(0)
        for action in actions:
            chance = Fraction(1)
            for player in choosers(rules, state):
                chance *= strategies[player][rules.seen(state, player)].get(own_part(action, player), Fraction(0))
            if chance:
                outcomes = rules.outcomes(state, action)
                ways = sum(Fraction(o.ways) for o in outcomes)
                total += chance * sum(Fraction(o.ways) / ways * (Fraction(o.payoff[0]) + worth(o.state)) for o in outcomes if o.ways)
        return total

    return worth(rules.start)


def pure_strategies(game: Any, player: int) -> Iterator[Strategy]:
    every = sets(game)[player]
    for choice in product(*every.values()):
        yield {seen: {action: Fraction(1)} for seen, action in zip(every, choice, strict=True)}


def matrix(game: Any) -> list[list[Fraction]]:
    """The payoffs of all pure strategies of player 0 against all of player 1."""
    every, columns = plays(game), list(pure_strategies(game, 1))
    found = []
    for row in pure_strategies(game, 0):
        mine = [(weighed, theirs) for weighed, (ours, theirs) in every if all(a in row[seen] for seen, a in ours)]
        found.append([sum((w for w, chosen in mine if all(a in column[seen] for seen, a in chosen)), Fraction(0)) for column in columns])
    return found


def plays(game: Any) -> list[tuple[Fraction, tuple[list[Any], list[Any]]]]:
    """All plays: what player 0 gets, times the probability of what chance does, and what each player saw and chose."""
    rules, found = Rules(game), []

    def follow(state: Any, weight: Fraction, paid: Fraction, chosen: tuple[list[Any], list[Any]]) -> None:
        actions = rules.actions(state)
        if not actions:
            found.append((weight * (paid + Fraction(rules.payoff(state)[0])), chosen))
        for action in actions:
            after = (list(chosen[0]), list(chosen[1]))
            for player in choosers(rules, state):
                after[player].append((rules.seen(state, player), own_part(action, player)))
            outcomes = rules.outcomes(state, action)
            ways = sum(Fraction(o.ways) for o in outcomes)
            for o in outcomes:
                if o.ways:
                    follow(o.state, weight * Fraction(o.ways) / ways, paid + Fraction(o.payoff[0]), after)

    follow(rules.start, Fraction(1), Fraction(0), ([], []))
    return found


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

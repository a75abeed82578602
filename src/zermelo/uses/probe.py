"""What is known of one state: its value, the best action, what every action is worth, and how far all that can be from the truth.

Written once, on `Answers.known`: one step of lookahead over the rules, run interpreted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.answers.base import Answers, CountsMoves
from zermelo.answers.known import Known
from zermelo.basics.numbers import Number, written
from zermelo.language.rules import Action, Joint, Outcome, State
from zermelo.uses.legal import check_action

UNIT = 2.0**-53


class Probe(NamedTuple):
    """What is known about one state. Values are those of player 0, with PASS of the player to move."""

    state: State
    value: Number
    low: Number  # the true value lies in [low, high]
    high: Number
    action: Action  # a best action; None where the play is over or only chance moves
    actions: dict[Action, Number]  # the value of every legal action
    payoffs: dict[str, Number]  # the expected total of every named payoff
    player: int  # who moves: 0 maximises, 1 minimises
    distance: int | None  # moves to the end under best play, where the solver counts them; None in endless draws
    # Where both choose at once: `actions` are player 0's, each against player 1's optimal mixture, and `action` is the likeliest.
    mixture: dict[Action, Number] | None = None  # player 0's probabilities
    other_actions: dict[Action, Number] | None = None  # the value of each action of player 1 against player 0's mixture
    other_mixture: dict[Action, Number] | None = None  # player 1's probabilities
    action_bounds: dict[Action, tuple[Number, Number]] = {}  # an interval that contains the true value of each of `actions`


def known_start(answers: Answers) -> Known:
    """What is known of the start."""
    return answers.known(answers.rules.start)


def payoffs_of(answers: Answers, known: Known) -> dict[str, Number]:
    """The expected total of every named payoff."""
    return dict(zip(answers.rules.payoffs, known.values, strict=True))


def probe(answers: Answers, state: State) -> Probe:
    """What is known of a state. Raises `UnreachableState`, `ParameterError`."""
    known = answers.known(state)
    if answers.rules.is_simultaneous:
        return _probe_joint(answers, state, known)
    rules = answers.rules
    actions = rules.actions(state)
    looks = {action: Lookahead.of(answers, state, action) for action in actions}
    values = {action: look.value for action, look in looks.items()}
    player = rules.player(state) if actions else 0
    best = None
    if actions and actions[0] is not None:
        best = (
            max(actions, key=lambda a: _merit(answers, state, a, values[a], player))
            if known.best is None
            else actions[known.best]
        )
    bounds = {action: look.interval for action, look in looks.items()}
    return Probe(
        state, known.values[0], *known.interval(), best, values, payoffs_of(answers, known), player, known.distance,
        action_bounds=bounds,
    )  # fmt: skip


def best_action(answers: Answers, state: State) -> Action:
    """A best action in `state`; None where the play is over or only chance moves. (The likeliest where both choose at once.)"""
    return probe(answers, state).action


def _merit(answers: Answers, state: State, action: Action, value: Number, player: int) -> tuple[Number, int]:
    """By this actions compare: what they are worth to the player, then sooner wins and later losses."""
    worth = value if player == 0 else -value
    away = moves_after(answers, state, action) or 0
    return worth, -away if worth > 0 else away


def moves_after(answers: Answers, state: State, action: Action) -> int | None:
    """Moves to the win or loss under best play if it begins with this action; None for draws, and where they are not counted."""
    if answers.lacks(CountsMoves) is not None:
        return None
    (outcome,) = happening(answers, state, action)
    known = answers.known(outcome.state)
    return None if known.distance is None or known.values[0] == 0 else known.distance + 1


def happening(answers: Answers, state: State, action: Action) -> list[Outcome]:
    """The outcomes of an action that can happen."""
    return [o for o in answers.rules.outcomes(state, action) if o.ways]


# --- one step of lookahead --------------------------------------------------------------------------------------------


def action_value(answers: Answers, state: State, action: Action) -> Number:
    """What an action is worth by the values of the next states; 0.1 counts as 1/10 where these are exact.

    Also of an action that `actions` leaves out since others are as good, if the states that it leads to were solved;
    raises `UnreachableState` if not, and `ParameterError` for an action that is not legal.
    """
    check_action(answers, state, action)
    return Lookahead.of(answers, state, action).value


class Lookahead(NamedTuple):
    """An action: each outcome, and what is known of the state that it leads to."""

    outcomes: list[Outcome]
    next: list[Known]
    discount: float

    @staticmethod
    def of(answers: Answers, state: State, action: Action) -> Lookahead:
        outcomes = happening(answers, state, action)
        return Lookahead(outcomes, [answers.known(o.state) for o in outcomes], answers.discount)

    @property
    def is_exact(self) -> bool:
        return all(isinstance(known.values[0], Fraction) for known in self.next)

    @property
    def value(self) -> Number:
        """In rational numbers where all next values are rational, else in floats."""
        meant: Any = written if self.is_exact else float
        discount: Any = Fraction(str(self.discount)) if self.is_exact else self.discount
        ways = [meant(o.ways) for o in self.outcomes] if len(self.outcomes) > 1 else [meant(1)]
        gain: Any = 0
        for o, known, share in zip(self.outcomes, self.next, ways, strict=True):
            gain += share * (meant(o.payoff[0]) + o.sign * discount * known.values[0])
        total: Any = sum(ways)
        return gain / total

    @property
    def interval(self) -> tuple[Number, Number]:
        """Where the true value of the action lies: the intervals of the next states, weighted, all rounding outwards."""
        value = self.value
        if self.is_exact:
            return value, value
        low, high, size = Fraction(0), Fraction(0), Fraction(0)
        ways = [Fraction(o.ways) for o in self.outcomes] if len(self.outcomes) > 1 else [Fraction(1)]
        for o, known, share in zip(self.outcomes, self.next, ways, strict=True):
            ends = [o.sign * Fraction(self.discount) * Fraction(end) for end in known.interval()]
            paid = Fraction(o.payoff[0])
            low, high = low + share * (paid + min(ends)), high + share * (paid + max(ends))
            size += share * (abs(paid) + max(map(abs, ends)))
        total = sum(ways)
        blur = 4 * UNIT * size / total  # ways, payoffs and discount that are no whole numbers are meant as decimals
        return _down(low / total - blur), _up(high / total + blur)


def _down(number: Number) -> float:
    return math.nextafter(float(number), -math.inf)


def _up(number: Number) -> float:
    return math.nextafter(float(number), math.inf)


# --- where both choose at once ----------------------------------------------------------------------------------------


def _probe_joint(answers: Answers, state: State, known: Known) -> Probe:
    """Both mixtures of a state, and what every action is worth against the other one's."""
    rules = answers.rules
    own, others = rules.choices(state)
    looks = [[Lookahead.of(answers, state, Joint(action, other)) for other in others] for action in own]
    table = [[look.value for look in row] for row in looks]
    p, q = mixtures_of(known, table, answers.is_exact)
    worth: list[Any] = [sum(x * y for x, y in zip(row, q, strict=True)) for row in table]
    against: list[Any] = [sum(x * row[j] for x, row in zip(p, table, strict=True)) for j in range(len(others))]
    likeliest = own[max(range(len(own)), key=lambda i: p[i])] if own else None
    return Probe(
        state, known.values[0], *known.interval(), likeliest, dict(zip(own, worth, strict=True)), payoffs_of(answers, known), 0, None,
        dict(zip(own, p, strict=True)), dict(zip(others, against, strict=True)), dict(zip(others, q, strict=True)),
        {action: _mean(row, q) for action, row in zip(own, looks, strict=True)},
    )  # fmt: skip


def _mean(row: Sequence[Lookahead], mixture: Sequence[Number]) -> tuple[Number, Number]:
    """The interval of an action against a mixture."""
    intervals = [look.interval for look in row]
    low, high = (sum((Fraction(p) * Fraction(ends[k]) for p, ends in zip(mixture, intervals, strict=True)), Fraction(0)) for k in (0, 1))
    is_exact = all(isinstance(end, Fraction) for ends in intervals for end in ends) and all(isinstance(p, Fraction) for p in mixture)
    return (low, high) if is_exact else (_down(low), _up(high))


def mixtures_of(known: Known, table: list[list[Number]], is_exact: bool) -> tuple[Sequence[Number], Sequence[Number]]:
    """The mixtures that were found; those of the matrix of values in exact answers, and for a mirror image."""
    if not table:
        return [], []
    if known.mixtures is not None:
        return known.mixtures
    from zermelo.matrix import matrix_game

    best = matrix_game(table)
    if is_exact:
        return best.row, best.column
    return [float(x) for x in best.row], [float(x) for x in best.column]


def joint_mixtures(answers: Answers, state: State) -> tuple[Sequence[Number], Sequence[Number]]:
    """The probabilities of player 0's and of player 1's actions in a state of a game in which both choose at once."""
    known = answers.known(state)
    if known.mixtures is not None:
        return known.mixtures
    found = _probe_joint(answers, state, known)
    return list((found.mixture or {}).values()), list((found.other_mixture or {}).values())

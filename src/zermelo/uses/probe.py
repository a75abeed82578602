"""The facts about one state: its value, the best action, the worth of every action, and how far all these can be off.

Written once for all answers, on `Answers.known` and one step of lookahead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, cast

from zermelo.answers.base import Answers, CountsDown, CountsMoves, Entered
from zermelo.answers.known import StateFacts
from zermelo.basics.fields import described
from zermelo.basics.html import card, facts, table
from zermelo.basics.numbers import Number, down, percent_text, up, with_decimals
from zermelo.basics.words import cells, counted, padded
from zermelo.errors import FileError, ParameterError, UnreachableState
from zermelo.language.rules import Action, Joint, State
from zermelo.states.space import plain
from zermelo.uses.legal import check_seat, legal_action, told
from zermelo.uses.lookahead import Interval, Lookahead, happening, mean, places
from zermelo.uses.units import Chance, Measure, chances, measure, percent, winning

REPR_DIGITS = 9  # of a number in the text of a probe


@described(
    state="The state that was asked about.",
    value="What the rest of the play is worth under best play.",
    low="The true value is at least this.",
    high="The true value is at most this.",
    action="A best action; None where the play is over or only chance moves. With simultaneous moves the likeliest of player 0.",
    actions="The value of every legal action. With simultaneous moves: of player 0's actions, each against player 1's optimal mixture.",
    payoffs="The expected total of every named payoff.",
    player="Who moves: 0 maximises, 1 minimises.",
    distance="Moves to the end under best play, where the solver counts them; None in endless draws.",
    mixture="With simultaneous moves: the probabilities of player 0's actions; None elsewhere.",
    other_actions="With simultaneous moves: the value of each action of player 1 against player 0's mixture.",
    other_mixture="With simultaneous moves: the probabilities of player 1's actions.",
    action_bounds="For each of `actions` an interval that contains its true value.",
    other_action_bounds="For each of `other_actions` an interval that contains its true value.",
    win_probability="The chance of winning, where the game says what its values mean: of the player to move with PASS, else of player 0.",
    win_probabilities="The chance of winning with each of `actions`.",
    action_names="What the rules call each action of the state.",
    measure="The unit that the rules name for payoffs (`payoff_unit`). Texts are in it; the numbers here are payoffs of the rules.",
    other_win_probabilities="The chance of winning with each of `other_actions`.",
)
class Probe(NamedTuple):
    """The facts about one state. Values are those of player 0, or with PASS those of the player to move."""

    state: State
    value: Number
    low: Number
    high: Number
    action: Action
    actions: dict[Action, Number]
    payoffs: dict[str, Number]
    player: int
    distance: int | None
    mixture: dict[Action, Number] | None = None
    other_actions: dict[Action, Number] | None = None
    other_mixture: dict[Action, Number] | None = None
    action_bounds: Mapping[Action, Interval] = {}
    other_action_bounds: Mapping[Action, Interval] = {}
    win_probability: Chance | None = None
    win_probabilities: Mapping[Action, Chance] = {}
    action_names: Mapping[Action, str] = {}
    measure: Measure | None = None
    other_win_probabilities: Mapping[Action, Chance] = {}

    def __repr__(self) -> str:
        """The state, its value and every action by name, the best first, one per line; as chances of winning where the game defines
        these. (The fields have all digits.)"""
        away = "" if self.distance is None else f", {counted(self.distance, 'move')} from the end"
        value = f"value {self._shown(self.value, (self.low, self.high), REPR_DIGITS)}"
        worth = f"wins {percent(self.win_probability)} %   ({value})" if self.win_probability else value
        lines = [f"{self.state}: {worth}{away}"]
        for own, before, values, bounds, wins, played in self._sides():
            names = [before + self._named(a) for a in values]
            width = max(map(cells, names), default=0)
            for name, (action, value) in zip(names, values.items(), strict=True):
                often = f"   played {percent_text(played[action])} %" if played and played[action] else ""
                best = "   best" if own and played is None and action == self.action else ""
                lines.append(f"  {padded(name, width)}  {self._worth(action, value, bounds, wins, REPR_DIGITS)}{often}{best}")
        return "\n".join(lines)

    def _sides(self) -> Iterator[tuple[Any, ...]]:
        """For each player who chooses here, the material of texts: the actions and their worth, the best first."""
        yield True, "", _by_worth(self.actions, self.action_bounds, self.player), self.action_bounds, self.win_probabilities, self.mixture
        other = _by_worth(self.other_actions or {}, self.other_action_bounds, 1)
        yield False, "other: ", other, self.other_action_bounds, self.other_win_probabilities, self.other_mixture

    def _worth(
        self, action: Action, value: Number, bounds: Mapping[Action, Interval], wins: Mapping[Action, Chance], most: int | None = None
    ) -> str:
        """The worth of an action as readable text."""
        return f"{percent(wins[action])} %" if action in wins else self._shown(value, bounds.get(action, (value, value)), most)

    def _named(self, action: Action) -> str:
        return self.action_names.get(action, str(action))

    def _shown(self, value: Number, bounds: Interval, most: int | None = None) -> str:
        """A number with its certain digits, or `most` of them, in the unit of the game."""
        return self.measure.text(value, *bounds, most) if self.measure else with_decimals(value, *bounds, most)

    def _repr_html_(self) -> str:
        """The state as notebooks show it: its value, and all actions, the best first."""
        name, *others = self.payoffs if len(self.payoffs) > 1 else ("value",)
        rows = [(name, self._shown(self.value, (self.low, self.high)))]
        rows += [(other, f"{float(self.payoffs[other]):.{REPR_DIGITS}g}") for other in others]
        if self.win_probability:
            rows.insert(0, ("chance of winning", f"{percent(self.win_probability)} %"))
        if self.distance is not None:
            rows.append(("moves to the end", str(self.distance)))
        return card(str(self.state), facts(rows), *(self._table(*side) for side in self._sides()))

    def _table(self, own: bool, before: str, values: Any, bounds: Any, wins: Any, mixture: Any) -> str:
        """The actions of one player as notebooks show them."""
        if not values:
            return ""
        place = {} if mixture else places(values, bounds, -1 if self.player else 1)
        best = [k for k, a in enumerate(values) if (mixture[a] > 0 if mixture else place[a] == 0)]
        rows = [[self._named(a), self._worth(a, v, bounds, wins)] for a, v in values.items()]
        heading = ["action" if own else "other action", "chance of winning" if wins else "value"]
        if not mixture:
            return table(heading, rows, strong=best)
        played = [f"{percent_text(mixture[a])} %" for a in values]
        return table([*heading, "played"], [[*row, p] for row, p in zip(rows, played, strict=True)], strong=best)

    @property
    def is_action_certain(self) -> bool:
        """Whether `action` is proven to be a best one: no other action can be worth more, by the bounds of all.

        Also True where there is no choice, and where others are proven to be equally good. False where both choose at once.
        """
        if self.mixture is not None:
            return False
        others = [ends for action, ends in self.action_bounds.items() if action != self.action]
        if not others or self.action is None:
            return True
        low, high = self.action_bounds[self.action]
        return all(low >= ends[1] if self.player == 0 else high <= ends[0] for ends in others)


def _by_worth(values: Mapping[Action, Number], bounds: Mapping[Action, Interval], player: int) -> dict[Action, Number]:
    """The actions, the best for this player first; nothing where only chance moves."""
    place = places(values, bounds, -1 if player else 1)
    return {} if list(values) == [None] else {a: values[a] for a in sorted(values, key=place.__getitem__)}


def with_unlisted(answers: Answers, found: Probe, action: Action) -> tuple[Mapping[Action, Number], Mapping[Action, Interval]]:
    """The values and bounds of a state's actions, and of one that need not be among them."""
    if action in found.actions:
        return found.actions, found.action_bounds
    ahead = Lookahead.of(answers, found.state, action)
    return {**found.actions, action: ahead.value}, {**found.action_bounds, action: ahead.interval}


def known_start(answers: Answers) -> StateFacts:
    """The facts about the start."""
    return answers.known(answers.rules.start)


def payoffs_of(answers: Answers, known: StateFacts) -> dict[str, Number]:
    """The expected total of every named payoff."""
    return dict(zip(answers.rules.payoffs, known.values, strict=True))


@told
def probe(answers: Answers, state: State, off_play: bool = False) -> Probe:
    """The facts about a state; with `off_play` also about one that no play reaches (uses/off_play.py). Raises `UnreachableState`,
    `ParameterError`, with `off_play` `OutOfReach`."""
    if not isinstance(off_play, bool):
        raise ParameterError(f"off_play must be True or False, not {off_play!r}")
    state = plain(state)
    try:
        known = answers.known(state)
    except UnreachableState:
        if not off_play:
            raise
        from zermelo.uses.off_play import OffPlay

        return probe(OffPlay(answers, state), state)
    found = _probe_joint(answers, state, known) if answers.rules.is_simultaneous else _probe_in_turn(answers, state, known)
    sides = (found.other_actions or (), found.actions)
    names = {a: name for side in sides for a, name in answers.rules.action_names(side).items() if a is not None}
    found = found._replace(action_names=names, measure=measure(answers.rules.game))
    unit = winning(answers)
    if unit is None:
        return found
    return found._replace(
        win_probability=unit.of(found.value, found.low, found.high),
        win_probabilities=chances(unit, found.actions, found.action_bounds),
        other_win_probabilities=chances(unit, found.other_actions or {}, found.other_action_bounds),
    )


def _probe_in_turn(answers: Answers, state: State, known: StateFacts) -> Probe:
    """A state in which one player moves, or chance, or nobody."""
    rules = answers.rules
    actions = rules.actions(state)
    looks = {action: Lookahead.of(answers, state, action) for action in actions}
    values = {action: look.value for action, look in looks.items()}
    player = rules.player(state) if actions else 0
    return Probe(
        state, known.values[0], *known.interval(), _best(answers, state, known, actions, values, player), values,
        payoffs_of(answers, known), player, known.distance, action_bounds={action: look.interval for action, look in looks.items()},
    )  # fmt: skip


@told
def best_action(answers: Answers, state: State) -> Action:
    """A best action in `state`; None if play is over or only chance moves. (The likeliest where both choose at once.)"""
    state = plain(state)
    known = answers.known(state)
    rules = answers.rules
    if rules.is_simultaneous:
        return _probe_joint(answers, state, known).action
    actions = rules.actions(state)
    is_found = known.best is not None or _as_solved(answers) is not None
    values = {} if is_found else {action: action_value(answers, state, action) for action in actions}
    return _best(answers, state, known, actions, values, rules.player(state) if actions else 0)


def _best(
    answers: Answers, state: State, known: StateFacts, actions: list[Action], values: Mapping[Action, Number], player: int
) -> Action:
    """The stored best action, or the one that compares best."""
    if not actions or actions[0] is None:
        return None
    if known.best is not None:
        if known.best >= len(actions):
            raise FileError(f"action {known.best} is stored as the best one in {state}, which has {len(actions)}: solve and save again")
        return actions[known.best]
    if (solved := _as_solved(answers)) is not None:
        return actions[solved(state)]
    if (by_symmetry := _as_stored(answers, state, actions)) is not None:
        return by_symmetry
    return max(actions, key=lambda a: _merit(answers, state, a, values[a], player))


def _as_solved(answers: Answers) -> Callable[[State], int] | None:
    """Finds the position of the best action that was taken when the game was solved, where that is not stored: payoffs that nobody plays
    for and simulated plays follow it among actions that are equally good."""
    if answers.lacks(Entered) is None:
        return cast(Entered, answers).best_entered
    counts_down = answers.lacks(CountsDown) is None and not answers.is_exact  # exact values are compared exactly
    return cast(CountsDown, answers).best_counted if counts_down else None


def _as_stored(answers: Answers, state: State, actions: list[Action]) -> Action:
    """The first action that does in a state what is stored as best in the representative of its orbit, if that is another state: one that
    only compares as well may lead round in circles forever, where the stored one gets on. None if there is none."""
    rules = answers.rules
    stored = rules.least(state)
    try:
        best = None if stored == state else answers.known(stored).best
    except UnreachableState:  # off play, from where play does not go round (uses/off_play.py)
        best = None
    if best is None:
        return None
    what = rules.what_happens(stored, rules.actions(stored)[best])
    return next((action for action in actions if rules.what_happens(state, action) == what), None)


def _merit(answers: Answers, state: State, action: Action, value: Number, player: int) -> tuple[Number, int]:
    """The sort key of actions: their worth to the player, then sooner wins and later losses."""
    worth = value if player == 0 else -value
    away = moves_after(answers, state, action) or 0
    return worth, -away if worth > 0 else away


@told
def moves_after(answers: Answers, state: State, action: Action) -> int | None:
    """Moves to the win or loss under best play if it begins with this action; None for draws, and if moves are not counted."""
    if answers.lacks(CountsMoves) is not None:
        return None
    state = plain(state)
    (outcome,) = happening(answers, state, action)
    known = answers.known(outcome.state)
    return None if known.distance is None or known.values[0] == 0 else known.distance + 1


# --- one step of lookahead --------------------------------------------------------------------------------------------


@told
def action_value(answers: Answers, state: State, action: Action) -> Number:
    """The worth of an action by the values of the next states; 0.1 counts as 1/10 where these are exact.

    This includes an action that `actions` omits because others are equally good, if its next states were solved;
    raises `UnreachableState` if not, and `ParameterError` for an action that is not legal.
    """
    state = plain(state)
    return Lookahead.of(answers, state, legal_action(answers, state, action)).value


# --- where both choose at once ----------------------------------------------------------------------------------------


def _probe_joint(answers: Answers, state: State, known: StateFacts) -> Probe:
    """Both mixtures of a state, and the worth of every action against the other player's."""
    own, others = answers.rules.choices(state)
    looks = _looks(answers, state, own, others)
    table = [[look.value for look in row] for row in looks]
    p, q = mixtures_of(known, table, answers.is_exact)
    worth: list[Any] = [sum(x * y for x, y in zip(row, q, strict=True)) for row in table]
    against: list[Any] = [sum(x * row[j] for x, row in zip(p, table, strict=True)) for j in range(len(others))]
    likeliest = own[max(range(len(own)), key=lambda i: p[i])] if own else None
    rows = [[look.interval for look in row] for row in looks]
    columns = list(zip(*rows, strict=True)) if own else []
    return Probe(
        state, known.values[0], *known.interval(), likeliest, dict(zip(own, worth, strict=True)), payoffs_of(answers, known), 0, None,
        _by_action(own, p), dict(zip(others, against, strict=True)), _by_action(others, q),
        {action: _against(row, q, value) for action, row, value in zip(own, rows, worth, strict=True)},
        {action: _against(column, p, value) for action, column, value in zip(others, columns, against, strict=True)},
    )  # fmt: skip


def _looks(answers: Answers, state: State, own: Sequence[Action], others: Sequence[Action]) -> list[list[Lookahead]]:
    """What each pair of actions leads to."""
    of_next = cache(answers.known)  # many pairs of actions lead to the same states
    return [[Lookahead.of(answers, state, Joint(action, other), of_next) for other in others] for action in own]


def _by_action(actions: Sequence[Action], mixture: Sequence[Number]) -> dict[Action, Number]:
    """The probability of each action; rules may yield one twice in a state that the checker did not see."""
    found: dict[Action, Number] = dict.fromkeys(actions, mixture[0] * 0 if mixture else 0)
    for action, p in zip(actions, mixture, strict=True):
        found[action] += p
    return found


def _against(intervals: Sequence[Interval], mixture: Sequence[Number], value: Number) -> Interval:
    """The interval of an action against a mixture of the other player, with these numbers, whose sum may differ from 1 by rounding."""
    if not all(math.isfinite(end) for ends in intervals for end in ends):
        return -math.inf, math.inf
    low, high = (mean(mixture, [ends[k] for ends in intervals]) for k in (0, 1))
    is_exact = isinstance(value, Fraction)
    return (low, high) if is_exact else (min(value, down(low)), max(value, up(high)))


def mixtures_of(known: StateFacts, table: list[list[Number]], is_exact: bool) -> tuple[Sequence[Number], Sequence[Number]]:
    """The mixtures found by the solver; in exact answers, and for a mirror image, those of the matrix of values."""
    if not table:
        return [], []
    if known.mixtures is not None:
        sizes = len(known.mixtures[0]), len(known.mixtures[1])
        if sizes != (len(table), len(table[0])):
            raise FileError(f"mixtures of {sizes} actions are stored where there are {len(table)} and {len(table[0])}: solve again")
        return known.mixtures
    from zermelo.matrix.equilibrium import equilibrium
    from zermelo.matrix.plain import Matrix

    matrix = Matrix.of(table)
    found = equilibrium(matrix.payoffs)
    own, other = [found.p.get(i, Fraction(0)) for i in matrix.rows()], [found.q.get(j, Fraction(0)) for j in matrix.columns()]
    return (own, other) if is_exact else ([float(x) for x in own], [float(x) for x in other])


@told
def mixture(answers: Answers, state: State, seat: int = 0) -> dict[Action, Number]:
    """With simultaneous moves: the probabilities of the actions of the player in `seat` that optimal play chooses; none in final states."""
    state = plain(state)
    played = joint_mixtures(answers, state)[check_seat(seat)]
    return {action: p for action, p in _by_action(answers.rules.choices(state)[seat], played).items() if p}


@dataclass(frozen=True, repr=False)
class MixedPolicy:
    """Optimal play where both choose at once, as a function. It holds the solution, which can be pickled, and not its answers."""

    solution: Any

    def __call__(self, state: State, seat: int = 0) -> dict[Action, Number]:
        return mixture(self.solution.answers, state, seat)

    def __repr__(self) -> str:
        return f"<MixedPolicy of {self.solution!r}>"


def joint_mixtures(answers: Answers, state: State) -> tuple[Sequence[Number], Sequence[Number]]:
    """The probabilities of player 0's and of player 1's actions in a state of a game in which both choose at once."""
    known = answers.known(state)
    if known.mixtures is not None:
        return known.mixtures
    looks = _looks(answers, state, *answers.rules.choices(state))
    return mixtures_of(known, [[look.value for look in row] for row in looks], answers.is_exact)

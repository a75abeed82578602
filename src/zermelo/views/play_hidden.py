"""A person plays a game whose players do not see everything, and is shown only what that player sees until play is over.

The other side draws its actions from its strategy in the solution. The person learns only what the player sees of these actions, through
the game's `show(s, player=...)` or the numbers of `sees`. A decision is judged by the values of the actions if both continue as in the
solution; where the solution never leads, it is not judged.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.basics.numbers import percent_text
from zermelo.basics.words import cells, game_in_words, padded
from zermelo.errors import ParameterError
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Action, Joint, Rules, State
from zermelo.solution import HiddenSolution
from zermelo.uses.units import measure
from zermelo.views.drawn import Room, drawn
from zermelo.views.listed import SIDES, is_numbered, listed, meant, menu, what_to_type
from zermelo.views.words import amount_text

NOTHING_LOST = 1e-9
HELP = """  h  hint: how often the solution takes each action, and what it is worth
  u  undo: back to your last decision, with the same hidden cards
  p  what you see, again
  q  quit"""


class Decision(NamedTuple):
    """The person's choice, and its cost; None if that is not known."""

    seen: tuple[int, ...]
    action: Action
    name: str
    loss: float | None


class Moment(NamedTuple):
    """A play at one of the person's decisions."""

    state: State
    paid: float
    decisions: int
    dice: Any


class Session:
    """A play in progress, free of input and output. `seat` is 0 or 1."""

    def __init__(self, solution: HiddenSolution, seat: int = 0, seed: int | None = None):
        if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
            raise ParameterError(f"{solution.rules.name}: the seat must be 1 or 2, not {seat + 1 if isinstance(seat, int) else seat!r}")
        self.solution, self.rules, self.seat = solution, solution.rules, seat
        self._policies, self._dice = [solution.policy(0), solution.policy(1)], random.Random(seed)
        self.errs, self.most = 0.0, 0.0  # the share of its decisions in which the other side errs, and the most that an error costs
        self.begin()

    def begin(self) -> None:
        """Begin a new play, with the next dice and cards."""
        self.state: State = self.rules.start
        self.paid = 0.0  # to player 0
        self.decisions: list[Decision] = []
        self._before: list[Moment] = []
        self._go_on()

    @property
    def is_over(self) -> bool:
        return not self.rules.actions(self.state)

    @property
    def result(self) -> float:
        """The person's payoff; in a finished play, including its final payoff."""
        total = self.paid + (float(self.rules.payoff(self.state)[0]) if self.is_over else 0.0)
        return total if self.seat == 0 else -total

    @property
    def cost(self) -> float:
        """The known cost of the person's mistakes."""
        return sum(d.loss for d in self.decisions if d.loss is not None and d.loss > NOTHING_LOST)

    def seen(self) -> tuple[int, ...]:
        """The numbers that the person's player sees."""
        return self.rules.seen(self.state, self.seat)

    def legal(self) -> list[Action]:
        """The person's actions; none if there is no choice."""
        own = self._options(self.seat)
        return own if len(own) > 1 else []

    def _options(self, player: int) -> list[Action]:
        rules = self.rules
        if rules.is_simultaneous:
            return rules.choices(self.state)[player]
        actions = rules.actions(self.state)
        return actions if rules.player(self.state) == player or len(actions) == 1 else []

    def hint(self) -> list[tuple[Action, float, float | None]]:
        """The person's actions, how often the solution takes each, and its worth to the person; None if that is not known."""
        return self._worth(self.seat, self.seen())

    def _worth(self, player: int, seen: tuple[int, ...]) -> list[tuple[Action, float, float | None]]:
        here, sign = self.solution.probe(seen, player), 1 if player == 0 else -1
        worth = here.actions
        return [(a, float(p), None if worth[a] is None else sign * float(worth[a])) for a, p in here.mixture.items()]  # type: ignore[arg-type]

    def act(self, action: Action) -> Decision:
        """Take an action; then the other side and chance move until the person must decide again."""
        if action not in self.legal():
            raise ParameterError(f"{self.rules.action_in_words(action)} is no action here")
        self._before.append(Moment(self.state, self.paid, len(self.decisions), self._dice.getstate()))
        worth = {a: value for a, _, value in self.hint()}
        known = [value for value in worth.values() if value is not None]
        mine = worth[action]
        loss = None if mine is None else max(known) - mine
        decision = Decision(self.seen(), action, self.rules.name_among(action, worth), loss)
        self.decisions.append(decision)
        self._take(action)
        self._go_on()
        return decision

    def undo(self) -> bool:
        """Back to the person's previous decision; False if there is none."""
        if not self._before:
            return False
        moment = self._before.pop()
        self.state, self.paid = moment.state, moment.paid
        del self.decisions[moment.decisions :]
        self._dice.setstate(moment.dice)
        return True

    def _go_on(self) -> None:
        while not self.is_over and not self.legal():
            self._take(None)

    def _take(self, action: Action | None) -> None:
        """Take the person's choice (or None) and the action that the other side draws."""
        chosen = [self._drawn(player) if action is None or player != self.seat else action for player in range(2)]
        if self.rules.is_simultaneous:
            taken: Any = Joint(chosen[0], chosen[1])
        else:
            taken = next(a for a in chosen if a is not None) if None in chosen else chosen[self.rules.player(self.state)]
        outcomes = [o for o in self.rules.outcomes(self.state, taken) if o.ways]
        outcome = self._dice.choices(outcomes, [float(o.ways) for o in outcomes])[0]
        self.paid += float(outcome.payoff[0])
        self.state = outcome.state

    def _drawn(self, player: int) -> Action | None:
        """A player's action: the only one, or one drawn from the strategy; None if it is not that player's turn."""
        options = self._options(player)
        if len(options) < 2:
            return options[0] if options else None
        seen = self.rules.seen(self.state, player)
        if player != self.seat and self.errs and self._dice.random() < self.errs and (worse := self._worse(player, seen)):
            return self._dice.choice(worse)
        mixture = self._policies[player][seen]
        return self._dice.choices(list(mixture), [float(p) for p in mixture.values()])[0]

    def _worse(self, player: int, seen: tuple[int, ...]) -> list[Action]:
        """Actions known to cost something relative to the best one, but at most `most`."""
        known = [(a, worth) for a, _, worth in self._worth(player, seen) if worth is not None]
        best = max((worth for _, worth in known), default=0.0)
        return [a for a, worth in known if NOTHING_LOST < best - worth <= self.most + NOTHING_LOST]

    def shown(self) -> str:
        """What the person's player sees, as the game shows it, or as numbers."""
        return shown_to(self.rules, self.state, self.seat)

    def drawn(self, room: Room) -> list[str]:
        """The lines of the picture of what the person's player sees; none if the game does not draw that."""
        try:
            picture = self.rules.picture_for(self.seat, self.state)
        except Misdrawn:  # `zermelo check` reports it
            return []
        return drawn(picture or [], room, lambda owner: "you" if owner == self.seat else "opponent", self.shown())

    def as_data(self) -> dict[str, Any]:
        """The play as data for machines."""
        steps = [{"sees": list(d.seen), "action": d.name, "loss": d.loss} for d in self.decisions]
        found = {"game": self.rules.name, "seat": self.seat + 1, "over": self.is_over, "result": self.result}
        return {**found, "cost of mistakes": self.cost, "decisions": steps}


def shown_to(rules: Rules, state: State, player: int) -> str:
    """What a player sees of a state, as the game shows it, or as numbers."""
    show = getattr(rules.game, "show", None)
    if show is not None and "player" in inspect.signature(show).parameters:
        return str(show(state, player=player))
    return "you see " + (" ".join(map(str, rules.seen(state, player))) or "nothing")


class _Leave(Exception):
    """Raised when the person quits."""


def converse(
    solution: HiddenSolution,
    seat: int,
    seed: int | None,
    read: Callable[[str], str] = input,
    write: Callable[..., None] = print,
    room: Room | None = None,
) -> dict[str, Any]:
    """Play in the terminal until play is over or the person leaves; return the play as data. What the person sees is drawn if there
    is `room` for it."""
    session = Session(solution, seat, seed)
    write(game_in_words(session.rules.game))
    write(f"You are the {SIDES[seat]} player, against optimal play, and see what your player sees. ? is help.")
    try:
        position(session, write, room)
        while not session.is_over:
            listen(session, read("> ").strip(), write, room)
    except (EOFError, KeyboardInterrupt, _Leave):
        write()
    farewell(session, write)
    return session.as_data()


def position(session: Session, write: Callable[..., None], room: Room | None) -> None:
    """The person's view and possible actions."""
    if session.is_over:
        return
    write()
    for line in session.drawn(room) if room else ():
        write(line)
    write(session.shown())
    for line in menu(listed(names_of(session))):
        write(line)


def names_of(session: Session) -> list[str]:
    """The names of the person's actions."""
    return [*session.rules.action_names(session.legal()).values()]


def listen(session: Session, word: str, write: Callable[..., None], room: Room | None) -> None:
    """Carry out what the person typed."""
    if word in ("q", "quit"):
        raise _Leave
    if word in names_of(session) and not is_numbered(names_of(session)):  # it has no number, and may be the letter of a command
        choose(session, word, write, room)
    elif word in ("?", "help"):
        write(f"Type {what_to_type(names_of(session), 'an action')}.\n{HELP}")
    elif word in ("p", "position"):
        position(session, write, room)
    elif word in ("h", "hint"):
        hint(session, write)
    elif word in ("u", "undo"):
        write("taken back" if session.undo() else "there is nothing to take back")
        position(session, write, room)
    else:
        choose(session, word, write, room)


def hint(session: Session, write: Callable[..., None]) -> None:
    found, unit = session.hint(), measure(session.solution.game)
    names = session.rules.action_names(action for action, _, _ in found)
    width = max(map(cells, names.values()))
    for action, share, worth in found:
        told = "never met in optimal play" if worth is None else amount_text(unit, worth, "+")
        write(f"  {padded(names[action], width)}  {told}, to be played in {percent_text(share)} % of all cases")


def choose(session: Session, word: str, write: Callable[..., None], room: Room | None) -> None:
    names = names_of(session)
    found = meant(word, names)
    if len(found) != 1:
        what = f"{word!r} is not an action here" if word else "nothing was typed"
        what = what if not found else f"{word!r} can mean several actions"
        write(f"{what}; type {what_to_type(names, 'an action')}, or ? for help")
        return
    decision = session.act(session.legal()[found[0]])
    if decision.loss is None:
        write("  not judged: optimal play never comes here")
    elif decision.loss <= NOTHING_LOST:
        write("  nothing lost")
    else:
        write(f"  it costs {amount_text(measure(session.solution.game), decision.loss)} on average")
    position(session, write, room)


def farewell(session: Session, write: Callable[..., None]) -> None:
    """The end of the play, with everything that was hidden."""
    write()
    if not session.is_over:
        write("you leave the play unfinished.")
        return
    write(f"the play is over: {session.rules.show(session.state)}")
    value = float(session.solution.value) * (1 if session.seat == 0 else -1)
    unit = measure(session.solution.game)
    write(f"you get {amount_text(unit, session.result)}; optimal play gets {amount_text(unit, value)} on average.")
    if session.decisions:
        write(f"mistakes cost {amount_text(unit, session.cost)} on average." if session.cost else "no mistakes.")

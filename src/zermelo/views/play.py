"""A person plays a solved game: against optimal play, or alone, with a comment on every decision.

`Session` is the game being played, free of input and output; `converse` is the conversation in a terminal. Whose turn it is
follows from `player` and from PASS, which changes the player from whose point of view the rules speak. A decision costs the
value of the best action minus that of the chosen one, to the player who moves. Where both choose at once the other side draws
its action from its optimal mixture, and the person's actions are judged against that mixture, not against what was drawn.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.numbers import in_few, is_wide, percent_text
from zermelo.basics.words import cells, discount_text, game_in_words, padded
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.pictures import Misdrawn, standing
from zermelo.language.rules import Action, Joint, Outcome, State
from zermelo.solution import Solution
from zermelo.uses.legal import is_same
from zermelo.uses.lookahead import Interval, places, proven_losses
from zermelo.uses.probe import with_unlisted
from zermelo.uses.property import remark
from zermelo.uses.units import measure, percent, winning
from zermelo.views.drawn import Room, drawn
from zermelo.views.listed import SIDES, is_numbered, listed, meant, menu
from zermelo.views.words import amount_text, certain_amount, is_decided

UNSURE = "no mistake that the bounds of the moves prove"
RESULTS = {1: "a win", 0: "a draw", -1: "a loss"}
SHORT = 24  # characters of a fraction; the probability of a float is longer
NOISE = 1e-12  # where both choose at once: what a worth against a computed mixture differs from 0 by rounding, relative to others
EXAMINED = 20_000  # actions that the other side takes in a row before play is considered endless


class Choice(NamedTuple):
    """An action that the person can take, and its worth to them."""

    action: Action
    name: str
    value: float
    bounds: Interval  # of the value
    loss: float  # compared with the best one, as far as bounds prove it
    moves: int | None = None  # to the end, if they are counted; None for a draw
    chance: float | None = None  # where both choose at once: its probability under optimal play


class Step(NamedTuple):
    """One action of a play and how it turned out."""

    seat: int
    state: State
    action: Action
    name: str
    loss: float  # cost of the action to its player, relative to the best one
    outcome: Outcome
    odds: Fraction | None  # probability of the outcome; None if it was certain
    choices: int  # number of actions available
    other: str = ""  # where both choose at once: the other side's choice
    is_sure: bool = True  # whether, without a loss, it is proven to be a best action, up to the errors of floats


class Moment(NamedTuple):
    """A position of a play, with everything that the rules need."""

    state: State
    view: int  # +1: the rules speak from the view of seat 0 and pay it; -1: of seat 1
    total: float  # paid to seat 0 so far, discounted
    steps: int  # taken so far
    dice: Any  # state of the random numbers


class Session:
    """A play in progress. `seat` 0 moves first; in games for one player or for none there is only seat 0.

    The same seed gives the same dice. Undo takes back the dice with the decision, so that it can't be used to roll
    again.
    """

    def __init__(self, solution: Solution, seat: int = 0, seed: int | None = None):
        if not solution.has_rules:
            raise OutOfReach(f"{solution.rules.name}: the players do not see the states; `zermelo table` shows what to do")
        self.solution, self.rules, self.seat = solution, solution.rules, seat
        self.two_players = solution.statistics.get("players") == 2 or bool(solution.statistics.get("passes"))
        is_seat = isinstance(seat, int) and not isinstance(seat, bool)
        if not is_seat or seat not in (0, 1) or (seat == 1 and not self.two_players):
            seats, why = ("1 or 2", "") if self.two_players else ("1", ": this is no game for two")
            raise ParameterError(f"{solution.rules.name}: the seat must be {seats}, not {seat + 1 if is_seat else seat!r}{why}")
        self._dice = random.Random(seed)
        self.state: State = self.rules.start
        self.view, self.total = 1, 0.0
        self.steps: list[Step] = []
        self.is_endless = False  # whether the other side moves on forever, and the person never again
        self._before: list[Moment] = []  # at each decision of the person
        self.let_others_move()

    # --- the position -------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        return not self.rules.actions(self.state)

    @property
    def mover(self) -> int:
        """The seat that moves in the present position."""
        if not self.two_players:
            return 0
        player = self.rules.player(self.state)
        return player if self.view == 1 else 1 - player

    @property
    def is_persons_turn(self) -> bool:
        if self.is_over:
            return False
        return len(self._sides()[0]) > 1 if self.rules.is_simultaneous else self.mover == self.seat

    def _sides(self) -> tuple[list[Action], list[Action]]:
        """Where both choose at once: the choices of the person and of the other side."""
        own, others = self.rules.choices(self.state)
        return (own, others) if self._is_first else (others, own)

    @property
    def _is_first(self) -> bool:
        """Where both choose at once: whether the person is player 0 of the rules as they speak now."""
        return self.view == (1 if self.seat == 0 else -1)

    @property
    def result(self) -> float:
        """The person's payoff so far, discounted; in a finished play, including the payoff of its last position."""
        last = self.view * float(self.rules.payoff(self.state)[0]) if self.is_over else 0.0
        total = self.total + self._weight(len(self.steps)) * last
        return total if self.seat == 0 else -total

    def _weight(self, steps: int) -> float:
        """The weight of a payoff after this many steps; 1 if the solution is not discounted."""
        return self.solution.discount**steps

    def _own(self, value: Any) -> float:
        """A value given from the rules' present point of view, from the person's point of view."""
        return float(value) * self.view * (1 if self.seat == 0 else -1)

    @property
    def aim(self) -> int:
        """The person's aim for the numbers shown: 1 the most, -1 the least, as in a game for one in which only
        player 1 of the rules decides."""
        return 1 if self.two_players or self.is_over or self.rules.is_simultaneous or self.rules.player(self.state) == 0 else -1

    # --- the person's actions ---------------------------------------------------------------------------------------

    def legal(self) -> list[Choice]:
        """The person's actions in the order of the rules; none if the play is over."""
        return self._choices() if self.is_persons_turn else []

    def _choices(self) -> list[Choice]:
        probe = self.solution.probe(self.state)
        values, bounds, mixture = probe.actions, probe.action_bounds, probe.mixture
        if self.rules.is_simultaneous and not self._is_first:
            values, bounds, mixture = probe.other_actions or {}, probe.other_action_bounds, probe.other_mixture
        own = {a: self._own(v) for a, v in values.items()}
        ends = {a: sorted(map(self._own, bounds[a])) for a in values}
        losses = proven_losses(own, {a: (low, high) for a, (low, high) in ends.items()}, self.aim)
        name = self.rules.action_names(values)
        return [
            Choice(
                a, name[a], own[a], (ends[a][0], ends[a][1]), losses[a],
                None if mixture is not None else self.solution.moves_after(self.state, a),
                None if mixture is None else float(mixture[a]),
            )
            for a in values
        ]  # fmt: skip

    @property
    def asked(self) -> tuple[str, ...]:
        """The names of the numbers that the person enters here; () if an action is chosen from a list."""
        return self.rules.asks(self.state) if self.is_persons_turn else ()

    def why_not(self, action: Action) -> str:
        """Why the person can't take an action here; '' if they can, even if it is never better than those listed."""
        if not self.is_persons_turn:
            return "it is not your turn"
        return "" if any(is_same(c.action, action) for c in self.legal()) else self.rules.why_not(self.state, action)

    def hint(self) -> list[Choice]:
        """The person's actions, the best first; sooner wins and later losses are better."""
        found = self.legal()
        place = places({c.action: c.value for c in found}, {c.action: c.bounds for c in found}, self.aim)
        return sorted(found, key=lambda c: (place[c.action], (c.moves or 0) * (1 if c.value > 0 else -1)))

    def act(self, action: Action) -> list[Step]:
        """Take an action; then the other side and chance move until the person must decide again. Returns all these steps."""
        why_not = self.why_not(action)
        if why_not:
            raise ParameterError(f"{self.rules.action_in_words(action)}: {why_not}")
        self._before.append(Moment(self.state, self.view, self.total, len(self.steps), self._dice.getstate()))
        at = len(self.steps)
        self._take(action)
        self.let_others_move()
        return self.steps[at:]

    def undo(self) -> bool:
        """Back to the person's previous decision; False if there is none."""
        if not self._before:
            return False
        moment = self._before.pop()
        self.state, self.view, self.total = moment.state, moment.view, moment.total
        del self.steps[moment.steps :]
        self._dice.setstate(moment.dice)
        self.is_endless = False
        return True

    # --- the play of the others -------------------------------------------------------------------------------------------------

    def let_others_move(self) -> None:
        """Let the other side play optimally until the person must decide, play is over, or it is plain that neither will happen: what the
        other side does depends on the state alone, so a state that comes again, without chance, comes again forever."""
        met: set[tuple[State, int]] = set()
        for _ in range(EXAMINED):
            if self.is_over or self.is_persons_turn:
                return
            self._take(self._sides()[0][0] if self.rules.is_simultaneous else self.solution.best_action(self.state))
            met = set() if self.steps[-1].odds is not None or self.rules.is_simultaneous else met
            if (self.state, self.view) in met:
                break
            met.add((self.state, self.view))
        self.is_endless = True

    def _drawn(self) -> Action:
        """Where both choose at once: the other side's action, from its optimal mixture."""
        probe = self.solution.probe(self.state)
        mixture = (probe.other_mixture if self._is_first else probe.mixture) or {}
        return self._dice.choices(list(mixture), [float(p) for p in mixture.values()])[0]

    def _take_at_once(self, action: Action) -> None:
        """The person's action, the other side's, and how chance decides."""
        losses = {c.action: c.loss for c in self._choices()}
        other = self._drawn()
        outcome, odds = self._decided(Joint(action, other) if self._is_first else Joint(other, action))
        name, others = self.rules.name_among(action, losses), self._sides()[1]
        its = "" if len(others) == 1 else self.rules.name_among(other, others)
        self.steps.append(Step(self.seat, self.state, action, name, losses[action], outcome, odds, len(losses), its))

    def _take(self, action: Action) -> None:
        """Take an action for the player to move, and let chance decide its outcome."""
        if self.rules.is_simultaneous:
            self._take_at_once(action)
        else:
            self._take_in_turn(action)
        outcome = self.steps[-1].outcome
        self.total += self._weight(len(self.steps) - 1) * self.view * float(outcome.payoff[0])
        self.view *= outcome.sign
        self.state = outcome.state

    def _decided(self, action: Action) -> tuple[Outcome, Fraction | None]:
        """The outcome of an action, and its probability; None if it was certain."""
        chances = self.rules.chances(self.state, action)
        odds, outcome = self._dice.choices(chances, [float(o.ways) for _, o in chances])[0]
        return outcome, None if len(chances) == 1 else odds

    def _take_in_turn(self, action: Action) -> None:
        mover, probe = self.mover, self.solution.probe(self.state)
        sign = 1 if probe.player == 0 else -1
        values, bounds = with_unlisted(self.solution.answers, probe, action)
        loss = proven_losses(values, bounds, sign)[action]
        choices = len(probe.actions) + len(
            self.rules.asks(self.state)[:1]
        )  # a person who must choose always has another action
        outcome, odds = self._decided(action)
        name = self.rules.name_among(action, probe.actions)
        others = [max(sign * low, sign * high) for a, (low, high) in bounds.items() if a != action]
        is_sure = not any(is_wide(*ends) for ends in bounds.values()) or min(sign * end for end in bounds[action]) >= max(others, default=0)
        self.steps.append(Step(mover, self.state, action, name, loss, outcome, odds, choices, is_sure=is_sure))

    # --- looking back -------------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> list[Step]:
        """The person's steps at which there was a choice."""
        return [s for s in self.steps if s.seat == self.seat and s.choices > 1]

    @property
    def mistakes(self) -> list[Step]:
        return [s for s in self.decisions if s.loss > 0]

    @property
    def cost(self) -> float:
        """The mean cost of the person's mistakes, discounted."""
        judged = ((at, s) for at, s in enumerate(self.steps) if s.seat == self.seat and s.choices > 1)
        return sum(self._weight(at) * s.loss for at, s in judged if s.loss > 0)

    def as_data(self) -> dict[str, Any]:
        """The play as data for machines."""
        return {
            "game": self.rules.name,
            "seat": self.seat + 1,
            "over": self.is_over,
            "result": self.result,
            "cost of mistakes": self.cost,
            "steps": [
                {
                    "seat": s.seat + 1,
                    "position": self.rules.show(s.state),
                    "action": s.name,
                    **({"other action": s.other} if s.other else {}),
                    "loss": s.loss,
                    "probability": None if s.odds is None else float(s.odds),
                    "leads to": self.rules.show(s.outcome.state),
                }
                for s in self.steps
            ],
        }


# --- the conversation -------------------------------------------------------------------------------------------------

ENDLESS = "the play never ends: the other side moves on forever, and you have no further decision."
HOW_CHANCE = "Enter goes on: chance decides."
HELP = """  h  hint: what every action is worth
  u  undo: back to your last decision
  p  the position again
  q  quit
  ?  this help"""
REVEAL = "  r  what is covered, too (and again: not)"


def converse(
    session: Session, read: Callable[[str], str] = input, write: Callable[..., None] = print, room: Room | None = None
) -> None:
    """Play in the terminal until play is over or the person leaves. The end of input and Ctrl-C also leave. Positions are drawn if there
    is `room` for pictures."""
    talk = _Talk(session, write, room)
    talk.welcome()
    try:
        while not (session.is_over or session.is_endless):
            talk.listen(read("> "))
    except (EOFError, KeyboardInterrupt, _Leave):
        write()
    talk.farewell()


class _Leave(Exception):
    """Raised when the person quits."""


class _Talk:
    """The conversation during a play."""

    def __init__(self, session: Session, write: Callable[..., None], room: Room | None = None):
        self.session, self.rules, self.write, self.room = session, session.rules, write, room
        self.unit, self.measure = winning(session.solution.answers), measure(session.solution.game)
        self.reveals = False
        self.is_decided = is_decided(session.solution)

    @property
    def can_reveal(self) -> bool:
        """Whether something is covered now, or covered things are currently shown."""
        return self.reveals or self.rules.revealed(self.session.state) is not None

    def welcome(self) -> None:
        session = self.session
        self.write(game_in_words(self.rules.game) + discount_text(session.solution.discount))
        side = SIDES[session.seat]
        if self.rules.is_simultaneous:
            self.write(f"You are the {side} player, against optimal play; both choose at once. ? is help.")
        elif session.two_players:
            is_usual = self.rules.player(self.rules.start) == 0 or self.rules.is_chance
            other = f"You are the {side} player, against optimal play; the second one begins. ? is help."
            self.write(f"You move {side}, against optimal play. ? is help." if is_usual else other)
        elif self.rules.is_chance:
            self.write("Nobody decides anything; Enter goes on. ? is help.")
        else:
            self.write("You play, and every decision is judged. ? is help.")
        if note := remark(self.rules.game):
            self.write(f"({note})")
        self.tell(session.steps)
        self.position()

    def position(self) -> None:
        """The position and the possible actions."""
        session = self.session
        if session.is_over or session.is_endless:
            return
        self.write()
        self.show(session.state, "your turn: " if session.two_players else "")
        paid = session.result
        if paid and not session.two_players:
            self.write(f"{self.rules.payoffs[0]} so far: {amount_text(self.measure, paid)}")
        choices = session.legal()
        if session.asked:
            self.write(f"type {', '.join(session.asked)}")
        elif choices[0].action is not None:
            names = [c.name for c in choices]
            for line in menu(names if _hold_numbers(choices) else listed(names)):
                self.write(line)

    def show(self, state: State, before: str) -> None:
        """The picture, before the text if the text is the game's own, otherwise after it (then the text is the board)."""
        picture = self.drawn(state)
        for line in picture if self.rules.is_told else ():
            self.write(line)
        self.say((self.rules.revealed(state) if self.reveals else None) or self.shown(state, self.session.seat), before)
        for line in () if self.rules.is_told else picture:
            self.write(line)

    def drawn(self, state: State) -> list[str]:
        """The lines of the position's picture, if there is room for them."""
        if self.room is None or not self.rules.is_pictured:
            return []
        try:
            return drawn(self.rules.picture(state) or [], self.room, self.called, self.rules.show(state) if self.rules.is_told else None)
        except Misdrawn:  # `zermelo check` reports it
            return []

    def called(self, owner: int) -> str:
        """The person's name for an owner in a picture."""
        seat = owner if self.session.view == 1 else 1 - owner
        return "you" if seat == self.session.seat else "opponent"

    def say(self, text: str, before: str) -> None:
        self.write(before.rstrip() + "\n" + text if "\n" in text else before + text)

    def shown(self, state: State, speaker: int) -> str:
        """A state as the rules show it. If these speak from the side of the player to move, the `speaker`, the text is turned to the
        person: "you have 3, opponent 5"."""
        text = self.rules.show(state)
        return addressed(text, speaker == self.session.seat) if self.session.solution.statistics.get("passes") else text

    def listen(self, line: str) -> None:
        """Carry out what the person typed."""
        word = line.strip()
        choices = self.session.legal()
        if word in ("q", "quit"):
            raise _Leave
        if _hold_numbers(choices) and word in {c.name for c in choices}:  # it has no number, and may be the letter of a command
            self.choose(word, choices)
        elif word in ("?", "help"):
            self.write("\n".join([HOW_CHANCE if self.rules.is_chance else self.how(choices), HELP, *([REVEAL] if self.can_reveal else [])]))
        elif word in ("h", "hint"):
            self.hint()
        elif word in ("p", "position"):
            self.position()
        elif word in ("r", "reveal") and self.rules.covers:
            self.reveal()
        elif word in ("u", "undo"):
            self.write("taken back" if self.session.undo() else "there is nothing to take back")
            self.position()
        else:
            self.choose(word, choices)

    def how(self, choices: list[Choice]) -> str:
        """What may be typed here, as a sentence."""
        if self.session.asked:
            return "Type the numbers that you are asked for."
        return "Type an action as it is listed, or enough of it." if _hold_numbers(choices) else (
            "Type the number or the name of an action, or enough of the name."
        )

    def reveal(self) -> None:
        """Show covered things from now on, or stop showing them."""
        if not self.can_reveal:
            self.write("nothing is covered")
            return
        self.reveals = not self.reveals
        self.position()

    def hint(self) -> None:
        choices = self.session.hint()
        if choices[0].action is None:
            what = "" if self.measure or self.rules.payoffs[0] == "payoff" else f" {self.rules.payoffs[0]}"
            self.write(f"  expected from here: {amount_text(self.measure, choices[0].value)}{what}")
            return
        width = max(cells(c.name) for c in choices)
        noise = NOISE * max(abs(c.value) for c in choices)
        for c in choices:
            is_best = c.loss == 0 and c.moves == choices[0].moves
            away = "" if c.moves is None else f" in {c.moves} move{'s' if c.moves > 1 else ''}"
            often = "" if not c.chance else f", to be played in {percent_text(c.chance)} % of all cases"
            worth = self.worth(c.value if c.chance is None or abs(c.value) > noise else 0.0, c.bounds)
            self.write(f"  {padded(c.name, width)}  {worth}{away}{'  best' if is_best else ''}{often}")

    def worth(self, value: float, bounds: Interval | None = None) -> str:
        """A value as readable text: win, draw or loss, or the chance of winning if the game defines it; the interval if hardly any digit
        is certain."""
        if self.is_decided:
            return RESULTS[round(value)]
        if bounds is not None and is_wide(*bounds):
            chance = self.unit and self.unit.of(value, *bounds)
            return f"wins {percent(chance)} %" if chance else certain_amount(self.measure, value, *bounds)
        return f"wins {100 * self.unit.convert(value):.4f} %" if self.unit else self.amount(value, bounds)

    def amount(self, value: float, bounds: Interval | None) -> str:
        return certain_amount(self.measure, value, *bounds, sign="+") if bounds else amount_text(self.measure, value, "+")

    def choose(self, word: str, choices: list[Choice]) -> None:
        asked = self.session.asked
        if asked and (numbers := _numbers(word, len(asked))):
            self.take(numbers)
            return
        found = self.meant(word, choices)
        if asked and not found:
            self.write(f"type {len(asked)} numbers: {', '.join(asked)}; or ? for help")
            return
        if len(found) != 1:
            if choices[0].action is None:
                self.write(f"{word!r} means nothing here; Enter goes on, ? is help")
                return
            what = f"{word!r} is not an action here" if word else "nothing was typed"
            what = what if not found else f"{word!r} can mean {_listed(found)}"
            how = "its name or enough of it" if _hold_numbers(choices) else "its number or name"
            how = "its number" if all(c.name.isdigit() for c in choices) else how
            self.write(f"{what}; type {how}, or ? for help")
            return
        self.take(found[0].action)

    def take(self, action: Action) -> None:
        why_not = self.session.why_not(action)
        if why_not:
            self.write(why_not)
            return
        best = self.session.hint()[0]
        steps = self.session.act(action)
        self.judge(steps[0], best)
        self.tell(steps)
        self.position()

    def meant(self, word: str, choices: list[Choice]) -> list[Choice]:
        """The actions that a word can mean: by number, by name, by the beginning of a name, by the numbers in a name; Enter for
        chance and for the only action."""
        if choices[0].action is None:
            return choices if word in ("", self.rules.action_name(None)) else []
        if self.session.asked:
            return [c for c in choices if c.name == word]
        if not word and len(choices) == 1:
            return choices
        if _hold_numbers(choices):
            return [c for c in choices if c.name == word] or _spelt(word, choices)
        return [choices[k] for k in meant(word, [c.name for c in choices])]

    def judge(self, step: Step, best: Choice) -> None:
        """Say whether the person's action was the best."""
        if step.action is None or step.choices == 1:
            return
        if step.loss <= 0:
            self.write("  optimal" if step.is_sure else f"  {UNSURE}")
            return
        if self.is_decided:
            comes_to = self.worth(best.value - step.loss)
            self.write(f"  not the best: {best.name} is worth {self.worth(best.value)}, this {comes_to}")
        else:
            self.write(f"  not the best: it costs {self.lost(step.loss)}; {best.name} was better")

    def lost(self, loss: float) -> str:
        if self.unit:
            return f"{100 * self.unit.loss(loss, 0):.4f} % chance of winning"
        return f"{amount_text(self.measure, loss)} on average"

    def tell(self, steps: list[Step]) -> None:
        """Report what happened."""
        for s in steps:
            if self.session.two_players and s.seat != self.session.seat:
                self.write(f"  opponent: {s.name}")
            elif s.other:
                self.write(f"  opponent: {s.other}")
            odds = "" if s.odds is None else f"  (probability {s.odds if len(str(s.odds)) <= SHORT else f'{float(s.odds):.6g}'})"
            speaker = s.seat if s.outcome.sign > 0 else 1 - s.seat
            text, paid = self.shown(s.outcome.state, speaker), float(s.outcome.payoff[0])
            parts = [f"{text}{odds}"] if s.odds is not None and "\n" not in text else []
            parts += [self.paid(paid)] if paid and not self.session.two_players else []
            parts += ["the turn passes"] if parts and s.outcome.sign < 0 else []
            if parts:
                self.write("    " + "; ".join(parts))

    def paid(self, amount: float) -> str:
        """The payoff of a step, as text."""
        return amount_text(self.measure, amount, "+") + ("" if self.measure else f" {self.rules.payoffs[0]}")

    def farewell(self) -> None:
        """The result and the cost of mistakes."""
        session = self.session
        if session.is_over:
            self.write()
            self.last_position()
        left = ENDLESS if session.is_endless else "you leave the play unfinished."
        self.write(self.outcome() if session.is_over else left)
        decisions = len(session.decisions)
        if decisions:
            judged = f"all {decisions} of your decisions were optimal" if decisions > 1 else "your decision was optimal"
            if not all(step.is_sure for step in session.decisions):
                judged = f"you made {UNSURE}"
            if session.mistakes:
                number = f"{len(session.mistakes)} of your {decisions} decisions"
                cost = "" if self.is_decided else f", at a cost of {self.lost(session.cost)}"
                judged = f"{number} {'was a mistake' if len(session.mistakes) == 1 else 'were mistakes'}{cost}"
                judged = judged if decisions > 1 else f"your decision was a mistake{cost}"
            self.write(judged + ".")

    def last_position(self) -> None:
        """The position in which the play ended: in a race both scores, from the person's side; otherwise as the rules show it, which is
        from the opponent's side if the last move passed the turn to them."""
        session = self.session
        passes = session.solution.statistics.get("passes")
        is_others = bool(passes) and session.view != 1 - 2 * session.seat
        pictured = (self.rules.picture(session.state) or []) if passes and self.rules.is_pictured else []
        if race := standing(pictured, int(is_others)):
            self.write(f"the play is over: {race}")
        else:
            text = self.shown(session.state, 1 - session.seat if is_others else session.seat)
            is_turned = text != self.rules.show(session.state)
            self.say(text, f"the play is over{', as your opponent sees it' if is_others and not is_turned else ''}: ")

    def outcome(self) -> str:
        result = self.session.result
        is_result = self.session.two_players and self.session.solution.statistics.get("win_draw_loss")
        if is_result and self.session.solution.discount == 1:
            return {1: "you win.", -1: "you lose.", 0: "a draw."}.get(round(result), f"you get {in_few(result)}.")
        if self.rules.has_several_payoffs:
            return f"{self.rules.payoffs[0]}: {amount_text(self.measure, result)}."
        solution, sign = self.session.solution, 1 if self.session.seat == 0 else -1
        low, high = sorted((sign * float(solution.low), sign * float(solution.high)))
        best = certain_amount(self.measure, sign * float(solution.value), low, high)
        cut = " (play is cut off here, and paid the lower bound)" if self.rules.bounds(self.session.state) is not None else ""
        return f"you get {amount_text(self.measure, result)}{cut}; optimal play gets {best} on average."


def addressed(text: str, is_own: bool) -> str:
    """A text about the "player to move" and the "opponent", addressed to the player to move, or (not `is_own`) to the opponent."""

    def called(found: re.Match[str]) -> str:
        is_person = (found["who"] == "player to move") == is_own
        return ("you" if is_person else "opponent") + ("" if not found["has"] else " have" if is_person else " has")

    return re.sub(r"\b(?:the )?(?P<who>player to move|opponent)\b(?P<has> has\b)?", called, text)


def _numbers(word: str, count: int) -> tuple[int, ...]:
    """This many whole numbers, typed with spaces or commas between them; () if something else was typed."""
    parts = word.replace(",", " ").split()
    return tuple(map(int, parts)) if len(parts) == count and all(p.isdecimal() for p in parts) else ()


def _hold_numbers(choices: list[Choice]) -> bool:
    """Whether every name has numbers, such as those of squares, or one is a number: then these are typed, and the list is not numbered."""
    names = [c.name for c in choices]
    has_numbers = len(set(names)) == len(names) and all(any(map(str.isdigit, name)) for name in names)
    return has_numbers or not is_numbered(names)


def _spelt(word: str, choices: list[Choice]) -> list[Choice]:
    """The actions that a text spells: all numbers of their names, or some numbers and beginnings of words, in the order of the name."""
    numbers, letters = _numbers_in(word), re.findall(r"[^\W\d_]+", word.lower())
    if (not numbers and not letters) or re.match(r"\s*-\s*\d", word):  # -1 is no number of an action
        return []
    spelt = [c for c in choices if _in_order(letters, re.findall(r"[^\W\d_]+", c.name.lower()), str.startswith)]
    exact = [c for c in spelt if _numbers_in(c.name) == numbers]
    return exact or [c for c in spelt if _in_order(numbers, _numbers_in(c.name), int.__eq__)]


def _numbers_in(text: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"[0-9]+", text)]


def _in_order(wanted: list[Any], found: list[Any], fits: Callable[[Any, Any], bool]) -> bool:
    """Whether every wanted item matches a found one, in the same order."""
    rest = iter(found)
    return all(any(fits(item, one) for item in rest) for one in wanted)


def _listed(choices: list[Choice]) -> str:
    return ", ".join(c.name for c in choices[:6]) + (", ..." if len(choices) > 6 else "")

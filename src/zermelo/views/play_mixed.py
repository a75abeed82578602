"""A person plays a matrix game: both choose at once; the person picks a known strategy, and the other side draws from its mixture."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.numbers import percent_text
from zermelo.basics.words import counted, name_in_words
from zermelo.errors import ParameterError
from zermelo.matrix.plain import Matrix
from zermelo.solution import MixedSolution
from zermelo.uses.mixed import name
from zermelo.uses.units import measure
from zermelo.views.listed import listed, meant, what_to_type
from zermelo.views.play_hidden import NOTHING_LOST
from zermelo.views.words import amount_text

MOST_STRATEGIES = 60  # of a player, for a person to choose from
HELP = """  h  hint: how often the solution plays each strategy, and what it is worth
  s  the strategies, again
  a  the account
  q  quit"""


class Known:
    """The strategies of both players that the solution plays or that the game names, how often each is played, and its worth against
    the other's mixture to the player who plays it."""

    def __init__(self, solution: MixedSolution):
        self.solution, self.sign = solution, (1, -1)
        self.strategies = [_known(solution, seat) for seat in range(2)]
        mixtures = [solution.policy(seat) for seat in range(2)]
        self.shares = [[mixtures[seat].get(s, Fraction(0)) for s in self.strategies[seat]] for seat in range(2)]
        self.worth = [
            [sum((p * self.paid(seat, s, t) for t, p in mixtures[1 - seat].items() if p), Fraction(0)) for s in self.strategies[seat]]
            for seat in range(2)
        ]
        self.losses = [[max(worth) - w for w in worth] for worth in self.worth]
        self.names = [[solution.shown(seat, s) for s in self.strategies[seat]] for seat in range(2)]

    def paid(self, seat: int, own: Any, other: Any) -> Fraction:
        """A player's payoff for one of the own strategies against one of the other's."""
        return self.sign[seat] * self.solution.paid(*((own, other) if seat == 0 else (other, own)))

    def result(self, seat: int, pair: tuple[int, int]) -> Fraction:
        """A player's payoff for the strategies at these places, the row player's first."""
        row, column = (side[k] for side, k in zip(self.strategies, pair, strict=True))
        return self.paid(seat, row, column) if seat == 0 else self.paid(seat, column, row)

    def drawn(self, seat: int, errs: float = 0.0, most: float = 0.0, dice: random.Random | None = None) -> int:
        """The place of a strategy, drawn from the mixture; or of one that costs something, but at most `most`."""
        drawing: Any = dice or random
        worse = [k for k, loss in enumerate(self.losses[seat]) if NOTHING_LOST < loss <= most + NOTHING_LOST]
        if errs and worse and drawing.random() < errs:
            return drawing.choice(worse)
        place: int = drawing.choices(range(len(self.shares[seat])), [float(p) for p in self.shares[seat]])[0]
        return place

    def pair(self, seat: int, own: int, other: int) -> tuple[int, int]:
        return (own, other) if seat == 0 else (other, own)

    def text(self, pair: tuple[int, int]) -> str:
        """The strategies played, as text."""
        return "; ".join(f"{name}: {names[k]}" for name, names, k in zip(self.solution.players, self.names, pair, strict=True))


def _known(solution: MixedSolution, seat: int) -> list[Any]:
    played = sorted((s for s, p in solution.policy(seat).items() if p), key=lambda s: -solution.policy(seat)[s])
    named: Callable[[], Any] | None = getattr(solution.game, ("rows", "columns")[seat], None)
    if callable(named):
        played += [s for s in itertools.islice(named(), MOST_STRATEGIES) if s not in set(played)]
    return played[:MOST_STRATEGIES]


class Round(NamedTuple):
    """One choice of both players."""

    own: str
    other: str
    result: Fraction  # to the person
    loss: Fraction  # mean cost of the choice against the other's mixture


class Session:
    """Games in a row. `seat` : 0 the row player, 1 the column player, played by the person."""

    def __init__(self, solution: MixedSolution, seat: int, seed: int | None = None):
        if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
            raise ParameterError(f"the seat must be 1 ({solution.players[0]}) or 2 ({solution.players[1]})")
        self.solution, self.seat, self.known = solution, seat, Known(solution)
        self.names, self.rounds = self.known.names[seat], list[Round]()
        self._dice, self._measure = random.Random(seed), measure(solution.game)

    @property
    def value(self) -> Fraction:
        """The person's mean payoff if both play optimally."""
        return Fraction(self.known.sign[self.seat] * self.solution.value)

    def amount(self, value: Fraction) -> str:
        """A payoff as text, in the unit of the game."""
        return amount_text(self._measure, value)

    @property
    def account(self) -> Fraction:
        return sum((r.result for r in self.rounds), Fraction(0))

    def place(self, word: str) -> int:
        """The place of the strategy that a word means. Raises `ParameterError`."""
        found = meant(word, self.names)
        if len(found) == 1:
            return found[0]
        what = f"{word!r} can mean several strategies" if found else f"{word!r} is no strategy" if word else "nothing was typed"
        raise ParameterError(f"{what}: type {what_to_type(self.names, 'a strategy')}; ? is help")

    def act(self, place: int) -> Round:
        """The person chooses, and the other side draws."""
        pair = self.known.pair(self.seat, place, self.known.drawn(1 - self.seat, dice=self._dice))
        other = self.known.names[1 - self.seat][pair[1 - self.seat]]
        self.rounds.append(Round(self.names[place], other, self.known.result(self.seat, pair), self.known.losses[self.seat][place]))
        return self.rounds[-1]

    def as_data(self) -> dict[str, Any]:
        """The games as data for machines."""
        return {
            "game": name(self.solution.game),
            "player": self.solution.players[self.seat],
            "expected a game": self.value,
            "account": self.account,
            "cost of mistakes": sum((r.loss for r in self.rounds), Fraction(0)),
            "games": [r._asdict() for r in self.rounds],
        }


def converse(
    solution: MixedSolution, seat: int, seed: int | None, read: Callable[[str], str], write: Callable[..., None]
) -> dict[str, Any]:
    """Play in the terminal until the person leaves (q, end of input, Ctrl-C). Returns the games as data."""
    session = Session(solution, seat, seed)
    person, other = solution.players[seat], solution.players[1 - seat]
    game = solution.game
    title = name(game) if isinstance(game, Matrix) else name_in_words(game)
    write(f"{title}: you are the {person}, the {other} is the computer; both choose at once.")
    write(f"With best play you get {session.amount(session.value)} a game. ? is help.")
    _tell_strategies(session, write)
    try:
        while (line := read("> ").strip()) not in ("q", "quit"):
            _listen(session, line, write)
    except (EOFError, KeyboardInterrupt):
        write()
    _tell_account(session, write)
    return session.as_data()


def _listen(session: Session, line: str, write: Callable[..., None]) -> None:
    """Carry out what the person typed."""
    known, seat = session.known, session.seat
    if line in ("?", "help"):
        write(f"Type {what_to_type(session.names, 'a strategy')}.\n{HELP}")
    elif line in ("s", "strategies") and line not in session.names:
        _tell_strategies(session, write)
    elif line in ("a", "account") and line not in session.names:
        _tell_account(session, write)
    elif line in ("h", "hint") and line not in session.names:
        for text, share, worth in zip(session.names, known.shares[seat], known.worth[seat], strict=True):
            write(f"  {text}: played {percent_text(share)} %, worth {session.amount(worth)}")
    else:
        try:
            found = session.act(session.place(line))
        except ParameterError as error:
            write(str(error))
            return
        gained, account = session.amount(found.result), session.amount(session.account)
        so_far = f"after {counted(len(session.rounds), 'game')} {account}"
        write(f"  {found.own} against {found.other}: you get {gained}; {so_far}")
        if found.loss > NOTHING_LOST:
            write(f"  not the best: this costs {session.amount(found.loss)} on average against best play")


def _tell_strategies(session: Session, write: Callable[..., None]) -> None:
    for text in listed(session.names):
        write(f"  {text}")
    if len(session.names) == MOST_STRATEGIES:
        write("  (there may be more)")


def _tell_account(session: Session, write: Callable[..., None]) -> None:
    count = len(session.rounds)
    if count:
        games, average = counted(count, "game"), session.amount(session.account / count)
        write(f"{games}: {session.amount(session.account)}, {average} a game; with best play {session.amount(session.value)}")

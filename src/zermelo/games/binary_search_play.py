"""A person plays the binary search game for money: as Bob against an Alice who hides optimally, or as Alice against an optimal Bob.

For each game Alice pays floor(log2 n) dollars and gets a dollar a guess. The cost of a decision is reported at once: a guess is compared
with the best one, given Alice's mixture and the answers so far; a hiding place is compared with the value of the game.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from zermelo.errors import ParameterError
from zermelo.games.binary_search_growth import stake
from zermelo.games.binary_search_views import bob_pays
from zermelo.games.search_trees import Tree, guesses, solved
from zermelo.solution import MixedSolution

ALICE, BOB = 0, 1


class Round(NamedTuple):
    """One game."""

    secret: int
    guesses: tuple[int, ...]
    alice: int  # what she wins, in dollars
    cost: Fraction  # of the person's mistakes, on average


class Search:
    """The knowledge during a search for a number, from Alice's mixture and from the answers."""

    def __init__(self, solution: MixedSolution):
        n = solution.game.n
        common = lcm(*(p.denominator for p in solution.row.values()))
        self.weights = [int(solution.row.get(i, 0) * common) for i in range(1, n + 1)]
        self.least_cost, _ = solved(self.weights)
        self.low, self.high = 1, n  # the secret lies between, both included

    def loss(self, guess: int) -> Fraction:
        """The average cost of this guess to Bob compared with the best one, in dollars."""
        i, g, j = self.low - 1, guess - 1, self.high
        total = sum(self.weights[i:j])
        if not total:  # the mixture never hides here, so that nothing is known
            return Fraction(0)
        cost = total + int(self.least_cost[i, g]) + int(self.least_cost[g + 1, j])
        return Fraction(cost - int(self.least_cost[i, j]), total)

    def best(self) -> int:
        """A best guess."""
        return min(range(self.low, self.high + 1), key=self.loss)

    def remaining(self) -> Fraction:
        """The average number of guesses from here on."""
        i, j = self.low - 1, self.high
        total = sum(self.weights[i:j])
        return Fraction(int(self.least_cost[i, j]), total) if total else Fraction(0)

    def tell(self, secret: int, guess: int) -> str:
        """The answer to a guess, which narrows the range."""
        if secret < guess:
            self.high = guess - 1
            return "lower"
        if secret > guess:
            self.low = guess + 1
            return "higher"
        self.low = self.high = secret
        return "found"


class Session:
    """Games in a row, with a running account. `seat` : ALICE or BOB, the person."""

    def __init__(self, solution: MixedSolution, seat: int, seed: int | None = None):
        if seat not in (ALICE, BOB):
            raise ParameterError("the seat must be 1 (Alice, who hides) or 2 (Bob, who guesses)")
        self.solution, self.seat, self.n = solution, seat, solution.game.n
        self.stake = stake(self.n)
        self.dice = random.Random(seed)
        self.rounds: list[Round] = []
        self.paid = bob_pays(solution)
        self.begin()

    def begin(self) -> None:
        """A new game: Alice hides a number, unless she is the person."""
        self.search = Search(self.solution)
        self.guessed: list[int] = []
        self.cost = Fraction(0)
        self.secret = self._drawn(self.solution.row) if self.seat == BOB else 0

    def _drawn(self, mixture: Any) -> Any:
        return self.dice.choices(list(mixture), [float(p) for p in mixture.values()])[0]

    @property
    def account(self) -> int:
        """What the person has won so far, in dollars."""
        alice = sum(r.alice for r in self.rounds)
        return alice if self.seat == ALICE else -alice

    @property
    def expected(self) -> Fraction:
        """What the person wins a game if both play optimally."""
        alice = self.solution.value - self.stake
        return alice if self.seat == ALICE else -alice

    @property
    def lost(self) -> Fraction:
        """What the person's mistakes cost on average, all games together."""
        return sum((r.cost for r in self.rounds), Fraction(0))

    def guess(self, number: int) -> tuple[str, Fraction]:
        """The person, as Bob, guesses: the answer, and the cost of the guess. `ParameterError` if the number can't be the secret."""
        if not self.search.low <= number <= self.search.high:
            raise ParameterError(f"the number is between {self.search.low} and {self.search.high}, as you know")
        loss = self.search.loss(number)
        self.cost += loss
        self.guessed.append(number)
        answer = self.search.tell(self.secret, number)
        if answer == "found":
            self._end(self.secret)
        return answer, loss

    def hide(self, number: int) -> Round:
        """The person, as Alice, hides a number, and Bob finds it."""
        if not 1 <= number <= self.n:
            raise ParameterError(f"hide a number from 1 to {self.n}")
        self.guessed = path(self._drawn(self.solution.column), number)
        self.cost = self.solution.value - self.paid[number]
        self._end(number)
        return self.rounds[-1]

    def _end(self, secret: int) -> None:
        self.rounds.append(Round(secret, tuple(self.guessed), len(self.guessed) - self.stake, self.cost))
        self.begin()

    def as_data(self) -> dict[str, Any]:
        """The games for machines."""
        return {
            "game": "BinarySearch",
            "numbers": self.n,
            "player": self.solution.players[self.seat],
            "stake": self.stake,
            "account": self.account,
            "expected a game": self.expected,
            "cost of mistakes": self.lost,
            "games": [
                {"secret": r.secret, "guesses": r.guesses, "Alice wins": r.alice, "cost of mistakes": r.cost}
                for r in self.rounds
            ],
        }


def path(tree: Tree, number: int) -> list[int]:
    """The guesses that lead to the number."""
    depth = guesses(tree)
    low, high = 1, len(tree)
    found: list[int] = []
    while not found or found[-1] != number:
        key = min(range(low, high + 1), key=lambda k: depth[k - 1])
        found.append(key)
        low, high = (low, key - 1) if number < key else (key + 1, high)
    return found


# --- the conversation -------------------------------------------------------------------------------------------------

HELP = """Type a number.
  h  hint: the best guess, or the best places to hide     a  the account
  q  quit                                                 ?  this help"""


def converse(
    solution: MixedSolution, seat: int, seed: int | None, read: Callable[[str], str], write: Callable[..., None]
) -> dict[str, Any]:
    """Play in the terminal until the person leaves (q, end of input, Ctrl-C). Returns the games as data."""
    talk = _Talk(Session(solution, seat, seed), write)
    talk.welcome()
    try:
        while (line := read(talk.prompt()).strip()) not in ("q", "quit"):
            talk.listen(line)
    except (EOFError, KeyboardInterrupt):
        write()
    talk.account()
    return talk.session.as_data()


class _Talk:
    """The messages during the games."""

    def __init__(self, session: Session, write: Callable[..., None]):
        self.session, self.write = session, write
        self.person, self.other = session.solution.players[session.seat], session.solution.players[1 - session.seat]

    def welcome(self) -> None:
        s = self.session
        doing = "you hide a number, and he searches" if s.seat == ALICE else "she hides a number, and you guess"
        self.write(
            f"You are {self.person}: {doing}, both from 1 to {s.n}. Alice pays ${s.stake} for each game and gets $1 a guess."
        )
        other = "--seat 2: guess yourself" if s.seat == ALICE else "--seat 1: hide the number yourself"
        self.write(f"With best play you {won(s.expected)} a game. ({other}.) ? is help.")

    def prompt(self) -> str:
        search = self.session.search
        return "hide > " if self.session.seat == ALICE else f"{search.low} to {search.high} > "

    def listen(self, line: str) -> None:
        """Carry out the command that the person typed."""
        if line in ("?", "help"):
            self.write(HELP)
        elif line in ("h", "hint"):
            self.hint()
        elif line in ("a", "account"):
            self.account()
        elif not line.isascii() or not line.isdigit():
            self.write(f"{line!r} is no number; ? is help")
        else:
            try:
                self.number(int(line))
            except ParameterError as error:
                self.write(str(error))

    def number(self, number: int) -> None:
        """The person guesses, or hides."""
        session = self.session
        if session.seat == ALICE:
            game = session.hide(number)
            steps = ", ".join(
                f"{g} ({'lower' if number < g else 'higher' if number > g else 'found'})" for g in game.guesses
            )
            self.write(f"  Bob guesses {steps}")
            self.judge(game.cost, "hiding there")
        else:
            answer, loss = session.guess(number)
            self.write(f"  {answer}")
            self.judge(loss, "this guess")
        if session.guessed == []:  # the game is over, and another one begins
            self.settle(session.rounds[-1])

    def judge(self, loss: Fraction, what: str) -> None:
        if loss > 0:
            self.write(f"  not the best: {what} costs {money(loss, sign='')} on average")

    def settle(self, game: Round) -> None:
        """The result of a finished game."""
        session = self.session
        count = f"{len(game.guesses)} guess{'es' if len(game.guesses) > 1 else ''}"
        gain = game.alice if session.seat == ALICE else -game.alice
        games = f"{len(session.rounds)} game{'s' if len(session.rounds) > 1 else ''}"
        self.write(f"{count} for a stake of ${session.stake}: you {won(gain)}; after {games} {money(session.account)}")

    def hint(self) -> None:
        session = self.session
        if session.seat == BOB:
            search = session.search
            self.write(f"  guess {search.best()}; it takes {float(search.remaining()):.4f} more guesses on average")
            return
        best = [number for number in session.paid if session.paid[number] == session.solution.value]
        self.write(f"  {len(best)} of {session.n} numbers are as good as any; draw one, as Alice's mixture does")

    def account(self) -> None:
        session = self.session
        count = len(session.rounds)
        if not count:
            self.write("no game was finished.")
            return
        self.write(
            f"{count} game{'s' if count > 1 else ''}: {money(session.account)}, {money(Fraction(session.account, count))} a game; "
            f"with best play {money(session.expected)} on average"
        )
        if session.lost:
            self.write(f"your mistakes cost {money(session.lost, sign='')} on average")


def won(amount: Fraction | int) -> str:
    """win $2, lose $0.1961."""
    return f"{'lose' if amount < 0 else 'win'} {money(abs(Fraction(amount)), sign='')}"


def money(amount: Fraction | int, sign: str = "+") -> str:
    """Dollars: +$2, -$0.1961."""
    exact = Fraction(amount)
    text = str(abs(exact)) if exact.denominator == 1 else f"{float(abs(exact)):.4f}"
    return f"{'-' if exact < 0 else sign if exact > 0 else ''}${text}"

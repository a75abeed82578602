"""Games in which play may go round forever, most of them without payoffs on the way: our own rules, with the structure of models of which
QComp 2023 (the competition of model checkers) has many. Two players, 0 maximises."""

from collections.abc import Iterator
from typing import NamedTuple

PASS = -1  # the other player moves next


class Link(NamedTuple):
    chain: int  # 0: nowhere yet; 1 or 2; 3 when the play is over
    at: int  # whether it was won, when it is over


class OneLargeEnd(NamedTuple):
    """One end component of 2n + 1 states: one player chooses a chain, the other walks it to its end, or back. The value is 2/5."""

    n: int = 1000

    def start(self) -> Link:
        return Link(0, 0)

    def player(self, s: Link) -> int:
        return 1 if s.chain == 0 else 0

    def actions(self, s: Link) -> Iterator[int]:
        if s.chain < 3:
            yield 0
            yield 1

    def outcomes(self, s: Link, action: int) -> Iterator[tuple[int, int, Link]]:
        if s.chain == 0:
            yield 1, 0, Link(1 + action, 0)
        elif action == 0:
            yield 1, 0, Link(s.chain, s.at - 1) if s.at > 0 else Link(0, 0)
        elif s.at < self.n - 1:
            yield 1, 0, Link(s.chain, s.at + 1)
        else:
            yield 3 - s.chain + s.chain // 2, 0, Link(3, 1)  # 2 of 4, or 2 of 5
            yield 1 + s.chain, 0, Link(3, 0)

    def payoff(self, s: Link) -> int:
        return s.at if s.chain == 3 else 0


class Pair(NamedTuple):
    at: int
    side: int


class ManySmallEnds(NamedTuple):
    """n pairs of states that lead to one another; the maximiser goes on to the next pair from one of them. The value is 1/2."""

    n: int = 1000

    def start(self) -> Pair:
        return Pair(0, 0)

    def player(self, s: Pair) -> int:
        return s.side

    def actions(self, s: Pair) -> Iterator[int]:
        if s.at < self.n:
            yield 0
            if s.side == 0:
                yield 1

    def outcomes(self, s: Pair, action: int) -> Iterator[tuple[int, int, Pair]]:
        if action == 0:
            yield 1, 0, Pair(s.at, 1 - s.side)
        elif s.at < self.n - 1:
            yield 1, 0, Pair(s.at + 1, 0)
        else:
            yield 1, 0, Pair(self.n, 0)
            yield 1, 0, Pair(self.n + 1, 0)

    def payoff(self, s: Pair) -> int:
        return s.at - self.n


class Triple(NamedTuple):
    at: int
    place: int


class ManyTriples(NamedTuple):
    """n circles of three states that pay 1 and take it back; the maximiser leaves for a half on average, the minimiser could for 3. The
    value is n / 2."""

    n: int = 20_000

    def start(self) -> Triple:
        return Triple(0, 0)

    def player(self, s: Triple) -> int:
        return 1 if s.place == 1 else 0

    def actions(self, s: Triple) -> Iterator[int]:
        if s.at < self.n:
            yield 0
            if s.place < 2:
                yield 1

    def outcomes(self, s: Triple, action: int) -> Iterator[tuple[int, int, Triple]]:
        if action == 0:
            yield 1, s.place if s.place < 2 else -1, Triple(s.at, (s.place + 1) % 3)
        elif s.place == 1:
            yield 1, 3, Triple(s.at + 1, 0)
        else:
            yield 1, 0, Triple(s.at + 1, 0)
            yield 1, 1, Triple(s.at + 1, 0)

    def payoff(self, s: Triple) -> int:
        return 0


class Chase(NamedTuple):
    turn: int
    x: int
    y: int
    a: int
    b: int
    seen: int


class Search(NamedTuple):
    """A robot searches the far corner of an n x n grid, where a search finds one time of ten; a guard, who rests half of the time, sends
    it back to the start if he meets it. The robot surely finds at last: the value is 1, less `cost` for every move."""

    n: int = 10
    cost: int = 0

    def start(self) -> Chase:
        return Chase(0, 0, 0, self.n - 1, self.n - 1, 0)

    def player(self, s: Chase) -> int:
        return s.turn

    def actions(self, s: Chase) -> Iterator[int]:
        if s.seen < 2:
            for move in range(5):  # noqa: UP028 (`yield from` does not compile)
                yield move

    def outcomes(self, s: Chase, action: int) -> Iterator[tuple[int, int, Chase]]:
        dx = 1 if action == 1 else -1 if action == 2 else 0
        dy = 1 if action == 3 else -1 if action == 4 else 0
        if s.turn == 0:
            x, y = min(max(s.x + dx, 0), self.n - 1), min(max(s.y + dy, 0), self.n - 1)
            if action == 0 and x == self.n - 1 and y == self.n - 1:
                yield 1, 0, Chase(0, 0, 0, 0, 0, 2)
                yield 9, 0, s._replace(turn=1)
            else:
                yield 1, -self.cost, s._replace(turn=1, x=x, y=y)
        else:
            a, b = min(max(s.a + dx, 0), self.n - 1), min(max(s.b + dy, 0), self.n - 1)
            caught = a == s.x and b == s.y
            yield 1, 0, s._replace(turn=0, a=a, b=b, x=0 if caught else s.x, y=0 if caught else s.y)
            yield 1, 0, s._replace(turn=0)

    def payoff(self, s: Chase) -> int:
        return 1 if s.seen == 2 else 0


class Step(NamedTuple):
    at: int


def mixed(a: int, b: int) -> int:
    """A number below 2^31 that looks random."""
    x = (a * 7919 + b * 104729 + 12345) % 2147483647
    x = (x ^ (x >> 7)) * 48271 % 2147483647
    return (x ^ (x >> 11)) * 69621 % 2147483647 >> 3


class LongChain(NamedTuple):
    """Up to three ways to go on from each of n places in a row, by up to 3 places forwards or 2 back. Play is certain to end: one component
    of nearly n states, through which it takes some n moves."""

    n: int = 1000

    def start(self) -> Step:
        return Step(0)

    def actions(self, s: Step) -> Iterator[int]:
        if s.at < self.n:
            for action in range(1 + mixed(s.at, 0) % 3):  # noqa: UP028
                yield action

    def outcomes(self, s: Step, action: int) -> Iterator[tuple[int, int, Step]]:
        k = mixed(s.at, 5 + action)
        yield 3 + k % 3, -1 - k % 4, Step(min(self.n, s.at + 1 + k // 7 % 3))
        yield 1 + k % 2, k // 50 % 3, Step(max(0, s.at - 1 - k // 11 % 2))

    def payoff(self, s: Step) -> int:
        return 5


class FreeWaiting(NamedTuple):
    """A walk up or down between two ends, of which the upper one pays `reward`: a step up succeeds 2 times of 3, and costs `cost`. Waiting
    is free, so that play can stay anywhere forever."""

    n: int = 1000
    cost: int = 1
    reward: int = 100_000

    def start(self) -> Step:
        return Step(self.n // 2)

    def actions(self, s: Step) -> Iterator[int]:
        if 0 < s.at < self.n:
            for action in range(3):  # noqa: UP028
                yield action

    def outcomes(self, s: Step, action: int) -> Iterator[tuple[int, int, Step]]:
        if action == 2:
            yield 1, 0, s
        else:
            yield 2 - action, -self.cost, Step(s.at + 1)
            yield 1 + action, -self.cost, Step(s.at - 1)

    def payoff(self, s: Step) -> int:
        return self.reward if s.at == self.n else 0


class Square(NamedTuple):
    x: int
    y: int


class SlipperyMaze(NamedTuple):
    """From one corner of an n x n maze to the other one, each move costs 1: a step goes where it should 8 times of 10, else to a side, and
    nowhere if something stands there. Play is certain to end only if one tries to."""

    n: int = 100

    def start(self) -> Square:
        return Square(0, 0)

    def actions(self, s: Square) -> Iterator[int]:
        if s.x < self.n - 1 or s.y < self.n - 1:
            for direction in range(4):  # noqa: UP028
                yield direction

    def outcomes(self, s: Square, direction: int) -> Iterator[tuple[int, int, Square]]:
        for turn in (-1, 0, 1):
            to = (direction + turn) % 4
            x = min(max(s.x + (to == 0) - (to == 2), 0), self.n - 1)
            y = min(max(s.y + (to == 1) - (to == 3), 0), self.n - 1)
            if (7 * x + 5 * y) % 11 == 9 and x * y % 3 == 1:  # something stands here
                x, y = s.x, s.y
            yield (8 if turn == 0 else 1), -1, Square(x, y)

    def payoff(self, s: Square) -> int:
        return 0


class Plane(NamedTuple):
    """From one corner of n x n squares to the other one, each move costs 1: to the right or down 7 times of 10, else backwards. Nearly
    everywhere either is as good."""

    n: int = 100

    def start(self) -> Square:
        return Square(0, 0)

    def actions(self, s: Square) -> Iterator[int]:
        if s.x < self.n - 1 or s.y < self.n - 1:
            yield 0
            yield 1

    def outcomes(self, s: Square, down: int) -> Iterator[tuple[int, int, Square]]:
        for ways, step in ((7, 1), (3, -1)):
            if down:
                yield ways, -1, s._replace(y=min(max(s.y + step, 0), self.n - 1))
            else:
                yield ways, -1, s._replace(x=min(max(s.x + step, 0), self.n - 1))

    def payoff(self, s: Square) -> int:
        return 0


class Runners(NamedTuple):
    """Who comes to n first wins. A step forward succeeds 2 times of 3, a leap of two steps 2 times of 4; who fails falls back 1 or 3."""

    n: int = 100

    def start(self) -> Square:
        return Square(0, 0)

    def actions(self, s: Square) -> Iterator[int]:
        if s.y < self.n:
            yield 0
            yield 1

    def outcomes(self, s: Square, leaps: int) -> Iterator[tuple[int, int, Square, int]]:
        """x is where the player to move is, y where the other one is."""
        yield 2, 0, Square(s.y, min(s.x + 1 + leaps, self.n)), PASS
        yield 1 + leaps, 0, Square(s.y, max(s.x - 1 - 2 * leaps, 0)), PASS

    def payoff(self, s: Square) -> int:
        return -1


class Queues(NamedTuple):
    """Two queues of up to n customers who cost as long as they wait, for ever; one of them is served. There is no value."""

    n: int = 20

    def start(self) -> Square:
        return Square(0, 0)

    def actions(self, s: Square) -> Iterator[int]:
        yield 0
        yield 1

    def outcomes(self, s: Square, served: int) -> Iterator[tuple[int, int, Square]]:
        paid = -2 * s.x - 3 * s.y
        yield 3, paid, Square(min(s.x + 1, self.n), s.y)
        yield 2, paid, Square(s.x, min(s.y + 1, self.n))
        if served == 0:
            yield 7, paid, Square(max(s.x - 1, 0), s.y)
        else:
            yield 7, paid, Square(s.x, max(s.y - 1, 0))


class Place(NamedTuple):
    x: int


class RandomGraph(NamedTuple):
    """From each of n states, most of them no end, two players in turn choose among four actions, each with five outcomes anywhere (after
    Archibald, McKinnon and Thomas 1995, "Garnets"), which are paid 0 to 99; play ends in one state of 97."""

    n: int = 1000

    def start(self) -> Place:
        return Place(1)

    def player(self, s: Place) -> int:
        return s.x % 2

    def actions(self, s: Place) -> Iterator[int]:
        if s.x % 97 != 0:
            for action in range(4):  # noqa: UP028
                yield action

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        drawn = (s.x * 7919 + action * 104729 + 17) % 1000003
        for _ in range(5):
            drawn = (drawn * 48271 + 11) % 2147483647
            yield 1 + drawn % 7, drawn // 7 % 100, Place(drawn // 700 % self.n)

    def payoff(self, s: Place) -> int:
        return 0

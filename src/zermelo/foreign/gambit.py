"""Gambit's files: extensive games (.efg) as tables of nodes, and strategic games (.nfg) as matrix games given by best responses.

Both formats are words, numbers and texts in quotes, in braces; white space and commas have no meaning. In an .efg the nodes are in prefix
order.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from zermelo.basics.disk import read_whole
from zermelo.basics.notices import notify
from zermelo.basics.words import counted
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.foreign.modules import class_from
from zermelo.foreign.tables import (
    Move,
    Outcome,
    Table,
    class_name,
    in_decimals,
    is_decimal,
    notes_on_numbers,
    text_of,
    titled,
)
from zermelo.foreign.text import harmless

TOKEN = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|(?P<brace>[{}])|(?P<space>[\s,]+)|(?P<word>[^\s,{}"]+)', re.DOTALL)
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?(/\d+)?")
SHORT = 40  # characters of a number that are shown
LARGE = 10**100  # larger than any number allowed in rules
MOST = 1_000_000  # nodes
MOST_PAID = 3 * 10**18  # by an outcome: what a move pays, in the beginning the sum of two, is then below 2^63
CHANCE = 0


class Text(NamedTuple):
    """The rules of a game as text."""

    text: str
    class_name: str
    notes: tuple[str, ...]


def from_gambit(source: Any) -> Any:
    """A game of Gambit, as a game that every verb accepts: a file (.efg or .nfg), the text of one, or a game of pygambit.

    The game has two players with a constant sum, or one player; the value is the first player's. An extensive game in which players do not
    see everything has hidden information, and its players must have perfect recall; if everybody sees everything, it is a game with
    states. Labels are kept. A strategic game is a matrix game given by best responses. Probabilities and payoffs are read as the fractions
    or decimals that they are written as; in an extensive game, a payoff that is not a decimal, such as 7/3, is paid as 2 or 3 with that
    mean, and a notice says so, as it does if a number has to be rounded. Raises `FileError` with the line that can't be read, and
    `OutOfReach` for other games, and for payoffs beyond 3e18 in an extensive one.
    """
    where, word = "the game", ""
    if hasattr(source, "to_efg"):
        text, name = source.to_efg() if source.is_tree else source.to_nfg(), str(getattr(source, "title", "")) or "gambit"
    elif isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:3] in ("EFG", "NFG"):
        where, text, name = "the text", source, "gambit"
    elif isinstance(source, str) and "\n" in source.strip():
        raise FileError(f"the text begins with {shorten(source, 60, placeholder=' ...')!r}, and files of Gambit with EFG 2 or NFG 1")
    elif isinstance(source, str | Path) and str(source).strip():
        path = Path(source)
        where = word = str(path)
        text, name = contents(path), path.stem
    else:
        raise ParameterError(f"from_gambit takes the path of a file, its text, or a game of pygambit, not {source!r}")
    made = text_of_gambit(text, where)
    for note in made.notes:
        notify(f"{where}: {note}")
    return class_from(made.text, made.class_name, name, f"translation of {made.class_name}", word=word, source=text)()


def contents(path: Path) -> str:
    """The text of a file. Raises `FileError`."""
    try:
        return read_whole(path).decode("utf-8", "replace")
    except OSError as error:
        raise FileError(f"can't read {path}: {error.strerror or error}") from None


def text_of_gambit(text: str, where: str) -> Text:
    """The rules of the game in an .efg or .nfg. Raises `FileError`, `OutOfReach`."""
    found = read(text, where)
    if isinstance(found, Matrix):
        return _matrix_text(found)
    table = found.table()
    return Text(text_of(table), table.name, tuple(_notes(found, table)))


def read(text: str, where: str) -> Tree | Matrix:
    """What an .efg or .nfg says. Raises `FileError`, `OutOfReach`."""
    reader = Reader(text, where)
    kind = reader.word()
    if kind == "EFG":
        reader.expect("2")
    elif kind == "NFG":
        reader.expect("1")
    else:
        raise reader.error(f"it begins with {kind!r}, and files of Gambit with EFG 2 or NFG 1")
    if reader.word() not in ("R", "D"):
        raise reader.error("after the version stands R")
    title, players = reader.quoted(), reader.names()
    if not 1 <= len(players) <= 2:
        raise OutOfReach(f"{where} is for {len(players)} players, and games are solved for one or two")
    if kind == "NFG":
        return _strategic(reader, title, players)
    comment = reader.quoted() if reader.next_is_text() else ""
    return Tree(reader, title, players, comment)


def _notes(tree: Tree, table: Table) -> Iterator[str]:
    """Notes on differences from the file."""
    yield from notes_on_numbers(table.moves, next((paid[0] for paid in tree.paid[1:] if not is_decimal(paid[0])), 0))
    rounded = next((f for f in table.final if not is_decimal(Fraction(f))), None)
    if rounded is not None:
        yield f"the payoff {rounded} of a game without moves is rounded to a float"


# --- reading --------------------------------------------------------------------------------------------------------------


class Reader:
    """The sequence of words of a file."""

    def __init__(self, text: str, where: str):
        self.text, self.where, self.at, self.last = text.lstrip("\ufeff"), where, 0, 0

    def error(self, said: str) -> FileError:
        return FileError(self.at_line(said))

    def at_line(self, said: str) -> str:
        return f"{self.where} line {self.text.count(chr(10), 0, self.last) + 1}: {' '.join(said.split())}"

    def _next(self, take: bool = True) -> tuple[str, str]:
        """The kind and the text of the next word; two empty texts at the end."""
        at = self.at
        while found := TOKEN.match(self.text, at):
            if found.lastgroup != "space":
                if take:
                    self.last, self.at = found.start(), found.end()
                return str(found.lastgroup), found.group()
            at = found.end()
        if take:
            self.last = self.at = at
        if at < len(self.text):
            raise self.error("a text in quotes has no end")
        return "", ""

    def next_is_text(self) -> bool:
        return self._next(take=False)[0] == "text"

    def next_is(self, brace: str) -> bool:
        return self._next(take=False) == ("brace", brace)

    def is_at_end(self) -> bool:
        return self._next(take=False)[0] == ""

    def word(self) -> str:
        kind, text = self._next()
        if kind != "word":
            raise self.error(f"a word is missing before {text}" if text else "it ends too early")
        return text

    def expect(self, wanted: str) -> None:
        text = self._next()[1]
        if text != wanted:
            raise self.error(f"{wanted} should stand here, and not {text or 'the end'}")

    def quoted(self) -> str:
        kind, text = self._next()
        if kind != "text":
            raise self.error(f"a text in quotes should stand here, and not {text or 'the end'}")
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)

    def whole(self) -> int:
        text = self.word()
        if not re.fullmatch(r"\d{1,9}", text):
            raise self.error(f"{text} is no whole number")
        return int(text)

    def number(self) -> Fraction:
        """A number: 3, -.5, 1e-3, 1/3."""
        text = self.word()
        try:
            if not NUMBER.fullmatch(text):
                raise ValueError
            over, _, under = text.partition("/")
            found = Fraction(over) / int(under or 1)
            if abs(found) >= LARGE:
                raise ValueError
            return found
        except (ValueError, ZeroDivisionError):
            shown = text if len(text) <= SHORT else f"{text[:SHORT]}..."
            raise self.error(f"{shown} is no number below 1e100") from None

    def names(self) -> list[str]:
        self.expect("{")
        found = []
        while not self.next_is("}"):
            found.append(self.quoted())
        self.expect("}")
        return found

    def numbers(self, count: int) -> list[Fraction]:
        self.expect("{")
        found = []
        while not self.next_is("}"):
            found.append(self.number())
            if abs(found[-1]) > MOST_PAID:
                raise OutOfReach(self.at_line(f"a payoff of {found[-1]}; in an extensive game, payoffs are numbers from -3e18 to 3e18"))
        self.expect("}")
        if len(found) != count:
            raise self.error(f"{counted(len(found), 'payoff')} for {counted(count, 'player')}")
        return found


# --- extensive games ------------------------------------------------------------------------------------------------------


class Set(NamedTuple):
    """An information set or a chance move: the labels of the actions, and the probabilities of chance."""

    labels: tuple[str, ...]
    chances: tuple[Fraction, ...]


def _named(labels: Sequence[str]) -> tuple[str, ...]:
    """What actions or strategies are called: by their labels, one without a label by its number; all by their numbers if two are alike."""
    numbers = tuple(map(str, range(1, len(labels) + 1)))
    found = tuple(label or number for label, number in zip(labels, numbers, strict=True))
    return found if len(set(found)) == len(found) else numbers


def _move(action: int, outcomes: list[Outcome]) -> Move:
    """A move whose payoffs are decimals, with the same means."""
    return Move(action, [part for o in outcomes for part in in_decimals(o) if part.weight or not o.weight])


class Tree:
    """The nodes of an extensive game, in the order of the file.

    labels, ends   of each node: its label, and the number of its outcome
    called         the names of information sets and chance moves, and of outcomes by their number alone
    """

    def __init__(self, reader: Reader, title: str, players: list[str], comment: str):
        self.reader, self.title, self.players, self.comment = reader, title, players, comment
        self.labels: list[str] = []
        self.ends: list[int] = []
        self.called: dict[Any, str] = {}
        self.sets: dict[tuple[int, int], Set] = {}
        self.uses: dict[tuple[int, int], int] = {}  # nodes in each
        self.outcomes: dict[int, list[Fraction]] = {}
        self.kinds: list[tuple[int, int]] = []  # of each node: player (0 chance, -1 over) and information set
        self.children: list[list[int]] = []
        self.paid: list[list[Fraction]] = []  # on reaching each node
        self.paths: list[str] = []
        waiting: list[tuple[int, str]] = [(-1, "")]  # the parent of the next node, and the label of the move to it
        while waiting:
            parent, path = waiting.pop()
            number, labels = self._node()
            self.paths.append(path or "start")
            if parent >= 0:
                self.children[parent].append(number)
            waiting += [(number, f"{path}, {label}" if path else label) for label in reversed(_named(labels))]
        if not reader.is_at_end():
            raise reader.error(f"the tree is complete, and {reader._next()[1]} is too much")
        self._pay_after_the_root()

    def _pay_after_the_root(self) -> None:
        """Let the moves of the root pay what is paid on reaching it: no move leads there."""
        for child in self.children[0]:
            self.paid[child] = [a + b for a, b in zip(self.paid[0], self.paid[child], strict=True)]
        if self.children[0]:
            self.paid[0] = [Fraction(0)] * len(self.players)

    def _node(self) -> tuple[int, tuple[str, ...]]:
        """Read a node; its number and the labels of its actions."""
        reader = self.reader
        if len(self.kinds) >= MOST:
            raise OutOfReach(f"{reader.where} has more than {MOST:,} nodes")
        kind = reader.word()
        if kind not in ("c", "p", "t"):
            raise reader.error(f"a node begins with c, p or t, and not with {kind}")
        self.labels.append(reader.quoted())
        player, number, labels = -1, 0, tuple[str, ...]()
        if kind != "t":
            player = reader.whole() if kind == "p" else CHANCE
            if kind == "p" and not 1 <= player <= len(self.players):
                raise reader.error(f"there is no player {player}")
            number = reader.whole()
            labels = self._set(player, number).labels
        self.kinds.append((player, number))
        self.children.append([])
        self.paid.append(self._outcome())
        return len(self.kinds) - 1, labels

    def _set(self, player: int, number: int) -> Set:
        reader, key = self.reader, (player, number)
        if reader.next_is_text():
            self._call(key, reader.quoted())
        self.uses[key] = self.uses.get(key, 0) + 1
        if not reader.next_is("{"):
            if key not in self.sets:
                raise reader.error("the actions of an information set are missing where it is named first")
            return self.sets[key]
        reader.expect("{")
        labels, chances = [], []
        while not reader.next_is("}"):
            labels.append(reader.quoted())
            if player == CHANCE:
                chances.append(reader.number())
        reader.expect("}")
        if not labels:
            raise reader.error("a node that is not over needs an action")
        if chances and min(chances) < 0:
            raise reader.error(f"a probability is negative: {min(chances)}")
        if player == CHANCE and sum(chances) != 1:
            raise reader.error(f"the probabilities {', '.join(map(str, chances))} sum to {sum(chances)}, not to 1")
        known = self.sets.setdefault(key, Set(tuple(labels), tuple(chances)))
        if known != (tuple(labels), tuple(chances)):
            raise reader.error(f"information set {number} has other actions here than before: {', '.join(labels)}")
        return known

    def _outcome(self) -> list[Fraction]:
        """What is paid on reaching a node; nothing by outcome 0, which can't be declared."""
        reader, nothing = self.reader, [Fraction(0)] * len(self.players)
        number = reader.whole()
        self.ends.append(number)
        if reader.next_is_text():
            self._call(number, reader.quoted())
        found = reader.numbers(len(self.players)) if reader.next_is("{") else None
        if not number:
            if found and any(found):
                raise reader.error(f"outcome 0 pays nothing, and here it pays {', '.join(map(str, found))}: give it a number of its own")
            return nothing
        if found is None and number not in self.outcomes:
            raise reader.error(f"what outcome {number} pays is missing where it is named first")
        if found is not None and self.outcomes.setdefault(number, found) != found:
            raise reader.error(f"outcome {number} pays something else here than before")
        return self.outcomes[number]

    def _call(self, key: Any, name: str) -> None:
        """Note a name; the first that is not empty counts."""
        self.called[key] = self.called.get(key) or name

    def table(self) -> Table:
        """The nodes. A payoff on reaching a node is paid by the move to it; that of a root without moves, by the end."""
        self._check_sum()
        is_seen = all(player == CHANCE or self.uses[player, number] == 1 for player, number in self.sets)
        if not is_seen:
            self._check_recall()
        names: dict[str, int] = {}
        moves: list[Sequence[Move]] = []
        for (player, number), children in zip(self.kinds, self.children, strict=True):
            after = [(self.paid[child][0], child) for child in children]
            if player < 0:
                moves.append([])
                continue
            known = self.sets[player, number]
            if player == CHANCE:
                moves.append([_move(-1, [Outcome(w, paid, n) for w, (paid, n) in zip(known.chances, after, strict=True)])])
                continue
            ends = zip(_named(known.labels), after, strict=True)
            moves.append([_move(names.setdefault(a, len(names)), [Outcome(1, *end)]) for a, end in ends])
        seen = [[number if player == p else 0 for player, number in self.kinds] for p in (1, 2)]
        final = [self.paid[0][0] if player < 0 else Fraction(0) for player, _ in self.kinds]
        said = {number: label for label, number in names.items()} | ({-1: "chance"} if any(p == CHANCE for p, _ in self.kinds) else {})
        return Table(
            class_name(self.title or "Game"), self.title or "A game of Gambit", moves, player=[int(p == 2) for p, _ in self.kinds],
            final=list(final), sees=None if is_seen else (seen[0], seen[1]), names=said, shown=self.paths,
            called=({}, {}) if is_seen else (self._sets_called(1), self._sets_called(2)),
            remarks=(f"Read from a file of Gambit; values are those of {self.players[0] or 'the first player'}.",),
        )  # fmt: skip

    def _sets_called(self, player: int) -> dict[int, str]:
        """The names of a player's information sets, by number; those that are called alike have their number, too."""
        found = {number: name for (p, number) in self.sets if p == player and (name := self.called.get((p, number)))}
        often = Counter(found.values())
        return {number: name if often[name] == 1 else f"{name} ({number})" for number, name in found.items()}

    def _check_sum(self) -> None:
        """Raise `OutOfReach` unless the sum of two players' payoffs is the same wherever play ends."""
        if len(self.players) < 2:
            return
        total = [sum(self.paid[0], Fraction(0))] * len(self.kinds)
        for node, children in enumerate(self.children):
            for child in children:
                total[child] = total[node] + sum(self.paid[child], Fraction(0))
        ends = [node for node, (player, _) in enumerate(self.kinds) if player < 0]
        odd = next((node for node in ends if total[node] != total[ends[0]]), None)
        if odd is not None:
            raise OutOfReach(
                f"{self.reader.where} is general-sum, and only games of a constant sum are solved: after {self.paths[ends[0]]} both get "
                f"{total[ends[0]]} in all, after {self.paths[odd]} {total[odd]}"
            )

    def _check_recall(self) -> None:
        """Raise `OutOfReach` where a player has made other choices before one node of an information set than before another."""
        nothing = (0, -1)  # the information set and the action of a player's last choice
        last = [(nothing, nothing)] * len(self.kinds)
        before: dict[tuple[int, int], int] = {}  # the first node of each set
        is_played = [True] * len(self.kinds)
        for node, ((player, number), children) in enumerate(zip(self.kinds, self.children, strict=True)):
            chooses = player > CHANCE and len(children) > 1
            if chooses and is_played[node]:
                one = before.setdefault((player, number), node)
                if last[one][player - 1] != last[node][player - 1]:
                    chosen = [self._choice(player, *last[n][player - 1]) for n in (one, node)]
                    said = (
                        f"{self.players[player - 1] or f'player {player}'} does not remember all own choices, and only games of perfect "
                        f"recall are solved: information set {number} has the nodes ({self.paths[one]}) and ({self.paths[node]}); the last "
                        f"choice before the first of them is {chosen[0]}, before the second {chosen[1]}"
                    )
                    raise OutOfReach(f"{self.reader.where}: {' '.join(said.split())}")
            for k, child in enumerate(children):
                is_played[child] = is_played[node] and (player != CHANCE or self.sets[player, number].chances[k] > 0)
                mine = (number, k)
                last[child] = last[node] if not chooses else (mine, last[node][1]) if player == 1 else (last[node][0], mine)

    def _choice(self, player: int, number: int, action: int) -> str:
        return "none" if action < 0 else f"{_named(self.sets[player, number].labels)[action]} in information set {number}"


# --- strategic games ------------------------------------------------------------------------------------------------------


class Matrix(NamedTuple):
    """A strategic game: the strategies of both players, and what both are paid for all pairs, those of the first player varying fastest.
    ends : the number of the outcome of each pair, and name and payoffs of each outcome, from number 1 on; None if payoffs are listed."""

    title: str
    players: list[str]
    labels: list[list[str]]
    comment: str
    payoffs: list[list[Fraction]]
    ends: tuple[list[int], list[tuple[str, list[Fraction]]]] | None


def _strategic(reader: Reader, title: str, players: list[str]) -> Matrix:
    """A constant-sum bimatrix."""
    if len(players) < 2:
        raise OutOfReach(f"{reader.where} is a strategic game for one player: he takes the best of his strategies")
    reader.expect("{")
    labels: list[list[str]] = []
    while not reader.next_is("}"):
        labels.append(reader.names() if reader.next_is("{") else [str(k + 1) for k in range(reader.whole())])
    reader.expect("}")
    if len(labels) != 2 or not all(labels):
        raise reader.error("both players need strategies")
    comment, ends = reader.quoted() if reader.next_is_text() else "", None
    size = math.prod(map(len, labels))
    if reader.next_is("{"):
        ends = numbers, outcomes = _by_outcomes(reader, size)
        listed = [outcomes[number - 1][1] if number else [Fraction(0), Fraction(0)] for number in numbers]
    else:
        listed = [[reader.number(), reader.number()] for _ in range(size)]
    if not reader.is_at_end():
        raise reader.error(f"all payoffs are there, and {reader._next()[1]} is too much")
    odd = next((pair for pair in listed if sum(pair) != sum(listed[0])), None)
    if odd is not None:
        sums = f"{sum(listed[0])} in one place, {sum(odd)} in another"
        raise OutOfReach(f"{reader.where} is general-sum, and only games of a constant sum are solved: both get {sums}")
    return Matrix(title, players, labels, comment, listed, ends)


def _by_outcomes(reader: Reader, size: int) -> tuple[list[int], list[tuple[str, list[Fraction]]]]:
    """The number of the outcome in each place, 0 being nothing, and name and payoffs of the outcomes."""
    outcomes = []
    reader.expect("{")
    while not reader.next_is("}"):
        reader.expect("{")
        name = reader.quoted() if reader.next_is_text() else ""
        outcomes.append((name, [reader.number(), reader.number()]))
        reader.expect("}")
    reader.expect("}")
    numbers = [reader.whole() for _ in range(size)]
    if max(numbers) > len(outcomes):
        raise reader.error(f"there is no outcome {max(numbers)}")
    return numbers, outcomes


def _number(payoff: Fraction) -> str:
    """A payoff in rules."""
    return str(payoff) if payoff.denominator == 1 else f"Fraction({payoff.numerator}, {payoff.denominator})"


def _matrix_text(found: Matrix) -> Text:
    """A strategic game as rules."""
    title, players, labels = found.title, found.players, found.labels
    rows = len(labels[0])
    payoffs = [[found.payoffs[i + rows * j][0] for j in range(len(labels[1]))] for i in range(rows)]
    unit = math.lcm(*(p.denominator for row in payoffs for p in row))
    if max(abs(p) for row in payoffs for p in row) * unit > LARGE:
        unit = 1
    name = class_name(title or "Game")
    table = "".join(f"    ({', '.join(_number(p * unit) for p in row)},),\n".replace(",,", ",") for row in payoffs)
    said = harmless(title or "A strategic game of Gambit")
    return Text(
        f'''"""{said}."""

from fractions import Fraction
from typing import NamedTuple

PAYOFF = (
{table})
PLAYERS = ({players[0]!r}, {players[1]!r})
ROWS = {_named(labels[0])!r}
COLUMNS = {_named(labels[1])!r}


class {name}(NamedTuple):
    """{said}"""

    title = {titled(said)!r}

    def rows(self):
        return range(len(ROWS))

    def columns(self):
        return range(len(COLUMNS))

    def payoff(self, row, column):
        return PAYOFF[row][column]

    def unit(self):
        return Fraction(1, {unit})

    def best_row(self, weights):
        return max(self.rows(), key=lambda i: sum(w * PAYOFF[i][j] for j, w in weights.items()))

    def players(self):
        return PLAYERS

    def show_row(self, row):
        return ROWS[row]

    def show_column(self, column):
        return COLUMNS[column]
''',
        name,
        (),
    )

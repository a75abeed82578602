"""A game given node by node, by the outcomes of every action: the text of its rules, in which the numbers are constant tables.

Environments with a transition table, game trees and explicit models use this module, and decide what the nodes are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import floor, gcd, lcm, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.basics.numbers import short_decimal
from zermelo.errors import OutOfReach
from zermelo.foreign.modules import answers_to, class_from
from zermelo.foreign.python import WHOLE, safe
from zermelo.foreign.text import harmless
from zermelo.language.units import LONGEST_TITLE

if TYPE_CHECKING:
    from zermelo.foreign.asked import Question

SIMPLE = 10**6  # a probability is read as a fraction with a denominator of at most this
NEAR = 1e-15  # and may differ from it by this much
OFF = 1e-9  # a sum of probabilities that is this far from 1 is refused
OWN = {  # names in the texts
    "State", "Annotated", "NamedTuple", "Fraction", "FIRST", "ACTION", "OUTCOME", "WAYS", "PAYOFF", "NEXT", "FINAL", "PLAYER", "PLAYERS",
    "SEES_0", "SEES_1", "NAMES", "SHOWN", "ROWS", "COLUMNS",
}  # fmt: skip
MOST = 4_000_000  # outcomes in a table
LARGE = 2**62  # from here on whole payoffs are floats
LONG = 20_000  # numbers of a constant that is written as a text


class Outcome(NamedTuple):
    """An outcome of an action: its weight, payoff and next node."""

    weight: Fraction | int
    payoff: Fraction | int
    next: int


class Move(NamedTuple):
    """An action of a node, and its outcomes."""

    action: int
    outcomes: Sequence[Outcome]


@dataclass
class Table:
    """A game by nodes, which are numbered from 0. A node without moves is final."""

    name: str  # of the class
    title: str  # its description, in one line
    moves: list[Sequence[Move]]
    start: int = 0
    player: list[int] = field(default_factory=list)  # of every node; empty if player 0 moves everywhere
    final: list[Fraction | int] = field(default_factory=list)  # the payoff of every node if play ends there; empty if there are none
    sees: tuple[list[int], list[int]] | None = None  # what each player sees in every node, as a number; None: everything
    called: tuple[Mapping[int, str], Mapping[int, str]] = ({}, {})  # the numbers of `sees` that have names, different ones, for each player
    names: Mapping[int, str] = field(default_factory=dict)  # of actions
    shown: Sequence[str] = ()  # every node as text
    node: str = "node"  # the name of the field of the state
    steps: int = 0  # play ends after this many moves; 0: no limit
    is_drawn: bool = False  # whether the move at the start only draws where play begins; it does not count in `steps`
    remarks: tuple[str, ...] = ()  # remarks for a reader of the rules
    notes: tuple[str, ...] = ()  # differences from the source
    must_end: bool = False
    is_counted: bool = False  # whether the actions of every node are 0, 1, 2, ...: an action then leads to its row without a search
    gives_up: bool = False  # whether player 1 may end play wherever it moves, at the price of the parameter `never`
    question: Question | None = None  # what the value of the game means, if a property was asked


def text_of(table: Table) -> str:
    """The rules as a Python file. Raises `OutOfReach` for tables that are too large to write."""
    rows = [m for moves in table.moves for m in moves]
    outcomes = [(o, w) for m in rows for o, w in zip(m.outcomes, whole([o.weight for o in m.outcomes]), strict=True)]
    check_size(table.title, len(outcomes))
    is_short = all(len(m.outcomes) == 1 for m in rows)
    said = textwrap.fill(harmless(" ".join([table.title.rstrip(".") + ".", *table.remarks])), 110)
    parts = [f'"""{said}"""', "", "from typing import Annotated, NamedTuple", ""]
    parts += constant("FIRST", starts(len(moves) for moves in table.moves), "node n has the rows FIRST[n] to FIRST[n + 1] - 1")
    if not table.is_counted:
        parts += constant("ACTION", [m.action for m in rows], "of each row")
    if not is_short:
        parts += constant("OUTCOME", starts(len(m.outcomes) for m in rows), "row r has the outcomes OUTCOME[r] to OUTCOME[r + 1] - 1")
        parts += constant("WAYS", [w for _, w in outcomes])
    parts += constant("PAYOFF", [_number(o.payoff) for o, _ in outcomes])
    parts += constant("NEXT", [o.next for o, _ in outcomes])
    if any(table.final):
        parts += constant("FINAL", [_number(f) for f in table.final], "what a node pays if play ends there")
    if any(table.player):
        parts += constant("PLAYER", table.player)
    for player, numbers in enumerate(table.sees or ()):
        parts += constant(f"SEES_{player}", numbers, f"what player {player} knows in each node, as a number")
    for player, called in enumerate(table.called if any(table.called) else ()):
        parts.append(f"CALLED_{player} = {{  # what player {player} knows, by its number")
        parts += [*(f"    {number}: {name!r}," for number, name in sorted(called.items())), "}"]
    if table.names:
        parts.append("NAMES = {" + ", ".join(f"{a}: {n!r}" for a, n in sorted(table.names.items())) + "}")
    if table.shown:
        parts += ["SHOWN = (", *(f"    {text!r}," for text in table.shown), ")"]
    return "\n".join([*parts, "", "", _classes(table, is_short)])


def check_size(title: str, count: int, what: str = "outcomes") -> None:
    """Raise `OutOfReach` for tables that are too large to write."""
    if count > MOST:
        raise OutOfReach(f"{title}: {count:,} {what}; a table of at most {MOST:,} can be read")


def titled(text: str) -> str:
    """A text as a game's `title`: a line of at most 200 letters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return (line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 3] + "...") or "Game"


def class_of(table: Table, stem: str) -> type:
    """The class of the game. Raises `OutOfReach`."""
    made = class_from(text_of(table), table.name, stem, f"table of {table.title}")
    answers_to(made, table.question)
    return made


def price(must_end: bool) -> str:
    """The parameter `never` as a line of a class."""
    told = "what a play costs that never gets there" if must_end else "what it costs to give up"
    return f'    never: Annotated[int, "{told}", range(1, 10**15)] = 1_000_000'


def _classes(table: Table, is_short: bool) -> str:
    """The state and the game."""
    node, n = table.node, len(table.moves)
    left = f"s.left if s.{node} == {table.start} else s.left - 1" if table.is_drawn else "s.left - 1"
    following = f"State(NEXT[{'row' if is_short else 'k'}]{f', {left}' if table.steps else ''})"
    lines = ["class State(NamedTuple):", f"    {node}: Annotated[int, range({n})]"]
    if table.steps:
        lines.append("    left: int  # moves until play is stopped")
    if table.gives_up:
        lines.append("    given_up: bool = False")
    lines += ["", "", f"class {table.name}(NamedTuple):", f'    """{harmless(table.title)}"""', ""]
    lines += [f"    title = {titled(table.title)!r}", ""]
    if table.gives_up:
        lines += [price(table.must_end), ""]
    if table.must_end:
        lines += ["    must_end = True", ""]
    if table.steps:
        limits = f"range(1, {max(10**6, table.steps + 1)})"
        lines += [f'    steps: Annotated[int, "moves after which play is stopped", {limits}] = {table.steps}', ""]
    lines += ["    def start(self):", f"        return State({table.start}{', self.steps' if table.steps else ''})"]
    if any(table.player):
        lines += ["", "    def player(self, s):", f"        return PLAYER[s.{node}]"]
    if table.sees is not None:
        lines += ["", "    def sees(self, s, player):", f"        yield SEES_0[s.{node}] if player == 0 else SEES_1[s.{node}]"]
    indent = "    " if table.steps or table.gives_up else ""
    is_on = "s.left > 0" if table.steps else "not s.given_up" if table.gives_up else ""
    lines += ["", "    def actions(self, s):", *([f"        if {is_on}:"] if is_on else [])]
    last = max((m.action + 1 for moves in table.moves for m in moves), default=0)  # the action of giving up
    giving_up = given_up = list[str]()
    if table.gives_up:
        giving_up = [f"            if PLAYER[s.{node}] == 1 and FIRST[s.{node}] < FIRST[s.{node} + 1]:", f"                yield {last}"]
        given_up = [f"        if action == {last}:", f"            yield 1, 0, State({table.start}, given_up=True)"]
    if table.is_counted:
        count = f"FIRST[s.{node} + 1] - FIRST[s.{node}]"
        lines += [f"        {indent}for action in range({count}):", f"            {indent}yield action", *giving_up]
        lines += ["", "    def outcomes(self, s, action):", *given_up, f"        row = FIRST[s.{node}] + action"]
        lines += ["        if action >= 0:", f"            if row < FIRST[s.{node} + 1]:"]
    else:
        lines += [f"        {indent}for row in range(FIRST[s.{node}], FIRST[s.{node} + 1]):", f"            {indent}yield ACTION[row]"]
        lines += [*giving_up, "", "    def outcomes(self, s, action):", *given_up]
        lines += [f"        for row in range(FIRST[s.{node}], FIRST[s.{node} + 1]):", "            if ACTION[row] == action:"]
    if is_short:
        lines.append(f"                yield 1, PAYOFF[row], {following}")
    else:
        lines.append("                for k in range(OUTCOME[row], OUTCOME[row + 1]):")
        lines.append(f"                    yield WAYS[k], PAYOFF[k], {following}")
    if any(table.final):
        lines += ["", "    def payoff(self, s):", f"        return FINAL[s.{node}]"]
    if table.gives_up:
        paid = "0 if s.given_up else -self.never" if table.must_end else "self.never if s.given_up else 0"
        lines += ["", "    def payoff(self, s):", f"        return {paid}"]
        lines += ["", "    def action_name(self, action):", f'        return "gives up" if action == {last} else str(action)']
        lines += ["", "    def show(self, s):", f'        return f"{node}={{s.{node}}}"']
    if table.names:
        lines += ["", "    def action_name(self, action):", "        return NAMES.get(action, str(action))"]
    if table.shown:
        left = ' + f", {s.left} moves left"' if table.steps else ""
        if any(table.called):
            lines += ["", "    def show(self, s, player=-1):"]
            for player in (0, 1):
                number = f"SEES_{player}[s.{node}]"
                lines += [f"        if player == {player}:", f"            return CALLED_{player}.get({number}, f\"set {{{number}}}\")"]
        else:
            lines += ["", "    def show(self, s):"]
        lines.append(f"        return SHOWN[s.{node}]{left}")
    return "\n".join([*lines, ""])


# --- numbers --------------------------------------------------------------------------------------------------------------


def simple(probability: Any) -> Fraction:
    """The fraction that a probability stands for: 0.3333333333333333 for 1/3; its binary value if no simple one is near, or only 0."""
    if isinstance(probability, Fraction | int):
        return Fraction(probability)
    exact = Fraction(float(probability))
    near = exact.limit_denominator(SIMPLE)
    return near if near and abs(near - exact) <= NEAR else exact


def weights(probabilities: Sequence[Any]) -> list[Fraction] | None:
    """Probabilities as fractions, those of their short decimals or simple ones if these sum to 1; None if they do not sum to 1, or one is
    below 0."""
    found = _weights(tuple(p if isinstance(p, Fraction | int) else float(p) for p in probabilities))
    return None if found is None else list(found)


@lru_cache(maxsize=10_000)  # a table has few different ones
def _weights(probabilities: tuple[Any, ...]) -> tuple[Fraction, ...] | None:
    if any(p < 0 or p - p != 0 for p in probabilities):
        return None
    decimals = [short_decimal(p) if isinstance(p, float) else Fraction(p) for p in probabilities]
    written = tuple(p for p in decimals if p is not None)
    if len(written) == len(decimals) and sum(written) == 1:
        return written
    exact = [Fraction(p) for p in probabilities]
    if abs(sum(exact, Fraction(-1))) > OFF:
        return None
    meant = [simple(p) for p in probabilities]
    return tuple(meant if sum(meant) == 1 else exact)


def payoff_of(number: Any) -> Fraction:
    """The payoff that a reward stands for: 0.1 for 1/10."""
    if isinstance(number, Fraction | int):
        return Fraction(number)
    return Fraction(repr(float(number)))


def whole(chances: Sequence[Fraction | int]) -> tuple[int | float, ...]:
    """Weights in proportion, as whole numbers without a common factor if these are exact floats; otherwise as floats."""
    return _whole(tuple(chances))


@lru_cache(maxsize=10_000)
def _whole(chances: tuple[Fraction | int, ...]) -> tuple[int | float, ...]:
    common = lcm(*(Fraction(c).denominator for c in chances))
    found = [int(c * common) for c in chances]
    divisor = gcd(*found) or 1
    if sum(found) // divisor < WHOLE:
        return tuple(w // divisor for w in found)
    return tuple(float(c) for c in chances)


def joined(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Outcomes that pay the same and lead to the same node merged; impossible ones left out."""
    found: dict[tuple[int, Fraction | int], Fraction | int] = {}
    for weight, payoff, node in outcomes:
        if weight:
            before = found.get(where := (node, payoff))
            found[where] = weight if before is None else before + weight  # 0 + a fraction takes long
    return [Outcome(weight, payoff, node) for (node, payoff), weight in found.items()]


def is_decimal(payoff: Fraction) -> bool:
    """Whether a payoff is a whole number, or one that a float can be written as: 0.1, but not 1/3."""
    return payoff.denominator == 1 or Fraction(repr(float(payoff))) == payoff


def in_decimals(outcome: Outcome) -> list[Outcome]:
    """The outcome, or two that pay whole numbers with the same mean if its payoff can't be written as a float."""
    if isinstance(outcome.payoff, int) or is_decimal(outcome.payoff):
        return [outcome]
    payoff = Fraction(outcome.payoff)
    below = floor(payoff)
    more = payoff - below
    return [Outcome(outcome.weight * (1 - more), below, outcome.next), Outcome(outcome.weight * more, below + 1, outcome.next)]


def notes_on_numbers(moves: Iterable[Sequence[Move]], odd: Fraction | int) -> Iterator[str]:
    """What the weights and payoffs of a table do not keep. odd : a payoff whose mean `in_decimals` keeps, 0 if there is none."""
    rounded = any(map(is_rounded, (m for rows in moves for m in rows)))
    if odd:
        around = f"{floor(odd)} or {floor(odd) + 1} with the mean {odd}"
        kept = "values are exact" if not rounded else "values are those of the file up to rounding"
        yield f"a payoff that is not a short decimal, such as {odd}, is paid as {around}: {kept}, distributions not those of the file"
    if rounded:
        yield "probabilities whose common denominator is 2^53 or more are rounded to floats, and the value is that of the rounded ones"


def is_rounded(move: Move) -> bool:
    """Whether the weights of a move are floats that are not its probabilities."""
    chances = [Fraction(o.weight) for o in move.outcomes]
    if prod({c.denominator for c in chances}) < WHOLE or all(float(c) == c for c in chances):  # quick
        return False
    return isinstance(whole(chances)[0], float)


def is_kept(payoff: Fraction) -> bool:
    """Whether the rules hold a payoff as it is: the value of a float or what one is written as, or a whole number that is not too large."""
    if abs(payoff) < LARGE and payoff.denominator == 1:
        return True
    return abs(payoff) < 2**1023 and payoff in (Fraction(near := float(payoff)), Fraction(repr(near)))


def _number(value: Fraction | int) -> int | float:
    if type(value) is int and -LARGE < value < LARGE:
        return value
    return int(value) if Fraction(value).denominator == 1 and -LARGE < value < LARGE else float(value)


def starts(counts: Iterable[int]) -> list[int]:
    """The beginnings of several runs of these lengths, and the end of the last."""
    found = [0]
    for count in counts:
        found.append(found[-1] + count)
    return found


# --- text -----------------------------------------------------------------------------------------------------------------


def class_name(words: str) -> str:
    """A name for the class: FrozenLake-v1 -> FrozenLakeV1."""
    parts = re.findall(r"[A-Za-z0-9]+", words)
    return safe("".join(p[:1].upper() + p[1:] for p in parts) or "Game", set(OWN))


def constant(name: str, numbers: Sequence[int | float], remark: str = "") -> list[str]:
    """A tuple of numbers as a constant of a module. The hash of rules depends on its value, not on how it is written."""
    numbers = list(map(float, numbers)) if any(isinstance(n, float) for n in numbers) else numbers
    if len(numbers) > LONG:  # Python reads a text in a fraction of the time that it takes for numbers one by one
        kind = "float" if isinstance(numbers[0], float) else "int"
        rows = (numbers[at : at + 20] for at in range(0, len(numbers), 20))
        lines = ["    " + " ".join(map(repr, row)) for row in rows]
        return [*([f"# {name}: {remark}"] if remark else []), f'{name} = tuple(map({kind}, """', *lines, '""".split()))']
    body = textwrap.fill(", ".join(map(repr, numbers)) + ",", 120, initial_indent="    ", subsequent_indent="    ")
    return [f"{name} = ({f'  # {remark}' if remark else ''}", *([body] if numbers else []), ")"]

"""A model as it was written, in any of the languages: expressions, modules, rewards, players. Plain data.

Every part knows the line of its source, so that messages can say what can't be translated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.errors import ZermeloError

KINDS = ("dtmc", "mdp", "smg", "csg")
GAMES = ("smg", "csg")  # of several players
NUMBER, THRESHOLD = "=?", ">="  # the kind of question: how much, or whether it is enough
OPERATORS = {  # of filters, and the kind of property that they apply to
    "min": NUMBER, "max": NUMBER, "sum": NUMBER, "avg": NUMBER, "range": NUMBER, "argmin": NUMBER, "argmax": NUMBER,
    "forall": THRESHOLD, "exists": THRESHOLD, "count": THRESHOLD, "first": "", "state": "", "print": "", "printall": "",
}  # fmt: skip


JUMPS = "probabilities of reaching something are those of its jump chain: each rate divided by their sum in its state"


class ModelError(ZermeloError):
    """A model that can't be read or translated; the message is one line that names the file and the line."""

    def __init__(self, message: str):
        super().__init__("".join(c if c.isprintable() else " " for c in message))  # names in files of JSON hold anything


class LineOf(int):
    """The number of a line outside the model's file: in a property."""

    file: str

    @staticmethod
    def numbered(number: int, file: str) -> LineOf:
        line = LineOf(number)
        line.file = file
        return line


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number as it was written: exact. `is_real`: written with a point, or the result of a division."""

    value: Fraction
    is_real: bool = False
    line: int = field(default=0, compare=False)
    is_rounded: bool = field(default=False, compare=False)  # computed from an irrational logarithm or power, in floats


@dataclass(frozen=True)
class Truth:
    value: bool
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Name:
    """A constant, a formula or a variable; x': the variable x after the step."""

    name: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Label:
    """A label in quotation marks; only in properties and in other labels."""

    name: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Apply:
    """An operator or a function: + - * / < <= > >= = != & | => <=> ! neg ?: min max floor ceil round pow mod log."""

    op: str
    args: tuple[Expr, ...]
    line: int = field(default=0, compare=False)


Expr = Number | Truth | Name | Label | Apply


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The operands of an expression."""
    return expr.args if isinstance(expr, Apply) else ()


def names_in(expr: Expr) -> set[str]:
    """All names that occur in an expression."""
    if isinstance(expr, Name):
        return {expr.name}
    return {name for part in parts(expr) for name in names_in(part)}


def may_fail(expr: Expr) -> bool:
    """Whether an expression may have no value in some states: a quotient, a remainder, a power or a logarithm."""
    if not isinstance(expr, Apply):
        return False
    is_open = not isinstance(expr.args[-1], Number)
    return (expr.op in ("/", "mod", "pow") and is_open) or expr.op == "log" or any(map(may_fail, expr.args))


def renamed(expr: Expr, names: Mapping[str, str]) -> Expr:
    """The expression with other names."""
    if isinstance(expr, Name):
        base, after = (expr.name[:-1], "'") if expr.name.endswith("'") else (expr.name, "")
        return Name(names.get(base, base) + after, expr.line)
    if isinstance(expr, Apply):
        return Apply(expr.op, tuple(renamed(a, names) for a in expr.args), expr.line)
    return expr


def substituted(expr: Expr, by: Mapping[str, Expr]) -> Expr:
    """The expression with other expressions in the place of names, all at once."""
    if isinstance(expr, Name):
        return by.get(expr.name, expr)
    if isinstance(expr, Apply):
        return Apply(expr.op, tuple(substituted(a, by) for a in expr.args), expr.line)
    return expr


# --- the parts of a model -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """A constant; an open one has no value: the user gives it. `type`: "int", "double" or "bool"."""

    name: str
    type: str
    value: Expr | None
    line: int


@dataclass(frozen=True)
class Variable:
    """A variable of the state: a whole number from `low` to `high`, or a truth value if these are None."""

    name: str
    low: Expr | None
    high: Expr | None
    initial: Expr | None  # None: the least value
    line: int

    @property
    def is_bool(self) -> bool:
        return self.low is None


@dataclass(frozen=True)
class Assignment:
    name: str
    value: Expr
    line: int


@dataclass(frozen=True)
class Branch:
    """A result with its probability (None: 1), and its payments if the language specifies them here (JANI)."""

    probability: Expr | None
    assignments: tuple[Assignment, ...]
    paid: Mapping[str, Expr] = field(default_factory=dict)  # by the name of a reward variable


@dataclass(frozen=True)
class Command:
    label: str  # "": the command happens by itself
    guard: Expr
    branches: tuple[Branch, ...]
    line: int
    labels: tuple[str, ...] = ()  # where players choose at once: all labels that must have been chosen


@dataclass(frozen=True)
class Module:
    name: str
    variables: tuple[str, ...]
    commands: tuple[Command, ...]
    line: int


@dataclass(frozen=True)
class Together:
    """Commands of several modules that happen at once: one of each (module, label)."""

    label: str
    of: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class RewardItem:
    """A payment where `guard` holds. label None: in a state, per step; otherwise by a step with this label ("" for those without)."""

    label: str | None
    guard: Expr
    value: Expr
    line: int


@dataclass(frozen=True)
class Player:
    name: str
    modules: tuple[str, ...]
    labels: tuple[str, ...]
    line: int


@dataclass
class Model:
    """A whole model. `together`: every label that can happen, with the modules that take part, in the order of the source."""

    file: str
    kind: str  # one of KINDS
    constants: dict[str, Constant] = field(default_factory=dict)
    formulas: dict[str, Expr] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    modules: list[Module] = field(default_factory=list)
    together: list[Together] = field(default_factory=list)
    labels: dict[str, Expr] = field(default_factory=dict)
    rewards: dict[str, list[RewardItem]] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    initial: Expr | None = None  # `init ... endinit`
    properties: dict[str, Property] = field(default_factory=dict)  # those that came with the model
    unread: dict[str, str] = field(default_factory=dict)  # properties that came with it but can't be read, and why
    paying: dict[str, str] = field(default_factory=dict)  # by reward structure: the variable of `Branch.paid` that it also gathers
    notes: list[str] = field(default_factory=list)  # notes for the user
    sets: dict[str, Any] = field(default_factory=dict)  # properties inside others, by their text: where they hold (nested.py)

    @property
    def is_jani(self) -> bool:
        return self.file.endswith(".jani")

    def error(self, line: int, text: str) -> ModelError:
        file = line.file if isinstance(line, LineOf) else self.file
        return ModelError(f"{file}:{line}: {text}" if line else f"{file}: {text}")


# --- properties -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Within:
    """A bound on the rewards that are gathered until a path is decided; None: no bound on this side. Open: the bound itself is excluded."""

    rewards: str | None  # as in `Property`
    low: Expr | None
    high: Expr | None
    low_is_open: bool = False
    high_is_open: bool = False


@dataclass(frozen=True)
class Property:
    """A question about a model.

    measure   "P" or "R"
    best      "max", "min" or "": left to the kind of model and to the bound
    relation  "=?", or one of < <= > >= with `bound`
    path      "until" (left U right), "globally" (right), "weak" (left W right), "release" (left R right), "next" (right); for
              "R": "reach" (right), "total", "cumulative" (C<=k), "instant" (I=k); "reach_or_not": as "reach", but play that never gets
              there is paid what it gathered
    low, high the number of steps, None without a bound; within: bounds on rewards
    op, among a filter's operator, and a condition on the states; among None: the initial states
    endless   the name of the set of the states in which rewards are infinite, where play is cut off; "": none are known
    left_out  a note on them, if somebody is kept from going there; "": no note
    is_infinite   whether rewards are known to be infinite in the initial state, or in one of the states in question; there is no threshold
    is_plain  whether a state itself meets a condition, regardless of play: "until" with the condition on both sides, >= 1
    """

    measure: str
    best: str
    relation: str
    bound: Expr | None
    path: str
    left: Expr = Truth(True)
    right: Expr = Truth(True)
    low: Expr | None = None
    high: Expr | None = None
    within: tuple[Within, ...] = ()
    rewards: str | None = None  # the name of the reward structure; None: the first
    coalition: tuple[str, ...] | None = None
    text: str = ""
    op: str = ""
    among: Expr | None = None
    is_plain: bool = False
    endless: str = ""
    left_out: str = ""
    is_infinite: bool = False
    inner: tuple[Property, ...] = ()  # the properties inside it, named by their text
    line: int = field(default=0, compare=False)

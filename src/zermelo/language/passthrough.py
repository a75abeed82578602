"""Passthrough fields: fields of a state that the rules only copy to next states, so that nothing else depends on them.

In a race for two whose states are those of the player to move, a turn does not depend on the points that the opponent has banked: that
number is only copied to next states, `State(s.mine, s.theirs, ...)` or, if the dice are passed, `State(s.theirs, s.mine + s.turn, 0)`.

Passthrough fields are found in the source. A field is one if every `s.field` is itself an argument of the class of states, and if all
states, the given one and new ones, are only passed through: yielded by `outcomes`, returned by helpers to where they are yielded, given to
helpers (the given one only). Then no rule can depend on its value: by induction over the steps of a rule, everything that it does is the
same for every value. Rules that do anything else with a state (unpack it, compare it, keep it in a variable) are not understood, and then
no field counts as one; this costs time, never correctness. Standard library only.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import Any, NamedTuple

from zermelo.basics.syntax import all_nodes, child_nodes
from zermelo.language.rules import Rules
from zermelo.language.source import Part, Reference, members, plain, reachable, references

READERS = ("actions", "player", "payoff")  # their results are examined; of the results of `outcomes`, states are not


class Passthrough(NamedTuple):
    """The passthrough fields of a game."""

    fields: tuple[str, ...]
    why_none: str = ""  # why there are none, in the user's words


class Escapes(Exception):
    """Raised if a state is used in a way that is not understood; `why` says where."""

    def __init__(self, part: Part, node: ast.AST | None = None):
        super().__init__(part.name)
        at = getattr(node, "lineno", part.tree.lineno)
        self.why = f"`{part.name}` (line {at}) does more with a state than to read its fields or hand it on"


def passthrough_fields(rules: Rules) -> tuple[str, ...]:
    """The names of the fields that `actions`, `outcomes`, `player` and `payoff` never examine."""
    return passthrough(rules).fields


def passthrough(rules: Rules) -> Passthrough:
    """The passthrough fields; and if there are none, why."""
    state_class = type(rules.start)
    if not hasattr(state_class, "_fields"):
        return Passthrough((), "the state is no NamedTuple")
    try:
        looked_at = fields_looked_at(rules, Walk)
    except Escapes as escape:
        return Passthrough((), escape.why)
    fields = tuple(name for name in state_class._fields if name not in looked_at)
    return Passthrough(fields, "" if fields else "the rules look at every field of the state")


def fields_looked_at(rules: Rules, walk: type[Walk]) -> set[str]:
    """The fields that `actions`, `outcomes`, `player` or `payoff` examine, as this kind of walk understands it. Raises `Escapes`."""
    game_class = type(rules.game)
    own = members(game_class, ("outcomes", *READERS))
    reading = Reading(type(rules.start), list(reachable(own.values(), game_class).values()), walk)
    for name, function in own.items():
        reading.start_from(function, name in READERS)
    return reading.fields_looked_at()


class Reading:
    """The parameters that are states, and the functions that return states, extended until nothing changes."""

    def __init__(self, state_class: Any, parts: list[Part], walk: type[Walk]):
        self.state_class = state_class
        self.walk = walk
        self.parts = {part.function: part for part in parts}
        self.names: dict[Any, dict[int, Reference]] = {
            f: {id(r.node): r for r in references(part)} for f, part in self.parts.items()
        }
        self.states: dict[Any, set[str]] = {f: set() for f in self.parts}  # parameters
        self.returns_state: set[Any] = set()
        self.readers: set[Any] = set()  # members whose results are examined

    def start_from(self, function: Any, is_reader: bool) -> None:
        """A member of the game, whose first parameter after `self` is the state."""
        self.is_state(function, 1 if self.parts[function].owner else 0)  # a static method has no `self`
        if is_reader:
            self.readers.add(function)

    def is_state(self, function: Any, position: int) -> None:
        arguments = self.parts[function].tree.args
        parameters = [*arguments.posonlyargs, *arguments.args]
        if position >= len(parameters):
            raise Escapes(self.parts[function])
        self.states[function].add(parameters[position].arg)

    def fields_looked_at(self) -> set[str]:
        while True:
            before = sum(map(len, self.states.values())), len(self.returns_state)
            found: set[str] = set()
            for function, part in self.parts.items():
                if self.states[function]:
                    walk = self.walk(self, function)
                    for statement in [part.tree.body] if isinstance(part.tree, ast.Lambda) else part.tree.body:
                        walk.visit(statement, False)
                    found |= walk.looked_at
            if before == (sum(map(len, self.states.values())), len(self.returns_state)):
                return found


class Walk:
    """One pass over a function that is given states."""

    def __init__(self, reading: Reading, function: Any):
        self.reading, self.function = reading, function
        self.part: Part = reading.parts[function]
        self.states = set(reading.states[function])
        self.fields = set(reading.state_class._fields)
        self.looked_at: set[str] = set()
        is_method = self.part.owner is not None and self.part.owner is not reading.state_class
        self.itself = self.part.tree.args.args[0].arg if is_method and self.part.tree.args.args else None

    def visit(self, node: ast.AST, handed: bool) -> None:
        """Examine an expression or statement; `handed`: whether the value of the expression is only passed through."""
        if isinstance(node, ast.Name):
            if node.id in self.states:
                self._is_handed(handed and isinstance(node.ctx, ast.Load), node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            if any(getattr(n, "id", getattr(n, "arg", None)) in self.states for n in all_nodes(node)):
                raise Escapes(self.part, node)
            self.looked_at |= {n.attr for n in all_nodes(node) if isinstance(n, ast.Attribute)}
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, ast.Call):
            self._call(node, handed)
        elif isinstance(node, ast.IfExp):
            self.visit(node.test, False)
            self.visit(node.body, handed)
            self.visit(node.orelse, handed)
        elif isinstance(node, ast.Tuple) and handed:
            for item in node.elts:
                self.visit(item, True)
        elif isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            if node.value is not None:
                self.visit(node.value, self.function not in self.reading.readers)
        else:
            for child in child_nodes(node):
                self.visit(child, False)

    def _is_handed(self, handed: bool, node: ast.AST) -> None:
        """The value of this node is a state; raise unless it is only passed through."""
        if not handed:
            raise Escapes(self.part, node)
        self.reading.returns_state.add(self.function)

    def _attribute(self, node: ast.Attribute) -> None:
        base = node.value
        if isinstance(base, ast.Name) and base.id in self.states:
            if node.attr in self.fields:
                self.looked_at.add(node.attr)
            else:
                self._method_of_state(node.attr, node)
            return
        if node.attr in self.fields and not (isinstance(base, ast.Name) and base.id == self.itself):
            self.looked_at.add(node.attr)  # the object is not known
        self.visit(base, False)

    def _method_of_state(self, name: str, node: ast.AST) -> None:
        function = plain(getattr(self.reading.state_class, name, None))
        if function not in self.reading.parts or function in self.reading.returns_state:
            raise Escapes(self.part, node)
        self.reading.is_state(function, 0)

    def _call(self, node: ast.Call, handed: bool) -> None:
        arguments = [*node.args, *(k.value for k in node.keywords)]
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise Escapes(self.part, node)
        known = self.reading.names[self.function].get(id(node.func))
        callee = plain(known.value) if known else None
        callee = callee if isinstance(callee, Hashable) else None  # TABLE.index(...) of a list
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
        on_state = isinstance(base, ast.Name) and base.id in self.states
        if callee is self.reading.state_class or (
            on_state and isinstance(node.func, ast.Attribute) and node.func.attr == "_replace"
        ):
            self._is_handed(handed, node)
            for slot, argument in self._slots(node):
                if not self.is_passed(argument, slot):
                    self.visit(argument, False)
        elif callee in self.reading.parts and known is not None:
            self._helper(node, callee, known, handed)
        else:
            self.visit(node.func, False)
            for argument in arguments:
                self.visit(argument, False)

    def _helper(self, node: ast.Call, callee: Any, known: Reference, handed: bool) -> None:
        if callee in self.reading.returns_state:
            self._is_handed(handed, node)
        is_bound = self.reading.parts[callee].owner is not None
        if is_bound and known.name.partition(".")[0] != self.itself:
            raise Escapes(self.part, node)
        for position, argument in enumerate(node.args):
            if isinstance(argument, ast.Name) and argument.id in self.states:
                self.reading.is_state(callee, position + is_bound)
            else:
                self.visit(argument, False)
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Name) and keyword.value.id in self.states:
                self.reading.states[callee].add(str(keyword.arg))
            else:
                self.visit(keyword.value, False)

    def _slots(self, node: ast.Call) -> list[tuple[str | None, ast.AST]]:
        """The arguments with which a state is made, each with its field."""
        fields = iter(self.reading.state_class._fields)
        return [*((next(fields, None), a) for a in node.args), *((k.arg, k.value) for k in node.keywords)]

    def is_passed(self, argument: ast.AST, slot: str | None) -> bool:
        """Whether this argument, of which a new state makes its field `slot`, is a field that is passed on."""
        return self.is_field(argument)

    def is_field(self, node: ast.AST) -> bool:
        """Whether it is `s.field`, s being a state."""
        return (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in self.states
            and node.attr in self.fields
        )

"""The field of a state that counts the moves left: rules lower it by 1 with every move, and look at it only to see whether it is 0.

A game that ends after a number of moves has a state for each number of moves left. As long as some are left, what can happen does not
depend on how many. So the states are the same at any time, and one table of their outcomes serves for all times (engines/horizon/).

Such a field is found in the source, as passthrough fields are (passthrough.py): every `s.field` is compared with 0, or is the argument
`s.field - 1` with which the same field of a new state is made. Then rules do the same for every number above 0, and a new state has one
less, or a number that does not depend on it. That it is one less after every move, and that play is over at 0, is seen when the game is
explored, with two numbers of moves left. Rules that do anything else with a state or the field are not understood; this costs time, never
correctness. Standard library only.
"""

from __future__ import annotations

import ast

from zermelo.language.passthrough import Escapes, Walk, fields_looked_at
from zermelo.language.rules import Rules


def why_not_counted(rules: Rules) -> str | None:
    """None if a field counts the moves left; otherwise why none does, as a clause."""
    if rules.is_simultaneous or rules.is_hidden:
        return "players choose at once, or do not see everything"
    declared = next((name for name in ("bounds", "must_end", "settled", "symmetries", "space") if hasattr(rules.game, name)), None)
    if declared:
        return f"it declares `{declared}`"
    return None if countdown(rules) else "no number of the state is only lowered by 1 with every move and compared with 0"


def countdown(rules: Rules) -> str | None:
    """The name of the field that may count the moves left; of several, the one that starts highest."""
    start = rules.start
    if not hasattr(start, "_fields"):
        return None
    try:
        looked_at = fields_looked_at(rules, _Lowering)
    except Escapes:
        return None
    after = [o.state for action in rules.actions(start) for o in rules.outcomes(start, action)]
    fields = [(value, name) for name, value in start._asdict().items() if name not in looked_at and type(value) is int and value > 0]
    found = [(value, name) for value, name in fields if after and all(getattr(s, name) == value - 1 for s in after)]
    return max(found)[1] if found else None


class _Lowering(Walk):
    """A walk for which neither a comparison with 0 nor one less of a field, as the same field of a new state, is a look at it."""

    def visit(self, node: ast.AST, handed: bool) -> None:
        if isinstance(node, ast.Compare) and self.is_field(node.left) and [_whole(c) for c in node.comparators] == [0]:
            return
        super().visit(node, handed)

    def is_passed(self, argument: ast.AST, slot: str | None) -> bool:
        is_less = isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Sub) and _whole(argument.right) == 1
        field = argument.left if isinstance(argument, ast.BinOp) and is_less else None
        return isinstance(field, ast.Attribute) and self.is_field(field) and field.attr == slot


def _whole(node: ast.AST) -> int | None:
    """The whole number that is written here."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None

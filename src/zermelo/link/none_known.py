"""Questions whether a parameter is None, answered before compiling: what Python would not run is left out.

A parameter that is None has a type of its own, for which the compiler refuses `x < self.cap`, also where `self.cap is not None and` stands
before it. Machine code differs between None and numbers anyway, so no more of it is made; other questions about parameters stay.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from zermelo.basics.syntax import all_nodes, copied
from zermelo.language.source import MISSING
from zermelo.link.syntax import own_nodes

if TYPE_CHECKING:
    from zermelo.link.rewrite import Rewriter

NEVER_NONE = (bool, int, float, str, tuple)  # of which == None is what `is None` is


def asks_for_none(tree: ast.FunctionDef) -> bool:
    """Whether there may be anything to answer, in rules without a parameter that is None."""
    return any(isinstance(n, ast.Constant | ast.MatchSingleton) and n.value is None for n in all_nodes(tree))


class Answers(ast.NodeTransformer):
    """Answers what can be answered; the tree that is visited is changed."""

    def __init__(self, rewriter: Rewriter):
        self.rewriter, self.value_of = rewriter, rewriter.evaluate

    # expressions -----------------------------------------------------------------------------------------------------------------

    def told(self, node: ast.expr) -> bool | None:
        """Whether an expression is true, if that is known and evaluating it changes nothing."""
        if isinstance(node, ast.Constant):
            return bool(node.value) if node.value is None or isinstance(node.value, bool) else None
        if not isinstance(node, ast.Name | ast.Attribute | ast.Call):
            return None
        value = self.value_of(node)
        return False if value is None else value if isinstance(value, bool) and self._is_question(node) else None

    def _is_question(self, node: ast.expr) -> bool:
        """Whether the answer says what is None: games with other parameters share machine code, whatever their truth values."""
        rewriter = self.rewriter
        match node:
            case ast.Name(id=name):
                return name in rewriter.assigned and self._is_question(rewriter.assigned[name])
            case ast.BoolOp(values=parts):
                return all(map(self._is_question, parts))
            case ast.UnaryOp(op=ast.Not(), operand=asked):
                return self._is_question(asked)
            case ast.Compare(left=left, ops=[_], comparators=[right]):
                return _is_none(left) or _is_none(right)
            case ast.Attribute(value=ast.Name(id=name), attr=asked) | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=asked)):
                return None in rewriter.module.game and name == rewriter.self_name and asked not in rewriter.module.game_class._fields
        return False

    def settled(self, node: ast.expr) -> bool | None:
        """Whether it is true, if that is known, though parts of it may have to be evaluated."""
        match node:
            case ast.BoolOp(op=op, values=[*_, last]):
                return known if (known := self.settled(last)) is isinstance(op, ast.Or) else None
            case ast.UnaryOp(op=ast.Not(), operand=asked):
                return None if (known := self.settled(asked)) is None else not known
        return self.told(node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) > 1:
            return node
        op, left, right = node.ops[0], node.left, node.comparators[0]
        if isinstance(op, ast.In | ast.NotIn):
            return self._among(node, right)
        if _is_none(left) and isinstance(op, ast.Is | ast.IsNot):
            left, right = node.left, node.comparators[0] = right, left
        asked = left if _is_none(right) else right if _is_none(left) else None
        value = MISSING if asked is None else self.value_of(asked)
        if value is MISSING or not isinstance(op, ast.Is | ast.IsNot) and not (value is None or isinstance(value, NEVER_NONE)):
            return node
        return ast.copy_location(ast.Constant((value is None) == isinstance(op, ast.Is | ast.Eq)), node)

    def _among(self, node: ast.Compare, items: ast.expr) -> ast.expr:
        """`self.cap in (None, 3)`"""
        parts = items.elts if isinstance(items, ast.Tuple | ast.List | ast.Set) else []
        value = self.value_of(node.left) if any(map(_is_none, parts)) else MISSING
        if value is None and all(isinstance(part, ast.Constant | ast.Name | ast.Attribute) for part in parts):
            return ast.copy_location(ast.Constant(isinstance(node.ops[0], ast.In)), node)
        if isinstance(value, NEVER_NONE):
            items.elts = [part for part in parts if not _is_none(part)] or parts  # type: ignore[attr-defined]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        known = self.told(node.operand) if isinstance(node.op, ast.Not) else None
        return node if known is None else ast.copy_location(ast.Constant(not known), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Without what is not evaluated, and what says nothing."""
        ends, kept = isinstance(node.op, ast.Or), []
        for k, part in enumerate(node.values):
            kept.append(self.visit(part))
            if self.settled(kept[-1]) is ends:
                break
            if self.told(kept[-1]) is not None and k + 1 < len(node.values):
                kept.pop()
        node.values = kept
        return node if len(kept) > 1 else kept[0]

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        known = self.settled(node.test)
        if known is None:
            return self.generic_visit(node)  # type: ignore[return-value]
        chosen = self.visit(node.body if known else node.orelse)
        if self.told(node.test) is not None:
            return chosen
        node.body, node.orelse = chosen, copied(chosen)
        return node

    def _comprehension(self, node: Any) -> Any:
        for k, part in enumerate(node.generators):
            part.target, part.iter = self.visit(part.target), self.visit(part.iter)
            part.ifs = [test for test in map(self.visit, part.ifs) if self.told(test) is not True]
            if any(self.told(test) is False for test in part.ifs):  # nothing after it is evaluated
                del node.generators[k + 1 :]
                for name in {"elt", "key", "value"}.intersection(node._fields):
                    setattr(node, name, ast.copy_location(ast.Constant(0), node))
                return node
        for name in {"elt", "key", "value"}.intersection(node._fields):
            setattr(node, name, self.visit(getattr(node, name)))
        return node

    visit_GeneratorExp = visit_ListComp = visit_SetComp = visit_DictComp = _comprehension

    # statements ------------------------------------------------------------------------------------------------------------------

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list):
                setattr(node, name, self._block(block) or ([ast.Pass()] if block else []))
        return super().generic_visit(node) if not isinstance(node, ast.stmt | ast.match_case | ast.ExceptHandler) else self._header(node)

    def _header(self, node: Any) -> ast.AST:
        """The parts of a statement that are not statements."""
        for name, part in ast.iter_fields(node):
            if isinstance(part, ast.AST):
                setattr(node, name, self.visit(part))
            elif isinstance(part, list) and name not in ("body", "orelse", "finalbody"):
                part[:] = [self.visit(item) if isinstance(item, ast.AST) else item for item in part]
        return node

    def _block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            if not isinstance(found, list):
                made.append(found)
                continue
            made += found
            if found and _leaves(found[-1]):
                break
        return made

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Where nothing would be left that is yielded, all stays as it is: a function without `yield` is no generator."""
        body = [*map(copied, node.body)]
        node.body = self._block(node.body) or [ast.Pass()]
        if not _yields(node):
            node.body, kept = body, node.body
            node.body = body if _yields(node) else kept
        return node

    def visit_If(self, node: ast.If) -> Any:
        node.test = self.visit(node.test)
        known = self.settled(node.test)
        if known is None:
            return self.generic_visit(node)
        return [*self._evaluated(node), *self._block(node.body if known else node.orelse)]

    def visit_While(self, node: ast.While) -> Any:
        node.test = self.visit(node.test)
        if self.settled(node.test) is not False:
            return self.generic_visit(node)
        return [*self._evaluated(node), *self._block(node.orelse)]

    def _evaluated(self, node: ast.If | ast.While) -> list[ast.stmt]:
        """The test alone, unless evaluating it changes nothing."""
        return [] if self.told(node.test) is not None else [ast.copy_location(ast.If(node.test, [ast.Pass()], []), node)]

    def visit_Match(self, node: ast.Match) -> Any:
        value = self.value_of(node.subject)
        if value is not MISSING:
            node.cases = [case for case in node.cases if _may_be(case.pattern, value is None)]
        if not node.cases:
            return []
        first = node.cases[0]
        is_sure = value is None and first.guard is None and isinstance(first.pattern, ast.MatchSingleton | ast.MatchOr)
        return self._block(first.body) if is_sure else self.generic_visit(node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _leaves(statement: ast.stmt) -> bool:
    """Whether what stands after it is never run."""
    if isinstance(statement, ast.If):
        return bool(statement.orelse) and _leaves(statement.body[-1]) and _leaves(statement.orelse[-1])
    return isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue)


def _yields(tree: ast.FunctionDef) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in own_nodes(tree))


def _may_be(pattern: ast.pattern, is_none: bool) -> bool:
    """Whether a pattern may fit None, or anything else."""
    if isinstance(pattern, ast.MatchOr):
        return any(_may_be(part, is_none) for part in pattern.patterns)
    if isinstance(pattern, ast.MatchSingleton):
        return (pattern.value is None) == is_none
    return not is_none or isinstance(pattern, ast.MatchAs)

"""Names that may have no value where they are used: Python raises an error there, machine code reads whatever lies in memory.

A path through a function is any way that its `if`, `for` and `while` allow, whatever their conditions say. Standard library only.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from zermelo.basics.syntax import all_nodes, child_nodes

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Bound = frozenset[str] | None  # the names that surely have a value; None where no path leads


def unbound(function: ast.FunctionDef | ast.Lambda) -> Iterator[tuple[str, ast.AST]]:
    """Each local name that may be used before it has a value, with the place where it is; inner functions included."""
    inner = [n for n in all_nodes(function) if isinstance(n, ast.FunctionDef)]
    for one in inner if isinstance(function, ast.FunctionDef) else ():
        found: dict[str, ast.AST] = {}
        for name, node in _Paths(one).misses:
            found.setdefault(name, node)
        yield from found.items()


class _Paths:
    """All paths through one function."""

    def __init__(self, function: ast.FunctionDef):
        given = {a.arg for a in all_nodes(function.args) if isinstance(a, ast.arg)}
        walrus = {n.target.id for n in all_nodes(function) if isinstance(n, ast.NamedExpr)}
        refused = {name for n in all_nodes(function) if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names} | walrus  # elsewhere
        deleted = {n.id for n in all_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)}
        self.locals = (set(_bound(function.body)) - given - refused) | deleted
        self.misses: list[tuple[str, ast.AST]] = []
        self.broken: list[list[Bound]] = []  # of each loop around: what is bound where it is left
        self.gone_on: list[list[Bound]] = []  # and where its next round begins early
        self._block(function.body, frozenset(given & deleted))

    def _block(self, body: Iterable[ast.stmt], bound: Bound) -> Bound:
        for statement in body:
            if bound is None:
                return None
            bound = self._statement(statement, bound)
        return bound

    def _statement(self, node: ast.stmt, bound: frozenset[str]) -> Bound:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                return bound | {name}
            case ast.If():
                self._use(node.test, bound)
                return _join(self._block(node.body, bound), self._block(node.orelse, bound))
            case ast.While():
                self._use(node.test, bound)
                return self._loop(node, bound, bound, is_entered=_is_true(node.test), ends=not _is_true(node.test))
            case ast.For():
                self._use(node.iter, bound)
                return self._loop(node, bound, bound | set(_stored(node.target)), is_entered=_is_entered(node.iter))
            case ast.Match():
                return self._match(node, bound)
            case ast.Break():
                self.broken[-1].append(bound)
                return None
            case ast.Continue():
                self.gone_on[-1].append(bound)
                return None
            case ast.Try() | ast.With() | ast.Import() | ast.ImportFrom():  # refused elsewhere
                return bound | set(_bound([node]))
            case ast.Delete():
                self._use(node, bound)
                names = [n for n in all_nodes(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)]
                self.misses += [(n.id, n) for n in names if n.id not in bound]
                return bound - {n.id for n in names}
        self._use(node, bound)
        if isinstance(node, ast.Return | ast.Raise):
            return None
        return bound | set(_bound([node]))

    def _loop(
        self, node: ast.For | ast.While, before: frozenset[str], inside: frozenset[str], is_entered: bool, ends: bool = True
    ) -> Bound:
        """What is bound behind a loop. is_entered : whether its body surely runs; ends : whether it is ever left without a `break`"""
        self.broken.append([])
        self.gone_on.append([])
        end = self._block(node.body, inside)
        for bound in self.gone_on.pop():
            end = _join(end, bound)
        after = (end if is_entered else _join(before, end)) if ends else None
        after = self._block(node.orelse, after)
        for bound in self.broken.pop():
            after = _join(after, bound)
        return after

    def _match(self, node: ast.Match, bound: frozenset[str]) -> Bound:
        self._use(node.subject, bound)
        after: Bound = None
        is_whole = False
        for case in node.cases:
            inside = bound | set(_bound([case.pattern]))
            if case.guard is not None:
                self._use(case.guard, inside)
            after = _join(after, self._block(case.body, inside))
            is_whole |= case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
        return after if is_whole else _join(after, bound)

    def _use(self, node: ast.AST, bound: frozenset[str]) -> None:
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Name):
            is_read = isinstance(node.ctx, ast.Load) and node.id in self.locals
            if is_read and node.id not in bound:
                self.misses.append((node.id, node))
            return
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._use(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target), bound)
        if isinstance(node, COMPREHENSIONS):
            bound = bound | {n for g in node.generators for n in _stored(g.target)}
        for child in child_nodes(node):
            self._use(child, bound)


def _join(one: Bound, other: Bound) -> Bound:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _stored(target: ast.AST) -> Iterator[str]:
    return (n.id for n in all_nodes(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _bound(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Every name that these give a value to, but for those of comprehensions and of what is inside of inner functions."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.alias():
                yield (node.asname or node.name).partition(".")[0]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif not isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
            yield from _bound(child_nodes(node))


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _is_entered(items: ast.expr) -> bool:
    """Whether a loop over this surely runs: over what is written out, or over so many numbers."""
    match items:
        case ast.Tuple(elts=[_, *_]) | ast.List(elts=[_, *_]):
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(n))]):
            return n > 0
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(low)), ast.Constant(value=int(high))]):
            return low < high
    return False

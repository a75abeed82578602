"""The code of a function as text that is the same in every version of Python: as Python 3.11 writes it."""

from __future__ import annotations

import ast
import sys
from functools import lru_cache

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.language.source import MOST_KNOWN, Part

QUOTES = ("'", '"', '"""', "'''")


@lru_cache(maxsize=MOST_KNOWN)
def bare_code(this: Part) -> str:
    """The code without comments, docstring, annotations and layout."""
    tree = parsed(ast.unparse(this.tree))
    for node in all_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            if ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree if sys.version_info < (3, 12) else _Formatted().visit(tree))


class _Formatted(ast.NodeTransformer):
    """Formatted text as Python 3.11 writes it, put where names are written as they are: later versions choose other quotes, so that rules
    would seem to have changed."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        parts = [(_formatted(value), isinstance(value, ast.Constant)) for value in node.values]
        quotes, texts = list(QUOTES), []
        for inside, is_constant in parts:
            text, left = _quotable(inside, quotes, is_constant)
            if not set(left) & set(quotes):
                quotes, texts = ["'''"], [repr('"' + inside)[2:-1] for inside, _ in parts]
                break
            quotes, texts = left, [*texts, text]
        return ast.Name(f"f{quotes[0]}{''.join(texts)}{quotes[0]}")


class _WithinFormatted(ast.NodeTransformer):
    """The same within braces, where Python 3.11 allows no backslashes."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Name(f"f{_quoted(_formatted(node))}")

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name(f"{node.kind or ''}{_quoted(node.value)}") if isinstance(node.value, str) else node


def _formatted(node: ast.AST) -> str:
    match node:
        case ast.JoinedStr():
            return "".join(map(_formatted, node.values))
        case ast.FormattedValue():
            end = ast.IfExp(ast.Name("_"), _WithinFormatted().visit(node.value), ast.Name("_"))  # which parenthesizes as braces do
            value = ast.unparse(end).removesuffix(" if _ else _")
            how = f"!{chr(node.conversion)}" if node.conversion != -1 else ""
            spec = f":{_formatted(node.format_spec)}" if node.format_spec else ""
            return f"{{{' ' if value.startswith('{') else ''}{value}{how}{spec}}}"
        case ast.Constant(value=value):
            return str(value).replace("{", "{{").replace("}", "}}")
    raise TypeError(node)


def _quoted(text: str) -> str:
    written, quotes = _quotable(text, list(QUOTES), False)
    return f"{quotes[0]}{written}{quotes[0]}"


def _quotable(text: str, quotes: list[str], escapes_lines: bool) -> tuple[str, list[str]]:
    """A text as it is written between quotes, and those of the quotes that it may have."""
    written = "".join(
        c if c.isprintable() and c != "\\" or c in "\n\t" and not escapes_lines else c.encode("unicode_escape").decode() for c in text
    )
    possible = [q for q in quotes if q not in written and ("\n" not in written or len(q) == 3)]
    if not possible:
        quote = repr(text)[0]
        return repr(text)[1:-1], [next((q for q in quotes if quote in q), quote)]
    if written:
        possible.sort(key=lambda q: q[0] == written[-1])
        if possible[0][0] == written[-1]:
            written = f"{written[:-1]}\\{written[-1]}"
    return written, possible

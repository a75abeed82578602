"""Python text to a syntax tree, by one thread at a time.

CPython 3.11 counts how deep `ast.parse` is in one place for all threads: two that parse at once may end with "SystemError: AST constructor
recursion depth mismatch" (seen with 3.11.7).
"""

import ast
import threading

_parsing = threading.RLock()  # a finaliser may also parse while garbage is collected here


def parsed(text: str) -> ast.Module:
    """The tree of statements. Raises `SyntaxError`, like `ast.parse`."""
    with _parsing:
        return ast.parse(text)


def parsed_expression(text: str) -> ast.expr:
    """The tree of one expression. Raises `SyntaxError`, like `ast.parse`."""
    with _parsing:
        return ast.parse(text, mode="eval").body

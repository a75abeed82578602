"""For mkdocstrings: the docstrings that `described` (zermelo/basics/fields.py) gives to fields, and lists of arguments as lists."""

from __future__ import annotations

import ast
import re
from typing import Any

import griffe

ARGUMENT = re.compile(r"^(\w+)(?: {2,}| : )(\S.*)$")  # "name   what it is", "name : what it is"


class FieldDocs(griffe.Extension):
    """Reads docstrings as people do."""

    def on_class_members(self, *, node: Any, cls: griffe.Class, **_: Any) -> None:
        for decorator in getattr(node, "decorator_list", ()):
            if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "described":
                for keyword in decorator.keywords:
                    cls.members[str(keyword.arg)].docstring = griffe.Docstring(ast.literal_eval(keyword.value))
                cls.decorators.clear()

    def on_function_instance(self, *, node: Any, func: griffe.Function, **_: Any) -> None:
        if func.docstring:
            func.docstring.value = with_lists(func.docstring.value)


def with_lists(text: str) -> str:
    """Lines that explain one argument each become items of a list."""
    lines: list[str] = []
    for line in text.split("\n"):
        argument = ARGUMENT.match(line)
        in_list = bool(lines) and lines[-1].startswith("- ")
        if argument:
            lines += [*([] if in_list else [""]), f"- `{argument[1]}`: {argument[2]}"]
        else:
            lines += [*([""] if in_list and line.strip() and not line.startswith(" ") else []), line]
    return "\n".join(lines)

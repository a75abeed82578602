"""What the compiler refuses, told in the words of the rules: their line or expression, and a reason. Its own words, and lines that
were written here, are left out: they say nothing to somebody who wrote rules."""

from __future__ import annotations

import ast
import builtins
import linecache
import math
import operator
import re
from collections.abc import Iterable, Iterator

from zermelo.basics.syntax import all_nodes, parsed
from zermelo.kernels.stopped import TOLD, UNKNOWN_LENGTH
from zermelo.language.names import place
from zermelo.link.module import Written

ADVICE = "See docs/writing-games.md, 'What compiles'."
NO_COUNTERPART = "it has no native counterpart"
NUMBERS = {  # operands of the operations of kernels/checked.py, which take further arguments
    "operation": 2, "changing": 2, "comparison": 2, "contains": 2, "power": 2, "truediv": 2, "of_two": 2, "neg": 1, "absolute": 1,
    "of_one": 1,
}  # fmt: skip
UNTYPED = re.compile(r"Type of variable '.+' cannot be determined, operation: unknown operation, location: unknown")
UNIFIED = re.compile(r"Cannot unify (.+) and (.+) for '([^']+)'")
KEYED = re.compile(r"\bsort(ed)?\(.*\bkey=")
LONGEST = 100  # characters of a line of the rules that are shown
IN_WORDS = {
    r"(Literal\[int\]|u?int\d|IntegerLiteral)": "a whole number",
    r"(bool|Literal\[bool\])": "a truth value",
    r"float\d": "a float",
    r"(unicode_type|Literal\[str\]|\[unichr)": "a text",
    r"(reflected )?list\(": "a list",
    r"(reflected )?set\(": "a set",
    r"DictType\[": "a dictionary",
    r"none": "None",
    r"(OptionalType|omitted)": "what may be None",
    r"range_state": "a range",
    r"(array|Array)\(": "an array",
    r"(?!Function|CPUDispatcher|BoundFunction)[A-Za-z]\w*\((Literal|u?int|float|bool|unicode|Tuple|UniTuple)": "a tuple",
}


def compiler_fault(said: str, written: Written) -> str:
    """What the compiler said, in one line."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", said)
    told = re.search(re.escape(TOLD) + r"(.+)", text)
    reason = _with_kinds(told[1]) if told else _reason(text)
    where = _expression(text, written) or _line(_numbers(text), written)
    if UNTYPED.search(text) and (guards := _guards(written)):
        where, reason = _line(guards, written), "`case ... if ...:` before other cases, in a function that yields: compare with `if`"
    if reason == NO_COUNTERPART and KEYED.search(where):
        reason = "the `key` of sorted and sort can use its argument and constants only: sort tuples, (key, item)"
    return f"these rules run in Python but can't be compiled{where}: {reason.strip().rstrip('.')}. {ADVICE}"


def own_failure(error: Exception) -> str:
    """What the compiler said as it failed in itself, for `compiler_fault`; what it refuses are its own kinds of errors."""
    said = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{error}\n{TOLD}the compiler fails with an error of its own ({said}), which is no fault of the rules"


# why -------------------------------------------------------------------------------------------------------------------------


def _reason(text: str) -> str:
    """What the compiler's own words mean for the rules."""
    asked = re.search(r">>> (\w+)\((.*)\)\s*$", text, re.M)
    name, kinds = (asked[1], _split(asked[2])) if asked else ("", [])
    if name == "setitem" and len(kinds) == 3 and kinds[0].startswith("DictType"):
        return _why_not_put(kinds[2])
    if "DictType[undefined" in text:
        return "a dictionary that begins empty is asked before its kind is known: put its first item in where it is made, `{0: 0}`"
    if re.search(r"function Function\(<class 'tuple'>\)|tuple\(list", text):
        return UNKNOWN_LENGTH
    if name in ("getitem", "static_getitem", "getiter"):
        return _why_not_chosen(kinds)
    if name in ("bool", "truth") and kinds and kinds[0].startswith("OptionalType"):
        return "what may be None is asked whether it is true: ask whether it `is None` first"
    if re.search(r"unify\syield", text):
        return "what is yielded must be of one kind everywhere: numbers, or tuples of one length"
    if found := UNIFIED.search(text):
        return _several_kinds(*found.groups())
    if found := re.search(r"Unknown attribute '(\w+)' of type (.+)", text):
        return f"`.{found[1]}` of {_in_words(found[2]) or 'this'} has no native counterpart"
    is_ours = bool(_operation(text))
    words = [_in_words(kind) for kind in (kinds[: NUMBERS[name]] if is_ours and name in NUMBERS else kinds)]
    if words and all(words) and (is_ours or any(hasattr(home, name) for home in (builtins, math, operator))):
        return f"there is no such operation on {' and '.join(words)}"
    return NO_COUNTERPART


def _why_not_put(value: str) -> str:
    if _in_words(value) in ("a list", "a set"):
        return f"{_in_words(value)} as a value of a dictionary has no native counterpart: use tuples, or a list of lists"
    return "a dictionary holds keys of one kind and values of one kind: begin with `0.0` if it will hold floats"


def _why_not_chosen(kinds: list[str]) -> str:
    if len(kinds) > 1 and "slice" in kinds[1]:
        return "part of a tuple, t[i:j], needs numbers that follow from the parameters: write list(t)[i:j], or t[k] for each k"
    items = _split(kinds[0][len("Tuple(") : -1]) if kinds and kinds[0].startswith("Tuple(") else []
    if items and all(_in_words(item) == "a tuple" for item in items):
        return "what a variable chooses from must hold rows of one length (pad them with -1)"
    if items:
        return "what a variable chooses from must hold values of one kind"
    if len(kinds) > 1:
        words = [_in_words(kind) or "this" for kind in kinds[:2]]
        return f"{words[0]} can't be indexed by {words[1]}"
    return NO_COUNTERPART


def _several_kinds(one: str, other: str, name: str) -> str:
    words = [_in_words(one), _in_words(other)]
    what = "a value" if name.startswith("$") else f"`{name.partition('.')[0]}`"
    if not all(words) or words[0] == words[1] or "zermelo" in name:
        return f"{what} must be of one kind everywhere: numbers, or tuples of one length"
    return f"{what} is {words[0]} in one place and {words[1]} in another"


def _split(kinds: str) -> list[str]:
    """The types in a list of arguments."""
    found, depth, begun = [], 0, 0
    for i, letter in enumerate(kinds + ","):
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and depth <= 0:
            found.append(kinds[begun:i].strip())
            begun = i + 1
    return [kind for kind in found if kind]


def _in_words(kind: str) -> str:
    """A type in the words of the rules; "" if these have none for it."""
    for pattern, words in IN_WORDS.items():
        if re.match(pattern, kind.strip()):
            return words
    return ""


def _with_kinds(told: str) -> str:
    """A reason of Zermelo's own, with types in words."""
    told = re.sub(r"(?:reflected )?\b(?:u?int|float)\d+\b|\bunicode_type\b|\bbool\b", lambda found: _in_words(found[0]), told)
    return re.sub(r"\b(?:Uni)?Tuple\([^()]*\)", "a tuple", told)


# where -----------------------------------------------------------------------------------------------------------------------


def _expression(text: str, written: Written) -> str:
    """The expression whose operation failed, if that is told: the number of its place is the last argument."""
    asked = _operation(text)
    if asked is None:
        return ""
    number = int(asked[1])
    return " at `{}` {}".format(*written.places[number]) if number < len(written.places) else ""


def _operation(text: str) -> re.Match[str] | None:
    """The first operation that failed, if it is one of kernels/checked.py."""
    found = re.search(r"Function\(<intrinsic \w+.*\n+\s*>>> \w+\(.*Literal\[int\]\((\d+)\)\)\s*$", text, re.M)
    first = text.find(">>> ")
    return found if found and found.start() <= first <= found.end() else None


def _line(numbers: Iterable[int], written: Written) -> str:
    """The first line of the rules that the compiler names, by the number of the line that was made of it."""
    module = parsed(written.text)
    functions = [n for n in all_nodes(module) if isinstance(n, ast.FunctionDef) and n.name in written.origins]
    for number in numbers:
        for function in functions:
            if function.lineno <= number <= (function.end_lineno or 0):
                file, line = _origin(function, number, *written.origins[function.name])
                shown = linecache.getline(file, line).strip()
                shown = shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}..."
                return f" in the line `{shown}` {place(file, line)}" if shown else f" {place(file, line)}"
    return ""


def _guards(written: Written) -> list[int]:
    """Lines with a `case` that has an `if` and is not the last one, in functions that yield. For some of them the compiler finds no type,
    and names no line."""
    functions = [n for n in all_nodes(parsed(written.text)) if isinstance(n, ast.FunctionDef) and n.name in written.origins]
    inside = [all_nodes(f) for f in functions]
    matches = [n for nodes in inside if any(isinstance(n, ast.Yield) for n in nodes) for n in nodes if isinstance(n, ast.Match)]
    return [match.lineno for match in matches if any(case.guard for case in match.cases[:-1])]


def _numbers(text: str) -> Iterator[int]:
    """The lines of modules that were written here, as the compiler names them."""
    for found in re.finditer(r"rules_[0-9a-f]{32}(?:\.py|>)?\"?(?:, line (\d+)| \((\d+)\))", text):
        yield int(found[1] or found[2])


def _origin(function: ast.FunctionDef, number: int, file: str, lines: list[int]) -> tuple[str, int]:
    """The file and the line of the rules from which a line of a function was made."""
    statements = [n for n in all_nodes(function) if isinstance(n, ast.stmt)][1:]
    inside = [k for k, n in enumerate(statements) if n.lineno <= number <= (n.end_lineno or n.lineno)]
    if len(statements) != len(lines) or not inside:
        return file, lines[0] if len(lines) == 1 or not inside else min(lines)
    return file, lines[max(inside, key=lambda k: statements[k].lineno)]

"""The text of a game under construction, and its spelling of the model's names."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from zermelo.foreign.model import Expr, Model, Truth, may_fail, names_in
from zermelo.foreign.nested import BITS
from zermelo.foreign.python import FIELDS_TAKEN, HELPERS, Writer, safe
from zermelo.foreign.scope import Scope

WIDTH = 130


class Text:
    """The lines of the methods so far.

    fields, parameters, helpers   the names of variables, open constants, and constants and formulas that have a method
    own          all names that the game's members have
    write        writes expressions
    """

    def __init__(self, model: Model, scope: Scope):
        self.model, self.scope = model, scope
        self.lines: list[str] = []
        self._name_all()

    def _name_all(self) -> None:
        scope, model = self.scope, self.model
        fields: set[str] = set()
        self.fields = {v: safe(v, fields, FIELDS_TAKEN) for v in model.variables}
        own: set[str] = set()
        self.parameters = {c: safe(c, own) for c in model.constants if scope.is_open(c)}
        self.helpers: dict[str, str] = {}  # constants and formulas that have a method
        for name in (*model.constants, *model.formulas):
            if name not in self.parameters and not scope.is_open(name):
                self.helpers[name] = safe(name, own)
        places = {v: f"s.{f}" for v, f in self.fields.items()}
        places |= {f"{v}'": f"t.{f}" for v, f in self.fields.items()}  # after the step
        places |= {c: f"self.{f}" for c, f in self.parameters.items()}
        places |= {h: f"self.{f}({'s' if h in model.formulas else ''})" for h, f in self.helpers.items()}
        self.sets = {name: safe(f"holds_{k}", own) for k, name in enumerate(model.sets, 1)}  # of properties inside others
        places |= {name: f"self.{f}(s)" for name, f in self.sets.items()}
        self.write = Writer(scope, places)
        self.own = own

    def method(self, head: str, body: list[str], doc: str = "") -> None:
        self.lines += [f"def {head}:", *([f'    """{doc}"""'] if doc else []), *(f"    {line}" for line in body), ""]

    def any(self, name: str, conditions: list[Expr], answer: bool, doc: str, written: Sequence[str] = ()) -> None:
        """A method of a state that returns `answer` where one of these conditions holds; `written`: more of them, as text."""
        texts = [*(self.write.text(c) for c in dict.fromkeys(conditions)), *written]
        body = [line for t in texts for line in (f"if {t}:", f"    return {answer}")]
        self.method(f"{name}(self, s)", [*body, f"return {not answer}"], doc)

    def _used_helpers(self) -> list[str]:
        """The constants and formulas with methods that the text so far calls, in the order of the model."""
        used: set[str] = set()
        waiting = {n for n in self.helpers if re.search(rf"\bself\.{self.helpers[n]}\(", "\n".join(self.lines))}
        while waiting:
            name = waiting.pop()
            used.add(name)
            waiting |= (names_in(self.scope.body(name, 0)) & self.helpers.keys()) - used
        return [n for n in self.helpers if n in used]

    def formulas(self) -> list[str]:
        """The methods of the helpers that are called."""
        lines = []
        for name in self._used_helpers():
            arguments = "self, s" if name in self.model.formulas else "self"
            body = self.scope.body(name, 0)
            remark = f"  # {'formula' if name in self.model.formulas else 'constant'} {name}" if may_fail(body) else ""
            lines += [f"def {self.helpers[name]}({arguments}):", f"    return {self.write.text(body)}{remark}", ""]
        for name, spelt in self.used_sets().items():
            place = ""
            for variable, low, size in self.model.sets[name].ranges:
                own = f"s.{self.fields[variable]}" + (f" - {low}" if low > 0 else f" + {-low}" if low < 0 else "")
                place = f"({place}) * {size} + {own}" if place else own
            lines += [f"def {spelt}(self, s):", f'    """Whether {plain(name)} holds."""', f"    place = {place or '0'}"]
            lines += [f"    return WHERE_{spelt}[place // {BITS}] >> place % {BITS} & 1 == 1", ""]
        return lines

    def helpers_of_expressions(self, lines: Sequence[str]) -> list[str]:
        """The methods that expressions in these lines call, and that the model has not defined."""
        text, found = "\n".join(lines), list[str]()
        for name, (arguments, body, doc) in HELPERS.items():
            if f"self.{name}(" in text:
                found += [f"def {name}(self, {arguments}):", f'    """{doc}"""', *(f"    {line}" for line in body), ""]
        return found

    def used_sets(self) -> dict[str, str]:
        """The properties inside others that the text so far uses, and the names of their methods."""
        text = "\n".join(self.lines)
        return {name: spelt for name, spelt in self.sets.items() if f"self.{spelt}(s)" in text}

    def when(self, guard: Expr, inner: list[str]) -> list[str]:
        """Lines that are run if a condition holds."""
        return inner if guard == Truth(True) else [f"if {self.write.text(guard)}:", *(f"    {line}" for line in inner)]


def plain(text: str) -> str:
    """A short text that is safe in a docstring or a comment."""
    return harmless(textwrap.shorten(text, WIDTH - 20, placeholder=" ..."))


def harmless(text: str) -> str:
    """A text that is safe in a docstring or a comment: whatever a file says, it is not code there."""
    text = "".join(c if c.isprintable() else " " for c in text).replace("\\", "/").replace('"""', "'''")
    return text.rstrip('"') + ("'" if text.endswith('"') else "")

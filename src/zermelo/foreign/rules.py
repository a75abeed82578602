"""A model and a property -> the rules of a game in our language, as the text of a Python file. Linear in the source of the model.

The translation of a property:

    P [a U b]     play ends where b holds, worth 1, and where a does not or nothing can happen, worth 0; endless play is worth 0
    P [G a]       the chance that a fails at some time; the answer is 1 minus this, and the players change roles
    ... <= k      the state counts the remaining steps
    R [F b]       play ends where b holds; play that does not get there is worth infinitely much (`must_end`), or `never` if that is given
    R [C], [C<=k], [I=k]   the rewards gathered, in total or in this many steps

Where nothing can happen (a deadlock) the model stays there forever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from zermelo.foreign.asked import Asked, Question
from zermelo.foreign.concurrent import Concurrent
from zermelo.foreign.happening import Happening
from zermelo.foreign.model import Apply, Model, Name, Number, Property, Truth
from zermelo.foreign.python import AND, MINUS, OR, SUM
from zermelo.foreign.rewards import Rewards
from zermelo.foreign.scope import ONE
from zermelo.foreign.start import Start
from zermelo.foreign.steps import Step
from zermelo.foreign.tables import constant, price, titled
from zermelo.foreign.text import Text, plain
from zermelo.language.units import LONGEST

SHOWN = 'return ", ".join(f"{name}={str(value).lower()}" for name, value in zip(s._fields, s))'  # "x=0, up=false"
SHOWN_IN_PLAY = f'{SHOWN[:-1]} if (name, value) not in (("phase", 1), ("given_up", False)))'  # without what a model's state does not have
NOT_NEEDED = "the property does not depend on it"


@dataclass(frozen=True)
class Translation:
    """The text of a Python file, the game's class in it, the meaning of its value, and the open constants of the model that it uses."""

    text: str
    class_name: str
    question: Question | None  # None if the file itself is a game, without a property
    notes: tuple[str, ...]
    needed: tuple[str, ...] = ()
    source: str = ""  # of a file of Gambit: its text


def translated(model: Model, question: Property, given: Mapping[str, Fraction | bool] | None = None, never: bool = False) -> Translation:
    """The rules of the game for a property. `never`: with the parameter of that name. Raises `ModelError`."""
    return _Translator(Asked(model, question, given or {}, never)).translation()


class _Translator:
    def __init__(self, asked: Asked):
        self.asked, self.model, self.scope = asked, asked.model, asked.scope
        self.text = Text(asked.model, asked.scope)
        self.start = Start(asked, self.text)
        self.rewards = Rewards(asked, self.text, asked.rewards, asked.in_units, asked.property.rewards, "rewards")
        made = Concurrent if asked.model.kind == "csg" else Happening
        self.happening: Concurrent | Happening = made(asked, self.text, self.start, self.rewards)

    def translation(self) -> Translation:
        """The whole text."""
        happening = self.happening
        self.start.method()
        happening.over, happening.counts_down = self._ends()
        if self.model.kind != "csg" or self.asked.property.path == "instant":
            self.rewards.methods()
        if isinstance(happening, Concurrent):
            happening.methods()
        else:
            for gathered in happening.gathered:
                gathered.methods()
            self._in_turn(happening)
        self.text.method("show(self, s)", [SHOWN_IN_PLAY if self.asked.draws or self.asked.may_give_up else SHOWN])
        body = [*self.text.formulas(), *self.text.lines]
        body = [*self.text.helpers_of_expressions(body), *body]
        needed = self._needed(body)
        text = "\n".join([*self._head(needed), *(f"    {line}".rstrip() for line in body)]) + "\n"
        imports = ["import math", ""] if "math." in text else []
        head = f'"""{self._title()}\n\nWritten by `zermelo translate`."""'
        state = self.start.state_class()
        tables = [line for t in happening.tables for line in t.constants()]
        tables += self.start.constants()
        for name, spelt in self.text.used_sets().items():
            tables += constant(f"WHERE_{spelt}", self.model.sets[name].numbers, f"where {plain(name)} holds, bit by bit")
        tables = ["", *tables] if tables else []
        whole = "\n".join([head, "", *imports, "from typing import Annotated, NamedTuple", *tables, "", "", *state, "", "", text])
        return Translation(whole, self.class_name, self.asked.question(self.text.fields), tuple(self.model.notes), needed)

    def _needed(self, body: list[str]) -> tuple[str, ...]:
        """The open constants that occur in the methods."""
        methods = "\n".join([*body, self.text.write.text(self.asked.unit)])
        return tuple(c for c, spelt in self.text.parameters.items() if re.search(rf"\bself\.{spelt}\b", methods))

    def _in_turn(self, happening: Happening) -> None:
        """Adds the steps for models in which one side chooses at a time, or nobody."""
        if self.model.kind == "dtmc":
            happening.chance()
        else:
            happening.actions()
            happening.outcomes()
            self._player(happening)
            happening.names_of_actions()
        happening.methods_of_parts()
        happening.deadlock()

    def _title(self) -> str:
        return f"{plain(self.asked.property.text)} of {plain(self._file)} ({self.model.kind})."

    @property
    def _file(self) -> str:
        return re.split(r"[\\/]", self.model.file)[-1]

    @property
    def class_name(self) -> str:
        stem = self._file.split(".")[0]
        words = [w for w in re.split(r"[^A-Za-z0-9]+", stem) if w]
        name = "".join(w[:1].upper() + w[1:] for w in words)
        return name if name[:1].isalpha() and name not in ("State", "NamedTuple", "Annotated", "None", "True", "False") else f"Model{name}"

    def _head(self, needed: tuple[str, ...]) -> list[str]:
        lines = [f"class {self.class_name}(NamedTuple):", f'    """{self._title()}']
        lines += [f"\n    {line}" if i == 0 else f"    {line}" for i, line in enumerate(self._what_it_means())]
        lines[-1] += '"""'
        lines.append("")
        for name, spelt in sorted(self.text.parameters.items(), key=lambda item: item[0] not in needed):
            kind, zero = {"int": ("int", "0"), "double": ("float", "0.0"), "bool": ("bool", "False")}[self.model.constants[name].type]
            lines.append(f"    {spelt}: {kind}" if name in needed else f'    {spelt}: Annotated[{kind}, "{NOT_NEEDED}"] = {zero}')
        if self.asked.may_give_up:
            lines.append(price(self.asked.must_reach))
        lines.append(f"    title = {titled(f'{self._file}, {self.asked.property.text}')!r}")
        if self.asked.must_reach:
            lines.append("    must_end = True")
        unit, name = self.asked.unit, repr(self._name_of_rewards)
        if isinstance(unit, Number) and unit != ONE:
            lines.append(f"    payoff_unit = ({name}, {self.text.write.text(unit)})")
        lines.append("")
        if not isinstance(unit, Number):
            lines += ["    def payoff_unit(self):", f"        return {name}, {self.text.write.text(unit)}", ""]
        return lines

    @property
    def _price(self) -> str:
        """`never` in the unit of the rules."""
        return "self.never" if self.asked.unit == ONE else f"self.never * {self.text.write.text(self.asked.unit, MINUS)}"

    @property
    def _name_of_rewards(self) -> str:
        """The name of the rewards where values are shown in their unit."""
        name = self.asked.property.rewards or ""
        return name if name and name.isidentifier() and len(name) <= LONGEST else "rewards"

    def _what_it_means(self) -> list[str]:
        lines = self._what_a_value_means()
        if self.asked.draws:
            lines.append("Several states are asked about: play begins with a draw, and the answers are the values in phase 1.")
        return lines

    def _what_a_value_means(self) -> list[str]:
        if self.asked.is_rest:
            return ["The value is the chance that this fails: the answer is 1 - value."]
        if self.asked.may_give_up and not self.asked.must_reach:
            return ["Whoever wants little to be paid may give up at the price `never`: the value is the answer if nobody does."]
        if self.asked.may_give_up:
            return [
                "What never gets there costs infinitely much.",
                "What gets there is paid `never`, and whoever wants little to be paid may give up, for nothing: the answer is the value",
                "plus `never`, if that is large enough for nobody to give up, which is examined when it is solved.",
            ]
        if self.asked.property.endless and self.asked.somebody_minimises and not self.asked.must_reach:
            return ["The value is the answer. Actions that may lead to where it is infinite are left out."]
        if self.asked.must_reach:
            return ["The value is the answer. What never gets there costs infinitely much: whether play ends is examined after solving."]
        return ["The value is the answer."]

    def _ends(self) -> tuple[str, str]:
        """Adds `reached`, `over` and `payoff`; returns the test for the end of play, "" if there is none, and the number of steps left."""
        asked, write = self.asked.property, self.text.write
        draws, selects = self.asked.draws, self.asked.selects is not None
        one = "(s.phase == 1)" if draws else "1"  # searching for states takes no steps
        if asked.path in ("total", "cumulative", "instant"):
            if asked.path == "instant":
                self.text.method("payoff(self, s)", [f"return {self.rewards.of_state()}"])
            stops = ["s.phase == 2"] * selects + ["s.steps <= 0"] * (asked.path != "total") + ["s.given_up"] * self.asked.may_give_up
            stops += self._endless()
            if self.asked.may_give_up:
                self.text.method("payoff(self, s)", [f"return {self._price} if s.given_up else 0"])
            return " or ".join(stops), f"s.steps - {one}"
        early = [g.is_enough(write) for g in self.asked.gathers]
        if self.asked.low is not None:
            if self.asked.high is None:
                early.append("s.steps <= 0")
            else:
                spare = self.scope.computed("-", self.asked.high, self.asked.low)
                early.append(f"s.steps <= {write.text(spare, SUM)}")
        if early:
            reached = " and ".join([*early, *([write.text(self.asked.right, AND)] if self.asked.right != Truth(True) else [])])
        else:
            reached = write.text(self.asked.right, AND)
        if draws:
            reached = f"s.phase == 1 and {f'({reached})' if ' or ' in reached else reached}"
        self.text.method("reached(self, s)", [f"return {reached}"])
        ends = ["self.reached(s)", *(["s.given_up"] if self.asked.may_give_up else []), *self._endless()]
        if self.asked.left != Truth(True):
            ends.append(write.text(self.scope.fold(Apply("!", (self.asked.left,))), OR))
        if self.asked.high is not None:
            ends.append("s.steps <= 0")
        ends += [f"s.{g.field} < 0" for g in self.asked.gathers if g.is_upper]
        if selects:
            ends.append("s.phase == 2")
        if isinstance(self.happening, Concurrent) and not self.asked.loops:
            ends.append(self.happening.stuck())
        over = "self.reached(s)"
        if len(ends) > 1:
            self.text.method("over(self, s)", [f"return {' or '.join(ends)}"])
            over = "self.over(s)"
        if not self.asked.pays:
            self.text.method("payoff(self, s)", ["return 1 if self.reached(s) else 0"])
        elif self.asked.may_give_up and not self.asked.must_reach:
            self.text.method("payoff(self, s)", [f"return {self._price} if s.given_up else 0"])
        elif self.asked.may_give_up:
            others = [*(["s.phase == 2"] if selects else []), *(["self.endless(s)"] if asked.endless else [])]
            reached = f"({' or '.join(['self.reached(s)', *others])})" if others else "self.reached(s)"
            self.text.method("payoff(self, s)", [f"return -{self._price} if {reached} and not s.given_up else 0"])
        return over, f"s.steps - {one}" if self.asked.high is not None else f"max(s.steps - {one}, 0)"

    def _endless(self) -> list[str]:
        """Adds `endless`, and returns the test, if play is cut off where the value is infinite."""
        if not self.asked.property.endless:
            return []
        where = self.text.write.text(Name(self.asked.property.endless))
        self.text.method("endless(self, s)", [f"return {'s.phase == 1 and ' * self.asked.draws}{where}"], "Whether the value is infinite.")
        return ["self.endless(s)"]

    def _player(self, happening: Happening) -> None:
        """The player to move: 0 wants the value high, 1 low. In a game of two sides, the owner of the steps; both at once is refused."""
        if self.model.kind != "smg":
            if self.asked.minimises:
                self.text.method("player(self, s)", ["return 1"])
            return
        coalition = self.asked.coalition()
        owners = [self._owner(step) for step in happening.steps]
        ours = [s.guard for s, owner in zip(happening.steps, owners, strict=True) if owner in coalition]
        theirs = [s.guard for s, owner in zip(happening.steps, owners, strict=True) if owner not in coalition]
        tables = [(t.some(), self._owner(t.step)) for t in happening.tables]
        our_rows, their_rows = [some for some, o in tables if o in coalition], [some for some, o in tables if o not in coalition]
        high, low = (theirs, ours) if self.asked.minimises else (ours, theirs)
        high_rows, low_rows = (their_rows, our_rows) if self.asked.minimises else (our_rows, their_rows)
        self.text.any("high_moves", high, True, "Whether the side that wants the value high can do something.", high_rows)
        self.text.any("low_moves", low, True, "Whether the side that wants the value low can do something.", low_rows)
        check = 'assert not (low and self.high_moves(s)), "both sides can choose here"'
        self.text.method("player(self, s)", ["low = self.low_moves(s)", check, "return 1 if low else 0"])

    def _owner(self, step: Step) -> str:
        """The player whose choice a step is."""
        if step.label:
            owners = [p for p in self.model.players if step.label in p.labels]
            what = f"[{step.label}]"
        else:
            owners = [p for p in self.model.players if step.module in p.modules]
            what = f"[] of the module {step.module}"
        if len(owners) != 1:
            line = owners[1].line if owners else step.parts[0].commands[0].line
            raise self.model.error(line, f"{what} belongs to {'two players' if owners else 'no player'}; it must belong to one")
        return owners[0].name

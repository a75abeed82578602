"""A model and a property -> the rules of a game in our language, as the text of a Python file. Linear in the source of the model.

What a property becomes:

    P [a U b]     play ends where b holds, worth 1, and where a does not or nothing can happen, worth 0; endless play is worth 0
    P [G a]       the chance that a fails at some time, of which the answer is the rest; the players change roles
    ... <= k      the state counts the steps that are left
    R [F b]       play ends where b holds; what does not get there is worth infinitely much (`must_end`); with `never`, so much
    R [C], [C<=k], [I=k]   what is gathered, in all or in so many steps

Where nothing can happen (a deadlock) the model stays there for ever.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from zermelo.foreign.model import (
    Apply,
    Branch,
    Command,
    Expr,
    Model,
    ModelError,
    Name,
    Number,
    Property,
    RewardItem,
    Truth,
    names_in,
)
from zermelo.foreign.python import AND, FIELDS_TAKEN, OR, PRODUCT, SUM, Writer, safe
from zermelo.foreign.scope import ONE, Scope
from zermelo.foreign.steps import Step, all_of, any_of, levelled, missing_factor, shared_total, steps_of

MOST_INITIAL = 1_000_000  # states among which `init ... endinit` is looked for
MOST_BITS = 55  # of a state with declared ranges, which are used as they are; else numbers take what they need
WIDTH = 130
STAY = "stays"  # the name of what happens in a deadlock


@dataclass(frozen=True)
class Question:
    """What the value of the game means.

    reads        "value", or "rest": the answer is 1 - value
    must_reach   what never ends is worth infinitely much (R [F b])
    relation, bound   of a property with a threshold
    """

    text: str
    reads: str
    must_reach: bool
    relation: str
    bound: Fraction | None


@dataclass(frozen=True)
class Translation:
    """The text of a Python file, the game's class in it, and what its value means."""

    text: str
    class_name: str
    question: Question
    notes: tuple[str, ...]


def translated(model: Model, question: Property, given: Mapping[str, Fraction | bool] | None = None, never: bool = False) -> Translation:
    """The rules of the game that a property asks about. `never`: with the parameter of that name. Raises `ModelError`."""
    return _Translator(model, question, given or {}, never).translation()


class _Translator:
    def __init__(self, model: Model, question: Property, given: Mapping[str, Fraction | bool], never: bool):
        self.model, self.asked = model, question
        self.scope = Scope(model, given)
        self.never = never
        self.lines: list[str] = []
        self.minimises, self.is_rest = self._aim()
        self.steps = steps_of(model, self.scope)
        if model.kind == "dtmc":
            self.steps = [replace(s, parts=tuple(levelled(self.scope, p) for p in s.parts)) for s in self.steps]
            self.total = shared_total(self.steps)
        self._name_all()
        self._question()

    # --- what is asked ------------------------------------------------------------------------------------------------

    def _aim(self) -> tuple[bool, bool]:
        """Whether the first player (the coalition, or who there is) wants the value of the game low; whether the answer is 1 - value."""
        asked, kind = self.asked, self.model.kind
        best = asked.best
        if kind != "smg" and asked.coalition is not None:
            raise self.error("<<...>> is about games of several players, and this is no smg")
        if kind == "smg" and asked.coalition is None:
            known = ", ".join(p.name for p in self.model.players)
            raise self.error(f"who plays for it? Write <<...>> in front, with some of {known or 'the players, of which there are none'}")
        if asked.relation != "=?" and not best and kind != "dtmc":
            wants_more = asked.relation in (">", ">=")
            best = "max" if wants_more == (kind == "smg") else "min"  # of a coalition that can; of all that an mdp may do
        elif not best and kind != "dtmc":
            raise self.error(f"an {kind} has choices: ask for {asked.measure}max or {asked.measure}min")
        is_rest = asked.path in ("globally", "weak")
        return (best == "min") != is_rest, is_rest

    def error(self, text: str) -> ModelError:
        return ModelError(f"{self.asked.text}: {text}")

    def _question(self) -> None:
        """Where play ends, what it pays there, and what is counted."""
        asked = self.asked
        left, right = self._condition(asked.left), self._condition(asked.right)
        no = self.scope.fold(Apply("!", (right,)))
        if asked.path == "globally":
            left, right = Truth(True), no
        elif asked.path == "weak":
            left, right = all_of([left, no]), self.scope.fold(Apply("&", (Apply("!", (left,)), no)))
        self.left, self.right = left, right
        self.low, self.high = (self._bound(e) if e is not None else None for e in (asked.low, asked.high))
        if asked.path == "next":
            self.low = self.high = ONE
        self.counts = self.low is not None or self.high is not None
        self.pays = asked.measure == "R"
        self.loops = self.pays or self.low is not None
        self.must_reach = asked.path == "reach"
        self.may_give_up = self.never and self.must_reach and self.model.kind != "dtmc" and (self.model.kind == "smg" or self.minimises)
        self.rewards = self._rewards() if self.pays else []

    def _condition(self, expr: Expr) -> Expr:
        folded = self.scope.fold(expr)
        if self.scope.type_of(folded) != "bool":
            raise self.error("a condition is asked for, and this is a number")
        return folded

    def _bound(self, expr: Expr) -> Expr:
        folded = self.scope.fold(expr)
        if self.scope.type_of(folded) == "double" and isinstance(folded, Number) and folded.value.denominator == 1:
            folded = Number(folded.value)
        if self.scope.type_of(folded) != "int" or not names_in(folded) <= set(self.model.constants):
            raise self.error("a number of steps must be a whole number")
        if isinstance(folded, Number) and folded.value < 0:
            raise self.error(f"{folded.value} steps")
        return folded

    def _rewards(self) -> list[RewardItem]:
        """The items of the reward structure that is asked for, folded."""
        known, name = self.model.rewards, self.asked.rewards
        if not known:
            raise self.error("the model has no rewards")
        if name is None:
            name = next(iter(known))
        elif name.startswith("#"):
            if not 1 <= int(name[1:]) <= len(known):
                raise self.error(f"there are {len(known)} reward structures")
            name = list(known)[int(name[1:]) - 1]
        if name not in known:
            raise self.error(f'there are no rewards "{name}"; there is ' + ", ".join(f'"{n}"' for n in known))
        found = []
        for item in known[name]:
            guard, value = self.scope.fold(item.guard), self.scope.fold(item.value)
            if self.scope.type_of(guard) != "bool" or self.scope.type_of(value) == "bool":
                raise self.model.error(item.line, "a reward is `condition : number`")
            if isinstance(value, Number) and value.value < 0 and self.asked.path in ("reach", "reach_or_not", "total"):
                raise self.model.error(item.line, "rewards below 0 are read in C<=k and I=k only")
            if guard != Truth(False) and value != Number(Fraction(0)):
                found.append(replace(item, guard=guard, value=value))
        return found

    # --- names --------------------------------------------------------------------------------------------------------

    def _name_all(self) -> None:
        scope, model = self.scope, self.model
        fields: set[str] = set()
        self.fields = {v: safe(v, fields, FIELDS_TAKEN) for v in model.variables}
        own: set[str] = set()
        self.parameters = {c: safe(c, own) for c in model.constants if scope.is_open(c)}
        self.helpers: dict[str, str] = {}  # constants and formulas with a method of their own
        for name in (*model.constants, *model.formulas):
            if name not in self.parameters and not scope.is_open(name):
                self.helpers[name] = safe(name, own)
        places = {v: f"s.{f}" for v, f in self.fields.items()}
        places |= {c: f"self.{f}" for c, f in self.parameters.items()}
        places |= {h: f"self.{f}({'s' if h in model.formulas else ''})" for h, f in self.helpers.items()}
        self.write = Writer(scope, places)
        self.own = own

    def _used_helpers(self) -> list[str]:
        """The constants and formulas with methods that the text so far calls, in the order of the model."""
        used: set[str] = set()
        waiting = {n for n in self.helpers if re.search(rf"\bself\.{self.helpers[n]}\(", "\n".join(self.lines))}
        while waiting:
            name = waiting.pop()
            used.add(name)
            waiting |= (names_in(self.scope.body(name, 0)) & self.helpers.keys()) - used
        return [n for n in self.helpers if n in used]

    # --- the text -----------------------------------------------------------------------------------------------------

    def translation(self) -> Translation:
        self._start()
        self._ends()
        self._methods_of_rewards()
        if self.model.kind == "dtmc":
            self._chance()
        else:
            self._actions()
            self._outcomes()
            self._player()
            self._names_of_actions()
        self._methods_of_parts()
        body = [*self._formulas(), *self.lines]
        text = "\n".join([*self._head(), *(f"    {line}".rstrip() for line in body)]) + "\n"
        imports = ["import math", ""] if "math." in text else []
        head = f'"""{self._title()}\n\nWritten by `zermelo translate`."""'
        whole = "\n".join([head, "", *imports, "from typing import Annotated, NamedTuple", "", "", *self._state(), "", "", text])
        bound = self.scope.value(self.asked.bound) if self.asked.bound is not None else None
        if self.asked.bound is not None and (bound is None or isinstance(bound, bool)):
            raise self.error("the bound must be a number")
        question = Question(
            self.asked.text, "rest" if self.is_rest else "value", self.must_reach, self.asked.relation,
            bound if isinstance(bound, Fraction) else None,
        )  # fmt: skip
        return Translation(whole, self.class_name, question, tuple(self.model.notes))

    def _title(self) -> str:
        file = re.split(r"[\\/]", self.model.file)[-1]
        return f"{_plain(self.asked.text)} of {_plain(file)} ({self.model.kind})."

    @property
    def class_name(self) -> str:
        stem = re.split(r"[\\/]", self.model.file)[-1].split(".")[0]
        words = [w for w in re.split(r"[^A-Za-z0-9]+", stem) if w]
        name = "".join(w[:1].upper() + w[1:] for w in words)
        return name if name[:1].isalpha() and name not in ("State", "NamedTuple", "Annotated", "None", "True", "False") else f"Model{name}"

    def _state(self) -> list[str]:
        lines = ["class State(NamedTuple):"]
        declared = self._bits() <= MOST_BITS
        if not declared:
            note = f"the ranges of all variables need {self._bits()} bits, so they are not declared, and not checked"
            self.model.notes += [note] if note not in self.model.notes else []
        for name, v in self.model.variables.items():
            kind = "bool"
            if not v.is_bool:
                assert v.low is not None and v.high is not None
                low, high = self.scope.value(v.low), self.scope.value(v.high)
                kind = "int"
                if isinstance(low, Fraction) and isinstance(high, Fraction):
                    if low.denominator * high.denominator != 1 or low > high:
                        raise self.model.error(v.line, f"{name} has the range [{low}..{high}]")
                    kind = f"Annotated[int, range({low}, {high + 1})]" if declared else "int"
            lines.append(f"    {self.fields[name]}: {kind}")
        if self.counts:
            lines.append("    steps: int  # left")
        if self.may_give_up:
            lines.append("    given_up: bool = False")
        if not self.model.variables and not self.counts:
            lines.append("    place: Annotated[int, range(1)] = 0  # the model has no variables")
        return lines

    def _bits(self) -> int:
        """The bits of a state, every variable with its range as far as that is known."""
        total = 0
        for v in self.model.variables.values():
            low, high = (self.scope.value(e) if e is not None else False for e in (v.low, v.high))
            if low is not None and high is not None:
                total += 1 if v.is_bool else int(high - low).bit_length()
        return total

    def _head(self) -> list[str]:
        lines = [f"class {self.class_name}(NamedTuple):", f'    """{self._title()}']
        lines += [f"\n    {line}" if i == 0 else f"    {line}" for i, line in enumerate(self._what_it_means())]
        lines[-1] += '"""'
        lines.append("")
        for name, spelt in self.parameters.items():
            kind = {"int": "int", "double": "float", "bool": "bool"}[self.model.constants[name].type]
            lines.append(f"    {spelt}: {kind}")
        if self.may_give_up:
            lines.append('    never: Annotated[int, "what a play costs that never gets there", range(1, 10**15)] = 1_000_000')
        if self.must_reach:
            lines.append("    must_end = True")
        if self.parameters or self.must_reach:
            lines.append("")
        return lines

    def _what_it_means(self) -> list[str]:
        if self.is_rest:
            return ["The value is the chance that this fails: the answer is 1 - value."]
        if self.may_give_up:
            return [
                "What never gets there costs infinitely much.",
                "What gets there is paid `never`, and whoever wants little to be paid may give up, for nothing: the answer is the value",
                "plus `never`, if that is large enough for nobody to give up, which is examined when it is solved.",
            ]
        if self.must_reach:
            return ["The value is the answer. What never gets there costs infinitely much: whether play ends is examined after solving."]
        return ["The value is the answer."]

    def _method(self, head: str, body: list[str], doc: str = "") -> None:
        self.lines += [f"def {head}:", *([f'    """{doc}"""'] if doc else []), *(f"    {line}" for line in body), ""]

    def _formulas(self) -> list[str]:
        lines = []
        for name in self._used_helpers():
            arguments = "self, s" if name in self.model.formulas else "self"
            lines += [f"def {self.helpers[name]}({arguments}):", f"    return {self.write.text(self.scope.body(name, 0))}", ""]
        return lines

    # --- beginning and end --------------------------------------------------------------------------------------------

    def _start(self) -> None:
        values = [self.write.text(e) for e in self._initial().values()]
        if self.counts:
            values.append(self._budget())
        self._method("start(self)", [f"return State({', '.join(values)})"])

    def _budget(self) -> str:
        bound = self.high if self.high is not None else self.low
        assert bound is not None
        return self.write.text(bound)

    def _initial(self) -> dict[str, Expr]:
        model, scope = self.model, self.scope
        if model.initial is not None:
            return self._only_initial(model.initial)
        found: dict[str, Expr] = {}
        for name, v in model.variables.items():
            value = scope.fold(v.initial) if v.initial is not None else Truth(False) if v.low is None else scope.fold(v.low)
            if scope.type_of(value) != ("bool" if v.is_bool else "int") or not names_in(value) <= set(model.constants):
                raise model.error(v.line, f"{name} must begin with {'a truth value' if v.is_bool else 'a whole number'}")
            for bound, sign in ((v.low, 1), (v.high, -1)):
                limit = scope.value(bound) if bound is not None else None
                if isinstance(value, Number) and isinstance(limit, Fraction) and sign * (value.value - limit) < 0:
                    raise model.error(v.line, f"{name} begins with {value.value}, which is not in its range")
            found[name] = value
        return found

    def _only_initial(self, condition: Expr) -> dict[str, Expr]:
        """The one state in which `init ... endinit` holds."""
        ranges: list[list[int | bool]] = []
        size = 1
        for v in self.model.variables.values():
            bounds = [self.scope.value(e) for e in (v.low, v.high) if e is not None]
            if any(b is None for b in bounds):
                raise self.model.error(v.line, f"`init` is read where all ranges are known: give its constants with --const ({v.name})")
            ranges.append(list(range(int(bounds[0] or 0), int(bounds[1] or 0) + 1)) if bounds else [False, True])
            size *= len(ranges[-1])
        if size > MOST_INITIAL:
            raise self.error(f"`init ... endinit` is looked for among at most {MOST_INITIAL:,} states; give every variable its own init")
        found = []
        for values in product(*ranges):
            at = dict(zip(self.model.variables, values, strict=True))
            holds = self.scope.value(condition, at)
            if holds is None:
                raise self.error("`init` depends on an open constant: give it with --const")
            if holds:
                found.append(at)
        if len(found) != 1:
            hint = "a game has one start" if found else "there must be one"
            raise self.error(f"`init` holds in {len(found)} states, and {hint}")
        return {n: Truth(x) if isinstance(x, bool) else Number(Fraction(x)) for n, x in found[0].items()}

    def _ends(self) -> None:
        """`reached`, `over` and `payoff`."""
        asked, write = self.asked, self.write
        if asked.path in ("total", "cumulative", "instant"):
            self.counts_down = "s.steps - 1"
            if asked.path == "total":
                self.over = ""
                return
            self.over = "s.steps == 0"
            if asked.path == "instant":
                self._method("payoff(self, s)", [f"return {self._state_reward()}"])
            return
        reached = write.text(self.right, AND)
        if self.low is not None:
            if self.high is None:
                early = "s.steps == 0"
            else:
                spare = self.scope.computed("-", self.high, self.low)
                early = f"s.steps <= {write.text(spare, SUM)}"
            reached = f"{early} and {reached}" if self.right != Truth(True) else early
        self._method("reached(self, s)", [f"return {reached}"])
        ends = ["self.reached(s)", *(["s.given_up"] if self.may_give_up else [])]
        if self.left != Truth(True):
            ends.append(write.text(self.scope.fold(Apply("!", (self.left,))), OR))
        if self.high is not None:
            ends.append("s.steps == 0")
        self.over = "self.reached(s)"
        if len(ends) > 1:
            self._method("over(self, s)", [f"return {' or '.join(ends)}"])
            self.over = "self.over(s)"
        self.counts_down = "s.steps - 1" if self.high is not None else "max(s.steps - 1, 0)"
        if not self.pays:
            self._method("payoff(self, s)", ["return 1 if self.reached(s) else 0"])
        elif self.may_give_up:
            self._method("payoff(self, s)", ["return -self.never if self.reached(s) and not s.given_up else 0"])

    # --- rewards ------------------------------------------------------------------------------------------------------

    def _state_reward(self) -> str:
        items = [r for r in self.rewards if r.label is None]
        if len(items) == 1 and items[0].guard == Truth(True):
            return self.write.text(items[0].value, SUM)
        return "self.rewards(s)" if items else "0"

    def _methods_of_rewards(self) -> None:
        """A method for what states pay, and one for each label that is paid for."""
        self.rewarding: dict[str, str] = {}
        if self.asked.path == "instant":
            labels: list[str | None] = [None]
        else:
            labels = list(dict.fromkeys(r.label for r in self.rewards)) if self.pays else []
        for label in labels:
            items = [r for r in self.rewards if r.label == label]
            if not items:
                continue
            plain = len(items) == 1 and items[0].guard == Truth(True)
            if plain:
                text = self.write.text(items[0].value, SUM)
            else:
                spelt = safe("rewards" if label is None else f"rewards_{label}", self.own) if label is not None else "rewards"
                body = ["total = 0"]
                for r in items:
                    add = f"total += {self.write.text(r.value)}"
                    body += [add] if r.guard == Truth(True) else [f"if {self.write.text(r.guard)}:", f"    {add}"]
                self._method(f"{spelt}(self, s)", [*body, "return total"])
                text = f"self.{spelt}(s)"
            if label is not None:
                self.rewarding[label] = text

    def _payoff(self, step: Step, paid: list[str]) -> str:
        """What a step pays."""
        if not self.pays or self.asked.path == "instant":
            return "0"
        found = [self._state_reward(), self.rewarding.get(step.label, "0"), *paid]
        return " + ".join(t for t in found if t != "0") or "0"

    # --- actions ------------------------------------------------------------------------------------------------------

    def _player(self) -> None:
        """Who moves: 0 wants the value high, 1 low. In a game of two sides whoever owns what can happen; both at once is refused."""
        if self.model.kind != "smg":
            if self.minimises:
                self._method("player(self, s)", ["return 1"])
            return
        coalition = self._coalition()
        owners = [self._owner(step) for step in self.steps]
        ours = [self._guard(s) for s, owner in zip(self.steps, owners, strict=True) if owner in coalition]
        theirs = [self._guard(s) for s, owner in zip(self.steps, owners, strict=True) if owner not in coalition]
        high, low = (theirs, ours) if self.minimises else (ours, theirs)
        self._any("high_moves", high, "Whether the side that wants the value high can do something.")
        self._any("low_moves", low, "Whether the side that wants the value low can do something.")
        check = 'assert not (low and self.high_moves(s)), "both sides can choose here"'
        self._method("player(self, s)", ["low = self.low_moves(s)", check, "return 1 if low else 0"])

    def _any(self, name: str, guards: list[Expr], doc: str) -> None:
        """A method that says whether one of these conditions holds."""
        body = [line for g in dict.fromkeys(guards) for line in (f"if {self.write.text(g)}:", "    return True")]
        self._method(f"{name}(self, s)", [*body, "return False"], doc)

    def _coalition(self) -> set[str]:
        """The names of the players that are asked for, by name or by number."""
        names = [p.name for p in self.model.players]
        found = set()
        for member in self.asked.coalition or ():
            if member.isdigit() and 1 <= int(member) <= len(names):
                found.add(names[int(member) - 1])
            elif member in names:
                found.add(member)
            else:
                raise self.error(f"there is no player {member}; there is {', '.join(names) or 'none'}")
        return found

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

    def _names_of_actions(self) -> None:
        """What people read: the label, with the lines of its commands where it has several."""
        names: list[str] = []
        for step in self.steps:
            for commands, _ in step.each() if self._is_flat(step) else ():
                lines = "+".join(str(c.line) for c in commands if c.line)
                plain = step.label or step.module
                names.append(plain if step.choices == 1 and step.label else f"{plain}, line {lines}" if lines else plain)
            if not self._is_flat(step):
                names += [step.label] * step.choices
        names += [STAY] * self.loops + ["gives up"] * self.may_give_up
        seen: dict[str, int] = {}
        for k, name in enumerate(names):
            seen[name] = seen.get(name, 0) + 1
            names[k] = name if names.count(name) == 1 and seen[name] == 1 else f"{name} ({seen[name]})"
        rows: list[str] = []
        line = ""
        for name in names:
            if len(line) + len(repr(name)) > WIDTH - 16:
                rows, line = [*rows, line.rstrip()], ""
            line += f"{name!r}, "
        rows.append(line.rstrip())
        self._method("action_name(self, action)", ["names = (", *(f"    {row}" for row in rows), ")", "return names[action]"])

    # --- chance -------------------------------------------------------------------------------------------------------

    def _chance(self) -> None:
        """`outcomes` of a game in which nobody chooses."""
        body, indent = self._inside()
        body += [f"{indent}found = False"] if self.loops else []
        tick = ["found = True"] if self.loops else []
        for step in self.steps:
            factor = missing_factor(self.scope, self.total, step)
            if self._is_flat(step):
                for commands, weights in step.each():
                    guard = all_of([c.guard for c in commands])
                    inner = [*tick, *self._written_out(step, commands, [w.ways for w in weights], factor)]
                    lines = self._when(guard, inner)
                    lines[0] += self._remark(step, commands) if guard != Truth(True) else ""
                    body += [indent + line for line in lines]
            else:
                body += [indent + line for line in self._loops_over_choices(step, [*tick, *self._looped(step, factor)])]
        if self.loops:
            body += [f"{indent}if not found:", f"{indent}    yield 1, {self._staying()}"]
        if not any("yield" in line for line in body):
            raise self.error("nothing can ever happen in this model")
        self._method("outcomes(self, s)", body)

    def _is_flat(self, step: Step) -> bool:
        """Whether all choices of a step are written out, or found by loops over its parts."""
        return len(step.parts) == 1 or step.longest <= 2 * step.length + 8

    def _guard(self, step: Step) -> Expr:
        """When a step can happen."""
        return all_of([any_of([c.guard for c in p.commands]) for p in step.parts])

    def _inside(self) -> tuple[list[str], str]:
        """The beginning of a method that says what can happen, and its indentation."""
        return ([f"if not {self.over}:"], "    ") if self.over else ([], "")

    def _actions(self) -> None:
        self.numbers: dict[int, int] = {}  # the first action of each step
        self.last = 0
        body, indent = self._inside()
        loops = self.loops
        body += [f"{indent}found = False"] if loops else []
        tick = ["found = True"] if loops else []
        for k, step in enumerate(self.steps):
            self.numbers[k] = self.last
            if self._is_flat(step):
                for n, (commands, _) in enumerate(step.each()):
                    guard = all_of([c.guard for c in commands])
                    inner = [*tick, f"yield {self.last + n}"]
                    body += [indent + line for line in self._when(guard, inner)]
            else:
                body += [indent + line for line in self._loops_over_choices(step, [*tick, f"yield {self._number(step, self.last)}"])]
            self.last += step.choices
        if loops:
            body += [f"{indent}if not found:", f"{indent}    yield {self.last}"]
            self.stays = self.last
            self.last += 1
        if self.may_give_up:
            self.gives_up = self.last
            if self.model.kind == "smg":
                body += [f"{indent}if self.player(s) == 1:", f"{indent}    yield {self.last}"]
            elif self.minimises:
                body += [f"{indent}yield {self.last}"]
            self.last += 1
        if not any("yield" in line for line in body):
            raise self.error("nothing can ever happen in this model")
        self._method("actions(self, s)", body)

    def _when(self, guard: Expr, inner: list[str]) -> list[str]:
        return inner if guard == Truth(True) else [f"if {self.write.text(guard)}:", *(f"    {line}" for line in inner)]

    def _loops_over_choices(self, step: Step, inner: list[str]) -> list[str]:
        """Loops over the commands of each part, those that can happen."""
        lines, indent = [], ""
        for n, part in enumerate(step.parts):
            lines.append(f"{indent}for i{n} in range({len(part.commands)}):")
            lines.append(f"{indent}    if self.{self._part(step, n)}_can(s, i{n}):")
            indent += "        "
        return lines + [indent + line for line in inner]

    def _number(self, step: Step, first: int) -> str:
        """The number of an action as a function of i0, i1, ..."""
        text = "i0"
        for n, part in enumerate(step.parts[1:], 1):
            text = f"({text}) * {len(part.commands)} + i{n}" if "+" in text else f"{text} * {len(part.commands)} + i{n}"
        return f"{first} + {text}" if first else text

    def _part(self, step: Step, n: int) -> str:
        """The beginning of the names of a part's methods."""
        key = (step.label, n)
        if not hasattr(self, "_parts"):
            self._parts: dict[tuple[str, int], str] = {}
        if key not in self._parts:
            self._parts[key] = safe(f"{step.parts[n].module}_{step.label}", self.own)
        return self._parts[key]

    def _outcomes(self) -> None:
        body: list[str] = []
        word = "if"
        for k, step in enumerate(self.steps):
            first = self.numbers[k]
            if self._is_flat(step):
                for n, (commands, weights) in enumerate(step.each()):
                    inner = self._written_out(step, commands, [w.ways for w in weights], ONE)
                    body += [f"{word} action == {first + n}:{self._remark(step, commands)}", *(f"    {line}" for line in inner)]
                    word = "elif"
            else:
                body.append(f"{word} {first} <= action < {first + step.choices}:  # [{_plain(step.label)}]")
                rest = f"action - {first}" if first else "action"
                for n in reversed(range(len(step.parts))):
                    count = len(step.parts[n].commands)
                    spelt = f"({rest})" if "-" in rest and n else rest
                    body.append(f"    i{n} = {spelt} % {count}" if n else f"    i0 = {rest}")
                    rest = f"({rest}) // {count}" if "-" in rest or "//" in rest else f"{rest} // {count}"
                body += [f"    {line}" for line in self._looped(step, ONE)]
                word = "elif"
        if self.loops:
            body += [f"{word} action == {self.stays}:  # nothing can happen", f"    yield 1, {self._staying()}"]
            word = "elif"
        if self.may_give_up:
            body += [f"{word} action == {self.gives_up}:  # gives up", f"    yield 1, 0, {self._given_up()}"]
        self._method("outcomes(self, s, action)", body)

    def _remark(self, step: Step, commands: tuple[Command, ...]) -> str:
        lines = ", ".join(str(c.line) for c in commands if c.line)
        name = _plain(f"[{step.label}]" if step.label else step.module)
        return f"  # {name}{f', line {lines}' if lines else ''}"

    def _staying(self) -> str:
        payoff = self._state_reward() if self.pays and self.asked.path != "instant" else "0"
        return f"{payoff}, {self._next([])}"

    def _given_up(self) -> str:
        """The one state in which somebody has given up."""
        return f"State({', '.join([self.write.text(e) for e in self._initial().values()] + ['True'])})"

    def _next(self, assigned: list[tuple[str, str]], state: str = "s") -> str:
        """The next state."""
        changes = [f"{name}={value}" for name, value in assigned]
        if self.counts or self.asked.path in ("cumulative", "instant"):
            changes.append(f"steps={self.counts_down}")
        return f"{state}._replace({', '.join(changes)})" if changes else state

    def _written_out(self, step: Step, commands: tuple[Command, ...], ways: list[tuple[Expr, ...]], factor: Expr) -> list[str]:
        """A yield for every outcome of a choice."""
        lines = []
        for chosen in product(*(range(len(c.branches)) for c in commands)):
            weight = factor
            for n, b in enumerate(chosen):
                weight = self.scope.times(weight, ways[n][b])
            branches = [c.branches[b] for c, b in zip(commands, chosen, strict=True)]
            assigned = [(self.fields[a.name], self.write.text(a.value)) for b in branches for a in b.assignments
                        if a.value != Name(a.name)]  # fmt: skip
            paid = [self.write.text(v, SUM) for b in branches for v in self._paid(b)]
            lines.append(f"yield {self.write.text(weight)}, {self._payoff(step, paid)}, {self._next(assigned)}")
        return lines

    def _looped(self, step: Step, factor: Expr) -> list[str]:
        """Loops over the branches of each part, for the choice i0, i1, ..."""
        lines, indent, ways, state = [], "", [], "s"
        if factor != ONE:
            ways.append(self.write.text(factor, PRODUCT))
        if self.counts:
            state = f"s._replace(steps={self.counts_down})"
        for n, part in enumerate(step.parts):
            name, branch = self._part(step, n), "0"
            most = max(len(c.branches) for c in part.commands)
            if most > 1:
                lines.append(f"{indent}for p{n} in range({most}):")
                indent += "    "
                branch = f"p{n}"
            if most > 1 or any(w != ONE for v in part.weights for w in v.ways):
                ways.append(f"self.{name}_ways(s, i{n}, {branch})")
            if any(b.assignments for c in part.commands for b in c.branches):
                lines.append(f"{indent}t{n} = self.{name}_next(s, {state}, i{n}, {branch})")
                state = f"t{n}"
        paid = [f"self.{self._part(step, n)}_paid(s, i{n}, {f'p{n}' if len(c) > 1 else '0'})"
                for n, c in ((n, max((x.branches for x in p.commands), key=len)) for n, p in enumerate(step.parts))
                if self._pays_itself(step, n)]  # fmt: skip
        lines.append(f"{indent}yield {' * '.join(ways) or '1'}, {self._payoff(step, paid)}, {state}")
        return lines

    def _pays_itself(self, step: Step, n: int) -> bool:
        return any(self._paid(b) for c in step.parts[n].commands for b in c.branches)

    def _paid(self, branch: Branch) -> list[Expr]:
        """What a branch itself pays of the rewards that are asked for."""
        name = self.model.paying.get(self.asked.rewards or "", "")
        return [branch.paid[name]] if self.pays and name in branch.paid and branch.paid[name] != Number(Fraction(0)) else []

    def _methods_of_parts(self) -> None:
        """For steps whose choices are not written out: what each module contributes."""
        for step in self.steps:
            for n, part in enumerate(step.parts if not self._is_flat(step) else ()):
                name = self._part(step, n)
                where = f"[{step.label}] in {part.module}"
                body = []
                for i, c in enumerate(part.commands):
                    body += [f"if i == {i}:  # line {c.line}", f"    return {self.write.text(c.guard)}"]
                self._method(f"{name}_can(self, s, i)", [*body, "return False"], f"{_plain(where)}: whether command i can happen.")
                cells = [(i, b, c.branches[b], w) for i, c in enumerate(part.commands) for b, w in enumerate(part.weights[i].ways)]
                if max(len(c.branches) for c in part.commands) > 1 or any(w != ONE for *_, w in cells):
                    body = [line for i, b, _, w in cells for line in (f"if i == {i} and p == {b}:", f"    return {self.write.text(w)}")]
                    self._method(f"{name}_ways(self, s, i, p)", [*body, "return 0"])
                if any(branch.assignments for *_, branch, _ in cells):
                    body = []
                    for i, b, branch, _ in cells:
                        changes = ", ".join(f"{self.fields[a.name]}={self.write.text(a.value)}" for a in branch.assignments)
                        body += [f"if i == {i} and p == {b}:", f"    return t._replace({changes})"] if changes else []
                    self._method(f"{name}_next(self, s, t, i, p)", [*body, "return t"])
                if self._pays_itself(step, n):
                    body = []
                    for i, b, branch, _ in cells:
                        total = " + ".join(self.write.text(v, SUM) for v in self._paid(branch)) or "0"
                        body += [f"if i == {i} and p == {b}:", f"    return {total}"]
                    self._method(f"{name}_paid(self, s, i, p)", [*body, "return 0"])


def _plain(text: str) -> str:
    """A text that may stand in a docstring or a comment: whatever a file says, it is no code there."""
    text = "".join(c if c.isprintable() else " " for c in text)
    return textwrap.shorten(text.replace("\\", "/").replace('"""', "'''"), WIDTH - 20, placeholder=" ...").rstrip('"') + (
        "'" if text.endswith('"') else ""
    )

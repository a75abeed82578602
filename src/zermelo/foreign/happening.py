"""Actions and outcomes: the possible steps in a state, and their results, as methods of a game."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product

from zermelo.foreign.asked import Asked
from zermelo.foreign.model import Branch, Command, Expr, Name, Number, Truth
from zermelo.foreign.python import PRODUCT, SUM, WHOLE, safe
from zermelo.foreign.rewards import Rewards
from zermelo.foreign.rows import Rows, split
from zermelo.foreign.scope import ONE
from zermelo.foreign.start import Start
from zermelo.foreign.steps import (
    ROUNDED,
    Step,
    Weights,
    all_of,
    is_exclusive,
    missing_factor,
    scaled_steps,
   )
from zermelo.foreign.tables import whole
from zermelo.foreign.text import WIDTH, Text, plain

MOST_LOOPS = 18  # nested; Python allows 20
TOGETHER = 40  # cases of an action in one chain of `elif`s
STAY = "stays"  # the name of the step in a deadlock


class Happening:
    """The steps of a model as text. `over`: the game's test for the end of play, "" if there is none; `counts_down`: the steps left."""

    def __init__(self, asked: Asked, text: Text, start: Start, rewards: Rewards):
        self.asked, self.text, self.rewards, self.start = asked, text, rewards, start
        self.model, self.scope, self.write = asked.model, asked.scope, text.write
        self.gathered = [Rewards(asked, text, g.items, g.in_units, g.key, safe(f"{g.field}_by", text.own), True) for g in asked.gathers]
        self.over = self.counts_down = ""
        self.steps = asked.steps
        self.tables: list[Rows] = []  # of commands that are not written out
        if asked.model.kind != "dtmc":
            self.steps, tabled = split(asked.scope, asked.steps)
            self.tables = [Rows(asked.scope, text, group) for group in tabled]
        else:
            self.steps, totals = scaled_steps(asked.scope, asked.steps)
            self.totals = {id(step): total for step, total in zip(self.steps, totals, strict=True)}
        self.loops = asked.loops and Truth(True) not in [s.guard for s in self.steps]  # whether there may be a deadlock in which play stays
        self._parts: dict[tuple[str, int], str] = {}
        self.numbers: dict[int, int] = {}  # the first action of each step
        self.first_rows: list[int] = []  # the first action of each table
        self.last = 0  # the number of actions

    def chance(self) -> None:
        """`outcomes` of a game in which nobody chooses."""
        body, indent = self._inside(self._looking())
        body += [f"{indent}found = False"] if self.loops else []
        tick = ["found = True"] if self.loops else []
        body += [indent + line for line in self._all(tick)]
        if self.loops:
            body += [f"{indent}if not found:", f"{indent}    yield 1, {self._staying()}"]
        self.text.method("outcomes(self, s)", body)

    def _all(self, tick: list[str]) -> list[str]:
        """Every possible step, as a sequence of outcomes."""
        body = []
        for step in self.steps:
            factor = missing_factor(self.scope, self.totals[id(step)], step) if self.model.kind == "dtmc" else ONE
            if self._is_flat(step):
                for commands, weights in step.each():
                    guard = all_of([c.guard for c in commands])
                    inner = [*tick, *self._written_out(step, commands, weights, factor)]
                    remark = self._remark(step, commands)
                    lines = self.text.when(guard, inner)
                    lines[0] += remark if guard != Truth(True) else ""
                    body += lines if guard != Truth(True) else [f"{line}{remark}" for line in lines]
            else:
                body += self._loops_over_choices(step, [*tick, *self._looped(step, factor)])
        for rows in self.tables:
            inner = rows.outcomes(0, self.rewards.of_step(rows.step, []), self._changes(rows.step), not self.rewards.muted)[1:]
            body += rows.loop([f"if self.{rows.name}_can(s, row):", *(f"    {line}" for line in (*tick, *inner))])
        return body

    def _looking(self) -> list[str]:
        """The moves before play begins, if the question is about several states."""
        if self.asked.selects is None:
            return self.start.drawn() if self.asked.draws else []
        self.rewards.muted = True
        lines = ["yield 1, 0, s._replace(phase=1 if self.selected(s) else 2)"]
        lines += [*self.start.looked_at(), *self._all([])]
        self.rewards.muted = False
        return lines

    def actions(self) -> None:
        """`actions` of a game with choices."""
        body, indent = self._inside(["yield 0"] if self.asked.draws else [])
        self.last = int(self.asked.draws)
        body += [f"{indent}found = False"] if self.loops else []
        tick = ["found = True"] if self.loops else []
        for k, step in enumerate(self.steps):
            self.numbers[k] = self.last
            if self._is_flat(step):
                for n, (commands, _) in enumerate(step.each()):
                    guard = all_of([c.guard for c in commands])
                    inner = [*tick, f"yield {self.last + n}"]
                    lines = self.text.when(guard, inner)
                    lines[0] += self._remark(step, commands) if guard != Truth(True) else ""
                    body += [indent + line for line in lines]
            else:
                body += [indent + line for line in self._loops_over_choices(step, [*tick, f"yield {self._number(step, self.last)}"])]
            self.last += step.choices
        for rows in self.tables:
            self.first_rows.append(self.last)
            body += [indent + line for line in rows.actions(self.last, tick)]
            self.last += rows.step.choices
        if self.loops:
            body += [f"{indent}if not found:", f"{indent}    yield {self.last}"]
            self.stays = self.last
            self.last += 1
        if self.asked.may_give_up:
            self.gives_up = self.last
            if self.model.kind == "smg":
                body += [f"{indent}if self.player(s) == 1:", f"{indent}    yield {self.last}"]
            elif self.asked.minimises:
                body += [f"{indent}yield {self.last}"]
            self.last += 1
        if not self._is_cut:
            self.text.method("actions(self, s)", body)
            return
        self.text.method("moves(self, s)", body, "What can be done.")
        kept = ["for action in self.moves(s):", "    if not self.leads_on(s, action):", "        yield action"]
        if self.asked.draws:
            kept = ["if s.phase == 0:", "    yield 0", "else:", *(f"    {line}" for line in kept)]
        self.text.method("actions(self, s)", kept, "What can be done without costs that are infinite.")

    def outcomes(self) -> None:
        """`outcomes` of a game with choices, after `actions`."""
        cases: list[tuple[int, str, list[str]]] = []  # the first action after it, the condition, and the outcomes
        if self.asked.draws:
            cases.append((1, "action == 0:  # a state is drawn", self._looking()))
        for k, step in enumerate(self.steps):
            first = self.numbers[k]
            if self._is_flat(step):
                for n, (commands, weights) in enumerate(step.each()):
                    inner = self._written_out(step, commands, weights, ONE)
                    cases.append((first + n + 1, f"action == {first + n}:{self._remark(step, commands)}", inner))
                continue
            inner = []
            rest = f"action - {first}" if first else "action"
            for n in reversed(range(len(step.parts))):
                count = len(step.parts[n].commands)
                spelt = f"({rest})" if "-" in rest and n else rest
                inner.append(f"i{n} = {spelt} % {count}" if n else f"i0 = {rest}")
                rest = f"({rest}) // {count}" if "-" in rest or "//" in rest else f"{rest} // {count}"
            after = first + step.choices
            cases.append((after, f"{first} <= action < {after}:  # [{plain(step.label)}]", [*inner, *self._looped(step, ONE)]))
        for rows, first in zip(self.tables, self.first_rows, strict=True):
            after = first + rows.step.choices
            inner = rows.outcomes(first, self.rewards.of_step(rows.step, []), self._changes(rows.step))
            cases.append((after, f"{first} <= action < {after}:  # {rows.shown}", inner))
        if self.loops:
            cases.append((self.stays + 1, f"action == {self.stays}:  # nothing can happen", [f"yield 1, {self._staying()}"]))
        if self.asked.may_give_up:
            cases.append((self.gives_up + 1, f"action == {self.gives_up}:  # gives up", [f"yield 1, 0, {self._given_up()}"]))
        if not self._is_cut:
            self.text.method("outcomes(self, s, action)", _cases(cases))
            return
        self.text.method("results(self, s, action)", _cases(cases))
        passed_on = ["for ways, paid, t in self.results(s, action):", "    yield ways, paid, t"]
        self.text.method("outcomes(self, s, action)", passed_on)
        lines = [passed_on[0], "    if ways > 0 and self.endless(t):", "        return True", "return False"]
        self.text.method("leads_on(self, s, action)", lines, "Whether an action may lead to where the value is infinite.")

    @property
    def _is_cut(self) -> bool:
        """Whether somebody must be kept from actions that may lead to where the value is infinite."""
        return bool(self.asked.property.endless) and self.asked.somebody_minimises

    def deadlock(self) -> None:
        """`deadlock` as a method, for the remarks about deadlocks."""
        guards = [s.guard for s in self.steps]
        if Truth(True) not in guards:
            written = [t.some() for t in self.tables] + ["s.phase == 0"] * self.asked.draws
            self.text.any("deadlock", guards, False, "Whether nothing can happen.", written)

    def names_of_actions(self) -> None:
        """The displayed names: the label, with the lines of its commands if it has several; numbers if names repeat. Steps found by loops
        have a rule for their names, since a few commands may have millions."""
        names = ["draws a state"] * self.asked.draws
        runs: list[tuple[int, int, str]] = []  # the first action, their number, and the common name
        for k, step in enumerate(self.steps):
            if not self._is_flat(step):
                runs.append((self.numbers[k], step.choices, step.label))
                continue
            for commands, _ in step.each():
                lines = "+".join(str(c.line) for c in commands if c.line)
                name = step.label or step.module
                names.append(name if step.choices == 1 and step.label else f"{name}, line {lines}" if lines else name)
        for table in self.tables:
            said = table.step.label or table.step.module
            names += [f"{said}, line {r.command.line}" if r.command.line else said for r in table.rows]
        names += [STAY] * self.loops + ["gives up"] * self.asked.may_give_up
        total = Counter(names)
        for _, count, name in runs:
            total[name] += count
        seen: Counter[str] = Counter()
        body: list[str] = []
        for first, count, name in runs:
            number = seen[name] + 1 - first
            shift = f" {'+' if number > 0 else '-'} {abs(number)}" if number else ""
            numbered = name.replace("{", "{{").replace("}", "}}") + f" ({{action{shift}}})"
            shown = repr(name) if total[name] == 1 else f"f{numbered!r}"
            body = [f"if {first} <= action < {first + count}:", f"    return {shown}",
                    f"if action >= {first + count}:", f"    action -= {count}", *body]  # fmt: skip
            seen[name] += count
        for k, name in enumerate(names):
            seen[name] += 1
            names[k] = name if total[name] == 1 else f"{name} ({seen[name]})"
        rows: list[str] = []
        line = ""
        for name in names:
            if len(line) + len(repr(name)) > WIDTH - 16:
                rows, line = [*rows, line.rstrip()], ""
            line += f"{name!r}, "
        rows.append(line.rstrip())
        table_of_names = ["names = (", *(f"    {row}" for row in rows), ")", "return names[action]"] if names else ['return "?"']
        self.text.method("action_name(self, action)", [*body, *table_of_names])

    def methods_of_parts(self) -> None:
        """For steps whose choices are not written out: the contribution of each module."""
        for rows in self.tables:
            rows.methods()
        for step in self.steps:
            for n, part in enumerate(step.parts if not self._is_flat(step) else ()):
                name = self._part(step, n)
                where = f"[{step.label}] in {part.module}"
                body = []
                if is_exclusive(part):
                    for i, c in enumerate(part.commands):
                        body += [line + f"  # line {c.line}" * (not k) for k, line in enumerate(self.text.when(c.guard, [f"return {i}"]))]
                    self.text.method(f"{name}_which(self, s)", [*body, "return -1"], f"{plain(where)}: the command that can happen.")
                else:
                    for i, c in enumerate(part.commands):
                        body += [f"if i == {i}:  # line {c.line}", f"    return {self.write.text(c.guard)}"]
                    said = f"{plain(where)}: whether command i can happen."
                    self.text.method(f"{name}_can(self, s, i)", [*body, "return False"], said)
                cells = [(i, b, c.branches[b], w) for i, c in enumerate(part.commands) for b, w in enumerate(part.weights[i].ways)]
                if max(len(c.branches) for c in part.commands) > 1 or any(w != ONE for *_, w in cells):
                    body = []
                    for i, (c, found) in enumerate(zip(part.commands, part.weights, strict=True)):
                        checks = [f"    {line}" for line in self._checks(c, found, len(step.parts))]
                        for b, w in enumerate(found.ways):
                            head = f"if i == {i} and p == {b}:{_line(c)}"
                            body += [head, *(checks if b == 0 else []), f"    return {self.write.text(w)}"]
                    self.text.method(f"{name}_ways(self, s, i, p)", [*body, "return 0"])
                if any(branch.assignments for *_, branch, _ in cells):
                    body = []
                    for i, b, branch, _ in cells:
                        changes = ", ".join(f"{self.text.fields[a.name]}={self.write.text(a.value)}" for a in branch.assignments)
                        head = f"if i == {i} and p == {b}:{_line(part.commands[i])}"
                        body += [head, f"    return t._replace({changes})"] if changes else []
                    self.text.method(f"{name}_next(self, s, t, i, p)", [*body, "return t"])
                for rewards, what in self._paying(step, n):
                    body = []
                    for i, b, branch, _ in cells:
                        total = " + ".join(self.write.text(v, SUM) for v in rewards.of_branch(branch)) or "0"
                        checks = [f"    {line}" for line in self._falls(rewards, [branch])]
                        body += [f"if i == {i} and p == {b}:{_line(part.commands[i])}", *checks, f"    return {total}"]
                    self.text.method(f"{name}_{what}(self, s, i, p)", [*body, "return 0"])

    def _is_flat(self, step: Step) -> bool:
        """Whether all choices of a step are written out, or found by loops over its parts."""
        return len(step.parts) == 1 or step.longest <= 2 * step.length + 8

    def _inside(self, looking: list[str]) -> tuple[list[str], str]:
        """The beginning of a method for the possible steps, and its indentation. `looking`: the moves before play begins."""
        checks = self.start.checks()
        over = f"not {f'({self.over})' if ' ' in self.over else self.over}" if self.over else ""
        if looking:
            begin = [*checks, "if s.phase == 0:", *(f"    {line}" for line in looking)]
            return [*begin, f"elif {over}:" if over else "else:"], "    "
        return ([*checks, f"if {over}:"], "    ") if over else (checks, "")

    def _loops_over_choices(self, step: Step, inner: list[str]) -> list[str]:
        """Loops over the possible commands of each part."""
        lines, indent = [], ""
        loops = sum(not is_exclusive(p) for p in step.parts) + sum(max(len(c.branches) for c in p.commands) > 1 for p in step.parts)
        if loops > MOST_LOOPS:
            what = f"[{step.label}] is shared by {len(step.parts)} modules, which takes {loops} loops inside of one another"
            hint = f"at most {MOST_LOOPS} are read: give the modules several labels"
            raise self.model.error(step.parts[0].commands[0].line, f"{what}; {hint}")
        for n, part in enumerate(step.parts):
            if is_exclusive(part):
                lines += [f"{indent}i{n} = self.{self._part(step, n)}_which(s)", f"{indent}if i{n} >= 0:"]
                indent += "    "
                continue
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
        if key not in self._parts:
            self._parts[key] = safe(f"{step.parts[n].module}_{step.label}", self.text.own)
        return self._parts[key]

    def _remark(self, step: Step, commands: tuple[Command, ...]) -> str:
        lines = ", ".join(str(c.line) for c in commands if c.line)
        name = plain(f"[{step.label}]" if step.label else step.module)
        return f"  # {name}{f', line {lines}' if lines else ''}"

    def _staying(self) -> str:
        payoff = self.rewards.of_state() if self.rewards.on_the_way else "0"
        return f"{payoff}, {self._next([], None)}"

    def _given_up(self) -> str:
        """The one state in which somebody has given up."""
        return f"State({', '.join([self.write.text(e) for e in self.asked.starts[0].values()] + ['True'])})"

    def _paying(self, step: Step, n: int) -> list[tuple[Rewards, str]]:
        """The rewards that branches of part n of a step pay themselves (those in question, and those that are bounded), and the
        name of a method for each."""
        named = [(self.rewards, "paid"), *((r, f"{g.field}_by") for g, r in zip(self.asked.gathers, self.gathered, strict=True))]
        return [(rewards, what) for rewards, what in named if rewards.in_branches(step, n)]

    def _falls(self, rewards: Rewards, branches: Sequence[Branch]) -> list[str]:
        """Lines that test whether the payments of branches let a count fall."""
        if not rewards.must_not_fall:
            return []
        open_values = [v for b in branches for v in rewards.of_branch(b) if not isinstance(v, Number)]
        return [f'assert {self.write.text(v, SUM)} >= 0, "what is gathered would fall"' for v in open_values]

    def _next(self, assigned: list[tuple[str, str]], step: Step | None, branches: Sequence[Branch] = ()) -> str:
        """The state after a step with these of its branches; None: a step in which nothing happens."""
        paid = [[self.write.text(v, SUM) for b in branches for v in r.of_branch(b)] for r in self.gathered]
        changes = [f"{name}={value}" for name, value in (*assigned, *self._changes(step, paid))]
        return f"s._replace({', '.join(changes)})" if changes else "s"

    def _changes(self, step: Step | None, by_branches: Sequence[list[str]] = ()) -> list[tuple[str, str]]:
        """The changes of a step except for the variables."""
        return [*self._counted(), *self._left(step, by_branches)]

    def _left(self, step: Step | None, by_branches: Sequence[list[str]]) -> list[tuple[str, str]]:
        """What may or must still be gathered after a step; None: a step in which nothing happens. `by_branches`: for each bound, the
        payments of the branches themselves."""
        found = []
        for bound, rewards, more in zip(self.asked.gathers, self.gathered, by_branches or [[]] * len(self.gathered), strict=True):
            gain = rewards.of_state() if step is None else rewards.gain(step)
            paid = "0" if self.rewards.muted else " + ".join(t for t in (gain, *more) if t != "0") or "0"
            if paid != "0":
                paid = f"({paid})" if " " in paid else paid
                found.append((bound.field, f"max(s.{bound.field} - {paid}, {-1 if bound.is_upper else 0})"))
        return found

    def _counted(self) -> list[tuple[str, str]]:
        """The number of steps left after one step."""
        counts = self.asked.counts or self.asked.property.path in ("cumulative", "instant")
        return [("steps", self.counts_down)] if counts else []

    def _written_out(self, step: Step, commands: tuple[Command, ...], weights: tuple[Weights, ...], factor: Expr) -> list[str]:
        """A yield for every outcome of a choice."""
        lines = [line for c, w in zip(commands, weights, strict=True) for line in self._checks(c, w, len(commands))]
        all_chosen = list(product(*(range(len(c.branches)) for c in commands)))
        ways = self._ways(step, all_chosen, weights, factor)
        for chosen, weight in zip(all_chosen, ways, strict=True):
            branches = [c.branches[b] for c, b in zip(commands, chosen, strict=True)]
            assigned = [(self.text.fields[a.name], self.write.text(a.value)) for b in branches for a in b.assignments
                        if a.value != Name(a.name)]  # fmt: skip
            paid = [self.write.text(v, SUM) for b in branches for v in self.rewards.of_branch(b)]
            lines += [line for r in self.gathered for line in self._falls(r, branches)]
            lines.append(f"yield {weight}, {self.rewards.of_step(step, paid)}, {self._next(assigned, step, branches)}")
        return lines

    def _ways(self, step: Step, all_chosen: list[tuple[int, ...]], weights: tuple[Weights, ...], factor: Expr) -> list[str]:
        """The ways of every choice of branches: whole numbers; floats where these would be too large to be exact."""
        found: list[Expr] = []
        for chosen in all_chosen:
            weight = factor
            for n, b in enumerate(chosen):
                weight = self.scope.times(weight, weights[n].ways[b])
            found.append(weight)
        constant = [w.value for w in found if isinstance(w, Number)]
        if self.rewards.muted:  # only possible outcomes count
            return ["1" if isinstance(w, Number) else f"1 if {self.write.text(w, SUM)} > 0 else 0" for w in found]
        if len(constant) < len(found):
            return [self.write.text(w) for w in found]
        if self.model.kind != "dtmc":
            return [repr(w) for w in whole(constant)]
        total, others = self.totals[id(step)]
        return [repr(float(w / total)) if total >= WHOLE and not others else str(w) for w in constant]

    def _checks(self, command: Command, weights: Weights, parts: int) -> list[str]:
        """Lines that test whether the probabilities of a command sum to 1, if they depend on the state; and whether each is one, where
        the signs of several parts could cancel."""
        where = f"line {command.line}" if command.line else f"[{plain(command.label)}]"
        lines = []
        if not weights.is_sure:
            found, total = (self.write.text(e, SUM) for e in weights.sum_and_total(self.scope))
            is_whole = all(self.scope.type_of(w) == "int" for w in (*weights.ways, *weights.others))
            equal = f"{found} == {total}" if is_whole else f"abs({found} - ({total})) <= {float(ROUNDED)!r} * abs({total})"
            lines.append(f'assert {equal}, "the probabilities do not sum to 1 ({where})"')
        open_ways = [w for w in weights.ways if not isinstance(w, Number)] if parts > 1 else []
        return lines + [f'assert {self.write.text(w, SUM)} >= 0, "a probability is below 0 ({where})"' for w in open_ways]

    def _looped(self, step: Step, factor: Expr) -> list[str]:
        """Loops over the branches of each part, for the choice i0, i1, ..."""
        lines, indent, ways, state = [], "", [], "s"
        if factor != ONE:
            ways.append(self.write.text(factor, PRODUCT))
        for n, part in enumerate(step.parts):
            name, branch = self._part(step, n), "0"
            counts = tuple(len(c.branches) for c in part.commands)
            most = max(counts)
            if most > 1:
                many = str(most) if min(counts) == most else f"{counts}[i{n}]"
                lines.append(f"{indent}for p{n} in range({many}):")
                indent += "    "
                branch = f"p{n}"
            if most > 1 or any(w != ONE for v in part.weights for w in v.ways):
                ways.append(f"self.{name}_ways(s, i{n}, {branch})")
            if any(b.assignments for c in part.commands for b in c.branches):
                lines.append(f"{indent}t{n} = self.{name}_next(s, {state}, i{n}, {branch})")
                state = f"t{n}"
        calls: dict[str, list[str]] = {}  # by the names of the methods: the payments of branches
        for n, part in enumerate(step.parts):
            branch = f"p{n}" if max(len(c.branches) for c in part.commands) > 1 else "0"
            for _, what in self._paying(step, n):
                calls.setdefault(what, []).append(f"self.{self._part(step, n)}_{what}(s, i{n}, {branch})")
        paid = calls.get("paid", [])
        if changes := self._changes(step, [calls.get(f"{g.field}_by", []) for g in self.asked.gathers]):
            state = f"{state}._replace({', '.join(f'{name}={value}' for name, value in changes)})"
        ways = [f"1 if {' * '.join(ways)} > 0 else 0"] if ways and self.rewards.muted else ways
        lines.append(f"{indent}yield {' * '.join(ways) or '1'}, {self.rewards.of_step(step, paid)}, {state}")
        return lines


def _line(command: Command) -> str:
    """A comment with the line of a command."""
    return f"  # line {command.line}" if command.line else ""


def _cases(cases: list[tuple[int, str, list[str]]]) -> list[str]:
    """`if` and `elif` in blocks: hundreds of them in a row are nested too deeply for programs that read the text."""
    size = max(TOGETHER, math.isqrt(len(cases)) + 1)
    blocks = [cases[i : i + size] for i in range(0, len(cases), size)]
    lines = []
    for i, block in enumerate(blocks):
        indent = "    " if len(blocks) > 1 else ""
        if indent:
            lines.append(f"{'elif' if i else 'if'} action < {block[-1][0]}:")
        for k, (_, when, inner) in enumerate(block):
            lines += [f"{indent}{'elif' if k else 'if'} {when}", *(f"{indent}    {line}" for line in inner)]
    return lines

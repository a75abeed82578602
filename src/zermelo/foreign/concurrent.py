"""Games of PRISM-games in which players choose at once (csg), as `actions` of one side and `other_actions` of the other.

Every player chooses an action that its module can take, or none if there is none. Then every module takes the command that fits the
choices, and stays unchanged if none fits. An action is the first label of a command in the module of its player; a command with several
labels fits if all of them were chosen. Values may be those after the step (c'), of modules that have already made it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from zermelo.foreign.asked import Asked
from zermelo.foreign.model import Module, Number, Player, Truth, names_in
from zermelo.foreign.python import SUM, safe
from zermelo.foreign.rewards import Rewards
from zermelo.foreign.rows import Rows
from zermelo.foreign.start import Start
from zermelo.foreign.steps import any_of, part_of
from zermelo.foreign.text import Text, plain


@dataclass(frozen=True)
class Chooser:
    """A player: the labels that it chooses from (0: none of them), and the name of its choice in the text."""

    player: Player
    labels: tuple[str, ...]
    choice: str


class Concurrent:
    """The steps of a csg as text. `over` and `counts_down`: as in `Happening`."""

    def __init__(self, asked: Asked, text: Text, start: Start, rewards: Rewards):
        self.asked, self.text, self.rewards, self.start = asked, text, rewards, start
        self.model, self.scope, self.write = asked.model, asked.scope, text.write
        self.over = self.counts_down = ""
        self.tables: list[Rows] = []  # none, since steps are found module by module
        self.gathered = [Rewards(asked, text, g.items, g.in_units, g.key, safe(f"{g.field}_by", text.own), True) for g in asked.gathers]
        if asked.may_give_up:
            raise asked.error("players choose at once in a csg, where nobody gives up: --never is for games in turn")
        self.choosers = [self._chooser(p, k) for k, p in enumerate(self.model.players)]
        self.owner = {label: c for c in self.choosers for label in c.labels}
        self.modules = self._in_order()
        self.parts = {m.name: part_of(self.scope, m.name, list(m.commands)) for m in self.modules}
        coalition = asked.coalition()
        ours, theirs = ([c for c in self.choosers if (c.player.name in coalition) == inside] for inside in (True, False))
        self.sides = (theirs, ours) if asked.minimises else (ours, theirs)

    def _chooser(self, player: Player, number: int) -> Chooser:
        modules = [m for m in self.model.modules if m.name in player.modules]
        if len(modules) != 1 or player.labels:
            what = "has one module, and its actions are the labels in it"
            raise self.model.error(player.line, f"the player {player.name} of a csg {what}")
        labels = dict.fromkeys(c.labels[0] for c in modules[0].commands if c.labels)
        if unnamed := [c for c in modules[0].commands if not c.labels]:
            what = f"a command of the player {player.name} needs a label, which is what the player chooses"
            raise self.model.error(unnamed[0].line, what)
        return Chooser(player, tuple(labels), f"c{number}")

    def _in_order(self) -> list[Module]:
        """The modules, each after those whose values after the step it uses. Raises `ModelError`."""
        owner = {v: m.name for m in self.model.modules for v in m.variables}
        needs = {m.name: {owner.get(n[:-1], "") for n in _read(m) if n.endswith("'")} - {""} for m in self.model.modules}
        waiting, found = list(self.model.modules), list[Module]()
        while waiting:
            ready = next((m for m in waiting if needs[m.name] <= {d.name for d in found}), None)
            if ready is None:
                names = ", ".join(m.name for m in waiting)
                raise self.model.error(waiting[0].line, f"the modules {names} ask for one another's values after the step")
            waiting.remove(ready)
            found.append(ready)
        return found

    # --- methods ------------------------------------------------------------------------------------------------------

    def methods(self) -> None:
        """All methods."""
        self._check_labels()
        for chooser in self.choosers:
            self._can(chooser)
        for name, side in (("actions", self.sides[0]), ("other_actions", self.sides[1])):
            self._side(name, side)
        self._outcomes()
        for module in self.modules:
            self._which(module)
            self._branches(module)
        if self.rewards.on_the_way:
            self._paid("paid", self.rewards)
        for rewards in self.gathered:
            self._paid(rewards.method, rewards)
        self._names()

    def stuck(self) -> str:
        """Adds `goes_on`; returns the test whether nobody can choose anything, and nothing happens by itself."""
        players = {c.player.modules[0] for c in self.choosers}
        guards = [c.guard for name, part in self.parts.items() for c in part.commands
                  if name in players or not any(a in self.owner for a in c.labels)]  # fmt: skip
        self.text.any("goes_on", guards, True, "Whether a player can choose something, or something happens by itself.")
        return "not self.goes_on(s)"

    def _check_labels(self) -> None:
        setting: dict[str, str] = {}
        for module, name in ((m, a.name) for m in self.modules for c in m.commands for b in c.branches for a in b.assignments):
            if setting.setdefault(name, module.name) != module.name:
                raise self.model.error(module.line, f"{name} is set by the modules {setting[name]} and {module.name}, maybe at once")
        for module in self.modules:
            for c in module.commands:
                if len(c.labels) > 1 and (unknown := [a for a in c.labels if a not in self.owner]):
                    raise self.model.error(c.line, f"[{unknown[0]}] is no action of a player")
                owners = [self.owner[a].player.name for a in c.labels if a in self.owner]
                if len(set(owners)) < len(owners):
                    raise self.model.error(c.line, "two labels of a command are actions of the same player")

    def _can(self, chooser: Chooser) -> None:
        part = self.parts[chooser.player.modules[0]]
        body = []
        for k, label in enumerate(chooser.labels, 1):
            guard = any_of([c.guard for c in part.commands if c.labels[0] == label])
            body += [f"if choice == {k}:  # [{plain(label)}]", f"    return {self.write.text(guard)}"]
        nothing = any_of([c.guard for c in part.commands])
        self.text.method(f"{self._can_name(chooser)}(self, s, choice)", [*body, f"return not ({self.write.text(nothing)})"],
                         f"Whether {plain(chooser.player.name)} can choose this; 0: nothing.")  # fmt: skip

    def _can_name(self, chooser: Chooser) -> str:
        return f"player_{chooser.choice}_can"

    def _side(self, name: str, side: list[Chooser]) -> None:
        """The joint choices of the players of a side, as one number; before play begins, only the first."""
        body, indent = [*self.start.checks()], ""
        first = self._size if side is self.sides[1] else 0
        over = f"not {f'({self.over})' if ' ' in self.over else self.over}" if self.over else ""
        if self.asked.draws:
            body, indent = [*body, "if s.phase == 0:", f"    yield {first}", f"elif {over}:" if over else "else:"], "    "
        elif over:
            body, indent = [*body, f"if {over}:"], "    "
        number = ""
        for chooser in side:
            number = f"({number}) * {len(chooser.labels) + 1} + {chooser.choice}" if number else chooser.choice
        loops, inner = self._loops(side)
        body += [indent + line for line in loops]
        self.text.method(f"{name}(self, s)", [*body, f"{indent}{inner}yield {f'{first} + ' if first else ''}{number or '0'}"])

    def _loops(self, side: list[Chooser]) -> tuple[list[str], str]:
        """Loops over all choices of these players, and the indentation inside them."""
        lines, indent = [], ""
        for chooser in side:
            lines.append(f"{indent}for {chooser.choice} in range({len(chooser.labels) + 1}):")
            lines.append(f"{indent}    if self.{self._can_name(chooser)}(s, {chooser.choice}):")
            indent += "        "
        return lines, indent

    @property
    def _size(self) -> int:
        """The count of the first side's numbers; those of the other side follow."""
        return math.prod(len(c.labels) + 1 for c in self.sides[0])

    def _decoded(self, name: str, side: list[Chooser]) -> list[str]:
        lines, rest = [], name
        for k, chooser in reversed(list(enumerate(side))):
            lines.append(f"{chooser.choice} = {rest} % {len(chooser.labels) + 1}" if k else f"{chooser.choice} = {rest}")
            rest = f"{rest} // {len(chooser.labels) + 1}"
        return lines

    @property
    def _choices(self) -> str:
        return "".join(f", {c.choice}" for c in self.choosers)

    def _name(self, module: Module) -> str:
        return safe(module.name, set(), set())

    def _outcomes(self) -> None:
        lines = [*self._decoded("action", self.sides[0]), *self._decoded(f"(other - {self._size})", self.sides[1]), *self._follows()]
        if self.asked.draws:
            lines = ["if s.phase == 0:", *(f"    {line}" for line in self._looking()), "else:", *(f"    {line}" for line in lines)]
        self.text.method("outcomes(self, s, action, other)", lines)

    def _looking(self) -> list[str]:
        """The moves before play begins, if the question is about several states."""
        if self.asked.selects is None:
            return self.start.drawn()
        self.rewards.muted = True
        lines = ["yield 1, 0, s._replace(phase=1 if self.selected(s) else 2)"]
        lines += self.start.looked_at()
        loops, indent = self._loops([*self.sides[0], *self.sides[1]])
        lines += [*loops, *(indent + line for line in self._follows())]
        self.rewards.muted = False
        return lines

    def _follows(self) -> list[str]:
        """The outcomes of the choices c0, c1, ..."""
        lines: list[str] = []
        changes = [f"steps={self.counts_down}"] if self.asked.counts else []
        for bound, rewards in zip(self.asked.gathers, self.gathered, strict=True):
            if self.rewards.muted:
                continue
            least = -1 if bound.is_upper else 0
            changes.append(f"{bound.field}=max(s.{bound.field} - self.{rewards.method}(s{self._choices}), {least})")
        indent, ways, state = "", [], f"s._replace({', '.join(changes)})" if changes else "s"
        for n, module in enumerate(self.modules):
            part, name = self.parts[module.name], self._name(module)
            if not part.commands:
                continue
            lines.append(f"{indent}i{n} = self.module_{name}_which(s{self._choices})")
            counts, branch = tuple(len(c.branches) for c in part.commands), "0"
            if max(counts) > 1:
                lines.append(f"{indent}for p{n} in range({(*counts, 1)}[i{n}]):")  # the last number: no command fits
                indent, branch = indent + "    ", f"p{n}"
                ways.append(f"self.module_{name}_ways(s, i{n}, {branch})")
            lines.append(f"{indent}t{n} = self.module_{name}_next(s, {state}, i{n}, {branch})")
            state = f"t{n}"
        paid = f"self.paid(s{self._choices})" if self.rewards.on_the_way else "0"
        if self.rewards.muted:  # only possible outcomes and their next states count
            able = f"{' * '.join(ways)} > 0 and " if ways else ""
            return [*lines, f"{indent}if {able}{state} != s:", f"{indent}    yield 1, 0, {state}"]
        return [*lines, f"{indent}yield {' * '.join(ways) or '1'}, {paid}, {state}"]

    def _which(self, module: Module) -> None:
        body = ["found = -1"]
        for i, c in enumerate(self.parts[module.name].commands):
            tests = [f"{self.owner[a].choice} == {self.owner[a].labels.index(a) + 1}" for a in c.labels if a in self.owner]
            tests += [] if c.guard == Truth(True) else [f"({self.write.text(c.guard)})" if tests else self.write.text(c.guard)]
            inner = [f'assert found < 0, "two commands of {plain(module.name)} fit what was chosen (line {c.line})"'] * (i > 0)
            inner.append(f"found = {i}")
            body += [f"if {' and '.join(tests)}:  # line {c.line}", *(f"    {x}" for x in inner)] if tests else inner
        said = f"{plain(module.name)}: the command that fits what the players chose; -1: none."
        self.text.method(f"module_{self._name(module)}_which(self, s{self._choices})", [*body, "return found"], said)

    def _branches(self, module: Module) -> None:
        part, name = self.parts[module.name], self._name(module)
        if not part.commands:
            return
        if max(len(c.branches) for c in part.commands) > 1:
            total = math.lcm(*(w.whole for w in part.weights))
            body = []
            for i, found in enumerate(part.weights):
                if found.others or not found.is_sure:
                    raise self.model.error(part.commands[i].line, "in a csg probabilities are constants")
                for p, way in enumerate(found.ways):
                    text = self.write.text(self.scope.times(way, Number(Fraction(total // found.whole))))
                    body += [f"if i == {i} and p == {p}:  # line {part.commands[i].line}", f"    return {text}"]
            self.text.method(f"module_{name}_ways(self, s, i, p)", [*body, f"return {total}"])
        body = []
        for i, c in enumerate(part.commands):
            for p, branch in enumerate(c.branches):
                changes = ", ".join(f"{self.text.fields[a.name]}={self.write.text(a.value)}" for a in branch.assignments)
                body += [f"if i == {i} and p == {p}:  # line {c.line}", f"    return t._replace({changes})"] if changes else []
        self.text.method(f"module_{name}_next(self, s, t, i, p)", [*body, "return t"])

    def _paid(self, name: str, rewards: Rewards) -> None:
        """The payment of a step: for the state, and for the choices."""
        body = ["total = 0"]
        for item in rewards.items:
            tests = []
            for label in item.label.split(",") if item.label else ():
                if label not in self.owner:
                    raise self.model.error(item.line, f"[{label}] is no action of a player")
                tests.append(f"{self.owner[label].choice} == {self.owner[label].labels.index(label) + 1}")
            if item.label == "":
                raise self.model.error(item.line, "rewards of [] are not read in a csg; write them for states, or for actions")
            tests += [] if item.guard == Truth(True) else [f"({self.write.text(item.guard)})" if tests else self.write.text(item.guard)]
            add = [f"total += {self.write.text(item.value, SUM)}{rewards.remark(item)}"]
            if rewards.must_not_fall and not isinstance(item.value, Number):
                add.insert(0, rewards.falls_at(item))
            body += [f"if {' and '.join(tests)}:", *(f"    {line}" for line in add)] if tests else add
        self.text.method(f"{name}(self, s{self._choices})", [*body, "return total"])

    def _names(self) -> None:
        """The meanings of both sides' numbers."""
        rows = []
        for side in self.sides:
            names = [""]
            for chooser in side:
                names = [f"{n}, {label}" if n else label for n in names for label in ("nothing", *chooser.labels)]
            rows += [n or "nothing" for n in names]
        self.text.method("action_name(self, action)", ["names = (", *(f"    {row!r}," for row in rows), ")", "return names[action]"])


def _read(module: Module) -> set[str]:
    """The names that the updates of a module use."""
    return {n for c in module.commands for b in c.branches for a in b.assignments for n in names_in(a.value)}

"""The question about a model: the aims of the sides, where play ends, what is counted and paid."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from zermelo.basics.words import there_are
from zermelo.foreign.initial import depends_on_open, initial_states
from zermelo.foreign.model import (
    GAMES,
    Apply,
    Expr,
    Model,
    ModelError,
    Name,
    Number,
    Property,
    RewardItem,
    Truth,
    Within,
    names_in,
)
from zermelo.foreign.python import SUM, Writer
from zermelo.foreign.scope import ONE, Scope
from zermelo.foreign.steps import all_of, any_of, steps_of
from zermelo.foreign.units import in_units, is_written_exactly

ENDLESS = ("reach", "total", "reach_or_not")  # paths of rewards that may add up without end
OF_SETS = ("count", "argmin", "argmax", "range", "print", "printall")  # operators whose answer for one state is not that of the state


@dataclass(frozen=True)
class Gathers:
    """A bound on rewards as a count in the state: what may or must still be gathered, in units of 1/scale.

    field     the name of the count; budget: its initial value; items: what pays, values in these units; in_units: the
              same for the payments of branches, by the model's expression
    spare     with a bound above: the goal counts while the count is from 0 to `spare` (None: from 0 on), and below 0 all is lost; without
              one: when the count has come down to 0
    """

    name: str
    field: str
    budget: Expr
    items: tuple[RewardItem, ...]
    in_units: Mapping[Expr, Expr]
    scale: int
    is_upper: bool
    spare: Expr | None
    key: str | None

    def is_enough(self, write: Writer) -> str:
        """Whether the gathered amount lies within the bounds."""
        if not self.is_upper:
            return f"s.{self.field} == 0"
        return f"0 <= s.{self.field} <= {write.text(self.spare, SUM)}" if self.spare is not None else f"s.{self.field} >= 0"

    @property
    def what(self) -> str:
        unit = f", in units of 1/{self.scale}" if self.scale > 1 else ""
        return (f"what may still be gathered; -1: too much{unit}" if self.is_upper else f"what must still be gathered{unit}")


@dataclass(frozen=True)
class Question:
    """The meaning of the game's value.

    model        the file of the model
    reads        "value", or "rest": the answer is 1 - value
    must_reach   endless play is worth infinitely much (R [F b])
    relation, bound   of a property with a threshold
    stays        a deadlock is a state in which play stays; otherwise play ends there
    counts       the state counts the remaining steps
    op           the operator over several states, "" for a range or all of them; `variables`: the fields that distinguish them
    among        which: "" (the start), "init" (the initial states) or "selected" (where `selected` holds)
    """

    model: str
    text: str
    reads: str
    must_reach: bool
    relation: str
    bound: Fraction | None
    stays: bool
    counts: bool
    op: str = ""
    among: str = ""
    is_cut: bool = False  # whether play is cut off where the value is infinite (`endless`)
    grows: str = ""  # rewards that add up without end: the value is "infinite", or in "some" states; or "never" may find it
    is_chance: bool = False  # whether the answer is a probability, and so from 0 to 1
    left_out: str = ""  # a note on the states in which the value is infinite, if somebody is kept from going there
    read_as: str = ""  # a note on numbers that were read as others, of which the value is exact
    rounded: str = ""  # what is computed in floats, which round it: no value is proven to be exact then
    variables: tuple[tuple[str, str, bool], ...] = ()  # as the model spells them, as the game does, whether they are truth values


def _is_power_of_two(number: int) -> bool:
    return number & (number - 1) == 0


class Asked:
    """A property of a model, its conditions folded. Raises `ModelError`.

    minimises     whether the first player (the coalition, or the only player) wants the value of the game low
    is_rest       whether the answer is 1 - value
    left, right   play ends where `right` holds, and where `left` does not
    low, high     the number of steps, None without a bound; counts: whether the state counts them
    pays          whether the question is about rewards: `rewards`, the items of the structure, in units of 1/unit
    steps         the possible steps
    loops         whether a deadlock is a state like others, in which play stays
    must_reach    endless play is worth infinitely much; may_give_up: a player who wants little may end it at the price `never`
    starts        the initial states; begins: the condition that they meet, if open constants decide which these are
    selects       a condition on the states in question, None: the initial ones
    draws         the question is about several states: they are drawn, from the initial ones or from all reachable ones
    """

    def __init__(self, model: Model, asked: Property, given: Mapping[str, Fraction | bool], never: bool):
        self.model, self.property, self.never = model, asked, never
        self.scope = Scope(model, given)
        self.steps = steps_of(model, self.scope)
        self.starts = initial_states(model, self.scope)
        self._add_labels()
        self.selects = self._condition(asked.among) if asked.among is not None else None
        self.begins = self._condition(model.initial) if model.initial is not None and depends_on_open(model, self.scope) else None
        if self.begins is not None and self.selects is not None:
            what = "in which states play begins depends on an open constant, which a filter over states needs"
            raise self.error(f"{what}: give it with --const")
        is_of_set = asked.op in OF_SETS or self.selects is not None or self._begins_endless()
        self.draws = len(self.starts) > 1 or is_of_set or self.begins is not None
        self.minimises, self.is_rest = self._aim()
        self._question()

    def _begins_endless(self) -> bool:
        """Whether the value of an initial state is known to be infinite."""
        if not self.property.endless:
            return False
        values = ([self.scope.value(e) for e in at.values()] for at in self.starts)
        return any(self.model.sets[self.property.endless].has([int(v or 0) for v in at]) for at in values)

    def _add_labels(self) -> None:
        """"deadlock" and "init", which every model has."""
        known = self.scope.labels
        guards = [s.guard for s in self.steps]
        if self.model.kind == "csg":
            guards = [c.guard for m in self.model.modules for c in m.commands]
        known.setdefault("deadlock", Apply("!", (any_of(guards),)))
        same = [Apply("<=>" if self.model.variables[n].is_bool else "=", (Name(n), value)) for n, value in self.starts[0].items()]
        known.setdefault("init", all_of(list(same)) if self.model.initial is None else self.model.initial)

    def _aim(self) -> tuple[bool, bool]:
        """Whether the first player (the coalition, or the only player) wants the value of the game low; whether the answer is 1 - value."""
        asked, kind = self.property, self.model.kind
        best = asked.best
        if kind not in GAMES and asked.coalition is not None:
            raise self.error("<<...>> is about games of several players, and this is no smg or csg")
        if asked.is_plain:
            return False, False
        if kind in GAMES and asked.coalition is None:
            known = ", ".join(p.name for p in self.model.players)
            raise self.error(f"who plays for it? Write <<...>> in front, with some of {known or 'the players, of which there are none'}")
        if asked.relation != "=?" and not best and kind != "dtmc":
            wants_more = asked.relation in (">", ">=")
            best = "max" if wants_more == (kind in GAMES) else "min"  # over what a coalition can do; over everything that an mdp may do
        elif not best and kind != "dtmc":
            raise self.error(f"an {kind} has choices: ask for {asked.measure}max or {asked.measure}min")
        is_rest = asked.path in ("globally", "weak", "release")
        return (best == "min") != is_rest, is_rest

    def error(self, text: str) -> ModelError:
        return ModelError(f"{self.property.text}: {text}")

    def _question(self) -> None:
        """Where play ends, its payoff there, and what is counted."""
        asked = self.property
        left, right = self._condition(asked.left), self._condition(asked.right)
        no = self.scope.fold(Apply("!", (right,)))
        if asked.path == "globally":
            left, right = Truth(True), no
        elif asked.path == "release":  # the negation of !left U !right
            left, right = self.scope.fold(Apply("!", (left,))), no
        elif asked.path == "weak":
            left, right = all_of([left, no]), self.scope.fold(Apply("&", (Apply("!", (left,)), no)))
        self.left, self.right = left, right
        self.low, self.high = (self._bound(e) if e is not None else None for e in (asked.low, asked.high))
        if isinstance(self.low, Number) and isinstance(self.high, Number) and self.low.value > self.high.value:
            raise self.error(f"no number of steps is at least {self.low.value} and at most {self.high.value}")
        if asked.path == "next":
            self.low = self.high = ONE
        self.counts = self.low is not None or self.high is not None
        self.pays = asked.measure == "R"
        is_still = not self.steps and self.model.kind != "csg"  # nothing can ever happen: a deadlock is the only step there is
        self.loops = self.pays or self.low is not None or is_still
        self.must_reach = asked.path == "reach"
        self.somebody_minimises = self.model.kind != "dtmc" and (self.model.kind in GAMES or self.minimises)
        self.may_give_up = self.never and self.pays and asked.path in ENDLESS and self.somebody_minimises
        self.rewards = self._rewards(asked.rewards) if self.pays else []
        self.in_units, self.unit = self._units_of(self.rewards, asked.rewards)
        self.rewards = [replace(i, value=self.in_units.get(i.value, i.value)) for i in self.rewards]
        self.gathers = [self._gathers(w, k) for k, w in enumerate(asked.within)]
        self.loops = self.loops or any(not g.is_upper or g.spare is not None for g in self.gathers)

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
            raise self.error("no number of steps is below 0")
        return folded

    def _gathers(self, within: Within, place: int) -> Gathers:
        """The count for a bound on rewards. Raises `ModelError`."""
        items = self._rewards(within.rewards)
        paid = self.paid_by_branches(within.rewards)
        if fallen := [i for i in items if isinstance(i.value, Number) and i.value.value < 0]:
            raise self.model.error(fallen[0].line, "rewards below 0 can't be bounded: what is gathered must not fall")
        if any(isinstance(v, Number) and v.value < 0 for v in paid):
            raise self.error("rewards below 0 can't be bounded: what is gathered must not fall")
        found = in_units(self.scope, [*(i.value for i in items), *paid])
        if found is None or not isinstance(found[1], Number):
            odd = next((i for i in items if not isinstance(i.value, Number)), None)
            text = "a bound on rewards needs rewards that are constant, or whole numbers divided by constants"
            raise self.model.error(odd.line, text) if odd else self.error(text)
        scale = int(found[1].value)
        whole = tuple(replace(i, value=found[0][i.value]) for i in items)
        high = self._units(within.high, scale, True, within.high_is_open) if within.high is not None else None
        low = self._units(within.low, scale, False, within.low_is_open) if within.low is not None else None
        field = "gathered" if place == 0 else f"gathered{place + 1}"
        while field in self.model.variables:
            field += "_"
        budget = high if high is not None else low
        assert budget is not None
        spare = self.scope.computed("-", high, low) if high is not None and low is not None else None
        if isinstance(spare, Number) and spare.value < 0:
            raise self.error("a bound on rewards has its upper end below its lower one")
        shown = (within.rewards or "").lstrip("#")
        return Gathers(shown, field, budget, whole, found[0], scale, high is not None, spare, within.rewards)

    def paid_by_branches(self, structure: str | None) -> list[Expr]:
        """The payments of branches themselves in a reward structure (JANI)."""
        name = self.model.paying.get(structure or "", "")
        branches = (b for s in self.steps for p in s.parts for c in p.commands for b in c.branches)
        return list(dict.fromkeys(b.paid[name] for b in branches if name in b.paid))

    def _units_of(self, items: list[RewardItem], structure: str | None) -> tuple[Mapping[Expr, Expr], Expr]:
        """The payments in a unit in which rules pay whole numbers, and that unit; nothing and 1 if they are paid as written."""
        paid = self.paid_by_branches(structure)
        values = [*(i.value for i in items), *paid]
        labels = [i.label for i in items]
        are_added = len(values) > 1 and (None in labels or bool(paid) or len(set(labels)) < len(labels))
        if all(is_written_exactly(self.scope, v) for v in values):
            halved = all(isinstance(d := self.scope.ratio(v)[1], Number) and _is_power_of_two(int(d.value)) for v in values)
            if halved or not are_added:
                return {}, ONE
        return in_units(self.scope, values) or ({}, ONE)

    def _units(self, bound: Expr, scale: int, is_upper: bool, is_open: bool) -> Expr:
        """A bound in whole units: the largest that is allowed, or the smallest that is enough."""
        folded = self.scope.fold(bound)
        if self.scope.type_of(folded) == "bool" or not names_in(folded) <= set(self.model.constants):
            raise self.error("a bound on rewards must be a number")
        if isinstance(folded, Number):
            exact = folded.value * scale
            if is_upper:
                found = math.ceil(exact) - 1 if is_open else math.floor(exact)
            else:
                found = max(math.floor(exact) + 1 if is_open else math.ceil(exact), 0)
            if found < 0:
                raise self.error(f"what is gathered is never {'below' if is_open else 'at most'} {folded.value}")
            return Number(Fraction(found))
        if self.scope.type_of(folded) != "int":
            raise self.error("a bound on rewards that is left open must be a whole number")
        shift = (-1 if is_upper else 1) * is_open
        return self.scope.computed("+", self.scope.times(Number(Fraction(scale)), folded), Number(Fraction(shift)))

    def _rewards(self, name: str | None) -> list[RewardItem]:
        """The items of a reward structure, folded; `name`: as in `Property`."""
        known = self.model.rewards
        if not known:
            raise self.error("the model has no rewards")
        if name is None:
            name = next(iter(known))
        elif name.startswith("#"):
            if not 1 <= int(name[1:]) <= len(known):
                raise self.error(f"there are {len(known)} reward structures")
            name = list(known)[int(name[1:]) - 1]
        if name not in known:
            raise self.error(f'there are no rewards "{name}"; ' + there_are([f'"{n}"' for n in known]))
        found = []
        for item in known[name]:
            guard, value = self.scope.fold(item.guard), self.scope.fold(item.value)
            if self.scope.type_of(guard) != "bool" or self.scope.type_of(value) == "bool":
                raise self.model.error(item.line, "a reward is `condition : number`")
            if isinstance(value, Number) and value.value < 0 and self.property.path in ("reach", "reach_or_not", "total"):
                raise self.model.error(item.line, "rewards below 0 are read in C<=k and I=k only")
            if guard != Truth(False) and value != Number(Fraction(0)):
                found.append(replace(item, guard=guard, value=value))
        return found

    def question(self, fields: Mapping[str, str]) -> Question:
        """The meaning of the game's value. `fields`: the game's names of the variables."""
        bound = self.scope.value(self.property.bound) if self.property.bound is not None else None
        if self.property.bound is not None and (bound is None or isinstance(bound, bool)):
            raise self.error("the bound must be a number")
        if self.property.measure == "P" and isinstance(bound, Fraction) and not 0 <= bound <= 1:
            raise self.error(f"the bound of a probability must lie between 0 and 1, and {bound} does not")
        return Question(
            self.model.file, self.property.text, "rest" if self.is_rest else "value", self.must_reach, self.property.relation,
            bound if isinstance(bound, Fraction) else None, self.loops,
            self.counts or bool(self.gathers) or self.property.path in ("cumulative", "instant"), self.property.op,
            "selected" if self.selects is not None else "init" if self.draws else "", bool(self.property.endless), self._growing(),
            self.property.measure == "P", self.property.left_out, "",
            next(iter(self.scope.rounded), ""),
            tuple((name, field, self.model.variables[name].is_bool) for name, field in fields.items()),
        )  # fmt: skip

    def _growing(self) -> str:
        """What is to be said where rewards add up without end (`Question.grows`)."""
        if not self.pays or self.property.path not in ENDLESS:
            return ""
        if self.property.is_infinite and not self.never:
            return "some" if self.draws else "infinite"
        if self.somebody_minimises:
            return "" if self.never or self.model.kind == "csg" else "never"
        return "" if self.draws or self.must_reach else "infinite"

    def coalition(self) -> set[str]:
        """The names of the requested players, given by name or by number."""
        names = [p.name for p in self.model.players]
        found = set()
        for member in self.property.coalition or ():
            if member.isdigit() and 1 <= int(member) <= len(names):
                found.add(names[int(member) - 1])
            elif member in names:
                found.add(member)
            else:
                raise self.error(f"there is no player {member}; there is {', '.join(names) or 'none'}")
        return found

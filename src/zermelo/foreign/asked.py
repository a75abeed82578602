"""What is asked about a model: which side wants what, where play ends, what is counted and paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from zermelo.foreign.initial import initial_values
from zermelo.foreign.model import Apply, Expr, Model, ModelError, Name, Number, Property, RewardItem, Truth, names_in
from zermelo.foreign.scope import ONE, Scope
from zermelo.foreign.steps import all_of, any_of, steps_of


@dataclass(frozen=True)
class Question:
    """What the value of the game means.

    reads        "value", or "rest": the answer is 1 - value
    must_reach   what never ends is worth infinitely much (R [F b])
    relation, bound   of a property with a threshold
    stays        a deadlock is a state in which play stays; else play ends there
    counts       the state counts the steps that are left
    """

    text: str
    reads: str
    must_reach: bool
    relation: str
    bound: Fraction | None
    stays: bool
    counts: bool


class Asked:
    """A property of a model, its conditions folded. Raises `ModelError`.

    minimises     whether the first player (the coalition, or who there is) wants the value of the game low
    is_rest       whether the answer is 1 - value
    left, right   play ends where `right` holds, and where `left` does not
    low, high     how many steps: None where there is no bound; counts: whether the state counts them
    pays          whether rewards are asked for: `rewards`, the items of the structure
    steps         what can happen
    loops         whether a deadlock is a state like others, in which play stays
    must_reach    what never ends is worth infinitely much; may_give_up: it is, for who wants little, worth `never`
    """

    def __init__(self, model: Model, asked: Property, given: Mapping[str, Fraction | bool], never: bool):
        self.model, self.property, self.never = model, asked, never
        self.scope = Scope(model, given)
        self.steps = steps_of(model, self.scope)
        self._add_labels()
        self.minimises, self.is_rest = self._aim()
        self._question()

    def _add_labels(self) -> None:
        """"deadlock" and "init", which every model has."""
        known = self.scope.labels
        known.setdefault("deadlock", Apply("!", (any_of([s.guard for s in self.steps]),)))
        values = initial_values(self.model, self.scope)
        same = [Apply("<=>" if self.model.variables[n].is_bool else "=", (Name(n), value)) for n, value in values.items()]
        known.setdefault("init", all_of(list(same)))

    def _aim(self) -> tuple[bool, bool]:
        """Whether the first player (the coalition, or who there is) wants the value of the game low; whether the answer is 1 - value."""
        asked, kind = self.property, self.model.kind
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
        return ModelError(f"{self.property.text}: {text}")

    def _question(self) -> None:
        """Where play ends, what it pays there, and what is counted."""
        asked = self.property
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
        known, name = self.model.rewards, self.property.rewards
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
            if isinstance(value, Number) and value.value < 0 and self.property.path in ("reach", "reach_or_not", "total"):
                raise self.model.error(item.line, "rewards below 0 are read in C<=k and I=k only")
            if guard != Truth(False) and value != Number(Fraction(0)):
                found.append(replace(item, guard=guard, value=value))
        return found

    def question(self) -> Question:
        """What the value of the game will mean."""
        bound = self.scope.value(self.property.bound) if self.property.bound is not None else None
        if self.property.bound is not None and (bound is None or isinstance(bound, bool)):
            raise self.error("the bound must be a number")
        return Question(
            self.property.text, "rest" if self.is_rest else "value", self.must_reach, self.property.relation,
            bound if isinstance(bound, Fraction) else None, self.loops,
            self.counts or self.property.path in ("cumulative", "instant"),
        )  # fmt: skip

    def coalition(self) -> set[str]:
        """The names of the players that are asked for, by name or by number."""
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

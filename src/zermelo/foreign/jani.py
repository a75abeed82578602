"""JANI (jani-spec.org), models as JSON -> a `Model` with its properties. Messages name the place, such as automata[0].edges[3].

A transient variable of JANI is a formula here if locations set it, and a reward if edges do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.foreign.jani_keys import check_keys, check_known, read_once
from zermelo.foreign.model import (
    GAMES,
    JUMPS,
    KINDS,
    NUMBER,
    Apply,
    Assignment,
    Branch,
    Command,
    Constant,
    Expr,
    Model,
    ModelError,
    Module,
    Name,
    Number,
    Property,
    RewardItem,
    Together,
    Truth,
    Variable,
    Within,
    names_in,
    renamed,
    substituted,
)

OPERATORS = {
    "∧": "&", "∨": "|", "⇒": "=>", "¬": "!", "=": "=", "≠": "!=", "<": "<", "≤": "<=", ">": ">", "≥": ">=", "+": "+", "-": "-", "*": "*",
    "/": "/", "%": "mod", "min": "min", "max": "max", "floor": "floor", "ceil": "ceil", "pow": "pow", "log": "log",
}  # fmt: skip
UNREAD_TYPES = {
    **dict.fromkeys(("ctmc", "ma", "ctmdp"), f"continuous time ({JUMPS})"),
    **dict.fromkeys(("pta", "ta", "sta"), "clocks"),
    **dict.fromkeys(("ha", "pha", "sha"), "continuous variables"),
    "lts": "no probabilities",
}
FILTERS = {"values": "", "min": "min", "max": "max", "avg": "avg", "∀": "forall", "∃": "exists"}  # PRISM's names for them
OF_TRUTHS = {"values": "", "min": "forall", "max": "exists", "∀": "forall", "∃": "exists"}
UNREAD_BOUNDS = ("time-bounds", "time-instant", "reward-instants")
ZERO = Number(Fraction(0))


def model_of(text: str, file: str) -> Model:
    """The model that this text describes, with its properties. Raises `ModelError`."""
    try:
        data = json.loads(text.removeprefix("\ufeff"), parse_float=Fraction, object_pairs_hook=read_once)
    except json.JSONDecodeError as error:
        raise ModelError(f"{file}:{error.lineno}: it is no JSON: {error.msg}") from None
    except ModelError as error:
        raise ModelError(f"{file}: {error}") from None
    except (RecursionError, ValueError):
        raise ModelError(f"{file}: it can't be read as JSON") from None
    try:
        return _Reader(file, _spelt(data)).model
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        why = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) and error.args else "something has another form than JANI says"
        raise ModelError(f"{file}: {_place(error)}{why}") from None
    except RecursionError:
        raise ModelError(f"{file}: its expressions are nested too deeply") from None


def _spelt(data: Any) -> Any:
    """The same with a prime at the end of names that end in ', as x' is the value of x after a step; those of properties are left as they
    are."""
    if isinstance(data, str):
        plain = data.rstrip("'")
        return plain + "\N{PRIME}" * (len(data) - len(plain))
    if isinstance(data, list):
        return [_spelt(item) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: item if key == "name" and "expression" in data else _spelt(item) for key, item in data.items()}


def _place(error: Exception) -> str:
    """Where in the file what raised this was read, as far as its readers know."""
    place, at = "", error.__traceback__
    while at is not None:
        where = at.tb_frame.f_locals.get("where")
        place, at = f"{where}: " if isinstance(where, str) and where else place, at.tb_next
    return place


class Function(NamedTuple):
    """A function of the model (owner "") or of an automaton."""

    name: str
    owner: str
    parameters: tuple[str, ...]
    body: Any  # as JSON has it

    @property
    def spelt(self) -> str:
        """Its name, where the model and automata may have functions of the same name."""
        return f"{self.owner}.{self.name}()" if self.owner else f"{self.name}()"


class _Reader:
    def __init__(self, file: str, data: Mapping[str, Any]):
        self.file, self.data = file, data
        kind = data["type"]
        if kind not in KINDS or kind in GAMES:
            has = f" has {UNREAD_TYPES[kind]}" if kind in UNREAD_TYPES else " is not read"
            raise self.error("type", f"a model of type {kind}{has}; dtmc and mdp are read")
        check_keys("model", data, file)
        self.model = Model(file, kind)
        self.transient: dict[str, Expr] = {}  # initial values of transient variables
        self.names: dict[str, str] = {}  # the model's names for those of the automaton that is being read
        self.functions: dict[str, Function] = {f.name: f for f in self._functions(data, "")}
        self.of_model = self.functions
        self.bodies: dict[str, Expr] = {}  # of the functions called so far
        self.calling: set[str] = set()  # functions whose bodies are being read
        self.set_by: dict[str, list[tuple[Expr, Expr]]] = {}  # by name: where a location sets it, and to what
        self.model.constants = {_name(c["name"]): self._constant(c) for c in data.get("constants", ())}
        for k, v in enumerate(data.get("variables", ())):
            self._variable(v, _name(v["name"]), f"variables[{k}]")
        self._automata()
        self._system()
        self._restrict()
        self._formulas()
        for k, p in enumerate(data.get("properties", ())):
            self._property(p, f"properties[{k}]")

    def error(self, where: str, text: str) -> ModelError:
        return ModelError(f"{self.file}: {where}: {text}")

    # --- names --------------------------------------------------------------------------------------------------------

    def _constant(self, c: Mapping[str, Any]) -> Constant:
        kind = c["type"]["base"] if isinstance(c["type"], dict) else c["type"]
        kind = "double" if kind == "real" else str(kind)
        if kind not in ("int", "double", "bool"):
            raise self.error(f"constant {c['name']}", f"the type {kind} is not read")
        value = self.expr(c["value"], f"constant {c['name']}") if "value" in c else None
        return Constant(c["name"], kind, value, 0)

    def _variable(self, v: Mapping[str, Any], name: str, where: str) -> None:
        kind = v["type"]
        initial = self.expr(v["initial-value"], where) if v.get("initial-value") is not None else None
        if v.get("transient"):
            self.transient[name] = initial if initial is not None else Truth(False) if kind == "bool" else ZERO
            return
        if name in self.model.variables or name in self.model.constants:
            raise self.error(where, f"{name} is there twice")
        if kind == "bool":
            self.model.variables[name] = Variable(name, None, None, initial, 0)
        elif isinstance(kind, dict) and kind.get("kind") == "bounded" and kind.get("base") == "int":
            if "lower-bound" not in kind or "upper-bound" not in kind:
                raise self.error(where, f"{name} has no lower or no upper bound")
            low, high = self.expr(kind["lower-bound"], where), self.expr(kind["upper-bound"], where)
            self.model.variables[name] = Variable(name, low, high, initial, 0)
        else:
            said = kind.get("kind", kind) if isinstance(kind, dict) else kind
            raise self.error(where, f"{name} has the type {said}; bounded whole numbers and truth values are read")

    # --- automata -----------------------------------------------------------------------------------------------------

    def _automata(self) -> None:
        setting = [list(_assignments(automaton)) for automaton in self.data["automata"]]
        self.first_index = min((a.get("index", 0) for own in setting for a in own), default=0)
        for k, automaton in enumerate(self.data["automata"]):
            self.set_elsewhere = {str(a["ref"]) for i, own in enumerate(setting) if i != k for a in own}
            where, name = f"automata[{k}]", _name(automaton["name"])
            names: dict[str, str] = {}
            for v in automaton.get("variables", ()):
                spelt = _name(v["name"])
                while spelt in self.model.variables or spelt in self.transient or spelt in self.model.constants:
                    spelt = f"{spelt}_{name}"
                names[v["name"]] = spelt
                self._variable(v, spelt, f"{where}.variables")
            self.names, outside = names, self.functions
            self.functions = {**outside, **{f.name: f for f in self._functions(automaton, name)}}
            places = {x["name"]: i for i, x in enumerate(automaton["locations"])}
            at = f"{name}_location"
            while at in self.model.variables or at in self.model.constants:
                at += "_"
            first = automaton["initial-locations"]
            if len(first) != 1:
                raise self.error(where, f"{len(first)} initial locations, and a game has one start")
            if len(places) > 1:
                top = Number(Fraction(len(places) - 1))
                self.model.variables[at] = Variable(at, ZERO, top, Number(Fraction(places[first[0]])), 0)
            here = {x: _is(at, i) if len(places) > 1 else Truth(True) for x, i in places.items()}
            for x in automaton["locations"]:
                if "time-progress" in x:
                    raise self.error(where, "a location with `time-progress` belongs to models with clocks")
                for a in x.get("transient-values", ()):
                    self.set_by.setdefault(names.get(a["ref"], a["ref"]), []).append((here[x["name"]], self.expr(a["value"], where)))
            commands = [
                self._edge(e, f"{where}.edges[{i}]", here, {x: (at, n) for x, n in places.items()} if len(places) > 1 else {})
                for i, e in enumerate(automaton["edges"])
            ]
            self.model.modules.append(Module(name, tuple(names.values()), tuple(commands), 0))
            self.names, self.functions = {}, outside

    def _edge(self, edge: Mapping[str, Any], where: str, here: Mapping[str, Expr], moves: Mapping[str, tuple[str, int]]) -> Command:
        if "rate" in edge:
            raise self.error(where, "an edge with a rate belongs to models with continuous time")
        guard = self.expr(edge["guard"]["exp"], where) if "guard" in edge else Truth(True)
        guard = guard if here[edge["location"]] == Truth(True) else Apply("&", (here[edge["location"]], guard))
        branches, always = [], self._wherever(edge, where)
        for d in edge["destinations"]:
            values = self._assigned([*always, *d.get("assignments", ())], "action" in edge, where)
            paid = {name: value for name, value in values.items() if name in self.transient}
            assigned = [Assignment(name, value, 0) for name, value in values.items() if name not in self.transient]
            if moves and d["location"] != edge["location"]:
                at, number = moves[d["location"]]
                assigned.append(Assignment(at, Number(Fraction(number)), 0))
            elif d["location"] not in here:
                raise self.error(where, f"there is no location {d['location']}")
            probability = self.expr(d["probability"]["exp"], where) if "probability" in d else None
            branches.append(Branch(probability, tuple(assigned), paid))
        return Command(_name(edge["action"]) if "action" in edge else "", guard, tuple(branches), 0)

    def _wherever(self, edge: Mapping[str, Any], where: str) -> Sequence[Mapping[str, Any]]:
        """What an edge assigns beside its destinations, as Storm writes rewards that are the same for all of them."""
        found = edge.get("assignments", ())
        of_destinations = {a["ref"] for d in edge["destinations"] for a in d.get("assignments", ()) if isinstance(a["ref"], str)}
        for a in found:
            if a["ref"] not in self.transient:
                raise self.error(where, f"`assignments` beside the destinations are of transient variables only, and {a['ref']} is none")
            if a["ref"] in of_destinations:
                raise self.error(where, f"{a['ref']} is assigned beside the destinations and by one of them")
        return found

    def _assigned(self, assignments: Sequence[Mapping[str, Any]], is_shared: bool, where: str) -> dict[str, Expr]:
        """The assignments of an edge: those of the same `index` at once, those of a later one with the results of earlier ones."""
        found: dict[str, Expr] = {}
        for index in sorted({a.get("index", 0) for a in assignments}):
            now: dict[str, Expr] = {}
            for a in assignments:
                if a.get("index", 0) != index:
                    continue
                if not isinstance(a["ref"], str):
                    raise self.error(where, "assignments to arrays are not read")
                value = self.expr(a["value"], where)
                if found or index > self.first_index:  # what a function reads may have been set
                    value = self._written_out(value)
                others = names_in(value) - found.keys() - set(self.names.values())
                if index > self.first_index and is_shared and (shared := others & self.set_elsewhere):
                    what = f"an assignment with `index` asks for {min(shared)}, which another automaton may set in the same step"
                    raise self.error(where, f"{what}; that is not read")
                now[self.names.get(a["ref"], a["ref"])] = substituted(value, found)
            found |= now
        return found

    def _system(self) -> None:
        """The participants of each step: a sync vector names an action of each automaton, or none."""
        system = self.data["system"]
        elements = [e["automaton"] for e in system["elements"]]
        modules = {m.name: m for m in self.model.modules}
        if len(set(elements)) < len(elements):
            raise self.error("system", "an automaton that is there twice is not read; write it twice, with two names")
        if any(e.get("input-enable") for e in system["elements"]):
            raise self.error("system", "`input-enable` is not read")
        self.model.modules = [modules[e] for e in elements]
        if len(elements) == 1 and "syncs" not in system:
            labels = dict.fromkeys(c.label for c in self.model.modules[0].commands if c.label)
            self.model.together = [Together(a, ((elements[0], a),)) for a in labels]
            return
        used: set[str] = set()
        for k, sync in enumerate(system.get("syncs", ())):
            if len(sync["synchronise"]) != len(elements):
                raise self.error(f"system.syncs[{k}]", "it must name an action, or none, for each automaton")
            taking = tuple((e, _name(a)) for e, a in zip(elements, sync["synchronise"], strict=True) if a is not None)
            label = str(sync.get("result") or (taking[0][1] if taking else ""))
            label = label if label and label not in used else f"{label or 'sync'}_{k}"
            used.add(label)
            if taking:
                self.model.together.append(Together(label, taking))

    def _restrict(self) -> None:
        restrict = [self.data.get("restrict-initial"), *(a.get("restrict-initial") for a in self.data["automata"])]
        conditions = [self.expr(r["exp"], "restrict-initial") for r in restrict if r is not None]
        conditions = [c for c in conditions if c != Truth(True)]
        if len(conditions) > 1:
            raise self.error("restrict-initial", "it is there several times")
        variables = self.model.variables.values()
        if conditions or any(v.initial is None for v in variables):  # without an initial value: any that it can have
            given = [_begins(v, v.initial) for v in variables if v.initial is not None]
            self.model.initial = Truth(True)
            for condition in (*conditions, *given):
                first = self.model.initial == Truth(True)
                self.model.initial = condition if first else Apply("&", (self.model.initial, condition))

    def _formulas(self) -> None:
        """The values of transient variables in each state, as formulas."""
        for name, initial in self.transient.items():
            value = initial
            for here, to in reversed(self.set_by.get(name, [])):
                value = to if here == Truth(True) else Apply("?:", (here, to, value))
            self.model.formulas[name] = value

    # --- expressions --------------------------------------------------------------------------------------------------

    def expr(self, e: Any, where: str) -> Expr:
        match e:
            case bool():
                return Truth(e)
            case int():
                return Number(Fraction(e))
            case Fraction():
                return Number(e, True)
            case str():
                return renamed(Name(e), self.names)
        op = e.get("op")
        if op == "call":
            self._only(e, ("op", "function", "args"), where)
            return self._called(e, where)
        if op == "ite":
            self._only(e, ("op", "if", "then", "else"), where)
            return Apply("?:", tuple(self.expr(e[k], where) for k in ("if", "then", "else")))
        if op == "abs":
            self._only(e, ("op", "exp"), where)
            inner = self.expr(e["exp"], where)
            return Apply("max", (inner, Apply("neg", (inner,))))
        if op in ("trc", "sgn"):
            self._only(e, ("op", "exp"), where)
            return self._cut(self.expr(e["exp"], where), op)
        if op not in OPERATORS:
            raise self.error(where, f"{op or next(iter(e), 'an expression')} is not read in expressions")
        sides = ("exp",) if "exp" in e else ("left", "right")
        self._only(e, ("op", *sides), where)
        args = tuple(self.expr(e[k], where) for k in sides)
        return Apply("neg", args) if op == "-" and len(args) == 1 else Apply(OPERATORS[op], args)

    def _cut(self, inner: Expr, op: str) -> Expr:
        """A number without what follows its point, or its sign."""
        is_below, is_above = Apply("<", (inner, ZERO)), Apply(">", (inner, ZERO))
        if op == "sgn":
            return Apply("?:", (is_below, Number(Fraction(-1)), Apply("?:", (is_above, Number(Fraction(1)), ZERO))))
        if self._is_whole(inner):  # tools write `trc` around all whole numbers
            return inner
        return Apply("?:", (is_below, Apply("ceil", (inner,)), Apply("floor", (inner,))))

    def _is_whole(self, expr: Expr) -> bool:
        """Whether an expression is surely a whole number."""
        match expr:
            case Number():
                return not expr.is_real
            case Name(name):
                kind = self.model.constants[name].type if name in self.model.constants else ""
                return kind == "int" or (name in self.model.variables and not self.model.variables[name].is_bool)
            case Apply("floor" | "ceil"):
                return True
            case Apply("?:", (_, one, other)):
                return self._is_whole(one) and self._is_whole(other)
            case Apply("+" | "-" | "*" | "neg" | "min" | "max" | "mod", args):
                return all(map(self._is_whole, args))
        return False

    def _only(self, e: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
        """Refuse an expression with other keys than its operator has."""
        check_known(e, keys, f"{e['op']} in an expression", self.file, where)

    def _functions(self, data: Mapping[str, Any], owner: str) -> list[Function]:
        """The functions of the model, or of an automaton."""
        functions = data.get("functions", ())
        return [Function(_name(f["name"]), owner, tuple(_name(p["name"]) for p in f["parameters"]), f["body"]) for f in functions]

    def _called(self, e: Mapping[str, Any], where: str) -> Expr:
        """The value of a function call: the body with the arguments in it; a function without parameters is a formula of the model."""
        function = self.functions.get(e["function"])
        if function is None:
            raise self.error(where, f"there is no function {e['function']}")
        given = [self.expr(a, where) for a in e["args"]]
        if len(given) != len(function.parameters):
            raise self.error(where, f"{function.name} takes {counted(len(function.parameters), 'argument')}, not {len(given)}")
        if function.spelt in self.calling:
            raise self.error(where, f"the function {function.name} calls itself, which is not read")
        own = {name: f"{function.spelt} {name}" for name in function.parameters}  # names that nothing else has
        if function.spelt not in self.bodies:
            self.calling.add(function.spelt)
            names, functions = self.names, self.functions
            if not function.owner:
                self.names, self.functions = {}, self.of_model
            self.names = {**self.names, **own}
            self.bodies[function.spelt] = self.expr(function.body, f"function {function.name}")
            self.names, self.functions = names, functions
            self.calling.discard(function.spelt)
        body = self.bodies[function.spelt]
        if function.parameters:
            return substituted(body, dict(zip(own.values(), given, strict=True)))
        self.model.formulas[function.spelt] = body
        return Name(function.spelt)

    def _written_out(self, expr: Expr) -> Expr:
        """The expression with the bodies of functions without parameters in the place of their names."""
        bodies = {name: self._written_out(self.bodies[name]) for name in names_in(expr) & self.bodies.keys()}
        return substituted(expr, bodies)

    # --- properties ---------------------------------------------------------------------------------------------------

    def _property(self, p: Mapping[str, Any], where: str) -> None:
        """Reads a property; one that can't be read is an error only when it is requested."""
        name = p["name"]
        try:
            check_keys("property", p, self.file, where)
            self.model.properties[name] = self._asked(name, p["expression"], where)
        except ModelError as error:
            self.model.unread[name] = str(error)

    def _asked(self, name: str, e: Mapping[str, Any], where: str) -> Property:
        if e.get("op") != "filter" or e.get("fun") not in FILTERS or e["states"].get("op") != "initial":
            raise self.error(where, f"{name}: only the value in the initial states is read, by a filter of {', '.join(FILTERS)}")
        check_keys("filter", e, self.file, f"{where}.expression")
        asked, relation, bound = e["values"], "=?", None
        if asked["op"] in ("<", "≤", ">", "≥"):
            check_keys("comparison", asked, self.file, where)
            relation, bound, asked = OPERATORS[asked["op"]], self.expr(asked["right"], where), asked["left"]
        op = asked["op"]
        if op in ("Pmin", "Pmax"):
            check_keys("probability", asked, self.file, where)
            path, left, right, low, high = self._path(name, asked["exp"], where)
            within = tuple(self._within(name, k, b, where) for k, b in enumerate(asked["exp"].get("reward-bounds", ())))
            found = Property("P", op[1:], relation, bound, path, left, right, low, high, within, text=name)
        elif op in ("Emin", "Emax"):
            found = self._reward(name, asked, where, relation, bound)
        else:
            raise self.error(where, f"{name}: {op} is not read; Pmin, Pmax, Emin and Emax are")
        over = FILTERS[e["fun"]] if relation == NUMBER else OF_TRUTHS.get(e["fun"])
        if over is None or (relation == NUMBER and e["fun"] in ("∀", "∃")):
            raise self.error(where, f"{name}: {e['fun']} is of {'truth values' if relation == NUMBER else 'numbers'}, and these are none")
        return replace(found, op=over)

    def _path(self, name: str, e: Mapping[str, Any], where: str) -> tuple[str, Expr, Expr, Expr | None, Expr | None]:
        if not isinstance(e, dict) or e.get("op") not in ("U", "W", "F", "G", "R"):
            raise self.error(where, f"{name}: this kind of path is not read; U, W, R, F and G are")
        check_keys("path", e, self.file, where)
        for bounds in UNREAD_BOUNDS:
            if bounds in e:
                raise self.error(where, f"{name}: {bounds} are not read; step-bounds and reward-bounds are")
        low = high = None
        if "step-bounds" in e:
            one = Number(Fraction(1))
            given = e["step-bounds"]
            if "lower" in given:
                low = self.expr(given["lower"], where)
                low = Apply("+", (low, one)) if given.get("lower-exclusive") else low
            if "upper" in given:
                high = self.expr(given["upper"], where)
                high = Apply("-", (high, one)) if given.get("upper-exclusive") else high
        if e["op"] in ("F", "G"):
            right = self.expr(e["exp"], where)
            return ("until" if e["op"] == "F" else "globally"), Truth(True), right, low, high
        left, right = self.expr(e["left"], where), self.expr(e["right"], where)
        return {"U": "until", "W": "weak", "R": "release"}[e["op"]], left, right, low, high

    def _reward(self, name: str, e: Mapping[str, Any], where: str, relation: str, bound: Expr | None) -> Property:
        check_keys("reward", e, self.file, where)
        for bounds in (*UNREAD_BOUNDS, "reward-bounds"):
            if bounds in e:
                raise self.error(where, f"{name}: {bounds} is not read")
        gathered: Sequence[str] = e.get("accumulate", ())
        key = self._structure(name, name, e, where)
        steps = self.expr(e["step-instant"], where) if "step-instant" in e else None
        if not gathered and steps is None:
            raise self.error(where, f'{name}: nothing is gathered without `accumulate`; write "steps", "exit" or both, or a `step-instant`')
        if steps is not None and "reach" in e:
            raise self.error(where, f"{name}: a goal and a number of steps at once are not read")
        if "reach" in e:
            path, right = "reach", self.expr(e["reach"], where)
        else:
            path, right = ("instant" if not gathered else "cumulative") if steps is not None else "total", Truth(True)
        return Property("R", e["op"][1:], relation, bound, path, right=right, high=steps, rewards=key, text=name)

    def _within(self, name: str, place: int, e: Mapping[str, Any], where: str) -> Within:
        """A bound on the rewards gathered until a path is decided."""
        limits = e["bounds"]
        low, high = (self.expr(limits[k], where) if k in limits else None for k in ("lower", "upper"))
        if low is None and high is None:
            raise self.error(where, f"{name}: a reward bound without a bound")
        if not e.get("accumulate"):
            raise self.error(where, f'{name}: nothing is gathered without `accumulate`; write "steps", "exit" or both')
        is_open = (bool(limits.get(f"{k}-exclusive")) for k in ("lower", "upper"))
        return Within(self._structure(name, f"{name} bound {place}", e, where), low, high, *is_open)

    def _structure(self, name: str, called: str, e: Mapping[str, Any], where: str) -> str:
        """Enters the rewards of an expression as a reward structure; returns its name."""
        gathered: Sequence[str] = e.get("accumulate", ())
        if "time" in gathered:
            raise self.error(where, f"{name}: rewards by time are not read")
        paid = self._written_out(self.expr(e["exp"], where))
        key = f"{called} {'+'.join(gathered)}"
        self.model.rewards[key] = self._items(name, paid, gathered, where)
        self.model.paying[key] = paid.name if isinstance(paid, Name) and "steps" in gathered else ""
        return key

    def _items(self, name: str, paid: Expr, gathered: Sequence[str], where: str) -> list[RewardItem]:
        """The payments of states. Those of edges are with their branches."""
        own = names_in(paid) & self.transient.keys()
        if "steps" in gathered:
            if own and not isinstance(paid, Name):
                raise self.error(where, f"{name}: a sum of rewards is not read; one transient variable, or an expression without any, is")
            if own and not self._is_usually_nothing(paid):
                raise self.error(where, f"{name}: {min(own)} is not 0 where no edge sets it")
            if moving := names_in(paid) & self.model.variables.keys():
                what = f"{min(moving)} may be another number after the step that is paid for"
                raise self.error(where, f"{name}: {what}; let edges set a transient variable")
        if own and gathered and "exit" not in gathered:
            return []
        if not isinstance(paid, Name) or not self._is_usually_nothing(paid):
            return [RewardItem(None, Truth(True), paid, 0)]
        return [RewardItem(None, here, to, 0) for here, to in self.set_by.get(paid.name, [])]

    def _is_usually_nothing(self, paid: Expr) -> bool:
        """Whether this is a transient variable that is 0 where nothing sets it."""
        usual = self.transient.get(paid.name) if isinstance(paid, Name) else None
        return isinstance(usual, Number) and usual.value == 0


def _name(value: Any) -> str:
    """A name, as JSON has it. Raises `TypeError`."""
    if not isinstance(value, str) or not value:
        raise TypeError("a name is a text")
    return value


def _assignments(automaton: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """All that the edges of an automaton assign to variables that others see."""
    own = [v["name"] for v in automaton.get("variables", ())]
    places = (place for e in automaton["edges"] for place in (e, *e["destinations"]))
    return (a for place in places for a in place.get("assignments", ()) if a["ref"] not in own)


def _begins(variable: Variable, value: Expr) -> Expr:
    """The condition that a variable has this value."""
    name = Name(variable.name)
    if isinstance(value, Truth):
        return name if value.value else Apply("!", (name,))
    return Apply("<=>" if variable.is_bool else "=", (name, value))


def _is(name: str, number: int) -> Expr:
    return Apply("=", (Name(name), Number(Fraction(number))))

"""PRISM's language -> a `Model`, and properties in PRISM's notation -> `Property`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.foreign import grammar
from zermelo.foreign.model import (
    JUMPS,
    KINDS,
    NUMBER,
    OPERATORS,
    THRESHOLD,
    Apply,
    Assignment,
    Branch,
    Command,
    Constant,
    Expr,
    Label,
    LineOf,
    Model,
    ModelError,
    Module,
    Name,
    Number,
    Player,
    Property,
    RewardItem,
    Together,
    Truth,
    Variable,
    Within,
    names_in,
    renamed,
)
from zermelo.foreign.parsers import parser

OLD_KINDS = {"probabilistic": "dtmc", "nondeterministic": "mdp", "stochastic": "ctmc"}
UNREAD_KINDS = {
    "ctmc": f"has continuous time ({JUMPS})",
    "ma": f"has continuous time ({JUMPS})",
    "pta": "has clocks; PRISM's digital clocks turn it into an mdp (prism -ptamethod digital -exportprism ...)",
    "tsg": "has clocks",
    "tptg": "has clocks",
    "pomdp": "hides variables (`observables`); write it with `sees` (docs/hidden-information.md)",
    "popta": "hides variables and has clocks",
    "idtmc": "has intervals for probabilities",
    "imdp": "has intervals for probabilities",
}
GIVEN_LABELS = ("init", "deadlock")
LONG_RUN = "long-run averages are not read, as values are totals; R [ C<=k ] is the total of k steps"
TAKEN_BACK = "F0 is not read: what was paid would have to be taken back where the goal is never reached; Fc and F are"


def parsed(text: str, file: str, rules: str, start: str = "start") -> Any:
    """The syntax tree. Raises `ModelError` with the line and its text."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput

    try:
        return parser(rules, start).parse(text)
    except UnexpectedEOF:
        raise ModelError(f"{file}: it ends in the middle of something") from None
    except UnexpectedCharacters as error:
        found = text[error.pos_in_stream or 0]
        after = ": what a variable is after a step is said in updates only" if found == "'" else ""
        raise ModelError(f"{file}:{error.line}: {found!r} can't stand here{after}") from None
    except UnexpectedInput as error:
        token = str(getattr(error, "token", "") or "")
        if not token:
            raise ModelError(f"{file}: it ends in the middle of something") from None
        before = text[: error.pos_in_stream].split()
        advice = _in_property(token, before) if rules == grammar.PROPERTIES else _advice(token)
        raise ModelError(f"{file}:{error.line}: {token!r} can't stand here{advice}") from None
    except RecursionError:
        raise ModelError(f"{file}: its expressions are nested too deeply") from None


def _in_property(token: str, before: list[str]) -> str:
    """What is expected at the place where a property can't be read further. `before`: the words before."""
    last = before[-1].lstrip("([") if before else ""
    if known := _advice(token):
        return known
    if last in ("X", "F", "G"):
        return f": {last} takes a condition on states; paths in paths (LTL) are not read, thresholds such as P>=1 [ F x=1 ] are"
    if token in ("&", "|", "=>", "<=>", "U", "W") and before[-1].endswith(")"):
        return ": paths can't be joined (LTL); one of X, F, G, U, W, R with conditions on states is read"
    if not before or before[-1].endswith((";", ":")):
        return ": a property begins with P or R, as in P=? [ F x=1 ], or with filter(...)"
    inside = " ".join(before).rpartition("[")[2]
    if token == "]" and not re.search(r"\b[XFGUWR]", inside) and inside[-1:] not in ("+", "-", "*", "/", "&", "|", "=", "<", ">"):
        return ": a path is asked for, such as F x=1 or X x=1; a condition alone is none"
    if token == "{":
        return ': states are chosen with filter(max, P=? [ ... ], x=1), rewards with R{"name"}, and bounded with F{"name"}<=k'
    if before[-1].endswith("]"):
        return ": properties are asked for one by one; sums and comparisons of them are not read"
    if token == ":":
        return ": equilibria between coalitions are not read; one coalition against the rest, <<one,two>>, is"
    return ""


def _advice(token: str) -> str:
    known = {
        "observables": ": observables are not read; write the game with `sees` (docs/hidden-information.md)",
        "multi": ": several objectives at once are not read; ask for one",
        "E": ": formulas of CTL are not read; P>0 or P>=1 may say the same",
        "A": ": formulas of CTL are not read; P>0 or P>=1 may say the same",
        "S": f": {LONG_RUN}",
        "quantile": ": quantiles are not read; write the bound as a constant, and solve for several of its values",
    }
    return known.get(token, "")


def model_of(text: str, file: str) -> Model:
    """The model that this text describes. Raises `ModelError`."""
    tree = parsed(text, file, grammar.MODEL)
    try:
        return _Reader(file).model(tree)
    except RecursionError:
        raise ModelError(f"{file}: its expressions are nested too deeply") from None


def properties_of(text: str, model: Model, file: str = "property") -> dict[str, Property]:
    """The properties of a text, by name, otherwise "1", "2", ...; constants and labels of the text go into the model."""
    tree = parsed(text, file, grammar.PROPERTIES)
    reader = _Reader(file, text)
    found: dict[str, Property] = {}
    for item in tree.children:
        if not reader.definition(item, model):
            found[_name(item, len(found))] = reader.asked(item.children[-1])
    return found


def listed_properties(text: str, model: Model, file: str) -> dict[str, Property]:
    """The same for a file with several: a property that can't be read is an error only when it is requested (`model.unread`)."""
    found, count = dict[str, Property](), 0
    try:
        parsed(text, file, grammar.PROPERTIES)
        pieces = [text]
    except ModelError:
        pieces = list(_pieces(text))
    for piece in pieces:
        items: list[Any] = [None]
        try:
            items, why = parsed(piece, file, grammar.PROPERTIES).children, ""
        except ModelError as error:
            if DEFINED.match(piece.lstrip()):
                raise  # its definitions would be missing
            why = str(error)
        for item in items:
            reader = _Reader(file, piece)
            if item is not None and reader.definition(item, model):
                continue
            named = NAMED.match(piece.lstrip())
            name = _name(item, count) if item is not None else named["name"] if named else str(count + 1)
            count += 1
            try:
                if item is None:
                    raise ModelError(why)
                found[name] = reader.asked(item.children[-1])
            except ModelError as error:
                model.unread[name] = str(error)
    return found


NAMED = re.compile(r'"(?P<name>[^"\n]*)"\s*:')
DEFINED = re.compile(r"(const|label)\b")
BEGINS = re.compile(rf'\s*({NAMED.pattern}|{DEFINED.pattern}|<<|\[\[|filter\b|multi\b|[PRSEA](max|min)?\s*([=<>\[{{]|$)|$)')


def _pieces(text: str) -> Iterator[str]:
    """A list cut into its properties, by the beginnings and ends of lines; each keeps its line numbers in the whole."""
    lines, begun = [re.sub(r"//.*", "", line) for line in text.split("\n")], 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or BEGINS.match(lines[number]) or lines[number - 1].rstrip().endswith(";"):
            piece = "\n".join(lines[begun:number])
            if piece.strip():
                yield "\n" * begun + piece
            begun = number


def _name(item: Any, count: int) -> str:
    return _text(item.children[0]) if len(item.children) > 1 else str(count + 1)


def _text(token: Any) -> str:
    return str(token)[1:-1]


def _new(known: dict[str, Any], name: str, value: Any, reader: _Reader, line: int) -> None:
    if name in known:
        raise reader.error(line, f"{name} is there twice")
    known[name] = value


class _Reader:
    """Syntax trees of one file into parts of a model.

    text : the text of properties, "" for the model's own file."""

    def __init__(self, file: str, text: str = ""):
        self.file, self.text = file, text
        self.inner: list[Property] = []  # inside the property that is being read

    def error(self, line: int, text: str) -> ZermeloError:
        return ModelError(f"{self.file}:{line}: {text}")

    def definition(self, item: Any, model: Model) -> bool:
        """Enter a definition that stands beside properties into the model; return whether this is one."""
        if item.data == "constant":
            constant = self.constant(item)
            _new(model.constants, constant.name, constant, self, constant.line)
        elif item.data == "label":
            self._label(item, model)
            if self.inner:
                raise self.error(item.meta.line, "a P or R in a label is not read; write it into the property")
        return item.data in ("constant", "label")

    # --- the whole ----------------------------------------------------------------------------------------------------

    def model(self, tree: Any) -> Model:
        kinds = [item for item in tree.children if item.data == "kind"]
        if not kinds:
            raise ModelError(f"{self.file}: the kind of model is missing: dtmc, mdp, smg or csg")
        if len(kinds) > 1:
            raise self.error(kinds[1].meta.line, "a second kind of model")
        kind = OLD_KINDS.get(str(kinds[0].children[0]), str(kinds[0].children[0]))
        if kind not in KINDS:
            raise self.error(kinds[0].meta.line, f"a {kind} {UNREAD_KINDS[kind]}; dtmc, mdp, smg and csg are read")
        model = Model(self.file, kind)
        renamings: list[tuple[int, Any]] = []
        for item in tree.children:
            line = item.meta.line if item.children else 0
            match item.data:
                case "kind":
                    pass
                case "constant":
                    constant = self.constant(item)
                    _new(model.constants, constant.name, constant, self, line)
                case "formula":
                    _new(model.formulas, str(item.children[0]), self.expr(item.children[1]), self, line)
                case "label":
                    self._label(item, model)
                case "global_variable":
                    self._variable(item.children[0], model)
                case "module":
                    model.modules.append(self._module(item, model))
                case "renaming":
                    renamings.append((len(model.modules) + len(renamings), item))
                case "rewards":
                    self._rewards(item, model)
                case "player":
                    model.players.append(self._player(item))
                case "init":
                    if model.initial is not None:
                        raise self.error(line, "a second `init`")
                    model.initial = self.expr(item.children[0])
                case "system":
                    raise self.error(line, "`system` is not read: modules run together on all labels that they share")
        for place, item in renamings:
            model.modules.insert(place, self._renamed(item, model))
        names = [m.name for m in model.modules]
        for module in model.modules:
            if names.count(module.name) > 1:
                raise self.error(module.line, f"there are two modules {module.name}")
        if not model.modules:
            raise ModelError(f"{self.file}: there is no module")
        self._check_owners(model)
        model.together = _together(model) if kind != "csg" else []
        if kind != "csg":
            self._check_at_once(model)
        return model

    def _check_owners(self, model: Model) -> None:
        """Check that modules set their own variables and global ones only. Raises `ModelError`."""
        owners = {name: module.name for module in model.modules for name in module.variables}
        for module in model.modules:
            for assignment in (a for c in module.commands for b in c.branches for a in b.assignments):
                if (owner := owners.get(assignment.name, module.name)) != module.name:
                    what = f"the module {module.name} sets {assignment.name}, a variable of {owner}"
                    raise self.error(assignment.line, f"{what}; a module may set its own variables and global ones")

    def _check_at_once(self, model: Model) -> None:
        """Check the constructs that only games with simultaneous choices have. Raises `ModelError`."""
        for command in (c for m in model.modules for c in m.commands):
            if len(command.labels) > 1:
                raise self.error(command.line, "a command of several labels belongs to games in which players choose at once (csg)")
            for value in (a.value for b in command.branches for a in b.assignments):
                if later := [n for n in names_in(value) if n.endswith("'")]:
                    what = "is read in games whose players choose at once (csg)"
                    raise self.error(command.line, f"{later[0]}, the value after the step, {what}")
        for item in (r for items in model.rewards.values() for r in items):
            if item.label and "," in item.label:
                raise self.error(item.line, "a reward of several labels belongs to games in which players choose at once (csg)")

    def _label(self, item: Any, model: Model) -> None:
        name, line = _text(item.children[0]), item.meta.line
        if name in GIVEN_LABELS:
            raise self.error(line, f'the label "{name}" has a meaning in every model; give this one another name')
        _new(model.labels, name, self.expr(item.children[1]), self, line)

    def constant(self, item: Any) -> Constant:
        children = list(item.children)
        kind = str(children.pop(0)) if getattr(children[0], "type", "") == "TYPE" else "int"
        kind = {"rate": "double", "prob": "double"}.get(kind, kind)
        value = self.expr(children[1]) if len(children) > 1 else None
        return Constant(str(children[0]), kind, value, item.meta.line)

    def _variable(self, item: Any, model: Model) -> str:
        name, line = str(item.children[0]), item.meta.line
        if item.data == "ranged":
            low, high, *rest = (self.expr(c) for c in item.children[1:])
            variable = Variable(name, low, high, rest[0] if rest else None, line)
        else:
            kind = str(item.children[1])
            if kind == "int":
                raise self.error(line, f"{name} has no range; write {name} : [low..high]")
            if kind != "bool":
                raise self.error(line, f"{name} is a {kind}; whole numbers with a range and truth values are read")
            variable = Variable(name, None, None, self.expr(item.children[2]) if len(item.children) > 2 else None, line)
        _new(model.variables, name, variable, self, line)
        return name

    # --- modules ------------------------------------------------------------------------------------------------------

    def _module(self, item: Any, model: Model) -> Module:
        names, commands = [], []
        for part in item.children[1:]:
            if part.data in ("ranged", "unranged"):
                names.append(self._variable(part, model))
            elif part.data == "command":
                commands.append(self._command(part))
            else:
                raise self.error(part.meta.line, "`invariant` belongs to models with clocks, which are not read")
        return Module(str(item.children[0]), tuple(names), tuple(commands), item.meta.line)

    def _command(self, item: Any) -> Command:
        *label, guard, updates = item.children
        labels = tuple(str(name) for name in label[0].children) if label else ()
        if updates.data == "sure":
            branches = [Branch(None, self._assignments(updates.children[0]))]
        else:
            pairs = zip(updates.children[::2], updates.children[1::2], strict=True)
            branches = [Branch(self.expr(p), self._assignments(u)) for p, u in pairs]
        return Command(",".join(labels), self.expr(guard), tuple(branches), item.meta.line, labels)

    def _assignments(self, item: Any) -> tuple[Assignment, ...]:
        found: list[Assignment] = []
        for part in item.children:
            name = str(part.children[0]).rstrip("'").strip()
            if name in [a.name for a in found]:
                raise self.error(part.meta.line, f"{name}' is set twice at once")
            found.append(Assignment(name, self.expr(part.children[1]), part.meta.line))
        return tuple(found)

    def _renamed(self, item: Any, model: Model) -> Module:
        """A copy of a module with other names; formulas that use a renamed name are copied, too."""
        new, old, *pairs = item.children
        line = item.meta.line
        base = next((m for m in model.modules if m.name == str(old)), None)
        if base is None:
            raise self.error(line, f"there is no module {old} (before this line) to be renamed")
        names: dict[str, str] = {}
        for pair in pairs:
            source, target = map(str, pair.children)
            if source in names:
                raise self.error(line, f"{source} is renamed twice")
            names[source] = target
        missing = [v for v in base.variables if v not in names]
        if missing:
            raise self.error(line, f"module {new} must rename {', '.join(missing)} of {base.name}")
        for formula in _touched(_used(base, model.formulas), names):
            copy = f"{formula}_{new}"
            while copy in model.formulas:
                copy += "_"
            names[formula] = copy
        for formula, copy in list(names.items()):
            if formula in model.formulas and copy not in model.formulas:
                model.formulas[copy] = renamed(model.formulas[formula], names)
        for name in base.variables:
            v = model.variables[name]
            low, high, initial = (renamed(e, names) if e is not None else None for e in (v.low, v.high, v.initial))
            _new(model.variables, names[name], Variable(names[name], low, high, initial, line), self, line)
        commands = tuple(
            Command(
                names.get(c.label, c.label),
                renamed(c.guard, names),
                tuple(
                    Branch(
                        renamed(b.probability, names) if b.probability is not None else None,
                        tuple(Assignment(names.get(a.name, a.name), renamed(a.value, names), line) for a in b.assignments),
                    )
                    for b in c.branches
                ),
                line,
                tuple(names.get(a, a) for a in c.labels),
            )
            for c in base.commands
        )
        return Module(str(new), tuple(names[v] for v in base.variables), commands, line)

    def _rewards(self, item: Any, model: Model) -> None:
        children = list(item.children)
        named = bool(children) and getattr(children[0], "type", "") == "QUOTED"
        name = _text(children.pop(0)) if named else str(len(model.rewards) + 1)
        items = []
        for part in children:
            *where, guard, value = part.children
            label = (",".join(map(str, where[0].children)) if where else "") if part.data == "step_reward" else None
            items.append(RewardItem(label, self.expr(guard), self.expr(value), part.meta.line))
        _new(model.rewards, name, items, self, item.meta.line if item.children else 0)

    def _player(self, item: Any) -> Player:
        name, *owned = item.children
        modules = tuple(str(o.children[0]) for o in owned if o.data == "owned_module")
        labels = tuple(str(o.children[0]) for o in owned if o.data == "owned_label")
        return Player(str(name), modules, labels, item.meta.line)

    # --- expressions --------------------------------------------------------------------------------------------------

    def expr(self, tree: Any) -> Expr:
        line = tree.meta.line if tree.children else 0
        if self.text and line:
            line = LineOf.numbered(line, self.file)
        match tree.data:
            case "number":
                text = str(tree.children[0])
                return Number(Fraction(text), not text.isdigit(), line)
            case "true" | "false":
                return Truth(tree.data == "true", line)
            case "name":
                return Name(str(tree.children[0]), line)
            case "label":
                return Label(_text(tree.children[0]), line)
            case "after":
                return Name(str(tree.children[0]), line)
            case "nested":
                return self._nested(tree.children[0])
            case "call":
                return self._call(str(tree.children[0]), [self.expr(c) for c in tree.children[1:]], line)
            case "compare" | "arithmetic":
                left, op, right = tree.children
                return Apply(str(op), (self.expr(left), self.expr(right)), line)
        op = {"choice": "?:", "implies": "=>", "iff": "<=>", "either": "|", "both": "&", "negation": "!", "minus": "neg"}[tree.data]
        return Apply(op, tuple(self.expr(c) for c in tree.children if hasattr(c, "data")), line)

    def _call(self, name: str, args: list[Expr], line: int) -> Expr:
        wanted = {"min": 0, "max": 0, "floor": 1, "ceil": 1, "round": 1, "pow": 2, "mod": 2, "log": 2}
        if name not in wanted:
            raise self.error(line, f"there is no function {name}")
        if wanted[name] and len(args) != wanted[name]:
            raise self.error(line, f"{name} takes {wanted[name]} argument{'s' * (wanted[name] > 1)}, not {len(args)}")
        return Apply(name, tuple(args), line)

    # --- properties ---------------------------------------------------------------------------------------------------

    def asked(self, tree: Any) -> Property:
        """A property, or a filter over states: the initial ones, all, or those where a condition holds."""
        if tree.data != "filter":
            return self.property(tree)
        op, asked, *states = tree.children
        found = self.property(asked.children[0]) if asked.data == "nested" else self._plain(asked)
        where = self.expr(states[0]) if states else Truth(True)
        inner, self.inner = (*found.inner, *self.inner), []
        wanted, is_threshold = OPERATORS.get(str(op)), found.relation != "=?"
        if wanted is None:
            raise self.error(tree.meta.line, f"there is no filter({op}, ...); there is {', '.join(OPERATORS)}")
        if wanted not in ("", THRESHOLD if is_threshold else NUMBER):
            said = "a threshold, as in P>=0.5" if wanted == THRESHOLD else "a number, as in P=?"
            if found.is_plain:
                said = "a property that begins with P or R, as in P=? [ F x=1 ]; conditions alone can be counted: filter(count, x=1)"
            raise self.error(tree.meta.line, f"filter({op}, ...) takes {said}")
        among = None if isinstance(where, Label) and where.name == "init" else where
        return replace(found, op=str(op), among=among, text=self._said(tree), inner=inner)

    def _plain(self, tree: Any) -> Property:
        """A condition on a state itself."""
        condition = self.expr(tree)
        inner, self.inner = tuple(self.inner), []
        text, line = self._said(tree), tree.meta.line
        return Property("P", "", ">=", Number(Fraction(1)), "until", condition, condition, text=text, is_plain=True, inner=inner, line=line)

    def _said(self, tree: Any) -> str:
        return " ".join(self.text[tree.meta.start_pos : tree.meta.end_pos].split())

    def _nested(self, tree: Any) -> Expr:
        """A property inside another: the name of the set of states in which it holds."""
        outer, self.inner = self.inner, []
        found = self.property(tree)
        self.inner = outer
        if found.relation == "=?":
            raise self.error(tree.meta.line, f"{found.text} is a number, and inside of a property it must be a threshold, as in P>=0.5")
        self.inner.append(found)
        return Name(found.text, tree.meta.line)

    def property(self, tree: Any) -> Property:
        *coalition, measure, path = tree.children
        line = tree.meta.line
        players = None
        if coalition:
            if coalition[0].data == "other_coalition":
                raise self.error(line, "[[...]] is not read; write <<...>> with the other players")
            players = tuple(str(m.children[0]) for m in coalition[0].children)
        head = str(measure.children[0])
        parts = {c.data: c for c in measure.children if hasattr(c, "data")}
        best = head[1:] or next((str(c) for c in measure.children[1:] if getattr(c, "type", "") == "BEST"), "")
        rewards = self._structure(parts["structure"]) if "structure" in parts else None
        bounds = parts.get("threshold")
        relation = str(bounds.children[0]) if bounds else "=?"
        bound = self.expr(bounds.children[1]) if bounds else None
        kind, left, right, low, high, within = self._path(path, head[0], line)
        inner, self.inner = tuple(self.inner), []
        return Property(
            head[0], best, relation, bound, kind, left, right, low, high, within, rewards, players, self._said(tree), inner=inner, line=line
        )

    def _structure(self, tree: Any) -> str:
        """The name of a reward structure, or # and its number."""
        found = tree.children[0]
        if getattr(found, "type", "") == "QUOTED":
            return _text(found)
        place = self.expr(found)
        if not (isinstance(place, Number) and not place.is_real):
            raise self.error(tree.meta.line, 'a reward structure is a name in quotation marks or a number, as in R{"time"}')
        return f"#{place.value}"

    def _path(self, tree: Any, measure: str, line: int) -> tuple[str, Expr, Expr, Expr | None, Expr | None, tuple[Within, ...]]:
        """Kind, left and right side, least and most steps, and bounds on rewards, from the text between [ and ]."""
        yes = Truth(True)
        kinds = {"next", "finally", "globally", "until", "weak", "release"}
        gains = {"finally", "finally_gathered", "finally_nothing", "total", "cumulative", "instant", "steady"}
        kind = str(tree.data)
        if kind not in (kinds if measure == "P" else gains):
            fits = "X, F, G, U, W, R" if measure == "P" else "F, C, C<=k, I=k"
            raise self.error(line, f"after {measure} there may be {fits}, and not this")
        if kind in ("steady", "finally_nothing"):
            what = LONG_RUN if kind == "steady" else TAKEN_BACK
            raise self.error(line, what)
        if kind == "total":
            return "total", yes, yes, None, None, ()
        if kind == "cumulative" and str(tree.children[0]) != "<=":
            raise self.error(line, f"C<=k is read, not C{tree.children[0]}k")
        if kind in ("cumulative", "instant"):
            return kind, yes, yes, None, self.expr(tree.children[-1]), ()
        sides = [self.expr(c) for c in tree.children if c.data != "within"]
        bounds = [b for c in tree.children if c.data == "within" for b in c.children]
        within = tuple(self._gathered(b) for b in bounds if _is_of_rewards(b))
        steps = [b for b in bounds if not _is_of_rewards(b)]
        if len(steps) > 1:
            raise self.error(line, "there are two bounds on the steps; write one, such as F[2,5]")
        low, high = self._within(steps[0], line) if steps else (None, None)
        if measure == "R":
            if bounds:
                raise self.error(line, "rewards until a goal with a bound on the steps or on rewards are not read; C<=k is")
            return "reach" if kind == "finally" else "reach_or_not", yes, sides[0], None, None, ()
        if kind == "next":
            return "next", yes, sides[0], None, None, ()
        if kind == "finally":
            return "until", yes, sides[0], low, high, within
        if kind == "globally":
            return "globally", yes, sides[0], low, high, within
        return kind, sides[0], sides[1], low, high, within

    def _gathered(self, tree: Any) -> Within:
        """A bound on rewards."""
        name = self._structure(tree.children[0])
        if tree.data == "between":
            return Within(name, self.expr(tree.children[1]), self.expr(tree.children[2]))
        sign, value = str(tree.children[1]), self.expr(tree.children[2])
        is_high, is_open = sign in ("<=", "<"), sign in ("<", ">")
        return Within(name, None if is_high else value, value if is_high else None, is_open and not is_high, is_open and is_high)

    def _within(self, tree: Any, line: int) -> tuple[Expr | None, Expr | None]:
        if tree.data == "between":
            return self.expr(tree.children[0]), self.expr(tree.children[1])
        sign, value = str(tree.children[0]), self.expr(tree.children[1])
        one = Number(Fraction(1))
        if sign == "<=":
            return None, value
        if sign == "<":
            return None, Apply("-", (value, one), line)
        return (value if sign == ">=" else Apply("+", (value, one), line)), None


def _is_of_rewards(bound: Any) -> bool:
    return bool(getattr(bound.children[0], "data", "") == "structure")


def _used(module: Module, formulas: dict[str, Expr]) -> dict[str, Expr]:
    """The formulas that a module uses, directly or through others."""
    waiting = {n for c in module.commands for n in names_in(c.guard)}
    for branch in (b for c in module.commands for b in c.branches):
        waiting |= {n for e in (branch.probability, *(a.value for a in branch.assignments)) if e is not None for n in names_in(e)}
    used: dict[str, Expr] = {}
    while waiting:
        name = waiting.pop()
        if name in formulas and name not in used:
            used[name] = formulas[name]
            waiting |= names_in(formulas[name])
    return used


def _touched(formulas: dict[str, Expr], names: dict[str, str]) -> list[str]:
    """The formulas in which a renamed name occurs, directly or through others."""
    touched: list[str] = []
    while True:
        known = {*names, *touched}
        more = [n for n, e in formulas.items() if n not in known and names_in(e) & known]
        if not more:
            return touched
        touched += more


def _together(model: Model) -> list[Together]:
    """The participants of each label: every module that has a command with it."""
    labels = dict.fromkeys(c.label for m in model.modules for c in m.commands if c.label)
    return [Together(a, tuple((m.name, a) for m in model.modules if any(c.label == a for c in m.commands))) for a in labels]

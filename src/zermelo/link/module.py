"""The text of a native module: the functions, constants and classes that the rules need, each once, and the template."""

from __future__ import annotations

import contextlib
import enum
import inspect
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import wraps
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.notices import notify
from zermelo.basics.syntax import parsed
from zermelo.basics.values import expression
from zermelo.errors import RulesError
from zermelo.language.members import COMPILED, Native, compiled_for
from zermelo.language.names import place
from zermelo.language.parameters import fields
from zermelo.language.readings import readings
from zermelo.language.rules import Rules
from zermelo.language.rules_text import function_text
from zermelo.language.source import plain
from zermelo.link.cache import TEMPLATES
from zermelo.link.constants import LIMIT, CannotCompile, OnlyInPython, as_built_in, flag_among, literal, uniform
from zermelo.link.kinds import FLOAT_FUNCTIONS
from zermelo.link.numbering import Shape, numbering_text, with_constants
from zermelo.link.rewrite import Rewriter, source_of
from zermelo.link.syntax import asking
from zermelo.link.tables import MANY, Table, are_keys, item_text, large_table
from zermelo.states.layout import Layout

NARROW = 1 << 31
BOARD_TEMPLATES = "board_rules.py", "board_check.py", "board_depth.py", "board_levels.py"
SPREAD_TEMPLATES = "board_rules.py", "board_spread.py"
Policies = tuple[Callable[[Any], Any] | None, Callable[[Any], Any] | None]

BARE = "no_cpython_wrapper=True"  # for functions that only kernels call: wrappers for Python take long to compile
HEAD = '''"""Written by Zermelo from the rules of {game}; the file's name is a hash of its text. It can be deleted at any time."""
import math
from collections import namedtuple
import numpy as np
from zermelo.basics.machine_code import njit
from zermelo.kernels.status import *
from zermelo.kernels import faithful as zermelo_faithful
from zermelo.kernels import support as zermelo_support
from zermelo.kernels.tables import hashed_place
from zermelo.kernels.prefetch import fetch, merge, pointer, replace
from zermelo.kernels.ranking import rank, unrank
from zermelo.kernels.twice import product_error, sum_error
inner = njit({bare})
inlined = njit({bare}, forceinline=True)
rule = njit({bare}, boundscheck=True, pipeline_class=zermelo_faithful.Faithful)
recursive = njit({bare}, plain=True, boundscheck=True, pipeline_class=zermelo_faithful.Faithful)
zermelo_exactly, zermelo_only_a = zermelo_support.exactly, zermelo_support.only_a
zermelo_tuple_of, zermelo_sorted_tuple, zermelo_place_of = zermelo_support.tuple_of, zermelo_support.sorted_tuple, zermelo_support.place_of
zermelo_replace_field, zermelo_replace_item = zermelo_support.replace_field, zermelo_support.replace_item
zermelo_constant_of, zermelo_second = zermelo_support.constant_of, zermelo_support.second
zermelo_kept, zermelo_dictionary_size = zermelo_support.kept, zermelo_support.dictionary_size
zermelo_never, zermelo_unchanged = zermelo_support.never, zermelo_support.unchanged
zermelo_in_order, zermelo_put_in_order = zermelo_support.in_order, zermelo_support.put_in_order
zermelo_next_state, zermelo_payoffs_of = zermelo_support.next_state, zermelo_support.payoffs_of
zermelo_gcd, zermelo_power_modulo = zermelo_support.gcd, zermelo_support.power_modulo
{checked}'''

CHECKED = (
    "absolute", "add", "as_state", "ceil", "contains", "eq", "floor", "floordiv", "ge", "gt", "iadd", "ifloordiv", "ilshift", "imod",
    "imul", "invert", "irshift", "isub", "le", "lshift", "lt", "mod", "mul", "narrow", "ne", "neg", "power", "rshift", "step", "sub",
    "total", "truediv", "trunc",
)  # fmt: skip
IMPORTED = "\n".join(
    [
        "from zermelo.kernels import checked as zermelo_checked",
        *(f"zermelo_{name} = zermelo_checked.{name}" for name in CHECKED),
        "zermelo_int, zermelo_round = zermelo_checked.to_int, zermelo_checked.to_round",
    ]
)

NO_ACTIONS = "@inner\ndef all_actions(game, s):\n    yield 0"
FIRST_ACTION = """@inner
def all_actions(game, s):
    settled = zermelo_rule_settled(game, s)
    for action in zermelo_rule_actions(game, s):
        yield action
        if settled:
            break"""
NO_OTHERS = """@inner
def zermelo_rule_other_actions(game, s):
    yield 0"""
CUT_ACTIONS = """@inner
def zermelo_is_cut(game, s):
    for bound in zermelo_rule_bounds(game, s):
        return True
    return False

@inner
def actions(game, s):
    if not zermelo_is_cut(game, s):
        for action in all_actions(game, s):
            yield action"""
JOINT_ACTIONS = """@inner
def actions(game, s):
    for action in zermelo_rule_actions(game, s):
        for other in zermelo_rule_other_actions(game, s):
            yield action, other

@njit(inline="always")
def outcomes(game, s, joint, layout):
    return zermelo_rule_outcomes(game, s, joint[0], joint[1], layout)"""
CUT_PAYOFF = """    for low, high in zermelo_rule_bounds(game, s):
        return (1.0 * high if game.zermelo_edge != 0 else 1.0 * low,)
"""
PLAYER = """    mover = zermelo_rule_player(game, s)
    if mover is None:
        return np.int64(-1)
    return np.int64(1 if mover == 1 else 0 if mover == 0 else -1)"""
EMIT = """@inner
def zermelo_emit3(w, p, s, game, layout):
    return w * 1.0, payoff_floats(p), canonical(game, s, layout), np.int64(1)

@inner
def zermelo_emit4(w, p, s, sign, game, layout):
    return w * 1.0, payoff_floats(p), canonical(game, s, layout), np.int64(sign if sign == 1 or sign == -1 else 0)"""


STAGED_EMIT = """@inner
def zermelo_emit3(w, p, s, game, layout):
    t, turns = zermelo_turned(game, zermelo_next_state(s, zermelo_no_state()))
    by = np.int64(turns)
    return w * 1.0, payoff_floats(p), slots_of(t), by if by == turns else -1, np.int64(zermelo_rule_stage(game, t))

@inner
def zermelo_emit4(w, p, s, sign, game, layout):  # PASS is refused: its ways are not a number
    return zermelo_emit3(w if sign == 1 else np.nan, p, s, game, layout)"""


NEXT_STATE = "    s = zermelo_next_state(state, zermelo_no_state())"
NO_STATES = """@inner
def {name}(game, s):
    for _ in range(0):
        yield s"""
BOARD_EMIT = """@inner
def zermelo_emit3(w, p, s, game, layout):
    return w * 1.0, payoff_floats(p), slots_of(s), np.int64(1)

@inner
def zermelo_emit4(w, p, s, sign, game, layout):
    return w * 1.0, payoff_floats(p), slots_of(s), np.int64(sign if sign == 1 or sign == -1 else 0)"""

MOST_KNOWN = 32  # texts of modules that are kept


class Written(NamedTuple):
    """A native module, as text, with the assumptions and messages of its machine code."""

    text: str
    places: list[tuple[str, str]]  # where it may stop: an expression of the rules, and "(rules.py line 23)"
    functions: dict[str, tuple[str, str]]  # functions, by their names in the module: their names in the rules, and their places
    is_narrow: bool  # numbers of states, and parameters, fit 32 bits
    words: tuple[int, ...]  # of the key, in which the slots of a state lie
    origins: dict[str, tuple[str, list[int]]]  # of these and of their parts: their file, and the line of every statement, or of all
    read: tuple[str, ...] = ()  # methods that read a text among the parameters: kernels receive their results


def _once(write: Callable[..., Written]) -> Callable[..., Written]:
    """The same, generated once for the same rules with the same parameters: it is needed to look up machine code, again to run it, and
    whenever the game is solved again."""
    found: OrderedDict[Any, Written] = OrderedDict()

    @wraps(write)
    def written(rules: Rules, layout: Layout, **more: Any) -> Written:
        key: tuple[Any, ...] = _same(rules), layout
        try:
            key = *key, *map(_same_policies, more.values())
            known = found.pop(key, None)
        except (TypeError, RulesError):  # a parameter that has no hash, such as a list; a policy without a source
            return write(rules, layout, **more)
        found[key] = known = known or write(rules, layout, **more)  # not read again: another thread may have taken it out
        if len(found) > MOST_KNOWN:
            found.popitem(last=False)
        return known

    return written


def _same(rules: Rules) -> tuple[Any, ...]:
    """What is the same for rules of which the same text is written: the code, too, which knows the lines that messages name. (Parameters
    that are equal may be of different types, which their text tells.)"""
    game = rules.game
    own = (plain(member) for cls in type(game).__mro__ for member in vars(cls).values())
    codes = tuple(member.__code__ for member in own if isinstance(member, FunctionType))
    return type(game), codes, rules.hash, game, repr(tuple(game)), rules.folded


def _same_policies(policies: Policies) -> tuple[Any, ...]:
    """What is the same for policies of which the same text is written: what they name may mean something else by now."""
    return policies, tuple(function_text(p) if isinstance(p, FunctionType) else "" for p in policies)


@_once
def module_text(rules: Rules, layout: Layout) -> Written:
    """The native module that finds the successors of given states. Raises `CannotCompile`."""
    module = Module(rules, layout, "explored")
    return module.written(module.text(), _own_actions(rules), *((TEMPLATES / name).read_text() for name in steps_templates(rules)))


def _own_actions(rules: Rules) -> str:
    return OWN_ACTIONS if rules.is_simultaneous else ""


def steps_templates(rules: Rules) -> list[str]:
    """The templates of this module."""
    return ["steps.py", *(["hidden_rules.py"] if rules.is_hidden else [])]


OWN_ACTIONS = """@inner
def own_actions(game, state):
    total = 0
    for _ in zermelo_rule_actions(game, state):
        total += 1
    return total

@inner
def one_is_idle(game, state):
    others = 0
    for _ in zermelo_rule_other_actions(game, state):
        others += 1
    return (own_actions(game, state) > 0) != (others > 0)"""


@_once
def steps_module_text(rules: Rules, layout: Layout) -> Written:
    """The same for the check of an answer: symmetric states are kept apart and listed; without symmetries it is the same
    module, whose machine code may exist already. Raises `CannotCompile`."""
    if not rules.folded:
        return module_text(rules, layout)
    module = Module(rules, layout, "explored", unfolded=True)
    templates = ((TEMPLATES / name).read_text() for name in ("steps.py", "images.py"))
    return module.written(module.text(), _own_actions(rules), module.symmetries(), *templates)


@_once
def staged_module_text(rules: Rules, layout: Layout) -> Written:
    """The native module that writes the equations of a stage. Raises `CannotCompile`."""
    module = Module(rules, layout, "staged")
    return module.written(module.text(), (TEMPLATES / "staged_rules.py").read_text())


@_once
def board_module_text(rules: Rules, layout: Layout, shape: Shape = ()) -> Written:
    """The native module that solves a board game backwards; `shape` : that of the only tables it is for. Raises `CannotCompile`."""
    return _board_text(rules, layout, BOARD_TEMPLATES, shape)


@_once
def spread_module_text(rules: Rules, layout: Layout, shape: Shape = ()) -> Written:
    """The native module that finds the predecessors and successors of positions of a board game; `shape` as before. Raises
    `CannotCompile`."""
    return _board_text(rules, layout, SPREAD_TEMPLATES, shape)


def _board_text(rules: Rules, layout: Layout, templates: Sequence[str], shape: Shape) -> Written:
    module = Module(rules, layout, "boards", shape=shape)
    texts = ((TEMPLATES / name).read_text() for name in templates)
    return module.written(module.text(), module.any_action(), *(with_constants(text, shape) for text in texts))


@_once
def entered_module_text(rules: Rules, layout: Layout, policies: Policies = (None, None)) -> Written:
    """The native module that solves these rules from the entries of stages. Raises `CannotCompile`.

    policies : the policies of player 0 and player 1, functions from a state to an action; None for a player who plays optimally."""
    module = Module(rules, layout, "entered")
    names = ["None" if policy is None else module.function_name(policy) for policy in policies]
    text = module.text()
    kept = "\n".join(f"POLICY_{k} = {name != 'None'}\npolicy_{k} = {name}" for k, name in enumerate(names))
    return module.written(text, kept, module.any_action(), (TEMPLATES / "entered_rules.py").read_text())


def why_not_written(rules: Rules, layout: Layout) -> str:
    """What in these rules can't be compiled, as far as it shows when they are written; "" if nothing does."""
    kinds = [module_text, *([staged_module_text] if rules.is_staged else []), *([entered_module_text] if rules.is_entered else [])]
    try:
        for write in [*kinds, *([board_module_text] if rules.ranked is not None else [])]:
            write(rules, layout)
    except OnlyInPython as error:
        notify(f"{rules.name} is solved by Python alone, and can't be large: {error}")
    except CannotCompile as error:
        return str(error)
    return ""


def is_narrow(layout: Layout) -> bool:
    """Whether every number that the layout holds fits 32 bits."""
    return all(low >= -NARROW and low + (1 << bits) <= NARROW for low, bits in zip(layout.low, layout.bits, strict=True))


def _is_small(value: Any, depth: int) -> bool:
    if depth == 0:
        return type(value) is int and -NARROW <= value < NARROW
    if depth == 1 and type(value) is tuple and set(map(type, value)) == {int}:  # perhaps a million of them
        return min(value) >= -NARROW and max(value) < NARROW
    return isinstance(value, tuple | list) and not hasattr(value, "_fields") and all(_is_small(v, depth - 1) for v in value)


class Module:
    """Collects everything that the rules need, and writes the text of the module. `unfolded` : next states have their
    own keys, instead of that of the representative of their orbit; `shape` : of the only tables of a board game that it is for."""

    def __init__(self, rules: Rules, layout: Layout, kind: Native, unfolded: bool = False, shape: Shape = ()):
        self.unfolded, self.shape = unfolded, shape
        self.rules, self.layout, self.kind = rules, layout, kind
        self.game, self.game_class = rules.game, type(rules.game)
        self.is_narrow = is_narrow(layout)
        self.pieces: list[str] = []
        self.constants: list[str] = []
        self.names: dict[int, str] = {}  # id of a Python object -> its name in the module
        self.alive: list[Any] = []  # references to those objects, so that their ids stay unique
        self.tables: dict[int, Table | None] = {}  # by the id of the tuple or list
        self.dictionaries: dict[int, tuple[Any, ...]] = {}  # constant ones, and sets, by their ids
        self.lookups: dict[tuple[int, int], str] = {}  # (id of a table, number of indexes) -> a function
        self.small: dict[tuple[int, int], bool] = {}  # (id of a table, number of indexes) -> whether these choose numbers of 32 bits
        self.game_is_passed_on = False  # to functions that are not its methods
        self.folds = 0  # helpers made from sum(...) and similar calls
        self.functions: dict[str, tuple[str, str]] = {}  # the same for functions, by their names here
        self.origins: dict[str, tuple[str, list[int]]] = {}  # of functions here, for messages of the compiler
        self.places: list[tuple[str, str]] = []  # where compiled rules may stop: the expression, and "(rules.py line 23)"
        self.rewriters: dict[int, Rewriter] = {}  # by the id of the function
        self.rewriting: list[int] = []  # ids of the functions that are being rewritten, each used by the one before it
        self.unnamed: dict[str, int] = {}  # of functions with arguments that must be named: how many need not be
        self.recursive: set[str] = set()  # names of functions that call themselves
        self.flag = flag_among(tuple(rules.game))  # the name of a class of IntFlags that the rules use
        self.returned: dict[int, str] = {}  # the kind of its results
        self.readings = readings(rules.game)  # methods that Python runs once
        self.read: list[str] = []  # those of them that machine code needs
        self.members = {id(plain(inspect.getattr_static(self.game_class, m, None))): m for m in reversed(COMPILED)}

    def text(self) -> str:
        self.class_name(self.layout.state_class)
        for member in compiled_for(self.kind):
            if callable(getattr(self.game_class, member, None)):
                name = self.function_name(inspect.getattr_static(self.game_class, member))
                if name != f"zermelo_rule_{member}":  # one function serves as several members
                    self.pieces.append(f"zermelo_rule_{member} = {name}")
        written, game_of = "".join(self.pieces), self._game_of()  # which may name classes that no method does
        if self.flag and "zermelo_invert(" in written:
            raise CannotCompile(f"`{self.flag}` is an IntFlag, of which `~` is not that of whole numbers: make it an IntEnum")
        parts = [
            HEAD.format(game=self.rules.name, checked=IMPORTED, bare=BARE),
            *(f"zermelo_math_{n} = zermelo_checked.of_math({n!r})" for n in FLOAT_FUNCTIONS if f"zermelo_math_{n}(" in written),
            *self._classes(),
            f"CHANCE = {self.rules.is_chance}",
            f"JOINT = {self.rules.is_simultaneous}",
            f"PAYOFFS = {len(self.rules.payoffs)}",
            game_of,
            self._slots_of_layout(),
            self._unpack(),
            self._pack(),
            self._payoff_floats(),
            self._no_state(),
            *self.constants,
            *self.pieces,
            *self._between(),
            *self._defaults(),
        ]
        return "\n\n".join(parts)

    def written(self, *parts: str) -> Written:
        return Written("\n\n".join(parts), self.places, self.functions, self.is_narrow, self.layout.words, self.origins, tuple(self.read))

    # names ---------------------------------------------------------------------------------------------------------------

    def class_name(self, cls: type) -> str:
        if id(cls) not in self.names:
            as_built_in(cls, cls is self.layout.state_class)
            self._enter(cls, f"zermelo_T{len(self.names)}_{cls.__name__}")
        return self.names[id(cls)]

    def function_name(self, function: Any) -> str:
        """The name in the module of a helper or method; its rewritten text is added on first use."""
        if isinstance(function, property):
            function = function.fget
        if isinstance(function, staticmethod):
            function = function.__func__
        if id(function) not in self.names:
            rewriter = self.rewriter(function)
            self.rewriting.append(id(function))
            name = f"rule_{rewriter.member}" if rewriter.member else f"f{len(self.names)}_{function.__name__}"
            self._enter(function, f"zermelo_{name}")
            if rewriter.by_name:
                self.unnamed[f"zermelo_{name}"] = len(rewriter.arguments) - rewriter.by_name
            code = function.__code__
            self.functions[f"zermelo_{name}"] = f"{function.__name__}(...)", place(code.co_filename, code.co_firstlineno)
            self.pieces.append(rewriter.text(self.names[id(function)]))
            self.rewriting.pop()
        elif id(function) in self.rewriting:  # it calls itself
            self.recursive |= {self.names[i] for i in self.rewriting[self.rewriting.index(id(function)) :]}
        return self.names[id(function)]

    def rewriter(self, function: Any) -> Rewriter:
        """The rewriter of a function of the rules; made once, so that it keeps the original source."""
        if id(function) not in self.rewriters:
            source = source_of(function)
            self.alive.append(function)
            self.rewriters[id(function)] = Rewriter(self, function, source, self.members.get(id(function), ""))
        return self.rewriters[id(function)]

    def returned_kind(self, function: Any) -> str:
        """Whether a function of the rules returns whole numbers, floats, or either (link/kinds.py)."""
        if id(function) not in self.returned:
            self.returned[id(function)] = ""  # in case it calls itself
            with contextlib.suppress(CannotCompile):  # reported where it is rewritten
                self.returned[id(function)] = self.rewriter(function).kinds.result
        return self.returned[id(function)]

    def place(self, text: str, where: str) -> int:
        """The number of a place of the rules at which machine code may stop."""
        self.places.append((text, where))
        return len(self.places) - 1

    def constant_name(self, value: Any, hint: str) -> str:
        if id(value) not in self.names:
            text = literal(uniform(value), hint, self.class_name)
            self._enter(value, f"zermelo_c{len(self.names)}_{hint}")
            self.constants.append(f"{self.names[id(value)]} = {text}")
        return self.names[id(value)]

    def read_name(self, name: str) -> str:
        """The field of the game, in machine code, that holds the numbers that this method reads."""
        if name not in self.read:
            self.read.append(name)
        return f"zermelo_read_{name}"

    # tables of many numbers -----------------------------------------------------------------------------------------------

    def table(self, value: Any) -> Table | None:
        """The arrays that hold this tuple or list, if it is a large table of numbers."""
        if id(value) not in self.tables:
            self.alive.append(value)
            self.tables[id(value)] = large_table(value)
        return self.tables[id(value)]

    def enter_table(self, value: tuple[int | float, ...]) -> None:
        """Keep these numbers in an array, however few they are."""
        self.alive.append(value)
        self.tables[id(value)] = Table((np.array(value),), None)

    # dictionaries and sets -------------------------------------------------------------------------------------------------

    def held(self, value: Any) -> tuple[Any, ...]:
        """A number for a constant dictionary or set, and what link/idioms.py, `Held`, names; None in place of keys of other kinds."""
        if id(value) not in self.dictionaries:
            self.alive.append(value)
            keys = sorted(value) if are_keys(value) else []
            found = {**value} if isinstance(value, dict) else dict.fromkeys(value)
            parts = np.array(keys, np.int64) if keys else None, tuple(found[k] for k in keys)
            self.dictionaries[id(value)] = len(self.dictionaries) + 1, *parts, tuple(value), tuple(found.values()), tuple(found.items())
        return self.dictionaries[id(value)]

    def is_small(self, value: Any, depth: int) -> bool:
        """Whether this many indexes, whatever their values, select a whole number of at most 32 bits from a constant."""
        if not isinstance(value, tuple | list) or hasattr(value, "_fields"):
            return False
        if (id(value), depth) not in self.small:
            self.alive.append(value)
            self.small[id(value), depth] = _is_small(value, depth)
        return self.small[id(value), depth]

    def lookup_name(self, value: Any, hint: str, depth: int) -> str | None:
        """The name of a function that indexes a large table with `depth` indexes; None if that gives too many numbers."""
        table = self.table(value)
        if table is None or table.size_below(depth) > MANY:
            return None
        if (id(value), depth) not in self.lookups:
            indexes = [f"i{k}" for k in range(depth)]
            items = [item_text(self.constant_name(a, hint), indexes, a.shape[depth:]) for a in table.arrays]
            row = items[0] if table.row_class is None else f"({', '.join(items)},)"
            if hasattr(table.row_class, "_fields"):
                cls = self.class_name(table.row_class)  # type: ignore[arg-type]
                state = self.class_name(self.layout.state_class)
                row = f"zermelo_as_state({cls}{row}, {state}, {self.place(hint, '')})"
            name = f"zermelo_t{len(self.lookups)}_{hint}"
            self.pieces.append(f"@rule\ndef {name}({', '.join(indexes)}):\n    return {row}")
            self.lookups[id(value), depth] = name
        return self.lookups[id(value), depth]

    def rows_name(self, value: Any, hint: str) -> str | None:
        """The generator of the items of a large table; None if these hold too many numbers."""
        lookup = self.lookup_name(value, hint, 1)
        if lookup is None or (id(value), -1) in self.lookups:
            return self.lookups.get((id(value), -1))
        self.lookups[id(value), -1] = f"{lookup}_all"
        self.pieces.append(f"@rule\ndef {lookup}_all():\n    for i in range({len(value)}):\n        yield {lookup}(i)")
        return f"{lookup}_all"

    def _enter(self, value: Any, name: str) -> None:
        self.names[id(value)] = name
        self.alive.append(value)

    def _no_state(self) -> str:
        numbers = (f"({f'{-LIMIT}, ' * n})" if n else f"{-LIMIT}" for n in self.layout.lengths)
        return f"@inner\ndef zermelo_no_state():\n    return {self.class_name(self.layout.state_class)}({', '.join(numbers)})"

    # the surroundings of the rules --------------------------------------------------------------------------------------------

    def _classes(self) -> list[str]:
        classes: list[Any] = [c for c in self.alive if isinstance(c, type)]
        return [f"{self.names[id(c)]} = namedtuple({c.__name__!r}, {c._fields!r})" for c in classes]

    def _game_of(self) -> str:
        parts: list[str] = []
        i, f = 0, 0
        is_known = bool(self.shape)  # the tables, and so the module, are for this game alone
        for field, value in zip(fields(self.game_class), self.game, strict=True):
            as_built_in(type(value))
            if isinstance(value, bool):
                parts, i = [*parts, str(value) if is_known else f"integers[{i}] != 0"], i + 1
            elif isinstance(value, int):
                number = f"np.int64({int(value)})" if is_known else f"integers[{i}]"
                parts, i = [*parts, f"zermelo_narrow({number})" if -NARROW <= value < NARROW else number], i + 1
            elif isinstance(value, float):
                parts, f = [*parts, f"floats[{f}]"], f + 1
            elif (self.table(value) or (isinstance(value, str) and self.read)) and not self.game_is_passed_on:
                parts.append("0")  # methods get it from elsewhere
            elif value is None:
                parts.append("None")
            elif isinstance(value, tuple | list | str):
                parts.append(literal(uniform(value), field.name, self.class_name))
            else:
                what = f"the parameter {field.name} = {expression(value)}"
                advice = ": make it an IntEnum or a StrEnum" if isinstance(value, enum.Enum) else ""
                raise OnlyInPython(f"{what} is neither a number, a text nor a tuple of numbers{advice}")
        names = self.game_class._fields
        if self._has("bounds"):  # which of them counts: 0 the lower one, 1 the upper one
            parts, names, i = [*parts, f"integers[{i}]"], (*names, "zermelo_edge"), i + 1
        for k, name in enumerate(self.read):
            before = "".join(f" + integers[{i + j}]" for j in range(k))
            parts.append(f"integers[{i + len(self.read)}{before} : {i + len(self.read)}{before} + integers[{i + k}]]")
            names = (*names, f"zermelo_read_{name}")
        return (
            f"T_game = namedtuple({self.game_class.__name__!r}, {names!r})\n\n"
            f"@inner\ndef game_of(integers, floats):\n    return T_game({', '.join(parts)})"
        )

    def _slots_of_layout(self) -> str:
        rows = (f"({''.join(f'numbers[{row}, {slot}], ' for slot in range(len(self.layout.bits)))})" for row in range(3))
        return f"@inner\ndef slots_of_layout(numbers):\n    return {', '.join(rows)}"

    def _unpack(self) -> str:
        parts, slot = [], 0
        for n in self.layout.lengths:
            if n:
                parts.append("(" + "".join(self._slot(slot + i) + ", " for i in range(n)) + ")")
            else:
                parts.append(self._slot(slot))
            slot += n or 1
        return f"@inner\ndef unpack(key, layout):\n    return {self.class_name(self.layout.state_class)}({', '.join(parts)})"

    def _slot(self, slot: int) -> str:
        word = "key" if self.layout.num_words == 1 else f"key[{self.layout.words[slot]}]"
        number = f"(({word} >> layout[1][{slot}]) & (layout[2][{slot}] - 1)) + layout[0][{slot}]"
        return f"zermelo_narrow({number})" if self.is_narrow else number

    def _pack(self) -> str:
        count = self.layout.num_words
        words = ["key"] if count == 1 else [f"word{w}" for w in range(count)]
        all_words, none = ("key", "np.int64(-1)") if count == 1 else (f"({', '.join(words)})", f"({'np.int64(-1), ' * count})")
        lines, slot = ["@inner", "def pack(state, layout):", NEXT_STATE, *(f"    {word} = np.int64(0)" for word in words)], 0
        for field, n in enumerate(self.layout.lengths):
            for i in range(n or 1):
                item = f"s[{field}][{i}]" if n else f"s[{field}]"
                lines += [
                    f"    x = np.int64({item}) - layout[0][{slot}]",
                    f"    if x < 0 or x >= layout[2][{slot}] or {item} != x + layout[0][{slot}]:",
                    f"        return {none}",
                    f"    {words[self.layout.words[slot]]} |= x << layout[1][{slot}]",
                ]
                slot += 1
        return "\n".join([*lines, f"    return {all_words}"])

    def _payoff_floats(self) -> str:
        count = len(self.rules.payoffs) if self.rules.has_several_payoffs else 0
        return f"@inner\ndef payoff_floats(p):\n    return zermelo_payoffs_of(p, {count})"

    def _canonical(self) -> str:
        lines = ["@inner", "def canonical(game, state, layout):", "    key = pack(state, layout)"]
        if self.rules.folded and not self.unfolded:
            lines += [NEXT_STATE, "    for t in zermelo_rule_symmetries(game, s):", "        other = pack(t, layout)"]
            lines += ["        if other < key:", "            key = other"]
        return "\n".join([*lines, "    return key"])

    def _between(self) -> list[str]:
        """The functions between rules and kernels: states and outcomes in the form that kernels use."""
        if self.kind == "staged":
            return [*self._slots(), *self._staged()]
        if self.kind == "boards":
            return [*self._slots(), *self._board()]
        return [self._canonical(), EMIT]

    def _slots(self) -> list[str]:
        """Functions that convert a state into an array or a tuple of its numbers, and back."""
        parts, names, slot = [], [], 0
        for field, n in enumerate(self.layout.lengths):
            slots = [f"x[{slot + i}]" for i in range(n or 1)]
            parts.append(f"({', '.join(slots)},)" if n else slots[0])
            names += [f"np.int64(s[{field}][{i}])" for i in range(n)] if n else [f"np.int64(s[{field}])"]
            slot += n or 1
        return [
            f"SLOTS_OF_STATE = {slot}",
            f"@inner\ndef state_of(x):\n    return {self.class_name(self.layout.state_class)}({', '.join(parts)})",
            f"@inner\ndef slots_of(state):\n{NEXT_STATE}\n    return ({', '.join(names)},)",
        ]

    def _staged(self) -> list[str]:
        """Functions for the template of stages: representatives, and outcomes."""
        turned = "zermelo_rule_turned(game, s)" if self._has("turned") else "s, 0"
        turned = turned if self.rules.seats or not self._has("turned") else f"{turned}[0], 0"
        return [f"@inner\ndef zermelo_turned(game, s):\n    return {turned}", STAGED_EMIT]

    def _board(self) -> list[str]:
        """Functions for the template of board games: numbers of a state, ranks of its parts; and which members exist."""
        return [
            f"HAS_PLAYER = {self._has('player')}",
            with_constants(numbering_text(self.rules.ranked.parts), self.shape),
            BOARD_EMIT,
            "parents = zermelo_rule_parents" if self._has("parents") else NO_STATES.format(name="parents"),
            self.symmetries(),
        ]

    def symmetries(self) -> str:
        return "symmetries = zermelo_rule_symmetries" if self._has("symmetries") else NO_STATES.format(name="symmetries")

    def any_action(self) -> str:
        """Whether a state has an action: `actions` up to its first `yield`, without the code after it."""
        name = self.function_name(inspect.getattr_static(self.game_class, "actions"))
        written = next(piece for piece in self.pieces if f"def {name}(" in piece)
        text, (file, lines) = asking(written, "any_action"), self.origins[name]
        end = len(parsed(text).body[0].body) - 1  # type: ignore[attr-defined]  # where a statement was added
        self.origins["any_action"] = file, [*lines[:end], lines[-1], *lines[end:]]
        return text

    def _has(self, member: str) -> bool:
        return callable(getattr(self.game_class, member, None))

    def _defaults(self) -> list[str]:
        player = PLAYER if self._has("player") else "    return 0"
        zeros = "(" + "0.0, " * len(self.rules.payoffs) + ")"
        final = "payoff_floats(zermelo_rule_payoff(game, s))" if self._has("payoff") else zeros
        actions = FIRST_ACTION if self._has("settled") else "all_actions = zermelo_rule_actions"
        is_cut = self._has("bounds")
        one_by_one = [
            "outcomes = zermelo_rule_outcomes",
            actions if self._has("actions") else NO_ACTIONS,
            CUT_ACTIONS if is_cut else "actions = all_actions",
        ]
        return [
            *([JOINT_ACTIONS] if self.rules.is_simultaneous else one_by_one),
            *([NO_OTHERS] if self.rules.is_hidden and not self.rules.is_simultaneous else []),
            f"@inner\ndef player(game, s):\n{player}",
            f"@inner\ndef final_payoff(game, s):\n{CUT_PAYOFF if is_cut else ''}    return {final}",
        ]

"""Checks of what a game is: its start, actions and outcomes, who moves and what is paid."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from zermelo.basics.words import counted
from zermelo.language.chances import CLOSE
from zermelo.language.checking.chances import Chances
from zermelo.language.checking.claims import Claims
from zermelo.language.checking.examination import Checks, Examination
from zermelo.language.checking.places import Places
from zermelo.language.checking.runner import FAILED, Yielded
from zermelo.language.checking.values import (
    BIG,
    SMALLEST,
    are_alike,
    are_plain,
    is_number,
    is_whole,
    number_fault,
    shape_words,
    short,
    show,
    state_fault,
)
from zermelo.language.inherited import field_faults
from zermelo.language.names import is_generated
from zermelo.language.rules import Joint, lengths
from zermelo.language.units import title_fault, unit_fault


class Play(Checks):
    """Checks of `start`, `actions`, `other_actions`, `outcomes`, `player`, `payoff` and `payoffs`."""

    def __init__(self, examination: Examination, claims: Claims, places: Places, chances: Chances):
        super().__init__(examination)
        self.claims, self.places, self.chances = claims, places, chances
        self.action_shapes: dict[str, tuple[type, int]] = {}  # of `actions` and of `other_actions`
        self.action_texts: dict[Any, str] = {}  # of actions that have been asked about

    def payoff_names(self) -> None:
        """Report `payoffs` that are no names."""
        if not self.rules.has_several_payoffs:
            return
        names = self.runner.call("payoffs", None, "") if callable(self.game.payoffs) else self.game.payoffs
        if names is FAILED:
            self.examination.broken.add("payoffs")
            return
        good = isinstance(names, tuple | list) and names and all(isinstance(n, str) for n in names)
        if not good or len(set(names)) < len(names):
            text = f'`payoffs` is {short(names)}: it must be a tuple of different names, such as payoffs = ("turns",)'
            self.faults.add(("payoffs",), text)
            self.examination.broken.add("payoffs")

    def payoff_unit(self) -> None:
        """Report a `payoff_unit` that is none."""
        declared = getattr(self.game, "payoff_unit", None)
        found = self.runner.call("payoff_unit", None, "") if callable(declared) else declared
        if found is not FAILED and (fault := unit_fault(found)):
            self.faults.add(("payoff_unit",), fault)

    def title(self) -> None:
        """Report a `title` that is none."""
        declared = getattr(self.game, "title", None)
        found = self.runner.call("title", None, "") if callable(declared) else declared
        if callable(declared) and found is None:
            where = self.runner.place_of("title")
            self.faults.add(("title",), f"`title` returns None: it must return a line of text, so write `return` {where}")
        elif found is not FAILED and (fault := title_fault(found)):
            self.faults.add(("title",), fault)

    def start(self) -> Any:
        """The first state, by which all others are judged; None if it is at fault."""
        if "start" in self.examination.broken:
            return None
        start = self.runner.call("start", None, "")
        if start is FAILED:
            return None
        fault = state_fault(start) if start is not None else "a state must be a NamedTuple: write `return State(...)`"
        if fault:
            self.faults.add(("start",), f"`start` returns {short(start)}: {fault}")
            return None
        again = self.runner.call("start", None, "")
        if again is not FAILED and repr(again) != repr(start):
            self.runner.changes_its_mind("start", "")
        for fault in field_faults(type(start)):
            self.faults.add(("fields", fault), fault)
        self.examination.start, self.examination.state_class, self.examination.lengths = start, type(start), lengths(start)
        return start

    def actions(self, state: Any) -> list[Any] | None:
        """The valid actions; None if the rules failed."""
        if self.claims.is_cut(state):
            return []
        if self.rules.is_chance:
            return [None]
        own = self._actions_of("actions", state)
        if own is None or not self.rules.is_simultaneous:
            return own[:1] if own and self.claims.is_settled(state) else own
        others = self._actions_of("other_actions", state)
        if others is None:
            return None
        if bool(own) != bool(others):
            name, idle = ("actions", "other_actions") if own else ("other_actions", "actions")
            text = f"`{name}` yields something at {show(state)} and `{idle}` nothing: where the play goes on and one of the two has"
            where = self.runner.place_of(idle)
            self.faults.add(
                ("action", "one of two"), f"{text} nothing to decide, yield one action for them, such as 0 {where}"
            )
        return [Joint(action, other) for action in own for other in others]

    def _actions_of(self, member: str, state: Any) -> list[Any] | None:
        """What `actions` or `other_actions` yields, as far as it is valid; None if it failed."""
        found = self.runner.yielded(member, state, "", state)
        if found is None:
            return None
        good: dict[Any, None] = {}
        for where in found:
            action = where.item
            fault = self._action_fault(member, action)
            if fault:
                text = f"`{member}` yields {short(action)} at {show(state)}: {fault} {where}"
                self.faults.add(("action", fault), text)
            elif action in good:
                text = f"`{member}` yields {short(action)} twice at {show(state)}: yield each action once {where}"
                self.faults.add(("action", "twice"), text)
            else:
                good[action] = None
        return list(good)

    def _action_fault(self, member: str, action: Any) -> str | None:
        items = action if isinstance(action, tuple) else (action,)
        if not items or not all(is_whole(i) for i in items):
            return "an action must be a whole number or a tuple of whole numbers"
        if any(abs(i) >= BIG for i in items):
            return "numbers in an action must be below 2^63"
        shape = (type(action), len(action)) if isinstance(action, tuple) else (int, 0)
        usual = self.action_shapes.setdefault(member, shape)
        if shape != usual:
            return f"other actions are {shape_words(usual)}; all actions of a game must have one shape: pad shorter ones with -1"
        return None

    def outcomes(self, state: Any, action: Any) -> list[Any] | None:
        """The states that follow with positive ways; None if the rules failed."""
        at = "" if action is None else f", action {self._with_name(action)}"
        if isinstance(action, Joint):
            at = f", actions {self._with_name(action.action)} and {self._with_name(action.other)}"
        arguments = self.runner.arguments(state, action)
        found = self.runner.yielded("outcomes", state, at, *arguments)
        if found is None:
            return None
        context = f"at {show(state)}{at}"
        are_plain = self._are_plain([y.item for y in found])
        checked = [self._outcome(y, context) if are_plain or self._fits(y, context, found) else None for y in found]
        if not found and not self.rules.is_chance:
            text = f"`outcomes` yields nothing {context}: an action needs at least one outcome"
            self.faults.add(("outcomes", "none"), text)
        if None in checked:
            return [c[1] for c in checked if c is not None and c[0] > 0]
        good = [c for c in checked if c is not None]
        happening = [(y.item, y) for y in found if y.item[0] > 0]
        if happening:
            ways, signs = [o[0] for o, _ in happening], [o[3] for o, _ in happening if len(o) > 3]
            self.examination.signs.outcomes(ways, signs, context, happening[0][1])
            if self.has("player"):
                passed = ((o[2], y) for o, y in happening if o[3:] == (-1,))
                self.examination.signs.passed += [(state, successor, f"{context} {y}") for successor, y in passed]
        if good and sum(ways for ways, _ in good) <= 0:
            over = "; yield nothing where the play is over" if self.rules.is_chance else ""
            total = sum(ways for ways, _ in good)
            text = f"the ways sum to {total} {context}: at least one outcome needs positive ways{over}"
            self.faults.add(("ways", "sum"), text)
        return [successor for ways, successor in good if ways > 0]

    def _with_name(self, action: Any) -> str:
        """An action as written in Python, with its name if the game has names of actions: "1 (draw)"."""
        if action not in self.action_texts:
            name = ""
            if hasattr(self.game, "action_name"):
                with suppress(Exception, SystemExit):  # names are for people: a fault there is not a fault of the rules
                    name = str(self.game.action_name(action))
            text = short(action)
            self.action_texts[action] = f"{text} ({name})" if name not in ("", text) else text
        return self.action_texts[action]

    def _are_plain(self, items: list[Any]) -> bool:
        """Whether all of these outcomes are seen at a glance to be without fault."""
        if {*map(type, items)} != {tuple} or not {*map(len, items)} <= {3, 4} or "payoffs" in self.examination.broken:
            return False
        ways, payoffs, states = zip(*(item[:3] for item in items), strict=True)
        signs = [item[3] for item in items if len(item) > 3]
        paid = (0,) * len(self.rules.payoffs) if self.rules.has_several_payoffs else 0
        return (
            are_alike(ways, 0) and min(ways) >= 0 and are_alike(payoffs, paid) and are_plain(states, self.examination.start)
            and (not signs or are_alike(signs, 1) and {1, -1}.issuperset(signs))
        )  # fmt: skip

    def _fits(self, where: Yielded, context: str, among: list[Yielded]) -> bool:
        """Whether an outcome, one of these, is without fault."""
        item = where.item
        wanted = "`yield ways, payoff, State(...)`, with KEEP or PASS as a fourth where the other player moves next"
        is_state = self.examination.state_class is not None and isinstance(item, self.examination.state_class)
        if not isinstance(item, tuple | list) or is_state or len(item) not in (3, 4):
            is_row = isinstance(item, tuple | list)
            count = "a state" if is_state else f"{len(item)} elements" if is_row else short(item)
            self.faults.add(("outcome", "size"), f"`outcomes` yields {count} {context}: write {wanted} {where}")
            return False
        ways, payoff, successor = item[:3]
        sign = item[3] if len(item) > 3 else 1
        before = sum(self.faults.more.values()) + len(self.faults.texts)
        self._ways(ways, context, where, among)
        self._payoff(payoff, "an outcome", context, where)
        if not is_number(sign) or sign not in (1, -1):
            text = f"the fourth element of an outcome is {short(sign)} {context}: it must be +1 (KEEP) or -1 (PASS)"
            self.faults.add(("sign",), f"{text} {where}")
        self.is_state_of_game(successor, "the next state", context, where)
        return before == sum(self.faults.more.values()) + len(self.faults.texts)

    def _outcome(self, where: Yielded, context: str) -> tuple[Any, Any]:
        """(ways, next state) of an outcome without fault."""
        ways, payoff, successor, *sign = where.item
        if ways > 0:
            self.examination.in_ranges(successor, f"the next state {context}", where)
            self.places.inside(successor, f"the next state {context}")
            self.chances.outcome(payoff, successor, sign[0] if sign else 1, context)
        return ways, successor

    def _ways(self, ways: Any, context: str, where: Yielded, among: list[Yielded]) -> None:
        fault = number_fault(ways)
        if not fault and 0 < ways < SMALLEST:
            fault = f"ways must be 0, or {SMALLEST:g} or more: multiply all ways of the action"
        if isinstance(ways, Fraction):
            fault = "give ways as whole numbers: multiply by the common denominator"
        if fault:
            self.faults.add(("ways", fault), f"the ways are {short(ways)} {context}: {fault} {where}")
        elif ways < 0 and is_generated(self.game):
            total = sum(y.item[0] for y in among if str(y) == str(where))  # of the same command
            of = f"({where.written()}) / {short(total)}" if where.written() and abs(total - 1) > CLOSE else where.written()
            text = f"a probability is {float(ways / total if total > 0 else ways):.6g} {context}{': ' if of else ''}{of}"
            self.faults.add(("ways", "negative"), f"{text} {where}")
        elif ways < 0:
            text = f"the ways are {short(ways)} {context}: ways can't be negative; yield 0 where it can't happen"
            self.faults.add(("ways", "negative"), f"{text} {where}")

    def _payoff(self, payoff: Any, of: str, context: str, where: Yielded | str) -> None:
        """The payoff of an outcome or of a finished position: one number, or one for each name in `payoffs`."""
        if "payoffs" in self.examination.broken:
            return
        names = self.rules.payoffs
        if self.rules.has_several_payoffs and (not isinstance(payoff, tuple) or len(payoff) != len(names)):
            wanted = f"`payoffs` has {counted(len(names), 'name')}, so it must be a tuple of {counted(len(names), 'number')}"
            wanted += ", such as (0,)" if len(names) == 1 else ""
            text = f"the payoff of {of} is {short(payoff)} {context}: {wanted} {where}"
            self.faults.add(("payoff", of, "length"), text)
            return
        for value in payoff if self.rules.has_several_payoffs else (payoff,):
            fault = number_fault(value)
            if fault and isinstance(value, tuple):
                fault = "it must be one number; name the payoffs in `payoffs` to have several"
            if fault:
                text = f"the payoff of {of} is {short(value)} {context}: {fault} {where}"
                self.faults.add(("payoff", of, fault), text)

    def mover(self, state: Any, is_final: bool, has_choice: bool) -> None:
        """Report what `player` says where play goes on, and what `payoff` says where it is over."""
        if is_final and self.has("payoff") and not self.claims.is_cut(state):
            value = self.runner.call("payoff", state, "", state)
            if value is not FAILED:
                self._payoff(value, "a finished position", f"at {show(state)}", self.runner.place_of("payoff"))
                self.chances.final(state, value)
        elif is_final and not self.claims.is_cut(state):
            self.chances.final(state, 0)
        if not is_final and self.has("player"):
            player = self.runner.call("player", state, "", state)
            if player is not FAILED and not (is_whole(player) and player in (0, 1)):
                text = f"`player` returns {short(player)} at {show(state)}: it must be 0 (maximises) or 1 (minimises)"
                self.faults.add(("player",), f"{text} {self.runner.place_of('player')}")
            elif player is not FAILED:
                self.examination.signs.movers[state] = int(player)
                self.examination.signs.choosers |= {int(player)} if has_choice else set()
        elif has_choice and not is_final:
            self.examination.signs.choosers.add(0)

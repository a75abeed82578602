"""The checker: runs rules interpreted on a sample of states and reports every fault it finds, in the user's words.

The sample is found breadth first from the start, then by a few random plays to the end (seed 0), so that deep states
are seen too. A fault of a kind is reported once, with the first state at which it showed. Standard library only.
"""

from __future__ import annotations

import inspect
import itertools
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.language.checking.joint import JOINT_HINT, joint_faults
from zermelo.language.checking.runner import FAILED, Runner, Yielded
from zermelo.language.checking.source import Kind, misspelt, source_faults
from zermelo.language.checking.values import (
    BIG,
    SMALLEST,
    is_box,
    is_number,
    is_whole,
    number_fault,
    shape_words,
    short,
    show,
    state_fault,
)
from zermelo.language.rules import Joint, Rules, lengths, read
from zermelo.language.source import STAGED

STATES = 300  # states examined, two thirds of them breadth first
SECONDS = 0.01  # and time for it; the first FEWEST states are examined in any case
FEWEST = 50
LONGEST = 1.0  # seconds after which the sample ends whatever was seen
PLAYS, STEPS = 3, 1000
TWICE = 8  # states at which the rules are run twice
MIRRORED = 8  # states whose mirror image is compared with them
TAKEN_BACK = 12  # states whose moves are taken back
ARGUMENTS = dict.fromkeys(
    (
        "actions",
        "other_actions",
        "player",
        "payoff",
        "stage",
        "symmetries",
        "settled",
        "show",
        "urn",
        "bounds",
        "turned",
        "parents",
        "asks",
    ),
    ("self", "s"),
) | {
    "start": ("self",),
    "space": ("self",),
    "seats": ("self",),
    "entries": ("self",),
    "outcomes": ("self", "s", "action"),
    "action_name": ("self", "action"),
    "why_not": ("self", "s", "action"),
}
Lottery = tuple[tuple[Fraction, Fraction, tuple[int, int]], ...]


def urn_actions(plus: int, minus: int) -> list[Lottery]:
    """The two actions at an urn of balls that pay 1 and balls that cost 1: stop, or draw; none if it is empty."""
    if plus + minus == 0:
        return []
    draws = ((plus, 1, (plus - 1, minus)), (minus, -1, (plus, minus - 1)))
    drawn = tuple(sorted((Fraction(n, plus + minus), Fraction(pays), urn) for n, pays, urn in draws if n))
    return [((Fraction(1), Fraction(0), (0, 0)),), drawn]


class Sample(NamedTuple):
    """What the checker has seen of a game without faults."""

    states: list[Any]  # distinct states that were examined, the start first


def check(game: Any, states: int = STATES, seconds: float = SECONDS) -> Sample:
    """Examine about `states` states of the game, for about `seconds`; raise `RulesError` with all faults found."""
    try:
        rules = read(game)
    except RulesError as error:
        raise RulesError(error.game, error.faults + [text for _, text in misspelt(game)]) from None
    checker = _Checker(rules, states, seconds)
    checker.run()
    if checker.faults.texts:
        raise RulesError(rules.name, checker.faults.all())
    return Sample(list(checker.next_states))


def check_states(game: Any, states: Iterable[Any]) -> None:
    """Examine these states of a game that `check` found no fault with; raise `RulesError` with all faults found."""
    checker = _Checker(read(game), STATES, SECONDS)
    checker.examine(states)
    if checker.faults.texts:
        raise RulesError(checker.rules.name, checker.faults.all())


class _Checker:
    def __init__(self, rules: Rules, states: int, seconds: float):
        self.rules, self.game = rules, rules.game
        self.most_states, self.seconds = states, seconds
        self.began = time.perf_counter()
        self.runner = Runner(rules)
        self.faults = self.runner.faults
        self.mirrored = 0
        self.broken: set[str] = set()  # members that can't be called as they should
        self.state_class: Any = None
        self.box: Any = None  # the declared space
        self.lengths: tuple[int, ...] = ()
        self.action_shapes: dict[str, tuple[type, int]] = {}  # of `actions` and of `other_actions`
        self.next_states: dict[Any, list[Any]] = {}  # per examined state, in order

    def run(self) -> None:
        for kind, text in itertools.chain(misspelt(self.game), self._callable_members()):
            self.faults.add(kind, text)
        self._payoff_names()
        for other in ("player", "payoff", "payoffs", "settled", "bounds", "symmetries", "space"):
            if self._has("urn") and hasattr(self.game, other):
                text = f"`urn` and `{other}` do not go together: an urn has one player, who draws or stops, and no more to it"
                self.faults.add(("urn", other), text)
        for other, why in (("payoffs", "of one payoff only"), ("settled", "where play is not cut off, and not both")):
            if self._has("bounds") and hasattr(self.game, other):
                self.faults.add(("bounds", other), f"`bounds` and `{other}` do not go together: bounds are {why}")
        for member, kind, text in joint_faults(self.rules):
            self.faults.add(kind, text)
            self.broken.add(member)
        start = self._start()
        if start is not None:
            self.box = self._space()
            self._inside(start, "the start")
            if not {"actions", "other_actions", "outcomes"} & self.broken:
                self._breadth_first(start)
                self._random_plays(start)
        for kind, text in list(source_faults(self.game, self.state_class)):
            if kind not in self.faults.texts:
                self.faults.add(kind, text)

    def examine(self, states: Iterable[Any]) -> None:
        if self._start() is not None:
            self.box = self._space()
        for state in states:
            self._examined(state)

    # --- the members as a whole --------------------------------------------------------------------------------------

    def _callable_members(self) -> Iterator[tuple[Kind, str]]:
        for name, arguments in ARGUMENTS.items():
            member = getattr(self.game, name, None)
            if member is None or (name in STAGED and not (self.rules.is_staged or self.rules.is_entered)):
                continue
            if name == "outcomes" and (self.rules.is_chance or self.rules.is_simultaneous):
                arguments = ("self", "s") if self.rules.is_chance else ("self", "s", "action", "other")
            if name == "space" and self._has("stage") and self.rules.is_staged:
                arguments = ("self", "stage")
            wanted = f"`def {name}({', '.join(arguments)})`"
            if not callable(member):
                what = "a parameter" if name in self.game._fields else "a value"
                self.broken.add(name)
                yield ("member", name), f"`{name}` is {what}, but the name stands for a method {wanted}: rename it"
            elif not _takes(member, len(arguments) - 1):
                self.broken.add(name)
                is_chance = name == "outcomes" and self.rules.is_chance
                hint = " (a game without `actions` is pure chance)" if is_chance else ""
                hint = JOINT_HINT if name == "outcomes" and self.rules.is_simultaneous else hint
                yield ("member", name), f"`{name}` must be written {wanted}{hint}, not `def {name}{_signature(member)}`"

    def _has(self, member: str) -> bool:
        return hasattr(self.game, member) and member not in self.broken

    def _payoff_names(self) -> None:
        if not self.rules.has_several_payoffs:
            return
        names = self.runner.call("payoffs", None, "") if callable(self.game.payoffs) else self.game.payoffs
        if names is FAILED:
            self.broken.add("payoffs")
            return
        good = isinstance(names, tuple | list) and names and all(isinstance(n, str) for n in names)
        if not good or len(set(names)) < len(names):
            text = f'`payoffs` is {short(names)}: it must be a tuple of different names, such as payoffs = ("turns",)'
            self.faults.add(("payoffs",), text)
            self.broken.add("payoffs")

    def _start(self) -> Any:
        if "start" in self.broken:
            return None
        start = self.runner.call("start", None, "")
        if start is FAILED:
            return None
        fault = state_fault(start)
        if fault:
            self.faults.add(("start",), f"`start` returns {short(start)}: {fault}")
            return None
        self.state_class, self.lengths = type(start), lengths(start)
        return start

    # --- the sample --------------------------------------------------------------------------------------------------

    def _goes_on(self, share: float) -> bool:
        spent, seen = time.perf_counter() - self.began, len(self.next_states)
        if spent > LONGEST or self.runner.is_endless or seen >= share * self.most_states:
            return False
        return seen < share * FEWEST or spent < share * self.seconds

    def _is_late(self) -> bool:
        return time.perf_counter() - self.began > LONGEST

    def _breadth_first(self, start: Any) -> None:
        waiting, seen = deque([start]), {start}
        while waiting and self._goes_on(2 / 3):
            for successor in self._examined(waiting.popleft()):
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)

    def _random_plays(self, start: Any) -> None:
        dice = random.Random(0)
        for _ in range(PLAYS):
            state = start
            for _ in range(STEPS):
                if state not in self.next_states and not self._goes_on(1):
                    break
                successors = self._examined(state)
                if not successors:
                    break
                state = dice.choice(self._preferred(successors))

    def _preferred(self, successors: list[Any]) -> list[Any]:
        """States not yet seen, else those from which play goes on, else any."""
        unseen = [s for s in successors if s not in self.next_states]
        return unseen or [s for s in successors if self.next_states[s]] or successors

    def _examined(self, state: Any) -> list[Any]:
        """The states that can follow; all that the rules say at `state` is checked when it is seen first."""
        if state not in self.next_states:
            self.next_states[state] = []
            self.next_states[state] = self._examine(state)
        return self.next_states[state]

    def _examine(self, state: Any) -> list[Any]:
        actions = self._actions(state)
        successors: list[Any] = []
        is_final = not actions and actions is not None
        for action in actions or []:
            found = self._outcomes(state, action)
            is_final |= self.rules.is_chance and found == []
            successors += [s for s in found or [] if s not in successors[-8:]]
            if self._is_late() or self.runner.is_endless:
                break
        self._mover(state, is_final)
        self._stages(state, successors)
        self._symmetries(state)
        self._parents(state, successors)
        self._urn(state, actions or [])
        if len(self.next_states) <= TWICE:
            self.runner.same_twice(state, actions or [])
            self._texts(state, actions or [])
        return successors

    def _texts(self, state: Any, actions: list[Any]) -> None:
        single = [a for joint in actions for a in (joint if isinstance(joint, Joint) else (joint,)) if a is not None]
        calls = [
            ("show", (state,)),
            ("asks", (state,)),
            *(("action_name", (action,)) for action in dict.fromkeys(single)),
        ]
        for member, arguments in calls:
            if self._has(member):
                self.runner.call(member, state, "", *arguments)

    # --- what rules say at one state ---------------------------------------------------------------------------------

    def _actions(self, state: Any) -> list[Any] | None:
        """The valid actions; None if the rules failed."""
        if self._is_cut(state):
            return []
        if self.rules.is_chance:
            return [None]
        own = self._actions_of("actions", state)
        if own is None or not self.rules.is_simultaneous:
            return own[:1] if own and self._is_settled(state) else own
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

    def _is_cut(self, state: Any) -> bool:
        """Whether the game cuts play off here; its bounds are checked."""
        if not self._has("bounds"):
            return False
        found = self.runner.yielded("bounds", state, "", state) or []
        for where in found:
            pair, wanted = where.item, "yield one pair of numbers, the lower bound first, where play is cut off"
            good = isinstance(pair, tuple) and len(pair) == 2 and not any(map(number_fault, pair))
            if not good or pair[0] > pair[1] or len(found) > 1:
                text = (
                    f"`bounds` yields {', '.join(short(w.item) for w in found[:3])} at {show(state)}: {wanted} {where}"
                )
                self.faults.add(("bounds",), text)
        return bool(found)

    def _is_settled(self, state: Any) -> bool:
        """Whether the game claims that its first action is best here; then play is not followed any further."""
        if not self._has("settled"):
            return False
        answer = self.runner.call("settled", state, "", state)
        if answer is not FAILED and not isinstance(answer, bool):
            text = f"`settled` returns {short(answer)} at {show(state)}: it must return True or False"
            self.faults.add(("settled", "bool"), f"{text} {self.runner.place_of('settled')}")
        return answer is True

    def _action_fault(self, member: str, action: Any) -> str | None:
        items = action if isinstance(action, tuple) else (action,)
        if not items or not all(is_whole(i) for i in items):
            return "an action must be a whole number or a tuple of whole numbers"
        if any(abs(i) >= BIG for i in items):
            return "numbers in an action must be below 2^63"
        shape = (type(action), len(action)) if isinstance(action, tuple) else (int, 0)
        usual = self.action_shapes.setdefault(member, shape)
        if shape != usual:
            return f"other actions are {shape_words(usual)}; all actions of a game must have one shape"
        return None

    def _outcomes(self, state: Any, action: Any) -> list[Any] | None:
        """The states that follow with positive ways; None if the rules failed."""
        at = "" if action is None else f", action {short(action)}"
        if isinstance(action, Joint):
            at = f", actions {short(action.action)} and {short(action.other)}"
        arguments = self.runner.arguments(state, action)
        found = self.runner.yielded("outcomes", state, at, *arguments)
        if found is None:
            return None
        context = f"at {show(state)}{at}"
        checked = [self._outcome(y, context) for y in found]
        if not found and not self.rules.is_chance:
            text = f"`outcomes` yields nothing {context}: an action needs at least one outcome"
            self.faults.add(("outcomes", "none"), text)
        if None in checked:
            return [c[1] for c in checked if c is not None and c[0] > 0]
        good = [c for c in checked if c is not None]
        if good and sum(ways for ways, _ in good) <= 0:
            over = "; yield nothing where the play is over" if self.rules.is_chance else ""
            total = sum(ways for ways, _ in good)
            text = f"the ways sum to {total} {context}: at least one outcome needs positive ways{over}"
            self.faults.add(("ways", "sum"), text)
        return [successor for ways, successor in good if ways > 0]

    def _outcome(self, where: Yielded, context: str) -> tuple[Any, Any] | None:
        """(ways, next state), or None if the outcome is at fault in any way."""
        item = where.item
        wanted = "`yield ways, payoff, State(...)`, with KEEP or PASS as a fourth where the other player moves next"
        is_state = self.state_class is not None and isinstance(item, self.state_class)
        if not isinstance(item, tuple | list) or is_state or len(item) not in (3, 4):
            is_row = isinstance(item, tuple | list)
            count = "a state" if is_state else f"{len(item)} elements" if is_row else short(item)
            self.faults.add(("outcome", "size"), f"`outcomes` yields {count} {context}: write {wanted} {where}")
            return None
        ways, payoff, successor = item[:3]
        sign = item[3] if len(item) > 3 else 1
        before = sum(self.faults.more.values()) + len(self.faults.texts)
        self._ways(ways, context, where)
        self._payoff(payoff, "an outcome", context, where)
        if not is_number(sign) or sign not in (1, -1):
            text = f"the fourth element of an outcome is {short(sign)} {context}: it must be +1 (KEEP) or -1 (PASS)"
            self.faults.add(("sign",), f"{text} {where}")
        self._successor(successor, "the next state", context, where)
        fits = before == sum(self.faults.more.values()) + len(self.faults.texts)
        if fits and ways > 0:
            self._inside(successor, f"the next state {context}")
        return (ways, successor) if fits else None

    def _ways(self, ways: Any, context: str, where: Yielded | str) -> None:
        fault = number_fault(ways)
        if not fault and 0 < ways < SMALLEST:
            fault = f"ways must be 0, or {SMALLEST:g} or more: multiply all ways of the action"
        if isinstance(ways, Fraction):
            fault = "give ways as whole numbers: multiply by the common denominator"
        if fault:
            self.faults.add(("ways", fault), f"the ways are {short(ways)} {context}: {fault} {where}")
        elif ways < 0:
            text = f"the ways are {short(ways)} {context}: ways can't be negative; yield 0 where it can't happen"
            self.faults.add(("ways", "negative"), f"{text} {where}")

    def _payoff(self, payoff: Any, of: str, context: str, where: Yielded | str) -> None:
        """The payoff of an outcome or of a finished position: one number, or one for each name in `payoffs`."""
        if "payoffs" in self.broken:
            return
        names = self.rules.payoffs
        if self.rules.has_several_payoffs and (not isinstance(payoff, tuple) or len(payoff) != len(names)):
            wanted = f"`payoffs` has {len(names)} names, so it must be a tuple of {len(names)} numbers"
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

    def _successor(self, state: Any, what: str, context: str, where: Yielded | str) -> bool:
        """Report a state whose class or shape is not that of the start."""
        fault = state_fault(state)
        if self.state_class is not None and type(state) is not self.state_class:
            fault = f"write {self.state_class.__name__}(...), as `start` does"
        elif not fault and lengths(state) != self.lengths:
            names = (n for n, a, b in zip(state._fields, lengths(state), self.lengths, strict=True) if a != b)
            fault = f"the length of `{next(names)}` must be the same in every state; pad it, for instance with -1"
        if fault:
            self.faults.add(("state", what, fault), f"{what} is {short(state)} {context}: {fault} {where}")
        return not fault

    def _mover(self, state: Any, is_final: bool) -> None:
        if is_final and self._has("payoff") and not self._is_cut(state):
            value = self.runner.call("payoff", state, "", state)
            if value is not FAILED:
                self._payoff(value, "a finished position", f"at {show(state)}", self.runner.place_of("payoff"))
        if not is_final and self._has("player"):
            player = self.runner.call("player", state, "", state)
            if player is not FAILED and not (is_whole(player) and player in (0, 1)):
                text = f"`player` returns {short(player)} at {show(state)}: it must be 0 (maximises) or 1 (minimises)"
                self.faults.add(("player",), f"{text} {self.runner.place_of('player')}")

    def _stages(self, state: Any, successors: list[Any]) -> None:
        if not self._has("stage"):
            return
        stage = self._stage(state)
        for successor in successors if stage is not None else []:
            later = self._stage(successor)
            if later is not None and later < stage:
                text = f"`stage` falls from {stage} at {show(state)} to {later} at {show(successor)}"
                where = self.runner.place_of("stage")
                self.faults.add(("stage", "falls"), f"{text}: it must never fall along play {where}")

    def _stage(self, state: Any) -> Any:
        stage = self.runner.call("stage", state, "", state)
        if stage is FAILED:
            return None
        if not is_whole(stage):
            text = f"`stage` returns {short(stage)} at {show(state)}: it must be a whole number"
            self.faults.add(("stage", "number"), f"{text} {self.runner.place_of('stage')}")
            return None
        return stage

    def _urn(self, state: Any, actions: list[Any]) -> None:
        """What `urn` says of a state must be what the rules say: stop for nothing, or draw a ball that pays 1 or -1."""
        if not self._has("urn") or self.faults.texts:
            return
        balls = self.runner.call("urn", state, "", state)
        where = self.runner.place_of("urn")
        good = isinstance(balls, tuple) and len(balls) == 2 and all(is_whole(n) and n >= 0 for n in balls)
        if balls is not FAILED and not good:
            text = (
                f"`urn` returns {short(balls)} at {show(state)}: it must be the balls that pay 1 and those that cost 1"
            )
            self.faults.add(("urn", "balls"), f"{text} {where}")
        if balls is FAILED or not good:
            return
        wanted = urn_actions(*balls)
        found = [self._lottery(state, action) for action in actions]
        if sorted(found) != sorted(wanted):
            text = f"`urn` says that {show(state)} is an urn of {balls[0]} balls that pay 1 and {balls[1]} that cost 1"
            rule = "one may stop for nothing, or draw one of the balls, all equally likely"
            self.faults.add(("urn", "law"), f"{text}, but the rules there are not those of an urn: {rule} {where}")

    def _lottery(self, state: Any, action: Any) -> Lottery:
        """The outcomes of an action: probability, payoff and the urn that follows, of each."""
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        total = sum(Fraction(o.ways) for o in outcomes)
        return tuple(
            sorted(
                (Fraction(o.ways) / total, o.sign * Fraction(o.payoff[0]), tuple(self.game.urn(o.state)))
                for o in outcomes
            )
        )

    def _symmetries(self, state: Any) -> None:
        if not self._has("symmetries"):
            return
        same = self._orbit(state)
        for other in same or ():
            if self._is_late():
                return
            back = self._orbit(other)
            if same is None or back is None or back == same:
                continue
            if state not in back:
                text = f"`symmetries` yields {show(other)} for {show(state)}, but not the other way round"
            else:
                odd = show(min(back ^ same))
                both = f"{show(state)} and {show(other)}"
                text = f"`symmetries` yields {odd} for only one of {both}, which it calls the same"
            where = self.runner.place_of("symmetries")
            self.faults.add(("symmetries", "group"), f"{text}: yield the whole group from every position {where}")
            return
        others = (same or set()) - {state}
        if others and self.mirrored < MIRRORED:
            self.mirrored += 1
            self._mirrored(state, max(others))

    def _mirrored(self, state: Any, other: Any) -> None:
        """Report two positions that are said to be the same, but where other things can happen."""
        try:
            differs = self._what_happens(state) != self._what_happens(other)
        except Exception:
            return  # reported where it was run first
        if differs:
            text = f"`symmetries` calls {show(state)} and {show(other)} the same, but other things can happen there"
            self.faults.add(("symmetries", "mirror"), f"{text} {self.runner.place_of('symmetries')}")

    def _what_happens(self, state: Any) -> Any:
        """What can happen at a position, alike for positions that are the same."""
        rules = self.rules
        actions = rules.actions(state)
        if not actions:
            return rules.payoff(state)
        if rules.is_simultaneous:  # a game that is the same in a mirror may name actions otherwise
            own, others = rules.choices(state)
            sizes = len(own), len(others)
            return sizes, Counter(frozenset(self._happening(state, a).items()) for a in actions)
        return rules.player(state), Counter(frozenset(self._happening(state, a).items()) for a in actions)

    def _happening(self, state: Any, action: Any) -> Counter[Any]:
        """The ways of each thing that an action can lead to, next positions told by the least of those that are the same."""
        found: Counter[Any] = Counter()
        for o in self.rules.outcomes(state, action):
            found[o.payoff, min((o.state, *self.rules.same_as(o.state))), o.sign] += o.ways
        return found

    def _parents(self, state: Any, successors: list[Any]) -> None:
        """Report a move that `parents` does not take back, and a position of its that leads elsewhere."""
        if not self._has("parents") or len(self.next_states) > TAKEN_BACK:
            return

        def taken_back(s: Any) -> set[Any] | None:
            found = self.runner.yielded("parents", s, "", s)
            context = f"at {show(s)}"
            if found is None or not all(
                self._successor(y.item, "a position that `parents` yields", context, y) for y in found
            ):
                return None
            return {y.item for y in found}

        def least(s: Any) -> Any:
            return min((s, *self.rules.same_as(s)))

        where = self.runner.place_of("parents")
        for successor in successors:
            before = taken_back(successor)
            if before is not None and least(state) not in map(least, before):
                text = f"`parents` does not yield {show(state)} for {show(successor)}, though a move leads from there to here"
                self.faults.add(("parents", "missing"), f"{text} {where}")
        for before in taken_back(state) or ():
            try:
                after = [o.state for a in self.rules.actions(before) for o in self.rules.outcomes(before, a) if o.ways]
            except Exception:
                continue  # a position that can't be, with rules that make nothing of it
            if after and least(state) not in map(least, after):
                text = f"`parents` yields {show(before)} for {show(state)}, but no move leads from there to here"
                self.faults.add(("parents", "wrong"), f"{text} {where}")

    def _orbit(self, state: Any) -> set[Any] | None:
        """The position and all that are said to be the same; None if any is at fault."""
        found = self.runner.yielded("symmetries", state, "", state)
        if found is None:
            return None
        context = f"at {show(state)}"
        good = [self._successor(y.item, "a position that `symmetries` yields", context, y) for y in found]
        return {state, *(y.item for y in found)} if all(good) else None

    # --- the declared space ------------------------------------------------------------------------------------------

    def _space(self) -> Any:
        """The declared box, or None. (The spaces of stages: stages/spaces.py.)"""
        if not self._has("space") or self.rules.is_staged:
            return None
        box = self.runner.call("space", None, "")
        if box is FAILED or hasattr(box, "automaton"):
            return None
        fits = type(box) is self.state_class and all(is_box(v, n) for v, n in zip(box, self.lengths, strict=True))
        if not fits and self.state_class is not None:
            wanted = f"{self.state_class.__name__}(...) with a range in place of every number"
            text = f"`space` returns {short(box)}: it must return {wanted}, or a space of zermelo.spaces {self.runner.place_of('space')}"
            self.faults.add(("space", "shape"), text)
        return box if fits else None

    def _inside(self, state: Any, what: str) -> None:
        for name, value, allowed in zip(state._fields, state, self.box, strict=True) if self.box else ():
            pairs = zip(value, allowed, strict=True) if isinstance(value, tuple) else [(value, allowed)]
            for number, numbers in pairs:
                if number not in numbers:
                    text = f"{what} is {show(state)}, outside `space`: {name} = {number} is not in {numbers}"
                    self.faults.add(("space", name), f"{text} {self.runner.place_of('space')}")


# --- small words -----------------------------------------------------------------------------------------------------


def _takes(member: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(member).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _signature(member: Callable[..., Any]) -> str:
    function = getattr(member, "__func__", member)
    return str(inspect.signature(function)).partition(" ->")[0]

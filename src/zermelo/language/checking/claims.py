"""Checks of what a game claims to be true: symmetries, where play is settled or cut off, urns."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from zermelo.language.checking.examination import Checks, Examination
from zermelo.language.checking.runner import FAILED
from zermelo.language.checking.values import is_whole, number_fault, short, show

MIRRORED = 8  # states of which one mirror image is compared with them, whatever it takes
COMPARED = 500  # outcomes that are looked at to compare states with all of their mirror images, in small games everywhere
Lottery = tuple[tuple[int, Any, tuple[int, int], int], ...]  # how many balls, what one pays, the urn without it, and KEEP or PASS


class Claims(Checks):
    """Checks of `symmetries`, `settled`, `bounds` and `urn`."""

    def __init__(self, examination: Examination):
        super().__init__(examination)
        self.mirrored = self.compared = 0
        self.happens: dict[Any, Any] = {}  # what can happen in states that were compared
        self.settled: set[Any] = set()

    def is_cut(self, state: Any) -> bool:
        """Whether the game cuts play off here; its bounds are checked."""
        if not self.has("bounds"):
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

    def is_settled(self, state: Any) -> bool:
        """Whether the game claims that its first action is best here; then play is not followed any further."""
        if not self.has("settled"):
            return False
        answer = self.runner.call("settled", state, "", state)
        if answer is not FAILED and not isinstance(answer, bool):
            text = f"`settled` returns {short(answer)} at {show(state)}: it must return True or False"
            self.faults.add(("settled", "bool"), f"{text} {self.runner.place_of('settled')}")
        if answer is True:
            self.settled.add(state)
        return answer is True

    def stops(self, state: Any, successors: list[Any]) -> None:
        """Report a settled state whose first action leads to these states, in which play goes on: nothing would cut it off."""
        if state in self.settled and any(self.runner.yielded("actions", s, "", s) for s in successors):
            text = f"at {show(state)}, which `settled` calls settled, the first action must end the play"
            self.faults.add(("settled", "stops"), f"{text} {self.runner.place_of('actions')}")

    def symmetries(self, state: Any) -> None:
        """Report states that are said to be symmetric and are not, or only by one of them."""
        if not self.rules.folded:
            return
        same = self._orbit(state)
        for other in same or ():
            if self.examination.is_late():
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
        for j, other in enumerate(sorted((same or set()) - {state}, reverse=True)):
            if self.compared > COMPARED and (j > 0 or self.mirrored >= MIRRORED):
                break
            self.mirrored += j == 0
            self._mirrored(state, other)

    def _orbit(self, state: Any) -> set[Any] | None:
        """The state and all that are said to be symmetric to it; None if any of them is at fault."""
        found = self.runner.yielded("symmetries", state, "", state)
        if found is None:
            return None
        context = f"at {show(state)}"
        what = "a position that `symmetries` yields"
        if not self.are_states_of_game(found, what, context):
            return None
        for y in found:
            self.examination.in_ranges(y.item, f"{what} {context}", y)
        return {state, *(y.item for y in found)}

    def _mirrored(self, state: Any, other: Any) -> None:
        """Report two states that are said to be symmetric, but where different things can happen."""
        try:
            for s in (state, other):
                if s not in self.happens:
                    self.happens[s] = self._what_happens(s)
            differs = self.happens[state] != self.happens[other]
        except (Exception, SystemExit):
            return  # reported where it was run first
        if differs:
            text = f"`symmetries` calls {show(state)} and {show(other)} the same, but other things can happen there"
            self.faults.add(("symmetries", "mirror"), f"{text} {self.runner.place_of('symmetries')}")

    def _what_happens(self, state: Any) -> Any:
        """What can happen in a state, written the same way for symmetric states."""
        rules = self.rules
        actions = rules.actions(state)
        if not actions:
            return rules.payoff(state)
        found = Counter(frozenset(rules.what_happens(state, a).items()) for a in actions)
        self.compared += sum(map(len, found))
        if rules.is_simultaneous:  # a game that is the same in a mirror may name actions otherwise
            own, others = rules.choices(state)
            return (len(own), len(others)), found
        return rules.player(state), found

    def urn(self, state: Any, actions: list[Any]) -> None:
        """What `urn` says of a state must be what the rules say: stop for nothing, or draw a ball that pays 1 or -1."""
        if not self.has("urn") or self.faults.texts:
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
        """The outcomes of an action, as balls."""
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        balls = as_balls([o.ways for o in outcomes])
        drawn = zip(balls, outcomes, strict=True)
        return tuple(sorted((n, o.payoff[0], tuple(self.game.urn(o.state)), o.sign) for n, o in drawn))


def as_balls(ways: list[Any]) -> list[int]:
    """As few balls as show the same probabilities as these ways, whole numbers or not."""
    whole = ways
    if not all(type(n) is int for n in ways):
        exact = [Fraction(n) for n in ways]
        common = lcm(*(n.denominator for n in exact))
        whole = [int(n * common) for n in exact]
    shared = gcd(*whole)
    return [n // shared for n in whole]


def urn_actions(plus: int, minus: int) -> list[Lottery]:
    """The two actions at an urn of balls that pay 1 and balls that cost 1: stop, or draw; none if it is empty."""
    if plus + minus == 0:
        return []
    shared = gcd(plus, minus)
    draws = ((plus // shared, 1, (plus - 1, minus), 1), (minus // shared, -1, (plus, minus - 1), 1))
    return [((1, 0, (0, 0), 1),), tuple(sorted(drawn for drawn in draws if drawn[0]))]

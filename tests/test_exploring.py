"""States are found by all threads, and their numbers and transitions do not depend on how many there are, nor on the tier."""

from __future__ import annotations

import re
import signal
import time
from collections import deque
from collections.abc import Iterator
from threading import Event, current_thread, get_ident, main_thread
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from several_threads import STARTED, several
from zermelo.basics import threads
from zermelo.basics.crew import Crew
from zermelo.basics.interrupts import interruptible
from zermelo.engines.exploring import agreement, search
from zermelo.engines.exploring import explored as transitions
from zermelo.engines.exploring.explore import explore
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import RulesError
from zermelo.kernels import exploring, kernel, status
from zermelo.kernels.kernel import only
from zermelo.language.checking import check
from zermelo.link import NativeRules

STATES = 3000
RARE = 700
WRONG = {4: status.BAD_WAYS, 5: status.NO_OUTCOME, 6: status.BAD_PAYOFF, 7: status.BAD_PLAYER}


class Place(NamedTuple):
    at: int
    steps: int = 0


class Net(NamedTuple):
    """Places that lead to ones with larger numbers, and to a neighbour and back; with `odd`, one place makes a search do something else."""

    odd: int = 0

    def start(self):
        return Place(0)

    def player(self, s):
        return 2 if self.odd == 7 and s.at == RARE else 0

    def actions(self, s):
        for k in range(3):
            if s.at * (k + 2) + 1 < STATES:
                yield k
        if self.odd == 1 and s.at == RARE:  # more follows than a batch has room for
            for k in range(3, 1000):
                yield k

    def outcomes(self, s, action):
        if action >= 3:
            yield 1, 0, Place(action)
        elif self.odd == 2 and s.at == RARE:  # its number has more bits than any before
            yield 1, 0, Place(s.at * (action + 2) + 1, 1 << 20)
        elif self.odd == 3 and s.at == RARE:  # a rule that raises an error
            yield 1, 1 // (s.at - RARE), Place(s.at * (action + 2) + 1)
        elif self.odd > 3 and s.at == RARE:  # other faults (WRONG)
            yield self.odd - 5, 1e200 if self.odd == 6 else 0, Place(s.at * (action + 2) + 1)
        else:
            yield 1, action, Place(s.at * (action + 2) + 1)
            yield 2, 0, Place(s.at ^ 1)


class Line(NamedTuple):
    """A single state waits at any time."""

    length: int = 20_000

    def start(self):
        return Place(self.length)

    def outcomes(self, s):
        if s.at > 0:
            yield 1, 1, Place(s.at - 1)


@pytest.fixture(autouse=True)
def compiled_and_by_default() -> Iterator[None]:
    with only("compiled"):
        yield
    threads._asked.clear()


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that several threads have something to do."""
    monkeypatch.setattr(search, "WIDE", 3)  # all of it is found by threads
    monkeypatch.setattr(search, "BATCH", 64)
    monkeypatch.setattr(search, "BATCH_OUTCOMES", 512)
    monkeypatch.setattr(transitions, "SHARED", 64)
    monkeypatch.setattr(transitions, "BATCH_OUTCOMES", 256)


def found(game: Any) -> Explored:
    sample = check(game, states=20)
    return explore(sample.rules, sample.states)


def content(explored: Explored) -> list[Any]:
    whole = explored.whole()
    return [explored.keys, explored.component_start, explored.looped, explored.facts, explored.layout.bits, *whole]


def test_by_hand() -> None:
    """Every state, and what follows from it, as Python says it."""
    explored = found(Net())
    seen, waiting = {Place(0)}, deque([Place(0)])
    while waiting:
        s = waiting.popleft()
        for a in Net().actions(s):
            for _, _, t in Net().outcomes(s, a):
                if t not in seen:
                    seen.add(t)
                    waiting.append(t)
    states = [explored.layout.unpack(int(k)) for k in explored.keys]
    assert set(states) == seen and len(states) == len(seen)
    whole = explored.whole()
    for i, s in enumerate(states):
        rows = []
        for row in range(whole.action_start[i], whole.action_start[i + 1]):
            outcomes = range(whole.outcome_start[row], whole.outcome_start[row + 1])
            rows.append([(whole.ways[o], whole.payoff[o, 0], states[whole.next[o]]) for o in outcomes])
        assert rows == [[(w, p, t) for w, p, t in Net().outcomes(s, a)] for a in Net().actions(s)]


@pytest.mark.parametrize("verb", [Explored.batches, Explored._pieces])
def test_ctrl_c_while_the_threads_of_a_loop_end_waits_for_them(verb: Any, small_batches: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python printed it ("Exception ignored in generator") where the loop itself had been interrupted."""
    explored, shutdown, waited = found(Net()), Crew.shutdown, []

    def interrupted(self: Crew, *how: Any, **more: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        waited.append(shutdown(self, *how, **more))

    monkeypatch.setattr(Crew, "shutdown", interrupted)
    threads.threads(2)
    with pytest.raises(KeyboardInterrupt), interruptible():
        for _ in verb(explored, 0, explored.num_states) if verb is Explored._pieces else verb(explored):
            break
        for _ in range(500):
            time.sleep(0.01)
    assert waited


@pytest.mark.parametrize("odd", [0, 1, 2])
@pytest.mark.parametrize("is_direct", [True, False])
def test_any_number_of_threads_finds_the_same(odd: int, is_direct: bool, small_batches: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_direct:
        monkeypatch.setattr(search, "DIRECT_BITS", 2)
    seen = []
    workers = set()
    search_together = NativeRules.search_together

    def noting(self: Any, *arguments: Any) -> int:
        workers.add(get_ident())
        return search_together(self, *arguments)

    monkeypatch.setattr(NativeRules, "search_together", noting)
    for number in several():
        workers.clear()
        seen.append(content(found(Net(odd))))
        assert (len(workers) > 1) is (STARTED[number] > 0)
    with only("interpreted"):
        seen.append(content(found(Net(odd))))
    for other in seen[1:]:
        np.testing.assert_equal(other, seen[0])


def test_threads_share_a_search_once_doing_without_has_taken_as_long_as_the_compiler(
    small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared, called = exploring.search_together, []
    monkeypatch.setattr(shared, "seconds", 0.0)
    monkeypatch.setattr(NativeRules, "search_together", lambda *arguments: called.append(arguments))
    monkeypatch.setattr(NativeRules, "pays_together", lambda *arguments: False)
    threads.threads(2)
    assert found(Net()).num_states > 1 and not called and 0.0 < shared.seconds < shared.to_compile
    monkeypatch.setattr(shared, "is_kept", lambda arguments: False)
    monkeypatch.setattr(shared, "seconds_before", 0.0)
    with only("compiled"):
        assert shared.pays(())
    monkeypatch.setattr(kernel, "_forced", [])
    assert not shared.pays(())
    shared.seconds += shared.to_compile
    assert shared.pays(())


class Boxed(NamedTuple):
    """At one place, far from the start, `side` becomes 3, which `space` leaves out and the bits of 0, 1 and 2 hold."""

    length: int = 3000

    def start(self):
        return Walked(0, 0)

    def actions(self, s):
        if s.place < self.length:
            yield 1
            yield 2

    def outcomes(self, s, action):
        yield 1, action if s.place % 7 else 1, Walked(min(s.place + action, self.length), 3 if s.place == 1532 else s.place % 3)

    def payoff(self, s):
        return 0

    def space(self):
        return Walked(range(self.length + 1), range(3))


class Walked(NamedTuple):
    place: int
    side: int


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_a_state_outside_of_the_box_stops_the_solver_wherever_it_is_reached(tier: str) -> None:
    """It was solved as well, without a word."""
    with only(tier), pytest.raises(RulesError, match=r"`space` does not hold Walked\(place=1533, side=3\), which is reached"):
        zermelo.solve(Boxed())


@pytest.mark.parametrize("number", [1, 2, 8])
def test_what_a_rule_raises_is_said_with_a_state(number: int, small_batches: None) -> None:
    threads.threads(number)
    with pytest.raises(RulesError, match=rf"ZeroDivisionError.* at Place\(at={RARE}, steps=0\), action 0"):
        found(Net(3))


@pytest.mark.parametrize("odd", WRONG)
def test_what_is_wrong_with_a_state_is_found_by_any_number_of_threads(
    odd: int, small_batches: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "check_states", lambda rules, states: None)  # as if it did not show in Python
    for number in (1, 2, 8):
        threads.threads(number)
        with pytest.raises(RulesError, match=re.escape(f"at Place(at={RARE}, steps=0): {status.IN_WORDS[WRONG[odd]]}")):
            found(Net(odd))


def test_rules_are_compared_with_compiled_ones_while_states_are_put_in_order(small_batches: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs is told alike, and nothing is left running."""
    monkeypatch.setattr("zermelo.engines.exploring.explore.SHARED", 1)
    orders, order, said, begun = [], search.Search.order, set(), Event()

    def ordered(self: Any) -> Any:
        orders.append(current_thread())
        begun.set()
        return order(self)

    def compared(explored: Any, compare: Any = agreement.check_agreement) -> None:
        if number == 2:
            assert begun.wait(60)
            begun.clear()
        compare(explored)

    monkeypatch.setattr(search.Search, "order", ordered)
    monkeypatch.setattr("zermelo.engines.exploring.explore.check_agreement", compared)
    for number in (1, 2):
        threads.threads(number)
        begun.clear()
        found(Net())
        with monkeypatch.context() as patch, pytest.raises(RulesError) as caught:
            patch.setattr(agreement, "_interpreted", lambda *given: [])
            found(Net())
        said.add(str(caught.value))
    assert len(said) == 1 and "Python gives nothing" in said.pop()
    main = main_thread()
    assert [thread is main for thread in orders] == [True, False, False]
    assert not any(thread.is_alive() for thread in orders if thread is not main)


@pytest.mark.parametrize("number", [1, 2])
def test_batches_are_whole_components_and_together_all_states(number: int, small_batches: None) -> None:
    threads.threads(number)
    explored = found(Net())
    whole, high, batches = explored.whole(), 0, 0
    for batch, components in explored.batches(300):
        assert (batch.low, batch.high) == (high, components[-1]) and components[0] == high
        assert set(components) <= set(explored.component_start)
        first, last = whole.outcome_start[whole.action_start[[batch.low, batch.high]]]
        for name in ("ways", "next", "sign", "payoff"):
            np.testing.assert_array_equal(getattr(batch, name), getattr(whole, name)[first:last])
        np.testing.assert_array_equal(np.diff(batch.action_start), np.diff(whole.action_start)[batch.low : batch.high])
        np.testing.assert_array_equal(batch.player, whole.player[batch.low : batch.high])
        high, batches = batch.high, batches + 1
    assert high == explored.num_states and batches > 3
    one = explored.transitions(5, 6)
    assert (one.low, one.high) == (5, 6) and list(one.next) == list(whole.next[slice(*whole.outcome_start[whole.action_start[5:7]])])


@pytest.mark.parametrize("number", [1, 2])
def test_few_states_at_a_time_are_left_to_a_kernel_that_all_games_share(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    threads.threads(number)
    calls = []
    search_alone = NativeRules.search

    def counting(self: Any, *arguments: Any) -> int:
        calls.append(1)
        return search_alone(self, *arguments)

    monkeypatch.setattr(NativeRules, "search", counting)
    assert found(Line()).num_states == 20_001
    assert len(calls) < 10
    there = len(exploring.search.compiled.signatures)
    assert found(Net()).num_states > 1
    assert len(exploring.search.compiled.signatures) == there > 0, "another number of slots, the same machine code"


def test_a_function_that_is_called_by_address_raises_what_it_raises() -> None:
    from zermelo.basics.machine_code import njit
    from zermelo.kernels.calling import address_of, called

    @njit
    def quotient(a: int, b: int) -> int:
        if b == 7:
            raise ValueError("seven", a)
        return a // b

    by_address = called.compiled

    @njit
    def asked(function: int, a: int, b: int) -> int:
        return int(by_address(function, (a, b))) + 1

    where = address_of(quotient, (1, 2))
    assert asked(where, 40, 4) == 11
    with pytest.raises(ZeroDivisionError):
        asked(where, 40, 0)
    with pytest.raises(ValueError, match="seven") as raised:
        asked(where, 40, 7)
    assert raised.value.args == ("seven", 40)


class Powers(NamedTuple):
    """Numbers that grow to 58 bits on either side, so that keys become longer again and again; with `returns`, play also goes back."""

    returns: bool = False

    class State(NamedTuple):
        step: int
        large: int
        other: int

    def start(self):
        return self.State(0, 1, 0)

    def outcomes(self, s):
        if s.step < 36:
            yield 1, 1, self.State(s.step + 1, 3 * s.large, s.other)
            if s.step % 9 == 0:
                yield 2, 0, self.State(s.step + 1, -2 * s.large, s.other + s.large)
            if self.returns and s.step == 30:
                yield 3, 0, self.start()


class Mirrored(NamedTuple):
    """The same, a state and its mirror image counting as one."""

    powers: int = 36

    def start(self):
        return Powers.State(0, 1, 0)

    def outcomes(self, s):
        if s.step < self.powers:
            yield 1, 1, Powers.State(s.step + 1, 3 * s.large, s.other)
            if s.step % 9 == 0:
                yield 2, 0, Powers.State(s.step + 1, -2 * s.large, s.other + s.large)

    def symmetries(self, s):
        yield Powers.State(s.step, -s.large, -s.other)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("game", [Powers(), Powers(True), Mirrored(22)], ids=["forward", "returns", "mirrored"])
def test_the_search_goes_on_where_keys_become_longer(game: Any, tier: str, small_batches: None) -> None:
    first = min(game.start(), *game.symmetries(game.start())) if isinstance(game, Mirrored) else game.start()
    seen, waiting = {first}, deque([first])
    while waiting:
        for _, _, after in game.outcomes(waiting.popleft()):
            after = min(after, *game.symmetries(after)) if isinstance(game, Mirrored) else after
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    with only(tier):
        explored = found(game)
    assert explored.layout.num_words > 1
    states = explored.layout.unpack_many(explored.keys)
    assert set(states) == seen and len(states) == len(seen)
    assert [explored.number_of(s) for s in states] == list(range(len(states)))
    assert any(explored.looped) is (game == Powers(True))
    if not any(explored.looped):
        whole = explored.whole()
        of_row = np.repeat(np.arange(len(states)), np.diff(whole.action_start))
        assert all(whole.next < np.repeat(of_row, np.diff(whole.outcome_start)))  # what follows has a smaller number

"""A game under fixed policies: the rows that are played, and the part of the game that is reached.

`restrict` keeps one row per state of the whole game. `play_out` walks from the start, calls policies only where they are
needed, and lifts the game to *nodes* (a state and who sees it), so that the two seats of a game written with KEEP and
PASS can follow different policies. Used by simulate.py, evaluate.py and distribution.py.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from zermelo.answers.base import Answers, Tabled
from zermelo.answers.stored import Place, StoredAnswers
from zermelo.basics.different import different
from zermelo.basics.interrupts import raised_text
from zermelo.basics.numbering import number_type
from zermelo.basics.progress import Progress, silent
from zermelo.basics.runs import running
from zermelo.certificates.fixed_strategies import chain_blur, mixed_chain
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import answer_of, cycle_text, position
from zermelo.errors import NoValue, OutOfReach, ParameterError
from zermelo.foreign.modules import question_about
from zermelo.kernels import chain as kernels
from zermelo.kernels.chain import ASK, BEST, CYCLES, CYCLES_PAYING, OPEN
from zermelo.language.rules import Action, Rules, State
from zermelo.problem.cycles import paying_cycle
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.transitions import Transitions
from zermelo.states.keys import sortable
from zermelo.states.layout import Layout
from zermelo.uses.frames import mixtures
from zermelo.uses.legal import check_seat
from zermelo.uses.need import check_turns

Policy = Callable[[State], Action]


@dataclass(frozen=True)
class Choices:
    """A policy whose choices are known in most states."""

    known: np.ndarray  # int32[n], positions of actions by state number; ASK where the function is asked
    asked: Policy

    def __call__(self, state: State) -> Action:
        return self.asked(state)


# A policy of a seat: a function of the state, int32[n] positions of actions by state number, or None, which allows all.
SeatPolicy = Policy | np.ndarray | None


def by_number(answers: Tabled, explored: Explored, found: np.ndarray) -> np.ndarray:
    """An array of results by the state numbers of `explored`, which differ if the game was explored again."""
    keys = keys_in(answers.layout, explored)
    same = np.array_equal(np.asarray(answers.keys), keys)
    return np.asarray(found) if same else np.asarray(found)[_numbers_of(answers, keys)]


def keys_in(layout: Layout, explored: Explored) -> np.ndarray:
    """The keys of all states in another layout than that of `explored`, which depends on the states that the rules checker has seen, and so
    on the time that it took."""
    same = explored.layout.described == layout.described
    return explored.keys if same else explored.layout.moved(explored.keys, layout)


def by_number_in(answers: Tabled, explored: Explored) -> np.ndarray:
    """int64[n]: the number in the answer of each state of `explored`."""
    return _numbers_of(answers, keys_in(answers.layout, explored))


def _numbers_of(answers: Tabled, keys: np.ndarray) -> np.ndarray:
    """int64[n]: the number in the answer of each of these keys."""
    own = sortable(np.asarray(answers.keys))
    order, wanted = np.argsort(own), sortable(keys)
    found: np.ndarray = order[np.minimum(np.searchsorted(own, wanted, sorter=order), len(own) - 1)]
    if not np.array_equal(own[found], wanted):
        raise AssertionError(f"the states of {answers.rules.name} that were found again are not those of the answer")
    return found


def in_order(table: StoredAnswers, explored: Explored) -> StoredAnswers:
    """The same answer by the numbers that states have in `explored`."""
    order = by_number_in(table, explored)
    return replace(
        table, keys=explored.keys, layout=explored.layout, value=np.asarray(table.value)[order], error=np.asarray(table.error)[order],
        policy=np.asarray(table.policy)[order], start=Place(explored.start), explored=explored,
        distance=None if table.distance is None else np.asarray(table.distance)[order],
        exact=None if table.exact is None else [table.exact[int(i)] for i in order],
        mixtures=None if table.mixtures is None else table.mixtures.reordered(order),
    )  # fmt: skip


def optimal_choices(answers: Tabled, explored: Explored) -> np.ndarray:
    """int32[n]: the solution's policy by state number."""
    if answers.rules.is_chance:
        return np.zeros(explored.num_states, np.int32)
    return by_number(answers, explored, answers.policy).astype(np.int32, copy=False)


def optimal_values(answers: Tabled, explored: Explored) -> np.ndarray:
    """float64[n]: the solution's values by state number."""
    return by_number(answers, explored, answers.value[:, 0])


# --- the whole game ---------------------------------------------------------------------------------------------------


def restrict(explored: Explored, policy: np.ndarray) -> Transitions:
    """The whole game with one row per non-final state, the row that `policy` int32[n] chooses. Works batch by batch."""
    return joined(explored, (_chosen_rows(game, policy) for game, _ in explored.batches()))


def as_played(answers: Tabled, explored: Explored) -> Transitions:
    """The whole game with one row per non-final state under optimal play; where both choose at once, the outcomes of both mixtures."""
    if not answers.rules.is_simultaneous:
        return restrict(explored, optimal_choices(answers, explored))
    mixtures = by_mixtures(answers, explored)
    return joined(
        explored, (mixed_chain(game, mixtures.between(game.low, game.high)) for game, _ in explored.batches())
    )


def by_mixtures(answers: Tabled, explored: Explored) -> Mixtures:
    """The solution's mixtures by the numbers that states have in `explored`."""
    found = mixtures(answers)
    order = np.arange(explored.num_states)
    return found.reordered(by_number(answers, explored, order))


def _chosen_rows(game: Transitions, policy: np.ndarray) -> Transitions:
    """The row of each non-final state of a batch that the policy chooses."""
    has_row = np.diff(game.action_start) > 0
    count, ways, successors, signs, payoffs = kernels.copy_rows(
        policy[game.low : game.high],
        game.action_start,
        game.outcome_start,
        game.ways,
        game.next,
        game.sign,
        game.payoff,
    )
    if len(count) != np.count_nonzero(has_row):
        raise ValueError(f"the policy names an action that a state in {game.low}..{game.high - 1} does not have")
    return game._replace(
        action_start=running(has_row), outcome_start=running(count), ways=ways, next=successors, sign=signs, payoff=payoffs
    )


def joined(explored: Explored, parts: Iterable[Transitions]) -> Transitions:
    """Consecutive ranges of states, restricted to the rows that may be played, as one."""
    kept = [
        (
            np.diff(part.action_start), np.diff(part.outcome_start), part.ways, part.next, part.sign, part.payoff,
            part.final_payoff.copy(), part.player.copy(),
        )
        for part in parts
    ]  # fmt: skip
    rows, outcomes, *rest = (np.concatenate(column) for column in zip(*kept, strict=True))
    return Transitions(0, explored.num_states, running(rows), running(outcomes), *rest)


def edge_starts(game: Transitions) -> np.ndarray:
    """int64[n+1]: the outcomes of state i, over all its rows, are edge_starts[i] : edge_starts[i+1]."""
    return game.outcome_start[game.action_start]


# --- who plays what ---------------------------------------------------------------------------------------------------


def policies_of(
    answers: Tabled, explored: Explored, policy: Policy | None, opponent: Policy | None, seat: int, best: SeatPolicy
) -> tuple[SeatPolicy, SeatPolicy]:
    """The policies of seat 0 and seat 1; `best`, optimal play, where no policy is given. In a game for one, `policy` makes all choices."""
    check_turns(answers, "a policy of single actions")
    seat = deciding_seat(answers, explored, seat, opponent)
    for given in (policy, opponent):
        if given is not None:
            check_policy(given)
    own: SeatPolicy = best if policy is None else policy
    other: SeatPolicy = best if opponent is None else opponent
    return (own, other) if seat == 0 else (other, own)


def deciding_seat(answers: Tabled, explored: Explored, seat: int, opponent: Policy | None) -> int:
    """The seat to play: the one requested in a game for two, the only seat in a game for one."""
    check_seat(seat)
    if answers.report.is_for_two:
        return seat
    only = int(bool(explored.facts["player_1"]))
    check_alone(explored.rules, seat, only, opponent)
    return only


def check_alone(rules: Rules, seat: int, only: int, opponent: Policy | None) -> None:
    """Raise `ParameterError` if a game in which the player `only` decides is given another one. (Seat 0 is what nobody has asked for.)"""
    if opponent is not None or seat not in (0, only):
        raise ParameterError(f"{rules.name} is not a game for two: it takes neither an opponent nor another seat")


def check_policy(policy: Any) -> None:
    if not callable(policy):
        of_dict = "; of a dictionary, give its method `get`" if isinstance(policy, Mapping) else ""
        raise ParameterError(f"a policy is a function from a state to an action, not {reprlib.repr(policy)}{of_dict}")


def check_decides(rules: Rules, policy: Any) -> None:
    """Raise `ParameterError` if a policy is given where nobody decides anything, unless it chooses nothing, as a solution's own does."""
    if policy is None or not rules.is_chance:
        return
    try:
        chosen = policy(rules.start)
    except (Exception, SystemExit) as error:
        chosen = raised_text(error)
    if chosen is not None:
        raise ParameterError(f"{rules.name}: nobody decides anything in this game, and a policy would not be asked")


def check_only_seat(answers: Answers, seat: int, opponent: Policy | None) -> None:
    """Raise `ParameterError` if a game for one is given any player but the only one."""
    if not isinstance(seat, int) or isinstance(seat, bool) or seat != 0 or opponent is not None:
        raise ParameterError(f"{answers.rules.name} is not a game for two: it takes neither an opponent nor another seat")


# --- the part that is reached -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LiftedChain:
    """The part of a game that is reached under given policies, on nodes in component order, with the values of seat 0.

    All signs are +1. It is a `Problem` for the solvers; `choice` int32[2, n] says what was chosen, by seat and state
    number.
    """

    explored: Explored
    game: Transitions
    nodes: np.ndarray  # int64[m]: 2 * state number + side
    component_start: np.ndarray  # int64[components+1]
    start: int
    choice: np.ndarray
    blur: float = 0.0  # twice the relative error of the ways, where they are products with probabilities (kernels/certify.py)

    @property
    def num_states(self) -> int:
        return len(self.nodes)

    @property
    def num_payoffs(self) -> int:
        return self.explored.num_payoffs

    @property
    def rules(self) -> Rules:
        return self.explored.rules

    def whole(self) -> Transitions:
        return self.game

    def batches(self) -> Generator[tuple[Transitions, np.ndarray]]:
        yield self.game, self.component_start

    def show(self, node: int) -> str:
        """The state of a node as readable text."""
        return show_state(self.explored, int(self.nodes[node]) >> 1)

    @property
    def has_no_choice(self) -> bool:
        return bool((np.diff(self.game.action_start) <= 1).all())

    @property
    def is_acyclic(self) -> bool:
        return not kernels.has_cycle(self.component_start, edge_starts(self.game), self.game.next)


def show_state(explored: Explored, number: int) -> str:
    return explored.rules.in_line(explored.layout.unpack(explored.keys[number]))


def optimal_chain(answers: Tabled, explored: Explored) -> LiftedChain:
    """The part reached under optimal play. (Its rows are chosen batch by batch: the whole game is never in memory.)"""
    if not answers.rules.is_simultaneous:
        only = optimal_choices(answers, explored)
        return play_out(explored, (only, only), game=as_played(answers, explored))
    only = np.zeros(explored.num_states, np.int32)
    blur = max(chain_blur(batch) for batch, _ in explored.batches())
    return replace(play_out(explored, (only, only), game=as_played(answers, explored)), blur=blur)


def play_out(
    explored: Explored,
    policies: tuple[SeatPolicy, SeatPolicy],
    progress: Progress = silent,
    game: Transitions | None = None,
    best: np.ndarray | None = None,
) -> LiftedChain:
    """The part reached from the start if seat 0 and seat 1 follow `policies`; functions are called once per state that they
    can meet.

    A function is not called where only one action is legal. `game` is the rest of the game if some rows are known
    to be unnecessary. best : bool[rows of the game], the actions among which a seat without a policy chooses; all by
    default. Raises `ParameterError` if a function fails or returns an action that is not legal, `OutOfReach` if it goes on where
    `settled` has cut play off.
    """
    game = explored.whole() if game is None else game
    n = explored.num_states
    choice = np.stack([_known(policy, n, OPEN if best is None else BEST) for policy in policies])
    best = np.ones(0, np.bool_) if best is None else best
    found, nodes, asked = np.full(2 * n, -1, number_type(2 * n)), np.empty(2 * n, np.int64), np.empty(2 * n, np.int64)
    todo = np.array([2 * explored.start], np.int64)
    nodes[0], found[todo[0]], count = todo[0], 0, 1
    while len(todo):
        count, questions = kernels.walk(
            game.action_start,
            game.outcome_start,
            game.next,
            game.sign,
            game.player,
            choice,
            best,
            found,
            nodes,
            count,
            todo,
            asked,
        )
        todo = asked[:questions].copy()
        _answer(explored, game, policies, choice, todo)
        progress("asking the policy", count, None)
    _check_settled(explored, game, policies, nodes[:count])
    return _lifted(explored, game, choice, best, found, nodes[:count])


def all_of(explored: Explored, game: Transitions, blur: float = 0.0) -> LiftedChain:
    """The remaining game in all its states, whether play can reach them or not; all seen by seat 0."""
    n = explored.num_states
    found, nodes = np.full(2 * n, -1, number_type(2 * n)), 2 * np.arange(n, dtype=np.int64)
    found[nodes] = np.arange(n)
    choice, best = np.full((2, n), OPEN, np.int32), np.ones(0, np.bool_)
    return replace(_lifted(explored, game, choice, best, found, nodes), blur=blur)


def _known(policy: SeatPolicy, n: int, free: int) -> np.ndarray:
    if isinstance(policy, np.ndarray | Choices):
        return (policy.known if isinstance(policy, Choices) else policy).astype(np.int32)
    return np.full(n, free if policy is None else ASK, np.int32)


def _answer(
    explored: Explored, game: Transitions, policies: tuple[SeatPolicy, SeatPolicy], choice: np.ndarray, asked: np.ndarray
) -> None:
    """Fill in the choices of the requested nodes."""
    numbers = asked >> 1
    seats = game.player[numbers] ^ (asked & 1).astype(np.int8)
    states = explored.layout.unpack_many(explored.keys[numbers])
    for state, number, seat in zip(states, numbers.tolist(), seats.tolist(), strict=True):
        policy = policies[seat]
        assert callable(policy)
        choice[seat, number] = chosen_position(explored.rules, policy, state)


def _check_settled(explored: Explored, game: Transitions, policies: tuple[SeatPolicy, SeatPolicy], nodes: np.ndarray) -> None:
    """Raise `OutOfReach` if a policy does not stop in a state where `settled` says so: what would follow was not explored."""
    rules = explored.rules
    if not hasattr(rules.game, "settled"):
        return
    numbers = nodes >> 1
    seats = game.player[numbers] ^ (nodes & 1).astype(np.int8)
    for state, seat in zip(explored.layout.unpack_many(explored.keys[numbers]), seats.tolist(), strict=True):
        policy = policies[seat]
        legal = rules.all_actions(state) if callable(policy) and rules.is_settled(state) else []
        if len(legal) > 1 and (chosen := position(rules, state, legal, answer_of(rules, policy, state))):  # type: ignore[arg-type]
            stop, other = rules.action_name(legal[0]), rules.action_name(legal[chosen])
            raise OutOfReach(
                f"{rules.name}: the policy says {other} at {rules.in_line(state)}, where `settled` says that {stop} is best, so that play "
                f"beyond was left out: let the policy say {stop} there, or `settled` begin later"
            )


def chosen_position(rules: Rules, policy: Policy, state: State) -> int:
    """The position of the policy's answer among the legal actions of a state."""
    return position(rules, state, rules.actions(state), answer_of(rules, policy, state))


def _lifted(
    explored: Explored, game: Transitions, choice: np.ndarray, best: np.ndarray, found: np.ndarray, nodes: np.ndarray
) -> LiftedChain:
    """Nodes put into component order, and the transitions between them."""
    first = _lift(game, choice, best, found, nodes)
    order, starts = kernels.components(edge_starts(first), first.next)
    nodes = nodes[order]
    found[nodes] = np.arange(len(nodes))
    lifted = _lift(game, choice, best, found, nodes)
    return LiftedChain(explored, lifted, nodes, starts, int(found[2 * explored.start]), choice)


def _lift(game: Transitions, choice: np.ndarray, best: np.ndarray, found: np.ndarray, nodes: np.ndarray) -> Transitions:
    rows, outcomes, ways, successors, payoff, final, player = kernels.lift(
        game.action_start, game.outcome_start, game.ways, game.next, game.sign, game.payoff, game.final_payoff,
        game.player, choice, best, found, nodes,
    )  # fmt: skip
    return Transitions(
        0, len(nodes), rows, outcomes, ways, successors, np.ones(len(ways), np.int8), payoff, final, player
    )  # fmt: skip


# --- play without end -------------------------------------------------------------------------------------------------


def endless_states(chain: Transitions) -> np.ndarray:
    """int8[n], for a game with one row per state: CYCLES or CYCLES_PAYING where play can't leave, ENDS elsewhere."""
    starts = edge_starts(chain)
    return kernels.endless(*kernels.components(starts, chain.next), starts, chain.next, chain.payoff)


def component_of(chain: Transitions, state: int) -> np.ndarray:
    """bool[n], for a game with one row per state: the states that play can return to from this one, and come from it."""
    order, starts = kernels.components(edge_starts(chain), chain.next)
    which = int(np.searchsorted(starts, np.flatnonzero(order == state)[0], side="right")) - 1
    found = np.zeros(chain.high, np.bool_)
    found[order[starts[which] : starts[which + 1]]] = True
    return found


def without_circling(lifted: LiftedChain) -> LiftedChain:
    """The chain with parts where play cycles forever without payoffs turned into ends worth 0; `NoValue` if such a part pays."""
    chain = lifted.game
    kind = endless_states(chain)
    if (kind == CYCLES_PAYING).any():
        raise cycling_error(lifted.rules, where_paid(lifted, kind == CYCLES_PAYING))
    if not (kind == CYCLES).any():
        return lifted
    if lifted.rules.must_end:
        where = lifted.show(int(np.argmax(kind == CYCLES)))
        raise NoValue(f"{lifted.rules.name}: play can cycle forever through {where}, and what never ends is worth infinitely much")
    keep_state = (np.diff(chain.action_start) > 0) & (kind != CYCLES)
    edges = np.diff(edge_starts(chain))
    keep = np.repeat(keep_state, edges)
    cut = chain._replace(
        action_start=running(keep_state), outcome_start=running(edges[keep_state]), ways=chain.ways[keep],
        next=chain.next[keep], sign=chain.sign[keep], payoff=chain.payoff[keep],
    )  # fmt: skip
    cycling = np.flatnonzero(kind == CYCLES)  # each a component of its own now
    starts = different(lifted.component_start, cycling, cycling + 1)
    return replace(lifted, game=cut, component_start=starts)


def where_paid(lifted: Any, states: np.ndarray, column: int | None = None) -> str:
    """A cycle among these states of a lifted chain, bool[n], on which a payoff adds up, or (None) the first that does; else one of the
    states."""
    inside, columns = np.flatnonzero(states), range(lifted.game.payoff.shape[1]) if column is None else (column,)
    cycle = next((found for k in columns if (found := paying_cycle(lifted.game, inside, k))), None)
    return cycle_text(cycle, lifted.show) if cycle else lifted.show(int(inside[0]))


def cycling_error(rules: Rules, where: str, discount_helps: bool = True) -> NoValue:
    takes_one = not (rules.must_end or rules.is_cut_off or hasattr(rules.game, "settled")) and question_about(type(rules.game)) is None
    advice = "; with a discount, such as discount=0.99, it has one" if discount_helps and takes_one else ""
    return NoValue(
        f"{rules.name}: play can cycle forever through {where} while payoffs go on, and such a play has no total{advice}"
    )

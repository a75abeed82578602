"""Games whose play must end (`must_end`): endless play is worth infinitely much to player 0. Where it occurs is decided from the graph.

The engines value an endless play without payoffs at 0. Where that is not intended, their values are still right in every
state from which the optimal policy of player 1 ends the play with probability 1, whatever player 0 does: there v solves the optimality
equation, is attained by a policy that ends, and no policy that ends does better, as v is 0 in final states. For games of chance and of
player 0 alone, all play must end. Payoffs along the way must not be negative, so that continuing is never to player 1's advantage.

Sets of states are found by attraction (attractors.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.answers.base import Answers, Tabled
from zermelo.engines.base import Request
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.exploring.game import explored_game
from zermelo.errors import NoValue, OutOfReach
from zermelo.foreign.deciding import Infinite
from zermelo.foreign.modules import question_about
from zermelo.language.units import payoff_unit
from zermelo.problem.transitions import Transitions
from zermelo.uses.attractors import Attractors
from zermelo.uses.chain import LiftedChain, by_mixtures, by_number, by_number_in, optimal_choices, show_state
from zermelo.uses.need import explored_of, tabled
from zermelo.uses.until_joint import against, seen

NAMED = 3  # states that a message names
AT_ONCE = 100_000  # states that are unpacked at once


def examine(answers: Answers) -> tuple[str, ...]:
    """Check to what extent a solution of such a game is valid; return sentences for the user. Raises `NoValue` if the value at the start is
    infinite, `OutOfReach` if the solution does not determine it."""
    table = tabled(answers, "deciding where play must end")
    explored = explored_of(table)
    if answers.rules.is_simultaneous:
        return () if explored.structure.acyclic else _examined_at_once(table, explored)  # acyclic: every play ends
    game = explored.whole()
    graph = Attractors(game)
    _check_payoffs(explored, game)
    kept = _played(game, table, explored)
    avoids = graph.may_never_end(kept)
    name = answers.rules.name
    gives_up = getattr(answers.rules.game, "never", 0)
    if avoids[explored.start]:
        _check_finite(explored, graph)
        raise OutOfReach(
            f"{name}: the best play that was found goes round forever without payoffs, which is worth 0 to the solver and infinitely much "
            f"here; {_advice(answers.rules.game)}"
        )
    if gives_up:
        _check_kept_on(explored, graph, kept, game.final_payoff[:, 0] != -_price(answers.rules.game))
    if not avoids.any():
        return ()
    infinite = ~graph.can_be_ended()
    _mark(table, explored, avoids | infinite)
    return _notes(explored, infinite, avoids)


def infinite(request: Request) -> Infinite:
    """Where the value of a model is infinite. Nothing is known of totals (R [C]) of which something is below 0: they may go up and down."""
    explored, question = explored_game(request), question_about(type(request.game))
    game = explored.whole()
    if not question.must_reach and (game.payoff[:, 0] < 0.0).any():
        return Infinite()
    graph = Attractors(game)
    endless = ~(graph.can_be_ended() if question.must_reach else graph.can_stop_costs())
    fields = [field for _, field, _ in question.variables]
    states = explored.layout.unpack_many(explored.keys[np.flatnonzero(endless)])
    found = [tuple(int(getattr(s, field)) for field in fields) for s in states if getattr(s, "phase", 1) == 1]
    return Infinite(found, bool(endless[explored.start]), _some(explored, endless) if found else "")


def surely_ends(game: Transitions, start: int) -> bool:
    """Whether play ends with probability 1, whatever anybody does."""
    return not Attractors(game).may_never_end(np.ones(len(game.outcome_start) - 1, np.bool_))[start]


def check_goes_on(answers: Answers) -> None:
    """Raise `OutOfReach` if somebody gives up at the price `never` in a game without `must_end`."""
    explored = explored_of(table := tabled(answers, "deciding whether somebody gives up"))
    game = explored.whole()
    _check_kept_on(explored, Attractors(game), _played(game, table, explored), game.final_payoff[:, 0] == _price(answers.rules.game))


def _price(game: Any) -> float:
    """What it costs to give up, as the rules pay it; `never` itself is in the unit of the model."""
    declared = payoff_unit(game)
    return float(game.never * (declared[1] if isinstance(declared, tuple) else 1))


def _check_kept_on(explored: Explored, graph: Attractors, kept: np.ndarray, paid: np.ndarray) -> None:
    """Raise `OutOfReach` if best play may give up; paid : the final states that pay what giving up does."""
    if graph.reaches(~graph.has_rows & paid, kept)[explored.start]:
        gives_up = getattr(explored.rules.game, "never", 0)
        raise OutOfReach(
            f"{explored.rules.name}: somebody gives up, as never={gives_up} costs less than going on; {_advice(explored.rules.game)}"
        )


def _notes(explored: Explored, infinite: np.ndarray, avoids: np.ndarray) -> tuple[str, ...]:
    """The notes on states from which play need not end (`infinite`), or may not (`avoids`)."""
    notes = []
    for states, what in ((infinite, "the value is infinite"), (avoids & ~infinite, "the value is not told")):
        if states.any():
            notes.append(
                f"in {_some(explored, states)} {what}, as play need not end there; nothing is known of them, nor of actions that lead there"
            )
    return tuple(notes)


def _examined_at_once(table: Tabled, explored: Explored) -> tuple[str, ...]:
    """The same where both choose at once. The guarantee of player 1's mixture is also an upper bound of the true value where every play
    against it ends. The lower bound is valid anyway, as endless play is worth more than was assumed."""
    game, name = explored.whole(), table.rules.name
    _check_payoffs(explored, game)
    widths = explored.widths(0, explored.num_states)
    left = Attractors(against(game, widths, by_mixtures(table, explored)))
    avoids = left.may_never_end(np.ones(len(left.row_owner), np.bool_))
    if not avoids.any():
        return ()
    infinite = _never_ended(game, widths)
    if infinite[explored.start]:
        raise _is_infinite(explored, infinite)
    if avoids[explored.start]:
        raise OutOfReach(
            f"{name}: against the strategies that were found play may go round forever without payoffs, which is worth 0 to the solver "
            "and infinitely much here; where both choose at once the solution does not decide this"
        )
    _mark(table, explored, avoids | infinite)
    return _notes(explored, infinite, avoids)


def _mark(table: Any, explored: Explored, states: np.ndarray) -> None:
    """Record in the answer that nothing is known of the values of these states: their errors are infinite."""
    untold = np.zeros(len(states), np.bool_)
    untold[by_number_in(table, explored)[states]] = True
    error = np.array(table.error[:, :], np.float64)
    error[untold] = np.inf
    table.error = error


def doubtful(table: Tabled, explored: Explored, reached: np.ndarray) -> np.ndarray:
    """Those of these states, by their numbers in `explored`, whose values are not known."""
    if not explored.rules.must_end:
        return reached[:0]
    if explored.rules.is_simultaneous:
        return reached[np.isinf(by_number(table, explored, table.error[:, 0])[reached])]
    game = explored.whole()
    graph = Attractors(game)
    found: np.ndarray = reached[(graph.may_never_end(_played(game, table, explored)) | ~graph.can_be_ended())[reached]]
    return found


def rely(table: Tabled, explored: Explored, reached: np.ndarray) -> None:
    """Raise `OutOfReach` if play that somebody plays best comes to states whose values are not known; reached : state numbers."""
    if len(states := doubtful(table, explored, reached)):
        raise OutOfReach(
            f"{explored.rules.name}: this play comes to {show_state(explored, int(states[0]))}, where best play is not known, as play need "
            "not end there (`must_end`); give both policies"
        )


def _never_ended(game: Transitions, widths: np.ndarray) -> np.ndarray:
    """bool[n]: the states from which player 1 can't end the play with probability 1 even if it sees player 0's choices."""
    return ~Attractors(seen(game, widths)).can_be_ended()[: len(widths)]


def check_response_ends(lifted: LiftedChain, found: np.ndarray | None = None) -> None:
    """Raise an error if the game declares `must_end`, and play against a policy may never end: `NoValue` if player 0 responds, who can
    see to it; `OutOfReach` if a response of player 1 that was `found`, int32[n], does not end it, which the solver takes to be worth 0."""
    if not lifted.rules.must_end:
        return
    name, graph = lifted.rules.name, Attractors(lifted.game)
    place = np.arange(len(graph.row_owner)) - lifted.game.action_start[graph.row_owner]
    endless = graph.may_never_end(np.ones(len(place), np.bool_) if found is None else place == found[graph.row_owner])
    if not endless[lifted.start]:
        return
    if found is None:
        where = lifted.show(int(np.argmax(endless)))
        raise NoValue(f"{name}: infinite. Against this policy play need not end (from {where}), which costs without limit")
    raise OutOfReach(
        f"{name}: the best response that was found goes round forever without payoffs, which is worth 0 to the solver and infinitely much "
        f"here; {_advice(lifted.rules.game)}"
    )


def explain(request: Request, error: NoValue) -> NoValue | OutOfReach:
    """Why a game whose play must end has no value, or none that the solver finds: it is infinite at the start, or elsewhere. Raises
    `OutOfReach` where something negative is paid."""
    explored = explored_game(request)
    if request.rules.is_simultaneous:
        infinite = _never_ended(explored.whole(), explored.widths(0, explored.num_states))
        return _is_infinite(explored, infinite) if infinite[explored.start] else error
    infinite = ~Attractors(game := explored.whole()).can_be_ended()
    if infinite[explored.start]:
        return _is_infinite(explored, infinite)
    _check_payoffs(explored, game)
    if not infinite.any():
        return error
    return OutOfReach(
        f"{request.name}: at the start the value is finite, but play need not end in {_some(explored, infinite)}, which costs without "
        f"limit, and the solver does not leave these out: {_advice(request.game)}"
    )


def _advice(game: Any) -> str:
    if never := getattr(game, "never", 0):
        return f"solve it with a larger `never` than {never}"
    model = " (open constants with --const, or --never 1000000)" if question_about(type(game)) is not None else ""
    return f"let play end after so many moves that it does not matter, and cost more than the value can be if it has got nowhere{model}"


def _check_finite(explored: Explored, graph: Attractors) -> None:
    infinite = ~graph.can_be_ended()
    if infinite[explored.start]:
        raise _is_infinite(explored, infinite)


def _is_infinite(explored: Explored, infinite: np.ndarray) -> NoValue:
    where = _some(explored, infinite)
    return NoValue(f"{explored.rules.name}: infinite. Play need not end, which costs without limit, in {where}, the start among them")


def _check_payoffs(explored: Explored, game: Transitions) -> None:
    if (game.sign < 0).any():
        raise OutOfReach(f"{explored.rules.name}: `must_end` is about player 0 and player 1, so outcomes can't exchange them with -1")
    negative = game.payoff[:, 0] < 0.0
    if negative.any():
        at = int(np.argmax(negative))
        row = np.searchsorted(game.outcome_start, at, side="right") - 1
        state = show_state(explored, int(np.searchsorted(game.action_start, row, side="right") - 1))
        raise OutOfReach(
            f"{explored.rules.name}: with `must_end` no payoff along the way may be negative, and an outcome pays "
            f"{game.payoff[at, 0]:g} at {state}; leave `must_end` out if play without end costs infinitely much anyway"
        )


def _some(explored: Explored, states: np.ndarray) -> str:
    """ "3 of 40 states (first: State(x=1))". """
    in_play = _in_play(explored)
    asked = states & in_play if (states & in_play).any() else states
    first = show_state(explored, int(np.argmax(asked)))
    return f"{np.count_nonzero(asked):,} of {np.count_nonzero(in_play):,} states (one is {first})"


def _in_play(explored: Explored) -> np.ndarray:
    """bool[n]: the states of a model; the game it was translated to may have others, from before play or where somebody has given up."""
    kept = np.ones(explored.num_states, np.bool_)
    if question_about(type(explored.rules.game)) is not None and {"phase", "given_up"} & {*explored.layout.state_class._fields}:
        for k in range(0, explored.num_states, AT_ONCE):
            states = explored.layout.unpack_many(explored.keys[k : k + AT_ONCE])
            kept[k : k + AT_ONCE] = [getattr(s, "phase", 1) == 1 and not getattr(s, "given_up", False) for s in states]
    return kept


def _played(game: Transitions, table: Tabled, explored: Explored) -> np.ndarray:
    """bool[rows]: those of player 0 and of chance, and those that the policy of player 1 chooses."""
    counts = np.diff(game.action_start)
    owner = np.repeat(np.arange(len(counts)), counts)
    place = np.arange(len(owner)) - game.action_start[owner]
    chosen = optimal_choices(table, explored)
    return (game.player[owner] == 0) | (place == chosen[owner])

"""Explore a game with hidden information, put it into sequence form, and find optimal behaviour: proven, or between two bounds.

Small games are solved by linear programming: two plans in rational numbers, and the best responses to both in whole numbers; if these have
the same value, it is the value of the game. If they don't, or payoffs are not exact, the value lies between what the programs' plans in
floats guarantee, rounding included. Large games are solved by regret minimisation, until the guarantees of both plans are close enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np

from zermelo.answers.hidden import HiddenAnswers, InformationSets, SetArrays
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.runs import running
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.words import counted
from zermelo.engines.base import MOST_EXPLORED, Request
from zermelo.engines.exploring.game import explored_game
from zermelo.engines.hidden.proving import Weights, guaranteed_by_programs, proven
from zermelo.engines.hidden.public import LongKeys, PublicGame, Unsorted, public_game
from zermelo.engines.hidden.searching import INTERRUPTED, bounded
from zermelo.engines.hidden.unfolding import Unfolded, unfolded
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels.kernel import forced
from zermelo.language.checking import check_states
from zermelo.language.checking.values import show
from zermelo.language.rules import Rules, lengths
from zermelo.link import RulesRefused
from zermelo.problem.panels import PanelForm
from zermelo.problem.sequences import SequenceForm, Side
from zermelo.states.layout import WORD_BITS, Layout

MOST_PROVEN = 50_000  # sequences of both players together up to which a linear program is solved without a request
FEW = 5_000  # up to which it is solved for any tolerance
MOST_ENTRIES = 300_000  # pairs of sequences with a payoff, likewise
SOME_STATES = 300_000  # a game with more states is explored by public states
NARROW = 1e-6  # an interval relative to the largest payoff; where what a linear program led to is wider, regrets are minimised
NO_DECIMALS = "ways or payoffs that are not short decimals, or too long for exact numbers"
PANELS = "payoffs in floats, as it was explored by public states; exact=True explores it state by state"
NO_PROOF = "the linear program led to no proof, so the value is bounded"
BOUNDED = "the value is bounded and not proven: the game has "
NO_CHECKPOINT = "no checkpoint was kept: a linear program was solved instead"
ABOUT_THE_SEARCH = (NO_PROOF, BOUNDED, NO_CHECKPOINT, INTERRUPTED)  # how notes begin that are about how strategies were found


def unfolded_game(request: Request) -> Unfolded:
    """A game explored and put into sequence form. Raises `RulesError`, `OutOfReach`."""
    return unfolded(explored_game(request))


class Found(NamedTuple):
    """Strategies, their guarantees, and how they were found."""

    weights: Weights
    certificate: Certificate
    facts: dict[str, Any]
    notes: tuple[str, ...]
    seconds: dict[str, float]

    @property
    def method(self) -> str:
        return "regret minimisation" if "rounds" in self.facts else "linear program"


def _is_provable(form: SequenceForm) -> bool:
    """Whether a linear program is small enough to be solved without a request."""
    return sum(form.shape) <= MOST_PROVEN and form.entries <= MOST_ENTRIES


def solve_hidden(request: Request) -> HiddenAnswers:
    """The value and behaviour strategies of a game with hidden information. Raises `RulesError`, `OutOfReach`."""
    with Stopwatch() as exploring:
        game, notes = _explored(request)
    found = solve_form(game.form, request)
    compiling = exploring.compiling + found.seconds["compiling"]
    seconds = {"compiling": compiling, "exploring": exploring.seconds, "solving": found.seconds["solving"]}
    found = found._replace(notes=notes + found.notes)
    rules = request.rules
    if isinstance(game, PublicGame):
        sets, layout, unfolded = _public_sets(game, rules), game.layout, None
        facts = {"states": game.facts["histories"] + game.facts["ends"], **game.facts}
    else:
        sets, layout, unfolded = sets_of(game), game.explored.layout, game
        facts = facts_of(game)
    report = _report(game.form, found, facts, seconds)
    return HiddenAnswers(rules, layout, game.form, sets, found.weights, found.certificate, report, unfolded)


def _explored(request: Request) -> tuple[Unfolded | PublicGame, tuple[str, ...]]:
    """The game in sequence form: large ones by public states, unless a proof is requested or the rules do not allow it. Raises
    `RulesError`, `OutOfReach`."""
    rules, most = request.rules, request.max_states or MOST_EXPLORED
    is_plain = not (rules.is_simultaneous or rules.is_cut_off or hasattr(rules.game, "symmetries") or hasattr(rules.game, "settled"))
    if request.exact or request.refine or not is_plain or hasattr(rules.game, "space") or forced() == "interpreted":
        return unfolded_game(request), ()
    try:
        return unfolded(explored_game(request, most=min(SOME_STATES, most))), ()
    except OutOfReach:  # it has more states
        if most <= SOME_STATES:
            raise
        layout = Layout.tight([*request.sample, rules.start])
    try:
        game = public_game(rules, layout, most, request.progress)
    except Unsorted:
        why = "public states share information sets, or something is wrong with the rules"
        return unfolded_game(request), (f"the game was explored state by state: {why}",)
    except RulesRefused:
        return unfolded_game(request), ("the game was explored state by state: the compiler refuses its rules",)
    except LongKeys:
        why = f"its states need more than {WORD_BITS} bits"
        return unfolded_game(request), (f"the game was explored state by state: {why}",)
    return (unfolded_game(request) if wants_proof(game.form, request) else game), ()


def wants_proof(form: SequenceForm, request: Request) -> bool:
    """Whether a linear program is solved: on request, or because it is small enough."""
    is_asked = request.exact or request.refine
    return is_asked or sum(form.shape) <= FEW or (request.tolerance is None and _is_provable(form))


def solve_form(form: SequenceForm, request: Request, inexact: str = NO_DECIMALS) -> Found:
    """Optimal strategies of a sequence form, proven or bounded as requested. Raises `OutOfReach`. `inexact` : what the game has if its
    payoffs are not exact."""
    name, size = request.name, sum(form.shape)
    asked = "refine=True" if request.refine else "exact=True" if request.exact else ""
    if asked and not form.is_exact:
        why = "ways or payoffs are not short decimals, or too long for exact numbers"
        raise OutOfReach(f"{name}: {why}; leave out {asked} for an interval")
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    with Stopwatch() as solving:
        found, by_program = None, wants_proof(form, request) and not isinstance(form, PanelForm)
        if by_program:
            request.progress("solving a linear program", 0, None)
            found = proven(form, request.refine) if form.is_exact else None
            notes = (NO_PROOF,) if form.is_exact and not found else ()
        if found is None and asked:
            of, instead = (" that its strategies are refined", "") if request.refine else ("", " for an interval")
            raise OutOfReach(f"{name}: the linear program with {size:,} sequences led to no proof{of}; leave out {asked}{instead}")
        if found is None:
            if not notes:
                size_is_why = form.is_exact or isinstance(form, PanelForm)
                why = f"{size:,} sequences, {form.entries:,} pairs of which pay something" if size_is_why else inexact
                notes = (f"{BOUNDED}{why}",) if request.tolerance is None else ()
            found = guaranteed_by_programs(form) if by_program else None
        if found is None or found[1].high - found[1].low > NARROW * form.largest:
            weights, certificate, more, facts = bounded(form, request)
            found, notes = (weights, certificate), notes + more
        elif request.checkpoint is not None:
            notes += (NO_CHECKPOINT,)
    facts = {**facts, "refined": request.refine}
    return Found(*found, facts, notes, {"compiling": solving.compiling, "solving": solving.seconds})


def why_not_exact(answers: HiddenAnswers) -> str | None:
    """Why exact numbers will not prove a value that is only bounded; None if they may."""
    if NO_PROOF in answers.report.notes:
        return "a linear program led to no proof either; payoffs of similar size make one more likely"
    if not answers.form.is_exact and not answers.is_by_public_states:
        return "floats can do no better; ways and payoffs that are short decimals, or whole numbers below 2^53, can be proven"
    return None


def _report(form: SequenceForm, found: Found, facts: dict[str, int], seconds: dict[str, float]) -> Report:
    sets, sequences = sum(side.sets for side in form.sides), sum(form.shape)
    known = {**facts, "players": 2, "information_sets": sets, "sequences": sequences, "entries": form.entries, **found.facts}
    return Report("hidden", found.method, summary_of(known), known, seconds, (), found.notes)


def summary_of(facts: Mapping[str, Any]) -> str:
    """The game in a line."""
    public = [counted(facts["public_states"], "public state")] if "public_states" in facts else []
    sets, states = counted(facts["information_sets"], "information set"), counted(facts["states"], "state")
    return ", ".join(["hidden information", sets, f"{facts['sequences']:,} sequences", *public, states])


def facts_of(game: Unfolded) -> dict[str, int]:
    """The size of a game that was explored state by state."""
    return {"states": game.explored.num_states, "histories": game.histories}


def _public_sets(game: PublicGame, rules: Rules) -> tuple[InformationSets, InformationSets]:
    own, other = (
        _information_sets(rules, game.layout, player, side, begin, seen, numbers, state)
        for player, (side, (begin, seen), numbers, state) in enumerate(
            zip(game.form.sides, game.seen, game.actions, game.state, strict=True)
        )
    )
    return own, other


def _information_sets(
    rules: Rules, layout: Layout, player: int, side: Side, begin: np.ndarray, seen: np.ndarray, numbers: np.ndarray, state: np.ndarray
) -> InformationSets:
    """The information sets of a player. `numbers` : those of all actions, one behind the other; where both choose at once, the actions of
    one player may be whole numbers, and those of the other one tuples."""
    example = _actions(rules, layout.unpack(state[0]), player)[:1] if len(state) else []
    are_tuples = bool(example) and isinstance(example[0], tuple)
    width = lengths(example)[0] if are_tuples else 1
    actions = np.concatenate([np.zeros((1, width), np.int64), numbers.reshape(-1, width)])
    sets = side.set_of
    order = np.lexsort((*actions.T, sets))
    twice = np.flatnonzero((actions[order[1:]] == actions[order[:-1]]).all(axis=1) & (sets[order[1:]] == sets[order[:-1]]))
    if len(twice):
        _refuse_actions(rules, layout, state, int(sets[order[twice[0]]]))
    return InformationSets(side, SetArrays(begin, seen, actions, state), are_tuples)


def _refuse_actions(rules: Rules, layout: Layout, state: np.ndarray, k: int) -> NoReturn:
    """Raise `RulesError` for the actions in set k: one is yielded twice, or they have another shape than those in the first set. The
    checker sees some states only."""
    states = [layout.unpack(state[0]), layout.unpack(state[k])]
    check_states(rules, states)
    raise RulesError(rules.name, [f"at {show(states[1])}: all actions of a game must have one shape, and each is yielded once"])


def _actions(rules: Rules, state: Any, player: int) -> list[Any]:
    return rules.choices(state)[player] if rules.is_simultaneous else rules.actions(state)


def sets_of(game: Unfolded) -> tuple[InformationSets, InformationSets]:
    """The information sets of both players of a game that was explored state by state."""
    return _sets(game, 0), _sets(game, 1)


def _sets(game: Unfolded, player: int) -> InformationSets:
    side, views = game.form.sides[player], game.views
    seen = [views.knows[player][k] for k in game.seen[player].tolist()]
    start = running([len(s) for s in seen])
    acts, state = [views.choices[k] for k in game.acts[player].tolist()], views.explored.keys[game.state[player]]
    for k, (listed, width) in enumerate(zip(acts, side.widths.tolist(), strict=True)):
        if len(listed) * int(side.widths[0]) != len(acts[0]) * width:
            _refuse_actions(views.rules, views.explored.layout, state, k)
    numbers = np.array([n for listed in acts for n in listed], np.int64)
    flat = np.array([n for s in seen for n in s], np.int64)
    return _information_sets(views.rules, views.explored.layout, player, side, start, flat, numbers, state)

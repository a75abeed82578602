"""Certificates in files, for `zermelo.verifier` and any other program that checks answers (docs/certificates.md).

A certificate does not record what was proven while the game was solved, but what the verifier can check: the bounds are computed again,
with room for the rounding of its arithmetic. Nothing here is trusted.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.base import Answers, Coded, Tabled
from zermelo.answers.hidden import HiddenAnswers, plan_of
from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.numbers import Number, in_full, written
from zermelo.basics.parameters import check_path
from zermelo.basics.progress import Progress, silent
from zermelo.basics.runs import running
from zermelo.certificates.best_replies import WholePlan, guaranteed
from zermelo.certificates.certify import Certifier
from zermelo.certificates.certify_strategies import certify_nodes
from zermelo.certificates.find.claims import at_rest
from zermelo.certificates.find.ends import end_components
from zermelo.certificates.find.stay import stays
from zermelo.certificates.fixed_strategies import blur_of, chain, deviations
from zermelo.certificates.sides import Part, by_itself, two_sides
from zermelo.certificates.verify import chosen_rows
from zermelo.engines.base import Request
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import OutOfReach
from zermelo.kernels.deviations import Mixed, double_components, pair_ways
from zermelo.language.parameters import stored_parameters
from zermelo.language.rules import Rules
from zermelo.language.rules_text import rules_hash
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.plain import Matrix
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.solver import Uncertified
from zermelo.problem.transitions import Transitions
from zermelo.states.keys import sortable
from zermelo.storage.file import replacing
from zermelo.storage.game import model_header
from zermelo.uses.board_certificate import of_board
from zermelo.uses.chain import in_order, keys_in
from zermelo.uses.chain_hidden import in_order_of, unfolded_of
from zermelo.uses.mixed_verbs import represented
from zermelo.uses.need import MOST_BRIDGED, explored_again, explored_of, need
from zermelo.uses.verify_in_parts import verified
from zermelo.verifier import FORMAT, LARGEST, Certificate, tuples
from zermelo.version import __version__

U = 2.0**-53
Arrays = dict[str, np.ndarray]


def export(answers: Answers | MixedAnswers | HiddenAnswers, path: str | Path, progress: Progress = silent) -> None:
    """Write the certificate of an answer to one file, atomically. Raises `OutOfReach` for answers whose states are not stored and too many
    to solve again, `ParameterError` and `FileError`."""
    check_path(path)
    if isinstance(answers, MixedAnswers):
        game, (header, arrays) = answers.game, _of_strategies(answers)
    elif isinstance(answers, HiddenAnswers):
        game, (header, arrays) = answers.rules.game, _of_information_sets(answers, progress)
    else:
        game, (header, arrays) = answers.rules.game, _of_states(answers, progress)
    write(path, {**_game(game), **header}, arrays)


def write(path: str | Path, header: dict[str, Any], arrays: Arrays) -> None:
    """A zip archive of numpy arrays, with a header; without the time, so that the same certificate is the same file."""
    first = {"format": FORMAT, "zermelo": __version__}
    with replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:

        def put(name: str, content: str | bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, compresslevel=1)

        put("header.json", json.dumps({**first, **header}, indent=1))
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=False)
            put(f"{name}.npy", data.getvalue())


def text_of(numbers: Any) -> np.ndarray:
    """Rationals as the verifier reads them: text, one a line, as bytes."""
    return np.frombuffer("\n".join(map(in_full, numbers)).encode(), np.uint8)


def _game(game: Any) -> dict[str, Any]:
    """The game's part of the header: where its rules are, or the matrix of a matrix game."""
    if isinstance(game, Matrix):
        return {"game": None, "matrix": [[str(payoff) for payoff in row] for row in game.payoffs]}
    game_class = type(game)
    return {
        "game": f"{game_class.__module__}:{game_class.__qualname__}",
        "name": game_class.__name__,
        "parameters": stored_parameters(game) if hasattr(game, "_fields") else {},
        "rules hash": rules_hash(game),
        **model_header(type(game)),
    }


def _of_strategies(answers: MixedAnswers) -> tuple[dict[str, Any], Arrays]:
    """A matrix game: both mixtures; where it is given by best responses, of the strategies that its methods know."""
    sides = represented(answers)
    for side, name in zip(sides, ("rows", "columns"), strict=True):
        listed = {s: s for s in getattr(answers.game, name, tuple)()}
        for strategy in side:
            if not _is_read_again(strategy, listed):
                raise OutOfReach(
                    f"{type(answers.game).__name__}: certificates hold strategies that are numbers, texts or tuples of these, or equal to "
                    f"such a one and listed by `rows` or `columns`, and not {strategy!r}"
                )
    header = {"kind": "strategies", "strategies": [list(side) for side in sides]}
    return header, {"fractions": text_of([answers.low, answers.high, *sides[0].values(), *sides[1].values()])}


def _is_read_again(strategy: Any, listed: Mapping[Any, Any]) -> bool:
    """Whether the verifier will read this strategy, with its type, as the rules expect it."""
    try:
        read = tuples(json.loads(json.dumps(strategy)))
        found = listed.get(read, read)
    except TypeError:  # no JSON, or a list
        return False
    return bool(found == strategy) and repr(found) == repr(strategy)


SHARES = 10**6  # rounded probabilities are multiples of 1 / this


def _of_information_sets(answers: HiddenAnswers, progress: Progress) -> tuple[dict[str, Any], Arrays]:
    """Both behaviour strategies, and exactly what they guarantee. Float probabilities are rounded to fractions, and the value that
    these guarantee is computed again."""
    if answers.lock is not None:
        raise OutOfReach(f"{answers.rules.name}: a part is locked, and a certificate is about the game as its rules say it")
    arrays: Arrays = {}
    shares: list[Fraction] = []
    ends: list[Fraction] = []
    game = unfolded_of(answers, progress) if answers.is_by_public_states else None  # whole numbers are those of the game state by state
    form = answers.form if game is None else game.form
    for player, name in enumerate(("own", "other")):
        sets, side = answers.sets[player], answers.sets[player].side
        mixtures = [_fractions(answers.mixture(player, k)) for k in range(len(sets))]
        shares += [p for mixture in mixtures for p in mixture]
        arrays[f"{name}_start"] = running(side.widths)
        arrays[f"{name}_sees_start"], arrays[f"{name}_sees"] = np.asarray(sets.arrays.seen_start), np.asarray(sets.arrays.seen)
        if answers.is_exact:
            ends.append(Fraction(answers.value))
            continue
        if form.is_exact:
            weights = [1, *(p.numerator * (SHARES // p.denominator) for mixture in mixtures for p in mixture)]
            if game is not None:
                weights = [weights[int(i)] for i in in_order_of(answers, game, player, np.arange(len(weights)))]
            ends.append(guaranteed(form, player, _whole_plan(plan_of(form.sides[player], weights))))
        else:
            why = "ways or payoffs are not short decimals, so there is no certificate in whole numbers; write them as such"
            raise OutOfReach(f"{answers.rules.name}: {why}")
    return {"kind": "information sets"}, {**arrays, "fractions": text_of([*ends, *shares])}


def _whole_plan(plan: Sequence[Any]) -> WholePlan:
    common = math.lcm(*(p.denominator for p in plan))
    return WholePlan([int(p * common) for p in plan], common)


def _fractions(mixture: Sequence[Number]) -> list[Fraction]:
    """Probabilities as they are, or as multiples of 1 / SHARES that sum to 1."""
    if all(isinstance(p, Fraction) for p in mixture):
        return [Fraction(p) for p in mixture]
    whole = [int(p * SHARES) for p in mixture]
    whole[max(range(len(whole)), key=whole.__getitem__)] += SHARES - sum(whole)
    return [Fraction(n, SHARES) for n in whole]


# --- games with states ------------------------------------------------------------------------------------------------


def _of_states(answers: Answers, progress: Progress) -> tuple[dict[str, Any], Arrays]:
    if answers.lacks(Coded) is None:
        return of_board(answers, progress)
    table = _explored(need(answers, Tabled, "a certificate", progress), progress)
    explored: Explored = table.explored
    order = np.argsort(sortable(explored.keys))
    header = {"discount": table.discount, "payoffs": list(table.rules.payoffs), "fields": list(explored.layout.slot_names)}
    header |= explored.layout.described
    states = {"states": explored.keys[order]}
    try:
        if table.distance is not None and table.discount == 1.0:
            kind, arrays = "results", {"value": table.value[:, 0].astype(np.int8), "distance": table.distance}
        elif table.exact is not None:
            kind, arrays = "exact", _exact(table, order)
        else:
            kind, arrays = "bounds", _bounds(table)
    except Uncertified as error:
        raise OutOfReach(f"{table.rules.name}: no certificate that can be checked from outside: {error.why}") from None
    mixtures, goes_round = arrays.pop("mixtures", None), arrays.pop("goes round", None)
    if mixtures is not None:
        arrays |= _mixture_arrays(mixtures.reordered(order))
    kept = ("values", "own_start", "own", "other_start", "other")
    header, arrays = {"kind": kind, **header}, {**states, **{n: a if n in kept else np.asarray(a)[order] for n, a in arrays.items()}}
    if goes_round is not None and goes_round.any():
        _check(table.rules, header, arrays, progress)
    return header, arrays


def _check(rules: Rules, header: dict[str, Any], arrays: Arrays, progress: Progress) -> None:
    """Raise `OutOfReach` for a certificate that would be refused. The claim where play can go round is a base, a potential and a rise, and
    a certificate has two numbers for them: where values are beyond 2^53 times the payoffs, the potential is lost."""
    verdict = verified(Certificate(rules.name, header, arrays), rules.game, None, progress)
    if not verdict.verified:
        raise OutOfReach(f"{rules.name}: no certificate that can be checked from outside: {verdict.fault}")


def _explored(table: Any, progress: Progress) -> Any:
    """The answer of the general engine, with the explored game, both in the same order of states (a file has one of its own)."""
    explored = table.explored
    if explored is not None and table.report.engine == "explored" and np.array_equal(table.keys, keys_in(table.layout, explored)):
        return table
    if table.report.states > MOST_BRIDGED:
        raise OutOfReach(
            f"a certificate is written where {table.rules.name} is solved, or for at most {MOST_BRIDGED:,} states: use "
            "`zermelo solve ... --certificate FILE`"
        )
    return explored_again(table, progress) if table.report.engine != "explored" else in_order(table, explored_of(table))


def _mixture_arrays(mixtures: Mixtures) -> Arrays:
    return {name: np.asarray(getattr(mixtures, name)) for name in Mixtures._fields}


# Bounds ---------------------------------------------------------------------------------------------------------------


def _most(batch: Transitions) -> int:
    return int(np.diff(batch.outcome_start).max(initial=1))


def _bounds(table: Any) -> Arrays:
    explored: Explored = table.explored
    if explored.rules.is_simultaneous:
        return _bounds_at_once(table)
    if explored.rules.is_cut_off:
        return _bounds_of_cut_off(table)
    return _found(explored, table.value, table.policy, table.discount)


def _found(explored: Explored, value: np.ndarray, policy: np.ndarray, discount: float) -> Arrays:
    """The bounds of given values and a policy, which may be stored in a file."""
    value, policy = np.array(value, float), np.asarray(policy)
    keeping = Certifier(value, policy, discount, explored.sort_keys, keeps_claims=True)
    rests = np.zeros(value.shape, bool)  # by payoff: where the policy stays forever without it
    for batch, components in explored.batches():
        keeping.certify(batch, components, (2 * _most(batch) + 10) * U)
        for j in range(1, value.shape[1] if discount == 1.0 else 1):
            _mark_resting(explored, batch, components, policy, j, rests[:, j])
    pair = np.stack([value, keeping.error], axis=2)
    _refuse_beyond_largest(explored, pair)
    arrays = {"above": pair, "below": pair.copy(), "policy": policy}
    drift = np.zeros_like(pair)
    claims = keeping.claims
    there = np.isfinite(claims[:, 0, 0])  # where play can cycle forever: bounds as pairs of numbers, base + more, for each side
    arrays["above"][there, 0] = claims[there, 0, :2]
    arrays["below"][there, 0] = claims[there, 1, :2] * (-1.0, 1.0)
    drift[there, 0] = claims[there, :, 2]
    for name in ("above", "below"):
        arrays[name][rests] = 0.0
    return arrays | {"goes round": there} | ({"drift": drift} if drift.any() else {})


def _refuse_beyond_largest(explored: Explored, bounds: np.ndarray) -> None:
    beyond = (np.abs(bounds) > LARGEST).any(axis=(1, 2))
    if beyond.any():
        state = explored.rules.in_line(explored.layout.unpack(explored.keys[int(np.argmax(beyond))]))
        raise OutOfReach(f"{explored.rules.name}: certificates are of values up to 1e100, and at {state} there are larger ones")


def _mark_resting(explored: Explored, batch: Transitions, components: np.ndarray, policy: np.ndarray, j: int, rests: np.ndarray) -> None:
    nothing = np.zeros((len(policy), j + 1))
    for start, end in zip(components[:-1].tolist(), components[1:].tolist(), strict=True):
        if end - start > 1 or (policy[start] >= 0 and explored.looped[np.searchsorted(explored.component_start, start)]):
            rests[start:end] = at_rest(by_itself(batch, start, end, nothing, nothing, j), policy[start:end])


def _bounds_of_cut_off(table: Any) -> Arrays:
    """Where play is cut off: bounds from below with the lower bounds of the game, from above with the upper ones. In the policy, the
    maximiser's actions come from the first game and the minimiser's from the second."""
    from zermelo.engines.explored.solving import solved_between_bounds
    from zermelo.solvers.auto import choose

    explored: Explored = table.explored
    method = choose(explored.structure._replace(win_draw_loss=False), table.discount)
    low, high = solved_between_bounds(explored, method, Request(table.rules.game, discount=table.discount))
    player = np.concatenate([batch.player for batch, _ in explored.batches()])
    policy = np.where(player == 0, low.policy, high.policy)
    below = _found(explored, low.value, low.policy, table.discount)
    explored.native.count_upper_bounds(True)
    try:
        above = _found(explored, high.value, high.policy, table.discount)
    finally:
        explored.native.count_upper_bounds(False)
    found = {"above": above["above"], "below": below["below"], "policy": policy}
    return found | {"goes round": above["goes round"] | below["goes round"]}


def _bounds_at_once(table: Any) -> Arrays:
    """The game that remains for each side if the other keeps to its mixture, where both choose at once."""
    explored, value, discount = table.explored, np.array(table.value, float), table.discount
    states, payoffs = value.shape
    seen = np.empty((2 * states, 1))
    seen[0::2, 0], seen[1::2, 0] = value[:, 0], -value[:, 0]
    nodes = Certifier(seen, np.full(2 * states, -1, np.int32), discount, from_above=True, keeps_claims=True)
    played = Certifier(value, np.zeros(states, np.int32), discount)
    for batch, components in explored.batches():
        mixtures = table.mixtures.between(batch.low, batch.high)
        mixed = Mixed(np.diff(mixtures.own_start).astype(np.int32), *mixtures)
        total, exact, most = pair_ways(batch.outcome_start, batch.ways)
        left = deviations(batch, mixed, total)
        blur = blur_of(exact, most) + (4 * _most(left) + 4 * most + 64) * U
        certify_nodes(nodes, left, double_components(batch, components), blur)
        if payoffs > 1:
            both = chain(batch, mixed, total)
            played.certify(both, components, 2.0 * blur + (4 * _most(both) + 64) * U)
    above, below = (np.stack([value, played.error], axis=2) for _ in range(2))
    above[:, 0] = np.column_stack([seen[0::2], nodes.error[0::2]])
    below[:, 0] = np.column_stack([-seen[1::2], nodes.error[1::2]])
    _refuse_beyond_largest(explored, np.concatenate([above, below], axis=2))
    drift, goes_round = np.zeros((states, payoffs, 2)), np.zeros(states, bool)
    for k, (array, sign) in enumerate(((above, 1.0), (below, -1.0))):
        claims = nodes.claims[k::2, 0]
        there = np.isfinite(claims[:, 0])
        array[there, 0] = claims[there, :2] * (sign, 1.0)
        drift[there, 0, k] = claims[there, 2]
        goes_round |= there
    found = {"above": above, "below": below, "mixtures": table.mixtures, "goes round": goes_round}
    return found | ({"drift": drift} if drift.any() else {})


# Rational values ------------------------------------------------------------------------------------------------------


def _exact(table: Any, order: np.ndarray) -> Arrays:
    values = [table.exact[int(i)] for i in order]
    arrays: Arrays = {"values": text_of(v for state in values for v in state), "policy": table.policy}
    explored: Explored = table.explored
    if explored.rules.is_simultaneous:
        del arrays["policy"]
        arrays |= _exact_mixtures(table, order)
    return arrays | {"moves": _moves(table)}


def _moves(table: Any) -> np.ndarray:
    """float64[states, payoffs, 2]: theorem 3 requires at least 1 + the mean at the next state, over the rows worth as much as the state."""
    explored, n = table.explored, table.explored.num_states
    payoffs = len(table.rules.payoffs)
    moves = np.repeat(2.0 * np.arange(1, n + 1), 2 * payoffs).reshape(n, payoffs, 2)
    if explored.structure.acyclic or table.discount != 1.0:
        return moves
    values, base = table.exact, 0.0
    policy, zeros = table.policy, np.zeros((n, payoffs))
    for batch, components in explored.batches():
        for start, end in zip(components[:-1].tolist(), components[1:].tolist(), strict=True):
            stay = np.zeros((end - start, payoffs, 2))
            if end - start > 1 or explored.looped[np.searchsorted(explored.component_start, start)]:
                part = two_sides(batch, start, end, zeros, policy, zeros)
                stay[:, 0] = _stay(part, _tight(part, batch, start, values, zeros, policy)).reshape(2, -1).T
                for j in range(1, payoffs):
                    alone = by_itself(batch, start, end, zeros, zeros, j)
                    rests = at_rest(alone, policy[start:end])
                    mine = chosen_rows(alone, policy[start:end]) & ~rests[alone.node]
                    stay[:, j] = _longest(alone, mine, np.arange(alone.size))[:, None]
            moves[start:end] = base + 2.0 + stay
            base = float(moves[start:end].max())
    return moves


def _tight(part: Part, batch: Transitions, start: int, values: Any, zeros: np.ndarray, policy: np.ndarray) -> np.ndarray:
    """bool[rows of the part], whether the row is worth exactly as much as its node. A part whose payoffs are the numbers
    of the rows distinguishes the rows of the two sides."""
    rows = np.arange(len(batch.outcome_start) - 1)
    numbered = batch._replace(payoff=np.repeat(rows + 1.0, np.diff(batch.outcome_start))[:, None] * np.ones_like(batch.payoff))
    seen = two_sides(numbered, start, start + part.size // 2, zeros, policy, zeros).batch
    row = np.abs(seen.payoff[seen.outcome_start[:-1], 0]).astype(int) - 1
    state = batch.low + np.searchsorted(batch.action_start, row, side="right") - 1
    known: dict[int, bool] = {}
    for r, s in zip(row.tolist(), state.tolist(), strict=True):
        if r not in known:
            outs = range(int(batch.outcome_start[r]), int(batch.outcome_start[r + 1]))
            ways = [written(float(batch.ways[o])) for o in outs]
            paid = (written(float(batch.payoff[o, 0])) + int(batch.sign[o]) * values[int(batch.next[o])][0] for o in outs)
            known[r] = sum((w * p for w, p in zip(ways, paid, strict=True)), Fraction(0)) == sum(ways) * values[s][0]
    return np.array([known[r] for r in row.tolist()])


def _stay(part: Part, tight: np.ndarray) -> np.ndarray:
    """float64[nodes], the most moves that tight rows take on average, those that stay in an end component not counted."""
    label, staying = end_components(part, tight)
    group = np.where(label >= 0, label + part.size, np.arange(part.size))
    return _longest(part, tight & ~staying, group)


def _longest(part: Part, counted: np.ndarray, group: np.ndarray) -> np.ndarray:
    excess = np.where(counted[:, None], 2.0, -np.inf)
    if not counted.any():
        return np.zeros(part.size)
    for rise in stays(part, excess, 1.0, group, 1.0):
        return rise * (1.0 + 1e-9)
    raise Uncertified([], "the number of moves can't be bounded")


def _exact_mixtures(table: Any, order: np.ndarray) -> Arrays:
    """Both mixtures of every state in rationals, solved again."""
    explored: Explored = table.explored
    found: list[tuple[list[Fraction], list[Fraction]]] = []
    share = written(table.discount)
    for batch, _ in explored.batches():
        width = explored.widths(batch.low, batch.high)
        for i in range(batch.high - batch.low):
            rows = [_worth(batch, r, table.exact, share) for r in range(int(batch.action_start[i]), int(batch.action_start[i + 1]))]
            if not rows:
                found.append(([], []))
                continue
            others = len(rows) // int(width[i])
            best = equilibrium([rows[k : k + others] for k in range(0, len(rows), others)])
            sides = ((best.p, int(width[i])), (best.q, others))
            found.append(tuple([side.get(k, Fraction(0)) for k in range(count)] for side, count in sides))  # type: ignore[arg-type]
    sorted_ = [found[int(i)] for i in order]
    starts = [running([len(f[k]) for f in sorted_]) for k in (0, 1)]
    texts = [text_of(p for f in sorted_ for p in f[k]) for k in (0, 1)]
    return {"own_start": starts[0], "other_start": starts[1], "own": texts[0], "other": texts[1]}


def _worth(batch: Transitions, row: int, values: Any, share: Fraction) -> Fraction:
    outs = [o for o in range(int(batch.outcome_start[row]), int(batch.outcome_start[row + 1])) if batch.ways[o]]
    ways = [written(float(batch.ways[o])) for o in outs]
    paid = [written(float(batch.payoff[o, 0])) + int(batch.sign[o]) * share * values[int(batch.next[o])][0] for o in outs]
    return sum((w * p for w, p in zip(ways, paid, strict=True)), Fraction(0)) / sum(ways)

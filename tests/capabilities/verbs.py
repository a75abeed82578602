"""One verb at a time is asked of an answer, and what it says is compared with the general engine.

A verb fails with `ZermeloError` where it is refused, and with `AssertionError` where its answer is wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import naive_hidden
import zermelo
from capabilities.twins import MATRIX, TWIN, Twin, among_its_like, solved, solved_generally
from zermelo.errors import ZermeloError
from zermelo.language.rules import Joint, Rules
from zermelo.states.layout import flatten
from zermelo.views import play, play_hidden, play_mixed, plot, table

NEAR = 1e-9
PLAYS, ERRORS = 2000, 4  # a mean may be so many standard errors away: as sharp as 3,125 plays and five


@dataclass(frozen=True)
class Case:
    """A verb is asked of `solution`; `reference` is the same game solved by the general engine."""

    twin: Twin
    solution: Any
    reference: Any
    folder: Path  # to write files into

    def sure(self, ask: Callable[[Any], Any]) -> Any:
        """What the general engine says. It may not refuse what the twin's engine has answered."""
        try:
            return ask(self.reference)
        except ZermeloError as error:
            raise AssertionError(f"the general engine refuses: {error}") from error

    @property
    def rules(self) -> Rules:
        return Rules(self.twin.game)

    @property
    def states(self) -> Iterator[Any]:
        return iter(self.reference.space)

    @property
    def is_for_two(self) -> bool:
        return bool(self.reference.report.is_for_two)


Verb = Callable[[Case], None]


def case_of(column: str, folder: Path) -> Case:
    return Case(TWIN[column], solved(column), solved_generally(column), folder)


def near(a: Any, b: Any) -> None:
    assert abs(float(a) - float(b)) <= NEAR * (1 + abs(float(b))), (a, b)


def overlap(a: tuple[Any, Any], b: tuple[Any, Any]) -> None:
    """Two certified intervals hold the same number, so they have some in common; and they are narrow."""
    assert a[0] <= b[1] and b[0] <= a[1], (a, b)
    near(a[0], a[1])


def all_near(a: Any, b: Any) -> None:
    a, b = np.asarray(a, float), np.asarray(b, float)
    assert a.shape == b.shape and a.size, (a.shape, b.shape)
    assert np.allclose(a, b, rtol=NEAR, atol=NEAR, equal_nan=True)


def is_number(cell: Any) -> bool:
    return isinstance(cell, float | Fraction)


# --- the start, and one state ---------------------------------------------------------------------------------------------


def value(c: Case) -> None:
    s, r = c.solution, c.reference
    assert s.low <= s.value <= s.high
    overlap((s.low, s.high), (r.low, r.high))
    assert (s.certificate.low, s.certificate.high) == (s.low, s.high) and s.certificate.argument
    assert list(s.payoffs) == list(s.bounds) == list(r.payoffs)
    for name, worth in s.payoffs.items():
        overlap(s.bounds[name], r.bounds[name])
        assert s.bounds[name][0] <= worth <= s.bounds[name][1]
    assert "value" in repr(s) and s.report.engine == c.twin.engine


def probe(c: Case) -> None:
    for state in c.states:
        here, there = c.solution.probe(state), c.sure(lambda r, s=state: r.probe(s))
        overlap((here.low, here.high), (there.low, there.high))
        assert here.state == state and here.player == there.player and list(here.payoffs) == list(there.payoffs)
        for one, other in ((here.actions, there.actions), (here.payoffs, there.payoffs)):
            assert list(one) == list(other)
            for name in one:
                near(one[name], other[name])
        assert all(low <= here.actions[a] <= high for a, (low, high) in here.action_bounds.items())
        if c.solution.counts_moves:
            assert here.distance == there.distance
            for a in here.actions:
                assert c.solution.moves_after(state, a) == c.reference.moves_after(state, a)
        else:
            assert here.distance is None


def action_value(c: Case) -> None:
    for state in c.states:
        for action in c.rules.actions(state):
            near(c.solution.action_value(state, action), c.reference.action_value(state, action))


def best_action(c: Case) -> None:
    policy: Any = c.solution.policy
    if c.rules.is_simultaneous:
        for state in c.states:
            there = c.sure(lambda r, s=state: r.probe(s))
            for seat, worth in enumerate((there.actions, there.other_actions or {})):
                mixture = policy(state, seat)
                assert bool(mixture) == bool(worth)
                near(sum(float(p) * float(worth[a]) for a, p in mixture.items()), there.value if worth else 0)
        assert c.solution.evaluate(policy).loss < 1e-9
        assert c.solution.evaluate(lambda s: policy(s, 1), seat=1).loss < 1e-9
        return
    for state in c.states:
        worth = c.sure(lambda r, s=state: r.probe(s))
        best = policy(state)
        assert best == c.solution.best_action(state)
        if worth.actions and not c.rules.is_chance:
            near(worth.actions[best], worth.value)
        else:
            assert best is None


def mixtures(c: Case) -> None:
    every = c.solution.mixtures
    at = {state: i for i, state in enumerate(c.solution.space)}
    for state, index in at.items():
        own, other = c.solution.mixtures_at(index)
        here = c.solution.probe(state)
        all_near([*own, 0], [*(here.mixture or {}).values(), 0])
        all_near([*other, 0], [*(here.other_mixture or {}).values(), 0])
        there = c.sure(lambda r, s=state: r.probe(s))
        if own:  # against the other's optimal mixture nothing is better than the value
            near(sum(float(p) * float(v) for p, v in zip(own, there.actions.values(), strict=True)), there.value)
    assert len(every.own) == sum(len(c.rules.choices(s)[0]) for s in at)


# --- all states -----------------------------------------------------------------------------------------------------------


def arrays(c: Case) -> None:
    s = c.solution
    assert len(s.values) > 1
    space, states = s.space, list(s.space)
    assert len(states) == space.size == len(space) and {space.rank(s) for s in c.states} == set(range(space.size))
    assert len(s.values) == len(s.errors) == len(s.payoff_values) == len(s.action_numbers) == len(states)
    for i, state in enumerate(states):
        assert space.rank(state) == i and space.unrank(i) == state and state in space
        known = c.reference.probe(state)
        overlap((s.values[i] - s.errors[i], s.values[i] + s.errors[i]), (known.low, known.high))
        all_near(s.payoff_values[i], list(known.payoffs.values()))
        chosen, actions = s.action_numbers[i], c.rules.own_actions(state)
        assert (chosen == -1) == (not actions)
        if actions and not c.rules.is_simultaneous:
            near(known.actions[actions[chosen]], known.value)
    if s.counts_moves:
        assert s.distances.tolist() == c.sure(lambda r: r.distances).tolist()
    else:
        assert s.distances is None


def to_dataframe(c: Case) -> None:
    frame, slots = c.solution.to_dataframe(), c.solution.layout.slot_names
    other = c.sure(lambda r: r.to_dataframe())
    assert list(frame.columns) == list(other.columns) and len(frame) == c.solution.space.size > 1
    numbers = [name for name in frame.columns if frame[name].dtype.kind == "f" and name != "error"]
    there = {tuple(row[name] for name in slots): row for row in other.to_dict("records")}
    for row in frame.to_dict("records"):
        all_near(*([r[name] for name in numbers] for r in (row, there[tuple(row[name] for name in slots)])))


def to_xarray(c: Case) -> None:
    box, other = c.solution.to_xarray(), c.sure(lambda r: r.to_xarray())
    assert list(box.dims) == list(other.dims) and list(box) == list(other)
    filled = 0
    for state in c.solution.space:
        at = dict(zip(box.dims, flatten(state), strict=True))
        all_near(*([float(b[name].sel(at)) for name in b if name != "action_number"] for b in (box, other)))
        filled += 1
    assert int(np.isfinite(box[next(iter(box))].values).sum()) == filled


def census(c: Case) -> None:
    """Moves to the end agree with those of the next positions, which says what they are; and the census counts them."""
    found = {(name, moves): n for name, pairs in c.solution.census().items() for moves, n in pairs}
    counted: dict[tuple[str, int], int] = {}
    for state in c.states:
        here = c.solution.probe(state)
        after = [c.solution.probe(o.state) for a in here.actions for o in c.rules.outcomes(state, a)]
        won = [p.distance for p in after if p.value == -1]
        if not after:
            expected = 0
        elif here.value == 1:
            expected = 1 + min(won)
        elif here.value == -1:
            expected = 1 + max(p.distance for p in after)
        else:
            expected = None
        assert here.distance == expected
        key = ({1: "won", 0: "drawn", -1: "lost"}[int(here.value)], -1 if expected is None else expected)
        counted[key] = counted.get(key, 0) + 1
    assert found == counted
    longest = max((moves for name, moves in counted if name == "won"), default=0)
    assert c.solution.probe(c.solution.farthest()).distance == longest


# --- policies and plays -----------------------------------------------------------------------------------------------------


def evaluate(c: Case) -> None:
    for seat in range(2 if c.is_for_two else 1):
        for opponent in (None, c.twin.policy) if c.is_for_two else (None,):
            here = c.solution.evaluate(c.twin.policy, opponent, seat=seat)
            there = c.sure(lambda r, o=opponent, s=seat: r.evaluate(c.twin.policy, o, seat=s))
            overlap((here.low, here.high), (there.low, there.high))
            near(here.loss, there.loss)
            assert here.seat == there.seat == seat and list(here.payoffs) == list(there.payoffs)


def best_response(c: Case) -> None:
    for seat in (0, 1):
        here = c.solution.best_response(c.twin.policy, seat=seat)
        there = c.sure(lambda r, s=seat: r.best_response(c.twin.policy, seat=s))
        overlap((here.low, here.high), (there.low, there.high))
        near(here.gain, there.gain)


def simulate(c: Case) -> None:
    played = c.solution.simulate(PLAYS, seed=1)
    assert played.plays == PLAYS and sum(played.lengths.values()) == PLAYS
    again = c.solution.simulate(PLAYS, seed=1)
    assert (played.totals, played.lengths) == (again.totals, again.lengths)
    for name, total in played.totals.items():
        near(total.value, c.reference.payoffs[name])
        assert total.z is not None and abs(total.z) < ERRORS


def simulate_policy(c: Case) -> None:
    played = c.solution.simulate(PLAYS, seed=1, policy=c.twin.policy)
    worth = c.sure(lambda r: r.evaluate(c.twin.policy)).value
    assert abs(played.mean - float(worth)) <= ERRORS * played.standard_error + NEAR


@cache
def lengths_of_plays(solution: Any) -> dict[int, int]:
    found: dict[int, int] = solution.simulate(PLAYS, seed=1).lengths
    return found


def length(c: Case) -> None:
    found = c.solution.length
    played = c.sure(lengths_of_plays)
    mean = sum(n * k for n, k in played.items()) / PLAYS
    assert abs(found.mean - mean) <= ERRORS * math.sqrt(found.variance / PLAYS) + NEAR
    sure = c.sure(lambda r: r.length)
    near(found.mean, sure.mean)
    assert found.mean_low <= found.mean <= found.mean_high and found.mean_low <= sure.mean_high and sure.mean_low <= found.mean_high
    assert found.variance_low <= found.variance <= found.variance_high


def distribution(c: Case) -> None:
    here, length = c.solution.distribution(), c.sure(lambda r: r.length)
    near(here.mean, length.mean)
    near(here.variance, length.variance)
    near(here.probabilities.sum() + here.endless, 1)


def distribution_of_payoff(c: Case) -> None:
    for name in c.rules.payoffs:
        here = c.solution.distribution(name)
        near(here.mean, c.reference.payoffs[name])
        near(here.probabilities.sum(), 1)


def play_a_game(c: Case) -> None:
    for seat in range(2 if c.is_for_two else 1):
        session = play.Session(c.solution, seat, seed=3)
        for _ in range(200):
            if session.is_over:
                break
            worth = c.sure(lambda r, s=session: r.probe(s.state))
            choices = session.hint()
            near(choices[0].value, float(worth.value) * session.view * (1 if seat == 0 else -1))
            session.act(choices[0].action)
        assert session.is_over and session.cost < NEAR


def frontier(c: Case) -> None:
    line = c.solution.frontier
    for state in c.states:
        if 0 < sum(state) <= line.known:
            worth = c.sure(lambda r, s=state: r.probe(s))
            near(worth.actions[0 if line.stops(*state) else 1], worth.value)
    assert line.known > 0


# --- files ------------------------------------------------------------------------------------------------------------------


def save(c: Case, **options: Any) -> None:
    c.solution.save(c.folder / "stored", **options)
    found = zermelo.open(c.folder / "stored")
    overlap((found.low, found.high), (c.solution.low, c.solution.high))
    assert found.game == c.twin.game and found.is_exact == c.solution.is_exact
    for state in c.states:
        here, there = found.probe(state), c.reference.probe(state)
        overlap((here.low, here.high), (there.low, there.high))


def compress(c: Case) -> None:
    save(c, compress=True)


def export_certificate(c: Case) -> None:
    c.solution.export_certificate(c.folder / "certificate")
    verdict = zermelo.verify(c.folder / "certificate", type(c.twin.game))
    assert verdict.verified and verdict.fault is None
    overlap((verdict.low, verdict.high), (c.reference.low, c.reference.high))


def export_umb(c: Case) -> None:
    assert c.solution.export_umb(c.folder / "a.umb") == c.sure(lambda r: r.export_umb(c.folder / "b.umb"))
    assert (c.folder / "a.umb").stat().st_size > 0


# --- views ------------------------------------------------------------------------------------------------------------------


def cells(shown: table.Table) -> dict[Any, Any]:
    """The numbers of a table, by row and column."""
    every = ((row[0], name, v) for row in shown.rows for name, v in zip(shown.columns[1:], row[1:], strict=True))
    return {(row, column): v for row, column, v in every if is_number(v)}


def to_gymnasium(c: Case) -> None:
    env = c.solution.to_gymnasium()
    _, told = env.reset(seed=1)
    for _ in range(8):
        at, sign = env.at.state, 1 if env.seat == env.at.side else -1
        if not told["action_mask"].any():  # what the end pays has been paid
            break
        known = c.sure(lambda r, s=at: r.probe(s))
        near(told["value"], sign * known.value)
        for number in np.flatnonzero(told["action_mask"]):
            near(told["regret"][number], abs(float(known.value) - float(known.actions[env.table.actions[number]])))
        *_, told = env.step(int(np.argmin(told["regret"])))


def to_pettingzoo(c: Case) -> None:
    env = c.solution.to_pettingzoo()
    if c.rules.is_simultaneous:
        _act_at_once(c, env)
        return
    env.reset(seed=1)
    for _ in range(8):
        agent = env.agent_selection
        if env.terminations[agent]:
            break
        told, seat = env.infos[agent], env.possible_agents.index(agent)
        sign = 1 if seat == env.at.side else -1
        near(told["value"], sign * c.sure(lambda r: r.probe(env.at.state).value))
        env.step(int(np.argmin(told["regret"])))


def _act_at_once(c: Case, env: Any) -> None:
    _, told = env.reset(seed=1)
    while env.agents:
        known = c.sure(lambda r: r.probe(env.at.state))
        for sign, agent, worth in ((1, "player_0", known.actions), (-1, "player_1", known.other_actions)):
            near(told[agent]["value"], sign * known.value)
            for number in np.flatnonzero(told[agent]["action_mask"]):
                near(told[agent]["regret"][number], abs(float(known.value) - float(worth[env.table.actions[number]])))
        _, _, _, _, told = env.step({agent: int(np.argmax(told[agent]["mixture"])) for agent in env.agents})


def table_of_states(c: Case) -> None:
    here, there = (cells(t) for t in (table.states(c.solution), c.sure(table.states)))
    assert here and set(here) <= set(there)  # where tables are turned, one state stands for several
    for at, number in here.items():
        near(number, there[at])


def table_of_actions(c: Case) -> None:
    here, there = table.actions(c.solution), c.sure(table.actions)
    assert here.columns == there.columns and here.title == there.title
    rows = [sorted((str(r[0]), *map(float, r[1:])) for r in t.rows) for t in (here, there) if not c.rules.is_simultaneous]
    for one, other in zip(*rows, strict=True) if rows else ():
        assert one[0] == other[0]
        all_near(one[1:], other[1:])


def table_of_lengths(c: Case) -> None:
    shown, mean = table.lengths(c.solution).data["mean"], c.sure(lambda r: r.length).mean
    assert abs(shown - mean) < 1e-6 * mean  # the longest plays are left out


def drawn(figure: Any) -> list[np.ndarray]:
    """The numbers in a picture."""
    found = [np.asarray(i.get_array(), float) for a in figure.axes for i in a.images]
    found += [np.asarray(line.get_ydata(), float) for a in figure.axes for line in a.lines]
    return found + [np.array([p.get_height() for p in a.patches]) for a in figure.axes if a.patches]


def same_picture(here: Any, there: Any) -> None:
    one, other = drawn(here), drawn(there)
    assert one
    all_near(one[0], other[0])


def plot_of_values(c: Case) -> None:
    same_picture(plot.values(c.solution), c.sure(plot.values))


def plot_of_distances(c: Case) -> None:
    same_picture(plot.distances(c.solution), c.sure(plot.distances))


def plot_of_lengths(c: Case) -> None:
    assert drawn(plot.lengths(c.solution))


# --- options of `solve` -------------------------------------------------------------------------------------------------------


def solve(c: Case, **options: Any) -> Any:
    with among_its_like(c.twin):
        return zermelo.solve(c.twin.game, **options)


def exact(c: Case) -> str:
    found = solve(c, exact=True)
    assert found.is_exact and isinstance(found.value, Fraction) and found.certificate.kind == "proof"
    overlap((found.low, found.high), (c.reference.low, c.reference.high))
    return str(found.report.engine)


def discount(c: Case) -> str:
    """The value of every state is the best average of what comes next, discounted: only one function is so."""
    found, rules = solve(c, discount=0.5), c.rules

    def worth(state: Any, action: Any) -> float:
        outcomes = [o for o in rules.outcomes(state, action) if o.ways]
        total = sum(o.ways for o in outcomes)
        ahead = [float(o.payoff[0]) + 0.5 * o.sign * float(found.probe(o.state).value) for o in outcomes]
        return sum(o.ways * a for o, a in zip(outcomes, ahead, strict=True)) / total

    for state in c.states:
        actions = rules.actions(state)
        if not actions:
            expected: Any = rules.payoff(state)[0]
        elif rules.is_simultaneous:
            own, others = rules.choices(state)
            expected = zermelo.matrix_game([[worth(state, Joint(a, b)) for b in others] for a in own]).value
        else:
            expected = (min if rules.player(state) else max)(worth(state, a) for a in actions)
        near(found.probe(state).value, expected)
    assert found.discount == 0.5 and abs(float(found.value) - float(c.reference.value)) > 1e-3
    return str(found.report.engine)


def solver(c: Case) -> str:
    chosen = zermelo.Simultaneous() if c.twin.column == "at-once" else zermelo.Cyclic()
    found = solve(c, solver=chosen)
    assert found.report.solver == type(chosen).__name__
    overlap((found.low, found.high), (c.reference.low, c.reference.high))
    return str(found.report.engine)


def max_states(c: Case) -> str:
    found = solve(c, max_states=10**6)
    assert found.value == c.solution.value
    try:
        solve(c, max_states=2)
    except ZermeloError as error:
        assert "more than 2" in str(error) or "at most 2" in str(error) or "max_states" in str(error), error
    else:
        raise AssertionError("max_states=2 is ignored")
    return str(found.report.engine)


def tolerance(c: Case) -> str:
    found = solve(c, tolerance=1e-9)
    assert float(found.high - found.low) <= 2e-9 * max(1, abs(float(found.value)))
    overlap((found.low, found.high), (c.reference.low, c.reference.high))
    try:
        closest = solve(c, tolerance=1e-300)
    except ZermeloError as error:
        assert "\n" not in str(error)
    else:
        assert closest.low == closest.high, "tolerance=1e-300 is ignored"
    return str(found.report.engine)


def quick(c: Case) -> str:
    found = solve(c, quick=True)
    near(found.value, c.reference.value)
    assert found.report.facts["checked"] <= found.report.states
    return str(found.report.engine)


def checkpoint(c: Case) -> str:
    found = solve(c, checkpoint=c.folder / "run")
    is_needless = any("no checkpoint was kept" in note for note in found.report.notes)  # it was over before there was anything to keep
    assert is_needless or (c.folder / "run").exists(), "checkpoint is ignored"
    near(found.value, c.reference.value)
    return str(found.report.engine)


def refine(c: Case) -> str:
    found = solve(c, refine=True)
    assert found.report.facts["refined"] and found.value == c.reference.value
    return str(found.report.engine)


# --- games without states -----------------------------------------------------------------------------------------------------


def mixed_value(c: Case) -> None:
    s, r = c.solution, c.reference
    assert s.low == s.value == s.high == r.value == s.certificate.low and s.certificate.kind == "proof" and s.is_exact
    assert list(s.payoffs.values()) == [s.value] and list(s.bounds.values()) == [(s.low, s.high)] and list(s.payoffs) == list(s.bounds)
    assert "value" in repr(s) and s.report.engine == c.twin.engine


def mixed_strategies(c: Case) -> None:
    """Both guarantee the value."""
    row, column = c.solution.row, c.solution.column
    p = row if c.twin.engine == "matrix_game" else [row.get(i, 0) for i in range(len(MATRIX))]
    q = column if c.twin.engine == "matrix_game" else [column.get(j, 0) for j in range(len(MATRIX[0]))]
    assert sum(p) == sum(q) == 1 and min(p) >= 0 <= min(q)
    assert min(sum(x * r[j] for x, r in zip(p, MATRIX, strict=True)) for j in range(len(MATRIX[0]))) == c.solution.value
    assert max(sum(y * v for y, v in zip(q, r, strict=True)) for r in MATRIX) == c.solution.value


def weights(c: Case, seat: int) -> dict[int, Fraction]:
    """The player's optimal mixture, by strategy."""
    found = (c.solution.row, c.solution.column)[seat]
    return {k: Fraction(p) for k, p in (found.items() if isinstance(found, dict) else enumerate(found)) if p}


def pays(seat: int, mine: int, others: dict[int, Fraction]) -> Fraction:
    """What the row player gets if the player in this seat plays `mine` against a mixture."""
    return sum((q * (MATRIX[mine][k] if seat == 0 else MATRIX[k][mine]) for k, q in others.items()), Fraction(0))


def mixed_policy(c: Case) -> None:
    for seat in (0, 1):
        assert dict(c.solution.policy(seat)) == weights(c, seat)


def mixed_evaluate(c: Case) -> None:
    """A strategy against the best reply to it, and against a given one."""
    for seat, replies in ((0, range(len(MATRIX[0]))), (1, range(len(MATRIX)))):
        found = c.solution.evaluate(2, seat=seat)
        worst = (min if seat == 0 else max)(pays(1 - seat, k, {2: Fraction(1)}) for k in replies)
        assert found.value == found.low == found.high == worst
        assert found.loss == (c.reference.value - worst) * (1 if seat == 0 else -1)
        assert c.solution.evaluate(2, 1, seat=seat).value == pays(seat, 2, {1: Fraction(1)})
        assert c.solution.evaluate(weights(c, seat), seat=seat).value == c.reference.value


def mixed_best_response(c: Case) -> None:
    for seat, own in ((0, range(len(MATRIX))), (1, range(len(MATRIX[0])))):
        opponent = {0: Fraction(1, 3), 2: Fraction(2, 3)}
        best = (max if seat == 0 else min)(pays(seat, k, opponent) for k in own)
        found = c.solution.best_response(opponent, seat=seat)
        assert found.value == pays(seat, found.strategy, opponent) == best
        assert found.gain == (best - c.reference.value) * (1 if seat == 0 else -1)


def mixed_distribution(c: Case) -> None:
    law = c.solution.distribution()
    assert law.mean == c.reference.value
    for paid in {v for row in MATRIX for v in row}:
        pairs = ((p * q, MATRIX[i][j]) for i, p in weights(c, 0).items() for j, q in weights(c, 1).items())
        assert law.probability(paid) == sum(chance for chance, v in pairs if v == paid)


def mixed_length(c: Case) -> None:
    assert tuple(c.solution.length) == (1, 0, 0, 0, 1, 1)


def mixed_dataframe(c: Case) -> None:
    frame = c.solution.to_dataframe()
    assert sorted(p for p in frame["exact probability"] if p) == sorted([*weights(c, 0).values(), *weights(c, 1).values()])
    for who, strategy, paid in zip(frame["player"], frame["strategy"], frame["exact payoff"], strict=True):
        seat = int(who == "column player")
        assert paid == pays(seat, strategy, weights(c, 1 - seat))


def mixed_save(c: Case) -> None:
    c.solution.save(c.folder / "stored")
    found = zermelo.open(c.folder / "stored")
    assert (found.row, found.column, found.value) == (c.solution.row, c.solution.column, c.solution.value)
    assert found.certificate == c.solution.certificate and found.report == c.solution.report and type(found) is type(c.solution)
    mixed_evaluate(replace(c, solution=found))


def mixed_simulate(c: Case) -> None:
    played = c.solution.simulate(PLAYS, seed=1)
    assert abs(played.total.z or 0) < ERRORS and played.totals == c.solution.simulate(PLAYS, seed=1).totals


def mixed_play(c: Case) -> None:
    """Every strategy is played once, from either seat: what it gets, and what it costs on average."""
    for seat, sign in ((0, 1), (1, -1)):
        session = play_mixed.Session(c.solution, seat, seed=3)
        own, other = session.known.strategies[seat], session.known.strategies[1 - seat]
        for place, strategy in enumerate(own):
            played = session.act(place)
            met = other[session.known.names[1 - seat].index(played.other)]
            assert played.result == sign * (MATRIX[strategy][met] if seat == 0 else MATRIX[met][strategy])
            near(played.loss, sign * (c.solution.value - pays(seat, strategy, weights(c, 1 - seat))))
        assert session.account == sum(r.result for r in session.rounds)


def mixed_simulate_policy(c: Case) -> None:
    """The mean and all payoffs are those of the strategies that were given, from either seat."""
    for seat, rest in ((0, {0: Fraction(1, 4), 1: Fraction(3, 4)}), (1, None)):
        played = c.solution.simulate(PLAYS, seed=1, policy=2, opponent=rest, seat=seat)
        met = rest or weights(c, 1 - seat)
        assert abs(played.mean - float(pays(seat, 2, met))) <= ERRORS * played.standard_error + NEAR and played.total.value is None
        assert set(played.distribution) == {MATRIX[2][k] if seat == 0 else MATRIX[k][2] for k in met}
    with pytest.raises(ZermeloError):
        c.solution.simulate(PLAYS, policy=99)


def mixed_exact(c: Case) -> str:
    found = solve(c, exact=True)
    assert found.is_exact and found.value == c.reference.value
    return str(found.report.engine)


def mixed_tolerance(c: Case) -> str:
    """Without a tolerance the value is proven; with a large one the search ends as soon as its bound is good enough."""
    found = solve(c, tolerance=0.9)
    assert found.low <= c.reference.value <= found.high and found.high - found.low <= Fraction(9, 5)
    assert found.certificate.kind == "bound", "tolerance=0.9 is ignored"
    return str(found.report.engine)


def mixed_gymnasium(c: Case) -> None:
    """Both seats: regrets against the other's optimal mixture, and what the seat is paid."""
    for seat, sign in ((0, 1), (1, -1)):
        env = c.solution.to_gymnasium(seat)
        _, told = env.reset(seed=1)
        met, own = weights(c, 1 - seat), env.table.actions_of[seat]
        assert told["exact_value"] == sign * c.reference.value
        assert told["exact_regret"] == tuple(sign * (c.reference.value - pays(seat, k, met)) for k in own)
        _, paid, over, _, _ = env.step(int(np.argmax(told["mixture"])))
        assert over and paid in {sign * pays(seat, own[int(np.argmax(told["mixture"]))], {k: Fraction(1)}) for k in met}


def mixed_pettingzoo(c: Case) -> None:
    env = c.solution.to_pettingzoo(rows=range(len(MATRIX)), columns=range(len(MATRIX[0])))
    for row, paid in enumerate(MATRIX):
        for column, amount in enumerate(paid):
            _, told = env.reset(seed=1)
            assert [told[agent]["exact_value"] for agent in env.agents] == [c.reference.value, -c.reference.value]
            assert env.step({"player_0": row, "player_1": column})[1] == {"player_0": amount, "player_1": -amount}


# --- players who do not see everything ------------------------------------------------------------------------------------------


def both(c: Case) -> tuple[naive_hidden.Strategy, naive_hidden.Strategy]:
    """The strategies of the solution."""
    return c.solution.policy(0), c.solution.policy(1)


def of_ones_own(c: Case, seat: int) -> naive_hidden.Strategy:
    """Every action with a weight of 1, 2, ... in the order of the rules."""
    every = naive_hidden.sets(c.twin.game)[seat]
    return {seen: {a: Fraction(k, sum(range(len(own) + 1))) for k, a in enumerate(own, 1)} for seen, own in every.items()}


def against(seat: int, mine: Any, other: Any) -> tuple[Any, Any]:
    return (mine, other) if seat == 0 else (other, mine)


def hidden_probe(c: Case) -> None:
    """Values of actions differ, times the probability of getting there, as plays in which one or the other is chosen for certain."""
    tried = 0
    for seat in (0, 1):
        for seen, own in naive_hidden.sets(c.twin.game)[seat].items():
            here = c.solution.probe(seen, seat)
            assert (here.player, here.seen, list(here.actions)) == (seat, seen, own) and sum(here.mixture.values()) == 1
            assert here.mixture == c.solution.policy(seat)[seen]
            changed = [{**c.solution.policy(seat), seen: {a: Fraction(1)}} for a in own]
            worth = [naive_hidden.value(c.twin.game, against(seat, s, c.solution.policy(1 - seat))) for s in changed]
            for value, action in zip(worth, own, strict=True):
                if here.reach:
                    tried += 1
                    assert here.reach * (here.actions[action] - here.actions[own[0]]) == value - worth[0]
    assert tried


def hidden_policy(c: Case) -> None:
    """Each guarantees the value against every reply."""
    for seat, own in enumerate(both(c)):
        assert naive_hidden.best_reply(c.twin.game, 1 - seat, own) == c.reference.value


def hidden_evaluate(c: Case) -> None:
    for seat in (0, 1):
        own, other = of_ones_own(c, seat), of_ones_own(c, 1 - seat)
        found = c.solution.evaluate(own, seat=seat)
        assert found.value == found.low == found.high == naive_hidden.best_reply(c.twin.game, 1 - seat, own)
        assert found.loss == abs(found.value - c.reference.value)
        assert c.solution.evaluate(own, other, seat=seat).value == naive_hidden.value(c.twin.game, against(seat, own, other))


def hidden_best_response(c: Case) -> None:
    for seat in (0, 1):
        other = of_ones_own(c, 1 - seat)
        found = c.solution.best_response(other, seat=seat)
        assert found.value == naive_hidden.best_reply(c.twin.game, seat, other)
        answer = {seen: {action: Fraction(1)} for seen, action in found.policy.items()}
        assert naive_hidden.value(c.twin.game, against(seat, answer, other)) == found.value


def hidden_simulate_policy(c: Case) -> None:
    own, other = of_ones_own(c, 0), of_ones_own(c, 1)
    played = c.solution.simulate(PLAYS, seed=1, policy=own, opponent=other)
    assert abs(played.mean - float(naive_hidden.value(c.twin.game, (own, other)))) <= ERRORS * played.standard_error


def hidden_dataframe(c: Case) -> None:
    frame = c.solution.to_dataframe()
    listed = {(p, seen, a): chance for p, seen, a, chance in frame[["player", "seen", "action", "probability"]].itertuples(index=False)}
    assert listed == {(seat, s, a): float(p) for seat in (0, 1) for s, mixture in both(c)[seat].items() for a, p in mixture.items()}


def hidden_save(c: Case) -> None:
    c.solution.save(c.folder / "stored")
    found = zermelo.open(c.folder / "stored")
    assert both(replace(c, solution=found)) == both(c) and found.value == c.solution.value and found.certificate == c.solution.certificate
    hidden_best_response(replace(c, solution=found))


def hidden_totals(c: Case) -> dict[Fraction, Fraction]:
    """The probability of every payoff, play by play."""
    rules, found = c.rules, {}

    def follow(state: Any, chance: Fraction, paid: Fraction, steps: int) -> None:
        actions = rules.actions(state)
        if not actions:
            key = paid + Fraction(rules.payoff(state)[0]), steps
            found[key] = found.get(key, 0) + chance
        for action in actions:
            share = chance
            for player in naive_hidden.choosers(rules, state):
                share *= both(c)[player][rules.seen(state, player)][naive_hidden.own_part(action, player)]
            outcomes = rules.outcomes(state, action)
            ways = sum(o.ways for o in outcomes)
            for o in outcomes:
                if share and o.ways:
                    follow(o.state, share * Fraction(o.ways, ways), paid + Fraction(o.payoff[0]), steps + 1)

    follow(rules.start, Fraction(1), Fraction(0), 0)
    return found


def hidden_distribution(c: Case, payoff: str | None, at: int) -> None:
    expected: dict[Any, Fraction] = {}
    for key, chance in hidden_totals(c).items():
        expected[key[at]] = expected.get(key[at], Fraction(0)) + chance
    here = c.solution.distribution(payoff)
    assert here.support.tolist() == sorted(expected)
    for number, chance in zip(here.support.tolist(), here.probabilities.tolist(), strict=True):
        near(chance, float(expected[number]))


def hidden_play(c: Case) -> None:
    for seat in (0, 1):
        session = play_hidden.Session(c.solution, seat, seed=3)
        while not session.is_over:
            session.act(max(session.hint(), key=lambda hint: -9.0 if hint[2] is None else hint[2])[0])
        assert session.cost < NEAR


def hidden_gymnasium(c: Case) -> None:
    for seat in (0, 1):
        env = c.solution.to_gymnasium(seat=seat)
        for seed in range(30):
            _, told = env.reset(seed=seed)
            over = False
            while not over:
                _hidden_told(c, env, seat, told)
                _, _, over, _, told = env.step(int(np.argmax(told["mixture"])))


def _hidden_told(c: Case, env: Any, seat: int, told: dict[str, Any]) -> None:
    """What an agent is told at its decision is what plays from there on are worth."""
    if not told["action_mask"].any():
        return
    seen = c.rules.seen(env.at.state, seat)
    own = c.solution.policy(seat)[seen]
    worth = []
    for action in own:
        changed = {**c.solution.policy(seat), seen: {action: Fraction(1)}}
        worth.append((1, -1)[seat] * naive_hidden.value(c.twin.game, against(seat, changed, c.solution.policy(1 - seat))))
    offered = c.solution.probe(seen, seat).reach
    for action, value in zip(own, worth, strict=True):
        k = env.table.numbers[seat][action]
        assert told["exact_mixture"][k] == own[action]
        if offered:
            assert told["exact_regret"][k] * offered == max(worth) - value


def hidden_pettingzoo(c: Case) -> None:
    env = c.solution.to_pettingzoo()
    for seed in range(30):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            _, reward, over, _, told = env.last()
            paid[agent] += reward
            if not over:
                _hidden_told(c, env, env.possible_agents.index(agent), told)
            env.step(None if over else int(np.argmax(told["mixture"])))
        assert paid["player_0"] == -paid["player_1"] != 0


def hidden_length(c: Case) -> None:
    steps = [(key[1], chance) for key, chance in hidden_totals(c).items()]
    mean = sum(n * p for n, p in steps)
    near(c.solution.length.mean, float(mean))
    near(c.solution.length.variance, float(sum(n * n * p for n, p in steps) - mean * mean))


OF_STATES: dict[str, Verb] = {
    "value": value, "probe": probe, "action_value": action_value, "best_action": best_action, "mixtures": mixtures,
    "values": arrays, "to_dataframe": to_dataframe, "to_xarray": to_xarray, "census": census,
    "evaluate": evaluate, "best_response": best_response, "simulate": simulate, "simulate policy": simulate_policy,
    "length": length, "distribution": distribution, "distribution payoff": distribution_of_payoff, "play": play_a_game,
    "frontier": frontier, "save": save, "compress": compress, "export_umb": export_umb, "export_certificate": export_certificate,
    "to_gymnasium": to_gymnasium, "to_pettingzoo": to_pettingzoo,
    "table states": table_of_states, "table actions": table_of_actions, "table lengths": table_of_lengths,
    "plot values": plot_of_values, "plot distances": plot_of_distances, "plot lengths": plot_of_lengths,
}  # fmt: skip
OPTIONS: dict[str, Callable[[Case], str]] = {
    "exact": exact, "discount": discount, "solver": solver, "max_states": max_states, "tolerance": tolerance, "quick": quick,
    "checkpoint": checkpoint, "refine": refine,
}  # fmt: skip
OF_STRATEGIES: dict[str, Callable[[Case], Any]] = {
    "value": mixed_value, "mixtures": mixed_strategies, "best_action": mixed_policy, "evaluate": mixed_evaluate,
    "best_response": mixed_best_response, "distribution payoff": mixed_distribution, "length": mixed_length,
    "to_dataframe": mixed_dataframe, "save": mixed_save, "export_certificate": export_certificate, "simulate": mixed_simulate,
    "simulate policy": mixed_simulate_policy, "play": mixed_play, "to_gymnasium": mixed_gymnasium, "to_pettingzoo": mixed_pettingzoo,
}  # fmt: skip
OF_REPLIES: dict[str, Callable[[Case], Any]] = {**OF_STRATEGIES, "exact": mixed_exact, "tolerance": mixed_tolerance}
OF_HIDDEN: dict[str, Callable[[Case], Any]] = {
    "value": mixed_value, "probe": hidden_probe, "best_action": hidden_policy, "evaluate": hidden_evaluate,
    "best_response": hidden_best_response, "simulate": mixed_simulate, "simulate policy": hidden_simulate_policy,
    "play": hidden_play, "length": hidden_length, "distribution": lambda c: hidden_distribution(c, None, 1),
    "export_certificate": export_certificate, "to_gymnasium": hidden_gymnasium, "to_pettingzoo": hidden_pettingzoo,
    "distribution payoff": lambda c: hidden_distribution(c, "payoff", 0),
    "to_dataframe": hidden_dataframe, "save": hidden_save, "exact": mixed_exact, "tolerance": tolerance, "max_states": max_states,
}  # fmt: skip
WITHOUT: dict[str, dict[str, Callable[[Case], Any]]] = {"replies": OF_REPLIES, "matrix_game": OF_STRATEGIES, "hidden": OF_HIDDEN}
MEMBER = {"simulate policy": "evaluate", "distribution payoff": "distribution", "compress": "save"}  # where it is not the verb's name

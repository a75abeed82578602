"""Every verb on every engine: equal to the general engine, or refused in one line, as tests/capabilities/record.py has it.

If a test fails with "the record says", a verb has started to work or to be refused: change the record and write the page anew
(tests/capabilities/__init__.py says how). If it fails otherwise, the verb's answer is wrong, or its refusal is no sentence.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo
from capabilities.page import GROUPS, PAGE, page
from capabilities.record import COLUMNS, VERBS, observed, recorded
from capabilities.twins import TWIN, TWINS, WITHOUT_STATES, Twin, among_its_like, nothing, solved, solved_generally
from zermelo import HiddenSolution, MatrixSolution, MixedSolution, Solution
from zermelo.errors import NoStates, ZermeloError
from zermelo.views import play

RECORD = recorded()
WITH_STATES = tuple(t for t in TWINS if t.engine not in WITHOUT_STATES)


@pytest.fixture(autouse=True)
def mostly_in_python(request: pytest.FixtureRequest) -> None:
    """Where tests of the engine itself compare it compiled, too: those of urns and of horizons do not ask all verbs."""
    parameters = getattr(request.node, "callspec", None)
    if parameters is None or parameters.params.get("column") not in ("urn", "horizon"):
        request.getfixturevalue("in_python")


@pytest.fixture(autouse=True)
def no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_on_an_engine(verb: str, column: str, tmp_path: Path) -> None:
    found = observed(column, verb, tmp_path)
    assert found == RECORD[verb][column], f"the record says {RECORD[verb][column]!r} for {verb} on {column}, and now it is {found!r}"


@pytest.mark.parametrize("twin", [t for t in TWINS if t.engine != "matrix_game"], ids=lambda t: t.column)
def test_twins_are_solved_by_two_engines(twin: Twin) -> None:
    with among_its_like(twin):
        assert solved(twin.column).report.engine == twin.engine
        assert zermelo.plan(twin.game).engine == ("explored" if twin.engine == "horizon" else twin.engine)  # which gives up on the way
    if twin in WITH_STATES:
        assert solved_generally(twin.column).report.engine == "explored"


def test_the_record_and_the_page_are_of_today() -> None:
    assert set(RECORD) == set(VERBS) == {verb for rows in GROUPS.values() for verb in rows}
    assert PAGE.read_text() == page(), "run: python tests/capabilities/page.py"


# --- nothing is left out ---------------------------------------------------------------------------------------------------

OF_VALUE = {"value", "low", "high", "certificate", "payoffs", "bounds", "is_exact", "report", "statistics", "discount", "length"}
OF_STATES = {
    "probe", "best_action", "policy", "action_value", "moves_after", "census", "farthest", "frontier", "space", "values", "errors",
    "payoff_values", "action_numbers", "distances", "mixtures", "mixtures_at", "to_dataframe", "to_xarray",
}  # fmt: skip
OF_USES = {
    "save", "export_umb", "to_gymnasium", "to_pettingzoo", "export_certificate", "simulate", "distribution", "evaluate", "best_response",
}  # fmt: skip
ABOUT = {  # tried below
    "state", "win_probability", "has_rules", "has_states", "require_states", "require_turns", "counts_moves", "has_stopping_line",
    "property",  # of models: tests/test_models_answers.py
}  # fmt: skip
OF_STRATEGIES = {"row", "column", "players", "shown", "paid"}


def members(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_public_member_is_tried() -> None:
    assert members(Solution) == OF_VALUE | OF_STATES | OF_USES | ABOUT, "a new member: say in capabilities/verbs.py what it must answer"
    assert members(MixedSolution) <= OF_VALUE | OF_USES | OF_STRATEGIES | OF_STATES | ABOUT
    assert members(MatrixSolution) == members(MixedSolution) | {"payoff"}
    assert members(HiddenSolution) <= OF_VALUE | OF_USES | OF_STATES | ABOUT | {"lock"}  # tests/test_lock.py


@pytest.mark.parametrize("column", ["replies", "matrix", "hidden"])
def test_what_is_for_games_with_states_is_refused_without(column: str) -> None:
    solution = solved(column)
    why = "the players do not see the states" if column == "hidden" else "the game has no states"
    for name in sorted(members(Solution) - members(type(solution))):
        with pytest.raises(NoStates, match=f"{type(solution).__name__} has no `{name}`: {why}; ") as caught:
            getattr(solution, name)
        assert isinstance(caught.value, zermelo.OutOfReach) and not hasattr(solution, name)
    with pytest.raises(AttributeError) as other:
        _ = solution.nonsense
    assert not isinstance(other.value, ZermeloError)


@pytest.mark.parametrize("twin", WITH_STATES, ids=lambda t: t.column)
def test_what_solutions_say_about_themselves(twin: Twin) -> None:
    solution, column = solved(twin.column), twin.column
    with among_its_like(twin):
        assert solution.has_states == (RECORD["values"][column] == "yes")
        assert solution.has_stopping_line == (RECORD["frontier"][column] == "yes")
        assert solution.property is None
        assert solution.counts_moves == (RECORD["census"][column] == "yes")
        start, wins = solution.rules.start, getattr(twin.game, "win_probability", None)
        for state in (None, start):
            chance = solution.win_probability() if state is None else solution.win_probability(state)
            expected = None if wins is None else wins(float(solved_generally(column).value))
            assert chance is None if expected is None else chance.value == pytest.approx(expected, abs=1e-12)
        assert solution.has_rules and solution.state(*start) == start == solution.state(**start._asdict())
        for ask, works in ((solution.require_states, solution.has_states), (solution.require_turns, column != "at-once")):
            if works:
                ask("this")
            else:
                with pytest.raises(zermelo.OutOfReach, match="this"):
                    ask("this")


# --- hostile questions -------------------------------------------------------------------------------------------------------


def no_states_of(start: Any) -> Iterator[Any]:
    """Tuples of the right class that can't be reached, and what is no state at all."""

    def like(change: Callable[[int], Any]) -> Any:
        return type(start)(*(tuple(map(change, x)) if isinstance(x, tuple) else change(x) for x in start))

    yield from (like(lambda x: x + 1000), like(lambda x: -5), like(lambda x: 10**30))
    yield from (like(lambda x: x + 0.5), like(lambda x: "a"), like(lambda x: None))
    yield from (like(float), like(Fraction))  # equal to the start, and no whole numbers
    yield from (type(start)(*(() for _ in start)), type(start)(*(np.array([1, 2]) for _ in start)))
    yield type(start)(*((1, 2, 3, 4, 5, 6) for _ in start))
    yield from (tuple(start), list(start), None, 3, "abc", type(start))


NO_ACTIONS = (99, -1, 1.5, "x", (1, 2, 3), [1], np.array([7, 9]), np.int64(99), object())
NO_NUMBERS = (0, -1, 2.5, "x", None, True)
NO_LISTS = (7, 1.5, type(None), [[1]], [{}], np.float64(1))


def refused(ask: Callable[[], Any]) -> None:
    with pytest.raises(ZermeloError) as caught:
        ask()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("twin", WITH_STATES, ids=lambda t: t.column)
def test_what_is_no_state_or_no_action_is_refused(twin: Twin) -> None:
    solution = solved(twin.column)
    start = solution.rules.start
    action = solution.rules.actions(start)[0]
    with among_its_like(twin):
        for state in no_states_of(start):
            for ask in (solution.probe, solution.best_action, solution.policy, lambda s: solution.to_dataframe([s])):
                refused(lambda s=state, ask=ask: ask(s))
            if state is not None:
                refused(lambda s=state: solution.win_probability(s))
            if solution.has_states:
                assert state not in solution.space
            for ask in (solution.action_value, solution.moves_after):
                refused(lambda s=state, ask=ask: ask(s, action))
        for nonsense in NO_ACTIONS:
            for ask in (solution.action_value, solution.moves_after):
                refused(lambda a=nonsense, ask=ask: ask(start, a))
            refused(lambda a=nonsense: play.Session(solution, 0, 1).act(a))
        over = next(s for s in solved_generally(twin.column).space if not solution.rules.actions(s))
        refused(lambda: solution.action_value(over, action))


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_numbers_of_numpy_are_numbers_of_a_state(discount: float) -> None:
    """With a discount their payoffs, numpy's too, overflowed where fractions were added: `OverflowError`."""
    for twin in (TWIN["at-once"], TWIN["acyclic"], TWIN["stages"]):
        solution = zermelo.solve(twin.game, discount=discount)
        start = solution.rules.start
        other = type(start)(*(tuple(map(np.int64, x)) if isinstance(x, tuple) else np.int64(x) for x in start))
        assert solution.probe(other) == solution.probe(start) and repr(solution.probe(other)) == repr(solution.probe(start))
        assert solution.best_action(other) == solution.best_action(start) and solution.policy(other) == solution.policy(start)
        action = solution.rules.actions(start)[0]
        assert solution.action_value(other, action) == solution.action_value(start, action)


@pytest.mark.parametrize("twin", WITH_STATES, ids=lambda t: t.column)
def test_numbers_seats_and_policies_that_do_not_fit_are_refused(twin: Twin) -> None:
    solution = solved(twin.column)
    with among_its_like(twin):
        for number in NO_NUMBERS:
            refused(lambda n=number: solution.simulate(n))
        for seed in (-1, 1.5, "x", None):
            refused(lambda s=seed: solution.simulate(5, seed=s))
        for seat in (2, -1, 0.0, 0.5, "x", None, True):
            refused(lambda s=seat: solution.simulate(5, seat=s))
            refused(lambda s=seat: solution.evaluate(twin.policy, seat=s))
            refused(lambda s=seat: solution.best_response(twin.policy, seat=s))
            refused(lambda s=seat: play.Session(solution, s, 1))
        refused(lambda: solution.evaluate(7))
        refused(lambda: solution.best_response(7))
        refused(lambda: solution.distribution("nonsense"))
        for tail in (-1, 1, "x", None):
            refused(lambda t=tail: solution.distribution(tail=t))
        for index in (-1, 10**6, 1.5, "x"):
            refused(lambda i=index: solution.mixtures_at(i))
        for name in ("", 0, ["payoff"], np.array([1, 2])):
            refused(lambda n=name: solution.distribution(n))
        for answer in ([1], np.array([1, 2]), {}, {"x": []}, {0: None}):
            policy = lambda s, a=answer: a  # noqa: E731
            for ask in (solution.evaluate, solution.best_response, lambda p: solution.simulate(5, policy=p)):
                if twin.policy is not nothing:
                    refused(lambda ask=ask, p=policy: ask(p))
        for listed in NO_LISTS:
            for ask in (solution.to_gymnasium, solution.to_pettingzoo):
                refused(lambda n=listed, ask=ask: ask(actions=n))
        for seat in (2, -1, 0.0, "x", True):
            refused(lambda s=seat: solution.to_gymnasium(s))
        refused(lambda: solution.state(nonsense=3))


@pytest.mark.parametrize("column", [c for c in COLUMNS if RECORD["best_response"][c] == "yes" and TWIN[c] in WITH_STATES])
def test_a_response_says_what_to_do_in_states_only(column: str) -> None:
    with among_its_like(TWIN[column]):
        solution = solved(column)
        answer, start = solution.best_response(TWIN[column].policy).policy, solution.rules.start
        assert answer(start) in solution.rules.own_actions(start)
        for state in no_states_of(start):
            refused(lambda s=state: answer(s))


@pytest.mark.parametrize("column", ["replies", "matrix"])
def test_strategies_and_seats_that_do_not_exist_are_refused(column: str) -> None:
    solution = solved(column)
    unlisted = (-1,) if column == "matrix" else ()  # to Python a row, from the end
    for strategy in (*unlisted, 99, 1.5, "x", None, {99: 1}, {}, {0: -1}, {0: 0.4}):
        refused(lambda s=strategy: solution.evaluate(s))
        refused(lambda s=strategy: solution.best_response(s))
    for seat in (2, -1, 0.0, "x", None, True):
        for ask in (lambda s: solution.evaluate(0, seat=s), lambda s: solution.best_response(0, seat=s), solution.policy):
            refused(lambda s=seat, ask=ask: ask(s))


@pytest.mark.parametrize("twin", TWINS, ids=lambda t: t.column)
def test_places_where_no_file_can_be(twin: Twin, tmp_path: Path) -> None:
    solution = solved(twin.column)
    for place in (tmp_path / "nowhere" / "file", tmp_path, "", None, 7):
        refused(lambda p=place: solution.save(p))
        refused(lambda p=place: solution.export_certificate(p))
        if twin in WITH_STATES:
            refused(lambda p=place: solution.export_umb(p))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("twin", TWINS, ids=lambda t: t.column)
def test_progress_is_told_to_a_function(twin: Twin, tmp_path: Path) -> None:
    solution = solved(twin.column)
    for nonsense in (True, None, 3, "x"):
        for ask in (lambda p: solution.simulate(5, progress=p), lambda p: solution.export_certificate(tmp_path / "c", progress=p)):
            refused(lambda p=nonsense, ask=ask: ask(p))


def test_an_equal_number_is_the_same_action() -> None:
    """The next state had the number that was given, and was refused: "Coins(left=5.0, mover=1) is not a state"."""
    solution = solved("acyclic")
    start = solution.rules.start
    for one in (1.0, np.float64(1), np.int64(1), Fraction(1), np.array([1])):
        assert solution.action_value(start, one) == solution.action_value(start, 1)


@pytest.mark.parametrize("column", ["replies", "matrix"])
def test_what_pays_two_strategies_is_told_what_is_none(column: str) -> None:
    solution = solved(column)
    unlisted = (-1,) if column == "matrix" else ()
    for strategy in (*unlisted, 99, 1.5, "x", None):
        for ask in (lambda s: solution.paid(s, 0), lambda s: solution.paid(0, s)):
            refused(lambda s=strategy, ask=ask: ask(s))
    for side in (2, -1, "x", None, True):
        refused(lambda s=side: solution.shown(s, 0))


def test_states_off_play_of_a_board() -> None:
    """They were refused where a game is a large board's, however few positions it has; and the hint was to ask as one had asked."""
    solution, general = solved("boards"), solved_generally("boards")
    with among_its_like(TWIN["boards"]):
        start = solution.rules.start
        kept = {s.cells for s in general.space}
        cells = [type(start)(c) for c in itertools.permutations(start.cells) if c not in kept]
        answers = {s: general.probe(s, off_play=True).value for s in cells}
        assert answers and all(solution.probe(s, off_play=True).value == v for s, v in answers.items())
    with among_its_like(TWIN["boards+"]), pytest.raises(zermelo.OutOfReach) as caught:
        solved("boards+").probe(cells[0], off_play=True)
    assert "off_play=True" not in str(caught.value) and "working out its value needs tables of all" in str(caught.value)


def test_arrays_of_a_board_go_by_its_space() -> None:
    """`space` numbered positions with gaps, and `values` had none."""
    solution, general = solved("boards"), solved_generally("boards")
    assert [solution.values[solution.space.rank(s)] for s in general.space] == [general.probe(s).value for s in general.space]

"""Play that must end: nothing is claimed of states where the solver took endless play to be worth 0."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.basics.progress import silent
from zermelo.errors import NoValue, OutOfReach
from zermelo.kernels.kernel import only
from zermelo.serve.pictures import heat_map
from zermelo.views.table import states


class At(NamedTuple):
    place: int


class Detour(NamedTuple):
    """At 3 player 1 pays 2 and ends, or pays 2 and goes to 1; there player 0 is paid 1, or goes to 4, where player 1 stays for ever or
    pays 10. So 4 is worth 10, and so is 1; going there costs 12 in all."""

    must_end = True

    def start(self) -> At:
        return At(3)

    def player(self, s: At) -> int:
        return 0 if s.place == 1 else 1

    def actions(self, s: At) -> Iterator[int]:
        if s.place != 2:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 3:
            yield 1, 2, At(2 if action else 1)
        elif s.place == 1:
            yield 1, action, At(2 if action else 4)
        else:
            yield 1, 10 * action, At(2 if action else 4)


def pays(s: At) -> int:
    return int(s.place == 4)


@pytest.fixture(params=[(False, "interpreted"), (True, "interpreted"), (False, "compiled")], ids=str)
def solution(request: pytest.FixtureRequest) -> Iterator[Any]:
    exact, tier = request.param
    with only(tier):
        yield zermelo.solve(Detour(), exact=exact)


def check_known(solution: Any) -> None:
    start, detour = solution.probe(At(3)), solution.probe(At(1))
    assert solution.value == 2 == start.action_bounds[1][1] and start.action == 1
    for low, high in (start.action_bounds[0], (detour.low, detour.high), detour.action_bounds[0]):
        assert low == -math.inf and high == math.inf  # the true ones are 12, 10 and 10
    assert detour.action_bounds[1] == (1, 1) and "not known" in repr(detour) and "not known" in repr(start)


def test_values_that_are_not_known_have_no_bounds(solution: Any) -> None:
    check_known(solution)
    assert any("in 2 of 4 states (one is At(place=4)) the value is not told" in note for note in solution.report.notes)


def test_files_and_certificates_claim_no_more(solution: Any, tmp_path: Path) -> None:
    solution.save(tmp_path / "file")
    check_known(zermelo.open(tmp_path / "file", Detour))
    solution.export_certificate(tmp_path / "proof")
    verdict = zermelo.verify(tmp_path / "proof", Detour())
    assert verdict.verified and verdict.assumes == ("must_end",)


def test_best_play_there_is_not_relied_on(solution: Any) -> None:
    for ask in (solution.evaluate, lambda policy, seat: solution.simulate(5, policy=policy, seat=seat)):
        with pytest.raises(OutOfReach, match="this play comes to .*, where best play is not known"):
            ask(pays, seat=1)
    assert solution.evaluate(lambda s: 1, seat=1).value == 2  # which does not come there
    both = solution.evaluate(pays, lambda s: 0, seat=1)
    assert both.value == 12 and both.loss == 10 and not both.mistakes
    assert solution.simulate(5, policy=pays, opponent=lambda s: 0, seat=1).mean == 12
    assert solution.best_response(pays, seat=0).value == 12
    with pytest.raises(OutOfReach, match="best play is not known"):
        solution.to_gymnasium(seat=1)


def test_plays_that_never_end_have_no_mean(solution: Any) -> None:
    for ask in (solution.evaluate, lambda policy, opponent: solution.simulate(5, policy=policy, opponent=opponent)):
        with pytest.raises(NoValue, match="what never ends is worth infinitely much"):
            ask(lambda s: 0, lambda s: 0)


def test_exact_values_that_are_known_stay_exact() -> None:
    start = zermelo.solve(Detour(), exact=True).probe(At(3))
    assert start.action_bounds[1] == (Fraction(2), Fraction(2)) and start.low == start.high == Fraction(2)


class Waits(NamedTuple):
    """At 0 player 1 waits, for 1, or pays 3 and goes to 1; there player 0 ends, or is paid 2 more and ends."""

    must_end = True

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return 1 - s.place

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 1:
            yield 1, 2 * action, At(2)
        else:
            yield 1, 1 + 2 * action, At(action)


def test_a_best_response_is_told_or_infinite() -> None:
    """Both were refused, with the advice to give both policies, which a best response can't be given."""
    for exact in (False, True):
        solution = zermelo.solve(Waits(), exact=exact)
        assert solution.value == 5 and solution.best_response(lambda s: 0, seat=1).value == 3
        with pytest.raises(NoValue, match=r"Waits: infinite. Against this policy play need not end \(from At\(place=0\)\)"):
            solution.best_response(lambda s: 0)
        assert solution.best_response(lambda s: 1).value == 5


class Trap(NamedTuple):
    """Player 1 alone pays 3 and ends, or goes to 1, where `pay` is paid for ever; with `back` he can leave there."""

    pay: int = 1
    back: bool = False

    must_end = True

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return 1

    def actions(self, s: At) -> Iterator[int]:
        if s.place < 2:
            yield 0
            if s.place == 0 or self.back:
                yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        yield 1, self.pay if action == 0 else 3, At(1 if action == 0 else 2)


@pytest.mark.parametrize("exact", [False, True])
def test_where_only_other_states_are_infinite_there_is_a_value_out_of_reach(exact: bool) -> None:
    """`NoValue` was raised, in one line with "at the start the value is finite"; and of negative payoffs it was said that they add up."""
    with pytest.raises(OutOfReach, match=r"finite, but play need not end in 1 of 3 states \(one is At\(place=1\)\), which costs without"):
        zermelo.solve(Trap(), exact=exact)
    with pytest.raises(OutOfReach, match="with `must_end` no payoff along the way may be negative, and an outcome pays -1 at"):
        zermelo.solve(Trap(-1, True), exact=exact)
    assert zermelo.solve(Trap(1, True), exact=exact).value == 3


class Mirrored(NamedTuple):
    """The same with two names for the place in between, 1 and 5, which are symmetric."""

    must_end = True

    def start(self) -> At:
        return At(3)

    def player(self, s: At) -> int:
        return 0 if s.place == 1 or s.place == 5 else 1

    def actions(self, s: At) -> Iterator[int]:
        if s.place != 2:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 3 and action == 0:
            yield 1, 2, At(1)
            yield 1, 2, At(5)
        elif s.place == 3:
            yield 1, 2, At(2)
        elif s.place == 4:
            yield 1, 10 * action, At(2 if action else 4)
        else:
            yield 1, action, At(2 if action else 4)

    def symmetries(self, s: At) -> Iterator[At]:
        if s.place == 1 or s.place == 5:
            yield At(6 - s.place)


def test_nor_where_symmetric_states_are_kept_apart() -> None:
    with only("interpreted"):
        solution = zermelo.solve(Mirrored())
        with pytest.raises(OutOfReach, match="where best play is not known"):
            solution.evaluate(pays, seat=1)


def test_tables_maps_and_arrays_claim_nothing_either(solution: Any) -> None:
    """They had 1 and 0, what the solver took these states to be worth, without a word."""
    places = solution.space.columns["place"].tolist()
    unknown = [places.index(1), places.index(4)]
    assert np.flatnonzero(np.isnan(solution.values)).tolist() == sorted(unknown)
    assert np.flatnonzero(np.isnan(solution.payoff_values)).tolist() == sorted(unknown)
    assert all(solution.action_numbers[unknown] == -1)
    frame = solution.to_dataframe()
    assert frame["value"].isna().tolist() == np.isnan(solution.values).tolist() and frame["action"].isna().sum() == 3
    assert solution.to_dataframe([At(4), At(3)])["value"].isna().tolist() == [True, False]
    assert int(np.isnan(solution.to_xarray()["value"]).sum()) == 2
    rows = {row[0]: row[1:] for row in states(solution).rows}
    assert rows[1] == rows[4] == ("not known", "") and rows[3] == (2.0, "1")
    found = heat_map(solution, None, None, None, silent)
    assert found["values"] == found["shown"] == [{1: None, 2: 0.0, 3: 2.0, 4: None}[place] for place in found["at"]["place"]]
    assert found["said"] == dict.fromkeys([found["at"]["place"].index(1), found["at"]["place"].index(4)], "not known")
    assert [found["best"][found["at"]["place"].index(place)] for place in (1, 4)] == [-1, -1]


class Rebate(Detour):
    """At 4, player 1 is paid for going on."""

    def outcomes(self, s: At, action: int) -> Iterator[tuple[int, int, At]]:
        if s.place == 4:
            yield 3, 1, At(2)
            yield 1, -3, At(2)
        else:
            yield 1, 1, At(2 if action else 4)


def test_a_negative_payoff_is_told_with_the_state() -> None:
    with only("interpreted"), pytest.raises(OutOfReach, match=r"and an outcome pays -3 at At\(place=4\)"):
        zermelo.solve(Rebate())


class Meeting(NamedTuple):
    """Both choose one of two places until they meet; every attempt costs player 1."""

    must_end = True

    def start(self) -> At:
        return At(0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 0:
            yield 0
            yield 1

    other_actions = actions

    def outcomes(self, s: At, action: int, other: int) -> Iterator[tuple[int, int, At]]:
        yield 1, 1, At(1 if action == other else 0)


def test_strategies_of_both_are_followed_where_both_choose_at_once() -> None:
    """They were refused, although play is a chain then."""
    solution = zermelo.solve(Meeting())
    assert solution.value == 2

    def seldom(s: At) -> dict[int, float]:
        return {0: 0.25, 1: 0.75}

    for seat in (0, 1):
        found = solution.evaluate(seldom, lambda s: 0, seat=seat)
        assert found.value == 4 and found.loss == 2 * (-1) ** (1 - seat) and found.low <= 4 <= found.high
        assert abs(solution.simulate(1000, policy=seldom, opponent=lambda s: 0, seat=seat).mean - 4) < 0.6
    for verb in (solution.evaluate, lambda policy, opponent: solution.simulate(5, policy=policy, opponent=opponent)):
        with pytest.raises(NoValue, match=r"play can cycle forever through At\(place=0\) .* while payoffs go on"):
            verb(lambda s: 0, lambda s: 1)


def test_a_strategy_is_judged_alone_where_both_choose_at_once() -> None:
    """One of the two had to be given in addition."""
    solution = zermelo.solve(Meeting())

    def seldom(s: At) -> dict[int, float]:
        return {0: 0.25, 1: 0.75}

    for seat in (0, 1):
        found = solution.evaluate(lambda s: 0, seat=seat)
        assert found.low <= 2 <= found.high and found.high - found.low < 1e-9 and found.loss < 1e-9
        assert abs(solution.simulate(1000, policy=lambda s: 0, seat=seat).mean - 2) < 0.5
    assert solution.best_response(seldom, seat=1).value == pytest.approx(4 / 3)  # who wants it to end chooses 1
    assert solution.best_response(seldom, seat=0).value == pytest.approx(4)
    with pytest.raises(NoValue, match=r"infinite\. Against this policy play need not end \(from At\(place=0\)\)"):
        solution.best_response(lambda s: 0, seat=0)


class Waiting(Meeting):
    """Player 1 may also pay 3 to go where meeting and missing each other costs nothing."""

    def actions(self, s: At) -> Iterator[int]:
        if s.place != 1:
            yield 0
            yield 1

    def other_actions(self, s: At) -> Iterator[int]:
        if s.place != 1:
            yield 0
            yield 1
        if s.place == 0:
            yield 2

    def outcomes(self, s: At, action: int, other: int) -> Iterator[tuple[int, int, At]]:
        if other == 2:
            yield 1, 3, At(2)
        else:
            yield 1, 1 - s.place // 2, At(1 if action == other else s.place)


def test_a_strategy_alone_is_not_judged_by_states_of_which_nothing_is_known() -> None:
    solution = zermelo.solve(Waiting())
    assert solution.value == 2 and any("the value is not told" in note for note in solution.report.notes)
    assert solution.evaluate(lambda s: 0).high - 2 < 1e-9

    def goes(s: At) -> Any:
        return 2 if s.place == 0 else {0: 0.5, 1: 0.5}

    for alone in (partial(solution.evaluate, seat=1), lambda policy: solution.simulate(5, policy=policy, seat=1)):
        with pytest.raises(OutOfReach, match=r"comes to At\(place=2\), where best play is not known, .*; give both policies"):
            alone(goes)
    assert solution.evaluate(goes, lambda s: 0, seat=1).value == 3
    assert solution.best_response(goes, seat=0).value == 3
    assert solution.best_response(lambda s: 0, seat=1).value == 1
    with pytest.raises(NoValue, match="infinite"):
        solution.best_response(lambda s: 2 if s.place == 0 else 0, seat=0)

"""Which engine and which solver take a game under which options, in today's order, and how what none takes is refused.

What the engines of stages and of entries give up on goes to the general engine: test_stages.py and test_entries.py have such games.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from limits import FEW_POSITIONS, MOST_EXACT, MOST_STORED, lowered
from zermelo import Backward, Cyclic, Retrograde, Simultaneous
from zermelo.errors import OutOfReach, ParameterError, ZermeloError
from zermelo.games import (
    BinarySearch,
    CardDraw,
    CoinPatterns,
    Dodgem,
    Dreidel,
    ExactPig,
    GobbletGobblers,
    HogSimultaneous,
    KuhnPoker,
    LeftCenterRight,
    Pig,
    SolitairePig,
    TenThousandRace,
)
from zermelo.kernels.kernel import only

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from chow_robbins import ChowRobbins  # noqa: E402
from goofspiel import Goofspiel  # noqa: E402
from matches import Matches  # noqa: E402

CHECKPOINT = "run"
TIC_TAC_TOE = GobbletGobblers(1, 5, False)
DECK, LARGE_DECK = CardDraw(6, 6), CardDraw(3000, 3000)
STAGED, ENTERED = LeftCenterRight(3, 1), TenThousandRace(goal=2)
HIDDEN, AT_ONCE = BinarySearch(5), HogSimultaneous(5, 3)
REPLIES = "by best responses"
IN_TABLE = "in a table of codes"
EXACT: Mapping[str, Any] = {"exact": True}
CHEAPER: Mapping[str, Any] = {"discount": 0.5}


class Refused(NamedTuple):
    error: type[ZermeloError]
    says: str


def taken_by(solution: Any) -> str:
    """What solved a game: the name that its statistics give, and what they do not tell."""
    if isinstance(solution, zermelo.MixedSolution):
        return REPLIES
    solver = str(solution.statistics["solver"])
    return f"{solver} {IN_TABLE}" if "table" in solution.statistics else solver


TAKEN: list[tuple[Any, Mapping[str, Any], str]] = [
    # Best replies: no states at all.
    (HIDDEN, {}, REPLIES),
    (HIDDEN, EXACT, REPLIES),
    (BinarySearch(30), {"tolerance": 1e-3}, REPLIES),
    # An urn is swept if it is large, more so for floats than for fractions; or if a checkpoint is given.
    (DECK, {}, "Backward"),
    (DECK, EXACT, "Backward"),
    (DECK, CHEAPER, "Backward"),
    (DECK, {"solver": Cyclic()}, "Cyclic"),
    (CardDraw(200, 200), {}, "Backward"),
    (LARGE_DECK, {}, "UrnSweep"),
    (CardDraw(71, 71), {"tolerance": 1e-9}, "Backward"),
    (CardDraw(71, 71), {"tolerance": 1e-9, "exact": True}, "Backward"),
    (CardDraw(71, 71), {"tolerance": 1e-9, "discount": 0.5}, "Backward"),
    (CardDraw(71, 71), {"checkpoint": CHECKPOINT}, "UrnSweep"),
    # Stages: pure chance, in floats, undiscounted; else the general engine.
    (STAGED, {}, "Stages"),
    (STAGED, {"tolerance": 1e-9}, "Stages"),
    (Dreidel(2, 2), {}, "Stages"),
    (STAGED, {"checkpoint": CHECKPOINT}, "Stages"),
    (STAGED, EXACT, "Cyclic"),
    (STAGED, CHEAPER, "Cyclic"),
    (STAGED, {"solver": Cyclic()}, "Cyclic"),
    # Stages with decisions, likewise.
    (ENTERED, {}, "Entries"),
    (ENTERED, {"tolerance": 1e-9}, "Entries"),
    (ENTERED, {"checkpoint": CHECKPOINT}, "Entries"),
    (ENTERED, EXACT, "Cyclic"),
    (ENTERED, CHEAPER, "Cyclic"),
    (ENTERED, {"solver": Cyclic()}, "Cyclic"),
    # Ranked positions are explored if they are few; so are those of games that are not won, drawn or lost.
    (TIC_TAC_TOE, {}, "Retrograde"),
    (TIC_TAC_TOE, EXACT, "Retrograde"),
    (TIC_TAC_TOE, CHEAPER, "Backward"),
    (TIC_TAC_TOE, {"solver": Cyclic()}, "Cyclic"),
    (Dodgem(2), {}, "Retrograde"),
    (ExactPig(5), {}, "Cyclic"),
    # The general engine chooses by the structure: at once, won or lost without chance, acyclic, any.
    (AT_ONCE, {}, "Simultaneous"),
    (AT_ONCE, CHEAPER, "Simultaneous"),
    (AT_ONCE, {"solver": Simultaneous()}, "Simultaneous"),
    (Goofspiel(2), EXACT, "Simultaneous"),
    (Matches(9), {}, "Retrograde"),
    (Matches(9), {"solver": Backward()}, "Backward"),
    (Matches(9), CHEAPER, "Backward"),
    (Pig(5), {}, "Cyclic"),
    (Pig(5), EXACT, "Cyclic"),
    (CoinPatterns(flips=5), {}, "Backward"),
    (SolitairePig(4), {}, "Backward"),
    (ChowRobbins(20), {}, "Backward"),
    (ChowRobbins(20), {"solver": Cyclic()}, "Cyclic"),
]

WHEN_LARGE: list[tuple[tuple[Any, str], Any, Mapping[str, Any], str]] = [  # with a limit lowered to nothing
    (FEW_POSITIONS, GobbletGobblers(1, 3), {}, f"Retrograde {IN_TABLE}"),
    (FEW_POSITIONS, Dodgem(2), {}, f"Retrograde {IN_TABLE}"),
    (FEW_POSITIONS, Dodgem(2), {"tolerance": 1e-9}, f"Retrograde {IN_TABLE}"),
    (FEW_POSITIONS, TIC_TAC_TOE, CHEAPER, "Backward"),
    (FEW_POSITIONS, TIC_TAC_TOE, {"solver": Cyclic()}, "Cyclic"),
    (FEW_POSITIONS, ExactPig(5), {}, "Cyclic"),  # there is chance in it
    (FEW_POSITIONS, Matches(9), {}, "Retrograde"),  # it ranks no positions
    (FEW_POSITIONS, STAGED, {}, "Stages"),  # it has a `space`, but one a stage
    (MOST_STORED, DECK, {}, "UrnSweep"),
    (MOST_STORED, DECK, EXACT, "Backward"),
    (MOST_EXACT, DECK, EXACT, "UrnSweep"),
    (MOST_EXACT, DECK, {}, "Backward"),
    (MOST_STORED, Pig(5), {}, "Cyclic"),  # no urn
]

UNFIT = "does not take this game"
TOO_LARGE = "its urn has 9,006,001 states, more than 9,000,000 states (max_states)"
IN_ONE_GO = (
    "takes no checkpoint: a checkpoint is for sweeps over the stages of an urn, regret minimisation, games in stages (`stage` with "
    "`space` or `entries`), and board games that declare `space`"
)
BY_REPLIES = "is a game given by best responses and takes no "
REFUSED: list[tuple[Any, Mapping[str, Any], Refused]] = [
    (DECK, {"discount": 0}, Refused(ParameterError, "discount must be greater than 0 and at most 1, not 0")),
    (DECK, {"discount": Fraction(9, 10)}, Refused(
        ParameterError, "discount must be a float greater than 0 and at most 1, such as 0.9, not Fraction(9, 10)")),
    (DECK, {"discount": True}, Refused(ParameterError, "discount must be greater than 0 and at most 1, not True")),
    (DECK, {"max_states": 0}, Refused(ParameterError, "max_states must be a whole number of at least 1, not 0")),
    (DECK, {"tolerance": 0}, Refused(ParameterError, "tolerance must be a number between 0 and 1")),
    (HIDDEN, CHEAPER, Refused(ParameterError, BY_REPLIES)),
    (HIDDEN, {"solver": Cyclic()}, Refused(ParameterError, BY_REPLIES)),
    (HIDDEN, {"checkpoint": CHECKPOINT}, Refused(ParameterError, BY_REPLIES)),
    (LARGE_DECK, {"discount": 0.5, "max_states": 9_000_000}, Refused(OutOfReach, TOO_LARGE)),
    (LARGE_DECK, {"solver": Cyclic(), "max_states": 9_000_000}, Refused(OutOfReach, TOO_LARGE)),
    (Pig(5), {"checkpoint": CHECKPOINT}, Refused(ParameterError, IN_ONE_GO)),
    (STAGED, {"exact": True, "checkpoint": CHECKPOINT}, Refused(ParameterError, "with exact or with checkpoint, but not with all of them")),
    (STAGED, {"max_states": 1}, Refused(OutOfReach, "10 states in 3 stages, more than 1 (max_states)")),
    (ENTERED, {"max_states": 1}, Refused(OutOfReach, "more than 1 states")),
    (DECK, {"max_states": 10}, Refused(OutOfReach, "more than 10 states")),
    (STAGED, {"tolerance": 1e-17}, Refused(OutOfReach, "only; `exact` proves it")),
    (ChowRobbins(20), {"tolerance": 1e-9}, Refused(OutOfReach, "only; bound it more closely")),
    (ChowRobbins(20), EXACT, Refused(ParameterError, "its value is an interval, and can't be exact")),
    (DECK, {"solver": Retrograde()}, Refused(ParameterError, f"Retrograde {UNFIT}: 49 states")),
    (DECK, {"solver": Simultaneous()}, Refused(ParameterError, f"Simultaneous {UNFIT}")),
    (Pig(5), {"solver": Backward()}, Refused(ParameterError, f"Backward {UNFIT}")),
    (ENTERED, {"solver": Backward()}, Refused(ParameterError, f"Backward {UNFIT}")),
    (Matches(9), {"solver": Retrograde(), "discount": 0.5}, Refused(ParameterError, "discounted by 0.5")),
    (AT_ONCE, {"solver": Cyclic()}, Refused(ParameterError, f"Cyclic {UNFIT}")),
    (AT_ONCE, EXACT, Refused(OutOfReach, "both choose at once and play can return to a state")),
    (SolitairePig(4), CHEAPER, Refused(ParameterError, "a game that declares `settled` can't be discounted")),
]


def named(part: Any) -> str | None:
    """The game and the options, for the name of a test."""
    if isinstance(part, dict):
        return ",".join(f"{name}={value}" for name, value in part.items()) or "plain"
    return type(part).__name__ if hasattr(part, "start") or hasattr(part, "rows") else None


def solved(game: Any, options: Mapping[str, Any], directory: Path) -> Any:
    here = {"checkpoint": directory / CHECKPOINT} if "checkpoint" in options else {}
    return zermelo.solve(game, **{**options, **here})


@pytest.mark.parametrize(("game", "options", "engine"), TAKEN, ids=named)
def test_who_takes_a_game(game: Any, options: Mapping[str, Any], engine: str, tmp_path: Path) -> None:
    solution = solved(game, options, tmp_path)
    assert taken_by(solution) == engine
    if options.get("exact"):
        assert solution.certificate.kind == "proof"


def test_how_large_an_urn_in_fractions_is_swept() -> None:
    assert [zermelo.plan(CardDraw(n, n), exact=True).engine for n in (199, 200)] == ["explored", "urn"]


@pytest.mark.parametrize("numbers", [range(10**15), range(10**20), range(100, -(10**15), -1)], ids=str)
def test_a_space_that_is_too_large_is_told_at_once(numbers: range) -> None:
    """`plan` and `zermelo check` went through its ranges, for hours; beyond 64 bits there was a traceback."""
    game = type("Matches", (Matches,), {"space": lambda self: type(self.start())(numbers)})(30)
    for ask in (zermelo.plan, zermelo.solve):
        with pytest.raises(OutOfReach, match=r"^the `space` of Matches has 10*,[\d,]* states, more than 100,000,000 \(max_states\)$"):
            ask(game)


@pytest.mark.parametrize(("limit", "game", "options", "engine"), WHEN_LARGE, ids=named)
def test_who_takes_a_game_that_counts_as_large(
    limit: tuple[Any, str], game: Any, options: Mapping[str, Any], engine: str, tmp_path: Path
) -> None:
    with lowered(limit, 0), only("interpreted"):
        assert taken_by(solved(game, options, tmp_path)) == engine


@pytest.mark.parametrize(("game", "options", "refusal"), REFUSED, ids=named)
def test_what_is_refused(game: Any, options: Mapping[str, Any], refusal: Refused, tmp_path: Path) -> None:
    with pytest.raises(refusal.error) as caught:
        solved(game, options, tmp_path)
    assert type(caught.value) is refusal.error
    assert refusal.says in str(caught.value) and "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir()), "no checkpoint of what is refused"


def test_a_large_board_is_refused_before_it_is_ranked() -> None:
    with lowered(FEW_POSITIONS, 0), pytest.raises(OutOfReach, match="more than 10 states"):
        zermelo.solve(TIC_TAC_TOE, max_states=10)


@pytest.mark.parametrize(
    ("game", "runs"),
    [(Pig(5), "run by Python first; compiled if"), (LARGE_DECK, "a kernel"), (STAGED, "by Python first"), (HIDDEN, "by Python$")],
)
def test_a_plan_says_how_rules_are_run(game: Any, runs: str) -> None:
    found = zermelo.plan(game)
    assert re.search(runs, found.rules) and f"  rules: {found.rules}" in str(found)


def test_a_plan_says_whether_the_compiler_has_seen_the_rules() -> None:
    """Of a game that Python explores in about a third of a second, what the compiler refuses was told or not, as it happened."""
    unseen = "; not compiled here: what only the compiler refuses would show in a larger game"
    with only("interpreted"):
        assert all(zermelo.plan(game).rules.endswith(unseen) for game in (Pig(5), STAGED, KuhnPoker(), TIC_TAC_TOE))
    with only("compiled"):
        assert unseen not in zermelo.plan(Pig(5)).rules
    assert unseen not in zermelo.plan(LARGE_DECK).rules


@pytest.mark.parametrize("path", ["", ".", Path()])
def test_a_checkpoint_is_not_the_current_folder(path: Any) -> None:
    with pytest.raises(ParameterError, match="checkpoint must name a file, or a folder of its own for a board game"):
        zermelo.plan("gobblet", checkpoint=path)

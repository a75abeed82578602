"""Published numbers: how they are compared, and that each is reproduced or known to be wrong."""

from fractions import Fraction

import pytest

from zermelo.errors import NoValue, ParameterError
from zermelo.games.catalogue import COMMANDS
from zermelo.puzzles import NAMES as PUZZLES
from zermelo.reproduce import Bench, Claim, Tally, all_claims, claims_of, judge, verdicts
from zermelo.reproduce.claim import AGREES, NOT_REPRODUCED, WRONG, agree, tally

SLOW = {"card-draw.simulation", "card-draw.1000", "gobblet.230", "gobblet.230-value", "dreidel.reference"} | {
    c.id for c in all_claims() if c.id.startswith("gobblet.3")
}
SLOW |= {f"ten-thousand-race.{name}" for name in ("60", "100", "200", "scores", "rolls", "pressing-on")}
SLOW |= {"farkle.200", "farkle.head-start", "connect-four.45", "connect-four.54"}  # the last count positions one by one


@pytest.fixture(scope="module")
def bench():
    return Bench()


QUICK = [c for c in all_claims() if c.id not in SLOW and not c.id.endswith("-5")]


@pytest.mark.parametrize("claim", QUICK, ids=lambda c: c.id)
def test_published_numbers(bench, claim):
    verdict = judge(claim, bench)
    assert verdict.is_expected, verdict.ours
    assert (verdict.text == WRONG) == bool(claim.right)


@pytest.mark.slow
def test_all_published_numbers():
    assert all(v.is_expected for v in verdicts(all_claims(), lambda *_: None))


def test_claims_have_names_of_their_own_and_sources():
    claims = all_claims()
    assert len({c.id for c in claims}) == len(claims)
    assert all(c.source and c.printed and c.what for c in claims)
    assert {c.game for c in claims} == {*COMMANDS, *PUZZLES, "blackjack"}


def test_claims_of_a_game():
    assert {c.game for c in claims_of("pig")} == {"pig"}
    with pytest.raises(ParameterError, match="did you mean pig"):
        claims_of("pgi")


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("2.62", 2.624475, True),
        ("2.62", 2.6249999, True),
        ("2.62", 2.6251, False),
        ("20", 20, True),
        ("20", 19, False),
        ("1/3", Fraction(1, 3), True),
        ("1/3", 1 / 3, False),
        ("-0.5", -0.538, True),
        ("roll", "roll", True),
        ("roll", "stop", False),
    ],
)
def test_agreement_to_the_printed_digits(printed, ours, same):
    assert agree(printed, ours) == same


def claim(printed, ours, right=""):
    return Claim("x", "pig", "somebody", "a number", printed, lambda bench: ours, right)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (claim("2.62", 2.6245), AGREES),
        (claim("2.63", 2.6245), NOT_REPRODUCED),
        (claim("2.63", 2.6245, "2.62"), WRONG),
        (claim("2.62", 2.6245, "2.62"), NOT_REPRODUCED),
        (claim("2.63", 2.7, "2.62"), NOT_REPRODUCED),
        (claim("3 numbers", Tally(3, 3)), AGREES),
        (claim("3 numbers", Tally(2, 3)), NOT_REPRODUCED),
    ],
)
def test_verdicts(bench, made, text):
    assert judge(made, bench).text == text


def test_a_game_without_value_is_not_reproduced(bench):
    def compute(bench):
        raise NoValue("it has no value")

    found = judge(Claim("x", "pig", "somebody", "a number", "1", compute), bench)
    assert (found.text, found.ours) == (NOT_REPRODUCED, "it has no value")


def test_a_tally_names_what_fails():
    found = tally([("a", "1.0", 1.04), ("b", "2.0", 2.06)])
    assert (found.agreeing, found.total) == (1, 2) and found.failures == ("b: 2.0 printed, 2.06 here",)


def test_a_game_is_solved_once(bench):
    from zermelo.games import CardDraw

    assert bench.solve(CardDraw(3, 3)) is bench.solve(CardDraw(3, 3))
    assert bench.solve(CardDraw(3, 3), exact=True) is not bench.solve(CardDraw(3, 3))

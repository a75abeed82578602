"""Published numbers: how they are compared, and that each is reproduced or known to be wrong."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from zermelo.errors import NoValue, ParameterError
from zermelo.games.catalogue import COMMANDS
from zermelo.puzzles import NAMES as PUZZLES
from zermelo.reproduce import (
    Bench,
    Claim,
    Tally,
    all_claims,
    blackjack,
    claims_of,
    hog_simultaneous,
    judge,
    lemonade,
    printed_blackjack,
    seats,
    verdicts,
)
from zermelo.reproduce.claim import AGREES, DIFFERS, NOT_REPRODUCED, WRONG, agree, tally

SLOW = {"card-draw.simulation", "card-draw.1000", "gobblet.230", "gobblet.230-value", "dreidel.reference"} | {
    c.id for c in all_claims() if c.id.startswith("gobblet.3")
}
SLOW |= {f"ten-thousand-race.{name}" for name in ("60", "100", "200", "scores", "rolls", "pressing-on")}
SLOW |= {"liars-dice.highest-wild", "liars-dice.lowest-wild", "liars-dice.two-against-one"}  # as liars-dice.five-sides
SLOW |= {"farkle.200", "farkle.head-start", "connect-four.45", "connect-four.54"}  # the last count positions one by one
SLOW |= {"card-draw.2000000", "dodgem.4"}  # as 100,000 + 100,000 cards, and 3 x 3
SLOW |= {"connect-four.45-value", "connect-four.54-value", "gobblet.231-value"}  # as 4 x 4, and (2, 2, 1)
SLOW |= {c.id for c in all_claims() if c.id.startswith(("left-center-right.6", "left-center-right.7"))}  # as 5 players


@pytest.fixture(scope="module")
def bench():
    return Bench()


SMALLER: dict[str, Callable[[Bench], Tally]] = {  # a part of what is compared
    "left-center-right.reference": seats.all_of([(game, text) for game, text in seats.LCR_GAMES if game.players < 6]),
    "blackjack.deviations": lambda _: blackjack.deviations(printed_blackjack.DEVIATIONS[:1]),
    "blackjack.full-memory": lambda _: blackjack.full_memory(printed_blackjack.FULL_MEMORY[::3]),
    "lemonade.many": lambda bench: lemonade.means(bench, {days: lemonade.ASSETS[days] for days in (1, 2, 4)}),  # 10 are a claim
    "hog-simultaneous.values": lambda bench: hog_simultaneous.values(bench, hog_simultaneous.VALUES[::3]),
}
QUICK = [
    c._replace(compute=SMALLER.get(c.id, c.compute)) for c in all_claims() if c.id not in SLOW and not c.id.endswith("-5")
]


@pytest.mark.parametrize("claim", QUICK, ids=lambda c: c.id)
def test_published_numbers(bench, claim):
    verdict = judge(claim, bench)
    assert verdict.is_expected, verdict.ours
    assert (verdict.text in (WRONG, DIFFERS)) == bool(claim.right)
    assert (verdict.text == WRONG) == (claim.mistake is not None)


@pytest.mark.slow
def test_all_published_numbers():
    assert all(v.is_expected for v in verdicts(all_claims(), lambda *_: None))


def test_claims_have_names_of_their_own_and_sources():
    claims = all_claims()
    assert len({c.id for c in claims}) == len(claims)
    assert all(c.source and c.printed and c.what for c in claims)
    assert {c.game for c in claims} == {*COMMANDS, *PUZZLES, "blackjack"}


def test_figures_of_our_own_are_not_said_to_be_published():
    """A published figure names who published it, not how it was computed here."""
    published = {c.source for c in all_claims() if c.is_published}
    assert not [s for s in published if any(word in s for word in (".json", ".md", "recomputed", "counting", "argument"))]
    assert {c.id for c in claims_of("farkle") if c.is_published} == {"farkle.head-start"}


def test_published_figures_and_our_own_are_counted_apart(capsys: pytest.CaptureFixture[str]) -> None:
    from zermelo.cli.output import console
    from zermelo.cli.report import print_verdicts

    sources = ("Author 2001", "Author 2001", "this project's other.json")
    claims = [Claim(f"{k}", "a", source, "what", "1", lambda bench: 1) for k, source in enumerate(sources)]
    made = print_verdicts(claims, (judge(c, Bench()) for c in claims), console())
    said = capsys.readouterr().out
    assert "2 published figures: 2 agree" in said
    assert "1 figure of our own, computed in another way: 1 agrees" in said
    assert [v.as_json()["published"] for v in made] == [True, True, False]


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


def claim(printed, ours, right="", mistaken=None):
    mistake = None if mistaken is None else lambda bench: mistaken
    return Claim("x", "pig", "somebody", "a number", printed, lambda bench: ours, right, mistake=mistake)


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (claim("2.62", 2.6245), AGREES),
        (claim("2.63", 2.6245), NOT_REPRODUCED),
        (claim("2.63", 2.6245, "2.62"), DIFFERS),
        (claim("2.63", 2.6245, "2.62", 2.6301), WRONG),
        (claim("2.63", 2.6245, "2.62", 2.6401), NOT_REPRODUCED),
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


def test_figures_are_printed_as_soon_as_they_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """The name of a game before its first figure, and each figure before the next one is computed."""
    from zermelo.cli.output import console
    from zermelo.cli.report import print_verdicts

    names = ("one", "two", "three")
    claims = [Claim(n, game, "source", n, "1", lambda bench: 1, why="") for game, n in zip(("a", "a", "b"), names, strict=True)]
    seen: list[str] = []

    def found():
        for claim in claims:
            seen.append(capsys.readouterr().out)
            yield judge(claim, Bench())

    assert len(print_verdicts(claims, found(), console())) == 3
    first, second, third = seen
    assert first.startswith("a\n") and "one" not in first
    assert "one" in second and "two" not in second
    assert "two" in third and "\nb\n" in third and "three" not in third
    assert ": 3 agree" in capsys.readouterr().out

"""Published values of games with hidden information."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.games import Battleship, Goofspiel, HoldemRiver, Inspection, KuhnPoker, LeducPoker, LiarsDice, OneCardPoker
from zermelo.reproduce.claim import OWN, Bench, Claim

OPEN_SPIEL = "OpenSpiel, tests of its sequence-form program"
SNYD = "T. Ahle, snyd: table of exact values"


def value_of(game: Any) -> Any:
    """A function that computes the value of a game."""

    def compute(bench: Bench) -> Fraction:
        return bench.solve(game).value  # type: ignore[return-value]

    return compute


CLAIMS = (
    Claim("kuhn-poker.value", "kuhn-poker", "Kuhn 1950", "three cards: the first player's winnings", "-1/18", value_of(KuhnPoker())),
    Claim("one-card-poker.value", "one-card-poker", "G. Gordon, page on one-card poker", "thirteen cards: cents lost a deal, in dollars",
          "0.064", lambda bench: -value_of(OneCardPoker())(bench), why="the page says: about 6.4 cents"),
    Claim("leduc-poker.value", "leduc-poker", OPEN_SPIEL, "six cards: the first player's winnings", "-0.085606424078",
          value_of(LeducPoker())),
    Claim("liars-dice.highest-wild", "liars-dice", OPEN_SPIEL, "a die of six sides each, the highest face wild", "-0.027131782945736",
          value_of(LiarsDice())),
    Claim("liars-dice.lowest-wild", "liars-dice", SNYD, "a die of six sides each, the lowest face wild", "-7/327",
          value_of(LiarsDice(wild=1))),
    Claim("liars-dice.five-sides", "liars-dice", SNYD, "a die of five sides each, no wild face", "-3/25",
          value_of(LiarsDice(sides=5, wild=0)), why="the table had -3/35 until January 2022, which its author put right; "
          "his program's output, kept beside it, has said -3/25 since 2016"),
    Claim("liars-dice.two-against-one", "liars-dice", SNYD, "two dice of four sides against one, no wild face", "345/1696",
          value_of(LiarsDice(2, 1, 4, 0))),
    Claim("inspection.told", "inspection", f"{OWN}solution of Dresher's recursion", "two inspections on four days, the inspectee told",
          "3/11", value_of(Inspection(4, 2, told=True))),
    Claim("inspection.drawn", "inspection", f"{OWN}argument: the inspector draws his days", "one inspection on four days, nobody told",
          "1/2", value_of(Inspection(4, 1))),
    Claim("battleship.one-square", "battleship", f"{OWN}argument: each is found at a time that is uniform",
          "ships of one square among four", "1/4", value_of(Battleship(2, 2, 1, 4))),
    Claim("goofspiel.fair", "goofspiel", f"{OWN}argument: both players are alike", "four cards, bids hidden", "0", value_of(Goofspiel(4))),
    Claim("holdem-river.best-or-nothing", "holdem-river", f"{OWN}argument: bluffs keep the caller indifferent",
          "a pot of 100 and a bet of 100, the best hand or none against one that lies between", "25",
          value_of(HoldemRiver(board="2c 2d 7h 8s Jc", first="2h2s 4d3d", second="AhAs", pot=100, stack=100, bet=100, raises=1))),
)  # fmt: skip

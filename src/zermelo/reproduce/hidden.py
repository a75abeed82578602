"""Published values of games with hidden information: poker and liar's dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.games import KuhnPoker, LeducPoker, LiarsDice
from zermelo.reproduce.claim import Bench, Claim

OPEN_SPIEL = "OpenSpiel, tests of its sequence-form program"
SNYD = "T. Ahle, snyd: table of exact values"


def value_of(game: Any) -> Any:
    """What computes the value of a game."""

    def compute(bench: Bench) -> Fraction:
        return bench.solve(game).value  # type: ignore[return-value]

    return compute


CLAIMS = (
    Claim("kuhn-poker.value", "kuhn-poker", "Kuhn 1950", "three cards: the first player's winnings", "-1/18", value_of(KuhnPoker())),
    Claim("leduc-poker.value", "leduc-poker", OPEN_SPIEL, "six cards: the first player's winnings", "-0.085606424078",
          value_of(LeducPoker())),
    Claim("liars-dice.highest-wild", "liars-dice", OPEN_SPIEL, "a die of six sides each, the highest face wild", "-0.027131782945736",
          value_of(LiarsDice())),
    Claim("liars-dice.lowest-wild", "liars-dice", SNYD, "a die of six sides each, the lowest face wild", "-7/327",
          value_of(LiarsDice(wild=1))),
)  # fmt: skip

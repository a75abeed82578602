"""Published numbers about the small problems."""

from __future__ import annotations

from typing import Any

from zermelo.basics.numbers import decimals
from zermelo.puzzles import ant, bridge, coupons, podiums, whodunit
from zermelo.puzzles.podiums import Reading as Counted
from zermelo.puzzles.whodunit import Reading
from zermelo.reproduce.claim import Bench, Claim, Tally, tally

COUPON_POST = "Possibly Wrong, Inverse Coupon Collector's Problem"
PODIUM_POST = "Possibly Wrong, Counting Olympic medal podiums"
REFERENCE = "this project's {}.json"

ROOTS = {  # inverse_coupon.json, by draws and kinds: root, most likely number
    (10, 5): "5.372712445880344981800419 5",
    (20, 15): "31.17105595937106764956949 31",
    (50, 40): "105.3737124526291841267838 105",
    (365, 200): "268.7093930680911626769425 269",
    (1000, 500): "626.6576975422384858496744 627",
    (5000, 1234): "1257.053980894019197915104 1257",
    (23, 22): "245.442610883619130386081 245",
}
FUBINI = "1 1 3 13 75 541 4683 47293 545835 7087261 102247563 1622632573 28091567595"
MOST_DRAWS = 120
SHEPP = "Shepp 1969, Explicit solutions to some problems of optimal stopping"


def next_to_root(bench: Bench) -> Tally:
    """Whether the most likely number is next to the root, for every number of kinds with a root."""
    pairs = [(n, k) for n in range(3, MOST_DRAWS + 1) for k in range(2, n)]
    return tally([(f"{k} kinds in {n} draws", "next to it", _where(n, k)) for n, k in pairs])


def _where(draws: int, kinds: int) -> str:
    return "next to it" if coupons.is_next_to_root(draws, kinds) else "further away"


def roots(bench: Bench) -> Tally:
    pairs = []
    for (draws, kinds), text in ROOTS.items():
        printed, best = text.split()
        digits = len(printed.partition(".")[2])
        found = coupons.root(draws, kinds, digits)
        assert found is not None
        pairs.append((f"root of {draws}, {kinds}", printed, decimals(found, digits)))
        pairs.append((f"most likely of {draws}, {kinds}", best, str(coupons.most_likely(draws, kinds))))
    return tally(pairs)


def fubini(bench: Bench) -> Tally:
    return tally([(f"b({n})", text, str(podiums.fubini(n))) for n, text in enumerate(FUBINI.split())])


def culprits(problem: int, reading: Reading) -> Any:
    """Initials of the guilty in each explanation."""

    def compute(bench: Bench) -> str:
        found = whodunit.solutions(whodunit.PROBLEMS[problem], reading)
        said = [" or ".join("".join(sorted(name[0] for name in world)) for world in worlds) for worlds in found]
        return "; ".join(said) or "a paradox"

    return compute


def trail(bench: Bench) -> str:
    word = ant.shortest(2)
    assert word is not None
    return f"{ant.written(word)}, one of {ant.chiral(2, len(word))}"


def coupon(name: str, source: str, what: str, printed: str, compute: Any) -> Claim:
    return Claim(f"coupons.{name}", "coupons", source, what, printed, compute)


def podium(name: str, source: str, what: str, printed: str, compute: Any) -> Claim:
    return Claim(f"podiums.{name}", "podiums", source, what, printed, compute)


def suspects(problem: int, reading: Reading, printed: str) -> Claim:
    what = f"problem {problem}, the {reading.value} reading: the guilty"
    return Claim(
        f"whodunit.{problem}-{reading.value}",
        "whodunit",
        REFERENCE.format("whodunit"),
        what,
        printed,
        culprits(problem, reading),
    )


CLAIMS = (
    coupon("next", COUPON_POST, f"most likely number next to the root (n up to {MOST_DRAWS} here)", "7021 pairs", next_to_root),
    coupon("roots", REFERENCE.format("inverse_coupon"), "roots and most likely numbers", "14 numbers", roots),
    *(
        podium(reading.name.lower().replace("_", "-"), PODIUM_POST, f"6 runners, 3 steps: {reading.value}", printed,
               lambda bench, r=reading: podiums.count(6, 3, r))
        for reading, printed in zip(Counted, ("260", "450", "873"), strict=False)  # the post gives no number for its fourth
    ),
    podium("fubini", REFERENCE.format("podium"), "Fubini numbers b(0) to b(12)", "13 numbers", fubini),
    suspects(1, Reading.ACTUAL, "ABCDZ"),
    suspects(1, Reading.POSSIBLE, "a paradox"),
    suspects(2, Reading.POSSIBLE, "ABCDZ"),
    Claim("bridge.constant", "bridge", SHEPP, "where to stop a Brownian bridge", "0.83992", lambda bench: bridge.stopping_constant()),
    Claim("ant.shortest", "ant", REFERENCE.format("ant"), "two letters: the shortest pattern", "001011, one of 2", trail),
)  # fmt: skip

"""Published numbers about coin patterns: HH against HT, and which of two patterns wins more often."""

from __future__ import annotations

from itertools import combinations, islice, product
from typing import Any

from zermelo.games import CoinPatterns
from zermelo.games.coin_patterns_counts import course, cumulants, exact_counts, leads, limit
from zermelo.reproduce.claim import Bench, Claim, Tally, tally

POST = "Possibly Wrong, Another coin flip puzzle"
EKHAD = "Ekhad and Zeilberger 2024, How to Answer Questions ..."
SEGERT = "Segert 2024, abstract"
JANSON = "Janson, Nica and Segert 2025, abstract"
REFERENCE = "this project's coin_patterns.json"
FLIPS = 100
NEVER = "T" * (FLIPS + 1)  # a pattern too long to turn up, so that the lead is the other one's score

COUNTS = {  # coin_patterns.json, by (first, second, flips): sequences that the first wins, the second wins, ties
    ("HH", "HT", 100): "580127949239420834381088427404 615866238418960422359689555420 71656412569848144755925222552",
    ("HHH", "HTH", 50): "482667933761663 535763157594449 107468815486512",
    ("HT", "TH", 100): "316912650057057350374175801344 316912650057057350374175801344 633825300114114700748351602688",
    (
        "HTH",
        "HHT",
        101,
    ): "1090365995599472895749003456478 1159705133086414913577795681889 285230071770570993666607272385",
}


def points(bench: Bench) -> str:
    """The score of THHHT, flip by flip."""
    found = []
    for pattern in ("HH", "HT"):
        game = CoinPatterns(pattern, NEVER)
        state = game.start()
        for coin in "THHHT":
            state = game.after(state, coin)
        found.append(state.lead)
    return "{} : {}".format(*found)


def most(pattern: str) -> Any:
    """The highest score that a sequence of flips can give a pattern."""
    return lambda bench: after_flips(CoinPatterns(pattern, NEVER)).degree() - FLIPS


def after_flips(game: CoinPatterns) -> Any:
    return next(islice(leads(game), FLIPS, None))


def mean_lead(bench: Bench) -> Any:
    return cumulants(after_flips(CoinPatterns()), FLIPS)[0]


def chance(flips: int, who: int) -> Any:
    return lambda bench: exact_counts(CoinPatterns(flips=flips)).probabilities[who]


def from_then_on(bench: Bench) -> str:
    """The number of flips from which on, up to 1000, HT wins more often."""
    last = max(n for n, found in enumerate(course(CoinPatterns(flips=1000))) if found.second <= found.first)
    return f"n >= {last + 1}"


def overlaps(pattern: str) -> int:
    """How far a pattern overlaps itself: the sum of 2^k over all k below its length for which its first k letters are also its last k."""
    return sum(2**k for k in range(1, len(pattern)) if pattern[:k] == pattern[-k:])


def fewer_overlaps(bench: Bench) -> Tally:
    """The pattern that wins more often in the long run, for all pairs of 2 to 4 letters on a fair coin."""
    pairs = []
    for letters in (2, 3, 4):
        for a, b in combinations(map("".join, product("HT", repeat=letters)), 2):
            edge = limit(CoinPatterns(a, b)) or 0.0
            pairs.append((f"{a} against {b}", _winner(a, b, overlaps(b) - overlaps(a)), _winner(a, b, edge)))
    return tally(pairs)


def _winner(first: str, second: str, edge: float) -> str:
    return first if edge > 0 else second if edge < 0 else "neither"


def counts(bench: Bench) -> Tally:
    pairs = []
    for parameters, text in COUNTS.items():
        found = exact_counts(CoinPatterns(*parameters))
        pairs += [(str(parameters), ways, str(ours)) for ways, ours in zip(text.split(), found, strict=True)]
    return tally(pairs)


def by_engine(bench: Bench) -> Tally:
    """The same numbers for HH against HT from the game's rules, by the engine, which knows nothing about coins."""
    found = bench.solve(CoinPatterns(flips=FLIPS), exact=True).payoffs
    pairs = zip(found, COUNTS["HH", "HT", FLIPS].split(), found.values(), strict=True)
    return tally([(name, ways, str(p * 2**FLIPS)) for name, ways, p in pairs])


def claim(name: str, source: str, what: str, printed: str, compute: Any) -> Claim:
    return Claim(f"coin-patterns.{name}", "coin-patterns", source, what, printed, compute)


CLAIMS = (
    claim("example", POST, "THHHT: points for HH and HT", "2 : 1", points),
    claim("most-hh", POST, "100 flips: the most points for HH", "99", most("HH")),
    claim("most-ht", POST, "100 flips: the most points for HT", "50", most("HT")),
    claim("mean", POST, "100 flips: by how much the expected scores differ", "0", mean_lead),
    claim("100-hh", EKHAD, "100 flips: HH wins", "0.4576402592", chance(100, 0)),
    claim("100-ht", EKHAD, "100 flips: HT wins", "0.4858327983", chance(100, 1)),
    claim("200-hh", EKHAD, "200 flips: HH wins", "0.4700634942", chance(200, 0)),
    claim("200-ht", EKHAD, "200 flips: HT wins", "0.4900044947", chance(200, 1)),
    claim("always", SEGERT, "n flips: HT wins more often (n up to 1000 here)", "n >= 3", from_then_on),
    claim("overlaps", JANSON, "who overlaps itself more loses: 2 to 4 letters", "154 pairs", fewer_overlaps),
    claim("counts", REFERENCE, "four pairs, all digits", "12 numbers", counts),
    claim("engine", REFERENCE, "HH and HT, 100 flips, by the general engine", "3 numbers", by_engine),
)

"""Published numbers about the card draw."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.engines.urn.curves import curve
from zermelo.games import CardDraw
from zermelo.games import card_draw_growth as law
from zermelo.games import card_draw_players as players
from zermelo.games import card_draw_single as single
from zermelo.games.card_draw_views import boundary, value_array
from zermelo.reproduce.claim import Bench, Claim, Tally, agree, tally
from zermelo.reproduce.printed_card_draw import C_VALUES, FRACTIONS, R_VALUES, SPREADSHEET, STOP_AT

ESSAY = "Gwern 2022, Problem 14"
PLAYS = 10_000_000
THEIR_MEAN = "2.6243913"  # of as many plays
REFERENCE = "this project's problem14.json"
FAR = 4.0  # standard errors


def value(n: int, exact: bool = False) -> object:
    return lambda bench: bench.solve(CardDraw(n, n), exact).value


def diagonal(printed: str, single: bool = False) -> object:
    """V(t, t) for t = 0, 1, ... as printed; in single precision a unit of the last digit may be lost."""

    def compute(bench: Bench) -> Tally:
        values = value_array(bench.solve(CardDraw()))
        pairs = [(f"V({t},{t})", text, float(values[t, t])) for t, text in enumerate(printed.split())]
        return tally(pairs, (lambda text, ours: abs(float(text) - ours) < 1.1e-6) if single else agree)

    return compute


def spreadsheet(bench: Bench) -> Tally:
    """All 729 cells, printed with four significant digits."""
    values = value_array(bench.solve(CardDraw()))
    rows = [line.split() for line in SPREADSHEET.strip().splitlines()]
    pairs = [
        (f"{26 - i} good, {26 - j} bad", text, float(values[26 - i, 26 - j]) + i - j)
        for i, row in enumerate(rows)
        for j, text in enumerate(row)
    ]
    return tally(pairs, four_digits)


def four_digits(printed: str, ours: float) -> bool:
    scale = 10 ** (3 - math.floor(math.log10(abs(ours)))) if abs(ours) > 1e-9 else 1e9
    return abs(float(printed) - ours) * scale <= 0.5 + 1e-6


def fractions(bench: Bench) -> Tally:
    pairs = [(f"V({n},{n})", text, bench.solve(CardDraw(n, n), exact=True).value) for n, text in FRACTIONS.items()]
    return tally(pairs, lambda text, ours: Fraction(text) == ours)


def stopping(bench: Bench) -> Tally:
    found = boundary(bench.solve(CardDraw(), exact=True))
    return tally([(f"{r} red left", str(b), str(found[r])) for r, b in enumerate(STOP_AT)])


def simulation(bench: Bench) -> Tally:
    """Ten million games here; and the distance of the printed mean of the same number of games from the value."""
    solution = bench.solve(CardDraw())
    ours = solution.simulate(PLAYS, seed=14)
    theirs = (float(THEIR_MEAN) - float(solution.value)) / ours.standard_error
    assert ours.z is not None
    remark = f"mean here {ours.mean:.7f}, z = {ours.z:+.2f}; printed mean: z = {theirs:+.2f}"
    return Tally(sum(abs(z) < FAR for z in (ours.z, theirs)), 2, (), remark)


def omniscient(bench: Bench) -> Fraction:
    """The winnings of a player who knows the order of the cards."""
    return players.with_foresight(*CardDraw())


def fair_coin(bench: Bench) -> Fraction:
    """The expectation of a player who takes every draw for a fair coin."""
    return players.expected_of_a_coin(*CardDraw())


def growth(bench: Bench) -> float:
    """lim V(n, n) / sqrt(n) (Shepp 1969)."""
    return law.growth_constant()


def extrapolated(n: int) -> object:
    """V(n, n) from decks of up to a million cards of a colour; the sweep itself takes minutes (tests/test_urn.py, slow)."""
    return lambda bench: law.extrapolation(curve(10**6, at=law.decades(10**6))).value(n)


def slope(form: str) -> object:
    """The coefficient of sqrt(n) in a fit like the essay's, over exact values."""
    return lambda bench: next(f.coefficients[-1] for f in law.fits(law.essay_values()) if f.name == form)


def slope_of_floats(with_largest: bool) -> object:
    """The coefficient of sqrt(n) in the essay's fit over values in single precision."""
    return lambda bench: law.fits_to(*single.essay_values(with_largest))[law.FORMS.index("sqrt n")].coefficients[-1]


def claim(
    name: str, source: str, what: str, printed: str, compute: object, right: str = "", why: str = "", mistake: object = None
) -> Claim:
    return Claim(f"card-draw.{name}", "card-draw", source, what, printed, compute, right, why, mistake)  # type: ignore[arg-type]


CLAIMS = (
    claim("value", f"{ESSAY}, spreadsheet answer (H. Zheng)", "value, 26 + 26 cards", "2.624475549", value(26)),
    claim("decimals", f"{ESSAY}, Haskell", "the same, 16 digits", "2.624475548993925", value(26, True)),
    claim("fraction", f"{ESSAY}, Haskell", "the same, exact", "41984711742427/15997372030584", value(26, True)),
    claim("values", f"{ESSAY}, R", "values for 0 + 0 to 26 + 26 cards", "27 values, 9 decimals", diagonal(R_VALUES)),
    claim("single", f"{ESSAY}, C", "the same in single precision", "27 values, 6 decimals", diagonal(C_VALUES, True)),
    claim("143", f"{ESSAY}, R", "value, 143 + 143 cards", "6.21519192", value(143)),
    claim(
        "spreadsheet",
        f"{ESSAY}, spreadsheet answer (H. Zheng)",
        "the spreadsheet",
        "729 cells, 4 digits",
        spreadsheet,
        why="as printed, 'Good #' stands over the columns; the cells are right with good cards in rows, bad in columns",
    ),
    claim("simulation", f"{ESSAY}, simulation check", "mean of 10,000,000 games", THEIR_MEAN, simulation),
    claim("omniscient", f"Howe 2014, in {ESSAY}, note 1", "value if the order is known", "4.04", omniscient),
    claim("fair-coin", f"{ESSAY}, R", "value by mistake, the chance of red left at 1/2", "2.86", fair_coin),
    claim(
        "growth",
        f"{ESSAY}, approximating",
        "limit of value / sqrt(cards of a colour)",
        "1/2",
        growth,
        "0.522037675987124",
        "a guess of the essay's; the limit is sqrt(pi) (1 - alpha^2) with Shepp's alpha = 0.839923675692 (Shepp 1969; Ekstrom and "
        "Wanntorp 2009)",
    ),
    claim("100000", f"{ESSAY}, C", "value, 100,000 + 100,000 cards", "165.076", value(100_000)),
    claim(
        "2000000",
        f"{ESSAY}, C with blocks",
        "value, 2,000,000 + 2,000,000 cards",
        "818.1",
        value(2_000_000),
        "738.269222",
        "818.1 is what 2.46 million cards of each colour are worth; how it came about is not known (docs/card-draw.md has what was tried)",
    ),
    claim(
        "133787000",
        f"{ESSAY}, C with blocks and skipping",
        "value, 133,787,000 + 133,787,000 cards, extrapolated",
        "6038.22",
        extrapolated(133_787_000),
    ),
    claim(
        "abstract",
        f"{ESSAY}, abstract",
        "the same",
        "6038.32",
        extrapolated(133_787_000),
        "6038.2169",
        "6,038.32 is what the essay's last fit gives, -0.0146229 + 0.522048 sqrt(n); its text has 6,038.22",
        lambda bench: -0.0146229 + 0.522048 * math.sqrt(133_787_000),
    ),
    claim(
        "fit",
        f"{ESSAY}, approximating",
        "coefficient of sqrt(n), fitted without log(n)",
        "0.522088",
        slope_of_floats(False),
        why="fitted to values in single precision, as the essay's program computes them: 79.11305 for 22,974 cards of each "
        "colour, exactly 79.11653; over exact values it is 0.522116",
    ),
    claim(
        "fit-with-largest",
        f"{ESSAY}, approximating",
        "the same, with 133,787,000 cards added",
        "0.522048",
        slope_of_floats(True),
        why="fitted to values in single precision, too",
    ),
    claim(
        "log-fit",
        f"{ESSAY}, approximating",
        "coefficient of sqrt(n), fitted with log(n)",
        "0.391493",
        slope("log n and sqrt n"),
        "0.521994",
        "fitted to the values and the predictions of all three fits together, as the 91,897 degrees of freedom show; over exact "
        "values alone it is 0.521994",
        lambda bench: single.fit_with_predictions().coefficients[-1],
    ),
    claim("fractions", REFERENCE, "values for 1 + 1 to 26 + 26 cards, exact", "19 fractions", fractions),
    claim("stop", REFERENCE, "black cards left at which to stop, for 0 to 20 red", "21 numbers", stopping),
    claim("1000", REFERENCE, "value, 1000 + 1000 cards", "16.489495866404", value(1000)),
)

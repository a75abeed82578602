"""The coupon collector's problem backwards: n draws have shown k different kinds; how many kinds are there?

Every draw shows one of s kinds, all equally likely, and s is the unknown: for example, the number of words that an author knows.
Cook estimates it, after Brainerd, by the root r of

    g(s) = sum_{j<k} s / (s - j) = n,

and g(s) is the mean number of draws to see k of s kinds. Is that justified? Dawkins maximises the
likelihood of the observation, and "Inverse Coupon Collector's Problem" reports that the integer maximiser is next to the root. That holds
for all n and k. With S(n, k) the ways to share n draws among k kinds (Stirling numbers of the second kind) the likelihood is

    L(s) = S(n, k) s (s - 1) ... (s - k + 1) / s^n,      d/ds ln L(s) = (g(s) - n) / s,

and on s > k - 1 the sum g falls from infinity to k. So L, for real s, rises up to r and falls from there on, and the most likely
whole number is r rounded down or up. Both are never equally likely: L(s) = L(s - 1) would mean (s - 1)^n = (s - k) s^(n - 1), where
s and s - 1 have no factor in common.

Special cases: k = n > 1 (no kind came twice) has no finite estimate, since more kinds are always likelier; k = 1 < n has no
root, and one kind is the most likely number; a single draw gives no information.

Confidence set: all s for which neither tail is too small, P(at most k kinds) > a/2 and P(at least k kinds) > a/2, where
1 - a is the confidence. More kinds mean fewer repetitions, so that the first falls and the second grows with s: the set has no
gaps. Whatever s is, it is missed with probability a at most (a/2 on each side). The tails are exact, with i^n sequences of
draws from each choice of i kinds:

    s^n P(at most k kinds) = sum_{i<=k} (-1)^(k - i) C(s, i) C(s - i - 1, k - i) i^n
                           = (s - k) C(s, k) sum_{i<=k} (-1)^(k - i) C(k, i) i^n / (s - i)      for s > k.

Brainerd 1972 ("On the relation between types and tokens in literary text"), Dawkins 1991 ("Siobhan's problem: the coupon
collector revisited"), J. D. Cook ("Estimating an author's vocabulary"), Possibly Wrong blog.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from numbers import Real
from typing import Any

from zermelo.basics.numbers import decimals, meant, percent_text
from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError
from zermelo.puzzles.sheet import Answer, Sheet

MOST_DRAWS, MOST_DIGITS = 5000, 4000
CONFIDENCE = Fraction(19, 20)
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")  # letters; inside also apostrophes and hyphens


def expected_draws(kinds: int, s: Fraction | int) -> Fraction:
    """g(s): the mean number of draws to see this many of s equally likely kinds; also for fractions s > kinds - 1."""
    kinds = whole("kinds", kinds, 1, MOST_DRAWS)
    if isinstance(s, bool) or not isinstance(s, Real) or not s < math.inf:
        raise ParameterError(f"s must be a number, not {s!r}")
    if s <= kinds - 1:
        raise ParameterError(f"s must be greater than {kinds - 1}: there is no seeing {kinds} kinds of {s}")
    s = meant(s)
    above, below = _sum(s.numerator, s.denominator, 0, kinds)
    return Fraction(above, below)


def _sum(p: int, q: int, start: int, stop: int) -> tuple[int, int]:
    """The sum of p / (p - jq) for start <= j < stop as an unreduced fraction, by halving, so that large numbers are multiplied late."""
    if stop - start == 1:
        return p, p - start * q
    middle = (start + stop) // 2
    (a, b), (c, d) = _sum(p, q, start, middle), _sum(p, q, middle, stop)
    return a * d + b * c, b * d


def compare(draws: int, kinds: int, s: Fraction) -> int:
    """The sign of g(s) - draws for s > kinds - 1, proven: positive to the left of the root, negative to its right."""
    p, q = s.numerator, s.denominator
    scale = q.bit_length() + 2 * (p // q).bit_length() + 40  # enough in all but rare cases
    # in units of 2^-scale; rounded down, and so too small by fewer than `kinds`
    low = sum((p << scale) // (p - j * q) for j in range(kinds))
    if low >= draws << scale:
        return 1 if low > draws << scale else _compare_in_full(draws, kinds, p, q)
    return -1 if low + kinds <= draws << scale else _compare_in_full(draws, kinds, p, q)


def _compare_in_full(draws: int, kinds: int, p: int, q: int) -> int:
    above, below = _sum(p, q, 0, kinds)
    return (above > draws * below) - (above < draws * below)


def root(draws: int, kinds: int, digits: int = 25) -> Fraction | None:
    """The root of g(s) = draws, rounded to this many digits after the point; None if there is none.

    Newton's steps find it in decimals. That it is rounded correctly is proven by the signs half a unit below and above.
    """
    (draws, kinds), digits = check(draws, kinds), whole("digits", digits, 1, MOST_DIGITS)
    if kinds == draws or kinds == 1:
        return None
    unit = 10**digits
    m = round(_newton(draws, kinds, digits) * unit)

    def side(halves: int) -> int:
        """The sign at halves / (2 unit); left of all poles it counts as left of the root."""
        s = Fraction(halves, 2 * unit)
        return compare(draws, kinds, s) if s > kinds - 1 else 1

    while side(2 * m - 1) < m % 2:  # of two that are equally near, the even one
        m -= 1
    while side(2 * m + 1) > -(m % 2):
        m += 1
    return Fraction(m, unit)


def _newton(draws: int, kinds: int, digits: int) -> Fraction:
    """The approximate root. g is convex and falls, so steps from the left never pass the root."""
    left = most_likely(draws, kinds)
    assert left is not None
    with localcontext() as context:
        context.prec = digits + 4 * len(str(left)) + 20
        # left of the root: g(s) >= kinds - 1 + s / (s - kinds + 1), which is `draws` at the first of these
        s = max(Decimal((kinds - 1) * (draws - kinds + 1)) / (draws - kinds), Decimal(left - 1))
        step, enough = Decimal(1), Decimal(10) ** -(digits + 4)
        while step > enough:
            parts = [(j, s - j) for j in range(kinds)]
            slope = sum((j / (part * part) for j, part in parts), Decimal())
            step = (sum((s / part for _, part in parts), Decimal()) - draws) / slope
            s += step
        return Fraction(s)


def most_likely(draws: int, kinds: int) -> int | None:
    """The number of kinds that maximises the likelihood, in whole-number arithmetic; None if there is no finite one."""
    draws, kinds = check(draws, kinds)
    if kinds == draws:
        return None

    def rises(s: int) -> bool:
        """Whether L(s) > L(s - 1)."""
        return (s - 1) ** draws > (s - kinds) * s ** (draws - 1)

    return _last(kinds, rises) if rises(kinds + 1) else kinds


def _last(first: int, holds: Callable[[int], bool]) -> int:
    """The last s from `first` on for which `holds(s)`, if it holds at first and then no longer. `first` isn't tested."""
    step = 1
    while holds(first + step):
        step *= 2
    low, high = first + step // 2 if step > 1 else first, first + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def is_next_to_root(draws: int, kinds: int) -> bool:
    """Whether the most likely number is the root rounded down or up. For 1 < kinds < draws, without computing the root."""
    draws, kinds = check(draws, kinds)
    s = most_likely(draws, kinds)
    if s is None or kinds == 1:
        raise ParameterError(f"kinds must be between 1 and draws, and different from both: {kinds} kinds in {draws} draws have no root")
    is_past = s > kinds and compare(draws, kinds, Fraction(s - 1)) <= 0  # the root is s - 1 or less
    return not is_past and compare(draws, kinds, Fraction(s + 1)) < 0


# --- distribution of the kinds seen if there are s --------------------------------------------------------------------------------


def at_most(draws: int, kinds: int, s: int) -> Fraction:
    """The probability of at most this many kinds in all draws, if there are s."""
    draws, kinds = whole("draws", draws, 1, MOST_DRAWS), whole("kinds", kinds, 0, MOST_DRAWS)
    s = whole("s, the number of all kinds,", s, 1)
    return _at_most(draws, s, _weights(draws, kinds))


def exactly(draws: int, kinds: int, s: int) -> Fraction:
    """The probability of exactly this many kinds, at least one, in all draws, if there are s."""
    kinds = whole("kinds", kinds, 1, MOST_DRAWS)
    return at_most(draws, kinds, s) - at_most(draws, kinds - 1, s)


def _at_most(draws: int, s: int, weights: list[Any]) -> Fraction:
    return Fraction(int(_few(s, weights)), s**draws) if s >= len(weights) else Fraction(1)


def _weights(draws: int, kinds: int) -> list[Any]:
    """(-1)^(k - i) C(k, i) i^n for i <= k kinds, as whole numbers of FLINT: those with thousands of digits are faster there."""
    from flint import fmpz

    choices = fmpz(-1) ** kinds  # C(k, i) with its sign, from one i to the next
    weights = []
    for i in range(kinds + 1):
        weights.append(choices * fmpz(i) ** draws)
        choices = choices * (i - kinds) // (i + 1)
    return weights


def _few(s: int, weights: list[Any]) -> Any:
    """The number of the s^draws sequences that show at most as many kinds as the weights are for; fewer than s."""
    kinds = len(weights) - 1
    factor = (s - kinds) * math.comb(s, kinds)
    # in units of 2^-bits; rounded down, and so too small by fewer than kinds + 1, which the factor makes less than 1
    bits = factor.bit_length() + kinds.bit_length()
    total = sum(((weight << bits) // (s - i) for i, weight in enumerate(weights)), 0 * weights[0])
    return -((-total * factor) >> bits)


def confidence_set(draws: int, kinds: int, confidence: Fraction | float | str = CONFIDENCE) -> tuple[int, int | None]:
    """The least and the greatest number of kinds in the confidence set; None: there is no greatest."""
    draws, kinds = check(draws, kinds)
    tail = (1 - level(confidence)) / 2
    some, fewer = _weights(draws, kinds), _weights(draws, kinds - 1)

    def too_few(s: int) -> bool:
        """Whether this is too few kinds for `kinds` or more of them to be likely: P(fewer than kinds) >= 1 - tail."""
        return _few(s, fewer) * tail.denominator >= (tail.denominator - tail.numerator) * s**draws

    def not_too_many(s: int) -> bool:
        return s == kinds or _few(s, some) * tail.denominator > tail.numerator * s**draws

    low = _last(kinds, too_few) + 1 if too_few(kinds) else kinds
    if kinds == draws:
        return low, None
    return low, _last(kinds, not_too_many)


def level(confidence: Fraction | float | str) -> Fraction:
    """A confidence read exactly as written: 0.95 is 19/20. Raises `ParameterError` unless it is between 0 and 1."""
    text = str(confidence)
    try:
        found = Fraction(text) if "/" in text else _fraction(Decimal(text))
    except (ArithmeticError, ValueError):
        found = Fraction(0)
    if not 0 < found < 1:
        raise ParameterError(f"confidence must be a number between 0 and 1, such as 0.95, not {text}")
    return found


def percent(confidence: Fraction) -> str:
    """A confidence in percent, as people read it; never 100, which none is."""
    text = f"{float(100 * confidence):.12g}"
    return percent_text(confidence) if text == "100" else text


def _fraction(number: Decimal) -> Fraction:
    """The same number; 0 for numbers such as 1e-999999999, which would fill the memory."""
    return Fraction(number) if abs(number.adjusted()) < MOST_DIGITS else Fraction(0)


def drawn_from(text: str, words: int | None = None, name: str = "the text") -> tuple[int, int]:
    """Draws and kinds of a text: the number of words (all, or only the first ones), and the number of different words.

    A word is a run of letters, with apostrophes or hyphens inside; capital letters make no difference.
    """
    found = [word.casefold() for word in WORD.findall(text)]
    if not found:
        raise ParameterError(f"{name} has no words")
    if words is not None:
        words = whole("words", words, 1, MOST_DRAWS)
        if words > len(found):
            raise ParameterError(f"words must be at most {len(found):,}: {name} has no more, not {words:,}")
        found = found[:words]
    elif len(found) > MOST_DRAWS:
        raise ParameterError(f"{name} has {len(found):,} words: take the first {MOST_DRAWS:,} at most (--words {MOST_DRAWS})")
    return len(found), len({*found})


def check(draws: int, kinds: int) -> tuple[int, int]:
    """Both as Python's own whole numbers: those of numpy would overflow."""
    draws, kinds = whole("draws", draws, 1, MOST_DRAWS), whole("kinds", kinds, 1, MOST_DRAWS)
    if kinds > draws:
        raise ParameterError(f"kinds must be at most draws: {draws} draws can't show {kinds} kinds")
    return draws, kinds


# --- in tables --------------------------------------------------------------------------------------------------------


def answer(
    draws: int = 50, kinds: int = 40, digits: int = 25, confidence: Fraction | float | str = CONFIDENCE
) -> Answer:
    """Root, most likely number and confidence set, and the expected results of this many draws around them."""
    (draws, kinds), digits, confidence = check(draws, kinds), whole("digits", digits, 1, MOST_DIGITS), level(confidence)
    at, best = root(draws, kinds, digits), most_likely(draws, kinds)
    low, high = confidence_set(draws, kinds, confidence)
    text = decimals(at, digits) if at else None
    lines = (
        ("root of sum s/(s - j) = n", text or "none"),
        ("most likely number of kinds", str(best) if best else "none: " + _why_none(draws)),
        (f"{percent(confidence)}% confidence set", f"{low} to {high}" if high else f"{low} or more"),
    )
    near = {low, *((best - 1, best, best + 1) if best else (2 * low,)), *((high,) if high else ())}
    shown = tuple(_seen(draws, kinds, [s for s in sorted(near) if s >= kinds]))
    return Answer(
        (
            Sheet(
                f"{_number_of(kinds, 'kind')} in {_number_of(draws, 'draw')}: how many kinds are there?",
                ("", "answer"),
                lines,
            ),
            Sheet(
                f"If there are s kinds: what {_number_of(draws, 'draw')} will show",
                ("s", "kinds on average", f"P(just {kinds})", f"P(at most {kinds})", f"P(at least {kinds})"),
                tuple((s, *(float(p) for p in row)) for s, *row in shown),
                (
                    f"the set: every s for which both tails, at most {kinds} and at least {kinds}, are more likely than "
                    f"{float(50 * (1 - confidence)):.12g}%",
                ),
            ),
        ),
        {
            "puzzle": "coupons",
            "parameters": {"draws": draws, "kinds": kinds, "digits": digits, "confidence": confidence},
            "root": text,
            "most likely": best,
            "confidence set": {"low": low, "high": high, "tails": "each more likely than (1 - confidence)/2"},
            "if there are": [
                dict(zip(("kinds", "average", "just", "at most", "at least"), map(_number, row), strict=True))
                for row in shown
            ],
        },
    )


def _number_of(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _why_none(draws: int) -> str:
    return "one draw tells nothing" if draws == 1 else "no kind came twice, and more kinds are always likelier"


def _seen(draws: int, kinds: int, among: list[int]) -> Iterator[tuple[int | Fraction, ...]]:
    """For each s: s, kinds seen on average, P(just k), P(at most k), P(at least k)."""
    some, fewer = _weights(draws, kinds), _weights(draws, kinds - 1)
    for s in among:
        at_most_k, below_k = _at_most(draws, s, some), _at_most(draws, s, fewer)
        yield s, s * (1 - Fraction(s - 1, s) ** draws), at_most_k - below_k, at_most_k, 1 - below_k


def _number(value: Fraction | int) -> int | float:
    return value if isinstance(value, int) else float(value)

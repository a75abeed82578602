"""Numbers as people write and read them: the meaning of a float, certain decimals, fractions of any size."""

from __future__ import annotations

import math
import sys
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_UP, Context, Decimal
from fractions import Fraction
from numbers import Rational

from zermelo.errors import OutOfReach

Number = float | Fraction

WRITTEN_DIGITS = 12
ALL_DIGITS = 17  # more than a float has
UNIT = 2.0**-53  # the relative error of a float
PARTS = 1024  # floats that are multiples of 1/1024 are taken as they are
WHOLE = 2**53  # from here on float64 skips whole numbers
SURELY_WHOLE = 9  # reliable decimals, all zeros, at which a number is written as a whole one
FINEST = 16  # places after a number's leading digit: a smaller error can't be seen in any digit of a float
WIDE, END_DIGITS = 1e-5, 6  # an interval this wide, relative to the value, is written as one; significant digits of its ends
USUAL = 6  # significant digits of a number, unless more or fewer are asked for
FEW = 4  # digits in a title or a label
USUAL_PLACES = 15  # of a fraction in decimals
LEAST_FLOAT, MOST_FLOAT = -300, 300  # powers of ten between which floats hold a fraction to all their digits
MOST_PLAIN_ERROR = 100_000  # an error bound that is shown without an exponent is from 1 to below this
MOST_IN_FEW = 15  # of a number in few characters that is so large that `USUAL` digits would end at its point
ROUNDED_AWAY, NOTHING = 1e-9, 1e-12  # what an end may lie beyond its text, far less than the width; an end that is 0 but for rounding
ROUNDED_OFF = 1e-15  # what a few sums of numbers up to 1 may be off
LONG = 120  # characters of a fraction that are still shown in full
PLAIN_DIGITS, PLAIN_BITS = 4_000, 13_000  # numbers up to this length are converted by Python


class NoDecimal(OutOfReach):
    """A number of the rules is no short decimal, so that it's not known which rational is meant."""

    number: float | None = None


def written(number: float | Fraction) -> Fraction:
    """The rational that people mean by a float: 0.1 is 1/10. Raises `NoDecimal` for floats that are not short decimals, and `OutOfReach`
    for numbers so large that the rules may have meant another one."""
    if not -WHOLE < number < WHOLE:
        raise OutOfReach(
            "exact=True needs numbers below 2^53 in the rules: whole numbers from 2^53 on can't be read exactly; divide the ways of "
            "an action by their common factor, give payoffs in a larger unit, or leave out exact=True for a certified interval"
        )
    if isinstance(number, Fraction | int):
        return Fraction(number)
    if float(number).is_integer():
        return Fraction(int(number))
    meant = short_decimal(float(number))
    if meant is None:
        near = f"{number:.{WRITTEN_DIGITS}g}"  # of a sum or a product of decimals, such as 1 - 0.95
        only = f" ({near} but for rounding: floats such as 1 - 0.95 are no decimals, 100 - 95 is exact)" if _is_off(number, near) else ""
        unknown = NoDecimal(
            f"exact=True needs whole numbers or short decimals in the rules, and {number!r} is neither{only}; give ways and payoffs as "
            "whole numbers, for example by multiplying them by a common denominator"
        )
        unknown.number = float(number)
        raise unknown
    return meant


def _is_off(number: float, decimal: str) -> bool:
    """Whether a number may be this decimal but for the rounding of a few steps of arithmetic with numbers of at least its size."""
    return len(decimal) < WRITTEN_DIGITS and abs(number - float(decimal)) <= ROUNDED_OFF * max(1.0, abs(number))


def rounding(number: Number) -> float:
    """How far a payoff of the rules, as a float, can be from the number that is meant: 0 for whole numbers and multiples of 1/1024
    (kernels/verify.py has the same for kernels)."""
    size = abs(float(number))
    return 0.0 if size < WHOLE and size.is_integer() or size < WHOLE / PARTS and (PARTS * size).is_integer() else UNIT * size


def short_decimal(number: float) -> Fraction | None:
    """The decimal of at most 12 digits that a float is written as; None if it takes more digits."""
    decimal = Decimal(repr(number))
    return Fraction(decimal) if len(decimal.as_tuple().digits) <= WRITTEN_DIGITS else None


def meant(number: Number) -> Fraction:
    """The decimal of at most 12 digits that a finite float is written as; otherwise the number itself."""
    if isinstance(number, Rational):  # also whole numbers of numpy, whose products would wrap within a Fraction
        return Fraction(int(number.numerator), int(number.denominator))
    decimal = short_decimal(float(number))
    return Fraction(float(number)) if decimal is None else decimal


def down(number: Number) -> float:
    """The largest float that is not above a number."""
    try:
        near = float(number)
    except OverflowError:
        return sys.float_info.max if number > 0 else -math.inf
    return near if isinstance(number, float) or Fraction(near) <= number else math.nextafter(near, -math.inf)


def up(number: Number) -> float:
    """The smallest float that is not below a number."""
    return 0.0 - down(-number)  # not -0.0


MOST_WHOLE, LEAST_DIGITS = 15, 11  # powers of ten from which, and below which, numbers are written with an exponent


def digits(value: Number, low: Number, high: Number) -> str:
    """A value as text, with the decimals that its interval makes certain; a fraction as p/q, shortened if it is long.

    Where these decimals are nine zeros or more, the value is written as a whole number: 4, not 4.00000000000000. A value with too many
    digits after the point, or with digits before it that are not certain, is written with an exponent, by its certain digits:
    4.61168601842739e+18, -1.00000000000000e-60. Where hardly any digit is certain, the interval is written.
    """
    if is_wide(low, high):
        return between(low, high)
    if isinstance(value, Fraction):
        return shortened(value)
    if low == high:
        return repr(float(value) + 0.0).removesuffix(".0")
    radius = max(float(high) - float(value), float(value) - float(low))
    places = max(0, math.floor(-math.log10(2 * radius))) if radius > 0 else 17
    size = leading(value)
    if 2 * radius > 1 or (size < -LEAST_DIGITS and (low > 0 or high < 0)):
        sure = size - math.ceil(math.log10(2 * radius)) if radius > 0 else 16
        return f"{float(value):.{min(max(sure, 0), 16)}e}"
    text = f"{float(value):.{min(places, 16)}f}"
    text = without_sign_of_zero(text)
    whole, _, rest = text.partition(".")
    return text if len(rest) < SURELY_WHOLE or rest.strip("0") else whole


def leading(value: Number) -> int:
    """The power of ten of a number's first digit: 2 for 273, -1 for 0.5; 0 for 0."""
    if isinstance(value, Fraction):
        return _divided(value, 9).adjusted() if value else 0
    return math.floor(math.log10(abs(value))) if value else 0


def _divided(value: Fraction, count: int) -> Decimal:
    """A fraction of any size, rounded to this many significant digits."""
    return Context(prec=count, Emin=MIN_EMIN, Emax=MAX_EMAX).divide(Decimal(value.numerator), Decimal(value.denominator))


def without_sign_of_zero(text: str) -> str:
    """The decimals of a number; those of what is 0 but for rounding have no sign."""
    return text if text.strip("-0.") else text.removeprefix("-")


def is_unknown(low: Number, high: Number) -> bool:
    """Whether an interval says nothing."""
    return low == -math.inf and high == math.inf


def is_wide(low: Number, high: Number) -> bool:
    """Whether an interval is so wide that it is written instead of the value, which is only its middle."""
    if low == high:  # also numbers that are too large for floats
        return False
    return is_unknown(low, high) or high - low > WIDE * max(1.0, abs(float(high)))


UNKNOWN = "not known"
BETWEEN, AND = "between ", " and "


def between(low: Number, high: Number) -> str:
    """An interval as text, its ends rounded outwards: between 0.75 and 1."""
    if is_unknown(low, high):
        return UNKNOWN
    least, most = (f"{rounded(float(end), END_DIGITS, away):g}" for end, away in ((low, ROUND_FLOOR), (high, ROUND_CEILING)))
    return f"{BETWEEN}{least}{AND}{most}"


def rounded(number: float, count: int, direction: str) -> float:
    """A number with this many digits, rounded in this direction of `decimal` unless no more than an error of rounding is lost otherwise."""
    nearest = 0.0 if abs(number) < NOTHING else float(f"{number:.{count}g}")
    if abs(nearest - number) <= ROUNDED_AWAY * max(1.0, abs(number)):
        return nearest
    return float(Context(prec=count, rounding=direction).create_decimal(Decimal(number)))


def with_decimals(value: Number, low: Number, high: Number, most: int | None = None) -> str:
    """The text of `digits`, with at most `most` digits; for a fraction its decimals as well. Where the usual number of digits or more would
    end at the point, all digits are written: 5000000002.50000, which is not 5000000002."""
    text = digits(value, low, high)
    if is_wide(low, high):
        return text
    if not isinstance(value, Fraction):
        return text if most is None else _rounded(value, text, most)
    return text if value.denominator == 1 else f"{text} = {in_decimals(value, most)}"


def in_decimals(value: Fraction, most: int | None = None, usual: int = USUAL_PLACES) -> str:
    """A fraction in decimals with this many significant digits, or else `usual` places; with an exponent where a float would have one."""
    if -LEAST_DIGITS <= leading(value) < MOST_WHOLE:
        return decimals(value, usual if most is None else _places_of(value, most))
    count = most or usual
    return f"{_divided(value, count):.{count - 1}e}"


def _rounded(value: float, text: str, most: int) -> str:
    """The text of a float, rounded to this many significant digits if it has more, and unless they would end at the point."""
    kept = places(value, most)
    if "e" in text:
        return f"{value:.{most - 1}e}" if len(text.partition("e")[0]) > most + 1 + (value < 0) else text
    if not kept and most >= USUAL:
        return text
    return without_sign_of_zero(f"{value:.{kept}f}") if len(text.partition(".")[2]) > kept else text


def places(value: Number, most: int) -> int:
    """The decimals of a number with this many significant digits."""
    return most if value == 0 else max(0, most - 1 - leading(value))


def _places_of(value: Fraction, most: int) -> int:
    """The decimals of a fraction with this many significant digits, or with all that a float has if these would end at the point."""
    return places(value, most) or places(value, most if most < USUAL else ALL_DIGITS)


def in_few(value: Number, most: int = USUAL, sign: str = "", bounds: tuple[Number, Number] | None = None) -> str:
    """A number in few characters: this many significant digits, without zeros at the end; from 100,000 on all digits, up to 15; and at most
    those that its bounds make certain: 1234567.75, not 1.23457e+06. `sign` is "+" if that is to be written, too."""
    if isinstance(value, Fraction) and not LEAST_FLOAT < leading(value) < MOST_FLOAT:
        return f"{_divided(value, most).normalize():{sign}e}"
    if isinstance(value, Fraction) and most > MOST_IN_FEW and -LEAST_DIGITS <= leading(value) < most:
        text = f"{_divided(value, most):{sign}f}"  # a float has no more digits
        return text.rstrip("0").rstrip(".") if "." in text else text
    number = float(value) + 0.0
    size = leading(number) if math.isfinite(number) else 0
    shown = max(most, size + 1) if size < max(most, USUAL) - 1 else MOST_IN_FEW
    if not bounds or isinstance(value, Fraction) or is_wide(*bounds):
        return f"{number:{sign}.{shown}g}"
    certain = digits(number, *bounds)
    if shown == MOST_IN_FEW and "e" not in certain:
        return f"{sign if number > 0 else ''}{certain.rstrip('0').rstrip('.') if '.' in certain else certain}"
    known = len(certain.partition("e")[0].replace(".", "").lstrip("-0"))
    return f"{number:{sign}.{min(shown, known)}g}" if known else f"{0:{sign}}"


def error_text(value: Number, low: Number, high: Number) -> str:
    """The error bound of a value as text, rounded up, and at least `least_error`: 1.4e-14, or 32. Empty if it is exact."""
    error = max(Fraction(high) - Fraction(value), Fraction(value) - Fraction(low))
    if error:
        error = max(error, least_error(value))
    if not error:
        return ""
    rounded = Context(prec=2, rounding=ROUND_UP).divide(Decimal(error.numerator), Decimal(error.denominator))
    return f"{rounded.normalize():f}" if 1 <= rounded < MOST_PLAIN_ERROR else f"{rounded:.1e}"


def least_error(value: Number) -> Fraction:
    """The smallest error reported for a value that is not proven: 1e-16 for 0 and for 1 to 9.9, 1e-14 for 273. Bounds can be far
    smaller, such as 2e-200 if only underflow could cause an error."""
    return Fraction(10) ** (leading(Fraction(value)) - FINEST)


def in_full(value: Fraction) -> str:
    """p/q with all digits. (Python's own `str` refuses whole numbers of more than 4300.)"""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) < PLAIN_BITS:
        return str(value)
    p, q = Decimal(value.numerator), Decimal(value.denominator)
    return f"{p:f}" if q == 1 else f"{p:f}/{q:f}"


def from_full(text: str) -> Fraction:
    """The fraction from the output of `in_full`. Raises `ValueError` for other text, such as 1e999999999, and `ZeroDivisionError`."""
    p, line, q = text.partition("/")
    if not (p.removeprefix("-").isdecimal() and (q.isdecimal() or not line)):
        raise ValueError(f"{text[:24]!r} is no fraction")
    if len(text) < PLAIN_DIGITS:
        return Fraction(text)
    return Fraction(int(Decimal(p)), int(Decimal(q)) if line else 1)


def shortened(value: Fraction) -> str:
    text = in_full(value)
    if len(text) <= LONG:
        return text
    line = "" if value.denominator == 1 else " / ..."
    return f"{text[:24]}...{line}{text[-24:]} ({sum(c.isdigit() for c in text):,} digits)"


def decimals(value: Fraction, places: int = USUAL_PLACES) -> str:
    """A fraction in decimals, correctly rounded."""
    scaled = round(value * 10**places)
    text = f"{Decimal(abs(scaled)):f}".zfill(places + 1)
    whole, rest = text[: len(text) - places], text[len(text) - places :]
    return f"{'-' if scaled < 0 else ''}{whole}{f'.{rest}' if rest else ''}"


FEW_PLACES, MOST_NINES = 6, 15  # of a probability in decimals, and of one that is nearly 1


def probability_text(p: Number, places: int = FEW_PLACES) -> str:
    """A probability in decimals, more of them near 1: only 0 is written as 0, and only 1 as 1."""
    if 0 < p < Fraction(1, 2 * 10**places):
        return in_few(p, 2)
    texts = (decimals(Fraction(p), n) for n in range(places, MOST_NINES + 1))
    return next((text for text in texts if p >= 1 or text < "1"), "over 0." + "9" * MOST_NINES)


def percent_text(p: Number) -> str:
    """A probability in percent to four digits, more of them near 100: only 1 is written as 100."""
    texts = (in_few(100 * p, n) for n in range(4, MOST_NINES + 1))
    return next((text for text in texts if p >= 1 or text != "100"), f"over 99.{'9' * (MOST_NINES - 3)}")

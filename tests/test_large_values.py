"""Large numbers that are not whole are not written as whole ones, nor with an exponent, beside an error of a millionth or an action that is
worth one more."""

from __future__ import annotations

import io
import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import pytest

from zermelo import solve
from zermelo.basics.numbers import decimals, in_few, with_decimals
from zermelo.cli import main
from zermelo.solution import Solution
from zermelo.studies.table import number_text as in_a_study
from zermelo.uses.units import Measure
from zermelo.views.table import states
from zermelo.views.words import finding


@pytest.fixture
def run(capsys):
    def call(*words: object) -> str:
        assert main([*map(str, words)]) == 0
        return capsys.readouterr().out

    return call


class S(NamedTuple):
    left: int


class Large(NamedTuple):
    worth: float = 1234567.75
    rounds: int = 1

    def start(self):
        return S(self.rounds)

    def actions(self, s):
        if s.left:
            yield 0
            yield 1

    def outcomes(self, s, a):
        yield 1, self.worth - a, S(s.left - 1)


class Spread(Large):
    """Payoffs that differ by a tenth."""

    def outcomes(self, s, a):
        yield 1, self.worth, S(s.left - 1)
        yield 1, self.worth + 0.1, S(s.left - 1)


@pytest.mark.parametrize(
    ("value", "error", "most", "text"),
    [
        (5000000002.5, 2.9e-6, 6, "5000000002.50000"),
        (1234567.75, 4.7e-10, 6, "1234567.750000000"),
        (999999.6, 2.4e-10, 6, "999999.600000000"),
        (-123456.5, 1e-4, 8, "-123456.50"),
        (-123456.5, 1e-4, 6, "-123456.500"),
        (12345.678, 3.7e-12, 6, "12345.7"),
        (1e17, 32, 6, "1.00000e+17"),
        (1234567.75, 4.7e-10, 3, "1234568"),  # few digits were asked for
        (273.15, 1e-13, 3, "273"),
        (Fraction(10000000005, 2), 0, 6, "10000000005/2 = 5000000002.5000000"),
        (Fraction(7, 3), 0, 1, "7/3 = 2"),
        (38734494846450.0, 64423204, 6, "3.8734e+13"),  # its last digits are not known
        (1e-196, 1e-210, 6, "1.00000e-196"),
        (-0.0, 1e-9, 1, "0.0"),
        (1e99, 0, 6, "1e+99"),
        (Fraction(1, 10**400), 0, 1, f"1/1{'0' * 21}... / ...{'0' * 24} (402 digits) = 1e-400"),
        (Fraction(2, 3 * 10**12), 0, None, "1/1500000000000 = 6.66666666666667e-13"),
        (Fraction(10**400, 3), 0, 3, f"1{'0' * 23}... / ...{'0' * 22}/3 (402 digits) = 3.33e+399"),
    ],
)
def test_a_number_is_not_rounded_to_a_whole_one_unless_few_digits_were_asked_for(value, error, most, text):
    assert with_decimals(value, value - error, value + error, most) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (0.1234567, "0.123457"), (12345.678, "12345.7"), (1234567.75, "1234567.75"), (-5000000002.5, "-5000000002.5"),
     (1e9, "1000000000"), (1e17, "1e+17"), (1e-9, "1e-09"), (math.inf, "inf"), (Fraction(10000000005, 2), "5000000002.5")],
)  # fmt: skip
def test_numbers_in_few_characters(number, text):
    assert in_few(number) == text
    assert in_few(number, sign="+") == (text if text.startswith("-") else f"+{text}")


def test_numbers_in_few_characters_have_the_digits_that_are_certain():
    assert in_few(5000000002.4999, bounds=(5000000002.4, 5000000002.6)) == "5000000002"
    assert in_few(1234567.75, bounds=(1234567.7499, 1234567.7501)) == "1234567.75"
    assert in_few(12345.6, 4) == "12346" and in_few(0.123456, 4) == "0.1235"
    assert in_few(-1e-17, bounds=(-1e-16, 1e-16)) == "0"  # as far as is known
    assert in_few(0.0012345678, bounds=(0.0012345, 0.0012346), sign="+") == "+0.001235"
    assert in_few(38734494846450.0, bounds=(38734430000000.0, 38734560000000.0)) == "3.8734e+13"
    assert in_few(-0.0) == "0" and in_few(Fraction(5, 4 * 10**400)) == "1.25e-400"
    assert in_few(Fraction(-20, 3), 40) == f"-6.{'6' * 38}7" and in_few(Fraction(1, 10), 17, "+") == "+0.1"
    assert in_few(Fraction(120, 1), 40) == "120" and in_few(Fraction(0, 1), 40) == "0"
    assert decimals(Fraction(-1, 3), 5000) == f"-0.{'3' * 5000}"  # more than Python's whole numbers are written with
    assert Measure("$", 100).amount(123456775, sign="+") == "+$1234567.75"
    assert decimals(Fraction(20, 3), 0) == "7"


def test_what_commands_print_of_large_values(run):
    named = f"{__file__}:Large"
    out = run("solve", named)
    assert "1234567.750000000   (certified to " in out and "(0: 1234567.75, 1: 1234566.75)" in out
    assert "12345677.5" in run("simulate", named, "--rounds", 10, "--plays", 100)
    assert re.search(r"1\s+1234567.750000", run("table", named))
    assert re.search(r"1\s+1234567.750000000", run("study", named, "--rounds", "1..2"))
    assert "e+0" not in "".join(run(*words) for words in (("solve", named), ("simulate", named, "--plays", 100)))


def test_tables_have_no_digits_that_are_not_known(run):
    """Nine decimals were printed of numbers of any size, and of values that are certified to a millionth."""
    named = f"{__file__}:Spread"
    out = run("table", named, "--worth", 28757575757575.7, "--view", "actions")
    assert re.search(r"^0\* +28757575757575\.\d{1,2} +0\.00?", out, re.MULTILINE)
    assert re.search(r"^1 +28757575757575\.\d{1,2} ", run("table", named, "--worth", 28757575757575.7), re.MULTILINE)
    found = solve(Large())
    rough = Solution(replace(found.answers, error=found.answers.error + 2e-3))
    rougher = Solution(replace(found.answers, error=found.answers.error + 3.0))
    assert states(rougher).text(1234567.75) == "1.23457e+06"
    assert states(rough).text(1234567.75) == "1234567.75" and states(found).text(1234567.75) == "1234567.750000"


class Streak(NamedTuple):
    """A ten for `length` times in a row, with a ten-sided die; or how long that takes, where `again` sides of another die fail."""

    length: int = 400
    worth: float = 1
    again: int = 0

    def start(self):
        return S(self.length)

    def actions(self, s):
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s, a):
        if a and not self.again:
            yield 1, 0, S(0)
        elif self.again:
            yield 1, self.worth, S(s.left - 1)
            yield self.again, self.worth, S(self.length)
        else:
            yield 1, self.worth if s.left == 1 else 0, S(s.left - 1)
            yield 9, 0, S(-1)


def test_what_commands_print_of_numbers_that_floats_do_not_hold(run, capsys):
    named = f"{__file__}:Streak"
    out = run("solve", named, "--exact")
    assert "(402 digits) = 1.00000e-400" in out and "(0: 1e-400, 1: 0)" in out
    assert re.search(r"^0\* +1.000000000e-200 +0 *$", run("table", named, "--length", 200, "--view", "actions"), re.MULTILINE)
    assert re.search(r"1 +1.000000e\+98 +0", run("table", named, "--length", 2, "--worth", 1e99))
    assert in_a_study(Fraction(1, 10**110), 0, 0) == "1.00000000000000e-110"
    assert main(["solve", named, "--again", "999999", "--length", "60", "--exact"]) == 2
    assert capsys.readouterr().err.startswith("zermelo: values beyond 1.8e308 are more than floats hold, ")


class Tossed(NamedTuple):
    def start(self):
        return S(1)

    def outcomes(self, s):
        if s.left:
            yield 1, 0, S(0)
            yield 1, 1, S(0)


def test_chance_takes_no_best_action(run):
    out = run("table", f"{__file__}:Tossed", "--view", "actions")
    assert re.search(r"^chance +0\.5", out, re.MULTILINE) and "best action" not in out and "*" not in out


class Won(Streak):
    def win_probability(self, value):
        return value


def test_means_of_simulations_have_an_exponent_where_decimals_say_nothing(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")  # in a narrow terminal the numbers stand below one another
    named = f"{__file__}:Streak"
    assert re.search(r"payoff +\d\.\d{6}e[+]96 +", run("simulate", named, "--length", 1, "--worth", 1e98, "--plays", 100))
    assert re.search(r"payoff +\d\.\d{6}e-1\d ", run("simulate", named, "--length", 1, "--worth", 1e-10, "--plays", 100))


def test_what_commands_print_of_hardly_any_chance(run):
    out = run("solve", f"{__file__}:Won", "--exact")
    assert "(402 digits) = 1.00000e-398 %" in out and "(0: 1.00000e-398 %, 1: 0 %)" in out
    assert "e-28 %" in run("solve", f"{__file__}:Won", "--length", 30)


def test_bars_of_a_simulation_have_names_of_their_own(run):
    bars = re.findall(r"^ +([\d.]+) +█* \d", run("simulate", f"{__file__}:Spread", "--rounds", 20, "--plays", 10000), re.MULTILINE)
    assert len(bars) > 5 and len({*bars}) == len(bars)


def test_titles_of_pictures():
    assert finding(solve(Large())) == "1234567.75 on average with best play"
    assert finding(solve(Large(12345.678))) == "12346 on average with best play"


def test_what_play_says(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("h\n1\n"))
    out = run("play", f"{__file__}:Large")
    assert "+1234567.75  best" in out and "you get 1234566.75; optimal play gets 1234567.75 on average." in out

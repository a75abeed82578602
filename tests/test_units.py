"""The unit of payoffs that a game names: what people are told, and what stays in the numbers of the rules."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import zermelo
from conversation import talk
from zermelo.basics.numbers import digits
from zermelo.basics.words import game_in_words, parameter_in_words
from zermelo.cli import main
from zermelo.errors import RulesError
from zermelo.games import CardDraw, LemonadeStand
from zermelo.games.kuhn_poker import KuhnPoker
from zermelo.games.named import find
from zermelo.language.rules_text import rules_hash
from zermelo.serve.api import summary
from zermelo.uses.units import Measure, measure, percent
from zermelo.views import plot, table
from zermelo.views.data import as_data
from zermelo.views.information_sets import TABLES, _in_order
from zermelo.views.play import Session
from zermelo.views.words import answer_lines, certificate_text, shown_interval


class Pot(NamedTuple):
    left: int


class Cents(NamedTuple):
    """Take 25 cents, or flip a coin for 125, of which the first flip costs a third."""

    def start(self) -> Pot:
        return Pot(2)

    def actions(self, s: Pot) -> Any:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: Pot, action: int) -> Any:
        if action == 0:
            yield 1, 25, Pot(0)
        else:
            yield 1, 125, Pot(s.left - 1)
            yield 2, -10, Pot(0)


class Dollars(Cents):
    payoff_unit = ("$", 100)


def test_probes_and_studies_show_dollars_and_hold_cents(capsys: pytest.CaptureFixture[str]) -> None:
    solution = zermelo.solve(Dollars(), exact=True)
    probe = solution.probe(solution.rules.start)
    assert probe.value == Fraction(140, 3) and repr(probe).splitlines()[0] == "Pot(left=2): value $7/15 = $0.466666667"
    assert "$1/4 = $0.25" in repr(probe) and "$7/15" in probe._repr_html_() and "$" not in repr(zermelo.solve(Cents()).probe(Pot(2)))
    found = zermelo.study(CardDraw, red=[1, 2], black=1)
    assert found.table().columns[2] == "value" and found.table().printed.columns[1] == "value, $"
    found = zermelo.study(LemonadeStand, days=[1, 2])
    assert [row.value for row in found.rows] == [581, 962]
    assert [line[1][:5] for line in found.table().printed.rows] == ["5.810", "9.620"]
    assert found.figure().axes[0].lines[0].get_ydata().tolist() == [5.81, 9.62]
    (crossing,) = found.root("days", 600)
    assert "(value $5.81" in crossing.in_words(found.measure) and "(value 581" in str(crossing)


def test_people_are_told_dollars_and_programs_get_cents() -> None:
    """By hand: the last flip is worth (125 - 20) / 3 = 35 cents, the first one (125 + 35 - 20) / 3 = 140/3."""
    plain, solution = zermelo.solve(Cents(), exact=True), zermelo.solve(Dollars(), exact=True)
    assert plain.value == solution.value == Fraction(140, 3)
    assert dict(answer_lines(plain, 6))["value"] == "140/3 = 46.6667"
    assert dict(answer_lines(solution, 6))["value"] == "$7/15 = $0.466667"
    assert json.dumps(as_data(solution)["value"]) == json.dumps(as_data(plain)["value"])
    actions = table.actions(solution)
    assert [row[1] for row in actions.rows] == [Fraction(140, 3), 25] and actions.printed is not None
    assert [row[1] for row in actions.printed.rows] == [Fraction(7, 15), Fraction(1, 4)] and actions.printed.columns[1] == "value, $"
    assert table.states(solution).printed.columns[1] == "value, $"
    assert plot.values(solution).axes[0].get_ylabel() == r"value, \$"
    assert "$7/15" in solution._repr_html_() and "140/3" in plain._repr_html_()
    said = talk(Session(solution, seed=1), "h", "0")
    assert "+$0.466667" in said and "it costs $0.216667 on average" in said and "you get $0.25; optimal play gets $0.466667" in said


def test_bounds_are_rounded_outwards() -> None:
    value, low, high = Measure("$", 3).shown(0.1, 0.1, 0.1)
    assert Fraction(low) <= Fraction(0.1) / 3 <= Fraction(high) and low <= value <= high and high - low < 1e-17


def test_the_interval_is_told_in_the_unit_too() -> None:
    solution = zermelo.solve(Dollars())
    low, high = shown_interval(solution.certificate, solution.game)
    assert low < high < low + 1e-12 and Fraction(low) <= Fraction(7, 15) <= Fraction(high)
    assert certificate_text(solution.certificate, True, solution.game).endswith(f"; the value lies in [{low!r}, {high!r}]")
    found = summary(solution)
    assert found["interval"] == [low, high] and found["certificate"]["low"] == solution.low > 46  # JSON keeps cents
    assert summary(zermelo.solve(Dollars(), exact=True))["interval"] == ["7/15", "7/15"]


def test_how_amounts_are_written() -> None:
    dollars, chips = Measure("$", 100), Measure("chips")
    assert [dollars.amount(x) for x in (-50, 0, 279221)] == ["-$0.5", "$0", "$2792.21"] and dollars.amount(50, sign="+") == "+$0.5"
    assert (chips.amount(-2), chips.written("1/8 = 0.125")) == ("-2 chips", "1/8 = 0.125 chips")


@pytest.mark.parametrize("unit", ["", 3, ("$", 0), ("$", 1.5), ("$",), "a name that is far too long", ("$", True)])
def test_what_is_no_unit_is_a_fault_of_the_rules(unit: Any) -> None:
    class Wrong(Cents):
        payoff_unit = unit

    assert measure(Wrong()) is None
    with pytest.raises(RulesError, match="it must be a short name"):
        zermelo.solve(Wrong())


def test_the_catalogue_names_its_units_and_answers_do_not_depend_on_them() -> None:
    assert measure(CardDraw()) == Measure("$") and measure(LemonadeStand()) == Measure("$", 100)
    text = {rules_hash(c) for c in (type("Cents", (Cents,), {}), type("Cents", (Cents,), {"payoff_unit": "cents"}))}
    assert len(text) == 1


@pytest.mark.parametrize("title", ["", 3, "two\nlines", 300 * "long", lambda game: 3])
def test_what_is_no_title_is_a_fault_of_the_rules(title: Any) -> None:
    with pytest.raises(RulesError, match="it must be a line of text"):
        zermelo.solve(type("Wrong", (Cents,), {"title": title})())


def test_a_title_is_what_pictures_say_and_answers_do_not_depend_on_it() -> None:
    said = {"title": "A game"}, {"title": lambda game: "A game: in words"}
    named, told = (type("Cents", (Cents,), more) for more in said)
    assert game_in_words(named()) == "A game" and game_in_words(told()) == "A game: in words"
    assert rules_hash(named) == rules_hash(told) == rules_hash(type("Cents", (Cents,), {}))


def test_a_probe_is_told_as_chances_of_winning() -> None:
    """Its first line did, its actions were 2p - 1."""
    solution = zermelo.solve("pig", goal=20)
    probe = solution.probe(solution.state(3, 5, 8))
    first, *actions = repr(probe).splitlines()
    assert f"wins {percent(probe.win_probability)} %" in first
    shown = {line.split()[0]: line.split()[1:3] for line in actions}
    assert shown == {probe.action_names[a]: [percent(probe.win_probabilities[a]), "%"] for a in probe.actions}
    assert "chance of winning</th>" in probe._repr_html_()
    both = zermelo.solve("hog-simultaneous", goal=5)
    start = both.probe(both.rules.start)
    assert set(start.other_win_probabilities) == set(start.other_actions)
    for action, chance in start.other_win_probabilities.items():
        assert chance.low <= (1 + start.other_actions[action]) / 2 <= chance.high


def test_policies_and_simulations_are_told_as_chances_of_winning(capsys: pytest.CaptureFixture[str]) -> None:
    solution = zermelo.solve("pig", goal=10)

    def once(s: Any) -> int:
        return 1 if s.turn else 0

    for found in (solution.evaluate(once), solution.best_response(once)):
        chance = found.win_probability
        assert chance is not None
        assert chance.low <= (1 + found.value) / 2 <= chance.high and found.winner == "the player to move"
        value = digits(found.value, found.low, found.high)
        assert f"value {value}, chance that the player to move wins {percent(chance)} %, " in repr(found)
    discounted = zermelo.solve("pig", goal=10, discount=0.9).evaluate(once)
    assert discounted.win_probability is None and "chance" not in repr(discounted)
    assert main(["simulate", "pig", "--goal", "10", "--plays", "400"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    found = re.search(r"chance that the player to move wins: ([\d.]+) %, standard error [\d.]+ %, computed ([\d.]+) %", out)
    assert found and float(found[1]) == pytest.approx(50 * (1 + solution.simulate(400).mean), abs=1e-4)
    assert found[2] == percent(solution.win_probability())  # type: ignore[arg-type]
    assert main(["simulate", "pig", "--goal", "10", "--plays", "400", "--discount", "0.9"]) == 0
    assert "chance that" not in capsys.readouterr().out


def test_information_sets_tell_values_in_the_unit_and_keep_the_data_in_payoffs() -> None:
    """The table had no unit."""
    cents = type("Cents", (KuhnPoker,), {"payoff_unit": ("$", 2)})
    table = TABLES["sets"].make(zermelo.solve(cents(3)))
    assert table.printed is not None and "value, $" in table.printed.columns and "value" in table.columns
    told, kept = (list(t.rows) for t in (table.printed, table))
    assert all(a[5] == b[5] / 2 for a, b in zip(told, kept, strict=True) if b[5] != "")
    assert "value -$1/36 to player 0" in table.printed.notes and "value -1/18 to player 0" in table.notes


class Blotto(NamedTuple):
    """Both send a soldier left or right."""

    payoff_unit = ("$", 100)

    def rows(self) -> Any:
        yield from range(2)

    columns = rows

    def payoff(self, row: int, column: int) -> int:
        return 100 * (row + 1) if row == column else 0

    def best_row(self, weights: Any) -> int:
        return max(range(2), key=lambda row: sum(w * self.payoff(row, c) for c, w in weights.items()))


def test_the_table_of_a_matrix_game_tells_the_value_in_the_unit() -> None:
    from zermelo.views.strategies import TABLES

    table = TABLES["strategies"].make(zermelo.solve(Blotto()))
    assert table.notes == ("value 200/3",) and table.printed is not None and table.printed.notes == ("value $2/3",)


class AtOnce(Cents):
    """Both name a number; player 1 pays a dollar and a half for equal ones."""

    payoff_unit = ("$", 100)

    def other_actions(self, s: Pot) -> Any:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self, s: Pot, action: int, other: int) -> Any:  # type: ignore[override]
        yield 1, 150 if action == other else -50, Pot(0)


def test_actions_at_once_are_told_in_the_unit_with_the_digits_that_are_certain() -> None:
    found = table.actions(zermelo.solve(AtOnce()))
    assert found.columns[3:] == ("value", "loss against the best") and found.printed is not None
    assert found.printed.columns[3:] == ("value, $", "loss against the best, $")
    assert [row[3] for row in found.printed.rows] == pytest.approx([0.5] * 4)
    assert [row[3] for row in found.rows] == pytest.approx([50] * 4)
    assert found.printed.notes[0].startswith("value $0.5")


class Bets(NamedTuple):
    """Bet one dollar or two; the first bet is won, and the second one lost."""

    title = "Bets of $1 to $2"
    payoff_unit = "$"

    def start(self) -> Two:
        return Two(2, 2)

    def actions(self, s: Two) -> Any:
        if s.left and s.lost:
            yield 1
            yield 2

    def outcomes(self, s: Two, action: int) -> Any:
        yield 1, action if s.left > 1 else -action, Two(s.left - 1, s.lost)
        yield 1, 0, Two(s.left, s.lost - 1)

    def action_name(self, action: int) -> str:
        return f"bet ${action} of $2"


class Two(NamedTuple):
    left: int
    lost: int


def test_dollars_in_pictures_are_no_formulas() -> None:
    drawn = plot.values(zermelo.solve(Bets()))
    (legend,) = [legend for axes in drawn.axes if (legend := axes.get_legend())]
    assert {t.get_text() for t in legend.get_texts()} <= {r"bet \$1 of \$2", r"bet \$2 of \$2"}
    assert drawn.texts[1].get_text() == r"Bets of \$1 to \$2" and drawn.texts[0].get_text().startswith((r"\$", "\N{MINUS SIGN}"))


class Odd(Dollars):
    payoff_unit = ("\N{EURO SIGN}", 100)
    title = "A game of which the title has more to say than there is room for in one line of letters that can be read"

    def outcomes(self, s: Pot, action: int) -> Any:
        yield 1, -25, Pot(0)


def test_pictures_say_what_is_certain_in_words_that_can_be_read() -> None:
    """One move, certainly; a minus sign also before a unit; a long title takes two lines."""
    solution = zermelo.solve(Odd())
    drawn, (axes,) = (figure := plot.lengths(solution)), figure.axes
    assert drawn.texts[0].get_text() == "A play takes 1 move on average"
    assert [t.get_text() for t in axes.get_legend().get_texts()] == ["9 in 10 plays: 1", "mean: 1"]
    assert "\n" in drawn.texts[1].get_text() and drawn.texts[1].get_fontsize() >= 7
    assert plot.values(solution).texts[0].get_text().startswith("\N{MINUS SIGN}\N{EURO SIGN}0.25 on average")


def test_information_sets_are_drawn_in_the_order_of_their_numbers() -> None:
    assert sorted(["1 10", "1 2", "a", "1 1"], key=_in_order) == ["1 1", "1 2", "1 10", "a"]


ONE_OF_EACH = {
    "pig": {"goal": 1}, "piglet": {"goal": 1}, "binary-search": {"n": 1}, "coin-patterns": {"flips": 1},
    "connect-four": {"width": 1, "height": 1},
    "dreidel": {"coins": 1}, "fewest-turns": {"goal": 1}, "goofspiel": {"cards": 1}, "hog": {"goal": 1, "most_dice": 1},
    "hog-simultaneous": {"goal": 1, "most_dice": 1}, "inspection": {"days": 1}, "left-center-right": {"chips": 1, "dice": 1},
    "lemonade": {"days": 1}, "ten-thousand-race": {"goal": 1}, "battleship": {"shots": 1}, "leduc-poker": {"raises": 1},
}  # fmt: skip


def test_one_thing_is_no_plural() -> None:
    for word, parameters in ONE_OF_EACH.items():
        title = game_in_words(find(word).game(parameters))
        assert re.search(r"\b1 [a-z]", title) and not re.search(r"\b1 ([a-z]+s|dice)\b", title), title
    assert [Measure("points").written(text) for text in ("1", "-1", "+1", "0", "2", "1.5")] == [
        "1 point", "-1 point", "+1 point", "0 points", "2 points", "1.5 points",
    ]  # fmt: skip
    assert Measure("gas").written("1") == "1 gas"
    assert [Measure(name).written("not known") for name in ("$", "rewards")] == ["not known"] * 2


def test_a_parameter_that_ends_in_an_underscore_is_a_word() -> None:
    assert parameter_in_words("lambda_", 3) == "lambda 3"


def test_the_title_of_a_maze_tells_it_from_others() -> None:
    assert game_in_words(find("robot-maze").game({"seed": 7})).startswith("Robot maze: 8 x 8 cells, seed 7, wheels slip 10 %")
    own = find("robot-maze").game({"height": 2, "width": 2, "passages": (5, 1)})
    assert game_in_words(own).startswith("Robot maze: 2 x 2 cells of your own, wheels")

"""The value of a game in words, with the digits that are certain."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import (
    ALL_DIGITS,
    FEW,
    USUAL,
    Number,
    between,
    error_text,
    in_decimals,
    in_few,
    is_wide,
    shortened,
    with_decimals,
)
from zermelo.basics.words import counted, discount_text, game_in_words, parameter_in_words, spaced
from zermelo.foreign.modules import question_about
from zermelo.solution import Chance, DataSolution, HiddenSolution, MixedSolution, Solution
from zermelo.uses.mixed import whose
from zermelo.uses.property import apart
from zermelo.uses.units import Measure, in_percent, measure, percent, winning

FIRST = {"the player to move": "first player", "the first player": "first player"}  # at the start
RESULTS = {1: "wins", 0: "draws", -1: "loses"}  # of an action, for the player who takes it; of games for two


def solved_in_words(solution: Any) -> str:
    """What was solved: the game, its parameters and the discount, in words."""
    if not isinstance(solution, DataSolution):
        return game_in_words(solution.game) + discount_text(getattr(solution, "discount", 1))
    parameters = ", ".join(parameter_in_words(n, v) for n, v in solution.parameters.items())
    return f"{spaced(solution.name)}{': ' if parameters else ''}{parameters}{discount_text(solution.discount)}"


def answer_lines(solution: Solution, most: int | None = None) -> Iterable[tuple[str, str]]:
    """Label and text of what a game with states is worth: the chance of winning, and all payoffs or the value. Numbers have all digits
    that are certain, or `most` of these and then the certified error."""
    bounds, payoffs = solution.bounds, solution.payoffs
    if asked := solution.property:
        yield "property", asked.line
        if not asked.is_of_start:  # the value at the start is that of a draw, which means nothing
            return
    win, unit = solution.win_probability(), winning(solution.answers)
    if win and unit:
        yield f"{FIRST.get(unit.who, unit.who)} wins", _chance_text(win, most)
    if len(payoffs) > 1:
        for name, value in payoffs.items():
            yield name, number_text(value, *bounds[name], most, measure(solution.game) if name == next(iter(payoffs)) else None)
        return
    text = number_text(solution.value, solution.low, solution.high, most, measure(solution.game))
    differs = apart(solution.game)
    yield "value", text + (f"   (of the translated game: {differs})" if differs else _meaning(solution) or _moves(solution))


def finding(solution: Solution | MixedSolution | HiddenSolution) -> str:
    """The result of solving a game, as a picture's title: "First player wins 53.06 %", "A win in 13 moves for ..."."""
    win = solution.win_probability() if isinstance(solution, Solution) else None
    unit = winning(solution.answers) if isinstance(solution, Solution) else None
    if win and unit:
        who = FIRST.get(unit.who, unit.who)
        return f"{who[:1].upper()}{who[1:]} wins {percent(win, most=FEW)} %"
    if isinstance(solution, Solution) and (meaning := _meaning(solution)):
        if meaning.startswith(", a draw"):
            return "A draw with best play"
        what, _, more = meaning.removeprefix(", ").partition(" for ")
        who, _, moves = more.partition(", in ")
        return f"{what[:1].upper()}{what[1:]}{f' in {moves}' if moves else ''} for {who}"
    if isinstance(solution, Solution) and (asked := solution.property):
        return asked.line if asked.is_of_start else asked.text
    name, value = next(iter(solution.payoffs.items())) if isinstance(solution, Solution) else ("value", solution.value)
    amount = certain_amount(measure(getattr(solution, "game", None)), value, *next(iter(solution.bounds.values())), FEW)
    played = "" if isinstance(solution, Solution) and solution.has_rules and solution.rules.is_chance else " with best play"
    return f"{amount}{'' if name in ('payoff', 'value') else f' ({name})'} on average{played}"


def number_text(value: Number, low: Number, high: Number, most: int | None, unit: Measure | None = None, whose: str = "") -> str:
    """A number with its certain digits, in this unit, and whose it is; with `most` of them, also its certified error. The interval, if
    hardly any digit is certain."""
    if unit is not None:
        value, low, high = unit.shown(value, low, high)
    text = with_decimals(value, low, high, most)
    text = (text if unit is None else unit.written(text)) + whose
    error = "" if most is None or is_wide(low, high) else error_text(value, low, high)
    return f"{text}   (certified to {error})" if error else text


def _chance_text(win: Chance, most: int | None) -> str:
    """A chance in per cent, with the digits that are certain; a fraction also as a fraction; the interval if hardly any are certain."""
    if isinstance(win.value, Fraction):
        as_percent = f"{in_decimals(100 * win.value, most, 13)} %"
        return f"{shortened(win.value)} = {as_percent}" if win.value.denominator != 1 else f"{100 * win.value} %"
    return f"{in_percent(win) if is_wide(win.low, win.high) else percent(win, most=most or ALL_DIGITS)} %"


def amount_text(unit: Measure | None, value: Number, sign: str = "") -> str:
    """An amount of payoffs in a few digits, in the unit if there is one. `sign` is "+" if that is to be written, too."""
    return in_few(value, sign=sign) if unit is None else unit.amount(value, sign=sign)


def certain_amount(unit: Measure | None, value: Number, low: Number, high: Number, most: int = USUAL, sign: str = "") -> str:
    """An amount of payoffs that is known within these bounds; the interval, if hardly any digit is certain."""
    if unit is not None:
        value, low, high = unit.shown(value, low, high)
    text = between(low, high) if is_wide(low, high) else in_few(value, most, sign, (low, high))
    return text if unit is None else unit.written(text)


def is_decided(solution: Solution) -> bool:
    """Whether values are wins, draws and losses and nothing is left to chance. (Those of models are probabilities or rewards.)"""
    return has_winner(solution) and solution.report.is_decided_without_chance and solution.discount == 1


def has_winner(solution: Solution) -> bool:
    """Whether 1, 0 and -1 at the end are a win, a draw and a loss: two play against each other, and it is not a property of a model."""
    return solution.report.is_for_two and question_about(type(solution.game)) is None


def result_words(solution: Solution) -> dict[int, str]:
    """What 1, 0 and -1 at the end are for the player to move: "wins", or "gets 1" where nobody is there to win against."""
    return RESULTS if has_winner(solution) else {result: f"gets {result}" for result in RESULTS}


def census_words(solution: Solution) -> dict[str, str]:
    """The same of positions, by the names of `Solution.census`."""
    names, words = {1: "won", -1: "lost", 0: "drawn"}, result_words(solution)
    return {name: name if words is RESULTS else words[result] for result, name in names.items()}


def _meaning(solution: Solution) -> str:
    """Win, draw or loss in words, for games for two without chance."""
    if is_decided(solution) and not is_wide(solution.low, solution.high):
        start = solution.probe(solution.rules.start)
        who, own = ("the player who moves first", 1) if start.player == 0 else ("the second player, who begins", -1)
        result = {1.0: "a win", 0.0: "a draw", -1.0: "a loss"}.get(own * float(solution.value), "")
        at = f", in {counted(start.distance, 'move')}" if start.distance is not None else ""
        return f", {result} for {who}{at}" if result else ""
    return ""


def _moves(solution: Solution) -> str:
    """The moves to the end, of games without chance in which nobody plays against another (puzzles)."""
    if has_winner(solution) or question_about(type(solution.game)) is not None or not solution.counts_moves:
        return ""
    moves = solution.probe(solution.rules.start).distance
    return f", in {counted(moves, 'move')}" if moves else ""


def value_text(solution: MixedSolution | HiddenSolution, most: int | None = None) -> str:
    """The value as `value_digits` has it, and whose it is."""
    return value_digits(solution, most, whose(solution.game))


def value_digits(solution: MixedSolution | HiddenSolution, most: int | None = None, whose: str = "") -> str:
    """The value with the digits that its interval supports, or `most` of them; as a fraction, too, if it is proven."""
    low, high, unit = solution.low, solution.high, measure(solution.game)
    if solution.is_exact:
        return number_text(low, low, high, most, unit, whose)
    return number_text(float(solution.value), float(low), float(high), most, unit, whose)


def certificate_text(certificate: Certificate, explain: bool, game: Any = None) -> str:
    """The argument and the interval; otherwise only the kind of certificate, unless nothing is proven."""
    if explain or certificate.kind not in ("proof", "bound"):
        low, high = shown_interval(certificate, game)
        return str(certificate._replace(low=low, high=high))
    what = "proof: the value is exact" if certificate.kind == "proof" else "bound, rounding included"
    return f"{what}   (--explain: why)"


def shown_interval(certificate: Certificate, game: Any) -> tuple[Number, Number]:
    """The interval of a certificate in the unit in which the game's values are shown."""
    unit = measure(game)
    return (certificate.low, certificate.high) if unit is None else unit.shown(certificate.low, *certificate[1:3])[1:]

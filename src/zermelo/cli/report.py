"""Solutions, simulations and verdicts, for people and as data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import Number, decimals, digits, in_full, shortened, with_decimals
from zermelo.basics.words import game_text
from zermelo.cli.choosing import is_discounted
from zermelo.cli.output import seconds
from zermelo.matrix.plain import Matrix
from zermelo.solution import HiddenSolution, MixedSolution, Solution
from zermelo.uses.units import percent, winning

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from zermelo.reproduce import Claim, Verdict
    from zermelo.solution import Probe
    from zermelo.uses.simulate import Simulation
    from zermelo.uses.units import Chance

FEW_ACTIONS = 4
ALL_DIGITS = 17  # of a chance in per cent: more than a float has
FIRST = {"the player to move": "first player", "the first player": "first player"}  # at the start
WIDE = 1e-5  # an interval so wide, relative to the value, is printed as one
BARS = 16  # lines of a distribution
BAR = 40  # characters of its longest bar


# --- a solution -------------------------------------------------------------------------------------------------------


def as_data(solution: Solution) -> dict[str, Any]:
    """What `solve --json` prints."""
    start = solution.probe(solution.rules.start)
    name = solution.rules.action_name
    data = {
        **game_as_data(solution.game),
        "discount": solution.discount,
        **number_as_data("value", solution.value, solution.low, solution.high),
        "payoffs": {n: number_as_data("value", v, *solution.bounds[n]) for n, v in solution.payoffs.items()},
        "certificate": {
            "kind": solution.certificate.kind,
            "low": float(solution.certificate.low),
            "high": float(solution.certificate.high),
            "argument": solution.certificate.argument,
        },
        "start": {
            "state": start.state._asdict(),
            "position": solution.rules.show(start.state),
            **_mixtures_as_data(solution, start),
            "best action": None if start.action is None else name(start.action),
            "best action is certain": start.is_action_certain,
            "actions": [_action_as_data(solution, start, a) for a in start.actions if a is not None],
            "moves to the end": start.distance,
        },
        **report_as_data(solution),
    }
    win, unit = solution.win_probability(), winning(solution.answers)
    return {**data, **({"unit": unit.name, "win probability": number_as_data("value", *win)} if win and unit else {})}


def _action_as_data(solution: Solution, start: Probe, action: Any) -> dict[str, Any]:
    """An action at the start: what it is worth, between which bounds."""
    low, high = start.action_bounds[action]
    win = start.win_probabilities.get(action)
    return {
        "action": solution.rules.action_name(action),
        "value": float(start.actions[action]),
        "low": float(low),
        "high": float(high),
        **({"win probability": number_as_data("value", *win)} if win else {}),
    }


def _mixtures_as_data(solution: Solution, start: Probe) -> dict[str, Any]:
    """The mixed strategies of both at the start, where both choose at once."""
    if start.mixture is None or start.other_mixture is None:
        return {}
    name = solution.rules.action_name
    return {
        "mixture": [{"action": name(a), "probability": float(p)} for a, p in start.mixture.items()],
        "other mixture": [{"action": name(a), "probability": float(p)} for a, p in start.other_mixture.items()],
    }


def number_as_data(name: str, value: Number, low: Number, high: Number) -> dict[str, Any]:
    return {
        name: float(value),
        "digits": digits(value, low, high),
        "exact": in_full(value) if isinstance(value, Fraction) else None,
        "low": float(low),
        "high": float(high),
    }


def print_solution(solution: Solution, out: Console) -> None:
    """What `solve` prints for people."""
    out.print(f"[bold]{game_text(solution.game)}[/bold]{_discount_text(solution)}", highlight=False)
    lines = list(summary(solution))
    print_pairs(lines, out)


def summary(solution: Solution) -> Iterable[tuple[str, str]]:
    """Label and text of every line about a solution."""
    yield from _answer_lines(solution)
    yield "certificate", str(solution.certificate)
    yield from _start_lines(solution)
    statistics = solution.statistics
    if "length" in statistics:
        yield "length", f"standard deviation {solution.length.standard_deviation:.6f} {next(iter(solution.payoffs))}"
    yield "sweep" if solution.has_stopping_line else "game", solution.report.summary
    if "seconds solving" in statistics:
        yield "time", time_text(statistics)
    for note in solution.report.notes:
        yield "note", note


def _answer_lines(solution: Solution) -> Iterable[tuple[str, str]]:
    bounds, payoffs = solution.bounds, solution.payoffs
    if len(payoffs) > 1:
        for name, value in payoffs.items():
            yield name, with_decimals(value, *bounds[name])
        return
    win, unit = solution.win_probability(), winning(solution.answers)
    if win and unit:
        yield f"{FIRST.get(unit.who, unit.who)} wins", _chance_text(win)
    yield "value", _value_text(solution) + _meaning(solution)


def _chance_text(win: Chance) -> str:
    """A chance in per cent, with all digits that are certain; a fraction also as it is; the interval where hardly any are."""
    if isinstance(win.value, Fraction):
        as_percent = f"{decimals(100 * win.value, 13)} %"
        return f"{shortened(win.value)} = {as_percent}" if win.value.denominator != 1 else f"{100 * win.value} %"
    if win.high - win.low > WIDE:
        return f"between {100 * float(win.low):.6g} % and {100 * float(win.high):.6g} %"
    return f"{percent(win, most=ALL_DIGITS)} %"


def _value_text(solution: Solution) -> str:
    """The value with its reliable digits, or the interval where hardly any are."""
    low, high = float(solution.low), float(solution.high)
    if high - low > WIDE * max(1.0, abs(high)):
        return f"between {low:.6g} and {high:.6g}"
    return with_decimals(solution.value, solution.low, solution.high)


def _meaning(solution: Solution) -> str:
    """Win, draw or loss in words, for games for two without chance."""
    report = solution.report
    if report.is_for_two and report.is_decided_without_chance and solution.discount == 1:
        result = {1: "a win", 0: "a draw", -1: "a loss"}.get(int(solution.value), "")
        moves = solution.probe(solution.rules.start).distance
        at = f", in {moves} move{'' if moves == 1 else 's'}" if moves is not None else ""
        return f", {result} for the player who moves first{at}"
    return ""


def _start_lines(solution: Solution) -> Iterable[tuple[str, str]]:
    rules = solution.rules
    if rules.is_chance:
        return
    start = solution.probe(rules.start)
    if start.action is None:
        return
    if start.mixture is not None and start.other_mixture is not None:
        if len(start.mixture) == len(start.other_mixture) == 1:  # chance begins
            return
        yield "first at the start", mixture_text(solution, start.mixture)
        yield "second at the start", mixture_text(solution, start.other_mixture)
        return
    text = rules.action_name(start.action)
    if 1 < len(start.actions) <= FEW_ACTIONS:
        worth = ", ".join(f"{rules.action_name(a)} {_worth_text(start, a)}" for a in start.actions)
        text += f"   ({worth})"
    elif len(start.actions) > FEW_ACTIONS:
        command = "zermelo table --view actions" if solution.has_states else "zermelo table"
        text += f"   ({len(start.actions)} actions to choose from; {command} shows what each is worth)"
    yield "best at the start", text


def _worth_text(start: Probe, action: Any) -> str:
    """What an action is worth: as a chance of winning where the game tells it."""
    win = start.win_probabilities.get(action)
    return f"{float(start.actions[action]):.6g}" if win is None else f"{percent(win)} %"


def mixture_text(solution: Solution, mixture: Mapping[Any, Number]) -> str:
    """What is played how often, the likeliest first: "5 dice 77.15 %, 2 dice 17.56 %, 3 dice 5.29 %"."""
    played = sorted(((p, a) for a, p in mixture.items() if p), key=lambda item: -item[0])
    names = [solution.rules.action_name(a) for _, a in played]
    if len(played) == 1:
        return names[0]
    shown = [f"{name} {100 * float(p):.4g} %" for name, (p, _) in zip(names, played, strict=True)]
    more = f", and {len(shown) - FEW_ACTIONS} more" if len(shown) > FEW_ACTIONS else ""
    return ", ".join(shown[:FEW_ACTIONS]) + more


def time_text(statistics: Mapping[str, Any]) -> str:
    """How long each step took, and whether Python ran the rules; compiling only where there was something to compile."""
    steps = [
        (what, statistics.get(f"seconds {what}", 0.0)) for what in ("compiling", "exploring", "numbering", "solving", "checking")
    ]
    shown = [
        (what, s)
        for what, s in steps
        if s > 0.01 or (what in ("exploring", "solving") and f"seconds {what}" in statistics)
    ]
    said = ", ".join(f"{seconds(s)} {what}" for what, s in shown)
    how = [statistics["solver"]] if "solver" in statistics else []
    if "interpreted" in statistics:
        how.append("rules interpreted" if statistics["interpreted"] else "rules compiled")
    return f"{said} ({', '.join(how)})" if how else said


# --- strategies instead of states ---------------------------------------------------------------------------------------


def facts_as_data(solution: MixedSolution | HiddenSolution) -> dict[str, Any]:
    """What `solve --json` prints first of a solution that is a strategy for each of two players."""
    return {
        **game_as_data(solution.game),
        "value": float(solution.value),
        "digits": value_text(solution),
        "exact": in_full(Fraction(solution.value)) if solution.is_exact else None,
        "low": float(solution.low),
        "high": float(solution.high),
    }


def report_as_data(solution: Any) -> dict[str, Any]:
    """What `solve --json` prints last: how the game was solved."""
    report = solution.report
    return {
        "statistics": solution.statistics,
        "engine": report.engine,
        "not asked": [refusal._asdict() for refusal in report.tried],
        "notes": list(report.notes),
    }


def game_as_data(game: Any) -> dict[str, Any]:
    """A game and its parameters in JSON."""
    is_matrix = isinstance(game, Matrix)
    parameters = {"payoffs": [[in_full(x) for x in row] for row in game.payoffs]} if is_matrix else game._asdict()
    return {"game": type(game).__name__, "parameters": parameters}


def print_facts(solution: MixedSolution | HiddenSolution, out: Console) -> None:
    """What `solve` prints first of a solution that is a strategy for each of two players."""
    out.print(f"[bold]{game_text(solution.game)}[/bold]", highlight=False)
    lines = [("value", value_text(solution)), ("certificate", str(solution.certificate))]
    lines += [("game", solution.report.summary), ("time", time_text(solution.statistics))]
    print_pairs([*lines, *(("note", note) for note in solution.report.notes)], out)


def value_text(solution: MixedSolution | HiddenSolution) -> str:
    """The value with the digits that its interval supports; as a fraction, too, if it is proven."""
    low, high = solution.low, solution.high
    return with_decimals(low, low, high) if solution.is_exact else digits(float(solution.value), float(low), float(high))


def print_pairs(pairs: Iterable[tuple[str, str]], out: Console) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in pairs:
        grid.add_row("  " + label, Text(text, style="bold" if label == "value" or label.endswith("wins") else ""))
    out.print(grid)


# --- a simulation -----------------------------------------------------------------------------------------------------


def simulation_as_data(solution: Solution, simulation: Simulation) -> dict[str, Any]:
    """What `simulate --json` prints."""
    return {
        **game_as_data(solution.game),
        "discount": solution.discount,
        "plays": simulation.plays,
        "seed": simulation.seed,
        "seconds": simulation.seconds,
        "totals": {
            name: {
                "mean": t.mean,
                "standard error": t.standard_error,
                "minimum": t.minimum,
                "maximum": t.maximum,
                "value": None if t.value is None else float(t.value),
                "z": t.z,
                "distribution": t.distribution,
                "histogram": t.histogram and {"counts": t.histogram.counts, "edges": t.histogram.edges},
            }
            for name, t in simulation.totals.items()
        },
        "lengths": simulation.lengths,
        "circling": simulation.circling,
    }


def print_simulation(solution: Solution, simulation: Simulation, out: Console) -> None:
    """What `simulate` prints for people."""
    from rich.table import Table

    plays = simulation.plays
    out.print(
        f"[bold]{game_text(solution.game)}[/bold]: {plays:,} plays, seed {simulation.seed}{_discount_text(solution)}"
    )
    grid = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("total", "mean", "standard error", "computed value", "z", "least", "most"):
        first = heading == "total"
        grid.add_column(heading, justify="left" if first else "right", style="cyan" if first else "")
    for name, t in simulation.totals.items():
        value = "" if t.value is None else digits(t.value, *solution.bounds[name])
        if isinstance(t.value, Fraction) and t.value.denominator != 1:
            value = f"{float(t.value):.9f}"
        z = "" if t.z is None else f"{t.z:+.2f}"
        grid.add_row(name, f"{t.mean:.6f}", f"{t.standard_error:.6f}", value, z, f"{t.minimum:g}", f"{t.maximum:g}")
    out.print(grid)
    lengths = simulation.lengths
    spread = f"{simulation.mean_length:.2f} actions on average, from {min(lengths)} to {max(lengths)}"
    if simulation.circling == plays:
        out.print(f"no play ends: each comes to a cycle without payoffs, after {spread}")
    else:
        out.print(f"length: {spread}")
    if 0 < simulation.circling < plays:
        out.print(f"{simulation.circling:,} plays never end: they come to a cycle without payoffs, and count up to there")
    _print_bars(next(iter(simulation.totals)), _bins(simulation), plays, out)
    speed = simulation.steps / max(simulation.seconds, 1e-9)
    out.print(f"[dim]{seconds(simulation.seconds)}, {speed:,.0f} actions a second[/dim]")


def _discount_text(solution: Solution) -> str:
    return f", discount {solution.discount:g}" if is_discounted(solution) else ""


def _bins(simulation: Simulation) -> list[tuple[str, int]]:
    """The distribution of the first payoff in at most `BARS` lines."""
    distribution, histogram = simulation.distribution, simulation.histogram
    if distribution:
        low, high = min(distribution), max(distribution)
        width = -(-(high - low + 1) // BARS)
        counts: dict[int, int] = {}
        for total, plays in distribution.items():
            counts[(total - low) // width] = counts.get((total - low) // width, 0) + plays
        return [(_bin_name(low + i * width, width), counts.get(i, 0)) for i in range((high - low) // width + 1)]
    if histogram:
        step = -(-len(histogram.counts) // BARS)
        starts = range(0, len(histogram.counts), step)
        return [(f"{histogram.edges[i]:.4g}", int(histogram.counts[i : i + step].sum())) for i in starts]
    return []


def _bin_name(low: int, width: int) -> str:
    return str(low) if width == 1 else f"{low} to {low + width - 1}"


def _print_bars(name: str, bins: list[tuple[str, int]], plays: int, out: Console) -> None:
    if len(bins) < 2:
        return
    out.print(f"\n{name}:")
    most, width = max(n for _, n in bins), max(len(label) for label, _ in bins)
    for label, n in bins:
        out.print(f"  {label:>{width}}  [blue]{'█' * round(BAR * n / most)}[/blue] {100 * n / plays:.2f}%")


# --- reproduced numbers -----------------------------------------------------------------------------------------------


STYLES = {"agrees": "green", "printed figure is wrong": "yellow", "differs": "yellow", "NOT REPRODUCED": "bold red"}
SIGNS = {"agrees": "=", "printed figure is wrong": "x", "differs": "~", "NOT REPRODUCED": "?"}
LONG_FIGURE = 46
VERDICT_WIDTHS = (1, 34, 24, 30, 3, None)  # of the columns


def print_verdicts(claims: Iterable[Claim], found: Iterator[Verdict], out: Console) -> list[Verdict]:
    """What `reproduce` prints for people, each figure as soon as it is found: game by game, with footnotes on single figures."""
    from rich.text import Text

    every = []
    for game, of_game in groupby(claims, lambda claim: claim.game):
        notes: list[str] = []
        out.print(Text(game, style="bold"))
        out.print(_verdict_row("", "what", "printed", "ours", "", "source"), style="bold")
        out.file.flush()
        for v in islice(found, len(list(of_game))):
            every.append(v)
            if v.claim.why and v.claim.why not in notes:
                notes.append(v.claim.why)
            style = STYLES[v.text]
            out.print(
                _verdict_row(
                    Text(SIGNS[v.text], style), v.claim.what, _shortened(v.claim.printed),
                    Text(_shortened(v.ours), style="" if v.text == "agrees" else style),
                    Text(f"[{notes.index(v.claim.why) + 1}]" if v.claim.why else "", "dim"), Text(v.claim.source, "dim"),
                )
            )  # fmt: skip
            out.file.flush()
        for i, note in enumerate(notes, 1):
            out.print(Text(f"   [{i}] {note}", style="dim italic"))
        out.print()
    for of_whom, is_published in (("published figures", True), ("figures of our own, computed in another way", False)):
        texts = [v.text for v in every if v.claim.is_published == is_published]
        if texts:
            counts = {text: texts.count(text) for text in STYLES}
            said = "   ".join(f"[{STYLES[t]}]{SIGNS[t]}[/] {n} {_plural(t, n)}" for t, n in counts.items() if n)
            out.print(f"{len(texts)} {of_whom}:   {said}")
    return every


def _verdict_row(*cells: str | Text) -> Table:
    """A row of its own, in columns as wide as those of all others."""
    from rich.table import Table

    row = Table.grid(padding=(0, 2, 0, 0))
    for width in VERDICT_WIDTHS:
        row.add_column(width=width, overflow="fold")
    row.add_row(*cells)
    return row


def _plural(text: str, n: int) -> str:
    words = {
        "agrees": ("agrees", "agree"),
        "printed figure is wrong": ("is wrong, by a mistake that was found", "are wrong, by mistakes that were found"),
        "differs": ("differs", "differ"),
    }
    return words.get(text, (text, text))[n != 1]


def _shortened(text: str) -> str:
    """A fraction of many digits with its beginning and end."""
    return f"{text[:20]}...{text[-20:]}" if len(text) > LONG_FIGURE and " " not in text else text

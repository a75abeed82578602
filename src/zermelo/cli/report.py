"""Solutions, simulations and verdicts, as text and as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import FEW, MOST_IN_FEW, USUAL, Number, digits, in_decimals, in_few, is_wide, percent_text
from zermelo.basics.words import cells, counted, discount_text, game_in_words
from zermelo.cli.lines import GAP, as_options, print_pairs, print_title
from zermelo.cli.output import seconds, verbatim
from zermelo.solution import HiddenSolution, MixedSolution, Solution
from zermelo.uses.property import deadlocks, is_of_several, remark
from zermelo.uses.units import Measure, measure, percent, winning
from zermelo.views.words import RESULTS, answer_lines, certain_amount, certificate_text, is_decided, value_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from zermelo.reproduce import Claim, Verdict
    from zermelo.solution import Probe
    from zermelo.uses.simulate import Simulation

Command = Callable[[str], str]  # the text of a command that shows more, by the name of a view
FEW_ACTIONS = 4
BARS = 16  # lines of a distribution
BAR = 40  # characters of its longest bar
ROUND_A_BAR = 12  # characters of its line besides the bar and its label
ONE = Measure("")  # for payoffs without a unit


# --- a solution -------------------------------------------------------------------------------------------------------


def print_solution(solution: Solution, most: int = USUAL, explain: bool = False, table: Command | None = None) -> None:
    """The text output of `solve`, with this many digits, and with `explain` the argument of the certificate. `table` writes the command
    that shows more, given the name of a view."""
    lines = list(summary(solution, most, explain, table))
    print_title(game_in_words(solution.game), discount_text(solution.discount))
    print_pairs(lines)


def summary(
    solution: Solution, most: int = USUAL, explain: bool = False, table: Command | None = None
) -> Iterable[tuple[str, str]]:
    """Label and text of every line about a solution."""
    yield from answer_lines(solution, most)
    yield "certificate", certificate_text(solution.certificate, explain, solution.game)
    yield from _start_lines(solution, most)
    statistics = solution.statistics
    if "length" in statistics:
        length = solution.length
        yield "length", f"{in_few(length.mean)} moves on average, standard deviation {in_few(length.standard_deviation)}"
    yield "sweep" if solution.has_stopping_line else "game", solution.report.summary
    if "seconds solving" in statistics:
        yield "time", time_text(statistics)
    for note in (*solution.report.notes, *filter(None, [deadlocks(solution)])):
        yield "note", as_options(note)
    if table and solution.has_rules and _actions_at_start(solution) > FEW_ACTIONS:
        yield "next", f"{table('actions')}   (what each action is worth)"


def _actions_at_start(solution: Solution) -> int:
    return 0 if solution.rules.is_chance else len(solution.rules.own_actions(solution.rules.start))


def _start_lines(solution: Solution, most: int) -> Iterable[tuple[str, str]]:
    rules = solution.rules
    if rules.is_chance:
        return
    choices = _actions_at_start(solution)
    if choices > FEW_ACTIONS and not rules.is_simultaneous and not is_of_several(solution):  # their worth isn't told, and may take long
        yield "best at the start", f"{rules.action_name(solution.best_action(rules.start))}   ({choices:,} actions to choose from)"
        return
    start = solution.probe(rules.start)
    if start.action is None or is_of_several(solution):
        return
    if start.mixture is not None and start.other_mixture is not None:
        if len(start.mixture) == len(start.other_mixture) == 1:  # chance begins
            return
        yield "first at the start", mixture_text(solution, start.mixture)
        yield "second at the start", mixture_text(solution, start.other_mixture)
        return
    name = rules.action_names(start.actions)
    text, names = name[start.action], [*name.values()]
    if len(start.actions) > 1:
        worth = [_worth_text(solution, start, a, most) for a in start.actions]
        text += f"   ({_pairs(names, worth)})"
    yield "best at the start", text


def _worth_text(solution: Solution, start: Probe, action: Any, most: int) -> str:
    """The worth of an action to the player to move, with so many digits: a win, draw or loss; a chance of winning if the game defines it;
    or payoffs."""
    low, high = start.action_bounds[action]
    if is_decided(solution) and not is_wide(low, high):
        return RESULTS[round(float(start.actions[action])) * (1 if start.player == 0 else -1)]
    win = start.win_probabilities.get(action)
    if win is not None:
        return f"{percent(win, most)} %"
    return certain_amount(measure(solution.game), start.actions[action], low, high, most)


def _pairs(names: Sequence[str], texts: Sequence[str]) -> str:
    """Names, each with its text: "take 1: wins, take 2: loses". Names may contain commas and end in numbers."""
    return ("; " if any("," in name for name in names) else ", ").join(f"{n}: {t}" for n, t in zip(names, texts, strict=True))


def mixture_text(solution: Solution, mixture: Mapping[Any, Number]) -> str:
    """How often each action is played, the likeliest first: "5 dice: 77.15 %, 2 dice: 17.56 %, 3 dice: 5.29 %"."""
    played = sorted(((p, a) for a, p in mixture.items() if p), key=lambda item: -item[0])
    name = solution.rules.action_names(mixture)
    names = [name[a] for _, a in played]
    if len(played) == 1:
        return names[0]
    shown = _pairs(names[:FEW_ACTIONS], [f"{percent_text(p)} %" for p, _ in played[:FEW_ACTIONS]])
    return f"{shown}, and {len(played) - FEW_ACTIONS} more" if len(played) > FEW_ACTIONS else shown


def time_text(statistics: Mapping[str, Any]) -> str:
    """The time of each step, and whether Python ran the rules; compiling is included only if something was compiled."""
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


def print_facts(solution: MixedSolution | HiddenSolution, most: int, explain: bool) -> None:
    """The first lines of `solve` for a solution that is a strategy for each of two players."""
    print_title(game_in_words(solution.game))
    lines = [("value", value_text(solution, most)), ("certificate", certificate_text(solution.certificate, explain, solution.game))]
    lines += [("game", solution.report.summary), ("time", time_text(solution.statistics))]
    print_pairs([*lines, *(("note", as_options(note)) for note in solution.report.notes)])


# --- a simulation -----------------------------------------------------------------------------------------------------


def print_simulation(solution: Solution, simulation: Simulation, out: Console) -> None:
    """The text output of `simulate`."""
    from zermelo.uses.plays import form_of_mean

    plays = simulation.plays
    out.print(
        f"[bold]{verbatim(game_in_words(solution.game))}[/bold]; {counted(plays, 'play')}, seed {simulation.seed}"
        f"{discount_text(solution.discount)}"
    )
    headings = ("total", "mean", "standard error", "computed value", "z", "least", "most")
    rows = []
    unit, main = measure(solution.game), next(iter(simulation.totals))
    for name, t in simulation.totals.items():
        own = unit if unit and name == main else ONE
        worth = None if t.value is None else own.of(t.value)
        if isinstance(worth, Fraction) and worth.denominator != 1:
            value = in_decimals(worth, usual=9)
        else:
            value = "" if t.value is None else digits(*own.shown(t.value, *solution.bounds[name]))
        z = "" if t.z is None else f"{round(t.z, 2) + 0.0:+.2f}"  # no -0.00
        mean, error, least, most = (float(own.of(x)) for x in (t.mean, t.standard_error, t.minimum, t.maximum))
        heading = own.label(name) if own.name else name
        form = form_of_mean(mean, error)
        rows.append((heading, f"{mean:{form}}", f"{error:{form}}" if plays > 1 else "", value, z, in_few(least), in_few(most)))
    _print_totals(headings, rows, out)
    if isinstance(solution, Solution):
        _print_chance(solution, simulation, out)
    lengths = simulation.lengths
    spread = f"{simulation.mean_length:.2f} moves on average, from {min(lengths)} to {max(lengths)}"
    if getattr(solution.answers, "discount", 1.0) < 1:
        from zermelo.kernels.simulate import NEGLIGIBLE  # imported here, as the simulation has by now

        spread += f"; with a discount plays are followed until what comes weighs less than {NEGLIGIBLE:g}"
    if isinstance(solution, Solution) and solution.rules.is_cut_off:
        out.print("plays that are cut off are paid the lower bound")
    if simulation.circling == plays:
        out.print(f"no play ends: each comes to a cycle without payoffs, after {spread}")
    else:
        out.print(f"length: {spread}")
    if 0 < simulation.circling < plays:
        out.print(f"without an end: {counted(simulation.circling, 'play')}, counted up to where a cycle without payoffs begins")
    _print_bars(unit.label(main) if unit else main, _bins(simulation, unit or ONE), plays, out)
    if note := remark(solution.game):
        out.print(verbatim(note), soft_wrap=False)
    speed = simulation.steps / max(simulation.seconds, 1e-9)
    out.print(f"[dim]{seconds(simulation.seconds)}, {speed:,.0f} moves a second[/dim]")


def _print_totals(headings: Sequence[str], rows: Sequence[Sequence[str]], out: Console) -> None:
    """A line for each total; in a narrow terminal a line for each of its numbers, which would be cut off."""
    from rich.table import Table
    from rich.text import Text

    if sum(max(map(cells, column)) + GAP for column in zip(headings, *rows, strict=True)) > out.width:
        for heading, *numbers in rows:
            out.print(Text(heading, "cyan"))
            print_pairs((name, number) for name, number in zip(headings[1:], numbers, strict=True) if number)
        return
    grid = Table(box=None, padding=(0, GAP, 0, 0))
    for k, name in enumerate(headings):
        grid.add_column(name, justify="right" if k else "left", style="" if k else "cyan")
    for heading, *numbers in rows:
        grid.add_row(Text(heading), *numbers)
    out.print(grid)


def _print_chance(solution: Solution, simulation: Simulation, out: Console) -> None:
    """How often the player won, if the game defines the chance of winning."""
    wins, computed = winning(solution.answers), simulation.total.value
    if wins is not None:
        mean, error = (100 * float(x) for x in (wins.convert(simulation.mean), wins.loss(simulation.standard_error, 0.0)))
        chance = "" if computed is None else f", computed {percent(wins.of(computed, solution.low, solution.high))} %"
        spread = f", standard error {error:.4f} %" if simulation.plays > 1 else ""
        out.print(f"{wins.name}: {mean:.4f} %{spread}{chance}")


def _bins(simulation: Simulation, unit: Measure) -> list[tuple[str, int]]:
    """The distribution of the first payoff in at most `BARS` lines."""
    if simulation.distribution:
        return [(_bin_name(low, high, unit), plays) for low, high, plays in simulation.ranges(BARS)]
    histogram = simulation.histogram
    if histogram:
        step = -(-len(histogram.counts) // BARS)
        starts = range(0, len(histogram.counts), step)
        names = _apart([float(unit.of(histogram.edges[i])) for i in starts])
        return [(name, int(histogram.counts[i : i + step].sum())) for name, i in zip(names, starts, strict=True)]
    return []


def _apart(edges: Sequence[float]) -> list[str]:
    """The numbers with four digits, or as many more as make them differ."""
    texts = ([in_few(edge, most) for edge in edges] for most in range(FEW, MOST_IN_FEW + 1))
    return next((names for names in texts if len({*names}) == len(names)), [str(edge) for edge in edges])


def _bin_name(low: int, high: int, unit: Measure) -> str:
    ends = [str(x) if unit.payoffs == 1 else f"{float(unit.of(x)):.10g}" for x in (low, high)]
    return ends[0] if low == high else " to ".join(ends)


def _print_bars(name: str, bins: list[tuple[str, int]], plays: int, out: Console) -> None:
    if len(bins) < 2:
        return
    out.print(f"\n{verbatim(name)}:")
    most, width = max(n for _, n in bins), max(len(label) for label, _ in bins)
    bar = max(1, min(BAR, out.width - width - ROUND_A_BAR))
    for label, n in bins:
        out.print(f"  {label:>{width}}  [blue]{'█' * round(bar * n / most)}[/blue] {100 * n / plays:.2f}%")


# --- reproduced numbers -----------------------------------------------------------------------------------------------


STYLES = {"agrees": "green", "printed figure is wrong": "yellow", "differs": "yellow", "NOT REPRODUCED": "bold red"}
SHORT = {"agrees": "agrees", "printed figure is wrong": "wrong", "differs": "differs", "NOT REPRODUCED": "FAILED"}
LONG_FIGURE = 46
VERDICT_WIDTHS = (24, 18, 7, 18, 3)  # of the columns, in a terminal of 80
LEAST_TEXT = 8  # the least width of a column of text
VERDICT_MORE = (14, 8, 0, 14, 0)  # further width that they take if available


def print_verdicts(claims: Iterable[Claim], found: Iterator[Verdict], out: Console) -> list[Verdict]:
    """The text output of `reproduce`, with each figure as soon as it is found: game by game, with the sources and footnotes on
    individual figures."""
    from rich.text import Text

    every = []
    widths = _verdict_widths(out.width)
    for game, of_game in groupby(claims, lambda claim: claim.game):
        notes: list[str] = []
        source = ""
        out.print(Text(game, style="bold"))
        out.print(_verdict_row(widths, "what", "printed", "", "ours", ""), style="bold")
        out.file.flush()
        for v in islice(found, len(list(of_game))):
            every.append(v)
            if v.claim.why and v.claim.why not in notes:
                notes.append(v.claim.why)
            if v.claim.source != source:
                source = v.claim.source
                out.print(Text(f"{source}:", "dim"))
            style = STYLES[v.text]
            out.print(
                _verdict_row(
                    widths, v.claim.what, _shortened(v.claim.printed), Text(SHORT[v.text], style),
                    Text(_shortened(v.ours), style="" if v.text == "agrees" else style),
                    Text(f"[{notes.index(v.claim.why) + 1}]" if v.claim.why else "", "dim"),
                )
            )  # fmt: skip
            out.file.flush()
        for i, note in enumerate(notes, 1):
            out.print(Text(f"[{i}] {note}", style="dim italic"))
        out.print()
    for is_published, kind, whose in ((True, "published ", ""), (False, "", " of our own, computed in another way")):
        texts = [v.text for v in every if v.claim.is_published == is_published]
        if texts:
            counts = {text: texts.count(text) for text in STYLES}
            said = ", ".join(f"[{STYLES[t]}]{n} {_plural(t, n)}[/]" for t, n in counts.items() if n)
            out.print(f"{len(texts)} {kind}{'figure' if len(texts) == 1 else 'figures'}{whose}: {said}")
    return every


def _verdict_widths(width: int) -> list[int]:
    """The column widths in a terminal of this width: columns of text take what is free, up to what they need, and lack what is missing."""
    free = width - sum(VERDICT_WIDTHS) - 2 * (len(VERDICT_WIDTHS) - 1)
    if free < 0:
        share = free // sum(more > 0 for more in VERDICT_MORE)
        return [max(LEAST_TEXT, w + share) if more else w for w, more in zip(VERDICT_WIDTHS, VERDICT_MORE, strict=True)]
    return [w + min(more, free * more // sum(VERDICT_MORE)) for w, more in zip(VERDICT_WIDTHS, VERDICT_MORE, strict=True)]


def _verdict_row(widths: Sequence[int], *cells: str | Text) -> Table:
    """A separate row, in columns as wide as those of all others."""
    from rich.table import Table

    row = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    for width in widths:
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
    """A fraction of many digits, shortened to its beginning and end."""
    return f"{text[:20]}...{text[-20:]}" if len(text) > LONG_FIGURE and " " not in text else text

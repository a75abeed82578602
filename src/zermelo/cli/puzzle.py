"""`zermelo puzzle NAME`: one command for each small problem, with options of its own."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from zermelo.basics.parameters import whole
from zermelo.cli.commands import Json, contents
from zermelo.cli.examples import epilog
from zermelo.cli.lines import print_pairs
from zermelo.cli.once import Once
from zermelo.cli.output import check_writable, console, print_json
from zermelo.errors import ParameterError
from zermelo.puzzles import NAMES, PUZZLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from zermelo.puzzles.sheet import Answer

NAME = "puzzle"

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Also draw a picture: a name ending in .png, .svg or .pdf."),
]


BOTH = "both"


def build() -> typer.Typer:
    """The command `puzzle` with its own commands; without one of them it lists them."""
    app = typer.Typer(
        invoke_without_command=True, help="Small problems, answered exactly; without a name, list them."
    )
    app.callback()(list_puzzles)
    commands: dict[str, Callable[..., None]] = {
        "coupons": coupons,
        "podiums": podiums,
        "whodunit": whodunit,
        "ant": ant,
        "bridge": bridge,
    }
    for puzzle in PUZZLES:
        about = puzzle.doc[:1].upper() + puzzle.doc[1:]
        app.command(puzzle.name, cls=Once, help=about, epilog=epilog(f"{NAME} {puzzle.name}"))(commands[puzzle.name])
    return app


def unknown(word: str) -> str:
    close = get_close_matches(word, NAMES, 2, 0.5)
    return f"no puzzle {word!r}; " + (
        f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(NAMES)}"
    )


def list_puzzles(context: typer.Context, as_json: Json = False) -> None:
    if context.invoked_subcommand is not None:
        if as_json:
            raise ParameterError(f"--json comes last: zermelo puzzle {context.invoked_subcommand} --json")
        return
    if as_json:
        print_json([{"name": puzzle.name, "about": puzzle.doc} for puzzle in PUZZLES])
        return
    print_pairs((puzzle.name, puzzle.doc) for puzzle in PUZZLES)
    print("\nzermelo puzzle NAME answers one; add --help for what can be varied.")


def show(answer: Answer, as_json: bool, output: Path | None = None, figure: Callable[[], Figure] | None = None) -> None:
    """Print an answer, and draw the requested picture."""
    if output and figure:
        from zermelo.views.plot import save

        save(figure(), output)
    if as_json:
        print_json({**answer.data, **({"output": output} if figure else {})})
        return
    from zermelo.views.table import Table, print_table

    out = console()
    for i, sheet in enumerate(answer.sheets):
        if i:
            out.print()
        print_table(Table(*sheet, decimals=6), out)
    if output:
        print(f"\n{output}: the picture")


def drawable(output: Path | None) -> None:
    """Before anything is computed, refuse a picture that can't be written."""
    if output:
        from zermelo.views.plot import check_format

        check_writable(check_format(output))


def figures() -> ModuleType:
    """The pictures of puzzles; importing them takes numpy and matplotlib."""
    from zermelo.views import puzzle_figures

    return puzzle_figures


# --- the puzzles ------------------------------------------------------------------------------------------------------


def coupons(
    draws: Annotated[int | None, typer.Option(metavar="N", help="Coupons that were drawn.", show_default="50")] = None,
    kinds: Annotated[int | None, typer.Option(metavar="K", help="Different kinds among them.", show_default="40")] = None,
    text: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Instead: the words of a text, as if its author used all known words equally often."),
    ] = None,
    words: Annotated[int | None, typer.Option(metavar="N", help="Only the first N words of the text.", show_default="all")] = None,
    digits: Annotated[int, typer.Option(metavar="D", help="Digits of the root after the point.")] = 25,
    confidence: Annotated[str, typer.Option(metavar="P", help="How sure the confidence set is.")] = "0.95",
    output: Output = None,
    as_json: Json = False,
) -> None:
    from zermelo.puzzles.coupons import answer, drawn_from

    drawable(output)
    if text is not None:
        if draws is not None or kinds is not None:
            raise ParameterError("give --draws and --kinds, or --text")
        draws, kinds = drawn_from(contents(str(text)), words, str(text))
    elif words is not None:
        raise ParameterError("--words goes with --text")
    draws, kinds = 50 if draws is None else draws, 40 if kinds is None else kinds
    show(
        answer(draws, kinds, digits, confidence),
        as_json,
        output,
        lambda: figures().coupons_figure(draws, kinds, confidence),
    )


def podiums(
    runners: Annotated[int, typer.Option(metavar="N", help="Runners in the race.")] = 6,
    steps: Annotated[int, typer.Option(metavar="M", help="Steps of the podium: kinds of medals.")] = 3,
    output: Output = None,
    as_json: Json = False,
) -> None:
    from zermelo.puzzles.podiums import answer

    drawable(output)
    show(answer(runners, steps), as_json, output, lambda: figures().podiums_figure(runners, steps))


def whodunit(
    problem: Annotated[
        int | None, typer.Option(metavar="1|2", help="The post's first or second problem.", show_default="1")
    ] = None,
    statements: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help='A case of your own: "Ann: Bob could claim that Ann is guilty; Bob: ..."'),
    ] = None,
    new: Annotated[
        int | None, typer.Option(metavar="N", help="A new case of N suspects that has just one answer in the reading.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="The same seed gives the same new case.", show_default="0")] = None,
    reading: Annotated[
        str, typer.Option(metavar="NAME", help='How to read "could claim": actual, possible or both.')
    ] = BOTH,
    as_json: Json = False,
) -> None:
    from zermelo.puzzles.whodunit import MOST_SUSPECTS, PROBLEMS, Reading, answer, new_case, parsed

    if sum(given is not None for given in (problem, statements, new)) > 1:
        raise ParameterError("give one of --problem, --statements and --new")
    if seed is not None and new is None:
        raise ParameterError("--seed goes with --new")
    readings = tuple(r for r in Reading if reading in (r.value, BOTH))
    if not readings:
        raise ParameterError(f"--reading must be actual, possible or both, not {reading!r}")
    if statements is not None:
        case = parsed(statements)
    elif new is not None:
        case = new_case(whole("--new", new, 2, MOST_SUSPECTS), readings, seed or 0)
    else:
        number = 1 if problem is None else problem
        if number not in PROBLEMS:
            raise ParameterError(f"--problem must be 1 or 2, not {number}")
        case = PROBLEMS[number]
    show(answer(case, readings), as_json)


def ant(
    letters: Annotated[int, typer.Option(metavar="Q", help="Letters that the ant can leave.")] = 2,
    longest: Annotated[int, typer.Option(metavar="N", help="Count patterns of up to N letters.")] = 12,
    output: Output = None,
    as_json: Json = False,
) -> None:
    from zermelo.puzzles.ant import answer

    drawable(output)
    show(answer(letters, longest), as_json, output, lambda: figures().ant_figure(letters, longest))


def bridge(
    price: Annotated[float, typer.Option(metavar="S", help="The price now.")] = 98.0,
    par: Annotated[float, typer.Option(metavar="K", help="The price at the end, which is known in advance.")] = 100.0,
    volatility: Annotated[float, typer.Option(metavar="V", help="Standard deviation of the free price after a time of 1.")] = 3.0,
    time: Annotated[float, typer.Option(metavar="T", help="Time left.")] = 1.0,
    output: Output = None,
    as_json: Json = False,
) -> None:
    from zermelo.puzzles.bridge import answer

    drawable(output)
    show(answer(price, par, volatility, time), as_json, output, lambda: figures().bridge_figure(price, par, volatility, time))

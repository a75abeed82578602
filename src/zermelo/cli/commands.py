"""What each command does. Numerical packages are imported only by commands that compute."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.cli.output import FAILED, NOT_REPRODUCED, check_writable, complain, console, print_json, progress_bar
from zermelo.cli.target import Target, find
from zermelo.errors import FileError, ParameterError, RulesError

if TYPE_CHECKING:
    from zermelo.views.slices import View

STORED = b"ZERMELO"  # what a saved solution begins with

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Exact = Annotated[bool, typer.Option("--exact", help="Compute in rational numbers, proven.")]
Discount = Annotated[
    float, typer.Option(metavar="D", help="What comes one step later counts D times as much, 0 < D <= 1.")
]
MaxStates = Annotated[
    int | None, typer.Option(metavar="N", help="Refuse games of more states.", show_default="100 million explored")
]
Fix = Annotated[
    list[str] | None, typer.Option("--fix", metavar="NAME=VALUE", help="Fix a field of the state; may be repeated.")
]
ViewName = Annotated[
    str | None, typer.Option("--view", metavar="NAME", help="Which one; the last line says what there is.")
]


# --- solving ----------------------------------------------------------------------------------------------------------


def solution_of(
    target: Target,
    given: Mapping[str, Any],
    exact: bool = False,
    discount: float = 1.0,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: Path | None = None,
) -> Any:
    """Solve the game that is meant, or open the saved solution: a `Solution`, or a `MixedSolution` of a game of hidden choice."""
    if target.is_given_by_replies:
        if discount != 1 or checkpoint or max_states is not None:
            raise ParameterError(
                f"{target.word} is a game of hidden choice: of the options about solving only --tolerance and --exact fit"
            )
        from zermelo.engines.replies import solve_by_replies

        game = target.game(given)
        with progress_bar() as progress:
            return solve_by_replies(game, None if exact else tolerance, progress)
    if target.saved:
        import zermelo

        if exact or discount != 1 or tolerance is not None or checkpoint is not None:
            raise ParameterError(f"{target.word} is a saved solution: options about how to solve it come too late")
        sys.path.append(str(Path.cwd()))  # where the file of the user's game is, most likely
        return zermelo.open(target.saved)
    from zermelo.solving import solve

    if max_states is not None and max_states < 1:
        raise ParameterError(f"--max-states must be at least 1, not {max_states}")
    game = target.game(given)
    with progress_bar() as progress:
        return solve(
            game,
            exact=exact,
            discount=discount,
            max_states=max_states,
            tolerance=tolerance,
            checkpoint=checkpoint,
            progress=progress,
        )


def solve(
    target: Target,
    given: Mapping[str, Any],
    exact: Exact = False,
    discount: Discount = 1.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the whole solution to this file.")
    ] = None,
    compress: Annotated[
        bool, typer.Option("--compress", help="Large board games: save a small file, to be shared.")
    ] = False,
    max_states: MaxStates = None,
    tolerance: Annotated[
        float | None,
        typer.Option(metavar="T", help="How far the value may be from the truth, such as 1e-9 (relative)."),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Large decks: go on from this file, and save there every minute."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a game: its value, certificate and best first action; both mixed strategies in games of hidden choice."""
    from zermelo.cli import mixed
    from zermelo.cli import report as general

    if compress and not output:
        raise ParameterError("--compress needs --output FILE: it is about the file")
    if output:
        check_writable(output, STORED)
    solution = solution_of(target, given, exact, discount, max_states, tolerance, checkpoint)
    if output:
        with progress_bar() as progress:
            solution.save(output, compress, progress) if compress else solution.save(output)
    report = mixed if is_hidden(solution) else general
    if as_json:
        print_json({**report.as_data(solution), "output": output})
        return
    report.print_solution(solution, console())
    if output:
        print(
            f"saved to {output}"
            if is_hidden(solution) or "cells" not in solution.statistics
            else f"saved to {output}: --checkpoint {output} finds the answer there"
        )


def table(
    target: Target,
    given: Mapping[str, Any],
    view: ViewName = None,
    fix: Fix = None,
    rows: Annotated[
        str | None, typer.Option(metavar="FIELD", help="The field that makes the rows (view states).")
    ] = None,
    columns: Annotated[
        str | None, typer.Option(metavar="FIELD", help="The field that makes the columns (view states).")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Rows and columns shown at most (view states).", min=2)] = 27,
    exact: Exact = False,
    max_states: MaxStates = None,
    as_json: Json = False,
) -> None:
    """Show values and policy as a table."""
    from zermelo.views import table as tables

    fixed = parsed(fix)
    solution = solution_of(target, given, exact, max_states=max_states)
    views = fitting(solution, "TABLES", tables.VIEWS)
    if is_hidden(solution) and (rows or columns or limit != 27):
        raise ParameterError(f"--rows, --columns and --limit are about states, which {target.word} does not have")
    if rows or columns or limit != 27:
        view = view or "states"
        if view != "states":
            raise ParameterError(f"--rows, --columns and --limit belong to the view states, not to {view}")
    name = chosen(solution, views, view, target)
    check_fix(views[name], name, fixed)
    general = name == "states"
    shown = tables.states(solution, fixed, rows, columns, limit) if general else made(views[name], solution, fixed)
    if as_json:
        print_json({"view": name, **shown.as_json()})
        return
    tables.print_table(shown, console())
    more_views(target, "table", views, name)


def plot(
    target: Target,
    given: Mapping[str, Any],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Where to: a name in .png, .svg or .pdf.")
    ],
    view: ViewName = None,
    fix: Fix = None,
    exact: Exact = False,
    max_states: MaxStates = None,
    as_json: Json = False,
) -> None:
    """Draw a picture of the solution to a file."""
    from zermelo.views import plot as plots

    check_writable(plots.check_format(output))
    fixed = parsed(fix)
    solution = solution_of(target, given, exact, max_states=max_states)
    views = fitting(solution, "FIGURES", plots.VIEWS)
    name = chosen(solution, views, view, target)
    check_fix(views[name], name, fixed)
    plots.save(made(views[name], solution, fixed), output)
    if as_json:
        print_json({"view": name, "file": output})
        return
    print(f"{output}: {views[name].doc}")
    more_views(target, "plot", views, name)


def is_hidden(solution: Any) -> bool:
    """Whether this is the solution of a game of hidden choice, without states."""
    return not hasattr(solution, "rules")


def made(view: View, solution: Any, fixed: Mapping[str, int]) -> Any:
    """The table or figure; with a progress bar if it takes long."""
    if not view.is_long:
        return view.make(solution, fixed)
    with progress_bar() as progress:
        return view.make(solution, fixed, progress)


def fitting(solution: Any, kind: str, general: Mapping[str, View]) -> dict[str, View]:
    """The tables or figures that make sense for a solution: first those that the catalogue has for just this game."""
    from zermelo.games.catalogue import views_of

    if is_hidden(solution):
        from zermelo.views import strategies

        general = getattr(strategies, kind)
    own: Mapping[str, View] = getattr(views_of(solution.game), kind, {})
    return {name: view for name, view in {**own, **general}.items() if view.fits(solution)}


def chosen(solution: Any, views: Mapping[str, View], name: str | None, target: Target) -> str:
    """The view that is asked for, or the first."""
    from zermelo.views.slices import no_such

    if name is not None and name not in views and not is_hidden(solution) and not solution.has_states:
        solution.require_states(f"the view {name}")
    if name is not None and name not in views:
        raise ParameterError(no_such("view", name, list(views), target.word))
    return name or next(iter(views))


def check_fix(view: View, name: str, fixed: Mapping[str, int]) -> None:
    if fixed and not view.takes_fix:
        raise ParameterError(f"the view {name} shows all states; --fix is for others")


def more_views(target: Target, command: str, views: Mapping[str, View], shown: str) -> None:
    out = console()
    out.print(f"\n[dim]--view {shown}; other views of `zermelo {command} {target.word}`:[/dim]")
    width = max(map(len, views))
    for name, view in views.items():
        if name != shown:
            out.print(f"[dim]  {name:{width}}  {view.doc}[/dim]")


def parsed(fix: list[str] | None) -> dict[str, int]:
    """`--fix mine=41 --fix theirs=49`, also `--fix mine=41,theirs=49`, as a dict."""
    found = {}
    for part in (part for word in fix or [] for part in word.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not value.strip().lstrip("-").isdigit():
            raise ParameterError(f"--fix takes NAME=NUMBER, as in --fix mine=41, not {part!r}")
        found[name.strip()] = int(value)
    return found


# --- playing ----------------------------------------------------------------------------------------------------------


def simulate(
    target: Target,
    given: Mapping[str, Any],
    plays: Annotated[int, typer.Option(metavar="N", help="How many plays.")] = 1_000_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same plays.")] = 0,
    max_states: MaxStates = None,
    as_json: Json = False,
) -> None:
    """Play optimally many times: mean, spread, and how it agrees with the computed value."""
    from zermelo.cli.report import print_simulation, simulation_as_data

    solution = solution_of(target, given, max_states=max_states)
    with progress_bar() as progress:
        simulation = solution.simulate(plays, seed, progress=progress)
    if as_json:
        print_json(simulation_as_data(solution, simulation))
    else:
        print_simulation(solution, simulation, console())


def play(
    target: Target,
    given: Mapping[str, Any],
    seat: Annotated[
        int, typer.Option(metavar="1|2", help="In a game for two: 1 is the first player, 2 the second.")
    ] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Dice and cards fall as in an earlier game of this seed.")
    ] = None,
    max_states: MaxStates = None,
    as_json: Json = False,
) -> None:
    """Play against optimal play, with hints and undo."""
    from zermelo.games.catalogue import play_of
    from zermelo.views.play import Session, converse

    solution = solution_of(target, given, max_states=max_states)
    stream = sys.stderr if as_json else sys.stdout

    def write(text: str = "") -> None:
        print(text, file=stream, flush=True)

    def read(prompt: str) -> str:
        if stream is sys.stdout:
            return input(prompt)
        print(prompt, end="", file=stream, flush=True)
        return input()

    if is_hidden(solution):
        own = play_of(solution.game)
        if own is None:
            raise ParameterError(
                f"{target.word} is a game of hidden choice without a way to play it: `zermelo table` shows both mixtures"
            )
        data = own.converse(solution, seat - 1, seed, read, write)
        if as_json:
            print_json(data)
        return
    session = Session(solution, seat - 1, seed)
    converse(session, read, write)
    if as_json:
        print_json(session.as_data())


def answer(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game of the contest: exact-pig.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Queries: a line Q, then Q lines `C H X`; - is stdin.")],
    goal: Annotated[int, typer.Option(metavar="N", help="Points to win.")] = 75,
    as_json: Json = False,
) -> None:
    """Answer a contest's file of queries: H (hold) or C (continue), one a line."""
    if game != "exact-pig":
        raise ParameterError(f"only exact-pig has a contest, not {game!r}")
    from zermelo.games.exact_pig import answer as answers
    from zermelo.games.pig_views import holds_strictly

    text = contents(file)
    solution = solution_of(find(game), {"goal": goal})
    try:
        lines = answers(text, lambda c, h, x: holds_strictly(solution, c, h, x), goal)
    except ValueError as error:
        raise ParameterError(f"{file}: {error}") from None
    if as_json:
        print_json({"answers": lines.split()})
    else:
        sys.stdout.write(lines)


def contents(file: str) -> str:
    """The text of a file, or of stdin."""
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text()
    except UnicodeDecodeError:
        raise FileError(f"{file} is not a text file") from None
    except OSError as error:
        raise FileError(f"can't read {file}: {error.strerror}") from None


# --- about the catalogue ----------------------------------------------------------------------------------------------


def list_games(as_json: Json = False) -> None:
    """The games of the catalogue, with their parameters, and the small problems."""
    from zermelo.games.catalogue import ENTRIES
    from zermelo.language.parameters import ends
    from zermelo.puzzles import PUZZLES

    targets = [(entry, find(entry.command)) for entry in ENTRIES]
    if as_json:
        print_json(
            [
                {
                    "command": entry.command,
                    "class": f"{entry.home}.{entry.class_name}",
                    "about": entry.doc,
                    "parameters": [
                        {
                            "name": f.name,
                            "type": f.type.__name__,
                            "default": f.default,
                            "about": f.doc,
                            "allowed": list(f.allowed) if isinstance(f.allowed, tuple) else None,
                            "from": ends(f.allowed)[0] if isinstance(f.allowed, range) else None,
                            "to": ends(f.allowed)[1] if isinstance(f.allowed, range) else None,
                        }
                        for f in target.fields
                    ],
                }
                for entry, target in targets
            ]
            + [{"command": f"puzzle {p.name}", "class": None, "about": p.doc, "parameters": []} for p in PUZZLES]
        )
        return
    from rich.table import Table

    grid = Table(box=None, padding=(0, 2, 0, 0))
    grid.add_column("game", style="bold cyan", no_wrap=True)
    grid.add_column("what it is")
    grid.add_column("parameters", style="dim")
    for entry, target in targets:
        parameters = ", ".join(f"{f.name.replace('_', '-')} {_shown(f.default)}" for f in target.fields)
        grid.add_row(entry.command, entry.doc, parameters)
    for puzzle in PUZZLES:
        grid.add_row(f"puzzle {puzzle.name}", puzzle.doc)
    console().print(grid)
    print(
        "\nzermelo solve GAME solves one, zermelo puzzle NAME a small problem, zermelo blackjack tables of blackjack; --help explains what "
        "can be varied."
    )


def _shown(default: Any) -> str:
    return {True: "yes", False: "no"}.get(default, str(default)) if isinstance(default, bool) else str(default)


def check(target: Target, given: Mapping[str, Any], as_json: Json = False) -> None:
    """Examine the rules of a game, FILE.py:Class for your own, and report all faults at once."""
    if target.saved:
        raise ParameterError(f"{target.word} is a saved solution; check takes FILE.py:Class")
    from zermelo.language.checking import check as examine
    from zermelo.language.rules import read
    from zermelo.views.slices import game_text

    game = target.game(given)
    what = "strategies" if target.is_given_by_replies else "states"
    try:
        if target.is_given_by_replies:
            from zermelo.engines.replies.solving import check_replies

            seen = check_replies(game)
        else:
            sample = examine(game).states
            seen, rules = len(sample), read(game)
            if rules.is_staged:
                from zermelo.engines.stages import checked_stages

                checked_stages(rules, sample)
            if rules.is_entered:
                from zermelo.engines.entries import declared

                declared(rules)
    except RulesError as error:
        if not as_json:
            raise
        print_json({"game": error.game, "faults": error.faults})
        complain(str(error).splitlines()[0].rstrip(":"))
        raise typer.Exit(FAILED) from None
    if as_json:
        print_json({"game": game_text(game), "faults": [], f"{what} examined": seen})
    else:
        print(f"{game_text(game)}: no faults ({seen:,} {what} examined)")


def reproduce(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Only this game's numbers.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute every published number of the catalogue again, and say which were printed wrong."""
    from zermelo.cli.report import print_verdicts
    from zermelo.reproduce import claims_of, verdicts

    claims = claims_of(game)
    with progress_bar() as progress:
        found = list(verdicts(claims, progress))
    if as_json:
        print_json([v.as_json() for v in found])
    else:
        print_verdicts(found, console())
    if not all(v.is_expected for v in found):
        raise typer.Exit(NOT_REPRODUCED)


def demo(
    directory: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the picture is written.", show_default="here")
    ] = Path(),
    as_json: Json = False,
) -> None:
    """Solve two real games and show all that comes out."""
    from zermelo.cli.demo import run

    run(directory, as_json)


__all__ = ["answer", "check", "demo", "list_games", "play", "plot", "reproduce", "simulate", "solve", "table"]

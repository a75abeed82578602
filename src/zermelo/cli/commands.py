"""The functions of the commands. Numerical packages are imported only by commands that compute."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Mapping
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from zermelo.basics.numbers import USUAL, down, shortened, up
from zermelo.basics.parameters import whole
from zermelo.basics.progress import silent
from zermelo.basics.values import as_json
from zermelo.basics.words import counted, discount_text
from zermelo.cli import completion, models
from zermelo.cli.choosing import check_fix, check_view, chosen, made, more_views
from zermelo.cli.encoding import typed
from zermelo.cli.lines import fitted, folded, shows, width
from zermelo.cli.output import (
    FAILED,
    NOT_REPRODUCED,
    REFUSED,
    check_writable,
    complain,
    console,
    json_list,
    print_json,
    progress_bar,
)
from zermelo.cli.own_options import command_line
from zermelo.cli.solving import Cluster, Solving, solution_of
from zermelo.errors import FileError, ParameterError, RulesError, ZermeloError
from zermelo.games.all_views import FIGURES, TABLES, fitting, is_discounted, is_hidden
from zermelo.games.named import Target, find
from zermelo.language.parameters import Field, stored_parameters

STORED = b"ZERMELO"  # the first bytes of a saved solution
CERTIFICATE = b"PK"  # the first bytes of a certificate, as of every zip archive
NPY = b"\x93NUMPY"  # the first bytes of a numpy array
LIMIT = 27  # rows or columns of a table unless more are requested

Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON, and nothing else.")]
Fix = Annotated[
    list[str] | None, typer.Option("--fix", metavar="NAME=VALUE", help="Fix a field of the state; may be repeated.")
]
ViewName = Annotated[
    str | None,
    typer.Option(
        "--view", metavar="NAME", help="Which view; --help after the name of a game lists them.", autocompletion=completion.views
    ),
]


# --- solving ----------------------------------------------------------------------------------------------------------


def solve(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Save the whole solution to this file.")
    ] = None,
    compress: Annotated[
        bool, typer.Option("--compress", help="Large board games: save a small file, for sharing.")
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Large decks, and hidden information: continue from this file, and save to it every minute. Large boards, and games in "
            "stages: solve in this folder, and continue there.",
        ),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write values, bounds, policy and argument to this file, for `zermelo verify`."),
    ] = None,
    cluster: Cluster = None,
    digits: Annotated[
        int | None,
        typer.Option(metavar="N", help="Digits of the values printed, of those that are certain; 17 shows all.", min=1, show_default="6"),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print the certificate's argument and interval, too.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a game: its value, certificate and best first action; both mixed strategies if something is hidden."""
    from zermelo.cli import hidden, mixed, without_rules
    from zermelo.cli import report as general
    from zermelo.solution import DataSolution, HiddenSolution, Solution
    from zermelo.views.data import as_data

    if compress and not output:
        raise ParameterError("--compress needs --output FILE: it is about the file")
    if as_json and (digits is not None or explain):
        raise ParameterError("--digits and --explain are about text: --json has every digit and the argument anyway")
    if output:
        check_writable(output, STORED)
    if certificate:
        check_writable(certificate, CERTIFICATE)
        if output and os.path.realpath(output) == os.path.realpath(certificate):
            raise ParameterError(f"--output and --certificate are both {certificate}: give two names")
    if (output or certificate) and not target.saved:
        from zermelo.storage.file import refuse_packing

        game = target.game(given)
        stored_parameters(game)  # raises an error that says which can't be stored
        refuse_packing(type(game).__name__, compress and not _may_be_packed(game))
    solution = solution_of(target, given, solving, checkpoint, as_data=not (output or certificate), cluster=cluster)
    failed: dict[str, ZermeloError] = {}  # why a file is not there: the answer is printed before this is said
    if output:
        try:
            with progress_bar() as progress:
                packed = isinstance(solution, Solution) and compress
                solution.save(output, compress, progress) if packed else solution.save(output, compress)
        except ParameterError:  # of a saved solution that can't be saved as it was asked
            raise
        except ZermeloError as error:
            failed["not saved"] = error
    if certificate:
        try:
            with progress_bar() as progress:
                solution.export_certificate(certificate, progress)
        except ZermeloError as error:
            failed["no certificate"] = error
    report: Any = without_rules if isinstance(solution, DataSolution) else mixed if is_hidden(solution) else general
    if isinstance(solution, HiddenSolution):
        report = hidden
    if as_json:
        written: dict[str, Any] = {"output": output if "not saved" not in failed else None}
        if certificate:
            written["certificate file"] = certificate if "no certificate" not in failed else None
        print_json({**as_data(solution), **written, **{key: str(error) for key, error in failed.items()}})
    else:
        kept = output if output and "not saved" not in failed else _table_in(checkpoint)

        def shown(view: str) -> str:  # of what is kept, as solving again may take long
            if kept is None or target.saved or target.options:
                return command_line(table, target, given, solving, "--view", view)
            rules = ("--rules", target.word) if "." in target.word else ()
            return shlex.join(("zermelo", "table", str(kept), *rules, "--view", view))

        report.print_solution(solution, digits or USUAL, explain, shown)
        if certificate and "no certificate" not in failed:
            rules = (target.word, *target.options) if "." in target.word and not target.saved else ()  # a file, and all of its name
            print(f"certificate written to {certificate}: {shlex.join(('zermelo', 'verify', str(certificate), *rules))} checks it")
        if output and "not saved" not in failed:
            print(f"saved to {output}")
    reasons = list(failed.values())
    for reason in reasons[:-1]:
        complain(str(reason))
    if reasons:
        raise reasons[-1]


def _table_in(checkpoint: Path | None) -> Path | None:
    """The solution that was put together in a folder of levels."""
    if checkpoint is None or not checkpoint.is_dir():
        return None
    from zermelo.engines.boards.on_disk import TABLE

    return checkpoint / TABLE if (checkpoint / TABLE).is_file() else None


def _may_be_packed(game: Any) -> bool:
    """Whether the game may be a large board, whose table is saved compressed on request: it declares a ranked space."""
    return hasattr(game, "space") and not hasattr(game, "stage") and not hasattr(game, "sees")


def table(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    view: ViewName = None,
    fix: Fix = None,
    rows: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="The field that makes the rows (view states).", autocompletion=completion.fields),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="FIELD", help="The field that makes the columns (view states).", autocompletion=completion.fields),
    ] = None,
    limit: Annotated[
        int, typer.Option(metavar="N", help="Rows and columns shown at most (view states).", min=2)
    ] = LIMIT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write all rows and columns to this file instead, named .csv or .npy."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show values and policy as a table, or write it to a file."""
    from zermelo.views import files
    from zermelo.views import table as tables

    if output:
        check_writable(files.check_format(output), NPY if output.suffix.lower() == ".npy" else b"")
        if limit != LIMIT:
            raise ParameterError("--limit is about what is shown: a file has all rows and columns")
    fixed = parsed(fix)
    check_view(target, given, TABLES, view, fixed, solving.discount, [field for field in (rows, columns) if field])
    by_fields = rows or columns or limit != LIMIT
    if by_fields and view not in (None, "states"):
        raise ParameterError(f"--rows, --columns and --limit belong to the view states, not to {view}")
    solution = solution_of(target, given, solving)
    views = fitting(solution, TABLES)
    if is_hidden(solution) and by_fields:
        raise ParameterError(f"--rows, --columns and --limit are about states, which {target.word} does not have")
    name = chosen(solution, TABLES, views, "states" if by_fields else view, target)
    check_fix(views, name, fixed)
    general = name == "states"
    shown = tables.states(solution, fixed, rows, columns, limit) if general else made(views[name], solution, fixed)
    if is_discounted(solution):
        shown = shown._replace(notes=(*shown.notes, f"discount {float(solution.discount)!r}"))
    if output:
        written = files.write(shown, output)
        marks = f"; which cells are marked ({shown.mark}) is on the screen and in --json" if shown.marked else ""
        if as_json:
            print_json({"view": name, "file": output, "rows": len(written.rows), "columns": list(written.columns)})
        else:
            print(f"{output}: {written.title}; {counted(len(written.rows), 'row')} of {counted(len(written.columns), 'column')}{marks}")
            for note in written.notes:
                print(f"  {note}")
        return
    if as_json:
        print_json({"view": name, **shown.as_json()})
        return
    tables.print_table(shown, console())
    more_views(target, "table", views, name)


def plot(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file, a name ending in .png, .svg or .pdf.")
    ],
    view: ViewName = None,
    fix: Fix = None,
    as_json: Json = False,
) -> None:
    """Draw a picture of the solution to a file."""
    from zermelo.views import plot as plots

    check_writable(plots.check_format(output))
    fixed = parsed(fix)
    check_view(target, given, FIGURES, view, fixed, solving.discount)
    solution = solution_of(target, given, solving)
    views = fitting(solution, FIGURES)
    name = chosen(solution, FIGURES, views, view, target)
    check_fix(views, name, fixed)
    plots.save(made(views[name], solution, fixed), output)
    if as_json:
        print_json({"view": name, "file": output})
        return
    print(f"{output}: {views[name].doc}")
    more_views(target, "plot", views, name)


def parsed(fix: list[str] | None) -> dict[str, int]:
    """`--fix mine=41 --fix theirs=49`, also `--fix mine=41,theirs=49`, as a dict."""
    found: dict[str, int] = {}
    for part in (part for word in fix or [] for part in word.split(",")):
        name, equals, value = part.partition("=")
        if not equals or not re.fullmatch(r"-?\d{1,1000}", value.strip()):
            raise ParameterError(f"--fix takes a field of the state and its number, NAME=NUMBER, not {part!r}")
        name = name.strip()
        if found.get(name, int(value)) != int(value):
            raise ParameterError(f"--fix gives {name} twice: {found[name]} and {int(value)}")
        found[name] = int(value)
    return found


# --- playing ----------------------------------------------------------------------------------------------------------


def simulate(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    plays: Annotated[int, typer.Option(metavar="N", help="How many plays.")] = 1_000_000,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same plays.")] = 0,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Play the game many times, optimally: mean, spread, and agreement with the computed value."""
    from zermelo.cli.report import print_simulation
    from zermelo.views.data import simulation_as_data

    solution = solution_of(target, given, solving)
    with progress_bar() as progress:
        simulation = solution.simulate(plays, seed, cluster=cluster, progress=progress)
    if as_json:
        print_json(simulation_as_data(solution, simulation))
    else:
        print_simulation(solution, simulation, console())


def play(
    target: Target,
    given: Mapping[str, Any],
    solving: Solving,
    seat: Annotated[
        int,
        typer.Option(metavar="1|2", help="In a game for two: 1 is the first player, 2 the second.", autocompletion=completion.seats),
    ] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Dice and cards fall as in an earlier game with this seed.")
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(metavar="N", help="Lemonade Stand: how many people run a stand each, on the same days.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play against optimal play, with hints and undo."""
    from zermelo.games.catalogue import play_of
    from zermelo.views.drawn import BLOCKS, Room
    from zermelo.views.play import Session, converse

    if people is not None:
        from zermelo.games import lemonade, lemonade_play

        if target.saved or target.game_class is not lemonade.LemonadeStand:
            raise ParameterError("--people belongs to lemonade: zermelo play lemonade --people 3")
        whole("people", people, 1, lemonade_play.MOST_PLAYERS)
    solution = solution_of(target, given, solving)
    stream = sys.stderr if as_json else sys.stdout
    room = Room(width(), not shows(BLOCKS, stream))

    def write(text: str = "") -> None:
        print(fitted(text), file=stream, flush=True)

    def read(prompt: str) -> str:
        if stream is not sys.stdout:
            print(prompt, end="", file=stream, flush=True)
        return typed(lambda: input(prompt if stream is sys.stdout else ""))

    if people is not None:
        data = lemonade_play.converse(solution, people, seed, read, write)
        if as_json:
            print_json(data)
        return
    if is_hidden(solution):
        from zermelo.solution import HiddenSolution
        from zermelo.views import play_hidden, play_mixed

        if isinstance(solution, HiddenSolution):
            data = play_hidden.converse(solution, seat - 1, seed, read, write, room)
        else:
            data = (play_of(solution.game) or play_mixed).converse(solution, seat - 1, seed, read, write)
        if as_json:
            print_json(data)
        return
    session = Session(solution, seat - 1, seed)
    converse(session, read, write, room)
    if as_json:
        print_json(session.as_data())


def answer(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game of the contest: exact-pig.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="Queries: a line Q, then Q lines `C H X`; - is stdin.")],
    goal: Annotated[int, typer.Option(metavar="N", help="Points to win.")] = 75,
    as_json: Json = False,
) -> None:
    """Answer a contest's file of queries: H (hold) or C (continue), one per line."""
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
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{file} is no text in UTF-8") from None
    except OSError as error:
        raise FileError(f"can't read {file}: {error.strerror}") from None


# --- about the catalogue ----------------------------------------------------------------------------------------------


def list_games(as_json: Json = False) -> None:
    """The games of the catalogue by kind, and the small problems (--json: with their parameters)."""
    from zermelo.games.blackjack.rules import Rules
    from zermelo.games.catalogue import BLACKJACK, ENTRIES, KINDS
    from zermelo.language.parameters import fields
    from zermelo.puzzles import PUZZLES

    found: list[tuple[str, str, str | None, str, tuple[Field, ...]]] = [
        (e.kind, e.command, f"{e.home}.{e.class_name}", e.doc, find(e.command).fields) for kind in KINDS for e in ENTRIES if e.kind == kind
    ]
    found.append(("blackjack", "blackjack", "zermelo.games.blackjack.Rules", BLACKJACK, fields(Rules)))
    found += [("puzzles", f"puzzle {p.name}", None, p.doc, ()) for p in PUZZLES]
    if as_json:
        print_json(
            [
                {"command": command, "kind": kind, "class": home, "about": doc, "parameters": [_field_as_data(f) for f in of_game]}
                for kind, command, home, doc, of_game in found
            ]
        )
        return
    from zermelo.cli.lines import print_pairs, print_title

    longest = max(len(command) for _, command, *_ in found)
    for kind, of_kind in groupby(found, lambda game: game[0]):
        print_title(kind)
        print_pairs((f"{command:{longest}}", doc) for _, command, _, doc, _ in of_kind)
    print(
        "\nzermelo solve GAME solves one, zermelo puzzle NAME a small problem,\n"
        "zermelo blackjack tables of blackjack; --help lists what can be varied."
    )


def _field_as_data(field: Field) -> dict[str, Any]:
    """A parameter as `list --json` has it."""
    from zermelo.language.parameters import ends

    least, most = ends(field.allowed) if isinstance(field.allowed, range) else (None, None)
    return {
        "name": field.name,
        "type": field.type_name,
        "default": as_json(field.default),
        "about": field.doc,
        "allowed": as_json(field.choices),
        "from": least,
        "to": most,
    }


def check(target: Target, given: Mapping[str, Any], as_json: Json = False) -> None:
    """Examine the rules of a game (FILE.py:Class for your own), report all faults at once, and say how it would be solved."""
    if target.saved:
        raise ParameterError(f"{target.word} is a saved solution; check takes FILE.py:Class")
    from zermelo.basics.words import counted, game_in_words, game_text
    from zermelo.solving import plan

    game, (one, what) = target.game(given), ("strategy", "strategies") if target.is_given_by_replies else ("state", "states")
    try:
        found = plan(game)
    except RulesError as error:
        if not as_json:
            raise
        print_json({"game": error.game, "faults": error.faults})
        complain(str(error).splitlines()[0].rstrip(":"))
        raise typer.Exit(FAILED) from None
    if as_json:
        print_json(
            {
                "game": game_text(game),
                "faults": [],
                f"{what} examined": found.examined,
                "seen": found.seen and found.seen._asdict(),
                "engine": found.engine,
                "rules": found.rules,
                "not asked": [refusal._asdict() for refusal in found.tried],
                "notes": list(found.notes),
            }
        )
        return
    lines = [game_in_words(game), f"no faults ({counted(found.examined, one, what)} examined)"]
    lines += [f"seen: {found.seen}"] if found.seen else []
    lines += [f"solved by: {found.engine}", f"rules: {found.rules}", *(f"note: {note}" for note in found.notes)]
    for line in lines:
        print("\n".join(folded(line, width())))


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate, as `zermelo solve GAME --certificate FILE` writes it.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="[FILE.py:Class|MODEL]", help="Where its rules are, if not in the catalogue.", show_default=False),
    ] = None,
    property: models.Property = "",
    const: models.Const = None,
    interpreted: Annotated[
        bool, typer.Option("--interpreted", help="Have Python run the rules in every state; slow, but nothing compiled is trusted.")
    ] = False,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Check a certificate: exit code 0 if everything was verified, 1 if something fails, 2 if it can't be checked."""
    from zermelo.solving import verify as verified

    rules = models.of_certificate(file, game, property, const or [])
    with progress_bar() as progress:
        verdict = verified(file, rules, interpreted=interpreted or None, cluster=cluster, progress=progress)
    if as_json:
        print_json({"file": file, **verdict._asdict()})
    else:
        low, high = verdict.low, verdict.high
        exact = shortened(low) if isinstance(low, Fraction) else str(low)
        value = exact if low == high else f"between {down(low)!r} and {up(high)!r}"
        what = f"{models.what_is_verified(rules)} is {value}" if verdict.verified else f"refused: {verdict.fault}"
        print(f"{verdict.game}{discount_text(verdict.discount)}: {what}")
        if verdict.states:
            what = f"{counted(verdict.states, 'step')} of plays, against best responses"
            print(f"  {what if verdict.kind == 'information sets' else counted(verdict.states, 'state')}; the rules were {verdict.rules}")
        for name in verdict.assumes:
            print(f"  taken from the rules: `{name}`")
    if not verdict.verified:
        raise typer.Exit(REFUSED)


def reproduce(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this game's numbers.", show_default=False, autocompletion=completion.reproduced),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute every published number of the catalogue again; report which agree, which are wrong and by what mistake, and which differ.

    Without GAME about ten minutes. Each figure is printed as soon as it is found, also with --json; Ctrl-C keeps those that are there.
    """
    from zermelo.cli.report import print_verdicts
    from zermelo.reproduce import claims_of, verdicts

    claims, done = claims_of(game), []
    if as_json:
        with progress_bar() as progress, json_list() as print_item:
            for v in verdicts(claims, progress):
                done.append(v)
                print_item(v.as_json())
    elif sys.stdout.isatty():  # the printed results show the progress
        done = print_verdicts(claims, verdicts(claims, silent), console())
    else:
        with progress_bar() as progress:
            done = print_verdicts(claims, verdicts(claims, progress), console())
    if not all(v.is_expected for v in done):
        raise typer.Exit(NOT_REPRODUCED)


def demo(
    directory: Annotated[
        Path, typer.Option(metavar="DIR", help="Where the picture is written.", show_default="here")
    ] = Path(),
    as_json: Json = False,
) -> None:
    """Solve two example games and show the results."""
    from zermelo.cli.demo import run

    run(directory, as_json)


__all__ = ["answer", "check", "demo", "list_games", "play", "plot", "reproduce", "simulate", "solve", "table", "verify"]

"""`zermelo robot`: the robot in its maze, in the browser, beside a Python prompt."""

from __future__ import annotations

import contextlib
import sys
from typing import Annotated, Any

import typer

from zermelo.cli.output import complain, print_json
from zermelo.cli.serving import has_browser
from zermelo.errors import ParameterError

HELP = """robot.forward(2), robot.left(90), robot.drive(1, 2, seconds=3), robot.pen_down(), robot.distance, robot.is_stalled, robot.place()
follow_wall(robot, walls), fill_dead_ends(walls), drive_along(robot, cells); print(walls) shows the maze. Ctrl-D ends it."""

PROGRAM_NAMES = {"left-hand": "left hand on the wall", "right-hand": "right hand on the wall", "dead-ends": "dead ends filled"}


def robot(
    rows: Annotated[int, typer.Option(metavar="N", help="Rows of the maze, 1 to 20.")] = 8,
    columns: Annotated[int, typer.Option(metavar="N", help="Cells in a row, 1 to 20.")] = 8,
    seed: Annotated[int, typer.Option(metavar="N", help="The same number gives the same maze.")] = 1,
    program: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Begin with a program: {', '.join(PROGRAM_NAMES)}.", show_default="none",
            autocompletion=lambda incomplete: [name for name in PROGRAM_NAMES if name.startswith(incomplete)],
        ),
    ] = "",
    prompt: Annotated[
        bool, typer.Option("--prompt/--no-prompt", help="A Python prompt that drives the robot, where there is a terminal.")
    ] = True,
    port: Annotated[int | None, typer.Option(metavar="N", help="Where to listen.", show_default="8713, or a free one")] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, if there is one.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the address as JSON, and nothing else.")] = False,
) -> None:
    """Open a robot in a maze, driven from a Python prompt or by programs and shown in the browser.

    The page also shows a race between the optimal policy and wall following. Without a terminal, press Ctrl-C to stop.
    """
    from zermelo.robot import Robot, maze
    from zermelo.serve.robot import GAME, PROGRAMS, watch

    if program and program not in PROGRAM_NAMES:
        raise ParameterError(f"--program is one of {', '.join(PROGRAM_NAMES)}, not {program!r}")
    parameters = {"height": rows, "width": columns, "seed": seed}
    game = _game(GAME, parameters)
    walls = game.maze()
    assert walls == maze(rows, columns, seed)
    made = Robot(walls)
    with contextlib.closing(watch(made, parameters, port=port, browser=browser and not as_json and has_browser())) as view:
        if as_json:
            print_json({"url": view.url, "programs": list(PROGRAM_NAMES)})
        else:
            print(f"{view.url}   (Ctrl-{'D' if prompt and sys.stdin.isatty() else 'C'} ends it)")
        sys.stdout.flush()
        if program:
            PROGRAMS[PROGRAM_NAMES[program]](made, walls)
        if prompt and not as_json and sys.stdin.isatty():
            _prompt(made, walls)
            return
        try:
            view.wait()
        except KeyboardInterrupt:
            if not as_json:
                print()


def _game(name: str, parameters: dict[str, int]) -> Any:
    """The game with these parameters. Raises `ParameterError` in the words of this command."""
    from zermelo.games.named import find

    for option, name_there, least, most in (("--rows", "height", 1, 20), ("--columns", "width", 1, 20), ("--seed", "seed", 0, 999_999)):
        if not least <= parameters[name_there] <= most:
            raise ParameterError(f"{option} must be from {least} to {most}, not {parameters[name_there]}")
    return find(name).game(parameters)


def _prompt(made: Any, walls: Any) -> None:
    import code

    from zermelo import robot

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # arrow keys at the prompt
    names = {name: getattr(robot, name) for name in robot.__all__}
    complain(HELP, prefix="")
    with contextlib.suppress(SystemExit):
        code.interact("", local={**names, "robot": made, "walls": walls}, exitmsg="")


__all__ = ["robot"]

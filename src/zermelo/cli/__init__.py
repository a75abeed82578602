"""The command line: `zermelo list`, solve, table, plot, simulate, play, check, answer, puzzle, blackjack,
reproduce, demo, warm.

Exit codes: 0 done; 1 done, but a certificate fails, a published number was not reproduced, or a combination of a study has no value;
2 an error that the user can fix, reported in one line; 130 Ctrl-C.
"""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; its exit code. The entry point of `zermelo`."""
    atexit.register(gc.freeze)  # otherwise Python collects garbage among all objects before it exits, which takes up to 0.4 s
    try:
        from zermelo.cli import app  # only here, because Ctrl-C may also come while it is loaded
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return 130
    return app.main(arguments)

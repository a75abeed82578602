"""The command line: `zermelo list`, solve, table, plot, simulate, play, check, answer, puzzle, blackjack,
reproduce, demo, warm.

Exit codes: 0 done; 1 a published number was not reproduced; 2 something the user can mend, said in one line; 130
Ctrl-C.
"""

from __future__ import annotations

from zermelo.cli.app import main

__all__ = ["main"]

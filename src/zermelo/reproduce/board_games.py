"""Published numbers about Connect Four on small boards and Dodgem."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games import ConnectFour, Dodgem
from zermelo.reproduce.claim import Bench, Claim

TROMP = "Tromp, John's Connect Four Playground"
VOUT = "Berlekamp, Conway and Guy 1982, Winning Ways 2"
DES_JARDINS = "desJardins 1996"


def positions(game: ConnectFour) -> Any:
    """All reachable positions, mirror images counted separately."""

    def compute(bench: Bench) -> int:
        space = bench.solve(game).space
        columns = np.array([space.columns[f"columns[{i}]"] for i in range(game.width)])
        return 2 * space.size - int((columns == columns[::-1]).all(axis=0).sum())

    return compute


def result(game: Any) -> Any:
    return lambda bench: {1: "win", 0: "draw", -1: "loss"}[int(bench.solve(game).value)]


CLAIMS = (
    Claim("connect-four.44", "connect-four", TROMP, "positions, 4 x 4", "161029", positions(ConnectFour(4, 4))),
    Claim(
        "connect-four.45", "connect-four", TROMP, "positions, 4 wide, 5 high", "1706255", positions(ConnectFour(4, 5))
    ),
    Claim(
        "connect-four.54", "connect-four", TROMP, "positions, 5 wide, 4 high", "3945711", positions(ConnectFour(5, 4))
    ),
    Claim(
        "connect-four.44-value", "connect-four", TROMP, "4 x 4, for the first player", "draw", result(ConnectFour(4, 4))
    ),
    Claim("connect-four.45-value", "connect-four", TROMP, "4 wide, 5 high", "draw", result(ConnectFour(4, 5))),
    Claim("connect-four.54-value", "connect-four", TROMP, "5 wide, 4 high", "draw", result(ConnectFour(5, 4))),
    Claim("dodgem.3", "dodgem", VOUT, "3 x 3, for the first player", "win", result(Dodgem(3))),
    Claim("dodgem.4", "dodgem", DES_JARDINS, "4 x 4", "draw", result(Dodgem(4))),
)

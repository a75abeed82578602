"""A solved game as an environment of Gymnasium, for one seat; the other seat, if any, is played by a policy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action
from zermelo.uses.chain import check_policy
from zermelo.uses.environment import Played, Table, check_mode, seats
from zermelo.uses.legal import check_seat

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise OutOfReach("to_gymnasium needs the package gymnasium: pip install 'zermelo[gymnasium]'") from None

PATIENCE = 10_000  # moves of the other side in a row, after which an episode is truncated


class ZermeloEnv(gymnasium.Env[np.ndarray, np.int64]):
    """A solved game as an environment: see `Solution.to_gymnasium`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, table: Played, seat: int, opponent: Any, illegal: str, render_mode: str | None):
        self.table, self.seat, self.opponent, self.illegal, self.render_mode = table, seat, opponent, illegal, render_mode
        self.at: Any = None
        self.is_told = True  # whether the end of the episode has been reported
        self.observation_space = spaces.Box(*table.ends_of(seat), dtype=np.int64)
        self.action_space = spaces.Discrete(len(table.actions_of[seat]))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode. Payoffs before the first decision are in info["reward"] (0 in most games). If the other side or chance ends
        play before this seat can choose, the first step reports this, whatever its action."""
        super().reset(seed=seed)
        paid, self.at = self.table.begin(self.np_random)
        paid, _ = self._others(paid)
        self.is_told = False
        return self._observed(), self._facts() | {"reward": self._own(paid)}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take the action with this number."""
        table = self.table
        if self.is_told:
            raise ParameterError("no episode has begun: call reset()" if self.at is None else "the episode is over: call reset()")
        own = table.numbered(self.seat, action)
        if table.is_over(self.at):
            self.is_told = True
            return self._observed(), 0.0, True, False, self._facts() | {"illegal": False}
        if own not in table.legal(self.at, self.seat):
            if self.illegal == "raise":
                table.check_legal(self.at, self.seat, own)
            return self._observed(), 0.0, False, False, self._facts() | {"illegal": True}
        paid, is_stuck = self._others(self._move({self.seat: own} | self._answers()))
        self.is_told = table.is_over(self.at)
        return self._observed(), self._own(paid), self.is_told, is_stuck, self._facts() | {"illegal": False}

    def render(self) -> str | None:
        """The position as text, with render_mode="ansi"."""
        return self.table.shown(self.at) if self.render_mode == "ansi" else None

    def _answers(self) -> dict[int, Any]:
        """The other side's action now, if it chooses."""
        others = [seat for seat in self.table.choosers(self.at) if seat != self.seat]
        return {seat: self.table.answer(self.at, seat, self.opponent, self.np_random) for seat in others}

    def _move(self, chosen: dict[int, Any]) -> float:
        paid, self.at = self.table.moved(self.at, chosen, self.np_random)
        return paid

    def _others(self, paid: float) -> tuple[float, bool]:
        """Let the other side move until it is this seat's turn, or play is over; return seat 0's payoff, and whether that never ended."""
        for _ in range(PATIENCE):
            choosers = self.table.choosers(self.at)
            if self.seat in choosers or not choosers:
                return paid, False
            paid += self._move(self._answers())
        return paid, True

    def _observed(self) -> np.ndarray:
        return self.table.observed(self.at, self.seat)

    def _own(self, paid: float) -> float:
        return -paid if self.seat and paid else paid

    def _facts(self) -> dict[str, Any]:
        return self.table.facts(self.at, self.seat)


def check_options(illegal: str, render_mode: str | None) -> None:
    """Raise `ParameterError` for an unknown option."""
    if illegal not in ("stay", "raise"):
        raise ParameterError(f"`illegal` must be 'stay' or 'raise', not {illegal!r}")
    check_mode(render_mode)


def environment(
    answers: Answers, seat: int | None, opponent: Any, actions: Iterable[Action] | None, illegal: str, render_mode: str | None
) -> ZermeloEnv:
    """See `Solution.to_gymnasium`."""
    check_options(illegal, render_mode)
    if seat is not None:
        check_seat(seat)
    if opponent is not None:
        check_policy(opponent)
    table, is_for_two = Table(answers, "an environment", actions), answers.report.is_for_two
    choosing = seats(table) if seat is None or not is_for_two else []
    if not is_for_two and (opponent is not None or (choosing and seat not in (None, *choosing))):
        raise ParameterError(f"{answers.rules.name} is not a game for two: it takes neither an opponent nor another seat")
    if seat is None:
        seat = (choosing or [0])[0]
    return ZermeloEnv(table, seat, opponent, illegal, render_mode)

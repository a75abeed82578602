"""A solved game as an environment of Gymnasium, for one seat; the other one, if there is one, is played by a policy."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action
from zermelo.uses import probe as probes
from zermelo.uses.environment import Table, draw_one, seats
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

    def __init__(self, table: Table, seat: int, opponent: Any, illegal: str, render_mode: str | None):
        self.table, self.seat, self.opponent, self.illegal, self.render_mode = table, seat, opponent, illegal, render_mode
        self.at = table.start
        self.observation_space = spaces.Box(table.low, table.high, dtype=np.int64)
        self.action_space = spaces.Discrete(len(table.actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode. Payoffs before the first decision are in info["reward"] (0 in most games)."""
        super().reset(seed=seed)
        self.at = self.table.start
        paid, _ = self._others(0)
        return self.table.observed(self.at), self._facts() | {"reward": self._own(paid)}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take the action with this number."""
        table = self.table
        if table.is_over(self.at):
            raise ParameterError("the episode is over: call reset()")
        chosen = table.chosen(self.at, self.seat, action)
        if chosen is None and not table.rules.is_chance:
            if self.illegal == "raise":
                raise table.not_legal(self.at, action)
            return table.observed(self.at), 0.0, False, False, self._facts() | {"illegal": True}
        if table.rules.is_simultaneous:
            other = self._drawn()
            chosen = table.together(self.at, (other, chosen) if self.seat else (chosen, other))
        paid, self.at = table.moved(self.at, chosen, self.np_random)
        paid, is_stuck = self._others(paid)
        return table.observed(self.at), self._own(paid), table.is_over(self.at), is_stuck, self._facts() | {"illegal": False}

    def render(self) -> str | None:
        """The position as text, with render_mode="ansi"."""
        return self.table.rules.show(self.at.state) if self.render_mode == "ansi" else None

    def _others(self, paid: float) -> tuple[float, bool]:
        """Let the other side move until it is this seat's turn, or play is over: what seat 0 has been paid, and whether that had no end."""
        table = self.table
        for _ in range(PATIENCE):
            waits = table.rules.is_chance or table.rules.is_simultaneous or table.seat(self.at) == self.seat
            if waits or table.is_over(self.at):
                return paid, False
            more, self.at = table.moved(self.at, self.opponent(self.at.state), self.np_random)
            paid += more
        return paid, True

    def _drawn(self) -> Action:
        """What the other side chooses where both do at once, by its policy, or best play."""
        from zermelo.uses.evaluate_joint import answered

        table, other = self.table, 1 - self.seat
        policy = self.opponent or partial(probes.mixture, table.answers, seat=other ^ self.at.side)
        legal = table.legal(self.at, other)
        chances = answered(table.rules, policy, self.at.state, legal)
        return legal[draw_one(chances, self.np_random)]

    def _own(self, paid: float) -> float:
        return -paid if self.seat and paid else paid

    def _facts(self) -> dict[str, Any]:
        return self.table.facts(self.at, self.seat)


def environment(
    answers: Answers, seat: int | None, opponent: Any, actions: Iterable[Action] | None, illegal: str, render_mode: str | None
) -> ZermeloEnv:
    """See `Solution.to_gymnasium`."""
    if illegal not in ("stay", "raise"):
        raise ParameterError(f"`illegal` must be 'stay' or 'raise', not {illegal!r}")
    if render_mode not in (None, "ansi"):
        raise ParameterError(f"`render_mode` must be None or 'ansi', not {render_mode!r}")
    if seat is not None:
        check_seat(seat)
    table = Table(answers, "an environment", actions)
    if seat is None:
        seat = (seats(table) or [0])[0]
    if opponent is None and not table.rules.is_simultaneous:
        opponent = partial(probes.best_action, answers)
    return ZermeloEnv(table, seat, opponent, illegal, render_mode)

"""A solved game for two as an environment of PettingZoo, in which agents act in turn (AEC)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action
from zermelo.uses.environment import Table

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
except ImportError:
    raise OutOfReach("to_pettingzoo needs the package pettingzoo: pip install 'zermelo[pettingzoo]'") from None

AGENTS = ["player_0", "player_1"]


class ZermeloAEC(AECEnv):
    """A solved game for two as an environment: see `Solution.to_pettingzoo`."""

    metadata = {"render_modes": ["ansi"], "name": "zermelo_v0", "is_parallelizable": False, "render_fps": 1}

    def __init__(self, table: Table, render_mode: str | None):
        super().__init__()
        self.table, self.render_mode = table, render_mode
        self.metadata = {**self.metadata, "name": f"{table.rules.name}_v0"}
        self.possible_agents = list(AGENTS)
        seen = spaces.Dict({
            "observation": spaces.Box(table.low, table.high, dtype=np.int64),
            "action_mask": spaces.Box(0, 1, (len(table.actions),), dtype=np.int8),
        })
        self.observation_spaces = dict.fromkeys(AGENTS, seen)
        self.action_spaces = {agent: spaces.Discrete(len(table.actions)) for agent in AGENTS}
        self.np_random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> Any:
        """What an agent is shown: the numbers of the state, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions, numbered once for the whole game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play."""
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.at = self.table.start
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._tell()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The numbers of the state (both see all), and the legal actions of whoever is to move; nobody else has one."""
        is_own = agent == self.agent_selection and not self.table.is_over(self.at)
        mask = self.table.mask(self.at) if is_own else np.zeros(len(self.table.actions), np.int8)
        return {"observation": self.table.observed(self.at), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take the action with this number. Raises `ParameterError` for one that is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        table = self.table
        chosen = table.actions[int(action)]
        if chosen not in table.rules.actions(self.at.state):
            raise ParameterError(f"{table.rules.action_in_words(chosen)} at {table.rules.in_line(self.at.state)} is not legal")
        self._cumulative_rewards[self.agent_selection] = 0.0
        paid, self.at = table.moved(self.at, chosen, self.np_random)
        self.rewards = {AGENTS[0]: paid, AGENTS[1]: -paid if paid else paid}
        if table.is_over(self.at):
            self.terminations = dict.fromkeys(AGENTS, True)
        self._tell()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text, with render_mode="ansi"."""
        return self.table.rules.show(self.at.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def _tell(self) -> None:
        """Who is to move, and what is known of the state."""
        over = self.table.is_over(self.at)
        self.agent_selection = AGENTS[0 if over else self.table.seat(self.at)]
        self.infos = {agent: self.table.facts(self.at, seat) for seat, agent in enumerate(AGENTS)}


def environment(answers: Answers, actions: Iterable[Action] | None, render_mode: str | None) -> ZermeloAEC:
    """See `Solution.to_pettingzoo`."""
    if render_mode not in (None, "ansi"):
        raise ParameterError(f"`render_mode` must be None or 'ansi', not {render_mode!r}")
    if not answers.report.is_for_two:
        raise OutOfReach(f"{answers.rules.name} is not a game for two: to_gymnasium() is for one player")
    return ZermeloAEC(Table(answers, "an environment", actions), render_mode)

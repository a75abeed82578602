"""A solved game for two as an environment of PettingZoo: agents act in turn (AEC), or, where both choose at once, at once (parallel)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action
from zermelo.uses.environment import Table

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise OutOfReach("to_pettingzoo needs the package pettingzoo: pip install 'zermelo[pettingzoo]'") from None

AGENTS = ["player_0", "player_1"]


class _Agents:
    """What both kinds of environments have in common: what their agents are shown and can do."""

    def __init__(self, table: Table, render_mode: str | None):
        super().__init__()
        self.table, self.render_mode = table, render_mode
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"{table.rules.name}_v0",
            "is_parallelizable": table.rules.is_simultaneous,
            "render_fps": 1,
        }
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

    def render(self) -> str | None:
        """The position as text, with render_mode="ansi"."""
        return self.table.rules.show(self.at.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.at = self.table.start

    def _chosen(self, seat: int, number: Any) -> Action:
        """The action of a seat with this number. Raises `ParameterError` for one that is not legal."""
        action = self.table.chosen(self.at, seat, number)
        if action is None:
            raise self.table.not_legal(self.at, number)
        return action

    def _move(self, action: Action) -> dict[str, float]:
        """Take an action of the rules: what each agent is paid."""
        paid, self.at = self.table.moved(self.at, action, self.np_random)
        return {AGENTS[0]: paid, AGENTS[1]: -paid if paid else paid}

    def _told(self) -> dict[str, dict[str, Any]]:
        """What each agent knows of the state."""
        return {agent: self.table.facts(self.at, seat) for seat, agent in enumerate(AGENTS)}


class ZermeloAEC(_Agents, AECEnv):
    """A solved game for two as an environment in which agents act in turn: see `Solution.to_pettingzoo`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play."""
        self._begin(seed)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._tell()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The numbers of the state (both see all), and the legal actions of whoever is to move; nobody else has one."""
        is_own = agent == self.agent_selection and not self.table.is_over(self.at)
        mask = self.table.mask(self.at, AGENTS.index(agent)) if is_own else np.zeros(len(self.table.actions), np.int8)
        return {"observation": self.table.observed(self.at), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Take the action with this number. Raises `ParameterError` for one that is not legal."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        chosen = self._chosen(AGENTS.index(self.agent_selection), action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = self._move(chosen)
        if self.table.is_over(self.at):
            self.terminations = dict.fromkeys(AGENTS, True)
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """Who is to move, and what is known of the state."""
        over = self.table.is_over(self.at)
        self.agent_selection = AGENTS[0 if over else self.table.seat(self.at)]
        self.infos = self._told()


class ZermeloParallel(_Agents, ParallelEnv[str, dict[str, np.ndarray], Any]):
    """A solved game in which both choose at once, as an environment in which both agents act at once: see `Solution.to_pettingzoo`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a play: what each agent sees, and what it knows."""
        self._begin(seed)
        return self._seen(), self._told()

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Take an action of each agent, by their numbers: observations, rewards, terminations, truncations (none), infos, by agent.

        Raises `ParameterError` for an action that is missing or not legal, and after the end of play.
        """
        table = self.table
        if not self.agents:
            raise ParameterError("the play is over: call reset()")
        if set(actions) != set(AGENTS):
            raise ParameterError(f"both choose at once: give an action for each of {', '.join(AGENTS)}, and for nobody else")
        rewards = self._move(table.together(self.at, [self._chosen(seat, actions[agent]) for seat, agent in enumerate(AGENTS)]))
        over = table.is_over(self.at)
        if over:
            self.agents = []
        return self._seen(), rewards, dict.fromkeys(AGENTS, over), dict.fromkeys(AGENTS, False), self._told()

    def state(self) -> np.ndarray:
        """The numbers of the state, which both agents see."""
        return self.table.observed(self.at)

    def _seen(self) -> dict[str, dict[str, np.ndarray]]:
        observed = self.table.observed(self.at)
        return {
            agent: {"observation": observed.copy(), "action_mask": self.table.mask(self.at, seat)} for seat, agent in enumerate(AGENTS)
        }


def environment(answers: Answers, actions: Iterable[Action] | None, render_mode: str | None) -> ZermeloAEC | ZermeloParallel:
    """See `Solution.to_pettingzoo`."""
    if render_mode not in (None, "ansi"):
        raise ParameterError(f"`render_mode` must be None or 'ansi', not {render_mode!r}")
    if not answers.report.is_for_two:
        raise OutOfReach(f"{answers.rules.name} is not a game for two: to_gymnasium() is for one player")
    kind = ZermeloParallel if answers.rules.is_simultaneous else ZermeloAEC
    return kind(Table(answers, "an environment", actions), render_mode)

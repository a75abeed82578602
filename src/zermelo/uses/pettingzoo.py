"""A solved game for two as an environment of PettingZoo: agents act in turn (AEC), or, where both choose at once, at once (parallel)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from zermelo.answers.base import Answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action
from zermelo.uses.environment import Played, Table, check_mode

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise OutOfReach("to_pettingzoo needs the package pettingzoo: pip install 'zermelo[pettingzoo]'") from None

AGENTS = ["player_0", "player_1"]


class _Agents:
    """What both kinds of environments share: the observations and actions of their agents."""

    def __init__(self, table: Played, render_mode: str | None):
        super().__init__()
        self.table, self.render_mode = table, render_mode
        self.at: Any = None
        self.metadata = {
            "render_modes": ["ansi"],
            "name": f"{table.name}_v0",
            "is_parallelizable": table.is_simultaneous,
            "render_fps": 1,
        }
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._space(seat) for seat, agent in enumerate(AGENTS)}
        self.action_spaces = {agent: spaces.Discrete(len(table.actions_of[seat])) for seat, agent in enumerate(AGENTS)}
        self.np_random, _ = seeding.np_random(None)

    def _space(self, seat: int) -> spaces.Dict:
        return spaces.Dict({
            "observation": spaces.Box(*self.table.ends_of(seat), dtype=np.int64),
            "action_mask": spaces.Box(0, 1, (len(self.table.actions_of[seat]),), dtype=np.int8),
        })

    def observation_space(self, agent: str) -> Any:
        """An agent's observation: the numbers of the state, or those of them that it sees, and which actions are legal."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The actions, numbered once for the whole game."""
        return self.action_spaces[agent]

    def render(self) -> str | None:
        """The position as text, with render_mode="ansi"."""
        return self.table.shown(self.at) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self.np_random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.owed, self.at = self.table.begin(self.np_random)  # to seat 0, before anybody chooses: part of the first rewards

    def _move(self, numbers: Mapping[int, Any]) -> dict[str, float]:
        """Take the actions with these numbers, by seat; return each agent's payoff. Raises `ParameterError` for one that is not legal."""
        chosen = {seat: self.table.numbered(seat, number) for seat, number in numbers.items()}
        for seat, action in chosen.items():
            self.table.check_legal(self.at, seat, action)
        if not self.table.is_over(self.at):
            paid, self.at = self.table.moved(self.at, chosen, self.np_random)
            self.owed += paid
        return self._paid()

    def _check_begun(self) -> None:
        if self.at is None:
            raise ParameterError("no play has begun: call reset()")

    def _paid(self) -> dict[str, float]:
        """Each agent's current payoff."""
        paid, self.owed = self.owed, 0.0
        return {AGENTS[0]: paid, AGENTS[1]: -paid if paid else paid}

    def _shown(self, seat: int) -> dict[str, np.ndarray]:
        return {"observation": self.table.observed(self.at, seat), "action_mask": self.table.mask(self.at, seat)}

    def _told(self) -> dict[str, dict[str, Any]]:
        """The facts about the state for each agent."""
        return {agent: self.table.facts(self.at, seat) for seat, agent in enumerate(AGENTS)}


class ZermeloAEC(_Agents, AECEnv):
    """A solved game for two as an environment in which agents act in turn: see `Solution.to_pettingzoo`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play."""
        self._begin(seed)
        over = self.table.is_over(self.at)
        self.rewards = self._paid() if over else dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(AGENTS, over)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._tell()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """An agent's observation, and the legal actions if it is to move; the others have none."""
        if agent not in AGENTS:
            raise ParameterError(f"the agents are {' and '.join(AGENTS)}, not {agent!r}")
        self._check_begun()
        return self._shown(AGENTS.index(agent))

    def step(self, action: Any) -> None:
        """Take the action with this number. Raises `ParameterError` for one that is not legal."""
        self._check_begun()
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.rewards = self._move({AGENTS.index(self.agent_selection): action})
        self._cumulative_rewards[self.agent_selection] = 0.0
        if self.table.is_over(self.at):
            self.terminations = dict.fromkeys(AGENTS, True)
        self._tell()
        self._accumulate_rewards()

    def _tell(self) -> None:
        """The agent to move, and the facts about the state."""
        self.agent_selection = AGENTS[(*self.table.choosers(self.at), 0)[0]]
        self.infos = self._told()


class ZermeloParallel(_Agents, ParallelEnv[str, dict[str, np.ndarray], Any]):
    """A solved game in which both choose at once, as an environment in which both agents act at once: see `Solution.to_pettingzoo`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a play; return each agent's observation and facts. If chance ends play before anybody can choose, the first step reports
        this, whatever its actions."""
        self._begin(seed)
        return self._seen(), self._told()

    def step(self, actions: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Take an action of each agent, by their numbers: observations, rewards, terminations, truncations (none), infos, by agent.

        Raises `ParameterError` for an action that is missing or not legal, and after the end of play.
        """
        self._check_begun()
        if not self.agents:
            raise ParameterError("the play is over: call reset()")
        if set(actions) != set(AGENTS):
            raise ParameterError(f"both choose at once: give an action for each of {', '.join(AGENTS)}, and for nobody else")
        rewards = self._move({seat: actions[AGENTS[seat]] for seat in self.table.choosers(self.at)})
        over = self.table.is_over(self.at)
        if over:
            self.agents = []
        return self._seen(), rewards, dict.fromkeys(AGENTS, over), dict.fromkeys(AGENTS, False), self._told()

    def state(self) -> np.ndarray:
        """The numbers of the state; where players do not see it, the observations of both agents in sequence."""
        return self.table.everything(self.at)

    def _seen(self) -> dict[str, dict[str, np.ndarray]]:
        return {agent: self._shown(seat) for seat, agent in enumerate(AGENTS)}


def environment(answers: Answers, actions: Iterable[Action] | None, render_mode: str | None) -> ZermeloAEC | ZermeloParallel:
    """See `Solution.to_pettingzoo`."""
    check_mode(render_mode)
    if not answers.report.is_for_two:
        raise OutOfReach(f"{answers.rules.name} is not a game for two: to_gymnasium() is for one player")
    return of_two(Table(answers, "an environment", actions), render_mode)


def of_two(table: Played, render_mode: str | None) -> ZermeloAEC | ZermeloParallel:
    """A game as the environment in which its agents act in turn, or at once."""
    return (ZermeloParallel if table.is_simultaneous else ZermeloAEC)(table, render_mode)

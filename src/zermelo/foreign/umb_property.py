"""A property that is asked of a model in UMB, in PRISM's notation: what it says, whose side it takes, and what the game's value means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from zermelo.errors import ParameterError
from zermelo.foreign.asked import Question
from zermelo.foreign.umb_file import Model

NODE = "state"  # the field of the game's states: the number of the state in the file
MINIMISER = "min"  # the name of an only player who wants the total low
ASKED = re.compile(
    r'(?:<<(?P<coalition>[^>]*)>>\s*)?(?P<kind>[PR])\s*(?:\{\s*"(?P<reward>[^"]*)"\s*\})?\s*(?P<goal>max|min)?\s*=\s*\?\s*'
    r'\[\s*(?:(?P<total>C)|F\s*"(?P<label>[^"]*)")\s*\]'
)


class Property(NamedTuple):
    """The probability of reaching a set of states, or rewards until then, or in total."""

    text: str  # "": none was asked, and the value is that of the file's game
    is_probability: bool
    reward: str
    label: str  # "": total rewards
    is_min: bool
    coalition: tuple[str, ...] | None  # players by name or number; None: not given

    @property
    def is_until(self) -> bool:
        """Whether it is about rewards until a label, which are infinite where that is not reached."""
        return bool(self.label) and not self.is_probability


def property_of(path: Path, asked: str, model: Model) -> Property:
    """The property, or the total of the only reward if there is none. Raises `ParameterError`."""
    rewards, labels, text = list(model.rewards), list(model.labels), asked.strip()
    if not text:
        if len(rewards) == 1:
            return Property("", False, rewards[0], "", list(model.names) == [MINIMISER], None)
        known = ", ".join(rewards) or "none"
        raise ParameterError(
            f"{path} has the rewards {known}: what is asked? --property 'R{{\"name\"}}max=? [ C ]', or from_umb(path, property) in Python"
        )
    found = ASKED.fullmatch(text)
    if found is None:
        known = 'R{"name"}max=? [ F "label" ], R{"name"}max=? [ C ] and Pmax=? [ F "label" ]'
        raise ParameterError(f"{text!r} can't be asked of a file of UMB: {known} can")
    is_probability, label = found["kind"] == "P", found["label"] or ""
    label = model.aliases["labels"].get(label, label)
    reward = found["reward"] if found["reward"] is not None else rewards[0] if len(rewards) == 1 else ""
    reward = model.aliases["rewards"].get(reward, reward)
    if is_probability and (found["total"] or found["reward"]):
        raise ParameterError(f'{text!r}: a probability is that of coming to a label, P=? [ F "label" ]')
    if not is_probability and reward not in rewards:
        raise ParameterError(f"{path} has no reward {reward!r}; it has {_known(rewards, model.aliases['rewards'])}")
    if not found["total"] and label not in labels:
        raise ParameterError(f"{path} has no label {label!r} of states; it has {_known(labels, model.aliases['labels'])}")
    coalition = None if found["coalition"] is None else tuple(name.strip() for name in found["coalition"].split(",") if name.strip())
    return Property(text, is_probability, reward, label, found["goal"] == "min", coalition)


def _known(names: Sequence[str], aliases: Mapping[str, str]) -> str:
    """The names that can be asked for, aliases in brackets."""
    other = {name: alias for alias, name in aliases.items() if alias != name}
    return ", ".join(f'{name} ("{other[name]}")' if name in other else name for name in names) or "none"


def sides(path: Path, model: Model, asked: Property) -> list[int]:
    """By state, 0 for players who want the number high, 1 for those who want it low. Raises `ParameterError`."""
    names = model.names
    if asked.coalition is None:
        if model.players > 2:
            raise ParameterError(f"{path} is for {model.players} players: say who plays together, <<{', '.join(names) or '1'}>> ...")
        own = {0}
    else:
        known = {name: k for k, name in enumerate(names)} | {str(k + 1): k for k in range(model.players)}
        if wrong := [name for name in asked.coalition if name not in known]:
            raise ParameterError(f"{path} has no player {wrong[0]}; it has {', '.join(known) or 'none'}")
        own = {known[name] for name in asked.coalition}
    return [int((owner not in own) != asked.is_min) for owner in model.owner]


def question_of(path: Path, asked: Property, somebody_minimises: bool, may_give_up: bool, read_as: str) -> Question:
    """What the value of the game means."""
    grows = "" if asked.is_probability or may_give_up else "never" if somebody_minimises else "" if asked.is_until else "infinite"
    return Question(
        str(path), asked.text, "value", asked.is_until, "=?", None, stays=True, counts=False, grows=grows, is_chance=asked.is_probability,
        variables=((NODE, NODE, False),), read_as=read_as,
    )  # fmt: skip

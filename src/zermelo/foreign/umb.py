"""Models in UMB, the binary format of model checkers, as tables of nodes. (`Solution.export_umb` writes it: uses/umb.py.)

A file has states, choices and branches, names of sets of states and rewards, but no property. By default, the value is the total of its
rewards; a property in PRISM's notation asks for something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.notices import notify
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.foreign.tables import (
    Move,
    Outcome,
    Table,
    class_name,
    class_of,
    in_decimals,
    is_decimal,
    joined,
    note_on_means,
    payoff_of,
    weights,
)

PIP = "pip install 'zermelo[umb]'"
MINIMISER = "min"  # the name of an only player who wants the total low
ASKED = re.compile(
    r'(?:<<(?P<coalition>[^>]*)>>\s*)?(?P<kind>[PR])\s*(?:\{\s*"(?P<reward>[^"]*)"\s*\})?\s*(?P<goal>max|min)?\s*=\s*\?\s*'
    r'\[\s*(?:(?P<total>C)|F\s*"(?P<label>[^"]*)")\s*\]'
)


class Question(NamedTuple):
    """The question: the probability of reaching a set of states, or rewards until then, or in total."""

    is_probability: bool
    reward: str
    label: str  # "": total rewards
    is_min: bool
    coalition: tuple[str, ...] | None  # players by name or number; None: not given


def from_umb(path: str | Path, asked: str = "") -> Any:
    """A model in a file of UMB as a game of ours.

    path    the file, such as one of `Solution.export_umb`
    asked   a property: R{"payoff"}max=? [ F "over" ], rewards until a label, infinite if it is not reached surely;
            R{"payoff"}max=? [ C ], total rewards; Pmin=? [ F "goal" ]; in games <<max>> R{"payoff"}max=? [ C ], the players of a side by
            name or number. If left out: the total of the file's only reward, which player 0 wants high and player 1 low, as does an only
            player of the name "min" (so called by `Solution.export_umb`)

    Discrete time, one initial state; the states of the game are those of the file. Rational probabilities and rewards stay rational: a
    reward such as 1/3, which is not a decimal, is paid as 1 with probability 1/3 and otherwise as 0, and a notice says so. Raises
    `FileError` for a damaged file, `ParameterError` for properties that can't be read, `OutOfReach` for other models, or if the package
    umbi is missing.
    """
    if not isinstance(path, str | Path):
        raise ParameterError(f"from_umb takes the path of a file, not {type(path).__name__}")
    path = Path(path)
    table = table_of_umb(path, asked)
    for note in table.notes:
        notify(f"{path}: {note}")
    return class_of(table, path.stem)()


def table_of_umb(path: Path, asked: str = "") -> Table:
    """The nodes of the model. Raises as `from_umb`."""
    model = _read(path)
    system = model.index.transition_system
    _check(path, model, system)
    names = _annotations(model, "rewards"), _annotations(model, "aps")
    question = _question(path, asked, *names, is_minimised=list(system.player_to_name or []) == [MINIMISER])
    size = system.num_states
    first = _starts(model.state_to_choices, size, system.num_choices)
    begin = _starts(model.choice_to_branches, system.num_choices, system.num_branches)
    reward = {} if question.is_probability else model.annotations["rewards"][question.reward]
    goal = model.annotations["aps"][question.label]["states"] if question.label else [False] * size
    moves: list[Sequence[Move]] = []
    odd: Fraction | int = 0  # a payoff that is not a decimal
    for state in range(size):
        if goal[state]:
            moves.append([])
            continue
        paid = _at(reward, "states", state)
        rows = []
        for k, choice in enumerate(range(first[state], first[state + 1])):
            gain = paid + _at(reward, "choices", choice)
            branches = range(begin[choice], begin[choice + 1])
            chances = weights([1] if model.branch_to_probability is None else [model.branch_to_probability[b] for b in branches])
            if chances is None or len(chances) != len(branches):
                raise FileError(f"{path}: the probabilities of choice {k} of state {state} do not sum to 1")
            outcomes = [
                Outcome(p, gain + _at(reward, "branches", b), model.branch_to_target[b]) for p, b in zip(chances, branches, strict=True)
            ]
            odd = odd or next((o.payoff for o in outcomes if not is_decimal(Fraction(o.payoff))), 0)
            rows.append(Move(k, joined(whole for o in outcomes for whole in in_decimals(o))))
        moves.append(rows)
    (start,) = (s for s in range(size) if model.state_is_initial[s])
    never_less = all(o.payoff >= 0 for rows in moves for m in rows for o in m.outcomes)
    until = bool(question.label) and not question.is_probability
    if until and not never_less:
        raise OutOfReach(f"{path}: rewards below 0 until a label; R{{\"{question.reward}\"}}... [ C ] asks for all rewards")
    if not until:  # endless play is then infinite
        moves = [_closed(state, rows) for state, rows in enumerate(moves)]
    return Table(
        class_name(path.stem), f"{path.name}, a model in UMB", moves, start, player=_players(path, model, system, question),
        final=[Fraction(bool(g)) for g in goal] if question.is_probability else [], node="state", must_end=until,
        notes=(note_on_means(Fraction(odd)),) if odd else (),
    )  # fmt: skip


def _closed(state: int, rows: Sequence[Move]) -> Sequence[Move]:
    """No moves if a state always returns to itself without payment: play is over there."""
    is_still = all(o.next == state and o.payoff == 0 for move in rows for o in move.outcomes)
    return [] if is_still else rows


def _read(path: Path) -> Any:
    """The file, decoded. Raises `FileError`, `OutOfReach`."""
    try:
        from umbi.umb import umb_to_tar
    except ImportError as error:
        raise OutOfReach(f"a file of UMB needs the package umbi ({error}): {PIP}") from None

    class Decoder(umb_to_tar.UmbDecoder):
        """A decoder that skips the values of variables, which are not needed."""

        def read_valuation_files(self, umb: Any) -> None:
            """Reads nothing."""

        def list_unread_files(self, strict: bool = False) -> None:
            """Reports nothing."""

    try:
        path.open("rb").close()
        return Decoder(path).decode()
    except OSError as error:
        raise FileError(f"can't read {path}: {error.strerror or error}") from None
    except Exception as error:  # any error that a damaged file causes in umbi
        said = "" if "could not be opened successfully" in str(error) else " ".join(str(error).split())[:120]
        raise FileError(f"{path} is no file of UMB that can be read: {said or 'it is no archive'}") from None


def _check(path: Path, model: Any, system: Any) -> None:
    """Raise `OutOfReach` for models that are not supported."""
    if system.time != "discrete":
        raise OutOfReach(f"{path} is about continuous time, and only discrete time is read")
    if system.num_observations:
        raise OutOfReach(f"{path} hides its states from the player, and such models are not read")
    if system.num_initial_states != 1 or sum(map(bool, model.state_is_initial[: system.num_states])) != 1:
        raise OutOfReach(f"{path} has {system.num_initial_states} initial states, and one is needed")
    if "interval" in str(getattr(system.branch_probability_type, "type", "")).lower():
        raise OutOfReach(f"{path} gives intervals for its probabilities, and numbers are needed")
    sizes = (
        (model.branch_to_target, system.num_branches), (model.branch_to_probability, system.num_branches),
        (model.state_to_choices, system.num_states + 1), (model.choice_to_branches, system.num_choices + 1),
        (model.state_to_player, system.num_states),
    )  # fmt: skip
    if model.branch_to_target is None or any(values is not None and len(values) != size for values, size in sizes):
        raise FileError(f"{path}: its parts do not fit together")
    if any(not 0 <= target < system.num_states for target in model.branch_to_target):
        raise FileError(f"{path}: a branch leads to a state that is not there")


def _annotations(model: Any, group: str) -> list[str]:
    return list((model.annotations or {}).get(group, {}))


def _question(path: Path, asked: str, rewards: list[str], labels: list[str], is_minimised: bool) -> Question:
    """The question of the property; `is_minimised` : who wants what if there is none. Raises `ParameterError`."""
    if not asked.strip():
        if len(rewards) == 1:
            return Question(False, rewards[0], "", is_minimised, None)
        raise ParameterError(f"{path} has the rewards {', '.join(rewards) or 'none'}: what is asked? --property 'R{{\"name\"}}max=? [ C ]'")
    found = ASKED.fullmatch(asked.strip())
    if found is None:
        known = 'R{"name"}max=? [ F "label" ], R{"name"}max=? [ C ] and Pmax=? [ F "label" ]'
        raise ParameterError(f"{asked.strip()!r} can't be asked of a file of UMB: {known} can")
    is_probability, label = found["kind"] == "P", found["label"] or ""
    reward = found["reward"] if found["reward"] is not None else rewards[0] if len(rewards) == 1 else ""
    if is_probability and (found["total"] or found["reward"]):
        raise ParameterError(f'{asked.strip()!r}: a probability is that of coming to a label, P=? [ F "label" ]')
    if not is_probability and reward not in rewards:
        raise ParameterError(f"{path} has no reward {reward!r}; it has {', '.join(rewards) or 'none'}")
    if not found["total"] and label not in labels:
        raise ParameterError(f"{path} has no label {label!r}; it has {', '.join(labels) or 'none'}")
    coalition = None if found["coalition"] is None else tuple(name.strip() for name in found["coalition"].split(",") if name.strip())
    return Question(is_probability, reward, label, found["goal"] == "min", coalition)


def _players(path: Path, model: Any, system: Any, question: Question) -> list[int]:
    """By state, 0 for players who want the number high, 1 for those who want it low. Raises `ParameterError`."""
    size = system.num_states
    owner = model.state_to_player or [0] * size
    names = list(system.player_to_name or [])
    if question.coalition is None:
        if system.num_players > 2:
            raise ParameterError(f"{path} is for {system.num_players} players: say who plays together, <<{', '.join(names) or '1'}>> ...")
        own = {0}
    else:
        known = {name: k for k, name in enumerate(names)} | {str(k + 1): k for k in range(system.num_players)}
        if wrong := [name for name in question.coalition if name not in known]:
            raise ParameterError(f"{path} has no player {wrong[0]}; it has {', '.join(known) or 'none'}")
        own = {known[name] for name in question.coalition}
    return [int((owner[s] not in own) != question.is_min) for s in range(size)]


def _starts(given: Sequence[int] | None, count: int, total: int) -> Sequence[int]:
    """Where the parts of each begin; each has one part if the file does not specify this."""
    if given is not None:
        return given
    if count != total:
        raise FileError(f"the file does not say which of {total} parts belong to which of {count}")
    return range(count + 1)


def _at(reward: Any, where: str, index: int) -> Fraction:
    return payoff_of(reward[where][index]) if where in reward else Fraction(0)

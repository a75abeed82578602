"""Models in UMB, the binary format of model checkers, as tables of nodes. (`Solution.export_umb` writes it: uses/umb.py.)

A file has states, choices and branches, names of sets of states and rewards, but no property. By default, the value is the total of its
rewards; a property in PRISM's notation asks for something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import fsum
from pathlib import Path
from typing import Any

from zermelo.basics.notices import notify
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.foreign import umb_file
from zermelo.foreign.deciding import infinite
from zermelo.foreign.tables import (
    Move,
    Outcome,
    Table,
    check_size,
    class_name,
    class_of,
    in_decimals,
    is_decimal,
    joined,
    notes_on_numbers,
    payoff_of,
    weights,
)
from zermelo.foreign.umb_file import Model
from zermelo.foreign.umb_property import NODE, Property, property_of, question_of, sides

MOST = 3 * 10**18  # of a reward: the sum of a state's, a choice's and a branch's is a payoff that rules may have, below 2^63
MANY = 1000  # choices of a state that are not searched one after the other; with fewer the rules, and so their hash, are as ever
READ_AS = "floats of the file are read as the fractions that they stand for, such as {} as {}: the value is exact for these"
ROUNDED = 1e-12  # a sum of probabilities that differs from 1 by more than this is told


def from_umb(path: str | Path, asked: str = "") -> Any:
    """A model in a file of UMB as a game of ours.

    path    the file, such as one of `Solution.export_umb`
    asked   a property: `R{"payoff"}max=? [ F "over" ]`, rewards until a label, infinite if it is not reached surely;
            `R{"payoff"}max=? [ C ]`, total rewards; `Pmin=? [ F "goal" ]`; in games `<<max>> R{"payoff"}max=? [ C ]`, the players of a
            side by name or number. The answer is `solution.property`, as for models in other languages (docs/foreign.md). If left out:
            the total of the file's only reward, which player 0 wants high and player 1 low, as does an only player of the name "min" (so
            called by `Solution.export_umb`)

    Rewards and labels have the names of the index, or their aliases. Discrete time, one initial state; the states of the game are those of
    the file. Rational probabilities and rewards stay rational: a reward such as 1/3, which is not a decimal, is paid as 1 with probability
    1/3 and otherwise as 0, and a notice says so. In a state without choices play stays. Raises `FileError` for a damaged file,
    `ParameterError` for properties that can't be read, `OutOfReach` for other models and for rewards beyond 3e18, or if the package umbi is
    missing.
    """
    if not isinstance(path, str | Path):
        raise ParameterError(f"from_umb takes the path of a file, not {type(path).__name__}")
    if not isinstance(asked, str):
        raise ParameterError(f"what is asked must be a property as text, such as 'R{{\"payoff\"}}max=? [ C ]', not {asked!r}")
    path = Path(path)
    table = table_of_umb(path, asked)
    for note in table.notes:
        notify(f"{path}: {note}")
    return class_of(table, path.stem)()


def table_of_umb(path: Path, asked: str = "", never: bool = False) -> Table:
    """The nodes of the model. `never`: whoever wants little may give up at that price. Raises as `from_umb`."""
    model = umb_file.read(path)
    question = property_of(path, asked, model)
    reward = {} if question.is_probability else _reward(path, question.reward, model)
    goal = model.labels[question.label] if question.label else [False] * model.states
    moves: list[Sequence[Move]] = []
    odd: Fraction | int = 0  # a payoff that is not a decimal
    divided = (1.0, "")  # the sum of probabilities that differs most from 1, and where
    read_as, size, title = "", 0, f"{path.name}, {question.text or 'a model in UMB'}"
    for state in range(model.states):
        if goal[state]:
            moves.append([])
            continue
        rows = []
        for k, choice in enumerate(range(model.first[state], model.first[state + 1])):
            gain = reward["states"][state] + reward["choices"][choice] if reward else 0
            branches = range(model.begin[choice], model.begin[choice + 1])
            given = [1] if model.probability is None else [model.probability[b] for b in branches]
            chances = weights(given)
            if chances is None or len(chances) != len(branches):
                raise FileError(f"{path}: the probabilities of choice {k} of state {state} do not sum to 1")
            if abs((total := fsum(chances)) - 1) > max(ROUNDED, abs(divided[0] - 1)):
                divided = (total, f"choice {k} of state {state}")
            if not read_as and isinstance(given[0], float):
                read_as = next((READ_AS.format(p, c) for p, c in zip(given, chances, strict=True) if p != c), "")
            outcomes = [
                Outcome(p, gain + (reward["branches"][b] if reward else 0), model.target[b]) for p, b in zip(chances, branches, strict=True)
            ]
            odd = odd or next((o.payoff for o in outcomes if not isinstance(o.payoff, int) and not is_decimal(o.payoff)), 0)
            rows.append(Move(k, joined(whole for o in outcomes for whole in in_decimals(o))))
            size += len(rows[-1].outcomes)
        check_size(title, size, "outcomes or more")
        if not rows:  # a deadlock: play stays
            rows.append(Move(0, in_decimals(Outcome(1, reward["states"][state] if reward else 0, state))))
        moves.append(rows)
    notes = list(model.notes)
    if divided[1]:
        off = f"1 {'+' if divided[0] > 1 else '-'} {abs(divided[0] - 1):.2g}"
        notes.append(f"the probabilities of {divided[1]} sum to {off}; they are divided by it, as are others that are closer to 1")
    notes += notes_on_numbers(moves, Fraction(odd))
    can_fail = question.is_until and _check_until(path, question, moves, model.start)
    if not question.is_until:  # endless play without payments is then over
        moves = [_closed(state, rows) for state, rows in enumerate(moves)]
    player = sides(path, model, question)
    somebody_minimises = any(rows and side == 1 for rows, side in zip(moves, player, strict=True))
    if never and (question.is_probability or not somebody_minimises):
        who = "it asks for a probability" if question.is_probability else "nobody wants little"
        raise ParameterError(f"{path}: {question.text or 'the total'}: nobody may give up (--never), as {who}")
    table = Table(
        class_name(path.stem), title, moves, model.start, player=player,
        final=[Fraction(bool(g)) for g in goal] if question.is_probability else [], node=NODE,
        must_end=can_fail or (never and question.is_until), is_counted=max(map(len, moves), default=0) > MANY, gives_up=never,
        notes=tuple(notes), question=question_of(path, question, somebody_minimises, never, read_as),
    )  # fmt: skip
    if somebody_minimises and not never and not question.is_probability:
        table = _without_traps(table, path) if (can_fail if question.is_until else _may_grow(moves, model.start)) else table
    return table if question.text else _of_the_file(table)


def _reward(path: Path, name: str, model: Model) -> dict[str, list[Fraction | int]]:
    """The reward of every state, choice and branch. Raises `OutOfReach` for numbers that rules can't pay."""
    sizes = {"states": model.states, "choices": len(model.begin) - 1, "branches": len(model.target)}
    found: dict[str, list[Fraction | int]] = {where: [0] * size for where, size in sizes.items()}
    for where, values in model.rewards[name].items():
        for k, value in enumerate(values):
            if not isinstance(value, int | float | Fraction) or not -MOST <= value <= MOST:  # also inf and nan
                part = f"annotations/rewards/{name}/{where}/values.bin"
                raise OutOfReach(f"{path}: {part}: entry {k} is {value}, and rewards are numbers from -3e18 to 3e18")
        found[where] = [int(paid) if paid.denominator == 1 else paid for paid in map(payoff_of, values)]  # Fractions take long
    return found


def _check_until(path: Path, question: Property, moves: Sequence[Sequence[Move]], start: int) -> bool:
    """Whether play may miss the label, which is then worth infinitely much. Raises `OutOfReach` if that can't be compared with losses."""
    reached = _reached(moves, start)
    if not any(s in reached for s in _staying(moves)):
        return False
    if any(o.payoff < 0 for s in reached for m in moves[s] for o in m.outcomes):
        raise OutOfReach(
            f"{path}: rewards below 0 until a label that need not be reached; R{{\"{question.reward}\"}}... [ C ] asks for all rewards"
        )
    return True


def _may_grow(moves: Sequence[Sequence[Move]], start: int) -> bool:
    """Whether play may stay for ever where something is paid."""
    reached = _reached(moves, start)
    return any(o.payoff for s in _staying(moves) if s in reached for m in moves[s] for o in m.outcomes)


def _without_traps(table: Table, path: Path) -> Table:
    """The table without the actions of player 1 that may lead to where the value is infinite, if it is finite at the start."""
    there, question = infinite(class_of(table, path.stem)()), table.question
    assert question is not None
    if there.at_start:
        return replace(table, question=replace(question, grows="infinite"))
    gone = {state for (state,) in there.states}
    if not gone:
        return table
    moves: list[Sequence[Move]] = [
        [] if state in gone else [m for m in rows if not any(o.next in gone for o in m.outcomes)] for state, rows in enumerate(table.moves)
    ]
    return replace(table, moves=moves, is_counted=False, question=replace(question, left_out=there.left_out))


def _of_the_file(table: Table) -> Table:
    """The table of a file of which nothing was asked: its value is that of a game, not the answer to a property."""
    left_out = table.question.left_out if table.question else ""
    return replace(table, question=None, notes=(*table.notes, *filter(None, [left_out])))


def _reached(moves: Sequence[Sequence[Move]], start: int) -> set[int]:
    """The states that play may come to."""
    found, waiting = {start}, [start]
    while waiting:
        following = {o.next for m in moves[waiting.pop()] for o in m.outcomes} - found
        found |= following
        waiting.extend(following)
    return found


def _staying(moves: Sequence[Sequence[Move]]) -> list[int]:
    """The states that choices can keep play among for ever: those left if states whose every choice may lead to the end, or to states
    that were taken away, are taken away."""
    leading: list[list[tuple[int, int]]] = [[] for _ in moves]
    for state, rows in enumerate(moves):
        for k, move in enumerate(rows):
            for o in move.outcomes:
                leading[o.next].append((state, k))
    left = [set(range(len(rows))) for rows in moves]
    gone = [state for state, rows in enumerate(moves) if not rows]
    while gone:
        for state, k in leading[gone.pop()]:
            if k in left[state]:
                left[state].remove(k)
                if not left[state]:
                    gone.append(state)
    return [state for state, rows in enumerate(left) if rows]


def _closed(state: int, rows: Sequence[Move]) -> Sequence[Move]:
    """No moves if a state always returns to itself without payment: play is over there."""
    is_still = all(o.next == state and o.payoff == 0 for move in rows for o in move.outcomes)
    return [] if is_still else rows

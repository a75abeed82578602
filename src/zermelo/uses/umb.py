"""Games in UMB, the interchange format of model checkers: anyone can check an answer with Storm, PRISM or Modest.

A game becomes a transition system whose choices are the actions, in the order in which the rules yield them. Every
finished position has one choice, which pays its final payoff and leads to one more state, the last, labelled "over".
The value is then the expected reward until "over"; the reward of a choice is the expectation of its payoff. Model checkers take
this for infinite if play need not end. Rules do so only if they say `must_end`: for others all rewards are asked for, [C].

Model checkers know no PASS: where a game uses it, every state is doubled into (state, side), see `unfold`.

Probabilities and rewards are rational numbers, exactly those of the rules, where they fit 53 bits, and else floats. A float of the rules
is the decimal that it is written as, as in exact solutions: 0.1 is 1/10.
Reference: "UMB: a unified Markov binary format", github.com/pmc-tools/umb; the package umbi describes and reads it.
"""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers
from zermelo.basics.different import different
from zermelo.basics.fields import described
from zermelo.basics.numbering import number_type
from zermelo.basics.numbers import meant
from zermelo.basics.parameters import check_path
from zermelo.basics.runs import running, runs
from zermelo.errors import OutOfReach
from zermelo.problem.transitions import Transitions
from zermelo.storage.file import replacing
from zermelo.uses.need import check_end, explored_of, tabled
from zermelo.uses.until import surely_ends
from zermelo.version import __version__

OVER = "over"
EXACT = float(1 << 53)  # whole numbers up to here are exact as floats
SCALES = [float(1 << k) for k in range(21)]  # payoffs such as 0.5 become whole with one of these


@described(
    states="How many states were written.",
    players="How many players choose: 0, 1 or 2.",
    is_exact="Whether probabilities and rewards are rational numbers, not floats.",
    properties="What to ask, such as 'R{\"payoff\"}max=? [F \"over\"]', or '[C]' where play need not end: the payoff that players "
    "choose by; each one if nobody chooses. By-products can't be asked for: a model checker would choose by them.",
)
class Exported(NamedTuple):
    """What was written, and the property for a model checker."""

    states: int
    players: int
    is_exact: bool
    properties: tuple[str, ...]


class _Rows(NamedTuple):
    """A transition system in which every state has a choice; rows and outcomes sorted."""

    states: int
    first_row: np.ndarray  # int64[states + 1]
    first_outcome: np.ndarray  # int64[rows + 1]
    ways: np.ndarray  # float64[outcomes], positive
    total: np.ndarray  # float64[rows], sum of the ways
    target: np.ndarray  # int64[outcomes], different within a row
    gain: np.ndarray  # float64[rows, payoffs]: sum of ways * payoff
    given: tuple[np.ndarray, np.ndarray]  # float64[given], float64[given, payoffs]: the ways and payoffs that were summed up
    place: tuple[np.ndarray, np.ndarray]  # int64[given], int64[given]: the rows and the outcomes to which they belong


def export(answers: Answers, path: str | Path, comment: str = "") -> Exported:
    """Write the game that an answer is about. Raises `OutOfReach` where the format can't hold it (UMB gives every state one player, in
    `state-to-player`), or the package umbi is missing."""
    what = "an export"
    check_path(path)
    check_end(answers, what)
    if answers.rules.is_simultaneous:
        raise OutOfReach(
            f"UMB, the format of model checkers, gives every state one player, and in {answers.rules.name} both choose at once; "
            "export_certificate(path) writes a file that can be checked"
        )
    if answers.discount != 1:
        raise OutOfReach("model checkers' files know no discount; solve without it to export the game")
    explored = explored_of(tabled(answers, what))
    columns = dict(zip(explored.layout.slot_names, explored.layout.columns(explored.keys), strict=True))
    return export_game(
        explored.whole(),
        path,
        start=explored.start,
        payoffs=answers.rules.payoffs,
        name=answers.rules.name,
        comment=comment,
        columns=columns,
        must_end=answers.rules.must_end,
    )


def export_game(
    transitions: Transitions,
    path: str | Path,
    *,
    start: int,
    payoffs: Sequence[str] = ("payoff",),
    name: str = "",
    comment: str = "",
    columns: Mapping[str, np.ndarray] | None = None,
    must_end: bool = False,
) -> Exported:
    """Write a whole game (low = 0), undiscounted. `columns`: the fields of the states, as variables of the model. `must_end`: endless play
    is worth infinitely much, not what it pays.

    Raises `OutOfReach` if the package umbi is missing, `FileError` if the file can't be written.
    """
    umbi = _umbi()
    path_formula = f'F "{OVER}"' if must_end or surely_ends(transitions, start) else "C"
    if np.any(transitions.sign < 0):
        transitions, start = unfold(transitions, start)
        columns = _with_side(columns) if columns else None
    rows = _rows(transitions)
    players, owner = _players(transitions)
    sides = ["max", "min"] if players == 2 else ["min"] if _is_minimised(transitions, players) else []
    rationals = _rationals(rows)
    names = _names(payoffs)
    files = _files(rows, start, rationals)
    if players:
        files["state-to-player.bin"] = np.append(owner, 0).astype("<u4")
    rewards = rationals[1] if rationals else rows.gain.T / rows.total
    for label, values in zip(names, rewards, strict=True):
        files[f"annotations/rewards/{label}/choices/values.bin"] = np.ascontiguousarray(values)
    if columns:
        table = np.array([np.append(c, -1) for c in columns.values()], dtype="<i8").T
        files["valuations/states/valuations.bin"] = np.ascontiguousarray(table)
    model = umbi.umb.index.ModelData(name=name or None, comment=comment or None)
    index = _index(umbi, rows, players, sides, rationals is not None, dict(zip(names, payoffs, strict=True)), columns, model)
    _write(umbi, path, index, files)
    return Exported(rows.states, players, rationals is not None, _properties(transitions, players, names, path_formula))


def _umbi() -> ModuleType:
    try:
        import umbi
        import umbi.binary
        import umbi.datatypes
        import umbi.umb
        import umbi.version
    except ImportError as error:
        raise OutOfReach(f"export_umb needs the package umbi ({error}): pip install 'zermelo[umb]'") from None
    return umbi


# --- PASS ------------------------------------------------------------------------------------------------------------


def unfold(transitions: Transitions, start: int) -> tuple[Transitions, int]:
    """The same game without signs: state i becomes 2i, seen by the side that began, and 2i + 1, seen by the other.

    PASS changes the side. On side 1 payoffs count negated and the players are exchanged: v(2i + 1) = -v(2i) = -v(i).
    """
    t = transitions
    rows_of = np.diff(t.action_start)
    row = runs(np.repeat(t.action_start[:-1], 2), np.repeat(rows_of, 2))  # every state's rows twice
    side_of_row = np.repeat(np.arange(2 * t.high) % 2, np.repeat(rows_of, 2))
    outcomes_of = np.diff(t.outcome_start)[row]
    outcome = runs(t.outcome_start[row], outcomes_of)
    side = np.repeat(side_of_row, outcomes_of)
    final = np.repeat(t.final_payoff, 2, axis=0)
    final[1::2] *= -1
    player = np.repeat(t.player, 2)
    player[1::2] = 1 - player[1::2]
    unfolded = Transitions(
        low=0,
        high=2 * t.high,
        action_start=running(np.repeat(rows_of, 2)),
        outcome_start=running(outcomes_of),
        ways=t.ways[outcome],
        next=(2 * t.next[outcome].astype(np.int64) + (side ^ (t.sign[outcome] < 0))).astype(number_type(2 * t.high)),
        sign=np.ones(len(outcome), dtype=np.int8),
        payoff=np.where(side == 1, -1, 1)[:, None] * t.payoff[outcome],
        final_payoff=final,
        player=player,
    )
    return unfolded, 2 * start


def _with_side(columns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The variables of the states and which side sees them; no field has a name with spaces."""
    doubled = {name: np.repeat(column, 2) for name, column in columns.items()}
    size = len(next(iter(doubled.values())))
    return {**doubled, "side" if "side" not in doubled else "seen by side": np.arange(size) % 2}


# --- the transition system -------------------------------------------------------------------------------------------


def _rows(t: Transitions) -> _Rows:
    """Drop outcomes that can't happen, join outcomes of a row that lead to the same state, close finished positions."""
    count, over = len(t.outcome_start) - 1, t.high
    final = np.flatnonzero(np.diff(t.action_start) == 0)
    state_of = np.concatenate([np.repeat(np.arange(over), np.diff(t.action_start)), final, [over]])
    order = np.argsort(state_of, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    # 1. every outcome with its row's place; then those of finished positions and of the end
    alive = t.ways > 0
    old_row = np.repeat(np.arange(count), np.diff(t.outcome_start))[alive]
    row = place[np.concatenate([old_row, np.arange(count, len(order))])]
    target = np.concatenate([t.next[alive], np.full(len(final) + 1, over)]).astype(np.int64)
    ways = np.concatenate([t.ways[alive], np.ones(len(final) + 1)])
    payoff = np.concatenate([t.payoff[alive], t.final_payoff[final], np.zeros((1, t.payoff.shape[1]))])
    # 2. join
    arrow, joined = np.unique(row * (over + 1) + target, return_inverse=True)
    gain = np.array([np.bincount(row, ways * p, len(order)) for p in payoff.T]).T
    return _Rows(
        states=over + 1,
        first_row=running(np.bincount(state_of, minlength=over + 1)),
        first_outcome=running(np.bincount(arrow // (over + 1), minlength=len(order))),
        ways=np.bincount(joined, ways),
        total=np.bincount(row, ways, len(order)),
        target=arrow % (over + 1),
        gain=gain,
        given=(ways, payoff),
        place=(row, joined),
    )


def _players(t: Transitions) -> tuple[int, np.ndarray]:
    """The number of players that have a choice anywhere, and whose turn it is."""
    choosing = t.player[np.diff(t.action_start) > 1]
    players = len(different(choosing))
    return players, t.player if players == 2 else np.zeros(t.high, dtype=np.int8)


def _is_minimised(t: Transitions, players: int) -> bool:
    """Whether player 1 alone has a choice, who wants the total low."""
    return players == 1 and bool(t.player[np.diff(t.action_start) > 1][0] == 1)


def _properties(t: Transitions, players: int, names: Sequence[str], path_formula: str) -> tuple[str, ...]:
    """The value in the property language of PRISM and Storm, and where nobody chooses the other payoffs, too. As a property a by-product
    would be what somebody gets who chooses by it."""
    head, goal = ("<<max>> " if players == 2 else ""), ("min" if _is_minimised(t, players) else "max" if players else "")
    return tuple(f'{head}R{{"{name}"}}{goal}=? [{path_formula}]' for name in (names[:1] if players else names))


def _rationals(rows: _Rows) -> tuple[np.ndarray, np.ndarray] | None:
    """Probabilities and rewards as pairs of numerator and denominator; None if they can't be exact.

    int64[outcomes, 2], int64[payoffs, rows, 2]
    """
    scaled = [_whole(numbers) for numbers in rows.given]
    if scaled[0] is None or scaled[1] is None:
        return None
    (ways, _), (payoffs, scale), (row, outcome) = scaled[0], scaled[1], rows.place
    count = len(rows.total)
    total = np.bincount(row, ways, count)
    most = max(float(np.bincount(row, ways * np.abs(p), count).max()) for p in payoffs.T)
    if max(most, float(total.max()) * scale) >= EXACT:
        return None  # sums of these numbers may have been rounded
    probability = _reduced(np.bincount(outcome, ways), np.repeat(total, np.diff(rows.first_outcome)))
    return probability, np.array([_reduced(np.bincount(row, ways * p, count), total * scale) for p in payoffs.T])


def _whole(numbers: np.ndarray) -> tuple[np.ndarray, float] | None:
    """Numbers in a unit in which all are whole, and how many of these units are 1; None if they are then too large to be exact floats."""
    for scale in SCALES:
        scaled = numbers * scale
        if np.abs(scaled).max(initial=0) >= EXACT:
            break
        if np.all(scaled == np.rint(scaled)):
            return scaled, scale
    different, where = np.unique(numbers, return_inverse=True)
    fractions, unit = list[Fraction](), 1
    for number in different.tolist():
        fractions.append(meant(number))
        unit = lcm(unit, fractions[-1].denominator)
        if unit >= EXACT:
            return None
    if max(map(abs, fractions)) * unit >= EXACT:
        return None
    return np.array([float(m * unit) for m in fractions])[where.reshape(numbers.shape)], float(unit)


def _reduced(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    fraction = np.stack([numerator, denominator], axis=1).astype("<i8")
    return fraction // np.gcd(fraction[:, 0], fraction[:, 1])[:, None]


# --- the file --------------------------------------------------------------------------------------------------------


def _files(rows: _Rows, start: int, rationals: tuple[np.ndarray, np.ndarray] | None) -> dict[str, np.ndarray]:
    total = np.repeat(rows.total, np.diff(rows.first_outcome))
    return {
        "state-is-initial.bin": _bits(rows.states, start),
        "state-to-choices.bin": rows.first_row.astype("<u8"),
        "choice-to-branches.bin": rows.first_outcome.astype("<u8"),
        "branch-to-target.bin": rows.target.astype("<u8"),
        "branch-to-probability.bin": rationals[0] if rationals else (rows.ways / total).astype("<f8"),
        f"annotations/aps/{OVER}/states/values.bin": _bits(rows.states, rows.states - 1),
    }


def _bits(size: int, place: int) -> np.ndarray:
    """One set bit among `size`, padded to whole 64-bit words."""
    bits = np.zeros(-(-size // 64) * 8, dtype=np.uint8)
    bits[place // 8] = 1 << place % 8
    return bits


def _names(payoffs: Sequence[str]) -> list[str]:
    """Names that are allowed in a path and in a property."""
    return _distinct([re.sub(r"[^a-z0-9]+", "_", p.lower()).strip("_") or "payoff" for p in payoffs])


def _distinct(plain: Sequence[str]) -> list[str]:
    """The names, those that occur more than once with their places behind them: a_0, a_1, or a_1_1 if there is an a_1 already."""
    found: list[str] = []
    for i, name in enumerate(plain):
        if plain.count(name) > 1:
            name = f"{name}_{i}"
            while name in plain or name in found:
                name = f"{name}_{i}"
        found.append(name)
    return found


def _index(
    umbi: Any,
    rows: _Rows,
    players: int,
    sides: Sequence[str],
    is_exact: bool,
    rewards: Mapping[str, str],
    columns: Mapping[str, np.ndarray] | None,
    model: Any,
) -> Any:
    """The description of the files."""
    parts = umbi.umb.index
    made_by = parts.umbi_file_data()
    made_by.tool, made_by.tool_version = "Zermelo", __version__
    sized = umbi.binary.SizedType
    number = umbi.datatypes.NumericPrimitiveType.RATIONAL if is_exact else umbi.datatypes.NumericPrimitiveType.DOUBLE
    value = sized.for_type(number)
    truth = sized.for_type(umbi.datatypes.PrimitiveType.BOOL)
    annotations = {
        "aps": {OVER: parts.AnnotationDescription(applies_to=["states"], type=truth)},
        "rewards": {  # Storm asks for the alias, and can't for one with spaces
            n: parts.AnnotationDescription(alias=n, description=a, applies_to=["choices"], type=value) for n, a in rewards.items()
        },
    }
    return parts.UmbIndex(
        format_version=umbi.version.__format_version__,
        format_revision=umbi.version.__format_revision__,
        file_data=made_by,
        model_data=model,
        transition_system=parts.TransitionSystem(
            num_players=players,
            num_states=rows.states,
            num_initial_states=1,
            num_choices=len(rows.total),
            num_branches=len(rows.target),
            branch_probability_type=value,
            player_to_name=list(sides) or None,
        ),
        annotations=annotations,
        valuations={"states": _variables(umbi, columns)} if columns else None,
    )


def _variables(umbi: Any, columns: Mapping[str, np.ndarray]) -> Any:
    """The fields of a state as variables of 64 bits."""
    struct = umbi.binary.StructType()
    whole = umbi.binary.SizedType.for_type(umbi.datatypes.NumericPrimitiveType.INT)
    for name in _distinct([re.sub(r"\W+", "_", name).strip("_") for name in columns]):
        struct.add_attribute(name=name, sized_type=whole)
    return umbi.umb.index.ValuationDescription(unique=False, classes=[struct])


def _write(umbi: Any, path: str | Path, index: Any, files: Mapping[str, np.ndarray]) -> None:
    index.validate()
    text = umbi.datatypes.json_to_string(index.to_json()).encode()
    with replacing(path) as temporary, tarfile.open(temporary, "w:gz", compresslevel=1) as archive:
        for name, content in {"index.json": text, **{n: a.tobytes() for n, a in files.items()}}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))

"""A file of UMB, unpacked to the last byte, decoded by umbi, and checked: its parts fit together. umb.py makes a game of it.

A file is a tar archive, usually compressed, with a description (index.json) and arrays, each of which may be left out where it says
nothing. The format: github.com/pmc-tools/umb/blob/main/spec.md.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import logging
import lzma
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.disk import read_whole
from zermelo.errors import FileError, OutOfReach
from zermelo.foreign.tables import check_size

PIP = "pip install 'zermelo[umb]'"
PACKED: Mapping[bytes, Any] = {b"\x1f\x8b": gzip, b"BZh": bz2, b"\xfd7zXZ": lzma}  # by how a file begins


class Model(NamedTuple):
    """What a file says. State s has the choices first[s] to first[s + 1] - 1, choice c the branches begin[c] to begin[c + 1] - 1."""

    states: int
    start: int
    first: Sequence[int]
    begin: Sequence[int]
    target: Sequence[int]  # of each branch
    probability: Sequence[Any] | None  # of each branch; None: each choice has one
    players: int
    names: Sequence[str]  # of the players, if they have names
    owner: Sequence[int]  # the player of each state
    rewards: Mapping[str, Mapping[str, Sequence[Any]]]  # by name, of "states", "choices" and "branches"
    labels: Mapping[str, Sequence[bool]]  # the states that have each of them
    aliases: Mapping[str, Mapping[str, str]]  # of "rewards" and "labels": the name of each other name
    notes: tuple[str, ...]


def read(path: Path) -> Model:
    """The file. Raises `FileError` for a damaged one, `OutOfReach` for models that are not supported, or if umbi is missing."""
    raw = _decoded(path)
    system = raw.index.transition_system
    _check_kind(path, raw, system)
    _check_sizes(path, raw, system)
    if any(not 0 <= target < system.num_states for target in raw.branch_to_target or ()):
        raise FileError(f"{path}: branch-to-target.bin: a branch leads to a state that is not there")
    owner, notes = _owners(path, raw, system)
    groups = raw.annotations or {}
    return Model(
        states=system.num_states,
        start=list(raw.state_is_initial[: system.num_states]).index(True),
        first=_starts(path, "state-to-choices.bin", raw.state_to_choices, system.num_states, system.num_choices),
        begin=_starts(path, "choice-to-branches.bin", raw.choice_to_branches, system.num_choices, system.num_branches),
        target=raw.branch_to_target or [],
        probability=raw.branch_to_probability,
        players=system.num_players,
        names=list(system.player_to_name or []),
        owner=owner,
        rewards=groups.get("rewards", {}),
        labels={name: found["states"] for name, found in groups.get("aps", {}).items() if "states" in found},
        aliases={"rewards": _aliases(raw, "rewards"), "labels": _aliases(raw, "aps")},
        notes=notes,
    )


# --- from the file to arrays ----------------------------------------------------------------------------------------------


def _decoded(path: Path) -> Any:
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

    if not (log := logging.getLogger("umbi")).handlers:
        log.addHandler(logging.NullHandler())  # its report of a fault has many lines
    members = _members(path, _unpacked(path))
    for what, count in _counts(members.get("index.json", b"")).items():
        check_size(f"{path.name}, a model in UMB", count, what)  # decoding may take minutes
    try:
        decoder = Decoder()
        decoder.update(members)
        return decoder.decode()
    except Exception as error:  # any error that a damaged file causes in umbi
        raise FileError(f"{path} is no file of UMB that can be read: {_in_line(error)}") from None


def _counts(index: bytes) -> dict[str, int]:
    """How many states and outcomes the index says there are; empty if it can't be read, as umbi will find."""
    try:
        system = json.loads(index)["transition-system"]
        found = {"states": system["#states"], "outcomes": system["#branches"]}
    except (ValueError, TypeError, KeyError, RecursionError):
        return {}
    return {what: count for what, count in found.items() if isinstance(count, int)}


def _unpacked(path: Path) -> bytes:
    """The archive. It is unpacked as a whole: the checksum stands behind the last byte, and umbi never gets there."""
    try:
        content = read_whole(path)
    except OSError as error:
        raise FileError(f"can't read {path}: {error.strerror or error}") from None
    packer = next((packer for magic, packer in PACKED.items() if content.startswith(magic)), None)
    try:
        return content if packer is None else packer.decompress(content)
    except Exception as error:  # OSError, EOFError, ValueError, zlib.error, lzma.LZMAError
        raise FileError(f"{path} is damaged, and can't be unpacked: {_in_line(error)}") from None


def _members(path: Path, content: bytes) -> dict[str, bytes]:
    """The parts of the archive by name. A damaged header seems to be its end to tarfile, so it is looked for what follows the last part."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
            for member in filter(tarfile.TarInfo.isfile, archive.getmembers()):
                if member.name in found:
                    raise FileError(f"{path} is damaged: it holds {member.name} twice")
                part = archive.extractfile(member)
                found[member.name] = part.read() if part else b""
            rest = content[archive.offset :]
    except (tarfile.TarError, OSError, ValueError):
        raise FileError(f"{path} is no file of UMB that can be read: it is no archive") from None
    if not rest or rest.strip(b"\0"):
        raise FileError(f"{path} is damaged: its archive has no end")
    return found


def _in_line(error: Exception) -> str:
    if isinstance(error, ZeroDivisionError):
        return "a fraction has the denominator 0"
    if isinstance(error, TypeError | AttributeError | AssertionError):  # of umbi's own code
        return "something that the index describes is incomplete, or of another kind than it should be"
    if isinstance(faults := getattr(error, "messages", None), dict | list):  # of the index, by its keys
        return _first(faults)
    said = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)  # a KeyError puts it in quotation marks
    return " ".join(said.split())[:120] or type(error).__name__


def _first(faults: Any) -> str:
    """Where in the index the first fault is, and what it is: "index.json, transition-system, #states: not a valid integer"."""
    where = ["index.json"]
    while isinstance(faults, dict | list) and faults:
        key, faults = next(iter(faults.items())) if isinstance(faults, dict) else ("", faults[0])
        where += [str(key)] if key not in ("", "value", "_schema") else []
    said = str(faults)
    return f"{', '.join(where)}: {said[:1].lower()}{said[1:].rstrip('.')}"


def _aliases(raw: Any, group: str) -> dict[str, str]:
    """The names of the index by their aliases, which Storm asks for; those that name two things, or are another's name, are left out."""
    described = (raw.index.annotations or {}).get(group) or {}
    given = [about.alias for about in described.values()]
    found = {about.alias: name for name, about in described.items() if about.alias and given.count(about.alias) == 1}
    return found | {name: name for name in described}


# --- what is not read, and what does not fit -------------------------------------------------------------------------------


def _check_kind(path: Path, raw: Any, system: Any) -> None:
    """Raise `OutOfReach` for models that are not supported."""
    if system.time != "discrete":
        raise OutOfReach(f"{path} is about continuous time, and only discrete time is read")
    if system.num_observations:
        raise OutOfReach(f"{path} hides its states from the player, and such models are not read")
    if system.num_initial_states != 1 or sum(map(bool, raw.state_is_initial[: system.num_states])) != 1:
        raise OutOfReach(f"{path} has {system.num_initial_states} initial states, and one is needed")
    if "interval" in str(getattr(system.branch_probability_type, "type", "")).lower():
        raise OutOfReach(f"{path} gives intervals for its probabilities, and numbers are needed")


def _check_sizes(path: Path, raw: Any, system: Any) -> None:
    """Raise `FileError` for a part that has more or fewer entries than the index says."""
    sizes = {"states": system.num_states, "choices": system.num_choices, "branches": system.num_branches}
    parts = [
        ("branch-to-target.bin", raw.branch_to_target, system.num_branches),
        ("branch-to-probability.bin", raw.branch_to_probability, system.num_branches),
        ("state-to-player.bin", raw.state_to_player, system.num_states),
    ]
    parts += [
        (f"annotations/{group}/{name}/{where}/values.bin", values, sizes[where])
        for group, names in (raw.annotations or {}).items() for name, found in names.items() for where, values in found.items()
        if where in sizes
    ]  # fmt: skip
    for name, values, size in parts:
        if values is not None and len(values) != size:
            raise FileError(f"{path}: {name} has {len(values):,} entries, and {size:,} belong there")
    if raw.branch_to_target is None and system.num_branches:
        raise FileError(f"{path}: branch-to-target.bin is missing")


def _starts(path: Path, name: str, given: Sequence[int] | None, count: int, total: int) -> Sequence[int]:
    """Where the parts of each begin; each has one part if the file does not specify this. Raises `FileError`."""
    if given is None:
        if count != total:
            raise FileError(f"{path}: {name} is missing, and without it {count:,} would have {total:,} parts, one each")
        return range(count + 1)
    if len(given) != count + 1:
        raise FileError(f"{path}: {name} has {len(given):,} entries, and {count + 1:,} belong there")
    if given[0] != 0 or given[-1] != total or any(a > b for a, b in zip(given, given[1:], strict=False)):
        raise FileError(f"{path}: {name} must rise from 0 to {total:,} and never fall")
    return given


def _owners(path: Path, raw: Any, system: Any) -> tuple[Sequence[int], tuple[str, ...]]:
    """The player of each state, and a note if a file for several players does not say. Raises `FileError`."""
    if raw.state_to_player is None:
        note = f"it has {system.num_players} players and no state-to-player.bin: all states belong to the first player, as the format says"
        return [0] * system.num_states, (note,) if system.num_players > 1 else ()
    if wrong := [player for player in raw.state_to_player if player >= system.num_players]:
        raise FileError(f"{path}: state-to-player.bin names player {wrong[0]}, and there are {system.num_players}, counted from 0")
    return raw.state_to_player, ()

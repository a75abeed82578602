"""The keys of JANI's objects (jani-spec.org, version 1, with its extensions). Any other one is refused: it might change the meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zermelo.foreign.model import ModelError

COMMENTS = ("comment",)
KEYS: dict[str, str] = {  # of each kind of object, without `comment`, which every one may have
    "model": "jani-version name metadata type features actions constants variables restrict-initial properties automata system functions",
    "action": "name",
    "constant": "name type value",
    "variable": "name type transient initial-value",
    "type": "kind base lower-bound upper-bound",
    "function": "name type parameters body",
    "parameter": "name type",
    "condition": "exp",
    "automaton": "name variables restrict-initial locations initial-locations edges functions",
    "location": "name time-progress transient-values",
    "transient-value": "ref value",
    "edge": "location action rate guard assignments destinations",  # `assignments` are Storm's
    "destination": "location probability assignments",
    "assignment": "ref value index",
    "composition": "elements syncs",
    "element": "automaton input-enable",
    "sync": "synchronise result",
    "property": "name expression",
    "filter": "op fun values states",
    "state predicate": "op",
    "comparison": "op left right",
    "probability": "op exp",
    "path": "op exp left right step-bounds time-bounds reward-bounds",
    "reward": "op exp accumulate reach step-instant time-instant reward-instants reward-bounds",
    "reward bound": "exp accumulate bounds",
    "interval": "lower lower-exclusive upper upper-exclusive",
}
PLACES: dict[str, dict[str, str]] = {  # the objects, or lists of objects, in an object: the key, and their kind
    "model": {"actions": "action", "constants": "constant", "variables": "variable", "restrict-initial": "condition",
              "automata": "automaton", "system": "composition", "functions": "function"},
    "constant": {"type": "type"},
    "variable": {"type": "type"},
    "function": {"type": "type", "parameters": "parameter"},
    "parameter": {"type": "type"},
    "automaton": {"variables": "variable", "restrict-initial": "condition", "locations": "location", "edges": "edge",
                  "functions": "function"},
    "location": {"transient-values": "transient-value"},
    "edge": {"guard": "condition", "assignments": "assignment", "destinations": "destination"},
    "destination": {"probability": "condition", "assignments": "assignment"},
    "composition": {"elements": "element", "syncs": "sync"},
    "filter": {"states": "state predicate"},
    "path": {"step-bounds": "interval", "reward-bounds": "reward bound"},
    "reward bound": {"bounds": "interval"},
}  # fmt: skip


def check_keys(kind: str, data: Any, file: str, where: str = "") -> None:
    """Refuse keys that an object of this kind does not have, and those of the objects in it. Raises `ModelError`, with the place."""
    if not isinstance(data, Mapping):
        return
    known, places = KEYS[kind].split(), PLACES.get(kind, {})
    check_known(data, known, kind, file, where)
    for key, inner in places.items():
        at = f"{where}.{key}" if where else key
        values = data.get(key)
        if isinstance(values, list):
            for k, value in enumerate(values):
                check_keys(inner, value, file, f"{at}[{k}]")
        else:
            check_keys(inner, values, file, at)


def check_known(data: Mapping[str, Any], known: Iterable[str], kind: str, file: str, where: str) -> None:
    """Refuse keys of an object other than these. Raises `ModelError`."""
    unknown = [key for key in data if key not in known and key not in COMMENTS]
    if unknown:
        text = f"the key {unknown[0]!r} of {'an' if kind[0] in 'aei' else 'a'} {kind} is not read"
        raise ModelError(f"{file}: {f'{where}: ' if where else ''}{text}")


def read_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. Raises `ModelError` if a key is there twice, as only one of them would count."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ModelError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice in one object")
    return found

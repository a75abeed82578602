"""What Python does not do for a subclass of a NamedTuple: it gets no fields of its own. Standard library only."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from typing import Any

from zermelo.language.members import NAMES

CONSTANTS = ("ClassVar", "Final")


def field_faults(tuple_class: type) -> Iterator[str]:
    """Faults of a subclass of a NamedTuple: fields that it adds, which are none, and values that hide fields of its base."""
    home = next((c for c in reversed(tuple_class.__mro__) if "_fields" in vars(c)), tuple_class)
    fields = getattr(home, "_fields", ())
    for below in tuple_class.__mro__[: tuple_class.__mro__.index(home)]:
        own, base = below.__name__, home.__name__
        new = [n for n, hint in _annotated(below).items() if n not in fields and not _is_constant(n, hint)]
        if new:
            names = " and ".join(f"`{n}`" for n in new) + f" of {own} {'is no field' if len(new) == 1 else 'are no fields'}"
            yield (
                f"{names}: a subclass of a NamedTuple gets none. Write `class {own}(NamedTuple):` with all of them "
                f"({', '.join([*fields, *new])}), and take methods over, `start = {base}.start`; a constant has no annotation, "
                f"`{new[0]} = ...`"
            )
        for name in fields:
            if name in vars(below):
                yield (
                    f"`{name}` of {own} hides the field `{name}` of {base}, so that what a tuple holds there is not read: "
                    f"leave it out, and give the value where the tuple is made, as in {own}({name}=...)"
                )


def _annotated(of: type) -> dict[str, Any]:
    try:
        return dict(inspect.get_annotations(of))
    except Exception:  # an annotation that names something unknown here, where Python evaluates them late
        return {}


def _is_constant(name: str, hint: Any) -> bool:
    """Whether the annotation is of a constant: marked as one, named as one, or a declaration of the language."""
    if isinstance(hint, str):
        is_marked = hint.partition("[")[0].rpartition(".")[2].strip() in CONSTANTS
    else:
        is_marked = hint in (typing.ClassVar, typing.Final) or typing.get_origin(hint) in (typing.ClassVar, typing.Final)
    return is_marked or name.isupper() or name.startswith("_") or name in NAMES

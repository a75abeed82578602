"""Rules that are too long for the compiler: it keeps all variables at every place that yields, and takes time and memory for the square."""

from __future__ import annotations

import inspect
from contextlib import suppress

from zermelo.language.rules import Rules
from zermelo.language.source import plain
from zermelo.link.constants import CannotCompile
from zermelo.link.rewrite import source_of
from zermelo.link.written_out import as_loops, yields

MOST_YIELDS = 1000  # 480 take minutes and 1.5 GB, 1,073 more than there is; alike ones count as one, as they become a loop


def why_too_long(rules: Rules) -> str:
    """Why these rules are not to be compiled; "" if they may be."""
    for member in ("actions", "outcomes"):
        function = plain(inspect.getattr_static(type(rules.game), member, None))
        with suppress(CannotCompile):  # told where it is compiled
            tree = source_of(function)
            if yields(tree) > MOST_YIELDS and (count := yields(as_loops(tree)[0])) > MOST_YIELDS:
                return f"`{member}` yields in {count:,} places that differ, and the compiler copes with {MOST_YIELDS:,}"
    return ""

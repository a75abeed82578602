"""Commands that refuse an option which is given twice; click takes the last one without a word."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from zermelo.errors import ParameterError


class Once(TyperCommand):
    """A command each of whose options may be given once, unless it collects what it is given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        if not (ctx.resilient_parsing or any(p.is_eager for p in given)):  # completing, or help
            for option in given:
                times = given.count(option)
                if times > 1 and not getattr(option, "multiple", False):
                    raise ParameterError(f"{max(option.opts, key=len)} is given {times} times: give it once")
        return super().parse_args(ctx, args)

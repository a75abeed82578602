"""Every error that Zermelo raises on purpose: one line in the user's terms, without a compiler traceback."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from types import FrameType

OURS = ("zermelo", "IPython", "ipykernel")  # packages whose lines a user of a notebook didn't write


class ZermeloError(Exception):
    """The base of all errors that a user can cause and fix. The command line prints it and exits with 2."""

    def _render_traceback_(self) -> list[str]:
        """What notebooks show, as IPython asks an error for it: the user's own lines that led here, and what is wrong."""
        cause, lines = self.__cause__, list[str]()
        if cause is not None and (led := _led(cause)):
            lines += [*led, *_said(cause), "", "which led to", ""]
        return [*lines, *_led(self), *_said(self)]


def cell(file: str) -> str:
    """The cell of a notebook, as it is numbered there; "" for a file."""
    with suppress(Exception):  # whatever IPython may be
        return str(sys.modules["IPython"].get_ipython().compile.format_code_name(file)[1])
    return ""


def _led(error: BaseException) -> list[str]:
    """The lines that led to an error, outside of Zermelo and of what Zermelo calls in Python's library."""
    import traceback  # only where an error is shown

    own, is_inside, library = list[tuple[FrameType, int]](), False, (os.path.dirname(os.__file__), "<frozen ")
    for frame, line in traceback.walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        is_inside |= package == OURS[0]
        if package not in OURS and not (is_inside and frame.f_code.co_filename.startswith(library)):
            own.append((frame, line))
    told = []
    for at in traceback.StackSummary.extract(iter(own)):
        where = f"Cell {found}" if (found := cell(at.filename)) else f"File {at.filename}"
        told += [f"  {where}, line {at.lineno}, in {at.name}", *([f"    {at.line}"] if at.line else [])]
    return ["Traceback (most recent call last):", *told] if told else []


def _said(error: BaseException) -> list[str]:
    return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])]).splitlines()


class RulesError(ZermeloError):
    """The rules of a game are at fault; `faults` lists every fault found, in the user's terms."""

    def __init__(self, game: str, faults: list[str]):
        self.game = game
        self.faults = list(faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__(f"{count} in the rules of {game}:\n" + "\n".join(f"  - {fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[type, tuple[str, list[str]]]:
        """How to pickle the error, for other processes."""
        return RulesError, (self.game, self.faults)


class ParameterError(ZermeloError):
    """A game's parameter, an option of a command or a policy has an unsuitable value; what Python writes of it in several lines is told in
    one."""

    def __init__(self, said: str):
        super().__init__(" ".join(line.strip() for line in said.split("\n")))


class UnreachableState(ZermeloError, KeyError):
    """The requested state is not among the states that were solved."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutOfReach(ZermeloError):
    """The requested answer exists, but this method cannot deliver it; the message says why and what can be done."""


class NoMemory(OutOfReach):
    """There is not enough memory at the moment. With more of it free, for example after other processes have ended, the answer may be
    available."""


class NoValue(ZermeloError):
    """The game, or the policy asked about, has no finite value: a player is paid without limit. The message names the states."""


class FileError(ZermeloError):
    """A stored solution is damaged, was not written by Zermelo, or belongs to another version or to other rules."""


class NoStates(OutOfReach, AttributeError):
    """The request needs states, and the game is one of strategies. Also an `AttributeError`, so that `hasattr` returns False."""


class NoRules(OutOfReach, AttributeError):
    """The request needs the rules of a stored game, which are not known. Also an `AttributeError`, so that `hasattr` returns False."""

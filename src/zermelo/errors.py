"""Every error that Zermelo raises on purpose: one line in the user's words, no compiler traceback."""

from __future__ import annotations


class ZermeloError(Exception):
    """Base of all errors a user can cause and mend. The command line prints it and exits with 2."""


class RulesError(ZermeloError):
    """The rules of a game are at fault; `faults` lists every fault found, in the user's words."""

    def __init__(self, game: str, faults: list[str]):
        self.game = game
        self.faults = list(faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__(f"{count} in the rules of {game}:\n" + "\n".join(f"  - {fault}" for fault in self.faults))

    def __reduce__(self) -> tuple[type, tuple[str, list[str]]]:
        """For other processes."""
        return RulesError, (self.game, self.faults)


class ParameterError(ZermeloError):
    """A game's parameter, or an option of a command, has a value that does not fit."""


class UnreachableState(ZermeloError, KeyError):
    """The state asked for is not among the states that were solved."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutOfReach(ZermeloError):
    """The answer asked for exists but this method can't deliver it; the message says why and what can be done."""


class NoMemory(OutOfReach):
    """Memory does not suffice, now: with more of it free, when other processes have ended say, the answer may be had."""


class NoValue(ZermeloError):
    """The game, or the policy asked about, has no finite value: somebody is paid without end. The message names the states."""


class FileError(ZermeloError):
    """A stored solution is damaged, foreign, of another version or of other rules."""


class NoStates(OutOfReach, AttributeError):
    """What was asked for needs states, and the game is one of strategies. Also an `AttributeError`, so that `hasattr` says no."""


class NoRules(OutOfReach, AttributeError):
    """What was asked for needs the rules of a stored game, which are not known. Also an `AttributeError`, so that `hasattr` says no."""

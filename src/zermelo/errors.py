"""Every error that Zermelo raises on purpose: one line in the user's terms, without a compiler traceback."""

from __future__ import annotations


class ZermeloError(Exception):
    """The base of all errors that a user can cause and fix. The command line prints it and exits with 2."""


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

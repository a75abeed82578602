"""Certificates whose states are checked by several threads, or by the machines of a cluster: the same verdict as one state after the other.

The verifier hands out batches of states. Each batch is checked independently, and the first one that fails counts."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from zermelo.basics.pipeline import ahead
from zermelo.basics.progress import Progress
from zermelo.basics.threads import threads
from zermelo.basics.verdict import Verdict
from zermelo.cluster.connection import connected
from zermelo.cluster.sources import received, shipped
from zermelo.cluster.tasks import Tasks
from zermelo.errors import ParameterError
from zermelo.language.rules import Rules
from zermelo.language.rules_text import rules_hash
from zermelo.link import RulesRefused, tell_alone
from zermelo.verifier import Argument, Certificate, Share, verify

NOT_SENT = "rules", "layout", "python", "steps", "certificate"  # made by `Listed.run` again in every process; already read
WHOLE = {
    "strategies": "it lists no states",
    "information sets": "plays are followed from the start, on one machine",
}  # kinds of certificates that are not checked state by state, and why


def verified(certificate: Certificate, game: Any, interpreted: bool | None, progress: Progress, share: Share | None = None) -> Verdict:
    """Check a certificate, by threads of this process unless `share` says otherwise; by Python if the compiler refuses the rules and nobody
    asks for compiled ones (`interpreted=False`). Raises the errors of the verifier."""
    try:
        return verify(certificate, game, interpreted, progress, share or in_threads)
    except RulesRefused as why:
        if interpreted is not None:
            raise
        tell_alone(Rules(game), why)
        return verify(certificate, game, True, progress, share or in_threads)


def in_threads(argument: Argument, lows: Sequence[int]) -> Generator[Any]:
    """By the threads of this process, where machine code runs the rules."""
    return ahead(argument.check, lows, min(threads(), len(lows)) if argument.listed.compiled else 1)


def verify_on(cluster: str, certificate: Certificate, game: Any, interpreted: bool | None, progress: Progress) -> Verdict:
    """Check a certificate on the cluster at this address. Its list is read and sorted here, and sent once to each machine.
    Raises the errors of the verifier, and `ParameterError` for certificates that are not checked state by state."""
    if (why := WHOLE.get(str(certificate.header.get("kind")))) is not None:
        raise ParameterError(f"{certificate.path}: {why}; `cluster` shares the states that certificates of other games list")
    shipped(type(game), rules_hash)  # first: a game that can't travel is refused before anything is done
    with connected(cluster) as library:

        def on_machines(argument: Argument, lows: Sequence[int]) -> Generator[Any]:
            for error in Tasks(library, _checked, Sent(argument, game), in_place=True).in_order(lows):
                if error is not None:
                    raise error  # in order: an earlier failure counts first
                yield None

        return verified(certificate, game, interpreted, progress, on_machines)


class Sent:
    """The data for each machine: the claims about the listed states, and the game in a form that the machine can rebuild."""

    def __init__(self, argument: Argument, game: Any):
        self._argument, listed = copy(argument), copy(argument.listed)
        self._argument.listed = listed
        for name in NOT_SENT:
            delattr(listed, name)
        self._game = shipped(type(game), rules_hash), tuple(game)

    @cached_property
    def argument(self) -> Argument:
        """In a process of the cluster, once: with rules that can be run."""
        game_class, parameters = self._game
        self._argument.listed.run(received(game_class, rules_hash)(*parameters))
        return self._argument


def _checked(sent: Sent, low: int) -> Exception | None:
    """In a process of the cluster: the error raised for the batch of states from this one on."""
    try:
        sent.argument.check(low)
    except Exception as error:
        return error
    return None

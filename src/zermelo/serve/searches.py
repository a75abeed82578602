"""The binary search game as the page plays it: a person guesses against the mixture that hides, or hides against the mixture that searches.

The games are those of `zermelo play` (games/binary_search_play.py). They are kept here: the page learns a hidden number only when it is
found, and the searcher's guesses only after the person has hidden a number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.errors import ParameterError
from zermelo.games.binary_search import BinarySearch
from zermelo.games.binary_search_play import ALICE, BOB, Round, Session
from zermelo.serve.sessions import Sessions
from zermelo.solution import MixedSolution

MOST_ROUNDS = 10_000  # of a session


def answer(sessions: Sessions[Session], solution: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """`{seat}` begins a session, `{session}` another game of it, `{session, number}` guesses or hides. Raises `ParameterError`."""
    if not is_played(solution):
        raise ParameterError("this game is not played by guessing a hidden number")
    name, number = asked.get("session"), asked.get("number")
    with sessions.lock:
        if name is None:
            name = sessions.add(Session(solution, _seat(asked.get("seat"))))
        session = sessions.find(name)
        if number is None:
            session.begin()  # an unfinished game does not count
        said = None if number is None else _played(session, number)
        return {"session": name, "said": said, **_seen(session)}


def is_played(solution: Any) -> bool:
    """Whether this game is played here."""
    return isinstance(solution, MixedSolution) and type(solution.game) is BinarySearch  # a subclass may pay otherwise


def _seat(seat: Any) -> int:
    if isinstance(seat, bool) or seat not in (ALICE, BOB):
        raise ParameterError("seat must be 0 (Alice, who hides) or 1 (Bob, who guesses)")
    return int(seat)


def _played(session: Session, number: Any) -> dict[str, Any]:
    """A guess and its answer, or a hidden number and how it was found."""
    if isinstance(number, bool) or not isinstance(number, int):
        raise ParameterError(f"number must be a whole number, not {str(number)[:40]!r}")
    if len(session.rounds) >= MOST_ROUNDS:
        raise ParameterError(f"{MOST_ROUNDS:,} games are enough for one session: begin a new one")
    if session.seat == ALICE:
        return {"ended": _ended(session.hide(number))}
    best = session.search.best()
    answer, cost = session.guess(number)
    ended = session.rounds[-1] if answer == "found" else None
    told = {"number": number, "answer": answer, "cost": float(cost), "best": best}
    return {**told, "ended": None if ended is None else _ended(ended)}


def _ended(game: Round) -> dict[str, Any]:
    """A finished game, with all that was hidden."""
    return {"secret": game.secret, "guesses": list(game.guesses), "cost": max(0.0, float(game.cost))}


def _seen(session: Session) -> dict[str, Any]:
    """The current knowledge of the person at `session.seat`, and the worth of each choice given that."""
    solution, search, rounds = session.solution, session.search, session.rounds
    paid = [len(game.guesses) for game in rounds]
    if session.seat == BOB:
        left = search.remaining()
        worth = [left + search.loss(number) for number in range(search.low, search.high + 1)]
        best = min(worth)
    else:
        worth = [session.paid[number] for number in range(1, session.n + 1)]
        best = max(*worth, solution.value)
    return {
        "seat": session.seat,
        "numbers": session.n,
        "low": search.low,
        "high": search.high,
        "paid": len(session.guessed),
        "worth": [float(value) for value in worth],  # of each number from low to high: guesses on average, from here on
        "costs": [float(abs(best - value)) for value in worth],
        "mixture": [float(solution.row.get(number, 0)) for number in range(1, session.n + 1)] if session.seat == ALICE else None,
        "value": float(solution.value),
        "exact": in_full(solution.value),
        "tally": {
            "games": len(rounds),
            "mean": sum(paid) / len(paid) if paid else None,
            "stake": session.stake,
            "account": session.account,
            "expected": float(session.expected),
            "cost": float(session.lost),
        },
    }


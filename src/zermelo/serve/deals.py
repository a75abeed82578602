"""Games with hidden information as the page plays them: a person sees what that player sees, and the other side plays the solution.
Matrix games, in which both choose at once, have the same requests (matrix_plays.py).

The plays are those of `zermelo play` (views/play_hidden.py). They are kept here until they are over, including the other side's cards.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from typing import Any

from zermelo.errors import ParameterError
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Action, Rules, State
from zermelo.serve.matrix_plays import MatrixPlay
from zermelo.serve.searches import is_played as is_searched
from zermelo.serve.sessions import Sessions
from zermelo.serve.tally import Tally, chosen, fraction_text
from zermelo.solution import HiddenSolution, MixedSolution, Solution
from zermelo.views.play_hidden import Session
from zermelo.views.play_mixed import Known


class Deal(Tally):
    """A sequence of plays by one person."""

    def __init__(self, solution: HiddenSolution, seat: int):
        super().__init__()
        self.session = Session(solution, seat)
        self.shown: list[str] = []  # what the person saw at each of their decisions

    def begin(self) -> None:
        self.session.errs, self.session.most = self.errs, self.most
        self.session.begin()
        self.shown, self.is_counted = [], False

    def act(self, place: Any) -> None:
        self.session.errs, self.session.most = self.errs, self.most
        legal = self.session.legal()
        action = legal[chosen(place, len(legal))]
        self.shown.append(self.session.shown())
        self.session.act(action)

    def undo(self) -> None:
        if self.session.undo():
            self.shown.pop()

    @property
    def is_over(self) -> bool:
        return self.session.is_over

    def result(self) -> float:
        return self.session.result

    def cost(self) -> float:
        return self.session.cost

    def seen(self) -> dict[str, Any]:
        session, rules = self.session, self.session.rules
        sign, value = 1 if session.seat == 0 else -1, self.session.solution.value
        steps = [{"text": text, "name": d.name, "loss": d.loss} for text, d in zip(self.shown, session.decisions, strict=True)]
        return {
            "seat": session.seat,
            "over": session.is_over,
            "text": rules.show(session.state) if session.is_over else session.shown(),
            **drawn(rules, session.state, None if session.is_over else session.seat),
            "actions": [] if session.is_over else _actions(session),
            "steps": steps,
            "paid": session.paid * sign,
            "result": session.result,
            "cost": session.cost,
            "value": float(value) * sign,
            "exact": fraction_text(value * sign),
            "tally": self.told(),
        }


def is_dealt(solution: Any) -> bool:
    """Whether this game is played here: with hidden information, or a matrix game (binary search has searches.py)."""
    return isinstance(solution, HiddenSolution) or (isinstance(solution, MixedSolution) and not is_searched(solution))


def answer(sessions: Sessions[Tally], solution: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """`{seat}` begins a session, `{session}` another play of it, `{session, action}` continues, `{session, undo}` goes back.

    `errs` and `most` make the other side weaker. Raises `ParameterError`.
    """
    if not is_dealt(solution):
        how = "hides nothing: ask for its positions" if isinstance(solution, Solution) else "is played by guessing: ask for a search"
        raise ParameterError(f"this game {how}")
    name, place = asked.get("session"), asked.get("action")
    errs, most = _share(asked.get("errs", 0)), _amount(asked.get("most", 0))
    with sessions.lock:
        is_new = name is None
        if is_new:
            seat = _seat(asked.get("seat"))
            name = sessions.add(_begun(sessions, solution, seat))
        play = sessions.find(name)
        play.errs, play.most = errs, most
        if place is not None:
            play.act(place)
        elif asked.get("undo") is True:
            play.undo()
        elif not is_new or errs:
            play.begin()
        play.count()
        return {"session": name, **play.seen()}


def _begun(sessions: Sessions[Tally], solution: Any, seat: int) -> Tally:
    if isinstance(solution, HiddenSolution):
        return Deal(solution, seat)
    sessions.shared = sessions.shared or Known(solution)
    return MatrixPlay(sessions.shared, seat)


def _seat(seat: Any) -> int:
    if isinstance(seat, bool) or seat not in (0, 1):
        raise ParameterError("seat must be 0 (the first player) or 1 (the second player)")
    return int(seat)


def _share(errs: Any) -> float:
    if isinstance(errs, bool) or not isinstance(errs, (int, float)) or not 0 <= errs <= 1:
        raise ParameterError("errs must be a number from 0 to 1, the share of decisions in which the other side errs")
    return float(errs)


def _amount(most: Any) -> float:
    if isinstance(most, bool) or not isinstance(most, (int, float)) or not 0 <= most < math.inf:
        raise ParameterError("most must be a number from 0 on, what an error costs at most")
    return min(float(most), 1e300)


def drawn(rules: Rules, state: State, seat: int | None) -> dict[str, Any]:
    """The picture of a state as a seat sees it (None: all of it), if the game draws that; or what is wrong with it."""
    try:
        found = rules.picture(state) if seat is None else rules.picture_for(seat, state)
    except Misdrawn as error:
        return {"misdrawn": f"There is no picture of this position: {error}."}
    return {} if found is None else {"picture": found}


def clicked(rules: Rules, state: State, action: Action) -> list[str]:
    """The places of the picture to click for an action; none if it is chosen from the list."""
    with contextlib.suppress(Misdrawn):  # faults are reported where rules are checked
        return rules.places(state, action)
    return []


def _actions(session: Session) -> list[dict[str, Any]]:
    """The person's actions, in the order of the rules: how often the solution takes each, and its worth."""
    hint = session.hint()
    known, name = [worth for _, _, worth in hint if worth is not None], session.rules.action_names(action for action, _, _ in hint)
    return [
        {
            "name": name[action],
            "share": share,
            "worth": worth,
            "loss": None if worth is None else max(0.0, max(known) - worth),
            "places": clicked(session.rules, session.state, action),
        }
        for action, share, worth in hint
    ]

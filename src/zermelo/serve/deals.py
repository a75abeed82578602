"""Games with hidden information as the page plays them: a person sees what his player sees, and the other side plays the solution.

The plays are those of `zermelo play` (views/play_hidden.py). They are kept here, cards of the other side and all, until they are over.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.errors import ParameterError
from zermelo.language.pictures import Misdrawn
from zermelo.language.rules import Action, Rules, State
from zermelo.serve.sessions import Sessions
from zermelo.solution import HiddenSolution
from zermelo.views.play_hidden import Session

SHORT = 16  # characters of a fraction that is shown
MOST_PLAYS = 10_000  # of a session


class Deal:
    """Plays of one person in a row."""

    def __init__(self, solution: HiddenSolution, seat: int):
        self.session = Session(solution, seat)
        self.shown: list[str] = []  # what the person saw at each of his decisions
        self.results: list[float] = []  # of the plays that were ended
        self.costs: list[float] = []  # of the mistakes in these
        self._is_counted = False

    def begin(self) -> None:
        """A new play; one that was not ended does not count."""
        self.session.begin()
        self.shown, self._is_counted = [], False

    def act(self, place: Any) -> None:
        """The person's action, by its place. Raises `ParameterError`."""
        legal = self.session.legal()
        if not legal:
            raise ParameterError("the play is over")
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < len(legal):
            raise ParameterError(f"an action is a whole number from 0 to {len(legal) - 1} here, not {str(place)[:40]!r}")
        self.shown.append(self.session.shown())
        self.session.act(legal[place])

    def undo(self) -> None:
        """Back to the person's decision before; a play that was counted already is not counted again."""
        if self.session.undo():
            self.shown.pop()

    def count(self) -> None:
        """Enter a play that is over into the tally, once."""
        if self.session.is_over and not self._is_counted:
            if len(self.results) >= MOST_PLAYS:
                raise ParameterError(f"{MOST_PLAYS:,} plays are enough for one session: begin a new one")
            self._is_counted = True
            self.results.append(self.session.result)
            self.costs.append(self.session.cost)


def answer(sessions: Sessions[Deal], solution: Any, asked: Mapping[str, Any]) -> dict[str, Any]:
    """`{seat}` begins a session, `{session}` another play of it, `{session, action}` goes on, `{session, undo}` goes back.

    `errs` and `most` make the other side weaker. Raises `ParameterError`.
    """
    if not isinstance(solution, HiddenSolution):
        raise ParameterError("this game hides nothing: ask for its positions")
    name, place = asked.get("session"), asked.get("action")
    errs, most = _share(asked.get("errs", 0)), _amount(asked.get("most", 0))
    with sessions.lock:
        is_new = name is None
        if is_new:
            name = sessions.add(Deal(solution, _seat(asked.get("seat"))))
        deal = sessions.find(name)
        deal.session.errs, deal.session.most = errs, most
        if place is not None:
            deal.act(place)
        elif asked.get("undo") is True:
            deal.undo()
        elif not is_new or errs:
            deal.begin()
        deal.count()
        return {"session": name, **_seen(deal)}


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


def _seen(deal: Deal) -> dict[str, Any]:
    """What the person may know now, and what each action is worth by that."""
    session, plays = deal.session, len(deal.results)
    rules, sign = session.rules, 1 if session.seat == 0 else -1
    steps = [
        {"text": text, "name": d.name, "loss": d.loss} for text, d in zip(deal.shown, session.decisions, strict=True)
    ]
    value = session.solution.value
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
        "exact": in_full(value * sign) if isinstance(value, Fraction) and len(in_full(value)) <= SHORT else None,
        "tally": {"plays": plays, "total": sum(deal.results), "cost": sum(deal.costs)},
    }


def drawn(rules: Rules, state: State, seat: int | None) -> dict[str, Any]:
    """The picture of a state as a seat sees it (None: all of it), if the game draws that; or what is wrong with it."""
    try:
        found = rules.picture(state) if seat is None else rules.picture_for(seat, state)
    except Misdrawn as error:
        return {"misdrawn": f"There is no picture of this position: {error}."}
    return {} if found is None else {"picture": found}


def clicked(rules: Rules, state: State, action: Action) -> list[str]:
    """The places of the picture that are clicked for an action; none where it is chosen from the list."""
    with contextlib.suppress(Misdrawn):  # what is wrong is said where rules are checked
        return rules.places(state, action)
    return []


def _actions(session: Session) -> list[dict[str, Any]]:
    """What the person can do, in the order of the rules: how often the solution does it, and what it is worth."""
    hint = session.hint()
    known = [worth for _, _, worth in hint if worth is not None]
    return [
        {
            "name": session.rules.action_name(action),
            "share": share,
            "worth": worth,
            "loss": None if worth is None else max(0.0, max(known) - worth),
            "places": clicked(session.rules, session.state, action),
        }
        for action, share, worth in hint
    ]

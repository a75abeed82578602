"""Blackjack in the browser (page/blackjack.html): the chart, any hand, and a trainer. Opened by `zermelo blackjack serve`.

POST /api/blackjack/table   {rules}                   the chart and the value of a round; a job, whose result names the table
POST /api/blackjack/hand    {table, cards, up, seen}  the value of every option of a hand
POST /api/blackjack/deal    {table, training}         a round; without a training, a new one begins
POST /api/blackjack/decide  {training, option}        play on: the cost of the decision, and the round after it
GET  /api/blackjack         the rules that can be chosen
"""

from __future__ import annotations

import itertools
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

from zermelo.basics.progress import Progress
from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import EMPTY, NAMES, hand_of, listed, total
from zermelo.games.blackjack.options import HandValues, Option, described, is_blackjack
from zermelo.games.blackjack.rules import Rules, check_rules
from zermelo.games.blackjack.strategy import MEANING, ROWS, UPS
from zermelo.games.blackjack.trainer import NOTHING_LOST, Decision, Round, Training
from zermelo.games.named import converted
from zermelo.language.parameters import fields
from zermelo.serve.api import AT_ONCE, Api, object_in
from zermelo.serve.shelf import field_as_data, in_form
from zermelo.serve.words import on_a_form

MOST_TABLES, MOST_TRAININGS = 8, 64  # kept at most; the least recently requested are forgotten first
MOST_ROUNDS = 10_000  # of a training
MOST_LETTERS = 400  # of typed cards
PAGE = "blackjack.html"
LEFT_OUT = ("shoe",)  # rules that the page does not offer


class Table(NamedTuple):
    """A table with its value."""

    analysis: Any
    best: Any  # the best simple strategy, evaluated


class BlackjackApi(Api):
    """The requests of the page; `given` are the initial rules that differ from the defaults."""

    def __init__(self, given: Mapping[str, Any] | None = None):
        super().__init__([])
        self.given = dict(given or {})
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._trainings: OrderedDict[str, Training] = OrderedDict()
        self._names = map(str, itertools.count(1))
        self._lock = threading.RLock()

    def _get(self, parts: list[str], query: Mapping[str, str]) -> Any:
        if parts == ["blackjack"]:
            asked = [f for f in fields(Rules) if f.name not in LEFT_OUT]
            return {"fields": [{**field_as_data(f), "given": in_form(f, self.given.get(f.name))} for f in asked]}
        return super()._get(parts, query)

    def _post(self, parts: list[str], body: bytes) -> Any:
        match parts:
            case ["blackjack", "table"]:
                return self._valued(_rules(self.given, object_in(body).get("rules")))
            case ["blackjack", "hand"]:
                return self._hand(object_in(body))
            case ["blackjack", "deal"]:
                return self._deal(object_in(body))
            case ["blackjack", "decide"]:
                return self._decide(object_in(body))
        return super()._post(parts, body)

    # --- a table --------------------------------------------------------------------------------------------------------------

    def _valued(self, rules: Rules) -> dict[str, Any]:
        def work(progress: Progress) -> dict[str, Any]:
            from zermelo.games.blackjack import analyse, best_strategy

            name = rules.text()  # includes everything that the page can choose
            with self._lock:
                known = self._tables.get(name)
            if known is None:
                progress("valuing every hand", 0, None)
                analysis = analyse(rules)
                known = Table(analysis, best_strategy(rules, progress))
            with self._lock:
                _keep(self._tables, name, known, MOST_TABLES)
            return _chart(name, known)

        job = self.jobs.start(work)
        job.over.wait(AT_ONCE)
        return {"progress": job.as_data(), "result": job.result}

    def _table(self, name: Any) -> Table:
        with self._lock:
            if not isinstance(name, str) or name not in self._tables:
                raise ParameterError("this table is not in memory (any more): choose its rules again")
            self._tables.move_to_end(name)
            return self._tables[name]

    # --- a hand ---------------------------------------------------------------------------------------------------------------

    def _hand(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        from zermelo.games.blackjack import analyse
        from zermelo.games.blackjack.shoes import rules_without

        analysis, seen = self._table(asked.get("table")).analysis, _typed(asked, "seen")
        cards, up = _typed(asked, "cards"), _typed(asked, "up")
        if seen:
            analysis = analyse(rules_without(analysis.rules, hand_of(seen)))
        found = analysis.hand(cards, up)
        return {
            **_worth(found),
            "described": described(hand_of(cards)),
            "blackjack": float(found.blackjack),
            "insurance": None if found.insurance is None else float(found.insurance),
            "conditional": found.conditional,
        }

    # --- the trainer ------------------------------------------------------------------------------------------------------------

    def _deal(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            name = asked.get("training")
            training = self._trainings.get(name) if isinstance(name, str) else None
            if training is None or training.analysis is not self._table(asked.get("table")).analysis:
                name, training = next(self._names), Training(self._table(asked.get("table")).analysis)
            if len(training.rounds) >= MOST_ROUNDS:
                raise ParameterError(f"a training session has at most {MOST_ROUNDS:,} rounds: begin a new one")
            _keep(self._trainings, name, training, MOST_TRAININGS)
            return {"training": name, **_round(training, training.deal())}

    def _decide(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            name = asked.get("training")
            training = self._trainings.get(name) if isinstance(name, str) else None
            if training is None:
                raise ParameterError("this training is over: deal again")
            turn = training.rounds[-1]
            if turn.hand is None:
                raise ParameterError("the round is over: deal again")
            values = turn.values()
            option = next((o for o in values.values if str(o) == asked.get("option")), None)
            if option is None:
                raise ParameterError(f"an option is one of {', '.join(map(str, values.values))} here")
            decision = turn.decide(option)
            return {"training": name, "decision": _judged(decision, values), **_round(training, turn)}


def _keep(kept: OrderedDict[str, Any], name: Any, value: Any, most: int) -> None:
    kept[name] = value
    kept.move_to_end(name)
    while len(kept) > most:
        kept.popitem(last=False)


def _rules(given: Mapping[str, Any], asked: Any) -> Rules:
    """The rules of a form. Raises `ParameterError`."""
    if asked is not None and not isinstance(asked, dict):
        raise ParameterError("rules must be a JSON object")
    by_name = {f.name: f for f in fields(Rules) if f.name not in LEFT_OUT}
    for name in asked or {}:
        if name not in by_name:
            raise ParameterError(f"there is no rule {name!r}; there are {', '.join(by_name)}")
    values = {n: converted(by_name[n], v) for n, v in (asked or {}).items() if v is not None and v != ""}
    try:
        return check_rules(Rules(**{**given, **values}))
    except ParameterError as error:
        raise ParameterError(on_a_form(str(error), by_name.values())) from None


def _typed(asked: Mapping[str, Any], name: str) -> str:
    """Cards that were typed."""
    text = asked.get(name) or ""
    if not isinstance(text, str) or len(text) > MOST_LETTERS:
        raise ParameterError(f"{name} must be cards such as 10 6, not {str(text)[:40]!r}")
    return text


# --- as data ------------------------------------------------------------------------------------------------------------------


def _chart(name: str, table: Table) -> dict[str, Any]:
    analysis, best = table.analysis, table.best
    cells = best.strategy.cells
    return {
        "table": name,
        "text": analysis.rules.text(),
        "value": float(analysis.value),
        "certified to": max(float(analysis.error), best.error),
        "by up card": {up: float(v) for up, v in analysis.by_up_card.items()},
        "chart value": best.value,
        "cost": best.cost,
        "ups": [NAMES[up] for up in UPS],
        "rows": [[*row.split(" "), list(cells[row])] for row in ROWS],
        "meaning": MEANING,
    }


def _worth(found: HandValues) -> dict[str, Any]:
    """Every option, the best first."""
    options = sorted(found.values, key=lambda o: (-found.values[o], o))
    values = [{"option": str(o), "value": float(found.values[o]), "cost": float(found.costs[o]), "best": o is found.best} for o in options]
    return {"hand": found.hand, "up": found.up, "values": values, "certified to": max(map(float, found.errors.values()))}


def _judged(decision: Decision, values: HandValues) -> dict[str, Any]:
    return {
        **_worth(values),
        "option": str(decision.option),
        "best": str(decision.best),
        "cost": decision.cost,
        "right": decision.cost <= NOTHING_LOST,
    }


def _round(training: Training, turn: Round) -> dict[str, Any]:
    """All that the player sees."""
    hands = [
        {
            "cards": [NAMES[r] for r in listed(hand.cards)],
            "says": described(hand.cards) if hand.points <= 21 else f"bust: {hand.points}",
            "bet": hand.bet,
            "active": hand is turn.hand,
        }
        for hand in turn.hands
    ]
    dealer = [NAMES[r] for r in listed(turn.dealer)]
    says = "blackjack" if is_blackjack(turn.dealer) else str(total(turn.dealer).points) if turn.dealer != EMPTY else ""
    return {
        "up": NAMES[turn.up],
        "dealer": dealer,
        "dealer says": says if turn.result is not None else "",
        "hands": hands,
        "options": [str(o) for o in Option if o in turn.values().values] if turn.hand is not None else [],
        "result": turn.result,
        "score": {
            "rounds": sum(r.result is not None for r in training.rounds),
            "won": training.won,
            "decisions": len(training.decisions),
            "mistakes": len(training.mistakes),
            "cost": sum(d.cost for d in training.mistakes),
        },
    }

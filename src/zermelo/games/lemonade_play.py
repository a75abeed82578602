"""Lemonade Stand for several people around one keyboard, day by day as in 1979: everybody has a stand, the weather is the same for all.

The rules are those of lemonade.py, whose tests compare them with the listing, with independent random numbers; the texts are our own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.basics.parameters import whole
from zermelo.games.lemonade import (
    CHANGES,
    CLOUDY,
    STREET,
    SUNNY,
    WEATHERS,
    LemonadeStand,
    State,
    cost,
    dollars,
    forecast_name,
    tenths,
)
from zermelo.games.lemonade_day import SIGN, demand
from zermelo.solution import Solution

MOST_PLAYERS = 30  # as in 1979
STORM = 0.25  # of cloudy days
HELP = """Type glasses, signs and the price in cents, as in 74 3 12. h: advice. ?: this text. q: stop."""
RULES = f"""Every morning you hear the forecast, and say how many glasses of lemonade to make (up to 1000), how many signs to put up (up
to 50, {SIGN} cents each), and what a glass shall cost (up to 100 cents). What isn't sold is poured away."""
Action = tuple[int, int, int]


class Sale(NamedTuple):
    """The result of one stand on one day."""

    player: int  # from 1
    decision: Action
    sold: int
    expense: int  # cents
    revenue: int
    assets: int  # in the evening


class Day(NamedTuple):
    """A day that is over: its weather, and what each stand sold."""

    day: int
    weather: str
    storm: bool
    sales: tuple[Sale, ...]


class Stands:
    """Some stands, the day, and the weather."""

    def __init__(self, game: LemonadeStand, players: int, seed: int | None = None):
        self.game, self.random = game, random.Random(seed)
        self.assets = [game.assets] * whole("players", players, 1, MOST_PLAYERS)
        self.day = game.first_day
        self.weather = self._forecast()
        self.past: list[Day] = []

    def _forecast(self) -> int:
        forecasts = range(SUNNY, WEATHERS)
        return self.random.choices(forecasts, [self.game.forecast(self.day, weather) for weather in forecasts])[0]

    @property
    def is_over(self) -> bool:
        """Whether the last day is over, or nobody is left in business."""
        return self.day > self.game.last_day() or not self.open()

    def open(self) -> list[int]:
        """The players who are not bankrupt, from 0."""
        return [i for i, cents in enumerate(self.assets) if cents > self._lost_below()]

    def bankrupt(self) -> list[int]:
        """All others."""
        return sorted(set(range(len(self.assets))) - set(self.open()))

    def _lost_below(self) -> int:
        return cost(self.past[-1].day) if self.past else -1

    def morning(self, player: int) -> State:
        """The morning as the rules see it, for one player."""
        return State(self.day, self.weather, self.assets[player])

    def sell(self, decisions: dict[int, Action]) -> Day:
        """The day, with the decisions of all who are open; the next morning comes."""
        storm = self.weather >= CLOUDY and self.random.random() < STORM
        sales = []
        for player, (glasses, signs, price) in sorted(decisions.items()):
            sold = 0 if storm else min(glasses, demand(tenths(self.morning(player)), signs, price))
            expense, revenue = cost(self.day) * glasses + SIGN * signs, sold * price
            self.assets[player] += revenue - expense
            sales.append(Sale(player + 1, (glasses, signs, price), sold, expense, revenue, self.assets[player]))
        self.past.append(Day(self.day, forecast_name(State(self.day, self.weather, 0)), storm, tuple(sales)))
        self.day += 1
        if not self.is_over:
            self.weather = self._forecast()
        return self.past[-1]

    def as_data(self) -> dict[str, Any]:
        """The whole game as data, for machines; assets in cents."""
        days = [{**day._asdict(), "sales": [sale._asdict() for sale in day.sales]} for day in self.past]
        return {"players": len(self.assets), "days": days, "assets": self.assets, "bankrupt": [i + 1 for i in self.bankrupt()]}


def converse(solution: Solution, players: int, seed: int | None, read: Callable[[str], str], write: Callable[..., None]) -> dict[str, Any]:
    """Play in the terminal until the last day, until all are bankrupt, or until somebody leaves. Returns the days as data."""
    stands = Stands(solution.game, players, seed)
    whose = "Your stand, with" if players == 1 else f"{players} stands, each with"
    write(f"{whose} {dollars(solution.game.assets)}, for {solution.game.days} days.")
    write(RULES)
    write(HELP)
    try:
        while not stands.is_over:
            _tell_morning(stands, write)
            decisions = {player: _asked(solution, stands, player, read, write) for player in stands.open()}
            _tell_evening(stands, stands.sell(decisions), write)
    except (EOFError, KeyboardInterrupt, _Leaves):
        write()
    best = max(stands.assets)
    for player, cents in enumerate(stands.assets):
        crown = ", the most" if players > 1 and cents == best else ""
        write(f"{_name(stands, player)} {'has' if players > 1 else 'have'} {dollars(cents)}{crown}.")
    return stands.as_data()


class _Leaves(Exception):
    """A player has left."""


def _name(stands: Stands, player: int) -> str:
    return "You" if len(stands.assets) == 1 else f"Player {player + 1}"


def _tell_morning(stands: Stands, write: Callable[..., None]) -> None:
    game, day = stands.game, stands.day
    write(f"\nDay {day}, {forecast_name(State(day, stands.weather, 0))}. A glass costs {cost(day)} cents to make.")
    if day > game.first_day and cost(day) != cost(day - 1):
        write("The sugar from home has come to an end." if cost(day) == cost(3) else "Lemonade powder has become dearer.")
    if stands.weather == STREET:
        write("Workers have dug up the street: hardly anybody will pass.")
    elif day > CHANGES and stands.weather != SUNNY and stands.weather < CLOUDY:
        write("A heat wave: everybody is thirsty.")


def _asked(solution: Solution, stands: Stands, player: int, read: Callable[[str], str], write: Callable[..., None]) -> Action:
    morning = stands.morning(player)
    name = f"player {player + 1}, " if len(stands.assets) > 1 else ""
    while True:
        line = read(f"{name}{dollars(morning.assets)} > ").strip()
        if line in ("q", "quit"):
            raise _Leaves
        if line in ("?", "help"):
            write(RULES + "\n" + HELP)
        elif line in ("h", "hint"):
            write(_advice(solution, morning))
        elif found := re.fullmatch(r"(\d{1,6})[ ,]+(\d{1,6})[ ,]+(\d{1,6})", line):
            action = (int(found[1]), int(found[2]), int(found[3]))
            if not (why := stands.game.why_not(morning, action)):
                return action
            write(f"not possible: {why}")
        else:
            write(f"{line!r} is not understood; type three numbers, as in 74 3 12, or ? for help")


def _advice(solution: Solution, morning: State) -> str:
    """What earns most on average in the days that are left, and how much that is."""
    state = morning._replace(assets=min(morning.assets, solution.game.most()))
    action = solution.best_action(state)
    return f"advice: {solution.rules.action_name(action)} ({' '.join(map(str, action))})"


def _tell_evening(stands: Stands, day: Day, write: Callable[..., None]) -> None:
    if day.storm:
        write("A thunderstorm breaks over the town, and all that was made is washed away.")
    for sale in day.sales:
        who = _name(stands, sale.player - 1)
        glasses = f"{sale.sold} of {sale.decision[0]} glasses sold at {sale.decision[2]} cents"
        account = f"{dollars(sale.revenue)} came in, {dollars(sale.expense)} went out"
        write(f"{who}: {glasses}; {account}; now {dollars(sale.assets)}.")
        if sale.player - 1 in stands.bankrupt():
            write(f"{who} can't make another glass: bankrupt.")

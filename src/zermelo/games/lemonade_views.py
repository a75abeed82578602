"""Tables and pictures of Lemonade Stand: the best single day, the best plan for many days, and where it leads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.words import game_in_words, no_such
from zermelo.errors import ParameterError
from zermelo.games.lemonade import (
    CHANGES,
    CLOUDY,
    EVENING,
    FIRST,
    MOST_EXPECTED,
    NEXT_DAY,
    OFFERS,
    SUNNY,
    WEATHERS,
    State,
    cost,
    dollars,
    forecast_name,
    market,
)  # fmt: skip
from zermelo.games.lemonade_day import COSTS, Day, best_day, offers
from zermelo.games.lemonade_day import WEATHERS as DAYS
from zermelo.solution import Solution
from zermelo.uses.probabilities import Distribution
from zermelo.views.slices import NO_FIX, Fix, View, box_of, sampled
from zermelo.views.table import BAR, Cell, Table, plain, thinned
from zermelo.views.words import finding

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ASSETS = (200, 500, 1000, 2000)  # cents, of the table of best days
SAMPLED = 24  # rows of a plan
MOST_PROFIT = max(revenue - expense for expense, revenue, *_ in OFFERS)  # of a day, in cents
LINES = 22  # of a distribution
MOST_SHOWN = 701  # cents, where pictures end
QUANTILES = (0.01, 0.1, 0.5, 0.9, 0.99)


# --- the plan ---------------------------------------------------------------------------------------------------------


class Chosen(NamedTuple):
    """The plan's decisions on a morning with a range of assets; int64 arrays by assets in cents."""

    offer: np.ndarray  # its place in OFFERS
    expense: np.ndarray
    revenue: np.ndarray  # without a storm


@lru_cache(maxsize=4)
def _positions(solution: Solution) -> np.ndarray:
    """Which of the actions is best: [day, weather, assets]."""
    return box_of(solution, solution.action_numbers, -1)


def plan(solution: Solution, day: int, weather: int, assets: np.ndarray) -> Chosen:
    """The optimal policy's decisions with these assets in cents (int64[n], as many as there may be); see `LemonadeStand.actions`."""
    game, at = solution.game, market(State(day, weather, 0))
    table = np.array(OFFERS)
    told = np.minimum(assets, game.most())
    if weather >= CLOUDY:
        hedged = FIRST[at] + _positions(solution)[day, weather, told]
        chosen = np.where(told >= game.enough(day), MOST_EXPECTED[at], hedged)
    else:
        chosen = FIRST[at] + np.searchsorted(table[FIRST[at] : FIRST[at + 1], 0], told, side="right") - 1
    return Chosen(chosen, table[chosen, 0], table[chosen, 1])


def day_by_day(s: State) -> tuple[int, int, int]:
    """The simple policy: every morning the best single day, as if none came after."""
    if s.weather == EVENING:
        return NEXT_DAY
    at, storms = market(s), 1 if s.weather >= CLOUDY else 0
    possible = [o for o in OFFERS[FIRST[at] : FIRST[at + 1]] if o[0] <= s.assets]
    return max(possible, key=lambda o: ((4 - storms) * o[1] - 4 * o[0], -o[0]))[2:]  # type: ignore[return-value]


# --- where it leads ---------------------------------------------------------------------------------------------------


class Future(NamedTuple):
    """The development of the assets under the optimal policy."""

    evenings: tuple[Distribution, ...]  # of the assets, from the start on; a bankrupt player keeps what is left
    bankrupt: float  # probability


@lru_cache(maxsize=4)
def future(solution: Solution) -> Future:
    """The assets on every evening: all plays at once, in true assets even where states do not distinguish them."""
    game = solution.game
    going, over = np.zeros(game.assets + 1), np.zeros(game.assets + 1)
    going[game.assets] = 1.0
    evenings, rounding = [_spread(game, game.first_day - 1, going, 0.0)], 0.0
    for day in range(game.first_day, game.last_day() + 1):
        going, parts = _next_evening(solution, day, going)
        rounding += (parts + 4) * np.finfo(float).eps
        size = max(len(going), len(over))
        going, over = (np.pad(each, (0, size - len(each))) for each in (going, over))
        evenings.append(_spread(game, day, going + over, rounding))
        over[: cost(day) + 1] += going[: cost(day) + 1]
        going[: cost(day) + 1] = 0.0
    return Future(tuple(evenings), min(1.0, float(over.sum())))


def _next_evening(solution: Solution, day: int, before: np.ndarray) -> tuple[np.ndarray, int]:
    """The probabilities of assets after one more day, and how many were added up for one of them at most."""
    assets = np.flatnonzero(before)
    size = len(before) + MOST_PROFIT
    after, added = np.zeros(size), np.zeros(size, np.int64)
    for weather in range(SUNNY, WEATHERS):
        share = solution.game.forecast(day, weather) / 100
        if share > 0:
            _, expense, revenue = plan(solution, day, weather, assets)
            storm = 0.25 if weather >= CLOUDY else 0.0
            for gain, part in ((revenue - expense, 1 - storm), (-expense, storm)):
                if part > 0:
                    after += np.bincount(assets + gain, before[assets] * (share * part), size)
                    added += np.bincount(assets + gain, minlength=size)
    used = int(np.flatnonzero(after).max(initial=0)) + 1  # nobody may be left
    return after[:used], int(added.max())


def _spread(game: Any, day: int, probabilities: np.ndarray, rounding: float) -> Distribution:
    at = np.flatnonzero(probabilities)
    of = f"the assets of {game_in_words(game)} on the evening of day {day}"
    return Distribution(of, at, probabilities[at], 0.0, np.inf, 0.0, rounding, 2 * (day - game.first_day + 1))


# --- tables -----------------------------------------------------------------------------------------------------------


def day_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The best decision for a single day, for every weather and cost, with several assets or those of `fix`."""
    _check(fix, ("assets", "cost"), "day")
    costs, assets = _one(fix, "cost", COSTS), _one(fix, "assets", ASSETS)
    rows: list[tuple[Cell, ...]] = []
    days: list[dict[str, Any]] = []
    for weather in DAYS:
        for each in costs:
            found = [best_day(cents, each, weather) for cents in assets]
            rows.append((weather, each, *(_day_text(day) for day in found)))
            days += [
                {"weather": weather, "cost": each, "assets": a, **_as_data(d)}
                for a, d in zip(assets, found, strict=True)
            ]
    columns = ("weather", "a glass costs", *(f"with {dollars(cents)}" for cents in assets))
    notes = (
        "glasses, signs, price in cents, and the profit that they bring on average, storms included",
        "--fix assets=N --fix cost=N",
    )
    return Table("The best single day at the stand", columns, tuple(rows), notes, data={"days": days})


def _one(fix: Fix, name: str, usual: tuple[int, ...]) -> tuple[int, ...]:
    return (fix[name],) if name in fix else usual


def _day_text(day: Day) -> str:
    return f"{day.glasses} {day.signs} {day.price}: {float(day.expected):g}"


def _as_data(day: Day) -> dict[str, Any]:
    return {name: plain(value) for name, value in day._asdict().items()}


def _check(fix: Fix, known: tuple[str, ...], view: str) -> None:
    for name in fix:
        if name not in known:
            raise ParameterError(no_such("field", name, known, f"the view {view}"))


def the_day(solution: Solution, fix: Fix, view: str) -> int:
    """The day that `fix` names, else the first on which all kinds of weather are possible, if there is one."""
    _check(fix, ("day",), view)
    game = solution.game
    day = fix.get("day", min(max(game.first_day, CHANGES + 2), game.last_day()))
    if not game.first_day <= day <= game.last_day():
        raise ParameterError(f"day must be from {game.first_day} to {game.last_day()}, not {day}")
    return day


def forecasts(game: Any, day: int) -> list[int]:
    """The weathers that are possible on a day."""
    return [w for w in range(SUNNY, WEATHERS) if game.forecast(day, w) > 0]


def plan_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """What to do on one morning, by assets and weather."""
    return thinned(lambda limit: _plan_table(solution, fix, limit), SAMPLED)


def _plan_table(solution: Solution, fix: Fix, limit: int) -> Table:
    day = the_day(solution, fix, "plan")
    game, weathers = solution.game, forecasts(solution.game, day)
    every = np.arange(cost(day) + 1, game.enough(day) + 1)
    plans = [plan(solution, day, weather, every) for weather in weathers]
    changes = [np.flatnonzero(np.diff(chosen.offer)) for chosen in plans]
    last = max(int(change[-1]) + 1 if len(change) else 0 for change in changes)  # nothing changes any more
    assets, note = sampled(every[: last + 1], limit)
    cells, careful = [], set()
    for j, (weather, chosen) in enumerate(zip(weathers, plans, strict=True)):
        cells.append([" ".join(map(str, OFFERS[chosen.offer[a - every[0]]][2:])) for a in assets])
        is_less = is_careful(day, weather, every, chosen)
        careful |= {(i, j + 1) for i, a in enumerate(assets) if is_less[a - every[0]]}
    rows = tuple((dollars(int(a)), *(column[i] for column in cells)) for i, a in enumerate(assets))
    columns = ("assets", *(forecast_name(State(day, w, 0)).replace(", with a chance of", "") for w in weathers))
    notes = ["glasses, signs, price in cents; with more assets nothing changes", "another day: --fix day=N"]
    notes += [f"{note} of the assets"] if note else []
    mark = "less profit expected today than possible, for fear of what a storm would leave"
    title = f"{game_in_words(game)}: what to do on the morning of day {day}"
    return Table(title, columns, rows, tuple(notes), frozenset(careful), mark if careful else "")


def is_careful(day: int, weather: int, assets: np.ndarray, chosen: Chosen) -> np.ndarray:
    """bool[n]: does the plan expect less profit of this day than the best single day would bring?"""
    storms = 1 if weather >= CLOUDY else 0
    at = market(State(day, weather, 0))
    table = np.array(OFFERS[FIRST[at] : FIRST[at + 1]])
    most = np.maximum.accumulate((4 - storms) * table[:, 1] - 4 * table[:, 0])
    possible = most[np.searchsorted(table[:, 0], assets, side="right") - 1]
    return (4 - storms) * chosen.revenue - 4 * chosen.expense < possible


def assets_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The assets in the end under optimal play: the distribution."""
    found = future(solution)
    last = found.evenings[-1]
    lines = list(_lines(last))
    most = max(p for _, p, _ in lines)
    rows = tuple((name, 100 * p, 100 * so_far, "█" * round(BAR * p / most)) for name, p, so_far in lines)
    notes = (last.in_words(), f"bankrupt with probability {found.bankrupt:.3g}")
    data = {
        "mean": last.mean,
        "standard deviation": last.standard_deviation,
        "assets": last.support,
        "probabilities": last.probabilities,
        "errors": last.errors,
        "bankrupt": found.bankrupt,
    }
    title = f"{game_in_words(solution.game)}: cents in the end"
    return Table(title, ("assets", "%", "so far", ""), rows, notes, decimals=3, data=data)


def _lines(spread: Distribution) -> Iterator[tuple[str, float, float]]:
    bins = spread.bins(LINES)
    less = spread.at_most(bins[0][0] - 1)
    if less > 0:
        yield f"less than {bins[0][0]}", less, less
    for low, high, probability in bins:
        yield str(low) if low == high else f"{low} to {high}", probability, spread.at_most(high)
    if spread.at_least(bins[-1][1] + 1) > 0:
        yield f"more than {bins[-1][1]}", spread.at_least(bins[-1][1] + 1), 1.0


TABLES = {
    "plan": View("what to do on one morning, by assets and weather", plan_table, takes_fix=("day",)),
    "day": View("the best single day, by weather, cost and assets", day_table, takes_fix=("assets", "cost")),
    "assets": View("the assets at the end: the distribution", assets_table),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def assets_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left: how the assets grow, day by day. Right: the assets in the end."""
    from zermelo.views.plot import BLUE, INK, ORANGE, SKY, canvas

    found = future(solution)
    about = f"{game_in_words(solution.game)}; bankrupt with probability {found.bankrupt:.3g}"
    figure, (left, right) = canvas(finding(solution), 12, 5, 1, 2, about)
    days = [solution.game.first_day - 1 + i for i in range(len(found.evenings))]
    lines = [[e.quantile(q) / 100 for e in found.evenings] for q in QUANTILES]
    left.fill_between(days, lines[0], lines[4], color=SKY, alpha=0.3, linewidth=0, label="98 % of plays")
    left.fill_between(days, lines[1], lines[3], color=SKY, alpha=0.7, linewidth=0, label="80 % of plays")
    left.plot(days, lines[2], color=BLUE, label="median", marker="o" if len(days) < 40 else "", markersize=3)
    left.set(xlabel="day (evening)", ylabel="assets in dollars", ylim=(0, None))
    left.xaxis.get_major_locator().set_params(integer=True)
    left.set_title("assets, day by day", loc="left")
    left.legend(frameon=False, loc="upper left")
    last = found.evenings[-1]
    bars = last.bins(60)
    width = (bars[0][1] - bars[0][0] + 1) / 100
    right.bar([(low + high) / 200 for low, high, _ in bars], [100 * p for *_, p in bars], 0.92 * width, color=BLUE)
    right.axvline(last.mean / 100, color=ORANGE, linewidth=1.2)
    right.annotate(
        f" mean {dollars(round(last.mean))}",
        (last.mean / 100, 0.97),
        xycoords=("data", "axes fraction"),
        color=INK,
        va="top",
    )
    if len(bars) == 1:  # else it fills the panel, with hundredths of a cent below
        right.set(xlim=[last.mean / 100 + side * 5 * width for side in (-1, 1)], ylim=(0, 118))
    right.set(xlabel="assets at the end, dollars", ylabel=f"% of plays, by {dollars(round(100 * width))}")
    right.set_title("assets at the end", loc="left")
    return figure


def worth_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left: the profit still to come, by assets, on several evenings. Right: the amount spent on cloudy mornings of a day."""
    from zermelo.views.plot import MAP, canvas, shades

    game, day = solution.game, the_day(solution, fix, "worth")
    figure, (left, right) = canvas("Money is worth something only to those who have little", 12, 5, 1, 2, game_in_words(game))
    value = box_of(solution, solution.values, np.nan)
    shown = np.unique(np.linspace(game.first_day - 1, game.last_day() - 1, 7).astype(int))
    for evening, colour in zip(shown, shades(len(shown)), strict=True):
        assets = np.arange(cost(max(evening, 1)) + 1, min(game.most(), MOST_SHOWN))
        profit = value[evening, EVENING, assets] - (assets if evening < game.first_day else 0)
        left.plot(assets / 100, profit / 100, color=colour)
        _label(left, f"after day {evening}", assets[-1], profit[-1], colour)
    left.set(xlabel="assets in dollars", ylabel="profit still to come, dollars", xlim=(0, None), ylim=(0, None))
    left.set_title("profit to come: flat where money is no limit", loc="left")
    cloudy = [w for w in forecasts(game, day) if w >= CLOUDY]
    assets = np.arange(cost(day) + 1, min(game.most(), MOST_SHOWN))
    if cloudy:
        spent = np.array([plan(solution, day, weather, assets).expense for weather in cloudy]) / 100
        extent = ((assets[0] - 0.5) / 100, (assets[-1] + 0.5) / 100, -0.5, len(cloudy) - 0.5)
        image = right.imshow(spent, origin="lower", aspect="auto", extent=extent, cmap=MAP, interpolation="nearest", vmin=0)
        figure.colorbar(image, ax=right, label="spent on glasses and signs, dollars")
        rain = [forecast_name(State(day, w, 0)).replace("cloudy, with a chance of ", "").replace(" of", "") for w in cloudy]
        right.set_yticks(range(len(cloudy)), rain)
    else:
        right.set_axis_off()
    right.set(xlabel="assets in dollars")
    none = "" if cloudy else ": there are none"
    right.set_title(f"what is spent on cloudy mornings of day {day}{none}", loc="left")
    return figure


def _label(axes: Axes, text: str, x: float, y: float, colour: Any) -> None:
    axes.annotate(f" {text}", (x / 100, y / 100), color=colour, va="center", fontsize=9, annotation_clip=False)


def day_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The most profit that a single day can bring on average, by assets, for every weather and cost."""
    from zermelo.views.plot import BLUE, GREEN, GREY, ORANGE, RED, SKY, canvas

    figure, panels = canvas("The best single day: profit on average", 13, 4.8, 1, len(COSTS), sharey=True)
    colours = {"sunny": ORANGE, "hot": RED, "street": GREY, "cloudy30": BLUE, "cloudy50": SKY, "cloudy70": GREEN}
    for axes, each in zip(panels, COSTS, strict=True):
        for name, colour in colours.items():
            weather = DAYS[name]
            rain = name.removeprefix("cloudy")
            label = "street work" if name == "street" else name if rain == name else f"cloudy, {rain} % rain"
            known = offers(weather.tenths, each)
            gain = np.maximum.accumulate([(4 - weather.storms) * o.revenue - 4 * o.expense for o in known]) / 400
            spent = [o.expense / 100 for o in known]
            axes.step([*spent, 7], [*gain, gain[-1]], where="post", color=colour, label=label, linewidth=1.4)
        axes.set(xlabel="assets in dollars")
        axes.set_title(f"a glass costs {each} cents", loc="left")
        axes.grid(alpha=0.25)
    panels[0].set(ylabel="profit, dollars")
    panels[-1].legend(frameon=False, fontsize=9, loc="upper right")
    return figure


FIGURES = {
    "assets": View("how the assets grow, and what they are at the end", assets_figure),
    "worth": View("what money is worth by assets and days left, and what is risked", worth_figure, takes_fix=("day",)),
    "day": View("the best single day, by weather, cost and assets", day_figure),
}

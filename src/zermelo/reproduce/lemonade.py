"""Published numbers about Lemonade Stand."""

from __future__ import annotations

from typing import Any

from zermelo.games import LemonadeStand
from zermelo.games.lemonade import HOT, WEATHERS, State
from zermelo.games.lemonade_day import best_day
from zermelo.reproduce.claim import Bench, Claim, Tally, tally
from zermelo.reproduce.printed_lemonade import DAYS

POST = "Possibly Wrong 2024, Lemonade Stand"
ASSETS = {1: "581.0000000000", 2: "962.0000000000", 4: "1431.4900000000", 5: "1691.7300000000", 7: "2162.0299950000",
          8: "2372.0899934575", 10: "2792.2099927538"}  # fmt: skip


def hot_day(bench: Bench) -> str:
    day = best_day(200, 2, "hot")
    return f"{day.glasses} {day.signs} {day.price}: {day.profit}"


def in_the_modified_copy(bench: Bench) -> str:
    """The profit of the plan for a hot day on the first day there, when the forecast has no effect."""
    game, morning = LemonadeStand(modified=True), State(1, HOT, 200)
    ((_, _, evening),) = game.outcomes(morning, (74, 3, 12))
    profit = evening.assets - morning.assets
    return f"{(profit + 74 * 2 + 3 * 15) // 12} sold: {profit}"


def days_of_sun(bench: Bench) -> int:
    """Days from the first on for which only sunshine can be forecast; work in the street comes with it."""
    game = LemonadeStand()
    return next(d for d in range(1, 100) if game.forecast(d, HOT) > 0) - 1


def weather(modified: bool) -> Any:
    """Percentages of sunny, cloudy and hot forecasts once all of these occur."""

    def compute(bench: Bench) -> str:
        ways = [LemonadeStand(modified=modified).forecast(4, w) for w in range(WEATHERS)]
        hot = ways[HOT]
        cloudy = sum(ways[HOT + 2 :])
        return f"{100 - hot - cloudy} {cloudy} {hot}"

    return compute


def single_days(bench: Bench) -> Tally:
    pairs = []
    for line in DAYS.strip().splitlines()[1:]:
        where, text = line.split(": ")
        name, each, cents = where.split()
        found = best_day(int(cents), int(each), name)
        pairs.append((where, text, " ".join(map(str, found))))
    return tally(pairs)


def many_days(bench: Bench) -> Tally:
    return means(bench, ASSETS)


def means(bench: Bench, assets: dict[int, str]) -> Tally:
    return tally([(f"{days} days", text, bench.solve(LemonadeStand(days)).value) for days, text in assets.items()])


def ten_days(bench: Bench) -> Any:
    return bench.solve(LemonadeStand(10)).value


CLAIMS = (
    Claim("lemonade.hot", "lemonade", POST, "the best hot day with $2.00: glasses, signs, price, profit", "74 3 12: 695", hot_day),
    Claim("lemonade.37", "lemonade", POST, "the same on day 1 of the modified copy", "37 sold: 251", in_the_modified_copy),
    Claim("lemonade.release", "lemonade", POST, "% sunny, cloudy, hot: first release", "60 20 20", weather(False)),
    Claim("lemonade.modified", "lemonade", POST, "% sunny, cloudy, hot: modified copy", "40 30 30", weather(True)),
    Claim(
        "lemonade.sunny", "lemonade", POST, "days that must be sunny", "2", days_of_sun, "3",
        "the test D < 3 comes before the day D is counted up (listing of 1979, lines 460 and 510); after it, two days would pass",
        lambda bench: sum(day < 3 for day in range(1, 13)),
    ),
    Claim("lemonade.days", "lemonade", "this project's lemonade.json", "the best single day", "64 decisions", single_days),
    Claim("lemonade.many", "lemonade", "this project's lemonade_multiday.json", "mean of the assets after 1 to 10 days",
          "7 means", many_days),
    Claim("lemonade.ten", "lemonade", "this project's lemonade_multiday.json", "the same, 10 days", "2792.2099927538", ten_days),
)  # fmt: skip

"""Lemonade Stand, the game of 1979 for the Apple II: choose glasses, signs and a price every morning.

Jamison 1973, Kellner 1979 (the listing LEMONADE STAND); Possibly Wrong 2024 ("Lemonade Stand") on its two versions.
The result of one day's decision is in lemonade_day.py, together with the few decisions that can be best.

Every number here is a whole number of cents. Differences from the listing: random numbers are independent of each other
(its call of RND(-1), on days with work in the street, makes the generator start over, and all later weather follows from
that), and money is counted exactly (it adds a millionth of a thousandth of a dollar each day against rounding).
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.lemonade_day import (
    CHANCES,
    COSTS,
    MARKETS,
    MOST_GLASSES,
    MOST_PRICE,
    MOST_SIGNS,
    SIGN,
    demand,
    most_expected,
    offers,
)

EVENING, SUNNY, HOT, STREET, CLOUDY = range(5)  # CLOUDY + i: a chance of 30 + 10 i % of rain
WEATHERS = CLOUDY + len(CHANCES)
CHANGES = 2  # days on which the weather does not change sales yet
NEXT_DAY = (-1, -1, -1)  # the only action in the evening

# All offers, one market and cost after the other, cheapest first.
OFFERS = tuple(tuple(offer) for tenths in MARKETS for cost in COSTS for offer in offers(tenths, cost))
COUNTS = tuple(len(offers(tenths, cost)) for tenths in MARKETS for cost in COSTS)
FIRST = tuple(sum(COUNTS[:k]) for k in range(len(COUNTS) + 1))
STORMY = {10, *(10 - chance // 10 for chance in CHANCES)}  # markets of cloudy days; 10 on days that change nothing
MOST_EXPECTED = tuple(  # where in OFFERS the most profit is expected if it may storm
    FIRST[len(COSTS) * i + j] + offers(tenths, cost).index(most_expected(tenths, cost, 1))
    for i, tenths in enumerate(MARKETS)
    for j, cost in enumerate(COSTS)
)
NEEDED = max(OFFERS[end - 1][0] for end in FIRST[1:]) + max(COSTS)  # cents that are enough for any decision on any day
RISKED = tuple(  # cents that the plan with the most profit expected may lose in a storm, by cost
    max(most_expected(tenths, cost, 1).expense for tenths in MARKETS if tenths in STORMY) for cost in COSTS
)


class State(NamedTuple):
    day: Annotated[int, "the day; 0 before the first"]
    weather: Annotated[int, "0 evening, 1 sunny, 2 hot, 3 work in the street, from 4 on cloudy"]
    assets: Annotated[int, "cents; the greatest number stands for all from there on"]


class LemonadeStand(NamedTuple):
    """Sell lemonade for some days. Each morning you hear the forecast, make glasses and advertising signs, and set a price.

    A glass costs 2 cents to make, 4 from the third and 5 from the seventh day on; a sign costs 15. What isn't sold is
    lost, and so is everything in a thunderstorm, on one cloudy day in four. In the evening you are bankrupt if you have no
    more than the cost of a glass. The value is the average amount that you have in the end, in cents.

    The first release is sunny for three days, then sunny, cloudy or hot with probability 60, 20 and 20 %. The modified copy
    that the Internet Archive shows has 40, 30 and 30 % from the first day on, but nothing changes sales on the first two
    days; only thunderstorms come. `other_odds` and `any_start` are these two changes, each by itself. From the third day on
    there is work in the street on a quarter of the sunny days.
    """

    days: Annotated[int, "days to play", range(1, 100)] = 10
    assets: Annotated[int, "cents to begin with", range(4001)] = 200
    first_day: Annotated[int, "the day on which play begins", range(1, 100)] = 1
    modified: Annotated[bool, "the weather of the modified copy: both of its changes"] = False
    other_odds: Annotated[bool, "of the modified copy only the other odds of sun, clouds and heat"] = False
    any_start: Annotated[bool, "of the modified copy only that the first days need not be sunny"] = False

    def title(self) -> str:
        changes = (self.modified, self.other_odds, self.any_start)
        copy = ", the modified copy" if self.modified else ", a part of the modified copy" if any(changes) else ""
        begin = "" if self.first_day == 1 else f" from day {self.first_day}"
        return f"Lemonade Stand: {counted(self.days, 'day')}{begin}, ${self.assets / 100:.2f} to begin with{copy}"

    def payoff_unit(self) -> tuple[str, int]:
        return "$", 100  # the rules count cents

    def payoffs(self) -> tuple[str, ...]:
        return ("assets", "bankrupt")

    def start(self) -> State:
        """The first morning if only one forecast is possible; else the evening before, when nothing is known yet."""
        is_certain = self.forecast(self.first_day, SUNNY) == 100
        return (
            State(self.first_day, SUNNY, self.assets) if is_certain else State(self.first_day - 1, EVENING, self.assets)
        )

    def space(self) -> State:
        return State(range(self.first_day - 1, self.last_day() + 1), range(WEATHERS), range(self.most() + 1))  # type: ignore[arg-type]

    def last_day(self) -> int:
        return self.first_day + self.days - 1

    def most(self) -> int:
        """From here on assets need not be distinguished: they are more than is needed on any day."""
        return max(self.assets, self.enough(self.first_day))

    def enough(self, day: int) -> int:
        """Assets on the morning of a day with which money is no longer a limit.

        The plan with the most profit expected on every single day can then be paid to the end, whatever storms come, and
        no plan can have a higher mean.
        """
        found = NEEDED
        for later in range(day, self.last_day()):
            found += RISKED[costs(later)]
        return found

    def is_over(self, s: State) -> bool:
        if s.weather != EVENING or s.day < self.first_day:
            return False
        return s.day >= self.last_day() or s.assets <= cost(s.day)

    def actions(self, s: State) -> Iterator[tuple[int, int, int]]:
        if s.weather == EVENING:
            if not self.is_over(s):
                yield NEXT_DAY
        else:
            at = market(s)
            if s.weather >= CLOUDY and s.assets >= self.enough(s.day):
                yield OFFERS[MOST_EXPECTED[at]][2], OFFERS[MOST_EXPECTED[at]][3], OFFERS[MOST_EXPECTED[at]][4]
            else:
                last = FIRST[at + 1] - 1
                while OFFERS[last][0] > s.assets:
                    last -= 1
                for k in range(FIRST[at] if s.weather >= CLOUDY else last, last + 1):
                    yield OFFERS[k][2], OFFERS[k][3], OFFERS[k][4]

    def outcomes(self, s: State, action: tuple[int, int, int]) -> Iterator[tuple[int, tuple[int, int], State]]:
        if s.weather == EVENING:
            for weather in range(SUNNY, WEATHERS):
                yield self.forecast(s.day + 1, weather), (0, 0), State(s.day + 1, weather, s.assets)
        else:
            glasses, signs, price = action
            expense = cost(s.day) * glasses + SIGN * signs
            revenue = min(glasses, demand(tenths(s), signs, price)) * price
            left, earned = s.assets - expense, s.assets - expense + revenue
            brought = s.assets if s.day == self.first_day else 0  # counts in the end as much as what is earned
            yield (
                3,
                (brought + revenue - expense, int(earned <= cost(s.day))),
                State(s.day, EVENING, min(earned, self.most())),
            )
            if s.weather >= CLOUDY:
                yield 1, (brought - expense, int(left <= cost(s.day))), State(s.day, EVENING, left)

    def forecast(self, day: int, weather: int) -> int:
        """Ways in 100 of a forecast."""
        return ways(day, weather, self.modified or self.other_odds, self.modified or self.any_start)

    # --- for people -----------------------------------------------------------------------------------------------------

    def show(self, s: State) -> str:
        more = " or more" if s.assets == self.most() else ""
        if s.weather != EVENING:
            return (
                f"day {s.day}, {forecast_name(s)}; a glass costs {cost(s.day)} cents, assets {dollars(s.assets)}{more}"
            )
        if self.is_over(s) and s.assets <= cost(s.day):
            return f"evening of day {s.day}: bankrupt, with {dollars(s.assets)}"
        return f"evening of day {s.day}: assets {dollars(s.assets)}{more}" if s.day else f"assets {dollars(s.assets)}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """The day, and how many glasses people would buy, by price."""
        facts = [("day", f"{s.day} of {self.last_day()}"), ("assets", dollars(s.assets) + (" or more" if s.assets == self.most() else ""))]
        if s.weather != EVENING:
            facts += [("forecast", forecast_name(s)), ("a glass costs", f"{cost(s.day)} cents")]
        yield {"kind": "facts", "facts": facts}
        if s.weather != EVENING:
            points = [(price, demand(tenths(s), 0, price)) for price in range(1, 41)]
            yield {"kind": "chart", "label": "demand without signs", "x": "price in cents", "y": "glasses", "points": points}

    def action_name(self, action: tuple[int, int, int]) -> str:
        glasses, signs, price = action
        if action == NEXT_DAY:
            return "next day"
        return f"{glasses} {'glass' if glasses == 1 else 'glasses'}, {signs} {'sign' if signs == 1 else 'signs'}, {price} cents"

    def asks(self, s: State) -> tuple[str, ...]:
        return () if s.weather == EVENING else ("glasses", "signs", "price in cents")

    def why_not(self, s: State, action: tuple[int, int, int]) -> str:
        """The reply of the program of 1979 to a decision; every decision that it accepts is allowed."""
        if s.weather == EVENING:
            return "it is evening"
        for name, number, most in zip(self.asks(s), action, (MOST_GLASSES, MOST_SIGNS, MOST_PRICE), strict=True):
            if not 0 <= number <= most:
                return f"{name}: from 0 to {most}, not {number}"
        spent = cost(s.day) * action[0] + SIGN * action[1]
        return f"that costs {dollars(spent)}, and there is {dollars(s.assets)}" if spent > s.assets else ""


LemonadeStand.State = State  # type: ignore[attr-defined]


def costs(day: int) -> int:
    """Which of COSTS a glass costs on a day."""
    return 0 if day < 3 else 1 if day < 7 else 2


def cost(day: int) -> int:
    """Cents that a glass costs to make."""
    return COSTS[costs(day)]


def ways(day: int, weather: int, other_odds: bool, any_start: bool) -> int:
    """Ways in 100 of a forecast. A cloudy day without a stated chance of rain counts as the first of its kinds."""
    sunny, hot, cloudy = (40, 30, 30) if other_odds else (60, 20, 20)
    if day <= CHANGES + 1 and not any_start:
        sunny, hot, cloudy = 100, 0, 0
    street = sunny // 4 if day > CHANGES else 0
    if weather == SUNNY:
        return sunny - street
    if weather == STREET:
        return street
    if weather == HOT:
        return hot
    if day <= CHANGES:
        return cloudy if weather == CLOUDY else 0
    return cloudy // len(CHANCES)


def tenths(s: State) -> int:
    """Glasses that people ask for, in tenths of those of a sunny day."""
    if s.day <= CHANGES or s.weather == SUNNY:
        return 10
    if s.weather >= CLOUDY:
        return 7 - (s.weather - CLOUDY)
    return 20 if s.weather == HOT else 1


def market(s: State) -> int:
    """Where FIRST and MOST_EXPECTED have the offers of this morning."""
    found = 0
    for k in range(len(MARKETS)):
        if MARKETS[k] == tenths(s):
            found = k
    return len(COSTS) * found + costs(s.day)


def dollars(cents: int) -> str:
    return f"${cents / 100:.2f}"


def forecast_name(s: State) -> str:
    """The weather of a morning, and what it means."""
    if s.day <= CHANGES:
        return {SUNNY: "sunny", HOT: "hot and dry"}.get(s.weather, "cloudy")
    if s.weather >= CLOUDY:
        return f"cloudy, with a chance of {CHANCES[s.weather - CLOUDY]} % of rain"
    return {SUNNY: "sunny", HOT: "hot and dry", STREET: "work in the street"}[s.weather]

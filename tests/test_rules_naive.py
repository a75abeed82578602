"""The rules of the catalogue give the known values when the oracle (tests/naive.py) solves them, interpreted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import naive
from known import GAMES, Known, known
from zermelo.errors import NoValue
from zermelo.games import (
    binary_search,
    card_draw,
    coin_patterns,
    dreidel,
    exact_pig,
    gobblet,
    hog,
    left_center_right,
    lemonade,
    pig,
    solitaire_pig,
    ten_thousand,
    ten_thousand_race,
)
from zermelo.language.parameters import validate_parameters
from zermelo.language.replies import is_given_by_replies
from zermelo.language.rules import Rules, read
from zermelo.puzzles import NAMES as PUZZLES

CLASSES: dict[str, Any] = {
    "CardDraw": card_draw.CardDraw,
    "SolitairePig": solitaire_pig.SolitairePig,
    "Pig": pig.Pig,
    "Piglet": pig.Piglet,
    "ExactPig": exact_pig.ExactPig,
    "TenThousand": ten_thousand.TenThousand,
    "TenThousandRace": ten_thousand_race.TenThousandRace,
    "GobbletGobblers": gobblet.GobbletGobblers,
    "LeftCenterRight": left_center_right.LeftCenterRight,
    "Dreidel": dreidel.Dreidel,
    "CoinPatterns": coin_patterns.CoinPatterns,
    "BinarySearch": binary_search.BinarySearch,
    "Hog": hog.Hog,
    "LemonadeStand": lemonade.LemonadeStand,
}


def game_of(fact: Known) -> Any:
    return CLASSES[fact.game](**fact.params)


def one(game: str, quantity: str) -> Known:
    (fact,) = known(game, quantity)
    return fact


def ids(facts: list[Known]) -> Any:
    return pytest.mark.parametrize("fact", facts, ids=[fact.id for fact in facts])


@pytest.mark.parametrize("name", [name for name in GAMES if name not in PUZZLES])
def test_every_known_fact_names_a_game_that_can_be_read(name: str) -> None:
    for fact in known(name):
        game = game_of(fact)
        if is_given_by_replies(game):  # hidden choice, no states
            validate_parameters(game)
            assert fact.source
            continue
        rules = read(game)
        state = type(rules.start)(*fact.state) if fact.state else rules.start
        assert rules.show(state)
        assert all(isinstance(rules.action_name(action), str) for action in rules.actions(state))
        assert fact.source


# Cards


def test_card_draw_exactly() -> None:
    (full,) = [fact for fact in known("card_draw", "value") if fact.kind == "rational"]
    assert naive.value(game_of(full)) == full.exact


def test_card_draw_values_of_balanced_decks_as_printed() -> None:
    v = naive.solve(card_draw.CardDraw())
    for fact in known("card_draw", "value"):
        if fact.kind == "printed":
            assert f"{float(v[card_draw.State(**fact.params)][0]):.9f}" == fact.value


def test_card_draw_spreadsheet_as_printed() -> None:
    sheet = one("card_draw", "printed spreadsheet").value
    v = naive.solve(card_draw.CardDraw())
    for red in range(27):
        for black in range(27):
            cell = black - red + v[card_draw.State(red, black)][0]
            assert f"{float(cell):.4g}" == f"{float(sheet[26 - red][26 - black]):.4g}", (red, black)


# Pigs


def test_solitaire_pig() -> None:
    game = solitaire_pig.SolitairePig()
    assert naive.value(game) == one("solitaire_pig", "value").exact
    assert game.enough() == one("solitaire_pig", "threshold").value


@pytest.mark.parametrize("sides", [2, 3, 4, 8])
def test_solitaire_pig_bound_loses_nothing(sides: int) -> None:
    """Ten points of play beyond the bound are worth no more."""

    class Wider(solitaire_pig.SolitairePig):
        def enough(self) -> int:
            return solitaire_pig.SolitairePig.enough(self) + 10

    assert naive.value(Wider(sides)) == naive.value(solitaire_pig.SolitairePig(sides))


@ids(known("piglet"))
def test_piglet(fact: Known) -> None:
    game = game_of(fact)
    assert game.win_probability(naive.value(game)) == fact.exact


def test_pig_to_2_by_hand() -> None:
    """Any roll but a 1 wins: p = 5/6 + 1/6 (1 - p)."""
    assert naive.value(pig.Pig(2)) == 2 * Fraction(6, 7) - 1


@ids([fact for fact in known("pig") if fact.kind == "rational"])
def test_pig_exactly(fact: Known) -> None:
    game = game_of(fact)
    assert game.win_probability(naive.value(game)) == fact.exact


@ids([f for f in known("pig", "win probability") if f.state and min(f.state[:2]) >= 90])
def test_pig_to_100_near_the_end(fact: Known) -> None:
    s = pig.State(*fact.state)
    v = naive.solve(game_of(fact), [s])
    assert float(game_of(fact).win_probability(v[s][0])) == pytest.approx(float(fact.value), abs=1e-15)


@ids([f for f in known("exact_pig", "win probability") if f.state in ((60, 60, 0), (69, 69, 0), (74, 0, 0))])
def test_exact_pig_near_the_end(fact: Known) -> None:
    s = exact_pig.State(*fact.state)
    v = naive.solve(game_of(fact), [s])
    assert float(game_of(fact).win_probability(v[s][0])) == pytest.approx(float(fact.value), abs=1e-15)


@ids([f for f in known("exact_pig", "decision") if f.state and f.state[0] >= 62 and f.state[1] >= 62])
def test_exact_pig_decisions_near_the_end(fact: Known) -> None:
    game, s = game_of(fact), exact_pig.State(*fact.state)
    chance = {a: game.win_probability(x[0]) for a, x in naive.action_values(game, s, naive.solve(game, [s])).items()}
    assert float(chance[exact_pig.HOLD]) == pytest.approx(float(fact.value["p_hold"]), abs=1e-15)
    assert float(chance[exact_pig.ROLL]) == pytest.approx(float(fact.value["p_continue"]), abs=1e-15)
    assert (fact.value["decision"] == "H") == (chance[exact_pig.HOLD] > chance[exact_pig.ROLL])


def test_exact_pig_without_end_is_worth_a_half() -> None:
    game, s = exact_pig.ExactPig(), exact_pig.State(74, 74, 0)
    assert game.win_probability(naive.solve(game, [s])[s][0]) == Fraction(1, 2)


def test_exact_pig_answers_for_every_state_of_its_box() -> None:
    game = exact_pig.ExactPig(6)
    v = naive.solve(game)
    assert len(v) == 6 * 7 * 7
    for s, (x,) in v.items():
        if s.mine + s.turn > game.goal:
            assert x == 0 and not list(game.actions(s))
        elif s.theirs == game.goal:
            assert x == -1
        elif s.mine + s.turn == game.goal:
            assert x == 1
        else:
            assert -1 <= x <= 1 and list(game.actions(s))


def test_contest_answers() -> None:
    def decide(c: list[int], h: list[int], x: list[int]) -> list[bool]:
        return [a + t == 75 for a, t in zip(c, x, strict=True)]

    assert exact_pig.answer("3\n72 55 3\n1 59 14\n 0 74  75\n\n", decide) == "H\nC\nH\n"
    assert exact_pig.answer("0\n", decide) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("two\n1 2 3\n", "line 1: expected the number of queries"),
        ("2\n1 2 3\n", "announces 2 queries, but 1 lines follow"),
        ("-1\n", "announces -1 queries, but 0"),
        ("2\n1 2 3\n1 2\n", "line 3: expected three numbers C H X, found '1 2'"),
        ("1\n1 2 x\n", "line 2: expected three numbers"),
        ("1\n75 2 0\n", "line 2: '75 2 0' is no position"),
        ("1\n70 2 6\n", "line 2"),
        ("1\n70 -2 4\n", "line 2"),
    ],
)
def test_contest_files_that_are_none(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exact_pig.answer(text, lambda c, h, x: [False] * len(c))


# Ten Thousand


@ids([fact for fact in known("ten_thousand", "value") if fact.state is None])
def test_ten_thousand_with_restricted_actions(fact: Known) -> None:
    v = naive.value(game_of(fact))
    assert v == fact.exact if fact.kind == "rational" else f"{float(v):.10f}" == fact.value


def test_ten_thousand_table_6() -> None:
    facts = [fact for fact in known("ten_thousand", "value") if fact.state is not None]
    states = [ten_thousand.State(*fact.state) for fact in facts]
    v = naive.solve(ten_thousand.TenThousand(), states)
    assert len(facts) == 69
    assert [v[s][0] for s in states] == [fact.exact for fact in facts]


def test_ten_thousand_table_5() -> None:
    printed = [(f, o, t, s, *ways) for f, o, t, s, *ways in one("ten_thousand", "Table 5").value]
    assert [(*row[:3], ten_thousand.chips(*row[:3]), *row[3:]) for row in ten_thousand.frequencies()] == printed
    assert [sum(row[2 + n] for row in ten_thousand.frequencies()) for n in range(1, 6)] == [6**n for n in range(1, 6)]


def test_ten_thousand_threshold() -> None:
    assert one("ten_thousand", "critical threshold before rounding up").exact == Fraction(5586, 100)
    assert [ten_thousand.threshold(dice) for dice in range(1, 6)] == [1, 3, 7, 18, 56]
    assert ten_thousand.ENOUGH == 56


def test_ten_thousand_rolling_with_two_dice_can_be_best() -> None:
    """The paper's table says to stop always with two dice and no dice to take back; see reference/corrections.md."""
    v = naive.solve(ten_thousand.TenThousand())
    assert v[ten_thousand.State(3, 0, 0, 0, 2)][0] > 3


def test_ten_thousand_in_points() -> None:
    assert naive.value(ten_thousand.TenThousand(points=True)) == 50 * naive.value(ten_thousand.TenThousand())


# Board games


def test_tic_tac_toe() -> None:
    facts = {fact.quantity: fact.value for fact in known("gobblet") if fact.params["sizes"] == 1}
    v = naive.solve(gobblet.GobbletGobblers(1, 5, False))
    assert len(v) == facts["positions"]
    assert sum(x != 0 for (x,) in v.values()) == facts["won or lost positions"]
    assert v[gobblet.State((0, 0))] == (facts["value"],)


@pytest.mark.parametrize("rules", [(1, 3, True), (2, 1, False)])
def test_small_gobblets_are_draws(rules: tuple[int, int, bool]) -> None:
    """All rule sets but two with up to six pieces a player are (issue 5)."""
    assert naive.value(gobblet.GobbletGobblers(*rules)) == 0


def test_symmetric_positions_of_gobblet_are_worth_the_same() -> None:
    class Unreduced(NamedTuple):
        start: Any
        actions: Any
        outcomes: Any
        payoff: Any

    game = gobblet.GobbletGobblers(2, 1, False)
    plain = Unreduced(game.start, game.actions, game.outcomes, game.payoff)
    v, reduced = naive.solve(plain), naive.solve(game)
    assert len(v) > 5 * len(reduced)
    for s, x in v.items():
        assert x == reduced[naive.canonical(Rules(game), s)]


def test_uncovering_the_opponents_line_loses() -> None:
    """x lifts its large piece off a line of o's small ones, and makes a line of its own: o has won."""
    game = gobblet.GobbletGobblers(2, 3, True)
    s = gobblet.State((0b000_000_001, 0, 0b000_011_000, 0b000_000_111))
    lift = (0, 1 << 0, 1 << 5)
    assert lift in list(game.actions(s))
    ((_, _, after, _),) = game.outcomes(s, lift)
    assert not list(game.actions(after))
    assert game.payoff(after) == 1


def test_board_as_drawn() -> None:
    game = gobblet.GobbletGobblers(2, 2, True)
    s = gobblet.State((0b000_010_000, 0b100_000_000, 0b000_000_001, 0b000_010_000))
    rules = Rules(game)
    assert rules.show(s) == "x1  1   2\n3   x2  5\n6   7   o2"
    assert "x2 o1" in (rules.revealed(s) or "")


# Games of chance


def seat_values(fact: Known) -> list[str]:
    return [fact.value["E"], *fact.value["P"]]


@ids([fact for fact in known("left_center_right") if fact.params["players"] * fact.params["chips"] <= 6])
def test_left_center_right(fact: Known) -> None:
    values = naive.value(game_of(fact), number=Fraction)
    assert [str(x) for x in values[1:]] == fact.value["P_frac"]
    assert values[0] == Fraction(fact.value["E_frac"])


def small_dreidels(exact: bool) -> list[Known]:
    most = {2: 10, 3: 2, 4: 2}  # players: coins of each that the oracle can do in seconds
    facts = [f for f in known("dreidel") if f.params["coins"] <= most.get(f.params["players"], 0)]
    return [f for f in facts if all(f.value.get("P_frac") or [None]) == exact]


@ids(small_dreidels(exact=True))
def test_dreidel_exactly(fact: Known) -> None:
    values = naive.value(game_of(fact))
    assert values[0] == Fraction(fact.value["E_frac"])
    assert list(values[1:]) == [Fraction(p) for p in fact.value["P_frac"]]


@ids(small_dreidels(exact=False))
def test_dreidel_in_decimals(fact: Known) -> None:
    game = game_of(fact)
    values = naive.value(game, number=float)
    assert values == pytest.approx([float(x) for x in seat_values(fact)], abs=1e-11)
    assert [game.net_return(p) for p in values[1:]] == pytest.approx([float(x) for x in fact.value["ret"]], abs=1e-11)


def test_dreidel_that_nobody_can_play() -> None:
    with pytest.raises(ValueError, match="2 coins or more"):
        dreidel.Dreidel(coins=1, min_coins=1).start()


# The oracle itself, on loops that are worth thinking about


class At(NamedTuple):
    place: int


class Loop(NamedTuple):
    """Place 0: stay (and pay `toll`) or leave for `prize`."""

    toll: int
    prize: int
    who: int = 0

    def start(self) -> At:
        return At(0)

    def player(self, s: At) -> int:
        return self.who

    def actions(self, s: At) -> Any:
        if s.place == 0:
            yield "leave"
            yield "stay"

    def outcomes(self, s: At, action: str) -> Any:
        if action == "stay":
            yield 1, self.toll, At(0)
        else:
            yield 1, self.prize, At(1)


@pytest.mark.parametrize(
    ("toll", "prize", "who", "value"),
    [(0, -1, 0, 0), (0, 1, 0, 1), (-1, -100, 0, -100), (0, 1, 1, 0), (0, -1, 1, -1), (1, 100, 1, 100)],
)
def test_staying_for_ever_is_worth_nothing(toll: int, prize: int, who: int, value: int) -> None:
    assert naive.value(Loop(toll, prize, who)) == value


def test_payoffs_that_pile_up_have_no_value() -> None:
    with pytest.raises(NoValue):
        naive.value(Loop(1, 0))


def test_counts() -> None:
    assert naive.count(solitaire_pig.SolitairePig()) == naive.Count(states=26, transitions=139, finals=1)
    assert naive.count(gobblet.GobbletGobblers(1, 5, False)).finals == 138

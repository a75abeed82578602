"""A play in progress, and the conversation about it."""

import re
from fractions import Fraction
from typing import NamedTuple

import pytest

import zermelo
from conversation import talk
from zermelo.cli.lines import fitted
from zermelo.errors import ParameterError, RulesError
from zermelo.games import CardDraw, ConnectFour, GobbletGobblers, LeftCenterRight, Pig, RobotMaze
from zermelo.games.card_draw import DRAW, STOP
from zermelo.games.pig import HOLD, ROLL
from zermelo.games.robot import AHEAD, LEFT
from zermelo.views.drawn import Room, drawn
from zermelo.views.play import Choice, Session, _spelt, addressed, converse
from zermelo.views.words import answer_lines, finding

TIC_TAC_TOE = GobbletGobblers(1, 5, False)


class Pile(NamedTuple):
    left: int
    turn: int


class Nim(NamedTuple):
    """Take one or two; who takes the last one gets a coin from the other. Both players see the same rules."""

    pile: int = 7

    def start(self):
        return Pile(self.pile, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in range(1, 3):
            if n <= s.left:
                yield n

    def outcomes(self, s, n):
        won = (1 if s.turn == 0 else -1) if n == s.left else 0
        yield 1, won, Pile(s.left - n, 1 - s.turn)


@pytest.fixture(scope="module")
def solved():
    cache = {}

    def solve(game):
        key = (type(game), game)
        if key not in cache:
            cache[key] = zermelo.solve(game)
        return cache[key]

    return solve


# --- the session ------------------------------------------------------------------------------------------------------


def test_one_player_is_judged(solved):
    session = Session(solved(CardDraw()), seed=1)
    assert [c.action for c in session.legal()] == [STOP, DRAW]
    assert [c.action for c in session.hint()] == [DRAW, STOP]
    (step,) = session.act(DRAW)
    assert step.loss == 0 and step.odds == Fraction(1, 2)
    value = session.legal()[1].value
    (step,) = session.act(STOP)
    assert step.loss == pytest.approx(value)
    assert session.is_over and session.result == step.state.black - step.state.red
    assert session.legal() == [] and session.cost == pytest.approx(value) and len(session.mistakes) == 1


def test_who_wants_the_least_is_told_so(solved):
    """In a game for one in which only player 1 decides, the best action is the one with the least value."""
    session = Session(solved(RobotMaze(3, 3)), seed=1)
    values = [c.value for c in session.hint()]
    assert values == sorted(values) and len(set(values)) > 1
    best, worst = session.hint()[0], session.hint()[-1]
    assert best.action == session.solution.best_action(session.state) and best.value == pytest.approx(session.solution.value)
    said = talk(session, "h", worst.name).splitlines()
    assert next(line for line in said if line.split()[:1] == [best.name]).endswith("  best")
    assert not next(line for line in said if line.split()[:1] == [worst.name]).endswith("  best")
    assert any(f"it costs {worst.value - best.value:.6g} moves on average; {best.name} was better" in line for line in said)


def test_the_same_seed_deals_the_same_cards(solved):
    def cards(seed):
        session = Session(solved(CardDraw()), seed=seed)
        for _ in range(6):
            session.act(DRAW)
        return [s.outcome.state for s in session.steps]

    assert cards(5) == cards(5)
    assert len({tuple(cards(seed)) for seed in range(5)}) > 1


def test_undo_takes_back_the_dice_too(solved):
    session = Session(solved(Pig(20)), seed=3)
    first = session.act(ROLL)
    position = session.state
    session.act(ROLL)
    assert session.undo() and session.state == position and session.steps == first
    again = session.act(ROLL)
    session.undo()
    assert session.act(ROLL) == again
    assert session.undo() and session.undo() and not session.undo()
    assert session.state == session.rules.start and session.total == 0


def test_the_opponent_plays_and_the_view_changes(solved):
    solution = solved(Pig(20))
    session = Session(solution, seat=1, seed=2)
    assert session.is_persons_turn and session.view == -1 and session.steps
    assert {s.seat for s in session.steps} == {0}
    assert all(s.loss == pytest.approx(0, abs=1e-12) for s in session.steps)
    mine = session.solution.probe(session.state)
    assert session.legal()[0].value == pytest.approx(mine.actions[ROLL])


@pytest.mark.parametrize("seat", [0, 1])
def test_best_play_on_both_sides_is_a_draw(solved, seat):
    session = Session(solved(TIC_TAC_TOE), seat)
    while not session.is_over:
        session.act(session.hint()[0].action)
    assert session.result == 0 and session.cost == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_play_of_pig_ends_and_somebody_wins(solved, seat):
    session = Session(solved(Pig(20)), seat, seed=seat)
    while not session.is_over:
        session.act(session.hint()[0].action)
    assert abs(session.result) == 1
    last = session.steps[-1]
    assert (last.seat == seat) == (session.result == 1)


def test_two_players_without_pass(solved):
    winning = Session(solved(Nim(7)), seat=0)
    assert winning.two_players
    while not winning.is_over:
        winning.act(winning.hint()[0].action)
    assert winning.result == 1
    losing = Session(solved(Nim(7)), seat=1)
    assert losing.hint()[0].value == -1
    while not losing.is_over:
        losing.act(losing.legal()[0].action)
    assert losing.result == -1 and losing.cost == 0


def test_a_mistake_of_the_second_player_costs_them(solved):
    session = Session(solved(Nim(8)), seat=1)  # 8 = 3 + 3 + 2: the first player takes 2 and leaves 6
    assert session.state.left == 6
    session = Session(solved(Nim(6)), seat=1)  # lost for the first player, who must leave 5 or 4
    best = session.hint()[0]
    assert best.value == 1
    other = next(c for c in session.legal() if c.value == -1)
    assert session.act(other.action)[0].loss == 2


def test_nobody_decides_in_games_of_chance(solved):
    session = Session(solved(LeftCenterRight()), seed=1)
    while not session.is_over:
        session.act(None)
    assert session.result == len(session.steps) and session.decisions == []


def test_what_is_refused(solved):
    with pytest.raises(ParameterError, match="no game for two"):
        Session(solved(CardDraw()), seat=1)
    with pytest.raises(ParameterError, match="must be 1 or 2, not 4"):
        Session(solved(Pig(20)), seat=3)
    session = Session(solved(Pig(20)))
    with pytest.raises(ParameterError, match="not a legal action"):
        session.act(HOLD)


# --- discounted ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_discounted_play_has_a_discounted_result(seat):
    """Without chance, both playing optimally, the result is the value."""
    solution = zermelo.solve(Nim(7), discount=0.5)
    session = Session(solution, seat)
    while not session.is_over:
        session.act(session.hint()[0].action)
    value = float(solution.value)
    assert session.result == (value if seat == 0 else -value) and 0 < abs(value) < 0.5
    assert session.cost == 0


def test_a_mistake_later_in_a_discounted_play_costs_less():
    solution = zermelo.solve(CardDraw(3, 3), discount=0.5)
    session = Session(solution, seed=1)
    worth = {c.name: c.value for c in session.legal()}
    while session.legal() and session.hint()[0].action == DRAW:
        session.act(DRAW)
    at, worth = len(session.steps), {c.action: c.value for c in session.legal()}
    session.act(DRAW)
    assert at > 0 and session.steps[at].loss == worth[STOP] - worth[DRAW] > 0
    assert session.cost == pytest.approx(0.5**at * session.steps[at].loss)


def test_a_discounted_play_speaks_of_no_winning_chance_and_of_no_draw():
    said = talk(Session(zermelo.solve(Pig(5), discount=0.9), seed=1), "h")
    assert "wins" not in said and "%" not in said
    said = talk(Session(zermelo.solve(TIC_TAC_TOE, discount=0.9)), "h")
    assert "a draw" not in said and "+0" in said


# --- the conversation -------------------------------------------------------------------------------------------------


def test_a_conversation(solved):
    said = talk(Session(solved(CardDraw()), seed=1), "draw", "h", "?", "p", "x", "99", "0", "stop")
    for text in ("optimal", "stop  +$0", "  best", "hint", "'x' is not an action here", "you get $1;", "cost of"):
        assert text in said, text
    assert "'99' is not an action" in said and "'0' is not an action" in said


def test_words_are_completed_and_undone(solved):
    session = Session(solved(CardDraw()), seed=1)
    said = talk(session, "u", "d", "u", "2", "q")
    assert "there is nothing to take back" in said and "taken back" in said and "you leave the play unfinished" in said
    assert len(session.steps) == 1


def test_a_word_with_two_meanings(solved):
    said = talk(Session(solved(GobbletGobblers(1, 3, True))), "new")
    assert "'new' can mean new piece to 0, " in said and "type its name or enough of it, or ?" in said


def test_moves_on_a_board_with_numbers_are_typed_by_its_numbers(solved):
    """Beside numbered squares the list has no numbers of its own: they would be taken for one another."""
    said = talk(Session(solved(GobbletGobblers(2, 1)), seed=1), "4", "n 2 4", "1", "9", "4 to 0", "@", "?")
    assert "\n  new piece of size 2 to 0" in said and "1 new piece" not in said
    assert "'4' can mean new piece of size 2 to 4, new piece of size 1 to 4;" in said and "0 1 2\n3 x 5" not in said.split("'4' can")[0]
    assert "'9' is not an action here" in said and "'@' is not an action here" in said
    assert len(re.findall("optimal|not the best", said)) >= 1


def test_squares_are_typed_as_they_are_numbered_on_the_board(solved):
    said = talk(Session(solved(TIC_TAC_TOE)), "0", "9", "r", "?")
    assert "0 1 2\n3 4 5\n6 7 8\n  0  1  2" in said and "opponent: 4" in said and "x 1 2\n3 o 5\n6 7 8\n  1  2  3  5" in said
    assert "'9' is not an action here; type its number, or ?" in said
    assert "what is covered" not in said and "'r' is not" not in said


def test_columns_are_typed_as_the_board_numbers_them(solved):
    """The list counted from 1, the board from 0: whoever typed 1 got column 0."""
    said = talk(Session(solved(ConnectFour(4, 4))), "3", "7")
    assert "column 0  column 1  column 2  column 3" in said.replace("   ", "  ") and "1 column" not in said
    assert re.search(r"[.o] [.o] [.o] x\n0 1 2 3", said)
    assert "'7' is not an action here" in said


class Bidding(Nim):
    """Nim; two matches are called "take 2", one is called "p", and none "0"."""

    def actions(self, s):
        for n in range(0 if s.left % 2 else 1, 3):
            if n <= s.left and s.left:
                yield n

    def action_name(self, n):
        return ("0", "p", "take two")[n]

    def outcomes(self, s, n):
        won = (1 if s.turn == 0 else -1) if n == s.left else 0
        yield 1, won, Pile(s.left - n if n else s.left - 1, 1 - s.turn)


def test_a_name_that_is_a_number_is_no_number_of_the_list(solved):
    """Of "1 0  2 p  3 take two" the name 0 could not be typed; 1 was the first. A name may be the letter of a command."""
    session = Session(solved(Bidding()), seed=1)
    said = talk(session, "1", "?", "0", "q")
    assert re.search("\n +0 +p +take two\n", said)
    assert "'1' is not an action here" in said and "Type an action as it is listed" in said
    assert session.steps[0].name == "0"
    session = Session(solved(Bidding()), seed=1)
    talk(session, "p", "q")
    assert session.steps[0].name == "p"


def test_a_raised_figure_is_no_number(solved):
    """It ended the play with a traceback."""
    assert "'\u00b2' is not an action here; type its number or name" in talk(Session(solved(CardDraw())), "\u00b2")


def test_win_draw_and_loss_are_said(solved):
    said = talk(Session(solved(TIC_TAC_TOE), seat=1), "1", "2", "h")
    assert "not the best:" in said and "is worth a draw, this a loss" in said and "opponent: " in said


class Throws(NamedTuple):
    mine: int
    yours: int


class Pennies(NamedTuple):
    """The first to two points; whoever matches has it, with probability `p`."""

    p: float = 1

    def start(self):
        return Throws(0, 0)

    def actions(self, s):
        if max(s) < 2:
            yield 0
            yield 1

    other_actions = actions

    def outcomes(self, s, a, b):
        mine, yours = Throws(s.mine + 1, s.yours), Throws(s.mine, s.yours + 1)
        yield self.p, 0, mine if a == b else yours
        yield 1 - self.p, 0, yours if a == b else mine

    def payoff(self, s):
        return 1 if s.mine == 2 else -1


def test_values_between_a_draw_and_a_loss_where_both_choose_at_once():
    """They were said to be a draw, as in games in which nothing is left to chance."""
    solution = zermelo.solve(Pennies())
    said = talk(Session(solution, seed=1), "h", "0", "h", *"01" * 3, "h")
    assert "a draw" not in said and "  0  +0  best, to be played in 50 % of all cases" in said and "0.5" in said
    assert not any("a draw" in text for _, text in answer_lines(solution))


def test_probabilities_of_floats_are_decimals():
    said = talk(Session(zermelo.solve(Pennies(0.9)), seed=1), "0", "0")
    assert "(probability 0.9)" in said


def test_outcomes_that_differ_in_nothing_are_one(in_python):
    """A robot at a wall stays where it is whether its wheels slip or not: that was told with the probability of not slipping."""
    solution = zermelo.solve("robot-maze", height=2, width=2, turn_error=10, slip=10, seed=1)
    session = Session(solution, seed=1)
    found = [session.act(action)[0].odds for action in (AHEAD, AHEAD, LEFT)]
    assert found == [Fraction(19, 20), None, Fraction(9, 10)]
    assert [s["probability"] for s in session.as_data()["steps"]] == [0.95, None, 0.9]


def test_the_probability_to_win_is_said(solved):
    said = talk(Session(solved(Pig(20)), seed=3), "roll", "hold")
    assert "% chance of winning" in said or "optimal" in said
    assert "wins 61.5559 %" in talk(Session(solved(Pig(20)), seed=3), "h")


def test_a_race_ends_with_both_scores_from_the_persons_side(solved):
    """Pig's own text is from the side of the player to move: after the opponent's last roll that is the opponent."""
    said = talk(Session(solved(Pig(20)), seat=1, seed=1), *["hold", "roll"] * 40)
    end = said.partition("the play is over: ")[2].splitlines()
    you, opponent = (sum(map(int, re.findall(r"\d+(?= of| \+)", part))) for part in end[0].split(", opponent"))
    assert (you >= 20, opponent >= 20) == (end[1] == "you win.", end[1] == "you lose.") and you != opponent


def test_a_race_is_told_from_the_persons_side(solved):
    """The rules speak of the player to move; after the opponent's rolls that is the opponent."""
    said = talk(Session(solved(Pig(20)), seed=1), "roll")
    assert said.startswith("Pig: first to 20 points\nYou move first") and "your turn: you have 0, opponent 0, turn total 0" in said
    assert "  opponent: roll\n    opponent has 0, you 0, turn total 6  (probability 1/6)" in said and "player to move" not in said
    assert addressed("the player to move has 3 chips, opponent 5", True) == "you have 3 chips, opponent 5"
    assert addressed("the player to move has 3 chips, the opponent has 5", False) == "opponent has 3 chips, you have 5"


def test_who_only_watches_is_not_asked_for_actions(solved):
    said = talk(Session(solved(LeftCenterRight()), seed=1), "?", "x", "h")
    assert "Enter goes on: chance decides." in said and "name of an action" not in said
    assert "'x' means nothing here; Enter goes on" in said and re.search(r"expected from here: [0-9.]+ turns", said)


def test_nothing_typed_is_said_so(solved):
    assert "nothing was typed; type its number or name" in talk(Session(solved(CardDraw())), "")


def test_lines_are_no_wider_than_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    text = "  optimal, as every action is that leads to the same result\nx . o\n"
    assert fitted(text) == "  optimal, as every action is\n  that leads to the same\n  result\nx . o\n"


def test_enter_goes_on_where_only_chance_moves(solved):
    said = talk(Session(solved(LeftCenterRight()), seed=1), "", "", "h")
    assert said.count("(probability") == 2 and "expected from here" in said


def test_ctrl_c_ends_cleanly(solved):
    def interrupted(_):
        raise KeyboardInterrupt

    said = []
    converse(Session(solved(CardDraw())), interrupted, lambda text="": said.append(text))
    assert "you leave the play unfinished." in said


def test_the_play_as_data(solved):
    session = Session(solved(CardDraw()), seed=1)
    session.act(DRAW)
    session.act(STOP)
    data = session.as_data()
    assert (
        data["over"] and data["result"] == session.result and [s["action"] for s in data["steps"]] == ["draw", "stop"]
    )


# --- actions that are typed as numbers --------------------------------------------------------------------------------


class Stock(NamedTuple):
    shelves: int
    over: int


class Shop(NamedTuple):
    """Order so many of two goods for the shelves that there are; each sells for its price, or is lost with some luck."""

    shelves: int = 6

    def start(self):
        return Stock(self.shelves, 0)

    def actions(self, s):
        if s.over == 0:
            yield 0, s.shelves  # the second good pays more: the best is all of it, or nothing at all
            yield 0, 0

    def outcomes(self, s, order):
        yield 3, 2 * order[0] + 3 * order[1], Stock(s.shelves, 1)
        yield 1, -order[0] - order[1], Stock(s.shelves, 1)

    def asks(self, s):
        return ("apples", "pears")

    def why_not(self, s, order):
        return f"there are {s.shelves} shelves" if sum(order) > s.shelves else ""


def test_numbers_are_typed_also_those_of_actions_that_are_not_listed(solved):
    session = Session(solved(Shop()), seed=1)
    said = talk(session, "7", "5 2", "1 2 3", "2, 4")
    assert "type apples, pears" in said and "  1 " not in said  # nothing to choose from
    assert said.count("type 2 numbers: apples, pears") == 2 and "there are 6 shelves" in said
    assert "it costs 1.5 on average; (0, 6) was better" in said and len(session.mistakes) == 1
    session = Session(solved(Shop()), seed=1)
    assert "  optimal" in talk(session, "0 6") and len(session.decisions) == 1 and not session.mistakes


@pytest.mark.parametrize("found", [5, None, "apples", ("apples", 3), ("", "pears"), {"apples"}])
def test_names_of_numbers_that_are_none_are_faults_of_the_rules(found):
    game = type("Odd", (Shop,), {"asks": lambda self, s: found})()
    for ask in (zermelo.check, zermelo.solve):
        with pytest.raises(RulesError) as told:
            ask(game)
        (fault,) = told.value.faults
        assert fault.startswith(f"`asks` returns {found!r}: it must return a tuple of names, such as") and "(at Stock(shelves=6" in fault


def test_as_many_names_as_an_action_has_numbers(solved):
    for found in ((), [], ["apples", "pears"]):
        assert zermelo.check(type("Fine", (Shop,), {"asks": lambda self, s, found=found: found})())
    with pytest.raises(RulesError, match=r"`asks` asks for 1 number, \('apples',\), but action \(0, 6\) is no tuple of as many"):
        zermelo.check(type("Odd", (Shop,), {"asks": lambda self, s: ("apples",)})())


def test_names_that_are_none_far_from_the_start_are_told_in_one_line():
    """The checker asks at a few states only."""

    class Long(NamedTuple):
        def start(self):
            return Pile(3000, 0)

        def actions(self, s):
            if s.left:
                yield 1, 1

        def outcomes(self, s, action):
            yield 1, 1, Pile(s.left - 1, 0)

        def asks(self, s):
            return 5 if s.left == 2980 else ("this", "that")

    session = Session(zermelo.solve(Long()))
    with pytest.raises(RulesError, match="`asks` returns 5: it must return"):
        talk(session, *["1 1"] * 25)


def test_an_action_that_is_not_listed_is_worth_what_its_outcomes_are(solved):
    solution = solved(Shop())
    assert solution.action_value(Stock(6, 0), (2, 4)) == pytest.approx((3 * 16 - 6) / 4)
    session = Session(solution)
    with pytest.raises(ParameterError, match="there are 6 shelves"):
        session.act((3, 4))
    (step,) = session.act((6, 0))
    assert step.loss == pytest.approx(4.5) and step.choices > 2


def test_without_a_reason_only_listed_actions_are_legal():
    class Strict(NamedTuple):
        def start(self):
            return Pile(1, 0)

        def actions(self, s):
            if s.left:
                yield 1, 1

        def outcomes(self, s, action):
            yield 1, 5, Pile(0, 0)

        def asks(self, s):
            return ("this", "that")

    session = Session(zermelo.solve(Strict()))
    assert "(1, 2)" not in (said := talk(session, "1 2", "1 1")) and "it is not a legal action here" in said
    assert session.result == 5


def test_the_only_action_is_taken_by_enter(solved):
    class Walk(NamedTuple):
        steps: int = 2

        def start(self):
            return Pile(self.steps, 0)

        def actions(self, s):
            if s.left:
                yield 1

        def outcomes(self, s, action):
            yield 1, 1, Pile(s.left - 1, 0)

    session = Session(zermelo.solve(Walk()))
    said = talk(session, "", "")
    assert session.is_over and "+1 payoff" in said and "payoff so far: 1" in said


class Waiting(NamedTuple):
    """Player 1 walks to and fro rather than pay."""

    def start(self):
        return Pile(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        if s.left < 9:
            yield 0
            yield 1

    def outcomes(self, s, action):
        if s.turn == 0:
            yield 1, 0, Pile(1, 1)
        elif action:
            yield 1, 1, Pile(9, 0)
        else:
            yield 1, 0, Pile(3 - s.left, 1)


def test_a_play_that_the_other_side_never_ends():
    """It was an IndexError."""
    session = Session(zermelo.solve(Waiting()))
    said = talk(session, "0", "1")
    assert "the play never ends: the other side moves on forever" in said and said.count("opponent: 0") < 4
    assert session.is_endless and session.undo() and not session.is_endless and session.legal()


def test_who_begins_where_player_1_does():
    """It was said that player 0 moves first, and of player 1's win that it is a loss for whoever moves first."""

    class Second(Nim):
        def start(self):
            return Pile(self.pile, 1)

        def outcomes(self, s, n):
            yield 1, 0, Pile(s.left - n, 1 - s.turn)

        def payoff(self, s):
            return 1 if s.turn == 1 else -1

    solution = zermelo.solve(Second())
    assert solution.value == -1 and finding(solution) == "A win in 5 moves for the second player, who begins"
    assert "You are the first player, against optimal play; the second one begins." in talk(Session(solution))
    assert "You are the second player, against optimal play; the second one begins." in talk(Session(solution, seat=1))


def test_members_for_people_are_examined():
    class Wrong(NamedTuple):
        def start(self):
            return Pile(1, 0)

        def actions(self, s):
            if s.left:
                yield 1

        def outcomes(self, s, action):
            yield 1, 0, Pile(0, 0)

        def asks(self):
            return ("this",)

        def why_not(self, s):
            return ""

    with pytest.raises(zermelo.RulesError) as found:
        zermelo.solve(Wrong())
    assert "`asks` must be written `def asks(self, s)`" in str(found.value)
    assert "`why_not` must be written `def why_not(self, s, action)`" in str(found.value)


# --- pictures in the terminal -------------------------------------------------------------------------------------------


def told(solution, room, *words, seat=0):
    said, left = [], list(words)

    def read(_):
        if not left:
            raise EOFError
        return left.pop(0)

    converse(Session(solution, seat, seed=1), read, lambda text="": said.append(text), room)
    return said


def test_the_maze_is_drawn_in_the_terminal_where_it_has_room(solved):
    solution = solved(RobotMaze(2, 3))
    said = told(solution, Room(40), "1")
    board = said[said.index("+--+--+  +") :][:5]
    assert board[0] == "+--+--+  +" and board[4] == "+--+--+--+" and board[3].startswith("|^") and {len(line) for line in board} == {10}
    assert said.count("+--+--+--+") == 2  # again after the move
    assert said[said.index(board[4]) + 1].startswith("column 0, row 0, looking up")
    assert not any("+--" in line for line in told(solution, Room(9)) + told(solution, None))


def test_races_hands_and_charts_are_drawn_from_what_the_page_draws(solved):
    bars = told(solved(Pig(8)), Room(70), "1", "1", seat=1)
    mine, theirs = (next(line for line in bars if line.startswith(who)) for who in ("you  ", "opponent  "))
    assert mine == "you       " + "·" * 40 + "  0 of 8" and len(theirs) == len(mine) and theirs.endswith(" of 8")
    plain = told(solved(Pig(8)), Room(40, is_plain=True))
    assert "you       " + "." * 22 + "  0 of 8" in plain  # as long as there is room
    hands = told(solved(GobbletGobblers(2, 1)), Room(80))
    assert "you, in hand: 1 of x2  1 of x1" in hands and "opponent, in hand: 1 of o2  1 of o1" in hands
    chart = {"kind": "chart", "points": [(x, x) for x in range(1, 9)], "x": "price", "y": "glasses"}
    assert drawn([chart], Room(80), str, "a day") == ["glasses, 1 to 8: ▁▂▃▄▅▆▇█  price 1 to 8"]
    assert drawn([chart], Room(80, is_plain=True), str, "a day") == drawn([chart], Room(20), str, "a day") == []
    cells = [{"pieces": [{"text": "a"}], "look": k} for k in ("out", "dark", "marked", "plain")]
    looks = {"kind": "grid", "label": "claims", "cells": [cells]}
    assert drawn([looks], Room(80), str, "one line") == ["claims: -  (a)  [a]  a"] and drawn([looks], Room(80), str, "two\nlines") == []


def test_bars_are_as_long_as_what_they_stand_for():
    bars = [{"owner": 0, "value": 5, "more": 5, "of": 20}, {"owner": 1, "value": 20, "of": 20}]
    lines = drawn([{"kind": "bars", "bars": bars}], Room(80), ("you", "opponent").__getitem__, "")
    assert lines == ["you       " + "█" * 10 + "▒" * 10 + "·" * 20 + "  5 + 5 of 20", "opponent  " + "█" * 40 + "  20 of 20"]


def test_a_negative_number_names_no_action():
    """-1 was "take 1"."""
    choices = [Choice(k, f"take {k}", 0.0, (0.0, 0.0), 0.0) for k in (1, 2)]
    assert _spelt("-1", choices) == _spelt("- 2", choices) == [] and _spelt("1", choices) == choices[:1] == _spelt("t1", choices)

"""What a solution says of itself, and what it says when asked for something it does not have."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.answers.stored import StoredAnswers
from zermelo.basics.numbers import digits, percent_text, probability_text
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games.card_draw import CardDraw
from zermelo.games.card_draw import State as Deck
from zermelo.games.gobblet import GobbletGobblers
from zermelo.games.left_center_right import LeftCenterRight
from zermelo.games.pig import Pig
from zermelo.views.strategies import strategies
from zermelo.views.table import rarities


@pytest.fixture(scope="module")
def deck():
    return zermelo.solve(CardDraw())


def test_value_and_interval(deck):
    exact = Fraction(41984711742427, 15997372030584)
    assert deck.value == 2.624475548993925
    assert Fraction(deck.low) < exact < Fraction(deck.high)
    assert deck.high - deck.low < 1e-12
    assert deck.certificate.kind == "bound" and not deck.is_exact
    assert deck.payoffs == {"payoff": deck.value} and deck.bounds == {"payoff": (deck.low, deck.high)}


def test_probe(deck):
    probe = deck.probe(Deck(10, 12))
    assert probe.action == max(probe.actions, key=probe.actions.get) and max(probe.actions.values()) == probe.value
    assert str(probe).splitlines()[1:] == ["  draw  $0.499183479   best", "  stop  $0"]
    over = deck.probe(Deck(0, 0))
    assert over.action is None and over.actions == {} and over.value == 0
    assert deck.policy(Deck(1, 26)) == deck.best_action(Deck(1, 26))


def test_a_state_that_was_not_reached_is_an_error_that_says_so(deck):
    with pytest.raises(zermelo.UnreachableState, match=r"can't be reached from State\(red=26, black=26\)"):
        deck.probe(Deck(27, 0))
    with pytest.raises(zermelo.UnreachableState):
        deck.probe(Deck(-1, 0))
    with pytest.raises(zermelo.ParameterError, match="not a state of CardDraw"):
        deck.probe((1, 2))
    with pytest.raises(zermelo.ParameterError, match="not a state"):
        deck.probe(Deck(1.5, 2))


def test_places_that_were_looked_up_are_remembered_and_forgotten(monkeypatch):
    monkeypatch.setattr("zermelo.states.space.REMEMBERED", 3)
    board = zermelo.solve(GobbletGobblers(1, 5, False))
    space = board.space
    states = list(space)[:40]
    for _ in range(2):
        assert [space.rank(s) for s in states] == list(range(40)) and len(space._found) <= 3
        with pytest.raises(zermelo.ParameterError, match="not a state"):
            space.rank(tuple(states[39]))  # equal to one that is known, and none


def test_space_is_a_bijection_in_the_order_of_states(deck):
    states = list(deck.space)
    assert len(states) == deck.space.size == len(deck.space) == 27 * 27
    assert states == sorted(states)
    assert all(deck.space.rank(s) == i and deck.space.unrank(i) == s for i, s in enumerate(states))
    assert Deck(3, 4) in deck.space and Deck(30, 4) not in deck.space
    with pytest.raises(IndexError):
        deck.space.unrank(27 * 27)


def test_tables(deck):
    frame = deck.to_dataframe()
    assert len(frame) == 729 and list(frame.columns) == ["red", "black", "value", "error", "action"]
    grid = deck.to_xarray()
    assert float(grid["value"].sel(red=26, black=26)) == deck.value
    assert np.array_equal(np.asarray(grid["value"]).ravel(), deck.values)


def test_arrays_take_no_state_as_index(tmp_path, in_python):
    """A state is a tuple to numpy: `values` of a state with one field, and `payoff_values` of one with two, gave those of other states."""
    solution = zermelo.solve(Pig(4))
    solution.save(tmp_path / "pig")
    for of in (solution, zermelo.open(tmp_path / "pig")):
        start = of.space.unrank(0)
        for array in (of.values, of.errors, of.payoff_values, of.action_numbers):
            with pytest.raises(ParameterError, match=r"index them with solution\.space\.rank\(state\), not with the state"):
                array[start]
            assert type(array[:2]) is type(array + 1) is type(array == array) is np.ndarray and not np.ndim(array.max())
        assert of.values[of.space.rank(start)] == of.probe(start).value and repr(of.values) == repr(np.array(of.values))


def test_states_that_do_not_form_a_box():
    class Place(NamedTuple):
        x: int
        y: int

    class Diagonal(NamedTuple):
        def start(self):
            return Place(0, 0)

        def outcomes(self, s):
            if s.x < 200:
                yield 1, 1, Place(s.x + 1, s.y + 1)

    with pytest.raises(zermelo.OutOfReach, match="to_dataframe"):
        zermelo.solve(Diagonal()).to_xarray()


def test_several_payoffs():
    table = zermelo.solve(LeftCenterRight(2, 1))
    assert list(table.payoffs) == ["turns", "seat 1 wins", "seat 2 wins"]
    assert table.value == table.payoffs["turns"] == pytest.approx(2)
    assert table.payoffs["seat 1 wins"] == pytest.approx(1 / 3)


def test_symmetric_positions_share_a_value_and_each_has_its_own_best_move():
    solution = zermelo.solve(GobbletGobblers(1, 5, False))
    game = solution.game
    state = game.start()
    for action in game.actions(state):
        reply = next(iter(game.outcomes(state, action)))[2]
        probe = solution.probe(reply)
        assert probe.value == 0 and probe.actions[probe.action] == 0
        assert probe.action in list(game.actions(reply))


class Two(NamedTuple):
    left: int
    right: int


class Symmetric(NamedTuple):
    """Which of the two numbers rises is chance. In one position of many rules fail, and its mirror image stands for it."""

    wrong: Two = Two(55, 21)

    def start(self):
        return Two(0, 0)

    def actions(self, s):
        if s.left == self.wrong[0] and s.right == self.wrong[1]:
            raise KeyError("wrong")
        if s.left < 60 and s.right < 60:
            yield 0
            yield 1

    def outcomes(self, s, action):
        yield 1, action, Two(s.left + 1, s.right)
        yield 1, action, Two(s.left, s.right + 1)

    def symmetries(self, s):
        yield Two(s.right, s.left)


def test_rules_that_fail_in_a_mirror_image_are_told_when_it_is_asked_about(in_python):
    """The exception of the rules was shown as it was raised."""
    solution = zermelo.solve(Symmetric())
    assert solution.best_action(Two(21, 55)) == 1
    for ask in (solution.probe, solution.best_action, lambda s: solution.action_value(s, 1), lambda s: solution.moves_after(s, 1)):
        with pytest.raises(zermelo.RulesError, match=r"raised KeyError: 'wrong' at Two\(left=55, right=21\) \(test_solution.py line"):
            ask(Two(55, 21))


def test_distances_count_the_moves_to_the_end():
    from zermelo.games.gobblet import State as Board

    solution = zermelo.solve(GobbletGobblers(1, 5, False))
    won = solution.probe(Board((0b000000011, 0b000011000)))  # two in a row, to move
    assert (won.value, won.distance) == (1.0, 1)
    assert (solution.values != 0).sum() == 614 and len(solution.values) == 765


def test_printed_digits_are_reliable():
    assert digits(0.123456789, 0.123456, 0.123457) == "0.12346" or digits(0.123456789, 0.123456, 0.123457) == "0.1235"
    assert digits(1.0, 1.0, 1.0) == "1"
    assert digits(0.5, 0.5, 0.5) == "0.5"
    assert digits(Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)) == "1/3"
    assert repr(zermelo.solve(CardDraw(2, 2), exact=True)) == "<Solution of CardDraw(red=2, black=2): value 2/3>"


def test_the_solver_follows_from_the_structure():
    choices = {
        CardDraw(5, 5): zermelo.Backward,
        Pig(5): zermelo.Cyclic,
        GobbletGobblers(1, 2, True): zermelo.Retrograde,
    }
    for game, solver in choices.items():
        assert isinstance(zermelo.choose(zermelo.examine(game)), solver)
    assert isinstance(zermelo.choose(zermelo.examine(GobbletGobblers(1, 2, True)), discount=0.9), zermelo.Cyclic)


class Ones(NamedTuple):
    matches: int


class Forced(NamedTuple):
    """Whoever takes the last match wins; one match at a time: nobody has a choice."""

    passes: int = -1

    def start(self) -> Ones:
        return Ones(3)

    def actions(self, s):
        if s.matches > 0:
            yield 1

    def outcomes(self, s, take):
        yield 1, 0, Ones(s.matches - take), self.passes

    def payoff(self, s):
        return self.passes


def test_where_nobody_has_a_choice_a_win_is_proven_and_its_moves_are_counted(capsys):
    solution = zermelo.solve(Forced())
    assert (solution.value, solution.certificate.kind, solution.probe(Ones(3)).distance) == (1, "proof", 3)
    assert solution.census() == {"won": [(1, 1), (3, 1)], "lost": [(0, 1), (2, 1)], "drawn": []}
    assert "nobody has a choice, acyclic, deterministic" in solution.report.summary
    main(["solve", f"{__file__}:Forced"])
    assert "value              1, a win for the player who moves first, in 3 moves" in capsys.readouterr().out
    main(["solve", f"{__file__}:Forced", "--passes", "1"])  # a puzzle without a choice
    assert "value              1, in 3 moves\n" in capsys.readouterr().out
    main(["check", f"{__file__}:Forced", "--passes", "1"])
    assert "seen: nobody has a choice, no chance, play never returns to a state, 4 states" in capsys.readouterr().out


def test_importing_zermelo_imports_neither_numba_nor_numpy():
    code = "import sys, zermelo; print([m for m in ('numba', 'numpy', 'scipy', 'pandas', 'matplotlib') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_a_stored_solution_opens_without_the_engine(tmp_path):
    zermelo.solve(CardDraw(6, 6), exact=True).save(tmp_path / "six.zermelo")
    code = (
        "import sys, zermelo\n"
        f"s = zermelo.open({str(tmp_path / 'six.zermelo')!r})\n"
        "print(s.value, s.probe(s.game.start()).action, [m for m in ('numba', 'scipy', 'flint') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
        == "284/231 1 []"
    )


class Steps(NamedTuple):
    """A game whose states have a field that never changes."""

    class At(NamedTuple):
        place: int
        side: int = 3

    def start(self):
        return self.At(0)

    def actions(self, s):
        if s.place < 4:
            yield 1
            yield 2

    def outcomes(self, s, a):
        yield 1, 1, self.At(s.place + a)


def test_a_field_that_never_changes_is_saved_and_opened(tmp_path):
    zermelo.solve(Steps()).save(tmp_path / "steps.solution")
    assert zermelo.open(tmp_path / "steps.solution", Steps()).value == zermelo.open(tmp_path / "steps.solution").value == 4


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("game", [CardDraw(4, 6), Pig(5), GobbletGobblers(1, 2, False), LeftCenterRight(2, 2)], ids=str)
def test_saved_and_opened_is_the_same(game, exact, tmp_path, in_python):
    solution = zermelo.solve(game, exact=exact)
    solution.save(tmp_path / "file")
    opened = zermelo.open(tmp_path / "file")
    assert opened.game == game and opened.certificate == solution.certificate and opened.bounds == solution.bounds
    for name in ("values", "errors", "action_numbers", "payoff_values"):
        assert np.array_equal(getattr(opened, name), getattr(solution, name))
    assert [opened.probe(s) for s in opened.space] == [solution.probe(s) for s in solution.space]
    assert opened.evaluate(opened.policy).value == pytest.approx(float(solution.value))


def test_what_is_known_of_a_state_is_found_once(in_python: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """`zermelo page` asked ten times for each state. What only compares equal to a state is refused before and after."""
    solution, found = zermelo.solve(CardDraw(4, 4)), []
    place = StoredAnswers.place
    monkeypatch.setattr(StoredAnswers, "place", lambda self, state: (place(self, state), found.append(state))[0])
    for _ in range(2):
        for wrong in ((3, 2), Deck(3.0, 2), [3, 2]):
            with pytest.raises(ParameterError, match="is not a state of CardDraw"):
                solution.probe(wrong)
        probe = solution.probe(Deck(3, 2))
        assert probe.value == solution.probe(Deck(3, 2)).value == max(probe.actions.values())
    assert sorted(found) == [Deck(0, 0), Deck(2, 2), Deck(3, 1), Deck(3, 2)]


def test_only_0_is_written_as_0_and_only_1_as_1():
    """Probabilities of 1e-7 and 1 - 1e-7 in mixtures were 0.000000 and 1.000000, and in percent 100."""
    texts = {
        0: ("0.000000", "0"), 1: ("1.000000", "100"), 1 / 3: ("0.333333", "33.33"), Fraction(1, 10**7): ("1e-07", "1e-05"),
        1 - Fraction(1, 10**7): ("0.9999999", "99.99999"), 0.00004: ("0.000040", "0.004"),
        1 - 2**-53: (f"over 0.{15 * '9'}", f"over 99.{12 * '9'}"),
        Fraction(1, 10**400): ("1e-400", "1e-398"),
    }  # fmt: skip
    assert {p: (probability_text(p), percent_text(p)) for p in texts} == texts
    table = strategies(zermelo.matrix_game([[1, 0], [0, 10**7]]))
    assert table.notes[-1].startswith("0.000000 and 1.000000 are rounded") and not rarities([0.5, 0.5, 0, 1], 6)

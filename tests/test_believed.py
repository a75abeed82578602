"""What is believed of the rules is named, and noticed where it is not true; remarks on states that only the search meets."""

from typing import NamedTuple

import pytest

import zermelo
from zermelo.engines.stages import spaces
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules
from zermelo.spaces import compositions


class Coins(NamedTuple):
    coins: tuple[int, ...]
    player: int


class Passing(NamedTuple):
    """Three players pass coins round or lose them; `wrong`: at one state the second seat is skipped, so that the seats are not alike."""

    coins: int = 2
    wrong: bool = False
    payoffs = ("turns", "first", "second", "third")

    def start(self):
        return Coins((self.coins,) * 3, 0)

    def outcomes(self, s):
        if (s.coins[0] > 0) + (s.coins[1] > 0) + (s.coins[2] > 0) > 1:
            after = (s.player + 1) % 3
            given = min(s.coins[s.player], 1)
            yield 1, (1, 0, 0, 0), Coins(tuple(s.coins[i] + given * ((i == after) - (i == s.player)) for i in range(3)), after)
            yield 1, (1, 0, 0, 0), Coins(tuple(s.coins[i] - given * (i == s.player) for i in range(3)), after)
            if self.wrong and s.player == 0 and s.coins == (1, 0, 2):
                yield 5, (1, 0, 0, 0), Coins(s.coins, 2)
            else:
                yield 1, (1, 0, 0, 0), Coins(s.coins, after)

    def payoff(self, s):
        return 0, int(s.coins[0] > 0), int(s.coins[1] > 0), int(s.coins[2] > 0)

    def stage(self, s):
        return 3 * self.coins - sum(s.coins)

    def space(self, stage):
        left = 3 * self.coins - stage
        return (compositions(left, 3), range(1)) if left > 0 else None

    def turned(self, s):
        return Coins(tuple(s.coins[(s.player + i) % 3] for i in range(3)), 0), s.player

    def seats(self):
        return ("first", "second", "third")


def test_what_an_answer_rests_on_is_named(tmp_path):
    solution = zermelo.solve("tic-tac-toe")
    assert solution.certificate.argument.endswith("; believed of the rules, and compared with them at some states only: `symmetries`")
    assert solution.report.facts["believed"] == "symmetries"
    solution.save(tmp_path / "t.zermelo")
    assert zermelo.open(tmp_path / "t.zermelo").certificate == solution.certificate
    assert "`turned`" in zermelo.solve("left-center-right").certificate.argument
    assert "`urn`" in zermelo.solve("card-draw", red=5000, black=5000).certificate.argument
    assert "believed" not in zermelo.solve("pig", goal=5).certificate.argument


def test_a_table_that_is_not_alike_for_all_seats_is_noticed_by_the_certificate(tmp_path, monkeypatch):
    monkeypatch.setattr(spaces, "check_laws", lambda stages, sample: None)  # as if no state of the sample showed it
    zermelo.solve(Passing()).export_certificate(tmp_path / "right.cert")
    wrong = zermelo.solve(Passing(wrong=True))
    with pytest.raises(zermelo.RulesError, match="the turns lies between .* as the engine stages solved it, but .*: `turned` does not"):
        wrong.export_certificate(tmp_path / "wrong.cert")
    assert not (tmp_path / "wrong.cert").exists()


class Late(NamedTuple):
    """Ways that nearly sum to 1, far from the start."""

    n: int = 3000
    part: float = 0.4999

    class S(NamedTuple):
        x: int

    def start(self):
        return self.S(0)

    def outcomes(self, s):
        if s.x < self.n:
            yield 0.5, 1, self.S(s.x + 1)
            yield (self.part if s.x == self.n - 700 else 0.5), 0, self.S(s.x + 1)


class LateStage(Late):
    """The same in stages."""

    S = Late.S

    def stage(self, s):
        return s.x // 100

    def space(self, stage):
        return (range(100 * stage, min(100 * stage + 100, self.n + 1)),) if 100 * stage <= self.n else None


def test_ways_that_nearly_sum_to_1_are_told_in_stages_too(in_python):
    found = [zermelo.solve(game).report for game in (LateStage(1099), LateStage(1099, part=0.5))]
    assert all(report.engine == "stages" for report in found)
    (note,), none = ([n for n in report.notes if n.startswith("the ways")] for report in found)
    assert note.startswith("the ways at S(x=399) sum to 0.9999") and not none


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_ways_that_nearly_sum_to_1_are_told_wherever_they_are(tier):
    with only(tier):
        found = [zermelo.solve(game).report for game in (Late(), Late(part=0.5), Late(n=800))]
    assert all(report.facts["interpreted"] == (tier == "interpreted") for report in found)
    (note,), none, (_,) = ([n for n in report.notes if n.startswith("the ways")] for report in found)  # in the last the sample has it, too
    assert note == "the ways at S(x=2300) sum to 0.9999: each counts as its share of the sum; probabilities would sum to 1" and not none


class Place(NamedTuple):
    x: int


class Three(NamedTuple):
    """States 1, 2 and 3 are said to be symmetric, but in one of them, which play does not reach but for its mirror images, more is paid."""

    other: int = 2

    def start(self):
        return Place(0)

    def actions(self, s):
        if s.x < 4:
            yield 0

    def outcomes(self, s, action):
        yield 1, 0 if s.x != self.other else 5, Place(1 if s.x == 0 else 4)

    def symmetries(self, s):
        if 1 <= s.x <= 3:
            for x in range(1, 4):
                if x != s.x:
                    yield Place(x)


@pytest.mark.parametrize("other", [1, 2, 3])
def test_in_small_games_states_are_compared_with_all_that_are_said_to_be_symmetric(other):
    with pytest.raises(zermelo.RulesError, match="`symmetries` calls Place.x=.. and Place.x=.. the same, but other things can happen"):
        zermelo.solve(Three(other), exact=True)
    assert zermelo.solve(Three(9), exact=True).value == 0


class Round(Passing):
    """From (2, 0, 2) on; `wrong`: the first seat keeps its coins more often there, and no other seat where the table is the same to it."""

    def start(self):
        return Coins((self.coins, 0, self.coins), 0)

    def outcomes(self, s):
        if (s.coins[0] > 0) + (s.coins[1] > 0) + (s.coins[2] > 0) > 1:
            after, before, given = (s.player + 1) % 3, (s.player + 2) % 3, min(s.coins[s.player], 1)
            yield 2 + (self.wrong and s == Coins((2, 0, 2), 0)), (1, 0, 0, 0), Coins(s.coins, after)
            yield 1, (1, 0, 0, 0), Coins(tuple(s.coins[i] + given * ((i == before) - (i == s.player)) for i in range(3)), after)
            yield 1, (1, 0, 0, 0), Coins(tuple(s.coins[i] - given * (i == s.player) for i in range(3)), after)

    def stage(self, s):
        return 2 * self.coins - sum(s.coins)

    def space(self, stage):
        left = 2 * self.coins - stage
        return (compositions(left, 3), range(1)) if left > 0 else None


def test_in_small_games_every_table_is_compared_with_the_turned_one():
    """How many states the sample holds depends on the time that finding them takes; the wrong table was not among 41 of 87."""
    rules, wrong = Rules(Round()), Rules(Round(wrong=True))
    assert spaces.checked_stages(rules, [rules.start]).num_states == 34
    with pytest.raises(zermelo.RulesError, match="`turned` takes .* for .*, but other things can happen there"):
        spaces.checked_stages(wrong, [wrong.start])

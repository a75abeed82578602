"""UMB files say what the game says: read back by umbi, and solved by Storm where stormpy is installed."""

from __future__ import annotations

import sys
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import FileError, OutOfReach
from zermelo.problem.transitions import Transitions
from zermelo.uses.umb import OVER, Exported, export_game, unfold

codec = pytest.importorskip("umbi.umb.umb_to_tar")
tar = pytest.importorskip("umbi.tar")

Outcome = tuple[Any, int, int, Any]  # ways, next state, sign, payoff or payoffs
State = tuple[int, list[list[Outcome]], Any]  # player, actions, final payoff


def game_of(states: list[State], payoffs: int = 1) -> Transitions:
    """Transitions written out as a list."""
    rows = [row for _, actions, _ in states for row in actions]
    outcomes = [o for row in rows for o in row]
    starts = [np.cumsum([0, *map(len, parts)]) for parts in ([a for _, a, _ in states], rows)]
    return Transitions(
        low=0,
        high=len(states),
        action_start=starts[0],
        outcome_start=starts[1],
        ways=np.array([o[0] for o in outcomes], dtype=np.float64),
        next=np.array([o[1] for o in outcomes], dtype=np.int32),
        sign=np.array([o[2] for o in outcomes], dtype=np.int8),
        payoff=np.array([o[3] for o in outcomes], dtype=np.float64).reshape(-1, payoffs),
        final_payoff=np.array([f for _, _, f in states], dtype=np.float64).reshape(-1, payoffs),
        player=np.array([p for p, _, _ in states], dtype=np.int8),
    )


def value_of(t: Transitions, start: int) -> Fraction:
    """The value of an acyclic game, straight from the definition."""

    @cache
    def value(i: int) -> Fraction:
        rows = range(t.action_start[i], t.action_start[i + 1])
        if not rows:
            return Fraction(float(t.final_payoff[i, 0]))
        return (min if t.player[i] else max)(map(of_row, rows))

    def of_row(row: int) -> Fraction:
        outcomes = range(t.outcome_start[row], t.outcome_start[row + 1])
        ways = [Fraction(float(t.ways[k])) for k in outcomes]
        gains = [Fraction(float(t.payoff[k, 0])) + int(t.sign[k]) * value(int(t.next[k])) for k in outcomes]
        return sum((w * g for w, g in zip(ways, gains, strict=True)), Fraction(0)) / sum(ways)

    return value(start)


class Decoder(codec.UmbDecoder):  # type: ignore[misc]
    """umbi's own, except that umbi 0.2.5 can't read variables with bitstring 5."""

    def read_valuation_files(self, umb: Any) -> None:
        return


class File:
    """What a UMB file says, as umbi reads it."""

    def __init__(self, path: Path):
        decoder = Decoder(path)
        self.umb = decoder.decode(strict=not any("valuations" in name for name in decoder))
        self.system = self.umb.index.transition_system

    @property
    def start(self) -> int:
        return int(self.umb.state_is_initial[: self.system.num_states].index(True))

    def value(self, reward: str = "payoff") -> Any:
        """Expected reward until the state labelled "over"."""
        umb = self.umb
        over = umb.annotations["aps"][OVER]["states"]
        gain = umb.annotations["rewards"][reward]["choices"]
        player = umb.state_to_player or [0] * self.system.num_states

        @cache
        def value(i: int) -> Any:
            choices = range(umb.state_to_choices[i], umb.state_to_choices[i + 1])
            return 0 if over[i] else (min if player[i] else max)(map(of_choice, choices))

        def of_choice(choice: int) -> Any:
            branches = range(umb.choice_to_branches[choice], umb.choice_to_branches[choice + 1])
            assert sum(umb.branch_to_probability[b] for b in branches) == pytest.approx(1, abs=1e-15)
            return gain[choice] + sum(umb.branch_to_probability[b] * value(umb.branch_to_target[b]) for b in branches)

        return value(self.start)


def card_draw(n: int) -> tuple[Transitions, int, dict[str, np.ndarray]]:
    """n red cards pay 1, n black ones cost 1; stop (action 0) or draw (action 1)."""
    decks = sorted([(r, b) for r in range(n + 1) for b in range(n + 1)], key=sum)
    number = {deck: i for i, deck in enumerate(decks)}
    states: list[State] = []
    for r, b in decks:
        stop = [(1, 0, 1, 0)]
        draw = [(r, number.get((r - 1, b), 0), 1, 1), (b, number.get((r, b - 1), 0), 1, -1)]
        states.append((0, [stop, draw] if r + b else [], 0))
    columns = {"red": np.array([r for r, _ in decks]), "black[0]": np.array([b for _, b in decks])}
    return game_of(states), number[n, n], columns


# --- what the file says ----------------------------------------------------------------------------------------------


def test_card_draw(tmp_path: Path) -> None:
    game, start, _ = card_draw(4)
    exported = export_game(game, tmp_path / "cards.umb", start=start, name="card draw", comment="4 and 4")
    assert exported == Exported(26, 1, True, ('R{"payoff"}max=? [F "over"]',))
    file = File(tmp_path / "cards.umb")
    assert file.value() == value_of(game, start) == 1
    assert (file.umb.index.model_data.name, file.umb.index.model_data.comment) == ("card draw", "4 and 4")
    assert file.system.num_choices == 2 * 24 + 1 + 1
    assert all(isinstance(p, Fraction) for p in file.umb.branch_to_probability)
    assert list(tmp_path.iterdir()) == [tmp_path / "cards.umb"]


def test_choices_keep_the_order_of_actions(tmp_path: Path) -> None:
    ends: list[State] = [(0, [], v) for v in (5, 7, 6)]
    game = game_of([*ends, (1, [[(1, i, 1, 0)] for i in (2, 0, 1)], 0)])
    export_game(game, tmp_path / "game.umb", start=3)
    umb = File(tmp_path / "game.umb").umb
    assert umb.branch_to_target == [4, 4, 4, 2, 0, 1, 4]
    assert umb.annotations["rewards"]["payoff"]["choices"] == [5, 7, 6, 0, 0, 0, 0]


def test_outcomes_that_meet_are_joined_and_impossible_ones_dropped(tmp_path: Path) -> None:
    row: list[Outcome] = [(1, 1, 1, 6), (0, 0, 1, 99), (2, 0, 1, 0), (3, 1, 1, -1)]
    game = game_of([(0, [], 0), (0, [], 3), (0, [row], 0)])
    assert export_game(game, tmp_path / "game.umb", start=2).players == 0
    umb = File(tmp_path / "game.umb").umb
    first, last = umb.choice_to_branches[umb.state_to_choices[2] : umb.state_to_choices[2] + 2]
    assert umb.branch_to_target[first:last] == [0, 1]
    assert umb.branch_to_probability[first:last] == [Fraction(1, 3), Fraction(2, 3)]
    assert umb.annotations["rewards"]["payoff"]["choices"][2] == Fraction(1, 2)


def test_by_products_of_choices_are_not_asked_for(tmp_path: Path) -> None:
    """A model checker would choose by them: best play gets (1, 0), and the property of the second payoff would be worth 5."""
    row = [[(1, 0, 1, (1, 0))], [(1, 0, 1, (0, 5))]]
    game = game_of([(0, [], (0, 0)), (0, row, (0, 0))], payoffs=2)
    exported = export_game(game, tmp_path / "game.umb", start=1, payoffs=("money", "moves"))
    assert exported.players == 1 and exported.properties == ('R{"money"}max=? [F "over"]',)
    assert set(File(tmp_path / "game.umb").umb.annotations["rewards"]) == {"money", "moves"}


def test_several_payoffs(tmp_path: Path) -> None:
    game = game_of([(0, [], (1, 0.5)), (0, [[(1, 0, 1, (2, -1))]], (0, 0))], payoffs=2)
    exported = export_game(game, tmp_path / "game.umb", start=1, payoffs=("Turns played", "money"))
    assert exported.properties == ('R{"turns_played"}=? [F "over"]', 'R{"money"}=? [F "over"]')
    file = File(tmp_path / "game.umb")
    assert (file.value("turns_played"), file.value("money")) == (3, Fraction(-1, 2))
    about = file.umb.index.annotations["rewards"]["turns_played"]
    assert about.description == "Turns played"
    assert about.alias == "turns_played"  # Storm asks for the alias: the property that `export_umb` returned was unknown to it


def test_payoffs_whose_plain_names_agree(tmp_path: Path) -> None:
    game = game_of([(0, [], (1, 2, 3))], payoffs=3)
    export_game(game, tmp_path / "game.umb", start=0, payoffs=("a b", "A-B", "?"))
    file = File(tmp_path / "game.umb")
    assert [file.value(n) for n in ("a_b_0", "a_b_1", "payoff")] == [1, 2, 3]


def test_payoffs_whose_plain_names_agree_with_the_name_of_another(tmp_path: Path) -> None:
    """One of them was lost: its name was that of the third."""
    game = game_of([(0, [], (1, 2, 3))], payoffs=3)
    exported = export_game(game, tmp_path / "game.umb", start=0, payoffs=("A", "a", "a_1"))
    assert exported.properties == tuple(f'R{{"{n}"}}=? [F "over"]' for n in ("a_0", "a_1_1", "a_1"))
    file = File(tmp_path / "game.umb")
    assert [file.value(n) for n in ("a_0", "a_1_1", "a_1")] == [1, 2, 3]


@pytest.mark.parametrize(
    "ways, payoff, is_exact",
    [
        (0.25, 0.5, True), (0.1, 1, True), (1, 0.1, True), (0.3, -0.07, True), (2.0**-20, 0.1, True), (1 / 3, 1, False), (1, 1 / 3, False),
        (1e-12, 1e12, True), (1e-12, 1e16, False), (2.0**-21, 1, True), (2.0**-54, 1, False),
        (1 << 52, 1, True), (1 << 53, 1, False), (3, 1 << 52, False), (3, 0.1 + 0.2, False),
    ],
)  # fmt: skip
def test_rationals_where_they_are_exact(tmp_path: Path, ways: float, payoff: float, is_exact: bool) -> None:
    """Decimals were written as floats, though exact solutions take them for decimals."""
    game = game_of([(0, [], 0), (0, [[(ways, 0, 1, payoff), (1, 1 - 1, 1, 0), (1, 2, 1, 0)]], 0), (0, [], 1)])
    exported = export_game(game, tmp_path / "game.umb", start=1)
    assert exported.is_exact == is_exact
    value = File(tmp_path / "game.umb").value()
    assert isinstance(value, Fraction) == is_exact
    w, p = (Fraction(str(number)) if is_exact else Fraction(number) for number in (ways, payoff))
    expected = (w * p + 1) / (w + 2)
    assert value == (expected if is_exact else pytest.approx(float(expected), rel=1e-15))


def test_sums_that_cancel_are_not_called_exact(tmp_path: Path) -> None:
    """The terms have more than 53 bits, the sum of the rounded ones has not: 3/8 was written for 9/8, and called exact."""
    large, most = 3002399751580331, 9007199254740991
    row: list[Outcome] = [(3, 0, 1, large), (3, 0, 1, 1 - large), (1, 0, 1, most), (1, 0, 1, -most)]
    assert not export_game(game_of([(0, [], 0), (0, [row], 0)]), tmp_path / "game.umb", start=1).is_exact
    row = [(3, 0, 1, 2.5), (5, 0, 1, -1.25)]
    assert export_game(game_of([(0, [], 0), (0, [row], 0)]), tmp_path / "game.umb", start=1).is_exact
    assert File(tmp_path / "game.umb").value() == Fraction(5, 32)


def test_two_players(tmp_path: Path) -> None:
    both = [[(1, 0, 1, 0)], [(1, 1, 1, 0)]]
    game = game_of([(0, [], 4), (0, [], 5), (1, both, 0), (0, [[(1, 2, 1, 0)], [(1, 0, 1, 0.5)]], 0)])
    exported = export_game(game, tmp_path / "game.umb", start=3)
    assert exported.players == 2 and exported.properties == ('<<max>> R{"payoff"}max=? [F "over"]',)
    file = File(tmp_path / "game.umb")
    assert file.umb.state_to_player == [0, 0, 1, 0, 0]
    assert file.system.player_to_name == ["max", "min"]
    assert file.value() == Fraction(9, 2)


def test_a_lone_minimiser(tmp_path: Path) -> None:
    game = game_of([(0, [], 4), (0, [], 5), (1, [[(1, 0, 1, 0)], [(1, 1, 1, 0)]], 0)])
    exported = export_game(game, tmp_path / "game.umb", start=2)
    assert exported.players == 1 and exported.properties == ('R{"payoff"}min=? [F "over"]',)


def test_variables_are_described(tmp_path: Path) -> None:
    game, start, columns = card_draw(2)
    export_game(game, tmp_path / "cards.umb", start=start, columns=columns)
    archive = tar.TarCoder(tmp_path / "cards.umb")
    table = np.frombuffer(archive["valuations/states/valuations.bin"], "<i8").reshape(-1, 2)
    np.testing.assert_array_equal(table[:-1], np.array(list(columns.values())).T)
    described = archive.read_json("index.json")["valuations"]["states"]["classes"][0]["variables"]
    assert [d["name"] for d in described] == ["red", "black_0"]


# --- PASS ------------------------------------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn, signs: tuple[int, ...] = (1, -1), most_actions: int = 3) -> Transitions:
    """Random acyclic games; the start is the last state."""
    states: list[State] = []
    for i in range(draw(st.integers(1, 7))):
        outcome = st.tuples(
            st.integers(1, 5), st.integers(0, max(i - 1, 0)), st.sampled_from(signs), st.integers(-4, 4)
        )
        actions = st.lists(st.lists(outcome, min_size=1, max_size=3), max_size=most_actions if i else 0)
        states.append((draw(st.integers(0, 1)), draw(actions), draw(st.integers(-4, 4))))
    t = game_of(states)
    return t._replace(final_payoff=np.where(np.diff(t.action_start)[:, None] > 0, 0, t.final_payoff))


@settings(max_examples=80, deadline=None)
@given(games())
def test_unfolding_keeps_the_value(game: Transitions) -> None:
    unfolded, start = unfold(game, game.high - 1)
    assert (unfolded.low, unfolded.high) == (0, 2 * game.high) and start == 2 * (game.high - 1)
    assert np.all(unfolded.sign == 1)
    for i in range(game.high):
        assert value_of(unfolded, 2 * i) == value_of(game, i) == -value_of(unfolded, 2 * i + 1)


@settings(max_examples=25, deadline=None)
@given(games())
def test_a_file_has_the_value_of_the_game(tmp_path_factory: pytest.TempPathFactory, game: Transitions) -> None:
    path = tmp_path_factory.mktemp("umb") / "game.umb"
    exported = export_game(game, path, start=game.high - 1)
    file = File(path)
    if exported.properties[0].startswith('R{"payoff"}min'):
        file.umb.state_to_player = [1] * file.system.num_states
    assert file.value() == value_of(game, game.high - 1)
    assert file.system.num_states == exported.states


def test_the_side_becomes_a_variable(tmp_path: Path) -> None:
    game = game_of([(0, [], 1), (0, [[(1, 0, -1, 0)]], 0)])
    export_game(game, tmp_path / "game.umb", start=1, columns={"n": np.array([7, 8]), "side": np.array([0, 1])})
    archive = tar.TarCoder(tmp_path / "game.umb")
    table = np.frombuffer(archive["valuations/states/valuations.bin"], "<i8").reshape(-1, 3)
    assert table.tolist() == [[7, 0, 0], [7, 0, 1], [8, 1, 0], [8, 1, 1], [-1, -1, -1]]


def test_variables_have_names_of_their_own(tmp_path: Path) -> None:
    """umbi refused the file: "side" was there twice, and so was "hand_0"."""
    game = game_of([(0, [], 1), (0, [[(1, 0, -1, 0)]], 0)])
    columns = {name: np.array([k, k]) for k, name in enumerate(("side", "side_", "hand[0]", "hand_0", "seen_by_side"))}
    export_game(game, tmp_path / "game.umb", start=1, columns=columns)
    archive = tar.TarCoder(tmp_path / "game.umb")
    table = np.frombuffer(archive["valuations/states/valuations.bin"], "<i8").reshape(-1, 6)
    assert table[:2].tolist() == [[0, 1, 2, 3, 4, 0], [0, 1, 2, 3, 4, 1]]
    described = archive.read_json("index.json")["valuations"]["states"]["classes"][0]["variables"]
    names = [d["name"] for d in described]
    assert names == ["side_0", "side_1", "hand_0_2", "hand_0_3", "seen_by_side_4", "seen_by_side_5"]
    Decoder(tmp_path / "game.umb").decode()


# --- Storm agrees ----------------------------------------------------------------------------------------------------


def storm_value(path: Path, exported: Exported) -> Any:
    stormpy = pytest.importorskip("stormpy")
    model = stormpy.build_model_from_umb(str(path))
    result = stormpy.model_checking(model, stormpy.parse_properties(exported.properties[0])[0])
    value = result.get_value(model.initial_states[0])
    return Fraction(str(value)) if exported.is_exact else value


def test_storm_solves_card_draw_exactly(tmp_path: Path) -> None:
    game, start, columns = card_draw(26)
    path = tmp_path / "cards.umb"
    exported = export_game(game, path, start=start, columns=columns)
    assert storm_value(path, exported) == Fraction(41984711742427, 15997372030584)


def test_storm_solves_floats(tmp_path: Path) -> None:
    game, start, _ = card_draw(5)
    path = tmp_path / "cards.umb"
    exported = export_game(game._replace(payoff=game.payoff / 3), path, start=start)
    assert not exported.is_exact
    assert storm_value(path, exported) == pytest.approx(float(value_of(game, start)) / 3, abs=1e-6)


def test_storm_solves_a_loop_with_losses(tmp_path: Path) -> None:
    """From 1: lose 1 and stay (99 ways) or finish; the value is -99 - 3. A minimiser may also leave at once for 5."""
    loop = [(99, 1, 1, -1), (1, 0, 1, -3)]
    game = game_of([(0, [], 0), (1, [loop, [(1, 0, 1, 5)]], 0)])
    path = tmp_path / "loop.umb"
    exported = export_game(game, path, start=1)
    assert storm_value(path, exported) == -102


def test_storm_solves_chance_with_pass(tmp_path: Path) -> None:
    """Players take turns to throw; 1 in 3 throws wins: the first has 3/5 - 2/5."""
    game = game_of([(0, [], 0), (0, [[(1, 0, 1, 1), (2, 1, -1, 0)]], 0)])
    path = tmp_path / "turns.umb"
    exported = export_game(game, path, start=1)
    assert exported.players == 0 and storm_value(path, exported) == Fraction(1, 5)


def test_storm_reads_the_variables_and_two_players(tmp_path: Path) -> None:
    stormpy = pytest.importorskip("stormpy")
    game, start, columns = card_draw(2)
    export_game(game, tmp_path / "cards.umb", start=start, columns=columns)
    model = stormpy.build_model_from_umb(str(tmp_path / "cards.umb"))
    assert model.model_type.name == "MDP"
    assert "red=2" in model.state_valuations.to_string(start) and "black_0=2" in model.state_valuations.to_string(start)
    game = game._replace(sign=-game.sign)
    export_game(game, tmp_path / "passes.umb", start=start)
    model = stormpy.build_model_from_umb(str(tmp_path / "passes.umb"))
    assert model.model_type.name == "SMG"
    assert model.nr_states == 19 and model.initial_states == [2 * start]


# --- what can go wrong -----------------------------------------------------------------------------------------------


def test_without_umbi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "umbi", None)
    with pytest.raises(OutOfReach, match=r"needs the package umbi .*: pip install 'zermelo\[umb\]'"):
        export_game(card_draw(1)[0], tmp_path / "game.umb", start=0)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't be written: No such file or directory"):
        export_game(card_draw(1)[0], tmp_path / "missing" / "game.umb", start=0)
    assert list(tmp_path.iterdir()) == []

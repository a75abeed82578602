"""Tables and pictures: the numbers that they show, and how they are printed and saved."""

import importlib
import io
import re
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from zermelo.basics.words import round_step
from zermelo.errors import FileError, ParameterError
from zermelo.games import (
    CardDraw,
    CoinPatterns,
    Dodgem,
    Dreidel,
    ExactPig,
    GobbletGobblers,
    Hog,
    LeftCenterRight,
    Pig,
    Piglet,
    RobotMaze,
    SolitairePig,
    TenThousand,
    card_draw_views,
    coin_patterns_views,
    pig_views,
    ten_thousand_views,
)
from zermelo.games.all_views import all_views, fitting, likely_views
from zermelo.games.catalogue import views_of
from zermelo.views import board_moves, filmstrip, plot, table
from zermelo.views.slices import choose_slice, sampled
from zermelo.views.words import finding

GAMES = [
    CardDraw(6, 5),
    SolitairePig(),
    Pig(15),
    Piglet(4),
    ExactPig(8),
    TenThousand(),
    GobbletGobblers(1, 5, False),
    LeftCenterRight(2),
    Dreidel(2, 3),
    CoinPatterns(flips=12),
]


@pytest.fixture(scope="module")
def solved():
    cache = {}

    def solve(game, exact=False):
        key = (type(game), game, exact)
        if key not in cache:
            cache[key] = zermelo.solve(game, exact=exact)
        return cache[key]

    return solve


def views(solution, kind, general):
    own = getattr(views_of(solution.game), kind)
    return {n: v for n, v in {**own, **general.VIEWS}.items() if v.fits(solution)}


def printed(shown, width=None):
    """A table as a terminal of some width shows it, or as a pipe gets it."""
    from rich.console import Console

    out = io.StringIO()
    terminal = width is not None
    table.print_table(
        shown,
        Console(file=out, width=width or 80, force_terminal=terminal, color_system="standard" if terminal else None),
    )
    return out.getvalue()


# --- every table and figure of the catalogue ---------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_every_table_is_rectangular_and_printable(solved, game):
    for name, view in views(solved(game), "TABLES", table).items():
        shown = view.make(solved(game), {})
        assert shown.title and shown.rows, name
        assert {len(row) for row in shown.rows} == {len(shown.columns)}, name
        assert all(0 <= i < len(shown.rows) and 0 <= j < len(shown.columns) for i, j in shown.marked), name
        assert shown.title.split()[0] in printed(shown)
        assert shown.as_json()["rows"]


@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_every_figure_is_drawn(solved, game, tmp_path, monkeypatch):
    monkeypatch.setattr(plot, "DOTS", 40)  # an inch
    own = views_of(game).FIGURES
    for name, view in views(solved(game), "FIGURES", plot).items():
        if name in own or game in GAMES[:3] or not own:  # those of all games in two fields, one, and one beside others
            plot.save(view.make(solved(game), {}), tmp_path / f"{name}.png")
            assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


# --- the numbers --------------------------------------------------------------------------------------------------------


def test_states_of_two_fields(solved):
    solution = solved(CardDraw(6, 5))
    shown = table.states(solution)
    assert shown.columns == ("red \\ black", *map(str, range(6)))
    assert [row[0] for row in shown.rows] == list(range(7))
    assert shown.rows[6][6] == pytest.approx(float(solution.value))
    assert shown.mark == "stop" and (0, 6) in shown.marked and (6, 6) not in shown.marked


def test_states_of_one_field(solved):
    shown = table.states(solved(SolitairePig()))
    assert shown.columns == ("total", "value", "best action")
    assert (19, pytest.approx(115 / 6), "roll") in shown.rows
    assert (20, 20, "hold") in shown.rows


def test_fields_can_be_fixed_and_chosen(solved):
    shown = table.states(solved(Pig(15)), {"theirs": 3}, "turn", "mine")
    assert shown.columns[0] == "turn \\ mine" and "theirs=3" in shown.title
    with pytest.raises(ParameterError, match="no field 'tern' .* did you mean turn"):
        table.states(solved(Pig(15)), {"tern": 3})
    with pytest.raises(ParameterError, match="no state with theirs=99"):
        table.states(solved(Pig(15)), {"theirs": 99})


def test_without_choice_the_fullest_pair_of_fields_is_shown(solved):
    assert table.states(solved(Pig(15))).columns[0] in ("mine \\ theirs", "mine \\ turn", "theirs \\ turn")
    assert len(table.states(solved(GobbletGobblers(1, 5, False))).rows) >= 1


def test_what_is_left_out_is_said(solved):
    shown = table.states(solved(CardDraw(40, 40)), limit=10)
    assert [row[0] for row in shown.rows] == [*range(0, 40, 5), 40]
    assert "9 of 41 values shown, evenly spread, of red" in shown.notes


def test_sampling_steps_are_round():
    assert [round_step(x) for x in (0.5, 1, 1.2, 3, 7, 11, 60, 230)] == [1, 1, 2, 5, 10, 20, 100, 500]
    values, note = sampled(np.arange(100), 12)
    assert list(values) == [*range(0, 100, 10), 99] and "11 of 100" in note
    assert [len(sampled(np.arange(8), limit)[0]) for limit in range(1, 9)] == [2, 2, 3, 3, 5, 5, 5, 8]  # never more than asked for
    assert sampled(np.arange(5), 5) == (pytest.approx(np.arange(5)), "")


def test_actions_of_one_state(solved):
    shown = table.actions(solved(CardDraw(6, 5)), {"red": 2, "black": 1})
    assert [row[0] for row in shown.rows] == ["draw", "stop"]
    assert shown.rows[1][2] == pytest.approx(shown.rows[0][1])


def test_boundary_of_the_card_draw(solved):
    for exact in (False, True):
        edge = card_draw_views.boundary(solved(CardDraw(), exact))
        assert edge == [0, 2, 4, 5, 7, 8, 9, 10, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 25, 26] + [None] * 6


def test_sample_games_stop_at_the_boundary(solved):
    solution = solved(CardDraw())
    stop = card_draw_views.stops(solution)
    paths = card_draw_views.sample_games(solution, 200, seed=1)
    assert np.mean([p[-1] for p in paths]) == pytest.approx(2.62, abs=0.5)
    for path in paths:
        for t, won in enumerate(path):
            red, black = 26 - (t + won) // 2, 26 - (t - won) // 2
            assert stop[red, black] == (t == len(path) - 1)


def test_hold_sets_of_pig(solved):
    solution = solved(Pig(100))
    assert pig_views.ranges(pig_views.hold_set(solution, 41, 49)) == "22-26, 28-56"
    assert pig_views.hold_totals(solution)[0, 0] == 21
    rows = pig_views.turn_table(solution).rows
    assert [(row[0], row[1]) for row in rows[:4]] == [
        ("0-21", "roll"),
        ("22-26", "hold"),
        ("27", "roll"),
        ("28-56", "hold"),
    ]


def test_ranges():
    assert pig_views.ranges([]) == ""
    assert pig_views.ranges([1, 2, 3, 5, 7, 8]) == "1-3, 5, 7-8"
    assert pig_views.ranges([0, 2, 3], among=[0, 2, 3]) == "0-3"


def test_exact_pig_queries_at_once_agree_with_probes(solved):
    solution = solved(ExactPig(8))
    rules = solution.rules
    for mine in range(8):
        for theirs in range(8):
            for turn in range(1, 9 - mine):
                values = solution.probe(type(rules.start)(mine, theirs, turn)).actions
                (strictly,) = pig_views.holds_strictly(solution, [mine], [theirs], [turn])
                assert strictly == (values[1] > values[0] + 1e-9)


def test_table_6_shows_where_going_on_is_better(solved):
    rows = ten_thousand_views.table_6(solved(TenThousand())).rows
    assert rows[0][1] == pytest.approx(5.872018918)
    assert rows[4][1:] == pytest.approx(
        (8.883, 6.476, 5.743, 5.021, 4.837, 5.021, None, 4.123, None), abs=5e-4, nan_ok=True
    )
    assert rows[-1][:4] == ("best", "roll", "roll", "back 5")


# --- printing and saving --------------------------------------------------------------------------------------------------


def test_a_terminal_shows_what_fits_and_says_so(solved):
    shown = card_draw_views.values(solved(CardDraw()))
    narrow = printed(shown, 80)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", narrow)
    assert max(map(len, plain.splitlines())) <= 80
    assert re.search(r"\d+ of 27 columns fit this terminal", plain) and "*: stop" in plain and "0.000*" in plain


def test_a_pipe_gets_everything_without_colours(solved):
    shown = card_draw_views.values(solved(CardDraw()))
    text = printed(shown)
    assert "\x1b" not in text and "columns fit" not in text and "0.000*" in text
    assert len(text.splitlines()[1].split()) == 30  # red \ black 26 ... 0


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_formats(tmp_path, suffix, solved):
    path = tmp_path / f"x{suffix}"
    plot.save(plot.values(solved(CardDraw(6, 5))), path)
    assert path.stat().st_size > 1000 and [p.name for p in tmp_path.iterdir()] == [path.name]


def test_a_failed_picture_leaves_the_old_one(tmp_path, solved, monkeypatch):
    path = tmp_path / "x.png"
    path.write_bytes(b"old")
    figure = plot.values(solved(CardDraw(6, 5)))

    def fails(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(type(figure), "savefig", fails)
    with pytest.raises(KeyboardInterrupt):
        plot.save(figure, path)
    assert path.read_bytes() == b"old" and [p.name for p in tmp_path.iterdir()] == ["x.png"]


def test_a_picture_is_written_as_other_files_are(tmp_path, solved):
    """What a killed process leaves is deleted by the next one, and a link stays one."""
    (tmp_path / ".x.svg.0123456789ab.tmp").write_text("half")
    (tmp_path / "link.svg").symlink_to("x.svg")
    plot.save(plot.values(solved(CardDraw(6, 5))), tmp_path / "link.svg")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.svg", "x.svg"] and (tmp_path / "link.svg").is_symlink()


def test_pictures_need_a_known_suffix_and_a_directory(tmp_path, solved):
    with pytest.raises(ParameterError, match="must end in one of"):
        plot.check_format("x.gif")
    with pytest.raises(FileError, match="can't write"):
        plot.save(plot.values(solved(CardDraw(6, 5))), tmp_path / "no" / "x.png")


def test_columns_of_a_grid_are_thinned_out_evenly(solved):
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed(card_draw_views.values(solved(CardDraw())), 80))
    heads = [int(word) for word in plain.splitlines()[1].split() if word.isdigit()]
    assert heads[0] == 26 and heads[-1] == 0 and 5 <= len(heads) <= 12
    assert len({a - b for a, b in zip(heads[:-1], heads[1:-1], strict=False)}) == 1  # the last one is kept, too


def test_symmetries_are_told_where_there_are_some():
    told = [plot.distances(zermelo.solve(game)).texts[1].get_text() for game in ("tic-tac-toe", Subtraction(4))]
    told_once = "Tic-tac-toe. 765 positions, those that are the same under symmetries counted once"
    assert told == [told_once, "Subtraction: size 4. 5 positions"]


def test_stopping_is_dark_in_every_picture(solved):
    """Rare or not, and whichever action the rules name first: to stop or hold is dark, to go on is pale."""
    for game, fix in ((CardDraw(6, 5), {}), (CardDraw(3, 9), {}), (Pig(40), {"theirs": 2})):
        legends = [axes.get_legend() for axes in plot.values(solved(game), fix).axes]
        pale, dark = next([text.get_text() for text in legend.get_texts()] for legend in legends if legend)
        assert (pale, dark) in {("draw", "stop"), ("roll", "hold")}


def test_no_legend_lies_on_a_map_of_actions(solved):
    figure = plot.values(solved(CardDraw(6, 5)), {})
    figure.draw_without_rendering()
    (axes,) = [axes for axes in figure.axes if axes.get_legend()]
    assert axes.get_legend().get_window_extent().x0 >= axes.get_window_extent().x1
    assert axes.get_legend().get_window_extent().x1 <= figure.bbox.x1


def test_tables_of_whole_numbers_have_no_decimals():
    """A table of losses in whole moves had six or nine zeros in every cell."""
    whole, other = zermelo.solve("tic-tac-toe"), zermelo.solve("card-draw", red=2, black=2)
    for made in (table.states, table.actions):
        cells = [made(whole).text(cell) for row in made(whole).rows for cell in row[1:] if isinstance(cell, float)]
        assert cells and set(cells) <= {"-1", "0", "1", "2"}
        assert any("." in made(other).text(cell) for row in made(other).rows for cell in row[1:] if isinstance(cell, float))
    assert table.Table("", (), ((-0.0,),), decimals=0).text(-0.0) == "0"
    rounded = table.Table("", (), ((-1e-16, -0.00004, -0.00006),), decimals=4)
    assert [rounded.text(cell) for cell in rounded.rows[0]] == ["0.0000", "0.0000", "-0.0001"]


@pytest.mark.parametrize("game", [RobotMaze(3, 3), RobotMaze(3, 3, noise=5)])
def test_places_on_a_plane_are_shown_as_such(game, in_python):
    """Of a robot in a maze, the map is rows by columns, and of heading and reading the one stays that shows the most cells."""
    chosen = choose_slice(zermelo.solve(game), {}, None, None)
    assert (chosen.rows, chosen.columns) == ("row", "column")
    if not game.noise:
        assert chosen.fixed == {"heading": 1} and len(chosen.indices) >= 6


def test_many_actions_have_a_key():
    """More than eight best actions shared a colour map that nothing explained."""
    figure = plot.values(zermelo.solve(Hog(60)))
    labels = [t.get_text() for axes in figure.axes for t in axes.get_yticklabels()]
    assert "1 die" in labels and "10 dice" in labels


def test_who_decides_nothing_does_not_play_best():
    assert finding(zermelo.solve(LeftCenterRight(3, 1))).endswith(" on average")


@pytest.mark.parametrize("goal", [2, 30, 45])
def test_a_boundary_that_is_never_met_is_the_finding(goal: int) -> None:
    """Pig to 30: a key to five lines stood beside none."""
    figure = pig_views.boundary_figure(zermelo.solve("pig", goal=goal))
    title, left = figure.texts[0].get_text(), figure.axes[0]
    has_lines = any(np.isfinite(line.get_ydata()).any() for line in left.lines[1:])
    assert (left.get_legend() is not None) == has_lines == (title != "Roll on to the goal: never hold before it") == (goal == 45)


# --- the views that help lists before anything is solved -----------------------------------------------------------------


@pytest.mark.parametrize("game", [*GAMES, Dodgem(3), RobotMaze(2)], ids=lambda g: type(g).__name__)
def test_help_lists_the_general_views_that_fit(solved, game, in_python):
    for kind, general in (("TABLES", table.VIEWS), ("FIGURES", {**plot.VIEWS, **filmstrip.VIEWS, **board_moves.VIEWS})):
        listed, fit = likely_views(game, kind), fitting(solved(game), kind)
        assert fit.keys() <= listed.keys()
        assert listed.keys() & general.keys() == fit.keys() & general.keys()


class Subtraction(NamedTuple):
    """Take one or two; who takes the last one wins. No picture."""

    size: int

    class State(NamedTuple):
        left: int

    def start(self):
        return self.State(self.size)

    def actions(self, s):
        for take in (1, 2):
            if take <= s.left:
                yield take

    def outcomes(self, s, take):
        yield 1, 0, self.State(s.left - take), -1

    def payoff(self, s):
        return -1


class Paid(Subtraction):
    """The same, but every move pays."""

    def outcomes(self, s, take):
        yield 1, take, self.State(s.left - take), -1


class Wrong(Subtraction):
    """Rules with a fault."""

    def outcomes(self, s, take):
        raise ValueError("not yet written")


def test_help_knows_results_from_payments_and_boards_from_none():
    assert list(likely_views(Subtraction(9), "FIGURES")) == ["distances", "values"]
    assert list(likely_views(Paid(9), "FIGURES")) == ["values"]


def test_help_of_wrong_rules_lists_all_views():
    assert likely_views(Wrong(9), "FIGURES") == all_views(Wrong(9), "FIGURES")


# --- pictures of a single number --------------------------------------------------------------------------------------------


class Row(NamedTuple):
    left: int
    at: int


class Level(NamedTuple):
    """Each step pays as much as it costs, in tenths; every play takes as many steps."""

    pay: float = 0.0
    steps: int = 3

    def start(self):
        return Row(self.steps, 0)

    def actions(self, s):
        if s.left:
            yield 0
            yield 1

    def outcomes(self, s, n):
        yield 1, 0.1 * (s.left + n), Row(s.left - 1, (s.at + n) % 2)
        yield 1, -0.1 * (s.left + n), Row(s.left - 1, (s.at + n) % 2)
        yield 2, 0, Row(s.left - 1, 0)

    def payoff(self, s):
        return self.pay


def ticks_of(axis):
    low, high = axis.get_view_interval()
    return [t for t in axis.get_ticklocs() if low <= t <= high]


def test_an_axis_of_one_whole_number_has_one_tick(solved):
    figure = plot.lengths(solved(Level()))
    assert ticks_of(figure.axes[0].xaxis) == [3.0]
    figure = plot.values(solved(Level()))
    assert all(float(t).is_integer() for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis) for t in ticks_of(axis))


def test_numbers_that_differ_by_rounding_do_not_fill_a_picture(solved):
    assert zermelo.study(Level, steps=[1, 2, 3]).figure().axes[0].get_ylim() == (-1.0, 1.0)
    assert zermelo.study(Level, pay=[1.0, 2.0]).figure().axes[0].get_ylim() == pytest.approx((0.95, 2.05))
    figure = plot.values(solved(Level()))
    assert [t.get_text() for t in figure.axes[-1].get_yticklabels()] == ["0"]
    assert plot.are_level(np.array([0.1 + 0.2, 0.3])) and not plot.are_level(np.array([0.3, 0.3001]))
    assert plot.are_level(np.array([1e-16, -1e-16, np.nan]), np.array([2e-15])) and not plot.are_level(np.array([1e-16, -1e-16]))
    assert not plot.are_level(np.array([0.1, -0.1]), np.array([0.3])) and not plot.are_level(np.array([np.nan]))


class Baskets(NamedTuple):
    first: int
    second: int
    third: int
    balls: int


class Sorting(NamedTuple):
    """Every ball goes into a basket or is lost: there is one state with all balls left."""

    balls: int = 4

    def start(self):
        return Baskets(0, 0, 0, self.balls)

    def actions(self, s):
        if s.balls:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s, basket):
        left = s.balls - 1
        yield 1, basket, Baskets(s.first + (basket == 0), s.second + (basket == 1), s.third + (basket == 2), left)
        yield 1, 0, Baskets(s.first, s.second, s.third, left)


def test_a_slice_of_one_state_says_so_and_which_field_shows_more():
    solution = zermelo.solve(Sorting())
    shown = table.states(solution, rows="first", columns="second")
    assert shown.notes[-1] == "this is one state of 70: --fix balls=N shows others (15 with 0)"
    more = table.states(solution, {"balls": 0}, "first", "second")
    assert sum(cell is not None for row in more.rows for cell in row[1:]) == 15 and "one state" not in "".join(more.notes)
    (about,) = [t.get_text() for t in plot.values(solution, {"balls": 4}).texts if "one state" in t.get_text()]
    assert about == "Sorting: balls 4; this is one state of 70" == f"Sorting: balls 4; {table.states(solution, {'balls': 4}).notes[-1]}"


@pytest.mark.parametrize(("red", "black"), [(1, 3), (3, 1), (2, 30), (12, 60)])
def test_small_decks_are_drawn_with_whole_cards_and_names_where_they_are_true(red: int, black: int) -> None:
    """"draw" stood where one stops, on an axis with halves of cards."""
    solution = zermelo.solve("card-draw", red=red, black=black)
    figure = card_draw_views.boundary_figure(solution)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    for said in axes.texts:
        b, r = (round(x) for x in said.get_position())
        assert (solution.probe(solution.state(r, b)).value == 0) == (said.get_text() == "stop")
    assert {said.get_text() for said in axes.texts} == {"stop", "draw"}
    assert all(float(tick).is_integer() for tick in [*axes.get_xticks(), *axes.get_yticks()])


def test_few_flips_are_drawn_with_plain_numbers() -> None:
    figure = coin_patterns_views.flips_figure(zermelo.solve("coin-patterns", flips=3))
    figure.draw_without_rendering()
    assert {"1", "2", "3"} <= {t.get_text() for t in figure.axes[0].get_xticklabels(which="both")} <= set("01234")


@pytest.mark.parametrize(
    ("game", "parameters", "module", "view"),
    [
        ("binary-search", {"n": 1}, "binary_search_views", "trees"),
        ("hog-simultaneous", {"goal": 2, "most_dice": 1}, "hog_simultaneous_views", "mixtures"),
    ],
)
def test_a_single_number_on_an_axis_has_a_tick_and_no_fractions_of_it(game, parameters, module, view):
    figures = importlib.import_module(f"zermelo.games.{module}").FIGURES
    axes = figures[view].make(zermelo.solve(game, **parameters), {}).axes[1]
    low, high = axes.get_xlim()
    assert len([tick for tick in axes.get_xticks() if low <= tick <= high]) == 1

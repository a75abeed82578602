"""`zermelo table GAME -o FILE`: tables as CSV and as arrays, compared with the solution and with printed figures."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.cli.app import main
from zermelo.engines.urn.exact import balanced_values, exact_value
from zermelo.games import CardDraw, Pig
from zermelo.games.card_draw_methods import spreadsheet
from zermelo.views import files, table


def lines_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.reader(file))


def test_every_balanced_deck_of_the_essay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All values up to 22,974 cards of a colour (Gwern 2022): 26 are worth 2.6245, and 22,974 are 79.11653 in doubles."""
    path = tmp_path / "values.npy"
    assert main(["table", "card-draw", "--red", "22974", "--black", "22974", "--view", "balanced", "-o", str(path)]) == 0
    assert "22,975 rows" in capsys.readouterr().out
    found = np.load(path)
    assert found["cards of each colour"].tolist() == list(range(22_975))
    assert round(found["value"][26], 4) == 2.6245 and round(found["value"][22_974], 5) == 79.11653
    few = np.diagonal(spreadsheet(120, 120))
    assert np.all(abs(found["value"][:121] - few) <= found["error"][:121] + 1e-15)


def test_balanced_decks_as_fractions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "values.csv"
    assert main(["table", "card-draw", "--exact", "--view", "balanced", "-o", str(path)]) == 0
    header, *rows = lines_of(path)
    assert header == ["cards of each colour", "value", "as a decimal", "error"]
    assert rows[26][1] == "41984711742427/15997372030584"
    assert [Fraction(row[1]) for row in rows] == [exact_value("", n, n) for n in range(27)] == balanced_values("", 26)
    assert main(["table", "card-draw", "--view", "balanced"]) == 0
    assert "13 of 27 decks shown" in capsys.readouterr().out


def test_a_file_has_the_rows_that_the_screen_leaves_out(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    assert main(["table", "card-draw", "--red", "60", "--black", "70", "--view", "values", "-o", str(path)]) == 0
    header, *rows = lines_of(path)
    assert header == ["red \\ black", *(str(b) for b in range(70, -1, -1))] and [int(r[0]) for r in rows] == [*range(60, -1, -1)]
    assert np.allclose(np.array(rows, dtype=float)[::-1, :0:-1], spreadsheet(60, 70), atol=1e-12)
    assert main(["table", "card-draw", "--limit", "3", "-o", str(tmp_path / "other.csv")]) == 2 and len([*tmp_path.iterdir()]) == 1


@pytest.mark.parametrize("view", ["hold", "win", "states"])
def test_grids_of_scores_are_whole(view: str, tmp_path: Path) -> None:
    assert main(["table", "pig", "--goal", "35", "--view", view, "-o", str(tmp_path / "pig.csv")]) == 0
    header, *rows = lines_of(tmp_path / "pig.csv")
    assert len(rows) >= 34 and len(header) >= 35 and all(len(row) == len(header) for row in rows)


def test_lengths_are_a_distribution(tmp_path: Path) -> None:
    assert main(["table", "pig", "--goal", "10", "--view", "lengths", "-o", str(tmp_path / "lengths.npy")]) == 0
    found = np.load(tmp_path / "lengths.npy")
    spread = zermelo.solve(Pig(10)).distribution(tail=1e-9)
    assert found["actions"].tolist() == spread.support.tolist() and found["probability"].tolist() == spread.probabilities.tolist()
    assert abs(found["probability"].sum() - 1) <= 1e-9


def test_what_can_not_be_written_is_told_before_and_nothing_is_half_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "players.npy"
    refused = {
        ("players", path): "the column 'a player who' of this table has words; take a name in .csv",
        ("values", tmp_path / "values.txt"): "tables are written to .csv or .npy",
        ("values", tmp_path / "no" / "values.csv"): "there is no directory",
    }
    for (view, target), why in refused.items():
        assert main(["table", "card-draw", "--view", view, "-o", str(target)]) == 2
        assert why in capsys.readouterr().err
    other = tmp_path / "other.npy"
    other.write_text("something else")
    assert main(["table", "card-draw", "-o", str(other)]) == 2 and other.read_text() == "something else"
    assert "exists and is something else" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == [other]


def test_missing_cells_and_fractions(tmp_path: Path) -> None:
    made = table.Table("", ("n", "value", "half"), ((1, None, Fraction(1, 2)), (2, 0.1, Fraction(1, 3))))
    files.write(made, tmp_path / "t.csv")
    assert lines_of(tmp_path / "t.csv") == [["n", "value", "half"], ["1", "", "1/2"], ["2", "0.1", "1/3"]]
    files.write(made, tmp_path / "t.npy")
    found = np.load(tmp_path / "t.npy")
    assert found["n"].dtype == np.int64 and np.isnan(found["value"][0]) and found["half"].tolist() == [0.5, 1 / 3]


def test_growth_and_where_to_stop_are_numbers(tmp_path: Path) -> None:
    assert main(["table", "card-draw", "--view", "growth", "-o", str(tmp_path / "growth.npy")]) == 0
    found = np.load(tmp_path / "growth.npy")
    assert found["n"][-1] == 10**15 and round(found["value"][-1], 2) == 16508280.81
    assert main(["table", "card-draw", "--view", "boundary", "-o", str(tmp_path / "stop.npy")]) == 0
    line = np.load(tmp_path / "stop.npy")
    solution = zermelo.solve(CardDraw())
    for red, black, _ in line.tolist()[1:]:
        assert black != black or solution.best_action(solution.state(red, int(black))) == 0

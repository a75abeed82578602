"""Files of UMB as games: what is exported comes back with the same value, and properties mean what model checkers mean."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import math
import random
import re
import subprocess
import sys
import tarfile
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings

import zermelo
from test_models_totals import as_transitions, least, random_game
from test_umb import game_of, games, value_of
from zermelo.basics import notices
from zermelo.basics.notices import Notice
from zermelo.cli import main
from zermelo.errors import FileError, NoValue, OutOfReach, ParameterError, ZermeloError
from zermelo.foreign import tables
from zermelo.foreign.tables import text_of
from zermelo.foreign.umb import table_of_umb
from zermelo.kernels.kernel import only
from zermelo.language.rules_text import rules_hash
from zermelo.uses.umb import export_game

pytest.importorskip("umbi.umb.umb_to_tar")


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with only("interpreted"):
        yield


def value(path: Path, asked: str = "") -> Any:
    return zermelo.solve(zermelo.from_umb(path, asked), exact=True).value


@settings(max_examples=25, deadline=None)
@given(games())
def test_random_games_come_back_with_the_same_value(tmp_path_factory: pytest.TempPathFactory, game: Any) -> None:
    path = tmp_path_factory.mktemp("umb") / "game.umb"
    exported = export_game(game, path, start=game.high - 1)
    asked = exported.properties[0].replace('F "over"', "C")
    assert value(path, asked) == value_of(game, game.high - 1)


@pytest.mark.parametrize("name, options", [("card-draw", {"red": 3, "black": 3}), ("pig", {"goal": 6})])
def test_solutions_come_back_with_the_same_value(tmp_path: Path, name: str, options: Any) -> None:
    solution = zermelo.solve(name, exact=True, **options)
    solution.export_umb(tmp_path / "game.umb")
    assert value(tmp_path / "game.umb") == solution.value


def ring(tmp_path: Path) -> Path:
    """State 2: player 0 goes to 1 or stays, each for a reward of 1; state 1: player 1 goes back, or to the end or to 3, where he stays."""
    states = [
        (0, [], 0),
        (1, [[(1, 2, 1, 0)], [(1, 0, 1, 2), (2, 3, 1, 2)]], 0),
        (0, [[(1, 1, 1, 1)], [(1, 2, 1, 1)]], 0),
        (0, [[(1, 3, 1, 0)]], 0),
    ]
    export_game(game_of(states), tmp_path / "ring.umb", start=2)
    return tmp_path / "ring.umb"


class Place(NamedTuple):
    x: int


class Cheaper(NamedTuple):
    """Only player 1 decides: he pays 3 or 5."""

    def start(self) -> Place:
        return Place(0)

    def player(self, s: Place) -> int:
        return 1

    def actions(self, s: Place) -> Iterator[int]:
        if s.x == 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, (3, 5)[action], Place(1)


def test_an_only_player_who_wants_the_total_low_comes_back_as_such(tmp_path: Path) -> None:
    """The file did not say so: 5 came back for 3."""
    path = tmp_path / "game.umb"
    assert zermelo.solve(Cheaper()).export_umb(path).properties == ('R{"payoff"}min=? [F "over"]',)
    assert value(path) == 3 and value(path, 'R{"payoff"}max=? [ C ]') == 5 and value(path, 'R{"payoff"}min=? [ C ]') == 3
    maze = zermelo.solve("robot-maze", height=2, width=2)
    maze.export_umb(path)
    assert zermelo.solve(zermelo.from_umb(path)).value == pytest.approx(float(maze.value), abs=1e-9)


def test_properties_are_those_of_model_checkers(tmp_path: Path) -> None:
    path = ring(tmp_path)
    assert value(path, '<<max, min>> Pmax=? [ F "over" ]') == Fraction(1, 3)
    assert value(path, '<<max>> Pmax=? [ F "over" ]') == 0
    assert value(path, '<<1>> Pmin=? [F "over"]') == 0
    assert value(path, '<<2>> Pmax=?[F "over"]') == 0  # the other one stays
    assert value(path, '<<max,min>> R{"payoff"}min=? [ C ]') == 3
    with pytest.raises(NoValue):
        value(path, '<<max,min>> R{"payoff"}min=? [ F "over" ]')


@pytest.mark.parametrize(
    "asked, said",
    [
        ('R{"gold"}max=? [ C ]', "has no reward 'gold'; it has payoff"),
        ('Pmax=? [ F "goal" ]', "has no label 'goal' of states; it has over"),
        ('<<3>> Pmax=? [ F "over" ]', "has no player 3"),
        ("Pmax=? [ C ]", "a probability is that of coming to a label"),
        ('Pmax=? [ G "over" ]', "can't be asked"),
    ],
)
def test_questions_that_are_none(tmp_path: Path, asked: str, said: str) -> None:
    with pytest.raises(ParameterError, match=".") as error:
        zermelo.from_umb(ring(tmp_path), asked)
    assert said in str(error.value) and "\n" not in str(error.value)


def test_rewards_that_need_a_name_and_rewards_below_0(tmp_path: Path) -> None:
    path = tmp_path / "two.umb"
    export_game(game_of([(0, [], (1, -2)), (0, [[(1, 0, 1, (0, 0))]], (0, 0))], 2), path, start=1, payoffs=("gain", "cost"))
    with pytest.raises(ParameterError, match="has the rewards gain, cost: what is asked"):
        zermelo.from_umb(path)
    assert value(path, 'R{"cost"}min=? [ C ]') == -2 and value(path, 'R{"gain"}=? [ F "over" ]') == 1
    assert value(path, 'R{"cost"}=? [ F "over" ]') == -2  # play ends, whatever happens
    export_game(game_of([(0, [], 0), (0, [[(1, 0, 1, -2)], [(1, 1, 1, 0)]], 0)]), path, start=1)
    with pytest.raises(OutOfReach, match="rewards below 0 until a label that need not be reached"):
        zermelo.from_umb(path, 'R{"payoff"}max=? [ F "over" ]')
    assert value(path, 'R{"payoff"}max=? [ C ]') == 0


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    whole = ring(tmp_path).read_bytes()
    path, random = tmp_path / "damaged.umb", np.random.default_rng(1)
    for k in range(60):
        damaged = bytearray(whole)
        if k % 2:
            del damaged[int(random.integers(len(whole))) :]
        else:
            damaged[int(random.integers(len(whole)))] ^= int(random.integers(1, 256))
        path.write_bytes(bytes(damaged))
        try:
            zermelo.from_umb(path)
        except ZermeloError as error:
            assert "\n" not in str(error)
    with pytest.raises(FileError, match="can't read"):
        zermelo.from_umb(tmp_path / "none.umb")
    with pytest.raises(ZermeloError, match="takes the path of a file, not int"):
        zermelo.from_umb(3)
    with pytest.raises(ParameterError, match="what is asked must be a property as text, such as .*, not None"):
        zermelo.from_umb("any.umb", None)  # type: ignore[arg-type]
    path.write_text("no archive")
    with pytest.raises(FileError, match="is no file of UMB"):
        zermelo.from_umb(path)


def parts(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as archive:
        files = [(entry.name, archive.extractfile(entry)) for entry in archive.getmembers()]
        return {name: file.read() for name, file in files if file is not None}


def pack(files: Any, mode: Any = "w:gz") -> bytes:
    """An archive of these names and contents."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def words(numbers: list[int], kind: str = "<u8") -> bytes:
    return np.array(numbers, dtype=kind).tobytes()


CHOICES, BRANCHES, OWNERS = "state-to-choices.bin", "choice-to-branches.bin", "state-to-player.bin"  # of `ring`: 7 choices, 8 branches
GAINS = "annotations/rewards/payoff/choices/values.bin"


@pytest.mark.parametrize(
    "name, content, said",
    [
        ("branch-to-target.bin", words([4, 2, 0, 3, 1, 2, 3, 99]), "a branch leads to a state that is not there"),
        ("branch-to-target.bin", words([4, 2, 0, 3]), "branch-to-target.bin has 4 entries, and 8 belong there"),
        (CHOICES, words([1, 1, 3, 5, 6, 7]), "state-to-choices.bin must rise from 0 to 7 and never fall"),
        (CHOICES, words([0, 3, 1, 5, 6, 7]), "state-to-choices.bin must rise from 0 to 7 and never fall"),
        (CHOICES, words([0, 1, 3, 5, 6, 6]), "state-to-choices.bin must rise from 0 to 7 and never fall"),
        (CHOICES, words([0, 1, 3, 5, 6, 1 << 40]), "state-to-choices.bin must rise from 0 to 7 and never fall"),
        (CHOICES, words([0, 1, 3]), "state-to-choices.bin has 3 entries, and 6 belong there"),
        (CHOICES, None, "state-to-choices.bin is missing, and without it 5 would have 7 parts, one each"),
        (BRANCHES, words([0, 1, 2, 4, 5, 6, 7, 12]), "choice-to-branches.bin must rise from 0 to 8 and never fall"),
        (BRANCHES, words([0, 1, 2, 4, 3, 6, 7, 8]), "choice-to-branches.bin must rise from 0 to 8 and never fall"),
        (OWNERS, words([0, 7, 0, 0, 0], "<u4"), "state-to-player.bin names player 7, and there are 2, counted from 0"),
        (OWNERS, words([0, 1], "<u4"), "state-to-player.bin has 2 entries, and 5 belong there"),
        (GAINS, words([0, 1] * 3), f"{GAINS} has 3 entries, and 7 belong there"),
        ("annotations/aps/over/states/values.bin", b"", "annotations/aps/over/states/values.bin has 0 entries, and 5 belong there"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_whose_parts_do_not_fit_are_refused(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    """Numbers that count choices were believed: they were moved, shared or lost, which gave other values, or an IndexError."""
    files = parts(ring(tmp_path))
    assert name in files
    files[name] = content or b""
    if content is None:
        del files[name]
    path = tmp_path / "odd.umb"
    path.write_bytes(pack(files.items()))
    with pytest.raises(FileError, match=re.escape(said)) as error:
        zermelo.from_umb(path, '<<max>> R{"payoff"}max=? [ C ]')
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


def test_an_index_that_does_not_describe_a_model_is_refused_in_one_line(tmp_path: Path) -> None:
    """umbi's own report of it, in many lines, was printed, too."""
    path = tmp_path / "odd.umb"
    files = parts(ring(tmp_path))
    index = files.pop("index.json")
    path.write_bytes(pack(files.items()))
    with pytest.raises(FileError, match=r"can be read: tarfile does not have a mandatory file index\.json$"):
        zermelo.from_umb(path)
    for old, new, said in (  # a dictionary in Python was told
        (b'"#players"', b'"#playerz"', "index.json, transition-system, #players: missing data for required field"),
        (b'"discrete"', b'"later"', "index.json, transition-system, time: must be one of: discrete, stochastic, urgent-stochastic"),
        (b'"size"', b'"sizes"', "something that the index describes is incomplete, or of another kind than it should be"),
    ):
        path.write_bytes(pack([*files.items(), ("index.json", index.replace(old, new))]))
        with pytest.raises(FileError, match=f"can be read: {said}$"):
            value(path)
    path.write_bytes(pack([*files.items(), ("index.json", index.replace(b"#players", b"#playerz"))]))
    asked = f"import zermelo\ntry: zermelo.from_umb({str(path)!r})\nexcept zermelo.errors.FileError as error: print(error)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stderr == "" and "#players" in ran.stdout and ran.stdout.count("\n") == 1
    path.write_bytes(pack({**files, "index.json": index, GAINS: words([1, 0] * 7)}.items()))
    with pytest.raises(FileError, match="a fraction has the denominator 0"):
        zermelo.from_umb(path)


def described(path: Path, group: str, **more: Any) -> dict[str, bytes]:
    """The parts of a file, with its rewards or labels ("aps") described in other words."""
    files = parts(path)
    index = json.loads(files["index.json"])
    for about in index["annotations"][group].values():
        about |= {name.replace("_", "-"): what for name, what in more.items()}
    return {**files, "index.json": json.dumps(index).encode()}


def test_rewards_that_are_intervals_are_refused(tmp_path: Path) -> None:
    """A TypeError about float() came of them."""
    path = tmp_path / "interval.umb"
    files = described(ring(tmp_path), "rewards", type={"type": "double-interval", "size": 128})
    path.write_bytes(pack({**files, GAINS: np.arange(14.0).tobytes()}.items()))
    with pytest.raises(OutOfReach, match=r"values\.bin: entry 0 is interval\[0\.0,1\.0\], and rewards are numbers") as error:
        zermelo.from_umb(path)
    assert "\n" not in str(error.value)


def test_labels_of_choices_are_no_labels_of_states(tmp_path: Path) -> None:
    """A KeyError 'states' came of them."""
    path = tmp_path / "choices.umb"
    files = described(ring(tmp_path), "aps", applies_to=["choices"])
    files["annotations/aps/over/choices/values.bin"] = files.pop("annotations/aps/over/states/values.bin")
    path.write_bytes(pack(files.items()))
    with pytest.raises(ParameterError, match="has no label 'over' of states; it has none"):
        zermelo.from_umb(path, 'Pmax=? [ F "over" ]')


def test_rewards_and_labels_can_be_asked_for_by_their_aliases(tmp_path: Path) -> None:
    """Storm asks for them by these names."""
    path = tmp_path / "alias.umb"
    path.write_bytes(pack(described(ring(tmp_path), "rewards", alias="my reward").items()))
    path.write_bytes(pack(described(path, "aps", alias="The End").items()))
    for reward in ("my reward", "payoff"):
        assert value(path, f'<<max,min>> R{{"{reward}"}}min=? [ C ]') == 3
    for label in ("The End", "over"):
        assert value(path, f'<<max, min>> Pmax=? [ F "{label}" ]') == Fraction(1, 3)
    with pytest.raises(ParameterError, match=r"has no reward 'gold'; it has payoff \(\"my reward\"\)"):
        zermelo.from_umb(path, 'R{"gold"}max=? [ C ]')


def test_an_alias_of_two_rewards_names_neither_and_a_name_comes_before_an_alias(tmp_path: Path) -> None:
    path = tmp_path / "two.umb"
    export_game(game_of([(0, [], (1, 2))], 2), path, start=0, payoffs=("a", "b"))
    path.write_bytes(pack(described(path, "rewards", alias="both").items()))
    with pytest.raises(ParameterError, match="has no reward 'both'"):
        zermelo.from_umb(path, 'R{"both"}=? [ C ]')
    files = parts(path)
    index = json.loads(files["index.json"])
    index["annotations"]["rewards"]["b"]["alias"] = "a"
    path.write_bytes(pack({**files, "index.json": json.dumps(index).encode()}.items()))
    assert value(path, 'R{"a"}=? [ C ]') == 1


def fan(path: Path, choices: int) -> Path:
    """State 1 goes to state 0 for one of the rewards 0, 1, 2, ..."""
    export_game(game_of([(0, [], 0), (0, [[(1, 0, 1, k)] for k in range(choices)], 0)]), path, start=1)
    return path


@pytest.mark.parametrize(("kernel", "choices"), [("interpreted", 1000), ("interpreted", 1001), ("compiled", 1001)])
def test_a_choice_among_thousands_is_found_without_a_search(tmp_path: Path, choices: int, kernel: str) -> None:
    """Each choice looked at all of its state. Up to a thousand the rules are as ever, and so is their hash."""
    path = fan(tmp_path / "fan.umb", choices)
    assert ("ACTION" in text_of(table_of_umb(path))) is (choices == 1000)
    with only(kernel):
        assert value(path) == choices - 1
    with only("interpreted"):
        assert value(path, 'R{"payoff"}min=? [ C ]') == 0
    game = zermelo.from_umb(path)
    state = game.start()
    assert [*game.actions(state)] == [*range(choices)]
    for action in (-1, choices):  # not there, nor a choice of another state
        assert not [*game.outcomes(state, action)]


def test_long_constants_are_written_as_texts_and_their_rules_have_the_same_hash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python, the checker and the compiler took most of their time to read numbers one by one."""
    path = fan(tmp_path / "fan.umb", 300)
    plain, short = text_of(table_of_umb(path)), zermelo.from_umb(path)
    monkeypatch.setattr(tables, "LONG", 250)
    long = zermelo.from_umb(path)
    text = text_of(table_of_umb(path))
    assert "split()" not in plain and text.count("split()") == 3  # ACTION, PAYOFF, NEXT
    assert rules_hash(short) == rules_hash(long) and zermelo.solve(long, exact=True).value == 299


def test_files_that_are_too_large_are_refused_before_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It took minutes until that was said."""
    path = tmp_path / "large.umb"
    files = parts(ring(tmp_path))
    index = files["index.json"].replace(b'"#branches": 8', b'"#branches": 4000001').replace(b'"#branches":8', b'"#branches":4000001')
    path.write_bytes(pack({**files, "index.json": index}.items()))
    with pytest.raises(OutOfReach, match=r"large\.umb, a model in UMB: 4,000,001 outcomes; a table of at most 4,000,000 can be read"):
        zermelo.from_umb(path)
    monkeypatch.setattr(tables, "MOST", 5)
    export_game(game_of([(0, [], 0), *[(0, [[(1, 0, 1, 1), (2, 0, 1, 0)]], 0)] * 3]), path, start=1)  # 1 + 3 x 2: 1/3 counts as two
    with pytest.raises(OutOfReach, match="7 outcomes or more; a table of at most 5 can be read"):
        zermelo.from_umb(path)


def test_probabilities_that_do_not_quite_sum_to_1_are_told(tmp_path: Path) -> None:
    """They were divided by their sum in silence, and a value was called proven."""
    path = written(tmp_path / "off.umb", [[(0.3333333333, 1), (0.6666666666, 2)], [(1.0, 1)], [(1.0, 2)]], [0.0] * 3)
    with pytest.warns(Notice, match="the probabilities of choice 0 of state 0 sum to 1 - 1e-10; they are divided by it"):
        zermelo.from_umb(path, 'P=? [ F "goal" ]')
    path = written(tmp_path / "fine.umb", [[(0.1, 1), (0.2, 1), (0.7, 2)], [(1.0, 1)], [(1.0, 2)]], [0.0] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        zermelo.from_umb(path, 'P=? [ F "goal" ]')


def test_options_of_other_models_are_refused_one_by_one(tmp_path: Path, capsys: Any) -> None:
    """Each was told of both."""
    path = ring(tmp_path)
    assert main(["solve", str(path), "--const", "N=3"]) == 2
    said = capsys.readouterr().err
    assert "has no open constants" in said and "--never" not in said
    asking = ("<<1,2>> Rmin=? [ C ]", ""), ('Pmax=? [ F "over" ]', "it asks for a probability"), ("<<1,2>> Rmax=? [ C ]", "nobody wants")
    for asked, why in asking:
        assert main(["solve", str(path), "--never", "5", "--property", asked]) == (2 if why else 0), asked
        said = capsys.readouterr().err
        assert "constants" not in said and ("nobody may give up (--never), as" in said and why in said) is bool(why)


def test_a_count_of_states_beyond_memory_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "many.umb"
    files = parts(ring(tmp_path))
    index = json.loads(files["index.json"])
    index["transition-system"]["#states"] = 10**12
    assert index["file-data"]["tool"] == "Zermelo" and index["file-data"]["tool-version"] == zermelo.__version__
    path.write_bytes(pack({**files, "index.json": json.dumps(index).encode()}.items()))
    with pytest.raises(OutOfReach, match="1,000,000,000,000 states; a table of at most 4,000,000 can be read"):
        zermelo.from_umb(path)


def test_a_wrong_checksum_is_refused(tmp_path: Path) -> None:
    """It stands behind the last byte, which was never read: a changed reward gave another value."""
    path = tmp_path / "damaged.umb"
    files = parts(ring(tmp_path))
    plain = pack(files.items(), "w")
    path.write_bytes(plain)
    assert value(path, '<<max,min>> R{"payoff"}min=? [ C ]') == 3
    stored = bytearray(gzip.compress(plain, 0))
    at = stored.index(files[GAINS])
    stored[at] ^= 1
    path.write_bytes(bytes(stored))
    with pytest.raises(FileError, match=r"damaged\.umb is damaged, and can't be unpacked: CRC check failed"):
        zermelo.from_umb(path)
    for packed in (gzip.compress(plain), bz2.compress(plain), lzma.compress(plain)):
        path.write_bytes(packed)
        assert value(path, '<<max,min>> R{"payoff"}min=? [ C ]') == 3
        path.write_bytes(packed[:-1])
        with pytest.raises(FileError, match="is damaged, and can't be unpacked"):
            zermelo.from_umb(path)


def test_archives_that_stop_early_or_say_something_twice(tmp_path: Path) -> None:
    """tarfile takes a damaged header for the end."""
    path = tmp_path / "damaged.umb"
    files = parts(ring(tmp_path))
    plain = bytearray(pack(files.items(), "w"))
    plain[plain.index(OWNERS.encode())] ^= 1
    path.write_bytes(bytes(plain))
    with pytest.raises(FileError, match="its archive has no end"):
        zermelo.from_umb(path)
    path.write_bytes(pack([*files.items(), (OWNERS, files[OWNERS])]))
    with pytest.raises(FileError, match=r"it holds state-to-player\.bin twice"):
        zermelo.from_umb(path)


def test_a_file_for_two_that_does_not_say_whose_states_they_are(tmp_path: Path) -> None:
    """The format allows it: all are the first player's."""
    path = tmp_path / "game.umb"
    files = parts(ring(tmp_path))
    del files[OWNERS]
    path.write_bytes(pack(files.items()))
    with pytest.warns(Notice, match=r"2 players and no state-to-player\.bin: all states belong to the first player"):
        assert value(path, '<<max>> Pmax=? [ F "over" ]') == Fraction(1, 3)  # as <<max, min>> of the whole file


def models_of_umbi() -> Any:
    """umbi's module to build models with."""
    ats = pytest.importorskip("umbi.ats")
    if not hasattr(ats, "ExplicitAts"):  # umbi 0.2.14, which needs Python 3.12, reads and writes the same files
        pytest.skip("this version of umbi builds models in another way")
    return ats


def written(path: Path, choices: list[list[tuple[Any, int]]], rewards: Any, in_states: Any = None) -> Path:
    """A model for one player that starts in state 0, as umbi writes it. `choices`: (state, branches); the last state is the goal."""
    ats = models_of_umbi()
    model = ats.ExplicitAts()
    model.num_players = 1
    size = 1 + max(target for branches in choices for _, target in branches)
    for _ in range(size):
        model.add_state()
    for state, branches in enumerate(choices):
        if branches:
            choice = model.add_state_choice(state)
            for chance, target in branches:
                choice.add_branch(target, chance)
    model.set_initial_states([0])
    model.state_to_player = [0] * size
    model.add_ap_annotation("goal").set_state_values([s == size - 1 for s in range(size)])
    reward = model.add_reward_annotation("r")
    reward.set_choice_values(rewards)
    if in_states:
        reward.set_state_values(in_states)
    ats.write(model, path)
    return path


HALF = Fraction(1, 2)


@pytest.mark.parametrize("best", ["min", "max"])
def test_a_state_without_choices_is_one_in_which_play_stays(tmp_path: Path, best: str) -> None:
    """Storm: infinite, 7 and 1/2. Such a state counted as an end, also where the label was asked for."""
    path = written(tmp_path / "dead.umb", [[(HALF, 1), (HALF, 2)], [], [(Fraction(1), 2)]], [Fraction(7), Fraction(0)])
    with pytest.raises(NoValue, match=r"infinite\. Play need not end"):
        value(path, f'R{{"r"}}{best}=? [ F "goal" ]')
    assert value(path, f'R{{"r"}}{best}=? [ C ]') == 7
    assert value(path, f'P{best}=? [ F "goal" ]') == HALF


def test_a_state_without_choices_pays_its_reward_again_and_again(tmp_path: Path) -> None:
    choices = [[(HALF, 1), (HALF, 2)], [], [(Fraction(1), 2)]]
    path = written(tmp_path / "dead.umb", choices, [Fraction(7), Fraction(0)], [Fraction(0), Fraction(1), Fraction(0)])
    with pytest.raises(NoValue, match="adds up without end"):
        value(path, 'R{"r"}max=? [ C ]')


@pytest.mark.parametrize("number", [1e300, 1e19, float("inf"), float("-inf"), float("nan")])
def test_rewards_that_are_too_large_are_refused_in_one_line(tmp_path: Path, number: float) -> None:
    """They were a SyntaxError or a ValueError of Python's."""
    path = written(tmp_path / "large.umb", [[(1.0, 1)], [(1.0, 1)]], [number, 0.0])
    said = f"annotations/rewards/r/choices/values.bin: entry 0 is {number}, and rewards are numbers from -3e18 to 3e18"
    with pytest.raises(OutOfReach, match=re.escape(said)) as error:
        zermelo.from_umb(path, 'R{"r"}=? [ F "goal" ]')
    assert "\n" not in str(error.value)
    assert value(path, 'P=? [ F "goal" ]') == 1


def test_probabilities_next_to_0_are_not_0(tmp_path: Path) -> None:
    """1e-17 was read as 0, so that the goal was never reached."""
    path = written(tmp_path / "small.umb", [[(1e-17, 1), (1.0, 0)], [(1.0, 1)]], [1.0, 0.0])
    assert value(path, 'P=? [ F "goal" ]') == 1


class Stays(NamedTuple):
    """To stay pays nothing, to go on costs 1: the value is 0, and endless play is best."""

    def start(self) -> Place:
        return Place(2)

    def actions(self, s: Place) -> Iterator[int]:
        if s.x:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, -action, Place(s.x - action)


class Hurries(NamedTuple):
    """To stay is free and never ends, to go on costs 1; who wants little must end it."""

    must_end = True

    def start(self) -> Place:
        return Place(1)

    def player(self, s: Place) -> int:
        return 1

    def actions(self, s: Place) -> Iterator[int]:
        if s.x:
            yield 1
            yield 2

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, action, Place(s.x if action == 2 else 0)


def test_the_property_that_an_export_returns_has_the_value_of_the_game(tmp_path: Path) -> None:
    """F "over" is infinite for model checkers where play need not end, whatever the game says."""
    path = tmp_path / "game.umb"
    low = 'R{"payoff"}min=? [F "over"]'
    for game, asked in ((Stays(), 'R{"payoff"}max=? [C]'), (Cheaper(), low), (Hurries(), low)):
        solution = zermelo.solve(game, exact=True)
        assert solution.export_umb(path).properties == (asked,)
        assert value(path, asked) == solution.value
    pig = zermelo.solve("pig", goal=6, exact=True)
    (asked,) = pig.export_umb(path).properties
    assert asked == '<<max>> R{"payoff"}max=? [F "over"]' and value(path, asked) == pig.value


def test_payoffs_that_are_no_decimals_are_told(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "third.umb"
    export_game(game_of([(0, [], 0), (0, [[(1, 0, 1, 1), (2, 0, 1, 0)]], 0)]), path, start=1)
    with pytest.warns(Notice, match=r"third\.umb: a payoff that is not a short decimal, such as 1/3, is paid as 0 or 1 with the mean 1/3"):
        assert value(path) == Fraction(1, 3)
    notices._said.clear()
    assert not main(["solve", str(path), "--exact"])
    assert "such as 1/3" in "".join(capsys.readouterr())


def test_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    path = ring(tmp_path)
    assert not main(["solve", str(path), "--property", '<<max,min>> Pmax=? [ F "over" ]', "--exact"])
    assert "1/3" in capsys.readouterr().out
    assert main(["solve", str(path), "--property", 'Pmax=? [ F "x" ]']) == 2
    assert main(["solve", str(path), "--property", 'Pmax=? [ F "over" ]', "--const", "N=3"]) == 2


# --- properties are those of models -----------------------------------------------------------------------------------------


def trap(tmp_path: Path) -> Path:
    """As in test_models_totals: state 0 goes on with 1/2 for 3, then 1/3 is paid; in state 2 every step costs 1 for ever."""
    one = Fraction(1)
    ats, path = models_of_umbi(), tmp_path / "trap.umb"
    model = ats.ExplicitAts()
    model.num_players = 1
    for _ in range(4):
        model.add_state()
    for state, branches in ((0, [(HALF, 1), (HALF, 0)]), (0, [(one, 2)]), (1, [(one, 3)]), (2, [(one, 2)]), (3, [(one, 3)])):
        choice = model.add_state_choice(state)
        for chance, target in branches:
            choice.add_branch(target, chance)
    model.set_initial_states([0])
    model.state_to_player = [0] * 4
    model.add_ap_annotation("goal").set_state_values([False, False, False, True])
    model.add_reward_annotation("r").set_choice_values([Fraction(3), Fraction(3), Fraction(1, 3), one, Fraction(0)])
    ats.write(model, path)
    return path


@pytest.mark.parametrize("formula", ["C", 'F "goal"'])
def test_a_trap_that_can_be_avoided_is_left_out(tmp_path: Path, formula: str) -> None:
    """It "has no value: with a discount, such as discount=0.99, there is one"."""
    path, asked = trap(tmp_path), f'R{{"r"}}min=? [ {formula} ]'
    solution = zermelo.solve(f"{path}:{asked}", exact=True)
    assert solution.property.value == Fraction(19, 3) and solution.property.text == asked
    assert any("in 1 of 4 states (one is State(state=2)) the value is infinite; actions that" in note for note in solution.report.notes)
    found = zermelo.solve(f"{path}:{asked}", exact=True, never=1000).property
    assert found.low == found.value == found.high == Fraction(19, 3)
    with pytest.raises(OutOfReach, match="gives up, as never=5 costs less"):
        zermelo.solve(f"{path}:{asked}", never=5)
    with pytest.raises(NoValue, match="infinite") as error:
        zermelo.solve(zermelo.from_umb(path, asked.replace("min", "max")))
    assert "discount" not in str(error.value)


def test_a_loop_without_rewards_is_no_way_around_a_label(tmp_path: Path, capsys: Any) -> None:
    """As in a model of PRISM: --never was refused."""
    path = tmp_path / "loop.umb"
    export_game(game_of([(1, [], 0), (1, [[(1, 1, 1, 0)], [(1, 0, 1, 5)]], 0)]), path, start=1)
    asked = 'R{"payoff"}min=? [ F "over" ]'
    with pytest.raises(OutOfReach, match="goes round forever without payoffs.*--never 1000000"):
        zermelo.solve(f"{path}:{asked}")
    certificate = str(tmp_path / "loop.cert")
    assert main(["solve", str(path), "--property", asked, "--never", "100", "--exact", "--certificate", certificate]) == 0
    said = " ".join(capsys.readouterr().out.split())  # lines are as wide as the terminal
    assert f"{asked} = 5" in said and "the reward less 100 (`never`)" in said
    assert main(["verify", certificate, str(path), "--property", asked]) == 0
    assert main(["table", str(path), "--property", asked, "--never", "100"]) == 0
    assert zermelo.solve(f'{path}:R{{"payoff"}}min=? [ C ]', never=100).property.value == 0
    with only("compiled"):
        assert zermelo.solve(f"{path}:{asked}", never=100).property.value == 5


@pytest.mark.parametrize("seed", range(40))
def test_totals_of_random_games(tmp_path: Path, seed: int) -> None:
    """Against all policies, in fractions. The last state is final in the file, so that play stays there."""
    choices, low = random_game(random.Random(seed))
    path, start = tmp_path / "game.umb", next(iter(choices))
    stays = {s: rows or [(Fraction(0), {s: Fraction(1)})] for s, rows in choices.items()}
    export_game(as_transitions(choices, low), path, start=start[0])
    two = len({s in low for s, rows in choices.items() if len(rows) > 1}) > 1
    who, own = ("<<min>> ", low) if two else ("", set(choices))
    expected = least(stays, own, start)
    asked = f'{who}R{{"payoff"}}min=? [ C ]'
    if expected == math.inf:
        with pytest.raises(NoValue, match="infinite"):
            zermelo.solve(f"{path}:{asked}", exact=True)
        return
    assert zermelo.solve(f"{path}:{asked}", exact=True).property.value == expected
    if not two:  # with two the other one may have a trap of its own
        assert zermelo.solve(f"{path}:{asked}", exact=True, never=1000).property.value == expected


class Tenths(NamedTuple):
    """A step ends play with 0.3, and costs 0.1 or 0.7."""

    def start(self) -> Place:
        return Place(1)

    def outcomes(self, s: Place) -> Iterator[tuple[float, float, Place]]:
        if s.x:
            yield 0.3, -0.1, Place(0)
            yield 0.7, -0.7, Place(1)


def test_decimals_come_back_exactly(tmp_path: Path) -> None:
    """They were written as floats, of which nothing could be proven."""
    path, solution = tmp_path / "tenths.umb", zermelo.solve(Tenths(), exact=True)
    exported = solution.export_umb(path)
    assert exported.is_exact and solution.value == Fraction(-52, 30)
    assert value(path, exported.properties[0]) == value(path) == solution.value


def test_what_is_exact_is_said(tmp_path: Path, recwarn: Any) -> None:
    """Values were called exact where a payoff of 1/3 divides the weights of a float, which are then floats again; and rational
    probabilities with many digits were rounded without a word."""
    third, many = Fraction(1, 3), Fraction(10**17 + 3, 3 * 10**17)
    kept = "such as 1/3, is paid as 0 or 1 with the mean 1/3: values are"
    rounded = "probabilities whose common denominator is 2^53 or more are rounded to floats, and the value is that of the rounded ones"

    def said(chance: Any, paid: Any) -> str:
        notices._said.clear()
        recwarn.clear()
        one, nothing = chance**0, 0 * paid
        path = written(tmp_path / "w.umb", [[(chance, 1), (1 - chance, 2)], [(one, 2)], [(one, 2)]], [paid, nothing, nothing])
        zermelo.from_umb(path, 'R{"r"}=? [ C ]')
        return " ".join(str(w.message) for w in recwarn.list)

    assert f"{kept} exact, distributions not those of the file" in said(third, third) and rounded not in said(third, third)
    assert f"{kept} those of the file up to rounding, distributions not" in (found := said(0.123456789012345, third)) and rounded in found
    assert rounded in (found := said(many, Fraction(1))) and "mean" not in found
    assert not said(0.123456789012345, Fraction(1)) and not said(0.1, 0.1)  # floats of the file are its floats


def test_floats_of_the_file_stand_for_fractions(tmp_path: Path) -> None:
    """A value is exact for these, and not for the floats."""
    path = written(tmp_path / "w.umb", [[(0.1, 1), (0.9, 2)], [(0.5, 2), (0.5, 1)], [(1.0, 2)]], [0.0, 1.0, 0.0])
    asked = 'R{"r"}=? [ C ]'
    told = "the fractions that they stand for, such as 0.1 as 1/10: the value is exact for these"
    exact, plain = (zermelo.solve(f"{path}:{asked}", exact=exact) for exact in (True, False))
    assert exact.value == Fraction(1, 5) and any(told in note for note in exact.report.notes)
    assert not any(told in note for note in plain.report.notes)
    path = written(tmp_path / "w.umb", [[(0.25, 1), (0.75, 2)], [(HALF, 2), (HALF, 1)], [(1.0, 2)]], [0.0, 1.0, 0.0])
    assert not zermelo.solve(f"{path}:{asked}", exact=True).report.notes


def test_a_saved_answer_to_another_question(tmp_path: Path, capsys: Any) -> None:
    """"The rules have changed: solve again", it said."""
    path = trap(tmp_path)
    model = tmp_path / "walk.prism"
    module = "module m x:[0..2]; [a] x=0 -> (x'=1); [b] x=0 -> (x'=2); endmodule"
    model.write_text(f"mdp {module} rewards [a] true : 1; [b] true : 2; endrewards")
    for file, one, other in ((path, 'Pmax=? [ F "goal" ]', 'Pmin=? [ F "goal" ]'), (model, "Rmax=? [ C<=3 ]", "Rmin=? [ C<=3 ]")):
        saved, certificate = str(tmp_path / "answer.zermelo"), str(tmp_path / "answer.cert")
        assert main(["solve", str(file), "--property", one, "--exact", "-o", saved, "--certificate", certificate]) == 0
        said = re.escape(f"{one}, and {other} was given: give '{file}:{one}', or solve again")
        with pytest.raises(FileError, match=f"answers {said}"):
            zermelo.open(saved, f"{file}:{other}")
        with pytest.raises(FileError, match=f"is about {said}"):
            zermelo.verify(certificate, f"{file}:{other}")
        assert zermelo.open(saved, f"{file}:{one}").property.text == one
    capsys.readouterr()


def test_the_answer_repeats_the_property(tmp_path: Path, capsys: Any) -> None:
    path, asked = trap(tmp_path), 'Pmax=? [ F "goal" ]'
    assert main(["solve", str(path), "--property", asked, "--exact"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"trap.umb, {asked}\n") and f"property           {asked} = 1\n" in said
    assert main(["solve", str(path), "--property", asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["property"]["text"] == asked
    assert str(zermelo.solve(zermelo.from_umb(path, asked)).property) == f"{asked} = 1"
    assert zermelo.study(f"{path}:{asked}").property == asked
    zermelo.solve(Cheaper()).export_umb(path)
    plain = zermelo.solve(zermelo.from_umb(path), exact=True)
    assert plain.property is None and plain.value == 3 and plain.game.title == "trap.umb, a model in UMB"


@pytest.mark.parametrize("asked", ['Pmin=? [ F "goal" ]', 'R{"r"}max=? [ C ]'])
def test_a_property_is_not_discounted(tmp_path: Path, capsys: Any, asked: str) -> None:
    """A discounted probability was called the value."""
    path = trap(tmp_path)
    assert main(["solve", str(path), "--property", asked, "--discount", "0.9"]) == 2
    said = capsys.readouterr().err
    assert f"{asked} is a property of a model, which discounts nothing: `zermelo translate` writes the game" in said
    file = str(tmp_path / "game.py")
    assert main(["translate", str(path), "--property", asked, "-o", file]) == 0
    assert main(["solve", file, "--discount", "0.9"]) == 0
    assert main(["solve", str(path), "--discount", "0.9"]) == 0  # the game of the file itself

"""Certificates checked from outside: what is true is verified, and what was changed is refused or still true.

Whether a changed certificate is still true is asked of the oracle (naive.py), or of exact values."""

from __future__ import annotations

import io
import json
import random
import sys
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from inspect import getsource
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import naive
import zermelo
from asking import solve_board
from capabilities.twins import MATRIX, TWINS, Burglar, TakeCoins, among_its_like, solved
from test_simultaneous import MirroredPenalty
from zermelo.basics import numbers
from zermelo.basics.numbers import from_full, in_full
from zermelo.basics.progress import silent
from zermelo.cli.app import main
from zermelo.errors import FileError, OutOfReach
from zermelo.games import ConnectFour, Dodgem, Pig
from zermelo.games.gobblet import GobbletGobblers
from zermelo.kernels.kernel import only
from zermelo.language.rules import lengths
from zermelo.states.layout import nested
from zermelo.uses.verify_in_parts import in_threads

sys.path.append(str(Path(__file__).parents[1] / "examples"))
from chow_robbins import ChowRobbins  # noqa: E402
from coin_race import CoinRace  # noqa: E402
from goofspiel import Goofspiel  # noqa: E402
from matches import Matches  # noqa: E402


class Place(NamedTuple):
    at: int
    bonus: int = 0


class Bench(NamedTuple):
    """A player may rest unpaid forever, or toss a coin for 1 or -1; or pay 1 to be paid it back next time round."""

    good: bool = False

    def start(self) -> Place:
        return Place(1)

    def actions(self, s: Place) -> Iterator[int]:
        for action in range(3 if s.at > 0 else 0):  # noqa: UP028
            yield action

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        if action == 0:
            yield 1, 0, s
        elif action == 1:
            yield 1, 1, Place(0)
            yield 1 if self.good else 2, -1, Place(0)
        else:
            yield 1, 1 if s.at == 2 else -1, Place(3 - s.at)


class Draw(NamedTuple):
    """Two move a piece to and fro; whoever is on 3 may take a bad bet instead. Best play never ends."""

    def start(self) -> Place:
        return Place(2, 0)

    def player(self, s: Place) -> int:
        return s.bonus

    def actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            if s.at == 3:
                yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        if action == 0:
            yield 1, 0, Place(5 - s.at, 1 - s.bonus)
        else:
            yield 2, -1 if s.bonus == 0 else 1, Place(0, 0)
            yield 1, 1 if s.bonus == 0 else -1, Place(0, 0)


class Toll(NamedTuple):
    """A second payoff counts what is paid on the way."""

    payoffs = ("points", "moves")

    def start(self) -> Place:
        return Place(3)

    def actions(self, s: Place) -> Iterator[int]:
        for action in range(2 if s.at > 0 else 0):  # noqa: UP028
            yield action

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, tuple[int, int], Place]]:
        yield 2, (action, 1), Place(s.at - 1)
        yield 1, (0, 1), Place(min(s.at + action, 3))

    def payoff(self, s: Place) -> tuple[int, int]:
        return 0, 0


EXACT = {"exact": True}
GAMES: list[tuple[Any, dict[str, Any], str]] = [
    (TakeCoins(6), {}, "bounds"),
    (TakeCoins(4), EXACT, "exact"),
    (Pig(4), {}, "bounds"),
    (Pig(3), EXACT, "exact"),
    (Pig(4), {"discount": 0.9}, "bounds"),
    (Pig(3), {"discount": 0.9, **EXACT}, "exact"),
    (Matches(9), {}, "results"),
    (Burglar(3), {}, "bounds"),
    (Burglar(2), EXACT, "exact"),
    (Bench(), {}, "bounds"),
    (Bench(), EXACT, "exact"),
    (Bench(True), {}, "bounds"),
    (Draw(), {}, "bounds"),
    (Draw(), EXACT, "exact"),
    (Toll(), {}, "bounds"),
    (Toll(), EXACT, "exact"),
    (CoinRace(4), {}, "bounds"),
    (Goofspiel(3), EXACT, "exact"),
    (ChowRobbins(12), {}, "bounds"),
]


SOLVED: dict[str, Any] = {}
TRUE: dict[str, tuple[Any, Any]] = {}


def solution_of(game: Any, options: dict[str, Any]) -> Any:
    key = f"{game!r}{options}"  # games of two classes can be equal
    if key not in SOLVED:
        SOLVED[key] = zermelo.solve(game, **options)
    return SOLVED[key]


def written(game: Any, options: dict[str, Any], path: Path) -> Path:
    solution_of(game, options).export_certificate(path)
    return path


def truth(game: Any, options: dict[str, Any]) -> tuple[Any, Any]:
    """An interval that is known to hold the value."""
    key = f"{game!r}{options}"
    if key not in TRUE:
        TRUE[key] = true_interval(game, options.get("discount", 1.0))
    return TRUE[key]


def true_interval(game: Any, discount: float) -> tuple[Any, Any]:
    if isinstance(game, ChowRobbins):
        return 0.7929535064, 0.7929535065  # Haggstrom and Wastlund 2013
    if discount != 1.0 or hasattr(game, "other_actions"):
        found = zermelo.solve(game, discount=discount, exact=True).value
        return found, found
    found = naive.value(game)
    return (found[0], found[0]) if isinstance(found, tuple) else (found, found)


def named(part: Any) -> str | None:
    return str(part) if hasattr(part, "_fields") else "-".join(part) or "plain" if isinstance(part, dict) else None


@pytest.mark.parametrize(("game", "options", "kind"), GAMES, ids=named)
def test_what_is_true_is_verified(game: Any, options: dict[str, Any], kind: str, tmp_path: Path) -> None:
    verdict = zermelo.verify(written(game, options, tmp_path / "certificate"), game)
    low, high = truth(game, options)
    assert verdict.verified and verdict.fault is None and verdict.kind == kind, verdict.fault
    assert verdict.low <= high and verdict.high >= low
    if kind == "exact":
        assert verdict.low == verdict.high == low
    elif not isinstance(game, ChowRobbins):
        assert verdict.high - verdict.low < 1e-9


def test_a_game_that_is_over_at_the_start_has_no_mixtures(tmp_path: Path) -> None:
    verdict = zermelo.verify(written(Burglar(0), EXACT, tmp_path / "none.certificate"), Burglar(0))
    assert verdict, verdict


@pytest.mark.parametrize("game", [Pig(4), Burglar(3), Toll(), Matches(9)], ids=str)
def test_compiled_rules_give_the_same_verdict(game: Any, tmp_path: Path) -> None:
    path = written(game, {}, tmp_path / "certificate")
    by_python, compiled = (zermelo.verify(path, game, interpreted=how) for how in (True, False))
    assert by_python.rules == "run by Python" and "compiled" in compiled.rules
    assert compiled == by_python._replace(rules=compiled.rules)


@pytest.mark.parametrize("twin", [t for t in TWINS if t.column in ("stages", "entries", "replies")], ids=lambda t: t.column)
def test_other_engines_have_certificates_too(twin: Any, tmp_path: Path) -> None:
    with among_its_like(twin):
        solved(twin.column).export_certificate(tmp_path / "certificate")
    verdict = zermelo.verify(tmp_path / "certificate", twin.game)
    assert verdict.verified and verdict.low <= solved(twin.column).high and verdict.high >= solved(twin.column).low


# --- changed certificates ---------------------------------------------------------------------------------------------------


def parts(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        found: dict[str, Any] = {n: archive.read(n) for n in archive.namelist()}
    return {n: json.loads(d) if n == "header.json" else np.load(io.BytesIO(d)) for n, d in found.items()}


def states_of(game: Any, contents: dict[str, Any]) -> list[Any]:
    """The listed states, as docs/certificates.md says that they are packed."""
    low, bits = contents["header.json"]["low"], contents["header.json"]["bits"]
    found = []
    for key in contents["states.npy"].tolist():
        numbers = []
        for least, width in zip(reversed(low), reversed(bits), strict=True):
            numbers.append((key & (1 << width) - 1) + least)
            key >>= width
        found.append(nested(type(game.start()), lengths(game.start()), numbers[::-1]))
    return found


def write(path: Path, contents: dict[str, Any]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            data = io.BytesIO()
            if name == "header.json":
                data.write(json.dumps(content).encode())
            else:
                np.save(data, content)
            archive.writestr(name, data.getvalue())
    return path


def numbers_changed(array: np.ndarray, dice: random.Random) -> None:
    at = tuple(dice.randrange(n) for n in array.shape)
    if array.dtype.kind == "f":
        x = float(array[at])
        array[at] = dice.choice([x + 1e-6, x - 1e-6, x / 2, 2 * x, -x, 0.0, x + 1, float("nan"), float("inf"), x * (1 - 1e-3)])
    elif array.dtype.kind == "u":  # fractions as text
        array[at] = ord(dice.choice("0123456789/\n-"))
    else:
        array[at] = int(array[at]) + dice.choice([-1, 1, 2, -2, 100])


def mutated(contents: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    changed = {n: c if n == "header.json" else c.copy() for n, c in contents.items()}
    name = dice.choice([n for n in changed if n != "header.json"])
    what = dice.randrange(8)
    if what == 0:  # a state is removed
        gone = dice.randrange(len(changed["states.npy"]))
        for n in changed:
            if n != "header.json" and len(changed[n]) == len(contents["states.npy"]):
                changed[n] = np.delete(changed[n], gone, axis=0)
    elif what == 1:
        del changed[name]
    elif what == 2:
        changed[name] = changed[name][:-1]
    else:
        for _ in range(1 if what < 6 else 3):
            numbers_changed(changed[name], dice)
    return changed


@pytest.mark.parametrize(("game", "options", "kind"), GAMES, ids=named)
def test_what_was_changed_is_refused_or_still_true(game: Any, options: dict[str, Any], kind: str, tmp_path: Path) -> None:
    contents = parts(written(game, options, tmp_path / "certificate"))
    low, high = truth(game, options)
    dice, refused = random.Random(str(game) + kind), 0
    for _ in range(40):
        try:
            verdict = zermelo.verify(write(tmp_path / "changed", mutated(contents, dice)), game)
        except FileError as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        if verdict.verified:
            assert verdict.low <= high and verdict.high >= low, "a wrong certificate was verified"
        else:
            assert verdict.fault and "\n" not in verdict.fault
            refused += 1
    assert refused > 13


def test_a_bit_that_flipped_is_told(tmp_path: Path) -> None:
    path = written(Matches(9), {}, tmp_path / "certificate")
    right, data, dice = zermelo.verify(path, Matches), path.read_bytes(), random.Random(1)
    assert right.verified
    found = 0
    for _ in range(200):
        at = dice.randrange(len(data))
        (tmp_path / "flipped").write_bytes(data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :])
        try:
            assert zermelo.verify(tmp_path / "flipped", Matches) == right  # a time or a name that nobody reads
        except FileError as error:
            assert "\n" not in str(error)
            found += 1
    assert found > 100


def test_the_first_state_that_fails_is_named(tmp_path: Path) -> None:
    game, path = Matches(9), tmp_path / "certificate"
    contents = parts(written(game, {}, path))
    contents["distance.npy"][5] += 2
    verdict = zermelo.verify(write(path, contents), game)
    state = zermelo.solve(game).rules.show(states_of(game, contents)[5])
    assert verdict.fault == f"at {state}: result and distance do not follow from the next states"
    assert not verdict, "a verdict is true only if everything was verified"
    without = {n: c if n == "header.json" else np.delete(c, 0, axis=0) for n, c in parts(written(game, {}, path)).items()}
    assert "a next state is not listed" in str(zermelo.verify(write(path, without), game).fault)


def test_staying_for_ever_is_worth_what_it_is() -> None:
    """A value that satisfies the equation but is not the game's is refused: cycling unpaid is worth 0, not 1."""
    game = Bench()
    assert solution_of(game, {}).value == 0


def test_values_that_satisfy_the_equation_only_are_refused(tmp_path: Path) -> None:
    contents = parts(written(Draw(), {}, tmp_path / "certificate"))
    for name in ("above.npy", "below.npy"):
        contents[name][[s.at > 0 for s in states_of(Draw(), contents)], :, 0] -= 0.25  # everywhere the same
    assert not zermelo.verify(write(tmp_path / "certificate", contents), Draw).verified


def test_matrices(tmp_path: Path) -> None:
    path, solution = tmp_path / "certificate", zermelo.matrix_game(MATRIX)
    solution.export_certificate(path)
    verdict = zermelo.verify(path)
    assert verdict.verified and verdict.low == verdict.high == solution.value
    contents, dice = parts(path), random.Random(2)
    for _ in range(200):
        changed = {**contents, "fractions.npy": contents["fractions.npy"].copy()}
        numbers_changed(changed["fractions.npy"], dice)
        try:
            again = zermelo.verify(write(path, changed))
        except FileError:
            continue
        assert not again.verified or again.low <= solution.value <= again.high


# --- other rules, other games, the command line -----------------------------------------------------------------------------


def test_games_of_one_s_own_have_to_be_named(tmp_path: Path) -> None:
    path = written(Matches(9), {}, tmp_path / "certificate")
    with pytest.raises(FileError, match="not in the catalogue: say where its rules are"):
        zermelo.verify(path)
    with pytest.raises(FileError, match="is about the game Matches"):
        zermelo.verify(path, Pig)
    contents = parts(path)
    contents["header.json"]["game"] = "__main__:Matches"  # of a notebook
    with pytest.raises(FileError, match=r"say where its rules are, as FILE\.py:Matches, or give the class Matches$"):
        zermelo.verify(write(path, contents))
    contents["header.json"]["game"] = "heaps_of_user:Matches"  # from a file that was named on the command line
    with pytest.raises(FileError, match=r"is about Matches, which is not in the catalogue: say where its rules are, as heaps\.py:Matches$"):
        zermelo.verify(write(path, contents))
    contents = parts(path)
    contents["header.json"]["rules hash"] = "0" * 64
    with pytest.raises(FileError, match="other rules"):
        zermelo.verify(write(path, contents), Matches)


CRAFTED = [{"discount": "a"}, {"discount": 2}, {"kind": "magic"}, {"parameters": 3}, {"format": "?"}, {"name": 1}]


@pytest.mark.parametrize("change", CRAFTED, ids=str)
def test_crafted_headers_are_refused_in_one_line(change: dict[str, Any], tmp_path: Path) -> None:
    contents = parts(written(Pig(3), {}, tmp_path / "certificate"))
    contents["header.json"] |= change
    with pytest.raises(zermelo.ZermeloError) as caught:
        zermelo.verify(write(tmp_path / "crafted", contents), Pig)
    assert "\n" not in str(caught.value)


ODD: list[Any] = [None, True, 0, -1, 63, 64, 10**30, 1.5, float("nan"), float("inf"), "", "x", [], [None], {}, "exact", "bounds"]
ODD += [[0] * 3, [62, 0, 0], [-1] * 3]
KINDS: list[Any] = [np.int8, np.uint8, np.uint64, np.float32, np.float64, np.complex128, np.bool_, "U3", "datetime64[s]"]


def crafted(contents: dict[str, Any], dice: random.Random) -> dict[str, Any]:
    """Valid as a file, with odd things in the header and arrays of other kinds and shapes."""
    changed = {n: dict(c) if n == "header.json" else c.copy() for n, c in contents.items()}
    header = changed["header.json"]
    for _ in range(dice.choice([1, 1, 2])):
        name = dice.choice([*header, "low", "bits", "kind", "discount"])
        header[name] = dice.choice(ODD)
        array = dice.choice([n for n in changed if n != "header.json"])
        what, old = dice.randrange(8), changed[array]
        if what == 0 and old.dtype.kind != "u":
            changed[array] = old.astype(dice.choice(KINDS))
        elif what == 1:
            changed[array] = old.reshape(dice.choice([(1, -1), (-1, 1)]))
        elif what == 2:
            changed[array] = old[:0]
        elif what == 3:
            changed[array] = np.concatenate([old, old])
        if what < 4 or dice.random() < 0.2:
            header.update(contents["header.json"])  # only the array is changed
    return changed


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_crafted_certificates_are_refused_in_one_line_or_true(count: int, tmp_path: Path) -> None:
    for game, options in ((Pig(4), {}), (Matches(9), {}), (Pig(3), EXACT), (Goofspiel(3), EXACT)):
        contents, dice, (low, high) = parts(written(game, options, tmp_path / "whole")), random.Random(str(game)), truth(game, options)
        for _ in range(count // 4):
            changed = crafted(contents, dice)
            try:
                verdict = zermelo.verify(write(tmp_path / "crafted", changed), type(game))
            except zermelo.ZermeloError as error:
                assert "\n" not in str(error)
                continue
            if not verdict.verified:
                assert verdict.fault and "\n" not in verdict.fault
            elif changed["header.json"]["discount"] == 1.0:  # else it is about another game
                assert verdict.low <= high and verdict.high >= low


def test_a_certificate_for_players_who_see_everything_is_none_of_what_is_hidden(tmp_path: Path) -> None:
    class Matches(globals()["Matches"]):  # type: ignore[misc]
        def sees(self, s: Any, player: int) -> tuple[int]:
            return (0,)

    path = written(globals()["Matches"](9), {}, tmp_path / "certificate")
    with pytest.raises(FileError, match="the players of Matches do not see everything, and this is no certificate for such a game"):
        zermelo.verify(path, Matches)


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "pig.cert")
    assert main(["solve", "pig", "--goal", "4", "--certificate", path]) == 0
    assert f"certificate written to {path}: zermelo verify {path} checks it" in capsys.readouterr().out
    own = f"{Path(__file__).parents[1] / 'examples' / 'matches.py'}:Matches"
    assert main(["solve", own, "--matches", "4", "--certificate", f"{path}.own"]) == 0
    said = capsys.readouterr().out.rpartition("certificate written to ")[2]
    assert said == f"{path}.own: zermelo verify {path}.own {own} checks it\n"
    assert main(said.split()[2:5]) == 0
    assert "Matches(matches=4" in capsys.readouterr().out
    assert main(["verify", path]) == 0
    assert "Pig(goal=4): the value is between 0." in capsys.readouterr().out
    assert main(["verify", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verified"] is True
    contents = parts(Path(path))
    contents["above.npy"][..., 1] /= 1000
    write(Path(path), contents)
    assert main(["verify", path]) == 1
    assert "refused: at " in capsys.readouterr().out
    zermelo.solve("pig", goal=4).save(tmp_path / "saved")
    assert main(["verify", str(tmp_path / "saved")]) == 2
    assert "is a saved solution or a checkpoint, not a certificate" in capsys.readouterr().err
    Path(path).write_bytes(b"PK nonsense")
    assert main(["verify", path]) == 2
    assert "is not a certificate, or is damaged" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "nothing")]) == 2


def test_certificates_that_can_not_be_written_are_refused_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.uses.need.MOST_BRIDGED", 2)
    with among_its_like(next(t for t in TWINS if t.column == "entries")), pytest.raises(zermelo.OutOfReach) as caught:
        zermelo.solve(CoinRace(6)).export_certificate(tmp_path / "certificate")
    assert "a certificate needs all" in str(caught.value) and not list(tmp_path.iterdir())


class Owed(NamedTuple):
    """Round and round two dollars are paid and got back, or one pays a debt and is done; or one is paid three times."""

    debt: float = 10.0
    paid: float = 0.0

    def start(self) -> Place:
        return Place(10 if self.paid else 0)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at != 3:
            yield 0
        if s.at == 2:
            yield 1

    def player(self, s: Place) -> int:
        return 1

    def outcomes(self, s: Place, a: int) -> Iterator[Any]:
        if s.at >= 10:
            yield 1, self.paid, Place(s.at + 1 if s.at < 12 else 3)
        elif a == 1:
            yield 1, -self.debt, Place(3)
        else:
            yield 1, (2, -2, 0)[s.at], Place((s.at + 1) % 3)


@pytest.mark.parametrize("game", [Owed(), Owed(1e90), Owed(paid=9e99)], ids=["small", "two beside 1e90", "three times 9e99"])
def test_a_certificate_that_would_be_refused_is_not_written(game: Owed, in_python: None, tmp_path: Path) -> None:
    """Two doubles do not hold 1e90 and a difference of 2; and bounds are at most 1e100."""
    solution, path = zermelo.solve(game), tmp_path / "owed"
    if game == Owed():
        solution.export_certificate(path)
        assert zermelo.verify(path, Owed).verified
        return
    with pytest.raises(OutOfReach, match="no certificate that can be checked from outside|up to 1e100, and at Place"):
        solution.export_certificate(path)
    assert not path.exists()


class Patience(NamedTuple):
    """Play goes on with all but a chance of 1e-60, or is stopped for half."""

    def start(self) -> Place:
        return Place(1)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[float, float, Place]]:
        if action == 0:
            yield 1, 0, s
            yield 1e-60, 1, Place(0)
        else:
            yield 1, 0.5, Place(0)


def test_moves_that_doubles_can_not_count_are_refused_in_one_line(tmp_path: Path) -> None:
    solution = zermelo.solve(Patience(), exact=True)
    assert solution.value == 1
    with pytest.raises(zermelo.OutOfReach, match="no certificate that can be checked from outside: the number of moves can't be bounded"):
        solution.export_certificate(tmp_path / "certificate")


def test_the_verifier_is_one_file_of_500_lines() -> None:
    """All lines count, and none is wider than lines of this project are (pyproject.toml)."""
    lines = Path(zermelo.verifier.__file__).read_text().splitlines()
    assert len(lines) <= 500 and max(map(len, lines)) <= 140


class Long(NamedTuple):
    """A chain of states whose values are fractions of a thousand digits."""

    n: int = 100

    def start(self) -> Place:
        return Place(self.n)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        yield s.at * 7919 + 1 + action, 1, Place(s.at - 1)
        yield 104729 * 1299709, 0, Place(s.at - 1)


@pytest.fixture
def short_texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python turns no numbers of more than 640 digits into text, as by default none of more than 4300: so short a game will do."""
    long = Fraction(3**9_200, 10**4_400)
    assert from_full(in_full(long)) == long and from_full(in_full(Fraction(long.numerator))) == long.numerator
    monkeypatch.setattr(numbers, "PLAIN_DIGITS", 600)
    monkeypatch.setattr(numbers, "PLAIN_BITS", 1_900)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    yield
    sys.set_int_max_str_digits(before)


def test_fractions_too_long_for_python_to_turn_into_text(short_texts: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = "from typing import NamedTuple, Iterator\nclass Place(NamedTuple):\n    at: int\n\n"
    (tmp_path / "long.py").write_text(state + getsource(Long))
    game, path = f"{tmp_path / 'long.py'}:Long", str(tmp_path / "certificate")
    truth = naive.value(Long())
    with pytest.raises(ValueError, match="640 digits"):
        str(truth.denominator)
    assert main(["solve", game, "--exact", "--json", "--certificate", path]) == 0
    assert from_full(json.loads(capsys.readouterr().out)["exact"]) == truth
    assert main(["verify", path, game]) == 0
    zermelo.solve(Long(), exact=True).export_certificate(path)
    verdict = zermelo.verify(path, Long)
    assert verdict.verified and verdict.low == verdict.high == truth
    contents = parts(Path(path))
    changed = bytes(contents["values.npy"]).replace(b"7", b"8", 1)
    assert not zermelo.verify(write(tmp_path / "changed", {**contents, "values.npy": np.frombuffer(changed, np.uint8)}), Long).verified
    for bad in (b"1" * 5000 + b"x", b"1" * 5000 + b"/", b"1" * 5000 + b"/0", b"1" * 5000 + b"/-" + b"2" * 5000):
        lines = bytes(contents["values.npy"]).split(b"\n")
        array = np.frombuffer(b"\n".join([bad, *lines[1:]]), np.uint8)
        with pytest.raises(FileError, match="can't be understood"):
            zermelo.verify(write(tmp_path / "changed", {**contents, "values.npy": array}), Long)
    for command in (["table", game, "--exact", "--json"], ["page", game, "--exact", "-o", str(tmp_path / "page.html")]):
        assert main(command) == 0


# --- tables of board games, and symmetric states ----------------------------------------------------------------------------

BOARDS = [GobbletGobblers(1, 3), ConnectFour(4, 2), Dodgem(2)]


@lru_cache(None, typed=True)
def table_of(game: Any) -> Any:
    with only("interpreted"):
        return solve_board(game)


@lru_cache(None, typed=True)
def explored(game: Any) -> Any:
    with only("interpreted"):
        return zermelo.solve(game)


@pytest.mark.parametrize(("game", "interpreted"), [*((game, True) for game in BOARDS), (BOARDS[0], False), (BOARDS[2], False)], ids=str)
def test_board_tables_have_certificates_and_no_symmetry_is_believed(game: Any, interpreted: bool, tmp_path: Path) -> None:
    solution = table_of(game)
    solution.export_certificate(tmp_path / "table")
    verdict = zermelo.verify(tmp_path / "table", game, interpreted=interpreted)
    assert verdict.verified and verdict.kind == "results" and verdict.assumes == ()
    assert verdict.low == verdict.high == solution.value and verdict.states >= solution.report.states
    explored(game).export_certificate(tmp_path / "explored")  # the same list, whichever engine it comes from
    table, listed = parts(tmp_path / "table"), parts(tmp_path / "explored")
    assert states_of(game, table) == states_of(game, listed)
    assert all((table[n] == listed[n]).all() for n in ("value.npy", "distance.npy"))


@pytest.mark.parametrize("name", ["value.npy", "distance.npy", "states.npy"])
def test_a_changed_board_table_is_refused_with_a_position(name: str, tmp_path: Path) -> None:
    game, dice = Dodgem(2), random.Random(name)
    table_of(game).export_certificate(tmp_path / "table")
    contents = parts(tmp_path / "table")
    for _ in range(30):
        changed = {**contents, name: contents[name].copy()}
        changed[name][dice.randrange(len(changed[name]))] += dice.choice([-2, -1, 1, 2])
        verdict = zermelo.verify(write(tmp_path / "changed", changed), game, interpreted=False)
        assert not verdict.verified and verdict.fault and verdict.fault.startswith(("at ", "the start is not listed"))


class FalseMirror(NamedTuple):
    """Whoever takes the last match wins; two piles are said to be the same that are not: too few for the sample of the checker."""

    matches: int = 3300

    def start(self) -> Place:
        return Place(self.matches)

    def symmetries(self, s: Place) -> Iterator[Place]:
        if s.at == 100 or s.at == 101:
            yield Place(201 - s.at, s.bonus)

    def actions(self, s: Place) -> Iterator[int]:
        for n in range(1, min(s.at, 3) + 1):  # noqa: UP028
            yield n

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place, int]]:
        yield 1, 0, Place(s.at - action), -1

    def payoff(self, s: Place) -> int:
        return -1


@pytest.mark.parametrize("interpreted", [True, False])
def test_symmetries_that_are_none_are_found(interpreted: bool, tmp_path: Path) -> None:
    zermelo.solve(FalseMirror()).export_certificate(tmp_path / "certificate")
    verdict = zermelo.verify(tmp_path / "certificate", FalseMirror, interpreted=interpreted)
    assert not verdict.verified and str(verdict.fault).startswith("at Place(at=10")


class Heaps(NamedTuple):
    a: int
    b: int
    c: int
    turn: int


class ThreeHeaps(NamedTuple):
    """In turn, take a die's number (0, 1 or 2) from a heap, for what its height and the others pay. The order of heaps does not matter, but
    actions are numbered by it; and with a 0 play can come back."""

    seed: int = 1
    height: int = 3

    payoffs = "chips", "takes"

    def start(self) -> Heaps:
        return Heaps(self.height, self.height - 1, self.height - 2, 0)

    def player(self, s: Heaps) -> int:
        return s.turn

    def symmetries(self, s: Heaps) -> Iterator[Heaps]:
        for a, b, c in ((s.a, s.c, s.b), (s.b, s.a, s.c), (s.b, s.c, s.a), (s.c, s.a, s.b), (s.c, s.b, s.a)):
            yield Heaps(a, b, c, s.turn)

    def actions(self, s: Heaps) -> Iterator[int]:
        if s.a > 0:
            yield 0
        if s.b > 0:
            yield 1
        if s.c > 0:
            yield 2

    def outcomes(self, s: Heaps, heap: int) -> Iterator[tuple[int, tuple[int, int], Heaps]]:
        height = s.a if heap == 0 else s.b if heap == 1 else s.c
        for ways, taken in ((1, 0), (3, 1), (2, 2)):
            took = min(height, taken)
            paid = (7 * height + 3 * (s.a + s.b + s.c) + self.seed * took * took + s.turn) % 5 - 2
            a, b, c = s.a - took * (heap == 0), s.b - took * (heap == 1), s.c - took * (heap == 2)
            yield ways, (paid * (taken > 0), 1), Heaps(a, b, c, 1 - s.turn)


class WrongHeaps(ThreeHeaps):
    """Two heaps of 1 are said to be symmetric to one, which is worth something else."""

    def symmetries(self, s: Heaps) -> Iterator[Heaps]:
        yield from ThreeHeaps.symmetries(self, s)
        if (s.a, s.b, s.c) in ((0, 1, 1), (1, 0, 1), (1, 1, 0)):
            yield Heaps(0, 0, 1, s.turn)
            yield Heaps(0, 1, 0, s.turn)
            yield Heaps(1, 0, 0, s.turn)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("exact", [False, True])
def test_symmetries_are_not_believed_where_the_policy_has_other_numbers(exact: bool, seed: int, tmp_path: Path) -> None:
    """Of a symmetric state the certificate has no policy: the verifier finds an action for which the same bounds hold."""
    game, path = ThreeHeaps(seed), tmp_path / "certificate"
    solution = zermelo.solve(game, exact=exact)
    solution.export_certificate(path)
    verdicts = [zermelo.verify(path, game, interpreted=interpreted) for interpreted in (True, False)]
    assert all(v.verified and v.assumes == () and v.states > 2 * solution.report.states for v in verdicts)
    assert verdicts[0].low <= naive.value(game)[0] <= verdicts[0].high
    contents = parts(path)
    kept = np.array([(s.a, s.b, s.c) != (0, 0, 1) for s in states_of(game, contents)])
    for name, array in contents.items():
        if name == "values.npy":
            lines = np.array(bytes(array).decode().split("\n")).reshape(len(kept), 2)
            contents[name] = np.frombuffer("\n".join(lines[kept].ravel()).encode(), np.uint8)
        elif name != "header.json":
            contents[name] = array[kept]
    certificate = zermelo.verifier.read(write(path, contents))
    wrong = zermelo.verifier.verify(certificate, WrongHeaps(seed), None, silent, in_threads)
    assert not wrong.verified and str(wrong.fault).startswith("at Heaps(") and "not listed" not in str(wrong.fault)


def test_no_action_of_a_symmetric_state_fits_a_changed_bound(tmp_path: Path) -> None:
    game = ThreeHeaps()
    zermelo.solve(game).export_certificate(tmp_path / "certificate")
    contents = parts(tmp_path / "certificate")
    for name, sign in (("above", -1), ("below", 1)):
        for k in np.flatnonzero(contents["policy.npy"] >= 0).tolist():
            changed = contents[f"{name}.npy"].copy()
            changed[k, 0, 0] += sign * 1e-6
            assert not zermelo.verify(write(tmp_path / "changed", {**contents, f"{name}.npy": changed}), game).verified


def test_with_simultaneous_moves_symmetries_are_believed_and_it_is_said(tmp_path: Path) -> None:
    zermelo.solve(MirroredPenalty()).export_certificate(tmp_path / "certificate")
    assert zermelo.verify(tmp_path / "certificate", MirroredPenalty()).assumes == ("symmetries",)


def test_where_too_many_are_symmetric_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = GobbletGobblers(1, 2)
    zermelo.solve(game).export_certificate(tmp_path / "certificate")
    every = zermelo.verify(tmp_path / "certificate", game)
    monkeypatch.setattr("zermelo.verifier.MOST_IMAGES", 100)
    believed = zermelo.verify(tmp_path / "certificate", game)
    assert every.verified and believed.verified and (every.assumes, believed.assumes) == ((), ("symmetries",))
    assert every.states > believed.states and believed == zermelo.verify(tmp_path / "certificate", game)
    compiled = zermelo.verify(tmp_path / "certificate", game, interpreted=False)
    assert compiled == believed._replace(rules=compiled.rules)


# --- claims that are false, made by hand --------------------------------------------------------------------------------------


class Prize(NamedTuple):
    """A walk of some steps, and a prize at the end; on the way it may be had at once, or first be paid and then paid back."""

    steps: int = 0
    prize: int = 1
    back: int = 0

    def start(self) -> Place:
        return Place(self.steps)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        if action == 0 or self.back == 0:
            yield 1, 0, Place(s.at - 1, s.bonus)
        else:
            yield 1, -self.back if s.bonus else self.prize, Place(s.at, 1 - s.bonus)

    def payoff(self, s: Place) -> int:
        return self.prize * (1 - s.bonus)


def claimed(game: Any, path: Path, above: list[Any], below: list[Any], policy: list[int], start: Any = None) -> Any:
    """The verdict on bounds made by hand; `start` : a game with the same rules and states that can be solved."""
    contents = parts(written(start or game, {"discount": 0.5}, path))
    header = {**contents["header.json"], "kind": "bounds", "discount": 1.0, "parameters": game._asdict()}
    bounds = {f"{name}.npy": np.array(claim, float)[:, None, :] for name, claim in (("above", above), ("below", below))}
    made = {"header.json": header, "states.npy": contents["states.npy"], "policy.npy": np.array(policy, np.int32), **bounds}
    return zermelo.verify(write(path, made), game)


def test_what_is_added_to_a_bound_is_not_negative(tmp_path: Path) -> None:
    """The rounding of a sum is bounded for numbers of one sign: 1e99 and hardly less made 1 at most -2e83."""
    path = tmp_path / "certificate"
    assert claimed(Prize(), path, [[1.0, 0.0]], [[1.0, 0.0]], [-1]).verified
    for base, more in ((1e99, -1e99 * (1 + 2.0**-52)), (2.0, -1 - 2.0**-52)):
        verdict = claimed(Prize(), path, [[base, more]], [[-5.0, 1.0]], [-1])
        assert not verdict.verified and "its second number is negative" in verdict.fault


def test_from_2_to_the_53_on_a_payoff_may_have_been_another_whole_number(tmp_path: Path) -> None:
    path, large = tmp_path / "certificate", 2.0**53
    for base, told in ((large, "what the end pays, rounded, as older versions forgot: write it again"), (large - 2, "what the end pays")):
        verdict = claimed(Prize(prize=2**53 + 1), path, [[base, 0.0]], [[large, 0.0]], [-1])
        assert not verdict.verified and verdict.fault.endswith(told)
    assert claimed(Prize(prize=2**53 + 1), path, [[large, 2.0]], [[large, 2.0]], [-1]).verified
    with pytest.raises(OutOfReach, match="none can be certified"):  # it adds up: 2^53 + 1 is paid, and 2^53 paid back
        zermelo.solve(Prize(1, 2**53 + 1, 2**53))
    for prize, holds in ((2**20, True), (2**53 + 1, False)):
        game, worth = Prize(1, prize, prize - (not holds)), float(prize)
        above, below = [[0.0, 0.0], [worth, 0.0], [worth, 1.0], [0.0, 1.0]], [[-1e20, 0.0], [-1e20, 0.0], [-2e20, 1.0], [-2e20, 1.0]]
        order = [Place(0, 1), Place(0, 0), Place(1, 0), Place(1, 1)]
        contents = parts(written(game, {"discount": 0.5}, path))
        ranks = [order.index(s) for s in states_of(game, contents)]
        verdict = claimed(game, path, [above[k] for k in ranks], [below[k] for k in ranks], [(-1, -1, 0, 0)[k] for k in ranks])
        assert verdict.verified == holds, verdict


class Twin(NamedTuple):
    """Both choose at once, and it does not matter; of the second payoff there is much, and hardly ever."""

    payoffs = "points", "extra"

    def start(self) -> Place:
        return Place(1)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            yield 1

    def other_actions(self, s: Place) -> Iterator[int]:
        if s.at > 0:
            yield 0
            yield 1

    def outcomes(self, s: Place, a: int, b: int) -> Iterator[tuple[float, tuple[float, float], Place]]:
        yield 1e-100, (0, 1e100), Place(0)
        yield 1e100, (0, 0), Place(0)

    def payoff(self, s: Place) -> tuple[float, float]:
        return 0, 0


def test_what_is_too_rare_to_be_weighed_is_refused(tmp_path: Path) -> None:
    """Products of the weights of two mixtures and of ways may vanish."""
    path = written(Twin(), {}, tmp_path / "certificate")
    assert zermelo.verify(path, Twin).verified
    contents = parts(path)
    for name in ("own.npy", "other.npy"):
        contents[name] *= 1e-99
    for name in ("above.npy", "below.npy"):
        contents[name][:, 1] = 0.0, 1e-150
    verdict = zermelo.verify(write(path, contents), Twin)
    assert not verdict.verified and "too rare to be weighed" in str(verdict.fault)


@pytest.mark.parametrize("kind", ["exact", "results"])
def test_where_play_is_cut_off_there_are_only_bounds(kind: str, tmp_path: Path) -> None:
    game = ChowRobbins(1)
    contents = parts(written(game, {}, tmp_path / "certificate"))
    size = len(contents["states.npy"])
    contents["header.json"]["kind"] = kind
    contents |= {"values.npy": np.frombuffer(b"\n".join([b"0"] * size), np.uint8), "moves.npy": np.ones((size, 1, 2))}
    contents |= {"value.npy": np.zeros(size, np.int8), "distance.npy": np.zeros(size, np.int32)}
    with pytest.raises(FileError, match=f"no certificates of the kind '{kind}' with the discount 1.0 are for this game"):
        zermelo.verify(write(tmp_path / "crafted", contents), game)


class Pennies(NamedTuple):
    """Both show a side of a penny, at once: whose are the same wins."""

    def start(self) -> Place:
        return Place(2)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at == 2:
            yield 0
            yield 1

    def other_actions(self, s: Place) -> Iterator[int]:
        if s.at == 2:
            yield 0
            yield 1

    def outcomes(self, s: Place, a: int, b: int) -> Iterator[tuple[int, int, Place]]:
        yield 1, 0, Place(1 if a == b else 0)

    def payoff(self, s: Place) -> int:
        return 2 * s.at - 1


def test_who_chooses_at_once_does_not_choose_for_both(tmp_path: Path) -> None:
    contents = parts(written(Pennies(), {}, tmp_path / "certificate"))
    won = {"value.npy": np.array([-1, 1, 1], np.int8), "distance.npy": np.array([0, 0, 1], np.int32), "states.npy": contents["states.npy"]}
    with pytest.raises(FileError, match="no certificates of the kind 'results' with the discount 1.0 are for this game"):
        zermelo.verify(write(tmp_path / "crafted", {"header.json": {**contents["header.json"], "kind": "results"}, **won}), Pennies)


def test_the_discount_of_a_value_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate"
    for discount in (0.5, 0.9999999, 1.0):
        zermelo.solve("pig", goal=3, discount=discount).export_certificate(path)
        assert zermelo.verify(path).discount == discount
        assert main(["verify", str(path)]) == 0
        assert capsys.readouterr().out.startswith("Pig(goal=3)" + (f", discount {discount}" if discount < 1 else "") + ": the value is")


class Larger(NamedTuple):
    """Both name a number, and the difference is paid."""

    most: int = 2

    def rows(self) -> Iterator[int]:
        yield from range(self.most + 1)

    def columns(self) -> Iterator[int]:
        yield from range(self.most + 1)

    def payoff(self, row: int, column: int) -> int:
        return row - column

    def best_row(self, weights: Any) -> int:
        return self.most


def test_a_certificate_is_about_the_game_that_is_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate"
    zermelo.matrix_game([[1, 2], [3, 0]]).export_certificate(path)
    same, other = ([[1, 2], [3, last]] for last in (0, 1))
    for given in (same, zermelo.matrix_game(same).game, type(zermelo.matrix_game(same).game)):
        assert zermelo.verify(path, given).verified
    for given in (other, zermelo.matrix_game(other).game):
        with pytest.raises(FileError, match="is about a matrix"):
            zermelo.verify(path, given)
    assert main(["verify", str(path), "pig"]) == 2 and "is about a matrix" in capsys.readouterr().err
    with pytest.raises(FileError, match="is about a matrix"):
        zermelo.verify(path, Larger)
    written(Pig(4), {}, path)
    assert zermelo.verify(path, Pig(4)).verified and zermelo.verify(path, Pig).verified
    with pytest.raises(FileError, match=r"is about Pig\(goal=4\), not about Pig\(goal=50\)"):
        zermelo.verify(path, Pig(50))


def test_strategies_are_those_of_the_game(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    zermelo.solve(Larger()).export_certificate(path)
    assert zermelo.verify(path, Larger).verified
    contents = parts(path)
    for rows, columns, low, high in (([2], [100], -98, -98), ([100], [2], 98, 98), ([2], [-1], 0, 1), ([2], [1], 0, -1)):
        header = {**contents["header.json"], "strategies": [rows, columns]}
        text = np.frombuffer(f"{low}\n{high}\n1\n1".encode(), np.uint8)
        verdict = zermelo.verify(write(path, {"header.json": header, "fractions.npy": text}), Larger)
        assert not verdict.verified, (rows, columns, low, high)


def test_numbers_beyond_floats_end_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate"
    zermelo.matrix_game([[1, 2], [3, 0]]).export_certificate(path)
    contents, huge = parts(path), "1" + "0" * 5000
    shares = bytes(contents["fractions.npy"]).decode().split("\n")[2:]
    for low, high, code, said in (
        (f"-{huge}", "3/2", 0, "between -inf and 1.5"), ("3/2", huge, 0, "between 1.5 and inf"), (huge, huge, 1, "gets less than 1000"),
        ("-1e9", "3/2", 2, "'-1e9' is no fraction"), ("1e999999999", "3/2", 2, "'1e999999999' is no fraction"),
    ):  # fmt: skip
        text = np.frombuffer("\n".join([low, high, *shares]).encode(), np.uint8)
        assert main(["verify", str(write(path, {**contents, "fractions.npy": text}))]) == code
        out = "".join(capsys.readouterr())
        assert said in out and out.count("\n") == 1 and len(out) < 300


@pytest.mark.parametrize("change", [{"name": "a\nb\x1b[2J"}, {"game": "a\nb\x1b[2J:Heap"}, {"parameters": {"a\nb": 1}}], ids=str)
def test_names_that_can_not_be_printed_are_not(change: dict[str, Any], tmp_path: Path) -> None:
    contents = parts(written(Matches(9), {}, tmp_path / "certificate"))
    contents["header.json"] |= change
    for game in (Matches, None):
        with pytest.raises(FileError) as caught:
            zermelo.verify(write(tmp_path / "crafted", contents), game)
        assert str(caught.value).isprintable()


def test_a_device_without_an_end_is_not_read() -> None:
    with pytest.raises(FileError, match="/dev/zero is a device or a pipe"):
        zermelo.verify("/dev/zero")


def test_a_file_that_is_larger_than_memory_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: Any, **__: Any) -> None:
        raise MemoryError

    path = written(Matches(9), {}, tmp_path / "certificate")
    monkeypatch.setattr(np, "load", load)
    with pytest.raises(OutOfReach, match="reading .*: memory ran out"):
        zermelo.verify(path, Matches)

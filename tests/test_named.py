"""A game from a word: names of the catalogue, files of the user's, and their parameters."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

import zermelo
import zermelo.games
from zermelo.basics.words import game_in_words
from zermelo.cli import main
from zermelo.errors import FileError, ParameterError
from zermelo.games.catalogue import ENTRIES
from zermelo.games.named import find, game_named, load
from zermelo.language.replies import is_given_by_replies

# --- names in zermelo.games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_what_the_command_line_calls_a_game_is_its_name_in_python(entry):
    assert getattr(zermelo.games, entry.python_name)() == game_named(entry.command)
    assert entry.python_name in dir(zermelo.games) and entry.python_name in zermelo.games.__all__


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_people_read_a_name_that_is_no_class(entry):
    name, _, parameters = game_in_words(entry.game_class()(**entry.preset)).partition(": ")
    assert name == ("Kuhn poker" if entry.command == "one-card-poker" else entry.title)
    assert name[0].isupper() and "_" not in parameters and "False" not in parameters and "True" not in parameters


def test_what_is_empty_is_told_unless_it_is_empty_by_default():
    class Dice(NamedTuple):
        first: tuple[int, ...] = (1, 2)
        name: str = "fair"
        extra: tuple[int, ...] = ()
        also: str = ""

    assert game_in_words(Dice()) == "Dice: first (1, 2), name fair"
    assert game_in_words(Dice((), "", (3,))) == "Dice: first (), name '', extra (3,)"


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_the_state_of_a_game_is_reachable_from_the_game(entry):
    game_class = entry.game_class()
    if is_given_by_replies(game_class):
        assert not hasattr(game_class, "State")
        return
    assert game_class.State is type(game_named(entry.command).start())
    assert "State" not in game_class._fields


def test_blackjack_is_a_module():
    assert zermelo.games.blackjack.Rules().decks == 6


def test_a_preset_is_the_game_itself_and_can_be_saved(tmp_path):
    from zermelo.games import Farkle, Gobblet, GobbletGobblers, Lemonade, LemonadeStand, TenThousandRace, TicTacToe

    assert Gobblet is GobbletGobblers and Lemonade is LemonadeStand
    assert Farkle(20, head_start=3) == TenThousandRace(goal=20, dice=6, head_start=3)
    solution = zermelo.solve(TicTacToe())
    assert solution.value == 0
    solution.save(tmp_path / "three.zermelo")
    assert zermelo.open(tmp_path / "three.zermelo").game == TicTacToe()
    assert isinstance(Farkle(), TenThousandRace) and isinstance(Farkle().start(), Farkle().State)


# --- parameters -------------------------------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A file with a game of every type of parameter."""
    monkeypatch.chdir(tmp_path)
    text = """
        from typing import Annotated, Any, NamedTuple

        class S(NamedTuple):
            at: int

        class Walk(NamedTuple):
            length: Annotated[int, "how far to walk", range(1, 50)]
            prizes: tuple[int, ...] = (1, 3)
            luck: float = 0.5
            name: str = "a"
            loud: bool = False
            extra: Any = 0
            cap: int | None = None

            def start(self):
                return S(0)

            def actions(self, s):
                if s.at < self.length:
                    yield 1

            def outcomes(self, s, a):
                yield 1, self.prizes[0], S(s.at + 1)
    """
    (tmp_path / "own_walk.py").write_text(textwrap.dedent(text))
    yield "own_walk.py:Walk"
    sys.modules.pop("own_walk", None)


@pytest.mark.parametrize("goal", [50, "50"])
def test_parameters_are_values_or_text(goal):
    assert game_named("pig", goal=goal) == zermelo.games.Pig(50)


def test_every_type_of_parameter(own):
    written = game_named(own, length="3", prizes="4,5", luck="0.25", name="7", loud="yes")
    given = game_named("own_walk.py", length=3, prizes=[4, 5], luck=0.25, name="7", loud=True)
    assert written == given == (3, (4, 5), 0.25, "7", True, 0, None)
    assert game_named(own, length=3, loud="False").loud is False
    assert zermelo.solve(given).value == 12
    assert game_named(own, length=3, extra="-4", cap="2")[5:] == (-4, 2)  # of any type: read as its default is
    assert game_named(own, length=3, extra="1e-60")[5:] == (1e-60, None)
    assert main(["solve", own, "--length", "3", "--extra", "4"]) == 0


def test_large_parameters_can_be_saved(own, tmp_path):
    """What was saved with one of 2^62 or more could not be opened."""
    game = game_named(own, length=2, extra=2**62)
    zermelo.solve(game).save(tmp_path / "walk.zermelo")
    assert zermelo.open(tmp_path / "walk.zermelo", type(game)).game == game


@pytest.mark.parametrize(
    ("word", "parameters", "says"),
    [
        ("pig", {"goal": 5000}, "goal must be from 1 to 1000, not 5000"),
        ("pig", {"goal": "x"}, "goal must be a whole number, not 'x'"),
        ("pig", {"goal": 5.0}, "goal must be a whole number, not 5.0"),
        ("pig", {"goal": True}, "goal must be a whole number, not True"),
        ("pig", {"gaol": 5}, "pig has no parameter 'gaol'; did you mean goal?"),
        ("tic-tac-toe", {"x": 5}, "tic-tac-toe has no parameter 'x'; it has none"),
        ("farkle", {"dice": 5}, "farkle has dice=6, which can't be changed"),
        ("dreidel", {"half_up": "perhaps"}, "half_up must be yes or no, not 'perhaps'"),
        ("dreidel", {"half_up": 1}, "half_up must be True or False, not 1"),
        ("connect-four", {"width": -1}, "width must be from 1 to 8, not -1"),
        ("connect-four", {"width": "-1"}, "width must be from 1 to 8, not -1"),
        ("own_walk.py:Walk", {}, "own_walk.py:Walk needs length (how far to walk): there is no default"),
        ("own_walk.py:Walk", {"length": 3, "prizes": "1;2"}, "prizes must be whole numbers separated by commas"),
        ("own_walk.py:Walk", {"length": 3, "luck": "much"}, "luck must be a number, not 'much'"),
        ("", {}, "the name of a game is missing"),
        ("  ", {}, "the name of a game is missing"),
        (":", {}, "no game ':'"),
        ("pgi", {}, "no game 'pgi'; did you mean pig?"),
        ("TicTacToe", {}, "did you mean tic-tac-toe?"),
        ("GobbletGobblers", {}, "did you mean gobblet or tic-tac-toe?"),
        ("blackjack", {}, "blackjack has commands of its own: zermelo blackjack (in Python: zermelo.games.blackjack)"),
        ("ant", {}, "ant is no game but a puzzle"),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(own, word, parameters, says):
    with pytest.raises(ParameterError) as error:
        game_named(word, **parameters)
    assert says in str(error.value) and "\n" not in str(error.value) and "--" not in str(error.value)


def test_verbs_that_do_not_solve_take_names_too(own):
    assert zermelo.check(own, length=3).states[0].at == 0
    assert len(zermelo.check("pig", goal="2").states) == 2
    assert zermelo.plan("pig", goal=2).engine == "explored"
    for verb in (zermelo.check, zermelo.plan, zermelo.examine):
        with pytest.raises(ParameterError, match=f"^{verb.__name__} has no option goal: give parameters of a game where it is made"):
            verb(zermelo.games.Pig(2), goal=3)


def test_a_saved_solution_is_no_game(tmp_path):
    zermelo.solve(zermelo.games.Pig(2)).save(tmp_path / "pig.zermelo")
    with pytest.raises(FileError, match="is a saved solution, not a game: zermelo.open reads it"):
        game_named(str(tmp_path / "pig.zermelo"))

PARTS = """
from typing import NamedTuple
STEP = 1
class S(NamedTuple):
    n: int
"""
RELATIVE = '''
from typing import NamedTuple
from {dots}parts import STEP, S
class Walk(NamedTuple):
    """Its states are defined in another file of its package."""
    k: int = 5
    def start(self):
        return S(self.k)
    def outcomes(self, s):
        if s.n:
            yield 1, 2, S(s.n - STEP)
'''


@pytest.mark.parametrize("is_marked", [False, True])
def test_a_file_of_a_package_is_imported_under_its_packages_name(is_marked, tmp_path, capsys):
    """Relative imports failed: "attempted relative import with no known parent package"."""
    within = tmp_path / f"package_of_walks_{is_marked}"
    (within / "inner").mkdir(parents=True)
    (within / "parts.py").write_text(PARTS)
    (within / "walk.py").write_text(RELATIVE.format(dots="."))
    (within / "inner" / "walk.py").write_text(RELATIVE.format(dots=".."))
    for folder in (within, within / "inner") if is_marked else ():
        (folder / "__init__.py").write_text("")
    for file in (within / "walk.py", within / "inner" / "walk.py"):
        assert load(file).Walk.__module__ == ".".join(file.relative_to(tmp_path).with_suffix("").parts)
        assert zermelo.solve(f"{file}:Walk", k=3).value == 6
        assert main(["solve", str(file), "-o", str(saved := tmp_path / "walk.zermelo")]) == 0
        assert main(["solve", str(saved), "--rules", str(file)]) == 0
        assert capsys.readouterr().out.count("  value        10") == 2
    assert load(within / "walk.py").S is load(within / "inner" / "walk.py").S  # of one module


def test_relative_imports_that_can_not_be(tmp_path):
    for name, said in (("json", "another package is called json: rename"), ("my games", "'my games' can't be the name of a package")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "parts.py").write_text(PARTS)
        (tmp_path / name / "walk.py").write_text(RELATIVE.format(dots="."))
        with pytest.raises(FileError, match=said):
            load(tmp_path / name / "walk.py")
    (tmp_path / "absolute").mkdir()
    (tmp_path / "absolute" / "walk.py").write_text(RELATIVE.format(dots=".").replace("parts", "nothing_there"))
    with pytest.raises(FileError, match="walk.py can't be read as Python: line 3: ModuleNotFoundError: No module named 'absolute"):
        load(tmp_path / "absolute" / "walk.py")


def test_a_file_with_many_games_names_some(tmp_path):
    games = "".join(f"class G{k}(NamedTuple):\n    def outcomes(self, s):\n        pass\n" for k in range(60))
    (tmp_path / "many.py").write_text(f"from typing import NamedTuple\n{games}")
    with pytest.raises(FileError, match=r"several games; give one: .*many.py:G0, .*:G11 and 48 more$"):
        find(str(tmp_path / "many.py"))


def test_a_tuple_has_as_many_numbers_as_its_type_says(tmp_path):
    """--pair 1,2,3 was taken for `tuple[int, int]`."""
    fields = "    pair: tuple[int, int] = (1, 2)\n    row: tuple[int, ...] = ()\n    none: tuple[int, int] = ()\n"
    rules = "    def start(self):\n        return S(0)\n    def outcomes(self, s):\n        yield 1, 0, s\n"
    (tmp_path / "pairs.py").write_text(f"{PARTS}class Pairs(NamedTuple):\n{fields}{rules}")
    target = find(f"{tmp_path}/pairs.py:Pairs")
    assert target.game({"pair": "3,4", "row": "1,2,3"}).pair == (3, 4) and target.game({}).none == ()
    for given in ("1,2,3", "1", (1, 2, 3), 5):
        with pytest.raises(ParameterError, match="pair must be a tuple of 2, not"):
            target.game({"pair": given})
    with pytest.raises(ParameterError, match=r"Pairs: pair must be a tuple of 2, not \(1,\)"):
        zermelo.solve(target.game_class((1,)))


def test_the_public_names_are_there_for_completion():
    """In a process that has imported nothing else, `dir` had none of them."""
    told = "import zermelo; print(set(dir(zermelo)) == set(zermelo.__all__), 'solve' in dir(zermelo), 'Any' in dir(zermelo))"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "True", "False"]


HELPED = """
from typing import NamedTuple
{}

class S(NamedTuple):
    n: int

class G(NamedTuple):
    def start(self):
        return S(2)

    def actions(self, s):
        if s.n:
            yield 1

    def outcomes(self, s, a):
        yield 1, zz_helper.PAY, S(s.n - 1)
"""


@pytest.fixture
def helped(tmp_path):
    """Writes a file of rules and the module that it imports into a folder; returns the word for the game."""
    before = {*sys.modules}

    def write(folder, pay, line="import zz_helper"):
        home = tmp_path / folder
        home.mkdir(parents=True, exist_ok=True)
        (home / "zz_helper.py").write_text(f"PAY = {pay}\n")
        (home / "zz_game.py").write_text(HELPED.format(line))
        return f"{home / 'zz_game.py'}:G"

    yield write
    for name in sys.modules.keys() - before:
        if "zz_" in name:
            del sys.modules[name]


def test_what_a_file_of_rules_imports_is_that_of_its_folder_as_it_is_now(helped):
    """It was what the process had imported first, whatever the folder."""
    one, two = helped("one", 1), helped("two", 30)
    assert [zermelo.solve(word).value for word in (one, two, one)] == [2, 60, 2]
    helped("one", 7)
    assert [zermelo.solve(word).value for word in (two, one)] == [60, 14]


def test_in_a_package_too(helped, tmp_path):
    word = helped("zz_own/deep", 1, "from .. import zz_helper")
    for folder in ("zz_own", "zz_own/deep"):
        (tmp_path / folder / "__init__.py").touch()
    for pay in (1, 5):
        (tmp_path / "zz_own" / "zz_helper.py").write_text(f"PAY = {pay}\n")
        assert zermelo.solve(word).value == 2 * pay


def test_a_module_of_the_user_of_that_name_stays_his(helped, tmp_path, monkeypatch):
    helped("his", 100)
    monkeypatch.syspath_prepend(tmp_path / "his")
    import zz_helper

    assert zermelo.solve(helped("one", 1)).value == 2
    assert sys.modules["zz_helper"] is zz_helper and zz_helper.PAY == 100
    assert zermelo.solve(helped("his", 100)).value == 200


def test_a_module_that_another_file_imported_stays_for_it(helped, tmp_path):
    word = helped("one", 1)
    load(tmp_path / "one" / "zz_game.py")
    module = sys.modules["zz_helper"]
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "zz_other.py").write_text("X = 1\n")
    load(tmp_path / "two" / "zz_other.py")
    assert sys.modules["zz_helper"] is module and zermelo.solve(word).value == 2


def test_a_file_in_a_folder_that_can_not_be_listed(tmp_path, monkeypatch):
    (tmp_path / "rules.py").write_text("N = 3\n")

    def iterdir(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    assert load(tmp_path / "rules.py").N == 3

"""`zermelo.solve`: engines are asked in turn until one solves the game; `plan` says which one that is, and why the others do not."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from zermelo.answers.report import Refusal
from zermelo.basics import machine
from zermelo.basics.fields import described
from zermelo.basics.html import card, facts, note
from zermelo.basics.interrupts import check_outside_compiler
from zermelo.basics.notices import said
from zermelo.basics.numbers import NoDecimal
from zermelo.basics.parameters import check_path
from zermelo.basics.progress import Progress, silent
from zermelo.basics.values import in_python
from zermelo.basics.words import game_text
from zermelo.cluster.connection import check_address
from zermelo.engines.base import NOT_COMPILED, Engine, GivesUp, Request
from zermelo.engines.choose import refusal, willing
from zermelo.errors import FileError, NoMemory, NoValue, OutOfReach, ParameterError, RulesError
from zermelo.foreign.deciding import Infinite, decides_by
from zermelo.foreign.modules import question_about
from zermelo.games.catalogue import ENTRIES
from zermelo.games.named import find, game_named
from zermelo.language.checking import Sample, Seen
from zermelo.language.checking import check as check_states_of
from zermelo.language.checking.checker import SECONDS, STATES
from zermelo.language.parameters import game_with, restored_parameters
from zermelo.language.replies import GivenByReplies, is_given_by_replies
from zermelo.language.rules import Rules
from zermelo.language.rules_text import rules_hash
from zermelo.problem.solver import Solver
from zermelo.problem.structure import Structure
from zermelo.solution import HiddenSolution, MatrixSolution, MixedSolution, Solution, solution_of
from zermelo.uses.need import remember_names
from zermelo.uses.property import check_exact, check_undiscounted, given_exactly, truths

if TYPE_CHECKING:
    from zermelo.verifier import Verdict


def _held(game: Any) -> dict[tuple[int, ...], bool]:
    """The states in which the property of a translated game holds. Raises `OutOfReach` where that cannot be determined."""
    found = truths(solve(game))
    if None in found.values():
        found = truths(solve(game, exact=True))
    if None in found.values():
        raise OutOfReach(f"{type(game).__name__}: it can't be decided where the inner property holds")
    return {state: bool(holds) for state, holds in found.items()}


def _infinite(game: Any) -> Infinite:
    """Where the value of a translated game is infinite; nothing is known if the game is too large."""
    from zermelo.uses.until import infinite

    try:
        return infinite(Request(game))
    except OutOfReach:
        return Infinite()


decides_by(_held, _infinite)


@overload
def solve(
    game: GivenByReplies, *, exact: bool = ..., tolerance: float | None = ..., progress: Progress = ...
) -> MixedSolution: ...


@overload
def solve(
    game: Any,
    *,
    exact: bool = ...,
    discount: float = ...,
    solver: Solver | None = ...,
    max_states: int | None = ...,
    tolerance: float | None = ...,
    checkpoint: str | Path | None = ...,
    quick: bool = ...,
    refine: bool = ...,
    cluster: str | None = ...,
    progress: Progress = ...,
    **parameters: Any,
) -> Solution: ...


def solve(
    game: Any,
    *,
    exact: bool = False,
    discount: float = 1.0,
    solver: Solver | None = None,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    quick: bool = False,
    refine: bool = False,
    cluster: str | None = None,
    progress: Progress = silent,
    **parameters: Any,
) -> Solution | MixedSolution | HiddenSolution:
    """Solve a game: its value, an optimal policy for every reachable state, and a certificate.

    game        a game, or its name with parameters: `solve(Pig(goal=50))`, `solve("pig", goal=50)`, `solve("file.py:Game", goal=50)`
    exact       values are rational numbers, proven (of an urn of more than 40,000 states that of the start: others are floats with bounds)
    discount    in (0, 1]: the factor by which payoffs one move later count less; 1 (no discounting) is the usual case
    solver      replaces the automatic choice (`zermelo.choose`)
    max_states  larger games are refused (default: 100 million states if they are explored, otherwise as many as fit into memory)
    tolerance   how far the value may be from the truth (relative; absolute for values below 1)
    checkpoint  a file to which a long urn sweep, or regret minimisation (hidden information), is saved and from which it resumes; a folder
                in which a board game that declares `space` is solved level by level, in three bits a position, and from which it resumes
                (docs/board-games.md); or a folder in which the values of a game in stages (`stage`) are kept, so that only the largest
                stage must fit into memory (docs/chance.md)
    quick       only a sample of the table of a large board game is checked, and the certificate does not say "proof"
    refine      for a game with hidden information (`sees`): no optimal strategy makes the other player's mistakes cost more than the one
                that is returned, and this is proven (docs/hidden-information.md)
    cluster     distribute the table of a board game, or the stages of a game with decisions in stages, over the machines of a Ray cluster
                (docs/cluster.md): "local", "auto" or HOST:PORT
    progress    called from time to time as progress(what, done, total)

    A matrix game given by best responses (`best_row`, `best_column`) is solved exactly unless there is a tolerance.
    Raises `RulesError` (with all faults of the rules), `ParameterError`, `NoValue`, `OutOfReach`, `FileError`.
    """
    game = _meant(game, parameters, "solve")
    request = Request(game, exact, discount, solver, max_states, tolerance, checkpoint, quick, refine, cluster, progress).checked()
    check_undiscounted(type(game), discount)
    check_exact(game, exact)
    tried: list[Refusal] = []
    notes: list[str] = []
    said_before = len(said())
    closest: Any = None
    for engine in willing(request, tried, notes):
        try:
            answer = _answer(engine, request, notes)
        except GivesUp as error:
            tried.append(Refusal(engine.name, error.why))
            notes += [f"the engine {engine.name} gave up: {error.why}"] if error.is_noted else []
            continue
        believed = [name for name in engine.believes if hasattr(request.game, name)]
        answer.report = answer.report.believing(believed).after(tuple(tried), (*request.remarks, *notes, *said()[said_before:]))
        solution = solution_of(answer)
        if _meets(solution, tolerance) or answer.report.was_interrupted:
            return solution
        tried.append(Refusal(engine.name, f"the value is certified to {_width(solution):.1e} only"))
        closest = min(closest or solution, solution, key=_width)
    if closest is not None:
        raise _too_far(request, closest)
    raise refusal(request, tried)


def _answer(engine: Engine, request: Request, notes: list[str]) -> Any:
    """The answer of one engine; notes about play that must end are added to `notes`. Raises what the engine raises, with the faster ways
    that were not possible, and where the value of play that must end is infinite."""
    must_end = _must_end(request.game)
    try:
        with machine.enough(request.name):
            answer = engine.solve(request)
        notes += _notes_on_model(request)
        if must_end:
            notes += _examined(request, answer)
        elif hasattr(request.game, "never") and _may_give_up(request):
            from zermelo.uses.until import check_goes_on

            check_goes_on(answer)
        _check_chances(request, answer)
        if isinstance(request.game, tuple):  # others can't be saved
            with suppress(RulesError):  # rules without a source
                known = answer.rules.hash if hasattr(answer, "rules") else rules_hash(request.game)
                answer.report = replace(answer.report, rules=known)
                if hasattr(answer, "rules"):
                    remember_names(answer)
        return answer
    except NoValue as error:
        if must_end and request.discount == 1:
            raise _explained(request, error) from None
        raise
    except OutOfReach as error:
        instead = []
        if isinstance(error, NoDecimal) and isinstance(request.game, tuple):
            instead = [given_exactly(request.game) or _found_at(request, error.number)]
        if more := [text for text in (*instead, *notes) if text]:  # notes: a faster way might have succeeded
            raise (NoMemory if isinstance(error, NoMemory) else OutOfReach)("; ".join([str(error), *more])) from None
        raise


def _found_at(request: Request, number: float | None) -> str:
    """Where the rules give a number, if that is among the examined states."""
    rules = request.rules
    for state in () if request.is_given_by_replies else request.sample:
        actions = rules.actions(state)
        if not actions and number in rules.payoff(state):
            return f"it is a payoff at {rules.in_line(state)}"
        for action in actions:
            for ways, payoffs, *_ in rules.outcomes(state, action):
                if number in (ways, *payoffs):
                    after = "" if action is None else f", action {rules.action_in_words(action)}"
                    return f"it is {'among the ways' if ways == number else 'a payoff'} at {rules.in_line(state)}{after}"
    return ""


def _notes_on_model(request: Request) -> list[str]:
    """Notes on a model: on actions that nobody takes who wants little, and on what is exact."""
    question = question_about(type(request.game))
    return [] if question is None else [note for note in (question.left_out, question.read_as if request.exact else "") if note]


def _may_give_up(request: Request) -> bool:
    """Whether the game is one of a model in which play ends at the price `never` if somebody gives up."""
    return "given_up" in getattr(request.game.start(), "_fields", ())


def _must_end(game: Any) -> bool:
    """Whether the rules declare that a play that never ends is worth infinitely much."""
    return Rules(game).must_end


def _examined(request: Request, answer: Any) -> tuple[str, ...]:
    from zermelo.uses.until import examine

    if request.discount != 1:
        raise OutOfReach(f"{request.name}: play that must end (`must_end`) is not discounted: what comes late would count for nothing")
    return examine(answer)


def _check_chances(request: Request, answer: Any) -> None:
    """Raise `RulesError` if the values are no chances of winning, where the rules say that they stand for such."""
    if hasattr(request.game, "win_probability") and not request.is_given_by_replies and not request.rules.is_hidden:
        from zermelo.uses.units import check_chances

        check_chances(answer)


def _explained(request: Request, error: NoValue) -> NoValue | OutOfReach:
    """The error of a game whose play must end, with the states where the value is infinite."""
    from zermelo.uses.until import explain

    return explain(request, error)


def _meant(game: Any, parameters: Mapping[str, Any], verb: str) -> Any:
    """The game, or the one with this name and these parameters; in numbers of Python. Raises `OutOfReach` in the middle of compiling."""
    check_outside_compiler()
    if isinstance(game, str):
        return in_python(game_named(game, **parameters))
    if parameters:
        names = ", ".join(parameters)
        raise ParameterError(f"{verb} has no option {names}: give parameters of a game where it is made, or together with its name")
    return in_python(game)


def _meets(solution: Any, tolerance: float | None) -> bool:
    return tolerance is None or _width(solution) <= tolerance * max(1.0, abs(float(solution.value)))


def _too_far(request: Request, closest: Any) -> OutOfReach:
    """The error where no engine meets the tolerance; `closest` is the solution that came closest."""
    advice = "`exact` proves it"
    if not request.is_given_by_replies and request.rules.is_cut_off:
        advice = "bound it more closely"
    elif closest.report.engine == "hidden":
        from zermelo.engines.hidden.solving import why_not_exact

        advice = why_not_exact(closest.answers) or advice
    elif closest.report.facts.get("simultaneous") and not closest.report.facts.get("acyclic"):
        advice = "both choose at once and play can return to a state, so that values need not be rational, and floats can do no better"
    return OutOfReach(f"{request.name}: the value is certified to {_width(closest):.1e} only; {advice}")


def _width(solution: Any) -> float:
    """Half the width of the interval that contains the true value."""
    return float(solution.high - solution.low) / 2


@described(
    game="The name of the game.",
    engine="The engine that would solve the game; None if none takes it.",
    tried="The engines before it, and why they do not take the game.",
    notes="Faster ways that are not possible, and why.",
    examined="States (in matrix games: strategies) at which the rules were run and examined.",
    seen="What the game looks like there; None for matrix games given by best responses.",
    rules="How the engine runs the rules: by Python, compiled, or first the one and then the other.",
)
class Plan(NamedTuple):
    """Which engine would solve a game, which engines would be asked before it, and which faster ways are not possible."""

    game: str
    engine: str | None
    tried: tuple[Refusal, ...]
    notes: tuple[str, ...]
    examined: int
    seen: Seen | None
    rules: str

    def _repr_html_(self) -> str:
        """The plan as notebooks show it."""
        rows = [("engine", self.engine or "no engine takes it"), *((f"not {name}", why) for name, why in self.tried)]
        rows += [("seen", str(self.seen))] if self.seen else []
        rows += [("rules", self.rules)] if self.rules else []
        return card(f"Plan of {self.game}", facts(rows), *map(note, self.notes))

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.engine or 'no engine takes it'}"]
        lines += [f"  not {name}: {why}" for name, why in self.tried]
        lines += [f"  seen: {self.seen}"] if self.seen else []
        lines += [f"  rules: {self.rules}"] if self.rules else []
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def plan(
    game: Any,
    *,
    exact: bool = False,
    discount: float = 1.0,
    solver: Solver | None = None,
    max_states: int | None = None,
    tolerance: float | None = None,
    checkpoint: str | Path | None = None,
    quick: bool = False,
    refine: bool = False,
    cluster: str | None = None,
    **parameters: Any,
) -> Plan:
    """Which engine `solve` would use with these options, and why the ones before it do not apply. Nothing is solved, but the rules are
    examined, including what they declare for that engine. The engine may still give up while it solves (`solution.report` then says so).
    The arguments are those of `solve`. Raises `RulesError`, `ParameterError`, and `OutOfReach` where a `space` is too large."""
    options = exact, discount, solver, max_states, tolerance, checkpoint, quick, refine, cluster
    request = Request(_meant(game, parameters, "plan"), *options, is_thorough=True).checked()
    check_undiscounted(type(request.game), discount)
    tried: list[Refusal] = []
    notes: list[str] = []
    for engine in willing(request, tried, notes):
        about = tuple(tried), (*request.remarks, *notes, *engine.notes(request))
        examined = engine.examine(request)
        runs = f"{engine.runs}; {NOT_COMPILED}" if examined.is_compiled is False else engine.runs
        return Plan(request.name, engine.name, *about, examined.number, request.seen, runs)
    return Plan(request.name, None, tuple(tried), (*request.remarks, *notes), 0, request.seen, "")


@described(
    rows="The strategies of the row player that were examined.",
    columns="Those of the column player.",
    remarks="What is allowed, but probably not what was meant.",
)
class Strategies(NamedTuple):
    """What `check` has seen of a matrix game without faults."""

    rows: list[Any]
    columns: list[Any]
    remarks: tuple[str, ...]


@overload
def check(game: GivenByReplies, states: int = ..., seconds: float = ...) -> Strategies: ...


@overload
def check(game: tuple[Any, ...], states: int = ..., seconds: float = ...) -> Sample: ...


@overload
def check(game: Any, states: int = ..., seconds: float = ..., **parameters: Any) -> Sample | Strategies: ...


def check(game: Any, states: int = STATES, seconds: float = SECONDS, **parameters: Any) -> Sample | Strategies:
    """Examine the rules of a game at about `states` states, for about `seconds`: of a matrix game given by best responses, ask for a few.
    Returns what was seen: the states, the start first, or the strategies, and remarks on what is allowed but hardly meant. Raises
    `RulesError` with all faults found, `ParameterError`. (`plan` also examines what is declared for the engine that would solve it.)
    `game` may be a name, with its parameters, as for `solve`."""
    game = _meant(game, parameters, "check")
    if isinstance(game, type) or not is_given_by_replies(game):
        return check_states_of(game, states, seconds)
    from zermelo.engines.replies.solving import check_replies  # loads the solver of linear programs

    found = check_replies(game)
    return Strategies(found.rows, found.columns, Request(game).remarks)


def matrix_game(payoff: Sequence[Sequence[Any]]) -> MatrixSolution:
    """Solve a zero-sum matrix game: `payoff[i][j]` is what the row player, who maximises, gets from the column player.

    `payoff` is a list of lists, an array or a data frame's `.values`. Payoffs are whole numbers, Fractions or floats; a float of
    at most 12 digits is read as the decimal it is written as, any other float as its binary value. The value and both
    strategies are rational and proven: no row does better than the value against `column`, and no column against `row`.
    Raises `ParameterError` for matrices that are empty or ragged, or that hold anything but finite numbers.
    """
    from zermelo.engines.replies.one_matrix import solve_matrix  # loads the solver of linear programs

    return MatrixSolution(solve_matrix(payoff))


def examine(game: Any, **parameters: Any) -> Structure:
    """The structure of a game with states: explores the game without solving it. Raises `RulesError`, `ParameterError`, `NoValue`,
    `OutOfReach`."""
    from zermelo.engines.exploring.game import explored_game

    game = _meant(game, parameters, "examine")
    if not isinstance(game, type) and is_given_by_replies(game):
        raise ParameterError(
            f"{type(game).__name__} is a matrix game, without states that could have a structure: `zermelo.check` examines its rules, "
            "`zermelo.plan` says how it would be solved"
        )
    return explored_game(Request(game)).structure


__all__ = ["Plan", "Solution", "Strategies", "check", "examine", "matrix_game", "plan", "solve", "verify"]


def verify(
    path: str | Path, game: Any = None, *, interpreted: bool | None = None, cluster: str | None = None, progress: Progress = silent
) -> Verdict:
    """Check the certificate in a file, which `Solution.export_certificate` and `zermelo solve --certificate` write (docs/certificates.md).

    game         the class of the game, "FILE.py:Class", or "MODEL.prism:PROPERTY"; needed only for games that are not in the catalogue. A
                 game of the class: the certificate has to be about this one
    interpreted  run the rules in Python (True) or compiled (False); by default they are compiled if there are many states.
                 With hidden information Python always runs them
    cluster      states are checked by the machines of a Ray cluster (docs/cluster.md): "local", "auto" or HOST:PORT
    progress     called from time to time as progress(what, done, total)

    The verdict is true if everything was verified; otherwise `verdict.fault` names the first failure and its state. Raises `FileError` for
    a file that is damaged, is not a certificate, or is about other rules; `ParameterError` and `OutOfReach` where a cluster cannot check
    it.
    """
    from zermelo.uses.verify_in_parts import verified, verify_on  # imported here, so that solving starts without it
    from zermelo.verifier import read

    check_path(path)
    if cluster is not None:
        check_address(cluster)
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):  # it may have no end
        raise FileError(f"{path} is a device or a pipe: give a file that `zermelo solve GAME --certificate FILE` has written")
    if is_stored(path):
        what = "a saved solution or a checkpoint, not a certificate"
        raise FileError(f"{path} is {what}: `zermelo solve GAME --certificate FILE` writes one")
    with machine.enough(f"reading {path}"):
        certificate = read(path)
    named = certificate.header.get("game")
    is_matrix = named is None and "matrix" in certificate.header
    if is_matrix and game is not None and not _holds(certificate.header["matrix"], game):
        raise FileError(f"{path} is about a matrix, which it holds, and not about what is given: give the file alone")
    meant = None if is_matrix else _game_of(certificate, _class_of(str(path), str(named), game, certificate.header))
    if isinstance(game, tuple) and game != meant and game_text(game) != game_text(meant):
        raise FileError(f"{path} is about {game_text(meant)}, not about {game_text(game)}")
    with machine.enough(f"verifying {path}"):
        if cluster is not None:
            return verify_on(cluster, certificate, meant, interpreted, progress)
        return verified(certificate, meant, interpreted, progress)


def gives_up(header: Mapping[str, Any]) -> bool:
    """Whether a certificate is about a model in which a player may give up, at the price `never`."""
    parameters = header.get("parameters")
    return isinstance(parameters, Mapping) and "never" in parameters


def is_stored(path: str | Path) -> bool:
    """Whether a file can be read and begins as saved solutions do."""
    from zermelo.storage.file import MAGIC

    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def _holds(matrix: Any, game: Any) -> bool:
    """Whether a certificate with this matrix can be meant: the same one is given, or only the class of matrices."""
    from zermelo.matrix.plain import Matrix

    if isinstance(game, type):
        return game in (Matrix, tuple, list)
    try:
        given = game if isinstance(game, Matrix) else Matrix.of(game)
    except ParameterError:
        return False
    return bool(matrix == [[str(payoff) for payoff in row] for row in given.payoffs])


NOT_NAMED = "does not say which game it is about: write the certificate again"


def _class_of(path: str, named: str, game: Any, header: Mapping[str, Any]) -> Any:
    """The class of the game that a certificate is about: the one given, or one from the catalogue. Nothing else is imported."""
    if not named.isprintable():
        raise FileError(f"{path} {NOT_NAMED}")
    if isinstance(game, str):
        return find(game, gives_up(header)).game_class
    if game is not None:
        return game if isinstance(game, type) else type(game)
    home, _, name = named.partition(":")
    for entry in ENTRIES:
        if entry.home == home:
            found = find(entry.command).game_class
            if found is not None and found.__name__ == name:
                return found
    is_file = home not in ("", "__main__") and not home.startswith("zermelo.")
    rules = f"{home.rpartition('.')[2].removesuffix('_of_user') if is_file else 'FILE'}.py:{name or 'Class'}"
    if isinstance(word := header.get("model"), str) and word.isprintable():
        rules = shlex.quote(word)
    advice = f"say where its rules are, as {rules}" + (f", or give the class {name}" if home == "__main__" else "")
    raise FileError(f"{path} is about {name or named}, which is not in the catalogue: {advice}")


def _game_of(certificate: Any, game_class: Any) -> Any:
    """The game of a certificate, of the given class. Raises `FileError` if its rules are different."""
    path, header = certificate.path, certificate.header
    try:
        stored, name, wanted = dict(header["parameters"]), header["name"], header["rules hash"]
    except (KeyError, ValueError, TypeError):
        raise FileError(f"{path} {NOT_NAMED}") from None
    if not all(isinstance(word, str) and word.isprintable() for word in (name, *stored)):
        raise FileError(f"{path} {NOT_NAMED}")
    if game_class.__name__ != name or set(stored) != set(game_class._fields):
        open_ = ", ".join(field for field in game_class._fields if field not in stored)
        if "model" in header and open_ and game_class.__name__ == name:
            raise FileError(f"{path} is about {name} with constants that were given: give {open_} as well (--const, as for solving)")
        fields = ", ".join(game_class._fields)
        raise FileError(f"{path} is about the game {name}({', '.join(stored)}), not about {game_class.__name__}({fields})")
    try:
        given = restored_parameters(game_class, stored)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError) as error:
        raise FileError(f"{path} is about other rules: the parameters of {name} have changed ({error}); solve again") from None
    if hasattr(game_class, "sees") != (header.get("kind") == "information sets"):
        said = "do not see" if hasattr(game_class, "sees") else "see"
        raise FileError(f"{path}: the players of {name} {said} everything, and this is no certificate for such a game: write it again")
    game = game_with(game_class, given)
    if rules_hash(game) != wanted:
        from zermelo.storage.game import another_question  # only where something is wrong

        if other := another_question(header, game_class):
            raise FileError(f"{path} is about {other}")
        raise FileError(f"{path} is about other rules: those of {name} have changed; solve again")
    return game

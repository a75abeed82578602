"""The requests of the page. Each is a function from JSON to JSON; errors in a request are reported in one line.

GET  /api/games                        the games that the page was started for
POST /api/open                         {game, parameters, options}: begin to solve; returns the name of a solution
GET  /api/solutions/NAME               its progress; once it is done: value, certificate, how to request positions
POST /api/solutions/NAME/position      {state}: value, actions, bounds
POST /api/solutions/NAME/outcomes      {state, action}: the outcomes of an action, and one outcome drawn by chance
POST /api/solutions/NAME/search        {seat}, {session} or {session, number}: a game of binary search against an optimal mixture
POST /api/solutions/NAME/deal          {seat}, {session}, {session, action} or {session, undo}: a game with hidden information
POST /api/solutions/NAME/VIEW          a job: map, distribution, table, figure or states
GET  /api/jobs/NAME                    the progress of a job, and its result
POST /api/jobs/NAME/cancel             end it
GET  /api/solutions/NAME/states.csv    all states as a file; also states.json
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from zermelo.answers.base import Tabled
from zermelo.basics.plain import plain
from zermelo.basics.progress import Progress
from zermelo.basics.words import game_text
from zermelo.errors import ParameterError, ZermeloError
from zermelo.serve import deals, pictures, positions, searches
from zermelo.serve.jobs import DONE, Busy, Job, Jobs
from zermelo.serve.sessions import Sessions
from zermelo.serve.shelf import Book, NotOffered, Sheet, Shelf
from zermelo.serve.whole import LARGEST
from zermelo.serve.words import in_a_line
from zermelo.solution import DataSolution, HiddenSolution, Solution
from zermelo.uses.property import remark
from zermelo.uses.units import measure
from zermelo.views.data import outline
from zermelo.views.words import answer_lines, shown_interval, solved_in_words, value_text

AT_ONCE = 0.25  # seconds within which the result of a job is sent with the first reply
PATIENCE = 20.0  # seconds that a position waits for other work on the same solution


class Reply(NamedTuple):
    """The reply to a request."""

    status: int
    body: bytes
    kind: str = "application/json; charset=utf-8"
    file: str | None = None  # the name for saving it


class Refused(Exception):
    """A refused request, with its HTTP status."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status = status


class Api:
    """The data of a server: sheets, solutions, jobs."""

    def __init__(self, sheets: list[Sheet]):
        self.jobs = Jobs()
        self.shelf = Shelf(sheets, self.jobs)

    def get(self, path: str, query: Mapping[str, str]) -> Reply:
        """Answer a request that changes nothing."""
        return _guarded(self._get, path.strip("/").split("/")[1:], query)

    def post(self, path: str, body: bytes) -> Reply:
        """Answer a request in JSON."""
        return _guarded(self._post, path.strip("/").split("/")[1:], body)

    def _get(self, parts: list[str], query: Mapping[str, str]) -> Any:
        match parts:
            case ["games"]:
                return {"games": [sheet.as_data() for sheet in self.shelf.sheets.values()]}
            case ["solutions", name]:
                return self._about(self._book(name))
            case ["solutions", name, ("states.csv" | "states.json") as file]:
                return self._file(self._book(name), file, query)
            case ["jobs", name]:
                return _result(self._job(name))
        raise Refused(404, f"there is nothing at /api/{'/'.join(parts)}")

    def _post(self, parts: list[str], body: bytes) -> Any:
        match parts:
            case ["open"]:
                asked = object_in(body)
                book = self.shelf.open(asked.get("game"), asked.get("parameters"), asked.get("options"))
                book.job.over.wait(AT_ONCE)
                return self._about(book)
            case ["solutions", name, "position"]:
                return self._position(self._book(name), object_in(body))
            case ["solutions", name, "outcomes"]:
                return self._outcomes(self._book(name), object_in(body))
            case ["solutions", name, ("search" | "deal") as how]:
                return self._played(self._book(name), how, object_in(body))
            case ["solutions", name, view] if view in VIEWS:
                return self._begun(self._book(name), VIEWS[view], object_in(body))
            case ["jobs", name, "cancel"]:
                job = self._job(name)
                job.cancel()
                return _result(job)
        raise Refused(404, f"there is nothing at /api/{'/'.join(parts)}")

    # --- solutions --------------------------------------------------------------------------------------------------------

    def _book(self, name: str) -> Book:
        book = self.shelf.book(name)
        if book is None:
            raise Refused(404, "this solution is not in memory (any more): open the game again")
        return book

    def _solution(self, book: Book) -> Any:
        if book.job.status != DONE:
            raise Refused(409, f"{book.sheet.title} is not solved yet")
        return book.solution

    def _with_rules(self, book: Book) -> Any:
        solution = self._solution(book)
        if isinstance(solution, DataSolution):
            raise ParameterError(solution.need)
        return solution

    def _states(self, book: Book) -> Solution:
        solution = self._with_rules(book)
        if not isinstance(solution, Solution):
            raise ParameterError(f"{book.sheet.title} has no states that can be shown one by one")
        return solution

    def _about(self, book: Book) -> dict[str, Any]:
        about = {
            "solution": book.name,
            "game": book.sheet.word,
            "title": book.sheet.title,
            "progress": book.job.as_data(),
        }
        if book.job.status != DONE:
            return about
        if "about" not in book.kept:
            with book.lock:
                book.kept["about"] = summary(book.solution)
        return {**about, **book.kept["about"]}

    def _position(self, book: Book, asked: Mapping[str, Any]) -> Any:
        solution = self._states(book)
        with ours(book, solution):
            slots = asked.get("state")
            state = solution.rules.start if slots is None else positions.state_at(solution, slots)
            return positions.position(solution, state)

    def _outcomes(self, book: Book, asked: Mapping[str, Any]) -> Any:
        solution = self._states(book)
        with ours(book, solution):
            state = positions.state_at(solution, asked.get("state"))
            return positions.outcomes(solution, state, asked.get("action"), asked.get("other"))

    def _played(self, book: Book, how: str, asked: Mapping[str, Any]) -> Any:
        """A play kept on the server, since the page must not know all of it."""
        solution = self._with_rules(book)
        sessions: Sessions[Any] = book.kept.setdefault(how, Sessions())
        return (searches if how == "search" else deals).answer(sessions, solution, asked)

    # --- jobs -------------------------------------------------------------------------------------------------------------

    def _begun(self, book: Book, view: Callable[..., Any], asked: Mapping[str, Any]) -> dict[str, Any]:
        solution = self._with_rules(book)

        def work(progress: Progress) -> Any:
            with book.lock:
                return view(book, solution, asked, progress)

        job = self.jobs.start(work)
        job.over.wait(AT_ONCE)
        return _result(job)

    def _job(self, name: str) -> Job:
        job = self.jobs.find(name)
        if job is None:
            raise Refused(404, "there is no such job (any more)")
        return job

    def _file(self, book: Book, name: str, query: Mapping[str, str]) -> Reply:
        """All states, or those that meet the conditions, in the order shown."""
        solution, where = self._with_rules(book), object_in(query.get("where", "{}").encode())

        def work(progress: Progress) -> None:
            _frame(book, solution, progress)

        job = self.jobs.start(work)
        job.over.wait()
        if job.status != DONE:
            raise ParameterError(job.error or "the list was cancelled")
        made = pictures.selected(
            book.kept["frame"], query.get("sort") or None, query.get("descending") == "true", where
        )
        file = f"{'-'.join(re.findall('[a-z0-9]+', book.sheet.title.lower()))}.{name.rpartition('.')[2]}"
        if name.endswith(".csv"):
            return Reply(200, made.to_csv(index=False).encode(), "text/csv; charset=utf-8", file)
        return Reply(200, pictures.as_json(made), file=file)


def summary(solution: Any) -> dict[str, Any]:
    """The page's summary of a solution of any kind."""
    found = {**outline(solution), "summary": solution.report.summary, "kind": "states"}
    more: dict[str, Any]
    if isinstance(solution, Solution):
        lines, more = list(answer_lines(solution)), {"play": positions.facts(solution)}
        more |= {"note": note} if (note := remark(solution.game)) else {}
    elif isinstance(solution, DataSolution):
        lines, more = [], {"kind": "data"}
        if solution.answers.at_start is not None:
            lines = [("value", found["digits"])]
    else:
        lines = [("value", value_text(solution))]
        kind, unit = "hidden" if isinstance(solution, HiddenSolution) else "strategies", measure(solution.game)
        more = {"kind": kind, "dealt": deals.is_dealt(solution), "searched": searches.is_played(solution)}
        more["payoff unit"] = None if unit is None else unit._asdict()
    is_known = not isinstance(solution, DataSolution)
    text = game_text(solution.game) if is_known else solution.name
    views = pictures.views(solution) if is_known else {}
    if is_known:
        more["interval"] = [plain(end) for end in shown_interval(solution.certificate, solution.game)]
    return {
        **found,
        **more,
        "text": text,
        "in words": solved_in_words(solution),
        "lines": [list(line) for line in lines],
        "views": views,
        "has states": _why_no_states(solution),
    }


def _why_no_states(solution: Any) -> dict[str, Any]:
    """Whether all states can be listed, and if not, why. If solving again would list them, that is left to the view that needs them."""
    if getattr(solution, "has_states", False):
        return {"yes": True, "why": ""}
    try:
        pictures.check_states(solution, "a map or list of all states")
    except ZermeloError as error:
        return {"yes": False, "why": str(error)}
    return {"yes": True, "why": ""}


def _frame(book: Book, solution: Any, progress: Progress) -> Any:
    with book.lock:
        if "frame" not in book.kept:
            book.kept["frame"] = pictures.frame(solution, progress)
        return book.kept["frame"]


def _states_page(book: Book, solution: Any, asked: Mapping[str, Any], progress: Progress) -> Any:
    made = pictures.selected(
        _frame(book, solution, progress), asked.get("sort"), asked.get("descending"), asked.get("where")
    )
    found = pictures.page(made, asked.get("first", 0), asked.get("count", pictures.A_PAGE))
    return {**found, "heads": pictures.heads(solution, found["columns"])}


VIEWS: dict[str, Callable[[Book, Any, Mapping[str, Any], Progress], Any]] = {
    "map": lambda book, solution, asked, progress: pictures.heat_map(
        solution, asked.get("rows"), asked.get("columns"), asked.get("fix"), progress
    ),
    "distribution": lambda book, solution, asked, progress: pictures.distribution(
        solution, asked.get("payoff"), progress
    ),
    "table": lambda book, solution, asked, progress: pictures.table(
        solution, asked.get("view"), asked.get("fix"), progress
    ),
    "figure": lambda book, solution, asked, progress: pictures.figure(
        solution, asked.get("view"), asked.get("fix"), progress
    ),
    "states": _states_page,
}


# --- answers and errors --------------------------------------------------------------------------------------------------


@contextmanager
def ours(book: Book, solution: Solution) -> Any:
    """One query at a time if an answer caches its results; many at once if all states are stored."""
    if solution.answers.lacks(Tabled) is None:
        yield
        return
    if not book.lock.acquire(timeout=PATIENCE):
        raise Refused(503, f"{book.sheet.title} is busy with something else: try again, or cancel that")
    try:
        yield
    finally:
        book.lock.release()


def _result(job: Job) -> dict[str, Any]:
    return {"progress": job.as_data(), "result": job.result}


def object_in(body: bytes) -> dict[str, Any]:
    """The JSON object that was sent; an empty body counts as an empty object."""
    try:
        asked = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Refused(400, "the request is no JSON") from None
    if not isinstance(asked, dict):
        raise Refused(400, "the request must be a JSON object")
    return asked


def _guarded(answer: Callable[..., Any], *asked: Any) -> Reply:
    """A reply, or the reason in one line why there is none. No request can stop the server."""
    try:
        found = answer(*asked)
        return found if isinstance(found, Reply) else reply(200, found)
    except Refused as error:
        return failure(error.status, str(error))
    except NotOffered as error:
        return failure(404, str(error))
    except Busy as error:
        return failure(503, str(error))
    except ZermeloError as error:
        return failure(400, str(error))
    except Exception as error:
        return failure(500, f"an error in Zermelo or in the rules, {type(error).__name__}: {error}")


def reply(status: int, data: Any) -> Reply:
    return Reply(status, json.dumps(plain(data, LARGEST), allow_nan=False).encode())


def failure(status: int, text: str) -> Reply:
    """An error in one line."""
    return reply(status, {"error": in_a_line(text)})

"""The tables and pictures that `table` and `plot` show: those of any game, and those that the catalogue has for this one only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.basics.words import no_such, there_are
from zermelo.cli.output import console, progress_bar, verbatim
from zermelo.errors import ParameterError
from zermelo.games.all_views import FIGURES, TABLES, all_views, is_discounted, is_hidden, likely_views
from zermelo.games.named import Target
from zermelo.language.parameters import describe
from zermelo.language.rules import Rules, lengths

if TYPE_CHECKING:
    from zermelo.views.slices import View


def views_epilog(command: str, target: Target) -> str:
    """The views of a game as the end of the help of `table` and `plot`; nothing for other commands and for saved solutions."""
    kind = {"table": TABLES, "plot": FIGURES}.get(command)
    if kind is None or target.game_class is None:
        return ""
    views = _likely(target, {}, kind)
    width = max(map(len, views))
    lines = (f"  {name:{width}}  {view.doc}" for name, view in views.items())
    return "\n\n" + "\n".join((f"[dim]Views of {verbatim(target.word)} (--view), as far as they fit the solution:[/dim]", *lines))


def check_view(
    target: Target,
    given: Mapping[str, Any],
    kind: str,
    name: str | None,
    fixed: Mapping[str, int],
    discount: float,
    shown_by: Sequence[str] = (),
) -> None:
    """Refuse, before solving where possible, a view that does not exist or does not fit the options.

    shown_by : the fields that are to make the rows and columns."""
    if target.saved:
        return
    views = all_views(target.game_class, kind)
    if name is not None:
        if name not in views:
            raise ParameterError(no_such("view", name, list(_likely(target, given, kind)), target.word))
        check_fix(views, name, fixed)
    if fixed or shown_by:
        _check_fields({n: view for n, view in views.items() if name in (None, n)}, fixed, shown_by, target.game(given), kind)
    if name is not None and discount != 1:
        _check_discounted(views[name], name)


def _check_fields(views: Mapping[str, View], fixed: Mapping[str, int], shown_by: Sequence[str], game: Any, kind: str) -> None:
    """Refuse names that none of these views could take, and values that the states declare impossible."""
    states = fields_of_states(game)
    taken = {n: None for view in views.values() for n in (states if view.takes_fix is True else view.takes_fix or ())}
    chosen_views = f"the view {next(iter(views))}" if len(views) == 1 else "these views"
    where = f"the states of {type(game).__name__}" if list(taken) == states else chosen_views
    for names, known, home in ((fixed, list(taken), where), (shown_by, states, f"the states of {type(game).__name__}")):
        for field in names:
            if known and field not in known:
                likely = likely_views(game, kind) if names is fixed and len(views) > 1 else {}
                goes_with = f"; {_takers({n: view for n, view in views.items() if n in likely})}" if likely else ""
                own = [name for name in ("rows", "columns") if names is shown_by and name in type(game)._fields]
                asked = f"; for the game's own {' and '.join(own)} write {' and '.join(f'--game-{name}' for name in own)}" if own else ""
                raise ParameterError(no_such("field", field, known, home) + goes_with + asked)
    if len(shown_by) > len(set(shown_by)):
        raise ParameterError(f"--rows and --columns are both {shown_by[0]}: give two fields")
    for field, allowed in _declared(game).items() if list(taken) == states else ():
        if field in fixed and fixed[field] not in allowed:
            raise ParameterError(f"{type(game).__name__} has no state with {field}={fixed[field]}: {field} is {describe(allowed)}")


def _declared(game: Any) -> dict[str, range]:
    """The fields whose values the class of states, or the ranked space of the game, limits."""
    try:
        rules = Rules(game)
        low, high = rules.ranked.corners if rules.ranked else ((), ())
        found = {n: range(a, b + 1) for n, a, b in zip(fields_of_states(game), low, high, strict=False)}
        from zermelo.states.layout import declared_ranges  # loads numpy

        declared = declared_ranges(type(rules.start), lengths(rules.start))
    except Exception:  # the rules are wrong, which is reported when they are solved
        return {}
    return found | {n: allowed for n, allowed in zip(fields_of_states(game), declared, strict=True) if allowed is not None}


def fields_of_states(game: Any) -> list[str]:
    """The fields of the start state, with the items of its tuples; none if the game can't be solved, which is reported then."""
    try:
        start = game.start()
        parts = [(name, getattr(start, name)) for name in start._fields]
    except Exception:
        return []
    return [text for name, part in parts for text in ([f"{name}[{i}]" for i in range(len(part))] if isinstance(part, tuple) else [name])]


def _likely(target: Target, given: Mapping[str, Any], kind: str) -> Mapping[str, View]:
    """The views that the game's solution can be expected to have; all of its class if there is no game without more parameters."""
    try:
        return likely_views(target.game(given), kind)
    except ParameterError:
        return all_views(target.game_class, kind)


def _check_discounted(view: View, name: str) -> None:
    if not view.discounted:
        raise ParameterError(f"the view {name} is about play without discount, and this solution is discounted")


def check_fix(views: Mapping[str, View], name: str, fixed: Mapping[str, int]) -> None:
    if fixed and not views[name].takes_fix:
        raise ParameterError(f"the view {name} has no fields to be fixed; {_takers(views)}")


def _takers(views: Mapping[str, View]) -> str:
    """The views that take --fix."""
    others = [name for name, view in views.items() if view.takes_fix]
    return f"--fix goes with --view {' or '.join(others)}" if others else "no view of this game takes --fix"


def chosen(solution: Any, kind: str, views: Mapping[str, View], name: str | None, target: Target) -> str:
    """The requested view, or the first of those that fit."""
    if name is None and not views:
        if not is_hidden(solution) and not solution.has_states:
            solution.require_states("a table" if kind == TABLES else "a picture")
        raise ParameterError(f"no {'table' if kind == TABLES else 'picture'} fits this solution of {target.word}")
    if name is None:
        return next(iter(views))
    if name not in views:
        every = all_views(solution.game, kind)
        if name in every and is_discounted(solution):
            _check_discounted(every[name], name)
        if not is_hidden(solution) and not solution.has_states:
            solution.require_states(f"the view {name}")
        if name in every:
            raise ParameterError(
                f"the view {name} does not fit this solution of {target.word}: it would tell nothing, or take too long; "
                f"{there_are(list(views))}"
            )
        raise ParameterError(no_such("view", name, list(views), target.word))
    return name


def made(view: View, solution: Any, fixed: Mapping[str, int]) -> Any:
    """Make the table or figure, with a progress bar if it takes long."""
    if not view.is_long:
        return view.make(solution, fixed)
    with progress_bar() as progress:
        return view.make(solution, fixed, progress)


def more_views(target: Target, command: str, views: Mapping[str, View], shown: str) -> None:
    """Print which other views there are, if any."""
    if not views.keys() - {shown}:
        return
    others = ", ".join(name for name in views if name != shown)
    console().print(f"\n[dim]--view {shown}; others: {others} (zermelo {command} {verbatim(target.word)} --help)[/dim]")

"""The tables and pictures of a game: those of any game, and those that the catalogue has for this game only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.games.catalogue import views_of
from zermelo.language.replies import is_given_by_replies
from zermelo.views.look import any_game, look_at

if TYPE_CHECKING:
    from zermelo.views.slices import View

TABLES, FIGURES = "TABLES", "FIGURES"  # their names in the modules of views


def all_views(game: Any, kind: str) -> dict[str, View]:
    """The tables or figures of a game (or class), its own first."""
    own: Mapping[str, View] = getattr(views_of(game), kind, {})
    return {**own, **_general(game, kind)}


def _general(game: Any, kind: str) -> Mapping[str, View]:
    from zermelo.matrix.plain import Matrix  # loads numpy, as all views do

    if is_given_by_replies(game) or isinstance(game, Matrix):
        from zermelo.views import strategies

        return getattr(strategies, kind)
    if hasattr(game, "sees"):
        from zermelo.views import information_sets

        return getattr(information_sets, kind)
    if kind == TABLES:
        from zermelo.views import board_tables, table

        return {**table.VIEWS, **board_tables.TABLES}
    from zermelo.views import board_moves, filmstrip, plot

    return {**plot.VIEWS, **filmstrip.VIEWS, **board_moves.VIEWS}


def likely_views(game: Any, kind: str) -> dict[str, View]:
    """The tables or figures that a solution of this game can be expected to have, after a look at a few states of it."""
    views = all_views(game, kind)
    if all(view.likely is any_game for view in views.values()):
        return views
    look = look_at(game)
    return views if look is None else {n: view for n, view in views.items() if view.likely(look)}


def is_hidden(solution: Any) -> bool:
    """Whether this is the solution of a matrix game, without states, or of a game whose players do not see the states."""
    return not solution.has_rules


def is_discounted(solution: Any) -> bool:
    return bool(solution.discount != 1)


def fitting(solution: Any, kind: str) -> dict[str, View]:
    """The tables or figures that make sense for a solution."""
    views = all_views(solution.game, kind)
    discounted = is_discounted(solution)
    return {n: view for n, view in views.items() if (view.discounted or not discounted) and view.fits(solution)}

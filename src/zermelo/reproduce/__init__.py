"""Every published number of the catalogue: where it is printed, the result of Zermelo, and which printed ones are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from zermelo.errors import ParameterError
from zermelo.reproduce.claim import Bench, Claim, Tally, Verdict, judge

__all__ = ["Bench", "Claim", "Tally", "Verdict", "all_claims", "claims_of", "judge", "verdicts"]


def all_claims() -> list[Claim]:
    from zermelo.reproduce import (
        binary_search,
        blackjack,
        board_games,
        card_draw,
        coin_patterns,
        exact_pig,
        fewest_turns,
        gobblet,
        hidden,
        hog,
        hog_simultaneous,
        lemonade,
        pig,
        puzzles,
        robot,
        seats,
        ten_thousand,
        ten_thousand_race,
    )

    modules = (
        card_draw,
        pig,
        exact_pig,
        fewest_turns,
        ten_thousand,
        ten_thousand_race,
        gobblet,
        board_games,
        seats,
        coin_patterns,
        hog,
        hog_simultaneous,
        binary_search,
        hidden,
        blackjack,
        lemonade,
        robot,
        puzzles,
    )
    return [claim for module in modules for claim in module.CLAIMS]


def claims_of(game: str | None) -> list[Claim]:
    """The claims about one game of the catalogue, or about all. Raises `ParameterError` for a name without any."""
    claims = all_claims()
    names = list(dict.fromkeys(c.game for c in claims))
    if game is None:
        return claims
    if game not in names:
        from zermelo.basics.words import no_such

        raise ParameterError(no_such("published numbers of the game", game, names))
    return [c for c in claims if c.game == game]


def verdicts(claims: Iterable[Claim], progress: Callable[[str, int, int | None], None]) -> Iterator[Verdict]:
    """Compute and compare all of them, in order; games are solved once."""
    claims = list(claims)
    bench = Bench()
    for i, claim in enumerate(claims):
        progress(f"reproducing {claim.game}", i, len(claims))
        yield judge(claim, bench)

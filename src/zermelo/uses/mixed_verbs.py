"""The exact worth of strategies in a matrix game, and the best response to one.

Where the game has a method of best responses for the responding player, that method is called with whole-number weights, as in
the proof of the value. Where all strategies of that player are listed, as in a matrix, they are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from zermelo.answers.known import Length
from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.interrupts import raised_text
from zermelo.basics.numbers import in_few
from zermelo.basics.values import is_hashable
from zermelo.basics.words import listed
from zermelo.engines.replies.restricted import RestrictedGame
from zermelo.engines.replies.solving import MEMBERS, has_members, members, unit_of
from zermelo.errors import OutOfReach, ParameterError, RulesError, ZermeloError
from zermelo.matrix import verbs
from zermelo.matrix.mixture import probabilities
from zermelo.matrix.plain import Matrix
from zermelo.matrix.verbs import ExactDistribution, MixedEvaluation, MixedResponse, Mixture
from zermelo.uses.mixed import name, paid, player, players

if TYPE_CHECKING:
    import pandas

ONE_MOVE = Length(1.0, 0.0, 0.0, 0.0, 1.0, 1.0)  # each player chooses once, both at the same time


def policy(answers: MixedAnswers, seat: int) -> Mixture:
    """The optimal mixture of a player: the strategies with positive probability. A dict of its own, which may be changed."""
    return dict((answers.row, answers.column)[verbs.check_seat(seat)])


def evaluate(answers: MixedAnswers, strategy: Any, opponent: Any, seat: int) -> MixedEvaluation:
    """The result of a strategy, pure or mixed, against a best response, or against `opponent` unless that is None."""
    mine, best = _mixture(answers, strategy, verbs.check_seat(seat)), policy(answers, 1 - seat)
    reply = None
    if opponent is None:
        reply, value = _best_reply(answers, 1 - seat, mine)
        if not answers.low <= value <= answers.high and verbs.beyond(value, answers.value, seat) > 0:
            who, given = player(answers.game, seat), listed([*mine])
            worth = f"it would be worth {in_few(value)} against a best response, and no strategy is better than optimal play"
            raise ParameterError(f"{name(answers.game)}: is {given} a strategy of {who}? {worth}, {in_few(answers.value)}")
    else:
        value = _average(answers, seat, mine, _mixture(answers, opponent, 1 - seat))
    loss = verbs.beyond(answers.value, value, seat)
    if opponent is None:
        loss = max(loss, Fraction(0))  # `value` is the middle of an interval where it is not proven
    return MixedEvaluation(value, loss, seat, reply, _average(answers, seat, mine, best))


def best_response(answers: MixedAnswers, opponent: Any, seat: int) -> MixedResponse:
    """The best that the player in `seat` can do against a strategy of the other, pure or mixed."""
    other = _mixture(answers, opponent, 1 - verbs.check_seat(seat))
    reply, value = _best_reply(answers, seat, other)
    return MixedResponse(value, max(verbs.beyond(value, answers.value, seat), Fraction(0)), seat, reply)


def chosen(answers: MixedAnswers, strategy: Any, opponent: Any, seat: int) -> tuple[Mixture, Mixture]:
    """The mixtures of the row and of the column player: `strategy` is that of the player in `seat`, None the optimal one."""
    sides = (strategy, opponent) if seat == 0 else (opponent, strategy)
    row, column = (policy(answers, i) if s is None else _mixture(answers, s, i) for i, s in enumerate(sides))
    return row, column


def average(answers: MixedAnswers, row: Mixture, column: Mixture) -> Fraction:
    """The row player's mean payoff. Raises `ParameterError` for anything that is not a strategy."""
    return verbs.average(_pays(answers.game), row, column)


def payoff_of(answers: MixedAnswers, row: Any, column: Any) -> Fraction:
    """The row player's payoff for these two strategies. Raises `ParameterError` for anything that is not a strategy."""
    return _pays(answers.game)(row, column)


def distribution(answers: MixedAnswers, payoff: str | None) -> ExactDistribution:
    """The distribution of the payoff if both draw from their optimal mixtures."""
    if payoff is not None and (not isinstance(payoff, str) or payoff != "payoff"):
        raise ParameterError(f"{name(answers.game)} has no payoff named {payoff!r}, only 'payoff'; every play is one move long")
    return verbs.distribution(_pays(answers.game), answers.row, answers.column, f"the payoff of {name(answers.game)}")


def to_dataframe(answers: MixedAnswers) -> pandas.DataFrame:
    """One row per strategy that is played, and in a matrix per strategy: the player, its probability, and the row player's
    payoff against the other's mixture."""
    game, sides = answers.game, (answers.row, answers.column)
    strategies = (game.rows(), game.columns()) if isinstance(game, Matrix) else sides
    return verbs.to_dataframe(_pays(game), sides, (list(strategies[0]), list(strategies[1])), players(game))


def _average(answers: MixedAnswers, seat: int, mine: Mixture, other: Mixture) -> Fraction:
    return average(answers, *((mine, other) if seat == 0 else (other, mine)))


def _pays(game: Any) -> Callable[[Any, Any], Fraction]:
    """`paid`, with its errors reported in the user's words."""

    def pays(row: Any, column: Any) -> Fraction:
        try:
            return paid(game, row, column)
        except ZermeloError:
            raise
        except Exception as error:
            names = " and ".join(players(game))
            raise ParameterError(
                f"{name(game)}: no payoff of {row!r} against {column!r}: are these strategies of {names}? "
                f"({type(error).__name__}: {error})"
            ) from error

    return pays


def _mixture(answers: MixedAnswers, strategy: Any, seat: int) -> dict[Any, Fraction]:
    """A strategy as users give it (a strategy or a dict of probabilities), as probabilities. Raises `ParameterError`."""
    if isinstance(answers.game, Matrix):
        return answers.game.mixture(strategy, seat)
    who = player(answers.game, seat)
    if callable(strategy):
        strategy = _by(answers.game, strategy, seat)
    if not isinstance(strategy, Mapping) and not is_hashable(strategy):
        raise ParameterError(f"{strategy!r} is no strategy of {who}: give one strategy, or a dict of strategies and their probabilities")
    given = strategy if isinstance(strategy, Mapping) else {strategy: 1}
    found: dict[Any, Fraction] = {}
    for one, probability in probabilities(given, f"the probabilities of {who}'s strategies").items():
        known = _by(answers.game, one, seat) if callable(one) else one
        found[known] = found.get(known, Fraction(0)) + probability
    _check_listed(RestrictedGame(answers.game), seat, found)
    return found


def _by(game: Any, function: Callable[..., Any], seat: int) -> Any:
    """The strategy that a user's function stands for. Raises `ParameterError`."""
    method, who = ("row_by", "column_by")[seat], player(game, seat)
    make = getattr(game, method, None)
    if make is None:
        raise ParameterError(f"{name(game)} makes no strategies of functions for {who} (it has no `{method}`): give a strategy, or a dict")
    try:
        return make(function)
    except ZermeloError:
        raise
    except (Exception, SystemExit) as error:
        raise ParameterError(f"{name(game)}: the function given for {who} failed: {raised_text(error)}") from error


# --- best responses -----------------------------------------------------------------------------------------------------


def _best_reply(answers: MixedAnswers, seat: int, other: Mixture) -> tuple[Any, Fraction]:
    """A best response of the player in `seat` to a mixture of the other, and the row player's payoff."""
    game = answers.game
    if isinstance(game, Matrix):
        return verbs.best_listed(_pays(game), seat, list(game.columns() if seat else game.rows()), other)
    known = RestrictedGame(game)
    if not known.asks_for(seat):
        every = [member for s in known.strategies(seat) for member in members(game, MEMBERS[seat], s)]
        return verbs.best_listed(_pays(game), seat, list(dict.fromkeys(every)), other)
    try:
        weights = _by_representative(answers, known, 1 - seat, other)
    except OutOfReach:
        respond = getattr(game, ("best_member_row", "best_member_column")[seat], None)
        if respond is None:
            raise
        return _best_member(answers, seat, other, respond)
    try:
        known.add(1 - seat, list(weights))
    except RulesError as error:  # the game was solved without an error, so the cause is the query
        given = listed([*weights])
        raise ParameterError(f"{known.name}: is {given} a strategy of {player(game, 1 - seat)}? {error.faults[0]}") from None
    common = lcm(*(p.denominator for p in weights.values()))
    whole = [int(weights.get(s, 0) * common) for s in known.strategies(1 - seat)]
    known.learn(seat, whole)
    averages = known.averages(seat, whole)
    best = max(averages) if seat == 0 else min(averages)
    reply = known.strategies(seat)[averages.index(best)]
    return next(iter(members(game, MEMBERS[seat], reply))), best / sum(whole) * unit_of(game)


def _best_member(answers: MixedAnswers, seat: int, other: Mixture, respond: Callable[[dict[Any, int]], Any]) -> tuple[Any, Fraction]:
    """The same by the game's method for strategies that its own mixtures do not distinguish; `other` is on the other side."""
    common = lcm(*(p.denominator for p in other.values()))
    try:
        reply = respond({strategy: int(p * common) for strategy, p in other.items()})
    except Exception as error:
        given, who = listed([*other]), player(answers.game, 1 - seat)
        raise ParameterError(f"{name(answers.game)}: is {given} a strategy of {who}? ({type(error).__name__}: {error})") from error
    sides = ({reply: Fraction(1)}, other)
    return reply, verbs.average(_pays(answers.game), *(sides if seat == 0 else sides[::-1]))


def _check_listed(known: RestrictedGame, seat: int, mixture: Mixture) -> None:
    """Raise `ParameterError` for anything that is not a strategy, where all strategies of the player are listed."""
    if known.asks_for(seat):
        return
    legal = {member for s in known.strategies(seat) for member in members(known.game, MEMBERS[seat], s)}
    for strategy in mixture:
        if strategy not in legal:
            raise ParameterError(f"{known.name}: {strategy!r} is not among the {('rows', 'columns')[seat]} of the game")


def represented(answers: MixedAnswers) -> list[dict[Any, Fraction]]:
    """Both optimal mixtures, of the strategies that the game's own methods know. Raises `OutOfReach` for files that did not keep them."""
    if answers.represented is not None:
        return [dict(mixture) for mixture in answers.represented]
    if has_members(answers.game):
        raise OutOfReach(
            f"{name(answers.game)}: this file is of an older version, which did not keep the strategies that a certificate needs: "
            "solve and save again"
        )
    return [dict(answers.row), dict(answers.column)]


def _by_representative(answers: MixedAnswers, known: RestrictedGame, seat: int, mixture: Mixture) -> dict[Any, Fraction]:
    """The mixture as one of the strategies that the game's own methods know, each of which may stand for several, equally likely.

    Raises `OutOfReach` for any other mixture: the method of best responses can't be called with it.
    """
    if answers.represented is not None and mixture == policy(answers, seat):
        return dict(answers.represented[seat])
    if not callable(getattr(known.game, MEMBERS[seat], None)):
        return dict(mixture)
    found: dict[Any, Fraction] = {}
    spread: dict[Any, Fraction] = {}
    for representative in known.strategies(seat):
        several = list(members(known.game, MEMBERS[seat], representative))
        weight = sum((mixture.get(s, Fraction(0)) for s in set(several)), Fraction(0))
        if weight:
            found[representative] = weight
            for strategy in several:
                spread[strategy] = spread.get(strategy, Fraction(0)) + weight / len(several)
    if spread != mixture:
        wrong = next(s for s in [*mixture, *spread] if spread.get(s) != mixture.get(s))
        reply = ("best_column", "best_row")[seat]
        raise OutOfReach(
            f"{known.name}: `{reply}` answers only mixtures in which the strategies of one `{MEMBERS[seat]}` are equally likely, and "
            f"{wrong!r} is not as likely as those that it goes with"
        )
    return found

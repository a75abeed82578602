"""Games of ours as Gambit's files: a tree of all plays (.efg), or a matrix (.nfg)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.disk import replacing
from zermelo.basics.numbers import in_full, meant
from zermelo.basics.words import choice_text, game_in_words
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.foreign.gambit_again import again
from zermelo.foreign.letters import different, in_ascii, quoted
from zermelo.foreign.modules import SOURCES
from zermelo.language import units
from zermelo.language.rules import Action, Joint, Outcome, Rules, State, read

MOST = 100_000  # nodes of a tree, payoffs of a matrix


def to_gambit(game: Any, path: str | Path | None = None, *, max_nodes: int = MOST) -> str:
    """A game as the text of a Gambit file, which is written to `path` if that is given.

    An extensive game (.efg) of all plays, with the information sets that `sees` gives, or with none if everybody sees everything; both
    may choose at once. For a matrix, `zermelo.matrix_game(...).game`, a strategic game (.nfg). Games given by best responses are refused:
    they need not list all their strategies.
    The second player gets what the first one pays; a game in which player 1 has no choices and nobody passes has one player.
    Probabilities and payoffs are fractions; floats count as the decimals that they are written as. Labels are in ASCII, as Gambit reads no
    others: ½ is written as 1/2, → as ->. A game that this process has read from a file of Gambit is written as it was read: with the names
    of players, nodes, information sets and outcomes, and what both players are paid.
    Raises `OutOfReach` for endless plays, for more than `max_nodes` nodes and for games given by best responses, `ParameterError` if the
    name of the file ends in anything but .efg or .nfg, whichever it is, `FileError` if the file can't be written.
    """
    source = SOURCES.get(type(game))
    for found, listed in (("best_row", "rows"), ("best_column", "columns")) if source is None else ():
        if callable(getattr(game, found, None)):  # even if it finds none that is not listed: that can't be seen
            raise OutOfReach(
                f"{_name(game)}: `{found}` may find strategies that `{listed}` does not list, and a file of Gambit lists all: "
                "zermelo.matrix_game(payoffs).game can be written"
            )
    is_matrix = all(callable(getattr(game, part, None)) for part in ("rows", "columns", "payoff"))
    rules = None if is_matrix else read(game)  # first: what is no game is written to no file
    wanted = ".nfg" if rules is None else ".efg"
    if path is not None and Path(path).suffix != wanted:
        raise ParameterError(f"{path}: {_name(game)} is written to a file that ends in {wanted}")
    if source is not None:
        text = again(source, _name(game), max_nodes)
    else:
        text = _matrix(game, max_nodes) if rules is None else _Tree(rules, max_nodes).text()
    if path is not None:
        try:
            with replacing(Path(path)) as temporary:
                temporary.write_text(text, encoding="utf-8")
        except OSError as error:
            raise FileError(f"can't write {path}: {error.strerror or error}") from None
    return text


def _name(game: Any) -> str:
    return (game if isinstance(game, type) else type(game)).__name__


def _exact(number: Any) -> Fraction:
    return meant(number) if isinstance(number, float) else Fraction(number)


class _At(NamedTuple):
    """A point of play: a state, or the chance move after an action; player 0's payoff so far, and whether the other side sees the state."""

    state: State
    drawn: tuple[Outcome, ...]  # the outcomes to draw from, if any
    first: Action  # of the first to choose among `actions`, if the other one has yet to choose
    paid: Fraction
    side: int
    asked: int = -1  # the node of that action, which the other one does not see


class _Tree:
    """Writes the nodes in prefix order."""

    def __init__(self, rules: Rules, most: int):
        self.rules, self.most = rules, most
        self.sets: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        self.ends: dict[Fraction, int] = {}
        self.nodes = self.chances = 0
        self.players = {0}
        self.labels: set[str] = set()

    def text(self) -> str:
        if self.rules.is_cut_off:
            raise OutOfReach(f"{self.rules.name} cuts play off and bounds the rest, and what is not played can't be written")
        waiting = [(_At(self.rules.start, (), None, Fraction(0), 0), 0)]
        lines: list[tuple[str, Fraction | None]] = []
        before: dict[State, None] = {}  # the states of the play that leads to a node, in order
        while waiting:
            at, past = waiting.pop()
            while len(before) > past:
                before.popitem()
            if not at.drawn and at.first is None:
                if at.state in before:
                    told = self.rules.in_line(at.state)
                    raise OutOfReach(f"{self.rules.name}: a tree of all plays has no end, as play can return to a state: {told}")
                before[at.state] = None
            line, paid, after = self._node(at)
            lines.append((line, paid))
            waiting += [(then, len(before)) for then in reversed(after)]
            if len(lines) > self.most:
                raise OutOfReach(f"{self.rules.name} has more than {self.most:,} nodes as a tree of all plays")
        two = 1 in self.players
        body = [line if paid is None else f"{line} {{ {', '.join(map(str, (paid, -paid) if two else (paid,)))} }}" for line, paid in lines]
        names = '{ "player 0" "player 1" }' if two else '{ "player 0" }'
        return "\n".join([f"EFG 2 R {quoted(in_ascii(self._title()))} {names}", '""', "", *body, ""])

    def _title(self) -> str:
        """As the game is called for people, if it says so; else as it is made in Python."""
        game = self.rules.game
        if units.title(game) is not None:
            return game_in_words(game)
        return f"{self.rules.name}({', '.join(f'{n}={v}' for n, v in zip(game._fields, game, strict=True))})"

    def _node(self, at: _At) -> tuple[str, Fraction | None, list[_At]]:
        """The line of a node, its payoff if play is over, and the nodes that follow."""
        rules = self.rules
        if at.drawn:
            return self._chance(at)
        own, others = rules.choices(at.state) if rules.is_simultaneous else (rules.actions(at.state), [])
        if not own:
            paid = at.paid + (-1 if at.side else 1) * _exact(rules.payoff(at.state)[0])
            end = self.ends.setdefault(paid, len(self.ends) + 1)
            return f't "" {end} {quoted(f"pays {paid}")}', paid, []
        if rules.is_simultaneous:
            if at.first is None:
                return self._choice(at, at.side, own, [at._replace(first=a, asked=self.nodes) for a in own])
            return self._choice(at, at.side ^ 1, others, [self._after(at, Joint(at.first, b)) for b in others])
        happening = [o for o in rules.outcomes(at.state, own[0]) if o.ways]
        if len(own) == 1 and len(happening) > 1:
            return self._chance(at._replace(drawn=tuple(happening)))
        return self._choice(at, rules.player(at.state) ^ at.side, own, [self._after(at, a) for a in own])

    def _choice(self, at: _At, player: int, actions: list[Action], after: list[_At]) -> tuple[str, None, list[_At]]:
        self.players.add(player)
        key: Any = self.rules.seen(at.state, player) if self.rules.is_hidden else self.nodes if at.asked < 0 else at.asked
        self.nodes += 1
        number = self.sets[player].setdefault(key, len(self.sets[player]) + 1)
        said = quoted(f"player {player} sees {' '.join(map(str, key))}") if self.rules.is_hidden else quoted("")
        labels = " ".join(map(quoted, different([in_ascii(self.rules.action_name(a)) for a in actions])))
        shown = in_ascii(self.rules.in_line(at.state))
        label = quoted("" if shown in self.labels else shown)  # Gambit requires them to be different
        self.labels.add(shown)
        return f"p {label} {player + 1} {number} {said} {{ {labels} }} 0", None, after

    def _chance(self, at: _At) -> tuple[str, None, list[_At]]:
        self.chances += 1
        ways = [_exact(o.ways) for o in at.drawn]
        total = sum(ways, Fraction(0))
        shown = " ".join(f"{quoted(str(k + 1))} {w / total}" for k, w in enumerate(ways))
        return f'c "" {self.chances} "" {{ {shown} }} 0', None, [self._follow(at, o) for o in at.drawn]

    def _after(self, at: _At, action: Action) -> _At:
        outcomes = [o for o in self.rules.outcomes(at.state, action) if o.ways]
        return self._follow(at, outcomes[0]) if len(outcomes) == 1 else at._replace(drawn=tuple(outcomes), first=None, asked=-1)

    def _follow(self, at: _At, outcome: Outcome) -> _At:
        paid = at.paid + (-1 if at.side else 1) * _exact(outcome.payoff[0])
        return _At(outcome.state, (), None, paid, at.side ^ (outcome.sign < 0))


def _matrix(game: Any, most: int) -> str:
    """A matrix game as an .nfg: the rows of player 0 vary fastest."""
    rows, columns = list(game.rows()), list(game.columns())
    if len(rows) * len(columns) > most:
        raise OutOfReach(f"{_name(game)} has {len(rows)} x {len(columns)} payoffs, and at most {most:,} are written")
    unit = Fraction(game.unit()) if hasattr(game, "unit") else Fraction(1)
    players = game.players() if hasattr(game, "players") else ("row player", "column player")
    shown = [[quoted(t) for t in names] for names in _labels(game, rows, columns)]
    paid = [unit * _exact(game.payoff(row, column)) for column in columns for row in rows]
    title = type(game).__name__ if units.title(game) is None else game_in_words(game)
    head = f"NFG 1 R {quoted(in_ascii(title))} {{ {' '.join(map(quoted, different(list(map(in_ascii, players)))))} }}"
    strategies = " ".join(f"{{ {' '.join(names)} }}" for names in shown)
    return "\n".join([head, f"{{ {strategies} }}", '""', "", " ".join(f"{in_full(p)} {in_full(-p)}" for p in paid), ""])


def _labels(game: Any, rows: list[Any], columns: list[Any]) -> Iterator[list[str]]:
    """The names of all strategies, in ASCII; numbered if two are equal."""
    for name, strategies in (("show_row", rows), ("show_column", columns)):
        shown = [in_ascii(str(getattr(game, name, choice_text)(s))) for s in strategies]
        yield different(shown)

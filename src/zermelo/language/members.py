"""The members of the language, one row each: everything that the checker, the hash of rules, the compiler and the docs know about them.

A new member is a row here and the code that uses it. The hash of rules reads the rows in this order. A new row may be added
anywhere, but the existing rows must keep their order, or stored solutions would no longer match their rules.

`python -m zermelo.language.members` prints the tables that docs/writing-games.md shows. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

Native = Literal["explored", "staged", "boards", "entered"]  # the kinds of compiled module (link/module.py)
When = Literal["", "is_chance", "is_simultaneous", "is_staged", "is_entered", "is_pictured"]  # a property of `Rules`; "" for all games

PLAY = "What the game is"
CLAIMS = "What is true about it"
STATES = "Where its states are"
PEOPLE = "How people see it"
REPLIES = "Matrix games given by best responses"
GROUPS = (PLAY, CLAIMS, STATES, PEOPLE, REPLIES)

NOTHING: Mapping[str, str] = MappingProxyType({})


class Member(NamedTuple):
    """A method or constant that the language knows by name."""

    name: str
    takes: tuple[str, ...] | None  # the method's arguments after `self`; None: a constant, or a method without arguments
    group: str
    doc: str  # one line of Markdown
    default: str = ""  # what applies if it is left out; "" if it is required
    when: When = ""  # the games for which this row holds; for others, an earlier row holds, or the name is free
    compiled: tuple[Native, ...] = ()
    hashed: bool = True  # whether answers depend on it
    yields: str = ""  # what it yields, if a method that returns something is certainly a mistake
    needs: Mapping[str, str] = NOTHING  # other members that it requires, and why
    excludes: Mapping[str, str] = NOTHING  # members that it excludes, and why

    @property
    def form(self) -> str:
        """Its form in rules: "outcomes(self, s, action)"."""
        return self.name if self.takes is None else f"{self.name}({', '.join(('self', *self.takes))})"

    @property
    def explained(self) -> str:
        """Its meaning and the members that it excludes, as the docs show them."""
        others = ", ".join(f"`{name}`" for name in self.excludes)
        return self.doc + (f". Not together with {others}" if others else "")

    @property
    def title(self) -> str:
        """Its name in messages, with arguments if the name alone is not clear enough."""
        return self.name if self.when in ("", "is_entered") else self.form


def _each(why: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, why)


TO_THE_END = "stages are solved to the end of play, with all actions"
URN = "an urn has one player, who draws or stops, and no more to it"
CHANCE = "stages with a `space` are for games of pure chance; write `space(self)`, or leave it out"
ALL_HIDDEN = "a game with hidden information is solved as a whole, from its start to its end"

MEMBERS: tuple[Member, ...] = (
    Member(
        "start", (), PLAY,
        "the first state; raises `ValueError` with a sentence where parameters don't fit together",
    ),
    Member(
        "actions", ("s",), PLAY,
        "yields the legal actions; yields nothing where the play is over",
        default="a game of pure chance", compiled=("explored", "boards", "entered"), yields="an action",
    ),
    Member(
        "other_actions", ("s",), PLAY,
        "both choose at once: player 0 among `actions`, player 1 among these (see [below](#both-choose-at-once))",
        default="players move in turn", compiled=("explored",), yields="an action",
        needs={"actions": "they are what the two choose among at once"},
        excludes={
            "player": "both choose at once, and player 0 wants the payoff high; where only one has a choice, the other one has one action",
            "settled": "who stops first is a question of games in turn",
            "bounds": "bounds are for games in turn",
            "urn": "an urn has one player",
        },
    ),
    Member(
        "outcomes", ("s", "action"), PLAY,
        "yields `ways, payoff, State(...)` for everything that can happen, or `ways, payoff, State(...), sign`",
        compiled=("explored", "boards", "entered"), yields="ways, payoff, state",
    ),
    Member(
        "outcomes", ("s",), PLAY,
        "the same in a game without `actions`; yields nothing where the play is over",
        when="is_chance", compiled=("explored", "staged"), yields="ways, payoff, state",
    ),
    Member(
        "outcomes", ("s", "action", "other"), PLAY,
        "the same in a game with `other_actions`",
        when="is_simultaneous", compiled=("explored",), yields="ways, payoff, state",
    ),
    Member(
        "player", ("s",), PLAY,
        "who moves: 0 (wants the payoff high) or 1 (wants it low). For games without -1, which would exchange the players once more",
        default="0", compiled=("explored", "boards", "entered"),
    ),
    Member(
        "sees", ("s", "player"), PLAY,
        "yields the numbers that the player knows in `s`, all that he remembers; states with the same numbers are one information set "
        "(see [hidden information](hidden-information.md)); checked",
        default="everybody sees everything", compiled=("explored",), yields="a whole number",
        needs={"actions": "who has no choice has no use for what he knows"},
        excludes={
            "payoffs": "two players play for one payoff, which one of them gets and the other pays",
            **_each(
                ALL_HIDDEN, "settled", "bounds", "urn", "symmetries", "space", "stage", "turned", "seats", "entries", "parents",
            ),
        },
    ),
    Member(
        "payoff", ("s",), PLAY,
        "payoff of a finished position",
        default="0", compiled=("explored", "staged", "boards", "entered"),
    ),
    Member(
        "stage", ("s",), STATES,
        "a whole number that never decreases along play; checked",
        default="not declared", compiled=("staged", "entered"),
    ),
    Member(
        "symmetries", ("s",), CLAIMS,
        "yields all other states that have the same value as `s` by symmetry: the whole orbit, not only the images under "
        "generators, and from each of its states; checked. Policies of one's own are asked in each of them",
        default="none", compiled=("explored", "boards"), yields="a state",
    ),
    Member(
        "settled", ("s",), CLAIMS,
        "true where the first action (to stop) is best from here on, however high the score grows: there an endless game is "
        "cut off. For one player, player 0, payoffs that are not negative, and no discount. The engine proves the claim for every score, "
        "or refuses it. Policies that go on there are refused",
        default="never", compiled=("explored",),
    ),
    Member(
        "bounds", ("s",), CLAIMS,
        "yields `(low, high)` where play is cut off: the value of `s` lies between the two, and the game is solved once with "
        "each. Yields nothing elsewhere. A simulated play that gets there is paid `low`; policies cannot be "
        "evaluated. For games too long to be played to the end (see examples/chow_robbins.py), without PASS",
        default="never", compiled=("explored",),
        excludes={
            "payoffs": "bounds are of one payoff only",
            "settled": "bounds are where play is not cut off, and not both",
        },
    ),
    Member(
        "must_end", None, CLAIMS,
        "`must_end = True`: a play that never ends is worth infinitely much to player 0, not the sum of its payoffs, none of which is "
        "negative. Examined after solving: `NoValue` says where the value is infinite, `OutOfReach` where it can't be told",
        default="an endless play is worth what it pays", hashed=False,
        excludes=_each(
            "whether play ends is examined for games to their ends, for one payoff, all states being stored",
            "payoffs", "sees", "settled", "bounds", "urn", "space", "entries",
        ),
    ),
    Member(
        "urn", ("s",), CLAIMS,
        "returns how many balls pay 1 and how many cost 1: `s` is an urn of these, drawn without replacement until the player "
        "stops. Large urns are then solved stage by stage (see [the card draw](card-draw.md)); checked",
        default="not declared", hashed=False,
        excludes=_each(URN, "player", "payoff", "payoffs", "settled", "bounds", "symmetries", "space"),
    ),
    Member(
        "parents", ("s",), STATES,
        "in board games with a ranked space: yields all positions from which a move leads to `s` (also such where play is over); checked",
        default="found from the moves", compiled=("boards",), yields="a state",
    ),
    Member(
        "payoffs", None, PLAY,
        "names of several payoffs, as a tuple or a method; every payoff is then a tuple of that length. Players maximise or "
        "minimise the first; the others are its by-products when they do. PASS negates every one of them: what both players add to, "
        "such as a number of moves, is for games with `player`",
        default="one payoff",
    ),
    Member(
        "space", (), STATES,
        "a box, that is, a state whose fields are ranges (or tuples of ranges): every state in it is solved, also those that "
        "the start never reaches. Or a ranked space of `zermelo.spaces`, which numbers the positions of a "
        "[board game](board-games.md#your-own-board-game)",
        default="reachable states only",
    ),
    Member(
        "space", ("stage",), STATES,
        "with `stage`, in games of pure chance: all states of a stage, as a tuple of ranges and spaces; `None` after "
        "the last stage. The game is then solved stage by stage (see [below](#games-that-go-through-stages))",
        default="not declared", when="is_staged",
        excludes={
            **_each(CHANCE, "actions", "player"),
            **_each(TO_THE_END, "settled", "bounds"),
            "symmetries": "`turned` says which positions of a stage are the same",
        },
    ),
    Member(
        "turned", ("s",), STATES,
        "with `space(self, stage)`: the state with the table rotated so that the seat to move comes first, and by how many seats; checked",
        default="not rotated", when="is_staged", compiled=("staged",),
    ),
    Member(
        "seats", (), STATES,
        "with `turned`: the payoffs that belong to the seats, in the order of the seats",
        default="none", when="is_staged",
    ),
    Member(
        "entries", (), STATES,
        "with `stage`, in games with decisions: yields all entry states, in which a stage is entered, such as beginnings of "
        "turns. The game is then solved stage by stage, and only the values of these states are kept (see "
        "[below](#games-with-decisions-that-go-through-stages))",
        default="not declared", when="is_entered",
        needs={"actions": "stages are entered in games with decisions; games of chance declare `space(self, stage)`"},
        excludes={
            **_each(TO_THE_END, "settled", "bounds"),
            "other_actions": "stages are entered in games in turn",
            "symmetries": "a stage is entered in each position by itself, also in those that are the same",
            "urn": "an urn has stages of its own",
        },
    ),
    Member(
        "title", None, PEOPLE,
        '`title = "Left-Center-Right"`, or a method that returns the title with the parameters in words, "Left-Center-Right: 4 players": '
        "what pictures, tables and the terminal call the game; the page, too, if it is a text (parameters stand beside it there). "
        "Also in matrix games",
        default="the name of the class, and the parameters", hashed=False,
    ),
    Member(
        "show", ("s",), PEOPLE,
        "a position as text",
        default="the `picture` in characters, or as Python writes it", hashed=False,
    ),
    Member(
        "picture", ("s",), PEOPLE,
        "a position as plain data (cells, pieces, dice, cards, coins, seats ...), which the page draws "
        "(see [draw a board](how-to/draw-a-board.md)); `picture(self, s, player=-1)` where players do not see everything. Run by Python "
        "only; errors in it are reported, and never keep a game from being solved",
        default="positions are shown as text", hashed=False,
    ),
    Member(
        "places", ("s", "action"), PEOPLE,
        "with `picture`: yields the places of the picture that are clicked for an action, one after the other",
        default="actions are chosen from the list", when="is_pictured", hashed=False,
    ),
    Member(
        "action_name", ("action",), PEOPLE,
        "an action as text",
        default="as Python writes it, a member of an enumeration by its name", hashed=False,
    ),
    Member(
        "asks", ("s",), PEOPLE,
        "for `zermelo play`, where there are too many actions to list: the names of the numbers that the player types in "
        "(none: choose from the list). See [Lemonade Stand](lemonade.md)",
        default="choose from the list", hashed=False,
    ),
    Member(
        "why_not", ("s", "action"), PEOPLE,
        'why an action that `actions` leaves out may not be taken (`""`: it may; it is only never better)',
        default="not legal", hashed=False,
    ),
    Member(
        "win_probability", ("value",), PEOPLE,
        "the chance of winning that a value stands for, linear in it: of the player to move with `PASS`, of player 0 else; checked. "
        "Tables, pictures and probes show it (and its bounds) instead of the value; compute it without floats, as in "
        "`(1 + value) / 2`, and fractions stay fractions",
        default="values are shown", hashed=False,
    ),
    Member(
        "payoff_unit", None, PEOPLE,
        '`payoff_unit = "chips"`, or a method that returns it: what the payoff (the first of several) is counted in; `("$", 100)` where '
        "rules count hundredths of it, such as cents. Shown wherever people are shown values; Python, data frames and JSON keep numbers "
        "of the rules. Also in matrix games",
        default="plain numbers", hashed=False,
    ),
    Member(
        "rows", (), REPLIES,
        "yields strategies of the row player: all of them, or some to start with if there is `best_row`",
    ),
    Member(
        "columns", (), REPLIES,
        "yields strategies of the column player: all of them, or some to start with if there is `best_column`",
    ),
    Member(
        "payoff", ("row", "column"), REPLIES,
        "what the column player pays to the row player",
    ),
    Member(
        "best_row", ("weights",), REPLIES,
        "a best response of the row player to columns with these weights (a dict), or a list that contains one; exactly "
        "best where the weights are whole numbers",
        default="`rows` are all",
    ),
    Member(
        "best_column", ("weights",), REPLIES,
        "likewise a best response of the column player, which pays least on average. One of these two must be there",
        default="`columns` are all",
    ),
    Member(
        "unit", (), REPLIES,
        "a positive number by which all payoffs are multiplied at the end",
        default="1",
    ),
    Member(
        "row_members", ("row",), REPLIES,
        "the strategies that a row stands for, if it stands for several that are equally likely (mirror images, say)",
        default="itself",
    ),
    Member(
        "column_members", ("column",), REPLIES,
        "the same for a column",
        default="itself",
    ),
    Member(
        "member_payoff", ("row", "column"), REPLIES,
        "the payoff of one of these against another, `unit` included; checked",
        default="`payoff` times `unit`",
    ),
    Member(
        "best_member_row", ("weights",), REPLIES,
        "a best response of the row player, exactly best where the weights are whole numbers, to columns of `column_members` that are "
        "not equally likely: asked for when a strategy of one's own is evaluated",
        default="such strategies can't be evaluated", hashed=False,
    ),
    Member(
        "best_member_column", ("weights",), REPLIES,
        "likewise of the column player, to rows of `row_members`",
        default="such strategies can't be evaluated", hashed=False,
    ),
    Member(
        "row_by", ("function",), REPLIES,
        "the strategy of the row player that somebody means who gives a Python function to `evaluate` or `best_response`",
        default="functions are no strategies", hashed=False,
    ),
    Member(
        "column_by", ("function",), REPLIES,
        "likewise of the column player",
        default="functions are no strategies", hashed=False,
    ),
    Member(
        "players", (), REPLIES,
        "the names of both players",
        default="row player, column player", hashed=False,
    ),
    Member(
        "show_row", ("row",), REPLIES,
        "a strategy of the row player as text",
        default="as Python writes it, a member of an enumeration by its name", hashed=False,
    ),
    Member(
        "show_column", ("column",), REPLIES,
        "a strategy of the column player as text",
        default="as Python writes it, a member of an enumeration by its name", hashed=False,
    ),
)  # fmt: skip

HASHED = tuple(dict.fromkeys(m.name for m in MEMBERS if m.hashed))  # in the order in which the hash of rules reads them
COMPILED = tuple(dict.fromkeys(m.name for m in MEMBERS if m.compiled))


NAMES = frozenset(m.name for m in MEMBERS)


def of_games(given_by_replies: bool) -> list[Member]:
    """The rows for matrix games given by best responses, or those for games with states."""
    return [m for m in MEMBERS if (m.group == REPLIES) == given_by_replies]


def in_force(rules: Any) -> dict[str, Member]:
    """The row that holds for each name in a game with states (its `Rules`). A name that is missing here is free for the game to use."""
    return {m.name: m for m in of_games(False) if not m.when or getattr(rules, m.when)}


def compiled_for(native: Native) -> tuple[str, ...]:
    """The names of the members that go into a native module of this kind."""
    return tuple(dict.fromkeys(m.name for m in MEMBERS if native in m.compiled))


def compiled_of(rules: Any) -> tuple[str, ...]:
    """The names of the members of a game with states that any engine may compile."""
    kinds = {"explored", "boards", *(["staged"] if rules.is_staged else []), *(["entered"] if rules.is_entered else [])}
    return tuple(m.name for m in in_force(rules).values() if kinds & set(m.compiled))


class Clash(NamedTuple):
    """Two declarations that exclude each other, or one that needs another."""

    member: str
    other: str
    text: str


def clashes(rules: Any) -> Iterator[Clash]:
    """The conflicts between the declarations of a game with states."""
    known = in_force(rules)
    declared = {name: member for name, member in known.items() if hasattr(rules.game, name)}
    for name, member in declared.items():
        for other, why in member.needs.items():
            if other not in declared:
                yield Clash(name, other, f"`{member.title}` needs `{known[other].title}`: {why}")
        for other, why in member.excludes.items():
            if other in declared:
                yield Clash(name, other, f"`{member.title}` and `{declared[other].title}` do not go together: {why}")


def table(group: str) -> str:
    """The declarations of a group as a table in Markdown."""
    lines = ["| member | what it says | if left out |", "|---|---|---|"]
    lines += [f"| `{m.form}` | {m.explained} | {m.default or 'must be there'} |" for m in MEMBERS if m.group == group]
    return "\n".join(lines)


def tables() -> str:
    """The whole language as docs/writing-games.md shows it, a table for each group."""
    return "\n\n".join(f"### {group}\n\n{table(group)}" for group in GROUPS)


if __name__ == "__main__":
    print(tables())

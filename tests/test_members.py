"""The table of declarations: what derives from it agrees with it, and the hashes of rules stay what they were."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo import games
from zermelo.language import members
from zermelo.language.checking import check
from zermelo.language.members import MEMBERS
from zermelo.language.rules import Rules
from zermelo.language.rules_text import rules_hash
from zermelo.spaces import product

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
WRITING = (ROOT / "docs" / "writing-games.md").read_text()

# Stored solutions and checkpoints name the rules that they belong to by these hashes: they stay for as long as the rules do.
HASHES = {
    "Pig": "673dd8d9e5570b867f507e51ce29e12561611edb9cd6c66dae0bc9726ea74ff5",
    "CardDraw": "27d1363ae14fb6726662d7073d971ec4aa21100bb514f4ff0498c9a0e3f58ec4",
    "BinarySearch": "d4b3942fafee33c002b7ab2016423e9b2a62897fbcf087ad51f74250e9c32294",
    "Dreidel": "62d8b6c77ffb9050d9a0eb98bfedf953146408d25b7ef40d066f8f9b5be3e604",
    "ExactPig": "8bc5d654bd8e7ec8d163279ac8036b238eada8b5028294b0bde246119e2b7f7f",
    "GobbletGobblers": "ae5c0174458b6d008775395d9099bd51a6a800bb1b99373997a60dec811bf179",
    "HogSimultaneous": "49624b5accd844393c4b1728518338883ce6f8d41eb9971af00f643d7512496f",
    "LemonadeStand": "fb5c48ccba51e466d8f3cb00d5b16e78314726edb7d3f63584fd4fc1876d3b26",
    "SolitairePig": "775c714b7ef0693765e547400d8620f1b171197747df9d66d0b917e127c8ae9f",
    "TenThousandRace": "f4fdcbefdbf0eee3d0a9f623e6f272e559281d2c3e50d4dbd96b722e05ad3a0a",
    "blotto.Blotto": "b2965a56d511e436bf43c302765aa823c04f79ce51ce06167f051b23acc4b8c9",
    "chow_robbins.ChowRobbins": "303593b0bb2e6b028ddbc19ff6329b5d4a836f2fe536abac6d86de0d9d634484",
    "coin_race.CoinRace": "00352a7ab547baed4aed6a215d63785bc990f0d52fdcbfaa85d5687aab692151",
    "goofspiel.Goofspiel": "ce983a511213020812d7dd503f776d1299fb49d0e1fb23a2386156b201775166",
    "passing_coins.PassingCoins": "6315de781f422064964d75e40cde9c653095d3882c6dc0e13cb9c84f5ed043dd",
}


def game_called(name: str) -> Any:
    """A game of the catalogue, or "file.Game" of the examples."""
    file, _, game = name.rpartition(".")
    if not file:
        return getattr(games, name)()
    if str(EXAMPLES) not in sys.path:  # imported once, as other tests do: a second class of the same name would be another game
        sys.path.append(str(EXAMPLES))
    module = importlib.import_module(file)
    return getattr(module, game)()


@pytest.mark.parametrize("name", HASHES)
def test_the_hashes_of_rules_have_not_changed(name: str) -> None:
    assert rules_hash(game_called(name)) == HASHES[name]


# --- the table and what derives from it -----------------------------------------------------------------------------------


def test_the_docs_show_the_table() -> None:
    shown = WRITING.partition("<!-- what `python -m zermelo.language.members` prints -->")[2].partition("<!-- to here -->")[0]
    assert shown.strip() == members.tables()


def test_the_docs_say_what_is_compiled() -> None:
    text = WRITING.partition("## What compiles")[2].partition("\n## ")[0]

    def names(begin: str, end: str) -> set[str]:
        return set(re.findall(r"`(\w+)`", text.partition(begin)[2].partition(end)[0]))

    with_states = {m.name for m in members.of_games(False)}
    assert names("The compiled methods are", "everything they call") | {"stage", "turned"} == set(members.COMPILED)
    assert names("run by Python and never compiled, so they may use anything: ", ".\n") == with_states - set(members.COMPILED)


def test_every_row_says_all_that_is_to_be_said() -> None:
    known = {m.name for m in MEMBERS}
    for member in MEMBERS:
        assert member.group in members.GROUPS and member.doc and "\n" not in member.doc and "|" not in member.doc
        assert {*member.needs, *member.excludes} <= known - {member.name}
        assert not member.compiled or member.hashed
    assert len({(m.name, m.takes) for m in MEMBERS}) == len(MEMBERS)


def test_names_that_count_only_beside_others_are_free_elsewhere() -> None:
    pig, dreidel, race = (members.in_force(Rules(g)) for g in (games.Pig(), games.Dreidel(3, 2), games.TenThousandRace(1000)))
    assert not {"turned", "seats", "entries"} & set(pig) and pig["space"].takes == ()
    assert {"turned", "seats"} <= set(dreidel) and "entries" not in dreidel and dreidel["space"].takes == ("stage",)
    assert "entries" in race and dreidel["outcomes"].takes == ("s",)


# --- what does not go together ---------------------------------------------------------------------------------------------


class Pile(NamedTuple):
    left: int
    side: int = 0


class Taking(NamedTuple):
    """Take 1 or 2 counters of `left`; the base of the games below."""

    left: int = 4

    def start(self) -> Pile:
        return Pile(self.left)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1
        if s.left > 1:
            yield 2

    def outcomes(self, s: Pile, action: int) -> Iterator[Any]:
        yield 1, action, Pile(s.left - action)


def changed(**changes: Any) -> Any:
    """`Taking` with these declarations, too."""
    return type("Changed", (Taking,), {"__slots__": (), **changes})()


def faults_of(game: Any) -> list[str]:
    with pytest.raises(zermelo.RulesError) as told:
        check(game)
    return told.value.faults


def never(self: Any, s: Pile) -> bool:
    return False


def stage(self: Any, s: Pile) -> int:
    return -s.left


def everywhere(self: Any) -> Iterator[Pile]:
    for left in range(self.left + 1):
        yield Pile(left)


def boxes(self: Any, stage: int) -> Any:
    return range(-stage, 1 - stage), range(1)


@pytest.mark.parametrize(
    "changes, fault",
    [
        ({"stage": stage, "entries": everywhere, "settled": never}, "`entries` and `settled` do not go together: stages are solved"),
        ({"stage": stage, "space": boxes}, "`space(self, stage)` and `actions` do not go together: stages with a `space` are for games of"),
    ],
)
def test_what_does_not_go_together_is_told_once(changes: dict[str, Any], fault: str) -> None:
    (told,) = faults_of(changed(**changes))
    assert told.startswith(fault)


def test_entries_are_refused_where_both_choose_at_once() -> None:
    """The stages were solved as if player 0 chose for both: 1 in the place of 0."""

    def actions(self: Any, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 0
            yield 1

    def outcomes(self: Any, s: Pile, action: int, other: int) -> Iterator[Any]:
        yield 1, 1 if action == other else -1, Pile(s.left - 1)

    pennies = {"actions": actions, "other_actions": actions, "outcomes": outcomes}
    assert zermelo.solve(changed(**pennies)).value == pytest.approx(0, abs=1e-12)
    (told,) = faults_of(changed(**pennies, stage=stage, entries=everywhere))
    assert told.startswith("`entries` and `other_actions` do not go together")


def test_large_ranked_spaces_of_games_that_are_no_board_games() -> None:
    """These were taken for board games: the second payoff was wrong, and compiled code asked for what it did not have."""

    def ranked(self: Any) -> Any:
        return product(range(1100), range(1000))

    def outcomes(self: Any, s: Pile, action: int) -> Iterator[Any]:
        yield 1, (0, 0), Pile(s.left - action, action)

    def payoff(self: Any, s: Pile) -> tuple[int, int]:
        return (1, 5) if s.side == 1 else (-1, 3)

    solution = zermelo.solve(changed(space=ranked, outcomes=outcomes, payoff=payoff, payoffs=("wins", "coins")))
    assert solution.value == 1 and solution.bounds["coins"] == pytest.approx((5, 5))

    class Falling(NamedTuple):
        start = Taking.start
        space = ranked
        left: int = 3

        def outcomes(self, s: Pile) -> Iterator[Any]:
            if s.left > 0:
                yield 1, 1, Pile(s.left - 1)
                yield 1, 0, Pile(0)

    assert zermelo.solve(Falling()).value == pytest.approx(0.875)


# --- names that are nearly those of declarations ---------------------------------------------------------------------------


def answer(self: Any, *arguments: Any) -> int:
    return 0


@pytest.mark.parametrize(
    "said, meant",
    [
        ("symetries", "symmetries"),
        ("player_", "player"),
        ("action_names", "action_name"),
        ("actionname", "action_name"),
        ("why_not_", "why_not"),
        ("win_probabilities", "win_probability"),
        ("bound", "bounds"),
        ("othr_actions", "other_actions"),
    ],
)
def test_misspelt_declarations_are_told(said: str, meant: str) -> None:
    assert faults_of(changed(**{said: answer})) == [f"`{said}` is no part of the language of rules: did you mean `{meant}`?"]


def of_a_state(self: Any, s: Pile) -> int:
    return 0


def yields_for_a_player(self: Any, s: Pile, player: int) -> Iterator[int]:
    yield s.left


@pytest.mark.parametrize(
    "changes, meant",
    [
        *(({name: yields_for_a_player}, "sees") for name in ("see", "seess", "sees_", "Sees")),
        *(({name: True}, "must_end") for name in ("mustend", "must_ends", "must_End", "mustEnd", "must_edn")),
        *(({name: value}, "payoffs") for name in ("payofs", "Payoffs") for value in (True, ("wins", "coins"))),
        *(({name: "chips"}, "payoff_unit") for name in ("payoff_units", "payoffunit", "payof_unit")),
        *(({name: "Piles"}, "title") for name in ("titel", "Title", "titles")),
    ],
)
def test_declarations_that_differ_by_a_letter_an_s_or_capitals(changes: dict[str, Any], meant: str) -> None:
    (name,) = changes
    for ask in (check, zermelo.solve):
        with pytest.raises(zermelo.RulesError) as told:
            ask(changed(**changes))
        assert told.value.faults == [f"`{name}` is no part of the language of rules: did you mean `{meant}`?"]


def test_hidden_information_that_is_misspelt_is_not_taken_for_a_game_in_which_all_is_seen() -> None:
    kuhn = games.KuhnPoker
    misspelt = type("Misspelt", (kuhn,), {"__slots__": (), "see": lambda self, s, player: kuhn.sees(self, s, player)})
    assert any("`see` is no part of the language of rules" in note for note in zermelo.solve(misspelt()).report.notes)
    without = {n: v for n, v in vars(kuhn).items() if callable(v) and not n.startswith("_") and n != "sees"}
    with pytest.raises(zermelo.RulesError, match="did you mean `sees`"):
        zermelo.solve(type("Misspelt", (Taking,), {"__slots__": (), **without, "see": kuhn.sees})())


@pytest.mark.parametrize(
    "changes, meant",
    [
        ({"ask": answer}, "asks"),
        ({"urns": answer}, "urn"),
        ({"see": of_a_state}, "sees"),
        ({"shows": answer}, "show"),
        ({"actons": of_a_state}, "actions"),  # it has `actions` from its base
        ({"Start": of_a_state}, "start"),
        ({"strat": answer}, "start"),
        ({"mustend": of_a_state}, "must_end"),
        ({"TITLE": "Piles"}, "title"),
        ({"utility": of_a_state}, "payoff"),
        ({"current_player": of_a_state}, "player"),
    ],
)
def test_names_that_may_be_ones_own_are_remarked(changes: dict[str, Any], meant: str) -> None:
    (name,) = changes
    remark = f"`{name}` is no part of the language of rules, and nothing in the rules uses it: did you mean `{meant}`?"
    game = changed(**changes)
    assert check(game).remarks == (remark,)
    assert remark in zermelo.solve(game).report.notes and remark in zermelo.plan(game).notes


@pytest.mark.parametrize("name", ["is_terminal", "is_over", "gameOver"])
def test_where_play_is_over_is_no_declaration(name: str) -> None:
    remark = f"`{name}` is no part of the language of rules, and nothing in the rules uses it: play is over where `actions` yields nothing"
    assert check(changed(**{name: of_a_state})).remarks == (remark,)


@pytest.mark.parametrize("said, meant", [("initial_state", "start"), ("legal_actions", "actions"), ("transitions", "outcomes")])
def test_words_of_other_programs(said: str, meant: str) -> None:
    rules = {name: getattr(Taking, name) for name in ("start", "actions", "outcomes") if name != meant}
    game = type("Other", (NamedTuple("Base", [("n", int)]),), {"__slots__": (), **rules, said: getattr(Taking, meant)})(3)  # noqa: UP014
    assert f"`{said}` is no part of the language of rules: did you mean `{meant}`?" in faults_of(game)


def of_a_table(self: Any) -> int:
    return 0


@pytest.mark.parametrize("name, other", [("entries", "stage"), ("seats", "stage"), ("places", "picture")])
def test_what_counts_only_beside_another_declaration(name: str, other: str) -> None:
    """It was ignored without a word; a helper that happens to be called so is none."""
    assert check(changed(**{name: answer})).remarks == (f"`{name}` counts only beside `{other}`, which the game does not declare",)

    def payoff(self: Any, s: Pile) -> int:
        return 1 + self.seats()

    assert not check(changed(seats=of_a_table, payoff=payoff)).remarks


def test_a_discount_is_no_declaration() -> None:
    remark = "`discount` is no part of the language of rules, and nothing in the rules uses it: give it to `solve`"
    assert check(changed(discount=0.5)).remarks == check(changed(discount=of_a_table)).remarks == (remark,)
    rules = {name: getattr(Taking, name) for name in ("start", "actions", "outcomes")}
    base = NamedTuple("Base", [("left", int), ("discount", float)])  # noqa: UP014
    assert check(type("Other", (base,), {"__slots__": (), **rules})(3, 0.5)).remarks == (remark,)  # a parameter

    def outcomes(self: Any, s: Pile, action: int) -> Iterator[Any]:
        yield 1, action * self.discount, Pile(s.left - action)

    assert not check(changed(discount=0.5, outcomes=outcomes)).remarks  # a number of the rules


def test_misspelt_declarations_of_games_with_stages() -> None:
    assert faults_of(changed(stage=stage, entires=everywhere)) == ["`entires` is no part of the language of rules: did you mean `entries`?"]


def test_names_of_ones_own_are_let_be() -> None:
    def actions(self: Any, s: Pile) -> Iterator[int]:
        if self.players_(s) > 0:
            yield 1

    def players_(self: Any, s: Pile) -> int:
        return min(s.left, 2)

    assert not check(changed(actions=actions, players_=players_)).remarks  # a helper that is called

    def show_(self: Any, s: Pile) -> str:
        return f"{self.title_} {s.left}"

    def used(self: Any) -> str:
        return str(self.show_(self.start()))

    assert not check(changed(show_=show_, used=used, title_="pile")).remarks  # what a helper of one's own uses
    assert not check(changed(state=answer, stake=answer, plate=answer, spade=answer, seat=answer, turned_=answer)).remarks
    for name in ("turn", "shown", "ask", "entires", "hand", "score", "after", "moved"):  # none is close, or it says nothing without `stage`
        check(changed(**{name: answer}))
    check(changed(player=of_a_state, player_=answer))  # what it looks like is there


def test_misspelt_declarations_of_games_given_by_replies() -> None:
    blotto = type(game_called("blotto.Blotto"))
    misspelt = type("Misspelt", (blotto,), {"show_rows": answer})
    with pytest.raises(zermelo.RulesError, match="`show_rows` is no part of the language of rules: did you mean `show_row`"):
        zermelo.solve(misspelt())
    only_one = {n: v for n, v in vars(blotto).items() if n in ("rows", "columns", "payoff")} | {"best_colum": answer}
    with pytest.raises(zermelo.RulesError, match=r"did you mean `best_column`\?"):
        check(type("Misspelt", (NamedTuple("Base", [("n", int)]),), only_one)(3))  # noqa: UP014

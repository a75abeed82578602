"""What the catalogue holds: for every game its command, its class, one line about it, and its own tables and plots.

Reading this imports no game and no numerical package, so that `zermelo list` and `zermelo --help` are quick.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

NOTHING: Mapping[str, Any] = MappingProxyType({})


ALONE, RACES, BOARDS = "one player", "dice races for two", "board games"
CHANCE, HIDDEN = "chance alone", "both choose at once, or see not everything"
KINDS = (ALONE, RACES, BOARDS, CHANCE, HIDDEN)


class Entry(NamedTuple):
    """A game of the catalogue."""

    command: str  # its name on the command line
    kind: str  # the heading under which `zermelo list` has it
    home: str  # module of its class
    class_name: str
    doc: str  # one line
    views: str | None = None  # module with its own TABLES and FIGURES
    preset: Mapping[str, Any] = NOTHING  # parameters that this entry fixes
    play: str | None = None  # module with its own conversation, for a game with no states to play through
    first: Mapping[str, Any] = NOTHING  # parameters that the page begins with, where the defaults take minutes
    whole: str = ""  # in that case, what the defaults take
    name: str = ""  # as people write it, where the command is not the same in small letters

    @property
    def python_name(self) -> str:
        """Its name in `zermelo.games`: TicTacToe for tic-tac-toe."""
        return "".join(word.capitalize() for word in self.command.split("-"))

    @property
    def title(self) -> str:
        """Its name for people: "Left-Center-Right"."""
        return self.name or self.command.replace("-", " ").capitalize()

    def game_class(self) -> type:
        """The class of the game, whose module is imported now."""
        return getattr(importlib.import_module(self.home), self.class_name)

    def views_module(self) -> ModuleType | None:
        """The module with the game's own tables and pictures; None if it has none."""
        return importlib.import_module(self.views) if self.views else None


ENTRIES = (
    Entry(
        "card-draw",
        ALONE,
        "zermelo.games.card_draw",
        "CardDraw",
        "draw red (+$1) and black (-$1) cards until you stop",
        "zermelo.games.card_draw_views",
    ),
    Entry(
        "solitaire-pig",
        ALONE,
        "zermelo.games.solitaire_pig",
        "SolitairePig",
        "one turn of Pig: roll for the most points, a 1 loses all",
        "zermelo.games.solitaire_pig_views",
        name="Solitaire Pig",
    ),
    Entry(
        "pig",
        RACES,
        "zermelo.games.pig",
        "Pig",
        "the dice race for two: hold or roll again?",
        "zermelo.games.pig_views",
    ),
    Entry(
        "piglet",
        RACES,
        "zermelo.games.pig",
        "Piglet",
        "Pig with a coin",
        "zermelo.games.pig_views",
    ),
    Entry(
        "exact-pig",
        RACES,
        "zermelo.games.exact_pig",
        "ExactPig",
        "Pig to a goal that must be hit exactly",
        "zermelo.games.exact_pig_views",
        name="Exact Pig",
    ),
    Entry(
        "fewest-turns",
        ALONE,
        "zermelo.games.fewest_turns",
        "FewestTurns",
        "Pig alone: a target in the fewest turns",
        name="Pig in the fewest turns",
    ),
    Entry(
        "hog",
        RACES,
        "zermelo.games.hog",
        "Hog",
        "the dice race in turns: how many dice at once?",
        "zermelo.games.hog_views",
    ),
    Entry(
        "ten-thousand",
        ALONE,
        "zermelo.games.ten_thousand",
        "TenThousand",
        "one turn of Ten Thousand (Zilch, Farkle) with five dice",
        "zermelo.games.ten_thousand_views",
        name="Ten Thousand, one turn",
    ),
    Entry(
        "ten-thousand-house",
        ALONE,
        "zermelo.games.ten_thousand_house",
        "TenThousandHouse",
        "one turn by your house rules: straights, pairs, an entry",
        "zermelo.games.ten_thousand_house_views",
        name="Ten Thousand by house rules, one turn",
    ),
    Entry(
        "ten-thousand-turns",
        ALONE,
        "zermelo.games.ten_thousand_turns",
        "TenThousandTurns",
        "Ten Thousand or Farkle alone: a target in the fewest turns",
        name="Ten Thousand in the fewest turns",
    ),
    Entry(
        "ten-thousand-race",
        RACES,
        "zermelo.games.ten_thousand_race",
        "TenThousandRace",
        "Ten Thousand as a race for two",
        "zermelo.games.ten_thousand_race_views",
        first=MappingProxyType({"goal": 60}),
        whole="to 200 chips, as many as 10,000 points, about a minute",
        name="Ten Thousand",
    ),
    Entry(
        "house-race",
        RACES,
        "zermelo.games.house_race",
        "HouseRace",
        "the same race by your house rules: straights, pairs, an entry",
        name="Ten Thousand by house rules, a race",
    ),
    Entry(
        "farkle",
        RACES,
        "zermelo.games.ten_thousand_race",
        "TenThousandRace",
        "Farkle with six dice, the race for two",
        "zermelo.games.ten_thousand_race_views",
        preset=MappingProxyType({"dice": 6}),
        first=MappingProxyType({"goal": 60}),
        whole="to 200 chips, as many as 10,000 points, about a minute",
    ),
    Entry(
        "gobblet",
        BOARDS,
        "zermelo.games.gobblet",
        "GobbletGobblers",
        "tic-tac-toe with pieces that swallow smaller ones",
        "zermelo.views.board_tables",
        first=MappingProxyType({"sizes": 2, "per_size": 2}),
        whole="341 million positions, some minutes and about a gigabyte of memory",
        name="Gobblet Gobblers",
    ),
    Entry(
        "tic-tac-toe",
        BOARDS,
        "zermelo.games.gobblet",
        "GobbletGobblers",
        "three in a row: Gobblet with one size and no moving",
        "zermelo.views.board_tables",
        MappingProxyType({"sizes": 1, "per_size": 5, "moving": False}),
        name="Tic-tac-toe",
    ),
    Entry(
        "connect-four",
        BOARDS,
        "zermelo.games.connect_four",
        "ConnectFour",
        "four in a line on small boards",
        "zermelo.views.board_tables",
        name="Connect Four",
    ),
    Entry(
        "dodgem",
        BOARDS,
        "zermelo.games.dodgem",
        "Dodgem",
        "drive your cars off the board, in each other's way",
        "zermelo.views.board_tables",
    ),
    Entry(
        "left-center-right",
        CHANCE,
        "zermelo.games.left_center_right",
        "LeftCenterRight",
        "dice of pure chance: who keeps the last chips?",
        "zermelo.games.seat_views",
        name="Left-Center-Right",
    ),
    Entry(
        "dreidel",
        CHANCE,
        "zermelo.games.dreidel",
        "Dreidel",
        "the spinning top: how long, and is it fair?",
        "zermelo.games.dreidel_views",
    ),
    Entry(
        "coin-patterns",
        CHANCE,
        "zermelo.games.coin_patterns",
        "CoinPatterns",
        "HH or HT: which turns up more often in 100 flips?",
        "zermelo.games.coin_patterns_views",
    ),
    Entry(
        "hog-simultaneous",
        HIDDEN,
        "zermelo.games.hog_simultaneous",
        "HogSimultaneous",
        "how many dice at once? Both choose hidden from each other",
        "zermelo.games.hog_simultaneous_views",
        name="Hog, both choosing at once",
    ),
    Entry(
        "kuhn-poker",
        HIDDEN,
        "zermelo.games.kuhn_poker",
        "KuhnPoker",
        "a card each, one bet: how often to bluff?",
    ),
    Entry(
        "one-card-poker",
        HIDDEN,
        "zermelo.games.kuhn_poker",
        "KuhnPoker",
        "Kuhn poker with thirteen cards",
        name="One-card poker",
        preset=MappingProxyType({"cards": 13}),
    ),
    Entry(
        "leduc-poker",
        HIDDEN,
        "zermelo.games.leduc_poker",
        "LeducPoker",
        "two rounds of betting around a card on the table",
    ),
    Entry(
        "liars-dice",
        HIDDEN,
        "zermelo.games.liars_dice",
        "LiarsDice",
        "dice under cups: claim more, or call it a lie",
        name="Liar's Dice",
    ),
    Entry(
        "holdem-river",
        HIDDEN,
        "zermelo.games.holdem_river",
        "HoldemRiver",
        "Texas Hold'em after the last card: two ranges, a pot, bets",
        name="Texas Hold'em, the river",
    ),
    Entry(
        "goofspiel",
        HIDDEN,
        "zermelo.games.goofspiel",
        "Goofspiel",
        "bid cards for prizes, and show none of them",
    ),
    Entry(
        "inspection",
        HIDDEN,
        "zermelo.games.inspection",
        "Inspection",
        "on which days does the inspector come?",
    ),
    Entry(
        "battleship",
        HIDDEN,
        "zermelo.games.battleship",
        "Battleship",
        "hidden ships on a tiny board",
    ),
    Entry(
        "lemonade",
        ALONE,
        "zermelo.games.lemonade",
        "LemonadeStand",
        "Lemonade Stand: glasses, signs and a price, day by day",
        "zermelo.games.lemonade_views",
        name="Lemonade Stand",
    ),
    Entry(
        "robot-maze",
        ALONE,
        "zermelo.games.robot",
        "RobotMaze",
        "drive a robot out of a maze: wheels slip, turns miss",
        "zermelo.games.robot_views",
    ),
    Entry(
        "binary-search",
        HIDDEN,
        "zermelo.games.binary_search",
        "BinarySearch",
        "guess a number that somebody hides on purpose",
        "zermelo.games.binary_search_views",
        play="zermelo.games.binary_search_play",
    ),
    Entry(
        "guess-number",
        ALONE,
        "zermelo.games.guess_number",
        "GuessNumber",
        "find a hidden number: what does each guess cost?",
        name="Guess a number",
    ),
)

BLACKJACK = "tables of blackjack, each hand and shoe to the last digit"  # has its own commands: zermelo blackjack

COMMANDS = {entry.command: entry for entry in ENTRIES}


def views_of(game: Any) -> ModuleType | None:
    """The module with this game's own tables and plots, if the catalogue has one."""
    entry = entry_of(game)
    return entry.views_module() if entry else None


def play_of(game: Any) -> ModuleType | None:
    """The module with this game's own conversation, if it has one."""
    entry = entry_of(game)
    return importlib.import_module(entry.play) if entry and entry.play else None


def entry_of(game: Any) -> Entry | None:
    """The first entry of this game's class; `game` may be the class itself."""
    game_class = game if isinstance(game, type) else type(game)
    home, name = game_class.__module__, game_class.__name__
    return next((e for e in ENTRIES if (e.home, e.class_name) == (home, name)), None)

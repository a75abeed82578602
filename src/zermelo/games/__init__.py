"""The catalogue: games written only against the public names of Zermelo, each short enough to be read as a tutorial.

`from zermelo.games import Pig, TicTacToe`. Every game of `zermelo list` is found here under its name there; `blackjack` is
a module of its own. The states of a game are `Pig.State`. Classes are imported when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.games import blackjack as blackjack
    from zermelo.games.battleship import Battleship as Battleship
    from zermelo.games.binary_search import BinarySearch as BinarySearch
    from zermelo.games.card_draw import CardDraw as CardDraw
    from zermelo.games.coin_patterns import CoinPatterns as CoinPatterns
    from zermelo.games.connect_four import ConnectFour as ConnectFour
    from zermelo.games.dodgem import Dodgem as Dodgem
    from zermelo.games.dreidel import Dreidel as Dreidel
    from zermelo.games.exact_pig import ExactPig as ExactPig
    from zermelo.games.fewest_turns import FewestTurns as FewestTurns
    from zermelo.games.gobblet import GobbletGobblers as GobbletGobblers
    from zermelo.games.gobblet import TicTacToe as TicTacToe
    from zermelo.games.goofspiel import Goofspiel as Goofspiel
    from zermelo.games.guess_number import GuessNumber as GuessNumber
    from zermelo.games.hog import Hog as Hog
    from zermelo.games.hog_simultaneous import HogSimultaneous as HogSimultaneous
    from zermelo.games.holdem_river import HoldemRiver as HoldemRiver
    from zermelo.games.house_race import HouseRace as HouseRace
    from zermelo.games.inspection import Inspection as Inspection
    from zermelo.games.kuhn_poker import KuhnPoker as KuhnPoker
    from zermelo.games.kuhn_poker import OneCardPoker as OneCardPoker
    from zermelo.games.leduc_poker import LeducPoker as LeducPoker
    from zermelo.games.left_center_right import LeftCenterRight as LeftCenterRight
    from zermelo.games.lemonade import LemonadeStand as LemonadeStand
    from zermelo.games.liars_dice import LiarsDice as LiarsDice
    from zermelo.games.pig import Pig as Pig
    from zermelo.games.pig import Piglet as Piglet
    from zermelo.games.robot import RobotMaze as RobotMaze
    from zermelo.games.solitaire_pig import SolitairePig as SolitairePig
    from zermelo.games.ten_thousand import TenThousand as TenThousand
    from zermelo.games.ten_thousand_house import TenThousandHouse as TenThousandHouse
    from zermelo.games.ten_thousand_race import Farkle as Farkle
    from zermelo.games.ten_thousand_race import TenThousandRace as TenThousandRace
    from zermelo.games.ten_thousand_turns import TenThousandTurns as TenThousandTurns

    Gobblet, Lemonade = GobbletGobblers, LemonadeStand

_HOME_OF = {
    "Battleship": "battleship",
    "BinarySearch": "binary_search",
    "CardDraw": "card_draw",
    "CoinPatterns": "coin_patterns",
    "ConnectFour": "connect_four",
    "Dodgem": "dodgem",
    "Dreidel": "dreidel",
    "ExactPig": "exact_pig",
    "Farkle": "ten_thousand_race",
    "FewestTurns": "fewest_turns",
    "GobbletGobblers": "gobblet",
    "Goofspiel": "goofspiel",
    "GuessNumber": "guess_number",
    "Hog": "hog",
    "HogSimultaneous": "hog_simultaneous",
    "HoldemRiver": "holdem_river",
    "HouseRace": "house_race",
    "Inspection": "inspection",
    "KuhnPoker": "kuhn_poker",
    "LeducPoker": "leduc_poker",
    "LeftCenterRight": "left_center_right",
    "LemonadeStand": "lemonade",
    "LiarsDice": "liars_dice",
    "OneCardPoker": "kuhn_poker",
    "Pig": "pig",
    "Piglet": "pig",
    "RobotMaze": "robot",
    "SolitairePig": "solitaire_pig",
    "TenThousand": "ten_thousand",
    "TenThousandHouse": "ten_thousand_house",
    "TenThousandRace": "ten_thousand_race",
    "TenThousandTurns": "ten_thousand_turns",
    "TicTacToe": "gobblet",
}
_OTHER_NAMES = {"Gobblet": "GobbletGobblers", "Lemonade": "LemonadeStand"}  # those of the command line

__all__ = [*_HOME_OF, *_OTHER_NAMES, "blackjack"]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name == "blackjack":
        return importlib.import_module("zermelo.games.blackjack")
    name_there = _OTHER_NAMES.get(name, name)
    if name_there not in _HOME_OF:
        raise AttributeError(f"module 'zermelo.games' has no attribute {name!r}")
    return getattr(importlib.import_module(f"zermelo.games.{_HOME_OF[name_there]}"), name_there)


def __dir__() -> list[str]:
    return sorted(__all__)

"""The table of declarations: what derives from it agrees with it, and the hashes of rules stay what they were."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo import games
from zermelo.language.source import rules_hash

EXAMPLES = Path(__file__).parent.parent / "examples"

# Stored solutions and checkpoints name the rules that they belong to by these hashes: they stay for as long as the rules do.
HASHES = {
    "Pig": "673dd8d9e5570b867f507e51ce29e12561611edb9cd6c66dae0bc9726ea74ff5",
    "CardDraw": "27d1363ae14fb6726662d7073d971ec4aa21100bb514f4ff0498c9a0e3f58ec4",
    "BinarySearch": "d4b3942fafee33c002b7ab2016423e9b2a62897fbcf087ad51f74250e9c32294",
    "Dreidel": "62d8b6c77ffb9050d9a0eb98bfedf953146408d25b7ef40d066f8f9b5be3e604",
    "ExactPig": "8bc5d654bd8e7ec8d163279ac8036b238eada8b5028294b0bde246119e2b7f7f",
    "GobbletGobblers": "ae5c0174458b6d008775395d9099bd51a6a800bb1b99373997a60dec811bf179",
    "HogSimultaneous": "49624b5accd844393c4b1728518338883ce6f8d41eb9971af00f643d7512496f",
    "LemonadeStand": "1ac662ba3e7ea8305851a840272a894030f9e1e044bae9868e8bfd32be934f5d",
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
    spec = importlib.util.spec_from_file_location(file, EXAMPLES / f"{file}.py")
    assert spec is not None and spec.loader is not None
    sys.modules[file] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, game)()


@pytest.mark.parametrize("name", HASHES)
def test_the_hashes_of_rules_have_not_changed(name: str) -> None:
    assert rules_hash(game_called(name)) == HASHES[name]

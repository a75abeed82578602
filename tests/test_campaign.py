"""The campaign of damage and death, in small; in full it is slow."""

from __future__ import annotations

import pytest

import campaign


def check(flips: int, kills: int) -> None:
    for what, ended in campaign.main(flips, kills).items():
        assert all(end.startswith(("right", "refused", "replaced", "saving", "compiling", "sweeping")) for end in ended), (what, ended)


def test_in_small() -> None:
    check(46, 3)


@pytest.mark.slow
def test_in_full() -> None:
    check(2000, 100)

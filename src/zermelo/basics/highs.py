"""HiGHS, silent: standard output belongs to the answers."""

from __future__ import annotations

import highspy


class _Silent(highspy.Highs):
    """Its first call prints who it is (1.16: from within the constructor), unless it has been told before not to."""

    def enableCallbacks(self) -> None:
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


def linear_program(**options: bool | float | str) -> highspy.Highs:
    """An empty linear program for one thread, with these options of HiGHS."""
    highs = _Silent()
    for option, setting in {"output_flag": False, "threads": 1, **options}.items():
        highs.setOptionValue(option, setting)
    return highs

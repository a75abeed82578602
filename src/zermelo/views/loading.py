"""matplotlib, which is loaded for the first picture. Where it can't write the folder in which it keeps what it knows of fonts, it says so
in two long lines of its own; here it is told in one."""

from __future__ import annotations

import sys
from typing import Any

from zermelo.basics.notices import notify
from zermelo.basics.raise_in import load

OF_THE_FOLDER = ("mkdir -p failed", "%s is not a writable directory", "Matplotlib created a temporary cache directory")


def load_matplotlib() -> None:
    """Load what every picture needs."""
    if "matplotlib.figure" in sys.modules:
        return
    import logging

    log, told = logging.getLogger("matplotlib"), list[bool]()

    def is_other(record: Any) -> bool:
        told.append(str(record.msg).startswith(OF_THE_FOLDER))
        return not told[-1]

    log.addFilter(is_other)
    try:
        load("matplotlib.figure")
    finally:
        log.removeFilter(is_other)
    if any(told):
        notify("matplotlib can't write its folder, so that the first picture of every process takes longer: MPLCONFIGDIR names another one")

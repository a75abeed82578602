"""Whole numbers between the server and a page: JavaScript reads JSON numbers as floats, so larger ones are sent as text."""

from __future__ import annotations

import re
from typing import Any

LARGEST = 2**53 - 1  # up to here floats are exact, and so is JSON in a browser
TEXT = re.compile(r"-?[0-9]{1,1000}", re.ASCII)


def whole(sent: Any) -> Any:
    """The whole number beyond `LARGEST` that a text such as "9007199254740993" stands for; anything else, including "7", unchanged."""
    meant = int(sent) if isinstance(sent, str) and TEXT.fullmatch(sent) else 0
    return meant if abs(meant) > LARGEST else sent

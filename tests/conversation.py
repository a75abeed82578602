"""A conversation with `zermelo play`, as if a person typed."""

from __future__ import annotations

from zermelo.views.play import converse


def talk(session, *words):
    """What is said in a conversation in which the person types these words and then ends the input."""
    said, left = [], list(words)

    def read(_):
        if not left:
            raise EOFError
        return left.pop(0)

    converse(session, read, lambda text="": said.append(text))
    return "\n".join(said)

"""Copies and pickles of solutions. Copies share the answer, which nobody changes. What an answer holds (modules of rules, machine code,
maps of files) can't be pickled, but the file that `save` writes can, with the game."""

from __future__ import annotations

from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from zermelo.errors import FileError


class CopiedAsFile:
    """A solution that is pickled, and so sent to other processes, as its file."""

    answers: Any
    game: Any

    def __copy__(self) -> Self:
        return type(self)(self.answers)  # type: ignore[call-arg]

    def __deepcopy__(self, copied: dict[int, Any]) -> Self:
        return copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / FILE
            self.save(path)  # type: ignore[attr-defined]
            return _from_file, (type(self), path.read_bytes(), self.game)


FILE = "solution.zermelo"


def _from_file(kind: type[Any], content: bytes, game: Any) -> Any:
    from zermelo.uses.files import opened  # imported here, as in `save`, so that solving starts without the file codecs

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a file that is mapped can't be removed everywhere
        path = Path(folder) / FILE
        path.write_bytes(content)
        try:
            return kind(opened(path, game, verify=True))
        except FileError as error:  # the rules have changed
            raise FileError(str(error).replace(str(path), "the pickled solution")) from None

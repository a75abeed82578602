"""Classes of games on machines that do not have their files: a user's own module is sent as its text."""

from __future__ import annotations

import importlib
import linecache
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.sources import HOME
from zermelo.errors import OutOfReach

INSTALLED = (HOME, *(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")))


class Shipped(NamedTuple):
    """A class in a form from which another machine can recreate it."""

    module: str
    name: str
    file: str = ""
    text: str | None = None  # the text of its module; None for a module that is installed on every machine
    rules: str = ""  # the hash of its rules, and of all files that they use; "" for such a module


def shipped(chosen: type, hash_of: Callable[[type], str]) -> Shipped:
    """A class in a form that can be sent; `hash_of` : the hash of its rules. Raises `OutOfReach` for a class that was not read from a file,
    and what `hash_of` raises if the file has changed since."""
    module = sys.modules.get(chosen.__module__)
    file = getattr(module, "__file__", None)
    name = chosen.__qualname__
    if module is None or file is None or getattr(module, name, None) is not chosen:
        raise OutOfReach(
            f"{chosen.__name__} was not read from a Python file, so that other machines can't have it: write it to one "
            "(a model: zermelo translate), and name it FILE.py:Class"
        )
    path = Path(file).resolve()
    if any(path.is_relative_to(home) for home in INSTALLED):
        return Shipped(module.__name__, name)
    known = f"{path.stem}_of_user" if module.__name__ == "__main__" else module.__name__
    return Shipped(known, name, str(path), "".join(linecache.getlines(str(file))), hash_of(chosen))


def received(sent: Shipped, hash_of: Callable[[type], str]) -> Any:
    """The class that was sent, in a process of any machine. Raises `OutOfReach` if a file that it imports is missing there, or another
    one."""
    if sent.text is None:
        return getattr(importlib.import_module(sent.module), sent.name)
    module = sys.modules.get(sent.module)
    if module is None or getattr(module, "__zermelo_text__", None) != sent.text:
        try:
            module = _made(sent.module, sent.file, sent.text)
            if hash_of(getattr(module, sent.name)) != sent.rules:
                raise ImportError("they are not those of the machine that asked")
        except Exception as error:
            del sys.modules[sent.module]
            why = " ".join(str(error).split()) or type(error).__name__
            raise OutOfReach(
                f"{os.uname().nodename} has other rules of {sent.name} ({why}): files that {Path(sent.file).name} imports must be there, "
                "and be the same on all machines of the cluster"
            ) from None
    return getattr(module, sent.name)


def _made(name: str, file: str, text: str) -> types.ModuleType:
    """A module with this text, from which its source is read."""
    module = types.ModuleType(name)
    module.__dict__.update(__file__=file, __zermelo_text__=text)
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    sys.modules[name] = module
    sys.path.insert(0, str(Path(file).parent))  # for neighbouring modules that it imports, if they exist
    try:
        exec(compile(text, file, "exec"), module.__dict__)
    finally:
        sys.path.pop(0)
    return module

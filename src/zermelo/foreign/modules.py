"""The text of a game -> its class, as if the text were a file of the user's."""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
import types


def class_from(text: str, class_name: str, stem: str, said: str) -> type:
    """The class of this name in a text of rules. The module's name begins with `stem`; `said` is the name of the text in errors."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    name = f"{re.sub(r'[^A-Za-z0-9]', '_', stem)}_{digest}"
    module = types.ModuleType(name)
    module.__file__ = file = f"<{said}, {digest}>"  # different for each text, since sources are looked up by it
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[name] = module
    exec(compile(text, file, "exec"), module.__dict__)
    made: type = getattr(module, class_name)
    return made

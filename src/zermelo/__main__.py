"""`python -m zermelo`: the command line, where the program `zermelo` is not on the path."""

import os
import sys
from contextlib import suppress

if __name__ == "__main__":
    with suppress(OSError):  # the folder has been deleted
        if sys.path[:1] == [os.getcwd()]:
            del sys.path[0]  # a file random.py there is a game, and none of the libraries that are loaded from here on
    from zermelo.cli import main

    sys.exit(main())

"""`python -m zermelo`: the command line, where the program `zermelo` is not on the path."""

import sys

from zermelo.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m zermelo.cli`: the command `zermelo`, if it is not on the path."""

import sys

from zermelo.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m metrics`: the command line, which is in `metrics.trec.command_line`."""

import sys

from .trec.command_line import main

if __name__ == "__main__":
    sys.exit(main())

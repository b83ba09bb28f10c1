"""The command line, run as `python -m metrics`; its code is in `metrics.trec.command_line`."""

import sys

try:
    from .trec.command_line import main
except KeyboardInterrupt:  # while it loads
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())

"""An older name of `metrics.exact.definitions`, which goes on working."""

import sys

from .exact import definitions

sys.modules[__name__] = definitions

"""The module `metrics.exact.definitions` itself, under the name `metrics.definitions`."""

import sys

from .exact import definitions

sys.modules[__name__] = definitions

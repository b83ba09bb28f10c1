"""`import metrics.definitions`: the module `metrics.exact.definitions` itself."""

import sys

from .exact import definitions

sys.modules[__name__] = definitions

"""The module `metrics.exact.definitions` itself, as `import metrics.definitions`."""

import sys

from .exact import definitions

sys.modules[__name__] = definitions

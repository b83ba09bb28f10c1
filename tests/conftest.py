"""Settings that all tests share."""

import os
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "_build"
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(BUILD / ".hypothesis"))

from hypothesis import settings  # noqa: E402

# The same examples at every run: a failure on one machine is a failure on every machine.
settings.register_profile("book", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("book")

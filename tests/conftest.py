"""Settings that all tests share."""

import os
import random
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "_build"
collect_ignore = ["typed_script.py"]  # test_types.py runs it
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(BUILD / ".hypothesis"))

import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

# The same examples at every run: a failure on one machine is a failure on every machine.
settings.register_profile("book", derandomize=True, deadline=None)
settings.load_profile("book")


def pytest_collection_modifyitems(items):
    """The examples of the package tell an author something, too; those of the data take long. SHUFFLED=7 puts all in another order."""
    if seed := os.environ.get("SHUFFLED"):
        chance = random.Random(seed)
        of_file = {item.path: chance.random() for item in sorted(items, key=lambda item: item.nodeid)}  # their fixtures are made once
        items.sort(key=lambda item: (of_file[item.path], chance.random()))
    for item in items:
        if "metrics" in item.path.relative_to(BUILD.parent).parts[:1] and item.path.name != "iset_1001.py":
            item.add_marker(pytest.mark.check)


@pytest.fixture
def piped():
    """What makes a pipe of a text: the name of its end."""
    ends = []

    def pipe(text):
        end, written = os.pipe()
        os.write(written, text)
        os.close(written)
        ends.append(end)
        return f"/dev/fd/{end}"

    yield pipe
    for end in ends:
        os.close(end)

"""What the tests of `metrics.trec` share: its settings, and a command that is typed."""

import contextlib
import io
from importlib import import_module

from metrics.trec.command_line import main

NAMES = "documents lines noticed files parsing tables forms source ranking evaluation"
MODULES = [import_module(f"metrics.trec.{name}") for name in NAMES.split()]


def everywhere(patch, **values):
    """Set a name in each module that has it."""
    for name, value in values.items():
        having = [module for module in MODULES if hasattr(module, name)]
        assert having, name
        for module in having:
            patch.setattr(module, name, value)


def typed(*words):
    """What is printed, what is said beside it, and the exit code."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as exit:
            code = exit.code
    return out.getvalue(), err.getvalue(), code

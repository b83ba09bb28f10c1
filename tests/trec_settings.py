"""How much of a file is read at a time, and by what: settings of `metrics.trec`, which several of its modules have."""

from importlib import import_module

NAMES = "documents lines files parsing source ranking evaluation"
MODULES = [import_module(f"metrics.trec.{name}") for name in NAMES.split()]


def everywhere(patch, **values):
    """Set a name in each module that has it."""
    for name, value in values.items():
        having = [module for module in MODULES if hasattr(module, name)]
        assert having, name
        for module in having:
            patch.setattr(module, name, value)

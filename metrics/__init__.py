"""Ranking metrics computed from hit positions: the NumPy side of the book "Precision, Recall, and All That".

NumPy is loaded when a function that needs it is first asked for, so that `metrics.exact`
also runs where NumPy is not installed.
"""

import re
from contextlib import suppress
from functools import cache
from importlib import import_module

__version__ = "0.2.0"

# The modules whose `__all__` is public, in the order of the reference. Type checkers read the same in __init__.pyi.
MODULES = (
    "hits", "sets", "cutoff", "curve", "areas", "order", "gain", "readers", "long_tail", "rank_correlation", "judges", "catalogue", "diversity",
    "inputs.flat", "inputs.frames", "inputs.groups", "inputs.scores", "names.measures", "topics.means", "topics.significance", "topics.totals",
)  # fmt: skip
NAMESPACES = {
    "claims": "exact.claims",
    "definitions": "exact.definitions",
    "plots": "plots",
    "premise_selection": "premise_selection",
    "ties": "ties",
    "trec": "trec",
    "trec_names": "names.trec_names",
}


@cache
def module_of():
    """Return the module of each public name; source files are read, not imported, because most modules load NumPy."""
    return {name: module for module in MODULES for name in listed(module)}


def listed(module):
    """The names in the `__all__` of a module or package."""
    for path in (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py"):
        with suppress(OSError):
            return re.findall(r'"(\w+)"', re.search(rb"^__all__ = \[([^]]*)\]", __loader__.get_data(f"{__path__[0]}/{path}"), re.MULTILINE)[1].decode())
    return import_module(f".{module}", __name__).__all__  # only compiled modules are installed



def __getattr__(name):
    if name in ("MODULE_OF", "__all__"):
        value = module_of() if name == "MODULE_OF" else [*NAMESPACES, *module_of()]
    elif name[:1] == "_":
        raise AttributeError(f"module 'metrics' has no attribute {name!r}")
    elif name in NAMESPACES:
        value = import_module(f".{NAMESPACES[name]}", __name__)
    elif name in module_of():
        value = getattr(import_module(f".{module_of()[name]}", __name__), name)
    else:
        instead = called_here(name)
        raise AttributeError(f"module 'metrics' has no attribute {name!r}" + f": here it is {instead}" * bool(instead), name=name)
    globals()[name] = value
    return value


def called_here(name):
    """The call to use here instead of another library's function; empty if none is known."""
    try:
        return import_module(".names.explanations", __name__).instead_of(name)
    except ImportError:  # there is no NumPy
        return ""


def __dir__():
    return sorted([*NAMESPACES, *module_of(), "__all__", "__version__", "__doc__", "__path__"])

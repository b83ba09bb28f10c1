"""A pytest plugin: run as on a processor without the instructions that NumPy picks at run time.

NumPy chooses faster code where the processor offers it, and the last bit of `log2` or `exp` then
differs. What the book prints must not. Used by `make test` as: pytest -p tools.plain_processor
"""

import os
import subprocess
import sys

import pytest

CHOSEN_AT_RUN_TIME = """
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
print(*(name for name in __cpu_dispatch__ if __cpu_features__[name]))
"""
SWITCH = "NPY_DISABLE_CPU_FEATURES"


def chosen_at_run_time():
    """The instruction sets that a NumPy started now, as a child of this process, would choose to use."""
    child = subprocess.run([sys.executable, "-c", CHOSEN_AT_RUN_TIME], capture_output=True, text=True, check=True)
    return child.stdout.split()


def pytest_configure(config):
    """Switch them off for every process started from here on: the workers, and the kernels that they start."""
    if hasattr(config, "workerinput"):
        return
    os.environ.pop(SWITCH, None)
    config.switched_off = chosen_at_run_time()
    if config.switched_off:
        os.environ[SWITCH] = " ".join(config.switched_off)
        left = chosen_at_run_time()
        if left:
            raise pytest.UsageError(f"NumPy still uses {', '.join(left)} although {SWITCH} names them")


def pytest_unconfigure(config):
    """Leave the environment as it was found."""
    if not hasattr(config, "workerinput"):
        os.environ.pop(SWITCH, None)


def pytest_report_header(config):
    """Say in pytest's first lines what was switched off."""
    names = getattr(config, "switched_off", None)
    return f"NumPy without {', '.join(names)}" if names else "NumPy has nothing to switch off on this machine"

"""A pytest plugin: run as on a processor without the instructions that NumPy picks at run time.

NumPy chooses faster code where the processor offers it, and the last bit of `log2` or `exp` then
differs. What the book prints must not. Used by `make test` as: pytest -p tools.plain_processor
"""

import os

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__


def pytest_configure():
    """Switch the instructions off for every process started from here on: the workers, and the kernels that they start."""
    os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", " ".join(name for name in __cpu_dispatch__ if __cpu_features__[name]))


def pytest_report_header():
    """Say in pytest's first lines what was switched off."""
    return f"NumPy without {os.environ['NPY_DISABLE_CPU_FEATURES'] or 'anything switched off'}"

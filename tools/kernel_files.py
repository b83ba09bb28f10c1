"""A pytest plugin for nbval: kernels are spoken to through files and not through ports, where the system can do that.

Ports are drawn before the kernel takes them. Of two kernels that start at the same moment, one may thus find a port taken;
if it is the one for outputs, the kernel lives and is never heard. Used by `make test` as: pytest -p tools.kernel_files
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import zmq
from jupyter_client.manager import KernelManager
from nbval import kernel

FOLDER = TemporaryDirectory(prefix="kernels-")  # of this process alone; its name is short, for such paths may have 100 letters


def with_files(**settings):
    """A manager whose kernel has its sockets in FOLDER."""
    return KernelManager(transport="ipc", ip=str(Path(FOLDER.name) / "kernel"), **settings)


def pytest_configure():
    """Have nbval start its kernels so."""
    if zmq.has("ipc"):
        kernel.KernelManager = with_files

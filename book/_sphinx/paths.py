"""Where the project and what is made of it lie. Only the standard library is used here: the commands ask before anything is installed."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "_build"
HTML = BUILD / "html"
NO_BROWSER = "No Chromium on the PATH. On Debian: apt-get install chromium-headless-shell"


def chromium():
    """The path of Chromium, or None. The one without windows takes half the time for a page."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")

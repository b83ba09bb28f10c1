"""Where the project and what is made of it lie. Only the standard library is used here: the commands ask before anything is installed."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "_build"
HTML = BUILD / "html"

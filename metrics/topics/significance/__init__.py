"""How sure you can be that systems differ: paired tests, intervals, and a table of many systems."""

from .comparison import TESTS as TESTS, Comparison as Comparison, compare as compare
from .many_systems import CORRECTIONS as CORRECTIONS, Leaderboard as Leaderboard, leaderboard as leaderboard

__all__ = ["compare", "leaderboard"]

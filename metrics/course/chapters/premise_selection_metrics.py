"""The metrics of premise selection: votes."""

VOTES = ()

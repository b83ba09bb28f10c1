"""The metrics disagree: votes."""

VOTES = ()

"""The long tail: votes."""

VOTES = ()

"""Does it replicate?: votes."""

VOTES = ()

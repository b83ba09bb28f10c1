"""From one machine to many: votes."""

VOTES = ()

"""A library as data: votes."""

VOTES = ()

"""Seven predictors: votes."""

VOTES = ()

"""The foundation: the checks of every function's arguments, and arrays, ids and scores before they become hits."""

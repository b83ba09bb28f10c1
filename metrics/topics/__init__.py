"""Many topics: means of a metric, totals that merge, and tests of whether a difference between systems is real."""

"""Many topics: means of a metric, totals that merge, and whether a difference between systems is real."""

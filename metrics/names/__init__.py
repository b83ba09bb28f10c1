"""The names that people use for metrics, from ir_measures and trec_eval, and a line about each metric."""

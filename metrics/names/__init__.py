"""The names of metrics: those of ir_measures and trec_eval, and others that people use; and an explanation of each metric."""

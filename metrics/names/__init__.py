"""The names that people have for metrics: of ir_measures, of trec_eval; and what each is in a line."""

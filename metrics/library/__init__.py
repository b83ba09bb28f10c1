"""The book's case study: two libraries of formal mathematics, and the predictors that rank their premises."""

"""Rankings in the forms that people have: data frames, groups of items, scores. (For arrays and lists of ids see `Hits`.)"""

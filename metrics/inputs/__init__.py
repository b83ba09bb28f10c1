"""Rankings in the forms in which people have them: data frames, groups of items, scores. (For arrays and lists of ids see `Hits`.)"""

"""What is ranked, in the forms that people have: data frames, groups of items, scores. (Arrays and lists of ids: `Hits`.)"""

"""What the columns of a run and of judgements are called, in files and in data frames; the first name that is there is taken."""

COLUMNS = {
    "query": ("query_id", "qid", "query", "topic"),
    "document": ("doc_id", "docno", "docid", "document", "item"),
    "score": ("score",),
    "grade": ("relevance", "grade", "label", "rel"),
}

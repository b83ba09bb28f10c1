"""What the columns of a run and of judgements are called, in files and in data frames; the first name that is there is taken."""

COLUMNS = {
    "query": ("query_id", "qid", "topic_id", "topic", "query"),
    "document": ("docno", "doc_id", "document_id", "corpus-id", "passage_id", "pid", "item_id", "document", "doc", "item"),
    "score": ("score",),
    "rank": ("rank",),
    "grade": ("relevance", "grade", "label", "rel"),
}

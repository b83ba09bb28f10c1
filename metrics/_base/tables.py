"""The names of the columns of runs and judgements, in files and in data frames; the first name found is used."""

COLUMNS = {
    "query": ("query_id", "qid", "topic_id", "topic", "query"),
    "document": ("docno", "doc_id", "document_id", "corpus-id", "passage_id", "pid", "item_id", "document", "doc", "item"),
    "score": ("score",),
    "rank": ("rank",),
    "grade": ("relevance", "grade", "label", "rel"),
}

"""The search puts the page first that somebody means, under whatever name they type."""

from browser.visits import visiting
from test_pages import book_folder, parsed

# What is typed -> the beginning of the first address.
FIRST = {
    "MAP": "book/average-precision.html", "mAP@k": "book/ap-at-k.html", "MRR": "book/order-and-auc.html", "reciprocal rank": "book/order-and-auc.html",
    "hit rate": "book/order-and-auc.html", "success@k": "book/order-and-auc.html", "top-k accuracy": "book/order-and-auc.html",
    "precision at 10": "book/from-sets-to-rankings.html#def-at-k", "F-measure": "book/f-and-e.html",
    "Jaccard": "book/f-and-e.html", "Dice": "book/f-and-e.html",
    "sensitivity": "book/precision-and-recall.html", "ROC": "book/order-and-auc.html#def-auc", "which metric for RAG": "book/which-metric.html",
    "metrics.compare": "book/is-the-difference-real.html", "average_precision": "book/average-precision.html", "A11": "book/average-precision.html#A11",
    "torchmetrics RetrievalMAP": "book/rosetta.html", "Worse than random": "book/average-precision.html", "Präzision": "book/precision-and-recall.html",
    "précision": "book/precision-and-recall.html", "<b>MAP</b>": "book/",
}  # fmt: skip


def test_each_question_has_its_page_first_and_every_name_leads_to_a_place_that_exists(visit):
    page = visit("search.html")
    first = {words: page.evaluate("words => findNames(words)[0]?.target ?? ''", words) for words in FIRST}
    longest = "all => Math.max(...all.map(words => { const begun = performance.now(); findNames(words); return performance.now() - begun; }))"
    assert page.evaluate(longest, list(FIRST)) < 300  # milliseconds
    assert {words: target for words, target in first.items() if not target.startswith(FIRST[words])} == {}
    targets = page.evaluate("[...new Set(NAMES.map(([, , target]) => target))]")
    assert len(targets) > 200 and lost(targets) == []


def lost(targets):
    """The addresses within the book that lead nowhere."""
    parts = [target.partition("#") for target in targets]
    return [page + mark + anchor for page, mark, anchor in parts if mark and anchor not in parsed(book_folder() / page).anchors]


def test_the_page_of_results_works_from_a_file_shows_names_first_each_target_once_and_first_words(browser):
    with visiting(browser, book_folder().as_uri() + "/") as visit:
        results = visit("search.html?q=MAP").locator("#search-results li")
        results.locator(".context:has-text('MAP')").nth(5).wait_for()
        targets = results.locator("> a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        assert targets[0].startswith("book/average-precision.html") and "MAP: see AP" in results.first.inner_text()
    assert len(targets) == len(set(targets)) > 15 and lost(targets) == []

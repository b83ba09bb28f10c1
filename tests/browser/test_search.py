"""The search puts the page first that somebody means, under whatever name they type."""

import pytest
from browser.visits import Visit
from test_pages import book_folder, html

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


@pytest.mark.xdist_group("search")
def test_each_question_has_its_page_first(browser, address):
    visit = Visit(browser, address, "search.html")
    first, slow = {}, {}
    find = "words => { const begun = performance.now(), [found] = findNames(words); return [found?.target ?? '', performance.now() - begun]; }"
    for words in FIRST:
        found = visit.page.evaluate(find, words)
        first[words], slow[words] = found
    assert {words: target for words, target in first.items() if not target.startswith(FIRST[words])} == {}
    assert max(slow.values()) < 300, slow
    visit.context.close()


@pytest.mark.xdist_group("search")
def test_the_page_of_results_shows_names_first_each_target_once(browser, address):
    visit = Visit(browser, address, "search.html?q=MAP")
    items = visit.page.locator("#search-results li > a")
    items.first.wait_for()
    assert items.first.get_attribute("href").startswith("book/average-precision.html")
    assert "MAP: see AP" in items.first.inner_text()
    targets = [item.get_attribute("href") for item in items.all()]
    assert len(targets) == len(set(targets)) > 3 and visit.troubles == []
    visit.context.close()


@pytest.mark.xdist_group("search")
def test_every_name_leads_to_a_place_that_exists(browser, address):
    visit = Visit(browser, address, "search.html")
    targets = visit.page.evaluate("[...new Set(NAMES.map(([, , target]) => target))]")
    visit.context.close()
    lost = []
    for target in targets:
        page, _, anchor = target.partition("#")
        path = book_folder() / page
        if not path.exists() or (anchor and f'id="{anchor}"' not in html(path)):
            lost.append(target)
    assert len(targets) > 200 and lost == []

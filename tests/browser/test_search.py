"""The search puts the page first that somebody means, under whatever name they type, and answers questions."""

import re
from urllib.parse import quote

import pytest
from browser.visits import violations
from test_pages import ROOT, book_folder, html, pages_of, parsed

from book._sphinx import sources

# What is typed -> the beginning of the first address.
FIRST = {
    "MAP": "book/average-precision.html", "mAP@k": "book/ap-at-k.html", "MRR": "book/order-and-auc.html", "reciprocal rank": "book/order-and-auc.html",
    "hit rate": "book/order-and-auc.html", "success@k": "book/order-and-auc.html", "top-k accuracy": "book/order-and-auc.html",
    "precision at 10": "book/from-sets-to-rankings.html#def-at-k", "F-measure": "book/f-and-e.html",
    "Jaccard": "book/f-and-e.html", "Dice": "book/f-and-e.html",
    "sensitivity": "book/precision-and-recall.html", "ROC": "book/order-and-auc.html#def-auc", "which metric for RAG": "book/which-metric.html",
    "metrics.compare": "book/is-the-difference-real.html", "average_precision": "book/average-precision.html", "A11": "book/average-precision.html#A11",
    "torchmetrics RetrievalMAP": "book/rosetta.html", "Worse than random": "book/average-precision.html", "Präzision": "book/precision-and-recall.html",
    "précision": "book/precision-and-recall.html", "lightgbm ndcg no relevant": "book/rosetta.html#rosetta-lightgbm-ndcg",
    "query without relevant items": "book/your-runs.html#what-a-topic-without", "<b>MAP</b>": "book/", "catboost": "book/rosetta.html#rosetta-catboost",
    "ties": "book/ties-and-samples.html", "ReProver recall@1": "book/premise-selection-metrics.html#what-do-todays-selectors",
    "Spearman": "book/rank-correlation.html#def-spearman-rho", "confidence interval": "book/is-the-difference-real.html",
    "knowledge graph completion": "book/order-and-auc.html#what-do-knowledge", "Brier": "book/f-and-e.html#are-the-probabilities",
    "Cohen's kappa": "book/judges-that-err.html#def-cohen-kappa", "LLM as a judge": "book/judges-that-err.html", "RAG evaluation": "book/judges-that-err.html",
    "interleaving": "book/readers-and-clicks.html", "position bias": "book/readers-and-clicks.html", "INST": "book/readers-and-clicks.html",
}  # fmt: skip
# A question -> the beginning of an address that answers it, as the first or the second result.
ANSWERED = {
    "how many queries do I need": "book/is-the-difference-real.html#how-large", "why is my ndcg different": "book/rosetta.html#where-they-disagree",
    "p-value": "book/is-the-difference-real.html#flip-the-signs", "missing judgments": "book/order-and-auc.html#what-does-bpref",
    "missing judgements": "book/order-and-auc.html#what-does-bpref", "roc auc vs pr auc": "book/order-and-auc.html#auc-against-ap",
    "random baseline": "book/average-precision.html#worst-random-best", "ragas context precision": "book/judges-that-err.html#language-models",
    "install": "book/how-to-use.html#running", "how to cite": "book/how-to-use.html#citing", "exercise solution": "book/how-to-use.html#reading",
    "coverage": "book/long-tail.html", "serendipity": "book/long-tail.html#coverage-and-novelty", "precison": "book/precision-and-recall.html",
    # written before anything was tuned:
    "what is a good MRR": "book/order-and-auc.html#which-rank-does-an-mrr", "how to handle ties": "book/ties-and-samples.html",
    "can I average AP over queries": "book/averaging.html", "precision at k vs recall at k": "book/from-sets-to-rankings.html",
    "zero relevant items": "book/your-runs.html#what-a-topic-without", "is my improvement statistically significant": "book/is-the-difference-real.html",
    "bonferroni multiple comparisons": "book/is-the-difference-real.html#many-comparisons", "is 0.3 a good MAP": "book/average-precision.html#worst-random",
    "MAP or NDCG": "book/which-metric.html", "when is accuracy misleading": "book/precision-and-recall.html#accuracy",
    "imbalanced classes": "book/precision-and-recall.html", "negative sampling evaluation": "book/ties-and-samples.html#ranking-against-a-sample",
    "which AP@k does my library compute": "book/ap-at-k.html", "how do I choose beta": "book/f-and-e.html#beta",
    "best threshold for F1": "book/f-and-e.html#which-items", "interpolated precision": "book/areas-under-the-curve.html",
    "can I trust an LLM judge": "book/judges-that-err.html#language-models", "homework": "book/teaching.html#homework",
    "run the code": "book/how-to-use.html#running",
    "graded relevance": "book/discounted-gain.html", "normalized discounted cumulative gain": "book/discounted-gain.html",
    "unjudged documents": "book/order-and-auc.html#what-does-bpref", "how fast is it": "book/speed.html", "compare two rankings": "book/rank-correlation.html",
    "catalog coverage": "book/long-tail.html", "normalised recal": "book/discounted-gain.html", "zzzunknown precision": "book/precision-and-recall.html",
}  # fmt: skip
THEIRS = {"MAP@10 of torchmetrics": "torchmetrics-ap-3", "sklearn ndcg_score": "scikit-learn-ndcg", "RecBole Recall@20": "recbole-recall-3",
          "mapk of Kaggle": "kaggle-ap-3", "LightGBM ndcg@10": "lightgbm-ndcg-3", "MRR@10 of MS MARCO": "ms-marco-rr-10"}  # fmt: skip


def test_each_name_has_its_page_first_each_question_one_of_the_first_two_and_all_lead_to_places_that_exist(visit):
    page = visit("search.html")
    found = {words: page.evaluate("words => findAnswers(words).hits.map(hit => hit.target)", words) for words in (*FIRST, *ANSWERED)}
    longest = "all => Math.max(...all.map(words => { const begun = performance.now(); findAnswers(words); return performance.now() - begun; }))"
    assert page.evaluate(longest, list(found)) < 300  # milliseconds
    assert {words: found[words][:1] for words, target in FIRST.items() if not "".join(found[words][:1]).startswith(target)} == {}
    assert {words: found[words][:2] for words, target in ANSWERED.items() if not any(each.startswith(target) for each in found[words][:2])} == {}
    targets = page.evaluate("[...new Set([...NAMES.map(([, , target]) => target), ...findAnswers('recall', 99).hits.map(hit => hit.target)])]")
    assert len(targets) > 350 and lost(targets) == []


def test_enough_sections_say_which_questions_they_answer():
    answering = [note for page in (ROOT / "book").glob("*.[im]*") for note in re.findall(r"^<!-- answers: .+ -->$", sources.prose(page), re.MULTILINE)]
    assert len(answering) > 60 and len(answering) == len(set(answering))
    assert [page for page in pages_of(book_folder()) if "<!-- answers:" in html(book_folder() / page)] == []


# What is typed -> what the page of results says, and where its first result leads.
SAID = {
    "precison": ("Showing results for precision. “precison” is not in the book.", "book/precision-and-recall.html"),
    "zzzunknown precision": ("“zzzunknown” is not in the book. These are results for the other words.", "book/precision-and-recall.html"),
    "judgment": ("", "book/"), "normalizd recall": ("Showing results for normalised.", "book/discounted-gain.html"),
    "serendipity": ("", "book/long-tail.html#coverage-and-novelty"), "zzzunknown geometers": ("“zzzunknown” is not", "book/"),
}  # fmt: skip


def test_the_page_of_results_says_what_it_did_with_words_that_the_book_lacks_and_what_to_do_if_nothing_was_found(visit):
    for words, (said, target) in SAID.items():
        page = visit(f"search.html?q={quote(words)}")
        page.locator("#search-results li > a").first.wait_for()
        assert said in page.locator("#search-results [role=status]").inner_text()
        assert page.locator("#search-results li > a").first.get_attribute("href").startswith(target), words
    assert "Not in this book: serendipity. Nearest: Coverage and novelty" in visit("search.html?q=serendipity").locator("#search-results li").first.inner_text()
    nothing = visit("search.html?q=lucene <qwerty>").locator("#search-results [role=status]")
    nothing.locator("a").first.wait_for()
    assert "“lucene <qwerty>”" in nothing.inner_text() and "spelling" in nothing.inner_text()
    assert lost(nothing.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))")) == []


@pytest.mark.parametrize("way, scheme", [("visit", "light"), ("visit_file", "dark")])
def test_a_search_field_makes_suggestions_and_the_keyboard_chooses(request, way, scheme):
    page = request.getfixturevalue(way)("book/averaging.html", scheme=scheme)
    asked = "[...document.scripts, ...performance.getEntriesByType('resource')].filter(each => /names.js/.test(each.src ?? each.name)).length"
    page.locator("article h1").wait_for()
    assert page.evaluate(asked) == 0
    page.keyboard.press("Control+k")
    field, options = page.locator("dialog input[role=combobox]"), page.locator("dialog [role=option]")
    field.press_sequentially("how many quer")
    options.nth(1).wait_for()
    assert "how many queries do I need" in options.first.inner_text() and field.get_attribute("aria-expanded") == "true" and violations(page) == []
    field.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") == options.first.get_attribute("id") and options.first.get_attribute("aria-selected") == "true"
    field.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") is None
    field.press("Escape")
    assert page.locator("dialog[open] input").is_visible() and not options.first.is_visible()
    field.fill("precison")
    assert page.locator("dialog .search-note").inner_text() == "Showing suggestions for precision."
    field.press("ArrowDown")
    field.press("Enter")
    page.wait_for_url("**/book/precision-and-recall.html#def-precision-recall")
    page.keyboard.press("Control+k")
    page.locator("dialog input").fill("<img src=x onerror=ran=1>")
    page.locator("dialog [role=option]", has_text="All results for “<img").click()
    page.wait_for_url("**/search.html?q=*")
    assert page.locator("#search-results img").count() == 0


def test_a_metric_of_another_library_is_one_click_away_and_found_among_the_tables_even_if_filtered_out(visit):
    for words, row in THEIRS.items():
        page = visit(f"search.html?q={words}")
        page.locator("#search-results li a").first.click()
        page.locator(f"#rosetta-{row}").wait_for()
        assert page.url.endswith(f"#rosetta-{row}")
    page.get_by_label("Show rows with").fill("lightgbm ndcg@10")
    shown = page.locator("details.library tbody tr:visible")
    assert shown.evaluate_all("rows => rows.map(row => row.id)") == ["rosetta-lightgbm-ndcg-3", "rosetta-lightgbm-ndcg-3-linear-gain"]
    assert page.locator(".row-filter [role=status]").inner_text() == f"2 of {page.locator('details.library tbody tr').count()} rows"
    page.evaluate("location.hash = 'rosetta-recbole-auc'")
    page.locator("#rosetta-recbole-auc").wait_for()


def lost(targets):
    """The addresses within the book that lead nowhere."""
    parts = [target.partition("#") for target in targets]
    return [page + mark + anchor for page, mark, anchor in parts if mark and anchor not in parsed(book_folder() / page).anchors]


def test_the_page_of_results_works_from_a_file_shows_names_first_each_target_once_and_first_words(visit_file):
    results = visit_file("search.html?q=MAP").locator("#search-results li")
    results.locator(".context:has-text('MAP')").nth(5).wait_for()
    targets = results.locator("> a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert targets[0].startswith("book/average-precision.html") and "MAP: see AP" in results.first.inner_text()
    assert len(targets) == len(set(targets)) > 15 and lost(targets) == []

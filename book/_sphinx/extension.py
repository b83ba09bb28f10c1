"""The extension of Sphinx that makes the pages: what happens to them, and when. Where two have one number, the upper one comes first."""

import re
from pathlib import Path

from sphinx.highlighting import PygmentsBridge
from sphinx.transforms.post_transforms import SphinxPostTransform

from . import (
    all_metrics,
    answer_boxes,
    api_reference,
    claims_page,
    coq,
    downloads,
    formulas,
    html_boxes,
    illustrated_contents,
    index_entries,
    inline_figures,
    numbers,
    page_python,
    pages,
    plain,
    policy,
    published,
    ranking_lab,
    reading,
    search,
    self_study,
    slides,
    teaching_page,
    theme_edits,
    votes,
    wrapped_code,
)  # fmt: skip


def add_transform(app, priority, change):
    """Have `change` called with each page when all were read, as `here`, which has its document, and env, app and config."""
    app.add_post_transform(type(change.__name__, (SphinxPostTransform,), {"default_priority": priority, "run": lambda here, **_: change(here)}))


def when_built(app, priority, change):
    """Have `change` called with the app when the book was written without an error."""
    app.connect("build-finished", lambda app, exception: exception or change(app), priority=priority)


def setup(app):
    """Tell Sphinx what the modules of this folder do, in the order in which a page comes to be."""
    # ---- What pages are written with
    app.setup_extension("sphinx.ext.autodoc")
    app.config.autodoc_typehints = "none"
    app.config.html_baseurl = re.sub(r"(?<=[^/])$", "/", app.config.html_baseurl)
    app.config.templates_path.append(str(Path(__file__).parent / "templates"))
    for name in ("page_python_distribution", "page_python_offer", "page_python_wheels"):
        app.add_config_value(name, "", "html", str)
    app.add_html_math_renderer("mathml", (formulas.visit_inline, None), (formulas.visit_display, None))
    PygmentsBridge.html_formatter = wrapped_code.LineByLine
    app.add_node(pages.later)
    app.add_node(html_boxes.fold, html=(html_boxes.visit_fold, lambda writer, node: writer.body.append("</details>\n")))
    app.add_directive("all-metrics", all_metrics.AllMetrics)
    app.add_directive("metric-finder", all_metrics.MetricFinder)
    app.add_directive("claims-table", claims_page.ClaimsTable)
    app.add_directive("coq-theorems", coq.CoqTheorems)
    app.add_directive("coq-proof", coq.CoqProof)
    app.add_directive("teaching-chapters", teaching_page.TeachingChapters)
    app.add_role("sheet-cost", teaching_page.SheetCost())
    app.add_directive("how-far", self_study.HowFar)
    app.add_directive("final-test", self_study.FinalTest)
    app.add_directive("objectives", self_study.Objectives)

    # ---- While pages are read
    app.connect("config-inited", downloads.offer_buttons)
    app.connect("builder-inited", downloads.open_from_branch, priority=900)
    app.connect("builder-inited", page_python.prepare)
    app.connect("builder-inited", slides.bring)
    app.connect("source-read", api_reference.fill)
    app.connect("source-read", policy.fill_in)
    app.connect("autodoc-process-docstring", api_reference.as_fields)
    app.add_transform(index_entries.Index)
    app.add_transform(api_reference.NoIndexEntries)
    app.connect("env-updated", index_entries.join_glossary)
    app.connect("env-get-updated", numbers.letter_folded, priority=900)  # when Sphinx has numbered them
    app.connect("env-check-consistency", pages.share_trees, priority=100)  # when the environment was stored
    app.connect("env-check-consistency", claims_page.check_labels)

    # ---- When all were read, each by itself
    add_transform(app, 1, search.note_answers)  # before anything else is done with a page
    add_transform(app, 2, illustrated_contents.fill_contents)  # before places are filled, and figures, references and formulas resolved
    add_transform(app, 3, html_boxes.mark_listings)  # before myst-nb unwraps the outputs
    add_transform(app, 3, pages.fill_places)  # before references, glued values and formulas are resolved
    add_transform(app, 8, inline_figures.put_figures_in)  # after myst-nb has chosen which form of an output to show
    add_transform(app, 9, claims_page.link_claims)
    add_transform(app, 23, plain.write)  # when references are words, and before what only the page shows is made
    add_transform(app, 30, html_boxes.fold_dropdowns)  # after sphinx-exercise has written the titles of solutions
    add_transform(app, 30, html_boxes.mend_proofs)
    add_transform(app, 35, html_boxes.link_boxes)  # after `mend_proofs` has left the identifiers that lead somewhere
    add_transform(app, 36, answer_boxes.add_boxes)
    add_transform(app, 205, ranking_lab.show_labs)  # from here on myst-nb has made the outputs
    add_transform(app, 205, votes.set_votes)
    add_transform(app, 205, page_python.mark_cells)  # before the page is arranged for reading, which takes code out of its cell
    app.add_post_transform(reading.ReadingFirst)  # 210
    add_transform(app, 215, slides.offer)  # after `reading` has made the line
    add_transform(app, 220, api_reference.link_to_reference)
    add_transform(app, 900, formulas.render_formulas)  # after the outputs of cells and the glued values are in place

    # ---- While they are written
    app.connect("html-page-context", pages.add_files, priority=400)  # before the scripts that stand in the page itself
    app.connect("html-page-context", search.collect)
    app.connect("html-page-context", slides.make_deck)
    app.connect("html-page-context", downloads.offer_printed)
    app.connect("html-page-context", page_python.add_script, priority=600)  # after the theme has made its buttons
    app.connect("html-page-context", published.describe, priority=800)
    app.connect("html-page-context", theme_edits.offer_edits, priority=900)
    app.connect("html-collect-pages", published.page_not_found)
    app.connect("html-collect-pages", coq.pages)

    # ---- When all is written
    when_built(app, 500, downloads.write_downloads)
    when_built(app, 510, downloads.copy_printed)
    when_built(app, 500, slides.write)
    when_built(app, 500, self_study.write_settings)
    when_built(app, 600, page_python.write)  # after the wheel is there
    when_built(app, 900, theme_edits.trim_files)
    when_built(app, 940, policy.write)  # before the pages are packed
    when_built(app, 950, downloads.pack_course)  # after `trim_files` has made the book's sheet
    when_built(app, 950, published.write_site)

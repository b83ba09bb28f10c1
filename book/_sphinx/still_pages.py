"""A built page without what works in a browser alone: for paper, for e-readers, and for teachers without a network."""

import re
from dataclasses import dataclass

from bs4 import BeautifulSoup

# What asks for a mouse, a script or another page; and code that is folded away, unless what it shows stands in its fold.
LEFT_OUT = (
    "a.headerlink, .switches, script, .live-only, form.answer, .claims-controls, .toctree-wrapper, .write-it, div.ranking-lab, ranking-lab, "
    "details.imports, details.lab-python, details.objectives, .from-fold, p.back, p.editions, input, label"
)


@dataclass
class Page:
    """A page of the book: its name, such as average-precision, its title, and its article as a tree."""

    name: str
    title: str
    article: BeautifulSoup


def read(name, html):
    """A page without what works in a browser alone; what moves shows its still picture, a check its line."""
    soup = BeautifulSoup((html / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    article = soup.find("article", class_="bd-article")
    for part in article.select(LEFT_OUT):
        part.decompose()
    for thing in article.select("hands-on"):
        thing.unwrap()
    for option in article.select(".vote > details"):  # all options, then what is said of the right one
        if "right" in option["class"]:
            option.parent.append(option.p.extract())
        option.name, option.summary.name, option.attrs = "div", "p", {"class": ["option", *option["class"]]}
        for said in option.find_all("p")[1:]:
            said.decompose()
    for fold in article.select(".source-listing > details.fold.code:not(.plumbing)"):  # nothing else shows this function
        fold.summary.decompose()
        fold.unwrap()
    for check in article.select("details.checks > .check"):  # one of those that open together
        line = article.find("a", href=f"#{check['id']}").parent
        line.a.unwrap()
        line.insert_after(*(detail.extract() for detail in check.select(".check-detail")))
    for fold in article.select("details.checks"):
        fold.decompose()
    for fold in article.select("details.fold.code, details.fold.check"):
        line = fold.summary
        line.name, line["class"] = "p", ["check-line"]
        fold.replace_with(*(part.extract() for part in (fold.select(".cell_output") if "code" in fold["class"] else [line, *fold.select(".check-detail")])))
    for listing in article.select(".source-listing"):
        if not listing.pre:
            listing.decompose()
    title = re.sub(r"\s+", " ", article.h1.get_text()).strip()
    return Page(name.split("/")[-1], title, article)

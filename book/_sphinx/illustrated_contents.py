"""The contents in pictures: for each chapter its first picture, its title, and the answer that it gives, taken from its page.

They fill a box of the class "illustrated-contents". The answer is the bold beginning of a paragraph in the chapter's opening.
"""

from docutils import nodes

from .pages import copies, page_link
from .sources import chapters


def fill_contents(here):
    """Copy the picture and the answer of each chapter into the box."""
    for box in here.document.findall(nodes.admonition):
        if "illustrated-contents" in box["classes"]:
            box.replace_self(nodes.container("", *(card(here, page) for page in chapters()), classes=["illustrated-contents"]))


def card(here, page):
    opening = [child for child in here.env.get_doctree(page)[0].children if not isinstance(child, nodes.section)]
    pictures = [image for part in opening for image in part.findall(nodes.image) if image["uri"].endswith(".svg")]
    answers = [strong for part in opening for strong in part.findall(nodes.strong) if part.astext().startswith(strong.astext())]
    title = nodes.paragraph("", "", page_link(page))
    picture = nodes.container("", *copies(pictures[:1], here.env.docname))
    answer = nodes.paragraph("", "", *copies([child for strong in answers[:1] for child in strong.children], here.env.docname))
    return nodes.container("", title, picture, answer, classes=["chapter-picture"])

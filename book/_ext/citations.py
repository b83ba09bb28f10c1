"""The bibliography, with the labels that the text uses: Järvelin and Kekäläinen 2002."""

from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style
from pybtex.style.labels import BaseLabelStyle


class AuthorYear(BaseLabelStyle):
    """The family names of up to two authors, or of the first "and others", and the year."""

    def format_labels(self, entries):
        for entry in entries:
            names = [family_name(person) for person in entry.persons["author"]]
            yield f"{' and '.join(names) if len(names) < 3 else names[0] + ' et al.'} {entry.fields['year']}"


def family_name(person):
    """With its particles: van Rijsbergen."""
    return " ".join(str(part) for part in (*person.rich_prelast_names, *person.rich_last_names))


class AuthorYearStyle(Style):
    default_label_style = AuthorYear


def setup(app):
    register_plugin("pybtex.style.formatting", "author_year_labels", AuthorYearStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

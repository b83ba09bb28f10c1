"""What was handed in: whose it is, by the names of files and a list of the class, and which of several versions is the newest."""

import csv
import io
import json
import os
import re
import stat
import unicodedata
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path

from .._base.text import in_a_cell

LARGEST_NOTEBOOK = 5_000_000  # bytes
MOST_CODE = 500_000  # characters of a notebook
MOST_NOTEBOOKS, MOST_FILES, MOST_OTHERS = 100, 100_000, 10  # of a student
UNSEEN = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

# ---- Files -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sheet:
    """A notebook or a script that was handed in: the texts of its code cells and, if it cannot be read, the reason."""

    path: Path
    cells: tuple = ()
    trouble: str = ""
    date: float = 0  # when the file was last changed, in seconds

    @property
    def name(self):
        return in_a_cell(self.path.name)

    @property
    def age(self):
        """What sorts the versions of a sheet, the newest last: by date, then by name, so that (2) is after (1), v10 after v9, and "final" at the end."""
        stem = self.path.stem.casefold()
        parts = [int(part) if n % 2 else part for n, part in enumerate(re.split(r"([0-9]+)", stem))]
        return int(self.date), "final" in stem, parts, str(self.path)


def sheets_of(paths):
    """The sheets below some paths of a student, the newest last."""
    try:
        return sorted((readable(each) for path in paths for each in notebooks(path)), key=lambda sheet: sheet.age)
    except Exception as error:  # whatever it is, it is no other student's
        return [Sheet(paths[0], trouble=unread(paths[0], error))]


def notebooks(path):
    """The notebooks and scripts of a student, however deep the folders in which they lie, and some of what was handed in instead of them.

    Raises ValueError if there are too many to look at.
    """
    if path.is_symlink() or not path.is_dir():
        return [path]
    found, others, left, seen = [], [], [path], 0
    while left:
        with os.scandir(left.pop()) as entries:
            for seen, entry in enumerate(entries, seen + 1):
                if max(seen / MOST_FILES, len(found) / MOST_NOTEBOOKS) > 1:
                    raise ValueError(f"the folder has more than {MOST_NOTEBOOKS} notebooks or {MOST_FILES:,} files")
                if hidden(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif is_sheet(Path(entry.name)):
                    found.append(Path(entry.path))
                else:
                    others.append(Path(entry.path))
    if found or marked_before(path):  # a picture beside a notebook needs no word
        others = [each for each in others if found and instead(each)]
    return sorted(found) + sorted(others)[:MOST_OTHERS]


def hidden(name):
    """Whether a name is one that operating systems or programs add: .ipynb_checkpoints, or ._bob.ipynb and __MACOSX in a Mac's archive."""
    return name.startswith(".") or name in ("__MACOSX", "__pycache__")


def unseen(folder):
    """The names directly in a folder that are passed over: hidden ones, except those that programs add, and files that are neither notebooks nor scripts."""
    by_programs = re.compile(r"\._.*|\.DS_Store|\.git|\.ipynb_checkpoints|__MACOSX|__pycache__")
    left = (path for path in folder.iterdir() if hidden(path.name) or not (path.is_dir() or is_sheet(path)))
    return sorted(path.name for path in left if not by_programs.fullmatch(path.name))


def is_sheet(path):
    return path.suffix.lower() in (".ipynb", ".py")


def instead(path):
    """Whether a name is one under which people hand in a notebook that is none."""
    return not is_sheet(path) and re.search(r"\.ipynb|\.(zip|7z|rar|html?|pdf)$", path.name.casefold())


def is_archive(path):
    return path.suffix.lower() in (".zip", ".7z", ".rar", ".tar", ".gz", ".tgz")


def archives(folder, handed=()):
    """The names of the archives directly in a folder, and of those that students handed in."""
    found = [path.name for path in sorted(folder.iterdir()) if not hidden(path.name) and path.is_file() and is_archive(path)]
    return [*dict.fromkeys([*found, *(sheet.path.name for each in handed for sheet in each.sheets if is_archive(sheet.path))])]


def readable(path):
    try:
        cells, date = cells_of(path)
        return Sheet(path, tuple(cells), date=date)
    except (ValueError, OSError) as error:
        return Sheet(path, trouble=unread(path, error))


def unread(path, error):
    return f"{in_a_cell(path.name)} cannot be read: {getattr(error, 'strerror', None) or error}"


def cells_of(path):
    """The texts of the code cells of a notebook, or that of a script, and its date. Raises ValueError if it is neither, or not a regular file."""
    if path.is_symlink():
        raise ValueError("the notebook is a link, not the file itself")
    if not is_sheet(path):
        raise ValueError("the grader reads notebooks (.ipynb) and scripts (.py)")
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | UNSEEN)) as file:
        state = os.fstat(file.fileno())
        if not stat.S_ISREG(state.st_mode):
            raise ValueError("the notebook is not a regular file")
        data = file.read(LARGEST_NOTEBOOK + 1)
    if len(data) > LARGEST_NOTEBOOK:
        raise ValueError(f"the notebook is larger than {LARGEST_NOTEBOOK:,} bytes; clear its outputs and hand it in again")
    try:
        if path.suffix.lower() == ".py":
            cells = [data.decode("utf-8-sig")]
        else:
            cells = ["".join(cell["source"]) for cell in json.loads(data)["cells"] if cell["cell_type"] == "code"]
    except UnicodeDecodeError:
        raise ValueError("the file is not text in UTF-8; save it in this encoding and hand it in again") from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"the file is not a whole notebook ({type(error).__name__})") from None
    if sum(map(len, cells)) > MOST_CODE:
        raise ValueError(f"the notebook has more than {MOST_CODE:,} characters of code")
    return [text.replace("\r\n", "\n").replace("\r", "\n") for text in cells], state.st_mtime


# ---- Whose they are ----------------------------------------------------------------------------------------------

OF_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_file(_.*)?$", re.DOTALL)  # a folder for each student, or a file
SIGNED = re.compile(r"^[ \t]*(?:NAME|NUMBER)[ \t]*=[ \t]*([\"'])(.*?)\1", re.MULTILINE)  # what the sheet asks for
MOST_SIGNATURES = 10  # of a student: with more, one sheet could make the class wait
SHORTEST_ID = 3  # characters of an id that is looked for within a text: the 1 in "homework (1)" is no student's


@dataclass(eq=False)
class Student:
    """Who hands in: a line of the list of the class, or a name of files that no line explains."""

    name: str
    id: str = ""
    mail: str = ""
    moodle: str = ""  # the number after "Participant" in Moodle
    listed: bool = False
    paths: list = field(default_factory=list)
    places: list = field(default_factory=list)  # the names of the folders and files that were found to be theirs
    sheets: list = field(default_factory=list)

    @property
    def address(self):
        """The e-mail, if it is an address: "n/a" identifies nobody."""
        return self.mail if re.search(r"\w@\w", self.mail) else ""

    def take(self, other):
        """Have the files of another, who is the same person."""
        self.sheets = sorted([*self.sheets, *other.sheets], key=lambda sheet: sheet.age)
        self.paths += other.paths
        self.places.append(other.paths[0].name)


def students(folder, listed=()):
    """The students of a folder, each with the sheets that are theirs: first those of the list, then those who are on none.

    A folder in `folder` is one student; so is a notebook directly in it, unless its name says whose it is. What a sheet says of its owner
    counts only for an owner of whom no other file is known, because anybody can sign with the number of another.
    """
    found, others = {}, {}
    for path in sorted(folder.iterdir()):
        if hidden(path.name):
            continue
        of_moodle = OF_MOODLE.match(path.name)
        key = (of_moodle["name"], of_moodle["number"]) if of_moodle else (path.name, "")
        if path.is_dir() or is_sheet(path):
            found.setdefault(key, Student(key[0], moodle=key[1])).paths.append(path)
        elif instead(path):
            others.setdefault(key, Student(key[0], moodle=key[1])).paths.append(path)
    plain = [each.name if each.moodle or each.paths[0].is_dir() else each.paths[0].stem for each in found.values()]
    for each, short in zip(found.values(), plain):  # without its ending, unless another has that name
        if plain.count(short) == 1 and not any(other.name == short and other is not each for other in found.values()):
            each.name = short
    for each in (*found.values(), *others.values()):
        each.sheets = sheets_of(each.paths)
    strangers = [each for each in found.values() if each.sheets or not marked_before(each.paths[0])]
    for signed in (False, True):
        known = {one for one in listed if one.paths}
        for each in list(strangers):
            owner = signatory(each, listed) if signed else whose(each, listed)
            if owner and not (signed and owner in known):
                strangers.remove(each)
                owner.take(each)
    for each in others.values():
        if owner := whose(each, listed):
            owner.take(each)
    return [*listed, *strangers]


def marked_before(path):
    """Whether a folder has marks from an earlier grading."""
    return all(os.path.isfile(path / name) for name in ("marks.csv", "class.html"))


def whose(each, listed):
    """The one on the list whose files they are, by Moodle's number or else by the name of the file or folder; None if not one."""
    of_moodle = [one for one in listed if each.moodle and one.moodle == each.moodle]
    return the_one(of_moodle, *named(each.name, listed))


def signatory(each, listed):
    """The one on the list whose name or number the sheets say; None if not one."""
    said = dict.fromkeys(text for sheet in each.sheets for cell in sheet.cells[:3] for _, text in SIGNED.findall(cell))
    return the_one(*(found for text in [*said][:MOST_SIGNATURES] for found in named(text, listed)))


def the_one(*guesses):
    """The first guess that is one student alone."""
    return next((found[0] for found in guesses if len(found) == 1), None)


def named(text, listed):
    """Whom a text may name, the surest first: those whose number or address it has, those whose whole name, and those with the first part of whose address."""
    words, text = set(plain_words(text)), unicodedata.normalize("NFC", text).casefold()
    ids = {plain(text), *(word for word in words if len(word) >= SHORTEST_ID)}
    yield [one for one in listed if (plain(one.id) and plain(one.id) in ids) or (one.address and one.address.casefold() in text)]
    whole = [(one, its_words) for one in listed if (its_words := set(plain_words(one.name))) and its_words <= words]
    yield [one for one, its_words in whole if not any(its_words < others for _, others in whole)]  # "An Li Wang" names not An Li
    yield [one for one in listed if one.address and plain(one.address.partition("@")[0]) in {*words, plain(text)}]


def plain_words(text):
    """The words of a text without capitals, and without marks over and under letters."""
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
    return re.findall(r"\w+", bare.casefold().replace("_", " "))


def plain(text):
    return "".join(plain_words(text))


# ---- The list of the class ---------------------------------------------------------------------------------------

COLUMNS = {  # what a list may call its columns, in plain letters
    "id": ("id", "idnumber", "number", "studentid", "studentnumber", "matriculation", "matriculationnumber", "username"),
    "name": ("name", "fullname", "student"),
    "first": ("firstname", "givenname"), "last": ("lastname", "surname", "familyname"),
    "mail": ("email", "mail", "emailaddress"), "moodle": ("identifier",), "grade": ("grade",), "maximum": ("maximumgrade",),
    "feedback": ("feedbackcomments",),
}  # fmt: skip


@dataclass
class Roster:
    """The list of the class: its students, and the table as it was read, which for Moodle is written again with marks."""

    students: list
    rows: list
    columns: dict

    @property
    def is_worksheet(self):
        return {"moodle", "grade"} <= self.columns.keys()

    def told(self):
        """From which columns the list has what identifies a student, in words."""
        names = {kind: f"“{in_a_cell(self.rows[0][place].strip())}”" for kind, place in self.columns.items()}
        name = names.get("name") or ", ".join(names[kind] for kind in ("first", "last") if kind in names)
        return f"columns of the list of the class: id from {names.get('id', 'none')}, name from {name}, e-mail from {names.get('mail', 'none')}"

    def other_maxima(self, total):
        """The maximum grades of Moodle's worksheet, as they are written there, that are another number than a total."""
        place, found = self.columns.get("maximum"), []
        for row in self.rows[1:] if self.is_worksheet and place is not None else ():
            text = row[place].strip() if place < len(row) else ""
            if re.fullmatch(r"\d+([.,]\d+)?", text) and float(text.replace(",", ".")) != total:
                found.append(text)
        return [*dict.fromkeys(found)]


def read_roster(path):
    """The list of a class: a CSV file with a column `name`, or `first name` and `last name`, and, if there are, `id` and `e-mail`; so is Moodle's worksheet.

    Raises ValueError if it has no such columns, or the same student twice.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8; in Excel, save it as “CSV UTF-8”") from None
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(field.strip() for field in row)]
    heads = [plain(head) for head in rows[0]] if rows else []
    columns = {kind: heads.index(name) for kind, names in COLUMNS.items() for name in reversed(names) if name in heads}
    if not columns.keys() & {"name", "last"}:
        raise ValueError(f"{path} needs a column “name”, or “first name” and “last name”; its columns are: {', '.join(rows[0]) if rows else 'none'}")
    listed, seen = [], {}
    for number, row in enumerate(rows[1:], 2):
        value = {kind: row[place].strip() if place < len(row) else "" for kind, place in columns.items()}
        name = unicodedata.normalize("NFC", value.get("name") or f"{value.get('first', '')} {value.get('last', '')}".strip())
        found = re.search(r"\d+$", value.get("moodle", ""))
        one = Student(name, value.get("id", ""), value.get("mail", ""), found[0] if found else "", True)
        key = one.id or one.address or one.name
        if not name or key in seen:
            raise ValueError(f"line {number} of {path} {'has no name' if not name else f'repeats {key!r} of line {seen[key]}'}")
        seen[key] = number
        listed.append(one)
    return Roster(listed, rows, columns)


def moment(text):
    """A date with a time, as `2026-12-01T12:00`, in seconds; without one, the end of that day. Raises ValueError for any other text."""
    try:
        return datetime.combine(date.fromisoformat(text), time.max).timestamp()
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise ValueError(f"{text!r} is no date such as 2026-12-01T12:00") from None

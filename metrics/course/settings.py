"""Settings: the words of votes, tasks and questions for another subject. The numbers, the formulas and the code never change.

The course speaks of lemmas that a proof needs. `in_setting` retells a vote, a task or a question for a search page (documents, queries),
a playlist (songs, evenings) or a medical test (patients, ranked by risk, of whom some are ill). `FREE` names what makes no sense
in a setting: this stays as it is.
"""

import re
from dataclasses import fields, is_dataclass, replace
from functools import cache, wraps

LEMMAS = "lemmas"
SETTINGS = {LEMMAS: "lemmas", "search": "a search page", "playlist": "a playlist", "medical": "a medical test"}

# What the course says | of a search page | of a playlist | of a medical test. "=": the same; N: a number or a formula. The upper lines come first.
WORDS = """
A goal needs N lemmas, and a tool returns nothing for it | A query has N relevant documents, and a search engine returns nothing for it | N songs suit an evening, and a recommender suggests nothing for it | On one day N patients are ill, and a test flags nobody
lemmas that the goal needs | relevant documents | songs that suit the evening | patients who are ill on that day
how many lemmas each goal needs | how many documents are relevant to each query | how many songs suit each evening | how many patients are ill each day
if the goals need different numbers of lemmas | if the queries have different numbers of relevant documents | if different numbers of songs suit the evenings | if different numbers of patients are ill on the days
a goal with few lemmas | a query with few relevant documents | an evening that few songs suit | a day on which few patients are ill
a proof needs N of N lemmas | a user needs N of N documents | a listener wants N of N songs | N of N patients are ill
a proof needs N of them | a user needs N of them | a listener wants N of them | N of them are ill
a proof needs N lemmas | a user needs N documents | a listener wants N songs | N patients are ill
a proof needs N | a user needs N | a listener wants N | N are ill
this lemma: the proof needs it | this document: the user needs it | this song: the listener wants it | this patient: the patient is ill
the proof needs N in all | the user needs N in all | the listener wants N in all | N are ill in all
the proof needs N | the user needs N | the listener wants N | N are ill
lemmas that the proof does not need | documents that the user does not need | songs that the listener does not want | healthy patients
lemmas that the proof needs | documents that the user needs | songs that the listener wants | ill patients
lemma that you drew first | document that you drew first | song that you drew first | patient whom you drew first
the share of all lemmas that is shown | the share of all documents that is shown | the share of all songs that is shown | the share of all patients who are flagged
the share of all lemmas that it is right about | the share of all documents that it is right about | the share of all songs that it is right about | the share of all patients about whom it is right
needed lemmas that are missing | needed documents that are missing | wanted songs that are missing | ill patients who are missed
the suggestions that are needed | the results that are needed | the suggestions that are wanted | the flagged patients who are ill
N of which is needed | = | N of which is wanted | N of whom is ill
N of which are needed | = | N of which are wanted | N of whom are ill
of which N are needed | = | of which N are wanted | of whom N are ill
which is not needed | = | which is not wanted | who is not ill
but it is still needed | = | but it is still wanted | but is still ill
more is shown | = | = | more are flagged
what is suggested besides | what is returned besides | what is suggested besides | who else is flagged
suggests a whole library | returns a whole collection | = | flags every patient of a clinic
irrelevant items that were refused | irrelevant documents that were refused | irrelevant songs that were refused | healthy patients who were not flagged
lets the same share of them through | = | = | flags the same share of them
lets through the same share | = | = | flags the same share
let through | = | = | flagged
rank the same library | rank the same collection | rank the same library | rank the patients of the same clinic
A library shows | A program shows | A program shows | A program flags
the library puts | the program puts | the program puts | the program puts
short and long proofs | short and long queries | weekday and weekend evenings | quiet and busy days
short proofs | short queries | weekday evenings | quiet days
long proofs | long queries | weekend evenings | busy days
on long ones B | on long ones B | on weekend ones B | on busy ones B
what is needed | = | what is wanted | the number of ill patients
relevant items are missing | relevant documents are missing | relevant songs are missing | ill patients are missed
relevant item is found, which is | relevant document is found, which is | relevant song is found, which is | ill patient is found, who is
relevant item, which is | relevant document, which is | relevant song, which is | ill patient, who is
item that nobody judged | document that nobody judged | song that nobody judged | patient whom nobody judged
a premise become irrelevant because nobody suggests it | a relevant document become irrelevant because nobody returns it | a relevant song become irrelevant because nobody suggests it | an ill patient become healthy because nobody flags them
What is not suggested | What is not returned | What is not suggested | Who is not flagged
One relevant item is used up, and so is its place | One relevant document is used up, and so is its place | One relevant song is used up, and so is its place | One ill patient is accounted for, and so is one place
take away the relevant item, but not its place | take away the relevant document, but not its place | take away the relevant song, but not its place | take away the ill patient, but not the place
It moves | = | = | The patient moves
It overtakes | = | = | The patient overtakes
irrelevant items are above it | irrelevant documents are above it | irrelevant songs are above it | healthy patients are above that patient
of the sample are above it, so its mean rank | = | = | of the sample are above that patient, whose mean rank
It is ranked against | = | = | The patient is ranked against
drawn at random. What is its rank | = | = | drawn at random. What is the patient's rank
the better items | the better documents | the better songs | the patients who are ranked higher
half of all items better | half of all documents better | half of all songs better | half of all patients ranked higher
the N best items | the N best documents | the N best songs | the N patients at the top
No item here is relevant to both | No document here is relevant to both | No song here is relevant to both | No patient here is called ill by both
that are relevant to both is N, to the first alone N, to the second alone N, and to neither N | = | = | that are called ill by both is N, by the first alone N, by the second alone N, and by neither N
How often was the item called relevant before it was relevant | How often was the document called relevant before it was relevant | How often was the song called relevant before it was relevant | How often is a patient called ill who is healthy
assessors judge the same items | assessors judge the same documents | assessors judge the same songs | doctors examine the same patients
A list is judged | = | = | The patients on a list are examined
I read N suggestions and no more. How many of them are useful | I read N results and no more. How many of them are useful | I hear N suggestions and no more. How many of them are good | I see N flagged patients and no more. How many of them are ill
A tool shows you N lemmas | A search engine shows you N documents | A recommender suggests N songs | A test flags N patients
A tool returns this list | A search engine returns this list | A recommender returns this list | A test ranks patients by their risk
A tool returns a list | A search engine returns a list | A recommender returns a list | A test ranks patients by their risk
A tool ranks all items | A search engine ranks all documents | A recommender ranks all songs | A test ranks all patients by their risk
best first | = | = | highest risk first
suggests nothing | returns nothing | suggests nothing | flags nobody
suggests something | returns something | suggests something | flags somebody
it returns nothing | = | = | it flags nobody
to its average precision | = | = | to the average precision
the share of all premises that is in the list | the share of all relevant documents that is in the list | the share of all relevant songs that is in the list | the share of all ill patients on the list
a relevant item add if it was never ranked | a relevant document add if it was never ranked | a relevant song add if it was never ranked | an ill patient add who was never ranked
tool returns | search engine returns | recommender returns | test flags
does the tool return | does the search engine return | does the recommender return | does the test flag
there to return | = | = | there to flag
You have read the list | = | You have heard the list | You have examined the list
you read on | = | you listen on | you go on
items read | documents read | songs heard | patients seen
items have been read | documents have been read | songs have been heard | patients have been seen
item been read | document been read | song been heard | patient been seen
is it read | = | is it heard | is it seen
has been read | = | has been heard | has been seen
has to be read | = | has to be heard | has to be examined
is read | = | is heard | is seen
are read | = | are heard | are seen
you read | = | you hear | you see
for one goal | for one query | for one evening | on one day
for another it returns | = | = | on another it flags
for a third goal | for a third query | for a third evening | on a third day
for each of N goals | for each of N queries | for each of N evenings | on each of N days
for the same goal | for the same query | for the same evening | on the same day
the judges | = | = | the doctors
assessors | = | = | doctors
assessor | = | = | doctor
judge | = | = | laboratory
premises | relevant documents | relevant songs | ill patients
premise | relevant document | relevant song | ill patient
statements | documents | songs | patients
lemmas | documents | songs | patients
lemma | document | song | patient
items | documents | songs | patients
item | document | song | patient
goals | queries | evenings | days
goal | query | evening | day
tools | search engines | recommenders | tests
tool | search engine | recommender | test
libraries | collections | = | clinics
library | collection | = | clinic
irrelevant | = | = | healthy
relevant | = | = | ill
needed | = | wanted | ill
suggestions | results | = | flagged patients
suggestion | result | = | flagged patient
suggests | returns | = | flags
suggested | returned | = | flagged
suggest | return | = | flag
returned | = | = | flagged
shows | = | = | flags
shown | = | = | flagged
readers | = | listeners | doctors
reader | = | listener | doctor
"""
# The beginnings of the names of what stays as it is, and why.
PREMISES = "premise-", "premise_"  # metrics whose names have these words
LIBRARY = "lib-", "seven-", "again-"  # the library of the book
LABELS = "tail-decile", "tail-in-vain", "tail-better", "tail-coverage", "tail-by-decile", "tail-adds-up", "precision_in_the_tail", "positive_coverage"
READERS = "f-whose-beta", "disagree-for-whom", "diff-sections"  # in a setting of their own
CLICKS = "rd-", "weight_of_rank", "relevance_from_clicks", "drafted_by", "many-"
GRADES = "dcg-", "ndcg-", "ndcg_", "err-", "rbp-", "expected_", "rank_biased_", "context_", "auc-half-way", "tail-fallback"
COINS = "diff-", "difference-", "p-by", "p-with", "p_value", "smallest_p"  # where a test is one of significance
FREE = {
    "search": (*PREMISES, *LIBRARY, *LABELS, *READERS),
    "playlist": (*PREMISES, *LIBRARY, *LABELS, *READERS, *CLICKS),
    "medical": (*PREMISES, *LIBRARY, *LABELS, *READERS, *CLICKS, *GRADES, *COINS),
}
FIXED = re.compile(r"\$[^$]+\$|`[^`]+`|\*[^*]+\*")  # formulas, code, and what is stressed
NUMBER = r"([\w,/]+|[\ue000-\uf8ff])"
N = re.compile(r"\bN\b")
WORDED = {"text", "statement", "way", "why", "words", "hint", "option", "feedback"}
LISTED = {"options", "beliefs", "wrong", "steps"}
MENDED = (
    (re.compile(r"\b(patients?) (?:that|which) (?=the |it |nobody )"), r"\1 whom "),
    (re.compile(r"\b(patients?) (?:that|which)\b"), r"\1 who"),
    (re.compile(r"\b([Aa]) (?=(?:evening|ill|irrelevant)\b)"), r"\1n "),
    (re.compile(r"\b([Aa])n (?=(?:document|song|patient|healthy)\b)"), r"\1 "),
)


def in_setting(each, setting):
    """A vote, a task or a question in the words of a setting.

    each: a `Vote`, `Task`, `Question` or `Choice`. setting: one of `SETTINGS`. Raises ValueError for another setting.

    >>> from metrics.course import task
    >>> in_setting(task("mean_rank"), "playlist").statement
    'Write the mean rank of the relevant songs, of which there is at least one.'
    """
    if setting not in SETTINGS:
        raise ValueError(f"no setting {setting!r}; the settings are: {', '.join(SETTINGS)}")
    return each if setting == LEMMAS or each.name.startswith(FREE[setting]) else retold(each, setting)


def retold(part, setting):
    """The part of a question with all its texts, and those that its functions give, in the words of a setting."""
    if isinstance(part, str):
        return told(part, setting)
    if isinstance(part, tuple):
        return tuple(retold(each, setting) for each in part)
    if is_dataclass(part):
        every = {field.name: getattr(part, field.name) for field in fields(part)}
        its = {name: value for name, value in every.items() if name in WORDED | LISTED or (name, type(value)) == ("right", str)}
        return replace(part, **{name: retold(value, setting) for name, value in its.items()})
    return wraps(part)(lambda *case, **named: retold(part(*case, **named), setting)) if callable(part) else part


@cache
def lines(setting):
    """What is looked for, as one pattern with a group for each line, and the words that take its place, by the name of the group."""
    at, words, groups = list(SETTINGS).index(setting), {}, []
    for line in WORDS.strip().splitlines():
        parts = [part.strip() for part in line.split("|")]
        words[name := f"line{len(groups)}"] = parts[at]
        groups.append(f"(?P<{name}>{N.sub(lambda _: NUMBER, parts[0])})")
    return re.compile(rf"(?<!-)\b(?:{'|'.join(groups)})\b", re.IGNORECASE), words


def told(text, setting):
    """A text in the words of a setting; formulas, code and what is stressed stay.

    >>> told("A proof needs 4 of 11 lemmas; a tool suggests `k`.", "search")
    'A user needs 4 of 11 documents; a search engine returns `k`.'
    >>> told("A proof needs 4 of 11 lemmas; a tool suggests `k`.", "medical")
    '4 of 11 patients are ill; a test flags `k`.'
    """
    kept, places, (pattern, words) = FIXED.findall(text), iter(range(0xE000, 0xF900)), lines(setting)
    found = pattern.sub(lambda match: in_place(match, words[match.lastgroup]), FIXED.sub(lambda _: chr(next(places)), text))
    for wrong, right in MENDED:
        found = wrong.sub(right, found)
    return re.sub(r"[\ue000-\uf8ff]", lambda place: kept[ord(place[0]) - 0xE000], found)


def in_place(match, words):
    """The words in the place of a match, with its numbers, and with a capital if it has one."""
    numbers = iter([each for each in match.groups() if each is not None][1:])
    filled = match[0] if words == "=" else N.sub(lambda _: next(numbers), words)
    return filled[:1].upper() + filled[1:] if match[0][:1].isupper() else filled

"""Blanks of a text: places that its author left to be filled, such as ``[year]``, ``<Jahr>`` or ``{name}``.

Those for a year or a day are filled by what their words mean: of publication, or of retrieval.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import cache, lru_cache
from typing import Dict, Iterator, List, Optional, Pattern, Sequence, Tuple

from .resources import RESOURCES
from .text import fold

WORDS_PATH = RESOURCES / "blanks.txt"

#: longer texts are no credit lines
_MAX_TEXT = 20_000


@lru_cache(maxsize=1)
def _classes() -> Dict[str, List[str]]:
    """Return the words of each class of the bundled list."""
    words: Dict[str, List[str]] = {}
    for line in WORDS_PATH.read_text(encoding="utf-8").splitlines():
        kind, colon, rest = line.partition(":")
        if colon and not line.startswith("#"):
            words.setdefault(kind.strip(), []).extend(fold(word) for word in rest.split("|"))
    return words


def blank_words(kind: str) -> Sequence[str]:
    """Return the folded words of a class of the bundled list."""
    return _classes()[kind]


@cache
def is_blank_word(word: str, *kinds: str) -> bool:
    """Return true where a folded word is of one of the classes of the bundled list ("year", "retrieval", …)."""
    return _compiled(kinds).fullmatch(word) is not None


@cache
def _compiled(kinds: Tuple[str, ...]) -> Pattern[str]:
    return re.compile("|".join(re.escape(word).replace(r"\*", r"\w*") for kind in kinds for word in _classes()[kind]))


#: the classes of nouns for a moment: alone in brackets, or before the words that say which moment
_MOMENT = ("year", "date", "moment")
#: and of other nouns that stand for what somebody has to write
_NOUN = (*_MOMENT, "part", "noun")

_BRACKETS = re.compile(r"\[([^\[\]<>{}\n]{0,80})\]|(?<![^\W\u3040-\u30ff\u3400-\u9fff])\(([^()\[\]<>{}\n]{1,80})\)"
                       r"|«\s?([^«»\n]{1,40}?)\s?»|“([^“”\n]{1,40})”|„([^„“”\n]{1,40})[“”]")
#: a noun in round brackets in the place of a name: behind a sign or a colon, with nothing but a year after it
_IN_A_NAMES_PLACE = re.compile(r"(?:\A|[©:;/|]|\(c\)|copyright)\s*(\([^()\[\]<>{}\n]{1,40}\))"
                               r"(?=[\s.,]*(?:\d{4}\W*)?(?:\Z|[;/|])|\.\s)", re.IGNORECASE)
#: dots in the place of a name, and not at the end of a list
_LEFT_OUT = re.compile(r"(?:\A|[©:]|\(c\)|copyright)\s*(…|\.{3,})(?!\w)", re.IGNORECASE)
#: brackets of other scripts, each with the ASCII one that is read alike
_WIDE = str.maketrans("（）［］【】〔〕〈〉｛｝＜＞《》「」『』：", "()[][][][]{}<>«»«»«»:")
_ANGLES = re.compile(r"<\s?([^<>\n]{0,80}?)\s?>")
_BRACES = re.compile(r"[$#%]?\{{1,3}\s{0,3}([^{}\n]{1,60}?)\s{0,3}\}{1,3}")
_VARIABLES = re.compile(r"(?<![\w$])\$[A-Za-z_][A-Za-z_]+[0-9]?\$?(?!\w)|(?<![\w%])%[A-Za-z_]{3,30}%|%\([a-z_]{1,30}\)s"
                        r"|(?<![\w%])@@?[A-Z_]{3,30}@@?(?!\w)")
_PATTERNS_OF_DATES = re.compile(
    r"(?<![\w/.?&=-])(?:(?:DD|TT|JJ|GG|dd|tt|jj|gg)[./-](?:MM|mm)[./-])?(?:YYYY|JJJJ|AAAA|RRRR|ÅÅÅÅ|VVVV|XXXX|EEEE|yyyy|jjjj|aaaa"
    r"|rrrr|åååå|áááá|vvvv|ΕΕΕΕ|ГГГГ|20XX|20xx|20YY|20yy|19XX)(?:[./-](?:MM|mm)(?:[./-](?:DD|TT|JJ|dd|tt|jj))?)?(?![\w/=])")
_DOTS = re.compile(r"(?<![\w_])_{3,}(?![\w_])|(?<!\.)\.{5,}(?!\.)")
_ONLY_DOTS = re.compile(r"\s*(?:\.{2,}|…|_+|-{2,}|x{2,}|X{2,}|\?+)?\s*\Z")
_ADDRESS = re.compile(r"[a-z][a-z+.-]*:|www\.|[^\s@]+@[^\s@]+\.", re.IGNORECASE)
_TAG = re.compile(r"/|!|(?:a|abbr|address|article|b|big|blockquote|body|br|center|cite|code|dd|div|dl|dt|em|font"
                  r"|h[1-6]|head|hr|html|i|img|li|meta|ol|p|pre|s|script|section|small|span|strong|style|sub|sup|table|tbody|td|th|tr|tt|u|ul"
                  r")(?:\s+[a-z-]+\s*=|\s*/|\Z)", re.IGNORECASE)
_YEAR_NUMBER = re.compile(r"(?:1[89]|20)\d\d(?:\s?[-–/]\s?(?:(?:1[89]|20)?\d\d))?\Z")
_GUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_WORD = re.compile(r"[^\W\d_]+")
_KEBAB = re.compile(r"[^\W\d]+(?:[-_][^\W_]+)+\Z")
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=512)
def unfilled_blanks(text: str) -> Tuple[str, ...]:
    """Return the blanks of ``text`` as written, in order: ``[year]``, ``<Jahr>``, ``{name}``, ``$date``, ``YYYY``.

    Ordinary words, numbers and addresses in brackets ("[2016]", "[sic]", "IGN [España]", "<https://…>") and tags of
    HTML are left out. A year or date in plain words counts where no article makes it part of a sentence ("BKG, Jahr des
    letzten Datenbezugs", but not "das Jahr des letzten Datenbezugs").
    """
    text = text[:_MAX_TEXT]
    taken: List[Tuple[int, int]] = []
    for start, end in sorted(_positions(text.translate(_WIDE)), key=lambda span: (span[0], -span[1])):
        if not taken or start >= taken[-1][1]:
            taken.append((start, end))
    return tuple(dict.fromkeys(text[start:end] for start, end in taken))


def _positions(text: str) -> Iterator[Tuple[int, int]]:
    for match in _BRACKETS.finditer(text):
        square, others = match.group(1), match.group(2) or match.group(3) or match.group(4) or match.group(5) or ""
        if _is_left_open(square) if square is not None else _is_moment(others):
            yield match.span()
    for match in _ANGLES.finditer(text):
        if _is_angle_blank(text, match.start(), match.group(1)):
            yield match.span()
    for match in _BRACES.finditer(text):
        content = match.group(1)
        if not (_GUID.match(content) or _YEAR_NUMBER.match(content) or re.search("[\"':,;]", content)):
            yield match.span()
    for match in _IN_A_NAMES_PLACE.finditer(text):
        words = _WORD.findall(fold(match.group(1)))
        if words and _has_open_noun(words, _NOUN, False):
            yield match.span(1)
    for match in _LEFT_OUT.finditer(text):
        yield match.span(1)
    for pattern in (_VARIABLES, _PATTERNS_OF_DATES, _DOTS, _bare_moments()):
        for match in pattern.finditer(text):
            yield match.span()


def _is_angle_blank(text: str, start: int, content: str) -> bool:
    """Return true for ``<Jahr>``, but not for a comparison ("a <b and c> d"), an address or a tag."""
    if _ONLY_DOTS.match(content):
        return True
    if not (content[0].isalpha() or content[0] in "_…#%$" or _is_left_open(content)):
        return False
    if _ADDRESS.match(content) or _TAG.match(content) or re.match(r"\w\s", content):
        return False
    glued = start > 0 and text[start - 1].isalnum()
    return not (glued and " " in content.strip())


def _is_left_open(content: str) -> bool:
    """Return true where the words in square brackets ask for something ("year-of-download", "…")."""
    if _ONLY_DOTS.match(content):
        return True
    if _ADDRESS.match(content.strip()):
        return False
    if _PATTERNS_OF_DATES.fullmatch(content.strip()):
        return True
    if _DIGIT.search(content) and not re.search(r"\b4[ -]", content):
        return False
    words = _WORD.findall(fold(content))
    if not words:
        return False
    if is_blank_word(words[0], "request") or is_blank_word(words[-1], "request") and len(words) > 1:
        return True
    return _has_open_noun(words, _NOUN, bool(_KEBAB.match(content.strip())))


def _is_moment(content: str) -> bool:
    """Return true where other brackets or quotation marks hold nothing but a year or date to be filled."""
    if _DIGIT.search(content):
        return False
    words = _WORD.findall(fold(content))
    if not words:
        return False
    if is_blank_word(words[0], "request") and is_blank_word(words[-1], *_NOUN):
        return True
    return not is_blank_word(words[0], "ambiguous") and _has_open_noun(words, _MOMENT, False)


def _has_open_noun(words: List[str], nouns: Tuple[str, ...], joined: bool) -> bool:
    """Return true where the words are a noun to be filled, or one with the words that say of what."""
    while len(words) > 1 and is_blank_word(words[0], "article"):
        words = words[1:]
    first, last = words[0], words[-1]
    if len(words) == 1:
        return is_blank_word(first, *nouns)
    if joined and any(is_blank_word(word, *nouns) for word in words):
        return True
    if is_blank_word(first, *nouns):
        return not is_blank_word(first, "ambiguous") or is_blank_word(words[1], "of") or words[1].startswith(
            ("pobr", "aktual", "publi", "dost"))
    return is_blank_word(last, *nouns) and not is_blank_word(last, "ambiguous") and len(words) <= 4


@lru_cache(maxsize=1)
def _bare_moments() -> Pattern[str]:
    """Return the pattern of a year or date in plain words, with what it is of and without an article."""
    article = "".join(rf"(?<!\b{word}\s)" for word in (
        "the", "das", "dem", "des", "el", "al", "del", "la", "le", "de", "il", "o", "do", "no", "lo", "den",
        "het", "a", "in", "im"))
    of = (r"(?:Jahr|Datum|Jahreszahl)\s+(?:des|der)\s+(?:(?:letzten|jeweiligen|aktuellen)\s+)?"
          r"(?:Daten\w*|\w*[Bb]ezug(?:e?s)?|Abrufs?|Veröffentlichung|Nutzung|Downloads?|Herunterladens|Zugriffs)"
          r"|(?:year|date)\s+of\s+(?:(?:the|last|latest|data|your)\s+){0,3}"
          r"(?:download|access|publication|retrieval|update|supply|delivery|issue|use)"
          r"|(?:año|fecha|ano|data|any)\s+(?:de\s+(?:la\s+)?|d['’]|da\s+)(?:última\s+)?"
          r"(?:publicación|descarga|acceso|consulta|actualización|publicação|acesso|publicació|descàrrega|accés)"
          r"|(?:année|date)\s+(?:de\s+(?:la\s+)?|du\s+|d['’])(?:dernière\s+)?"
          r"(?:publication|téléchargement|accès|mise\s+à\s+jour|consultation|extraction)"
          r"|(?:anno|data)\s+(?:di\s+|d['’])(?:pubblicazione|accesso|consultazione|aggiornamento|scaricamento)"
          r"|(?:rok|roku|data)\s+(?:pobrania|publikacji|wydania)"
          r"|(?:vrsta\s+podatka\s+in\s+)?čas,\s+na\s+katerega\s+se\s+podatki\s+nanašajo"
          r"(?:\s+oziroma\s+datum\s+stanja\s+zbirke\s+podatkov)?")
    return re.compile(rf"(?<![\w'’-]){article}(?:{of})(?!\w|\s?:?\s?\d)", re.IGNORECASE)


_LETTERS = re.compile(r"[^\W_]+")
#: the month in a blank for a whole date ("TT.MM.JJJJ"), which is none for a year
_MONTH = re.compile(r"(?i)\bMM\b")


def current_day() -> date:
    """Return today where the person is, who reads the year on the page."""
    return datetime.now().astimezone().date()


def fill_year(statement: str, year: str, today: Optional[date] = None) -> str:
    """Return a statement with its blanks for a year filled ("[year]", "JJJJ", "<Jahr des letzten Datenbezugs>").

    ``year`` is that of the data, or "" where it is not known. A blank for the year or the day on which the data was
    fetched gets that of ``today``. What cannot be known stays as it is.
    """
    for blank in unfilled_blanks(statement):
        filling = _filling(blank, year, today or current_day())
        if filling:
            statement = statement.replace(blank, filling)
    return statement


def _filling(blank: str, year: str, today: date) -> str:
    words = _LETTERS.findall(fold(blank))
    is_year, is_date, is_part, is_retrieved = (any(is_blank_word(word, *kinds) for word in words) for kinds in (
        ("year", "pattern"), ("date",), ("part",), ("retrieval",)))
    if is_retrieved:
        return today.isoformat() if (is_date or is_part) and not is_year else str(today.year)
    is_whole_date = is_part or is_date and len(words) == 1 or _MONTH.search(blank) is not None
    return year if is_year and not is_whole_date else ""

"""Texts in comparable forms, on one line, or shortened, and foreign text for places that may read it as more.

Text from records, services and documents is passed on through one of these functions, each for one kind of place:
:func:`printable` for widgets that show plain text, :func:`inert` for what guesses a format (tooltips, and the layers,
groups, legends and labels of QGIS), :func:`escaped` for HTML, ``csv_tables`` for cells of a spreadsheet,
``files.safe_file_name`` for file names, and ``wms.requests.urls.with_parameters`` for parts of an address.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, TypeVar

from .i18n import tr

Value = TypeVar("Value")

_SPACE = re.compile(r"\s+")
#: the characters of Unicode's category Cc
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_LOOKALIKES = str.maketrans({**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("’‘´", "'"), **dict.fromkeys("“”«»„", '"'),
                             "\u00ad": None, "\u200b": None})
_DIGITS = re.compile("([0-9]+)")
#: neither ASCII nor one of the accents (all of which combine)
_NON_ASCII_BASE = re.compile("[^\x00-\x7f\u0300-\u033f]")

#: characters that HTML forbids, and halves of surrogate pairs, which no encoding can write
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
#: marks that turn the direction of the text after them
_BIDI_CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
#: characters that begin an expression of QGIS, a tag, or an escaped tag, by which Qt recognises rich text
_ACTIVE_START = re.compile(r"\[(?=%)|<(?=\s*[A-Za-z/!?])|&(?=lt;)")
#: an entity of a character by a number of more digits than any has
_LONG_NUMBER = re.compile(r"&#(?:[0-9]{9}|[xX][0-9a-fA-F]{9})")
#: characters of a title or name: a longer one is no title
MAX_TITLE = 500
#: the parts of a paragraph that stand on lines of their own in a label, as a regular expression of Python and of QGIS:
#: up to the last sentence's end within 1,200 characters, or up to a space. From 3.24 on QGIS breaks a paragraph into
#: lines in a time that grows with the cube of its length: 0.2 s for 1,000 characters, 46 s for 8,000
LABEL_LINE_PATTERN = "(?=[^\n]{1300})([^\n]{900,1200}[.;:!?·]|[^\n]{1100,1300}) "
#: characters of one value of a record on the screen, far more than people read there. A window can neither lay out a
#: text of a megabyte in time nor show it
MAX_SHOWN = 20_000


def printable(value: object) -> str:
    """Return ``value`` as text without control characters and direction marks, so that it can be shown anywhere."""
    return _BIDI_CONTROLS.sub("", _FORBIDDEN.sub("\ufffd", str(value)))


def escaped(value: object) -> str:
    """Return ``value`` as HTML text, also for attributes in quotation marks."""
    import html  # its table of entities would be read at the start of QGIS

    return html.escape(printable(value), quote=True)


def unescaped(text: str) -> str:
    """Return HTML text with its entities replaced by their characters.

    Numbers with more digits than any character has stay as written, because Python refuses to read long ones.
    """
    import html  # its table of entities would be read at the start of QGIS

    return html.unescape(_LONG_NUMBER.sub(lambda found: "&amp;" + found[0][1:], text))


def inert(value: object) -> str:
    """Return ``value`` as text that neither Qt nor QGIS reads as markup or as an expression.

    Qt guesses rich text by its first tag, QGIS evaluates ``[% … %]`` in names and labels and shows some texts as HTML.
    A zero-width space behind the character that begins any of them prevents that and leaves the look of the text
    unchanged. Control characters and direction marks are replaced as by :func:`printable`.
    """
    return _ACTIVE_START.sub("\\g<0>\u200b", printable(value))


def without_direction_marks(text: str) -> str:
    """Return ``text`` without the marks that turn the direction of the text after them, which hide its order."""
    return _BIDI_CONTROLS.sub("", text)


def fold(text: str) -> str:
    """Return ``text`` in lower case without accents, with plain dashes, quotes and white space, for comparison only."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        if _NON_ASCII_BASE.search(text):
            return _fold_unicode(text)
        text = text.encode("ascii", "ignore").decode("ascii")
    return " ".join(text.lower().split())


def _fold_unicode(text: str) -> str:
    bare = "".join(char for char in text if not unicodedata.combining(char))
    return _SPACE.sub(" ", bare.casefold().translate(_LOOKALIKES)).strip()


def sort_key(text: str) -> Tuple[Tuple[Any, ...], str]:
    """Return a key that sorts as people count and spell: numbers by their value, accents and case only among equals."""
    parts: List[Any] = [part.strip() for part in _DIGITS.split(fold(text))]
    # numbers of any length, for which int() would refuse some
    parts[1::2] = [(len(digits), digits) for digits in (part.lstrip("0") for part in parts[1::2])]
    return tuple(parts), text


def single_line(text: str) -> str:
    """Return ``text`` on one line. Control characters and runs of white space become one space each."""
    return _SPACE.sub(" ", _CONTROLS.sub(" ", text)).strip()


def states_nothing(text: Optional[str]) -> bool:
    """Return True for a blank text, and for the reserved word "none" of Fees and AccessConstraints.

    OGC 06-042 7.2.4.3 reserves it for WMS, OWS Common for the other services.
    """
    return (text or "").strip().lower() in ("", "none")


def unique_texts(texts: Iterable[str]) -> List[str]:
    """Return the texts in order, without those that differ only in accents, case or white space from an earlier one."""
    seen: Dict[str, str] = {}
    for text in texts:
        seen.setdefault(fold(text), text)
    return list(seen.values())


def truncate(text: str, length: int) -> str:
    """Return at most ``length`` characters of ``text``, with an ellipsis if it was cut."""
    return text if len(text) <= length else text[:length - 1].rstrip() + "…"


def truncate_words(text: str, length: int) -> str:
    """Return at most ``length`` characters of ``text`` as ``truncate`` does, cut after a word where there are several.
    """
    if len(text) <= length:
        return text
    kept = text[:length - 1]
    if not text[length - 1:length].isspace():
        kept = next((text[:at] for at in range(length - 2, length // 2, -1) if text[at].isspace()), kept)
    return kept.rstrip().rstrip(",;:") + "…"


def shorten(text: Optional[str], length: int = 120) -> str:
    """Return ``text`` on one line of at most ``length`` characters, with an ellipsis if it was cut."""
    return truncate(" ".join((text or "").split()), length)


def list_names(names: Sequence[str], limit: int = 3) -> str:
    """Return the first ``limit`` names separated by commas, and the number of the others ("a, b and 4 more")."""
    listed = ", ".join(names[:limit])
    return listed if len(names) <= limit else tr("{names} and %n more", n=len(names) - limit, names=listed)


def list_quoted_names(names: Iterable[str], limit: int = 3) -> str:
    """Return the first ``limit`` names in the language's quotation marks, and the number of the others."""
    return list_names([quoted(name) for name in names], limit)


def quoted(text: str) -> str:
    """Return ``text`` in the quotation marks of the user's language."""
    return tr("“{words}”", words=text)


def bounded_title(text: str) -> str:
    """Return a title or name, cut at :data:`MAX_TITLE` characters."""
    return truncate(text, MAX_TITLE)


def with_short_paragraphs(text: str) -> str:
    """Return ``text`` for a label of a layout, with line breaks in paragraphs that QGIS would lay out too slowly."""
    return re.sub(LABEL_LINE_PATTERN, "\\1\n", text)


def with_bounded_texts(value: Value, length: int = MAX_SHOWN) -> Value:
    """Return a dataclass with every text in it, at any depth, cut at ``length`` characters and saying so.

    What has no longer text is returned as it is, the same object.
    """
    bounded: Value = _bounded(value, length)
    return bounded


def _bounded(value: Any, length: int) -> Any:
    from dataclasses import fields, is_dataclass, replace  # not at the start of QGIS

    if type(value) is str:
        if len(value) <= length:
            return value
        return truncate(value, length) + " " + tr("[This text is very long. The original document has all of it.]")
    if isinstance(value, tuple):
        items = tuple(_bounded(item, length) for item in value)
        return value if all(new is old for new, old in zip(items, value)) else items
    if is_dataclass(value) and not isinstance(value, type):
        changes: Dict[str, Any] = {}
        for field in fields(value):
            old = getattr(value, field.name)
            new = _bounded(old, length)
            if new is not old:
                changes[field.name] = new
        return replace(value, **changes) if changes else value
    return value

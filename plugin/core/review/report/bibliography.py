"""Works to cite, also those of records, as text, as BibTeX and as CSL-JSON (Citation Style Language 1.0.2)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from ...i18n import tr
from ...records.model.record import Contact, Record, ResourceKind, title_of_record
from ...terms.credit_line import credited_year
from ...text import fold, printable, single_line

#: characters that TeX reads as commands. The braces' names are used, because BibTeX counts escaped braces too
_TEX = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "%": r"\%", "&": r"\&",
    "#": r"\#", "$": r"\$", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"})
_PLAIN = re.compile(r"[a-z0-9]+")
_YEAR = re.compile(r"\d{4}\Z")
#: characters of an address that neither end a field of BibTeX nor need an escape there
_ADDRESS = "!$&'()*+,/:;=?@%~#[]"


class WorkKind(str, Enum):
    """Kinds of works, as CSL's item types."""

    MAP = "map"
    DATASET = "dataset"
    SERVICE = "webpage"
    OTHER = "document"


class CitationFormat(str, Enum):
    """Forms in which works are cited."""

    TEXT = "text"
    BIBTEX = "bibtex"
    CSL_JSON = "csl-json"

    @property
    def label(self) -> str:
        """The form's name for people."""
        return {CitationFormat.TEXT: tr("Text"), CitationFormat.BIBTEX: "BibTeX",
                CitationFormat.CSL_JSON: "CSL-JSON"}[self]


@dataclass(frozen=True)
class Author:
    """An author: an organisation, or a person whose family name is known if ``given`` is not empty.

    Catalogues rarely separate names, and "Ana García López" does not show which part is the family name. Such names
    are cited as they are written.
    """

    name: str
    given: str = ""


@dataclass(frozen=True)
class Work:
    """A work to cite. ``year`` is that of its contents, ``day`` the date of its making where it is known.

    ``accessed`` is the day on which ``address`` was read, ``scale`` a ratio as people write it.
    """

    kind: WorkKind
    title: str
    authors: Tuple[Author, ...] = ()
    year: str = ""
    day: Optional[date] = None
    publisher: str = ""
    address: str = ""
    accessed: Optional[date] = None
    language: str = ""
    scale: str = ""
    note: str = ""
    identifier: str = ""

    @property
    def key(self) -> str:
        """The key of the work, of ASCII letters and digits: author, year and the first long word of the title."""
        author = _plain_words(self.authors[0].name)[:1] if self.authors else []
        title = [word for word in _plain_words(self.title) if len(word) > 3][:1]
        return "".join([*author, self.year[:4], *title]) or "map"


def written_citations(citation_format: CitationFormat, works: Sequence[Work], texts: Sequence[str]) -> str:
    if citation_format is CitationFormat.BIBTEX:
        return bibtex(works)
    return csl_json(works) if citation_format is CitationFormat.CSL_JSON else "\n".join(texts)


def bibtex(works: Sequence[Work]) -> str:
    """Return the works as entries of BibTeX in UTF-8, each with another key.

    Names and titles are in additional braces, so that no style changes their case or takes organisations apart.
    """
    return "\n".join(_entry(work, key) for work, key in zip(works, _keys(works)))


def csl_json(works: Sequence[Work]) -> str:
    """Return the works as a CSL-JSON array. Organisations and undivided names are literal names."""
    return json.dumps([_csl_item(work, key) for work, key in zip(works, _keys(works))], ensure_ascii=False,
                      indent=2) + "\n"


def author_of(organisation: str, individual: str = "") -> Author:
    """Return an organisation as author, else a person. A comma divides the family name from the given names."""
    if organisation.strip():
        return Author(_line(organisation))
    family, comma, given = individual.partition(",")
    if comma and "," not in given and family.strip() and given.strip():
        return Author(_line(family), _line(given))
    return Author(_line(individual))


def _entry(work: Work, key: str) -> str:
    fields = [("author", " and ".join(map(_bibtex_name, work.authors))), ("title", _braced(work.title)),
              ("year", _tex(work.year)), ("publisher", _braced(work.publisher)),
              ("howpublished", {WorkKind.MAP: "Map", WorkKind.DATASET: "Dataset", WorkKind.SERVICE: "Web map service"}
               .get(work.kind, "")),
              ("note", _tex(_joined(work.scale, work.note))), ("language", _tex(work.language)),
              ("url", quote(work.address, safe=_ADDRESS, errors="replace")),
              ("urldate", work.accessed.isoformat() if work.accessed is not None and work.address else "")]
    lines = [f"  {name} = {{{value}}}" for name, value in fields if value]
    return "@misc{" + ",\n".join([key, *lines]) + "\n}\n"


def _bibtex_name(author: Author) -> str:
    # "and" and commas of a name are not separators within braces
    return f"{_braced(author.name)}, {_braced(author.given)}" if author.given else _braced(author.name)


def _braced(text: str) -> str:
    written = _tex(text)
    return f"{{{written}}}" if written else ""


def _tex(text: str) -> str:
    return _line(text).translate(_TEX)


def _csl_item(work: Work, key: str) -> Dict[str, Any]:
    issued = _csl_date(work.day) if work.day is not None and str(work.day.year) == work.year else (
        {"date-parts": [[int(work.year)]]} if _YEAR.match(work.year) else {"raw": _line(work.year)})
    members: Dict[str, Any] = {
        "id": key, "type": work.kind.value, "title": _line(work.title),
        "author": [{"family": author.name, "given": author.given} if author.given else {"literal": author.name}
                   for author in work.authors],
        "issued": issued if work.year else None, "publisher": _line(work.publisher), "URL": work.address,
        "accessed": _csl_date(work.accessed) if work.accessed is not None and work.address else None,
        "language": _line(work.language), "scale": _line(work.scale), "note": _line(work.note),
        "number": _line(work.identifier)}
    return {name: value for name, value in members.items() if value}


def _csl_date(day: date) -> Dict[str, Any]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def _keys(works: Sequence[Work]) -> List[str]:
    """Return a key for each work, with a number behind those that are taken."""
    keys: List[str] = []
    for work in works:
        key, number = work.key, 1
        while key in keys:
            number += 1
            key = f"{work.key}-{number}"
        keys.append(key)
    return keys


def _joined(*texts: str) -> str:
    return ". ".join(text.rstrip(".") for text in map(_line, texts) if text)


def _plain_words(text: str) -> List[str]:
    return _PLAIN.findall(fold(text))


def _line(text: str) -> str:
    return single_line(printable(text))


_KINDS = {ResourceKind.SERVICE: WorkKind.SERVICE, ResourceKind.DATASET: WorkKind.DATASET,
          ResourceKind.SERIES: WorkKind.DATASET}


def citation(record: Record, address: str, today: str) -> str:
    """Return the citation of what a record describes, in the order of ISO 690.

    ``address`` is that of its service or of its page, or "". ``today`` is the date of access as it is written.
    """
    year = credited_year(record)
    head = " ".join(part for part in (_owner(record) or "", f"({year})" if year else "") if part)
    parts = [single_line(part).rstrip(".") for part in (head, record.title or record.id or "") if part]
    text = ". ".join(parts) + "." if parts else ""
    return f"{text} {tr('{address} (accessed on {day})', address=address, day=today)}".strip() if address else text


def record_work(record: Record, address: str, today: date) -> Work:
    """Return what a record describes as a work to cite. ``address`` and ``today`` as for ``citation``."""
    owner = _responsible(record)
    return Work(_KINDS.get(record.kind, WorkKind.OTHER), title_of_record(record),
                (author_of(owner.organisation or "", owner.individual or ""),) if owner is not None else (),
                credited_year(record), publisher=_publisher(record), address=address, accessed=today,
                language=record.language or "", identifier=record.id or "")


def _owner(record: Record) -> Optional[str]:
    """Return the organisation, or else the person, that is responsible."""
    contact = _responsible(record)
    return contact.organisation or contact.individual if contact is not None else None


def _responsible(record: Record) -> Optional[Contact]:
    """Return the responsible party: author, owner, publisher, any contact."""
    for role in ("author", "owner", "publisher", "pointOfContact", None):
        for contact in record.contacts:
            if role in (None, contact.role) and (contact.organisation or contact.individual):
                return contact
    return None


def _publisher(record: Record) -> str:
    return next((contact.organisation for contact in record.contacts
                 if contact.role == "publisher" and contact.organisation), "")

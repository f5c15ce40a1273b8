"""Index rows: the fields of a record that searches need, and its position in the static order.

The static order is the order of the rowids: services, then datasets, then other records, the newer before the older.
FTS5 returns matches in rowid order lazily, so the first results of a common word cost as little as those of a rare one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import chain
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from ...box import Box
from ...distributions.kinds import LinkKind
from ...distributions.record_distributions import coupled_identifiers, distributions_of, wms_address
from ...distributions.uses import offered_distributions
from ...records.model.endpoints import normalise_endpoint
from ...records.model.record import Record, ResourceKind, is_starter
from ...terms import terms_for
from ...terms.model import Terms
from ...text import fold
from ..query import Facet
from .index_terms import TITLE_MARK

_SEQUENCE_NUMBER_BITS = 36
_KIND_RANKS = {ResourceKind.SERVICE.value: 0, ResourceKind.DATASET.value: 1, ResourceKind.SERIES.value: 1}
_WORD = re.compile(r"[^\W_]+")
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2})(?!\d)")
_DATE_ORDER = ("revision", "publication", "creation", "lastUpdate", "lastRevision", "released")
#: non-ASCII characters that separate words in Latin texts
_SEPARATORS = (r"\x80-\x9f\xa1-\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xb7\xbb\xbf\xd7\xf7"
               r"\u2010\u2012-\u2016\u2018-\u2023\u20a0-\u20a7\u20a9-\u20cf")
_SEPARATOR_RUN = re.compile("[" + _SEPARATORS + "]+")
#: anything but ASCII, accents and separators needs full folding
_NEEDS_FOLDING = re.compile(r"[^\x00-\x7f\u0300-\u033f" + _SEPARATORS + "]")
#: translates ASCII letters and digits to lower case, everything else to a space
_LOWER_ASCII_TABLE = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else 32 for code in range(256))
#: the accents U+0300 to U+033F in UTF-8, which are all that remains of a Latin text without its ASCII
_ACCENTS = re.compile(rb"(?:\xcc[\x80-\xbf])*")
_ASCII_BYTES, _NON_ASCII_BYTES = bytes(range(128)), bytes(range(128, 256))
_MAX_KEYWORDS = 60
_MAX_BODY = 8000


@dataclass(frozen=True)
class IndexRow:
    """Fields of one record in the index. ``bbox`` is west, south, east, north in degrees (CRS:84), or None."""

    identifier: str
    date_stamp: str
    title: str
    sort_title: str
    #: a ResourceKind value
    kind: str
    service_type: str
    year: Optional[int]
    organisation: str
    licence: str
    free: str
    credit_required: str
    endpoint: str
    overview: str
    #: the LinkKind value of what is added of the record, "" for nothing, "?" if its service has to be asked
    offered: str
    starter: bool
    bbox: Optional[Box]
    #: each folded word once, words of the title again with TITLE_MARK
    marked_terms: str
    keywords: Tuple[str, ...]

    @property
    def facets(self) -> Dict[str, Tuple[str, ...]]:
        """Return the facet values of this record. ``Facet.SOURCE`` is added by the indexer."""
        return {
            Facet.KIND: (self.kind,),
            Facet.SERVICE_TYPE: (self.service_type,) if self.service_type else (),
            Facet.LICENCE: (self.licence,),
            Facet.YEAR: (str(self.year),) if self.year else (),
            Facet.ORGANISATION: (self.organisation,) if self.organisation else (),
            Facet.KEYWORD: self.keywords,
        }


def index_row(record: Record, terms: Optional[Terms] = None) -> IndexRow:
    """Return the index row of ``record``. Its terms are resolved unless they are given."""
    resolved = terms if terms is not None else terms_for(record)
    title = record.title or record.id or ""
    keywords = _distinct(record.keywords)[:_MAX_KEYWORDS]
    organisations = _organisations(record)
    address = wms_address(record) or ""
    body = " ".join(
        part for part in (*record.alternate_titles, *keywords, *organisations, record.id, record.purpose,
                          record.service_type, address, *coupled_identifiers(record)[:_MAX_KEYWORDS],
                          *(fee for fee in (record.fees, resolved.licence.title if resolved.licence else None) if fee),
                          record.abstract,
                          ) if part)
    return IndexRow(identifier=record.id or "", date_stamp=record.date_stamp or "", title=title, sort_title=fold(title),
                    kind=record.kind.value, service_type=record.service_type or "", year=record_year(record),
                    organisation=main_organisation(record), licence=licence_code(resolved),
                    free=resolved.free.value, credit_required=resolved.credit_required.value,
                    endpoint=normalise_endpoint(address) if address else "",
                    overview=record.overviews[0].url if record.overviews else "",
                    offered=LinkKind.WMS.value if address else _offered(record), starter=is_starter(record),
                    bbox=_bounding_box(record), marked_terms=_marked_terms(tokenize(title), tokenize(body[:_MAX_BODY])),
                    keywords=keywords,
                    )


def _offered(record: Record) -> str:
    best = next(iter(offered_distributions(distributions_of(record))), None)
    return "" if best is None else best.kind.value if best.kind is not None else "?"


def static_record_id(row: IndexRow, sequence: int) -> int:
    """Return the rowid for the record's position in the static order: by kind, then year (newest first), then
    ``sequence``.
    """
    year = min(max(row.year or 0, 0), 9999)
    return ((_KIND_RANKS.get(row.kind, 2) * 10000 + 9999 - year) << _SEQUENCE_NUMBER_BITS) | sequence


def tokenize(text: str) -> List[str]:
    """Return the folded words of ``text``, in order. Numbers are words, punctuation separates them."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
        data = text.encode("utf-8", "replace")
        if _ACCENTS.fullmatch(data.translate(None, _ASCII_BYTES)):
            return data.translate(_LOWER_ASCII_TABLE, _NON_ASCII_BYTES).decode("ascii").split()
        if _NEEDS_FOLDING.search(text):
            return _WORD.findall(fold(text))
        text = _SEPARATOR_RUN.sub(" ", text)
    return text.encode("ascii", "ignore").translate(_LOWER_ASCII_TABLE).decode("ascii").split()


def main_organisation(record: Record) -> str:
    """Return the value of the organisation facet: that of the first contact that names one, or an empty text."""
    return next(iter(_organisations(record)), "")


def licence_code(terms: Terms) -> str:
    """Return the value of the licence facet: the id of a well-known licence, or "free", "fees" or "undecided"."""
    if terms.licence is not None:
        return terms.licence.id
    return {"yes": "free", "no": "fees"}.get(terms.free.value, "undecided")


def record_year(record: Record) -> Optional[int]:
    """Return the year of the resource's last revision, publication or creation, or else of any date in the record."""
    by_type = {date.type or "": date.value for date in reversed(record.dates)}
    candidates = [by_type[kind] for kind in _DATE_ORDER if kind in by_type]
    candidates += [date.value for date in record.dates]
    for value in candidates:
        match = _YEAR.search(value)
        if match:
            return int(match.group(1))
    return None


def _marked_terms(title: Sequence[str], body: Sequence[str]) -> str:
    plain = dict.fromkeys(chain(title, body))
    return " ".join([*plain, *[TITLE_MARK + word for word in dict.fromkeys(title)]])


def _organisations(record: Record) -> Tuple[str, ...]:
    return _distinct(contact.organisation for contact in record.contacts + record.metadata_contacts)


def _distinct(values: Iterable[Optional[str]]) -> Tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))


def _bounding_box(record: Record) -> Optional[Box]:
    """Return the bounding box of all extents of the record that are valid on the globe, or None.

    An extent that crosses the antimeridian (west greater than east) spans all longitudes.
    """
    boxes = [extent.box for extent in record.extents]
    return Box.around(box.in_order for box in boxes if box is not None and box.is_on_globe)

"""Reading of records from documents and packages, by the format detected in their content."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from lxml import etree

from ... import safe_xml
from ...addresses import AddressSecret, TooManySecrets, document_without_secrets
from ...errors import CartoguideError, NotARecord, UnreadableDocument, too_large
from ...i18n import tr
from ...json_document import parse_json
from ..formats import atom, ckan, dcat, dublin_core, ogcapi_records, ows_context, stac
from ..formats.from_service import record_from_service
from ..iso import iso19115_3, iso19139
from ..model.record import Record, RecordFormat
from ..rdf.json_ld import is_json_ld
from ..rdf.rdf_xml import rdf_roots
from . import format_detection, packages
from .format_detection import DocumentFormat

Element = etree._Element
#: (record element, preferred language, bytes of the record, source) -> Record
RecordReader = Callable[[Element, str, bytes, str], Record]

#: limit for the total size of records cut out of an envelope, each of which repeats the envelope's namespaces
_MIN_BUDGET, _BUDGET_PER_BYTE = 16_000_000, 8

#: the encoding in an XML declaration
_ENCODING = re.compile(rb"(\A\s*<\?xml[^>]{0,200}?)\s+encoding\s*=\s*[\"'][^\"']*[\"']")

_READERS: Dict[RecordFormat, RecordReader] = {
    RecordFormat.ISO19139: iso19139.read_record, RecordFormat.ISO19115_3: iso19115_3.read_record,
    RecordFormat.DUBLIN_CORE: dublin_core.read_record, RecordFormat.ATOM: atom.read_entry,
}
#: formats of documents that have records themselves
_DOCUMENTS = (DocumentFormat.JSON, DocumentFormat.XML, DocumentFormat.TURTLE)


def read(data: bytes, name: str = "", language: str = "", capabilities_as_record: bool = False) -> List[Record]:
    """Return every record of ``data`` in the document's order, an empty list for an empty answer of a catalogue.

    ``language`` (ISO 639, two or three letters) selects among localised texts. WMS capabilities give a record of the
    service if ``capabilities_as_record`` is set, otherwise they are refused.

    Raises UnreadableDocument if the bytes are broken or hostile, NotARecord if they are another kind of document.
    Entries of a package that cannot be read raise only if no record is found. Use ``read_all`` for their errors.
    """
    records: List[Record] = []
    problems: List[CartoguideError] = []
    for result in read_all(data, name, language, capabilities_as_record):
        if isinstance(result, CartoguideError):
            problems.append(result)
        else:
            records.append(result)
    if problems and not records:
        raise problems[0]
    return records


def read_all(data: bytes, name: str = "", language: str = "", capabilities_as_record: bool = False
             ) -> Iterator[Union[Record, CartoguideError]]:
    """Yield the records of a document or package one by one, and the error of each entry of a package that cannot be
    read.

    Arguments and errors as for ``read``.
    """
    document_format = format_detection.detect_format(data)
    if document_format in _DOCUMENTS:
        data, secrets = set_secrets_apart(data)
        for found in _read_document(document_format, data, name, language, capabilities_as_record):
            yield _with_findings(found, secrets)
        return
    if document_format == DocumentFormat.ZIP:
        yield from _read_package(data, name, language, capabilities_as_record)
        return
    if document_format == DocumentFormat.EMPTY:
        raise UnreadableDocument(tr("{name} is empty.", name=name or tr("The document")))
    raise format_detection.unsupported_format_error(document_format, name)


def set_secrets_apart(data: bytes) -> Tuple[bytes, Tuple[AddressSecret, ...]]:
    """Return a document without the logins and keys in its web addresses, and these. Most documents have none.

    A document in UTF-16 or UTF-32 that has some is returned in UTF-8. Raises UnreadableDocument if it is too large or
    has so many that it was made to take time.
    """
    if len(data) > safe_xml.MAX_BYTES:
        raise too_large(tr("The document"), safe_xml.MAX_BYTES, len(data))
    try:
        if b"\0" not in data[:4]:
            return document_without_secrets(data)
        readable = safe_xml.to_utf8(data)
        clean, secrets = document_without_secrets(readable)
    except TooManySecrets as error:
        raise UnreadableDocument(
            tr("The document was not read: it has too many addresses with a login or a key."), str(error)) from error
    except (LookupError, UnicodeDecodeError):
        return data, ()
    return (_ENCODING.sub(rb"\1", clean, count=1), secrets) if secrets else (data, ())


def _read_document(document_format: DocumentFormat, data: bytes, name: str, language: str,
                   capabilities_as_record: bool) -> Iterable[Union[Record, CartoguideError]]:
    if document_format == DocumentFormat.JSON:
        return read_json(data, name, language)
    if document_format == DocumentFormat.TURTLE:
        return dcat.read_turtle_records(data, language, name)
    return read_xml(data, name, language, capabilities_as_record)


def _with_findings(found: Union[Record, CartoguideError],
                   secrets: Tuple[AddressSecret, ...]) -> Union[Record, CartoguideError]:
    """Note in a record which of its addresses had a login or a key."""
    if not secrets or not isinstance(found, Record):
        return found
    written = found.original.replace(b"&amp;", b"&")
    own = dict.fromkeys(secret.address for secret in secrets if secret.address.encode("latin-1") in written)
    return replace(found, addresses_with_secrets=tuple(own)) if own else found


def read_json(data: bytes, name: str = "", language: str = "") -> List[Record]:
    """Return every record of a JSON document: STAC, CKAN, OWS Context, DCAT in JSON-LD, or OGC API - Records.

    The list is empty for an answer of a catalogue without any. ``language`` (ISO 639) chooses among localised texts of
    JSON-LD. Raises UnreadableDocument if it is not JSON, NotARecord if it is something else.
    """
    value = parse_json(data, name)
    for read in (stac.read_records, ckan.read_records, ows_context.read_records):
        records = read(value, data, name)
        if records is not None:
            return records
    described = dcat.read_value(value, language, data, name)
    return described if described is not None else ogcapi_records.read_value(value, data, name)


def describes_records(value: Any) -> bool:
    """Return whether a JSON value is a document of STAC, CKAN, OWS Context or JSON-LD, which is opened as a whole."""
    if stac.is_stac(value) or is_json_ld(value):
        return True
    return isinstance(value, dict) and (ckan.is_answer(value) or ows_context.is_context(value))


def read_xml(data: bytes, name: str = "", language: str = "", capabilities_as_record: bool = False
             ) -> List[Union[Record, CartoguideError]]:
    """Return every record of an XML document, and the errors of other entries in an answer of a catalogue.

    Raises UnreadableDocument if the document is broken or hostile, NotARecord if it contains no record.
    """
    try:
        root = safe_xml.parse(data, name)
    except UnreadableDocument:
        if format_detection.looks_like_html(data):
            raise format_detection.unsupported_format_error(DocumentFormat.HTML, name) from None
        raise
    kind = format_detection.record_format(root)
    if kind in _READERS and not (kind == RecordFormat.ATOM and any(True for _ in _record_elements(root))):
        return [_READERS[kind](root, language, data, name)]
    if capabilities_as_record and format_detection.is_wms_capabilities(root):
        from ...wms import read_service  # records are read without it

        return [record_from_service(read_service(data, name), source=name)]
    graphs = rdf_roots(root)
    if format_detection.is_other_document(root) and not graphs:
        raise format_detection.not_a_record_error(root, name)
    records: List[Union[Record, CartoguideError]] = []
    is_graph = graphs == [root]
    records += dcat.read_elements(graphs, language, data if is_graph else None, name) if graphs else []
    if records and is_graph:
        return records
    budget = _MIN_BUDGET + _BUDGET_PER_BYTE * len(data)
    for element, kind in _record_elements(root):
        original = safe_xml.serialise(atom.with_feed_source(element) if kind == RecordFormat.ATOM else element)
        budget -= len(original)
        if budget < 0:
            raise UnreadableDocument(
                tr("{name} expands to far more data than expected and was not read.",
                   name=name or tr("The document")))
        records.append(_READERS[kind](element, language, original, name))
    entries = format_detection.response_entries(root)
    if not records and entries is None:
        raise format_detection.not_a_record_error(root, name)
    return records + _unsupported_entries(entries or (), name)


def _unsupported_entries(entries: Sequence[Element], name: str) -> List[Union[Record, CartoguideError]]:
    """Return one error for each kind of entry in an answer that contains no record."""
    kinds = Counter(
        format_detection.describe_document(entry) for entry in entries
        if format_detection.record_format(entry) is None and not any(True for _ in _record_elements(entry))
        and not dcat.describes(rdf_roots(entry)))
    where = name or tr("The document")
    return [NotARecord(tr("{name} contains %n record(s) in a format that Cartoguide does not support: {what}.", n=count,
                          name=where, what=what), "", what) for what, count in kinds.items()]


def _record_elements(root: Element) -> Iterator[Tuple[Element, RecordFormat]]:
    """Yield the record elements in an envelope of any kind, none inside another. An Atom entry may be an envelope
    itself.
    """
    for child in root.iterchildren("*"):
        kind = format_detection.record_format(child)
        if kind == RecordFormat.ATOM:
            within = list(_record_elements(child))
            yield from within or [(child, RecordFormat.ATOM)]
        elif kind in _READERS:
            yield child, kind
        else:
            yield from _record_elements(child)


def _read_package(data: bytes, name: str, language: str, capabilities_as_record: bool
                  ) -> Iterator[Union[Record, CartoguideError]]:
    """Yield the records of a zip or MEF package. An entry that cannot be read does not affect the others."""
    where = name or tr("The package")
    found_anything = False
    for group in packages.read_entries(data, where):
        problem: Optional[CartoguideError] = None
        records: List[Union[Record, CartoguideError]] = []
        for path, content in group:
            if isinstance(content, CartoguideError):
                problem = problem or content
                continue
            try:
                records = _read_entry(content, f"{where}!{path}", language, capabilities_as_record)
            except CartoguideError as error:
                problem = problem or error
            if records:
                break
        found_anything = found_anything or bool(records) or problem is not None
        yield from records
        if problem is not None and not records:
            yield problem
    if not found_anything:
        raise NotARecord(tr("{name} is a zip package without catalogue records.", name=where), "", "zip")


def _read_entry(content: bytes, location: str, language: str, capabilities_as_record: bool
                ) -> List[Union[Record, CartoguideError]]:
    if not content.strip():
        raise UnreadableDocument(tr("{name} is empty.", name=location))
    found = format_detection.detect_format(content)
    content, secrets = set_secrets_apart(content)
    records = _read_document(found if found in _DOCUMENTS else DocumentFormat.XML, content, location, language,
                             capabilities_as_record)
    return [_with_findings(found, secrets) for found in records]

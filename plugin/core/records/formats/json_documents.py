"""Reader of JSON documents of records: STAC, CKAN, OWS Context, DCAT in JSON-LD, and OGC API - Records."""

from __future__ import annotations

from typing import Any, List

from ...json_document import parse_json
from ..model.record import Record
from ..rdf.json_ld import is_json_ld
from . import ckan, dcat, ogcapi_records, ows_context, stac

_READERS = (stac.read_records, ckan.read_records, ows_context.read_records)


def read_json(data: bytes, name: str = "", language: str = "") -> List[Record]:
    """Return every record of a JSON document, an empty list for an answer of a catalogue without any.

    ``language`` (ISO 639) chooses among localised texts of JSON-LD.

    Raises UnreadableDocument if it is not JSON, NotARecord if it is something else.
    """
    value = parse_json(data, name)
    for read in _READERS:
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

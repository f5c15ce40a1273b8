"""Fetching of full records for results of which a catalogue returned only index entries."""

from __future__ import annotations

from ..errors import CartoguideError, failure_kind
from .model import CatalogueProtocol, CatalogueRecord, Fetch


def fetch_full_record(protocol: CatalogueProtocol, item: CatalogueRecord, fetch: Fetch) -> CatalogueRecord:
    """Return ``item`` if it is complete, else its record fetched as XML, or as a package if that fails.

    Raises CartoguideError with the reason why it could not be fetched as XML.
    """
    if item.full or not item.record.id:
        return item
    identifier = item.record.id
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier)))
    except CartoguideError as error:
        if stops_further_requests(error):
            raise
        problem = error
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier, package=True)))
    except CartoguideError as error:
        raise (error if stops_further_requests(error) else problem) from None


def stops_further_requests(error: CartoguideError) -> bool:
    """Return True if the connection or the user stopped the request, so that further requests would fail too."""
    return failure_kind(error) is not None or getattr(error, "status", 0) in (401, 403, 407, 429, 502, 503, 504)

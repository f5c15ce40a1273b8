"""Fetching of full records for results of which a catalogue returned only index entries."""

from __future__ import annotations

from ..errors import CartoguideError, UnexpectedResponse, failure_kind
from .model import CatalogueProtocol, CatalogueRecord, Fetch

#: HTTP statuses with which further requests would be answered too
_STOPPING_STATUSES = frozenset((
    # a login is missing or refused, by the server or a proxy
    401, 403, 407,
    # too many requests
    429,
    # the server behind a gateway is down, overloaded or slow
    502, 503, 504))


def fetch_full_record(protocol: CatalogueProtocol, item: CatalogueRecord, fetch: Fetch) -> CatalogueRecord:
    """Return ``item`` if it is complete or has no identifier, else its full record.

    The record is fetched as XML, or in GeoNetwork's export package (MEF, a zip file) if that fails. Raises
    CartoguideError: the error that stops further requests if there is one, else the reason why the XML could not be
    fetched.
    """
    if item.full or not item.record.id:
        return item
    identifier = item.record.id
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier)))
    except CartoguideError as error:
        if stops_further_requests(error):
            raise
        xml_error = error
    try:
        return protocol.parse_record(identifier, fetch(protocol.record_request(identifier, package=True)))
    except CartoguideError as error:
        if stops_further_requests(error):
            raise
        raise xml_error from None


def stops_further_requests(error: CartoguideError) -> bool:
    """Return True if further requests to the catalogue would fail too, or if the person cancelled.

    Those are errors without a response, and responses that refuse access or come from an overloaded or unreachable
    server.
    """
    if failure_kind(error) is not None:
        return True
    return isinstance(error, UnexpectedResponse) and error.status in _STOPPING_STATUSES

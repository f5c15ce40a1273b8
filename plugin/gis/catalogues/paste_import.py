"""Import of pasted or typed text: records as text, addresses of records, catalogues and services."""

from __future__ import annotations

from typing import Callable, List, Optional, Union

from qgis.PyQt.QtCore import QObject

from ...core.catalogues.detection import DetectedCatalogue, detect_catalogue
from ...core.catalogues.model import Source, SourceKind
from ...core.catalogues.paste_classifier import PastedText, PasteKind
from ...core.errors import Cancelled, CartoguideError, InvalidRequest, failure_kind
from ...core.i18n import tr
from ...core.records import read_all
from ...core.records.model.record import Record
from ...core.wms.requests.urls import with_parameters
from ..profiles import record_loading
from ..runtime import tasks
from ..runtime.i18n import record_language
from .catalogue_client import fetcher


def request_pasted(pasted: PastedText, done: Callable[[record_loading.RecordLoadResult], None],
                   failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                   on_catalogue: Optional[Callable[[DetectedCatalogue], None]] = None) -> tasks.Job:
    """Read pasted text in a task: records as XML or JSON, or one or more addresses.

    The capabilities of a WMS, or its address, are read as a record of the service. Files and folders are imported by
    ``record_import`` instead. If a single address is that of a catalogue, ``on_catalogue`` is called with it. Without
    ``on_catalogue``, addresses are always read as documents.
    """
    if pasted.kind == PasteKind.DOCUMENT:
        return tasks.start(tr("Reading the pasted text"), lambda _: _read_document(pasted), done, failed, owner)
    if len(pasted.locations) == 1:
        address = pasted.locations[0]
        if on_catalogue is None:
            return record_loading.request_address(address, done, failed, owner)
        notify_catalogue = on_catalogue

        def dispatch(result: Union[record_loading.RecordLoadResult, DetectedCatalogue]) -> None:
            if isinstance(result, DetectedCatalogue):
                notify_catalogue(result)
            else:
                done(result)

        return tasks.start(tr("Contacting {host}", host=address), lambda feedback: open_address(address, feedback),
                           dispatch, failed, owner)
    return tasks.start(tr("Reading %n address(es)", n=len(pasted.locations)),
                       lambda feedback: _read_addresses(pasted, feedback), done, failed, owner)


def open_address(address: str, feedback: tasks.Feedback) -> Union[record_loading.RecordLoadResult, DetectedCatalogue]:
    """Return the records at an address, or else the catalogue or the map service there. Blocks.

    Raises CartoguideError, Cancelled.
    """
    try:
        return record_loading.read_address(address, feedback)
    except CartoguideError as error:
        if _is_final(error):
            raise
        first_error = error.with_traceback(None)
    for read in (_detect_catalogue, _read_service):
        feedback.raise_if_cancelled()
        try:
            result = read(address, feedback)
        except CartoguideError as error:
            if _is_final(error):
                raise
            continue
        if result is not None:
            return result
    raise first_error


def _is_final(error: CartoguideError) -> bool:
    """Return True if other requests would not help.

    That is the case without any response, if a login is required, or if the document is recognised as something else.
    """
    login_required = getattr(error, "status", 0) in (401, 403, 407)
    return login_required or failure_kind(error) is not None or isinstance(error, InvalidRequest)


def _detect_catalogue(address: str, feedback: tasks.Feedback) -> Optional[DetectedCatalogue]:
    detected = detect_catalogue(address, fetcher(Source(address, SourceKind.FILE), feedback))
    return None if detected.sources[0].kind == SourceKind.FILE else detected


def _read_service(address: str, feedback: tasks.Feedback) -> record_loading.RecordLoadResult:
    """Read the map service at an address without parameters."""
    return record_loading.read_address(with_parameters(address, {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}),
                                       feedback)


def _read_document(pasted: PastedText) -> record_loading.RecordLoadResult:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for result in read_all(pasted.data, tr("The pasted text"), record_language(), capabilities_as_record=True):
        if isinstance(result, CartoguideError):
            failures.append(result.with_traceback(None))
        else:
            records.append(result)
    if not records and not failures:
        raise CartoguideError(tr("The pasted text is a catalogue’s response without a record."))
    return record_loading.RecordLoadResult(tuple(records), tuple(failures))


def _read_addresses(pasted: PastedText, feedback: tasks.Feedback) -> record_loading.RecordLoadResult:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for number, address in enumerate(pasted.locations):
        feedback.raise_if_cancelled()
        feedback.report(100.0 * number / len(pasted.locations), address)
        try:
            opened = record_loading.read_address(address, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
            continue
        records.extend(opened.records)
        failures.extend(opened.failures)
    if not records and failures:
        raise failures[0]
    return record_loading.RecordLoadResult(tuple(records), tuple(failures))

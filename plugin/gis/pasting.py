"""What a person pastes or types: records as text, addresses, paths; opened as what it is."""

from __future__ import annotations

from typing import Callable, List, Optional, Union

from qgis.PyQt.QtCore import QObject

from ..core.errors import CartoguideError, InvalidRequest
from ..core.i18n import tr
from ..core.records import read_all
from ..core.records.model import Record
from ..core.sources.detect import Detected, detect
from ..core.sources.model import FILE, Source
from ..core.sources.taking import DOCUMENT, Taken
from ..core.wms.addresses import with_parameters
from . import catalogue, tasks
from .i18n import record_language
from .network import Cancelled
from .source_fetch import fetcher


def open_taken(taken: Taken, done: Callable[[catalogue.Opened], None], failed: Callable[[CartoguideError], None],
               owner: Optional[QObject] = None, recognised: Optional[Callable[[Detected], None]] = None) -> tasks.Job:
    """Open in a task what ``take`` found in a pasted text: the XML or JSON of records, one address or several. The
    capabilities of a WMS, or its address, are a record of the service itself. (Files and folders are ``intake``'s.)

    A single address may be that of a catalogue: ``recognised`` gets what was found there then; without it, addresses
    are opened as documents of records.
    """
    if taken.kind == DOCUMENT:
        return tasks.start(tr("Reading the pasted text"), lambda _: _document(taken), done, failed, owner)
    if len(taken.places) == 1:
        address = taken.places[0]
        if recognised is None:
            return catalogue.open_address(address, done, failed, owner)
        tell = recognised

        def dispatch(result: Union[catalogue.Opened, Detected]) -> None:
            if isinstance(result, Detected):
                tell(result)
            else:
                done(result)

        return tasks.start(tr("Looking at {host}", host=address), lambda feedback: at_address(address, feedback),
                           dispatch, failed, owner)
    return tasks.start(tr("Reading %n address(es)", n=len(taken.places)),
                       lambda feedback: _addresses(taken, feedback), done, failed, owner)


def at_address(address: str, feedback: tasks.Feedback) -> Union[catalogue.Opened, Detected]:
    """The records at an address, most often by one request; else the catalogue or the map service that is there."""
    try:
        return catalogue.read_address(address, feedback)
    except CartoguideError as error:
        if _settles(error):
            raise
        problem = error.with_traceback(None)
    for attempt in (_catalogue, _service):
        feedback.stop_if_cancelled()
        try:
            found = attempt(address, feedback)
        except CartoguideError as error:
            if _settles(error):
                raise
            continue
        if found is not None:
            return found
    raise problem


def _settles(error: CartoguideError) -> bool:
    """Whether no other question gets a better answer: none came at all, a login is asked for, or what is there was
    recognised as something else.
    """
    refused = getattr(error, "status", 0) in (401, 403, 407)
    return refused or bool(getattr(error, "kind", "")) or isinstance(error, InvalidRequest)


def _catalogue(address: str, feedback: tasks.Feedback) -> Optional[Detected]:
    found = detect(address, fetcher(Source(address, FILE), feedback))
    return None if found.sources[0].kind == FILE else found


def _service(address: str, feedback: tasks.Feedback) -> catalogue.Opened:
    """The map service whose bare address this is."""
    return catalogue.read_address(with_parameters(address, {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}), feedback)


def _document(taken: Taken) -> catalogue.Opened:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for found in read_all(taken.data, tr("The pasted text"), record_language(), capabilities_as_record=True):
        if isinstance(found, CartoguideError):
            failures.append(found.with_traceback(None))
        else:
            records.append(found)
    if not records and not failures:
        raise CartoguideError(tr("The pasted text is a catalogue’s answer without a record."))
    return catalogue.Opened(tuple(records), tuple(failures))


def _addresses(taken: Taken, feedback: tasks.Feedback) -> catalogue.Opened:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for number, address in enumerate(taken.places):
        feedback.stop_if_cancelled()
        feedback.tell(100.0 * number / len(taken.places), address)
        try:
            opened = catalogue.read_address(address, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            failures.append(error.with_traceback(None))
            continue
        records.extend(opened.records)
        failures.extend(opened.failures)
    if not records and failures:
        raise failures[0]
    return catalogue.Opened(tuple(records), tuple(failures))

"""What a person pastes or types: records as text, addresses, paths; opened as what it is."""

from __future__ import annotations

from typing import Callable, List, Optional, Union

from qgis.PyQt.QtCore import QObject

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records import read_all
from ..core.records.model import Record
from ..core.sources.detect import Detected, detect
from ..core.sources.model import FILE, Source
from ..core.sources.taking import DOCUMENT, PATH, Taken, take
from . import catalogue, tasks
from .i18n import record_language
from .network import Cancelled
from .source_fetch import fetcher

__all__ = ["open_text", "take"]


def open_text(text: str, done: Callable[[catalogue.Opened], None], failed: Callable[[CartoguideError], None],
              owner: Optional[QObject] = None,
              recognised: Optional[Callable[[Detected], None]] = None) -> Optional[tasks.Job]:
    """Open a pasted text in a task: the XML or JSON of records, one address or several, one path or several.

    ``failed`` is called at once, and None given, where the text is none of these. A single address may be that of a
    catalogue: ``recognised`` gets what was found there then; without it, addresses are opened as documents of records.
    """
    try:
        taken = take(text)
    except CartoguideError as error:
        failed(error)
        return None
    if taken.kind == PATH:
        return catalogue.open_paths(taken.places, done, failed, owner)
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

        return tasks.start(tr("Looking at {host}", host=address), lambda feedback: _one(address, feedback), dispatch,
                           failed, owner)
    return tasks.start(tr("Reading %n address(es)", n=len(taken.places)),
                       lambda feedback: _addresses(taken, feedback), done, failed, owner)


def _one(address: str, feedback: tasks.Feedback) -> Union[catalogue.Opened, Detected]:
    """A catalogue's sources, or the records of the document that is there instead."""
    found = detect(address, fetcher(Source(address, FILE), feedback))
    if found.sources[0].kind != FILE:
        return found
    return catalogue.read_address(address, feedback)


def _document(taken: Taken) -> catalogue.Opened:
    records: List[Record] = []
    failures: List[CartoguideError] = []
    for found in read_all(taken.data, tr("The pasted text"), record_language()):
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

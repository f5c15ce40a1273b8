"""What was pasted, dropped or typed: what is under way with it, in words, and the places that its records come from."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from ..core.catalogues.paste_classifier import DOCUMENT, PastedText
from ..core.i18n import tr
from ..core.records.model.record import Record
from ..gis.library.record_library import RecordSource
from . import phrases

SourcedRecords = List[Tuple[RecordSource, Sequence[Record]]]


def paste_progress_text(taken: PastedText) -> str:
    """What is under way, in words."""
    if taken.kind == DOCUMENT:
        return tr("Reading the pasted text…")
    if len(taken.locations) == 1:
        return tr("Asking {address}…", address=phrases.short_address(taken.locations[0]))
    return tr("Asking %n address(es)…", n=len(taken.locations))


def paste_sources(taken: PastedText, records: Sequence[Record]) -> SourcedRecords:
    """Where pasted records come from."""
    if taken.kind == DOCUMENT:
        return [(RecordSource("pasted", "paste", tr("Pasted text")), records)]
    if len(taken.locations) == 1:
        address = taken.locations[0]
        return [(RecordSource(address, "address", phrases.short_address(address)), records)]
    return [(RecordSource("addresses", "address", tr("Pasted addresses")), records)]

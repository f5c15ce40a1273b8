"""What was pasted, dropped or typed: what is under way with it, in words, and the places that its records come from."""

from __future__ import annotations

from typing import List, Sequence, Tuple

from ..core.i18n import tr
from ..core.records.model import Record
from ..core.sources.taking import DOCUMENT, Taken
from ..gis.shelf import Place
from . import words

Places = List[Tuple[Place, Sequence[Record]]]


def asked_words(taken: Taken) -> str:
    """What is under way, in words."""
    if taken.kind == DOCUMENT:
        return tr("Reading the pasted text…")
    if len(taken.places) == 1:
        return tr("Asking {address}…", address=words.hidden_address(taken.places[0]))
    return tr("Asking %n address(es)…", n=len(taken.places))


def places(taken: Taken, records: Sequence[Record]) -> Places:
    """Where pasted records come from."""
    if taken.kind == DOCUMENT:
        return [(Place("pasted", "paste", tr("Pasted text")), records)]
    if len(taken.places) == 1:
        address = taken.places[0]
        return [(Place(address, "address", words.hidden_address(address)), records)]
    return [(Place("addresses", "address", tr("Pasted addresses")), records)]

"""What was pasted, dropped or typed: what is under way with it, in words, and the places that its records come from."""

from __future__ import annotations

import os
from typing import List, Sequence, Tuple

from ..core.i18n import tr
from ..core.records.model import Record
from ..core.sources.taking import ADDRESS, DOCUMENT, Taken
from ..gis.shelf import Place
from . import words

Places = List[Tuple[Place, Sequence[Record]]]


def folders(paths: Sequence[str], records: Sequence[Record]) -> Places:
    """The folders that records were read from: the one that was opened, or that of the file."""
    found: dict[str, list[Record]] = {}
    for record in records:
        path = next((path for path in paths if (record.source or "").startswith(path)), paths[0])
        folder = os.path.abspath(path if os.path.isdir(path) else os.path.dirname(path))
        found.setdefault(folder, []).append(record)
    return [(Place(folder, "folder", os.path.basename(folder) or folder), some) for folder, some in found.items()]


def asked_words(taken: Taken) -> str:
    """What is under way, in words."""
    if taken.kind == DOCUMENT:
        return tr("Reading the pasted text…")
    if taken.kind == ADDRESS and len(taken.places) == 1:
        return tr("Asking {address}…", address=words.hidden_address(taken.places[0]))
    if taken.kind == ADDRESS:
        return tr("Asking %n address(es)…", n=len(taken.places))
    return tr("Reading %n file(s) or folder(s)…", n=len(taken.places))


def places(taken: Taken, records: Sequence[Record]) -> Places:
    """Where pasted records come from."""
    if taken.kind == DOCUMENT:
        return [(Place("pasted", "paste", tr("Pasted text")), records)]
    if taken.kind != ADDRESS:
        return folders(taken.places, records)
    if len(taken.places) == 1:
        address = taken.places[0]
        return [(Place(address, "address", words.hidden_address(address)), records)]
    return [(Place("addresses", "address", tr("Pasted addresses")), records)]

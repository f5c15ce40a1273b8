"""A collection as a zip: its records' original bytes, and a list that names it. Any catalogue reads the records.

    cartoguide-collection.json  {"format", "version", "name", "members": [{"identifier", "file"}…]}; no "file": the
                                member's record was not in the store
    records/00001.xml …         byte for byte as they came
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Mapping, Optional, Sequence, Tuple

from .. import json_document
from ..atomic_write import atomic_write
from ..errors import CartoguideError
from ..i18n import tr
from ..records.input import packages
from .record_store import RecordStore

FORMAT = "cartoguide-collection"
VERSION = 1
MAX_MEMBERS = 200_000
MAX_NAME_LENGTH = 120
_MAX_BYTES = 64_000_000


@dataclass(frozen=True)
class CollectionFile:
    """What a collection's zip says of it: its name, and each member's identifier with its file ("" without one)."""

    path: str
    name: str
    members: Tuple[Tuple[str, str], ...]

    def resolve_identifiers(self, store: RecordStore, source: str) -> Tuple[str, ...]:
        """The members by the identifiers that the store gives them; the zip was read as something of ``source``.

        Records without an identifier are known by their place, which is another one now.
        """
        kept = store.collections.identifiers_by_location(source, self.path)
        found = []
        for identifier, file in self.members:
            there = kept.get(f"{self.path}!{file}", ()) if file else ()
            found.append(identifier if identifier in there or not there else there[0])
        return tuple(found)


def export_collection(store: RecordStore, name: str, path: str, report: Optional[Callable[[int, int],
                                                                                          None]] = None) -> int:
    """Write a collection to ``path``, whole or not at all; gives how many members are not in the store.

    ``told`` gets (members done, of how many) and may raise to break off. CartoguideError: there is no such collection,
    or the file cannot be written.
    """
    members = store.collections.members(name)
    if name not in dict(store.collections.names()):
        raise CartoguideError(tr("There is no collection called {name}.", name=name))
    with atomic_write(Path(path)) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        return _write(archive, store, name, members, report)


def _write(archive: zipfile.ZipFile, store: RecordStore, name: str, members: Sequence[str],
           report: Optional[Callable[[int, int], None]]) -> int:
    listed: List[Mapping[str, str]] = []
    for number, identifier in enumerate(members, 1):
        found = store.load_original(identifier)
        if found is None:
            listed.append({"identifier": identifier})
        else:
            suffix = "json" if found[1].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "xml"
            file = f"records/{number:05d}.{suffix}"
            archive.writestr(file, found[1])
            listed.append({"identifier": identifier, "file": file})
        if report is not None:
            report(number, len(members))
    document = {"format": FORMAT, "version": VERSION, "name": name, "members": listed}
    archive.writestr(packages.COLLECTION_INDEX, json_document.dump(document))
    return sum("file" not in item for item in listed)


def read_collection_file(path: str) -> Optional[CollectionFile]:
    """What the zip at ``path`` says of a collection; None where it is none. InvalidDocument, UnreadableDocument: it
    says so in a way that cannot be understood.
    """
    data = packages.read_member(path, packages.COLLECTION_INDEX, _MAX_BYTES)
    if data is None:
        return None
    root = json_document.load(data, f"{path}!{packages.COLLECTION_INDEX}", _MAX_BYTES)
    if root.text("format", "") != FORMAT:
        raise root.error("format", tr("must be “{format}”", format=FORMAT))
    if root.number("version", 1, 1_000_000) > VERSION:
        raise root.error("version", tr("is newer than this Cartoguide can read; update Cartoguide"))
    name = " ".join(root.text("name").split())[:MAX_NAME_LENGTH]
    if not name:
        raise root.error("name", tr("is missing"))
    members = tuple((item.text("identifier"), item.text("file", "")) for item in root.children("members", MAX_MEMBERS))
    return CollectionFile(path, name, members)


def restore_collection(store: RecordStore, name: str, identifiers: Sequence[str]) -> str:
    """Make the collection again; gives its name, which gets a number where another one is called so already."""
    wanted = list(dict.fromkeys(identifiers))
    known = dict(store.collections.names())
    free, number = name, 1
    while free in known:
        if store.collections.members(free) == wanted:
            return free
        number += 1
        free = f"{name} ({number})"
    store.collections.save(free, wanted)
    return free

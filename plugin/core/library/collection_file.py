"""Export and import of a collection as a zip file.

    cartoguide-collection.json  {"format", "version", "name", "members": [{"identifier", "file"}…]}, without "file" for
                                a member whose record was not in the store
    records/00001.xml …         the original bytes of each record

Any catalogue can read the records in it.
"""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, List, Mapping, Optional, Sequence, Tuple

from .. import json_document
from ..errors import CartoguideError
from ..files import atomic_write
from ..i18n import tr
from ..records.input import packages
from .record_store import RecordStore

FORMAT = "cartoguide-collection"
VERSION = 1
MAX_MEMBERS = 200_000
MAX_NAME_LENGTH = 120
_MAX_BYTES = 24_000_000


@dataclass(frozen=True)
class CollectionFile:
    """Contents of a collection's zip: its name, and identifier and file of each member ("" without a file)."""

    path: str
    name: str
    members: Tuple[Tuple[str, str], ...]

    def resolve_identifiers(self, store: RecordStore, source: str) -> Tuple[str, ...]:
        """Return the members by their identifiers in the store, into which the zip was read as part of ``source``.

        Records without an identifier are identified by their location, which differs from where the collection was
        exported.
        """
        identifiers_at_location = store.identifiers_by_location(source, self.path)
        resolved = []
        for identifier, file in self.members:
            stored = identifiers_at_location.get(f"{self.path}!{file}", ()) if file else ()
            resolved.append(identifier if identifier in stored or not stored else stored[0])
        return tuple(resolved)


def export_collection(store: RecordStore, name: str, path: str, report: Optional[Callable[[int, int],
                                                                                          None]] = None) -> int:
    """Write a collection to ``path`` and return the number of members that are not in the store.

    ``report`` gets the number of members written and their total. It may raise to cancel. The file is written whole or
    not at all. Raises CartoguideError if there is no such collection or the file cannot be written.
    """
    members = store.collections.members(name)
    if name not in dict(store.collections.names()):
        raise CartoguideError(tr("There is no collection called {name}.", name=name))
    with atomic_write(Path(path)) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        return _write(archive, store, name, members, report)


def _write(archive: zipfile.ZipFile, store: RecordStore, name: str, members: Sequence[str],
           report: Optional[Callable[[int, int], None]]) -> int:
    entries: List[Mapping[str, str]] = []
    for number, identifier in enumerate(members, 1):
        original = store.load_original(identifier)
        if original is None:
            entries.append({"identifier": identifier})
        else:
            suffix = "json" if original[1].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "xml"
            file = f"records/{number:05d}.{suffix}"
            archive.writestr(file, original[1])
            entries.append({"identifier": identifier, "file": file})
        if report is not None:
            report(number, len(members))
    document = {"format": FORMAT, "version": VERSION, "name": name, "members": entries}
    archive.writestr(packages.COLLECTION_INDEX, json_document.dump(document))
    return sum("file" not in item for item in entries)


def read_collection_file(path: str) -> Optional[CollectionFile]:
    """Return the collection in the zip at ``path``, or None if it holds none.

    Raises InvalidDocument or UnreadableDocument if the list of members cannot be understood.
    """
    data = packages.read_member(path, packages.COLLECTION_INDEX, _MAX_BYTES)
    if data is None:
        return None
    root = json_document.load(data, f"{path}!{packages.COLLECTION_INDEX}", _MAX_BYTES)
    root.check_format(FORMAT, VERSION)
    name = " ".join(root.text("name").split())[:MAX_NAME_LENGTH]
    if not name:
        raise root.error("name", tr("is missing"))
    members = tuple((item.text("identifier"), item.text("file", "")) for item in root.children("members", MAX_MEMBERS))
    return CollectionFile(path, name, members)


def restore_collection(store: RecordStore, name: str, identifiers: Sequence[str]) -> str:
    """Create a collection with these members and return its name, which gets a number if another collection has it."""
    members = list(dict.fromkeys(identifiers))
    existing = dict(store.collections.names())
    unused_name, number = name, 1
    while unused_name in existing:
        if store.collections.members(unused_name) == members:
            return unused_name
        number += 1
        unused_name = f"{name} ({number})"
    store.collections.save(unused_name, members)
    return unused_name

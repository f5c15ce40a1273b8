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

from .. import jsondoc
from ..errors import CartoguideError
from ..i18n import tr
from ..records import packages
from ..whole_file import whole_file
from .store import Store

FORMAT = "cartoguide-collection"
VERSION = 1
MOST_MEMBERS = 200_000
LONGEST_NAME = 120
_MOST_BYTES = 64_000_000


@dataclass(frozen=True)
class CollectionFile:
    """What a collection's zip says of it: its name, and each member's identifier with its file ("" without one)."""

    path: str
    name: str
    members: Tuple[Tuple[str, str], ...]

    def identifiers(self, store: Store, source: str) -> Tuple[str, ...]:
        """The members by the identifiers that the store gives them; the zip was read as something of ``source``.

        Records without an identifier are known by their place, which is another one now.
        """
        kept = store.collections.at(source, self.path)
        found = []
        for identifier, file in self.members:
            there = kept.get(f"{self.path}!{file}", ()) if file else ()
            found.append(identifier if identifier in there or not there else there[0])
        return tuple(found)


def save(store: Store, name: str, path: str, told: Optional[Callable[[int, int], None]] = None) -> int:
    """Write a collection to ``path``, whole or not at all; gives how many members are not in the store.

    ``told`` gets (members done, of how many) and may raise to break off. CartoguideError: there is no such collection,
    or the file cannot be written.
    """
    members = store.collections.members(name)
    if name not in dict(store.collections.names()):
        raise CartoguideError(tr("There is no collection called {name}.", name=name))
    with whole_file(Path(path)) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        return _write(archive, store, name, members, told)


def _write(archive: zipfile.ZipFile, store: Store, name: str, members: Sequence[str],
           told: Optional[Callable[[int, int], None]]) -> int:
    listed: List[Mapping[str, str]] = []
    for number, identifier in enumerate(members, 1):
        found = store.original(identifier)
        if found is None:
            listed.append({"identifier": identifier})
        else:
            suffix = "json" if found[1].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "xml"
            file = f"records/{number:05d}.{suffix}"
            archive.writestr(file, found[1])
            listed.append({"identifier": identifier, "file": file})
        if told is not None:
            told(number, len(members))
    document = {"format": FORMAT, "version": VERSION, "name": name, "members": listed}
    archive.writestr(packages.COLLECTION_LIST, jsondoc.dump(document))
    return sum("file" not in item for item in listed)


def look(path: str) -> Optional[CollectionFile]:
    """What the zip at ``path`` says of a collection; None where it is none. InvalidDocument, UnreadableDocument: it
    says so in a way that cannot be understood.
    """
    data = packages.member(path, packages.COLLECTION_LIST, _MOST_BYTES)
    if data is None:
        return None
    root = jsondoc.load(data, f"{path}!{packages.COLLECTION_LIST}", _MOST_BYTES)
    if root.text("format", "") != FORMAT:
        raise root.wrong("format", tr("must be “{format}”", format=FORMAT))
    if root.number("version", 1, 1_000_000) > VERSION:
        raise root.wrong("version", tr("is newer than this Cartoguide can read; update Cartoguide"))
    name = " ".join(root.text("name").split())[:LONGEST_NAME]
    if not name:
        raise root.wrong("name", tr("is missing"))
    members = tuple((item.text("identifier"), item.text("file", "")) for item in root.children("members", MOST_MEMBERS))
    return CollectionFile(path, name, members)


def restore(store: Store, name: str, identifiers: Sequence[str]) -> str:
    """Make the collection again; gives its name, which gets a number where another one is called so already."""
    wanted = list(dict.fromkeys(identifiers))
    known = dict(store.collections.names())
    free, number = name, 1
    while free in known:
        if store.collections.members(free) == wanted:
            return free
        number += 1
        free = f"{name} ({number})"
    store.collections.put(free, wanted)
    return free

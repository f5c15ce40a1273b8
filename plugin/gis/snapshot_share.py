"""Snapshots on their way: opened with what a machine without a network lacks, packed for one, unpacked on it.

Everything here is for worker threads, but ``start_…``, which start one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Optional, Tuple

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QObject

from ..core.custommap.document import read_document, write_document
from ..core.custommap.model import CustomMap, SnapshotUse
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.snapshot import archive
from ..core.snapshot.manifest import check_files, digest, load_manifest, save_manifest
from ..core.snapshot.model import DOCUMENT, MANIFEST, Manifest
from ..core.snapshot.use import Snapshot
from ..core.whole_file import whole_file
from . import log, tasks
from .i18n import record_language
from .services import ServiceCache
from .shelf import Place, Shelf
from .snapshot import open_snapshot
from .snapshot_papers import read_records, take_services

#: what the store calls the source of records that came with a snapshot
KIND = "snapshot"


@dataclass(frozen=True)
class Unpacked:
    """A package on this machine: its snapshot, and its map, whose snapshot is where it was unpacked to."""

    snapshot: Snapshot
    document: CustomMap
    place: Path


def start_opening(folder: Path, cache: ServiceCache, shelf: Optional[Shelf], done: Callable[[Snapshot], None],
                  failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None) -> tasks.Job:
    """Open the snapshot in ``folder`` in a job: its services and records are known afterwards without any network."""
    return tasks.start(tr("Opening the snapshot"), lambda feedback: opened(folder, cache, shelf), done, failed, owner)


def opened(folder: Path, cache: ServiceCache, shelf: Optional[Shelf]) -> Snapshot:
    """The same within a task that is running already."""
    snapshot = open_snapshot(folder)
    for problem in take_services(snapshot, cache):
        log.error(problem)
    records, problems = read_records(snapshot, record_language())
    for problem in problems:
        log.error(problem)
    if shelf is not None and records:
        shelf.put(Place(str(folder), KIND, snapshot.manifest.title), records)
    return snapshot


def start_packing(folder: Path, document: CustomMap, path: Path, done: Callable[[Manifest], None],
                  failed: Callable[[CartoguideError], None], owner: Optional[QObject] = None,
                  progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Write the snapshot in ``folder``, with ``document`` as its map, to a package at ``path``, in a job."""
    return tasks.start(tr("Packing the map"), lambda feedback: packed(folder, document, path, feedback), done, failed,
                       owner, progress)


def packed(folder: Path, document: CustomMap, path: Path, feedback: tasks.Feedback) -> Manifest:
    """The same within a task that is running already; Cancelled where ``feedback`` was."""
    with_document(folder, document)

    def told(percent: float, words: str) -> None:
        feedback.stop_if_cancelled()
        feedback.tell(percent, words)

    return archive.pack(folder, path, told)


def with_document(folder: Path, document: CustomMap) -> None:
    """Let ``document`` be the map of the snapshot in ``folder``, which it shows."""
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("There is no snapshot in {folder}.", folder=str(folder)))
    data = write_document(replace(document, snapshot=SnapshotUse(".", True)))
    with whole_file(folder / DOCUMENT) as stream:
        stream.write(data)
    files = tuple(replace(file, size=len(data), sha256=digest(folder / DOCUMENT)) if file.path == DOCUMENT else file
                  for file in manifest.files)
    save_manifest(folder, replace(manifest, title=document.title or manifest.title, files=files))


def start_unpacking(path: Path, done: Callable[[Unpacked], None], failed: Callable[[CartoguideError], None],
                    owner: Optional[QObject] = None,
                    progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Unpack the package at ``path`` beside it (in the QGIS profile where that cannot be written), in a job."""
    home = Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "packages"
    return tasks.start(tr("Unpacking the map"), lambda feedback: unpacked(path, home, feedback), done, failed, owner,
                       progress)


def unpacked(path: Path, home: Path, feedback: tasks.Feedback) -> Unpacked:
    """The same within a task; a package that was unpacked before is used as it is. Cancelled where ``feedback`` was."""
    manifest = archive.look(str(path))
    if manifest is None:
        raise CartoguideError(tr("{name} is no package of Cartoguide.", name=path.name))
    name = path.name[:-len(archive.SUFFIX)] if path.name.lower().endswith(archive.SUFFIX) else path.stem
    folder, there = _place_for(path.parent, home, name, manifest)
    if there:
        check_files(folder, manifest)
    else:
        def told(percent: float, words: str) -> None:
            feedback.stop_if_cancelled()
            feedback.tell(percent, words)

        archive.unpack(path, folder, told)
    place = folder / DOCUMENT
    return Unpacked(open_snapshot(folder), _document(place), place)


def is_package(path: str) -> bool:
    """Whether the file is a package of a map (whatever is wrong with it otherwise)."""
    if not path.lower().endswith(".zip"):
        return False
    try:
        return archive.look(path) is not None
    except CartoguideError:
        return True


def _place_for(beside: Path, home: Path, name: str, manifest: Manifest) -> Tuple[Path, bool]:
    """Where to unpack to, and whether the very same package is there already."""
    parent = beside if _can_write(beside) else home
    number = 1
    while True:
        folder = parent / (name if number == 1 else f"{name} ({number})")
        if not folder.exists():
            return folder, False
        if (folder / MANIFEST).is_file() and load_manifest(folder) == manifest:
            return folder, True
        number += 1


def _can_write(folder: Path) -> bool:
    probe = folder / ".cartoguide-probe"
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def _document(path: Path) -> CustomMap:
    try:
        return read_document(path.read_bytes(), path.name)
    except OSError as error:
        raise CartoguideError(tr("{name} could not be opened: {reason}.", name=path.name,
                                 reason=error.strerror or "?"), str(error)) from error

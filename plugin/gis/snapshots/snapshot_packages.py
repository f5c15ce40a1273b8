"""Snapshots shared between computers: packed into a file, unpacked, and opened with their services and records.

Everything is for worker threads, except the ``start_…`` functions, which start a task.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Optional, Tuple

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QObject

from ...core.custommap.document import read_document
from ...core.custommap.model import CustomMap, SnapshotReference
from ...core.errors import CartoguideError
from ...core.files import atomic_write
from ...core.i18n import tr
from ...core.json_document import MAX_BYTES
from ...core.snapshot import snapshot_package
from ...core.snapshot.manifest import (
    DOCUMENT,
    MANIFEST,
    SnapshotManifest,
    check_files,
    load_manifest,
    save_manifest,
    sha256_of_file,
)
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.storage.temporary_files import temporary_path
from ...core.trust.files import read_regular
from ..own_layers.provenance import sealed_bytes
from ..runtime import log, tasks
from ..runtime.i18n import record_language
from ..services.service_cache import ServiceCache
from .snapshot_documents import read_descriptions
from .snapshot_job import open_snapshot


@dataclass(frozen=True)
class UnpackedPackage:
    """An unpacked package: its snapshot, its custom map, and the map's file."""

    snapshot: Snapshot
    document: CustomMap
    document_path: Path


def start_opening(folder: Path, cache: ServiceCache, done: Callable[[Snapshot], None], failed: tasks.ErrorCallback,
                  owner: Optional[QObject] = None) -> tasks.Job:
    """Open the snapshot in ``folder`` in a task, with what it stores of its services, which then need no network."""
    return tasks.start(tr("Opening the snapshot"), lambda _feedback: load_snapshot(folder, cache), done, failed, owner)


def load_snapshot(folder: Path, cache: ServiceCache) -> Snapshot:
    """Open the snapshot in ``folder`` and read what it stores of its map's services. For worker threads.

    That stays with the snapshot and describes its map only: nothing of it is saved, or known to ``cache``. The cache
    gets the saved capabilities of these services, which count before those of the snapshot.

    Raises CartoguideError if the snapshot is missing or incomplete. Documents that cannot be read are logged.
    """
    snapshot = open_snapshot(folder)
    descriptions, problems = read_descriptions(snapshot, record_language())
    for problem in problems:
        log.error(problem)
    for endpoint in descriptions.services:
        cache.load_saved(endpoint)
    return replace(snapshot, descriptions=descriptions)


def start_packing(folder: Path, document: CustomMap, path: Path, done: Callable[[SnapshotManifest], None],
                  failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                  progress: Optional[tasks.ProgressCallback] = None) -> tasks.Job:
    """Write the snapshot in ``folder`` with the custom map ``document`` to a package at ``path``, in a task."""
    return tasks.start(tr("Packing the map"), lambda feedback: pack_snapshot(folder, document, path, feedback), done,
                       failed, owner, progress, asks_to_close=True)


def pack_snapshot(folder: Path, document: CustomMap, path: Path, feedback: tasks.Feedback) -> SnapshotManifest:
    """Write the snapshot to a package. For worker threads.

    Raises CartoguideError if ``folder`` contains no snapshot, and Cancelled.
    """
    set_snapshot_document(folder, document)

    def report(percent: float, text: str) -> None:
        feedback.raise_if_cancelled()
        feedback.report(percent, text)

    return snapshot_package.write_package(folder, path, report)


def set_snapshot_document(folder: Path, document: CustomMap) -> None:
    """Replace the custom map in the snapshot ``folder`` by ``document``. Raises CartoguideError without a snapshot."""
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("The folder {folder} does not contain a snapshot.", folder=str(folder)))
    data = sealed_bytes(replace(document, snapshot=SnapshotReference(".", True)), (folder / DOCUMENT).resolve())
    with atomic_write(folder / DOCUMENT, private=True) as stream:
        stream.write(data)
    files = tuple(
        replace(file, size=len(data), sha256=sha256_of_file(folder / DOCUMENT)) if file.path == DOCUMENT else file
        for file in manifest.files)
    save_manifest(folder, replace(manifest, title=document.title or manifest.title, files=files))


def start_unpacking(path: Path, done: Callable[[UnpackedPackage], None], failed: tasks.ErrorCallback,
                    owner: Optional[QObject] = None, progress: Optional[Callable[[float, str],
                                                                                 None]] = None) -> tasks.Job:
    """Unpack the package at ``path`` in its folder (in the QGIS profile if that is not writable), in a task."""
    home = Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "packages"
    return tasks.start(tr("Unpacking the map"), lambda feedback: unpack_snapshot(path, home, feedback), done, failed,
                       owner, progress)


def unpack_snapshot(path: Path, fallback_folder: Path, feedback: tasks.Feedback) -> UnpackedPackage:
    """Unpack a package, or use it if it is unpacked already. For worker threads.

    Raises CartoguideError if the file is not a package or is damaged, and Cancelled.
    """
    manifest = snapshot_package.read_package_manifest(str(path))
    if manifest is None:
        raise CartoguideError(tr("{name} is not a Cartoguide package.", name=path.name))
    name = path.name[:-len(snapshot_package.PACKAGE_SUFFIX)] if path.name.lower().endswith(
        snapshot_package.PACKAGE_SUFFIX) else path.stem
    folder, is_unpacked = _target_folder(path.parent, fallback_folder, name, manifest)
    if is_unpacked:
        check_files(folder, manifest)
    else:
        def report(percent: float, text: str) -> None:
            feedback.raise_if_cancelled()
            feedback.report(percent, text)

        snapshot_package.extract_package(path, folder, report)
    document_path = folder / DOCUMENT
    return UnpackedPackage(open_snapshot(folder), _read_map_document(document_path), document_path)


def is_package(path: str) -> bool:
    """Return whether the file is a package of a map. A damaged package counts as one."""
    if not path.lower().endswith(".zip"):
        return False
    try:
        return snapshot_package.read_package_manifest(path) is not None
    except CartoguideError:
        return True


def _target_folder(package_folder: Path, fallback_folder: Path, name: str,
                   manifest: SnapshotManifest) -> Tuple[Path, bool]:
    """Return the folder to unpack to, and whether the same package is there already."""
    parent = package_folder if _can_write(package_folder) else fallback_folder
    number = 1
    while True:
        folder = parent / (name if number == 1 else f"{name} ({number})")
        if not folder.exists():
            return folder, False
        if (folder / MANIFEST).is_file() and load_manifest(folder) == manifest:
            return folder, True
        number += 1


def _can_write(folder: Path) -> bool:
    probe = temporary_path(folder)
    try:
        probe.touch()
        probe.unlink()
    except OSError:
        return False
    return True


def _read_map_document(path: Path) -> CustomMap:
    return read_document(read_regular(path, MAX_BYTES), path.name)

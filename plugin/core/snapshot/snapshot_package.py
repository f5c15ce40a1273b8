"""Packages: a snapshot in one zip file, written with checksums and extracted with care.

The zip contains ``snapshot.json`` and every file that it names, with relative paths. Other files are not extracted.
"""

from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Callable, Optional

from ..errors import CartoguideError, UnreadableDocument
from ..files import atomic_write, write_error
from ..i18n import tr
from ..records.input import packages
from ..storage.syncing import PRIVATE_FOLDER, private_opener, sync_folder, sync_stream
from ..storage.temporary_files import temporary_path
from ..trust.files import open_regular
from .manifest import (
    MANIFEST,
    SnapshotFile,
    SnapshotManifest,
    check_files,
    is_safe_path,
    load_manifest,
    open_file,
    read_manifest,
    unusable_reason,
    write_manifest,
)

#: suffix of packages
PACKAGE_SUFFIX = ".cartoguide.zip"
MAX_MANIFEST_BYTES = 8_000_000
#: limit of all extracted files of a package
MAX_UNPACKED_BYTES = 64_000_000_000
_CHUNK_BYTES = 1 << 20
#: these formats are compressed already
_COMPRESSED_SUFFIXES = (".gpkg", ".tif", ".png", ".jpg")

ProgressCallback = Callable[[float, str], None]


def read_package_manifest(path: str) -> Optional[SnapshotManifest]:
    """Return the manifest of the package at ``path``, or None where the file is not a package of a snapshot.

    Raises CartoguideError where its manifest cannot be read.
    """
    data = packages.read_member(path, MANIFEST, MAX_MANIFEST_BYTES)
    return read_manifest(data, f"{path}!{MANIFEST}") if data is not None else None


def write_package(folder: Path, path: Path, progress: Optional[ProgressCallback] = None) -> SnapshotManifest:
    """Write the snapshot in ``folder`` to ``path`` as a package, completely or not at all.

    ``progress`` gets the percentage and the file name, and may raise an exception to cancel. Raises CartoguideError
    where the snapshot is incomplete, a file was changed, or the package cannot be written.
    """
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("The folder {folder} does not contain a snapshot.", folder=str(folder)))
    problem = unusable_reason(folder, manifest)
    if problem:
        raise CartoguideError(problem)
    check_files(folder, manifest)
    total = sum(file.size for file in manifest.files) or 1
    done = 0
    with atomic_write(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, write_manifest(manifest))
        for file in manifest.files:
            info = zipfile.ZipInfo(file.path)
            info.compress_type = zipfile.ZIP_STORED if file.path.endswith(
                _COMPRESSED_SUFFIXES) else zipfile.ZIP_DEFLATED
            with open_file(folder, file.path) as source, \
                    archive.open(info, "w", force_zip64=file.size > 1 << 30) as target:
                while chunk := source.read(_CHUNK_BYTES):
                    target.write(chunk)
                    done += len(chunk)
                    if progress is not None:
                        progress(100.0 * done / total, file.path)
    return manifest


def extract_package(path: Path, folder: Path, progress: Optional[ProgressCallback] = None) -> SnapshotManifest:
    """Extract the package at ``path`` into the new folder ``folder``, completely or not at all.

    Only files named by the manifest are written, none larger than stated, each with its SHA-256. Raises
    UnreadableDocument for a damaged or hostile package, and CartoguideError where files cannot be written.
    """
    manifest = read_package_manifest(str(path))
    if manifest is None:
        raise UnreadableDocument(tr("{name} is not a Cartoguide package.", name=path.name))
    total = sum(file.size for file in manifest.files)
    if total > MAX_UNPACKED_BYTES:
        raise UnreadableDocument(tr("{name} expands to far more data than a map package contains, and was not read.",
                                    name=path.name), f"{total} bytes")
    if folder.exists():
        raise CartoguideError(tr("{folder} already exists. Choose another folder.", folder=str(folder)))
    working = temporary_path(folder.parent)
    try:
        folder.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        working.mkdir(PRIVATE_FOLDER)
        if shutil.disk_usage(working).free < total:
            raise CartoguideError(tr("There is not enough disk space for {size} MB in "
                                     "{folder}.", size=total // 1_000_000,
                                     folder=str(folder.parent)))
        _extract_files(path, working, manifest, total, progress)
        with open(working / MANIFEST, "xb", opener=private_opener) as stream:
            stream.write(write_manifest(manifest))
            sync_stream(stream)
        check_files(working, manifest)
        working.rename(folder)
        sync_folder(folder.parent)
    except OSError as error:
        raise write_error(folder, error, tr("{name} could not be unpacked to {folder}: {reason}.", name=path.name,
                                            folder=str(folder), reason=error.strerror or type(error).__name__)
                          ) from error
    finally:
        shutil.rmtree(working, ignore_errors=True)
    return manifest


def _extract_files(path: Path, working: Path, manifest: SnapshotManifest, total: int,
                   progress: Optional[ProgressCallback]) -> None:
    done = 0
    try:
        with open_regular(path) as package, zipfile.ZipFile(package) as archive:
            for info in archive.infolist():
                if packages.escapes_package(info.filename):
                    raise UnreadableDocument(tr("{name} contains a path outside the package and was not read.",
                                                name=f"{path.name}!{info.filename}"))
            for file in manifest.files:
                if not is_safe_path(file.path):
                    raise UnreadableDocument(tr("{name} contains a path outside the package and was not read.",
                                                name=f"{path.name}!{file.path}"))
                done = _extract_file(archive, file, working, done, total, progress)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, NotImplementedError, RuntimeError,
            struct.error) as error:
        raise UnreadableDocument(tr("{name} is damaged and cannot be read.", name=path.name), str(error)) from error


def _extract_file(archive: zipfile.ZipFile, file: SnapshotFile, working: Path, done: int, total: int,
                  progress: Optional[ProgressCallback]) -> int:
    target = working / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(file.path) as source, open(target, "xb", opener=private_opener) as stream:
        while chunk := source.read(_CHUNK_BYTES):
            size += len(chunk)
            if size > file.size:
                raise UnreadableDocument(tr("{name} expands to more data than its package states. Extraction was "
                                            "stopped.",
                                            name=file.path))
            stream.write(chunk)
            if progress is not None:
                progress(100.0 * (done + size) / max(total, 1), file.path)
        sync_stream(stream)
    return done + size

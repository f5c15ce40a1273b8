"""The manifest of a snapshot, ``snapshot.json``: data model, reading, writing. No path in it leads out of the folder.

An object with ``format`` ("cartoguide-snapshot"), ``version`` (1), ``title``, ``state`` ("complete" or "incomplete"),
``made`` (ISO 8601, UTC), ``crs``, ``area`` [west, south, east, north in that CRS, x to the east], ``degrees`` (the same
in longitude and latitude, or null), ``dpi``, ``scales`` (denominators, finest first), ``kind`` ("gpkg" or "cog"),
``layers`` (bottom first), ``files`` (each with its size and SHA-256), ``notes``, ``problems``, ``order``.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, BinaryIO, Mapping, Optional, Tuple

from .. import json_document
from ..box import Box
from ..dates import past_moment
from ..errors import CartoguideError, UnreadableDocument, too_large
from ..files import atomic_write
from ..i18n import tr
from ..json_document import JsonNode
from ..json_fields import (
    ValueKind,
    choice,
    integer,
    items,
    json_object,
    member,
    not_written_like,
    number,
    object_of,
    read_object,
    string,
    unknown_members,
    write_object,
)
from ..trust.files import UnusableFile, inside, open_regular

FORMAT = "cartoguide-snapshot"
VERSION = 1
#: file names in a snapshot's folder
MANIFEST = "snapshot.json"
DOCUMENT = "map.custommap.json"
#: folder of the downloaded tiles while the snapshot is incomplete
TILE_FOLDER = ".parts"
MAX_LAYERS, MAX_FILES, MAX_NOTES = 5_000, 50_000, 50_000
_SAFE_PATH = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[\w][\w .()+-]*(?:/[\w][\w .()+-]*){0,4}")
_TABLE = re.compile(r"\w{0,80}")
_MAX_COORDINATE = 1e12
#: bytes of a document that is read as a whole
MAX_FILE_BYTES = 32_000_000
#: the first bytes of a GeoPackage (SQLite), a TIFF and a BigTIFF
_RASTER_SIGNATURES = (b"SQLite format 3\x00", b"II*\x00", b"MM\x00*", b"II+\x00", b"MM\x00+")


class SnapshotState(str, Enum):
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"


class FileRole(str, Enum):
    """Roles of a snapshot's files. A manifest may name others."""

    RASTER = "raster"
    RECORD = "record"
    CAPABILITIES = "capabilities"
    TERMS = "terms"
    LEGEND = "legend"
    LEGEND_PART = "legend-part"
    LEGEND_LIST = "legend-list"
    CREDITS = "credits"
    DOCUMENT = "document"


class RasterFormat(str, Enum):
    """Format of a snapshot's rasters: one GeoPackage for all layers, or a cloud-optimised GeoTIFF for each."""

    GPKG = "gpkg"
    COG = "cog"


@dataclass(frozen=True)
class RasterLevel:
    """One resolution of a raster.

    ``scale`` is the true denominator it is drawn for, ``resolution`` are map units per pixel, ``width`` and ``height``
    are pixels. ``factor`` is its resolution divided by that of the finest level.
    """

    scale: float
    resolution: float
    width: int
    height: int
    factor: float = 1.0


@dataclass(frozen=True)
class RasterPart:
    """One request of a raster level.

    ``column``, ``row``, ``width`` and ``height`` are the pixels that are saved. ``gutter`` are the additional pixels
    requested on the left, top, right and bottom, so that no label is cut at a seam.
    """

    level: int
    column: int
    row: int
    width: int
    height: int
    gutter: Tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def request_size(self) -> Tuple[int, int]:
        """Width and height of the requested image in pixels, gutters included."""
        left, top, right, bottom = self.gutter
        return self.width + left + right, self.height + top + bottom


def is_safe_path(path: str) -> bool:
    """Return true where ``path`` stays inside the snapshot's folder on every operating system."""
    return len(path) <= 300 and _SAFE_PATH.fullmatch(path) is not None and not path.endswith((" ", "."))


def _moment_problem(text: str) -> str:
    try:
        has_zone = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        has_zone = False
    return "" if has_zone else not_written_like("2026-11-22T10:00:00+00:00", text)


def _box(node: JsonNode, key: str) -> Box:
    values = node.value[key]
    if not isinstance(values, list) or len(values) != 4:
        raise node.error(key, tr("must be a list of four numbers"))
    holder = node.list_items(key, 4)
    box = Box(*(holder.number(place, -_MAX_COORDINATE, _MAX_COORDINATE) for place in holder.value))
    if not box.has_area:
        raise node.error(key, tr("has no area"))
    return box


_BOX = ValueKind(_box, list)
_SCALES = items(number(1e-6, _MAX_COORDINATE), 100)
_PATH = string(300, lambda path: "" if is_safe_path(path) else tr("contains a path outside the snapshot"))


@json_object
class SnapshotLayer:
    """One layer of a finished snapshot.

    ``file`` is relative to the snapshot's folder. ``table`` names the raster in a GeoPackage and is empty for a
    GeoTIFF. ``address``, ``name`` and ``style`` identify the live layer.
    """

    address: str = member(string())
    name: str = member(string())
    style: str = member(string(), absent="")
    title: str = member(string(), absent="")
    service: str = member(string(), absent="")
    crs: str = member(string(200), absent="")
    file: str = member(_PATH)
    table: str = member(string(80, lambda name: "" if _TABLE.fullmatch(name) else tr(
        "is too long or contains invalid characters")), default="")
    credit: str = member(string(), default="")
    licence: str = member(string(), default="")
    scales: Tuple[float, ...] = member(_SCALES, default=())


@json_object
class SnapshotFile:
    """A file of the snapshot: its relative path (always with ``/``), role (see FileRole), size in bytes and SHA-256.

    ``about`` is the endpoint of the service, or the address of the request, that it belongs to.
    """

    path: str = member(_PATH)
    role: str = member(string(40), absent="")
    media_type: str = member(string(200), absent="")
    size: int = member(integer(0, 10**13), default=0)
    sha256: str = member(string(64), default="")
    about: str = member(string(), default="")


@json_object
class SnapshotManifest:
    """The content of ``snapshot.json``: layers, files, source and time. ``problems`` lists what an incomplete one
    lacks.
    """

    title: str = member(string(), absent="")
    state: SnapshotState = member(choice(SnapshotState), absent=SnapshotState.INCOMPLETE)
    made: str = member(string(40, _moment_problem))
    crs: str = member(string(200), absent="")
    area: Box = member(_BOX)
    degrees: Optional[Box] = member(_BOX, absent=None)
    dpi: int = member(integer(1, 10_000))
    scales: Tuple[float, ...] = member(_SCALES, absent=())
    kind: RasterFormat = member(choice(RasterFormat), absent=RasterFormat.GPKG)
    layers: Tuple[SnapshotLayer, ...] = member(items(object_of(SnapshotLayer), MAX_LAYERS), default=())
    files: Tuple[SnapshotFile, ...] = member(items(object_of(SnapshotFile), MAX_FILES), default=())
    notes: Tuple[str, ...] = member(items(string(), MAX_NOTES), default=())
    problems: Tuple[str, ...] = member(items(string(), MAX_NOTES), default=())
    #: key of the options: an unfinished snapshot is only resumed with the same options
    order: str = member(string(200), default="")
    extra: Mapping[str, Any] = unknown_members()

    @property
    def is_complete(self) -> bool:
        """True where the snapshot was finished."""
        return self.state is SnapshotState.COMPLETE

    @property
    def day(self) -> str:
        """The day on which the snapshot was made, as ``YYYY-MM-DD`` in UTC. A day that is still to come is today."""
        return past_moment(self.made)[:10]

    def files_with_role(self, role: FileRole) -> Tuple[SnapshotFile, ...]:
        return tuple(file for file in self.files if file.role == role)


def read_manifest(data: bytes, name: str = "") -> SnapshotManifest:
    """Return the manifest in ``data``.

    Raises UnreadableDocument or InvalidDocument, with the position in the document.
    """
    root = json_document.load(data, name or MANIFEST)
    root.check_format(FORMAT, VERSION)
    return read_object(SnapshotManifest, root, ("format", "version"))


def write_manifest(manifest: SnapshotManifest) -> bytes:
    """Return the manifest as UTF-8 JSON with its members in a fixed order."""
    return json_document.dump({"format": FORMAT, "version": VERSION, **write_object(manifest)})


def load_manifest(folder: Path) -> Optional[SnapshotManifest]:
    """Return the manifest in ``folder``, or None where the folder has none. Raises CartoguideError where it is
    unreadable.
    """
    path = folder / MANIFEST
    if not os.path.lexists(path):
        return None
    with open_file(folder, MANIFEST) as stream:
        try:
            data = stream.read(json_document.MAX_BYTES + 1)
        except OSError as error:
            raise UnreadableDocument(tr("{name} could not be opened: {reason}.", name=path.name,
                                        reason=error.strerror or "?"), str(path)) from error
    return read_manifest(data, path.name)


def save_manifest(folder: Path, manifest: SnapshotManifest) -> None:
    """Write ``manifest`` into ``folder``, completely or not at all. Raises OSError."""
    with atomic_write(folder / MANIFEST, private=True) as stream:
        stream.write(write_manifest(manifest))


def remove_downloads(folder: Path) -> None:
    """Remove the downloaded tiles from ``folder`` if its snapshot is complete, which a crash may have left there."""
    tiles = folder / TILE_FOLDER
    try:
        manifest = load_manifest(folder) if tiles.is_dir() else None
    except CartoguideError:
        return
    if manifest is not None and manifest.is_complete:
        shutil.rmtree(tiles, ignore_errors=True)


def open_file(folder: Path, path: str) -> BinaryIO:
    """Return the file ``path`` of the snapshot in ``folder``, opened.

    Raises CartoguideError unless it is a regular file that lies in the folder, with links followed.
    """
    file = folder / path
    if not inside(file, folder):
        raise _leads_out(path)
    return open_regular(file)


def _leads_out(path: str) -> UnusableFile:
    return UnusableFile(tr("{name} is a link that leads out of the snapshot’s folder, and is not opened.", name=path))


def check_links(folder: Path, manifest: SnapshotManifest) -> None:
    """Raise CartoguideError if a file of the snapshot in ``folder`` is a link that leads out of it."""
    for path in dict.fromkeys([*(file.path for file in manifest.files), *(layer.file for layer in manifest.layers)]):
        if not inside(folder / path, folder):
            raise _leads_out(path)


def read_file(folder: Path, path: str, limit: int = MAX_FILE_BYTES) -> bytes:
    """Return the bytes of a document of the snapshot in ``folder``. Raises CartoguideError as ``open_file`` does."""
    with open_file(folder, path) as stream:
        try:
            data = stream.read(limit + 1)
        except OSError as error:
            raise UnreadableDocument(tr("{name} could not be opened: {reason}.", name=path,
                                        reason=error.strerror or "?"), str(error)) from error
    if len(data) > limit:
        raise too_large(path, limit)
    return data


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal. Raises CartoguideError or OSError."""
    digest = hashlib.sha256()
    with open_regular(path) as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def unusable_reason(folder: Path, manifest: SnapshotManifest) -> str:
    """Return why the snapshot in ``folder`` cannot be used, or an empty text. Checksums are not verified."""
    if not manifest.is_complete:
        return "\n".join([tr("The snapshot “{title}” is not complete.", title=manifest.title), *manifest.problems])
    for name in dict.fromkeys(layer.file for layer in manifest.layers):
        if not _is_raster(folder / name):
            return tr("The snapshot “{title}” lacks its file {name}.", title=manifest.title, name=name)
    return ""


def _is_raster(path: Path) -> bool:
    """Return true where the file is a GeoPackage or a TIFF. Other formats of GDAL may refer to files elsewhere."""
    try:
        with open_regular(path) as stream:
            return stream.read(16).startswith(_RASTER_SIGNATURES)
    except (UnusableFile, OSError):
        return False


def check_files(folder: Path, manifest: SnapshotManifest) -> None:
    """Verify that every file of the manifest exists with its SHA-256. Raises CartoguideError."""
    for file in manifest.files:
        path = folder / file.path
        if not os.path.lexists(path):
            raise CartoguideError(tr("The snapshot “{title}” lacks its file {name}.", title=manifest.title,
                                     name=file.path))
        with open_file(folder, file.path) as stream:
            # the size first, so that nobody waits for the digest of a file of any size
            has_size = file.size in (0, os.fstat(stream.fileno()).st_size)
        if not has_size or file.sha256 and sha256_of_file(path) != file.sha256:
            raise CartoguideError(tr("{name} is not the file that the snapshot was made with: it was changed or "
                                     "damaged. Copy or unpack the snapshot again.", name=file.path))

"""What a snapshot is to be, and what one is: the order, its levels and parts, and what describes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Mapping, Optional, Tuple

#: x to the east: west, south, east, north in the units of a CRS
CrsBounds = Tuple[float, float, float, float]

FORMAT = "cartoguide-snapshot"
VERSION = 1
#: what a snapshot's folder holds, by the file that describes it
MANIFEST = "snapshot.json"
DOCUMENT = "map.custommap.json"
COMPLETE, INCOMPLETE = "complete", "incomplete"


class RasterFormat(str, Enum):
    """Format of a snapshot's rasters: one GeoPackage for all layers, or a cloud-optimised GeoTIFF for each."""

    GPKG = "gpkg"
    COG = "cog"


@dataclass(frozen=True)
class RasterLevel:
    """One resolution of a raster: the map's scale (true denominator) that it is drawn for, map units for each pixel,
    and its size in pixels. ``factor`` is its resolution over that of the finest level.
    """

    scale: float
    resolution: float
    width: int
    height: int
    factor: float = 1.0


@dataclass(frozen=True)
class RasterPart:
    """One request: of the level with this number, the pixels that are kept (column, row, width, height), and how many
    more are asked for on each side (left, top, right, bottom), so that no label is cut at a seam.
    """

    level: int
    column: int
    row: int
    width: int
    height: int
    gutter: Tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def request_size(self) -> Tuple[int, int]:
        """Width and height of the picture that is asked for."""
        left, top, right, bottom = self.gutter
        return self.width + left + right, self.height + top + bottom


@dataclass(frozen=True)
class SnapshotLayer:
    """One layer of the map in a finished snapshot. ``file`` is relative to the snapshot's folder; ``table`` names the
    raster in a GeoPackage ("" in a GeoTIFF). ``address``, ``name`` and ``style`` are the live layer's.
    """

    address: str
    name: str
    style: str
    title: str
    service: str
    crs: str
    file: str
    table: str = ""
    credit: str = ""
    licence: str = ""
    scales: Tuple[float, ...] = ()


@dataclass(frozen=True)
class SnapshotFile:
    """A file of the snapshot: its path in it (always with ``/``), what it is, size in bytes and SHA-256.

    ``about`` is the endpoint of the service (or the request's address) that it belongs to.
    """

    path: str
    role: str
    media_type: str
    size: int = 0
    sha256: str = ""
    about: str = ""


@dataclass(frozen=True)
class SnapshotManifest:
    """``snapshot.json``: what was kept, from where, when, and whether it is whole; ``problems`` says what it lacks."""

    title: str
    state: str
    made: str
    crs: str
    area: CrsBounds
    degrees: Optional[CrsBounds]
    dpi: int
    scales: Tuple[float, ...]
    kind: RasterFormat
    layers: Tuple[SnapshotLayer, ...] = ()
    files: Tuple[SnapshotFile, ...] = ()
    notes: Tuple[str, ...] = ()
    problems: Tuple[str, ...] = ()
    #: tells one order from another: an unfinished snapshot goes on only with its own
    order: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_complete(self) -> bool:
        """Whether all of it is there, as its makers saw it."""
        return self.state == COMPLETE

    def files_with_role(self, role: str) -> Tuple[SnapshotFile, ...]:
        """The files of one role: "raster", "record", "capabilities", "legend", "document", "credits"."""
        return tuple(file for file in self.files if file.role == role)

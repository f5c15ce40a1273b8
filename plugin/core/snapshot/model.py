"""The data model of snapshots: raster levels and parts, layers, files, manifest."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Mapping, Optional, Tuple

from ..dates import past_moment

#: west, south, east, north in the units of a CRS, x to the east
CrsBounds = Tuple[float, float, float, float]

FORMAT = "cartoguide-snapshot"
VERSION = 1
#: file names in a snapshot's folder
MANIFEST = "snapshot.json"
DOCUMENT = "map.custommap.json"
#: folder of the downloaded tiles while the snapshot is incomplete
TILE_FOLDER = ".parts"


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


@dataclass(frozen=True)
class SnapshotLayer:
    """One layer of a finished snapshot.

    ``file`` is relative to the snapshot's folder. ``table`` names the raster in a GeoPackage and is empty for a
    GeoTIFF. ``address``, ``name`` and ``style`` identify the live layer.
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
    """A file of the snapshot: its relative path (always with ``/``), role (see FileRole), size in bytes and SHA-256.

    ``about`` is the endpoint of the service, or the address of the request, that it belongs to.
    """

    path: str
    role: str
    media_type: str
    size: int = 0
    sha256: str = ""
    about: str = ""


@dataclass(frozen=True)
class SnapshotManifest:
    """The content of ``snapshot.json``: layers, files, source and time. ``problems`` lists what an incomplete one
    lacks.
    """

    title: str
    state: SnapshotState
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
    #: key of the options: an unfinished snapshot is only resumed with the same options
    order: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

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

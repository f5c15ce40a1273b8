"""Rasters of snapshots, which may come from anybody: each draws its own pixels, and names no other file or address.

GDAL reads files beside a raster, and files and addresses that its metadata name. So a raster is looked at with nothing
beside it, by the drivers that snapshots are written with, before QGIS opens it.
"""

from __future__ import annotations

import os
import re
import sqlite3
from bisect import bisect_left
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import List, Tuple

from osgeo import gdal

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.trust.files import UnusableFile, check_kind, inside, is_regular
from ..runtime.gdal import metadata_domains, quiet_gdal

_GEOPACKAGE = "GPKG:"
_DRIVERS = ["GTiff", "COG", "GPKG"]
#: GDAL's domains of metadata that name nothing to be opened, in lower case
_HARMLESS_DOMAINS = frozenset(("", "image_structure", "derived_subdatasets", "cartoguide", "color_profile",
                               "tiling_scheme", "geopackage", "exif", "xml:xmp"))
#: statistics of GDAL and QGIS, which are read beside a raster and judged with its metadata
_STATISTICS, _MAX_STATISTICS = ".aux.xml", 20_000_000
#: suffixes of files that GDAL reads beside a raster: overviews, masks, world files, metadata of cameras
_SIDE_SUFFIXES = frozenset((".ovr", ".msk", ".aux", ".rrd", ".tfw", ".tifw", ".tiffw", ".wld", ".tab", ".imd", ".rpb",
                            ".pvl", ".til", ".att", ".eph", ".xml", ".vrt"))
#: what SQLite writes beside a file that is open. A log that is not empty would be read with the tables, unjudged
_OF_SQLITE, _LOGS = ("-wal", "-shm", "-journal"), ("-wal", "-journal")
#: names of rasters: QGIS looks into archives whatever else the file is
_NAMES = (".gpkg", ".tif", ".tiff")
_MAX_TABLES = 10_000
#: the statement of a table with rows of its own, or with an index of places
_TABLE = re.compile(r"create\s+(?:table\b|virtual\s+table\s+\"?\w+\"?\s+using\s+rtree\s*\()", re.IGNORECASE)


def raster_file(source: str) -> str:
    """Return the file of a raster's source as GDAL writes it. ``GPKG:path:table`` names a table in the file."""
    return source[len(_GEOPACKAGE):].rpartition(":")[0] if source.startswith(_GEOPACKAGE) else source


def check_raster(source: str, folder: str) -> None:
    """Raise CartoguideError unless the raster of a snapshot can be opened without reading anything else.

    ``source`` is as GDAL writes it, and ``folder`` that of the snapshot. For any thread.
    """
    file = Path(raster_file(source))
    if not inside(file, folder or file.parent):
        raise UnusableFile(tr("{name} is not in the folder of its snapshot, and is not opened.", name=file.name),
                           f"{file}\n{folder}")
    check_kind(file)
    if file.suffix.lower() not in _NAMES:
        raise UnusableFile(tr("The snapshot’s raster {name} cannot be read as GeoTIFF or GeoPackage. Take the snapshot "
                              "again.", name=file.name), str(file))
    try:
        problem = _current_problem(source, file)
    except OSError as error:
        raise UnusableFile(tr("{name} could not be opened: {reason}.", name=file.name, reason=error.strerror or "?"),
                           str(error)) from error
    if problem:
        raise CartoguideError(problem, source)


def _current_problem(source: str, file: Path) -> str:
    statistics = _statistics_beside(file)
    status = os.stat(file)
    return _problem_of(source, statistics, status.st_mtime_ns, status.st_size,
                       os.stat(statistics).st_mtime_ns if statistics else 0)


def _statistics_beside(file: Path) -> str:
    """Return the file with statistics beside a raster, or "". Raises CartoguideError if others would be read too."""
    found = ""
    name, stem = file.name.lower(), file.stem.lower()
    listing = _listing(str(file.parent), os.stat(file.parent).st_mtime_ns)
    for beside, written in listing[bisect_left(listing, (stem, "")):]:
        if not beside.startswith(stem):
            break
        path = file.parent / written
        if beside == name or beside.startswith(name) and beside[len(name):] in _OF_SQLITE:
            if beside.endswith(_LOGS) and os.path.getsize(path):
                raise CartoguideError(
                    tr("{other} would be read with the snapshot’s raster {name}, and may name anything. Remove it, or "
                       "take the snapshot again.", other=written, name=file.name), str(path))
            continue
        if beside == name + _STATISTICS and is_regular(path, _MAX_STATISTICS):
            found = str(path)
        elif beside.startswith((f"{name}.", f"{stem}_rpc.", f"{stem}_metadata.")) or \
                os.path.splitext(beside)[1] in _SIDE_SUFFIXES and os.path.splitext(beside)[0] == stem:
            raise CartoguideError(
                tr("{other} would be read with the snapshot’s raster {name}, and may name anything. Remove it, or take "
                   "the snapshot again.", other=written, name=file.name), str(path))
    return found


@lru_cache(maxsize=16)
def _listing(folder: str, _changed: int) -> List[Tuple[str, str]]:
    """Return the names in a folder, in lower case and as they are written, in order."""
    return sorted((name.lower(), name) for name in os.listdir(folder))


@lru_cache(maxsize=10_000)
def _problem_of(source: str, statistics: str, _changed: int, _size: int, _statistics_changed: int) -> str:
    """Return why a raster may not be opened, or "". The times and the size tell a changed file from the one judged."""
    file = Path(raster_file(source))
    names = [file.name, *([Path(statistics).name] if statistics else [])]
    with quiet_gdal():
        if _has_foreign_tables(file):
            return tr("The snapshot’s raster {name} has tables that are read from elsewhere, and is not opened. Take "
                      "the snapshot again.", name=file.name)
        dataset = gdal.OpenEx(source, gdal.OF_RASTER | gdal.OF_READONLY, allowed_drivers=_DRIVERS, sibling_files=names)
        if dataset is None:
            return tr("The snapshot’s raster {name} cannot be read as GeoTIFF or GeoPackage. Take the snapshot "
                      "again.",
                      name=file.name)
        foreign = [domain for domain in metadata_domains(dataset) if domain not in _HARMLESS_DOMAINS]
        # released in the thread that opened it
        dataset = None
    if foreign:
        return tr("The snapshot’s raster {name} refers to other files or addresses ({what}), and is not opened. Take "
                  "the snapshot again.", name=file.name, what=", ".join(foreign[:5])[:100])
    return ""


def _has_foreign_tables(file: Path) -> bool:
    """Return whether an SQLite file has views or virtual tables, which may read other files and never end."""
    try:
        with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            rows = database.execute("SELECT type, sql FROM sqlite_master").fetchmany(_MAX_TABLES + 1)
    except (sqlite3.Error, ValueError) as error:
        return "not a database" not in str(error)
    return len(rows) > _MAX_TABLES or any(
        kind == "view" or kind == "table" and _TABLE.match(str(sql or "")) is None for kind, sql in rows)

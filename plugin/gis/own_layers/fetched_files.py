"""Layers of files that were fetched for a record, recognised by their content. What they name is not opened."""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from osgeo import gdal

from ...core.distributions.kinds import LinkKind
from ...core.distributions.uses import kind_name
from ...core.errors import UnreadableDocument
from ...core.i18n import tr
from ...core.sources.offered_layers import OfferedLayer
from ...core.trust.files import check_kind, open_regular
from ...core.wms.crs.codes import normalise_crs
from ...core.wms.responses.document_detection import is_html

#: what is taken out of an archive, and the most of it
_UNPACKED = frozenset((".shp", ".shx", ".dbf", ".prj", ".cpg", ".gpkg", ".geojson", ".json", ".gml", ".kml", ".csv",
                       ".fgb", ".tif", ".tiff", ".tfw"))
_MAX_MEMBERS, _MAX_UNPACKED, _PIECE = 400, 4_000_000_000, 1 << 20
_OPENED = (".gpkg", ".shp", ".geojson", ".fgb", ".gml", ".kml", ".tif", ".tiff", ".csv", ".json")
#: drivers of GDAL by the end of a file's name. None of them follows what a file names
_DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".geojson": "GeoJSON", ".json": "GeoJSON", ".fgb": "FlatGeobuf",
            ".kml": "KML", ".gml": "GML", ".tif": "GTiff", ".tiff": "GTiff"}
_X_FIELDS = ("x", "lon", "lng", "long", "longitude", "longitud", "coord_x", "coordx", "x_coord", "utm_x", "xutm",
             "easting", "este", "x_etrs89", "lon_wgs84")
_Y_FIELDS = ("y", "lat", "latitude", "latitud", "coord_y", "coordy", "y_coord", "utm_y", "yutm", "northing", "norte",
             "y_etrs89", "lat_wgs84")
_WKT_FIELDS = ("wkt", "geom", "geometry", "the_geom", "wkt_geom", "geom_wkt")


def layers_of_file(path: Path, kind: Optional[LinkKind] = None,
                   systems: Sequence[str] = ()) -> Tuple[OfferedLayer, ...]:
    """Return the layers of a file, of which nothing is opened that it names. Raises CartoguideError without any.

    ``systems`` are the CRSs that its record names, for tables of coordinates, which cannot say it.
    """
    with open_regular(path) as file:
        head = file.read(4_096)
    found: List[OfferedLayer] = []
    if is_html(head):
        raise UnreadableDocument(tr("The server sends a web page in place of {kind}.", kind=kind_name(kind)), str(path))
    if head.startswith(b"PK\x03\x04"):
        for file_path in _unpacked(path):
            found += _layers_at(file_path, systems)
    else:
        found += _layers_at(_with_right_end(path, head), systems)
    if not found:
        raise UnreadableDocument(tr("“{name}” has no layer that QGIS opens.", name=path.name), str(path))
    # the only one is called as its record is
    return tuple(found) if len(found) == 1 else tuple(
        replace(layer, title=layer.title or Path(layer.source).stem) for layer in found)


def _with_right_end(path: Path, head: bytes) -> Path:
    """Return the path of a file with the end that its content has, where the server sent another format."""
    start = head.lstrip(b"\xef\xbb\xbf \r\n\t")
    right = ".gpkg" if head.startswith(b"SQLite format 3") else ".tif" if head[:4] in (
        b"II*\0", b"MM\0*", b"II+\0") else ".geojson" if start.startswith(b"{") else ".gml" if (
        start.startswith(b"<") and b"FeatureCollection" in head) else ""
    if not right or path.suffix in (right, ".tiff", ".json"):
        return path
    target = path.with_suffix(right)
    os.replace(path, target)
    return target


def _layers_at(path: Path, systems: Sequence[str]) -> List[OfferedLayer]:
    end = path.suffix.lower()
    if end == ".csv":
        return _table_layers(path, systems)
    if end == ".gml":
        path, end = _as_geopackage(path), ".gpkg"
    driver = _DRIVERS.get(end)
    if driver is None:
        return []
    check_kind(path)
    dataset = gdal.OpenEx(str(path), gdal.OF_READONLY | gdal.OF_VECTOR | gdal.OF_RASTER,
                          allowed_drivers=[driver, "LIBKML"] if driver == "KML" else [driver])
    if dataset is None:
        return []
    if end in (".tif", ".tiff"):
        return [OfferedLayer("", "", "raster", "gdal", str(path))]
    names = [(one.GetName(), one.GetGeomType()) for number in range(min(dataset.GetLayerCount(), 500))
             for one in [dataset.GetLayer(number)]]
    # a table without geometries is drawn by nobody
    drawn = [name for name, geometry in names if geometry != 100]
    if len(names) == 1:
        return [OfferedLayer(names[0][0], "", "vector", "ogr", str(path))] if drawn else []
    return [OfferedLayer(name, name, "vector", "ogr", f"{path}|layername={name}") for name in drawn]


def _as_geopackage(path: Path) -> Path:
    """Return a GeoPackage of what is in a GML file, whose schema may be at any address."""
    target = path.with_suffix(".gpkg")
    source = gdal.OpenEx(str(path), gdal.OF_VECTOR | gdal.OF_READONLY, allowed_drivers=["GML"],
                         open_options=["DOWNLOAD_SCHEMA=NO", "WRITE_GFS=NO"])
    done = gdal.VectorTranslate(str(target), source, format="GPKG") if source is not None else None
    if done is None:
        raise UnreadableDocument(tr("“{name}” has no layer that QGIS opens.", name=path.name), gdal.GetLastErrorMsg())
    return target


def _table_layers(path: Path, systems: Sequence[str]) -> List[OfferedLayer]:
    """Return the layer of a table with coordinates. Raises UnreadableDocument for one without."""
    with open_regular(path) as file:
        text = file.read(65_536).decode("utf-8-sig", "replace")
    line = text.partition("\n")[0]
    mark = max(",;\t|", key=line.count)
    fields = next(iter(csv.reader(io.StringIO(line), delimiter=mark)), [])
    folded = [re.sub(r"\W+", "_", field.strip().lower()).strip("_") for field in fields]

    def field_of(names: Sequence[str]) -> str:
        return next((fields[folded.index(name)] for name in names if name in folded), "")

    x, y, shape = field_of(_X_FIELDS), field_of(_Y_FIELDS), field_of(_WKT_FIELDS)
    if not (x and y) and not shape:
        raise UnreadableDocument(tr("“{name}” has no columns that are called like coordinates, such as lon and lat.",
                                    name=path.name), ", ".join(fields[:50]))
    rows = [row for row in csv.reader(io.StringIO(text.partition("\n")[2]), delimiter=mark) if len(row) == len(fields)]
    where = f"xField={quote(x)}&yField={quote(y)}" if x and y else f"wktField={quote(shape)}"
    named = [normalise_crs(system) for system in systems]
    is_lonlat = not (x and y) or _are_degrees(rows, fields.index(x), fields.index(y))
    crs = "EPSG:4326" if is_lonlat else next((code for code in named if code.startswith("EPSG:")), "")
    if not crs:
        raise UnreadableDocument(tr("“{name}” has coordinates in a system that neither the file nor its record names.",
                                    name=path.name), line)
    decimal = "&decimalPoint=," if mark != "," and any("," in row[fields.index(x)] for row in rows[:5] if x) else ""
    # QGIS does not decode it
    delimiter = "" if mark == "," else "&delimiter=" + ("\\t" if mark == "\t" else mark)
    return [OfferedLayer("", "", "vector", "delimitedtext",
                         f"{path.as_uri()}?type=csv&detectTypes=yes&{where}{delimiter}{decimal}&crs={crs}")]


def _are_degrees(rows: Sequence[Sequence[str]], x: int, y: int) -> bool:
    try:
        return all(abs(float(row[x].replace(",", "."))) <= 360 and abs(float(row[y].replace(",", "."))) <= 90
                   for row in rows[:50])
    except ValueError:
        return True


def _unpacked(path: Path) -> List[Path]:
    """Return the files of an archive that can be opened, taken out of it beside it. Raises CartoguideError."""
    top = path.with_suffix("")
    found: List[Path] = []
    #: where the files of each folder of the archive go, so that parts of two files of one name are not mixed
    folders: Dict[str, Path] = {}
    budget = _MAX_UNPACKED
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            members = [one for one in archive.infolist() if os.path.splitext(one.filename.lower())[1] in _UNPACKED]
            for member in members[:_MAX_MEMBERS]:
                # names of folders are left out: nothing of an archive lands elsewhere
                inside, _, named = member.filename.replace("\\", "/").rpartition("/")
                name = re.sub(r"[^\w.-]+", "-", named).lstrip(".-")
                if not name:
                    continue
                folder = folders.setdefault(inside, top / str(len(folders)) if folders else top)
                folder.mkdir(parents=True, exist_ok=True)
                with archive.open(member) as packed, (folder / name).open("wb") as target:
                    while piece := packed.read(_PIECE):
                        budget -= len(piece)
                        if budget < 0:
                            raise UnreadableDocument(tr("“{name}” unpacks to more than {size} MB.", name=path.name,
                                                        size=_MAX_UNPACKED // 1_000_000))
                        target.write(piece)
                if os.path.splitext(name.lower())[1] in _OPENED:
                    found.append(folder / name)
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise UnreadableDocument(tr("“{name}” cannot be unpacked.", name=path.name), str(error)) from error
    return found

"""The QGIS layers of own layers, opened in a task: a source may be a server that never answers, or a file of gigabytes.

QGIS makes a layer by asking its server and waits for it without end. Here the server is asked first, within limits that
can be cancelled, and the layer is made in the task's thread. What a foreign map names is opened by stricter rules: a
regular file of a format that leads nowhere else, without the styles and forms that lie beside or in it.
"""

from __future__ import annotations

import os
import re
import sqlite3
import stat
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Callable, Iterator, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import quote, unquote, urlsplit

from osgeo import gdal, osr
from qgis.core import (
    QgsApplication,
    QgsCoordinateTransformContext,
    QgsFeedback,
    QgsMapLayer,
    QgsMapLayerFactory,
    QgsMapLayerType,
    QgsProject,
)
from qgis.PyQt.QtCore import QObject

from ...core.addresses import host_and_port, without_secrets
from ...core.custommap.model import OwnLayer
from ...core.custommap.own_sources import file_of, is_temporary
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import SourceType
from ...core.text import inert, printable
from ...core.trust.contents import CRS_MEMBER, MAX_CRS, MAX_CRS_NAME, is_bounded_query, is_harmless_crs, view_query
from ...core.trust.files import UnusableFile, check_kind, inside, is_local_path, open_regular
from ...core.trust.provenance import Trust
from ...core.wms.responses.response_validation import check_response
from ..network import bound_origins
from ..network.client import RequestLimits, fetch
from ..network.origin_settings import NO_LOGIN, is_same_server, origin, origin_address
from ..runtime import crs_ownership, main_thread, tasks
from ..runtime.gdal import quiet_gdal, refers_elsewhere
from ..runtime.thread_pool import pool_slot_released
from ..sources.kinds import layer_kind
from .references import LAYER_TYPES, show_opened, unavailable_text

#: seconds after which a layer that has not opened is given up
OPENING_SECONDS = 30.0
#: seconds of the first answer of a server, and the most bytes of one that a foreign map names: the largest
#: capabilities of many layers have some megabytes, and a server that never stops would go on in QGIS
_PROBE_SECONDS, _FOREIGN_BYTES = 20.0, 4_000_000
#: drivers of GDAL for foreign files. They read the file itself and files of its name, and follow nothing that it names
_VECTOR_DRIVERS = ("GPKG", "ESRI Shapefile", "GeoJSON", "GeoJSONSeq", "TopoJSON", "FlatGeobuf", "CSV", "GPX", "DXF",
                   "KML", "LIBKML", "ODS", "XLSX")
_RASTER_DRIVERS = ("GTiff", "COG", "GPKG", "PNG", "JPEG", "JP2OpenJPEG", "WEBP", "BMP", "GIF", "AAIGrid", "SRTMHGT")
#: what tables and views of a GeoPackage may not call: functions of GDAL and SpatiaLite that open files and addresses
_SQL_THAT_LEADS_ELSEWHERE = re.compile(
    r"\b(?:ogr_geocode|ogr_layer|gdal_\w+|load_extension|readfile|writefile|blobfromfile|blobtofile)\s*\(|"
    r"\bwith\s+recursive\b", re.IGNORECASE)
#: a table with rows, or an index of places. The name stands before all else, so that no comment can speak for it
_VIRTUAL_TABLE = re.compile(r"\s*create\s+virtual\s+table\b", re.IGNORECASE)
_INDEX = re.compile(r"\s*create\s+virtual\s+table\s+(?:\"[^\"]{1,200}\"|\w{1,200})\s+using\s+\"?(?:rtree|fts[345])\"?"
                    r"\s*\(", re.IGNORECASE)
_MAX_SCHEMA_ROWS, _MAX_COMPANIONS = 20_000, 200
#: seconds in which the queries of a foreign GeoPackage must have answered, and the steps of SQLite between two looks
_QUERY_SECONDS, _QUERY_STEPS = 5.0, 10_000
#: files that GDAL and MDAL read as a whole, which cannot be ended, and the most bytes of one
_READ_AS_A_WHOLE = re.compile(r"\.(?:geojsonl?|json|topojson|kml|gpx|dxf|ods|xlsx|2dm)\Z", re.IGNORECASE)
_MAX_WHOLE_BYTES = 300_000_000
#: pixels of a raster of which all rows before the wanted ones are decoded
_MAX_PIXELS, _ROW_BY_ROW = 2_000_000_000, frozenset(("PNG", "JPEG", "GIF", "WEBP", "BMP"))
#: bytes of a text that is searched at once, which holds Python's lock
_JSON_CHUNK = 500_000
_SOURCE_EPSG = re.compile(r"EPSG:(\d{4,6})\b")
#: how QGIS writes a CRS that GDAL has read
_AS_QGIS_DOES = ["MULTILINE=NO", "FORMAT=WKT2"]
_MAX_CODES = 40
#: statuses of a server that asks for a login
_LOGIN_STATUSES = (401, 403, 407)


class OpeningFailed(CartoguideError):
    """An own layer may not or cannot be opened."""


def open_layer(own: OwnLayer, feedback: Optional[QgsFeedback] = None) -> QgsMapLayer:
    """Return the layer of an own layer, drawn as the document says and not yet in a project: without a window.

    Main thread only. Processes events until the task has ended. Raises CartoguideError with the reason if the source
    may not or cannot be opened in time, or drawn so, and Cancelled.
    """
    context = QgsProject.instance().transformContext()
    try:
        layer = tasks.run_and_wait(lambda inner: make_layer(own, context, inner), OPENING_SECONDS, feedback,
                                   description=tr("Opening “{layer}”", layer=own.name))
    except (Cancelled, OpeningFailed):
        raise
    except CartoguideError as error:
        raise CartoguideError(late_text(own), error.user_text) from error
    show_opened(layer, own)
    return layer


def start_opening(own: OwnLayer, done: Callable[[QgsMapLayer], None], failed: tasks.ErrorCallback,
                  owner: Optional[QObject] = None) -> tasks.Job:
    """Open the layer of an own layer in a task. Main thread only.

    ``done`` gets it, not yet in a project and not yet drawn as the document says. ``failed`` gets the reason.
    """
    context = QgsProject.instance().transformContext()
    return tasks.start(tr("Opening “{layer}”", layer=own.name), lambda feedback: make_layer(own, context, feedback),
                       done, failed, owner)


def waits_for(own: OwnLayer) -> str:
    """Return what the opening of an own layer waits for, as text for people: a server's host, or a file's name."""
    found = own.origin
    if found.address:
        return tr("waiting for {host}…", host=urlsplit(found.address).hostname or found.address)
    return tr("opening {name}…", name=printable(Path(found.path).name)) if found.path else tr("loading…")


def make_layer(own: OwnLayer, context: QgsCoordinateTransformContext, feedback: tasks.Feedback) -> QgsMapLayer:
    """Return a new QGIS layer of an own layer's source. For worker threads. It belongs to the main thread afterwards.

    Raises Cancelled, and CartoguideError with the reason if the source may not or cannot be opened. A temporary layer
    would open empty, and is refused.
    """
    if is_temporary(own):
        raise OpeningFailed(tr("“{layer}” is missing from the map: it was a temporary layer of another project.",
                               layer=own.name))
    if not own.trust.may_open:
        raise OpeningFailed(own.refusal or unopened_text(own))
    layer_type, is_known = QgsMapLayerFactory.typeFromString(own.type)
    if not is_known or own.type not in LAYER_TYPES:
        raise OpeningFailed(unavailable_text(own), own.source)
    with _bound_server(own, feedback):
        layer, others = _made_layer(own, layer_type, context, feedback)
        if own.trust is not Trust.OWN:
            main_thread.call(lambda: bound_origins.bind(layer, others), feedback)
    return layer


@contextmanager
def _bound_server(own: OwnLayer, feedback: tasks.Feedback) -> Iterator[None]:
    """Let the server of a foreign layer lead nowhere else while QGIS makes the layer."""
    address = own.origin.address if own.trust is not Trust.OWN else ""
    if not address:
        yield
        return
    try:
        # cancelled, it may begin later all the same, but before its end
        main_thread.call(lambda: bound_origins.begin_opening(address), feedback)
        yield
    finally:
        main_thread.post(lambda: bound_origins.end_opening(address))


def _made_layer(own: OwnLayer, layer_type: QgsMapLayerType, context: QgsCoordinateTransformContext,
                feedback: tasks.Feedback) -> Tuple[QgsMapLayer, Tuple[str, ...]]:
    """Return the layer once its server has answered, or its file is known to be one that may be opened.

    With it come the addresses on other servers that its capabilities name, for legends for example.
    """
    codes, others = _first_answer(own, feedback)
    definitions = _file_systems(own)
    crs_ownership.claim_crs(dict.fromkeys(codes), feedback)
    if own.origin.by_gdal and own.origin.address:
        definitions = _definitions_of(codes)
    crs_ownership.claim_definitions(dict.fromkeys(definitions or ()), feedback)
    options = QgsMapLayerFactory.LayerOptions(context)
    # styles beside and inside of a file may be anybody's too
    options.loadDefaultStyle = own.trust is Trust.OWN and not own.style
    feedback.raise_if_cancelled()

    def create() -> Optional[QgsMapLayer]:
        return QgsMapLayerFactory.createLayer(own.source, inert(own.name), layer_type, options, own.provider)

    if definitions is None or own.origin.type is SourceType.VIRTUAL:
        # its CRS would belong to the thread that reads it first. A virtual layer asks the project for its variables,
        # which crashes QGIS where the main thread changes the project
        layer = main_thread.call(create, feedback)
    else:
        with pool_slot_released():
            layer = create()
        if layer is not None:
            # one that is not opened is deleted on the main thread too: see main_thread
            layer.moveToThread(QgsApplication.instance().thread())
    if layer is None or not layer.isValid() or not layer_kind(own.origin).is_described(layer):
        raise OpeningFailed(unavailable_text(own), own.source)
    return layer, others


def unopened_text(own: OwnLayer) -> str:
    """Return the text about an own layer of a foreign map that nobody has agreed to."""
    return tr("“{layer}” is not opened: the map is somebody else's, and nobody has agreed to it.", layer=own.name)


def late_text(own: OwnLayer, seconds: float = OPENING_SECONDS) -> str:
    """Return the text about an own layer that did not open within a time."""
    return tr("“{layer}” did not open within {seconds} s ({waited}). Try again, or remove it from the map.",
              layer=own.name, seconds=f"{seconds:g}", waited=waits_for(own).rstrip("…"))


def _first_answer(own: OwnLayer, feedback: tasks.Feedback) -> Tuple[List[str], Tuple[str, ...]]:
    """Wait for the first answer of the layer's server, and return the codes of the CRSs that source and answer name.

    The second part are the addresses on other servers in the answer to a foreign layer.

    One that asks for a login counts where the source names one, which QGIS sends. Raises OpeningFailed if there is no
    answer, or another than that of such a service.
    """
    codes = [f"EPSG:{number}" for number in _SOURCE_EPSG.findall(unquote(own.source))[:_MAX_CODES]]
    found = own.origin
    kind = kind_of(found)
    if not found.address:
        return codes, ()
    codes += ["EPSG:4326", "EPSG:3857"]
    if kind.first_request is None:
        # tiles are requested when they are drawn
        return codes, ()
    address = without_secrets(found.address)
    first = kind.first_request(address)
    prepare = layer_kind(found).prepare
    if prepare is not None:
        prepare(found, _PROBE_SECONDS, OPENING_SECONDS)
    limits = RequestLimits.from_settings(max_total=_PROBE_SECONDS, retries=0)
    if own.trust is not Trust.OWN:
        limits = replace(limits, max_bytes=min(limits.max_bytes, _FOREIGN_BYTES))
    try:
        # whoever wrote the map chose the address: the person's rights are not used for it
        response = fetch(first.request, limits=limits, feedback=feedback,
                         login=None if own.trust is Trust.OWN else NO_LOGIN,
                         stays_at_origin=own.trust is not Trust.OWN)
        if response.status not in _LOGIN_STATUSES or "authcfg" not in own.source:
            check_response(response, first.expected)
    except Cancelled:
        raise
    except CartoguideError as error:
        raise _missing(own, error) from error
    body = response.body
    if kind.check_first_answer is not None:
        try:
            kind.check_first_answer(body, host_and_port(address))
        except CartoguideError as error:
            raise _missing(own, error) from error
    others: Tuple[str, ...] = ()
    if own.trust is not Trust.OWN:
        _check_origins(own, address, kind.next_addresses(body, address) if kind.next_addresses is not None else ())
        if kind.named_addresses is not None:
            others = tuple(other for other in kind.named_addresses(body) if origin(other) != origin(address))
    return [*codes, *crs_ownership.crs_codes_in(body)], others


def _check_origins(own: OwnLayer, address: str, named: Optional[Sequence[str]]) -> None:
    """Raise OpeningFailed where the answer of a foreign map's server leads to another one, which nobody agreed to.

    ``named`` are the addresses that QGIS requests next, None if they could not be read.
    """
    if named is None:
        raise OpeningFailed(unavailable_text(own), "JSON")
    others = [other for other in sorted(set(named)) if not is_same_server(other, address)]
    if others:
        raise OpeningFailed(tr("“{layer}” is not opened for a map of somebody else: its server leads to {host}.",
                               layer=own.name, host=origin_address(others[0])), "\n".join(others[:20]))


def _missing(own: OwnLayer, error: CartoguideError) -> OpeningFailed:
    return OpeningFailed(tr("“{layer}” is missing from the map. {reason}", layer=own.name, reason=error.user_text),
                         error.detail)


def check_file(own: OwnLayer) -> None:
    """Raise OpeningFailed if the file of an own layer of a foreign map may not be opened, or not any more."""
    if own.trust is not Trust.OWN:
        _file_systems(own)


def _file_systems(own: OwnLayer) -> Optional[List[str]]:
    """Return the definitions of the CRSs of an own layer's file, once it is known to be one that may be opened.

    None if only QGIS can read it. Raises OpeningFailed.
    """
    path = file_of(own)
    if not path or not is_local_path(path):
        return []
    if own.trust is Trust.AGREED:
        if own.agreed_file and os.path.realpath(path) != own.agreed_file:
            raise OpeningFailed(tr("“{layer}” is not opened: its file was replaced by a link to another one after you "
                                   "agreed to open it.", layer=own.name), os.path.realpath(path))
        try:
            # not opened: SQLite's locks of this process would end with it
            check_kind(path, _MAX_WHOLE_BYTES if _READ_AS_A_WHOLE.search(path) else None)
        except UnusableFile as error:
            raise OpeningFailed(unavailable_text(own), error.user_text) from error
        _check_companions(own, path)
    elif _is_endless(path):
        raise OpeningFailed(unavailable_text(own), path)
    if not own.origin.by_gdal:
        # QGIS's own readers of text take the CRS from the source. Others read it themselves, a foreign file in the task
        return [] if own.type == "vector" or own.trust is Trust.AGREED else None
    with quiet_gdal():
        if own.trust is Trust.AGREED:
            _check_format(own, path, _RASTER_DRIVERS if own.type == "raster" else _VECTOR_DRIVERS)
        found = _definitions_in(own, path)
    if found is None and own.trust is Trust.AGREED:
        # QGIS would try every other driver
        raise OpeningFailed(unavailable_text(own), path)
    return found


def _is_endless(path: str) -> bool:
    """Return whether a path of this profile's own map leads to a device or a pipe, which may never be read to its end.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _check_format(own: OwnLayer, path: str, drivers: Sequence[str]) -> None:
    """Raise CartoguideError for a foreign file that names others: a file of GDAL is what its content says."""
    flags = gdal.OF_RASTER if own.type == "raster" else gdal.OF_VECTOR
    driver = gdal.IdentifyDriverEx(path, flags)
    name = driver.ShortName if driver is not None else ""
    if name not in drivers:
        raise OpeningFailed(
            tr("“{layer}” is not opened for a map of somebody else: files of this format ({format}) may lead to other "
               "files or addresses. Convert it to GeoPackage or GeoTIFF.", layer=own.name, format=name or "?"), path)
    if name == "GPKG":
        _check_geopackage(own, path)
    if name in ("GeoJSON", "GeoJSONSeq", "TopoJSON"):
        _check_geojson(own, path)
    if own.type == "raster":
        _check_raster(own, path, drivers)


def _check_raster(own: OwnLayer, path: str, drivers: Sequence[str]) -> None:
    """Raise OpeningFailed for a raster whose metadata, overviews or mask name other files or addresses."""
    if any(os.path.lexists(other) for other in (f"{path}.aux", f"{os.path.splitext(path)[0]}.aux")):
        # overviews of another format, which name files
        raise _leads_elsewhere(own, path)
    for file in (path, f"{path}.ovr", f"{path}.msk", f"{path}.msk.ovr", f"{path}.ovr.ovr"):
        statistics = f"{file}.aux.xml"
        for part in (file, statistics):
            if os.path.lexists(part):
                check_kind(part)
        if not os.path.lexists(file):
            continue
        dataset = gdal.OpenEx(own.source if file == path else file, gdal.OF_RASTER | gdal.OF_READONLY,
                              allowed_drivers=list(drivers),
                              sibling_files=[os.path.basename(file), os.path.basename(statistics)])
        if dataset is None or refers_elsewhere(dataset):
            raise _leads_elsewhere(own, file)
        if (dataset.GetDriver().ShortName in _ROW_BY_ROW and dataset.RasterXSize * dataset.RasterYSize > _MAX_PIXELS):
            raise OpeningFailed(tr("“{layer}” is not opened for a map of somebody else: its image has more than "
                                   "{count} million pixels. Convert it to GeoTIFF.", layer=own.name,
                                   count=_MAX_PIXELS // 1_000_000), file)


def _leads_elsewhere(own: OwnLayer, path: str) -> OpeningFailed:
    return OpeningFailed(tr("“{layer}” is not opened for a map of somebody else: its file leads to other files or "
                            "addresses.", layer=own.name), path)


def _check_geojson(own: OwnLayer, path: str) -> None:
    """Raise OpeningFailed for a GeoJSON file whose CRS is a link, which GDAL requests (GeoJSON 2008, 3.2)."""
    with open_regular(path) as file:
        before, place = b"", 0
        while chunk := file.read(_JSON_CHUNK):
            text = before + chunk
            # searching a long text holds Python's lock, so an escaped name is only looked for where there is one
            found = CRS_MEMBER.finditer(text) if b"\\u00" in text or b"crs" in text.lower() else ()
            for member in found:
                file.seek(place - len(before) + member.end())
                if not is_harmless_crs(file.read(MAX_CRS).decode("utf-8", "replace")):
                    raise _leads_elsewhere(own, path)
            place += len(chunk)
            file.seek(place)
            # a name may lie across two pieces
            before = chunk[-MAX_CRS_NAME:]


def _check_geopackage(own: OwnLayer, path: str) -> None:
    """Raise OpeningFailed for a GeoPackage with tables or views that open other files or addresses, or never end.

    What a writer has left beside the file belongs to it, and would be read with it.
    """
    logs = (f"{path}-wal", f"{path}-journal")
    if any(os.path.lexists(log) and os.path.getsize(log) for log in logs):
        raise _leads_elsewhere(own, path)
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro&immutable=1", uri=True)) as connection:
            found: List[Tuple[object, object, object]] = connection.execute(
                "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchmany(_MAX_SCHEMA_ROWS + 1)
            views = frozenset(str(name).lower() for kind, name, _sql in found if kind == "view")
            if len(found) > _MAX_SCHEMA_ROWS or any(
                    not isinstance(sql, str) or _SQL_THAT_LEADS_ELSEWHERE.search(sql)
                    or (_VIRTUAL_TABLE.match(sql) and not _INDEX.match(sql))
                    or not is_bounded_query(str(kind), sql, views) for kind, _name, sql in found):
                raise _leads_elsewhere(own, path)
            _check_queries(own, path, connection, {str(name): view_query(str(sql)) for kind, name, sql in found
                                                   if kind == "view"})
    except sqlite3.Error as error:
        raise OpeningFailed(unavailable_text(own), str(error)) from error


def _check_queries(own: OwnLayer, path: str, connection: sqlite3.Connection, queries: Mapping[str, str]) -> None:
    """Raise OpeningFailed where the views of a foreign GeoPackage take too long: QGIS cannot end them.

    ``queries`` are those of its views by name, which call known functions only.
    """
    end = time.monotonic() + _QUERY_SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > end, _QUERY_STEPS)
    for view, query in queries.items():
        try:
            rows = connection.execute(query)
            rows.fetchone()
            if f"|layername={view}|".lower() in f"{own.source}|".lower():
                while rows.fetchmany(1_000):
                    pass
        except sqlite3.OperationalError as error:
            if str(error).startswith("no such function"):
                # that of GDAL's SQLite is not this one's
                raise _leads_elsewhere(own, path) from error
            if time.monotonic() > end:
                raise OpeningFailed(tr("“{layer}” is not opened for a map of somebody else: a query in its file takes "
                                       "longer than {seconds} s. Save what the query gives as a table.",
                                       layer=own.name, seconds=f"{_QUERY_SECONDS:g}"), str(error)) from error


def _check_companions(own: OwnLayer, path: str) -> None:
    """Raise OpeningFailed where a file of the same name, which is read with it, is elsewhere or no regular file."""
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0].lower()
    try:
        beside = [other for other in os.listdir(folder) if other.lower().startswith(stem + ".")][:_MAX_COMPANIONS]
        for other in beside:
            check_kind(os.path.join(folder, other))
            if not inside(os.path.join(folder, other), folder) and inside(path, folder):
                raise _leads_elsewhere(own, other)
    except (OSError, UnusableFile) as error:
        raise OpeningFailed(unavailable_text(own), str(error)) from error


def _definitions_of(codes: Sequence[str]) -> List[str]:
    """Return the definitions of CRSs as GDAL reads them in a file on the web, whose answer names them by their codes.

    GeoJSON names none. GDAL gives it the first one.
    """
    systems = [osr.SpatialReference(osr.SRS_WKT_WGS84_LAT_LONG)]
    for code in dict.fromkeys(codes):
        system = osr.SpatialReference()
        # it raises for unknown ones where another plugin wants that
        with quiet_gdal(), suppress(RuntimeError):
            if code.startswith("EPSG:") and system.ImportFromEPSG(int(code[5:])) == 0:
                systems.append(system)
    return [system.ExportToWkt(_AS_QGIS_DOES) for system in systems]


def _definitions_in(own: OwnLayer, path: str) -> Optional[List[str]]:
    is_raster = own.type == "raster"
    drivers = list(_RASTER_DRIVERS if is_raster else _VECTOR_DRIVERS) if own.trust is Trust.AGREED else None
    flags = (gdal.OF_RASTER if is_raster else gdal.OF_VECTOR) | gdal.OF_READONLY
    dataset = gdal.OpenEx(own.source if is_raster else path, flags, **({"allowed_drivers": drivers} if drivers else {}))
    if dataset is None:
        return None
    systems = [dataset.GetSpatialRef()] if is_raster else [
        dataset.GetLayer(number).GetSpatialRef() for number in range(min(dataset.GetLayerCount(), _MAX_CODES))]
    return [system.ExportToWkt(_AS_QGIS_DOES) for system in systems if system is not None]

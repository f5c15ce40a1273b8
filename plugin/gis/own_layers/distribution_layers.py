"""Layers of the distributions of records: described by their servers, counted, fetched as files. For worker threads."""

from __future__ import annotations

import csv
import io
import os
import re
import time
import uuid
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Tuple
from urllib.parse import quote

from osgeo import gdal
from qgis.core import QgsFeedback, QgsMapLayer
from qgis.PyQt.QtXml import QDomDocument

from ...core.box import Box
from ...core.custommap.layer_metadata import licences_of_terms, record_extent
from ...core.custommap.model import OwnLayer
from ...core.distributions.description import Description, describe
from ...core.distributions.kinds import LinkKind
from ...core.distributions.record_distributions import Distribution, distributions_of
from ...core.distributions.uses import kind_name, nothing_to_add, offered_distributions, others_of_kind_text
from ...core.errors import Cancelled, CartoguideError, UnreadableDocument
from ...core.files import write_bytes_atomically
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request, Response
from ...core.sources.kinds import kind_of, read_source
from ...core.sources.layer_source import LayerSource, SourceType
from ...core.sources.offered_layers import OfferedLayer
from ...core.sources.sidecar_files import find_qmd
from ...core.sources.source_kind import Documents, ProviderInfo, read_or_gap
from ...core.sources.tilejson import merge_attributions
from ...core.terms.credit_duty import duty_of_terms, strictest_duty
from ...core.terms.credit_line import joined_credit
from ...core.terms.labels import incomplete_terms_text
from ...core.terms.model import Decision
from ...core.text import fold, inert, single_line
from ...core.trust.files import check_kind, open_regular
from ...core.trust.provenance import Trust
from ...core.wms.crs.codes import normalise_crs
from ...core.wms.responses.document_detection import is_html
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..credits.layer_credits import credit_required
from ..credits.layer_metadata import set_credit, set_licences, set_terms_gap
from ..library.record_library import store_path
from ..network.client import RequestLimits, fetch
from ..network.downloads import fetch_file
from ..network.origin_settings import is_same_server, origin_address
from ..runtime import compat, log
from ..runtime.gdal import mixed_shapes, quiet_gdal
from ..runtime.network_errors import slow_response, unlisted_redirect
from ..runtime.terms import terms_for
from ..runtime.thread_pool import pool_slot_released
from ..sources.layer_source import RECORD_ID
from .opening import OPENING_SECONDS

#: features of a layer above which somebody is asked first, and layers of one service that are added all at once
MAX_FEATURES, MAX_AT_ONCE = 10_000, 12
#: seconds in which the description of a service must have come. Those about one layer have what it left of these and
#: some more, and then the layer is made
DESCRIPTION_SECONDS, LAYER_SECONDS = 12.0, 4.0
MAKING_SECONDS = OPENING_SECONDS - DESCRIPTION_SECONDS - LAYER_SECONDS
_ACCEPT = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.5"}
_MAX_BYTES = 32 * 1024 * 1024
_EXTENSIONS = {LinkKind.GEOPACKAGE: "gpkg", LinkKind.GEOJSON: "geojson", LinkKind.GML: "gml", LinkKind.KML: "kml",
               LinkKind.CSV: "csv", LinkKind.FLATGEOBUF: "fgb", LinkKind.GEOTIFF: "tif", LinkKind.COG: "tif",
               LinkKind.SHAPEFILE: "zip", LinkKind.ARCHIVE: "zip"}


class ServiceDocuments:
    """Documents of a service, each fetched once, which must have come within one time whatever their servers do."""

    def __init__(self, feedback: QgsFeedback, seconds: float, answers: Dict[str, Response], agreed: str = "") -> None:
        """``answers`` are those that are known, by their addresses. New ones are added.

        ``agreed`` is an address on the only server that may be asked, "" if any may.
        """
        self._feedback, self._seconds, self._end = feedback, seconds, time.monotonic() + seconds
        self._answers, self._agreed = answers, agreed

    def read(self, address: str, content: ExpectedContent) -> bytes:
        response = self._answers.get(address)
        if self._agreed and not is_same_server(address, self._agreed):
            raise unlisted_redirect(origin_address(self._agreed), origin_address(address))
        if response is None:
            left = round(self._end - time.monotonic(), 1)
            if left <= 0:
                raise slow_response(address, self._seconds, "")
            limits = RequestLimits.from_settings(max_total=left, max_bytes=_MAX_BYTES, retries=0)
            response = fetch(Request(HttpMethod.GET, address, _ACCEPT), limits=limits, feedback=self._feedback,
                             stays_at_origin=bool(self._agreed))
        check_response(response, content)
        self._answers[address] = response
        return response.body


@dataclass(frozen=True)
class DescribedDistribution:
    """The description of a distribution, with the answers by their addresses, and the seconds that these have left."""

    description: Description
    answers: Dict[str, Response]
    seconds_left: float


def describe_distribution(distribution: Distribution, record: Record, crs: str,
                          feedback: QgsFeedback) -> DescribedDistribution:
    """Return what a distribution of a record offers, in ``crs`` if it can be chosen.

    The documents of its server must come within a limit of time. Raises CartoguideError and Cancelled.
    """
    style = _style_address(record) if distribution.kind is LinkKind.VECTOR_TILES else ""
    extent = record_extent(record)
    answers: Dict[str, Response] = {}
    end = time.monotonic() + DESCRIPTION_SECONDS
    found = describe(distribution, ServiceDocuments(feedback, DESCRIPTION_SECONDS, answers), crs, style,
                     extent.centre if extent is not None else None)
    return DescribedDistribution(found, answers, max(0.0, end - time.monotonic()))


@dataclass(frozen=True)
class OfferedFacts:
    """Facts of one layer of a service: the number of its features in the map's area, and what is said of its terms."""

    count: Optional[int] = None
    provider: ProviderInfo = ProviderInfo()


def layer_facts(layer: OfferedLayer, box: Optional[Box], described: DescribedDistribution,
                feedback: QgsFeedback) -> OfferedFacts:
    """Return the number of features of a layer in a box (degrees), and what its service says of its terms.

    Raises Cancelled.
    """
    documents = ServiceDocuments(feedback, described.seconds_left + LAYER_SECONDS, described.answers)
    provider, count = stated_terms(read_source(layer.provider, layer.source), documents), None
    if layer.stated != ProviderInfo():
        provider = merge_attributions([provider, layer.stated])
    try:
        if layer.counting is not None:
            count = layer.counting.read(documents.read(layer.counting.address(box), ExpectedContent.ANY))
    except Cancelled:
        raise
    except CartoguideError as error:
        # a service that cannot count is no reason not to add it
        log.warning(error.user_text)
    return OfferedFacts(count, provider)


def stated_terms(source: LayerSource, documents: Documents) -> ProviderInfo:
    """Return what a source says of its terms, and of those documents that cannot be read, why. Raises Cancelled."""
    terms = kind_of(source).terms
    return read_or_gap(lambda: terms(source, documents)) if terms is not None and source.address else ProviderInfo()


@dataclass(frozen=True)
class OwedTerms:
    """The terms of a layer, by the record that added it, by the record of its data, and by its service."""

    record_id: str
    credit: str
    credit_required: Decision
    licences: Tuple[str, ...]
    #: why more may be owed, "" where all was read
    gap: str

    @classmethod
    def of(cls, record: Record, provider: ProviderInfo) -> OwedTerms:
        """Return the terms of a layer that ``record`` added, whose service says ``provider``."""
        stated = [terms_for(record, provider), *([terms_for(record.data)] if record.data is not None else [])]
        duty = strictest_duty(duty_of_terms(stated[0]), list(map(duty_of_terms, stated[1:])))
        licences = dict.fromkeys(licence for terms in stated for licence in licences_of_terms(terms))
        return cls(record.id or "", single_line("; ".join(duty.lines)), duty.required, tuple(licences),
                   " ".join(provider.gaps))

    def write_to(self, layer: QgsMapLayer) -> None:
        """Write them into the metadata and the marks of a layer."""
        set_credit(layer, self.credit, self.credit_required)
        set_terms_gap(layer, self.gap)
        set_licences(layer, self.licences)
        layer.setCustomProperty(RECORD_ID, self.record_id)


@dataclass(frozen=True)
class RecordLayers:
    """The best distribution of a record: its layers with their terms, or the address of a WMS that it turned out to be.
    """

    layers: Tuple[Tuple[OfferedLayer, OwedTerms], ...] = ()
    wms_address: str = ""
    note: str = ""


def layers_of_record(record: Record, crs: str, area: Optional[Box], max_features: int, max_bytes: int,
                     folder: Path, feedback: QgsFeedback) -> RecordLayers:
    """Return what the best distribution of a record without a WMS adds, without asking anybody.

    Of a service with more than a few layers those must be named by the record. Raises CartoguideError if nothing can be
    added, or is more than ``max_features`` in ``area`` (degrees) or ``max_bytes``, and Cancelled.
    """
    named = distributions_of(record)
    offered = offered_distributions(named)
    if not offered:
        raise CartoguideError(nothing_to_add(named))
    best = offered[0]
    described = describe_distribution(best, record, crs, feedback)
    found = described.description
    if found.missing and not found.named:
        raise CartoguideError(found.note, "\n".join(layer.name for layer in found.layers))
    if found.kind is LinkKind.WMS:
        return RecordLayers(wms_address=found.address, note=found.note)
    layers = (fetch_layers(found.files[0], record, folder, max_bytes, feedback) if found.files else found.layers)
    if len(layers) > MAX_AT_ONCE:
        raise CartoguideError(tr("“{title}” offers %n layer(s), and the record names none of them.", n=len(layers),
                                 title=record.title or best.address), "\n".join(layer.name for layer in layers))
    added, notes = [], [found.note, others_of_kind_text(record, offered)]
    for layer in layers:
        facts = layer_facts(layer, area, described, feedback)
        if facts.count is not None and facts.count > max_features:
            raise CartoguideError(many_features_text(layer.title, facts.count))
        added.append((layer, OwedTerms.of(record, facts.provider)))
        notes += [incomplete_terms_text(layer.title, reason) for reason in facts.provider.gaps]
    return RecordLayers(tuple(added), note="\n".join(filter(None, notes)))


def terms_of_layer(own: OwnLayer, feedback: QgsFeedback) -> ProviderInfo:
    """Return what the source of an own layer says of its terms, read anew within the time of a description.

    For a layer of a foreign map only the server is asked that somebody agreed to. Raises Cancelled.
    """
    source = own.origin
    agreed = "" if own.trust is Trust.OWN else source.address
    return stated_terms(source, ServiceDocuments(feedback, DESCRIPTION_SECONDS, {}, agreed))


def credit_read_terms(layer: QgsMapLayer, credit: str, record: Optional[Record], provider: ProviderInfo) -> None:
    """Add to ``credit`` what a layer's service asks for, as ``terms_of_layer`` returned it. Main thread only.

    ``record`` is the one by which the layer was added, if it is known.
    """
    terms = terms_for(record, provider)
    required = terms.credit_required
    if required is not Decision.YES and (record is None or credit_required(layer) is Decision.YES):
        # nothing is known of what its record says, or the data by whose record it was added ask for more
        required = credit_required(layer)
    set_credit(layer, joined_credit(credit, terms), required, compat.attribution_url(layer))
    set_terms_gap(layer, " ".join(provider.gaps))
    if record is not None:
        set_licences(layer, tuple(dict.fromkeys((*layer.metadata().licenses(), *licences_of_terms(terms)))))


def many_features_text(title: str, count: int) -> str:
    """Return how many features a layer has in the area of the map, as a sentence."""
    return tr("“{title}” has {count} features in the area of the map, which take long to load and draw.", title=title,
              count=f"{count:n}")


def _style_address(record: Record) -> str:
    """Return the address of the style for vector tiles that a record names, or ""."""
    return next((one.address for one in distributions_of(record) if one.kind is LinkKind.STYLE), "")


def downloads_folder() -> Path:
    """Return the folder of files that were fetched for records, beside the record library."""
    return store_path().with_name("downloads")


def own_layer_of(layer: OfferedLayer, title: str, credit: str) -> OwnLayer:
    """Return the reference of a map's document to a layer that is offered. ``title`` stands for a layer without one."""
    return OwnLayer(f"record_{uuid.uuid4().hex}", inert(single_line(layer.title or title)), layer.type, layer.provider,
                    layer.source, credit=credit)


def fetch_layers(distribution: Distribution, record: Record, folder: Path, max_bytes: int,
                 feedback: QgsFeedback) -> Tuple[OfferedLayer, ...]:
    """Fetch the file of a distribution of a record into ``folder`` and return its layers.

    Raises LargeFile for a file above ``max_bytes``, CartoguideError if it has no layer that can be opened, Cancelled.
    """
    path = fetch_file(distribution.address.strip(), folder, _EXTENSIONS.get(distribution.kind, "")
                      if distribution.kind is not None else "", max_bytes, feedback)
    with pool_slot_released(), quiet_gdal():
        return layers_of_file(path, distribution.kind, record.reference_systems)


def save_credit_beside(layer: QgsMapLayer, file: Path) -> None:
    """Write the metadata of a file's layer beside the file, where QGIS and other programs look for its credit.

    They look there once for all layers of a file: rights and licences of the others stay. Into the file itself QGIS
    would write for its own profile alone. Raises CartoguideError if it cannot be written.
    """
    path, metadata = file.with_suffix(".qmd"), layer.metadata()
    former = find_qmd(path)
    for before, own, replace_own in ((former.credit, metadata.rights(), metadata.setRights),
                                     (former.licence, metadata.licenses(), metadata.setLicenses)):
        replace_own([*([before] if before else []), *(line for line in own if fold(line) not in fold(before))])
    document = QDomDocument("qgis")
    root = document.createElement("qgis")
    document.appendChild(root)
    metadata.writeMetadataXml(root, document)
    write_bytes_atomically(path, bytes(document.toByteArray()))


def as_checked(own: OwnLayer) -> OwnLayer:
    """Return a layer that is opened by the rules for files of somebody else, as what is fetched is."""
    is_checked = own.origin.type is SourceType.FILE and own.origin.by_gdal
    return replace(own, trust=Trust.AGREED) if is_checked else own


# -- files that were fetched, recognised by their content. What they name is not opened

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
    inner = [dataset.GetLayer(number) for number in range(min(dataset.GetLayerCount(), 500))]
    # a table without geometries is drawn by nobody
    drawn = [(one.GetName(), mixed_shapes(one)) for one in inner if one.GetGeomType() != 100]
    if len(inner) == 1 and not any(shapes for _name, shapes in drawn):
        return [OfferedLayer(name, "", "vector", "ogr", str(path)) for name, _shapes in drawn]
    # a layer of QGIS is of points, of lines or of areas, and the areas are to lie below
    return [OfferedLayer(name, f"{name} ({_shape_labels()[shape]})" if shape else name, "vector", "ogr",
                         f"{path}|layername={name}" + (f"|geometrytype={shape}" if shape else ""))
            for name, shapes in drawn for shape in (shapes[::-1] or [""])]


def _shape_labels() -> Dict[str, str]:
    return {"Point": tr("points"), "LineString": tr("lines"), "Polygon": tr("areas")}


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

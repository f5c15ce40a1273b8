"""What QGIS and Qt parse for the plugin, broken: a value, an error in words, or the state as if there were none.

``tests/unit/test_readers.py`` names the functions, and finds missing ones. CARTOGUIDE_BROKEN=number for more documents.
"""

from __future__ import annotations

import base64
import io
import itertools
import json
import os
import random
import shutil
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from mutations import mutated
from qgis.core import QgsMapSettings, QgsPrintLayout, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QBuffer, QByteArray, QIODevice
from qgis.PyQt.QtGui import QColor, QImage

from plugin.app.maps.document_controller import recent_maps
from plugin.core.custommap.model import OwnLayer
from plugin.core.errors import CartoguideError
from plugin.core.request import Response
from plugin.core.sources.feature_pages import ArcGisQuery, OgcApiQuery, WfsQuery
from plugin.core.trust.provenance import Trust
from plugin.gis.catalogues.catalogue_list import CatalogueList
from plugin.gis.layers import project_document
from plugin.gis.layers.snapshot_rasters import check_raster
from plugin.gis.layouts import layout_items, template_loading
from plugin.gis.legends import archive, legend_nodes
from plugin.gis.library.thumbnails import decode_image
from plugin.gis.operations import response_layers
from plugin.gis.operations.operation_client import raster_image
from plugin.gis.own_layers import distribution_layers, opening, references
from plugin.gis.pages import layout_builder
from plugin.gis.pages import leaflet_photos as photos
from plugin.gis.pixels.features import FeatureRequest, FetchedFeatures, ReadFeatures, feature_layer, read_features
from plugin.gis.runtime import images, settings
from plugin.gis.runtime.tasks import Feedback
from plugin.gis.snapshots import raster_writer
from plugin.gis.sources import feature_services, files
from plugin.gis.sources.layer_kind import ServedFeatures
from plugin.ui.dock.dock_widget import STATE_PREFIX, DockState
from plugin.ui.widgets.drag_and_drop import parse_dropped_layers

INPUTS = int(os.environ.get("CARTOGUIDE_BROKEN", "25"))
#: JSON as somebody else would write it where the plugin saves its own
STORED = ("[" * 100_000, "{" * 50_000, "null", "1", '"a"', "[1, null, {}]", '[["a"], ["a", "b"], [1, 2]]', "\x00",
          '["\\u0000", "\\ud800", "' + "a" * 5000 + '"]', '{"a": [1], "b": "c"}', "[" + "1," * 50_000 + "1]",
          '[{"title": 1, "layers": "abc", "names": [1], "credits": {"a": 1}}, {"other": 1}]', "1" * 5000, "[NaN]")


def pixels(kind="PNG", size=20):
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(QColor("teal"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, kind)
    return bytes(data)


def claiming(width, height):
    """A PNG that claims a size."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000)))
            + chunk(b"IEND", b""))


def broken(documents, other=b"<a>\x00</a>"):
    chance = random.Random(20)
    return [mutated(chance.choice(documents), other, chance) for _ in range(INPUTS)]


def read_or_refused(read, documents):
    """Call ``read`` with each. Only errors with words for people come out. Return how many were read."""
    count = 0
    for document in documents:
        try:
            read(document)
            count += 1
        except CartoguideError as error:
            assert error.user_text.strip()
    return count


def test_broken_templates(project, tmp_path, repository):
    path = tmp_path / "broken.qpt"
    documents = [file.read_bytes() for file in sorted((repository / "resources").rglob("*.qpt"))[:4]]

    def read(document):
        path.write_bytes(document)
        template_loading.load_template(project, path)

    assert read_or_refused(read, documents) == len(documents)
    laughs = (b'<!DOCTYPE a [<!ENTITY a "' + b"b" * 1000 + b'"><!ENTITY c "' + b"&a;" * 1000
              + b'">]><Layout>&c;</Layout>')
    assert read_or_refused(read, [laughs, b"", b"\xff\xfe", b"<" * 10**6]) == 0
    read_or_refused(read, broken(documents, documents[0]))


def test_broken_styles(qgis_app):
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=name:string", "points", "memory")
    style = references.style_of(layer)

    def read(document):
        references.apply_style(layer, document.decode("utf-8", "replace"))

    assert read_or_refused(read, [style.encode()]) == 1
    read_or_refused(read, broken([style.encode()], style.encode()))
    assert layer.isValid()


def test_broken_swatches(qgis_app, logged):
    layer = QgsRasterLayer("", "a", "gdal")
    sound = {"label": "a", "width": 4.0, "height": 3, "whole": False, "area": True,
             "png": base64.b64encode(pixels()).decode()}
    wrong = [{**sound, **change} for change in (
        {"width": "nan"}, {"width": 1e300}, {"height": -1}, {"png": "%%"}, {"png": 4}, {"width": None},
        {"width": "1e999"}, {"png": base64.b64encode(claiming(30_000, 30_000)).decode()})]
    for saved in (*STORED, *(json.dumps([values]) for values in wrong),
                  *(text.decode("utf-8", "replace") for text in broken([json.dumps([sound]).encode()]))):
        layer.setCustomProperty("cartoguide/legend", saved)
        legend_nodes.restore_swatches([layer])
        for swatch in getattr(layer.legend(), "swatches", ()):
            assert 0 < swatch.width < 10_001 and not swatch.image.isNull()
        layer.setLegend(None)
    layer.setCustomProperty("cartoguide/legend", json.dumps([sound]))
    legend_nodes.restore_swatches([layer])
    assert [swatch.label for swatch in layer.legend().swatches] == ["a"]


def test_broken_images(qgis_app):
    documents = [pixels(kind) for kind in ("PNG", "JPEG", "BMP")]
    assert read_or_refused(decode_image, documents) == 3
    for document in (*broken(documents), claiming(30_000, 30_000), claiming(2**31 - 1, 1), b""):
        read_or_refused(decode_image, [document])
        image = images.image_from_bytes(document)
        assert image.width() * image.height() <= images.MAX_PIXELS
        images.single_colour(document, (20, 20))
        images.ImagePixels(document, (20, 20)).text_colours()
    # the head of a large image, whose body is missing, and one that is cut
    for document in (claiming(2_000, 2_000), pixels("PNG", 2_000)[:-40]):
        read_or_refused(decode_image, [document])
    assert read_or_refused(decode_image, [pixels("PNG", 2_000)]) == 1
    assert images.image_from_bytes(claiming(30_000, 30_000)).isNull()


def test_broken_photos(tmp_path, qgis_app):
    def load(document):
        (tmp_path / "a.jpg").write_bytes(document)
        return photos.load_photos([photos.PhotoToLoad("photo:1", str(tmp_path / "a.jpg"))], Feedback())

    for kind in ("PNG", "JPEG"):
        assert load(pixels(kind)).images and not load(pixels(kind)).problems
    for document in (*broken([pixels(kind) for kind in ("PNG", "JPEG")]), claiming(30_000, 30_000), b"",
                     claiming(2**31 - 1, 1)):
        loaded = load(document)
        assert bool(loaded.images) != bool(loaded.problems)


def test_broken_rasters(tmp_path, qgis_app):
    from osgeo import gdal

    path = str(tmp_path / "a.tif")
    gdal.GetDriverByName("GTiff").Create(path, 20, 10, 1).FlushCache()
    with open(path, "rb") as stream:
        tiff = stream.read()
    assert read_or_refused(lambda data: raster_image(data, 100), [tiff]) == 1
    read_or_refused(lambda data: raster_image(data, 100), broken([tiff]))

    def open_file(data, open_raster):
        (tmp_path / "b.tif").write_bytes(data)
        return open_raster(tmp_path / "b.tif") or True

    def own(path):
        return opening.open_layer(OwnLayer("a", "A", "raster", "gdal", str(path), trust=Trust.AGREED))

    for open_raster in (own, response_layers._check_image, lambda path: check_raster(str(path), str(tmp_path))):
        assert read_or_refused(lambda data, way=open_raster: open_file(data, way), [tiff]) == 1
        read_or_refused(lambda data, way=open_raster: open_file(data, way), broken([tiff]))


def test_broken_downloads(tmp_path, qgis_app):
    from osgeo import gdal

    source = gdal.OpenEx('{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"a": 1}, '
                         '"geometry": {"type": "Point", "coordinates": [1, 2]}}]}')
    made = {}
    for name, driver in (("a.gpkg", "GPKG"), ("a.geojson", "GeoJSON"), ("a.gml", "GML"), ("a.fgb", "FlatGeobuf"),
                         ("a.shp", "ESRI Shapefile")):
        gdal.VectorTranslate(str(tmp_path / name), source, format=driver)
        made[name] = (tmp_path / name).read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for end in ("shp", "shx", "dbf"):
            archive.write(tmp_path / f"a.{end}", f"../../a.{end}")
    del made["a.shp"]
    made.update({"a.zip": packed.getvalue(), "a.csv": b"name;lon;lat\na;1,5;2\n"})

    def layers(name, data):
        folder = tmp_path / "fetched"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / name).write_bytes(data)
        return len(distribution_layers.layers_of_file(folder / name))

    two = io.BytesIO()
    with zipfile.ZipFile(two, "w") as archive:
        for number, end in itertools.product((1, 2), ("shp", "shx", "dbf")):
            archive.write(tmp_path / f"a.{end}", f"part {number}/a.{end}")
    assert layers("two.zip", two.getvalue()) == 2, "files of one name in two folders"
    sources = [Path(layer.source) for layer in distribution_layers.layers_of_file(tmp_path / "fetched" / "two.zip")]
    assert len(set(sources)) == 2
    assert all({one.name for one in source.parent.glob("a.*")} == {"a.shp", "a.shx", "a.dbf"} for source in sources)

    for name, data in made.items():
        assert read_or_refused(lambda one, name=name: layers(name, one), [data]) == 1, name
        read_or_refused(lambda one, name=name: layers(name, one), broken([data]))
    assert sorted(path.name for path in tmp_path.parent.glob("a.*")) == []
    (tmp_path / "b.csv").write_text("nombre,utm_x,utm_y\nFuente,456000,4250000\n")
    assert read_or_refused(distribution_layers.layers_of_file, [tmp_path / "b.csv"]) == 0, "no CRS, no layer"
    layer, = distribution_layers.layers_of_file(tmp_path / "b.csv", None, ["urn:ogc:def:crs:EPSG::25830"])
    assert layer.source.endswith("crs=EPSG:25830")


def test_broken_whole_files(tmp_path, repository, qgis_app):
    """Whatever is fetched as a file is all read, by a driver that follows nothing that a file names."""
    from osgeo import gdal

    path = str(tmp_path / "a.tif")
    gdal.GetDriverByName("GTiff").Create(path, 200, 100, 1, options=["COMPRESS=DEFLATE"]).FlushCache()
    gdal.GetDriverByName("JPEG").CreateCopy(str(tmp_path / "a.jpg"), gdal.Open(path))
    tiff, jpeg = (tmp_path / "a.tif").read_bytes(), (tmp_path / "a.jpg").read_bytes()
    geojson = (repository / "tests" / "unit" / "fixtures" / "descriptions" / "features.geojson").read_bytes()
    virtual = f'<VRTDataset rasterXSize="1" rasterYSize="1"><SourceFilename>{path}</SourceFilename></VRTDataset>'
    for drivers, document in ((files.RASTER_DRIVERS, tiff), (files.RASTER_DRIVERS, jpeg),
                              (files.VECTOR_DRIVERS, geojson)):
        def read(data, drivers=drivers):
            assert files.data_content("http://a.test/a", Response(200, {}, data, "http://a.test/a"), drivers) == data

        assert read_or_refused(read, [document]) == 1
        assert read_or_refused(read, [document[:-20], virtual.encode(), b"<html></html>", b"{}"]) == 0
        read_or_refused(lambda data, read=read: read(data) if data else None, broken([document]))


def test_broken_features(tmp_path, repository, qgis_app):
    """Every answer of a service of features is any document, and so is the filter in a source."""
    descriptions = repository / "tests" / "unit" / "fixtures" / "descriptions"
    gml, geojson, esri = ((descriptions / f"features{end}").read_bytes() for end in (".gml", ".geojson", "-esri.json"))
    layer = QgsVectorLayer("Point?crs=EPSG:4326&field=nombre:string&field=caudal:double&field=dia:date", "a", "memory")
    crs, box = layer.crs(), (-4.0, 38.0, -3.0, 39.0)
    for query, document in ((WfsQuery("http://a.test/", "a:rios", "EPSG:4326"), gml),
                            (OgcApiQuery("http://a.test/", "a"), geojson),
                            (ArcGisQuery("http://a.test/", "4326"), esri)):
        source = ServedFeatures(query, crs)
        request = FeatureRequest(layer, QgsMapSettings(), "a", "A", "S", source=source, box=box,
                                 fields=tuple(layer.fields()))

        def read(data, request=request, source=source):
            found = ReadFeatures()
            read_features(request, lambda _url, _content, parse: parse(data), tmp_path, found)
            feature_layer(layer, source, [FetchedFeatures(request, found)])

        assert read_or_refused(read, [document]) == 1, query
        read_or_refused(lambda data, read=read: read(data) if data else None, broken([document]))
    for text in broken([b"<Filter><PropertyIsEqualTo><PropertyName>a</PropertyName><Literal>1</Literal>"
                        b"</PropertyIsEqualTo></Filter>"]):
        feature_services._filter(text.decode("latin-1"))
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []


def test_broken_tiles(tmp_path, qgis_app):
    """A tile that names another file, which GDAL would open, is damaged like any other."""
    secret = tmp_path / "secret.png"
    secret.write_bytes(pixels())
    leading = (f'<VRTDataset rasterXSize="20" rasterYSize="20"><VRTRasterBand dataType="Byte" band="1"><SimpleSource>'
               f'<SourceFilename>{secret}</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>').encode()
    path = tmp_path / "tile"
    path.write_bytes(pixels())
    assert raster_writer._open_tile(path).RasterXSize == 20
    for document in (leading, b"", *broken([pixels(), pixels("JPEG")], leading)):
        path.write_bytes(document)
        try:
            assert raster_writer._open_tile(path).GetDriver().ShortName in (*raster_writer._TILE_DRIVERS, "VRT")
            assert document != leading
        except raster_writer.DamagedTile:
            pass


@pytest.mark.parametrize("stored", STORED, ids=range(len(STORED)))
def test_values_in_projects_layouts_and_settings_that_others_wrote(project, tmp_path, stored):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    for name in (layout_items._NOTES, layout_items.REQUIREMENTS, layout_builder._MISSING_LEGENDS):
        layout.setCustomProperty(name, stored)
    assert all(isinstance(note, str) for note in layout_items.layout_notes(layout))
    assert all(isinstance(text, str) for need in layout_builder.layout_requirements(layout)
               for text in (need.title, *need.layers, *need.names, *need.credits))
    layout_builder.missing_legends(layout)
    group = QgsProject.instance().layerTreeRoot().addGroup("a")
    for name in (project_document.LAYERS_PROPERTY, project_document.DOCUMENT_PROPERTY, project_document.MAP_PROPERTY):
        group.setCustomProperty(name, stored)
    project_document.read_stored_map(QgsProject.instance())
    (tmp_path / "legends").mkdir()
    (tmp_path / archive.LEGEND_INDEX).write_text(stored, "utf-8", "replace")
    assert archive.read_legend_index(tmp_path) == []
    parse_dropped_layers(f"cartoguide-layers:{stored}")
    for name in ("recent_maps", "sources_off", "sources"):
        settings.set(name, stored)
    try:
        assert recent_maps() == []
        assert isinstance(CatalogueList().enabled_sources(), list)
        from qgis.core import QgsSettings

        QgsSettings().setValue(STATE_PREFIX + "narrowed", stored)
        assert isinstance(DockState.load().facets, dict)
    finally:
        for name in ("recent_maps", "sources_off", "sources"):
            settings.reset(name)
        DockState().save()


def test_a_legend_of_a_snapshot_names_no_file_outside_it(tmp_path):
    (tmp_path / "legends").mkdir()
    entries = [{"url": "https://a.example/", "file": file, "status": 200, "media_type": "image/png"}
               for file in ("legends/1.png", "../secret.png", "/etc/passwd", "C:\\a.png")]
    (tmp_path / archive.LEGEND_INDEX).write_text(json.dumps({"answers": entries}))
    assert [file for _url, file, _status, _type in archive.read_legend_index(tmp_path)] == ["legends/1.png"]

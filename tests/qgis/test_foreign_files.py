"""Files that foreign things name: each ends at once with words, and nobody is asked but the file itself.

Rasters of snapshots and images of servers are judged by the requests that a server on loopback received.
"""

from __future__ import annotations

import http.server
import os
import re
import sqlite3
import threading
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from osgeo import gdal, osr
from qgis.core import (
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsMarkerSymbol,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsSvgMarkerSymbolLayer,
)
from qgis.PyQt.QtCore import QSize

from plugin.core.box import Box
from plugin.core.custommap.model import PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts
from plugin.core.publication.map_files import read_map_file
from plugin.core.snapshot.manifest import RasterFormat, SnapshotLayer, SnapshotManifest, SnapshotState, save_manifest
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layers.snapshot_rasters import check_raster
from plugin.gis.layouts import template_loading, templates
from plugin.gis.library.thumbnails import read_image
from plugin.gis.operations.operation_client import raster_image
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import leaflet_photos as photos
from plugin.gis.pages import logos
from plugin.gis.profiles import network_profiles
from plugin.gis.runtime import tasks
from plugin.gis.snapshots import snapshot_job
from plugin.ui.service.operation_form import SldField
from tests.irregular_files import HUGE, IRREGULAR, at_once, make_irregular
from tests.qgis.print_maps import composed, leaflet_page
from tests.qgis.test_own_layers import CENTRE, own_points

#: seconds in which a reader ends, on a machine with others on it


def problems_of(found) -> None:
    if found.problems:
        raise CartoguideError(found.problems[0])


READERS = {
    "photo's size": lambda path: photos.photo_size(path),
    "photo": lambda path: problems_of(photos.load_photos([photos.PhotoToLoad("photo:1", path)], tasks.Feedback())),
    "logo of a map": lambda path: logos.embedded_logo(Path(path)),
    "logo of the settings": lambda path: logos.read_logo(Path(path), 0, 0),
    "thumbnail": lambda path: read_image(Path(path)),
    "template": lambda path: template_loading.load_template(QgsProject.instance(), Path(path)),
    "network profile": network_profiles.import_profile,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", [*IRREGULAR, HUGE])
def test_every_reader_ends_at_once_with_words(project, tmp_path, reader, kind):
    path = make_irregular(tmp_path / "named.png", kind)
    with at_once(), pytest.raises(CartoguideError) as caught:
        READERS[reader](path)
    assert caught.value.user_text


@pytest.mark.parametrize("kind", ["fifo", "link to zero", "folder", "/dev/ptmx", HUGE])
def test_a_template_that_is_no_file_has_no_small_multiples(tmp_path, kind):
    path = make_irregular(tmp_path / "my.qpt", kind)
    with at_once():
        assert not templates.has_small_multiples(PageSetup(template=path if path.endswith(".qpt") else f"{path}.qpt"))


@pytest.mark.parametrize("kind", ["fifo", "link to zero", "/dev/ptmx", HUGE])
def test_a_page_with_a_photo_that_is_no_file_is_made_and_says_so(network, project, tmp_path, kind):
    path = make_irregular(tmp_path / "foto.jpg", kind)
    with at_once():
        page = leaflet_page(network, LeafletTexts(photos=(LeafletPhoto(path, "x", "Foto: y"),)))
        layout = composed(network, project, page=page, guide=("limite_parque",)).layout
        assert photos.photo_problems(layout)


@pytest.mark.parametrize("kind", ["fifo", "link to zero", "folder", "/dev/ptmx", HUGE])
def test_a_style_that_is_no_file_is_told_in_the_form(qtbot, tmp_path, kind):
    field = SldField()
    qtbot.addWidget(field)
    with at_once():
        field.file_widget.setFilePath(make_irregular(tmp_path / "a.sld", kind))
    with pytest.raises(CartoguideError) as caught:
        field.value()
    assert caught.value.user_text


# -- rasters


class Listener:
    """A server that notes what it is asked for."""

    def __init__(self):
        self.asked = []
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                listener.asked.append(self.path)
                self.send_error(404)

            do_HEAD = do_GET

            def log_message(self, *_words):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"/vsicurl/http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.server.shutdown()
    made.server.server_close()


def raster(path, driver="GTiff", options=(), metadata=()):
    """A picture of 600 by 600 pixels, with items of metadata (domain, name, value)."""
    made = gdal.GetDriverByName(driver).Create(str(path), 600, 600, 4, gdal.GDT_Byte, options=list(options))
    made.SetGeoTransform([455000, 1, 0, 4250600, 0, -1])
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(25830)
    made.SetProjection(crs.ExportToWkt())
    for domain, name, value in metadata:
        made.SetMetadataItem(name, value, domain)
    made.GetRasterBand(1).Fill(200)
    made.GetRasterBand(4).Fill(255)
    made.FlushCache()
    return path


def snapshot(folder, file, table=""):
    layer = SnapshotLayer("https://maps.example.org/wms?", "1", "", "Suelos", "Red", "EPSG:25830", file, table,
                          "Consejería", "CC BY 4.0", (25000.0,))
    save_manifest(folder, SnapshotManifest(
        "Mapa", SnapshotState.COMPLETE, "2026-11-22T10:00:00+00:00", "EPSG:25830",
        Box(455000.0, 4250000.0, 455600.0, 4250600.0), Box(-4.0, 38.0, -3.0, 39.0), 300, (25000.0,),
        RasterFormat.GPKG if table else RasterFormat.COG, (layer,), (), (), (), "key"))


def drawn_small(source):
    """Draw a raster at a tenth of its pixels, for which GDAL looks for overviews."""
    layer = QgsRasterLayer(source, "x", "gdal", QgsRasterLayer.LayerOptions(False))
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setOutputSize(QSize(60, 60))
    settings.setExtent(QgsRectangle(455000, 4250000, 455600, 4250600))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    return job.renderedImage()


GPKG_OPTIONS = ("RASTER_TABLE=t1", "TILE_FORMAT=PNG")


def overviews_elsewhere(folder, address):
    raster(folder / "map.tif", metadata=[("OVERVIEWS", "OVERVIEW_FILE", f"{address}/ov.tif")])


def statistics_elsewhere(folder, address):
    raster(folder / "map.tif")
    (folder / "map.tif.aux.xml").write_text(
        f'<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{address}/ov.tif</MDI></Metadata>'
        "</PAMDataset>")


def overview_beside(folder, address):
    raster(folder / "map.tif")
    (folder / "map.tif.ovr").write_text(
        f'<VRTDataset rasterXSize="300" rasterYSize="300"><VRTRasterBand dataType="Byte" band="1"><SimpleSource>'
        f'<SourceFilename>{address}/a.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>')


def mask_beside(folder, address):
    overview_beside(folder, address)
    (folder / "map.tif.ovr").rename(folder / "map.tif.msk")


def world_file_beside(folder, _address):
    raster(folder / "map.tif")
    os.mkfifo(folder / "map.tfw")


def geolocation_elsewhere(folder, address):
    raster(folder / "map.tif", metadata=[("GEOLOCATION", "X_DATASET", f"{address}/x.tif")])


def package_elsewhere(folder, address):
    raster(folder / "map.gpkg", "GPKG", GPKG_OPTIONS, [("OVERVIEWS", "OVERVIEW_FILE", f"{address}/ov.tif")])


def view_in_package(folder, _address):
    raster(folder / "map.gpkg", "GPKG", GPKG_OPTIONS)
    with closing(sqlite3.connect(folder / "map.gpkg")) as database, database:
        database.execute("CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
                         "SELECT * FROM n")


def virtual_table_in_package(folder, _address):
    raster(folder / "map.gpkg", "GPKG", GPKG_OPTIONS)
    with closing(sqlite3.connect(folder / "map.gpkg")) as database, database:
        database.execute("PRAGMA writable_schema = ON")
        database.execute("INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) VALUES('table', 'v', 'v', 0, "
                         "'CREATE/**/VIRTUAL TABLE v USING VirtualText(''/etc/passwd'', UTF8)')")


def pipe(folder, _address):
    os.mkfifo(folder / "map.tif")


def link_out(folder, _address):
    raster(folder.parent / "elsewhere.tif")
    (folder / "map.tif").symlink_to(folder.parent / "elsewhere.tif")


def virtual_raster(folder, address):
    overview_beside(folder, address)
    (folder / "map.tif.ovr").replace(folder / "map.tif")


HOSTILE = [overviews_elsewhere, statistics_elsewhere, overview_beside, mask_beside, world_file_beside,
           geolocation_elsewhere, package_elsewhere, view_in_package, virtual_table_in_package, pipe, link_out,
           virtual_raster]


@pytest.mark.parametrize("make", HOSTILE)
def test_a_raster_that_refers_elsewhere_is_not_opened(qgis_app, listener, tmp_path, make):
    folder = tmp_path / "snapshot"
    folder.mkdir()
    make(folder, listener.address)
    is_package = (folder / "map.gpkg").exists()
    snapshot(folder, "map.gpkg" if is_package else "map.tif", "t1" if is_package else "")
    listener.asked.clear()
    with at_once(), pytest.raises(CartoguideError) as caught:
        snapshot_job.open_snapshot(folder)
    assert re.search(r"map\.(tif|gpkg|tfw)", caught.value.user_text)
    assert listener.asked == []


def test_the_listener_hears_what_a_raster_refers_to(qgis_app, listener, tmp_path):
    """Without this the test before would prove nothing."""
    overviews_elsewhere(tmp_path, listener.address)
    drawn_small(str(tmp_path / "map.tif"))
    assert listener.asked


@pytest.mark.parametrize("driver", ["GTiff", "COG", "GPKG"])
def test_a_sound_raster_opens_with_its_statistics(qgis_app, listener, tmp_path, driver):
    if driver == "GPKG":
        raster(tmp_path / "map.gpkg", "GPKG", GPKG_OPTIONS, [("", "TITLE", "x")])
    else:
        raster(tmp_path / "plain.tif", metadata=[("", "TITLE", "x"), ("CARTOGUIDE", "map", "{}")])
        if driver == "COG":
            gdal.GetDriverByName("COG").CreateCopy(str(tmp_path / "map.tif"), gdal.Open(str(tmp_path / "plain.tif")))
        else:
            (tmp_path / "plain.tif").rename(tmp_path / "map.tif")
        opened = gdal.Open(str(tmp_path / "map.tif"))
        opened.GetRasterBand(1).ComputeStatistics(False)
        opened = None
        assert (tmp_path / "map.tif.aux.xml").exists()
    snapshot(tmp_path, "map.gpkg" if driver == "GPKG" else "map.tif", "t1" if driver == "GPKG" else "")
    found = snapshot_job.open_snapshot(tmp_path)
    assert drawn_small(found.raster_source(found.manifest.layers[0])).pixelColor(30, 30).red() == 200
    assert listener.asked == []


def test_a_picture_of_a_server_that_refers_elsewhere_is_not_shown(qgis_app, listener, tmp_path):
    overviews_elsewhere(tmp_path, listener.address)
    with pytest.raises(CartoguideError):
        raster_image((tmp_path / "map.tif").read_bytes(), 60)
    assert listener.asked == []
    raster(tmp_path / "sound.tif")
    assert raster_image((tmp_path / "sound.tif").read_bytes(), 60)[1] == (600, 600)


# -- published maps

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" fill="#f00"/></svg>'


def unpacked(data):
    """The bytes of a file, and what its compressed streams unpack to."""
    parts = [data]
    for start in (match.start() for match in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", data)):
        try:
            parts.append(zlib.decompressobj().decompress(data[start:], 5_000_000))
        except zlib.error:
            continue
    return b"\n".join(parts)


@pytest.mark.slow
def test_a_published_map_names_no_folder_of_its_maker(network, project, tmp_path):
    home, out = tmp_path / "casa-de-canaria", tmp_path / "out"
    home.mkdir()
    out.mkdir()
    (home / "punto.svg").write_text(SVG)
    layer = own_points(home)
    symbol = QgsMarkerSymbol()
    symbol.changeSymbolLayer(0, QgsSvgMarkerSymbolLayer(str(home / "punto.svg"), 20))
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    own = refer_to(layer, entries_below=2)
    assert "casa-de-canaria" in own.style and "casa-de-canaria" in own.source
    made = composed(network, project, own_layers=(own,), extent=None, centre=CENTRE, scale=100_000)
    assert made.failures == ()
    for kind in ("pdf", "png", "svg", "geotiff"):
        written = out / f"map.{layout_export.EXPORT_FORMATS[kind].suffix}"
        layout_export.export_layouts(made.layout, written, kind, ExportOptions(72))
        if kind != "svg":
            document = read_map_file(written)
            assert document.own_layers[0].source == "puntos.geojson" and 'punto.svg' in document.own_layers[0].style
    for file in out.iterdir():
        assert b"casa-de-canaria" not in unpacked(file.read_bytes()), file.name
        assert str(tmp_path).encode() not in unpacked(file.read_bytes()), file.name


@pytest.mark.parametrize("kind", ["archive", "log of a database"])
def test_a_raster_that_qgis_would_read_otherwise_than_gdal_is_refused(kind, tmp_path, qgis_app):
    """QGIS looks into an archive by its name, and SQLite reads a log beside the tables."""
    from osgeo import gdal

    driver, name = ("GTiff", "relief.zip") if kind == "archive" else ("GPKG", "layers.gpkg")
    raster = gdal.GetDriverByName(driver).Create(str(tmp_path / name), 16, 16, 3)
    raster.SetGeoTransform((0, 1, 0, 0, 0, -1))
    del raster
    if kind != "archive":
        check_raster(str(tmp_path / name), str(tmp_path))
        (tmp_path / f"{name}-wal").write_bytes(b"x" * 64)
    with pytest.raises(CartoguideError, match=name.partition(".")[0]):
        check_raster(str(tmp_path / name), str(tmp_path))

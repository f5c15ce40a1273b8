"""The credits of layers of every kind: the audit lists each layer, and what draws on a page is on its credit line."""

from __future__ import annotations

import subprocess

import pytest
from catalogue_servers import CatalogueServer, has
from made_catalogue import made
from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsAnnotationMarkerItem,
    QgsCoordinateReferenceSystem,
    QgsLayoutExporter,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPoint,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorTileLayer,
)
from tile_server import FEATURE_CREDIT, MAP_CREDIT, STYLE_CREDIT, TILE_CREDIT, TileServer

from plugin.core.audit import CreditState
from plugin.gis.credits import credit_audit, expression_functions
from plugin.gis.credits.layer_credits import layer_credit, layers_drawn_by, layers_without_credit
from plugin.gis.library.record_library import RecordLibrary
from plugin.gis.pages.completeness_checks import layout_problems
from plugin.gis.runtime import tasks
from plugin.gis.services import service_cache
from plugin.ui.credits.credit_audit_dialog import CreditAuditDialog

RECORD = """<csw:Record xmlns:csw="http://www.opengis.net/cat/csw/2.0.2" xmlns:dc="http://purl.org/dc/elements/1.1/">
 <dc:identifier>i</dc:identifier><dc:title>Paths</dc:title><dc:creator>Walkers’ Club</dc:creator>
 <dc:rights>CC BY 4.0</dc:rights></csw:Record>"""


@pytest.fixture
def library(qgis_app):
    made = RecordLibrary()
    yield made
    made.close()


@pytest.fixture
def tiles(qgis_app):
    with TileServer() as server:
        yield server


def saved(folder, name, driver="GPKG"):
    """A file with one point, as a layer."""
    memory = QgsVectorLayer("Point?crs=EPSG:3857", name, "memory")
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = driver
    path = str(folder / f"{name}.{ {'GPKG': 'gpkg', 'GeoJSON': 'geojson'}[driver] }")
    QgsVectorFileWriter.writeAsVectorFormatV3(memory, path, QgsProject.instance().transformContext(), options)
    return QgsVectorLayer(path, name, "ogr")


def encoded(address):
    return address.replace("{", "%7B").replace("}", "%7D")


def vector_tiles(tiles, style=""):
    return QgsVectorTileLayer(f"type=xyz&url={encoded(tiles.vector_tiles)}&zmax=1&zmin=0" +
                              (f"&styleUrl={style}" if style else ""), "vector tiles")


def map_service(tiles):
    return QgsRasterLayer(f"crs='EPSG:3857' format='PNG32' layer='0' url='{tiles.map_service}'", "ArcGIS map",
                          "arcgismapserver")


def feature_service(tiles):
    return QgsVectorLayer(f"crs='EPSG:3857' url='{tiles.feature_service}'", "ArcGIS features", "arcgisfeatureserver")


@pytest.fixture
def everything(project, network, tiles, tmp_path):
    """A layer of every kind, added as QGIS adds them. Layers of servers that are not installed are left out."""
    guide = network.endpoints["guide"]
    layers = [
        QgsRasterLayer(f"crs=EPSG:25830&format=image/png&layers=carreteras&styles&url={guide}", "WMS", "wms"),
        QgsRasterLayer(f"type=xyz&url={encoded(tiles.picture_tiles)}&zmax=3&zmin=0", "XYZ", "wms"),
        vector_tiles(tiles, tiles.style), map_service(tiles), feature_service(tiles),
        QgsVectorLayer(f"typename='carreteras' version='2.0.0' url='{guide}'", "WFS", "WFS"),
        QgsRasterLayer(f"identifier=relieve&url={guide}", "WCS", "wcs"), saved(tmp_path, "paths"),
        saved(tmp_path, "wells", "GeoJSON"), QgsVectorLayer("Point?crs=EPSG:3857", "temporary", "memory"),
        QgsVectorLayer("dbname='gis' host=127.0.0.1 port=9 connect_timeout=1 table=\"a\" (geom)", "PostGIS", "postgres")
    ]
    (tmp_path / "paths.xml").write_text(RECORD, encoding="utf-8")
    project.addMapLayers(layers)
    annotation = QgsAnnotationMarkerItem(QgsPoint(50000, 50000))
    project.mainAnnotationLayer().addItem(annotation)
    with CatalogueServer("pygeoapi", made(1)) if has("pygeoapi", "tinydb", "flask", "yaml") else tiles as api:
        if api is not tiles:
            project.addMapLayer(QgsVectorLayer(f"typename='lugares' url='{api.url}'", "OGC API", "OAPIF"))
        yield {layer.name(): layer for layer in project.mapLayers().values()}


def audited(project, library):
    facts = credit_audit.project_layer_facts(project)
    cache = service_cache.ServiceCache()
    return {row.layer.title: row for row in tasks.run_and_wait(
        lambda feedback: credit_audit.audit_layers(facts, library, cache, feedback), 90)}


def test_the_audit_lists_every_layer_and_finds_the_credit_that_its_source_states(project, everything, library):
    rows = audited(project, library)
    assert set(rows) == {*everything, "Annotations"}
    credits = {name: "; ".join(row.credit) for name, row in rows.items()}
    assert credits["XYZ"] == TILE_CREDIT and rows["XYZ"].origin == "TileJSON: attribution"
    assert credits["vector tiles"] == f"{STYLE_CREDIT}; {TILE_CREDIT}"
    assert credits["ArcGIS map"] == MAP_CREDIT and credits["ArcGIS features"] == FEATURE_CREDIT
    assert "Mapa guía" in credits["WFS"] and rows["WFS"].origin == "MetadataURL of the layer"
    assert "Mapa guía" in credits["WCS"] and "Mapa guía" in credits["WMS"]
    assert "Walkers’ Club" in credits["paths"] and rows["paths"].origin == "the file paths.xml"
    assert {name for name, row in rows.items() if row.state is CreditState.UNKNOWN} == {
        "wells", "temporary", "PostGIS", "Annotations"}
    assert all(row.state in (CreditState.FOUND, CreditState.UNKNOWN) or
               row.state is CreditState.CREDITED and name.startswith("ArcGIS") for name, row in rows.items()), rows
    if "OGC API" in rows:
        assert "Red de pruebas" in credits["OGC API"] and rows["OGC API"].required == "yes"


def page(project, layers, text=""):
    made = QgsPrintLayout(project)
    made.initializeDefaults()
    made.setName("Page")
    project.layoutManager().addLayout(made)
    item = QgsLayoutItemMap(made)
    item.setId("map")
    item.attemptResize(QgsLayoutSize(100, 100))
    item.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    item.setExtent(QgsRectangle(0, 0, 100000, 100000))
    item.setLayers(layers)
    made.addLayoutItem(item)
    if text:
        label = QgsLayoutItemLabel(made)
        label.setText(text)
        made.addLayoutItem(label)
        label.attemptMove(QgsLayoutPoint(10, 120))
        label.attemptResize(QgsLayoutSize(180, 60))
    return made, item


def printed(layout, path):
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    result = QgsLayoutExporter(layout).exportToPdf(str(path), settings)
    assert result == QgsLayoutExporter.ExportResult.Success
    return subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout


def test_a_page_owes_the_credits_of_vector_tiles_and_arcgis_layers_and_prints_them(project, tiles, library, tmp_path):
    layers = [vector_tiles(tiles), feature_service(tiles), map_service(tiles),
              QgsVectorLayer("Point?crs=EPSG:3857", "temporary", "memory")]
    for layer in layers:
        assert layer.isValid(), layer.name()
        # what QGIS's own provider has read of the service is taken away: the audit has to find it
        layer.setMetadata(type(layer.metadata())())
    project.addMapLayers(layers)
    layout, item = page(project, layers, "[% cartoguide_credits() %]")
    expression_functions.register()
    try:
        assert {layer.name() for layer in layers_without_credit(layers_drawn_by([item]))} == {
            "vector tiles", "ArcGIS map", "ArcGIS features"}
        assert {title for title, _ in layout_problems(layout)} == {"A layer has no credit"}
        rows = audited(project, library)
        applied = credit_audit.apply_credits(project, rows.values())
        assert sorted(applied.layer_names) == ["ArcGIS features", "ArcGIS map", "vector tiles"]
        assert layout_problems(layout) == []
        text = printed(layout, tmp_path / "page.pdf")
    finally:
        expression_functions.unregister()
    for credit in (TILE_CREDIT, MAP_CREDIT, FEATURE_CREDIT):
        assert credit in text


def test_a_file_of_this_computer_that_describes_tiles_on_the_web_owes_their_credit(project, tiles, library, tmp_path):
    address = tiles.picture_tiles.replace("{", "${")
    (tmp_path / "tiles.xml").write_text(
        f"<GDAL_WMS><Service name='TMS'><ServerUrl>{address}</ServerUrl></Service><DataWindow>"
        "<UpperLeftX>-20037508.34</UpperLeftX><UpperLeftY>20037508.34</UpperLeftY><LowerRightX>20037508.34"
        "</LowerRightX><LowerRightY>-20037508.34</LowerRightY><TileLevel>3</TileLevel><TileCountX>1</TileCountX>"
        "<TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow><Projection>EPSG:3857</Projection>"
        "<BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>4</BandsCount></GDAL_WMS>")
    gdal.Translate(str(tmp_path / "mosaic.vrt"), str(tmp_path / "tiles.xml"), format="VRT")
    gdal.GetDriverByName("GTiff").Create(str(tmp_path / "own.tif"), 9, 9).SetGeoTransform((0, 9, 0, 0, 0, -9))
    gdal.Translate(str(tmp_path / "own.vrt"), str(tmp_path / "own.tif"), format="VRT")
    layers = {name: QgsRasterLayer(str(tmp_path / name), name, "gdal")
              for name in ("tiles.xml", "mosaic.vrt", "own.tif", "own.vrt")}
    assert all(layer.isValid() for layer in layers.values())
    project.addMapLayers(list(layers.values()))
    layout, item = page(project, list(layers.values()))
    assert {layer.name() for layer in layers_without_credit(layers_drawn_by([item]))} == {"tiles.xml", "mosaic.vrt"}
    rows = audited(project, library)
    assert {name for name, row in rows.items() if row.state is CreditState.UNKNOWN} == {"own.tif", "own.vrt"}
    assert {row.layer.address for name, row in rows.items() if row.state is CreditState.MISSING} == {address}
    credit_audit.enter_credit(project, [layers["mosaic.vrt"].id(), layers["tiles.xml"].id()], "© Tiles")
    assert layers_without_credit(layers_drawn_by([item])) == []
    # it counts as well while the description cannot be read
    (tmp_path / "tiles.xml").unlink()
    assert layer_credit(layers["tiles.xml"]) == "© Tiles"


def test_a_credit_that_is_entered_stays_with_the_layer_and_own_data_is_confirmed(
        project, tiles, library, qtbot, wait_until, tmp_path):
    tiles.answers.clear()
    project.addMapLayers([vector_tiles(tiles), saved(tmp_path, "wells"), saved(tmp_path, "paths")])
    dialog = CreditAuditDialog(library)
    qtbot.addWidget(dialog)
    dialog.show()
    wait_until(lambda: dialog.refresh_button.isEnabled() and dialog.rows)
    assert "no credit found: 1" in dialog.summary.text() and "to confirm as own data: 2" in dialog.summary.text()
    assert not dialog.enter_button.isEnabled()

    def item(title):
        return next(dialog.item_of(row) for row in dialog.rows if row.layer.title == title)

    dialog.tree.setCurrentItem(item("vector tiles"))
    dialog.credit.setText("© Me and  my tiles")
    qtbot.keyClick(dialog.credit, "\r")
    dialog.tree.setCurrentItem(item("wells"))
    assert "your own" in dialog.credit.placeholderText()
    assert dialog.credit.text() == ""
    dialog.own_button.click()
    assert [row.state for row in dialog.rows if row.layer.title == "wells"] == [CreditState.CONFIRMED]
    assert "© Me and my tiles" in item("vector tiles").text(2)
    assert project.write(str(tmp_path / "saved.qgs"))
    dialog.undo_credits()
    assert [row.state for row in dialog.rows if row.layer.title == "wells"] == [CreditState.UNKNOWN]
    dialog.undo_credits()
    assert "no credit found: 1" in dialog.summary.text() and not dialog.undo.isEnabled()
    dialog.close()
    project.clear()
    project.read(str(tmp_path / "saved.qgs"))
    rows = audited(project, library)
    assert rows["vector tiles"].state is CreditState.CREDITED and rows["wells"].state is CreditState.CONFIRMED
    assert layer_credit(project.mapLayersByName("vector tiles")[0]) == "© Me and my tiles"
    assert rows["paths"].state is CreditState.UNKNOWN


def test_a_source_that_does_not_answer_is_a_row_with_the_reason(project, library):
    gone = "http://127.0.0.1:9"
    project.addMapLayers([
        QgsVectorLayer(f"crs='EPSG:3857' url='{gone}/FeatureServer/0'", "Esri", "arcgisfeatureserver"),
        QgsVectorLayer(f"typename='a' url='{gone}/wfs'", "WFS", "WFS"),
        QgsVectorLayer(f"typename='a' url='{gone}/oapi'", "OAPIF", "OAPIF"),
        QgsRasterLayer(f"identifier=a&url={gone}/wcs", "WCS", "wcs")])
    rows = audited(project, library)
    assert len(rows) == 4 and all(row.state is CreditState.MISSING and row.problem for row in rows.values())

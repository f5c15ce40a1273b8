"""Maps of somebody else in the window and without one: one question, and what each answer opens."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from odd_server import OddServer
from qgis.core import QgsProject, QgsProperty, QgsSymbolLayer
from qgis.PyQt.QtCore import Qt, QTimer

from plugin.app.maps.map_state import ServiceRemedy
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.foreign_maps import Consent, examine, one_layer
from plugin.core.custommap.model import CustomMap, OwnLayer, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.snapshot.snapshot_sources import with_absolute_paths
from plugin.core.trust.provenance import Trust
from plugin.gis.layouts import template_loading
from plugin.gis.own_layers import opening
from plugin.gis.own_layers.references import refer_to, style_of
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.ui.widgets.dialogs import ForeignMapDialog, OwnMapDialog
from tests.qgis.algorithm_runs import Heard, run
from tests.qgis.print_maps import pdf_text
from tests.qgis.test_own_layers import CREDIT, algorithms, own_points  # noqa: F401 - a fixture
from tests.slowness import LoopWatch, slowness


@pytest.fixture
def dock(network_dock, wait_until, qgis_new_project):
    made = network_dock()
    wait_until(lambda: made.model.rowCount() == 3, 20)
    return made


@pytest.fixture
def questions(dock):
    """The maps that were asked about, and in ``answer`` what the person says: a Consent, or None for Cancel."""

    class Questions(list):
        answer = Consent.LISTED

        def ask(self, _title, foreign, done):
            self.append(foreign)
            if self.answer is not None:
                done(self.answer)

    asked = Questions()
    dock.prompts.confirm_foreign = asked.ask
    asked.confirmations, asked.confirmed = [], True

    def confirm(_title, left_out, done):
        asked.confirmations.append(left_out)
        if not asked.confirmed:
            asked.answer = Consent.NONE
        done(asked.confirmed)

    dock.prompts.confirm_own = confirm
    return asked


def document_file(folder, *own_layers, name="m.custommap.json", **more):
    path = folder / name
    path.write_bytes(write_document(CustomMap("Ajeno", own_layers=own_layers, **more)))
    return path


def opened(dock, path, wait_until):
    dock.composer_controller.documents.open_file(path)
    wait_until(lambda: not dock.map.adding and not dock.composer_controller.documents.opening, 60)
    dock.composer_controller.refresh_view()
    return dock.map.own_items


def test_a_foreign_layer_opens_after_one_question_and_a_saved_map_without_any(dock, questions, wait_until, tmp_path):
    own = replace(refer_to(own_points(tmp_path)), style="")
    path = document_file(tmp_path, own)
    item, = opened(dock, path, wait_until)
    assert [thing.reference.name for thing in questions[0].things] == [str(tmp_path / "puntos.geojson")]
    assert item.own.trust is Trust.AGREED and item.problem == "" and QgsProject.instance().mapLayer(item.layer_id)
    controller = dock.composer_controller.documents
    controller.save_to(path)
    controller.new()
    item, = opened(dock, path, wait_until)
    assert item.own.trust is Trust.OWN and item.problem == "" and len(questions) == 1
    moved = tmp_path / "moved"
    moved.mkdir()
    (moved / path.name).write_bytes(path.read_bytes())
    (moved / "puntos.geojson").write_bytes((tmp_path / "puntos.geojson").read_bytes())
    opened(dock, moved / path.name, wait_until)
    assert len(questions) == 2, "files of the same names elsewhere are other files"


def test_a_document_of_megabytes_is_read_beside_the_window(dock, questions, wait_until, tmp_path):
    own = replace(refer_to(own_points(tmp_path)), style="")
    path = document_file(tmp_path, own, extra={"more": ["http://a.example.org/ x" * 100] * 3_000})
    watch, timer = LoopWatch(), QTimer()
    timer.timeout.connect(watch.tick)
    timer.start(10)
    documents = dock.composer_controller.documents
    watch.start()
    documents.open_file(path)
    assert path.stat().st_size > 6_000_000 and documents.opening and questions == []
    wait_until(lambda: questions, 60)
    held = watch.longest
    wait_until(lambda: dock.map.own_items and dock.map.own_items[0].layer_id, 60)
    timer.stop()
    assert dock.map.title() == "Ajeno" and held < 2.0


def test_a_template_is_judged_beside_the_window(dock, questions, wait_until, tmp_path, monkeypatch):
    template = tmp_path / "ajena.qpt"
    template.write_bytes((template_loading.BUNDLED_FOLDER / "guide-A4-landscape.qpt").read_bytes() + b"<!-- theirs -->")
    judge, judged_by = template_loading.allowed_template, []

    def judged(*given):
        judged_by.append(threading.current_thread() is threading.main_thread())
        return judge(*given)

    monkeypatch.setattr(template_loading, "allowed_template", judged)
    opened(dock, document_file(tmp_path, page=PageSetup(template=str(template))), wait_until)
    assert PageMeasurement(QgsProject.instance()).map_size(dock.map.plan().page)
    assert judged_by == [False], "once, and not by the window's thread"


def test_cancel_leaves_the_map_as_it_was(dock, questions, wait_until, tmp_path):
    questions.answer = None
    dock.map.set_title("Mine")
    opened(dock, document_file(tmp_path, refer_to(own_points(tmp_path))), wait_until)
    assert len(questions) == 1 and dock.map.own_items == [] and dock.map.title() == "Mine"


def test_a_layer_that_nobody_agreed_to_stays_with_its_reason_and_opens_later(dock, questions, wait_until, tmp_path):
    questions.answer = Consent.NONE
    own = replace(refer_to(own_points(tmp_path)), style="")
    path = document_file(tmp_path, own, replace(own, id="q", name="Consulta", provider="virtual", source="?query=x"))
    first, second = opened(dock, path, wait_until)
    assert "puntos.geojson" in first.problem and "virtual" in second.problem and not QgsProject.instance().mapLayers()
    assert first.row_state().remedies == (ServiceRemedy.OPEN,) and second.row_state().remedies == ()
    assert "puntos.geojson" in dock.composer.rows.rows[-1].accessibleName()
    questions.answer = Consent.LISTED
    row = dock.composer.rows.rows[-1]
    row.remedy_requested.emit(ServiceRemedy.OPEN)
    wait_until(lambda: any(item.layer_id for item in dock.map.own_items), 30)
    items = {item.own.name: item for item in dock.map.own_items}
    assert items["Puntos propios"].problem == "" and items["Puntos propios"].layer_id
    dock.composer_controller.documents.save_to(path)
    assert read_document(path.read_bytes()).seal == "", "one layer is still foreign"


def _own_map_of_before(folder):
    """A map with what the rules refuse: a virtual layer, and a style with an expression that reads a variable."""
    layer = own_points(folder)
    symbol = layer.renderer().symbol()
    symbol.symbolLayer(0).setDataDefinedProperty(QgsSymbolLayer.Property.PropertySize,
                                                 QgsProperty.fromExpression("length(env('HOME'))"))
    styled = refer_to(layer)
    query = f"?layer=ogr:{quote(layer.source(), safe='')}:p&query=select%20*%20from%20p"
    return document_file(folder, styled, OwnLayer("q", "Consulta", "vector", "virtual", query))


def test_whoever_made_the_map_opens_it_as_their_own_after_a_second_question(dock, questions, wait_until, tmp_path):
    path = _own_map_of_before(tmp_path)
    items = opened(dock, path, wait_until)
    assert [bool(item.problem) for item in items] == [False, True]
    questions.answer = Consent.OWN
    items = opened(dock, path, wait_until)
    said, = questions.confirmations
    assert any("virtual" in sentence for sentence in said)
    assert any("is drawn without expressions" in sentence for sentence in said)
    assert [(item.problem, item.own.trust) for item in items] == [("", Trust.OWN)] * 2
    layers = {item.own.name: QgsProject.instance().mapLayer(item.layer_id) for item in items}
    assert layers["Consulta"].featureCount() == 2 and "env('HOME')" in style_of(layers["Puntos propios"])
    controller = dock.composer_controller.documents
    controller.save_to(path)
    controller.new()
    asked = len(questions)
    items = opened(dock, path, wait_until)
    assert len(questions) == asked and [item.problem for item in items] == ["", ""], "known from now on"


def test_whoever_goes_back_is_asked_again_and_nothing_is_opened(dock, questions, wait_until, tmp_path):
    questions.answer, questions.confirmed = Consent.OWN, False
    items = opened(dock, _own_map_of_before(tmp_path), wait_until)
    assert len(questions) == 2 and len(questions.confirmations) == 1
    assert all(item.problem and item.own.trust is Trust.FOREIGN for item in items)


def test_a_map_of_nothing_but_refused_layers_can_be_ones_own(dock, questions, wait_until, tmp_path):
    questions.answer = Consent.OWN
    item, = opened(dock, document_file(tmp_path, replace(refer_to(own_points(tmp_path)), provider="virtual",
                                                         source="?query=select%201%20as%20a")), wait_until)
    assert len(questions) == 1 and item.own.trust is Trust.OWN


def test_undo_and_redo_open_nothing_that_was_refused(dock, questions, wait_until, tmp_path):
    questions.answer = Consent.NONE
    item, = opened(dock, document_file(tmp_path, refer_to(own_points(tmp_path))), wait_until)
    dock.map.remove(0)
    dock.composer_controller.map.undo()
    wait_until(lambda: not dock.map.adding, 30)
    item, = dock.map.own_items
    assert item.problem and item.layer_id == "" and not QgsProject.instance().mapLayers()


def test_an_undo_after_the_agreement_draws_no_style_that_was_left_out(dock, questions, wait_until, tmp_path):
    questions.answer = Consent.NONE
    layer = own_points(tmp_path)
    symbol = layer.renderer().symbol()
    symbol.symbolLayer(0).setDataDefinedProperty(QgsSymbolLayer.Property.PropertySize,
                                                 QgsProperty.fromExpression("env('HOME')"))
    item, = opened(dock, document_file(tmp_path, refer_to(layer)), wait_until)
    questions.answer = Consent.LISTED
    dock.composer_controller.documents.ask_to_open(item)
    wait_until(lambda: item.layer_id, 30)
    made = QgsProject.instance().mapLayer(item.layer_id)
    assert "env(" not in style_of(made)
    dock.composer_controller.map.undo()
    wait_until(lambda: not dock.map.adding, 30)
    assert "env(" not in style_of(made)
    assert all(one.problem or one.own.trust is Trust.AGREED for one in dock.map.own_items)
    dock.composer_controller.map.redo()
    wait_until(lambda: not dock.map.adding and all(one.layer_id for one in dock.map.own_items), 30)
    assert all("env(" not in style_of(one) for one in QgsProject.instance().mapLayers().values())


def test_a_layer_of_the_open_project_is_not_taken_for_one_of_the_same_id(dock, questions, wait_until, tmp_path):
    private = own_points(tmp_path)
    QgsProject.instance().addMapLayer(private)
    (tmp_path / "other").mkdir()
    theirs = replace(refer_to(own_points(tmp_path / "other")), id=private.id(), style="")
    item, = opened(dock, document_file(tmp_path / "other", theirs), wait_until)
    assert item.layer_id != private.id() and private.renderer().symbol().size() == 45


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_a_silent_server_holds_neither_the_window_nor_the_other_layers(dock, questions, wait_until, tmp_path, path,
                                                                       monkeypatch):
    monkeypatch.setattr(opening, "OPENING_SECONDS", 3.0 * slowness())
    with OddServer() as server:
        silent = OwnLayer("s", "Callado", "vector", "WFS", f"typename='a' url='{server.url}{path}'")
        here = replace(refer_to(own_points(tmp_path)), style="")
        watch, timer = LoopWatch(), QTimer()
        timer.timeout.connect(watch.tick)
        timer.start(10)
        dock.composer_controller.documents.open_file(document_file(tmp_path, silent, here))
        wait_until(lambda: any(item.layer_id for item in dock.map.own_items), 30)
        watch.start()
        waiting = next(item for item in dock.map.own_items if item.own.name == "Callado")
        assert waiting.loading and "127.0.0.1" in waiting.row_state().detail
        wait_until(lambda: not dock.map.adding, 60)
        held = watch.longest
        timer.stop()
    assert "Callado" in waiting.problem and waiting.row_state().remedies == (ServiceRemedy.RETRY,)
    # what is held while the row is drawn anew is QGIS's and the composer's
    assert held < 2.5


def test_a_file_that_is_replaced_by_a_link_while_the_question_is_read_is_not_opened(dock, questions, wait_until,
                                                                                     tmp_path):
    (tmp_path / "private").mkdir()
    private = own_points(tmp_path / "private").source().split("|")[0]
    path = document_file(tmp_path, replace(refer_to(own_points(tmp_path)), style=""))

    def replaced(_title, foreign, done):
        file = Path(foreign.things[0].reference.name)
        file.unlink()
        file.symlink_to(private)
        done(Consent.LISTED)

    dock.prompts.confirm_foreign = replaced
    item, = opened(dock, path, wait_until)
    assert "replaced by a link" in item.problem and QgsProject.instance().mapLayers() == {}


def test_a_style_beside_the_file_is_not_loaded(dock, questions, wait_until, tmp_path):
    layer = own_points(tmp_path)
    layer.saveNamedStyle(str(tmp_path / "puntos.qml"))
    own = replace(refer_to(layer), style="")
    item, = opened(dock, document_file(tmp_path, own), wait_until)
    assert QgsProject.instance().mapLayer(item.layer_id).renderer().symbol().size() != 45


VRT = '<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>{}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>'


@pytest.mark.parametrize("kind", ["vrt", "folder", "pipe", "view", "gml"])
def test_a_file_that_leads_elsewhere_is_refused_whatever_its_name(kind, tmp_path, qgis_app):
    import os
    import sqlite3

    path = tmp_path / "a.gpkg"
    if kind == "vrt":
        path.write_text(VRT.format(own_points(tmp_path).source()))
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "gml":
        path.write_text('<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml"><gml:featureMember/>'
                        "</gml:FeatureCollection>")
    else:
        from osgeo import ogr

        ogr.GetDriverByName("GPKG").CopyDataSource(ogr.Open(own_points(tmp_path).source()), str(path))
        connection = sqlite3.connect(path)
        connection.execute("CREATE VIEW v AS SELECT ogr_geocode('http://127.0.0.1') AS x")
        connection.commit()
        connection.close()
    own = OwnLayer("a", "Ajeno", "vector", "ogr", str(path), trust=Trust.AGREED)
    with pytest.raises(CartoguideError, match="Ajeno"):
        opening.open_layer(own)


def _package(folder, name="a.gpkg"):
    from osgeo import ogr

    ogr.GetDriverByName("GPKG").CopyDataSource(ogr.Open(own_points(folder).source()), str(folder / name))
    return folder / name


@pytest.mark.parametrize("kind", ["virtual table in a comment", "log", "recursive view", "link beside",
                                  "VRT named shp"])
def test_what_goes_round_the_checks_of_a_file_is_refused(kind, tmp_path, qgis_app):
    import os
    import sqlite3

    path = _package(tmp_path)
    connection = sqlite3.connect(path)
    if kind == "virtual table in a comment":
        connection.execute("CREATE VIRTUAL TABLE x USING fts4aux(a /* using rtree(a) */)")
    elif kind == "recursive view":
        connection.execute("CREATE VIEW v AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) "
                           "SELECT * FROM r")
    connection.commit()
    connection.close()
    if kind == "log":
        (tmp_path / "a.gpkg-wal").write_bytes(b"x" * 64)
    elif kind == "link beside":
        os.symlink("/etc/passwd", tmp_path / "a.dbf")
    elif kind == "VRT named shp":
        path = tmp_path / "b.shp"
        path.write_text(VRT.format(own_points(tmp_path).source()))
    with pytest.raises(CartoguideError, match="Ajeno"):
        opening.open_layer(OwnLayer("a", "Ajeno", "vector", "ogr", str(path), trust=Trust.AGREED))


def test_a_service_whose_operations_are_elsewhere_is_refused_with_that_server(qgis_app):
    with OddServer() as other, OddServer() as server:
        capabilities = ('<wfs:WFS_Capabilities version="2.0.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" '
                        'xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:xlink="http://www.w3.org/1999/xlink">'
                        '<ows:OperationsMetadata><ows:Operation name="GetFeature"><ows:DCP><ows:HTTP>'
                        f'<ows:Get xlink:href="{other.url}/wfs?"/></ows:HTTP></ows:DCP></ows:Operation>'
                        "</ows:OperationsMetadata></wfs:WFS_Capabilities>")
        server.answers["/wfs"] = 200, "text/xml", capabilities.encode()
        own = OwnLayer("a", "Ajeno", "vector", "WFS", f"typename='a' url='{server.url}/wfs'", trust=Trust.AGREED)
        with pytest.raises(CartoguideError, match=other.url.rpartition("/")[2]):
            opening.open_layer(own)
        assert server.requests and other.requests == []


def test_a_folder_of_ones_own_opens_as_ever(tmp_path, qgis_app):
    from osgeo import ogr

    shapes = tmp_path / "shapes"
    ogr.GetDriverByName("ESRI Shapefile").CopyDataSource(ogr.Open(own_points(tmp_path).source()), str(shapes))
    assert opening.open_layer(OwnLayer("a", "A", "vector", "ogr", str(shapes))).featureCount() == 2


@pytest.mark.parametrize("place", ["inside", "beside", "overviews"])
def test_a_raster_whose_metadata_name_an_address_is_refused(place, tmp_path, qgis_app):
    from osgeo import gdal

    path = tmp_path / "r.tif"
    raster = gdal.GetDriverByName("GTiff").Create(str(path), 64, 64)
    raster.SetGeoTransform((0, 1, 0, 0, 0, -1))
    with OddServer() as server:
        address = f"/vsicurl/{server.url}/o.tif"
        if place == "inside":
            raster.SetMetadataItem("OVERVIEW_FILE", address, "OVERVIEWS")
        elif place == "beside":
            (tmp_path / "r.tif.aux.xml").write_text(
                f'<PAMDataset><Metadata domain="OVERVIEWS"><MDI key="OVERVIEW_FILE">{address}</MDI></Metadata>'
                "</PAMDataset>")
        else:
            overviews = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "r.tif.ovr"), 32, 32)
            overviews.SetMetadataItem("OVERVIEW_FILE", address, "OVERVIEWS")
            del overviews
        del raster
        with pytest.raises(CartoguideError, match="Ajeno"):
            opening.open_layer(OwnLayer("r", "Ajeno", "raster", "gdal", str(path), trust=Trust.AGREED))
        assert server.requests == []


@pytest.mark.parametrize(("kind", "provider", "source"), [
    ("vector", "WFS", "typename='a' url='{}/status/500'"), ("vector", "OAPIF", "typename='a' url='{}/status/404'"),
    ("raster", "arcgismapserver", "crs='EPSG:3857' format='PNG32' layer='0' url='{}/error'"),
    ("raster", "arcgismapserver", "crs='EPSG:3857' format='PNG32' layer='0' url='{}/ok'"),
    ("vector", "arcgisfeatureserver", "url='{}/error'")])
def test_a_server_that_answers_wrongly_is_named(kind, provider, source, qgis_app):
    with OddServer() as server:
        server.answers["/error"] = 200, "application/json", b'{"error": {"code": 499, "message": "Token Required"}}'
        with pytest.raises(CartoguideError, match="127.0.0.1") as failure:
            opening.open_layer(OwnLayer("a", "Servidor", kind, provider, source.format(server.url)))
    assert "Servidor" in failure.value.user_text


def test_a_sound_geopackage_and_a_sound_raster_open_after_consent(tmp_path, qgis_app):
    from osgeo import gdal, ogr

    package = tmp_path / "a.gpkg"
    ogr.GetDriverByName("GPKG").CopyDataSource(ogr.Open(own_points(tmp_path).source()), str(package))
    assert opening.open_layer(OwnLayer("a", "A", "vector", "ogr", str(package), trust=Trust.AGREED)).featureCount() == 2
    raster = gdal.GetDriverByName("GTiff").Create(str(tmp_path / "r.tif"), 4, 4)
    raster.SetGeoTransform((0, 1, 0, 0, 0, -1))
    del raster
    layer = opening.open_layer(OwnLayer("r", "R", "raster", "gdal", str(tmp_path / "r.tif"), trust=Trust.AGREED))
    assert layer.isValid() and layer.width() == 4


def test_the_crs_of_a_layer_outlives_the_thread_that_made_it(tmp_path, qgis_app, wait_until):
    from qgis.core import (
        QgsCoordinateReferenceSystem,
        QgsCoordinateTransform,
        QgsPointXY,
        QgsVectorFileWriter,
        QgsVectorLayer,
    )
    from qgis.PyQt.QtCore import QThreadPool

    layer = QgsVectorLayer("Point?crs=EPSG:2154", "a", "memory")
    options = QgsVectorFileWriter.SaveVectorOptions()
    QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(tmp_path / "a.gpkg"), QgsProject.instance().transformContext(),
                                              options)
    made = opening.open_layer(OwnLayer("a", "A", "vector", "ogr", str(tmp_path / "a.gpkg")))
    assert made.crs().authid() == "EPSG:2154"
    pool = QThreadPool.globalInstance()
    former = pool.expiryTimeout()
    try:
        pool.setExpiryTimeout(1)
        wait_until(lambda: pool.activeThreadCount() == 0, 10)
    finally:
        pool.setExpiryTimeout(former)
    transform = QgsCoordinateTransform(made.crs(), QgsCoordinateReferenceSystem("EPSG:4326"), QgsProject.instance())
    place = transform.transform(QgsPointXY(700000, 6600000))
    assert abs(place.x() - 3) < 0.01 and abs(place.y() - 46.5) < 0.01


@pytest.mark.slow
def test_headless_a_foreign_map_opens_only_what_the_parameter_says(network, tmp_path, algorithms):  # noqa: F811
    own = replace(refer_to(own_points(tmp_path)), style="", entries_below=0)
    path = document_file(tmp_path, own, scale=100_000.0, centre=(-3.51, 38.38), language="en")
    heard = Heard()
    with pytest.raises(AssertionError, match="(?s)Puntos propios.*FOREIGN_LAYERS"):
        run("exportcustommap", {"INPUT": str(path), "DPI": 72, "OUTPUT": str(tmp_path / "no.pdf")}, heard)
    assert not (tmp_path / "no.pdf").exists()
    run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": "open",
                            "OUTPUT": str(tmp_path / "yes.pdf")})
    assert CREDIT in pdf_text(tmp_path / "yes.pdf")
    far = tmp_path / "far"
    far.mkdir()
    path = document_file(far, own, scale=100_000.0, centre=(-3.51, 38.38))
    with pytest.raises(AssertionError, match="Puntos propios"):
        run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": "open",
                                "OUTPUT": str(tmp_path / "no.pdf")})
    run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": "open-all",
                            "OUTPUT": str(tmp_path / "all.pdf")})
    assert CREDIT in pdf_text(tmp_path / "all.pdf")


def test_headless_another_page_is_not_printed_in_silence(network, tmp_path, algorithms):  # noqa: F811
    from plugin.core.custommap.model import PageSetup

    path = document_file(tmp_path, page=PageSetup(template="/far/away.qpt"))
    with pytest.raises(AssertionError, match="away.qpt"):
        run("exportcustommap", {"INPUT": str(path), "DPI": 72, "OUTPUT": str(tmp_path / "no.pdf")})


def test_a_project_of_somebody_else_opens_no_layer_that_it_lacks(dock, questions, wait_until, tmp_path):
    item, = opened(dock, document_file(tmp_path, replace(refer_to(own_points(tmp_path)), style="")), wait_until)
    project = QgsProject.instance()
    assert project.write(str(tmp_path / "p.qgs"))
    text = (tmp_path / "p.qgs").read_text("utf-8")
    assert project.write(str(tmp_path / "p.qgs"))
    project.clear()
    assert project.read(str(tmp_path / "p.qgs"))
    wait_until(lambda: dock.map.own_items, 20)
    assert dock.map.own_items[0].layer_id, "the layer of one's own project is found"
    group = next(one for one in project.layerTreeRoot().findGroups() if one.customProperty("cartoguide/document"))
    document = json.loads(group.customProperty("cartoguide/document"))
    document["own_layers"][0].update(id="other", source=str(tmp_path / "puntos.geojson") + "|layerid=0")
    group.setCustomProperty("cartoguide/document", json.dumps(document))
    for layer in project.mapLayers().values():
        layer.removeCustomProperty("cartoguide/own_layer")
    dock.composer_controller.map.custom_map.arrange((), None)
    assert project.write(str(tmp_path / "q.qgs")) and "other" in (tmp_path / "q.qgs").read_text("utf-8") != text
    project.clear()
    assert project.read(str(tmp_path / "q.qgs"))
    wait_until(lambda: any(item.own.id == "other" for item in dock.map.own_items), 20)
    item = next(item for item in dock.map.own_items if item.own.id == "other")
    assert item.layer_id == "" and item.problem


def test_the_dialog_lists_everything_and_opens_nothing_by_enter(qtbot, tmp_path):
    far = OwnLayer("f", "Lejos", "vector", "ogr", "/far/f.gpkg")
    document = CustomMap("A", own_layers=(
        OwnLayer("n", "Cerca <b>", "vector", "ogr", str(tmp_path / "n.gpkg")), far,
        OwnLayer("w", "Red", "raster", "wms", "type=xyz&url=http://192.168.0.1/%7Bz%7D"),
        OwnLayer("v", "Consulta", "vector", "virtual", "?query=x")))
    read = with_absolute_paths(read_document(write_document(document)), tmp_path / "m.json")
    answers = []
    dialog = ForeignMapDialog("m.json", examine(read, tmp_path, tmp_path / "t"), answers.append)
    dialog.show()
    texts = [[widget.item(row).text() for row in range(widget.count())]
             for widget in (dialog.near_list, dialog.elsewhere_list, dialog.refused_list)]
    assert [len(part) for part in texts] == [2, 1, 1]
    assert "Cerca <b>" in texts[0][0] and "192.168.0.1" in texts[0][1] and "/far/f.gpkg" in texts[1][0]
    assert dialog.without_button.isDefault() and dialog.open_button.isEnabled()
    dialog.elsewhere_check_box.setChecked(True)
    dialog.open_button.click()
    only_far = replace(read, own_layers=read.own_layers[1:2])
    second = ForeignMapDialog("m.json", examine(only_far, tmp_path, tmp_path / "t"), answers.append)
    assert not second.open_button.isEnabled()
    second.without_button.click()
    third = ForeignMapDialog("m.json", examine(read, tmp_path, tmp_path / "t"), answers.append)
    third.show()
    third.reject()
    assert answers == [Consent.ELSEWHERE_TOO, Consent.NONE]


def test_the_answer_that_the_map_is_ones_own_stands_apart_and_is_never_the_default(qtbot, tmp_path):
    document = CustomMap("A", own_layers=(OwnLayer("v", "Consulta", "vector", "virtual", "?query=x"),))
    foreign = examine(document, tmp_path, tmp_path / "t")
    answers = []
    dialog = ForeignMapDialog("m.json", foreign, answers.append)
    dialog.show()
    assert dialog.own_button.isVisible() and not dialog.own_button.autoDefault() and not dialog.own_button.isDefault()
    assert dialog.own_button not in dialog.buttons.buttons() and not dialog.open_button.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert answers == [Consent.NONE]
    dialog = ForeignMapDialog("m.json", foreign, answers.append)
    dialog.show()
    dialog.own_button.click()
    assert answers[1:] == [Consent.OWN]
    one = ForeignMapDialog("m.json", one_layer(OwnLayer("n", "N", "vector", "ogr", "/far/n.gpkg")), answers.append)
    one.show()
    assert not one.own_button.isVisible(), "one layer of a map is not somebody's own"


def test_the_second_question_lists_what_the_rules_keep_out_and_only_its_button_agrees(qtbot):
    sentences, answers = ["“A <b>” is not opened", "The style of “B” is drawn without env"], []

    def made():
        dialog = OwnMapDialog("m.json", sentences, answers.append)
        dialog.show()
        return dialog

    dialog = made()
    assert [dialog.left_out_list.item(row).text() for row in range(2)] == sentences
    assert dialog.back_button.isDefault() and not dialog.own_button.autoDefault()
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    for leave in ("reject", "close"):
        getattr(made(), leave)()
    dialog = made()
    dialog.back_button.click()
    assert answers == [False] * 4
    dialog = made()
    dialog.own_button.click()
    assert answers == [False] * 4 + [True]


def test_headless_a_map_of_ones_own_opens_only_if_the_parameter_says_so(network, tmp_path, algorithms):  # noqa: F811
    own = replace(refer_to(own_points(tmp_path)), style="", entries_below=0)
    query = f"?layer=ogr:{quote(own.source, safe='')}:p&query=select%20*%20from%20p"
    own = replace(own, provider="virtual", source=query)
    path = document_file(tmp_path, own, scale=100_000.0, centre=(-3.51, 38.38), language="en")
    for answer in ("refuse", "open", "open-all"):
        with pytest.raises(AssertionError, match="Puntos propios"):
            run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": answer,
                                    "OUTPUT": str(tmp_path / "no.pdf")})
    run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": "own",
                            "OUTPUT": str(tmp_path / "own.pdf")})
    assert CREDIT in pdf_text(tmp_path / "own.pdf")

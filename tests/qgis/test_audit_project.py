"""The credit audit of a project that Cartoguide did not make, against the running test network."""

from __future__ import annotations

import pytest
from odd_server import OddServer
from qgis.core import QgsLayoutItemMap, QgsPrintLayout, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import Qt

from plugin.core.audit import CreditState
from plugin.core.records import read
from plugin.gis.credits import credit_audit
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.layouts import locator_map
from plugin.gis.library.record_library import RecordLibrary, RecordSource
from plugin.gis.runtime import tasks
from plugin.gis.services import service_cache
from plugin.gis.sources.layer_source import OUTLINE
from plugin.ui.credits.credit_audit_dialog import CreditAuditDialog

WMTS = """<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 version="1.0.0"><ows:ServiceIdentification><ows:Title>Mapa base</ows:Title><ows:Fees>none</ows:Fees>
 <ows:AccessConstraints>CC BY 4.0</ows:AccessConstraints></ows:ServiceIdentification><ows:ServiceProvider>
 <ows:ProviderName>Instituto Geográfico</ows:ProviderName></ows:ServiceProvider></Capabilities>"""
OSM = "type=xyz&url=https://tile.openstreetmap.org/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmax=19&zmin=0"


@pytest.fixture
def shelf(qgis_app, network):
    """A store that knows the park guide's record, and no other."""
    made = RecordLibrary()
    path = network.records[1]
    tasks.run_and_wait(lambda feedback: made.save(RecordSource("x", "file", "x"), read(path.read_bytes(), path.name)),
                       30)
    yield made
    made.close()


@pytest.fixture
def foreign(project, network):
    """Layers as QGIS's own dialogs add them: no credit, no metadata."""
    def wms(endpoint, name):
        uri = f"crs=EPSG:25830&format=image/png&layers={name}&styles&url={network.endpoints[endpoint]}"
        return QgsRasterLayer(uri, name, "wms")

    layers = [wms("facilities", "miradores"), wms("guide", "carreteras"), wms("guide", "senderos"),
              QgsRasterLayer(OSM, "OSM", "wms"),
              QgsRasterLayer(OSM.replace("tile.openstreetmap.org", "tiles.invalid"), "Tiles", "wms"),
              QgsVectorLayer("Point?crs=EPSG:25830", "own data", "memory")]
    assert all(layer.isValid() for layer in layers)
    project.addMapLayers(layers)
    return layers


def looked(project, shelf, seconds=60):
    facts = credit_audit.project_layer_facts(project)
    cache = service_cache.ServiceCache()
    return tasks.run_and_wait(lambda feedback: credit_audit.audit_layers(facts, shelf, cache, feedback), seconds)


def test_records_terms_and_credits_are_found_wherever_they_are(project, foreign, shelf, network):
    network.reset()
    rows = {row.layer.title: row for row in looked(project, shelf)}
    assert list(rows) == ["miradores", "carreteras", "senderos", "OSM", "Tiles", "own data"]
    assert [row.layer.kind.value for row in rows.values()] == ["WMS", "WMS", "WMS", "XYZ", "XYZ", "memory"]
    road, view = rows["carreteras"], rows["miradores"]
    assert road.state is CreditState.FOUND and "Mapa guía" in road.credit[0]
    assert road.origin == "a record in your library"
    assert view.state is CreditState.FOUND and view.origin == "MetadataURL of the service" and view.record_id
    assert "Equipamientos" in view.credit[0] and view.required == "yes" and view.fees == "Gratuito"
    assert rows["OSM"].credit == ("© OpenStreetMap contributors",)
    assert rows["Tiles"].state is CreditState.MISSING and rows["own data"].state is CreditState.UNKNOWN
    assert network.count("GetCapabilities", "guide") == 1, "one question for each address, however many layers"


def test_a_found_credit_is_given_shown_by_layouts_and_taken_back(project, foreign, shelf):
    rows = [row for row in looked(project, shelf) if row.state.has_new_credit]
    applied = credit_audit.apply_credits(project, rows)
    assert len(applied.layer_names) == 4 and project.isDirty()
    layout = QgsPrintLayout(project)
    item = QgsLayoutItemMap(layout)
    layout.addLayoutItem(item)
    road = foreign[1]
    assert "Mapa guía" in layer_credit(road) and road.metadata().fees() == "Gratuito"
    assert all(row.state is CreditState.CREDITED for row in looked(project, shelf)
               if row.layer.title not in ("Tiles", "own data"))
    applied.undo()
    assert layer_credit(road) == "" and road.metadata().licenses() == []
    assert road.customProperty("cartoguide/credit") is None


def test_a_wmts_is_asked_for_its_provider_and_its_fees(project, shelf):
    with OddServer() as server:
        server.files["/wmts"] = WMTS.encode()
        uri = f"crs=EPSG:3857&format=image/png&layers=base&styles=default&tileMatrixSet=GM&url={server.url}/wmts"
        project.addMapLayer(QgsRasterLayer(uri, "Base", "wms"))
        server.requests.clear()
        row, = looked(project, shelf)
        asked = server.requests[-1]
    assert (row.layer.kind, row.state, row.credit) == ("WMTS", CreditState.FOUND,
                                                        ("Instituto Geográfico, Mapa base, CC BY 4.0",))
    assert row.access == "CC BY 4.0" and row.origin == "capabilities: provider"
    assert asked["path"] == "/wmts"


def test_a_service_that_does_not_answer_is_a_row_with_the_reason(project, foreign, shelf, network):
    network.fault({"match": {"endpoint": "facilities", "request": "GetCapabilities"},
                   "action": {"type": "status", "code": 500}})
    row = looked(project, shelf)[0]
    assert row.layer.title == "miradores" and row.state is CreditState.MISSING and row.problem


def test_the_outlines_of_pages_are_not_listed_but_whatever_else_is_marked_as_one(project, foreign, network):
    before = {facts.layer_id for facts in credit_audit.project_layer_facts(project)}
    outline = locator_map.empty_layer(project)
    assert project.mapLayer(outline.id()) is not None
    assert {facts.layer_id for facts in credit_audit.project_layer_facts(project)} == before
    for layer in project.mapLayers().values():
        layer.setCustomProperty(OUTLINE, "land")
    assert {facts.layer_id for facts in credit_audit.project_layer_facts(project)} == before


def test_every_map_layer_of_a_saved_project_has_a_credit_or_a_reason(project, shelf, network, tmp_path):
    """In groups, of several WMS layers at once, unseen, invalid since its server is gone: as plain QGIS keeps them."""
    def wms(names, url):
        layers = "&".join(f"layers={name}" for name in names)
        return f"crs=EPSG:25830&format=image/png&{layers}&{'styles&' * len(names)}url={url}"

    gone = "http://127.0.0.1:9"
    sources = {"both": wms(("miradores", "refugios"), network.endpoints["facilities"]),
               "deep": wms(("carreteras",), network.endpoints["guide"]), "dead": wms(("x",), f"{gone}/wms"),
               "dead tiles": f"crs=EPSG:3857&format=image/png&layers=x&styles&tileMatrixSet=GM&url={gone}/wmts",
               "OSM": OSM, "own tiles": OSM.replace("tile.openstreetmap.org", "tiles.invalid")}
    group = project.layerTreeRoot().addGroup("one").addGroup("two")
    for name, source in sources.items():
        layer = QgsRasterLayer(source, name, "wms")
        project.addMapLayer(layer, False)
        (group if name != "OSM" else project.layerTreeRoot()).addLayer(layer).setItemVisibilityChecked(name != "deep")
    assert project.write(str(tmp_path / "plain.qgs"))
    project.clear()
    project.read(str(tmp_path / "plain.qgs"))
    rows = {row.layer.title: row for row in looked(project, shelf)}
    assert set(rows) == set(sources)
    assert {name: row.layer.kind for name, row in rows.items() if row.layer.kind != "WMS"} == {
        "dead tiles": "WMTS", "OSM": "XYZ", "own tiles": "XYZ"}
    credited = {name for name, row in rows.items() if row.credit}
    assert credited == {"both", "deep", "OSM"}
    assert all(rows[name].state is CreditState.MISSING for name in set(rows) - credited)
    assert rows["dead"].problem and rows["dead tiles"].problem


def test_the_table_tells_ticks_gives_and_saves(project, foreign, shelf, qtbot, wait_until, tmp_path):
    dialog = CreditAuditDialog(shelf)
    qtbot.addWidget(dialog)
    dialog.show()
    wait_until(lambda: dialog.rows)
    assert "no credit found: 1" in dialog.summary.text()
    tops = [dialog.tree.topLevelItem(number) for number in range(dialog.tree.topLevelItemCount())]
    assert [top.childCount() for top in tops] == [0, 2, 0, 0, 0], "the two layers of a service are below its row"
    service = tops[1]
    assert [service.child(number).text(0) for number in range(2)] == ["carreteras", "senderos"]
    assert "WMS, 2 layers" in service.text(0) and "Mapa guía" in service.text(2) and not service.child(0).text(2)
    dialog.tree.setColumnWidth(2, 120)
    line = dialog.tree.fontMetrics().height()
    assert dialog.tree.visualItemRect(service).height() > 2 * line, "a credit is wrapped, not cut"
    assert dialog.credit.placeholderText() == "Select a layer to enter its credit"
    service.setSelected(True)
    assert [row.layer.title for row in dialog.selected_rows()] == ["carreteras", "senderos"]
    assert "Select a layer" not in dialog.credit.placeholderText()
    lost = [item for item in tops if "cannot be opened" in item.text(0)]
    assert [project.mapLayer(row.layer.layer_id).isValid() for row in dialog.rows].count(False) == len(lost)
    service.setCheckState(0, Qt.CheckState.Unchecked)
    assert [row.layer.title for row in dialog.checked_rows()] == ["miradores"]
    service.setCheckState(0, Qt.CheckState.Checked)
    assert [row.layer.title for row in dialog.checked_rows()] == ["miradores", "carreteras", "senderos"]
    dialog.apply_credits()
    wait_until(lambda: dialog.refresh_button.isEnabled())
    assert "credited: 3" in dialog.summary.text() and not dialog.apply_button.isEnabled()
    dialog.save_csv(tmp_path / "credits.csv")
    assert "© OpenStreetMap contributors" in (tmp_path / "credits.csv").read_text("utf-8-sig")
    dialog.undo_credits()
    wait_until(lambda: dialog.refresh_button.isEnabled())
    assert "credit found: 3" in dialog.summary.text()
    dialog.close()

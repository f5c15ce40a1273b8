"""Dialogs, rows, QGIS's browser and locator with hostile texts: none is read as markup or opens a file."""

from __future__ import annotations

import json
import re
from html import escape

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsLocatorContext, QgsLocatorResult, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import QApplication, QWidget

from plugin.core.catalogues.detection import DetectedCatalogue
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.source_list import dump_sources
from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import CustomMap, MapEntry, StoredCredit
from plugin.core.errors import CartoguideError
from plugin.core.health.health_check import HealthCheck, Probe, ProbeKind, Verdict
from plugin.core.terms.model import Decision
from plugin.gis.catalogues.catalogue_list import CatalogueList
from plugin.gis.catalogues.federated_search import SearchState, SourceStatus
from plugin.gis.library.record_library import RecordLibrary
from plugin.gis.runtime import settings
from plugin.ui.catalogues.add_catalogue_dialog import AddCatalogueDialog
from plugin.ui.catalogues.catalogue_panel import CataloguePanel
from plugin.ui.catalogues.catalogues_dialog import CataloguesDialog
from plugin.ui.catalogues.harvest_dialog import HarvestDialog
from plugin.ui.credits.credit_audit_dialog import CreditAuditDialog
from plugin.ui.health.service_health_dialog import ServiceHealthDialog
from tests.foreign_text import hostile
from tests.qgis.browser_views import BrowserView
from tests.qgis.test_foreign_text_widgets import faults_of, image, might_be_rich_text, opened

__all__ = ["image", "opened"]  # fixtures
ADDRESS = "http://127.0.0.1:9/csw"


@pytest.fixture
def library(qgis_app):
    made = RecordLibrary()
    yield made
    made.close()


def hostile_source(image):
    return Source(ADDRESS, SourceKind.CSW_2, hostile(image))


def test_dialogs_of_catalogues(qtbot, image, opened):
    window, text = QWidget(), hostile(image)
    qtbot.addWidget(window)
    window.show()
    source = hostile_source(image)
    settings.set("sources", dump_sources([source]))
    panel = CataloguePanel(window)
    panel.show_rows([SourceStatus(source, SearchState.FAILED, error=CartoguideError(text, text), notes=(text,),
                                  unsent=("text",))], True, text)
    query = CatalogueQuery(text=text, keywords=(text,))
    faults = []
    for shown in (panel, HarvestDialog(source, query, lambda _query: True, window, ("text",)),
                  AddCatalogueDialog(window, DetectedCatalogue((source,), text)),
                  CataloguesDialog(CatalogueList(window), window)):
        shown.show()
        QApplication.processEvents()
        faults += faults_of(shown)
        shown.hide()
    assert faults == []


def test_the_health_of_a_service(qtbot, image, opened, library):
    text = hostile(image)
    dialog = ServiceHealthDialog(library)
    qtbot.addWidget(dialog)
    dialog.show()
    probes = tuple(Probe(kind, Verdict.FAILED, text, 1.0, f"{ADDRESS}?{text}", text) for kind in (*ProbeKind, text))
    dialog._on_checked(HealthCheck(ADDRESS, text, "2026-11-22T10:00:00+00:00", text, text, probes),
                       CartoguideError(text, text))
    dialog._show_problem(CartoguideError(text, text))
    tree = dialog.service_tree
    tree.setCurrentItem(tree.topLevelItem(0))
    tree.expandAll()
    assert tree.topLevelItemCount() == 1 and faults_of(dialog) == []


def test_the_credits_of_a_project(qtbot, image, opened, library, project, wait_until):
    text = hostile(image)
    layer = QgsVectorLayer("Point?crs=EPSG:25830", text, "memory")
    metadata = layer.metadata()
    for put in (metadata.setRights, metadata.setLicenses):
        put([text])
    metadata.setTitle(text)
    metadata.setFees(text)
    layer.setMetadata(metadata)
    project.addMapLayer(layer)
    dialog = CreditAuditDialog(library)
    dialog.show()
    wait_until(lambda: dialog.rows)
    dialog.table.selectRow(0)
    assert dialog.table.rowCount() == 1 and faults_of(dialog) == []
    dialog.close()
    project.removeAllMapLayers()


@pytest.fixture
def hostile_network(network, image, tmp_path):
    """A network profile whose title, and whose records' titles, are hostile."""
    document = json.loads(network.profile_path.read_text("utf-8"))
    names = []
    for number, path in enumerate(network.records):
        text = path.read_text("utf-8")
        title = escape(hostile(image, str(number))).replace("\\", r"\\")
        written = re.sub(r"(<(?:\w+:)?title>\s*<(?:\w+:)?CharacterString[^>]*>)", rf"\g<1>{title} ", text, count=1)
        assert written != text
        (tmp_path / f"{number}.xml").write_text(written, encoding="utf-8")
        names.append(f"{number}.xml")
    document.update(records=names, title=hostile(image, "network"))
    profile = tmp_path / "hostile.json"
    profile.write_text(json.dumps(document), encoding="utf-8")
    settings.set("profile", str(profile))
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    return profile


def test_the_rows_of_a_custom_map(open_dock, hostile_network, image, opened, tmp_path, wait_until):
    text = hostile(image)
    credit = StoredCredit(text, Decision.YES, text, "https://a.example/")
    entries = [MapEntry(f"http://127.0.0.1:9/{name}?", text, None, (text, "b"), credit=credit) for name in "abc"]
    path = tmp_path / "a.custommap.json"
    path.write_bytes(write_document(CustomMap(text, base=entries[0], overlays=tuple(entries[1:]))))
    dock = open_dock(width=420)
    wait_until(lambda: dock.model.rowCount() == 3)
    dock.composer_controller.documents.open_file(path)
    wait_until(lambda: len(dock.composer_controller.map.items) == 3, 60)
    faults = faults_of(dock)
    for row in range(dock.model.rowCount()):
        dock.list.setCurrentIndex(dock.model.index(row))
        QApplication.processEvents()
        faults += faults_of(dock)
    # lists are drawn without marks of direction, and links without an address are the plugin's own
    assert [fault for fault in faults if fault.startswith(("rich", "image"))] == []
    assert dock.findChildren(QWidget) and "<img" in dock.composer_controller.map.title()


def indexes_below(model, parent):
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        yield index
        yield from indexes_below(model, index)


def test_the_browser_and_the_locator(plugin_window, hostile_network, image, opened, wait_until):
    browser = BrowserView(wait_until)
    networks = browser.children("Cartoguide", "Networks")
    assert any("<b>network</b>" in name for name in networks)
    assert len(browser.children("Cartoguide", "All records")) == 3
    browser.children("Cartoguide", "Networks", networks[0])
    browser.view.resize(500, 500)
    browser.view.show()
    browser.view.expandAll()
    QApplication.processEvents()
    browser.view.grab()
    texts = []
    for index in indexes_below(browser.model, browser.index("Cartoguide")):
        tip = index.data(int(Qt.ItemDataRole.ToolTipRole))
        texts += [("tooltip", tip)] if isinstance(tip, str) else []
    assert [tip for _, tip in texts if "<img" in tip and might_be_rich_text(tip)] == []
    found, ends = [], []
    plugin_window.locator.foundResult.connect(lambda result: found.append(QgsLocatorResult(result)))
    plugin_window.locator.finished.connect(lambda: ends.append(1))
    plugin_window.locator.fetchResults("cg network", QgsLocatorContext())
    wait_until(lambda: ends)
    plugin_window.locator.fetchResults("cg mapa", QgsLocatorContext())
    wait_until(lambda: len(ends) > 1)
    shown = [text for result in found for text in (result.displayString, result.description, result.group)]
    assert shown and [text for text in shown if might_be_rich_text(text) and "<img" in text] == []
    browser.view.setModel(None)

"""Dialogs, rows, QGIS's browser and locator with hostile texts: none is read as markup or opens a file."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsLocatorContext,
    QgsLocatorResult,
    QgsProject,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QApplication, QComboBox, QWidget

from plugin.app.maps.offline_controller import SnapshotArea
from plugin.core.box import Box
from plugin.core.catalogues.detection import DetectedCatalogue
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.catalogues.source_list import dump_sources
from plugin.core.custommap.document import write_document
from plugin.core.custommap.foreign_maps import examine
from plugin.core.custommap.legend.tree import legend_tree
from plugin.core.custommap.model import (
    CustomMap,
    EntryLegend,
    LayerLegend,
    LayerPlan,
    MapEntry,
    OwnLayer,
    Plan,
    StoredCredit,
)
from plugin.core.errors import CartoguideError
from plugin.core.featureinfo.safe_html import sanitise_html
from plugin.core.health import HealthCheck, Probe, ProbeKind, Verdict
from plugin.core.records.model.record import Record
from plugin.core.request import Response
from plugin.core.review.checks.rules import Family, Finding, Severity
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Decision
from plugin.gis.catalogues.catalogue_list import CatalogueList
from plugin.gis.catalogues.federated_search import SearchState, SourceStatus
from plugin.gis.checks.batch_checks import BatchCheckResult
from plugin.gis.library.record_library import RecordLibrary
from plugin.gis.network.origin_settings import RedirectRisk
from plugin.gis.operations.operation_client import OperationResponse, ResponseKind
from plugin.gis.runtime import settings
from plugin.ui.catalogues.catalogue_panel import CataloguePanel
from plugin.ui.catalogues.catalogues_dialog import AddCatalogueDialog, CataloguesDialog, HarvestDialog
from plugin.ui.composer.layer_actions import CreditDialog, OwnLayerDialog
from plugin.ui.composer.map_series_dialog import MapSeriesDialog
from plugin.ui.composer.offline import SnapshotDefaults, SnapshotDialog
from plugin.ui.composer.page_actions import PolygonExtentDialog
from plugin.ui.credits.credit_audit_dialog import CreditAuditDialog
from plugin.ui.legend import LegendEditor
from plugin.ui.record.compare_view import CompareDialog
from plugin.ui.record.issues_dialog import IssuesDialog
from plugin.ui.service.operation_answer import OperationAnswerView
from plugin.ui.service_health_dialog import ServiceHealthDialog
from plugin.ui.settings.network_profile_field import NetworkProfileDialog
from plugin.ui.settings.settings_form import SettingsDialog
from plugin.ui.widgets.dialogs import ForeignMapDialog, OwnMapDialog
from plugin.ui.widgets.error_actions import LoginConsentDialog, LoginDialog, RedirectConsentDialog
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


def test_the_issues_of_records(qtbot, image, opened):
    text = hostile(image)
    result = BatchCheckResult()
    finding = Finding(text, text, Family.IDENTITY, Severity.ERROR, text, text, text, text, text, text)
    result.add(Record("iso19139", id=text, title=text, source=text), (finding,))
    dialog = IssuesDialog(result)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.tree.topLevelItemCount() == 1 and faults_of(dialog) == []


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
    dialog.tree.topLevelItem(0).setSelected(True)
    assert dialog.tree.topLevelItemCount() == 1 and faults_of(dialog) == []
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


class HostileLegend(QObject):
    """A legend all of whose texts are ``text``, as the editor sees it."""

    changed = pyqtSignal()
    names_fetched = pyqtSignal(object)
    is_edited = True
    is_fetching_names = False

    def __init__(self, text):
        super().__init__()
        plan = Plan("", "EPSG:25830", (LayerPlan(WmsSource("", "a", "", "", ""), text, service_title=text),
                                       LayerPlan(WmsSource("", "b", "", "", ""), text, service_title=text)),
                    legends=(EntryLegend({"es": f"{text}!"}, layers={"a": LayerLegend({"es": f"{text}!"}),
                                                                     "b": LayerLegend(heading={"es": text})}),))
        self.language, self.tree = text, lambda: legend_tree(replace(plan, language="es"))
        self.offered_names = lambda: {text: "spa"}
        self.classes_of = lambda _item: ((text, text), ("b", f"{text}!"))


def test_the_editor_of_a_legend(qtbot, image, opened):
    editor = LegendEditor(HostileLegend(hostile(image)))
    qtbot.addWidget(editor)
    editor.show()
    assert len(editor.tree.rows()) == 4
    faults = []
    classes = [one for row in editor.tree.rows() for one in editor.tree.class_rows(row)]
    assert len(classes) >= 4
    for row in [*editor.tree.rows(), *classes]:
        editor.tree.setCurrentItem(row)
        assert not might_be_rich_text(row.toolTip(0)) or "<img" not in row.toolTip(0)
        QApplication.processEvents()
        faults += [fault for fault in faults_of(editor) if not fault.startswith("direction")]
    assert faults == []


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


def test_dialogs_of_maps_networks_and_servers(qtbot, image, opened, library, hostile_network, project):
    text = hostile(image)
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830&field=name:string", text, "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttributes([text])
    feature.setGeometry(QgsGeometry.fromWkt("Polygon((0 0, 9 0, 9 9, 0 0))"))
    layer.dataProvider().addFeatures([feature])
    # QGIS's own lists of layers read names as HTML in their tooltips
    named = layer.clone()
    named.setName("Parcelas")
    named.dataProvider().addFeatures([feature])
    project.addMapLayer(named)

    def refuse(_options, _is_permitted):
        raise CartoguideError(text, text)

    records = [Record("iso19139", id=letter * 40, title=text, abstract=text) for letter in "ab"]
    defaults = SnapshotDefaults(dict.fromkeys(SnapshotArea, Box(0.0, 0.0, 10.0, 10.0)), (25000.0,), 96, image.parent)
    address, other = f"https://a.example/{text}", f"http://10.0.0.1/{text}"
    foreign = examine(CustomMap(text, own_layers=(
        OwnLayer("a", text, "vector", "ogr", f"{image.parent}/{text.replace('/', '-')}.gpkg"),
        OwnLayer("b", text, "vector", text, text))), image.parent, image.parent)
    dialogs = [
        SnapshotDialog(defaults, refuse), MapSeriesDialog([layer]), MapSeriesDialog(None, 25000.0),
        PolygonExtentDialog(project), OwnLayerDialog([]), CreditDialog(text, text),
        CompareDialog(records[0], records[1:]), NetworkProfileDialog(str(hostile_network)),
        SettingsDialog(None, library), LoginDialog(address),
        RedirectConsentDialog(address, other), RedirectConsentDialog(address, other, None, RedirectRisk.INTERNAL),
        LoginConsentDialog(address, other), ForeignMapDialog(text, foreign, print),
        OwnMapDialog(text, [text, text], print)]
    faults = []
    for dialog in dialogs:
        qtbot.addWidget(dialog)
        dialog.show()
        QApplication.processEvents()
        for combo in dialog.findChildren(QComboBox):
            combo.setCurrentIndex(combo.count() - 1)
        faults += [f"{type(dialog).__name__}: {fault}" for fault in faults_of(dialog)
                   # fields are for editing, Qt's lists draw what they are given as plain text, and QGIS writes tooltips
                   if not fault.startswith("direction") and "<b>Parcelas</b>" not in fault]
    assert faults == []
    project.removeAllMapLayers()


@pytest.mark.parametrize(("kind", "body"), [
    (ResponseKind.HTML, b"<p>{t}</p>"), (ResponseKind.TEXT, b"{t}"), (ResponseKind.XML, b"<a>{t}</a>")])
def test_answers_of_operations(qtbot, image, opened, kind, body):
    text = hostile(image)
    written = body.replace(b"{t}", (escape(text) if kind is ResponseKind.XML else text).encode())
    answer = OperationResponse(Response(200, {"content-type": "text/html"}, written, f"{ADDRESS}?{text}"), kind,
                               CartoguideError(text, text), html=sanitise_html(written.decode()))
    view = OperationAnswerView()
    qtbot.addWidget(view)
    view.show()
    view.show_answer(answer, [text], text)
    faults = faults_of(view)
    view.show_waiting(text)
    view.show_error(CartoguideError(text, text))
    assert [fault for fault in faults + faults_of(view) if not fault.startswith("direction: QPlainTextEdit")] == []


def test_no_dialog_is_missing():
    """The dialogs named here show the plugin's own texts, or names of the person's own templates."""
    own = {"AddressDialog", "AnimationDialog", "CentreScaleDialog", "FittedDialog", "GuideWindow", "PageWindow",
           "TemplateGallery"}
    tested = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_foreign_text_*.py"))
    sources = Path(__file__).resolve().parents[2] / "plugin"
    found = {name for path in sources.rglob("*.py")
             for name in re.findall(r"^class (\w+)\((?:\w*, *)*_?\w*Dialog\b", path.read_text("utf-8"), re.MULTILINE)}
    assert len(found) > 15
    assert sorted(name for name in found - own if not name.startswith("_") and f"{name}(" not in tested) == []

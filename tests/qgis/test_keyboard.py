"""Tab reaches every widget of the dock and of every dialog, and each has an accessible name."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from qgis.core import QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtTest import QTest

from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.core.records import read
from plugin.ui.catalogues.catalogues_dialog import AddCatalogueDialog, CataloguesDialog, HarvestDialog
from plugin.ui.composer.map_series_dialog import AnimationDialog, MapSeriesDialog
from plugin.ui.composer.page_actions import CentreScaleDialog, PolygonExtentDialog
from plugin.ui.credits.credit_audit_dialog import CreditAuditDialog
from plugin.ui.record.compare_view import CompareDialog
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from plugin.ui.service_health_dialog import ServiceHealthDialog
from plugin.ui.settings.network_profile_field import NetworkProfileDialog
from plugin.ui.settings.settings_form import SettingsDialog
from plugin.ui.widgets.dialogs import AddressDialog
from plugin.ui.widgets.error_actions import LoginConsentDialog, LoginDialog, RedirectConsentDialog
from plugin.ui.widgets.messages import DetailsDialog
from tests.qgis.keyboard import missed, out_of_order


@pytest.fixture
def ground(service_dock, repository, network):
    """A dock with a service that was read, a polygon layer and two records."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830&field=name:string", "Zones", "memory")
    QgsProject.instance().addMapLayer(layer)
    dock = service_dock("Mapa guía")
    records = [read(path.read_bytes())[0] for path in sorted((repository / "resources" / "records").glob("*.xml"))[:2]]
    return SimpleNamespace(dock=dock, shelf=dock.session.library, records=records, layer=layer, network=network,
                           source=Source("http://127.0.0.1:9/csw", SourceKind.CSW_2, "Red"))


DIALOGS = {
    "address": lambda at: AddressDialog(),
    "agree": lambda at: RedirectConsentDialog("https://a.test/", "http://a.test/"),
    "send login": lambda at: LoginConsentDialog("https://a.test/", "https://b.test/"),
    "audit": lambda at: CreditAuditDialog(at.shelf), "catalogue": lambda at: AddCatalogueDialog(),
    "catalogues": lambda at: CataloguesDialog(at.dock.list_page.catalogues.sources),
    "centre": lambda at: CentreScaleDialog(
        (-3.5, 38.4), 25000.0), "compare": lambda at: CompareDialog(at.records[0], at.records),
    "details": lambda at: DetailsDialog("It failed.", "HTTP 500"),
    "harvest": lambda at: HarvestDialog(at.source, CatalogueQuery(), lambda _query: False, at.dock),
    "health": lambda at: ServiceHealthDialog(at.shelf),
    "layers": lambda at: AddLayersDialog("Guide", at.dock.view.service.layers._service, "EPSG:25830"),
    "login": lambda at: LoginDialog("https://a.test/"),
    "network": lambda at: NetworkProfileDialog(str(at.network.profile_path)),
    "polygon": lambda at: PolygonExtentDialog(QgsProject.instance()),
    "scales": lambda at: MapSeriesDialog(None, 25000.0), "atlas": lambda at: MapSeriesDialog([at.layer]),
    "animation": lambda at: AnimationDialog(30),
    "grid": lambda at: MapSeriesDialog([], 25000.0, None, lambda _scale, _overlap: 4),
    "settings": lambda at: SettingsDialog(None, at.shelf),
}


def test_in_every_dialog(ground, qtbot):
    found = {}
    for name, make in DIALOGS.items():
        dialog = make(ground)
        dialog.show()
        qtbot.waitExposed(dialog)
        wrong = missed(dialog)
        if wrong:
            found[name] = wrong
        dialog.close()
        dialog.deleteLater()
    assert found == {}


def test_in_the_dock_on_every_tab_and_page(ground):
    dock, found = ground.dock, {}
    for number in range(dock.view.tabs.count()):
        dock.view.tabs.setCurrentIndex(number)
        wrong = missed(dock)
        if wrong:
            found[dock.view.tabs.tabText(number)] = wrong
    dock.view.tabs.setCurrentWidget(dock.view.service)
    for page in (1, 2):
        dock.view.service._show_page(page)
        wrong = missed(dock)
        if wrong:
            found[f"service page {page}"] = wrong
    pages = dock.view.service.buttons
    pages.checkedButton().setFocus()
    QTest.keyClick(pages.checkedButton(), Qt.Key.Key_Left)
    assert pages.checkedId() == 1, "arrow keys lead from page to page"
    dock.view.service._show_page(1)
    dock.view.service.operations.open_form("GetMap")
    wrong = missed(dock)
    if wrong:
        found["GetMap"] = wrong
    assert found == {}


def test_in_the_list_with_its_catalogues_and_in_the_custom_map(ground, wait_until):
    dock = ground.dock
    dock.view.add_bar.actions_by_name["base"].trigger()
    wait_until(lambda: len(dock.map.items) == 1, 40)
    dock.list_page.search_bar.catalogues.setChecked(True)
    dock.pages.focus_list()
    assert missed(dock) == []
    dock.compose_dock.open()
    dock.compose_dock.resize(400, 700)
    assert missed(dock.compose_dock) == []
    dock.compose_dock.setFloating(True)
    dock.compose_dock.resize(400, 900)
    assert out_of_order(dock.compose_dock) == []
    # what is made while the dock is open
    suggestions = dock.composer.suggestions
    wait_until(lambda: len(suggestions.buttons) == 2, 40)
    suggestions.buttons[0].click()
    wait_until(lambda: len(dock.composer.rows.rows) == 2 and len(suggestions.buttons) == 1, 40)
    dock.composer.findings.set_expanded(True)
    assert missed(dock.compose_dock) == []
    assert out_of_order(dock.compose_dock) == []

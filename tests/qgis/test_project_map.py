"""A project saved with a custom map shows it in the composer again, and requests only its layers."""

from __future__ import annotations

import pytest
from qgis.core import QgsProject

from plugin.app.maps.map_document import ExtentMode
from plugin.core.custommap.model import Orientation, PageSetup
from plugin.gis.layers import project_document
from tests.qgis.print_maps import PARK, composed
from tests.qgis.test_dock_map import both, dock, items  # noqa: F401 - fixtures


def test_a_saved_project_opens_with_its_map_in_the_composer(both, network, wait_until, tmp_path):  # noqa: F811
    actions, project = both.composer_controller, QgsProject.instance()
    actions.map.set_title("Parque a mano")
    actions.map.commit(page=PageSetup("A3", Orientation.PORTRAIT, "guide"))
    actions.extent.set_extent(PARK.box)
    actions.map.set_visible(1, False)
    actions.refresh_view()
    before = [(item.entry, item.role, dict(item.layer_ids)) for item in items(both)]
    path = tmp_path / "mapa.qgz"
    assert project.write(str(path))
    project.clear()
    wait_until(lambda: not items(both), 10)
    assert project.read(str(path))
    wait_until(lambda: len(items(both)) == 2, 20)
    assert [(item.entry, item.role, dict(item.layer_ids)) for item in items(both)] == before
    assert actions.map.title() == "Parque a mano"
    assert actions.map.chosen.page == PageSetup("A3", Orientation.PORTRAIT, "guide")
    assert actions.extent.mode == ExtentMode.CUSTOM and actions.map.chosen.extent == PARK
    assert len(both.composer.rows.rows) == 2 and not both.composer.undo.isEnabled()
    wait_until(lambda: len([layer for layer in actions.map.mirror.qgis_layers(actions.map.plan()) if layer]) > 2, 30)
    actions.map.remove(1)
    actions.refresh_view()
    assert len(items(both)) == 1 and project_document.read_stored_map(project).document.overlays == ()


def test_a_map_made_without_the_window_keeps_its_document_and_a_spoilt_one_is_left_alone(project, network):
    composed(network, project, title="Hecho a mano")
    kept = project_document.read_stored_map(project)
    assert kept.document.title == "Hecho a mano" and [sorted(ids) for ids in kept.layer_ids] == [
        ["carreteras", "limite_parque"], ["centros_visitantes", "miradores"]]
    group = project.layerTreeRoot().findGroups()[0]
    for spoilt in ("{", "[]", '{"format": "other"}', 7):
        group.setCustomProperty(project_document.DOCUMENT_PROPERTY, spoilt)
        assert project_document.read_stored_map(project) is None


@pytest.fixture(autouse=True)
def no_map_left(project):
    yield
    project.clear()

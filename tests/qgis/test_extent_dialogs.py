"""The dialogs for the map's extent, with QGIS's own widgets for a layer and for a scale."""

from __future__ import annotations

import pytest
from qgis.core import QgsFeature, QgsGeometry, QgsProject, QgsRectangle, QgsVectorLayer

from plugin.gis.export.atlas import polygon_layers
from plugin.gis.layouts import locator_map
from plugin.ui.composer.page_actions import CentreScaleDialog, PolygonExtentDialog


@pytest.fixture
def parks(qgis_new_project):
    layer = QgsVectorLayer("Polygon?crs=EPSG:4326&field=name:string", "Parks", "memory")
    feature = QgsFeature(layer.fields())
    feature.setAttribute("name", "Despeñaperros")
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(-3.6, 38.3, -3.4, 38.5)))
    layer.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayers([layer, QgsVectorLayer("Point?crs=EPSG:4326", "Springs", "memory")])
    return layer


def test_a_centre_is_taken_with_the_scale_of_qgis_own_widget(qtbot):
    dialog = CentreScaleDialog((-3.51, 38.38), 25000.0)
    qtbot.addWidget(dialog)
    assert dialog.scale.scale() == pytest.approx(25000)
    dialog.scale.setScale(12500)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.apply_button.click()
    assert chosen.args[0] == (-3.51, 38.38) and chosen.args[1] == pytest.approx(12500)


def test_a_scale_out_of_range_cannot_be_applied(qtbot):
    dialog = CentreScaleDialog((-3.51, 38.38), 25000.0)
    qtbot.addWidget(dialog)
    dialog.scale.setScale(20)
    assert not dialog.apply_button.isEnabled() and "38.38" in dialog.hint_label.text()


def test_only_polygon_layers_are_offered_and_new_ones_appear(parks, qtbot):
    # in the project once a layout was made, and seen nowhere
    locator_map._outline_layer(QgsProject.instance(), "land", "land.geojson", "")
    assert polygon_layers(QgsProject.instance()) == [parks]
    dialog = PolygonExtentDialog(QgsProject.instance())
    qtbot.addWidget(dialog)
    assert [dialog.layer.itemText(row) for row in range(dialog.layer.count())] == ["Parks"]
    assert dialog.feature.count() == 2 and dialog.apply_button.isEnabled()
    QgsProject.instance().addMapLayer(QgsVectorLayer("Polygon?crs=EPSG:4326", "Sheets", "memory"))
    assert dialog.layer.count() == 2
    dialog.feature.setCurrentIndex(1)
    with qtbot.waitSignal(dialog.chosen) as chosen:
        dialog.apply_button.click()
    extent = chosen.args[0]
    assert extent.west < -3.6 and extent.north > 38.5


def test_a_project_without_polygons_gets_a_hint(qgis_new_project, qtbot):
    dialog = PolygonExtentDialog(QgsProject.instance())
    qtbot.addWidget(dialog)
    assert not dialog.apply_button.isEnabled() and "polygon" in dialog.hint_label.text()


def test_a_project_that_is_cleared_takes_its_layers_out_of_an_open_dialog(project, qtbot):
    layer = QgsVectorLayer("Polygon?crs=EPSG:4326", "Parks", "memory")
    project.addMapLayer(layer)
    dialog = PolygonExtentDialog(project)
    qtbot.addWidget(dialog)
    assert dialog.layer.currentLayer() is layer
    del layer
    project.clear()
    assert dialog.layer.currentLayer() is None and "no polygon layer" in dialog.hint_label.text()

"""The legends in the rows of the custom map: opened by the person, from what is known, else requested then."""

from __future__ import annotations

from qgis.core import QgsVectorLayer
from qgis.PyQt.QtCore import Qt

from plugin.gis.legends.legend_store import LegendStore
from tests.qgis.test_page_preview import composer, whole  # noqa: F401


def opened(dock, qtbot, wait_until):
    """Open the legend of the only row by keyboard, and return the row's view once it is complete."""
    wait_until(lambda: len(dock.composer.rows.rows) == 1)
    row = dock.composer.rows.rows[0]
    row.legend_button.setFocus()
    qtbot.keyClick(row.legend_button, Qt.Key.Key_Space)
    assert row.legend.isVisible()
    wait_until(lambda: any("…" not in text for text in dock.composer.rows.rows[0].legend.texts), 30)
    return dock.composer.rows.rows[0].legend


def test_the_legend_that_the_page_has_is_shown_without_a_request(composer, network, qtbot, wait_until):  # noqa: F811
    whole(composer, wait_until)
    network.reset()
    view = opened(composer, qtbot, wait_until)
    assert network.count("GetLegendGraphic") == 0 and network.count("GetStyles") == 0
    assert len(view.texts) >= 2 and all(text.strip() for text in view.texts)
    assert view.accessibleName().startswith("Legend: ") and view.texts[0] in view.accessibleName()
    texts = view.texts
    # rows that are made anew stay open
    composer.map.set_visible(0, False)
    composer.composer_controller.refresh_view()
    row = composer.composer.rows.rows[0]
    assert row.legend_button.isChecked() and row.legend.texts == texts
    qtbot.mouseClick(row.legend_button, Qt.MouseButton.LeftButton)
    assert not row.legend.isVisible()


def test_nothing_is_requested_before_the_row_is_opened(composer, network, qtbot, wait_until):  # noqa: F811
    controller = composer.composer_controller
    # as while the page's section is folded, so that its legends are not known
    composer.composer.page_section.heading.setChecked(False)
    wait_until(lambda: not controller.page.preview.is_drawing)
    controller.page.preview.legends = LegendStore()
    network.reset()
    controller.refresh_view()
    assert controller.layers.legends.legend(composer.map.stack[0]).layers == ()
    assert network.count("GetLegendGraphic") == 0 and network.count("GetStyles") == 0
    view = opened(composer, qtbot, wait_until)
    assert network.count("GetStyles") + network.count("GetLegendGraphic") > 0
    assert len(view.texts) >= 2 and "There is no legend." not in view.texts
    composer.composer.page_section.heading.setChecked(True)


def test_a_legend_that_fails_is_said_and_not_requested_again(composer, network, wait_until):  # noqa: F811
    controller = composer.composer_controller
    whole(composer, wait_until)
    wait_until(lambda: len(composer.composer.rows.rows) == 1)
    row = composer.composer.rows.rows[0]
    controller.page.preview.legends = LegendStore()
    network.fault({"match": {"request": "GetLegendGraphic"}, "action": {"type": "status", "code": 500}})
    row.legend_button.setChecked(True)
    wait_until(lambda: any("is missing: 127.0.0.1" in text for text in row.legend.texts), 60)
    network.reset()
    row.legend_button.setChecked(False)
    row.legend_button.setChecked(True)
    assert any("status 500" in text for text in row.legend.texts) and network.count("GetLegendGraphic") == 0


def test_an_own_layer_has_the_symbols_of_its_style(composer, wait_until):  # noqa: F811
    layer = QgsVectorLayer("Point?crs=EPSG:25830&field=name:string", "Viewpoints", "memory")
    composer.map.project.addMapLayer(layer)
    composer.map.add_own_layer(layer)
    wait_until(lambda: len(composer.map.stack) == 2)
    composer.composer_controller.refresh_view()
    row = composer.composer.rows.rows[0]
    row.legend_button.setChecked(True)
    assert row.legend.texts == ["Viewpoints"]

"""Blending modes of a custom map: from the row's menu and QGIS's styling to the pixels of the written page."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import pytest
from qgis.core import QgsNetworkAccessManager, QgsProject
from qgis.PyQt.QtGui import QImage, QPainter

from plugin.app.maps.map_state import AddMode
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.map_findings import MapFinding, Severity, covering_remedies
from plugin.core.custommap.model import BlendMode
from plugin.gis.export import layout_export
from plugin.gis.layers import blend_modes
from plugin.gis.layouts import layout_items
from plugin.gis.pixels.plan import plan_page
from plugin.ui.widgets.drag_and_drop import layers_drag_text
from tests.qgis.print_maps import addresses, composed, pdf_text, pixels, small_map
from tests.qgis.test_dock_map import added, dock  # noqa: F401
from tests.qgis.test_page_preview import composer  # noqa: F401

DPI = 72


def blended(network, mode):
    made = small_map(network)
    return {"overlays": (replace(made.overlays[0], blend=mode),)}


def map_pixels(page, made, dpi=DPI):
    item = layout_items.main_map(made.layout)
    box, scale = item.mapRectToScene(item.rect()), dpi / 25.4
    image = QImage(str(page)).copy(round(box.x() * scale), round(box.y() * scale), round(box.width() * scale),
                                   round(box.height() * scale))
    return pixels(image)[:, :, :3].astype(int)


def test_numbers_in_styles_are_qgis_s():
    from qgis.core import QgsPainting

    for number, painted in enumerate(blend_modes._PAINTED.values()):
        assert QgsPainting.getCompositionMode(QgsPainting.BlendMode(number)) == painted
    assert len(blend_modes._PAINTED) == len(BlendMode)


def test_a_mode_is_stored_only_where_it_is_not_the_normal_one_and_an_unknown_one_is_normal(network):
    document = small_map(network)
    assert b'"blend"' not in write_document(document)
    written = write_document(replace(document, **blended(network, BlendMode.MULTIPLY)))
    assert written.count(b'"blend": "multiply"') == 1
    assert read_document(written).overlays[0].blend is BlendMode.MULTIPLY
    assert read_document(written.replace(b'"multiply"', b'"colour_of_2040"')).overlays[0].blend is BlendMode.NORMAL


@pytest.mark.slow
def test_the_written_page_mixes_the_colours_and_its_credits_stay_text(network, project, tmp_path):
    made = composed(network, project)
    layout_export.export_png(made.layout, tmp_path / "plain.png", DPI)
    plain = map_pixels(tmp_path / "plain.png", made)
    project.clear()
    made = composed(network, project, **blended(network, BlendMode.MULTIPLY))
    modes = [layer.blendMode() for layer in made.layers]
    assert modes.count(QPainter.CompositionMode.CompositionMode_Multiply) == 2, "both layers of the service"
    layout_export.export_png(made.layout, tmp_path / "mixed.png", DPI)
    mixed = map_pixels(tmp_path / "mixed.png", made)
    changed = abs(plain - mixed).max(axis=2) > 12
    darker = changed & (mixed.sum(axis=2) < plain.sum(axis=2))
    assert darker.sum() > 20 and darker.sum() > 0.9 * changed.sum(), "multiplied colours are darker"

    layout_export.export_pdf(made.layout, tmp_path / "mixed.pdf", DPI)
    text = pdf_text(tmp_path / "mixed.pdf")
    for layer in made.plan.layers:
        assert all(" ".join(line.split())[:40] in text for line in layer.rights)
    told = subprocess.run(["pdfinfo", "-struct-text", str(tmp_path / "mixed.pdf")], capture_output=True, check=True)
    assert b"H1 (block)" in told.stdout and not told.stderr
    assert "Tagged:          yes" in subprocess.run(["pdfinfo", str(tmp_path / "mixed.pdf")], capture_output=True,
                                                    check=True, text=True).stdout


def test_the_requests_of_a_page_with_mixed_colours_are_known(network, project, tmp_path):
    made = composed(network, project, **blended(network, BlendMode.MULTIPLY))
    for suffix in ("png", "pdf"):
        network.reset()
        expected = addresses(plan_page(made.layout, 130, suffix == "png"))
        assert network.count("GetMap") == 0
        QgsNetworkAccessManager.instance().cache().clear()
        done = getattr(layout_export, f"export_{suffix}")(made.layout, tmp_path / f"map.{suffix}", 130)
        assert done.attempts == 1
        assert network.count("GetMap") == len(expected) == 4


def test_the_row_s_menu_changes_the_layers_and_undo_brings_the_mode_back(composer, wait_until):  # noqa: F811
    maps, actions = composer.map, composer.composer_controller
    actions.refresh_view()
    row, = actions.composer.rows.rows
    entries = {action.text(): action for menu in (one.menu() for one in row.menu_button.menu().actions()) if menu
               for action in menu.actions()}
    assert entries["Normal"].isChecked() and not entries["Multiply"].isChecked()
    entries["Multiply"].trigger()
    assert maps.document().base.blend is BlendMode.MULTIPLY
    layers = [QgsProject.instance().mapLayer(layer_id) for layer_id in maps.items[0].layer_ids.values()]
    assert {blend_modes.blend_of(layer) for layer in layers} == {BlendMode.MULTIPLY}
    assert "blending mode" in actions.map.custom_map.history.undo_label
    actions.map.undo()
    assert {blend_modes.blend_of(layer) for layer in layers} == {BlendMode.NORMAL}

    layers[0].setBlendMode(QPainter.CompositionMode.CompositionMode_Screen)
    wait_until(lambda: maps.document().base.blend is BlendMode.SCREEN)
    assert {blend_modes.blend_of(layer) for layer in layers} == {BlendMode.SCREEN}, "one mode for the service"


def test_the_picture_of_the_page_is_drawn_anew_with_another_mode(composer, wait_until):  # noqa: F811
    from tests.qgis.test_page_preview import whole

    first = whole(composer, wait_until)
    composer.map.set_blend(0, BlendMode.DIFFERENCE)
    wait_until(lambda: composer.composer_controller.page.preview.picture is not first, 60)
    assert whole(composer, wait_until).image != first.image


def test_rain_lets_the_base_through_whichever_way_it_is_added(dock, wait_until, network):  # noqa: F811
    added(dock, wait_until, "Despe", AddMode.AS_BASE, 1)
    added(dock, wait_until, "quipam", AddMode.ADD, 2)
    endpoint, day = network.endpoints["precipitation"], "precipitacion_20160604"

    def link():
        dock.session.open_text(f"{endpoint}service=WMS&request=GetMap&layers={day}")
        wait_until(lambda: not dock.session.loading)
        added(dock, wait_until, "recipit", AddMode.ADD, 3)

    for way in (lambda: added(dock, wait_until, "recipit", AddMode.AS_OVERLAY, 3),
                lambda: dock.add_dropped(layers_drag_text(endpoint, [day])), link):
        way()
        wait_until(lambda: len(dock.map.items) == 3 and not dock.map.adding, 60)
        assert day in dock.map.items[1].entry.layers, "below the points"
        assert [item.entry.blend.value for item in dock.map.items] == ["normal", "multiply", "normal"]
        dock.map.undo()
        wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding)


@pytest.mark.parametrize("order", ["Despe quipam recipit", "recipit Despe quipam"])
def test_rain_lies_below_the_points_and_lets_the_base_through(dock, wait_until, order):  # noqa: F811
    for count, word in enumerate(order.split(), 1):
        added(dock, wait_until, word, AddMode.AS_BASE if word == "Despe" else AddMode.ADD, count)
    dock.composer_controller.refresh_view()
    assert [word for title in (row.state.title for row in dock.composer.rows.rows) for word in order.split()
            if word in title] == ["quipam", "recipit", "Despe"], "topmost first"
    rain = dock.map.items[1]
    assert {blend_modes.blend_of(layer) for layer in dock.map.mirror.valid_layers(rain)} == {BlendMode.MULTIPLY}
    assert all(item.entry.blend is BlendMode.NORMAL for item in dock.map.items if item is not rain)
    dock.map.set_blend(1, BlendMode.NORMAL)
    added(dock, wait_until, "Despe", AddMode.AS_BASE, 3)
    assert rain.entry.blend is BlendMode.NORMAL, "the person has chosen it"
    blend, below, _opacity = covering_remedies(can_move=True)
    for remedy, entry_index in ((below, 2), (blend, 2)):
        dock.composer_controller.preflight.apply_remedy(
            MapFinding("covering", Severity.WARNING, "", "", entry_index=entry_index, remedy=remedy))
    assert dock.map.stack[2] is rain, "the points are moved below the rain"
    assert rain.entry.blend is BlendMode.MULTIPLY

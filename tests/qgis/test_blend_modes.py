"""Blending modes of a custom map: from the row's menu and QGIS's styling to the pixels of the written page."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import numpy
import pytest
from qgis.core import QgsMapRendererSequentialJob, QgsMapSettings, QgsNetworkAccessManager, QgsProject
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QImage, QPainter

from plugin.app.maps.map_state import AddMode
from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.map_findings import MapFinding, Severity, covering_remedies
from plugin.core.custommap.model import BlendMode, CustomMap, MapExtent, PageSetup
from plugin.core.custommap.time_selection import SERIES_OPACITY, with_blended_series
from plugin.core.terms import terms_for
from plugin.gis.export import layout_export
from plugin.gis.layers import blend_modes
from plugin.gis.layouts import layout_items
from plugin.gis.pixels.plan import plan_page
from plugin.ui.widgets.drag_and_drop import layers_drag_text
from tests.qgis.print_maps import addresses, composed, entry_of, known_records, pdf_text, pixels, small_map
from tests.qgis.test_dock_map import added, dock  # noqa: F401
from tests.qgis.test_page_preview import composer  # noqa: F401

DPI = 72
MOMENT = "2016-06-16"


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


def painted_map(network, project, path, base, day, **rain):
    """The map's pixels on a page with a day of rain, those of its legend, and the layout.

    With its QR code the map is of one size, however much the foot has to say.
    """
    known = known_records(network)
    record = known[network.endpoints["precipitation"]]
    entry = entry_from_record(record, terms_for(record), (f"precipitacion_201606{day}",), moment=MOMENT)
    blended = with_blended_series(CustomMap(
        base=entry_of(known[network.endpoints["guide"]], base) if base else None, overlays=(entry,)))
    made = composed(network, project, base=blended.base, overlays=(replace(blended.overlays[0], **rain),),
                    extent=MapExtent(-3.64, 38.29, -3.36, 38.39), page=PageSetup(link="https://example.org/"))
    done = layout_export.export_png(made.layout, path, DPI)
    legend, scale = made.layout.itemById("legend"), DPI / 25.4
    box = legend.sceneBoundingRect()
    frame = QImage(str(path)).copy(*(round(one * scale) for one in (box.x(), box.y(), box.width(), box.height())))
    return map_pixels(path, made), pixels(frame)[:, :, :3].astype(int), made, done


def legend_colours(made):
    """The colours of the classes of rain as the legend has them on white paper."""
    layer = next(layer for layer in made.layers if "precipitacion" in layer.source())
    colours = [one.image.pixelColor(one.image.rect().center()) for one in layer.legend().swatches]
    return [[round(255 - (255 - part) * colour.alphaF()) for part in (colour.blue(), colour.green(), colour.red())]
            for colour in colours if colour.alpha() and colour.name() != "#ffffff"]


def nearest(page, colours):
    """The number of the class of each pixel, and its distance to that class's colour."""
    distance = abs(page[:, :, None, :] - numpy.array(colours)[None, None]).max(axis=3)
    return distance.argmin(axis=2), distance.min(axis=2)


@pytest.mark.slow
def test_a_series_above_a_base_has_the_colours_of_its_legend_on_the_written_page(network, project, tmp_path):
    alone, _legend, made, _done = painted_map(network, project, tmp_path / "alone.png", (), "16")
    classes, far = nearest(alone, legend_colours(made))
    is_rain = far <= 8
    assert is_rain.mean() > 0.8 and len(numpy.unique(classes[is_rain])) >= 3
    project.clear()
    page, legend, made, done = painted_map(network, project, tmp_path / "page.png", ("relieve", "carreteras"), "16")
    colours = legend_colours(made)
    # a few pixels between two classes have the colour of a third
    numbers, counts = numpy.unique(classes[is_rain], return_counts=True)
    for number in numbers[counts > 0.005 * is_rain.sum()]:
        assert (abs(legend - numpy.array(colours[number])).max(axis=2) <= 3).sum() >= 8, "the legend is as pale"
    found, far = nearest(page, colours)
    assert (found == classes)[is_rain].mean() > 0.85, "each place has the class of its rain"
    assert numpy.percentile(far[is_rain], 80) <= 12
    assert len(numpy.unique(page[is_rain].reshape(-1, 3), axis=0)) > 50, "relief is seen through it"
    assert not [remark for remark in done.remarks if remark.rule in ("opaque", "covering")]
    item = layout_items.main_map(made.layout)
    settings = QgsMapSettings()
    settings.setLayers(item.layers())
    settings.setDestinationCrs(item.crs())
    settings.setExtent(item.extent())
    settings.setOutputSize(QSize(page.shape[1], page.shape[0]))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    canvas = pixels(job.renderedImage())[:, :, :3].astype(int)
    assert numpy.percentile(abs(canvas - page).max(axis=2), 80) <= 6, "the canvas shows what is printed"
    titles = {node.layer().name() for node in made.layout.itemById("legend").model().rootGroup().findLayers()}
    assert "Relieve y cubierta vegetal" not in titles and "Carreteras" in titles, "heights have no colours"


@pytest.mark.slow
def test_the_legend_of_a_base_of_one_layer_is_as_grey_as_the_base(network, project, tmp_path):
    page, legend, made, _done = painted_map(network, project, tmp_path / "page.png", ("relieve",), "05")
    titles = {node.layer().name() for node in made.layout.itemById("legend").model().rootGroup().findLayers()}
    assert "Relieve y cubierta vegetal" in titles
    for shown in (page, legend):
        saturation = shown.max(axis=2) - shown.min(axis=2)
        assert ((saturation > 8) & (shown.min(axis=2) > 90)).mean() < 0.01, "classes of heights are grey too"


def test_a_series_that_is_not_multiplied_is_said_to_hide_the_base(network, project, tmp_path):
    *_, done = painted_map(network, project, tmp_path / "page.png", ("relieve", "carreteras"), "16",
                           blend=BlendMode.NORMAL, opacity=1.0)
    assert [remark.rule for remark in done.remarks if remark.remedy] == ["covering"]


def test_the_base_below_rain_is_pale_on_the_canvas_while_the_rain_is_seen(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "Despe", AddMode.AS_BASE, 1)
    base, = dock.map.items
    ground = dock.map.mirror.layer(base.layer_ids["relieve"])
    others = [layer for layer in dock.map.mirror.valid_layers(base) if layer is not ground]
    assert not blend_modes.is_pale(ground)
    added(dock, wait_until, "recipit", AddMode.ADD, 2)
    assert blend_modes.is_pale(ground) and not any(map(blend_modes.is_pale, others)) and len(others) > 5
    assert dock.map.items[1].entry.opacity == SERIES_OPACITY
    for change in (lambda on: dock.map.set_blend(1, BlendMode.MULTIPLY if on else BlendMode.NORMAL),
                   lambda on: dock.map.set_visible(1, on)):
        change(False)
        assert not blend_modes.is_pale(ground)
        change(True)
        assert blend_modes.is_pale(ground)
    dock.composer.findings.set_expanded(True)
    wait_until(lambda: any(row.finding.rule == "pale-ground" for row in dock.composer.findings.rows))
    ground.brightnessFilter().setBrightness(20)
    dock.map.set_visible(1, False)
    assert ground.brightnessFilter().brightness() == 20, "what a person has chosen is left alone"
    dock.map.set_visible(1, True)
    wait_until(lambda: not any(row.finding.rule == "pale-ground" for row in dock.composer.findings.rows))
    assert "Relieve y cubierta vegetal" in [layer.title for layer in dock.map.plan().layers if layer.in_legend]


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

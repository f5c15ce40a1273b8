"""Symbols and labels of services on papers read from afar: larger, with the legend's rules, and not mixed up."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.core import (
    QgsExpressionContextUtils,
    QgsPalLayerSettings,
    QgsTextFormat,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor, QImage
from qgis.PyQt.QtXml import QDomDocument

from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.symbol_size import layer_factors, symbol_factor
from plugin.gis.layouts.text_fitting import FACTOR_VARIABLE
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pixels.plan import plan_page
from plugin.gis.previews.map_images import MapImages
from tests.qgis.print_maps import composed, entry_of, known_records, pixels
from tests.qgis.test_own_layers import own_points

DPI = 48
#: the ground of the viewpoints' symbols
VIEWPOINT = QColor("#b5612a")


def page(paper, template="guide", theme="standard"):
    return PageSetup(paper, Orientation.LANDSCAPE, template, theme=theme)


def without_enlargement(layout):
    QgsExpressionContextUtils.setLayoutVariable(layout, FACTOR_VARIABLE, "1")


def resolutions(network):
    return {seen["parameters"]["DPI"] for seen in network.requests if seen["request"] == "GetMap"}


def symbol_pixels(layout, path):
    layout_export.export_png(layout, path, DPI)
    blue_green_red = [VIEWPOINT.blue(), VIEWPOINT.green(), VIEWPOINT.red()]
    return int((abs(pixels(QImage(str(path)))[..., :3].astype(int) - blue_green_red) < 25).all(axis=2).sum())


@pytest.mark.slow
def test_symbols_of_a_wall_map_are_as_much_larger_as_its_type(network, project, tmp_path):
    made = composed(network, project, page=page("A1"), guide=("limite_parque",), facilities=("miradores",))
    network.reset()
    large = symbol_pixels(made.layout, tmp_path / "large.png")
    assert resolutions(network) == {str(2 * DPI)}
    without_enlargement(made.layout)
    network.reset()
    small = symbol_pixels(made.layout, tmp_path / "small.png")
    assert resolutions(network) == {str(DPI)}, "an image with larger symbols is not used for one without"
    assert large > 2.5 * small > 0
    network.reset()
    assert symbol_pixels(made.layout, tmp_path / "again.png") == small and network.count("GetMap") == 0


def test_the_legend_has_the_rules_that_the_service_draws_then(network, project):
    for paper, factor in (("A4", 1), ("A1", 2)):
        network.reset()
        made = composed(network, project, page=page(paper), scale=25_000.0)
        scales = {float(seen["parameters"]["SCALE"]) for seen in network.requests
                  if seen["request"] == "GetLegendGraphic" and "SCALE" in seen["parameters"]}
        assert scales == {25_000.0 * factor}
        project.clear()
        del made


def test_a_layer_does_not_vanish_at_the_scale_that_its_service_draws_for(network, project):
    made = composed(network, project, page=page("A1"), scale=25_000.0)
    item = layout_items.main_map(made.layout)
    layer = next(layer for layer in made.layers if "arreteras" in layer.name())
    assert layer_factors(made.layout, item, [layer])[layer.id()] == 2.0
    layer.setScaleBasedVisibility(True)
    layer.setMinimumScale(40_000)
    factor = layer_factors(made.layout, item, [layer])[layer.id()]
    assert factor > 1.5 and item.scale() * factor < 40_000
    sent = {request.layer_id: request.pieces[0].url for request in plan_page(made.layout, DPI)}
    assert f"DPI={round(DPI * factor)}&" in sent[layer.id()]


@pytest.mark.parametrize(("paper", "template", "theme", "factor"), [
    ("A4", "guide", "standard", 1.0), ("A3", "field", "standard", 1.2)])
def test_symbols_follow_the_papers_type(network, project, paper, template, theme, factor):
    made = composed(network, project, page=page(paper, template, theme))
    assert symbol_factor(made.layout) == pytest.approx(factor)
    item = layout_items.main_map(made.layout)
    inset = made.layout.itemById(layout_items.INSET)
    if inset is not None:
        assert set(layer_factors(made.layout, inset, made.layers).values()) == {1.0}
    points = QgsVectorLayer("Point?crs=EPSG:4326", "Puntos", "memory")
    assert layer_factors(made.layout, item, [points, *made.layers]) == pytest.approx(
        dict.fromkeys((layer.id() for layer in (points, *made.layers)), factor))


def labelled_points(folder, size):
    """A red square whose name is written in blue to the right of it."""
    layer = own_points(folder, size=size)
    labels, text = QgsPalLayerSettings(), QgsTextFormat()
    labels.fieldName, labels.isExpression = "'HHHH'", True
    labels.dist = size
    text.setSize(12)
    text.setColor(QColor("blue"))
    labels.setFormat(text)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(labels))
    layer.setLabelsEnabled(True)
    return layer


def inked(image, colour, tolerance=40):
    """Which pixels are of a colour, and with more tolerance the pale edges of letters too."""
    blue_green_red = [colour.blue(), colour.green(), colour.red()]
    return (abs(pixels(image)[..., :3].astype(int) - blue_green_red) < tolerance).all(axis=2)


@pytest.mark.parametrize("is_edited", [False, True])
def test_own_layers_of_a_wall_map_are_as_much_larger_and_stay_as_they_are(network, project, tmp_path, is_edited):
    own = labelled_points(tmp_path, 8)
    project.addMapLayer(own)
    made = composed(network, project, page=page("A1"), guide=("limite_parque",), facilities=("miradores",),
                    own_layers=(refer_to(own),))
    # a layer with unsaved edits is drawn itself, of the others a copy
    assert not is_edited or own.startEditing()
    document = QDomDocument()
    own.exportNamedStyle(document)
    image = MapImages(False).find_or_draw(layout_items.main_map(made.layout), DPI, 841.0)
    image.job.waitForFinished()
    seen, found = int(inked(image.job.renderedImage(), QColor("red")).sum()), []
    for name in ("large", "small"):
        layout_export.export_png(made.layout, tmp_path / f"{name}.png", DPI)
        page_image = QImage(str(tmp_path / f"{name}.png"))
        symbol = inked(page_image, QColor("red"))
        letters = inked(page_image, QColor("blue"), 100).any(axis=1).nonzero()[0]
        edge = round(0.87 * symbol.shape[1])
        found.append((int(symbol[:, :edge].sum()), int(symbol[:, edge:].sum()), letters[-1] - letters[0] + 1))
        without_enlargement(made.layout)
    (large, in_legend, height), (small, small_in_legend, small_height) = found
    assert large == pytest.approx(4 * small, rel=0.15)
    assert height == pytest.approx(2 * small_height, abs=2) and small_height > 3
    assert in_legend == small_in_legend > 0, "the legend is as large as its place on the paper"
    assert seen == pytest.approx(large, rel=0.15), "the picture of the page shows them as they print"
    after = QDomDocument()
    own.exportNamedStyle(after)
    assert after.toString() == document.toString()


def test_the_legend_shows_symbols_of_own_layers_as_large_as_the_map_of_a_wall_map(network, project, tmp_path):
    own = labelled_points(tmp_path, 5)
    project.addMapLayer(own)
    made = composed(network, project, page=page("A1"), guide=("limite_parque",), facilities=("miradores",),
                    own_layers=(refer_to(own),))
    layout_export.export_png(made.layout, tmp_path / "page.png", DPI)
    symbol = inked(QImage(str(tmp_path / "page.png")), QColor("red"))
    edge = round(0.87 * symbol.shape[1])
    rows = symbol[:, edge:].any(axis=1).nonzero()[0]
    assert rows[-1] - rows[0] + 1 == pytest.approx(2 * 5 / 25.4 * DPI, abs=1.5)


@pytest.mark.slow
def test_a_series_is_drawn_as_before(network, project):
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]], ["precipitacion_20160601", "precipitacion_20160602"])
    made = composed(network, project, base=None, overlays=(days,), extent=MapExtent(-7.5, 36.0, -1.66, 38.73),
                    page=replace(page("A3"), template="multiples"))
    assert symbol_factor(made.layout) == 1.0

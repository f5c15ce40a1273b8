"""A page at the limit of a layer's scales: picture, legend, issues and notes agree, whatever the pixels are rounded to.

QGIS draws a map at the scale of its pixels, which is up to a thousandth from that of the page.
"""

from __future__ import annotations

import itertools
import json

import numpy
import pytest
from qgis.core import (
    QgsFeature,
    QgsFillSymbol,
    QgsGeometry,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsMapLayerStyle,
    QgsMapThemeCollection,
    QgsPointXY,
    QgsPrintLayout,
    QgsProperty,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QImage

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.terms.model import Decision
from plugin.gis.credits.layer_credits import layers_drawn_by
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages.completeness_checks import missing_credits, missing_services
from plugin.gis.previews.map_images import MapImages
from tests.pairwise import ALL, pairwise
from tests.qgis.map_windows import wms
from tests.qgis.print_maps import composed, pdf_text, pixels, small_map

LIMIT = 120_000.0
CENTRE = (-3.51, 38.38)
#: the same scale with other last digits
NEARLY = (LIMIT, LIMIT * (1 - 2e-16), LIMIT * (1 + 2e-16), LIMIT - 1e-8, LIMIT + 1e-8)


def red_area(largest, smallest):
    """A layer that covers the map, drawn from one scale to the other."""
    layer = QgsVectorLayer("Polygon?crs=EPSG:25830", "Zona roja", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(300_000, 4_100_000, 600_000, 4_400_000)))
    layer.dataProvider().addFeature(feature)
    layer.setRenderer(QgsSingleSymbolRenderer(QgsFillSymbol.createSimple({"color": "255,0,0", "outline_style": "no"})))
    layer.setScaleBasedVisibility(True)
    layer.setMaximumScale(largest)
    layer.setMinimumScale(smallest)
    set_credit(layer, "© Ana")
    return layer


def red_share(path, layout):
    """The share of the map's middle on the page that is red."""
    picture = pixels(QImage(str(path)))[..., :3].astype(int)
    item, page = layout.itemById(layout_items.MAP), layout.pageCollection().page(0).pageSize()
    unit, corner = picture.shape[1] / page.width(), item.pagePos()
    middle = picture[round((corner.y() + item.rect().height() * 0.4) * unit):
                     round((corner.y() + item.rect().height() * 0.6) * unit),
                     round((corner.x() + item.rect().width() * 0.4) * unit):
                     round((corner.x() + item.rect().width() * 0.6) * unit)]
    return float(numpy.mean((middle[..., 2] > 200) & (middle[..., 1] < 90)))


@pytest.mark.parametrize("paper, orientation, dpi, scale, side", pairwise(itertools.product(
    ["A4", "A3"], list(Orientation), [72, 96, 137], NEARLY[:5 if ALL else 3], ["from", "to"]), columns=1))
def test_an_own_layer_is_drawn_from_its_limit_on_and_not_at_the_other(network, project, tmp_path, paper, orientation,
                                                                      dpi, scale, side):
    layer = red_area(LIMIT, 0) if side == "from" else red_area(0, LIMIT)
    project.addMapLayer(layer)
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),), extent=None, centre=CENTRE,
                    scale=scale, page=PageSetup(paper, orientation), facilities=("centros_visitantes",))
    layout_export.export_layouts(made.layout, tmp_path / "map.png", "png", ExportOptions(dpi))
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", dpi)
    drawn = red_share(tmp_path / "map.png", made.layout) > 0.5
    assert drawn == (side == "from"), "QGIS includes its maximum scale and excludes its minimum scale"
    notes = " ".join(layout_items.layout_notes(made.layout))
    assert ("“Zona roja” is not drawn at" in notes) == (not drawn)
    assert ("Zona roja" in pdf_text(tmp_path / "map.pdf")) == drawn
    assert (layer.maximumScale(), layer.minimumScale()) in ((LIMIT, 0), (0, LIMIT)), "the person's layer is not touched"


@pytest.mark.parametrize("paper, orientation, dpi", pairwise(
    itertools.product(["A4", "A3"], list(Orientation), [72, 96]), columns=1))
def test_a_layer_of_a_service_is_not_drawn_at_its_smallest_scale(network, project, tmp_path, paper, orientation, dpi):
    base = small_map(network, guide=("curvas_nivel", "limite_parque")).base
    made = composed(network, project, base=base, extent=None, centre=CENTRE, scale=LIMIT,
                    page=PageSetup(paper, orientation))
    network.reset()
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", dpi)
    asked = {name for seen in network.requests if seen["request"] == "GetMap" for name in seen["layers"]}
    assert asked == {"limite_parque", "miradores", "centros_visitantes"}


@pytest.mark.parametrize("side", ["from", "to"])
def test_the_picture_of_the_page_shows_what_the_page_does(network, project, side):
    layer = red_area(LIMIT, 0) if side == "from" else red_area(0, LIMIT)
    project.addMapLayer(layer)
    made = composed(network, project, own_layers=(refer_to(layer, entries_below=2),), extent=None, centre=CENTRE,
                    scale=LIMIT)
    item, images, shares = made.layout.itemById(layout_items.MAP), MapImages(False), {}
    item.setLayers([layer])
    for dpi in range(30, 60, 3):
        image = images.find_or_draw(item, dpi, 297.0)
        image.job.waitForFinished()
        picture = pixels(image.cut(item.extent()))
        shares[dpi] = float(numpy.mean(picture[..., 2] > 200))
    images.clear()
    assert {dpi for dpi, share in shares.items() if (share > 0.9) != (side == "from")} == set()


def page_with_style(project, carrier, layer, scale, credit):
    """A layout of a person's own whose map draws ``layer`` with the style that it has now, and another one then."""
    project.addMapLayer(layer)
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    item = QgsLayoutItemMap(layout)
    item.setId(layout_items.MAP)
    layout.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(203, 147))
    item.setCrs(layer.crs())
    item.zoomToExtent(QgsRectangle.fromCenterAndSize(QgsPointXY(455_000, 4_250_000), 20_000, 20_000))
    item.setScale(scale)
    if carrier == "theme":
        layer.styleManager().addStyleFromLayer("limited")
        layer.styleManager().setCurrentStyle("limited")
        record = QgsMapThemeCollection.MapThemeLayerRecord(layer)
        record.usingCurrentStyle, record.currentStyle, record.isVisible = True, "limited", True
        theme = QgsMapThemeCollection.MapThemeRecord()
        theme.setLayerRecords([record])
        project.mapThemeCollection().insert("Tema", theme)
        layer.styleManager().setCurrentStyle(layer.styleManager().styles()[0])
        item.setFollowVisibilityPreset(True)
        item.setFollowVisibilityPresetName("Tema")
    else:
        held = QgsMapLayerStyle()
        held.readFromLayer(layer)
        item.setLayers([layer])
        item.setKeepLayerSet(True)
        item.setLayerStyleOverrides({layer.id(): held.xmlData()})
        item.setKeepLayerStyles(True)
    if credit:
        label = QgsLayoutItemLabel(layout)
        label.setText(credit)
        layout.addLayoutItem(label)
        label.attemptMove(QgsLayoutPoint(10, 160))
        label.attemptResize(QgsLayoutSize(100, 20))
    project.layoutManager().addLayout(layout)
    return layout, item


@pytest.mark.parametrize("carrier", ["theme", "held style"])
@pytest.mark.parametrize("side", ["from", "to"])
def test_a_map_that_draws_another_style_goes_by_the_limits_of_the_layer_as_qgis_does(project, tmp_path, carrier, side):
    layer = red_area(*((0, LIMIT) if side == "from" else (LIMIT, 0)))
    layout, item = page_with_style(project, carrier, layer, LIMIT, "© Ana")
    layer.setMaximumScale(LIMIT if side == "from" else 0)
    layer.setMinimumScale(0 if side == "from" else LIMIT)
    layout_export.export_layouts(layout, tmp_path / "map.png", "png", ExportOptions(96))
    drawn = red_share(tmp_path / "map.png", layout) > 0.5
    assert drawn == (side == "from") and (layer in layers_drawn_by([item])) == drawn


@pytest.mark.parametrize("carrier", ["theme", "held style", "theme of an expression"])
@pytest.mark.parametrize("kind", ["service", "own layer"])
def test_a_layer_that_is_transparent_in_the_style_that_a_map_draws_is_missed(network, project, carrier, kind):
    layer = wms(network.endpoints["guide"], "limite_parque") if kind == "service" else red_area(0, 0)
    layer.setOpacity(0)
    layout, item = page_with_style(project, carrier.partition(" of ")[0], layer, LIMIT, "")
    if carrier == "theme of an expression":
        item.setFollowVisibilityPreset(False)
        item.dataDefinedProperties().setProperty(QgsLayoutObject.DataDefinedProperty.MapStylePreset,
                                                 QgsProperty.fromExpression("'Te' || 'ma'"))
    layer.setOpacity(1)
    requirement = {"title": "Mapa guía", "layers": [layer.id()], "names": [layer.name()], "credits": []}
    layout.setCustomProperty("cartoguide/requirements", json.dumps([requirement]))
    assert layers_drawn_by([item]) == []
    assert missing_services(layout) == ["“Mapa guía” is missing from the map."]


def test_a_layer_that_only_the_style_of_a_map_makes_visible_is_asked_for_its_credit(network, project):
    layer = wms(network.endpoints["guide"], "limite_parque")
    layout, item = page_with_style(project, "theme", layer, LIMIT, "")
    layer.setOpacity(0)
    assert layers_drawn_by([item]) == [layer]
    assert ["has no credit line" in problem for problem in missing_credits(layout)] == [True]


@pytest.mark.parametrize("carrier", ["theme", "held style"])
def test_a_layer_whose_opacity_is_another_in_the_style_that_a_map_draws_owes_its_credit(project, tmp_path, carrier):
    layer = red_area(0, 0)
    layer.setScaleBasedVisibility(False)
    set_credit(layer, "© Ana", Decision.YES)
    layout, item = page_with_style(project, carrier, layer, LIMIT, "")
    layer.setOpacity(0)
    assert layers_drawn_by([item]) == [layer]
    with pytest.raises(CartoguideError, match="© Ana"):
        layout_export.export_layouts(layout, tmp_path / "map.png", "png", ExportOptions(72))
    assert not (tmp_path / "map.png").exists()
    label = QgsLayoutItemLabel(layout)
    label.setText("© Ana")
    layout.addLayoutItem(label)
    label.attemptMove(QgsLayoutPoint(10, 160))
    label.attemptResize(QgsLayoutSize(100, 20))
    layout_export.export_layouts(layout, tmp_path / "map.png", "png", ExportOptions(72))
    assert red_share(tmp_path / "map.png", layout) > 0.5, "it is drawn"

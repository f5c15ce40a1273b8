"""Legends: an entry for each rule at print resolution, grouped by service, fitted to their frame, failures reported."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.core import (
    QgsLayerTreeLayer,
    QgsLayerTreeModelLegendNode,
    QgsLayoutSize,
    QgsLegendRenderer,
    QgsLegendSettings,
    QgsLegendStyle,
)
from qgis.PyQt.QtCore import QRectF, QSize, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.core.cooperative_yield import run_to_end
from plugin.core.errors import CartoguideError
from plugin.core.request import Response
from plugin.core.wms.responses.style_rules import SymbolKind
from plugin.gis.export import layout_export, sealed_layouts
from plugin.gis.layouts import layout_items
from plugin.gis.legends import graphic_cutting, legend_graphics, legend_nodes
from plugin.gis.legends.legend_graphics import drawn_bounds, fetch_legends, is_visible_at, legend_key
from plugin.gis.legends.legend_nodes import Swatch, scaled_size
from plugin.gis.pages import layout_builder, legend_fitting
from plugin.gis.runtime import compat, tasks
from plugin.gis.services import service_cache
from tests.qgis.print_maps import colours, composed, known_records, pixels, small_map
from tests.qgis.qgis_hands import LayerTree


def plan_of(network, **changes):
    from plugin.core.custommap.planner import make_plan

    known = known_records(network)
    custom_map = small_map(network, known, **changes)
    cache = service_cache.ServiceCache()
    found = {
        entry.endpoint: tasks.run_and_wait(lambda feedback, entry=entry: cache.get_or_fetch(entry.endpoint, feedback),
                                           30) for entry in custom_map.entries
    }
    return make_plan(custom_map, found, known)


def fetched(plan, scale=80000.0):
    return tasks.run_and_wait(lambda feedback: fetch_legends(plan.layers, scale, feedback), 60)


def entries(legends, name):
    return next(swatches for key, swatches in legends.swatches.items() if key[1] == name)


def tree(layout):
    """{group: {layer: [labels]}} of the layout's legend, as it is told in it."""
    model = layout.itemById(layout_items.LEGEND).model()
    return {group.name().replace("\n", " "): {
        node.layer().name(): [model_node.data(Qt.ItemDataRole.DisplayRole).replace("\n", " ")
                              for model_node in model.layerLegendNodes(node, True)]
        for node in group.findLayers() if node.layer() is not None} for group in model.rootGroup().findGroups()}


def drawn_legend(layout, dpi=150):
    from qgis.core import QgsLayoutExporter

    item = layout.itemById(layout_items.LEGEND)
    box = item.mapRectToScene(item.rect())
    size = QSize(round(box.width() / 25.4 * dpi), round(box.height() / 25.4 * dpi))
    return QgsLayoutExporter(layout).renderRegionToImage(box, size, dpi)


def test_each_rule_has_its_symbol_at_300_dpi_and_its_name_as_text(network, qgis_app):
    legends = fetched(plan_of(network))
    roads = entries(legends, "carreteras")
    assert [swatch.label for swatch in roads] == ["Carretera local", "Carretera autonómica", "Autovía"]
    for swatch in roads:
        assert swatch.image.width() / (swatch.width / 25.4) == pytest.approx(300, rel=0.02)
        assert colours(swatch.image, 1) > 3
    point = entries(legends, "miradores")[0]
    assert 2.0 < point.width <= 3.9 and 2.0 < point.height <= 3.9
    assert legends.notes == []


def test_only_what_draws_at_the_scale_is_asked_for(network, qgis_app):
    plan = plan_of(network, guide=("curvas_nivel", "senderos"))
    assert [layer.name for layer in plan.layers if is_visible_at(layer, 50000)][:2] == ["curvas_nivel", "senderos"]
    near = [swatch.label for swatch in entries(fetched(plan, 50000.0), "curvas_nivel")]
    assert near == ["Curva maestra (100 m)", "Curva intermedia (20 m)"]
    assert [swatch.label for swatch in entries(fetched(plan, 80000.0), "curvas_nivel")] == ["Curva maestra (100 m)"]
    network.reset()
    assert not any(key[1] in ("curvas_nivel", "senderos") for key in fetched(plan, 200000.0).swatches)
    assert not any("curvas_nivel" in request["layers"] for request in network.requests)


def test_the_graphic_of_a_layer_without_rules_is_cut_into_symbols_and_labels_of_one_size(network, qgis_app):
    from tests.network.netparts.legend import RELIEF_LEGEND

    swatches = entries(fetched(plan_of(network, guide=("relieve",))), "relieve")
    assert len(swatches) == len(RELIEF_LEGEND)
    for swatch, (_label, colour) in zip(swatches, RELIEF_LEGEND):
        assert not swatch.is_whole_graphic and swatch.is_area and (swatch.width, swatch.height) == (7.0, 3.3)
        assert _distance(swatch.image.pixelColor(8, 4), QColor(colour)) < 12
        assert swatch.label_image is not None and colours(swatch.label_image, 1) > 3
    capital, = {swatch.capital for swatch in swatches}
    assert capital / (0.714 * 7.5 / 72) > 300, "labels of 7.5 points are pictures of the page's resolution"


def test_a_label_in_a_picture_keeps_its_strokes_on_a_screen(qgis_app):
    label, symbol = (QImage(*size, QImage.Format.Format_ARGB32) for size in ((600, 60), (70, 33)))
    label.fill(Qt.GlobalColor.white)
    symbol.fill(Qt.GlobalColor.white)
    for bar in range(10):
        for x in (60 * bar + 7 * bar % 30, 60 * bar + 7 * bar % 30 + 1):
            for y in range(60):
                label.setPixelColor(x, y, QColor("black"))
    layer = QgsLayerTreeLayer("Lluvia")
    node = legend_nodes.SwatchNode(layer, Swatch(symbol, 7.0, 3.3, label_image=label, capital=40.0), "0")
    screen = QImage(600, 60, QImage.Format.Format_ARGB32_Premultiplied)
    screen.fill(Qt.GlobalColor.white)
    painter, context = QPainter(screen), QgsLayerTreeModelLegendNode.ItemContext()
    painter.scale(96 / 25.4, 96 / 25.4)
    context.painter = painter
    end = node.drawSymbol(QgsLegendSettings(), context, 0.0).width() * 96 / 25.4
    painter.end()
    ink = (255 - pixels(screen)[:, :, 0].astype(int)).sum(axis=0)
    width = legend_nodes.label_image_size(node.swatch, compat.legend_font(
        QgsLegendSettings(), QgsLegendStyle.Style.SymbolLabel).pointSizeF())[0] * 96 / 25.4
    bars = [ink[round(end - width + part * width / 10):round(end - width + (part + 1) * width / 10)].sum()
            for part in range(10)]
    assert min(bars) > 0.4 * max(bars), bars


def test_a_picture_that_is_not_symbols_and_labels_stays_whole(qgis_app):
    assert graphic_cutting.cut_graphic(picture_with((5, 6, 10, 4), ground="#ffffffff"), 96) == []
    assert graphic_cutting.cut_graphic(picture_with(None, ground="#ffffffff"), 96) == []
    title = picture_with((2, 2, 20, 10), (200, 60), "#ffffffff")
    painter = QPainter(title)
    painter.fillRect(QRectF(60, 2, 40, 8), QColor("black"))
    painter.fillRect(QRectF(90, 30, 40, 8), QColor("black"))
    painter.end()
    assert graphic_cutting.cut_graphic(title, 96) == [], "a line that begins elsewhere is no label"


def test_without_getstyles_symbols_are_cut_from_the_whole_graphics(network, qgis_app):
    plan = plan_of(network)
    network.fault({"match": {"request": "GetStyles"}, "action": {"type": "exception", "code": "OperationNotSupported",
                                                                 "text": "no"}})
    legends = fetched(plan)
    assert len(legends.swatches) == len(plan.layers)
    roads = entries(legends, "carreteras")
    assert len(roads) == 3 and all(swatch.label_image is not None for swatch in roads)
    point, = entries(legends, "miradores")
    assert not point.is_whole_graphic and point.label_image is None, "the layer's title is its label"


def test_classes_of_a_json_legend_are_text_and_swatches(network, qgis_app):
    layer = plan_of(network).layers[0]
    layer = replace(layer, source=replace(layer.source, has_json_legend=True))

    def carry(request):
        if "GetStyles" in request.url:
            raise CartoguideError("no")
        assert "FORMAT=application/json" in request.url.replace("%2F", "/")
        body = (b'{"Legend": [{"rules": [{"symbolizers": [{"Raster": {"colormap": {"entries": '
                b'[{"label": "Poca", "color": "#AACCFF"}, {"label": "Mucha", "color": "#2244AA"}]}}}]}]}]}')
        return Response(200, {"content-type": "application/json"}, body, request.url)

    swatches = fetch_legends([layer], 80000.0, send=carry).swatches[legend_key(layer)]
    assert [(swatch.label, swatch.image.pixelColor(1, 1).name()) for swatch in swatches] == [
        ("Poca", "#aaccff"), ("Mucha", "#2244aa")]


@pytest.mark.parametrize("action", [{"type": "status", "code": 500}, {"type": "html"}, {"type": "close"},
                                    {"type": "truncate", "share": 0.5},
                                    {"type": "exception", "code": "LayerNotDefined", "text": "no"}])
def test_a_failing_legend_is_told_with_its_layer_and_service_and_the_others_come(network, qgis_app, action):
    plan = plan_of(network)
    network.fault({"match": {"request": "GetLegendGraphic", "layer": "miradores"}, "action": action})
    legends = fetched(plan)
    assert {key[1] for key in legends.swatches} == {layer.name for layer in plan.layers} - {"miradores"}
    note, = legends.notes
    assert "Miradores" in note and plan.layers[-1].service_title in note
    assert legends.missing == [note] and legends.unoffered == []
    key, = legends.failed
    assert key[1] == "miradores" and legends.failed[key] in note


def test_a_legend_that_is_not_offered_and_does_not_come_is_told_with_the_exported_map(network, project, tmp_path):
    network.fault({"match": {"request": "GetLegendGraphic", "layer": "miradores"},
                   "action": {"type": "status", "code": 500}})
    offered = plan_of(network)
    plan = replace(offered, layers=tuple(replace(layer, source=replace(layer.wms, legend_url=None))
                                         for layer in offered.layers))
    legends = fetched(plan)
    assert legends.missing == [] and legends.unoffered == legends.notes
    network.reset()
    made = composed(network, project)
    layout = layout_builder.build_layout(project, plan, made.layers, legends=legends)
    assert layout_export.export_png(layout, tmp_path / "map.png", 60).without_legend == tuple(legends.notes)
    layout.itemById(layout_items.LEGEND).setVisibility(False)
    assert layout_export.export_png(layout, tmp_path / "map.png", 60).without_legend == ()


def test_legends_are_never_fetched_on_the_main_thread(network, qgis_app):
    plan = plan_of(network)
    with pytest.raises(RuntimeError):
        fetch_legends(plan.layers, 80000.0)


def test_the_legend_is_grouped_by_subject_and_a_single_entry_bears_the_layers_title(network, project):
    groups = tree(composed(network, project).layout)
    assert list(groups)[:2] == ["Equipamientos", "Carreteras y ferrocarril"]
    assert groups["Equipamientos"] == {"Centros de visitantes": ["Centros de visitantes"], "Miradores": ["Miradores"]}
    assert groups["Carreteras y ferrocarril"]["Carreteras"] == ["Carretera local", "Carretera autonómica", "Autovía"]


def test_no_title_of_a_layer_is_a_heading_where_its_subject_says_what_it_is(network, project):
    """Contour lines have two classes at this scale, and heights have none that is a word."""
    made = composed(network, project, guide=("relieve", "curvas_nivel"), scale=20000)
    model = made.layout.itemById(layout_items.LEGEND).model()
    group, = (group for group in model.rootGroup().findGroups() if group.name() == "Relieve y vegetación")
    styles = [(layer.name(), QgsLegendRenderer.nodeLegendStyle(layer, model)) for layer in group.findLayers()]
    assert len(styles) == 2 and {style for _name, style in styles} == {QgsLegendStyle.Style.Hidden}, styles


def test_the_legend_is_drawn_with_its_symbols(network, project):
    made = composed(network, project)
    picture = pixels(drawn_legend(made.layout))[:, :, 2::-1].astype(int)
    for name, wanted in {"Autovía": (232, 106, 78), "Límite": (62, 112, 42)}.items():
        assert (abs(picture - wanted).sum(axis=2) < 40).sum() > 20, name


def _distance(one, other):
    return abs(one.red() - other.red()) + abs(one.green() - other.green()) + abs(one.blue() - other.blue())


@pytest.mark.slow
def test_a_long_legend_stays_inside_a_small_box_and_that_is_told(network, project):
    made = composed(network, project, guide=(), facilities=())
    item = made.layout.itemById(layout_items.LEGEND)
    assert run_to_end(legend_fitting.fitting_steps(item)) == []
    width, height = item.rect().width(), item.rect().height()
    item.attemptResize(QgsLayoutSize(width, height * 0.6))
    note, = run_to_end(legend_fitting.fitting_steps(item))
    assert "%" in note and not legend_fitting.legend_overflows(item)
    item.attemptResize(QgsLayoutSize(12, 10))
    assert "does not fit" in run_to_end(legend_fitting.fitting_steps(item))[0] and legend_fitting.legend_overflows(item)
    item.attemptResize(QgsLayoutSize(width, height))
    assert run_to_end(legend_fitting.fitting_steps(item)) == []
    assert item.symbolWidth() == pytest.approx(6.0 * _factor(item), abs=0.01)


def _factor(item):
    return item.symbolHeight() / 2.9


def test_a_layout_says_that_it_waits_for_its_legends(network, project):
    made = composed(network, project)
    bare = layout_builder.build_layout(project, made.plan, made.layers, name="bare")
    assert layout_builder.awaits_legends(bare) and not layout_builder.awaits_legends(made.layout)
    bare.setCustomProperty("cartoguide/legend", "wanted")
    assert layout_builder.awaits_legends(bare), "the word of former versions"
    layout_builder.set_legends(bare, made.plan, made.layers, fetched(made.plan))
    assert not layout_builder.awaits_legends(bare)


def test_legends_go_with_their_layers(network, project):
    made = composed(network, project)
    project.removeAllMapLayers()
    drawn_legend(made.layout)
    assert [layers for layers in tree(made.layout).values() if layers] == []


def test_a_project_that_is_opened_again_keeps_its_legend_without_the_service(network, project, tmp_path):
    made = composed(network, project)
    before, name = tree(made.layout), made.layout.name()
    assert project.write(str(tmp_path / "map.qgz"))
    project.clear()
    assert project.read(str(tmp_path / "map.qgz"))
    network.reset()
    legend_nodes.restore_swatches(project.mapLayers().values())
    layout = project.layoutManager().layoutByName(name)
    assert tree(layout) == before
    assert colours(drawn_legend(layout), 1) > 50
    assert network.count("GetLegendGraphic") == 0


def test_copies_have_the_layers_own_legends_after_a_style_was_pasted(network, project):
    plan = plan_of(network)
    composed(network, project)
    layers = [next(layer for layer in project.mapLayers().values() if f"layers={one.name}&" in layer.source())
              for one in plan.layers]
    legends = fetched(plan)
    before = tree(layout_builder.build_layout(project, plan, layers, legends=legends))
    for layer in layers[1:]:
        LayerTree().paste_style(layers[0], layer)
    layout = layout_builder.build_layout(project, plan, layers, legends=legends)
    with sealed_layouts.sealed([layout]) as work:
        assert tree(work.layouts[0]) == tree(layout) == before


def test_a_geoserver_like_graphic_is_taken_at_print_resolution(qgis_app, network):
    layer = plan_of(network).layers[0]

    def picture(width, height):
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        painter.fillRect(QRectF(2, 2, width / 2, height / 2), QColor("red"))
        painter.end()
        return image

    def carry(request):
        if "GetStyles" in request.url:
            raise CartoguideError("no")
        image = picture(300, 60) if "LEGEND_OPTIONS" in request.url else picture(96, 20)
        from qgis.PyQt.QtCore import QBuffer, QByteArray

        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")
        return Response(200, {"content-type": "image/png"}, bytes(data), request.url)

    swatch, = fetch_legends([layer], 80000.0, send=carry).swatches[legend_key(layer)]
    assert swatch.is_whole_graphic and swatch.image.width() == 300
    assert swatch.width == pytest.approx(96 / 170 * 25.4, rel=0.01), "as large as one for the screen"


def picture_with(box, size=(40, 30), ground="#00000000", colour="#ff0000"):
    image = QImage(*size, QImage.Format.Format_ARGB32)
    image.fill(QColor(ground))
    painter = QPainter(image)
    if box:
        painter.fillRect(*box, QColor(colour))
    painter.end()
    return image


@pytest.mark.parametrize("ground", ["#00000000", "#ffffffff"])
def test_what_is_drawn_is_found_on_any_even_ground(qgis_app, ground):
    assert drawn_bounds(picture_with((5, 6, 10, 4), ground=ground)) == (5, 6, 10, 4)
    assert drawn_bounds(picture_with(None, ground=ground)) is None
    assert drawn_bounds(picture_with((0, 0, 20, 4), ground=ground)) == (0, 0, 40, 30)


def test_an_empty_symbol_makes_no_entry(qgis_app):
    assert legend_graphics._rule_swatch(picture_with(None), SymbolKind.LINE, "a") is None
    assert legend_graphics._rule_swatch(picture_with(None, ground="#ffffffff"), SymbolKind.POINT, "a") is None
    assert legend_graphics._rule_swatch(picture_with(None, ground="#ffaa0000"), SymbolKind.POLYGON, "a").is_area


def test_a_whole_graphic_is_never_wider_than_its_column(qgis_app):
    swatch = Swatch(QImage(10, 10, QImage.Format.Format_ARGB32), 80.0, 40.0, is_whole_graphic=True)
    assert scaled_size(swatch, 7.0, 60.0) == (60.0, 30.0)
    assert scaled_size(swatch, 3.5, 60.0) == (40.0, 20.0)

"""The page's legend follows what a person does in QGIS's layer tree, and the document keeps it.

Judged by the text of the written page.
"""

from __future__ import annotations

import pytest
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsLayerTreeModel,
    QgsMapLayer,
    QgsMapLayerLegendUtils,
    QgsProject,
    QgsRendererCategory,
)
from qgis.PyQt.QtCore import Qt

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.legend import changes
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.legends.legend_graphics import fetch_legends
from plugin.gis.pages import layout_builder
from plugin.gis.runtime import settings, tasks
from tests.qgis.print_maps import PARK, composed, pdf_text, text_without_maps
from tests.qgis.test_dock_map import both, dock, group, items  # noqa: F401 - fixtures
from tests.qgis.test_dock_offline import printed
from tests.qgis.test_legend_edits import classes_of, edited
from tests.qgis.test_own_layers import own_points, red_square
from tests.qgis.test_service_subgroups import reopened

PRIVATE = QgsMapLayer.LayerFlag.Private


@pytest.fixture
def page(both, wait_until, tmp_path):  # noqa: F811
    """Builds the page of the dock's map and gives its text; ``whole`` exports it as a person does."""
    settings.set("export_dpi", 72)
    both.composer_controller.extent.set_extent(PARK.box)
    numbers = iter(range(100))

    def text(whole=False):
        both.composer_controller.map.flush()
        path = tmp_path / f"page{next(numbers)}.pdf"
        if whole:
            return printed(both, path, wait_until)
        layouts = []
        both.composer_controller.exporter.build_layout(layouts.append)
        wait_until(lambda: layouts, 60)
        return text_without_maps(layouts[0], path)

    return text


def layer_of(dock, number, index):  # noqa: F811
    """The QGIS layer of one layer of a service on the map."""
    item = items(dock)[number]
    return dock.composer_controller.map.project.mapLayer(item.layer_ids[item.entry.layers[index]])


def rename_in_tree(layer, name):
    """Rename as a person does, in QGIS's own model."""
    root = QgsProject.instance().layerTreeRoot()
    model = QgsLayerTreeModel(root)
    model.setFlag(QgsLayerTreeModel.Flag.AllowNodeRename)
    # QGIS answers False
    model.setData(model.node2index(root.findLayer(layer.id())), name, Qt.ItemDataRole.EditRole)


def names(dock):  # noqa: F811
    maps = dock.composer_controller.map
    return [maps.project.mapLayer(item.layer_ids[name]).name() for item in items(dock) for name in item.entry.layers]


@pytest.mark.slow
def test_a_name_given_in_the_layer_tree_is_on_the_page_and_is_undone(both, page, wait_until):  # noqa: F811
    maps, before = both.composer_controller.map, names(both)
    for number, name in ((0, "Cotas [% 6 * 7 %]"), (1, "Para mirar <b>lejos</b>")):
        rename_in_tree(layer_of(both, number, 0), name)
        maps.flush()
    text = page(whole=True)
    assert "Cotas [ % 6 * 7 %]".replace(" ", "") in text.replace(" ", "").replace("\u200b", "") and "lejos</b>" in text
    assert before[3] not in text and "42" not in text.split("Para mirar")[0][-40:]
    credits = {item.entry.credit.line for item in items(both)}
    assert all(line in text for line in credits), "the credits stay"
    maps.undo()
    maps.undo()
    assert names(both) == before
    text = page()
    assert before[3] in text and "Para mirar" not in text
    maps.redo()
    maps.redo()
    assert names(both)[3].startswith("Para mirar")


@pytest.mark.slow
def test_a_given_name_survives_saving_reopening_and_rebuilding(both, page, wait_until, tmp_path):  # noqa: F811
    maps = both.composer_controller.map
    rename_in_tree(layer_of(both, 1, 0), "Para mirar lejos")
    maps.flush()
    read = read_document(write_document(maps.document()))
    assert list(read.overlays[0].names.values()) == ["Para mirar lejos"]
    maps.builds.reload(items(both)[1])
    wait_until(lambda: not maps.adding, 60)
    assert "Para mirar lejos" in names(both)
    reopened(both, tmp_path / "mapa.qgz", wait_until)
    assert "Para mirar lejos" in names(both) and "Para mirar lejos" in page()
    # by the editor's title, which is the later choice, in its language only
    tree = both.composer_controller.layers.page_legend.tree()
    item = next(item for group_ in tree for item in group_.items if item.title == "Para mirar lejos")
    assert item.is_renamed
    both.composer_controller.layers.page_legend.rename_layer(item, "Del editor")
    text = page(whole=True)
    assert "Del editor" in text and "Para mirar lejos" not in text
    assert "Para mirar lejos" in names(both)


@pytest.mark.slow
def test_a_private_layer_is_drawn_and_credited_and_not_in_the_legend(both, page, wait_until, tmp_path):  # noqa: F811
    maps, title = both.composer_controller.map, names(both)[3]
    layer = layer_of(both, 1, 0)
    layer.setFlags(layer.flags() | PRIVATE)
    text = page(whole=True)
    assert title not in text and items(both)[1].entry.credit.line in text
    assert len(maps.document().overlays[0].private) == 1
    maps.builds.reload(items(both)[1])
    wait_until(lambda: not maps.adding, 60)
    assert layer_of(both, 1, 0).flags() & PRIVATE, "loaded anew"
    document = reopened(both, tmp_path / "mapa.qgz", wait_until)
    assert len(document.overlays[0].private) == 1 and title not in page()
    # the legend's editor shows it again
    legend = both.composer_controller.layers.page_legend
    item = next(item for group_ in legend.tree() for item in group_.items if item.is_hidden)
    legend.set_hidden([item.reference], False)
    assert not layer_of(both, 1, 0).flags() & PRIVATE and title in page()
    maps.undo()
    assert layer_of(both, 1, 0).flags() & PRIVATE


def two_kinds(folder):
    layer = own_points(folder)
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory("a", red_square(3), "Muestra de suelo"),
        QgsRendererCategory("b", red_square(2), "Muestra de agua")]))
    return layer


def dropped(dock, layer):  # noqa: F811
    """The layer, dropped into the map's group."""
    QgsProject.instance().addMapLayer(layer, False)
    node = group(dock).insertLayer(0, layer)
    dock.composer_controller.map.flush()
    return node


@pytest.mark.slow
def test_an_own_layer_follows_its_node_its_filter_and_its_flag(both, page, wait_until, tmp_path):  # noqa: F811
    maps, layer = both.composer_controller.map, two_kinds(tmp_path)
    dropped(both, layer)
    root = QgsProject.instance().layerTreeRoot()
    QgsMapLayerLegendUtils.setLegendNodeUserLabel(root.findLayer(layer.id()), 0, "Suelos (2024)")
    text = page()
    assert "Suelos (2024)" in text and "Muestra de suelo" not in text
    assert "Puntos propios" in text and "Muestra de agua" in text
    QgsMapLayerLegendUtils.setLegendNodeOrder(root.findLayer(layer.id()), [1])
    text = page()
    assert "Muestra de agua" in text and "Suelos" not in text and "Muestra de suelo" not in text
    for name in root.findLayer(layer.id()).customProperties():
        root.findLayer(layer.id()).removeCustomProperty(name)
    assert layer.setSubsetString("kind = 'b'")
    text = page(whole=True)
    assert "Muestra de agua" in text and "Muestra de suelo" not in text, "no feature of that class is drawn"
    assert "kind = 'b'" in maps.document().own_layers[0].source, "the document has the filter"
    layer.setSubsetString("")
    assert "Muestra de suelo" in page()
    layer.setFlags(layer.flags() | PRIVATE)
    text = page(whole=True)
    assert "Puntos propios" not in text and "Muestra de agua" not in text and maps.document().own_layers[0].private
    maps.undo()
    assert not layer.flags() & PRIVATE


@pytest.mark.slow
def test_entries_that_a_person_hid_or_named_in_the_tree_are_so_on_the_page(network, project, tmp_path):
    made = composed(network, project)
    plan, layer = next((plan, layer) for plan, layer in zip(made.plan.layers, made.layers) if plan.name == "carreteras")
    first, second, *others = classes_of(made, "carreteras")
    scale = layout_items.map_scale(made.layout)
    fetched = tasks.run_and_wait(lambda feedback: fetch_legends(made.plan.layers, scale, feedback), 60)
    root = project.layerTreeRoot()

    def page(path):
        return text_without_maps(layout_builder.build_layout(project, made.plan, made.layers, legends=fetched), path)

    QgsMapLayerLegendUtils.setLegendNodeUserLabel(root.findLayer(layer.id()), 0, "Rebautizada")
    text = page(tmp_path / "named.pdf")
    assert "Rebautizada" in text and first not in text and second in text
    QgsMapLayerLegendUtils.setLegendNodeOrder(root.findLayer(layer.id()), [1, 0])
    layout = layout_builder.build_layout(project, made.plan, made.layers, legends=fetched)
    layout_export.export_pdf(layout, tmp_path / "turned.pdf", 72)
    text = pdf_text(tmp_path / "turned.pdf")
    assert text.index(second) < text.index("Rebautizada") and not any(other in text for other in others)
    for name in root.findLayer(layer.id()).customProperties():
        root.findLayer(layer.id()).removeCustomProperty(name)
    assert first in page(tmp_path / "former.pdf"), "it is the service's again"


def test_a_document_alone_has_the_names(network, project, tmp_path):
    made = edited(network)
    base = changes.replace(made["base"], names={"limite_parque": "Linde"}, private=("carreteras",))
    made = composed(network, project, base=base, facilities=("miradores",))
    layers = {plan.name: layer for plan, layer in zip(made.plan.layers, made.layers)}
    assert layers["limite_parque"].name() == "Linde" and layers["carreteras"].flags() & PRIVATE
    shown = [node.name() for node in made.layout.itemById("legend").model().rootGroup().findLayers()]
    assert "Linde" in shown and "Carreteras" not in shown

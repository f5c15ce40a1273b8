"""A legend that the cartographer has edited, on the written page: names, order, headings, hidden layers, credits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.core import QgsCategorizedSymbolRenderer, QgsLayoutUtils, QgsLegendRenderer, QgsRendererCategory
from qgis.PyQt.QtCore import Qt

from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import EntryLegend, LayerLegend, Orientation, PageSetup
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.layouts.templates import all_templates
from plugin.gis.legends.legend_columns import CONTINUED_PROPERTY
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.runtime import tasks
from plugin.gis.services.service_cache import ServiceCache
from plugin.processing.provider import CartoguideProvider
from tests.qgis.algorithm_runs import run
from tests.qgis.print_maps import composed, pdf_text, small_map, text_without_maps
from tests.qgis.test_export_checks import FAULTS
from tests.qgis.test_export_legends import OF_LEGENDS
from tests.qgis.test_legend_page import columns_of, lines_of_legend
from tests.qgis.test_own_layers import algorithms, own_points, red_square  # noqa: F401

DPI = 50
HIDDEN = ("Miradores", "Centros de visitantes")
#: the default titles of the map's layers are those of the services
EDITED_GUIDE = EntryLegend({"es": "El terreno"}, layers={
    "carreteras": LayerLegend({"es": "Vías asfaltadas", "en": "Paved roads"}, position=0),
    "limite_parque": LayerLegend(position=1)})
EDITED_USE = EntryLegend({"en": "Places to visit"}, position=3, layers={
    "miradores": LayerLegend({"es": "Balcones"}, hidden=True)})


def edited(network, guide=EDITED_GUIDE, facilities=EDITED_USE, **changes):
    """Members of ``small_map`` with an edited legend."""
    made = small_map(network)
    return {"base": replace(made.base, legend=guide),
            "overlays": (replace(made.overlays[0], legend=facilities),), **changes}


def legend_text(made, path):
    """The legend's lines as they are read: column by column."""
    return [line[2] for column in columns_of(lines_of_legend(made, path)) for line in column]


def test_the_page_has_the_edited_titles_in_the_edited_order_and_asks_for_no_hidden_legend(network, project, tmp_path):
    network.fault({"match": OF_LEGENDS, "action": FAULTS["status"]})
    made = composed(network, project, **edited(network))
    assert layout_builder.missing_legends(made.layout) == []
    layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI)
    asked = [request["parameters"].get("LAYER") for request in network.requests
             if request["request"].lower() == "getlegendgraphic"]
    assert "miradores" not in asked and "centros_visitantes" in asked
    lines = legend_text(made, tmp_path / "map.pdf")
    text = " ".join(lines)
    assert lines[0] == "El terreno" and "Vías asfaltadas" in lines
    order = [text.index(words) for words in ("El terreno", "Vías asfaltadas", "Autovía", "Equipamientos de uso")]
    assert order == sorted(order), "the service drawn on top stands below the base"
    assert "Balcones" not in text and "Miradores" not in text and "visitantes" in text
    assert "Mapa guía" not in text and "Paved" not in text


def test_an_english_page_has_the_english_titles_and_no_spanish_ones(network, project, tmp_path):
    made = composed(network, project, **edited(network, language="en"))
    text_without_maps(made.layout, tmp_path / "map.pdf")
    text = " ".join(legend_text(made, tmp_path / "map.pdf"))
    assert "Paved roads" in text and "Places to visit" in text
    assert "El terreno" not in text and "Vías asfaltadas" not in text and "Mapa guía" in text


@pytest.mark.parametrize("template", [one.name for one in all_templates()])
def test_a_hidden_layer_is_in_no_templates_legend_and_its_credit_stays(network, project, tmp_path, template):
    page = next(PageSetup(*one.sizes[0], one.name) for one in all_templates() if one.name == template)
    hidden = EntryLegend(hidden=True)
    made = composed(network, project, **edited(network, EDITED_GUIDE, hidden, page=page))
    text = text_without_maps(made.layout, tmp_path / "map.pdf")
    owed = [needed.credits for needed in layout_builder.layout_requirements(made.layout)]
    assert len(owed) == 2 and all(owed), "of the hidden service, too"
    for line in {line for credits in owed for line in credits}:
        assert " ".join(line.split())[:40] in text
    has_legend = made.layout.itemById(layout_items.LEGEND) is not None
    assert ("El terreno" in text) == has_legend
    root = made.layout.itemById(layout_items.LEGEND).model().rootGroup() if has_legend else None
    groups = [] if root is None else [one for one in root.findGroups() if not one.customProperty(CONTINUED_PROPERTY)]
    assert len(groups) == int(root is not None), "the hidden service is in no group"
    assert root is None or [node.name() for node in root.findLayers() if node.name() in HIDDEN] == []


def test_layers_of_services_and_own_layers_share_a_heading_on_the_page(network, project, tmp_path):
    layer = own_points(tmp_path)
    layer.setRenderer(QgsCategorizedSymbolRenderer("kind", [
        QgsRendererCategory("a", red_square(3), "Muestra de suelo"),
        QgsRendererCategory("b", red_square(2), "Muestra de agua de una fuente o de un arroyo de nombre muy largo")]))
    heading = {"es": "Qué ver"}
    single = replace(refer_to(own_points(tmp_path, size=3)), id="single", name="Encuentro",
                     legend=LayerLegend(heading=heading))
    classes = replace(refer_to(layer, entries_below=2), legend=LayerLegend({"es": "Muestras"}, heading))
    use = EntryLegend(layers={"miradores": LayerLegend(heading=heading)})
    made = composed(network, project, **edited(network, EntryLegend(), use, own_layers=(classes, single)))
    text_without_maps(made.layout, tmp_path / "map.pdf")
    lines = legend_text(made, tmp_path / "map.pdf")
    start, end = lines.index("Qué ver"), next(number for number, line in enumerate(lines) if "Equipamientos" in line)
    under = " ".join(lines[start:end])
    words = ("Muestras", "Muestra de suelo", "de un arroyo de nombre muy largo", "Miradores", "Encuentro")
    assert [word for word in words if word not in under] == []
    assert lines.count("Qué ver") == 1 and "Puntos propios" not in " ".join(lines)
    assert "Centros" in " ".join(lines[end:])


def test_text_of_a_document_is_no_expression_and_no_markup_in_the_legend(network, project, tmp_path):
    evil = "[% 40 + 2 %]<b>x</b>"
    titles = {"es": evil}
    guide = EntryLegend(titles, layers={"carreteras": LayerLegend(titles),
                                        "limite_parque": LayerLegend(titles, titles)})
    own = replace(refer_to(own_points(tmp_path)), legend=LayerLegend(titles))
    made = composed(network, project, **edited(network, guide, own_layers=(own,)))
    text_without_maps(made.layout, tmp_path / "map.pdf")
    text = "".join(legend_text(made, tmp_path / "map.pdf")).replace("\u200b", "").replace(" ", "")
    assert text.count("[%40+2%]<b>x</b>") >= 4 and "42" not in text


def required_size(item):
    """Millimetres of the legend as QGIS draws it, none of its texts remembered from an earlier wrapping."""
    for node in item.model().rootGroup().findLayers():
        node.removeCustomProperty("cached_name")
    context = QgsLayoutUtils.createRenderContextForLayout(item.layout(), None, item.layout().renderContext().dpi())
    size = QgsLegendRenderer(item.model(), item.legendSettings()).minimumSize(context)
    return size.width(), size.height()


@pytest.mark.slow
def test_the_pages_of_a_long_legend_follow_it(network, project, tmp_path):
    page = PageSetup("A4", Orientation.LANDSCAPE, "guide")
    base, use = small_map(network).base, small_map(network).overlays[0]
    services = tasks.run_and_wait(lambda feedback: ServiceCache().get_or_fetch_all(
        [base.endpoint, use.endpoint], feedback), 60)
    names = [layer.name for service in services.values() for layer in service.iter_layers()
             if layer.name and not layer.layers]
    many = EntryLegend(layers={name: LayerLegend({"es": f"Nombre muy largo de la capa número {number} " * 4})
                               for number, name in enumerate(names)})
    base, use = (replace(entry, layers=(), styles=(), legend=many) for entry in (base, use))
    made = composed(network, project, base=base, overlays=(use,), page=page)
    parts = layout_items.legends(made.layout)
    assert [item.page() for item in parts] == list(range(len(parts))) and len(parts) > 1, "it continues on a page"
    for item in parts:
        model, nodes = item.model(), item.model().rootGroup().findLayers()
        shown = [model.data(model.node2index(node), Qt.ItemDataRole.DisplayRole) for node in nodes]
        assert shown == [node.customProperty("legend/title-label") for node in nodes], "fitted with other headings"
        width, height = required_size(item)
        assert width <= item.rect().width() + 0.5 and height <= item.rect().height() + 0.5
    text_without_maps(made.layout, tmp_path / "map.pdf")
    assert "número 1" in " ".join(legend_text(made, tmp_path / "map.pdf"))


def test_processing_prints_the_documents_legend(algorithms, network, tmp_path):  # noqa: F811
    (tmp_path / "map.custommap.json").write_bytes(write_document(small_map(network, **edited(network))))
    run("exportcustommap", {"INPUT": str(tmp_path / "map.custommap.json"), "DPI": 72,
                            "OUTPUT": str(tmp_path / "map.pdf")})
    text = pdf_text(tmp_path / "map.pdf")
    assert "El terreno" in text and "Vías asfaltadas" in text and "Balcones" not in text


def test_the_provider_has_no_parameter_for_it():
    parameters = [one.name() for algorithm in CartoguideProvider().algorithms()
                  for one in algorithm.parameterDefinitions()]
    assert not any("LEGEND" in name for name in parameters)


def classes_of(made, name):
    """The texts of a layer's classes in the legend."""
    layer = next(layer for plan, layer in zip(made.plan.layers, made.layers) if plan.name == name)
    return [swatch.label for swatch in layer.legend().swatches]


def test_single_classes_have_the_titles_that_were_given_to_them(network, project, tmp_path):
    own = classes_of(composed(network, project), "carreteras")
    assert len(own) > 1 and all(own)
    project.clear()
    guide = EntryLegend(layers={"carreteras": LayerLegend(classes={
        own[0]: {"es": "Vía rápida", "en": "Fast road"}, "no such class": {"es": "Nada"}})})
    made = composed(network, project, **edited(network, guide, EntryLegend()))
    text_without_maps(made.layout, tmp_path / "map.pdf")
    lines = legend_text(made, tmp_path / "map.pdf")
    assert "Vía rápida" in lines and own[0] not in lines and "Fast road" not in lines and "Nada" not in lines
    assert classes_of(made, "carreteras") == ["Vía rápida", *own[1:]], "in their order"
    project.clear()
    made = composed(network, project, language="en", **edited(network, guide, EntryLegend()))
    assert classes_of(made, "carreteras") == ["Fast road", *own[1:]]

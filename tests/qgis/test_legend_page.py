"""The legend on the page: groups whole or continued, lines as lines."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from html import unescape

from qgis.core import QgsVectorLayer

from plugin.core.cooperative_yield import run_to_end
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.terms import terms_for
from plugin.gis.credits.layer_metadata import set_credit
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.legends import legend_columns
from plugin.gis.legends.legend_columns import LegendPart
from plugin.gis.legends.legend_nodes import Swatch
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import legend_fitting
from tests.network.netparts.legend import RELIEF_LEGEND
from tests.qgis.print_maps import composed, entry_of, known_records

_LINE = re.compile(r'<line xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</line>', re.S)
MM = 25.4 / 72


def lines_of_legend(made, pdf, item_id=layout_items.LEGEND):
    """(left, top, text) of each line that stands in the legend (or another item) of a PDF, in millimetres from its
    upper left corner."""
    item = made.layout.itemById(item_id)
    page, box = item.page() + 1, item.mapRectToScene(item.rect())
    top = made.layout.pageCollection().page(item.page()).mapRectToScene(
        made.layout.pageCollection().page(item.page()).rect()).top()
    done = subprocess.run(["pdftotext", "-bbox-layout", "-f", str(page), "-l", str(page), str(pdf), "-"],
                          capture_output=True, check=True)
    found = []
    for left, upper, _right, lower, words in _LINE.findall(done.stdout.decode()):
        x, y = float(left) * MM, (float(upper) + float(lower)) / 2 * MM
        if box.left() - 0.5 <= x <= box.right() and box.top() - top <= y <= box.bottom() - top:
            text = " ".join(unescape(word) for word in re.findall(r"<word[^>]*>(.*?)</word>", words))
            found.append((x - box.left(), y - box.top() + top, text))
    return sorted(found)


def columns_of(lines):
    """The lines by column, from left to right, each from top to bottom: a column begins left of its entries."""
    columns = []
    for line in sorted(lines):
        if not columns or line[0] - columns[-1][0][0] > 22.0:
            columns.append([])
        columns[-1].append(line)
    return [sorted(column, key=lambda line: line[1]) for column in columns]


def test_lines_are_drawn_as_lines_at_the_width_of_the_map(network, project):
    made = composed(network, project)
    swatches = {node.swatch.label: node.swatch for layer in made.layout.itemById(
        layout_items.LEGEND).model().rootGroup().findLayers() for node in made.layout.itemById(
            layout_items.LEGEND).model().layerLegendNodes(layer, True) if isinstance(node.swatch, Swatch)}
    for label in ("Carretera local", "Carretera autonómica", "Autovía"):
        image = swatches[label].image
        rows = [[y for y in range(image.height()) if image.pixelColor(x, y).alpha() > 40]
                for x in range(2, image.width() - 2)]
        tops, bottoms = {found[0] for found in rows}, {found[-1] for found in rows}
        assert max(tops) - min(tops) <= 2 and max(bottoms) - min(bottoms) <= 2, label
        assert abs((min(tops) + max(bottoms)) / 2 - image.height() / 2) <= 2, "in the middle"


def test_boundaries_of_areas_are_lines_as_on_the_map(network, project):
    rain = entry_of(known_records(network)[network.endpoints["precipitation"]], ["limite_andalucia"])
    made = composed(network, project, overlays=(rain,))
    model = made.layout.itemById(layout_items.LEGEND).model()
    swatches = {node.swatch.label: node.swatch for layer in model.rootGroup().findLayers()
                for node in model.layerLegendNodes(layer, True)}
    for label in ("Límite del parque natural", "Andalucía"):
        image, is_area = swatches[label].image, swatches[label].is_area
        ground = image.pixelColor(0, 0)
        rows = [y for y in range(image.height()) for x in (0, image.width() // 3, image.width() - 1)
                if image.pixelColor(x, y) != ground]
        middle = image.height() / 2
        assert rows and not is_area and max(rows) - min(rows) < 0.7 * image.height(), label
        assert abs((max(rows) + min(rows)) / 2 - middle) <= 1.5, label


def test_the_classes_of_each_layer_of_three_services_stand_in_one_column(network, project, tmp_path):
    known = known_records(network)
    records = [known[network.endpoints[name]] for name in ("guide", "facilities", "precipitation")]
    guide, facilities, rain = (entry_from_record(record, terms_for(record)) for record in records)
    made = composed(network, project, base=guide, overlays=(replace(rain, moment="2016-06-17"), facilities),
                    language="en", page=PageSetup("A4", Orientation.PORTRAIT))
    path = tmp_path / "map.pdf"
    layout_export.export_layouts([made.layout], path, layout_export.ExportFormat.PDF, layout_export.ExportOptions(100))
    columns = [[text for _, _, text in column] for column in columns_of(lines_of_legend(made, path))]
    for classes in (("Pueblo", "Aldea", "Caserío", "Cumbre y altitud (m)"), ("Carretera local", "Autovía")):
        assert [sum(one in column for one in classes) for column in columns if classes[0] in column] == [len(classes)]
    credits = sorted(lines_of_legend(made, path, layout_items.CREDITS), key=lambda line: line[1])
    assert not any("·" in text for _, _, text in credits), "a line for each, as there is room"
    assert sum(text.startswith("Consejería") for _, _, text in credits) == 3


def test_own_layers_above_services_have_a_heading_as_all_others(network, project, tmp_path):
    own, names = [], ["Sector 0", "Sector 1", "Sector 2"]
    for name in names:
        layer = QgsVectorLayer("Polygon?crs=EPSG:25830", name, "memory")
        set_credit(layer, "Ana Pérez, 2024")
        project.addMapLayer(layer)
        own.append(refer_to(layer))
    made = composed(network, project, own_layers=tuple(own), language="en")
    path = tmp_path / "map.pdf"
    layout_export.export_layouts([made.layout], path, layout_export.ExportFormat.PDF, layout_export.ExportOptions(60))
    first, *below = columns_of(lines_of_legend(made, path))[0]
    assert first[2] == "Subject of the map" and sorted(text for _, _, text in below[:3]) == names
    assert first[0] < 1.0 and all(left > 5.0 for left, _, text in below if text in names), "above its entries"


def test_letters_that_are_pictures_are_as_sharp_in_a_pdf_as_they_came(network, project, tmp_path):
    made = composed(network, project, guide=("relieve",), language="en")
    path = tmp_path / "map.pdf"
    layout_export.export_layouts([made.layout], path, layout_export.ExportFormat.PDF, layout_export.ExportOptions(72))
    rows = [line.split() for line in subprocess.run(["pdfimages", "-list", str(path)], capture_output=True, check=True,
                                                    text=True).stdout.splitlines()[2:]]
    sharp = [row for row in rows if row[2] == "smask" and float(row[12]) > 400]
    assert len(sharp) >= len(RELIEF_LEGEND), "dots an inch of the masks, in which the letters are"


def parts_of(*groups, height=4.0):
    """A legend of groups, each a list of numbers of classes of its layers (1: an entry without a heading)."""
    parts = []
    for number, layers in enumerate(groups):
        parts.append(LegendPart(height, 0, group=number))
        for position, count in enumerate(layers):
            parts += legend_columns.layer_parts(number, position, height if count > 1 else 0.0, [height] * count,
                                                height)
    return parts


def test_groups_are_kept_whole_where_they_can_be():
    parts = parts_of([1, 1, 1], [1, 1, 1], [1, 1])
    assert legend_columns.column_breaks(parts, 1, 100) == ()
    breaks = legend_columns.column_breaks(parts, 2, 33)
    assert [parts[position].group for position in breaks] == [1] and legend_columns.break_cost(parts, breaks) == 0
    assert legend_columns.column_breaks(parts, 2, 17) is None and len(legend_columns.column_breaks(parts, 3, 17)) == 2


def test_a_group_too_long_for_a_column_is_divided_between_its_layers_and_a_layer_only_if_it_must_be():
    parts = parts_of([3, 3, 3])
    position, = legend_columns.column_breaks(parts, 2, 40)
    assert parts[position].entry is None and parts[position].layer is not None
    parts = parts_of([12])
    position, = legend_columns.column_breaks(parts, 2, 40)
    assert 2 <= parts[position].entry <= 10
    first, *others = legend_columns.column_breaks(parts, 4, 25)
    assert len(others) >= 1 and all(parts[one].heading_height == 8.0 for one in (first, *others))


def test_a_legend_that_was_divided_is_put_together_again(network, project):
    made = composed(network, project, guide=(), facilities=(), page=PageSetup("A4", Orientation.PORTRAIT))
    item = made.layout.itemById(layout_items.LEGEND)

    def shown():
        model = item.model()
        return [(layer.name(), len(model.layerLegendNodes(layer))) for layer in model.rootGroup().findLayers()]

    divided = shown()
    legend_columns.join_parts(item.model())
    whole = shown()
    assert len(item.model().rootGroup().findGroups()) == 7 and len(dict(whole)) == len(whole)
    run_to_end(legend_fitting.fitting_steps(item))
    assert shown() == divided
    assert sum(count for _, count in divided) == sum(count for _, count in whole)

"""The map of a month's maximum and the chart of its days, on the written page: computed from the images of the days."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace

import numpy
import pytest
from qgis.core import QgsCategorizedSymbolRenderer, QgsProject, QgsRendererCategory, QgsSymbol, QgsVectorLayer
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.gis.credits.layer_metadata import fill_metadata
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.legends.graphic_cutting import colour_swatch
from plugin.gis.legends.legend_nodes import SwatchLegend, set_swatches
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pages.series_summary import CHART, MAXIMUM, SUMMARY_ITEMS
from tests.pairwise import ALL, some
from tests.qgis.print_maps import colours as count_colours
from tests.qgis.print_maps import composed, entry_of, known_records, pdf_text, pixels
from tests.qgis.test_layout_templates import REGION
from tests.qgis.test_page_preview import cut, page_stores

DPI = 100
MONTH = tuple(f"precipitacion_201606{day:02d}" for day in range(1, 31))


def month(network, project, days=MONTH, paper="A4", **changes):
    known = known_records(network)
    overlay = entry_of(known[network.endpoints["precipitation"]], days)
    return composed(network, project, base=None, overlays=(overlay, ), extent=REGION, title="Rain",
                    page=PageSetup(paper, Orientation.LANDSCAPE, "multiples"), **{"language": "en", **changes})


def swatches_of(made):
    return next(layer.legend().swatches for layer in made.layers if isinstance(layer.legend(), SwatchLegend))


def class_colours(made):
    """The colours of the legend, the lowest class first, as this service draws it. White is where no rain fell."""
    colours = [swatch.image.pixelColor(5, 3).getRgb()[:3] for swatch in swatches_of(made)]
    return [colour for colour in colours if colour != (255, 255, 255)]


def panel(page, item, dpi=DPI):
    """The pixels of an item of the written page, without its frame."""
    box, scale = item.mapRectToScene(item.rect()), dpi / 25.4
    return page.copy(round(box.x() * scale) + 2, round(box.y() * scale) + 2, round(box.width() * scale) - 4,
                     round(box.height() * scale) - 4)


def classes_in(image, colours):
    """The class of each pixel of a panel, -1 for the ground and the outline."""
    seen = pixels(image)[:, :, 2::-1].astype(numpy.int16)
    found = numpy.full(seen.shape[:2], -1)
    for number, colour in reversed(list(enumerate(colours))):
        found[abs(seen - colour).max(axis=2) <= 4] = number
    return found


def around(grid, choose):
    """The chosen one of each pixel and its neighbours."""
    (height, width), padded = grid.shape, numpy.pad(grid, 1, "edge")
    return choose([padded[y:y + height, x:x + width] for y in range(3) for x in range(3)], axis=0)


@pytest.mark.slow
def test_each_place_of_the_written_maximum_has_the_highest_class_of_the_written_days(network, project, tmp_path):
    days = MONTH if ALL else MONTH[9:17]
    made = month(network, project, days, language="es")
    network.reset()
    done = layout_export.export_png(made.layout, tmp_path / "rain.png", DPI)
    asked = [seen["parameters"]["LAYERS"] for seen in network.requests if seen["request"] == "GetMap"]
    assert sorted(asked) == sorted(days), "each day is asked for once, and nothing for the summary"
    assert not [remark for remark in done.remarks if remark.rule == "summary"]
    page, colours = QImage(str(tmp_path / "rain.png")), class_colours(made)
    days = [classes_in(panel(page, item), colours) for item in layout_items.map_items(made.layout)]
    shown = classes_in(panel(page, made.layout.itemById(MAXIMUM)), colours)
    assert set(shown.flat) >= {4, 5, 6, 7, 8, 9}, "the whole of the legend's upper half"
    # the days' frames lie at parts of a pixel: what is compared is the neighbourhood
    height, width = numpy.min([grid.shape for grid in (shown, *days)], axis=0)
    assert height >= shown.shape[0] - 1 and width >= shown.shape[1] - 1
    highest = numpy.max([around(day[:height, :width], numpy.max) for day in days], axis=0)
    least = numpy.max([around(day[:height, :width], numpy.min) for day in days], axis=0)
    shown = shown[:height, :width]
    is_right = (least <= shown) & (shown <= highest)
    # a pixel between two classes may have the colour of a third one
    is_between = around(shown, numpy.min) != around(shown, numpy.max)
    inside, between = is_right[(shown >= 0) & ~is_between], is_right[(shown >= 0) & is_between]
    assert inside.size > 1000 and inside.all()
    assert between.size > 1000 and between.mean() >= 0.99
    judge_chart(made, page, days, colours)
    judge_pdf(made, tmp_path, len(asked))


def judge_pdf(made, tmp_path, count):
    """The maximum and the chart are content of the PDF, and only of what is exported."""
    layout_export.export_pdf(made.layout, tmp_path / "rain.pdf", DPI)
    text = pdf_text(tmp_path / "rain.pdf")
    assert f"Máximo de {count} días" in text
    # the panels of a month are too narrow for the long phrases
    phrases = ("Superficie por clase", f"Según los colores de los {count} mapas") if count > 20 else (
        "Parte de la superficie en cada clase", f"Calculado con los colores de los {count} mapas diarios")
    assert [phrase for phrase in phrases if phrase not in text] == []
    assert text.count("Consejería") == 1, "the credit of the days is that of their maximum"
    told = subprocess.run(["pdfinfo", "-struct", str(tmp_path / "rain.pdf")], capture_output=True, check=True).stdout
    assert told.decode().count("Figure") >= count + 3, "the maps, their maximum, the chart, and the scale bar"
    assert all(not made.layout.itemById(name).isVisible() for name in SUMMARY_ITEMS), "QGIS's own export has none"


def judge_chart(made, page, days, colours):
    """The chart has the share of each class for each day."""
    chart = classes_in(panel(page, made.layout.itemById(CHART)), colours)
    # columns of the chart that have any class, joined to bars
    filled = (chart >= 0).any(axis=0).tolist()
    bars = sum(1 for before, now in zip([False, *filled], filled) if now and not before)
    wet = [day for day in days if (day >= 0).sum() > 40]
    assert bars == len(wet) > 3
    # a share of less than 3 % may be lower than a pixel
    plain = max(number for day in wet for number in range(len(colours))
                if (day == number).sum() > 0.03 * (day >= 0).sum())
    assert plain <= chart.max() <= max(day.max() for day in days)


@pytest.mark.slow
def test_a_day_that_fails_leaves_no_page_with_a_maximum_of_the_others(network, project, tmp_path):
    made = month(network, project, MONTH[:3])
    network.fault({"match": {"request": "GetMap", "layer": MONTH[1]}, "action": {"type": "status", "code": 500}})
    for suffix in ("pdf", "png")[:2 if ALL else 1]:
        with pytest.raises(IncompleteMap) as refused:
            getattr(layout_export, f"export_{suffix}")(made.layout, tmp_path / f"rain.{suffix}", DPI, attempts=1)
        assert "2 de junio" in refused.value.user_text and list(tmp_path.iterdir()) == []
    done = layout_export.export_layouts(made.layout, tmp_path / "rain.pdf", layout_export.ExportFormat.PDF,
                                        layout_export.ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    assert done.problems and "Maximum" not in pdf_text(tmp_path / "rain.pdf"), "nor one that is exported all the same"


@pytest.mark.slow
def test_a_legend_that_does_not_explain_the_images_leaves_the_maximum_away_and_says_so(network, project, tmp_path):
    made = month(network, project, MONTH[:3])
    for colours, words in ((("#ff0000", "#00ff00", "#0000ff"), "not those of its legend"),
                           (("#e7f3eb",), "which of its classes")):
        for layer in made.layers:
            set_swatches(layer, [colour_swatch(colour, 1.0, f"{number} - {number + 1} mm")
                                 for number, colour in enumerate(colours)])
        done = layout_export.export_pdf(made.layout, tmp_path / "rain.pdf", DPI)
        remark, = (remark for remark in done.remarks if remark.rule == "summary")
        assert words in remark.message
        text = pdf_text(tmp_path / "rain.pdf")
        assert "Maximum" not in text and "Computed" not in text and "Wed 1 Jun" in text


def check_places(layout, count):
    """Nothing of a page of so many days lies over another item or off the page, and the maximum is at their scale."""
    page = layout.pageCollection().page(0)
    boxes = {item.id(): item.mapRectToScene(item.rect()).adjusted(0.05, 0.05, -0.05, -0.05)
             for item in (layout.itemById(name) for name in (
                 *SUMMARY_ITEMS, "legend", "credits", "scalebar", *(one.id() for one in layout_items.map_items(
                     layout)), *(f"label:{number + 1}" for number in range(count))))}
    names = sorted(boxes)
    assert all(page.mapRectToScene(page.rect()).contains(box) for box in boxes.values())
    assert not [(one, two) for at, one in enumerate(names) for two in names[at + 1:]
                if boxes[one].intersects(boxes[two])]
    assert layout.itemById(CHART).rect().width() > 30
    first, maximum = layout_items.main_map(layout).rect(), layout.itemById(MAXIMUM).rect()
    assert (first.width(), first.height()) == (maximum.width(), maximum.height()), "at the scale of the days"


@pytest.mark.slow
@pytest.mark.parametrize(("count", "paper", "scale"), some([
    (31, "A4", None), (28, "A4", 14000000.0), (31, "A3", 12000000.0)], 3))
def test_the_written_page_has_each_day_of_any_month_and_its_maximum(network, project, tmp_path, count, paper, scale):
    made = month(network, project, MONTH[:3], paper, scale=scale)
    # the service has an image for each day of July too, which no record names
    more = [made.plan.layers[day % 3] for day in range(count)]
    plan = replace(made.plan, layers=tuple(
        replace(layer, source=replace(layer.source, name=f"precipitacion_201607{day + 1:02d}"),
                title=f"Precipitación, {day + 1} de julio de 2016")
        for day, layer in enumerate(more)))
    layers = [made.layers[day % 3].clone() for day in range(count)]
    for layer, planned in zip(layers, plan.layers):
        fill_metadata(layer, planned)
        set_swatches(layer, swatches_of(made))
    project.addMapLayers(layers, False)
    layout = layout_builder.build_layout(project, plan, layers)
    layout.setCustomProperty("cartoguide/legend", "complete")
    check_places(layout, count)
    done = layout_export.export_pdf(layout, tmp_path / "rain.pdf", 72)
    assert not [remark for remark in done.remarks if remark.rule == "summary"]
    text = pdf_text(tmp_path / "rain.pdf")
    assert all(f" {day + 1} Jul" in text for day in range(count)) and f"Maximum of {count} days" in text
    subprocess.run(["pdftoppm", "-r", "72", "-png", "-singlefile", str(tmp_path / "rain.pdf"), str(tmp_path / "rain")],
                   check=True)
    page, colours = QImage(str(tmp_path / "rain.png")), class_colours(made)
    for item in (*layout_items.map_items(layout), layout.itemById(MAXIMUM)):
        shown = panel(page, item, 72)
        assert shown.width() > 40 and count_colours(shown, 1) > 2, item.id()
    assert set(classes_in(panel(page, layout.itemById(MAXIMUM), 72), colours).flat) >= {4, 6}


def test_two_days_have_no_maximum_nor_room_for_one(network, project):
    made = month(network, project, MONTH[:2])
    assert made.layout.itemById(MAXIMUM) is None and made.layout.itemById(CHART) is None


@pytest.mark.slow
def test_translucent_layers_have_the_same_maximum(network, project, tmp_path):
    known = known_records(network)
    overlay = replace(entry_of(known[network.endpoints["precipitation"]], MONTH[13:18]), opacity=0.5)
    made = composed(network, project, base=None, overlays=(overlay, ), extent=REGION, title="Rain", language="en",
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    done = layout_export.export_png(made.layout, tmp_path / "rain.png", DPI)
    assert not [remark for remark in done.remarks if remark.rule == "summary"]
    page = QImage(str(tmp_path / "rain.png"))
    pale = [tuple(round(part / 2 + 127.5) for part in colour) for colour in class_colours(made)]
    shown = classes_in(panel(page, made.layout.itemById(MAXIMUM)), pale)
    assert (shown >= 0).sum() > 3000, "as pale as the days"


def test_where_no_rain_is_known_the_maximum_shows_the_map_below_as_its_days_do(network, project, tmp_path):
    known = known_records(network)
    overlay = entry_of(known[network.endpoints["precipitation"]], MONTH[15:18])
    path = tmp_path / "zones.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[
            [-4 + step / 10, 38], [-3.9 + step / 10, 38], [-3.9 + step / 10, 39], [-4 + step / 10, 38]]]}}
        for step in range(10)]}))
    own = replace(refer_to(QgsVectorLayer(str(path), "Zonas", "ogr"), entries_below=0), credit="Propia, 2026")
    # classes enough for their order
    made = composed(network, project, base=None, overlays=(overlay, ), own_layers=(own, ),
                    extent=MapExtent(-4.0, 38.0, -3.2, 38.7), page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    network.reset()
    layout_export.export_png(made.layout, tmp_path / "park.png", DPI)
    assert sum(seen["request"] == "GetMap" for seen in network.requests) == 3, "none is asked for again"
    page = QImage(str(tmp_path / "park.png"))
    panels = [panel(page, made.layout.itemById(name)) for name in (MAXIMUM, layout_items.MAP)]
    height, width = (min(getattr(one, side)() for one in panels) for side in ("height", "width"))
    # what lies north of the region, where the service has no rain
    shown, day = (pixels(one)[:height // 5, width // 2:width, 2::-1].astype(int) for one in panels)
    assert len(numpy.unique(day.reshape(-1, 3), axis=0)) > 2, "zones and what lies between them"
    assert numpy.median(abs(shown - day).max(axis=2)) < 8


@pytest.mark.parametrize("paper", ["A4", "A3"])
def test_the_legend_of_a_written_month_has_the_classes_of_its_maps_from_the_lowest_to_the_highest(
        network, project, tmp_path, paper):
    overlay = entry_of(known_records(network)[network.endpoints["precipitation"]], MONTH[8:12])
    made = composed(network, project, base=None, overlays=(overlay, ), language="en",
                    extent=MapExtent(-4.0, 38.0, -3.2, 38.7), page=PageSetup(paper, Orientation.LANDSCAPE, "multiples"))
    layout_export.export_png(made.layout, tmp_path / "park.png", DPI)
    page, every = QImage(str(tmp_path / "park.png")), class_colours(made)
    on_maps = {number for item in layout_items.map_items(made.layout)
               for number in numpy.unique(classes_in(panel(page, item), every))} - {-1}
    assert 1 <= len(on_maps) < len(every) - 3
    listed = classes_in(panel(page, made.layout.itemById(layout_items.LEGEND)), every)
    shown = {number for number in range(len(every)) if (listed == number).sum() > 30}
    assert shown == set(range(min(on_maps), max(on_maps) + 1))
    assert len([node for layer in made.layout.itemById(layout_items.LEGEND).model().rootGroup().findLayers() for node
                in made.layout.itemById(layout_items.LEGEND).model().layerLegendNodes(layer)]) > len(shown), "a copy"


def test_the_legend_of_a_written_map_has_the_classes_of_own_layers_that_lie_on_it(network, project, tmp_path):
    path = tmp_path / "zones.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"zone": name}, "geometry": {"type": "Point", "coordinates": place}}
        for name, place in (("Reserve", [-3.5, 38.37]), ("Access", [-3.52, 38.38]), ("Elsewhere", [-5.9, 37.4]))]}))
    layer = QgsVectorLayer(str(path), "Zones", "ogr")
    layer.setRenderer(QgsCategorizedSymbolRenderer("zone", [
        QgsRendererCategory(name, QgsSymbol.defaultSymbol(layer.geometryType()), name)
        for name in ("Reserve", "Access", "Elsewhere", "Nowhere")]))
    own = replace(refer_to(layer), credit="Own survey, 2026")
    made = composed(network, project, own_layers=(own, ), language="en")
    layout_export.export_pdf(made.layout, tmp_path / "park.pdf", 60)
    text = pdf_text(tmp_path / "park.pdf")
    assert "Reserve" in text and "Access" in text
    assert "Elsewhere" not in text and "Nowhere" not in text


#: papers with numbers of days: all of them in the long run, and a whole month on A4 above
LENGTHS = {"A4": (30, 28, 3, 7), "A3": (30, 28, 3, 7)} if ALL else {"A3": (7,)}


@pytest.mark.parametrize("paper", LENGTHS)
def test_nothing_of_the_summary_lies_over_another_item_or_off_the_page(network, project, paper):
    for days in (MONTH[:count] for count in LENGTHS[paper]):
        project.clear()
        made = month(network, project, days, paper)
        check_places(made.layout, len(days))


@pytest.mark.slow
def test_the_picture_of_the_page_has_the_maximum_too(network, qgis_app, wait_until):
    from plugin.gis.previews import page_drawing

    project = QgsProject.instance()
    made = month(network, project, MONTH[13:18])
    network.reset()
    drawing = page_drawing.PageDrawing(project, made.plan, made.layers, 1100, page_stores())
    pictures: list[page_drawing.PagePicture] = []
    drawing.drawn.connect(pictures.append)
    drawing.start()
    wait_until(lambda: bool(pictures) and pictures[-1].is_complete, 60)
    asked = [seen["parameters"]["LAYERS"] for seen in network.requests if seen["request"] == "GetMap"]
    drawing.close()
    assert sorted(asked) == sorted(MONTH[13:18])
    assert len(set(classes_in(cut(pictures[-1], MAXIMUM), class_colours(made)).flat)) > 5, "classes of several days"
    assert QColor(cut(pictures[-1], CHART).pixel(2, 2)).isValid()

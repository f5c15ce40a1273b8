"""PDFs of every kind of page: the rules of an archive copy, and what a program that reads aloud finds in them."""

from __future__ import annotations

import json
import subprocess

import pytest
from PIL import Image
from pypdf import PdfReader
from qgis.core import (
    QgsFilledMarkerSymbolLayer,
    QgsFillSymbol,
    QgsGradientFillSymbolLayer,
    QgsHeatmapRenderer,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsSingleSymbolRenderer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsVectorLayerSimpleLabeling,
)
from qgis.PyQt.QtGui import QColor, QPainter

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
from plugin.gis.credits.layer_credits import credits_of_layers
from plugin.gis.export import atlas, layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.layout_export import ExportFormat
from plugin.gis.legends.legend_graphics import fetch_legends
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.runtime import settings, tasks
from tests.pairwise import ALL
from tests.qgis.pdf_archive import broken_rules
from tests.qgis.print_maps import composed
from tests.qgis.test_overflow_page import many
from tests.qgis.test_own_layers import own_points
from tests.qgis.test_pixels import composed_page

DPI = 60
#: colours in all ways, letters of a font that is not there, and an image within
LOGO = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 40 20">
<defs><linearGradient id="a"><stop offset="0" stop-color="#f00" stop-opacity="0.5"/><stop offset="1"
stop-color="#00f"/></linearGradient></defs><rect width="40" height="20" fill="url(#a)"/>
<text x="2" y="12" font-size="6" font-family="NoSuchFont, sans-serif">Parque ﬁ</text>
<image x="30" y="2" width="8" height="8" xlink:href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ
AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="/></svg>"""


@pytest.fixture
def no_logos_after():
    yield
    settings.set("logos", "[]")


def picture(path, mode):
    Image.new(mode, (300, 200), {"CMYK": (10, 200, 30, 0), "L": 100, "RGBA": (10, 20, 30, 100)}[mode]).save(path)
    return str(path)


def leaflet(network, project, folder):
    photos = tuple(LeafletPhoto(picture(folder / name, mode), f"Pinos en {mode}", "Foto: Ana Pérez") for name, mode in (
        ("print.jpg", "CMYK"), ("grey.jpg", "L"), ("clear.png", "RGBA")))
    texts = LeafletTexts("Un paseo entre pinares. " * 20, "Por la A-4, salida 257.", "De 10 a 14 h.", "112",
                         photos=photos, bleed=True, table=tuple(TableSource(network.endpoints["facilities"], layer)
                                                 for layer in ("miradores", "centros_visitantes")))
    page = PageSetup("A3", Orientation.LANDSCAPE, "leaflet", leaflet=texts)
    return [composed(network, project, page=page, language="es").layout]


def logos_and_code(network, project, folder):
    (folder / "own.svg").write_text(LOGO, encoding="utf-8")
    settings.set("logos", json.dumps([str(folder / "own.svg"), picture(folder / "print.jpg", "CMYK")]))
    page = PageSetup("A0", Orientation.PORTRAIT, "guide", theme="large-print", link="https://catalogo.example/a/b")
    return [composed(network, project, page=page, language="en").layout]


def own_layers(network, project, folder):
    """Own layers with gradients, letters with halos, blend modes, and what QGIS draws as an image."""
    found = []
    for number, change in enumerate((_gradient, _letters, _heat)):
        (folder / str(number)).mkdir()
        layer = own_points(folder / str(number), f"© Ana {number}")
        change(layer)
        layer.setOpacity(0.6)
        found.append(refer_to(layer, entries_below=1))
    page = PageSetup("A4", Orientation.LANDSCAPE, "guide", rotation=30.0)
    return [composed(network, project, own_layers=tuple(found), page=page).layout]


def _gradient(layer):
    symbol, filled = QgsMarkerSymbol(), QgsFilledMarkerSymbolLayer()
    fill = QgsFillSymbol.createSimple({"color": "0,200,0,90"})
    fill.changeSymbolLayer(0, QgsGradientFillSymbolLayer(QColor(255, 0, 0, 100), QColor(0, 0, 255)))
    filled.setSubSymbol(fill)
    symbol.changeSymbolLayer(0, filled)
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))
    layer.setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)


def _letters(layer):
    labels, letters, halo = QgsPalLayerSettings(), QgsTextFormat(), QgsTextBufferSettings()
    labels.fieldName = "kind"
    halo.setEnabled(True)
    letters.setBuffer(halo)
    labels.setFormat(letters)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(labels))
    layer.setLabelsEnabled(True)


def _heat(layer):
    layer.setRenderer(QgsHeatmapRenderer())


def scales(network, project, folder):
    made = composed(network, project)
    plans = atlas.scale_plans(made.plan, [80000.0, 100000.0])
    layouts = [layout_builder.build_layout(project, plan, made.layers, name=f"scale {number}")
               for number, plan in enumerate(plans)]
    legends = tasks.run_and_wait(lambda feedback: fetch_legends(made.plan.layers, 80000.0, feedback), 60)
    for layout, plan in zip(layouts, plans):
        layout_builder.set_legends(layout, plan, made.layers, legends)
    return layouts


KINDS = {
    "sheet": lambda network, project, folder: [composed_page(network, project, "sheet", "A4", Orientation.PORTRAIT)],
    "field": lambda network, project, folder: [composed_page(network, project, "field", "A3", Orientation.LANDSCAPE)],
    "multiples": lambda network, project, folder: [
        composed_page(network, project, "multiples", "A4", Orientation.LANDSCAPE).layout],
    "leaflet": leaflet,
    "overflow": lambda network, project, folder: [many(project, 40, PageSetup())],
    "logos": logos_and_code,
    "own": own_layers,
    "scales": scales,
}


def layouts_of(kind, network, project, folder):
    made = KINDS[kind](network, project, folder)
    return [getattr(each, "layout", each) for each in made]


def told(path):
    """The structure as poppler reads it: types and texts, without attributes."""
    done = subprocess.run(["pdfinfo", "-struct-text", str(path)], capture_output=True, check=True)
    lines = (line.strip() for line in done.stdout.decode().splitlines())
    # newer versions of poppler print a figure's alternative text behind its name
    return ["Figure" if line.startswith("Figure") else line.split(" (")[0].rstrip(":") for line in lines
            if not line.startswith("/")]


#: beside small maps and a leaflet, which have tests of their own
OTHERS = [kind for kind in KINDS if kind not in ("multiples", "leaflet")] if ALL else ["overflow", "own"]


def archive_copy(layouts, path):
    """Write a PDF that keeps the rules of an archive copy and can be read aloud; what is read."""
    layout_export.export_layouts(layouts, path, ExportFormat.PDF, ExportOptions(DPI))
    assert broken_rules(path) == []
    reader = PdfReader(str(path), strict=True)
    root = reader.trailer["/Root"]
    assert b"pdfaid:part" in root["/Metadata"].get_object().get_data() and root["/Lang"] in ("es", "en")
    elements = [kid.get_object() for kid in root["/StructTreeRoot"]["/K"][0]["/K"]]
    kinds = [element["/S"] for element in elements]
    headings = [int(kind[2:]) for kind in kinds if kind.startswith("/H")]
    assert headings[0] == 1 and all(after <= before + 1 for before, after in zip(headings, headings[1:]))
    assert all(element["/Alt"].strip() for element in elements if element["/S"] == "/Figure")
    title = told(path)
    assert title.index("H1") < title.index("Figure"), "each document begins with its title"
    owed = credits_of_layers(layouts[0].project().mapLayers().values())
    maps = [element["/Alt"] for element in elements if element.get("/Alt", "").startswith(("Mapa: ", "Map: "))]
    assert maps and owed and not any("Cartoguide" in text for text in maps), "no layers of the plugin's own"
    assert any(credit in text for credit in owed for text in maps)
    return title


@pytest.mark.slow
@pytest.mark.parametrize("kind", OTHERS)
def test_a_pdf_of_each_kind_is_an_archive_copy_that_can_be_read_aloud(network, project, tmp_path, no_logos_after, kind):
    archive_copy(layouts_of(kind, network, project, tmp_path), tmp_path / f"{kind}.pdf")


@pytest.mark.slow
def test_small_maps_are_read_each_with_its_day(network, project, tmp_path):
    layouts, path = layouts_of("multiples", network, project, tmp_path), tmp_path / "days.pdf"
    lines = [line for line in archive_copy(layouts, path) if line not in ('""', "LI", "LBody")]
    subtitle = '"1 de junio de 2016 – 3 de junio de 2016"'
    assert lines[3:13] == ["P", subtitle, "H2", '"mié 1 jun"', "Figure", "H2", '"jue 2 jun"', "Figure", "H2",
                           '"vie 3 jun"']
    elements = PdfReader(str(path)).trailer["/Root"]["/StructTreeRoot"]["/K"][0]["/K"]
    maps = [text for text in (element.get_object().get("/Alt", "") for element in elements) if "1:" in text]
    assert [text.split(" – ")[1].split(".")[0] for text in maps] == ["mié 1 jun", "jue 2 jun", "vie 3 jun"]
    assert all(f"{day} de junio de 2016" in text for day, text in enumerate(maps, 1))


@pytest.mark.slow
def test_a_leaflet_is_read_panel_by_panel_and_its_table_row_by_row(network, project, tmp_path):
    layouts, path = layouts_of("leaflet", network, project, tmp_path), tmp_path / "leaflet.pdf"
    lines = archive_copy(layouts, path)
    assert lines[1:4] == ["H1", '"Despeñaperros a mano"', "Figure"]
    table = lines[lines.index('"Senderos y equipamientos"'):]
    rows = [line for line in table if line.startswith(('"', "H3", "Lbl"))]
    first = rows.index('"Miradores"')
    names = [row for row in rows if row.startswith('"Mirador ')]
    assert rows[first - 1:first + 4] == ["H3", '"Miradores"', "Lbl", '"1"', names[0]]
    assert len(names) == 10 and rows.count("Lbl") > len(names), "the second layer's rows follow under their heading"
    outside = lines[lines.index("H1", 2):]
    assert lines.index('"Leyenda"') < len(lines) - len(outside), "the legend is beside the map"
    assert outside.index('"Emergencias"') < outside.index('"La visita"') < outside.index('"Senderos y equipamientos"')
    assert outside[outside.index('"Emergencias"') + 2] == '"112"'
    assert outside.index("Figure") < outside.index("H2"), "the cover's"


@pytest.mark.slow
@pytest.mark.skipif(not layout_export.geopdf_available(), reason="this GDAL writes no GeoPDF")
def test_a_geopdf_keeps_the_attributes_of_its_features_and_is_an_archive_copy(network, project, tmp_path):
    (tmp_path / "own").mkdir()
    own = refer_to(own_points(tmp_path / "own"), entries_below=1)
    layout, path = composed(network, project, own_layers=(own,)).layout, tmp_path / "map.pdf"
    layout_export.export_layouts(layout, path, ExportFormat.GEOPDF, ExportOptions(DPI))
    assert broken_rules(path) == []
    root = PdfReader(str(path), strict=True).trailer["/Root"]
    assert b"pdfaid:part" in root["/Metadata"].get_object().get_data()
    elements = [kid.get_object() for kid in root["/StructTreeRoot"]["/K"][0]["/K"]]
    layers = {element["/T"]: element for element in elements if element["/S"] == "/Layer"}
    features = [kid.get_object() for kid in layers["Puntos propios"]["/K"]]
    attributes = {each["/N"]: each["/V"] for feature in features for each in feature["/A"]["/P"]}
    assert attributes["kind"] in ("a", "b")
    figure = next(element for element in elements if element["/S"] == "/Figure")
    assert "Despeñaperros a mano" in figure["/Alt"] and "Créditos" in figure["/Alt"]

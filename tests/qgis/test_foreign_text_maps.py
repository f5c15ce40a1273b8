"""A map whose titles, texts and credits are hostile: nothing is evaluated, opened or lost in layers and files."""

from __future__ import annotations

import csv
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree
from qgis.core import QgsLayerMetadataFormatter, QgsLayoutExporter, QgsLayoutItemLegend, QgsPrintLayout, QgsVectorLayer
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QImage

from plugin.core.text import printable
from plugin.gis.export import layout_export, map_pipeline
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.legends.legend_nodes import Swatch, SwatchLegend
from tests.foreign_text import FORMULA, SECRET, SECRET_NAME, OpenedFiles, hostile
from tests.qgis.algorithm_runs import registered_provider, run
from tests.qgis.print_maps import known_records, pdf_text, small_map
from tests.saved_services import cache_of
from tests.slowness import slowness

RECORD = Path(__file__).parent.parent / "unit" / "fixtures" / "records" / "service_editor.xml"
#: elements of capabilities whose text is for people
FOR_PEOPLE = ("Title", "Abstract", "Keyword", "Fees", "AccessConstraints", "ContactPerson", "ContactOrganization")


@pytest.fixture
def image(tmp_path, monkeypatch):
    """A picture that nobody should open."""
    monkeypatch.setenv(SECRET_NAME, SECRET)
    path = tmp_path / "seen.png"
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(path))
    return path


def hostile_capabilities(endpoint: str, text: str) -> bytes:
    address = f"{endpoint}{'' if endpoint.endswith(('?', '&')) else '?'}SERVICE=WMS&REQUEST=GetCapabilities"
    with urllib.request.urlopen(address, timeout=20) as answer:
        root = etree.fromstring(answer.read())
    for number, element in enumerate(root.iter(*(f"{{*}}{name}" for name in FOR_PEOPLE))):
        element.text = f"{number} {text}"
    return etree.tostring(root, encoding="utf-8", xml_declaration=True)


@pytest.fixture
def made(network, project, image):
    """A composed map with hostile texts wherever its record, its services and its document have one."""
    text = hostile(image)
    short = f"[% env('{SECRET_NAME}') %]<img src=\"file://{image}\">"
    known = known_records(network)
    for endpoint, record in known.items():
        contacts = tuple(replace(contact, organisation=short, individual=short) for contact in record.contacts)
        known[endpoint] = replace(record, title=f"{record.title} {short}", abstract=text, purpose=text, lineage=text,
                                  keywords=(text,), fees=text, contacts=contacts)
    endpoints = [network.endpoints[name] for name in ("guide", "facilities")]
    cache = cache_of({endpoint: hostile_capabilities(endpoint, text) for endpoint in endpoints})
    started = time.monotonic()
    document = small_map(network, known, title=f"A & B < C {short}")
    composed = map_pipeline.compose_map(project, document, known, cache, 60)
    assert time.monotonic() - started < 60 * slowness(), "an expression was evaluated"
    return composed


def test_nothing_of_a_hostile_map_is_evaluated_or_opened(made, project, image, tmp_path):
    watch = OpenedFiles(image)
    names = [layer.name() for layer in project.mapLayers().values()]
    names += [group.name() for group in project.layerTreeRoot().findGroups(True)]
    assert names and not [name for name in names if "[%" in name or "<img" in name or "\u202e" in name]
    assert [name for name in names if SECRET_NAME in name], "the text is there, to be read"
    for layer in (layer for layer in project.mapLayers().values() if layer.providerType() == "wms"):
        # without the provider's part, which QGIS makes of the capabilities itself
        page = QgsLayerMetadataFormatter(layer.metadata())
        shown = "".join((page.identificationSectionHtml(), page.contactsSectionHtml(), page.accessSectionHtml(),
                         page.linksSectionHtml(), layer.attribution(), layer.title(), layer.abstract()))
        assert image.name in shown and "<img" not in shown
    started = time.monotonic()
    for kind in ("pdf", "svg"):
        layout_export.export_layouts(made.layout, tmp_path / f"map.{kind}", kind, ExportOptions(96))
    assert time.monotonic() - started < 60 * slowness(), "an expression was evaluated"
    text = pdf_text(tmp_path / "map.pdf")
    assert SECRET not in text and SECRET_NAME in text.replace(" ", "")
    drawing = etree.parse(str(tmp_path / "map.svg"))
    assert SECRET not in etree.tostring(drawing, encoding="unicode")
    titles = [element.text.replace("\u200b", "") for element in drawing.iter("{*}title") if element.text]
    assert printable(made.plan.title) in titles, "with & and <, as it is"
    watch_count = watch.count()
    watch.close()
    assert watch_count == 0


def test_a_layout_of_ones_own_does_not_evaluate_the_names_of_the_layers(made, project, tmp_path):
    layout = QgsPrintLayout(project)
    layout.initializeDefaults()
    legend = QgsLayoutItemLegend(layout)
    layout.addLayoutItem(legend)
    legend.attemptSetSceneRect(QRectF(0, 0, 200, 200))
    legend.adjustBoxSize()
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.textRenderFormat = made.layout.renderContext().textRenderFormat()
    started = time.monotonic()
    result = QgsLayoutExporter(layout).exportToPdf(str(tmp_path / "own.pdf"), settings)
    assert result == QgsLayoutExporter.ExportResult.Success and time.monotonic() - started < 60 * slowness()
    assert SECRET not in pdf_text(tmp_path / "own.pdf")


def test_entries_of_a_legend_are_inert(made, project, image):
    layer = next(iter(project.mapLayers().values()))
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    layer.setLegend(SwatchLegend([Swatch(picture, 3, 3, hostile(image))], ""))
    node = layer.legend().createLayerTreeModelLegendNodes(project.layerTreeRoot().findLayer(layer.id()))[0]
    assert "[%" not in node.data(0) and "<img" not in node.data(0) and "env(" in node.data(0)


def test_a_file_that_is_opened_is_seen(image):
    watch = OpenedFiles(image)
    assert watch.count() == 0
    image.read_bytes()
    assert watch.count() == 1
    watch.close()


@pytest.fixture
def provider(qgis_app):
    with registered_provider() as one:
        yield one


def test_tables_for_spreadsheets_have_no_formulas(provider, tmp_path):
    record = etree.parse(str(RECORD))
    for element in record.iter("{*}CharacterString"):
        element.text = FORMULA
    (tmp_path / "records").mkdir()
    record.write(str(tmp_path / "records" / "record.xml"), encoding="utf-8", xml_declaration=True)
    for name in ("readrecords", "resolveterms", "checkrecords"):
        output = {"checkrecords": "CSV", "resolveterms": "TERMS"}.get(name, "TABLE")
        run(name, {"FOLDER": str(tmp_path / "records"), output: str(tmp_path / f"{name}.csv")})
        with open(tmp_path / f"{name}.csv", encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert [cell for cell in cells if cell.startswith(tuple("=+@\t\r"))] == []
        assert name == "checkrecords" or f"'{FORMULA}" in cells
    run("readrecords", {"FOLDER": str(tmp_path / "records"), "TABLE": str(tmp_path / "records.gpkg")})
    layer = QgsVectorLayer(str(tmp_path / "records.gpkg"), "records", "ogr")
    assert [feature["title"] for feature in layer.getFeatures()] == [FORMULA], "a database has it as it is written"

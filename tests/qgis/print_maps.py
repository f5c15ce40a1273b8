"""Small custom maps of the test network, composed for the print tests."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import numpy
from qgis.core import Qgis, QgsFeedback, QgsLayoutExporter, QgsLayoutItemMap, QgsPrintLayout
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtGui import QImage
from source_server import is_second_part

from plugin.core.box import Box
from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.model import CustomMap, MapExtent, Orientation, PageSetup
from plugin.core.distributions.record_distributions import wms_address
from plugin.core.pages.leaflet import LeafletTexts, TableSource
from plugin.core.records import read
from plugin.core.terms import terms_for
from plugin.gis.export import atlas, map_pipeline
from plugin.gis.layouts import layout_items
from plugin.gis.pages import map_book
from plugin.gis.pixels.request import PixelRequest
from plugin.gis.services import service_cache

PARK = MapExtent(-3.5966, 38.3295, -3.4233, 38.4306)
GUIDE_LAYERS = ("limite_parque", "carreteras")
FACILITY_LAYERS = ("miradores", "centros_visitantes")
NO_TEXTS = LeafletTexts()


def known_records(network):
    """The records of the network by endpoint."""
    found = {}
    for path in network.records:
        for record in read(path.read_bytes(), path.name):
            found[wms_address(record)] = record
    return found


def entry_of(record, layers):
    """The entry of a record's service with these layers."""
    return entry_from_record(record, terms_for(record), layers=layers)


def small_map(network, known=None, guide=GUIDE_LAYERS, facilities=FACILITY_LAYERS, **changes):
    """Two layers of the park guide below two of the facilities; ``changes`` are members of the CustomMap."""
    known = known or known_records(network)
    base = entry_of(known[network.endpoints["guide"]], guide)
    overlay = entry_of(known[network.endpoints["facilities"]], facilities)
    made = CustomMap(title="Despeñaperros a mano", base=base, overlays=(overlay,), extent=PARK, page=PageSetup())
    return replace(made, **changes)


#: services once read serve all tests of a run that inject no fault into reading them
_services = {}


def composed(network, project, fresh=False, **changes):
    """``small_map`` as layers in the project and a layout; ``fresh`` reads the services anew."""
    known = known_records(network)
    cache = service_cache.ServiceCache() if fresh else _services.setdefault(network.url, service_cache.ServiceCache())
    return map_pipeline.compose_map(project, small_map(network, known, **changes), known, cache, 60)


def leaflet_page(network, texts=NO_TEXTS, table=("miradores",), **fields):
    """The page of a leaflet with a text and a table of these layers of the facilities, without which it is a guide map.
    """
    sources = tuple(TableSource(network.endpoints["facilities"], name) for name in table)
    return PageSetup("A3", Orientation.LANDSCAPE, "leaflet", leaflet=replace(
        texts, visitor_text=texts.visitor_text or "Un parque.", table=texts.table or sources), **fields)


#: ways in which a map is printed on more than one page or map
RUNS = ("series", "leaflet", "book", "multiples")


def composed_pages(network, project, run, own):
    """The layouts of a map with an own layer below the services, printed as ``run``. Those of a book need one file."""
    pages = {"leaflet": leaflet_page(network),
             "multiples": PageSetup("A4", Orientation.LANDSCAPE, "multiples")}
    changes = {"own_layers": (own,), "page": pages.get(run, PageSetup())}
    if run == "multiples":
        # small maps are those of a series alone
        days = [f"precipitacion_2016060{day}" for day in (1, 2, 3, 4)]
        rain = entry_of(known_records(network)[network.endpoints["precipitation"]], days)
        changes.update(base=None, overlays=(rain,))
    made = composed(network, project, **changes)
    if run in pages:
        return list(made.layouts)
    if run == "series":
        plans = atlas.scale_plans(made.plan, (80_000.0, 160_000.0))
    else:
        names = {"Norte": Box(-3.58, 38.36, -3.48, 38.42), "Sur": Box(-3.55, 38.34, -3.45, 38.40)}
        sheets = atlas.feature_plans(made.plan, [atlas.AtlasFeature(*one) for one in names.items()])
        plans = [atlas.overview_plan(made.plan, sheets, project), *sheets]
    layouts = atlas.build_and_wait(project, plans, [made.layers] * len(plans), made.plan.title, seconds=60)
    if run == "book":
        map_book.add_book_items(layouts[1:], list(names), layouts[0])
    return layouts


def strikes_other_pages(sources, layouts, print_page):
    """Whether a request is one that the page of the smallest area does not need, or for a part of the only page."""
    if len(layouts) == 1:
        return is_second_part
    sources.requests.clear()
    print_page(min(layouts, key=lambda layout: layout_items.main_map(layout).extent().area()))
    known = {(one["path"], one["query"]) for one in sources.requests}
    return lambda request: (request["path"], request["query"]) not in known


def addresses(requests):
    """The addresses of all images that are planned, each once."""
    return list(dict.fromkeys(piece.url for request in requests if isinstance(request, PixelRequest)
                              for piece in request.pieces))


def times_requested(network, layer):
    """How often the image of a layer was requested."""
    return sum(layer in seen["layers"] for seen in network.requests if seen["request"] == "GetMap")


def cancelled_once_requested(network, layer):
    """A feedback that is cancelled as soon as the image of a layer was requested."""
    feedback = QgsFeedback()
    timer = QTimer(feedback)

    def cancel_if_requested():
        if times_requested(network, layer):
            timer.stop()
            feedback.cancel()

    timer.timeout.connect(cancel_if_requested)
    timer.start(50)
    return feedback


def pdf_text(path: Path) -> str:
    """The text of a PDF in reading order, white space folded."""
    done = subprocess.run(["pdftotext", "-raw", str(path), "-"], capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())


def text_without_maps(layout: QgsPrintLayout, path: Path) -> str:
    """The text of the page as QGIS alone writes it, at a tenth of the cost of an export: without any map."""
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        item.setVisibility(False)
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.dpi = 72
    settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
    assert QgsLayoutExporter(layout).exportToPdf(str(path), settings) == QgsLayoutExporter.ExportResult.Success
    return pdf_text(path)


def pixels(image):
    """A picture as an array of rows, columns and blue, green, red, alpha."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    bits = image.constBits()
    bits.setsize(image.sizeInBytes())
    return numpy.frombuffer(bytes(bits), numpy.uint8).reshape(image.height(), image.width(), 4)


def colours(image, step=3):
    """How many colours a picture has, looked at every ``step`` pixels."""
    seen = pixels(image)[::step, ::step]
    return len(numpy.unique(numpy.ascontiguousarray(seen).view(numpy.uint32)))

"""Draw every page of the demo's network and small sheets of them, to look at: `tests/tools/page_sheets.py OUT`.

Each template on each paper, in both languages and in every theme, with all layers of the services. `--only guide-A1`
draws those whose names contain that. Run it with the Python that QGIS has.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Iterator, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PARK, REGION = (-3.5966, 38.3295, -3.4233, 38.4306), (-7.5, 36.0, -1.66, 38.73)
LINK = "https://catalogo.example/geonetwork/srv/spa/catalog.search#/metadata/0a1b2c3d"
#: pixels of a page's longer side, of one on a small sheet, and pages side by side
LONG_SIDE, SMALL_SIDE, COLUMNS = 1750, 560, 4
#: resolution below which services draw symbols too large, as they have a least size in pixels
LEAST_DPI = 72
TABLE = (("guide", "senderos"), ("facilities", "centros_visitantes"), ("facilities", "miradores"),
         ("facilities", "Áreas_recreativas"))
TEXTS = {
    "es": ("Un desfiladero de cuarcita en la puerta de Andalucía: buitres leonados sobre Los Órganos, encinares y "
           "alcornocales, y el camino viejo entre La Mancha y el valle del Guadalquivir.\n\nEl centro de visitantes "
           "Puerta de Andalucía presta prismáticos y planos de los senderos. En verano conviene madrugar: hay poca "
           "sombra y las fuentes se secan.",
           "Por la autovía A-4, salida 257 (Santa Elena). Tren hasta Vilches, a 25 km.",
           "Centro de visitantes: de jueves a domingo, de 10 a 14 h.\nJulio y agosto: de 9 a 13 h.",
           "Emergencias: 112\nIncendios forestales: 112\nGuardia Civil: 062"),
    "en": ("A gorge of quartzite at the gate of Andalusia: griffon vultures above Los Órganos, woods of holm and cork "
           "oak, and the old road between La Mancha and the valley of the Guadalquivir.\n\nThe visitor centre Puerta "
           "de Andalucía lends binoculars and maps of the trails. Start early in summer: there is little shade, and "
           "the springs run dry.",
           "By the A-4 motorway, exit 257 (Santa Elena). Train to Vilches, 25 km away.",
           "Visitor centre: Thursday to Sunday, 10 am to 2 pm.\nJuly and August: 9 am to 1 pm.",
           "Emergencies: 112\nForest fires: 112\nGuardia Civil: 062"),
}


class Page(NamedTuple):
    """One page to draw."""

    template: str
    paper: str
    orientation: str
    language: str
    theme: str

    @property
    def name(self) -> str:
        return "-".join(self)


def pages() -> Iterator[Page]:
    from plugin.core.page_design.page_themes import THEME_NAMES
    from plugin.gis.layouts.templates import bundled_templates

    for template in bundled_templates():
        for paper, orientation in template.sizes:
            for language in ("es", "en"):
                for theme in THEME_NAMES:
                    yield Page(template.name, paper, orientation.value, language, theme)


def custom_map(page: Page, known, endpoints, photo: Path):
    from plugin.core.custommap.map_entries import entry_from_record
    from plugin.core.custommap.model import CustomMap, MapExtent, Orientation, PageSetup
    from plugin.core.pages.leaflet import LeafletPhoto, LeafletTexts, TableSource
    from plugin.core.terms import terms_for

    def entry(name):
        record = known[endpoints[name]]
        return entry_from_record(record, terms_for(record))

    texts = LeafletTexts(
        *TEXTS[page.language], photos=(LeafletPhoto(str(photo), "Los Órganos", "Foto: Ana Pérez, CC BY 4.0"), ),
        table=tuple(TableSource(endpoints[service], name) for service, name in TABLE))
    setup = PageSetup(page.paper, Orientation(page.orientation), page.template, link=LINK, leaflet=texts,
                      theme=page.theme)
    if page.template == "multiples":
        title = "Precipitación en Andalucía, junio de 2016" if page.language == "es" else "Rain in Andalusia, June 2016"
        return CustomMap(title=title, language=page.language, overlays=(entry("precipitation"), ),
                         extent=MapExtent(*REGION), page=setup)
    return CustomMap(title="Parque Natural Despeñaperros", language=page.language, base=entry("guide"),
                     overlays=(entry("facilities"), ), extent=MapExtent(*PARK), page=setup)


def draw_photo(path: Path) -> None:
    """Draw a picture that passes for a photo: hills one behind the other below a sky."""
    import math

    from qgis.PyQt.QtCore import QPointF
    from qgis.PyQt.QtGui import QColor, QImage, QLinearGradient, QPainter, QPolygonF

    image = QImage(1200, 800, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    sky = QLinearGradient(0, 0, 0, 520)
    sky.setColorAt(0, QColor("#7fa9c9"))
    sky.setColorAt(1, QColor("#f2dcc0"))
    painter.fillRect(image.rect(), sky)
    for number, colour in enumerate(("#94a3a8", "#6f8a83", "#4f7159", "#33533a")):
        ridge = [QPointF(x, 330 + 110 * number + (60 - 6 * number) * math.sin(x / (210 - 30 * number) + 2 * number)
                         + 18 * math.sin(x / 37 + number)) for x in range(0, 1201, 6)]
        painter.setBrush(QColor(colour))
        painter.setPen(QColor(colour))
        painter.drawPolygon(QPolygonF([*ridge, QPointF(1200, 800), QPointF(0, 800)]))
    painter.end()
    image.save(str(path))


def draw(layout, out: Path, page: Page) -> list[Path]:
    """Write the pages of a layout as images, and return their files."""
    from qgis.core import QgsLayoutExporter
    from qgis.PyQt.QtCore import QSize

    from plugin.gis.pixels.fetch import fetch_pixels
    from plugin.gis.pixels.plan import plan_page
    from plugin.gis.pixels.raster import drawn_locally
    from plugin.gis.runtime import tasks

    size = layout.pageCollection().page(0).rect().size()
    dpi = max(LEAST_DPI, round(LONG_SIDE / max(size.width(), size.height()) * 25.4))
    files = []

    requests = plan_page(layout, dpi, True)
    with tempfile.TemporaryDirectory() as folder:
        pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, Path(folder)))
        with drawn_locally([layout], requests, pieces):
            for number in range(layout.pageCollection().pageCount()):
                image = QgsLayoutExporter(layout).renderPageToImage(number, QSize(), dpi)
                files.append(out / (f"{page.name}-{number + 1}.png"))
                image.save(str(files[-1]))
    return files


def small_sheet(files: list[Path], out: Path) -> None:
    """Put the pages side by side, each with its name."""
    from qgis.PyQt.QtCore import Qt
    from qgis.PyQt.QtGui import QColor, QImage, QPainter

    rows = -(-len(files) // COLUMNS)
    cell = SMALL_SIDE + 26
    sheet = QImage(COLUMNS * cell, rows * cell, QImage.Format.Format_RGB32)
    sheet.fill(QColor("#808080"))
    painter = QPainter(sheet)
    painter.setPen(QColor("white"))
    for number, file in enumerate(files):
        small = QImage(str(file)).scaled(SMALL_SIDE, SMALL_SIDE, Qt.AspectRatioMode.KeepAspectRatio,
                                         Qt.TransformationMode.SmoothTransformation)
        x, y = number % COLUMNS * cell + 8, number // COLUMNS * cell + 20
        painter.drawText(x, y - 5, file.stem)
        painter.drawImage(x, y, small)
    painter.end()
    sheet.save(str(out))


def run(given: argparse.Namespace, scratch: Path) -> None:
    from network import Network
    from qgis.core import QgsApplication, QgsProject

    application = QgsApplication([], True, str(scratch / "profile"))
    application.initQgis()
    from demo import read_records

    from plugin.gis.export import map_pipeline
    from plugin.gis.layouts.layout_items import layout_notes
    from plugin.gis.runtime import settings
    from plugin.gis.services.service_cache import ServiceCache

    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    settings.set("own_colours", json.dumps(["#7a1f3d", "#e0a030"]))
    draw_photo(scratch / "photo.png")
    project, cache, drawn = QgsProject.instance(), ServiceCache(), {}
    with Network(workdir=given.workdir) as network:
        known = read_records(network)
        for page in pages():
            if not all(word in page.name for word in given.only):
                continue
            started = time.monotonic()
            composed = map_pipeline.compose_map(
                project, custom_map(page, known, network.endpoints, scratch / "photo.png"), known, cache)
            files = draw(composed.layout, out, page)
            drawn.setdefault(f"{page.template}-{page.paper}-{page.orientation}", []).extend(files)
            print(f"{page.name}: {len(files)} page(s), {time.monotonic() - started:.1f} s", flush=True)
            for note in (*composed.failures, *layout_notes(composed.layout)) if given.notes else ():
                print(f"  {note}", flush=True)
            del composed
            project.clear()
    for name, files in drawn.items():
        small_sheet(files, out / f"sheet-{name}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="folder of the images")
    parser.add_argument("--only", action="append", default=[], help="words that the names of pages contain")
    parser.add_argument("--notes", action="store_true", help="print the notes of each layout")
    parser.add_argument("--workdir", help="folder of the test network, kept for the next time")
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "network"), str(ROOT / "tests" / "tools")]
    from isolation import isolate

    with tempfile.TemporaryDirectory(prefix="cartoguide-pages-") as scratch:
        isolate(Path(scratch))
        run(given, Path(scratch))
        sys.stdout.flush()
        # QGIS takes its time to tear itself down, and everything is written by now
        os._exit(0)


if __name__ == "__main__":
    main()

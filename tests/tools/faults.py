"""The fault matrix: what becomes of a map when a service answers wrongly, judged by the file that was written.

    /usr/bin/python3 tests/tools/faults.py [--kind NAME …] [--request NAME …] [--format NAME …] [--run NAME …]

Each cell is one kind of wrong answer to one kind of request, in one format and one way of printing. The answers come
from the test network: real MapServer behind a server that spoils what it is told to. A cell is

    R refused: no file, and an error    H healed: a file like that of an undisturbed run
    T told: another file, with words    S silent: another file without a word

The last line sums up, and the exit status is 1 if a cell outside ``UNTELLABLE`` is silent.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "network"))
                if path not in sys.path]

from isolation import isolate  # noqa: E402

DPI = 40
#: seconds that a server is waited for: one that is told to be slow, and any other
SHORT_PATIENCE, PATIENCE = 0.8, 20.0
SLOW_KINDS = ("hanging", "slow drip")
REQUESTS = ("GetMap", "GetLegendGraphic", "GetStyles", "GetCapabilities")
FORMATS = ("pdf", "png", "jpeg", "svg", "geotiff")
RUNS = ("page", "series", "atlas")

#: kinds of wrong answers, as the test network's faults
KINDS: Mapping[str, Dict[str, Any]] = {
    "404": {"type": "status", "code": 404},
    "500": {"type": "status", "code": 500},
    "exception": {"type": "exception", "code": "LayerNotDefined", "text": "No hay capa"},
    "web page": {"type": "html"},
    "empty body": {"type": "body", "text": "", "content_type": "image/png"},
    "cut short": {"type": "shorten", "share": 0.5},
    "broken off": {"type": "truncate", "share": 0.5},
    "broken bytes": {"type": "corrupt"},
    "wrong type": {"type": "body", "text": "no es lo que dice", "content_type": "image/png"},
    "transparent": {"type": "picture", "colour": "transparent"},
    "one colour": {"type": "picture", "colour": "#8a2be2"},
    "opaque JPEG": {"type": "rewrite", "parameters": {"FORMAT": "image/jpeg", "TRANSPARENT": "FALSE"}},
    "opaque PNG": {"type": "rewrite", "parameters": {"TRANSPARENT": "FALSE"}},
    "drawn error": {"type": "drawn_error"},
    "wrong size": {"type": "rewrite", "factor": 0.5},
    "hanging": {"type": "hang", "seconds": 20},
    "dropped": {"type": "close"},
    "redirect loop": {"type": "redirect"},
    "slow drip": {"type": "drip", "seconds": 0.2},
}
#: a wrong answer to a request for a day (06-042 C.4.1)
ANOTHER_TIME = {"type": "rewrite", "parameters": {"TIME": "2016-06-10"},
                "headers": {"Warning": "99 Nearest value used: time=2016-06-10 ISO8601"}}
#: (kind, request) where the picture is as good as any other for a client, with the reason
UNTELLABLE: Mapping[Tuple[str, str], str] = {}


@dataclass(frozen=True)
class Outcome:
    """What became of one export: a letter of the module's table, and the words that were said."""

    letter: str
    words: str


class Matrix:
    """Runs cells against one test network, in the QGIS of this process."""

    endpoint, scales = "facilities", (80000.0, 160000.0)
    #: each has something of every layer, or the undisturbed run would have remarks
    boxes = {"Norte": (-3.600, 38.335, -3.420, 38.435), "Sur": (-3.595, 38.325, -3.430, 38.425)}

    #: notes of an undisturbed map
    usual_notes: Tuple[str, ...] = ()

    def __init__(self, network: Any, project: Any, folder: Path) -> None:
        self._network, self._project, self._folder = network, project, folder
        self._sound: Dict[Tuple[str, str], List[Any]] = {}
        self._records = _records(network)
        self._page_queries: Dict[str, str] = {}
        _set_patience(PATIENCE)

    def row(self, kind: str, request: str, run: str, formats: Sequence[str]) -> Dict[str, Outcome]:
        """The outcomes of one fault in one way of printing, by format."""
        sound = {name: self._sound_pages(run, name) for name in formats}
        self._forget()
        action = ANOTHER_TIME if kind == "another time" else KINDS[kind]
        fault = {"match": {"endpoint": self.endpoint, "request": request}, "action": action}
        if request == "GetMap" and run != "page":
            # only the second page is struck: the first one must not hide it
            fault["match"]["query"] = self._page_queries[run]
        self._network.fault(fault)
        _set_patience(SHORT_PATIENCE if kind in SLOW_KINDS else PATIENCE)
        try:
            layouts, notes = self._composed(run)
            return {name: self._outcome(run, name, layouts, notes, sound[name]) for name in formats}
        except Exception as error:  # noqa: BLE001 - any refusal is one
            return {name: _refusal(error) for name in formats}
        finally:
            _set_patience(PATIENCE)

    def _outcome(self, run: str, name: str, layouts: Sequence[Any], notes: Sequence[str],
                 sound: Sequence[Any]) -> Outcome:
        _clear_cache()
        try:
            pages, words = self._export(run, name, layouts)
        except Exception as error:  # noqa: BLE001 - any refusal is one
            left = list(self._folder.iterdir())
            return Outcome("S", f"files left: {left}") if left else _refusal(error)
        said = "; ".join([*notes, *words])
        if _same_pages(pages, sound):
            return Outcome("H", said)
        return Outcome("T" if said else "S", said)

    def _sound_pages(self, run: str, name: str) -> List[Any]:
        if (run, name) not in self._sound:
            self._forget()
            layouts, notes = self._composed(run)
            assert not notes, f"the undisturbed map has notes: {notes}"
            self._page_queries.setdefault(run, self._second_page_query(layouts))
            _clear_cache()
            self._sound[run, name], words = self._export(run, name, layouts)
            assert not words, f"the undisturbed map has remarks: {words}"
        return self._sound[run, name]

    def _second_page_query(self, layouts: Sequence[Any]) -> str:
        """The part of a GetMap that only the second page has: its box."""
        from plugin.gis.pixels.plan import plan_page
        from tests.qgis.print_maps import addresses

        if len(layouts) < 2:
            return ""
        requests = [addresses(plan_page(layout, DPI))[0] for layout in layouts]
        boxes = [next(part for part in url.split("&") if part.upper().startswith("BBOX=")) for url in requests]
        # formats differ in a pixel, so in the end of each number: its beginning is enough
        first, second = boxes[0], boxes[1]
        same = next(place for place in range(len(second)) if first[place:place + 1] != second[place])
        return second[:same + 1]

    def _composed(self, run: str) -> Tuple[List[Any], List[str]]:
        """Layouts of the map, and the notes that were taken while they were made."""
        from plugin.core.box import Box
        from plugin.gis.export import atlas, map_pipeline
        from plugin.gis.layouts import layout_items
        from plugin.gis.services.service_cache import ServiceCache

        self._project.clear()
        made = map_pipeline.compose_map(self._project, self._custom_map(), self._records, ServiceCache(), 60)
        layouts = [made.layout]
        if run != "page":
            plans = {"series": lambda: atlas.scale_plans(made.plan, self.scales),
                     "atlas": lambda: atlas.feature_plans(made.plan, [
                         atlas.AtlasFeature(name, Box(*sides)) for name, sides in self.boxes.items()])}[run]()
            layouts = atlas.build_and_wait(self._project, plans, [made.layers] * len(plans), made.plan.title,
                                           seconds=60)
        notes = [note for layout in layouts for note in layout_items.layout_notes(layout)
                 if note not in self.usual_notes]
        return layouts, list(dict.fromkeys([*notes, *made.failures]))

    def _export(self, run: str, name: str, layouts: Sequence[Any]) -> Tuple[List[Any], List[str]]:
        """The pages that were written, as pictures, and what was said; the folder is empty afterwards."""
        from plugin.gis.export import layout_export

        suffix = layout_export.EXPORT_FORMATS[name].suffix
        path = self._folder / f"map.{suffix}"
        try:
            done = layout_export.export_layouts(layouts, path, name,
                                                layout_export.ExportOptions(DPI, attempts=2))
            files = sorted(file for file in self._folder.iterdir() if file.suffix == f".{suffix}")
            pages = [page for file in files for page in _pictures(file, len(layouts))]
        finally:
            if path.exists() or any(self._folder.glob(f"*.{suffix}")):
                for file in self._folder.iterdir():
                    file.unlink()
        return pages, [*done.problems, *(f"{remark.service_title}: {remark.message}" for remark in done.remarks)]

    def _custom_map(self) -> Any:
        from plugin.core.custommap.map_entries import entry_from_record
        from plugin.core.custommap.model import CustomMap, MapExtent, PageSetup
        from plugin.core.terms import terms_for

        guide, facilities = (self._records[self._network.endpoints[name]] for name in ("guide", "facilities"))
        base = entry_from_record(guide, terms_for(guide), layers=("limite_parque", "carreteras"))
        overlay = entry_from_record(facilities, terms_for(facilities), layers=("miradores", "centros_visitantes"))
        return CustomMap(title="Despeñaperros a mano", base=base, overlays=(overlay,),
                         extent=MapExtent(-3.5966, 38.3295, -3.4233, 38.4306), page=PageSetup())

    def _forget(self) -> None:
        self._network.reset()
        _clear_cache()


class TimedMatrix(Matrix):
    """Runs cells of a map of one day, whose service gets a TIME dimension."""

    endpoint, scales = "precipitation", (2_000_000.0, 3_000_000.0)
    usual_notes = ("There is no outline map of this area, so the location map is left out.",)
    boxes = {"Oeste": (-7.2, 36.2, -3.6, 38.6), "Este": (-6.6, 36.2, -2.0, 38.6)}

    def __init__(self, network: Any, project: Any, folder: Path) -> None:
        super().__init__(network, project, folder)
        mapfile, title = network.workdir / "precipitation.map", '"ows_title" "Estaciones met'
        mapfile.write_text(mapfile.read_text("utf-8").replace(
            title, f'"wms_timeextent" "2016-06-10/2016-06-13/P1D" "wms_timedefault" "2016-06-10" {title}'), "utf-8")

    def _custom_map(self) -> Any:
        from plugin.core.custommap.model import CustomMap, MapEntry, StoredCredit

        entry = MapEntry(self._network.endpoints["precipitation"], "Estaciones", layers=("estaciones",), styles=("",),
                         credit=StoredCredit("Red de prueba"), moment="2016-06-12")
        return CustomMap("Lluvia", "es", overlays=(entry,), crs="EPSG:25830")


class OwnLayers:
    """Runs cells of own layers from the web, each alone on a page: ``SourceServer`` spoils their second parts."""

    #: answers by their name in ``wire_faults``
    ANSWERS = ("500", "404", "login page with 200", "cut XML", "short body", "reset in the middle", "204")

    def __init__(self, server: Any, project: Any, folder: Path) -> None:
        self._server, self._project, self._folder = server, project, folder

    def row(self, name: str, answer: str, formats: Sequence[str]) -> Dict[str, Outcome]:
        """The outcomes of one wrong answer to one kind of layer, by format."""
        from source_server import is_second_part
        from wire_faults import ANSWERS

        self._server.fault = None
        layout = self._page(name)
        sound = {form: self._export([layout], form)[0] for form in formats}
        self._server.fault = ANSWERS[answer]
        self._server.strikes = lambda request: is_second_part(request) or request["path"].endswith(".tif")
        found = {}
        for form in formats:
            _clear_cache()
            self._server.struck = 0
            try:
                pages, words = self._export([layout], form)
                found[form] = Outcome("H" if _same_pages(pages, sound[form]) else "T" if words else "S", words)
            except Exception as error:  # noqa: BLE001 - any refusal is one
                found[form] = _refusal(error)
            assert self._server.struck, f"{name}: no part was asked for"
        return found

    def _layer(self, name: str) -> Any:
        from qgis.core import QgsMapLayerFactory, QgsProject

        from plugin.gis.credits.layer_metadata import set_credit

        kind, provider, source = self._server.sources[name]
        options = QgsMapLayerFactory.LayerOptions(QgsProject.instance().transformContext())
        layer = QgsMapLayerFactory.createLayer(source, name, QgsMapLayerFactory.typeFromString(kind)[0], options,
                                               provider)
        set_credit(layer, "© Loopback")
        return layer

    def _page(self, name: str) -> Any:
        from qgis.core import (
            QgsCoordinateReferenceSystem,
            QgsCoordinateTransform,
            QgsLayoutItemLabel,
            QgsLayoutItemMap,
            QgsLayoutPoint,
            QgsLayoutSize,
            QgsPrintLayout,
            QgsRectangle,
        )
        from source_server import EAST, NORTH, SOUTH, WEST

        from plugin.gis.layouts import layout_items

        self._project.clear()
        layer = self._layer(name)
        self._project.addMapLayer(layer)
        layout = QgsPrintLayout(self._project)
        layout.initializeDefaults()
        layout.setName(name)
        self._project.layoutManager().addLayout(layout)
        items = ((QgsLayoutItemLabel(layout), layout_items.CREDITS, 195, 10),
                 (QgsLayoutItemMap(layout), layout_items.MAP, 10, 85))
        for item, item_id, top, height in items:
            item.setId(item_id)
            item.attemptMove(QgsLayoutPoint(10, top))
            item.attemptResize(QgsLayoutSize(85, height))
            layout.addLayoutItem(item)
        items[0][0].setText("© Loopback")
        shown, world = items[1][0], QgsCoordinateReferenceSystem("EPSG:3857")
        shown.setCrs(world)
        # it takes the shape of its first extent
        shown.setExtent(QgsCoordinateTransform(QgsCoordinateReferenceSystem("EPSG:4326"), world, self._project)
                        .transformBoundingBox(QgsRectangle(WEST, SOUTH, EAST, NORTH)))
        shown.setLayers([layer])
        shown.setKeepLayerSet(True)
        return layout

    def _export(self, layouts: Sequence[Any], form: str) -> Tuple[List[Any], str]:
        from plugin.gis.export import layout_export

        suffix = layout_export.EXPORT_FORMATS[form].suffix
        try:
            done = layout_export.export_layouts(layouts, self._folder / f"map.{suffix}", form,
                                                layout_export.ExportOptions(DPI, attempts=1))
            files = sorted(self._folder.glob(f"*.{suffix}"))
            pages = [page for file in files for page in _pictures(file, len(layouts))]
        finally:
            for file in self._folder.iterdir():
                file.unlink()
        return pages, "; ".join([*done.problems, *(remark.message for remark in done.remarks), *done.unchecked])


class OwnPages(OwnLayers):
    """Runs cells of own layers below the services of a map, where one page or a part of its maps fails."""

    def __init__(self, network: Any, server: Any, project: Any, folder: Path) -> None:
        super().__init__(server, project, folder)
        self._network = network

    def cell(self, name: str, run: str, answer: str, form: str) -> Outcome:
        """The outcome of one wrong answer in one way of printing."""
        from wire_faults import ANSWERS

        from plugin.gis.own_layers.references import refer_to
        from tests.qgis.print_maps import composed_pages, strikes_other_pages

        self._server.fault = None
        self._project.clear()
        own = refer_to(self._layer(name), entries_below=1)
        layouts = composed_pages(self._network, self._project, run, own)
        strikes = strikes_other_pages(self._server, layouts, lambda layout: self._export([layout], "png"))
        # all pages need the same file
        self._server.strikes = lambda request: strikes(request) or request["path"].endswith(".tif")
        _clear_cache()
        self._server.fault, self._server.struck = ANSWERS[answer], 0
        try:
            _pages, words = self._export(layouts, form)
            found = Outcome("T" if words else "S", words)
        except Exception as error:  # noqa: BLE001 - any refusal is one
            found = _refusal(error)
        assert self._server.struck, f"{name}: no part was asked for"
        return found if f"“{name}”" in found.words else Outcome("S", found.words)


def print_own_pages(own: OwnPages, names: Sequence[str], formats: Sequence[str]) -> int:
    """Run each kind in each way of printing, with answers and formats in turn, and return the number of silent ones."""
    from tests.qgis.print_maps import RUNS

    silent, answers, forms = 0, cycle([one for one in OwnLayers.ANSWERS if one != "204"]), cycle(formats)
    for name in names:
        for run in RUNS:
            answer, form = next(answers), next(forms)
            outcome = own.cell(name, run, answer, form)
            silent += outcome.letter == "S"
            print(f"{name:17} {run:10} {answer:20} {form:8} {outcome.letter}", flush=True)
            if outcome.letter != "R":
                print("    " + outcome.words.replace("\n", " ")[:300], flush=True)
    print(f"own layers on several pages: {silent} silent")
    return silent


def print_own_layers(own: OwnLayers, names: Sequence[str], formats: Sequence[str]) -> int:
    """Run the cells of own layers, print a line for each, and return the number of silent ones."""
    silent = 0
    for name in names:
        for answer in OwnLayers.ANSWERS:
            row = own.row(name, answer, formats)
            # a vector tile without content is empty (RFC 9110 15.3.5), which is nothing to tell
            excused = (name, answer) == ("vector tiles", "204")
            silent += sum(outcome.letter == "S" and not excused for outcome in row.values())
            print(f"{name:17} {answer:20} " + "".join(row[form].letter for form in formats), flush=True)
    print(f"own layers: {silent} silent")
    return silent


def _set_patience(seconds: float) -> None:
    from qgis.core import QgsNetworkAccessManager

    from plugin.gis.network import client
    from plugin.gis.runtime import settings

    # pauses before a second attempt are for servers that recover
    client._INITIAL_RETRY_DELAY = 0.02
    settings.set("first_byte_timeout", seconds)
    settings.set("total_timeout", 2 * seconds)
    settings.set("retries", 0)
    QgsNetworkAccessManager.setTimeout(round(1000 * seconds))


def _refusal(error: BaseException) -> Outcome:
    words = str(getattr(error, "user_text", "")) or f"{type(error).__name__}: {error}"
    from plugin.core.errors import CartoguideError

    return Outcome("R" if isinstance(error, CartoguideError) else "S", words)


def _records(network: Any) -> Dict[str, Any]:
    from plugin.core.distributions.record_distributions import wms_address
    from plugin.core.records import read

    return {str(wms_address(record)): record
            for path in network.records for record in read(path.read_bytes(), path.name)}


def _clear_cache() -> None:
    from qgis.core import QgsNetworkAccessManager

    cache = QgsNetworkAccessManager.instance().cache()
    if cache is not None:
        cache.clear()


def _pictures(file: Path, pages: int) -> List[Any]:
    """The pages of a file as arrays of pixels."""
    from osgeo import gdal
    from qgis.PyQt.QtGui import QColor, QImage, QPainter
    from qgis.PyQt.QtSvg import QSvgRenderer

    if file.suffix == ".svg":
        renderer = QSvgRenderer(str(file))
        image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        drawn = file.with_suffix(".drawn.png")
        image.save(str(drawn))
        found = [gdal.Open(str(drawn)).ReadAsArray()]
        drawn.unlink()
        return found
    if file.suffix == ".pdf":
        return [gdal.OpenEx(f"PDF:{number}:{file}", open_options=[f"DPI={DPI}"]).ReadAsArray()
                for number in range(1, pages + 1)]
    return [gdal.Open(str(file)).ReadAsArray()]


def _same_pages(some: Sequence[Any], others: Sequence[Any]) -> bool:
    import numpy

    if len(some) != len(others):
        return False
    return all(one.shape == other.shape and not (numpy.abs(one.astype(int) - other.astype(int)) > 24).any()
               for one, other in zip(some, others))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Print the table and return 1 if a cell is silent that a client could tell."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option, choices in (("kind", tuple(KINDS)), ("request", REQUESTS), ("format", FORMATS), ("run", RUNS)):
        parser.add_argument(f"--{option}", nargs="+", choices=choices, default=list(choices))
    parser.add_argument("--words", action="store_true", help="print what was said in each cell")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-faults-"))
    isolate(folder)
    from qgis.core import QgsApplication, QgsProject

    application = QgsApplication([], False)
    application.initQgis()
    from network import Network
    from source_server import SourceServer

    from plugin.gis.credits import expression_functions

    expression_functions.register()
    (folder / "out").mkdir()
    project, out = QgsProject.instance(), folder / "out"
    with SourceServer() as server, Network(remember=True) as network:
        names = tuple(server.sources)
        silent = print_own_pages(OwnPages(network, server, project, out), names, given.format)
        silent += print_own_layers(OwnLayers(server, project, out), names, given.format)
        timed = TimedMatrix(network, project, out)
        for run in given.run:
            row = timed.row("another time", "GetMap", run, given.format)
            silent += sum(outcome.letter == "S" for outcome in row.values())
            print(f"another time   GetMap            {run:8} " + "".join(row[form].letter for form in given.format))
        status = bool(silent) | print_table(Matrix(network, project, out), given)
    shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    # QGIS may crash while it ends
    os._exit(status)


def print_table(matrix: Matrix, given: argparse.Namespace) -> int:
    """Run the cells and print a line for each kind and request; the status is that of ``main``."""
    started, counts, unexcused = time.monotonic(), dict.fromkeys("RHTS", 0), 0
    print(f"{'answer':14} {'request':17} " + " ".join(f"{run:8}" for run in given.run)
          + f"  ({', '.join(given.format)})", flush=True)
    for request in given.request:
        for kind in given.kind:
            rows = {run: matrix.row(kind, request, run, given.format) for run in given.run}
            cells = [outcome for row in rows.values() for outcome in row.values()]
            for outcome in cells:
                counts[outcome.letter] += 1
                unexcused += outcome.letter == "S" and (kind, request) not in UNTELLABLE
            letters = ["".join(row[name].letter for name in given.format) for row in rows.values()]
            print(f"{kind:14} {request:17} " + " ".join(f"{text:8}" for text in letters), flush=True)
            if given.words or any(outcome.letter == "S" for outcome in cells):
                for words in dict.fromkeys(f"{outcome.letter}: {outcome.words}" for outcome in cells):
                    print("    " + words.replace("\n", " ")[:300], flush=True)
    for (kind, request), reason in UNTELLABLE.items():
        print(f"no client can tell: {kind} for {request}: {reason}")
    print(f"{sum(counts.values())} cells: {counts['R']} refused, {counts['H']} healed, {counts['T']} told, "
          f"{counts['S']} silent ({unexcused} that a client could tell), {time.monotonic() - started:.0f} s")
    return 1 if unexcused else 0


if __name__ == "__main__":
    main()

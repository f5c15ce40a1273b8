"""The table of network faults: what each operation makes of each fault of a server, in words and in time.

    /usr/bin/python3 tests/tools/network_faults.py [--operation NAME …] [--fault NAME …] [--words]

A cell runs the real reader or controller in QGIS's event loop, with Spanish texts, against a loopback server that has
one fault (``tests/network/wire_faults.py``). A cell is

    E  ended in an error with words    S  ended with a sound answer: the fault does no harm
    -  does not apply                  !  broken: see the line below it

Broken is: not ended in time, words that are no Spanish sentence about this server, a traceback, a wrong answer taken
for a sound one, requests or jobs left behind, or a window that was held. The exit status is 1 if a cell is broken.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "tests" / "network")) if path not in sys.path]

import layer_services  # noqa: E402
import wire_faults  # noqa: E402
from odd_server import OddServer  # noqa: E402
from scripted_catalogue import ScriptedCatalogue  # noqa: E402

from tests.slowness import LoopWatch, slowness  # noqa: E402

#: seconds until the first byte, and in total
FIRST_BYTE, TOTAL = 1.0, 2.5
#: seconds beyond these for everything that is not the server's
MARGIN = 2.0
#: requests that an operation may send one after the other, each within the limits
REQUESTS_OF = {"catalogue search": 2, "harvest": 2, "add to map": 2, "snapshot": 2,
               **{f"own layer, {kind}": layer.requests for kind, layer in layer_services.sources("").items()}}
#: milliseconds that the window may be held
HELD = 50.0
#: a width and height, in pixels
SIZE = (120, 90)

#: faults of a place rather than of an answer
PLACES = ("refused connection", "unknown host", "IPv6 only", "redirect to another host", "redirect to http",
          "certificate expired", "certificate of another host", "certificate self-signed", "slow TLS", "hanging TLS",
          "no TLS", "proxy asks for a login", "proxy refuses connections")
FAULTS = (*wire_faults.ANSWERS, *PLACES)
#: faults that an operation does not notice, with the reason
HARMLESS_FOR_ALL = ("IPv6 only", "redirect to another host", "wrong content type", "long body", "many headers")

_ENGLISH = re.compile(r"\b(the|was|were|not|server|response|closed|error|network|failed|host|connection|unknown|"
                      r"certificate|request|expired|found|try|again|transferring|replied|and|line|tag|mismatch|of)\b",
                      re.IGNORECASE)
_SENTENCE = re.compile(r"[\w¿¡«“\[].{15,}[.»”)…]$", re.DOTALL)

CAPABILITIES = """<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms" xmlns:sld="http://www.opengis.net/sld"
 xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<Service><Name>WMS</Name><Title>Servicio con fallos</Title><OnlineResource xlink:href="{url}"/></Service>
<Capability><Request>{operations}</Request><Exception><Format>XML</Format></Exception>
<Layer><Title>Raíz</Title><CRS>EPSG:4326</CRS><CRS>CRS:84</CRS>
<EX_GeographicBoundingBox><westBoundLongitude>-4</westBoundLongitude><eastBoundLongitude>-3</eastBoundLongitude>
<southBoundLatitude>38</southBoundLatitude><northBoundLatitude>39</northBoundLatitude></EX_GeographicBoundingBox>
<BoundingBox CRS="CRS:84" minx="-4" miny="38" maxx="-3" maxy="39"/>
<BoundingBox CRS="EPSG:4326" minx="38" miny="-4" maxx="39" maxy="-3"/>
<Layer queryable="1"><Name>rios</Name><Title>Ríos</Title></Layer></Layer></Capability></WMS_Capabilities>"""
_OPERATION = """<{name}><Format>{format}</Format><DCPType><HTTP><Get><OnlineResource xlink:href="{url}"/></Get>
<Post><OnlineResource xlink:href="{url}"/></Post></HTTP></DCPType></{name}>"""
_FORMATS = {"GetCapabilities": "text/xml", "GetMap": "image/png", "GetFeatureInfo": "application/json",
            "sld:GetLegendGraphic": "image/png", "sld:GetStyles": "text/xml"}
FEATURES = b'{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": null, "id": "rios.1", ' \
           b'"properties": {"NOMBRE": "Rio Guarrizas"}}]}'
STYLES = """<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld"><NamedLayer>
<Name>rios</Name><UserStyle><Name>default</Name><FeatureTypeStyle><Rule><Name>Ríos</Name></Rule></FeatureTypeStyle>
</UserStyle></NamedLayer></StyledLayerDescriptor>""".encode()


@dataclass(frozen=True)
class Cell:
    """What became of one operation under one fault: its letter, what was said, its seconds, the held milliseconds."""

    letter: str
    words: str
    seconds: float
    held: float
    broken: str = ""


@dataclass(frozen=True)
class Operation:
    """``begin(run, base)`` starts it at an address and ends in ``run.ended``; ``hits`` tells its requests apart.

    ``sound(value)`` is true for the value of an undisturbed server. Without ``requests`` it sends none by itself.
    """

    begin: Callable[[Run, str], None]
    hits: Callable[[Mapping[str, Any]], bool]
    sound: Callable[[Any], bool]
    requests: bool = True


class Run:
    """One cell while it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.result: List[Any] = []
        self.errors: List[Any] = []
        #: kept until the end of the cell
        self.kept: List[Any] = []

    def done(self, value: Any) -> None:
        """The operation has given a value."""
        self.result.append(value)

    def failed(self, error: Any) -> None:
        """The operation has failed."""
        self.errors.append(error)

    @property
    def ended(self) -> bool:
        """True once it has."""
        return bool(self.result or self.errors)


# -- operations


def _named(request: str) -> Callable[[Mapping[str, Any]], bool]:
    def hits(seen: Mapping[str, Any]) -> bool:
        text = f"{seen['query']}&{(seen['body'] or b'').decode('utf-8', 'replace')}".upper()
        return bool(f"REQUEST={request.upper()}" in text)
    return hits


def _at(path: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda seen: bool(seen["path"] == path)


def _below(path: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda seen: str(seen["path"]).startswith(path)


def _service(base: str) -> Any:
    from plugin.core.wms import read_service

    return read_service(capabilities(base).encode(), "test")


def _cache(base: str) -> Any:
    """A cache that knows the service, so that only the operation's own requests are sent."""
    from tests.saved_services import cache_of

    return cache_of({f"{base}/wms?": capabilities(base).encode()})


def _map_options() -> Any:
    from plugin.core.wms.requests.get_map import MapOptions

    return MapOptions(("rios",), "EPSG:4326", *SIZE, bbox=(-4, 38, -3, 39), format="image/png")


def _read_record(run: Run, base: str) -> None:
    from plugin.gis.profiles import record_loading

    run.kept.append(record_loading.request_address(f"{base}/record.xml", run.done, run.failed))


def _load_capabilities(run: Run, base: str) -> None:
    from plugin.gis.services.service_cache import ServiceCache

    cache = ServiceCache()
    run.kept.append(cache)
    cache.request(f"{base}/wms?", run.done, run.failed)


def _source(base: str) -> Any:
    from plugin.core.catalogues.model import Source, SourceKind

    return Source(f"{base}/csw", SourceKind.CSW_2, "Catálogo con fallos")


def _search(run: Run, base: str) -> None:
    from plugin.core.catalogues.model import CatalogueQuery
    from plugin.gis.catalogues.federated_search import FederatedSearch, SearchState

    search, source = FederatedSearch(), _source(base)

    def finish() -> None:
        status = search.status(source.key)
        if status.state is SearchState.FAILED:
            run.failed(status.error)
        else:
            run.done(search.results)

    search.finished.connect(finish)
    run.kept.append(search)
    search.start(CatalogueQuery(page_size=10), [source])


def _harvest(run: Run, base: str) -> None:
    from plugin.core.catalogues.model import CatalogueQuery
    from plugin.core.library.record_store import RecordStore
    from plugin.gis.catalogues import harvest

    store = RecordStore(run.folder / "library")
    run.kept.append(store)

    def done(summary: Any) -> None:
        failures = [*summary.failures] if hasattr(summary, "failures") else []
        if failures and not summary.processed:
            run.failed(failures[0])
        else:
            run.done(summary)

    run.kept.append(harvest.start(_source(base), CatalogueQuery(page_size=10), store, done, run.failed))


def _identify(run: Run, base: str) -> None:
    from plugin.core.box import Box
    from plugin.core.featureinfo.queries import MapClick
    from plugin.gis.operations.identification import CanvasLayer, CanvasService, Identification
    from plugin.ui.identify import IdentifyPanel

    click = MapClick("EPSG:4326", -3.5, 38.5, Box(-4.0, 38.0, -3.0, 39.0), *SIZE,
                     ((-3.5, 38.5), (-3.49, 38.5), (-3.5, 38.51)), 1 / 120)
    service = CanvasService(f"{base}/wms?", "Servicio con fallos", (CanvasLayer("rios", "", "Ríos"),))
    identification = Identification(click, [service], None, _cache(base))
    panel = IdentifyPanel()
    panel.show()
    run.kept.append(panel)
    shown: List[Any] = []
    identification.failed.connect(lambda _number, error: shown.append(error))
    identification.answered.connect(lambda _number, _outcome: shown.append(None))
    panel.show_identification(identification, "38,5 N 3,5 O")

    def check() -> None:
        if not shown:
            return
        section = panel.sections[0]
        features = [feature for table in section.tables for feature in table.features]
        if features:
            run.done(features)
        else:
            # what counts are the words in the window
            run.failed(_Words(section.status_label.text(), ""))

    run.kept.append(check)


def _send(run: Run, request: Any, expected: str, size: Any = None) -> None:
    from plugin.gis.operations.operation_client import start_request

    def done(answer: Any) -> None:
        if answer.problem is not None:
            run.failed(answer.problem)
        else:
            run.done(answer)

    run.kept.append(start_request(request, expected, size, done, run.failed))


def _get_map(run: Run, base: str) -> None:
    from plugin.core.wms.requests.get_map import map_request

    _send(run, map_request(_service(base), _map_options()), "image/png", SIZE)


def _post_map(run: Run, base: str) -> None:
    from plugin.core.request import HttpMethod
    from plugin.core.wms.requests.get_map import map_request

    _send(run, map_request(_service(base), _map_options(), HttpMethod.POST, encoding="form"), "image/png", SIZE)


def _legend(run: Run, base: str) -> None:
    from plugin.core.wms.requests.sld_profile import legend_request

    _send(run, legend_request(_service(base), "rios"), "image/png")


def _styles(run: Run, base: str) -> None:
    from plugin.core.wms.requests.sld_profile import styles_request

    _send(run, styles_request(_service(base), ["rios"]), "text/xml")


def _thumbnail(run: Run, base: str) -> None:
    from plugin.gis.library.thumbnails import Thumbnails

    images = Thumbnails()
    run.kept.append(images)
    images.request(f"{base}/overview.png", run.done, run.failed)


def _add_to_map(run: Run, base: str) -> None:
    from plugin.core.custommap.model import LayerPlan, Plan
    from plugin.core.sources.layer_source import WmsSource
    from plugin.gis.layers.wms_layers import start_making_layers
    from plugin.gis.services.service_cache import ServiceCache

    layer = LayerPlan(WmsSource(f"{base}/wms?", "rios", "", "image/png", "EPSG:4326"), "Ríos")

    def done(built: Any) -> None:
        run.kept.append(built)
        if built.failures:
            run.failed(built.failures[0].error)
        else:
            run.done(built)

    run.kept.append(start_making_layers(Plan("Mapa", "EPSG:4326", (layer,)), done, run.failed,
                                        cache=ServiceCache()))


def _snapshot(run: Run, base: str) -> None:
    from plugin.core.snapshot.manifest import RasterPart
    from plugin.core.wms.requests.get_map import map_request
    from plugin.gis.runtime import tasks
    from plugin.gis.snapshots.tile_download import TileFolder, TileRequest, describe_failures, download_tiles

    url = map_request(_service(base), _map_options()).url
    wanted = [TileRequest(url, "0", "Ríos", "Servicio con fallos", RasterPart(0, 0, 0, *SIZE))]
    parts = run.folder / "parts"
    parts.mkdir(exist_ok=True)

    def done(failures: Any) -> None:
        if failures:
            run.failed(_Words("; ".join(describe_failures(failures, wanted)), failures[0].detail))
        else:
            run.done([path.stat().st_size for path in parts.iterdir()])

    run.kept.append(tasks.start("snapshot", lambda feedback: download_tiles(wanted, TileFolder(parts), 10_000_000,
                                                                            feedback), done, run.failed))


_dock: Any = None


def _window() -> Any:
    """The dock, one for all cells: it takes longer to make than a cell."""
    from qgis.core import QgsProject

    from plugin.ui.dock.dock_widget import CartoguideDock

    global _dock
    if _dock is None:
        _dock = CartoguideDock(None)
        _dock.show()
    # also the undo of the map before, whose layers would be found again
    QgsProject.instance().clear()
    return _dock


def close_window() -> None:
    """Close the dock, which would outlive the project that it shows."""
    from plugin.gis.runtime import tasks

    global _dock
    if _dock is not None:
        _dock.close_down()
        _dock.deleteLater()
        tasks.shutdown()
    _dock = None


def _open_own_layer(kind: str) -> Callable[[Run, str], None]:
    """Open a document whose only layer is an own one of this kind."""
    def begin(run: Run, base: str) -> None:
        from qgis.core import QgsApplication
        from qgis.PyQt.QtCore import QTimer

        from plugin.core.custommap.model import CustomMap, MapExtent, OwnLayer
        from plugin.core.trust.provenance import Trust
        from plugin.gis.own_layers.provenance import sealed_bytes

        layer = layer_services.sources(base)[kind]
        path = run.folder / "map.custommap.json"
        # saved by this profile: somebody else's map asks a question, and opens less
        own = OwnLayer(f"capa de {base}", "Capa propia", layer.type, layer.provider, layer.source, trust=Trust.OWN)
        path.write_bytes(sealed_bytes(CustomMap("Mapa", extent=MapExtent(*layer_services.BOX),
                                                own_layers=(own,)), path))
        dock, begun, quiet = _window(), [False], [0]

        def check() -> None:
            busy = dock.map.adding or QgsApplication.taskManager().countActiveTasks()
            quiet[0] = 0 if busy or not begun[0] else quiet[0] + 1
            if quiet[0] < 5 or run.ended:
                return
            item = next(iter(dock.map.own_items), None)
            if item is not None and not item.problem and item.layer_id:
                run.done(item)
            else:
                # what counts are the words in the window
                run.failed(_Words(item.problem if item is not None else "", ""))

        def start() -> None:
            dock.composer_controller.documents.open_file(path)
            begun[0] = True

        run.kept.append(check)
        # once the window is watched
        QTimer.singleShot(0, start)

    return begin


def _is_what_was_served(item: Any) -> bool:
    """Whether the layer knows what its service says. QGIS takes some layers for valid without any answer."""
    from qgis.core import QgsProject

    layer = QgsProject.instance().mapLayer(item.layer_id)
    is_tiles = "type=xyz" in item.own.source
    return bool(layer is not None and layer.isValid() and (
        is_tiles or item.own.type == "vector" or not layer.extent().isEmpty()))


class _Words:
    def __init__(self, user_text: str, detail: str) -> None:
        self.user_text, self.detail = user_text, detail


OPERATIONS: Mapping[str, Operation] = {
    "read a record": Operation(_read_record, _at("/record.xml"), lambda value: len(value.records) == 1),
    "capabilities": Operation(_load_capabilities, _named("GetCapabilities"),
                              lambda value: value.title == "Servicio con fallos"),
    "catalogue search": Operation(_search, lambda seen: b"GetRecords" in (seen["body"] or b""),
                                  lambda value: len(value) == 10),
    "harvest": Operation(_harvest, lambda seen: b"GetRecords" in (seen["body"] or b""),
                         lambda value: value.processed == 12),
    "identify": Operation(_identify, _named("GetFeatureInfo"),
                          lambda value: [feature.value("NOMBRE") for feature in value] == ["Rio Guarrizas"]),
    "GetMap": Operation(_get_map, _named("GetMap"), lambda value: value.size == SIZE),
    "GetMap by POST": Operation(_post_map, _named("GetMap"), lambda value: value.size == SIZE),
    "legend": Operation(_legend, _named("GetLegendGraphic"), lambda value: value.size == SIZE),
    "GetStyles": Operation(_styles, _named("GetStyles"), lambda value: len(value.styles) == 1),
    "thumbnail": Operation(_thumbnail, _at("/overview.png"), lambda value: not value.isNull()),
    "add to map": Operation(_add_to_map, _named("GetCapabilities"), lambda value: len(value.layers) == 1),
    "snapshot": Operation(_snapshot, _named("GetMap"), lambda value: len(value) == 1),
    **{f"own layer, {kind}": Operation(_open_own_layer(kind), _below(layer.path), _is_what_was_served,
                                       bool(layer.requests))
       for kind, layer in layer_services.sources("").items()},
}
#: cells that a client cannot tell from a sound answer, or whose fault is one of another request, with the reason
UNTELLABLE: Mapping[str, Sequence[str]] = {
    # a picture of any size may be an overview or a legend
    "picture": ("thumbnail", "legend"),
    # the page shows any document as it came
    "XML": ("GetStyles",),
}


# -- the server


def capabilities(base: str) -> str:
    """The capabilities of the service at ``base``."""
    url = f"{base}/wms?"
    operations = "".join(_OPERATION.format(name=name, format=kind, url=url) for name, kind in _FORMATS.items())
    return CAPABILITIES.format(url=url, operations=operations)


def furnish(server: OddServer, base: str = "") -> None:
    """Give a server everything that the operations request, with the addresses of ``base`` in it."""
    from made_catalogue import made
    from netserve.faults import one_colour_png

    base = base or server.url
    records = made(12)
    catalogue = ScriptedCatalogue(records)
    catalogue._http.server_close()
    catalogue.url = base
    image = one_colour_png(*SIZE, "#8a2be2")
    answers = {"GETCAPABILITIES": ("text/xml", capabilities(base).encode()), "GETMAP": ("image/png", image),
               "GETFEATUREINFO": ("application/json", FEATURES), "GETLEGENDGRAPHIC": ("image/png", image),
               "GETSTYLES": ("text/xml", STYLES)}

    def wms(request: Mapping[str, Any]) -> bytes:
        text = f"{request['query']}&{(request['body'] or b'').decode('utf-8', 'replace')}".upper()
        return next(body for name, (_media, body) in answers.items() if f"REQUEST={name}" in text)

    def csw(request: Mapping[str, Any]) -> bytes:
        return catalogue.answer(request["method"], f"{request['path']}?{request['query']}", request["body"] or b"")[2]

    layer_services.furnish(server, base)
    server.files.update({"/wms": wms, "/csw": csw, "/record.xml": records[0].xml, "/overview.png": image})


class Table:
    """Runs cells in the QGIS of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        #: milliseconds that the window may be held
        self.most_held = HELD
        self._number = 0
        self._certificates: Dict[str, str] = {}

    def cell(self, operation_name: str, fault: str) -> Cell:
        """Run one cell."""
        operation = OPERATIONS[operation_name]
        self._forget()
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        with ExitStack() as stack:
            server = stack.enter_context(OddServer())
            base, server_of_fault = self._place(fault, server, operation, stack)
            run = Run(folder)
            cell = self._watched(run, operation, operation_name, fault, base)
            for thing in run.kept:
                if hasattr(thing, "close_down"):
                    thing.close_down()
                    thing.deleteLater()
            if operation.requests and not cell.broken and fault in wire_faults.ANSWERS and not server_of_fault.struck:
                cell = replace(cell, letter="!", broken="the fault was never requested")
        shutil.rmtree(folder, ignore_errors=True)
        return cell

    def _place(self, fault: str, server: OddServer, operation: Operation, stack: ExitStack) -> Any:
        """The address that the operation is given under a fault."""
        furnish(server)
        if fault in wire_faults.ANSWERS:
            # made before the clock starts
            wire_faults.gzip_bomb()
            server.fault, server.strikes = wire_faults.ANSWERS[fault], operation.hits
            return server.url, server
        if fault == "refused connection":
            with OddServer() as gone:
                url = gone.url
            return url, server
        if fault == "unknown host":
            return "http://mapas.invalid", server
        if fault == "IPv6 only":
            six = stack.enter_context(OddServer(host="::1"))
            furnish(six)
            return six.url, six
        if fault == "redirect to another host":
            other = stack.enter_context(OddServer())
            furnish(other, server.url)
            _redirect_all(server, other.url)
            return server.url, server
        if fault.startswith("proxy"):
            refusing = fault == "proxy refuses connections"
            proxy = OddServer() if refusing else stack.enter_context(OddServer())
            if refusing:
                with proxy:
                    pass
            proxy.fault = wire_faults._fixed(407, Proxy_Authenticate='Basic realm="proxy"')
            _use_proxy(proxy.url)
            stack.callback(_use_proxy, "")
            return "http://mapas.invalid", server
        return self._secure_place(fault, server, stack)

    def _secure_place(self, fault: str, server: OddServer, stack: ExitStack) -> Any:
        if not self._certificates:
            folder = self._folder / "certificates"
            folder.mkdir()
            self._certificates.update(wire_faults.bad_certificates(folder))
        if fault == "no TLS":
            return server.url.replace("http://127.0.0.1", "https://localhost"), server
        name = {"certificate expired": "expired", "certificate of another host": "wrong host"}.get(fault, "self-signed")
        delay = {"slow TLS": 0.5, "hanging TLS": 60.0}.get(fault, 0.0)
        secure = stack.enter_context(OddServer(self._certificates[name], delay))
        furnish(secure)
        if fault == "redirect to http":
            _trust(self._certificates[name])
            stack.callback(_trust, "")
            _redirect_all(secure, server.url)
        return secure.url, secure

    def _watched(self, run: Run, operation: Operation, operation_name: str, fault: str, base: str) -> Cell:
        from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QTimer

        from plugin.gis.network import client
        from tests.qgis.waiting import handle_events

        watch = LoopWatch()
        beat = QTimer()
        beat.timeout.connect(watch.tick)
        beat.start(10)
        limit = (FIRST_BYTE + TOTAL) * REQUESTS_OF.get(operation_name, 1) + MARGIN
        # the first ticks show that the window is free before
        for _ in range(3):
            QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
        operation.begin(run, base)
        watch.start()
        started = time.monotonic()
        while not run.ended and time.monotonic() - started < limit * slowness():
            handle_events()
            for thing in run.kept:
                if callable(thing) and not hasattr(thing, "metaObject"):
                    thing()
        seconds = time.monotonic() - started
        # what comes after the end is watched too: the abort, the next event
        for _ in range(10):
            handle_events()
        beat.stop()
        held = 1000 * watch.longest
        words = str(getattr(run.errors[0], "user_text", run.errors[0])) if run.errors else ""
        broken = self._broken(run, operation, operation_name, fault, base, words)
        if held > self.most_held:
            broken = "; ".join(filter(None, (broken, f"the window was held for {held:.0f} ms")))
        if not broken and client._active:
            broken = f"requests are left behind: {client._active}"
        letter = "!" if broken else "E" if run.errors else "S"
        return Cell(letter, words, seconds, held, broken)

    def _broken(self, run: Run, operation: Operation, operation_name: str, fault: str, base: str, words: str) -> str:
        if not run.ended:
            return "it never ended"
        if run.errors:
            if fault in HARMLESS_FOR_ALL:
                return "a server that is right was refused"
            return wrong_words(words, urlsplit(base).netloc)
        if operation_name in UNTELLABLE.get(fault, ()):
            return ""
        try:
            sound = operation.sound(run.result[0])
        except Exception as error:  # noqa: BLE001 - an answer of another kind is not a sound one
            return f"{type(error).__name__}: {error}"
        return "" if sound else f"a wrong answer passed as sound: {run.result[0]!r:.300}"

    def _forget(self) -> None:
        from qgis.core import QgsNetworkAccessManager

        from plugin.gis.catalogues import catalogue_client

        catalogue_client.forget_protocol()
        QgsNetworkAccessManager.instance().cache().clear()
        QgsNetworkAccessManager.instance().clearAccessCache()


def wrong_words(words: str, host: str) -> str:
    """What is wrong with the words of an error, or an empty text."""
    if "Traceback" in words or "Error:" in words or re.search(r"\bQ[A-Z][a-z]+|0x[0-9a-f]{6}|<[a-z]+>", words):
        return "technical words"
    # what the server says is in its own language
    english = _ENGLISH.search(re.sub("«[^»]*»|https?://\\S+", "", words))
    if english:
        return f"English: {english[0]}"
    if not _SENTENCE.match(words):
        return "no sentence"
    if host not in words and "Servicio con fallos" not in words and "Catálogo con fallos" not in words:
        return "it does not say which server"
    return ""


def _redirect_all(server: OddServer, target: str) -> None:
    server.fault = lambda handler, sound: handler._send(307, Location=f"{target}{handler.path}")


def _use_proxy(url: str) -> None:
    from qgis.core import QgsNetworkAccessManager, QgsSettings

    settings = QgsSettings()
    settings.remove("proxy")
    if url:
        parts = urlsplit(url)
        for key, value in {"proxyEnabled": True, "proxyType": "HttpProxy", "proxyHost": parts.hostname,
                           "proxyPort": str(parts.port)}.items():
            settings.setValue(f"proxy/{key}", value)
    QgsNetworkAccessManager.instance().setupDefaultProxyAndCache()


def _trust(certificate: str) -> None:
    from qgis.PyQt.QtNetwork import QSslCertificate, QSslConfiguration

    global _trusted_before
    if certificate:
        _trusted_before = QSslConfiguration.defaultConfiguration()
        trusting = QSslConfiguration.defaultConfiguration()
        trusting.setCaCertificates(trusting.caCertificates() + QSslCertificate.fromPath(certificate))
        QSslConfiguration.setDefaultConfiguration(trusting)
    elif _trusted_before is not None:
        QSslConfiguration.setDefaultConfiguration(_trusted_before)


_trusted_before: Any = None


def prepare() -> None:
    """Short limits, and Spanish texts."""
    from plugin.gis.network import client
    from plugin.gis.runtime import i18n, settings

    client._INITIAL_RETRY_DELAY = 0.02
    settings.set("first_byte_timeout", FIRST_BYTE)
    settings.set("total_timeout", TOTAL)
    settings.set("retries", 0)
    from qgis.core import QgsNetworkAccessManager

    QgsNetworkAccessManager.setTimeout(round(1000 * FIRST_BYTE))
    if not i18n.install("es"):
        raise SystemExit("the Spanish texts are not built: make translations")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Print the table and return 1 if a cell is broken."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--operation", nargs="+", choices=tuple(OPERATIONS), default=list(OPERATIONS))
    parser.add_argument("--fault", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--words", action="store_true", help="print what was said in each cell")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-faults-"))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for variable, name in (("XDG_CACHE_HOME", "cache"), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"),
                           ("XDG_RUNTIME_DIR", "runtime")):
        (folder / name).mkdir(mode=0o700)
        os.environ[variable] = str(folder / name)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    prepare()
    (folder / "out").mkdir()
    status = print_table(Table(folder / "out"), given.operation, given.fault, given.words)
    shutil.rmtree(folder, ignore_errors=True)
    sys.stdout.flush()
    # QGIS may crash while it ends
    os._exit(status)


def print_table(table: Table, operations: Sequence[str], faults: Sequence[str], words: bool) -> int:
    """Run the cells and print a line for each fault; the status is that of ``main``."""
    started, cells = time.monotonic(), []
    # the first run imports what the others use
    for name in operations:
        table.cell(name, "byte order mark")
    for number, name in enumerate(operations):
        print(f"{chr(97 + number)} {name}", flush=True)
    print(f"{'fault':27}" + " ".join(chr(97 + number) for number in range(len(operations)))
          + "  slowest  window held", flush=True)
    for fault in faults:
        row = {name: table.cell(name, fault) for name in operations}
        cells += row.values()
        print(f"{fault:27}" + " ".join(cell.letter for cell in row.values())
              + f"  {max(cell.seconds for cell in row.values()):6.1f} s"
              + f" {max(cell.held for cell in row.values()):6.0f} ms", flush=True)
        for name, cell in row.items():
            if words or cell.broken:
                said = f"{cell.broken}: {cell.words}" if cell.broken else cell.words or "(sound)"
                print(f"    {name}: " + said.replace("\n", " ")[:400], flush=True)
    broken = sum(bool(cell.broken) for cell in cells)
    errors = sum(cell.letter == "E" for cell in cells)
    print(f"{len(cells)} cells: {errors} errors in words, {len(cells) - errors - broken} sound, {broken} broken; "
          f"window held at most {max(cell.held for cell in cells):.0f} ms; {time.monotonic() - started:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    main()

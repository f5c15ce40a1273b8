"""A3 pages at 300 dpi beside a bare client that sends the very same GetMap requests to the same server.

The server is on the same machine here, so that its drawing and QGIS's share the cores; ``floor_row`` tells what that
alone allows. From a server elsewhere, which takes its time, the export waits as long as the bare client does.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List

from harness import TINY, Row, benchmark, measured_inside

REPOSITORY = Path(__file__).resolve().parents[2]
ROUNDS = 1 if TINY else 3
#: dots per inch
DPI = 30 if TINY else 300
#: seconds that a quick server elsewhere takes for an image, and those of a slow one
NEAR, AWAY = 0.3, 0.5 if TINY else 4
NAME, GOAL = "export of an A3 page at 300 dpi", "ratio <= 3"
#: beside QGIS alone, which requests one image after the other: a server that answers at once, and one elsewhere
OWN_GOAL, NEAR_GOAL = "ratio <= 0.9", "ratio <= 0.5"
PEER = "a bare client, the same GetMap requests in parallel"
ALONE = "QGIS alone, one layer after the other, unchecked"
#: pages beside the guide map: their names, and what they are called
OTHER_PAGES = {"leaflet": "export of a folded leaflet (A3) at 300 dpi",
               "multiples": "export of 30 small multiples (A3) at 300 dpi"}


def program(folder: Path, rounds: int, name: str) -> Dict[str, Any]:
    """In a QGIS of its own: seconds of each export and of the bare client's requests, taken in turns.

    ``name`` is the template's. Of other pages than the guide map only the exports and the requests are measured.
    """
    import statistics
    import time
    from concurrent.futures import ThreadPoolExecutor
    from typing import Callable
    from urllib.request import urlopen

    sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "network"), str(REPOSITORY / "tests" / "qgis")]
    from network import Network
    from qgis.core import QgsApplication, QgsLayoutExporter, QgsNetworkAccessManager, QgsProject
    from qgis.PyQt.QtCore import QSize

    application = QgsApplication([], True)
    application.initQgis()
    from print_maps import composed, entry_of, known_records, leaflet_page

    from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
    from plugin.gis.export import layout_export
    from plugin.gis.pixels.plan import plan_page
    from plugin.gis.pixels.request import PixelRequest

    network = Network()
    network.start()
    try:
        page_setup = leaflet_page(network) if name == "leaflet" else PageSetup("A3", Orientation.LANDSCAPE, name)
        if name == "multiples":
            days = entry_of(known_records(network)[network.endpoints["precipitation"]],
                            [f"precipitacion_201606{day:02d}" for day in range(1, 4 if TINY else 31)])
            made = composed(network, QgsProject.instance(), base=None, overlays=(days, ), page=page_setup,
                            extent=MapExtent(-7.5, 36.0, -1.66, 38.73))
        else:
            made = composed(network, QgsProject.instance(), page=page_setup,
                            guide=("relieve", "hidrografia", "limite_parque", "carreteras"),
                            facilities=("miradores", "centros_visitantes"))
        addresses = list(dict.fromkeys(piece.url for request in plan_page(made.layout, DPI)
                                       if isinstance(request, PixelRequest) for piece in request.pieces))

        def ask(url: str) -> int:
            with urlopen(url, timeout=120) as answer:  # noqa: S310 - the loopback network's own address
                return len(answer.read())

        def bare() -> int:
            with ThreadPoolExecutor(max_workers=len(addresses)) as pool:
                return sum(pool.map(ask, addresses))

        def ours() -> None:
            QgsNetworkAccessManager.instance().cache().clear()
            before = network.count("GetMap")
            done = layout_export.export_pdf(made.layout, folder / "ours.pdf", DPI)
            asked = network.count("GetMap") - before
            if asked != len(addresses) or done.attempts != 1:
                raise RuntimeError(f"{asked} requests instead of {len(addresses)}: not the same work")

        def memory_of(what: str) -> float:
            """A line of this process's memory in /proc/self/status, in MB."""
            line = next(one for one in Path("/proc/self/status").read_text("ascii").splitlines() if what in one)
            return int(line.split()[1]) / 1000

        def peak_memory(work: Callable[[], object]) -> float:
            """The most memory during ``work``, in MB above the start."""
            before = memory_of("VmRSS")
            # the peak so far is forgotten: proc(5)
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
            work()
            return memory_of("VmHWM") - before

        def serial() -> None:
            # as QGIS does it by itself: one layer's picture after the other
            QgsNetworkAccessManager.instance().cache().clear()
            write(made.layout, folder / "serial.pdf", DPI)

        def server_seconds() -> float:
            # MapServer's workers are its children, which live on
            stats = [stat.read_text().rsplit(")", 1)[1].split() for stat in Path("/proc").glob("[0-9]*/stat")
                     if stat.parent.name == str(network._process.pid) or parent_of(stat) == network._process.pid]
            # utime, stime, cutime, cstime: proc(5)
            return sum(int(field) for fields in stats for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")

        def parent_of(stat: Path) -> int:
            return int(stat.read_text().rsplit(")", 1)[1].split()[1])

        def measured(work: Callable[[], object]) -> Dict[str, Any]:
            """Seconds: of the clock, of this process's work, of the server's work."""
            before = time.perf_counter(), time.process_time(), server_seconds()
            work()
            return {"wall": time.perf_counter() - before[0], "own": time.process_time() - before[1],
                    "server": server_seconds() - before[2]}

        write = layout_export.EXPORT_FORMATS[layout_export.ExportFormat.PDF].write

        def drawn() -> None:
            # again from the cache: what QGIS itself needs, whatever the server does
            write(made.layout, folder / "drawn.pdf", DPI)

        def page() -> None:
            QgsLayoutExporter(made.layout).renderPageToImage(0, QSize(), DPI)

        works: dict[str, Callable[[], object]] = {"ours": ours, "bare": bare}
        is_guide = name not in OTHER_PAGES
        if is_guide:
            works.update(addresses=lambda: plan_page(made.layout, DPI), drawn=drawn, map=page)
        first: List[Dict[str, Any]] = []
        memory = peak_memory(lambda: first.append(measured(ours)))
        taken: Dict[str, List[Dict[str, Any]]] = {"ours": first} if TINY else {}
        for number in range(0 if not TINY else 1, rounds + 1):
            for step, work in (*works.items(), ("serial", serial)):
                if step == "ours" and TINY:
                    continue
                found = measured(work)
                if number:
                    taken.setdefault(step, []).append(found)
        network.fault({"match": {"request": "GetMap"}, "action": {"type": "delay", "seconds": NEAR}})
        for step, work in (("ours", ours), ("bare", bare), ("serial", serial)):
            taken[f"{step}_near"] = taken[step] if TINY else [measured(work)]
        network.reset()
        if is_guide:
            network.fault({"match": {"request": "GetMap"}, "action": {"type": "delay", "seconds": AWAY}})
            taken["ours_away"], taken["bare_away"] = [measured(ours)], [measured(bare)]
        answer = {step: {part: statistics.median(one[part] for one in found) for part in found[0]}
                  for step, found in taken.items()}
        return {**answer, "requests": len(addresses), "bytes": bare(), "memory": memory}
    finally:
        network.stop()


def in_a_qgis_of_its_own(name: str) -> Dict[str, Any]:
    """What ``program`` measured of a page."""
    with tempfile.TemporaryDirectory() as folder:
        return measured_inside(name, __file__, folder, name, seconds=900, python=sys.executable)


@benchmark
def export_a3() -> Iterator[Row]:
    """The wall time of the export, and how much of it is QGIS's own drawing."""
    found = in_a_qgis_of_its_own("guide")
    pictures = f"{found['requests']} images, {found['bytes'] / 1e6:.1f} MB"
    note = f"{pictures}; median of {ROUNDS}"
    ours, bare = found["ours"], found["bare"]
    yield Row(NAME, ours["wall"], "s", PEER, bare["wall"], GOAL, note)
    yield Row(f"{NAME} from a server that takes {AWAY} s for each image", found["ours_away"]["wall"], "s", PEER,
              found["bare_away"]["wall"], GOAL, f"{pictures}; once")
    yield Row(NAME, ours["wall"], "s", ALONE, found["serial"]["wall"], OWN_GOAL, note)
    yield from near_rows(NAME, found, f"{pictures}; once")
    yield memory_row(NAME, found)
    yield floor_row(found)


@benchmark
def export_other_pages() -> Iterator[Row]:
    """The wall times of a folded leaflet and of 30 small multiples."""
    for page, name in OTHER_PAGES.items():
        found = in_a_qgis_of_its_own(page)
        pictures = f"{found['requests']} images, {found['bytes'] / 1e6:.1f} MB"
        note = f"{pictures}; median of {ROUNDS}"
        yield Row(name, found["ours"]["wall"], "s", ALONE, found["serial"]["wall"], OWN_GOAL, note)
        yield Row(name, found["ours"]["wall"], "s", PEER, found["bare"]["wall"], GOAL, note)
        yield from near_rows(name, found, f"{pictures}; once")
        yield memory_row(name, found)


def memory_row(name: str, found: Dict[str, Any]) -> Row:
    """The memory that the first export of a page takes."""
    return Row(f"{name}: memory above the start", found["memory"], "MB", goal="value <= 400", note="the first export")


def near_rows(name: str, found: Dict[str, Any], note: str) -> Iterator[Row]:
    """The rows of a page from a quick server elsewhere, where the export waits for images as people do."""
    name, ours = f"{name} from a server that takes {NEAR} s for each image", found["ours_near"]["wall"]
    yield Row(name, ours, "s", ALONE, found["serial_near"]["wall"], NEAR_GOAL, note)
    yield Row(name, ours, "s", PEER, found["bare_near"]["wall"], GOAL, note)


def floor_row(found: Dict[str, Any]) -> Row:
    """What the goal allows where the server shares the cores: its work stands on both sides, QGIS's on one."""
    ours, server, drawing = found["ours"]["own"], found["bare"]["server"], found["drawn"]["own"]
    packing = drawing - found["map"]["own"]
    note = (f"no goal. Processor seconds: finding the addresses {found['addresses']['own']:.2f}, QGIS's drawing "
            f"{found['map']['own']:.2f}, packing the PDF {packing:.2f}, the server {server:.2f}. On {os.cpu_count()} "
            f"cores that the server shares, all of them busy to the end, the ratio could be {1 + ours / server:.2f}, "
            f"and {1 + drawing / server:.2f} if we did nothing but QGIS's drawing and packing")
    return Row(f"{NAME}: the processor's work", ours, "s", "the server's work", server, "", note)


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent)]
    print("MEASURED" + json.dumps(program(Path(sys.argv[1]), ROUNDS, sys.argv[2])))
    sys.stdout.flush()
    os._exit(0)

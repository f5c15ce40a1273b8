"""An A3 page at 300 dpi beside a bare client that sends the very same GetMap requests to the same server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator

from harness import Row, benchmark, not_measured

REPOSITORY = Path(__file__).resolve().parents[2]
ROUNDS = 3
NAME, GOAL = "export of an A3 page at 300 dpi", "ratio <= 1.5"
PEER = "a bare client, the same GetMap requests in parallel"
HOMES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "QGIS_CUSTOM_CONFIG_PATH", "XDG_RUNTIME_DIR")


def program(folder: Path, rounds: int) -> dict:
    """In a QGIS of its own: seconds of each export and of the bare client's requests, taken in turns."""
    import statistics
    import time
    from concurrent.futures import ThreadPoolExecutor
    from urllib.request import urlopen

    sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests" / "network"), str(REPOSITORY / "tests" / "qgis")]
    from network import Network
    from qgis.core import QgsApplication, QgsNetworkAccessManager, QgsProject

    application = QgsApplication([], True)
    application.initQgis()
    from print_maps import composed

    from plugin.core.custommap.model import Page
    from plugin.gis import export, prefetch

    network = Network()
    network.start()
    try:
        made = composed(network, QgsProject.instance(), page=Page("A3", "landscape"),
                        guide=("relieve", "hidrografia", "limite_parque", "carreteras"),
                        facilities=("miradores", "centros_visitantes"))
        addresses = [request.url for request in prefetch.requests_of(made.layout, 300)]

        def ask(url: str) -> int:
            with urlopen(url, timeout=120) as answer:  # noqa: S310 - the loopback network's own address
                return len(answer.read())

        ours, bare, parts, alone_qgis = [], [], [], []
        for number in range(rounds + 1):
            QgsNetworkAccessManager.instance().cache().clear()
            before = network.count("GetMap")
            started = time.perf_counter()
            done = export.export_pdf(made.layout, folder / f"{number}.pdf", 300)
            took = time.perf_counter() - started
            asked = network.count("GetMap") - before
            if asked != len(addresses) or done.attempts != 1:
                raise RuntimeError(f"{asked} requests instead of {len(addresses)}: not the same work")
            started = time.perf_counter()
            with ThreadPoolExecutor(max_workers=len(addresses)) as pool:
                sizes = list(pool.map(ask, addresses))
            alone = time.perf_counter() - started
            # drawn again from the cache: what QGIS itself needs, whatever the server does
            started = time.perf_counter()
            export.export_pdf(made.layout, folder / f"{number}.pdf", 300)
            drawn = time.perf_counter() - started
            # as QGIS does it by itself: one layer's picture after the other
            QgsNetworkAccessManager.instance().cache().clear()
            started = time.perf_counter()
            export.FORMATS["pdf"].write(made.layout, folder / f"{number}.pdf", 300)
            serial = time.perf_counter() - started
            if number:
                alone_qgis.append(serial)
                ours.append(took)
                bare.append(alone)
                parts.append(drawn)
        return {"ours": statistics.median(ours), "bare": statistics.median(bare), "drawn": statistics.median(parts),
                "qgis": statistics.median(alone_qgis),
                "requests": len(addresses), "bytes": sum(sizes)}
    finally:
        network.stop()


@benchmark
def export_a3() -> Iterator[Row]:
    """The wall time of the export, and how much of it is QGIS's own drawing."""
    with tempfile.TemporaryDirectory() as folder:
        home = dict.fromkeys(HOMES, folder)
        answer = subprocess.run(
            [sys.executable, __file__, folder], capture_output=True, text=True, timeout=900, check=False,
            env={**os.environ, **home, "QT_QPA_PLATFORM": "offscreen", "NO_PROXY": "*", "no_proxy": "*"})
    line = next((line for line in answer.stdout.splitlines() if line.startswith("MEASURED")), "")
    if not line:
        said = answer.stderr.strip().splitlines() or ["it ended without a word"]
        yield not_measured(NAME, said[-1], "s", PEER, GOAL)
        return
    found = json.loads(line[len("MEASURED"):])
    note = f"{found['requests']} images, {found['bytes'] / 1e6:.1f} MB; median of {ROUNDS}"
    yield Row(NAME, found["ours"], "s", PEER, found["bare"], GOAL, note)
    yield Row(NAME, found["ours"], "s", "QGIS alone, one layer after the other, unchecked", found["qgis"], "", note)
    yield Row(f"{NAME}: drawn from the cache", found["drawn"], "s", PEER, found["bare"], "",
              "what QGIS needs to draw and pack the PDF when every image is at hand")


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent)]
    print("MEASURED" + json.dumps(program(Path(sys.argv[1]), ROUNDS)))
    sys.stdout.flush()
    os._exit(0)

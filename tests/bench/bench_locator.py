"""QGIS's locator with "cg": from a key to all results out of the store, and the browser's parts of as many records."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List

from harness import Row, benchmark, measured_inside
from store_queries import queries
from varied_records import records

REPOSITORY = Path(__file__).resolve().parents[2]
RECORDS = min(int(os.environ.get("CARTOGUIDE_BENCH_RECORDS", "100000")), 20_000)

PROGRAM = """
import json, os, sys, time
folder, store, asked = sys.argv[1:]
sys.path.insert(0, folder)
from qgis.core import QgsApplication, QgsLocator, QgsLocatorContext
from qgis.PyQt.QtCore import QEventLoop
application = QgsApplication([], True)
application.initQgis()
from plugin.core.library.record_browser import RecordSubset
from plugin.gis.runtime import compat, settings
from plugin.gis.library.library_reader import LibraryReader
from plugin.integration.locator_search import locator_actions
from plugin.integration.locator_search import PREFIX, CartoguideLocatorFilter
from plugin.integration.locator_search import LocatorSearch
settings.set("store/path", store)
records = LibraryReader()
search = LocatorSearch(records, locator_actions())
locator = QgsLocator()
compat.register_locator_filter(locator.registerFilter, CartoguideLocatorFilter(lambda: search, print), PREFIX)
loop, found, last = QEventLoop(), [], []
locator.foundResult.connect(lambda _result: last.append(time.perf_counter()))
locator.finished.connect(loop.quit)
def ask(text):
    last.clear()
    begun = time.perf_counter()
    locator.fetchResults("cg " + text, QgsLocatorContext())
    if locator.isRunning():
        loop.exec()
    return [(time.perf_counter() - begun) * 1000, len(last)]
ask("opens the store")
times = [ask(text) for text in json.loads(asked)]
browsing, parts = records.store().browser, []
for part in [RecordSubset(**given) for given in ({}, {"kind": "service"}, {"kind": "dataset"},
                                                {"kind": "dataset", "initial": "m"})]:
    begun = time.perf_counter()
    browsing.count(part), browsing.count_by_kind(part), browsing.count_by_initial(part), browsing.page(part, 200)
    parts.append((time.perf_counter() - begun) * 1000)
print("MEASURED" + json.dumps({"times": times, "parts": parts}))
sys.stdout.flush()
os._exit(0)
"""


def typed() -> List[str]:
    """What people type, as it grows."""
    made = queries(each=20)
    kinds = ("words", "rare words", "prefixes", "words as they are typed", "words in every record")
    return [query.text for kind in kinds for query in made[kind]]


def measured(store: Path) -> Dict[str, Any]:
    """What a QGIS of its own measures on ``store``."""
    return measured_inside("the locator", PROGRAM, str(REPOSITORY), str(store), json.dumps(typed()))


@benchmark
def locator_and_browser() -> Iterator[Row]:
    """Results within 50 ms; the browser's parts are read in a worker, but nobody likes to wait."""
    from plugin.core.library.bulk_import import import_documents
    from plugin.core.library.record_store import RecordStore

    with tempfile.TemporaryDirectory(prefix="cartoguide-bench-") as folder:
        path = Path(folder) / "records.sqlite"
        store = RecordStore(path)
        import_documents(store, "bench", "folder", "Bench", ((f"{n}.xml", data) for n, data in enumerate(
            records(RECORDS))))
        store.close()
        found = measured(path)
    times = sorted(one[0] for one in found["times"])
    results = sum(one[1] for one in found["times"])
    note = f"{len(times)} searches over {RECORDS:,} records, {results} results, worst {times[-1]:.0f} ms"
    yield Row("locator, key to all results, p95", times[int(len(times) * 0.95)], "ms", goal="value <= 50", note=note)
    yield Row("browser, one part of the records, slowest", max(found["parts"]), "ms", goal="value <= 500",
              note=f"count, kinds, letters and a page of 200 of {RECORDS:,} records, in a worker")

"""Runs inside QGIS's Python: searches with the locator and reads the browser's parts (see bench_locator.py).

    /usr/bin/python3 inside_locator.py STORE TEXTS    TEXTS: what is typed, a list as JSON
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Tuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from qgis.core import QgsApplication, QgsLocator, QgsLocatorContext  # noqa: E402
from qgis.PyQt.QtCore import QEventLoop  # noqa: E402


def main() -> None:
    """Search the store for each of the texts."""
    application = QgsApplication([], True)
    application.initQgis()
    from plugin.core.library.record_browser import RecordSubset
    from plugin.gis.library.library_reader import LibraryReader
    from plugin.gis.runtime import compat, settings
    from plugin.integration.locator_filter import PREFIX, CartoguideLocatorFilter
    from plugin.integration.locator_search import LocatorSearch, locator_actions

    settings.set("store/path", sys.argv[1])
    records = LibraryReader()
    search, locator = LocatorSearch(records, locator_actions()), QgsLocator()
    compat.register_locator_filter(locator.registerFilter, CartoguideLocatorFilter(lambda: search, print), PREFIX)
    loop, found = QEventLoop(), []
    locator.foundResult.connect(lambda _result: found.append(time.perf_counter()))
    locator.finished.connect(loop.quit)

    def ask(text: str) -> Tuple[float, int]:
        found.clear()
        begun = time.perf_counter()
        locator.fetchResults("cg " + text, QgsLocatorContext())
        if locator.isRunning():
            loop.exec()
        return (time.perf_counter() - begun) * 1000, len(found)

    ask("opens the store")
    times = [ask(text) for text in json.loads(sys.argv[2])]
    browser, parts = records.store().browser, []
    for part in (RecordSubset(), RecordSubset(kind="service"), RecordSubset(kind="dataset"),
                 RecordSubset(kind="dataset", initial="m")):
        begun = time.perf_counter()
        browser.count(part)
        browser.count_by_kind(part)
        browser.count_by_initial(part)
        browser.page(part, 200)
        parts.append((time.perf_counter() - begun) * 1000)
    print("MEASURED" + json.dumps({"times": times, "parts": parts}), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()

"""Two QGIS with one record library: both harvest at once, nothing is lost or counted twice, nobody sees a lock."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from tests.slowness import patience

#: a QGIS with a dock that harvests ``source`` into the library, and tells what it showed
WINDOW = """
import json, sys, time
from pathlib import Path
root, folder, library, source, limit = sys.argv[1:]
sys.path[:0] = [root, f"{root}/tests"]
from isolation import isolate
isolate(Path(folder))
from qgis.core import QgsApplication
application = QgsApplication([], True, folder + "/profile")
application.initQgis()
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.gis.runtime import settings, tasks
from plugin.ui.dock.dock_widget import CartoguideDock
settings.set("store/path", library)
dock = CartoguideDock(None)
dock.show()
end = time.monotonic() + float(limit)

def wait(condition):
    while not condition():
        application.processEvents()
        time.sleep(0.002)
        if time.monotonic() > end:
            raise SystemExit("waited too long")

wait(lambda: not dock.session.loading and dock.session.library.store_if_open is not None)
print("ready", flush=True)
sys.stdin.readline()
ended = []
dock.list_page.harvests.started.connect(lambda job: job.ended.connect(lambda *said: ended.append(said)))
dock.list_page.harvests.start(Source(source, SourceKind.CSW_2, "Red"), CatalogueQuery(page_size=20))
wait(lambda: ended)
wait(lambda: not dock.session.loading)
print(json.dumps({"ended": ended, "messages": [[level.value, text] for level, text in dock.messages.history]}))
dock.close_down()
tasks.shutdown()
sys.stdout.flush()
import os
os._exit(0)
"""


def harvested(repository, tmp_path, library, sources):
    """What the windows said, each of which harvests one of ``sources``, at the same time."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "QGIS_CUSTOM"))}
    windows = []
    for number, source in enumerate(sources):
        folder = tmp_path / f"window{number}"
        folder.mkdir()
        windows.append(subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(repository), str(folder), str(library), source, str(patience(60))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment))
    try:
        for window in windows:
            if window.stdout.readline() != "ready\n":
                raise AssertionError(window.communicate()[1][-3000:])
        for window in windows:
            window.stdin.write("\n")
            window.stdin.flush()
        ended = [window.communicate(timeout=patience(120)) for window in windows]
    finally:
        for window in windows:
            window.kill()
            window.communicate()
    assert [window.returncode for window in windows] == [0, 0], [errors for _, errors in ended]
    return [json.loads(said.splitlines()[-1]) for said, _ in ended]


def counts(window):
    """New, changed and same of the summary in the window."""
    (text, _detail, can_resume), = window["ended"]
    assert not can_resume, text
    return text


def check_library(library, wanted):
    store = RecordStore(library)
    try:
        found = {hit.identifier for hit in store.search(LibraryQuery(), limit=10_000).hits}
        assert {name for name in found if name.startswith("made-")} == wanted
        assert all(store.load_record(name) is not None for name in wanted) and not store.notices
    finally:
        store.close()


def test_two_windows_harvest_two_catalogues_into_one_library(repository, tmp_path):
    records, library = made(240), tmp_path / "records.sqlite"
    with ScriptedCatalogue(records[:160]) as one, ScriptedCatalogue(records[80:]) as other:
        said = harvested(repository, tmp_path, library, [f"{one.url}/csw", f"{other.url}/csw"])
    check_library(library, {record.id for record in records})
    for window in said:
        assert sum(int(number) for number in re.findall(r"\d+", counts(window))) == 160
        assert not [text for level, text in window["messages"] if level in ("error", "warning")]


def test_two_windows_harvest_the_same_catalogue(repository, tmp_path):
    """Each takes what it gets; together they have all of it, once, and neither fails."""
    records, library = made(160), tmp_path / "records.sqlite"
    with ScriptedCatalogue(records) as catalogue:
        said = harvested(repository, tmp_path, library, [f"{catalogue.url}/csw"] * 2)
    check_library(library, {record.id for record in records})
    assert not [text for window in said for level, text in window["messages"] if level in ("error", "warning")]
    new = sum(int(number) for window in said for number in re.findall(r"(\d+) new", counts(window)))
    assert new == 160

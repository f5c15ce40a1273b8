"""Two QGIS with one record library: both harvest at once, nothing is lost or counted twice, nobody sees a lock."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest
from made_catalogue import made
from scripted_catalogue import ScriptedCatalogue

from plugin.core.library.query import LibraryQuery
from plugin.core.library.record_store import RecordStore
from tests.slowness import patience

#: a QGIS with a dock that harvests one source after the other into the library, and tells what it showed
WINDOW = """
import json, sys, time
from pathlib import Path
root, folder, library, limit = sys.argv[1:]
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
for source in sys.stdin:
    ended = []
    note = lambda job: job.ended.connect(lambda *said: ended.append(said))
    dock.list_page.harvests.started.connect(note)
    dock.list_page.harvests.start(Source(source.strip(), SourceKind.CSW_2, "Red"), CatalogueQuery(page_size=20))
    wait(lambda: ended)
    wait(lambda: not dock.session.loading)
    dock.list_page.harvests.started.disconnect(note)
    print(json.dumps({"ended": ended, "messages": [[level.value, text] for level, text in dock.messages.history]}),
          flush=True)
dock.close_down()
tasks.shutdown()
sys.stdout.flush()
import os
os._exit(0)
"""


@pytest.fixture
def windows(repository, tmp_path):
    """Two windows on the library ``records.sqlite``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "QGIS_CUSTOM"))}
    opened = []
    for number in range(2):
        folder = tmp_path / f"window{number}"
        folder.mkdir()
        opened.append(subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(repository), str(folder), str(tmp_path / "records.sqlite"),
             str(patience(60))], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment))
    try:
        for window in opened:
            said_by(window, "ready")
        yield opened
    finally:
        for window in opened:
            window.kill()
            window.communicate()


def said_by(window, begins):
    """The next line of a window."""
    line = window.stdout.readline()
    if not line.startswith(begins):
        raise AssertionError(line + window.communicate()[1][-3000:])
    return line


def harvested(windows, sources):
    """What the windows said, each of which harvests one of ``sources``, at the same time."""
    for window, source in zip(windows, sources):
        window.stdin.write(f"{source}\n")
        window.stdin.flush()
    return [json.loads(said_by(window, "{")) for window in windows]


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


@pytest.mark.slow
def test_two_windows_harvest_two_catalogues_into_one_library_and_then_the_same_one(windows, tmp_path):
    """Each takes what it gets. Together they have all of it, once, and neither fails."""
    records, library = made(400), tmp_path / "records.sqlite"
    with ScriptedCatalogue(records[:160]) as one, ScriptedCatalogue(records[80:240]) as other:
        said = harvested(windows, [f"{one.url}/csw", f"{other.url}/csw"])
    check_library(library, {record.id for record in records[:240]})
    assert [sum(map(int, re.findall(r"\d+", counts(window)))) for window in said] == [160, 160]
    with ScriptedCatalogue(records[240:]) as catalogue:
        said = harvested(windows, [f"{catalogue.url}/csw"] * 2)
    check_library(library, {record.id for record in records})
    assert not [text for window in said for level, text in window["messages"] if level in ("error", "warning")]
    assert sum(int(number) for window in said for number in re.findall(r"(\d+) new", counts(window))) == 160
    for window in windows:
        _output, errors = window.communicate(timeout=patience(120))
        assert window.returncode == 0, errors

"""What exports, imports and jobs leave behind in memory: nothing."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import pytest
from qgis.core import QgsLayout, QgsMapLayer, QgsNetworkAccessManager, QgsProject, QgsTask
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject
from qgis.PyQt.QtNetwork import QNetworkRequest

from plugin.app.records.dock_session import ServiceStatus
from plugin.app.records.harvest_controller import HarvestJob
from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
from plugin.gis.export import layout_export
from plugin.gis.export.layout_export import ExportOptions
from plugin.gis.network.request_preprocessors import request_preprocessor
from plugin.gis.runtime import tasks
from tests.qgis.print_maps import composed

#: all objects of this process are counted
pytestmark = pytest.mark.own_process


def settled():
    """Deferred deletions done, rubbish collected."""
    for _ in range(4):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()
        gc.collect()


def alive():
    """Objects of the plugin's classes, and QGIS's own that Python knows of, by class."""
    settled()
    found = Counter()
    for one in gc.get_objects():
        kind = type(one)
        of_qgis = isinstance(one, (QgsLayout, QgsMapLayer, QgsProject, QgsTask)) and not sip.isdeleted(one)
        found[kind.__name__] += of_qgis or str(kind.__module__).startswith("plugin.")
    found["children of the network manager"] = len(QgsNetworkAccessManager.instance().findChildren(QObject))
    return +found


def nothing_more_than(before):
    """Whether no more is alive than before. Threads may end a moment after the job's result is there."""
    more = alive() - before
    if more:
        print(dict(more))
    return not more


@pytest.mark.slow
def test_exports_leave_nothing_behind(network, project, tmp_path, wait_until):
    made = composed(network, project)

    def export(number, kind):
        suffix = layout_export.EXPORT_FORMATS[kind].suffix
        layout_export.export_layouts(made.layout, tmp_path / f"{number}.{suffix}", kind, ExportOptions(40))

    export("first", "pdf")
    export("first", "png")
    before = alive()
    for number in range(2):
        export(number, "pdf")
        export(number, "png")
    wait_until(lambda: nothing_more_than(before))


def test_jobs_leave_nothing_behind(qgis_app, wait_until):
    class Owner(QObject):
        """Lives on."""

    owner, done = Owner(), []
    for number in range(3):
        if number == 1:
            before = alive()
        for _ in range(20):
            tasks.start("a job", lambda feedback: feedback.report(50.0, "half"), done.append, done.append, owner,
                        lambda *_: None)
        wait_until(lambda count=20 * (number + 1): len(done) == count)
    wait_until(lambda: nothing_more_than(before))


def test_what_looked_at_requests_is_released(qgis_app):
    class Looking:
        """Referred to by the function."""

    looking = Looking()
    gone = weakref.ref(looking)

    def look(_request: QNetworkRequest, looking=looking) -> None:
        """See a request."""

    with request_preprocessor(look), request_preprocessor(lambda request: seen.append(request.url().host())):
        seen: list = []
        QgsNetworkAccessManager.instance().get(QNetworkRequest()).abort()
        assert seen == [""]
    del looking, look
    settled()
    assert gone() is None
    QgsNetworkAccessManager.instance().get(QNetworkRequest()).abort()
    assert seen == [""]


def test_services_that_were_loaded_or_failed_leave_nothing_behind(network, network_dock, wait_until):
    """Each loaded service once left the owner of its request in the window, and each refresh one more."""
    session = network_dock().session
    endpoints = [network.endpoints[name] for name in ("guide", "facilities")] + [f"{network.url}/nowhere?"]

    def load_all():
        for endpoint in endpoints:
            session.load_service(endpoint, refresh=True)
        busy = (ServiceStatus.UNKNOWN, ServiceStatus.LOADING)
        wait_until(lambda: all(session.service_state(endpoint).status not in busy for endpoint in endpoints))
        settled()
        return Counter(type(one).__name__ for one in session.children())

    before = load_all()
    assert load_all() == before and before["QObject"] == 0
    session.load_service(endpoints[0], refresh=True)
    session.cancel_service(endpoints[0])
    settled()
    assert Counter(type(one).__name__ for one in session.children()) == before


def test_a_harvest_that_is_running_already_leaves_no_second_job(network_dock, wait_until):
    dock = network_dock()
    controller = dock.list_page.harvests
    source, errors = Source("http://127.0.0.1:9/csw", SourceKind.CSW_2, "Red"), len(dock.messages.history)
    for _ in range(3):
        controller.start(source, CatalogueQuery())
    settled()
    assert len(controller.findChildren(HarvestJob)) == 1 and len(dock.messages.history) >= errors + 2
    wait_until(lambda: not controller.running)

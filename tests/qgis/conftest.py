"""Fixtures of the tests inside QGIS: every test starts with an empty project, default settings and an empty cache."""

from __future__ import annotations

import faulthandler
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import qgis.utils
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsNetworkAccessManager,
    QgsNetworkRequestParameters,
    QgsProject,
    QgsRectangle,
    QgsSettings,
)
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QObject, QThread, QThreadPool
from qgis.PyQt.QtNetwork import QNetworkRequest
from qgis.PyQt.QtWidgets import QApplication

from plugin.core import i18n
from tests.qgis.waiting import handle_events
from tests.slowness import patience, slowness

LOCAL = ("127.0.0.1", "localhost", "::1", "[::1]", "")
NOWHERE = (".invalid", ".localhost", ".test")
#: seconds that threads have to end after a test, on a machine that has nothing else to do
_ENDING_SECONDS = 5.0
#: milliseconds that QGIS waits for a server by default
_QGIS_TIMEOUT = 60_000
#: hosts of the bundled records. Their services are loaded when such a record is opened
BUNDLED = ("www.juntadeandalucia.es",)


def refuse_bundled(request: QNetworkRequest) -> None:
    """Send requests to the bundled records' services to a port of this machine that refuses them."""
    url = request.url()
    if url.host() in BUNDLED:
        url.setScheme("http")
        url.setHost("127.0.0.1")
        url.setPort(9)
        request.setUrl(url)


@pytest.fixture(scope="session")
def requested_hosts(qgis_app: QgsApplication) -> list[str]:
    """The hosts of all requests that QGIS has made so far, by whatever thread."""
    hosts: list[str] = []
    QgsNetworkAccessManager.setRequestPreprocessor(refuse_bundled)
    created = QgsNetworkAccessManager.instance().requestAboutToBeCreated[QgsNetworkRequestParameters]
    created.connect(lambda parameters: hosts.append(parameters.request().url().host()))
    return hosts


class LateNotices(QObject):
    """Counts what PyQt hears late: that an object of C++ that Python has seen ended in another thread.

    By then a new object may have its address. PyQt takes that for the dead one: it raises where the object is used, and
    ends the process where C++ uses it on.
    """

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self._monitor: QObject | None = None
        # PyQt has no name for the object that hears of it
        QCoreApplication.instance().installEventFilter(self)
        thread = threading.Thread(target=QThread.currentThread)
        thread.start()
        thread.join()
        while self._monitor is None:
            QCoreApplication.processEvents()
        QCoreApplication.instance().removeEventFilter(self)
        self._monitor.installEventFilter(self)

    def eventFilter(self, receiver: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: look at an event."""
        if event.type() == QEvent.Type.MetaCall and receiver.metaObject().className() == "PyQtMonitor":
            if self._monitor is not None:
                self.count += 1
            self._monitor = receiver
        return False


@pytest.fixture(scope="session")
def notices(qgis_app: QgsApplication) -> LateNotices:
    """What counts the late notices of the whole run."""
    return LateNotices()


@pytest.fixture
def no_late_notices(notices: LateNotices) -> Iterator[None]:
    """No object of C++ that Python sees in the test ends in another thread than the main one."""
    QCoreApplication.processEvents()
    notices.count = 0
    yield
    QCoreApplication.processEvents()
    assert notices.count == 0, "Python saw objects of C++ that ended in other threads"


@pytest.fixture(scope="session", autouse=True)
def still_canvas(qgis_app: QgsApplication) -> None:
    """The canvas that pytest-qgis makes draws nothing: it would request what each test adds to the project."""
    qgis.utils.iface.mapCanvas().freeze(True)


@pytest.fixture(autouse=True)
def clean_slate(qgis_app: QgsApplication, requested_hosts: list[str]) -> Iterator[None]:
    """Nothing of one test reaches the next, and no test reaches beyond this machine."""
    forget()
    requested_hosts.clear()
    yield
    beyond = sorted({host for host in requested_hosts if host not in LOCAL and not host.endswith(NOWHERE)})
    forget()
    assert beyond == [], "tests stay on this machine"


def forget() -> None:
    """An empty project, no record kept, all settings at their defaults, English texts, nothing cached."""
    # the profile is this run's own: tests/conftest.py
    shutil.rmtree(Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide", ignore_errors=True)
    QgsProject.instance().clear()
    settings = QgsSettings()
    settings.remove("cartoguide")
    settings.remove("qgis/connections-wms")
    settings.remove("connections/ows")
    i18n.set_translator(None)
    # a tool may have shortened it for all that comes after it
    QgsNetworkAccessManager.setTimeout(_QGIS_TIMEOUT)
    cache = QgsNetworkAccessManager.instance().cache()
    if cache is not None:
        cache.clear()


def let_threads_end(seconds: float) -> None:
    """Wait for what still runs in a pool: what it requests and reports would count for the next test.

    It may need this thread to come to its end. One that waits for a server that hangs is not waited for, and nobody
    looks at what a canvas still draws, which may be the thirty layers of a series.
    """
    from plugin.gis.runtime.thread_pool import job_pool
    from tests.qgis.qgis_window import settle

    canvases = [widget for widget in QApplication.allWidgets() if isinstance(widget, QgsMapCanvas)]
    end, pools = time.monotonic() + seconds, (QThreadPool.globalInstance(), job_pool())
    quiet = 0
    # what is handled may begin something else: a timer of a window that is not deleted yet
    while quiet < 2 and time.monotonic() < end:
        for canvas in canvases:
            if not sip.isdeleted(canvas):
                canvas.stopRendering()
        settle()
        quiet = 0 if any(pool.activeThreadCount() > 0 for pool in pools) else quiet + 1
        if not quiet:
            time.sleep(0.01)


@pytest.fixture
def network(network: Any) -> Any:
    """The test network, whose servers have the cores that other work leaves them: their first byte may come later."""
    from plugin.gis.runtime import settings

    if (factor := slowness()) > 1:
        settings.set("first_byte_timeout", factor * settings.get("first_byte_timeout"))
    return network


@pytest.fixture
def project(qgis_app: QgsApplication) -> QgsProject:
    """The empty project of the running QGIS."""
    return QgsProject.instance()


@pytest.fixture
def qtbot(qtbot: Any) -> Iterator[Any]:
    """pytest-qt's robot, whose pauses grow with the work that the machine has, and whose limits are generous.

    It holds the widgets of a test until they are closed. Else Python may collect a window that only the test's function
    referred to while that window is painted, which ends the process. They are deleted once what uses them has ended.
    pytest-qt does so before: a window that was not closed down ended within a drawing that handled events.
    """
    def limited(wait: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, timeout=0, **named: wait(*given, timeout=int(1000 * patience(timeout / 1000)), **named)

    for name in ("waitUntil", "waitSignal", "waitSignals"):
        setattr(qtbot, name, limited(getattr(qtbot, name)))
    pause = qtbot.wait
    qtbot.wait = lambda milliseconds: pause(int(milliseconds * slowness()))
    held: list[tuple[Any, Callable[[Any], object] | None]] = []

    def hold(widget: Any, *, before_close_func: Callable[[Any], object] | None = None) -> None:
        held.append((widget, before_close_func))

    qtbot.addWidget = hold
    yield qtbot
    for widget, before_close in held:
        if not sip.isdeleted(widget):
            if before_close is not None:
                before_close(widget)
            widget.close()
            widget.deleteLater()


@pytest.fixture
def wait_until(qgis_app: QgsApplication) -> Callable[..., Any]:
    """``wait_until(condition)``: handle events until ``condition()`` is true, and give its value.

    What takes more than a minute alone says so with a second argument, in seconds.
    """

    def wait(condition: Callable[[], Any], seconds: float = 0) -> Any:
        began = time.monotonic()
        while not (value := condition()):
            if time.monotonic() - began > patience(seconds):
                # shows where each job is, since what was waited for may be the end of one
                faulthandler.dump_traceback(sys.__stderr__)
                raise AssertionError(f"{getattr(condition, '__name__', condition)} did not become true in "
                                     f"{time.monotonic() - began:.0f} s")
            handle_events()
        return value

    return wait


@pytest.fixture(scope="session")
def outlines_read_once(qgis_app: QgsApplication) -> None:
    """Each dock would read the same coasts from QGIS's map of the world to paint the same three records on them."""
    from plugin.ui.record import overview_tab

    read, outlines = overview_tab.ExtentPainter._outline, {}

    def remembered(painter: Any, name: str, view: QgsRectangle) -> Any:
        if view.width() > overview_tab._WORLD_VIEW_DEGREES:
            # these are read in steps
            return read(painter, name, view)
        key = name, view.toString(9)
        if key not in outlines:
            outlines[key] = read(painter, name, view)
        return outlines[key]

    overview_tab.ExtentPainter._outline = remembered


@pytest.fixture
def page_picture() -> None:
    """The picture of the page is drawn after each change of a map in ``open_dock``'s docks: few tests look at it."""


@pytest.fixture
def open_dock(qtbot: Any, wait_until: Callable[..., Any], outlines_read_once: None, request: pytest.FixtureRequest,
              monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """``open_dock(width, height, iface, before)``: a shown dock whose records are there; it is closed after the test.

    ``before(dock)`` is called before it is shown. Ask for it last, so that the dock goes before what it uses.
    """
    from plugin.app.page.page_preview_controller import PagePreviewController
    from plugin.gis.runtime import tasks
    from plugin.ui.dock.dock_widget import CartoguideDock

    if "page_picture" not in request.fixturenames:
        # as if it were hidden
        monkeypatch.setattr(PagePreviewController, "set_watched", lambda *_given, **_named: None)
    docks: list[CartoguideDock] = []

    def make(width: int = 340, height: int = 700, iface: Any = None,
             before: Callable[[CartoguideDock], None] | None = None) -> CartoguideDock:
        dock = CartoguideDock(iface)
        docks.append(dock)
        qtbot.addWidget(dock)
        if before is not None:
            before(dock)
        dock.resize(width, height)
        # the mouse of Qt 6's offscreen platform stands where windows open
        dock.move(50, 50)
        dock.show()
        wait_until(lambda: not dock.session.loading)
        return dock

    yield make
    for dock in docks:
        dock.close_down()
    tasks.shutdown()
    let_threads_end(_ENDING_SECONDS * slowness())


@pytest.fixture
def network_dock(network: Any, monkeypatch: pytest.MonkeyPatch, open_dock: Callable[..., Any]) -> Callable[..., Any]:
    """``network_dock(height)``: a dock with the test network's records, in EPSG:25830, no service asked yet."""
    from plugin.gis.runtime import settings
    from plugin.gis.services import service_cache

    def make(height: int = 700) -> Any:
        monkeypatch.setattr(service_cache, "_shared", None, raising=False)
        settings.set("profile", str(network.profile_path))
        QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
        return open_dock(height=height,
                         before=lambda dock: setattr(dock.session, "services", service_cache.ServiceCache()))

    return make


@pytest.fixture
def service_dock(network_dock: Callable[..., Any], wait_until: Callable[..., Any]) -> Callable[[str], Any]:
    """``service_dock(word)``: such a dock with the Service tab of the record whose title holds ``word``, read."""

    def make(word: str) -> Any:
        dock = network_dock(760)
        wait_until(lambda: not dock.session.loading and dock.model.rowCount() == 3)
        row = next(row for row in range(3) if word in dock.model.index(row).data())
        dock.list.setCurrentIndex(dock.model.index(row))
        dock.pages.open_record()
        dock.view.tabs.setCurrentWidget(dock.view.service)
        wait_until(lambda: dock.view.service.layers.model.requestable_nodes(), 30)
        return dock

    return make


@pytest.fixture
def plugin_window(qgis_app: QgsApplication, qtbot: Any) -> Iterator[Any]:
    """The running plugin in a window of its own, as ``plugin``; what it added is taken away after the test."""
    from plugin.gis.runtime import tasks
    from plugin.main import CartoguidePlugin
    from tests.qgis.qgis_window import Window

    iface = Window()
    qtbot.addWidget(iface.window)
    iface.window.resize(1100, 760)
    iface.window.show()
    iface.plugin = CartoguidePlugin(iface)
    iface.plugin.initGui()
    yield iface
    iface.plugin.unload()
    tasks.shutdown()
    let_threads_end(patience())


@pytest.fixture
def logged(qgis_app: QgsApplication) -> Iterator[list[tuple[str, str, Any]]]:
    """What QGIS's message log gets during the test: (text, tag, level)."""
    messages: list[tuple[str, str, Any]] = []

    def note(text: str, tag: str, level: Qgis.MessageLevel) -> None:
        messages.append((text, tag, level))

    log = QgsApplication.messageLog()
    log.messageReceived.connect(note)
    yield messages
    log.messageReceived.disconnect(note)

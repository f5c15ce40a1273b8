"""The real QGIS program opens with the dock. The plugin is used, unloaded and loaded, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest
from qgis.PyQt.QtGui import QImage

from tests.slowness import patience

TIMES = int(os.environ.get("CARTOGUIDE_RELOADS", "4"))
#: Both halves use the plugin alike. QGIS holds what it was given last (browser items, the locator's results), so that
#: the modules of two or three loadings are always there: what matters is that they do not become more.
HALF = TIMES // 2
#: what may differ by a few because QGIS itself keeps caches and pools: by less than one for each loading of a half
ROUGH = {"widgets": min(12, HALF - 1), "objects in the window": min(12, HALF - 1), "open files": 6,
         "top-level widgets": 4}
SCRIPT = """
import gc, json, sys, typing
sys.path.insert(0, {tests!r})
from census import census, locator_widget
from qgis import utils
from qgis.core import QgsApplication, QgsDataItem, QgsMimeDataUtils, QgsProject, QgsSettings
from qgis.gui import QgsBrowserTreeView, QgsLayerTreeView, QgsMessageBarItem
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from qgis.PyQt.QtGui import QDragEnterEvent, QDropEvent
from qgis.PyQt.QtWidgets import QAction, QApplication, QDockWidget, QListWidget

NAME = "cartoguide"
said = {{}}


def until(condition, most=1200):
    for _ in range(most):
        if condition():
            return
        yield 0.05
    dock = running().dock
    raise AssertionError(f"in vain: {{condition.__name__}} {{dock.session.loading}} {{dock.model.rowCount()}} "
                         f"{{[(one.description(), one.status()) for one in QgsApplication.taskManager().tasks()]}} "
                         f"{{dock.messages.history}}")


def running():
    return utils.plugins[NAME]


def alive():
    "Modules, classes and objects of the plugin's, of whichever loading."
    for forget in typing._cleanups:
        forget()
    for _ in range(5):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
    found = []
    for one in gc.get_objects():
        # a weak proxy has no class of its own
        kind = one if issubclass(type(one), type) else type(one)
        name = vars(kind).get("__module__") if kind is not type(sys) else one.__name__
        if str(name).startswith(NAME):
            found.append(f"{{type(one).__name__}} {{name}}")
    return found


def opened_only():
    "The dock is shown, which gives QGIS nothing that it holds, and the plugin unloaded and loaded again."
    running().show_dock()
    def there():
        dock = running().dock
        return not dock.session.loading and dock.model.rowCount() == 3
    yield from until(there)
    yield 0.3
    assert utils.unloadPlugin(NAME)
    yield 1.0
    said["alive"] = [sorted(name for name in sys.modules if name.startswith(NAME + ".")), alive()]
    assert utils.loadPlugin(NAME) and utils.startPlugin(NAME)
    yield 0.3


def used(number):
    "Everything that makes something: dock, browser, locator, data source manager, layer menu."
    plugin = running()
    dock = plugin.show_dock()
    def there():
        return not dock.session.loading and dock.model.rowCount() == 3
    yield from until(there)
    locator = locator_widget()
    locator.search("cg mapa guia")
    for view in browsers():
        model = view.model()
        for row in range(model.rowCount()):
            if model.index(row, 0).data() == "Cartoguide":
                view.expand(model.index(row, 0))
                yield 0.2
                root = model.index(row, 0)
                for below in range(model.rowCount(root)):
                    view.expand(model.index(below, 0, root))
    if number == 0:
        plugin.integration.commands().add_to_map(dock.model.hits[0].identifier)
        def added():
            return bool(QgsProject.instance().mapLayers())
        yield from until(added)
        said["layers"] = len(QgsProject.instance().mapLayers())
        yield from dropped(dock.model.hits[1])
        iface.setActiveLayer(next(iter(QgsProject.instance().mapLayers().values())))
        plugin.integration.layer_menu.actions[2][1].trigger()
        # drawing them takes the threads that QGIS 3.22 has for tasks, too
        QgsProject.instance().clear()
    plugin._credits_menu.show_audit()
    yield 0.1


def browsers():
    "QGIS's own; they are not found by their Python class."
    found = [one for one in QApplication.allWidgets() if "BrowserTreeView" in one.metaObject().className()]
    views = [sip.cast(one, QgsBrowserTreeView) for one in found]
    return [view for view in views if view.model() is not None]


def sources():
    "How often Cartoguide stands in QGIS's data source manager, which is opened and closed."
    QgsSettings().setValue("qgis/dataSourceManagerNonModal", True)
    iface.mainWindow().findChild(QAction, "mActionDataSourceManager").trigger()
    manager = next(one for one in QApplication.topLevelWidgets() if "DataSourceManager" in one.metaObject().className())
    rows = manager.findChild(QListWidget, "mOptionsListWidget")
    names = [rows.item(row).text() for row in range(rows.count()) if not rows.isRowHidden(row)]
    if NAME.title() in names:
        rows.setCurrentRow(names.index(NAME.title()))
    manager.close()
    return names.count(NAME.title())


def messages_gone():
    "QGIS shows for some seconds that a task was done that took long: sixteen objects of its window."
    bar = iface.messageBar()
    while bar.currentItem() is not None:
        bar.popWidget()
        yield 0.5
    def gone():
        return not iface.mainWindow().findChildren(QgsMessageBarItem)
    yield from until(gone)


def dropped(hit):
    "A record is dropped on QGIS's own layer tree."
    from cartoguide.plugin.ui.widgets.drag_and_drop import record_mime_data

    tree = iface.layerTreeView()
    data = record_mime_data(hit.identifier, hit.title)
    place = QPoint(20, tree.viewport().height() - 10)
    for kind in (QDragEnterEvent, QDropEvent):
        where = QPointF(place) if kind is QDropEvent else place
        event = kind(where, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(tree.viewport(), event)
        said[kind.__name__] = event.isAccepted()
    before = said["layers"]
    def more():
        return len(QgsProject.instance().mapLayers()) > before
    yield from until(more)


def script():
    def started():
        return NAME in utils.plugins and utils.plugins[NAME].dock is not None
    yield from until(started)
    def shown():
        docks = [one for one in iface.mainWindow().findChildren(QDockWidget) if one.windowTitle() == "Cartoguide"]
        return bool(docks) and docks[0].isVisible()
    yield from until(shown)
    QgsSettings().setValue("cartoguide/first_byte_timeout", 60.0)  # the machine may have much else to do
    yield from opened_only()
    for number in range({times} + 1):
        # with its dock before each count: that is what takes long
        yield from used(number) if number % {half} == 0 else iter(())
        if number in ({half}, {times}):
            said[f"sources {{number}}"] = sources()
            yield 0.5
        assert utils.unloadPlugin(NAME)
        yield 0.1
        if number in ({half}, {times}):
            yield 1.5
            said[f"sources after {{number}}"] = sources()
            yield 0.5
            yield from messages_gone()
            said[str(number)] = census(iface)
        QgsSettings().setValue("cartoguide/dock/visible", False)
        assert utils.loadPlugin(NAME) and utils.startPlugin(NAME)
        yield 0.05
    with open({answer!r}, "w") as stream:
        json.dump(said, stream)
"""


@pytest.mark.slow
@pytest.mark.display
@pytest.mark.timeout(560)
@pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("qgis")), reason="Xvfb or QGIS is not installed")
def test_many_reloads_leave_nothing_behind(repository, tmp_path):
    script, answer = tmp_path / "script.py", tmp_path / "said.json"
    script.write_text(SCRIPT.format(tests=str(repository / "tests" / "qgis"), times=TIMES, half=HALF,
                                    answer=str(answer)))
    command = [
        str(repository / "tests" / "tools" / "run_qgis.sh"), "--profile-folder", str(tmp_path / "profile"),
        "--screenshot", str(tmp_path / "window.png"), "--script", str(script), "--wait", "0", "--limit", "240",
    ]
    folder = tmp_path / "temporary"
    folder.mkdir()
    done = subprocess.run(command, capture_output=True, text=True, timeout=patience(290), stdin=subprocess.DEVNULL,
                          env={**os.environ, "TMPDIR": str(folder)})
    assert done.returncode == 0 and "WITHOUT" not in done.stdout, done.stdout + done.stderr
    image = QImage(str(tmp_path / "window.png"))
    assert (image.width(), image.height()) == (1366, 768)
    assert len({image.pixel(x, y) for x in range(0, 1366, 7) for y in range(0, 768, 7)}) > 50
    said = json.loads(answer.read_text())
    assert said["QDropEvent"], "QGIS's layer tree takes what is dropped"
    # packages that no import names once stayed with Python, and held the modules of the loading before
    assert said["alive"] == [[], []]
    shown = [said[f"sources {when}"] for when in (str(HALF), f"after {HALF}", str(TIMES), f"after {TIMES}")]
    assert shown == [1, 0, 1, 0]
    (early, early_ours, early_objects), (late, late_ours, late_objects) = said[str(HALF)], said[str(TIMES)]
    grown = {name: (early.get(name, 0), late[name]) for name in late
             if late[name] > early.get(name, 0) + ROUGH.get(name, 0)}
    assert grown == {}, [{name: (before.get(name, 0), count) for name, count in after.items()
                          if count > before.get(name, 0)}
                         for before, after in ((early_ours, late_ours), (early_objects, late_objects))]
    assert late["temporary files"] == 0
    assert late["running tasks"] == 0

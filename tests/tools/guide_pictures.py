"""Takes the guide's pictures in the real QGIS with the test network: `make guide`, and the test that makes them all.

    guide_pictures.py --out FOLDER --language es      QGIS under a virtual display takes them into FOLDER

Inside QGIS (run_qgis.py --script) this same file holds the script: what a person would click, and a picture after it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator, List, Set

TOOLS = Path(__file__).resolve().parent
sys.path[:0] = [path for path in (str(TOOLS.parents[1]),) if path not in sys.path]

from tests.slowness import patience  # noqa: E402

FOLDER = "CARTOGUIDE_PICTURES"
#: the exported page, of which the picture is a smaller copy
PAGE = "page.png"
GUIDE_MAP, FACILITIES, RAIN = "Despeñaperros", "Equipamientos", "recipitaci"
SIZE = "1366x900"
#: seconds that all pictures of a language may take. Only a run that fails takes so long
LIMIT = 3600.0


def names() -> Set[str]:
    """Return the names of all pictures, read from this file."""
    return set(re.findall(r'folder / "([\w-]+\.png)"', Path(__file__).read_text("utf-8")))


def take(folder: Path, language: str, limit: float = LIMIT) -> None:
    """Take all pictures of one language into ``folder``. Raises CalledProcessError where one failed."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        command = [str(TOOLS / "run_qgis.sh"), "--profile-folder", profile, "--locale", language, "--virtual",
                   "--screenshot", str(Path(profile) / "last.png"), "--script", str(Path(__file__).resolve()),
                   "--wait", "0", "--limit", str(limit), "--size", SIZE]
        subprocess.run(command, env={**os.environ, FOLDER: str(folder)}, stdin=subprocess.DEVNULL, check=True,
                       timeout=limit + 30)
    for picture in sorted(folder.glob("*.png")):
        # few colours, no dither: quick to load, and the package stays small
        subprocess.run(["convert", str(picture), "-resize", "1366x>", "+dither", "-colors", "240", "-strip",
                        "-define", "png:exclude-chunks=date,time", f"PNG8:{picture}"], check=True)


def script() -> Iterator[Any]:
    """Inside QGIS: seconds to wait between the steps."""
    from qgis.core import QgsCoordinateReferenceSystem, QgsProject

    iface, plugin = globals()["iface"], globals()["plugin"]
    folder = Path(os.environ[FOLDER])
    # QGIS's own dialogs of a first start
    iface.messageBar().clearWidgets()
    QgsProject.instance().setCrs(QgsCoordinateReferenceSystem("EPSG:25830"))
    dock = plugin.show_dock()
    dock.list_page.welcome.dismiss()
    yield from until(lambda: not dock.session.loading and dock.model.rowCount() == 3)
    iface.mainWindow().resizeDocks([dock], [440], _horizontal())
    yield 1
    yield from records(dock, folder)
    yield from browser(iface, folder)
    yield from toolbox(iface, folder)
    yield from service(dock, folder)
    yield from custom_map(iface, dock, folder)
    yield from dialogs(iface, dock, folder)


def records(dock: Any, folder: Path) -> Iterator[Any]:
    """The list with an overview, and the terms."""
    choose(dock, GUIDE_MAP)
    dock.view.tabs.setCurrentIndex(0)
    yield 2
    save(dock, folder / "records.png")
    dock.view.tabs.setCurrentWidget(dock.view.terms)
    dock.view.terms.fold.setChecked(True)
    yield 1
    save(dock, folder / "terms.png")


def browser(iface: Any, folder: Path) -> Iterator[Any]:
    """QGIS's browser with the network's services, one of them unfolded into its layers."""
    from qgis.PyQt.QtWidgets import QDockWidget, QTreeView

    view = next(one for one in iface.mainWindow().findChildren(QTreeView)
                if one.isVisible() and "Browser" in one.metaObject().className())
    panel = view
    while not isinstance(panel, QDockWidget):
        panel = panel.parentWidget()
    model = view.model()
    index = view.rootIndex()
    for words in ("Cartoguide", None, None, GUIDE_MAP, None):
        def found(index: Any = index, words: Any = words) -> Any:
            rows = [model.index(row, 0, index) for row in range(model.rowCount(index))]
            return next((one for one in rows if words is None or words in str(one.data())), None)

        yield from until(found)
        index = found()
        if model.hasChildren(index):
            view.expand(index)
            yield 1
    # the service is asked when somebody says so
    view.doubleClicked.emit(index)
    yield 4
    view.scrollTo(index.parent().parent().parent().parent(), view.ScrollHint.PositionAtTop)
    floating = panel.isFloating()
    panel.setFloating(True)
    panel.resize(430, 520)
    yield 2
    save(panel, folder / "browser.png")
    panel.setFloating(floating)


def toolbox(iface: Any, folder: Path) -> Iterator[Any]:
    """Cartoguide's algorithms in the toolbox."""
    from qgis.PyQt.QtWidgets import QDockWidget, QTreeView

    panel = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
    shown, floating = panel.isVisible(), panel.isFloating()
    panel.show()
    panel.setFloating(True)
    panel.resize(430, 520)
    view = next(one for one in panel.findChildren(QTreeView))
    model = view.model()
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if index.data() == "Cartoguide":
            view.expandRecursively(index)
            view.scrollTo(index, view.ScrollHint.PositionAtTop)
    yield 2
    save(panel, folder / "processing.png")
    panel.setFloating(floating)
    panel.setVisible(shown)


def service(dock: Any, folder: Path) -> Iterator[Any]:
    """The layer tree, and GetMap with its answer in a window of its own."""
    choose(dock, GUIDE_MAP)
    dock.view.tabs.setCurrentWidget(dock.view.service)
    layers = dock.view.service.layers
    yield from until(lambda: layers.model.requestable_nodes())
    yield 3
    save(dock, folder / "service.png")
    page = dock.view.service.operations
    dock.view.service._show_page(1)
    page.open_form("GetMap")
    yield 1
    page.detach_button.click()
    yield 1
    page.send.click()
    yield from until(lambda: page.requested_titles())
    yield 1
    save(page.splitter.window(), folder / "operations.png")
    page.detachable_panel.reattach()
    dock.view.service._show_page(0)


def custom_map(iface: Any, dock: Any, folder: Path) -> Iterator[Any]:
    """Base and overlay on the map, the custom map unfolded, and the page that is printed."""
    controller = dock.composer_controller.map
    for number, (words, name) in enumerate(((GUIDE_MAP, "base"), (FACILITIES, "overlay")), 1):
        choose(dock, words)
        action = dock.view.add_bar.actions_by_name[name]
        # a disabled action does nothing, as for a person: the record is read, or its service is being loaded
        yield from until(lambda: shown(dock, words) and action.isEnabled())  # noqa: B023
        action.trigger()
        yield from until(lambda: len(controller.items) == number)  # noqa: B023
        yield from until(lambda: dock.view.add_bar.button.isEnabled())
    canvas = iface.mapCanvas()
    choose(dock, GUIDE_MAP)
    dock.view.tabs.setCurrentWidget(dock.view.terms)
    yield 3
    yield from until(lambda: not canvas.isDrawing())
    yield 2
    dock.compose_dock.open()
    yield 2
    # the frame of the page, with the rest greyed out
    dock.composer_controller.page.frame_display.show_whole()
    yield 2
    yield from until(lambda: not canvas.isDrawing())
    picture = dock.composer.picture
    yield from until(lambda: picture.picture is not None and not picture.is_drawing)
    # a busy machine is still drawing it at its new place
    yield from until(lambda: not canvas.isDrawing())
    yield 1
    yield from until(lambda: not canvas.isDrawing())
    iface.messageBar().clearWidgets()
    save(iface.mainWindow(), folder / "dock.png")
    save(dock.composer, folder / "custom-map.png")
    yield from printed(dock, folder)


def printed(dock: Any, folder: Path) -> Iterator[Any]:
    """The exported page."""
    from qgis.PyQt.QtCore import Qt
    from qgis.PyQt.QtGui import QImage

    target = folder / PAGE
    dock.composer_controller.exporter.export("png", target)
    yield from until(target.is_file)
    yield 2
    page = QImage(str(target)).scaled(900, 900, Qt.AspectRatioMode.KeepAspectRatio,
                                      Qt.TransformationMode.SmoothTransformation)
    page.save(str(folder / "map.png"))
    for rest in folder.glob("page.*"):
        rest.unlink()


def dialogs(iface: Any, dock: Any, folder: Path) -> Iterator[Any]:
    """A snapshot, the catalogues, the credits of the project, the settings."""
    from cartoguide.plugin.ui.settings.settings_form import SettingsDialog
    from qgis.PyQt.QtWidgets import QApplication

    def newest(before: List[Any]) -> Any:
        return next((one for one in QApplication.topLevelWidgets()
                     if one.isVisible() and one.isWindow() and one not in before), None)

    before = QApplication.topLevelWidgets()
    dock.composer_controller.snapshots.ask_snapshot()
    yield from until(lambda: newest(before))
    # the number and size of its pictures is worked out beside the window
    yield 4
    shown = newest(before)
    save(shown, folder / "offline.png")
    shown.close()
    before = QApplication.topLevelWidgets()
    dock.list_page.catalogues.open_list_dialog()
    yield from until(lambda: newest(before))
    yield 1
    shown = newest(before)
    save(shown, folder / "catalogues.png")
    shown.close()
    before = QApplication.topLevelWidgets()
    globals()["plugin"]._credits_menu.show_audit()
    yield from until(lambda: newest(before))
    yield 8
    shown = newest(before)
    shown.resize(900, 420)
    yield 1
    save(shown, folder / "audit.png")
    shown.close()
    dialog = SettingsDialog(iface.mainWindow(), dock.session.library)
    dialog.resize(520, 620)
    dialog.show()
    yield 1
    save(dialog, folder / "settings.png")
    dialog.close()


def choose(dock: Any, words: str) -> None:
    """Choose the record whose title holds ``words``."""
    rows = range(dock.model.rowCount())
    dock.list.setCurrentIndex(dock.model.index(next(row for row in rows if words in dock.model.index(row).data())))
    dock.pages.open_record()


def shown(dock: Any, words: str) -> bool:
    """Return whether the record whose title holds ``words`` is the one on the page."""
    return dock.view.record is not None and words in (dock.view.record.title or "")


def until(wish: Callable[[], Any]) -> Iterator[float]:
    """Wait until ``wish()`` comes true; AssertionError if it does not."""
    started = time.monotonic()
    while not wish():
        if time.monotonic() - started > patience(300):
            raise AssertionError(f"waited {time.monotonic() - started:.0f} s, line {wish.__code__.co_firstlineno}")
        yield 0.1


def save(widget: Any, path: Path) -> None:
    """A picture of ``widget``."""
    if not widget.grab().save(str(path)):
        raise AssertionError(f"{path} could not be written")


def _horizontal() -> Any:
    from qgis.PyQt.QtCore import Qt

    return Qt.Orientation.Horizontal


def main(arguments: List[str]) -> int:
    """Take the pictures of the languages that are named, each into a folder of its name: all of them or none."""
    out = Path(arguments[arguments.index("--out") + 1])
    languages = arguments[arguments.index("--language") + 1].split(",")
    with tempfile.TemporaryDirectory() as new:
        for language in languages:
            take(Path(new) / language, language)
        for language in languages:
            shutil.copytree(Path(new) / language, out / language, dirs_exist_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs inside QGIS: a scripted person does ten tasks by mouse and keyboard (xdotool), counted and timed.

The person looks for widgets by what they are, not by pixels, moves the mouse to their middle and clicks. Everything in
between, such as opening a menu, is a click of its own. The table is written as JSON to the file that the environment
variable CARTOGUIDE_TASKS names. See task_table.py.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional

from qgis.core import QgsDataSourceUri, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QPoint, QRect
from qgis.PyQt.QtWidgets import QApplication, QComboBox, QWidget

iface: Any = globals()["iface"]
plugin: Any = globals()["plugin"]
OUT = Path(os.environ["CARTOGUIDE_TASKS"])
#: seconds after which a task counts as failed, on a quiet machine
LIMIT = 30.0
#: letters that find one record each
GUIDE, FACILITIES, RAIN = "mapa guia", "equipamientos", "precipitacion"

Steps = Iterator[float]


class Person:
    """Clicks and types as a person does, and counts it."""

    def __init__(self) -> None:
        self.clicks = self.keys = 0

    def point(self, widget: QWidget, part: Optional[QRect] = None) -> None:
        """Click in the middle of a widget, or of a part of it."""
        place = widget.mapToGlobal((part or widget.rect()).center())
        self._click(place)

    def click(self, find: Callable[[], Any], part: Optional[Callable[[QWidget], QRect]] = None) -> Steps:
        """Wait until the widget is there, can be used and stands still, then click on it."""
        place = None
        for _ in range(int(LIMIT / 0.05)):
            widget = find()
            if widget is not None and seen(widget) and widget.isEnabled():
                now = widget.mapToGlobal((part(widget) if part else widget.rect()).center())
                if now == place:
                    break
                place = now
            yield 0.05
        else:
            raise AssertionError("what should be clicked is not there")
        self._click(place)
        yield 0.1

    def drag(self, widget: QWidget, start: QPoint, end: QPoint) -> Steps:
        """Press the button at ``start``, move to ``end`` and let it go. This counts as one click."""
        self.clicks += 1
        for place, button in ((start, "mousedown"), (end, "mouseup")):
            there = widget.mapToGlobal(place)
            subprocess.run(["xdotool", "mousemove", str(there.x()), str(there.y())], check=True)
            yield 0.1
            subprocess.run(["xdotool", button, "1"], check=True)
            yield 0.1

    def press(self, *keys: str) -> Steps:
        """Press keys, each counted as one."""
        self.keys += len(keys)
        self._activate()
        subprocess.run(["xdotool", "key", "--clearmodifiers", *keys], check=True)
        yield 0.1

    def type(self, text: str, counted: bool = True) -> Steps:
        """Type a text where the focus is."""
        self.keys += len(text) if counted else 0
        self._activate()
        subprocess.run(["xdotool", "type", "--delay", "20", text], check=True)
        yield 0.1

    def answer_file(self, path: Path) -> Steps:
        """Type a path into the file dialog that is open, and press Return. The path itself is not counted."""
        yield from until(lambda: QApplication.activeModalWidget() is not None)
        yield 0.3
        yield from self.press("ctrl+a")
        yield from self.type(str(path), counted=False)
        yield from self.press("Return")
        yield from until(lambda: QApplication.activeModalWidget() is None)

    def _click(self, place: QPoint) -> None:
        self.clicks += 1
        command = ["xdotool", "mousemove", str(place.x()), str(place.y()), "click", "1"]
        subprocess.run(command, check=True)

    @staticmethod
    def _activate() -> None:
        """Give the keyboard to the window in front: there is no window manager that does."""
        window = QApplication.activeModalWidget() or iface.mainWindow()
        if QApplication.activePopupWidget() is None:
            window.activateWindow()
            QApplication.processEvents()


def seen(widget: QWidget) -> bool:
    """True where something of the widget is on the screen. A dock behind another tab is not."""
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def until(condition: Callable[[], Any], seconds: float = LIMIT) -> Steps:
    """Wait for what a task is about."""
    end = time.monotonic() + seconds * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen")
        yield 0.03


class Tasks:
    """The ten tasks, in the order in which a first map is made."""

    def __init__(self) -> None:
        self.person = Person()
        self.dock = plugin.show_dock()
        self.composer = self.dock.composer
        self.map = self.dock.composer_controller.map
        self.folder = OUT.parent

    def on_map(self, count: int) -> Steps:
        """Wait until so many services are on the map and a person sees them: on the canvas and on the page."""
        view, canvas = self.composer.picture, iface.mapCanvas()
        yield from until(lambda: len(self.map.items) == count and not self.map.adding, 2 * LIMIT)
        still = 0
        # what has come asks for the canvas and the page to be drawn a moment later
        while still < 10:
            still = 0 if canvas.isDrawing() or (seen(view) and (view.is_drawing or view.picture is None)) else still + 1
            yield 0.05

    def row_of(self, word: str) -> Callable[[QWidget], QRect]:
        """The place of the row of the list whose title has ``word``, in the list's viewport."""

        def place(_viewport: QWidget) -> QRect:
            model = self.dock.list.model()
            row = next(row for row in range(model.rowCount()) if word in model.index(row, 0).data().lower())
            return self.dock.list.visualRect(model.index(row, 0))

        return place

    def listed(self, word: str) -> Callable[[], Any]:
        """The viewport of the list once it has a record with ``word``."""

        def viewport() -> Any:
            model = self.dock.list.model()
            found = any(word in model.index(row, 0).data().lower() for row in range(model.rowCount()))
            return self.dock.list.viewport() if found else None

        return viewport

    def plus_of(self, word: str) -> Callable[[QWidget], QRect]:
        """The place of the + in that row."""

        def place(viewport: QWidget) -> QRect:
            return self.dock.list.itemDelegate().add_button_rect(
                self.row_of(word)(viewport), self.dock.list.indexAt(self.row_of(word)(viewport).center()))

        return place

    def add_suggested(self, word: str, count: int) -> Steps:
        """Press the + of a service that the custom map suggests."""

        def button() -> Any:
            offered = self.composer.suggestions.buttons
            return next((one for one in offered if word in one.toolTip().lower()), None)

        yield from self.person.click(button)
        yield from self.on_map(count)

    def compose(self) -> Steps:
        """Show the dock of the custom map."""
        if not seen(self.composer):
            yield from self.person.click(lambda: self._tab(self.dock.compose_dock), self._tab_part(
                self.dock.compose_dock))

    @staticmethod
    def _tab(dock: Any) -> Any:
        from qgis.PyQt.QtWidgets import QTabBar

        for bar in iface.mainWindow().findChildren(QTabBar):
            if bar.isVisible() and any(bar.tabText(n) == dock.windowTitle() for n in range(bar.count())):
                return bar
        return None

    @staticmethod
    def _tab_part(dock: Any) -> Callable[[Any], QRect]:
        return lambda bar: bar.tabRect(next(n for n in range(bar.count()) if bar.tabText(n) == dock.windowTitle()))

    def add_third(self) -> Steps:
        """Add one more service, which is not part of a task: two overlays above a base can be reordered."""
        hits = {self.dock.list.model().index(row, 0).data() for row in range(self.dock.list.model().rowCount())}
        self.dock.search.clear()
        yield from until(lambda: self.dock.list.model().rowCount() > len(hits))
        model = self.dock.list.model()
        row = next(row for row in range(model.rowCount()) if "precipitaci" in model.index(row, 0).data().lower())
        self.dock.list.setCurrentIndex(model.index(row, 0))
        yield 0.5
        self.dock.map_additions.add_selected("overlay")
        yield from until(lambda: len(self.map.items) == 3 and not self.map.adding)

    def remove_third(self) -> Steps:
        """Remove it again: its layers of a month would take minutes to print."""
        maps = self.dock.composer_controller.map
        for _ in range(2):
            maps.undo()
            yield 1.0
        yield from until(lambda: len(self.map.items) == 2 and not self.map.adding)

    # -- the tasks

    def first_map(self) -> Steps:
        """Make a first credited map, from QGIS's start: the + of the base, a suggested overlay, Export PDF."""
        target = self.folder / "first.pdf"
        yield from self.person.click(self.listed("mapa gu"), self.plus_of("mapa gu"))
        yield from until(lambda: len(self.map.items) == 1 and not self.map.adding)
        yield from self.add_suggested(FACILITIES, 2)
        yield from self.export(target)

    def start_over(self) -> Steps:
        """Begin with an empty map again, which is not part of a task."""
        self.composer.action_requested.emit("new")
        yield from until(lambda: not self.map.items)
        self.dock.compose_dock.hide()
        self.dock.show()
        self.dock.raise_()
        yield 1.0

    def find(self) -> Steps:
        """Find a record."""
        yield from self.person.click(lambda: self.dock.search)
        yield from self.person.type(FACILITIES)
        yield from until(lambda: FACILITIES in (self.dock.list.model().index(0, 0).data() or "").lower())

    def terms(self) -> Steps:
        """Read its terms: the sentence and the credit line on its page."""
        yield from self.person.click(self.listed(FACILITIES), self.row_of(FACILITIES))
        yield from until(lambda: self.dock.view.record is not None and self.dock.view.header.isVisible())

    def add_two(self) -> Steps:
        """Add two services: the one that is open, then another one."""
        yield from self.person.click(lambda: self.dock.view.add_bar.button, left_part)
        yield from until(lambda: len(self.map.items) == 1 and not self.map.adding)
        yield from self.add_suggested("mapa gu", 2)

    def reorder(self) -> Steps:
        """Move the uppermost of three services down."""
        yield from self.compose()
        before = [item.entry.endpoint for item in self.map.items]
        rows = self.composer.rows
        yield from self.person.click(lambda: rows.rows[0] if len(rows.rows) == 3 else None,
                                     lambda row: QRect(30, 4, 60, 12))
        yield from self.person.press("alt+Down")
        yield from until(lambda: [item.entry.endpoint for item in self.map.items] != before)

    def restyle(self) -> Steps:
        """Make the upper service half transparent."""
        yield from self.compose()
        slider = self.composer.rows.rows[0].slider
        yield from until(lambda: seen(slider))
        yield from self.person.drag(slider, QPoint(slider.width() - 6, slider.height() // 2), slider.rect().center())
        yield from until(lambda: any(0.3 < item.entry.opacity < 0.9 for item in self.map.items))

    def page(self) -> Steps:
        """Choose A3 upright."""
        page = self.composer.page
        if not seen(page.paper):
            yield from self.person.click(lambda: page.summary)
        yield from self.pick(page.paper, "A3")
        # a new page lies as its base does
        if page.orientation.currentIndex() != 1:
            yield from self.pick(page.orientation, 1)
        yield from until(lambda: self.map.document().page.paper == "A3")
        yield from until(lambda: self.map.document().page.orientation.value == "portrait")
        yield from self.on_map(len(self.map.items))

    def pick(self, box: QComboBox, wanted: Any) -> Steps:
        """Open a drop-down list and click on one of its entries."""
        yield from self.person.click(lambda: box)
        number = wanted if isinstance(wanted, int) else box.findText(wanted)
        view = box.view()
        yield from until(view.isVisible)
        # Qt takes a second click that comes sooner for the end of the first one
        yield QApplication.doubleClickInterval() / 1000 + 0.1
        # an entry may be wider than the list
        yield from self.person.click(view.viewport, lambda viewport: viewport.rect().intersected(
            view.visualRect(view.model().index(number, 0))))

    def print(self) -> Steps:
        """Export a PDF."""
        yield from self.compose()
        target = self.folder / "map.pdf"
        yield from self.export(target)

    def export(self, target: Path) -> Steps:
        """Press "Export PDF…", name the file, and wait for it."""
        yield from self.person.click(lambda: self.composer.export, left_part)
        yield from self.person.answer_file(target)
        yield from until(target.is_file, 3 * LIMIT)

    def series(self) -> Steps:
        """Add the daily layers of a month as a time series: the + of the layers, the record's name, its +."""
        yield from self.compose()
        layers = len(QgsProject.instance().mapLayers())
        yield from self.person.click(lambda: self.composer.add, left_part)
        yield from self.person.type(RAIN)
        yield from until(lambda: self.dock.list.model().rowCount() == 1)
        yield from self.person.click(self.listed("precipitaci"), self.plus_of("precipitaci"))
        yield from until(lambda: len(QgsProject.instance().mapLayers()) >= layers + 20, 2 * LIMIT)
        yield from self.on_map(3)

    def save(self) -> Steps:
        """Save the map, begin a new one, and open the saved one again."""
        yield from self.compose()
        target, count = self.folder / "map.custommap.json", len(self.map.items)
        yield from self.person.click(lambda: self.composer.save, left_part)
        yield from self.person.answer_file(target)
        yield from until(target.is_file)
        yield from self.person.click(lambda: self.composer.more, left_part)
        yield from until(lambda: not self.map.items)
        yield from self.person.click(lambda: next(
            (button for button in self.composer.empty.recent if str(target) in button.toolTip()), None))
        yield from self.on_map(count)

    def credits(self) -> Steps:
        """List the credits of a project that was made without Cartoguide."""
        bar, action = iface.webToolBar(), plugin._credits_menu.audit_action
        yield from self.person.click(lambda: bar.widgetForAction(action))
        yield from until(lambda: plugin._credits_menu.dialog is not None and plugin._credits_menu.dialog.isVisible())
        yield from until(lambda: plugin._credits_menu.dialog.tree.topLevelItemCount() > 0)


def left_part(button: QWidget) -> QRect:
    """The part of a button that is not the arrow of its menu."""
    return QRect(0, 0, button.width() // 2, button.height())


def foreign_project(endpoint: str, layers: Iterable[str]) -> None:
    """A project with layers as QGIS's own window adds them."""
    QgsProject.instance().clear()
    for name in layers:
        uri = QgsDataSourceUri()
        for key, value in {"url": endpoint, "format": "image/png", "crs": "EPSG:25830"}.items():
            uri.setParam(key, value)
        uri.setParamList("layers", [name])
        uri.setParamList("styles", [""])
        QgsProject.instance().addMapLayer(QgsRasterLayer(bytes(uri.encodedUri()).decode(), name, "wms"))


def script() -> Iterator[float]:
    """Do the tasks one after the other. One that fails is noted, and the next one is tried."""
    tasks, table = Tasks(), []
    yield from until(lambda: tasks.dock.list.model().rowCount() >= 3)
    endpoint: str = ""
    layer_names: Iterable[str] = ()
    for name in ("first_map", "find", "terms", "add_two", "reorder", "restyle", "page", "print", "series", "save",
                 "credits"):
        if name == "reorder":
            try:
                yield from tasks.add_third()
            except Exception as error:
                print(f"tasks: the third service: {error}", flush=True)
        if name == "credits" and endpoint:
            foreign_project(endpoint, layer_names)
            yield 1.0
        task: Callable[[], Steps] = getattr(tasks, name)
        clicks, keys, began, problem = tasks.person.clicks, tasks.person.keys, time.monotonic(), ""
        try:
            yield from task()
        except Exception as error:
            problem = f"{type(error).__name__}: {error}"
            if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None:
                yield from tasks.person.press("Escape")
        table.append({"task": name, "what": (task.__doc__ or "").rstrip("."), "clicks": tasks.person.clicks - clicks,
                      "keys": tasks.person.keys - keys, "seconds": round(time.monotonic() - began, 1),
                      "problem": problem})
        OUT.write_text(json.dumps(table, indent=1), encoding="utf-8")
        subprocess.run(["import", "-window", "root", str(OUT.parent / f"{len(table):02}-{name}.png")], check=False)
        if name == "first_map":
            try:
                yield from tasks.start_over()
            except AssertionError as error:
                print(f"tasks: the empty map: {error}", flush=True)
        if name == "reorder" and len(tasks.map.items) == 3:
            yield from tasks.remove_third()
        if tasks.map.items and not endpoint:
            entry = tasks.map.items[0].entry
            endpoint, layer_names = entry.endpoint, entry.layers[:2]
        yield 0.5
    table.append({"task": "end"})
    OUT.write_text(json.dumps(table, indent=1), encoding="utf-8")
    QgsProject.instance().clear()
    iface.actionExit().trigger()

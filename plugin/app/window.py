"""The window as controllers see it: QGIS's canvas and layout designer, messages, and prompts."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, List, Optional, Protocol, Sequence

from qgis.core import QgsPrintLayout, QgsProject
from qgis.gui import QgsLayerTreeView, QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QObject, Qt

from ..core.box import Box
from ..core.custommap.foreign_maps import Consent, ForeignMap
from ..core.errors import CartoguideError
from ..gis.runtime.conversions import geographic_extent


class MapWindow:
    """QGIS's main window for controllers. Without QGIS's interface it has no canvas and no designer."""

    def __init__(self, iface: Callable[[], Optional[object]]) -> None:
        self._iface = iface

    @property
    def canvas(self) -> Optional[QgsMapCanvas]:
        """The main map canvas, or None."""
        iface = self._iface()
        return iface.mapCanvas() if hasattr(iface, "mapCanvas") else None

    @property
    def layer_tree_view(self) -> Optional[QgsLayerTreeView]:
        """The layer tree, or None."""
        iface = self._iface()
        return iface.layerTreeView() if hasattr(iface, "layerTreeView") else None

    def geographic_extent(self, project: Optional[QgsProject] = None) -> Optional[Box]:
        """Return the canvas's extent in degrees (WGS 84), or None without a canvas or outside the CRS's area."""
        canvas = self.canvas
        if canvas is None:
            return None
        return geographic_extent(canvas.extent(), canvas.mapSettings().destinationCrs(),
                                 project or QgsProject.instance())

    def show_temporal_controller(self) -> None:
        """Show QGIS's panel that plays time series."""
        iface = self._iface()
        if hasattr(iface, "mainWindow"):
            # QGIS offers no other way to its panel
            panel = iface.mainWindow().findChild(QObject, "Temporal Controller")
            if panel is not None and panel.isHidden():
                panel.show()
                # no higher than it has to be: the canvas with the frame of the page lies below it
                least = panel.minimumSizeHint().height()
                iface.mainWindow().resizeDocks([panel], [least], Qt.Orientation.Vertical)

    def refresh(self) -> None:
        """Draw the canvas again."""
        if self.canvas is not None:
            self.canvas.refresh()

    def open_layout_designer(self, layout: QgsPrintLayout) -> Optional[QgsMessageBar]:
        """Open ``layout`` in QGIS's layout designer. Return the message bar of its window, None without interface."""
        iface = self._iface()
        return iface.openLayoutDesigner(layout).messageBar() if hasattr(iface, "openLayoutDesigner") else None


class ViewRequests:
    """Order in which the person asked for what the window shows: the result of an earlier request never covers a later
    one that is shown already.
    """

    def __init__(self) -> None:
        self._requested = self._shown = 0
        self._is_showing = False

    def request(self) -> int:
        """Return the number of a request whose result comes later."""
        self._requested += 1
        return self._requested

    def show(self, number: int) -> bool:
        """Return True if the result of request ``number`` is to be shown, which has come now."""
        if number < self._shown:
            return False
        self._shown = number
        return True

    def go_on(self) -> bool:
        """Note that the person has turned to something else. Return False for a change that ``showing`` makes."""
        if not self._is_showing:
            self._shown = self.request()
        return not self._is_showing

    @contextmanager
    def showing(self) -> Iterator[None]:
        """Select and open something for a result, which is not the person's doing."""
        before, self._is_showing = self._is_showing, True
        try:
            yield
        finally:
            self._is_showing = before


@dataclass(frozen=True)
class MessageAction:
    """A button of a message. The message ``closes`` before the action is run, unless it is about the message."""

    label: str
    run: Callable[[], object]
    closes: bool = True


class Notifier(Protocol):
    """Shows messages in QGIS's message bar, or wherever the window has room for them. Main thread only."""

    def part(self, bar: Optional[QgsMessageBar] = None) -> Notifier:
        """Return messages in the same place, or in the ``bar`` of another window, which close with these."""

    def show_error(self, error: CartoguideError, retry: Optional[Callable[[], object]] = None,
                   not_added: str = "", for_map: bool = True) -> None:
        """Show what went wrong. ``retry`` is called after the person has removed the cause in the message, or by a
        button where the message cannot remove it.

        ``not_added`` is the title of what was to be added, which the error may not name, and ``for_map`` if it was to
        be on the map.
        """

    def show_warning(self, text: str, detail: str = "") -> None:
        """Show that only part of something was done. A click shows ``detail``."""

    def show_warning_with_action(self, text: str, action: str, on_action: Callable[[], object]) -> None:
        """Show a warning with a button called ``action``."""

    def show_warning_with_actions(self, text: str, actions: Sequence[MessageAction],
                                  detail: str = "") -> Callable[[], object]:
        """Show a warning with several buttons, and return what closes it. A click on "Details" shows ``detail``."""

    def notify(self, text: str, action: str = "", on_action: Optional[Callable[[], object]] = None,
               stays: bool = False) -> Callable[[], object]:
        """Show that something was done, with a button such as "Undo" if ``on_action`` is given. Return what closes it.

        It closes by itself after some seconds unless it ``stays``.
        """

    def not_added(self) -> List[str]:
        """Return the titles of what could not be added, as far as nobody has closed the messages that say so."""

    def show_details(self, text: str, detail: str) -> None:
        """Show a technical detail in a window that does not block."""


class Prompts(Protocol):
    """Asks with the dialogs of the desktop. File dialogs begin in the folder that was used last.

    ``filters`` are Qt file filters, such as "XML (*.xml)".
    """

    def open_files(self, title: str, filters: str) -> List[str]:
        """Return the files that the person chose, or an empty list."""

    def open_file(self, title: str, filters: str) -> Optional[Path]:
        """Return the file that the person chose, or None."""

    def open_folder(self, title: str) -> Optional[str]:
        """Return the folder that the person chose, or None."""

    def save_file(self, title: str, name: str, filters: str, remember: bool = True,
                  in_project: bool = False) -> Optional[Path]:
        """Return where to save a file that is called ``name`` by default, or None.

        ``remember``: the next dialog begins in the chosen folder. ``in_project``: the dialog begins in the folder of
        the open project if the project has been saved.
        """

    def ask_name(self, title: str, name: str, done: Callable[[str], object]) -> None:
        """Ask for a name without blocking. ``done`` gets it unless it is empty."""

    def choose(self, title: str, label: str, items: Sequence[str], current: int,
               done: Callable[[int], object]) -> object:
        """Let the person choose one of ``items`` without blocking. ``done`` gets its index.

        Returns the dialog.
        """

    def confirm_foreign(self, title: str, foreign: ForeignMap, done: Callable[[Consent], object]) -> object:
        """Ask once what a foreign map may open, without blocking. ``done`` gets the answer, nothing after Cancel.

        ``title`` names the map. Returns the dialog.
        """

    def confirm_own(self, title: str, left_out: Sequence[str], done: Callable[[bool], object]) -> object:
        """Ask whether the person made a map, without blocking. ``done`` gets the answer, False also after Cancel.

        ``left_out`` says what the rules for foreign maps keep out of it. Returns the dialog.
        """

"""Series on the custom map: the moment that is shown chosen, and the Temporal Controller kept at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QInputDialog

from ...app.maps.map_state import MapItem, update_entry
from ...core.custommap.time_selection import ShownMoment, format_moment, select_moment
from ...core.i18n import tr
from ...core.wms.dimensions.time_series import TimeSeriesEntry
from ...gis.layers import time_series as gis_series
from ...gis.layers.time_series_visibility import SeriesVisibility

if TYPE_CHECKING:
    from .composer_controller import ComposerController
    from .dock_widget import CartoguideDock


class TimeSelectionController(QObject):
    """One for each composer; the dock's window of QGIS, which may be none, gives the map window."""

    def __init__(self, actions: ComposerController, dock: CartoguideDock) -> None:
        super().__init__(actions)
        self._map = actions.map
        self._window = actions.window
        self._dock = dock
        self.dialog: Optional[QInputDialog] = None
        self.series_visibility = SeriesVisibility(self._canvas, self._map.project, self)
        self._map.changed.connect(self.series_visibility.hide_other_moments)
        actions.composer.rows.time_requested.connect(self.ask_time)
        self._map.added.connect(self._on_added)

    def ask_time(self, number: int) -> None:
        """Offer the moments of a series on the map; the chosen one is drawn from then on."""
        item = self._map.items[number]
        shown = self._selection_of(item)
        if shown is None:
            return
        words = [_entry_label(entry) for entry in shown.series.entries]
        dialog = self.dialog = QInputDialog(self._window)
        dialog.setWindowTitle(tr("Moment on the map"))
        dialog.setLabelText(tr("The printed map shows this moment of “{title}”:", title=item.entry.title))
        dialog.setOkButtonText(tr("OK"))
        dialog.setCancelButtonText(tr("Cancel"))
        dialog.setComboBoxItems(words)
        dialog.setTextValue(words[shown.series.entries.index(shown.entry)])
        dialog.textValueSelected.connect(lambda chosen: self._set_time(item, shown.series.entries[words.index(chosen)]))
        dialog.open()

    def canvas_time(self) -> str:
        """The time that the map window shows, as a document keeps it; empty where it shows none."""
        shown = gis_series.canvas_time(self._canvas())
        return format_moment(shown) if shown is not None else ""

    def _set_time(self, item: MapItem, entry: TimeSeriesEntry) -> None:
        if item not in self._map.items:
            return
        update_entry(item, moment=format_moment(entry.begin))
        self._show_time(item)
        self._map.changed.emit()

    def _on_added(self, item: MapItem) -> None:
        if item.entry.moment:
            self._show_time(item)

    def _show_time(self, item: MapItem) -> None:
        shown = self._selection_of(item)
        if shown is not None:
            self.series_visibility.choose(item.entry.endpoint, shown.entry.begin)
            gis_series.show_series(shown.series, self._map.project, self._canvas(), shown.entry)

    def _selection_of(self, item: MapItem) -> Optional[ShownMoment]:
        service = self._map.session.services.get(item.entry.endpoint)
        layers: Sequence[str] = item.entry.layers or tuple(item.layer_ids)
        return select_moment(service, layers, item.entry.moment or "") if service is not None else None

    def _canvas(self) -> Optional[QgsMapCanvas]:
        iface = self._dock.iface
        return iface.mapCanvas() if hasattr(iface, "mapCanvas") else None


def _entry_label(entry: TimeSeriesEntry) -> str:
    """A moment and what its layer is called."""
    text = format_moment(entry.begin)
    return f"{text} · {entry.title}" if entry.title and not entry.time else text

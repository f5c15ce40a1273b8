"""Series on the custom map: the moment that is shown chosen, and the Temporal Controller kept at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QInputDialog

from ..core.custommap.moments import Shown, moment_text, shown_moment
from ..core.i18n import tr
from ..core.wms.series import SeriesEntry
from ..gis import series as gis_series
from ..gis.series_rest import SeriesRest
from .map_items import MapItem, update_entry

if TYPE_CHECKING:
    from .composer_actions import ComposerActions
    from .dock import CartoguideDock


class MomentActions(QObject):
    """One for each composer; the dock's window of QGIS, which may be none, gives the map window."""

    def __init__(self, actions: ComposerActions, dock: CartoguideDock) -> None:
        super().__init__(actions)
        self._maps = actions.map
        self._window = actions.window
        self._dock = dock
        self.dialog: Optional[QInputDialog] = None
        self.rest = SeriesRest(self._canvas, self._maps.project, self)
        self._maps.changed.connect(self.rest.settle)
        actions.composer.rows.moment_asked.connect(self.ask)
        self._maps.added.connect(self._added)

    def ask(self, number: int) -> None:
        """Offer the moments of a series on the map; the chosen one is drawn from then on."""
        item = self._maps.items[number]
        shown = self._shown(item)
        if shown is None:
            return
        words = [_words(entry) for entry in shown.series.entries]
        dialog = self.dialog = QInputDialog(self._window)
        dialog.setWindowTitle(tr("Moment on the map"))
        dialog.setLabelText(tr("The printed map shows this moment of “{title}”:", title=item.entry.title))
        dialog.setOkButtonText(tr("OK"))
        dialog.setCancelButtonText(tr("Cancel"))
        dialog.setComboBoxItems(words)
        dialog.setTextValue(words[shown.series.entries.index(shown.entry)])
        dialog.textValueSelected.connect(lambda chosen: self._choose(item, shown.series.entries[words.index(chosen)]))
        dialog.open()

    def now(self) -> str:
        """The time that the map window shows, as a document keeps it; empty where it shows none."""
        shown = gis_series.shown_now(self._canvas())
        return moment_text(shown) if shown is not None else ""

    def _choose(self, item: MapItem, entry: SeriesEntry) -> None:
        if item not in self._maps.items:
            return
        update_entry(item, moment=moment_text(entry.begin))
        self._play(item)
        self._maps.changed.emit()

    def _added(self, item: MapItem) -> None:
        if item.entry.moment:
            self._play(item)

    def _play(self, item: MapItem) -> None:
        shown = self._shown(item)
        if shown is not None:
            self.rest.choose(item.entry.endpoint, shown.entry.begin)
            gis_series.play(shown.series, self._maps.project, self._canvas(), shown.entry)

    def _shown(self, item: MapItem) -> Optional[Shown]:
        service = self._maps.session.services.get(item.entry.endpoint)
        layers: Sequence[str] = item.entry.layers or tuple(item.layer_ids)
        return shown_moment(service, layers, item.entry.moment or "") if service is not None else None

    def _canvas(self) -> Optional[QgsMapCanvas]:
        iface = self._dock.iface
        return iface.mapCanvas() if hasattr(iface, "mapCanvas") else None


def _words(entry: SeriesEntry) -> str:
    """A moment and what its layer is called."""
    text = moment_text(entry.begin)
    return f"{text} · {entry.title}" if entry.title and not entry.time else text

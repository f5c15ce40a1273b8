"""The picture of the page that the custom map would be printed on now, kept up to date while somebody looks at it."""

from __future__ import annotations

from functools import partial
from typing import Iterable, List, Optional, Set

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QElapsedTimer, QObject, pyqtSignal

from ...core.errors import CartoguideError
from ...gis.legends.legend_store import LegendStore
from ...gis.pixels.fetch import FetchedPiece
from ...gis.previews.map_images import MapImages
from ...gis.previews.page_drawing import FIRST_PATIENCE_MS, PageDrawing, PagePicture, PageStores
from ...gis.runtime.main_thread import single_shot
from ...gis.sources.service_states import Viewer
from ..maps.extent_controller import ExtentController
from ..maps.map_controller import MapController
from ..maps.map_state import MapPart, OwnItem

#: milliseconds without a change after which the page is drawn
_DELAY_MS = 300
#: milliseconds after a change for which the complete picture of the state before is shown rather than parts of the new
#: one. After that it is wrong for too long
_OUTDATED_MS = 10_000


class PagePreviewController(QObject):
    """Draws the newest state of the page a moment after the last change. One drawing at a time.

    The first picture of a map comes in parts if servers are slow. Later the former picture stays until the new one is
    complete, or until it has been outdated for some seconds.

    ``picture_changed`` carries a PagePicture, or None if there is no page. ``drawing_changed`` is True while one
    is on its way, and ``failed`` carries the CartoguideError that prevents one.
    """

    picture_changed = pyqtSignal(object)
    drawing_changed = pyqtSignal(bool)
    failed = pyqtSignal(object)

    def __init__(self, map_controller: MapController, extent: ExtentController,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map = map_controller
        self.picture: Optional[PagePicture] = None
        self._drawing: Optional[PageDrawing] = None
        #: shared with the pages of the template gallery and the rows of the map
        self.legends = LegendStore()
        self._stores = PageStores(QgsProject(), self.legends, MapImages(False, self))
        #: since the first change that is not in the picture
        self._outdated = QElapsedTimer()
        #: services and own layers of the picture
        self._sources: Set[str] = set()
        self._width = 0
        self._is_watched = False
        self._is_stale = True
        self._timer = single_shot(self, _DELAY_MS, self._draw)
        map_controller.changed.connect(self.refresh)
        map_controller.built.connect(self.refresh)
        map_controller.adding_changed.connect(self._on_adding_changed)
        map_controller.session.terms_changed.connect(self.refresh)
        map_controller.builds.states.is_page_drawn = lambda: self._stores.maps.is_drawing
        self._stores.maps.fetched.connect(self._note_fetched)
        self._stores.maps.left_out.connect(partial(map_controller.builds.states.note_left_out, Viewer.PAGE))
        map_controller.builds.page_outdated.connect(self._draw_again)
        extent.changed.connect(self.refresh)

    @property
    def drawn_share(self) -> Optional[float]:
        """The share (0 to 1) of the maps on the page where something is drawn, None while that is not known."""
        if self.picture is None or not self.picture.is_complete or self.is_drawing:
            return None
        layers = set(self._map.mirror.layer_ids())
        return self.picture.drawn_share(layers)

    @property
    def is_drawing(self) -> bool:
        """True while a change is not in the picture."""
        return self._timer.isActive() or self._drawing is not None

    def set_watched(self, on: bool, width: int = 0) -> None:
        """Draw only while somebody can see the picture. ``width`` is that of the picture in pixels, 0 as before."""
        if width and width != self._width:
            self._width, self._is_stale = width, True
        self._is_watched = on
        if on and self._is_stale:
            self.refresh()
        elif not on:
            self._is_stale = self._is_stale or self.is_drawing
            self._stop()
            self._stores.maps.cancel()
            self.drawing_changed.emit(False)

    def refresh(self) -> None:
        """Draw the page again, soon."""
        self._is_stale = True
        if not self._map.stack:
            self._stop()
            self._stores.maps.clear()
            self._show(None)
            return
        if self.picture is not None and self._sources.isdisjoint(_sources(self._map.stack)):
            # another map has taken the place of the one in the picture
            self._show(None)
        if self._is_watched and self._width:
            if not self._outdated.isValid():
                self._outdated.start()
            self._timer.start()
            self.drawing_changed.emit(True)

    def close(self) -> None:
        """End the work, before the project goes."""
        self._is_watched = False
        self._stop()
        self._stores.maps.clear()
        self._stores.outlines.clear()

    def _draw_again(self) -> None:
        """Request the images once more: what they lack can be drawn again."""
        self._stores.maps.forbid_reuse()
        self.refresh()

    def _note_fetched(self, pieces: List[FetchedPiece]) -> None:
        """Tell the one state of a layer what came of its images."""
        failures = {piece.requested.url: (piece.error.user_text.split("\n")[0].rstrip("."), piece.error.detail)
                    for piece in pieces if piece.error is not None}
        for layer_id in {piece.request.layer_id for piece in pieces}:
            self._map.builds.states.note_images(Viewer.PAGE, layer_id, failures)

    def _on_adding_changed(self, adding: bool) -> None:
        if not adding:
            self.refresh()

    def _draw(self) -> None:
        if self._map.adding:
            # every layer that is made emits a change of its own
            return
        self._stop()
        self._is_stale = False
        if self._map.builds.page_lacks:
            # it is not known which images lack something of layers that QGIS draws itself
            self._stores.maps.forbid_reuse()
        self._sources = _sources(self._map.stack)
        plan = self._map.plan()
        patience = FIRST_PATIENCE_MS
        if self.picture is not None and self.picture.is_complete:
            patience = max(FIRST_PATIENCE_MS, _OUTDATED_MS - int(self._outdated.elapsed()))
        layers = self._map.mirror.qgis_layers(plan)
        drawing = PageDrawing(self._map.project, plan, layers, self._width, self._stores, patience, parent=self)
        drawing.drawn.connect(self._on_drawn)
        drawing.failed.connect(self._on_failed)
        self._drawing = drawing
        drawing.start()

    def _on_drawn(self, picture: PagePicture) -> None:
        if picture.is_complete:
            self._end_drawing()
            if not self._timer.isActive():
                self._outdated.invalidate()
        self._show(picture)

    def _on_failed(self, error: CartoguideError) -> None:
        self._end_drawing()
        self.picture = None
        self.drawing_changed.emit(self.is_drawing)
        self.failed.emit(error)

    def _show(self, picture: Optional[PagePicture]) -> None:
        self.picture = picture
        if picture is None:
            self._outdated.invalidate()
        self.picture_changed.emit(picture)
        self.drawing_changed.emit(self.is_drawing)

    def _stop(self) -> None:
        self._timer.stop()
        self._end_drawing()

    def _end_drawing(self) -> None:
        if self._drawing is not None:
            self._drawing.close()
            self._drawing.deleteLater()
            self._drawing = None


def _sources(parts: Iterable[MapPart]) -> Set[str]:
    return {part.own.id if isinstance(part, OwnItem) else part.entry.endpoint for part in parts}

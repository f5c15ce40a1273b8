"""The preview of the selected record's service: loaded once its record is opened and its service known."""

from __future__ import annotations

from enum import Enum
from typing import Callable, Optional, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtGui import QImage

from ...core.custommap.preview_image import preview_content
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.wms.model.service import Service
from ...gis.operations.service_previews import ServicePreviews
from ..records.dock_session import DockSession
from ..records.record_controller import SelectedRecord
from .map_additions import AddOffer, OfferState
from .map_controller import MapController


class PreviewState(str, Enum):
    """States of the preview: no service, not loaded, loading, loaded, failed."""

    HIDDEN = "hidden"
    NOT_LOADED = "not loaded"
    LOADING = "loading"
    LOADED = "loaded"
    FAILED = "failed"


class PreviewController(QObject):
    """Follows the offer of the Add button, which knows the service.

    ``changed`` has a PreviewState, a text and an image or None.
    """

    changed = pyqtSignal(str, str, object)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 is_opened: Callable[[], bool], room: Callable[[], Tuple[int, int]],
                 parent: Optional[QObject] = None) -> None:
        """``is_opened`` returns True if the person has opened the record: until then no server is contacted.

        ``room`` returns width and height of the image's place in pixels.
        """
        super().__init__(parent)
        self._measure_room = room
        #: of all images, so that they are found in memory after the window has changed its size
        self._room: Optional[Tuple[int, int]] = None
        self._session, self._map, self._selected, self._is_opened = session, map_controller, selected, is_opened
        self._offer = AddOffer(OfferState.NO_SERVICE)
        self._requested: Optional[tuple[object, ...]] = None
        self.previews = ServicePreviews(self)
        self.previews.started.connect(lambda: self._show(PreviewState.LOADING))
        self.previews.loaded.connect(lambda image: self._show(PreviewState.LOADED, image=image))
        self.previews.failed.connect(self._on_failed)

    def show_offer(self, offer: AddOffer) -> None:
        """Load the preview of the service that the offer is about."""
        self._offer = offer
        self.refresh()

    def refresh(self) -> None:
        """Load the preview if it is not the one that is shown."""
        record, offer = self._selected.record, self._offer
        endpoint = self._session.endpoint(record) if record is not None else None
        service = self._session.services.get(endpoint) if endpoint else None
        if record is None or not endpoint:
            self._reset(PreviewState.HIDDEN)
        elif offer.state is OfferState.FAILED or (offer.state is OfferState.NOT_LOADED and offer.reason):
            # the reason stands below the button, once
            self._reset(PreviewState.FAILED)
        elif not self._is_opened():
            self._reset(PreviewState.NOT_LOADED)
            self._show_cached(record, service, endpoint)
        elif service is None or offer.decision is None:
            self._reset(PreviewState.LOADING)
        elif offer.decision.best is None:
            self._reset(PreviewState.FAILED, tr("The service offers no layer that can be requested."))
        else:
            content = preview_content(service, offer.decision)
            requested = (record.id, endpoint, id(service), content)
            if requested != self._requested:
                self._requested = requested
                self._room = self._room or self._measure_room()
                self.previews.request(service, content, record.extents, self._map.crs(), endpoint, self._room)

    def _show_cached(self, record: Record, service: Optional[Service], endpoint: str) -> None:
        """Show the image of a record that was opened before."""
        decision = self._offer.decision
        if self._room is not None and service is not None and decision is not None and decision.best is not None:
            image = self.previews.cached(preview_content(service, decision), record.extents, self._map.crs(),
                                         endpoint, self._room)
            if image is not None:
                self._show(PreviewState.LOADED, image=image)

    def _reset(self, state: PreviewState, text: str = "") -> None:
        self._requested = None
        self.previews.cancel()
        self._show(state, text)

    def _on_failed(self, error: CartoguideError) -> None:
        self._show(PreviewState.FAILED, error.user_text.split("\n")[0])

    def _show(self, state: PreviewState, text: str = "", image: Optional[QImage] = None) -> None:
        self.changed.emit(state.value, text, image)

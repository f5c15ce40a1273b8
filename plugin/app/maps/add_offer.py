"""The offer of the Add button for the selected record: the use that fits its service, and the others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Optional

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.service_use import UseDecision, decide_use
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ..records.dock_session import DockSession, ServiceStatus
from ..records.record_controller import SelectedRecord
from .map_additions import MapAdditions
from .map_controller import MapController
from .time_series_controller import TimeSeriesController


class OfferState(str, Enum):
    """States of the offer: no service, not loaded, loading, failed, decided."""

    NO_SERVICE = "no service"
    NOT_LOADED = "not loaded"
    LOADING = "loading"
    FAILED = "failed"
    READY = "ready"


@dataclass(frozen=True)
class AddOffer:
    """State of the Add button. ``reason`` says why nothing can be added, ``decision`` is set if it can."""

    state: OfferState
    reason: str = ""
    decision: Optional[UseDecision] = None
    layer_count: int = 0


class AddOfferController(QObject):
    """Decides anew when the record, its service or the base of the map changes."""

    changed = pyqtSignal(object)

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 additions: MapAdditions, time_series: TimeSeriesController, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._selected, self._additions = session, selected, additions
        self._time_series = time_series
        self.offer = AddOffer(OfferState.NO_SERVICE)
        time_series.series_found.connect(lambda *_: self.refresh())
        map_controller.changed.connect(self.refresh)
        session.service_changed.connect(self._on_service_changed)

    def refresh(self) -> None:
        """Decide again, and emit ``changed`` if anything is different."""
        offer = self._make_offer()
        if offer != self.offer:
            self.offer = offer
            self.changed.emit(offer)

    def _on_service_changed(self, endpoint: str) -> None:
        record = self._selected.record
        shown = self._session.endpoint(record) if record is not None else None
        if shown and normalise_endpoint(shown) == normalise_endpoint(endpoint):
            self.refresh()

    def _make_offer(self) -> AddOffer:
        record = self._selected.record
        endpoint = self._session.endpoint(record) if record is not None else None
        if not endpoint:
            return AddOffer(OfferState.NO_SERVICE, tr("This record names no map service (WMS)."))
        state, service = self._session.service_state(endpoint), self._session.services.get(endpoint)
        if service is None:
            if state.status is ServiceStatus.FAILED and state.error is not None:
                return AddOffer(OfferState.FAILED, state.error.user_text.split("\n")[0])
            return AddOffer(OfferState.LOADING if state.status is ServiceStatus.LOADING else OfferState.NOT_LOADED)
        series = self._time_series.series_of(service)
        if series is None:
            return AddOffer(OfferState.LOADING)
        decision = decide_use(service, series, self._additions.has_other_base(endpoint))
        count = sum(1 for layer in service.iter_layers() if layer.name and not layer.layers)
        return AddOffer(OfferState.READY, "", decision, count)

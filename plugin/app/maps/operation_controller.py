"""Requests of the Operations page: sent, their responses saved, and layers made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Optional, Protocol, Sequence, Tuple

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.box import Box
from ...core.custommap.model import CustomMap, LayerPlan
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.request import Request
from ...core.terms.model import Decision
from ...core.terms.paper_gate import credit_for_paper
from ...core.wms.responses.layer_descriptions import LayerDescription
from ...gis.operations.operation_client import OperationResponse, start_request
from ...gis.operations.response_layers import start_making_data_layer, start_making_image_layer
from ...gis.runtime import tasks
from ..phrases import record_title
from ..records.dock_session import DockSession
from ..records.record_controller import SelectedRecord
from ..window import MapWindow, Notifier, Prompts
from .map_controller import MapController
from .map_state import LayerChoice, make_entry


class RequestedOperation(Protocol):
    """The last request of the page and its response."""

    @property
    def shown_response(self) -> Optional[OperationResponse]:
        """The response that the page shows."""

    def requested_operation(self) -> str:
        """Return the operation's name, such as "GetMap"."""

    def requested_layers(self) -> Sequence[str]:
        """Return the layers' names."""

    def requested_titles(self) -> Sequence[str]:
        """Return the layers' titles."""

    def requested_extent(self) -> Optional[Tuple[Box, str]]:
        """Return the extent and its CRS, or None for an operation without one."""


class OperationController(QObject):
    """Sends one request at a time. Only the response of the newest one is shown."""

    response_received = pyqtSignal(object)
    failed = pyqtSignal(object)
    cancelled = pyqtSignal()
    #: a layer was added to the project, or could not be
    adding_ended = pyqtSignal()

    def __init__(self, session: DockSession, map_controller: MapController, selected: SelectedRecord,
                 requested: RequestedOperation, window: MapWindow, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._session, self._map, self._selected, self._requested = session, map_controller, selected, requested
        self._window, self._notifier, self._prompts = window, notifier, prompts
        self._job: Optional[tasks.Job] = None
        self._layer_jobs: list[tasks.Job] = []

    def send(self, request: Request, expected: str, size: Optional[tuple[int, int]]) -> None:
        """Send a request and cancel the one before.

        ``expected`` is the media type that was requested, ``size`` the width and height of a requested image.
        """
        if self._job is not None:
            self._job.cancel()
        self._job = start_request(request, expected, size, self._on_response, self._on_failed, self)

    def cancel(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.cancelled.emit()

    def _on_response(self, answer: OperationResponse) -> None:
        self._job = None
        self.response_received.emit(answer)

    def _on_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.failed.emit(error)

    def canvas_extent(self) -> Optional[Box]:
        """Return the map canvas's extent in degrees, or None without a canvas."""
        return self._window.geographic_extent(self._map.project)

    def ask_and_save(self, data: bytes, suffix: str) -> None:
        """Ask for a file and write a response to it."""
        path = self._ask_path(tr("Save the response"), suffix)
        if path is not None:
            self.save_to(path, data)

    def _ask_path(self, title: str, suffix: str) -> Optional[Path]:
        layers = " ".join(self._requested.requested_layers()[:2])
        name = safe_file_name(f"{self._requested.requested_operation()} {layers}".strip())
        return self._prompts.save_file(title, f"{name}.{suffix}", f"*.{suffix};;* (*)")

    def save_to(self, path: Path, data: bytes) -> None:
        """Write a response byte for byte. An error is shown, and the credit that a map among them lacks."""
        try:
            write_bytes_atomically(path, data)
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        said, lacking = tr("Saved as {name}.", name=path.name), self._credit_text()
        if lacking:
            self._notifier.show_warning(f"{said} {lacking}")
        else:
            self._notifier.notify(said)

    def _credit_text(self) -> str:
        """Return a sentence about the credit that the response owes and lacks, as a map does, or ""."""
        answer = self._requested.shown_response
        if self._requested.requested_operation() != "GetMap" or answer is None or answer.size is None:
            return ""
        plan = self._layer_plan(self._requested.requested_layers())
        if plan is not None and plan.credit_required is Decision.NO:
            return ""
        credit = "; ".join(credit_for_paper(plan.rights).lines) if plan is not None else ""
        return tr("The map has no credit on it. Show with it: {credit}", credit=credit) if credit else tr(
            "The map has no credit on it, and its terms may require one.")

    # -- the image as a layer

    def ask_and_add_image(self, data: bytes, suffix: str) -> None:
        """Ask for a file, write the image to it and add it to the project."""
        path = self._ask_path(tr("Save the map and add it as a layer"), suffix)
        if path is not None:
            self.add_image_layer(path if path.suffix else path.with_suffix(f".{suffix}"), data)

    def add_image_layer(self, path: Path, data: bytes) -> None:
        """Write the image to ``path`` and add it to the project as a layer, with its service's credit."""
        answer, extent = self._requested.shown_response, self._requested.requested_extent()
        plan = self._layer_plan(self._requested.requested_layers())
        if answer is None or answer.size is None or extent is None or plan is None:
            self._notifier.show_error(
                CartoguideError(tr("The layer of this map is no longer known. Send the request again.")))
            return
        box, crs = extent
        titled = replace(plan, title=", ".join(self._requested.requested_titles()[:3]) or plan.title)
        self._layer_jobs = [job for job in self._layer_jobs if job.running]
        self._layer_jobs.append(
            start_making_image_layer(path, data, (crs, box), answer.size, titled, self._on_layer_built,
                                     self._on_add_failed, self))

    # -- the data behind a layer

    def add_data_layer(self, description: LayerDescription, type_name: str, index: int) -> None:
        """Add the data behind the requested layer at ``index`` to the project, by WFS or WCS."""
        names = self._requested.requested_layers()
        plan = self._layer_plan((description.layer,) if description.layer else names[index:index + 1])
        if plan is None:
            self._on_add_failed(
                CartoguideError(tr("The layer of these data is no longer known. Send the request again.")))
            return
        self._layer_jobs = [job for job in self._layer_jobs if job.running]
        self._layer_jobs.append(
            start_making_data_layer(description, type_name, plan, self._on_layer_built, self._on_add_failed, self))

    def _layer_plan(self, names: Sequence[str]) -> Optional[LayerPlan]:
        """Return layers as the custom map would add the first of them, but with the credits of all."""
        record = self._selected.record
        endpoint = self._session.endpoint(record) if record else None
        if record is None or not endpoint or not names:
            return None
        entry = make_entry(record, self._session.terms(record), endpoint, LayerChoice.of_names(names))
        plans = self._map.plan(CustomMap(title=record_title(record), overlays=(entry,), crs=self._map.crs())).layers
        rights = dict.fromkeys(line for plan in plans for line in plan.rights)
        unfit = dict.fromkeys(credit for plan in plans for credit in plan.unfit_credits)
        return replace(plans[0], rights=tuple(rights), unfit_credits=tuple(unfit)) if plans else None

    def _on_add_failed(self, error: CartoguideError) -> None:
        self.adding_ended.emit()
        self._notifier.show_error(error)

    def _on_layer_built(self, layer: QgsMapLayer) -> None:
        self.adding_ended.emit()
        self._map.project.addMapLayer(layer)
        layer_id, project = layer.id(), self._map.project
        self._notifier.notify(tr("Added: {title}", title=layer.name()), tr("Undo"),
                              lambda: project.removeMapLayer(layer_id))

"""What the Operations page asks for, done: requests sent, answers saved, data behind layers added to the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ...app.maps.layer_choice import LayerChoice
from ...app.maps.map_extent import geographic_extent
from ...app.maps.map_state import make_entry
from ...app.phrases import record_title
from ...core.custommap.model import CustomMap, LayerPlan
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.request import Request
from ...core.wms.responses.layer_descriptions import LayerDescription
from ...gis.operations.operation_client import OperationResponse, start_request
from ...gis.operations.response_layers import start_making_data_layer, start_making_image_layer
from ...gis.runtime import settings, tasks
from ..service.operation_fields import GeographicEnvelope

if TYPE_CHECKING:
    from .dock_widget import CartoguideDock


class OperationController(QObject):
    """Connects the Operations page with the network, the files and the project."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._job: Optional[tasks.Job] = None
        self._layer_jobs: list[tasks.Job] = []
        self.page = page = dock.view.service.operations
        page.canvas_extent = self._canvas_extent
        page.canvas_crs = lambda: dock.composer_controller.map.crs()
        page.send_requested.connect(self.send)
        page.cancel_requested.connect(self.cancel)
        page.answer.save_requested.connect(self._save_response)
        page.answer.add_data_requested.connect(self.add_data_layer)
        page.answer.add_image_requested.connect(self._ask_and_add_image)

    def send(self, request: Request, expected: str, size: Optional[tuple[int, int]]) -> None:
        """Send a request; only the newest one's answer is shown."""
        if self._job is not None:
            self._job.cancel()
        self._job = start_request(request, expected, size, self._on_response, self._on_failed, self)

    def cancel(self) -> None:
        """Give the request up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.page.answer.show_cancelled()

    def _on_response(self, answer: OperationResponse) -> None:
        self._job = None
        self.page.show_answer(answer)

    def _on_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.page.show_error(error)

    def _canvas_extent(self) -> Optional[GeographicEnvelope]:
        """What the map window shows, in degrees; None where there is none."""
        iface = self._dock.iface
        canvas = iface.mapCanvas() if hasattr(iface, "mapCanvas") else None  # type: ignore[union-attr]
        if canvas is None:
            return None
        seen = geographic_extent(canvas.extent(),
                                 canvas.mapSettings().destinationCrs(), self._dock.composer_controller.map.project)
        return (seen.west, seen.south, seen.east, seen.north) if seen else None

    def _save_response(self, data: bytes, suffix: str) -> None:
        path = self._ask_path(tr("Save the answer"), suffix)
        if path is not None:
            self.save_to(path, data)

    def _ask_path(self, words: str, suffix: str) -> Optional[Path]:
        """Where the person wants a file of the answer; None where nowhere."""
        title = f"{self.page.requested_operation()} {' '.join(self.page.requested_layers()[:2])}".strip()
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(title)}.{suffix}")
        path, _ = QFileDialog.getSaveFileName(self._dock, words, start, f"*.{suffix};;* (*)")
        if not path:
            return None
        settings.set("last_folder", str(Path(path).parent))
        return Path(path)

    def save_to(self, path: Path, data: bytes) -> None:
        """Write an answer byte for byte; what goes wrong is told."""
        try:
            write_bytes_atomically(path, data)
        except CartoguideError as error:
            self._dock.messages.show_error(error)
            return
        self._dock.messages.notify(tr("Saved as {name}.", name=path.name))

    # -- the picture as a layer

    def _ask_and_add_image(self, data: bytes, suffix: str) -> None:
        path = self._ask_path(tr("Save the map that becomes a layer"), suffix)
        if path is not None:
            self.add_image_layer(path if path.suffix else path.with_suffix(f".{suffix}"), data)

    def add_image_layer(self, path: Path, data: bytes) -> None:
        """Write the map that came to ``path`` and put it into the project, with its service's credit."""
        answer, asked = self.page.answer.answer, self.page.requested_extent()
        names = self.page.requested_layers()
        plan = self._layer_plan(names[0]) if names else None
        if answer is None or answer.size is None or asked is None or plan is None:
            self._dock.messages.show_error(
                CartoguideError(tr("The layer that this map shows is not known any more. Ask for it again.")))
            return
        box, crs = asked
        titled = replace(plan, crs=crs, title=", ".join(self.page.requested_titles()[:3]) or plan.title)
        self._layer_jobs = [job for job in self._layer_jobs if job.running]
        self._layer_jobs.append(
            start_making_image_layer(path, data, box, answer.size, titled, self._on_layer_built, self._on_add_failed,
                                     self))

    # -- the data behind a layer

    def add_data_layer(self, description: LayerDescription, type_name: str, index: int) -> None:
        """Make a layer of the data behind the ``place``-th layer that was asked about, and put it into the project."""
        names = self.page.requested_layers()
        plan = self._layer_plan(description.layer or (names[index] if index < len(names) else ""))
        if plan is None:
            self._on_add_failed(
                CartoguideError(tr("The layer behind which these data stand is not known any more. Ask for it again.")))
            return
        self._layer_jobs = [job for job in self._layer_jobs if job.running]
        self._layer_jobs.append(
            start_making_data_layer(description, type_name, plan, self._on_layer_built, self._on_add_failed, self))

    def _layer_plan(self, name: str) -> Optional[LayerPlan]:
        """What the custom map would say of the layer: its title, its credit, its metadata."""
        record = self._dock.view.record
        endpoint = self._dock.session.endpoint(record) if record else None
        if record is None or not endpoint or not name:
            return None
        maps = self._dock.composer_controller.map
        entry = make_entry(record, self._dock.session.terms(record), endpoint, LayerChoice((name,), ("",)))
        plan = maps.plan(CustomMap(title=record_title(record), overlays=(entry,), crs=maps.crs()))
        return plan.layers[0] if plan.layers else None

    def _on_add_failed(self, error: CartoguideError) -> None:
        self.page.answer.data_page.enable_buttons()
        self._dock.messages.show_error(error)

    def _on_layer_built(self, layer: QgsMapLayer) -> None:
        self.page.answer.data_page.enable_buttons()
        self._dock.composer_controller.map.project.addMapLayer(layer)
        self._dock.messages.notify(tr("Added: {title}", title=layer.name()))

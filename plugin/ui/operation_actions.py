"""What the Operations page asks for, done: requests sent, answers saved, data behind layers added to the project."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from qgis.core import QgsMapLayer
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.custommap.model import CustomMap, LayerPlan
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.request import Request
from ..core.wms.descriptions import LayerDescription
from ..gis import settings, tasks
from ..gis.data_layers import build_data_layer
from ..gis.operation_sending import Answer, send
from ..gis.picture_layers import build_picture_layer
from .files import safe_name, write_whole
from .layer_choice import Choice
from .map_extent import degrees
from .map_items import entry_of
from .operation_fields import Box
from .words import title_of

if TYPE_CHECKING:
    from .dock import CartoguideDock


class OperationActions(QObject):
    """Connects the Operations page with the network, the files and the project."""

    def __init__(self, dock: CartoguideDock) -> None:
        super().__init__(dock)
        self._dock = dock
        self._job: Optional[tasks.Job] = None
        self._adding: list[tasks.Job] = []
        self.page = page = dock.view.service.operations
        page.map_view = self._map_view
        page.map_crs = lambda: dock.composer_actions.map.crs()
        page.send_asked.connect(self.send)
        page.cancel_asked.connect(self.cancel)
        page.answer.save_asked.connect(self._save)
        page.answer.add_asked.connect(self.add_data)
        page.answer.layer_asked.connect(self._add_picture)

    def send(self, request: Request, expected: str, size: Optional[tuple[int, int]]) -> None:
        """Send a request; only the newest one's answer is shown."""
        if self._job is not None:
            self._job.cancel()
        self._job = send(request, expected, size, self._answered, self._failed, self)

    def cancel(self) -> None:
        """Give the request up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.page.answer.show_stopped()

    def _answered(self, answer: Answer) -> None:
        self._job = None
        self.page.show_answer(answer)

    def _failed(self, error: CartoguideError) -> None:
        self._job = None
        self.page.show_failed(error)

    def _map_view(self) -> Optional[Box]:
        """What the map window shows, in degrees; None where there is none."""
        iface = self._dock.iface
        canvas = iface.mapCanvas() if hasattr(iface, "mapCanvas") else None  # type: ignore[union-attr]
        if canvas is None:
            return None
        seen = degrees(canvas.extent(), canvas.mapSettings().destinationCrs(), self._dock.composer_actions.map.project)
        return (seen.west, seen.south, seen.east, seen.north) if seen else None

    def _save(self, data: bytes, ending: str) -> None:
        path = self._file(tr("Save the answer"), ending)
        if path is not None:
            self.save_to(path, data)

    def _file(self, words: str, ending: str) -> Optional[Path]:
        """Where the person wants a file of the answer; None where nowhere."""
        title = f"{self.page.asked_operation()} {' '.join(self.page.asked_layers()[:2])}".strip()
        start = str(Path(settings.get("last_folder")) / f"{safe_name(title)}.{ending}")
        path, _ = QFileDialog.getSaveFileName(self._dock, words, start, f"*.{ending};;* (*)")
        if not path:
            return None
        settings.set("last_folder", str(Path(path).parent))
        return Path(path)

    def save_to(self, path: Path, data: bytes) -> None:
        """Write an answer byte for byte; what goes wrong is told."""
        try:
            write_whole(path, data)
        except CartoguideError as error:
            self._dock.messages.error(error)
            return
        self._dock.messages.news(tr("Saved as {name}.", name=path.name))

    # -- the picture as a layer

    def _add_picture(self, data: bytes, ending: str) -> None:
        path = self._file(tr("Save the map that becomes a layer"), ending)
        if path is not None:
            self.add_picture(path if path.suffix else path.with_suffix(f".{ending}"), data)

    def add_picture(self, path: Path, data: bytes) -> None:
        """Write the map that came to ``path`` and put it into the project, with its service's credit."""
        answer, asked = self.page.answer.answer, self.page.asked_box()
        names = self.page.asked_layers()
        plan = self._plan(names[0]) if names else None
        if answer is None or answer.size is None or asked is None or plan is None:
            self._dock.messages.error(CartoguideError(
                tr("The layer that this map shows is not known any more. Ask for it again.")))
            return
        box, crs = asked
        titled = replace(plan, crs=crs, title=", ".join(self.page.titles()[:3]) or plan.title)
        self._adding = [job for job in self._adding if job.running]
        self._adding.append(build_picture_layer(path, data, box, answer.size, titled, self._added, self._not_added,
                                                self))

    # -- the data behind a layer

    def add_data(self, description: LayerDescription, type_name: str, place: int) -> None:
        """Make a layer of the data behind the ``place``-th layer that was asked about, and put it into the project."""
        names = self.page.asked_layers()
        plan = self._plan(description.layer or (names[place] if place < len(names) else ""))
        if plan is None:
            self._not_added(CartoguideError(
                tr("The layer behind which these data stand is not known any more. Ask for it again.")))
            return
        self._adding = [job for job in self._adding if job.running]
        self._adding.append(build_data_layer(description, type_name, plan, self._added, self._not_added, self))

    def _plan(self, name: str) -> Optional[LayerPlan]:
        """What the custom map would say of the layer: its title, its credit, its metadata."""
        record = self._dock.view.record
        endpoint = self._dock.session.endpoint(record) if record else None
        if record is None or not endpoint or not name:
            return None
        maps = self._dock.composer_actions.map
        entry = entry_of(record, self._dock.session.terms(record), endpoint, Choice((name,), ("",)))
        plan = maps.plan(CustomMap(title=title_of(record), overlays=(entry,), crs=maps.crs()))
        return plan.layers[0] if plan.layers else None

    def _not_added(self, error: CartoguideError) -> None:
        self.page.answer.sources.release()
        self._dock.messages.error(error)

    def _added(self, layer: QgsMapLayer) -> None:
        self.page.answer.sources.release()
        self._dock.composer_actions.map.project.addMapLayer(layer)
        self._dock.messages.news(tr("Added: {title}", title=layer.name()))

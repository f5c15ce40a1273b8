"""Offline, done: snapshots taken, shown and left again, packed for another machine and opened there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional, Sequence

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ...app.maps.extent_mode import WHOLE as WHOLE_EXTENT
from ...app.maps.map_extent import extent_for_mode
from ...core.custommap.model import CustomMap, MapExtent, SnapshotReference
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.snapshot.model import CrsBounds
from ...core.snapshot.snapshot_package import PACKAGE_SUFFIX
from ...core.snapshot.snapshot_sources import Snapshot, layer_key, layers_without_snapshot, snapshot_folder
from ...gis.layers import snapshot_switch
from ...gis.layouts.map_frame import WGS84
from ...gis.layouts.page_measurement import PageMeasurement
from ...gis.runtime import settings, tasks
from ...gis.snapshots import snapshot_job, snapshot_packages
from ..composer.offline_controls import PACK, SWITCH, TAKE, UNPACK
from ..composer.snapshot_dialog import CANVAS, PRINTED, WHOLE, SnapshotDefaults, SnapshotDialog

if TYPE_CHECKING:
    from .composer_controller import ComposerController


class OfflineController(QObject):
    """One for each composer."""

    def __init__(self, actions: ComposerController) -> None:
        super().__init__(actions)
        self._controller = actions
        self._map = actions.map
        self._session = actions.map.session
        self._measure = PageMeasurement(self._map.project)
        self._job: Optional[tasks.Job] = None
        self._busy_text = ""
        #: the folder of the snapshot that was begun last: it may have to be gone on with
        self._unfinished_folder: Optional[Path] = None
        self.dialog: Optional[SnapshotDialog] = None
        composer = actions.composer
        composer.offline.action_requested.connect(self._on_action)
        composer.offline_row.switch_requested.connect(self.toggle_snapshot)

    def refresh(self) -> None:
        """Show what the map shows."""
        state = self._map.state
        use, shown = state.snapshot_use, state.active_snapshot
        in_use = use is not None and use.in_use
        self._controller.composer.offline.show_state(bool(self._map.items), use is not None and bool(self._map.items),
                                                     in_use)
        lacking = len(layers_without_snapshot(self._map.plan())) if shown is not None else 0
        day = shown.manifest.made[:10] if shown is not None else ""
        self._controller.composer.offline_row.show_state(use is not None and bool(self._map.items), in_use, day,
                                                         lacking)

    def cancel(self) -> None:
        """Give up what is under way; what was fetched for a snapshot is kept."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self._controller.composer.show_busy("")

    def _on_action(self, what: str) -> None:
        {
            TAKE: self.open_dialog, SWITCH: self.toggle_snapshot, PACK: self.ask_package_path,
            UNPACK: self.ask_and_open_package
        }[what]()

    # -- taking one

    def open_dialog(self) -> None:
        """Ask what the snapshot is to hold."""
        if not self._map.items or self._job is not None:
            return
        self._controller.store_extent()
        plan = self._map.plan()
        frame = self._measure.frame(plan)
        scale = frame.scale if frame is not None else 25000.0
        folder = Path(settings.get("last_folder") or Path.home()) / safe_file_name(
            tr("{title} offline", title=self._map.title()))
        if self._unfinished_folder is not None and snapshot_job.unfinished_manifest(
                self._unfinished_folder) is not None:
            folder = self._unfinished_folder
        self.dialog = SnapshotDialog(
            SnapshotDefaults(self._available_extents(plan.crs), (scale, ), settings.get("export_dpi"),
                             _unused_folder(folder)), self._prepare, self._controller.window)
        self.dialog.chosen.connect(self.take_snapshot)
        self.dialog.show()

    def take_snapshot(self, prepared: snapshot_job.SnapshotPlan) -> None:
        """Take the snapshot in a job that QGIS's task list shows."""
        settings.set("last_folder", str(prepared.options.folder.parent))
        self._unfinished_folder = prepared.options.folder
        title = prepared.document.title

        def done(made: Snapshot) -> None:
            self._end_job()
            self._map.state.snapshot_use = SnapshotReference(str(made.folder), False)
            self._map.changed.emit()
            self._controller.notify(tr("Snapshot complete: {folder}", folder=made.folder.name), tr("Show it"),
                                    self.toggle_snapshot)

        self._start_job(
            tr("Taking the snapshot…"),
            lambda failed: tasks.start(tr("Snapshot of “{title}”", title=title), lambda feedback: snapshot_job.
                                       write_snapshot(prepared, feedback), done, failed, self, self._on_progress))

    def _prepare(self, order: snapshot_job.SnapshotOptions, permitted: bool) -> snapshot_job.SnapshotPlan:
        maps = self._map
        document = maps.document()
        services, records = maps.services_and_records(document)
        if permitted:
            order = replace(order, permitted=frozenset(entry.endpoint for entry in document.entries))
        return snapshot_job.plan_snapshot(order, replace(document, snapshot=None), maps.plan(document), services,
                                          records, maps.project, self._controller.preflight.seconds_per_megapixel)

    def _available_extents(self, crs: str) -> dict[str, CrsBounds]:
        """The areas that can be chosen, in the map's CRS."""
        found: dict[str, Optional[CrsBounds]] = {PRINTED: self._measure.map_extent(self._map.plan())}
        canvas = self._controller.canvas()
        if canvas is not None:
            found[CANVAS] = self._transformed_extent(canvas.extent(), canvas.mapSettings().destinationCrs(), crs)
        whole = extent_for_mode(WHOLE_EXTENT, None, self._map, None)
        if whole is not None:
            found[WHOLE] = self._transformed_extent(_rectangle(whole), QgsCoordinateReferenceSystem(WGS84), crs)
        return {what: box for what, box in found.items() if box is not None}

    def _transformed_extent(self, extent: QgsRectangle, source: QgsCoordinateReferenceSystem,
                            crs: str) -> Optional[CrsBounds]:
        if extent.isEmpty() or not source.isValid():
            return None
        try:
            box = QgsCoordinateTransform(source, QgsCoordinateReferenceSystem(crs),
                                         self._map.project).transformBoundingBox(extent)
        except QgsCsException:
            return None
        return (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()) if box.isFinite() else None

    # -- live or snapshot

    def toggle_snapshot(self) -> None:
        """Show the snapshot instead of the live services, or these again."""
        use = self._map.state.snapshot_use
        if use is None or self._job is not None:
            return
        if use.in_use:
            self.switch_to_live()
        else:
            self._start_job(
                tr("Opening the snapshot…"),
                lambda failed: snapshot_packages.start_opening(Path(use.path), self._session.services, self._session.
                                                               library, self._on_snapshot_opened, failed, self))

    def _on_snapshot_opened(self, opened: Snapshot) -> None:
        self._end_job()
        maps = self._map
        copies = opened.layer_sources()
        kept = {layer_key(layer) for layer in opened.manifest.layers}
        try:
            for layer in self._map_layers():
                key = snapshot_switch.layer_key(layer)
                if key in kept and key is not None:
                    snapshot_switch.switch_to_snapshot(layer, copies[key], maps.project)
        except CartoguideError as error:
            self._controller.show_error(error)
        maps.state.snapshot_use, maps.state.active_snapshot = SnapshotReference(str(opened.folder), True), opened
        maps.project.setDirty(True)
        maps.changed.emit()

    def switch_to_live(self) -> None:
        """Show the live services again; where one does not answer the map stays with its snapshot."""
        wanted = [layer for layer in self._map_layers() if snapshot_switch.shows_snapshot(layer)]

        def done(problems: list[CartoguideError]) -> None:
            self._end_job()
            if problems:
                self._controller.show_error(
                    CartoguideError(
                        "\n".join([
                            tr("The map still shows its snapshot, because a service cannot be asked:"),
                            *dict.fromkeys(problem.user_text for problem in problems)
                        ]), problems[0].detail))
                return
            use = self._map.state.snapshot_use
            self._map.state.snapshot_use = replace(use, in_use=False) if use is not None else None
            self._map.state.active_snapshot = None
            self._map.project.setDirty(True)
            self._map.changed.emit()

        self._start_job(
            tr("Asking the live services…"), lambda failed: snapshot_switch.switch_to_live(
                wanted, done, failed, self, self._session.services, all_or_none=True))

    def _map_layers(self) -> list[QgsRasterLayer]:
        found = [
            self._map.project.mapLayer(layer_id) for item in self._map.items for layer_id in item.layer_ids.values()
        ]
        return [layer for layer in found if layer is not None]

    def toggle_for_layers(self, layer_ids: Sequence[str]) -> bool:
        """Switch the map where one of these layers is on it; whether that was so."""
        own = {layer_id for item in self._map.items for layer_id in item.layer_ids.values()}
        if not own.intersection(layer_ids) or self._map.state.snapshot_use is None:
            return False
        self.toggle_snapshot()
        return True

    # -- documents that have one

    def open_snapshot_of(self, document: CustomMap, path: Optional[Path], on_ready: Callable[[], None]) -> None:
        """Open the snapshot that ``document`` (of the file ``place``) shows, then go on; where it is gone it is told,
        and the live services are offered.
        """
        use = document.snapshot
        if use is None:
            on_ready()
            return
        folder = snapshot_folder(use, path)
        self._map.state.snapshot_use = replace(use, path=str(folder))
        if not use.in_use:
            on_ready()
            return

        def done(opened: Snapshot) -> None:
            self._end_job()
            self._map.state.active_snapshot = opened
            on_ready()

        def gone(error: CartoguideError) -> None:
            self._end_job()
            self._controller.documents.add_all_unavailable(document, tr("its snapshot is not there"))
            self._controller.warn_with_action(
                tr("{reason} The map shows nothing until its services are asked instead.",
                   reason=error.user_text.split("\n")[0]), tr("Use the live services"),
                lambda: self._controller.open_document(replace(document, snapshot=None)))

        self._job = None
        self._start_job(
            tr("Opening the snapshot…"), lambda _failed: snapshot_packages.start_opening(
                folder, self._session.services, self._session.library, done, gone, self))

    # -- packages

    def ask_package_path(self) -> None:
        """Ask where the package is to go, and write it."""
        use = self._map.state.snapshot_use
        if use is None or self._job is not None:
            return
        self._controller.store_extent()
        start = str(Path(settings.get("last_folder")) / f"{safe_file_name(self._map.title())}{PACKAGE_SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self._controller.window, tr("Package for an offline computer"), start,
                                              f"Cartoguide (*{PACKAGE_SUFFIX})")
        if path:
            self.write_package(Path(path if path.lower().endswith(".zip") else f"{path}{PACKAGE_SUFFIX}"))

    def write_package(self, path: Path) -> None:
        """Write the map with its snapshot as a package to ``path``."""
        use = self._map.state.snapshot_use
        if use is None:
            return
        settings.set("last_folder", str(path.parent))

        def done(_manifest: object) -> None:
            self._end_job()
            self._controller.notify(
                tr("Packed as {name}. Open it on the other machine, or drop it on its dock.", name=path.name))

        self._start_job(
            tr("Packing the map…"), lambda failed: snapshot_packages.start_packing(Path(use.path), self._map.document(
            ), path, done, failed, self, self._on_progress))

    def ask_and_open_package(self) -> None:
        """Ask for a package and open it."""
        path, _ = QFileDialog.getOpenFileName(self._controller.window, tr("Open a package"),
                                              settings.get("last_folder"), f"Cartoguide (*{PACKAGE_SUFFIX} *.zip)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.open_package(Path(path))

    def open_package(self, path: Path) -> None:
        """Unpack the package at ``path`` and open its map; no network is needed."""
        def done(unpacked: snapshot_packages.UnpackedPackage) -> None:
            self._end_job()
            self._controller.documents.open_document(unpacked.document, unpacked.document_path)
            self._controller.notify(
                tr("Opened “{title}” from its package, which was unpacked to {folder}.", title=unpacked.document.title,
                   folder=unpacked.document_path.parent.name))

        self._start_job(tr("Unpacking the map…"),
                        lambda failed: snapshot_packages.start_unpacking(path, done, failed, self, self._on_progress))

    # -- one job at a time

    def _start_job(self, words: str, begin: Callable[[Callable[[CartoguideError], None]], tasks.Job]) -> None:
        if self._job is not None:
            return
        self._busy_text = words
        self._controller.composer.show_busy(words)
        job = self._job = begin(self._on_failed)
        # given up in QGIS's own task list, a job ends without a word
        job.ended.connect(lambda: self._end_job() if self._job is job else None)

    def _on_progress(self, percent: float, _words: str) -> None:
        if self._job is not None:
            # the layer's name would not stay on one line
            self._controller.composer.show_busy(f"{self._busy_text} {percent:.0f}\u00a0%")

    def _on_failed(self, error: CartoguideError) -> None:
        self._end_job()
        self._map.changed.emit()
        self._controller.show_error(error)

    def _end_job(self) -> None:
        self._job = None
        self._controller.composer.show_busy("")


def _unused_folder(folder: Path) -> Path:
    """``folder``, or with a number where a finished snapshot or anything else is there."""
    number, found = 1, folder
    while found.exists() and snapshot_job.unfinished_manifest(found) is None and any(
            found.iterdir() if found.is_dir() else [found]):
        number += 1
        found = folder.with_name(f"{folder.name} ({number})")
    return found


def _rectangle(box: MapExtent) -> QgsRectangle:
    return QgsRectangle(box.west, box.south, box.east, box.north)

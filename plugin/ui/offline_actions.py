"""Offline, done: snapshots taken, shown and left again, packed for another machine and opened there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional, Sequence

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QFileDialog

from ..core.custommap.model import CustomMap, MapExtent, SnapshotUse
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.snapshot.archive import SUFFIX
from ..core.snapshot.model import Box
from ..core.snapshot.use import Snapshot, folder_of, layer_key, uncovered
from ..gis import settings, snapshot, snapshot_share, snapshot_switch, tasks
from ..gis.map_frame import DEGREES
from ..gis.map_measure import MapMeasure
from .extent_mode import WHOLE as WHOLE_EXTENT
from .files import safe_name
from .map_extent import extent_of
from .offline_dialog import PRINTED, WHOLE, WINDOW, OfflineDialog, Start
from .offline_row import PACK, SWITCH, TAKE, UNPACK

if TYPE_CHECKING:
    from .composer_actions import ComposerActions


class OfflineActions(QObject):
    """One for each composer."""

    def __init__(self, actions: ComposerActions) -> None:
        super().__init__(actions)
        self._actions = actions
        self._maps = actions.map
        self._session = actions.map.session
        self._measure = MapMeasure(self._maps.project)
        self._job: Optional[tasks.Job] = None
        self._busy = ""
        #: the folder of the snapshot that was begun last: it may have to be gone on with
        self._begun: Optional[Path] = None
        self.dialog: Optional[OfflineDialog] = None
        composer = actions.composer
        composer.offline.asked.connect(self._asked)
        composer.offline_row.switch_asked.connect(self.switch)

    def refresh(self) -> None:
        """Show what the map shows."""
        state = self._maps.state
        use, shown = state.snapshot, state.shown
        in_use = use is not None and use.in_use
        self._actions.composer.offline.show_state(bool(self._maps.items), use is not None and bool(self._maps.items),
                                                  in_use)
        lacking = len(uncovered(self._maps.plan())) if shown is not None else 0
        day = shown.manifest.made[:10] if shown is not None else ""
        self._actions.composer.offline_row.show_state(use is not None and bool(self._maps.items), in_use, day, lacking)

    def cancel(self) -> None:
        """Give up what is under way; what was fetched for a snapshot is kept."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self._actions.composer.show_busy("")

    def _asked(self, what: str) -> None:
        {TAKE: self.ask, SWITCH: self.switch, PACK: self.ask_pack, UNPACK: self.ask_unpack}[what]()

    # -- taking one

    def ask(self) -> None:
        """Ask what the snapshot is to hold."""
        if not self._maps.items or self._job is not None:
            return
        self._actions.take_extent()
        plan = self._maps.plan()
        frame = self._measure.frame(plan)
        scale = frame.scale if frame is not None else 25000.0
        folder = Path(settings.get("last_folder") or Path.home()) / safe_name(
            tr("{title} offline", title=self._maps.title()))
        if self._begun is not None and snapshot.unfinished(self._begun) is not None:
            folder = self._begun
        self.dialog = OfflineDialog(Start(self._boxes(plan.crs), (scale,), settings.get("export_dpi"), _free(folder)),
                                    self._prepare, self._actions.window)
        self.dialog.chosen.connect(self.take)
        self.dialog.show()

    def take(self, prepared: snapshot.Prepared) -> None:
        """Take the snapshot in a job that QGIS's task list shows."""
        settings.set("last_folder", str(prepared.order.folder.parent))
        self._begun = prepared.order.folder
        title = prepared.document.title

        def done(made: Snapshot) -> None:
            self._end()
            self._maps.state.snapshot = SnapshotUse(str(made.folder), False)
            self._maps.changed.emit()
            self._actions.told(tr("Snapshot complete: {folder}", folder=made.folder.name), tr("Show it"), self.switch)

        self._start(tr("Taking the snapshot…"), lambda failed: tasks.start(
            tr("Snapshot of “{title}”", title=title), lambda feedback: snapshot.make(prepared, feedback), done, failed,
            self, self._tell))

    def _prepare(self, order: snapshot.Order, permitted: bool) -> snapshot.Prepared:
        maps = self._maps
        document = maps.document()
        services, records = maps.known(document)
        if permitted:
            order = replace(order, permitted=frozenset(entry.endpoint for entry in document.entries))
        return snapshot.prepare(order, replace(document, snapshot=None), maps.plan(document), services, records,
                                maps.project, self._actions.preflight.pace)

    def _boxes(self, crs: str) -> dict[str, Box]:
        """The areas that can be chosen, in the map's CRS."""
        found: dict[str, Optional[Box]] = {PRINTED: self._measure.box(self._maps.plan())}
        canvas = self._actions.canvas()
        if canvas is not None:
            found[WINDOW] = self._there(canvas.extent(), canvas.mapSettings().destinationCrs(), crs)
        whole = extent_of(WHOLE_EXTENT, None, self._maps, None)
        if whole is not None:
            found[WHOLE] = self._there(_rectangle(whole), QgsCoordinateReferenceSystem(DEGREES), crs)
        return {what: box for what, box in found.items() if box is not None}

    def _there(self, extent: QgsRectangle, source: QgsCoordinateReferenceSystem, crs: str) -> Optional[Box]:
        if extent.isEmpty() or not source.isValid():
            return None
        try:
            box = QgsCoordinateTransform(source, QgsCoordinateReferenceSystem(crs),
                                         self._maps.project).transformBoundingBox(extent)
        except QgsCsException:
            return None
        return (box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()) if box.isFinite() else None

    # -- live or snapshot

    def switch(self) -> None:
        """Show the snapshot instead of the live services, or these again."""
        use = self._maps.state.snapshot
        if use is None or self._job is not None:
            return
        if use.in_use:
            self.show_live()
        else:
            self._start(tr("Opening the snapshot…"), lambda failed: snapshot_share.start_opening(
                Path(use.path), self._session.services, self._session.shelf, self._show, failed, self))

    def _show(self, opened: Snapshot) -> None:
        self._end()
        maps = self._maps
        copies = opened.copies()
        kept = {layer_key(layer) for layer in opened.manifest.layers}
        try:
            for layer in self._layers():
                key = snapshot_switch.key_of(layer)
                if key in kept and key is not None:
                    snapshot_switch.to_snapshot(layer, copies[key], maps.project)
        except CartoguideError as error:
            self._actions.complain(error)
        maps.state.snapshot, maps.state.shown = SnapshotUse(str(opened.folder), True), opened
        maps.project.setDirty(True)
        maps.changed.emit()

    def show_live(self) -> None:
        """Show the live services again; where one does not answer the map stays with its snapshot."""
        wanted = [layer for layer in self._layers() if snapshot_switch.shows_snapshot(layer)]

        def done(problems: list[CartoguideError]) -> None:
            self._end()
            if problems:
                self._actions.complain(CartoguideError(
                    "\n".join([tr("The map still shows its snapshot, because a service cannot be asked:"),
                               *dict.fromkeys(problem.user_text for problem in problems)]), problems[0].detail))
                return
            use = self._maps.state.snapshot
            self._maps.state.snapshot = replace(use, in_use=False) if use is not None else None
            self._maps.state.shown = None
            self._maps.project.setDirty(True)
            self._maps.changed.emit()

        self._start(tr("Asking the live services…"), lambda failed: snapshot_switch.to_live(
            wanted, done, failed, self, self._session.services, together=True))

    def _layers(self) -> list[QgsRasterLayer]:
        found = [self._maps.project.mapLayer(layer_id) for item in self._maps.items
                 for layer_id in item.layer_ids.values()]
        return [layer for layer in found if layer is not None]

    def switch_layers(self, layer_ids: Sequence[str]) -> bool:
        """Switch the map where one of these layers is on it; whether that was so."""
        own = {layer_id for item in self._maps.items for layer_id in item.layer_ids.values()}
        if not own.intersection(layer_ids) or self._maps.state.snapshot is None:
            return False
        self.switch()
        return True

    # -- documents that have one

    def with_snapshot(self, document: CustomMap, place: Optional[Path], then: Callable[[], None]) -> None:
        """Open the snapshot that ``document`` (of the file ``place``) shows, then go on; where it is gone it is told,
        and the live services are offered.
        """
        use = document.snapshot
        if use is None:
            then()
            return
        folder = folder_of(use, place)
        self._maps.state.snapshot = replace(use, path=str(folder))
        if not use.in_use:
            then()
            return

        def done(opened: Snapshot) -> None:
            self._end()
            self._maps.state.shown = opened
            then()

        def gone(error: CartoguideError) -> None:
            self._end()
            self._actions.documents.keep_all_missing(document, tr("its snapshot is not there"))
            self._actions.offer(tr("{reason} The map shows nothing until its services are asked instead.",
                                   reason=error.user_text.split("\n")[0]), tr("Use the live services"),
                                lambda: self._actions.open_document(replace(document, snapshot=None)))

        self._job = None
        self._start(tr("Opening the snapshot…"), lambda _failed: snapshot_share.start_opening(
            folder, self._session.services, self._session.shelf, done, gone, self))

    # -- packages

    def ask_pack(self) -> None:
        """Ask where the package is to go, and write it."""
        use = self._maps.state.snapshot
        if use is None or self._job is not None:
            return
        self._actions.take_extent()
        start = str(Path(settings.get("last_folder")) / f"{safe_name(self._maps.title())}{SUFFIX}")
        path, _ = QFileDialog.getSaveFileName(self._actions.window, tr("Pack for a machine without network"), start,
                                              f"Cartoguide (*{SUFFIX})")
        if path:
            self.pack_to(Path(path if path.lower().endswith(".zip") else f"{path}{SUFFIX}"))

    def pack_to(self, path: Path) -> None:
        """Write the map with its snapshot as a package to ``path``."""
        use = self._maps.state.snapshot
        if use is None:
            return
        settings.set("last_folder", str(path.parent))

        def done(_manifest: object) -> None:
            self._end()
            self._actions.told(tr("Packed as {name}. Open it on the other machine, or drop it on its dock.",
                                  name=path.name))

        self._start(tr("Packing the map…"), lambda failed: snapshot_share.start_packing(
            Path(use.path), self._maps.document(), path, done, failed, self, self._tell))

    def ask_unpack(self) -> None:
        """Ask for a package and open it."""
        path, _ = QFileDialog.getOpenFileName(self._actions.window, tr("Open a package"), settings.get("last_folder"),
                                              f"Cartoguide (*{SUFFIX} *.zip)")
        if path:
            settings.set("last_folder", str(Path(path).parent))
            self.open_package(Path(path))

    def open_package(self, path: Path) -> None:
        """Unpack the package at ``path`` and open its map; no network is needed."""
        def done(unpacked: snapshot_share.Unpacked) -> None:
            self._end()
            self._actions.documents.open_document(unpacked.document, unpacked.place)
            self._actions.told(tr("Opened “{title}” from its package, which was unpacked to {folder}.",
                                  title=unpacked.document.title, folder=unpacked.place.parent.name))

        self._start(tr("Unpacking the map…"), lambda failed: snapshot_share.start_unpacking(path, done, failed, self,
                                                                                           self._tell))

    # -- one job at a time

    def _start(self, words: str, begin: Callable[[Callable[[CartoguideError], None]], tasks.Job]) -> None:
        if self._job is not None:
            return
        self._busy = words
        self._actions.composer.show_busy(words)
        job = self._job = begin(self._failed)
        # given up in QGIS's own task list, a job ends without a word
        job.ended.connect(lambda: self._end() if self._job is job else None)

    def _tell(self, percent: float, _words: str) -> None:
        if self._job is not None:
            # the layer's name would not stay on one line
            self._actions.composer.show_busy(f"{self._busy} {percent:.0f}\u00a0%")

    def _failed(self, error: CartoguideError) -> None:
        self._end()
        self._maps.changed.emit()
        self._actions.complain(error)

    def _end(self) -> None:
        self._job = None
        self._actions.composer.show_busy("")


def _free(folder: Path) -> Path:
    """``folder``, or with a number where a finished snapshot or anything else is there."""
    number, found = 1, folder
    while found.exists() and snapshot.unfinished(found) is None and any(found.iterdir() if found.is_dir() else [found]):
        number += 1
        found = folder.with_name(f"{folder.name} ({number})")
    return found


def _rectangle(box: MapExtent) -> QgsRectangle:
    return QgsRectangle(box.west, box.south, box.east, box.north)

"""Snapshots of the custom map for offline use: taken, shown, packaged and opened."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Callable, Optional, Sequence

from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.box import Box
from ...core.custommap.model import CustomMap, SnapshotReference
from ...core.dates import format_day
from ...core.errors import CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...core.snapshot.snapshot_package import PACKAGE_SUFFIX
from ...core.snapshot.snapshot_sources import Snapshot, layer_key, live_layers, snapshot_folder
from ...core.text import list_quoted_names
from ...gis.layers import snapshot_switch
from ...gis.layouts.map_frame import WGS84
from ...gis.runtime import settings, tasks
from ...gis.runtime.conversions import transformed_extent
from ...gis.snapshots import snapshot_job, snapshot_packages
from ...gis.sources.layer_source import shows_snapshot
from ..window import MapWindow, MessageAction, Notifier, Prompts
from .extent_controller import ExtentController, extent_for_mode
from .map_controller import MapController
from .map_document import ExtentMode

#: seconds between two looks whether a snapshot that is taken again is to be cancelled
_POLL_SECONDS = 0.1


class SnapshotArea(str, Enum):
    """Areas that a snapshot can cover."""

    PRINTED = "printed"
    CANVAS = "window"
    WHOLE_BASE = "whole"


class OfflineController(QObject):
    """Takes, opens and packages snapshots, one job at a time."""

    #: text of the running job for people, or "" after it
    busy_changed = pyqtSignal(str)
    #: percent of what runs
    progress_changed = pyqtSignal(float)
    #: whether the map has services, has a snapshot and shows it, the snapshot's date, layers that it lacks
    state_changed = pyqtSignal(bool, bool, bool, str, int)
    #: an offline package is going to be opened: what was opened before is not to be shown any more
    package_opened = pyqtSignal()
    #: document of an offline package that was unpacked, and its file
    package_unpacked = pyqtSignal(object, object)

    def __init__(self, map_controller: MapController, extent: ExtentController, window: MapWindow,
                 seconds_per_megapixel: Callable[[], Optional[float]], notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        """``seconds_per_megapixel`` returns the speed of the services when it was last measured, or None."""
        super().__init__(parent)
        self._map, self._extent, self._window = map_controller, extent, window
        self._seconds_per_megapixel = seconds_per_megapixel
        self._notifier, self._prompts = notifier, prompts
        self._session = map_controller.session
        self._job: Optional[tasks.Job] = None
        #: the package that was opened last
        self._unpacking: Optional[tasks.Job] = None
        self._busy_text = ""
        #: says that the job was cancelled with the map that it is for. The argument: undo leads back to that map
        self._say_left: Callable[[bool], object] = tasks.no_op
        #: the snapshot that was begun last, which may still be written to after it was cancelled
        self._writing: Optional[tasks.Job] = None
        #: closes the message that a snapshot was taken, which offers to show it
        self._close_taken: Callable[[], object] = lambda: None
        #: folder of the snapshot that was started last, which may have to be resumed
        self._unfinished_folder: Optional[Path] = None

    def refresh(self) -> None:
        """Announce the state of the map's snapshot."""
        has_map = bool(self._map.items)
        use, shown = self._map.chosen.snapshot, self._map.shown_snapshot
        lacking = 0
        if shown is not None:
            plan = self._map.plan()
            frame = self._map.page_measurement.frame(plan)
            lacking = len(live_layers(plan, frame.nominal_scale if frame is not None else None))
        day = format_day(shown.manifest.day) if shown is not None else ""
        self.state_changed.emit(has_map, has_map and use is not None, use is not None and use.in_use, day, lacking)

    def cancel(self) -> None:
        """Cancel the job. Images that were downloaded for a snapshot stay, so that it can be resumed."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
            self.busy_changed.emit("")

    def leave_map(self, comes_back: bool) -> None:
        """Cancel the job because another map is going to be shown, and say so. ``comes_back``: undo leads back."""
        say = self._say_left if self._job is not None else tasks.no_op
        self.cancel()
        say(comes_back)

    def leave_package(self) -> None:
        """Cancel the package that is being unpacked, if any, because another map was asked for, and say so."""
        if self._job is not None and self._job is self._unpacking:
            self.leave_map(comes_back=True)

    # -- taking a snapshot

    def when_here(self, work: Callable[[], object]) -> None:
        """Call ``work`` once all that is being added is on the map. If something cannot be added, an error is shown."""
        self._map.arrivals.when_here(work, self._notifier.show_error)

    @property
    def can_take_snapshot(self) -> bool:
        """True if the map has services and no other job is running."""
        return bool(self._map.items) and self._job is None

    def default_scale(self) -> float:
        """Return the denominator of the printed scale."""
        frame = self._map.page_measurement.frame(self._map.plan())
        return frame.scale if frame is not None else 25000.0

    def default_folder(self) -> Path:
        """Return the folder of a snapshot that can be resumed, else a new one named after the map."""
        folder = Path(settings.last_folder()) / safe_file_name(
            tr("{title} offline", title=self._map.title()))
        if self._unfinished_folder is not None and snapshot_job.unfinished_manifest(
                self._unfinished_folder) is not None:
            folder = self._unfinished_folder
        return _unused_folder(folder)

    def take_snapshot(self, prepared: snapshot_job.SnapshotPlan) -> None:
        """Take the snapshot in a task that QGIS's task manager shows."""
        settings.set("last_folder", str(prepared.options.folder.parent))
        self._unfinished_folder = prepared.options.folder
        title, number, former = prepared.document.title, self._map.custom_map.history.map_number, self._writing

        def write(feedback: tasks.Feedback) -> Snapshot:
            while former is not None and not former.wait(_POLL_SECONDS):
                feedback.raise_if_cancelled()
            return snapshot_job.write_snapshot(prepared, feedback)

        def go_on() -> None:
            if self._map.show_map(number):
                self.take_snapshot(prepared)
            else:
                self._notifier.show_error(CartoguideError(
                    tr("“{title}” cannot be shown again: undo does not lead back to it any more.", title=title)))

        def say_left(comes_back: bool) -> None:
            self._notifier.show_warning_with_actions(
                tr("Cancelled, because its map is not shown any more: the snapshot of “{title}”. What was downloaded "
                   "stays in “{folder}”.", title=title, folder=prepared.options.folder.name),
                [MessageAction(tr("Back to that map, and continue"), go_on)] if comes_back else [])

        def done(made: Snapshot) -> None:
            self._end_job()
            self._map.commit(snapshot=SnapshotReference(str(made.folder), False))
            if made.manifest.notes:
                self._close_taken = self._notifier.show_warning_with_actions(
                    tr("Snapshot taken, but not all of the map is in it: {folder}", folder=made.folder.name),
                    [MessageAction(tr("Show it"), self.toggle_snapshot)], "\n".join(made.manifest.notes))
            else:
                self._close_taken = self._notifier.notify(
                    tr("Snapshot complete: {folder}", folder=made.folder.name), tr("Show it"), self.toggle_snapshot)

        def begin(failed: tasks.ErrorCallback) -> tasks.Job:
            self._writing = tasks.start(tr("Snapshot of “{title}”", title=title), write, done, failed, self,
                                        self._on_progress)
            return self._writing

        self._start_job(tr("Taking the snapshot…"), begin, say_left)

    def prepare(self, options: snapshot_job.SnapshotOptions, permitted: bool) -> snapshot_job.SnapshotPlan:
        """Plan a snapshot without the network.

        ``permitted``: the person confirmed that the publishers allow a copy although the terms forbid it.
        """
        document = self._map.printed_document()
        services, records = self._map.services_and_records(document)
        if permitted:
            options = replace(options, permitted=frozenset(entry.endpoint for entry in document.entries))
        return snapshot_job.plan_snapshot(options, replace(document, snapshot=None), self._map.plan(document),
                                          services, records, self._map.project, self._seconds_per_megapixel())

    def available_extents(self) -> dict[SnapshotArea, Box]:
        """Return the areas that can be chosen with their bounds in the map's CRS."""
        plan, project = self._map.plan(), self._map.project
        areas: dict[SnapshotArea, Optional[Box]] = {SnapshotArea.PRINTED: self._map.page_measurement.map_extent(plan)}
        canvas = self._window.canvas
        if canvas is not None:
            areas[SnapshotArea.CANVAS] = transformed_extent(canvas.extent(), canvas.mapSettings().destinationCrs(),
                                                            plan.crs, project)
        whole = extent_for_mode(ExtentMode.ALL_SERVICES, None, self._map, None)
        if whole is not None:
            areas[SnapshotArea.WHOLE_BASE] = transformed_extent(QgsRectangle(*whole),
                                                                QgsCoordinateReferenceSystem(WGS84), plan.crs, project)
        return {area: bounds for area, bounds in areas.items() if bounds is not None}

    # -- live or snapshot

    def toggle_snapshot(self) -> None:
        """Switch between the snapshot and the live services."""
        use = self._map.chosen.snapshot
        if use is None or self._job is not None:
            return
        if use.in_use:
            self.switch_to_live()
        else:
            self._start_job(
                tr("Opening the snapshot…"),
                lambda failed: snapshot_packages.start_opening(Path(use.path), self._session.services,
                                                               self._on_snapshot_opened, failed, self))

    def _on_snapshot_opened(self, opened: Snapshot) -> None:
        self._close_taken()
        copies = opened.layer_sources()
        snapshot_keys = {layer_key(layer) for layer in opened.manifest.layers}
        try:
            for layer in self._map_layers():
                key = snapshot_switch.layer_key(layer)
                if key in snapshot_keys and key is not None:
                    snapshot_switch.switch_to_snapshot(layer, copies[key], self._map.project)
        except CartoguideError as error:
            self._notifier.show_error(error)
        self._map.project.setDirty(True)
        self._map.shown_snapshot = opened
        self._map.commit(snapshot=SnapshotReference(str(opened.folder), True))
        self._map.refresh_credits()
        for item in [item for item in self._map.items if not self._map.mirror.valid_layers(item)]:
            # its service did not respond: the snapshot has its capabilities
            self._map.builds.load(item)
        # not before: what is switched while the window stands still is said to be under way until it is done
        self.refresh()
        self._end_job()

    def switch_to_live(self) -> None:
        """Show the live services again. If one does not respond, the map stays with its snapshot.

        The layers of a service that only the snapshot describes are built again, as the service describes itself.
        """
        undescribed = [item for item in self._map.items if not item.entry.refusal
                       and self._session.services.get(item.entry.endpoint) is None]
        renewed = {layer_id for item in undescribed for layer_id in item.layer_ids.values()}
        layers = [layer for layer in self._map_layers() if shows_snapshot(layer) and layer.id() not in renewed]

        def done(problems: list[CartoguideError]) -> None:
            self._end_job()
            if problems:
                self._notifier.show_error(
                    CartoguideError(
                        "\n".join([
                            tr("The map still shows its snapshot, because a service cannot be loaded:"),
                            *dict.fromkeys(problem.user_text for problem in problems)
                        ]), problems[0].detail))
                return
            use = self._map.chosen.snapshot
            self._map.project.setDirty(True)
            self._map.shown_snapshot = None
            self._map.commit(snapshot=replace(use, in_use=False) if use is not None else None)
            self._map.refresh_credits()
            # those that wait for a snapshot that is gone may be described, and have no layers
            for item in [item for item in self._map.items if item in undescribed or item.is_unavailable]:
                self._map.builds.load(item)

        self._start_job(
            tr("Contacting the live services…"), lambda failed: snapshot_switch.switch_to_live(
                layers, done, failed, self, self._session.services, all_or_none=True,
                endpoints=[item.entry.endpoint for item in undescribed]))

    def _map_layers(self) -> list[QgsRasterLayer]:
        found = [
            self._map.project.mapLayer(layer_id) for item in self._map.items for layer_id in item.layer_ids.values()
        ]
        return [layer for layer in found if layer is not None]

    def toggle_for_layers(self, layer_ids: Sequence[str]) -> bool:
        """Toggle the snapshot if one of these QGIS layers is on the map, and return True then.

        One layer alone does not go to a snapshot that the map does not have: the page would not say of which day it is.
        """
        own = {layer_id for item in self._map.items for layer_id in item.layer_ids.values()}
        if not own.intersection(layer_ids):
            return False
        if self._map.chosen.snapshot is None:
            if any(shows_snapshot(layer) for layer in self._map_layers() if layer.id() in layer_ids):
                return False
            self._notifier.show_warning(tr("“{title}” has no snapshot of its own: take one in the menu Offline of the "
                                           "custom map. A layer alone would be older than the others without a word "
                                           "on the page.", title=self._map.title()))
            return True
        self.toggle_snapshot()
        return True

    # -- documents with a snapshot

    def open_snapshot_of(self, document: CustomMap, path: Optional[Path], on_ready: Callable[[], None],
                         on_missing: Callable[[CartoguideError], None]) -> None:
        """Open the snapshot that ``document`` shows, if it shows one, then call ``on_ready``.

        ``path`` is the document's file. ``on_missing`` is called if the snapshot cannot be opened.
        """
        use = document.snapshot
        if use is None:
            on_ready()
            return
        folder = snapshot_folder(use, path)
        self._map.custom_map.use_snapshot(replace(use, path=str(folder)))
        if not use.in_use:
            on_ready()
            return

        def done(opened: Snapshot) -> None:
            self._end_job()
            self._map.shown_snapshot = opened
            on_ready()

        def missing(error: CartoguideError) -> None:
            self._end_job()
            on_missing(error)

        self._job = None
        self._start_job(
            tr("Opening the snapshot…"), lambda _failed: snapshot_packages.start_opening(
                folder, self._session.services, done, missing, self))

    def reopen_snapshot_of(self, document: CustomMap, project: Optional[Path]) -> None:
        """Open the snapshot that the project's layers show. ``project`` is its file. An error is shown."""
        if document.snapshot is not None and document.snapshot.in_use:
            self.open_snapshot_of(document, project, self._map.commit, self._notifier.show_error)

    # -- packages

    def ask_package_path(self) -> None:
        """Prompt for a file and write the map with its snapshot as a package to it."""
        use = self._map.chosen.snapshot
        if use is None or self._job is not None:
            return
        path = self._prompts.save_file(tr("Package for an offline computer"),
                                       f"{safe_file_name(self._map.title())}{PACKAGE_SUFFIX}",
                                       f"Cartoguide (*{PACKAGE_SUFFIX})")
        if path is not None:
            named = path if path.name.lower().endswith(".zip") else Path(f"{path}{PACKAGE_SUFFIX}")
            self.when_here(lambda: self.write_package(named))

    def write_package(self, path: Path) -> None:
        """Write the map with its snapshot as a package to ``path``."""
        use = self._map.chosen.snapshot
        if use is not None:
            settings.set("last_folder", str(path.parent))
            self._write_package(Path(use.path), self._map.printed_document(), path)

    def _write_package(self, snapshot: Path, document: CustomMap, path: Path) -> None:
        def say_left(_comes_back: bool) -> None:
            # it is made of files, whatever map is shown
            self._notifier.show_warning_with_actions(
                tr("Cancelled, because its map is not shown any more: the package {name}.", name=path.name),
                [MessageAction(tr("Try again"), lambda: self._write_package(snapshot, document, path))])

        def done(_manifest: object) -> None:
            self._end_job()
            self._notifier.notify(
                tr("Saved as {name}. Open it on the other computer, or drop it on the Cartoguide dock there.",
                   name=path.name))
            not_packed = [own.name for own in document.own_layers]
            if not_packed:
                self._notifier.show_warning(
                    tr("The package does not contain the data of your own layers: {layers}. Copy their files too, and "
                       "locate them on the other computer.", layers=list_quoted_names(not_packed)))

        self._start_job(
            tr("Creating the package…"),
            lambda failed: snapshot_packages.start_packing(snapshot, document, path, done, failed, self,
                                                           self._on_progress), say_left)

    def ask_and_open_package(self) -> None:
        path = self._prompts.open_file(tr("Open a package"), f"Cartoguide (*{PACKAGE_SUFFIX} *.zip)")
        if path is not None:
            self.open_package(path)

    def open_package(self, path: Path) -> None:
        """Unpack the package at ``path`` and open its map, without the network."""
        self.leave_package()
        if self._job is not None:
            def open_now() -> None:
                self.leave_map(comes_back=True)
                self.open_package(path)

            self._notifier.show_warning_with_actions(
                tr("Not opened, because something else is under way: the package {name}.", name=path.name),
                [MessageAction(tr("Open it now"), open_now)])
            return
        self.package_opened.emit()

        def say_left(_comes_back: bool) -> None:
            self._notifier.show_warning_with_actions(
                tr("Not opened, because another map was shown meanwhile: the package {name}.", name=path.name),
                [MessageAction(tr("Open it now"), lambda: self.open_package(path))])

        def done(unpacked: snapshot_packages.UnpackedPackage) -> None:
            self._end_job()
            self.package_unpacked.emit(unpacked.document, unpacked.document_path)
            self._notifier.notify(
                tr("Opened “{title}” from its package, which was unpacked to {folder}.", title=unpacked.document.title,
                   folder=unpacked.document_path.parent.name))

        self._start_job(tr("Unpacking the map…"),
                        lambda failed: snapshot_packages.start_unpacking(path, done, failed, self, self._on_progress),
                        say_left)
        self._unpacking = self._job

    # -- one job at a time

    def _start_job(self, text: str, begin: Callable[[tasks.ErrorCallback], tasks.Job],
                   say_left: Callable[[bool], object] = tasks.no_op) -> None:
        if self._job is not None:
            return
        self._busy_text, self._say_left = text, say_left
        self.busy_changed.emit(text)
        job = self._job = begin(self._on_failed)
        # a job that is cancelled in QGIS's task manager reports nothing else
        job.ended.connect(lambda: self._end_job() if self._job is job else None)

    def _on_progress(self, percent: float, _text: str) -> None:
        if self._job is not None:
            # without the layer's name, which does not fit on one line
            self.busy_changed.emit(f"{self._busy_text} {percent:.0f}\u00a0%")
            self.progress_changed.emit(percent)

    def _on_failed(self, error: CartoguideError) -> None:
        self._end_job()
        self._map.changed.emit()
        self._notifier.show_error(error)

    def _end_job(self) -> None:
        self._job = None
        self.busy_changed.emit("")


def _unused_folder(folder: Path) -> Path:
    """Return ``folder``, with a number appended if it contains anything but an unfinished snapshot."""
    number, found = 1, folder
    while found.exists() and snapshot_job.unfinished_manifest(found) is None and any(
            found.iterdir() if found.is_dir() else [found]):
        number += 1
        found = folder.with_name(f"{folder.name} ({number})")
    return found

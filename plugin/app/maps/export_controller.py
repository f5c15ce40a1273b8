"""From the custom map to a print layout and to files: legends in a task, the drawing with progress and a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Optional, Sequence

from qgis.core import QgsFeedback, QgsPrintLayout
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QProgressDialog, QWidget

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.checks.rules import Severity
from ...gis.export import layout_export as exports
from ...gis.export import map_pipeline, preflight_requests
from ...gis.layouts import layout_builder
from ...gis.runtime import log, settings, tasks
from .map_controller import MapController

_OnLayout = Callable[[QgsPrintLayout], None]
#: asks for a layout's pictures, shows what came, then calls back; the last one tells formats of pixels
ImageCheck = Callable[[QgsPrintLayout, Callable[[preflight_requests.PreflightResponses], None], bool], None]


class ExportController(QObject):
    """One thing at a time; ``busy_changed`` says in words what is under way, empty when it is over."""

    busy_changed = pyqtSignal(str)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    finished = pyqtSignal(object)

    def __init__(self, maps: MapController, iface: Optional[object], window: QWidget,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map = maps
        self._iface = iface
        self._window = window
        self._job: Optional[tasks.Job] = None
        self._drawing = False
        # a layout that Python alone knows is collected with its items
        self.layout: Optional[QgsPrintLayout] = None
        self.check_images: Optional[ImageCheck] = None

    def open_layout(self) -> None:
        """Build the layout and open it in QGIS's layout designer."""
        self.build_layout(self._open_designer)

    def export(self, kind: str, path: Path, stamp: bool = False) -> None:
        """Build the layout, ask for its pictures unless the settings say otherwise, and write it to ``path`` as
        ``kind``, a key of ``exports.FORMATS``; with ``stamp`` also where it is not complete.
        """
        def go_on(layout: QgsPrintLayout) -> None:
            if stamp or self.check_images is None or not settings.get("check_before_export"):
                self.render_layouts([layout], kind, path, stamp=stamp)
            else:
                self.check_images(layout, lambda checked: self._on_images_checked(layout, checked, kind, path),
                                  exports.EXPORT_FORMATS[kind].as_image)

        self.build_layout(go_on)

    def cancel(self) -> None:
        """Give up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit("")

    def build_layout(self, on_built: _OnLayout) -> None:
        """Build the layout, fetch its legends beside the window, and go on with it; not while one is being drawn,
        which a new one would take away.
        """
        if self._drawing:
            return
        plan = self._map.plan()
        self.busy_changed.emit(tr("Reading the legends…"))
        self._job = map_pipeline.start_layout(self._map.project, plan, self._map.qgis_layers(plan),
                                              lambda layout: self._on_layout_built(layout, on_built),
                                              self._on_layout_failed, self)

    def _on_layout_built(self, layout: QgsPrintLayout, then: _OnLayout) -> None:
        self._job = None
        self.layout = layout
        self.busy_changed.emit("")
        self.run_reporting_errors(lambda: then(layout))

    def run_reporting_errors(self, work: Callable[[], object]) -> None:
        """Do ``work``; what goes wrong is told."""
        try:
            work()
        except Cancelled:
            log.info(tr("The export was cancelled."))
        except CartoguideError as error:
            self.failed.emit(error)

    def _on_images_checked(self, layout: QgsPrintLayout, checked: preflight_requests.PreflightResponses, kind: str,
                           path: Path) -> None:
        """Go on with the export once the pictures are there; what is lacking stands among the findings."""
        if sip.isdeleted(layout):
            self.failed.emit(CartoguideError(tr("The layout was closed before the map was drawn.")))
            return
        # where pictures are lacking the export asks for them once more, and says what it lacks
        self.run_reporting_errors(lambda: self.render_layouts([layout], kind, path, attempts=exports.ATTEMPTS
                                                              if checked.complete else 1))

    def _on_layout_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.busy_changed.emit("")
        self.failed.emit(error)

    def _open_designer(self, layout: QgsPrintLayout) -> None:
        if self._iface is not None:
            self._iface.openLayoutDesigner(layout)  # type: ignore[attr-defined]
        notes = layout_builder.layout_notes(layout)
        if notes:
            self.warned.emit(tr("The layout is there, with %n remark(s).", n=len(notes)), "\n".join(notes))

    def render_layouts(self, pages: Sequence[QgsPrintLayout], kind: str, path: Path, stamp: bool = False,
                       attempts: int = exports.ATTEMPTS, names: Sequence[str] = ()) -> None:
        """Draw behind a modal progress dialog: QGIS draws here, and the project must stay as it is meanwhile."""
        feedback = QgsFeedback()
        progress = QProgressDialog(tr("Drawing {name}…", name=path.name), tr("Cancel"), 0, 100, self._window)
        progress.setWindowTitle(tr("Cartoguide: export"))
        progress.setWindowModality(Qt.WindowModality.ApplicationModal)
        progress.setMinimumDuration(300)
        progress.canceled.connect(feedback.cancel)
        feedback.progressChanged.connect(lambda percent: progress.setValue(int(percent)))
        progress.setValue(0)
        order = exports.ExportOptions(settings.get("export_dpi"), attempts=attempts, stamp_incomplete=stamp)
        # the dialog comes a moment later than the drawing begins: until then the buttons can still be pressed
        self._drawing = True
        try:
            done = exports.export_layouts(pages, path, kind, order, feedback, names)
        finally:
            self._drawing = False
            progress.reset()
            progress.deleteLater()
        if done.problems:
            self.warned.emit(tr("The map is stamped as incomplete: it lacks %n thing(s).", n=len(done.problems)),
                             "\n".join(done.problems))
        empty = [
            f"{remark.service_title}: {remark.message} {remark.advice}" for remark in done.remarks
            if remark.severity is Severity.WARNING
        ]
        if empty:
            self.warned.emit(tr("Exported, but %n service(s) left the map empty.", n=len(empty)), "\n".join(empty))
        self.finished.emit(done.files[0])

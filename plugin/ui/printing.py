"""From the custom map to a print layout and to files: legends in a task, the drawing with progress and a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Optional

from qgis.core import QgsFeedback, QgsPrintLayout
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QProgressDialog, QWidget

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..gis import export, layouts, log, render, settings, tasks
from ..gis.network_errors import Cancelled
from .composer import PDF
from .map_controller import MapController

_Then = Callable[[QgsPrintLayout], None]


class Printing(QObject):
    """One thing at a time; ``busy_changed`` says in words what is under way, empty when it is over."""

    busy_changed = pyqtSignal(str)
    failed = pyqtSignal(object)
    warned = pyqtSignal(str, str)
    finished = pyqtSignal(object)

    def __init__(self, maps: MapController, iface: Optional[object], window: QWidget,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._maps = maps
        self._iface = iface
        self._window = window
        self._job: Optional[tasks.Job] = None
        # a layout that Python alone knows is collected with its items
        self.layout: Optional[QgsPrintLayout] = None

    def show_layout(self) -> None:
        """Build the layout and open it in QGIS's layout designer."""
        self._with_layout(self._open_designer)

    def export(self, kind: str, path: Path) -> None:
        """Build the layout and write it to ``path`` as PDF or PNG."""
        self._with_layout(lambda layout: self._export(layout, kind, path))

    def cancel(self) -> None:
        """Give up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit("")

    def _with_layout(self, then: _Then) -> None:
        """Build the layout, fetch its legends beside the window, and go on with it."""
        plan = self._maps.plan()
        self.busy_changed.emit(tr("Reading the legends…"))
        self._job = render.start_layout(self._maps.project, plan, self._maps.qgis_layers(plan),
                                        lambda layout: self._go_on(layout, then), self._give_up, self)

    def _go_on(self, layout: QgsPrintLayout, then: _Then) -> None:
        self._job = None
        self.layout = layout
        try:
            then(layout)
        except Cancelled:
            log.info(tr("The export was cancelled."))
        except CartoguideError as error:
            self.failed.emit(error)
        finally:
            self.busy_changed.emit("")

    def _give_up(self, error: CartoguideError) -> None:
        self._job = None
        self.busy_changed.emit("")
        self.failed.emit(error)

    def _open_designer(self, layout: QgsPrintLayout) -> None:
        if self._iface is not None:
            self._iface.openLayoutDesigner(layout)  # type: ignore[attr-defined]
        notes = layouts.layout_notes(layout)
        if notes:
            self.warned.emit(tr("The layout is there, with %n remark(s).", n=len(notes)), "\n".join(notes))

    def _export(self, layout: QgsPrintLayout, kind: str, path: Path) -> None:
        """Draw behind a modal progress dialog: QGIS draws here, and the project must stay as it is meanwhile."""
        feedback = QgsFeedback()
        progress = QProgressDialog(tr("Drawing {name}…", name=path.name), tr("Cancel"), 0, 100, self._window)
        progress.setWindowTitle(tr("Cartoguide: export"))
        progress.setWindowModality(Qt.WindowModality.ApplicationModal)
        progress.setMinimumDuration(300)
        progress.canceled.connect(feedback.cancel)
        feedback.progressChanged.connect(lambda percent: progress.setValue(int(percent)))
        progress.setValue(0)
        write = export.export_pdf if kind == PDF else export.export_png
        try:
            write(layout, path, settings.get("export_dpi"), feedback)
        finally:
            progress.reset()
            progress.deleteLater()
        self.finished.emit(path)

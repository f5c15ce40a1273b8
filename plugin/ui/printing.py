"""From the custom map to a print layout and to files: legends in a task, the drawing with progress and a way out."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Optional, Sequence

from qgis.core import QgsFeedback, QgsPrintLayout
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QProgressDialog, QWidget

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.records.checks.model import Severity
from ..gis import export as exports
from ..gis import layouts, log, preflight, render, settings, tasks
from ..gis.network_errors import Cancelled
from .map_controller import MapController

_Then = Callable[[QgsPrintLayout], None]
#: asks for a layout's pictures, shows what came, then calls back; the last one tells formats of pixels
Ask = Callable[[QgsPrintLayout, Callable[[preflight.Checked], None], bool], None]


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
        self._drawing = False
        # a layout that Python alone knows is collected with its items
        self.layout: Optional[QgsPrintLayout] = None
        self.ask: Optional[Ask] = None

    def show_layout(self) -> None:
        """Build the layout and open it in QGIS's layout designer."""
        self.with_layout(self._open_designer)

    def export(self, kind: str, path: Path, stamp: bool = False) -> None:
        """Build the layout, ask for its pictures unless the settings say otherwise, and write it to ``path`` as
        ``kind``, a key of ``exports.FORMATS``; with ``stamp`` also where it is not complete.
        """
        def go_on(layout: QgsPrintLayout) -> None:
            if stamp or self.ask is None or not settings.get("check_before_export"):
                self.draw([layout], kind, path, stamp=stamp)
            else:
                self.ask(layout, lambda checked: self._checked(layout, checked, kind, path),
                         exports.FORMATS[kind].as_image)

        self.with_layout(go_on)

    def cancel(self) -> None:
        """Give up."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit("")

    def with_layout(self, then: _Then) -> None:
        """Build the layout, fetch its legends beside the window, and go on with it; not while one is being drawn,
        which a new one would take away.
        """
        if self._drawing:
            return
        plan = self._maps.plan()
        self.busy_changed.emit(tr("Reading the legends…"))
        self._job = render.start_layout(self._maps.project, plan, self._maps.qgis_layers(plan),
                                        lambda layout: self._go_on(layout, then), self._give_up, self)

    def _go_on(self, layout: QgsPrintLayout, then: _Then) -> None:
        self._job = None
        self.layout = layout
        self.busy_changed.emit("")
        self.guarded(lambda: then(layout))

    def guarded(self, work: Callable[[], object]) -> None:
        """Do ``work``; what goes wrong is told."""
        try:
            work()
        except Cancelled:
            log.info(tr("The export was cancelled."))
        except CartoguideError as error:
            self.failed.emit(error)

    def _checked(self, layout: QgsPrintLayout, checked: preflight.Checked, kind: str, path: Path) -> None:
        """Go on with the export once the pictures are there; what is lacking stands among the findings."""
        if sip.isdeleted(layout):
            self.failed.emit(CartoguideError(tr("The layout was closed before the map was drawn.")))
            return
        # where pictures are lacking the export asks for them once more, and says what it lacks
        self.guarded(lambda: self.draw([layout], kind, path, attempts=exports.ATTEMPTS if checked.complete else 1))

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

    def draw(self, pages: Sequence[QgsPrintLayout], kind: str, path: Path, stamp: bool = False,
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
        order = exports.Order(settings.get("export_dpi"), attempts=attempts, stamp=stamp)
        # the dialog comes a moment later than the drawing begins: until then the buttons can still be pressed
        self._drawing = True
        try:
            done = exports.export(pages, path, kind, order, feedback, names)
        finally:
            self._drawing = False
            progress.reset()
            progress.deleteLater()
        if done.problems:
            self.warned.emit(tr("The map is stamped as incomplete: it lacks %n thing(s).", n=len(done.problems)),
                             "\n".join(done.problems))
        empty = [f"{remark.about}: {remark.message} {remark.advice}" for remark in done.remarks
                 if remark.severity is Severity.WARNING]
        if empty:
            self.warned.emit(tr("Exported, but %n service(s) left the map empty.", n=len(empty)), "\n".join(empty))
        self.finished.emit(done.files[0])

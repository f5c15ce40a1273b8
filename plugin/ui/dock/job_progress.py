"""A row for each harvest and each large import: its progress, its outcome and the reasons of failures."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Callable, List, Optional, Protocol, Sequence

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt, QTimer, pyqtBoundSignal, pyqtSignal
from qgis.PyQt.QtGui import QKeyEvent
from qgis.PyQt.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.records.harvest_controller import HarvestController, HarvestJob
from ...app.records.import_jobs import ImportJob, ImportJobs
from ...app.window import Notifier
from ...core.i18n import tr
from ..widgets.buttons import text_button
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, scale_font

#: milliseconds until a row of a successful job closes
_DISPLAY_MS = 30_000


class JobAction(str, Enum):
    CANCEL = "cancel"
    REASONS = "why"
    RESUME = "go on"
    SHOW = "show"
    CLOSE = "close"


class JobRow(QFrame):
    """Row of one job. ``action_requested`` carries a ``JobAction``.

    A row without an open question closes after a while, unless the mouse or the focus is in it. ``opening`` marks an
    import of files, as opposed to a harvest of a catalogue.
    """

    action_requested = pyqtSignal(str)

    def __init__(self, name: str, key: str = "", opening: bool = False, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.name, self.key = name, key
        self.running = True
        self._close_timer = QTimer(self)
        self._close_timer.setInterval(_DISPLAY_MS)
        self._close_timer.timeout.connect(self._close_if_unattended)
        self.label = PlainLabel(wraps=True)
        scale_font(self.label, 0.92)
        self.label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.bar = QProgressBar()
        self.bar.setMaximumHeight(8)
        self.bar.setTextVisible(False)
        emit = self.action_requested.emit
        self.cancel = text_button(tr("Stop"), partial(emit, JobAction.CANCEL))
        self.reasons_button = text_button(tr("Reasons"), partial(emit, JobAction.REASONS))
        self.resume_button = text_button(tr("Continue"), partial(emit, JobAction.RESUME))
        self.show_button = text_button(tr("Show"), partial(emit, JobAction.SHOW))
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("mIconClose"))
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(tr("Close"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.close_button.clicked.connect(lambda _checked=False: self.action_requested.emit(JobAction.CLOSE))
        stop, again = tr("Stop the harvest of {name}", name=name), tr("Continue the harvest of {name}", name=name)
        if opening:
            stop, again = tr("Stop reading {name}", name=name), tr("Continue reading {name}", name=name)
        for button, accessible_name in ((self.cancel, stop), (self.resume_button, again),
                             (self.reasons_button,
                              tr("Failures and warnings for records of {name}",
                                 name=name)), (self.show_button, tr("Show only the records of {name}", name=name)),
                             (self.close_button, tr("Close the summary of {name}", name=name))):
            button.setAccessibleName(accessible_name)
        line = fill_layout(QHBoxLayout(), self.label, spacing=4, wide=self.label)
        # beside the text, so that a finished row without a question needs only one line
        line.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        row = fill_layout(QHBoxLayout(), self.bar, spacing=4, wide=self.bar)
        row.addStretch(0)
        for button in (self.reasons_button, self.show_button, self.resume_button, self.cancel):
            row.addWidget(button)
        fill_layout(QVBoxLayout(self), line, row, spacing=2, margins=(6, 2, 4, 2))
        self.show_running(0.0, tr("contacting…"))

    def show_running(self, percent: float, text: str) -> None:
        """Show the progress in percent, 0 if it is unknown."""
        self.running = True
        self._close_timer.stop()
        self.bar.setRange(0, 100 if percent > 0 else 0)
        self.bar.setValue(round(percent))
        self._update(text, True, False, False)

    def show_result(self, text: str, has_reasons: bool, unfinished: bool, has_records: bool = False) -> None:
        """Show the result.

        ``why`` offers the reasons of failures, ``unfinished`` offers to resume, and ``some`` offers to show the
        records.
        """
        self.running = False
        if not has_reasons and not unfinished:
            self._close_timer.start()
        self._update(text, False, has_reasons, unfinished)
        self.show_button.setVisible(has_records)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Qt: close a finished row by Escape."""
        if event.key() == Qt.Key.Key_Escape and not self.running:
            self.action_requested.emit(JobAction.CLOSE)
        else:
            super().keyPressEvent(event)

    def _close_if_unattended(self) -> None:
        """Close the row after its time, unless the mouse or the focus is in it."""
        focused = QApplication.focusWidget()
        # Qt calls a widget its own ancestor, PyQt6 accepts no None
        if not self.underMouse() and (focused is None or not self.isAncestorOf(focused)):
            self.action_requested.emit(JobAction.CLOSE)

    def _update(self, text: str, running: bool, has_reasons: bool, unfinished: bool) -> None:
        self.label.setText(f"{self.name}: {text}")
        self.setAccessibleName(self.label.text())
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        self.close_button.setVisible(not running)
        self.reasons_button.setVisible(has_reasons)
        self.resume_button.setVisible(unfinished)
        self.show_button.hide()


class JobRows(QWidget):
    """All rows, the newest last, at most one for each source. It takes no space without rows."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._rows_layout = QVBoxLayout(self)
        self._rows_layout.setContentsMargins(0, 0, 0, 0)
        self._rows_layout.setSpacing(2)
        self.rows: List[JobRow] = []
        self.hide()

    def add(self, name: str, key: str = "", opening: bool = False) -> JobRow:
        """Add a row for the source ``key`` in place of the result of an earlier job of that source."""
        for old in [row for row in self.rows if row.key == key and not row.running]:
            self.remove(old)
        row = JobRow(name, key, opening)
        self.rows.append(row)
        row.action_requested.connect(lambda action: self.remove(row) if action == JobAction.CLOSE else None)
        self._rows_layout.addWidget(row)
        self.show()
        return row

    def remove(self, row: JobRow) -> None:
        if row not in self.rows:
            return
        self.rows.remove(row)
        self._rows_layout.removeWidget(row)
        row.hide()
        row.deleteLater()
        if not self._rows_layout.count():
            self.hide()


class _RowJob(Protocol):
    """Signals and methods of a job that its row uses."""

    @property
    def progressed(self) -> pyqtBoundSignal:
        """Percent and text."""

    @property
    def ended(self) -> pyqtBoundSignal:
        """Summary, its detail and whether the job can be resumed."""

    def cancel(self) -> None:
        """Stop the job."""

    def deleteLater(self) -> None:  # noqa: N802
        """Delete the job (Qt)."""


class JobProgress(QObject):
    """Adds ``rows`` for imports and harvests as they start, which the owner places."""

    def __init__(self, imports: ImportJobs, harvests: HarvestController, notifier: Notifier,
                 show_sources: Callable[[Sequence[str]], None], parent: Optional[QObject] = None) -> None:
        """``show_sources`` filters the list by where records come from."""
        super().__init__(parent)
        self.rows = JobRows()
        self._notifier, self._show_sources, self._harvests = notifier, show_sources, harvests
        imports.large_import_started.connect(self._show_import)
        harvests.started.connect(self._show_harvest)

    def _show_import(self, job: ImportJob) -> None:
        row = self.rows.add(job.name, "\n".join(job.paths), True)
        row.show_running(0.0, tr("reading…"))
        _RowPresenter(row, job, self.rows, self._notifier, job.restart,
                      lambda: self._show_sources(job.result.folders), lambda: bool(job.result.saved))

    def _show_harvest(self, job: HarvestJob) -> None:
        row = self.rows.add(job.source.display_name, job.source.key)
        _RowPresenter(row, job, self.rows, self._notifier, lambda: self._harvests.resume(job))


class _RowPresenter(QObject):
    """Connects one job with its row. It and the job live as long as the row."""

    def __init__(self, row: JobRow, job: _RowJob, rows: JobRows, notifier: Notifier, resume: Callable[[], None],
                 show: Callable[[], None] = lambda: None, has_records: Callable[[], bool] = lambda: False) -> None:
        super().__init__(row)
        self._row, self._job, self._rows, self._notifier = row, job, rows, notifier
        self._resume, self._show, self._has_records = resume, show, has_records
        self._detail = ""
        job.progressed.connect(self._on_progress)
        job.ended.connect(self._on_ended)
        row.action_requested.connect(self._on_action)
        row.destroyed.connect(job.deleteLater)

    def _on_progress(self, percent: float, text: str) -> None:
        if not sip.isdeleted(self._row):
            self._row.show_running(percent, text)

    def _on_ended(self, summary: str, detail: str, can_resume: bool) -> None:
        self._detail = detail
        if not sip.isdeleted(self._row):
            self._row.show_result(summary, bool(detail), can_resume, self._has_records())

    def _on_action(self, action: str) -> None:
        if action == JobAction.CANCEL:
            self._job.cancel()
        elif action == JobAction.REASONS:
            self._notifier.show_details(self._row.label.text(), self._detail)
        elif action == JobAction.SHOW:
            self._show()
        elif action == JobAction.RESUME:
            self._rows.remove(self._row)
            self._resume()

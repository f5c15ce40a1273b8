"""Dialog with the issues of many records."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QDialogButtonBox,
    QHeaderView,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...app.phrases import record_title
from ...core.i18n import tr
from ...core.review.checks import severity_summary
from ...core.review.checks.rules import Severity
from ...core.text import inert, printable
from ...gis.checks.batch_checks import BatchCheckResult
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.buttons import dialog_button
from ..widgets.dialogs import FittedDialog, dialog_button_box
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.rich_text import RichTextView
from ..widgets.theme import SEVERITY_ICONS, icon
from .checks_tab import findings_html, severity_images

#: records that are listed, the worst first. The table that can be saved has all
_MAX_LISTED = 1000


class IssuesDialog(FittedDialog):
    """Lists the checked records, the worst first, with the issues of the selected one below. Not modal.

    ``record_requested`` carries the identifier of a record to open.
    """

    record_requested = pyqtSignal(str)
    save_requested = pyqtSignal()

    def __init__(self, result: BatchCheckResult, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=96, lines=28)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Cartoguide: issues of records"))
        self.setMinimumWidth(300)
        order = list(Severity)
        self._shown = sorted(result.checked, key=lambda pair: (
            [-sum(finding.severity is severity for finding in pair[1]) for severity in order],
            record_title(pair[0]).lower()))[:_MAX_LISTED]
        self.summary = PlainLabel(_summary(result), wraps=True)
        self.summary.setAccessibleName(tr("Number of issues"))
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Checked records"))
        self.tree.setHeaderLabels([tr("Record"), tr("Issues")])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setMinimumHeight(90)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.findings_view = RichTextView(tr("Issues of the record"))
        self.findings_view.setMinimumHeight(90)
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.findings_view)
        splitter.setStretchFactor(1, 1)
        buttons = dialog_button_box(self, GuideTopic.RECORDS, QDialogButtonBox.StandardButton.Close)
        # Return in the list opens the record
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        self.open_button = dialog_button(tr("Open the record"), self._open_selected)
        self.save_button = dialog_button(tr("Save as CSV…"), self.save_requested.emit)
        for button in (self.open_button, self.save_button):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
            button.setEnabled(bool(self._shown))
        fill_layout(QVBoxLayout(self), self.summary, splitter, buttons, spacing=5, wide=splitter, margins=(8, 8, 8, 8))
        self._fill_tree()

    def _fill_tree(self) -> None:
        for record, findings in self._shown:
            item = QTreeWidgetItem([printable(record_title(record)), severity_summary(findings)])
            worst = min((finding.severity for finding in findings), key=list(Severity).index, default=None)
            item.setIcon(0, icon("mIconSuccess" if worst is None else SEVERITY_ICONS[worst.value]))
            item.setToolTip(0, inert(record_title(record)))
            self.tree.addTopLevelItem(item)
        self.tree.currentItemChanged.connect(lambda _now, _before: self._show_selected())
        self.tree.itemActivated.connect(lambda _item: self._open_selected())
        self.tree.setCurrentItem(self.tree.topLevelItem(0))

    def _show_selected(self) -> None:
        _record, findings = self._shown[self.tree.currentIndex().row()]
        self.findings_view.show_html(findings_html(findings), severity_images())
        self.findings_view.verticalScrollBar().setValue(0)

    def _open_selected(self) -> None:
        record, _findings = self._shown[self.tree.currentIndex().row()]
        self.record_requested.emit(record.id)


def _summary(result: BatchCheckResult) -> str:
    """Return how many records were checked, and with how many issues."""
    counts, number = result.findings, len(result.checked)
    text = tr("{records} with {errors}, {warnings}, {notes}.", records=tr("%n record(s)", n=number),
              errors=tr("%n error(s)", n=counts[Severity.ERROR]),
              warnings=tr("%n warning(s)", n=counts[Severity.WARNING]), notes=tr("%n note(s)", n=counts[Severity.NOTE]))
    left = tr("%n record(s) could not be read.", n=result.unreadable) if result.unreadable else ""
    limit = tr("The %n record(s) with the most issues are listed.", n=_MAX_LISTED) if number > _MAX_LISTED else ""
    return " ".join(part for part in (text, left, limit) if part)

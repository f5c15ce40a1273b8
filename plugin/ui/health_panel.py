"""Health of services: what the last checks found, one or all checked anew, saved as a page or a table. Not modal."""

from __future__ import annotations

from functools import partial
from html import escape
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..core.errors import CartoguideError
from ..core.health.document import latest
from ..core.health.model import Health, Probe, Verdict, part_words
from ..core.health.report import health_csv, health_html
from ..core.i18n import tr
from ..core.records.links import normalise_endpoint
from ..gis import health as gis_health
from ..gis import settings, tasks
from ..gis.health import Checking, Target
from ..gis.shelf import Shelf
from . import guide
from .buttons import dialog_button, speak
from .files import write_whole
from .flow_layout import FlowLayout
from .remedies import RemedyRow
from .rich_text import RichText, link
from .theme import icon

_ICONS = {Verdict.GOOD: "mIconSuccess", Verdict.DOUBTFUL: "mIconWarning", Verdict.FAILED: "mIndicatorBadLayer"}
_WIDE = 620
_EndpointRole = Qt.ItemDataRole.UserRole


class HealthPanel(QDialog):
    """The services that were checked, the worst first; what was tried of the chosen one below or beside them."""

    def __init__(self, shelf: Shelf, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Cartoguide: health of services"))
        self.resize(760, 520)
        self.setMinimumWidth(300)
        self.checks: List[Health] = []
        self._shelf = shelf
        self._errors: Dict[str, CartoguideError] = {}
        self._targets: Dict[str, Target] = {}
        self._listing: Optional[tasks.Job] = None
        self.checking = Checking(lambda identifier: shelf.record(identifier, bool), self)
        self.checking.checked.connect(self._checked)
        self.checking.progressed.connect(self._progressed)
        self.checking.failed.connect(self._problem)
        self.checking.ended.connect(self._ended)
        self._build()
        self._show_busy(False)
        tasks.start(tr("Reading the checks of services"), lambda _feedback: gis_health.read_kept(), self._kept_came,
                    self._problem, self, quiet=True)

    def _build(self) -> None:
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.list = QTreeWidget()
        self.list.setAccessibleName(tr("Checked services"))
        self.list.setHeaderLabels([tr("Service"), tr("State"), tr("Checked (UTC)")])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setMinimumHeight(90)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_chosen())
        self.detail = RichText(tr("What was tried"))
        self.detail.setMinimumHeight(90)
        self.remedies = RemedyRow()
        right = QWidget()
        inner = QVBoxLayout(right)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.detail, 1)
        inner.addWidget(self.remedies)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(right)
        self.splitter.setStretchFactor(1, 1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(8)
        buttons = QWidget()
        row = FlowLayout(buttons)
        self.all = dialog_button(tr("Check all services"), self.check_all)
        self.again = dialog_button(tr("Check again"), self.check_chosen)
        self.stop = dialog_button(tr("Stop"), self.cancel)
        self.html = dialog_button(tr("Save as HTML…"), partial(self._ask_and_save, "html"))
        self.csv = dialog_button(tr("Save as CSV…"), partial(self._ask_and_save, "csv"))
        for button in (self.all, self.again, self.stop, self.html, self.csv):
            row.addWidget(button)
        end = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        speak(end)
        guide.help_with(self, guide.SERVICES, end)
        end.rejected.connect(self.close)
        end.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        foot = QHBoxLayout()
        foot.addWidget(buttons, 1)
        foot.addWidget(end, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(5)
        layout.addWidget(self.words)
        layout.addWidget(self.splitter, 1)
        layout.addWidget(self.bar)
        layout.addLayout(foot)

    # -- checking

    def check(self, target: Target) -> None:
        """Check one service."""
        self._targets[normalise_endpoint(target.endpoint)] = target
        self._show_busy(True)
        self.checking.start([target])

    def check_all(self) -> None:
        """Check every service that a record leads to."""
        if self._listing is not None or self.checking.running:
            return
        self._show_busy(True)
        self.words.setText(tr("Looking for the records' services…"))
        self._listing = tasks.start(
            tr("Looking for the records' services…"), lambda feedback: gis_health.targets(self._shelf, feedback),
            self._listed, self._not_listed, self, quiet=True)

    def check_chosen(self) -> None:
        """Check the chosen service again."""
        chosen = self.chosen()
        if chosen is not None:
            key = normalise_endpoint(chosen.endpoint)
            self.check(self._targets.get(key) or Target(chosen.endpoint, chosen.title, chosen.record_id))

    def cancel(self) -> None:
        """Stop; what was checked stays."""
        if self._listing is not None:
            self._listing.cancel()
            self._listing = None
        if self.checking.running:
            self.checking.cancel()
        else:
            self._ended()

    def _listed(self, found: List[Target]) -> None:
        self._listing = None
        self._targets.update((normalise_endpoint(target.endpoint), target) for target in found)
        if found:
            self.checking.start(found)
        else:
            self._ended()
            self.words.setText(tr("No record leads to a map service."))

    def _not_listed(self, error: CartoguideError) -> None:
        self._listing = None
        self._ended()
        self._problem(error)

    def _progressed(self, done: int, total: int, words: str) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self.words.setText(tr("{done} of {total}: {words}", done=done, total=total, words=words))

    def _checked(self, health: Health, error: Optional[CartoguideError]) -> None:
        key = normalise_endpoint(health.endpoint)
        self._errors.pop(key, None)
        if error is not None:
            self._errors[key] = error
        chosen = self.chosen()
        self.checks = [health, *self.checks]
        self._fill(key if chosen is None or not self.list.hasFocus() else normalise_endpoint(chosen.endpoint))

    def _problem(self, error: CartoguideError) -> None:
        self.words.setText(error.user_text)

    def _ended(self) -> None:
        self._show_busy(False)
        self._say_counts()

    def _kept_came(self, kept: List[Health]) -> None:
        self.checks = [*self.checks, *kept]
        self._fill("")
        if not self.checking.running:
            self._say_counts()

    # -- showing

    def chosen(self) -> Optional[Health]:
        """The latest check of the chosen service."""
        item = self.list.currentItem()
        key = item.data(0, _EndpointRole) if item is not None else None
        return next((one for one in latest(self.checks) if normalise_endpoint(one.endpoint) == key), None)

    def _fill(self, choose: str) -> None:
        order = list(Verdict)
        shown = sorted(latest(self.checks), key=lambda one: (-order.index(one.verdict), one.title.lower()))
        self.list.blockSignals(True)
        self.list.clear()
        current = None
        for one in shown:
            words = f"{one.verdict.sign} {one.verdict.words}"
            item = QTreeWidgetItem([one.title, words, one.when])
            item.setIcon(0, icon(_ICONS.get(one.verdict, "mIconInfo")))
            item.setToolTip(0, f"{one.title}\n{one.endpoint}\n{one.summary()}")
            key = normalise_endpoint(one.endpoint)
            item.setData(0, _EndpointRole, key)
            self.list.addTopLevelItem(item)
            if key == choose or current is None:
                current = item
        self.list.blockSignals(False)
        if current is not None:
            self.list.setCurrentItem(current)
        self._size_columns()
        self._show_chosen()

    def _show_chosen(self) -> None:
        one = self.chosen()
        self.again.setEnabled(one is not None)
        for button in (self.html, self.csv):
            button.setEnabled(bool(self.checks))
        if one is None:
            self.detail.show_body("")
            self.remedies.offer(None, self.check_chosen)
            return
        key = normalise_endpoint(one.endpoint)
        former = [other for other in self.checks if normalise_endpoint(other.endpoint) == key and other is not one]
        self.detail.show_body(detail_html(one, former))
        self.remedies.offer(self._errors.get(key), self.check_chosen)

    def _say_counts(self) -> None:
        shown = latest(self.checks)
        counts = [(verdict, sum(1 for one in shown if one.verdict is verdict)) for verdict in Verdict]
        words = ", ".join(f"{count} {verdict.words}" for verdict, count in counts if count)
        self.words.setText(f"{tr('%n service(s)', n=len(shown))}: {words}" if shown
                           else tr("No service was checked yet."))

    def _show_busy(self, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.bar.setRange(0, 0)
        self.stop.setVisible(busy)
        self.all.setEnabled(not busy)

    def _size_columns(self) -> None:
        """The state is always seen; titles get what is left, dates only where there is room."""
        wide = self.width() >= _WIDE
        self.list.setColumnHidden(2, not wide)
        rest = self.list.fontMetrics().horizontalAdvance("✗ " + Verdict.SKIPPED.words) + 24
        date = self.list.fontMetrics().horizontalAdvance("2026-12-31 23:59:59") + 16 if wide else 0
        self.list.setColumnWidth(0, max(120, self.list.viewport().width() - rest - date))
        self.list.setColumnWidth(1, rest)

    def resizeEvent(self, event: object) -> None:  # noqa: N802
        """Qt: more or less room for titles."""
        super().resizeEvent(event)
        self._size_columns()

    # -- saving

    def _ask_and_save(self, kind: str) -> None:
        names = {"html": (tr("Save the checks as a page"), "HTML (*.html)"),
                 "csv": (tr("Save the checks as a table"), "CSV (*.csv)")}
        title, kinds = names[kind]
        start = str(Path(settings.get("last_folder")) / f"cartoguide-{tr('health')}.{kind}")
        path, _ = QFileDialog.getSaveFileName(self, title, start, kinds)
        if path:
            self.save(Path(path), kind)

    def save(self, path: Path, kind: str) -> None:
        """Write the latest check of every service to ``path``: ``html``, or ``csv`` with a mark for spreadsheets."""
        shown = latest(self.checks)
        data = health_html(shown).encode() if kind == "html" else health_csv(shown).encode("utf-8-sig")
        try:
            write_whole(path, data)
        except CartoguideError as error:
            self._problem(error)
        else:
            self.words.setText(tr("Saved as {name}.", name=path.name))

    def close_down(self) -> None:
        """Before the dock goes: stop what is under way."""
        self.cancel()
        self.close()


def detail_html(one: Health, former: Sequence[Health]) -> str:
    """What was tried of a service, in words, as HTML for the panel."""
    rows = "".join(_probe_html(probe) for probe in one.probes)
    before = "".join(f"<li>{escape(other.when)}: {other.verdict.sign} {escape(other.verdict.words)}</li>"
                     for other in former)
    version = f"WMS {one.version} · " if one.version else ""
    when = f"{version}{tr('checked {when} (UTC)', when=one.when)} · {one.seconds:.1f} s"
    return (f'<h2>{escape(one.title)}</h2><p class="quiet">{escape(when)}</p>{rows}<p>{link(one.endpoint)}</p>'
            + (f"<h3>{escape(tr('Before'))}</h3><ul>{before}</ul>" if before else ""))


def _probe_html(probe: Probe) -> str:
    seconds = "" if probe.seconds is None else f' <span class="quiet">· {probe.seconds:.2f} s</span>'
    words = f"{probe.verdict.sign} {part_words(probe.part)}: {probe.verdict.words}"
    head = f"<b>{escape(words)}</b>" if probe.verdict in (Verdict.FAILED, Verdict.DOUBTFUL) else escape(words)
    found = f"<br>{escape(probe.words)}" if probe.words else ""
    return f"<p>{head}{seconds}{found}</p>"

"""Under the search box: one line for each catalogue that is searched too."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...gis.catalogues.federated_search import SourceStatus
from ..widgets.link_label import LinkLabel
from .source_row import LIST, SourceRowWidget

#: lines that are seen without scrolling
_MAX_VISIBLE_ROWS = 3
ADD = "add"


class CataloguePanel(QWidget):
    """``asked`` carries a row's wish and its source's key, or LIST or ADD and nothing."""

    action_requested = pyqtSignal(str, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows: Dict[str, SourceRowWidget] = {}
        self.empty_label = LinkLabel()
        self.empty_label.linkActivated.connect(lambda link: self.action_requested.emit(link.lstrip("#"), ""))
        self.empty_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        inner = QWidget()
        self._rows_layout = QVBoxLayout(inner)
        self._rows_layout.setContentsMargins(0, 0, 0, 0)
        self._rows_layout.setSpacing(0)
        self.scroll_area = _RowsScrollArea()
        self.scroll_area.setWidget(inner)
        self.scroll_area.setAccessibleName(tr("The catalogues that are searched"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.scroll_area)
        layout.addWidget(self.empty_label)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_rows([], False)

    def show_rows(self, rows: List[SourceStatus], on: bool, why_none: str = "", only: Sequence[str] = ()) -> None:
        """Show a line for each catalogue of the search; where there is none, why and what to do. ``only``: the keys of
        the sources that the search is narrowed to.
        """
        for key in [key for key in self.rows if key not in {row.source.key for row in rows}]:
            gone = self.rows.pop(key)
            self._rows_layout.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for row in rows:
            if row.source.key not in self.rows:
                widget = self.rows[row.source.key] = SourceRowWidget(row.source.key)
                widget.action_requested.connect(self.action_requested)
                self._rows_layout.addWidget(widget)
            self.rows[row.source.key].only_action.setChecked(row.source.key in only)
            self.show_row(row)
        self._fit_height()
        self.scroll_area.setVisible(on and bool(rows))
        self.setVisible(on)
        nothing = f"{tr('No catalogue is switched on.')} <a href='#{LIST}'>{tr('Catalogues…')}</a> " \
                  f"<a href='#{ADD}'>{tr('Add a catalogue…')}</a>"
        self.empty_label.setText(why_none or nothing)
        self.empty_label.setVisible(on and not rows)

    def show_row(self, row: SourceStatus) -> None:
        """One catalogue stands otherwise now."""
        widget = self.rows.get(row.source.key)
        if widget is not None:
            widget.show_row(row)
            self._fit_height()

    def _fit_height(self) -> None:
        """Lines are higher with some buttons than without."""
        self.scroll_area.fit_rows([row.sizeHint().height() for row in self.rows.values()])


class _RowsScrollArea(QScrollArea):
    """As high as its lines, up to some of them; the others are scrolled to."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def fit_rows(self, heights: List[int]) -> None:
        """Make room for lines of these heights."""
        self.setFixedHeight(sum(heights[:_MAX_VISIBLE_ROWS]))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(120, self.height())

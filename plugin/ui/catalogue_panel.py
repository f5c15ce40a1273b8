"""Under the search box: one line for each catalogue that is searched too."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..gis.sources import SourceRow
from .link_label import LinkLabel
from .source_row import LIST, SourceRowWidget

#: lines that are seen without scrolling
_MOST_SEEN = 3
ADD = "add"


class CataloguePanel(QWidget):
    """``asked`` carries a row's wish and its source's key, or LIST or ADD and nothing."""

    asked = pyqtSignal(str, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows: Dict[str, SourceRowWidget] = {}
        self.said = LinkLabel()
        self.said.linkActivated.connect(lambda link: self.asked.emit(link.lstrip("#"), ""))
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        inner = QWidget()
        self._lines = QVBoxLayout(inner)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self.area = _Lines()
        self.area.setWidget(inner)
        self.area.setAccessibleName(tr("The catalogues that are searched"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.area)
        layout.addWidget(self.said)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_rows([], False)

    def show_rows(self, rows: List[SourceRow], on: bool, why_none: str = "", only: Sequence[str] = ()) -> None:
        """Show a line for each catalogue of the search; where there is none, why and what to do. ``only``: the keys of
        the sources that the search is narrowed to.
        """
        for key in [key for key in self.rows if key not in {row.source.key for row in rows}]:
            gone = self.rows.pop(key)
            self._lines.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        for row in rows:
            if row.source.key not in self.rows:
                widget = self.rows[row.source.key] = SourceRowWidget(row.source.key)
                widget.asked.connect(self.asked)
                self._lines.addWidget(widget)
            self.rows[row.source.key].only.setChecked(row.source.key in only)
            self.show_row(row)
        self._make_room()
        self.area.setVisible(on and bool(rows))
        self.setVisible(on)
        nothing = f"{tr('No catalogue is switched on.')} <a href='#{LIST}'>{tr('Catalogues…')}</a> " \
                  f"<a href='#{ADD}'>{tr('Add a catalogue…')}</a>"
        self.said.setText(why_none or nothing)
        self.said.setVisible(on and not rows)

    def show_row(self, row: SourceRow) -> None:
        """One catalogue stands otherwise now."""
        widget = self.rows.get(row.source.key)
        if widget is not None:
            widget.show_row(row)
            self._make_room()

    def _make_room(self) -> None:
        """Lines are higher with some buttons than without."""
        self.area.show_lines([row.sizeHint().height() for row in self.rows.values()])


class _Lines(QScrollArea):
    """As high as its lines, up to some of them; the others are scrolled to."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_lines(self, heights: List[int]) -> None:
        """Make room for lines of these heights."""
        self.setFixedHeight(sum(heights[:_MOST_SEEN]))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(120, self.height())

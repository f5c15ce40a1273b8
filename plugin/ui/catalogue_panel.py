"""Under the search box: whether the catalogues are searched too, and one line for each of them."""

from __future__ import annotations

from typing import Dict, List, Optional

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..gis.sources import SourceRow
from .source_row import SourceRowWidget
from .theme import icon, scaled_font

#: lines that are seen without scrolling
_MOST_SEEN = 3
LIST, ADD = "list", "add"


class CataloguePanel(QWidget):
    """``switched``: search the catalogues, or no longer. ``asked`` carries a row's wish and its source's key, or LIST
    or ADD and nothing.
    """

    switched = pyqtSignal(bool)
    asked = pyqtSignal(str, str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.rows: Dict[str, SourceRowWidget] = {}
        self.toggle = QToolButton()
        self.toggle.setCheckable(True)
        self.toggle.setIcon(icon("search"))
        self.toggle.setText(tr("Search the catalogues"))
        self.toggle.setToolTip(tr("Ask your catalogues for the same, by the network"))
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setFont(scaled_font(self, 0.9))
        self.toggle.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.toggle.toggled.connect(self._toggled)
        self.list = QToolButton()
        self.list.setText(tr("Catalogues…"))
        self.list.setToolTip(tr("Which catalogues are searched; add, rename, remove"))
        self.list.setAutoRaise(True)
        self.list.setFont(scaled_font(self, 0.9))
        self.list.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.list.clicked.connect(lambda _checked=False: self.asked.emit(LIST, ""))
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.linkActivated.connect(lambda link: self.asked.emit(link.lstrip("#"), ""))
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        inner = QWidget()
        self._lines = QVBoxLayout(inner)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self.area = _Lines()
        self.area.setWidget(inner)
        self.area.setAccessibleName(tr("The catalogues that are searched"))
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(self.toggle)
        top.addStretch(1)
        top.addWidget(self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(top)
        layout.addWidget(self.area)
        layout.addWidget(self.said)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.show_rows([], False)

    def _toggled(self, on: bool) -> None:
        self.switched.emit(on)

    def show_rows(self, rows: List[SourceRow], on: bool, why_none: str = "") -> None:
        """Show a line for each catalogue of the search; where there is none, why and what to do."""
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
            self.show_row(row)
        self.area.show_lines([row.sizeHint().height() for row in self.rows.values()])
        self.area.setVisible(on and bool(rows))
        nothing = f"{tr('No catalogue is switched on.')} <a href='#{LIST}'>{tr('Catalogues…')}</a> " \
                  f"<a href='#{ADD}'>{tr('Add a catalogue…')}</a>"
        self.said.setText(why_none or nothing)
        self.said.setVisible(on and not rows)

    def show_row(self, row: SourceRow) -> None:
        """One catalogue stands otherwise now."""
        widget = self.rows.get(row.source.key)
        if widget is not None:
            widget.show_row(row)


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
        self.setFixedHeight(min(len(heights), _MOST_SEEN) * max(heights, default=0))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width."""
        return QSize(120, self.height())

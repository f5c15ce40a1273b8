"""What of a catalogue is to be taken into the person's own records, and whether a broken harvest goes on. Not modal."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QRadioButton, QVBoxLayout, QWidget

from ..core.i18n import tr
from ..core.sources.model import Source, SourceQuery
from ..gis.harvest import EVERYTHING
from . import guide
from .buttons import speak
from .facet_words import filtered_words, query_words


class HarvestDialog(QDialog):
    """``chosen`` carries the query and whether to begin anew; ``broken_off`` says whether a query's harvest was."""

    chosen = pyqtSignal(object, bool)

    def __init__(self, source: Source, query: SourceQuery, broken_off: Callable[[SourceQuery], bool],
                 parent: QWidget, unsent: Optional[Sequence[str]] = None) -> None:
        """``unsent``: what of the query the source cannot be asked for; None: it has not said yet what it can."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Harvest"))
        self.resize(400, 230)
        self._query, self._broken_off = query, broken_off
        words = QLabel(tr("Take records of {name} into your own. They are there without a network then; what is there "
                          "already is brought up to date.", name=source.shown))
        words.setWordWrap(True)
        self.everything = QRadioButton(tr("&Everything that it has"))
        asked = query_words(query)
        self.search = QRadioButton(tr("What this &search finds:"))
        self.search.setAccessibleDescription(asked)
        # a radio button's own words do not wrap
        self.asked = QLabel(asked)
        self.asked.setTextFormat(Qt.TextFormat.PlainText)
        self.asked.setWordWrap(True)
        self.asked.setIndent(24)
        self.sorted_out = QLabel(self._sorted_out(query, unsent))
        self.sorted_out.setWordWrap(True)
        self.sorted_out.setIndent(24)
        for widget in (self.search, self.asked):
            widget.setVisible(bool(asked))
        (self.search if asked else self.everything).setChecked(True)
        self.everything.toggled.connect(lambda _on: self._say())
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.anew = QCheckBox(tr("&Begin anew instead"))
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Cancel)
        speak(self.buttons)
        guide.help_with(self, guide.CATALOGUES, self.buttons)
        self.go = self.buttons.addButton(tr("Harvest"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for widget in (words, self.everything, self.search, self.asked, self.sorted_out, self.told, self.anew):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self._say()

    @property
    def wanted(self) -> SourceQuery:
        """What is to be harvested."""
        return EVERYTHING if self.everything.isChecked() else self._query

    @staticmethod
    def _sorted_out(query: SourceQuery, unsent: Optional[Sequence[str]]) -> str:
        if unsent is not None:
            return filtered_words(unsent)
        return tr("What the catalogue cannot be asked for is sorted out here, from what it sends.") \
            if query.facets else ""

    def _fit(self) -> None:
        """As high as its texts are at this width: labels that wrap are cut otherwise."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), max(self.minimumHeight(), layout.totalHeightForWidth(self.width())))

    def _say(self) -> None:
        self.sorted_out.setVisible(bool(self.sorted_out.text()) and self.search.isChecked())
        broken = self._broken_off(self.wanted)
        self.told.setText(tr("This harvest was broken off. It goes on behind the last page that was kept.")
                          if broken else "")
        self.told.setVisible(broken)
        self.anew.setVisible(broken)
        self.anew.setChecked(False)
        self._fit()

    def _accept(self) -> None:
        self.chosen.emit(self.wanted, self.anew.isChecked())
        self.close()

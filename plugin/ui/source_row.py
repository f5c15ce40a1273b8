"""One catalogue's line in a search: how it stands, more of it, again, and why it failed."""

from __future__ import annotations

from functools import partial
from typing import Optional

from qgis.PyQt.QtCore import QSize, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from ..core.i18n import tr
from ..gis.sources import ASKING, FAILED, SourceRow
from .buttons import word_button
from .elided_label import ElidedLabel
from .facet_words import filtered_words
from .source_words import row_words
from .theme import icon, make_quiet, scaled_font

MORE, AGAIN, WHY, HARVEST, LOGIN, OFF, LIST = "more", "again", "why", "harvest", "login", "off", "list"
ONLY = "only"
#: letters of its name that are always seen
_LETTERS = 7


class SourceRowWidget(QWidget):
    """``asked`` carries MORE, AGAIN, WHY, ONLY, HARVEST, LOGIN, OFF or LIST, and the source's key."""

    asked = pyqtSignal(str, str)

    def __init__(self, key: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._key = key
        self._mark = QLabel()
        self.words = ElidedLabel()
        self.state = ElidedLabel()
        self.state.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        make_quiet(self.state)
        self.more, self.again, self.why, self.menu = (
            word_button(words, partial(self.asked.emit, what, key) if what else None) for words, what in (
                (tr("More"), MORE), ("", AGAIN), ("?", WHY), ("…", "")))
        for button in (self.more, self.again, self.why, self.menu):
            button.setAutoRaise(True)
            button.setFont(scaled_font(self, 0.9))
        self.again.setIcon(icon("mActionRefresh"))
        side = self.fontMetrics().height()
        self.again.setIconSize(QSize(side, side))
        self.again.setToolTip(tr("Ask this catalogue again"))
        self.menu.setToolTip(tr("What can be done with this catalogue"))
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        entries = QMenu(self.menu)
        self.only = entries.addAction(tr("Only this catalogue"), lambda: self.asked.emit(ONLY, self._key))
        self.only.setCheckable(True)
        entries.addSeparator()
        for what, words in ((HARVEST, tr("Harvest…")), (LOGIN, tr("Login…")), (OFF, tr("Do not search it")),
                            (LIST, tr("Catalogues…"))):
            entries.addAction(words, lambda what=what: self.asked.emit(what, self._key))
        self.menu.setMenu(entries)
        # whatever is said of a catalogue, it can be told which one it is
        self.words.setMinimumWidth(_LETTERS * self.fontMetrics().averageCharWidth())
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 0, 0)
        row.setSpacing(3)
        row.addWidget(self._mark)
        row.addWidget(self.words, 1)
        row.addWidget(self.state)
        for button in (self.more, self.why, self.again, self.menu):
            row.addWidget(button)
        # the style's own air beside one letter is taken from the catalogue's name in a narrow dock
        for button in (self.why, self.again, self.menu):
            button.setFixedWidth(side + 4)

    def show_row(self, row: SourceRow) -> None:
        """Show how the catalogue stands now."""
        name, said = row.source.shown, row_words(row)
        whole = row.error.user_text if row.error is not None and row.state == FAILED else said
        filtered = filtered_words(row.unsent)
        self.words.show_text(name, "\n".join(
            part for part in (name, row.source.address, whole, filtered, *row.notes) if part))
        self.state.show_text(said, "\n".join(part for part in (whole, filtered) if part))
        self.setAccessibleName(f"{name}: {whole}{f' {filtered}' if filtered else ''}")
        for button, words in ((self.more, tr("More of {name}", name=name)),
                              (self.again, tr("Ask {name} again", name=name)),
                              (self.why, tr("Why {name} failed, or what was odd", name=name)),
                              (self.menu, tr("Menu of {name}", name=name))):
            button.setAccessibleName(words)
        self.more.setVisible(row.more and row.state not in (ASKING, FAILED))
        self.again.setVisible(row.state == FAILED)
        self.why.setVisible(row.state == FAILED or bool(row.notes))
        self.why.setToolTip(tr("Why it failed") if row.state == FAILED else tr("What was odd"))
        name_of_mark = {FAILED: "mIconWarning", ASKING: "mActionRefresh"}.get(row.state, "mIconSuccess")
        size = self.words.fontMetrics().height() - 2
        self._mark.setPixmap(icon(name_of_mark).pixmap(size, size))

"""Field for a person's own colours on maps."""

from __future__ import annotations

import json
from typing import Callable, List, Optional

from qgis.gui import QgsColorButton
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.page_design.page_themes import darkened_colours, is_colour
from ...core.text import inert
from ..widgets.labels import PlainLabel
from ..widgets.theme import make_muted


class ColoursField(QWidget):
    """Two colours: of title and headings, and of the line below the title. Its value is a JSON list, "" for none.

    ``changed`` is called when a colour was chosen.
    """

    def __init__(self, changed: Callable[[], None], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._changed = changed
        self.note = PlainLabel("")
        self.note.setWordWrap(True)
        make_muted(self.note)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        self.buttons: List[QgsColorButton] = []
        for name in (tr("Colour of title and headings"), tr("Colour of the line below the title")):
            button = QgsColorButton()
            button.setAllowOpacity(False)
            button.setShowNull(True)
            button.setToNull()
            button.setToolTip(inert(name))
            button.setAccessibleName(name)
            button.colorChanged.connect(lambda _colour: self._show_note())
            self.buttons.append(button)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.note)
        self.note.hide()

    def set_colours(self, value: str) -> None:
        colours = [text for text in stored_list(value) if isinstance(text, str) and is_colour(text)]
        for number, button in enumerate(self.buttons):
            if number < len(colours):
                button.setColor(QColor(colours[number]))
            else:
                button.setToNull()

    def colours(self) -> str:
        """Return the value. The second colour counts only beside the first."""
        chosen: List[str] = []
        for button in self.buttons:
            if button.isNull():
                break
            chosen.append(button.color().name())
        return json.dumps(chosen) if chosen else ""

    def _show_note(self) -> None:
        changed = darkened_colours(stored_list(self.colours()))
        texts = [tr("The colour {given} is too light for text, so {used} is used.", given=given, used=used)
                 for given, used in changed]
        self.note.setText("\n".join(texts))
        self.note.setVisible(bool(texts))
        self._changed()

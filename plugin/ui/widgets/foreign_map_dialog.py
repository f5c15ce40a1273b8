"""Dialog that asks once what a map of somebody else may open."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from ...core.custommap.foreign_maps import Consent, ForeignMap, NamedThing
from ...core.i18n import tr
from ...core.text import printable
from ...gis.runtime.guide_pages import GuideTopic
from .dialogs import FittedDialog, dialog_button_box
from .form_widgets import wrapped_label
from .labels import PlainLabel

_COLUMNS, _ROWS = 64, 9


class ForeignMapDialog(FittedDialog):
    """Lists all that a foreign map names. Enter opens the map without it."""

    def __init__(self, title: str, foreign: ForeignMap, done: Callable[[Consent], object],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, _COLUMNS)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Map of somebody else"))
        self._done = done
        near = [thing for thing in foreign.things if not thing.is_elsewhere]
        elsewhere = [thing for thing in foreign.things if thing.is_elsewhere]
        layout = QVBoxLayout(self)
        heading = wrapped_label(
            tr("“{title}” was not saved by this QGIS profile. It names files, servers or databases beside its map "
               "services. Open them only if you know whom it is from.", title=printable(title)))
        heading.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        layout.addWidget(heading)
        self.near_list = self._list(tr("Files beside or below the map, servers and databases:"), near)
        self.elsewhere_list = self._list(tr("Files elsewhere on this computer:"), elsewhere)
        self.elsewhere_check_box = QCheckBox(tr("Open the files elsewhere too"))
        self.elsewhere_check_box.setVisible(bool(elsewhere))
        layout.addWidget(self.elsewhere_check_box)
        refused = [tr("“{layer}”: {reason}", layer=layer.name, reason=layer.problem) for layer in foreign.refused]
        self.refused_list = self._texts(tr("Layers that are not opened in any case:"), refused)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS, QDialogButtonBox.StandardButton.Cancel)
        self.without_button = self.buttons.addButton(tr("Open the map without them"),
                                                     QDialogButtonBox.ButtonRole.AcceptRole)
        self.open_button = self.buttons.addButton(tr("Open them"), QDialogButtonBox.ButtonRole.YesRole)
        self.open_button.setAutoDefault(False)
        self.without_button.setDefault(True)
        self.without_button.clicked.connect(lambda: self._answer(Consent.NONE))
        self.open_button.clicked.connect(lambda: self._answer(
            Consent.ELSEWHERE_TOO if self.elsewhere_check_box.isChecked() else Consent.LISTED))
        # without a tick nothing would be opened where all files lie elsewhere
        self.elsewhere_check_box.toggled.connect(lambda on: self.open_button.setEnabled(bool(near) or on))
        self.open_button.setEnabled(bool(near))
        layout.addStretch()
        layout.addWidget(self.buttons)
        self.without_button.setFocus()

    def _list(self, heading: str, things: Sequence[NamedThing]) -> QListWidget:
        return self._texts(heading, [f"{thing.reference.text} · {thing.use}" for thing in things])

    def _texts(self, heading: str, texts: Sequence[str]) -> QListWidget:
        """Add a list below a heading, hidden where it is empty, and return it."""
        widget = QListWidget()
        widget.setAccessibleName(heading)
        widget.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        widget.setWordWrap(True)
        widget.setTextElideMode(Qt.TextElideMode.ElideNone)
        widget.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for text in texts:
            widget.addItem(QListWidgetItem(printable(text)))
        line = widget.fontMetrics().lineSpacing()
        widget.setFixedHeight(min(len(texts) * 2, _ROWS) * line + 2 * widget.frameWidth() + 6)
        label = PlainLabel(heading)
        for part in (label, widget):
            part.setVisible(bool(texts))
            self.layout().addWidget(part)
        return widget

    def _answer(self, consent: Consent) -> None:
        self.close()
        self._done(consent)


def open_foreign_map_dialog(parent: QWidget, title: str, foreign: ForeignMap,
                            done: Callable[[Consent], object]) -> QDialog:
    """Show the dialog without blocking, and return it. ``done`` gets the answer, and nothing after Cancel."""
    dialog = ForeignMapDialog(title, foreign, done, parent)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
    return dialog

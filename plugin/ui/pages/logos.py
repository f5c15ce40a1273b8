"""Field for the logos of a map: those of the settings, or a list of images that are part of the map."""

from __future__ import annotations

from dataclasses import replace
from typing import Optional

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QIcon, QKeySequence, QPixmap
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QShortcut,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_controller import MapController
from ...app.page.map_logos_controller import MapLogosController
from ...app.window import Notifier, Prompts
from ...core.i18n import tr
from ...core.pages.logos import FEATURE, MAX_LOGO_TEXT, MAX_LOGOS, MapLogo, MapLogos
from ...core.text import inert, single_line
from ...gis.pages.logos import logo_image
from ..widgets.buttons import icon_button
from ..widgets.form_widgets import fill_layout, narrow_combo_box
from ..widgets.labels import PlainLabel
from ..widgets.theme import make_muted
from .page_form import PageForm

#: pixels of a logo in the list
_PICTURE = QSize(56, 28)


class MapLogosField(PageForm):
    """List of whose logos the page has, and below it the map's own with buttons that add and remove them.

    ``own_chosen`` is True for the map's own, ``add_requested`` asks for files, and ``changed`` carries the logos after
    one was removed or its text was changed. The text of a row is that for people who do not see the logo.
    """

    own_chosen = pyqtSignal(bool)
    add_requested = pyqtSignal()
    feature = FEATURE

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._logos: MapLogos = None
        self._is_reading = False
        #: reads files for the map, once there is one
        self.files: Optional[MapLogosController] = None
        self.choice = narrow_combo_box(
            tr("Logos"), explanation=tr("Logos of the map are saved in it, so that it prints them on every computer."))
        self.choice.addItem(tr("Those of the settings"), False)
        self.choice.addItem(tr("Of this map"), True)
        self.choice.currentIndexChanged.connect(lambda _index: self._chosen())
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Logos of this map"))
        self.list.setToolTip(tr("The text of a logo is for people who do not see it. Double-click it to change it."))
        self.list.setIconSize(_PICTURE)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentRowChanged.connect(lambda _row: self._show_buttons())
        self.list.itemChanged.connect(self._edited)
        self.add = icon_button("mActionAddImage", tr("Add logos…"), self.add_requested.emit)
        self.remove = icon_button("mActionRemove", tr("Remove this logo"), self._remove)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove)
        self.note = PlainLabel(tr("The page has no logos."), wraps=True)
        make_muted(self.note)
        buttons = fill_layout(QHBoxLayout(), self.add, self.remove, self.note, spacing=2, wide=self.note)
        # without a note the buttons stay at the left
        buttons.addStretch()
        self.own = QWidget()
        fill_layout(QVBoxLayout(self.own), self.list, buttons, spacing=2)
        fill_layout(QVBoxLayout(self), self.choice, self.own, spacing=2)
        self._show()

    @classmethod
    def label(cls) -> str:
        return tr("Lo&gos")

    def buddy(self) -> QWidget:
        return self.choice

    def show_value(self, value: MapLogos) -> None:
        self.show_logos(value)

    def attach(self, map_controller: MapController, notifier: Notifier, prompts: Prompts) -> None:
        """Let files become logos of the map."""
        self.files = MapLogosController(map_controller, notifier, prompts, self)
        self.own_chosen.connect(self.files.use_own)
        self.add_requested.connect(self.files.ask_files)
        self.files.reading_changed.connect(self.show_reading)

    def stop(self) -> None:
        """End the reading of files."""
        if self.files is not None:
            self.files.cancel()

    def show_logos(self, logos: MapLogos) -> None:
        """Show the logos of a map without a signal, None for those of the settings."""
        if logos != self._logos:
            self._logos = logos
            self._show()
        elif not self._is_reading:
            self._show_choice()

    def show_reading(self, on: bool) -> None:
        """Show that files are being read. Nothing can be added meanwhile."""
        self._is_reading = on
        self._show_choice()
        self._show_buttons()

    def _show(self) -> None:
        logos, row = self._logos or (), self.list.currentRow()
        self.list.blockSignals(True)
        self.list.clear()
        for number, logo in enumerate(logos, 1):
            picture = QPixmap.fromImage(logo_image(logo))
            pictures = QIcon(picture)
            # else a logo is tinted in the row that is selected
            pictures.addPixmap(picture, QIcon.Mode.Selected)
            item = QListWidgetItem(pictures, "")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            _show_text(item, number, logo)
            self.list.addItem(item)
        self.list.setCurrentRow(min(row, len(logos) - 1) if row >= 0 else len(logos) - 1)
        self.list.blockSignals(False)
        # as high as its rows
        self.list.setFixedHeight(len(logos) * max(self.list.sizeHintForRow(0), 0) + 2 * self.list.frameWidth())
        self.list.setVisible(bool(logos))
        self._show_choice()
        self._show_buttons()

    def _show_choice(self) -> None:
        is_own = self._logos is not None
        self.choice.blockSignals(True)
        self.choice.setCurrentIndex(self.choice.findData(is_own or self._is_reading))
        self.choice.blockSignals(False)
        self.own.setVisible(is_own)

    def _show_buttons(self) -> None:
        count = len(self._logos or ())
        self.add.setEnabled(count < MAX_LOGOS and not self._is_reading)
        self.add.setToolTip(inert(tr("Add logos…") if count < MAX_LOGOS else
                                  tr("A page has at most {count} logos.", count=MAX_LOGOS)))
        self.remove.setEnabled(self.list.currentRow() >= 0 and not self._is_reading)
        self.remove.setVisible(count > 0)
        self.note.setVisible(not count)

    def _chosen(self) -> None:
        self.own_chosen.emit(bool(self.choice.currentData()))

    def _remove(self) -> None:
        row = self.list.currentRow()
        if self.remove.isEnabled() and self._logos is not None and 0 <= row < len(self._logos):
            logos = (*self._logos[:row], *self._logos[row + 1:])
            self.show_logos(logos)
            self.changed.emit(logos)

    def _edited(self, item: QListWidgetItem) -> None:
        row = self.list.row(item)
        if self._logos is None or not 0 <= row < len(self._logos):
            return
        logo = self._logos[row]
        text = single_line(item.text())[:MAX_LOGO_TEXT]
        changed = replace(logo, text=text)
        self.list.blockSignals(True)
        _show_text(item, row + 1, changed)
        self.list.blockSignals(False)
        if changed != logo:
            # the rows stay, for the editor of this one is still closing
            self._logos = (*self._logos[:row], changed, *self._logos[row + 1:])
            self.changed.emit(self._logos)


def _show_text(item: QListWidgetItem, number: int, logo: MapLogo) -> None:
    text = single_line(logo.text)
    item.setText(text)
    item.setToolTip(inert(text))
    item.setData(Qt.ItemDataRole.AccessibleTextRole, tr("Logo {number}: {name}", number=number, name=text))

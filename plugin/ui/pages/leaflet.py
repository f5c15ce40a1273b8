"""Form of what a leaflet has besides its map: texts for visitors, the layers of its table, and photos."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence

from qgis.PyQt.QtCore import Qt, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_controller import MapController
from ...app.window import Notifier, Prompts
from ...core.custommap.model import LayerPlan, OwnLayer, Plan
from ...core.i18n import tr
from ...core.pages.leaflet import (
    FEATURE,
    MAX_PHOTO_TEXT,
    MAX_PHOTOS,
    MAX_TABLE_LAYERS,
    TEXT_LENGTHS,
    LeafletPhoto,
    LeafletTexts,
    TableSource,
)
from ...core.text import inert, single_line
from ..widgets.buttons import icon_button
from ..widgets.dialogs import existing_file
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from .page_form import PageForm

#: milliseconds after the last key until a text counts
_TYPING_PAUSE_MS = 600
#: lines of the list of layers
_TABLE_LINES = 5
_SOURCE = Qt.ItemDataRole.UserRole


class TableChoice(NamedTuple):
    """A layer that a table can list, with its title."""

    source: TableSource
    title: str


def table_choices(plan: Plan) -> List[TableChoice]:
    """Return the visible layers of services and the own vector layers of a map, the topmost first."""
    choices: List[TableChoice] = []
    for part in reversed(plan.order):
        if isinstance(part, OwnLayer):
            if part.type == "vector" and part.visible:
                choices.append(TableChoice(TableSource(own_layer=part.id), part.name))
            continue
        layers: List[LayerPlan] = [layer for layer in plan.layers if layer.entry_index == part and layer.visible]
        choices.extend(TableChoice(TableSource(layer.entry.endpoint, layer.name), layer.label)
                       for layer in reversed(layers) if layer.entry is not None)
    return list(dict.fromkeys(choices))


class PhotoRow(QWidget):
    """A button that chooses a file, one that removes the photo, and once there is one, fields for credit and text."""

    changed = pyqtSignal()

    def __init__(self, number: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._photo: Optional[LeafletPhoto] = None
        self._label = tr("Photo {number}", number=number)
        self.choose = QToolButton()
        self.choose.setText(tr("Choose a file…"))
        self.choose.setAccessibleName(f"{self._label}: {tr('Choose a file…')}")
        self.choose.clicked.connect(lambda _checked=False: self._choose())
        self.remove = icon_button("mActionDeleteSelected", tr("Remove this photo"), lambda: self._set(None))
        self.remove.setAccessibleName(f"{self._label}: {tr('Remove this photo')}")
        self.credit = self._field(tr("Credit: photographer and licence"))
        self.text = self._field(tr("What it shows, for people who do not see it"))
        beside = QHBoxLayout()
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(PlainLabel(self._label))
        beside.addWidget(self.choose, 1)
        beside.addWidget(self.remove)
        fill_layout(QVBoxLayout(self), beside, self.credit, self.text, spacing=2, margins=(0, 2, 0, 0))
        self.show_photo(None)

    def _field(self, hint: str) -> QLineEdit:
        field = QLineEdit()
        field.setPlaceholderText(hint)
        field.setAccessibleName(f"{self._label}: {hint}")
        field.setToolTip(inert(hint))
        field.setMaxLength(MAX_PHOTO_TEXT)
        field.textEdited.connect(lambda _text: self.changed.emit())
        return field

    def photo(self) -> Optional[LeafletPhoto]:
        """Return the photo as the fields have it, or None."""
        if self._photo is None:
            return None
        if (self.credit.text(), self.text.text()) == (self._photo.credit, self._photo.text):
            return self._photo
        return replace(self._photo, credit=single_line(self.credit.text()), text=single_line(self.text.text()))

    def show_photo(self, photo: Optional[LeafletPhoto]) -> None:
        """Show a photo, or that there is none, without a signal."""
        self._photo = photo
        name = Path(photo.path).name if photo is not None else tr("Choose a file…")
        self.choose.setText(inert(name))
        self.choose.setToolTip(inert(photo.path) if photo is not None else "")
        for field, text in ((self.credit, photo.credit if photo else ""), (self.text, photo.text if photo else "")):
            if field.text() != text:
                field.setText(text)
            field.setVisible(photo is not None)
        self.remove.setVisible(photo is not None)

    def has_focus(self) -> bool:
        """Return whether somebody types in one of the fields."""
        return bool(self.credit.hasFocus() or self.text.hasFocus())

    def select_file(self, path: Path) -> None:
        """Take the file at ``path``. Credit and text stay with the photo that they are of."""
        self._set(LeafletPhoto(str(path)))

    def _choose(self) -> None:
        folder = str(Path(self._photo.path).parent) if self._photo is not None else ""
        path = existing_file(self, tr("Choose a photo"), folder,
                             tr("Photos") + " (*.jpg *.jpeg *.png *.JPG *.JPEG *.PNG)")
        if path:
            self.select_file(Path(path))

    def _set(self, photo: Optional[LeafletPhoto]) -> None:
        self.show_photo(photo)
        self.changed.emit()


class LeafletForm(PageForm):
    """Fields for the texts of a leaflet, the layers of its table and photos, below a button that folds them away.

    ``changed`` carries a LeafletTexts, a moment after the last key or tick and when a field is left.
    The layers of the table are those of the map, and are looked up while the fields are shown.
    """

    feature = FEATURE

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._texts = LeafletTexts()
        self._map: Optional[MapController] = None
        self.toggle = QToolButton()
        self.toggle.setText(tr("Texts of the leaflet"))
        self.toggle.setCheckable(True)
        self.toggle.setAutoRaise(True)
        self.toggle.setArrowType(Qt.ArrowType.RightArrow)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.toggle.toggled.connect(self._fold)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_PAUSE_MS)
        self._timer.timeout.connect(self.flush)
        self.fields: dict[str, QPlainTextEdit] = {}
        self._body = QFrame()
        rows = QVBoxLayout(self._body)
        rows.setContentsMargins(0, 0, 0, 4)
        rows.setSpacing(2)
        for name, label, lines in (("visitor_text", tr("Text for visitors"), 4),
                                   ("directions", tr("How to get there"), 2),
                                   ("opening_hours", tr("Opening hours"), 2),
                                   ("emergency_numbers", tr("Emergency numbers"), 2)):
            field = QPlainTextEdit()
            field.setTabChangesFocus(True)
            field.setAccessibleName(label)
            field.setFixedHeight((lines + 1) * field.fontMetrics().height())
            field.textChanged.connect(self._timer.start)
            self.fields[name] = field
            caption = PlainLabel(label)
            caption.setBuddy(field)
            rows.addWidget(caption)
            rows.addWidget(field)
        self.table = QListWidget()
        self.table.setAccessibleName(tr("Table of trails and facilities"))
        self.table.setToolTip(tr("The features of the ticked layers are requested when the page is drawn or exported, "
                                 "and numbered on the map."))
        self.table.setFixedHeight(_TABLE_LINES * self.table.fontMetrics().height() + 8)
        self.table.itemChanged.connect(lambda _item: self._timer.start())
        caption = PlainLabel(tr("Table of trails and facilities"))
        caption.setBuddy(self.table)
        rows.addWidget(caption)
        rows.addWidget(self.table)
        self.further_sheet = QCheckBox(tr("Continue a long table on a further sheet"))
        self.further_sheet.setToolTip(tr("Else the rows that its panel has no room for are left out: the shortest "
                                         "trails and the last places of the longest list."))
        self.further_sheet.toggled.connect(lambda _on: self._timer.start())
        rows.addWidget(self.further_sheet)
        self.photos = [PhotoRow(number) for number in range(1, MAX_PHOTOS + 1)]
        for photo in self.photos:
            photo.changed.connect(self._timer.start)
            rows.addWidget(photo)
        self.bleed = QCheckBox(tr("3 mm bleed and crop marks"))
        self.bleed.setToolTip(tr("For a print shop: what touches the edge is drawn beyond it, and the PDF says where "
                                 "the paper is cut."))
        self.bleed.toggled.connect(lambda _on: self._timer.start())
        rows.addWidget(self.bleed)
        self._choices: tuple[TableChoice, ...] = ()
        self._body.hide()
        fill_layout(QVBoxLayout(self), self.toggle, self._body, spacing=2)

    @property
    def is_open(self) -> bool:
        """True while the fields are unfolded for a leaflet."""
        return self.toggle.isChecked() and not self.isHidden()

    def attach(self, map_controller: MapController, notifier: Notifier, prompts: Prompts) -> None:
        self._map = map_controller

    def refresh(self) -> None:
        """Offer the layers of the map for the table."""
        if self._map is not None and self.is_open:
            self.set_table_choices(table_choices(self._map.plan()))

    def show_value(self, texts: LeafletTexts) -> None:
        """Show the texts without a signal, but leave a field alone that somebody types in."""
        self._texts = texts
        for name, field in self.fields.items():
            text = getattr(texts, name)
            if field.toPlainText() != text and not (field.hasFocus() and self._timer.isActive()):
                field.blockSignals(True)
                field.setPlainText(text)
                field.blockSignals(False)
        self._show_table()
        for box, is_on in ((self.bleed, texts.bleed), (self.further_sheet, texts.further_sheet)):
            box.blockSignals(True)
            box.setChecked(is_on)
            box.blockSignals(False)
        for number, row in enumerate(self.photos):
            photo = texts.photos[number] if number < len(texts.photos) else None
            if photo != row.photo() and not (row.has_focus() and self._timer.isActive()):
                row.show_photo(photo)

    def set_table_choices(self, choices: Sequence[TableChoice]) -> None:
        """Offer these layers for the table. Those that are ticked and not on the map any more are offered too."""
        self._choices = tuple(choices)
        self._show_table()

    def _show_table(self) -> None:
        offered = [choice.source for choice in self._choices]
        gone = [TableChoice(source, tr("{layer} (not on the map)", layer=source.layer or tr("Layer")))
                for source in self._texts.table if source not in offered]
        shown = [*self._choices, *gone]
        present = [TableChoice(item.data(_SOURCE), item.text()) for item in self._table_items()]
        self.table.blockSignals(True)
        if [(choice.source, inert(choice.title)) for choice in shown] != [tuple(choice) for choice in present]:
            self.table.clear()
            for choice in shown:
                item = QListWidgetItem(inert(choice.title))
                item.setData(_SOURCE, choice.source)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                self.table.addItem(item)
        for item in self._table_items():
            on = item.data(_SOURCE) in self._texts.table
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        self.table.blockSignals(False)

    def _table_items(self) -> list[QListWidgetItem]:
        return [self.table.item(number) for number in range(self.table.count())]

    def _ticked(self) -> tuple[TableSource, ...]:
        """Return the ticked layers: those ticked before in their order, then the others."""
        ticked = [item.data(_SOURCE) for item in self._table_items() if item.checkState() == Qt.CheckState.Checked]
        kept = [source for source in self._texts.table if source in ticked]
        return (*kept, *(source for source in ticked if source not in kept))[:MAX_TABLE_LAYERS]

    def flush(self) -> None:
        """Announce what was typed, cut to the lengths that a document takes."""
        self._timer.stop()
        values = {name: field.toPlainText()[:TEXT_LENGTHS[name]] for name, field in self.fields.items()}
        photos = tuple(photo for photo in (row.photo() for row in self.photos) if photo is not None)
        texts = replace(self._texts, **values, table=self._ticked(), photos=photos, bleed=self.bleed.isChecked(),
                        further_sheet=self.further_sheet.isChecked())
        if texts != self._texts:
            self._texts = texts
            self.changed.emit(texts)

    def _fold(self, on: bool) -> None:
        self._body.setVisible(on)
        if on:
            self.refresh()
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)

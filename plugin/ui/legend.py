"""Legends in the window: the editor of the page's legend, and the legend of a row of the custom map.

The editor is a tree of groups and layers, to be ticked, renamed, moved and put under headings.
"""

from __future__ import annotations

from typing import Callable, Collection, List, Optional, Tuple

from qgis.PyQt.QtCore import QModelIndex, Qt, QTimer
from qgis.PyQt.QtGui import QImage, QKeySequence, QPixmap
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QCompleter,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QShortcut,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ..app.page.legend_controller import LegendController, RowLegend
from ..core.custommap.legend.tree import LegendGroup, LegendItem, LegendReference, LegendTree, neighbour
from ..core.custommap.model import MAX_LEGEND_TITLE
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.text import inert, printable
from ..gis.legends.legend_nodes import Swatch
from ..gis.runtime.guide_pages import GuideTopic
from .widgets.buttons import icon_button
from .widgets.dialogs import dialog_button_box
from .widgets.form_widgets import fill_layout, wrapped_label
from .widgets.labels import ElidedLabel, PlainLabel
from .widgets.theme import ThemeColours, make_muted, on_white_background, painting, resize_for_font, scale_font

_CHECKED, _UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class LegendRow(QTreeWidgetItem):
    """Row of a group, or of a layer where ``entry`` is given."""

    def __init__(self, group: LegendGroup, entry: Optional[LegendItem] = None) -> None:
        super().__init__()
        self.group, self.entry = group, entry
        hidden = [layer.is_hidden for item in ([entry] if entry is not None else group.items)
                  for layer in item.moments or (item,)]
        self.shown_text = printable(self.title)
        self.shown_state = _UNCHECKED if all(hidden) else Qt.CheckState.PartiallyChecked if any(hidden) else _CHECKED
        self.setFlags(self.flags() | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable)
        self.setText(0, self.shown_text)
        self.setCheckState(0, self.shown_state)
        facts = [self._kind(), *self._facts()]
        self.setToolTip(0, inert("\n".join([self.shown_text, *facts])))
        self.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join([self.shown_text, *facts]))

    @property
    def title(self) -> str:
        return self.entry.title if self.entry is not None else self.group.title

    @property
    def references(self) -> Tuple[LegendReference, ...]:
        return (self.entry if self.entry is not None else self.group).references

    def _kind(self) -> str:
        if self.entry is not None:
            return tr("Layer")
        return tr("Service") if self.group.heading is None else tr("Heading")

    def _facts(self) -> List[str]:
        default = self.entry.default_title if self.entry is not None else self.group.default_title
        facts = [tr("originally “{title}”", title=default)] if default != self.title else []
        if self.shown_state is _UNCHECKED:
            facts.append(tr("not in the legend"))
        return facts


class ClassRow(QTreeWidgetItem):
    """Row of a class of a layer, below the layer's. ``text_of_service`` is the class's own text."""

    def __init__(self, entry: LegendItem, text_of_service: str, title: str) -> None:
        super().__init__()
        self.entry, self.text_of_service, self.shown_text = entry, text_of_service, printable(title)
        self.setFlags(self.flags() | Qt.ItemFlag.ItemIsEditable)
        self.setText(0, self.shown_text)
        facts = [tr("Class")]
        if title != text_of_service:
            facts.append(tr("originally “{title}”", title=text_of_service))
        self.setToolTip(0, inert("\n".join([self.shown_text, *facts])))
        self.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join([self.shown_text, *facts]))


class LegendTreeView(QTreeWidget):
    """Tree of the rows. Space ticks, F2 renames."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setHeaderHidden(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked | QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setExpandsOnDoubleClick(False)
        self.setAccessibleName(tr("Legend"))

    @property
    def is_editing(self) -> bool:
        """True while a title is being typed."""
        return bool(self.state() == QAbstractItemView.State.EditingState)

    def rows(self) -> List[LegendRow]:
        """Return the rows of all groups and layers, each group before its layers."""
        top = [self.topLevelItem(number) for number in range(self.topLevelItemCount())]
        return [row for group in top for row in (group, *(group.child(number) for number in range(group.childCount())))
                if isinstance(row, LegendRow)]

    def class_rows(self, row: LegendRow) -> List[ClassRow]:
        """Return the rows of a layer's classes."""
        found = [row.child(number) for number in range(row.childCount())]
        return [one for one in found if isinstance(one, ClassRow)]


class LegendEditor(QDialog):
    """Dialog that edits the legend of the page at once, with undo in the composer. Not modal."""

    def __init__(self, controller: LegendController, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Legend of the page"))
        self._controller = controller
        self._shown: LegendTree = ()
        self._shown_classes: List[Tuple[Tuple[str, str], ...]] = []
        self._legend_before: LegendTree = ()
        #: the rows may show what was typed, and is not in the legend
        self._is_stale = True
        self.hint = wrapped_label("", font_scale=0.95)
        self.tree = LegendTreeView()
        self.tree.itemChanged.connect(self._on_item_changed)
        self.tree.currentItemChanged.connect(lambda _current, _former: self._show_chosen())
        self.tree.itemDelegate().closeEditor.connect(lambda *_: self._refresh_soon())
        self.up = self._button("mActionArrowUp", tr("Move up"), QKeySequence("Alt+Up"), lambda: self._move(-1))
        self.down = self._button("mActionArrowDown", tr("Move down"), QKeySequence("Alt+Down"), lambda: self._move(1))
        self.rename = self._button("mActionToggleEditing", tr("Rename"), QKeySequence("F2"), self._rename, False)
        self.names = QPushButton(tr("Use the services’ names"))
        self.names.clicked.connect(lambda _checked=False: self._fetch_names())
        #: says what came of the request for the services' names
        self.note = wrapped_label("", font_scale=0.95)
        self.note.hide()
        self.heading = QLineEdit()
        self.heading.setMaxLength(MAX_LEGEND_TITLE)
        self.heading.setClearButtonEnabled(True)
        self.heading.setPlaceholderText(tr("No heading"))
        self.heading.setToolTip(tr("Heading that the chosen layer or group is under, with all others of that heading"))
        self.heading.returnPressed.connect(self._put_under_heading)
        self.heading.textChanged.connect(lambda _text: self._show_heading_state())
        label = PlainLabel(tr("&Heading"))
        label.setBuddy(self.heading)
        self.apply_heading = QToolButton()
        self.apply_heading.setText(tr("Apply"))
        self.apply_heading.setToolTip(tr("Put the chosen layer or group under this heading"))
        self.apply_heading.setAccessibleName(tr("Put the chosen layer or group under this heading"))
        self.apply_heading.clicked.connect(lambda _checked=False: self._put_under_heading())
        self.buttons = dialog_button_box(self, GuideTopic.PRINTING, QDialogButtonBox.StandardButton.Close)
        self.reset = QPushButton(tr("Reset"))
        self.reset.setToolTip(tr("Remove all changes of the legend. Undo brings them back."))
        self.reset.clicked.connect(lambda _checked=False: self._controller.reset())
        self.buttons.addButton(self.reset, QDialogButtonBox.ButtonRole.ResetRole)
        for button in (self.names, *self.buttons.findChildren(QPushButton)):
            # Enter in the field applies the heading, and would press the dialog's default button as well
            button.setAutoDefault(False)
        column = fill_layout(QVBoxLayout(self), self.hint, self.tree, wide=self.tree, margins=None)
        tools = fill_layout(QHBoxLayout(), self.up, self.down, self.rename)
        tools.addStretch(1)
        tools.addWidget(self.names)
        column.addLayout(tools)
        column.addWidget(self.note)
        row = fill_layout(QHBoxLayout(), label, self.heading, self.apply_heading, wide=self.heading)
        column.addLayout(row)
        column.addWidget(self.buttons)
        resize_for_font(self, 380, 460)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.show_tree)
        controller.changed.connect(self._refresh_soon)
        controller.names_fetched.connect(self._on_names_fetched)
        self.show_tree()

    def show_tree(self) -> None:
        """Show the legend as it is now. A title that is being typed is left alone."""
        if self.tree.is_editing:
            return
        self._timer.stop()
        self.hint.setText(tr("Names and headings apply to pages in {language}. Unticked layers stay on the map, and "
                             "their credits on the page. While order and headings are the services’, the page has "
                             "the legend by subject: facilities, paths, roads, water.", language=self._language()))
        self._show_names_state()
        legend = self._controller.tree()
        classes = [self._controller.classes_of(item) for group in legend for item in group.items]
        if legend != self._shown or classes != self._shown_classes or self._is_stale:
            self._shown, self._shown_classes, self._is_stale = legend, classes, False
            self._fill(legend)
        self.reset.setEnabled(self._controller.is_edited)
        if self.heading.hasFocus():
            # a heading that is being typed is left alone
            self._show_state()
        else:
            self._show_chosen()

    def select(self, references: Collection[LegendReference]) -> None:
        """Choose the first row with one of these layers, a group's before a layer's."""
        for row in self.tree.rows():
            if set(row.references) & set(references):
                self.tree.setCurrentItem(row)
                return

    def _fill(self, legend: LegendTree) -> None:
        former_class = self.tree.currentItem()
        class_text = former_class.text_of_service if isinstance(former_class, ClassRow) else None
        open_layers = {row.entry.reference for row in self.tree.rows() if row.entry is not None and row.isExpanded()}
        current = self._current()
        was_group = current is not None and current.entry is None
        former = current.references if current is not None else ()
        if isinstance(former_class, ClassRow):
            former = (former_class.entry.reference,)
        scrolled = self.tree.verticalScrollBar().value()
        self.tree.blockSignals(True)
        self.tree.clear()
        for group in legend:
            if not group.title:
                self.tree.addTopLevelItem(LegendRow(group, group.items[0]))
                continue
            row = LegendRow(group)
            self.tree.addTopLevelItem(row)
            row.addChildren([LegendRow(group, item) for item in group.items])
            row.setExpanded(True)
        completer = QCompleter([group.title for group in legend if group.heading is not None], self.heading)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.heading.setCompleter(completer)
        rows = self.tree.rows()
        same = [row for row in rows if (row.entry is None) == was_group and set(row.references) & set(former)]
        if rows:
            self.tree.setCurrentItem((same or rows)[0])
        for one in rows:
            if one.entry is not None:
                one.addChildren([ClassRow(one.entry, text, title)
                                 for text, title in self._controller.classes_of(one.entry)])
                one.setExpanded(one.entry.reference in open_layers)
        if same and class_text is not None:
            self.tree.setCurrentItem(next((one for one in self.tree.class_rows(same[0])
                                           if one.text_of_service == class_text), same[0]))
        self.tree.blockSignals(False)
        if rows and not same:
            self._show_chosen()
        self.tree.verticalScrollBar().setValue(scrolled)

    def _current(self) -> Optional[LegendRow]:
        row = self.tree.currentItem()
        return row if isinstance(row, LegendRow) else None

    def _show_chosen(self) -> None:
        row = self._current()
        self.heading.setText(self._heading_of(row) if row is not None else "")
        self._show_state()

    @staticmethod
    def _heading_of(row: LegendRow) -> str:
        return printable(row.group.title) if row.group.heading is not None else ""

    def _show_state(self) -> None:
        """Enable what can be done with the chosen row."""
        row = self._current()
        references = row.references if row is not None else ()
        for button, step in ((self.up, -1), (self.down, 1)):
            button.setEnabled(bool(neighbour(self._shown, references, step)))
        self.rename.setEnabled(self.tree.currentItem() is not None)
        self.heading.setEnabled(row is not None)
        self._show_heading_state()
        name = tr("Heading of “{title}”", title=row.title) if row is not None else tr("Heading")
        self.heading.setAccessibleName(inert(name))

    def _show_heading_state(self) -> None:
        row = self._current()
        self.apply_heading.setEnabled(row is not None and self.heading.text().strip() != self._heading_of(row))

    def _on_item_changed(self, row: QTreeWidgetItem) -> None:
        """Read a title that was typed, or a tick, into the document."""
        if isinstance(row, ClassRow) and row.text(0) != row.shown_text:
            row.shown_text = row.text(0)
            self._controller.rename_class(row.entry, row.text_of_service, row.text(0))
        if not isinstance(row, LegendRow):
            return
        if row.text(0) != row.shown_text:
            row.shown_text = row.text(0)
            if row.entry is not None:
                self._controller.rename_layer(row.entry, row.text(0))
            else:
                self._controller.rename_group(row.group, row.text(0))
        elif row.checkState(0) != row.shown_state:
            row.shown_state = row.checkState(0)
            self._controller.set_hidden(row.references, row.shown_state == _UNCHECKED)

    def _move(self, step: int) -> None:
        row = self._current()
        if row is not None and not self.tree.is_editing:
            self._controller.move(row.references, step)
            self.show_tree()

    def _language(self) -> str:
        name = {"en": tr("English"), "es": tr("Spanish")}.get(self._controller.language, self._controller.language)
        # in a sentence other languages than English begin them with a small letter
        return name if name in ("English", "Spanish") else name.lower()

    def _show_names_state(self) -> None:
        self.names.setVisible(bool(self._controller.offered_names()))
        self.names.setEnabled(not self._controller.is_fetching_names)
        tip = tr("Load the names that the services have in {language}. Names that you have typed stay.",
                 language=self._language())
        self.names.setToolTip(inert(tip))

    def _fetch_names(self) -> None:
        self._legend_before = self._controller.tree()
        self.note.hide()
        self._controller.fetch_names()
        self._show_names_state()

    def _on_names_fetched(self, error: Optional[CartoguideError]) -> None:
        self._show_names_state()
        if error is not None:
            self.note.setText(error.user_text)
        elif self._controller.tree() == self._legend_before:
            self.note.setText(tr("The services have no other names in {language}.", language=self._language()))
        else:
            return
        self.note.show()

    def _rename(self) -> None:
        row = self.tree.currentItem()
        if row is not None:
            self.tree.setFocus()
            self.tree.editItem(row, 0)

    def _put_under_heading(self) -> None:
        row = self._current()
        if row is not None:
            self._controller.put_under_heading(row.references, self.heading.text())
            self.show_tree()

    def _refresh_soon(self, _index: Optional[QModelIndex] = None) -> None:
        # later: the tree must not be filled while it reports a change of a row
        self._is_stale = True
        self._timer.start(0)

    def _button(self, name: str, text: str, keys: QKeySequence, run: Callable[[], object],
                with_shortcut: bool = True) -> QToolButton:
        button = icon_button(name, f"{text} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})", run)
        button.setAccessibleName(text)
        if with_shortcut:
            shortcut = QShortcut(keys, self)
            shortcut.activated.connect(run)
        return button


#: entries of one row's legend at most
_MAX_ENTRIES = 24
#: pixels of a symbol, and of a whole legend graphic, at most
_SYMBOL, _GRAPHIC = (36, 18), (220, 160)
_MM_PER_INCH = 25.4


class RowLegendView(QWidget):
    """Shows a RowLegend below its row. Layers with several symbols have their title above them."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(22, 0, 4, 4)
        self._column.setSpacing(3)
        self.texts: list[str] = []

    def show_legend(self, legend: RowLegend) -> None:
        """Show ``legend`` in place of the one before."""
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.texts = []
        entries = sum(len(swatches) for _title, swatches in legend.layers)
        left = _MAX_ENTRIES
        for title, swatches in legend.layers:
            if len(swatches) > 1 and left:
                self._add_text(title)
            for swatch in swatches[:left]:
                self._add_swatch(swatch, "" if len(swatches) > 1 else title)
            left -= min(left, len(swatches))
        if entries > _MAX_ENTRIES:
            self._add_text(tr("and %n more", n=entries - _MAX_ENTRIES))
        if legend.is_loading:
            self._add_text(tr("Loading the legend…"))
        else:
            for note in legend.notes or (() if entries else (tr("There is no legend."),)):
                self._add_text(note)
        self.setAccessibleName(tr("Legend: {entries}", entries="; ".join(self.texts)))

    def _add_text(self, text: str) -> None:
        label = ElidedLabel(text, text)
        scale_font(label, 0.9)
        make_muted(label)
        self.texts.append(text)
        self._column.addWidget(label)

    def _add_swatch(self, swatch: Swatch, title: str) -> None:
        row = QWidget()
        beside = QHBoxLayout(row)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(6)
        symbol = self._picture(swatch.image, self._pixels(swatch.width), self._pixels(swatch.height),
                               *(_GRAPHIC if swatch.is_whole_graphic else _SYMBOL), has_line=swatch.is_area)
        beside.addWidget(symbol)
        text = swatch.label or title
        if swatch.label_image is not None and not swatch.label and swatch.capital > 0:
            # the service's own letters, as high as those around them
            share = self.fontMetrics().capHeight() / swatch.capital
            image = swatch.label_image
            beside.addWidget(self._picture(image, round(image.width() * share), round(image.height() * share),
                                           *_GRAPHIC))
            beside.addStretch(1)
        elif text and not swatch.is_whole_graphic:
            label = ElidedLabel(text, text)
            scale_font(label, 0.9)
            beside.addWidget(label, 1)
        else:
            beside.addStretch(1)
        self.texts.append(text)
        self._column.addWidget(row)

    def _pixels(self, millimetres: float) -> int:
        return int(max(1, round(millimetres / _MM_PER_INCH * self.logicalDpiX())))

    def _picture(self, image: QImage, width: int, height: int, most_wide: int, most_high: int,
                 has_line: bool = False) -> PlainLabel:
        """Return a label with ``image`` in this size, or smaller if it is too large.

        ``has_line`` puts a line around it, as the legend of the page has it, so that a pale area is seen.
        """
        label, ratio = PlainLabel(), self.devicePixelRatioF()
        share = min(1.0, most_wide / max(width, 1), most_high / max(height, 1))
        scaled = on_white_background(image).scaled(
            max(1, round(width * share * ratio)), max(1, round(height * share * ratio)),
            Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        pixmap = QPixmap.fromImage(scaled)
        if has_line:
            with painting(pixmap) as painter:
                painter.setPen(ThemeColours(self).muted)
                painter.drawRect(pixmap.rect().adjusted(0, 0, -1, -1))
        pixmap.setDevicePixelRatio(ratio)
        label.setPixmap(pixmap)
        if most_high == _SYMBOL[1]:
            # so that the labels stand below each other
            label.setFixedWidth(_SYMBOL[0])
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return label

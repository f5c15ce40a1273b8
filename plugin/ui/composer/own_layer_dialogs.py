"""Dialogs about the cartographer's own layers on the custom map: which layer, its source line, its file."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.core import QgsMapLayer
from qgis.gui import QgsMapLayerComboBox
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from ...app.maps.map_controller import MapController
from ...app.maps.map_state import OwnItem
from ...app.window import Prompts
from ...core.custommap import own_sources
from ...core.i18n import tr
from ...gis.credits.layer_credits import written_credit
from ...gis.layers.project_group import can_be_own_layer
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import wheel_needs_focus
from ..widgets.labels import PlainLabel


class OwnLayerDialog(QDialog):
    """Dialog that emits ``chosen`` with a layer of the project and its source line. Not modal."""

    chosen = pyqtSignal(object, str)

    def __init__(self, excepted: Sequence[QgsMapLayer], parent: Optional[QWidget] = None) -> None:
        """``excepted`` are the layers of the project that cannot be chosen."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Add own layer"))
        self.layer_combo = wheel_needs_focus(QgsMapLayerComboBox())
        self.layer_combo.setAccessibleName(tr("Layer"))
        self.layer_combo.setExceptedLayerList(list(excepted))
        self.credit_edit = QLineEdit()
        self.credit_edit.setAccessibleName(tr("Source line"))
        self.credit_edit.setPlaceholderText(tr("Printed with the credits; empty for none"))
        self.credit_edit.setMinimumWidth(
            self.credit_edit.fontMetrics().horizontalAdvance(self.credit_edit.placeholderText()) + 16)
        note = PlainLabel(tr("The layer is drawn above the others and can be moved between them. The map refers to it "
                             "where it is.") if self.layer_combo.count() else
                          tr("The project has no other layer. Add one to QGIS first."))
        note.setWordWrap(True)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("&Layer"), self.layer_combo)
        form.addRow(tr("&Source line"), self.credit_edit)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS)
        self.add_button = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(note)
        layout.addWidget(self.buttons)
        self.buttons.accepted.connect(self._accept)
        self.layer_combo.layerChanged.connect(self._show_layer)
        self._show_layer(self.layer_combo.currentLayer())

    def _show_layer(self, layer: Optional[QgsMapLayer]) -> None:
        self.add_button.setEnabled(layer is not None)
        self.credit_edit.setText(written_credit(layer) if layer is not None else "")

    def _accept(self) -> None:
        layer = self.layer_combo.currentLayer()
        if layer is not None:
            self.chosen.emit(layer, self.credit_edit.text())
        self.close()


class CreditDialog(QDialog):
    """Dialog that emits ``entered`` with the source line of a layer. Not modal."""

    entered = pyqtSignal(str)

    def __init__(self, title: str, credit: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Source line"))
        self.credit_edit = QLineEdit(credit)
        self.credit_edit.setAccessibleName(tr("Source line of {title}", title=title))
        self.credit_edit.setMinimumWidth(self.fontMetrics().averageCharWidth() * 48)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS, QDialogButtonBox.StandardButton.Ok,
                                         QDialogButtonBox.StandardButton.Cancel)
        label = PlainLabel(tr("Printed with the credits for {title}:", title=title))
        label.setWordWrap(True)
        layout = QVBoxLayout(self)
        for widget in (label, self.credit_edit, self.buttons):
            layout.addWidget(widget)
        self.buttons.accepted.connect(self._accept)

    def _accept(self) -> None:
        self.entered.emit(self.credit_edit.text())
        self.close()


class OwnLayerActions(QObject):
    """Asks about own layers and changes the map accordingly. The last dialog is in ``dialog``."""

    def __init__(self, map_controller: MapController, prompts: Prompts, window: QWidget) -> None:
        super().__init__(window)
        self._map, self._prompts, self._window = map_controller, prompts, window
        self.dialog: Optional[QDialog] = None

    def ask_layer(self) -> None:
        """Let the person choose a layer of the project, and put it on the map."""
        on_map = {item.layer_id for item in self._map.own_items}
        excepted = [layer for layer_id, layer in self._map.project.mapLayers().items()
                    if layer_id in on_map or not can_be_own_layer(layer)]
        dialog = OwnLayerDialog(excepted, self._window)
        dialog.chosen.connect(self._map.add_own_layer)
        self._show(dialog)

    def ask_credit(self, number: int) -> None:
        """Let the person enter the source line of the own layer in row ``number``."""
        item = self._map.stack[number]
        if isinstance(item, OwnItem):
            dialog = CreditDialog(item.own.name, item.own.credit, self._window)
            dialog.entered.connect(lambda credit: self._set_credit(item, credit))
            self._show(dialog)

    def _set_credit(self, item: OwnItem, credit: str) -> None:
        # an undo may have made it anew meanwhile
        for number, part in enumerate(self._map.stack):
            if isinstance(part, OwnItem) and part.own.id == item.own.id:
                self._map.set_own_credit(number, credit)

    def ask_file(self, number: int) -> None:
        """Let the person choose the file that the own layer in row ``number`` draws."""
        item = self._map.stack[number]
        if isinstance(item, OwnItem) and own_sources.file_of(item.own):
            path = self._prompts.open_file(tr("Locate “{layer}”", layer=item.own.name), f"{tr('All files')} (*)")
            if path is not None:
                self._map.builds.locate_own_layer(number, path.as_posix())

    def ask_file_of(self, own_id: str) -> None:
        """Let the person choose the file of the own layer with this id."""
        for number, part in enumerate(self._map.stack):
            if isinstance(part, OwnItem) and part.own.id == own_id:
                self.ask_file(number)
                return

    def _show(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.show()

"""Widget for an enumeration in Processing's dialogs, which shows translated labels and returns the stable name."""

from __future__ import annotations

from typing import Any, Dict, Optional

from qgis.core import QgsProcessingContext, QgsProcessingParameterEnum
from qgis.gui import QgsAbstractProcessingParameterWidgetWrapper, QgsGui, QgsProcessingGui
from qgis.PyQt.QtWidgets import QComboBox, QWidget

from .form_widgets import wheel_needs_focus

#: class names of Processing's own dialogs, which are written in Python
_WIDGET_TYPES = {
    "BatchAlgorithmDialog": QgsProcessingGui.WidgetType.Batch,
    "ModelerParametersDialog": QgsProcessingGui.WidgetType.Modeler
}


class ChoiceWidget(QgsAbstractProcessingParameterWidgetWrapper):
    """Widget wrapper that Processing creates from the metadata of a parameter.

    ``words`` maps each name to its label. With ``editable`` the parameter is a text and the names are suggestions.
    """

    def __new__(cls, definition: QgsProcessingParameterEnum, dialog: Any, *_place: int,
                words: Optional[Dict[str, str]] = None, editable: bool = False) -> Any:
        """Return QGIS's own widget in the model designer, with our labels.

        There a value can also come from another algorithm, which QGIS's widget offers.
        """
        if _WIDGET_TYPES.get(type(dialog).__name__) != QgsProcessingGui.WidgetType.Modeler:
            return super().__new__(cls)
        widget = QgsGui.processingGuiRegistry().createModelerParameterWidget(dialog.model, dialog.childId, definition,
                                                                             dialog.context)
        widget.setDialog(dialog)
        for combo in () if editable else widget.findChildren(QComboBox):
            for row in range(combo.count()):
                name = combo.itemData(row)
                if isinstance(name, str) and name in (words or {}):
                    combo.setItemText(row, words[name])  # type: ignore[index]
        return widget

    def __init__(self, definition: QgsProcessingParameterEnum, dialog: Any, *_place: int,
                 words: Optional[Dict[str, str]] = None, editable: bool = False) -> None:
        super().__init__(definition, _WIDGET_TYPES.get(type(dialog).__name__, QgsProcessingGui.WidgetType.Standard))
        self.setDialog(dialog)
        self._labels, self._editable = words or {}, editable

    def createWidget(self) -> QWidget:  # noqa: N802
        """QGIS: return a new combo box."""
        definition = self.parameterDefinition()
        combo = wheel_needs_focus(QComboBox())
        combo.setEditable(self._editable)
        for name in self._labels if self._editable else definition.options():
            combo.addItem(self._labels.get(name, name), name)
        combo.setToolTip(definition.toolTip())
        combo.setAccessibleName(definition.description())
        combo.currentTextChanged.connect(lambda _text: self.widgetValueHasChanged.emit(self))
        return combo

    def _combo(self) -> Optional[QComboBox]:
        """Return the widget as QGIS holds it.

        Python no longer knows the object that ``createWidget`` returned.
        """
        widget = self.wrappedWidget()
        return widget if isinstance(widget, QComboBox) else None

    def setWidgetValue(self, value: Any, _context: QgsProcessingContext) -> None:  # noqa: N802
        """QGIS: show a name, or the entry of that number, which scripts may pass."""
        combo = self._combo()
        if combo is None:
            return
        row = combo.findData("" if value is None else str(value))
        if row < 0 and self._editable:
            combo.setEditText("" if value is None else str(value))
            return
        if row < 0 and str(value).isdigit() and int(value) < combo.count():
            row = int(value)
        combo.setCurrentIndex(max(0, row))

    def widgetValue(self) -> Any:  # noqa: N802
        """QGIS: return the chosen name."""
        combo = self._combo()
        if combo is None:
            return self.parameterDefinition().defaultValue()
        # the typed text may be one of the suggested labels
        row = combo.findText(combo.currentText().strip()) if self._editable else combo.currentIndex()
        return combo.itemData(row) if row >= 0 else combo.currentText().strip()

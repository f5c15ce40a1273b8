"""Dialogs that choose the extent of the map: by a polygon of the project, or by a centre and a scale."""

from __future__ import annotations

import re
from typing import Optional

from qgis.core import QgsMapLayerProxyModel, QgsProject, QgsVectorLayer
from qgis.gui import QgsMapLayerComboBox, QgsScaleWidget
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from ...core.box import Box
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...gis.export import atlas
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import wheel_needs_focus
from ..widgets.labels import PlainLabel

_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


def parse_centre(text: str) -> Optional[tuple[float, float]]:
    """Return (longitude, latitude) in degrees from a text, or None if it is not a position.

    Both ``-3,51; 38.38`` and ``-3.51 38.38`` are read.
    """
    parts = re.split(r"\s*;\s*|\s+|,\s+", text.strip())
    if len(parts) != 2 and text.count(",") == 1:
        parts = text.split(",")
    if len(parts) != 2 or not all(_NUMBER.fullmatch(part.strip()) for part in parts):
        return None
    longitude, latitude = (float(part.strip().replace(",", ".")) for part in parts)
    return (longitude, latitude) if -180 <= longitude <= 180 and -90 <= latitude <= 90 else None


class _ExtentDialog(QDialog):
    """Base of both dialogs: a form, a hint, and two buttons. Not modal."""

    def __init__(self, title: str, parent: Optional[QWidget]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.form = QFormLayout()
        self.form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.hint_label = PlainLabel()
        self.hint_label.setWordWrap(True)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS)
        self.apply_button = self.buttons.addButton(tr("Show this area"), QDialogButtonBox.ButtonRole.AcceptRole)
        layout = QVBoxLayout(self)
        layout.addLayout(self.form)
        layout.addWidget(self.hint_label)
        layout.addWidget(self.buttons)


class PolygonExtentDialog(_ExtentDialog):
    """Dialog that emits ``chosen`` with the Box of a polygon layer or of one of its features, with a margin."""

    chosen = pyqtSignal(object)

    def __init__(self, project: QgsProject, parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Area of a polygon layer"), parent)
        self._project = project
        self.layer = wheel_needs_focus(QgsMapLayerComboBox())
        self.layer.setFilters(QgsMapLayerProxyModel.Filter.PolygonLayer)
        self.layer.setAccessibleName(tr("Polygon layer"))
        self.feature = wheel_needs_focus(QComboBox())
        self.feature.setAccessibleName(tr("Feature"))
        self.form.addRow(tr("&Polygon layer"), self.layer)
        self.form.addRow(tr("&Feature"), self.feature)
        # not layerChanged: it hands over a layer that may be in the middle of its removal from the project
        self.layer.currentIndexChanged.connect(self._on_layer_changed)
        self.buttons.accepted.connect(self._accept)
        self._list_features()

    def _on_layer_changed(self, _index: int) -> None:
        self._list_features()

    def _list_features(self) -> None:
        self.feature.clear()
        self.hint_label.setText("")
        layer = self.layer.currentLayer()
        self.apply_button.setEnabled(isinstance(layer, QgsVectorLayer))
        if not isinstance(layer, QgsVectorLayer):
            self.hint_label.setText(tr("The project has no polygon layer. Add one: parks, municipalities, sheets."))
            return
        self.feature.addItem(
            tr("The selected features") if layer.selectedFeatureCount() else tr("The whole layer"),
            atlas.extent_of_layer(layer, self._project))
        try:
            for feature in atlas.polygon_features(layer, self._project):
                self.feature.addItem(feature.name, feature.extent)
        except CartoguideError as error:
            self.hint_label.setText(error.user_text)

    def _accept(self) -> None:
        extent = self.feature.currentData()
        if isinstance(extent, Box):
            self.chosen.emit(extent)
        self.close()


class CentreScaleDialog(_ExtentDialog):
    """Dialog that emits ``chosen`` with (longitude, latitude) and the scale denominator."""

    chosen = pyqtSignal(object, float)

    def __init__(self, centre: Optional[tuple[float, float]], scale: Optional[float],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(tr("Centre and scale"), parent)
        self.centre = QLineEdit("" if centre is None else f"{centre[0]:.5f} {centre[1]:.5f}")
        self.centre.setPlaceholderText("-3.51 38.38")
        self.centre.setAccessibleName(tr("Longitude and latitude in degrees"))
        self.scale = wheel_needs_focus(QgsScaleWidget())
        self.scale.setShowCurrentScaleButton(False)
        self.scale.setScale(scale or 25000.0)
        for combo_box in self.scale.findChildren(QComboBox):
            combo_box.setAccessibleName(tr("Scale"))
            self.scale.setFocusProxy(combo_box)
        self.form.addRow(tr("&Longitude and latitude"), self.centre)
        self.form.addRow(tr("&Scale"), self.scale)
        self.centre.textChanged.connect(lambda _text: self._validate())
        self.scale.scaleChanged.connect(lambda _scale: self._validate())
        self.buttons.accepted.connect(self._accept)
        self._validate()

    def _denominator(self) -> Optional[float]:
        denominator = self.scale.scale()
        return denominator if 100 <= denominator <= 100_000_000 else None

    def _validate(self) -> None:
        sound = parse_centre(self.centre.text()) is not None and self._denominator() is not None
        self.apply_button.setEnabled(sound)
        self.hint_label.setText("" if sound else tr("In degrees, longitude first: -3.51 38.38"))

    def _accept(self) -> None:
        centre, scale = parse_centre(self.centre.text()), self._denominator()
        if centre is not None and scale is not None:
            self.chosen.emit(centre, scale)
        self.close()

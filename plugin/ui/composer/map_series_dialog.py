"""Dialogs for a series of maps: by scale, by feature of a polygon layer, as a grid of sheets, or as an animation."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Callable, Iterable, Optional, Sequence

from qgis.core import QgsVectorLayer
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from ...core.custommap.moments import FRAME_SECONDS, LAST_FRAME_FACTOR, MAX_FRAME_SECONDS, MIN_FRAME_SECONDS
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.numbers import format_decimal, format_scale, parse_scale
from ...core.pages.map_book import MAX_OVERLAP
from ...gis.export.layout_export import ExportFormat
from ...gis.pages.map_book import BookParts
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import FittedDialog, dialog_button_box
from ..widgets.form_widgets import DecimalSpinBox, fill_layout, wheel_needs_focus
from ..widgets.labels import PlainLabel

#: formats of a series: the first one has a page for each map
_FORMATS = (ExportFormat.PDF, ExportFormat.PNG, ExportFormat.JPEG, ExportFormat.GEOTIFF, ExportFormat.SVG)

#: data of the entry for a grid, and percent of a sheet that its neighbour shows again
_GRID, _USUAL_OVERLAP = "grid", 5


def parse_scales(text: str) -> list[float]:
    """Return the scale denominators in a text such as ``10 000; 1:25.000, 50000``, in order and without repeats.

    A comma inside of a number such as 25,000 groups its figures.
    """
    numbers = []
    for part in re.split(r";|,(?!\d{3}(?!\d))|(?<=\d{4}),", text):
        with suppress(ValueError):
            numbers.append(parse_scale(part))
    return list(dict.fromkeys(number for number in numbers if 100 <= number <= 100_000_000 and number.is_integer()))


def scales_text(scales: Iterable[float]) -> str:
    """Return scale denominators as ``parse_scales`` reads them: "1:10 000, 1:25 000"."""
    return ", ".join(map(format_scale, scales))


def no_scales_text() -> str:
    """Return the request for scales, with an example."""
    return tr("Enter one or more scales: {examples}.", examples=scales_text((10000, 25000)))


class MapSeriesDialog(QDialog):
    """Dialog that emits ``scales_chosen`` with scale denominators and a format, or ``layer_chosen`` with a layer,
    whether only its selected features are used, BookParts, and a format, or ``grid_chosen`` with a scale denominator,
    the share of a sheet that the next one shows again, BookParts, and a format. Not modal.
    """

    scales_chosen = pyqtSignal(object, object)
    layer_chosen = pyqtSignal(object, bool, object, object)
    grid_chosen = pyqtSignal(float, float, object, object)

    def __init__(self, layers: Optional[Sequence[QgsVectorLayer]], scale: Optional[float] = None,
                 parent: Optional[QWidget] = None,
                 count_sheets: Optional[Callable[[float, float], int]] = None,
                 name_layers: Sequence[QgsVectorLayer] = ()) -> None:
        """Ask for scales, or with ``layers`` for one of them or for a grid.

        ``count_sheets`` returns the number of sheets of a scale and an overlap, or raises CartoguideError. Without it
        there is no grid. ``scale`` is the one that is proposed. ``name_layers`` are offered for an index of names.
        """
        super().__init__(parent)
        self._count_sheets = count_sheets
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._layers, self._name_layers = layers, name_layers
        self.setWindowTitle(tr("Several scales") if layers is None else tr("Atlas over a polygon layer"))
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.summary_label = PlainLabel(wraps=True)
        self.buttons = dialog_button_box(self, GuideTopic.PRINTING)
        self.export_button = self.buttons.addButton(tr("Export…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.format_combo = wheel_needs_focus(QComboBox())
        self.format_combo.setAccessibleName(tr("Format"))
        for export_format in _FORMATS:
            self.format_combo.addItem(
                tr("PDF, a page for each map") if export_format is ExportFormat.PDF
                else tr("{format}, a file for each map", format=export_format.value.upper()), export_format.value)
        # the larger ones of a map that fits its page: at a smaller one most of the page would be empty
        self.scales = QLineEdit(scales_text((round((scale or 25000) / 2), scale or 25000)))
        self.scales.setAccessibleName(tr("Scales"))
        self.scales.setPlaceholderText(scales_text((10000, 25000, 50000)))
        self.scales.textChanged.connect(lambda _text: self._validate())
        self.layer = wheel_needs_focus(QComboBox())
        self.layer.setAccessibleName(tr("Polygon layer"))
        for number, layer in enumerate(layers or ()):
            self.layer.addItem(layer.name(), number)
        if count_sheets is not None:
            self.layer.addItem(tr("Grid of sheets over the map's area"), _GRID)
        self.layer.currentIndexChanged.connect(lambda _index: self._validate())
        self.selected = QCheckBox(tr("Only the selected features"))
        self.selected.toggled.connect(lambda _on: self._validate())
        self.overview = QCheckBox(tr("First a page with an overview of the sheets"))
        self.overview.setChecked(True)
        self.index_layer = wheel_needs_focus(QComboBox())
        self.index_layer.setAccessibleName(tr("Index of names"))
        self.index_layer.addItem(tr("No index"), None)
        for number, layer in enumerate(name_layers):
            self.index_layer.addItem(layer.name(), number)
        self.index_layer.setEnabled(bool(name_layers))
        self.index_layer.setToolTip(tr("Lists the names of a layer’s features with their sheets, on pages of its own. "
                                       "The names are those that QGIS displays, as the layer’s properties say."))
        self.sheet_scale = QLineEdit(format_scale(scale or 25000))
        self.sheet_scale.setAccessibleName(tr("Scale of the sheets"))
        self.sheet_scale.textChanged.connect(lambda _text: self._validate())
        self.overlap = wheel_needs_focus(QSpinBox())
        self.overlap.setAccessibleName(tr("Overlap of the sheets"))
        self.overlap.setRange(0, round(MAX_OVERLAP * 100))
        self.overlap.setValue(_USUAL_OVERLAP)
        self.overlap.setSuffix(tr(" %"))
        self.overlap.valueChanged.connect(lambda _value: self._validate())
        if layers is None:
            form.addRow(tr("&Scales"), self.scales)
        else:
            form.addRow(tr("&Polygon layer"), self.layer)
            form.addRow("", self.selected)
        if layers is not None and count_sheets is not None:
            form.addRow(tr("&Scale of the sheets"), self.sheet_scale)
            form.addRow(tr("O&verlap of the sheets"), self.overlap)
        if layers is not None:
            form.addRow("", self.overview)
            form.addRow(tr("&Index of names"), self.index_layer)
        form.addRow(tr("&Format"), self.format_combo)
        fill_layout(QVBoxLayout(self), form, self.summary_label, self.buttons, margins=None)
        self.buttons.accepted.connect(self._accept)
        self._validate()

    def _selected_layer(self) -> Optional[QgsVectorLayer]:
        index = self.layer.currentIndex()
        return self._layers[index] if self._layers and 0 <= index < len(self._layers) else None

    def _book_parts(self) -> BookParts:
        index = self.index_layer.currentData()
        return BookParts(self.overview.isChecked(), self._name_layers[index] if index is not None else None)

    def _is_grid(self) -> bool:
        return bool(self.layer.currentData() == _GRID)

    def _validate_grid(self) -> None:
        scales, count = parse_scales(self.sheet_scale.text()), 0
        if len(scales) != 1 or self._count_sheets is None:
            self.summary_label.setText(tr("Enter a scale: {example}.", example=format_scale(25000)))
        else:
            try:
                count = self._count_sheets(scales[0], self.overlap.value() / 100)
                self.summary_label.setText(tr("%n sheet(s) at {scale}, named A1, A2 … from the north-west.", n=count,
                                              scale=format_scale(scales[0])))
            except CartoguideError as error:
                self.summary_label.setText(str(error))
        self.export_button.setEnabled(count > 0)

    def _validate(self) -> None:
        if self._layers is None:
            scales = parse_scales(self.scales.text())
            self.summary_label.setText(
                tr("%n map(s): {scales}", n=len(scales), scales=scales_text(scales)
                   ) if scales else no_scales_text())
            self.export_button.setEnabled(bool(scales))
            return
        for field in (self.sheet_scale, self.overlap):
            field.setEnabled(self._is_grid())
        if self._is_grid():
            self.selected.setEnabled(False)
            self._validate_grid()
            return
        layer = self._selected_layer()
        if layer is None:
            self.summary_label.setText(tr("The project has no polygon layer. Add one: parks, municipalities, sheets."))
            self.export_button.setEnabled(False)
            self.selected.setEnabled(False)
            return
        self.selected.setEnabled(layer.selectedFeatureCount() > 0)
        only = self.selected.isEnabled() and self.selected.isChecked()
        count = layer.selectedFeatureCount() if only else layer.featureCount()
        self.summary_label.setText(
            tr("%n map(s), one for each feature; without a scale, each is fitted to its page.", n=max(0, count)))
        self.export_button.setEnabled(count != 0)

    def _accept(self) -> None:
        export_format = ExportFormat(self.format_combo.currentData())
        layer = self._selected_layer()
        # the dialog for the file is not shown above this one
        self.close()
        if self._layers is None:
            self.scales_chosen.emit(parse_scales(self.scales.text()), export_format)
        elif self._is_grid():
            self.grid_chosen.emit(parse_scales(self.sheet_scale.text())[0], self.overlap.value() / 100,
                                  self._book_parts(), export_format)
        elif layer is not None:
            self.layer_chosen.emit(layer, self.selected.isEnabled() and self.selected.isChecked(),
                                   self._book_parts(), export_format)


class AnimationDialog(FittedDialog):
    """``seconds_chosen`` carries the seconds for which each frame is shown. Not modal."""

    seconds_chosen = pyqtSignal(float)

    def __init__(self, frame_count: int, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent, columns=52)
        self._frame_count = frame_count
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Animation (GIF)"))
        self.seconds = wheel_needs_focus(DecimalSpinBox())
        self.seconds.setRange(MIN_FRAME_SECONDS, MAX_FRAME_SECONDS)
        self.seconds.setDecimals(1)
        self.seconds.setSingleStep(0.1)
        self.seconds.setSuffix(tr(" s"))
        self.seconds.setValue(FRAME_SECONDS)
        self.seconds.setAccessibleName(tr("Seconds for each frame"))
        self.seconds.valueChanged.connect(lambda _value: self._show_summary())
        self.summary_label = PlainLabel(wraps=True)
        self.buttons = dialog_button_box(self, GuideTopic.PRINTING)
        self.export_button = self.buttons.addButton(tr("Export…"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(tr("Seconds for each &frame"), self.seconds)
        layout = fill_layout(QVBoxLayout(self), form, self.summary_label, margins=None)
        layout.addStretch(1)
        layout.addWidget(self.buttons)
        self._show_summary()

    def _show_summary(self) -> None:
        total = self.seconds.value() * (self._frame_count - 1 + LAST_FRAME_FACTOR)
        self.summary_label.setText(
            tr("%n frame(s), {total} s in all. The last one is shown {factor} times as long.", n=self._frame_count,
               total=format_decimal(total, 0 if total >= 10 else 1), factor=format_decimal(LAST_FRAME_FACTOR, 0)))

    def _accept(self) -> None:
        self.close()
        self.seconds_chosen.emit(self.seconds.value())

"""Form of an operation: choices from the capabilities, and the chosen options as one value."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence

from qgis.gui import QgsColorButton, QgsFileWidget
from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...core.box import Box
from ...core.custommap.planner import best_crs, same_crs
from ...core.errors import CartoguideError, InvalidRequest
from ...core.i18n import tr
from ...core.numbers import parse_scale
from ...core.request import HttpMethod
from ...core.safe_xml import MAX_BYTES, decode_for_display
from ...core.text import inert
from ...core.trust.files import read_regular
from ...core.wms.crs.bounding_boxes import format_number
from ...core.wms.crs.codes import common_crs
from ...core.wms.dimensions.declared_dimensions import fallback_value
from ...core.wms.dimensions.iso8601 import expand_time_extent
from ...core.wms.model.protocol import OPERATION_NAMES, OperationName
from ...core.wms.model.service import Dimension, Layer, Service
from ...core.wms.requests.advertised_operations import AdvertisedOperation, advertised_operation
from ...core.wms.requests.operation_options import OPERATIONS, OperationOptions
from ..widgets.form_widgets import fill_layout, narrow_combo_box, set_choices, set_item_enabled, wheel_needs_focus
from ..widgets.labels import PlainLabel
from .layer_combo_box import LayerComboBox, any_layer, is_queryable
from .layer_model import layer_title
from .service_html import operation_purpose

_MAX_PIXELS = 50_000
#: number of values of a dimension in a list
_MAX_VALUES = 300
_MAX_STYLES = 8


class ExtentSource(str, Enum):
    """Source of the extent of a requested map."""

    CANVAS = "view"
    LAYERS = "whole"
    TYPED = "written"


class ExtentField(QWidget):
    """Field for the extent of a map in degrees: that of the canvas, that of the layers, or a typed one."""

    changed = pyqtSignal()

    def __init__(self, canvas_extent: Callable[[], Optional[Box]], parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._canvas_extent = canvas_extent
        self._default: Optional[Box] = None
        self.source = narrow_combo_box(tr("Extent"))
        for label, value in ((tr("Extent of the layers"), ExtentSource.LAYERS),
                             (tr("Extent of the map canvas"), ExtentSource.CANVAS),
                             (tr("As typed"), ExtentSource.TYPED)):
            self.source.addItem(label, value.value)
        self.source.currentIndexChanged.connect(lambda _index: self._source_chosen())
        self.text = QLineEdit()
        self.text.setAccessibleName(tr("Extent in degrees: west, south, east, north"))
        self.text.setPlaceholderText(tr("west, south, east, north"))
        self.text.setToolTip(tr("Longitudes and latitudes in degrees: west, south, east, north"))
        self.text.textEdited.connect(lambda _text: self._edited())
        fill_layout(QVBoxLayout(self), self.source, self.text, spacing=2)
        self.setFocusProxy(self.source)
        self._source_chosen()

    def value(self) -> Optional[Box]:
        """Return the extent in degrees, or None for the extent of all layers.

        Raises ValueError if the typed text is not an extent.
        """
        if self.source.currentData() == ExtentSource.LAYERS:
            return None
        parts = [float(part) for part in self.text.text().replace(";", ",").split(",")]
        if len(parts) != 4:
            raise ValueError(self.text.text())
        return Box(*parts)

    def set_default(self, box: Optional[Box]) -> None:
        """Set the extent that is filled in when the person starts to type one."""
        self._default = box

    def refresh(self) -> None:
        """Read the extent of the canvas again, which may have changed or closed."""
        canvas_extent = self._canvas_extent()
        set_item_enabled(self.source, 1, "" if canvas_extent else tr("No map canvas is open."))
        if self.source.currentData() == ExtentSource.CANVAS:
            self._source_chosen()

    def _source_chosen(self) -> None:
        kind = self.source.currentData()
        extent = self._canvas_extent() if kind == ExtentSource.CANVAS else None if self.text.text() else self._default
        if extent:
            self.text.setText(", ".join(format_number(round(part, 6)) for part in extent))
        self.text.setVisible(kind != ExtentSource.LAYERS)
        self.changed.emit()

    def _edited(self) -> None:
        self.source.blockSignals(True)
        self.source.setCurrentIndex(self.source.findData(ExtentSource.TYPED.value))
        self.source.blockSignals(False)
        self.changed.emit()


class SizeField(QWidget):
    """Field for width and height in pixels. With square pixels the height follows from the extent."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.width_field = self._create_spin_box(tr("Width in pixels"), 800)
        self.height_field = self._create_spin_box(tr("Height in pixels"), 600)
        self.square = QCheckBox(tr("Square pixels"))
        self.square.setToolTip(tr("The height is calculated from the extent. Some servers draw nothing otherwise."))
        self.square.setChecked(True)
        self.square.toggled.connect(lambda _on: self._square_toggled())
        row = fill_layout(QHBoxLayout(), self.width_field, spacing=4, wide=self.width_field)
        row.addWidget(PlainLabel("×"))
        row.addWidget(self.height_field, 1)
        fill_layout(QVBoxLayout(self), row, self.square, spacing=2)
        self.setFocusProxy(self.width_field)
        self._square_toggled()

    def set_limits(self, width: Optional[int], height: Optional[int]) -> None:
        """Set the largest size that the service draws. None means no limit."""
        self.width_field.setMaximum(width or _MAX_PIXELS)
        self.height_field.setMaximum(height or _MAX_PIXELS)

    def value(self) -> tuple[int, int]:
        """Return (width, height) in pixels. The height is 0 if it follows from the extent."""
        return self.width_field.value(), 0 if self.square.isChecked() else self.height_field.value()

    def show_height(self, height: int) -> None:
        self.height_field.blockSignals(True)
        self.height_field.setValue(height)
        self.height_field.blockSignals(False)

    def _create_spin_box(self, name: str, value: int) -> QSpinBox:
        box = wheel_needs_focus(QSpinBox())
        box.setRange(1, _MAX_PIXELS)
        box.setValue(value)
        box.setAccessibleName(name)
        box.setToolTip(inert(name))
        box.setMinimumWidth(50)
        box.valueChanged.connect(lambda _value: self.changed.emit())
        return box

    def _square_toggled(self) -> None:
        self.height_field.setEnabled(not self.square.isChecked())
        self.changed.emit()


class ChoiceRows(QWidget):
    """Combo boxes for several choices, such as the style of each layer or the value of each dimension."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(2)
        self.boxes: dict[str, QComboBox] = {}

    def show_rows(self, rows: Sequence[tuple[str, str, Sequence[tuple[str, str]]]], editable: bool = False) -> None:
        """Show rows of key, label, and choices as pairs of label and value.

        The values of rows that were shown before are kept. ``editable`` allows other values to be typed.
        """
        before = self.values()
        while self._layout.count():
            widget = self._layout.takeAt(0).widget()
            widget.hide()
            widget.deleteLater()
        self.boxes = {}
        for key, label, choices in rows:
            if len(rows) > 1 or editable:
                row_label = PlainLabel(label, wraps=True)
                self._layout.addWidget(row_label)
            box = narrow_combo_box(label)
            box.setEditable(editable)
            for choice_label, value in choices:
                box.addItem(choice_label, value)
            if editable:
                box.setCurrentText(before.get(key) or (choices[0][1] if choices else ""))
                box.editTextChanged.connect(lambda _text: self.changed.emit())
            else:
                box.setCurrentIndex(max(0, box.findData(before.get(key, ""))))
                box.currentIndexChanged.connect(lambda _index: self.changed.emit())
            self._layout.addWidget(box)
            self.boxes[key] = box

    def values(self) -> Mapping[str, str]:
        return {key: box.currentText().strip() if box.isEditable() else box.currentData() or ""
                for key, box in self.boxes.items()}


def background_colour_button() -> QgsColorButton:
    """Return a button for BGCOLOR, or none for the service's default, which is white (OGC 06-042 7.3.3.10)."""
    button = QgsColorButton()
    button.setAccessibleName(tr("Background colour"))
    button.setToolTip(tr("Background colour where the map is not transparent"))
    button.setShowNull(True, tr("the service’s default"))
    button.setToNull()
    return button


class PixelField(QWidget):
    """Field for a pixel position in the map. ``pick_requested`` is emitted to pick it in an image instead."""

    changed = pyqtSignal()
    pick_requested = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.setAccessibleName(tr("Pixel position: column, row"))
        self.line.setPlaceholderText(tr("column, row (empty: centre)"))
        self.line.textChanged.connect(lambda _text: self.changed.emit())
        self.pick = QToolButton()
        self.pick.setText(tr("Pick…"))
        self.pick.setToolTip(tr("Request the map and click a position in it"))
        self.pick.setAccessibleName(self.pick.toolTip())
        self.pick.clicked.connect(lambda _checked=False: self.pick_requested.emit())
        fill_layout(QHBoxLayout(self), self.line, self.pick, spacing=3, wide=self.line)
        self.setFocusProxy(self.line)

    def text(self) -> str:
        return str(self.line.text())

    def set_pixel(self, column: int, row: int) -> None:
        """Set the position that was picked."""
        self.line.setText(f"{column}, {row}")


class SldField(QWidget):
    """Field for an SLD: a file, which can also be dropped on it, or a web address."""

    changed = pyqtSignal()

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._sld = self._problem = ""
        self.file_widget = QgsFileWidget()
        self.file_widget.setStorageMode(QgsFileWidget.StorageMode.GetFile)
        self.file_widget.setDialogTitle(tr("Choose an SLD file"))
        self.file_widget.setFilter(tr("Styles") + " (*.sld *.xml)")
        line = self.file_widget.lineEdit()
        line.setAccessibleName(tr("Custom style: the web address of an SLD, or a file"))
        line.setPlaceholderText(tr("none; an SLD’s address or file"))
        for button in self.file_widget.findChildren(QToolButton):
            button.setToolTip(tr("Choose an SLD file"))
            button.setAccessibleName(tr("Choose an SLD file"))
        self.file_widget.fileChanged.connect(self._read)
        fill_layout(QVBoxLayout(self), self.file_widget)
        self.setFocusProxy(line)

    def value(self) -> str:
        """Return the text of the file, or the typed address.

        Raises InvalidRequest if the file could not be read.
        """
        if self._problem:
            raise InvalidRequest(self._problem)
        return self._sld or self.file_widget.filePath().strip()

    def _read(self, text: str) -> None:
        """Read the style if ``text`` is a path. An error is reported by ``value`` when the request is built."""
        self._sld, self._problem = "", ""
        path = Path(text.strip())
        if text.strip() and "://" not in text:
            try:
                self._sld = decode_for_display(read_regular(path, MAX_BYTES), max_line_length=MAX_BYTES)
            except CartoguideError as error:
                self._problem = error.user_text
        self.changed.emit()


def extent_of_layers(layers: Sequence[Layer]) -> Optional[Box]:
    """Return the extent of all layers in degrees, or None if they state none."""
    return Box.around(layer.geographic_bbox and layer.geographic_bbox.unwrapped for layer in layers)


def preferred_first(offered: Sequence[str], preferred: Sequence[str]) -> list[str]:
    best = next((name for name in preferred if name in offered), None)
    return [best, *(name for name in offered if name != best)] if best else list(offered)


def style_choices(layer: Layer) -> list[tuple[str, str]]:
    """Return pairs of label and name of a layer's styles, the default style first."""
    named = [(style.title or style.name, style.name) for style in layer.styles if style.name]
    return [(tr("default"), ""), *named]


def dimension_choices(dimension: Dimension) -> list[tuple[str, str]]:
    """Return the listed values of a dimension, first its default, or a valid value if it has none."""
    listed = [part.strip() for part in dimension.extent.split(",") if part.strip()][:_MAX_VALUES]
    if any("/" in part for part in listed):
        listed = [moment.value for moment in expand_time_extent(dimension.extent)[:_MAX_VALUES]]
    return [(value, value) for value in dict.fromkeys([dimension.default or fallback_value(dimension), *listed])]


def exception_choices(service: Service, operation: str) -> list[tuple[str, str]]:
    """Return pairs of label and value of the exception formats (OGC 06-042 7.3.3.11).

    GetFeatureInfo reports exceptions as XML only (7.4.3.9).
    """
    labels = {"xml": tr("as a report (XML)"), "inimage": tr("drawn into the image"), "blank": tr("as a blank image")}
    choices = []
    for offered in service.exceptions:
        kind = offered.lower().rpartition("se_")[2].rpartition("/")[2]
        if operation == "GetMap" or kind == "xml":
            choices.append((labels.get(kind, offered), offered))
    return choices


def parse_pixel(text: str) -> tuple[Optional[int], Optional[int]]:
    """Return column and row of a typed position, or (None, None), the centre, if the text is empty.

    Raises InvalidRequest if the text is not two whole numbers.
    """
    if not text.strip():
        return None, None
    try:
        column, row = (int(part) for part in text.split(","))
    except ValueError:
        raise InvalidRequest(tr("The position must be two whole numbers: column, row.")) from None
    return column, row


def _scale_of_rule(text: str) -> Optional[float]:
    """Return a typed scale denominator, with or without ``1:``, or None if the text is empty.

    Raises InvalidRequest if the text is not a number.
    """
    if not text.strip():
        return None
    try:
        return parse_scale(text)
    except ValueError:
        raise InvalidRequest(tr("The scale must be a number above 0.")) from None


class OperationForm(QWidget):
    """Form for the six operations of a WMS. ``changed`` is emitted after every choice.

    ``canvas_extent`` returns that of the canvas in degrees or None, ``canvas_crs`` its CRS. The
    owner places ``operation``, the combo box of the operations.
    """

    changed = pyqtSignal()

    def __init__(self, canvas_extent: Callable[[], Optional[Box]], canvas_crs: Callable[[], str],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._service: Optional[Service] = None
        self._canvas_crs = canvas_crs
        self._filling = False
        self.operation = narrow_combo_box(tr("Operation"), 12)
        self.method = narrow_combo_box(tr("Method"))
        self.encoding = narrow_combo_box(tr("Encoding"))
        self.layers = wheel_needs_focus(LayerComboBox(tr("Layers")))
        self.styles = ChoiceRows()
        self.crs = narrow_combo_box(tr("Coordinate system"))
        self.extent_field = ExtentField(canvas_extent)
        self.size_field = SizeField()
        self.format = narrow_combo_box(tr("Format"))
        self.info_format = narrow_combo_box(tr("Response format"))
        self.dimensions = ChoiceRows()
        self.transparent = QCheckBox(tr("Transparent"))
        self.background = background_colour_button()
        self.exceptions = narrow_combo_box(tr("Errors"))
        self.sld_field = SldField()
        self.pixel_field = PixelField()
        self.count = wheel_needs_focus(QSpinBox())
        self.count.setRange(1, 1000)
        self.count.setAccessibleName(tr("Maximum features per layer"))
        self.rule = QLineEdit()
        self.rule.setAccessibleName(tr("Rule"))
        self.rule.setPlaceholderText(tr("all, or the name of a rule from GetStyles"))
        self.scale = QLineEdit()
        self.scale.setAccessibleName(tr("Scale"))
        self.scale.setPlaceholderText(tr("any; such as 25000"))
        self.version = narrow_combo_box(tr("Version"))
        for label, value in ((tr("the highest"), ""), *((name, name) for name in ("1.3.0", "1.1.1", "1.1.0", "1.0.0"))):
            self.version.addItem(label, value)
        self.only_if_changed = QCheckBox(tr("Only if changed since"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._form = QFormLayout()
        self._form.setContentsMargins(4, 0, 4, 4)
        self._form.setVerticalSpacing(5)
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        fill_layout(QVBoxLayout(self), self._form, spacing=5, margins=(0, 4, 0, 0))
        self._visible_fields: set[str] = set()
        self._labels: dict[str, QLabel] = {}
        self._fields: dict[str, QWidget] = {}
        for key, text, field in (
                ("layers", tr("Layers"), self.layers), ("styles", tr("Style"), self.styles),
                ("crs", tr("CRS"), self.crs), ("extent", tr("Extent"), self.extent_field),
                ("size", tr("Size"), self.size_field),
                ("pixel", tr("Pixel"), self.pixel_field), ("info_format", tr("Response"), self.info_format),
                ("feature_count", tr("Features"), self.count), ("format", tr("Format"), self.format),
                ("dimensions", tr("Dimensions"), self.dimensions), ("background", tr("Background"), self.background),
                ("transparent", "", self.transparent), ("exceptions", tr("Errors"), self.exceptions),
                ("user_style", tr("Custom style"), self.sld_field), ("rule", tr("Rule"), self.rule),
                ("scale", tr("Scale"), self.scale), ("version", tr("Version"), self.version),
                ("update_sequence", "", self.only_if_changed), ("method", tr("Method"), self.method),
                ("encoding", tr("Encoding"), self.encoding)):
            label = PlainLabel(text, self)
            label.setBuddy(field)
            field.setParent(self)
            self._labels[key], self._fields[key] = label, field

    def _connect(self) -> None:
        self.operation.currentIndexChanged.connect(lambda _index: self._operation_chosen())
        self.layers.changed.connect(self._layers_chosen)
        self.method.currentIndexChanged.connect(lambda _index: self._method_chosen())
        for field in (self.crs, self.format, self.info_format, self.encoding, self.version, self.exceptions):
            field.currentIndexChanged.connect(lambda _index: self._notify_changed())
        for field_group in (self.styles, self.extent_field, self.size_field, self.dimensions, self.pixel_field,
                         self.sld_field):
            field_group.changed.connect(self._notify_changed)
        for box in (self.transparent, self.only_if_changed):
            box.toggled.connect(lambda _on: self._notify_changed())
        self.background.colorChanged.connect(lambda _colour: self._notify_changed())
        for line in (self.rule, self.scale):
            line.textChanged.connect(lambda _text: self._notify_changed())
        self.count.valueChanged.connect(lambda _value: self._notify_changed())

    # -- choices

    def show_service(self, service: Service) -> None:
        """Offer what the capabilities of ``service`` advertise."""
        self._service = service
        self._filling = True
        self.size_field.set_limits(service.limits.width, service.limits.height)
        self.layers.set_layers(service.root)
        operations = [advertised_operation(service, name) for name in OPERATION_NAMES]
        set_choices(self.operation, [(self._operation_label(operation), operation.name) for operation in operations])
        for row, operation in enumerate(operations):
            set_item_enabled(self.operation, row, operation.unavailable_reason)
        self._filling = False
        if self.operation.currentIndex() >= 0 and self.selected_offer().unavailable_reason:
            self.operation.setCurrentIndex(
                next((row for row, operation in enumerate(operations) if not operation.unavailable_reason), 0))
        self._operation_chosen()

    def select_operation(self, operation: str, layers: Sequence[str] = ()) -> None:
        """Select an operation, and these layers if there are any."""
        self.operation.setCurrentIndex(max(0, self.operation.findData(operation)))
        if layers:
            self.layers.select_layers(layers)

    def selected_offer(self) -> AdvertisedOperation:
        name = self.operation.currentData() or OperationName.GET_MAP.value
        return advertised_operation(self._service, name) if self._service else AdvertisedOperation(name)

    def _operation_label(self, operation: AdvertisedOperation) -> str:
        note = tr("not offered") if operation.unavailable_reason else operation_purpose(operation.name)
        return f"{operation.name} – {note}"

    def _operation_chosen(self) -> None:
        if self._filling or self._service is None:
            return
        self._filling = True
        operation = self.selected_offer()
        is_legend = operation.name == OperationName.GET_LEGEND_GRAPHIC
        self.layers.set_single(is_legend)
        self.layers.set_preferred(is_queryable if operation.name == OperationName.GET_FEATURE_INFO else any_layer)
        self._labels["layers"].setText(tr("Layer") if is_legend else tr("Layers"))
        formats = preferred_first(operation.formats, OPERATIONS[OperationName(operation.name)].formats)
        for field in (self.format, self.info_format):
            set_choices(field, [(name, name) for name in formats])
        set_choices(self.exceptions,
                    [(tr("the service’s default"), ""), *exception_choices(self._service, operation.name)])
        self.only_if_changed.setEnabled(bool(self._service.update_sequence))
        self.only_if_changed.setToolTip(
            "" if self._service.update_sequence else tr("The service gives no update sequence."))
        set_choices(self.method, [(method.value, method.value) for method in HttpMethod])
        for row, method in enumerate(HttpMethod):
            set_item_enabled(
                self.method, row, "" if method in operation.methods else tr(
                    "The service advertises no {method} address for this operation.", method=method.value))
        if operation.methods and self.method.currentData() not in operation.methods:
            self.method.setCurrentIndex(self.method.findData(operation.methods[0].value))
        set_choices(self.encoding, [({"form": tr("a form"), "xml": "XML"}[name], name) for name in operation.encodings])
        self._filling = False
        self.extent_field.refresh()
        self._layers_chosen()

    def _layers_chosen(self) -> None:
        if self._filling or self._service is None:
            return
        self._filling = True
        layers = self.layers.selected_layers()
        self.styles.show_rows([(layer.name or "", layer_title(layer), style_choices(layer))
                               for layer in layers[:_MAX_STYLES] if layer.styles])
        canvas_crs = self._canvas_crs()
        codes = common_crs(layers)
        previous_crs = self.crs.currentData()
        set_choices(self.crs, [(tr("{crs} · project CRS", crs=code) if same_crs(code, canvas_crs) else code, code)
                               for code in codes])
        if layers and previous_crs not in codes:
            self.crs.setCurrentIndex(max(0, self.crs.findData(best_crs(layers[0], canvas_crs))))
        self.extent_field.set_default(extent_of_layers(layers))
        dimensions = {dimension.name: dimension for layer in layers for dimension in layer.dimensions}
        self.dimensions.show_rows(
            [(name, f"{name} ({dimension.units})" if dimension.units else name, dimension_choices(dimension))
             for name, dimension in dimensions.items()], True)
        self._filling = False
        self._method_chosen()

    def _method_chosen(self) -> None:
        self._show_fields()
        self._notify_changed()

    def _show_fields(self) -> None:
        """Show only the fields of the selected operation."""
        operation = self.selected_offer()
        shown = {"method", *OPERATIONS[OperationName(operation.name)].fields}
        if not self.styles.boxes:
            shown.discard("styles")
        if not self.dimensions.boxes:
            shown.discard("dimensions")
        if self._service is not None and not self._service.supports_sld:
            shown.discard("user_style")
        is_post = self.method.currentData() == HttpMethod.POST
        if operation.name == OperationName.GET_MAP and is_post and len(operation.encodings) > 1:
            shown.add("encoding")
        if shown == self._visible_fields:
            return
        # a hidden row would leave a gap, so rows that are not needed are removed
        self._visible_fields = shown
        while self._form.rowCount():
            self._form.takeRow(0)
        for key, field in self._fields.items():
            if key in shown:
                self._form.addRow(self._labels[key], field)
            field.setVisible(key in shown)
            self._labels[key].setVisible(key in shown)

    def _notify_changed(self) -> None:
        if not self._filling:
            self.changed.emit()

    # -- options

    def options(self) -> OperationOptions:
        """Return the options as filled in.

        Raises InvalidRequest if a field cannot be parsed.
        """
        sequence = self._service.update_sequence if self._service and self.only_if_changed.isChecked() else None
        styles = self.styles.values()
        names = self.layers.selected_names()
        width, height = self.size_field.value()
        column, row = parse_pixel(self.pixel_field.text())
        operation = self.operation.currentData() or OperationName.GET_MAP.value
        fields = OPERATIONS[OperationName(operation)].fields
        try:
            bbox = self.extent_field.value() if "extent" in fields else None
        except ValueError:
            raise InvalidRequest(tr("The extent must be four numbers: west, south, east, north.")) from None
        dimensions = {name: value for name, value in self.dimensions.values().items() if value}
        background = "" if self.background.isNull() else self.background.color().name()
        return OperationOptions(
            operation=operation, method=HttpMethod(self.method.currentData() or HttpMethod.GET),
            encoding=self.encoding.currentData() or "",
            layers=names, styles=tuple(styles.get(name, "") for name in names) if any(styles.values()) else (),
            crs=self.crs.currentData() or "", bbox=bbox, width=width, height=height,
            format=(self.format.currentData() or "") if "format" in fields else "",
            transparent=self.transparent.isChecked() and "transparent" in fields,
            exceptions=(self.exceptions.currentData() or "") if "exceptions" in fields else "",
            dimensions=dimensions, column=column, row=row,
            info_format=self.info_format.currentData() or "", feature_count=self.count.value(),
            rule=self.rule.text().strip(), scale=_scale_of_rule(self.scale.text()),
            version=self.version.currentData() or "", update_sequence=sequence or "",
            background=background if "background" in fields else "",
            user_style=self.sld_field.value() if "user_style" in self._visible_fields else "")

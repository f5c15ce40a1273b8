"""Form of an operation: choices from the capabilities, and the chosen options as one value."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from ...core.custommap.crs_choice import best_crs, same_crs
from ...core.errors import InvalidRequest
from ...core.i18n import tr
from ...core.request import HttpMethod
from ...core.wms.crs.codes import common_crs
from ...core.wms.model.operation_name import OPERATION_NAMES, OperationName
from ...core.wms.model.service import Service
from ...core.wms.requests.advertised_operations import (
    AdvertisedOperation,
    advertised_operation,
)
from ...core.wms.requests.get_feature_info import PREFERRED_INFO_FORMATS as INFO_FORMATS
from ...core.wms.requests.get_map import PREFERRED_MAP_FORMATS as MAP_FORMATS
from ...core.wms.requests.operation_options import OperationOptions
from ...core.wms.requests.sld_profile import LEGEND_FORMATS
from ..widgets.form_widgets import narrow_combo_box, set_choices, set_item_enabled, wheel_needs_focus
from ..widgets.labels import PlainLabel
from .layer_combo_box import LayerComboBox, any_layer, is_queryable
from .layer_model import layer_title
from .operation_choices import (
    dimension_choices,
    exception_choices,
    extent_of_layers,
    parse_pixel,
    parse_scale,
    preferred_first,
    style_choices,
)
from .operation_fields import (
    ChoiceRows,
    ExtentField,
    GeographicEnvelope,
    PixelField,
    SizeField,
    SldField,
    background_colour_button,
)
from .operations_html import operation_purpose

#: keys of the fields that each operation has
_FIELDS_OF_OPERATION = {
    OperationName.GET_MAP: ("layers", "styles", "crs", "extent", "size", "format", "dimensions", "background",
                            "transparent", "exceptions", "user_style"),
    OperationName.GET_FEATURE_INFO: ("layers", "styles", "crs", "extent", "size", "pixel", "info_format",
                                     "feature_count", "dimensions", "exceptions", "user_style"),
    OperationName.GET_LEGEND_GRAPHIC: ("layers", "styles", "format", "rule", "scale", "user_style"),
    OperationName.DESCRIBE_LAYER: ("layers",),
    OperationName.GET_STYLES: ("layers",),
    OperationName.GET_CAPABILITIES: ("version", "update_sequence"),
}
_PREFERRED = {OperationName.GET_MAP: MAP_FORMATS, OperationName.GET_LEGEND_GRAPHIC: LEGEND_FORMATS}
_MAX_STYLES = 8


class OperationForm(QWidget):
    """Form for the six operations of a WMS. ``changed`` is emitted after every choice.

    ``canvas_extent`` returns (west, south, east, north) of the canvas in degrees or None, ``canvas_crs`` its CRS. The
    owner places ``operation``, the combo box of the operations.
    """

    changed = pyqtSignal()

    def __init__(self, canvas_extent: Callable[[], Optional[GeographicEnvelope]], canvas_crs: Callable[[], str],
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
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(self._form)
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
        preferred = _PREFERRED.get(OperationName(operation.name), ())
        set_choices(self.format, [(name, name) for name in preferred_first(operation.formats, preferred)])
        set_choices(self.exceptions,
                    [(tr("the service’s default"), ""), *exception_choices(self._service, operation.name)])
        set_choices(self.info_format, [(name, name) for name in preferred_first(operation.formats, INFO_FORMATS)])
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
        shown = {"method", *_FIELDS_OF_OPERATION[OperationName(operation.name)]}
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
        fields = _FIELDS_OF_OPERATION[OperationName(operation)]
        try:
            bbox = self.extent_field.value() if "extent" in fields else None
        except ValueError:
            raise InvalidRequest(tr("The extent must be four numbers: west, south, east, north.")) from None
        dimensions = {name: value for name, value in self.dimensions.values().items() if value}
        background = "" if self.background.isNull() else self.background.color().name()
        return OperationOptions(
            operation, method=HttpMethod(self.method.currentData() or HttpMethod.GET),
            encoding=self.encoding.currentData() or "",
            layers=names, styles=tuple(styles.get(name, "") for name in names) if any(styles.values()) else (),
            crs=self.crs.currentData() or "", bbox=bbox, width=width, height=height,
            format=(self.format.currentData() or "") if "format" in fields else "",
            transparent=self.transparent.isChecked() and "transparent" in fields,
            exceptions=(self.exceptions.currentData() or "") if "exceptions" in fields else "",
            dimensions=dimensions, column=column, row=row,
            info_format=self.info_format.currentData() or "", feature_count=self.count.value(),
            rule=self.rule.text().strip(), scale=parse_scale(self.scale.text()),
            version=self.version.currentData() or "", update_sequence=sequence or "",
            background=background if "background" in fields else "",
            user_style=self.sld_field.value() if "user_style" in self._visible_fields else "")

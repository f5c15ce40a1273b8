"""The form of an operation: what the service advertises to choose from, and what is chosen as one value."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from ..core.custommap.crs_choice import best_crs, same_crs
from ..core.errors import InvalidRequest
from ..core.i18n import tr
from ..core.wms.asking import Wanted
from ..core.wms.feature_info import PREFERRED_FORMATS as INFO_FORMATS
from ..core.wms.maps import PREFERRED_FORMATS as MAP_FORMATS
from ..core.wms.model import Service
from ..core.wms.offers import OPERATIONS, Offer, common_crs, offer
from ..core.wms.styling import LEGEND_FORMATS
from .layer_model import layer_title
from .layer_pick import LayerPick, any_layer, queryable
from .operation_choices import (
    best_first,
    box_of,
    dimension_choices,
    exception_choices,
    place_of,
    scale_of,
    style_choices,
)
from .operation_fields import Box, BoxField, ChoiceRows, SizeField, allow, combo, fill
from .operation_more import PlaceField, StyleField, colour_field
from .operations import operation_words

_ROWS = {
    "GetMap": ("layers", "styles", "crs", "box", "size", "format", "dimensions", "background", "transparent",
               "exceptions", "own_style"),
    "GetFeatureInfo": ("layers", "styles", "crs", "box", "size", "place", "info", "count", "dimensions", "exceptions",
                       "own_style"),
    "GetLegendGraphic": ("layers", "styles", "format", "rule", "scale", "own_style"), "DescribeLayer": ("layers",),
    "GetStyles": ("layers",), "GetCapabilities": ("version", "sequence")}
_PREFERRED = {"GetMap": MAP_FORMATS, "GetLegendGraphic": LEGEND_FORMATS}
_MOST_STYLES = 8


class OperationForm(QWidget):
    """``changed`` comes with every choice. ``map_view`` gives the map window's box in degrees, ``map_crs`` its CRS.
    Where ``operation`` stands is for whoever shows the form to say.
    """

    changed = pyqtSignal()

    def __init__(self, map_view: Callable[[], Optional[Box]], map_crs: Callable[[], str],
                 parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._service: Optional[Service] = None
        self._map_crs = map_crs
        self._filling = False
        self.operation = combo(tr("Operation"), 12)
        self.method = combo(tr("Method"))
        self.encoding = combo(tr("Written as"))
        self.layers = LayerPick(tr("Layers"))
        self.styles = ChoiceRows()
        self.crs = combo(tr("Coordinate system"))
        self.box = BoxField(map_view)
        self.size = SizeField()
        self.format = combo(tr("Format"))
        self.info_format = combo(tr("Answer as"))
        self.dimensions = ChoiceRows()
        self.transparent = QCheckBox(tr("Transparent"))
        self.background = colour_field()
        self.exceptions = combo(tr("Errors"))
        self.own_style = StyleField()
        self.place = PlaceField()
        self.count = QSpinBox()
        self.count.setRange(1, 1000)
        self.count.setAccessibleName(tr("At most so many features of each layer"))
        self.rule = QLineEdit()
        self.rule.setAccessibleName(tr("Rule"))
        self.rule.setPlaceholderText(tr("all; a rule’s name, as GetStyles tells it"))
        self.scale = QLineEdit()
        self.scale.setAccessibleName(tr("Scale"))
        self.scale.setPlaceholderText(tr("any; such as 25000"))
        self.version = combo(tr("Version"))
        for words, value in ((tr("the highest"), ""), *((name, name) for name in ("1.3.0", "1.1.1", "1.1.0", "1.0.0"))):
            self.version.addItem(words, value)
        self.sequence = QCheckBox(tr("Only if it has changed"))
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
        self._shown: set[str] = set()
        self._labels: dict[str, QLabel] = {}
        self._fields: dict[str, QWidget] = {}
        for key, words, field in (
                ("layers", tr("Layers"), self.layers),
                ("styles", tr("Style"), self.styles), ("crs", tr("System"), self.crs), ("box", tr("Box"), self.box),
                ("size", tr("Size"), self.size), ("place", tr("Place"), self.place),
                ("info", tr("Answer"), self.info_format), ("count", tr("Features"), self.count),
                ("format", tr("Format"), self.format),
                ("dimensions", tr("Dimensions"), self.dimensions), ("background", tr("Ground"), self.background),
                ("transparent", "", self.transparent), ("exceptions", tr("Errors"), self.exceptions),
                ("own_style", tr("Own style"), self.own_style), ("rule", tr("Rule"), self.rule),
                ("scale", tr("Scale"), self.scale), ("version", tr("Version"), self.version),
                ("sequence", "", self.sequence), ("method", tr("Method"), self.method),
                ("encoding", tr("Written as"), self.encoding)):
            label = QLabel(words, self)
            label.setBuddy(field)
            field.setParent(self)
            self._labels[key], self._fields[key] = label, field

    def _connect(self) -> None:
        self.operation.currentIndexChanged.connect(lambda _index: self._operation_chosen())
        self.layers.changed.connect(self._layers_chosen)
        self.method.currentIndexChanged.connect(lambda _index: self._method_chosen())
        for field in (self.crs, self.format, self.info_format, self.encoding, self.version, self.exceptions):
            field.currentIndexChanged.connect(lambda _index: self._tell())
        for compound in (self.styles, self.box, self.size, self.dimensions, self.place, self.own_style):
            compound.changed.connect(self._tell)
        for box in (self.transparent, self.sequence):
            box.toggled.connect(lambda _on: self._tell())
        self.background.colorChanged.connect(lambda _colour: self._tell())
        for line in (self.rule, self.scale):
            line.textChanged.connect(lambda _text: self._tell())
        self.count.valueChanged.connect(lambda _value: self._tell())

    # -- what is offered

    def show_service(self, service: Service) -> None:
        """Offer what ``service`` advertises."""
        self._service = service
        self._filling = True
        self.size.limit(service.limits.width, service.limits.height)
        self.layers.offer(service.root)
        offers = [offer(service, name) for name in OPERATIONS]
        fill(self.operation, [(self._words(one), one.name) for one in offers])
        for row, one in enumerate(offers):
            allow(self.operation, row, one.why_not)
        self._filling = False
        if self.operation.currentIndex() >= 0 and self.offer().why_not:
            self.operation.setCurrentIndex(next((row for row, one in enumerate(offers) if not one.why_not), 0))
        self._operation_chosen()

    def choose(self, operation: str, layers: Sequence[str] = ()) -> None:
        """Turn to an operation, with these layers where there are any."""
        self.operation.setCurrentIndex(max(0, self.operation.findData(operation)))
        if layers:
            self.layers.choose(layers)

    def offer(self) -> Offer:
        """How the service offers the chosen operation."""
        name = self.operation.currentData() or OPERATIONS[0]
        return offer(self._service, name) if self._service else Offer(name)

    def _words(self, one: Offer) -> str:
        words = operation_words(one.name)
        return f"{one.name} – {tr('not offered')}" if one.why_not else f"{one.name} – {words}"

    def _operation_chosen(self) -> None:
        if self._filling or self._service is None:
            return
        self._filling = True
        one = self.offer()
        self.layers.take_one(one.name == "GetLegendGraphic")
        self.layers.prefer(queryable if one.name == "GetFeatureInfo" else any_layer)
        self._labels["layers"].setText(tr("Layer") if one.name == "GetLegendGraphic" else tr("Layers"))
        fill(self.format, [(name, name) for name in best_first(one.formats, _PREFERRED.get(one.name, ()))])
        fill(self.exceptions, [(tr("as the service does by itself"), ""), *exception_choices(self._service, one.name)])
        fill(self.info_format, [(name, name) for name in best_first(one.formats, INFO_FORMATS)])
        self.sequence.setEnabled(bool(self._service.update_sequence))
        self.sequence.setToolTip("" if self._service.update_sequence else
                                 tr("The service does not number its capabilities."))
        fill(self.method, [("GET", "GET"), ("POST", "POST")])
        for row, name in enumerate(("GET", "POST")):
            allow(self.method, row, "" if name in one.methods else
                  tr("The service announces no {method} address for this operation.", method=name))
        if one.methods and self.method.currentData() not in one.methods:
            self.method.setCurrentIndex(self.method.findData(one.methods[0]))
        fill(self.encoding, [({"form": tr("a form"), "xml": "XML"}[name], name) for name in one.encodings])
        self._filling = False
        self.box.look_again()
        self._layers_chosen()

    def _layers_chosen(self) -> None:
        if self._filling or self._service is None:
            return
        self._filling = True
        layers = self.layers.layers()
        self.styles.show_rows([(layer.name or "", layer_title(layer), style_choices(layer))
                               for layer in layers[:_MOST_STYLES] if layer.styles])
        own = self._map_crs()
        systems = common_crs(layers)
        before = self.crs.currentData()
        fill(self.crs, [(tr("{crs} · the map’s", crs=code) if same_crs(code, own) else code, code)
                        for code in systems])
        if layers and before not in systems:
            self.crs.setCurrentIndex(max(0, self.crs.findData(best_crs(layers[0], own))))
        self.box.suggest(box_of(layers))
        dimensions = {one.name: one for layer in layers for one in layer.dimensions}
        self.dimensions.show_rows([
            (name, f"{name} ({one.units})" if one.units else name, dimension_choices(one))
            for name, one in dimensions.items()], True)
        self._filling = False
        self._method_chosen()

    def _method_chosen(self) -> None:
        self._show_rows()
        self._tell()

    def _show_rows(self) -> None:
        """Only the rows that the operation needs."""
        one = self.offer()
        shown = {"method", *_ROWS[one.name]}
        if not self.styles.boxes:
            shown.discard("styles")
        if not self.dimensions.boxes:
            shown.discard("dimensions")
        if self._service is not None and not self._service.supports_sld:
            shown.discard("own_style")
        if one.name == "GetMap" and self.method.currentData() == "POST" and len(one.encodings) > 1:
            shown.add("encoding")
        if shown == self._shown:
            return
        # a hidden row would leave its gap: rows that are not needed are taken out
        self._shown = shown
        while self._form.rowCount():
            self._form.takeRow(0)
        for key, field in self._fields.items():
            if key in shown:
                self._form.addRow(self._labels[key], field)
            field.setVisible(key in shown)
            self._labels[key].setVisible(key in shown)

    def _tell(self) -> None:
        if not self._filling:
            self.changed.emit()

    # -- what is chosen

    def wanted(self) -> Wanted:
        """The form as it is filled in; InvalidRequest where something in it cannot be read."""
        sequence = self._service.update_sequence if self._service and self.sequence.isChecked() else None
        styles = self.styles.values()
        names = self.layers.names()
        width, height = self.size.value()
        column, row = place_of(self.place.text())
        operation = self.operation.currentData() or OPERATIONS[0]
        rows = _ROWS[operation]
        try:
            box = self.box.value() if "box" in rows else None
        except ValueError:
            raise InvalidRequest(tr("The map's box needs four numbers: west, south, east, north.")) from None
        image_format = self.format.currentData() if "format" in rows else ""
        return Wanted(
            operation, self.method.currentData() or "GET", self.encoding.currentData() or "", names,
            tuple(styles.get(name, "") for name in names) if any(styles.values()) else (), self.crs.currentData() or "",
            box, width, height, image_format or "", self.transparent.isChecked() and "transparent" in rows,
            (self.exceptions.currentData() or "") if "exceptions" in rows else "",
            {name: value for name, value in self.dimensions.values().items() if value}, column, row,
            self.info_format.currentData() or "", self.count.value(), self.rule.text().strip(),
            scale_of(self.scale.text()), self.version.currentData() or "", sequence or "",
            "" if self.background.isNull() or "background" not in rows else self.background.color().name(),
            self.own_style.value() if "own_style" in self._shown else "")

"""Dialog that chooses layers of a service, their styles, the CRS and the image format."""

from __future__ import annotations

from typing import Mapping, Optional, Sequence

from qgis.PyQt.QtCore import QPoint, QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QCloseEvent, QImage
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_state import LayerChoice
from ...app.maps.preview_controller import PreviewState
from ...app.phrases import scale_range_text
from ...core.custommap.model import MapRole
from ...core.custommap.planner import best_crs, same_crs
from ...core.custommap.preview_image import PreviewContent
from ...core.custommap.service_use import MAX_LAYERS_ADDED_UNASKED
from ...core.i18n import tr
from ...core.records.model.record import Extent
from ...core.wms.model.service import Layer, Service
from ...gis.legends.legend_nodes import LegendKey
from ...gis.legends.legend_previews import LegendPreviews
from ...gis.operations.service_previews import ServicePreviews
from ...gis.runtime.guide_pages import GuideTopic
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import fill_layout, narrow_combo_box, search_line
from ..widgets.labels import PlainLabel
from ..widgets.map_preview import MapPreview
from ..widgets.theme import resize_for_font
from .layer_model import LayerModel, LayerNode, LayerRole

#: milliseconds that rows and checks must rest before images are requested
_IMAGE_DELAY = 250
#: image formats that QGIS can draw
_SUPPORTED_FORMATS = ("png", "jpeg", "jpg", "webp", "gif", "tiff")


def shared_crs(layers: Sequence[Layer]) -> list[str]:
    """Return the coordinate systems that all ``layers`` offer, in the order of the first layer."""
    if not layers:
        return []
    common = set(layers[0].crs).intersection(*(layer.crs for layer in layers))
    return [crs for crs in layers[0].crs if crs in common]


def supported_image_formats(service: Service) -> list[str]:
    """Return the image formats that the service offers and QGIS can draw."""
    get_map = service.operation("GetMap")
    return [
        name for name in (get_map.formats if get_map else ())
        if name.lower().startswith("image/") and any(part in name.lower() for part in _SUPPORTED_FORMATS)
    ]


class AddLayersDialog(QDialog):
    """Dialog that emits ``chosen`` with a LayerChoice. Not modal, so that the map stays usable.

    ``checked_names`` are the layers that are checked at first, all of them if it is None.
    """

    chosen = pyqtSignal(object)

    def __init__(self, title: str, service: Service, map_crs: str, role: MapRole = MapRole.OVERLAY,
                 checked_names: Optional[Sequence[str]] = (), parent: Optional[QWidget] = None,
                 is_on_map: bool = False) -> None:
        """``is_on_map``: the layers of a service on the map are changed."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Layers and styles: {title}", title=title) if is_on_map else
                            tr("Choose layers: {title}", title=title))
        resize_for_font(self, 440, 680)
        self._map_crs, self._service = map_crs, service
        self._endpoint = ""
        self._extents: Sequence[Extent] = ()
        self.legends = LegendPreviews(self)
        self.model = LayerModel(checkable=True, parent=self, swatch=self._swatch)
        self.model.show_layers(service.root)
        self._create_preview()
        self.tree = self._create_tree()
        self.tree.setRootIsDecorated(self.model.has_groups)
        self.search = search_line(tr("Find a layer…"), tr("Find a layer"))
        self.search.textChanged.connect(self._search)
        self.all = QPushButton(tr("All"))
        self.none = QPushButton(tr("None"))
        self.all.setToolTip(tr("Check all layers"))
        self.none.setToolTip(tr("Uncheck all layers"))
        self.all.clicked.connect(lambda: self.model.set_checked(None))
        self.none.clicked.connect(lambda: self.model.set_checked(()))
        self.layer_label = PlainLabel(wraps=True)
        self.style_combo = narrow_combo_box(tr("Style of the layer"), 12)
        self.style_combo.activated.connect(self._style_chosen)
        self.crs = narrow_combo_box(tr("Coordinate system"), 12)
        self.format = narrow_combo_box(tr("Image format"), 12)
        self.format.addItem(tr("Automatic"), None)
        for name in supported_image_formats(service):
            self.format.addItem(name, name)
        self.role = narrow_combo_box(tr("Use as"), 12)
        self.role.addItem(tr("Overlay"), MapRole.OVERLAY)
        self.role.addItem(tr("Base, below everything else"), MapRole.BASE)
        self.role.setCurrentIndex(self.role.findData(role))
        self.count = PlainLabel()
        self.buttons = dialog_button_box(self, GuideTopic.SERVICES)
        self.add = self.buttons.addButton(tr("Apply") if is_on_map else tr("Add to map"),
                                          QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.accepted.connect(self._accept)
        self._lay_out()
        self.model.checks_changed.connect(self._on_checks_changed)
        self.model.set_checked(checked_names)
        self._show_node(None)
        self._on_checks_changed()
        if len(self.model.requestable_nodes()) <= 60:
            self.tree.expandAll()
        self.tree.setCurrentIndex(self.model.index(0, 0))

    def _lay_out(self) -> None:
        top = fill_layout(QHBoxLayout(), self.search, self.all, self.none, wide=self.search)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("&Style of the layer"), self.style_combo)
        form.addRow(tr("&Coordinate system"), self.crs)
        form.addRow(tr("Image &format"), self.format)
        form.addRow(tr("&Use as"), self.role)
        foot = fill_layout(QHBoxLayout(), self.count, self.buttons, wide=self.count)
        fill_layout(QVBoxLayout(self), top, self.preview, self.tree, self.layer_label, form, foot, wide=self.tree,
                    margins=None)

    def _create_tree(self) -> QTreeView:
        tree = QTreeView()
        tree.setAccessibleName(tr("Layers of the service"))
        tree.setHeaderHidden(True)
        tree.setUniformRowHeights(True)
        tree.setModel(self.model)
        tree.setIconSize(QSize(32, 20))
        tree.verticalScrollBar().valueChanged.connect(lambda _value: self._image_timer.start())
        tree.expanded.connect(lambda _index: self._image_timer.start())
        tree.selectionModel().currentChanged.connect(lambda index, _before: self._show_node(self.model.node(index)))
        return tree

    def _create_preview(self) -> None:
        self.preview = MapPreview()
        self.preview.show_title(self._service.title)
        self._images = ServicePreviews(self)
        self._images.started.connect(lambda: self.preview.show_state(PreviewState.LOADING.value, "", None))
        self._images.loaded.connect(lambda image: self.preview.show_state(PreviewState.LOADED.value, "", image))
        self._images.failed.connect(lambda error: self._show_no_map(error.user_text.split("\n")[0]))
        self.legends.received.connect(lambda _key: self.tree.viewport().update())
        self._image_timer = QTimer(self)
        self._image_timer.setSingleShot(True)
        self._image_timer.setInterval(_IMAGE_DELAY)
        self._image_timer.timeout.connect(self._request_images)

    def load_images(self, endpoint: str, extents: Sequence[Extent]) -> None:
        """Show the legends of the layers, and a preview of the checked ones at the first of ``extents`` (degrees).

        They are requested from the service at ``endpoint``.
        """
        self._endpoint, self._extents = endpoint, tuple(extents)
        self.preview.show_state(PreviewState.LOADING.value, "", None)
        self._image_timer.start()

    def _request_images(self) -> None:
        """Request the legends of the visible rows and the preview of the checked layers."""
        if not self._endpoint or not self.isVisible():
            return
        has_legends = self._service.operation("GetLegendGraphic") is not None
        self.legends.request(self._service, [
            self._legend_key(layer) for layer in self._visible_layers()
            if layer.name and (has_legends or any(style.legends for style in layer.styles))])
        nodes = self.model.checked_nodes()
        if not nodes or len(nodes) > MAX_LAYERS_ADDED_UNASKED:
            self._images.cancel()
            self._show_no_map(tr("Check the layers to be shown.") if not nodes else
                              tr("At most {count} layers are previewed.", count=MAX_LAYERS_ADDED_UNASKED))
            return
        content = PreviewContent(tuple(node.layer.name or "" for node in nodes), tuple(node.style for node in nodes))
        self._images.request(self._service, content, self._extents, self.crs.currentData() or self._map_crs,
                             self._endpoint)

    def _show_no_map(self, reason: str) -> None:
        self.preview.show_state(PreviewState.FAILED.value, reason, None)

    def _visible_layers(self) -> list[Layer]:
        layers: list[Layer] = []
        index = self.tree.indexAt(QPoint(1, 1))
        while index.isValid() and self.tree.visualRect(index).top() <= self.tree.viewport().height():
            if not self.model.hasChildren(index):
                layers.append(index.data(LayerRole))
            index = self.tree.indexBelow(index)
        return layers

    def _legend_key(self, layer: Layer) -> LegendKey:
        return self._endpoint, layer.name or "", ""

    def _swatch(self, layer: Layer) -> Optional[QImage]:
        preview = self.legends.get(self._legend_key(layer))
        return preview.swatch if preview is not None else None

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Qt: cancel the requests for images."""
        self._image_timer.stop()
        self.legends.cancel()
        self._images.cancel()
        super().closeEvent(event)

    def set_styles(self, styles: Mapping[str, str]) -> None:
        for node in self.model.requestable_nodes():
            node.style = styles.get(node.layer.name or "", node.style)
        self._show_node(self._current())

    def choice(self) -> LayerChoice:
        nodes = self.model.checked_nodes()
        return LayerChoice(tuple(node.layer.name or "" for node in nodes), tuple(node.style for node in nodes),
                           self.format.currentData(), self.crs.currentData(), MapRole(self.role.currentData()))

    def _accept(self) -> None:
        self.chosen.emit(self.choice())
        self.close()

    def _search(self, text: str) -> None:
        self.model.search(text)
        if text:
            self.tree.expandAll()
        self._image_timer.start()

    def _current(self) -> Optional[LayerNode]:
        return self.model.node(self.tree.currentIndex())

    def _show_node(self, node: Optional[LayerNode]) -> None:
        """Show styles, name and scale range of a layer."""
        self.style_combo.clear()
        styles = node.layer.styles if node and node.is_requestable else ()
        self.style_combo.addItem(tr("Default"), "")
        for style in styles:
            self.style_combo.addItem(style.title or style.name, style.name)
        self.style_combo.setEnabled(len(styles) > 1)
        self.style_combo.setCurrentIndex(max(0, self.style_combo.findData(node.style if node else "")))
        facts = [node.layer.name or tr("group"), scale_range_text(node.layer.scale_range)] if node else []
        self.layer_label.setText(" · ".join(word for word in facts if word))

    def _style_chosen(self, _index: int) -> None:
        node = self._current()
        if node is not None:
            node.style = self.style_combo.currentData() or ""
            self._image_timer.start()

    def _on_checks_changed(self) -> None:
        nodes = self.model.checked_nodes()
        self.count.setText(tr("%n layer(s) chosen", n=len(nodes)))
        self.add.setEnabled(bool(nodes))
        self._image_timer.start()
        before = self.crs.currentData()
        systems = shared_crs([node.layer for node in nodes])
        default = best_crs(nodes[0].layer, self._map_crs) if nodes else None
        self.crs.clear()
        for crs in sorted(systems, key=lambda name: not same_crs(name, self._map_crs)):
            self.crs.addItem(tr("{crs} (project CRS)", crs=crs) if same_crs(crs, self._map_crs) else crs, crs)
        current = before if before in systems else default
        self.crs.setCurrentIndex(max(0, self.crs.findData(current)) if systems else -1)

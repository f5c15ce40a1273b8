"""Combo box for layers of a service, which opens a tree with a search line."""

from __future__ import annotations

from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QPoint, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from ...core.i18n import tr
from ...core.text import inert
from ...core.wms.model.service import Layer
from ..widgets.form_widgets import fill_layout, search_line
from .layer_model import LayerModel, layer_title

_SIZE = (300, 300)
_MAX_EXPANDED = 60


class LayerComboBox(QComboBox):
    """Combo box of one or several layers. ``changed`` is emitted when other layers are chosen.

    Names are in the order of the capabilities, the bottom layer first.
    """

    changed = pyqtSignal()

    def __init__(self, name: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.addItem("")
        self._single = False
        #: True until the person chooses a layer
        self._is_default = True
        self._is_preferred: Callable[[Layer], bool] = any_layer
        self._layers: dict[str, Layer] = {}
        self._names: list[str] = []
        self.popup = _LayerPopup(self)
        self.popup.model.checks_changed.connect(self._on_checked)
        self.popup.tree.activated.connect(self._on_activated)
        self.popup.tree.clicked.connect(self._on_activated)
        self._update_text()

    def set_layers(self, root: Optional[Layer]) -> None:
        """Offer the layers below ``root``. Chosen layers that still exist stay chosen."""
        self._layers = {}
        for layer in root.walk() if root else ():
            if layer.name:
                # the first of several layers of one name is used, as in a request
                self._layers.setdefault(layer.name, layer)
        self.popup.model.show_layers(root)
        if len(self.popup.model.requestable_nodes()) <= _MAX_EXPANDED:
            self.popup.tree.expandAll()
        self.select_layers([] if self._is_default else [name for name in self._names if name in self._layers])

    def set_preferred(self, is_preferred: Callable[[Layer], bool]) -> None:
        """Set which layer is chosen by default: the first for which ``is_preferred`` returns True, else the first of
        all.
        """
        self._is_preferred = is_preferred
        if self._is_default:
            self.select_layers(())

    def set_single(self, on: bool) -> None:
        """Allow only one layer, or several."""
        self._single = on
        if on and len(self._names) > 1:
            self.select_layers(self._names[:1])

    def selected_names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def selected_layers(self) -> list[Layer]:
        return [self._layers[name] for name in self._names if name in self._layers]

    def select_layers(self, names: Sequence[str]) -> None:
        """Choose layers by name. If none of them exists, the default layer is chosen."""
        known = [name for name in names if name in self._layers]
        self._is_default = not known
        if not known:
            leaves = [leaf.layer for leaf in self.popup.model.requestable_nodes()]
            known = [layer.name or "" for layer in [*filter(self._is_preferred, leaves), *leaves][:1]]
        self._names = known[:1] if self._single else known
        self.popup.model.blockSignals(True)
        self.popup.model.set_checked(self._names)
        self.popup.model.blockSignals(False)
        self._update_text()
        self.changed.emit()

    def showPopup(self) -> None:  # noqa: N802
        """Qt: open the tree instead of a list."""
        self.popup.set_single(self._single)
        corner = self.mapToGlobal(QPoint(0, self.height()))
        screen = QApplication.screenAt(corner) or QApplication.primaryScreen()
        room = screen.availableGeometry()
        width, height = max(self.width(), _SIZE[0]), _SIZE[1]
        left = max(room.left(), min(corner.x(), room.right() - width))
        below = corner.y() + height <= room.bottom()
        top = corner.y() if below else max(room.top(), corner.y() - height - self.height())
        self.popup.setGeometry(left, top, width, height)
        self.popup.show()
        self.popup.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_checked(self) -> None:
        names = [node.layer.name or "" for node in self.popup.model.checked_nodes()]
        if names == self._names:
            return
        if self._single:
            fresh = [name for name in names if name not in self._names]
            self.select_layers(fresh[:1] or names[:1])
            self.popup.hide()
            return
        self._names, self._is_default = names, False
        self._update_text()
        self.changed.emit()

    def _on_activated(self, index: object) -> None:
        """Accept a clicked row at once if only one layer is allowed."""
        node = self.popup.model.node(index)
        if self._single and node is not None and node.is_requestable:
            self.select_layers([node.layer.name or ""])
            self.popup.hide()

    def _update_text(self) -> None:
        titles = [layer_title(layer) for layer in self.selected_layers()]
        text = ", ".join(titles) if titles else tr("Choose layers…")
        self.setItemText(0, text if len(titles) < 4 else tr("%n layer(s)", n=len(titles)))
        self.setToolTip(inert("\n".join(titles[:20])))


def any_layer(_layer: Layer) -> bool:
    return True


def is_queryable(layer: Layer) -> bool:
    """Return True if the layer supports GetFeatureInfo."""
    return layer.queryable


class _LayerPopup(QFrame):
    """Popup with a search line, the tree of layers with check boxes, and a button that closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.model = LayerModel(checkable=True, parent=self)
        self.search = search_line(tr("Find a layer…"), tr("Find a layer"))
        self.search.textChanged.connect(self._search)
        self.tree = QTreeView()
        self.tree.setAccessibleName(tr("Layers of the service"))
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setModel(self.model)
        self.none = QPushButton(tr("None"))
        self.none.clicked.connect(lambda _checked=False: self.model.set_checked(()))
        self.done = QPushButton(tr("Done"))
        self.done.clicked.connect(lambda _checked=False: self.hide())
        buttons = QHBoxLayout()
        buttons.addWidget(self.none)
        buttons.addStretch(1)
        buttons.addWidget(self.done)
        fill_layout(QVBoxLayout(self), self.search, self.tree, buttons, wide=self.tree, margins=(4, 4, 4, 4))

    def set_single(self, on: bool) -> None:
        """Hide the button "None" if only one layer is allowed."""
        self.none.setVisible(not on)

    def _search(self, text: str) -> None:
        self.model.search(text)
        if len(self.model.requestable_nodes()) <= (_MAX_EXPANDED * 10 if text else _MAX_EXPANDED):
            self.tree.expandAll()

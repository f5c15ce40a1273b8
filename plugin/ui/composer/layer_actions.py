"""The services and own layers of the custom map: changed by their rows, with the dialogs that these open."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerTree, QgsLayerTreeNode, QgsMapLayer
from qgis.gui import QgsLayerTreeView, QgsLayerTreeViewIndicator, QgsMapLayerComboBox
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout, QWidget

from ...app.maps.document_controller import DocumentController
from ...app.maps.map_controller import MapController
from ...app.maps.map_state import (
    MapItem,
    MapPart,
    MapRowState,
    OwnItem,
    ServiceRemedy,
    layer_ids_of,
    title_of,
    without_wms_prefix,
)
from ...app.maps.offline_controller import OfflineController
from ...app.maps.time_series_controller import TimeSelectionController
from ...app.maps.unavailable_services import UnavailableServices
from ...app.page.legend_controller import LegendController, RowLegendController
from ...app.page.page_preview_controller import PagePreviewController
from ...app.phrases import shown_in_text
from ...app.window import MapWindow, Notifier, Prompts
from ...core.custommap import own_sources
from ...core.custommap.model import MapEntry
from ...core.i18n import tr
from ...core.text import inert
from ...gis.credits.layer_credits import written_credit
from ...gis.credits.layer_metadata import is_outline
from ...gis.layers.project_group import can_be_own_layer
from ...gis.layers.removed_layers import ShownIn
from ...gis.runtime.guide_pages import GuideTopic
from ..legend import LegendEditor
from ..service.add_layers_dialog import AddLayersDialog
from ..widgets.dialogs import dialog_button_box
from ..widgets.form_widgets import fill_layout, wheel_needs_focus
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon
from .map_rows import MapRows


class LayerActions(QObject):
    """Changes what is on the map as the person says in its rows, and shows which services are missing."""

    def __init__(self, rows: MapRows, map_controller: MapController, preview: PagePreviewController,
                 offline: OfflineController, documents: DocumentController, times: TimeSelectionController,
                 map_window: MapWindow, notifier: Notifier, prompts: Prompts, window: QWidget) -> None:
        """Dialogs are windows of ``window``. Legends that ``preview`` has fetched are not requested again."""
        super().__init__(window)
        self._rows, self._map, self._documents, self._window = rows, map_controller, documents, window
        self._notifier = notifier
        self.unavailable = UnavailableServices(map_controller, offline.toggle_snapshot, documents.find_other_maps,
                                               notifier, self)
        self.indicators = TreeIndicators(lambda: map_window.layer_tree_view, self.unavailable.show_message, self)
        self.own_layers = OwnLayerActions(map_controller, prompts, window)
        self.legends = RowLegendController(map_controller, preview, self)
        self.page_legend = LegendController(map_controller, preview, self)
        #: while it is open
        self.legend_editor: Optional[LegendEditor] = None
        #: close the messages that offer to put back what was removed from this map
        self._close_undos: list[Callable[[], object]] = []
        rows.opacity_changed.connect(map_controller.set_opacity)
        rows.blend_requested.connect(map_controller.set_blend)
        rows.visible_changed.connect(map_controller.set_visible)
        rows.role_requested.connect(map_controller.set_role)
        rows.move_requested.connect(map_controller.move)
        rows.remove_requested.connect(map_controller.remove)
        rows.layers_requested.connect(self._choose_layers)
        rows.time_requested.connect(times.ask_time)
        rows.remedy_requested.connect(self._apply_remedy)
        rows.credit_requested.connect(self.own_layers.ask_credit)
        rows.locate_requested.connect(self.own_layers.ask_file)
        rows.legend_requested.connect(lambda number: self._show_legend(number, fetch=True))
        rows.legend_edit_requested.connect(lambda number: self.edit_legend(map_controller.stack[number]))
        self.legends.changed.connect(self._on_legend_changed)
        map_controller.removed.connect(self._on_removed)
        map_controller.custom_map.begun.connect(self._withdraw_undos)
        map_controller.has_fewer_layers.connect(self._on_fewer_layers)

    def close(self) -> None:
        """Close what was opened, and give up the legends that are being fetched."""
        self.unavailable.close()
        self.indicators.clear()
        self.legends.close()
        if self.legend_editor is not None:
            self.legend_editor.close()

    def row_states(self) -> list[MapRowState]:
        """Return what the rows show, bottom first."""
        lacking = self.legends.lacking()
        return [replace(state, remedies=self.unavailable.remedies(part),
                        detail=f"{state.detail} · {tr('legend incomplete')}" if part in lacking else state.detail)
                for part in self._map.stack for state in [part.row_state()]]

    def refresh(self) -> None:
        """Show the editor of the legend and the icons in the layer tree as the map is now."""
        root = self._map.project.layerTreeRoot()
        nodes: list[tuple[QgsLayerTreeNode, str]] = []
        # beside those layers of a service that did not come, beside all if none is known, else beside the map's group
        for part in self.unavailable.parts():
            text = tr("“{title}”: {problem}.", title=title_of(part), problem=part.state.problem or part.problem)
            missing = [layer_id for layer_id in layer_ids_of(part)
                       if self._map.builds.states.state(layer_id).is_missing]
            own = [root.findLayer(layer_id) for layer_id in missing or layer_ids_of(part)]
            nodes.extend((node, text) for node in own or [self._map.mirror.find_group()] if node is not None)
        self.indicators.show(nodes)
        if self.legend_editor is not None:
            self.legend_editor.show_tree()

    def edit_legend(self, part: Optional[MapPart] = None) -> None:
        """Open the editor of the page's legend, with the layers of ``part`` chosen. There is one editor."""
        if self.legend_editor is None:
            self.legend_editor = LegendEditor(self.page_legend, self._window)
            self.legend_editor.finished.connect(self._forget_legend_editor)
        if part is not None:
            self.legend_editor.select(self.page_legend.references_of(part))
        self.legend_editor.show()
        self.legend_editor.raise_()
        self.legend_editor.activateWindow()
        self.legend_editor.tree.setFocus()

    def _forget_legend_editor(self, _result: int) -> None:
        self.legend_editor = None

    def _show_legend(self, number: int, fetch: bool = False) -> None:
        if 0 <= number < len(self._map.stack):
            self._rows.show_legend(number, self.legends.legend(self._map.stack[number], fetch))

    def _on_legend_changed(self, part: MapPart) -> None:
        if part in self._map.stack:
            self._show_legend(self._map.stack.index(part))

    def _on_removed(self, item: MapPart, index: int, shown: ShownIn) -> None:
        def put_back() -> None:
            self._map.insert(item if isinstance(item, OwnItem) else MapItem(item.entry, item.role), index)

        title = item.own.name if isinstance(item, OwnItem) else item.entry.title
        text = tr("“{title}” removed from the map.", title=title)
        self._offer_undo(f"{text} {shown_in_text(shown)}".strip(), put_back)

    def _on_fewer_layers(self, item: MapItem, former: MapEntry, shown: ShownIn) -> None:
        def put_back() -> None:
            self._map.builds.build(MapItem(former, item.role, replaces=item))

        text = tr("“{title}” has fewer layers on the map.", title=item.entry.title)
        self._offer_undo(f"{text} {shown_in_text(shown)}", put_back)

    def _offer_undo(self, text: str, put_back: Callable[[], object]) -> None:
        self._close_undos.append(self._notifier.notify(text, tr("Undo"), put_back))

    def _withdraw_undos(self) -> None:
        closing, self._close_undos = self._close_undos, []
        for close in closing:
            close()

    def _apply_remedy(self, number: int, remedy: ServiceRemedy) -> None:
        part = self._map.stack[number]
        if remedy is ServiceRemedy.OPEN and isinstance(part, OwnItem):
            self._documents.ask_to_open(part)
        elif isinstance(part, OwnItem) and not part.layer_id:
            self._map.builds.retry_own_layer(part)
        else:
            self.unavailable.apply(remedy, [part])

    def _choose_layers(self, number: int) -> None:
        """Let the person choose other layers and styles of a service on the map."""
        item = self._map.stack[number]
        if not isinstance(item, MapItem):
            # rows of own layers have no actions that need a service
            raise LookupError(number)
        service = self._map.service_of(item.entry)
        if service is None:
            self._map.builds.reload(item)
            return
        dialog = AddLayersDialog(without_wms_prefix(item.entry.title), service, self._map.crs(), item.role,
                                 item.entry.layers or None, self._window, is_on_map=True)
        dialog.set_styles(dict(zip(item.entry.layers, item.entry.styles)))
        dialog.chosen.connect(lambda choice: self._map.change_layers(item, choice))
        dialog.load_images(item.entry.endpoint, ())
        dialog.show()


class TreeIndicators(QObject):
    """Icons beside nodes of the layer tree. ``on_clicked`` is called when one is clicked."""

    def __init__(self, find_view: Callable[[], Optional[QgsLayerTreeView]], on_clicked: Callable[[], object],
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._find_view, self._on_clicked = find_view, on_clicked
        self._shown: List[Tuple[QgsLayerTreeNode, QgsLayerTreeViewIndicator]] = []
        self._root: Optional[QgsLayerTree] = None

    @property
    def texts(self) -> List[str]:
        """The tooltips of the icons that are shown."""
        return [str(indicator.toolTip()) for _, indicator in self._shown]

    def show(self, nodes: Sequence[Tuple[QgsLayerTreeNode, str]]) -> None:
        """Show an icon beside each of ``nodes``, with a tooltip, and none elsewhere."""
        wanted = [(node, inert(text)) for node, text in nodes if node is not None]
        if [(node, indicator.toolTip()) for node, indicator in self._shown] == wanted:
            return
        view = self._find_view()
        self.clear()
        if view is None:
            return
        if self._root is None and wanted:
            self._root = view.layerTreeModel().rootGroup()
            self._root.willRemoveChildren.connect(self._on_removing)
        for node, text in wanted:
            indicator = QgsLayerTreeViewIndicator(view)
            indicator.setIcon(icon("mIconWarning"))
            indicator.setToolTip(inert(text))
            indicator.clicked.connect(lambda _index: self._on_clicked())
            view.addIndicator(node, indicator)
            self._shown.append((node, indicator))
        view.viewport().update()

    def clear(self) -> None:
        if self._root is not None and not sip.isdeleted(self._root):
            self._root.willRemoveChildren.disconnect(self._on_removing)
        self._root = None
        self._remove(self._shown)

    def _remove(self, going: Sequence[Tuple[QgsLayerTreeNode, QgsLayerTreeViewIndicator]]) -> None:
        view = self._find_view()
        self._shown = [shown for shown in self._shown if shown not in going]
        for node, indicator in going:
            if view is not None and not sip.isdeleted(indicator):
                if not sip.isdeleted(node):
                    view.removeIndicator(node, indicator)
                indicator.deleteLater()
                view.viewport().update()

    def _on_removing(self, parent: QgsLayerTreeNode, first: int, last: int) -> None:
        """Remove the icons of nodes that end, which the view would paint beside a new node at the same address."""
        ending = parent.children()[first:last + 1] if self._shown else []

        def ends(node: Optional[QgsLayerTreeNode]) -> bool:
            return node is not None and (node in ending or ends(node.parent()))

        self._remove([shown for shown in self._shown if not sip.isdeleted(shown[0]) and ends(shown[0])])


class OwnLayerDialog(QDialog):
    """Dialog that emits ``chosen`` with a layer of the project and its credit. Not modal."""

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
        self.credit_edit.setAccessibleName(tr("Credit"))
        self.credit_edit.setPlaceholderText(tr("Printed with the credits; empty for none"))
        self.credit_edit.setMinimumWidth(
            self.credit_edit.fontMetrics().horizontalAdvance(self.credit_edit.placeholderText()) + 16)
        note = PlainLabel(tr("The layer is drawn above the others and can be moved between them. The map refers to it "
                             "where it is.") if self.layer_combo.count() else
                          tr("The project has no other layer. Add one to QGIS first."), wraps=True)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(tr("&Layer"), self.layer_combo)
        form.addRow(tr("&Credit"), self.credit_edit)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS)
        self.add_button = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        fill_layout(QVBoxLayout(self), form, note, self.buttons, margins=None)
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
    """Dialog that emits ``entered`` with the credit of a layer. Not modal."""

    entered = pyqtSignal(str)

    def __init__(self, title: str, credit: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Credit"))
        self.credit_edit = QLineEdit(credit)
        self.credit_edit.setAccessibleName(tr("Credit of {title}", title=title))
        self.credit_edit.setMinimumWidth(self.fontMetrics().averageCharWidth() * 48)
        self.buttons = dialog_button_box(self, GuideTopic.MAPS, QDialogButtonBox.StandardButton.Ok,
                                         QDialogButtonBox.StandardButton.Cancel)
        label = PlainLabel(tr("Printed with the credits for {title}:", title=title), wraps=True)
        fill_layout(QVBoxLayout(self), label, self.credit_edit, self.buttons, margins=None)
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
        excepted = [layer for layer in self._map.project.mapLayers().values()
                    if layer.id() in on_map or is_outline(layer) or not can_be_own_layer(layer)]
        dialog = OwnLayerDialog(excepted, self._window)
        dialog.chosen.connect(self._map.add_own_layer)
        self._show(dialog)

    def ask_credit(self, number: int) -> None:
        """Let the person enter the credit of the own layer in row ``number``."""
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

"""The services and own layers of the custom map: changed by their rows, with the dialogs that these open."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Optional

from qgis.core import QgsLayerTreeNode
from qgis.PyQt.QtCore import QObject
from qgis.PyQt.QtWidgets import QWidget

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
from ...app.page.legend_controller import LegendController
from ...app.page.page_preview_controller import PagePreviewController
from ...app.page.row_legend_controller import RowLegendController
from ...app.phrases import shown_in_text
from ...app.window import MapWindow, Notifier, Prompts
from ...core.custommap.model import MapEntry
from ...core.i18n import tr
from ...gis.layers.removed_layers import ShownIn
from ..legend import LegendEditor
from ..service.add_layers_dialog import AddLayersDialog
from .map_rows import MapRows
from .own_layer_dialogs import OwnLayerActions
from .tree_indicators import TreeIndicators


class LayerActions(QObject):
    """Changes what is on the map as the person says in its rows, and shows which services are missing."""

    def __init__(self, rows: MapRows, map_controller: MapController, preview: PagePreviewController,
                 offline: OfflineController, documents: DocumentController, times: TimeSelectionController,
                 map_window: MapWindow, notifier: Notifier, prompts: Prompts, window: QWidget) -> None:
        """Dialogs are windows of ``window``. Legends that ``preview`` has fetched are not requested again."""
        super().__init__(window)
        self._rows, self._map, self._documents, self._window = rows, map_controller, documents, window
        self._notifier = notifier
        self.unavailable = UnavailableServices(map_controller, offline.toggle_snapshot, notifier, self)
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
        return [replace(part.row_state(), remedies=self.unavailable.remedies(part)) for part in self._map.stack]

    def refresh(self) -> None:
        """Show the editor of the legend and the icons in the layer tree as the map is now."""
        root = self._map.project.layerTreeRoot()
        nodes: list[tuple[QgsLayerTreeNode, str]] = []
        # beside the layers of a service, else beside the map's group
        for part in self.unavailable.parts():
            text = tr("“{title}”: {problem}.", title=title_of(part), problem=part.state.problem or part.problem)
            own = [root.findLayer(layer_id) for layer_id in layer_ids_of(part)]
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
                                 item.entry.layers or None, self._window)
        dialog.set_styles(dict(zip(item.entry.layers, item.entry.styles)))
        dialog.chosen.connect(lambda choice: self._map.change_layers(item, choice))
        dialog.load_images(item.entry.endpoint, ())
        dialog.show()

"""Private copies of layouts with their project and layers, which an export draws from.

While a page is drawn QGIS handles events, so anything may happen to the open project: layers are removed or styled
anew, another project is opened, a layout is deleted. The copies know nothing of it. Layers that cannot be copied
without a request to their server, or without losing unsaved edits, are held instead: they stay alive when the project
removes them, and the work ends with an error if one of them is changed meanwhile.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsFeedback,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
    QgsRelation,
    QgsRelationContext,
    QgsVectorLayer,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.sources.kinds import kind_of
from ...core.sources.source_kind import SourceProof
from ..credits.expression_functions import extra_project
from ..credits.layer_credits import annotations_of, layers_of_map, owed_credits
from ..credits.layer_metadata import is_drawn_at, scale_range
from ..layouts import layout_items
from ..legends.legend_nodes import restore_swatches
from ..network import bound_origins
from ..runtime.drawn_source import drawn_source
from ..sources.kinds import layer_kind
from ..sources.layer_source import drawn_parts, is_group_layer, marks_of, set_marks

#: percent of the work that is done once all images are here, and once the pages are written
FETCHED_PERCENT, WRITTEN_PERCENT = 80.0, 95.0
#: share of a layer's limit within which a map's scale counts as close to it
_CLOSE_SCALES = 0.02


class ExportFeedback(QgsFeedback):
    """Progress of an export. ``stage_changed`` carries a text about the page that is drawn or read back."""

    stage_changed = pyqtSignal(str)

    def begin_page(self, number: int, count: int, text: str = "") -> None:
        """Report that page ``number`` of ``count``, counted from 1, is drawn, with ``text`` for a frame."""
        if count > 1:
            self.stage_changed.emit(text or tr("Page {number} of {count}", number=number, count=count))
        self._report(number, count, FETCHED_PERCENT, WRITTEN_PERCENT)

    def begin_proof(self, number: int, count: int) -> None:
        """Report that the credits of page ``number`` of ``count``, counted from 1, are read back."""
        self.stage_changed.emit(tr("Reading the credits of the written pages"))
        self._report(number, count, WRITTEN_PERCENT, 100.0)

    def _report(self, number: int, count: int, percent: float, end: float) -> None:
        self.setProgress(max(self.progress(), percent + (end - percent) * (number - 1) / count))


class SealedLayouts:
    """Copies of layouts, in the order of the originals, and the feedback of the work on them."""

    def __init__(self) -> None:
        self.layouts: List[QgsPrintLayout] = []
        self.feedback = ExportFeedback()
        self.reason: Optional[CartoguideError] = None
        self._held: List[Tuple[QgsMapLayer, object]] = []

    def hold(self, layers: Sequence[Tuple[QgsMapLayer, object]]) -> None:
        """Remember the appearance of the layers that are drawn themselves, without a copy."""
        self._held = list(layers)

    def check_unchanged(self) -> None:
        """Raise CartoguideError if a layer that is drawn without a copy has changed."""
        for layer, appearance in self._held:
            if sip.isdeleted(layer) or _appearance(layer) != appearance:
                name = tr("A layer") if sip.isdeleted(layer) else layer.name()
                raise CartoguideError(tr("“{layer}” was changed while the map was drawn, so the map was not exported. "
                                         "Export it again.", layer=name))

    def abort(self, reason: CartoguideError) -> None:
        """End the work as soon as it handles events. ``sealed`` then raises ``reason``."""
        self.reason = self.reason or reason
        self.feedback.cancel()


@dataclass(frozen=True)
class _Originals:
    """State of everything that the layouts draw from at one moment, as XML where QGIS can write it."""

    source: QgsProject
    context: QgsReadWriteContext
    document: QDomDocument
    #: each with the number of the feature of its atlas that it shows, -1 for none
    layouts: Sequence[Tuple[str, QDomElement, int]]
    layers: Sequence[QgsMapLayer]
    drawn: Sequence[QgsMapLayer]
    styles: Dict[str, QDomElement]
    appearances: Dict[str, object]
    tree: QDomElement
    themes: QDomDocument
    annotations: Sequence[Any]
    layer_order: Optional[Sequence[str]]


#: the work that is being done on copies, one within the other
_open: List[SealedLayouts] = []
#: the object that owns the layers that were removed from their project meanwhile, if there is such work
_removed_layers: List[QObject] = []


def abort_all(reason: str) -> bool:
    """End all work on copies, when the plugin is unloaded. Return whether there was any."""
    for work in list(_open):
        work.abort(CartoguideError(reason))
    return bool(_open)


@contextmanager
def sealed(layouts: Sequence[QgsPrintLayout], feedback: Optional[QgsFeedback] = None) -> Iterator[SealedLayouts]:
    """Yield copies of ``layouts``, all of one project, that nothing in the open project can change. Main thread only.

    A cancel of ``feedback`` cancels the copies' feedback, and the copies' progress is reported to it. Raises Cancelled,
    and CartoguideError if QGIS cannot copy a layout or if the work was aborted.
    """
    if feedback is not None and feedback.isCanceled():
        raise Cancelled
    work = SealedLayouts()
    with ExitStack() as stack:
        if feedback is not None:
            _connect_feedback(work.feedback, feedback, stack)
        source = layouts[0].project()
        _hold_layers(source, stack)
        _open.append(work)
        stack.callback(_open.remove, work)
        originals = _read_originals(source, layouts)
        target = QgsProject()
        stack.callback(target.clear)
        # before anything handles events
        _copy_settings(source, target)
        _copy_relations(source, target)
        stack.enter_context(extra_project(target))
        held = _fill_project(target, originals, stack)
        work.hold([(layer, originals.appearances[layer.id()]) for layer in held])
        work.layouts = _copy_layouts(target, originals, stack)
        _keep_off_scale_limits(work.layouts, held)
        try:
            yield work
        except Cancelled:
            if work.reason is not None:
                raise work.reason from None
            raise


def _connect_feedback(inner: ExportFeedback, outer: QgsFeedback, stack: ExitStack) -> None:
    def report(percent: float) -> None:
        if not sip.isdeleted(outer):
            outer.setProgress(percent)

    def report_stage(text: str) -> None:
        if isinstance(outer, ExportFeedback) and not sip.isdeleted(outer):
            outer.stage_changed.emit(text)

    outer.canceled.connect(inner.cancel)
    inner.progressChanged.connect(report)
    inner.stage_changed.connect(report_stage)

    def disconnect() -> None:
        inner.progressChanged.disconnect(report)
        inner.stage_changed.disconnect(report_stage)
        if not sip.isdeleted(outer):
            outer.canceled.disconnect(inner.cancel)

    stack.callback(disconnect)


def _hold_layers(source: QgsProject, stack: ExitStack) -> None:
    """Keep layers alive that ``source`` removes within the context: it deletes only those that it is the parent of."""
    if not _removed_layers:
        _removed_layers.append(QObject())

    def rescue(layer_ids: Sequence[str]) -> None:
        for layer_id in layer_ids:
            layer = source.mapLayer(layer_id)
            if layer is not None:
                layer.setParent(_removed_layers[0])

    removed = source.layersWillBeRemoved["QStringList"]
    removed.connect(rescue)

    def release() -> None:
        if not sip.isdeleted(source):
            removed.disconnect(rescue)
        if not _open:
            sip.delete(_removed_layers.pop())

    stack.callback(release)


def _read_originals(source: QgsProject, layouts: Sequence[QgsPrintLayout]) -> _Originals:
    """Read everything that is copied. No event is handled meanwhile."""
    context, document, themes = QgsReadWriteContext(), QDomDocument(), QDomDocument()
    context.setPathResolver(source.pathResolver())
    root = document.createElement("qgis")
    document.appendChild(root)
    themes.appendChild(themes.createElement("qgis"))
    source.mapThemeCollection().writeXml(themes)
    tree = source.layerTreeRoot()
    tree.writeXml(root, context)
    layers = list(source.mapLayers().values())
    drawn = _drawn_layers(layouts)
    styles: Dict[str, QDomElement] = {}
    # a tree that is copied gives its groups other layers, and none when it ends
    for layer in {layer.id(): layer for layer in (*drawn, *filter(is_group_layer, layers))}.values():
        element = document.createElement("maplayer")
        if _can_be_copied(layer) and layer.writeLayerXml(element, document, context):
            styles[layer.id()] = element
    return _Originals(
        source, context, document, [(layout.name(), layout.writeXml(document, context), _shown_feature(layout))
                                    for layout in layouts], layers,
        drawn, styles, {layer.id(): _appearance(layer) for layer in drawn}, root.firstChildElement("layer-tree-group"),
        themes, list(source.annotationManager().cloneAnnotations()),
        [layer.id() for layer in tree.customLayerOrder()] if tree.hasCustomLayerOrder() else None)


def _drawn_layers(layouts: Sequence[QgsPrintLayout]) -> List[QgsMapLayer]:
    """Return the layers that the layouts read, for maps, legends or else, each once."""
    found: Dict[str, QgsMapLayer] = {}
    for layout in layouts:
        found.update((layer.id(), layer) for layer in layout_items.layers_beside_maps(layout))
        for item in layout.items():
            layers: Sequence[Optional[QgsMapLayer]] = ()
            if isinstance(item, QgsLayoutItemMap):
                # the project's own annotations are copied with it
                notes = annotations_of(layout.project())
                shown = [layer for layer in layers_of_map(item) if layer is not None and layer not in notes]
                # a map's copy of a group has another id than the project's
                layers = [part for layer in layout_items.map_layers(item, shown)
                          for part in (layout.project().mapLayer(layer.id()) or layer, *drawn_parts(layer))]
            elif isinstance(item, QgsLayoutItemLegend):
                layers = [node.layer() for node in item.model().rootGroup().findLayers()]
            found.update((layer.id(), layer) for layer in layers if layer is not None)
    return list(found.values())


def _copy_settings(source: QgsProject, target: QgsProject) -> None:
    """Copy what maps, expressions and relative paths take from the project."""
    target.setFileName(source.fileName())
    target.setPresetHomePath(source.presetHomePath())
    target.setCrs(source.crs())
    target.setEllipsoid(source.ellipsoid())
    target.setTransformContext(source.transformContext())
    target.setDistanceUnits(source.distanceUnits())
    target.setAreaUnits(source.areaUnits())
    target.setBackgroundColor(source.backgroundColor())
    target.setSelectionColor(source.selectionColor())
    target.setTitle(source.title())
    target.setMetadata(source.metadata())
    target.setCustomVariables(source.customVariables())
    target.setLabelingEngineSettings(source.labelingEngineSettings())
    document, context = QDomDocument(), QgsReadWriteContext()
    for name in ("timeSettings", "viewSettings", "displaySettings", "styleSettings"):
        # QGIS 3.26 and newer have settings of styles, among them the colour model of a PDF
        if hasattr(source, name):
            getattr(target, name)().readXml(getattr(source, name)().writeXml(document, context), context)
    if hasattr(source, "elevationShadingRenderer"):
        # QGIS 3.30 and newer shade the relief of all layers of a map
        target.setElevationShadingRenderer(source.elevationShadingRenderer())
    if hasattr(source, "scaleMethod"):
        # QGIS 3.42 and newer measure the scale of a map in degrees at its middle, or elsewhere
        target.setScaleMethod(source.scaleMethod())
    context.setPathResolver(source.pathResolver())
    notes = document.createElement("maplayer")
    # as QGIS copies them with a project, with their credit
    if source.mainAnnotationLayer().writeLayerXml(notes, document, context):
        target.mainAnnotationLayer().readLayerXml(notes, context)
        set_marks(target.mainAnnotationLayer(), marks_of(source.mainAnnotationLayer()))


def _copy_relations(source: QgsProject, target: QgsProject) -> None:
    """Copy the relations, which are resolved by the ids of their layers."""
    relations = []
    for original in source.relationManager().relations().values():
        relation = QgsRelation(QgsRelationContext(target))
        relation.setId(original.id())
        relation.setName(original.name())
        relation.setStrength(original.strength())
        relation.setReferencingLayer(original.referencingLayerId())
        relation.setReferencedLayer(original.referencedLayerId())
        for referencing, referenced in original.fieldPairs().items():
            relation.addFieldPair(referencing, referenced)
        relations.append(relation)
    target.relationManager().setRelations(relations)


def _fill_project(target: QgsProject, originals: _Originals, stack: ExitStack) -> List[QgsMapLayer]:
    """Give ``target`` copies of the layers drawn and the other layers themselves. Return the drawn ones not copied."""
    source = originals.source
    layers = {layer.id(): layer for layer in (*originals.layers, *originals.drawn)}
    lent: List[QgsMapLayer] = []
    without_project = {layer.id() for layer in originals.drawn if layer.parent() is None}

    def lend(layer: QgsMapLayer) -> None:
        # Python's addMapLayer makes the project the layer's parent, and only the parent deletes it
        lent.append(layer)
        target.addMapLayer(layer, False)

    def give_back() -> None:
        # before the tree, which takes from them the layers that it loses
        target.removeMapLayers([layer.id() for layer in copies if is_group_layer(layer)])
        for layer in lent:
            if sip.isdeleted(layer):
                continue
            if layer.id() in without_project:
                layer.setParent(None)
            elif not sip.isdeleted(source) and source.mapLayer(layer.id()) is layer:
                layer.setParent(source.layerStore())

    copies: List[QgsMapLayer] = []
    stack.callback(give_back)
    # first those that are not copied, because QGIS may handle events while it makes a copy
    for layer_id, layer in layers.items():
        if layer_id not in originals.styles:
            lend(layer)
    for layer_id, element in originals.styles.items():
        if sip.isdeleted(layers[layer_id]):
            # it was in no project, so nobody announced that it goes
            continue
        copy = _copy_layer(layers[layer_id], element, originals.context)
        if copy is None:
            lend(layers[layer_id])
        else:
            copies.append(copy)
            target.addMapLayer(copy, False)
    for copy in copies:
        copy.resolveReferences(target)
    restore_swatches(copies)
    root = target.layerTreeRoot()
    root.readChildrenFromXml(originals.tree, originals.context)
    root.resolveReferences(target)
    if originals.layer_order is not None:
        root.setHasCustomLayerOrder(True)
        root.setCustomLayerOrder([layer for layer in map(target.mapLayer, originals.layer_order) if layer is not None])
    target.mapThemeCollection().readXml(originals.themes)
    for annotation in originals.annotations:
        target.annotationManager().addAnnotation(annotation)
    drawn = {layer.id() for layer in originals.drawn}
    return [layer for layer in lent if not sip.isdeleted(layer) and layer.id() in drawn]


def _shown_feature(layout: QgsPrintLayout) -> int:
    """Return the number of the feature of QGIS's own atlas that a layout shows, or -1."""
    is_shown = layout.atlas().enabled() and layout.reportContext().feature().isValid()
    return int(layout.atlas().currentFeatureNumber()) if is_shown else -1


def _copy_layouts(target: QgsProject, originals: _Originals, stack: ExitStack) -> List[QgsPrintLayout]:
    copies = []
    for name, element, number in originals.layouts:
        copy = QgsPrintLayout(target)
        is_read = copy.readXml(element, originals.document, originals.context)
        if is_read and number >= 0:
            # texts, extents and clips of the copy follow it
            is_read = copy.atlas().beginRender() and copy.atlas().seekTo(number)
        if not is_read:
            raise CartoguideError(tr("QGIS could not copy the layout “{name}” to export it.", name=name))
        copy.setName(name)
        # the manager deletes a second layout of one name, and a layout may be printed twice
        if target.layoutManager().layoutByName(name) is None:
            target.layoutManager().addLayout(copy)
        else:
            # before its project, to which its items point
            stack.callback(sip.delete, copy)
        copies.append(copy)
    return copies


def _keep_off_scale_limits(layouts: Sequence[QgsPrintLayout], held: Sequence[QgsMapLayer]) -> None:
    """Move the limits of copied layers away from the scales of the maps, so that these are clearly on their side of it.

    QGIS rounds a map to whole pixels and draws it at the scale of these, which differs by up to some thousandths from
    the one that decides on legend, notes and findings. A limit between the scales of two maps stays.
    """
    scales: Dict[str, Tuple[QgsMapLayer, List[float]]] = {}
    for layout in layouts:
        for item in layout.items():
            for layer in layers_of_map(item) if isinstance(item, QgsLayoutItemMap) else ():
                if layer is not None and not any(layer is other for other in held):
                    scales.setdefault(layer.id(), (layer, []))[1].append(item.scale())
    for layer, denominators in scales.values():
        largest, smallest = scale_range(layer)
        for limit, set_limit, side in ((largest, layer.setMaximumScale, 1), (smallest, layer.setMinimumScale, -1)):
            close = [scale for scale in denominators if limit and abs(scale / limit - 1) < _CLOSE_SCALES]
            drawn = {is_drawn_at(layer, scale) for scale in close}
            if limit and len(drawn) == 1:
                set_limit(limit * (1 + 2 * _CLOSE_SCALES * (-side if drawn.pop() else side)))


def _can_be_copied(layer: QgsMapLayer) -> bool:
    """Return whether a layer is copied.

    Held instead are layers with unsaved edits or auxiliary fields, virtual layers, which read the open project, layers
    of plugins, and everything that asks a server first: a service whose capabilities are not in QGIS's cache, a
    database, a file on the web.
    """
    if is_group_layer(layer):
        return True
    source = drawn_source(layer)
    return bool(layer.isValid()) and layer_kind(source).can_be_copied(layer, source)


def _copy_layer(layer: QgsMapLayer, element: QDomElement, context: QgsReadWriteContext) -> Optional[QgsMapLayer]:
    """Return a copy of ``layer`` with its id, styled as ``element`` says, or None if QGIS makes no such copy.

    That of a file or database which cannot be read any more is invalid, as the layer itself is not yet.
    """
    copy = layer.clone()
    if copy is None:
        return None
    # the copy keeps its provider, and takes over the id, which QGIS lets nobody set before 3.38
    if is_group_layer(layer):
        return copy if copy.readLayerXml(element, context) and copy.id() == layer.id() else None
    read = copy.readLayerXml(element, context, QgsMapLayer.ReadFlag.FlagDontResolveLayers)
    source = drawn_source(layer)
    if not copy.isValid() and copy.id() == layer.id() and kind_of(source).proof(source) is SourceProof.LOCAL:
        return copy
    if not read or not copy.isValid() or copy.id() != layer.id() or copy.dataProvider() is None:
        return None
    if bound_origins.is_bound(layer):
        # it may outlive the layer
        bound_origins.bind(copy)
    return copy


def _appearance(layer: QgsMapLayer) -> object:
    """Return what decides how a layer is drawn and credited, to be compared."""
    document = QDomDocument()
    layer.exportNamedStyle(document)
    edits = layer.undoStack().index() if isinstance(layer, QgsVectorLayer) else 0
    return (layer.source(), layer.isValid(), layer.opacity(), layer.crs().authid(), document.toString(), edits,
            owed_credits([layer]), [part.id() for part in drawn_parts(layer)])

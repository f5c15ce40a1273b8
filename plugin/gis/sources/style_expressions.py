"""Expressions in the style of a vector layer, and the other layers that they read: QGIS draws these without a layer."""

from __future__ import annotations

import re
from functools import cache
from typing import FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsFeatureRenderer,
    QgsFields,
    QgsGeometryGeneratorSymbolLayer,
    QgsGraduatedSymbolRenderer,
    QgsHeatmapRenderer,
    QgsPalLayerSettings,
    QgsProject,
    QgsPropertyCollection,
    QgsRenderContext,
    QgsRuleBasedLabeling,
    QgsRuleBasedRenderer,
    QgsSymbol,
    QgsSymbolLayer,
    QgsVectorLayer,
)

from ...core.sources.kinds import read_source
from ...core.sources.layer_source import LayerSource

#: functions whose arguments name the layer that they read, or a relation to it
_READING = re.compile(r"\b(?:(?:relation_)?aggregate|overlay_\w+|get_feature\w*|raster_(?:value|statistic))\s*\(",
                      re.IGNORECASE)
#: a layer that the expression opens itself, from its source and by a provider
_OPENING = re.compile(r"\bload_layer\s*\(\s*(?:uri\s*:=\s*)?'((?:[^']|'')*)'\s*,\s*(?:provider\s*:=\s*)?'(\w+)'",
                      re.IGNORECASE)
_STRING = re.compile(r"'(?:''|\\.|[^'\\])*'", re.DOTALL)


#: what names features by the numbers that QGIS gives them
_BY_NUMBER = frozenset(("$id", "get_feature_by_id"))


class NamedSources(NamedTuple):
    """Sources that expressions read: ids of layers, None for one that only the drawing knows, and other sources.

    With ``itself`` they look up the layer itself too.
    """

    layer_ids: Tuple[Optional[str], ...] = ()
    opened: Tuple[LayerSource, ...] = ()
    itself: bool = False


def named_sources(layer: QgsVectorLayer) -> NamedSources:
    """Return what the expressions of a layer's style read beside the layer itself."""
    texts = _drawing_expressions(layer)
    opened = [read_source(provider, uri.replace("''", "'")) for text in texts for uri, provider in
              _OPENING.findall(text)]
    context = QgsExpressionContext(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    found = named_layers(texts, context, layer.project())
    return NamedSources(tuple(one for one in found if one != layer.id()), tuple(dict.fromkeys(opened)),
                        layer.id() in found)


def aggregates_features(layer: QgsVectorLayer) -> bool:
    """Return whether a layer's style computes with features that need not be on the map: a sum, or a maximum."""
    return any(not _aggregates().isdisjoint(QgsExpression(text).referencedFunctions())
               for text in _drawing_expressions(layer))


def knows_numbers(layer: QgsVectorLayer) -> bool:
    """Return whether a layer's style distinguishes features by the numbers that QGIS gives them."""
    parsed = map(QgsExpression, _drawing_expressions(layer))
    return any(not _BY_NUMBER.isdisjoint(one.referencedFunctions()) or "id" in one.referencedVariables()
               for one in parsed)


@cache
def _aggregates() -> FrozenSet[str]:
    # what is evaluated by another function may be one of them
    return frozenset(("eval", *(one.name() for one in QgsExpression.Functions() if "Aggregates" in one.groups())))


def _drawing_expressions(layer: QgsVectorLayer) -> List[str]:
    """Return the expressions that a layer is drawn by, those of the computed fields in them too."""
    texts, fields = list(style_expressions(layer)), layer.fields()
    computed = {field.name(): layer.expressionField(number) for number, field in enumerate(fields)
                if fields.fieldOrigin(number) == QgsFields.FieldOrigin.OriginExpression}
    # what is added is looked through too
    for text in texts:
        texts += [computed.pop(name) for name in list(computed) if name in text]
    return texts


def named_layers(texts: Iterable[str], context: QgsExpressionContext,
                 project: Optional[QgsProject]) -> Tuple[Optional[str], ...]:
    """Return the ids of the layers that expressions read, None for one that cannot be known before it is drawn."""
    found: List[Optional[str]] = []
    for text in filter(_READING.search, texts):
        found += list(_named_in(text, context, project)) or [None]
    return tuple(dict.fromkeys(found))


def _named_in(text: str, context: QgsExpressionContext, project: Optional[QgsProject]) -> Iterator[str]:
    """Yield the ids of the layers that the texts and variables of an expression name."""
    variables = (f"@{name}" for name in QgsExpression(text).referencedVariables() if name)
    relations = project.relationManager() if project is not None else None
    for named in (*_STRING.findall(text), *variables):
        found = QgsExpression(f"layer_property({named}, 'id')").evaluate(context)
        relation = relations.relation(named[1:-1]) if relations is not None else None
        if found:
            yield str(found)
        elif relation is not None and relation.isValid():
            yield relation.referencingLayerId()


def style_expressions(layer: QgsVectorLayer) -> Iterator[str]:
    """Yield the expressions and fields that a layer's symbols, labels and diagrams are drawn by."""
    if layer.renderer() is None:
        return
    yield from symbol_expressions(layer.renderer().symbols(QgsRenderContext()))
    renderer = choosing_renderer(layer)
    if isinstance(renderer, QgsRuleBasedRenderer):
        yield from (rule.filterExpression() for rule in renderer.rootRule().descendants())
    elif isinstance(renderer, (QgsCategorizedSymbolRenderer, QgsGraduatedSymbolRenderer)):
        yield renderer.classAttribute()
    elif isinstance(renderer, QgsHeatmapRenderer):
        yield renderer.weightExpression()
    if layer.labelsEnabled() and isinstance(layer.labeling(), QgsRuleBasedLabeling):
        yield from (rule.filterExpression() for rule in layer.labeling().rootRule().descendants())
    for settings in label_settings(layer):
        yield from (settings.fieldName, settings.geometryGenerator if settings.geometryGeneratorEnabled else "")
        yield from property_expressions(settings.dataDefinedProperties())
    diagrams = layer.diagramRenderer()
    for one in diagrams.diagramSettings() if diagrams is not None else ():
        yield from one.categoryAttributes


def choosing_renderer(layer: QgsVectorLayer) -> Optional[QgsFeatureRenderer]:
    """Return the renderer that chooses the features: that inside of one of clusters or of inverted areas, for example.
    """
    renderer = layer.renderer()
    while renderer is not None and renderer.embeddedRenderer() is not None:
        renderer = renderer.embeddedRenderer()
    return renderer


def symbol_expressions(symbols: Sequence[QgsSymbol]) -> Iterator[str]:
    """Yield the expressions and quoted fields that symbols are drawn by."""
    for symbol in symbols:
        yield from property_expressions(symbol.dataDefinedProperties())
    for part in symbol_parts(symbols):
        yield from property_expressions(part.dataDefinedProperties())
        if isinstance(part, QgsGeometryGeneratorSymbolLayer):
            yield part.geometryExpression()


def property_expressions(properties: QgsPropertyCollection) -> Iterator[str]:
    """Yield the expressions and quoted fields that set properties."""
    if properties.count():
        yield from (properties.property(key).asExpression() for key in properties.propertyKeys()
                    if properties.isActive(key))


def symbol_parts(symbols: Iterable[Optional[QgsSymbol]]) -> Iterator[QgsSymbolLayer]:
    """Yield the layers of symbols, and those of the symbols in them."""
    waiting = [symbol for symbol in symbols if symbol is not None]
    while waiting:
        for part in waiting.pop().symbolLayers():
            yield part
            if part.subSymbol() is not None:
                waiting.append(part.subSymbol())


def label_settings(layer: QgsVectorLayer) -> List[QgsPalLayerSettings]:
    """Return the settings of a layer's labels, none where it is drawn without."""
    labeling = layer.labeling() if layer.labelsEnabled() else None
    return [] if labeling is None else [labeling.settings(name) for name in labeling.subProviders()]

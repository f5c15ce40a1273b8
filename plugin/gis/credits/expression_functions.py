"""Expression functions for any layout: ``cartoguide_credits()``, ``cartoguide_terms()``, ``cartoguide_sources()``.

Each describes the layers that a map shows when it is evaluated. Without an argument this is the layout's map with the
id "map", else its reference map. Outside layouts it is the map canvas. The argument may be the id of a layout's map, or
a layer set: an array of layers, their ids or their names. ``cartoguide_scale()`` is the ground's scale of a layout's
map.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionFunction,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
)

from ...core.i18n import tr

GROUP = "Cartoguide"
#: layout variable with the language of the functions' texts
LANGUAGE_VARIABLE = "cartoguide_language"

_TextFunction = Callable[[List[QgsMapLayer], str, Sequence[Any]], str]


class LayerFunction(QgsExpressionFunction):
    """Function over the layers that a map shows.

    ``text_function`` receives the layers (top first), the language and the arguments.
    """

    def __init__(self, name: str, names: Sequence[str], help_text: str, text_function: _TextFunction) -> None:
        parameters = [QgsExpressionFunction.Parameter(item, True) for item in names]
        # NULL is an argument like another; QGIS lists no function that is called contextual in its expression builder
        super().__init__(name, parameters, GROUP, help_text, False, True, False)
        self._text_function = text_function

    def func(self, values: Sequence[Any], context: Optional[QgsExpressionContext], parent: QgsExpression,
             _node: object) -> Any:
        from .layer_credits import visible_layers

        scope = context if context is not None else QgsExpressionContext()
        argument = values[0] if values else None
        try:
            layers, scale = shown_layers(argument, scope)
        except ValueError as error:
            parent.setEvalErrorString(str(error))
            return None
        return self._text_function(visible_layers(layers, scale), _language(scope), values)


class ScaleFunction(QgsExpressionFunction):
    """Function for the ground's scale of a layout's map: a denominator, or NULL where no single number is true."""

    def __init__(self) -> None:
        help_text = _help(
            "cartoguide_scale", tr("The scale of a layout's map on the ground, measured on the ellipsoid at its "
                                   "centre, as a denominator. NULL where no single number is true, as in degrees. "
                                   "QGIS's own @map_scale is measured in the map's plane."),
            (("map", tr("the id of a map in the layout. By default the map with the id “map”, else the reference map "
                        "of the layout")),), "'1:' || format_number(round(cartoguide_scale()), 0)")
        super().__init__("cartoguide_scale", [QgsExpressionFunction.Parameter("map", True)], GROUP, help_text, False,
                         True, False)

    def func(self, values: Sequence[Any], context: Optional[QgsExpressionContext], parent: QgsExpression,
             _node: object) -> Any:
        from ..runtime.ground_scale import printed_ratio

        scope = context if context is not None else QgsExpressionContext()
        if not scope.hasVariable("layout_name"):
            parent.setEvalErrorString(tr("Maps have ids in print layouts only."))
            return None
        item = _layout_map(str(scope.variable("layout_name") or ""), values[0] if values else None)
        return printed_ratio(item) if item is not None else None


def layer_functions() -> List[LayerFunction]:
    """Return the three functions with their help in the user's language."""
    which = tr("the id of a map in the layout, an array of such ids, or an array of layers (layer objects, ids or "
               "names). By default the map with the id “map”, else the reference map of the layout. Outside "
               "layouts: the map canvas")
    between = tr("the text between two credits, by default a line break")
    return [
        LayerFunction("cartoguide_credits", ("map", "separator"), _help(
            "cartoguide_credits", tr("The credits of the layers that a map shows, each once, starting with the "
                                     "topmost layer, with the address of the licence if it is known."),
            (("map", which), ("separator", between)), "cartoguide_credits('map', ' · ')"), _credits),
        LayerFunction("cartoguide_terms", ("map",), _help(
            "cartoguide_terms", tr("Licences and fees of the services that a map shows."), (("map", which),),
            "cartoguide_terms()"), _terms),
        LayerFunction("cartoguide_sources", ("map",), _help(
            "cartoguide_sources", tr("Title and address of the services that a map shows."), (("map", which),),
            "cartoguide_sources('map')"), _sources)]


#: projects besides the open one whose maps are being drawn
_extra_projects: List[QgsProject] = []


@contextmanager
def extra_project(project: QgsProject) -> Iterator[None]:
    """Let the functions find the layers of ``project`` too while its layouts are drawn.

    QGIS passes only its open project to expression functions.
    """
    _extra_projects.insert(0, project)
    try:
        yield
    finally:
        _extra_projects.remove(project)


#: layouts of no project that are being evaluated
_extra_layouts: List[QgsPrintLayout] = []


@contextmanager
def extra_layout(layout: QgsPrintLayout) -> Iterator[None]:
    """Let the functions find the maps of ``layout``, which is in no project, before those of its namesakes."""
    _extra_layouts.insert(0, layout)
    try:
        yield
    finally:
        _extra_layouts.remove(layout)


#: strong references: QGIS's list of functions does not keep the Python objects alive
_registered: List[QgsExpressionFunction] = []


def register() -> None:
    """Register the functions with QGIS. Does nothing if they are registered."""
    if not _registered:
        for function in (*layer_functions(), ScaleFunction()):
            if QgsExpression.registerFunction(function):
                _registered.append(function)


def unregister() -> None:
    for function in _registered:
        QgsExpression.unregisterFunction(function.name())
    _registered.clear()


def shown_layers(argument: Any, context: QgsExpressionContext) -> Tuple[List[QgsMapLayer], float]:
    """Return the layers that the argument names, top first, and their scale denominator (0 for any).

    Raises ValueError with a message for the user if the map does not exist.
    """
    if isinstance(argument, QgsMapLayer):
        return [argument], 0.0
    if isinstance(argument, (list, tuple)):
        return _layers_of_list(argument, context)
    in_layout = context.hasVariable("layout_name")
    if isinstance(argument, str) and argument:
        if not in_layout:
            raise ValueError(tr("Maps have ids in print layouts only."))
        return _layers_of_map_item(argument, context) or _raise_value_error(
            tr("The layout has no map with the id “{id}”.", id=argument))
    if in_layout:
        name = str(context.variable("layout_name") or "")
        return _layers_of_map_item("map", context) or _layers_of_reference_map(name, context) or ([], 0.0)
    from .layer_credits import annotations_of, visible_project_layers

    shown = [layer for layer in map(_find_layer, context.variable("map_layer_ids") or []) if layer is not None]
    project = QgsProject.instance()
    return [*annotations_of(project), *(shown or visible_project_layers(project))], float(
        context.variable("map_scale") or 0)


def _layers_of_list(items: Sequence[Any], context: QgsExpressionContext) -> Tuple[List[QgsMapLayer], float]:
    """Return the layers of a layer set or of several layout maps, each once. Each map draws them at its own scale."""
    from .layer_credits import visible_layers

    found: Dict[str, QgsMapLayer] = {}
    for item in items:
        layer = _find_layer(item)
        shown = None if layer is not None else _layers_of_map_item(str(item), context)
        for member in ([layer] if layer is not None else visible_layers(*shown) if shown else []):
            found.setdefault(member.id(), member)
    return list(found.values()), 0.0


def _layers_of_map_item(item_id: str, context: QgsExpressionContext) -> Optional[Tuple[List[QgsMapLayer], float]]:
    """Return layers and scale of the layout's map item as QGIS reports them, including themes and locked layers."""
    from .layer_credits import annotations_of, layers_read_by_styles

    if not item_id:
        return None
    name = QgsExpression.quotedString(item_id)
    # QGIS takes long to make the map of variables. Some of its values cannot be converted to Python
    found = QgsExpression(f"with_variable('of_item', item_variables({name}), array(map_get(@of_item, 'map_layer_ids'), "
                          "map_get(@of_item, 'map_scale')))").evaluate(context)
    ids, scale = found if isinstance(found, (list, tuple)) and len(found) == 2 else (None, None)
    if not isinstance(scale, (int, float)):
        return None
    shown = [layer for layer in map(_find_layer, ids or []) if layer is not None]
    item = _layout_map(str(context.variable("layout_name") or ""), item_id)
    project = item.layout().project() if item is not None else QgsProject.instance()
    read = layers_read_by_styles([item] if item is not None else [])
    return [*annotations_of(project), *shown, *(layer for layer in read if layer not in shown)], float(scale)


def _layers_of_reference_map(layout_name: str,
                             context: QgsExpressionContext) -> Optional[Tuple[List[QgsMapLayer], float]]:
    """Return layers and scale of the layout's reference map, which may have no id if a person drew it."""
    from .layer_credits import layers_of_map

    item = _layout_map(layout_name, reference=True)
    if item is None:
        return None
    return _layers_of_map_item(str(item.id()), context) or (layers_of_map(item), float(item.scale()))


def _layout_map(layout_name: str, item_id: Any = None, reference: bool = False) -> Optional[QgsLayoutItemMap]:
    """Return the map of a layout with this id, by default its map with the id "map", else its reference map.

    With ``reference`` it is the reference map.
    """
    projects = (*_extra_projects, QgsProject.instance())
    layouts = (*(one for one in _extra_layouts if one.name() == layout_name),
               *(project.layoutManager().layoutByName(layout_name) for project in projects))
    layout = next((candidate for candidate in layouts if candidate is not None), None)
    if not isinstance(layout, QgsPrintLayout):
        return None
    item = layout.referenceMap() if reference else layout.itemById(str(item_id or "map"))
    if item is None and not item_id:
        item = layout.referenceMap()
    return item if isinstance(item, QgsLayoutItemMap) else None


def _find_layer(layer_or_name: Any) -> Optional[QgsMapLayer]:
    if isinstance(layer_or_name, QgsMapLayer):
        return layer_or_name
    project = QgsProject.instance()
    # a copy of the open project has layers of the same ids, and is the one that is drawn
    layers = (candidate.mapLayer(str(layer_or_name)) for candidate in (*_extra_projects, project))
    return next((layer for layer in layers if layer is not None), None) or next(
        (layer for candidate in (*_extra_projects, project) for layer in candidate.mapLayersByName(str(layer_or_name))),
        None)


def _language(context: QgsExpressionContext) -> str:
    from ..runtime.i18n import user_locale

    return str(context.variable(LANGUAGE_VARIABLE) or user_locale())


def _credits(layers: List[QgsMapLayer], _language: str, values: Sequence[Any]) -> str:
    from .layer_credits import credits_text

    separator = values[1] if len(values) > 1 else None
    return credits_text(layers, separator if isinstance(separator, str) else "\n")


def _terms(layers: List[QgsMapLayer], language: str, _values: Sequence[Any]) -> str:
    from .layer_credits import terms_text

    return terms_text(layers, language)


def _sources(layers: List[QgsMapLayer], language: str, _values: Sequence[Any]) -> str:
    from .layer_credits import sources_text

    return sources_text(layers, language)


def _help(name: str, description: str, arguments: Sequence[Tuple[str, str]], example: str) -> str:
    rows = "".join(f"<tr><td><code>{argument}</code></td><td>{meaning}</td></tr>" for argument, meaning in arguments)
    parameters = ", ".join(argument for argument, _ in arguments)
    return f"<h3>{name}({parameters})</h3><p>{description}</p><table>{rows}</table><p><code>[% {example} %]</code></p>"


def _raise_value_error(message: str) -> Any:
    raise ValueError(message)

"""Expression functions for any layout: ``cartoguide_credits()``, ``cartoguide_terms()``, ``cartoguide_sources()``.

Each tells of the layers that a map shows at the moment when it is asked. Without an argument that is the layout's map
with the id "map", else its reference map; outside layouts what the map window shows. The argument may be the id of a
layout's map, or a layer set: an array of layers, their ids or their names.
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
#: the layout variable that says in which language its functions speak
LANGUAGE_VARIABLE = "cartoguide_language"

_TextFunction = Callable[[List[QgsMapLayer], str, Sequence[Any]], str]


class LayerFunction(QgsExpressionFunction):
    """One function over the layers that a map shows; ``speak`` gets them top first, the language, the arguments."""

    def __init__(self, name: str, names: Sequence[str], help_text: str, text_function: _TextFunction) -> None:
        parameters = [QgsExpressionFunction.Parameter(item, True) for item in names]
        # NULL is an argument like another; QGIS lists no function that is called contextual in its expression builder
        super().__init__(name, parameters, GROUP, help_text, False, True, False)
        self._text_function = text_function

    def func(self, values: Sequence[Any], context: Optional[QgsExpressionContext], parent: QgsExpression,
             _node: object) -> Any:
        """QGIS: the function's value."""
        from .credit_lines import visible_layers

        known = context if context is not None else QgsExpressionContext()
        given = values[0] if values else None
        try:
            layers, scale = shown_layers(given, known)
        except ValueError as error:
            parent.setEvalErrorString(str(error))
            return None
        return self._text_function(visible_layers(layers, scale), _language(known), values)


def layer_functions() -> List[LayerFunction]:
    """The three functions, their help in the user's language."""
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


#: projects beside the one that is open whose maps are drawn just now
_extra_projects: List[QgsProject] = []


@contextmanager
def extra_project(project: QgsProject) -> Iterator[None]:
    """Know the layers of ``project`` too while its layouts are drawn: QGIS tells a function its open project only."""
    _extra_projects.insert(0, project)
    try:
        yield
    finally:
        _extra_projects.remove(project)


#: strong references: QGIS's own list of functions does not keep the Python half
_registered: List[LayerFunction] = []


def register() -> None:
    """Make the functions known to QGIS; twice does no harm."""
    if not _registered:
        for function in layer_functions():
            if QgsExpression.registerFunction(function):
                _registered.append(function)


def unregister() -> None:
    """Take the functions away again."""
    for function in _registered:
        QgsExpression.unregisterFunction(function.name())
    _registered.clear()


def shown_layers(argument: Any, context: QgsExpressionContext) -> Tuple[List[QgsMapLayer], float]:
    """The layers that ``given`` names, top first, and the scale that they are shown at (0: any).

    ValueError, in words, where there is no such map.
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
    from .credit_lines import visible_project_layers

    shown = [layer for layer in map(_find_layer, context.variable("map_layer_ids") or []) if layer is not None]
    return shown or visible_project_layers(QgsProject.instance()), float(context.variable("map_scale") or 0)


def _layers_of_list(given: Sequence[Any], context: QgsExpressionContext) -> Tuple[List[QgsMapLayer], float]:
    """A layer set, or the maps of a layout: layers as themselves, each once, and the first map's scale."""
    found: Dict[str, QgsMapLayer] = {}
    scale = 0.0
    for one in given:
        layer = _find_layer(one)
        shown = None if layer is not None else _layers_of_map_item(str(one), context)
        for member in ([layer] if layer is not None else shown[0] if shown else []):
            found.setdefault(member.id(), member)
        scale = scale or (shown[1] if shown else 0.0)
    return list(found.values()), scale


def _layers_of_map_item(item_id: str, context: QgsExpressionContext) -> Optional[Tuple[List[QgsMapLayer], float]]:
    """Layers and scale of the layout's map item as QGIS itself gives them: themes and locked layers are in it."""
    if not item_id:
        return None
    name = QgsExpression.quotedString(item_id)
    # one by one: the whole map holds values that Python cannot take
    ids, scale = (QgsExpression(f"map_get(item_variables({name}), '{key}')").evaluate(context)
                  for key in ("map_layer_ids", "map_scale"))
    if not isinstance(scale, (int, float)):
        return None
    return [layer for layer in map(_find_layer, ids or []) if layer is not None], float(scale)


def _layers_of_reference_map(layout_name: str,
                             context: QgsExpressionContext) -> Optional[Tuple[List[QgsMapLayer], float]]:
    """As ``_of_map`` for the layout's reference map, which need not have an id: one that a person draws has none."""
    from .credit_lines import layers_of_map

    found = (project.layoutManager().layoutByName(layout_name) for project in (*_extra_projects, QgsProject.instance()))
    layout = next((one for one in found if one is not None), None)
    item = layout.referenceMap() if isinstance(layout, QgsPrintLayout) else None
    if not isinstance(item, QgsLayoutItemMap):
        return None
    return _layers_of_map_item(str(item.id()), context) or (layers_of_map(item), float(item.scale()))


def _find_layer(given: Any) -> Optional[QgsMapLayer]:
    if isinstance(given, QgsMapLayer):
        return given
    project = QgsProject.instance()
    known = (one.mapLayer(str(given)) for one in (project, *_extra_projects))
    return next((layer for layer in known if layer is not None), None) \
        or next(iter(project.mapLayersByName(str(given))), None)


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


def _help(name: str, words: str, arguments: Sequence[Tuple[str, str]], example: str) -> str:
    told = "".join(f"<tr><td><code>{argument}</code></td><td>{said}</td></tr>" for argument, said in arguments)
    places = ", ".join(argument for argument, _ in arguments)
    return f"<h3>{name}({places})</h3><p>{words}</p><table>{told}</table><p><code>[% {example} %]</code></p>"


def _raise_value_error(words: str) -> Any:
    raise ValueError(words)

"""Credits, terms and sources in a layout, always of what its maps show: also where the project is opened without the
plugin, and on QGIS Server.

Each label asks the plugin's own function first (``cartoguide_credits`` …). Where there is none, a layout variable holds
an expression that needs nothing but QGIS: it looks the shown layers up in what another variable keeps of them.
"""

from __future__ import annotations

import json
from typing import Dict, Iterable, List

from qgis.core import QgsExpressionContextUtils, QgsLayoutItemLabel, QgsMapLayer, QgsPrintLayout

from ..credits.layer_credits import credits_text, plan_from_layers, sources_text, terms_text
from . import layout_items
from .layout_items import CREDITS, SOURCES, TERMS
from .text_fitting import label_overflows_width

#: labels that tell of the layers, and each one's function
LABEL_FUNCTIONS = {CREDITS: "cartoguide_credits", TERMS: "cartoguide_terms", SOURCES: "cartoguide_sources"}
#: layout variables: what is kept of the layers (JSON by layer id), and the expressions that need no plugin
LAYER_FACTS_VARIABLE, FALLBACK_VARIABLE_PREFIX = "cartoguide_layers", "cartoguide_plain_"
#: whether the plugin is there, as an expression; QGIS gives NULL for a function that it does not know
PLUGIN_INSTALLED = "eval('cartoguide_credits(array())') IS NOT NULL"
#: where a long address may be broken, and the numbers of letters that are tried
_BREAK_CHARACTERS, _MAX_WORD_LENGTH, _MIN_WORD_LENGTH = "/_?&=.,-", 96, 12

_LAYER_FACTS = f"coalesce(json_to_map(@{LAYER_FACTS_VARIABLE}), map())"
# a layer's scales are denominators: QGIS draws it above its maximum and up to its minimum scale, which is 1e8 in a
# layer that has none
_IN_SCALE = ("@scale IS NULL OR (@scale > coalesce(layer_property(@element, 'max_scale'), 0) AND "
             "(coalesce(layer_property(@element, 'min_scale'), 0) IN (0, 100000000) OR "
             "@scale <= layer_property(@element, 'min_scale')))")


def bind_labels(layout: QgsPrintLayout, layers: Iterable[QgsMapLayer], language: str) -> None:
    """Bind the layout's credits, terms and sources to its maps; ``layers`` are those that they may come to show."""
    scope = QgsExpressionContextUtils.setLayoutVariable
    scope(layout, LAYER_FACTS_VARIABLE, json.dumps(_layer_facts(layers, language), ensure_ascii=False))
    expressions = {CREDITS: _lines_expression("credit"), TERMS: _terms_expression(),
                   SOURCES: _lines_expression("source")}
    for item_id, expression in expressions.items():
        scope(layout, FALLBACK_VARIABLE_PREFIX + item_id, _for_shown_layers(layout, expression))
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            label.setText(label_expression(layout, item_id))


def label_expression(layout: QgsPrintLayout, item_id: str, max_word_length: int = 0, on_one_line: bool = False) -> str:
    """What the label ``item_id`` holds, a key of FUNCTIONS; words of more than ``longest`` letters (0: any) are broken
    at a joint. ``in_a_row``: what has a line of its own otherwise follows behind a dot.
    """
    names = [f"''{name}''" for name in _map_ids(layout)]
    given = names[0] if len(names) == 1 else f"array({', '.join(names)})"
    text = f"coalesce(eval('{LABEL_FUNCTIONS[item_id]}({given})'), eval(@{FALLBACK_VARIABLE_PREFIX}{item_id}))"
    if on_one_line:
        text = f"replace({text}, '\\n', ' · ')"
    if max_word_length:
        pattern = f"(?=\\\\S{{{max_word_length + 1}}})(\\\\S{{1,{max_word_length - 1}}}[{_BREAK_CHARACTERS}])"
        text = f"regexp_replace({text}, '{pattern}', '\\\\1\\n')"
    return f"[% {text} %]"


def break_long_words(label: QgsLayoutItemLabel, layout: QgsPrintLayout, item_id: str) -> None:
    """Have words that are wider than the label broken, whatever they come to be; nothing where all fit."""
    longest = _MAX_WORD_LENGTH
    while label_overflows_width(label) and longest >= _MIN_WORD_LENGTH:
        label.setText(label_expression(layout, item_id, longest))
        longest -= 4


def _layer_facts(layers: Iterable[QgsMapLayer], language: str) -> Dict[str, Dict[str, str]]:
    """What the maps say of each layer that has something to say."""
    found: Dict[str, Dict[str, str]] = {}
    for layer in layers:
        plan = plan_from_layers([layer], language)
        if plan.layers:
            found[layer.id()] = {"credit": credits_text([layer]), "service": plan.layers[0].service_title,
                                 "terms": terms_text([layer], language), "source": sources_text([layer], language)}
    return found


def _map_ids(layout: QgsPrintLayout) -> List[str]:
    return [item.id() for item in layout_items.map_items(layout)] or [layout_items.MAP]


def _for_shown_layers(layout: QgsPrintLayout, expression: str) -> str:
    """``told`` as an expression on its own: with ``@shown``, the ids of the layers that are drawn, and ``@known``."""
    names = _map_ids(layout)
    every = ", ".join(f"coalesce(map_get(item_variables('{name}'), 'map_layer_ids'), array())" for name in names)
    drawn = f"array_distinct(array_cat({every}))" if len(names) > 1 else every
    return (f"with_variable('scale', map_get(item_variables('{names[0]}'), 'map_scale'), "
            f"with_variable('shown', array_filter({drawn}, {_IN_SCALE}), "
            f"with_variable('known', {_LAYER_FACTS}, {expression})))")


def _fact_expression(name: str) -> str:
    """One fact of the layer ``@element``; of one that came later, what any QGIS knows of its credit."""
    kept = f"map_get(map_get(@known, @element), '{name}')"
    return f"coalesce({kept}, layer_property(@element, 'attribution'), '')" if name == "credit" else \
        f"coalesce({kept}, '')"


def _lines_expression(name: str) -> str:
    """The facts of the shown layers, each one once; credits line by line."""
    every = f"array_foreach(@shown, {_fact_expression(name)})"
    if name == "credit":
        every = f"string_to_array(array_to_string({every}, '\\n'), '\\n')"
    return f"array_to_string(array_filter(array_distinct({every}), @element <> ''), '\\n')"


def _terms_expression() -> str:
    """The terms of the shown layers: services with the same ones in one sentence."""
    every = f"array_filter(array_distinct(array_foreach(@shown, {_fact_expression('terms')})), @element <> '')"
    titles = (f"array_to_string(array_distinct(array_foreach(array_filter(@shown, {_fact_expression('terms')} = @one), "
              f"{_fact_expression('service')})), ', ')")
    return (f"with_variable('words', {every}, if(array_length(@words) < 2, array_to_string(@words), array_to_string("
            f"array_foreach(@words, with_variable('one', @element, {titles} || ': ' || @one)), '\\n')))")

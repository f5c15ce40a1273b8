"""Labels of a layout with the credits, terms and sources of the layers that its maps show at that moment.

Each label evaluates the plugin's own function first (``cartoguide_credits`` …). If the function is unknown, as in plain
QGIS or QGIS Server, the label evaluates the expression in a layout variable, which needs no plugin. That expression
looks up the shown layers in the layer facts, which another layout variable contains.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import Dict, Iterable, List, Mapping, Optional, Sequence

from qgis.core import QgsExpressionContextUtils, QgsLayoutItemLabel, QgsMapLayer, QgsPrintLayout
from qgis.PyQt.QtGui import QFont

from ...core.blanks import blank_words
from ...core.terms.server_defaults import server_defaults
from ...core.text import LABEL_LINE_PATTERN
from ..credits.layer_credits import credits_text, plan_from_layers
from ..credits.map_credits import sources_statement, terms_statement
from ..runtime import compat
from . import layout_items
from .layout_items import CREDITS, SOURCES, TERMS
from .text_fitting import SIZE_STEP, broken_words, is_too_large

#: labels that describe the layers, with the function of each
LABEL_FUNCTIONS = {CREDITS: "cartoguide_credits", TERMS: "cartoguide_terms", SOURCES: "cartoguide_sources"}
#: layout variables: the layer facts (JSON by layer id), and the expressions that need no plugin
LAYER_FACTS_VARIABLE, FALLBACK_VARIABLE_PREFIX = "cartoguide_layers", "cartoguide_plain_"
#: variable of a label's expression with the text of the plugin's function
_TEXT_VARIABLE = "cartoguide_text"
#: expression that is true if the plugin is loaded (QGIS evaluates an unknown function to NULL)
PLUGIN_INSTALLED = "eval('cartoguide_credits(array())') IS NOT NULL"

_LAYER_FACTS = f"coalesce(json_to_map(@{LAYER_FACTS_VARIABLE}), map())"
# a layer's scales are denominators: QGIS draws the layer if the map's denominator is greater than max_scale and at
# most min_scale. A min_scale of 1e8 means no limit
_IN_SCALE = ("@scale IS NULL OR (@scale > coalesce(layer_property(@element, 'max_scale'), 0) AND "
             "(coalesce(layer_property(@element, 'min_scale'), 0) IN (0, 100000000) OR "
             "@scale <= layer_property(@element, 'min_scale')))")

# a layer that was added later has no facts, and the gate of the plugin is not there: what it would not print is told as
# far as an expression can, "?" in the place of a credit
_WORDS = ("year|jahr|jahreszahl|año|ano|anyo|année|annee|anno|jaar|rok|év|godina|година|год|yıl|έτος|date|datum|dato"
          "|fecha|дата|name|nombre|nom|nome|naam|navn|namn|název|nazwa|имя|όνομα|title|titel|título|titulo|titre|titolo|owner"
          "|provider|publisher|author|autor|auteur|autore|organi[sz]ation|insert|ihr|your|votre"
          r"|\w*(?:jahr|datum|vuosi|årstall?|ningsår)|[\w·]*(?:年份|年|日期|日付|名称|提供者)")
_UNFIT = "|".join((
    rf"[\[<{{［【〈＜｛][^\[<{{}}>\]0-9]*\b(?:{_WORDS})\b[^\[<{{}}>\]0-9]*[\]>}}］】〉＞｝]",
    rf"[(（]\s*(?:{_WORDS}|data|any)\s*[)）]",
    r"[\[<{]\s*(?:data|any|an|ar|id|link|\.{2,}|…|_*)\s*[\]>}]", r"&lt;|\$\{?\w",
    r"_{3,}|\b(?:YYYY|JJJJ|AAAA|XXXX|20XX)\b"))
_SIGNS = r"[\W\d_]*(?:(?:source|fuente|quelle|copyright|c)\b[\W\d_]*)?"


@lru_cache(maxsize=1)
def _printable_attribution() -> str:
    """Return the expression of the attribution of the layer ``@element`` as it may be printed without the plugin."""
    nobody = "|".join(re.escape(unicodedata.normalize("NFC", words))
                      for words in sorted((*blank_words("nobody"), *server_defaults()), key=len, reverse=True))
    unfit = f"(?i){_UNFIT}|^{_SIGNS}(?:{nobody})?[\\W\\d_]*$".replace("\\", "\\\\").replace("'", "''")
    source = "layer_property(@element, 'source')"
    return ("with_variable('attribution', trim(coalesce(layer_property(@element, 'attribution'), '')), CASE "
            f"WHEN @attribution = '' AND coalesce(regexp_match({source}, '(?i)https?(:|%3A)'), 0) = 0 THEN '' "
            f"WHEN @attribution = '' OR regexp_match(@attribution, '{unfit}') > 0 "
            "THEN layer_property(@element, 'name') || ': ©?' ELSE @attribution END)")


_LINE_PATTERN = LABEL_LINE_PATTERN.replace("\n", "\\n")


def bind_labels(layout: QgsPrintLayout, layers: Iterable[QgsMapLayer], language: str,
                only_with_plugin: bool = False) -> None:
    """Bind the layout's credits, terms and sources to its maps, which may show any of ``layers``.

    With ``only_with_plugin`` the labels lack what works without the plugin, which is ten times as slow to evaluate.
    """
    set_variable = QgsExpressionContextUtils.setLayoutVariable
    facts = {} if only_with_plugin else _layer_facts(layers, language)
    set_variable(layout, LAYER_FACTS_VARIABLE, json.dumps(facts, ensure_ascii=False))
    expressions = {CREDITS: _lines_expression("credit"), TERMS: _terms_expression(),
                   SOURCES: _lines_expression("source")}
    for item_id, expression in expressions.items():
        set_variable(layout, FALLBACK_VARIABLE_PREFIX + item_id,
                     "''" if only_with_plugin else _for_shown_layers(layout, expression))
        label = layout_items.find_item(layout, item_id, QgsLayoutItemLabel)
        if label is not None:
            label.setText(label_expression(layout, item_id))


def label_expression(layout: QgsPrintLayout, item_id: str, on_one_line: bool = False,
                     broken: Optional[Mapping[str, Sequence[str]]] = None, first: int = 0) -> str:
    """Return the text of the label ``item_id``, a key of LABEL_FUNCTIONS, or its ``first`` lines where that is not 0.

    With ``on_one_line`` the lines are joined by dots. ``broken`` are words with the lines that they are broken into.
    Long paragraphs are broken, see ``LABEL_LINE_PATTERN``.
    """
    names = [f"''{name}''" for name in _map_ids(layout)]
    argument = names[0] if len(names) == 1 else f"array({', '.join(names)})"
    # coalesce evaluates all of its arguments, and what needs no plugin takes ten times as long
    text = (f"with_variable('{_TEXT_VARIABLE}', eval('{LABEL_FUNCTIONS[item_id]}({argument})'), CASE WHEN "
            f"@{_TEXT_VARIABLE} IS NULL THEN eval(@{FALLBACK_VARIABLE_PREFIX}{item_id}) ELSE @{_TEXT_VARIABLE} END)")
    if first:
        text = f"array_to_string(array_slice(string_to_array({text}, '\\n'), 0, {first - 1}), '\\n')"
    if on_one_line:
        # a title and its address stay together
        text = f"replace(replace({text}, ':\\n', ': '), '\\n', ' · ')"
    for lines in (broken or {}).values():
        pattern = _word_pattern(lines).replace("\\", "\\\\")
        joined = "\\n".join(f"\\\\{number}" for number in range(1, len(lines) + 1))
        text = f"regexp_replace({text}, '{pattern}', '{joined}')"
    text = f"regexp_replace({text}, '{_LINE_PATTERN}', '\\\\1\\n')"
    return f"[% {text} %]"


def _word_pattern(lines: Sequence[str]) -> str:
    """Return the pattern of a word with a group for each of its lines.

    Other characters than letters and digits match any: an address is foreign text, and this is part of an expression.
    """
    groups = ("".join(letter if letter.isalnum() else "." for letter in line) for line in lines)
    return f"(?<!\\S){''.join(f'({group})' for group in groups)}(?!\\S)"


def fit_broken(label: QgsLayoutItemLabel, layout: QgsPrintLayout, item_id: str, min_size: float,
               on_one_line: bool = False) -> bool:
    """Break long addresses of the label, and shrink its font, not below ``min_size`` points, until its text fits.

    Return False if it does not.
    """
    label.setText(label_expression(layout, item_id, on_one_line))
    # to evaluate the label takes milliseconds
    font, text, width = QFont(compat.label_font(label)), label.currentText(), label.rect().width() - 2 * label.marginX()
    while True:
        broken, shown = broken_words(text, font, width), text
        for lines in broken.values():
            shown = re.sub(_word_pattern(lines), "\n".join(lines).replace("\\", r"\\"), shown)
        fits, size = not is_too_large(label, shown, font), max(font.pointSizeF() - SIZE_STEP, min_size)
        if fits or size >= font.pointSizeF():
            break
        font.setPointSizeF(size)
    compat.set_label_font(label, font)
    if broken:
        label.setText(label_expression(layout, item_id, on_one_line, broken))
    return fits


def _layer_facts(layers: Iterable[QgsMapLayer], language: str) -> Dict[str, Dict[str, str]]:
    """Return credit, service, terms and source of each layer that has any, by layer id."""
    facts: Dict[str, Dict[str, str]] = {}
    for layer in layers:
        plan, credit = plan_from_layers([layer], language), credits_text([layer])
        if plan.layers or credit:
            facts[layer.id()] = {"credit": credit,
                                 "service": plan.layers[0].service_title if plan.layers else layer.name(),
                                 "terms": terms_statement(plan) if plan.layers else "",
                                 "source": sources_statement(plan)}
    return facts


def _map_ids(layout: QgsPrintLayout) -> List[str]:
    return [item.id() for item in layout_items.map_items(layout)] or [layout_items.MAP]


def _for_shown_layers(layout: QgsPrintLayout, expression: str) -> str:
    """Return ``expression`` with the variables it uses: ``@shown``, the ids of the drawn layers, and ``@known``."""
    names = _map_ids(layout)
    layer_ids = ", ".join(f"coalesce(map_get(item_variables('{name}'), 'map_layer_ids'), array())" for name in names)
    # QGIS draws the project's own annotations on every map and does not list them
    drawn = f"array_distinct(array_cat(array('{layout.project().mainAnnotationLayer().id()}'), {layer_ids}))"
    return (f"with_variable('scale', map_get(item_variables('{names[0]}'), 'map_scale'), "
            f"with_variable('shown', array_filter({drawn}, {_IN_SCALE}), "
            f"with_variable('known', {_LAYER_FACTS}, {expression})))")


def _fact_expression(name: str) -> str:
    """Return the expression that evaluates to the fact ``name`` of the layer ``@element``.

    The credit of a layer added later is its attribution in QGIS.
    """
    saved = f"map_get(map_get(@known, @element), '{name}')"
    if name != "credit":
        return f"coalesce({saved}, '')"
    return (f"with_variable('saved', {saved}, CASE WHEN @saved IS NULL THEN {_printable_attribution()} "
            "ELSE @saved END)")


def _lines_expression(name: str) -> str:
    """Return the expression that lists a fact of the shown layers, each value once, one per line."""
    values = f"array_foreach(@shown, {_fact_expression(name)})"
    if name == "credit":
        values = f"string_to_array(array_to_string({values}, '\\n'), '\\n')"
    return f"array_to_string(array_filter(array_distinct({values}), @element <> ''), '\\n')"


def _terms_expression() -> str:
    """Return the expression that lists the terms of the shown layers. Services with the same terms share a line."""
    terms = f"array_filter(array_distinct(array_foreach(@shown, {_fact_expression('terms')})), @element <> '')"
    titles = (f"array_to_string(array_distinct(array_foreach(array_filter(@shown, {_fact_expression('terms')} = @one), "
              f"{_fact_expression('service')})), ', ')")
    return (f"with_variable('words', {terms}, if(array_length(@words) < 2, array_to_string(@words), array_to_string("
            f"array_foreach(@words, with_variable('one', @element, {titles} || ': ' || @one)), '\\n')))")

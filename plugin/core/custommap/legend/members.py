"""The ``legend`` members of entries and own layers in a custom map document.

An entry's ``legend`` has ``titles`` {language: text}, ``heading`` {language: text}, ``hidden``, ``position`` (a whole
number, topmost first), ``classes`` {text of a class: {language: text}} and ``layers`` {name: {titles, heading, hidden,
position, classes}}. An own layer's has the first four.
Each member is written only where it says something.
"""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from ... import json_document
from ...i18n import tr
from ..model import LANGUAGE_PATTERN, EntryLegend, LayerLegend
from .tree import MAX_LEGEND_TITLE, legend_title

#: the highest position in the order of a legend
MAX_POSITION = 100_000
#: languages of one title
_MAX_LANGUAGES = 40
#: renamed classes of one layer, and characters of a class's text
_MAX_CLASSES, _MAX_CLASS_TEXT = 500, 1_000
_LAYER_MEMBERS = ("titles", "heading", "hidden", "position", "classes")
_ENTRY_MEMBERS = (*_LAYER_MEMBERS, "layers")


def read_entry_legend(node: json_document.JsonNode, max_layers: int) -> EntryLegend:
    """Return the legend's edits of an entry, none if it has none. Raises InvalidDocument."""
    legend = node.child("legend")
    if legend is None:
        return EntryLegend()
    layers = legend.child("layers")
    if layers is not None and len(layers.value) > max_layers:
        raise legend.error("layers", tr("has more than {count} members", count=max_layers))
    edits: Dict[str, LayerLegend] = {}
    for name in layers.value if layers is not None else ():
        member = layers.child(name) if layers is not None else None
        if member is not None:
            edits[name] = _layer_legend(member)
    return EntryLegend(_texts(legend, "titles"), _texts(legend, "heading"), legend.flag("hidden", False),
                       _position(legend), edits, legend.unknown_members(_ENTRY_MEMBERS), _classes(legend))


def read_layer_legend(node: json_document.JsonNode) -> LayerLegend:
    """Return the legend's edits of an own layer, none if it has none. Raises InvalidDocument."""
    legend = node.child("legend")
    return _layer_legend(legend) if legend is not None else LayerLegend()


def entry_legend_members(legend: EntryLegend) -> Dict[str, Any]:
    """Return the member of an entry with the edits of its legend, empty if there are none."""
    layers = {name: _members(edit) for name, edit in legend.layers.items()}
    members = {**_members(LayerLegend(legend.titles, legend.heading, legend.hidden, legend.position,
                                     classes=legend.classes)),
               **({"layers": layers} if layers else {}),
               **{key: value for key, value in legend.extra.items() if key not in _ENTRY_MEMBERS}}
    return {"legend": members} if members else {}


def layer_legend_members(legend: LayerLegend) -> Dict[str, Any]:
    """Return the member of an own layer with the edits of its legend, empty if there are none."""
    members = _members(legend)
    return {"legend": members} if members else {}


def _layer_legend(legend: json_document.JsonNode) -> LayerLegend:
    return LayerLegend(_texts(legend, "titles"), _texts(legend, "heading"), legend.flag("hidden", False),
                       _position(legend), legend.unknown_members(_LAYER_MEMBERS), _classes(legend))


def _members(legend: LayerLegend) -> Dict[str, Any]:
    return {
        **({"titles": dict(legend.titles)} if legend.titles else {}),
        **({"heading": dict(legend.heading)} if legend.heading else {}),
        **({"hidden": True} if legend.hidden else {}),
        **({"position": legend.position} if legend.position is not None else {}),
        **({"classes": {text: dict(titles) for text, titles in legend.classes.items()}} if legend.classes else {}),
        **{key: value for key, value in legend.extra.items() if key not in _LAYER_MEMBERS},
    }


def _texts(legend: json_document.JsonNode, key: str) -> Mapping[str, str]:
    """Return texts by language, each on one line, without empty ones."""
    texts = legend.child(key)
    if texts is None:
        return {}
    if len(texts.value) > _MAX_LANGUAGES:
        raise legend.error(key, tr("has more than {count} members", count=_MAX_LANGUAGES))
    found: Dict[str, str] = {}
    for language in texts.value:
        if not LANGUAGE_PATTERN.fullmatch(language):
            raise legend.error(key, tr("must be written like “{example}”, not “{value}”", example="es",
                                       value=language[:60]))
        text = legend_title(texts.text(language, "", MAX_LEGEND_TITLE))
        if text:
            found[language] = text
    return found


def _classes(legend: json_document.JsonNode) -> Mapping[str, Mapping[str, str]]:
    """Return the titles of classes by their own texts, without those that have none."""
    classes = legend.child("classes")
    if classes is None:
        return {}
    if len(classes.value) > _MAX_CLASSES:
        raise legend.error("classes", tr("has more than {count} members", count=_MAX_CLASSES))
    found = {text: _texts(classes, text) for text in classes.value if len(text) <= _MAX_CLASS_TEXT}
    return {text: titles for text, titles in found.items() if titles}


def _position(legend: json_document.JsonNode) -> Optional[int]:
    position = legend.optional_number("position", 0, MAX_POSITION)
    return None if position is None else int(position)

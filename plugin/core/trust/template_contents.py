"""Names in a layout template (QPT): the fonts, pictures, themes, layers and fields of another computer and project.

A template is read once, into a value from which all that is decided and said about these names is taken. Nothing that
it names is opened here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Dict, FrozenSet, Iterable, Iterator, List, Mapping, Optional, Tuple

from lxml import etree

from ..errors import UnreadableDocument
from .drawing import FILLED_MAPS, LAYOUT_ITEM, PICTURE_OPTIONS, parse_template, symbol_options
from .expressions import expressions_in_text

MAP_TYPE, PICTURE_TYPE, LEGEND_TYPE = (str(LAYOUT_ITEM + number) for number in (3, 4, 6))
#: properties of a map by which an expression chooses its theme and its layers
MAP_PROPERTIES = ("dataDefinedMapStylePreset", "dataDefinedMapLayers")
#: labels whose text Cartoguide writes
_FILLED_LABELS = re.compile("title|subtitle|scale_text|credits|terms|sources|projection|colophon|abstract|foot|facts"
                            "|field_note|directions|opening_hours|emergency_numbers|heading:.*|label:[0-9]+")
#: attributes with texts that QGIS evaluates: of labels, legends and web pages
TEXT_ATTRIBUTES = ("labelText", "title", "html")
#: a font as Qt writes it (QFont::toString): family, points, pixels, hint, weight …
_FONT = re.compile(r"([^,]+),-?[0-9.]+,-?[0-9]+,[0-9]+,-?[0-9]+,")
#: attributes of an arrow with the modes and the files of the pictures at its ends. Mode 2 is a picture
_ARROW_ENDS = (("startMarkerMode", "startMarkerFile"), ("endMarkerMode", "endMarkerFile"))


@dataclass(frozen=True)
class TemplateFont:
    """A font family that a template uses, and those that its author chose for computers without it."""

    family: str
    fallbacks: Tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedLayer:
    """A layer as QGIS refers to it: by its id, else by its name and its source together."""

    id: str
    name: str = ""
    source: str = ""


@dataclass(frozen=True)
class TemplateMap:
    """A map of a template by its id, with the map theme that it follows ("" for none) and its own layers."""

    id: str
    theme: str = ""
    layers: Tuple[NamedLayer, ...] = ()

    @property
    def is_filled(self) -> bool:
        """True for a map that Cartoguide fills."""
        return FILLED_MAPS.fullmatch(self.id) is not None


@dataclass(frozen=True)
class TemplateContents:
    """Names in a template: fonts, pictures (paths, addresses and names of symbols), maps, and layers.

    ``layers`` are those of legends, tables and the atlas, ``expressions`` those in texts. Things that Cartoguide
    replaces or QGIS does not print are left out. ``pages`` are the addresses of all pages in HTML, which QGIS opens
    while it reads the template.
    """

    fonts: Tuple[TemplateFont, ...] = ()
    pictures: Tuple[str, ...] = ()
    maps: Tuple[TemplateMap, ...] = ()
    layers: Tuple[NamedLayer, ...] = ()
    expressions: Tuple[str, ...] = ()
    pages: Tuple[str, ...] = ()

    def followed_themes(self, are_filled: bool) -> Dict[str, List[str]]:
        """Return the followed themes, each with the ids of its maps: those that Cartoguide fills, or the others."""
        found: Dict[str, List[str]] = {}
        for item in self.maps:
            if item.theme and item.is_filled == are_filled:
                found.setdefault(item.theme, []).append(item.id)
        return found

    def named_layers(self) -> Tuple[NamedLayer, ...]:
        """Return the layers of maps that Cartoguide does not fill, legends, tables and the atlas, each once."""
        every = [layer for item in self.maps if not item.is_filled for layer in item.layers]
        return tuple({layer.id: layer for layer in (*every, *self.layers)}.values())


@dataclass(frozen=True)
class ResolvedTemplate:
    """A template on this computer, in one project.

    ``fonts`` are the missing families with those used instead, ``pictures`` the files of the named ones, "" for one
    that was not found. ``missing_themes`` and ``missing_layers`` (by id) are those that the project lacks. Of a foreign
    template ``left_out`` and ``refused_pictures`` are not drawn, nor are themes and layers of a project.
    """

    name: str
    contents: TemplateContents = TemplateContents()
    is_foreign: bool = False
    fonts: Mapping[str, str] = field(default_factory=dict)
    pictures: Mapping[str, str] = field(default_factory=dict)
    broken_pictures: FrozenSet[str] = frozenset()
    missing_themes: FrozenSet[str] = frozenset()
    missing_layers: FrozenSet[str] = frozenset()
    lost_expressions: FrozenSet[str] = frozenset()
    left_out: Tuple[str, ...] = ()
    refused_pictures: Tuple[str, ...] = ()


@lru_cache(maxsize=4)
def read_contents(qpt: str) -> TemplateContents:
    """Return the names in a layout template. A document that cannot be read has none."""
    try:
        root = parse_template(qpt)
    except UnreadableDocument:
        return TemplateContents()
    items = [item for item in root.iter("LayoutItem") if _is_printed(item)]
    return TemplateContents(_fonts(root), tuple(dict.fromkeys(_pictures(items))),
                            tuple(_read_map(item) for item in root.iter("LayoutItem") if item.get("type") == MAP_TYPE),
                            tuple(dict.fromkeys(_layers(root, items))),
                            tuple(dict.fromkeys(_expressions(root, items))),
                            tuple(frame.get("url", "") for frame in root.iter("LayoutMultiFrame") if frame.get("url")))


def font_family(description: str) -> str:
    """Return the family of a font as Qt writes it, "" for another text."""
    found = _FONT.match(description)
    return found.group(1).strip() if found else ""


def _is_printed(element: etree._Element) -> bool:
    return element.get("visibility", "1") not in ("0", "false") and element.get("excludeFromExports", "0") != "1"


def _fonts(root: etree._Element) -> Tuple[TemplateFont, ...]:
    found: Dict[str, TemplateFont] = {}
    for element in root.iter():
        if element.tag == "text-style":
            names = (name.get("name", "") for families in element.iterchildren("families") for name in families)
            font = TemplateFont(element.get("fontFamily", ""), tuple(filter(None, names)))
        else:
            font = TemplateFont(font_family(element.get("description", "")))
        if font.family and not _is_unused(element):
            found.setdefault(font.family, font)
    return tuple(found.values())


def _is_unused(element: etree._Element) -> bool:
    """Return whether a text belongs to an item that is not printed, or to a grid without figures."""
    return any(not _is_printed(holder) if holder.tag == "LayoutItem" else
               holder.tag == "ComposerMapGrid" and "0" in (holder.get("show"), holder.get("showAnnotation"))
               for holder in element.iterancestors())


def _pictures(items: Iterable[etree._Element]) -> Iterator[str]:
    for item in items:
        if item.get("type") == PICTURE_TYPE and not _active_property(item, ("dataDefinedSource",)):
            yield from _picture(item.get("file"))
        for mode, file in _ARROW_ENDS:
            if item.get(mode) == "2":
                yield from _picture(item.get(file))
        for layer in item.iter("layer"):
            key = PICTURE_OPTIONS.get(layer.get("class", ""))
            for name, value in symbol_options(layer) if key else ():
                if name == key:
                    yield from _picture(value)


def _picture(name: Optional[str]) -> Iterator[str]:
    if name and name.strip() and not name.lower().startswith("base64:"):
        yield name


def _read_map(item: etree._Element) -> TemplateMap:
    theme = item.get("followPresetName", "") if item.get("followPreset", "false") not in ("false", "0") else ""
    chosen = _active_property(item, MAP_PROPERTIES[:1])
    if chosen:
        # which theme it is only the drawing tells: that of a map which is filled is none
        theme = chosen if FILLED_MAPS.fullmatch(item.get("id", "")) else ""
    return TemplateMap(item.get("id", ""), theme, tuple(
        NamedLayer(layer.text.strip(), layer.get("name", ""), layer.get("source", ""))
        for holder in item.iterchildren("LayerSet") for layer in holder.iterchildren("Layer") if layer.text))


def _active_property(item: etree._Element, names: Tuple[str, ...]) -> str:
    """Return the expression or field of the first of these data-defined properties that is active, "" for none."""
    for part in item.iterfind("LayoutObject/dataDefinedProperties/Option/Option[@name='properties']/Option"):
        values = {option.get("name"): option.get("value", "") for option in part}
        if part.get("name") in names and values.get("active", "true") not in ("false", "0"):
            return values.get("expression") or values.get("field") or values.get("val") or ""
    return ""


def _layers(root: etree._Element, items: Iterable[etree._Element]) -> Iterator[NamedLayer]:
    """Iterate over the layers that legends, tables and the atlas name."""
    for item in items:
        if item.get("type") == LEGEND_TYPE and not FILLED_MAPS.fullmatch(item.get("id", "")):
            for group in item.iterchildren("layer-tree-group"):
                for layer in group.iter("layer-tree-layer"):
                    yield NamedLayer(layer.get("id", ""), layer.get("name", ""), layer.get("source", ""))
    for table in root.iterchildren("LayoutMultiFrame"):
        if table.get("vectorLayer"):
            yield _referred(table, "vectorLayer")
    for atlas in root.iterchildren("Atlas"):
        if atlas.get("enabled", "0") != "0" and atlas.get("coverageLayer"):
            yield _referred(atlas, "coverageLayer")


def _expressions(root: etree._Element, items: Iterable[etree._Element]) -> Iterator[str]:
    """Iterate over the expressions in texts that Cartoguide does not write."""
    for element in (*items, *root.iterchildren("LayoutMultiFrame")):
        if not is_filled_text(element.get("id", "")):
            for name in TEXT_ATTRIBUTES:
                yield from expressions_in_text(element.get(name, ""))


def is_filled_text(item_id: str) -> bool:
    """Return whether Cartoguide writes the text or the title of an item with this id."""
    return bool(_FILLED_LABELS.fullmatch(item_id) or FILLED_MAPS.fullmatch(item_id))


def _referred(element: etree._Element, name: str) -> NamedLayer:
    return NamedLayer(element.get(name, ""), element.get(f"{name}Name", ""), element.get(f"{name}Source", ""))

"""Fonts, pictures, map themes and layers that a layout template names, looked for on this computer and in a project.

``resolve_template`` decides once which of them are missing. The template is adapted by that before QGIS loads it, and
notes and issues say the same.
"""

from __future__ import annotations

import base64
import os
import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, Mapping, Optional, Union

from qgis.core import (
    QgsApplication,
    QgsExpression,
    QgsExpressionContext,
    QgsExpressionContextUtils,
    QgsLayoutItemPicture,
    QgsProject,
    QgsSymbolLayerUtils,
)
from qgis.PyQt.QtCore import QByteArray
from qgis.PyQt.QtGui import QFont, QFontInfo
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.errors import CartoguideError
from ...core.resources import RESOURCES
from ...core.trust.drawing import FILLED_MAPS, PICTURE_OPTIONS
from ...core.trust.expressions import expressions_in_text
from ...core.trust.files import is_regular, read_regular
from ...core.trust.template_contents import (
    LEGEND_TYPE,
    MAP_PROPERTIES,
    MAP_TYPE,
    PICTURE_TYPE,
    TEXT_ATTRIBUTES,
    NamedLayer,
    ResolvedTemplate,
    TemplateContents,
    font_family,
    is_filled_text,
)
from ..runtime import compat, page_fonts
from ..runtime.images import image_from_file
from .text_fitting import FONT_FAMILIES

_ICONS = RESOURCES / "icons"
_DATA = "base64:"
#: data that begins with "<svg" or "<?xml"
_SVG_DATA = (f"{_DATA}PHN2Z", f"{_DATA}PD94bW")
#: bytes of an SVG that is read to see whether it is one
_MAX_PICTURE = 64_000_000
#: pictures that are no files of this computer: those of Qt's resources, and addresses, which QGIS fetches
_NO_FILE = re.compile(r":/|[a-z][a-z0-9+.-]+://", re.IGNORECASE)
#: fonts whose letters are as wide as those of fonts of Windows and macOS, so that texts keep their lines
_SAME_WIDTHS = {"arial": ("Liberation Sans", "Arimo"), "helvetica": ("Liberation Sans", "Nimbus Sans", "Arial"),
                "times new roman": ("Liberation Serif", "Tinos"), "courier new": ("Liberation Mono", "Cousine"),
                "calibri": ("Carlito",), "cambria": ("Caladea",)}
#: weight from which on a font is bold, in the numbers of Qt 5
_DEMI_BOLD = 63
#: points in the units of a text's size
_POINTS = {"MM": 72 / 25.4, "Inch": 72.0}
_LEAST_POINTS = 1.0


def resolve_template(template: ResolvedTemplate, folder: Path, project: QgsProject) -> ResolvedTemplate:
    """Return a template that was read, with what is on this computer and in ``project`` of all that it names.

    Files are looked for at their paths, in ``folder``, where the template is, and among the plugin's icons. Of somebody
    else's template, whose pictures are in it or in QGIS, none is looked for.
    """
    contents, themes = template.contents, project.mapThemeCollection()
    pictures = () if template.is_foreign else contents.pictures
    found = {name: _find_picture(name, folder, project) for name in pictures}
    return replace(
        template, fonts=_missing_fonts(contents), pictures=found,
        broken_pictures=frozenset(name for name, file in found.items() if file and not _is_picture(file)),
        lost_expressions=frozenset(text for text in contents.expressions if _has_no_value(text, project)),
        missing_themes=frozenset(theme for theme in contents.followed_themes(are_filled=False)
                                 if not themes.hasMapTheme(theme)),
        missing_layers=frozenset(layer.id for layer in contents.named_layers() if not _has_layer(project, layer)))


def adapt_document(document: QDomDocument, template: ResolvedTemplate) -> None:
    """Change a parsed template to one that can be loaded here.

    Missing fonts are replaced, files of pictures are named where they are, maps that Cartoguide fills follow no theme,
    and legends, tables and an atlas of missing layers are left out, and so are damaged pictures, of which QGIS may draw
    a part, and expressions without a value.
    """
    root = document.documentElement()
    pictures = {name: "" if name in template.broken_pictures else file for name, file in template.pictures.items()}
    if template.fonts:
        _replace_fonts(document, template.fonts)
    if not compat.reads_text_formats():
        _add_former_fonts(document)
    for item in elements(document, "LayoutItem"):
        if item.attribute("type") == MAP_TYPE and FILLED_MAPS.fullmatch(item.attribute("id")):
            _unfollow_theme(item)
        elif item.attribute("type") == PICTURE_TYPE:
            if template.pictures.get(item.attribute("file")):
                item.setAttribute("file", pictures[item.attribute("file")])
            if item.attribute("file").startswith(_SVG_DATA):
                # QGIS does not see the format of data, and would print 48 × 72 pixels of the north arrow on any paper
                item.setAttribute("mode", str(compat.enum_value(QgsLayoutItemPicture.Format.FormatSVG)))
    if pictures:
        _replace_symbol_pictures(document, pictures)
    if template.missing_layers:
        _leave_layers_out(document, root, template)
    if template.lost_expressions:
        _leave_expressions_out(document, template)


# fonts


def _missing_fonts(contents: TemplateContents) -> Dict[str, str]:
    """Return the families that are not installed, each with the one that is used instead."""
    installed = {family.casefold(): family for family in page_fonts.available_families()}
    # a family may be followed by its foundry in brackets
    installed.update({name.partition(" [")[0]: family for name, family in installed.items()})
    # the standard font may be a name that stands for another, such as MS Shell Dlg 2 on Windows
    known = installed.keys() | {QFont().family().casefold()}
    used = {}
    for font in contents.fonts:
        if _known_family(font.family) not in known:
            wanted = (*font.fallbacks, *_SAME_WIDTHS.get(font.family.casefold(), ()), *FONT_FAMILIES)
            used[font.family] = next((installed[name.casefold()] for name in wanted if name.casefold() in installed),
                                     QFontInfo(QFont(font.family)).family())
    return used


def _known_family(family: str) -> str:
    # from 3.28 on people tell QGIS which fonts stand for others
    manager = QgsApplication.fontManager() if hasattr(QgsApplication, "fontManager") else None
    family = manager.processFontFamilyName(family) if manager is not None else family
    return family.partition(" [")[0].casefold()


def _replace_fonts(document: QDomDocument, fonts: Mapping[str, str]) -> None:
    for text in elements(document, "text-style"):
        if text.attribute("fontFamily") in fonts:
            text.setAttribute("fontFamily", fonts[text.attribute("fontFamily")])
    for font in _described_fonts(document.documentElement()):
        description = font.attribute("description")
        family = font_family(description)
        if family in fonts:
            font.setAttribute("description", fonts[family] + description[description.index(","):])


def _described_fonts(parent: QDomElement) -> Iterator[QDomElement]:
    """Iterate over the elements below ``parent`` that have a font as Qt writes it."""
    child = parent.firstChildElement()
    while not child.isNull():
        if child.hasAttribute("description"):
            yield child
        yield from _described_fonts(child)
        child = child.nextSiblingElement()


def _add_former_fonts(document: QDomDocument) -> None:
    """Add the fonts and colours of labels and legends as QGIS reads them before it has text formats for these.

    Without them it would draw labels of a template of a newer QGIS in its standard font.
    """
    for tag, former in (("LayoutItem", "LabelFont"), ("style", "styleFont")):
        for item in elements(document, tag):
            text = item.firstChildElement("text-style")
            if text.isNull() or not item.firstChildElement(former).isNull() or (
                    tag == "LayoutItem" and not item.hasAttribute("labelText")):
                continue
            font = QFont(text.attribute("fontFamily"))
            size = (number(text.attribute("fontSize")) or 0.0) * _POINTS.get(text.attribute("fontSizeUnit"), 1.0)
            font.setPointSizeF(max(size, _LEAST_POINTS))
            weight = number(text.attribute("fontWeight")) or 0.0
            # Qt 6 counts to 900
            font.setBold(weight >= (600 if weight > 99 else _DEMI_BOLD))
            font.setItalic(text.attribute("fontItalic") == "1")
            element = document.createElement(former)
            element.setAttribute("description", font.toString())
            element.setAttribute("style", text.attribute("namedStyle"))
            item.appendChild(element)
            colour = (text.attribute("textColor").split(",") + [""] * 4)[:4]
            if tag == "LayoutItem" and item.firstChildElement("FontColor").isNull():
                element = document.createElement("FontColor")
                for name, value in zip(("red", "green", "blue", "alpha"), colour):
                    element.setAttribute(name, value)
                item.appendChild(element)


# pictures


def _find_picture(name: str, folder: Path, project: QgsProject) -> str:
    """Return the file of a picture, or its data where it is an icon of the plugin, "" for one that is not there.

    An address, and a picture of QGIS's program, stay as they are.
    """
    if _NO_FILE.match(name):
        return name
    resolver = project.pathResolver()
    found = (QgsSymbolLayerUtils.svgSymbolNameToPath(name, resolver) if name.lower().endswith(".svg")
             else resolver.readPath(name))
    # paths of Windows are read on all systems
    file_name = re.split(r"[\\/]", name)[-1]
    for file in (Path(found), folder / file_name, _ICONS / file_name):
        if is_regular(file):
            # a file of the plugin is missing where the plugin is not installed
            return (f"{_DATA}{base64.b64encode(file.read_bytes()).decode('ascii')}" if file.parent == _ICONS
                    else str(file))
    return ""


def _is_picture(file: str) -> bool:
    """Return whether QGIS can draw the file, as far as it lies on this computer."""
    if _NO_FILE.match(file) or file.startswith(_DATA):
        return True
    state = os.stat(file)
    return _can_be_drawn(file, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _can_be_drawn(file: str, _size: int, _changed: int) -> bool:
    """Read a picture once in each state of the file."""
    if not file.lower().endswith(".svg"):
        return not image_from_file(Path(file)).isNull()
    try:
        # some installations of QGIS lack it
        from qgis.PyQt.QtSvg import QSvgRenderer

        return bool(QSvgRenderer(QByteArray(read_regular(Path(file), _MAX_PICTURE))).isValid())
    except ImportError:
        return True
    except CartoguideError:
        return False


def _replace_symbol_pictures(document: QDomDocument, pictures: Mapping[str, str]) -> None:
    """Name the pictures of symbols where they are. In place of a missing one QGIS would print a question mark."""
    for layer in elements(document, "layer"):
        key = PICTURE_OPTIONS.get(layer.attribute("class"))
        if key is None:
            continue
        holders = [layer, *children(layer, "Option")]
        for option in [option for holder in holders for tag in ("prop", "Option") for option in children(holder, tag)]:
            name, value = ("k", "v") if option.tagName() == "prop" else ("name", "value")
            if option.attribute(name) == key and option.attribute(value) in pictures:
                option.setAttribute(value, pictures[option.attribute(value)])


# themes and layers


def _unfollow_theme(item: QDomElement) -> None:
    """Let a map follow no theme, and lock it to no layer or style: Cartoguide sets its layers."""
    for name in ("followPreset", "keepLayerSet", "keepLayerStyles"):
        item.setAttribute(name, "false")
    item.setAttribute("followPresetName", "")
    for layers in [*children(item, "LayerSet"), *children(item, "LayerStyles")]:
        item.removeChild(layers)
    for holder in children(item, "LayoutObject"):
        for properties in elements(holder, "Option"):
            if properties.attribute("name") in MAP_PROPERTIES:
                properties.parentNode().removeChild(properties)


def _has_layer(project: QgsProject, layer: NamedLayer) -> bool:
    """Return whether QGIS finds the layer in the project: by its id, else by its name and its source together."""
    sources = {layer.source, project.pathResolver().readPath(layer.source)}
    return project.mapLayer(layer.id) is not None or any(
        {other.source(), other.publicSource()} & sources for other in project.mapLayersByName(layer.name))


def _leave_layers_out(document: QDomDocument, root: QDomElement, template: ResolvedTemplate) -> None:
    """Leave legends, tables and the atlas of missing layers out. QGIS would print their names and empty headings."""
    missing = template.missing_layers
    for item in elements(document, "LayoutItem"):
        if item.attribute("type") == LEGEND_TYPE and not FILLED_MAPS.fullmatch(item.attribute("id")):
            for layer in elements(item, "layer-tree-layer"):
                if layer.attribute("id") in missing:
                    layer.parentNode().removeChild(layer)
    gone: List[str] = []
    for table in children(root, "LayoutMultiFrame"):
        if table.attribute("vectorLayer") in missing:
            gone += [table.attribute("uuid"), table.attribute("templateUuid")]
            root.removeChild(table)
    for frame in elements(document, "LayoutItem") if gone else ():
        names = {frame.attribute("multiFrame"), frame.attribute("multiFrameTemplateUuid")} - {""}
        if names & set(gone):
            frame.parentNode().removeChild(frame)
    for atlas in children(root, "Atlas"):
        if atlas.attribute("coverageLayer") in missing:
            atlas.setAttribute("enabled", "0")
            atlas.setAttribute("coverageLayer", "")


# expressions


def _has_no_value(expression: str, project: QgsProject) -> bool:
    """Return whether QGIS would print an expression as it is written: it cannot be read, or needs a feature's fields.

    The plugin's own functions may be registered later.
    """
    read = QgsExpression(expression)
    if read.hasParserError() or "cartoguide_" in expression:
        return "cartoguide_" not in expression
    if not read.referencedColumns():
        return False
    context = QgsExpressionContext()
    context.appendScope(QgsExpressionContextUtils.globalScope())
    context.appendScope(QgsExpressionContextUtils.projectScope(project))
    read.evaluate(context)
    return bool(read.hasEvalError())


def _leave_expressions_out(document: QDomDocument, template: ResolvedTemplate) -> None:
    for element in [element for tag in ("LayoutItem", "LayoutMultiFrame") for element in elements(document, tag)]:
        for name in TEXT_ATTRIBUTES if not is_filled_text(element.attribute("id")) else ():
            text = element.attribute(name)
            for expression in expressions_in_text(text):
                if expression in template.lost_expressions:
                    element.setAttribute(name, element.attribute(name).replace(f"[%{expression}%]", ""))


# elements


def elements(parent: Union[QDomDocument, QDomElement], tag: str) -> List[QDomElement]:
    """Return all elements of this name below ``parent``, as a list that does not change with the document."""
    found = parent.elementsByTagName(tag)
    return [found.at(number).toElement() for number in range(found.count())]


def children(parent: QDomElement, tag: str) -> List[QDomElement]:
    """Return the elements of this name directly in ``parent``."""
    found = []
    child = parent.firstChildElement(tag)
    while not child.isNull():
        found.append(child)
        child = child.nextSiblingElement(tag)
    return found


def number(text: str) -> Optional[float]:
    """Return a number of a template, or None for another text."""
    try:
        return float(text)
    except ValueError:
        return None

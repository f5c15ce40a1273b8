"""Load a layout template from its file, a few items at a time: one with many items would hold the window for long.

Of a template that is neither bundled nor in the person's own folder only that is loaded which may be drawn.
"""

from __future__ import annotations

import base64
import json
import re
import uuid
from functools import lru_cache
from pathlib import Path
from typing import Dict, Generator, List, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsApplication,
    QgsLayoutItem,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutItemRegistry,
    QgsPrintLayout,
    QgsProject,
    QgsReadWriteContext,
)
from qgis.PyQt.QtCore import QByteArray, QTextStream
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.cooperative_yield import run_to_end
from ...core.errors import CartoguideError, UnreadableDocument
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.resources import RESOURCES
from ...core.trust.drawing import AllowedDrawing, allowed_template
from ...core.trust.files import is_regular, leads_to, read_regular
from ..runtime import settings
from ..runtime.compat import enum_value
from ..runtime.symbol_library import svg_library

BUNDLED_FOLDER = RESOURCES / "templates"
#: bytes of a layout template. Those with embedded pictures have some megabytes
_MAX_TEMPLATE = 32_000_000
#: items that are loaded between two pauses, of 1 to 3 ms each
_ITEMS_AT_A_TIME = 6
_ITEM, _TABLE = "LayoutItem", "LayoutMultiFrame"
#: what was left out of the template of a layout, as JSON
_LEFT_OUT = "cartoguide/left-out"
_UUID = re.compile(r"\{[0-9a-fA-F-]{36}\}")
_TEMPLATE_UUID = re.compile(rf'\btemplateUuid="({_UUID.pattern})"')


def templates_folder() -> Path:
    """Return the folder of the person's templates: the chosen one, else one in the QGIS profile."""
    chosen = settings.get("templates_folder")
    return Path(chosen) if chosen else Path(QgsApplication.qgisSettingsDirPath()) / "cartoguide" / "templates"


def is_foreign(path: Path) -> bool:
    """Return whether a template is somebody else's: neither bundled nor in the person's folder, with links followed."""
    try:
        real = path.resolve(strict=True)
        return not any(folder.resolve() in real.parents for folder in (BUNDLED_FOLDER, templates_folder()))
    except (OSError, RuntimeError, ValueError):
        return True


def left_out_notes(layout: QgsPrintLayout) -> List[str]:
    """Return the note on what was left out of somebody else's template when the layout was loaded from it."""
    name, *parts = stored_list(layout.customProperty(_LEFT_OUT)) or [""]
    return [tr("The template {name} is from outside your templates folder, so this was left out: {parts}.", name=name,
               parts=", ".join(map(str, parts)))] if parts else []


def load_template(project: QgsProject, path: Path, only_items: Sequence[str] = (),
                  agreed_file: str = "") -> QgsPrintLayout:
    """Return a new layout, not yet in the project, with the items of the template at ``path``.

    With ``only_items`` only the items with those ids are loaded. Raises CartoguideError if the file cannot be read, is
    another than ``agreed_file`` (as ``PageSetup`` has it), or is not a template.
    """
    return run_to_end(loading_steps(project, path, only_items, agreed_file))


def loading_steps(project: QgsProject, path: Path, only_items: Sequence[str] = (),
                  agreed_file: str = "") -> Generator[None, None, QgsPrintLayout]:
    """Load a template as ``load_template`` does, and pause between short steps.

    A template whose items lack unique names, or name each other, is loaded in one step.
    """
    # the file that is judged is the one that is read, whatever the name leads to a moment later
    agreed_file = agreed_file or leads_to(path)
    is_others = is_foreign(Path(agreed_file))
    content, left_out = _read_template(path, is_others, agreed_file)
    yield
    document = _parse_template(path, content)
    # the pictures of somebody else's template are in it, or in QGIS
    folder = None if is_others else path.parent
    if only_items:
        _remove_other_items(document, only_items)
    yield
    parts = _take_parts(document)
    yield
    layout = QgsPrintLayout(project)
    context = QgsReadWriteContext()
    context.setPathResolver(project.pathResolver())
    if parts:
        loaded = layout.readXml(document.documentElement(), document, context)
    else:
        _all_items, loaded = layout.loadFromTemplate(document, context)
    if not loaded:
        raise _not_a_template(path)
    _resolve_pictures(_items(layout), folder)
    for part in parts:
        yield
        _resolve_pictures(_add_part(layout, part, document, context), folder)
    if left_out:
        layout.setCustomProperty(_LEFT_OUT, json.dumps([path.name, *left_out], ensure_ascii=False))
    return layout


def _add_part(layout: QgsPrintLayout, part: QDomElement, document: QDomDocument,
              context: QgsReadWriteContext) -> List[QgsLayoutItem]:
    """Load the items of ``part`` at their heights in the template. QGIS puts added items above those there are."""
    heights: Dict[str, float] = {}
    there = sum(not isinstance(item, QgsLayoutItemPage) for item in _items(layout))
    for item in _children(part, _ITEM):
        heights[item.attribute("uuid")] = height = float(item.attribute("zValue"))
        item.setAttribute("zValue", str(height - there))
    added: List[QgsLayoutItem] = layout.addItemsFromXml(part, document, context)
    for item in added:
        if item.zValue() != heights[item.uuid()]:
            item.setZValue(heights[item.uuid()])
    return added


def _items(layout: QgsPrintLayout) -> List[QgsLayoutItem]:
    return [item for item in layout.items() if isinstance(item, QgsLayoutItem)]


def _read_template(path: Path, is_others: bool, agreed_file: str) -> Tuple[str, Sequence[str]]:
    """Return what of the file may be drawn, and what was left out."""
    try:
        content = read_regular(path, _MAX_TEMPLATE, agreed_file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CartoguideError(tr("The layout template {name} cannot be read.", name=path.name), str(error)) from error
    left_out: Sequence[str] = ()
    if is_others:
        try:
            drawing = _allowed_template(content, svg_library())
        except UnreadableDocument as error:
            raise _not_a_template(path, error.user_text) from error
        content, left_out = drawing.text, drawing.left_out
    return content, left_out


@lru_cache(maxsize=4)
def _allowed_template(content: str, library: Optional[Path]) -> AllowedDrawing:
    """Judge a template once: measuring the page, its picture and the export read the same one."""
    return allowed_template(content, library)


def _parse_template(path: Path, content: str) -> QDomDocument:
    """Return a template parsed, with new names (UUIDs) for the items wherever they are named."""
    # QGIS makes new names too, when it loads all at once. Items loaded later are to find those loaded before
    names = {name: f"{{{uuid.uuid4()}}}" for name in _TEMPLATE_UUID.findall(content)}
    content = _UUID.sub(lambda found: names.get(found.group(), found.group()), content)
    document = QDomDocument()
    # QGIS's templates have no entities: those of others could be expanded without end
    parsed = "<!ENTITY" not in content and document.setContent(content)
    if not (parsed[0] if isinstance(parsed, tuple) else bool(parsed)):
        raise _not_a_template(path)
    return document


def _take_parts(document: QDomDocument) -> List[QDomElement]:
    """Take the items out of a template that may be loaded later, and return them in groups, in the order of loading.

    An item looks for those that it names, such as the map of a scale bar, while it is loaded: they come before it.
    Tables and their frames, and what they name, stay in the document. Empty if all are to be loaded at once.
    """
    root = document.documentElement()
    items = {item.attribute("uuid"): item for item in _children(root, _ITEM)}
    are_told_apart = all(name and name == item.attribute("templateUuid") for name, item in items.items()) and len(
        # of items at the same height the one loaded last is on top
        {_number(item.attribute("zValue")) for item in items.values()} - {None}) == len(_children(root, _ITEM))
    if root.tagName() != "Layout" or not are_told_apart:
        return []
    named = {name: _named_in(item) & items.keys() - {name} for name, item in items.items()}
    order = _named_first(named)
    frame = str(enum_value(QgsLayoutItemRegistry.ItemType.LayoutFrame))
    at_once = {name for name, item in items.items() if item.attribute("type") == frame}.union(
        *(_named_in(table) & items.keys() for table in _children(root, _TABLE)))
    for name in reversed(order):
        if name in at_once:
            at_once |= named[name]
    later = [items[name] for name in order if name not in at_once]
    parts = []
    for start in range(0, len(later), _ITEMS_AT_A_TIME):
        part = document.createElement(root.tagName())
        for item in later[start:start + _ITEMS_AT_A_TIME]:
            part.appendChild(item)
        parts.append(part)
    return parts


def _number(text: str) -> Optional[float]:
    try:
        return float(text)
    except ValueError:
        return None


def _named_first(named: Dict[str, Set[str]]) -> List[str]:
    """Return the names so that each comes after those that it names. Empty if two name each other."""
    order: List[str] = []
    waiting = dict(named)
    while waiting:
        free = [name for name, others in waiting.items() if not others & waiting.keys()]
        if not free:
            return []
        order += free
        for name in free:
            del waiting[name]
    return order


def _named_in(element: QDomElement) -> Set[str]:
    written = QByteArray()
    stream = QTextStream(written)
    element.save(stream, 0)
    stream.flush()
    return set(_UUID.findall(bytes(written).decode("utf-8", errors="replace")))


def _children(parent: QDomElement, tag: str) -> List[QDomElement]:
    children = []
    child = parent.firstChildElement(tag)
    while not child.isNull():
        children.append(child)
        child = child.nextSiblingElement(tag)
    return children


def _not_a_template(path: Path, detail: str = "") -> CartoguideError:
    return CartoguideError(tr("{name} is not a QGIS layout template.", name=path.name), detail)


def _resolve_pictures(items: Sequence[QgsLayoutItem], folder: Optional[Path]) -> None:
    """Find the files of a template's pictures: at their paths, beside the template, or among the plugin's icons.

    Without a folder they are left as they are.
    """
    if folder is None:
        return
    for picture in items:
        if not isinstance(picture, QgsLayoutItemPicture) or not picture.picturePath() or \
                picture.picturePath().startswith("base64:"):
            continue
        file = Path(picture.picturePath())
        bundled = RESOURCES / "icons" / file.name
        if not is_regular(file):
            sibling = folder / file.name
            file = sibling if is_regular(sibling) else bundled
            picture.setPicturePath(str(file))
        if file == bundled and file.is_file():
            # embedded in the layout: a file of the plugin is missing where the plugin is not installed
            picture.setPicturePath(f"base64:{base64.b64encode(file.read_bytes()).decode('ascii')}")


def _remove_other_items(document: QDomDocument, item_ids: Sequence[str]) -> None:
    """Remove all items but these and the pages from a template: labels and pictures are slow to load."""
    items = document.elementsByTagName(_ITEM)
    for item in [items.at(number).toElement() for number in range(items.count())]:
        if item.attribute("id") not in item_ids and item.parentNode().nodeName() != "PageCollection":
            item.parentNode().removeChild(item)

"""Load a layout template from its file, a few items at a time: one with many items would hold the window for long.

Of a template that is neither bundled nor in the person's own folder only that is loaded which may be drawn. What it
needs that is not here is replaced or left out, and noted.
"""

from __future__ import annotations

import json
import re
import uuid
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Dict, Generator, Iterator, List, Optional, Sequence, Set, Tuple

from qgis.core import (
    QgsApplication,
    QgsLayoutItem,
    QgsLayoutItemPage,
    QgsLayoutItemRegistry,
    QgsPrintLayout,
    QgsProject,
    QgsProjectDirtyBlocker,
    QgsReadWriteContext,
)
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QByteArray, QTextStream
from qgis.PyQt.QtXml import QDomDocument, QDomElement

from ...core.cooperative_yield import run_to_end
from ...core.errors import CartoguideError, UnreadableDocument
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.preflight import template_findings
from ...core.resources import RESOURCES
from ...core.trust.drawing import AllowedDrawing, allowed_template
from ...core.trust.files import foreign_path_problem, leads_to, local_path, read_regular
from ...core.trust.template_contents import ResolvedTemplate, read_contents
from ..runtime import settings
from ..runtime.compat import enum_value
from ..runtime.symbol_library import svg_library
from .template_resources import adapt_document, children, elements, number, resolve_template

BUNDLED_FOLDER = RESOURCES / "templates"
#: bytes of a layout template. Those with embedded pictures have some megabytes
_MAX_TEMPLATE = 32_000_000
#: items that are loaded between two pauses, of 1 to 3 ms each
_ITEMS_AT_A_TIME = 6
_ITEM, _TABLE = "LayoutItem", "LayoutMultiFrame"
#: notes on the template of a layout, as JSON
_NOTES = "cartoguide/template-notes"
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


def template_notes(layout: QgsPrintLayout) -> List[str]:
    """Return the notes on what the layout's template needed and was missing, replaced or left out when it was loaded.
    """
    return [note for note in stored_list(layout.customProperty(_NOTES)) if isinstance(note, str)]


def read_template(path: Path, agreed_file: str = "") -> ResolvedTemplate:
    """Return what the template at ``path`` names, without the files, themes and layers that are here.

    Raises CartoguideError if ``load_template`` would, before it is loaded. A file that has not changed is not read
    again.
    """
    agreed_file = agreed_file or leads_to(path)
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    # st_ctime changes with the content, whatever time somebody gives the file
    return _read_once(path, is_foreign(Path(agreed_file)), agreed_file,
                      (state.st_ino, state.st_size, state.st_ctime_ns))


@lru_cache(maxsize=16)
def _read_once(path: Path, is_others: bool, agreed_file: str, _state: Tuple[int, ...]) -> ResolvedTemplate:
    """Read a file once in each state of it: each plan of the map asks."""
    return _read_file(path, is_others, agreed_file)[1]


def load_template(project: QgsProject, path: Path, only_items: Sequence[str] = (),
                  agreed_file: str = "") -> QgsPrintLayout:
    """Return a new layout, not yet in the project, with the items of the template at ``path``.

    With ``only_items`` only the items with those ids are loaded. Raises CartoguideError if the file cannot be read, is
    another than ``agreed_file`` (as ``PageSetup`` has it), or is not a template.
    """
    return run_to_end(loading_steps(project, path, only_items, agreed_file))


@contextmanager
def unmarked(project: QgsProject) -> Iterator[None]:
    """Leave the project unmarked by what is done within the context to layouts that it does not have."""
    blocker = QgsProjectDirtyBlocker(project)
    try:
        yield
    finally:
        if sip.isdeleted(project):
            # its end would reach for the project
            sip.transferto(blocker, None)
        del blocker


def loading_steps(project: QgsProject, path: Path, only_items: Sequence[str] = (),
                  agreed_file: str = "") -> Generator[None, None, QgsPrintLayout]:
    """Load a template as ``load_template`` does, and pause between short steps.

    A template whose items lack unique names, or name each other, is loaded in one step.
    """
    # the file that is judged is the one that is read, whatever the name leads to a moment later
    agreed_file = agreed_file or leads_to(path)
    is_others = is_foreign(Path(agreed_file))
    content, template = _read_file(path, is_others, agreed_file)
    yield
    template = resolve_template(template, path.parent, project)
    yield
    document = _parse_template(path, content)
    yield
    adapt_document(document, template)
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
    for part in parts:
        yield
        _add_part(layout, part, document, context)
    notes = template_findings.template_notes(template)
    if notes:
        layout.setCustomProperty(_NOTES, json.dumps(notes, ensure_ascii=False))
    return layout


def _add_part(layout: QgsPrintLayout, part: QDomElement, document: QDomDocument, context: QgsReadWriteContext) -> None:
    """Load the items of ``part`` at their heights in the template. QGIS puts added items above those there are."""
    heights: Dict[str, float] = {}
    there = sum(not isinstance(item, QgsLayoutItemPage) for item in _items(layout))
    for item in children(part, _ITEM):
        heights[item.attribute("uuid")] = height = float(item.attribute("zValue"))
        item.setAttribute("zValue", str(height - there))
    added: List[QgsLayoutItem] = layout.addItemsFromXml(part, document, context)
    for item in added:
        if item.zValue() != heights[item.uuid()]:
            item.setZValue(heights[item.uuid()])


def _items(layout: QgsPrintLayout) -> List[QgsLayoutItem]:
    return [item for item in layout.items() if isinstance(item, QgsLayoutItem)]


def _read_file(path: Path, is_others: bool, agreed_file: str) -> Tuple[str, ResolvedTemplate]:
    """Return what of the file may be drawn, and what the whole file names."""
    try:
        content = read_regular(path, _MAX_TEMPLATE, agreed_file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unreadable(path, error) from error
    template = ResolvedTemplate(path.name, read_contents(content), is_others)
    if is_others:
        try:
            drawing = _allowed_template(content, svg_library())
        except UnreadableDocument as error:
            raise _not_a_template(path, error.user_text) from error
        content = drawing.text
        return drawing.text, replace(template, left_out=drawing.left_out, refused_pictures=drawing.refused_pictures)
    for page in filter(None, map(local_path, template.contents.pages)):
        # QGIS waits for a page of another computer for ever
        problem = foreign_path_problem(page)
        if problem:
            raise CartoguideError(problem, path.name)
    return content, template


def judge_ahead(path: Path, agreed_file: str = "") -> None:
    """Read a template, and judge somebody else's, in a worker thread. The page is measured in the main thread.

    A file that cannot be read is an error when it is loaded.
    """
    try:
        read_template(path, agreed_file)
    except CartoguideError:
        return


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
    items = {item.attribute("uuid"): item for item in children(root, _ITEM)}
    are_told_apart = all(name and name == item.attribute("templateUuid") for name, item in items.items()) and len(
        # of items at the same height the one loaded last is on top
        {number(item.attribute("zValue")) for item in items.values()} - {None}) == len(children(root, _ITEM))
    if root.tagName() != "Layout" or not are_told_apart:
        return []
    named = {name: _named_in(item) & items.keys() - {name} for name, item in items.items()}
    order = _named_first(named)
    frame = str(enum_value(QgsLayoutItemRegistry.ItemType.LayoutFrame))
    at_once = {name for name, item in items.items() if item.attribute("type") == frame}.union(
        *(_named_in(table) & items.keys() for table in children(root, _TABLE)))
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


def _unreadable(path: Path, error: Exception) -> CartoguideError:
    return CartoguideError(tr("The layout template {name} cannot be read.", name=path.name), str(error))


def _not_a_template(path: Path, detail: str = "") -> CartoguideError:
    return CartoguideError(tr("{name} is not a QGIS layout template.", name=path.name), detail)


def _remove_other_items(document: QDomDocument, item_ids: Sequence[str]) -> None:
    """Remove all items but these and the pages from a template: labels and pictures are slow to load."""
    for item in elements(document, _ITEM):
        if item.attribute("id") not in item_ids and item.parentNode().nodeName() != "PageCollection":
            item.parentNode().removeChild(item)

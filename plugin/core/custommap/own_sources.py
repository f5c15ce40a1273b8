"""Sources of own layers in a document: paths of files, and what cannot be opened again."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Callable, List, Optional, Tuple
from urllib.parse import quote

from ..pages.page_feature import PageFile
from ..pages.page_features import with_members
from ..sources.layer_source import SourceType
from .model import CustomMap, OwnLayer, PageSetup

_ABSOLUTE = re.compile(r"(?:[\\/]|[A-Za-z]:[\\/])")


def file_of(own: OwnLayer) -> str:
    """Return the path of the file that an own layer draws, as its source has it, or "" if it draws no local file."""
    found = own.origin
    return found.path if found.type is SourceType.FILE else ""


def names_template_file(page: PageSetup) -> bool:
    """Return whether the page's template is the path of a .qpt file, and not the name of a bundled one."""
    return page.template.lower().endswith(".qpt")


def is_temporary(own: OwnLayer) -> bool:
    """Return whether the layer is in the memory of QGIS only, so that no reference leads to it."""
    return own.origin.type is SourceType.MEMORY


def with_file(own: OwnLayer, path: str) -> OwnLayer:
    """Return the layer with another file in its source. Sublayer, filter and options of the source stay."""
    former = file_of(own)
    if not former or former == path:
        return own
    if own.source.lower().startswith("file:"):
        _, mark, options = own.source.partition("?")
        start = "file://" if path.startswith("/") else "file:///" if _ABSOLUTE.match(path) else "file:"
        return replace(own, source=f"{start}{quote(path, safe='/:')}{mark}{options}")
    return replace(own, source=own.source.replace(former, path, 1))


def page_files(page: PageSetup) -> List[Tuple[str, PageFile]]:
    """Return the files that features of the page name, each with what it is for, besides the template."""
    return [(feature.files.use(), file) for feature in with_members() if feature.files is not None
            for file in feature.files.of(getattr(page, feature.member))]


def with_page_files(page: PageSetup, change: Callable[[PageFile], Optional[PageFile]]) -> PageSetup:
    """Return the page with ``change`` applied to the files that its features name. None drops one."""
    return replace(page, **{feature.member: feature.files.replaced(getattr(page, feature.member), change)
                            for feature in with_members() if feature.files is not None})


def with_relative_sources(custom_map: CustomMap, document: Path) -> CustomMap:
    """Return the map to be saved at ``document``: files beside or below it are named relative to it."""
    folder = document.parent.resolve()

    def relative(path: str) -> str:
        try:
            return Path(path).relative_to(folder).as_posix() if _ABSOLUTE.match(path) else path
        except ValueError:
            return path

    return with_changed_files(custom_map, relative)


def with_absolute_sources(custom_map: CustomMap, document: Path) -> CustomMap:
    """Return the map read from ``document`` with the absolute paths of the files of own layers."""
    return with_changed_files(custom_map, lambda path: path if _ABSOLUTE.match(path) else Path(
        os.path.normpath(document.parent / path)).as_posix())


def with_changed_files(custom_map: CustomMap, change: Callable[[str], str]) -> CustomMap:
    """Return the map with ``change`` applied to the paths of the files of own layers, page and template."""
    page = custom_map.page
    if names_template_file(page):
        page = replace(page, template=change(page.template))
    page = with_page_files(page, lambda file: file._replace(path=change(file.path)))
    if page != custom_map.page:
        custom_map = replace(custom_map, page=page)
    if not custom_map.own_layers:
        return custom_map
    return replace(custom_map, own_layers=tuple(
        with_file(own, change(file_of(own))) if file_of(own) else own for own in custom_map.own_layers))

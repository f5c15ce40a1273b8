"""The custom map's document as it travels inside the map that was made of it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Optional, Tuple

from ..custommap import own_sources
from ..custommap.model import CustomMap
from ..snapshot.snapshot_sources import with_relative_paths

_ABSOLUTE = re.compile(r"(?:[\\/]|[A-Za-z]:[\\/])")


def published_document(custom_map: CustomMap, file: Path, centre: Optional[Tuple[float, float]],
                       scale: Optional[float]) -> CustomMap:
    """Return the document for the published map ``file``, with the centre (lon, lat) and the scale of its page.

    A published map is handed out, so it names no folder of the computer that made it: files and snapshots beside or
    below it are relative to it, of other files the name remains, and other snapshots are left out.
    """
    document = with_relative_paths(custom_map, file)
    if centre is not None and scale:
        document = replace(document, extent=None, centre=centre, scale=scale)
    if document.snapshot is not None and _ABSOLUTE.match(document.snapshot.path):
        document = replace(document, snapshot=None)
    return own_sources.with_changed_files(
        document, lambda path: _name_of(path) if _ABSOLUTE.match(path) else path)


def _name_of(path: str) -> str:
    return PurePosixPath(path).name if path.startswith("/") else PureWindowsPath(path).name

"""Files that a custom map can be opened from: documents, and maps that have theirs inside."""

from __future__ import annotations

import mmap
from pathlib import Path

from ..custommap.document import read_document
from ..custommap.model import CustomMap
from ..errors import CartoguideError
from ..i18n import tr
from ..json_document import MAX_BYTES
from ..trust.files import open_regular
from .embedded_documents import MAP_SUFFIXES, document_inside, is_published_map

DOCUMENT_SUFFIX = ".custommap.json"


def read_map_file(path: Path) -> CustomMap:
    """Return the custom map in a document, or in a PDF, PNG or GeoTIFF that was exported of one.

    Raises CartoguideError as ``map_document``, and if the file contains no custom map.
    """
    return read_document(map_document(path), path.name)


def map_document(path: Path) -> bytes:
    """Return the bytes of a custom map's document in a file, or inside a PDF, PNG or GeoTIFF that was exported of it.

    The file is opened once, and no more of it is read than a document can have. Raises CartoguideError if the file
    cannot be opened, is not a regular file or contains no custom map.
    """
    with open_regular(path) as file:
        try:
            if not is_published_map(file.read(8)):
                file.seek(0)
                # one byte more than is read, so that the reader says how much is too much
                return file.read(MAX_BYTES + 1)
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return document_inside(data, path.name)
        except (OSError, ValueError) as error:
            raise CartoguideError(tr("{name} could not be opened: {reason}.", name=path.name,
                                     reason=getattr(error, "strerror", None) or "?"), str(error)) from error


def may_contain_map(path: str) -> bool:
    """Return whether a file's name is that of a document or of a format that has its document inside."""
    return path.lower().endswith((DOCUMENT_SUFFIX, *MAP_SUFFIXES))

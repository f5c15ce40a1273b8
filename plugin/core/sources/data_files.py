"""Data files of this computer that are cut short, as their own figures show.

GDAL and QGIS draw the part of such a file that is there, and report nothing.
"""

from __future__ import annotations

import os
import re
import struct
import sys
from array import array
from functools import lru_cache
from typing import BinaryIO, Callable, Mapping

from ..errors import CartoguideError
from ..trust.files import open_regular
from ..wms.responses.image_headers import is_complete_image

_HEAD_BYTES, _TAIL_BYTES = 4096, 65_536
#: most bytes of a file that are read
_MAX_BYTES = 400_000_000
_ROOT_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]*)")
_END_OF_XML = re.compile(rb"</([\w.:-]+)\s*>\s*(?:<!--(?:(?!-->).)*-->\s*)*\Z", re.DOTALL)
#: places of two fields in the header of a FlatGeobuf, in bytes of its table (FlatGeobuf 3, header.fbs)
_FEATURES_COUNT, _INDEX_NODE_SIZE = 20, 22
_INDEX_NODE = 40
#: from the path of a file, its content and its size
_Check = Callable[[str, BinaryIO, int], bool]


def is_cut_short(path: str) -> bool:
    """Return whether the file at ``path``, or one that belongs to it, says that it is longer than it is.

    False for a file that cannot be read, and in formats that do not say it. The answer is cached.
    """
    stem, suffix = os.path.splitext(path)
    return any(_is_cut(file) for file in (path, *((f"{stem}.dbf", f"{stem}.DBF") if suffix.lower() == ".shp" else ())))


def _is_cut(path: str) -> bool:
    check = _CHECKS.get(os.path.splitext(path)[1].lower())
    try:
        state = os.stat(path)
        return check is not None and _checked(path, check, state.st_mtime_ns, state.st_size)
    except (OSError, ValueError, CartoguideError):
        return False


@lru_cache(maxsize=512)
def _checked(path: str, check: _Check, _changed: int, size: int) -> bool:
    with open_regular(path) as file:
        try:
            return check(path, file, size)
        except (struct.error, IndexError):
            # not even what it says of itself
            return True


def _cut_shapes(path: str, _file: BinaryIO, size: int) -> bool:
    """Look for the end of the furthest record, which the index beside the shapes gives in words of 16 bits."""
    with open_regular(path[:-1] + ("X" if path.endswith("P") else "x"), _MAX_BYTES) as index:
        index.seek(100)
        data = index.read()
    words = array("i", data[:len(data) // 8 * 8])
    if sys.byteorder == "little":
        words.byteswap()
    places = words[::2]
    return bool(places) and 2 * (max(places) + words[2 * places.index(max(places)) + 1]) + 8 > size


def _cut_table(_path: str, file: BinaryIO, size: int) -> bool:
    """Look for the end of the last row of a dBASE table."""
    rows, header, row = struct.unpack_from("<4xIHH", file.read(12))
    return bool(header + rows * row > size)


def _cut_database(path: str, file: BinaryIO, size: int) -> bool:
    """Compare the pages of an SQLite database, if its header knows their number (SQLite file format, 1.3.7).

    Beside a log of writes that are not in it yet it may lack some.
    """
    page, changed, pages, valid_for = struct.unpack_from(">16xH6xII60xI", file.read(100))
    return bool(changed == valid_for and pages * (65_536 if page == 1 else page) > size
                and not os.path.exists(f"{path}-wal"))


def _cut_flatgeobuf(_path: str, file: BinaryIO, size: int) -> bool:
    """Look for the end of the last feature: by the last node of the index, or from one feature to the next."""
    length, = struct.unpack_from("<8xI", file.read(12))
    header = file.read(min(length, _MAX_BYTES))
    table, = struct.unpack_from("<I", header)
    fields = table - struct.unpack_from("<i", header, table)[0]
    known, = struct.unpack_from("<H", header, fields)
    count, in_node = (struct.unpack_from(form, header, table + struct.unpack_from("<H", header, fields + place)[0])[0]
                      if place < known and any(header[fields + place:fields + place + 2]) else usual
                      for form, place, usual in (("<Q", _FEATURES_COUNT, 0), ("<H", _INDEX_NODE_SIZE, 16)))
    start = 12 + length
    if count and in_node > 1:
        nodes = level = count
        while nodes == count or level > 1:
            level = -(-level // in_node)
            nodes += level
        # the leaves come last, and the end of each is the place of its feature
        start += nodes * _INDEX_NODE
        file.seek(start - 8)
        start += struct.unpack("<Q", file.read(8))[0]
        count = 1
    for _feature in range(count):
        file.seek(start)
        start += 4 + struct.unpack("<I", file.read(4))[0]
    return bool(start > size)


def _cut_image(_path: str, file: BinaryIO, size: int) -> bool:
    """Look for the end of a JPEG, in all of it only where its last bytes have none."""
    file.seek(max(0, size - _TAIL_BYTES))
    if size > _TAIL_BYTES and b"\xff\xd9" in file.read():
        return False
    file.seek(0)
    return size > _MAX_BYTES or is_complete_image(file.read()) is False


def _cut_xml(_path: str, file: BinaryIO, size: int) -> bool:
    """Look for the end of the root element."""
    text = re.sub(rb"<!--.*?-->", b"", file.read(_HEAD_BYTES), flags=re.DOTALL)
    file.seek(max(0, size - _TAIL_BYTES))
    root, end = _ROOT_ELEMENT.search(text), _END_OF_XML.search(file.read())
    # one of another encoding has neither
    return root is not None and (end is None or end.group(1) != root.group(1))


_CHECKS: Mapping[str, _Check] = {
    ".shp": _cut_shapes, ".dbf": _cut_table, ".fgb": _cut_flatgeobuf, ".jpg": _cut_image, ".jpeg": _cut_image,
    **dict.fromkeys((".gpkg", ".sqlite", ".db", ".mbtiles"), _cut_database),
    **dict.fromkeys((".gml", ".gpx", ".kml"), _cut_xml)}
#: the suffixes of the formats that say how long their files are
SUFFIXES = tuple(_CHECKS)

"""Overview images of records that are on this computer already, as raster images for pages. No server is asked.

They are looked for beside the record's file, in its package, and in what the caller has saved. Only raster formats
count, because vector formats may contain scripts.
"""

from __future__ import annotations

import base64
import os
import posixpath
from dataclasses import dataclass
from typing import Callable, Iterator, Optional, Tuple
from urllib.parse import parse_qsl, unquote, urlsplit

from ...addresses import is_web_address
from ...errors import CartoguideError
from ...records.input.packages import read_member
from ...records.model.record import Overview, Record
from ...trust.files import inside, is_local_path, is_regular, read_regular
from ...wms.responses.image_headers import image_format, image_size, is_complete_image, is_overloaded, is_turned

#: images of more bytes or pixels are left to their addresses: a page holds many, and browsers decode them
MAX_BYTES, MAX_PIXELS = 1_000_000, 16_000_000
_MIME_TYPES = {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "bmp": "image/bmp"}
_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
#: overviews of a record that are looked for
_MAX_OVERVIEWS = 10

#: returns the saved bytes of an address, or None
SavedPicture = Callable[[str], Optional[bytes]]


@dataclass(frozen=True)
class LocalPicture:
    """Raster image of a record with its format and its size in pixels.

    ``overview`` is the record's overview that it is, None for an image with the name of the record's file.
    """

    data: bytes
    mime_type: str
    width: int
    height: int
    overview: Optional[Overview] = None

    @property
    def address(self) -> str:
        """The image as an address that contains it (RFC 2397)."""
        return f"data:{self.mime_type};base64,{base64.b64encode(self.data).decode('ascii')}"


def local_picture(record: Record, saved_picture: Optional[SavedPicture] = None) -> Optional[LocalPicture]:
    """Return the first of the record's overviews that is on this computer, or None.

    ``saved_picture`` is asked for the bytes of web addresses. A file of another folder is never read, whatever the
    record names: only what lies beside its own file, and in its own package.
    """
    for data, overview in _candidates(record, saved_picture):
        picture = _picture(data, overview)
        if picture is not None:
            return picture
    return None


def _candidates(record: Record, saved_picture: Optional[SavedPicture]) -> Iterator[Tuple[Optional[bytes],
                                                                                       Optional[Overview]]]:
    path, member = _file_and_member(record.source)
    for overview in record.overviews[:_MAX_OVERVIEWS]:
        if saved_picture is not None and is_web_address(overview.url):
            yield saved_picture(overview.url.strip()), overview
        name = _file_name(overview.url)
        if name and path:
            yield from ((data, overview) for data in _files_of(path, member, name, is_web_address(overview.url)))
    if path and not member:
        stem, folder = os.path.splitext(path)[0], os.path.dirname(path) or os.curdir
        yield from ((_bytes_of(stem + suffix, folder), None) for suffix in _SUFFIXES
                    if is_regular(stem + suffix, MAX_BYTES))


def _files_of(path: str, member: str, name: str, is_web: bool) -> Iterator[Optional[bytes]]:
    """Yield the files called ``name`` of a record: of its package, packed or unpacked, or beside it."""
    folder, parent = os.path.dirname(path) or os.curdir, posixpath.dirname(member)
    if member:
        parent = posixpath.dirname(parent) if posixpath.basename(parent) == "metadata" else parent
        for attachments in ("public", "thumbnails", ""):
            yield _member_bytes(path, posixpath.join(parent, attachments, name))
        return
    # an unpacked MEF has its list of contents and its attachments beside the record's folder, or beside the record
    for top in (folder, os.path.dirname(folder) if os.path.basename(folder) == "metadata" else folder):
        if is_regular(os.path.join(top, "info.xml")):
            yield _bytes_of(os.path.join(top, "public", name), top)
    if not is_web:
        yield _bytes_of(os.path.join(folder, name), folder)


def _file_and_member(source: str) -> Tuple[str, str]:
    """Return the file of a record, and its path in it if that is a package. Empty texts without a file."""
    if not source or not is_local_path(source):
        return "", ""
    if is_regular(source):
        return source, ""
    position = source.find("!")
    while position > 0:
        if is_regular(source[:position]):
            return source[:position], source[position + 1:]
        position = source.find("!", position + 1)
    return "", ""


def _file_name(url: str) -> str:
    """Return the name of the image file that an address names, or "" where it names none."""
    try:
        parts = urlsplit(url.strip())
        # GeoNetwork's address of an attachment is resources.get?uuid=…&fname=thumbnail.png
        name = dict(parse_qsl(parts.query)).get("fname") or posixpath.basename(unquote(parts.path))
    except ValueError:
        return ""
    is_plain = name and not name.startswith(".") and os.path.basename(name) == name and "\\" not in name
    return name if is_plain and name.lower().endswith(_SUFFIXES) and is_local_path(name) else ""


def _bytes_of(path: str, folder: str) -> Optional[bytes]:
    """Return the bytes of a regular file that lies in ``folder`` or below, with all links followed, or None."""
    if not inside(path, folder):
        return None
    try:
        return read_regular(path, MAX_BYTES)
    except CartoguideError:
        return None


def _member_bytes(path: str, name: str) -> Optional[bytes]:
    try:
        return read_member(path, name, MAX_BYTES)
    except CartoguideError:
        return None


def _picture(data: Optional[bytes], overview: Optional[Overview]) -> Optional[LocalPicture]:
    """Return the picture if it is a whole raster image of moderate size."""
    if not data or len(data) > MAX_BYTES:
        return None
    mime_type, size = _MIME_TYPES.get(image_format(data) or ""), image_size(data)
    if mime_type is None or size is None or is_complete_image(data) is False or is_overloaded(data):
        return None
    width, height = reversed(size) if is_turned(data) else size
    return LocalPicture(data, mime_type, width, height, overview) if 0 < width * height <= MAX_PIXELS else None

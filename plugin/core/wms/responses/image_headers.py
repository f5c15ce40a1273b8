"""Format, size, completeness and cost of images, read from their headers without decoding pixels."""

from __future__ import annotations

import re
import struct
import zlib
from typing import Callable, Dict, FrozenSet, Optional, Tuple

Size = Tuple[int, int]

_PNG = b"\x89PNG\r\n\x1a\n"
#: JPEG frame headers contain the size. 0xC4, 0xC8 and 0xCC are other segments in that range
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_JPEG_SCANS = frozenset({0xDA})
_FILL_BYTES = re.compile(b"\xff+")
#: segments of a JPEG before its size, far more than cameras and programs write
_MAX_SEGMENTS = 5_000
#: bytes that the compressed texts of a PNG may unpack to. Qt copies each of them several times: 100 texts of 8 MB, in a
#: file of 770 kB, took 19 s and 4 GB
_MAX_TEXT_BYTES = 16_000_000
_PNG_TEXTS = (b"zTXt", b"iTXt", b"iCCP")
#: pixels of all scans of a JPEG. A progressive one of 100 megapixels has about ten scans. 2,000 empty ones take 24 kB
_MAX_SCANNED_PIXELS = 2_000_000_000
#: bytes of one value by TIFF type
_TIFF_TYPE_BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 16: 8}
#: limit of strips, above that of any map image
_MAX_STRIPS = 200_000


def image_format(body: bytes) -> Optional[str]:
    """Return ``png``, ``jpeg``, ``gif``, ``tiff``, ``webp``, ``bmp`` or ``svg``, or None for anything else.

    The first bytes decide.
    """
    for start, name in ((_PNG, "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"),
                        (b"II*\x00", "tiff"), (b"MM\x00*", "tiff"), (b"II+\x00", "tiff"), (b"MM\x00+", "tiff")):
        if body.startswith(start):
            return name
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "webp"
    if body[:2] == b"BM" and len(body) >= 26 and struct.unpack_from("<I", body, 14)[0] in (12, 40, 56, 108, 124):
        return "bmp"
    if b"<svg" in body[:1024] and body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<"):
        return "svg"
    return None


def image_size(body: bytes) -> Optional[Size]:
    """Return (width, height) in pixels, or None if the format is unknown or the header is cut off."""
    reader = _SIZE_READERS.get(image_format(body) or "")
    try:
        return reader(body) if reader else None
    except (struct.error, IndexError):
        return None


def is_turned(body: bytes) -> bool:
    """Return whether a JPEG is seen turned by a quarter: its width is then the height of what its size says (EXIF)."""
    position = 2
    try:
        for _segment in range(_MAX_SEGMENTS):
            if body[position] != 0xFF or body[position + 1] not in range(0xE0, 0xF0):
                break
            length = struct.unpack_from(">H", body, position + 2)[0]
            if body[position + 1] == 0xE1 and body[position + 4:position + 10] == b"Exif\x00\x00":
                return _exif_orientation(body[position + 10:position + 2 + length]) > 4
            position += 2 + length
    except (struct.error, IndexError):
        return False
    return False


def _exif_orientation(body: bytes) -> int:
    """Return the orientation in the first directory of EXIF data (1 to 8), 1 if there is none."""
    order = "<" if body[:2] == b"II" else ">"
    directory = struct.unpack_from(order + "I", body, 4)[0]
    for index in range(struct.unpack_from(order + "H", body, directory)[0]):
        tag, kind, _count, value = struct.unpack_from(order + "HHIH", body, directory + 2 + 12 * index)
        if tag == 0x112 and kind == 3:
            return int(value) if 1 <= value <= 8 else 1
    return 1


def is_complete_image(body: bytes) -> Optional[bool]:
    """Return whether the image is complete, or None if its format cannot tell.

    It needs its end marker and, in formats with checksums, correct checksums.
    """
    check = _COMPLETENESS_CHECKS.get(image_format(body) or "")
    try:
        return check(body) if check else None
    except (struct.error, IndexError):
        return False


def is_overloaded(body: bytes) -> bool:
    """Return whether decoding the image takes far more time or memory than its pixels need, whatever they are.

    So does a PNG whose compressed texts unpack to more than any program writes, and a JPEG with very many scans.
    """
    kind = image_format(body)
    if kind == "png":
        return _png_texts_are_large(body)
    width, height = image_size(body) or (0, 0)
    return kind == "jpeg" and width * height * body.count(b"\xff\xda") > _MAX_SCANNED_PIXELS


def _png_size(body: bytes) -> Size:
    width, height = struct.unpack_from(">II", body, 16)
    return (width, height)


def _is_complete_png(body: bytes) -> bool:
    """Walk the chunks: length, type, data, checksum of type and data. IEND is the last one."""
    position, view = len(_PNG), memoryview(body)
    while position + 12 <= len(body):
        length, kind = struct.unpack_from(">I4s", body, position)
        end = position + 8 + length
        if end + 4 > len(body) or zlib.crc32(view[position + 4:end]) != struct.unpack_from(">I", body, end)[0]:
            return False
        if kind == b"IEND":
            return True
        position = end + 4
    return False


def _png_texts_are_large(body: bytes) -> bool:
    """Unpack the texts and the colour profile of a PNG until they are too large (PNG 1.2, 4.2.3)."""
    position, room = len(_PNG), _MAX_TEXT_BYTES
    while position + 8 <= len(body):
        length, kind = struct.unpack_from(">I4s", body, position)
        if kind in _PNG_TEXTS:
            _keyword, _end, value = body[position + 8:position + 8 + length].partition(b"\0")
            # of an iTXt a flag, the method, and two more texts come before it
            parts = value[2:].split(b"\0", 2) if kind == b"iTXt" and value[:1] == b"\1" else [b""]
            value = parts[-1] if kind == b"iTXt" else value[1:]
            room -= _unpacked_bytes(value, room + 1)
            if room < 0:
                return True
        position += 12 + length
    return False


def _unpacked_bytes(packed: bytes, most: int) -> int:
    """Return how many bytes packed ones (RFC 1950) unpack to, at most ``most``."""
    try:
        return len(zlib.decompressobj().decompress(packed, most)) if packed else 0
    except zlib.error:
        # what a damaged one gives before the fault is not known here
        return len(packed)


def _jpeg_segment(body: bytes, markers: FrozenSet[int]) -> int:
    """Return the place of the first segment with one of ``markers``, or -1. Segments may hold other pictures."""
    position = 2
    for _segment in range(_MAX_SEGMENTS):
        if position + 9 > len(body) or body[position] != 0xFF:
            return -1
        # any number of fill bytes may stand before a marker (ISO/IEC 10918-1, B.1.1.2)
        position = _FILL_BYTES.match(body, position).end() - 1  # type: ignore[union-attr]
        marker = body[position + 1]
        if marker in markers:
            return position
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:
            position += 2
        else:
            position += 2 + int(struct.unpack_from(">H", body, position + 2)[0])
    return -1


def _jpeg_size(body: bytes) -> Optional[Size]:
    position = _jpeg_segment(body, _JPEG_FRAMES)
    if position < 0:
        return None
    height, width = struct.unpack_from(">HH", body, position + 5)
    return (width, height)


def _is_complete_jpeg(body: bytes) -> bool:
    """Look for the end of the image behind the start of its first scan. Cameras write more behind it."""
    scan = _jpeg_segment(body, _JPEG_SCANS)
    return scan >= 0 and body.find(b"\xff\xd9", scan) >= 0


def _gif_size(body: bytes) -> Size:
    width, height = struct.unpack_from("<HH", body, 6)
    return (width, height)


def _is_complete_gif(body: bytes) -> bool:
    return body.rstrip(b"\x00\r\n\t ").endswith(b";")


def _webp_size(body: bytes) -> Optional[Size]:
    kind = body[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(body[24:27], "little") + 1
        height = int.from_bytes(body[27:30], "little") + 1
        return (width, height) if len(body) >= 30 else None
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", body, 21)[0]
        return ((bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", body, 26)
        return (width & 0x3FFF, height & 0x3FFF)
    return None


def _is_complete_webp(body: bytes) -> bool:
    return len(body) >= int(struct.unpack_from("<I", body, 4)[0]) + 8


def _bmp_size(body: bytes) -> Size:
    width, height = struct.unpack_from("<ii", body, 18)
    return (abs(width), abs(height))


def _is_complete_bmp(body: bytes) -> bool:
    return len(body) >= int(struct.unpack_from("<I", body, 2)[0])


def _tiff_tags(body: bytes) -> Dict[int, Tuple[int, ...]]:
    """Return the size, strip and tile tags of the first directory (TIFF 6.0).

    BigTIFF is not supported.
    """
    order = "<" if body[:2] == b"II" else ">"
    if struct.unpack_from(order + "H", body, 2)[0] != 42:
        return {}
    directory = struct.unpack_from(order + "I", body, 4)[0]
    tags: Dict[int, Tuple[int, ...]] = {}
    for index in range(struct.unpack_from(order + "H", body, directory)[0]):
        position = directory + 2 + 12 * index
        tag, kind, count = struct.unpack_from(order + "HHI", body, position)
        if tag not in (256, 257, 273, 279, 324, 325) or kind not in (3, 4) or count > _MAX_STRIPS:
            continue
        data = position + 8
        if count * _TIFF_TYPE_BYTES[kind] > 4:
            data = struct.unpack_from(order + "I", body, data)[0]
        tags[tag] = struct.unpack_from(f"{order}{count}{'H' if kind == 3 else 'I'}", body, data)
    return tags


def _tiff_size(body: bytes) -> Optional[Size]:
    tags = _tiff_tags(body)
    return (tags[256][0], tags[257][0]) if tags.get(256) and tags.get(257) else None


def _is_complete_tiff(body: bytes) -> bool:
    """Return whether every strip or tile lies inside the file."""
    tags = _tiff_tags(body)
    if not tags:
        return len(body) > 16
    pairs = list(zip(tags.get(273, ()), tags.get(279, ()))) + list(zip(tags.get(324, ()), tags.get(325, ())))
    return all(offset + length <= len(body) for offset, length in pairs)


def _is_complete_svg(body: bytes) -> bool:
    """Return whether the root element is closed."""
    tail = body.rstrip()
    return tail.endswith(b"svg>") or (tail.endswith(b"/>") and b"<" not in tail[tail.index(b"<svg") + 1:])


_SIZE_READERS: Dict[str, Callable[[bytes], Optional[Size]]] = {
    "png": _png_size, "jpeg": _jpeg_size, "gif": _gif_size, "webp": _webp_size, "bmp": _bmp_size, "tiff": _tiff_size
}
_COMPLETENESS_CHECKS: Dict[str, Callable[[bytes], bool]] = {
    "png": _is_complete_png, "jpeg": _is_complete_jpeg, "gif": _is_complete_gif, "webp": _is_complete_webp,
    "bmp": _is_complete_bmp, "tiff": _is_complete_tiff, "svg": _is_complete_svg
}

"""Whether the file of a page is whole: Qt and GDAL go on writing where a disk is full, and report success."""

from __future__ import annotations

from pathlib import Path

from .wms.images import is_complete

#: the last bytes of a file that was written to its end, by its name's ending; blanks may follow
_LAST = {".pdf": b"%%EOF", ".svg": b"</svg>"}
_TAIL = 64
_IMAGES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")


def is_whole(path: Path) -> bool:
    """Whether the file is there to its last byte, as far as its format tells; False where it cannot be read."""
    last = _LAST.get(path.suffix.lower())
    try:
        with path.open("rb") as file:
            if last is None:
                body = file.read()
                return is_complete(body) is True if path.suffix.lower() in _IMAGES else bool(body)
            file.seek(max(0, path.stat().st_size - _TAIL))
            return file.read().rstrip().endswith(last)
    except OSError:
        return False

"""Whether the file of a page is whole: Qt and GDAL go on writing where a disk is full, and report success."""

from __future__ import annotations

from pathlib import Path

from .wms.responses.image_headers import is_complete_image

#: the last bytes of a file that was written to its end, by its name's ending; blanks may follow
_END_MARKERS = {".pdf": b"%%EOF", ".svg": b"</svg>"}
_TAIL_BYTES = 64
_IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")


def is_complete_file(path: Path) -> bool:
    """Whether the file is there to its last byte, as far as its format tells; False where it cannot be read."""
    last = _END_MARKERS.get(path.suffix.lower())
    try:
        with path.open("rb") as file:
            if last is None:
                body = file.read()
                return is_complete_image(body) is True if path.suffix.lower() in _IMAGE_SUFFIXES else bool(body)
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            return file.read().rstrip().endswith(last)
    except OSError:
        return False

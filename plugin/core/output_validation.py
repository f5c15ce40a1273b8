"""Validation of exported files, because Qt and GDAL report success even if the disk is full."""

from __future__ import annotations

from pathlib import Path

from .wms.responses.image_headers import is_complete_image

#: last bytes of a complete file by its suffix, before optional white space
_END_MARKERS = {".pdf": b"%%EOF", ".svg": b"</svg>"}
_TAIL_BYTES = 64
_IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff")


def is_complete_file(path: Path) -> bool:
    """Return True if the file is complete as far as its format shows, False if it is not or cannot be read."""
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

"""Files that people save: a sensible name, written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

from .atomic_write import atomic_write


def safe_file_name(title: str) -> str:
    """``title`` as a file name that every system takes; "cartoguide" where nothing is left of it."""
    name = re.sub(r"[\\/:*?\"<>|\x00-\x1f]+", " ", title)
    return re.sub(r"\s+", " ", name).strip(" .")[:120] or "cartoguide"


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``, which changes only once all is written. CartoguideError says why it could not."""
    with atomic_write(path) as file:
        file.write(data)

"""Files that people save: their names, and writing them completely or not at all."""

from __future__ import annotations

import re
from pathlib import Path

from .atomic_write import atomic_write


def safe_file_name(title: str) -> str:
    """Return ``title`` as a file name valid on every operating system, "cartoguide" if nothing is left of it."""
    name = re.sub(r"[\\/:*?\"<>|\x00-\x1f]+", " ", title)
    return re.sub(r"\s+", " ", name).strip(" .")[:120] or "cartoguide"


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` completely or not at all. Raises CartoguideError if that fails."""
    with atomic_write(path) as file:
        file.write(data)

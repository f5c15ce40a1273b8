"""Files that people save: a sensible name, written whole or not at all."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from ..core.errors import CartoguideError
from ..core.i18n import tr


def safe_name(title: str) -> str:
    """``title`` as a file name that every system takes; "cartoguide" where nothing is left of it."""
    name = re.sub(r"[\\/:*?\"<>|\x00-\x1f]+", " ", title)
    return re.sub(r"\s+", " ", name).strip(" .")[:120] or "cartoguide"


def write_whole(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``, which changes only once all is written. CartoguideError says why it could not."""
    handle = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError as error:
        if handle is not None and os.path.exists(name):
            os.unlink(name)
        raise CartoguideError(
            tr("{name} could not be written: {reason}. Choose another place.", name=path.name,
               reason=error.strerror or type(error).__name__), str(path)) from error

"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Iterator
from uuid import uuid4

from .errors import CartoguideError
from .i18n import tr


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A stream whose bytes are at ``path`` once all is written; what was there before stays until then, and for good
    where anything is raised inside. CartoguideError says why it could not be written.
    """
    temporary = path.with_name(f".{uuid4().hex}.part")
    try:
        # not a temporary file of the system's making: those are for their owner's eyes only
        with open(temporary, "xb") as stream:
            yield stream
        os.replace(temporary, path)
    except OSError as error:
        raise CartoguideError(
            tr("{name} could not be written: {reason}. Choose another place.", name=path.name,
               reason=error.strerror or type(error).__name__), str(path)) from error
    finally:
        if temporary.exists():
            temporary.unlink()

"""Files that are written completely or not at all."""

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
    """Return a stream whose bytes replace the file ``path`` once the block ends.

    If the block raises, the former file stays as it was. Raises CartoguideError if the file cannot be written.
    """
    temporary = path.with_name(f".{uuid4().hex}.part")
    try:
        # not a file of tempfile, because those are readable only by their owner
        with open(temporary, "xb") as stream:
            yield stream
        os.replace(temporary, path)
    except OSError as error:
        raise CartoguideError(
            tr("{name} could not be written: {reason}. Choose another location.", name=path.name,
               reason=error.strerror or type(error).__name__), str(path)) from error
    finally:
        if temporary.exists():
            temporary.unlink()

"""Memory of large pictures, kept from one to the next while a page is drawn.

QGIS makes several pictures as large as the map for each of its layers. glibc takes the memory of each from the system
anew and gives it back at once (mallopt(3), M_MMAP_THRESHOLD), and the system clears it page by page each time: that was
40 % of the processor's work of an export. Other C libraries have no such switch, and nothing is done with them.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any, Iterator, List

# malloc.h
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MMAP_MAX = -1, -3, -4
_MAX_INT = 2**31 - 1
#: what glibc has by itself once larger pictures were drawn: a switch once used is no longer adjusted
_DEFAULT_OPTIONS = ((_MMAP_THRESHOLD, 32 * 2**20), (_TRIM_THRESHOLD, 64 * 2**20), (_MMAP_MAX, 65536))

_loaded_libraries: List[Any] = []
_active_users: List[None] = []


@contextmanager
def freed_memory_retained() -> Iterator[None]:
    """Keep freed memory for what is drawn next; at the end all of it goes back. For the main thread; can be nested."""
    library = _glibc()
    if library is None or _active_users:
        yield
        return
    _active_users.append(None)
    library.mallopt(_MMAP_MAX, 0)
    library.mallopt(_TRIM_THRESHOLD, _MAX_INT)
    try:
        yield
    finally:
        _active_users.pop()
        for switch, value in _DEFAULT_OPTIONS:
            library.mallopt(switch, value)
        library.malloc_trim(0)


def _glibc() -> Any:
    """The C library where it is glibc, else None."""
    if not _loaded_libraries:
        try:
            known = os.confstr("CS_GNU_LIBC_VERSION") or ""
        except (AttributeError, ValueError):
            known = ""
        if known.startswith("glibc"):
            import ctypes  # only an export needs it

            _loaded_libraries.append(ctypes.CDLL(None))
        else:
            _loaded_libraries.append(None)
    return _loaded_libraries[0]

"""Another place for the record store, in a task: looked at, and the records taken along."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional

from qgis.PyQt.QtCore import QObject

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import tasks
from .record_library import RecordLibrary, default_store_path

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

CountCallback = Callable[[int], None]
ErrorCallback = Callable[[CartoguideError], None]


def start(library: RecordLibrary, chosen: str, copy_records: bool, done: CountCallback, failed: ErrorCallback,
          owner: Optional[QObject] = None, progress: Optional[Callable[[float, str], None]] = None) -> tasks.Job:
    """Make sure that ``chosen`` (empty: the place in the QGIS profile) holds a store or can, and with ``along`` put the
    records of the open store there; ``done`` gets how many there were. The setting is the caller's to change.
    """
    return tasks.start(tr("Moving the record library"),
                       lambda feedback: _relocate(library, chosen, copy_records, feedback), done, failed, owner,
                       progress)


def _relocate(library: RecordLibrary, chosen: str, copy_records: bool, feedback: tasks.Feedback) -> int:
    from ...core.library.record_store import RecordStore
    from ...core.library.store_copy import copy_store, is_record_store

    path = Path(chosen) if chosen else default_store_path()
    if not path.is_absolute():
        raise CartoguideError(tr("Enter the full path of the record library."), chosen)
    is_new = not is_record_store(path)

    def told(count: int, total: int) -> None:
        feedback.report(100.0 * count / max(1, total), tr("%n record(s) copied", n=count))
        feedback.raise_if_cancelled()

    old = library.store()
    if path.exists() and os.path.samefile(path, old.path):
        return old.count_records()
    store = RecordStore(path)
    try:
        return copy_store(old, store, told) if copy_records else 0
    except BaseException:
        if is_new:
            _delete_store(store)
        raise
    finally:
        store.close()


def _delete_store(store: RecordStore) -> None:
    """Leave nothing of a store that was only begun."""
    store.close()
    path = store.path
    beside = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    for part in (path, *beside, path.with_suffix(".journal"), path.with_suffix(".lock")):
        if part.exists():
            os.unlink(part)

"""Relocation of the record library to another file, with or without its records."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Optional

from qgis.PyQt.QtCore import QObject

from ...core.errors import CartoguideError
from ...core.i18n import tr
from ..runtime import tasks
from ..runtime.tasks import ErrorCallback, ProgressCallback
from .record_library import RecordLibrary, default_store_path

if TYPE_CHECKING:
    from ...core.library.record_store import RecordStore

CountCallback = Callable[[int], None]


def start(library: RecordLibrary, chosen: str, copy_records: bool, done: CountCallback, failed: ErrorCallback,
          owner: Optional[QObject] = None, progress: Optional[ProgressCallback] = None) -> tasks.Job:
    """Create or open the library at the path ``chosen`` in a task, and copy the records of ``library`` on request.

    An empty path stands for the default one. ``done`` is called with the number of records. The caller changes the
    setting.
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

    def report_progress(count: int, total: int) -> None:
        feedback.report(100.0 * count / max(1, total), tr("%n record(s) copied", n=count))
        feedback.raise_if_cancelled()

    old = library.store()
    if path.exists() and os.path.samefile(path, old.path):
        return old.count_records()
    store = RecordStore(path)
    try:
        return copy_store(old, store, report_progress) if copy_records else 0
    except BaseException:
        if is_new:
            _delete_store(store)
        raise
    finally:
        store.close()


def _delete_store(store: RecordStore) -> None:
    store.close()
    path = store.path
    siblings = [path.with_name(path.name + suffix) for suffix in ("-wal", "-shm")]
    for part in (path, *siblings, path.with_suffix(".journal"), path.with_suffix(".lock")):
        if part.exists():
            os.unlink(part)

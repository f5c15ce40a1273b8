"""Documents in files, folders and packages, read one at a time."""

from __future__ import annotations

import os
import time
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ..errors import CartoguideError, NotARecord, UnreadableDocument
from ..i18n import tr
from ..records import read
from ..records.input import packages
from ..records.input.file_reader import PACKAGE_STARTS, find_record_files, read_file_bytes
from .bulk_import import SourceDocument

#: longest time for counting the files in advance, in seconds
_COUNTING_SECONDS = 1.0


class LocalDocuments:
    """Documents at some paths, in a fixed order, each with its location and its bytes or the error of reading it.

    The location of a document in a package is "package!entry". ``done`` of ``total`` files were read, with fractions
    for packages. ``total`` is None if counting would take too long. A folder without any file that could be a record is
    an error too.
    """

    def __init__(self, paths: Sequence[str], cancelled: Optional[Callable[[], bool]] = None) -> None:
        self._paths = list(paths)
        self._cancelled = cancelled or (lambda: False)
        self.total = self._count_files()
        self.done = 0.0

    def __iter__(self) -> Iterator[SourceDocument]:
        errors: List[OSError] = []
        for path in self._paths:
            is_empty, errors_before = True, len(errors)
            for file in find_record_files(path, errors.append, self._cancelled) if os.path.isdir(path) else (path,):
                is_empty, done_before = False, self.done
                for document in self._of_file(file):
                    if self._cancelled():
                        return
                    yield document
                self.done = done_before + 1
            if is_empty and len(errors) == errors_before and not self._cancelled():
                yield location_of(path), NotARecord(
                    tr("{name} contains no file that could be a catalogue record.", name=location_of(path)))
        for error in errors:
            location = location_of(str(error.filename))
            yield location, UnreadableDocument(tr("The folder {name} cannot be read.", name=location), str(error))

    def _count_files(self) -> Optional[int]:
        """Return the number of files, or None if counting takes too long or is cancelled."""
        until = time.monotonic() + _COUNTING_SECONDS
        stopped = False

        def should_stop() -> bool:
            nonlocal stopped
            stopped = time.monotonic() > until or self._cancelled()
            return stopped

        count = 0
        for path in self._paths:
            count += sum(1 for _ in find_record_files(path, should_stop=should_stop)) if os.path.isdir(path) else 1
        return None if stopped else count

    def _of_file(self, path: str) -> Iterator[SourceDocument]:
        try:
            data = read_file_bytes(path, whole_package=False)
            if data in PACKAGE_STARTS:
                yield from self._of_package(path)
            else:
                yield location_of(path), data
        except CartoguideError as error:
            yield location_of(path), error.with_traceback(None)
        except OSError as error:
            yield location_of(path), UnreadableDocument(tr("{name} could not be read.", name=location_of(path)),
                                                        str(error))

    def _of_package(self, path: str) -> Iterator[SourceDocument]:
        done_before, is_empty, location = self.done, True, location_of(path)
        seen: Dict[str, int] = {}
        for fraction, group in packages.read_file_entries(path):
            is_empty = False
            name, data = _first_readable(path, group)
            number = seen[name] = seen.get(name, 0) + 1
            self.done = done_before + fraction
            yield f"{location}!{name}" if number == 1 else f"{location}!{name}#{number}", data
        if is_empty:
            raise NotARecord(tr("{name} is a zip package without catalogue records.", name=location), "", "zip")


def location_of(path: str) -> str:
    """Return the location of a file. Bytes of its name that are not valid text are replaced."""
    return path if path.isascii() else os.fsencode(path).decode("utf-8", "replace")


def group_by_folder(paths: Sequence[str]) -> Dict[str, List[str]]:
    """Return the folders that ``paths`` belong to, each with the paths to read in it.

    A path belongs to itself if it is a folder, else to its folder. Paths inside a folder that is also named are left
    out.
    """
    absolute_paths = list(dict.fromkeys(os.path.abspath(path) for path in paths))
    folders = [path for path in absolute_paths if os.path.isdir(path)]
    by_folder: Dict[str, List[str]] = {}
    for path in absolute_paths:
        if any(path != other and path.startswith(other.rstrip(os.sep) + os.sep) for other in folders):
            continue
        by_folder.setdefault(path if path in folders else os.path.dirname(path), []).append(path)
    return by_folder


def _first_readable(path: str, group: Sequence[packages.PackageEntry]) -> Tuple[str, Union[bytes, CartoguideError]]:
    """Return the first readable document of one record in several formats, else the error of the first."""
    if len(group) == 1:
        return group[0]
    problem: Optional[Tuple[str, CartoguideError]] = None
    for name, data in group:
        if isinstance(data, CartoguideError):
            problem = problem or (name, data)
            continue
        try:
            if read(data, f"{path}!{name}"):
                return name, data
        except CartoguideError as error:
            problem = problem or (name, error.with_traceback(None))
    return problem or group[0]

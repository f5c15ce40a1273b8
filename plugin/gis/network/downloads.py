"""Files of distributions, fetched into a folder beside the record library."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Optional
from urllib.parse import unquote, urlsplit

from qgis.core import QgsFeedback

from ...core.errors import CartoguideError, FailureKind, NetworkFailure
from ...core.files import plain_file_name, write_error
from ...core.i18n import tr
from ...core.request import HttpMethod, Request
from ...core.storage.temporary_files import temporary_path
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from .client import RequestLimits, fetch

#: bytes above which somebody is asked first, and most of a file that is fetched at all
MAX_UNASKED, MAX_FILE = 200_000_000, 20_000_000_000
#: bytes that have to come within some seconds, and the seconds of the longest download
_SLOWEST, _LONGEST = 150_000, 6 * 3600.0
_ANNOUNCED = re.compile(r"Content-Length: (\d+)")


class LargeFile(CartoguideError):
    """A file is larger than what is fetched without asking. ``size`` is in bytes, 0 if the server does not say it."""

    def __init__(self, text: str, size: int) -> None:
        super().__init__(text)
        self.size = size


def fetch_file(address: str, folder: Path, extension: str, max_bytes: int,
               feedback: Optional[QgsFeedback] = None) -> Path:
    """Fetch the file at ``address`` into ``folder`` and return its path. Blocks, so it must run in a task.

    It has the name that it has at its address, with another one for each address, and a whole file or none is there.
    Raises LargeFile for one above ``max_bytes``, CartoguideError for an error, and Cancelled.
    """
    target = folder / _file_name(address, extension)
    part = temporary_path(folder, target.suffix)
    limits = replace(RequestLimits.from_settings(retries=0), total=_LONGEST, slowest=_SLOWEST,
                     max_bytes=min(max_bytes, MAX_FILE))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("w+b") as sink:
                response = fetch(Request(HttpMethod.GET, address), limits=limits, feedback=feedback, sink=sink)
                sink.seek(0)
                head = sink.read(4_096)
                check_response(replace(response, body=response.body or head), ExpectedContent.ANY)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except NetworkFailure as error:
        if error.kind is not FailureKind.TOO_LARGE:
            raise
        announced = _ANNOUNCED.search(error.detail)
        size = int(announced.group(1)) if announced else 0
        raise LargeFile(size_text(address, size, max_bytes), size) from error
    except OSError as error:
        raise write_error(target, error) from error
    return target


def size_text(address: str, size: int, max_bytes: int) -> str:
    """Return how large a file is that is not fetched without asking, as a sentence."""
    name = unquote(urlsplit(address).path.rpartition("/")[2]) or urlsplit(address).netloc
    megabytes = round((size or max_bytes) / 1_000_000)
    return tr("“{name}” has {size} MB.", name=name, size=f"{megabytes:n}") if size else tr(
        "“{name}” has more than {size} MB.", name=name, size=f"{megabytes:n}")


def _file_name(address: str, extension: str) -> str:
    stem, dot, written = unquote(urlsplit(address).path.rpartition("/")[2]).rpartition(".")
    name = plain_file_name(stem if dot and len(written) <= 8 else stem + dot + written, "data")[:60]
    ending = extension or (written.lower() if dot and re.fullmatch(r"[A-Za-z0-9]{1,8}", written) else "bin")
    return f"{name}-{hashlib.sha256(address.encode()).hexdigest()[:8]}.{ending}"

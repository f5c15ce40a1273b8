"""QGIS's network cache on disk: what is put there, QGIS's own providers find without asking the server.

For the main thread; ``put`` can be called from any.
"""

from __future__ import annotations

import re
import uuid
from email.utils import parsedate_to_datetime
from typing import Callable, List, Optional, Sequence, Tuple

from qgis.core import QgsNetworkAccessManager, QgsSettings
from qgis.PyQt.QtCore import QByteArray, QDateTime, Qt, QUrl
from qgis.PyQt.QtNetwork import QNetworkCacheMetaData, QNetworkRequest

from ..runtime import main_thread
from ..runtime.tasks import no_op

#: hours that QGIS keeps capabilities where its settings say nothing else
_DEFAULT_HOURS = 24
#: the header that a note of ours is kept in
_NOTE_HEADER = b"X-Cartoguide-Note"
#: headers of one connection or of the body's packing, which Qt has undone (RFC 9110, 7.6.1)
_UNSTORED_HEADERS = (b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade",
                     b"proxy-connection", b"content-encoding", b"content-length", b"set-cookie")


def insert_document(url: str, body: bytes, media_type: str = "text/xml", seconds: int = 0, note: str = "") -> bool:
    """Store ``body`` as the answer at ``url``, fresh for ``seconds``, else for as long as QGIS keeps capabilities.

    ``note`` (ASCII) is kept with it, for ``note_of``. False where the cache did not take it.
    """
    if not body:
        return False
    hours = str(QgsSettings().value("qgis/defaultCapabilitiesExpiration", _DEFAULT_HOURS))
    now = QDateTime.currentDateTimeUtc()
    meta = QNetworkCacheMetaData()
    meta.setUrl(QUrl(url))
    meta.setSaveToDisk(True)
    meta.setLastModified(now)
    meta.setExpirationDate(now.addSecs(seconds or 3600 * (int(hours) if hours.isdigit() else _DEFAULT_HOURS)))
    headers = [(b"Content-Type", media_type.encode("ascii")), *([(_NOTE_HEADER, note.encode("ascii"))] if note else [])]
    meta.setRawHeaders([(QByteArray(name), QByteArray(value)) for name, value in headers])
    meta.setAttributes({QNetworkRequest.Attribute.HttpStatusCodeAttribute: 200})
    return main_thread.call(lambda: _write_entry(meta, body))


def read_note(url: str) -> str:
    """What was noted when the answer at ``url`` was put there; empty where nothing was."""
    cache = QgsNetworkAccessManager.instance().cache()
    meta = cache.metaData(QUrl(url)) if cache is not None else None
    found = dict(_headers_of(meta)) if meta is not None else {}
    return found.get(_NOTE_HEADER, b"").decode("ascii", "replace")


def is_fresh(url: str) -> bool:
    """Whether the cache holds an answer for ``url`` that may be used without asking the server."""
    cache = QgsNetworkAccessManager.instance().cache()
    meta = cache.metaData(QUrl(url)) if cache is not None else None
    if meta is None or not meta.isValid() or not meta.expirationDate().isValid():
        return False
    asks = _cache_control(_headers_of(meta))
    if b"must-revalidate" in asks or b"no-cache" in asks:
        return False
    return bool(meta.expirationDate() > QDateTime.currentDateTimeUtc())


def save_response(url: str, headers: Sequence[Tuple[bytes, bytes]], body: bytes) -> bool:
    """Keep a whole answer (status 200) for as long as its own headers say; False where they forbid it or it is empty.

    Requests are sent with the cache's own saving off: when one of two requests for the same address is given up, Qt
    takes from the cache what the other is still writing, and the process crashes.
    """
    control = _cache_control(headers)
    if not body or b"no-store" in control:
        return False
    meta = QNetworkCacheMetaData()
    meta.setUrl(QUrl(url))
    meta.setSaveToDisk(True)
    meta.setRawHeaders([(QByteArray(name), QByteArray(value)) for name, value in headers
                        if name.lower() not in _UNSTORED_HEADERS])
    meta.setAttributes({QNetworkRequest.Attribute.HttpStatusCodeAttribute: 200})
    modified = _date_header(headers, b"last-modified")
    if modified is not None:
        meta.setLastModified(modified)
    expires = _expiry_date(headers, control)
    if expires is not None:
        meta.setExpirationDate(expires)
    return _write_entry(meta, body)


def force_revalidation(url: str) -> Callable[[], None]:
    """Mark what the cache holds for ``url`` as not to be shown in place of an answer; what it gives undoes that.

    Qt answers a server's 5xx with the body in its cache, and may append the server's to it, unless the entry asks to
    be revalidated. (Removing the entry would take from another thread what it is just writing there.)
    """
    cache = QgsNetworkAccessManager.instance().cache()
    meta = cache.metaData(QUrl(url)) if cache is not None else None
    if meta is None or not meta.isValid() or b"must-revalidate" in _cache_control(_headers_of(meta)):
        return no_op
    marked = QNetworkCacheMetaData(meta)
    # Qt reads the first header of that name only
    marked.setRawHeaders([(QByteArray(b"Cache-Control"), QByteArray(b"must-revalidate")), *meta.rawHeaders()])
    cache.updateMetaData(marked)

    def undo() -> None:
        # where a new answer was stored meanwhile, that one stays
        if cache.metaData(QUrl(url)).rawHeaders() == marked.rawHeaders():
            cache.updateMetaData(meta)

    return undo


def _headers_of(meta: QNetworkCacheMetaData) -> List[Tuple[bytes, bytes]]:
    return [(bytes(name), bytes(value)) for name, value in meta.rawHeaders()]


def _cache_control(headers: Sequence[Tuple[bytes, bytes]]) -> bytes:
    return b",".join(value.lower() for name, value in headers if name.lower() == b"cache-control")


def _expiry_date(headers: Sequence[Tuple[bytes, bytes]], control: bytes) -> Optional[QDateTime]:
    """Until when the answer is fresh by its own headers; None where they do not say (RFC 9111, 4.2.1)."""
    age = re.search(rb"max-age\s*=\s*\"?(\d{1,9})", control)
    if age is not None:
        return QDateTime.currentDateTimeUtc().addSecs(int(age.group(1)))
    return _date_header(headers, b"expires")


def _date_header(headers: Sequence[Tuple[bytes, bytes]], name: bytes) -> Optional[QDateTime]:
    """The date in a header, in UTC; None where it is absent or no date."""
    for found, value in headers:
        if found.lower() == name:
            try:
                moment = parsedate_to_datetime(value.decode("latin-1"))
            except (TypeError, ValueError):
                return None
            return QDateTime.fromSecsSinceEpoch(int(moment.timestamp()), Qt.TimeSpec.UTC)
    return None


def _write_entry(meta: QNetworkCacheMetaData, body: bytes) -> bool:
    cache = QgsNetworkAccessManager.instance().cache()
    if cache is None:
        return False
    # The cache files entries without the fragment, but cancels unfinished ones by the whole address: with one that
    # nobody else has, no other thread takes the device away between these calls.
    unique = meta.url()
    unique.setFragment(f"cartoguide-{uuid.uuid4().hex}")
    meta.setUrl(unique)
    device = cache.prepare(meta)
    if device is None:
        return False
    device.write(body)
    cache.insert(device)
    return True

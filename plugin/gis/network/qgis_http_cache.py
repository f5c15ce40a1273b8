"""Access to QGIS's network cache on disk. QGIS's providers use its entries without a request to the server.

All functions belong on the main thread, except ``insert_document`` and ``expire``, which any thread may call.
"""

from __future__ import annotations

import re
import uuid
from email.utils import parsedate_to_datetime
from typing import Callable, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsNetworkAccessManager, QgsSettings
from qgis.PyQt.QtCore import QByteArray, QDateTime, Qt, QUrl
from qgis.PyQt.QtNetwork import QNetworkCacheMetaData, QNetworkRequest

from ..runtime import main_thread
from ..runtime.tasks import no_op

#: QGIS's default expiration of capabilities, in hours
_DEFAULT_HOURS = 24
#: header with the authentication configuration that got an entry (Qt from 6.8 on returns its name in small letters)
_LOGIN_HEADER = b"X-Cartoguide-Login"
#: headers of the connection or of the content encoding, which Qt has already decoded (RFC 9110, 7.6.1)
_UNSTORED_HEADERS = (b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade",
                     b"proxy-connection", b"content-encoding", b"content-length", b"set-cookie",
                     _LOGIN_HEADER.lower())


def insert_document(url: str, body: bytes, media_type: str = "text/xml", seconds: int = 0, authcfg: str = "") -> bool:
    """Insert ``body`` as the response of ``url`` to requests with a login or none. Any thread may call this.

    ``seconds`` is its lifetime, 0 stands for QGIS's lifetime of capabilities. Returns False if the cache did not accept
    the entry.
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
    headers = [(b"Content-Type", media_type.encode("ascii")), *_login_header(authcfg)]
    meta.setRawHeaders([(QByteArray(name), QByteArray(value)) for name, value in headers])
    meta.setAttributes({QNetworkRequest.Attribute.HttpStatusCodeAttribute: 200})
    return main_thread.call(lambda: _write_entry(meta, body))


def _login_header(authcfg: str) -> List[Tuple[bytes, bytes]]:
    return [(_LOGIN_HEADER, authcfg.encode("ascii"))] if authcfg else []


def is_fresh(url: str, authcfg: Optional[str] = None) -> bool:
    """Return True if the cache has an entry for ``url`` that may be used without a request, with this login if given.

    The entries of QGIS's own requests count as those without a login.
    """
    cache = QgsNetworkAccessManager.instance().cache()
    meta = cache.metaData(QUrl(url)) if cache is not None else None
    if meta is None or not meta.isValid() or not meta.expirationDate().isValid():
        return False
    headers = _headers_of(meta)
    got_by = next((value.decode() for name, value in headers if name.lower() == _LOGIN_HEADER.lower()), "")
    control = _cache_control(headers)
    if authcfg is not None and got_by != authcfg:
        return False
    if b"must-revalidate" in control or b"no-cache" in control:
        return False
    return bool(meta.expirationDate() > QDateTime.currentDateTimeUtc())


def fresh_size(url: str) -> int:
    """Return the size in bytes of the entry for ``url`` that may be used without a request, 0 if there is none."""
    cache = QgsNetworkAccessManager.instance().cache()
    device = cache.data(QUrl(url)) if cache is not None and is_fresh(url) else None
    return int(device.size()) if device is not None else 0


def save_response(url: str, headers: Sequence[Tuple[bytes, bytes]], body: bytes, authcfg: str = "") -> bool:
    """Save a complete response (status 200) to a request with a login or none, with the lifetime of its headers.

    Returns False if its headers forbid that or the body is empty. Requests are sent without Qt's own saving, because
    Qt crashes if one of two requests for the same address is aborted: it removes the entry that the other one writes.
    """
    control = _cache_control(headers)
    if not body or b"no-store" in control:
        return False
    meta = QNetworkCacheMetaData()
    meta.setUrl(QUrl(url))
    meta.setSaveToDisk(True)
    kept = [(name, value) for name, value in headers if name.lower() not in _UNSTORED_HEADERS]
    meta.setRawHeaders([(QByteArray(name), QByteArray(value)) for name, value in (*kept, *_login_header(authcfg))])
    meta.setAttributes({QNetworkRequest.Attribute.HttpStatusCodeAttribute: 200})
    modified = _date_header(headers, b"last-modified")
    if modified is not None:
        meta.setLastModified(modified)
    expires = _expiry_date(headers, control)
    if expires is not None:
        meta.setExpirationDate(expires)
    return _write_entry(meta, body)


def force_revalidation(url: str) -> Callable[[], None]:
    """Mark the entry for ``url`` so that Qt must revalidate it. The returned function removes the mark.

    Without the mark Qt replaces a 5xx response by the body of its entry, and may append the server's body to it. The
    entry is not removed, because another thread may be writing it.
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
        # a new response that was saved in the meantime stays
        if cache.metaData(QUrl(url)).rawHeaders() == marked.rawHeaders():
            cache.updateMetaData(meta)

    return undo


def expire(urls: Iterable[str]) -> None:
    """Let the entries for ``urls`` be used no more without a request. Any thread may call this."""
    main_thread.call(lambda: [force_revalidation(url) for url in urls])


def _headers_of(meta: QNetworkCacheMetaData) -> List[Tuple[bytes, bytes]]:
    return [(bytes(name), bytes(value)) for name, value in meta.rawHeaders()]


def _cache_control(headers: Sequence[Tuple[bytes, bytes]]) -> bytes:
    return b",".join(value.lower() for name, value in headers if name.lower() == b"cache-control")


def _expiry_date(headers: Sequence[Tuple[bytes, bytes]], control: bytes) -> Optional[QDateTime]:
    """Return the expiry date by the response headers (RFC 9111, 4.2.1), or None if they give no date."""
    age = re.search(rb"max-age\s*=\s*\"?(\d{1,9})", control)
    if age is not None:
        return QDateTime.currentDateTimeUtc().addSecs(int(age.group(1)))
    return _date_header(headers, b"expires")


def _date_header(headers: Sequence[Tuple[bytes, bytes]], name: bytes) -> Optional[QDateTime]:
    """Return the date in the first header called ``name`` (lower case), in UTC, or None if it is absent or invalid."""
    for header, value in headers:
        if header.lower() == name:
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
    # The cache finds entries without the fragment, but cancels unfinished ones by the whole address. With a unique
    # fragment no other thread can remove the device between these calls.
    unique = meta.url()
    unique.setFragment(f"cartoguide-{uuid.uuid4().hex}")
    meta.setUrl(unique)
    device = cache.prepare(meta)
    if device is None:
        return False
    device.write(body)
    cache.insert(device)
    return True

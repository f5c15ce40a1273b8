"""QGIS's network cache on disk: what is put there, QGIS's own providers find without asking the server."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator

from qgis.core import QgsNetworkAccessManager, QgsSettings
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QByteArray, QDateTime, QUrl
from qgis.PyQt.QtNetwork import QNetworkCacheMetaData, QNetworkRequest

#: hours that QGIS keeps capabilities where its settings say nothing else
_HOURS = 24


def put(url: str, body: bytes, media_type: str = "text/xml", seconds: int = 0) -> bool:
    """Store ``body`` as the answer at ``url``, fresh for ``seconds``, else for as long as QGIS keeps capabilities.

    False where the cache did not take it.
    """
    if not body:
        return False
    hours = str(QgsSettings().value("qgis/defaultCapabilitiesExpiration", _HOURS))
    now = QDateTime.currentDateTimeUtc()
    meta = QNetworkCacheMetaData()
    meta.setUrl(QUrl(url))
    meta.setSaveToDisk(True)
    meta.setLastModified(now)
    meta.setExpirationDate(now.addSecs(seconds or 3600 * (int(hours) if hours.isdigit() else _HOURS)))
    meta.setRawHeaders([(QByteArray(b"Content-Type"), QByteArray(media_type.encode("ascii")))])
    meta.setAttributes({QNetworkRequest.Attribute.HttpStatusCodeAttribute: 200})
    return _insert(meta, body)


def is_fresh(url: str) -> bool:
    """Whether the cache holds an answer for ``url`` that may be used without asking the server."""
    cache = QgsNetworkAccessManager.instance().cache()
    meta = cache.metaData(QUrl(url)) if cache is not None else None
    if meta is None or not meta.isValid() or not meta.expirationDate().isValid():
        return False
    asks = b",".join(bytes(value).lower() for name, value in meta.rawHeaders()
                     if bytes(name).lower() == b"cache-control")
    if b"must-revalidate" in asks or b"no-cache" in asks:
        return False
    return bool(meta.expirationDate() > QDateTime.currentDateTimeUtc())


@dataclass
class Stored:
    """What ``set_aside`` took away; it comes back where ``keep`` is true."""

    keep: bool = True


@contextmanager
def set_aside(url: str) -> Iterator[Stored]:
    """The cache without what it holds for ``url``; afterwards that is put back, unless ``keep`` was set to False."""
    cache = QgsNetworkAccessManager.instance().cache()
    stored = Stored()
    meta = cache.metaData(QUrl(url))
    device = cache.data(QUrl(url))
    body = bytes(device.readAll()) if device is not None else b""
    if device is not None:
        # the wrapper goes first: see Exchange._collect
        device.deleteLater()
        sip.setdeleted(device)
    cache.remove(QUrl(url))
    try:
        yield stored
    finally:
        if stored.keep and meta.isValid() and body:
            _insert(meta, body)


def _insert(meta: QNetworkCacheMetaData, body: bytes) -> bool:
    cache = QgsNetworkAccessManager.instance().cache()
    device = cache.prepare(meta) if cache is not None else None
    if device is None:
        return False
    device.write(body)
    cache.insert(device)
    # the cache has deleted the device: its wrapper must not claim whatever comes to live at its address
    sip.setdeleted(device)
    return True

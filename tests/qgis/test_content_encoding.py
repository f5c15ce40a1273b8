"""Compressed responses: inflated in the worker thread, within limits, and saved for QGIS as they are read."""

from __future__ import annotations

import gzip
import os
import resource
import threading
import time
import zlib

import pytest
from odd_server import OddServer
from qgis.core import QgsNetworkAccessManager, QgsNetworkContentFetcher
from qgis.PyQt.QtCore import QCoreApplication, QEventLoop, QTimer, QUrl

from plugin.core.errors import FailureKind, NetworkFailure
from plugin.core.request import HttpMethod, Request
from plugin.gis.network import http_exchange
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.network.http_exchange import BodyTooLarge, DamagedBody, decoded_body
from tests.slowness import patience

#: the most memory that this process ever had is measured
pytestmark = pytest.mark.own_process

LIMITS = RequestLimits(first_byte=60.0, total=90.0, max_bytes=64 * 1024 * 1024, retries=0)
TEXT = b"<a>Suelos de Andaluc\xc3\xada</a>" * 40


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.fixture
def odd(qgis_app):
    with OddServer() as server:
        yield server


def fetched(url, limits=LIMITS):
    """The response or the error, and the longest time for which the main thread was held (seconds)."""
    box, longest = [], 0.0

    def run():
        try:
            box.append(fetch(Request(HttpMethod.GET, url), limits=limits))
        except NetworkFailure as error:
            box.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        started = time.process_time(), time.monotonic()
        QCoreApplication.processEvents()
        longest = max(longest, min(time.process_time() - started[0], time.monotonic() - started[1]))
        time.sleep(0.001)
    return box[0], longest


@pytest.mark.parametrize("encoding, body", [
    ("gzip", gzip.compress(TEXT)), ("x-gzip", gzip.compress(TEXT)),
    ("GZIP", gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:])),
    ("deflate", zlib.compress(TEXT)), ("deflate", bare_deflate(TEXT)), ("gzip", gzip.compress(TEXT) + b"\0" * 9),
    ("gzip", TEXT), ("identity", TEXT)])
def test_compressed_responses_are_read_and_saved_as_they_are_read(odd, encoding, body):
    odd.encoded["/a"] = encoding, body
    first, _ = fetched(f"{odd.url}/a")
    assert first.body == TEXT and "content-encoding" not in first.headers
    assert odd.requests[0]["headers"]["Accept-Encoding"] == http_exchange.ACCEPTED_ENCODINGS
    again, _ = fetched(f"{odd.url}/a")
    assert again.body == TEXT and odd.count("/a") == 1, "the second one is from the cache"
    # QGIS's own request finds the same entry, and reads the same
    fetcher, loop = QgsNetworkContentFetcher(), QEventLoop()
    fetcher.finished.connect(loop.quit)
    fetcher.fetchContent(QUrl(f"{odd.url}/a"))
    QTimer.singleShot(int(1000 * patience()), loop.quit)
    loop.exec()
    assert fetcher.contentAsString().encode() == TEXT


def test_a_bomb_is_stopped_while_it_is_inflated(odd):
    bomb = gzip.compress(b"\0" * 1_000_000) * 600
    odd.encoded["/bomb"] = "gzip", bomb
    assert len(bomb) < 1_000_000
    usual = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome, longest = fetched(f"{odd.url}/bomb")
    assert isinstance(outcome, NetworkFailure) and outcome.kind is FailureKind.TOO_LARGE
    assert "64 MB" in outcome.user_text and "unpack to more than" in outcome.detail
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - usual < 150 * 1024
    assert longest < 0.5


def test_a_body_that_is_cut_or_damaged_is_told(odd):
    body = gzip.compress(os.urandom(1000))
    for number, sent in enumerate((body[:-20], body[:30] + b"xxxxxxxx" + body[38:])):
        odd.encoded[f"/{number}"] = "gzip", sent
        outcome, _ = fetched(f"{odd.url}/{number}")
        assert isinstance(outcome, NetworkFailure) and outcome.kind is FailureKind.DAMAGED and outcome.user_text
    with pytest.raises(DamagedBody):
        decoded_body(zlib.compress(TEXT)[:-6], "deflate", 10_000)
    started = time.thread_time()
    with pytest.raises(DamagedBody):
        decoded_body(gzip.compress(b"") * 1_000_000, "gzip", 10_000)
    assert time.thread_time() - started < 5, "else what follows each member would be copied for the next"


def test_the_limits_are_those_of_the_size_and_of_the_ratio():
    assert decoded_body(gzip.compress(TEXT), "gzip", len(TEXT)) == TEXT
    with pytest.raises(BodyTooLarge):
        decoded_body(gzip.compress(TEXT), "gzip", len(TEXT) - 1)
    with pytest.raises(BodyTooLarge):
        decoded_body(gzip.compress(b"a" * 21_000_000), "gzip", 64_000_000)
    assert decoded_body(b"", "gzip", 10) == b"" == decoded_body(b"", "deflate", 10)
    assert QgsNetworkAccessManager.instance() is not None

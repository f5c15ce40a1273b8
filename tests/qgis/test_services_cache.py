"""The service cache: one request however many callers, errors reported, QGIS's provider served from memory."""

from __future__ import annotations

import threading

import pytest
from odd_server import OddServer
from qgis.core import QgsRasterLayer
from qgis.PyQt.QtCore import QObject

from plugin.core.errors import CartoguideError, NetworkFailure, ServiceError
from plugin.core.request import HttpMethod, Request
from plugin.gis.network.client import fetch
from plugin.gis.runtime import settings, tasks
from plugin.gis.services.service_cache import ServiceCache, capabilities_url, prime_qgis_cache
from tests.qgis.waiting import until


class Asker(QObject):
    """Asks a cache and keeps what it is told."""

    def __init__(self, cache):
        super().__init__()
        self.cache, self.services, self.errors = cache, [], []

    def ask(self, endpoint, refresh=False):
        self.cache.request(endpoint, self.services.append, self.errors.append, self, refresh)

    def answered(self, seconds=15.0):
        found = until(lambda: self.services or self.errors, seconds)
        for error in self.errors:
            print(type(error).__name__, error, error.detail)  # shown where the test fails
        return found


@pytest.fixture
def cache(qgis_app):
    yield ServiceCache()
    tasks.shutdown()
    for name in ("first_byte_timeout", "retries"):
        settings.reset(name)


def test_the_address_is_the_one_that_qgis_asks(cache):
    assert capabilities_url("http://a.invalid/w?") == "http://a.invalid/w?SERVICE=WMS&REQUEST=GetCapabilities"
    assert capabilities_url("http://a.invalid/w?request=GetCapabilities&language=spa&version=1.1.1") == (
        "http://a.invalid/w?language=spa&SERVICE=WMS&REQUEST=GetCapabilities")


def test_a_service_is_read_and_kept(cache, network):
    asker = Asker(cache)
    asker.ask(network.endpoints["facilities"])
    assert asker.services == [], "never before load() has returned"
    assert asker.answered()
    assert asker.services[0].layer("miradores") is not None
    assert cache.get(network.endpoints["facilities"]) is asker.services[0]
    assert cache.age(network.endpoints["facilities"]) < 10


def test_many_askers_make_one_request(cache, network):
    askers = [Asker(cache) for _ in range(10)]
    for asker in askers:
        asker.ask(network.endpoints["facilities"])
    assert all(asker.answered() for asker in askers)
    late = Asker(cache)
    late.ask(network.endpoints["facilities"])
    assert late.answered()
    assert all(len(asker.services) == 1 for asker in [*askers, late])
    assert network.count("GetCapabilities") == 1


def test_worker_threads_share_the_request_too(cache, network):
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(cache.get_or_fetch(network.endpoints["facilities"])))
        for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    assert until(lambda: not any(thread.is_alive() for thread in threads))
    assert len(found) == 5
    assert network.count("GetCapabilities") == 1


def test_a_refresh_asks_again_and_a_failed_one_keeps_the_service(cache, network):
    endpoint = network.endpoints["facilities"]
    asker = Asker(cache)
    asker.ask(endpoint)
    assert asker.answered()
    again = Asker(cache)
    again.ask(endpoint, refresh=True)
    assert again.answered()
    assert network.count("GetCapabilities") == 2
    network.fault({"match": {"endpoint": "facilities"}, "action": {"type": "status", "code": 500}})
    failing = Asker(cache)
    failing.ask(endpoint, refresh=True)
    assert failing.answered()
    assert failing.errors and not failing.services
    assert cache.get(endpoint) is again.services[0]


@pytest.mark.parametrize(("action", "kind", "words"), [
    ({"type": "status", "code": 404}, CartoguideError, ""),
    ({"type": "exception", "code": "OperationNotSupported", "text": "No hoy"}, ServiceError, "No hoy"),
    ({"type": "html"}, CartoguideError, ""),
    ({"type": "truncate", "share": 0.5}, CartoguideError, ""),
    ({"type": "close"}, NetworkFailure, ""),
    ({"type": "hang", "seconds": 30}, NetworkFailure, "in time"),
])
def test_a_service_that_fails_is_explained_once_and_can_be_tried_again(cache, network, action, kind, words):
    settings.set("first_byte_timeout", 0.5)
    settings.set("retries", 0)
    endpoint = network.endpoints["facilities"]
    network.fault({"match": {"endpoint": "facilities"}, "action": action})
    first, second = Asker(cache), Asker(cache)
    first.ask(endpoint)
    assert first.answered()
    assert isinstance(first.errors[0], kind)
    assert words in first.errors[0].user_text
    asked = network.count("GetCapabilities")
    second.ask(endpoint)
    assert second.answered()
    assert second.errors and cache.error(endpoint) is not None
    assert network.count("GetCapabilities") == asked, "a failure is not asked for again at once"
    network.reset()
    settings.reset("first_byte_timeout")
    third = Asker(cache)
    third.ask(endpoint, refresh=True)
    assert third.answered()
    assert third.services and cache.error(endpoint) is None


def test_an_address_that_is_none_is_told_later_like_any_failure(cache):
    asker = Asker(cache)
    asker.ask("file:///etc/passwd")
    assert asker.errors == []
    assert asker.answered()
    assert isinstance(asker.errors[0], CartoguideError)


def test_cancelling_the_last_asker_gives_the_request_up(cache):
    with OddServer() as server:
        staying, leaving = Asker(cache), Asker(cache)
        for asker in (staying, leaving):
            asker.ask(server.url + "/hang")
        job = next(iter(cache._jobs.values()))
        cache.cancel(leaving)
        assert job.running
        ended = []
        job.ended.connect(lambda: ended.append(True))
        cache.cancel(staying)
        assert not job.running
        assert until(lambda: ended, 2)
    assert staying.errors == leaving.errors == []


def test_a_primed_service_needs_no_request_even_where_the_server_forbids_storing(cache, network):
    """QGIS's provider reads what the cache put in its way, long after the answer came."""
    with OddServer() as server:
        url = capabilities_url(network.endpoints["facilities"])
        body = _in_thread(lambda: fetch(Request(HttpMethod.GET, url)).body)
        server.files["/wms"] = body.replace(network.url.encode(), server.url.encode())
        asker = Asker(cache)
        asker.ask(server.url + "/wms")
        assert asker.answered()
        assert prime_qgis_cache(cache, server.url + "/wms?")
        for _ in range(5):
            layer = QgsRasterLayer(
                f"url={server.url}/wms?&layers=miradores&styles=&format=image/png&crs=EPSG:25830", "a", "wms")
            assert layer.isValid()
            assert layer.clone().isValid()
        assert server.count("/wms") == 1


def _in_thread(work):
    box = []
    thread = threading.Thread(target=lambda: box.append(work()))
    thread.start()
    assert until(lambda: not thread.is_alive())
    return box[0]

"""QGIS's proxy settings apply to every request of the plugin, shown with a real forward proxy."""

from __future__ import annotations

import os

import pytest
from forward_proxy import PROGRAM, ForwardProxy
from qgis.core import QgsApplication, QgsAuthMethodConfig, QgsNetworkAccessManager, QgsSettings
from qgis.PyQt.QtCore import QThreadPool

from plugin.core.errors import NetworkFailure
from plugin.core.request import HttpMethod, Request
from plugin.gis.export.layout_export import export_png
from plugin.gis.network.client import RequestLimits, fetch
from plugin.gis.runtime import tasks
from plugin.gis.runtime.thread_pool import job_pool
from tests.qgis.print_maps import composed

pytestmark = pytest.mark.skipif(not os.path.exists(PROGRAM), reason="tinyproxy is not installed")


def use(proxy, **more):
    """Set QGIS's proxy, as its options do, and let it count."""
    settings = QgsSettings()
    settings.remove("proxy")
    if proxy is not None:
        for key, value in {"proxyEnabled": True, "proxyType": "HttpProxy", "proxyHost": proxy.host,
                           "proxyPort": str(proxy.port), **more}.items():
            settings.setValue(f"proxy/{key}", value)
    QgsNetworkAccessManager.instance().setupDefaultProxyAndCache()


@pytest.fixture
def no_proxy_after(qgis_app):
    # a thread that draws or makes a layer keeps the proxy of its first request: those of later tests would be asked of
    # one that is gone
    pools = QThreadPool.globalInstance(), job_pool()
    before = [pool.expiryTimeout() for pool in pools]
    for pool in pools:
        pool.setExpiryTimeout(0)
    yield
    use(None)
    for pool, milliseconds in zip(pools, before):
        assert pool.waitForDone(60_000)
        pool.setExpiryTimeout(milliseconds)


def asked(work, wait_until):
    """What ``work`` gives, done in a task."""
    box = []
    tasks.start("test", lambda _feedback: work(), box.append, box.append)
    wait_until(lambda: box)
    return box[0]


def get(url, wait_until):
    return asked(lambda: fetch(Request(HttpMethod.GET, url), limits=RequestLimits(first_byte=60, total=90, retries=0)),
                 wait_until)


def test_what_the_plugin_asks_goes_by_qgiss_proxy(network, no_proxy_after, wait_until):
    address = network.endpoints["guide"] + "SERVICE=WMS&REQUEST=GetCapabilities"
    with ForwardProxy() as proxy:
        use(proxy)
        assert b"WMS_Capabilities" in get(address, wait_until).body
        assert len(proxy.requests) == 1 and address in proxy.requests[0]
        use(proxy, noProxyUrls=[network.url])
        assert b"WMS_Capabilities" in get(address + "&again=1", wait_until).body
        assert len(proxy.requests) == 1, "what QGIS excludes goes straight"


def test_a_proxys_login_comes_from_qgiss_authentication_configurations(network, no_proxy_after, wait_until, qgis_app):
    manager = QgsApplication.authManager()
    manager.setMasterPassword("master", True)
    config = QgsAuthMethodConfig("Basic")
    config.setName("proxy")
    config.setConfig("username", "someone")
    config.setConfig("password", "letmein")
    manager.storeAuthenticationConfig(config)
    address = network.endpoints["guide"] + "SERVICE=WMS&REQUEST=GetCapabilities&login=1"
    try:
        with ForwardProxy(("someone", "letmein")) as proxy:
            use(proxy)
            refused = get(address, wait_until)
            assert isinstance(refused, NetworkFailure) and refused.kind == "proxy"
            assert "proxy" in refused.user_text.lower()
            use(proxy, authcfg=config.id())
            assert b"WMS_Capabilities" in get(address, wait_until).body
    finally:
        manager.removeAuthenticationConfig(config.id())


def test_a_proxy_that_is_gone_is_told_as_such(network, no_proxy_after, wait_until):
    with ForwardProxy() as proxy:
        use(proxy)
    failure = get(network.endpoints["guide"] + "SERVICE=WMS&REQUEST=GetCapabilities&gone=1", wait_until)
    assert isinstance(failure, NetworkFailure) and failure.kind == "proxy"
    assert "proxy" in failure.user_text.lower()


def test_a_whole_print_map_goes_by_the_proxy(network, project, no_proxy_after, tmp_path):
    with ForwardProxy() as proxy:
        use(proxy)
        made = composed(network, project, fresh=True)
        export_png(made.layout, tmp_path / "map.png", 96)
        carried = " ".join(proxy.requests)
        for endpoint in ("guide", "facilities"):
            assert network.endpoints[endpoint].split("?")[0] in carried
        assert "GetMap" in carried and "GetLegendGraphic" in carried

"""Saved capabilities: requested once, revalidated, used while the server is down, with versions negotiated."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

import pytest
from network import Network
from odd_server import OddServer
from qgis.core import QgsMapRendererParallelJob, QgsMapSettings, QgsProject, QgsRectangle
from qgis.PyQt.QtCore import QSize

from plugin.core.custommap.model import CustomMap, LayerPlan, MapEntry, Plan
from plugin.core.errors import CartoguideError
from plugin.core.library.blob_cache import BlobKind
from plugin.core.library.record_store import RecordStore
from plugin.core.request import HttpMethod, Request
from plugin.core.sources.layer_source import WmsSource
from plugin.gis.layers import wms_layers
from plugin.gis.network import qgis_http_cache
from plugin.gis.network.client import fetch
from plugin.gis.runtime import settings, tasks
from plugin.gis.services import service_cache
from plugin.gis.services.service_cache import ServiceCache, capabilities_url
from plugin.ui.dock.dock_widget import CartoguideDock

OLD = timedelta(days=3, hours=1)


@pytest.fixture
def keeping(tmp_path, qgis_app):
    store = RecordStore(tmp_path / "records.sqlite")
    yield store.blob_cache
    tasks.shutdown()
    store.close()


@pytest.fixture
def asked(keeping, wait_until):
    """Ask as a new session does; the service and its cache, once the answer is kept."""

    def ask(endpoint, refresh=False, hours=None):
        if hours is not None:
            settings.set("capabilities_hours", hours)
        cache, found = ServiceCache(lambda: keeping), []
        cache.request(endpoint, found.append, found.append, None, refresh)
        wait_until(lambda: found)
        wait_until(lambda: not tasks._jobs)
        return found[0], cache

    return ask


def capabilities(network, wait_until, version="1.3.0", endpoint="facilities"):
    """A capabilities document of the real MapServer."""
    url = f"{network.endpoints[endpoint]}SERVICE=WMS&REQUEST=GetCapabilities&VERSION={version}"
    return tasks.run_and_wait(lambda feedback: fetch(Request(HttpMethod.GET, url), feedback=feedback)).body


def grow_old(keeping, endpoint):
    kept = keeping.load(BlobKind.CAPABILITIES, capabilities_url(endpoint))
    then = (datetime.now(timezone.utc) - OLD).isoformat()
    keeping.save(BlobKind.CAPABILITIES, capabilities_url(endpoint), kept.data, kept.validators, then)


@pytest.mark.parametrize(("name", "value"), [
    ("ETag", '"uno"'), ("Last-Modified", "Fri, 03 Jun 2016 10:00:00 GMT")])
def test_what_is_kept_is_asked_for_again_only_when_it_is_old_and_then_not_sent_again(
        network, asked, keeping, wait_until, name, value):
    with OddServer() as server:
        endpoint = server.url + "/wms?"
        server.files["/wms"] = document = capabilities(network, wait_until)
        server.validators["/wms"] = {name: value}
        first, _ = asked(endpoint)
        again, _ = asked(endpoint)
        assert server.count("/wms") == 1, "a day is not over yet"
        assert (first.title, first.original) == (again.title, again.original)
        grow_old(keeping, endpoint)
        # what QGIS's cache holds for the provider must not come back as the server's answer
        qgis_http_cache.insert_document(capabilities_url(endpoint), b"<shortened/>")
        old, cache = asked(endpoint)
        assert (server.count("/wms"), server.unchanged) == (2, 1)
        assert old.original == document
        assert cache.age(endpoint) < 60, "the server has just said that it still holds"
        asked(endpoint)
        assert server.count("/wms") == 2
        asked(endpoint, refresh=True)
        assert (server.count("/wms"), server.unchanged) == (3, 1), "who reloads wants it whole"


def test_saved_capabilities_of_the_future_are_requested_again_and_used_where_that_fails(asked, keeping, network,
                                                                                       wait_until):
    """A wrong clock, or a former version that opened somebody's snapshot, may have dated them so."""
    with OddServer() as server:
        endpoint = server.url + "/wms?"
        server.files["/wms"] = document = capabilities(network, wait_until)
        asked(endpoint)
        with keeping._connections.write_transaction() as connection:
            connection.execute("UPDATE kept SET fetched_at = '2099-01-01T00:00:00+00:00'")
        _, cache = asked(endpoint)
        assert server.count("/wms") == 2 and cache.age(endpoint) < 60
        assert keeping.load(BlobKind.CAPABILITIES, capabilities_url(endpoint)).fetched_at < "2099"
        with keeping._connections.write_transaction() as connection:
            connection.execute("UPDATE kept SET fetched_at = '2099-01-01T00:00:00+00:00'")
        del server.files["/wms"]
        service, cache = asked(endpoint)
    assert service.original == document and cache.error(endpoint) is not None


def test_the_update_sequence_of_a_real_service_is_asked_with(network, asked, keeping):
    mapfile = network.workdir / "facilities.map"
    before = mapfile.read_text("utf-8")
    endpoint = network.endpoints["facilities"]

    def numbered(number):
        line = f'METADATA\n "ows_updatesequence" "{number}"'
        mapfile.write_text(re.sub(r"(?<=WEB\s)(\s*)METADATA", rf"\g<1>{line}", before, count=1) if number else before,
                           "utf-8")

    try:
        numbered(7)
        service, _ = asked(endpoint, hours=0.0)
        assert service.update_sequence == "7"
        assert keeping.load(BlobKind.CAPABILITIES, capabilities_url(endpoint)).validators["updatesequence"] == "7"
        unchanged, cache = asked(endpoint)
        assert network.requests[-1]["parameters"]["UPDATESEQUENCE"] == "7"
        assert unchanged.original == service.original and cache.error(endpoint) is None
        numbered(8)
        assert asked(endpoint)[0].update_sequence == "8"
        numbered(2)
        assert asked(endpoint)[0].update_sequence == "2", "a service that was set up anew is asked without"
    finally:
        mapfile.write_text(before, "utf-8")


def test_a_service_that_is_gone_is_shown_with_its_age_and_can_still_be_mapped(
        qtbot, wait_until, monkeypatch, project, tmp_path):
    monkeypatch.setattr(service_cache, "_shared", None)
    with Network() as network:
        settings.set("profile", str(network.profile_path))
        settings.set("store/path", str(tmp_path / "records.sqlite"))
        endpoint = network.endpoints["facilities"]
        dock = opened_dock(qtbot, wait_until)
        dock.session.load_service(endpoint)
        wait_until(lambda: dock.session.service_state(endpoint).status == "loaded")
        wait_until(lambda: not tasks._jobs)
        dock.composer_controller.documents.open_document(CustomMap("En red", overlays=(facilities(endpoint),)))
        wait_until(lambda: len(project.mapLayers()) == 2 and not dock.composer_controller.map.adding)
        assert network.count("GetCapabilities") == 1, "for the dock, and for all layers at the service's own address"
        project.clear()
        grow_old(dock.session.library.store().blob_cache, endpoint)
        dock.close_down()
    # its process is gone, and so is what QGIS itself had kept
    service_cache.shared().forget(endpoint)
    service_cache._shared = None
    qgis_http_cache.QgsNetworkAccessManager.instance().cache().clear()
    dock = opened_dock(qtbot, wait_until)
    dock.select_record(dock.session.record_for_endpoint(endpoint).id)
    dock.view.tabs.setCurrentWidget(dock.view.service)
    wait_until(lambda: dock.session.service_state(endpoint).status == "loaded")
    words = dock.view.service.state.text_label.text()
    assert "3 days ago" in words and "refuses connections" in words
    assert dock.view.service.buttons.button(0).toolTip() == "Layers (14)"
    dock.composer_controller.documents.open_document(CustomMap("Sin red", overlays=(facilities(endpoint),)))
    wait_until(lambda: len(project.mapLayers()) == 2 and not dock.composer_controller.map.adding)
    assert all(layer.isValid() for layer in project.mapLayers().values())
    assert [item.problem for item in dock.composer_controller.map.items] == [""]
    dock.close_down()


def facilities(endpoint):
    return MapEntry(endpoint, "Equipamientos", layers=("miradores", "kioscos"), styles=("", ""))


def opened_dock(qtbot, wait_until):
    dock = CartoguideDock()
    qtbot.addWidget(dock)
    dock.resize(340, 700)
    dock.show()
    wait_until(lambda: not dock.session.loading)
    return dock


PAGE = b"<html><body>Geoportal</body></html>"


@pytest.mark.parametrize("refusal", [PAGE, b"<ServiceExceptionReport><ServiceException>Fehler</ServiceException>"
                                     b"</ServiceExceptionReport>", None])
def test_a_service_that_fails_without_a_version_is_asked_once_for_1_3_0(network, asked, wait_until, refusal):
    new = capabilities(network, wait_until)
    with OddServer() as server:
        versions = []

        def answer(request):
            found = re.search(r"(?<=VERSION=)[\d.]+", request["query"])
            versions.append(found.group(0) if found else "")
            return new if found and refusal else refusal or PAGE

        server.files["/wms"] = answer
        found, _cache = asked(server.url + "/wms?")
        assert versions == ["", "1.3.0"]
        assert isinstance(found, CartoguideError) == (refusal is None), found


def test_a_version_is_negotiated_and_a_1_1_1_service_is_mapped(network, asked, wait_until):
    """It says 2.0.0 unless it is asked for a version, and has nothing newer than 1.1.1 of what is understood here."""
    old = capabilities(network, wait_until, "1.1.1")
    with OddServer() as server:
        endpoint = server.url + "/wms?"
        versions = []

        def answer(request):
            found = re.search(r"(?<=VERSION=)[\d.]+", request["query"])
            versions.append(found.group(0) if found else "")
            return old if found else old.replace(b'version="1.1.1"', b'version="2.0.0"')

        server.files["/wms"] = answer
        service, cache = asked(endpoint)
        assert versions == ["", "1.3.0"]
        assert service.version == "1.1.1"
        plan = LayerPlan(WmsSource(endpoint, "miradores", "", "image/png", "EPSG:25830"), "Miradores")
        built = []
        wms_layers.start_making_layers(Plan("", "EPSG:25830", (plan,)), built.append, built.append, cache=cache)
        wait_until(lambda: built)
        assert not built[0].failures, [failure.error.detail for failure in built[0].failures]
        assert len(versions) == 2, "QGIS's provider finds what was negotiated"
        picture = drawn(built[0].layers[0][1], QgsRectangle(447000, 4256000, 448000, 4257000))
        assert picture.pixelColor(100, 100).alpha() > 0, "the facility in the middle"
    seen = [request["parameters"] for request in network.requests if request["request"] == "GetMap"]
    assert {(one["VERSION"], one.get("SRS"), one.get("CRS")) for one in seen} == {("1.1.1", "EPSG:25830", None)}


def drawn(layer, extent):
    picture = QgsMapSettings()
    picture.setLayers([layer])
    picture.setDestinationCrs(layer.crs())
    picture.setExtent(extent)
    picture.setOutputSize(QSize(200, 200))
    picture.setBackgroundColor(picture.backgroundColor().fromRgb(0, 0, 0, 0))
    QgsProject.instance().addMapLayer(layer, False)
    job = QgsMapRendererParallelJob(picture)
    job.start()
    job.waitForFinished()
    return job.renderedImage()


def test_a_service_that_gives_another_ones_address_is_not_taken_for_it(network, asked, wait_until):
    document = capabilities(network, wait_until)
    there = network.endpoints["facilities"].split("?")[0].encode()
    with OddServer() as server:
        for name in ("a", "b"):
            document_here = document.replace(there, f"{server.url}/a".encode())
            server.files[f"/{name}"] = document_here.replace(b"WMS Equipamientos", f"Servicio {name}".encode())
        _, cache = asked(f"{server.url}/b?")
        found = []
        cache.request(f"{server.url}/a?", found.append, found.append)
        wait_until(lambda: found)
        assert found[0].title.startswith("Servicio a")

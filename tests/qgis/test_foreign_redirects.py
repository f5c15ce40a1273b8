"""Servers of foreign own layers that lead elsewhere once they are open: nobody agreed to the other server."""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from login_server import LoginServer
from netserve.faults import one_colour_png
from odd_server import OddServer
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsLayerTree,
    QgsLayerTreeModel,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsProject,
    QgsRasterLayer,
    QgsRectangle,
    QgsWmsLegendNode,
)
from qgis.PyQt.QtCore import QByteArray, QCoreApplication, QEventLoop, QSize, Qt, QThreadPool, QTimer, QUrl
from qgis.PyQt.QtNetwork import QNetworkReply, QNetworkRequest
from source_server import WEST, SourceServer

from plugin.core.custommap.foreign_maps import Consent
from plugin.core.custommap.model import OwnLayer
from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.review.checks.rules import Severity
from plugin.core.trust.provenance import Trust
from plugin.gis.network import bound_origins
from plugin.gis.own_layers import opening
from tests.pairwise import ALL
from tests.qgis.algorithm_runs import run
from tests.qgis.census import cycle
from tests.qgis.test_foreign_maps import document_file, opened
from tests.qgis.test_own_layers import algorithms  # noqa: F401 - a fixture
from tests.slowness import patience
from tests.tools import network_faults

#: kinds that a foreign map may have. A file on the web is refused
KINDS = ["WMS", "XYZ", "WMTS", "vector tiles", "WFS", "OGC API Features", "ArcGIS features", "ArcGIS map"]


class Leading:
    """A server of one kind of source, and another one with the same content that it leads to when told so."""

    def __init__(self, kind):
        self.kind = kind
        made = LoginServer if kind == "WMS" else SourceServer
        self.listed, self.other = made(), made()

    def __enter__(self):
        self.listed.__enter__()
        self.other.__enter__()
        return self

    def __exit__(self, *error):
        self.listed.__exit__(*error)
        self.other.__exit__(*error)

    def own(self, trust, options=""):
        if self.kind == "WMS":
            source = (f"crs=EPSG:25830&format=image/png&layers=parks&styles=default&IgnoreGetMapUrl=1"
                      f"&url={self.listed.endpoint.rstrip('?')}{options}")
            return OwnLayer("own", "Ajeno", "raster", "wms", source, credit="© Lejos", trust=trust)
        return OwnLayer("own", "Ajeno", *self.listed.sources[self.kind], credit="© Lejos", trust=trust)

    def lead(self, target=None, status=302, header=""):
        """Redirect every request from now on, to the other server unless ``target`` is given."""
        target = target or self.other.url
        if self.kind == "WMS":
            self.listed.redirects = {"GetMap": f"{target}/wms?"}
            return

        def write(handler, _sound):
            place = target + handler.path if not callable(target) else target(handler.path)
            handler.send_response(status)
            handler.send_header("Location", place)
            if header:
                handler.send_header("Cache-Control", header)
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        self.listed.fault = write


def drawn(*layers):
    """The image of the layers, drawn as the map canvas draws."""
    settings = QgsMapSettings()
    settings.setLayers(list(layers))
    settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    settings.setExtent(QgsRectangle(-400_400, 4_623_000, -381_100, 4_637_300))
    settings.setOutputSize(QSize(300, 220))
    job, loop = QgsMapRendererParallelJob(settings), QEventLoop()
    job.finished.connect(loop.quit)
    QTimer.singleShot(int(1000 * patience()), loop.quit)
    job.start()
    loop.exec()
    assert not job.isActive(), "the drawing ended"
    return job.renderedImage()



def later(pair, layer):
    """Draw a layer whose server leads elsewhere from now on."""
    pair.lead()
    asked = len(pair.listed.requests)
    drawn(layer)
    assert len(pair.listed.requests) > asked, "its own server was asked"


@pytest.fixture(autouse=True)
def nothing_bound(qgis_app):
    yield
    bound_origins.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_foreign_layer_sends_nothing_where_its_server_leads_later(kind, qgis_app):
    with Leading(kind) as pair:
        later(pair, opening.open_layer(pair.own(Trust.AGREED)))
        assert pair.other.requests == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("XYZ", "vector tiles")])
def test_a_foreign_layer_sends_nothing_where_its_server_leads_at_once(kind, qgis_app):
    with Leading(kind) as pair:
        own = pair.own(Trust.AGREED)
        pair.lead()
        if kind == "WMS":
            pair.listed.redirects["GetCapabilities"] = pair.other.endpoint
        with pytest.raises(CartoguideError, match=f"Ajeno.*{pair.other.url}"):
            opening.open_layer(own)
        assert pair.other.requests == []


@pytest.mark.parametrize("kind", ["WFS", "OGC API Features", "ArcGIS features", "ArcGIS map"])
def test_nothing_is_sent_elsewhere_while_qgis_makes_the_layer(no_late_notices, kind, qgis_app):
    with Leading(kind) as pair:
        own = pair.own(Trust.AGREED)
        pair.lead()
        # all but the first answer
        pair.listed.strikes = lambda _request: len(pair.listed.requests) > 1
        try:
            drawn(opening.open_layer(own))
        except CartoguideError:
            pass
        assert len(pair.listed.requests) > 1 and pair.other.requests == []


def test_tiles_whose_service_names_another_server_are_refused_with_that_server(qgis_app):
    with Leading("WMTS") as pair:
        status, media, body = pair.listed.answers["/wmts"]
        pair.listed.answers["/wmts"] = status, media, body.replace(
            f"{pair.listed.url}/wmtstiles".encode(), f"{pair.other.url}/wmtstiles".encode())
        with pytest.raises(CartoguideError, match=pair.other.url):
            opening.open_layer(pair.own(Trust.AGREED))
        assert pair.other.requests == []


@pytest.mark.parametrize("kind", ["WMS", "XYZ", "WFS", "ArcGIS map"])
def test_redirects_of_ones_own_layers_are_followed_as_ever(kind, qgis_app):
    with Leading(kind) as pair, OddServer() as third:
        foreign = opening.open_layer(OwnLayer("f", "F", "raster", "wms", f"type=xyz&url={third.url}/{{z}}/{{x}}/{{y}}",
                                              trust=Trust.AGREED))
        later(pair, opening.open_layer(pair.own(Trust.OWN)))
        assert pair.other.requests and foreign.isValid()


def test_redirects_of_a_server_that_ones_own_layer_has_too_are_followed(qgis_app, qgis_new_project):
    with Leading("XYZ") as pair:
        foreign = opening.open_layer(pair.own(Trust.AGREED))
        project = QgsProject.instance()
        project.addMapLayer(foreign)
        project.addMapLayer(foreign.clone())
        later(pair, foreign)
        assert pair.other.requests == [], "a duplicate is as foreign"
        mine = OwnLayer("m", "M", "raster", "wms", f"type=xyz&url={pair.listed.url}/mine/{{z}}/{{x}}/{{y}}.png")
        layer = project.addMapLayer(opening.open_layer(mine))
        later(pair, layer)
        assert pair.other.requests
        asked = len(pair.other.requests)
        project.removeMapLayer(layer.id())
        pair.listed.files.clear()
        foreign.dataProvider().reloadData()
        later(pair, foreign)
        assert len(pair.other.requests) == asked


def test_a_duplicate_is_as_foreign_once_the_layer_that_it_was_made_of_is_gone(qgis_app, qgis_new_project):
    with Leading("WFS") as pair:
        project = QgsProject.instance()
        foreign = project.addMapLayer(opening.open_layer(pair.own(Trust.AGREED)))
        assert foreign.setSubsetString("\"name\" <> 'x'") or foreign.setSubsetString("1=1")
        duplicate = project.addMapLayer(foreign.clone())
        assert bound_origins.is_guarded(pair.listed.url), "a filter makes it nobody's own"
        project.removeMapLayer(foreign.id())
        assert bound_origins.is_guarded(pair.listed.url)
        later(pair, duplicate)
        assert pair.other.requests == []
        project.clear()
        assert not bound_origins.is_guarded(pair.listed.url)


def test_an_opening_that_ends_after_the_plugin_was_unloaded_unbinds_no_later_one(qgis_app):
    address = "http://servidor.test/wms?"
    bound_origins.begin_opening(address)
    bound_origins.close()
    bound_origins.end_opening(address)
    bound_origins.begin_opening(address)
    assert bound_origins.is_guarded(address)
    bound_origins.end_opening(address)
    assert not bound_origins.is_guarded(address)


def test_servers_are_watched_whatever_python_forgets(qgis_app):
    with Leading("XYZ") as pair:
        layer = opening.open_layer(pair.own(Trust.AGREED))
        for get in (QgsProject.instance, QgsNetworkAccessManager.instance):
            cycle(get)
        own = pair.own(Trust.OWN)
        own = opening.open_layer(replace(own, source=f"{own.source}&referer=http://page.test"))
        QgsProject.instance().addMapLayer(own)
        assert not bound_origins.is_guarded(pair.listed.url), "a layer of one's own comes from there too"
        QgsProject.instance().removeMapLayer(own.id())
        later(pair, layer)
        assert bound_origins.refused_redirect(layer.id()) and pair.other.requests == []
        del layer
        assert not bound_origins.is_guarded(pair.listed.url)


def test_redirects_within_the_server_are_followed(qgis_app):
    with Leading("XYZ") as pair:
        layer = opening.open_layer(pair.own(Trust.AGREED))
        for path, answer in list(pair.listed.answers.items()):
            pair.listed.answers[path.replace("/pictures/", "/moved/")] = answer
        pair.lead(lambda path: path.replace("/pictures/", "/moved/"))
        pair.listed.strikes = lambda request: request["path"].startswith("/pictures/")
        image = drawn(layer)
        assert image.pixelColor(150, 110).alpha() and pair.other.requests == []
        assert any(request["path"].startswith("/moved/") for request in pair.listed.requests)


def test_a_redirect_in_the_cache_is_not_followed_either(qgis_app):
    with Leading("XYZ") as pair:
        pair.lead(status=301, header="max-age=3600")
        drawn(opening.open_layer(pair.own(Trust.OWN)))
        before = len(pair.other.requests)
        assert before
        drawn(opening.open_layer(pair.own(Trust.AGREED)))
        assert len(pair.other.requests) == before


def test_nothing_is_bound_once_the_layer_is_gone(qgis_app):
    with Leading("XYZ") as pair:
        layer = opening.open_layer(pair.own(Trust.AGREED))
        assert bound_origins.is_guarded(pair.listed.url)
        copy = layer.clone()
        del layer
        assert not bound_origins.is_guarded(pair.listed.url)
        later(pair, copy)
        assert pair.other.requests


@pytest.mark.slow
def test_many_threads_and_calls_of_the_main_thread_neither_block_nor_leak(qgis_app):
    """Many drawings of all kinds at once, with calls that wait for a provider's thread in between."""
    pairs = [Leading(kind) for kind in KINDS]
    for pair in pairs:
        pair.__enter__()
    try:
        layers = [opening.open_layer(pair.own(Trust.AGREED)) for pair in pairs]
        for pair in pairs:
            pair.lead()
        for _ in range(30 if ALL else 2):
            drawn(*layers)
            for layer in layers:
                layer.dataProvider().reloadData()
                if hasattr(layer, "getFeatures"):
                    assert sum(1 for _ in layer.getFeatures()) >= 0 and layer.featureCount() >= -2
        assert [pair.kind for pair in pairs if pair.other.requests] == []
    finally:
        for pair in pairs:
            pair.__exit__(None, None, None)


def test_the_crs_of_an_arcgis_map_outlives_the_thread_that_made_it(qgis_app, wait_until):
    pool = QThreadPool.globalInstance()
    former = pool.expiryTimeout()
    with Leading("ArcGIS map") as pair:
        try:
            pool.setExpiryTimeout(1)
            layer = opening.open_layer(pair.own(Trust.AGREED))
            wait_until(lambda: pool.activeThreadCount() == 0, 10)
        finally:
            pool.setExpiryTimeout(former)
        transform = QgsCoordinateTransform(layer.crs(), QgsCoordinateReferenceSystem("EPSG:4326"),
                                           QgsProject.instance())
        assert abs(transform.transformBoundingBox(layer.extent()).xMinimum() - WEST) < 0.01


# -- in the window, on paper and without a window


@pytest.fixture
def dock(network_dock, wait_until, qgis_new_project):
    made = network_dock()
    wait_until(lambda: made.model.rowCount() == 3, 20)
    made.prompts.confirm_foreign = lambda _title, _foreign, done: done(Consent.LISTED)
    return made


@pytest.mark.parametrize("kind", ["XYZ", "WFS"])
def test_the_row_and_the_issues_name_the_server_that_nobody_agreed_to(kind, dock, wait_until, tmp_path):
    with Leading(kind) as pair:
        item, = opened(dock, document_file(tmp_path, pair.own(Trust.OWN)), wait_until)
        assert item.own.trust is Trust.AGREED and item.problem == ""
        later(pair, QgsProject.instance().mapLayer(item.layer_id))
        wait_until(lambda: item.problem)
        for text in (item.problem, item.row_state().problem):
            assert text == (f"“Ajeno” lacks parts. {pair.listed.url} leads to {pair.other.url}, and nobody agreed to "
                            "that server. Nothing was sent there.")
        dock.composer_controller.refresh_view()
        issue, = (finding for finding in dock.composer.findings.findings if finding.rule == "own-missing")
        assert pair.other.url in issue.message and issue.severity is Severity.ERROR
        assert pair.other.requests == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["WMS", "XYZ", "WFS", "vector tiles", "ArcGIS map"])
def test_no_page_is_written_without_what_its_server_sent_elsewhere(kind, network, tmp_path, algorithms):  # noqa: F811
    with Leading(kind) as pair:
        def export(name, scale):
            path = document_file(tmp_path, pair.own(Trust.OWN), scale=scale, centre=(-3.51, 38.38), language="en")
            run("exportcustommap", {"INPUT": str(path), "DPI": 72, "FOREIGN_LAYERS": "open",
                                    "OUTPUT": str(tmp_path / name)})

        export("whole.png", 100_000.0)
        pair.lead()
        if kind != "WMS":
            pair.listed.strikes = lambda request: re.search(r"tiles|pictures|shapes|REQUEST=GetFeature|/export",
                                                            f"{request['path']}?{request['query']}")
        with pytest.raises(AssertionError, match=f"Ajeno(?s:.*){pair.other.url}"):
            # other images than those that are cached
            export("map.pdf", 220_000.0)
        assert not (tmp_path / "map.pdf").exists() and pair.other.requests == []


def web_layer(host, name="a"):
    """A layer of tiles, which requests nothing until it is drawn."""
    return QgsRasterLayer(f"type=xyz&url={host}/%7Bz%7D/%7Bx%7D/%7By%7D.png&zmin=0&zmax=9", name, "wms")


def change(layer, host):
    """Lead a layer to another server."""
    layer.setDataSource(web_layer(host).source() + f"&crs=EPSG:3857&{host[7]}", "a", "wms",
                        layer.dataProvider().ProviderOptions())


def sent(address):
    """The request for an address as it is sent on."""
    request = QNetworkRequest(QUrl(address))
    bound_origins._stay(request)
    return request


def test_an_opening_that_is_cancelled_before_it_begins_binds_nothing_for_good(qgis_app, wait_until):
    """The main thread was busy, so that the begin came after the worker had given up."""
    own = OwnLayer("own", "Ajeno", "vector", "WFS", "url='http://lejos.invalid/wfs' typename='a'", trust=Trust.AGREED)
    ended = []

    def work():
        try:
            with opening._bound_server(own, SimpleNamespace(isCanceled=lambda: True)):
                raise AssertionError
        except Cancelled:
            ended.append(True)

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(patience())
    assert ended
    wait_until(lambda: not bound_origins.is_guarded("http://lejos.invalid/wfs"))
    QCoreApplication.processEvents()
    assert not bound_origins.is_guarded("http://lejos.invalid/wfs")
    assert not any(bound_origins._registry.opening.values())


def test_a_layer_whose_source_is_changed_is_bound_where_it_leads_now(project):
    foreign, own = web_layer("http://ajeno.invalid"), web_layer("http://propio.invalid")
    bound_origins.bind(foreign)
    for layer in (foreign, own):
        project.addMapLayer(layer)
    assert bound_origins.is_guarded("http://ajeno.invalid") and not bound_origins.is_guarded("http://propio.invalid")
    change(foreign, "http://otro.invalid")
    assert bound_origins.is_guarded("http://otro.invalid") and not bound_origins.is_guarded("http://ajeno.invalid")
    # one's own layer goes to the same server: it is left alone until it leads elsewhere
    change(own, "http://otro.invalid")
    assert not bound_origins.is_guarded("http://otro.invalid")
    change(own, "http://propio.invalid")
    assert bound_origins.is_guarded("http://otro.invalid")


@pytest.mark.parametrize(("target", "is_followed"), [
    ("https://ajeno.invalid/1.png", True), ("https://ajeno.invalid:8443/1.png", False),
    ("https://otro.invalid/1.png", False), ("http://ajeno.invalid:8080/1.png", False)])
def test_a_server_may_lead_to_itself_by_https(project, target, is_followed):
    layer = web_layer("http://ajeno.invalid")
    bound_origins.bind(layer)
    project.addMapLayer(layer)
    assert sent("http://ajeno.invalid/1.png").url().scheme() == "http"
    first = sent("http://ajeno.invalid/1.png")
    reply = SimpleNamespace(error=lambda: QNetworkReply.NetworkError.InsecureRedirectError, request=lambda: first,
                            rawHeader=lambda _name: QByteArray(target.encode()))
    bound_origins._note_reply(reply)
    request = sent("http://ajeno.invalid/1.png")
    assert request.url().scheme() == ("https" if is_followed else "http")
    assert request.attribute(QNetworkRequest.Attribute.RedirectPolicyAttribute) is not None
    assert (bound_origins.refused_redirect(layer.id()) is None) is is_followed
    assert bound_origins.is_guarded("https://ajeno.invalid")


def legend_of(layer, wait_until):
    """Ask for the legend's pictures of a layer, as the layer tree does that shows it."""
    tree = QgsLayerTree()
    node, model = tree.addLayer(layer), QgsLayerTreeModel(tree)
    pictures = [found for found in model.layerLegendNodes(node) if isinstance(found, QgsWmsLegendNode)]
    for picture in pictures:
        picture.data(Qt.ItemDataRole.DecorationRole)
    end = QTimer()
    end.setSingleShot(True)
    end.start(1500)
    wait_until(lambda: not end.isActive())
    return len(pictures)


@pytest.mark.parametrize("trust", [Trust.AGREED, Trust.OWN])
def test_a_legend_on_a_server_that_nobody_agreed_to_is_not_requested(project, wait_until, trust):
    with OddServer() as listed, OddServer() as other:
        listed.files["/wms"] = re.sub(
            "<sld:GetLegendGraphic>.*?</sld:GetLegendGraphic>",
            lambda found: found[0].replace(f"{listed.url}/wms", f"{other.url}/legend.png"),
            network_faults.capabilities(listed.url), flags=re.DOTALL).encode()
        other.files["/legend.png"] = one_colour_png(9, 9, "#00a000")
        own = OwnLayer("own", "Ajeno", "raster", "wms", f"url={listed.url}/wms?&layers=rios&styles=default&format="
                       "image/png&crs=EPSG:4326", trust=trust)
        layer = opening.open_layer(own)
        project.addMapLayer(layer)
        assert legend_of(layer, wait_until) == 1
        assert bool(other.requests) is (trust is Trust.OWN)

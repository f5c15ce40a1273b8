"""The faults that tests can switch on, the request log, and a clean stop of the test network."""

from __future__ import annotations

import http.client
import socket
import time
from urllib.error import URLError
from urllib.parse import urlsplit

import pytest
from network import ANSWERS, Network

BOX = (450000, 4245000, 455000, 4250000)


def test_only_the_kth_getmap_of_a_layer_is_struck(network, get_map):
    network.fault(
        {"match": {"request": "GetMap", "layer": "relieve", "nth": 2}, "action": {"type": "status", "code": 500}}
    )
    assert [get_map("guide", "relieve", BOX, 20, 20).status for _ in range(3)] == [200, 500, 200]
    assert get_map("guide", "hidrografia", BOX, 20, 20).status == 200
    network.reset()
    assert [get_map("guide", "relieve", BOX, 20, 20).status for _ in range(2)] == [200, 200]


@pytest.mark.parametrize("code", [401, 403, 500, 503])
def test_a_status_can_be_asked_for(network, get_map, code):
    network.fault({"match": {"endpoint": "guide"}, "action": {"type": "status", "code": code}})
    assert get_map("guide", "relieve", BOX, 20, 20).status == code
    assert get_map("facilities", "miradores", BOX, 20, 20).status == 200


def test_an_exception_comes_with_status_200(network, get_map):
    network.fault(
        {"match": {"request": "getmap"}, "action": {"type": "exception", "code": "InvalidCRS", "text": "No."}}
    )
    got = get_map("guide", "relieve", BOX, 20, 20)
    assert got.status == 200 and got.type.startswith("text/xml") and 'code="InvalidCRS"' in got.text


def test_html_comes_where_xml_was_asked_for(network, fetch):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "html"}})
    got = fetch(network.endpoints["guide"], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"})
    assert got.type.startswith("text/html") and "<html" in got.text


def test_a_redirect_leads_on(network, fetch):
    network.fault(
        {
            "match": {"path": "/geonetwork/srv/api/records/moved"},
            "action": {"type": "redirect", "to": f"{network.url}/geonetwork/srv/spa/catalog.search"},
        }
    )
    assert "Catálogo" in fetch(f"{network.url}/geonetwork/srv/api/records/moved").text


def test_a_wrong_content_type_keeps_the_body(network, get_map):
    network.fault({"match": {}, "action": {"type": "content_type", "value": "text/plain"}})
    got = get_map("guide", "relieve", BOX, 20, 20)
    assert got.type == "text/plain" and got.body.startswith(b"\x89PNG")


def test_a_picture_breaks_off(network, get_map):
    network.fault({"match": {}, "action": {"type": "truncate", "share": 0.5}})
    with pytest.raises(http.client.IncompleteRead):
        get_map("guide", "relieve", BOX, 80, 80)


def test_a_delay_comes_before_the_first_byte(network, get_map):
    network.fault({"match": {}, "action": {"type": "delay", "seconds": 0.6}})
    start = time.monotonic()
    assert get_map("guide", "relieve", BOX, 20, 20).status == 200
    assert time.monotonic() - start >= 0.6


def test_a_hanging_request_gets_no_answer_and_blocks_no_other(network, fetch):
    network.fault({"match": {"path": "/s/guia"}, "action": {"type": "hang", "seconds": 30}})
    with pytest.raises((TimeoutError, socket.timeout, URLError)):
        fetch(f"{network.url}/s/guia", timeout=0.5)
    assert fetch(f"{network.url}/s/lluvia", timeout=60).status == 200


def test_a_body_drips(network):
    network.fault({"match": {"path": "/s/"}, "action": {"type": "drip", "seconds": 0.2}})
    place = urlsplit(network.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    start = time.monotonic()
    connection.request("GET", "/s/guia")
    answer = connection.getresponse()
    assert len(answer.read(4)) == 4 and time.monotonic() - start >= 0.4
    connection.close()


def test_the_log_tells_what_was_asked(network, get_map):
    get_map("guide", "relieve,toponimia", BOX, 20, 20, MAP_RESOLUTION=300)
    get_map("facilities", "Áreas_recreativas", BOX, 20, 20, post=True)
    first, second = network.requests
    assert (first["endpoint"], first["request"], first["layers"]) == ("guide", "GetMap", ["relieve", "toponimia"])
    assert first["parameters"]["MAP_RESOLUTION"] == "300" and first["method"] == "GET"
    assert second["method"] == "POST" and second["layers"] == ["Áreas_recreativas"]
    assert (network.count("GetMap"), network.count("GetMap", "guide"), network.count("GetCapabilities")) == (2, 1, 0)


def test_two_networks_run_at_once_and_a_stopped_one_is_dead(network, fetch):
    other = Network(node="OTRO", max_size=1000).start()
    workdir = other.workdir
    try:
        assert other.url != network.url and "/OTRO_mapa_guia" in other.endpoints["guide"]
        text = fetch(other.endpoints["guide"], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}).text
        assert "<MaxWidth>1000</MaxWidth>" in text and "<Name>OTRO</Name>" in text
        place = urlsplit(other.url)
        kept = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        kept.request("GET", "/s/guia")
        kept.getresponse().read()
    finally:
        other.stop()
    with pytest.raises(OSError):
        kept.request("GET", "/s/guia")
        kept.getresponse().read()
    kept.close()
    with pytest.raises(OSError):
        socket.create_connection((place.hostname, place.port), timeout=2).close()
    assert not workdir.exists()


def test_networks_that_share_answers_ask_mapserver_once_and_keep_no_fault(fetch, tmp_path, monkeypatch):
    picture = {"SERVICE": "WMS", "VERSION": "1.3.0", "REQUEST": "GetMap", "LAYERS": "relieve", "STYLES": "",
               "CRS": "EPSG:25830", "BBOX": ",".join(map(str, BOX)), "WIDTH": 20, "HEIGHT": 20, "FORMAT": "image/png"}
    capabilities = {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}
    monkeypatch.setenv(ANSWERS, str(tmp_path))
    with Network(remember=True) as first:
        first.fault({"match": {"nth": 1}, "action": {"type": "picture", "colour": "#ffffff"}})
        wrong, right = (fetch(first.endpoints["guide"], picture).body for _ in range(2))
        kept, = tmp_path.iterdir()
        assert wrong != right and kept.read_bytes().endswith(right)
        assert first.url in fetch(first.endpoints["guide"], capabilities).text
    kept.write_bytes(kept.read_bytes().replace(right, b"kept"))
    with Network(remember=True) as second:
        assert fetch(second.endpoints["guide"], picture).body == b"kept"
        assert fetch(second.endpoints["guide"], {**picture, "WIDTH": 21}).body != b"kept"
        assert second.url in fetch(second.endpoints["guide"], capabilities).text, "addresses are each server's own"

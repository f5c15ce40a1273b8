"""The three services of the test network do what their capabilities declare."""

from __future__ import annotations

import pytest
from lxml import etree

WMS = {"w": "http://www.opengis.net/wms", "x": "http://www.w3.org/1999/xlink"}
HREF = "{http://www.w3.org/1999/xlink}href"
KEYS = ["precipitation", "guide", "facilities"]
CRS_LIST = [
    "EPSG:3042",
    "EPSG:25830",
    "EPSG:25829",
    "EPSG:23030",
    "EPSG:32629",
    "EPSG:32630",
    "EPSG:3785",
    "EPSG:3857",
    "EPSG:4230",
    "EPSG:4258",
    "EPSG:4326",
    "CRS:84",
    "EPSG:900913",
]


@pytest.fixture
def capabilities(network, fetch):
    def get(key):
        return etree.fromstring(fetch(network.endpoints[key], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}).body)

    return get


def texts(node, path):
    return [found if isinstance(found, str) else found.text for found in node.xpath(path, namespaces=WMS)]


@pytest.mark.parametrize("key", KEYS)
def test_capabilities_have_the_traps_of_the_real_family(capabilities, network, key):
    root = capabilities(key)
    assert root.get("version") == "1.3.0"
    assert texts(root, "w:Service/w:Fees") == ["Gratuito"]
    assert "se mencione a los autores" in texts(root, "w:Service/w:AccessConstraints")[0]
    assert texts(root, "w:Service/w:MaxWidth") == texts(root, "w:Service/w:MaxHeight") == ["4096"]
    addresses = set(texts(root, "w:Capability/w:Request//w:OnlineResource/@x:href"))
    assert addresses == {network.endpoints[key] + "language=spa&"}
    top = root.find("w:Capability/w:Layer", WMS)
    assert top.findtext("w:Name", None, WMS) == "NODO" and top.get("queryable") == "1"
    assert texts(top, "w:CRS") == CRS_LIST
    assert {tuple(texts(child, "w:CRS")) for child in top.iterfind("w:Layer", WMS)} == {("EPSG:3042",)}
    pages = texts(top, "w:Layer/w:MetadataURL/w:OnlineResource/@x:href")
    assert pages and all("/catalog.search#/metadata/" in page for page in pages)


@pytest.mark.parametrize("key", KEYS)
def test_the_north_first_box_is_the_east_first_one_turned(capabilities, key):
    top = capabilities(key).find("w:Capability/w:Layer", WMS)
    boxes = {
        box.get("CRS"): [float(box.get(side)) for side in ("minx", "miny", "maxx", "maxy")]
        for box in top.iterfind("w:BoundingBox", WMS)
    }
    north, east = boxes["EPSG:3042"], boxes["EPSG:25830"]
    assert north == [east[1], east[0], east[3], east[2]] and north[0] > 3e6 > east[0]


def test_one_layer_is_not_named_in_ascii_and_can_be_asked_for(capabilities, get_map):
    names = texts(capabilities("facilities"), "//w:Layer/w:Name")
    assert "Áreas_recreativas" in names
    picture = get_map("facilities", "Áreas_recreativas", (444000, 4240000, 466000, 4256000), 660, 480)
    assert picture.type == "image/png" and picture.pixels.min() < 120


def test_the_guide_has_opaque_relief_and_scale_ranges(capabilities):
    layers = {layer.findtext("w:Name", None, WMS): layer for layer in capabilities("guide").iterfind(".//w:Layer", WMS)}
    wanted = {
        "relieve",
        "limite_parque",
        "curvas_nivel",
        "hidrografia",
        "carreteras",
        "pistas_caminos",
        "senderos",
        "nucleos_urbanos",
        "toponimia",
    }
    assert wanted <= set(layers)
    assert layers["relieve"].get("opaque") == "1" and layers["carreteras"].get("opaque") == "0"
    assert float(layers["curvas_nivel"].findtext("w:MaxScaleDenominator", None, WMS)) == 120000


def test_there_is_a_precipitation_layer_for_each_day_of_june(capabilities):
    layers = {
        layer.findtext("w:Name", None, WMS): layer.findtext("w:Title", None, WMS)
        for layer in capabilities("precipitation").iterfind(".//w:Layer", WMS)
    }
    for day in range(1, 31):
        assert layers[f"precipitacion_201606{day:02d}"] == f"Precipitación total diaria, {day} de junio de 2016"
    assert not any("estaciones_" in name for name in layers), "the sources of the interpolation are not offered"


@pytest.mark.parametrize("key", KEYS)
def test_owslib_reads_the_capabilities(network, fetch, key):
    from owslib.wms import WebMapService

    data = fetch(network.endpoints[key], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}).body
    service = WebMapService(network.endpoints[key], version="1.3.0", xml=data)
    assert service.identification.fees == "Gratuito" and "NODO" in service.contents


@pytest.mark.parametrize(
    "endpoint, layers, box",
    [
        ("guide", "relieve,carreteras", (450000, 4245000, 455000, 4250000)),
        ("facilities", "Áreas_recreativas,miradores", (446000, 4242000, 464000, 4256000)),
    ],
)
def test_post_gives_the_same_picture_as_get(get_map, endpoint, layers, box):
    got = get_map(endpoint, layers, box, 200, 200)
    posted = get_map(endpoint, layers, box, 200, 200, post=True)
    assert got.type == posted.type == "image/png" and got.body == posted.body


@pytest.mark.parametrize("info_format", ["text/html", "text/plain", "application/vnd.ogc.gml"])
def test_feature_info_tells_the_attributes(network, fetch, info_format):
    from network import REFERENCE

    x, y = REFERENCE["x"], REFERENCE["y"]
    got = fetch(
        network.endpoints["facilities"],
        {
            "SERVICE": "WMS",
            "VERSION": "1.3.0",
            "REQUEST": "GetFeatureInfo",
            "LAYERS": REFERENCE["layer"],
            "STYLES": "",
            "QUERY_LAYERS": REFERENCE["layer"],
            "CRS": "EPSG:25830",
            "BBOX": f"{x - 500},{y - 500},{x + 500},{y + 500}",
            "WIDTH": 100,
            "HEIGHT": 100,
            "FORMAT": "image/png",
            "I": 50,
            "J": 50,
            "INFO_FORMAT": info_format,
        },
    )
    assert got.type.startswith(info_format)
    assert "MI-000" in got.text and "Mirador" in got.text and "Sí" in got.text


def test_an_unknown_layer_is_an_exception_with_status_200(get_map):
    got = get_map("guide", "no_existe", (450000, 4245000, 455000, 4250000), 50, 50)
    assert got.status == 200 and got.type.startswith("text/xml") and 'code="LayerNotDefined"' in got.text


def test_a_picture_beyond_the_limits_is_refused(get_map):
    got = get_map("guide", "relieve", (450000, 4245000, 455000, 4250000), 4097, 100)
    assert got.type.startswith("text/xml") and "ServiceException" in got.text

"""Features of WFS, OGC API and ArcGIS: counted by the service, read into a copy, and refused where some are missing."""

from __future__ import annotations

import json
import re
from itertools import product
from urllib.parse import parse_qs

import pytest
from osgeo import ogr
from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsCoordinateReferenceSystem,
    QgsGradientColorRamp,
    QgsHeatmapRenderer,
    QgsMarkerSymbol,
    QgsNetworkAccessManager,
    QgsNullSymbolRenderer,
    QgsProperty,
    QgsRectangle,
    QgsRendererCategory,
    QgsRuleBasedRenderer,
    QgsSingleSymbolRenderer,
)
from qgis.PyQt.QtGui import QColor, QImage
from source_server import FEATURES, PAGE, SourceServer, place
from wire_faults import ANSWERS

from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.network import client
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.pixels.fetch import fetch_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.pixels.raster import drawn_locally
from plugin.gis.runtime import compat, tasks
from tests.pairwise import ALL
from tests.qgis.test_pixels import unlike
from tests.qgis.test_proved_tiles import tile_page
from tests.qgis.test_unchecked_layers import drawn_in, opened

KINDS = ("WFS", "OGC API Features", "ArcGIS features")
SYSTEMS = ("EPSG:25830", "EPSG:3857")
DPI = 72


@pytest.fixture(scope="module")
def served(qgis_app):
    with SourceServer() as server:
        yield server


@pytest.fixture
def sources(served, monkeypatch):
    monkeypatch.setattr(client, "_INITIAL_RETRY_DELAY", 0.01)
    before = dict(served.files)
    served.requests.clear()
    served.fault = None
    yield served
    served.files.clear()
    served.files.update(before)


def feature_page(project, sources, name, crs="EPSG:3857", extra=""):
    project.clear()
    kind, provider, source = sources.sources[name]
    sources.sources[name] = (kind, provider, source + extra)
    try:
        layer = opened(sources, name)
    finally:
        sources.sources[name] = (kind, provider, source)
    return layer, tile_page(project, layer, crs)


def fetched(layout, folder):
    requests = plan_page(layout, DPI, True)
    return requests, tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, folder, 1), 60)


def by_number(layer):
    """Let the layer show a field of the service: other symbols for the first hundred."""
    symbols = [QgsMarkerSymbol.createSimple({"color": colour, "size": "3", "outline_style": "no"})
               for colour in ("#ff0000", "#0000ff")]
    categories = [QgsRendererCategory(number, symbols[number < 100].clone(), str(number)) for number in range(FEATURES)]
    layer.setRenderer(QgsCategorizedSymbolRenderer("number", categories))


@pytest.mark.parametrize(("name", "crs"), list(product(KINDS, SYSTEMS)) if ALL else list(zip(KINDS, SYSTEMS * 2)))
def test_a_page_of_features_is_qgis_s_own_and_nothing_is_requested_for_it(sources, project, tmp_path, name, crs):
    layer, layout = feature_page(project, sources, name, crs)
    if name != "ArcGIS features":
        by_number(layer)
    requests, results = fetched(layout, tmp_path)
    assert [result.error for result in results] == [None]
    assert len(results[0].read.features) == results[0].read.total == FEATURES
    sources.requests.clear()
    with drawn_locally([layout], requests, results) as drawing:
        stand_in = drawing.layers[layer.id()]
        assert stand_in.id() == layer.id() and stand_in.featureCount() == FEATURES
        assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "ours.png", DPI) == 0
        assert sources.requests == []
    assert layout_export.EXPORT_FORMATS["png"].write(layout, tmp_path / "own.png", DPI) == 0
    assert unlike(tmp_path / "own.png", tmp_path / "ours.png", 64) < 0.001
    image = QImage(str(tmp_path / "ours.png"))
    assert len({image.pixelColor(x, y).name() for x in range(30, 260) for y in range(30, 260)}) > 2


@pytest.mark.parametrize("name", KINDS)
def test_features_that_do_not_come_are_refused_by_name(sources, project, tmp_path, name):
    _layer, layout = feature_page(project, sources, name)
    for answer, suffix in (("500", "pdf"), ("login page with 200", "png"), ("cut XML", "svg"), ("204", "tif")):
        sources.break_second_parts(answer)
        form = {"pdf": "pdf", "png": "png", "svg": "svg", "tif": "geotiff"}[suffix]
        with pytest.raises(IncompleteMap) as refused:
            layout_export.export_layouts([layout], tmp_path / f"map.{suffix}", form, ExportOptions(DPI, attempts=1))
        assert f"“{name}”" in str(refused.value) and list(tmp_path.iterdir()) == []
    sources.fault = None
    done = layout_export.export_png(layout, tmp_path / "map.png", DPI)
    assert done.unchecked == () and done.problems == () and done.remarks == ()


def short(name, sources):
    """Let a service answer as if its first page were all, and say nothing of it but in its number."""
    if name == "WFS":
        path, sound = "/wfs", sources.files["/wfs"]

        def answer(request):
            return re.sub(rb"<wfs:member>.*</wfs:member>", b"", sound(request), flags=re.DOTALL) if (
                "STARTINDEX" in request["query"].upper()) else sound(request)
    elif name == "OGC API Features":
        path, sound = "/features/collections/points/items", sources.files["/features/collections/points/items"]

        def answer(request):
            return json.dumps({**json.loads(sound(request)), "links": []}).encode()
    else:
        path = "/arcgis/rest/services/wells/FeatureServer/0/query"
        sound = sources.files[path]

        def answer(request):
            value = json.loads(sound(request))
            if "features" in value:
                value.update(features=value["features"][:40], exceededTransferLimit=True)
            return json.dumps(value).encode()
    sources.files[path] = answer


@pytest.mark.parametrize("name", KINDS)
def test_fewer_features_than_the_service_counts_are_refused_with_both_numbers(sources, project, tmp_path, name):
    _layer, layout = feature_page(project, sources, name)
    sound = dict(sources.files)
    short(name, sources)
    with pytest.raises(IncompleteMap) as refused:
        layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf", ExportOptions(DPI, attempts=1))
    count = 120 if name.startswith("ArcGIS") else PAGE
    assert f"“{name}”" in str(refused.value) and f"{count} of {FEATURES} features came" in str(refused.value)
    done = layout_export.export_layouts([layout], tmp_path / "map.pdf", "pdf",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    assert any(f"{count} of {FEATURES}" in problem for problem in done.problems)
    sources.files.update(sound)
    done = layout_export.export_layouts([layout], tmp_path / "again.png", "png", ExportOptions(DPI, attempts=1))
    assert done.problems == (), "asked again"


@pytest.mark.parametrize("name", KINDS[:2])
def test_a_service_that_counts_nothing_is_read_to_its_end_and_that_is_said(sources, project, tmp_path, name):
    _layer, layout = feature_page(project, sources, name)
    path = "/wfs" if name == "WFS" else "/features/collections/points/items"
    sound = sources.files[path]
    sources.files[path] = lambda request: sound(request).replace(
        f'numberMatched="{FEATURES}"'.encode(), b'numberMatched="unknown"').replace(
            f'"numberMatched": {FEATURES}, '.encode(), b"")
    _requests, results = fetched(layout, tmp_path)
    assert results[0].error is None and len(results[0].read.features) == FEATURES
    done = layout_export.export_layouts([layout], tmp_path / "map.png", "png", ExportOptions(DPI, attempts=1))
    assert [remark.rule for remark in done.remarks] == ["uncounted"] and str(FEATURES) in done.remarks[0].message


def test_the_layer_s_own_filter_counts_and_a_query_of_its_own_is_not_asked(sources, project, tmp_path):
    layer, layout = feature_page(project, sources, "WFS", extra=" filter='\"number\" < 30'")
    requests, results = fetched(layout, tmp_path)
    with drawn_locally([layout], requests, results) as drawing:
        assert drawing.layers[layer.id()].featureCount() == 30
    _layer, layout = feature_page(project, sources, "WFS", extra=" maxNumFeatures='20'")
    assert plan_page(layout, DPI) == []
    assert layout_export.export_png(layout, tmp_path / "map.png", DPI).unchecked == ("WFS",)


def test_only_the_features_of_the_page_are_asked_for(sources, project, tmp_path):
    for name in KINDS:
        sources.requests.clear()
        _layer, layout = feature_page(project, sources, name)
        sources.requests.clear()
        fetched(layout, tmp_path)
        boxes = [values[0] for request in sources.requests for key, values in parse_qs(request["query"]).items()
                 if key.lower() in ("bbox", "geometry")]
        assert boxes and len(set(boxes)) == 1, name
        first = float(boxes[0].split(",")[0])
        # north first in WFS, degrees of longitude in OGC API, and metres in ArcGIS
        assert {"WFS": 38 < first < 38.4, "OGC API Features": -3.7 < first < -3.5}.get(name, -420000 < first < -390000)


def send_what_is_in_the_box(sources):
    """Let the WFS send the features of the box that it is asked for, and all to who asks without one."""
    sound = sources.files["/wfs"]

    def is_in(member, box):
        south, west, north, east = box
        x, y = place(int(re.search(r"points\.(\d+)", member)[1]))
        return west <= x <= east and south <= y <= north

    def answer(request):
        values = {key.upper(): one[0] for key, one in parse_qs(request["query"]).items()}
        if "BBOX" not in values:
            return sound(request)
        whole = "".join(sound({**request, "query": f"REQUEST=GetFeature&STARTINDEX={start}"}).decode()
                        for start in range(0, FEATURES, PAGE))
        box = [float(side) for side in values["BBOX"].split(",")[:4]]
        found = [one for one in re.findall("<wfs:member>.*?</wfs:member>", whole) if is_in(one, box)]
        start = int(values.get("STARTINDEX", "0"))
        sent = [] if values.get("RESULTTYPE") == "hits" else found[start:start + PAGE]
        head = re.sub('numberMatched="[0-9]+"', f'numberMatched="{len(found)}"', whole.partition("<wfs:member>")[0])
        return f"{head}{''.join(sent)}</wfs:FeatureCollection>".encode()

    sources.files["/wfs"] = answer


def west_half(layout):
    """Show the west of the park alone."""
    item = layout.itemById("map")
    area = QgsRectangle(item.extent())
    area.setXMaximum(area.center().x())
    item.zoomToExtent(area)


def as_qgis(layout, folder, suffix=""):
    """The share of pixels by which the exported page differs from QGIS's own, which is drawn first."""
    assert layout_export.EXPORT_FORMATS["png"].write(layout, folder / f"own{suffix}.png", DPI) == 0
    done = layout_export.export_png(layout, folder / f"ours{suffix}.png", DPI)
    return done, unlike(folder / f"own{suffix}.png", folder / f"ours{suffix}.png", 64)


@pytest.mark.parametrize("name", KINDS)
def test_features_lie_where_the_reference_system_that_somebody_gave_the_layer_puts_them(sources, project, tmp_path,
                                                                                       name):
    layer, layout = feature_page(project, sources, name)
    # the service names another one than its coordinates are in
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:25830" if layer.crs().authid() == "EPSG:3857" else "EPSG:3857"))
    _done, difference = as_qgis(layout, tmp_path)
    assert difference < 0.001, "there is nothing here"
    item = layout.itemById("map")
    item.setCrs(layer.crs())
    item.zoomToExtent(layer.extent())
    done, difference = as_qgis(layout, tmp_path, "2")
    assert difference < 0.001 and done.remarks == () == done.unchecked
    assert unlike(tmp_path / "ours2.png", tmp_path / "ours.png") > 0.01, "here it is"


@pytest.mark.parametrize("size", ["count(1) / 20", "eval('count(1) / 20')", 'sum("all") / 2000'])
def test_a_style_that_counts_the_layer_counts_what_is_beside_the_map_too(sources, project, tmp_path, size):
    send_what_is_in_the_box(sources)
    layer, layout = feature_page(project, sources, "WFS")
    layer.addExpressionField('"number"', compat.make_field("all", int))
    west_half(layout)
    layer.renderer().symbol().setDataDefinedSize(QgsProperty.fromExpression(size))
    done, difference = as_qgis(layout, tmp_path)
    assert done.unchecked == () and difference < 0.001


@pytest.mark.parametrize("carrier", ["layer", "theme"])
def test_the_heat_of_features_beside_the_map_is_on_it(sources, project, tmp_path, carrier):
    send_what_is_in_the_box(sources)
    layer, layout = feature_page(project, sources, "WFS")
    west_half(layout)

    def heated(layer):
        heat = QgsHeatmapRenderer()
        heat.setRadius(30)
        heat.setColorRamp(QgsGradientColorRamp(QColor("white"), QColor("red")))
        layer.setRenderer(heat)

    if carrier == "layer":
        heated(layer)
    else:
        drawn_in(carrier, layer, layout.itemById("map"), heated)
    done, difference = as_qgis(layout, tmp_path)
    assert done.unchecked == () and difference < 0.001


@pytest.mark.parametrize(("name", "rule"), [
    ("WFS", "$id % 2 = 0"), ("ArcGIS features", "$id % 2 = 0"),
    ("ArcGIS features", "attribute(get_feature('ArcGIS features', 'OBJECTID', \"OBJECTID\"), 'OBJECTID') % 2 = 0")])
def test_features_that_a_style_knows_by_their_number_or_looks_up_are_left_to_qgis(sources, project, tmp_path, name,
                                                                                 rule):
    layer, layout = feature_page(project, sources, name)
    root = QgsRuleBasedRenderer.Rule(None)
    root.appendChild(QgsRuleBasedRenderer.Rule(QgsMarkerSymbol.createSimple({"size": "6"}), 0, 0, rule))
    layer.setRenderer(QgsRuleBasedRenderer(root))
    done, difference = as_qgis(layout, tmp_path)
    assert done.unchecked == (name,) and difference < 0.001
    assert len({QImage(str(tmp_path / "ours.png")).pixelColor(x, 150).name() for x in range(30, 260)}) > 2


def test_a_next_page_for_ever_and_the_same_page_again_end(sources, project, tmp_path):
    _layer, layout = feature_page(project, sources, "OGC API Features")
    path = "/features/collections/points/items"
    sound = sources.files[path]
    sources.files[path] = lambda request: sound({**request, "query": "offset=0"}).replace(
        b'"offset=100', b'"offset=0')
    _requests, results = fetched(layout, tmp_path)
    assert f"{PAGE} of {FEATURES}" in results[0].error.user_text and len(sources.requests) < 10
    _layer, layout = feature_page(project, sources, "WFS")
    wfs = sources.files["/wfs"]
    sources.files["/wfs"] = lambda request: wfs({**request, "query": request["query"].replace("STARTINDEX", "x")})
    _requests, results = fetched(layout, tmp_path)
    assert f"{PAGE} of {FEATURES}" in results[0].error.user_text


@pytest.mark.parametrize("new_id", [b"", b' gml:id="points.%d"'], ids=["no ids", "other ids"])
@pytest.mark.parametrize("number", [str(FEATURES).encode(), b"unknown"])
def test_the_first_page_again_is_not_the_next_one(sources, project, tmp_path, new_id, number):
    _layer, layout = feature_page(project, sources, "WFS")
    wfs, numbers = sources.files["/wfs"], iter(range(10_000))

    def first_again(request):
        body = wfs({**request, "query": request["query"].replace("STARTINDEX", "x")})
        body = re.sub(rb' gml:id="points[.]\d+"', lambda _: new_id % next(numbers) if new_id else b"", body)
        return body.replace(b'numberMatched="%d"' % FEATURES, b'numberMatched="%s"' % number)
    sources.files["/wfs"] = first_again
    _requests, results = fetched(layout, tmp_path)
    assert len(results[0].read.features) == PAGE and len(sources.requests) < 12
    expected = f"{PAGE} of {FEATURES}" if number.isdigit() else f"{PAGE} features came, and the service has more"
    assert expected in results[0].error.user_text


def test_a_page_that_names_the_next_one_is_not_the_last(sources, project, tmp_path):
    _layer, layout = feature_page(project, sources, "WFS")
    wfs = sources.files["/wfs"]
    sources.files["/wfs"] = lambda request: wfs(
        {**request, "query": request["query"].replace("STARTINDEX", "x")}).replace(b"CountDefault", b"Other").replace(
            b'numberMatched="%d"' % FEATURES, b'numberMatched="unknown" next="http://127.0.0.1:1/"')
    _requests, results = fetched(layout, tmp_path)
    assert f"{PAGE} features came, and the service has more" in results[0].error.user_text


def test_a_next_page_with_the_same_features_is_not_the_next_one(sources, project, tmp_path):
    _layer, layout = feature_page(project, sources, "OGC API Features")
    path = "/features/collections/points/items"
    sound = sources.files[path]

    def first_again(request):
        value = json.loads(sound({**request, "query": ""}))
        del value["numberMatched"]
        value["links"][0]["href"] += f"&again={request['query'].count('again') + len(request['query'])}"
        return json.dumps(value).encode()
    sources.files[path] = first_again
    _requests, results = fetched(layout, tmp_path)
    assert "the service has more" in results[0].error.user_text and len(sources.requests) < 10


def test_features_with_the_id_of_another_are_drawn_and_equal_ones_count_once(sources, project, tmp_path):
    layer, layout = feature_page(project, sources, "WFS")
    wfs = sources.files["/wfs"]
    sources.files["/wfs"] = lambda request: wfs(request).replace(b'gml:id="points.8"', b'gml:id="points.7"')
    requests, results = fetched(layout, tmp_path)
    assert results[0].error is None
    with drawn_locally([layout], requests, results) as drawing:
        assert drawing.layers[layer.id()].featureCount() == FEATURES
    seventh = re.compile(rb'(<wfs:member><ms:points gml:id="points[.]7">.*?</wfs:member>)<wfs:member>.*?</wfs:member>')
    sources.files["/wfs"] = lambda request: seventh.sub(rb"\1\1", wfs(request))
    QgsNetworkAccessManager.instance().cache().clear()
    _requests, results = fetched(layout, tmp_path)
    assert f"{FEATURES - 1} of {FEATURES}" in results[0].error.user_text


def test_features_of_arcgis_are_those_that_were_asked_for_and_all_ids_are_known(sources, project, tmp_path):
    _layer, layout = feature_page(project, sources, "ArcGIS features")
    path = "/arcgis/rest/services/wells/FeatureServer/0/query"
    sound = sources.files[path]
    others = [b"objectIds=" + b",".join(b"%d" % (number + 1000 * page) for number in range(1, FEATURES + 1))
              for page in range(2)]
    answers = iter(others * 10)
    sources.files[path] = lambda request: sound(
        request if "returnIdsOnly" in request["query"] else {**request, "query": next(answers).decode()})
    _requests, results = fetched(layout, tmp_path)
    assert f"of {FEATURES} features came" in results[0].error.user_text
    sources.files[path] = lambda request: sound(request).replace(
        b'"objectIds"', b'"exceededTransferLimit": true, "objectIds"')
    QgsNetworkAccessManager.instance().cache().clear()
    _requests, results = fetched(layout, tmp_path)
    assert f"{FEATURES} features came, and the service has more" in results[0].error.user_text


@pytest.mark.parametrize("raises", [False, True])
def test_a_geometry_that_cannot_be_read_is_refused_by_name(sources, project, tmp_path, raises):
    """Other plugins may let GDAL raise its errors."""
    _layer, layout = feature_page(project, sources, "OGC API Features")
    path = "/features/collections/points/items"
    sound = sources.files[path]
    sources.files[path] = lambda request: sound(request).replace(b'"coordinates"', b'"places"')
    (ogr.UseExceptions if raises else ogr.DontUseExceptions)()
    try:
        _requests, results = fetched(layout, tmp_path)
    finally:
        ogr.DontUseExceptions()
    assert results[0].error.user_text == "The features cannot be read."


def test_a_service_that_shows_a_page_to_who_asks_for_nothing_is_asked_for_json(sources, project, tmp_path):
    _layer, layout = feature_page(project, sources, "OGC API Features")
    sources.fault = ANSWERS["login page with 200"]
    sources.strikes = lambda request: "geo+json" not in request["headers"].get("Accept", "")
    _requests, results = fetched(layout, tmp_path)
    assert results[0].error is None and len(results[0].read.features) == FEATURES


def hidden_styles(layer):
    """Styles and filters of a layer that show none of its features on a map."""
    layer.setRenderer(QgsNullSymbolRenderer())
    yield "no symbols"
    layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple({})))
    layer.renderer().symbol().setOpacity(0)
    yield "transparent symbols"
    layer.setRenderer(QgsRuleBasedRenderer(QgsMarkerSymbol.createSimple({})))
    layer.renderer().rootRule().children()[0].setMinimumScale(20)
    yield "a rule for other scales"
    layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple({})))
    # QGIS 3.22 has no filters for ArcGIS
    if layer.dataProvider().supportsSubsetString():
        layer.setSubsetString("number > 9999")
        yield "a filter"


@pytest.mark.parametrize("name", KINDS if ALL else KINDS[:1])
def test_features_that_come_and_are_not_drawn_are_told(sources, project, tmp_path, name):
    layer, layout = feature_page(project, sources, name)
    told = {"none": layout_export.export_png(layout, tmp_path / "map.png", DPI).remarks}
    for style in hidden_styles(layer):
        told[style] = layout_export.export_png(layout, tmp_path / "map.png", DPI).remarks
    assert told.pop("none") == ()
    assert {style: [one.rule for one in remarks] for style, remarks in told.items()} == {
        style: ["empty"] for style in told}

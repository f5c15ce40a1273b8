"""Responses of GetFeatureInfo as servers write them, parsed to attributes and geometries."""

from __future__ import annotations

import time

import pytest

from plugin.core.box import Box
from plugin.core.featureinfo.features import as_tsv, group_by_layer
from plugin.core.featureinfo.queries import FeatureInfoQuery, best_format
from plugin.core.featureinfo.response_reading import read_feature_info
from plugin.core.featureinfo.safe_html import sanitise_html
from plugin.core.sources.attribution_text import attribution_text

NEAR = FeatureInfoQuery(("a",), ("",), "EPSG:25830", Box(447000, 4256000, 448000, 4257000), 100, 100, 50, 50)
DEGREES = FeatureInfoQuery(("a",), ("",), "EPSG:4326", Box(-3.7, 38.3, -3.5, 38.5), 100, 100, 50, 50)

MS = """<?xml version="1.0" encoding="ISO-8859-1"?><msGMLOutput xmlns:gml="http://www.opengis.net/gml">
<cami_layer><gml:name>Camí</gml:name><cami_feature><gml:boundedBy><gml:Box srsName="EPSG:25830"><gml:coordinates>
447100,4256100 447200,4256200</gml:coordinates></gml:Box></gml:boundedBy><NOMBRE>Peña</NOMBRE><ANCHO>3</ANCHO>
</cami_feature></cami_layer></msGMLOutput>""".encode("latin-1")
GML3 = b"""<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml"
xmlns:t="urn:t"><gml:featureMembers><t:fuente gml:id="fuente.7"><t:nombre>La Fuente</t:nombre><t:agua><t:pH>7.1</t:pH>
</t:agua><t:geom><gml:Point srsName="urn:ogc:def:crs:EPSG::4326" srsDimension="2"><gml:pos>38.4 -3.6</gml:pos>
</gml:Point></t:geom></t:fuente></gml:featureMembers></wfs:FeatureCollection>"""
GML2 = b"""<FeatureCollection xmlns="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml">
<gml:featureMember><parque fid="parque.1"><gml:boundedBy><gml:Envelope srsName="EPSG:25830">
<gml:lowerCorner>0 0</gml:lowerCorner><gml:upperCorner>1 1</gml:upperCorner></gml:Envelope></gml:boundedBy>
<nombre/><the_geom><gml:MultiPolygon srsName="http://www.opengis.net/gml/srs/epsg.xml#25830"><gml:polygonMember>
<gml:Polygon><gml:outerBoundaryIs><gml:LinearRing><gml:coordinates>447000,4256000 447500,4256000 447500,4256600
447000,4256000</gml:coordinates></gml:LinearRing></gml:outerBoundaryIs></gml:Polygon></gml:polygonMember>
</gml:MultiPolygon></the_geom></parque></gml:featureMember></FeatureCollection>"""
ESRI = """<FeatureInfoResponse xmlns="http://www.esri.com/wms"><FIELDS OBJECTID="4" Municipio="Úbeda"/>
</FeatureInfoResponse>""".encode()
ESRI_NEW = b"""<FeatureInfoResponse><FeatureInfoCollection layername="Rios"><FeatureInfo><Field><FieldName>Nombre
</FieldName><FieldValue>Guadalimar</FieldValue></Field></FeatureInfo></FeatureInfoCollection></FeatureInfoResponse>"""
NCWMS = b"""<FeatureInfoResponse><longitude>-3.6</longitude><latitude>38.4</latitude><FeatureInfo>
<time>2016-06-03T00:00:00.000Z</time><value>21.5</value></FeatureInfo></FeatureInfoResponse>"""
NCWMS_2 = b"""<FeatureInfoResponse><longitude>-3.6</longitude><latitude>38.4</latitude><Feature><layer>mar/sal</layer>
<FeatureInfo><id>sal</id><value>37.25</value></FeatureInfo></Feature></FeatureInfoResponse>"""
QGIS = b"""<GetFeatureInfoResponse><Layer name="refugios"><Feature id="3"><Attribute name="plazas" value="12"/>
<BoundingBox SRS="EPSG:25830" minx="447500" maxx="447500" miny="4256500" maxy="4256500"/></Feature></Layer>
<Layer name="relieve"><Attribute name="Banda 1" value="740"/></Layer></GetFeatureInfoResponse>"""
GEOJSON = b"""{"type":"FeatureCollection","features":[{"type":"Feature","id":"fuentes.12","geometry":{"type":"Point",
"coordinates":[447500.5,4256500]},"properties":{"nombre":"Fuente\\tfr\\u00eda","caudal":2.5,"potable":true,"nota":null,
"uso":{"tipo":"riego"}}}],"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25830"}}}"""
MS_TEXT = b"""GetFeatureInfo results:

Layer 'miradores'
  Feature 0:
    CODIGO = 'MI-000'
    NOTA = 'dos
l\xc3\xadneas = una'
  Feature 1:
    CODIGO = 'MI-001'
"""
GS_TEXT = b"""Results for FeatureType 'http://red:fuentes':
--------------------------------------------
the_geom = [GEOMETRY (Point) with 1 points]
nombre = La Fuente
--------------------------------------------
nombre = Otra
--------------------------------------------
"""


def read(body, media="text/plain", question=NEAR):
    return read_feature_info(body, media, media, question)


@pytest.mark.parametrize(("body", "question", "layer", "pairs", "crs", "place"), [
    (MS, NEAR, "cami", {"NOMBRE": "Peña", "ANCHO": "3"}, "EPSG:25830", (447100, 4256100, 447200, 4256200)),
    # URNs follow the CRS's own order: latitude first
    (GML3, DEGREES, "fuente", {"nombre": "La Fuente", "agua.pH": "7.1"}, "EPSG:4326", (-3.6, 38.4, -3.6, 38.4)),
    # the geometry counts, not a box that says something else
    (GML2, NEAR, "parque", {"nombre": ""}, "EPSG:25830", (447000, 4256000, 447500, 4256600)),
    (ESRI, NEAR, "", {"OBJECTID": "4", "Municipio": "Úbeda"}, "", None),
    (ESRI_NEW, NEAR, "Rios", {"Nombre": "Guadalimar"}, "", None),
    (NCWMS, NEAR, "", {"time": "2016-06-03T00:00:00.000Z", "value": "21.5"}, "", None),
    (NCWMS_2, NEAR, "mar/sal", {"id": "sal", "value": "37.25"}, "", None),
    (QGIS, NEAR, "refugios", {"plazas": "12"}, "EPSG:25830", (447500, 4256500, 447500, 4256500)),
    (GEOJSON, NEAR, "fuentes", {"nombre": "Fuente\tfría", "caudal": "2.5", "potable": "true", "nota": "",
                                "uso.tipo": "riego"}, "EPSG:25830", (447500.5, 4256500, 447500.5, 4256500)),
    (MS_TEXT, NEAR, "miradores", {"CODIGO": "MI-000", "NOTA": "dos\nlíneas = una"}, "", None),
    (GS_TEXT, NEAR, "fuentes", {"the_geom": "[GEOMETRY (Point) with 1 points]", "nombre": "La Fuente"}, "", None),
])
def test_the_first_feature_of_every_way_of_writing(body, question, layer, pairs, crs, place):
    feature = read(body, question=question).features[0]
    assert (feature.layer, dict(feature.attributes), feature.crs, feature.zoom_bbox) == (layer, pairs, crs, place)


def test_all_features_come_and_layers_stay_apart():
    assert [feature.value("CODIGO") for feature in read(MS_TEXT).features] == ["MI-000", "MI-001"]
    assert [feature.value("nombre") for feature in read(GS_TEXT).features] == ["La Fuente", "Otra"]
    assert [(layer, len(found)) for layer, found in group_by_layer(read(QGIS).features)] == [("refugios", 1),
                                                                                             ("relieve", 1)]
    assert read(GML2).features[0].geometry.wkt().startswith("MULTIPOLYGON (((447000 4256000, ")


def test_axes_that_can_only_be_meant_the_other_way_round_are_exchanged():
    turned = MS.replace(b"447100,4256100 447200,4256200", b"4256100,447100 4256200,447200")
    assert read(turned).features[0].zoom_bbox == (447100, 4256100, 447200, 4256200)
    # what may lie outside the window is left alone
    far = MS.replace(b"447100,4256100 447200,4256200", b"100,200 300,400")
    assert read(far).features[0].zoom_bbox == (100, 200, 300, 400)


@pytest.mark.parametrize("body", [
    b'<msGMLOutput xmlns:gml="http://www.opengis.net/gml"></msGMLOutput>',
    b'{"type":"FeatureCollection","features":[]}',
    b"GetFeatureInfo results:\n\n  Search returned no results.\n", b"no features were found\n", b"  \r\n", b"",
    b"<html><head><title>x</title></head><body><table></table></body></html>",
    b"GetFeatureInfo results:\n\nLayer 'a'\n",
])
def test_nothing_is_told_from_something(body):
    answer = read(body)
    assert answer.is_empty and not answer.features


def test_what_is_written_in_no_known_way_is_shown_as_it_came():
    for body in (b"Altitud: 740 m", b'{"results": [1]}', b"<a><b>1</b></a>", b"{broken", b"<broken"):
        answer = read(body)
        assert not answer.is_empty and not answer.features and answer.text == body.decode()


def test_a_page_keeps_its_words_and_loses_everything_else():
    page = """<!DOCTYPE html><html><head><style>p{}</style><script>alert(1)</script></head><body onload=x()>
    <h1>Ficha &amp; más</h1><p style="background:url(http://x/y)">uno<script>bad()</script></p>
    <iframe src="//x"></iframe>
    <table><tr><td colspan="2" onclick="x()">dos</td></tr></table><form><input value="z"></form>
    <a href="JavaScript:x()">tres</a><a href="https://a.invalid/?q=1&amp;r=2" target=_top>cuatro</a>
    <img src="http://a.invalid/p.png" alt="una <foto>"><svg><script>y()</script></svg></b></table>cinco<ul><li>seis"""
    html = read(page.encode(), "text/html").html
    for gone in ("script", "style", "onload", "onclick", "iframe", "svg", "img", "input", "JavaScript", "alert",
                 "target", "bad()", "y()"):
        assert gone not in html
    for kept in ("Ficha &amp; más", '<td colspan="2">dos</td>', "<a>tres</a>", "[una &lt;foto&gt;]", "cinco",
                 '<a href="https://a.invalid/?q=1&amp;r=2">cuatro</a>', "<li>seis</li></ul>"):
        assert kept in html
    assert html.count("<table>") == html.count("</table>")


@pytest.mark.parametrize("page", ["<a " * 40_000, "<!--" * 40_000, "</a " * 40_000, "<div>" * 40_000])
def test_a_page_that_is_made_to_keep_the_parser_busy_is_given_up(page):
    begun = time.process_time()
    answer = read(f"<html>hola {page}".encode(), "text/html")
    assert time.process_time() - begun < 20
    assert "hola" in answer.html and "<script" not in answer.html and "<a " not in answer.html


def test_a_table_for_spreadsheets_has_one_line_for_each_feature():
    assert as_tsv(read(MS_TEXT).features) == "CODIGO\tNOTA\nMI-000\tdos líneas = una\nMI-001\t\n"


@pytest.mark.parametrize(("offered", "best"), [
    (("text/html", "application/vnd.ogc.gml", "text/plain"), "application/vnd.ogc.gml"),
    (("text/plain", "application/vnd.ogc.gml", "application/json"), "application/json"),
    (("application/vnd.esri.wms_raw_xml", "text/html"), "application/vnd.esri.wms_raw_xml"),
    (("image/png", "text/html"), "text/html"), ((), None)])
def test_the_best_format_is_the_one_that_becomes_a_table(offered, best):
    assert best_format(offered) == best


@pytest.mark.parametrize("section", ["<![CDA", "<![C[a]]>", "<![x y]>b", "<!]", "<![if gte mso 9]>c<![endif]>"])
def test_marked_sections_that_pythons_parser_does_not_know_are_passed_over(section):
    page = f"<p>Suelos</p>{section} <p>end</p>"
    assert "Suelos" in sanitise_html(page) and "Suelos" in attribution_text(page)[0]
    assert "<!" not in sanitise_html(page)


def test_marks_that_turn_the_direction_are_removed_however_they_are_written():
    assert sanitise_html("<p>a\u202eb&#8238;c&#x2066;<img alt='\u202ed'></p>") == "<p>abc[d]</p>"

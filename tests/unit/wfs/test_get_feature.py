"""GetFeature for an area: one request for each version, axes as the CRS is named, and documents of every kind."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from plugin.core.box import Box
from plugin.core.errors import UnreadableDocument
from plugin.core.wfs import FeatureType, capabilities_request, features_request, plain_collection, read_feature_type

CAPABILITIES = """<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" version="{version}">
<wfs:FeatureTypeList>
<wfs:FeatureType><wfs:Name>ms:senderos</wfs:Name><wfs:Title>Senderos</wfs:Title>
<wfs:{crs}>urn:ogc:def:crs:EPSG::25830</wfs:{crs}></wfs:FeatureType>
<wfs:FeatureType><wfs:Name>a:x</wfs:Name></wfs:FeatureType><wfs:FeatureType><wfs:Name>b:x</wfs:Name></wfs:FeatureType>
</wfs:FeatureTypeList></wfs:WFS_Capabilities>"""


def parameters(request):
    return {name: value[0] for name, value in parse_qs(urlsplit(request.url).query).items()}


@pytest.mark.parametrize(("version", "crs"), [("2.0.0", "DefaultCRS"), ("1.1.0", "DefaultSRS"), ("1.0.0", "SRS")])
def test_a_type_is_found_with_or_without_its_prefix(version, crs):
    document = CAPABILITIES.format(version=version, crs=crs).encode()
    for name in ("senderos", "ms:senderos", "other:senderos"):
        found = read_feature_type(document, name, "host")
        assert found == FeatureType(version, "ms:senderos", "Senderos", "urn:ogc:def:crs:EPSG::25830")
    for name in ("x", "nada"):
        with pytest.raises(UnreadableDocument, match="does not offer"):
            read_feature_type(document, name, "host")
    assert read_feature_type(document, "b:x").name == "b:x"


def test_each_version_has_its_own_words_and_a_urn_its_own_axes():
    urn, plain = "urn:ogc:def:crs:EPSG::4258", "EPSG:4258"
    asked = parameters(features_request("http://a.example/wfs?map=x", FeatureType("2.0.2", "ms:a", "", urn),
                                        Box(-3.6, 38.3, -3.4, 38.4), True, 11))
    assert asked == {"map": "x", "SERVICE": "WFS", "VERSION": "2.0.0", "REQUEST": "GetFeature", "TYPENAMES": "ms:a",
                     "COUNT": "11", "BBOX": f"38.3,-3.6,38.4,-3.4,{urn}"}
    asked = parameters(features_request("http://a.example/wfs", FeatureType("1.1.0", "ms:a", "", plain),
                                        Box(-3.6, 38.3, -3.4, 38.4), True, 11))
    assert (asked["TYPENAME"], asked["MAXFEATURES"], asked["BBOX"]) == ("ms:a", "11", f"-3.6,38.3,-3.4,38.4,{plain}")
    old = parameters(features_request("http://a.example/wfs", FeatureType("1.0.0", "a", "", plain),
                                      Box(1, 2, 3, 4), True, 11))
    assert old["BBOX"] == "1,2,3,4" and old["VERSION"] == "1.0.0"
    assert parameters(capabilities_request("http://a.example/wfs?SERVICE=WMS&map=x")) == {
        "map": "x", "SERVICE": "WFS", "REQUEST": "GetCapabilities"}


def test_a_collection_names_no_schema_and_no_entity():
    hostile = (b'<!DOCTYPE a><wfs:FeatureCollection '
               b'xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
               b'xsi:schemaLocation="http://a.example http://a.example/s.xsd"><wfs:member/></wfs:FeatureCollection>')
    found = plain_collection(hostile, "host")
    assert b"schemaLocation" not in found and b"DOCTYPE" not in found and b"member" in found
    entity = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><FeatureCollection>&x;</FeatureCollection>'
    for other in (entity, b"<html/>", b"<wfs:WFS_Capabilities xmlns:wfs='w'/>", b"not xml", b""):
        with pytest.raises(UnreadableDocument):
            plain_collection(other, "host")

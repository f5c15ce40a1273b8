"""Values that layers inherit, from the tables of the standards (06-042 Table 7, 01-068r3 Table 5)."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin.core.box import Box
from plugin.core.wms import read_service
from plugin.core.wms.capabilities.parser import prune_capabilities
from plugin.core.wms.model.service import BoundingBox

FIXTURES = Path(__file__).parents[1] / "fixtures" / "wms"


def tree(parent: str, child: str, version: str = "1.3.0", parent_attributes: str = "", child_attributes: str = ""):
    """(parent, child) layers of a service with one group and one layer in it."""
    root = "WMS_Capabilities" if version == "1.3.0" else "WMT_MS_Capabilities"
    space = ' xmlns="http://www.opengis.net/wms"' if version == "1.3.0" else ""
    inside = f"<Layer {child_attributes}><Name>c</Name>{child}</Layer>"
    document = (f'<{root} version="{version}"{space} xmlns:xlink="http://www.w3.org/1999/xlink"><Service/><Capability>'
                f"<Layer {parent_attributes}><Name>p</Name>{parent}{inside}</Layer></Capability></{root}>")
    service = read_service(document.encode())
    return service.layer("p"), service.layer("c")


LINK = '<OnlineResource xlink:href="http://x.example/{0}"/>'


@pytest.mark.parametrize("element", [
    "<Title>T</Title>", "<Abstract>A</Abstract>", "<KeywordList><Keyword>K</Keyword></KeywordList>",
    '<Identifier authority="a">1</Identifier>',
    f'<MetadataURL type="TC211"><Format>text/xml</Format>{LINK}</MetadataURL>',
    f"<DataURL><Format>text/xml</Format>{LINK}</DataURL>",
    f"<FeatureListURL><Format>text/xml</Format>{LINK}</FeatureListURL>",
])
def test_not_inherited(element):
    parent, child = tree(element, "")
    blank_parent, blank_child = tree("", "")
    assert parent != blank_parent
    assert child == blank_child


def test_crs_add():
    parent, child = tree("<CRS>EPSG:4326</CRS><CRS>CRS:84</CRS>", "<CRS>EPSG:25830</CRS><CRS>CRS:84</CRS>")
    assert parent.crs == ("EPSG:4326", "CRS:84")
    assert child.crs == ("EPSG:4326", "CRS:84", "EPSG:25830")


def test_an_empty_srs_of_the_root_adds_nothing():
    parent, child = tree("<SRS></SRS>", "<SRS>EPSG:4326</SRS>", "1.1.1")
    assert (parent.crs, child.crs) == ((), ("EPSG:4326",))


def test_styles_add():
    _, child = tree("<Style><Name>a</Name><Title>A</Title></Style>", "<Style><Name>b</Name><Title>B</Title></Style>")
    assert [style.name for style in child.styles] == ["a", "b"]


def test_a_style_that_a_child_redefines_against_the_rule_counts_as_the_child_describes_it():
    _, child = tree("<Style><Name>a</Name><Title>Parent</Title></Style>",
                    "<Style><Name>a</Name><Title>Child</Title></Style>")
    assert [(style.name, style.title) for style in child.styles] == [("a", "Child")]


def test_authority_urls_add():
    _, child = tree(f'<AuthorityURL name="a">{LINK}</AuthorityURL>', f'<AuthorityURL name="b">{LINK}</AuthorityURL>')
    assert [link.name for link in child.authorities] == ["a", "b"]


GEOGRAPHIC = ("<EX_GeographicBoundingBox><westBoundLongitude>{0}</westBoundLongitude>"
              "<eastBoundLongitude>{2}</eastBoundLongitude><southBoundLatitude>{1}</southBoundLatitude>"
              "<northBoundLatitude>{3}</northBoundLatitude></EX_GeographicBoundingBox>")


def test_the_geographic_box_is_inherited_or_replaced():
    _, inherits = tree(GEOGRAPHIC.format(-7, 36, -1, 39), "")
    assert inherits.geographic_bbox == Box(-7, 36, -1, 39)
    _, replaces = tree(GEOGRAPHIC.format(-7, 36, -1, 39), GEOGRAPHIC.format(-4, 38, -3, 38.5))
    assert replaces.geographic_bbox == Box(-4, 38, -3, 38.5)


def box(crs: str, minx: float, key: str = "CRS") -> str:
    return f'<BoundingBox {key}="{crs}" minx="{minx}" miny="0" maxx="9" maxy="9" resx="1" resy="2"/>'


def test_a_box_replaces_the_one_of_the_same_crs_and_adds_to_the_others():
    _, child = tree(box("EPSG:4326", 1) + box("CRS:84", 2), box("CRS:84", 3) + box("EPSG:25830", 4))
    assert child.bboxes == (BoundingBox("EPSG:4326", 1, 0, 9, 9, 1, 2), BoundingBox("CRS:84", 3, 0, 9, 9, 1, 2),
                            BoundingBox("EPSG:25830", 4, 0, 9, 9, 1, 2))


def test_boxes_before_1_3_0_name_their_srs():
    _, child = tree(box("EPSG:4326", 1, "SRS"), box("EPSG:4326", 2, "SRS"), "1.1.1")
    assert child.bboxes == (BoundingBox("EPSG:4326", 2, 0, 9, 9, 1, 2),)


def test_scale_denominators_replace_one_by_one():
    scales = "<MinScaleDenominator>100</MinScaleDenominator><MaxScaleDenominator>5000</MaxScaleDenominator>"
    assert tree(scales, "")[1].scale_range == (100, 5000)
    assert tree(scales, "<MaxScaleDenominator>2000</MaxScaleDenominator>")[1].scale_range == (100, 2000)


def test_a_scale_hint_replaces_the_whole_hint():
    _, child = tree('<ScaleHint min="1" max="10"/>', '<ScaleHint min="0" max="10"/>', "1.1.1")
    assert child.scale_range[0] is None
    assert child.scale_range[1] == pytest.approx(10 / 2 ** 0.5 / 0.00028)


def test_attribution_is_inherited_or_replaced_as_a_whole():
    owner = f"<Attribution><Title>Owner</Title>{LINK.format('o')}</Attribution>"
    assert tree(owner, "")[1].attribution.title == "Owner"
    replaced = tree(owner, "<Attribution><Title>Other</Title></Attribution>")[1].attribution
    assert (replaced.title, replaced.url) == ("Other", None)


@pytest.mark.parametrize(("attribute", "field", "value", "other", "read", "read_other"), [
    ("queryable", "queryable", "1", "0", True, False),
    ("cascaded", "cascaded", "2", "0", 2, 0),
    ("opaque", "opaque", "true", "false", True, False),
    ("noSubsets", "no_subsets", "1", "0", True, False),
    ("fixedWidth", "fixed_size", "500", "0", (500, None), (None, None)),
    ("fixedHeight", "fixed_size", "400", "300", (None, 400), (None, 300)),
])
@pytest.mark.parametrize("version", ["1.3.0", "1.1.1"])
def test_attributes_are_inherited_or_replaced(attribute, field, value, other, read, read_other, version):
    _, inherits = tree("", "", version, f'{attribute}="{value}"')
    assert getattr(inherits, field) == read
    _, replaces = tree("", "", version, f'{attribute}="{value}"', f'{attribute}="{other}"')
    assert getattr(replaces, field) == read_other


def test_dimensions_of_1_3_0_are_inherited_or_replaced_by_name():
    time = '<Dimension name="time" units="ISO8601" default="2016-06-01">2016-06-01/2016-06-30/P1D</Dimension>'
    height = '<Dimension name="elevation" units="EPSG:5030" unitSymbol="m">0,100</Dimension>'
    _, child = tree(time + height, '<Dimension name="TIME" units="ISO8601" nearestValue="1">2015</Dimension>')
    assert [(own.name, own.extent) for own in child.dimensions] == [("TIME", "2015"), ("elevation", "0,100")]
    replaced = child.dimensions[0]
    assert (replaced.default, replaced.nearest_value) == (None, True)
    assert (replaced.multiple_values, replaced.current) == (False, False)


def test_an_extent_of_1_1_1_completes_the_dimension_that_the_parent_declares():
    _, child = tree('<Dimension name="time" units="ISO8601"/>',
                    '<Extent name="time" default="2016" multipleValues="1" current="1">2010/2016/P1Y</Extent>', "1.1.1")
    (time,) = child.dimensions
    assert (time.units, time.extent, time.default, time.multiple_values, time.current, time.nearest_value) == (
        "ISO8601", "2010/2016/P1Y", "2016", True, True, False)


def test_an_inherited_extent_is_replaced_by_name():
    parent = ('<Dimension name="time" units="ISO8601"/>'
              '<Extent name="time" default="2010" multipleValues="1">2010</Extent>'
              '<Dimension name="elevation" units="EPSG:5030" unitSymbol="m"/><Extent name="elevation">0,100</Extent>')
    _, child = tree(parent, '<Extent name="time">2011</Extent>', "1.1.1")
    time, height = child.dimensions
    assert (time.units, time.extent, time.default, time.multiple_values) == ("ISO8601", "2011", None, False)
    assert (height.units, height.unit_symbol, height.extent) == ("EPSG:5030", "m", "0,100")


def test_a_dimension_declared_again_keeps_the_inherited_extent():
    parent = '<Dimension name="time" units="ISO8601"/><Extent name="time" default="2010">2010</Extent>'
    _, child = tree(parent, '<Dimension name="time" units="ISO8601"/>', "1.1.1")
    assert (child.dimensions[0].extent, child.dimensions[0].default) == ("2010", "2010")


def test_layers_that_add_nothing_share_what_they_inherit():
    parent, child = tree("<CRS>EPSG:4326</CRS>" + box("EPSG:4326", 1) + "<Style><Name>a</Name></Style>",
                         "<CRS>EPSG:4326</CRS>" + box("EPSG:4326", 1))
    assert child.crs is parent.crs
    assert child.bboxes is parent.bboxes
    assert child.styles is parent.styles


def test_layers_beside_each_other_share_equal_boxes():
    layer = f"<Layer><Name>a</Name>{box('EPSG:25830', 1)}</Layer>"
    document = (f'<WMS_Capabilities version="1.3.0"><Capability><Layer>{layer}{layer}'
                f"<Layer>{box('EPSG:25830', 2)}</Layer></Layer></Capability></WMS_Capabilities>")
    one, two, other = read_service(document.encode()).root.layers
    assert one.bboxes is two.bboxes != other.bboxes


def geographic(west: float, south: float, east: float, north: float) -> str:
    return (f"<EX_GeographicBoundingBox><westBoundLongitude>{west}</westBoundLongitude><eastBoundLongitude>{east}"
            f"</eastBoundLongitude><southBoundLatitude>{south}</southBoundLatitude><northBoundLatitude>{north}"
            "</northBoundLatitude></EX_GeographicBoundingBox>")


@pytest.mark.parametrize(("written", "read"), [
    # by a hair beyond the pole, as converted boxes are; with latitude first; beyond the antimeridian
    ((-180, -90.0000000017, 180, 90.2), (-180, -90, 180, 90)), ((36, -124.5, 47, -122), (-124.5, 36, -122, 47)),
    ((170, -20, 190, 10), (170, -20, 190, 10)),
    # what an empty layer's box is written as is none: the parent's counts
    ((-1000, -1000, -1000, -1000), (-7, 36, -1, 39)), ((1e300, 1e300, -1e300, -1e300), (-7, 36, -1, 39)),
])
def test_a_box_in_degrees_lies_on_the_earth(written, read):
    _, child = tree(geographic(-7, 36, -1, 39), geographic(*written))
    assert child.geographic_bbox == Box(*read)


@pytest.mark.parametrize("name", ["network-1.3.0.xml", "network-1.1.1.xml"])
def test_a_wanted_layer_keeps_all_that_it_inherits_and_the_others_go(name):
    document = (FIXTURES / name).read_bytes()
    whole = read_service(document)
    leaves = [layer for layer in whole.iter_layers() if layer.name and not layer.layers]
    for wanted in leaves:
        short = read_service(prune_capabilities(document, [wanted.name]))
        assert short.layer(wanted.name) == wanted
        assert [layer.name for layer in short.iter_layers() if layer.name and not layer.layers] == [wanted.name]
        assert (short.version, short.limits, short.operations) == (whole.version, whole.limits, whole.operations)


def test_a_named_group_can_be_wanted_itself():
    document = (FIXTURES / "network-1.3.0.xml").read_bytes()
    root = read_service(document).root
    short = read_service(prune_capabilities(document, [root.name])).root
    assert (short.name, short.crs, short.layers) == (root.name, root.crs, ())

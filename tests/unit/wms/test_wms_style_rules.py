"""Rules of the styles that GetStyles returns, in SLD 1.0 and SE 1.1."""

from __future__ import annotations

import pytest

from plugin.core.errors import UnreadableDocument
from plugin.core.wms.responses.style_rules import StyleRule, SymbolKind, read_style_rules

SE = b"""<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se">
<NamedLayer><se:Name>carreteras</se:Name><UserStyle><se:FeatureTypeStyle>
<se:Rule><se:Name>Autov\xc3\xada</se:Name><se:MaxScaleDenominator>130000</se:MaxScaleDenominator>
<se:LineSymbolizer/><se:TextSymbolizer/></se:Rule>
<se:Rule><se:Name> Camino </se:Name><se:Description><se:Title>Camino de tierra</se:Title></se:Description>
<se:MinScaleDenominator>1000</se:MinScaleDenominator><se:LineSymbolizer/></se:Rule>
<se:Rule><se:LineSymbolizer/></se:Rule>
</se:FeatureTypeStyle></UserStyle></NamedLayer>
<NamedLayer><se:Name>parajes</se:Name><UserStyle><se:FeatureTypeStyle>
<se:Rule><se:Name>Paraje</se:Name><se:TextSymbolizer/></se:Rule></se:FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>"""

SLD = b"""<sld:StyledLayerDescriptor version="1.0.0" xmlns:sld="http://www.opengis.net/sld">
<sld:NamedLayer><sld:Name>a</sld:Name>
<sld:UserStyle><sld:Name>red</sld:Name><sld:FeatureTypeStyle><sld:Rule><sld:Name>1</sld:Name><sld:Title>Uno</sld:Title>
<sld:PolygonSymbolizer/><sld:PointSymbolizer/></sld:Rule></sld:FeatureTypeStyle></sld:UserStyle>
<sld:UserStyle><sld:Name>blue</sld:Name><sld:FeatureTypeStyle><sld:Rule><sld:Name>2</sld:Name><sld:PointSymbolizer/>
</sld:Rule></sld:FeatureTypeStyle></sld:UserStyle>
</sld:NamedLayer></sld:StyledLayerDescriptor>"""


def test_rules_of_symbology_encoding():
    rules = read_style_rules(SE)
    assert rules["carreteras"] == (StyleRule("Autovía", "", SymbolKind.LINE, (None, 130000.0)),
                                   StyleRule("Camino", "Camino de tierra", SymbolKind.LINE, (1000.0, None)))
    assert [rule.symbol for rule in rules["parajes"]] == [SymbolKind.TEXT]


def test_rules_of_sld_1_0_and_of_one_style():
    assert [rule.name for rule in read_style_rules(SLD)["a"]] == ["1", "2"]
    assert read_style_rules(SLD, "red")["a"] == (StyleRule("1", "Uno", SymbolKind.POLYGON),)
    assert [rule.name for rule in read_style_rules(SLD, "blue")["a"]] == ["2"]
    assert [rule.name for rule in read_style_rules(SLD, "unknown")["a"]] == ["1", "2"]


@pytest.mark.parametrize(("symbolizers", "is_outline"), [
    ("<PolygonSymbolizer><Stroke/></PolygonSymbolizer>", True),
    ("<PolygonSymbolizer><Fill><CssParameter name='fill-opacity'>0.01</CssParameter></Fill></PolygonSymbolizer>"
     "<PolygonSymbolizer><Stroke/></PolygonSymbolizer>", True),
    ("<PolygonSymbolizer><Fill/><Stroke/></PolygonSymbolizer>", False),
    ("<PolygonSymbolizer><Fill><GraphicFill/><CssParameter name='fill-opacity'>0</CssParameter></Fill><Stroke/>"
     "</PolygonSymbolizer>", False),
    ("<PolygonSymbolizer/>", False), ("<LineSymbolizer><Stroke/></LineSymbolizer>", False)])
def test_areas_of_which_only_the_outline_is_seen_are_known(symbolizers, is_outline):
    sld = (f"<StyledLayerDescriptor><NamedLayer><Name>a</Name><UserStyle><FeatureTypeStyle><Rule><Name>b</Name>"
           f"{symbolizers}</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>")
    rule, = read_style_rules(sld.encode())["a"]
    assert rule.is_outline is is_outline


@pytest.mark.parametrize(("scale", "shows"), [(999, False), (1000, True), (129999, True), (130000, False)])
def test_a_rule_shows_between_its_scales(scale, shows):
    assert StyleRule("a", scale_range=(1000.0, 130000.0)).is_drawn_at(scale) is shows


def test_other_documents_hold_no_rules_and_broken_ones_are_refused():
    assert read_style_rules(b"<ServiceExceptionReport/>") == {}
    assert read_style_rules(b'<StyledLayerDescriptor xmlns="http://www.opengis.net/sld"/>') == {}
    with pytest.raises(UnreadableDocument):
        read_style_rules(b"<StyledLayerDescriptor>")

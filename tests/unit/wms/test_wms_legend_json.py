"""Classes of legends that services send as JSON (GeoServer, QGIS Server) or as the colour map of a style (SLD)."""

from __future__ import annotations

import base64
import json

import pytest

from plugin.core.errors import UnreadableDocument
from plugin.core.wms.responses.style_rules import LegendClass, SymbolKind, read_legend_json, read_style_rules

ENTRIES = [{"label": "Sin lluvia", "quantity": "0", "color": "#FFFFFF", "opacity": "0.0"},
           {"label": "", "quantity": "10", "color": "#AACCFF", "opacity": "0.5"},
           {"label": "De 10 a 50", "quantity": "50", "color": "#2244AA"}]
EXPECTED = (LegendClass("10", "#aaccff", 0.5), LegendClass("De 10 a 50", "#2244aa", 1.0))


def test_a_colour_map_of_geoserver_gives_its_visible_classes():
    document = {"Legend": [{"layerName": "rain", "rules": [{"symbolizers": [{"Raster": {"colormap": {
        "entries": ENTRIES}}}]}]}]}
    assert read_legend_json(json.dumps(document).encode()) == EXPECTED


def test_icons_of_qgis_server_are_read_from_all_depths():
    icon = base64.b64encode(b"\x89PNG").decode()
    document = {"title": "", "nodes": [{"type": "group", "title": "g", "nodes": [
        {"type": "layer", "title": "Ríos", "icon": icon},
        {"type": "layer", "title": "Usos", "symbols": [{"title": "Bosque", "icon": icon},
                                                       {"title": "roto", "icon": "%%"}]}]}]}
    assert [(one.label, one.icon) for one in read_legend_json(json.dumps(document).encode())] == [
        ("Ríos", b"\x89PNG"), ("Bosque", b"\x89PNG")]


@pytest.mark.parametrize("value", [[], {}, {"Legend": 1}, {"Legend": [{"rules": [{"symbolizers": [{"Raster": []}]}]}]},
                                   {"nodes": [1, {"symbols": "x"}]}])
def test_other_json_has_no_classes(value):
    assert read_legend_json(json.dumps(value).encode()) == ()


def test_what_is_no_json_is_refused():
    with pytest.raises(UnreadableDocument):
        read_legend_json(b"<ServiceExceptionReport/>")


def test_the_colour_map_of_a_style_needs_no_name_of_its_rule():
    entries = "".join(f'<ColorMapEntry color="{one["color"]}" quantity="{one["quantity"]}" label="{one["label"]}"'
                      f'{(" opacity=" + chr(34) + one["opacity"] + chr(34)) if "opacity" in one else ""}/>'
                      for one in ENTRIES)
    data = (f"<StyledLayerDescriptor xmlns='http://www.opengis.net/sld'><NamedLayer><Name>rain</Name><UserStyle>"
            f"<FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap>{entries}</ColorMap></RasterSymbolizer></Rule>"
            "</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>").encode()
    rule, = read_style_rules(data)["rain"]
    assert rule.symbol is SymbolKind.RASTER and rule.classes == EXPECTED

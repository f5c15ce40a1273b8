"""Larger symbols for papers that are read from afar: the resolution in an address, and the scales of layers."""

from __future__ import annotations

import pytest

from plugin.core.wms.requests.symbol_size import layer_symbol_factor, with_larger_symbols

SENT = ("http://maps.example/ows?MAP=a&SERVICE=WMS&REQUEST=GetMap&WIDTH=100&DPI=150&MAP_RESOLUTION=150"
        "&FORMAT_OPTIONS=dpi:150&TRANSPARENT=TRUE")


def test_each_servers_parameter_has_the_larger_resolution_and_nothing_else_changes():
    assert with_larger_symbols(SENT, 2.0) == SENT.replace("150", "300")
    assert with_larger_symbols(SENT.replace("dpi:", "dpi%3A"), 2.8) == SENT.replace("150", "420").replace(
        "dpi:", "dpi%3A")
    assert with_larger_symbols(SENT, 1.0) == SENT
    other = "http://maps.example/ows?REQUEST=GetMap&MYDPI=150&WIDTH=150"
    assert with_larger_symbols(other, 2.0) == other


@pytest.mark.parametrize(("stated", "factor", "sent"), [(400, 2.8, 1000), (1200, 2.0, 1200), (300, 2.8, 840)])
def test_no_more_is_asked_for_than_servers_take(stated, factor, sent):
    assert with_larger_symbols(f"http://a.example/?DPI={stated}", factor) == f"http://a.example/?DPI={sent}"


@pytest.mark.parametrize(("scale", "smallest", "factor"), [
    (25_000, None, 2.8), (10_000, 60_000, 2.8), (30_000, 60_000, 1.98), (58_000, 60_000, 1.0), (80_000, 60_000, 1.0)])
def test_a_layer_that_is_drawn_is_still_drawn(scale, smallest, factor):
    found = layer_symbol_factor(2.8, scale, (None, smallest))
    assert found == pytest.approx(factor)
    assert found == 1.0 or smallest is None or scale * found < smallest

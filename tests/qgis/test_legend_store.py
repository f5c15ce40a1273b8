"""Bounds of what is kept of legends for the pictures of pages and the rows of the map."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtGui import QImage

from plugin.core.errors import CartoguideError
from plugin.core.request import Response
from plugin.gis.legends import legend_store as legend_store
from plugin.gis.legends.legend_graphics import FetchedLegends, legend_key
from plugin.gis.legends.legend_nodes import Swatch
from tests.qgis.print_maps import composed

#: bytes of a large graphic: 2,000 × 1,000 pixels
GRAPHIC = 8_000_000


@pytest.fixture
def plans(network, qgis_app):
    return composed(network, QgsProject.instance()).plan.layers


def page(plans, pixels):
    image = QImage(pixels, 1000, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    return FetchedLegends({legend_key(plans[0]): (Swatch(image, 10.0, 5.0, is_whole_graphic=True),)})


def test_graphics_of_many_pages_are_kept_within_bounds(plans):
    memory, kept = legend_store.LegendStore(), []
    for number in range(40):
        legends = page(plans, 2000)
        kept += [weakref.ref(swatch) for swatches in legends.swatches.values() for swatch in swatches]
        memory.remember(plans, 10_000.0 + number, legends)
    del legends
    gc.collect()
    alive = [swatch() for swatch in kept if swatch() is not None]
    assert alive and len(alive) * GRAPHIC <= 32_000_000
    assert memory.find(plans, 10_039.0) is not None


def test_one_page_is_kept_whatever_its_size_and_small_ones_by_their_number(plans):
    memory = legend_store.LegendStore()
    memory.remember(plans, 5_000.0, page(plans, 10_000))
    assert memory.find(plans, 5_000.0) is not None
    for number in range(40):
        memory.remember(plans, 10_000.0 + number, page(plans, 10))
    assert memory.find(plans, 5_000.0) is None
    found = [number for number in range(40) if memory.find(plans, 10_000.0 + number) is not None]
    assert 4 <= len(found) <= 16 and found == list(range(40 - len(found), 40))


def test_a_row_without_a_legend_is_not_due_again_at_once_and_those_of_rows_are_kept_within_bounds(plans):
    store, key = legend_store.LegendStore(), legend_key(plans[0])
    assert store.is_due(key)
    store.remember_layers(plans[:1], FetchedLegends())
    assert not store.is_due(key) and store.known(key) is None
    store.remember_layers(plans[:1], page(plans, 10))
    assert not store.is_due(key) and len(store.known(key)) == 1
    others = [replace(plans[0], source=replace(plans[0].source, address=f"http://127.0.0.1:9/{number}?"))
              for number in range(4)]
    for other in others:
        store.remember_layers([other], FetchedLegends({legend_key(other): page(plans, 2000).swatches[key]}))
    assert store.known(key) is None and store.is_due(key) and store.known(legend_key(others[-1])) is not None


@pytest.mark.parametrize("fails", [True, False])
def test_failures_and_empty_responses_are_kept_within_bounds(plans, monkeypatch, fails):
    made = []

    def send(request):
        outcome = CartoguideError("It is down.") if fails else Response(200, {}, b"", request.url)
        made.append(weakref.ref(outcome))
        if fails:
            raise outcome
        return outcome

    monkeypatch.setattr(legend_store, "legend_request_sender", lambda plans, feedback: send)
    monkeypatch.setattr(legend_store, "_MAX_RESPONSES", 40)
    memory = legend_store.LegendStore()
    for number in range(60):
        memory.fetch([replace(plan, source=replace(plan.source, address=f"http://127.0.0.1:9/{number}?"))
                      for plan in plans], 10_000.0, None)
    gc.collect()
    assert len(made) >= 60
    assert 1 <= sum(outcome() is not None for outcome in made) <= 50
    assert memory is not None

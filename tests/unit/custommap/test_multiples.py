"""Small multiples: one small map for each moment, the other layers on all of them, one legend for all."""

from __future__ import annotations

from datetime import date

from plugin.core.custommap.model import LayerPlan, Plan
from plugin.core.custommap.multiples import legend_plans, multiples


def rain(day, visible=True):
    return LayerPlan("http://a.invalid/wms?", f"lluvia_201606{day:02d}", "", "image/png", "EPSG:25830",
                     f"Lluvia, {day} de junio de 2016", service_title="Lluvia, junio de 2016", visible=visible, entry=1)


def other(name, role="overlay", entry=0):
    return LayerPlan("http://b.invalid/wms?", name, "", "image/png", "EPSG:25830", name, role=role, entry=entry)


def test_days_are_shared_out_in_time_whatever_their_order_and_the_rest_is_on_every_map():
    plan = Plan("", "EPSG:25830", (other("relieve", "base"), rain(3), rain(1), rain(2), rain(4, False), other("red")))
    found = multiples(plan)
    assert [panel.day for panel in found.panels] == [date(2016, 6, day) for day in (1, 2, 3)]
    assert [panel.layers for panel in found.panels] == [(0, 2, 5), (0, 3, 5), (0, 1, 5)], "bottom first, as in the plan"
    legends = legend_plans(plan)
    assert [layer.title for layer in legends] == ["relieve", "Lluvia, junio de 2016", "red"]


def test_without_a_series_each_overlay_has_a_map_on_the_base():
    plan = Plan("", "EPSG:25830", (other("relieve", "base"), other("pinos", entry=1), other("encinas", entry=1)))
    found = multiples(plan)
    assert [(panel.title, panel.day, panel.layers) for panel in found.panels] == [
        ("pinos", None, (0, 1)), ("encinas", None, (0, 2))]
    assert legend_plans(plan) == plan.layers
    assert multiples(Plan("", "EPSG:25830", ())).panels == ()

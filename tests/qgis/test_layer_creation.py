"""Planned layers become complete QGIS layers off the main thread, and every missing one is reported."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from qgis.core import (
    QgsExpression,
    QgsExpressionContext,
    QgsLayoutItemMap,
    QgsPrintLayout,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QThread, QTimer

from plugin.core.box import Box
from plugin.core.custommap.document import read_document
from plugin.core.custommap.model import LayerPlan, MapRole, Plan
from plugin.core.errors import CartoguideError
from plugin.core.sources.layer_source import WmsSource
from plugin.core.terms.model import Decision
from plugin.core.wms.model.service import in_scale_range
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.credits.layer_metadata import set_scale_range
from plugin.gis.layers import wms_layers
from plugin.gis.layers.project_group import AlreadyInProject, ExistingGroup, add_to_project, find_group
from plugin.gis.runtime import compat, settings, tasks
from plugin.gis.services.service_cache import ServiceCache
from plugin.gis.sources import layer_source
from plugin.gis.sources.wms import layer_uri
from tests.qgis.algorithm_runs import registered_provider, run, use_network
from tests.slowness import LoopWatch

CREDIT = "Consejería de Sostenibilidad y Medio Ambiente. Junta de Andalucía, Equipamientos, 2014"


def layer_plan(network, name, endpoint="facilities", **changes) -> LayerPlan:
    made = LayerPlan(WmsSource(address=network.endpoints[endpoint], name=name, style="", format="image/png",
                               crs="EPSG:25830"),
                     title=name.replace("_", " ").capitalize(), service_title=endpoint, rights=(CREDIT,))
    of_source = {name: changes.pop(name) for name in list(changes) if name in WmsSource.__dataclass_fields__}
    return replace(made, source=replace(made.source, **of_source), **changes)


def plan_of(*layer_plans, title="Mapa de prueba") -> Plan:
    return Plan(title=title, crs="EPSG:25830", layers=tuple(layer_plans))


@pytest.fixture
def build(qgis_app, wait_until):
    """Build a plan as the window does; the result."""
    def run(plan, cache=None, seconds=30):
        results, errors = [], []
        wms_layers.start_making_layers(plan, results.append, errors.append, cache=cache or ServiceCache())
        wait_until(lambda: results or errors, seconds)
        assert errors == []
        return results[0]

    yield run
    tasks.shutdown()


def test_fifteen_layers_of_a_service_need_one_capabilities_request(network, build):
    names = ["aparcamientos", "fuentes", "kioscos", "miradores", "Áreas_recreativas"]
    built = build(plan_of(*(layer_plan(network, name) for name in names * 3)))
    assert not built.failures
    assert [plan.name for plan, _ in built.layers] == names * 3
    assert all(layer.isValid() for _, layer in built.layers)
    assert all(layer.clone().isValid() for _, layer in built.layers)
    assert network.count("GetCapabilities") == 1


def test_layers_live_in_the_main_thread_and_draw_nothing_before_they_are_added(network, build, project):
    built = build(plan_of(layer_plan(network, "miradores")))
    layer = built.layers[0][1]
    assert layer.thread() == layer.dataProvider().thread() == QThread.currentThread()
    assert project.mapLayers() == {}
    assert network.count("GetMap") == 0


def test_a_dead_service_is_named_and_the_others_are_there(network, build):
    network.fault({"match": {"endpoint": "guide"}, "action": {"type": "status", "code": 500}})
    built = build(plan_of(layer_plan(network, "limite_parque", "guide"), layer_plan(network, "miradores")))
    assert [plan.name for plan, _ in built.layers] == ["miradores"]
    assert [failure.plan.name for failure in built.failures] == ["limite_parque"]
    assert built.failures
    said = built.failures[0].error.user_text
    assert "Limite parque" in said and "guide" in said


def test_a_map_of_which_nothing_can_be_made_says_why(network, build, project):
    network.fault({"match": {"endpoint": "guide"}, "action": {"type": "status", "code": 500}})
    plan = plan_of(layer_plan(network, "limite_parque", "guide"), layer_plan(network, "no_such_layer"),
                   layer_plan(network, "limite_parque", "guide"))
    built = build(plan)
    with pytest.raises(CartoguideError) as refused:
        add_to_project(plan, built, project)
    said = refused.value.user_text
    assert said.startswith("None of the layers of “Mapa de prueba” could be created. ")
    for failure in built.failures:
        assert said.count(failure.error.user_text) == 1 and failure.error.user_text in refused.value.detail
    assert "500" in said and "no longer offers" in said
    assert project.mapLayers() == {} and find_group("Mapa de prueba", project) is None


@pytest.mark.parametrize(("name", "address"), [
    ("carreteras", ""), ("WMS", "&amp;request=GetCapabilities&amp;layers=carreteras")])
def test_a_map_of_a_dataset_s_record_has_the_layer_that_its_link_names(network, monkeypatch, tmp_path, name, address):
    written = network.dataset_record.read_text("utf-8")
    endpoint = network.endpoints["guide"]
    assert endpoint in written and "WMS Mapa guía del Parque Natural Despeñaperros, 2014" in written
    record = tmp_path / "roads.xml"
    mark = "" if not address else address if "?" in endpoint else address.replace("&amp;", "?", 1)
    record.write_text(written.replace(f"{endpoint}<", f"{endpoint}{mark}<").replace(
        "WMS Mapa guía del Parque Natural Despeñaperros, 2014", name), "utf-8")
    use_network(network, monkeypatch)
    with registered_provider():
        run("buildcustommap", {"FILES": [str(record)], "DOCUMENT": str(tmp_path / "m.custommap.json")})
    document = read_document((tmp_path / "m.custommap.json").read_bytes(), "m")
    assert document.base.layers == ("carreteras",)


def test_no_parameter_of_an_address_that_is_a_request_s_is_sent_twice(network, build):
    address = network.endpoints["facilities"].rstrip("?&")
    address += ("&" if "?" in address else "?") + (
        "service=WMS&request=GetCapabilities&layers=kioscos&STYLES=&CRS=EPSG:4326&format=image/gif&vendor=1")
    layer = build(plan_of(layer_plan(network, "miradores", address=address,
                                     ignore_operation_addresses=True))).layers[0][1]
    assert "kioscos" not in layer.source()
    network.reset()
    assert layer.dataProvider().block(1, layer.extent(), 100, 80).isValid()
    sent = [request["query"] for request in network.requests if request["request"] == "GetMap"]
    assert sent
    for query in sent:
        names = [part.partition("=")[0].upper() for part in query.split("&") if part]
        assert len(names) == len(set(names)) and "miradores" in query and "kioscos" not in query
        assert "vendor=1" in query


@pytest.mark.parametrize(("changes", "words"), [
    ({"name": "no_such_layer"}, "no longer offers"),
    ({"style": "no_such_style"}, "no_such_style"),
    ({"crs": "EPSG:2154"}, "EPSG:2154"),
])
def test_what_the_service_does_not_offer_is_refused_in_words(network, build, changes, words):
    built = build(plan_of(layer_plan(network, **{"name": "miradores", **changes}), layer_plan(network, "kioscos")))
    assert [plan.name for plan, _ in built.layers] == ["kioscos"]
    assert words in built.failures[0].error.user_text


def test_a_layer_knows_all_that_the_plan_knows(network, build):
    plan = layer_plan(
        network, "miradores", title="Miradores", abstract="Lugares con vistas", role=MapRole.OVERLAY,
        record_id="a" * 40, keywords=("uso público", "miradores"), licences=("CC BY 4.0",), fees="Gratuito",
        contacts=({"organisation": "Junta de Andalucía", "email": "a@b.invalid", "role": "pointOfContact"},),
        constraints=(("access", "otherRestrictions"), ("use", "Citar la fuente")), credit_required=Decision.YES,
        links=({"url": "http://a.invalid/ficha", "name": "Ficha", "protocol": "WWW:LINK-1.0-http--link"},),
        extent=Box(-3.6, 38.3, -3.4, 38.5), scale_range=(5000.0, 100000.0), opacity=0.4,
        legend_url="http://a.invalid/legend.png", attribution_url="http://a.invalid/", feature_info_format="text/html")
    layer = build(plan_of(plan)).layers[0][1]
    known = layer.metadata()
    assert (layer.name(), known.title(), known.abstract()) == ("Miradores", "Miradores", "Lugares con vistas")
    assert known.identifier() == "a" * 40
    assert known.keywords()["keywords"] == ["uso público", "miradores"]
    assert (known.rights(), known.licenses(), known.fees()) == ([CREDIT], ["CC BY 4.0"], "Gratuito")
    assert [(item.type, item.constraint) for item in known.constraints()] == list(plan.constraints)
    contact = known.contacts()[0]
    assert (contact.organization, contact.email, contact.role) == (
        "Junta de Andalucía", "a@b.invalid", "pointOfContact")
    assert [(link.name, link.url) for link in known.links()] == [("Ficha", "http://a.invalid/ficha")]
    bounds = known.extent().spatialExtents()[0].bounds
    assert (bounds.xMinimum(), bounds.yMaximum()) == (-3.6, 38.5)
    assert known.crs().authid() == "EPSG:25830"
    assert (compat.attribution(layer), compat.attribution_url(layer)) == (CREDIT, "http://a.invalid/")
    assert layer.opacity() == pytest.approx(0.4)
    assert layer.customProperty("identify/format") == "Html"
    assert [layer.isInScaleRange(scale) for scale in (4000, 6000, 90000, 110000)] == [False, True, True, False]


@pytest.mark.parametrize("noise", [-1e-9, -1e-15, 0.0, 1e-15, 1e-9])
@pytest.mark.parametrize("limits", [(120_000.0, None), (None, 120_000.0), (5_000.0, 120_000.0)])
def test_a_scale_on_a_limit_is_drawn_as_the_issues_say_whatever_its_last_digits_are(limits, noise):
    layer = QgsVectorLayer("Point?crs=EPSG:25830", "Rivers", "memory")
    set_scale_range(layer, *limits)
    for scale in (5_000.0, 120_000.0):
        shown = scale * (1 + noise)
        assert layer.isInScaleRange(shown) is in_scale_range(limits, shown) is in_scale_range(limits, scale), shown
    assert in_scale_range(limits, 120_000.0) is (limits[1] is None), "06-042, 7.2.4.6.9"


def test_an_open_scale_range_shows_at_every_scale_and_half_open_ones_at_one_end(network, build):
    free, far = (layer for _, layer in build(plan_of(
        layer_plan(network, "miradores"),
        layer_plan(network, "nombres_equipamientos", scale_range=(None, 40000.0)))).layers)
    assert not free.hasScaleBasedVisibility()
    assert [far.isInScaleRange(scale) for scale in (1, 39000, 41000)] == [True, True, False]


def test_the_expression_of_layouts_finds_the_credit(network, build, project):
    add_to_project(*_planned_and_built(build, plan_of(layer_plan(network, "miradores"))), project)
    layout = QgsPrintLayout(project)
    item = QgsLayoutItemMap(layout)
    item.setId("map")
    layout.addLayoutItem(item)
    context: QgsExpressionContext = layout.createExpressionContext()
    assert QgsExpression("map_credits('map')").evaluate(context) == [CREDIT]


def test_a_saved_project_still_knows_the_terms(network, build, project, tmp_path):
    plan = plan_of(layer_plan(network, "miradores", record_id="b" * 40, credit_required=Decision.YES,
                              role=MapRole.BASE))
    add_to_project(*_planned_and_built(build, plan), project)
    path = str(tmp_path / "map.qgz")
    assert project.write(path)
    other = QgsProject()
    assert other.read(path)
    layer = next(iter(other.mapLayers().values()))
    assert layer.isValid()
    assert layer_credit(layer) == CREDIT
    assert compat.attribution(layer) == CREDIT
    assert [
        layer.customProperty(name)
        for name in (layer_source.RECORD_ID, layer_source.ENDPOINT, layer_source.CREDIT,
                     layer_source.CREDIT_REQUIRED, layer_source.ROLE)
    ] == ["b" * 40, network.endpoints["facilities"], CREDIT, "yes", "base"]
    assert find_group(plan.title, other) is not None


def test_one_group_with_the_base_below_and_the_first_layer_at_the_bottom(network, build, project):
    plan = plan_of(layer_plan(network, "miradores", visible=False), layer_plan(network, "kioscos"),
                   layer_plan(network, "limite_parque", "guide", role=MapRole.BASE))
    group = add_to_project(*_planned_and_built(build, plan), project)
    nodes = group.findLayers()
    assert [node.layer().customProperty(layer_source.LAYER_NAME)
            for node in nodes] == ["kioscos", "miradores", "limite_parque"]
    assert [node.itemVisibilityChecked() for node in nodes] == [True, False, True]
    assert project.layerTreeRoot().children() == [group]
    assert len(project.mapLayers()) == 3


def test_a_map_is_not_added_twice_by_accident_and_replacing_keeps_its_place(network, build, project):
    plan = plan_of(layer_plan(network, "miradores"))
    add_to_project(*_planned_and_built(build, plan), project)
    project.layerTreeRoot().insertGroup(0, "above")
    with pytest.raises(AlreadyInProject):
        add_to_project(*_planned_and_built(build, plan), project)
    assert len(project.mapLayers()) == 1
    add_to_project(*_planned_and_built(build, plan), project, existing=ExistingGroup.REPLACE)
    assert [node.name() for node in project.layerTreeRoot().children()] == ["above", plan.title]
    assert len(project.mapLayers()) == 1
    add_to_project(*_planned_and_built(build, plan), project, existing=ExistingGroup.KEEP)
    assert len(project.mapLayers()) == 2


def test_cancelling_leaves_nothing_behind(network, qgis_app, wait_until):
    network.fault({"match": {"request": "GetCapabilities"}, "action": {"type": "hang", "seconds": 30}})
    results = []
    job = wms_layers.start_making_layers(plan_of(layer_plan(network, "miradores")), results.append, results.append,
                                         cache=ServiceCache())
    ended = []
    job.ended.connect(lambda: ended.append(time.monotonic()))
    QTimer.singleShot(300, lambda: (ended.append(-time.monotonic()), job.cancel()))
    wait_until(lambda: len(ended) == 2)
    assert sum(ended) < 20, "the server is silent for half a minute"
    assert results == []


def test_the_window_is_never_held_whatever_the_server_does(network, qgis_app, wait_until):
    """Hung, dripping and slow servers; 50 layers: no wait for a server is a wait of the window.

    How long its own work holds the window is measured by the benchmarks. Best of three.
    """
    settings.set("retries", 0)
    slow = plan_of(*(layer_plan(network, name, "guide") for name in ("limite_parque", "carreteras") * 25))
    for action in ({"type": "delay", "seconds": 1.5}, {"type": "hang", "seconds": 10},
                   {"type": "drip", "seconds": 0.05}):
        network.fault({"match": {"request": "GetCapabilities"}, "action": action})
        if action["type"] != "delay":
            settings.set("first_byte_timeout", 1.5)
            settings.set("total_timeout", 2.0)
        assert any(_longest_hold(slow, wait_until, made=action["type"] == "delay") < 1.2 for _ in range(3)), action


def _longest_hold(plan, wait_until, made):
    """Seconds that the event loop was held at most while the plan's layers were made."""
    watch, results, timer = LoopWatch(0.005), [], QTimer()
    timer.timeout.connect(watch.tick)
    timer.start(5)
    wms_layers.start_making_layers(plan, results.append, results.append, cache=ServiceCache())
    wait_until(lambda: results)
    timer.stop()
    assert len(results[0].layers) == (50 if made else 0)
    assert len(results[0].failures) == (0 if made else 50)
    return watch.longest


def _planned_and_built(build, plan):
    return plan, build(plan)


def test_a_source_string_can_be_read_by_the_provider_again(qgis_app):
    uri = layer_uri(WmsSource(
        "http://a.invalid/w?map=/a b&language=spa&", "Vehículos_contra_incendios", "", "image/png; mode=8bit",
        "EPSG:3042", ignore_operation_addresses=True, max_width=1024, max_height=4096))
    assert "contextualWMSLegend" not in uri
    assert "dpiMode=7" in uri and "IgnoreReportedLayerExtents=1" in uri
    assert "IgnoreGetMapUrl=1" in uri and "IgnoreGetFeatureInfoUrl=1" in uri
    assert "maxWidth=684" in uri and "maxHeight" not in uri, "with room for a margin"
    layer = QgsRasterLayer(uri.replace("a.invalid", "127.0.0.1:9"), "", "wms")
    assert not layer.isValid()

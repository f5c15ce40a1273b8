"""Entries of custom maps carry the credit of their record."""

from dataclasses import replace

import pytest

from plugin.core.custommap.map_entries import LinkedLayers, entry_from_record, linked_layers
from plugin.core.custommap.model import BlendMode, CustomMap
from plugin.core.custommap.planner import default_map_title
from plugin.core.custommap.time_selection import SERIES_OPACITY, with_blended_series
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record, ResourceKind
from plugin.core.terms import terms_for
from plugin.core.wms.model.service import Dimension, Layer, Service, Style

MAP = "https://x.org/mapserv?map=/a.map"
SERVED = Service("1.3.0", root=Layer("all", "Everything", layers=(
    Layer("a", "Roads", styles=(Style("red"),)), Layer("b", "Ríos"), Layer("c,d"),
    Layer("g", "Group", layers=(Layer("e"), Layer(None, "Inner", layers=(Layer("f"),)))),
    Layer("t", dimensions=(Dimension("time", "ISO8601", extent="2016-06-01/2016-06-30/P1D", default="2016-06-30"),)))))


def test_an_entry_keeps_the_credit_of_its_record():
    record = Record("x", id="r", title="Guía 2014", online=(OnlineResource("https://x.org/wms?", "OGC:WMS"),),
                    other_constraints=(Constraint("CC BY 4.0"),), contacts=(Contact(organisation="Junta"),))
    entry = entry_from_record(record, terms_for(record), ["ríos"], [""])
    assert (entry.endpoint, entry.record_id, entry.layers) == ("https://x.org/wms?", "r", ("ríos",))
    assert (entry.credit.line, entry.credit.required, entry.credit.licence) == (
        "Junta, Guía 2014, CC BY 4.0", "yes", "CC-BY-4.0")
    assert entry.credit.licence_url == "https://creativecommons.org/licenses/by/4.0/"
    assert entry_from_record(Record("x", title="no service"), terms_for(record)) is None
    day = entry_from_record(record, terms_for(record), ["d1"], moment="2016-06-01")
    alone, above = with_blended_series(CustomMap(overlays=(day, day))).entries
    assert (alone.moment, alone.blend, alone.opacity) == ("2016-06-01", BlendMode.NORMAL, 1.0)
    assert (above.moment, above.blend, above.opacity) == ("2016-06-01", BlendMode.MULTIPLY, SERIES_OPACITY)
    assert with_blended_series(CustomMap(base=entry, overlays=(entry,))).entries == (entry, entry)


@pytest.mark.parametrize(("address", "name", "expected"), [
    (MAP, "b", ["b"]), (MAP, "a,b", ["a", "b"]), (MAP, "b, a", ["b", "a"]), (MAP, "c,d", ["c,d"]),
    (MAP, "RIOS", ["b"]), (MAP, "g", ["e", "f"]), (MAP, "all", []), (MAP, "Web Map Service", []), (MAP, None, []),
    (MAP, "b,zz", ["b"]), (f"{MAP}&layers=b&styles=&request=GetCapabilities&service=WMS", None, ["b"]),
    (f"{MAP}&LAYERS=a,b", "a", ["a", "b"]),
    ("https://x.org/mapserv?map=/other.map", "b", [])])
def test_a_dataset_s_link_names_its_layers(address, name, expected):
    record = Record("x", kind=ResourceKind.DATASET, online=(OnlineResource(address, "OGC:WMS", name),))
    assert list(linked_layers(record, MAP, SERVED).names) == expected
    service = Record("x", kind=ResourceKind.SERVICE, online=(OnlineResource(address, "OGC:WMS", name),))
    assert linked_layers(service, MAP, SERVED) == LinkedLayers()


@pytest.mark.parametrize(("name", "missing"), [
    ("zz", ("zz",)), ("ms:zz", ("ms:zz",)), ("b,zz", ("zz",)), ("zz,yy", ("zz", "yy")), ("b", ()), ("all", ()),
    ("Mapa de ríos", ()), ("WMS_Rios", ()), ("OGC:WMS", ()), ("view", ()), ("GetCapabilities", ()), ("2014", ()),
    (None, ())])
def test_a_link_that_is_called_like_a_layer_which_the_service_lacks_is_told(name, missing):
    record = Record("x", kind=ResourceKind.DATASET, online=(OnlineResource(MAP, "OGC:WMS", name),))
    found = linked_layers(record, MAP, SERVED)
    assert found.missing == missing and all(one in found.note for one in missing)
    assert ("All of its layers" in found.note) == bool(missing and not found.names)
    other = replace(record, online=(*record.online, OnlineResource(MAP, "OGC:WMS", "a")))
    assert "a" in linked_layers(other, MAP, SERVED).names
    assert linked_layers(replace(record, kind=ResourceKind.SERVICE), MAP, SERVED).missing == ()


@pytest.mark.parametrize("kind", [ResourceKind.SERVICE, ResourceKind.DATASET])
@pytest.mark.parametrize(("query", "expected"), [
    ("LAYERS=a,b&STYLES=red,&TIME=2016-06-05", LinkedLayers(("a", "b"), ("red", ""))),
    ("layers=b%2Ca&styles=%2Cred", LinkedLayers(("b", "a"), ("", "red"))),
    ("Layers=b,a&Styles=red", LinkedLayers(("b", "a"), ("", ""))),
    ("layers=t&TIME=2016-06-05", LinkedLayers(("t",), ("",), "2016-06-05")),
    ("layers=t&TIME=2016-06-05/2016-06-09", LinkedLayers(("t",), ("",), "2016-06-05")),
    ("layers=t&TIME=current", LinkedLayers(("t",), ("",))),
    ("layers=t&TIME=2019", LinkedLayers(("t",), ("",), missing_time="2019")),
    ("layers=t&TIME=<script>", LinkedLayers(("t",), ("",), missing_time="<script>")),
    ("layers=g&styles=red", LinkedLayers(("e", "f"), ("", ""))),
    ("layers=c%2Cd", LinkedLayers(("c,d",), ("",))),
    ("layers=a,zz", LinkedLayers(("a",), ("",), None, ("zz",))),
    ("layers=zz,yy", LinkedLayers(missing=("zz", "yy"))),
    ("layers=all", LinkedLayers()), ("layers=", LinkedLayers()),
    ("service=WMS&request=GetMap&layer=a", LinkedLayers(("a",), ("",)))])
def test_the_address_of_a_link_names_layers_with_styles_and_a_moment(kind, query, expected):
    address = f"{MAP}&{query}"
    record = Record("x", kind=kind, online=(OnlineResource(address, "OGC:WMS"),))
    assert linked_layers(record, address, SERVED) == expected
    # pasted, where the record is that of the capabilities
    assert linked_layers(Record("x", kind=kind), address, SERVED) == expected
    assert all(name in expected.note for name in (*expected.missing, expected.missing_time))
    assert bool(expected.note) == bool(expected.missing or expected.missing_time)
    if expected.missing and not expected.names:
        assert "All of its layers" in expected.note


@pytest.mark.parametrize(("titles", "expected"), [
    (["WMS Mapa guía del Parque Natural Despeñaperros. 2014"], "Parque Natural Despeñaperros"),
    (["Lluvia diaria", "Senderos del Parque Natural de las Sierras de Tejeda, Almijara y Alhama: WMS"],
     "Parque Natural de las Sierras de Tejeda"),
    (["Mapa del Parque Natural Cabo de Gata-Níjar y su entorno"], "Parque Natural Cabo de Gata-Níjar"),
    (["Trails of Snowdon National Park (WMS)"], "Snowdon National Park"),
    (["Precipitación total diaria. Junio de 2016"], "Precipitación total diaria. Junio de 2016"),
    (["Servicio WMS de equipamientos de uso público"], "Equipamientos de uso público"),
    (["Usos del suelo (WMS)"], "Usos del suelo"), (["WMS"], "Mapa personalizado"),
    (["NODO_lluvia diaria"], "Mapa personalizado"), (["https://example.org/a b"], "Mapa personalizado"),
    (["Equipamientos de uso público de Andalucía", "parque natural"], "Mapa personalizado"),
    ([], "Mapa personalizado"), (["A" + " Aa" * 100_000], "Mapa personalizado"),
])
def test_a_map_without_a_title_is_called_after_its_park_or_its_only_service_in_its_language(titles, expected):
    assert default_map_title(titles, "es") == expected
    assert default_map_title(titles, "en") == expected.replace("Mapa personalizado", "Custom map")

"""Entries of custom maps carry the credit of their record."""

import pytest

from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.custommap.planner import linked_layers
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record, ResourceKind
from plugin.core.terms import terms_for
from plugin.core.wms.model.service import Layer, Service

MAP = "https://x.org/mapserv?map=/a.map"
SERVED = Service("1.3.0", root=Layer("all", "Everything", layers=(Layer("a", "Roads"), Layer("b", "Ríos"), Layer("c,d"),
    Layer("g", "Group", layers=(Layer("e"),)))))


def test_an_entry_keeps_the_credit_of_its_record():
    record = Record("x", id="r", title="Guía 2014", online=(OnlineResource("https://x.org/wms?", "OGC:WMS"),),
                    other_constraints=(Constraint("CC BY 4.0"),), contacts=(Contact(organisation="Junta"),))
    entry = entry_from_record(record, terms_for(record), ["ríos"], [""], opacity=0.4)
    assert (entry.endpoint, entry.record_id, entry.layers, entry.opacity) == ("https://x.org/wms?", "r", ("ríos",), 0.4)
    assert (entry.credit.line, entry.credit.required, entry.credit.licence) == (
        "Junta, Guía 2014, CC BY 4.0", "yes", "CC-BY-4.0")
    assert entry.credit.licence_url == "https://creativecommons.org/licenses/by/4.0/"
    assert entry_from_record(Record("x", title="no service"), terms_for(record)) is None


@pytest.mark.parametrize(("address", "name", "expected"), [
    (MAP, "b", ["b"]), (MAP, "a,b", ["a", "b"]), (MAP, "b, a", ["b", "a"]), (MAP, "c,d", ["c,d"]),
    (MAP, "RIOS", ["b"]), (MAP, "g", ["g"]), (MAP, "all", []), (MAP, "Web Map Service", []), (MAP, None, []),
    (MAP, "b,zz", ["b"]), (f"{MAP}&layers=b&styles=&request=GetCapabilities&service=WMS", None, ["b"]),
    (f"{MAP}&LAYERS=a,b", "a", ["a", "b"]),
    ("https://x.org/mapserv?map=/other.map", "b", [])])
def test_a_dataset_s_link_names_its_layers(address, name, expected):
    record = Record("x", kind=ResourceKind.DATASET, online=(OnlineResource(address, "OGC:WMS", name),))
    assert linked_layers(record, MAP, SERVED) == expected
    service = Record("x", kind=ResourceKind.SERVICE, online=(OnlineResource(address, "OGC:WMS", name),))
    assert linked_layers(service, MAP, SERVED) == []

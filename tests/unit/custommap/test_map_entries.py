"""Entries of custom maps carry the credit of their record."""

from plugin.core.custommap.map_entries import entry_from_record
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record
from plugin.core.terms import terms_for


def test_an_entry_keeps_the_credit_of_its_record():
    record = Record("x", id="r", title="Guía 2014", online=(OnlineResource("https://x.org/wms?", "OGC:WMS"),),
                    other_constraints=(Constraint("CC BY 4.0"),), contacts=(Contact(organisation="Junta"),))
    entry = entry_from_record(record, terms_for(record), ["ríos"], [""], opacity=0.4)
    assert (entry.endpoint, entry.record_id, entry.layers, entry.opacity) == ("https://x.org/wms?", "r", ("ríos",), 0.4)
    assert (entry.credit.line, entry.credit.required, entry.credit.licence) == (
        "Junta, Guía 2014, CC BY 4.0", "yes", "CC-BY-4.0")
    assert entry.credit.licence_url == "https://creativecommons.org/licenses/by/4.0/"
    assert entry_from_record(Record("x", title="no service"), terms_for(record)) is None

"""What a snapshot says of a service beside what is known of it: whoever comes first, the strictest duty counts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.box import Box
from plugin.core.custommap.map_entries import record_of_entry
from plugin.core.custommap.model import CustomMap, MapEntry, SnapshotDescriptions, StoredCredit
from plugin.core.custommap.planner import make_plan
from plugin.core.preflight import PreflightContext, preflight_findings
from plugin.core.records.model.record import Constraint, Contact, OnlineResource, Record, RecordDate, ResourceKind
from plugin.core.snapshot.manifest import RasterFormat, SnapshotManifest, SnapshotState
from plugin.core.terms import terms_for
from plugin.core.terms.credit_duty import CreditDuty, comparable, strictest_duty
from plugin.core.terms.model import Decision
from plugin.core.wms.model.service import Layer, OperationInfo, Service, ServiceContact, Style
from tests.examples import examples

GUIDE = "https://x.org/mapwms/T_guia?"
TEXTS = {Decision.YES: "Es obligatorio citar la fuente", Decision.NO: "No se requiere citar la fuente",
         Decision.UNDECIDED: "Véanse las condiciones"}
NO_CREDIT = StoredCredit()
MANIFEST = SnapshotManifest("m", SnapshotState.COMPLETE, "2099-01-01T00:00:00+00:00", "EPSG:25830",
                            Box(0, 0, 1, 1), None, 300, (25000.0,), RasterFormat.GPKG)


def described(decision, owner="Consejería", endpoint=GUIDE):
    """A record of the park guide that requires a credit of its owner, or not."""
    return Record("x", id="guide", title="Guía", kind=ResourceKind.SERVICE, contacts=(
                      Contact(organisation=owner, role="owner"),), dates=(RecordDate("2014-01-01", "publication"),),
                  other_constraints=(Constraint(TEXTS[decision]),),
                  online=(OnlineResource(endpoint, "OGC:WMS"),))


def served(decision, owner="Junta"):
    """The service itself, whose capabilities require a credit, or not."""
    drawn = Layer("a", title="A", crs=("EPSG:25830",), styles=(Style("default"),),
                  geographic_bbox=Box(-3.7, 38.2, -3.3, 38.5))
    return Service("1.3.0", title="Servicio", access_constraints=TEXTS[decision], root=Layer("R", crs=("EPSG:25830",),
                   layers=(drawn,)), contact=ServiceContact(organisation=owner),
                   operations={"GetMap": OperationInfo("GetMap", GUIDE, None, ("image/png",))})


def planned(record=None, service=None, stored_record=None, stored_service=None, credit=NO_CREDIT):
    stored = SnapshotDescriptions({GUIDE: stored_service} if stored_service else {},
                                  {GUIDE: stored_record} if stored_record else {}, MANIFEST.day)
    document = CustomMap(base=MapEntry(GUIDE, "Guía", record_id="guide", layers=("a",), styles=("",), credit=credit))
    services, records = {GUIDE: service} if service else {}, {GUIDE: record} if record else {}
    plan = make_plan(document, services, records, snapshot=stored)
    found = preflight_findings(PreflightContext(document, plan, services, records, snapshot=MANIFEST))
    return plan, [finding.rule for finding in found]


def test_the_texts_decide_as_the_tests_need():
    for decision, text in TEXTS.items():
        assert terms_for(described(decision)).credit_required is decision, text
        assert terms_for(None, served(decision)).credit_required is decision, text


@pytest.mark.parametrize("record", [described(Decision.NO, "Nadie"), None])
@pytest.mark.parametrize("service", [served(Decision.NO, "Nadie"), None])
def test_a_snapshot_without_conditions_weakens_neither_the_record_nor_the_service(record, service):
    if record is None and service is None:
        return
    own = described(Decision.YES)
    plan, rules = planned(own, None, record, service or served(Decision.YES))
    assert plan.layers[0].credit_required is Decision.YES
    assert any("Consejería" in line for line in plan.layers[0].rights)
    assert "offline-terms" in rules and any("snapshot of 20" in note.text and "2099" not in note.text for note in
                                            plan.notes)
    fetched, _ = planned(None, served(Decision.YES), record, service)
    assert fetched.layers[0].credit_required is Decision.YES
    assert any("Junta" in line for line in fetched.layers[0].rights)


def test_a_snapshot_that_asks_for_more_is_heeded_and_both_lines_are_shown():
    plan, rules = planned(described(Decision.YES), served(Decision.UNDECIDED), described(Decision.YES, "Otra"),
                          served(Decision.UNDECIDED))
    assert [any(owner in line for line in plan.layers[0].rights) for owner in ("Consejería", "Otra")] == [True, True]
    assert "offline-terms" in rules
    free, _ = planned(described(Decision.NO), served(Decision.NO), described(Decision.YES, "Otra"))
    assert free.layers[0].credit_required is Decision.YES and any("Otra" in line for line in free.layers[0].rights)


def test_a_snapshot_alone_describes_its_map_and_differs_from_nothing():
    plan, rules = planned(None, None, described(Decision.YES), served(Decision.UNDECIDED))
    assert plan.layers[0].rights == ("Consejería, Guía, 2014",) and plan.layers[0].service_title == "Guía"
    assert "offline-terms" not in rules and not plan.notes and plan.stored_terms == (None,)
    same, rules = planned(described(Decision.YES), None, described(Decision.YES), served(Decision.UNDECIDED))
    assert "offline-terms" not in rules and same.layers[0].rights == plan.layers[0].rights


def test_a_document_is_believed_where_it_asks_for_more_and_not_where_it_asks_for_less():
    free = StoredCredit("Nadie, 2014", Decision.NO)
    plan, _ = planned(described(Decision.YES), served(Decision.UNDECIDED), credit=free)
    assert plan.layers[0].rights == ("Consejería, Guía, 2014",) and plan.layers[0].credit_required is Decision.YES
    bare, _ = planned(None, served(Decision.YES), credit=free)
    assert bare.layers[0].credit_required is Decision.YES and any("Junta" in line for line in bare.layers[0].rights)
    strict, _ = planned(described(Decision.NO), credit=StoredCredit("Otra, 2014", Decision.YES),
                        service=served(Decision.NO))
    assert strict.layers[0].credit_required is Decision.YES and "Otra, 2014" in strict.layers[0].rights
    former, _ = planned(described(Decision.YES), served(Decision.UNDECIDED),
                        credit=StoredCredit("Consejería, Guía, 2012", Decision.YES))
    assert former.layers[0].rights == ("Consejería, Guía, 2014",), "the record is newer than the map"


def test_a_document_that_names_the_record_of_another_service_does_not_get_its_terms():
    lenient, own = described(Decision.NO, "Nadie", "https://other.org/wms?"), described(Decision.YES)
    entry = MapEntry(GUIDE, record_id="lenient")
    assert record_of_entry(entry, lenient, lambda: own) is own
    assert record_of_entry(entry, lenient, lambda: None) is lenient, "its service may have moved"
    assert record_of_entry(entry, own, lambda: lenient) is own
    plan, _ = planned(lenient, served(Decision.YES))
    assert plan.layers[0].credit_required is Decision.YES and any("Junta" in line for line in plan.layers[0].rights)


decisions, owners = st.sampled_from(Decision), st.sampled_from(["Consejería", "Nadie", "Otra"])
records = st.none() | st.builds(described, decisions, owners)
services = st.none() | st.builds(served, decisions, owners)
duties = st.builds(CreditDuty, st.lists(st.sampled_from(["A", "B", "A, B", "C"]), max_size=2).map(tuple), decisions)


@settings(max_examples=examples(200), deadline=None)
@given(records, services, records, services, st.builds(StoredCredit, st.sampled_from(["", "D"]), decisions))
def test_no_snapshot_and_no_document_takes_a_required_credit(record, service, stored_record, stored_service, credit):
    if service is None and stored_service is None:
        stored_service = served(Decision.UNDECIDED)
    plan, _ = planned(record, service, stored_record, stored_service, credit)
    shown = plan.layers[0]
    for one, other in ((record, None), (None, service)):
        if one is None and other is None:
            continue
        # each alone; a record and its service that contradict each other are for the terms to decide
        if (one is None and record is not None) or (one is not None and service is not None):
            continue
        known = terms_for(one, other)
        if known.credit_required is Decision.YES:
            assert shown.credit_required is Decision.YES and any(known.credit in line for line in shown.rights)
    if record is not None and service is not None and terms_for(record, service).credit_required is Decision.YES:
        assert shown.credit_required is Decision.YES
        assert any(terms_for(record, service).credit in line for line in shown.rights)


@given(duties, st.lists(duties, max_size=4))
def test_the_strictest_duty_satisfies_each(known, claims):
    duty = strictest_duty(known, claims)
    assert not any(claim.is_stricter_than(duty) for claim in (known, *claims))
    assert all(any(line in shown for shown in duty.lines) for line in known.lines)
    assert len({comparable(line) for line in duty.lines}) == len(duty.lines) or duty.lines == known.lines
    for claim in claims:
        if claim.required is Decision.YES:
            assert all(any(line in shown for shown in duty.lines) for line in claim.lines)
    assert strictest_duty(duty, claims).required is duty.required

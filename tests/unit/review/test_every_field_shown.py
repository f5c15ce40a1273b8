"""The sheet and the metadata tab show every field of the record: each is filled with a mark and looked for."""

from __future__ import annotations

import dataclasses

import pytest
from lxml import html

from plugin.core.records.model.record import Conformance, Record, ResourceKind, UnreadValue
from plugin.core.review.report.record_fields import record_body
from plugin.core.review.report.record_sheet import sheet_html
from plugin.core.terms import terms_for
from tests.marked_record import DERIVED, Marks


@pytest.fixture
def marks():
    return Marks()


def text_and_addresses(body):
    tree = html.fromstring(f"<div>{body}</div>")
    return " ".join([tree.text_content(), *tree.xpath("//a/@href"), *tree.xpath("//@title")])


def sheet(record, terms):
    """What is on the page of the record, which has the same fields in another order, each of them once."""
    return sheet_html([(record, terms)]).partition("<main>")[2]


@pytest.mark.parametrize("written", [record_body, sheet])
def test_every_field_is_shown(marks, written):
    record = marks.filled(Record)
    shown = text_and_addresses(written(record, terms_for(record)))
    assert len(marks.by_path) > 80
    assert {path for path, mark in marks.by_path.items() if mark not in shown} == DERIVED
    record = dataclasses.replace(record, hierarchy_level=None)
    assert marks.by_path["kind"] in text_and_addresses(written(record, terms_for(record)))


def test_what_the_record_does_not_give_is_named():
    text = text_and_addresses(record_body(Record("iso19139", kind=ResourceKind.SERVICE, title="T"),
                                          terms_for(Record("iso19139"))))
    absent = text.split("Not given in the record")[1]
    for name in ("Abstract", "Lineage", "Associated", "Operations", "Contacts", "Conformance"):
        assert name in absent
    assert "Identifier of the specification" not in absent, "nothing is missing of a specification that is not named"


def test_a_conformance_reads_as_what_is_known_of_its_specification():
    def heading(**values):
        record = Record("iso19139", conformance=(Conformance(passed=True, **values),))
        return text_and_addresses(record_body(record, terms_for(record)))

    assert "INSPIRE (2010-12-08): conformant" in heading(title="INSPIRE", date="2010-12-08")
    assert "INSPIRE: conformant (REG/976)" in heading(title="INSPIRE", identifier="REG/976")
    assert "REG/976: conformant" in heading(identifier="REG/976")
    assert "Conformity to an unnamed specification: conformant" in heading(explanation="See the regulation")


def test_the_kind_that_a_catalogue_names_is_explained():
    def body(name):
        record = Record("iso19139", unread=(UnreadValue("gmd:hierarchyLevelName/gco:CharacterString", name),))
        return text_and_addresses(record_body(record, terms_for(record)))

    assert "Simple: one resource without parts of its own" in body("Simple")
    assert "Capa temática" in body("Capa temática")

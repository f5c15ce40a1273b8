"""Two records field by field."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from plugin.core.records import read
from plugin.core.records.model.record import Extent, OnlineResource, Record, RecordDate
from plugin.core.review.comparison import ComparisonMark, compare_records, is_version_of, newer_record

FIXTURES = Path(__file__).parent.parent / "fixtures" / "records"
OLD = Record(source_format="iso19139", id="a", title="Mapa guía", keywords=("agua", "parque"), date_stamp="2023-05-01",
             abstract="El mapa del parque con sus ríos, sendas y miradores.", extents=(Extent(-3.5, -3.0, 38.0, 38.5),))
NEW = replace(OLD, date_stamp="2024-05-01", keywords=("parque", "miradores"), fees="Gratuito",
              abstract="El mapa del parque con sus ríos, caminos y miradores.")


def by_field(first, second):
    return {difference.field: difference for difference in compare_records(first, second)}


def changed_fields(first, second):
    return [difference for difference in compare_records(first, second) if difference.mark is not ComparisonMark.SAME]


def test_the_same_record_has_no_changes():
    (record,) = read((FIXTURES / "service_editor.xml").read_bytes())
    assert changed_fields(record, record) == []
    assert {difference.mark for difference in compare_records(record, record)} == {ComparisonMark.SAME}


def test_changes_are_told_by_field_and_entry():
    assert [(difference.field, difference.mark)
            for difference in changed_fields(OLD, NEW)] == [("abstract", ComparisonMark.CHANGED),
                                                            ("keywords", ComparisonMark.CHANGED),
                                                            ("fees", ComparisonMark.SECOND),
                                                            ("date_stamp", ComparisonMark.CHANGED)]
    keywords = by_field(OLD, NEW)["keywords"]
    assert [(piece.mark, piece.text) for piece in keywords.items] == [(ComparisonMark.FIRST, "agua"),
                                                                      (ComparisonMark.SAME, "parque"),
                                                                      (ComparisonMark.SECOND, "miradores")]
    assert by_field(NEW, OLD)["fees"].mark is ComparisonMark.FIRST


def test_the_words_that_changed_are_marked_and_nothing_is_lost():
    abstract = by_field(OLD, NEW)["abstract"]
    assert [(piece.mark, piece.text.strip()) for piece in abstract.word_marks
            if piece.mark is not ComparisonMark.SAME] == [(ComparisonMark.FIRST, "sendas"),
                                                          (ComparisonMark.SECOND, "caminos")]
    for side, record in ((ComparisonMark.FIRST, OLD), (ComparisonMark.SECOND, NEW)):
        text = "".join(piece.text for piece in abstract.word_marks if piece.mark in (ComparisonMark.SAME, side))
        assert text == record.abstract


def test_texts_that_have_little_in_common_are_not_marked_word_by_word():
    other = replace(OLD, abstract="Otra cosa muy distinta de la primera que aquí se dice.")
    assert by_field(OLD, other)["abstract"].word_marks == ()


def test_order_and_white_space_make_no_difference():
    assert changed_fields(OLD, replace(OLD, keywords=("parque", "agua"), title="Mapa\n   guía")) == []


def test_entries_that_one_record_repeats_are_told():
    keywords = by_field(OLD, replace(OLD, keywords=("agua", "agua", "parque")))["keywords"]
    assert keywords.mark is ComparisonMark.CHANGED and ComparisonMark.SAME not in {
        piece.mark for piece in keywords.items
    }


def test_every_field_of_a_record_is_compared():
    compared = {"keyword_groups": "keywords", "constraint_groups": "other_constraints", "standard_version":
                "standard_name"}
    apart = {"source_format", "format", "kind", "original", "source"}
    (full,) = read((FIXTURES / "service_editor.xml").read_bytes())
    names = {difference.field for difference in compare_records(full, Record(source_format="iso19139"))}
    for entry in fields(Record):
        value = getattr(full, entry.name)
        if entry.name not in apart and value:
            assert compared.get(entry.name, entry.name) in names, entry.name


@pytest.mark.parametrize(("first", "second", "later"), [
    (OLD, NEW, 1), (NEW, OLD, 0), (OLD, OLD, None),
    (replace(OLD, date_stamp="2024-05-01T08:00:00"), replace(OLD, date_stamp="2024-05-01T09:30:00"), 1),
    (replace(OLD, date_stamp=None, dates=(RecordDate("2014"),)), replace(OLD, date_stamp=None, dates=(
        RecordDate("2012"), RecordDate("2016"))), 1),
    (replace(OLD, date_stamp="2024"), replace(OLD, date_stamp="2024-05-01"), None),
])
def test_the_newer_of_two_is_told_by_their_stamps(first, second, later):
    assert newer_record(first, second) is (None if later is None else (first, second)[later])


def test_versions_share_identifier_or_service():
    link = OnlineResource("https://mapas.example/wms?", "OGC:WMS")
    assert is_version_of(OLD, NEW)
    assert not is_version_of(OLD, replace(NEW, id="b"))
    assert is_version_of(replace(OLD, online=(link,)), replace(NEW, id="b", online=(
        replace(link, url="http://mapas.example/wms"),)))


def test_samples_compare_with_each_other_without_an_exception(samples):
    from plugin.core.records.input.file_reader import read_path

    records = [found for _, found in read_path(samples / "geopython+OWSLib") if isinstance(found, Record)]
    assert len(records) > 10
    for first, second in zip(records, records[1:]):
        for difference in compare_records(first, second):
            assert difference.items and difference.name

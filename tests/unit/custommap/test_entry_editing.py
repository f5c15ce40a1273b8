"""Changes of a custom map return new maps and leave the old ones untouched."""

import pytest

from plugin.core.custommap.map_editing import (
    entry_from_record,
    with_base,
    with_base_as_overlay,
    with_entry_replaced,
    with_overlay,
    with_overlay_as_base,
    with_overlay_moved,
    without_entry,
)
from plugin.core.custommap.model import CustomMap, MapEntry
from plugin.core.records.model.record import Constraint, OnlineResource, Record
from plugin.core.terms import terms_for

BASE, A, B, C = (MapEntry(f"https://x.org/{name}?", name) for name in ("base", "a", "b", "c"))
MAP = CustomMap("M", base=BASE, overlays=(A, B, C), scale=5000)


def names(custom_map):
    return [entry.title for entry in custom_map.entries]


def test_an_entry_keeps_the_credit_of_its_record():
    record = Record("x", id="r", title="Guía 2014", online=(OnlineResource("https://x.org/wms?", "OGC:WMS"),),
                    other_constraints=(Constraint("CC BY 4.0"),))
    entry = entry_from_record(record, terms_for(record), ["ríos"], [""], opacity=0.4)
    assert (entry.endpoint, entry.record_id, entry.layers, entry.opacity) == ("https://x.org/wms?", "r", ("ríos",), 0.4)
    assert (entry.credit.line, entry.credit.required, entry.credit.licence) == ("Guía 2014, CC BY 4.0", "yes",
                                                                                "CC-BY-4.0")
    assert entry.credit.licence_url == "https://creativecommons.org/licenses/by/4.0/"
    assert entry_from_record(Record("x", title="no service"), terms_for(record)) is None


@pytest.mark.parametrize(("index", "target", "expected"), [
    (1, 3, ["base", "b", "c", "a"]), (3, 1, ["base", "c", "a", "b"]), (2, 2, ["base", "a", "b", "c"]), (1, 99, ["base",
        "b", "c", "a"]),
    (3, 0, ["base", "c", "a", "b"]), (0, 2, ["base", "a", "b", "c"]),
])
def test_overlays_move_and_the_base_stays_below(index, target, expected):
    assert names(with_overlay_moved(MAP, index, target)) == expected


def test_overlays_move_on_a_map_without_base():
    assert names(with_overlay_moved(CustomMap(overlays=(A, B, C)), 0, 2)) == ["b", "c", "a"]


def test_entries_are_replaced_added_and_taken_out():
    assert names(with_entry_replaced(MAP, 0, C)) == ["c", "a", "b", "c"] and names(with_entry_replaced(
        MAP, 2, C)) == ["base", "a", "c", "c"]
    assert names(without_entry(MAP, 0)) == ["a", "b", "c"] and names(without_entry(MAP, 2)) == ["base", "a", "c"]
    assert names(with_overlay(MAP, A)) == ["base", "a", "b", "c", "a"] and names(with_overlay(MAP, C, 0)) == ["base",
        "c", "a", "b", "c"]
    assert names(with_base(MAP, None)) == ["a", "b", "c"]


def test_an_overlay_becomes_the_base_and_the_former_base_the_lowest_overlay():
    assert names(with_overlay_as_base(MAP, 2)) == ["b", "base", "a", "c"] and with_overlay_as_base(MAP, 2).base == B
    assert with_overlay_as_base(MAP, 0) == MAP
    assert with_base_as_overlay(MAP).base is None and names(with_base_as_overlay(MAP)) == ["base", "a", "b", "c"]
    assert with_base_as_overlay(CustomMap()) == CustomMap()


@pytest.mark.parametrize("index", [-1, 4])
def test_a_place_that_is_not_there_is_an_error(index):
    for change in (lambda: with_overlay_moved(MAP, index, 1), lambda: without_entry(MAP, index),
                   lambda: with_entry_replaced(MAP, index, A), lambda: with_overlay_as_base(MAP, index)):
        with pytest.raises(IndexError):
            change()


def test_nothing_changes_the_map_it_was_given():
    before = CustomMap("M", base=BASE, overlays=(A, B, C), scale=5000)
    for change in (with_overlay_moved(MAP, 1, 3), without_entry(MAP, 1), with_entry_replaced(MAP, 1, C),
                   with_overlay_as_base(MAP, 1), with_base_as_overlay(MAP), with_overlay(MAP, A)):
        assert change != before and (change.title, change.scale) == ("M", 5000)
    assert before == MAP

"""The leaflet's table: rows in order, parts of a line as one row, lengths in words, and numbers that keep apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plugin.core.pages.leaflet import (
    FacilityTable,
    NumberPlace,
    PageBox,
    TableFeature,
    TableGroup,
    kind_field,
    length_text,
    name_field,
    place_numbers,
    shortened_table,
    table_group,
)

AREA = PageBox(0, 0, 300, 200)


def point(name, kind="", place=(0.0, 0.0)):
    return TableFeature(name, kind, None, (place,))


def line(name, metres, *places):
    return TableFeature(name, "", metres, places, True)


def test_rows_follow_as_people_spell_and_a_kind_that_all_share_is_left_to_the_title():
    group = table_group("Miradores", [point("Mirador 10", "mirador"), point("Ávila", "mirador"),
                                      point("Mirador 2", "Mirador")])
    assert [(row.name, row.kind) for row in group.features] == [("Ávila", ""), ("Mirador 2", ""), ("Mirador 10", "")]
    mixed = table_group("Puntos", [point("B", "fuente"), point("A", "refugio")])
    assert [(row.name, row.kind) for row in mixed.features] == [("A", "refugio"), ("B", "fuente")]


def test_parts_of_a_trail_are_one_row_and_facilities_of_one_name_are_not():
    trails = table_group("Senderos", [line("GR-48", 900.0, (1, 1)), line("GR-48", 2100.0, (2, 2)), line("Corto", 40.0)])
    assert [(row.name, row.length) for row in trails.features] == [("Corto", 40.0), ("GR-48", 3000.0)]
    assert trails.features[1].places == ((2, 2), (1, 1)), "its number lies on the longest part if it can"
    fountains = table_group("Fuentes", [point("Fuente", place=(1, 1)), point("Fuente", place=(9, 9))])
    assert len(fountains.features) == 2
    assert FacilityTable((trails, fountains)).features == (*trails.features, *fountains.features)


def test_a_shorter_table_lacks_the_shortest_trails_and_the_last_places_of_its_longest_group():
    trails = TableGroup("Senderos", (line("A", 300.0), line("B", 100.0), line("C", 200.0), line("D", 100.0)))
    views = TableGroup("Miradores", (point("E"), point("F"), point("G")))
    table = FacilityTable((trails, views), ("© Ana",), ("x",))

    def names(count):
        return "".join(feature.name for feature in shortened_table(table, count).features)

    assert [names(count) for count in (7, 6, 4, 2)] == ["ABCDEFG", "ABCEFG", "ACEF", "AE"]
    assert shortened_table(table, 6).groups[0].features[1].name == "B", "of those that are alike the last is left out"
    assert shortened_table(table, 1).groups == (TableGroup("Miradores", (point("E"),)),)
    assert shortened_table(table, 3).credits == ("© Ana",) and not shortened_table(table, 0).features


def test_lengths_are_written_for_walkers():
    assert [length_text(metres, ",") for metres in (3, 14, 126, 949, 950, 951, 3449.0, 30900)] == \
        ["10 m", "10 m", "130 m", "950 m", "1,0 km", "1,0 km", "3,4 km", "30,9 km"]
    assert length_text(3449.0, ".") == "3.4 km"


def test_the_field_of_kinds_is_found_whatever_its_letters():
    assert kind_field(["gid", "NOMBRE", "TIPO"]) == "TIPO" and kind_field(["Categoría"]) == "Categoría"
    assert kind_field(["nombre", "tipologia"]) == ""


def test_the_name_of_a_feature_is_in_a_field_that_says_so():
    assert name_field(["gid", "codigo", "NOMBRE"]) == "NOMBRE" and name_field(["nombre_ofi", "tipo"]) == "nombre_ofi"
    assert name_field(["title", "name"]) == "name" and name_field(["Denominaci"]) == "Denominaci"
    assert name_field(["gid", "codigo"]) == "" and name_field([]) == ""


def test_a_number_lies_beside_its_point_and_on_its_line():
    numbers = [NumberPlace(((50.0, 50.0),), 4, 3), NumberPlace(((150.0, 100.0),), 4, 3, True)]
    beside, along = place_numbers(numbers, AREA)
    assert not (beside.left < 50 < beside.right and beside.top < 50 < beside.bottom)
    assert abs((beside.left + beside.right) / 2 - 50) < 8 and abs((beside.top + beside.bottom) / 2 - 50) < 8
    assert (along.left, along.top, along.right, along.bottom) == (148, 98.5, 152, 101.5)


def test_numbers_keep_off_the_edge_and_off_what_is_taken():
    taken = PageBox(45, 20, 80, 49)
    corner, near = place_numbers([NumberPlace(((0.5, 0.5),), 4, 3), NumberPlace(((44.0, 44.0),), 4, 3)], AREA, [taken])
    assert AREA.contains(corner) and AREA.contains(near)
    assert near.overlap(taken) == 0
    assert place_numbers([NumberPlace(((900.0, 900.0),), 4, 3)], AREA) == [None]


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 9), st.booleans()), max_size=60,
                unique_by=lambda place: place[:2]))
def test_features_that_lie_apart_have_numbers_that_lie_apart(places):
    numbers = [NumberPlace(((10 + 20.0 * x, 10 + 20.0 * y),), 5, 3.5, along) for x, y, along in places]
    boxes = place_numbers(numbers, AREA)
    assert all(box is not None and AREA.contains(box) for box in boxes)
    assert not [(one, two) for at, one in enumerate(boxes) for two in boxes[at + 1:] if one.overlap(two) > 0]


def test_a_crowd_is_numbered_too():
    crowd = [NumberPlace(((100.0 + number % 5, 100.0 + number // 5),), 4, 3) for number in range(25)]
    boxes = place_numbers(crowd, AREA)
    assert all(boxes)
    overlaps = sum(one.overlap(two) for at, one in enumerate(boxes) for two in boxes[at + 1:])
    assert overlaps < 0.25 * sum(4 * 3 for _ in crowd)

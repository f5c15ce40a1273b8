"""Undo of whole documents, and suggestions of services to add."""

from dataclasses import replace

from plugin.core.custommap.model import CustomMap, MapEntry, OwnLayer, PageSetup
from plugin.core.custommap.suggestions import SuggestionCandidate, suggest_services
from plugin.core.custommap.undo_history import Change, UndoHistory, added, change_in_qgis, map_title, opacity
from plugin.core.pages.leaflet import LeafletTexts
from plugin.core.records.model.record import AssociatedResource, Record

BASE = MapEntry("https://x.org/a?", "A")
SCALE = Change("extent and scale")


def test_steps_go_back_and_forth_and_a_new_step_ends_what_was_undone():
    history = UndoHistory()
    first, second, third = (CustomMap(base=BASE, scale=scale) for scale in (None, 10_000.0, 20_000.0))
    for document in (first, first, second, third):
        history.push(document, SCALE)
    assert history.undo().document == second and history.undo().document == first and not history.can_undo
    assert history.redo().document == second and history.can_redo
    history.push(replace(second, scale=5_000.0), SCALE)
    assert not history.can_redo and history.undo().document == second


def test_a_map_follows_the_one_whose_place_it_took():
    history, maps = UndoHistory(), [CustomMap(base=BASE, scale=scale) for scale in (1_000.0, 2_000.0, 3_000.0)]
    for document in maps[:2]:
        history.push(document, SCALE)
    history.begin_map()
    history.push(CustomMap(), SCALE)
    assert history.undo_label == "Another custom map" and not history.has_changed_map
    history.restart_map()
    history.push(maps[1], SCALE)
    assert not history.has_changed_map, "the same document is another map"
    history.push(maps[2], SCALE)
    assert history.has_changed_map and history.undo_map().document == maps[1]
    assert (history.undo_label, history.redo_label) == (SCALE.label, "Another custom map")
    assert history.undo_map() is None and history.redo().map_number != history.undo().map_number
    assert history.undo().document == maps[0]
    assert history.show_map(history.map_number).document == maps[0], "a change of it that was undone stays so"
    assert history.redo().document == maps[1]
    history.push(maps[2], SCALE)
    assert not history.can_redo and history.undo().document == maps[1] and history.undo().document == maps[0]


def test_what_is_seen_beside_the_document_is_a_step_of_its_own():
    history = UndoHistory()
    for mode in ("canvas", "whole", "whole"):
        history.push(CustomMap(base=BASE), SCALE, mode)
    assert history.undo().extent_mode == "canvas" and not history.can_undo
    assert history.redo().extent_mode == "whole"


def test_a_slider_and_the_letters_of_a_title_are_one_step_until_a_pause():
    history = UndoHistory()
    history.push(CustomMap(base=BASE), SCALE)
    for value in (0.9, 0.8, 0.7):
        history.push(CustomMap(base=replace(BASE, opacity=value)), opacity(BASE))
    history.end_gesture()
    history.push(CustomMap(base=replace(BASE, opacity=0.2)), opacity(BASE))
    for title in ("M", "Ma", "Map"):
        history.push(CustomMap(title, base=replace(BASE, opacity=0.2)), map_title())
    assert history.undo().document.title == ""
    assert history.undo().document.base.opacity == 0.7
    assert history.undo().document.base.opacity == 1.0 and not history.can_undo


def test_each_step_has_the_label_that_it_is_given():
    history, labels = UndoHistory(), ("add “A”", "legend", "extent and scale")
    for number, label in enumerate(("", *labels)):
        history.push(CustomMap(str(number)), Change(label))
        assert (history.undo_label, history.redo_label) == (label, "")
    history.undo()
    assert (history.undo_label, history.redo_label) == labels[1:]


def test_what_was_changed_in_qgis_is_named_after_it():
    rivers = MapEntry("https://x.org/b?", "Ríos", layers=("a", "b"))
    points = OwnLayer("p", "Miradores", "vector", "ogr", "/x.gpkg")
    names = []
    before = CustomMap()
    for change in ({"base": BASE}, {"overlays": (rivers,)}, {"own_layers": (points,)},
                   {"overlays": (replace(rivers, visible=False),)}, {"overlays": (replace(rivers, hidden=("a",)),)},
                   {"overlays": (replace(rivers, hidden=("a",), opacity=0.5),)},
                   {"overlays": (replace(rivers, styles=("noche", "")),)},
                   {"overlays": (replace(rivers, layers=("b",), styles=("",)),)},
                   {"own_layers": (replace(points, entries_below=2),)},
                   {"title": "Parque"}, {"crs": "EPSG:3857"},
                   {"base": None}, {"overlays": (), "own_layers": ()}):
        after = replace(before, **change)
        names.append(change_in_qgis(before, after).label)
        before = after
    assert names == ["add “A”", "add “Ríos”", "add “Miradores”", "visibility of “Ríos”", "visibility of “Ríos”",
                     "opacity of “Ríos”", "visibility of “Ríos”", "remove layers of “Ríos”", "order of the layers",
                     "title of the map", "coordinate reference system", "remove “A”", "remove layers"]


def test_a_title_of_many_lines_is_short_in_the_name_of_a_step():
    label = added([MapEntry("https://x.org/a?", "Mapa\n" * 100)]).label
    assert "\n" not in label and len(label) < 60


def test_what_a_record_speaks_of_comes_before_what_is_near():
    record = Record("x", id="1", title="Mapa guía", abstract="Se combina con los equipamientos de uso público.",
                    associated=(AssociatedResource(id="4"), ))
    candidates = [
        SuggestionCandidate("2", "Hidrografía", "//x.org/b"),
        SuggestionCandidate("3", "Equipamientos, uso público", "//x.org/c"),
        SuggestionCandidate("4", "Senderos", "//y.org/d"),
        SuggestionCandidate("5", "Lejos", "//z.org/e"),
        SuggestionCandidate("6", "Otra vez", "//x.org/a")
    ]
    found = suggest_services([record], ["https://x.org/a?"], candidates)
    assert [item.candidate.identifier for item in found] == ["3", "4", "2"]
    assert found[0].is_named and "Mapa guía" in found[0].reason and not found[2].is_named


def test_what_is_typed_into_a_leaflet_is_one_step():
    history, before = UndoHistory(), CustomMap(page=PageSetup("A3", template="leaflet"))
    history.push(before, SCALE)
    for text in ("Un", "Un parque", "Un parque."):
        history.push(replace(before, page=replace(before.page, leaflet=LeafletTexts(text))),
                     Change("texts of the leaflet", "leaflet"))
    assert history.undo_label == "texts of the leaflet"
    assert history.undo().document == before and not history.can_undo

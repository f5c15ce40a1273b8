"""Undo of whole documents, and suggestions of services to add."""

from dataclasses import replace

from plugin.core.custommap.model import CustomMap, MapEntry, OwnLayer, PageSetup
from plugin.core.custommap.suggestions import SuggestionCandidate, suggest_services
from plugin.core.custommap.undo_history import UndoHistory
from plugin.core.pages.leaflet import LeafletTexts
from plugin.core.records.model.record import AssociatedResource, Record

BASE = MapEntry("https://x.org/a?", "A")


def test_steps_go_back_and_forth_and_a_new_step_ends_what_was_undone():
    history = UndoHistory()
    first, second, third = (CustomMap(base=BASE, scale=scale) for scale in (None, 10_000.0, 20_000.0))
    for document in (first, first, second, third):
        history.push(document)
    assert history.undo() == second and history.undo() == first and not history.can_undo
    assert history.redo() == second and history.can_redo
    history.push(replace(second, scale=5_000.0))
    assert not history.can_redo and history.undo() == second


def test_what_is_seen_beside_the_document_is_a_step_of_its_own():
    history = UndoHistory()
    history.push(CustomMap(base=BASE), "canvas")
    history.push(CustomMap(base=BASE), "whole")
    history.push(CustomMap(base=BASE), "whole")
    assert history.undo() is not None and history.extent_mode == "canvas" and not history.can_undo
    assert history.redo() is not None and history.extent_mode == "whole"


def test_a_slider_and_the_letters_of_a_title_are_one_step_until_a_pause():
    history = UndoHistory()
    history.push(CustomMap(base=BASE))
    for opacity in (0.9, 0.8, 0.7):
        history.push(CustomMap(base=replace(BASE, opacity=opacity)))
    history.end_gesture()
    history.push(CustomMap(base=replace(BASE, opacity=0.2)))
    for title in ("M", "Ma", "Map"):
        history.push(CustomMap(title, base=replace(BASE, opacity=0.2)))
    assert history.undo().title == ""
    assert history.undo().base.opacity == 0.7
    assert history.undo().base.opacity == 1.0 and not history.can_undo


def test_each_step_is_named_after_what_it_changes():
    rivers = MapEntry("https://x.org/b?", "Ríos", layers=("a", "b"))
    points = OwnLayer("p", "Miradores", "vector", "ogr", "/x.gpkg")
    history = UndoHistory()
    names = []
    document = CustomMap()
    history.push(document, "canvas")
    assert history.undo_label == "" and history.redo_label == ""
    for change in ({"base": BASE}, {"overlays": (rivers,)}, {"own_layers": (points,)},
                   {"overlays": (replace(rivers, visible=False),)}, {"overlays": (replace(rivers, hidden=("a",)),)},
                   {"overlays": (replace(rivers, hidden=("a",), opacity=0.5),)},
                   {"overlays": (replace(rivers, styles=("noche", "")),)},
                   {"own_layers": (replace(points, entries_below=2),)},
                   {"title": "Parque"}, {"scale": 10_000.0}, {"page": PageSetup("A3")},
                   {"page": PageSetup("A3", rotation=30.0)}, {"crs": "EPSG:3857"},
                   {"base": None}, {"overlays": (), "own_layers": ()}):
        document = replace(document, **change)
        history.push(document, "canvas")
        names.append(history.undo_label)
    assert names == ["add “A”", "add “Ríos”", "add “Miradores”", "visibility of “Ríos”", "visibility of “Ríos”",
                     "opacity of “Ríos”", "visibility of “Ríos”", "order of the layers", "title of the map",
                     "extent and scale", "page", "rotation of the page",
                     "coordinate reference system", "remove “A”", "remove layers"]
    history.undo()
    assert (history.undo_label, history.redo_label) == ("remove “A”", "remove layers")


def test_a_title_of_many_lines_is_short_in_the_name_of_a_step():
    history = UndoHistory()
    history.push(CustomMap())
    history.push(CustomMap(base=MapEntry("https://x.org/a?", "Mapa\n" * 100)))
    assert "\n" not in history.undo_label and len(history.undo_label) < 60


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
    history.push(before)
    for text in ("Un", "Un parque", "Un parque."):
        history.push(replace(before, page=replace(before.page, leaflet=LeafletTexts(text))))
    assert history.undo_label == "texts of the leaflet"
    assert history.undo() == before and not history.can_undo

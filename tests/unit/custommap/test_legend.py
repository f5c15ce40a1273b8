"""The legend's tree of a map, and its edits: titles by language, headings, hidden layers, order."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.legend import changes as legend_changes
from plugin.core.custommap.legend.changes import ServiceNames, offered_language, with_service_names
from plugin.core.custommap.legend.tree import is_in_legend, legend_tree, series_once, text_in, with_text
from plugin.core.custommap.model import CustomMap, EntryLegend, LayerLegend, LayerPlan, MapEntry, OwnLayer, Plan
from plugin.core.custommap.moments import legend_layer_plans
from plugin.core.errors import InvalidDocument
from plugin.core.sources.layer_source import WmsSource
from plugin.core.wms.model.service import Service
from tests.examples import examples

GUIDE = MapEntry("https://x.org/guide?", "Guía", layers=("relieve", "rios", "caminos"), styles=("", "", ""))
USE = MapEntry("https://x.org/use?", "Uso público", layers=("refugios", "fuentes"), styles=("", ""))
POINTS = OwnLayer("p", "Puntos", "vector", "ogr", "/x.gpkg", entries_below=1)
MAP = CustomMap("Parque", "es", GUIDE, (USE,), own_layers=(POINTS,))


def plan_of(document):
    layers = tuple(LayerPlan(WmsSource(entry.endpoint, name, "", "image/png", "EPSG:25830"),
                             name.title(), entry_index=index,
                             service_title=entry.title)
                   for index, entry in enumerate(document.entries) for name in entry.layers)
    return Plan(document.title, document.crs, layers, language=document.language, own_layers=document.own_layers,
                terms=(None,) * len(document.entries), legends=tuple(entry.legend for entry in document.entries))


def tree_of(document):
    return legend_tree(plan_of(document))


def shown(document):
    """The groups of the legend with their layers, without hidden ones."""
    groups = [(group.title, [item.title for item in group.items if not item.is_hidden]) for group in tree_of(document)]
    return [group for group in groups if group[1]]


def item_of(document, title):
    return next(item for group in tree_of(document) for item in group.items if item.title == title)


def group_of(document, title):
    return next(group for group in tree_of(document) if group.title == title)


def under(document, heading, *titles):
    references = [item_of(document, title).reference for title in titles]
    return legend_changes.put_under_heading(document, tree_of(document), references, heading)


def hidden(document, *titles, on=True):
    references = [item_of(document, title).reference for title in titles]
    return legend_changes.set_hidden(document, tree_of(document), references, on)


def moved(document, title, beside, above):
    return legend_changes.move(document, tree_of(document), [item_of(document, title).reference],
                               [item_of(document, beside).reference], above)


DEFAULT = [("Uso público", ["Fuentes", "Refugios"]), ("", ["Puntos"]), ("Guía", ["Caminos", "Rios", "Relieve"])]


def test_without_edits_the_layer_drawn_last_is_the_first():
    assert shown(MAP) == DEFAULT and not legend_changes.is_edited(MAP)
    assert tree_of(MAP)[0].entry_index == 1 and tree_of(MAP)[1].entry_index is None


def test_titles_are_those_of_the_maps_language():
    spanish = legend_changes.rename_layer(MAP, item_of(MAP, "Rios"), " Ríos\ny  arroyos ")
    spanish = legend_changes.rename_group(spanish, tree_of(spanish), group_of(spanish, "Guía"), "Terreno")
    spanish = legend_changes.rename_layer(spanish, item_of(spanish, "Puntos"), "Hitos")
    assert shown(spanish) == [DEFAULT[0], ("", ["Hitos"]), ("Terreno", ["Caminos", "Ríos y arroyos", "Relieve"])]
    english = replace(spanish, language="en")
    assert shown(english) == DEFAULT, "a Spanish title is none of an English page"
    english = legend_changes.rename_layer(english, item_of(english, "Rios"), "Rivers")
    assert shown(english)[2][1][1] == "Rivers" and shown(replace(english, language="es")) == shown(spanish)
    assert shown(replace(english, language="en-GB"))[2][1][1] == "Rivers"
    back = legend_changes.rename_layer(english, item_of(english, "Rivers"), "Rios")
    assert back == replace(spanish, language="en"), "the default title is no edit"
    assert legend_changes.reset(english) == replace(MAP, language="en")


def test_layers_of_several_services_stand_under_one_heading():
    water = under(under(MAP, "Agua", "Fuentes"), " agua ", "Rios", "Puntos")
    assert shown(water) == [("Agua", ["Fuentes", "Puntos", "Rios"]), ("Uso público", ["Refugios"]),
                            ("Guía", ["Caminos", "Relieve"])]
    renamed = legend_changes.rename_group(replace(water, language="en"), tree_of(water), group_of(water, "Agua"),
                                          "Water")
    assert shown(renamed)[0] == ("Water", ["Fuentes", "Puntos", "Rios"])
    assert shown(replace(renamed, language="es")) == shown(water)
    assert shown(replace(water, language="en"))[0][0] == "Agua", "a heading has no other title"
    assert shown(under(water, "", "Rios")) == [("Agua", ["Fuentes", "Puntos"]), ("Uso público", ["Refugios"]),
                                               ("Guía", ["Caminos", "Rios", "Relieve"])]
    written = replace(MAP, base=replace(GUIDE, legend=EntryLegend(heading={"es": "AGUA"})),
                      own_layers=(replace(POINTS, legend=LayerLegend(heading={"es": "agua"})),))
    assert shown(written)[1] == ("agua", ["Puntos", "Caminos", "Rios", "Relieve"]), "however it is written"
    none = legend_changes.rename_group(water, tree_of(water), group_of(water, "Agua"), "")
    assert none == MAP


def test_what_holds_for_a_whole_service_is_stored_with_it():
    whole = hidden(under(MAP, "Agua", "Fuentes", "Refugios"), "Fuentes", "Refugios")
    assert whole.overlays[0].legend == EntryLegend(heading={"es": "Agua"}, hidden=True)
    later = replace(whole, overlays=(replace(whole.overlays[0], layers=("refugios", "fuentes", "nueva"),
                                             styles=("",) * 3),))
    assert item_of(later, "Nueva").is_hidden and group_of(later, "Agua").items[0].title == "Nueva"
    one = hidden(whole, "Fuentes", on=False)
    assert one.overlays[0].legend.hidden is False and one.overlays[0].legend.layers["refugios"].hidden
    assert shown(one) == [("Agua", ["Fuentes"]), *DEFAULT[1:]]
    out = under(one, "", "Refugios")
    assert out.overlays[0].legend.heading == {} and out.overlays[0].legend.layers["fuentes"].heading == {"es": "Agua"}
    assert hidden(hidden(MAP, "Fuentes"), "Refugios").overlays[0].legend == EntryLegend(hidden=True)


def test_a_hidden_layer_is_in_no_legend():
    plan = plan_of(hidden(MAP, "Rios", "Puntos"))
    assert [layer.title for layer in plan.layers if not is_in_legend(plan, layer)] == ["Rios"]
    assert shown(hidden(MAP, "Rios", "Puntos")) == [DEFAULT[0], ("Guía", ["Caminos", "Relieve"])]
    assert hidden(hidden(MAP, "Rios", "Puntos"), "Rios", "Puntos", on=False) == MAP


def test_layers_and_groups_are_moved():
    assert shown(moved(MAP, "Rios", "Caminos", above=True))[2][1] == ["Rios", "Caminos", "Relieve"]
    document = legend_changes.move(MAP, tree_of(MAP), group_of(MAP, "Guía").references,
                                   group_of(MAP, "Uso público").references, above=True)
    assert [group[0] for group in shown(document)] == ["Guía", "Uso público", ""]
    document = legend_changes.move(document, tree_of(document), group_of(document, "Guía").references,
                                   item_of(document, "Puntos").reference and
                                   [item_of(document, "Puntos").reference], above=False)
    assert [group[0] for group in shown(document)] == ["Uso público", "", "Guía"]
    assert legend_changes.move(MAP, tree_of(MAP), group_of(MAP, "Guía").references, [], above=True) == MAP


def test_a_layer_without_a_position_follows_the_one_that_it_lies_below():
    document = moved(MAP, "Relieve", "Caminos", above=True)
    new = replace(document.base, layers=("relieve", "cotas", "rios", "caminos", "nombres"), styles=("",) * 5)
    assert shown(replace(document, base=new))[2][1] == ["Nombres", "Relieve", "Caminos", "Rios", "Cotas"]
    first = legend_changes.move(MAP, tree_of(MAP), group_of(MAP, "Guía").references,
                                group_of(MAP, "Uso público").references, above=True)
    use = replace(first.overlays[0], layers=("refugios", "fuentes", "mesas"), styles=("",) * 3)
    assert [group[0] for group in shown(replace(first, overlays=(use,)))] == ["Guía", "Uso público", ""]


def test_a_moved_moment_of_a_time_series_stands_for_the_others():
    rain = MapEntry("https://x.org/rain?", "Lluvia", layers=("dia_1",), styles=("",), moment="2016-06-01")
    document = replace(MAP, overlays=(USE, rain))
    document = legend_changes.move(document, tree_of(document), [item_of(document, "Dia_1").reference],
                                   [item_of(document, "Relieve").reference], above=False)
    other_day = replace(document, overlays=(document.overlays[0], replace(document.overlays[1], layers=("dia_2",))))
    assert shown(other_day)[-1] == ("Lluvia", ["Dia_2"])


def test_small_multiples_share_an_edited_legend():
    layers = tuple(LayerPlan(WmsSource("https://x.org/rain?", f"lluvia_2016060{day}", "", "image/png", "EPSG:25830"),
                             f"Lluvia, {day} de junio de 2016", service_title="Lluvia, junio de 2016")
                   for day in (1, 2, 3))
    plan = Plan("", "EPSG:25830", layers, legends=(EntryLegend({"es": "Precipitación"}, layers={
        "lluvia_20160601": LayerLegend({"es": "mm"})}),))
    group, = legend_tree(replace(plan, layers=legend_layer_plans(plan)))
    assert (group.title, [item.title for item in group.items]) == ("Precipitación", ["mm"])


def test_a_time_series_is_one_layer_of_the_legend_and_is_edited_as_one():
    def shown_once(document, classes=lambda layer: None):
        return [series_once(group.items, classes, lambda moment: moment) for group in tree_of(document)]

    days = tuple(f"lluvia, {day} de junio de 2016" for day in (3, 1, 2))
    rain = MapEntry("https://x.org/rain?", "Lluvia", layers=("estaciones", *days), styles=("",) * 4)
    document = CustomMap("Mapa", "es", rain)
    (series, stations), = shown_once(document)
    assert (series.title, stations.title) == ("Lluvia, 2016-06-01 – 2016-06-03", "Estaciones")
    assert [len(items) for items in shown_once(document, lambda layer: layer.name)] == [4], "of different classes"
    titled = legend_changes.rename_layer(document, series, "Lluvia del mes")
    (series, _), = shown_once(titled)
    assert series.title == "Lluvia del mes" and legend_changes.rename_layer(titled, series, "") == document
    kept = legend_changes.set_hidden(titled, tree_of(titled), series.references, True)
    assert shown(kept) == [("Lluvia", ["Estaciones"])] and shown_once(kept)[0][0].is_hidden
    below = legend_changes.move(document, tree_of(document), series.references, [stations.reference], above=False)
    assert [item.title for item in shown_once(below)[0]] == ["Estaciones", "Lluvia, 2016-06-01 – 2016-06-03"]


def test_texts_by_language():
    texts = {"es": "a", "pt-BR": "b"}
    assert [text_in(texts, code) for code in ("es", "es-MX", "ES_es", "pt", "en")] == ["a", "a", "a", "b", ""]
    assert with_text(texts, "pt", "c") == {"es": "a", "pt": "c"} and with_text(texts, "es", "") == {"pt-BR": "b"}


LEGEND = {"titles": {"es": "Uno"}, "heading": {"en": "Two"}, "hidden": True, "position": 3, "later": [1]}


def document_with(legend, own=None):
    document = json.loads(write_document(MAP))
    document["base"]["legend"] = legend
    if own is not None:
        document["own_layers"][0]["legend"] = own
    return json.dumps(document).encode()


def test_documents_without_a_legend_stay_as_they_were_and_unknown_members_are_kept():
    assert b"legend" not in write_document(MAP)
    read = read_document(document_with({**LEGEND, "layers": {"rios": LEGEND}}, LEGEND))
    edit = LayerLegend({"es": "Uno"}, {"en": "Two"}, True, 3, {"later": [1]})
    assert read.own_layers[0].legend == edit and read.base.legend.layers == {"rios": edit}
    assert read.base.legend.extra == {"later": [1]} and read.base.extra == {}
    written = json.loads(write_document(read))
    assert written["base"]["legend"] == {**LEGEND, "layers": {"rios": LEGEND}}
    assert written["own_layers"][0]["legend"] == LEGEND
    assert json.loads(write_document(legend_changes.reset(read)))["base"]["legend"] == {"later": [1]}


@pytest.mark.parametrize(("legend", "pointer"), [
    ([], "/base/legend"), ({"titles": []}, "/base/legend/titles"), ({"titles": {"es": 1}}, "/base/legend/titles/es"),
    ({"titles": {"es": "a" * 301}}, "/base/legend/titles/es"), ({"titles": {"../es": "a"}}, "/base/legend/titles"),
    ({"heading": {f"a{chr(97 + number // 26)}{chr(97 + number % 26)}": "a" for number in range(41)}},
     "/base/legend/heading"),
    ({"hidden": "yes"}, "/base/legend/hidden"), ({"position": -1}, "/base/legend/position"),
    ({"position": 1e9}, "/base/legend/position"), ({"layers": {"rios": 1}}, "/base/legend/layers/rios"),
    ({"layers": {str(number): {} for number in range(5_001)}}, "/base/legend/layers"),
    ({"layers": {"rios": {"position": "1"}}}, "/base/legend/layers/rios/position"),
])
def test_a_broken_legend_is_refused_with_its_place(legend, pointer):
    with pytest.raises(InvalidDocument) as caught:
        read_document(document_with(legend))
    assert caught.value.pointer == pointer


def test_titles_are_read_as_one_line_and_empty_ones_are_none():
    read = read_document(document_with({"titles": {"es": " a\n\tb\u0007 ", "en": "  "}}))
    assert read.base.legend.titles == {"es": "a b"}
    huge = read_document(document_with({"position": 2.0}))
    assert huge.base.legend.position == 2 and isinstance(huge.base.legend.position, int)


NUMBER = st.integers(0, 20)
STEPS = st.lists(st.tuples(st.sampled_from(["rename", "title", "heading", "hide", "show", "move", "language"]), NUMBER,
                           NUMBER, st.sampled_from(["", "Agua", "Vías", "Rios", "<b>x</b>"])), max_size=12)


def changed(document, step):
    kind, one, other, text = step
    tree = tree_of(document)
    group = tree[one % len(tree)]
    items = [item for each in tree for item in each.items]
    item, beside = items[one % len(items)], items[other % len(items)]
    if kind == "rename":
        return legend_changes.rename_layer(document, item, text)
    if kind == "title":
        return legend_changes.rename_group(document, tree, group, text)
    if kind == "heading":
        return legend_changes.put_under_heading(document, tree, group.references if other % 2 else [item.reference],
                                                text)
    if kind in ("hide", "show"):
        return legend_changes.set_hidden(document, tree, group.references if other % 2 else [item.reference],
                                         kind == "hide")
    if kind == "move":
        return legend_changes.move(document, tree, [item.reference], [beside.reference], bool(one % 2))
    return replace(document, language="en" if one % 2 else "es")


@settings(max_examples=examples(150), deadline=None)
@given(STEPS)
def test_whatever_is_edited_each_layer_is_there_once_and_the_document_reads_back(steps):
    document = MAP
    for step in steps:
        document = changed(document, step)
        titles = [item.default_title for group in tree_of(document) for item in group.items]
        assert sorted(titles) == ["Caminos", "Fuentes", "Puntos", "Refugios", "Relieve", "Rios"]
        assert read_document(write_document(document)) == document
        headings = [group.title.casefold() for group in tree_of(document) if group.heading is not None]
        assert len(set(headings)) == len(headings), "layers with one heading are in one group"
    assert legend_changes.reset(document) == replace(MAP, language=document.language)


@settings(max_examples=examples(100), deadline=None)
@given(STEPS, NUMBER, NUMBER, st.booleans())
def test_a_hidden_layer_is_hidden_and_the_others_stay(steps, one, other, whole):
    document = MAP
    for step in steps:
        document = changed(document, step)
    items = {item.reference: item.is_hidden for group in tree_of(document) for item in group.items}
    group = tree_of(document)[one % len(tree_of(document))]
    references = group.references if whole else group.references[:1]
    after = legend_changes.set_hidden(document, tree_of(document), references, bool(other % 2))
    for reference, was_hidden in items.items():
        found = next(item for group in tree_of(after) for item in group.items if item.reference == reference)
        assert found.is_hidden == (bool(other % 2) if reference in references else was_hidden)
    order = [item.reference for group in tree_of(document) for item in group.items]
    assert [item.reference for group in tree_of(after) for item in group.items] == order


@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from(["Roads", "Rivers", "Vías", ""])),
       st.dictionaries(st.sampled_from("abc"), st.sampled_from(["Mine", "Yours"])), st.sampled_from(["en", "en_GB"]))
def test_names_of_a_service_fill_what_has_no_name_in_the_language(names, edited, language):
    layers = {name: LayerLegend({language: title, "es": "Mías"}) for name, title in edited.items()}
    document = CustomMap(base=MapEntry("http://x.org/w?", layers=("a", "b"), legend=EntryLegend(layers=layers)),
                         overlays=(MapEntry("http://x.org/other?"),), language="en")
    found = {"http://x.org/w?": ServiceNames("The service", names)}
    originals = {"http://x.org/w?": ServiceNames("El servicio", {"a": "Vías", "b": "Vías"})}
    named = with_service_names(document, (), found, originals)
    legend = named.base.legend
    assert named.overlays == document.overlays and legend.titles == {"en": "The service"}
    for name in "abc":
        title = text_in(legend.of_layer(name).titles, "en")
        if name in edited:
            assert title == edited[name] and legend.layers[name] == layers[name]
        elif name == "c" or names.get(name, "") in ("", "Vías"):
            assert title == "" and name not in legend.layers
        else:
            assert title == names[name]
    assert with_service_names(named, (), found, originals) == named


@pytest.mark.parametrize(("languages", "default", "wanted", "code"), [
    (("spa", "eng"), "spa", "en", "eng"), (("spa", "eng"), "spa", "es", None), (("spa",), "spa", "en", None),
    (("deu", "fra"), "deu", "fr", "fra"), (("eng", "spa"), None, "en_GB", "eng"), ((), None, "en", None),
    (("spa", "eng"), "spa", "xx", None), (("spa", "eng"), "spa", "", None)])
def test_a_service_offers_a_language_that_it_lists_beside_its_default(languages, default, wanted, code):
    assert offered_language(Service("1.3.0", languages=languages, default_language=default), wanted) == code

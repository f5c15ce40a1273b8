"""The printed legend by what visitors look for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.custommap.legend import changes
from plugin.core.custommap.legend.tree import legend_tree, printed_tree
from plugin.core.custommap.model import CustomMap, MapEntry
from tests.unit.custommap.test_legend import POINTS, plan_of

GUIDE = MapEntry("https://x.org/guide?", "Mapa guía", layers=(
    "relieve y cubierta vegetal", "curvas de nivel", "núcleos urbanos", "ríos y arroyos", "límite del parque natural",
    "ferrocarril", "pistas y caminos", "carreteras", "senderos señalizados", "toponimia", "geología"),
    styles=("",) * 11)
USE = MapEntry("https://x.org/use?", "Equipamientos", layers=(
    "fuentes y puntos de agua", "inicio de senderos señalizados", "miradores"), styles=("",) * 3)
MAP = CustomMap("Parque", "es", GUIDE, (USE,), own_layers=(POINTS,))


def printed(document):
    return [(group.title, [item.title for item in group.items]) for group in printed_tree(plan_of(document))]


def test_layers_stand_by_what_visitors_look_for_and_under_no_services_title():
    assert printed(MAP) == [
        ("", ["Puntos"]),
        ("Equipamientos", ["Miradores", "Inicio De Senderos Señalizados", "Fuentes Y Puntos De Agua"]),
        ("Senderos y caminos", ["Senderos Señalizados", "Pistas Y Caminos"]),
        ("Carreteras y ferrocarril", ["Carreteras", "Ferrocarril"]), ("Agua", ["Ríos Y Arroyos"]),
        ("Poblaciones y lugares", ["Toponimia", "Núcleos Urbanos"]),
        ("Relieve y vegetación", ["Curvas De Nivel", "Relieve Y Cubierta Vegetal"]),
        ("Límites", ["Límite Del Parque Natural"]), ("Otros datos", ["Geología"])]
    assert [title for title, _ in printed(replace(MAP, language="en"))][1:4] == [
        "Facilities", "Trails and tracks", "Roads and railways"]


def test_a_legend_that_somebody_ordered_or_headed_is_printed_so():
    tree = legend_tree(plan_of(MAP))
    for edited in (changes.rename_group(MAP, tree, tree[0], "Qué ver"),
                   changes.put_under_heading(MAP, tree, tree[0].references[:1], "Qué ver"),
                   changes.move(MAP, tree, tree[-1].references, tree[0].references, True)):
        assert printed_tree(plan_of(edited)) == legend_tree(plan_of(edited))
    renamed = changes.rename_layer(MAP, tree[0].items[0], "Vistas")
    assert printed(renamed)[1] == ("Equipamientos", ["Vistas", *printed(MAP)[1][1][1:]]), "another title is no order"


def test_rain_beside_a_boundary_is_weather_and_not_other_data():
    rain = MapEntry("https://x.org/rain?", "Lluvia", layers=("límite", "precipitación total diaria, 1 de junio"),
                    styles=("", ""))
    document = replace(MAP, overlays=(rain,), own_layers=())
    assert printed(document)[0] == ("Tiempo y clima", ["Precipitación Total Diaria, 1 De Junio"])
    assert printed(document)[-2:] == [
        ("Límites", ["Límite", "Límite Del Parque Natural"]), ("Otros datos", ["Geología"])]


@pytest.mark.parametrize("title", ["Estación 7", "Geología"])
def test_a_service_of_no_known_subject_keeps_its_group(title):
    document = replace(MAP, base=replace(GUIDE, layers=(title,), styles=("",)))
    assert printed(document)[1] == ("Mapa guía", [title.title()])


@pytest.mark.parametrize(("heading", "titles"), [
    ("Poblaciones y lugares", ("Cumbres", "Pueblos y aldeas", "Vértices geodésicos", "Peaks", "Villages")),
    ("Agua", ("Cascadas", "Canales y acequias", "Barrancos", "Springs", "Reservoirs")),
    ("Límites", ("Zonas de reserva", "Zona periférica de protección", "Parque Natural Despeñaperros", "Comarcas",
                 "Buffer zone", "Protected areas")),
    ("Relieve y vegetación", ("Matorral", "Cultivos", "Pinares", "Hábitats", "Vegetación del parque natural", "Crops",
                              "Scrub", "Forest")),
    ("Otros datos", ("Geología", "Incendios forestales", "Forest fires", "Suelos")),
    ("Senderos y caminos", ("Pistas forestales", "Rutas del parque natural", "Footpaths")),
    ("Carreteras y ferrocarril", ("Calles", "Forest roads"))])
def test_the_words_of_a_park_have_their_subjects_in_both_languages(heading, titles):
    layers = ("miradores", *titles)
    document = CustomMap("Parque", "es", MapEntry("https://x.org/guide?", "Mapa guía", layers=layers,
                                                  styles=("",) * len(layers)))
    assert {group: len(items) for group, items in printed(document)} == {"Equipamientos": 1, heading: len(titles)}

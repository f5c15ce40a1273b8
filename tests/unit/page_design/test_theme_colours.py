"""Themes of pages: readable for everybody, whatever colours a person has, and kept in documents."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plugin.core.custommap.document import read_document, write_document
from plugin.core.custommap.model import CustomMap
from plugin.core.errors import CartoguideError
from plugin.core.page_design import page_themes
from plugin.core.page_design.page_themes import THEME_NAMES, contrast, find_theme, readable_colour, rgb

#: severity 1.0 of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
#: Deficiency", IEEE TVCG 15(6), 2009: matrices for linear sRGB
DEFICIENCIES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}
#: colours that tell things apart on a page: the line below the title from its ground, the map's area from the land
PAIRS = (("band", "accent"), ("extent", "region"), ("extent", "land"), ("extent", "neighbour"), ("extent", "sea"),
         ("heading", "region"))
#: persons' colours: pale, dark, saturated, and one of a network's own manual
OWN = (("#ffd500", "#0055aa"), ("#000000", "#ffffff"), ("#ff0000",), ("#007a33", "#a0c000"), ("#ffffff",))


def linear(colour):
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055)**2.4
            for part in (value / 255 for value in rgb(colour))]


def lab(colour, deficiency):
    """CIELAB (D65) of a colour as a person with the deficiency sees it."""
    seen = linear(colour)
    red, green, blue = (min(1.0, max(0.0, sum(share * part for share, part in zip(row, seen))))
                        for row in DEFICIENCIES[deficiency])
    parts = ((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047, 0.2126 * red + 0.7152 * green + 0.0722 * blue,
             (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    x, y, z = (part**(1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one, two, deficiency):
    """The difference of two colours (CIE 1976), about 2 where it can just be seen."""
    return sum((a - b)**2 for a, b in zip(lab(one, deficiency), lab(two, deficiency)))**0.5


def texts_and_grounds(theme):
    yield from (("title", theme.title, theme.band), ("subtitle", theme.subtitle, theme.band))
    yield from ((name, getattr(theme, name), "#ffffff") for name in ("heading", "ink", "muted"))
    yield from ((f"place on {name}", theme.place, getattr(theme, name))
                for name in ("region", "land", "neighbour", "sea", "ground"))


def all_themes():
    return [find_theme(name) for name in THEME_NAMES] + [find_theme("own", colours) for colours in OWN]


@pytest.mark.parametrize("theme", all_themes(), ids=lambda theme: f"{theme.name}{theme.band}")
def test_every_text_stands_out_from_its_ground(theme):
    assert {name: round(contrast(text, ground), 2) for name, text, ground in texts_and_grounds(theme)
            if contrast(text, ground) < 4.5} == {}


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
@pytest.mark.parametrize("name", [name for name in THEME_NAMES if name != "own"])
def test_colours_are_told_apart_by_people_who_do_not_see_red_or_green(name, deficiency):
    theme = find_theme(name)
    least = 40 if name == "high-contrast" else 25
    found = {pair: round(distance(getattr(theme, pair[0]), getattr(theme, pair[1]), deficiency)) for pair in PAIRS}
    assert {pair: value for pair, value in found.items() if value < least} == {}


def test_the_simulation_finds_colours_that_only_red_and_green_tell_apart():
    assert distance("#c04020", "#60762f", "none") > 60 > 25 > distance("#c04020", "#60762f", "deuteranopia")


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_there_are_themes_to_choose_from_and_no_two_are_alike():
    looks = [(theme.band, theme.accent, theme.ink) for theme in map(find_theme, THEME_NAMES[:-1])]
    assert len(looks) == len(set(looks)) >= 4
    assert [page_themes.theme_title(name) for name in THEME_NAMES] == [
        "Standard", "Park", "Blue-grey", "High contrast", "Own colours"]
    assert page_themes.theme_title("night") == "night" and find_theme("night") == find_theme("standard")
    assert page_themes.theme_title("large-print") == "Large print", "documents of former versions name it"
    assert find_theme("large-print") == find_theme("high-contrast") and "large-print" not in THEME_NAMES


def test_own_colours_are_used_as_they_are_where_they_can_be_read_and_darkened_where_not():
    dark = find_theme("own", ("#007a33", "#A0C000"))
    assert (dark.band, dark.heading, dark.accent) == ("#007a33", "#007a33", "#a0c000")
    assert page_themes.darkened_colours(("#007a33", "#a0c000")) == []
    light = find_theme("own", ("#ffd500",))
    (given, used), = page_themes.darkened_colours(("#ffd500",))
    assert given == "#ffd500" and used == light.band == light.heading == readable_colour("#ffd500")
    red, green, blue = rgb(used)
    assert red > green > blue, "still a yellow"
    assert find_theme("own", ("red", "#12")).band == find_theme("standard").band


def test_a_document_keeps_its_theme_and_older_documents_stay_as_they_are():
    plain = CustomMap("Mapa")
    assert b"theme" not in write_document(plain) and read_document(write_document(plain)).page.theme == "standard"
    themed = replace(plain, page=replace(plain.page, theme="large-print"))
    written = json.loads(write_document(themed))
    assert written["page"]["theme"] == "large-print" and read_document(write_document(themed)) == themed
    written["page"]["theme"] = "night"
    later = read_document(json.dumps(written).encode())
    assert later.page.theme == "night" and json.loads(write_document(later))["page"]["theme"] == "night"
    for wrong in ("../x", "", "X" * 3, 5):
        written["page"]["theme"] = wrong
        with pytest.raises(CartoguideError):
            read_document(json.dumps(written).encode())

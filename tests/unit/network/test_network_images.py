"""Images of the test network: right place, right size on paper, legible legends, the same rain on each paper."""

from __future__ import annotations

import re

import numpy
import pyproj
import pytest
from network import REFERENCE

BOXES = {"guide": (449000, 4243000, 461000, 4253000)}


def centre_of_symbol(picture):
    """Column and row (pixel edges) of the middle of everything drawn."""
    alpha = picture.pixels[3]
    rows, columns = numpy.nonzero(alpha > 127)
    return (columns.min() + columns.max() + 1) / 2, (rows.min() + rows.max() + 1) / 2


@pytest.mark.parametrize(
    "crs, half, north_first",
    [
        ("EPSG:25830", 700.0, False),
        ("EPSG:3042", 700.0, True),
        ("EPSG:3857", 900.0, False),
        ("EPSG:4326", 0.008, True),
    ],
)
def test_the_reference_facility_stands_at_its_coordinates(get_map, crs, half, north_first):
    move = pyproj.Transformer.from_crs("EPSG:25830", crs, always_xy=True)
    x, y = move.transform(REFERENCE["x"], REFERENCE["y"])
    # Not centred on the picture, so that a picture turned or mirrored cannot pass.
    west, east, south, north = x - half * 0.6, x + half * 1.4, y - half * 0.9, y + half * 1.1
    box = (south, west, north, east) if north_first else (west, south, east, north)
    picture = get_map("facilities", REFERENCE["layer"], box, 400, 400, CRS=crs, TRANSPARENT="TRUE")
    column, row = centre_of_symbol(picture)
    assert abs(column - 400 * 0.6 / 2.0) <= 1.0 and abs(row - 400 * 1.1 / 2.0) <= 1.0


def test_no_other_facility_stands_near_the_reference(get_map):
    x, y, clear = REFERENCE["x"], REFERENCE["y"], REFERENCE["clearance"] * 0.95
    everything = get_map(
        "facilities", "NODO", (x - clear, y - clear, x + clear, y + clear), 300, 300, TRANSPARENT="TRUE"
    )
    rows, columns = numpy.nonzero(everything.pixels[3] > 127)
    assert len(rows) and abs(rows - 150).max() < 40 and abs(columns - 150).max() < 40


def test_symbols_keep_their_size_on_paper(get_map):
    x, y = REFERENCE["x"], REFERENCE["y"]
    widths = []
    for dpi in (96, 300):
        side = round(dpi * 2)
        half = 60000 * side / dpi * 0.0254 / 2
        picture = get_map(
            "facilities",
            REFERENCE["layer"],
            (x - half, y - half, x + half, y + half),
            side,
            side,
            MAP_RESOLUTION=dpi,
            TRANSPARENT="TRUE",
        )
        columns = numpy.nonzero(picture.pixels[3] > 127)[1]
        widths.append((columns.max() - columns.min() + 1) / dpi * 25.4)
    assert widths[0] == pytest.approx(widths[1], abs=0.5) and 4 < widths[1] < 6, f"millimetres: {widths}"


def test_relief_comes_as_jpeg_and_covers_the_sheet(get_map):
    picture = get_map("guide", "relieve", (442000, 4236500, 468000, 4260500), 260, 240, FORMAT="image/jpeg")
    assert picture.type == "image/jpeg"
    pixels = picture.pixels.astype(int)
    assert (pixels.min(axis=0) < 253).mean() > 0.995 and pixels.std() > 10


@pytest.mark.parametrize(
    "layer, scale, drawn",
    [
        ("curvas_nivel", 50000, True),
        ("curvas_nivel", 150000, False),
        ("pistas_caminos", 75000, True),
        ("pistas_caminos", 150000, False),
        ("carreteras", 400000, True),
    ],
)
def test_layers_keep_to_their_scale_ranges(get_map, layer, scale, drawn):
    half = scale * 500 / 96 * 0.0254 / 2
    box = (455000 - half, 4248500 - half, 455000 + half, 4248500 + half)
    picture = get_map("guide", layer, box, 500, 500, TRANSPARENT="TRUE")
    assert bool((picture.pixels[3] > 60).any()) is drawn


def test_the_whole_park_at_print_scale_is_full_of_map(get_map):
    # The box of an A4 map frame at 1:75 000, at 96 dpi.
    picture = get_map("guide", "NODO", (444875, 4241600, 465125, 4255100), 1020, 680).pixels.astype(int)
    assert (picture.min(axis=0) >= 250).mean() < 0.08, "hardly any bare paper"
    tiles = [picture[:, r : r + 136, c : c + 136].std() for r in range(0, 680, 136) for c in range(0, 1020, 136)]
    assert min(tiles) > 12, "something is drawn everywhere"


@pytest.mark.parametrize("key", ["guide", "facilities", "precipitation"])
def test_every_layer_has_a_legend_at_screen_and_print_resolution(network, fetch, key):
    capabilities = fetch(network.endpoints[key], {"SERVICE": "WMS", "REQUEST": "GetCapabilities"}).text
    names = re.findall(r"<Name>([^<]+)</Name>", capabilities.split("</Capability>")[0].split("<Layer", 1)[1])
    names = [name for name in names if name not in ("default", "NODO")]
    assert len(names) > 10
    for name in names if key != "precipitation" else names[14:17]:
        sizes = []
        for dpi in (96, 300):
            got = fetch(
                network.endpoints[key],
                {
                    "SERVICE": "WMS",
                    "VERSION": "1.3.0",
                    "REQUEST": "GetLegendGraphic",
                    "SLD_VERSION": "1.1.0",
                    "LAYER": name,
                    "FORMAT": "image/png",
                    "STYLE": "default",
                    "MAP_RESOLUTION": dpi,
                },
            )
            assert got.type == "image/png", got.text
            pixels = got.pixels
            assert pixels.std() > 5, f"the legend of {name} is blank"
            sizes.append(pixels.shape[1:])
        for screen, print_ in zip(*sizes):
            # MapServer's margin of 5 pixels on each side does not grow.
            assert (print_ - 10) / (screen - 10) == pytest.approx(300 / 96, rel=0.2), name


def colours(picture):
    return {tuple(colour) for colour in picture.pixels[:3].reshape(3, -1).T.tolist()}


def test_rain_is_a_surface_that_changes_from_day_to_day(get_map):
    box = (100000, 3975000, 622000, 4290000)
    days = {day: get_map("precipitation", f"precipitacion_201606{day:02d}", box, 400, 241) for day in (5, 16, 17)}
    assert all(got.type == "image/png" for got in days.values())
    assert len(colours(days[16])) >= 8 and len(colours(days[17])) >= 8
    assert days[16].body != days[17].body
    assert len(colours(days[5])) <= 3, "the fifth was dry"


@pytest.mark.parametrize(
    "crs, box",
    [
        ("EPSG:3042", (3975000, 100000, 4290000, 622000)),
        ("EPSG:3857", (-850000, 4280000, -170000, 4700000)),
        ("EPSG:4326", (35.8, -7.6, 38.8, -1.5)),
    ],
)
def test_rain_is_drawn_in_other_systems_too(get_map, crs, box):
    wide, high = (box[3] - box[1], box[2] - box[0]) if crs != "EPSG:3857" else (box[2] - box[0], box[3] - box[1])
    picture = get_map("precipitation", "precipitacion_20160616", box, 400, round(400 * high / wide), CRS=crs)
    assert len(colours(picture)) >= 8


def test_rain_within_one_class_step_of_its_stations(network, fetch, get_map):
    """The surface passes through the stations: at each the colour's class holds its value, or a neighbour does."""
    from netserve.mapfiles import RAIN

    gml = fetch(
        network.endpoints["precipitation"],
        {
            "SERVICE": "WMS",
            "VERSION": "1.3.0",
            "REQUEST": "GetFeatureInfo",
            "LAYERS": "estaciones",
            "STYLES": "",
            "QUERY_LAYERS": "estaciones",
            "CRS": "EPSG:25830",
            "BBOX": "100000,3975000,622000,4290000",
            "WIDTH": 8,
            "HEIGHT": 5,
            "FORMAT": "image/png",
            "I": 4,
            "J": 2,
            "FEATURE_COUNT": 200,
            "INFO_FORMAT": "application/vnd.ogc.gml",
        },
    ).text
    found = re.findall(r"<gml:coordinates>([\d.]+),([\d.]+) .*?<P16>([\d.]+)</P16>", gml, re.S)
    assert len(found) >= 15
    picture = get_map("precipitation", "precipitacion_20160616", (100000, 3975000, 622000, 4290000), 1044, 630).pixels
    bounds = [float(low) for low, *_ in RAIN]
    shades = [tuple(int(colour[i : i + 2], 16) * 0.85 + 255 * 0.15 for i in (1, 3, 5)) for *_, colour in RAIN]
    right = 0
    for x, y, value in ((float(a), float(b), float(c)) for a, b, c in found):
        pixel = picture[:3, int((4290000 - y) / 500), int((x - 100000) / 500)]
        nearest = min(range(len(shades)), key=lambda i: sum((float(p) - s) ** 2 for p, s in zip(pixel, shades[i])))
        expected = sum(value >= bound for bound in bounds) - 1
        right += abs(nearest - expected) <= 1
    assert right >= 0.9 * len(found)


def test_a_place_has_one_days_rain_on_every_paper(get_map):
    """The 17th over the park: a wide image, and a narrow one with fewer stations in it, have the same colours."""
    name, metre = "precipitacion_20160617", 25
    wide = get_map("precipitation", name, (434000, 4238000, 474000, 4258000), 1600, 800).pixels[:3].astype(int)
    narrow = get_map("precipitation", name, (450000, 4244000, 460000, 4252000), 400, 320).pixels[:3].astype(int)
    same = wide[:, (4258000 - 4252000) // metre:, (450000 - 434000) // metre:][:, :320, :400]
    assert (abs(same - narrow).max(axis=0) <= 8).mean() > 0.99
    assert len({tuple(colour) for colour in narrow.reshape(3, -1).T.tolist()}) > 1


def test_days_of_rain_stay_blank_where_pixels_are_not_square(get_map):
    pictures = [get_map("precipitation", "precipitacion_20160616", (200000, 4100000, 400000, 4200000), 400, rows,
                        TRANSPARENT="TRUE").pixels for rows in (200, 203)]
    assert [bool(picture[3].any()) for picture in pictures] == [True, False]

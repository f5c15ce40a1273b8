"""The region's outline on small maps and animations: it lies where the region's data end."""

from __future__ import annotations

import json
import math
from pathlib import Path

OUTLINE = Path(__file__).resolve().parents[3] / "resources" / "outline"
#: longitude and latitude of capes and of both ends of the coast
KNOWN = {"Punta de Tarifa": (-5.610, 36.000), "Cabo de Gata": (-2.193, 36.722), "Cabo de Trafalgar": (-6.034, 36.183),
         "Punta de Calaburras": (-4.641, 36.507), "Chipiona": (-6.442, 36.738), "Guadiana": (-7.405, 37.172),
         "Terreros": (-1.630, 37.374), "Despeñaperros": (-3.505, 38.390)}
#: kilometres: four pixels of an animation of the region
NEAR = 2.5


def to_plane(longitude, latitude):
    """Kilometres east and north, near enough for the region."""
    return 111.2 * longitude * math.cos(math.radians(37.4)), 111.2 * latitude


def distance(point, start, end):
    length = math.dist(start, end) ** 2
    share = sum((p - s) * (e - s) for p, s, e in zip(point, start, end)) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return math.dist(point, [s + share * (e - s) for s, e in zip(start, end)])


def test_the_regions_outline_is_as_precise_as_an_animation_shows_it():
    features = json.loads((OUTLINE / "land.geojson").read_text("utf-8"))["features"]
    ring, = (one["geometry"]["coordinates"][0] for one in features if one["properties"]["kind"] == "region")
    line = [to_plane(*point) for point in ring]
    assert line[0] == line[-1]
    off = {name: round(min(distance(to_plane(*place), *edge) for edge in zip(line, line[1:])), 1)
           for name, place in KNOWN.items()}
    assert {name: far for name, far in off.items() if far > NEAR} == {}
    assert sum(map(math.dist, line, line[1:])) / (len(line) - 1) < 6.0, "no coast of straight edges"

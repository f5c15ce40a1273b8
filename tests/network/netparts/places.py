"""Geography of the fictional park: extent, towns, peaks and the control points of its main lines.

Everything is ETRS89 / UTM zone 30N (EPSG:25830), metres, east first. Names are of the real district so that maps
read naturally; shapes, heights and facilities are invented.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

Point = Tuple[float, float]

WEST, SOUTH, EAST, NORTH = 442000.0, 4236500.0, 468000.0, 4260500.0
"""The sheet: wide enough for A3 at 1:50 000 and A4 at 1:75 000 in both orientations round the park."""

SEED = 2014

GORGE: List[Point] = [
    (454900, 4260500),
    (455600, 4258200),
    (454800, 4256100),
    (455500, 4254400),
    (455650, 4253000),
    (456450, 4251700),
    (455650, 4250500),
    (456600, 4249300),
    (455900, 4248000),
    (456800, 4246700),
    (456350, 4245200),
    (457300, 4243400),
    (456900, 4241300),
    (457900, 4239100),
    (457600, 4236500),
]
"""The gorge of the river Despeñaperros, downstream (north to south)."""

TOWNS: List[Tuple[str, float, float, int, float, str]] = [
    ("Santa Elena", 452720, 4243350, 1, 420.0, "ll"),
    ("Aldeaquemada", 464300, 4251600, 1, 360.0, "ul"),
    ("Venta de Cárdenas", 454650, 4254900, 2, 210.0, "cl"),
    ("Las Correderas", 455000, 4245900, 3, 120.0, "cl"),
    ("Miranda del Rey", 449700, 4246150, 3, 130.0, "cl"),
    ("Magaña", 459500, 4243900, 3, 95.0, "cr"),
    ("La Aliseda", 448600, 4242250, 3, 90.0, "cl"),
    ("Almuradiel", 457000, 4259300, 2, 250.0, "cr"),
    ("Las Navas de Tolosa", 449300, 4238000, 2, 220.0, "cl"),
    ("Collado de los Jardines", 454150, 4248450, 4, 0.0, "cl"),
    ("Isabela", 462300, 4238600, 3, 110.0, "cr"),
    ("Huerta del Gato", 444700, 4250300, 4, 60.0, "cr"),
]
"""Name, east, north, rank (1 town … 4 named place), radius of the built-up area in metres, where the label stands."""

PEAK_NAMES: List[str] = [
    "Malabrigo",
    "La Estrella",
    "Cerro del Castillo",
    "Monuera",
    "Peñas Rodadas",
    "Cerro del Fraile",
    "Cerro de los Lirios",
    "Cerro de la Yegua",
    "Cerro Navajo",
    "Peña del Águila",
    "Las Tres Hermanas",
    "Cerro Mirandilla",
    "Alto del Mirador",
    "Cerro de la Niebla",
    "Piedra del Letrero",
    "Risco del Buitre",
    "Cerro de las Colmenas",
    "Castro Ferral",
    "Alto del Muradal",
    "Cabeza Parda",
    "Loma del Madroño",
    "Cerro del Moro",
]

STREAMS: List[Tuple[str, float, float]] = [
    ("Arroyo de Valdeazores", 450500, 4249600),
    ("Arroyo del Rey", 450300, 4243000),
    ("Río de la Campana", 446800, 4241800),
    ("Arroyo de Navalquejigo", 450500, 4252700),
    ("Río Magaña", 459500, 4241000),
    ("Arroyo de los Santos", 460500, 4258000),
    ("Arroyo de la Cereceda", 461000, 4243000),
    ("Arroyo del Charcón", 449500, 4256800),
    ("Río Guarrizas", 466800, 4243500),
    ("Arroyo de Martín Pérez", 460500, 4246300),
    ("Arroyo de la Aliseda", 447500, 4239500),
    ("Arroyo del Hornillo", 452700, 4240500),
    ("Arroyo de Doña Eva", 460500, 4254600),
    ("Arroyo de la Dehesa", 462700, 4250500),
    ("Barranco de la Niebla", 453500, 4246800),
]
"""Name and a place near which the stream runs; the greatest stream of all is the river Despeñaperros."""

VALLEYS: List[Tuple[str, float, float, float]] = [
    ("DESFILADERO DE DESPEÑAPERROS", 457650, 4250700, 76.0),
    ("Valdeazores", 451700, 4250350, 0.0),
    ("Umbría de Malabrigo", 459500, 4248900, -8.0),
    ("Navalquejigo", 449900, 4251400, 6.0),
    ("Dehesa de Magaña", 460600, 4245300, -5.0),
]
"""Name, east, north, angle in degrees."""

SIERRAS: List[Tuple[str, float, float, float]] = [
    ("S I E R R A   M O R E N A", 450600, 4253000, 3.0),
    ("S I E R R A   D E   M A L A B R I G O", 462300, 4247300, -6.0),
]

MOTORWAY: List[Point] = [
    (449700, 4236500),
    (450500, 4238600),
    (451400, 4240500),
    (452500, 4242000),
    (453500, 4243300),
    (454300, 4244700),
    (455350, 4245750),
    (455900, 4246900),
    (455350, 4248200),
    (456050, 4249350),
    (455250, 4250500),
    (455950, 4251750),
    (455150, 4253050),
    (455150, 4254600),
    (455700, 4256300),
    (456350, 4258100),
    (456450, 4260500),
]
"""The A-4: up from the plain, along the west side of the gorge, out to the north."""

RAILWAY: List[Point] = [
    (460300, 4236500),
    (459200, 4238700),
    (458600, 4240900),
    (458500, 4243200),
    (457300, 4245100),
    (457500, 4246800),
    (456750, 4248000),
    (457250, 4249400),
    (456350, 4250550),
    (457000, 4251800),
    (456200, 4253100),
    (455900, 4254500),
    (456500, 4256400),
    (457300, 4258300),
    (457500, 4260500),
]

PARK_CENTRE: Point = (455000.0, 4248350.0)
PARK_RADII: Point = (7100.0, 5150.0)

MUNICIPALITIES: Dict[str, Point] = {
    "Santa Elena": (452720, 4244000),
    "Aldeaquemada": (464300, 4251600),
    "La Carolina": (447500, 4239000),
    "Almuradiel": (457000, 4258300),
    "Vilches": (463000, 4239500),
}

REFERENCE: Point = (447500.0, 4256500.0)
"""The reference facility (see facilities.REFERENCE_CODE): nothing else stands within two kilometres of it."""

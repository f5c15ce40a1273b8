"""Public-use facilities: along the ways of the park, and in the other parks of the region."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np
from osgeo import osr

from . import places
from .kinds import KINDS, Kind
from .setting import label_boxes, municipality
from .ways import TRAILS, Ways

Point = Tuple[float, float]
Feature = Tuple[Point, Dict[str, Any]]

REFERENCE_CODE = "MI-000"
REFERENCE_LAYER = "miradores"
REFERENCE_CLEARANCE = 2000.0
"""Metres round places.REFERENCE where there is no other facility."""

FIELDS = [
    ("CODIGO", str, 10),
    ("NOMBRE", str, 80),
    ("TIPO", str, 40),
    ("CAPA", str, 30),
    ("MUNICIPIO", str, 40),
    ("ESPACIO", str, 60),
    ("TELEFONO", str, 15),
    ("ACCESIBLE", str, 2),
    ("HORARIO", str, 60),
    ("ESTADO", str, 20),
    ("RANGO", int, 2),
]

PARK = "Parque Natural Despeñaperros"

OTHER_PARKS: List[Tuple[str, str, float, float, float, int]] = [
    ("Parque Natural Sierras de Cazorla, Segura y Las Villas", "Cazorla", -2.87, 38.05, 22, 26),
    ("Parque Natural Sierra de Andújar", "Andújar", -4.03, 38.25, 14, 18),
    ("Parque Natural Sierra de Cardeña y Montoro", "Cardeña", -4.32, 38.22, 9, 10),
    ("Parque Natural Sierra de Hornachuelos", "Hornachuelos", -5.26, 37.92, 11, 10),
    ("Parque Natural Sierra Norte de Sevilla", "Constantina", -5.72, 37.95, 17, 14),
    ("Parque Natural Sierra de Aracena y Picos de Aroche", "Aracena", -6.68, 37.92, 19, 16),
    ("Parque Natural Sierra de Grazalema", "Grazalema", -5.39, 36.76, 10, 14),
    ("Parque Natural Los Alcornocales", "Alcalá de los Gazules", -5.60, 36.45, 17, 14),
    ("Parque Natural Sierra de las Nieves", "Ronda", -5.00, 36.69, 9, 8),
    ("Parque Natural Sierras de Tejeda, Almijara y Alhama", "Cómpeta", -3.92, 36.85, 11, 10),
    ("Parque Natural Sierra de Huétor", "Huétor Santillán", -3.47, 37.24, 7, 8),
    ("Parque Nacional y Natural Sierra Nevada", "Monachil", -3.25, 37.05, 24, 20),
    ("Parque Natural Sierra de Baza", "Baza", -2.82, 37.33, 10, 8),
    ("Parque Natural Sierra María-Los Vélez", "María", -2.19, 37.68, 9, 8),
    ("Parque Natural Cabo de Gata-Níjar", "Níjar", -2.08, 36.83, 13, 14),
    ("Parque Natural Sierras Subbéticas", "Cabra", -4.34, 37.43, 9, 10),
    ("Parque Natural Sierra Mágina", "Cambil", -3.46, 37.73, 8, 8),
    ("Parque Nacional y Natural Doñana", "Almonte", -6.45, 37.05, 17, 16),
]
"""Name, municipality, longitude, latitude, radius in km, number of facilities."""

TAILS = [
    "del Rey",
    "de la Cereceda",
    "de las Correderas",
    "de Valdeazores",
    "del Collado",
    "de la Aliseda",
    "de Magaña",
    "de los Jardines",
    "de Malabrigo",
    "de la Campana",
    "del Empedraíllo",
    "de los Órganos",
    "del Muradal",
    "de la Niebla",
    "del Charcón",
    "de la Estrella",
    "de las Jaras",
    "del Madroño",
    "del Águila",
    "de la Umbría",
    "del Quejigo",
    "de los Lirios",
    "de la Solana",
    "del Castillo",
    "de la Dehesa",
    "del Corzo",
    "de los Alcornoques",
    "de la Huerta",
    "del Barranco",
    "del Puerto",
    "de la Vereda",
    "del Molino",
]

HOURS = [
    "Todo el año",
    "De 10:00 a 14:00 y de 16:00 a 18:00",
    "Fines de semana y festivos",
    "De abril a octubre",
    "De jueves a domingo, de 10:00 a 15:00",
]


def lonlat_to_grid(longitude: float, latitude: float) -> Point:
    """ETRS89 degrees to EPSG:25830 metres."""
    degrees, grid = osr.SpatialReference(), osr.SpatialReference()
    degrees.ImportFromEPSG(4258)
    grid.ImportFromEPSG(25830)
    for reference in (degrees, grid):
        reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    x, y, _ = osr.CoordinateTransformation(degrees, grid).TransformPoint(longitude, latitude)
    return float(x), float(y)


def make_facilities(ways: Ways, peaks: List[Tuple[float, float, float]], rng: np.random.Generator) -> List[Feature]:
    """Every facility, the reference one first."""
    maker = _Maker(rng, label_boxes(peaks))
    reference_kind = next(kind for kind in KINDS if kind.layer == REFERENCE_LAYER)
    maker.put(
        reference_kind, places.REFERENCE, "Mirador de la Piedra de Referencia", PARK, "Almuradiel", REFERENCE_CODE
    )
    _fixed(maker)
    _local(maker, ways, rng)
    for park, seat, longitude, latitude, radius, count in OTHER_PARKS:
        cx, cy = lonlat_to_grid(longitude, latitude)
        for _ in range(count):
            angle, reach = rng.uniform(0, 6.28), radius * 1000 * np.sqrt(rng.uniform(0, 1))
            kind = maker.any_kind()
            maker.put(kind, (float(cx + reach * np.cos(angle)), float(cy + reach * np.sin(angle))), "", park, seat)
    return maker.features


def _fixed(maker: _Maker) -> None:
    """The facilities that the guide is about, at their own places."""
    kind = {k.symbol: k for k in KINDS}
    for symbol, x, y, name in (
        ("house", 453350, 4244150, "Centro de visitantes Puerta de Andalucía"),
        ("parking", 453550, 4243500, "Aparcamiento Puerta de Andalucía"),
        ("info", 452350, 4243950, "Punto de información Santa Elena"),
        ("info", 455850, 4254000, "Punto de información Venta de Cárdenas"),
        ("house", 463650, 4250950, "Centro de visitantes Cascada de la Cimbarra"),
        ("viewpoint", 456150, 4250100, "Mirador de los Órganos"),
        ("viewpoint", 455350, 4247300, "Mirador Salto del Fraile"),
        ("viewpoint", 463750, 4249450, "Mirador de la Cimbarra"),
        ("picnic", 454900, 4248750, "Área recreativa Collado de los Jardines"),
        ("picnic", 449000, 4242800, "Área recreativa La Aliseda"),
        ("tent", 449000, 4247100, "Zona de acampada Los Llanos del Rey"),
        ("leaf", 451500, 4247700, "Aula de la naturaleza El Mesto"),
        ("hut", 458700, 4250750, "Refugio de la Estrella"),
        ("binoculars", 460300, 4249700, "Observatorio de fauna Umbría de Malabrigo"),
        ("cup", 455550, 4246350, "Kiosco Las Correderas"),
        ("bed", 465050, 4251400, "Albergue de Aldeaquemada"),
    ):
        maker.put(kind[symbol], (float(x), float(y)), name, PARK)
    for name, start, _ in TRAILS:
        maker.put(kind["hiker"], (start[0], start[1]), f"Inicio {name[0].lower()}{name[1:]}", PARK)


def _local(maker: _Maker, ways: Ways, rng: np.random.Generator) -> None:
    """Facilities by roads, tracks and trails of the sheet, mostly in and near the park."""
    spots = [p for way in ways.of("autonomica", "local", "pista", "camino", "sendero") for p in way.line[3:-3:4]]
    order = rng.permutation(len(spots))
    cx, cy = places.PARK_CENTRE
    wanted = 92
    for index in order:
        x, y = spots[int(index)]
        if not (places.WEST + 700 < x < places.EAST - 700 and places.SOUTH + 700 < y < places.NORTH - 700):
            continue
        away = np.hypot((x - cx) / places.PARK_RADII[0], (y - cy) / places.PARK_RADII[1])
        if rng.uniform() > (1.0 if away < 0.95 else 0.13):
            continue
        angle = rng.uniform(0, 6.28)
        spot = (float(x + 45 * np.cos(angle)), float(y + 45 * np.sin(angle)))
        if not maker.free(spot, 620.0):
            continue
        maker.put(maker.any_kind(), spot, "", PARK)
        wanted -= 1
        if not wanted:
            return


class _Maker:
    """Numbers, names and collects facilities."""

    def __init__(self, rng: np.random.Generator, kept_free: List[Tuple[float, float, float, float]]) -> None:
        self.rng = rng
        self.kept_free = kept_free
        self.features: List[Feature] = []
        self.counts: Dict[str, int] = {}
        self.names: Dict[str, int] = {}
        shares = np.array([kind.share for kind in KINDS], dtype=float)
        self.shares = shares / shares.sum()

    def any_kind(self) -> Kind:
        """A kind drawn by its share."""
        return KINDS[int(self.rng.choice(len(KINDS), p=self.shares))]

    def free(self, spot: Point, distance: float) -> bool:
        """Whether no facility stands within ``distance`` metres, and the reference one keeps its clearing."""
        if max(abs(spot[0] - places.REFERENCE[0]), abs(spot[1] - places.REFERENCE[1])) < REFERENCE_CLEARANCE:
            return False
        if any(west < spot[0] < east and south < spot[1] < north for west, south, east, north in self.kept_free):
            return False
        return all(abs(x - spot[0]) > distance or abs(y - spot[1]) > distance for (x, y), _ in self.features)

    def put(self, kind: Kind, spot: Point, name: str, park: str, seat: str = "", code: str = "") -> None:
        """Add a facility; without a name one is made."""
        number = self.counts[kind.code] = self.counts.get(kind.code, 0) + (0 if code else 1)
        if not name:
            name = f"{kind.single} {TAILS[int(self.rng.integers(len(TAILS)))]}"
        seen = self.names[name] = self.names.get(name, 0) + 1
        if seen > 1:
            name = f"{name} {'I' * seen if seen < 4 else seen}"
        self.features.append(
            (
                spot,
                {
                    "CODIGO": code or f"{kind.code}-{number:03d}",
                    "NOMBRE": name,
                    "TIPO": kind.single,
                    "CAPA": kind.layer,
                    "MUNICIPIO": seat or municipality(spot),
                    "ESPACIO": park,
                    "TELEFONO": f"95{int(self.rng.integers(1000000, 9999999))}",
                    "ACCESIBLE": "Sí" if self.rng.uniform() < 0.35 else "No",
                    "HORARIO": HOURS[int(self.rng.integers(len(HOURS)))],
                    "ESTADO": "En servicio" if self.rng.uniform() < 0.93 else "Cerrado por obras",
                    "RANGO": 1
                    if kind.symbol in ("house", "info")
                    else 2
                    if kind.symbol in ("viewpoint", "picnic", "hiker")
                    else 3,
                },
            )
        )

"""Motorway, railway, roads, tracks and trails that follow the ground (least effort between places)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import Dict, List, Sequence, Tuple

import numpy as np

from . import places
from .hydrology import LENGTHS, NEIGHBOURS
from .lattice import averaged, curved, spline, wiggled
from .terrain import COARSE, Ground, cell_centre

Point = Tuple[float, float]
Cell = Tuple[int, int]


@dataclass
class Way:
    """A line of the network: ``kind`` is autovia, autonomica, local, pista, camino, sendero or ferrocarril."""

    kind: str
    line: List[Point]
    name: str = ""
    code: str = ""


@dataclass
class Ways:
    """All lines, and points on tracks and roads where a facility may stand."""

    ways: List[Way] = field(default_factory=list)

    def of(self, *kinds: str) -> List[Way]:
        """The ways of these kinds."""
        return [way for way in self.ways if way.kind in kinds]


def cell_of(point: Point, shape: Tuple[int, int]) -> Cell:
    """Row and column of a place, kept inside the grid."""
    row = int((places.NORTH - point[1]) / COARSE)
    column = int((point[0] - places.WEST) / COARSE)
    return min(max(row, 0), shape[0] - 1), min(max(column, 0), shape[1] - 1)


class Effort:
    """Least-effort paths from one place to everywhere; ``steepness`` is how much a slope is shunned."""

    def __init__(self, ground: Ground, start: Point, steepness: float, rng: np.random.Generator) -> None:
        self.shape = ground.coarse.shape
        self.shunned = _shunned(ground)
        self.before = self._spread(ground.coarse, cell_of(start, self.shape), steepness, rng)
        self.start = start

    def _spread(self, height: np.ndarray, start: Cell, steepness: float, rng: np.random.Generator) -> List[int]:
        rows, columns = self.shape
        level = height.ravel().tolist()
        rough = (rng.uniform(1.0, 1.45, height.size) * self.shunned.ravel()).tolist()
        cost = [float("inf")] * height.size
        before = [-1] * height.size
        first = start[0] * columns + start[1]
        cost[first] = 0.0
        queue = [(0.0, first)]
        steps = [(dr, dc, dr * columns + dc, length * COARSE) for (dr, dc), length in zip(NEIGHBOURS, LENGTHS)]
        while queue:
            spent, cell = heapq.heappop(queue)
            if spent > cost[cell]:
                continue
            row, column = divmod(cell, columns)
            for dr, dc, shift, length in steps:
                if not (0 <= row + dr < rows and 0 <= column + dc < columns):
                    continue
                other = cell + shift
                grade = abs(level[other] - level[cell]) / length
                price = spent + length * rough[other] * (1.0 + steepness * grade * grade)
                if price < cost[other]:
                    cost[other] = price
                    before[other] = cell
                    heapq.heappush(queue, (price, other))
        return before

    def path(self, goal: Point) -> List[Cell]:
        """Cells from the start to ``goal``."""
        columns = self.shape[1]
        row, column = cell_of(goal, self.shape)
        cell = row * columns + column
        chain = [cell]
        while self.before[cell] >= 0:
            cell = self.before[cell]
            chain.append(cell)
        chain.reverse()
        return [divmod(c, columns) for c in chain]


def _shunned(ground: Ground) -> np.ndarray:
    """How many times dearer each cell is: ways cross motorway, railway and rivers, and do not run along them."""
    shape = ground.coarse.shape
    price = np.ones(shape)
    for stream in ground.streams:
        if stream.area > 4.0:
            for point in stream.line:
                row, column = cell_of(point, shape)
                price[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = 2.6
    for line in (places.MOTORWAY, places.RAILWAY):
        for point in spline(line, 50):
            row, column = cell_of(point, shape)
            price[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = 5.0
    return price


class Weaver:
    """Turns cell paths into smooth lines, leaving out what an earlier way already runs along."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.taken: Dict[Cell, int] = {}
        self.lines: List[List[Point]] = []

    def weave(
        self, cells: Sequence[Cell], start: Point | None = None, end: Point | None = None, wiggle: float = 9.0
    ) -> List[List[Point]]:
        """The new pieces of the path, each joined to the way it leaves or meets."""
        pieces: List[List[Cell]] = []
        piece: List[Cell] = []
        for cell in cells:
            if cell in self.taken:
                if piece:
                    pieces.append(piece + [cell])
                piece = [cell]
            else:
                piece.append(cell)
        pieces.append(piece)
        return [line for piece in pieces for line in self._line(piece, cells, start, end, wiggle)]

    def _line(
        self, piece: List[Cell], cells: Sequence[Cell], start: Point | None, end: Point | None, wiggle: float
    ) -> List[List[Point]]:
        if len(piece) < 4:
            return []
        raw = [cell_centre(*cell) for cell in piece]
        if start is not None and piece[0] == cells[0] and piece[0] not in self.taken:
            raw[0] = start
        if end is not None and piece[-1] == cells[-1] and piece[-1] not in self.taken:
            raw[-1] = end
        line = curved(averaged(raw, 3), 1)
        line = curved(wiggled(line, self.rng, wiggle), 1)
        for index, cell in ((0, piece[0]), (-1, piece[-1])):
            if cell in self.taken:
                line[index] = self._nearest(line[index], self.taken[cell])
        for cell in piece:
            self.taken.setdefault(cell, len(self.lines))
        self.lines.append(line)
        return [line]

    def _nearest(self, point: Point, index: int) -> Point:
        return min(self.lines[index], key=lambda p: (p[0] - point[0]) ** 2 + (p[1] - point[1]) ** 2)

    def add(self, line: List[Point], shape: Tuple[int, int]) -> None:
        """Count a ready-made line among the ways that later ones may join."""
        for point in line:
            self.taken.setdefault(cell_of(point, shape), len(self.lines))
        self.lines.append(line)


def make_ways(ground: Ground, peaks: Sequence[Point], rng: np.random.Generator) -> Ways:
    """The whole network of ways."""
    towns = {name: (x, y) for name, x, y, *_ in places.TOWNS}
    net = Ways()
    net.ways.append(Way("autovia", spline(places.MOTORWAY, 60), "Autovía del Sur", "A-4"))
    net.ways.append(Way("ferrocarril", spline(places.RAILWAY, 60), "Madrid – Sevilla/Cádiz"))
    weaver = Weaver(rng)
    efforts = {
        "Santa Elena": Effort(ground, towns["Santa Elena"], 160.0, rng),
        "Aldeaquemada": Effort(ground, towns["Aldeaquemada"], 160.0, rng),
        "Venta de Cárdenas": Effort(ground, towns["Venta de Cárdenas"], 160.0, rng),
    }
    roads = [
        ("autonomica", "Santa Elena", "Miranda del Rey", "JA-7102"),
        ("autonomica", "Santa Elena", "La Aliseda", "JA-7101"),
        ("autonomica", "Aldeaquemada", "Santa Elena", "JA-9101"),
        ("autonomica", "Santa Elena", "Las Navas de Tolosa", "J-6030"),
        ("autonomica", "Aldeaquemada", "Venta de Cárdenas", "CR-6100"),
        ("local", "Santa Elena", "Las Correderas", "N-IVa"),
        ("local", "Santa Elena", "Magaña", "JV-7071"),
        ("local", "Venta de Cárdenas", "Almuradiel", "CR-610"),
        ("local", "Santa Elena", "Isabela", "JV-7060"),
        ("local", "Santa Elena", "Collado de los Jardines", ""),
    ]
    for kind, start, goal, code in roads:
        cells = efforts[start].path(towns[goal])
        for line in weaver.weave(cells, towns[start], towns[goal]):
            net.ways.append(Way(kind, line, "", code))
    _exits(efforts, weaver, net)
    _tracks(ground, efforts, weaver, net, rng)
    _trails(ground, peaks, weaver, net, rng)
    return net


def _exits(efforts: Dict[str, Effort], weaver: Weaver, net: Ways) -> None:
    """Roads that leave the sheet."""
    for start, goal, code in (
        ("Aldeaquemada", (467950, 4254500), "JA-9100"),
        ("Aldeaquemada", (462000, 4260450), "CR-6110"),
        ("Santa Elena", (442050, 4243500), "JV-5003"),
        ("Venta de Cárdenas", (442050, 4257000), "CR-6200"),
        ("Santa Elena", (467950, 4240200), "JV-7080"),
    ):
        for line in weaver.weave(efforts[start].path(goal), None, goal):
            net.ways.append(Way("local", line, "", code))


def _tracks(ground: Ground, efforts: Dict[str, Effort], weaver: Weaver, net: Ways, rng: np.random.Generator) -> None:
    """Forest tracks: a tree of least-effort paths to places scattered over the sheet."""
    goals = []
    for x in np.arange(places.WEST + 900, places.EAST, 1900):
        for y in np.arange(places.SOUTH + 900, places.NORTH, 1900):
            goals.append((float(x + rng.uniform(-750, 750)), float(y + rng.uniform(-750, 750))))
    rng.shuffle(goals)
    for index, goal in enumerate(goals):
        name = "Aldeaquemada" if goal[0] > 460500 else "Venta de Cárdenas" if goal[1] > 4252000 else "Santa Elena"
        kind = "pista" if index < len(goals) * 0.45 else "camino"
        for line in weaver.weave(efforts[name].path((goal[0], goal[1])), wiggle=13.0):
            net.ways.append(Way(kind, line))


TRAILS = [
    ("Sendero Barranco de Valdeazores", (452300, 4246200), (453100, 4250300)),
    ("Sendero El Empedraíllo", (449800, 4246300), (451800, 4249700)),
    ("Sendero Castro Ferral", (449850, 4246000), (447900, 4247800)),
    ("Sendero Molino del Batán", (455000, 4245900), (456900, 4246900)),
    ("Sendero Arroyo del Rey", (453100, 4243600), (451300, 4246900)),
    ("Sendero Cascada de la Cimbarra", (464200, 4251200), (463600, 4249100)),
    ("Sendero del Collado de la Estrella", (454200, 4248500), (458300, 4251300)),
    ("Gran recorrido GR-48 Sierra Morena", (442100, 4247500), (467900, 4247300)),
    ("Sendero de los Órganos", (454850, 4247750), (455000, 4251300)),
    ("Sendero Umbría de Malabrigo", (458900, 4245300), (460900, 4250300)),
]
"""Name, start, goal."""


def _trails(ground: Ground, peaks: Sequence[Point], weaver: Weaver, net: Ways, rng: np.random.Generator) -> None:
    """Signposted trails; they may run along tracks, so each is whole."""
    for name, start, goal in TRAILS:
        cells = Effort(ground, start, 45.0, rng).path(goal)
        if len(cells) < 3:
            continue
        raw = [start] + [cell_centre(*cell) for cell in cells[1:-1]] + [goal]
        line = curved(wiggled(curved(averaged(raw, 3), 1), rng, 16.0), 1)
        net.ways.append(Way("sendero", line, name))

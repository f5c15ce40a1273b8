"""The synthetic ground: Sierra Morena ridges running east–west, cut north to south by the gorge, worn by streams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List, Tuple

import numpy as np

from . import places
from .hydrology import Drainage
from .lattice import averaged, curved, gaussian, noise, resample, spline, wiggled

COARSE = 100.0
"""Cell of the hydrology grid, metres."""

FINE = 12.5
"""Cell of the relief, metres."""

Point = Tuple[float, float]


@dataclass
class Stream:
    """A stream downstream, its drained area in km² at the mouth."""

    line: List[Point]
    area: float


@dataclass
class Ground:
    """The elevation grids (metres, row 0 = north) and the streams that follow them."""

    coarse: np.ndarray
    fine: np.ndarray
    streams: List[Stream]
    drainage: Drainage

    def height(self, x: float, y: float) -> float:
        """Elevation in metres at a place of the sheet."""
        row = int((places.NORTH - y) / FINE)
        column = int((x - places.WEST) / FINE)
        return float(self.fine[min(max(row, 0), self.fine.shape[0] - 1), min(max(column, 0), self.fine.shape[1] - 1)])


def grid_shape(cell: float) -> Tuple[int, int]:
    """Rows and columns of a grid over the sheet."""
    return int((places.NORTH - places.SOUTH) / cell), int((places.EAST - places.WEST) / cell)


def cell_centre(row: float, column: float, cell: float = COARSE) -> Point:
    """Map coordinates of the centre of a cell."""
    return places.WEST + (column + 0.5) * cell, places.NORTH - (row + 0.5) * cell


def make_ground(rng: np.random.Generator) -> Ground:
    """The ground and its streams."""
    height = _first_shape(rng)
    rows, columns = height.shape
    outlets = np.zeros(height.shape, dtype=bool)
    outlets[-1, :] = True
    outlets[int(rows * 0.62) :, 0] = True
    outlets[int(rows * 0.62) :, -1] = True
    lift = np.clip(height - 560.0, 0.0, None) * 0.16
    for step in range(11):
        drainage = Drainage(height, outlets)
        # Worn from the filled surface, so that the water's way out of each hollow is cut and not the hollow deepened.
        height = drainage.eroded(drainage.filled + rng.normal(0.0, 2.0, height.shape) * (step < 5), 0.13)
        if step < 9:
            height = height + lift
        height = 0.8 * height + 0.2 * gaussian(height, 0.8)
    drainage = Drainage(height, outlets)
    height = drainage.filled
    height = 440.0 + (height - 440.0) * min(1.0, 850.0 / (height.max() - 440.0))
    streams = _stream_lines(drainage, rng)
    fine = _detailed(height, streams, rng)
    return Ground(height, fine, streams, drainage)


def _first_shape(rng: np.random.Generator) -> np.ndarray:
    """Height before erosion: the plain in the south, four ridges, the plateau in the north, the trench of the gorge."""
    shape = grid_shape(COARSE)
    rows, columns = shape
    x = places.WEST + (np.arange(columns)[None, :] + 0.5) * COARSE
    y = places.NORTH - (np.arange(rows)[:, None] + 0.5) * COARSE
    rise = 1.0 / (1.0 + np.exp(-(y - 4242600.0 + 500 * np.sin(x / 3100.0)) / 1150.0))
    height = 470.0 + 270.0 * rise + 40.0 * (y - places.SOUTH) / 24000.0 + 0.0 * x
    height = height + 26.0 * noise(shape, rng, 60, 2.2, (1.0, 1.6))
    along = noise(shape, rng, 70, 2.4, (0.6, 2.0))
    bend = noise(shape, rng, 120, 2.6, (0.5, 1.6))
    for north, crest, width in ((4245000, 150, 720), (4247900, 300, 820), (4250900, 250, 760), (4253500, 130, 700)):
        distance = y - north - 420.0 * bend - 350.0 * np.sin(x / 2600.0 + north)
        strength = np.clip(1.0 + 0.42 * along, 0.25, 1.7)
        height = height + crest * strength * np.exp(-0.5 * (distance / width) ** 2)
    height = height + 22.0 * noise(shape, rng, 26, 1.75)
    gorge = np.asarray(spline(places.GORGE, 80.0))
    bed = np.linspace(668.0, 452.0, len(gorge))
    distance = np.full(shape, np.inf)
    floor = np.zeros(shape)
    for (gx, gy), level in zip(gorge, bed):
        d = np.hypot(x - gx, y - gy)
        nearer = d < distance
        distance = np.where(nearer, d, distance)
        floor = np.where(nearer, level, floor)
    wall = floor + 0.42 * distance + 0.00005 * distance**2
    return np.where(distance < 60.0, floor, np.minimum(height, wall))


def _stream_lines(drainage: Drainage, rng: np.random.Generator) -> List[Stream]:
    """The streams as smooth lines; each mouth lies on the line it joins."""
    cell_area = (COARSE / 1000.0) ** 2
    streams: List[Stream] = []
    where: dict = {}
    for cells, area in drainage.streams(0.75 / cell_area):
        if len(cells) < 7:
            continue
        raw = [cell_centre(row, column) for row, column in cells]
        line = curved(averaged(raw, 3), 1)
        line = curved(wiggled(line, rng, 26.0 if area * cell_area < 20 else 15.0), 1)
        mouth = where.get(cells[-1])
        if mouth is not None:
            near = min(streams[mouth].line, key=lambda p: (p[0] - raw[-1][0]) ** 2 + (p[1] - raw[-1][1]) ** 2)
            line[-1] = near
        for cell in cells:
            where.setdefault(cell, len(streams))
        streams.append(Stream(line, area * cell_area))
    return streams


def _detailed(height: np.ndarray, streams: List[Stream], rng: np.random.Generator) -> np.ndarray:
    """The relief grid: the coarse one made finer, rougher on slopes, with the streams cut in."""
    shape = grid_shape(FINE)
    fine = resample(gaussian(height, 0.7), shape)
    dy, dx = np.gradient(fine, FINE)
    slope = np.clip(np.hypot(dx, dy), 0.0, 0.8)
    rough = noise(shape, rng, 40, 1.9, (1.0, 1.15))
    fine = fine + rough * (1.0 + 9.0 * slope)
    carve = _stream_depth(streams, shape)
    return gaussian(fine - carve, 1.2).astype(np.float32)


def _stream_depth(streams: List[Stream], shape: Tuple[int, int]) -> np.ndarray:
    """Metres to take away along the streams: deeper and wider where more land drains."""
    depth = np.zeros(shape)
    for low, high, metres, spread in ((0.0, 3.0, 5.0, 2.2), (3.0, 25.0, 7.0, 3.0), (25.0, 1e9, 10.0, 4.0)):
        mark = np.zeros(shape)
        for stream in streams:
            if not low <= stream.area < high:
                continue
            points = np.asarray(stream.line)
            for share in (0.0, 0.5):
                middle = points[:-1] * (1 - share) + points[1:] * share
                rows = ((places.NORTH - middle[:, 1]) / FINE).astype(int).clip(0, shape[0] - 1)
                columns = ((middle[:, 0] - places.WEST) / FINE).astype(int).clip(0, shape[1] - 1)
                mark[rows, columns] = 1.0
        soft = gaussian(mark, spread)
        depth = np.maximum(depth, metres * np.clip(soft / max(soft.max() * 0.5, 1e-9), 0.0, 1.0))
    return depth

"""Features of the guide map: park boundary, built-up areas, peaks, names, municipalities."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from . import places
from .lattice import curved, gaussian
from .terrain import FINE, Ground

Point = Tuple[float, float]


def park_boundary(rng: np.random.Generator) -> List[Point]:
    """The boundary as one ring (not closed), about 14 × 10 km round the gorge."""
    angles = np.linspace(0.0, 2 * np.pi, 96, endpoint=False)
    reach = np.ones(96)
    for order in range(2, 13):
        reach += rng.normal(0, 0.26 / order**1.1) * np.cos(order * angles + rng.uniform(0, 6.28))
    reach = reach / reach.mean()
    cx, cy = places.PARK_CENTRE
    rx, ry = places.PARK_RADII
    ring = [(cx + rx * r * np.cos(a), cy + ry * r * np.sin(a)) for a, r in zip(angles, np.clip(reach, 0.72, 1.3))]
    ring = [(float(x + rng.normal(0, 75)), float(y + rng.normal(0, 75))) for x, y in ring]
    return curved(ring, 2, closed=True)


def inside(point: Point, ring: List[Point]) -> bool:
    """Whether a point lies in the ring."""
    x, y = point
    odd = False
    x1, y1 = ring[-1]
    for x2, y2 in ring:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
        x1, y1 = x2, y2
    return odd


def built_up(rng: np.random.Generator) -> List[Tuple[List[Point], str]]:
    """Built-up polygons: ragged blocks, a town with outlying ones."""
    shapes = []
    for name, x, y, _, radius, _ in places.TOWNS:
        if radius <= 0:
            continue
        parts = [(x, y, radius)]
        for _ in range(int(radius / 90)):
            angle, distance = rng.uniform(0, 6.28), radius * rng.uniform(1.0, 1.5)
            parts.append((x + distance * np.cos(angle), y + distance * np.sin(angle), radius * rng.uniform(0.16, 0.32)))
        for cx, cy, r in parts:
            angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
            reach = rng.uniform(0.62, 1.12, 16)
            ring = [
                (float(cx + 1.15 * r * k * np.cos(a)), float(cy + 0.8 * r * k * np.sin(a)))
                for a, k in zip(angles, reach)
            ]
            shapes.append((ring, name))
    return shapes


def find_peaks(ground: Ground) -> List[Tuple[float, float, float]]:
    """Tops that rise above everything within about a kilometre: (east, north, metres), highest first."""
    smooth = gaussian(ground.coarse, 0.8)
    rows, columns = smooth.shape
    found = []
    reach = 8
    for row in range(6, rows - 6):
        for column in range(6, columns - 6):
            here = smooth[row, column]
            if here < 620.0 or here < smooth[row - 1 : row + 2, column - 1 : column + 2].max():
                continue
            window = smooth[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
            if here >= window.max() and here - np.percentile(window, 20) > 35.0:
                found.append((row, column))
    tops = []
    step = int(100 / FINE)
    for row, column in found:
        r0, c0 = max(0, row * step - step * 2), max(0, column * step - step * 2)
        patch = ground.fine[r0 : r0 + step * 5, c0 : c0 + step * 5]
        top = np.unravel_index(int(np.argmax(patch)), patch.shape)
        x = places.WEST + (c0 + top[1] + 0.5) * FINE
        y = places.NORTH - (r0 + top[0] + 0.5) * FINE
        tops.append((float(x), float(y), float(patch.max())))
    return sorted(tops, key=lambda top: -top[2])


def municipality(point: Point) -> str:
    """The municipality whose seat is nearest."""
    return min(
        places.MUNICIPALITIES,
        key=lambda name: np.hypot(places.MUNICIPALITIES[name][0] - point[0], places.MUNICIPALITIES[name][1] - point[1]),
    )


def names(peaks: List[Tuple[float, float, float]]) -> List[Tuple[Point, Dict[str, Any]]]:
    """Every point label: towns, peaks with heights, valleys, sierras."""
    out: List[Tuple[Point, Dict[str, Any]]] = []
    for name, x, y, rank, _, side in places.TOWNS:
        out.append(((x, y), {"NOMBRE": name, "CLASE": "nucleo", "RANGO": rank, "ANGULO": 0.0, "COTA": 0, "LADO": side}))
    for index, (x, y, height) in enumerate(peaks):
        name = places.PEAK_NAMES[index] if index < len(places.PEAK_NAMES) else ""
        out.append(
            (
                (x, y),
                {"NOMBRE": name, "CLASE": "cumbre", "RANGO": 1 + index // 8, "ANGULO": 0.0, "COTA": int(round(height))},
            )
        )
    for name, x, y, angle in places.VALLEYS:
        out.append(
            (
                (x, y),
                {
                    "NOMBRE": name,
                    "CLASE": "desfiladero" if name.isupper() else "paraje",
                    "RANGO": 1,
                    "ANGULO": angle,
                    "COTA": 0,
                },
            )
        )
    for name, x, y, angle in places.SIERRAS:
        out.append(((x, y), {"NOMBRE": name, "CLASE": "sierra", "RANGO": 1, "ANGULO": angle, "COTA": 0}))
    for _, values in out:
        height = str(values["COTA"]) if values["COTA"] else ""
        values["ROTULO"] = "|".join(part for part in (values["NOMBRE"], height) if part)
    return out


def label_boxes(peaks: List[Tuple[float, float, float]]) -> List[Tuple[float, float, float, float]]:
    """Where names stand on a map at 1:75 000 (west, south, east, north), for symbols to keep off."""
    boxes = [(x - 900.0, y - 150.0, x + 900.0, y + 700.0) for x, y, _ in peaks[: len(places.PEAK_NAMES)]]
    for name, x, y, rank, _, side in places.TOWNS:
        width, height = len(name) * (165.0 if rank == 1 else 135.0), 420.0
        west = x - width / 2 if side[1] == "c" else x - width - 150 if side[1] == "l" else x + 150
        south = y + 100 if side[0] == "u" else y - height - 100 if side[0] == "l" else y - height / 2
        boxes.append((west - 150, south, west + width + 150, south + height))
        boxes.append((x - 330, y - 330, x + 330, y + 330))
    for name, x, y, angle in places.VALLEYS + places.SIERRAS:
        width = len(name) * 155.0
        wide, high = (width, 420.0) if abs(angle) < 45 else (1500.0, width)
        boxes.append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
    return boxes

"""Small numerical tools on grids and polylines: spectral noise, resampling, smoothing."""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np

Point = Tuple[float, float]


def noise(
    shape: Tuple[int, int],
    rng: np.random.Generator,
    scale: float,
    slope: float = 2.0,
    stretch: Tuple[float, float] = (1.0, 1.0),
) -> np.ndarray:
    """Fractal noise (zero mean, unit deviation) whose largest features are about ``scale`` cells.

    ``stretch`` (rows, columns) lengthens the features along an axis; ``slope`` is the spectral exponent.
    """
    rows, columns = shape
    ky = np.fft.fftfreq(rows)[:, None] * stretch[0]
    kx = np.fft.rfftfreq(columns)[None, :] * stretch[1]
    k = np.hypot(ky, kx)
    spectrum = 1.0 / (k + 1.0 / scale) ** slope
    spectrum[0, 0] = 0.0
    phase = rng.uniform(0.0, 2.0 * np.pi, spectrum.shape)
    amplitude = rng.normal(1.0, 0.25, spectrum.shape)
    field = np.fft.irfft2(spectrum * amplitude * np.exp(1j * phase), s=shape)
    return (field - field.mean()) / field.std()


def gaussian(field: np.ndarray, sigma: float) -> np.ndarray:
    """The field smoothed by a Gaussian of ``sigma`` cells, edges reflected."""
    reach = max(1, int(round(3 * sigma)))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (reach, reach)
        padded = np.pad(field, pad, mode="reflect")
        out = np.zeros_like(field, dtype=float)
        for index, weight in enumerate(weights):
            window = [slice(None), slice(None)]
            window[axis] = slice(index, index + field.shape[axis])
            out += weight * padded[tuple(window)]
        field = out
    return field


def resample(field: np.ndarray, shape: Tuple[int, int]) -> np.ndarray:
    """The field (cell values) resampled to ``shape`` by bicubic (Catmull-Rom) interpolation over the same area."""
    for axis in (0, 1):
        size, wanted = field.shape[axis], shape[axis]
        position = (np.arange(wanted) + 0.5) * size / wanted - 0.5
        base = np.floor(position).astype(int)
        t = position - base
        taps = (
            -0.5 * t + t**2 - 0.5 * t**3,
            1 - 2.5 * t**2 + 1.5 * t**3,
            0.5 * t + 2 * t**2 - 1.5 * t**3,
            -0.5 * t**2 + 0.5 * t**3,
        )
        form = (-1, 1) if axis == 0 else (1, -1)
        field = sum(
            tap.reshape(form) * np.take(field, np.clip(base + shift, 0, size - 1), axis=axis)
            for tap, shift in zip(taps, (-1, 0, 1, 2))
        )
    return field


def averaged(line: Sequence[Point], passes: int = 3) -> List[Point]:
    """The line with its inner vertices averaged with their neighbours, ends kept."""
    points = np.asarray(line, dtype=float)
    for _ in range(passes):
        if len(points) < 3:
            break
        points[1:-1] = 0.25 * points[:-2] + 0.5 * points[1:-1] + 0.25 * points[2:]
    return [(float(x), float(y)) for x, y in points]


def curved(line: Sequence[Point], rounds: int = 2, closed: bool = False) -> List[Point]:
    """The line with its corners cut (Chaikin), ends kept."""
    points = np.asarray(line, dtype=float)
    for _ in range(rounds):
        ahead = np.roll(points, -1, axis=0) if closed else points[1:]
        here = points if closed else points[:-1]
        cut = np.empty((2 * len(here), 2))
        cut[0::2] = 0.75 * here + 0.25 * ahead
        cut[1::2] = 0.25 * here + 0.75 * ahead
        points = cut if closed else np.vstack([points[:1], cut[1:-1], points[-1:]])
    return [(float(x), float(y)) for x, y in points]


def spline(line: Sequence[Point], step: float = 60.0) -> List[Point]:
    """A Catmull-Rom curve through every point of ``line``, a vertex about every ``step`` metres."""
    points = np.asarray(line, dtype=float)
    padded = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    out: List[Point] = []
    for p0, p1, p2, p3 in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:]):
        count = max(2, int(np.hypot(*(p2 - p1)) / step))
        for t in np.arange(count) / count:
            x, y = 0.5 * (
                2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3
            )
            out.append((float(x), float(y)))
    out.append((float(points[-1][0]), float(points[-1][1])))
    return out


def wiggled(line: Sequence[Point], rng: np.random.Generator, amount: float) -> List[Point]:
    """The line with smooth random departures of about ``amount`` metres, ends kept."""
    count = len(line)
    field = np.cumsum(rng.normal(0.0, 1.0, (count, 2)), axis=0)
    field -= np.linspace(0, 1, count)[:, None] * field[-1]
    width = max(3, count // 25) | 1
    kernel = np.ones(width) / width
    for axis in (0, 1):
        slow = np.convolve(
            np.pad(field[:, axis], width * 3, mode="edge"), np.ones(width * 5) / (width * 5), mode="same"
        )
        field[:, axis] -= slow[width * 3 : width * 3 + count]
        field[:, axis] = np.convolve(np.pad(field[:, axis], width, mode="edge"), kernel, mode="same")[
            width : width + count
        ]
    field *= amount / max(field.std(), 1e-9)
    field *= np.minimum(1.0, np.minimum(np.arange(count), np.arange(count)[::-1]) / 6.0)[:, None]
    moved = np.asarray(line) + field
    return [(float(x), float(y)) for x, y in moved]

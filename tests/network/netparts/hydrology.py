"""Water on a grid: depressions filled, flow directions, drained area, erosion by streams, and the streams as lines."""

from __future__ import annotations

import heapq
from typing import Dict, List, Tuple

import numpy as np

NEIGHBOURS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
LENGTHS = [float(np.hypot(*n)) for n in NEIGHBOURS]


class Drainage:
    """Receivers, order and drained area (in cells) of every cell of ``height`` (row 0 = north).

    ``outlets`` is a mask of the cells where water leaves the sheet.
    """

    def __init__(self, height: np.ndarray, outlets: np.ndarray) -> None:
        self.shape = height.shape
        self.filled = filled(height, outlets)
        self.receiver = _receivers(self.filled, outlets)
        self.levels = self._levels()
        area = np.ones(height.size)
        for level in reversed(self.levels[1:]):
            np.add.at(area, self.receiver[level], area[level])
        self.area = area.reshape(height.shape)

    def _levels(self) -> List[np.ndarray]:
        """Cells grouped by their number of steps to an outlet."""
        count = self.receiver.size
        depth = np.where(self.receiver == np.arange(count), 0, -1)
        jump = self.receiver.copy()
        steps = np.where(depth == 0, 0, 1)
        while True:
            further = np.where(jump[jump] != jump, steps[jump], 0)
            done = jump[jump] == jump
            steps = steps + further
            if done.all():
                break
            jump = jump[jump]
        order = np.argsort(steps, kind="stable")
        cuts = np.flatnonzero(np.diff(steps[order])) + 1
        return np.split(order, cuts)

    def eroded(self, height: np.ndarray, strength: float, exponent: float = 0.45) -> np.ndarray:
        """``height`` after one implicit step of the stream-power law (each cell drawn towards its receiver)."""
        out = height.ravel().copy()
        force = strength * self.area.ravel() ** exponent
        for level in self.levels[1:]:
            below = out[self.receiver[level]]
            out[level] = np.where(
                out[level] > below, (out[level] + force[level] * below) / (1.0 + force[level]), out[level]
            )
        return out.reshape(self.shape)

    def streams(self, threshold: float) -> List[Tuple[List[Tuple[int, int]], float]]:
        """Stream lines as (cells downstream, drained area at the mouth); a branch ends on a cell of its main stem.

        At each junction the branch that drains most carries on, so the first lines are the rivers.
        """
        area = self.area.ravel()
        wet = area >= threshold
        donors: Dict[int, List[int]] = {}
        for cell in np.flatnonzero(wet):
            target = int(self.receiver[cell])
            if target != cell:
                donors.setdefault(target, []).append(int(cell))
        starts = [int(c) for c in np.flatnonzero(wet) if self.receiver[c] == c or not wet[self.receiver[c]]]
        queue = [(-area[cell], cell, -1) for cell in starts]
        heapq.heapify(queue)
        lines = []
        while queue:
            negative, cell, mouth = heapq.heappop(queue)
            chain = [mouth] if mouth >= 0 else []
            while True:
                chain.append(cell)
                upstream = sorted(donors.get(cell, ()), key=lambda c: -area[c])
                for side in upstream[1:]:
                    heapq.heappush(queue, (-area[side], side, cell))
                if not upstream:
                    break
                cell = upstream[0]
            chain.reverse()
            lines.append(([divmod(c, self.shape[1]) for c in chain], -negative))
        return lines


def filled(height: np.ndarray, outlets: np.ndarray, rise: float = 0.02) -> np.ndarray:
    """``height`` with every depression filled to its pass, rising ``rise`` m a cell (priority flood)."""
    rows, columns = height.shape
    level = height.astype(float).ravel().tolist()
    closed = outlets.ravel().tolist()
    queue = [(level[i], i) for i, flag in enumerate(closed) if flag]
    heapq.heapify(queue)
    push, pop = heapq.heappush, heapq.heappop
    while queue:
        here, index = pop(queue)
        row, column = divmod(index, columns)
        floor = here + rise
        for r in range(row - 1 if row else 0, row + 2 if row + 1 < rows else rows):
            for other in range(
                r * columns + (column - 1 if column else 0),
                r * columns + (column + 2 if column + 1 < columns else columns),
            ):
                if not closed[other]:
                    closed[other] = True
                    if level[other] < floor:
                        level[other] = floor
                    push(queue, (level[other], other))
    return np.array(level).reshape(rows, columns)


def _receivers(surface: np.ndarray, outlets: np.ndarray) -> np.ndarray:
    """Index of the steepest lower neighbour of every cell; an outlet receives itself."""
    rows, columns = surface.shape
    padded = np.pad(surface, 1, constant_values=np.inf)
    own = np.arange(surface.size).reshape(surface.shape)
    best = np.zeros(surface.shape)
    receiver = own.copy()
    for (dr, dc), length in zip(NEIGHBOURS, LENGTHS):
        fall = (surface - padded[1 + dr : 1 + dr + rows, 1 + dc : 1 + dc + columns]) / length
        better = fall > best
        best = np.where(better, fall, best)
        receiver = np.where(better, own + dr * columns + dc, receiver)
    receiver[outlets] = own[outlets]
    return receiver.ravel()

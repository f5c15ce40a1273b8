"""The layer tree of a service of 3,000 layers: how long the window is held while it is read, searched and scrolled."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Iterator

from harness import TINY, Row, benchmark, measured_inside

PROGRAM = Path(__file__).with_name("inside_layer_tree.py")
LAYERS = 60 if TINY else 3000
ROUNDS = 1 if TINY else 3


@benchmark
def layer_tree() -> Iterator[Row]:
    """The longest hold of the window by a service of 3,000 layers, in one list and in 100 groups: medians of three."""
    for shape, words in (("flat", "one list"), ("grouped", "100 groups"))[1 if TINY else 0:]:
        rounds = [measured_inside(f"the layer tree ({words})", str(PROGRAM), str(LAYERS), shape)
                  for _ in range(ROUNDS)]
        for what in rounds[0]:
            held, own = (statistics.median(one[what][kind] for one in rounds) for kind in (0, 1))
            yield Row(f"3,000 layers ({words}): window held while {what}", held, "ms", "", None, "value <= 50",
                      f"its own work at a time: {own:.0f} ms")

"""How much longer than alone a test may take on a machine that has other work."""

from __future__ import annotations

import os


def slowness() -> float:
    """Return the runnable processes per core of the last minute, at least 1: the factor for every limit of time."""
    try:
        return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    except OSError:
        return 1.0

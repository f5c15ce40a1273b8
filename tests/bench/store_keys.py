"""From a key press to painted results: the dock in a QGIS of its own, typed into while an import runs beside it."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Iterator, List

from beside import late_row, load
from harness import Row, measured_inside, not_measured

_PROGRAM = Path(__file__).with_name("inside_typing.py")
_SECONDS = 600


def key_rows(store: Path, more: Path, size: str) -> Iterator[Row]:
    """How long after a key press the results stand in the dock, without and with an import of what ``more`` holds."""
    name = f"key press to painted results, {size} records"
    try:
        measured = measured_inside("the dock", str(_PROGRAM), str(store), str(more), seconds=_SECONDS)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        yield not_measured(name, str(error)[:200], "ms", goal="value <= 50")
        return
    for phase, words in (("quiet", ""), ("importing", ", the import running")):
        found = measured[phase]
        times: List[float] = sorted(found["painted"])
        if not times:
            yield not_measured(f"{name}{words}, p95", "nothing was painted", "ms", goal="value <= 50")
            continue
        most = min(len(times) - 1, int(len(times) * 0.95))
        note = (
            f"{len(times)} keys, median {times[len(times) // 2]:.0f} ms, worst {times[-1]:.0f} ms, {found['missed']} "
            f"overtaken; p95 {sorted(found['painted_own'])[most]:.0f} ms without what the window waited for a core; "
            f"{found['imported']} records imported meanwhile; {load()}"
        )
        yield Row(f"{name}{words}, p95", times[most], "ms", goal="value <= 50", note=note)
        yield late_row(
            f"window's timer while typing{words}", found["late"], found["machine"], "a QTimer of 5 ms", found["own"]
        )

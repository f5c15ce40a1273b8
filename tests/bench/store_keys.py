"""From a key press to painted results: the dock in a QGIS of its own, typed into while an import runs beside it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, Iterator, List

from beside import late_row, load
from harness import Row, not_measured

_HERE = Path(__file__).resolve().parent
HOMES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "QGIS_CUSTOM_CONFIG_PATH", "XDG_RUNTIME_DIR")
_SECONDS = 600


def key_rows(store: Path, more: Path, size: str) -> Iterator[Row]:
    """How long after a key press the results stand in the dock, without and with an import of what ``more`` holds."""
    name = f"key press to painted results, {size} records"
    try:
        measured = _measured(store, more)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        yield not_measured(name, str(error)[:200], "ms", goal="value <= 50")
        return
    for phase, words in (("quiet", ""), ("importing", ", the import running")):
        found = measured[phase]
        times: List[float] = sorted(found["painted"])
        if not times:
            yield not_measured(f"{name}{words}, p95", "nothing was painted", "ms", goal="value <= 50")
            continue
        note = (
            f"{len(times)} keys, median {times[len(times) // 2]:.0f} ms, worst {times[-1]:.0f} ms, {found['missed']} "
            f"overtaken; {found['imported']} records imported meanwhile; {load()}"
        )
        worst = times[min(len(times) - 1, int(len(times) * 0.95))]
        yield Row(f"{name}{words}, p95", worst, "ms", goal="value <= 50", note=note)
        yield late_row(
            f"window's timer while typing{words}", found["late"], found["machine"], "a QTimer of 5 ms", found["own"]
        )


def _measured(store: Path, more: Path) -> Dict[str, Any]:
    with tempfile.TemporaryDirectory() as profile:
        environment = {**os.environ, **dict.fromkeys(HOMES, profile), "QT_QPA_PLATFORM": "offscreen"}
        answer = subprocess.run(
            ["/usr/bin/python3", str(_HERE / "inside_typing.py"), str(store), str(more)],
            env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
    line = next((line for line in answer.stdout.splitlines() if line.startswith("MEASURED")), "")
    if not line:
        raise RuntimeError(f"the dock did not run: {answer.stderr.strip().splitlines()[-1:]}")
    measured: Dict[str, Any] = json.loads(line[len("MEASURED") :])
    return measured

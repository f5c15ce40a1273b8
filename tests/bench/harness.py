"""What every benchmark uses: rows, goals, timing; each figure is measured in the run that prints it."""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing
import os
import re
import runpy
import statistics
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Callable, Dict, Iterable, List, Optional, Sequence

GOAL = re.compile(r"(value|ratio) (<=|>=) ([\d.]+)$")
#: each benchmark runs once and small, to see that it runs: its figures say nothing then
TINY = bool(os.environ.get("CARTOGUIDE_BENCH_TINY"))
RECORD = Path(__file__).resolve().parents[1] / "unit" / "fixtures" / "records" / "service_editor.xml"
_HOMES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "QGIS_CUSTOM_CONFIG_PATH", "XDG_RUNTIME_DIR")
Benchmark = Callable[[], Iterable["Row"]]


@dataclass
class Row:
    """One figure beside its peer's; ``goal`` is "value <= 30" or "ratio >= 0.5"; ``note`` says why one is absent.

    ``ratio`` is value by peer_value, both in ``unit``.
    """

    name: str
    value: Optional[float]
    unit: str
    peer: str = ""
    peer_value: Optional[float] = None
    goal: str = ""
    note: str = ""

    @property
    def ratio(self) -> Optional[float]:
        """The figure by its peer's; None where either is absent."""
        return self.value / self.peer_value if self.value is not None and self.peer_value else None

    @property
    def ok(self) -> Optional[bool]:
        """Whether the goal is met; None without a goal, or where nothing was measured."""
        if not self.goal:
            return None
        found = GOAL.match(self.goal)
        if not found:
            raise ValueError(f"{self.name}: a goal reads like 'value <= 30', not {self.goal!r}")
        figure = self.value if found[1] == "value" else self.ratio
        if figure is None:
            return None
        return figure <= float(found[3]) if found[2] == "<=" else figure >= float(found[3])

    def to_dict(self) -> Dict[str, Any]:
        """The row as build/bench.json holds it."""
        plain = asdict(self)
        note = plain.pop("note")
        return {
            **{key: plain[key] for key in ("name", "value", "unit", "peer", "peer_value")},
            "ratio": self.ratio, "goal": self.goal, "ok": self.ok, **({"note": note} if note else {}),
        }


_registered: List[Benchmark] = []


def benchmark(function: Benchmark) -> Benchmark:
    """Have ``make bench`` run ``function`` and print the rows that it returns or yields."""
    _registered.append(function)
    return function


def registered() -> List[Benchmark]:
    """Every benchmark of the files that were imported, in the order of their files and lines."""
    return list(_registered)


def not_measured(name: str, why: str, unit: str = "", peer: str = "", goal: str = "") -> Row:
    """A row that says that it could not be measured, and why."""
    return Row(name, None, unit, peer, None, goal, f"not measured: {why}")


def seconds_of(work: Callable[[], object], repeats: int = 1 if TINY else 5) -> float:
    """The median time of ``work``, the collector of garbage held off; the first call is not counted."""
    work()
    times = []
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
        gc.enable()
    return statistics.median(times)


def alternately(*works: Callable[[], object], repeats: int = 1 if TINY else 5) -> List[float]:
    """The median time of each of ``works``, taken in turns so that a busy moment of the machine meets them all."""
    for work in works:
        work()
    times: List[List[float]] = [[] for _ in works]
    for _ in range(repeats):
        for index, work in enumerate(works):
            gc.collect()
            started = time.perf_counter()
            work()
            times[index].append(time.perf_counter() - started)
    return [statistics.median(each) for each in times]


def measured_inside(what: str, *command: str, seconds: float = 300, python: str = "") -> Dict[str, Any]:
    """What a program, run by QGIS's Python in a profile of its own, prints behind the word MEASURED as JSON.

    ``command`` is a file or "-c" and a text, and arguments. Compiled modules are kept, as in anybody's QGIS.
    RuntimeError with its last words where it prints none.
    """
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        environment = {**os.environ, **dict.fromkeys(_HOMES, home), "QT_QPA_PLATFORM": "offscreen", "NO_PROXY": "*",
                       "no_proxy": "*"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if TINY and command[0] != "-c":
            _run_in_a_copy(command, environment, output, seconds)
        else:
            python = python or os.environ.get("QGIS_PYTHON", "/usr/bin/python3")
            subprocess.run([python, *command], env=environment, stdout=output, stderr=output, timeout=seconds,
                           check=False)
        output.seek(0)
        said = output.read().strip().splitlines()
    line = next((line for line in said if line.startswith("MEASURED")), "")
    if not line:
        raise RuntimeError(f"{what} was not measured: {said[-3:]}")
    found: Dict[str, Any] = json.loads(line[len("MEASURED"):])
    return found


def read_record(path: Path) -> None:
    """Read a record and its terms, and so the tables of words and licences."""
    from plugin.core.records import read
    from plugin.core.terms import terms_for

    for record in read(path.read_bytes(), path.name):
        terms_for(record)


def _run_in_a_copy(command: Sequence[str], environment: Dict[str, str], output: IO[str], seconds: float) -> None:
    """Run a program in a fork of this process, which imports and reads once what all of them need."""
    for module in ("plugin.ui.dock.dock_widget", "plugin.gis.export.map_pipeline"):
        importlib.import_module(module)
    read_record(RECORD)

    def run() -> None:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        os.environ.update(environment)
        sys.argv = list(command)
        try:
            runpy.run_path(command[0], run_name="__main__")
        except BaseException:
            traceback.print_exc()
            # threads of the plugin would hold the end of a program that failed
            os._exit(1)

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join(seconds)
    process.kill()
    process.join()

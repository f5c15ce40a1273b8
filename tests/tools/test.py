"""Runs the whole test suite: unit tests without QGIS and tests inside QGIS, piece by piece; the last lines sum up.

    .venv/bin/python tests/tools/test.py [pytest options]
    .venv/bin/python tests/tools/test.py tests/qgis/test_x.py::test_name [pytest options]

The second form runs only what it names. Otherwise what takes long (SECONDS_ALONE) runs in a process of its own, and
short files share one, since QGIS starts in 2.7 s. Who shares depends on SECONDS_ALONE only, so that a file has the same
neighbours in every run. Three processes run at a time, the longest first, so that none is left with a long one at the
end. A file with the marker ``own_process`` shares none. Where a process fails, each of its files is run once more by
itself, because some tests watch the clock, and a crash of QGIS takes the neighbours with it; what passes only then is
named.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Iterable, Iterator, List, NamedTuple, Tuple

REPOSITORY = Path(__file__).resolve().parents[2]
REPORTS = REPOSITORY / "build" / "tests"
NO_TESTS_COLLECTED = 5
SECONDS = 30 * 60
#: one more than the cores of a small machine: for a third of their time tests wait for a server, a timer or a fault
AT_A_TIME = 3
WITHOUT_QGIS = ["-p", "no:qgis", "-p", "no:pytest-qt"]
#: its plugin imports all of it at the end of a process, whether or not it was used
WITHOUT_HYPOTHESIS = ["-p", "no:hypothesispytest"]
#: compiled sources, which all the processes of a run share
BYTECODE = REPOSITORY / "build" / "bytecode"
#: seconds of what takes long, its process's start included
SECONDS_ALONE = {
    "canary": 125, "benchmarks": 90, "export_formats": 45, "reload": 45, "scale_on_paper": 45, "page_preview": 40,
    "soak": 40, "type_sizes": 38, "unfit_credits": 36, "export_checks": 35, "credits_alike": 30, "map_states": 30,
    "processing_commands": 30, "unchecked_layers": 25, "dock_map": 24, "layouts_frame": 24, "processing_examples": 24,
    "repository": 24, "fault_matrix": 22, "page_proof": 22, "qgis_server_entries": 22, "fault_table": 20,
    "foreign_styles": 20, "terms": 20, "dock_offline": 18, "tile_seams": 18, "translation_catalogue": 18,
    "layout_templates": 16, "library": 16, "map_truth": 16, "qt6": 16, "readers": 16, "records": 16, "guide_help": 15,
    "export_legends": 14, "image_faults": 14, "legend_edits": 14, "snapshot_display": 14, "closing": 12, "demo": 12,
    "export_disk": 12, "killed_exports": 12, "network": 12, "predicted_requests": 12, "preflight_findings": 12,
    "series": 12, "legend_graphics": 10, "legend_page": 10, "round_trips": 10, "two_windows": 10,
    "template_gallery": 9,
}
#: seconds of every other folder and file, and of what shares one process at most
SHORT, SHARED = 4, 45
OWN_PROCESS = "pytest.mark.own_process"


class Piece(NamedTuple):
    """What one process runs."""

    stage: str
    paths: Tuple[str, ...]
    seconds: float = SHORT

    @property
    def name(self) -> str:
        """The paths, the shared folder once."""
        if len(self.paths) == 1:
            return self.paths[0]
        folder = os.path.commonpath(self.paths)
        return f"{folder}/{{{','.join(path[len(folder) + 1:] for path in self.paths)}}}"

    @property
    def options(self) -> List[str]:
        """Options of pytest."""
        if self.stage == "unit":
            return WITHOUT_QGIS
        return [] if any("hypothesis" in (REPOSITORY / path).read_text("utf-8") for path in self.paths) \
            else WITHOUT_HYPOTHESIS

    def apart(self) -> List[Piece]:
        """One for each path."""
        return [Piece(self.stage, (path,)) for path in self.paths]


class Outcome(NamedTuple):
    """How one piece went: counts of tests, why it failed as a whole, if it did, and what it printed."""

    piece: Piece
    passed: int
    failed: int
    skipped: int
    trouble: str
    output: str
    seconds: float

    @property
    def good(self) -> bool:
        """Whether nothing failed."""
        return not self.failed and not self.trouble


def pieces() -> List[Piece]:
    """All of the suite, the longest pieces first."""
    unit, qgis = REPOSITORY / "tests" / "unit", REPOSITORY / "tests" / "qgis"
    folders = [path for path in unit.iterdir() if path.is_dir() and any(path.glob("test_*.py"))]
    found = [*shared("unit", [*folders, *unit.glob("test_*.py")]), *shared("QGIS", qgis.rglob("test_*.py"))]
    return sorted(found, key=lambda piece: (-piece.seconds, piece.paths))


def shared(stage: str, paths: Iterable[Path]) -> Iterator[Piece]:
    """Pieces of at most SHARED seconds, in the order of names."""
    together: List[str] = []
    sum_of_seconds = 0.0
    for path in sorted(paths):
        name = path.relative_to(REPOSITORY).as_posix()
        seconds = SECONDS_ALONE.get(path.stem.replace("test_", "", 1), SHORT)
        if seconds >= SHARED or path.is_file() and OWN_PROCESS in path.read_text("utf-8"):
            yield Piece(stage, (name,), seconds)
            continue
        if together and sum_of_seconds + seconds > SHARED:
            yield Piece(stage, tuple(together), sum_of_seconds)
            together, sum_of_seconds = [], 0.0
        together.append(name)
        sum_of_seconds += seconds
    if together:
        yield Piece(stage, tuple(together), sum_of_seconds)


def report_path(piece: Piece) -> Path:
    """The JUnit report of a piece."""
    return REPORTS / f"{piece.paths[0].replace('/', '-')}{'' if len(piece.paths) == 1 else '-and-more'}.xml"


def counts(report: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped tests of a JUnit report; zeros where it was not written."""
    if not report.is_file():
        return 0, 0, 0
    suites = ElementTree.parse(report).getroot().iter("testsuite")
    total = failed = skipped = 0
    for suite in suites:
        total += int(suite.get("tests", 0))
        failed += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return total - failed - skipped, failed, skipped


def run(piece: Piece, extra: List[str]) -> Outcome:
    """Run one piece in a process of its own and tell how it went."""
    report = report_path(piece)
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", *piece.paths, "-q", *piece.options,
               f"--junitxml={report}", *extra]
    started = time.monotonic()
    try:
        answer = subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
        status, printed = answer.returncode, answer.stdout
        trouble = ""
    except subprocess.TimeoutExpired as late:
        status, printed = 0, late.stdout or b""
        trouble = f"stopped after {SECONDS // 60} minutes"
    passed, failed, skipped = counts(report)
    if status < 0:
        trouble = f"crashed with {signal.Signals(-status).name}"
    elif status == NO_TESTS_COLLECTED and not extra:
        trouble = "found no tests"
    elif status not in (0, NO_TESTS_COLLECTED) and not failed:
        trouble = f"pytest ended with status {status}"
    return Outcome(piece, passed, failed, skipped, trouble, printed.decode("utf-8", "replace"),
                   time.monotonic() - started)


def told(outcome: Outcome) -> Outcome:
    """Print one line for the piece, and what it printed where it failed."""
    words = f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
    if not outcome.good:
        print(outcome.output)
    print(f"{outcome.piece.name}: {words}{', ' + outcome.trouble if outcome.trouble else ''} "
          f"({outcome.seconds:.0f} s)", flush=True)
    return outcome


def run_named(arguments: List[str]) -> int:
    """Run the files and tests that ``arguments`` name in one process; the status is pytest's."""
    named = [argument for argument in arguments if is_path(argument)]
    only_unit = all(argument.startswith("tests/unit") for argument in named)
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", *(WITHOUT_QGIS if only_unit else []), *arguments]
    return subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, check=False).returncode


def versions() -> str:
    """Return QGIS, Qt, PyQt and Python that the tests run on, as one line."""
    program = ("import platform\nfrom qgis.core import Qgis\nfrom qgis.PyQt.QtCore import PYQT_VERSION_STR, qVersion\n"
               "print(f'QGIS {Qgis.version().split(\"-\")[0]}, Qt {qVersion()}, PyQt {PYQT_VERSION_STR}, '"
               "f'Python {platform.python_version()}')")
    answer = subprocess.run([sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                            check=False)
    return answer.stdout.strip() or "a QGIS that could not be loaded"


def is_path(argument: str) -> bool:
    """Return whether a command line argument names a file, a folder or one test of it."""
    return not argument.startswith("-") and (REPOSITORY / argument.split("::")[0]).exists()


def main() -> int:
    """Run every piece whatever the others say; 0 only when every test passed."""
    os.environ["LC_ALL"] = "C.UTF-8"
    # each of some 200 processes would compile the same sources
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("PYTHONPYCACHEPREFIX", str(BYTECODE))
    extra = sys.argv[1:]
    if any(is_path(argument) for argument in extra):
        return run_named(extra)
    started = time.monotonic()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        first = list(pool.map(lambda piece: told(run(piece, extra)), pieces()))
    outcomes, again = [], []
    for outcome in first:
        if outcome.good:
            outcomes.append(outcome)
            continue
        for piece in outcome.piece.apart():
            print(f"once more: {piece.name}", flush=True)
            outcomes.append(told(run(piece, extra)))
            again += [piece.name] if outcomes[-1].good else []
    print("──")
    if again:
        print(f"passed only when run once more: {', '.join(again)}")
    for stage in ("unit", "QGIS"):
        own = [outcome for outcome in outcomes if outcome.piece.stage == stage]
        print(f"{stage}: {sum(one.passed for one in own)} passed, {sum(one.failed for one in own)} failed, "
              f"{sum(one.skipped for one in own)} skipped")
    for outcome in outcomes:
        if not outcome.good:
            print(f"NOT good: {outcome.piece.name} {outcome.trouble}")
    good = all(outcome.good for outcome in outcomes)
    total = sum(outcome.passed for outcome in outcomes)
    print(f"{'All' if good else 'NOT all'} tests passed: {total} passed in {time.monotonic() - started:.0f} s "
          f"on {versions()}")
    return 0 if good and total else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs the whole test suite: unit tests without QGIS and tests inside QGIS, piece by piece; the last lines sum up.

    .venv/bin/python tests/tools/test.py [pytest options]
    .venv/bin/python tests/tools/test.py tests/qgis/test_x.py::test_name [pytest options]

The second form runs only what it names. Otherwise a piece (a folder of unit tests, a file of QGIS tests) runs in a
process of its own, three at a time, so that a crash of QGIS takes nothing else with it. The pieces that took longest in
the last run, or else those of LONGEST, start first, so that no process is left with a long one at the end. A piece that
fails is run once more by itself, because some tests watch the clock; what passes only then is named.
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
from typing import List, NamedTuple

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
#: the pieces that take longest, for a first run
LONGEST = ("canary", "map_states", "export_checks", "export_formats", "soak", "credits_alike", "dock_map",
           "scale_on_paper", "legend_graphics", "image_faults", "reload", "dock_offline", "guide_help", "map_truth",
           "legend_page", "processing_examples", "preflight_findings", "qgis_server_entries", "layouts_frame",
           "page_proof", "processing_commands", "fault_matrix", "tile_seams", "page_preview", "legend_edits",
           "export_legends", "layout_templates", "snapshot_display", "series", "snapshot_creation", "main_plugin",
           "demo", "predicted_requests", "fault_table", "export_disk", "killed_exports", "repository", "terms",
           "network", "catalogues", "checks")


class Piece(NamedTuple):
    """What one process runs."""

    stage: str
    path: str
    options: List[str]


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
    loose = sorted(path.relative_to(REPOSITORY).as_posix() for path in unit.glob("test_*.py"))
    found = [Piece("unit", folder.relative_to(REPOSITORY).as_posix(), WITHOUT_QGIS) for folder in folders]
    found += [Piece("unit", path, WITHOUT_QGIS) for path in loose]
    found += [Piece("QGIS", path.relative_to(REPOSITORY).as_posix(),
                    [] if "hypothesis" in path.read_text("utf-8") else WITHOUT_HYPOTHESIS)
              for path in qgis.rglob("test_*.py")]
    return sorted(found, key=lambda piece: (-expected_seconds(piece), -size(REPOSITORY / piece.path), piece.path))


def report_path(piece: Piece) -> Path:
    """The JUnit report of a piece."""
    return REPORTS / (piece.path.replace("/", "-") + ".xml")


def expected_seconds(piece: Piece) -> float:
    """How long a piece took in the last run. Where there was none, its place in LONGEST, shorter than any long one."""
    report = report_path(piece)
    if report.is_file():
        suites = ElementTree.parse(report).getroot().iter("testsuite")
        return sum(float(suite.get("time", 0)) for suite in suites)
    name = Path(piece.path).stem
    name = name[len("test_"):] if name.startswith("test_") else name
    return float(len(LONGEST) - LONGEST.index(name)) if name in LONGEST else 0.0


def size(path: Path) -> int:
    """Bytes of a test file, or of all in a folder."""
    return path.stat().st_size if path.is_file() else sum(file.stat().st_size for file in path.glob("test_*.py"))


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
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", piece.path, "-q", *piece.options,
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
    print(f"{outcome.piece.path}: {words}{', ' + outcome.trouble if outcome.trouble else ''} "
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
        if not outcome.good:
            print(f"once more: {outcome.piece.path}", flush=True)
            outcome = told(run(outcome.piece, extra))
            again += [outcome.piece.path] if outcome.good else []
        outcomes.append(outcome)
    print("──")
    if again:
        print(f"passed only when run once more: {', '.join(again)}")
    for stage in ("unit", "QGIS"):
        own = [outcome for outcome in outcomes if outcome.piece.stage == stage]
        print(f"{stage}: {sum(one.passed for one in own)} passed, {sum(one.failed for one in own)} failed, "
              f"{sum(one.skipped for one in own)} skipped")
    for outcome in outcomes:
        if not outcome.good:
            print(f"NOT good: {outcome.piece.path} {outcome.trouble}")
    good = all(outcome.good for outcome in outcomes)
    total = sum(outcome.passed for outcome in outcomes)
    print(f"{'All' if good else 'NOT all'} tests passed: {total} passed in {time.monotonic() - started:.0f} s "
          f"on {versions()}")
    return 0 if good and total else 1


if __name__ == "__main__":
    sys.exit(main())

"""Runs the whole test suite: unit tests without QGIS and tests inside QGIS, piece by piece; the last lines sum up.

    .venv/bin/python tests/tools/test.py [--all] [pytest options]
    .venv/bin/python tests/tools/test.py tests/qgis/test_x.py::test_name [pytest options]

The second form runs only what it names. The first leaves out what is marked ``slow`` unless ``--all`` or a choice of
tests (``-k``, ``-m``) is given. Files share processes, since one takes 3 s before its first map is
made. Who shares depends on SECONDS_ALONE only, so that a file has the same neighbours in every run. Four processes run
at a time, the longest first and ever shorter ones, so that none is left with a long one at the end. A file with the
marker ``own_process`` shares none. Where a test fails, its file is run once more in a process of its own, and where a
process crashes, each of its files. By then each process has a core to itself, because some tests watch the clock. What
passes only then is named.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Tuple

REPOSITORY = Path(__file__).resolve().parents[2]
REPORTS = REPOSITORY / "build" / "tests"
COSTS = REPORTS / "costs.tsv"
NO_TESTS_COLLECTED = 5
SECONDS = 30 * 60
#: seconds after which the suite says how far it is
PROGRESS_SECONDS = 30
#: two more than the cores of a small machine: for half of their time tests wait for a server, a timer or a fault
AT_A_TIME = 4
#: processes of the second run
ONCE_MORE_AT_A_TIME = max(1, min(AT_A_TIME, os.cpu_count() or 1))
#: what a developer does not wait for: .ci/run has all tests
WITHOUT_SLOW = ["-m", "not slow"]
WITHOUT_QGIS = ["-p", "no:qgis", "-p", "no:pytest-qt"]
#: its plugin imports all of it at the end of a process, whether or not it was used
WITHOUT_HYPOTHESIS = ["-p", "no:hypothesispytest"]
#: compiled sources, which all the processes of a run share
BYTECODE = REPOSITORY / "build" / "bytecode"
#: seconds of a core of what takes long, or half of its seconds where it waits more: the suite writes both to COSTS
SECONDS_ALONE = {
    "benchmarks": 45, "export_checks": 38, "map_group": 32, "repository": 32, "login_origins": 30, "fault_table": 25,
    "catalogues": 24, "page_proof": 24, "dock_map": 22, "qt6": 21, "terms": 20, "distributions": 19,
    "export_formats": 19, "custommap": 18, "records": 17, "unchecked_layers": 17, "unfit_credits": 17,
    "credits_alike": 16, "written_pages": 16, "map_truth": 15, "publication": 15, "layer_identity": 14,
    "layout_templates": 14, "image_faults": 13, "layouts_frame": 13, "library": 13, "overflow_page": 13,
    "proved_servers": 13, "recipes": 12, "network_fetch": 11, "one_time": 11, "review": 11, "sealed_export": 11,
    "service_subgroups": 11, "wms": 11, "network": 10, "pixels": 10, "catalogues_search": 9, "foreign_maps": 9,
    "foreign_styles": 9, "legend_edits": 9, "map_states": 9, "own_layers": 9, "page_preview": 9, "add_button": 8,
    "composer_widgets": 8, "foreign_snapshots": 8, "foreign_templates": 8, "proved_features": 8, "readers": 8,
    "template_resources": 8, "type_sizes": 8, "blend_modes": 7, "command_line": 7, "demo": 7, "dock_facets": 7,
    "dock_library": 7, "dock_records": 7, "foreign_text_maps": 7, "page_fit": 7, "proved_files": 7, "scale_limits": 7,
    "series": 7, "dock_pages": 6, "fault_matrix": 6, "health_services": 6, "legend_graphics": 6, "map_logos": 6,
    "processing_examples": 6, "second_hand": 6, "snapshot_creation": 6, "tasks_jobs": 6, "browser_tree": 5, "canary": 5,
    "credit_letters": 5, "federated_search": 5, "field_sheet": 5, "foreign_redirects": 5, "foreign_text_widgets": 5,
    "main_plugin": 5, "page_frame": 5, "page_themes": 5, "preflight_findings": 5, "service_states": 5, "trust": 5,
    "catalogues_saved": 4, "copied_marks": 4, "dock_offline": 4, "dock_opening": 4, "export_legends": 4,
    "foreign_files": 4, "layer_creation": 4, "leaflet_table": 4, "operations_page": 4, "own_layers_map": 4,
    "page_rotation": 4, "proved_tiles": 4, "record_preview": 4, "record_view_widgets": 4, "scale_on_paper": 4,
    "secrets_in_outputs": 4, "template_loading": 4,
}
#: seconds of every other folder and file
SHORT = 2
#: seconds of what shares one process
LARGEST, SMALLEST = 140, 50
OWN_PROCESS = "pytest.mark.own_process"
#: all tests of a file are slow
SLOW_FILE = re.compile(r"^pytestmark = (\[\s*)?(pytest\.mark\.[^\n]*\s+)?pytest\.mark\.slow", re.MULTILINE)


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

    def apart(self, modules: Tuple[str, ...]) -> List[Piece]:
        """One for each of its paths that has one of ``modules``, or one for each path if none has."""
        dotted = {path: str(Path(path).with_suffix("")).replace("/", ".") for path in self.paths}
        chosen = [path for path, name in dotted.items()
                  if any(f"{module}.".startswith(f"{name}.") for module in modules)]
        return [Piece(self.stage, (path,)) for path in chosen or self.paths]


class Outcome(NamedTuple):
    """How one piece went: counts of tests, why it failed as a whole, if it did, and what it printed."""

    piece: Piece
    passed: int
    failed: int
    skipped: int
    trouble: str
    output: str
    seconds: float
    #: seconds that cores worked for it and for what it started
    processor: float
    #: the modules, or classes in them, that have a failure
    at_fault: Tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether nothing failed."""
        return not self.failed and not self.trouble


def pieces(slow: bool) -> List[Piece]:
    """All of the suite, the longest pieces first, without the files of which each test is slow unless ``slow``."""
    unit, qgis = REPOSITORY / "tests" / "unit", REPOSITORY / "tests" / "qgis"
    folders = [path for path in unit.iterdir() if path.is_dir() and any(path.glob("test_*.py"))]
    files = [path for path in qgis.rglob("test_*.py") if slow or not SLOW_FILE.search(path.read_text("utf-8"))]
    found = [*shared("unit", [*folders, *unit.glob("test_*.py")]), *shared("QGIS", files)]
    return sorted(found, key=lambda piece: (-piece.seconds, piece.paths))


def shared(stage: str, found: Iterable[Path]) -> Iterator[Piece]:
    """Pieces in the order of names, ever smaller ones, so that all processes come to their end at about the same time.

    Each is a share of the seconds that are left, at most LARGEST and at least SMALLEST of them.
    """
    seconds = {path: SECONDS_ALONE.get(path.stem.replace("test_", "", 1), SHORT) for path in sorted(found)}
    names = {path: path.relative_to(REPOSITORY).as_posix() for path in seconds}
    alone = [path for path in seconds if path.is_file() and OWN_PROCESS in path.read_text("utf-8")]
    yield from (Piece(stage, (names[path],), seconds.pop(path)) for path in alone)
    together: List[Path] = []
    left = sum(seconds.values())
    for path in seconds:
        size = sum(seconds[one] for one in together)
        if together and size + seconds[path] > min(LARGEST, max(SMALLEST, left / (2 * AT_A_TIME))):
            yield Piece(stage, tuple(names[one] for one in together), size)
            together, left = [], left - size
        together.append(path)
    if together:
        yield Piece(stage, tuple(names[one] for one in together), sum(seconds[one] for one in together))


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


def at_fault(report: Path) -> Tuple[str, ...]:
    """The names of what has a failure in a JUnit report: modules, or classes in them."""
    if not report.is_file():
        return ()
    cases = [case for case in ElementTree.parse(report).iter("testcase")
             if case.find("failure") is not None or case.find("error") is not None]
    return tuple(sorted({case.get("classname", "") for case in cases}))


def write_costs() -> None:
    """Write what the tests of each file took into ``COSTS``, the dearest first: seconds of cores, seconds, tests."""
    files: Dict[str, List[float]] = {}
    for case in (case for path in REPORTS.glob("*.xml") for case in ElementTree.parse(path).iter("testcase")):
        sums = files.setdefault(case.get("classname", ""), [0.0, 0.0, 0])
        # tests/conftest.py
        used = case.find("properties/property[@name='core_seconds']")
        for place, more in enumerate((float(used.get("value", 0)) if used is not None else 0.0,
                                      float(case.get("time", 0)), 1)):
            sums[place] += more
    rows = sorted(files.items(), key=lambda row: row[1], reverse=True)
    COSTS.write_text("".join(f"{used:.1f}\t{seconds:.1f}\t{tests}\t{name}\n" for name, (used, seconds, tests) in rows),
                     "utf-8")


def run(piece: Piece, extra: List[str]) -> Outcome:
    """Run one piece in a process of its own and tell how it went."""
    report = report_path(piece)
    report.unlink(missing_ok=True)
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", *piece.paths, "-q", *piece.options,
               f"--junitxml={report}", *extra]
    started, trouble = time.monotonic(), ""
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, stdout=printed,
                                   stderr=subprocess.STDOUT)
        late = threading.Timer(SECONDS, process.kill)
        late.start()
        # wait4 instead of wait: it tells what this process used, and not those beside it
        _, state, used = os.wait4(process.pid, 0)
        status = process.returncode = os.waitstatus_to_exitcode(state)
        if time.monotonic() - started >= SECONDS:
            status, trouble = 0, f"stopped after {SECONDS // 60} minutes"
        late.cancel()
        printed.seek(0)
        output = printed.read().decode("utf-8", "replace")
    passed, failed, skipped = counts(report)
    if status < 0:
        trouble = f"crashed with {signal.Signals(-status).name}"
    elif status == NO_TESTS_COLLECTED and extra in ([], WITHOUT_SLOW):
        trouble = "found no tests"
    elif status not in (0, NO_TESTS_COLLECTED) and not failed:
        trouble = f"pytest ended with status {status}"
    return Outcome(piece, passed, failed, skipped, trouble, output, time.monotonic() - started,
                   used.ru_utime + used.ru_stime, () if trouble else at_fault(report))


def told(outcome: Outcome) -> Outcome:
    """Print one line for the piece, and what it printed where it failed."""
    words = f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
    if not outcome.good:
        print(outcome.output)
    print(f"{outcome.piece.name}: {words}{', ' + outcome.trouble if outcome.trouble else ''} "
          f"({outcome.seconds:.0f} s, {outcome.processor:.0f} s of a core)", flush=True)
    return outcome


def pytest_options(arguments: List[str]) -> List[str]:
    """Return pytest's options: those of ``arguments``, and that the slow tests are left out where nothing is chosen."""
    options = [argument for argument in arguments if argument != "--all"]
    chosen = any(is_path(option) or option.startswith(("-k", "-m")) for option in options)
    return options if chosen or "--all" in arguments else [*options, *WITHOUT_SLOW]


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
    extra = pytest_options(sys.argv[1:])
    if any(is_path(argument) for argument in extra):
        return run_named(extra)
    shutil.rmtree(REPORTS, ignore_errors=True)
    REPORTS.mkdir(parents=True)
    # tests/network/network.py
    os.environ["CARTOGUIDE_TEST_ANSWERS"] = str(answers := REPORTS / "answers")
    started = time.monotonic()
    planned = pieces(slow=extra[-2:] != WITHOUT_SLOW)
    print(f"{len(planned)} processes, {AT_A_TIME} at a time and the longest first: the first results take minutes",
          flush=True)
    done: List[Outcome] = []
    ended = threading.Event()

    def run_told(piece: Piece) -> Outcome:
        outcome = told(run(piece, extra))
        done.append(outcome)
        return outcome

    def say_progress() -> None:
        while not ended.wait(PROGRESS_SECONDS):
            print(f"… {len(done)} of {len(planned)} processes ended, {sum(one.passed for one in done)} tests passed "
                  f"after {time.monotonic() - started:.0f} s", flush=True)

    threading.Thread(target=say_progress, daemon=True).start()
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        first = list(pool.map(run_told, planned))
    ended.set()

    def run_again(piece: Piece) -> Outcome:
        print(f"once more: {piece.name}", flush=True)
        return told(run(piece, extra))

    bad = [(outcome, piece) for outcome in first if not outcome.good for piece in outcome.piece.apart(outcome.at_fault)]
    with ThreadPoolExecutor(ONCE_MORE_AT_A_TIME) as pool:
        repeated = list(pool.map(run_again, (piece for _outcome, piece in bad)))
    again = [one.piece.name for one in repeated if one.good]
    outcomes = [*(outcome for outcome in first if outcome.good), *repeated]
    for outcome in first:
        if not outcome.good and not outcome.trouble:
            # the files beside them are not run again
            second = [one for (former, _piece), one in zip(bad, repeated) if former is outcome]
            outcomes.append(outcome._replace(
                passed=outcome.passed + outcome.failed - sum(one.passed + one.failed for one in second), failed=0,
                skipped=outcome.skipped - sum(one.skipped for one in second)))
    print("──")
    if again:
        print(f"passed only when run once more: {', '.join(again)}")
    for stage in ("unit", "QGIS"):
        own = [outcome for outcome in outcomes if outcome.piece.stage == stage]
        print(f"{stage}: {sum(one.passed for one in own)} passed, {sum(one.failed for one in own)} failed, "
              f"{sum(one.skipped for one in own)} skipped")
    print("seconds of a core: " + ", ".join(
        f"{stage} {sum(one.processor for one in first if one.piece.stage == stage):.0f}" for stage in ("unit", "QGIS"))
        + f"; of each file: {COSTS.relative_to(REPOSITORY)}")
    write_costs()
    shutil.rmtree(answers, ignore_errors=True)
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

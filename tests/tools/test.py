"""Runs the whole test suite: unit tests without QGIS first, then the tests inside QGIS; the last line sums up.

    .venv/bin/python tests/tools/test.py [pytest arguments]
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
NO_TESTS_COLLECTED = 5

STAGES = (
    ("unit", "tests/unit", ["-p", "no:qgis", "-p", "no:pytest-qt"], 10 * 60),
    ("QGIS", "tests/qgis", [], 40 * 60),
)


class Outcome(NamedTuple):
    """How one stage went: counts of tests, and why the stage as a whole failed, if it did."""

    name: str
    passed: int
    failed: int
    skipped: int
    trouble: str


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


def run_stage(name: str, folder: str, options: list[str], limit: int, extra: list[str]) -> Outcome:
    """Run one stage in a process of its own, which a crash of QGIS cannot take further."""
    report = REPOSITORY / "build" / f"tests-{name.lower()}.xml"
    report.parent.mkdir(exist_ok=True)
    report.unlink(missing_ok=True)
    command = [sys.executable, "-X", "faulthandler", "-m", "pytest", folder, *options, f"--junitxml={report}", *extra]
    print(f"── {name} tests", flush=True)
    try:
        answer = subprocess.run(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Outcome(name, *counts(report), trouble=f"stopped after {limit // 60} minutes")
    status = answer.returncode
    passed, failed, skipped = counts(report)
    trouble = ""
    if status < 0:
        trouble = f"crashed with {signal.Signals(-status).name}"
    elif status == NO_TESTS_COLLECTED and not extra:
        trouble = "found no tests"
    elif status not in (0, NO_TESTS_COLLECTED) and not failed:
        trouble = f"pytest ended with status {status}"
    return Outcome(name, passed, failed, skipped, trouble)


def main() -> int:
    """Run both stages whatever the first says; 0 only when every test passed."""
    os.environ["LC_ALL"] = "C.UTF-8"
    started = time.monotonic()
    outcomes = [run_stage(*stage, extra=sys.argv[1:]) for stage in STAGES]
    print("──")
    for outcome in outcomes:
        line = f"{outcome.name:>5}: {outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
        print(line + (f", {outcome.trouble}" if outcome.trouble else ""))
    good = not any(outcome.failed or outcome.trouble for outcome in outcomes)
    total = sum(outcome.passed for outcome in outcomes)
    seconds = time.monotonic() - started
    print(f"{'All' if good else 'NOT all'} tests passed: {total} passed in {seconds:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

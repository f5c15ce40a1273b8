"""Every Qt name and argument in the sources exists in PyQt6, by its own type stubs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.slowness import patience

ROOT = Path(__file__).resolve().parents[3]
#: what mypy found out in the run before: the first one takes fifteen seconds of a core
CACHE = ROOT / "build" / "mypy-qt6"
MAY_DIFFER = ("plugin/gis/runtime/compat.py",)

# qgis.PyQt is PyQt6 here, QGIS's own classes may have every name
SETTINGS = """
[mypy]
python_version = 3.10
strict_optional = False
ignore_missing_imports = True
check_untyped_defs = True
mypy_path = {stand_in}
[mypy-qgis.core,qgis.gui,qgis.analysis,qgis.utils,qgis.server,qgis.processing,owslib.*,osgeo.*,processing.*,lxml.*]
follow_imports = skip
"""

# what mypy says of Qt; not what it says of the sources' own classes and of attributes that hide a method of Qt's
QT = re.compile(r'"(?:type\[|builtins\.)?Q\w+(?:\])?" (?:of "[^"]*" )?has no attribute|Module "(?:qgis\.PyQt|PyQt6)|'
                r'Name "Q\w+(?:\.\w+)*" is not defined|'
                r'Argument \d+ to "(?!\w+Event")\w+" of "Q|No overload variant of "\w+" of "Q|'
                r'arguments? (?:"\w+" )?(?:for|in call to) "(?:\w+" of ")?Q|Unsupported operand types.*"Q')
OWN = re.compile(r'Callable\[|overloaded function')

GONE_IN_QT6 = """
from qgis.PyQt.QtCore import QRegExp, Qt, QThread
from qgis.PyQt.QtGui import QDropEvent, QFontMetrics, QMouseEvent
from qgis.PyQt.QtWidgets import QAction, QDesktopWidget, QDialog, QLabel, QMenu


def width(metrics: QFontMetrics) -> int:
    return metrics.width("text")


def place(event: QDropEvent) -> object:
    return event.pos()


def flags() -> Qt.ItemFlags:
    return Qt.ItemIsEnabled


def show(label: QLabel, dialog: QDialog, menu: QMenu) -> None:
    label.setAlignment(4)
    label.setMargin(1.5)
    dialog.exec_()
    QAction("fine", menu).setShortcut("Ctrl+S")
    menu.exec(label.mapToGlobal(label.pos()))
    label.setAlignment(Qt.AlignmentFlag.AlignLeft)
"""


def of_qt(said: str) -> list[str]:
    """What mypy said of Qt's classes."""
    errors = [line for line in said.splitlines() if ": error: " in line]
    return [line for line in errors if QT.search(line) and not OWN.search(line)]


@pytest.fixture(scope="module")
def said(pyqt6, tmp_path_factory):
    """What mypy says of the sources and of one that Qt 6 could not run, by file."""
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "mypy.ini").write_text(SETTINGS.format(stand_in=Path(__file__).with_name("stand_in")))
    (folder / "gone_in_qt6.py").write_text(GONE_IN_QT6)
    answer = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(folder / "mypy.ini"), "--cache-dir", str(CACHE),
         "--hide-error-context", "--no-pretty", "plugin", str(folder / "gone_in_qt6.py")],
        cwd=ROOT, capture_output=True, text=True, timeout=patience(110), stdin=subprocess.DEVNULL)
    assert answer.returncode in (0, 1), answer.stdout[-1000:] + answer.stderr[-3000:]
    assert re.search(r"checked \d{3,} source files", answer.stdout)
    return of_qt(answer.stdout)


def test_what_qt6_lacks_is_found(said):
    lines = [int(line.split(":")[1]) for line in said if "gone_in_qt6.py" in line]
    wrong = [number for number, line in enumerate(GONE_IN_QT6.splitlines(), 1)
             if re.search(r"QRegExp|QDesktopWidget|\.width\(|event\.pos|Qt\.Item|\(4\)|\(1\.5\)|exec_", line)]
    assert lines == wrong


def test_the_sources_use_nothing_that_qt6_lacks(said):
    assert [line for line in said if line.startswith("plugin/") and not line.startswith(MAY_DIFFER)] == []

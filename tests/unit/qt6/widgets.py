"""Runs with PyQt6 and no QGIS: every module is imported, every widget that can be made is made, shown, drawn and used.

Prints one line of JSON: {"modules": how many, "widgets": [names], "closed": [what was opened], "failures": [text]}.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import traceback
from pathlib import Path
from typing import Callable, Dict, List

ROOT = Path(__file__).resolve().parents[3]
os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.path[:0] = [str(Path(__file__).with_name("stand_in")), str(ROOT), str(Path(__file__).parent)]

from exercise import Closer, exercise  # noqa: E402
from filled import filled_widgets  # noqa: E402
from PyQt6.QtCore import QSettings  # noqa: E402
from PyQt6.QtWidgets import QApplication, QWidget  # noqa: E402

RECORDS = ROOT / "resources" / "records"
failures: List[str] = []
widgets: List[str] = []


def attempt(name: str, work: Callable[[], object]) -> object:
    """Do it; note what went wrong."""
    try:
        return work()
    except Exception as error:
        note(error, name)
        return None


def note(error: BaseException, name: str = "drawing") -> None:
    """A failure, unless it is that QGIS's own classes do nothing here."""
    if "Nothing" not in str(error):
        failures.append(f"{name}: {''.join(traceback.format_exception(error, limit=-3))}")


def draw(name: str, widget: QWidget) -> None:
    """Show the widget narrow and wide, let it paint itself, and use it."""
    for width in (320, 700):
        widget.resize(width, 480)
        widget.show()
        QApplication.processEvents()
        widget.grab()
    exercise(widget)
    widget.grab()
    widget.hide()
    widgets.append(name)


def modules() -> List[str]:
    """Every module of the plugin by its name."""
    found = []
    for path in sorted((ROOT / "plugin").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] != "__main__":
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def plain_widgets(names: List[str]) -> Dict[str, Callable[[], QWidget]]:
    """The widgets of ``ui`` that are made from nothing."""
    found: Dict[str, Callable[[], QWidget]] = {}
    for name in names:
        module = sys.modules.get(name)
        for key, kind in vars(module).items() if module is not None and name.startswith("plugin.ui.") else ():
            if inspect.isclass(kind) and kind.__module__ == name and issubclass(kind, QWidget):
                given = list(inspect.signature(kind.__init__).parameters.values())[1:]
                if not any(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in given):
                    found[f"{name}.{key}"] = kind
    return found


def record_views() -> None:
    """The six tabs on the bundled records, each with its service's record, terms and document."""
    from plugin.core.distributions.record_distributions import wms_address
    from plugin.core.records import read
    from plugin.core.terms import terms_for
    from plugin.ui.record.compare_view import CompareDialog
    from plugin.ui.record.record_view import RecordView

    records = [record for path in sorted(RECORDS.glob("*.xml")) for record in read(path.read_bytes(), path.name)]
    for record in records:
        view = RecordView(lambda data: None)
        view.show_record(record, terms_for(record), wms_address(record))
        for tab in range(view.tabs.count()):
            view.tabs.setCurrentIndex(tab)
            draw(f"RecordView tab {tab}", view)
    dialog = CompareDialog(records[0])
    draw("CompareDialog", dialog)
    for name, make in filled_widgets(records).items():
        attempt(name, lambda name=name, make=make: draw(name, make()))


def main() -> None:
    """All of it; nothing of the person's own settings is read."""
    # with a hook of its own PyQt does not end the program for an error in a method that Qt calls
    sys.excepthook = lambda _kind, error, _trace: note(error)
    app = QApplication([])
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, os.environ["HOME"])
    app.setOrganizationName("cartoguide-tests")
    closer = Closer()
    names = modules()
    for name in names:
        attempt(name, lambda name=name: importlib.import_module(name))
    for name, kind in plain_widgets(names).items():
        attempt(name, lambda name=name, kind=kind: draw(name, kind()))
    attempt("records", record_views)
    said = {"modules": len(names), "widgets": widgets, "closed": closer.closed, "failures": failures}
    print(json.dumps(said), flush=True)
    # what Qt and the stand-ins still hold need not be taken apart
    os._exit(0)


main()

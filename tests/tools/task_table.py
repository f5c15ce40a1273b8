"""The task table: ten tasks done by a scripted person in the real QGIS, with clicks, keys and seconds.

    task_table.py [--out DIR] [--size 1366x768]

QGIS runs in a virtual display beside the test network, and xdotool moves its mouse. The seconds are the machine's,
without the person's thinking. Those of QGIS's own way are listed, not measured. Not run by the tests.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, List

TOOLS = Path(__file__).resolve().parent
REPOSITORY = TOOLS.parents[1]
#: the same task with QGIS 3.22's own windows: the clicks as its menus and dialogs need them, listed by hand, not run
PEERS: Dict[str, str] = {
    "first_map": "32 or more: two services by MetaSearch (16 and 4), then a layout (12), its credit typed by hand",
    "find": "MetaSearch: 4 (Web › MetaSearch › MetaSearch, the field, Search), once the catalogue was added",
    "terms": "MetaSearch: 2 (double click on the result); the terms are in the XML",
    "add_two": "MetaSearch: 2 × 8 (result, Add Data, WMS; then a layer, Add, in the Data Source Manager)",
    "reorder": "layer tree: 1 (drag)",
    "restyle": "Layer Styling: 3 (panel, Transparency, slider)",
    "page": "layout: 6 (New Layout, name, page properties, size, orientation, fit the map)",
    "print": "layout: 12 (add map, legend, label for the credit, scale bar; export, file, options)",
    "series": "no: 30 layers, each with its own time range",
    "save": "project: 4 (Save, file; Open, file)",
    "credits": "no: each layer's properties, one by one",
}
#: clicks of the same tasks when list, record and custom map were stacked in one dock, by this script adapted to it;
#: those "by hand" were counted in its windows
BEFORE: Dict[str, str] = {
    "first_map": "7 (by hand: record, arrow, Use as base, record, arrow, Add as overlay, Export)",
    "find": "1",
    "terms": "2",
    "add_two": "5, and the list scrolled once",
    "reorder": "1 (by hand)",
    "restyle": "1",
    "page": "5, and the panel scrolled twice",
    "print": "1 (by hand)",
    "series": "5, and the list scrolled twice",
    "save": "6",
    "credits": "3",
}


def rows(table: List[Dict[str, object]]) -> List[str]:
    """The table as Markdown."""
    lines = ["| Task | Clicks | Keys | Seconds | Clicks in one dock | QGIS's own way, clicks |",
             "|---|---|---|---|---|---|"]
    for row in table:
        if "clicks" in row:
            seconds = f"{row['seconds']}" + (f" ({row['problem']})" if row["problem"] else "")
            task = str(row["task"])
            lines.append(f"| {row['what']} | {row['clicks']} | {row['keys']} | {seconds} | {BEFORE[task]} | "
                         f"{PEERS[task]} |")
    return lines


def main() -> int:
    """Run QGIS and print the table. The status is 1 if a task could not be done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "tasks")
    parser.add_argument("--size", default="1366x768")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which QGIS is ended")
    options = parser.parse_args()
    out = options.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for old in (*out.glob("*.png"), *out.glob("map.*"), out / "tasks.json"):
        old.unlink(missing_ok=True)
    environment = {**os.environ, "CARTOGUIDE_TASKS": str(out / "tasks.json")}
    command = [str(TOOLS / "run_qgis.sh"), "--fresh", "--profile-folder", str(out / "profile"), "--virtual",
               "--size", options.size, "--script", str(TOOLS / "inside_tasks.py")]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        process.wait(options.limit)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait(30)
    if not (out / "tasks.json").is_file():
        print("tasks: QGIS did not begin the first task", file=sys.stderr)
        return 1
    table = json.loads((out / "tasks.json").read_text(encoding="utf-8"))
    print("\n".join(rows(table)))
    return 0 if table[-1]["task"] == "end" and not any(row.get("problem") for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())

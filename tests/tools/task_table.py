"""The task table: ten tasks done by a scripted person in the real QGIS, with clicks, keys and seconds.

    task_table.py [--out DIR] [--size 1366x768] [--beside NAME=FILE …]

QGIS runs in a virtual display beside the test network, and xdotool moves its mouse. The seconds are the machine's,
without the person's thinking. The clicks of QGIS's own way are a table in this file. Not run by the tests.
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
#: clicks of the same tasks with QGIS 3.22's own windows. Those of MetaSearch were counted by a script like this one,
#: those of the layout and of the project by hand
PEERS: Dict[str, str] = {
    "first_map": "25 or more: MetaSearch (3 and 2 × 5), then a layout (12), its credit typed by hand",
    "find": "MetaSearch: 3 (its button, the field, Search), once the catalogue was added",
    "terms": "MetaSearch: 2 (double click on the result); the terms are in the XML",
    "add_two": "MetaSearch: 2 × 5 (result, Add Data, WMS, a layer, Add), one layer of each",
    "reorder": "layer tree: 1 (drag)",
    "restyle": "Layer Styling: 3 (panel, Transparency, slider)",
    "page": "layout: 6 (New Layout, name, page properties, size, orientation, fit the map)",
    "print": "layout: 12 (add map, legend, label for the credit, scale bar; export, file, options)",
    "series": "no: 30 layers, each with its own time range",
    "save": "project: 4 (Save, file; Open, file)",
    "credits": "no: each layer's properties, one by one",
}
#: clicks of the same tasks when list, record and custom map were stacked in one dock, by this script adapted to it
BEFORE: Dict[str, str] = {
    "first_map": "7, and the list scrolled twice",
    "find": "1",
    "terms": "2",
    "add_two": "4, and the search",
    "reorder": "1",
    "restyle": "1, and the panel scrolled",
    "page": "5, and the panel scrolled twice",
    "print": "1",
    "series": "4, and one more where its service was not loaded",
    "save": "6",
    "credits": "3",
}


def rows(table: List[Dict[str, object]], others: Dict[str, List[Dict[str, object]]]) -> List[str]:
    """The table as Markdown, with a column for each of ``others``: the results of other runs by their names."""
    heads = ["Task", "Clicks", "Keys", "Seconds", "Clicks in one dock", "QGIS's own way, clicks",
             *(f"{name}: clicks, seconds" for name in others)]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for row in table:
        if "clicks" in row:
            seconds = f"{row['seconds']}" + (f" ({row['problem']})" if row["problem"] else "")
            task = str(row["task"])
            found = [next((one for one in other if one["task"] == task and not one.get("problem")), None)
                     for other in others.values()]
            cells = [row["what"], row["clicks"], row["keys"], seconds, BEFORE[task], PEERS[task],
                     *(f"{one['clicks']}, {one['seconds']} s" if one is not None else "–" for one in found)]
            lines.append(f"| {' | '.join(map(str, cells))} |")
    return lines


def main() -> int:
    """Run QGIS and print the table. The status is 1 if a task could not be done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "tasks")
    parser.add_argument("--size", default="1366x768")
    parser.add_argument("--limit", type=float, default=600, help="seconds after which QGIS is ended")
    parser.add_argument("--beside", action="append", default=[], metavar="NAME=FILE",
                        help="a column with the tasks.json of another run, such as that of another version")
    options = parser.parse_args()
    others = {name: json.loads(Path(file).read_text(encoding="utf-8"))
              for name, _, file in (text.partition("=") for text in options.beside)}
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
    print("\n".join(rows(table, others)))
    return 0 if table[-1]["task"] == "end" and not any(row.get("problem") for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())

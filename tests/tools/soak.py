"""Soak: random actions in a real QGIS, and what they left behind: errors, layers, threads, timers, files, memory.

    /usr/bin/python3 tests/tools/soak.py [--actions 10000] [--seed N] [--keep FOLDER] [--leak KILOBYTES]

QGIS runs in a virtual display with the test network and a loopback catalogue. After each round of actions the map, the
project and the dialogs are emptied, and everything is counted. The first round is the warm-up. Counts that grow from
the second to the last round are printed, memory that grows in each of the later rounds or by much in a long run, and
the actions before an error. The status is 1 then.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "tests" / "network")) if path not in sys.path]

#: what QGIS itself keeps in caches and pools may differ by this many
ROUGH = {"widgets": 40, "objects in the window": 60, "top-level widgets": 12, "menus": 8, "python threads": 4,
         "timers in the window": 4, "timers of Python's": 6, "open files": 12,
         "temporary files": 1}
#: objects of one class of the plugin, and threads of the process
ROUGH_OBJECTS, ROUGH_THREADS = 60, 12
#: what full caches hold of a class: the legends of 8 pages (``LegendStore``), each of at most 8 entries here
CACHED = {"Swatch": 64}
#: megabytes that memory may grow for each 5,000 actions after the warm-up
MEMORY_GROWTH = 50.0
#: megabytes of each action by which memory may grow in every round of the later half. A leak goes on in each of them,
#: while a cache that fills, or a thread that begins, is seen in one or two
STEADY_GROWTH = 0.2
#: glibc gives freed memory back at once, so that the process shows what it uses. By itself it raises these limits with
#: the largest image that was freed, and then holds up to 64 MB of free memory in each of 8 arenas a core
ENVIRONMENT = {"MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072"}
#: services of the test network, and layers of theirs
SERVICES = (("guide", ["relieve", "carreteras"]), ("guide", ["hidrografia"]), ("facilities", ["miradores"]))
#: actions in which caches fill, and below which memory says nothing
ENOUGH_FOR_MEMORY = 2000
#: rounds below which a steady growth says nothing
ENOUGH_ROUNDS = 5


def in_use(one: Mapping[str, Any]) -> float:
    """Return the megabytes of the heap that are in use, or of the process where the C library does not say.

    glibc keeps what was freed: each of its arenas, one a thread, stays at its largest size.
    """
    heap = one.get("heap") or {}
    return float(heap["used"] + heap["mapped"]) if heap else float(one["memory"])


def steady_growth(rounds: Sequence[Mapping[str, Any]], measure: Callable[[Mapping[str, Any]], float]) -> float:
    """Return the least megabytes for each action by which memory grew in any of the later rounds."""
    first = max(1, len(rounds) // 2 - 1)
    pairs = list(zip(rounds[first:], rounds[first + 1:]))
    return min(((measure(after) - measure(before)) / max(1, after["done"] - before["done"]) for before, after in pairs),
               default=0.0)


def growth(rounds: Sequence[Mapping[str, Any]]) -> List[str]:
    """Return what grew from the second count to the last one.

    Threads that wait for work come and go, and each has open files, and the records that the window keeps are let go
    all at once: of these the least of the last quarter counts, which grows too where any is left behind.
    """
    if len(rounds) < 2:
        return []
    early, late = rounds[min(1, len(rounds) - 2)], rounds[-1]
    last_quarter = rounds[-max(1, len(rounds) // 4):]
    files, threads = (min(one["counts"].get("open files", 0) for one in last_quarter),
                      min(one["threads"] for one in last_quarter))
    # the plugin's objects are judged by their classes below
    late_counts = {**late["counts"], "open files": files}
    found = [f"{name}: {early['counts'].get(name, 0)} → {count}" for name, count in late_counts.items()
             if count > early["counts"].get(name, 0) + ROUGH.get(name, 0) and name != "objects of the plugin's"]
    own = {name: min(one["own"].get(name, 0) for one in last_quarter) for name in late["own"]}
    found += [f"objects of {name}: {early['own'].get(name, 0)} → {count}" for name, count in own.items()
              if count > early["own"].get(name, 0) + ROUGH_OBJECTS + CACHED.get(name, 0)]
    if late["layers"]:
        found.append(f"layers: {late['layers']}")
    if threads > early["threads"] + ROUGH_THREADS:
        found.append(f"threads: {early['threads']} → {threads}")
    warm = next((one for one in rounds if one["done"] >= ENOUGH_FOR_MEMORY), late)
    actions = late["done"] - warm["done"]
    limit = MEMORY_GROWTH * actions / 5000
    # the heap is exact, and small objects of Python lie beside it
    for name, measure in (("heap in use", in_use), ("process", lambda one: float(one["trimmed"]))):
        if actions >= ENOUGH_FOR_MEMORY and measure(late) - measure(warm) > limit:
            found.append(f"memory, {name}: {measure(warm):.0f} → {measure(late):.0f} MB in {actions} actions")
        least = steady_growth(rounds, measure)
        if len(rounds) >= ENOUGH_ROUNDS and least > STEADY_GROWTH:
            found.append(f"memory, {name}: at least {1000 * least:.0f} kB more for each action, in every round")
    # which of them, with their parents
    if any("in the window" in line for line in found):
        found += [f"in the window, {name}: {early['window'].get(name, 0)} → {count}"
                  for name, count in late["window"].items() if count > early["window"].get(name, 0) + 2]
    return found


def soak(actions: int, seed: int, folder: Path, limit: float, leak: int = 0) -> Dict[str, Any]:
    """Run QGIS and return its answer, with "status" and "output" of the process.

    ``leak`` is how many kilobytes each action is to leak.
    """
    from made_catalogue import made
    from network import Network
    from scripted_catalogue import ScriptedCatalogue

    records, out, answer = folder / "records", folder / "out", folder / "answer.json"
    for place in (records, out, folder / "temporary"):
        place.mkdir()
    for record in made(120)[::3]:
        (records / f"{record.number}.xml").write_bytes(record.xml)
    with ScriptedCatalogue(made(90)) as catalogue, Network(remember=True) as network:
        order = {"actions": actions, "seed": seed, "leak": leak, "folder": str(out), "records": str(records),
                 "answer": str(answer), "catalogue": f"{catalogue.url}/csw",
                 "services": [(network.endpoints[key], names) for key, names in SERVICES]}
        command = [str(ROOT / "tests" / "tools" / "run_qgis.sh"), "--profile-folder", str(folder / "profile"),
                   "--virtual", "--no-network", "--screenshot", str(folder / "window.png"), "--wait", "0", "--script",
                   str(ROOT / "tests" / "tools" / "inside_soak.py"), "--limit", str(limit)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, env={
            **ENVIRONMENT, **os.environ, "CARTOGUIDE_SOAK": json.dumps(order), "TMPDIR": str(folder / "temporary")})
    (folder / "output.txt").write_text(done.stdout + done.stderr)
    said: Dict[str, Any] = json.loads(answer.read_text()) if answer.is_file() else {"errors": []}
    counted = answer.with_suffix(".rounds")
    rounds = [json.loads(line) for line in counted.read_text().splitlines()] if counted.is_file() else []
    return {**said, "rounds": rounds, "status": done.returncode, "output": (done.stdout + done.stderr)[-6000:]}


def report(said: Mapping[str, Any], actions: int, seconds: float) -> List[str]:
    """Print the figures of a run and return its problems."""
    print(" actions   memory trimmed   heap  objects  widgets  timers  threads  files layers")
    for one in said["rounds"]:
        objects, widgets, timers, files = (one["counts"][name] for name in (
            "objects of the plugin's", "widgets", "timers of Python's", "open files"))
        print(f"{one['done']:8} {one['memory']:6.0f}MB {one['trimmed']:5.0f}MB {in_use(one):4.0f}MB "
              f"{objects:8} {widgets:8} {timers:7} {one['threads']:8} "
              f"{files:6} {one['layers']}")
    problems = growth(said["rounds"])
    problems += [f"error: {error}" for error in said["errors"]]
    if said["status"]:
        problems.append(f"QGIS ended with status {said['status']}: {said['output']}")
    if not said.get("most_layers"):
        problems.append("no layer was ever on the map")
    if said.get("done", 0) < actions:
        problems.append(f"only {said.get('done', 0)} actions were done, the last ones: {said.get('last')}")
    own = [hold for hold in said.get("holds", ()) if "QGIS or another part" not in hold[2]]
    own.sort(key=lambda hold: -float(hold[3]))
    for count, longest, place, processor in own[:12]:
        print(f"    window held {count} times, at most {longest * 1000:.0f} ms ({processor * 1000:.0f} ms of processor "
              f"time), in {place}")
    exports = said.get("actions", {}).get("export", 0)
    print(f"    at most {said.get('most_layers', 0)} layers in the project, {exports} exports")
    for problem in problems:
        print(f"    {problem}")
    print(f"{said.get('done', 0)} actions: {len(problems)} problem(s), {seconds:.0f} s")
    return problems


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--actions", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--limit", type=float, default=0, help="seconds, by default 0.5 for each action and 240")
    parser.add_argument("--leak", type=int, default=0, help="kilobytes that each action leaks, to try the judge")
    parser.add_argument("--keep", type=Path, help="keep the answer in this folder")
    given = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-soak-"))
    print(f"seed {given.seed}", flush=True)
    started = time.monotonic()
    try:
        said = soak(given.actions, given.seed, folder, given.limit or 240 + given.actions / 2, given.leak)
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            (given.keep / "soak.json").write_text(json.dumps(said, indent=1))
            shutil.copy(folder / "output.txt", given.keep / "soak.txt")
        problems = report(said, given.actions, time.monotonic() - started)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs the benchmarks (tests/bench/bench_*.py), prints a table, writes build/bench.json.

    .venv/bin/python tests/bench/run.py [--only WORD] [--list] [--records N] [--million] [--tiny] [--out FILE]

The status is 0 when everything ran, whatever the figures say; ``--strict`` makes a missed goal 1.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
sys.path[:0] = [str(REPOSITORY), str(HERE)]

if "--tiny" in sys.argv:
    # before anything reads it
    os.environ.update(CARTOGUIDE_BENCH_TINY="1", CARTOGUIDE_BENCH_RECORDS="60")

import harness  # noqa: E402


def figure(value: Optional[float]) -> str:
    """A number with three digits that count; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def printed(rows: List[harness.Row]) -> str:
    """The rows as a table for people."""
    table = [["benchmark", "value", "unit", "peer's", "ratio", "goal", "", "peer or note"]]
    for row in rows:
        met = {True: "met", False: "MISSED", None: ""}[row.ok]
        remark = "; ".join(part for part in (row.peer, row.note) if part)
        figures = [figure(row.value), row.unit, figure(row.peer_value), figure(row.ratio)]
        table.append([row.name, *figures, row.goal, met, remark])
    widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
    right = {1, 3, 4}
    lines = []
    for line in table:
        columns = enumerate(zip(line, widths))
        cells = (cell.rjust(width) if n in right else cell.ljust(width) for n, (cell, width) in columns)
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines)


def measured(benchmark: Callable[[], Any]) -> Iterator[harness.Row]:
    """The rows of one benchmark; one that fails says so in a row and stops no other."""
    started, used = time.monotonic(), sum(os.times()[:4])
    name = benchmark.__name__.replace("_", " ")
    print(f"bench: {name} …", file=sys.stderr, flush=True)
    try:
        yield from benchmark()
    except Exception as error:
        traceback.print_exc()
        yield harness.not_measured(name, f"{type(error).__name__}: {error}"[:200])
    print(f"bench: {name}: {time.monotonic() - started:.1f} s, {sum(os.times()[:4]) - used:.1f} s of a core",
          file=sys.stderr, flush=True)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="run the benchmarks whose file or name holds this word")
    parser.add_argument("--list", action="store_true", help="only name the benchmarks")
    parser.add_argument("--strict", action="store_true", help="status 1 when a goal is missed")
    parser.add_argument("--records", type=int, help="records in the store (100,000 unless told)")
    parser.add_argument("--tiny", action="store_true", help="run each once and small, to see that it runs")
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "bench.json", help="the file to write")
    parser.add_argument("--million", action="store_true", help="search 1,000,000 records too (half an hour, 8 GB)")
    options = parser.parse_args()
    if options.records:
        os.environ["CARTOGUIDE_BENCH_RECORDS"] = str(options.records)
    if options.million:
        os.environ["CARTOGUIDE_BENCH_MILLION"] = "1"
    for path in sorted(HERE.glob("bench_*.py")):
        importlib.import_module(path.stem)
    wanted = [one for one in harness.registered() if options.only in f"{one.__module__} {one.__name__}"]
    if options.list:
        print("\n".join(f"{one.__module__}: {(one.__doc__ or one.__name__).strip()}" for one in wanted))
        return 0
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    warnings.filterwarnings("ignore", module="owslib")
    rows = [row for one in wanted for row in measured(one)]
    target = options.out
    target.parent.mkdir(exist_ok=True)
    part = target.with_suffix(".part")
    part.write_text(json.dumps([row.to_dict() for row in rows], indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    part.replace(target)
    print(printed(rows))
    return 1 if options.strict and any(row.ok is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())

"""How long the terms of a record take to read, and those of a text of a megabyte."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Iterator

from harness import TINY, Row, benchmark

SIZE = 10_000 if TINY else 1_000_000
GOLD = Path(__file__).parents[1] / "unit" / "terms" / "gold.tsv"


@benchmark
def terms_read() -> Iterator[Row]:
    """Milliseconds for the terms of one record of the gold set, each text read once, and for a text of a megabyte."""
    from plugin.core.records.model.record import Constraint, Record
    from plugin.core.terms import terms_for

    texts = [line.split("\t")[4] for line in GOLD.read_text(encoding="utf-8").splitlines()[1:200 if TINY else None]]
    terms_for(Record("x", other_constraints=(Constraint("CC BY 4.0"),)))
    start = time.process_time()
    for text in texts:
        terms_for(Record("x", other_constraints=(Constraint(text),)))
    yield Row("terms of a record", (time.process_time() - start) / len(texts) * 1000, "ms", goal="value <= 2",
              note=f"{len(texts)} texts of the gold set")
    slowest = 0.0
    for part in ("cc by ", "siempre que se cite ", "© ", "1. ", "(", "a"):
        start = time.process_time()
        terms_for(Record("x", other_constraints=(Constraint(part * (SIZE // len(part))),)))
        slowest = max(slowest, time.process_time() - start)
    yield Row("terms of a text of 1 MB", slowest * 1000, "ms", goal="value <= 200", note="slowest of six repetitions")

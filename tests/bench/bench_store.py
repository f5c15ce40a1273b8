"""The local store: import beside lxml's bare parse and OWSLib's reader, searches beside pycsw on SQLite.

    CARTOGUIDE_BENCH_RECORDS=5000    fewer records (100,000 otherwise)
    CARTOGUIDE_BENCH_MILLION=1       searches over 1,000,000 records too (half an hour, 7 GB of disk)
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

from harness import Row, benchmark, not_measured
from lxml import etree
from store_peer import peer_seconds
from store_queries import queries
from varied_records import record, records

RECORDS = int(os.environ.get("CARTOGUIDE_BENCH_RECORDS", "100000"))
MILLION = bool(os.environ.get("CARTOGUIDE_BENCH_MILLION"))
#: parsed by each reader that stands beside the import
_PARSED = 400
#: records that pycsw gets; loading it takes longer than everything else
_PEERS_RECORDS = 20_000
_SIZE = 8


class Made:
    """Records in one file, so that making them is not measured and holding them takes no memory."""

    def __init__(self, folder: Path, count: int) -> None:
        self._path = folder / "made.bin"
        self.bytes = 0
        with open(self._path, "wb") as stream:
            for data in records(count):
                stream.write(len(data).to_bytes(_SIZE, "little") + data)
                self.bytes += len(data)

    def documents(self, most: int) -> Iterator[Tuple[str, bytes]]:
        """The first records, each with a place."""
        with open(self._path, "rb") as stream:
            for number in range(most):
                yield f"{number}.xml", stream.read(int.from_bytes(stream.read(_SIZE), "little"))


class Watch(threading.Thread):
    """What a window would feel: how late a timer of 5 ms fires, and how much memory the process takes meanwhile."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._ended = threading.Event()
        self.before = self.memory = resident()
        self.late: List[float] = [0.0]

    def run(self) -> None:
        while not self._ended.is_set():
            started = time.perf_counter()
            time.sleep(0.005)
            self.late.append((time.perf_counter() - started - 0.005) * 1000)
            if len(self.late) % 20 == 0:
                self.memory = max(self.memory, resident())

    def __enter__(self) -> Watch:
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ended.set()
        self.join()

    def row(self, name: str) -> Row:
        """How late the timer was at worst."""
        ordered = sorted(self.late)
        note = f"a timer beside it, {len(ordered)} ticks, 99.9 % within {ordered[int(len(ordered) * 0.999)]:.0f} ms"
        return Row(name, ordered[-1], "ms", "", None, "value <= 50", note)


def resident() -> float:
    """The memory that the process has in use, in MB, without what it maps of files."""
    with open("/proc/self/status", encoding="ascii") as stream:
        for line in stream:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1000
    return 0.0


@contextmanager
def cores(count: int) -> Iterator[None]:
    """Only so many cores for this process."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:count]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def bare_rate(documents: Sequence[bytes], read: Callable[[bytes], object] = etree.fromstring) -> float:
    """Documents in a second of one core's time."""
    rates = []
    for _ in range(5):
        started = time.perf_counter()
        for data in documents:
            read(data)
        rates.append(len(documents) / (time.perf_counter() - started))
    return statistics.median(rates)


def import_rows(made: Made, folder: Path) -> Iterator[Row]:
    """Import on one core and on two, in its own process's memory."""
    from owslib.iso import MD_Metadata

    from plugin.core.store.importing import import_documents
    from plugin.core.store.store import Store

    start = resident()
    sample = [data for _, data in made.documents(min(_PARSED, RECORDS))]
    owslib = bare_rate(sample[:100], lambda data: MD_Metadata(etree.fromstring(data)))
    for count, most, name in ((1, min(RECORDS, 20_000), "one"), (2, RECORDS, "two")):
        with cores(count):
            store = Store(folder / name / "records.sqlite")
            before = bare_rate(sample)
            with Watch() as watch:
                started = time.perf_counter()
                summary = import_documents(store, "bench", "folder", "Bench", made.documents(most))
                rate = most / (time.perf_counter() - started)
            lxml = statistics.mean((before, bare_rate(sample)))
            if summary.new != most:
                raise ValueError(f"only {summary.new} of {most} records were imported: {summary.failed[:3]}")
            store.close()
        size = sum(path.stat().st_size for path in (folder / name).iterdir()) / most / 1000
        note = f"{most} records of {made.bytes / RECORDS / 1000:.0f} kB, {size:.1f} kB each in the store"
        title = f"store import, {name} core{'s' if count > 1 else ''}"
        yield Row(title, rate, "records/s", "lxml's parse alone, one core", lxml, "ratio >= 0.5", note)
        if count == 2:
            yield Row(title, rate, "records/s", "OWSLib MD_Metadata, one core", owslib, "", note)
            memory = watch.memory - start
            yield Row("store import, memory above the start", memory, "MB", goal="value <= 300", note=note)
            yield watch.row("store import, timer's delay")


def timed(work: Callable[[Any], object], asked: Sequence[Any]) -> List[float]:
    """Milliseconds of each."""
    times = []
    for query in asked:
        started = time.perf_counter()
        work(query)
        times.append((time.perf_counter() - started) * 1000)
    return times


def p95(times: Sequence[float]) -> float:
    """What 95 in 100 stay below."""
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


def search_rows(path: Path, size: str, first: float, counts: float) -> Iterator[Row]:
    """First results and exact counts, by kind of query and over all of them."""
    from plugin.core.store.store import Store

    store = Store(path)
    asked = queries()
    with Watch() as watch:
        opened = timed(store.count, [asked["words"][0]])[0]
        found: Dict[str, List[float]] = {kind: timed(store.search, some) for kind, some in asked.items()}
        counted = {kind: timed(store.count, some) for kind, some in asked.items()}
    for kind, times in found.items():
        note = f"first 50 of {len(times)} queries, median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms"
        yield Row(f"store search {size}, {kind}, p95", p95(times), "ms", goal=f"value <= {first:.0f}", note=note)
    every = [one for times in found.values() for one in times]
    yield Row(f"store search {size}, all, p95", p95(every), "ms", goal=f"value <= {first:.0f}",
              note=f"{len(every)} queries")
    every = [one for times in counted.values() for one in times]
    worst = max(counted, key=lambda kind: p95(counted[kind]))
    note = f"{len(every)} queries; slowest kind {worst}: {p95(counted[worst]):.0f} ms"
    yield Row(f"store counts and facets {size}, all, p95", p95(every), "ms", goal=f"value <= {counts:.0f}", note=note)
    yield Row(f"store counts {size}, the first one", opened, "ms", goal=f"value <= {counts * 10:.0f}",
              note="reads what counting needs into memory")
    yield watch.row(f"store searching and counting {size}, timer's delay")
    store.close()


@benchmark
def store_import_and_search() -> Iterator[Row]:
    """Records imported in a second, and searches over them."""
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-bench-"))
    try:
        made = Made(folder, RECORDS)
        yield from import_rows(made, folder)
        yield from search_rows(folder / "two" / "records.sqlite", f"{RECORDS:,}", 15, 150)
        yield from peer_rows(folder, made)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def peer_rows(folder: Path, made: Made) -> Iterator[Row]:
    """The same words and boxes asked of pycsw on SQLite."""
    from plugin.core.store.store import Store

    count = min(RECORDS, _PEERS_RECORDS)
    kinds = ("words", "words in every record", "box")
    asked = {kind: queries()[kind][:8] for kind in kinds}
    name = "store search beside pycsw"
    try:
        peers = peer_seconds(folder / "pycsw", (data for _, data in made.documents(count)), asked)
    except ImportError as error:
        yield not_measured(name, str(error), "ms", "pycsw on SQLite")
        return
    store = Store(folder / "two" / "records.sqlite")
    for kind in kinds:
        ours = statistics.median(timed(store.search, asked[kind]))
        note = f"median of {len(asked[kind])}; ours over {RECORDS}, pycsw's over {count} records"
        yield Row(f"{name}, {kind}", ours, "ms", "pycsw on SQLite", peers[kind] * 1000, "ratio <= 1", note)
    store.close()


@benchmark
def store_million() -> Iterator[Row]:
    """Searches over a million records."""
    name = "store search 1,000,000"
    if not MILLION:
        yield not_measured(name, "CARTOGUIDE_BENCH_MILLION is not set", "ms", goal="value <= 60")
        return
    from plugin.core.store.importing import import_documents
    from plugin.core.store.store import Store

    folder = Path(os.environ.get("CARTOGUIDE_BENCH_FOLDER") or tempfile.mkdtemp(prefix="cartoguide-bench-"))
    path = folder / "million.sqlite"
    try:
        if not path.exists():
            store = Store(path)
            documents = ((f"{number}.xml", record(number)) for number in range(1_000_000))
            with Watch() as watch:
                import_documents(
                    store, "bench", "folder", "Bench", documents,
                    lambda so_far: print(f"bench: {so_far.records} records", file=sys.stderr)
                    if so_far.records % 50_000 < 1000 else None,
                )  # fmt: skip
            store.close()
            yield Row("store import 1,000,000, memory above the start", watch.memory - watch.before, "MB",
                      goal="value <= 300")
            yield watch.row("store import 1,000,000, timer's delay")
        yield from search_rows(path, "1,000,000", 60, 600)
    finally:
        if not os.environ.get("CARTOGUIDE_BENCH_FOLDER"):
            shutil.rmtree(folder, ignore_errors=True)

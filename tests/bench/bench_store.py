"""The record library: imports beside lxml's bare parse and OWSLib's reader, searches beside pycsw on SQLite.

    make bench ARGS="--records 5000"    fewer records (100,000 otherwise)
    make bench ARGS="--million"         searches over 1,000,000 records too (half an hour, 8 GB of disk)
"""

from __future__ import annotations

import itertools
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, List, Sequence, Tuple

from beside import Watch, bare_rate, core_seconds, cores, load, resident
from harness import TINY, Row, benchmark, not_measured
from lxml import etree
from store_floor import floor_row
from store_keys import key_rows
from store_peer import seconds_beside
from store_queries import queries
from varied_records import record, records

RECORDS = int(os.environ.get("CARTOGUIDE_BENCH_RECORDS", "100000"))
MILLION = bool(os.environ.get("CARTOGUIDE_BENCH_MILLION"))
#: parsed by each reader that stands beside the import
_PARSED = 400
#: records whose C parts are timed by themselves
_FLOOR = 2000
#: records that pycsw gets; loading it takes longer than everything else
_PEERS_RECORDS = 20_000
_SIZE = 8
_ROUNDS = 1 if TINY else 5
STORE_NAME = "records.sqlite"


class Made:
    """Records in one file, so that making them is not measured and holding them takes no memory."""

    def __init__(self, path: Path, count: int, first: int = 0) -> None:
        self._path = path
        self.bytes = 0
        with open(self._path, "wb") as stream:
            for data in records(count, first):
                stream.write(len(data).to_bytes(_SIZE, "little") + data)
                self.bytes += len(data)

    def documents(self, most: int) -> Iterator[Tuple[str, bytes]]:
        """The first records, each with a place."""
        with open(self._path, "rb") as stream:
            for number in range(most):
                yield f"{number}.xml", stream.read(int.from_bytes(stream.read(_SIZE), "little"))


def import_rows(made: Made, folder: Path) -> Iterator[Row]:
    """Import, as fast as it goes: there is no goal for its rate, only for memory and for the window beside it."""
    from owslib.iso import MD_Metadata

    start = resident()
    sample = [data for _, data in made.documents(min(_PARSED, RECORDS))]
    one = one_core_row(made, folder, sample)
    yield one
    before = bare_rate(sample)
    with Watch() as watch:
        used, seconds = imported(folder / "all", made.documents(RECORDS))
    lxml = statistics.mean((before, bare_rate(sample)))
    owslib = bare_rate(sample[:100], lambda data: MD_Metadata(etree.fromstring(data)))
    size = sum(path.stat().st_size for path in (folder / "all").iterdir()) / RECORDS / 1000
    note = (
        f"{RECORDS} records of {made.bytes / RECORDS / 1000:.0f} kB, {size:.1f} kB each in the store; "
        f"a record took {used / RECORDS * 1e6:.0f} µs of a core's time; {load()}"
    )
    rate = RECORDS / seconds
    yield Row("store import", rate, "records/s", "lxml's parse alone, one core", lxml, "", note)
    yield Row("store import", rate, "records/s", "OWSLib MD_Metadata, one core", owslib, "", note)
    memory = watch.memory - start
    yield Row("store import, memory above the start", memory, "MB", goal="value <= 300")
    yield watch.row("store import, timer's delay")
    yield from floor_row([data for _, data in made.documents(min(_FLOOR, RECORDS))], folder, one)


def one_core_row(made: Made, folder: Path, sample: Sequence[bytes]) -> Row:
    """Import in rounds with lxml between them, both by the time that the core worked for them."""
    count = max(1, min(RECORDS, 20_000) // _ROUNDS)
    documents = made.documents(count * _ROUNDS)
    ours, peers = [], []
    with cores(1):
        for number in range(_ROUNDS):
            before = bare_rate(sample)
            used, _ = imported(folder / f"one{number}", itertools.islice(documents, count))
            ours.append(count / used)
            peers.append(statistics.mean((before, bare_rate(sample))))
            shutil.rmtree(folder / f"one{number}")
    note = f"median of {_ROUNDS} rounds of {count} records, by the core's own time; {load()}"
    return Row("store import, one core", statistics.median(ours), "records/s", "lxml's parse alone, one core",
               statistics.median(peers), "", note)


def imported(folder: Path, documents: Iterable[Tuple[str, bytes]]) -> Tuple[float, float]:
    """Seconds that cores worked for an import into a new store, and seconds that it took."""
    from plugin.core.library.bulk_import import import_documents
    from plugin.core.library.record_store import RecordStore

    store = RecordStore(folder / STORE_NAME)
    before, started = core_seconds(), time.perf_counter()
    summary = import_documents(store, "bench", "folder", "Bench", documents)
    used, seconds = core_seconds() - before, time.perf_counter() - started
    store.close()
    if summary.failure_count:
        raise ValueError(f"records were not imported: {summary.failure_reasons[:3]}")
    return used, seconds


#: milliseconds that something took, and those that a core worked for it: they differ where the machine is busy
Times = List[Tuple[float, float]]


def timed(work: Callable[[Any], object], asked: Sequence[Any]) -> Times:
    """Milliseconds of each."""
    times = []
    for query in asked:
        started, worked = time.perf_counter(), time.thread_time()
        work(query)
        times.append(((time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000))
    return times


def p95(times: Times, part: int = 0) -> float:
    """What 95 in 100 stay below."""
    return sorted(one[part] for one in times)[min(len(times) - 1, int(len(times) * 0.95))]


def search_row(name: str, times: Times, goal: float, note: str) -> Row:
    """The p95 of some queries."""
    median, worst = statistics.median(one[0] for one in times), max(one[0] for one in times)
    return Row(f"{name}, p95", p95(times), "ms", goal=f"value <= {goal:.0f}", note=(
        f"{note}{len(times)} queries, median {median:.1f} ms, worst {worst:.1f} ms; p95 of the core's own time "
        f"{p95(times, 1):.1f} ms; {load()}"))


def search_rows(path: Path, size: str, first: float, counts: float) -> Iterator[Row]:
    """First results and exact counts, by kind of query and over all of them."""
    from plugin.core.library.query import LibraryQuery
    from plugin.core.library.record_store import RecordStore

    store = RecordStore(path)
    asked = queries(each=2 if TINY else 40)
    if not store.count(LibraryQuery()).total:
        raise ValueError(f"nothing to search in {path.name}")
    with Watch() as watch:
        opened = timed(store.count, [asked["words"][0]])[0][0]
        found = {kind: timed(store.search, some) for kind, some in asked.items()}
        counted = {kind: timed(store.count, some) for kind, some in asked.items()}
    for kind, times in found.items():
        yield search_row(f"store search {size}, {kind}", times, first, "first 50 results; ")
    yield search_row(f"store search {size}, all", [one for times in found.values() for one in times], first, "")
    worst = max(counted, key=lambda kind: p95(counted[kind]))
    every = [one for times in counted.values() for one in times]
    note = f"slowest kind {worst}: {p95(counted[worst]):.0f} ms; "
    yield search_row(f"store counts and facets {size}, all", every, counts, note)
    yield Row(f"store counts {size}, the first one", opened, "ms", goal=f"value <= {counts * 10:.0f}",
              note="reads what counting needs into memory")
    yield watch.row(f"store searching and counting {size}, timer's delay")
    store.close()


@benchmark
def store_import_and_search() -> Iterator[Row]:
    """Records imported in a second, and searches over them."""
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-bench-"))
    try:
        made = Made(folder / "made.bin", RECORDS)
        yield from import_rows(made, folder)
        store = folder / "all" / STORE_NAME
        yield from search_rows(store, f"{RECORDS:,}", 15, 150)
        yield from peer_rows(store, folder, made)
        Made(folder / "more.bin", 50 if TINY else 2000, first=RECORDS)
        yield from key_rows(store, folder / "more.bin", f"{RECORDS:,}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def peer_rows(path: Path, folder: Path, made: Made) -> Iterator[Row]:
    """The same words and boxes asked of pycsw on SQLite, in turns with the store."""
    from plugin.core.library.record_store import RecordStore

    count = min(RECORDS, _PEERS_RECORDS)
    kinds = ("words", "words in every record", "box")
    asked = {kind: queries(each=2 if TINY else 40)[kind][:8] for kind in kinds}
    name = "store search beside pycsw"
    store = RecordStore(path)
    try:
        documents = (data for _, data in made.documents(count))
        seconds = seconds_beside(folder / "pycsw", documents, asked, store.search)
    except ImportError as error:
        yield not_measured(name, str(error), "ms", "pycsw on SQLite")
        return
    finally:
        store.close()
    for kind, (ours, peers) in seconds.items():
        note = f"median of {len(asked[kind])}, in turns; ours over {RECORDS}, pycsw's over {count} records"
        yield Row(f"{name}, {kind}", ours * 1000, "ms", "pycsw on SQLite", peers * 1000, "ratio <= 1", note)


@benchmark
def store_million() -> Iterator[Row]:
    """Searches over a million records."""
    if not MILLION:
        yield not_measured("store search 1,000,000", "only with --million", "ms", goal="value <= 60")
        return
    given = os.environ.get("CARTOGUIDE_BENCH_FOLDER")
    folder = Path(given) if given else Path(tempfile.mkdtemp(prefix="cartoguide-bench-"))
    path = folder / "million.sqlite"
    try:
        if not path.exists():
            yield from million_rows(path)
        size = sum(one.stat().st_size for one in folder.glob("million.*")) / 1e9
        count = f"{_total(path):,}"
        yield Row(f"store of {count} records, on the disk", size, "GB", note="index, and originals packed")
        yield from search_rows(path, count, 60, 600)
    finally:
        if not given:
            shutil.rmtree(folder, ignore_errors=True)


def _total(path: Path) -> int:
    from plugin.core.library.record_store import RecordStore

    store = RecordStore(path)
    try:
        return store.count_records()
    finally:
        store.close()


def million_rows(path: Path) -> Iterator[Row]:
    """The import of a million records, made as they are read."""
    from plugin.core.library.bulk_import import import_documents
    from plugin.core.library.record_store import RecordStore

    store = RecordStore(path)
    documents = ((f"{number}.xml", record(number)) for number in range(1_000_000))
    with Watch() as watch:
        import_documents(
            store, "bench", "folder", "Bench", documents,
            lambda so_far: print(f"bench: {so_far.records} records", file=sys.stderr)
            if so_far.records % 50_000 < 2000 else None,
        )  # fmt: skip
    store.close()
    yield Row("store import 1,000,000, memory above the start", watch.memory - watch.before, "MB", goal="value <= 300")
    yield watch.row("store import 1,000,000, timer's delay")

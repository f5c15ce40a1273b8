"""Kills working processes at random moments and checks what is left: nothing acknowledged is lost.

    /usr/bin/python3 tests/tools/kills.py [--kills 200] [--seed N] [--work NAME …]

A child process does the work and acknowledges each durable step on a pipe. It is killed (SIGKILL) at a random moment.
Another process, which stands for the next start, sweeps the temporary files, checks what was acknowledged, and in the
end completes the work. Problems are printed with the seed, and the status is 1 then.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import random
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Type

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "network"))
                if path not in sys.path]

from isolation import isolate  # noqa: E402

#: a child that takes longer than this, killed or not, hangs
PATIENCE = 90.0
#: kills of one piece of work before it is completed
KILLS_IN_A_ROW = 3
BEGUN = "begun"
Say = Callable[[Any], None]


class Work:
    """One kind of work in ``folder``.

    It is killed after at most ``steps`` acknowledged steps, of which it has about as many.
    """

    name = ""
    needs_qgis = False
    steps = 6

    def __init__(self, folder: Path, network: Any) -> None:
        self.folder, self.network = folder, network

    def prepare(self) -> None:
        """Make what the work needs, in a process of its own."""

    def run(self, say: Say) -> None:
        """Work, and acknowledge durable steps. In a process of its own, which is killed."""

    def check(self, said: Sequence[Any]) -> List[str]:
        """Return what of the acknowledged steps of all runs is missing. In a process of its own."""
        return []

    def complete(self, said: Sequence[Any]) -> List[str]:
        """Do all of the work and return what is wrong with it. In a process of its own."""
        return []


# -- the record library


def library_problems(path: Path) -> List[str]:
    """Return what is wrong with a library: SQLite's checks, missing originals, and an index unlike its journal."""
    from plugin.core.library.query import LibraryQuery
    from plugin.core.library.record_store import RecordStore

    def state(store: RecordStore) -> Dict[str, List[Tuple[Any, ...]]]:
        hits = store.search(LibraryQuery(), limit=100_000).hits
        copies = {hit.identifier: [(copy.source, copy.location, copy.date_stamp, copy.vanished_at)
                                   for copy in store.find_copies(hit.identifier)] for hit in hits}
        for hit in hits:
            store.load_original(hit.identifier)
        return copies

    problems = []
    store = RecordStore(path)
    found = state(store)
    problems += [notice for notice in store.notices if "completed from its journal" not in notice]
    store.close()
    connection = sqlite3.connect(path)
    problems += [line for (line,) in connection.execute("PRAGMA integrity_check") if line != "ok"]
    connection.execute("INSERT INTO word_index(word_index) VALUES('integrity-check')")
    connection.close()
    with tempfile.TemporaryDirectory(prefix="cartoguide-kills-") as folder:
        shutil.copy(path.with_suffix(".journal"), Path(folder) / "records.journal")
        rebuilt = RecordStore(Path(folder) / "records.sqlite")
        if state(rebuilt) != found:
            problems.append("the index differs from the journal")
        rebuilt.close()
    return problems


def made_documents(count: int) -> List[Tuple[str, bytes]]:
    from made_catalogue import made

    return [(f"{record.number}.xml", record.xml) for record in made(count)]


class LibraryWork(Work):
    count = 600

    @property
    def path(self) -> Path:
        return self.folder / "records.sqlite"

    def store(self) -> Any:
        from plugin.core.library.record_store import RecordStore

        return RecordStore(self.path)

    def check(self, said: Sequence[Any]) -> List[str]:
        store = self.store()
        count = store.count_records()
        store.close()
        problems = [f"{max(said)} records were acknowledged, {count} are there"] if said and max(said) > count else []
        return problems + library_problems(self.path) if count else problems


class Import(LibraryWork):
    """Import of documents: the number of saved records is acknowledged after each batch."""

    name = "import"

    def run(self, say: Say) -> None:
        self._import(lambda summary: say(summary.records))

    def complete(self, said: Sequence[Any]) -> List[str]:
        store = self.store()
        before = store.count_records()
        store.close()
        done = self._import(lambda _: None)
        counts, wanted = (done.new, done.same), (self.count - before, before)
        return [f"counted {counts}, not {wanted}"] if counts != wanted else library_problems(self.path)

    def _import(self, report: Callable[[Any], None]) -> Any:
        from plugin.core.library.bulk_import import import_documents

        store = self.store()
        done = import_documents(store, "a", "folder", "A", made_documents(self.count), report)
        store.close()
        return done


class Harvest(LibraryWork):
    """Harvest of a loopback catalogue: resumed after each kill, it counts every record once, as new."""

    name = "harvest"
    count = 450

    def __init__(self, folder: Path, network: Any) -> None:
        from made_catalogue import made
        from scripted_catalogue import ScriptedCatalogue

        super().__init__(folder, network)
        self.server = ScriptedCatalogue(made(self.count))
        self.server.__enter__()

    def run(self, say: Say) -> None:
        self._harvest(lambda summary: say(summary.processed))

    def complete(self, said: Sequence[Any]) -> List[str]:
        done = self._harvest(lambda _: None)
        counts = (done.new, done.changed, done.same, done.processed)
        # a process that was killed after its last write had done everything
        wanted = [(self.count, 0, 0, self.count)] + [(0, 0, self.count, self.count)] * (self.count in said)
        return [] if counts in wanted else [f"counted {counts} of {self.count}"]

    def _harvest(self, report: Callable[[Any], None]) -> Any:
        from urllib.request import Request as PlainRequest
        from urllib.request import urlopen

        from plugin.core.catalogues.detection import create_protocol
        from plugin.core.catalogues.harvesting import harvest
        from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
        from plugin.core.request import Request, Response

        def fetch(request: Request) -> Response:
            plain = PlainRequest(request.url, data=request.body, headers=dict(request.headers),
                                 method=request.method.value)
            with urlopen(plain, timeout=20) as answer:
                return Response(answer.status, {name.lower(): value for name, value in answer.headers.items()},
                                answer.read(), answer.url)

        store = self.store()
        protocol = create_protocol(Source(self.server.url + "/csw", SourceKind.CSW_2, "Red"), fetch)
        done = harvest(protocol, CatalogueQuery(page_size=35), store, fetch, report)
        store.close()
        return done


class Move(LibraryWork):
    """Move of a library to another file: the old one stays whole, and moving again completes the new one."""

    name = "library move"
    count = 300
    steps = 19

    def prepare(self) -> None:
        from plugin.core.library.bulk_import import import_documents

        store = self.store()
        import_documents(store, "a", "folder", "A", made_documents(self.count))
        store.collections.save("mine", ["made-0003", "made-0001"])
        store.mark_vanished("a", ["7.xml"])
        store.close()

    @property
    def target(self) -> Path:
        return self.folder / "elsewhere" / "records.sqlite"

    def run(self, say: Say) -> None:
        self._move(lambda done, _: say(done))

    def check(self, said: Sequence[Any]) -> List[str]:
        problems = super().check([self.count])
        if self.target.exists() and said:
            store = type(self)(self.target.parent, None).store()
            count = store.count_records()
            store.close()
            problems += [f"{max(said)} were moved, {count} are there"] if count < max(said) else []
            problems += library_problems(self.target)
        return problems

    def complete(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.library.record_store import RecordStore

        count = self._move(lambda *_: None)
        new = RecordStore(self.target)
        members, vanished = new.collections.members("mine"), new.find_copies("made-0007")[0].vanished_at
        new.close()
        problems = [] if (count, len(members), bool(vanished)) == (self.count, 2, True) else [
            f"{count} of {self.count} moved, {members}, vanished {vanished}"]
        return problems + library_problems(self.target)

    def _move(self, report: Callable[[int, int], None]) -> int:
        from plugin.core.library.record_store import RecordStore
        from plugin.core.library.store_copy import copy_store, is_record_store

        is_record_store(self.target)
        old, new = self.store(), RecordStore(self.target)
        count = copy_store(old, new, report)
        old.close()
        new.close()
        return count


# -- files


class Save(Work):
    """Saving a custom map again and again: the file is always one whole version, none older than acknowledged."""

    name = "save"
    steps = 20

    @property
    def path(self) -> Path:
        return self.folder / "map.custommap.json"

    def run(self, say: Say) -> None:
        from plugin.core.custommap.document import write_document
        from plugin.core.custommap.model import CustomMap, MapExtent
        from plugin.core.files import atomic_write

        number = self._version()
        while True:
            number += 1
            document = CustomMap(title=f"{number} " + "Mapa " * 90, extent=MapExtent(-3.6, 38.3, -3.4, 38.4))
            with atomic_write(self.path) as stream:
                stream.write(write_document(document))
            say(number)

    def check(self, said: Sequence[Any]) -> List[str]:
        if not said:
            return []
        number = self._version()
        return [f"version {max(said)} was acknowledged, {number} is there"] if number < max(said) else []

    def complete(self, said: Sequence[Any]) -> List[str]:
        return [] if [file.name for file in self.folder.iterdir()] in ([], [self.path.name]) else ["more than the map"]

    def _version(self) -> int:
        from plugin.core.custommap.document import read_document

        return int(read_document(self.path.read_bytes(), "map").title.split()[0]) if self.path.exists() else 0


class Collection(LibraryWork):
    """Export of a collection as a zip."""

    name = "collection"
    count = 200
    steps = 3

    def prepare(self) -> None:
        from plugin.core.library.bulk_import import import_documents

        store = self.store()
        import_documents(store, "a", "folder", "A", made_documents(self.count))
        store.collections.save("mine", [f"made-{number:04}" for number in range(1, self.count + 1)])
        store.close()

    def run(self, say: Say) -> None:
        from plugin.core.library.collection_file import export_collection

        store = self.store()
        while True:
            export_collection(store, "mine", str(self.folder / "mine.zip"))
            say(self.count)

    def check(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.library.collection_file import read_collection_file

        path = self.folder / "mine.zip"
        if not path.exists():
            return ["the collection was acknowledged and is not there"] if said else []
        found = read_collection_file(str(path))
        return [] if found is not None and len(found.members) == self.count else ["the collection is not whole"]


class Pack(Work):
    """Packing a snapshot into a zip and unpacking it, in turn."""

    name = "pack"
    steps = 4

    def prepare(self) -> None:
        from plugin.core.box import Box
        from plugin.core.snapshot.manifest import (
            DOCUMENT,
            RasterFormat,
            SnapshotFile,
            SnapshotManifest,
            SnapshotState,
            save_manifest,
            sha256_of_file,
        )

        folder = self.folder / "snapshot"
        folder.mkdir()
        files = []
        for name, size in ((DOCUMENT, 3000), ("rasters/layer_01.tif", 3_000_000), ("records/a.xml", 400_000)):
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes((b"II*\0" + hashlib.sha256(name.encode()).digest() * (size // 32 + 1))[:size])
            files.append(SnapshotFile(name, "other", "application/octet-stream", size, sha256_of_file(path)))
        save_manifest(folder, SnapshotManifest(
            title="Parque", state=SnapshotState.COMPLETE, made="2026-11-22T10:00:00+00:00", crs="EPSG:25830",
            area=Box(0.0, 0.0, 1.0, 1.0), degrees=None, dpi=96, scales=(10000.0,), kind=RasterFormat.COG,
            files=tuple(files)))

    def run(self, say: Say) -> None:
        from plugin.core.snapshot.snapshot_package import extract_package, write_package

        package = self.folder / "parque.cartoguide.zip"
        while True:
            write_package(self.folder / "snapshot", package)
            say("packed")
            number = len(list(self.folder.glob("unpacked-*")))
            extract_package(package, self.folder / f"unpacked-{number}")
            say(f"unpacked-{number}")

    def check(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.snapshot.manifest import check_files, load_manifest
        from plugin.core.snapshot.snapshot_package import extract_package

        problems = []
        package = self.folder / "parque.cartoguide.zip"
        if package.exists():
            extract_package(package, self.folder / "again")
            shutil.rmtree(self.folder / "again")
        elif "packed" in said:
            problems.append("the package was acknowledged and is not there")
        for folder in self.folder.glob("unpacked-*"):
            manifest = load_manifest(folder)
            if manifest is None:
                problems.append(f"{folder.name} has no manifest")
            else:
                check_files(folder, manifest)
        return problems + [f"{name} is not there" for name in set(said) - {"packed"}
                           if not (self.folder / name).is_dir()]


# -- with QGIS


class NetworkWork(Work):
    needs_qgis = True

    def start_qgis(self) -> Any:
        from qgis.core import QgsApplication

        application = QgsApplication([], True)
        application.initQgis()
        from plugin.gis.credits import expression_functions

        expression_functions.register()
        return application

    def document(self) -> Tuple[Any, Any]:
        """Return a small custom map of the test network and its records by endpoint."""
        from plugin.core.custommap.map_entries import entry_from_record
        from plugin.core.custommap.model import CustomMap, MapExtent, PageSetup
        from plugin.core.distributions.record_distributions import wms_address
        from plugin.core.records import read
        from plugin.core.terms import terms_for

        known = {wms_address(record): record for path in self.network.records
                 for record in read(path.read_bytes(), path.name)}
        entries = [entry_from_record(known[self.network.endpoints[name]],
                                     terms_for(known[self.network.endpoints[name]]), layers=layers)
                   for name, layers in (("guide", ("carreteras",)), ("facilities", ("miradores",)))]
        return CustomMap(title="Parque", base=entries[0], overlays=tuple(entries[1:]), page=PageSetup(),
                         extent=MapExtent(-3.5966, 38.3295, -3.4233, 38.4306)), known


class Snapshot(NetworkWork):
    """A snapshot to its completion: downloaded tiles stay, and a finished one is whole and has no tiles beside it."""

    name = "snapshot"
    steps = 12

    def run(self, say: Say) -> None:
        from plugin.core.snapshot.manifest import load_manifest

        application = self.start_qgis()
        manifest = load_manifest(self.folder / "snapshot")
        if manifest is None or not manifest.is_complete:
            self._take(lambda: say(len(self._tiles())))
        say("complete")
        del application

    def check(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.snapshot.manifest import check_files, load_manifest

        manifest = load_manifest(self.folder / "snapshot")
        if manifest is not None and manifest.is_complete:
            check_files(self.folder / "snapshot", manifest)
            wanted = {self.folder / "snapshot" / name for name in ("snapshot.json", *(f.path for f in manifest.files))}
            beside = {path for path in (self.folder / "snapshot").rglob("*") if path.is_file()} - wanted
            return [f"beside the snapshot: {sorted(map(str, beside))[:3]}"] if beside else []
        if "complete" in said:
            return ["the snapshot was complete"]
        most = max((number for number in said if isinstance(number, int)), default=0)
        return [f"{most} tiles were acknowledged, {len(self._tiles())} are there"] if len(self._tiles()) < most else []

    def complete(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.snapshot.manifest import load_manifest

        application = self.start_qgis()
        manifest = load_manifest(self.folder / "snapshot")
        if manifest is None or not manifest.is_complete:
            self._take(lambda: None)
        problems = self.check(["complete"])
        modes = {oct(path.stat().st_mode & 0o077) for path in [self.folder / "snapshot",
                                                               *(self.folder / "snapshot").glob("*.*")]}
        del application
        return problems + ([f"others may read it: {modes}"] if modes != {"0o0"} else [])

    def _tiles(self) -> List[Path]:
        return list((self.folder / "snapshot" / ".parts").glob("*.part"))

    def _take(self, report: Callable[[], None]) -> None:
        from plugin.core.box import Box
        from plugin.gis.runtime import tasks
        from plugin.gis.snapshots import snapshot_job
        from plugin.gis.snapshots.snapshot_job import SnapshotOptions

        document, known = self.document()
        options = SnapshotOptions(self.folder / "snapshot", Box(455000.0, 4250000.0, 457000.0, 4251500.0),
                                  (5000.0, 10000.0), 100)
        tasks.run_and_wait(lambda feedback: snapshot_job.take_snapshot(document, known, options, feedback), PATIENCE,
                           progress=lambda *_: report())


class Export(NetworkWork):
    """Printing a page again and again: the file is always a whole one."""

    name = "export"
    steps = 2

    def run(self, say: Say) -> None:
        from qgis.core import QgsProject

        from plugin.gis.export import layout_export, map_pipeline

        application = self.start_qgis()
        document, known = self.document()
        made = map_pipeline.compose_map(QgsProject.instance(), document, known)
        while True:
            for name in ("map.png", "map.pdf"):
                exporter = layout_export.export_png if name.endswith("png") else layout_export.export_pdf
                exporter(made.layout, self.folder / name, 60)
                say(name)
        del application

    def check(self, said: Sequence[Any]) -> List[str]:
        from plugin.core.files import is_complete_file

        problems = [f"{name} is not there" for name in set(said) if not (self.folder / name).exists()]
        return problems + [f"{path.name} is cut off" for path in self.folder.iterdir() if not is_complete_file(path)]


WORKS: Sequence[Type[Work]] = (Import, Harvest, Save, Pack, Collection, Move, Snapshot, Export)


# -- processes


class Child:
    """A forked process that runs ``function(say)``; what it says can be read until it ends."""

    def __init__(self, function: Callable[[Say], None], register: Path) -> None:
        self._read, write = os.pipe()
        self.said: List[Any] = []
        self._rest = b""
        self.failure = ""
        self.pid = os.fork()
        if self.pid:
            os.close(write)
            return
        os.close(self._read)

        def say(value: Any) -> None:
            os.write(write, json.dumps(value).encode() + b"\n")

        try:
            from plugin.core.storage import temporary_files

            temporary_files.use_register(register)
            say(BEGUN)
            function(say)
            temporary_files.close_register()
        except BaseException:
            say({"failure": traceback.format_exc()})
        finally:
            os._exit(0)

    def read(self, seconds: float, count: Optional[int] = None) -> bool:
        """Read for some seconds, or until the child said ``count`` things. Return False if it ended."""
        end = time.monotonic() + seconds
        while True:
            if count is not None and len(self.said) >= count:
                return True
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return True
            data = os.read(self._read, 65536)
            if not data:
                return False
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in map(json.loads, lines):
                if isinstance(line, dict) and "failure" in line:
                    self.failure = line["failure"]
                else:
                    self.said.append(line)

    def end(self) -> None:
        """Kill the child and read what it had said."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self.pid, 0)
        self.read(PATIENCE)
        os.close(self._read)


def in_child(function: Callable[[], List[str]], register: Path) -> List[str]:
    """Return the problems that ``function`` finds in a process of its own, which is a new start of the program."""
    child = Child(lambda say: [say({"problem": line}) for line in function()], register)  # type: ignore[misc]
    ended = not child.read(PATIENCE)
    child.end()
    problems = [line["problem"] for line in child.said if line != BEGUN]
    return problems + ([child.failure] if child.failure else []) + ([] if ended else ["it takes too long"])


def next_start(work: Work, said: Sequence[Any]) -> List[str]:
    """Sweep as the plugin does when it starts, and check the work and that nothing is left behind."""
    from plugin.core.snapshot.manifest import remove_downloads
    from plugin.core.storage import temporary_files

    temporary_files.sweep((remove_downloads,))
    left = [str(path.relative_to(work.folder)) for path in work.folder.rglob("*")
            if path.name.startswith(".cartoguide-") or path.suffix == ".part" and path.parent.name != ".parts"]
    return [f"left behind: {left[:5]}"] * bool(left) + work.check(said)


def run_work(kind: Type[Work], network: Any, kills: int, chance: random.Random, folder: Path) -> Tuple[int, List[str]]:
    """Kill this kind of work ``kills`` times. Return the number of acknowledged steps and the problems."""
    register, problems, steps, killed, number = folder / "register", [], 0, 0, 0
    while killed < kills and len(problems) < 5:
        number += 1
        place = folder / f"{kind.name.replace(' ', '-')}-{number}"
        place.mkdir(parents=True)
        work = kind(place, network)
        problems += in_child(lambda made=work: made.prepare() or [], register)  # type: ignore[misc]
        said: List[Any] = []
        for _ in range(min(KILLS_IN_A_ROW, kills - killed)):
            child = Child(work.run, register)
            # the first step is that it began; then it is killed between two steps
            wanted, began = chance.randint(1, work.steps), time.monotonic()
            if child.read(PATIENCE, 1):
                began = time.monotonic()
                child.read(PATIENCE, wanted)
            pace = (time.monotonic() - began) / wanted if wanted > 1 else 0.1
            moment = chance.uniform(0.0, 1.5 * pace)
            child.read(moment)
            child.end()
            killed += 1
            said += [step for step in child.said if step != BEGUN]
            steps += len(child.said) - 1
            found = ([child.failure] if child.failure else []) + in_child(
                lambda made=work, heard=tuple(said): next_start(made, heard), register)  # type: ignore[misc]
            problems += [f"{kind.name}, killed {moment:.3f} s after {wanted} steps ({said[-3:]}): {problem}"
                         for problem in found]
        problems += [f"{kind.name}, completed: {problem}" for problem in in_child(
            lambda made=work, heard=tuple(said): made.complete(heard), register)]  # type: ignore[misc]
        shutil.rmtree(place, ignore_errors=True)
    return steps, problems


def run(kinds: Sequence[Type[Work]], kills: int, seed: int, folder: Path, network: Any = None) -> List[str]:
    """Kill these kinds of work ``kills`` times in all, print a line for each, and return the problems.

    ``network`` is a running test network with ``records`` and ``endpoints``. It is started if it is needed.
    """
    chance, problems, own_network = random.Random(seed), [], None
    # what is imported here, the children need not import
    for module in ("core.catalogues.harvesting", "core.catalogues.detection", "core.custommap.document",
                   "core.library.collection_file", "core.library.store_copy", "core.snapshot.snapshot_package"):
        importlib.import_module(f"plugin.{module}")
    if any(kind.needs_qgis for kind in kinds):
        for module in ("gis.export.layout_export", "gis.export.map_pipeline", "gis.snapshots.snapshot_job"):
            importlib.import_module(f"plugin.{module}")
        if network is None:
            from network import Network

            network = own_network = Network(remember=True).start()
    try:
        for position, kind in enumerate(kinds):
            share = kills // len(kinds) + (position < kills % len(kinds))
            started = time.monotonic()
            steps, found = run_work(kind, network, share, chance, folder)
            print(f"{kind.name:14} {share:4} kills, {steps:5} acknowledged steps, {len(found)} problem(s), "
                  f"{time.monotonic() - started:.0f} s", flush=True)
            for problem in found:
                print(f"    {problem}", flush=True)
            problems += found
    finally:
        if own_network is not None:
            own_network.stop()
    return problems


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--work", nargs="+", choices=[kind.name for kind in WORKS])
    parser.add_argument("--network", help="records and endpoints of a running test network, as JSON")
    given = parser.parse_args(arguments)
    kinds = [kind for kind in WORKS if given.work is None or kind.name in given.work]
    folder = Path(tempfile.mkdtemp(prefix="cartoguide-kills-"))
    isolate(folder)
    print(f"seed {given.seed}", flush=True)
    started = time.monotonic()
    network = None
    if given.network:
        known = json.loads(given.network)
        network = SimpleNamespace(records=[Path(path) for path in known["records"]], endpoints=known["endpoints"])
    problems = run(kinds, given.kills, given.seed, folder, network)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{given.kills} kills of {len(kinds)} kinds of work: {len(problems)} problem(s), seed {given.seed}, "
          f"{time.monotonic() - started:.0f} s")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

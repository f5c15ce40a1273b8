"""Runs inside QGIS (see soak.py): random actions through the plugin's own commands, and counts of what they leave.

``CARTOGUIDE_SOAK`` is the order, as JSON: actions, seed, leak (kilobytes), folder, records (folder),
catalogue (address), answer (file).
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "qgis"))

from census import census  # noqa: E402
from qgis import utils  # noqa: E402
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsProject, QgsRectangle  # noqa: E402
from qgis.PyQt.QtCore import QThread, QTimer  # noqa: E402
from qgis.PyQt.QtWidgets import QApplication, QDialog, QMessageBox  # noqa: E402

ORDER = json.loads(os.environ["CARTOGUIDE_SOAK"])
FOLDER = Path(ORDER["folder"])
#: actions between two counts, at most; the map is emptied there
ROUND = 500
#: seconds in which everything has come to its end
PATIENCE = 120
MOST_SERVICES = 3
#: a hold of the window above this is noted with what it was in
HELD_SECONDS = 0.05
iface = utils.iface
CRS = QgsCoordinateReferenceSystem("EPSG:25830")


def memory_megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class _Heap(ctypes.Structure):
    """The answer of mallinfo2 (glibc)."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def heap_megabytes() -> Dict[str, float]:
    """Return how much of the heap is used, mapped as large blocks, and free, which glibc has not given back."""
    try:
        read = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return {}
    read.restype = _Heap
    heap = read()
    return {"used": heap.uordblks / 1e6, "mapped": heap.hblkhd / 1e6, "free": heap.fordblks / 1e6}


def give_back_freed_memory() -> None:
    """Let glibc give all free pages of its arenas back, which it does by itself at the end of an arena alone."""
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def resident_megabytes() -> Dict[str, float]:
    """Return the resident memory by kinds of mappings: the heap, anonymous ones by their size, and files."""
    kinds: Counter[str] = Counter()
    kind = ""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/smaps").read_text().splitlines():
            words = line.split()
            if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
                start, end = (int(part, 16) for part in words[0].split("-"))
                kind = _mapping_kind(words[5] if len(words) > 5 else "", start, end)
            elif words[0] == "Rss:":
                kinds[kind] += int(words[1])
    return {kind: kilobytes / 1000 for kind, kilobytes in kinds.items()}


def _mapping_kind(name: str, start: int, end: int) -> str:
    """Return a kind of a mapping. Arenas of threads begin at a multiple of 64 MB, those of Python have up to 1 MB."""
    if name.startswith("["):
        return name
    if name:
        return "libraries" if ".so" in name else f"files {Path(name).suffix or Path(name).parent.name}"
    if start % 2**26 == 0:
        return "arenas of threads"
    size = (end - start) // 1024
    return "anonymous, up to 1 MB" if size <= 1024 else "anonymous, up to 9 MB" if size <= 9216 else "anonymous, larger"


class Watch:
    """Notes where the main thread was while the window was held, by a thread that looks at it.

    A hold is measured by the clock and by the main thread's processor time, which other work on the machine leaves as
    it is.
    """

    def __init__(self) -> None:
        self.ticked, self.action = time.monotonic(), ""
        self.processor = time.thread_time()
        self.holds: Counter[str] = Counter()
        self.longest: Dict[str, float] = {}
        self.longest_processor: Dict[str, float] = {}
        self._main = threading.get_ident()
        self._timer = QTimer()
        self._timer.timeout.connect(self._tick)
        self._timer.start(5)
        #: places at which the main thread was seen in this hold: it may go through several
        self._seen: Counter[str] = Counter()
        self._ended = False
        self._traceback = tempfile.TemporaryFile("w+")  # noqa: SIM115 - held to the end
        threading.Thread(target=self._look, daemon=True).start()

    def _tick(self) -> None:
        now = time.monotonic()
        held, self.ticked = now - self.ticked, now
        processor = time.thread_time()
        worked, self.processor = processor - self.processor, processor
        seen, self._seen = self._seen, Counter()
        if held > HELD_SECONDS and seen:
            place = f"{self.action}: {seen.most_common(1)[0][0]}"
            self.holds[place] += 1
            self.longest[place] = max(held, self.longest.get(place, 0.0))
            self.longest_processor[place] = max(worked, self.longest_processor.get(place, 0.0))

    def _look(self) -> None:
        while not self._ended:
            time.sleep(HELD_SECONDS / 2)
            if time.monotonic() - self.ticked > HELD_SECONDS * 0.8:
                self._seen[self._place()] += 1

    def _place(self) -> str:
        """Return where the main thread is in the plugin.

        The frames themselves are not touched: who holds one holds its variables too, and would end a paint event's
        painter late, and in this thread.
        """
        self._traceback.seek(0)
        self._traceback.truncate()
        faulthandler.dump_traceback(self._traceback, all_threads=True)
        self._traceback.seek(0)
        lines = self._traceback.read().partition(f"hread 0x{self._main:016x}")[2].partition("\n\n")[0].split("\n")[1:]
        for line in lines:
            file, _, place = line.strip()[6:].partition('", line ')
            if "/cartoguide/plugin/" in file:
                return f"{file.rpartition('/plugin/')[2]}:{place.partition(' in ')[0]} ({place.partition(' in ')[2]})"
        return "QGIS or another part"

    def end(self) -> None:
        self._ended = True
        self._timer.stop()


class Soak:
    """The running plugin and what is done with it."""

    def __init__(self) -> None:
        self.chance = random.Random(ORDER["seed"])
        self.done: List[str] = []
        self.counts: Counter[str] = Counter()
        self.errors: List[str] = []
        #: what is leaked on purpose, in small objects of Python's own pools
        self.leaked: List[bytes] = []
        self.saved: List[Path] = []
        #: the most layers that the project had after an action
        self.most_layers = 0
        #: something never came to its end
        self.is_stuck = False
        self.watch = Watch()
        self.actions: List[Callable[[], None]] = [
            getattr(self, name) for name in dir(self) if name.startswith("do_") for _ in range(self.weight(name))]

    @staticmethod
    def weight(name: str) -> int:
        """How often an action is chosen: cheap ones more often than those that take seconds."""
        rare = {"do_export": 1, "do_harvest": 1, "do_import_folder": 1, "do_new_project": 1, "do_save_project": 1,
                "do_open_project": 1, "do_audit": 1, "do_take_snapshot": 1, "do_settings": 2, "do_open_map": 2}
        return rare.get(name, 6)

    @property
    def plugin(self) -> Any:
        return utils.plugins["cartoguide"]

    @property
    def dock(self) -> Any:
        return self.plugin.dock

    @property
    def composer(self) -> Any:
        return self.dock.composer_controller

    @property
    def maps(self) -> Any:
        return self.composer.map

    def busy(self) -> str:
        """Return what is still going on, or nothing."""
        active = [f"{task.description()} ({task.status()})" for task in QgsApplication.taskManager().activeTasks()]
        return ", ".join([*active, *["adding"] * self.maps.adding, *["loading"] * self.dock.session.loading,
                          *["drawing"] * iface.mapCanvas().isDrawing()])

    def step(self) -> None:
        """Do one action."""
        action = self.chance.choice(self.actions)
        name = action.__name__[3:]
        self.done.append(name)
        self.counts[name] += 1
        self.watch.action = name
        self.leaked += [bytes([number % 256]) * 400 for number in range(ORDER["leak"] * 5 // 2)]
        try:
            action()
        except Exception:
            self.errors.append(f"{name}: {traceback.format_exc()}")
        self.most_layers = max(self.most_layers, len(QgsProject.instance().mapLayers()))
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QMessageBox) and dialog.isVisible():
                dialog.reject()

    def hit(self) -> Any:
        rows = self.dock.model.rowCount()
        return self.dock.model.hit(self.chance.randrange(min(rows, 40))) if rows else None

    def item(self) -> int:
        return self.chance.randrange(len(self.maps.items))

    # -- records

    def do_search(self) -> None:
        words = ("", "mapa", "guia", "relieve", "precipitación", "comarca 7", "xyz", "equipamientos", "a")
        self.dock.list_page.search_bar.search.setText(self.chance.choice(words))

    def do_select(self) -> None:
        rows = self.dock.model.rowCount()
        if rows:
            self.dock.list.setCurrentIndex(self.dock.model.index(self.chance.randrange(min(rows, 40))))

    def do_tab(self) -> None:
        tabs = self.dock.view.tabs
        tabs.setCurrentIndex(self.chance.randrange(tabs.count()))

    def do_terms(self) -> None:
        self.dock.show_terms_tab()

    def do_read_file(self) -> None:
        files = sorted(Path(ORDER["records"]).glob("*.xml"))
        self.dock.session.open_paths([str(self.chance.choice(files))])

    def do_import_folder(self) -> None:
        self.dock.session.open_paths([ORDER["records"]])

    def do_remove_record(self) -> None:
        hit = self.hit()
        if hit is not None:
            self.plugin.integration.commands().remove_records([hit.identifier])

    def do_harvest(self) -> None:
        from cartoguide.plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind

        source = Source(ORDER["catalogue"], SourceKind.CSW_2, "Red")
        self.dock.list_page.harvests.start(source, CatalogueQuery(page_size=20))

    # -- the map

    def do_add(self) -> None:
        hit = self.hit()
        if hit is not None and len(self.maps.items) < MOST_SERVICES:
            self.plugin.integration.commands().add_to_map(hit.identifier)

    def do_add_network_service(self) -> None:
        if len(self.maps.items) < MOST_SERVICES:
            endpoint, names = self.chance.choice(ORDER["services"])
            self.dock.add_service_layers(endpoint, names)

    def do_remove_service(self) -> None:
        if self.maps.items:
            self.maps.remove(self.item())

    def do_move(self) -> None:
        if self.maps.items:
            self.maps.move(self.item(), self.item())

    def do_opacity(self) -> None:
        if self.maps.items:
            self.maps.set_opacity(self.item(), self.chance.randrange(21) / 20)

    def do_visible(self) -> None:
        if self.maps.items:
            self.maps.set_visible(self.item(), self.chance.random() < 0.5)

    def do_undo(self) -> None:
        self.composer.map.undo()

    def do_redo(self) -> None:
        self.composer.map.redo()

    def do_title(self) -> None:
        self.maps.set_title(self.chance.choice(["", "Mapa", "Otro mapa"]))

    def do_new_map(self) -> None:
        self.composer.documents.new()

    def do_save_map(self) -> None:
        path = FOLDER / f"{self.chance.randrange(5)}.custommap.json"
        self.composer.documents.save_to(path)
        self.saved = [*(one for one in self.saved if one != path), path]

    def do_open_map(self) -> None:
        if self.saved:
            self.composer.documents.open_file(self.chance.choice(self.saved))

    def do_export(self) -> None:
        if self.maps.items and not self.maps.adding:
            self.composer.exporter.export("png", FOLDER / "map.png", True)

    def do_zoom(self) -> None:
        x, y = self.chance.uniform(440000, 460000), self.chance.uniform(4245000, 4260000)
        iface.mapCanvas().setExtent(QgsRectangle(x, y, x + 4000, y + 3000))
        iface.mapCanvas().refresh()

    def do_identify(self) -> None:
        plugin = self.plugin
        if plugin.identify is None:
            plugin._toggle_identify(True)
        plugin.identify.identify(iface.mapCanvas().extent().center())

    # -- windows and projects

    def do_dock(self) -> None:
        self.plugin.action.trigger()

    def do_audit(self) -> None:
        self.plugin.show_credits()

    def do_settings(self) -> None:
        self.dock.open_settings()

    def do_close_dialogs(self) -> None:
        close_dialogs()

    def do_new_project(self) -> None:
        QgsProject.instance().clear()
        QgsProject.instance().setCrs(CRS)

    def do_save_project(self) -> None:
        QgsProject.instance().write(str(FOLDER / "project.qgs"))

    def do_open_project(self) -> None:
        if (FOLDER / "project.qgs").exists():
            QgsProject.instance().read(str(FOLDER / "project.qgs"))

    # -- rest

    def at_rest(self) -> Iterator[float]:
        """Empty everything and wait until nothing goes on."""
        self.watch.action = "at rest"
        self.plugin.show_dock()
        self.dock.list_page.search_bar.search.setText("")
        for _ in range(2):
            yield from self.until_idle()
            close_dialogs()
            self.composer.documents.new()
            QgsProject.instance().clear()
            QgsProject.instance().setCrs(CRS)
        yield from self.until_idle()
        self.dock.messages.clear()
        # a cache of at most 500 records with their terms, which fills slowly
        self.dock.session._terms.clear()
        self.dock.view.tabs.setCurrentIndex(0)
        if self.plugin.identify is not None and self.plugin.identify.panel is not None:
            self.plugin.identify.panel.show_message("")
            self.plugin.identify.panel.hide()
        yield 1.0
        yield from self.until_idle()

    def until_idle(self) -> Iterator[float]:
        end, quiet = time.monotonic() + PATIENCE, 0
        while quiet < 3 and not self.is_stuck:
            quiet = 0 if self.busy() else quiet + 1
            if time.monotonic() > end:
                self.is_stuck = True
                self.errors.append(f"still busy after {PATIENCE} s: {self.busy()}, after {self.done[-40:]}")
                return
            yield 0.05

    def count(self) -> Dict[str, Any]:
        """Count what could leak."""
        everything, own, described = census(iface)
        gc.collect()
        process = memory_megabytes()
        give_back_freed_memory()
        return {
            "counts": everything, "own": own, "window": described, "memory": process, "trimmed": memory_megabytes(),
            "resident": resident_megabytes(), "python blocks": sys.getallocatedblocks(),
            "layers": len(QgsProject.instance().mapLayers()),
            "heap": heap_megabytes(), "threads": len(os.listdir("/proc/self/task")),
            "qthreads": sum(isinstance(one, QThread) for one in gc.get_objects()),
            "files": sorted(Counter(kind_of_file(name) for name in os.listdir("/proc/self/fd")).items()),
        }


def kind_of_file(number: str) -> str:
    try:
        target = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return "gone"
    return target.partition(":")[0] if ":" in target else target


def close_dialogs() -> None:
    for dialog in QApplication.topLevelWidgets():
        if isinstance(dialog, QDialog) and dialog.isVisible():
            dialog.reject()


def script() -> Iterator[float]:
    """Take the actions, count in between, and write the answer."""
    while "cartoguide" not in utils.plugins:
        yield 0.1
    QgsProject.instance().setCrs(CRS)
    utils.plugins["cartoguide"].show_dock()
    soak = Soak()
    answer: Dict[str, Any] = {"seed": ORDER["seed"]}
    # the counts of a round are thousands of texts, which would grow with the rounds
    counted = Path(ORDER["answer"]).with_suffix(".rounds")

    def write() -> None:
        answer.update(done=len(soak.done), last=soak.done[-60:], errors=soak.errors[:20], actions=soak.counts,
                      most_layers=soak.most_layers,
                      seconds=time.monotonic() - started, holds=[
                          [count, round(soak.watch.longest[place], 3), place,
                           round(soak.watch.longest_processor[place], 3)]
                          for place, count in soak.watch.holds.most_common(80)])
        Path(ORDER["answer"]).write_text(json.dumps(answer))

    from cartoguide.plugin.gis.runtime import main_thread

    started = time.monotonic()
    yield from soak.until_idle()
    # everything is imported and every cache is filled before the first count
    for action in (soak.do_harvest, soak.do_import_folder, soak.do_add_network_service, soak.do_audit, soak.do_settings,
                   soak.do_identify, soak.do_export):
        action()
        yield from soak.until_idle()
        close_dialogs()
    size = max(25, min(ROUND, ORDER["actions"] // 5))
    while len(soak.done) < ORDER["actions"] and len(soak.errors) < 20 and not soak.is_stuck:
        for _ in range(min(size, ORDER["actions"] - len(soak.done))):
            while main_thread.is_undisturbed():
                # QGIS handles timers within this call, but nothing that a person does
                yield 0.0
            soak.step()
            # some actions follow at once, others when the last one has had its effect
            yield soak.chance.choice((0.0, 0.0, 0.01, 0.05))
            if soak.chance.random() < 0.02:
                yield from soak.until_idle()
            if soak.is_stuck:
                break
        yield from soak.at_rest()
        with counted.open("a", encoding="utf-8") as rounds:
            rounds.write(json.dumps({"done": len(soak.done), **soak.count()}) + "\n")
        write()
    soak.watch.end()
    write()

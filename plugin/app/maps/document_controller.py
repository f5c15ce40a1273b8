"""Custom map documents: created, saved, opened, and shown again with the project that has one."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Collection, NamedTuple, Optional, Sequence, Union

from qgis.core import QgsLayerTreeGroup, QgsReferencedRectangle
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap import foreign_maps, undo_history
from ...core.custommap.document import read_document
from ...core.custommap.foreign_maps import Consent
from ...core.custommap.model import CustomMap, SnapshotReference
from ...core.errors import CartoguideError
from ...core.files import safe_file_name, write_bytes_atomically
from ...core.i18n import tr
from ...core.json_document import stored_list
from ...core.publication.embedded_documents import MAP_SUFFIXES
from ...core.publication.map_files import map_document
from ...core.records.model.endpoints import normalise_endpoint
from ...core.snapshot.snapshot_sources import Snapshot, with_absolute_paths
from ...core.text import list_quoted_names
from ...core.trust.provenance import Trust
from ...gis.layers import project_document
from ...gis.layouts.template_loading import judge_ahead, templates_folder
from ...gis.layouts.templates import template_path
from ...gis.own_layers import provenance
from ...gis.runtime import settings, tasks
from ...gis.runtime.main_thread import single_shot
from ...gis.runtime.symbol_library import svg_library
from ..phrases import shown_in_text
from ..window import MessageAction, Notifier, Prompts
from .extent_controller import CanvasPlace
from .map_controller import MapController
from .map_document import ExtentMode, new_document
from .map_state import OwnItem
from .offline_controller import OfflineController

_FILTER = "Cartoguide (*.custommap.json)"
#: exported maps have their document inside
_PUBLISHED = " ".join(f"*{suffix}" for suffix in MAP_SUFFIXES)
#: bytes of a document that takes no longer than a blink to read. Others are read beside the window's thread
_READ_AT_ONCE = 250_000
#: the most files in the list of recent maps
_MAX_RECENT = 8


class _BesideDocument(NamedTuple):
    """State of a map that another one took the place of, besides the document that undo brings back."""

    file: Optional[Path] = None
    reference: Optional[SnapshotReference] = None
    snapshot: Optional[Snapshot] = None
    #: what the canvas showed, None for a map without layers
    seen: Optional[QgsReferencedRectangle] = None


class _FormerMap(NamedTuple):
    """The ids of the layers that a map had in the project. ``own_ids`` are those of own layers, which stay in it."""

    layer_ids: Sequence[str]
    own_ids: Sequence[str]


class DocumentController(QObject):
    """Reads and writes the map's document. After an error the map is as it was before."""

    #: the map is another one, or is back after an undo
    changed = pyqtSignal()
    #: a document is being put on the map
    opening_started = pyqtSignal()
    #: another map takes the place of the one that is shown: what was said of it is over
    leaving = pyqtSignal()
    #: the map of the project that was opened is shown
    restored = pyqtSignal()
    #: the file that ``save`` writes to, or None if it asks for one
    file_changed = pyqtSignal(object)
    #: the canvas has the first layers of a map that was opened
    opened_layers_came = pyqtSignal()

    def __init__(self, map_controller: MapController, offline: OfflineController, canvas_place: CanvasPlace,
                 notifier: Notifier, prompts: Prompts, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._offline, self._canvas_place = map_controller, offline, canvas_place
        self._notifier, self._prompts = notifier, prompts
        self._close_undo: Callable[[], object] = lambda: None
        #: the maps that undo or redo can show again, by their numbers
        self._others: dict[int, _BesideDocument] = {}
        #: closes what is said of a group beside the map, which another map may be
        self._close_copied: Callable[[], object] = lambda: None
        #: reads a large document, or what a foreign one names. Only the newest is shown
        self._reading: tasks.LatestJob[Any] = tasks.LatestJob(self)
        #: the document that the map was opened from or saved to
        self.file: Optional[Path] = None
        offline.package_opened.connect(self._reading.cancel)
        offline.package_unpacked.connect(self.open_document)
        # a moment later, when the layers have been notified of the project too
        self._restore_timer = single_shot(self, 0, self.restore)
        map_controller.project.readProject.connect(self._restore_timer.start)
        self._restore_timer.start()
        map_controller.mirror.found.connect(self._restore_pasted)
        map_controller.mirror.copied.connect(self._on_group_copied)
        map_controller.custom_map.begun.connect(self._close_messages)
        map_controller.exchanging.connect(self._exchange)
        map_controller.reset.connect(lambda: self._set_file(None))
        map_controller.reset.connect(self.leaving)
        map_controller.reset.connect(lambda: offline.leave_map(comes_back=False))
        map_controller.reset.connect(self._close_messages)
        map_controller.reset.connect(self._others.clear)
        map_controller.reset.connect(canvas_place.forget)

    def close(self) -> None:
        """Stop listening to the project, which outlives the dock."""
        self._restore_timer.stop()
        self._map.project.readProject.disconnect(self._restore_timer.start)
        self._canvas_place.forget()

    def restore(self) -> None:
        """Show the map that is saved in the project, unless another one is being composed."""
        if self._map.stack or self._map.adding:
            return
        found = project_document.read_stored_map(self._map.project)
        if found is None or not found.document.stack:
            return
        self._show_stored(found)
        self._map.custom_map.begin()
        self.restored.emit()

    def _restore_pasted(self, moved: bool) -> None:
        """Show a map that was pasted into the project while there was none. This can be undone.

        ``moved``: it is the map that was shown, whose group was moved by the clipboard.
        """
        found = project_document.read_stored_map(self._map.project)
        if found is None or not found.document.stack or self._map.stack or self._map.adding:
            return
        self._show_stored(found, moved)
        if not moved:
            # what was removed from the map before is not for this one
            self._map.custom_map.begun.emit()
            self._map.commit(undo_history.added(found.document.stack))
        self.restored.emit()

    def _show_stored(self, stored: project_document.StoredMap, moved: bool = False) -> None:
        file = self._map.project.fileName()
        if not moved:
            self._offline.reopen_snapshot_of(stored.document, Path(file) if file else None)
        self._map.adopt(stored, moved)

    def _on_group_copied(self, group: QgsLayerTreeGroup) -> None:
        self._close_copied = self._notifier.notify(
            tr("“{title}” was pasted as a plain group. It is not part of the map.", title=group.name()),
            tr("Open as custom map"), lambda: self.open_group(group))
        group.destroyed.connect(self._close_copied)

    def open_group(self, group: QgsLayerTreeGroup) -> None:
        """Show the map whose document a group of the layer tree has. The map before stays as a plain group."""
        if sip.isdeleted(group) or group is self._map.mirror.find_group():
            return
        found = project_document.read_group(self._map.project, group)
        if found is None:
            self._notifier.show_error(CartoguideError(
                tr("The custom map of the group “{title}” cannot be read.", title=group.name())))
            return
        self._reading.cancel()
        self._map.flush()
        self._map.builds.cancel()
        self._map.mirror.let_go()
        self.leaving.emit()
        self._offline.leave_map(comes_back=False)
        self._set_file(None)
        self._show_stored(found)
        self._map.custom_map.begin()
        self.restored.emit()

    @property
    def opening(self) -> bool:
        """True while a document is being read, or services or layers of an opened one are awaited."""
        return self._reading.running or any(part.loading for part in self._map.stack)

    def new(self) -> None:
        """Begin a new map. This can be undone."""
        former = self._leave_map(replace(new_document(), crs=self._map.crs()), ExtentMode.CANVAS)
        if former is not None:
            self._say_what_was_replaced(tr("A new custom map. The one before was removed from the project."), former)

    def _close_messages(self) -> None:
        self._close_undo()
        self._close_copied()

    def _say_what_was_replaced(self, text: str, former: _FormerMap) -> None:
        shown = shown_in_text(self._map.mirror.removed.shown_in(former.layer_ids))
        present = [layer for layer in map(self._map.project.mapLayer, former.own_ids)
                   if layer is not None and layer.id() not in self._map.mirror.layer_ids()]
        stays = tr("In the project stay its own layers: {layers}.",
                   layers=list_quoted_names([layer.name() for layer in present])) if present else ""
        self._close_undo = self._notifier.notify(" ".join(filter(None, (text, stays, shown))), tr("Undo"),
                                                 self._map.undo_map)
        self.changed.emit()

    def _leave_map(self, document: CustomMap, extent_mode: Optional[ExtentMode] = None) -> Optional[_FormerMap]:
        """Show another map in place of this one. Return this one, None if it is empty.

        Undo leads back to this one, unless nothing has been done to it.
        """
        self._map.flush()
        history = self._map.custom_map.history
        parts, layer_ids, number = bool(self._map.stack), self._map.mirror.layer_ids(), history.map_number
        own_ids = [item.layer_id for item in self._map.own_items if item.layer_id]
        self._map.builds.cancel()
        if not parts and not history.has_changed_map:
            history.restart_map()
        history.begin_map()
        self._exchange(number, history.map_number)
        self._map.show_document(document, extent_mode)
        self._map.custom_map.begin(after_former=True)
        self.changed.emit()
        return _FormerMap(layer_ids, own_ids) if parts else None

    def _exchange(self, number: int, shown: int) -> None:
        """Note the state of this map beside its document, and take that of the one that is about to be shown."""
        self._reading.cancel()
        seen = self._canvas_place.seen() if self._map.stack else None
        self._others[number] = _BesideDocument(self.file, self._map.chosen.snapshot, self._map.shown_snapshot, seen)
        self.leaving.emit()
        # a snapshot that is being taken or opened is that of the map that is left
        self._offline.leave_map(comes_back=True)
        other = self._others.pop(shown, _BesideDocument())
        self._map.custom_map.use_snapshot(other.reference)
        self._map.shown_snapshot = other.snapshot
        self._set_file(other.file)
        if other.seen is not None:
            self._canvas_place.show_with_layers(other.seen)
        else:
            self._canvas_place.forget()

    def _set_file(self, file: Optional[Path]) -> None:
        if file != self.file:
            self.file = file
            self.file_changed.emit(file)

    def save(self) -> None:
        """Save the map's document to the file that it has. A map without one asks for it."""
        if self.file is None:
            self.save_as()
        else:
            self.save_to(self.file)

    def save_as(self) -> None:
        """Ask for a file and save the map's document to it."""
        path = self._prompts.save_file(tr("Save the custom map"), f"{safe_file_name(self._map.title())}.custommap.json",
                                       _FILTER, in_project=True)
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path) -> None:
        """Write the map's document to ``path``. An error is shown."""
        if not path.name.endswith(".json"):
            path = path.with_name(path.name + ".custommap.json")
        try:
            write_bytes_atomically(path, provenance.sealed_bytes(self._map.printed_document(), path.resolve()))
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        add_recent_map(path)
        self._set_file(path.resolve())
        self._notifier.notify(tr("Saved as {name}.", name=path.name))

    def find_other_maps(self, endpoints: Collection[str]) -> list[str]:
        """Return the names of recent maps, other than this one, that use a service at one of ``endpoints``."""
        wanted, found = set(map(normalise_endpoint, endpoints)), []
        others = [path for path in recent_maps() if path.resolve() != self.file and path.suffix == ".json"]
        for path in others:
            with suppress(OSError, CartoguideError):
                entries = read_document(map_document(path)).entries if path.stat().st_size <= _READ_AT_ONCE else ()
                if any(normalise_endpoint(entry.endpoint) in wanted for entry in entries):
                    found.append(path.name)
        return found

    def open(self) -> None:
        every = f"{tr('Custom maps')} (*.custommap.json {_PUBLISHED})"
        path = self._prompts.open_file(tr("Open a custom map"), ";;".join((every, _FILTER, "JSON (*.json)")))
        if path is not None:
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Put the services of the document at ``path``, or inside an exported map, on the map. An error is shown."""
        self._offline.leave_package()
        try:
            data = map_document(path)
            if len(data) > _READ_AT_ONCE:
                file, folder = path.resolve(), templates_folder()
                self._reading.start(
                    tr("Reading the map"), lambda _feedback: _judged(read_document(data, path.name), file, folder),
                    lambda judged: self._open_judged(judged, file), self._notifier.show_error)
            else:
                self.open_document(read_document(data, path.name), path.resolve())
        except CartoguideError as error:
            self._notifier.show_error(error)
            return
        add_recent_map(path)

    def open_document(self, document: CustomMap, path: Optional[Path] = None) -> None:
        """Replace the map by ``document``, whose services are added as they are loaded. This can be undone.

        What a document that this profile did not save names is opened after one question. A snapshot that it shows is
        opened first. ``path`` is the document's file, which the snapshot's folder and the files of own layers are
        relative to.
        """
        self._offline.leave_package()
        self._open_judged(_judged(document, path, templates_folder()), path)

    def _open_judged(self, judged: Union[CustomMap, foreign_maps.ForeignMap], path: Optional[Path]) -> None:
        """Show a map of this profile, or a foreign one after the question about it."""
        if isinstance(judged, CustomMap):
            self._show_document(judged, path)
        elif judged.has_question:
            self._ask(judged, path)
        else:
            self._show_admitted(judged, Consent.NONE, path)

    def _ask(self, foreign: foreign_maps.ForeignMap, path: Optional[Path]) -> None:
        """Ask what a foreign map may open. A person who says that it is their own is asked once more."""
        name, library = path.name if path is not None else foreign.document.title, svg_library()

        def confirm_own(by_the_rules: foreign_maps.AdmittedMap) -> None:
            self._prompts.confirm_own(
                name, by_the_rules.left_out,
                lambda is_own: self._show_admitted(foreign, Consent.OWN, path) if is_own else self._ask(foreign, path))

        def answered(consent: Consent) -> None:
            if consent is not Consent.OWN:
                self._show_admitted(foreign, consent, path)
                return
            self._reading.start(tr("Reading the map"),
                                lambda _feedback: foreign_maps.admit(foreign, Consent.ELSEWHERE_TOO, library),
                                confirm_own, self._notifier.show_error)

        self._prompts.confirm_foreign(name, foreign, answered)

    def _show_admitted(self, foreign: foreign_maps.ForeignMap, consent: Consent, path: Optional[Path]) -> None:
        """Show a foreign map as far as the person agreed to it, and say what is left out."""
        def show(admitted: foreign_maps.AdmittedMap) -> None:
            self._show_document(admitted.document, path)
            if admitted.left_out:
                self._notifier.show_warning(
                    tr("Not shown, because somebody else saved the map: %n thing(s) that it names.",
                       n=len(admitted.left_out)), "\n\n".join(admitted.left_out))

        library = svg_library()

        def admit(_feedback: tasks.Feedback) -> foreign_maps.AdmittedMap:
            # many styles would hold the window, and so would a template that is read for the first time
            admitted = foreign_maps.admit(foreign, consent, library)
            page = admitted.document.page
            judge_ahead(template_path(page), page.agreed_file)
            return admitted

        def load_template(admitted: foreign_maps.AdmittedMap) -> None:
            # the page is measured on its template, which would hold the window together with the rest
            self._map.page_measurement.map_size(admitted.document.page)
            self._reading.start(tr("Reading the map"), lambda _feedback: admitted, show, self._notifier.show_error)

        self._reading.start(tr("Reading the map"), admit, load_template, self._notifier.show_error)

    def ask_to_open(self, item: OwnItem) -> None:
        """Ask whether an own layer that a foreign map names may be opened, and open it then."""
        foreign, library = foreign_maps.one_layer(item.own), svg_library()

        def answered(consent: Consent) -> None:
            if consent is not Consent.NONE:
                tasks.start(tr("Reading the map"), lambda _feedback: foreign_maps.admit(foreign, consent, library),
                            lambda admitted: self._map.builds.open_agreed(item, admitted), self._notifier.show_error,
                            self)

        self._prompts.confirm_foreign(self._map.title(), foreign, answered)

    def _show_document(self, document: CustomMap, path: Optional[Path]) -> None:
        self.opening_started.emit()
        former = self._leave_map(replace(document, base=None, overlays=(), own_layers=()))

        def show() -> None:
            self._canvas_place.call_with_layers(self.opened_layers_came.emit)
            self._map.show_document(document)
            self._map.custom_map.begin(after_former=True)
            # not before: what is on the map until then is not the document. A map inside a PDF or PNG has no file.
            self._set_file(path if path is not None and path.name.endswith(".json") else None)
            self.changed.emit()
            if former is not None:
                self._say_what_was_replaced(tr("Opened “{title}”. The map before it was removed from the project.",
                                               title=self._map.title()), former)
            self._say_what_changed(document)

        self._offline.open_snapshot_of(document, path, show, lambda error: self._on_snapshot_missing(document, error))

    def _say_what_changed(self, document: CustomMap) -> None:
        for note in document.change_notes:
            self._notifier.show_warning(note)

    def _on_snapshot_missing(self, document: CustomMap, error: CartoguideError) -> None:
        """Keep the services with their credits on the map, and offer to load them instead of the snapshot."""
        self._map.show_unloaded(document, tr("its snapshot is not there"))
        self._map.custom_map.begin(after_former=True)
        self._say_what_changed(document)
        use_live = MessageAction(tr("Use the live services"),
                                 lambda: self._show_document(replace(document, snapshot=None, change_notes=()), None))
        self._close_undo = self._notifier.show_warning_with_actions(
            tr("{reason} The map shows nothing until its services are loaded instead.",
               reason=error.user_text.split("\n")[0]), [use_live])


def _judged(document: CustomMap, path: Optional[Path],
            template_folder: Path) -> Union[CustomMap, foreign_maps.ForeignMap]:
    """Return a map of this profile with absolute paths, or what a foreign one names, with nothing opened."""
    document = with_absolute_paths(document, path) if path is not None else document
    if document.trust is Trust.FOREIGN:
        document = provenance.recognised(document)
    if document.trust is not Trust.FOREIGN:
        return document
    return foreign_maps.examine(document, path.parent if path is not None else Path(), template_folder)


def recent_maps() -> list[Path]:
    """Return the custom maps opened or saved most recently, newest first. Files that no longer exist are left out."""
    stored = stored_list(settings.get("recent_maps"))
    return [Path(text) for text in stored if isinstance(text, str) and "\0" not in text and _is_file(Path(text))]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or no name
        return False


def add_recent_map(path: Path) -> None:
    """Put a file at the head of the list, which has each file once. The oldest files beyond the limit are dropped."""
    resolved = path.resolve()
    paths = [resolved, *(recent for recent in recent_maps() if recent.resolve() != resolved)]
    settings.set("recent_maps", json.dumps([str(recent) for recent in paths[:_MAX_RECENT]], ensure_ascii=False))

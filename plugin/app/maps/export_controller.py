"""Print layouts and exports of the custom map."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import QgsFeedback, QgsPrintLayout
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.model import CustomMap
from ...core.custommap.moments import FRAME_SECONDS
from ...core.errors import Cancelled, CartoguideError
from ...core.files import safe_file_name
from ...core.i18n import tr
from ...gis.export import atlas, preflight_requests
from ...gis.export import layout_export as exports
from ...gis.export.export_transaction import check_folder
from ...gis.export.sealed_layouts import ExportFeedback
from ...gis.layouts import layout_items
from ...gis.own_layers.provenance import sealed
from ...gis.pages.layout_builder import layout_requirements, notes_of_page
from ...gis.runtime import log, settings, tasks
from ..window import MapWindow, Prompts
from .map_controller import MapController
from .map_state import drawn_layer_ids, title_of, without_wms_prefix

_OnLayout = Callable[[QgsPrintLayout], None]
#: requests a layout's images, shows the findings, then calls back; the last argument: the format is a raster
ImageCheck = Callable[[QgsPrintLayout, Callable[[preflight_requests.PreflightResponses], None], bool], None]


#: shows the progress of rendering the file with this name, with a button that cancels; returns what ends it
ProgressFactory = Callable[[str, ExportFeedback], Callable[[], None]]


def _shown_titles(document: CustomMap) -> Dict[Tuple[str, str], str]:
    """Return the titles of a map's services and own layers by what they show: layers of an address, or their ids."""
    return {**{(entry.endpoint, name): without_wms_prefix(entry.title) for entry in document.entries
               for name in entry.layers or ("",) if entry.is_visible(name)},
            **{("", own.id): own.name for own in document.own_layers if own.visible}}


class ExportController(QObject):
    """Runs one export at a time. ``busy_changed`` carries what it does, or ""."""

    busy_changed = pyqtSignal(str)
    #: True while a file is drawn behind a dialog that shows its progress
    drawing_changed = pyqtSignal(bool)
    failed = pyqtSignal(object)
    #: the layout was built, and has these notes besides the issues of the map
    built = pyqtSignal(list)
    #: the layout is open in QGIS's layout designer, which has this QgsMessageBar, or None
    opened = pyqtSignal(object)
    #: the person gave the export up, so that no file was written
    cancelled = pyqtSignal()
    #: the export that was finished, as an ExportedMap
    finished = pyqtSignal(object)

    def __init__(self, map_controller: MapController, window: MapWindow, prompts: Prompts,
                 show_progress: ProgressFactory, parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._window, self._prompts = map_controller, window, prompts
        self._show_progress = show_progress
        self._job: Optional[tasks.Job] = None
        #: cancels the file that is being drawn
        self._rendering: Optional[QgsFeedback] = None
        #: the format of the last file
        self.export_format = exports.ExportFormat.PDF
        #: the map that the pages were built from
        self._document: Optional[CustomMap] = None
        #: the layout that somebody has edited, while it is exported
        self._edited: Optional[QgsPrintLayout] = None
        self._kept: Optional[QgsPrintLayout] = None
        # keeps the layout alive: Python would delete it with its items
        self.layout: Optional[QgsPrintLayout] = None
        self.check_images: Optional[ImageCheck] = None
        #: begins the last export again, to the same file, of the map as it is then
        self.repeat: Callable[[], object] = lambda: None

    def open_layout(self) -> None:
        """Build the layout and open it in QGIS's layout designer."""
        self.begin(lambda: self.build_layout(self._open_designer))

    def export(self, export_format: exports.ExportFormat, path: Path, stamp: bool = False) -> None:
        """Build the layout, request its images unless the settings say otherwise, and write it to ``path``.

        ``stamp``: export an incomplete map too, marked as such.
        """
        def render(layout: QgsPrintLayout) -> None:
            if stamp or self.check_images is None or not settings.get("check_before_export"):
                self.render_layouts([layout], export_format, path, stamp=stamp)
            else:
                self.check_images(layout, lambda checked: self._on_images_checked(layout, checked, export_format, path),
                                  exports.EXPORT_FORMATS[export_format].as_image)

        self.begin(lambda: self.build_layout(render))

    def export_edited(self, layout: QgsPrintLayout, export_format: exports.ExportFormat, path: Path) -> None:
        """Write a layout that somebody has edited to ``path`` as it is, once it was proved to be complete."""
        self.repeat = lambda: self.export_edited(layout, export_format, path)
        if sip.isdeleted(layout):
            self.failed.emit(CartoguideError(tr("The layout was closed before the map was rendered.")))
        elif self._rendering is None:
            # the images of another export may be under way, which goes on with its own map
            document, kept = self._document, self._kept
            self._document, self._edited, self._kept = None, layout, None
            try:
                self.run_reporting_errors(lambda: self.render_layouts([layout], export_format, path))
            finally:
                self._document, self._edited, self._kept = document, None, kept

    def added_meanwhile(self) -> List[str]:
        """Return the titles of services and own layers that are shown now and were not when the pages were built."""
        if self._edited is not None and not sip.isdeleted(self._edited):
            printed_ids = {layer_id for needed in layout_requirements(self._edited) for layer_id in needed.layers}
            return [title_of(part) for part in self._map.stack
                    if not printed_ids.issuperset(drawn_layer_ids(part))]
        printed = _shown_titles(self._document) if self._document is not None else {}
        return list(dict.fromkeys(title for key, title in _shown_titles(self._map.document()).items()
                                  if key not in printed))

    def note_document(self) -> None:
        """Remember the map that pages are built from now, which the files are going to have."""
        self._kept = None
        self._document = sealed(self._map.printed_document())

    def begin(self, work: Callable[[], object]) -> None:
        """Call ``work``, which exports the map as it is then, once all that is being added is on the map.

        All that is missing is requested again. ``repeat`` begins it once more.
        """
        self.repeat = lambda: self.begin(work)

        def run() -> None:
            self._map.builds.expect_missing()
            work()

        self._map.arrivals.when_here(run, self.failed.emit)

    def cancel(self) -> None:
        """Cancel the layout that is being built, or the file that is being drawn."""
        if self._rendering is not None:
            # the buttons come back once what draws it has ended
            self._rendering.cancel()
            return
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit("")

    def build_layout(self, on_built: _OnLayout) -> None:
        """Build the layout, load its legends in a task, then call ``on_built``.

        No-op while a layout is being rendered: a new one would delete it.
        """
        if self._rendering is not None:
            return
        self.note_document()
        plan = self._map.plan()
        self.busy_changed.emit(tr("Loading the legends…"))
        self._job = atlas.start_layouts(self._map.project, [plan], [self._map.mirror.qgis_layers(plan)],
                                        lambda layouts: self._on_layout_built(layouts[0], on_built),
                                        self._on_layout_failed, self, numbered=False)

    def _on_layout_built(self, layout: QgsPrintLayout, then: _OnLayout) -> None:
        self._job = None
        self.layout, self._kept = layout, layout_items.edited_layout(layout)
        self.built.emit(notes_of_page(layout))
        self.busy_changed.emit("")
        self.run_reporting_errors(lambda: then(layout))

    def run_reporting_errors(self, work: Callable[[], object]) -> None:
        """Call ``work`` and emit ``failed`` for its CartoguideError."""
        try:
            work()
        except Cancelled:
            log.info(tr("The export was cancelled."))
            if not sip.isdeleted(self):
                self.cancelled.emit()
        except CartoguideError as error:
            if sip.isdeleted(self):
                # the plugin was unloaded meanwhile, and said so itself
                log.error(error)
            else:
                self.failed.emit(error)

    def _on_images_checked(self, layout: QgsPrintLayout, checked: preflight_requests.PreflightResponses,
                           export_format: exports.ExportFormat, path: Path) -> None:
        """Export once the images were requested. Missing ones are among the findings."""
        if sip.isdeleted(layout):
            self.failed.emit(CartoguideError(tr("The layout was closed before the map was rendered.")))
            return
        # if images are missing, the export requests them once more and reports what it lacks
        self.run_reporting_errors(lambda: self.render_layouts([layout], export_format, path, attempts=exports.ATTEMPTS
                                                              if checked.complete else 1))

    def _on_layout_failed(self, error: CartoguideError) -> None:
        self._job = None
        self.busy_changed.emit("")
        self.failed.emit(error)

    @property
    def kept(self) -> Optional[QgsPrintLayout]:
        """The newest layout of the map that somebody has edited, beside which the last page was built, if it is left.
        """
        return self._kept if self._kept is not None and not sip.isdeleted(self._kept) else None

    def open_kept(self) -> None:
        if self.kept is not None:
            self._window.open_layout_designer(self.kept)

    def _open_designer(self, layout: QgsPrintLayout) -> None:
        self.opened.emit(self._window.open_layout_designer(layout))

    def render_layouts(self, pages: Sequence[QgsPrintLayout], export_format: exports.ExportFormat, path: Path,
                       stamp: bool = False, attempts: int = exports.ATTEMPTS, names: Sequence[str] = (),
                       frame_seconds: float = FRAME_SECONDS) -> None:
        """Render ``pages`` into the file or files at ``path``. ``names`` are those of a series.

        ``frame_seconds`` is the time for which each frame of an animation is shown.

        Blocks behind a modal progress dialog, because QGIS renders on the main thread. What happens to the project
        meanwhile does not reach the file.
        """
        feedback, self.export_format = ExportFeedback(), export_format
        end_progress = self._show_progress(path.name, feedback)
        options = exports.ExportOptions(settings.get("export_dpi"), attempts=attempts, stamp_incomplete=stamp,
                                        frame_seconds=frame_seconds, document=self._document)
        # the dialog appears a moment after rendering begins, and does not grey the buttons behind it
        self._rendering = feedback
        self.busy_changed.emit(tr("Drawing {name}…", name=path.name))
        self.drawing_changed.emit(True)
        try:
            done = exports.export_layouts(pages, path, export_format, options, feedback, names)
        finally:
            self._rendering = None
            end_progress()
            if not sip.isdeleted(self):
                self.drawing_changed.emit(False)
                self.busy_changed.emit("")
        if sip.isdeleted(self):
            return
        self.finished.emit(done)

    def ask_path(self, export_format: exports.ExportFormat, title: str = "") -> Optional[Path]:
        """Ask for the file to export to. Return None if the person cancelled, and if its folder is not writable, which
        ``failed`` says.
        """
        suffix = exports.EXPORT_FORMATS[export_format].suffix
        path = self._prompts.save_file(tr("Export the map"), f"{safe_file_name(title or self._map.title())}.{suffix}",
                                       f"{suffix.upper()} (*.{suffix})", in_project=True)
        if path is None:
            return None
        try:
            # before the images of a whole map are fetched in vain
            check_folder(path)
        except CartoguideError as error:
            self.failed.emit(error)
            return None
        return path if path.name.lower().endswith(f".{suffix}") else Path(f"{path}.{suffix}")

"""The exports of the custom map: layout, files, series, atlas and animation, and the citation of the map."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Callable, Optional

from qgis.core import QgsPrintLayout
from qgis.gui import QgsMessageBar
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QObject, Qt
from qgis.PyQt.QtWidgets import QMenu, QProgressDialog, QWidget

from ...app.maps.export_controller import ExportController
from ...app.maps.extent_controller import ExtentController
from ...app.maps.map_controller import MapController
from ...app.maps.map_series_controller import MapSeriesController
from ...app.window import MessageAction, Notifier
from ...core.addresses import without_secrets
from ...core.dates import format_day
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.publication.map_statement import map_citation, map_work
from ...core.review.report.bibliography import CitationFormat, citation, record_work, written_citations
from ...core.text import inert, list_quoted_names
from ...gis.export import atlas
from ...gis.export.layout_export import ExportedMap, ExportFormat
from ...gis.export.sealed_layouts import ExportFeedback
from ...gis.pages import map_book
from ...gis.pages.completeness_checks import unchecked_text
from ..record.record_view import add_citation_menu
from ..widgets.rich_text import open_file
from .map_series_dialog import AnimationDialog, MapSeriesDialog

#: letters of the width of the window that shows how far an export is
_PROGRESS_LETTERS = 48


class ExportActions(QObject):
    """Exports the map as the person says in the menu, and asks first for what the export needs to know."""

    def __init__(self, menu: QMenu, map_controller: MapController, extent: ExtentController, exporter: ExportController,
                 notifier: Notifier, show_failure: Callable[[CartoguideError, Callable[[], object]], object],
                 window: QWidget) -> None:
        """``menu`` gets the citations too, and ``show_failure`` why a map was not exported, with what exports it again.

        Dialogs are windows of ``window``.
        """
        super().__init__(window)
        self._map, self._exporter, self._notifier, self._window = map_controller, exporter, notifier, window
        #: closes the message of the last export
        self._close_former: Callable[[], object] = lambda: None
        self.series = MapSeriesController(map_controller, extent, exporter, notifier, self)
        exporter.failed.connect(lambda error: show_failure(error, exporter.repeat))
        exporter.opened.connect(self._on_layout_opened)
        exporter.finished.connect(self._on_exported)
        exporter.cancelled.connect(
            lambda: notifier.notify(tr("The export was cancelled. No file was written.")))
        add_citation_menu(menu, self._citation, notifier)

    def export(self, export_format: ExportFormat, stamped: bool = False) -> None:
        """Ask for a file and export the map to it. ``stamped`` marks an incomplete one as such."""
        path = self._exporter.ask_path(export_format)
        if path is not None:
            self._exporter.export(export_format, path, stamp=stamped)

    def _export_edited(self, layout: QgsPrintLayout, export_format: ExportFormat) -> None:
        """Ask for a file and export a layout that somebody has edited."""
        path = self._exporter.ask_path(export_format, self._map.title() if sip.isdeleted(layout) else layout.name())
        if path is not None:
            self._exporter.export_edited(layout, export_format, path)

    def _on_layout_opened(self, bar: Optional[QgsMessageBar]) -> None:
        """Say in the window of the layout, which lies above this one, that another one was edited and is kept."""
        kept = self._exporter.kept
        if kept is not None:
            self._notifier.part(bar).notify(
                tr("This layout is new. “{name}”, which was edited, is kept.", name=kept.name()),
                tr("Open the edited layout"), self._exporter.open_kept, stays=True)

    def ask_scales(self) -> None:
        dialog = MapSeriesDialog(None, self._map.chosen.scale, self._window)
        dialog.scales_chosen.connect(self.series.export_scales)
        dialog.show()

    def ask_animation(self) -> None:
        count = self.series.animation_length()
        if count:
            dialog = AnimationDialog(count, self._window)
            dialog.seconds_chosen.connect(self.series.export_animation)
            dialog.show()

    def ask_atlas(self) -> None:
        """Ask for the areas of an atlas or for the grid of a map book, and export it."""
        dialog = MapSeriesDialog(atlas.polygon_layers(self._map.project), self.series.grid_scale(), self._window,
                                 lambda scale, overlap: len(self.series.grid_features(scale, overlap)),
                                 map_book.layers_with_names(self._map.project))
        dialog.layer_chosen.connect(self.series.export_features)
        dialog.grid_chosen.connect(self.series.export_grid)
        dialog.show()

    def _on_exported(self, done: ExportedMap) -> None:
        """Say in one message that the file is there and what is wrong with it: a second one would lie below it."""
        path, details = done.files[0], list(done.problems)
        on_map = {part.row_state().tip for part in self._map.stack}
        lacking = [title for title in self._notifier.not_added() if title not in on_map]
        later = self._exporter.added_meanwhile()
        said = [tr("Exported as {name}.", name=path.name)]
        if done.problems:
            said.append(tr("The map is stamped as incomplete: it lacks %n item(s).", n=len(done.problems)))
        elif done.could_be_stamped:
            said.append(tr("Nothing is missing on the map, so that it has no stamp."))
        if lacking:
            said.append(tr("It lacks what could not be added: {names}.", names=list_quoted_names(lacking)))
        if later:
            said.append(tr("It lacks what was added meanwhile: {names}.", names=list_quoted_names(later)))
        if done.remarks:
            texts = [f"{remark.service_title}: {remark.message}" for remark in done.remarks]
            said.append(tr("%n warning(s) about its images: {first}", n=len(texts), first=texts[0]))
            details += [f"{text} {remark.advice}" for text, remark in zip(texts, done.remarks)]
        kept, actions = self._exporter.kept, [MessageAction(tr("Open"), lambda: open_file(path))]
        if kept is not None:
            said.append(tr("What was edited in the layout “{name}” is not in it.", name=kept.name()))
            actions.append(MessageAction(tr("Export the edited layout…"),
                                         lambda: self._export_edited(kept, self._exporter.export_format)))
        said += [unchecked_text(done.unchecked), *done.without_legend]
        text = " ".join(filter(None, said))
        self._close_former()
        self._close_former = lambda: None
        if done.problems or lacking or later or done.remarks or done.without_legend or kept is not None:
            self._notifier.show_warning_with_actions(text, actions, "\n".join(details))
        else:
            # until the next one: an export takes long, and the person may look elsewhere meanwhile
            self._close_former = self._notifier.notify(text, tr("Open"), lambda: open_file(path), stays=True)

    def _citation(self, citation_format: CitationFormat) -> str:
        """Return the citations of the map and of what its services' records describe."""
        today = datetime.now(timezone.utc).date()
        work = map_work(self._map.document(), self._map.credit_lines(), today)
        works, texts = [work], [map_citation(work)]
        for item in self._map.items:
            record = self._map.record_of(item) or self._map.stored.record(item.entry.endpoint)
            if record is not None:
                address = without_secrets(self._map.session.catalogue_page(record.id or "") or item.entry.endpoint)
                works.append(record_work(record, address, today))
                texts.append(citation(record, address, format_day(today.isoformat())))
        return written_citations(citation_format, works, texts)


def show_export_progress(window: QWidget, name: str, feedback: ExportFeedback) -> Callable[[], None]:
    """Show the progress of ``feedback`` in a dialog with a Cancel button, and return a function that closes it.

    Modal, because QGIS renders on the main thread. Its second line says which page or frame is drawn.
    """
    text = tr("Drawing {name}…", name=name)
    progress = QProgressDialog(inert(f"{text}\n"), tr("Cancel"), 0, 100, window)
    progress.setWindowTitle(tr("Cartoguide: export"))
    progress.setWindowModality(Qt.WindowModality.ApplicationModal)
    progress.setMinimumDuration(300)
    # as wide as its title and the name of a file
    progress.setMinimumWidth(round(_PROGRESS_LETTERS * progress.fontMetrics().averageCharWidth()))
    progress.canceled.connect(feedback.cancel)

    def report(percent: float) -> None:
        # its window may be closed while it is shown
        if not sip.isdeleted(progress):
            progress.setValue(int(percent))

    def show_stage(stage: str) -> None:
        if not sip.isdeleted(progress):
            progress.setLabelText(inert(f"{text}\n{stage}"))

    feedback.progressChanged.connect(report)
    feedback.stage_changed.connect(show_stage)
    report(0.0)

    def close() -> None:
        if not sip.isdeleted(progress):
            progress.reset()
            progress.deleteLater()

    return close

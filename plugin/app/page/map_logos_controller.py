"""The logos of the custom map: image files become part of its document, or it prints those of the settings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import List, NamedTuple, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...core.custommap.undo_history import page_feature
from ...core.errors import CartoguideError
from ...core.i18n import tr
from ...core.pages.logos import FEATURE, MAX_LOGOS, MapLogo
from ...gis.pages.logos import embedded_logo, logo_files
from ...gis.runtime import tasks
from ...gis.runtime.tasks import Feedback
from ..maps.map_controller import MapController
from ..window import Notifier, Prompts


class EmbeddedLogos(NamedTuple):
    """Logos that were read from files, and a text for each file that was not."""

    logos: Tuple[MapLogo, ...]
    problems: Tuple[str, ...]


class MapLogosController(QObject):
    """Changes the logos of the map's document. ``reading_changed`` is True while files are read.

    A map whose logos are None prints those of the settings. Others are part of it, on every computer.
    """

    reading_changed = pyqtSignal(bool)

    def __init__(self, map_controller: MapController, notifier: Notifier, prompts: Prompts,
                 parent: Optional[QObject] = None) -> None:
        super().__init__(parent)
        self._map, self._notifier, self._prompts = map_controller, notifier, prompts
        self._job: Optional[tasks.Job] = None

    def use_own(self, on: bool) -> None:
        """Make the logos of the settings part of the map, to begin with, or print those of the settings again."""
        if not on:
            self.cancel()
            self.set_logos(None)
        elif self._map.chosen.page.logos is None:
            self._read(logo_files(), ())

    def ask_files(self) -> None:
        """Let the person choose image files, and add them to the logos of the map."""
        paths = self._prompts.open_files(tr("Add logos"), tr("Images") + " (*.svg *.png *.jpg *.jpeg *.webp)")
        self.add_files([Path(path) for path in paths])

    def add_files(self, paths: Sequence[Path]) -> None:
        """Add image files to the logos of the map, as many as it may have."""
        if paths:
            self._read(paths, self._map.chosen.page.logos or ())

    def set_logos(self, logos: Optional[Tuple[MapLogo, ...]]) -> None:
        """Print these logos, or those of the settings for None."""
        page = self._map.chosen.page
        if logos != page.logos:
            self._map.commit(page_feature(FEATURE), page=replace(page, logos=logos))

    def cancel(self) -> None:
        """End the reading of files."""
        if self._job is not None:
            self._job.cancel()
            self._end()

    def _read(self, paths: Sequence[Path], present: Tuple[MapLogo, ...]) -> None:
        self.cancel()
        room = MAX_LOGOS - len(present)
        left_out = [] if len(paths) <= room else [tr("A page has at most {count} logos.", count=MAX_LOGOS)]

        before = self._map.chosen.page.logos

        def done(found: EmbeddedLogos) -> None:
            self._end()
            if self._map.chosen.page.logos != before:
                # changed meanwhile, as by an undo: what was read belongs to logos that are gone
                return
            self.set_logos((*present, *found.logos))
            problems = [*found.problems, *left_out]
            if problems:
                self._notifier.show_warning(" ".join(problems))

        self._job = tasks.start(tr("Reading logos"), lambda feedback: _embedded(paths[:room], feedback), done,
                                self._fail, self)
        self.reading_changed.emit(True)

    def _fail(self, error: CartoguideError) -> None:
        self._end()
        self._notifier.show_error(error)

    def _end(self) -> None:
        self._job = None
        self.reading_changed.emit(False)


def _embedded(paths: Sequence[Path], feedback: Feedback) -> EmbeddedLogos:
    """Read files for a worker thread. Raises Cancelled."""
    logos: List[MapLogo] = []
    problems: List[str] = []
    for path in paths:
        feedback.raise_if_cancelled()
        try:
            logos.append(embedded_logo(path))
        except CartoguideError as error:
            problems.append(error.user_text)
    return EmbeddedLogos(tuple(logos), tuple(problems))

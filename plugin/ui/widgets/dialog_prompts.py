"""Prompts by the desktop's own dialogs."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Optional, Sequence

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QDialog, QFileDialog, QInputDialog, QWidget

from ...core.custommap.foreign_maps import Consent, ForeignMap
from ...core.i18n import tr
from ...core.text import inert
from ...gis.runtime import settings
from .dialogs import open_name_dialog
from .foreign_map_dialog import open_foreign_map_dialog, open_own_map_dialog


class DialogPrompts:
    """Implements ``plugin.app.window.Prompts``. Its dialogs are windows of ``parent``."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def open_files(self, title: str, filters: str) -> List[str]:
        """Return the files that the person chose, or an empty list."""
        paths, _ = QFileDialog.getOpenFileNames(self._parent, title, settings.get("last_folder"), filters)
        if paths:
            settings.set("last_folder", str(Path(paths[0]).parent))
        return list(paths)

    def open_file(self, title: str, filters: str) -> Optional[Path]:
        """Return the file that the person chose, or None."""
        path, _ = QFileDialog.getOpenFileName(self._parent, title, settings.get("last_folder"), filters)
        return self._chosen(path)

    def open_folder(self, title: str) -> Optional[str]:
        """Return the folder that the person chose, or None."""
        path = QFileDialog.getExistingDirectory(self._parent, title, settings.get("last_folder"))
        if path:
            settings.set("last_folder", path)
        return path or None

    def save_file(self, title: str, name: str, filters: str, remember: bool = True,
                  in_project: bool = False) -> Optional[Path]:
        """Return where to save a file that is called ``name`` by default, or None."""
        project_folder = QgsProject.instance().absolutePath() if in_project else ""
        start = str(Path(project_folder or settings.get("last_folder")) / name)
        path, _ = QFileDialog.getSaveFileName(self._parent, title, start, filters)
        return self._chosen(path, remember)

    def ask_name(self, title: str, name: str, done: Callable[[str], object]) -> None:
        """Ask for a name without blocking. ``done`` gets it unless it is empty."""
        open_name_dialog(self._parent, title, name, done)

    def choose(self, title: str, label: str, items: Sequence[str], current: int,
               done: Callable[[int], object]) -> QInputDialog:
        """Let the person choose one of ``items`` without blocking. ``done`` gets its index.

        Returns the dialog.
        """
        dialog = QInputDialog(self._parent)
        dialog.setWindowTitle(title)
        dialog.setLabelText(inert(label))
        dialog.setOkButtonText(tr("OK"))
        dialog.setCancelButtonText(tr("Cancel"))
        dialog.setComboBoxItems(list(items))
        dialog.setTextValue(items[current])
        dialog.textValueSelected.connect(lambda chosen: done(list(items).index(chosen)))
        dialog.open()
        return dialog

    def confirm_foreign(self, title: str, foreign: ForeignMap, done: Callable[[Consent], object]) -> QDialog:
        """Ask once what a foreign map may open, without blocking. ``done`` gets the answer, nothing after Cancel."""
        return open_foreign_map_dialog(self._parent, title, foreign, done)

    def confirm_own(self, title: str, left_out: Sequence[str], done: Callable[[bool], object]) -> QDialog:
        """Ask whether the person made a map, without blocking. ``done`` gets the answer, False also after Cancel."""
        return open_own_map_dialog(self._parent, title, left_out, done)

    @staticmethod
    def _chosen(path: str, remember: bool = True) -> Optional[Path]:
        if not path:
            return None
        if remember:
            settings.set("last_folder", str(Path(path).parent))
        return Path(path)

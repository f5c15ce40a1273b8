"""Interface by which controllers ask for files, folders, names and choices."""

from __future__ import annotations

from pathlib import Path
from typing import Callable, List, Optional, Protocol, Sequence


class Prompts(Protocol):
    """Asks with the dialogs of the desktop. File dialogs begin in the folder that was used last.

    ``filters`` are Qt file filters, such as "XML (*.xml)".
    """

    def open_files(self, title: str, filters: str) -> List[str]:
        """Return the files that the person chose, or an empty list."""

    def open_file(self, title: str, filters: str) -> Optional[Path]:
        """Return the file that the person chose, or None."""

    def open_folder(self, title: str) -> Optional[str]:
        """Return the folder that the person chose, or None."""

    def save_file(self, title: str, name: str, filters: str, remember: bool = True,
                  in_project: bool = False) -> Optional[Path]:
        """Return where to save a file that is called ``name`` by default, or None.

        ``remember``: the next dialog begins in the chosen folder. ``in_project``: the dialog begins in the folder of
        the open project if the project has been saved.
        """

    def ask_name(self, title: str, name: str, done: Callable[[str], object]) -> None:
        """Ask for a name without blocking. ``done`` gets it unless it is empty."""

    def choose(self, title: str, label: str, items: Sequence[str], current: int,
               done: Callable[[int], object]) -> object:
        """Let the person choose one of ``items`` without blocking. ``done`` gets its index.

        Returns the dialog.
        """

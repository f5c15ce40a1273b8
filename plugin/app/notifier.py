"""Interface by which controllers show messages."""

from __future__ import annotations

from typing import Callable, Optional, Protocol

from ..core.errors import CartoguideError


class Notifier(Protocol):
    """Shows messages in QGIS's message bar, or wherever the window has room for them. Main thread only."""

    def show_error(self, error: CartoguideError) -> None:
        """Show what went wrong."""

    def show_warning(self, text: str, detail: str = "") -> None:
        """Show that only part of something was done. A click shows ``detail``."""

    def show_warning_with_action(self, text: str, action: str, on_action: Callable[[], object]) -> None:
        """Show a warning with a button called ``action``."""

    def notify(self, text: str, action: str = "", on_action: Optional[Callable[[], object]] = None) -> None:
        """Show that something was done, with a button such as "Undo" if ``on_action`` is given."""

    def show_details(self, text: str, detail: str) -> None:
        """Show a technical detail in a window that does not block."""

"""Shape of a page feature's form in the panel of the page."""

from __future__ import annotations

from typing import Any, ClassVar

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QWidget

from ...app.maps.map_controller import MapController
from ...app.window import Notifier, Prompts
from ...core.pages.page_feature import PageFeature


class PageForm(QWidget):
    """Form of one page feature, shown for the pages that have it.

    ``changed`` carries the feature's value after a person has changed it.
    """

    changed = pyqtSignal(object)
    feature: ClassVar[PageFeature[Any]]

    @classmethod
    def label(cls) -> str:
        """Return the text beside the form, or "" for a form that is as wide as the panel."""
        return ""

    def buddy(self) -> QWidget:
        """Return the widget that the label's shortcut leads to."""
        return self

    def show_value(self, value: Any) -> None:
        """Show the feature's value without a signal."""
        raise NotImplementedError

    def attach(self, map_controller: MapController, notifier: Notifier, prompts: Prompts) -> None:
        """Take what a form needs that knows more than its value. By default nothing."""

    def refresh(self) -> None:
        """Show what depends on the rest of the map. Called while the panel is open, by default a no-op."""

    def stop(self) -> None:
        """End what is being read for the map, because another one is opened. By default a no-op."""

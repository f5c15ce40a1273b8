"""Cartoguide's page in QGIS's options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, List, Optional

from qgis.gui import QgsOptionsPageWidget, QgsOptionsWidgetFactory
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

if TYPE_CHECKING:
    from ...gis.library.record_library import RecordLibrary

TITLE = "Cartoguide"


class OptionsPage(QgsOptionsPageWidget):
    """The settings form. QGIS's OK saves it, Cancel does not."""

    def __init__(self, parent: Optional[QWidget], library: Optional[RecordLibrary],
                 changed: Callable[[List[str]], None], notify: Callable[[str], None]) -> None:
        from ...gis.runtime.guide_pages import GuideTopic
        from ..widgets.guide import install_help
        from .settings_form import SettingsForm

        super().__init__(parent)
        self.setObjectName("CartoguideOptions")
        self.form = SettingsForm(self, library)
        self.form.settings_saved.connect(changed)
        self.form.notified.connect(notify)
        install_help(self, GuideTopic.SETTINGS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.form)

    def apply(self) -> None:
        """QGIS: save the settings."""
        self.form.save()

    def isValid(self) -> bool:  # noqa: N802
        """QGIS: True if OK may close the options."""
        return self.form.is_ready


class OptionsFactory(QgsOptionsWidgetFactory):
    """Creates the page each time QGIS's options are opened. Nothing is imported before."""

    def __init__(self, icon: QIcon, library: Callable[[], Optional[RecordLibrary]],
                 changed: Callable[[List[str]], None], notify: Callable[[str], None]) -> None:
        super().__init__(TITLE, icon)
        self._library, self._on_changed, self._notify = library, changed, notify

    def createWidget(self, parent: Optional[QWidget] = None) -> OptionsPage:  # noqa: N802
        return OptionsPage(parent, self._library(), self._on_changed, self._notify)

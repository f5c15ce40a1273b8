"""The user guide, opened in the browser by F1 and by Help buttons."""

from __future__ import annotations

import sys
from typing import Callable, Optional, Union

from qgis.PyQt.QtCore import QEvent, QObject, Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices, QKeyEvent
from qgis.PyQt.QtWidgets import QDialogButtonBox, QWidget

from ...core.i18n import tr
from ...gis.runtime.guide_pages import GuideTopic, page_path

Topic = Union[GuideTopic, Callable[[], GuideTopic]]


def show(topic: GuideTopic = GuideTopic.INDEX) -> None:
    """Open the page ``topic`` in the computer's browser, or in a window if no browser is installed."""
    path = page_path(topic)
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        from . import guide_window  # hardly ever needed, and it needs this

        guide_window.show_page(path)


def close() -> None:
    windows = sys.modules.get(f"{__package__}.guide_window")
    if windows is not None:
        windows.close()


def install_help(widget: QWidget, topic: Topic, button_box: Optional[QDialogButtonBox] = None) -> None:
    """Let F1 in ``widget`` open the page ``topic`` of the guide, and add a Help button to ``button_box``.

    ``topic`` is a page or a function that returns one. QGIS's own F1 shortcut is inactive while the focus
    is in ``widget``.
    """
    widget.installEventFilter(_HelpKeyFilter(widget, topic))
    if button_box is not None:
        kinds = QDialogButtonBox.StandardButton
        button = button_box.button(kinds.Help) or button_box.addButton(kinds.Help)
        button.setText(tr("Help"))
        button_box.helpRequested.connect(lambda: show(_current(topic)))


def _current(topic: Topic) -> GuideTopic:
    return topic if isinstance(topic, GuideTopic) else topic()


class _HelpKeyFilter(QObject):
    """Event filter that handles the keys that no child of the widget accepted."""

    def __init__(self, widget: QWidget, topic: Topic) -> None:
        super().__init__(widget)
        self._topic = topic

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: claim F1 before the shortcuts of the main window, then open the page."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F1 and not event.modifiers():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                show(_current(self._topic))
                return True
        return False

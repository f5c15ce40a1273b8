"""The user guide, opened by F1 and by Help buttons: in the browser, or in a window where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, List, Optional, Union

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, QUrl
from qgis.PyQt.QtGui import QDesktopServices, QImage, QKeyEvent, QTextDocument
from qgis.PyQt.QtWidgets import QApplication, QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from ...core.i18n import tr
from ...gis.runtime.guide_pages import GuideTopic, page_path
from .buttons import translate_buttons
from .theme import ThemeColours, resize_for_font

Topic = Union[GuideTopic, Callable[[], GuideTopic]]
_SIZE = (760, 620)
_MARGIN = 40
_windows: List[GuideWindow] = []


def show(topic: GuideTopic = GuideTopic.INDEX) -> None:
    """Open the page ``topic`` in the computer's browser, or in a window if no browser is installed."""
    path = page_path(topic)
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
        _show_in_window(path)


def close() -> None:
    """Close the window of the guide."""
    for window in _windows:
        if not sip.isdeleted(window):
            window.close()
            window.deleteLater()
    _windows.clear()


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
        # Return in a dialog without a button of its own for it would open the guide
        button.setAutoDefault(False)
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


class GuideWindow(QDialog):
    """Window with one page of the guide and links to the others.

    It is not modal. Its parent is the active modal dialog, if any, so that it stays usable beside that dialog, else
    QGIS's window, whose style sheet has the size of the text.
    """

    def __init__(self) -> None:
        super().__init__(QApplication.activeModalWidget() or _main_window())
        self.setWindowTitle(tr("Cartoguide: user guide"))
        resize_for_font(self, *_SIZE)
        self.browser = _GuideBrowser()
        self.browser.setOpenExternalLinks(True)
        self.browser.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        translate_buttons(buttons)
        back = buttons.addButton(tr("Back"), QDialogButtonBox.ButtonRole.ActionRole)
        back.setEnabled(False)
        back.setAutoDefault(False)
        back.clicked.connect(self.browser.backward)
        self.browser.backwardAvailable.connect(back.setEnabled)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(self.browser, 1)
        layout.addWidget(buttons)


def _main_window() -> Optional[QWidget]:
    """Return the window that the active one belongs to, which may be a dialog and end before the guide does."""
    window = QApplication.activeWindow()
    while window is not None and window.parentWidget() is not None:
        window = window.parentWidget()
    return window


class _GuideBrowser(QTextBrowser):
    """Text browser that reduces images to the width of the window, and styles pages as far as Qt can.

    Qt's text browser reads neither the variables nor the media queries of the style sheet for web browsers.
    """

    def loadResource(self, kind: int, name: QUrl) -> Any:  # noqa: N802
        """Qt: load an image, a page or its style sheet."""
        if kind == QTextDocument.ResourceType.StyleSheetResource:
            return _style_sheet(self)
        content = super().loadResource(kind, name)
        if kind == QTextDocument.ResourceType.ImageResource:
            from ...gis.runtime.images import scaled  # this module is imported when QGIS starts

            image = QImage()
            width = self.viewport().width() - _MARGIN
            if image.loadFromData(content) and 0 < width < image.width():
                return scaled(image, QSize(width, image.height()))
        return content


def _style_sheet(widget: QWidget) -> str:
    colours = ThemeColours(widget)
    link, soft = colours.link.name(), colours.chip.name()
    return (f"a {{ color: {link}; }} th {{ background-color: {soft}; text-align: left; padding: 4px 8px; }} "
            "td { padding: 4px 8px; } h1 { font-size: x-large; } h2 { font-size: large; margin-top: 18px; } "
            f"code {{ font-family: monospace; background-color: {soft}; }} nav {{ margin-bottom: 12px; }}")


def _show_in_window(path: Path) -> None:
    """Show the page at ``path`` in the guide's only window."""
    modal = QApplication.activeModalWidget()
    if not _windows or sip.isdeleted(_windows[0]) or modal not in (None, _windows[0].parent()):
        close()
        _windows.append(GuideWindow())
    _windows[0].browser.setSource(QUrl.fromLocalFile(str(path)))
    _windows[0].setWindowState(_windows[0].windowState() & ~Qt.WindowState.WindowMinimized)
    _windows[0].show()
    _windows[0].raise_()

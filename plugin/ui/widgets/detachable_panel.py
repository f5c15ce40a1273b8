"""Panel of the dock that can be moved into a separate window while it needs more room."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QEvent, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from ...core.i18n import tr
from .labels import PlainLabel
from .theme import resize_for_font

_SIZE = (860, 600)


class DetachablePanel(QWidget):
    """Panel that shows ``content`` in place or, after ``detach``, in a separate window that is not modal.

    Closing the window moves the content back. ``detached_changed`` is emitted with True when the content moves to the
    window and with False when it moves back.
    """

    detached_changed = pyqtSignal(bool)

    def __init__(self, content: QWidget, title: str, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._content, self._title = content, title
        self._dialog: Optional[_DetachedWindow] = None
        self._placeholder = PlainLabel(tr("This is open in a separate window."))
        self._placeholder.setWordWrap(True)
        self._reattach_button = QPushButton(tr("Move it back"))
        self._reattach_button.clicked.connect(lambda _checked=False: self.reattach())
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(content, 1)
        self._layout.addWidget(self._placeholder)
        self._layout.addWidget(self._reattach_button, 0, Qt.AlignmentFlag.AlignLeft)
        self._layout.addStretch(0)
        self._update_placeholder(False)

    @property
    def is_detached(self) -> bool:
        """True while the content is in its window."""
        return self._dialog is not None

    def detach(self) -> None:
        """Move the content to its window."""
        if self._dialog is None:
            self._dialog = _DetachedWindow(self._title, self._content, self)
            self._dialog.finished.connect(lambda _result: self.reattach())
            self._update_placeholder(True)
        self._dialog.show()
        self._dialog.raise_()

    def reattach(self) -> None:
        """Move the content back into the panel."""
        if self._dialog is None:
            return
        dialog, self._dialog = self._dialog, None
        self._layout.insertWidget(0, self._content, 1)
        self._content.show()
        dialog.close()
        dialog.deleteLater()
        self._update_placeholder(False)

    def _update_placeholder(self, detached: bool) -> None:
        self._placeholder.setVisible(detached)
        self._reattach_button.setVisible(detached)
        self.detached_changed.emit(detached)


class _DetachedWindow(QDialog):
    """Window of a detached panel, closed by Escape or by its close button."""

    def __init__(self, title: str, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(content)
        resize_for_font(self, *_SIZE)

    def closeEvent(self, event: QEvent) -> None:  # noqa: N802
        """Qt: treat the close button like Escape."""
        super().closeEvent(event)
        self.finished.emit(0)

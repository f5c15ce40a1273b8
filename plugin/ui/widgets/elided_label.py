"""One line of text, cut with an ellipsis where the room ends; the whole of it is its tooltip."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QPainter, QPaintEvent
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """A label that may be narrower than its text."""

    def __init__(self, text: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.show_text(text)

    def show_text(self, text: str, tooltip: str = "") -> None:
        """Show ``text``; ``hint`` stands in the tooltip in its place."""
        self.setText(text)
        self.setToolTip(tooltip or text)
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: as narrow as may be."""
        return QSize(20, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        words = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)

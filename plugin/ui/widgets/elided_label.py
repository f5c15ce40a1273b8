"""Label for one line of text that ends in an ellipsis where the width is too small."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import QSize, Qt
from qgis.PyQt.QtGui import QPainter, QPaintEvent
from qgis.PyQt.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """Label that may be narrower than its text, which is then shown in full as the tooltip.

    The text is shortened while it is painted, so ``text()`` always returns all of it.
    """

    def __init__(self, text: str = "", tooltip: str = "", parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.show_text(text, tooltip)

    def show_text(self, text: str, tooltip: str = "") -> None:
        """Show ``text``, with ``tooltip`` instead of the text itself as the tooltip if it is given."""
        self.setText(text)
        self.setToolTip(tooltip or text)
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: allow a width far below that of the text."""
        return QSize(20, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Qt: paint the text, elided at the end."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)

"""Writes a PDF with the Qt of QGIS 4, as QGIS prints a page: texts of two fonts, a turned one, an image, a shape.

    python printed_page.py FILE
"""

from __future__ import annotations

import os
import sys

from PyQt6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter

TITLE, CREDIT = "Dunas móviles", "© Junta de Andalucía, https://www.example.org/a/b?c=1 and more words"


def write(file: str) -> None:
    """Write two pages of A4 at 300 dots per inch."""
    writer = QPdfWriter(file)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(300)
    writer.setTitle("Written by Qt")
    painter = QPainter(writer)
    font = QFont("Open Sans")
    font.setPixelSize(90)
    painter.setFont(font)
    painter.drawText(QPointF(300, 250), TITLE)
    font.setPixelSize(60)
    painter.setFont(font)
    painter.drawText(QRectF(300, 300, 2000, 400), Qt.TextFlag.TextWordWrap.value, CREDIT)
    painter.save()
    painter.translate(800, 1200)
    painter.rotate(-90)
    painter.scale(0.5, 0.5)
    painter.drawText(QPointF(0, 0), "Turned")
    painter.restore()
    image = QImage(200, 100, QImage.Format.Format_ARGB32)
    image.fill(QColor(255, 0, 0, 120))
    painter.drawImage(QRectF(300, 1500, 800, 400), image)
    painter.setBrush(QColor(0, 0, 255, 100))
    painter.drawEllipse(QRectF(1000, 2400, 500, 300))
    writer.newPage()
    painter.drawText(QPointF(300, 300), "Credits")
    painter.end()


if __name__ == "__main__":
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication([])
    write(sys.argv[1])

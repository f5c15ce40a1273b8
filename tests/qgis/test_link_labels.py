"""Links in labels are legible with every theme."""

from __future__ import annotations

from qgis.PyQt.QtGui import QColor, QPalette
from qgis.PyQt.QtWidgets import QVBoxLayout, QWidget

from plugin.ui.widgets.labels import LinkLabel
from plugin.ui.widgets.theme import ThemeColours


def contrast(one: QColor, other: QColor) -> float:
    """The ratio of two colours' luminances, as WCAG 2 has it."""
    def luminance(colour):
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
                 for part in (colour.redF(), colour.greenF(), colour.blueF())]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_links_follow_the_theme(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    label = LinkLabel('Begin with <a href="x">a first map</a>')
    QVBoxLayout(window).addWidget(label)
    window.show()
    for ground, text in (("#ffffff", "#000000"), ("#202020", "#e0e0e0"), ("#ffffff", "#000000")):
        palette = QPalette()
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            palette.setColor(role, QColor(ground))
        palette.setColor(QPalette.ColorRole.Text, QColor(text))
        window.setPalette(palette)
        link = ThemeColours(label).link
        assert contrast(link, QColor(ground)) > 4.5, ground
        image = label.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        assert link.name() in colours, "the words are drawn in it"

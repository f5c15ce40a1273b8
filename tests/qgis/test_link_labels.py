"""Links in labels are legible with every theme."""

from __future__ import annotations

from qgis.PyQt.QtGui import QColor, QPalette
from qgis.PyQt.QtWidgets import QApplication, QVBoxLayout, QWidget

from plugin.ui.widgets.labels import LinkLabel
from plugin.ui.widgets.theme import ThemeColours


def contrast(first: QColor, second: QColor) -> float:
    """Return the contrast ratio of two colours (WCAG 2.1)."""
    def luminance(colour):
        parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
                 for part in (colour.redF(), colour.greenF(), colour.blueF())]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_colours_are_legible_with_a_theme_that_is_a_style_sheet(qtbot):
    """QGIS's dark themes make backgrounds transparent, and have the texts' colours in the style sheet only."""
    window = QWidget()
    qtbot.addWidget(window)
    before = QApplication.palette()
    palette = QPalette(before)
    for role, colour in ((QPalette.ColorRole.Text, "#111111"), (QPalette.ColorRole.Base, "#222222"),
                         (QPalette.ColorRole.Window, "#535353")):
        palette.setColor(role, QColor(colour))
    QApplication.setPalette(palette)
    try:
        window.setStyleSheet("QWidget { background: transparent; }")
        window.show()
        colours = ThemeColours(window)
        assert colours.dark and colours.base.alpha() == 255
        assert contrast(colours.text, colours.base) > 7 and contrast(colours.muted, colours.base) > 4.5
        assert contrast(colours.grip, QColor("#323232")) > 2
    finally:
        QApplication.setPalette(before)


def test_links_follow_the_theme(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    label = LinkLabel('Begin with <a href="x">a first map</a>')
    QVBoxLayout(window).addWidget(label)
    window.show()
    for background, text in (("#ffffff", "#000000"), ("#202020", "#e0e0e0"), ("#ffffff", "#000000")):
        palette = QPalette()
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            palette.setColor(role, QColor(background))
        palette.setColor(QPalette.ColorRole.Text, QColor(text))
        window.setPalette(palette)
        link = ThemeColours(label).link
        assert contrast(link, QColor(background)) > 4.5, background
        image = label.grab().toImage()
        colours = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        assert link.name() in colours, "the link is not drawn in the link colour"

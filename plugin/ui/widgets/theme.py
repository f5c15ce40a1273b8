"""Icons and colours of the running QGIS theme, so that light and dark themes and large fonts look right."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, Optional

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QEvent, QObject, QSize
from qgis.PyQt.QtGui import QColor, QFont, QIcon, QImage, QPaintDevice, QPainter, QPalette
from qgis.PyQt.QtWidgets import QApplication, QGraphicsOpacityEffect, QWidget

from ...core.resources import ICONS

#: by the value of a Severity: its module loads the readers of records, which QGIS's start does without
SEVERITY_ICONS = {"error": "error", "warning": "mIconWarning", "note": "mIconInfo"}


def icon(name: str) -> QIcon:
    """Return the plugin's icon ``name`` (without its suffix), or QGIS's icon of that name."""
    path = ICONS / f"{name}.svg"
    return QIcon(str(path)) if path.exists() else QgsApplication.getThemeIcon(f"/{name}.svg")


def mix_colours(first: QColor, second: QColor, share: float) -> QColor:
    """Return ``first`` mixed with the ``share`` (0 to 1) of ``second``."""
    rest = 1.0 - share
    pairs = ((first.red(), second.red()), (first.green(), second.green()), (first.blue(), second.blue()))
    return QColor(*(round(first_part * rest + second_part * share) for first_part, second_part in pairs))


#: the lightness (0 to 255) that text and its background must differ by, and the texts' colours where they do not
_LEAST_DIFFERENCE, _LIGHT_TEXT, _DARK_TEXT = 64, "#cccccc", "#202020"


class ThemeColours:
    """The colours that the dock paints with, all derived from the palette of one widget."""

    def __init__(self, widget: QWidget) -> None:
        palette = widget.palette()
        self.base = _opaque(palette, QPalette.ColorRole.Base)
        self.window = _opaque(palette, QPalette.ColorRole.Window)
        self.text = palette.color(QPalette.ColorRole.Text)
        if abs(self.text.lightness() - self.base.lightness()) < _LEAST_DIFFERENCE:
            # the text's colour is in a style sheet, which no palette tells
            self.text = QColor(_LIGHT_TEXT if self.base.lightness() < 128 else _DARK_TEXT)
        self.highlight = palette.color(QPalette.ColorRole.Highlight)
        self.highlighted_text = palette.color(QPalette.ColorRole.HighlightedText)
        self.dark = self.base.lightness() < 128
        self.muted = mix_colours(self.text, self.base, 0.25 if self.dark else 0.32)
        self.line = mix_colours(self.text, self.base, 0.80)
        #: of a handle that can be dragged, which must be seen on the window too
        self.grip = mix_colours(self.text, self.base, 0.5)
        self.chip = mix_colours(self.text, self.base, 0.93)
        self.link = QColor("#7fb4e6") if self.dark else QColor("#1a5fa8")
        self.accent = QColor("#e8833a") if self.dark else QColor("#c2410c")
        self.land = mix_colours(self.text, self.base, 0.84)
        self.sea = mix_colours(self.text, self.base, 0.96)


def _opaque(palette: QPalette, role: QPalette.ColorRole) -> QColor:
    """Return a colour of the palette, or of the application's where a style sheet has made it transparent.

    QGIS's dark themes do so.
    """
    colour = palette.color(role)
    found = colour if colour.alpha() else QApplication.palette().color(role)
    return QColor(found.red(), found.green(), found.blue())


def rich_text_style_sheet(widget: QWidget) -> str:
    """Return the style sheet of rich text inside ``widget``: headings, muted text, tables."""
    colours = ThemeColours(widget)
    quiet, link, line = colours.muted.name(), colours.link.name(), colours.line.name()
    return f"""
        body {{ color: {colours.text.name()}; }}
        a {{ color: {link}; }}
        h1, h2, h3, h4 {{ margin-top: 10px; margin-bottom: 3px; font-weight: 600; }}
        h1 {{ font-size: large; }} h2, h3, h4 {{ font-size: medium; }}
        p {{ margin-top: 2px; margin-bottom: 6px; }}
        .quiet, dt, th {{ color: {quiet}; font-weight: normal; }}
        th {{ text-align: left; padding-right: 8px; }}
        td {{ padding-bottom: 3px; }}
        dd {{ margin-left: 12px; margin-bottom: 4px; }}
        .chip {{ background-color: {colours.chip.name()}; }}
        hr {{ color: {line}; }}
    """


def make_muted(widget: QWidget) -> None:
    """Make ``widget`` less prominent in every theme."""
    effect = QGraphicsOpacityEffect(widget)
    effect.setOpacity(0.72)
    widget.setGraphicsEffect(effect)


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """Yield a painter on ``device``, which has ended behind the block, whatever happened in it.

    Python destroys a painter with the last reference to it: too late for Qt where a traceback, a debugger or a profiler
    holds the variables of a paint event.
    """
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


def on_white_background(image: QImage) -> QImage:
    """Return ``image`` on white.

    Maps are drawn for paper, so their transparent parts would be illegible on a dark theme.
    """
    if image.isNull() or not image.hasAlphaChannel():
        return image
    paper = QImage(image.size(), QImage.Format.Format_RGB32)
    paper.fill(QColor(255, 255, 255))
    with painting(paper) as painter:
        painter.drawImage(0, 0, image)
    return paper


def scaled_font(widget: QWidget, factor: float, bold: Optional[bool] = None) -> QFont:
    """Return the widget's font with its size multiplied by ``factor``, in points or in pixels as the widget has it."""
    font = QFont(widget.font())
    if font.pointSizeF() > 0:
        font.setPointSizeF(font.pointSizeF() * factor)
    elif font.pixelSize() > 0:
        font.setPixelSize(max(1, round(font.pixelSize() * factor)))
    if bold is not None:
        font.setBold(bold)
    return font


class _ScaledFont(QObject):
    """Gives its widget a size relative to the font of the widget around it, and a weight.

    The font size that a person chooses in QGIS's options is a style sheet of the main window, which outranks the font
    of a widget. Only a style sheet of the widget itself outranks that.
    """

    def __init__(self, widget: QWidget, factor: float, bold: Optional[bool]) -> None:
        super().__init__(widget)
        self._factor, self._bold = factor, bold
        self._rule = ""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: compare the font with what is wanted once the style sheets were applied."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.StyleChange) and isinstance(watched, QWidget):
            self._outrank_style_sheet(watched)
        return False

    def _outrank_style_sheet(self, widget: QWidget) -> None:
        parent = widget.parentWidget()
        wanted = parent.font().pointSizeF() * self._factor if parent is not None else 0.0
        if wanted <= 0:
            # a font in pixels
            return
        font, bold = widget.font(), self._bold
        if not self._rule and abs(font.pointSizeF() - wanted) < 0.1 and bold in (None, font.bold()):
            return
        weight = "" if bold is None else f" font-weight: {'bold' if bold else 'normal'};"
        rule = f"{widget.metaObject().className()} {{ font-size: {wanted:.2f}pt;{weight} }}"
        if rule != self._rule:
            others = widget.styleSheet().replace(self._rule, "") if self._rule else widget.styleSheet()
            self._rule = rule
            widget.setStyleSheet(f"{others}{rule}")


#: height in pixels of a line at 12 pt on a screen of 96 dpi, for which sizes in pixels were chosen: 19 to 21
_LINE_HEIGHT = 21


def font_scale(widget: QWidget) -> float:
    """Return how much larger than 12 pt on a screen of 96 dpi the font of ``widget`` is, 1 at least.

    QGIS 3.22 on Linux draws only the text larger where the screen is scaled to 200 %.
    """
    widget.ensurePolished()
    return max(1.0, float(widget.fontMetrics().height()) / _LINE_HEIGHT)


def resize_for_font(window: QWidget, width: int, height: int) -> None:
    """Give a window its first size: pixels that suit 12 pt, more for a larger font, but no more than the screen."""
    scale, screen = font_scale(window), window.screen()
    room = screen.availableGeometry().size() if screen is not None else QSize(width, height)
    window.resize(max(width, min(round(width * scale), room.width())),
                  max(height, min(round(height * scale), room.height())))


def scale_font(widget: QWidget, factor: float, bold: Optional[bool] = None) -> None:
    """Multiply the size of the widget's font by ``factor``, and make it bold or not, whatever font QGIS is set to."""
    widget.setFont(scaled_font(widget, factor, bold))
    _ScaledFont(widget, factor, bold)

"""Fit text into layout labels: measure it, shrink it to its least size, and replace fonts that are not installed."""

from __future__ import annotations

import math
import re
import textwrap
from typing import Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsExpressionContextUtils,
    QgsLayout,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemScaleBar,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLayoutUtils,
    QgsLegendStyle,
    QgsPrintLayout,
    QgsTextFormat,
    QgsTextRenderer,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QFont, QFontMetricsF

from ...core.page_design import page_themes
from ...core.page_design.type_scale import MIN_FIGURE, TextRole, least_size, size_of
from ...core.text import inert, truncate_words
from ..runtime import compat, page_fonts
from . import layout_items

#: millimetres to which the width of a label with lines of equal length is found
_BALANCE_STEP = 1.0
#: replacements, in this order, for a template's font that is not installed
FONT_FAMILIES = (page_fonts.FAMILY, "Noto Sans", "Source Sans Pro", "DejaVu Sans", "Liberation Sans", "Arial")
_PIXELS_PER_MM = 100.0
#: layout variable of a template whose type follows the plugin's scale: how many times as large as on A4 its type is
FACTOR_VARIABLE = "cartoguide_type_factor"
#: layout variable with the name of the theme that was applied to the layout
THEME_VARIABLE = "cartoguide_theme"
#: a template of other sizes is its author's design. Its texts may shrink to this share, but not below MIN_FIGURE
_MIN_SHARE = 0.65
_ROLES: Dict[str, TextRole] = {
    layout_items.TITLE: TextRole.TITLE, layout_items.SUBTITLE: TextRole.SUBTITLE,
    layout_items.ABSTRACT: TextRole.ABSTRACT, layout_items.CREDITS: TextRole.CREDITS,
    layout_items.TERMS: TextRole.CREDITS, layout_items.SOURCES: TextRole.CREDITS,
    layout_items.SCALE_TEXT: TextRole.SCALE, layout_items.FOOT: TextRole.FOOT,
    **dict.fromkeys(layout_items.LEAFLET_TEXTS, TextRole.BODY),
}
_PREFIXES: Dict[str, TextRole] = {layout_items.HEADING_PREFIX: TextRole.HEADING,
                                  layout_items.LABEL_PREFIX: TextRole.PANEL}
#: points by which two sizes of type may differ and count as the same, and by which type is shrunk
_SAME_SIZE, SIZE_STEP = 0.01, 0.2
#: millimetres at a page's edge that printers leave blank
_PAGE_MARGIN = 4.0
_MM_PER_POINT = 25.4 / 72
#: part of a line's width that is filled with parts of an address, as letters on paper may be somewhat wider
_SAFE_WIDTH = 0.98
#: millimetres by which QGIS's own lines may be shorter than Qt's
_OWN_WRAP = 0.5
#: places after which a line may end: in an address, of which "http://" is left whole, and in a part of one
_AFTER_PART, _IN_PART = re.compile(r"(?<=[/?&=])(?<!:/)(?<!://)(?!/)(?!$)"), re.compile(r"(?<=[_.,-])(?!$)")
#: places where a word that is wider than its column is broken, the better ones first. Else it is between letters
_IN_WORD = (re.compile(r"(?=@)(?!^)"), _AFTER_PART, _IN_PART)
#: a code at the beginning of a line
_CODE = re.compile(r"\(?[^\W\d_]+:\d")
#: a number and its unit, which stay on one line
_UNIT = re.compile(r"(\d) (?=(?:m|km|mm|cm|ha|%|°C|l/m²)(?:\W|$))")


def font_metrics(font: QFont) -> QFontMetricsF:
    """Return metrics of ``font`` at 100 pixels to the millimetre, precise enough for paper.

    QGIS 3.22 rounds sizes of type to tenths of a millimetre. A size that it rounds up is measured as it is drawn.
    """
    large = QFont(font)
    size = font.pointSizeF() * _MM_PER_POINT
    large.setPixelSize(max(1, round(max(size, round(size, 1)) * _PIXELS_PER_MM)))
    return QFontMetricsF(large)


def text_width(text: str, font: QFont) -> float:
    """Return the width of one line in millimetres."""
    return float(font_metrics(font).horizontalAdvance(text) / _PIXELS_PER_MM)


def text_height(text: str, font: QFont, width: float) -> float:
    """Return the height in millimetres of ``text`` wrapped at words to ``width`` millimetres, as QGIS wraps a label."""
    if not text.strip():
        return 0.0
    # QGIS 3.24 and newer wrap labels themselves, at times before Qt does: a last line that Qt does not foresee would be
    # cut off in silence
    narrower = _OWN_WRAP if compat.QGIS_VERSION >= 32400 else 0.0
    area = QRectF(0, 0, (width - narrower) * _PIXELS_PER_MM, 1e7)
    flags = int(compat.enum_value(Qt.TextFlag.TextWordWrap))
    return float(font_metrics(font).boundingRect(area, flags, text).height() / _PIXELS_PER_MM)


def wrap_text(text: str, font: QFont, width: float) -> str:
    """Return ``text`` with line breaks at words, so that lines are at most ``width`` millimetres wide if possible."""
    lines: List[str] = []
    text = " ".join(text.split())
    for word in _UNIT.sub("\\1\u00a0", text).split(" "):
        if lines and text_width(f"{lines[-1]} {word}", font) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "\n".join(lines)


def label_overflows(label: QgsLayoutItemLabel) -> bool:
    """Return whether the label's evaluated text is higher or wider than the label, so that some of it is cut off."""
    return is_too_large(label, label.currentText(), compat.label_font(label))


def address_parts(word: str) -> List[str]:
    """Return the parts of an address after which a line may end, those of its path and query. Other words have one."""
    return _AFTER_PART.split(word) if "://" in word else [word]


def broken_words(text: str, font: QFont, width: float) -> Dict[str, List[str]]:
    """Return the addresses, and words wider than ``width`` millimetres, that end in another line, as their lines.

    They are broken after a part of an address, within a part only where it is wider than a line. The first line is
    empty where the word begins a new one.
    """
    broken: Dict[str, List[str]] = {}
    metrics, width = font_metrics(font), _SAFE_WIDTH * width

    def wide(part: str) -> float:
        return float(metrics.horizontalAdvance(part) / _PIXELS_PER_MM)

    for paragraph in text.split("\n"):
        used = 0.0
        for word in paragraph.split():
            before, needed = wide(" ") if used else 0.0, wide(word)
            if used + before + needed <= width or ("://" not in word and needed <= width):
                used = used + before + needed if used + before + needed <= width else needed
                continue
            lines = [""]
            for part in (piece for whole in address_parts(word)
                         for piece in (_IN_PART.split(whole) if wide(whole) > width else [whole])):
                if used and used + before + wide(part) > width:
                    lines.append("")
                    used = before = 0.0
                lines[-1] += part
                used, before = used + before + wide(part), 0.0
            if len(lines) > 1:
                broken.setdefault(word, lines)
    return broken


def break_wide_words(text: str, font: QFont, width: float) -> str:
    """Return ``text`` with line breaks in words wider than ``width`` millimetres, which a table would cut."""
    metrics = font_metrics(font)

    def fits(part: str) -> bool:
        return float(metrics.horizontalAdvance(part) / _PIXELS_PER_MM) <= _SAFE_WIDTH * width

    def lines(word: str, level: int = 0) -> List[str]:
        if fits(word) or len(word) < 2:
            return [word]
        if level == len(_IN_WORD):
            # lines of the same length: no letter stands alone
            parts = (textwrap.wrap(word, math.ceil(len(word) / count)) for count in range(2, len(word) + 1))
            return next((each for each in parts if all(map(fits, each))), list(word))
        found = [""]
        for part in (piece for each in _IN_WORD[level].split(word) for piece in lines(each, level + 1)):
            if found[-1] and not fits(found[-1] + part):
                found.append("")
            found[-1] += part
        return found

    return "\n".join(" ".join("\n".join(lines(word)) for word in line.split(" ")) for line in text.split("\n"))


def wrap_cell(text: str, font: QFont, width: float, layout: QgsLayout) -> str:
    """Return a table's text with line breaks at its plain spaces, in words only where they are wider than ``width``.

    QGIS breaks a table's text into more lines at times than it has given the row height for: it measures lines in the
    pixels of a screen, and draws them in those of the paper. Lines that fit in both it leaves as they are.
    """
    text_format, precise = QgsTextFormat(), text_width(text, font)
    text_format.setFont(font)
    text_format.setSize(font.pointSizeF())
    text_format.setSizeUnit(compat.points_unit())
    context = QgsLayoutUtils.createRenderContextForLayout(layout, None)
    measured = QgsTextRenderer.textWidth(context, text_format, [text]) / context.scaleFactor()
    width *= min(1.0, precise / measured) if measured else 1.0
    wrapped: List[str] = []
    for line in break_wide_words(text, font, width).split("\n"):
        words = line.split(" ")
        wrapped.append(words[0])
        for word in words[1:]:
            if text_width(f"{wrapped[-1]} {word}", font) <= _SAFE_WIDTH * width:
                wrapped[-1] += f" {word}"
            else:
                wrapped.append(word)
    return "\n".join(wrapped)


def is_too_large(label: QgsLayoutItemLabel, text: str, font: QFont) -> bool:
    """Return whether ``text`` in this font is higher or wider than the label."""
    width = label.rect().width() - 2 * label.marginX()
    height = label.rect().height() - 2 * label.marginY()
    return text_height(text, font, width) > height + 0.3 or _too_wide(label, text, font)


def _too_wide(label: QgsLayoutItemLabel, text: str, font: QFont) -> bool:
    width = label.rect().width() - 2 * label.marginX()
    metrics = font_metrics(font)
    return any(metrics.horizontalAdvance(word) / _PIXELS_PER_MM > width + 0.3 for word in set(text.split()))


def shrink_to_fit(label: QgsLayoutItemLabel, min_size: float, text: Optional[str] = None) -> bool:
    """Shrink the label's font, not below ``min_size`` points, until its text fits. Return False if it does not.

    ``text`` is what the label says, evaluated here by default.
    """
    font, text = QFont(compat.label_font(label)), label.currentText() if text is None else text
    while is_too_large(label, text, font):
        if font.pointSizeF() <= min_size + _SAME_SIZE:
            return False
        font.setPointSizeF(max(font.pointSizeF() - SIZE_STEP, min_size))
        compat.set_label_font(label, font)
    return True


def share_smallest_size(labels: Sequence[QgsLayoutItemLabel]) -> None:
    """Set all labels as small as the smallest of them, as texts of one kind that stand side by side are."""
    smallest = min((float(compat.label_font(label).pointSizeF()) for label in labels), default=0.0)
    for label in labels:
        font = QFont(compat.label_font(label))
        if font.pointSizeF() > smallest + _SAME_SIZE:
            font.setPointSizeF(smallest)
            compat.set_label_font(label, font)


def cut_to_fit(label: QgsLayoutItemLabel) -> None:
    """Cut the label's text where it has to be, after a word and with an ellipsis.

    QGIS 3.24 and later would draw it over what lies below.
    """
    text, font = label.currentText(), compat.label_font(label)
    if not is_too_large(label, text, font):
        return
    least, most = 0, len(text) - 1
    while least < most:
        length = (least + most + 1) // 2
        if is_too_large(label, truncate_words(text, length), font):
            most = length - 1
        else:
            least = length
    label.setText(inert(truncate_words(text, max(least, 1))))


def balance_lines(label: QgsLayoutItemLabel) -> None:
    """Narrow a label whose text is broken into lines as far as it has no more of them, so that these are alike."""
    text, font, bounds = label.currentText(), compat.label_font(label), label.rect()
    # Qt lets a word that is wider than its lines go on beyond them, where the label would cut it
    widest = max((text_width(word, font) for word in text.split()), default=0.0) + 2 * label.marginX()
    least, most = min(max(bounds.width() / 2, widest), bounds.width()), bounds.width()
    height = text_height(text, font, most - 2 * label.marginX())
    if height < 1.5 * text_height("x", font, most) or label.hAlign() != Qt.AlignmentFlag.AlignLeft:
        return
    while most - least > _BALANCE_STEP:
        middle = (least + most) / 2
        if text_height(text, font, middle - 2 * label.marginX()) > height:
            least = middle
        else:
            most = middle
    label.attemptResize(QgsLayoutSize(min(most + _BALANCE_STEP, bounds.width()), bounds.height()))


def keep_codes_whole(label: QgsLayoutItemLabel) -> None:
    """Let no code such as "EPSG:25830" be divided in the label."""
    label.setText(with_codes_whole(label.text(), compat.label_font(label), label.rect().width() - 2 * label.marginX()))


def with_codes_whole(text: str, font: QFont, width: float) -> str:
    """Return one paragraph with a new line before each code such as "EPSG:25830" that the line before has no room for.

    Qt divides them at the colon. The lines of the paragraph may have been broken for another width or font.
    """
    lines = wrap_text(text, font, width).replace("\u00a0", " ").split("\n")
    return "".join(("\n" if _CODE.match(line) else " ") + line for line in lines).strip()


def extend_down(label: QgsLayoutItemLabel, obstacles: Sequence[QgsLayoutItem]) -> bool:
    """Extend the label downwards to the next of ``obstacles`` or the page's margin.

    Return False if there is not enough space.
    """
    bounds = label.mapRectToScene(label.rect())
    height = room_down(edges_below(label, obstacles), bounds.left(), bounds.right())
    if height <= bounds.height() + 0.5:
        return False
    label.attemptResize(QgsLayoutSize(bounds.width(), height))
    return True


def edges_below(label: QgsLayoutItemLabel, obstacles: Sequence[QgsLayoutItem]) -> List[Tuple[float, float, float]]:
    """Return left, right and distance from the label's top, in millimetres, of what ends lower than the label.

    The page's margin is the last.
    """
    page = label.layout().pageCollection().page(max(0, label.page()))
    bounds, page_bounds = label.mapRectToScene(label.rect()), page.mapRectToScene(page.rect())
    boxes = [item.mapRectToScene(item.rect()) for item in obstacles if item is not label]
    edges = [(box.left(), box.right(), box.top() - 0.3 - bounds.top()) for box in boxes
             if box.bottom() > bounds.bottom()]
    return [*edges, (page_bounds.left(), page_bounds.right(), page_bounds.bottom() - _PAGE_MARGIN - bounds.top())]


def room_down(edges: Iterable[Tuple[float, float, float]], left: float, right: float) -> float:
    """Return the height in millimetres of a label that stands between ``left`` and ``right``, see ``edges_below``."""
    return min(down for start, end, down in edges if end > left + 0.1 and start < right - 0.1)


def narrow_to_text(label: QgsLayoutItemLabel) -> None:
    """Narrow a label that is aligned to the left or right to the width of its text, to leave the space to others."""
    bounds, is_right = label.mapRectToScene(label.rect()), label.hAlign() == Qt.AlignmentFlag.AlignRight
    width = text_width(label.currentText(), compat.label_font(label)) + 2 * label.marginX() + 1.0
    if width < bounds.width() and (is_right or label.hAlign() == Qt.AlignmentFlag.AlignLeft):
        position = label.positionWithUnits()
        label.attemptResize(QgsLayoutSize(width, bounds.height()))
        if is_right:
            label.attemptMove(QgsLayoutPoint(position.x() + bounds.width() - width, position.y()), True, False)


def type_factor(layout: QgsPrintLayout) -> Optional[float]:
    """Return how many times as large as on A4 the layout's type is, or None if it does not follow the scale."""
    written = QgsExpressionContextUtils.layoutScope(layout).variable(FACTOR_VARIABLE)
    try:
        factor = float(written)
    except (TypeError, ValueError):
        return None
    return factor if math.isfinite(factor) and factor > 0 else None


def theme_name(layout: QgsPrintLayout) -> str:
    """Return the name of the theme that was applied to the layout, that of the standard one where none was."""
    return str(QgsExpressionContextUtils.layoutScope(layout).variable(THEME_VARIABLE) or page_themes.STANDARD)


def role_points(layout: QgsPrintLayout, role: TextRole, factor: Optional[float] = None) -> float:
    """Return the role's size in points on the layout, and ``factor`` times that of A4 where it has no scale."""
    return size_of(role, type_factor(layout) or factor or 1.0)


def space_factor(layout: QgsPrintLayout) -> float:
    """Return how many times as large as on A4 spaces between texts are."""
    return type_factor(layout) or 1.0


def least_points(layout: QgsPrintLayout, role: TextRole, points: float) -> float:
    """Return the size in points below which text of this role and of ``points`` in the template is not shrunk.

    Text that somebody made smaller in a template keeps its size.
    """
    factor = type_factor(layout)
    if factor is None:
        return max(MIN_FIGURE, _MIN_SHARE * points)
    return min(points, least_size(role, factor))


def least_label_points(label: QgsLayoutItemLabel) -> float:
    """Return the size in points below which the label's text is not shrunk. Its font is the template's."""
    return least_points(label.layout(), role_of(label.id()), float(compat.label_font(label).pointSizeF()))


def role_of(item_id: str) -> TextRole:
    role = next((role for prefix, role in _PREFIXES.items() if item_id.startswith(prefix)), TextRole.NOTE)
    return _ROLES.get(item_id, role)


def use_installed_styles(layout: QgsPrintLayout) -> None:
    """Give the styles of the template's fonts, such as Semibold, the names that the installed fonts have for them."""
    def changed(font: QFont) -> QFont:
        result = QFont(font)
        if font.styleName():
            page_fonts.set_style(result, font.styleName())
        return result

    def changed_format(text: QgsTextFormat) -> QgsTextFormat:
        text.setFont(changed(text.font()))
        return text

    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        compat.set_label_font(label, changed(compat.label_font(label)))
    for legend in layout_items.items_of_type(layout, QgsLayoutItemLegend):
        for style in (QgsLegendStyle.Style.Title, QgsLegendStyle.Style.Group, QgsLegendStyle.Style.Subgroup,
                      QgsLegendStyle.Style.SymbolLabel):
            compat.set_legend_font(legend, style, changed(compat.legend_font(legend, style)))
    for bar in layout_items.items_of_type(layout, QgsLayoutItemScaleBar):
        bar.setTextFormat(changed_format(bar.textFormat()))
    for item in layout_items.items_of_type(layout, QgsLayoutItemMap):
        for grid in item.grids().asList():
            grid.setAnnotationTextFormat(changed_format(grid.annotationTextFormat()))

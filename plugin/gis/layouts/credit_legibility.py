"""Legibility of credits on a page, measured on the page's pixels.

The text is found by comparison with a model: the labels alone, black on white, at the same place and written by the
same writer. In each cell of a label's area the page's pixels are explained by the model's ink, as
``background + ink × (text − background)``. A least-squares fit gives both colours, also for letters of a few pixels.
Where something covers the text the ink explains nothing. Luminance and contrast are those of WCAG 2.2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.core import (
    QgsLayoutExporter,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemMap,
    QgsLayoutItemPage,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsPrintLayout,
    QgsPropertyCollection,
    QgsReadWriteContext,
)
from qgis.PyQt.QtCore import QRectF, QSize, Qt
from qgis.PyQt.QtGui import QColor, QImage, QPainter
from qgis.PyQt.QtXml import QDomDocument

from ...core.i18n import tr
from ...core.numbers import format_decimal, format_figures
from ...core.page_design.type_scale import MIN_LEGIBLE
from ...core.text import bounded_title, fold, inert, list_quoted_names
from ..runtime import compat, images
from . import layout_items, text_fitting

if TYPE_CHECKING:
    import numpy

    Pixels = numpy.ndarray[Any, Any]

#: smallest contrast of a credit with what is behind it (WCAG 2.2, 1.4.3)
MIN_CONTRAST = 4.5
#: contrast measured on written pixels may be as much smaller (rounding, compression)
_CONTRAST_TOLERANCE = 0.3
#: share of the page's variation that the ink has to explain in a cell, and share of the ink that may lie in worse cells
_MIN_EXPLAINED, _MAX_LOST_INK = 0.3, 0.03
#: height of a cell in letters, its smallest size in pixels, and the number of cells that are measured at once
_CELL_LETTERS, _MIN_CELL, _BAND_CELLS = 2.0, 8, 16
#: height and width of the part of a label that tells how far its text was moved
_ALIGNED_PIXELS = 1000
#: ink of the faintest cell that is judged, as a share of an average one
_FAINT_CELL = 0.2
_MM, _POINTS_PER_INCH = 25.4, 72.0
#: resolution of pages that are measured without a file
_COPY_DPI = 150.0
#: ink that belongs to a letter, and the distance from it in letters of what counts as behind it
_LETTER_INK, _BEHIND_LETTERS = 0.1, 0.25
_TAG = re.compile(r"<[^>]*>")

#: returns the pixels of an area of a page (height × width × RGB) and of the same area of its model
AreaReader = Callable[["CreditLabel"], Tuple["Pixels", "Pixels"]]


@dataclass(frozen=True)
class CreditLabel:
    """A label with credits on one page.

    ``credits`` are the lines that it shows, ``area`` is the label in millimetres from the page's upper left corner,
    limited to the page. ``points`` is the size of its letters, ``text`` what its expressions make of it: on a page of
    many maps it takes long to evaluate.
    """

    label: QgsLayoutItemLabel
    credits: Tuple[str, ...]
    page: int
    area: QRectF
    points: float
    text: str

    @property
    def name(self) -> str:
        return str(self.label.displayName())


@dataclass(frozen=True)
class TextMeasure:
    """Contrast of a text: that of its faintest part which matters, and the share of its ink that is not legible.

    With ``has_gap`` several letters in a row are not legible, however long the text is.
    """

    contrast: float
    lost_share: float
    has_gap: bool = False

    @property
    def is_legible(self) -> bool:
        return self.lost_share <= _MAX_LOST_INK and not self.has_gap


@dataclass(frozen=True)
class _Cell:
    """A cell of a label: its place in cells, the contrast of its letters, and the amount of their ink."""

    row: int
    column: int
    contrast: float
    ink: float

    @property
    def is_lost(self) -> bool:
        return self.contrast < MIN_CONTRAST - _CONTRAST_TOLERANCE


def unreadable_credits(layout: QgsPrintLayout, owed: Mapping[str, str],
                       read: Callable[[Sequence[CreditLabel]], AreaReader]) -> List[str]:
    """Return a text for each credit of ``owed`` that stands on the page and cannot be read there.

    ``owed`` has the credit lines with the names of their layers. ``read`` gets the labels to be measured and returns
    the reader of their areas. Credits that no label has are the affair of ``missing_credits``.
    """
    problems: Dict[str, List[str]] = {}
    labels = credit_labels_of(layout, owed)
    reasons: Dict[int, str] = {id(entry): _geometry_problem(entry) for entry in labels}
    placed = [entry for entry in labels if not reasons[id(entry)]]
    if placed:
        area_of = read(placed)
        for entry in placed:
            pixels, model = area_of(entry)
            measure = measure_text(pixels, model, _letter_height(entry, pixels))
            reasons[id(entry)] = "" if measure.is_legible else _contrast_problem(entry, measure)
    for line, name in owed.items():
        shown_by = [entry for entry in labels if line in entry.credits]
        if shown_by and all(reasons[id(entry)] for entry in shown_by):
            problems.setdefault(reasons[id(shown_by[0])], []).append(name)
    return [tr("The credit of {layers} cannot be read on the page: {reason}",
               layers=list_quoted_names(dict.fromkeys(map(bounded_title, names))), reason=reason)
            for reason, names in problems.items()]


def credit_labels_of(layout: QgsPrintLayout, owed: Mapping[str, str]) -> List[CreditLabel]:
    """Return the printed labels that show at least one credit of ``owed``."""
    found = []
    for label in layout_items.items_of_type(layout, QgsLayoutItemLabel):
        if not layout_items.is_exported(label):
            continue
        text = str(label.currentText())
        folded = fold(_plain_text(label, text))
        credits = tuple(line for line in owed if fold(line) in folded)
        if credits:
            page = max(0, label.page())
            found.append(CreditLabel(label, credits, page, _area(label, page), letter_points(label), text))
    return found


def label_text(label: QgsLayoutItemLabel) -> str:
    """Return the label's evaluated text, without the tags of a label in HTML."""
    return _plain_text(label, str(label.currentText()))


def _plain_text(label: QgsLayoutItemLabel, text: str) -> str:
    return _TAG.sub(" ", text) if label.mode() == QgsLayoutItemLabel.Mode.ModeHtml else text


def letter_points(label: QgsLayoutItemLabel) -> float:
    points = compat.text_size_in_points(label.textFormat()) if hasattr(label, "textFormat") else None
    return float(compat.label_font(label).pointSizeF()) if points is None else points


def measure_text(pixels: Pixels, model: Pixels, letter_height: float) -> TextMeasure:
    """Return how well the ink of ``model`` (black on white) can be read on ``pixels`` (both height × width × RGB).

    ``letter_height`` is in pixels. A page whose text lies up to a pixel beside the model's counts like one in place:
    QGIS 3.40 places the lines of a text a little differently in a part of a page than on the whole of it.
    """
    if model.shape != pixels.shape:
        return TextMeasure(1.0, 1.0)
    measure = _measure_in_place(pixels, model, letter_height)
    moved = None if measure.is_legible else _moved_onto(model, pixels)
    return measure if moved is None else _measure_in_place(pixels, moved, letter_height)


def _moved_onto(model: Pixels, pixels: Pixels) -> Optional[Pixels]:
    """Return ``model`` moved by at most a pixel to where it fits ``pixels`` best, None if that is where it is."""
    import numpy

    part = (slice(0, _ALIGNED_PIXELS), slice(0, _ALIGNED_PIXELS))
    ink, page = (area[part].astype(numpy.float64).mean(axis=2) for area in (model, pixels))

    def fit(down: float, right: float) -> float:
        moved = _moved(ink, down, right)
        if moved.std() < 1e-6 or page.std() < 1e-6:
            return 0.0
        # light letters on a dark ground fit as well
        return abs(float(numpy.corrcoef(moved.ravel(), page.ravel())[0, 1]))

    best = (0.0, 0.0)
    for step in (1.0, 0.5, 0.25):
        near = [(best[0] + down * step, best[1] + right * step) for down in (0, -1, 1) for right in (0, -1, 1)]
        best = max((shift for shift in near if max(map(abs, shift)) <= 1.0), key=lambda shift: fit(*shift))
    return None if best == (0.0, 0.0) else _moved(model, *best)


def _moved(area: Pixels, down: float, right: float) -> Pixels:
    """Return pixels moved by a part of a pixel or a whole one, with white where nothing comes from."""
    import numpy

    moved = area.astype(numpy.float64)
    for axis, distance in ((0, down), (1, right)):
        if distance:
            shifted = numpy.roll(moved, 1 if distance > 0 else -1, axis)
            edge: List[Any] = [slice(None)] * moved.ndim
            edge[axis] = 0 if distance > 0 else -1
            shifted[tuple(edge)] = 255.0
            moved = (1.0 - abs(distance)) * moved + abs(distance) * shifted
    return moved


def _measure_in_place(pixels: Pixels, model: Pixels, letter_height: float) -> TextMeasure:
    import numpy

    cell = max(_MIN_CELL, round(_CELL_LETTERS * letter_height))
    inked: List[_Cell] = []
    # in bands of cells, because pages may be very large
    for row in range(0, model.shape[0] // cell + 1, _BAND_CELLS):
        band = slice(row * cell, (row + _BAND_CELLS) * cell)
        if (model[band] < 255).any():
            inked += _band_cells(1.0 - model[band].astype(numpy.float64).mean(axis=2) / 255.0, pixels[band], cell,
                                 max(1, round(_BEHIND_LETTERS * letter_height)), row)
    total = sum(entry.ink for entry in inked)
    if total < 1.0:
        return TextMeasure(1.0, 1.0)
    measured = [entry for entry in inked if entry.ink >= _FAINT_CELL * total / len(inked)]
    lost = {(entry.row, entry.column): entry for entry in measured if entry.is_lost}
    share = sum(entry.ink for entry in lost.values()) / sum(entry.ink for entry in measured)
    # the faintest twentieth stands for noise
    contrasts = sorted(entry.contrast for entry in measured)
    measure = TextMeasure(contrasts[min(len(contrasts) - 1, len(contrasts) // 20)], share,
                          any((row, column + 1) in lost for row, column in lost))
    # what is refused is told with a contrast that it is refused for
    return measure if measure.is_legible else replace(measure, contrast=min(
        measure.contrast, max(entry.contrast for entry in lost.values())))


def _band_cells(ink: Pixels, pixels: Pixels, size: int, distance: int, first_row: int) -> List[_Cell]:
    """Return the cells with ink, ``size`` pixels wide and high, of a band that begins at the cell ``first_row``."""
    import numpy

    page, near = pixels.astype(numpy.float64), _near_ink(ink, distance)
    found = []
    for row, top in enumerate(range(0, ink.shape[0], size), first_row):
        for column, left in enumerate(range(0, ink.shape[1], size)):
            window = slice(top, top + size), slice(left, left + size)
            part = ink[window][near[window]]
            amount = float(part.sum())
            if amount > 0:
                found.append(_Cell(row, column, _cell_contrast(part, page[window][near[window]]), amount))
    return found


def _near_ink(ink: Pixels, distance: int) -> Pixels:
    """Return a mask of the letters and the pixels at most ``distance`` pixels from them."""
    mask = ink > _LETTER_INK
    for axis in (0, 1):
        grown = mask.copy()
        for step in range(1, distance + 1):
            ahead: List[Any] = [slice(None), slice(None)]
            behind = list(ahead)
            ahead[axis], behind[axis] = slice(step, None), slice(None, -step)
            grown[tuple(ahead)] |= mask[tuple(behind)]
            grown[tuple(behind)] |= mask[tuple(ahead)]
        mask = grown
    return mask


def _cell_contrast(ink: Pixels, pixels: Pixels) -> float:
    """Return the contrast of text and background in one cell, 1 if the page does not follow the ink.

    ``ink`` has one value for each pixel of ``pixels`` (count × RGB).
    """
    import numpy

    spread = ink - ink.mean()
    variation = float((spread**2).sum())
    if variation < 1e-6:
        return 1.0
    mean = pixels.mean(axis=0)
    deviation = pixels - mean
    slope = (spread[:, None] * deviation).sum(axis=0) / variation
    total = float((deviation**2).sum())
    explained = float((slope**2).sum()) * variation / total if total > 0 else 0.0
    if explained < _MIN_EXPLAINED:
        return 1.0
    background = mean - slope * ink.mean()
    return contrast_ratio(numpy.clip(background + slope, 0, 255), numpy.clip(background, 0, 255))


def contrast_ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the contrast ratio of two colours (red, green, blue from 0 to 255), 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Sequence[float]) -> float:
    parts = [float(value) / 255.0 for value in colour]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055)**2.4 for value in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def model_layout(layout: QgsPrintLayout, page: int, labels: Sequence[CreditLabel]) -> QgsPrintLayout:
    """Return a layout, not in the project, of one page with only ``labels``, black on white and opaque."""
    made = QgsPrintLayout(layout.project())
    sheet = layout.pageCollection().page(page)
    model_page = QgsLayoutItemPage(made)
    model_page.setPageSize(QgsLayoutSize(sheet.rect().width(), sheet.rect().height()))
    made.pageCollection().addPage(model_page)
    for entry in labels:
        _add_model_label(made, entry, sheet.pos().x(), sheet.pos().y())
    return made


def _add_model_label(made: QgsPrintLayout, entry: CreditLabel, left: float, top: float) -> None:
    context = QgsReadWriteContext()
    document = QDomDocument()
    holder = document.createElement("Layout")
    document.appendChild(holder)
    entry.label.writeXml(holder, document, context)
    label = QgsLayoutItemLabel(made)
    made.addLayoutItem(label)
    label.readXml(holder.firstChildElement("LayoutItem"), document, context)
    label.setDataDefinedProperties(QgsPropertyCollection())
    label.setText(inert(entry.text))
    label.setItemOpacity(1.0)
    label.setBlendMode(QPainter.CompositionMode.CompositionMode_SourceOver)
    label.setBackgroundEnabled(False)
    label.setFrameEnabled(False)
    compat.set_plain_label_colour(label, QColor(0, 0, 0))
    label.attemptResize(QgsLayoutSize(entry.label.rect().width(), entry.label.rect().height()))
    label.setItemRotation(entry.label.itemRotation())
    place = entry.label.pos()
    label.attemptMove(QgsLayoutPoint(0, 0))
    shift = label.pos()
    label.attemptMoveBy(place.x() - left - shift.x(), place.y() - top - shift.y())
    label.refresh()


def render_area(layout: QgsPrintLayout, page: int, window: Tuple[int, int, int, int], scale: float,
                dpi: float) -> Pixels:
    """Return pixels of a page (height × width × RGB) as QGIS draws them in an export at ``dpi``.

    ``window`` is left, top, width and height in pixels, ``scale`` pixels for each millimetre, which is not quite
    ``dpi`` because a page has whole pixels.
    """
    # QGIS 3.40 spaces letters by it; an export sets it, drawing a part of a page does not
    layout.renderContext().setDpi(dpi)
    sheet = layout.pageCollection().page(page)
    left, top, width, height = window
    region = QRectF(sheet.pos().x() + left / scale, sheet.pos().y() + top / scale, width / scale, height / scale)
    image = QgsLayoutExporter(layout).renderRegionToImage(region, QSize(width, height), dpi)
    return rgb_pixels(image)


def rgb_pixels(image: QImage) -> Pixels:
    """Return an image's pixels on white paper (height × width × RGB)."""
    import numpy

    paper = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
    paper.fill(QColor(255, 255, 255))
    painter = QPainter(paper)
    painter.drawImage(0, 0, image)
    painter.end()
    # the image has to live as long as its bits are read
    rgba = images.converted(paper, QImage.Format.Format_RGBA8888)
    bits = rgba.constBits()
    bits.setsize(rgba.sizeInBytes())
    return numpy.frombuffer(bytes(bits), numpy.uint8).reshape(image.height(), image.width(), 4)[:, :, :3]


def pixel_window(area: QRectF, scale: float, size: Tuple[int, int]) -> Tuple[int, int, int, int]:
    """Return the window (left, top, width, height) of ``area`` (millimetres) in an image of ``size`` pixels."""
    left, top = max(0, int(area.left() * scale)), max(0, int(area.top() * scale))
    right, bottom = min(size[0], int(area.right() * scale) + 1), min(size[1], int(area.bottom() * scale) + 1)
    return left, top, max(1, right - left), max(1, bottom - top)


def copy_reader(layout: QgsPrintLayout) -> Callable[[Sequence[CreditLabel]], AreaReader]:
    """Return a reader of pages that are not written: a copy of the layout without its maps, drawn at 150 dpi.

    Maps are left out because drawing them sends requests. What a map shows behind a label is unknown then and counts
    as white. A map above a label covers it, which ``unreadable_credits`` finds by itself.
    """
    def read(labels: Sequence[CreditLabel]) -> AreaReader:
        copy = layout.clone()
        # QGIS gives the items of a copy other identifiers
        for item, original in zip(_labels_by_place(copy), _labels_by_place(layout)):
            item.setText(inert(str(original.currentText())))
        for item in layout_items.items_of_type(copy, QgsLayoutItemMap):
            copy.removeLayoutItem(item)
        models = {page: model_layout(layout, page, [entry for entry in labels if entry.page == page])
                  for page in {entry.page for entry in labels}}
        scale = _COPY_DPI / _MM

        def area_of(entry: CreditLabel) -> Tuple[Pixels, Pixels]:
            sheet = layout.pageCollection().page(entry.page).rect()
            window = pixel_window(entry.area, scale, (int(sheet.width() * scale), int(sheet.height() * scale)))
            return (render_area(copy, entry.page, window, scale, _COPY_DPI),
                    render_area(models[entry.page], 0, window, scale, _COPY_DPI))

        return area_of

    return read


def _labels_by_place(layout: QgsPrintLayout) -> List[QgsLayoutItemLabel]:
    return sorted(layout_items.items_of_type(layout, QgsLayoutItemLabel),
                  key=lambda item: (item.zValue(), item.pos().y(), item.pos().x(), item.id()))


def _area(label: QgsLayoutItemLabel, page: int) -> QRectF:
    sheet = label.layout().pageCollection().page(page)
    bounds = label.mapRectToScene(label.rect()).translated(-sheet.pos())
    return bounds.intersected(QRectF(0, 0, sheet.rect().width(), sheet.rect().height()))


def _letter_height(entry: CreditLabel, pixels: Pixels) -> float:
    """Return the height of the label's letters in pixels of its area."""
    return float(entry.points * _MM / _POINTS_PER_INCH * float(pixels.shape[0]) / max(entry.area.height(), 0.1))


def _geometry_problem(entry: CreditLabel) -> str:
    """Return why the label cannot be read, as far as its place and size tell."""
    if not entry.label.layout().pageCollection().shouldExportPage(entry.page):
        return tr("the label “{label}” is on a page that is not exported. Move it to another page.", label=entry.name)
    if _is_off_page(entry):
        return tr("the label “{label}” is not wholly on the page. Move it onto the page.", label=entry.name)
    if entry.points < MIN_LEGIBLE:
        return tr("the letters of the label “{label}” are {points} pt high, and less than {smallest} pt cannot be "
                  "read. Choose a larger font.", label=entry.name, points=format_decimal(entry.points, 1),
                  smallest=format_figures(MIN_LEGIBLE))
    if entry.label.mode() != QgsLayoutItemLabel.Mode.ModeHtml and text_fitting.is_too_large(
            entry.label, entry.text, compat.label_font(entry.label)):
        return tr("the text of the label “{label}” is cut off. Make the label larger.", label=entry.name)
    covering = [item for item in _items_above(entry) if isinstance(item, QgsLayoutItemMap)]
    if covering:
        return _covered_text(entry, covering[0])
    return ""


def _is_off_page(entry: CreditLabel) -> bool:
    """Return whether a part of the label's text lies outside its page."""
    sheet = entry.label.layout().pageCollection().page(entry.page)
    page = sheet.mapRectToScene(sheet.rect()).adjusted(-0.2, -0.2, 0.2, 0.2)
    if page.contains(entry.label.mapRectToScene(entry.label.rect())):
        return False
    return not page.contains(entry.label.mapRectToScene(_text_bounds(entry)))


def _text_bounds(entry: CreditLabel) -> QRectF:
    """Return the part of the label that its text takes, in the label's coordinates."""
    label = entry.label
    bounds = label.rect().adjusted(label.marginX(), label.marginY(), -label.marginX(), -label.marginY())
    if label.mode() == QgsLayoutItemLabel.Mode.ModeHtml:
        return bounds
    font = compat.label_font(label)
    width = min(bounds.width(), max(text_fitting.text_width(line, font) for line in entry.text.split("\n")))
    height = min(bounds.height(), text_fitting.text_height(entry.text, font, bounds.width()))
    left = {Qt.AlignmentFlag.AlignRight: bounds.right() - width,
            Qt.AlignmentFlag.AlignHCenter: bounds.center().x() - width / 2}.get(label.hAlign(), bounds.left())
    top = {Qt.AlignmentFlag.AlignBottom: bounds.bottom() - height,
           Qt.AlignmentFlag.AlignVCenter: bounds.center().y() - height / 2}.get(label.vAlign(), bounds.top())
    return QRectF(left, top, width, height)


def _items_above(entry: CreditLabel) -> List[QgsLayoutItem]:
    """Return the printed items above the label's text, the topmost first."""
    label = entry.label
    text = label.mapRectToScene(_text_bounds(entry))
    above = [item for item in layout_items.items_of_type(label.layout(), QgsLayoutItem)
             if not isinstance(item, QgsLayoutItemPage) and item is not label and item.zValue() > label.zValue()
             and layout_items.is_exported(item) and layout_items.opacity(item) > 0
             and item.mapRectToScene(item.rect()).intersects(text)]
    return sorted(above, key=lambda item: -float(item.zValue()))


def _contrast_problem(entry: CreditLabel, measure: TextMeasure) -> str:
    """Return why the label's text is not legible in the pixels."""
    opacity = layout_items.opacity(entry.label)
    if opacity < 0.99 and measure.lost_share > 0.5:
        return tr("the label “{label}” is transparent ({percent} % opaque). Set its opacity to 100 %.",
                  label=entry.name, percent=round(100 * opacity))
    above: Optional[QgsLayoutItem] = next(iter(_items_above(entry)), None)
    if above is not None:
        return _covered_text(entry, above)
    return tr("the contrast of the label “{label}” with what is behind it is {contrast}, and less than {smallest} "
              "cannot be read. Choose another colour, or give the label a background.", label=entry.name,
              contrast=format_decimal(measure.contrast, 1), smallest=format_figures(MIN_CONTRAST))


def _covered_text(entry: CreditLabel, above: QgsLayoutItem) -> str:
    return tr("the label “{label}” is covered by “{item}”. Move that item, or put the label above it.",
              label=entry.name, item=str(above.displayName()))

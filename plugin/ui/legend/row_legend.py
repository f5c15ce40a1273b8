"""The legend of a row of the custom map: small symbols with their labels."""

from __future__ import annotations

from typing import Optional

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage, QPixmap
from qgis.PyQt.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ...app.page.row_legend_controller import RowLegend
from ...core.i18n import tr
from ...gis.legends.legend_nodes import Swatch
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import make_muted, on_white_background, scale_font

#: entries of one row's legend at most
_MAX_ENTRIES = 24
#: pixels of a symbol, and of a whole legend graphic, at most
_SYMBOL, _GRAPHIC = (36, 18), (220, 160)
_MM_PER_INCH = 25.4


class RowLegendView(QWidget):
    """Shows a RowLegend below its row. Layers with several symbols have their title above them."""

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(22, 0, 4, 4)
        self._column.setSpacing(2)
        self.texts: list[str] = []

    def show_legend(self, legend: RowLegend) -> None:
        """Show ``legend`` in place of the one before."""
        while self._column.count():
            widget = self._column.takeAt(0).widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.texts = []
        entries = sum(len(swatches) for _title, swatches in legend.layers)
        left = _MAX_ENTRIES
        for title, swatches in legend.layers:
            if len(swatches) > 1 and left:
                self._add_text(title)
            for swatch in swatches[:left]:
                self._add_swatch(swatch, "" if len(swatches) > 1 else title)
            left -= min(left, len(swatches))
        if entries > _MAX_ENTRIES:
            self._add_text(tr("and %n more", n=entries - _MAX_ENTRIES))
        if legend.is_loading:
            self._add_text(tr("Loading the legend…"))
        elif not entries:
            self._add_text(tr("There is no legend."))
        self.setAccessibleName(tr("Legend: {entries}", entries="; ".join(self.texts)))

    def _add_text(self, text: str) -> None:
        label = ElidedLabel(text, text)
        scale_font(label, 0.9)
        make_muted(label)
        self.texts.append(text)
        self._column.addWidget(label)

    def _add_swatch(self, swatch: Swatch, title: str) -> None:
        row = QWidget()
        beside = QHBoxLayout(row)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(6)
        symbol = self._picture(swatch.image, self._pixels(swatch.width), self._pixels(swatch.height),
                               *(_GRAPHIC if swatch.is_whole_graphic else _SYMBOL))
        beside.addWidget(symbol)
        text = swatch.label or title
        if swatch.label_image is not None and not swatch.label and swatch.capital > 0:
            # the service's own letters, as high as those around them
            share = self.fontMetrics().capHeight() / swatch.capital
            image = swatch.label_image
            beside.addWidget(self._picture(image, round(image.width() * share), round(image.height() * share),
                                           *_GRAPHIC))
            beside.addStretch(1)
        elif text and not swatch.is_whole_graphic:
            label = ElidedLabel(text, text)
            scale_font(label, 0.9)
            beside.addWidget(label, 1)
        else:
            beside.addStretch(1)
        self.texts.append(text)
        self._column.addWidget(row)

    def _pixels(self, millimetres: float) -> int:
        return int(max(1, round(millimetres / _MM_PER_INCH * self.logicalDpiX())))

    def _picture(self, image: QImage, width: int, height: int, most_wide: int, most_high: int) -> PlainLabel:
        """Return a label with ``image`` in this size, or smaller if it is too large."""
        label, ratio = PlainLabel(), self.devicePixelRatioF()
        share = min(1.0, most_wide / max(width, 1), most_high / max(height, 1))
        scaled = on_white_background(image).scaled(
            max(1, round(width * share * ratio)), max(1, round(height * share * ratio)),
            Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
        pixmap = QPixmap.fromImage(scaled)
        pixmap.setDevicePixelRatio(ratio)
        label.setPixmap(pixmap)
        if most_high == _SYMBOL[1]:
            # so that the labels stand below each other
            label.setFixedWidth(_SYMBOL[0])
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        return label

"""Paper, orientation, template, extent, scale and language of the custom map: one line that opens into a form."""

from __future__ import annotations

from typing import Optional, Sequence

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QComboBox, QFormLayout, QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from ..core.custommap.model import Page
from ..core.i18n import tr
from .words import scale as scale_text

PAPERS = ("A4", "A3")
#: what a map's own words (legend, sources, dates) are there in, each by its own name
LANGUAGES = (("English", "en"), ("Español", "es"))
SCALES = (5000, 10000, 15000, 25000, 40000, 50000, 75000, 100000, 200000, 400000, 1000000)

#: what the map shows
CANVAS, RECORDS, WHOLE, KEPT = "canvas", "records", "whole", "kept"


def extent_words(mode: str) -> str:
    """An extent mode in words."""
    return {CANVAS: tr("The map window"), RECORDS: tr("The chosen record"),
            WHOLE: tr("All services"), KEPT: tr("As saved")}[mode]


class PagePanel(QWidget):
    """A summary that is a button; below it, when opened, the choices."""

    page_changed = pyqtSignal(object)
    extent_changed = pyqtSignal(str)
    scale_changed = pyqtSignal(object)
    language_changed = pyqtSignal(str)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.summary = QToolButton()
        self.summary.setCheckable(True)
        self.summary.setAutoRaise(True)
        self.summary.setArrowType(Qt.ArrowType.RightArrow)
        self.summary.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.summary.setToolTip(tr("Paper, extent, scale and language"))
        self.summary.setAccessibleName(tr("Paper, extent, scale and language"))
        self.summary.toggled.connect(self._open)
        self.paper = self._combo(tr("Paper"), [(name, name) for name in PAPERS])
        self.orientation = self._combo(
            tr("Orientation"), [(tr("Landscape"), "landscape"), (tr("Portrait"), "portrait")])
        self.template = self._combo(tr("Template"), [(tr("Guide map"), "guide")])
        self.extent = self._combo(tr("Extent"), [(extent_words(mode), mode) for mode in (CANVAS, RECORDS, WHOLE)])
        self.scale = self._combo(
            tr("Scale"), [(tr("To fit the page"), None), *((scale_text(number), float(number)) for number in SCALES)])
        self.language = self._combo(tr("Language of the map"), LANGUAGES)
        self.language.currentIndexChanged.connect(
            lambda _index: self.language_changed.emit(self.language.currentData()))
        for combo in (self.paper, self.orientation, self.template):
            combo.currentIndexChanged.connect(lambda _index: self.page_changed.emit(self.page()))
        self.extent.currentIndexChanged.connect(lambda _index: self.extent_changed.emit(self.extent.currentData()))
        self.scale.currentIndexChanged.connect(lambda _index: self.scale_changed.emit(self.scale.currentData()))
        self.form = QFrame()
        rows = QFormLayout(self.form)
        rows.setContentsMargins(18, 0, 4, 4)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for words, combo in ((tr("&Paper"), self.paper), (tr("O&rientation"), self.orientation),
                             (tr("&Template"), self.template), (tr("E&xtent"), self.extent),
                             (tr("&Scale"), self.scale), (tr("&Language"), self.language)):
            rows.addRow(words, combo)
        self.form.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.summary)
        layout.addWidget(self.form)
        self._crs = ""

    def page(self) -> Page:
        """The page as chosen."""
        return Page(self.paper.currentData(), self.orientation.currentData(), self.template.currentData())

    def offer_templates(self, names: Sequence[tuple[str, str]]) -> None:
        """Offer layout templates as (title, name)."""
        self.template.blockSignals(True)
        self.template.clear()
        for title, name in names:
            self.template.addItem(title, name)
        self.template.blockSignals(False)

    def show_page(self, page: Page, mode: str, scale: Optional[float], crs: str, language: str = "en") -> None:
        """Show the map's page without telling it back."""
        if mode == KEPT and self.extent.findData(KEPT) < 0:
            self.extent.blockSignals(True)
            self.extent.addItem(extent_words(KEPT), KEPT)
            self.extent.blockSignals(False)
        if scale and self.scale.findData(float(scale)) < 0:
            self.scale.blockSignals(True)
            self.scale.addItem(scale_text(scale), float(scale))
            self.scale.blockSignals(False)
        if self.language.findData(language) < 0:
            self.language.blockSignals(True)
            self.language.addItem(language, language)
            self.language.blockSignals(False)
        for combo, value in ((self.language, language), (self.paper, page.paper), (self.orientation, page.orientation),
                             (self.template, page.template), (self.extent, mode), (self.scale, scale and float(scale))):
            combo.blockSignals(True)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            combo.blockSignals(False)
        words = [f"{page.paper} {self.orientation.currentText().lower()}",
                 scale_text(scale) if scale else tr("fitted"), crs]
        self.summary.setText(" · ".join(word for word in words if word))
        self.summary.setAccessibleName(tr("Page: {words}", words=self.summary.text()))

    def _open(self, on: bool) -> None:
        self.form.setVisible(on)
        self.summary.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)

    def _combo(self, name: str, choices: Sequence[tuple[str, object]]) -> QComboBox:
        combo = QComboBox()
        combo.setAccessibleName(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(8)
        for words, value in choices:
            combo.addItem(words, value)
        return combo

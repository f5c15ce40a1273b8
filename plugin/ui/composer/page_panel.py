"""Page of the custom map: paper, orientation and scale, and a form with the rest that can be collapsed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Callable, Optional, Sequence

from qgis.PyQt.QtCore import QModelIndex, QSize, Qt, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ...app.maps.map_controller import MapController
from ...app.maps.map_document import ExtentMode
from ...app.window import Notifier, Prompts
from ...core.custommap.model import Orientation, PageSetup
from ...core.i18n import tr
from ...core.numbers import format_angle, format_scale
from ...core.page_design.page_themes import THEME_NAMES, theme_title
from ...core.text import inert
from ...gis.credits.map_phrases import MAP_LANGUAGES
from ...gis.layouts import template_loading, templates
from ...gis.runtime.ground_scale import is_in_degrees
from ..pages.page_form import PageForm
from ..pages.page_forms import FORMS
from ..widgets.buttons import ElidedButton, ShrinkingButton
from ..widgets.dialogs import existing_file
from ..widgets.form_widgets import DecimalSpinBox, fill_layout, narrow_combo_box, wheel_needs_focus
from ..widgets.labels import ElidedLabel, PlainLabel
from ..widgets.theme import icon, make_muted, scale_font
from .fold_section import LimitedArea

SCALES = (5000, 10000, 15000, 25000, 40000, 50000, 75000, 100000, 200000, 400000, 1000000)

#: pixels that a list beside the picture of the page has at least
_NARROW_WIDTH = 70
#: pixels that a list needs beside its text at least
_ARROW = 34
#: letters that can be read in a field of the form at least, and fields that are seen
_FIELD_LETTERS, _FEW_FIELDS = 12, 3
#: entries of the lists of templates and of scales that open a dialog
_BROWSE, _OTHER_SCALE = "browse", "other"


class _Choices(QWidget):
    """Place of what is chosen beside the picture of the page."""

    resized = pyqtSignal()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: say it."""
        super().resizeEvent(event)
        self.resized.emit()


class _ScaleDelegate(QStyledItemDelegate):
    """Paints beside each scale of the open list how much of the page's map it fills. The closed list has no room."""

    def __init__(self, words: Callable[[float], str], parent: QWidget) -> None:
        """``words`` returns what is said of a scale, given by its denominator, or ""."""
        super().__init__(parent)
        self._words = words

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # noqa: N802
        """Qt: fill ``option`` with what the entry at ``index`` shows."""
        super().initStyleOption(option, index)
        scale = index.data(Qt.ItemDataRole.UserRole)
        if isinstance(scale, float):
            option.text = " · ".join(filter(None, (option.text, self._words(scale))))


class PagePanel(QWidget):
    """Button with a summary of the page, which opens the form with the rest.

    ``choices`` has what is chosen most often. It and ``form_area``, which has the form, are placed by the owner.
    """

    page_changed = pyqtSignal(object)
    extent_changed = pyqtSignal(object)
    scale_changed = pyqtSignal(object)
    language_changed = pyqtSignal(str)
    fit_requested = pyqtSignal()
    frame_toggled = pyqtSignal(bool)
    gallery_requested = pyqtSignal()
    #: carries the name of a page feature and its value
    feature_changed = pyqtSignal(str, object)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.summary = ElidedButton("")
        self.summary.setCheckable(True)
        self.summary.setArrowType(Qt.ArrowType.RightArrow)
        self.summary.setToolTip(tr("Template, extent, rotation and language"))
        self.summary.setAccessibleName(tr("Template, extent, rotation and language"))
        self.summary.toggled.connect(self._show_form)
        self.paper = self._combo(tr("Paper"), [(name, name) for name in templates.PAPERS])
        self.orientation = self._combo(
            tr("Orientation"), [(_orientation_label(turn), turn.value) for turn in Orientation])
        self.template = self._combo(tr("Template"), [])
        self._templates: dict[str, templates.Template] = {}
        self._template_name = "guide"
        self.set_templates(templates.all_templates())
        self.theme = self._combo(tr("Theme"), [(theme_title(name), name) for name in THEME_NAMES])
        self.theme.setToolTip(
            tr("Colours of the page alone: the map keeps its own. Your own colours are in the settings."))
        self.theme.currentIndexChanged.connect(lambda _index: self.page_changed.emit(self.page()))
        self.extent = self._combo(
            tr("Extent"), [(_extent_label(mode), mode) for mode in ExtentMode if mode is not ExtentMode.CUSTOM])
        self.scale = self._combo(
            tr("Scale"), [(tr("To fit the page"), None), *((format_scale(number), float(number)) for number in SCALES),
                          (tr("Other scale…"), _OTHER_SCALE)])
        self._scale: Optional[float] = None
        #: returns the share (0 to 1) of the page that a scale fills at most, None where it is not known
        self.share_at: Callable[[float], Optional[float]] = lambda _scale: None
        self.scale.setItemDelegate(_ScaleDelegate(self._share_words, self.scale))
        self.language = self._combo(tr("Language of the map"), [(name, code) for code, name in MAP_LANGUAGES.items()])
        self.language.currentIndexChanged.connect(
            lambda _index: self.language_changed.emit(self.language.currentData()))
        for combo in (self.paper, self.orientation):
            combo.currentIndexChanged.connect(lambda _index: self._size_chosen())
        self.template.currentIndexChanged.connect(lambda _index: self._template_chosen())
        self.extent.currentIndexChanged.connect(
            lambda _index: self.extent_changed.emit(ExtentMode(self.extent.currentData())))
        self.scale.currentIndexChanged.connect(lambda _index: self._scale_chosen())
        self.form = QFrame()
        rows = self.rows = QFormLayout(self.form)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setVerticalSpacing(3)
        rows.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.gallery = QToolButton()
        self.gallery.setIcon(icon("mActionShowAllLayers"))
        self.gallery.setToolTip(tr("See all templates with this map"))
        self.gallery.setAccessibleName(tr("See all templates with this map"))
        self.gallery.clicked.connect(lambda _checked=False: self.gallery_requested.emit())
        # beside its button
        self.template.setMinimumContentsLength(4)
        template_row = QWidget()
        fill_layout(QHBoxLayout(template_row), self.template, self.gallery, spacing=3, wide=self.template)
        template_label = PlainLabel(tr("&Template"))
        template_label.setBuddy(self.template)
        rows.addRow(template_label, template_row)
        self.rotation = wheel_needs_focus(DecimalSpinBox())
        self.rotation.setRange(0, 359.9)
        self.rotation.setDecimals(1)
        self.rotation.setSingleStep(15)
        self.rotation.setWrapping(True)
        self.rotation.setSuffix("°")
        # else each digit that is typed would draw the page anew
        self.rotation.setKeyboardTracking(False)
        self.rotation.setMinimumWidth(_NARROW_WIDTH)
        self.rotation.setAccessibleName(tr("Rotation of the map on the page, clockwise"))
        self.rotation.setToolTip(tr("Rotation of the map on the page, clockwise"))
        self._rotation = 0.0
        self.rotation.valueChanged.connect(self._rotate)
        for label, field in ((tr("The&me"), self.theme), (tr("E&xtent"), self.extent), (tr("&Rotation"), self.rotation),
                             (tr("&Language"), self.language)):
            rows.addRow(label, field)
        #: the forms of page features by their names
        self.features: dict[str, PageForm] = {}
        for form_class in FORMS:
            self._add_feature(form_class(), rows)
        self._show_features()
        self.choices = _Choices()
        column = QVBoxLayout(self.choices)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(3)
        self.paper.setMinimumContentsLength(2)
        for combo in (self.paper, self.orientation):
            combo.setMinimumWidth(_NARROW_WIDTH // 2)
        self._size = fill_layout(QHBoxLayout(), self.paper, self.orientation, spacing=3, wide=self.orientation)
        self.choices.resized.connect(self._arrange_size)
        column.addLayout(self._size)
        # else the picture and the lists beside it are wider together than the narrowest dock
        self.scale.setMinimumWidth(_NARROW_WIDTH)
        column.addWidget(self.scale)
        self.fit = ShrinkingButton(tr("Fit"))
        self.fit.setIcon(icon("mActionZoomFullExtent"))
        self.fit.setToolTip(inert(f"{self.fit.text()}\n{tr('Fit the page into the base, without a margin')}"))
        self.fit.clicked.connect(lambda _checked=False: self.fit_requested.emit())
        self.frame = ShrinkingButton(tr("Frame"))
        self.frame.setIcon(icon("mActionAddBasicRectangle"))
        self.frame.setCheckable(True)
        self.frame.setToolTip(inert(f"{self.frame.text()}\n{tr('Move, resize and rotate the page on the map canvas')}"))
        self.frame.toggled.connect(self.frame_toggled)
        buttons = QHBoxLayout()
        buttons.setSpacing(3)
        for button in (self.fit, self.frame):
            button.setAccessibleName(button.toolTip())
            buttons.addWidget(button, 1)
        column.addLayout(buttons)
        self.meter = ElidedLabel()
        scale_font(self.meter, 0.9)
        self.meter.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        make_muted(self.meter)
        column.addWidget(self.meter)
        column.addStretch(1)
        self.form_area = LimitedArea(self.form)
        self.form_area.hide()
        fill_layout(QVBoxLayout(self), self.summary)
        self._crs = ""

    def readable_width(self) -> int:
        """Return the width in pixels at which the choices beside the picture can be read: paper, orientation, scale."""
        scale = self.scale.fontMetrics().horizontalAdvance("1:1 000 000")
        return max(self._size_width(), _width_with(self.scale, scale))

    def form_width(self) -> int:
        """Return the width in pixels at which the form can be read: its longest label, and a field beside it."""
        rows = self.rows
        labels = (rows.itemAt(row, QFormLayout.ItemRole.LabelRole) for row in range(rows.rowCount()))
        widest = max(item.widget().sizeHint().width() for item in labels if item is not None)
        frame = rows.contentsMargins().left() + rows.contentsMargins().right() + rows.horizontalSpacing()
        bar = self.form_area.verticalScrollBar().sizeHint().width()
        letters = _FIELD_LETTERS * self.theme.fontMetrics().averageCharWidth()
        return int(widest + frame + _width_with(self.theme, letters) + bar)

    def few_fields_height(self) -> int:
        """Return the height in pixels of the fields of the form that are seen at least."""
        return _FEW_FIELDS * int(self.theme.sizeHint().height() + self.rows.verticalSpacing())

    def _size_width(self) -> int:
        """Return the width in pixels at which paper and orientation can be read beside each other."""
        measure = self.orientation.fontMetrics().horizontalAdvance
        turns = max(measure(_orientation_label(turn)) for turn in Orientation)
        return int(self.paper.sizeHint().width()) + 3 + _width_with(self.orientation, turns)

    def _arrange_size(self) -> None:
        """Put the orientation below the paper where it would be cut beside it."""
        directions = QBoxLayout.Direction
        self._size.setDirection(directions.LeftToRight if self.choices.width() >= self._size_width()
                                else directions.TopToBottom)

    def page(self) -> PageSetup:
        return PageSetup(self.paper.currentData(), Orientation(self.orientation.currentData()),
                         self.template.currentData(), rotation=self._rotation, theme=self.theme.currentData())

    def set_templates(self, available: Sequence[templates.Template]) -> None:
        """Offer layout templates and an entry that browses for a file."""
        self._templates = {template.name: template for template in available}
        self.template.blockSignals(True)
        self.template.clear()
        for template in available:
            self.template.addItem(template.title, template.name)
        self.template.addItem(tr("Browse…"), _BROWSE)
        self.template.setCurrentIndex(max(0, self.template.findData(self._template_name)))
        self.template.blockSignals(False)

    def show_share(self, share: Optional[float], is_fitted: bool = False) -> None:
        """Show how much of the page's map is filled, from 0 to 1, and that nobody has placed the page.

        None if the share is unknown.
        """
        percent = "" if share is None else _percent(share)
        text = share_text = tr("Fills {percent}", percent=percent) if percent else ""
        if is_fitted:
            text = " · ".join(filter(None, (tr("Fitted"), text)))
        whole = tr("{percent} of the map on the page is drawn", percent=percent) if percent else ""
        # the summary says that it is fitted, too
        self.meter.show_text(text, f"{text}\n{whole}".strip(), share_text)

    def select_template_file(self, path: Path) -> None:
        self._add_template(templates.user_template(path))
        self.template.setCurrentIndex(self.template.findData(str(path)))

    def _add_template(self, template: templates.Template) -> None:
        if template.name not in self._templates:
            self._templates[template.name] = template
            self.template.blockSignals(True)
            self.template.insertItem(self.template.count() - 1, template.title, template.name)
            self.template.blockSignals(False)

    def _template_chosen(self) -> None:
        if self.template.currentData() == _BROWSE:
            self.template.blockSignals(True)
            self.template.setCurrentIndex(max(0, self.template.findData(self._template_name)))
            self.template.blockSignals(False)
            path = existing_file(self, tr("Choose a layout template"), str(template_loading.templates_folder()),
                                 tr("QGIS layout templates") + " (*.qpt)")
            if path:
                self.select_template_file(Path(path))
            return
        self._template_name = str(self.template.currentData())
        self._show_features()
        self._show_paper_sizes(self.paper.currentData(), Orientation(self.orientation.currentData()))
        self.page_changed.emit(self.page())

    def _size_chosen(self) -> None:
        self._show_paper_sizes(self.paper.currentData(), Orientation(self.orientation.currentData()))
        self.page_changed.emit(self.page())

    def _scale_chosen(self) -> None:
        if self.scale.currentData() == _OTHER_SCALE:
            self._select_scale()
            self.extent_changed.emit(ExtentMode.CENTRE)
            return
        self._scale = self.scale.currentData()
        self.scale_changed.emit(self._scale)

    def _select_scale(self) -> None:
        self.scale.blockSignals(True)
        self.scale.setCurrentIndex(max(0, self.scale.findData(self._scale)))
        self.scale.blockSignals(False)

    def _share_words(self, scale: float) -> str:
        share = self.share_at(scale)
        return "" if share is None else tr("fills up to {percent}", percent=_percent(share))

    def _rotate(self, degrees: float) -> None:
        self._rotation = degrees % 360
        self.page_changed.emit(self.page())

    def _show_paper_sizes(self, paper: str, orientation: Orientation) -> None:
        """Offer only the papers of the template. A template file defines its own paper."""
        template = self._templates.get(self._template_name)
        sizes = template.sizes if template is not None else ()
        papers = [name for name in templates.PAPERS if any(size[0] == name for size in sizes)]
        if papers:
            self._set_choices(self.paper, [(name, name) for name in papers], paper)
        orientations = [size[1] for size in sizes if size[0] == self.paper.currentData()]
        if orientations:
            self._set_choices(self.orientation, [(_orientation_label(turn), turn.value) for turn in orientations],
                              orientation.value)
        for combo in (self.paper, self.orientation, self.theme):
            combo.setEnabled(bool(sizes))

    @staticmethod
    def _set_choices(combo: QComboBox, choices: Sequence[tuple[str, str]], value: str) -> None:
        combo.blockSignals(True)
        if [combo.itemData(number) for number in range(combo.count())] != [data for _, data in choices]:
            combo.clear()
            for label, data in choices:
                combo.addItem(label, data)
        combo.setCurrentIndex(max(0, combo.findData(value)))
        combo.blockSignals(False)

    def show_page(self, page: PageSetup, mode: ExtentMode, scale: Optional[float], crs: str,
                  language: str = "en") -> None:
        """Show the page of the map without emitting signals. ``scale`` is a denominator, None to fit the page."""
        if mode is ExtentMode.CUSTOM and self.extent.findData(mode) < 0:
            self.extent.blockSignals(True)
            self.extent.addItem(_extent_label(mode), mode)
            self.extent.blockSignals(False)
        if scale and self.scale.findData(float(scale)) < 0:
            self.scale.blockSignals(True)
            listed = [self.scale.itemData(number) for number in range(1, self.scale.count() - 1)]
            self.scale.insertItem(1 + sum(other < scale for other in listed), format_scale(scale), float(scale))
            self.scale.blockSignals(False)
        if self.theme.findData(page.theme) < 0:
            self.theme.blockSignals(True)
            self.theme.addItem(theme_title(page.theme), page.theme)
            self.theme.blockSignals(False)
        if self.language.findData(language) < 0:
            self.language.blockSignals(True)
            self.language.addItem(language, language)
            self.language.blockSignals(False)
        if templates.is_user_template(page.template):
            self._add_template(templates.user_template(Path(page.template)))
        self._template_name = page.template if page.template in self._templates else "guide"
        self._show_paper_sizes(page.paper, page.orientation)
        self._show_features()
        for form in self.features.values():
            form.show_value(getattr(page, form.feature.member))
        if not self.form_area.isHidden():
            self.refresh_features()
        self.rotation.blockSignals(True)
        self.rotation.setValue(page.rotation)
        self._rotation = page.rotation
        self.rotation.blockSignals(False)
        for combo, value in ((self.language, language), (self.template, self._template_name), (self.extent, mode),
                             (self.theme, page.theme)):
            combo.blockSignals(True)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            combo.blockSignals(False)
        self._scale = float(scale) if scale else None
        self._select_scale()
        template = self._templates.get(self._template_name)
        named = template.title if template is not None and template.name != "guide" else ""
        size = "" if template is not None and template.is_user_made else \
            f"{self.paper.currentText()} {self.orientation.currentText().lower()}"
        wanted = format_scale(scale) if scale else tr("fitted")
        if scale and mode is ExtentMode.FITTED:
            wanted = tr("{scale}, fitted", scale=wanted)
        if scale and is_in_degrees(crs):
            wanted = tr("{scale} along the parallel", scale=wanted)
        turned = format_angle(page.rotation) if page.rotation else ""
        # in a narrow dock, what the choices and the picture above show gives way, and the scale last
        facts = ((named, size, wanted, turned, crs), (named, size, wanted, turned), (size, wanted, turned),
                 (wanted, turned), (format_scale(scale) if scale else wanted,))
        self.summary.show_text(*dict.fromkeys(" · ".join(filter(None, some)) for some in facts))
        self.summary.setAccessibleName(tr("Page: {words}", words=self.summary.text()))
        self.summary.setToolTip(inert(f"{self.summary.text()}\n{tr('Template, extent, rotation and language')}"))

    def _show_form(self, on: bool) -> None:
        if on:
            # templates may have been added to the folder
            installed = templates.all_templates()
            names = {template.name for template in installed}
            elsewhere = [template for template in self._templates.values()
                         if template.is_user_made and template.name not in names]
            self.set_templates([*installed, *elsewhere])
        self.form_area.setVisible(on)
        if on:
            self.refresh_features()
        self.summary.setArrowType(Qt.ArrowType.DownArrow if on else Qt.ArrowType.RightArrow)

    def _add_feature(self, form: PageForm, rows: QFormLayout) -> None:
        name = form.feature.name
        form.changed.connect(lambda value: self.feature_changed.emit(name, value))
        if form.label():
            label = PlainLabel(form.label())
            label.setBuddy(form.buddy())
            rows.addRow(label, form)
        else:
            rows.addRow(form)
        self.features[name] = form

    def attach(self, map_controller: MapController, notifier: Notifier, prompts: Prompts) -> None:
        """Give the forms of page features what they need of the map."""
        for form in self.features.values():
            form.attach(map_controller, notifier, prompts)

    def refresh_features(self) -> None:
        """Let the forms of page features show what depends on the rest of the map."""
        for form in self.features.values():
            form.refresh()

    def stop_features(self) -> None:
        """End what forms of page features read for the map."""
        for form in self.features.values():
            form.stop()

    def _show_features(self) -> None:
        """Show the forms of the features that a page of the chosen template has."""
        for form in self.features.values():
            is_shown = form.feature.template in ("", self._template_name)
            form.setVisible(is_shown)
            label = self.rows.labelForField(form)
            if label is not None:
                label.setVisible(is_shown)

    def _combo(self, name: str, choices: Sequence[tuple[str, object]]) -> QComboBox:
        combo = narrow_combo_box(name)
        for label, value in choices:
            combo.addItem(label, value)
        return combo


def _percent(share: float) -> str:
    """Return a share (0 to 1) in whole percent, never more than it is."""
    return f"{math.floor(share * 100 + 1e-6)}\u202f%"


def _width_with(box: QComboBox, width: int) -> int:
    """Return the width in pixels at which a text ``width`` pixels wide can be read in ``box``.

    A theme may pad it.
    """
    option = QStyleOptionComboBox()
    option.initFrom(box)
    size = box.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, QSize(width, 1), box)
    return max(width + _ARROW, int(size.width()) + 2)


def _orientation_label(orientation: Orientation) -> str:
    return {Orientation.LANDSCAPE: tr("Landscape"), Orientation.PORTRAIT: tr("Portrait")}[orientation]


def _extent_label(mode: ExtentMode) -> str:
    return {ExtentMode.CANVAS: tr("Map canvas"), ExtentMode.RECORD: tr("Selected record"),
            ExtentMode.ALL_SERVICES: tr("All services"), ExtentMode.CUSTOM: tr("Custom"),
            ExtentMode.FITTED: tr("Fitted automatically"),
            ExtentMode.POLYGON: tr("A polygon layer…"), ExtentMode.CENTRE: tr("Centre and scale…")}[mode]

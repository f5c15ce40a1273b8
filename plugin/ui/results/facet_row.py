"""Line of chips above the list: the results by facets, with counts, and filters that a click sets."""

from __future__ import annotations

from functools import partial
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QObject, QSize, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent, QWheelEvent
from qgis.PyQt.QtWidgets import QFrame, QHBoxLayout, QMenu, QScrollArea, QSizePolicy, QToolButton, QWidget

from ...app.phrases import COLLECTION, facet_label, facet_value_label, group_equivalent_values
from ...core.i18n import tr
from ...core.library.query import Facet, FacetCounts, SortOrder
from ...core.text import inert
from ..widgets.form_widgets import fill_layout
from ..widgets.labels import PlainLabel
from ..widgets.theme import icon, make_muted, scale_font

#: width of an arrow and space between the widgets, in pixels
_ARROW_WIDTH, _SPACING = 16, 4
#: part of the visible width by which an arrow scrolls
_ARROW_STEP = 0.7
#: facets whose values are always chips, and those in the menu, each in the order in which they are shown
_CHIP_FACETS = (Facet.KIND,)
_MENU_FACETS = (Facet.LICENCE, Facet.YEAR, Facet.ORGANISATION, Facet.KEYWORD, Facet.SERVICE_TYPE, Facet.SOURCE)
#: entries of one submenu
_MAX_MENU_ENTRIES = 25
_MAX_LABEL_LENGTH = 34


class SidewaysArea(QWidget):
    """Line of widgets as high as the highest of them. The arrows are shown only where not all widgets fit."""

    def __init__(self, left_label: str, right_label: str, parent: Optional[QWidget] = None) -> None:
        """``left_label`` and ``right_label`` name the arrows, for the tooltip and for screen readers."""
        super().__init__(parent)
        self.line = QWidget()
        self._layout = QHBoxLayout(self.line)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(_SPACING)
        self._layout.addStretch(1)
        self.area = _WheelArea()
        self.area.setWidget(self.line)
        self.left = self._make_arrow(Qt.ArrowType.LeftArrow, left_label, -1)
        self.right = self._make_arrow(Qt.ArrowType.RightArrow, right_label, 1)
        fill_layout(QHBoxLayout(self), self.left, self.area, self.right, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line.installEventFilter(self)
        # not while the layout places them: it would go on with the places of before
        self._arrows_timer = QTimer(self)
        self._arrows_timer.setSingleShot(True)
        self._arrows_timer.setInterval(0)
        self._arrows_timer.timeout.connect(self._update_arrows)
        bar = self.area.horizontalScrollBar()
        bar.valueChanged.connect(lambda _value: self._arrows_timer.start())
        bar.rangeChanged.connect(lambda _low, _high: self._arrows_timer.start())
        self._update_arrows()

    def add_widget(self, widget: QWidget) -> None:
        self.insert_widget(self._layout.count() - 1, widget)

    def insert_widget(self, index: int, widget: QWidget) -> None:
        """Insert a widget as number ``index`` from the left. It is scrolled into sight when it gets the focus."""
        self._layout.insertWidget(index, widget)
        widget.installEventFilter(self)

    def show_widget_later(self, widget: QWidget) -> None:
        """Scroll ``widget`` into sight once it has its place."""
        QTimer.singleShot(0, lambda: None if sip.isdeleted(widget) else self._show_widget(widget))

    def scroll_to_start(self) -> None:
        self.area.horizontalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: all widgets side by side."""
        return self.line.sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: the arrows and a little of the line, as high as the line."""
        return QSize(4 * _ARROW_WIDTH, self.line.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Qt: show or hide the arrows."""
        super().resizeEvent(event)
        self._arrows_timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Qt: follow the size of the line, and show the widget that gets the focus."""
        if watched is self.line and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._arrows_timer.start()
        elif event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self._show_widget(watched)
        return bool(super().eventFilter(watched, event))

    def _make_arrow(self, arrow: Qt.ArrowType, label: str, direction: int) -> QToolButton:
        button = QToolButton()
        button.setArrowType(arrow)
        button.setAutoRaise(True)
        button.setAutoRepeat(True)
        button.setFixedWidth(_ARROW_WIDTH)
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        # the keyboard reaches what the arrow leads to by Tab
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(inert(label))
        button.setAccessibleName(label)
        button.clicked.connect(lambda _checked=False: self._scroll(direction))
        return button

    def _scroll(self, direction: int) -> None:
        bar = self.area.horizontalScrollBar()
        bar.setValue(bar.value() + round(direction * _ARROW_STEP * self.area.viewport().width()))

    def _show_widget(self, widget: QWidget) -> None:
        self.area.ensureWidgetVisible(widget, 2 * _SPACING, 0)

    def _update_arrows(self) -> None:
        # by the width without arrows: those that are shown take room, which must not decide whether they are shown
        too_wide = self.line.sizeHint().width() > self.width()
        bar = self.area.horizontalScrollBar()
        for button, can_scroll in ((self.left, bar.value() > bar.minimum()), (self.right, bar.value() < bar.maximum())):
            button.setVisible(too_wide)
            button.setEnabled(can_scroll)


class _WheelArea(QScrollArea):
    """Scroll area without scroll bars, as high as its widget, which a wheel in either direction scrolls sideways."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: any width, as high as the widget."""
        return QSize(0, self.widget().sizeHint().height() if self.widget() is not None else 0)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802
        """Qt: scroll sideways."""
        turned = event.angleDelta().x() or event.angleDelta().y()
        bar = self.horizontalScrollBar()
        if not turned or bar.maximum() <= bar.minimum():
            event.ignore()
            return
        bar.setValue(bar.value() - round(turned / 120 * bar.singleStep() * 3))
        event.accept()


class FacetRow(QWidget):
    """Holds the filters of the list. ``changed`` is emitted when facets, collection, map view or order change.

    It is one line at every width. The number of records and the chips scroll sideways where they do not fit. The menu
    of the filters and that of the order are always in sight.
    """

    changed = pyqtSignal()
    extents_toggled = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.selected: Dict[str, Tuple[str, ...]] = {}
        #: name of the collection that filters, or ""
        self.collection = ""
        self.sort = SortOrder.RELEVANCE
        self._counts: Mapping[str, Sequence[Tuple[str, int]]] = {}
        self._sources: Mapping[str, Tuple[str, str]] = {}
        self._counts_exact = True
        self._chips: Dict[Tuple[str, str], QToolButton] = {}
        self.total = PlainLabel()
        scale_font(self.total, 0.9)
        make_muted(self.total)
        self.in_view_chip = self._make_chip(tr("In current view"), tr("Only records whose extent is in the map "
                                                                      "canvas"))
        self.in_view_chip.toggled.connect(lambda _on: self.changed.emit())
        self.extents = self._make_chip(tr("Show extents"), tr("Draw the extents of the results on the map canvas"))
        # it is not a filter, and its text would need a second line, as that of the order
        self.extents.setIcon(icon("extents"))
        self.extents.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.extents.toggled.connect(self.extents_toggled)
        self.filter_button = self._make_menu_button(tr("Filter"),
                                                    tr("Filter by terms, year, organisation, keyword, source or "
                                                       "collection"))
        self.filter_button.menu().aboutToShow.connect(self._fill_filter_menu)
        self.order = self._make_menu_button("", "")
        self.order.setIcon(icon("sort"))
        self.order.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.order.menu().aboutToShow.connect(self._fill_order)
        #: filled by its owner, and shown in the menu of the filters
        self.collections = QMenu(tr("Collections"), self)
        self._folded = False
        self._map_available = True
        self.chips_area = SidewaysArea(tr("Filters to the left"), tr("Filters to the right"))
        for widget in (self.total, self.in_view_chip, self.extents):
            self.chips_area.add_widget(widget)
        fill_layout(QHBoxLayout(self), self.chips_area, self.filter_button, self.order, spacing=2, wide=self.chips_area)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._show_order()

    def set_map_available(self, available: bool) -> None:
        """Show the filters by the map canvas only if there is one."""
        self._map_available = available
        self._show_unfolded()

    def set_folded(self, folded: bool) -> None:
        """Hide the filters that are not set. The number of records and the filters that are set stay in sight."""
        self._folded = folded
        self._show_unfolded()

    def _show_unfolded(self) -> None:
        """Show or hide each control: one that filters is never hidden."""
        controls = (self.in_view_chip, self.extents, self.filter_button, self.order)
        for chip in (*self._chips.values(), *controls):
            on_map = chip in (self.in_view_chip, self.extents)
            chip.setVisible((not self._folded or chip.isChecked()) and (self._map_available or not on_map))
        self.updateGeometry()

    def clear(self) -> None:
        """Clear all filters without emitting ``changed``."""
        self.selected = {}
        self.collection = ""
        self.in_view_chip.blockSignals(True)
        self.in_view_chip.setChecked(False)
        self.in_view_chip.blockSignals(False)
        self._show_chips()
        self.chips_area.scroll_to_start()

    def restore(self, chosen: Mapping[str, Tuple[str, ...]], collection: str, sort: str) -> None:
        """Set filters and order without emitting ``changed``."""
        self.selected = {facet: values for facet, values in chosen.items() if facet in tuple(Facet)}
        self.collection = collection
        self.sort = next((order for order in SortOrder if order.value == sort), SortOrder.RELEVANCE)
        self._show_order()
        self._show_chips()

    def show_counts(self, counts: FacetCounts, sources: Mapping[str, Tuple[str, str]],
                    local_count: Optional[int] = None, exact: bool = True) -> None:
        """Show how many records were found, by facet.

        ``local_count`` of them are in the library (all by default). The others were returned by catalogues, which may
        have more unless the counts are ``exact``. ``sources`` has kind and title of each source by its key.
        """
        local_count = counts.total if local_count is None else local_count
        self._counts, self._sources, self._counts_exact = counts.facets, sources, exact
        text = tr("%n record(s)", n=counts.total) if exact else \
            tr("at least %n record(s)", n=counts.total) if counts.total else tr("none so far")
        self.total.setText(text)
        hint = tr("%n in your records", n=local_count)
        if counts.total > local_count or not exact:
            hint += "\n" + tr("%n from catalogues", n=counts.total - local_count)
        if not exact:
            hint += "\n" + tr("The catalogues have not returned everything. The counts are of the records received so "
                              "far.")
        self.total.setToolTip(inert(hint))
        self.total.setAccessibleDescription(hint)
        self._show_chips()

    # -- chips

    def _make_chip(self, label: str, hint: str = "") -> QToolButton:
        chip = _Chip()
        chip.setCheckable(True)
        chip.setText(label)
        chip.setToolTip(inert(hint or label))
        chip.setAccessibleName(label)
        scale_font(chip, 0.9)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return chip

    def _make_menu_button(self, label: str, hint: str) -> QToolButton:
        button = self._make_chip(label, hint)
        button.setCheckable(False)
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(QMenu(button))
        return button

    def _show_chips(self) -> None:
        chips: List[Tuple[str, str, Optional[int]]] = []
        for facet in (*_CHIP_FACETS, *_MENU_FACETS):
            counts = dict(self._counts.get(facet, ()))
            values = list(counts) if facet in _CHIP_FACETS else []
            values += [value for value in self.selected.get(facet, ()) if value not in values]
            for group in group_equivalent_values(facet, values):
                known = [counts[value] for value in group if value in counts]
                chips.append((facet, group[0], sum(known) if known else None))
        chips += [(COLLECTION, self.collection, None)] if self.collection else []
        before = list(self._chips)
        for key in before:
            if key not in [(facet, value) for facet, value, _ in chips]:
                chip = self._chips.pop(key)
                chip.hide()
                chip.deleteLater()
        for facet_name, value, count in chips:
            self._show_chip(facet_name, value, count)
        self._show_unfolded()

    def _show_chip(self, facet: str, value: str, count: Optional[int]) -> None:
        chip = self._chips.get((facet, value))
        if chip is None:
            chip = self._chips[(facet, value)] = self._make_chip("")
            chip.clicked.connect(lambda on, facet=facet, value=value: self.set_value(facet, value, on))
            self._insert_chip(chip)
        label = facet_value_label(facet, value, self._sources)
        chip.setText(f"{_truncated(label)}{f' {self._count_text(count)}' if count is not None else ''}")
        chip.setToolTip(inert(f"{facet_label(facet)}: {label}"))
        accessible_count = "" if count is None else f" {count:n}" if self._counts_exact else \
            f", {tr('at least {count}', count=f'{count:n}')}"
        chip.setAccessibleName(f"{facet_label(facet)}: {label}{accessible_count}")
        chip.setChecked(facet == COLLECTION or value in self.selected.get(facet, ()))

    def _count_text(self, count: int) -> str:
        return f"{count:n}" if self._counts_exact else f"≥ {count:n}"

    def _insert_chip(self, chip: QToolButton) -> None:
        """Insert a chip behind the others, also in the tab order."""
        others = [other for other in self._chips.values() if other is not chip]
        self.chips_area.insert_widget(1 + len(others), chip)
        before: QWidget = others[-1] if others else self.in_view_chip.previousInFocusChain()
        # Qt passes over an order that names a widget without focus
        while before.focusPolicy() == Qt.FocusPolicy.NoFocus and before is not self.in_view_chip:
            before = before.previousInFocusChain()
        if before is not self.in_view_chip:
            QWidget.setTabOrder(before, chip)

    def set_value(self, facet: str, value: str, on: bool) -> None:
        """Set or clear a facet's value as a filter."""
        if facet == COLLECTION:
            self.set_collection(value if on else "")
            return
        same = self._equivalent_values(facet, value)
        values = [other for other in self.selected.get(facet, ()) if other not in same]
        if on:
            values += same
        self.selected = {**self.selected, facet: tuple(values)}
        if not values:
            del self.selected[facet]
        self._show_chips()
        if on and (facet, same[0]) in self._chips:
            self.chips_area.show_widget_later(self._chips[(facet, same[0])])
        elif not self.selected:
            self.chips_area.scroll_to_start()
        self.changed.emit()

    def _equivalent_values(self, facet: str, value: str) -> Tuple[str, ...]:
        """Return ``value`` and the other values that have the same label."""
        known = dict.fromkeys((value, *self.selected.get(facet, ()), *dict(self._counts.get(facet, ()))))
        return next(group for group in group_equivalent_values(facet, known) if value in group)

    def toggle_only_value(self, facet: str, value: str) -> None:
        """Filter by this value of the facet alone, or clear the facet if that is so already."""
        same = self._equivalent_values(facet, value)
        alone = set(self.selected.get(facet, ())) == set(same)
        self.selected = {name: values for name, values in self.selected.items() if name != facet}
        if not alone:
            self.selected[facet] = same
        self._show_chips()
        self.changed.emit()

    def set_collection(self, name: str) -> None:
        """Filter by the collection ``name``. "" clears the filter."""
        self.collection = name
        self._show_chips()
        self.changed.emit()

    # -- menus

    def _fill_filter_menu(self) -> None:
        menu = self.filter_button.menu()
        menu.clear()
        for facet in _MENU_FACETS:
            counts = dict(self._counts.get(facet, ()))
            rows = [(group[0], sum(counts[value] for value in group))
                    for group in group_equivalent_values(facet, counts)]
            rows = sorted(rows, key=lambda row: -row[1])[:_MAX_MENU_ENTRIES]
            if facet == Facet.YEAR:
                rows.sort(reverse=True)
            if not rows:
                continue
            submenu = menu.addMenu(facet_label(facet))
            for value, count in rows:
                label = facet_value_label(facet, value, self._sources)
                action = submenu.addAction(f"{_truncated(label)}  {self._count_text(count)}".replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(value in self.selected.get(facet, ()))
                action.triggered.connect(partial(self.set_value, facet, value))
        if menu.isEmpty():
            menu.addAction(tr("No filters available")).setEnabled(False)
        menu.addSeparator()
        menu.addMenu(self.collections)

    def _fill_order(self) -> None:
        menu = self.order.menu()
        menu.clear()
        for sort in SortOrder:
            action = menu.addAction(_sort_label(sort))
            action.setCheckable(True)
            action.setChecked(sort == self.sort)
            action.triggered.connect(lambda _on, sort=sort: self.set_sort(sort))

    def set_sort(self, sort: SortOrder) -> None:
        self.sort = sort
        self._show_order()
        self.changed.emit()

    def _show_order(self) -> None:
        name = tr("Order: {order}", order=_sort_label(self.sort))
        self.order.setText(_sort_label(self.sort))
        self.order.setToolTip(inert(name))
        self.order.setAccessibleName(name)


class _Chip(QToolButton):
    """Low button, so that the list has room. Its height follows its font, which QGIS's style sheet sets later."""

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the width of a button, and the height of its text."""
        return QSize(super().sizeHint().width(), self.fontMetrics().height() + 6)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: as preferred."""
        return self.sizeHint()


def _sort_label(sort: SortOrder) -> str:
    return {SortOrder.TITLE: tr("Title"), SortOrder.DATE: tr("Newest first")}.get(sort, tr("Relevance"))


def _truncated(text: str) -> str:
    return text if len(text) <= _MAX_LABEL_LENGTH else text[:_MAX_LABEL_LENGTH - 1].rstrip() + "…"

"""Chips above the list: what the results are made of, with counts; a click narrows the search to it."""

from __future__ import annotations

from functools import partial
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from ..core.i18n import tr
from ..core.store.query import SORTS, Counts
from .flow_layout import FlowLayout
from .theme import make_quiet, scaled_font
from .words import service_type_words

#: facets whose values are chips from the start, and those that wait in a menu
_CHIPS = ("kind",)
_COLLECTION = "collection"
_IN_MENU = ("licence", "year", "organisation", "keyword", "service_type", "source")
#: a menu with more lines is no help
_MOST_IN_MENU = 25
_LONGEST = 34
#: pixels
_NARROW_DOCK = 320


class FacetRow(QWidget):
    """``changed``: the facets, the map's view or the order are others now. ``counts`` are shown as they come."""

    changed = pyqtSignal()
    extents_wanted = pyqtSignal(bool)

    def __init__(self, parent: Optional[QWidget] = None) -> None:
        super().__init__(parent)
        self.chosen: Dict[str, Tuple[str, ...]] = {}
        #: the named set that narrows, or ""
        self.collection = ""
        self.sort = SORTS[0]
        self._counts: Mapping[str, Sequence[Tuple[str, int]]] = {}
        self._sources: Mapping[str, Tuple[str, str]] = {}
        self._chips: Dict[Tuple[str, str], QToolButton] = {}
        self.total = QLabel()
        self.total.setFont(scaled_font(self, 0.9))
        make_quiet(self.total)
        self.view = self._chip(tr("In the map’s view"), tr("Only records of what the map window shows"))
        self.view.toggled.connect(lambda _on: self.changed.emit())
        self.extents = self._chip(tr("On the map"), tr("Draw the extents of the results on the map"))
        self.extents.toggled.connect(self.extents_wanted)
        self.more = self._menu_button(tr("Narrow"), tr("Narrow by terms, year, organisation, keyword or source"))
        self.more.menu().aboutToShow.connect(self._fill_more)
        self.order = self._menu_button("", tr("Order of the results"))
        self.order.menu().aboutToShow.connect(self._fill_order)
        self.total.setMinimumHeight(self.view.sizeHint().height())
        self._flow = FlowLayout(self)
        self.collections = self._menu_button(tr("Collections"), tr("Sets of records that you name and keep"))
        self._standing = (self.view, self.extents, self.more, self.order, self.collections)
        for widget in (self.total, *self._standing):
            self._flow.addWidget(widget)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._say_order()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Qt: the lines that a narrow dock needs; one chip a line would make QGIS's window taller than a laptop."""
        return QSize(_NARROW_DOCK, self.heightForWidth(_NARROW_DOCK))

    def offer_map(self, there: bool) -> None:
        """Whether there is a map window to speak of."""
        self.view.setVisible(there)
        self.extents.setVisible(there)

    def clear(self) -> None:
        """Take away everything that narrows; nobody is told."""
        self.chosen = {}
        self.collection = ""
        self.view.blockSignals(True)
        self.view.setChecked(False)
        self.view.blockSignals(False)
        self._show_chips()

    def show_counts(self, counts: Counts, sources: Mapping[str, Tuple[str, str]]) -> None:
        """Show how many records were found, and what they are."""
        self._counts, self._sources = counts.facets, sources
        self.total.setText(tr("%n record(s)", n=counts.total))
        self._show_chips()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Qt: as narrow as the dock may be."""
        return QSize(120, self._flow.heightForWidth(max(self.width(), 120)))

    # -- chips

    def _chip(self, words: str, hint: str = "") -> QToolButton:
        chip = QToolButton()
        chip.setCheckable(True)
        chip.setText(words)
        chip.setToolTip(hint or words)
        chip.setAccessibleName(words)
        chip.setFont(scaled_font(self, 0.9))
        # a low line: the list needs the room
        chip.setFixedHeight(chip.fontMetrics().height() + 6)
        chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        return chip

    def _menu_button(self, words: str, hint: str) -> QToolButton:
        button = self._chip(words, hint)
        button.setCheckable(False)
        button.setAutoRaise(True)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(QMenu(button))
        return button

    def _show_chips(self) -> None:
        """One chip for each kind of record, and for whatever else narrows now."""
        wanted: List[Tuple[str, str, Optional[int]]] = []
        for facet in (*_CHIPS, *_IN_MENU):
            counts = dict(self._counts.get(facet, ()))
            values = list(counts) if facet in _CHIPS else []
            values += [value for value in self.chosen.get(facet, ()) if value not in values]
            wanted += [(facet, value, counts.get(value)) for value in values]
        wanted += [(_COLLECTION, self.collection, None)] if self.collection else []
        before = list(self._chips)
        for key in before:
            if key not in [(facet, value) for facet, value, _ in wanted]:
                chip = self._chips.pop(key)
                self._flow.removeWidget(chip)
                chip.hide()
                chip.deleteLater()
        for facet, value, count in wanted:
            self._show_chip(facet, value, count)
        self.updateGeometry()

    def _show_chip(self, facet: str, value: str, count: Optional[int]) -> None:
        chip = self._chips.get((facet, value))
        if chip is None:
            chip = self._chips[(facet, value)] = self._chip("")
            chip.clicked.connect(lambda on, facet=facet, value=value: self.choose(facet, value, on))
            self._put_before_view(chip)
        words = value_words(facet, value, self._sources)
        number = f" {count:n}" if count is not None else ""
        chip.setText(f"{_short(words)}{number}")
        chip.setToolTip(f"{facet_words(facet)}: {words}")
        chip.setAccessibleName(f"{facet_words(facet)}: {words}{number}")
        chip.setChecked(facet == _COLLECTION or value in self.chosen.get(facet, ()))

    def _put_before_view(self, chip: QToolButton) -> None:
        """In front of the chips that always stand there; the tab order goes the same way."""
        standing = [self._flow.takeAt(self._flow.count() - 1) for _ in self._standing]
        last = self._flow.itemAt(self._flow.count() - 1)
        self._flow.addWidget(chip)
        for item in reversed(standing):
            if item is not None:
                self._flow.addItem(item)
        if last is not None and last.widget() is not self.total:
            QWidget.setTabOrder(last.widget(), chip)
        QWidget.setTabOrder(chip, self.view)

    def choose(self, facet: str, value: str, on: bool) -> None:
        """Let ``value`` narrow the search, or no longer."""
        if facet == _COLLECTION:
            self.choose_collection(value if on else "")
            return
        values = [other for other in self.chosen.get(facet, ()) if other != value]
        if on:
            values.append(value)
        self.chosen = {**self.chosen, facet: tuple(values)}
        if not values:
            del self.chosen[facet]
        self._show_chips()
        self.changed.emit()

    def choose_collection(self, name: str) -> None:
        """Let the collection ``name`` narrow the search; "": none."""
        self.collection = name
        self._show_chips()
        self.changed.emit()

    # -- menus

    def _fill_more(self) -> None:
        menu = self.more.menu()
        menu.clear()
        for facet in _IN_MENU:
            counts = list(self._counts.get(facet, ()))[:_MOST_IN_MENU]
            if facet == "year":
                counts.sort(reverse=True)
            if not counts:
                continue
            below = menu.addMenu(facet_words(facet))
            for value, count in counts:
                words = value_words(facet, value, self._sources)
                action = below.addAction(f"{_short(words)}  {count:n}".replace("&", "&&"))
                action.setCheckable(True)
                action.setChecked(value in self.chosen.get(facet, ()))
                action.triggered.connect(partial(self.choose, facet, value))
        if menu.isEmpty():
            menu.addAction(tr("Nothing to narrow by")).setEnabled(False)

    def _fill_order(self) -> None:
        menu = self.order.menu()
        menu.clear()
        for sort in SORTS:
            action = menu.addAction(_sort_words(sort))
            action.setCheckable(True)
            action.setChecked(sort == self.sort)
            action.triggered.connect(lambda _on, sort=sort: self.order_by(sort))

    def order_by(self, sort: str) -> None:
        """Put the results in another order: "relevance", "title" or "date"."""
        self.sort = sort
        self._say_order()
        self.changed.emit()

    def _say_order(self) -> None:
        self.order.setText(_sort_words(self.sort))
        self.order.setAccessibleName(tr("Order: {order}", order=_sort_words(self.sort)))


def facet_words(facet: str) -> str:
    """What a facet is called."""
    return {"kind": tr("Kind"), "licence": tr("Terms"), "year": tr("Year"), "organisation": tr("Organisation"),
            "keyword": tr("Keyword"), "service_type": tr("Kind of service"), "source": tr("Source"),
            _COLLECTION: tr("Collection")}[facet]


def value_words(facet: str, value: str, sources: Mapping[str, Tuple[str, str]]) -> str:
    """A facet's value in words; ``sources`` has the sources' kinds and titles."""
    if facet == "kind":
        return {"service": tr("Services"), "dataset": tr("Datasets"), "series": tr("Series")}.get(
            value, tr("Other records"))
    if facet == "licence":
        return {"free": tr("Free"), "fees": tr("Fees apply"), "undecided": tr("Terms undecided")}.get(value, value)
    if facet == "service_type":
        return service_type_words(value)
    if facet == "source":
        return sources.get(value, ("", ""))[1] or value
    return value


def _sort_words(sort: str) -> str:
    return {"title": tr("By title"), "date": tr("Newest first")}.get(sort, tr("Best first"))


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[:_LONGEST - 1].rstrip() + "…"

"""Chips above the list: what the results are made of, with counts; a click narrows the search to it."""

from __future__ import annotations

from functools import partial
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from qgis.PyQt.QtCore import QSize, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from ..core.i18n import tr
from ..core.store.indexing import FACETS
from ..core.store.query import SORTS, Counts
from .facet_words import COLLECTION, alike, facet_words, value_words
from .flow_layout import FlowLayout
from .theme import make_quiet, scaled_font

#: facets whose values are chips from the start, and those that wait in a menu
_CHIPS = ("kind",)
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
        self._exact = True
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

    def restore(self, chosen: Mapping[str, Tuple[str, ...]], collection: str, sort: str) -> None:
        """Narrow and order as it was left; nobody is told."""
        self.chosen = {facet: values for facet, values in chosen.items() if facet in FACETS}
        self.collection = collection
        self.sort = sort if sort in SORTS else SORTS[0]
        self._say_order()
        self._show_chips()

    def show_counts(self, counts: Counts, sources: Mapping[str, Tuple[str, str]], own: Optional[int] = None,
                    exact: bool = True) -> None:
        """Show how many records were found, and what they are. ``own`` of them are kept; the others are what catalogues
        sent so far, who may have more unless the counts are ``exact``.
        """
        own = counts.total if own is None else own
        self._counts, self._sources, self._exact = counts.facets, sources, exact
        words = tr("%n record(s)", n=counts.total) if exact else \
            tr("at least %n record(s)", n=counts.total) if counts.total else tr("none so far")
        self.total.setText(words)
        hint = tr("%n of your own", n=own)
        if counts.total > own or not exact:
            hint += "\n" + tr("%n from catalogues", n=counts.total - own)
        if not exact:
            hint += "\n" + tr("The catalogues have not sent everything: the numbers count what is here.")
        self.total.setToolTip(hint)
        self.total.setAccessibleDescription(hint)
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
            for group in alike(facet, values):
                known = [counts[value] for value in group if value in counts]
                wanted.append((facet, group[0], sum(known) if known else None))
        wanted += [(COLLECTION, self.collection, None)] if self.collection else []
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
        chip.setText(f"{_short(words)}{f' {self._number(count)}' if count is not None else ''}")
        chip.setToolTip(f"{facet_words(facet)}: {words}")
        spoken = "" if count is None else f" {count:n}" if self._exact else \
            f", {tr('at least {count}', count=f'{count:n}')}"
        chip.setAccessibleName(f"{facet_words(facet)}: {words}{spoken}")
        chip.setChecked(facet == COLLECTION or value in self.chosen.get(facet, ()))

    def _number(self, count: int) -> str:
        return f"{count:n}" if self._exact else f"≥ {count:n}"

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
        if facet == COLLECTION:
            self.choose_collection(value if on else "")
            return
        same = self._same(facet, value)
        values = [other for other in self.chosen.get(facet, ()) if other not in same]
        if on:
            values += same
        self.chosen = {**self.chosen, facet: tuple(values)}
        if not values:
            del self.chosen[facet]
        self._show_chips()
        self.changed.emit()

    def _same(self, facet: str, value: str) -> Tuple[str, ...]:
        """``value`` and the others, of those found and those chosen, that are called the same."""
        known = dict.fromkeys((value, *self.chosen.get(facet, ()), *dict(self._counts.get(facet, ()))))
        return next(group for group in alike(facet, known) if value in group)

    def choose_only(self, facet: str, value: str) -> None:
        """Let ``value`` alone of its facet narrow the search; no longer, where it does already."""
        same = self._same(facet, value)
        alone = set(self.chosen.get(facet, ())) == set(same)
        self.chosen = {name: values for name, values in self.chosen.items() if name != facet}
        if not alone:
            self.chosen[facet] = same
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
            counts = dict(self._counts.get(facet, ()))
            rows = [(group[0], sum(counts[value] for value in group)) for group in alike(facet, counts)]
            rows = sorted(rows, key=lambda row: -row[1])[:_MOST_IN_MENU]
            if facet == "year":
                rows.sort(reverse=True)
            if not rows:
                continue
            below = menu.addMenu(facet_words(facet))
            for value, count in rows:
                words = value_words(facet, value, self._sources)
                action = below.addAction(f"{_short(words)}  {self._number(count)}".replace("&", "&&"))
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


def _sort_words(sort: str) -> str:
    return {"title": tr("By title"), "date": tr("Newest first")}.get(sort, tr("Best first"))


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[:_LONGEST - 1].rstrip() + "…"

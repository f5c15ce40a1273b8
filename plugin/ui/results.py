"""What the list shows: the results of the search box and of what narrows it, as they come; and which one is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple

from qgis.core import QgsProject
from qgis.gui import QgsMapCanvas
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QModelIndex, QObject, QTimer, pyqtSignal
from qgis.PyQt.QtWidgets import QAbstractItemView

from ..core.i18n import tr
from ..core.records.model import Record
from ..core.sources.weaving import RemoteHit, counted, weave
from ..core.store.query import Counts, Hit, Page, Query
from .map_extent import degrees
from .record_model import HitRole
from .result_extents import ResultExtents

if TYPE_CHECKING:
    from .dock import CartoguideDock

#: so long nothing more is typed before it is looked for; a newer search overtakes an older one
_REST_MILLISECONDS = 10
#: so long the map window rests before its view counts
_MAP_REST_MILLISECONDS = 200


class Results(QObject):
    """Connects search box, list and chosen record. ``shown`` tells the query whose first results are in the list,
    ``looked_for`` every query, ``chosen`` the result (None: a record that is not in the list) that is shown now.
    """

    shown = pyqtSignal(object)
    looked_for = pyqtSignal(object)
    chosen = pyqtSignal(object)

    def __init__(self, dock: CartoguideDock, canvas: Optional[QgsMapCanvas] = None) -> None:
        super().__init__(dock)
        self._dock = dock
        self._session = dock.session
        self._query = Query()
        self._chosen = ""
        #: what is chosen in a list that was not painted yet waits for that: keys are answered by the list
        self._following: Optional[Tuple[str, Record]] = None
        self._unpainted = False
        self._after_paint = QTimer(self)
        self._after_paint.setSingleShot(True)
        self._after_paint.setInterval(0)
        self._after_paint.timeout.connect(self._show_following)
        self._wanted = ""
        self._kept: List[Hit] = []
        self._remote: Sequence[Hit] = ()
        self._counts: Optional[Counts] = None
        self._more = False
        #: the search under way is no person's, and the list is to stay as it stands
        self._gentle = False
        #: records came in that the list does not know of
        self._stale = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MILLISECONDS)
        self._rest.timeout.connect(self.show)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(0)
        self._late.timeout.connect(self._catch_up)
        dock.search.textChanged.connect(lambda _text: self._rest.start())
        dock.model.more_wanted.connect(lambda _: self._session.search(self._query, len(self._kept)))
        dock.list.selectionModel().currentChanged.connect(self._current_changed)
        self._session.records_changed.connect(self.show)
        self._session.records_came.connect(self.refresh)
        dock.list.verticalScrollBar().valueChanged.connect(lambda _value: self._catch_up())
        dock.list.selectionModel().selectionChanged.connect(lambda *_: self._late.start())
        self._session.page_came.connect(self._page_came)
        self._session.record_came.connect(self._record_came)
        self._session.counted.connect(self._counted)
        dock.facets.changed.connect(self.show)
        dock.facets.offer_map(canvas is not None)
        self._canvas = canvas
        self.extents: Optional[ResultExtents] = None
        if canvas is not None:
            self._connect_map(canvas)

    def _connect_map(self, canvas: QgsMapCanvas) -> None:
        self._map_rest = QTimer(self)
        self._map_rest.setSingleShot(True)
        self._map_rest.setInterval(_MAP_REST_MILLISECONDS)
        self._map_rest.timeout.connect(self.show)
        canvas.extentsChanged.connect(self._map_moved)
        extents = self.extents = ResultExtents(canvas, self)
        self._dock.facets.extents_wanted.connect(extents.show)
        for change in (self._dock.model.modelReset, self._dock.model.rowsInserted):
            change.connect(lambda *_: extents.show_hits(self._dock.model.hits))
        self._dock.list.setMouseTracking(True)
        self._dock.list.entered.connect(lambda index: extents.mark(index.data(HitRole).identifier))
        self._dock.list.viewportEntered.connect(lambda: extents.mark(self._chosen))
        extents.pointed.connect(self._pointed)
        extents.clicked.connect(self.choose)

    def close(self) -> None:
        """Leave the map window as it was."""
        extents, self.extents = self.extents, None
        if extents is None:
            return
        self._map_rest.stop()
        extents.close()
        if self._canvas is not None and not sip.isdeleted(self._canvas):
            self._canvas.extentsChanged.disconnect(self._map_moved)

    @property
    def query(self) -> Query:
        """What is looked for now."""
        facets = self._dock.facets
        box = self._box() if facets.view.isChecked() else None
        return Query(self._dock.search.text(), box, dict(facets.chosen), facets.sort, facets.collection)

    def _box(self) -> Optional[tuple[float, float, float, float]]:
        canvas = self._canvas
        if canvas is None:
            return None
        seen = degrees(canvas.extent(), canvas.mapSettings().destinationCrs(), QgsProject.instance())
        return None if seen is None else (seen.west, seen.south, seen.east, seen.north)

    def _map_moved(self) -> None:
        if self._dock.facets.view.isChecked():
            self._map_rest.start()

    def _pointed(self, identifier: str) -> None:
        self._dock.list.point_at(self._dock.model.row_of(identifier))

    def show_on_map(self, hits: Sequence[Hit]) -> None:
        """Move the map window to the extents of results, and draw them."""
        if self.extents is not None:
            self._dock.facets.extents.setChecked(True)
            self.extents.zoom_to([hit.box for hit in hits])

    def _counted(self, query: Query, counts: Counts) -> None:
        if query == self._query:
            self._counts = counts
            self.show_counts()

    def show_counts(self) -> None:
        """Show how many records there are of what kind: those that are kept, and those that catalogues sent so far."""
        if self._counts is None:
            return
        remote = self._dock.catalogue_search.remote
        sources = {**remote.titles(), **self._session.sources()}
        self._dock.facets.show_counts(counted(self._counts, self._remote), sources, self._counts.total,
                                      remote.complete)

    @property
    def narrowed(self) -> bool:
        """Whether anything keeps records out of the list."""
        return self.query != Query(sort=self.query.sort)

    def show(self) -> None:
        """Look for what is asked; the chosen record stays where it is still found."""
        self._rest.stop()
        self._gentle = self._stale = False
        self._query = self.query
        self._counts = None
        self._session.search(self._query)
        self.looked_for.emit(self._query)

    def refresh(self) -> None:
        """Records came in beside what is looked at: look again, unless the list is in use further down or rows are
        being picked from it; then it is looked for when that is over.
        """
        if self._rest.isActive() or self._session.searching:
            self._stale = True
            return
        if self._in_use:
            self._stale = True
            self._session.count(self._query)
            return
        self._stale, self._gentle = False, True
        self._session.search(self._query)

    @property
    def _in_use(self) -> bool:
        return self._dock.list.verticalScrollBar().value() > 0 or len(self._dock.list.selected()) > 1

    def _catch_up(self) -> None:
        if self._stale and not self._in_use:
            self.refresh()

    def show_remote(self, hits: Sequence[Hit]) -> None:
        """Put what the catalogues found among the results; what is chosen and what is seen stay where they are."""
        self._remote = hits
        self.show_counts()
        woven = self._woven()
        if woven == list(self._dock.model.hits):
            return
        self._replace(woven, False)

    def _replace(self, hits: Sequence[Hit], gently: bool) -> None:
        """Other rows, while what is chosen and what is seen stay where they are."""
        view, scroll = self._dock.list, self._dock.list.verticalScrollBar()
        first = view.indexAt(view.viewport().rect().topLeft())
        anchor = first.data(HitRole).identifier if first.isValid() and scroll.value() else ""
        offset = view.visualRect(first).top()
        self._dock.model.show_hits(hits, self._more)
        if not self._wanted:
            # what is wanted comes with the page that is being looked up
            self._choose_again(gently)
        row = self._dock.model.row_of(anchor) if anchor else -1
        if row >= 0:
            view.scrollTo(self._dock.model.index(row), QAbstractItemView.ScrollHint.PositionAtTop)
            scroll.setValue(scroll.value() - offset)
        elif gently and not self._wanted:
            # what is chosen may stand further down now
            view.scrollToTop()
        self.say_empty()

    def _woven(self) -> List[Hit]:
        return weave(self._kept, self._remote, self._query.sort) if self._remote else list(self._kept)

    def clear(self) -> None:
        """Take away everything that narrows."""
        self._dock.facets.clear()
        self._dock.search.clear()
        self.show()

    def choose(self, identifier: str) -> None:
        """Choose a record; a search that hides it is cleared."""
        row = self._dock.model.row_of(identifier)
        if row >= 0 and not self._session.loading:
            self._dock.list.setCurrentIndex(self._dock.model.index(row))
            return
        self._wanted = identifier
        self.show()

    @property
    def chosen_identifier(self) -> str:
        """The chosen record's identifier, or ""."""
        return self._chosen

    @chosen_identifier.setter
    def chosen_identifier(self, identifier: str) -> None:
        """What the next results are to choose if they hold it."""
        self._chosen = identifier

    def say_empty(self) -> None:
        """Say in an empty list why it is empty, and what to do."""
        say = self._dock.list.say_empty
        if self._dock.model.rowCount():
            say("")
        elif self._session.opening and not self.narrowed:
            say(tr("Reading the records…"))
        elif self.narrowed:
            words = tr("No record holds these words.") if self.query.text.strip() else tr("No record is like this.")
            say(f"{words}<br><a href='#clear'>{tr('Show all records')}</a>{self._catalogues_hint()}")
        else:
            say(f"{tr('No records yet. Drop files, a folder or an address here.')}"
                f"<br><a href='#open'>{tr('Open files…')}</a>{self._catalogues_hint()}")

    def _catalogues_hint(self) -> str:
        """What the catalogues may have, in an empty list."""
        if self._dock.catalogue_search.remote.busy:
            return f"<br>{tr('Asking the catalogues…')}"
        hint = f"<br><a href='#remote'>{tr('Search the catalogues')}</a>"
        return "" if self._dock.top.catalogues.isChecked() else hint

    def _page_came(self, query: Query, offset: int, page: Page) -> None:
        if query != self._query:
            return
        self._more = page.more
        if offset:
            self._kept += page.hits
            if self._remote:
                self.show_remote(self._remote)
            else:
                self._dock.model.add_hits(page.hits, page.more)
            return
        self._kept = list(page.hits)
        if not self._gentle or self._wanted:
            self._dock.model.show_hits(self._woven(), page.more)
            self._unpainted = True
            self._choose_again()
            self._unpainted = False
            self.say_empty()
        elif self._woven() != list(self._dock.model.hits):
            self._replace(self._woven(), True)
        self._gentle = False
        self.shown.emit(query)
        self._session.count(query)
        if self._stale:
            self._late.start()

    def _choose_again(self, gently: bool = False) -> None:
        """Choose what is wanted, what was chosen, or the first result; ``gently``: rather none than another one."""
        model, wanted = self._dock.model, self._wanted
        row = model.row_of(wanted or self._chosen)
        if wanted and row < 0:
            if self.narrowed:
                self.clear()
                return
            # it stands far down in a long list; it is shown all the same
            self._wanted = ""
            self._chosen = wanted
            record = self._session.record(wanted)
            if record is not None:
                self.chosen.emit(None)
                self._dock.show_record(record)
            return
        self._wanted = ""
        if row < 0 and gently and self._dock.view.record is not None:
            return
        row = 0 if row < 0 and model.rowCount() else row
        if row >= 0:
            index = model.index(row)
            self._dock.list.setCurrentIndex(index)
            self._dock.list.scrollTo(index)
        else:
            self._dock.view.show_record(None, None, None)

    def _current_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        hit: Optional[Hit] = index.data(HitRole)
        if hit is None:
            return
        self._chosen = hit.identifier
        if self.extents is not None:
            self.extents.mark(hit.identifier)
        record = self._dock.catalogue_search.record(hit) if isinstance(hit, RemoteHit) else self._session.read(hit)
        if record is not None and self._unpainted:
            self._following = (hit.identifier, record)
            self._after_paint.start()
        elif record is not None:
            self._show(record)
        self.chosen.emit(hit)

    def _record_came(self, identifier: str, record: Optional[Record]) -> None:
        if identifier != self._chosen:
            return
        if record is None:
            self._dock.view.show_record(None, None, None)
        else:
            self._show(record)

    def _show_following(self) -> None:
        following, self._following = self._following, None
        if following is not None and following[0] == self._chosen:
            self._show(following[1])

    def _show(self, record: Record) -> None:
        if record is not self._dock.view.record:
            self._dock.show_record(record)

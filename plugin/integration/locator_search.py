"""What the locator finds, in threads: records from the store, layers of kept descriptions, actions by their words."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from qgis.PyQt.QtGui import QIcon

from ..app.phrases import hit_summary, hit_title
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.library.index.index_row import tokenize
from ..core.library.query import LibraryQuery
from ..gis.library.library_reader import LibraryReader
from ..gis.runtime import log
from ..ui.widgets.theme import icon
from .locator_actions import LocatorAction
from .locator_filter import ResultData

Results = List[Tuple[ResultData, str, str, QIcon, float]]
IsCancelled = Callable[[], bool]
#: results of each kind
_MAX_RESULTS = 12
#: where the person did not ask for ours alone
_MAX_RESULTS_AMONG_OTHERS = 5
#: letters below which only a search of ours alone begins
_MIN_LETTERS = 3


@dataclass(frozen=True)
class _SearchableLayer:
    endpoint: str
    name: str
    title: str
    service: str
    words: Tuple[str, ...]
    service_words: Tuple[str, ...]


class LocatorSearch:
    """One for all searches."""

    def __init__(self, records: LibraryReader, actions: Sequence[LocatorAction]) -> None:
        self._records = records
        self._actions = [(action, tokenize(f"{action.label} {action.synonyms}")) for action in actions]
        self._icons = {name: icon(name) for name in ("record", "record-plain", "mIconWms", "cartoguide")}
        self._lock = threading.Lock()
        self._layers: Dict[str, Tuple[str, List[_SearchableLayer]]] = {}

    def search(self, text: str, only_ours: bool, cancelled: IsCancelled) -> Iterator[Tuple[str, Results]]:
        """Groups of results as they are found: their heading, and for each what it stands for, title, description,
        icon, score. Worker threads only.
        """
        wanted = tokenize(text)
        most = _MAX_RESULTS if only_ours else _MAX_RESULTS_AMONG_OTHERS
        # by themselves they begin with the third letter, and never make a store
        among_others = bool(wanted) and len(text.strip()) >= _MIN_LETTERS
        if wanted and (only_ours or (among_others and self._records.store_exists())):
            try:
                yield tr("Cartoguide: records"), self._find_records(text, most, cancelled)
                yield tr("Cartoguide: layers"), self._find_layers(wanted, most, cancelled)
            except CartoguideError as error:
                if not cancelled():
                    log.error(error)
        if only_ours or among_others:
            yield tr("Cartoguide: actions"), self._find_actions(wanted, only_ours)

    def _find_actions(self, wanted: Sequence[str], all_of_them: bool) -> Results:
        found = []
        for action, known in self._actions:
            if all(any(word.startswith(part) for word in known) for part in wanted) and (wanted or all_of_them):
                found.append(({"what": "action", "key": action.key}, action.label, "", self._icons["cartoguide"], 0.6))
        return found

    def _find_records(self, text: str, most: int, cancelled: IsCancelled) -> Results:
        from ..core.errors import Cancelled

        try:
            page = self._records.store().search(LibraryQuery(text), most, 0, cancelled)
        except Cancelled:
            return []
        return [({"what": "record", "id": hit.identifier, "served": bool(hit.endpoint)}, hit_title(hit),
                 hit_summary(hit), self._icons["record" if hit.endpoint else "record-plain"], 0.9 - 0.3 * number / most)
                for number, hit in enumerate(page.hits)]

    def _find_layers(self, wanted: Sequence[str], most: int, cancelled: IsCancelled) -> Results:
        found: Results = []
        for layer in self._searchable_layers(cancelled):
            own = [part for part in wanted if any(word.startswith(part) for word in layer.words)]
            rest = (part for part in wanted if part not in own)
            if own and all(any(word.startswith(part) for word in layer.service_words) for part in rest):
                found.append(({"what": "layer", "endpoint": layer.endpoint, "name": layer.name}, layer.title,
                              tr("Layer of {service}", service=layer.service), self._icons["mIconWms"],
                              0.55 - 0.2 * len(found) / most))
                if len(found) == most:
                    break
        return found

    def _searchable_layers(self, cancelled: IsCancelled) -> Iterator[_SearchableLayer]:
        """The layers of every kept description, newest first; what is not known yet is read while it is gone through,
        once.
        """
        from ..gis.services.capabilities_fetch import BLOB_KIND

        for address, moment in self._records.store().blob_cache.addresses(BLOB_KIND):
            if cancelled():
                return
            with self._lock:
                known = self._layers.get(address)
            if known is None or known[0] != moment:
                known = moment, self._read_layers(address)
                with self._lock:
                    self._layers[address] = known
            yield from known[1]

    def _read_layers(self, address: str) -> List[_SearchableLayer]:
        service = self._records.saved_service(address)
        if service is None:
            return []
        endpoint, of_service = _endpoint_of(address), tuple(tokenize(service.title or ""))
        return [
            _SearchableLayer(endpoint, layer.name, layer.title or layer.name, service.title or endpoint,
                             tuple(tokenize(f"{layer.title} {layer.name}")), of_service)
            for layer in service.iter_layers() if layer.name and not layer.layers
        ]


def _endpoint_of(address: str) -> str:
    """The address of a service whose capabilities are at ``address``."""
    from ..gis.services.service_cache import capabilities_url

    before = address[:-len(capabilities_url("http://x/?")) + len("http://x/?")]
    return before if capabilities_url(before) == address else address

"""The search behind the locator filter: records of the library, layers of saved capabilities, actions by name."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from ..app.phrases import hit_summary, hit_title
from ..core.errors import Cancelled, CartoguideError
from ..core.i18n import tr
from ..core.library.index.index_row import tokenize
from ..core.library.query import LibraryQuery
from ..gis.library.library_reader import LibraryReader
from ..gis.runtime import log
from ..ui.widgets.theme import icon
from .locator_actions import LocatorAction
from .locator_filter import LocatorResult, ResultKind

IsCancelled = Callable[[], bool]
#: the most results of each kind
_MAX_RESULTS = 12
#: the same where the results of QGIS's other filters are shown too
_MAX_RESULTS_AMONG_OTHERS = 5
#: letters from which on a search without our prefix finds something
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
    """Finds the results of a text. One object serves all searches and threads."""

    def __init__(self, records: LibraryReader, actions: Sequence[LocatorAction]) -> None:
        self._records = records
        self._actions = [(action, tokenize(f"{action.label} {action.synonyms}")) for action in actions]
        self._icons = {name: icon(name) for name in ("record", "record-plain", "mIconWms", "cartoguide")}
        self._lock = threading.Lock()
        self._layers: Dict[str, Tuple[str, List[_SearchableLayer]]] = {}

    def search(self, text: str, with_prefix: bool,
               is_cancelled: IsCancelled) -> Iterator[Tuple[str, List[LocatorResult]]]:
        """Yield groups of results, each with its heading, in the order in which they are found.

        ``only_ours`` is true where the person typed our prefix. For worker threads only.
        """
        words = tokenize(text)
        limit = _MAX_RESULTS if with_prefix else _MAX_RESULTS_AMONG_OTHERS
        # without our prefix: from the third letter on, and without creating a library
        among_others = bool(words) and len(text.strip()) >= _MIN_LETTERS
        if words and (with_prefix or (among_others and self._records.store_exists())):
            try:
                yield tr("Cartoguide: records"), self._find_records(text, limit, is_cancelled)
                yield tr("Cartoguide: layers"), self._find_layers(words, limit, is_cancelled)
            except CartoguideError as error:
                if not is_cancelled():
                    log.error(error)
        if with_prefix or among_others:
            yield tr("Cartoguide: actions"), self._find_actions(words, with_prefix)

    def _find_actions(self, words: Sequence[str], all_without_words: bool) -> List[LocatorResult]:
        return [LocatorResult({"what": ResultKind.ACTION, "key": action.key}, action.label, "",
                              self._icons["cartoguide"], 0.6)
                for action, action_words in self._actions
                if (words or all_without_words) and all(_begins(action_words, word) for word in words)]

    def _find_records(self, text: str, limit: int, is_cancelled: IsCancelled) -> List[LocatorResult]:
        try:
            page = self._records.store().search(LibraryQuery(text), limit, 0, is_cancelled)
        except Cancelled:
            return []
        return [LocatorResult({"what": ResultKind.RECORD, "id": hit.identifier, "served": bool(hit.endpoint)},
                              hit_title(hit), hit_summary(hit),
                              self._icons["record" if hit.endpoint else "record-plain"], 0.9 - 0.3 * number / limit)
                for number, hit in enumerate(page.hits)]

    def _find_layers(self, words: Sequence[str], limit: int, is_cancelled: IsCancelled) -> List[LocatorResult]:
        found: List[LocatorResult] = []
        for layer in self._searchable_layers(is_cancelled):
            own = [word for word in words if _begins(layer.words, word)]
            if own and all(_begins(layer.service_words, word) for word in words if word not in own):
                found.append(LocatorResult(
                    {"what": ResultKind.LAYER, "endpoint": layer.endpoint, "name": layer.name}, layer.title,
                    tr("Layer of {service}", service=layer.service), self._icons["mIconWms"],
                    0.55 - 0.2 * len(found) / limit))
                if len(found) == limit:
                    break
        return found

    def _searchable_layers(self, is_cancelled: IsCancelled) -> Iterator[_SearchableLayer]:
        """Yield the layers of all saved capabilities, newest first. Each document is read once, when it is reached."""
        from ..gis.services.capabilities_fetch import BLOB_KIND

        for address, fetched_at in self._records.store().blob_cache.addresses(BLOB_KIND):
            if is_cancelled():
                return
            with self._lock:
                cached = self._layers.get(address)
            if cached is None or cached[0] != fetched_at:
                cached = fetched_at, self._read_layers(address)
                with self._lock:
                    self._layers[address] = cached
            yield from cached[1]

    def _read_layers(self, address: str) -> List[_SearchableLayer]:
        service = self._records.saved_service(address)
        if service is None:
            return []
        endpoint, service_words = _endpoint_of(address), tuple(tokenize(service.title or ""))
        return [_SearchableLayer(endpoint, layer.name, layer.title or layer.name, service.title or endpoint,
                                 tuple(tokenize(f"{layer.title} {layer.name}")), service_words)
                for layer in service.iter_layers() if layer.name and not layer.layers]


def _begins(words: Sequence[str], start: str) -> bool:
    return any(word.startswith(start) for word in words)


def _endpoint_of(address: str) -> str:
    """Return the endpoint of the service whose capabilities are at ``address``."""
    from ..gis.services.capabilities_fetch import capabilities_url

    endpoint = address[:-len(capabilities_url("http://x/?")) + len("http://x/?")]
    return endpoint if capabilities_url(endpoint) == address else address

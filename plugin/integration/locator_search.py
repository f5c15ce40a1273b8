"""The search behind the locator filter: records of the library, layers of saved capabilities, actions by name."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Dict, Iterator, List, Sequence, Tuple

from ..app.phrases import hit_summary, hit_title
from ..core.errors import Cancelled, CartoguideError
from ..core.i18n import tr
from ..core.library.blob_cache import BlobKind
from ..core.library.index.index_row import tokenize
from ..core.library.query import LibraryQuery
from ..gis.library.library_reader import LibraryReader
from ..gis.runtime import log
from ..gis.services.service_cache import capabilities_url
from ..ui.widgets.theme import icon
from .locator_filter import LocatorResult, ResultKind

if TYPE_CHECKING:
    from .record_commands import RecordCommands

IsCancelled = Callable[[], bool]
#: the most results of each kind in a search with Cartoguide's prefix
_MAX_RESULTS = 12
#: the most results of each kind in a search of all of QGIS's filters
_MAX_RESULTS_AMONG_OTHERS = 5
#: the fewest letters for which results are found without Cartoguide's prefix
_MIN_LETTERS = 3
#: the score of the first result of each kind: records come first, then actions and layers
_FIRST_SCORES = {ResultKind.RECORD: 0.9, ResultKind.ACTION: 0.6, ResultKind.LAYER: 0.55}
#: how much lower the scores of later results of a kind may be
_SCORE_RANGES = {ResultKind.RECORD: 0.3, ResultKind.ACTION: 0.0, ResultKind.LAYER: 0.2}
#: any endpoint, to find what ``capabilities_url`` appends
_SAMPLE_ENDPOINT = "http://x/?"


@dataclass(frozen=True)
class LocatorAction:
    """An action of the plugin: key, label, synonyms to find it by, and the function that runs it."""

    key: str
    label: str
    synonyms: str
    run: Callable[[RecordCommands], None]


def locator_actions() -> List[LocatorAction]:
    """Return all actions, the most used ones first."""
    return [
        LocatorAction("dock", tr("Show Cartoguide’s dock"), tr("panel records search"),
                      lambda commands: commands.show_dock()),
        LocatorAction("search", tr("Search records…"), tr("find catalogue"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.focus_search())),
        LocatorAction("catalogues", tr("Search the catalogues"), "CSW GeoNetwork OGC API",
                      lambda commands: commands.run_in_dock(lambda dock: dock.search_catalogues())),
        LocatorAction("files", tr("Open records…"), tr("files XML zip import"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_files())),
        LocatorAction("address", tr("Open an address…"), tr("link URL service record"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_address())),
        LocatorAction("credits", tr("Credits of this project…"), tr("attribution licence audit"),
                      lambda commands: commands.show_credits()),
        LocatorAction("identify", tr("Identify on all services"), "GetFeatureInfo identify",
                      lambda commands: commands.start_identify()),
        LocatorAction("health", tr("Health of services…"), tr("status down answer"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_health())),
        LocatorAction("layout", tr("Layout of the custom map"), tr("print compose"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_layout())),
        LocatorAction("export", tr("Export the custom map as PDF…"), tr("print"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.export_map())),
        LocatorAction("settings", tr("Settings of Cartoguide…"), tr("options network profile"),
                      lambda commands: commands.run_in_dock(lambda dock: dock.open_settings())),
    ]


@dataclass(frozen=True)
class _SearchableLayer:
    endpoint: str
    name: str
    title: str
    service: str
    words: Tuple[str, ...]
    service_words: Tuple[str, ...]


class LocatorSearch:
    """Searches records, saved layers and actions for the locator. One object serves all searches and threads."""

    def __init__(self, records: LibraryReader, actions: Sequence[LocatorAction]) -> None:
        self._records = records
        self._actions = [(action, tokenize(f"{action.label} {action.synonyms}")) for action in actions]
        self._icons = {name: icon(name) for name in ("record", "record-plain", "mIconWms", "cartoguide")}
        self._lock = threading.Lock()
        #: when a service's capabilities were fetched, and its layers, by the address of the capabilities
        self._layers: Dict[str, Tuple[str, List[_SearchableLayer]]] = {}

    def search(self, text: str, with_prefix: bool,
               is_cancelled: IsCancelled) -> Iterator[Tuple[str, List[LocatorResult]]]:
        """Yield groups of results, each with its heading: records, layers, actions.

        ``with_prefix`` is True if the person typed Cartoguide's prefix. For worker threads only.
        """
        words = tokenize(text)
        limit = _MAX_RESULTS if with_prefix else _MAX_RESULTS_AMONG_OTHERS
        is_long_enough = bool(words) and len(text.strip()) >= _MIN_LETTERS
        searches_actions = with_prefix or is_long_enough
        # without the prefix, no library is created for a search
        searches_library = bool(words) and (with_prefix or (is_long_enough and self._records.store_exists()))
        if searches_library:
            # a library that cannot be read has neither records nor layers
            try:
                yield tr("Cartoguide: records"), self._find_records(text, limit, is_cancelled)
                yield tr("Cartoguide: layers"), self._find_layers(words, limit, is_cancelled)
            except CartoguideError as error:
                if not is_cancelled():
                    log.error(error)
        if searches_actions:
            yield tr("Cartoguide: actions"), self._find_actions(words, list_all=with_prefix)

    def _find_actions(self, words: Sequence[str], list_all: bool) -> List[LocatorResult]:
        """Return the actions that match all words. Without words: all actions if ``list_all``, else none."""
        if not words and not list_all:
            return []
        results: List[LocatorResult] = []
        for action, action_words in self._actions:
            if all(_begins(action_words, word) for word in words):
                data = {"what": ResultKind.ACTION, "key": action.key}
                score = _score(ResultKind.ACTION, 0, 1)
                results.append(LocatorResult(data, action.label, "", self._icons["cartoguide"], score))
        return results

    def _find_records(self, text: str, limit: int, is_cancelled: IsCancelled) -> List[LocatorResult]:
        try:
            page = self._records.store().search(LibraryQuery(text), limit, 0, is_cancelled)
        except Cancelled:
            return []
        results: List[LocatorResult] = []
        for hit in page.hits:
            data = {"what": ResultKind.RECORD, "id": hit.identifier, "served": hit.can_be_added}
            hit_icon = self._icons["record" if hit.can_be_added else "record-plain"]
            score = _score(ResultKind.RECORD, len(results), limit)
            results.append(LocatorResult(data, hit_title(hit), hit_summary(hit), hit_icon, score))
        return results

    def _find_layers(self, words: Sequence[str], limit: int, is_cancelled: IsCancelled) -> List[LocatorResult]:
        """Return the layers with at least one word in their name or title, and the rest in the service's title."""
        results: List[LocatorResult] = []
        for layer in self._searchable_layers(is_cancelled):
            layer_matches = [word for word in words if _begins(layer.words, word)]
            other_words = [word for word in words if word not in layer_matches]
            if not layer_matches or not all(_begins(layer.service_words, word) for word in other_words):
                continue
            data = {"what": ResultKind.LAYER, "endpoint": layer.endpoint, "name": layer.name}
            description = tr("Layer of {service}", service=layer.service)
            score = _score(ResultKind.LAYER, len(results), limit)
            results.append(LocatorResult(data, layer.title, description, self._icons["mIconWms"], score))
            if len(results) == limit:
                break
        return results

    def _searchable_layers(self, is_cancelled: IsCancelled) -> Iterator[_SearchableLayer]:
        """Yield the layers of all saved capabilities, newest first. Each document is read once, when it is reached."""
        for address, fetched_at in self._records.store().blob_cache.addresses(BlobKind.CAPABILITIES):
            if is_cancelled():
                return
            with self._lock:
                cached = self._layers.get(address)
            if cached is None or cached[0] != fetched_at:
                cached = (fetched_at, self._read_layers(address))
                with self._lock:
                    self._layers[address] = cached
            yield from cached[1]

    def _read_layers(self, address: str) -> List[_SearchableLayer]:
        service = self._records.saved_service(address)
        if service is None:
            return []
        endpoint, service_words = _endpoint_of(address), tuple(tokenize(service.title or ""))
        searchable: List[_SearchableLayer] = []
        for layer in service.iter_layers():
            if layer.name and not layer.layers:
                words = tuple(tokenize(f"{layer.title} {layer.name}"))
                searchable.append(_SearchableLayer(endpoint, layer.name, layer.title or layer.name,
                                                   service.title or endpoint, words, service_words))
        return searchable


def _score(kind: ResultKind, number: int, limit: int) -> float:
    """Return the score of result ``number`` of its kind, from 0, of ``limit`` at most."""
    return _FIRST_SCORES[kind] - _SCORE_RANGES[kind] * number / limit


def _begins(words: Sequence[str], start: str) -> bool:
    """Return True if one of ``words`` begins with ``start``."""
    return any(word.startswith(start) for word in words)


def _endpoint_of(address: str) -> str:
    """Return the endpoint of the service whose capabilities are at ``address``."""
    suffix = capabilities_url(_SAMPLE_ENDPOINT).removeprefix(_SAMPLE_ENDPOINT)
    endpoint = address.removesuffix(suffix)
    return endpoint if capabilities_url(endpoint) == address else address

"""What the locator finds, in threads: records from the store, layers of kept descriptions, actions by their words."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from qgis.PyQt.QtGui import QIcon

from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.store.indexing import words
from ..core.store.query import Query
from ..gis import log
from ..gis.kept_records import KeptRecords
from ..ui.theme import icon
from ..ui.words import facts_of_hit, title_of_hit
from .actions import Action
from .locator import Pick

Results = List[Tuple[Pick, str, str, QIcon, float]]
Cancelled = Callable[[], bool]
#: results of each kind
_MOST = 12
#: where the person did not ask for ours alone
_MOST_AMONG_OTHERS = 5
#: letters below which only a search of ours alone begins
_LEAST = 3


@dataclass(frozen=True)
class _Layer:
    endpoint: str
    name: str
    title: str
    service: str
    words: Tuple[str, ...]
    of_service: Tuple[str, ...]


class LocatorSearch:
    """One for all searches."""

    def __init__(self, records: KeptRecords, actions: Sequence[Action]) -> None:
        self._records = records
        self._actions = [(action, words(f"{action.words} {action.others}")) for action in actions]
        self._icons = {name: icon(name) for name in ("record", "record-plain", "mIconWms", "cartoguide")}
        self._lock = threading.Lock()
        self._layers: Dict[str, Tuple[str, List[_Layer]]] = {}

    def results(self, text: str, ours_alone: bool, cancelled: Cancelled) -> Iterator[Tuple[str, Results]]:
        """Groups of results as they are found: their heading, and for each what it stands for, title, description,
        icon, score. Worker threads only.
        """
        wanted = words(text)
        most = _MOST if ours_alone else _MOST_AMONG_OTHERS
        # by themselves they begin with the third letter, and never make a store
        among_others = bool(wanted) and len(text.strip()) >= _LEAST
        if wanted and (ours_alone or (among_others and self._records.exist())):
            try:
                yield tr("Cartoguide: records"), self._found_records(text, most, cancelled)
                yield tr("Cartoguide: layers"), self._found_layers(wanted, most, cancelled)
            except CartoguideError as error:
                if not cancelled():
                    log.error(error)
        if ours_alone or among_others:
            yield tr("Cartoguide: actions"), self._found_actions(wanted, ours_alone)

    def _found_actions(self, wanted: Sequence[str], all_of_them: bool) -> Results:
        found = []
        for action, known in self._actions:
            if all(any(word.startswith(part) for word in known) for part in wanted) and (wanted or all_of_them):
                found.append(({"what": "action", "key": action.key}, action.words, "", self._icons["cartoguide"], 0.6))
        return found

    def _found_records(self, text: str, most: int, cancelled: Cancelled) -> Results:
        from ..core.store.connections import Cancelled as NotWanted

        try:
            page = self._records.store().search(Query(text), most, 0, cancelled)
        except NotWanted:
            return []
        return [({"what": "record", "id": hit.identifier, "served": bool(hit.endpoint)}, title_of_hit(hit),
                 facts_of_hit(hit), self._icons["record" if hit.endpoint else "record-plain"],
                 0.9 - 0.3 * number / most) for number, hit in enumerate(page.hits)]

    def _found_layers(self, wanted: Sequence[str], most: int, cancelled: Cancelled) -> Results:
        found: Results = []
        for layer in self._known_layers(cancelled):
            own = [part for part in wanted if any(word.startswith(part) for word in layer.words)]
            rest = (part for part in wanted if part not in own)
            if own and all(any(word.startswith(part) for word in layer.of_service) for part in rest):
                found.append(({"what": "layer", "endpoint": layer.endpoint, "name": layer.name}, layer.title,
                              tr("Layer of {service}", service=layer.service), self._icons["mIconWms"],
                              0.55 - 0.2 * len(found) / most))
                if len(found) == most:
                    break
        return found

    def _known_layers(self, cancelled: Cancelled) -> Iterator[_Layer]:
        """The layers of every kept description, newest first; what is not known yet is read while it is gone through,
        once.
        """
        from ..gis.capabilities import KIND

        for address, moment in self._records.store().keeping.addresses(KIND):
            if cancelled():
                return
            with self._lock:
                known = self._layers.get(address)
            if known is None or known[0] != moment:
                known = moment, self._read(address)
                with self._lock:
                    self._layers[address] = known
            yield from known[1]

    def _read(self, address: str) -> List[_Layer]:
        service = self._records.kept_service(address)
        if service is None:
            return []
        endpoint, of_service = _endpoint(address), tuple(words(service.title or ""))
        return [_Layer(endpoint, layer.name, layer.title or layer.name, service.title or endpoint,
                       tuple(words(f"{layer.title} {layer.name}")), of_service)
                for layer in service.layers() if layer.name and not layer.layers]


def _endpoint(address: str) -> str:
    """The address of a service whose capabilities are at ``address``."""
    from ..gis.services import capabilities_url

    before = address[:-len(capabilities_url("http://x/?")) + len("http://x/?")]
    return before if capabilities_url(before) == address else address

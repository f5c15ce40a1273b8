"""Entries of custom maps, made from records, the layers that their links name, and their terms."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..distributions.record_distributions import describes_endpoint, wms_address
from ..distributions.uses import missing_layers_note
from ..errors import InvalidRequest
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..records.model.record import Record, ResourceKind
from ..terms.model import PUBLISHING_LIMITS, Decision, Terms
from ..text import fold, shorten, single_line
from ..wms.model.protocol import IDENTIFYING_PARAMETERS
from ..wms.model.service import Service
from ..wms.requests.urls import ServiceAddress, split_address
from .model import MapEntry, StoredCredit
from .planner import drawable_in
from .time_selection import select_moment

#: what a link is called that is the name of a layer rather than a description of it or of its service
_LAYER_NAME = re.compile(r"(?!(?:ows|view|service|servicio|dienst|capabilities|map|mapa)\Z|.*(?:wm[st]s?|http|getcap))"
                         r"[^\W\d][\w.:-]{0,99}", re.IGNORECASE)
#: words that restrict the use of data which a document keeps, and their characters
_MAX_LIMITS, _MAX_LIMIT = 5, 200
#: characters of a time that are shown
_MAX_TIME = 80


@dataclass(frozen=True)
class LinkedLayers:
    """Layers of a service that the links of a record name: names (bottom first), and a style for each ("": default).

    ``moment`` (ISO 8601) is that of the address, where the layers are a time series that has it. ``missing`` are names
    in LAYERS of the addresses, or of links to data, that the service does not have. ``missing_time`` is a TIME that the
    series lacks.
    """

    names: Tuple[str, ...] = ()
    styles: Tuple[str, ...] = ()
    moment: Optional[str] = None
    missing: Tuple[str, ...] = ()
    missing_time: str = ""

    @property
    def note(self) -> str:
        """Sentences about what is missing for people, or ""."""
        time = tr("The service has no map for {time}, which the record’s link names.",
                  time=self.missing_time) if self.missing_time else ""
        return " ".join(filter(None, (missing_layers_note(self.missing, not self.names), time)))


def linked_layers(record: Record, endpoint: str, service: Service) -> LinkedLayers:
    """Return the layers that the links of a record to this service name, in their order.

    They stand in LAYERS of a link's address, by name or title, with STYLES and TIME. The links of a dataset name them
    in their own name as well (ISO 19115 B.3.2.5, one or several with commas), which may be any other text. A group
    stands for its layers, and the root for the whole service. The record of a service describes all of its layers,
    unless ``endpoint`` itself, which is the best of its links, names some.
    """
    own = _split(endpoint)
    if record.kind is ResourceKind.SERVICE and (own is None or not own.layer_list):
        return LinkedLayers()
    known = {fold(layer.title or ""): layer for layer in service.iter_layers() if layer.name}
    known.update({fold(layer.name): layer for layer in service.iter_layers() if layer.name})
    found: Dict[str, str] = {}
    missing: List[str] = []
    unknown: List[str] = []
    moments: List[str] = []

    def add(name: str, style: str = "") -> bool:
        layer = service.layer(name) or known.get(fold(name))
        if not name or layer is None:
            return False
        if layer is not service.root or not layer.layers:
            for leaf in drawable_in(layer):
                found.setdefault(leaf.name or "", "" if layer.layers else style)
        return True

    def add_listed(text: str) -> None:
        if text and not add(text):
            names = list(filter(None, map(str.strip, text.split(","))))
            lacking = [name for name in names if not add(name)]
            # beside names of layers the others are some too
            if len(lacking) < len(names):
                missing.extend(lacking)
            else:
                unknown.extend(filter(_LAYER_NAME.fullmatch, lacking))

    key = normalise_endpoint(endpoint)
    links = [(link.name or "", split) for link in record.online if normalise_endpoint(link.url) == key
             for split in [_split(link.url)] if split is not None]
    if own is not None:
        links.append(("", own))
    for name, address in links:
        if record.kind is not ResourceKind.SERVICE:
            add_listed(name.strip())
        # a comma may be part of a name
        if address.layer_list and not add(address.layer_list, address.parameters.get("STYLES", "")):
            missing += [layer for layer, style in address.layers if layer and not add(layer, style)]
        # of a list or an interval the first, and of "current" none: the default is shown
        time = re.split("[,/]", address.parameters.get("TIME", ""))[0].strip()
        moments += [time] if time and time.lower() != "current" else []
    names = tuple(found)
    # where another link names a layer, what this one is called may be any text
    missing += [] if names else unknown
    shown = select_moment(service, names, moments[0]) if moments and names else None
    lacking = tuple(dict.fromkeys(missing))
    if shown is None:
        return LinkedLayers(names, tuple(found.values()), missing=lacking)
    return LinkedLayers(names, tuple(found.values()), moments[0] if shown.is_exact else None, lacking,
                        "" if shown.is_exact else single_line(moments[0])[:_MAX_TIME])


def _split(address: str) -> Optional[ServiceAddress]:
    try:
        return split_address(address)
    except InvalidRequest:
        return None


def entry_from_record(record: Record, terms: Terms, layers: Sequence[str] = (), styles: Sequence[str] = (),
                      endpoint: Optional[str] = None, moment: Optional[str] = None) -> Optional[MapEntry]:
    """Return an entry for the record's service with a copy of its credit, or None without a WMS address.

    With ``moment`` (ISO 8601) it shows that of a time series. On a new map ``with_blended_series`` lets the base
    through it.
    """
    address = endpoint or wms_address(record)
    if address is None:
        return None
    return MapEntry(endpoint=entry_endpoint(address), title=record.title or "", record_id=record.id,
                    layers=tuple(layers), styles=tuple(styles), credit=stored_credit(terms), moment=moment)


def entry_endpoint(address: str) -> str:
    """Return an address for the document: as written, or its endpoint if it is that of a request for a map."""
    split = _split(address)
    return address if split is None or not split.parameters.keys() - IDENTIFYING_PARAMETERS else split.endpoint


def record_of_entry(entry: MapEntry, named: Optional[Record],
                    find_at_endpoint: Callable[[], Optional[Record]]) -> Optional[Record]:
    """Return the record of an entry: the one that it names, if that describes its service.

    Else it is the record of the service at its address: a document may name any record of the library, with other
    terms. Without one it is the named record, whose service may have moved.
    """
    if named is not None and describes_endpoint(named, entry.endpoint):
        return named
    return find_at_endpoint() or named


def records_of_entries(entries: Sequence[MapEntry],
                       find: Callable[[MapEntry], Optional[Record]]) -> Dict[str, Record]:
    """Return the records of entries as ``MapEntry.record_in`` reads them.

    They are by endpoint. Where several entries share one, those that the entries name are by identifier as well.
    """
    shared = Counter(normalise_endpoint(entry.endpoint) for entry in entries)
    found: Dict[str, Record] = {}
    for entry in entries:
        record = find(entry)
        if record is not None:
            found[entry.endpoint] = record
            if entry.record_id and record.id == entry.record_id and shared[normalise_endpoint(entry.endpoint)] > 1:
                found[entry.record_id] = record
    return found


def stored_data_credit(terms: Terms) -> StoredCredit:
    """Return the part of the terms of a service's data that is saved, with the words that restrict their use."""
    limits = [limit.text for limit in terms.limits if limit.kind in PUBLISHING_LIMITS] + list(terms.leftovers)
    fees = [terms.fees] if terms.fees and terms.free is not Decision.YES else []
    words = dict.fromkeys(shorten(single_line(text), _MAX_LIMIT) for text in (*fees, *limits) if text)
    return replace(stored_credit(terms), limits=tuple(words)[:_MAX_LIMITS])


def stored_credit(terms: Terms) -> StoredCredit:
    """Return the part of the terms that is saved in the document."""
    licence = terms.licence
    return StoredCredit(line=terms.credit, required=terms.credit_required,
                        licence=licence.id if licence else None, licence_url=(licence.url if licence else None) or
                        terms.licence_url)

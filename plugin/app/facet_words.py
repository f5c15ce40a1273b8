"""What narrows a search, in words: facets, their values, a whole query, and what of it a catalogue cannot be asked."""

from __future__ import annotations

from typing import Dict, Iterable, List, Mapping, Tuple

from ..core.catalogues.model import CatalogueQuery
from ..core.i18n import tr
from .phrases import service_type_label

#: a named set of records narrows as a facet does
COLLECTION = "collection"


def facet_label(facet: str) -> str:
    """What a facet is called."""
    return {"kind": tr("Kind"), "licence": tr("Terms"), "year": tr("Year"), "organisation": tr("Organisation"),
            "keyword": tr("Keyword"), "service_type": tr("Kind of service"), "source": tr("Source"),
            COLLECTION: tr("Collection")}[facet]


def facet_value_label(facet: str, value: str, sources: Mapping[str, Tuple[str, str]]) -> str:
    """A facet's value in words; ``sources`` has the sources' kinds and titles."""
    if facet == "kind":
        return {"service": tr("Services"), "dataset": tr("Datasets"), "series": tr("Series")}.get(
            value, tr("Other records"))
    if facet == "licence":
        return {"free": tr("Free"), "fees": tr("Fees apply"), "undecided": tr("Terms undecided")}.get(value, value)
    if facet == "service_type":
        return service_type_label(value)
    if facet == "source":
        return sources.get(value, ("", ""))[1] or value
    return value


def group_equivalent_values(facet: str, values: Iterable[str]) -> List[Tuple[str, ...]]:
    """The values in groups that a person reads as one: records call a WMS "view", "OGC:WMS" and otherwise."""
    if facet != "service_type":
        return [(value,) for value in values]
    found: Dict[str, List[str]] = {}
    for value in values:
        found.setdefault(service_type_label(value).lower(), []).append(value)
    return [tuple(group) for group in found.values()]


def query_summary(query: CatalogueQuery) -> str:
    """What is looked for, in words; empty where everything is."""
    or_ = tr(" or ")
    parts = [
        f"“{query.text}”" if query.text else "", *query.keywords,
        facet_value_label("kind", query.type, {}) if query.type else ""
    ]
    parts += [or_.join(facet_value_label(facet, value, {}) for value in values) for facet, values in query.facets]
    parts.append(tr("in the map’s view") if query.bbox else "")
    return ", ".join(part for part in parts if part)


def local_filter_note(unsupported: Iterable[str]) -> str:
    """That part of a search is done here, because the catalogue cannot be asked for it; empty where nothing is."""
    names = [tr("Words") if name == "text" else facet_label("kind" if name == "type" else name) for name in unsupported]
    if not names:
        return ""
    return tr("It cannot be asked for: {names}. What it sends is sorted out here.", names=", ".join(names))

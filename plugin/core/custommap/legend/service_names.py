"""Names that services themselves have for their layers in another language, as titles of the legend.

INSPIRE's extension of the capabilities lists the languages of a service, and its parameter LANGUAGE asks for one
(Technical Guidance for View Services 3.11, 4.2.4 and 4.3.3.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Dict, Iterable, List, Mapping, Optional

from ...records.model.languages import alpha3
from ...wms.model.service import Service
from ..model import CustomMap, EntryLegend, LayerLegend, legend_title
from .tree import LegendTree, text_in, with_text


@dataclass(frozen=True)
class ServiceNames:
    """Titles of a service and of its layers, by the layers' names."""

    title: str
    layers: Mapping[str, str]


def offered_language(service: Service, language: str) -> Optional[str]:
    """Return the code by which ``service`` offers its texts in ``language``, or None.

    None too for the language that it has anyway, its default.
    """
    wanted = alpha3(language)
    if not wanted or (service.default_language and alpha3(service.default_language) == wanted):
        return None
    return next((code for code in service.languages if alpha3(code) == wanted), None)


def service_names(service: Service) -> ServiceNames:
    """Return the names that ``service`` has, in the language of its capabilities."""
    layers = service.root.walk() if service.root is not None else iter(())
    return ServiceNames(service.title or "", {layer.name: layer.title for layer in layers if layer.name})


def with_service_names(document: CustomMap, tree: LegendTree, names: Mapping[str, ServiceNames],
                       originals: Mapping[str, ServiceNames]) -> CustomMap:
    """Return the document with these names in its language for whatever has no name in the language yet.

    ``names`` and ``originals``, those in the services' default language, are by endpoint. A name that equals the
    original is left out: services repeat their default language where they have no translation. The other moments of
    a time series, which are not in ``tree``, get their names too.
    """
    entries = list(document.entries)
    shown: Dict[int, List[str]] = {}
    for reference in (item.reference for group in tree for item in group.items):
        if reference.entry_index is not None:
            shown.setdefault(reference.entry_index, []).append(reference.name)
    for index, entry in enumerate(entries):
        found, original = names.get(entry.endpoint), originals.get(entry.endpoint)
        if found is not None and original is not None:
            wanted = dict.fromkeys([*entry.layers, *shown.get(index, ())])
            entries[index] = replace(entry, legend=_named(entry.legend, document.language, wanted, found, original))
    first = 1 if document.base is not None else 0
    return replace(document, base=entries[0] if first else None, overlays=tuple(entries[first:]))


def _named(legend: EntryLegend, language: str, wanted: Iterable[str], found: ServiceNames,
           original: ServiceNames) -> EntryLegend:
    layers = dict(legend.layers)
    for name in wanted:
        edit = layers.get(name, LayerLegend())
        titles = _with_name(edit.titles, language, found.layers.get(name, ""), original.layers.get(name, name))
        if titles != edit.titles:
            layers[name] = replace(edit, titles=titles)
    return replace(legend, layers=layers, titles=_with_name(legend.titles, language, found.title, original.title))


def _with_name(titles: Mapping[str, str], language: str, name: str, original: str) -> Mapping[str, str]:
    """Return ``titles`` with the service's name, unless they have one in the language or it is not translated."""
    text = legend_title(name)
    if not text or text == legend_title(original) or text_in(titles, language):
        return titles
    return with_text(titles, language, text)

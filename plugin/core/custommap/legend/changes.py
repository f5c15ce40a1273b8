"""Changes of a map's legend as changes of its document. Each function returns the changed document.

``tree`` is the legend's tree of the same document. What applies to all layers of a service is stored with the service,
so that it holds for other moments of a time series and for layers that are added later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Collection, Dict, Iterable, List, Mapping, Optional

from ...records.model.languages import alpha3
from ...text import fold
from ...wms.model.service import Service
from ..model import CustomMap, EntryLegend, LayerLegend, legend_title
from .tree import LegendGroup, LegendItem, LegendReference, LegendTree, text_in, with_text


def rename_layer(document: CustomMap, item: LegendItem, title: str) -> CustomMap:
    """Return the document with another title of a layer in the map's language. "" is the default title."""
    edits = _Edits(document)
    text = _unless_default(title, item.default_title)
    for reference in item.references:
        edits.set(reference, titles=with_text(edits.of(reference).titles, document.language, text))
    return edits.document()


def rename_group(document: CustomMap, tree: LegendTree, group: LegendGroup, title: str) -> CustomMap:
    """Return the document with another title of a group in the map's language. "" is the default title.

    Without its title a heading is removed.
    """
    if group.heading is not None:
        text = legend_title(title)
        heading = with_text(group.heading, document.language, text) if text else {}
        return _assign(document, tree, "heading", dict.fromkeys(group.references, heading))
    if group.entry_index is None:
        return document
    edits = _Edits(document)
    legend = edits.entries[group.entry_index]
    edits.entries[group.entry_index] = replace(legend, titles=with_text(
        legend.titles, document.language, _unless_default(title, group.default_title)))
    return edits.document()


def rename_class(document: CustomMap, item: LegendItem, text: str, title: str) -> CustomMap:
    """Return the document with another title, in the map's language, of the class with this text of the service.

    "" is that text. The moments of a time series share the titles of their classes.
    """
    index = item.reference.entry_index
    if index is None:
        return document
    edits = _Edits(document)
    titles = with_text(item.edit.classes.get(text, {}), document.language, _unless_default(title, text))

    def renamed(classes: Mapping[str, Mapping[str, str]]) -> Mapping[str, Mapping[str, str]]:
        others = {other: named for other, named in classes.items() if other != text}
        return {**others, text: titles} if titles else others

    if document.entries[index].moment:
        edits.entries[index] = replace(edits.entries[index], classes=renamed(edits.entries[index].classes))
    else:
        for reference in item.references:
            edits.set(reference, classes=renamed(edits.of(reference).classes))
    return edits.document()


def put_under_heading(document: CustomMap, tree: LegendTree, references: Collection[LegendReference],
                      title: str) -> CustomMap:
    """Return the document with layers under a heading, a present one or a new one. "" puts them back where they were.
    """
    text = legend_title(title)
    present = next((group.heading for group in tree if group.heading and fold(group.title) == fold(text)), None)
    heading = present or ({document.language: text} if text else {})
    return _assign(document, tree, "heading", dict.fromkeys(references, heading))


def set_hidden(document: CustomMap, tree: LegendTree, references: Collection[LegendReference],
               hidden: bool) -> CustomMap:
    """Return the document whose legend hides or shows these layers. Those shown are private in QGIS no longer."""
    edited = _assign(document, tree, "hidden", dict.fromkeys(references, hidden))
    return edited if hidden else _not_private(edited, references)


def _not_private(document: CustomMap, references: Collection[LegendReference]) -> CustomMap:
    entries = [replace(entry, private=tuple(name for name in entry.private
                                            if LegendReference(index, name) not in references))
               for index, entry in enumerate(document.entries)]
    return replace(document.with_entries(entries), own_layers=tuple(
        replace(own, private=own.private and LegendReference(None, own.id) not in references)
        for own in document.own_layers))


def move(document: CustomMap, tree: LegendTree, moved: Collection[LegendReference],
         beside: Collection[LegendReference], above: bool) -> CustomMap:
    """Return the document whose legend has the layers ``moved`` directly above or below the layers ``beside``."""
    order = [item.reference for group in tree for item in group.items]
    block = [reference for reference in order if reference in moved]
    others = [reference for reference in order if reference not in moved]
    places = [number for number, reference in enumerate(others) if reference in beside]
    if not places:
        return document
    place = places[0] if above else places[-1] + 1
    ordered = others[:place] + block + others[place:]
    return _assign(document, tree, "position", {reference: number for number, reference in enumerate(ordered)})


def reset(document: CustomMap) -> CustomMap:
    """Return the document without any edits of its legend."""
    base = document.base
    return replace(
        document, base=replace(base, legend=EntryLegend(extra=base.legend.extra)) if base is not None else None,
        overlays=tuple(replace(entry, legend=EntryLegend(extra=entry.legend.extra)) for entry in document.overlays),
        own_layers=tuple(replace(own, legend=LayerLegend(extra=own.legend.extra)) for own in document.own_layers))


def is_edited(document: CustomMap) -> bool:
    return document != reset(document)


class _Edits:
    """The edits of a document's legend, to be changed: of services by their index, of own layers by their id."""

    def __init__(self, document: CustomMap) -> None:
        self._document = document
        self.entries: List[EntryLegend] = [entry.legend for entry in document.entries]
        self._layers: List[Dict[str, LayerLegend]] = [dict(legend.layers) for legend in self.entries]
        self.own: Dict[str, LayerLegend] = {own.id: own.legend for own in document.own_layers}

    def of(self, reference: LegendReference) -> LayerLegend:
        """Return the edits stored with a layer itself."""
        if reference.entry_index is None:
            return self.own[reference.name]
        return self._layers[reference.entry_index].get(reference.name, LayerLegend())

    def set(self, reference: LegendReference, **values: Any) -> None:
        """Change fields of the edits stored with a layer itself."""
        edit = replace(self.of(reference), **values)
        if reference.entry_index is None:
            self.own[reference.name] = edit
        elif edit == LayerLegend():
            self._layers[reference.entry_index].pop(reference.name, None)
        else:
            self._layers[reference.entry_index][reference.name] = edit

    def document(self) -> CustomMap:
        legends = [replace(legend, layers=layers) for legend, layers in zip(self.entries, self._layers)]
        entries = [replace(entry, legend=legend) for entry, legend in zip(self._document.entries, legends)]
        return replace(self._document.with_entries(entries), own_layers=tuple(
            replace(own, legend=self.own[own.id]) for own in self._document.own_layers))


def _assign(document: CustomMap, tree: LegendTree, name: str, values: Mapping[LegendReference, Any]) -> CustomMap:
    """Return the document with a field of ``LayerLegend`` set for layers, for the service where all of it agree."""
    edits = _Edits(document)
    default = getattr(LayerLegend(), name)
    known: Dict[int, List[LegendReference]] = {}
    for reference in (item.reference for group in tree for item in group.items):
        if reference.entry_index is None:
            if reference in values:
                edits.set(reference, **{name: values[reference]})
        else:
            known.setdefault(reference.entry_index, []).append(reference)
    for index, references in known.items():
        if not any(reference in values for reference in references):
            continue
        legend = edits.entries[index]
        wanted = {reference: values.get(reference, getattr(legend.of_layer(reference.name), name))
                  for reference in references}
        of_all = wanted[references[0]]
        is_shared = all(value == of_all for value in wanted.values())
        edits.entries[index] = replace(legend, **{name: of_all if is_shared else default})
        others = [LegendReference(index, layer) for layer in legend.layers] if is_shared else []
        for reference in dict.fromkeys([*references, *others]):
            edits.set(reference, **{name: default if is_shared else wanted[reference]})
    return edits.document()


def _unless_default(title: str, default: str) -> str:
    text = legend_title(title)
    return "" if text == legend_title(default) else text


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
    return document.with_entries(entries)


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

"""Layers of a page whose completeness is not known, because the export does not watch their requests.

This is the one decision about it. The issues of a map, the export and the algorithms go by it, for every layer that is
drawn, the plugin's own or not.
"""

from __future__ import annotations

from typing import Iterable, List, Sequence, Set

from qgis.core import QgsLayout, QgsMapLayer

from ...core.i18n import tr
from ...core.sources.kinds import kind_of
from ...core.sources.layer_source import SourceType
from ...core.sources.source_kind import SourceProof
from ...core.text import bounded_title, list_quoted_names, single_line
from ..layouts import layout_items
from ..runtime.drawn_source import drawn_source
from ..sources.kinds import is_fetched
from ..sources.layer_source import drawn_parts, sources_read_by
from .completeness_checks import printed_map_layers


def layer_proof(layer: QgsMapLayer) -> SourceProof:
    """Return how it is known that ``layer`` is drawn completely. A layer made of others is known as its parts are."""
    proofs = {_own_proof(part, set()) for part in drawn_parts(layer)}
    if SourceProof.UNCHECKED in proofs:
        return SourceProof.UNCHECKED
    return SourceProof.WATCHED if SourceProof.WATCHED in proofs else SourceProof.LOCAL


def unchecked_layers(layers: Iterable[QgsMapLayer]) -> List[QgsMapLayer]:
    """Return those of ``layers`` that are not known to be complete."""
    return [layer for layer in layers if layer_proof(layer) is SourceProof.UNCHECKED]


def unchecked_names(layouts: Sequence[QgsLayout]) -> List[str]:
    """Return the names of the layers on the layouts' pages that are not known to be complete, each once."""
    found = {layer.id(): layer for layout in layouts for layer in unchecked_layers(printed_map_layers(layout))}
    # QGIS itself reads what is not on a map, whatever the maps draw from
    beside = [layer for layout in layouts for layer in layout_items.layers_beside_maps(layout)
              if layer_proof(layer) is not SourceProof.LOCAL]
    names = [*map(layer_label, beside), *([tr("online terrain")] if any(map(layout_items.has_online_terrain, layouts))
                                         else [])]
    return list(dict.fromkeys([*map(layer_label, found.values()), *(
        tr("{layer} (outside of the maps)", layer=name) for name in names)]))


def layer_label(layer: QgsMapLayer) -> str:
    """Return the layer's name for a sentence: on one line, of bounded length."""
    return bounded_title(single_line(layer.name()))


def unchecked_text(names: Sequence[str]) -> str:
    """Return the sentence about the layers with these names, or "" without any."""
    if not names:
        return ""
    return tr("The completeness of these layers was not checked: {layers}.",
              layers=list_quoted_names(names, len(names)))


def _own_proof(layer: QgsMapLayer, visited: Set[str]) -> SourceProof:
    """Return the proof of a single layer, not of a group. ``visited`` are the layers that read it."""
    source, visited = drawn_source(layer), visited | {layer.id()}
    read = sources_read_by(layer)
    if source.type is SourceType.VIRTUAL:
        own = SourceProof.LOCAL if read.queried or read.embedded else SourceProof.UNCHECKED
    else:
        own = kind_of(source).proof(source)
        if own is SourceProof.WATCHED and not is_fetched(layer):
            # a query of its own for example, which is not asked here
            own = SourceProof.UNCHECKED
    # one that is missing, or reads itself, is not known to be complete
    are_local = all(kind_of(part).proof(part) is SourceProof.LOCAL for part in read.embedded) and all(
        part is not None and part.id() not in visited and _own_proof(part, visited) is SourceProof.LOCAL
        for part in (*read.queried, *read.joined))
    return own if are_local else SourceProof.UNCHECKED

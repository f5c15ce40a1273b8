"""Preflight rules about a map that shows its snapshot: content, area and resolution."""

from __future__ import annotations

from typing import Callable, Iterator, Tuple

from ..custommap.map_findings import MapFinding, Severity
from ..i18n import tr
from ..numbers import format_scale
from ..text import list_quoted_names
from .context import PreflightContext

#: relative difference below which scales are equal
_TOLERANCE = 0.02
_EDGE_TOLERANCE = 0.002


def layers_without_snapshot(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield layers missing in the snapshot, which are requested from their servers."""
    if context.snapshot is None:
        return
    for index in range(len(context.entries)):
        names = [layer.label for layer in context.entry_layers(index) if layer.snapshot_source is None]
        if names:
            yield MapFinding(
                "offline-live", Severity.WARNING,
                tr("Not in the snapshot: {layers}. The live service is used instead.",
                   layers=list_quoted_names(names)),
                tr("Take a new snapshot, or show the live services."), context.entry_title(index), index)


def snapshot_area(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield an error for a page that extends beyond the snapshot."""
    box, area = context.extent, context.snapshot.degrees if context.snapshot is not None else None
    if box is None or area is None:
        return
    across, along = box.width * _EDGE_TOLERANCE, box.height * _EDGE_TOLERANCE
    if (box.west < area.west - across or box.east > area.east + across or box.south < area.south - along
            or box.north > area.north + along):
        yield MapFinding("offline-area", Severity.ERROR, tr("The snapshot does not cover all of this page."),
                         tr("Move the map into the snapshot’s area, take a larger one, or show the live services."))


def snapshot_resolution(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield pages that need a finer resolution or another scale than the snapshot has."""
    snapshot = context.snapshot
    if snapshot is None or context.frame is None or not snapshot.scales:
        return
    scale = context.frame.scale
    scales_text = ", ".join(map(format_scale, snapshot.scales))
    if min(snapshot.scales) / snapshot.dpi > scale / context.dpi * (1 + _TOLERANCE):
        yield MapFinding(
            "offline-coarse", Severity.WARNING,
            tr("The snapshot is coarser than this page: it was taken for {scales} at {dpi} dpi.", scales=scales_text,
               dpi=snapshot.dpi), tr("Print at a smaller scale or a lower resolution, or take a finer snapshot."))
    elif all(abs(scale / other - 1) > _TOLERANCE for other in snapshot.scales):
        yield MapFinding(
            "offline-scale", Severity.NOTE,
            tr("The snapshot was drawn for {scales}: at this scale its symbols and labels "
               "have another size.", scales=scales_text),
            tr("Print at one of these scales, or take a snapshot for this one."))


def snapshot_terms(context: PreflightContext) -> Iterator[MapFinding]:
    """Yield services whose terms in the snapshot differ from those known from the library or the service."""
    day = context.snapshot.day if context.snapshot is not None else ""
    for index, terms in enumerate(context.plan.stored_terms):
        known = context.terms_of(index)
        if terms is not None and known is not None and context.entries[index].visible:
            yield MapFinding(
                "offline-terms", Severity.WARNING,
                tr("Terms as stored in the snapshot of {date} differ from those known here. The stricter duty to "
                   "credit counts.", date=day),
                tr("Read both terms before you publish, and ask its owner which apply."), context.entry_title(index),
                index, detail="\n\n".join((tr("In the snapshot: {terms}", terms=terms.sentence),
                                           tr("Known here: {terms}", terms=known.sentence))))


RULES: Tuple[Callable[[PreflightContext], Iterator[MapFinding]],
             ...] = (layers_without_snapshot, snapshot_area, snapshot_resolution, snapshot_terms)

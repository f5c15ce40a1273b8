"""Plans whose layers show a snapshot instead of live services, and the location of a document's snapshot."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Tuple

from ..custommap import own_sources
from ..custommap.model import (
    NO_DESCRIPTIONS,
    CustomMap,
    LayerPlan,
    Plan,
    PlanNote,
    SnapshotDescriptions,
    SnapshotReference,
    SnapshotSource,
)
from ..dates import format_day, past_moment
from ..i18n import tr
from ..records.model.endpoints import normalise_endpoint
from ..wms.model.service import in_scale_range
from .manifest import SnapshotLayer, SnapshotManifest

LayerKey = Tuple[str, str, str]


@dataclass(frozen=True)
class Snapshot:
    """A finished snapshot: its folder, its manifest, and what it stores of its map's services, if that was read."""

    folder: Path
    manifest: SnapshotManifest
    descriptions: SnapshotDescriptions = NO_DESCRIPTIONS

    def layer_sources(self) -> Mapping[LayerKey, SnapshotSource]:
        made = past_moment(self.manifest.made)
        return {
            layer_key(layer): SnapshotSource(self.raster_source(layer), str(self.folder), made)
            for layer in self.manifest.layers
        }

    def raster_source(self, layer: SnapshotLayer) -> str:
        """Return the raster of a layer as GDAL and QGIS open it."""
        path = str(self.folder / layer.file)
        return f"GPKG:{path}:{layer.table}" if layer.table else path


def layer_key(layer: SnapshotLayer) -> LayerKey:
    """Return the key of a layer: service, layer name and style."""
    return normalise_endpoint(layer.address), layer.name, layer.style


def plan_key(plan: LayerPlan) -> LayerKey:
    return normalise_endpoint(plan.address), plan.name, plan.wms.style if plan.wms is not None else ""


def with_snapshot(plan: Plan, snapshot: Optional[Snapshot]) -> Plan:
    """Return the plan with layers that show the snapshot where it has them, and a note that says so.

    Without a snapshot the plan is unchanged.
    """
    if snapshot is None:
        return plan
    copies: Dict[LayerKey, SnapshotSource] = dict(snapshot.layer_sources())
    note = PlanNote(tr("The map is drawn from its snapshot of {date}, not from the live services.",
                       date=format_day(snapshot.manifest.day)))
    return replace(plan, notes=(*plan.notes, note),
                   layers=tuple(replace(layer, snapshot_source=copies.get(plan_key(layer))) for layer in plan.layers))


def live_layers(plan: Plan, nominal_scale: Optional[float]) -> List[LayerPlan]:
    """Return the layers that are drawn at a scale, or at any without one, and that the snapshot lacks."""
    return [layer for layer in plan.layers if layer.visible and layer.snapshot_source is None
            and (not nominal_scale or in_scale_range(layer.scale_range, nominal_scale))]


def snapshot_folder(use: SnapshotReference, document: Optional[Path]) -> Path:
    """Return the snapshot's folder. Its path may be relative to the document's file."""
    path = Path(use.path)
    return path if path.is_absolute() or document is None else Path(os.path.normpath(document.parent / path))


def with_absolute_paths(custom_map: CustomMap, document: Path) -> CustomMap:
    """Return the map read from ``document`` with the absolute paths of its snapshot and its own layers."""
    custom_map = own_sources.with_absolute_sources(custom_map, document)
    use = custom_map.snapshot
    return custom_map if use is None else replace(custom_map, snapshot=replace(use, path=str(
        snapshot_folder(use, document))))


def with_relative_paths(custom_map: CustomMap, document: Path) -> CustomMap:
    """Return the map to be saved at ``document``, with relative paths of what is beside or below it.

    Document, snapshot and the files of own layers can be moved together then.
    """
    custom_map = own_sources.with_relative_sources(custom_map, document)
    use = custom_map.snapshot
    if use is None or not Path(use.path).is_absolute():
        return custom_map
    try:
        relative = Path(use.path).relative_to(document.parent.resolve())
    except ValueError:
        return custom_map
    return replace(custom_map, snapshot=replace(use, path=relative.as_posix() or "."))

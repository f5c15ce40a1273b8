"""Snapshots: a custom map's area at chosen scales kept as rasters, with all papers, for use without a network.

The entry points, none of which needs a window:

``take(document, records, order, feedback)``  all of it, from any worker thread: reads the services, prepares, makes.
``prepare(order, document, plan, services, records, project)``  what it will cost and what stands in the way; on the
    main thread, nothing is asked (snapshot_order.py).
``make(prepared, feedback)``  fetches and writes, in a worker thread; goes on where it was broken off.
``open_snapshot(folder)``  a finished one, checked.

A snapshot is a folder: ``snapshot.json`` (core/snapshot/manifest.py), the rasters, and the papers beside them. Until it
is whole its ``snapshot.json`` says so, there is no raster in it, and nothing will open it.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import QgsProject

from ...core.custommap.map_findings import Severity
from ...core.custommap.model import CustomMap
from ...core.custommap.planner import make_plan
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.snapshot.manifest import load_manifest, save_manifest, sha256_of_file, unusable_reason
from ...core.snapshot.model import COMPLETE, GPKG, INCOMPLETE, SnapshotFile, SnapshotLayer, SnapshotManifest
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.terms.model import RecordWithTerms
from ...core.wms.model.service import Service
from ..runtime import main_thread, settings
from ..runtime.tasks import Feedback
from ..services import service_cache
from .planning import SnapshotOptions, SnapshotPlan, plan_snapshot
from .raster_writer import DamagedTile, RasterSpec, write_cog, write_geopackage
from .snapshot_documents import (
    DocumentSources,
    SnapshotDocuments,
    collection_metadata,
    embed_in_geopackage,
    embedded_documents,
    raster_metadata,
)
from .tile_download import TileFolder, TileRequest, describe_failures, download_tiles

__all__ = [
    "IncompleteSnapshot", "SnapshotOptions", "SnapshotPlan", "write_snapshot", "open_snapshot", "plan_snapshot",
    "take_snapshot", "unfinished_manifest"
]

#: where parts wait until all of them are there
_PARTS_FOLDER = ".parts"
_GPKG_FILE = "rasters.gpkg"
#: how the progress is shared out, in per cent
_DOWNLOAD_END, _DOCUMENTS_END = 75.0, 82.0
#: how often damaged pictures are fetched anew
_MAX_REPAIRS = 2


class IncompleteSnapshot(CartoguideError):
    """Pictures did not come, so there is no snapshot; ``problems`` names service, layer and reason of each."""

    def __init__(self, problems: Sequence[str], detail: str = "") -> None:
        head = tr("The snapshot is not complete and cannot be used. What came is kept; start it again to go on:")
        super().__init__("\n".join([head, *problems]), detail)
        self.problems = list(problems)


def write_snapshot(snapshot_plan: SnapshotPlan, feedback: Feedback) -> Snapshot:
    """Take the snapshot, or go on with it where it was broken off; for worker threads.

    IncompleteSnapshot where pictures did not come after several attempts (what came is kept), Cancelled where
    ``feedback`` was, CartoguideError where a finding forbids it, a limit is met, or nothing can be written.
    """
    if snapshot_plan.blocked:
        raise CartoguideError("\n".join([
            tr("The snapshot cannot be taken:"),
            *(f"{finding.service_title}: {finding.message}" if finding.service_title else finding.message
              for finding in snapshot_plan.findings if finding.severity is Severity.ERROR)
        ]))
    try:
        return _write_snapshot(snapshot_plan, feedback)
    except OSError as error:
        raise CartoguideError(
            tr("The snapshot could not be written to {folder}: {reason}. Choose another place.",
               folder=str(snapshot_plan.options.folder), reason=error.strerror or type(error).__name__),
            str(error)) from error


def take_snapshot(document: CustomMap, records: Mapping[str, RecordWithTerms], options: SnapshotOptions,
                  feedback: Feedback, cache: Optional[service_cache.ServiceCache] = None,
                  project: Optional[QgsProject] = None) -> Snapshot:
    """The whole line for scripts and algorithms: services read, order worked out, snapshot taken; for worker threads.

    ``records`` are by endpoint. As ``make`` otherwise. (On the main thread:
    ``tasks.run_to_end(lambda feedback: take(…, feedback))``.)
    """
    known: Dict[str, Union[Service, CartoguideError]] = {}
    source = cache or service_cache.shared()
    for endpoint in dict.fromkeys(entry.endpoint for entry in document.entries):
        try:
            known[endpoint] = source.get_or_fetch(endpoint, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            known[endpoint] = error
    plan = make_plan(document, known, records)
    prepared = main_thread.call(
        lambda: plan_snapshot(options, document, plan, known, records, project or QgsProject.instance()), feedback)
    return write_snapshot(prepared, feedback)


def open_snapshot(folder: Path) -> Snapshot:
    """The finished snapshot in ``folder``; CartoguideError where there is none, or it is not whole."""
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("The snapshot is not there any more: {folder}.", folder=str(folder)), str(folder))
    problem = unusable_reason(folder, manifest)
    if problem:
        raise CartoguideError(problem, str(folder))
    return Snapshot(folder, manifest)


def unfinished_manifest(folder: Path) -> Optional[SnapshotManifest]:
    """What an unfinished snapshot in ``folder`` says of itself; None where there is none."""
    try:
        manifest = load_manifest(folder)
    except CartoguideError:
        return None
    return manifest if manifest is not None and not manifest.is_complete else None


# -- making


def _write_snapshot(snapshot_plan: SnapshotPlan, feedback: Feedback) -> Snapshot:
    folder = snapshot_plan.options.folder
    manifest = _new_manifest(snapshot_plan)
    works = snapshot_plan.requests()
    manifest = replace(manifest, order=_options_fingerprint(snapshot_plan, works))
    parts = TileFolder(folder / _PARTS_FOLDER)
    parts.folder.mkdir(parents=True, exist_ok=True)
    save_manifest(folder, manifest)
    for attempt in range(_MAX_REPAIRS + 1):
        _download(snapshot_plan, works, parts, manifest, feedback)
        try:
            return _finish(snapshot_plan, parts, manifest, feedback)
        except DamagedTile as error:
            error.path.unlink()
            if attempt == _MAX_REPAIRS:
                problems = [error.user_text]
                save_manifest(folder, replace(manifest, problems=tuple(problems)))
                raise IncompleteSnapshot(problems, error.detail) from error
    raise AssertionError


def _new_manifest(snapshot_plan: SnapshotPlan) -> SnapshotManifest:
    """The manifest of what is not there yet; CartoguideError where something else is in the folder."""
    folder = snapshot_plan.options.folder
    former = load_manifest(folder)
    if former is not None and former.is_complete:
        raise CartoguideError(tr("There is a finished snapshot in {folder} already. Choose another place.",
                                 folder=str(folder)))
    if former is None and folder.exists() and any(folder.iterdir()):
        raise CartoguideError(tr("There are other files in {folder}. Choose a folder that is empty or not there yet.",
                                 folder=str(folder)))
    order = snapshot_plan.options
    return SnapshotManifest(title=snapshot_plan.document.title, state=INCOMPLETE, made=_utc_now(),
                            crs=snapshot_plan.plan.crs, area=order.area, degrees=snapshot_plan.geographic_extent,
                            dpi=order.dpi, scales=snapshot_plan.scales, kind=order.raster_format,
                            problems=(tr("Not everything has been fetched yet."), ))


def _options_fingerprint(snapshot_plan: SnapshotPlan, requests: Sequence[TileRequest]) -> str:
    """Tells this order from another one."""
    told = "\n".join([snapshot_plan.options.raster_format, *(work.url for work in requests)])
    return hashlib.sha256(told.encode("utf-8")).hexdigest()[:40]


def _download(snapshot_plan: SnapshotPlan, requests: Sequence[TileRequest], tile_folder: TileFolder,
              manifest: SnapshotManifest, feedback: Feedback) -> None:
    failures = download_tiles(requests, tile_folder,
                              settings.get("snapshot_mb") * 1_000_000, _PartialFeedback(feedback, 0.0, _DOWNLOAD_END))
    if failures:
        problems = describe_failures(failures, requests)
        save_manifest(snapshot_plan.options.folder, replace(manifest, problems=tuple(problems)))
        raise IncompleteSnapshot(problems, "\n\n".join(failure.detail for failure in failures[:20]))


def _finish(snapshot_plan: SnapshotPlan, tile_folder: TileFolder, manifest: SnapshotManifest,
            feedback: Feedback) -> Snapshot:
    """All parts are there: the papers, the rasters, and last the word that it is whole."""
    order = snapshot_plan.options
    papers = SnapshotDocuments(order.folder)
    papers.write(
        DocumentSources(snapshot_plan.document, snapshot_plan.plan.layers, snapshot_plan.services,
                        snapshot_plan.records, snapshot_plan.nominal_scales, manifest.made,
                        snapshot_plan.geographic_extent), _PartialFeedback(feedback, _DOWNLOAD_END, _DOCUMENTS_END))
    kept, rasters = _write_rasters(snapshot_plan, tile_folder, manifest.made, papers,
                                   _PartialFeedback(feedback, _DOCUMENTS_END, 99.0))
    feedback.raise_if_cancelled()
    done = replace(manifest, state=COMPLETE, layers=tuple(kept), files=(*rasters, *papers.files),
                   notes=tuple(papers.notes), problems=())
    save_manifest(order.folder, done)
    shutil.rmtree(tile_folder.folder, ignore_errors=True)
    return Snapshot(order.folder, done)


def _write_rasters(snapshot_plan: SnapshotPlan, tile_folder: TileFolder, made: str, documents: SnapshotDocuments,
                   feedback: Feedback) -> Tuple[List[SnapshotLayer], List[SnapshotFile]]:
    """Every layer's raster, written in the workshop and then moved to its place."""
    order = snapshot_plan.options
    tiff = order.raster_format != GPKG
    workshop = tile_folder.folder / "rasters"
    shutil.rmtree(workshop, ignore_errors=True)
    workshop.mkdir()
    kept: List[SnapshotLayer] = []
    whole = collection_metadata(snapshot_plan.plan.layers, snapshot_plan.document, made)
    endpoints = [entry.endpoint for entry in snapshot_plan.document.entries]
    for number, work in enumerate(snapshot_plan.layers, 1):
        feedback.report(100.0 * (number - 1) / len(snapshot_plan.layers), work.plan.title)
        plan, scales = work.plan, tuple(level.scale for level in work.levels)
        raster = RasterSpec(
            plan.title or plan.name, plan.crs, work.area, work.levels,
            [(part.tile, tile_folder.path(part.url)) for part in work.requests()], plan.format, {
                **raster_metadata(plan, snapshot_plan.document, made, order.dpi, scales, tiff),
                **(embedded_documents(documents, order.folder, endpoints[plan.entry_index]) if tiff else {})
            }, whole)
        table = "" if tiff else f"layer_{number:02d}"
        name = f"rasters/layer_{number:02d}.tif" if tiff else _GPKG_FILE
        file = workshop / Path(name).name
        if tiff:
            write_cog(file, raster, feedback)
        else:
            write_geopackage(file, table, raster, feedback)
        kept.append(
            SnapshotLayer(plan.address, plan.name, plan.style, plan.title or plan.name, plan.service_title, plan.crs,
                          name, table, "; ".join(plan.rights), "; ".join(plan.licences), scales))
    if not tiff and kept:
        embed_in_geopackage(workshop / _GPKG_FILE, order.folder, documents.files)
    return kept, [
        _move_raster(workshop, order.folder, name, tiff) for name in dict.fromkeys(layer.file for layer in kept)
    ]


def _move_raster(workshop: Path, folder: Path, name: str, is_tiff: bool) -> SnapshotFile:
    source, target = workshop / Path(name).name, folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    media_type = "image/tiff; application=geotiff; profile=cloud-optimized" if is_tiff \
        else "application/geopackage+sqlite3"
    return SnapshotFile(name, "raster", media_type, target.stat().st_size, sha256_of_file(target))


class _PartialFeedback(Feedback):
    """A stretch of the whole progress, told as if it were all of it."""

    def __init__(self, whole: Feedback, begin: float, end: float) -> None:
        super().__init__()
        self._whole, self._begin, self._span = whole, begin, (end - begin) / 100.0

    def report(self, percent: float, text: str = "") -> None:
        """Tell the whole."""
        self._whole.report(self._begin + percent * self._span, text)

    def isCanceled(self) -> bool:  # noqa: N802
        """Whether the whole was cancelled."""
        return bool(self._whole.isCanceled())

    def setProgress(self, percent: float) -> None:  # noqa: N802
        """QGIS's own way of telling."""
        self._whole.setProgress(self._begin + percent * self._span)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled where the whole was cancelled."""
        self._whole.raise_if_cancelled()


def _utc_now() -> str:
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()

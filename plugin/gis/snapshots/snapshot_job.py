"""Snapshots: a custom map's area at chosen scales, saved as rasters with all documents, for use without a network.

The entry points, none of which needs a GUI:

``take_snapshot(document, records, options, feedback)``  services, plan and download, in a worker thread.
``plan_snapshot(options, document, plan, services, records, project)``  cost and obstacles. Main thread, no requests.
``write_snapshot(snapshot_plan, feedback)``  download and write, in a worker thread. Resumes an unfinished snapshot.
``open_snapshot(folder)``  a finished snapshot, after checking its files.

A snapshot is a folder with ``snapshot.json`` (core/snapshot/manifest.py), the rasters, and the documents. While it is
incomplete, ``snapshot.json`` says so, it contains no raster, and ``open_snapshot`` refuses it.
"""

from __future__ import annotations

import hashlib
import math
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import FrozenSet, List, Mapping, Optional, Sequence, Tuple, Union

from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsCsException, QgsProject, QgsRectangle

from ...core.box import Box
from ...core.custommap.map_findings import MapFinding, Severity
from ...core.custommap.model import CustomMap, LayerPlan, MapRole, Plan
from ...core.custommap.planner import make_plan
from ...core.dates import utc_now
from ...core.errors import CartoguideError
from ...core.files import write_error
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record
from ...core.snapshot import raster_grid
from ...core.snapshot.findings import (
    SnapshotContext,
    SnapshotEstimate,
    drawn_scale_indexes,
    estimate_snapshot,
    snapshot_findings,
)
from ...core.snapshot.manifest import (
    TILE_FOLDER,
    FileRole,
    RasterFormat,
    RasterLevel,
    RasterPart,
    SnapshotFile,
    SnapshotLayer,
    SnapshotManifest,
    SnapshotState,
    check_files,
    check_links,
    load_manifest,
    remove_downloads,
    save_manifest,
    sha256_of_file,
    unusable_reason,
)
from ...core.snapshot.raster_grid import part_request_url
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.sources.layer_source import WmsSource
from ...core.storage.syncing import PRIVATE_FILE, PRIVATE_FOLDER, sync_file, sync_folder
from ...core.storage.temporary_files import note_folder
from ...core.text import list_quoted_names
from ...core.wms.model.service import Service
from ..layers.snapshot_rasters import check_raster
from ..layouts.map_frame import WGS84
from ..runtime import main_thread, settings
from ..runtime.conversions import rectangle_box
from ..runtime.ground_scale import ground_scale_at, qgis_scale
from ..runtime.tasks import Feedback
from ..runtime.terms import terms_settings
from ..services import service_cache
from ..services.map_addresses import choose_map_address, settle_addresses
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

#: limit of requests of one layer, above which they are not even listed
_MAX_REQUESTS = 50_000
_MM_PER_INCH = 25.4


@dataclass(frozen=True)
class SnapshotOptions:
    """Options of a snapshot: the area to save, its scales, and the folder.

    ``area`` is in the map's CRS. ``scales`` are true denominators, to be
    printed at ``dpi``. ``folder`` is made. ``permitted`` are the endpoints whose
    publishers allowed a copy although their terms forbid it.
    """

    folder: Path
    area: Box
    scales: Tuple[float, ...]
    dpi: int = 300
    raster_format: RasterFormat = RasterFormat.GPKG
    permitted: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class LayerDownload:
    """One layer of the snapshot: its plan and service, its area in its CRS, its levels and its tiles."""

    plan: LayerPlan
    source: WmsSource
    service: Service
    area: Box
    levels: Tuple[RasterLevel, ...]
    tiles: Tuple[RasterPart, ...]
    number: int
    dpi: int

    def requests(self) -> List[TileRequest]:
        """Return the tiles with their addresses. Raises InvalidRequest if the service does not allow one."""
        plan, layer_id = self.plan, str(self.number)
        moment = plan.moment if plan.time_span is not None else ""
        return [
            TileRequest(part_request_url(self.source, moment, self.service, self.area, self.levels[part.level], part,
                                         self.dpi),
                        layer_id, plan.title or plan.name, plan.service_title, part, plan.role is not MapRole.BASE)
            for part in self.tiles
        ]


@dataclass(frozen=True)
class SnapshotPlan:
    """A planned snapshot with its cost and findings.

    ``nominal_scales`` are QGIS's own denominators for ``scales``, which are the ground's. ``geographic_extent`` is
    west, south, east, north.
    """

    options: SnapshotOptions
    document: CustomMap
    plan: Plan
    layers: Tuple[LayerDownload, ...]
    services: Mapping[str, Service]
    records: Mapping[str, Record]
    nominal_scales: Tuple[float, ...]
    scales: Tuple[float, ...]
    geographic_extent: Box
    estimate: SnapshotEstimate
    findings: Tuple[MapFinding, ...]

    @property
    def blocked(self) -> bool:
        """True if a finding is an error, so that the snapshot cannot be taken."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def requests(self) -> List[TileRequest]:
        """Return every request. Raises InvalidRequest if a service does not allow one."""
        return [part for layer in self.layers for part in layer.requests()]


def plan_snapshot(options: SnapshotOptions, document: CustomMap, plan: Plan,
                  known_services: Mapping[str, Union[Service, CartoguideError]], records: Mapping[str, Record],
                  project: QgsProject, seconds_per_megapixel: Optional[float] = None) -> SnapshotPlan:
    """Return the plan of a snapshot. Main thread only. Nothing is requested.

    ``known_services`` are the services or their errors, and ``records`` the records, both by endpoint.
    Raises CartoguideError if the area has no size or lies outside the map's CRS, or if there are far too many requests.
    Other obstacles are among the findings.
    """
    services = {endpoint: service for endpoint, service in known_services.items() if isinstance(service, Service)}
    try:
        measure = _AreaMeasure(options, plan.crs, project)
    except (ValueError, QgsCsException) as error:
        raise CartoguideError(tr("The area cannot be used: it is empty, or {crs} is not defined there. Choose "
                                 "another area.", crs=plan.crs), str(error)) from error
    levels = raster_grid.raster_levels(options.area, options.scales, measure.resolution,
                                       options.raster_format is not RasterFormat.GPKG)
    true_scales = tuple(level.scale for level in levels)
    nominal = tuple(scale * measure.nominal_factor for scale in true_scales)
    downloads: List[LayerDownload] = []
    for number, layer in enumerate(plan.layers):
        service = services.get(document.entries[layer.entry_index].endpoint)
        drawn = drawn_scale_indexes(layer, nominal)
        if service is not None and layer.wms is not None and drawn:
            downloads.append(_plan_layer(options, number, layer, layer.wms, service, measure,
                                         [levels[index] for index in drawn]))
    tiles = [(download.source.format, _is_opaque(download), download.levels[tile.level], tile)
             for download in downloads for tile in download.tiles]
    estimated_cost = estimate_snapshot(tiles, seconds_per_megapixel)
    context = SnapshotContext(document, plan, records, services, options.scales, nominal, estimated_cost,
                              settings.get("snapshot_requests"), settings.get("snapshot_mb"), options.permitted,
                              true_scales)
    endpoints = {normalise_endpoint(entry.endpoint) for entry in document.entries}
    records = {endpoint: record for endpoint, record in records.items() if normalise_endpoint(endpoint) in endpoints}
    return SnapshotPlan(options, document, plan, tuple(downloads), services, records, nominal, true_scales,
                        measure.geographic_extent, estimated_cost, snapshot_findings(context))


class _AreaMeasure:
    """Measurements of the area: map units for a pixel at 1:1, its extent in degrees and in the CRSs of layers."""

    def __init__(self, options: SnapshotOptions, crs: str, project: QgsProject) -> None:
        self._crs, self._project = QgsCoordinateReferenceSystem(crs), project
        self.area = QgsRectangle(*options.area)
        if not self._crs.isValid() or self.area.isEmpty() or not self.area.isFinite():
            raise ValueError(crs)
        ground = ground_scale_at(self._crs, self.area.center(), project)
        if ground is None:
            raise ValueError(crs)
        self.resolution = ground.map_units(1.0, _MM_PER_INCH / options.dpi)
        # of any width on paper: both denominators shrink with it
        self.nominal_factor = qgis_scale(self._crs, self.area, 1.0) / ground.denominator(self.area.width(), 1.0)
        if not (math.isfinite(self.nominal_factor) and self.nominal_factor > 0):
            raise ValueError(crs)
        self.geographic_extent = rectangle_box(self._transformed(WGS84))

    def in_crs(self, crs: str) -> Tuple[Box, float]:
        """Return the area in another CRS, and that CRS's units for a unit of the map's."""
        if QgsCoordinateReferenceSystem(crs) == self._crs:
            return rectangle_box(self.area), 1.0
        transformed = self._transformed(crs)
        area_ratio = transformed.width() * transformed.height() / (self.area.width() * self.area.height())
        return rectangle_box(transformed), math.sqrt(area_ratio)

    def _transformed(self, crs: str) -> QgsRectangle:
        return QgsCoordinateTransform(self._crs, QgsCoordinateReferenceSystem(crs),
                                      self._project).transformBoundingBox(self.area)


def _plan_layer(options: SnapshotOptions, number: int, layer: LayerPlan, source: WmsSource, service: Service,
                measure: _AreaMeasure, drawn_levels: Sequence[RasterLevel]) -> LayerDownload:
    area, share = measure.in_crs(source.crs)
    levels = tuple(
        raster_grid.raster_levels(area, [level.scale for level in drawn_levels], measure.resolution * share,
                                  options.raster_format is not RasterFormat.GPKG))
    limits = (source.max_width, source.max_height)
    if sum(raster_grid.estimate_part_count(level, limits) for level in levels) > _MAX_REQUESTS:
        raise CartoguideError(tr("This takes many thousands of requests. Choose a smaller area, fewer or smaller "
                                 "scales, or a lower resolution."))
    parts = tuple(part for index, level in enumerate(levels)
                  for part in raster_grid.level_parts(level, index, options.dpi, limits))
    return LayerDownload(layer, source, service, area, levels, parts, number, options.dpi)


def _is_opaque(download: LayerDownload) -> bool:
    layer = download.service.layer(download.plan.name)
    return download.plan.role is MapRole.BASE or (layer is not None and bool(layer.opaque))


_GPKG_FILE = "rasters.gpkg"
#: progress in per cent at the end of the download and of the documents
_DOWNLOAD_END, _DOCUMENTS_END = 75.0, 82.0
#: number of times that a damaged tile is downloaded again
_MAX_REPAIRS = 2


class IncompleteSnapshot(CartoguideError):
    """Tiles could not be downloaded, so the snapshot cannot be used.

    ``problems`` are texts for people, each with service, layer and reason.
    """

    def __init__(self, problems: Sequence[str], detail: str = "") -> None:
        head = tr("The snapshot is incomplete and cannot be used. What was downloaded is kept. Start it again to "
                  "resume:")
        super().__init__("\n".join([head, *problems]), detail)
        self.problems = list(problems)


def write_snapshot(snapshot_plan: SnapshotPlan, feedback: Feedback) -> Snapshot:
    """Take the snapshot, or resume it. For worker threads.

    Raises IncompleteSnapshot if tiles fail after several attempts (the others are kept), Cancelled, and CartoguideError
    if a finding forbids the snapshot, a limit is exceeded, or a file cannot be written.
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
        folder = snapshot_plan.options.folder
        raise write_error(folder, error, tr(
            "The snapshot could not be written to {folder}: {reason}. Choose another folder.", folder=str(folder),
            reason=error.strerror or type(error).__name__)) from error


def take_snapshot(document: CustomMap, records: Mapping[str, Record], options: SnapshotOptions,
                  feedback: Feedback, cache: Optional[service_cache.ServiceCache] = None,
                  project: Optional[QgsProject] = None) -> Snapshot:
    """Fetch the services, plan and take a snapshot, for scripts and algorithms. For worker threads.

    ``records`` are by endpoint. Raises the errors of ``write_snapshot``. From the main thread call
    ``tasks.run_and_wait(lambda feedback: take_snapshot(…, feedback))``.
    """
    endpoints = [entry.endpoint for entry in document.entries]
    service_source = cache or service_cache.shared()
    known_services = service_source.get_or_fetch_all(endpoints, feedback)

    def planned() -> Plan:
        return make_plan(document, known_services, records, terms_settings(), choose_address=choose_map_address)

    # what the trials say decides the addresses of the plan
    settle_addresses(planned().layers, service_source, feedback)
    plan = planned()
    target_project = project or QgsProject.instance()
    snapshot_plan = main_thread.call(
        lambda: plan_snapshot(options, document, plan, known_services, records, target_project), feedback)
    return write_snapshot(snapshot_plan, feedback)


def open_snapshot(folder: Path) -> Snapshot:
    """Return the finished snapshot in ``folder``.

    For worker threads: the rasters are read once. Raises CartoguideError if the snapshot is missing or incomplete, if a
    raster is not the one that was written, or if it would be read with anything else.
    """
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("The snapshot was not found: {folder}.", folder=str(folder)), str(folder))
    problem = unusable_reason(folder, manifest)
    if problem:
        raise CartoguideError(problem, str(folder))
    check_links(folder, manifest)
    # of a damaged raster QGIS draws what is left, and reports nothing
    check_files(folder, replace(manifest, files=manifest.files_with_role(FileRole.RASTER)))
    snapshot = Snapshot(folder, manifest)
    for layer in manifest.layers:
        check_raster(snapshot.raster_source(layer), str(folder))
    remove_downloads(folder)
    return snapshot


def unfinished_manifest(folder: Path) -> Optional[SnapshotManifest]:
    """Return the manifest of an unfinished snapshot in ``folder``, or None."""
    try:
        manifest = load_manifest(folder)
    except CartoguideError:
        return None
    return manifest if manifest is not None and not manifest.is_complete else None


# -- steps of a snapshot


def _write_snapshot(snapshot_plan: SnapshotPlan, feedback: Feedback) -> Snapshot:
    folder = snapshot_plan.options.folder
    manifest = _new_manifest(snapshot_plan)
    requests = snapshot_plan.requests()
    manifest = replace(manifest, order=_options_fingerprint(snapshot_plan, requests))
    tile_folder = TileFolder(folder / TILE_FOLDER)
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    tile_folder.folder.mkdir(PRIVATE_FOLDER, exist_ok=True)
    note_folder(folder)
    save_manifest(folder, manifest)
    for attempt in range(_MAX_REPAIRS + 1):
        _download(snapshot_plan, requests, tile_folder, manifest, feedback)
        try:
            return _finish(snapshot_plan, tile_folder, manifest, feedback)
        except DamagedTile as error:
            error.path.unlink()
            if attempt == _MAX_REPAIRS:
                problems = [error.user_text]
                save_manifest(folder, replace(manifest, problems=tuple(problems)))
                raise IncompleteSnapshot(problems, error.detail) from error
    raise AssertionError


def _new_manifest(snapshot_plan: SnapshotPlan) -> SnapshotManifest:
    """Return the manifest of a snapshot to be taken. Raises CartoguideError if the folder contains something else."""
    folder = snapshot_plan.options.folder
    existing = load_manifest(folder)
    if existing is not None and existing.is_complete:
        raise CartoguideError(tr("{folder} already contains a finished snapshot. Choose another folder.",
                                 folder=str(folder)))
    if existing is None and folder.exists() and any(folder.iterdir()):
        raise CartoguideError(tr("{folder} contains other files. Choose an empty or a new folder.", folder=str(folder)))
    options = snapshot_plan.options
    return SnapshotManifest(title=snapshot_plan.document.title, state=SnapshotState.INCOMPLETE, made=utc_now(),
                            crs=snapshot_plan.plan.crs, area=options.area, degrees=snapshot_plan.geographic_extent,
                            dpi=options.dpi, scales=snapshot_plan.scales, kind=options.raster_format,
                            problems=(tr("The download is not finished."), ))


def _options_fingerprint(snapshot_plan: SnapshotPlan, requests: Sequence[TileRequest]) -> str:
    text = "\n".join([snapshot_plan.options.raster_format.value, *(request.url for request in requests)])
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:40]


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
    """Write the documents and the rasters, and mark the snapshot complete at the end."""
    options = snapshot_plan.options
    documents = SnapshotDocuments(options.folder)
    documents.write(
        DocumentSources(snapshot_plan.document, snapshot_plan.plan.layers, snapshot_plan.services,
                        snapshot_plan.records, snapshot_plan.plan.terms, snapshot_plan.nominal_scales, manifest.made,
                        snapshot_plan.geographic_extent), _PartialFeedback(feedback, _DOWNLOAD_END, _DOCUMENTS_END))
    taken = [download.plan for download in snapshot_plan.layers]
    left_out = [layer.label for layer in snapshot_plan.plan.layers if layer.visible and layer not in taken]
    if left_out:
        documents.notes.append(tr("Not drawn at the snapshot's scales, and so not in it: {layers}.",
                                  layers=list_quoted_names(left_out)))
    layers, rasters = _write_rasters(snapshot_plan, tile_folder, manifest.made, documents,
                                     _PartialFeedback(feedback, _DOCUMENTS_END, 99.0))
    feedback.raise_if_cancelled()
    finished_manifest = replace(manifest, state=SnapshotState.COMPLETE, layers=tuple(layers),
                                files=(*rasters, *documents.files), notes=tuple(documents.notes), problems=())
    save_manifest(options.folder, finished_manifest)
    shutil.rmtree(tile_folder.folder, ignore_errors=True)
    return Snapshot(options.folder, finished_manifest)


def _write_rasters(snapshot_plan: SnapshotPlan, tile_folder: TileFolder, created_at: str, documents: SnapshotDocuments,
                   feedback: Feedback) -> Tuple[List[SnapshotLayer], List[SnapshotFile]]:
    """Write every layer's raster in a working folder, then move the rasters to the snapshot's folder."""
    options = snapshot_plan.options
    is_tiff = options.raster_format is not RasterFormat.GPKG
    working_folder = tile_folder.folder / "rasters"
    shutil.rmtree(working_folder, ignore_errors=True)
    working_folder.mkdir(PRIVATE_FOLDER)
    # an earlier attempt may have died while it moved its rasters, perhaps of another format
    shutil.rmtree(options.folder / "rasters", ignore_errors=True)
    (options.folder / _GPKG_FILE).unlink(missing_ok=True)
    layers: List[SnapshotLayer] = []
    shared_metadata = collection_metadata(snapshot_plan.plan.layers, snapshot_plan.document, created_at)
    endpoints = [entry.endpoint for entry in snapshot_plan.document.entries]
    for number, download in enumerate(snapshot_plan.layers, 1):
        feedback.report(100.0 * (number - 1) / len(snapshot_plan.layers), download.plan.title)
        plan, source, scales = download.plan, download.source, tuple(level.scale for level in download.levels)
        metadata = raster_metadata(plan, snapshot_plan.document, created_at, options.dpi, scales, is_tiff)
        if is_tiff:
            metadata.update(embedded_documents(documents, options.folder, endpoints[plan.entry_index]))
        tiles = [(request.tile, tile_folder.path(request.url)) for request in download.requests()]
        raster = RasterSpec(plan.title or plan.name, source.crs, download.area, download.levels, tiles, source.format,
                            metadata, shared_metadata)
        table = "" if is_tiff else f"layer_{number:02d}"
        name = f"rasters/layer_{number:02d}.tif" if is_tiff else _GPKG_FILE
        file = working_folder / Path(name).name
        if is_tiff:
            write_cog(file, raster, feedback)
        else:
            write_geopackage(file, table, raster, feedback)
        layers.append(
            SnapshotLayer(source.address, source.name, source.style, plan.title or plan.name, plan.service_title,
                          source.crs, name, table, "; ".join(plan.rights), "; ".join(plan.licences), scales))
    if not is_tiff and layers:
        embed_in_geopackage(working_folder / _GPKG_FILE, options.folder, documents.files)
    names = dict.fromkeys(layer.file for layer in layers)
    return layers, [_move_raster(working_folder, options.folder, name, is_tiff) for name in names]


def _move_raster(working_folder: Path, folder: Path, name: str, is_tiff: bool) -> SnapshotFile:
    source, target = working_folder / Path(name).name, folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    os.chmod(source, PRIVATE_FILE)
    sync_file(source)
    source.replace(target)
    sync_folder(target.parent)
    media_type = "image/tiff; application=geotiff; profile=cloud-optimized" if is_tiff \
        else "application/geopackage+sqlite3"
    return SnapshotFile(name, FileRole.RASTER.value, media_type, target.stat().st_size, sha256_of_file(target))


class _PartialFeedback(Feedback):
    """Feedback for a part of a job: 0 to 100 % is mapped to a range of the whole job's progress."""

    def __init__(self, whole: Feedback, begin: float, end: float) -> None:
        super().__init__()
        self._whole, self._begin, self._span = whole, begin, (end - begin) / 100.0

    def report(self, percent: float, text: str = "") -> None:
        """Report the progress of the whole job."""
        self._whole.report(self._begin + percent * self._span, text)

    def isCanceled(self) -> bool:  # noqa: N802
        """Return whether the whole job was cancelled (QGIS)."""
        return bool(self._whole.isCanceled())

    def setProgress(self, percent: float) -> None:  # noqa: N802
        """Set the progress of the whole job (QGIS)."""
        self._whole.setProgress(self._begin + percent * self._span)

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled if the whole job was cancelled."""
        self._whole.raise_if_cancelled()

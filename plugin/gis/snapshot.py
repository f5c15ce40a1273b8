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

from ..core.custommap.model import CustomMap
from ..core.custommap.plan import make_plan
from ..core.custommap.preflight.model import Severity
from ..core.errors import CartoguideError
from ..core.i18n import tr
from ..core.snapshot.manifest import digest, lacking, load_manifest, save_manifest
from ..core.snapshot.model import COMPLETE, GPKG, INCOMPLETE, KeptFile, KeptLayer, Manifest
from ..core.snapshot.use import Snapshot
from ..core.wms.model import Service
from . import main_thread, services, settings
from .network import Cancelled
from .snapshot_order import Known, Order, Prepared, prepare
from .snapshot_papers import Papers, Sources, into_geopackage, papers_inside, raster_metadata, whole_metadata
from .snapshot_parts import Parts, PartWork, fetch_parts, problems_of
from .snapshot_raster import DamagedPart, RasterWork, write_cog, write_gpkg
from .tasks import Feedback

__all__ = ["IncompleteSnapshot", "Order", "Prepared", "make", "open_snapshot", "prepare", "take", "unfinished"]

#: where parts wait until all of them are there
_WORKSHOP = ".parts"
_GPKG_FILE = "rasters.gpkg"
#: how the progress is shared out, in per cent
_FETCHED, _PAPERS = 75.0, 82.0
#: how often damaged pictures are fetched anew
_MENDED = 2


class IncompleteSnapshot(CartoguideError):
    """Pictures did not come, so there is no snapshot; ``problems`` names service, layer and reason of each."""

    def __init__(self, problems: Sequence[str], detail: str = "") -> None:
        head = tr("The snapshot is not complete and cannot be used. What came is kept; start it again to go on:")
        super().__init__("\n".join([head, *problems]), detail)
        self.problems = list(problems)


def make(prepared: Prepared, feedback: Feedback) -> Snapshot:
    """Take the snapshot, or go on with it where it was broken off; for worker threads.

    IncompleteSnapshot where pictures did not come after several attempts (what came is kept), Cancelled where
    ``feedback`` was, CartoguideError where a finding forbids it, a limit is met, or nothing can be written.
    """
    if prepared.blocked:
        raise CartoguideError("\n".join(
            [tr("The snapshot cannot be taken:"), *(f"{finding.about}: {finding.message}" if finding.about
                                                   else finding.message for finding in prepared.findings
                                                   if finding.severity is Severity.ERROR)]))
    try:
        return _make(prepared, feedback)
    except OSError as error:
        raise CartoguideError(tr("The snapshot could not be written to {folder}: {reason}. Choose another place.",
                                 folder=str(prepared.order.folder), reason=error.strerror or type(error).__name__),
                              str(error)) from error


def take(document: CustomMap, records: Mapping[str, Known], order: Order, feedback: Feedback,
         cache: Optional[services.ServiceCache] = None, project: Optional[QgsProject] = None) -> Snapshot:
    """The whole line for scripts and algorithms: services read, order worked out, snapshot taken; for worker threads.

    ``records`` are by endpoint. As ``make`` otherwise. (On the main thread:
    ``tasks.run_to_end(lambda feedback: take(…, feedback))``.)
    """
    known: Dict[str, Union[Service, CartoguideError]] = {}
    source = cache or services.shared()
    for endpoint in dict.fromkeys(entry.endpoint for entry in document.entries):
        try:
            known[endpoint] = source.obtain(endpoint, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            known[endpoint] = error
    plan = make_plan(document, known, records)
    prepared = main_thread.call(lambda: prepare(order, document, plan, known, records,
                                                project or QgsProject.instance()), feedback)
    return make(prepared, feedback)


def open_snapshot(folder: Path) -> Snapshot:
    """The finished snapshot in ``folder``; CartoguideError where there is none, or it is not whole."""
    manifest = load_manifest(folder)
    if manifest is None:
        raise CartoguideError(tr("The snapshot is not there any more: {folder}.", folder=str(folder)), str(folder))
    problem = lacking(folder, manifest)
    if problem:
        raise CartoguideError(problem, str(folder))
    return Snapshot(folder, manifest)


def unfinished(folder: Path) -> Optional[Manifest]:
    """What an unfinished snapshot in ``folder`` says of itself; None where there is none."""
    try:
        manifest = load_manifest(folder)
    except CartoguideError:
        return None
    return manifest if manifest is not None and not manifest.complete else None


# -- making


def _make(prepared: Prepared, feedback: Feedback) -> Snapshot:
    folder = prepared.order.folder
    manifest = _begin(prepared)
    works = prepared.requests()
    manifest = replace(manifest, order=_fingerprint(prepared, works))
    parts = Parts(folder / _WORKSHOP)
    parts.folder.mkdir(parents=True, exist_ok=True)
    save_manifest(folder, manifest)
    for attempt in range(_MENDED + 1):
        _fetch(prepared, works, parts, manifest, feedback)
        try:
            return _finish(prepared, parts, manifest, feedback)
        except DamagedPart as error:
            error.path.unlink()
            if attempt == _MENDED:
                problems = [error.user_text]
                save_manifest(folder, replace(manifest, problems=tuple(problems)))
                raise IncompleteSnapshot(problems, error.detail) from error
    raise AssertionError


def _begin(prepared: Prepared) -> Manifest:
    """The manifest of what is not there yet; CartoguideError where something else is in the folder."""
    folder = prepared.order.folder
    former = load_manifest(folder)
    if former is not None and former.complete:
        raise CartoguideError(tr("There is a finished snapshot in {folder} already. Choose another place.",
                                 folder=str(folder)))
    if former is None and folder.exists() and any(folder.iterdir()):
        raise CartoguideError(tr("There are other files in {folder}. Choose a folder that is empty or not there yet.",
                                 folder=str(folder)))
    order = prepared.order
    return Manifest(title=prepared.document.title, state=INCOMPLETE, made=_now(), crs=prepared.plan.crs,
                    area=order.area, degrees=prepared.degrees, dpi=order.dpi, scales=prepared.scales, kind=order.kind,
                    problems=(tr("Not everything has been fetched yet."),))


def _fingerprint(prepared: Prepared, works: Sequence[PartWork]) -> str:
    """Tells this order from another one."""
    told = "\n".join([prepared.order.kind, *(work.url for work in works)])
    return hashlib.sha256(told.encode("utf-8")).hexdigest()[:40]


def _fetch(prepared: Prepared, works: Sequence[PartWork], parts: Parts, manifest: Manifest,
           feedback: Feedback) -> None:
    failures = fetch_parts(works, parts, settings.get("snapshot_mb") * 1_000_000,
                           _Share(feedback, 0.0, _FETCHED))
    if failures:
        problems = problems_of(failures, works)
        save_manifest(prepared.order.folder, replace(manifest, problems=tuple(problems)))
        raise IncompleteSnapshot(problems, "\n\n".join(failure.detail for failure in failures[:20]))


def _finish(prepared: Prepared, parts: Parts, manifest: Manifest, feedback: Feedback) -> Snapshot:
    """All parts are there: the papers, the rasters, and last the word that it is whole."""
    order = prepared.order
    papers = Papers(order.folder)
    papers.write(Sources(prepared.document, prepared.plan.layers, prepared.services, prepared.records,
                         prepared.nominal, manifest.made, prepared.degrees), _Share(feedback, _FETCHED, _PAPERS))
    kept, rasters = _rasters(prepared, parts, manifest.made, papers, _Share(feedback, _PAPERS, 99.0))
    feedback.stop_if_cancelled()
    done = replace(manifest, state=COMPLETE, layers=tuple(kept), files=(*rasters, *papers.files),
                   notes=tuple(papers.notes), problems=())
    save_manifest(order.folder, done)
    shutil.rmtree(parts.folder, ignore_errors=True)
    return Snapshot(order.folder, done)


def _rasters(prepared: Prepared, parts: Parts, made: str, papers: Papers,
             feedback: Feedback) -> Tuple[List[KeptLayer], List[KeptFile]]:
    """Every layer's raster, written in the workshop and then moved to its place."""
    order = prepared.order
    tiff = order.kind != GPKG
    workshop = parts.folder / "rasters"
    shutil.rmtree(workshop, ignore_errors=True)
    workshop.mkdir()
    kept: List[KeptLayer] = []
    whole = whole_metadata(prepared.plan.layers, prepared.document, made)
    endpoints = [entry.endpoint for entry in prepared.document.entries]
    for number, work in enumerate(prepared.layers, 1):
        feedback.tell(100.0 * (number - 1) / len(prepared.layers), work.plan.title)
        plan, scales = work.plan, tuple(level.scale for level in work.levels)
        raster = RasterWork(plan.title or plan.name, plan.crs, work.area, work.levels,
                            [(part.part, parts.path(part.url)) for part in work.requests()], plan.format,
                            {**raster_metadata(plan, prepared.document, made, order.dpi, scales, tiff),
                             **(papers_inside(papers, order.folder, endpoints[plan.entry]) if tiff else {})}, whole)
        table = "" if tiff else f"layer_{number:02d}"
        name = f"rasters/layer_{number:02d}.tif" if tiff else _GPKG_FILE
        file = workshop / Path(name).name
        if tiff:
            write_cog(file, raster, feedback)
        else:
            write_gpkg(file, table, raster, feedback)
        kept.append(KeptLayer(plan.address, plan.name, plan.style, plan.title or plan.name, plan.service_title,
                              plan.crs, name, table, "; ".join(plan.rights), "; ".join(plan.licences), scales))
    if not tiff and kept:
        into_geopackage(workshop / _GPKG_FILE, order.folder, papers.files)
    return kept, [_moved(workshop, order.folder, name, tiff) for name in dict.fromkeys(layer.file for layer in kept)]


def _moved(workshop: Path, folder: Path, name: str, tiff: bool) -> KeptFile:
    source, target = workshop / Path(name).name, folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    source.replace(target)
    media_type = "image/tiff; application=geotiff; profile=cloud-optimized" if tiff \
        else "application/geopackage+sqlite3"
    return KeptFile(name, "raster", media_type, target.stat().st_size, digest(target))


class _Share(Feedback):
    """A stretch of the whole progress, told as if it were all of it."""

    def __init__(self, whole: Feedback, begin: float, end: float) -> None:
        super().__init__()
        self._whole, self._begin, self._span = whole, begin, (end - begin) / 100.0

    def tell(self, percent: float, text: str = "") -> None:
        """Tell the whole."""
        self._whole.tell(self._begin + percent * self._span, text)

    def isCanceled(self) -> bool:  # noqa: N802
        """Whether the whole was cancelled."""
        return bool(self._whole.isCanceled())

    def setProgress(self, percent: float) -> None:  # noqa: N802
        """QGIS's own way of telling."""
        self._whole.setProgress(self._begin + percent * self._span)

    def stop_if_cancelled(self) -> None:
        """Raise Cancelled where the whole was cancelled."""
        self._whole.stop_if_cancelled()


def _now() -> str:
    return datetime.now(timezone.utc).replace(microsecond=0).isoformat()

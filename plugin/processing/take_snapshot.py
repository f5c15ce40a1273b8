"""Algorithm that takes a snapshot: rasters of a custom map at chosen scales, for use without a network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProject,
    QgsRectangle,
)

from ..core.i18n import tr, tr_noop
from . import inputs
from .algorithm import MAPS, CartoguideAlgorithm, choice_parameter
from .execution import run_blocking
from .map_parameters import INPUT, add_document_parameter, read_map_document
from .outputs import add_file_output

if TYPE_CHECKING:
    from ..core.box import Box
    from ..core.custommap.model import CustomMap
    from ..core.snapshot.snapshot_sources import Snapshot
    from ..gis.runtime.tasks import Feedback

SCALES, DPI, FORMAT, PERMITTED, OUTPUT, PACKAGE = "SCALES", "DPI", "FORMAT", "PERMITTED", "OUTPUT", "PACKAGE"
FORMATS = ("gpkg", "cog")


class TakeSnapshot(CartoguideAlgorithm):
    ID = "takesnapshot"
    TITLE = tr_noop("Take a snapshot of a custom map")
    DESCRIPTION = tr_noop("Saves an area of a custom map at the chosen scales as rasters, with its records, legends "
                          "and credits, for offline use. It is refused if the terms of a service forbid a copy.")
    GROUP = MAPS
    TAGS = ("offline", "cache", "geopackage", "cog", "wms", "sin conexión", "instantánea")
    EXAMPLE = ("qgis_process run cartoguide:takesnapshot -- INPUT=park.custommap.json "
               "'EXTENT=-3.51,-3.49,38.38,38.39 [EPSG:4326]' SCALES=25000 DPI=96 OUTPUT=park-offline PACKAGE=park.zip")
    OUTPUTS = ((OUTPUT, tr_noop("The snapshot's folder, which the dock can open.")),
               (PACKAGE, tr_noop("The snapshot and its map in one file, for another computer.")),
               ("LAYERS", tr_noop("Number of layers saved.")),
               ("MEGABYTES", tr_noop("Size of the snapshot.")),
               ("REMARKS", tr_noop("What could not be saved, one item per line.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        add_document_parameter(self)
        inputs.add_extent_parameter(self, tr("Area"), tr("If empty, that of the printed page."))
        self.add_parameter(
            QgsProcessingParameterString(SCALES, tr("Scales"), None, False, True),
            tr("Denominators, separated by commas: 10000,25000. If empty, the scale of the printed page."))
        self.add_parameter(
            QgsProcessingParameterNumber(DPI, tr("Resolution"), QgsProcessingParameterNumber.Type.Integer, 300, False,
                                         72, 600), tr("Dots per inch at those scales, 72 to 600."))
        self.add_parameter(
            choice_parameter(FORMAT, tr("Format"), ((FORMATS[0], tr("GeoPackage, one file")),
                                                    (FORMATS[1], tr("Cloud-optimised GeoTIFF, one for each layer")))))
        inputs.add_record_parameters(self, tr("Records of the map's services that are not in your library."))
        self.add_parameter(QgsProcessingParameterBoolean(PERMITTED, tr("Copies are permitted"), False),
                           tr("The publishers permit you to make a copy although their terms forbid "
                              "it."), advanced=True)
        self.add_parameter(QgsProcessingParameterFolderDestination(OUTPUT, tr("Snapshot")))
        add_file_output(self, PACKAGE, tr("Package"), "Zip (*.zip)")
        self.add_outputs(QgsProcessingOutputNumber("LAYERS", tr("Layers saved")),
                         QgsProcessingOutputNumber("MEGABYTES", tr("Megabytes")),
                         QgsProcessingOutputString("REMARKS", tr("Remarks")))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that the document exists and that the scales are numbers."""
        message = inputs.missing_file_error(self, parameters, INPUT, context)
        if not message and self._scales(parameters, context) is None:
            message = tr("The scales must be denominators, like 10000,25000.")
        return message

    def _scales(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> Optional[Tuple[float, ...]]:
        """Return the scale denominators, empty where none is given, None where they are not numbers."""
        texts = str(self.parameterAsString(parameters, SCALES, context) or "").replace(";", ",").split(",")
        try:
            scales = tuple(sorted({float(word) for word in texts if word.strip()}))
        except ValueError:
            return None
        return scales if all(1 <= scale <= 1e9 for scale in scales) else None

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Take the snapshot. Raises CartoguideError where terms forbid it or a service fails."""
        from dataclasses import replace

        from ..core.snapshot.manifest import RasterFormat
        from ..gis.library.record_library import find_map_records
        from ..gis.runtime import main_thread
        from ..gis.snapshots import snapshot_job, snapshot_packages
        from .record_inputs import load_records, open_library

        document = replace(read_map_document(self, parameters, context, feedback, draws_layers=False), snapshot=None)
        selection = inputs.record_selection(self, parameters, context)
        page = None if parameters.get(inputs.EXTENT) and self._scales(parameters, context) else \
            main_thread.call(lambda: _printed_page(document))
        scales = self._scales(parameters, context) or ((page[1] if page is not None else document.scale or 25_000.0),)
        permitted = bool(self.parameterAsBoolean(parameters, PERMITTED, context))
        folder = Path(str(self.parameterAsString(parameters, OUTPUT, context)))
        options = snapshot_job.SnapshotOptions(
            folder, self._area(document, page[0] if page is not None else None, parameters, context), scales,
            int(self.parameterAsInt(parameters, DPI, context)),
            RasterFormat(self.parameterAsEnumString(parameters, FORMAT, context) or FORMATS[0]),
            frozenset(entry.endpoint for entry in document.entries) if permitted else frozenset())

        package = str(self.parameterAsFileOutput(parameters, PACKAGE, context) or "")
        unread: List[str] = []
        report = inputs.reporter(feedback.reportError, unread)

        def work(task_feedback: Feedback) -> Snapshot:
            records = () if selection.is_empty else load_records(selection, task_feedback, report).records
            with open_library(task_feedback) as library:
                records_by_endpoint = find_map_records(document, records, library.store())
            snapshot = snapshot_job.take_snapshot(document, records_by_endpoint, options, task_feedback)
            if package:
                snapshot_packages.pack_snapshot(snapshot.folder, document, Path(package), task_feedback)
            return snapshot

        snapshot = run_blocking(work, feedback)
        for note in snapshot.manifest.notes:
            feedback.pushWarning(note)
        size = sum(saved_file.size for saved_file in snapshot.manifest.files)
        return {
            **({PACKAGE: package} if package else {}), OUTPUT: str(snapshot.folder),
            "LAYERS": len(snapshot.manifest.layers), "MEGABYTES": round(size / 1e6, 2),
            "REMARKS": "\n".join((*document.change_notes, *unread, *snapshot.manifest.notes))
        }

    def _area(self, document: CustomMap, page: Optional[Box], parameters: Dict[str, Any],
              context: QgsProcessingContext) -> Box:
        """Return the area in the CRS of the map. ``page`` is that of the page."""
        from ..gis.runtime.conversions import rectangle_box

        if page is not None and not parameters.get(inputs.EXTENT):
            return page
        crs = QgsCoordinateReferenceSystem(document.crs)
        if parameters.get(inputs.EXTENT):
            rectangle = self.parameterAsExtent(parameters, inputs.EXTENT, context, crs)
        elif document.extent is not None:
            # the open project belongs to the main thread
            rectangle = QgsCoordinateTransform(
                QgsCoordinateReferenceSystem(inputs.GEOGRAPHIC_CRS), crs, context.transformContext(),
            ).transformBoundingBox(QgsRectangle(*document.extent.box))
        else:
            raise QgsProcessingException(tr("The map has no extent. Enter one."))
        if rectangle.isEmpty():
            raise QgsProcessingException(tr("The area is empty."))
        return rectangle_box(rectangle)


def _printed_page(document: CustomMap) -> Optional[Tuple[Box, float]]:
    """Return the area that the document's page shows and its scale, or None if the document has no area."""
    from ..core.custommap.model import Plan
    from ..gis.pages.page_measurement import PageMeasurement

    extent = document.extent.box if document.extent is not None else None
    plan = Plan(document.title, document.crs, (), extent=extent, centre=document.centre, scale=document.scale,
                page=document.page, language=document.language)
    # a project of its own, for this may not be the main window's
    measurement = PageMeasurement(QgsProject())
    frame, extent = measurement.frame(plan), measurement.map_extent(plan)
    return (extent, frame.scale) if frame is not None and extent is not None else None

"""Algorithm that builds a custom map of records and services, as a document and as a QGIS project."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

from qgis.core import (
    QgsMapLayer,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputNumber,
    QgsProcessingOutputString,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterCrs,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsProcessingUtils,
    QgsProject,
    QgsProviderRegistry,
)

from ..core.i18n import tr, tr_noop
from ..core.text import list_quoted_names
from ..gis.runtime import compat
from . import inputs, map_parameters, outputs
from .algorithm import MAPS, CartoguideAlgorithm
from .outputs import add_file_output

if TYPE_CHECKING:
    from ..core.custommap.map_entries import LinkedLayers
    from ..core.custommap.model import CustomMap, MapEntry, OwnLayer
    from ..core.records.model.record import Record

TITLE, CRS, BASE, DOCUMENT, PROJECT = "TITLE", "CRS", "FIRST_IS_BASE", "DOCUMENT", "PROJECT"
OWN_LAYERS = "OWN_LAYERS"
MAX_FEATURES, MAX_DOWNLOAD = "MAX_FEATURES", "MAX_DOWNLOAD"


class BuildCustomMap(CartoguideAlgorithm):
    ID = "buildcustommap"
    TITLE = tr_noop("Build a custom map")
    DESCRIPTION = tr_noop("Stacks the map services of the records, the first one as base, and writes the map as a "
                          "document and, on request, as a QGIS project with its layers, credits and print layout.")
    GROUP = MAPS
    TAGS = ("compose", "map", "layout", "wms", "print", "mapa", "componer", "composición")
    EXAMPLE = ("qgis_process run cartoguide:buildcustommap -- FILES=records/park-guide.xml "
               "FILES=records/public-use-facilities.xml TITLE=Despeñaperros "
               "'EXTENT=-3.6,-3.42,38.33,38.43 [EPSG:4326]' PAPER=A4 DOCUMENT=new.custommap.json PROJECT=new.qgz")
    MAIN_THREAD = True
    OUTPUTS = ((DOCUMENT, tr_noop("The map as a document (*.custommap.json), which the dock can open.")),
               (PROJECT, tr_noop("A QGIS project with the map's layers and its layout.")),
               ("SERVICES", tr_noop("Number of services on the map.")),
               ("MISSING", tr_noop("Number of layers and services that could not be added to the project.")),
               ("CREDITS", tr_noop("The credits that the map must or may show, one per line.")),
               ("REMARKS", tr_noop("Remarks, such as a style that had to be replaced, one per line.")))

    def initAlgorithm(self, configuration: Any = None) -> None:  # noqa: N802
        inputs.add_record_parameters(self, tr("Their order is that of the map, from the bottom up."))
        self.add_parameter(QgsProcessingParameterString(TITLE, tr("Title"), optional=True),
                           tr("The map's title. If empty, the name of the park that the records name."))
        self.add_parameter(QgsProcessingParameterBoolean(BASE, tr("The first is the base"), True),
                           tr("If set, the first service is the base below all others; otherwise all are overlays."))
        self.add_parameter(
            QgsProcessingParameterMultipleLayers(OWN_LAYERS, tr("Own layers"),
                                                 compat.processing_source_type("MapLayer"), optional=True),
            tr("Layers of your own above the services, from the bottom up. The map refers to them, with their style "
               "and the source line in their metadata."))
        map_parameters.add_page_parameters(self, of_document=False)
        self.add_parameter(QgsProcessingParameterCrs(CRS, tr("Coordinate system"), None, True),
                           tr("The coordinate system of the map. If empty, that of the network."))
        self.add_parameter(
            QgsProcessingParameterFileDestination(DOCUMENT, tr("Custom map"), "Custom map (*.custommap.json)", None,
                                                  True, True))
        self.add_parameter(QgsProcessingParameterNumber(
            MAX_FEATURES, tr("Most features"), QgsProcessingParameterNumber.Type.Integer, 10_000, minValue=0),
            tr("A layer of features with more of them in the area is not added."), advanced=True)
        self.add_parameter(QgsProcessingParameterNumber(
            MAX_DOWNLOAD, tr("Largest download (MB)"), QgsProcessingParameterNumber.Type.Integer, 200, minValue=1),
            tr("A larger file is not fetched."), advanced=True)
        add_file_output(self, PROJECT, tr("Project"), "QGIS (*.qgz)")
        self.add_outputs(QgsProcessingOutputNumber("SERVICES", tr("Services on the map")),
                         QgsProcessingOutputNumber("MISSING", tr("Missing layers")),
                         QgsProcessingOutputString("CREDITS", tr("Credits")),
                         QgsProcessingOutputString("REMARKS", tr("Remarks")))

    def parameter_error(self, parameters: Dict[str, Any], context: QgsProcessingContext) -> str:
        """Check that records are given and that the page is possible."""
        return inputs.no_records_error(self, parameters, context) or map_parameters.page_parameter_error(
            self, parameters, context)

    def compute(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                feedback: QgsProcessingFeedback) -> Dict[str, Any]:
        """Build the map. Raises QgsProcessingException where no record leads to anything that can be added."""
        from ..core.files import atomic_write
        from ..gis.own_layers.provenance import sealed_bytes

        remarks: List[str] = []
        records = inputs.load_selected_records(self, parameters, context, feedback, remarks)
        document = self._build_document(records, parameters, context, feedback, remarks)
        results: Dict[str, Any] = {
            "SERVICES": len(document.entries), "MISSING": 0,
            "CREDITS": "\n".join(line for line in (*(entry.credit.line for entry in document.entries),
                                                   *(own.credit for own in document.own_layers)) if line)
        }
        # the project first, because it can fail: then no document is left behind
        project = str(self.parameterAsFileOutput(parameters, PROJECT, context) or "")
        turns = map_parameters.may_turn(self, parameters, context)
        if project:
            document, written = self._write_project(document, records, Path(project), feedback, turns, remarks)
            results.update(written)
        else:
            document = _fitted(document, records, turns)
        path = str(self.parameterAsFileOutput(parameters, DOCUMENT, context) or "")
        if path:
            with atomic_write(Path(path)) as stream:
                stream.write(sealed_bytes(document, Path(path).resolve()))
            results[DOCUMENT] = path
        return {**results, "REMARKS": "\n".join(dict.fromkeys((*document.change_notes, *remarks)))}

    def _build_document(self, records: Sequence[Record], parameters: Dict[str, Any], context: QgsProcessingContext,
                        feedback: QgsProcessingFeedback, remarks: List[str]) -> CustomMap:
        """Return the map of the records. What is not on it is reported, and added to ``remarks``."""
        from dataclasses import replace

        from ..core.custommap.model import CustomMap
        from ..core.custommap.own_sources import is_temporary
        from ..core.custommap.planner import default_map_title
        from ..core.custommap.time_selection import with_blended_series
        from ..core.distributions.record_distributions import wms_address, wms_distributions
        from ..core.distributions.uses import others_of_kind_text
        from ..gis.credits.map_phrases import default_map_language
        from ..gis.own_layers.references import refer_to
        from ..gis.profiles import record_loading
        from ..gis.services.service_cache import shared

        warn = inputs.reporter(feedback.pushWarning, remarks)
        persons_own = [refer_to(layer) for layer in self._own_layers(parameters, context, warn)]
        for own in persons_own:
            if is_temporary(own):
                warn(f"{own.name}: {tr('It is a temporary layer: a saved map cannot refer to it.')}")
        for text in (others_of_kind_text(record, wms_distributions(record)) for record in records):
            if text:
                warn(text)
        linked = _linked_layers([(record, endpoint) for record in records for endpoint in [wms_address(record)]
                                 if endpoint], feedback, remarks)
        crs = self.parameterAsCrs(parameters, CRS, context) if parameters.get(CRS) else None
        map_crs = str(crs.authid()) if crs is not None and crs.isValid() else record_loading.current_profile().crs
        entries: List[MapEntry] = []
        own_layers: List[OwnLayer] = []
        for record in records:
            entry = _entry(record, linked) or self._add_distribution(record, map_crs, len(entries), own_layers,
                                                                     parameters, context, feedback, remarks)
            if entry is not None:
                entries.append(entry)
        if not entries and not own_layers:
            raise QgsProcessingException(tr("None of the records leads to anything that can be added to a map."))
        based = bool(self.parameterAsBoolean(parameters, BASE, context))
        title = str(self.parameterAsString(parameters, TITLE, context) or "").strip()
        made = map_parameters.apply_page_parameters(
            self, parameters, context, feedback, with_blended_series(CustomMap(
                title=title,
                language=default_map_language(),
                base=entries[0] if based and entries else None,
                overlays=tuple(entries[1:] if based else entries),
                crs=map_crs,
                own_layers=(*own_layers, *(replace(own, entries_below=len(entries)) for own in persons_own))),
                lambda entry: shared().get(entry.endpoint)))
        return replace(made, title=title or default_map_title((record.title or "" for record in records),
                                                              made.language))

    def _own_layers(self, parameters: Dict[str, Any], context: QgsProcessingContext,
                    warn: Callable[[str], None]) -> List[QgsMapLayer]:
        """Return the layers of OWN_LAYERS. Raises QgsProcessingException where one is not there, which QGIS leaves out.

        QGIS checks the parameters of an algorithm that a person runs, and not those of a model's step.
        """
        from ..gis.pages.completeness_checks import left_out_text
        from ..gis.sources.files import leaves_shapes_out

        given = parameters.get(OWN_LAYERS)
        values = given if isinstance(given, (list, tuple)) else [given] if isinstance(given, str) and given else ()
        gone = [value for value in values
                if isinstance(value, str) and QgsProcessingUtils.mapLayerFromString(value, context) is None]
        if gone:
            raise QgsProcessingException(tr("There is no layer {names}.", names=list_quoted_names(gone)))
        for path in (Path(value) for value in values if isinstance(value, str)):
            names = [one.name() for one in QgsProviderRegistry.instance().querySublayers(str(path))
                     ] if path.is_file() else []
            if len(names) > 1:
                warn(tr("Only the first layer of {name} is added. It has {layers}.", name=path.name,
                        layers=list_quoted_names(names)))
        # a layer that is named twice is one
        layers = list({layer.id(): layer for layer in self.parameterAsLayerList(parameters, OWN_LAYERS, context) or ()}
                      .values())
        for layer in filter(leaves_shapes_out, layers):
            warn(left_out_text(layer))
        return layers

    def _add_distribution(self, record: Record, crs: str, entries_below: int, own_layers: List[OwnLayer],
                          parameters: Dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback,
                          remarks: List[str]) -> Optional[MapEntry]:
        """Add the layers of the best distribution of a record without a WMS to ``own_layers``.

        Returns the entry of a service that turns out to be a WMS. What cannot be added is reported by name, each layer
        by itself.
        """
        from ..core.errors import Cancelled, CartoguideError
        from ..gis.own_layers import distribution_layers
        from ..gis.own_layers.opening import open_layer
        from ..gis.own_layers.references import refer_to
        from .execution import run_blocking

        def report(title: str, error: CartoguideError) -> None:
            inputs.reporter(feedback.reportError, remarks)(
                tr("“{title}” is not added: {reason}", title=title, reason=error.user_text))

        area = inputs.bounding_box(self, parameters, context)
        max_features = int(self.parameterAsInt(parameters, MAX_FEATURES, context))
        max_bytes = int(self.parameterAsInt(parameters, MAX_DOWNLOAD, context)) * 1_000_000
        try:
            found = run_blocking(lambda inner: distribution_layers.layers_of_record(
                record, crs, area, max_features, max_bytes, distribution_layers.downloads_folder(), inner), feedback)
            if found.note:
                inputs.reporter(feedback.pushWarning, remarks)(found.note)
            if found.wms_address:
                linked = _linked_layers([(record, found.wms_address)], feedback, remarks)
                return _entry(record, linked, found.wms_address)
            for offered, terms in found.layers:
                own = distribution_layers.own_layer_of(offered, record.title or "", terms.credit)
                try:
                    layer = open_layer(distribution_layers.as_checked(own), feedback)
                except Cancelled:
                    raise
                except CartoguideError as error:
                    report(own.name, error)
                    continue
                terms.write_to(layer)
                own_layers.append(refer_to(layer, entries_below=entries_below))
        except Cancelled:
            raise
        except CartoguideError as error:
            report(record.title or record.id or "", error)
        return None

    @staticmethod
    def _write_project(document: CustomMap, records: Sequence[Record], path: Path, feedback: QgsProcessingFeedback,
                       turns: bool, remarks: List[str]) -> Tuple[CustomMap, Dict[str, Any]]:
        """Return the document, with the page that the project has, and the outputs. Adds to ``remarks``."""
        from ..core.storage.syncing import sync_file, sync_folder
        from ..core.storage.temporary_files import temporary_path
        from ..gis.credits.expression_functions import extra_project

        project = QgsProject()
        # the labels are fitted to what they will say
        with extra_project(project):
            composed = map_parameters.compose_map(project, document, records, feedback, turns)
        for remark in map_parameters.composition_remarks(composed):
            inputs.reporter(feedback.pushWarning, remarks)(remark)
        project.setTitle(document.title)
        part = temporary_path(path.parent, path.suffix or ".qgz")
        try:
            if not project.write(str(part)):
                raise QgsProcessingException(tr("QGIS could not write {name}.", name=path.name))
            sync_file(part)
            os.replace(part, path)
            sync_folder(path.parent)
        finally:
            part.unlink(missing_ok=True)
        missing = len(composed.failures) + sum(note.is_missing for note in composed.plan.notes)
        return composed.document, {PROJECT: str(path), "MISSING": missing}


def _entry(record: Record, linked: Dict[int, LinkedLayers], endpoint: Optional[str] = None) -> Optional[MapEntry]:
    """Return the entry of the WMS of a record with the layers that it links, or None without one."""
    from ..core.custommap.map_entries import entry_from_record

    named, terms = linked.get(id(record)), outputs.resolve_record_terms(record)
    if named is None:
        return entry_from_record(record, terms, endpoint=endpoint)
    return entry_from_record(record, terms, named.names, named.styles, endpoint, named.moment)


def _linked_layers(services: Sequence[Tuple[Record, str]], feedback: QgsProcessingFeedback,
                   remarks: List[str]) -> Dict[int, LinkedLayers]:
    """Return the layers that records name in their links to these WMS, by the record's id().

    Adds what is missing to ``remarks``. Only the services of such links are read. Those that cannot be read have all of
    their layers on the map, which is a remark.
    """
    from ..core.custommap.map_entries import linked_layers
    from ..core.errors import CartoguideError
    from ..core.records.model.record import ResourceKind
    from ..core.wms.model.service import Service
    from ..core.wms.requests.urls import split_address
    from ..gis.services.service_cache import shared
    from .execution import run_blocking

    named = [(record, endpoint) for record, endpoint in services
             if record.kind is not ResourceKind.SERVICE or split_address(endpoint).layer_list]
    wanted = list(dict.fromkeys(endpoint for _record, endpoint in named))
    if not wanted:
        return {}
    answers = run_blocking(lambda inner: shared().get_or_fetch_all(wanted, inner), feedback)
    found = {id(record): linked_layers(record, endpoint, service) for record, endpoint in named
             for service in [answers.get(endpoint)] if isinstance(service, Service)}
    for record, endpoint in named:
        error = answers.get(endpoint)
        if isinstance(error, CartoguideError):
            inputs.reporter(feedback.pushWarning, remarks)(
                tr("All layers of the service of “{title}” are on the map, and not only those that its links name: "
                   "{reason}", title=record.title or endpoint, reason=error.user_text))
    for linked in found.values():
        if linked.note:
            inputs.reporter(feedback.pushWarning, remarks)(linked.note)
    return found


def _fitted(document: CustomMap, records: Sequence[Record], turns: bool) -> CustomMap:
    """Return the document with a page that fits the base as its record describes it, if no area or scale is stated."""
    from ..core.custommap.page_fit import needs_fit
    from ..core.distributions.record_distributions import wms_address
    from ..gis.pages.page_measurement import PageMeasurement

    if not needs_fit(document):
        return document
    known = {endpoint: record for record in records for endpoint in [wms_address(record)] if endpoint}
    return PageMeasurement(QgsProject()).fitted(document, {}, known, turns) or document

"""Audit of the credits in a project: its layers, the findings about each address or file, and adding what was found.

The lookups block and run in a task.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerMetadata, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject

from ...core.addresses import is_web_address
from ...core.audit import AddressFindings, AuditRow, LayerFacts, build_row
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.sources.kinds import kind_of
from ...core.terms.model import Decision
from ...core.text import fold, single_line
from ..library.record_library import RecordLibrary
from ..runtime import compat, tasks
from ..runtime.network_errors import host_of
from ..runtime.terms import terms_settings
from ..runtime.thread_pool import pool_slot_released
from ..services import service_cache
from ..sources.layer_source import (
    CREDIT_REQUIRED,
    LAYER_NAME,
    MARKS,
    OWN_DATA,
    RECORD_ID,
    SERVICE_TITLE,
    SOURCE,
    TERMS_GAP,
    drawn_parts,
    mark,
    remove_marks_of_others,
    source_key,
    source_of,
)
from .layer_credits import credit_lines, credit_required, written_credit
from .layer_metadata import is_outline, set_credit, set_terms_gap
from .source_inspection import SourceDocuments, inspect_source

#: addresses that are inspected in parallel (the network's limit for each server applies as well)
_MAX_PARALLEL = 4


@dataclass(frozen=True)
class _LayerState:
    metadata: QgsLayerMetadata
    attribution: Tuple[str, str]
    properties: Dict[str, Any]


class AppliedCredits:
    """Changes made to layers, which ``undo`` reverts. ``layer_names`` lists the changed layers."""

    def __init__(self, project: QgsProject) -> None:
        self._project = project
        self._states: Dict[str, _LayerState] = {}
        self.layer_names: List[str] = []

    def save_state(self, layer: QgsMapLayer) -> None:
        """Save the layer's present state for undo."""
        self.layer_names.append(layer.name())
        self._states[layer.id()] = _LayerState(layer.metadata(),
                                               (compat.attribution(layer), compat.attribution_url(layer)),
                                               {name: layer.customProperty(name) for name in MARKS})

    def undo(self) -> None:
        """Restore the previous state of the layers that still exist."""
        for layer_id, before in self._states.items():
            layer = next(iter(_layers(self._project, [layer_id])), None)
            if layer is None:
                continue
            layer.setMetadata(before.metadata)
            compat.set_attribution(layer, *before.attribution)
            for name, value in before.properties.items():
                if value is None:
                    layer.removeCustomProperty(name)
                else:
                    layer.setCustomProperty(name, value)
        self._states.clear()
        self._project.setDirty(True)


def apply_credits(project: QgsProject, rows: Iterable[AuditRow]) -> AppliedCredits:
    """Write the credit, terms and record found for each row into its layer.

    Fees and licences that the layer already has are kept.
    """
    applied = AppliedCredits(project)
    for row in rows:
        layer = project.mapLayer(row.layer.layer_id)
        if layer is None or not row.credit:
            continue
        applied.save_state(layer)
        _apply_terms(layer, row)
        set_terms_gap(layer, row.problem)
        set_credit(layer, "; ".join(row.credit), row.required, row.attribution_url or compat.attribution_url(layer),
                   row.credit)
        for name, value in ((RECORD_ID, row.record_id), (SERVICE_TITLE, row.service)):
            if value and not mark(layer, name):
                layer.setCustomProperty(name, value)
    return _finished(applied, project)


def enter_credit(project: QgsProject, layer_ids: Iterable[str], credit: str) -> AppliedCredits:
    """Make ``credit`` the credit of these layers, as a person has entered it. It is saved with the project.

    An empty credit removes the present one.
    """
    applied = AppliedCredits(project)
    line = single_line(credit)
    for layer in _layers(project, layer_ids):
        if written_credit(layer) == line and not mark(layer, OWN_DATA):
            continue
        applied.save_state(layer)
        required = Decision.UNDECIDED if mark(layer, OWN_DATA) else credit_required(layer)
        layer.removeCustomProperty(OWN_DATA)
        set_credit(layer, line, Decision.YES if line and required is Decision.NO else required,
                   compat.attribution_url(layer))
    return _finished(applied, project)


def confirm_own_data(project: QgsProject, layer_ids: Iterable[str]) -> AppliedCredits:
    """Mark these layers as the person's own data, which needs no credit. A credit that a layer has stays."""
    applied = AppliedCredits(project)
    for layer in _layers(project, layer_ids):
        applied.save_state(layer)
        remove_marks_of_others(layer)
        layer.setCustomProperty(SOURCE, source_key(layer))
        layer.setCustomProperty(OWN_DATA, True)
        layer.removeCustomProperty(TERMS_GAP)
        layer.setCustomProperty(CREDIT_REQUIRED, Decision.NO.value)
    return _finished(applied, project)


def _layers(project: QgsProject, layer_ids: Iterable[str]) -> List[QgsMapLayer]:
    annotations = project.mainAnnotationLayer()
    found = (annotations if annotations is not None and annotations.id() == layer_id else project.mapLayer(layer_id)
             for layer_id in layer_ids)
    return [layer for layer in found if layer is not None]


def _finished(applied: AppliedCredits, project: QgsProject) -> AppliedCredits:
    if applied.layer_names:
        project.setDirty(True)
    return applied


def _apply_terms(layer: QgsMapLayer, row: AuditRow) -> None:
    metadata = layer.metadata()
    if row.licence and not metadata.licenses():
        metadata.setLicenses([row.licence_line])
    if row.fees and not metadata.fees():
        metadata.setFees(row.fees)
    constraints = [item.constraint for item in metadata.constraints()]
    if row.access and fold(row.access) not in [fold(text) for text in constraints]:
        metadata.addConstraint(QgsLayerMetadata.Constraint(row.access, "access"))
    layer.setMetadata(metadata)


def project_layer_facts(project: QgsProject) -> List[LayerFacts]:
    """Return the facts of every layer of the project, in the order of the layer tree.

    Layers of groups that are drawn as one layer, layers outside the tree, and the project's annotations are included.
    The outlines that the plugin adds for the location maps of pages are not.
    """
    order = project.layerTreeRoot().layerOrder()
    annotations = project.mainAnnotationLayer()
    layers = [*order, *project.mapLayers().values()]
    if annotations is not None and not annotations.isEmpty():
        layers.append(annotations)
    parts = {part.id(): part for layer in layers if layer is not None for part in drawn_parts(layer)}
    return [layer_facts(layer) for layer in parts.values() if not is_outline(layer)]


def layer_facts(layer: QgsMapLayer) -> LayerFacts:
    source, metadata = source_of(layer), layer.metadata()
    documents = [link.url for link in metadata.links()
                 if "metadata" in f"{link.name} {link.type} {link.url}".lower() and is_web_address(link.url)]
    planned = str(mark(layer, LAYER_NAME) or "")
    return LayerFacts(layer.id(), layer.name() or source.type.label, source.type, source.address,
                      source.names or ((planned,) if planned else ()), tuple(credit_lines(layer)),
                      credit_required(layer), tuple(metadata.licenses()), metadata.fees(),
                      str(mark(layer, RECORD_ID) or ""), tuple(dict.fromkeys(documents)), source.path,
                      source.style_address, bool(mark(layer, OWN_DATA)))


def start_audit(project: QgsProject, library: RecordLibrary, done: Callable[[List[AuditRow]], None],
                failed: tasks.ErrorCallback, owner: Optional[QObject] = None,
                progress: Optional[tasks.ProgressCallback] = None) -> tasks.Job:
    """Audit every layer in a task and call ``done`` with a row for each.

    An address that cannot be reached gives a row too.
    """
    facts = project_layer_facts(project)
    cache = service_cache.shared()
    return tasks.start(tr("Looking for the credits of %n layer(s)", n=len(facts)),
                       lambda feedback: audit_layers(facts, library, cache, feedback), done, failed, owner, progress)


def audit_layers(facts: Sequence[LayerFacts], library: RecordLibrary, cache: service_cache.ServiceCache,
                 feedback: tasks.Feedback) -> List[AuditRow]:
    """Return the rows of ``facts``, with each address inspected once. Blocks, for worker threads. Raises Cancelled."""
    groups: Dict[Tuple[str, str], List[LayerFacts]] = {}
    for layer in facts:
        groups.setdefault(_place_key(layer), []).append(layer)
    findings: Dict[Tuple[str, str], AddressFindings] = {}

    documents = SourceDocuments(feedback)

    def find(key: Tuple[str, str]) -> AddressFindings:
        try:
            return inspect_source(groups[key], library, cache, documents)
        except Cancelled:
            raise
        except CartoguideError as error:
            return AddressFindings(problem=error.user_text)

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool:
        for number, (key, found) in enumerate(zip(groups, pool.map(find, groups)), 1):
            findings[key] = found
            address = groups[key][0].address
            feedback.report(100.0 * number / len(groups), host_of(address) if address else "")
    feedback.raise_if_cancelled()
    settings = terms_settings()
    return [build_row(layer, findings[_place_key(layer)], settings) for layer in facts]


def rows_of_changed_layers(project: QgsProject, rows: Sequence[AuditRow]) -> List[AuditRow]:
    """Return ``rows`` with what their layers carry now. No source is inspected again, and removed layers are left out.
    """
    facts = {layer.layer_id: layer for layer in project_layer_facts(project)}
    settings = terms_settings()
    return [build_row(facts[row.layer.layer_id], row.findings, settings) for row in rows if row.layer.layer_id in facts]


def _place_key(layer: LayerFacts) -> Tuple[str, str]:
    """Return the key of the address or file that a layer shares with others. A source without either is its own."""
    name = "/".join(layer.names) if kind_of(layer.source).described_by_layer else ""
    place = normalise_endpoint(layer.address) if layer.address else layer.path or layer.layer_id
    return layer.kind.value, "\n".join((place, name, layer.style_address))

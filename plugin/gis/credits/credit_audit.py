"""Audit of the credits in a project: its layers, the findings about each address or file, and adding what was found.

The lookups block and run in a task.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsLayerMetadata, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject

from ...core.addresses import is_web_address
from ...core.audit import AddressFindings, AuditRow, LayerFacts, SourceType, build_row
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, ResourceKind
from ...core.request import HttpMethod, Request
from ...core.sources.kinds import kind_of
from ...core.sources.sidecar_files import find_sidecar
from ...core.sources.source_kind import ProviderInfo
from ...core.terms.model import Decision
from ...core.text import fold, single_line
from ...core.wms.model.service import Service
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.record_library import RecordLibrary
from ..network.client import RequestLimits, fetch
from ..profiles import record_loading
from ..runtime import compat, tasks
from ..runtime.i18n import record_language
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

#: metadata documents that are fetched for one source at most
_MAX_DOCUMENTS = 3
#: largest description of a service that is read
_MAX_BYTES = 16 * 1024 * 1024


class SourceDocuments:
    """Documents of services, each fetched once for all layers of an audit. For worker threads."""

    def __init__(self, feedback: tasks.Feedback) -> None:
        self.feedback = feedback
        self._lock = threading.Lock()
        self._documents: Dict[str, Future[bytes]] = {}

    def read(self, address: str, content: ExpectedContent) -> bytes:
        with self._lock:
            known = self._documents.get(address)
            future: Future[bytes] = known or Future()
            self._documents[address] = future
        if known is None:
            try:
                response = fetch(Request(HttpMethod.GET, address),
                                 limits=RequestLimits.from_settings(max_bytes=_MAX_BYTES), feedback=self.feedback)
                check_response(response, content)
                future.set_result(response.body)
            except CartoguideError as error:
                future.set_exception(error)
            finally:
                # another thread may wait for this document
                if not future.done():
                    future.cancel()
        return future.result()


def inspect_address(layers: Sequence[LayerFacts], library: RecordLibrary, cache: service_cache.ServiceCache,
                    feedback: tasks.Feedback) -> AddressFindings:
    """Return the findings about the one source shared by ``layers``. Raises Cancelled."""
    return inspect_source(layers, library, cache, SourceDocuments(feedback))


def inspect_source(layers: Sequence[LayerFacts], library: RecordLibrary, cache: service_cache.ServiceCache,
                   documents: SourceDocuments) -> AddressFindings:
    """Return capabilities, description, record and terms of the one source shared by ``layers``. Raises Cancelled.

    A source that does not answer gives findings with the reason.
    """
    feedback = documents.feedback
    feedback.raise_if_cancelled()
    first = layers[0]
    if not first.kind.is_web:
        return _inspect_file(layers, library, feedback)
    service, provider, problem = None, None, ""
    try:
        if first.kind is SourceType.WMS:
            service = cache.get_or_fetch(first.address, feedback)
        elif is_web_address(first.address):
            terms = kind_of(first.source).terms
            provider = terms(first.source, documents) if terms is not None else None
            problem = " ".join(provider.gaps) if provider is not None else ""
    except Cancelled:
        raise
    except CartoguideError as error:
        problem, provider = error.user_text, ProviderInfo(unread=(error.user_text,))
    if provider is None and not problem and first.path:
        # a description of this computer may have a credit beside it
        return _inspect_file(layers, library, feedback)
    record, origin = _find_record(layers, service, library, feedback, provider.documents if provider else ())
    return AddressFindings(service=service, provider=provider, record=record, origin=origin, problem=problem)


def _inspect_file(layers: Sequence[LayerFacts], library: RecordLibrary, feedback: tasks.Feedback) -> AddressFindings:
    """Return what the files beside a local file say, and the record that the layer names."""
    found = find_sidecar(layers[0].path)
    record, origin = found.record, tr("the file {name}", name=found.name) if found.name else ""
    if record is None:
        record, origin = _find_record(layers, None, library, feedback)
    return AddressFindings(provider=found.info, record=record, origin=origin)


def _find_record(layers: Sequence[LayerFacts], service: Optional[Service], library: RecordLibrary,
                 feedback: tasks.Feedback, documents: Sequence[str] = ()) -> Tuple[Optional[Record], str]:
    """Return the source's record and a description of its origin.

    Records in the library are tried first, then the addresses of metadata: those of the service, ``documents``, and
    those of the layer.
    """
    record = _library_record(layers, library)
    if record is not None:
        return record, tr("a record in your library")
    for address, origin in _metadata_addresses(layers, service, documents)[:_MAX_DOCUMENTS]:
        try:
            return record_loading.read_address(address, feedback).records[0], origin
        except Cancelled:
            raise
        except CartoguideError:
            # dead links are common, and the next one may work
            continue
    return None, ""


def _library_record(layers: Sequence[LayerFacts], library: RecordLibrary) -> Optional[Record]:
    store = library.store()
    hits = sorted(store.find_by_endpoint(normalise_endpoint(layers[0].address)), key=lambda hit:
                  (hit.kind != ResourceKind.SERVICE, hit.starter)) if layers[0].address else []
    names = [hit.identifier for hit in hits] + [layer.record_id for layer in layers if layer.record_id]
    found = (store.load_record(name, record_language()) for name in dict.fromkeys(names))
    return next((record for record in found if record is not None), None)


def _metadata_addresses(layers: Sequence[LayerFacts], service: Optional[Service],
                        documents: Sequence[str]) -> List[Tuple[str, str]]:
    """Return addresses of metadata with a description of each, the service's own first, each once."""
    found: List[Tuple[str, str]] = []
    if service is not None:
        found += [(item.url, tr("MetadataURL of the service")) for item in service.metadata_urls]
        chosen = [service.layer(name) for layer in layers for name in layer.names]
        found += [(item.url, tr("MetadataURL of the layer")) for layer in chosen if layer is not None
                  for item in layer.metadata_urls]
    found += [(url, tr("MetadataURL of the layer")) for url in documents]
    found += [(url, tr("a link of the layer’s metadata")) for layer in layers for url in layer.documents]
    return list({url: (url, origin) for url, origin in reversed(found) if is_web_address(url)}.values())[::-1]


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

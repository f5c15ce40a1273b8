"""Audit of the credits in a project: its WMS, WMTS and XYZ layers, and the findings about each address.

The lookups block and run in a task.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from qgis.core import QgsDataSourceUri, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject

from ...core.audit import AddressFindings, AuditRow, LayerFacts, build_row
from ...core.audit.tile_services import read_wmts_info, tile_host_info
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import is_web_address, normalise_endpoint
from ...core.records.model.record import Record
from ...core.request import Request
from ...core.wms.model.service import Service
from ...core.wms.requests.urls import with_parameters
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.record_library import RecordLibrary
from ..network.client import fetch
from ..profiles import record_loading
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of
from ..runtime.terms import terms_settings
from ..runtime.thread_pool import pool_slot_released
from ..services import service_cache
from .credit_lines import credit_lines, credit_required
from .layer_credits import source_address
from .layer_metadata import LAYER_NAME, RECORD_ID, live_source

#: addresses that are inspected in parallel (the network's limit for each server applies as well)
_MAX_PARALLEL = 4
#: metadata documents that are fetched for one service at most
_MAX_DOCUMENTS = 3


def project_layer_facts(project: QgsProject) -> List[LayerFacts]:
    """Return the facts of every layer from a WMS, WMTS or XYZ tiles, in the order of the layer tree."""
    order = project.layerTreeRoot().layerOrder()
    outside_tree = [layer for layer in project.mapLayers().values() if layer not in order]
    return [facts for facts in map(layer_facts, [*order, *outside_tree]) if facts is not None]


def layer_facts(layer: QgsMapLayer) -> Optional[LayerFacts]:
    """Return the facts that a layer carries, or None for a layer that is not from a map service."""
    address = source_address(layer)
    if not address:
        return None
    uri = QgsDataSourceUri()
    uri.setEncodedUri(live_source(layer))
    metadata = layer.metadata()
    documents = [link.url for link in metadata.links()
                 if "metadata" in f"{link.name} {link.type} {link.url}".lower() and is_web_address(link.url)]
    wms_name = str(layer.customProperty(LAYER_NAME) or "")
    return LayerFacts(layer.id(), layer.name(), _source_type(uri), address,
                      tuple(uri.params("layers")) or ((wms_name, ) if wms_name else ()), tuple(credit_lines(layer)),
                      credit_required(layer), tuple(metadata.licenses()), metadata.fees(),
                      str(layer.customProperty(RECORD_ID) or ""), tuple(dict.fromkeys(documents)))


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
        groups.setdefault((layer.kind, normalise_endpoint(layer.address)), []).append(layer)
    findings: Dict[Tuple[str, str], AddressFindings] = {}

    def find(key: Tuple[str, str]) -> AddressFindings:
        try:
            return inspect_address(groups[key], library, cache, feedback)
        except Cancelled:
            raise
        except CartoguideError as error:
            return AddressFindings(problem=error.user_text)

    with pool_slot_released(), ThreadPoolExecutor(max_workers=_MAX_PARALLEL) as pool:
        for number, (key, found) in enumerate(zip(groups, pool.map(find, groups)), 1):
            findings[key] = found
            feedback.report(100.0 * number / len(groups), host_of(groups[key][0].address))
    feedback.raise_if_cancelled()
    settings = terms_settings()
    return [build_row(layer, findings[(layer.kind, normalise_endpoint(layer.address))], settings) for layer in facts]


def inspect_address(layers: Sequence[LayerFacts], library: RecordLibrary, cache: service_cache.ServiceCache,
                    feedback: tasks.Feedback) -> AddressFindings:
    """Return capabilities, record and terms of the one address shared by ``layers``.

    Raises CartoguideError if a WMTS cannot be read, and Cancelled.
    """
    feedback.raise_if_cancelled()
    first = layers[0]
    if first.kind == "XYZ":
        return AddressFindings(provider=tile_host_info(first.address))
    if first.kind == "WMTS":
        return _inspect_wmts(first.address, feedback)
    service, problem = None, ""
    try:
        service = cache.get_or_fetch(first.address, feedback)
    except Cancelled:
        raise
    except CartoguideError as error:
        problem = error.user_text
    record, origin = _find_record(layers, service, library, feedback)
    return AddressFindings(service=service, record=record, origin=origin, problem=problem)


def _find_record(layers: Sequence[LayerFacts], service: Optional[Service], library: RecordLibrary,
                 feedback: tasks.Feedback) -> Tuple[Optional[Record], str]:
    """Return the service's record and a description of its source.

    Records in the library are tried first, then the addresses of metadata.
    """
    record = _library_record(layers, library)
    if record is not None:
        return record, tr("a record in your library")
    for address, origin in _metadata_addresses(layers, service)[:_MAX_DOCUMENTS]:
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
                  (hit.kind != "service", hit.starter))
    names = [hit.identifier for hit in hits] + [layer.record_id for layer in layers if layer.record_id]
    found = (store.load_record(name, record_language()) for name in dict.fromkeys(names))
    return next((record for record in found if record is not None), None)


def _metadata_addresses(layers: Sequence[LayerFacts], service: Optional[Service]) -> List[Tuple[str, str]]:
    """Return addresses of metadata with a description of each, the service's own first, each once."""
    found: List[Tuple[str, str]] = []
    if service is not None:
        found += [(item.url, tr("MetadataURL of the service")) for item in service.metadata_urls]
        chosen = [service.layer(name) for layer in layers for name in layer.names]
        found += [(item.url, tr("MetadataURL of the layer")) for layer in chosen if layer is not None
                  for item in layer.metadata_urls]
    found += [(url, tr("a link of the layer’s metadata")) for layer in layers for url in layer.documents]
    return list({url: (url, origin) for url, origin in reversed(found) if is_web_address(url)}.values())[::-1]


def _inspect_wmts(address: str, feedback: tasks.Feedback) -> AddressFindings:
    # the address of a RESTful service is that of its capabilities and needs no parameters
    complete = address if "capabilities" in address.lower() else with_parameters(
        address, {"SERVICE": "WMTS", "VERSION": "1.0.0", "REQUEST": "GetCapabilities"})
    response = fetch(Request("GET", complete), feedback=feedback)
    check_response(response, ExpectedContent.XML)
    return AddressFindings(provider=read_wmts_info(response.body, host_of(address)))


def _source_type(uri: QgsDataSourceUri) -> str:
    if uri.param("type").lower() == "xyz":
        return "XYZ"
    return "WMTS" if uri.param("tileMatrixSet") else "WMS"


def rows_without_credit(rows: Iterable[AuditRow]) -> List[AuditRow]:
    """Return the rows of layers without a credit for which none was found."""
    return [row for row in rows if row.state.value == "missing"]

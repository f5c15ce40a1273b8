"""Findings about the source of a layer: what its service, the files beside it, and the library say about its credit.

Everything here blocks and runs in a task.
"""

from __future__ import annotations

import re
import threading
from concurrent.futures import Future
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ...core.addresses import is_web_address
from ...core.audit import AddressFindings, LayerFacts, ProviderInfo, SourceType
from ...core.audit.esri_service import esri_addresses, is_esri_address, read_esri_info
from ...core.audit.ogcapi_terms import (
    api_definition_address,
    ogcapi_addresses,
    read_api_definition,
    read_ogcapi_description,
)
from ...core.audit.ows_capabilities import read_ows_info
from ...core.audit.sidecar_files import find_sidecar
from ...core.audit.tile_services import tile_host_info
from ...core.audit.tilejson import merge_attributions, read_style, read_tilejson, tilejson_candidates
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, ResourceKind
from ...core.request import HttpMethod, Request
from ...core.wms.model.service import Service
from ...core.wms.requests.urls import with_parameters
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.record_library import RecordLibrary
from ..network.client import RequestLimits, fetch
from ..profiles import record_loading
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..runtime.network_errors import host_of
from ..services import service_cache

#: metadata documents that are fetched for one source at most
_MAX_DOCUMENTS = 3
#: largest description of a service that is read
_MAX_BYTES = 16 * 1024 * 1024
#: sources that describe each of their layers
DESCRIBED_BY_LAYER = frozenset((SourceType.ARCGIS, SourceType.WFS, SourceType.OGCAPI_FEATURES, SourceType.WCS))

_InfoReader = Callable[[bytes, str], ProviderInfo]


class SourceDocuments:
    """Documents of services, each fetched once for all layers of an audit. For worker threads."""

    def __init__(self, feedback: tasks.Feedback) -> None:
        self.feedback = feedback
        self._lock = threading.Lock()
        self._documents: Dict[str, Future[bytes]] = {}

    def read(self, address: str, content: ExpectedContent) -> bytes:
        """Return the body of the document at ``address``. Raises CartoguideError for an error, and Cancelled."""
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
            provider = _READERS[first.kind](first, documents)
    except Cancelled:
        raise
    except CartoguideError as error:
        problem = error.user_text
    record, origin = _find_record(layers, service, library, feedback, provider.documents if provider else ())
    return AddressFindings(service=service, provider=provider, record=record, origin=origin, problem=problem)


def _inspect_file(layers: Sequence[LayerFacts], library: RecordLibrary, feedback: tasks.Feedback) -> AddressFindings:
    """Return what the files beside a local file say, and the record that the layer names."""
    found = find_sidecar(layers[0].path)
    record, origin = found.record, tr("the file {name}", name=found.name) if found.name else ""
    if record is None:
        record, origin = _find_record(layers, None, library, feedback)
    return AddressFindings(provider=found.info, record=record, origin=origin)


def _inspect_capabilities(kind: str) -> Callable[[LayerFacts, SourceDocuments], ProviderInfo]:
    """Return a function that reads the capabilities of a service of this kind (OWS Common, 06-121r3)."""
    def inspect(layer: LayerFacts, documents: SourceDocuments) -> ProviderInfo:
        parameters = {"SERVICE": kind, "REQUEST": "GetCapabilities"}
        if kind == "WMTS":
            parameters["VERSION"] = "1.0.0"
        # the address of a RESTful service is that of its capabilities and needs no parameters
        is_document = kind == "WMTS" and "capabilities" in layer.address.lower()
        address = layer.address if is_document else with_parameters(layer.address, parameters)
        return read_ows_info(documents.read(address, ExpectedContent.XML), host_of(layer.address), layer.names)
    return inspect


def _inspect_tiles(layer: LayerFacts, documents: SourceDocuments) -> ProviderInfo:
    """Return the credits of tiles: of the style's sources, the tile set, the ArcGIS service, or the known host."""
    known = tile_host_info(layer.address)
    if known is not None:
        return known
    infos = list(_style_infos(layer, documents)) if layer.style_address else []
    if not any(info.credit for info in infos):
        address = re.sub(r"\{switch:([^,{}]*)(?:,[^{}]*)?\}", r"\1", layer.address)
        if is_esri_address(address):
            infos.append(_first_info(esri_addresses(address), read_esri_info, documents))
        else:
            infos.append(_first_info(tilejson_candidates(address), read_tilejson, documents, quiet=True))
    return merge_attributions(infos)


def _style_infos(layer: LayerFacts, documents: SourceDocuments) -> Iterator[ProviderInfo]:
    """Yield the descriptions of the sources of a vector tile layer's style. Broken documents are passed over."""
    try:
        style = read_style(documents.read(layer.style_address, ExpectedContent.JSON), layer.style_address)
    except Cancelled:
        raise
    except CartoguideError:
        return
    yield style.info
    for address in style.tilejson_addresses:
        is_esri = is_esri_address(address)
        yield _first_info(esri_addresses(address) if is_esri else [address],
                          read_esri_info if is_esri else read_tilejson, documents, quiet=True)


def _inspect_esri(layer: LayerFacts, documents: SourceDocuments) -> ProviderInfo:
    """Return the copyright text of the layer, else of its service."""
    return _first_info(esri_addresses(layer.address, next(iter(layer.names), "")), read_esri_info, documents)


def _first_info(addresses: Sequence[str], read: _InfoReader, documents: SourceDocuments,
                quiet: bool = False) -> ProviderInfo:
    """Return the first description with a credit, else the first that can be read.

    Without any, the error of the last address is raised. With ``quiet`` an empty description is returned instead.
    """
    found: List[ProviderInfo] = []
    problem: Optional[CartoguideError] = None
    for address in addresses:
        try:
            found.append(read(documents.read(address, ExpectedContent.JSON), host_of(address)))
        except Cancelled:
            raise
        except CartoguideError as error:
            problem = error
            continue
        if found[-1].credit:
            return found[-1]
    if not found and problem is not None and not quiet:
        raise problem
    return found[0] if found else ProviderInfo()


def _inspect_ogcapi(layer: LayerFacts, documents: SourceDocuments) -> ProviderInfo:
    """Return attribution and licence of the collection, else of the landing page and the API definition."""
    infos: List[ProviderInfo] = []
    problem: Optional[CartoguideError] = None
    addresses = ogcapi_addresses(layer.address, next(iter(layer.names), ""))
    for address in addresses:
        try:
            data = documents.read(with_parameters(address, {"f": "json"}), ExpectedContent.JSON)
            infos.append(read_ogcapi_description(data, address))
            definition = api_definition_address(data, address) if address == addresses[-1] else ""
            if definition:
                infos.append(read_api_definition(documents.read(definition, ExpectedContent.ANY), definition))
        except Cancelled:
            raise
        except CartoguideError as error:
            problem = error
    if not infos and problem is not None:
        raise problem
    return _most_specific(infos)


def _most_specific(infos: Sequence[ProviderInfo]) -> ProviderInfo:
    """Return one description with each value from the first that has it. Title and owner belong together."""
    def first(name: str) -> str:
        return next((str(getattr(info, name)) for info in infos if getattr(info, name)), "")

    credited = next((info for info in infos if info.credit), None)
    owner = next((info for info in infos if info.owner), ProviderInfo())
    return ProviderInfo(title=first("title"), owner=owner.owner, credit=credited.credit if credited else "",
                        fees=first("fees"), access=first("access"), licence=first("licence"),
                        licence_url=first("licence_url"), url=first("url"), credit_stated=credited is not None,
                        origin=(credited or owner).origin,
                        documents=tuple(dict.fromkeys(url for info in infos for url in info.documents)))


def _inspect_web_file(layer: LayerFacts, documents: SourceDocuments) -> ProviderInfo:
    """Return the credit of a known host. A file on the web describes itself nowhere else."""
    return tile_host_info(layer.address) or ProviderInfo()


_READERS: Dict[SourceType, Callable[[LayerFacts, SourceDocuments], ProviderInfo]] = {
    SourceType.WMTS: _inspect_capabilities("WMTS"), SourceType.WFS: _inspect_capabilities("WFS"),
    SourceType.WCS: _inspect_capabilities("WCS"), SourceType.XYZ: _inspect_tiles,
    SourceType.VECTOR_TILES: _inspect_tiles, SourceType.ARCGIS: _inspect_esri,
    SourceType.OGCAPI_FEATURES: _inspect_ogcapi, SourceType.WEB_FILE: _inspect_web_file
}


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

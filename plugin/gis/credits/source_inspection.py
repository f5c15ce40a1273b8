"""Findings about the source of a layer: what its service, the files beside it, and the library say about its credit.

Everything here blocks and runs in a task.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Dict, List, Optional, Sequence, Tuple

from ...core.addresses import is_web_address
from ...core.audit import AddressFindings, LayerFacts, SourceType
from ...core.errors import Cancelled, CartoguideError
from ...core.i18n import tr
from ...core.records.model.endpoints import normalise_endpoint
from ...core.records.model.record import Record, ResourceKind
from ...core.request import HttpMethod, Request
from ...core.sources.kinds import kind_of
from ...core.sources.sidecar_files import find_sidecar
from ...core.sources.source_kind import ProviderInfo
from ...core.wms.model.service import Service
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..library.record_library import RecordLibrary
from ..network.client import RequestLimits, fetch
from ..profiles import record_loading
from ..runtime import tasks
from ..runtime.i18n import record_language
from ..services import service_cache

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

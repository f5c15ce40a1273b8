"""Layers of the distributions of records: described by their servers, counted, fetched as files. For worker threads."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, Optional, Tuple

from qgis.core import QgsFeedback, QgsMapLayer
from qgis.PyQt.QtXml import QDomDocument

from ...core.box import Box
from ...core.custommap.layer_metadata import licences_of_terms, record_extent
from ...core.custommap.model import OwnLayer
from ...core.distributions.description import Description, describe
from ...core.distributions.kinds import LinkKind
from ...core.distributions.record_distributions import Distribution, distributions_of
from ...core.distributions.uses import nothing_to_add, offered_distributions
from ...core.errors import Cancelled, CartoguideError
from ...core.files import write_bytes_atomically
from ...core.i18n import tr
from ...core.records.model.record import Record
from ...core.request import HttpMethod, Request, Response
from ...core.sources.kinds import kind_of, read_source
from ...core.sources.layer_source import LayerSource, SourceType
from ...core.sources.offered_layers import OfferedLayer
from ...core.sources.sidecar_files import find_qmd
from ...core.sources.source_kind import Documents, ProviderInfo, read_or_gap
from ...core.sources.tilejson import merge_attributions
from ...core.terms.credit_duty import duty_of_terms, strictest_duty
from ...core.terms.labels import incomplete_terms_text
from ...core.terms.model import Decision
from ...core.text import fold, inert, single_line
from ...core.trust.provenance import Trust
from ...core.wms.responses.response_validation import ExpectedContent, check_response
from ..credits.layer_metadata import set_credit, set_licences, set_terms_gap
from ..library.record_library import store_path
from ..network.client import RequestLimits, fetch
from ..network.downloads import fetch_file
from ..network.origin_settings import is_same_server, origin_address
from ..runtime import log
from ..runtime.gdal import quiet_gdal
from ..runtime.network_errors import slow_response, unlisted_redirect
from ..runtime.terms import terms_for
from ..runtime.thread_pool import pool_slot_released
from ..sources.layer_source import RECORD_ID
from .fetched_files import layers_of_file
from .opening import OPENING_SECONDS

#: features of a layer above which somebody is asked first, and layers of one service that are added all at once
MAX_FEATURES, MAX_AT_ONCE = 10_000, 12
#: seconds in which the description of a service must have come. Those about one layer have what it left of these and
#: some more, and then the layer is made
DESCRIPTION_SECONDS, LAYER_SECONDS = 12.0, 4.0
MAKING_SECONDS = OPENING_SECONDS - DESCRIPTION_SECONDS - LAYER_SECONDS
_ACCEPT = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.5"}
_MAX_BYTES = 32 * 1024 * 1024
_EXTENSIONS = {LinkKind.GEOPACKAGE: "gpkg", LinkKind.GEOJSON: "geojson", LinkKind.GML: "gml", LinkKind.KML: "kml",
               LinkKind.CSV: "csv", LinkKind.FLATGEOBUF: "fgb", LinkKind.GEOTIFF: "tif", LinkKind.COG: "tif",
               LinkKind.SHAPEFILE: "zip", LinkKind.ARCHIVE: "zip"}


class ServiceDocuments:
    """Documents of a service, each fetched once, which must have come within one time whatever their servers do."""

    def __init__(self, feedback: QgsFeedback, seconds: float, answers: Dict[str, Response], agreed: str = "") -> None:
        """``answers`` are those that are known, by their addresses. New ones are added.

        ``agreed`` is an address on the only server that may be asked, "" if any may.
        """
        self._feedback, self._seconds, self._end = feedback, seconds, time.monotonic() + seconds
        self._answers, self._agreed = answers, agreed

    def read(self, address: str, content: ExpectedContent) -> bytes:
        """Return the body of the document at ``address``. Raises CartoguideError for an error, and Cancelled."""
        response = self._answers.get(address)
        if self._agreed and not is_same_server(address, self._agreed):
            raise unlisted_redirect(origin_address(self._agreed), origin_address(address))
        if response is None:
            left = round(self._end - time.monotonic(), 1)
            if left <= 0:
                raise slow_response(address, self._seconds, "")
            limits = RequestLimits.from_settings(max_total=left, max_bytes=_MAX_BYTES, retries=0)
            response = fetch(Request(HttpMethod.GET, address, _ACCEPT), limits=limits, feedback=self._feedback,
                             stays_at_origin=bool(self._agreed))
        check_response(response, content)
        self._answers[address] = response
        return response.body


@dataclass(frozen=True)
class DescribedDistribution:
    """The description of a distribution, with the answers by their addresses, and the seconds that these have left."""

    description: Description
    answers: Dict[str, Response]
    seconds_left: float


def describe_distribution(distribution: Distribution, record: Record, crs: str,
                          feedback: QgsFeedback) -> DescribedDistribution:
    """Return what a distribution of a record offers, in ``crs`` if it can be chosen.

    The documents of its server must come within a limit of time. Raises CartoguideError and Cancelled.
    """
    style = _style_address(record) if distribution.kind is LinkKind.VECTOR_TILES else ""
    extent = record_extent(record)
    answers: Dict[str, Response] = {}
    end = time.monotonic() + DESCRIPTION_SECONDS
    found = describe(distribution, ServiceDocuments(feedback, DESCRIPTION_SECONDS, answers), crs, style,
                     extent.centre if extent is not None else None)
    return DescribedDistribution(found, answers, max(0.0, end - time.monotonic()))


@dataclass(frozen=True)
class OfferedFacts:
    """Facts of one layer of a service: the number of its features in the map's area, and what is said of its terms."""

    count: Optional[int] = None
    provider: ProviderInfo = ProviderInfo()


def layer_facts(layer: OfferedLayer, box: Optional[Box], described: DescribedDistribution,
                feedback: QgsFeedback) -> OfferedFacts:
    """Return the number of features of a layer in a box (degrees), and what its service says of its terms.

    Raises Cancelled.
    """
    documents = ServiceDocuments(feedback, described.seconds_left + LAYER_SECONDS, described.answers)
    provider, count = stated_terms(read_source(layer.provider, layer.source), documents), None
    if layer.stated != ProviderInfo():
        provider = merge_attributions([provider, layer.stated])
    try:
        if layer.counting is not None:
            count = layer.counting.read(documents.read(layer.counting.address(box), ExpectedContent.ANY))
    except Cancelled:
        raise
    except CartoguideError as error:
        # a service that cannot count is no reason not to add it
        log.warning(error.user_text)
    return OfferedFacts(count, provider)


def stated_terms(source: LayerSource, documents: Documents) -> ProviderInfo:
    """Return what a source says of its terms, and of those documents that cannot be read, why. Raises Cancelled."""
    terms = kind_of(source).terms
    return read_or_gap(lambda: terms(source, documents)) if terms is not None and source.address else ProviderInfo()


@dataclass(frozen=True)
class OwedTerms:
    """The terms of a layer, by the record that added it, by the record of its data, and by its service."""

    record_id: str
    credit: str
    credit_required: Decision
    licences: Tuple[str, ...]
    #: why more may be owed, "" where all was read
    gap: str

    @classmethod
    def of(cls, record: Record, provider: ProviderInfo) -> OwedTerms:
        """Return the terms of a layer that ``record`` added, whose service says ``provider``."""
        stated = [terms_for(record, provider), *([terms_for(record.data)] if record.data is not None else [])]
        duty = strictest_duty(duty_of_terms(stated[0]), list(map(duty_of_terms, stated[1:])))
        licences = dict.fromkeys(licence for terms in stated for licence in licences_of_terms(terms))
        return cls(record.id or "", single_line("; ".join(duty.lines)), duty.required, tuple(licences),
                   " ".join(provider.gaps))

    def write_to(self, layer: QgsMapLayer) -> None:
        """Write them into the metadata and the marks of a layer."""
        set_credit(layer, self.credit, self.credit_required)
        set_terms_gap(layer, self.gap)
        set_licences(layer, self.licences)
        layer.setCustomProperty(RECORD_ID, self.record_id)


@dataclass(frozen=True)
class RecordLayers:
    """The best distribution of a record: its layers with their terms, or the address of a WMS that it turned out to be.
    """

    layers: Tuple[Tuple[OfferedLayer, OwedTerms], ...] = ()
    wms_address: str = ""
    note: str = ""


def layers_of_record(record: Record, crs: str, area: Optional[Box], max_features: int, max_bytes: int,
                     folder: Path, feedback: QgsFeedback) -> RecordLayers:
    """Return what the best distribution of a record without a WMS adds, without asking anybody.

    Of a service with more than a few layers those must be named by the record. Raises CartoguideError if nothing can be
    added, or is more than ``max_features`` in ``area`` (degrees) or ``max_bytes``, and Cancelled.
    """
    named = distributions_of(record)
    offered = offered_distributions(named)
    if not offered:
        raise CartoguideError(nothing_to_add(named))
    best = offered[0]
    described = describe_distribution(best, record, crs, feedback)
    found = described.description
    if found.missing and not found.named:
        raise CartoguideError(found.note, "\n".join(layer.name for layer in found.layers))
    if found.kind is LinkKind.WMS:
        return RecordLayers(wms_address=found.address, note=found.note)
    layers = (fetch_layers(found.files[0], record, folder, max_bytes, feedback) if found.files else found.layers)
    if len(layers) > MAX_AT_ONCE:
        raise CartoguideError(tr("“{title}” offers %n layer(s), and the record names none of them.", n=len(layers),
                                 title=record.title or best.address), "\n".join(layer.name for layer in layers))
    added, notes = [], [found.note]
    for layer in layers:
        facts = layer_facts(layer, area, described, feedback)
        if facts.count is not None and facts.count > max_features:
            raise CartoguideError(many_features_text(layer.title, facts.count))
        added.append((layer, OwedTerms.of(record, facts.provider)))
        notes += [incomplete_terms_text(layer.title, reason) for reason in facts.provider.gaps]
    return RecordLayers(tuple(added), note="\n".join(filter(None, notes)))


def terms_of_layer(own: OwnLayer, feedback: QgsFeedback) -> ProviderInfo:
    """Return what the source of an own layer says of its terms, read anew within the time of a description.

    For a layer of a foreign map only the server is asked that somebody agreed to. Raises Cancelled.
    """
    source = own.origin
    agreed = "" if own.trust is Trust.OWN else source.address
    return stated_terms(source, ServiceDocuments(feedback, DESCRIPTION_SECONDS, {}, agreed))


def many_features_text(title: str, count: int) -> str:
    """Return how many features a layer has in the area of the map, as a sentence."""
    return tr("“{title}” has {count} features in the area of the map, which take long to load and draw.", title=title,
              count=f"{count:n}")


def _style_address(record: Record) -> str:
    """Return the address of the style for vector tiles that a record names, or ""."""
    return next((one.address for one in distributions_of(record) if one.kind is LinkKind.STYLE), "")


def downloads_folder() -> Path:
    """Return the folder of files that were fetched for records, beside the record library."""
    return store_path().with_name("downloads")


def own_layer_of(layer: OfferedLayer, title: str, credit: str) -> OwnLayer:
    """Return the reference of a map's document to a layer that is offered. ``title`` stands for a layer without one."""
    return OwnLayer(f"record_{uuid.uuid4().hex}", inert(single_line(layer.title or title)), layer.type, layer.provider,
                    layer.source, credit=credit)


def fetch_layers(distribution: Distribution, record: Record, folder: Path, max_bytes: int,
                 feedback: QgsFeedback) -> Tuple[OfferedLayer, ...]:
    """Fetch the file of a distribution of a record into ``folder`` and return its layers.

    Raises LargeFile for a file above ``max_bytes``, CartoguideError if it has no layer that can be opened, Cancelled.
    """
    path = fetch_file(distribution.address.strip(), folder, _EXTENSIONS.get(distribution.kind, "")
                      if distribution.kind is not None else "", max_bytes, feedback)
    with pool_slot_released(), quiet_gdal():
        return layers_of_file(path, distribution.kind, record.reference_systems)


def save_credit_beside(layer: QgsMapLayer, file: Path) -> None:
    """Write the metadata of a file's layer beside the file, where QGIS and other programs look for its credit.

    They look there once for all layers of a file: rights and licences of the others stay. Into the file itself QGIS
    would write for its own profile alone. Raises CartoguideError if it cannot be written.
    """
    path, metadata = file.with_suffix(".qmd"), layer.metadata()
    former = find_qmd(path)
    for before, own, replace_own in ((former.credit, metadata.rights(), metadata.setRights),
                                     (former.licence, metadata.licenses(), metadata.setLicenses)):
        replace_own([*([before] if before else []), *(line for line in own if fold(line) not in fold(before))])
    document = QDomDocument("qgis")
    root = document.createElement("qgis")
    document.appendChild(root)
    metadata.writeMetadataXml(root, document)
    write_bytes_atomically(path, bytes(document.toByteArray()))


def as_checked(own: OwnLayer) -> OwnLayer:
    """Return a layer that is opened by the rules for files of somebody else, as what is fetched is."""
    is_checked = own.origin.type is SourceType.FILE and own.origin.by_gdal
    return replace(own, trust=Trust.AGREED) if is_checked else own

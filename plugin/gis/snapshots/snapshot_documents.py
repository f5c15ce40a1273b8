"""Documents in a snapshot besides its pixels: records, capabilities, legends, the custom map, the credits.

They are files, and entries in a GeoPackage's metadata tables. For worker threads.
"""

from __future__ import annotations

import base64
import sqlite3
import threading
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from ...core import json_document
from ...core.box import Box
from ...core.custommap.model import CustomMap, LayerPlan, MapExtent, SnapshotDescriptions, SnapshotReference
from ...core.dates import format_day
from ...core.errors import Cancelled, CartoguideError
from ...core.files import plain_file_name
from ...core.i18n import tr
from ...core.records import read
from ...core.records.input.document_reader import set_secrets_apart
from ...core.records.input.format_detection import document_suffix
from ...core.records.model.record import Record
from ...core.request import Request, Response
from ...core.safe_xml import MAX_BYTES
from ...core.snapshot.manifest import DOCUMENT, FileRole, SnapshotFile, sha256_of_file
from ...core.snapshot.snapshot_sources import Snapshot
from ...core.storage.syncing import private_opener, sync_stream
from ...core.terms.model import Terms
from ...core.text import fold, list_quoted_names
from ...core.trust.files import UnusableFile, inside, read_regular
from ...core.wms import read_service
from ...core.wms.model.service import Service
from ..legends.archive import LEGEND_INDEX
from ..legends.legend_graphics import fetch_legends, legend_graphic_request
from ..network.client import fetch
from ..own_layers.provenance import sealed_bytes
from ..runtime.tasks import Feedback

#: roles of documents embedded in a GeoTIFF, and their largest size
_EMBEDDED_ROLES = (FileRole.RECORD, FileRole.TERMS, FileRole.CAPABILITIES)
_MAX_EMBEDDED_BYTES = 1_000_000
#: standard of each document, as the GeoPackage's metadata names it (OGC 12-128r17, annex F.8)
_STANDARD_URIS: Dict[str, str] = {
    FileRole.RECORD: "http://www.isotc211.org/2005/gmd", FileRole.CAPABILITIES: "http://www.opengis.net/wms",
    FileRole.TERMS: "https://schema.org/license", FileRole.LEGEND: "http://www.opengis.net/sld/legendgraphic",
    FileRole.CREDITS: "http://purl.org/dc/terms/rights"
}


@dataclass(frozen=True)
class DocumentSources:
    """Sources of the documents: the map, its planned layers, and by endpoint its services and records."""

    document: CustomMap
    plans: Sequence[LayerPlan]
    services: Mapping[str, Service]
    records: Mapping[str, Record]
    #: by entry of the document
    terms: Sequence[Optional[Terms]]
    #: denominators of the map item for which legends are needed
    nominal_scales: Sequence[float]
    made: str
    geographic_extent: Box


class SnapshotDocuments:
    """Writes the documents into ``folder``. ``files`` lists those written, ``notes`` says what could not be saved."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: List[SnapshotFile] = []
        self.notes: List[str] = []

    def write(self, sources: DocumentSources, feedback: Feedback) -> None:
        """Write all documents. Raises Cancelled, and OSError if a file cannot be written."""
        names: Dict[str, str] = {}
        for number, (endpoint, service) in enumerate(sources.services.items(), 1):
            names[endpoint] = f"{number:02d}-{_file_stem(service.title or endpoint)}"
            self._write_file(f"capabilities/{names[endpoint]}.xml", FileRole.CAPABILITIES, "application/xml",
                             service.original, endpoint)
        for endpoint, record in sources.records.items():
            stem = names.get(endpoint) or _file_stem(record.title or endpoint)
            suffix, media_type = document_suffix(record.original)
            self._write_file(f"records/{stem}.{suffix}", FileRole.RECORD, media_type, record.original, endpoint)
        for entry, terms in zip(sources.document.entries, sources.terms):
            if terms is not None:
                stem = names.get(entry.endpoint) or _file_stem(entry.title or entry.endpoint)
                self._write_file(f"terms/{stem}.json", FileRole.TERMS, "application/json",
                                 json_document.dump(terms.to_dict()), entry.endpoint)
        self._write_legends(sources, feedback)
        self._write_file("CREDITS.txt", FileRole.CREDITS, "text/plain", credits_document(sources).encode("utf-8"))
        self._write_file(DOCUMENT, FileRole.DOCUMENT, "application/json",
                         sealed_bytes(_snapshot_document(sources), (self.folder / DOCUMENT).resolve()))
        own_layers = [own.name for own in sources.document.own_layers if own.visible]
        if own_layers:
            self.notes.append(tr("The snapshot does not contain {layers}, whose files and servers are still needed.",
                                 layers=list_quoted_names(own_layers)))

    def _write_legends(self, sources: DocumentSources, feedback: Feedback) -> None:
        """Save every response that the print map's legends are made of, and each layer's whole graphic."""
        answers: Dict[str, Response] = {}
        lock = threading.Lock()

        def send(request: Request) -> Response:
            with lock:
                cached = answers.get(request.url)
            if cached is not None:
                return cached
            response = fetch(request, feedback=feedback)
            with lock:
                answers[request.url] = response
            return response

        for scale in sources.nominal_scales:
            feedback.raise_if_cancelled()
            # a legend that is not as it should be is no part of the map that is missing
            self.notes += fetch_legends([replace(plan, visible=True) for plan in sources.plans], scale, feedback,
                                        send).missing
        self.notes = list(dict.fromkeys(self.notes))
        graphic_paths = {}
        for number, plan in enumerate(sources.plans, 1):
            feedback.raise_if_cancelled()
            if plan.wms is None:
                continue
            request = legend_graphic_request(plan.wms, {})
            try:
                response = send(request)
            except Cancelled:
                raise
            except CartoguideError:
                continue
            if response.content_type.startswith("image/"):
                graphic_paths[request.url] = f"legends/{number:02d}-{_file_stem(plan.title or plan.name)}.png"
        index = []
        for number, (url, response) in enumerate(sorted(answers.items()), 1):
            suffix = "png" if response.content_type.startswith("image/") else "xml"
            path = graphic_paths.get(url) or f"legends/answers/{number:04d}.{suffix}"
            role = FileRole.LEGEND if url in graphic_paths else FileRole.LEGEND_PART
            is_image = response.content_type.startswith("image/")
            self._write_file(path, role, response.content_type or "text/xml",
                             response.body if is_image else set_secrets_apart(response.body)[0], url)
            index.append({"url": url, "file": path, "status": response.status, "media_type": response.content_type})
        self._write_file(LEGEND_INDEX, FileRole.LEGEND_LIST, "application/json", json_document.dump({"answers": index}))

    def _write_file(self, path: str, role: FileRole, media_type: str, data: bytes, about: str = "") -> None:
        """Write a file. Those of two records or services with one title get two names."""
        stem, _, suffix = path.rpartition(".")
        taken = {file.path for file in self.files}
        path = next(name for name in chain((path,), (f"{stem}-{number}.{suffix}" for number in count(2)))
                    if name not in taken)
        target = self.folder / path
        if not inside(target, self.folder):
            # an unfinished snapshot of somebody else may have links
            raise UnusableFile(tr("{name} is a link that leads out of the snapshot’s folder, and is not opened.",
                                  name=path))
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "wb", opener=private_opener) as stream:
            stream.write(data)
            sync_stream(stream)
        self.files.append(SnapshotFile(path, role.value, media_type, len(data), sha256_of_file(target), about))


def _file_stem(title: str) -> str:
    return plain_file_name(fold(title)[:60], "x")


def credits_document(sources: DocumentSources) -> str:
    """Return the credits and terms of each service as plain text."""
    lines = [sources.document.title, tr("Snapshot taken on {date}", date=format_day(sources.made)), ""]
    for endpoint in dict.fromkeys(plan.address for plan in sources.plans):
        members = [plan for plan in sources.plans if plan.address == endpoint]
        lines.append(members[0].service_title or endpoint)
        for head, texts in ((tr("Credit"), [text for plan in members for text in plan.rights]),
                            (tr("Licence"), [text for plan in members for text in plan.licences]),
                            (tr("Terms"), [text for plan in members for _, text in plan.constraints]),
                            (tr("Source"), [endpoint])):
            lines += [f"  {head}: {' '.join(text.split())}" for text in dict.fromkeys(texts) if text.strip()]
        lines.append("")
    return "\n".join(lines)


def embed_in_geopackage(file: Path, folder: Path, files: Sequence[SnapshotFile]) -> None:
    """Write records, capabilities, terms, legends and credits into the GeoPackage's metadata tables.

    They describe the whole file. Text is stored unchanged, images in base64, since the column holds text.
    """
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS gpkg_metadata (id INTEGER CONSTRAINT m_pk PRIMARY KEY ASC NOT NULL, md_scope "
            "TEXT NOT NULL DEFAULT 'dataset', md_standard_uri TEXT NOT NULL, mime_type TEXT NOT NULL DEFAULT "
            "'text/xml', metadata TEXT NOT NULL DEFAULT '')")
        for document_file in files:
            if document_file.role not in _STANDARD_URIS:
                continue
            data = (folder / document_file.path).read_bytes()
            media, text = document_file.media_type, ""
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError:
                media, text = f"{document_file.media_type};base64", base64.b64encode(data).decode("ascii")
            scope = "service" if document_file.role == FileRole.CAPABILITIES else "dataset"
            inserted = connection.execute(
                "INSERT INTO gpkg_metadata(md_scope, md_standard_uri, mime_type, metadata) VALUES(?,?,?,?)",
                (scope, _STANDARD_URIS[document_file.role], media, text))
            connection.execute(
                "INSERT INTO gpkg_metadata_reference(reference_scope, md_file_id) VALUES('geopackage', ?)",
                (inserted.lastrowid,))


def embedded_documents(documents: SnapshotDocuments, folder: Path, endpoint: str) -> Dict[str, str]:
    """Return a service's record, terms and capabilities for the metadata of a GeoTIFF.

    The GeoTIFF may be copied without its folder. The documents are items of GDAL's default domain, because its COG
    driver drops all other domains.
    """
    items: Dict[str, str] = {}
    for document_file in documents.files:
        of_service = document_file.about == endpoint and document_file.role in _EMBEDDED_ROLES
        if of_service and document_file.size <= _MAX_EMBEDDED_BYTES:
            # GDAL stores the items as XML, which allows no control characters
            text = (folder / document_file.path).read_bytes().decode("utf-8-sig", "replace")
            name = f"{document_file.role.upper()}_DOCUMENT"
            items[name] = "".join(character for character in text if character >= " " or character in "\n\t")
    return items


def raster_metadata(plan: LayerPlan, document: CustomMap, created_at: str, dpi: int, scales: Sequence[float],
                    is_tiff: bool) -> Dict[str, str]:
    """Return a raster's metadata: credit, licence, terms, source and date, with ``is_tiff`` also as TIFF tags."""
    credit = "; ".join(plan.rights)
    licence = "; ".join(plan.licences)
    values = {
        "TITLE": plan.title or plan.name, "CREDIT": credit, "CREDIT_REQUIRED": plan.credit_required.value,
        "LICENCE": licence, "TERMS": "; ".join(text for _, text in plan.constraints), "FEES": plan.fees,
        "SOURCE": plan.address, "SOURCE_LAYER": plan.name, "SOURCE_TITLE": plan.service_title,
        "RECORD": plan.record_id or "", "DATE": created_at, "MAP": document.title, "DPI": str(dpi),
        "SCALES": ", ".join(f"1:{scale:.0f}" for scale in scales)}
    if is_tiff:
        values.update({
            "TIFFTAG_DOCUMENTNAME": plan.title or plan.name, "TIFFTAG_COPYRIGHT": "; ".join(
                text for text in (credit, licence) if text),
            "TIFFTAG_IMAGEDESCRIPTION": f"{plan.service_title}: {plan.title or plan.name} ({plan.address})",
            "TIFFTAG_DATETIME": created_at[:19].replace("-", ":").replace("T", " "), "TIFFTAG_SOFTWARE": "Cartoguide",
            "TIFFTAG_ARTIST": next((str(person.get("organisation") or "") for person in plan.contacts), "")})
    return {name: " ".join(text.split()) for name, text in values.items() if text.strip()}


def collection_metadata(plans: Sequence[LayerPlan], document: CustomMap, created_at: str) -> Dict[str, str]:
    """Return the metadata of a file with several rasters: every credit, licence and source once, and the date."""
    def joined(texts: Iterable[str]) -> str:
        return "; ".join(dict.fromkeys(" ".join(text.split()) for text in texts if text.strip()))

    values = {"TITLE": document.title, "CREDIT": joined(text for plan in plans for text in plan.rights),
              "LICENCE": joined(text for plan in plans for text in plan.licences),
              "SOURCE": joined(plan.address for plan in plans), "DATE": created_at}
    return {name: text for name, text in values.items() if text}


def _snapshot_document(sources: DocumentSources) -> CustomMap:
    """Return the custom map for the snapshot folder: it shows the snapshot, by a relative path."""
    document = sources.document
    if document.extent is None and document.centre is None:
        document = replace(document, extent=MapExtent.of(sources.geographic_extent))
    return replace(document, snapshot=SnapshotReference(".", True))


def read_descriptions(snapshot: Snapshot, language: str) -> Tuple[SnapshotDescriptions, List[CartoguideError]]:
    """Return what the snapshot stores of its map's services, and the errors of documents that cannot be read."""
    services: Dict[str, Service] = {}
    records: Dict[str, Record] = {}
    problems: List[CartoguideError] = []
    manifest = snapshot.manifest
    for document in (*manifest.files_with_role(FileRole.CAPABILITIES), *manifest.files_with_role(FileRole.RECORD)):
        try:
            data = read_regular(snapshot.folder / document.path, MAX_BYTES)
            if document.role == FileRole.CAPABILITIES:
                services[document.about] = read_service(set_secrets_apart(data)[0], document.path)
            else:
                records.update((document.about, record) for record in read(data, document.path, language)[:1])
        except (CartoguideError, OSError) as error:
            problems.append(_damaged_error(document.path, error))
    return SnapshotDescriptions(services, records, manifest.day), problems


def _damaged_error(path: str, error: Exception) -> CartoguideError:
    return error.with_traceback(None) if isinstance(error, CartoguideError) else CartoguideError(
        tr("{name} is damaged and cannot be read.", name=path), str(error))

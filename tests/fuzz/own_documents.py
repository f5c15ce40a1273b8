"""Documents as the plugin writes them, with everything that their formats have."""

from __future__ import annotations

import io
import json
import struct
import tempfile
import zipfile
from html import escape
from pathlib import Path
from typing import List

from plugin.core.box import Box
from plugin.core.catalogues.model import Source, SourceKind
from plugin.core.catalogues.source_list import dump_sources
from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import (
    CustomMap,
    EntryLegend,
    LayerLegend,
    MapEntry,
    MapExtent,
    Orientation,
    OwnLayer,
    PageSetup,
    SnapshotReference,
    StoredCredit,
)
from plugin.core.health import HealthCheck, Probe, ProbeKind, Verdict, write_history
from plugin.core.network_profile import CatalogueType, NetworkCatalogue, NetworkProfile, ProfileFile, profile_json, save
from plugin.core.publication.embedded_documents import DOCUMENT_NAME, SOURCES_NAME
from plugin.core.publication.image_metadata import png_with_metadata
from plugin.core.publication.map_statement import MapStatement, write_statement
from plugin.core.publication.pdf_description import Attachment
from plugin.core.snapshot.manifest import (
    FileRole,
    RasterFormat,
    SnapshotFile,
    SnapshotLayer,
    SnapshotManifest,
    SnapshotState,
    write_manifest,
)
from plugin.core.terms.model import Decision

RECORD = (Path(__file__).resolve().parents[1] / "unit" / "fixtures" / "records" / "dublin_core.xml").read_bytes()
PROFILE = NetworkProfile(
    "red",
    "Red de prueba",
    "https://maps.example.org/wms",
    "REDIAM",
    NetworkCatalogue(CatalogueType.GEONETWORK, "https://catalogue.example.org", "spa"),
    {"guide": "{base_url}/{node}_guia?"},
    (),
    "EPSG:25830",
)


def custom_map() -> bytes:
    """Return a custom map with everything that the format has."""
    credit = StoredCredit("Consejería, 2014", Decision.YES, "CC-BY-4.0", "https://example.org/licence",
                          {"later": [1, None]})
    entry = MapEntry(
        "https://maps.example.org/wms?",
        "Base",
        "a" * 40,
        ("1", "Vehículos"),
        ("", "blue"),
        "image/png",
        0.5,
        credit=credit,
        moment="2016-06-03",
        hidden=("1",),
        layer_opacities={"1": 0.25},
        names={"1": "A name of my own"},
        private=("1",),
        data_credits=(credit,),
        legend=EntryLegend({"en": "Base map"}, {"es": "Fondo"}, True, 3, {
            "1": LayerLegend({"es": "Caminos", "en": "Tracks"}, {"es": "Vías"}, True, 0)}),
    )
    own = OwnLayer("a", "Puntos", "vector", "ogr", "puntos.gpkg", legend=LayerLegend({"es": "Hitos"}, {}, True, 1))
    return write_document(
        CustomMap(
            "Mapa",
            "es",
            entry,
            (entry, entry),
            "EPSG:3042",
            MapExtent(-4, 38, -3, 39),
            None,
            25000.0,
            PageSetup("A3", Orientation.PORTRAIT, "my own"),
            snapshot=SnapshotReference("map.snapshot", True),
            own_layers=(own,),
        )
    )


def published_maps() -> List[bytes]:
    """Return the parts of published maps that hold documents: a PDF's, a PNG's and a TIFF's."""
    sources = write_statement(MapStatement("Mapa", "es", "2026-11-22T10:00:00Z", "Cartoguide", credits=("© Ñ",)))
    files = {DOCUMENT_NAME: custom_map(), SOURCES_NAME: sources}
    header = struct.pack(">I4s13s", 13, b"IHDR", bytes(13)) + bytes(4)
    png = png_with_metadata(b"\x89PNG\r\n\x1a\n" + header, MapStatement("Mapa", "es", "", ""), [
        Attachment(name, "application/json", data, "") for name, data in files.items()])
    pdf = b"%PDF-1.4\n" + b"".join(
        b"1 0 obj\n<< /Type /EmbeddedFile >>\nstream\n" + data + b"\nendstream\nendobj\n" for data in files.values())
    items = b"".join(
        b'<Item name="%s" domain="CARTOGUIDE">%s</Item>' % (name.encode(), escape(escape(data.decode())).encode())
        for name, data in files.items())
    # one directory with one entry, GDAL's metadata, whose text stands behind it
    tiff = b"II*\x00" + struct.pack("<IHHHIII", 8, 1, 42112, 2, len(items), 26, 0) + items
    return [png, pdf, tiff]


def manifest() -> bytes:
    """Return the manifest of a snapshot."""
    return write_manifest(_manifest((SnapshotFile("records/a.xml", FileRole.RECORD, "application/xml", 3, "", "a"),)))


def _manifest(files: tuple[SnapshotFile, ...]) -> SnapshotManifest:
    layer = SnapshotLayer(
        "https://maps.example.org/wms?",
        "1",
        "",
        "Suelos",
        "Red",
        "EPSG:25830",
        "map.gpkg",
        "t1",
        "Consejería",
        "CC BY 4.0",
        (25000.0, 50000.0),
    )
    return SnapshotManifest(
        "Mapa",
        SnapshotState.COMPLETE,
        "2026-11-22T10:00:00+00:00",
        "EPSG:25830",
        Box(0.0, 0.0, 1.5, 2.0),
        Box(-4.0, 38.0, -3.0, 39.0),
        300,
        (25000.0,),
        RasterFormat.GPKG,
        (layer,),
        files,
        ("a note",),
        (),
        "key",
    )


def profile() -> bytes:
    """Return a network profile."""
    return profile_json(PROFILE)


def sources() -> bytes:
    """Return the list of catalogues."""
    return dump_sources(
        [
            Source("https://catalogue.example.org/csw", SourceKind.CSW_2, "Catálogo", authcfg="abc1234"),
            Source("/data/records", SourceKind.FOLDER, "Registros"),
            Source("https://api.example.org", SourceKind.OGC_API, "", "main", "spa"),
        ]
    ).encode()


def health() -> bytes:
    """Return past checks of services."""
    probe = Probe(ProbeKind.CAPABILITIES, Verdict.GOOD, "Answered.", 0.5, "https://maps.example.org/wms?", "200")
    return write_history(
        [
            HealthCheck(
                "https://maps.example.org/wms?", "Red", "2026-11-22T10:00:00+00:00", "1.3.0", "a" * 40, (probe,)
            )
        ]
    )


def packages() -> List[bytes]:
    """Return a profile, a collection and a snapshot as packages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zip"
        save(ProfileFile(PROFILE, {"records/a.xml": RECORD}), path)
        found = [path.read_bytes()]
    index = {
        "format": "cartoguide-collection",
        "version": 1,
        "name": "Suelos",
        "members": [{"identifier": "a", "file": "records/00001.xml"}, {"identifier": "b"}],
    }
    found.append(_zip({"records/00001.xml": RECORD, "cartoguide-collection.json": json.dumps(index).encode()}))
    content = {"records/a.xml": b"<a>"}
    content["snapshot.json"] = manifest()
    return [*found, _zip(content)]


def _zip(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()

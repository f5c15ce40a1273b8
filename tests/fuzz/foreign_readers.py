"""The readers of foreign documents, each with documents to begin with. ``test_readers.py`` finds missing ones."""

from __future__ import annotations

import base64
import gzip
import io
import json
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, List, Tuple

import own_documents

from plugin.core import json_document, safe_xml
from plugin.core.box import Box
from plugin.core.request import Request, Response

REPOSITORY = Path(__file__).resolve().parents[2]
FIXTURES = REPOSITORY / "tests" / "unit" / "fixtures"
RECORDS = FIXTURES / "records"
_ADDRESS = "https://catalogue.example.org/csw"


@dataclass(frozen=True)
class Reader:
    """One reader: what it does with a document, documents that it reads, and the functions of the plugin it covers.

    ``functions`` are written ``module:function`` below ``plugin``. ``kind`` is the syntax that shapes are made in.
    ``operations``: how many operations of the plugin that read the document ``read`` does one after another.
    """

    name: str
    read: Callable[[bytes], Any]
    documents: Callable[[], List[bytes]]
    functions: Tuple[str, ...]
    kind: str = "xml"
    #: bytes of the largest document that is not refused by its size
    largest: int = 0
    operations: int = 1

    def __post_init__(self) -> None:
        sizes = {"json": json_document.MAX_RESPONSE_BYTES, "text": safe_xml.MAX_BYTES}
        object.__setattr__(self, "largest", self.largest or sizes.get(self.kind, safe_xml.MAX_BYTES))

    def varied_documents(self) -> List[bytes]:
        """Return the documents to begin with, one of each root element."""
        heads = {
            document.lstrip()[:2000].rpartition(b"?>")[2].lstrip()[:25]: document
            for document in reversed(self.documents())
        }
        return list(heads.values())


def read_records(data: bytes) -> int:
    """Read the records, their terms, their JSON, their summary and their sheet."""
    from plugin.core.cli import text_summary
    from plugin.core.records import read
    from plugin.core.review.report.record_sheet import sheet_html
    from plugin.core.terms import summary_sentence, terms_for

    pairs = [(record, terms_for(record)) for record in read(data, "file", "es")]
    for record, terms in pairs:
        json.dumps(record.to_dict())
        summary_sentence(terms)
        text_summary(record, terms)
    sheet_html(pairs)
    return len(pairs)


def read_rows(data: bytes) -> int:
    """Read the rows of the library's index."""
    from plugin.core.library.index.row_extraction import index_rows, read_index_row

    rows = index_rows(data, "file")
    for row, original in rows[:3] if len(data) < 1_000_000 else ():
        read_index_row(original, "file", row.identifier)
    return len(rows)


def check_records(data: bytes) -> int:
    """Check the records against all rules."""
    from plugin.core.records import read
    from plugin.core.review.checks.runner import check_record

    return sum(len(check_record(record)) for record in read(data, "file")[:3]) + 1


def read_capabilities(data: bytes) -> int:
    """Read a service and its JSON."""
    from plugin.core.wms import read_service

    service = read_service(data, "service")
    if len(data) < 1_000_000:
        json.dumps(service.to_dict())
    return 1


def read_pruned(data: bytes) -> int:
    """Read capabilities that are cut to two layers."""
    from plugin.core.wms.capabilities.parser import prune_capabilities

    return len(prune_capabilities(data, ("1", "2")))


def read_report(data: bytes) -> bool:
    """Read an exception report, and judge the answer that it is."""
    from plugin.core.errors import CartoguideError
    from plugin.core.wms.responses.exception_reports import read_exception_report
    from plugin.core.wms.responses.response_validation import check_response, page_summary

    found = read_exception_report(data, "text/xml")
    page_summary(data)
    for expected in ("image", "xml", "json", "text", "any"):
        for status in (200, 404):
            try:
                check_response(Response(status, {"content-type": "text/html"}, data, _ADDRESS), expected, (1, 1))
            except CartoguideError as error:
                assert error.user_text
    return found is not None


def read_feature_info(data: bytes) -> bool:
    """Read the answer about a feature, by each media type."""
    from plugin.core.featureinfo.queries import FeatureInfoQuery
    from plugin.core.featureinfo.response_reading import read_feature_info as read

    query = FeatureInfoQuery(("l",), ("",), "EPSG:4326", Box(0, 0, 1, 1), 10, 10, 5, 5)
    media = "text/html; charset=utf-8" if data.lstrip()[:5].lower() in (b"<html", b"<!doc") else "text/plain"
    return bool(read(data, media, media, query).text)


def _response(data: bytes, media: str) -> Response:
    return Response(200, {"content-type": media}, data, _ADDRESS)


def read_csw_capabilities(data: bytes) -> bool:
    """Read the capabilities of a CSW."""
    from plugin.core.catalogues.protocols.csw import parse_csw_capabilities

    return bool(parse_csw_capabilities(data, _ADDRESS).version)


def read_csw_page(data: bytes) -> int:
    """Read a page of a CSW, and its answer with one record."""
    from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
    from plugin.core.catalogues.protocols.csw import CswCapabilities, CswProtocol
    from plugin.core.errors import CartoguideError

    protocol = CswProtocol(Source(_ADDRESS, SourceKind.CSW_2), CswCapabilities("2.0.2", _ADDRESS, _ADDRESS))
    try:
        protocol.parse_record("a", _response(data, "application/xml"))
    except CartoguideError as error:
        assert error.user_text
    page = protocol.parse_page(protocol.first_request(CatalogueQuery()), _response(data, "application/xml"))
    return len(page.records)


def read_api_page(data: bytes) -> int:
    """Read a page of OGC API Records, and its answer with one record."""
    from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
    from plugin.core.catalogues.protocols.ogcapi_records import ApiCollection, OgcApiProtocol
    from plugin.core.errors import CartoguideError

    collection = ApiCollection(f"{_ADDRESS}/items", _ADDRESS)
    protocol = OgcApiProtocol(Source(_ADDRESS, SourceKind.OGC_API), collection)
    try:
        protocol.parse_record("a", _response(data, "application/json"))
    except CartoguideError as error:
        assert error.user_text
    page = protocol.parse_page(protocol.first_request(CatalogueQuery()), _response(data, "application/json"))
    return len(page.records)


def read_geonetwork_page(data: bytes) -> int:
    """Read a page of a GeoNetwork, and its description of itself."""
    from plugin.core.catalogues.detection import parse_geonetwork_version
    from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
    from plugin.core.catalogues.protocols.geonetwork_api import GeoNetworkProtocol

    response = _response(data, "application/json")
    parse_geonetwork_version(response)
    protocol = GeoNetworkProtocol(Source("https://catalogue.example.org", SourceKind.GEONETWORK))
    return len(protocol.parse_page(protocol.first_request(CatalogueQuery()), response).records)


def read_ckan_page(data: bytes) -> int:
    """Read a page of a CKAN, one of its packages, and its description of itself."""
    from plugin.core.catalogues.model import CatalogueQuery, Source, SourceKind
    from plugin.core.catalogues.protocols.ckan import CkanProtocol, parse_status
    from plugin.core.errors import CartoguideError

    response = _response(data, "application/json")
    parse_status(response)
    protocol = CkanProtocol(Source("https://catalogue.example.org", SourceKind.CKAN))
    try:
        protocol.parse_record("a", response)
    except CartoguideError as error:
        assert error.user_text
    return len(protocol.parse_page(protocol.first_request(CatalogueQuery()), response).records)


def read_any_catalogue(data: bytes) -> bool:
    """Find out what kind of catalogue answers so to every request."""
    from plugin.core.catalogues.detection import detect_catalogue

    def answer(request: Request) -> Response:
        return _response(data, "application/json" if data.lstrip()[:1] == b"{" else "application/xml")

    return bool(detect_catalogue("https://catalogue.example.org/geonetwork", answer).sources)


def read_descriptions(data: bytes) -> bool:
    """Read DescribeLayer, and the types of a WFS."""
    from plugin.core.wms.responses.layer_descriptions import (
        data_addresses,
        qualified_type_name,
        read_layer_descriptions,
    )

    qualified_type_name(data, "type")
    data_addresses(data)
    return bool(read_layer_descriptions(data, "answer"))


FEATURES = b"""<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" numberReturned="1"><wfs:member>
<a gml:id="a.1" xmlns:gml="http://www.opengis.net/gml/3.2"><nombre>Mirador</nombre><geom><gml:Point>
<gml:pos>1 2</gml:pos></gml:Point></geom></a></wfs:member></wfs:FeatureCollection>"""


def read_features(data: bytes) -> bool:
    """Read a type in WFS capabilities, and a collection of features."""
    from plugin.core.errors import UnreadableDocument
    from plugin.core.wfs import plain_collection, read_feature_type

    try:
        return bool(read_feature_type(data, "type", "host"))
    except UnreadableDocument:
        return bool(plain_collection(data, "host"))


def read_style_document(data: bytes) -> bool:
    """Read a StyledLayerDescriptor."""
    from plugin.core.wms.responses.style_rules import is_styles_document, read_style_rules

    return bool(read_style_rules(data)) or is_styles_document(data)


def read_json_legend(data: bytes) -> bool:
    """Read a legend as JSON."""
    from plugin.core.wms.responses.style_rules import read_legend_json

    return bool(read_legend_json(data))


def legend_documents() -> List[bytes]:
    """Return legends as JSON, as GeoServer and as QGIS Server write them."""
    entries = [{"label": "10 mm", "quantity": "10", "color": "#AACCFF", "opacity": "0.5"}, {"color": "#2244AA"}]
    rules = [{"symbolizers": [{"Raster": {"colormap": {"entries": entries}}}]}]
    nodes = [{"type": "layer", "title": "Usos", "symbols": [{"title": "Bosque", "icon": "iVBORw=="}]}]
    documents = ({"Legend": [{"layerName": "rain", "rules": rules}]}, {"nodes": [{"type": "group", "nodes": nodes}]})
    return [json.dumps(document).encode() for document in documents]


def read_image(data: bytes) -> bool:
    """Read the head of an image."""
    from plugin.core.wms.responses import image_headers

    image_headers.image_size(data)
    image_headers.is_turned(data)
    image_headers.is_complete_image(data)
    image_headers.is_overloaded(data)
    return image_headers.image_format(data) is not None


def read_followed_links(data: bytes) -> bool:
    """Read the addresses that QGIS requests after an answer of an OGC API."""
    from plugin.core.trust.contents import followed_links

    return followed_links(data, "https://x.org/") is not None


def read_named_addresses(data: bytes) -> bool:
    """Read the addresses that capabilities name for the requests of a layer."""
    from plugin.core.wms.responses.layer_descriptions import named_addresses

    return bool(named_addresses(data, "map"))


def read_ows(data: bytes) -> bool:
    """Read the capabilities of any OGC service for the audit."""
    from plugin.core.sources.ows_capabilities import read_ows_info

    return bool(read_ows_info(data, "service", ("a", "b")))


def read_tile_grid(data: bytes) -> bool:
    """Read the tiles of a WMTS, and those of an area."""
    from plugin.core.box import Box
    from plugin.core.sources.tile_grid import WmtsChoice, read_wmts_grid

    grid = read_wmts_grid(data, WmtsChoice("rios", "default", "image/png", "g"))
    return bool(grid.tiles(Box(-1e7, -1e7, 1e7, 1e7), 500, 96, 20_000))


def read_feature_pages(data: bytes) -> bool:
    """Read the answers of services of features, each as what every one of their requests may get."""
    from plugin.core.errors import CartoguideError
    from plugin.core.sources.feature_pages import ArcGisQuery, OgcApiQuery, WfsQuery

    read = 0
    for query in (WfsQuery(_ADDRESS, "a:rios", "EPSG:4326"), OgcApiQuery(_ADDRESS, "a"), ArcGisQuery(_ADDRESS, "4326")):
        try:
            pages = query.pages((-4.0, 38.0, -3.0, 39.0), lambda _url, _content, parse: parse(data))
            read += sum(len(page.features) for _number, page in zip(range(3), pages))
        except CartoguideError as error:
            assert error.user_text
    return read > 0


def read_vector_tile(data: bytes) -> bool:
    """Read whether a vector tile is one."""
    from plugin.core.sources.vector_tiles import tile_content

    return tile_content(data) is not None


def read_qmd(data: bytes) -> bool:
    """Read QGIS's metadata."""
    from plugin.core.sources.sidecar_files import read_qmd_info

    return bool(read_qmd_info(data, "a.qmd"))


def read_tiles(data: bytes) -> bool:
    """Read a TileJSON, a style, and what else of JSON the audit reads."""
    from plugin.core.errors import CartoguideError
    from plugin.core.sources.arcgis import largest_picture, read_esri_info
    from plugin.core.sources.descriptions import read_descriptions
    from plugin.core.sources.ogcapi_features import (
        api_definition_address,
        read_api_definition,
        read_collections,
        read_ogcapi_description,
    )
    from plugin.core.sources.tilejson import read_style, read_tilejson

    read = 0
    for reader in (
        read_tilejson,
        read_style,
        read_esri_info,
        lambda one, _address: largest_picture(one),
        read_ogcapi_description,
        api_definition_address,
        read_api_definition,
        read_collections,
        read_descriptions,
    ):
        try:
            reader(data, _ADDRESS)
            read += 1
        except CartoguideError as error:
            assert error.user_text
    return read > 0


def read_published_map(data: bytes) -> bool:
    """Read the document inside a map."""
    from plugin.core.custommap.document import read_document
    from plugin.core.publication.embedded_documents import document_inside

    return bool(read_document(document_inside(data, "map")).title)


def read_svg_logo(data: bytes) -> bool:
    """Read an SVG that is to become a logo, and what was read as it is drawn."""
    from plugin.core.trust.svg_pictures import picture_cost, self_contained_svg

    checked = self_contained_svg(data, "logo.svg", 1_000_000)
    assert picture_cost(checked) >= 0
    return bool(self_contained_svg(checked, "logo.svg", 1_000_000))


def read_custom_map(data: bytes) -> bool:
    """Read a custom map, and what was read as it is written."""
    from plugin.core.custommap.document import read_document, write_document

    custom_map = read_document(data, "map")
    assert read_document(write_document(custom_map)) == custom_map
    return True


def read_manifest(data: bytes) -> bool:
    """Read the manifest of a snapshot, and what was read as it is written."""
    from plugin.core.snapshot.manifest import read_manifest as read
    from plugin.core.snapshot.manifest import write_manifest

    manifest = read(data)
    assert read(write_manifest(manifest)) == manifest
    return True


def read_profile(data: bytes) -> bool:
    """Read a network profile, and what was read as it is written."""
    from plugin.core.network_profile import profile_json
    from plugin.core.network_profile import read_profile as read

    profile = read(data, Path("/nowhere"), "profile")
    again = read(profile_json(profile, tuple(str(path) for path in profile.records)), Path("/nowhere"))
    assert again == profile
    return True


def read_sources(data: bytes) -> bool:
    """Read the list of catalogues, and what was read as it is written."""
    from plugin.core.catalogues.source_list import dump_sources, load_sources

    sources = load_sources(data.decode("utf-8", "replace"))
    assert load_sources(dump_sources(sources)) == sources
    return bool(sources)


def read_health(data: bytes) -> bool:
    """Read past checks of services, and what was read as it is written."""
    from plugin.core.health import read_history, write_history

    checks = read_history(data, "checks")
    assert read_history(write_history(checks), "checks") == checks
    return bool(checks)


def read_package(data: bytes) -> int:
    """Read the file as each kind of package."""
    from plugin.core.errors import CartoguideError
    from plugin.core.library.collection_file import read_collection_file
    from plugin.core.network_profile import load
    from plugin.core.records.input.packages import read_entries, read_file_entries
    from plugin.core.snapshot.snapshot_package import extract_package

    read = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.zip"
        path.write_bytes(data)
        for reader in (
            lambda: read_collection_file(str(path)),
            lambda: load(path),
            lambda: list(read_file_entries(str(path))),
            lambda: list(read_entries(data)),
            lambda: extract_package(path, path.with_name("out")),
        ):
            try:
                read += reader() is not None
            except CartoguideError as error:
                assert error.user_text
        assert not [found for found in Path(folder).rglob("*") if found.is_symlink()]
    return read + read_records(data)


def read_pasted(data: bytes) -> bool:
    """Classify a pasted text, and a dropped document."""
    from plugin.core.catalogues.paste_classifier import classify_pasted_text

    return bool(classify_pasted_text(data.decode("utf-8", "replace")).kind)


def read_terms_text(data: bytes) -> bool:
    """Read a text about terms, in every field of a record and of a service."""
    from plugin.core.records.model.record import Record
    from plugin.core.terms import terms_for
    from plugin.core.terms.prescribed_credit import prescribed_lines
    from plugin.core.terms.terms_summary import summary_sentence

    text = data.decode("utf-8", "replace")
    record = Record(
        "iso19139", title=text[:200], fees=text, use_limitations=(text, text[::-1]), access_constraints=(text,)
    )
    summary_sentence(terms_for(record))
    prescribed_lines(text)
    return True


def read_dates(data: bytes) -> bool:
    """Read a text as a date, a dimension and a title with a date."""
    from plugin.core import dates
    from plugin.core.wms.dimensions.declared_dimensions import offers_value
    from plugin.core.wms.dimensions.iso8601 import expand_time_extent, parse_time
    from plugin.core.wms.dimensions.time_series import find_date
    from plugin.core.wms.model.service import Dimension

    text = data.decode("utf-8", "replace")
    dates.format_date(text)
    dates.date_span(text)
    parse_time(text)
    find_date(text)
    expand_time_extent(text)
    offers_value(Dimension("time", extent=text), text[:40])
    return True


def read_attribution(data: bytes) -> bool:
    """Read an attribution with markup."""
    from plugin.core.sources.attribution_text import attribution_text

    return bool(attribution_text(data.decode("utf-8", "replace"))[0])


def read_secrets(data: bytes) -> bool:
    """Set the secrets in a document apart."""
    from plugin.core.addresses import document_without_secrets, text_without_secrets
    from plugin.core.records.input.document_reader import set_secrets_apart
    from plugin.core.safe_xml import decode_for_display

    text_without_secrets(data.decode("latin-1"))
    document_without_secrets(data)
    decode_for_display(data)
    return bool(set_secrets_apart(data)[0])


def _files(*patterns: str) -> List[bytes]:
    return [path.read_bytes() for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]


def record_documents() -> List[bytes]:
    """Return records of each format."""
    return _files("tests/unit/fixtures/records/*.xml", "resources/records/*.xml")


def capabilities_documents() -> List[bytes]:
    """Return WMS capabilities of two versions."""
    return _files("tests/unit/fixtures/wms/*.xml")


def package_documents() -> List[bytes]:
    """Return packages of each kind, as they are written by the plugin."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(RECORDS.glob("*.xml")):
            archive.writestr(path.name, path.read_bytes())
    return [stream.getvalue(), *own_documents.packages()]


def read_distributions(data: bytes) -> int:
    """Read the layers that services of every kind offer."""
    from plugin.core.distributions.description import _READERS, describe, kind_of_document
    from plugin.core.distributions.record_distributions import Distribution
    from plugin.core.errors import CartoguideError
    from plugin.core.sources import offered_layers

    class Answers:
        def read(self, _address: str, _content: object) -> bytes:
            return data

    kind_of_document(data, _ADDRESS)
    found, problem = 0, None
    for kind in _READERS:
        try:
            layers = describe(Distribution(kind, f"{_ADDRESS}/MapServer/FeatureServer"), Answers()).layers
            found += 1 + sum(layer.counting is not None and layer.counting.read(data) or 0 for layer in layers[:3])
        except CartoguideError as error:
            problem = error
    for read in (lambda: offered_layers.tms_layers(data, _ADDRESS), lambda: offered_layers.wcs_names(data, _ADDRESS)):
        try:
            read()
        except CartoguideError as error:
            problem = error
    if not found and problem is not None:
        raise problem
    return found


_SERVICES = (
    b"""<WFS_Capabilities version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0"><FeatureTypeList><FeatureType>
<Name>a:b</Name><Title>T</Title><DefaultCRS>urn:ogc:def:crs:EPSG::4326</DefaultCRS></FeatureType></FeatureTypeList>
</WFS_Capabilities>""",
    b"""<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"><Contents>
<Layer><ows:Identifier>a</ows:Identifier><Style isDefault="true"><ows:Identifier>s</ows:Identifier></Style>
<Format>image/png</Format><Dimension><ows:Identifier>T</ows:Identifier><Default>1</Default></Dimension>
<TileMatrixSetLink><TileMatrixSet>g</TileMatrixSet></TileMatrixSetLink></Layer><TileMatrixSet>
<ows:Identifier>g</ows:Identifier><ows:SupportedCRS>EPSG:3857</ows:SupportedCRS></TileMatrixSet></Contents>
</Capabilities>""",
    b"""<TileMap version="1.0.0"><Title>T</Title><SRS>EPSG:3857</SRS><TileFormat extension="png"/><TileSets><TileSet
 order="0"/></TileSets></TileMap>""",
    b"""<CoverageDescription xmlns="http://www.opengis.net/wcs"><CoverageOffering><name>a</name><supportedCRSs>
<nativeCRSs>EPSG:4326</nativeCRSs></supportedCRSs><supportedFormats><formats>GTiff</formats></supportedFormats>
</CoverageOffering></CoverageDescription>""",
    b"""<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><link rel="alternate" href="a.gpkg"/></entry>
</feed>""")
_JSON_SERVICES = (
    b'{"currentVersion": 10, "mapName": "a", "spatialReference": {"wkid": 3857}, "layers": [{"id": 0, "name": "b"}]}',
    b'{"links": [{"rel": "data", "href": "c"}], "collections": [{"id": "a", "links": [{"rel": "items", "href": "i"}]}'
    b']}',
    b'{"tilejson": "3.0.0", "tiles": ["https://a.example/{z}/{x}/{y}.pbf"], "minzoom": 0, "maxzoom": 14}',
    b'{"version": 8, "layers": [], "sources": {"a": {"type": "vector", "tiles": ["https://a.example/{z}/{x}/{y}"]}}}',
    b'{"tilesets": [{"tileMatrixSetId": "WebMercatorQuad", "links": [{"href": "{tileMatrix}/{tileRow}/{tileCol}.png"}'
    b']}]}')
_DESCRIBED = (
    "core/distributions/description:kind_of_document",
    *(f"core/sources/offered_layers:{name}" for name in (
        "arcgis_feature_layers", "arcgis_map_layers", "collections_address", "ogcapi_layers", "ogcapi_tile_template",
        "style_sources", "tilejson_layer", "tms_layers", "wcs_layers", "wcs_names", "wfs_layers", "wmts_layers")))


def _always(*documents: bytes) -> Callable[[], List[bytes]]:
    return lambda: list(documents)


def _answer(name: str) -> bytes:
    return (FIXTURES / "answers" / name).read_bytes()


def _description(name: str) -> bytes:
    return (FIXTURES / "descriptions" / name).read_bytes()


#: a vector tile with a layer without features
_VECTOR_TILE = bytes((0x1A, 5, 0x0A, 1, 97, 0x78, 2))
#: an image of one pixel in three formats, in base64
_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAACklEQVR4nGMAAQAABQABDQottAAAAABJRU5ErkJggg=="
)
_GIF = base64.b64decode("R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")
_TIFF = base64.b64decode("SUkqAAgAAAACAAABAwABAAAAAQAAAAEBAwABAAAAAQAAAAAAAAA=")
_SVG_LOGOS = tuple(
    f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 4 2">{body}</svg>'
    .encode() for body in (
        '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>'
        '<rect width="4" height="2" fill="url(#a)" style="stroke: none"/><use xlink:href="#a"/>',
        '<style>rect { fill: red }</style><rect width="4" height="2"/><text x="1">Park</text>',
        '<image href="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR'
        '9awAAAABJRU5ErkJggg=="/>'))
_TERMS = (
    "Uso libre citando la fuente: «Consejería de Medio Ambiente, 2014». Licencia CC BY 4.0 (https://creativecommons.org/licenses/"
    "by/4.0/deed.es). No se permite el uso comercial; prohibida la redistribución."
).encode()
_DATES = (
    b"2016-06-03",
    b"2016-06-03T10:00:00Z/2017-01-01/P1M,2018",
    b"Orthophoto of 3 June 2016 (1:5000)",
    b"P1Y2M3DT4H5M6.7S",
    b"current",
    b"2014-1-1/..",
    b"12/05/2016",
    b"1e309",
)


def _search_page() -> List[bytes]:
    records = [path.read_bytes().split(b"?>", 1)[-1] for path in [RECORDS / "dublin_core.xml"]]
    head = (
        b'<csw:GetRecordsResponse xmlns:csw="http://www.opengis.net/cat/csw/2.0.2"><csw:SearchResults '
        b'numberOfRecordsMatched="9" numberOfRecordsReturned="%d" nextRecord="5">' % len(records)
    )
    return [head + b"".join(records) + b"</csw:SearchResults></csw:GetRecordsResponse>"]


def _api_pages() -> List[bytes]:
    features = [(RECORDS / "ogcapi_record.json").read_bytes()]
    return [
        b'{"type": "FeatureCollection", "numberMatched": 7, "features": ['
        + b",".join(features)
        + b'], "links": [{"rel": "next", "href": "https://catalogue.example.org/csw/items?offset=1"}]}'
    ]


READERS: Tuple[Reader, ...] = (
    Reader(
        "records in JSON",
        read_records,
        lambda: [path.read_bytes() for path in sorted(RECORDS.glob("*.json"))],
        ("core/records/input/document_reader:read_json",),
        "json",
    ),
    Reader(
        "records in RDF/XML",
        read_records,
        lambda: [(RECORDS / "dcat.rdf").read_bytes()],
        ("core/records/formats/dcat:read_elements",),
    ),
    Reader(
        "records in Turtle",
        read_records,
        lambda: [(RECORDS / "geodcat.ttl").read_bytes(), b"<urn:a> <urn:b> 'c' .\n_:a a <urn:d> ."],
        ("core/records/formats/dcat:read_turtle_records", "core/records/rdf/turtle:read_turtle"),
        "text",
    ),
    Reader(
        "records",
        read_records,
        record_documents,
        (
            "core/records/input/document_reader:read",
            "core/records/input/document_reader:read_all",
            "core/records/input/document_reader:read_xml",
            "core/records/input/format_detection:detect_format",
            "core/records/input/format_detection:looks_like_html",
            "core/safe_xml:parse",
            "core/safe_xml:strip_preamble",
            "core/safe_xml:decode",
            "core/safe_xml:decode_undeclared",
            "core/safe_xml:to_utf8",
            "core/safe_xml:detect_encoding",
            "core/json_document:parse_json",
        ),
    ),
    Reader(
        "index rows",
        read_rows,
        record_documents,
        ("core/library/index/row_extraction:index_rows", "core/library/index/row_extraction:read_index_row"),
    ),
    Reader("record checks", check_records, record_documents, ("core/review/checks/runner:check_record",)),
    Reader(
        "capabilities",
        read_capabilities,
        capabilities_documents,
        (
            "core/wms/capabilities/parser:read_service",
            "core/wms/capabilities/parser:parse_document",
            "core/wms/__init__:read_service",
            "core/wms/responses/document_detection:is_html",
            "core/wms/responses/document_detection:reject_non_xml",
            "core/wms/responses/document_detection:looks_like_xml",
        ),
    ),
    Reader(
        "pruned capabilities",
        read_pruned,
        capabilities_documents,
        ("core/wms/capabilities/parser:prune_capabilities",),
    ),
    Reader(
        "exceptions",
        read_report,
        _always(_answer("exception.xml"), _answer("ows_exception.xml"), _answer("page.html"), _PNG),
        (
            "core/wms/responses/exception_reports:read_exception_report",
            "core/wms/responses/response_validation:check_response",
            "core/wms/responses/response_validation:page_summary",
        ),
    ),
    Reader(
        "feature info XML",
        read_feature_info,
        _always(
            _answer("features_gml.xml"),
            _answer("features_mapserver.xml"),
            _answer("features_esri.xml"),
            _answer("features_qgis.xml"),
        ),
        (
            "core/featureinfo/response_reading:read_feature_info",
            "core/featureinfo/response_reading:decode_text",
            "core/featureinfo/response_reading:read_xml_features",
        ),
    ),
    Reader(
        "feature info pages",
        read_feature_info,
        _always(_answer("page.html"), _answer("features.txt")),
        ("core/featureinfo/safe_html:sanitise_html",),
        "html",
    ),
    Reader(
        "feature info JSON",
        read_feature_info,
        _always(_answer("features.json")),
        ("core/featureinfo/response_reading:read_geojson_features",),
        "json",
    ),
    Reader(
        "CSW capabilities",
        read_csw_capabilities,
        _always(_description("csw.xml")),
        ("core/catalogues/protocols/csw:parse_csw_capabilities",),
    ),
    Reader(
        "CSW pages",
        read_csw_page,
        _search_page,
        ("core/catalogues/protocols/csw:parse_page", "core/catalogues/protocols/csw:parse_record"),
    ),
    Reader(
        "OGC API pages",
        read_api_page,
        _api_pages,
        (
            "core/catalogues/protocols/ogcapi_records:parse_page",
            "core/catalogues/protocols/ogcapi_records:parse_record",
        ),
        "json",
        operations=2,
    ),
    Reader(
        "GeoNetwork pages",
        read_geonetwork_page,
        _always(_description("geonetwork.json")),
        (
            "core/catalogues/protocols/geonetwork_api:parse_page",
            "core/catalogues/protocols/geonetwork_api:parse_record",
            "core/catalogues/detection:parse_geonetwork_version",
        ),
        "json",
        operations=2,
    ),
    Reader(
        "CKAN pages",
        read_ckan_page,
        lambda: [
            b'{"success": true, "result": {"count": 3, "results": ['
            + (RECORDS / "ckan_package.json").read_bytes()
            + b"]}}",
            b'{"result": {"ckan_version": "2.10", "site_title": "a"}}',
        ],
        (
            "core/catalogues/protocols/ckan:parse_page",
            "core/catalogues/protocols/ckan:parse_record",
            "core/catalogues/protocols/ckan:parse_status",
        ),
        "json",
        operations=3,
    ),
    Reader(
        "catalogue detection",
        read_any_catalogue,
        lambda: [_description("csw.xml"), _description("geonetwork.json"), *_search_page(), *_api_pages()],
        ("core/catalogues/detection:detect_catalogue",),
    ),
    Reader(
        "layer descriptions",
        read_descriptions,
        _always(_answer("describe_layer.xml"), _description("wfs.xml")),
        (
            "core/wms/responses/layer_descriptions:read_layer_descriptions",
            "core/wms/responses/layer_descriptions:qualified_type_name",
            "core/wms/responses/layer_descriptions:data_addresses",
        ),
    ),
    Reader(
        "features of a WFS",
        read_features,
        _always(FEATURES),
        ("core/wfs:read_feature_type", "core/wfs:plain_collection"),
    ),
    Reader(
        "styles",
        read_style_document,
        _always(_answer("styles.xml")),
        (
            "core/wms/responses/style_rules:is_styles_document",
            "core/wms/responses/style_rules:read_styles",
            "core/wms/responses/style_rules:read_style_rules",
        ),
    ),
    Reader(
        "legends",
        read_json_legend,
        legend_documents,
        ("core/wms/responses/style_rules:read_legend_json",),
        "json",
    ),
    Reader(
        "image heads",
        read_image,
        _always(_PNG, _GIF, _TIFF),
        (
            "core/wms/responses/image_headers:image_format",
            "core/wms/responses/image_headers:image_size",
            "core/wms/responses/image_headers:is_complete_image",
            "core/wms/responses/image_headers:is_overloaded",
            "core/wms/responses/image_headers:is_turned",
        ),
        "bytes",
    ),
    Reader(
        "links that QGIS follows",
        read_followed_links,
        lambda: [json.dumps({"links": [{"rel": name, "href": "b"} for name in ("data", "next")]}).encode()],
        ("core/trust/contents:followed_links",),
        "json",
    ),
    Reader(
        "addresses in capabilities",
        read_named_addresses,
        capabilities_documents,
        ("core/wms/responses/layer_descriptions:named_addresses",),
    ),
    Reader(
        "audited capabilities",
        read_ows,
        lambda: [_description("wfs.xml"), _description("csw.xml"), *capabilities_documents()],
        ("core/sources/ows_capabilities:read_ows_info",),
    ),
    Reader(
        "tiles of a WMTS", read_tile_grid, _always(_description("wmts.xml")), ("core/sources/tile_grid:read_wmts_grid",)
    ),
    Reader(
        "pages of features (GML)", read_feature_pages, _always(_description("features.gml")),
        ("core/sources/feature_pages:pages",)
    ),
    Reader(
        "pages of features (JSON)", read_feature_pages,
        _always(_description("features.geojson"), _description("features-esri.json")),
        ("core/sources/feature_pages:pages",), "json", operations=3
    ),
    Reader(
        "vector tiles", read_vector_tile, _always(_VECTOR_TILE, gzip.compress(_VECTOR_TILE, mtime=0)),
        ("core/sources/vector_tiles:tile_content",), "bytes"
    ),
    Reader(
        "QGIS metadata", read_qmd, _always(_description("layer.qmd")), ("core/sources/sidecar_files:read_qmd_info",)
    ),
    Reader(
        "tile and API descriptions",
        read_tiles,
        _always(
            _description("tilejson.json"),
            _description("style.json"),
            _description("arcgis.json"),
            _description("ogcapi.json"),
        ),
        (
            "core/sources/tilejson:read_tilejson",
            "core/sources/tilejson:read_style",
            "core/sources/arcgis:read_esri_info",
            "core/sources/arcgis:largest_picture",
            "core/sources/ogcapi_features:read_ogcapi_description",
            "core/sources/ogcapi_features:api_definition_address",
            "core/sources/ogcapi_features:read_api_definition",
            "core/sources/ogcapi_features:read_collections",
            "core/sources/descriptions:read_descriptions",
        ),
        "json",
        operations=8,
    ),
    Reader(
        "attributions",
        read_attribution,
        _always(b'\xc2\xa9 <a href="https://a.example/">a</a> | b', _answer("page.html")),
        ("core/sources/attribution_text:attribution_text",),
        "html",
    ),
    Reader(
        "custom maps",
        read_custom_map,
        lambda: [own_documents.custom_map()],
        ("core/custommap/document:read_document", "core/json_document:load"),
        "json",
        json_document.MAX_BYTES,
    ),
    Reader(
        "snapshot manifests",
        read_manifest,
        lambda: [own_documents.manifest()],
        ("core/snapshot/manifest:read_manifest",),
        "json",
        json_document.MAX_BYTES,
    ),
    Reader(
        "network profiles",
        read_profile,
        lambda: [own_documents.profile(), *_files("resources/networks/*.json")],
        ("core/network_profile:read_profile",),
        "json",
        json_document.MAX_BYTES,
    ),
    Reader(
        "lists of catalogues",
        read_sources,
        lambda: [own_documents.sources()],
        ("core/catalogues/source_list:load_sources",),
        "json",
        json_document.MAX_BYTES,
    ),
    Reader(
        "service checks",
        read_health,
        lambda: [own_documents.health()],
        ("core/health:read_history",),
        "json",
    ),
    Reader(
        "packages",
        read_package,
        package_documents,
        (
            "core/records/input/packages:read_entries",
            "core/records/input/packages:read_file_entries",
            "core/records/input/packages:read_member",
            "core/library/collection_file:read_collection_file",
            "core/network_profile:load",
            "core/snapshot/snapshot_package:extract_package",
        ),
        "bytes",
    ),
    Reader(
        "pasted text",
        read_pasted,
        lambda: [*record_documents()[:2], b"https://a.example/?b=c", b"a.example"],
        ("core/catalogues/paste_classifier:classify_pasted_text",),
        "text",
    ),
    Reader(
        "published maps",
        read_published_map,
        lambda: own_documents.published_maps(),
        ("core/publication/embedded_documents:embedded_document",
         "core/publication/embedded_documents:document_inside"),
        "text",
        json_document.MAX_BYTES,
    ),
    Reader(
        "logos in SVG",
        read_svg_logo,
        _always(*_SVG_LOGOS),
        ("core/trust/svg_pictures:picture_cost", "core/trust/svg_pictures:self_contained_svg"),
        largest=1_000_000,
    ),
    Reader("services", read_distributions, _always(*_SERVICES), _DESCRIBED, operations=20),
    Reader("services in JSON", read_distributions, _always(*_JSON_SERVICES), _DESCRIBED, "json", operations=20),
    Reader("terms", read_terms_text, _always(_TERMS), ("core/terms/resolve:terms_for",), "text"),
    Reader(
        "dates",
        read_dates,
        _always(*_DATES),
        ("core/dates:date_span", "core/wms/dimensions/iso8601:parse_time"),
        "text",
    ),
    Reader(
        "addresses with secrets",
        read_secrets,
        lambda: [*record_documents()[:2], b"https://a:b@c.example/?token=d&e=f&amp;apikey=g"],
        (
            "core/addresses:document_without_secrets",
            "core/records/input/document_reader:set_secrets_apart",
            "core/safe_xml:decode_for_display",
        ),
        "text",
    ),
)

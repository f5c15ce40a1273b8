"""Write into an exported map what it says of itself: rights and sources, the document that made it, its structure."""

from __future__ import annotations

import hashlib
import mmap
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsLayoutItemMap,
    QgsMapLayer,
    QgsPrintLayout,
)
from qgis.PyQt.QtGui import QColorSpace

from ...core.addresses import without_secrets
from ...core.custommap.document import write_document
from ...core.custommap.model import CustomMap
from ...core.files import incomplete_error, write_error
from ...core.i18n import tr
from ...core.publication.embedded_documents import DOCUMENT_NAME, SOURCES_NAME, TIFF_DOMAIN
from ...core.publication.image_metadata import (
    gif_with_metadata,
    jpeg_with_metadata,
    png_with_metadata,
    svg_with_metadata,
)
from ...core.publication.map_statement import MapSource, MapStatement, write_statement
from ...core.publication.pdf_description import Attachment, describe_pdf
from ...core.publication.pdf_update import UnreadablePdf
from ...core.publication.published_document import published_document
from ...core.publication.xmp import xmp_packet
from ...core.records.model.endpoints import normalise_endpoint
from ..credits.layer_credits import (
    credit_required,
    credits_of_layers,
    keywords_of,
    layer_credit,
    licences_of,
    organisations_of,
)
from ..credits.layer_metadata import is_outline
from ..layers.project_document import read_stored_map
from ..layouts import layout_items
from ..layouts.layout_items import layout_title
from ..pages.completeness_checks import feature_credits, layers_of_pages
from ..pages.page_description import describe_pages, layout_language, map_extent
from ..runtime import log
from ..runtime.gdal import quiet_gdal
from ..runtime.ground_scale import document_scale
from ..services import service_cache
from ..sources.layer_source import LAYER_NAME, RECORD_ID, SERVICE_TITLE, mark, service_address

SOFTWARE = "Cartoguide"


class Publication:
    """Statement of one file about itself. ``layouts`` are its pages, ``target`` is where it is going to be.

    ``document`` is the map that they were built from, by default the one that the project has, if any.
    """

    def __init__(self, layouts: Sequence[QgsPrintLayout], target: Path, document: Optional[CustomMap] = None) -> None:
        self.layouts, self._target = list(layouts), Path(target).resolve()
        stored = read_stored_map(self.layouts[0].project()) if document is None else None
        self._document = document if stored is None else stored.document
        self._made = datetime.now(timezone.utc).replace(microsecond=0)

    def describe(self, file: Path, image_counts: Mapping[str, int]) -> None:
        """Write XMP and, where the format has a place for it, document, sources and structure into ``file``.

        A file whose structure is not understood is left as it is, since the credits on its page are what counts.
        Raises CartoguideError if the file cannot be written.
        """
        statement = self.statement(image_counts)
        try:
            _DESCRIBERS[file.suffix.lower()](self, file, statement)
        except (UnreadablePdf, ValueError) as error:
            log.warning(f"{file.name}: {error}")
        except OSError as error:
            raise write_error(file, error, incomplete_error(file).user_text) from error

    def statement(self, image_counts: Mapping[str, int]) -> MapStatement:
        """Return the statement of the map. ``image_counts`` are the numbers of images by the ids of layers."""
        first = self.layouts[0]
        item = layout_items.main_map(first)
        layers = [layer for layer in layers_of_pages(self.layouts) if not is_outline(layer)]
        credits = tuple(dict.fromkeys([*credits_of_layers(layers), *(
            credit for layout in self.layouts for credit in feature_credits(layout))]))
        return MapStatement(
            title=layout_title(first), language=layout_language(first), made=_utc(self._made), software=SOFTWARE,
            crs=str(item.crs().authid()) if item is not None else "",
            scale=document_scale(item) if item is not None else None,
            extent=map_extent(item) if item is not None else None, credits=credits,
            sources=tuple(_sources(layers, image_counts, self._licence_urls(), self._moments())),
            creators=tuple(organisations_of(layers)), keywords=tuple(keywords_of(layers)),
            summary="; ".join([*credits, *licences_of(layers)]))

    def attachments(self, statement: MapStatement) -> List[Attachment]:
        """Return the map's document, if there is one, and the list of its sources."""
        found = [Attachment(SOURCES_NAME, "application/json", write_statement(statement),
                            tr("Sources of the map"), "Data")]
        if self._document is not None:
            document = published_document(self._document, self._target, self._centre(), statement.scale)
            found.append(Attachment(DOCUMENT_NAME, "application/json", write_document(document),
                                    tr("Custom map, to open with Cartoguide")))
        return found

    def _moments(self) -> Dict[str, List[str]]:
        """Return what the pages show of time by the ids of layers."""
        found: Dict[str, List[str]] = {}
        for layout in self.layouts:
            for layer_id, moment in layout_items.shown_moments(layout).items():
                found.setdefault(layer_id, []).append(moment)
        return found

    def _licence_urls(self) -> Dict[str, str]:
        """Return the addresses of the services' licences by endpoint, as the map's document has them."""
        return {normalise_endpoint(entry.endpoint): entry.credit.licence_url for entry in
                (self._document.entries if self._document is not None else ()) if entry.credit.licence_url}

    def _centre(self) -> Optional[Tuple[float, float]]:
        """Return longitude and latitude of the middle of the first page's map."""
        item = layout_items.main_map(self.layouts[0])
        if item is None:
            return None
        transform = QgsCoordinateTransform(item.crs(), QgsCoordinateReferenceSystem("EPSG:4326"),
                                           self.layouts[0].project())
        try:
            centre = transform.transform(item.extent().center())
        except QgsCsException:
            return None
        return centre.x(), centre.y()


def _describe_pdf(publication: Publication, file: Path, statement: MapStatement) -> None:
    pages = [page for layout in publication.layouts for page in describe_pages(layout)]
    with file.open("rb") as source, mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as data:
        appendix = describe_pdf(data, statement, pages, publication.attachments(statement), _srgb_profile(),
                                _inner_layers(publication.layouts))
    with file.open("ab") as stream:
        stream.write(appendix)


def _inner_layers(layouts: Sequence[QgsPrintLayout]) -> Callable[[str], bool]:
    """Return a function that is given the name of a layer of a GeoPDF, and returns whether it is not the map's.

    QGIS names the layers of location maps and grids as well, and some parts of maps ("inset: Overview").
    """
    items = [item for layout in layouts for item in layout_items.items_of_type(layout, QgsLayoutItemMap)]
    layers = [layer for item in items for layer in item.layers() if layer is not None]
    own = {layer.name() for layer in layers if not is_outline(layer)}
    inner = {layer.name() for layer in layers if is_outline(layer)}
    parts = tuple(f"{item.displayName()}: " for item in items)
    return lambda name: name not in own and (name in inner or name.startswith(parts))


def _srgb_profile() -> bytes:
    """Return the ICC profile of the colours in which QGIS draws."""
    return bytes(QColorSpace(QColorSpace.NamedColorSpace.SRgb).iccProfile())


def _describe_png(publication: Publication, file: Path, statement: MapStatement) -> None:
    file.write_bytes(png_with_metadata(file.read_bytes(), statement, publication.attachments(statement)))


def _describe_jpeg(_publication: Publication, file: Path, statement: MapStatement) -> None:
    file.write_bytes(jpeg_with_metadata(file.read_bytes(), statement))


def _describe_gif(_publication: Publication, file: Path, statement: MapStatement) -> None:
    file.write_bytes(gif_with_metadata(file.read_bytes(), statement))


def _describe_svg(_publication: Publication, file: Path, statement: MapStatement) -> None:
    file.write_bytes(svg_with_metadata(file.read_bytes(), statement))


def _describe_tiff(publication: Publication, file: Path, statement: MapStatement) -> None:
    with quiet_gdal():
        image = gdal.Open(str(file), gdal.GA_Update)
        if image is None:
            raise ValueError("GDAL cannot open it")
        image.SetMetadata([xmp_packet(statement, "image/tiff").decode("utf-8")], "xml:XMP")
        for attachment in publication.attachments(statement):
            image.SetMetadataItem(attachment.name, attachment.data.decode("utf-8"), TIFF_DOMAIN)
        image.FlushCache()
        image = None


_DESCRIBERS: Mapping[str, Callable[[Publication, Path, MapStatement], None]] = {
    ".pdf": _describe_pdf, ".png": _describe_png, ".jpg": _describe_jpeg, ".svg": _describe_svg, ".tif": _describe_tiff,
    ".gif": _describe_gif,
}


def _sources(layers: Sequence[QgsMapLayer], image_counts: Mapping[str, int],
             licence_urls: Mapping[str, str], moments: Mapping[str, Sequence[str]]) -> List[MapSource]:
    """Return one source for each service and each other layer, in the order of the layers."""
    grouped: Dict[Tuple[str, ...], List[QgsMapLayer]] = {}
    for layer in layers:
        address = without_secrets(service_address(layer))
        key = (address, str(mark(layer, RECORD_ID) or ""), layer_credit(layer)) if address else (layer.id(),)
        grouped.setdefault(key, []).append(layer)
    return [_source(members, image_counts, licence_urls, moments) for members in grouped.values()]


def _source(members: Sequence[QgsMapLayer], image_counts: Mapping[str, int],
            licence_urls: Mapping[str, str], moments: Mapping[str, Sequence[str]]) -> MapSource:
    first = members[0]
    address = service_address(first)
    cache = service_cache.shared()
    service, age = (cache.get(address), cache.age(address)) if address else (None, None)
    return MapSource(
        title=str(mark(first, SERVICE_TITLE) or "") or first.name(),
        layers=tuple(str(mark(layer, LAYER_NAME) or layer.name()) for layer in members),
        record_id=str(mark(first, RECORD_ID) or ""), endpoint=without_secrets(address),
        credit=layer_credit(first), credit_required=credit_required(first), licence="; ".join(licences_of(members)),
        licence_url=licence_urls.get(normalise_endpoint(address), ""),
        capabilities_date="" if age is None else _utc(datetime.now(timezone.utc) - timedelta(seconds=age)),
        capabilities_sha256="" if service is None else hashlib.sha256(service.original).hexdigest(),
        requests=sum(image_counts.get(layer.id(), 0) for layer in members),
        times=tuple(dict.fromkeys(moment for layer in members for moment in moments.get(layer.id(), ()))))


def _utc(moment: datetime) -> str:
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

"""Tiles of XYZ and WMTS layers: those that a map needs, and the image of them that QGIS would draw.

QGIS draws a raster in blocks of 2000 pixels, and takes the level of the tiles for each block by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Dict, Iterator, List, Sequence, Tuple

from qgis.core import QgsMapSettings, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QBrush, QColor, QImage, QPainter

from ...core.sources.feature_pages import Get
from ...core.sources.source_text import encoded_parameters
from ...core.sources.tile_grid import Tile, TileGrid
from ...core.wms.requests.tile_overlap import ImagePiece
from ...core.wms.responses.response_validation import ExpectedContent
from ..runtime.conversions import rectangle_box
from ..runtime.drawn_source import drawn_source
from ..sources.layer_kind import TileSource
from .fetch import FetchedPiece
from .request import PixelRequest, RequestedPiece, Viewport, Window, source_window, viewport

#: side in pixels of the blocks that QGIS draws (QgsRasterIterator::DEFAULT_MAXIMUM_TILE_WIDTH)
_BLOCK_SIDE = 2000
#: tiles of one layer in one block
_MAX_TILES = 20_000


_NO_TILES = TileSource(lambda _document: TileGrid((), lambda _level, _column, _row: ""))


@dataclass(frozen=True)
class Block:
    """A part of a drawing, and the image of the layer that it is made from."""

    viewport: Viewport
    window: Window


@dataclass(frozen=True)
class TiledRequest(PixelRequest):
    """The tiles that are needed of a layer for one map. Which these are may need the service's description."""

    source: TileSource = field(default=_NO_TILES, compare=False, repr=False)
    blocks: Tuple[Block, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_needed(self) -> bool:
        return bool(self.blocks)

    def needed_pieces(self, read: Get) -> Sequence[RequestedPiece]:
        """Return the tiles, each once. ``read`` returns a document. Raises CartoguideError."""
        if not self.blocks:
            return ()
        description = self.source.description
        grid: TileGrid = (read(description, ExpectedContent.XML, self.source.read) if description
                          else self.source.read(b""))
        dpi = self.settings.outputDpi()
        found: Dict[Tile, List[int]] = {}
        for number, block in enumerate(self.blocks):
            for tile in grid.tiles(rectangle_box(block.window.extent), block.window.width, dpi, _MAX_TILES):
                found.setdefault(tile, []).append(number)
        return [RequestedPiece(tile.url, ImagePiece(0, 0, *tile.size, 0, 0, tile.size), tile.box, tuple(numbers))
                for tile, numbers in found.items()]


def tile_request(settings: QgsMapSettings, layer: QgsRasterLayer, tiles: TileSource, service: str,
                 page: int) -> TiledRequest:
    """Return what one drawing needs of a layer of tiles. Main thread only."""
    area = viewport(settings, layer)
    blocks = []
    for part in _parts(area) if area is not None else ():
        window = source_window(settings, layer, part)
        if window is not None:
            blocks.append(Block(part, window))
    return TiledRequest(layer, settings, layer.id(), layer.name(), service, tiles.login, tiles.headers, page,
                        drawn_source(layer).address, viewport=area or Viewport(0, 0, 0, 0, QgsRectangle()),
                        source=tiles, blocks=tuple(blocks))


def _parts(area: Viewport) -> Iterator[Viewport]:
    """Yield the blocks of an area, in whole pixels."""
    unit_x, unit_y = area.extent.width() / area.width, area.extent.height() / area.height
    for top in range(0, area.height, _BLOCK_SIDE):
        for left in range(0, area.width, _BLOCK_SIDE):
            width, height = min(_BLOCK_SIDE, area.width - left), min(_BLOCK_SIDE, area.height - top)
            west, north = area.extent.xMinimum() + left * unit_x, area.extent.yMaximum() - top * unit_y
            yield Viewport(area.left + left, area.top + top, width, height,
                           QgsRectangle(west, north - height * unit_y, west + width * unit_x, north))


class BlockImage:
    """The image of one block, painted from its tiles when it is drawn. A tile that has not come is hatched.

    ``style`` returns the image as the layer's style shows it, in the pixels of the drawing.
    """

    is_opaque, box = False, (0, 0, 0, 0)

    def __init__(self, request: TiledRequest, number: int, pieces: Sequence[FetchedPiece], missing: QBrush,
                 style: Callable[[QImage, Viewport], QImage]) -> None:
        self._block, self._missing, self._style = request.blocks[number], missing, style
        self._is_smooth = "SmoothPixmapTransform" in encoded_parameters(request.layer.source())
        # another block may have tiles of another level
        self._tiles = [(one, self._area(one)) for one in pieces
                       if one.requested.box is None or number in one.requested.blocks]

    def _area(self, piece: FetchedPiece) -> QRectF:
        """Return the place of a tile in the window, in pixels."""
        window = self._block.window
        if piece.requested.box is None:
            # nobody knows which tiles there are
            return QRectF(0, 0, window.width, window.height)
        west, south, east, north = piece.requested.box
        unit_x, unit_y = window.extent.width() / window.width, window.extent.height() / window.height
        return QRectF((west - window.extent.xMinimum()) / unit_x, (window.extent.yMaximum() - north) / unit_y,
                      (east - west) / unit_x, (north - south) / unit_y)

    def read(self, _piece: ImagePiece) -> QImage:
        window = self._block.window
        image = QImage(window.width, window.height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(QColor(0, 0, 0, 0))
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._is_smooth)
        for piece, area in self._tiles:
            if piece.error is not None:
                painter.fillRect(area, self._missing)
                continue
            tile = piece.pixels.read(piece.requested.piece)
            if not tile.isNull():
                painter.drawImage(area, tile)
        painter.end()
        return self._style(image, self._block.viewport)

    def release(self) -> None:
        """Keep the tiles, which lie in several blocks."""

"""Write downloaded tiles into a GeoPackage's tile table or a cloud-optimised GeoTIFF, by GDAL.

Each chosen scale is a level that the service drew for that scale. Coarser levels, for fast drawing, are made from the
coarsest of them. For worker threads. The work is done in strips, and a cancel takes effect between them.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from osgeo import gdal, osr

from ...core.box import Box
from ...core.custommap.planner import supports_transparency
from ...core.errors import CartoguideError, UnexpectedResponse
from ...core.files import disk_full_text, is_disk_full
from ...core.i18n import tr
from ...core.snapshot.manifest import RasterLevel, RasterPart
from ...core.snapshot.raster_grid import TILE_SIDE, matrix_side, overview_levels
from ..runtime.gdal import quiet_gdal, refers_elsewhere
from ..runtime.tasks import Feedback

_RGBA = [1, 2, 3, 4]
#: drivers that may read what a server sent as a tile: formats of images that name no other file or address
_TILE_DRIVERS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "GTiff")
#: an almost transparent pixel: GDAL stores no empty tiles, treats a level without tiles as missing, and would show
#: another scale instead
_INVISIBLE_PIXEL = b"\x00\x00\x00\x01"
_ZOOM_OTHER = "http://www.geopackage.org/spec120/#extension_zoom_other_intervals"
_COG_OPTIONS = [
    "COMPRESS=DEFLATE", "PREDICTOR=YES", "OVERVIEWS=FORCE_USE_EXISTING", f"BLOCKSIZE={TILE_SIDE * 2}",
    "BIGTIFF=IF_SAFER"
]


@dataclass(frozen=True)
class RasterSpec:
    """One layer's raster: its CRS and area, its levels (finest first) and its tiles.

    ``area`` is in the layer's CRS. ``tiles`` come with their files, ``image_format`` is their
    media type, and ``metadata`` is written into the raster.
    """

    title: str
    crs: str
    area: Box
    levels: Sequence[RasterLevel]
    tiles: Sequence[Tuple[RasterPart, Path]]
    image_format: str = "image/png"
    metadata: Dict[str, str] = field(default_factory=dict)
    #: metadata of all layers together, for a GeoPackage
    collection_metadata: Dict[str, str] = field(default_factory=dict)


class DamagedTile(UnexpectedResponse):
    """A downloaded tile that GDAL cannot read and that must be downloaded again. ``path`` is its file."""

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(tr("The server sent an image that cannot be read."), detail)
        self.path = path


def write_geopackage(file: Path, table: str, raster: RasterSpec, feedback: Feedback) -> None:
    """Add ``raster`` to the GeoPackage ``file`` (made if missing) as the tile table ``table``.

    Raises CartoguideError if GDAL cannot write it, DamagedTile, and Cancelled.
    """
    levels = [*raster.levels, *overview_levels(raster.levels[-1])]
    # visually lossless compression for photographic images
    tiles = "PNG" if supports_transparency(raster.image_format) else "AUTO"
    options = [
        f"RASTER_TABLE={table}", f"RASTER_IDENTIFIER={raster.title}", f"BLOCKSIZE={TILE_SIDE}", f"TILE_FORMAT={tiles}",
        *(["APPEND_SUBDATASET=YES"] if file.exists() else [])
    ]
    with quiet_gdal():
        _require_dataset(_create_dataset("GPKG", file, raster, options), file)
        _write_tile_matrix(file, table, raster.area, levels)
        datasets = [
            _require_dataset(
                gdal.OpenEx(
                    str(file), gdal.OF_RASTER | gdal.OF_UPDATE, open_options=[
                        f"TABLE={table}", f"ZOOM_LEVEL={len(levels) - 1 - number}", f"TILE_FORMAT={tiles}", "QUALITY=92"
                    ]), file) for number in range(len(raster.levels))
        ]
        for number, dataset in enumerate(datasets):
            surface = _RgbaBands(dataset)
            if not _write_tiles(surface, number, raster, feedback):
                surface.write(0, 0, 1, 1, _INVISIBLE_PIXEL)
            dataset.FlushCache()
        finer = datasets[-1]
        for number in range(len(raster.levels), len(levels)):
            coarser_level = _require_dataset(
                gdal.OpenEx(
                    str(file), gdal.OF_RASTER | gdal.OF_UPDATE,
                    open_options=[f"TABLE={table}", f"ZOOM_LEVEL={len(levels) - 1 - number}", f"TILE_FORMAT={tiles}"]),
                file)
            _downsample(_RgbaBands(finer), _RgbaBands(coarser_level), feedback)
            coarser_level.FlushCache()
            finer = coarser_level


def write_cog(file: Path, raster: RasterSpec, feedback: Feedback) -> None:
    """Write ``raster`` to ``file`` as a cloud-optimised GeoTIFF whose overviews are the levels.

    Raises CartoguideError if GDAL cannot write it, DamagedTile, and Cancelled.
    """
    levels = [*raster.levels, *overview_levels(raster.levels[-1])]
    plain = file.with_suffix(".levels.tif")
    with quiet_gdal():
        source = _require_dataset(
            _create_dataset("GTiff", plain, raster, [
                "TILED=YES", "COMPRESS=DEFLATE", "ZLEVEL=1", "PHOTOMETRIC=RGB", "ALPHA=YES", "SPARSE_OK=TRUE",
                "BIGTIFF=IF_SAFER"
            ]), plain)
        factors = [round(level.factor) for level in levels[1:]]
        if factors and source.BuildOverviews("NONE", factors) != 0:
            raise _write_error(plain)
        surfaces = [_RgbaBands(source), *(_RgbaBands(source, number) for number in range(len(factors)))]
        for number in range(len(raster.levels)):
            _write_tiles(surfaces[number], number, raster, feedback)
        for number in range(len(raster.levels), len(levels)):
            _downsample(surfaces[number - 1], surfaces[number], feedback)
        source.FlushCache()
        source = surfaces = None  # type: ignore[assignment]
        source = _require_dataset(gdal.Open(str(plain)), plain)
        done = gdal.GetDriverByName("COG").CreateCopy(str(file), source, 0, _COG_OPTIONS,
                                                      callback=_gdal_progress(feedback))
        feedback.raise_if_cancelled()
        if done is None:
            raise _write_error(file)
        done.FlushCache()
        done = source = None
    plain.unlink()


class _RgbaBands:
    """Four bands to write and read: those of a dataset, or of one of its overviews."""

    def __init__(self, dataset: Any, overview: Optional[int] = None) -> None:
        self._dataset = dataset
        bands = [dataset.GetRasterBand(number) for number in _RGBA]
        self._bands = [band.GetOverview(overview) for band in bands] if overview is not None else None
        first = self._bands[0] if self._bands else bands[0]
        self.width, self.height = int(first.XSize), int(first.YSize)

    def write(self, column: int, row: int, width: int, height: int, data: bytes) -> bool:
        """Write RGBA pixels and return whether that succeeded."""
        if self._bands is None:
            done = self._dataset.WriteRaster(column, row, width, height, data, buf_type=gdal.GDT_Byte, band_list=_RGBA,
                                             buf_pixel_space=4, buf_line_space=4 * width, buf_band_space=1)
            return bool(done == 0)
        return all(band.WriteRaster(column, row, width, height, data[number::4], buf_type=gdal.GDT_Byte) == 0
                   for number, band in enumerate(self._bands))

    def read_half(self, column: int, row: int, width: int, height: int, size: Tuple[int, int]) -> Optional[bytes]:
        """Return the RGBA pixels of a window, averaged down to ``size``, or None."""
        if self._bands is None:
            pixels = self._dataset.ReadRaster(column, row, width, height, buf_type=gdal.GDT_Byte, band_list=_RGBA)
            if pixels is None:
                return None
            # of the dataset itself GDAL would average its overviews, which are still empty
            window = gdal.GetDriverByName("MEM").Create("", width, height, len(_RGBA), gdal.GDT_Byte)
            window.WriteRaster(0, 0, width, height, bytes(pixels))
            data = window.ReadRaster(0, 0, width, height, *size, buf_type=gdal.GDT_Byte, buf_pixel_space=4,
                                     buf_line_space=4 * size[0], buf_band_space=1, resample_alg=gdal.GRIORA_Average)
            return bytes(data) if data is not None else None
        halved = bytearray(4 * size[0] * size[1])
        for number, band in enumerate(self._bands):
            data = band.ReadRaster(column, row, width, height, *size, buf_type=gdal.GDT_Byte,
                                   resample_alg=gdal.GRIORA_Average)
            if data is None:
                return None
            halved[number::4] = data
        return bytes(halved)


def _write_tiles(surface: _RgbaBands, number: int, raster: RasterSpec, feedback: Feedback) -> bool:
    """Write the tiles of the level with this number, strip by strip. Return whether any pixel is visible."""
    visible = False
    for part, path in raster.tiles:
        if part.level != number:
            continue
        dataset = _open_tile(path)
        width = min(part.width, surface.width - part.column)
        for first_row in range(0, min(part.height, surface.height - part.row), TILE_SIDE):
            feedback.raise_if_cancelled()
            rows = min(TILE_SIDE, part.height - first_row, surface.height - part.row - first_row)
            data = _read_rgba(dataset, part.gutter[0], part.gutter[1] + first_row, width, rows)
            if data is None:
                raise DamagedTile(path, gdal.GetLastErrorMsg())
            if not surface.write(part.column, part.row + first_row, width, rows, data):
                raise _write_error(path)
            visible = visible or data.count(0) < len(data)
    return visible


def _downsample(finer: _RgbaBands, coarser_bands: _RgbaBands, feedback: Feedback) -> None:
    for row in range(0, coarser_bands.height, TILE_SIDE):
        feedback.raise_if_cancelled()
        rows = min(TILE_SIDE, coarser_bands.height - row)
        top, height = 2 * row, min(2 * rows, finer.height - 2 * row)
        size = (coarser_bands.width, rows)
        data = finer.read_half(0, top, min(2 * coarser_bands.width, finer.width), height, size)
        if data is None or not coarser_bands.write(0, row, *size, data):
            raise CartoguideError(tr("GDAL could not write {name}.", name=tr("the overview")), gdal.GetLastErrorMsg())


def _open_tile(path: Path) -> Any:
    """Return a tile's dataset with its colours as bands. Raises DamagedTile."""
    dataset = gdal.OpenEx(str(path), gdal.OF_RASTER | gdal.OF_READONLY, allowed_drivers=list(_TILE_DRIVERS),
                          sibling_files=[path.name])
    if dataset is None:
        raise DamagedTile(path, gdal.GetLastErrorMsg())
    if refers_elsewhere(dataset):
        raise DamagedTile(path, "the image refers to other files or addresses")
    if dataset.RasterCount == 1 and dataset.GetRasterBand(1).GetRasterColorTable() is not None:
        expanded = gdal.Translate("", dataset, format="VRT", rgbExpand="rgba")
        if expanded is None:
            raise DamagedTile(path, gdal.GetLastErrorMsg())
        return expanded
    return dataset


def _read_rgba(dataset: Any, column: int, row: int, width: int, height: int) -> Optional[bytes]:
    """Return the RGBA pixels of a window of a grey, grey and alpha, RGB or RGBA dataset."""
    bands = {1: [1, 1, 1], 2: [1, 1, 1, 2], 3: [1, 2, 3]}.get(dataset.RasterCount, _RGBA)
    data = dataset.ReadRaster(column, row, width, height, buf_type=gdal.GDT_Byte, band_list=bands,
                              buf_pixel_space=len(bands), buf_line_space=len(bands) * width, buf_band_space=1)
    if data is None or len(bands) == 4:
        return bytes(data) if data is not None else None
    pixels = bytearray(b"\xff" * (4 * width * height))
    for number in range(3):
        pixels[number::4] = data[number::3]
    return bytes(pixels)


def _create_dataset(driver: str, file: Path, raster: RasterSpec, options: List[str]) -> Any:
    finest = raster.levels[0]
    dataset = gdal.GetDriverByName(driver).Create(str(file), finest.width, finest.height, 4, gdal.GDT_Byte, options)
    if dataset is None:
        return None
    dataset.SetProjection(_crs_wkt(raster.crs))
    dataset.SetGeoTransform((raster.area.west, finest.resolution, 0.0, raster.area.north, 0.0, -finest.resolution))
    dataset.SetMetadata(raster.metadata)
    if driver == "GPKG":
        dataset.SetMetadata(raster.collection_metadata, "GEOPACKAGE")
    return dataset


def _crs_wkt(crs: str) -> str:
    spatial_reference = osr.SpatialReference()
    try:
        is_known = spatial_reference.SetFromUserInput("OGC:CRS84" if crs.upper() == "CRS:84" else crs) == 0
    except RuntimeError:
        is_known = False
    if not is_known:
        raise CartoguideError(tr("GDAL does not know the reference system {crs}. Choose another one.", crs=crs))
    return str(spatial_reference.ExportToWkt())


def _write_tile_matrix(file: Path, table: str, area: Box, levels: Sequence[RasterLevel]) -> None:
    """Write the levels into the GeoPackage's tile matrix (OGC 12-128r17, 2.2.7): the scales need not double."""
    factors = [level.factor for level in levels]
    across, along = (matrix_side(factors, pixels) for pixels in (levels[0].width, levels[0].height))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM gpkg_tile_matrix WHERE table_name = ?", (table,))
        for number, level in enumerate(levels):
            columns = across / TILE_SIDE / level.factor if across else -(-level.width // TILE_SIDE)
            rows = along / TILE_SIDE / level.factor if along else -(-level.height // TILE_SIDE)
            connection.execute("INSERT INTO gpkg_tile_matrix VALUES(?,?,?,?,?,?,?,?)",
                               (table, len(levels) - 1 - number, round(columns), round(rows), TILE_SIDE, TILE_SIDE,
                                level.resolution, level.resolution))
        if across and along:
            pixel = levels[0].resolution
            connection.execute(
                "UPDATE gpkg_tile_matrix_set SET min_x = ?, min_y = ?, max_x = ?, max_y = ? WHERE table_name = ?",
                (area.west, area.north - along * pixel, area.west + across * pixel, area.north, table))
        if any(abs(low / high - 2) > 1e-9 for high, low in zip(factors, factors[1:])):
            connection.execute(
                "CREATE TABLE IF NOT EXISTS gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT "
                "NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, "
                "column_name, extension_name))")
            connection.execute("INSERT INTO gpkg_extensions VALUES(?, 'tile_data', 'gpkg_zoom_other', ?, 'read-write')",
                               (table, _ZOOM_OTHER))


def _gdal_progress(feedback: Feedback) -> Callable[[float, str, object], int]:
    """Return GDAL's progress callback, which continues until ``feedback`` is cancelled."""
    return lambda _share, _words, _data: 0 if feedback.isCanceled() else 1


def _require_dataset(dataset: Any, file: Path) -> Any:
    if dataset is None:
        raise _write_error(file)
    return dataset


def _write_error(file: Path) -> CartoguideError:
    detail = gdal.GetLastErrorMsg()
    return CartoguideError(disk_full_text(file) if is_disk_full(file) else tr("GDAL could not write {name}.",
                                                                              name=file.name), detail)

"""GeoTIFF and other rasters as responses: displayed, and added to the project as layers at their position."""

from __future__ import annotations

import struct

import pytest
from osgeo import gdal
from qgis.core import QgsProject, QgsRectangle

from plugin.app.maps.operation_controller import OperationController
from plugin.core.box import Box
from plugin.core.errors import UnexpectedResponse
from plugin.core.request import Response
from plugin.gis.credits.layer_credits import layer_credit
from plugin.gis.operations.operation_client import ResponseKind, raster_image, read_response
from plugin.gis.operations.response_layers import world_file_text


def raster(values, kind=gdal.GDT_Float32, code="f", driver="GTiff", bands=1):
    name = "/vsimem/made.bin"
    made = gdal.GetDriverByName("GTiff" if driver == "GTiff" else "MEM").Create(name, 2, 2, bands, kind)
    for band in range(1, bands + 1):
        made.GetRasterBand(band).WriteRaster(0, 0, 2, 2, struct.pack(f"<4{code}", *values))
    if driver != "GTiff":
        gdal.GetDriverByName(driver).CreateCopy(name, made)
    made.FlushCache()
    made = None
    file = gdal.VSIFOpenL(name, "rb")
    data = bytes(gdal.VSIFReadL(1, 10_000_000, file))
    gdal.VSIFCloseL(file)
    gdal.Unlink(name)
    return data


def test_measured_values_are_stretched_from_the_least_to_the_greatest():
    image, size = raster_image(raster((0, 250, 500, 1000)), 512)
    assert size == (2, 2)
    greys = [image.pixelColor(column, row).red() for row in (0, 1) for column in (0, 1)]
    assert greys[0] == 0 and greys[3] == 255 and greys[0] < greys[1] < greys[2] < greys[3]


def test_more_bands_than_a_picture_has_are_cut_to_three():
    image, _ = raster_image(raster((1, 2, 3, 255), gdal.GDT_Byte, "B", bands=6), 512)
    assert image.pixelColor(1, 1).name() == "#ffffff"


def test_jpeg_2000_is_a_picture_too():
    if gdal.GetDriverByName("JP2OpenJPEG") is None:
        pytest.skip("this GDAL has no JPEG 2000")
    values = raster((10, 20, 30, 200), gdal.GDT_Byte, "B", "JP2OpenJPEG")
    answer = read_response(Response(200, {"content-type": "image/jp2"}, values, "http://a.invalid/"), "image", (2, 2))
    assert (answer.kind, answer.size, answer.problem) == (ResponseKind.IMAGE, (2, 2), None)


def test_a_broken_raster_is_told_and_can_still_be_saved():
    data = raster((0, 1, 2, 3))
    answer = read_response(Response(200, {"content-type": "image/tiff"}, data[:60], "http://a.invalid/"), "image",
                           (2, 2))
    assert answer.kind == ResponseKind.BINARY and "incomplete" in answer.problem.user_text
    with pytest.raises(UnexpectedResponse):
        raster_image(b"II*\x00 and so on", 512)


def test_a_world_file_names_the_centre_of_the_first_pixel():
    assert world_file_text(Box(100.0, 200.0, 300.0, 400.0), (20, 10)).split() == ["10", "0", "0", "-20", "105", "390"]


@pytest.mark.parametrize(("media", "ending", "crs"), [
    ("image/tiff", "tif", "EPSG:25830"), ("image/png", "png", "EPSG:4326")])
def test_a_map_becomes_a_layer_where_it_was_with_its_credit(service_dock, wait_until, tmp_path, media, ending, crs):
    dock = service_dock("Despe")
    dock.view.service._show_page(1)
    page = dock.view.service.operations
    page.open_form("GetMap", ["limite_parque"])
    form = page.form
    form.size_field.width_field.setValue(200)
    for box, value in ((form.format, media), (form.crs, crs), (form.extent_field.source, "written")):
        assert box.findData(value) >= 0
        box.setCurrentIndex(box.findData(value))
    form.extent_field.text.setText("-3.60, 38.33, -3.42, 38.43")
    form.extent_field.text.textEdited.emit("")
    page.send.click()
    wait_until(lambda: page.answer.progress_bar.isHidden(), 30)
    assert page.answer.problem_label.isHidden(), page.answer.problem_label.text()
    assert [page.answer.tabs.tabText(number) for number in range(page.answer.tabs.count())] == ["Image"]
    assert page.answer.as_layer.isVisible()
    dock.findChild(OperationController).add_image_layer(tmp_path / f"mapa.{ending}", page.answer.answer.response.body)
    project = QgsProject.instance()
    wait_until(lambda: project.mapLayers(), 30)
    (layer,) = project.mapLayers().values()
    box, code = page.requested_extent()
    assert layer.isValid() and layer.crs().authid() == code == crs
    shown = layer.extent()
    wanted = QgsRectangle(*box)
    assert abs(shown.xMinimum() - wanted.xMinimum()) < wanted.width() / 100
    assert abs(shown.yMaximum() - wanted.yMaximum()) < wanted.height() / 100
    assert "Mapa guía" in layer_credit(layer)

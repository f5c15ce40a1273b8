"""Rarely needed options in the forms: background, error format, custom styles, a picked position, with MapServer."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtGui import QColor

SLD = """<?xml version="1.0"?><StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"
 xmlns:ogc="http://www.opengis.net/ogc"><NamedLayer><Name>limite_parque</Name><UserStyle><FeatureTypeStyle><Rule>
<PolygonSymbolizer><Fill><CssParameter name="fill">#ff0000</CssParameter></Fill></PolygonSymbolizer>
</Rule></FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>"""


@pytest.fixture
def page(service_dock):
    dock = service_dock("Despe")
    dock.view.service._show_page(1)
    dock.view.service.operations.open_form("GetMap", ["limite_parque"])
    dock.view.service.operations.form.size_field.width_field.setValue(200)
    return dock.view.service.operations


def parameters(page):
    pairs = parse_qs(urlsplit(page.request_text.toPlainText()).query, keep_blank_values=True)
    return {name: values[0] for name, values in pairs.items()}


def answered(page, wait_until, click):
    click()
    wait_until(lambda: page.answer.progress_bar.isHidden(), 30)
    assert page.answer.problem_label.isHidden(), page.answer.problem_label.text()
    return page.answer.answer.image


def choose(box, value):
    assert box.findData(value) >= 0, [box.itemData(row) for row in range(box.count())]
    box.setCurrentIndex(box.findData(value))


def test_ground_and_errors_are_part_of_the_request_and_are_drawn(page, network, wait_until):
    page.form.background.setColor(QColor("#12ab34"))
    choose(page.form.exceptions, "INIMAGE")
    assert {"BGCOLOR": "0x12AB34", "EXCEPTIONS": "INIMAGE"}.items() <= parameters(page).items()
    image = answered(page, wait_until, page.send.click)
    assert image.pixelColor(1, 1).name() == "#12ab34"
    page.form.background.setToNull()
    assert "BGCOLOR" not in parameters(page)
    page.form.select_operation("GetFeatureInfo")
    assert not page.form.background.isVisible()
    assert [page.form.exceptions.itemData(row) for row in range(page.form.exceptions.count())] == ["", "XML"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_style_of_ones_own_is_drawn(page, wait_until, tmp_path, method):
    file = tmp_path / "rojo.sld"
    file.write_text(SLD, "utf-8")
    page.form.sld_field.file_widget.setFilePath(str(file))
    choose(page.form.method, method)
    image = answered(page, wait_until, page.send.click)
    colours = {image.pixelColor(column, row).name() for column in range(0, 200, 9) for row in range(0, 150, 9)}
    assert "#ff0000" in colours
    page.form.sld_field.file_widget.setFilePath(str(tmp_path / "no.sld"))
    assert "no.sld could not be opened" in page.error_label.text()
    page.form.sld_field.file_widget.setFilePath("")
    assert page.error_label.isHidden() and "SLD_BODY" not in parameters(page)


def test_a_place_is_pointed_at_in_the_map_and_asked_about(page, qtbot, network, wait_until):
    page.form.select_operation("GetFeatureInfo", ["limite_parque"])
    page.form.size_field.width_field.setValue(200)
    answered(page, wait_until, page.form.pixel_field.pick.click)
    assert network.requests[-1]["request"] == "GetMap"
    assert "Click a position" in page.answer.image_page.hint.text()
    label = page.answer.image_page._label
    qtbot.mouseClick(label, Qt.MouseButton.LeftButton, pos=QPoint(label.pixmap().width() // 2, 20))
    column, row = (int(part) for part in page.form.pixel_field.text().split(","))
    height = page.form.size_field.height_field.value()
    assert abs(column - 100) <= 1 and abs(row - 20 * 200 / label.pixmap().width()) <= 1 and row < height
    assert page.form.operation.currentData() == "GetFeatureInfo"
    assert {"I": str(column), "J": str(row), "WIDTH": "200"}.items() <= parameters(page).items()

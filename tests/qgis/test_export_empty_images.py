"""Images that are complete and those that are empty: interpolated maps at any resolution, and the warnings."""

from __future__ import annotations

import pytest
from qgis.PyQt.QtCore import QBuffer, QByteArray
from qgis.PyQt.QtGui import QColor, QImage

from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.core.review.checks.rules import Severity
from plugin.gis.export import layout_export
from plugin.gis.pixels.fetch import Keep, fetch_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.runtime import tasks
from plugin.gis.runtime.images import single_colour
from tests.qgis.print_maps import composed, entry_of, known_records, pdf_text

REGION = MapExtent(-7.5, 36.0, -1.66, 38.73)


@pytest.mark.slow
def test_interpolated_maps_are_drawn_where_qgis_counts_a_pixel_too_many(project, network, tmp_path):
    """QGIS 3.22 asks for 97 rows as 98 here; MapServer 8 draws nothing at all where pixels are not square."""
    known = known_records(network)
    days = ["precipitacion_20160616", "precipitacion_20160604", "precipitacion_20160617"]
    overlay = entry_of(known[network.endpoints["precipitation"]], days)
    made = composed(network, project, base=None, overlays=(overlay, ), extent=REGION,
                    page=PageSetup("A4", Orientation.LANDSCAPE, "multiples"))
    for dpi, fetched in ((90, 3), (150, 6)):
        requests = plan_page(made.layout, dpi)
        assert len(requests) == 3
        for _ in ("fetched", "from the cache"):
            pieces = tasks.run_and_wait(lambda feedback, requests=requests: fetch_pixels(
                requests, feedback, tmp_path, keep=Keep.NOTHING), 60)
            assert [piece.pixels.colour for piece in pieces].count("transparent") == 1
            assert {piece.request.layer.name(): piece.pixels.colour for piece in pieces if piece.pixels.colour} == {
                next(layer.name() for layer in made.layers if days[1] in layer.source()): "transparent"}
        assert network.count("GetMap") == fetched


def test_a_service_that_draws_nothing_here_is_told_and_the_map_leaves_all_the_same(project, network, tmp_path):
    # a square kilometre without a facility: tests/network/network.py, REFERENCE
    made = composed(network, project, extent=MapExtent(-3.5952, 38.4462, -3.5886, 38.4510))
    done = layout_export.export_pdf(made.layout, tmp_path / "vacio.pdf", 60)
    assert done.files[0].exists() and not done.problems
    told = {remark.service_title: remark for remark in done.remarks}
    found = told["Equipamientos de uso público de Andalucía"]
    assert (found.rule, found.severity) == ("empty", Severity.WARNING) and found.advice


def test_the_ground_of_a_map_without_a_base_hides_no_service_that_draws_nothing(project, network, tmp_path):
    made = composed(network, project, base=None, extent=MapExtent(-3.5952, 38.4462, -3.5886, 38.4510))
    done = layout_export.export_pdf(made.layout, tmp_path / "vacio.pdf", 60)
    assert [remark.service_title for remark in done.remarks if remark.rule == "empty"] == [
        "Equipamientos de uso público de Andalucía"]


def test_the_legend_has_no_layer_of_which_nothing_is_on_the_page(project, network, tmp_path):
    names = ("centros_visitantes", "miradores", "refugios", "fuentes", "aparcamientos", "kioscos")
    made = composed(network, project, extent=None, centre=(-3.51, 38.375), scale=12_000.0, facilities=names,
                    guide=("relieve", "carreteras", "senderos", "limite_parque"))
    drawn = ["Aparcamientos", "Miradores", "Senderos señalizados", "Carretera local"]
    done = layout_export.export_pdf(made.layout, tmp_path / "hoja.pdf", 60)
    assert {remark.service_title for remark in done.remarks if remark.rule == "empty"} == {
        "Mapa guía del Parque Natural Despeñaperros. 2014", "Equipamientos de uso público de Andalucía"}
    text = pdf_text(tmp_path / "hoja.pdf")
    empty = ["Límite del parque natural", "Centros de visitantes", "Refugios", "Fuentes y puntos de agua",
             "Kioscos y bares"]
    assert [title for title in (*drawn, *empty) if title in text] == drawn
    rows = made.layout.itemById("legend").model().rootGroup().findLayers()
    assert {node.layer().name() for node in rows} >= set(empty), "the layout itself stays as it was made"


def test_a_service_of_which_nothing_comes_keeps_its_entries(project, network, tmp_path):
    made = composed(network, project, extent=MapExtent(-3.5952, 38.4462, -3.5886, 38.4510), facilities=("miradores",))
    layout_export.export_pdf(made.layout, tmp_path / "vacio.pdf", 60)
    assert "Miradores" in pdf_text(tmp_path / "vacio.pdf")


def test_only_pictures_of_one_colour_are_empty():
    def told(colour, dot=None, kind="PNG"):
        image = QImage(600, 400, QImage.Format.Format_ARGB32)
        image.fill(QColor(colour))
        if dot is not None:
            image.setPixelColor(599, 399, QColor(dot))
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        image.save(buffer, kind)
        return single_colour(bytes(data), (600, 400))

    assert told("#00000000") == told("#00ffffff") == "transparent"
    assert told("#ffffff") == "#ffffff" and told("#336699", kind="JPEG") != ""
    assert told("#00000000", "#010000ff") == "" and told("#ffffff", "#fefefe") == ""
    assert single_colour(b"no picture", (600, 400)) == ""

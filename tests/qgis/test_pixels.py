"""Images of web layers that are planned, fetched, judged and drawn without a request: pages equal to QGIS's own."""

from __future__ import annotations

import gc
import types
import weakref
from dataclasses import replace

import numpy
import pytest
from network import Network
from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsLayoutItemMap, QgsNetworkAccessManager
from qgis.PyQt.QtCore import QSizeF
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.core.custommap.model import MapExtent, Orientation, PageSetup
from plugin.core.errors import CartoguideError
from plugin.core.preflight import TrialRequest, image_findings
from plugin.core.wms.requests.tile_overlap import ImagePiece
from plugin.core.wms.requests.urls import query_parameters
from plugin.gis.export import layout_export
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items, templates
from plugin.gis.pixels import request as planning
from plugin.gis.pixels.fetch import fetch_pixels, judged_pixels
from plugin.gis.pixels.plan import plan_page
from plugin.gis.pixels.raster import drawn_locally
from plugin.gis.runtime import tasks
from tests.pairwise import ALL, some
from tests.qgis.print_maps import addresses, composed, entry_of, known_records, leaflet_page, pixels

#: the first and the last paper of every template
PAGES = [(template.name, *size) for template in templates.bundled_templates()
         for size in sorted({template.sizes[0], template.sizes[-1]})]
REGION = MapExtent(-7.5, 36.0, -1.66, 38.73)
DPI = 60


def drawn_by_us(network, layout, path, dpi=DPI, as_image=True):
    """Write a page from images that were fetched before, and return the number of requests while it was written."""
    requests = plan_page(layout, dpi, as_image)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, path.parent), 60)
    assert all(piece.error is None for piece in pieces)
    before = network.count("GetMap")
    with drawn_locally([layout], requests, pieces) as drawing:
        written = layout_export.EXPORT_FORMATS[path.suffix[1:]].write(layout, path, dpi)
        assert written == 0 and drawing.undrawn() == []
    return network.count("GetMap") - before


def unlike(one, other, by=0):
    """The share of the pixels of two images that differ."""
    one, other = (pixels(image if isinstance(image, QImage) else QImage(str(image)))[:, :, :3].astype(numpy.int16)
                  for image in (one, other))
    return (numpy.abs(one - other).max(axis=2) > by).mean()


def shape(url):
    values = {name.upper(): value for name, value in query_parameters(url)}
    return values["LAYERS"], values["WIDTH"], values["HEIGHT"]


def half_opaque(layers, _item):
    layers[0].renderer().setOpacity(0.5)


def multiplied(layers, _item):
    layers[0].setBlendMode(QPainter.CompositionMode.CompositionMode_Multiply)


def grey_and_dark(layers, _item):
    layers[0].hueSaturationFilter().setSaturation(-100)
    layers[1].brightnessFilter().setBrightness(-60)


def untouched(_layers, _item):
    pass


def all_of_it(layers, item):
    for change in (half_opaque, multiplied, grey_and_dark):
        change(layers, item)


@pytest.mark.parametrize("change", [untouched, all_of_it, *([half_opaque, multiplied, grey_and_dark] if ALL else [])])
def test_a_page_is_qgis_s_own_to_the_pixel_and_nothing_is_requested_for_it(network, project, tmp_path, change):
    made = composed(network, project)
    change(made.layers, layout_items.main_map(made.layout))
    own = tmp_path / "own.png"
    # where the number of pixels is whole but for the last digit, QGIS asks for one more at some resolutions
    for dpi in (DPI, 72, 96):
        network.reset()
        assert layout_export.EXPORT_FORMATS["png"].write(made.layout, own, dpi) == 0
        asked = sorted((seen["layers"][0], seen["parameters"]["WIDTH"], seen["parameters"]["HEIGHT"])
                       for seen in network.requests if seen["request"] == "GetMap")
        planned = sorted(map(shape, addresses(plan_page(made.layout, dpi, True))))
        if asked == planned:
            break
    assert asked == planned
    assert drawn_by_us(network, made.layout, tmp_path / "ours.png", dpi) == 0
    assert unlike(own, tmp_path / "ours.png") == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("rotation", some([30.0, 0.0], 2))
def test_an_image_from_pieces_is_that_of_one_request(network, project, tmp_path, rotation):
    page = PageSetup("A4", Orientation.LANDSCAPE, rotation=rotation)
    # without roads and the park's limit, whose labels and dashes the service puts elsewhere in pieces
    lines = {"guide": ("relieve",), "page": page}
    drawn_by_us(network, composed(network, project, **lines).layout, tmp_path / "whole.png", 100)
    project.clear()
    with Network(max_size=500) as narrow:
        made = composed(narrow, project, **lines)
        requests = plan_page(made.layout, 100, True)
        assert all(len(request.pieces) > 3 for request in requests)
        assert all(max(piece.piece.requested) <= 500 for request in requests for piece in request.pieces)
        drawn_by_us(narrow, made.layout, tmp_path / "pieces.png", 100)
    # the credits have another port. With pieces that lie a pixel beside their place it is 0.0026
    assert unlike(tmp_path / "whole.png", tmp_path / "pieces.png", 16) < 0.001


def warp(project, item):
    target = QgsCoordinateReferenceSystem("EPSG:3857")
    extent = QgsCoordinateTransform(item.crs(), target, project).transformBoundingBox(item.extent())
    item.setCrs(target)
    item.zoomToExtent(extent)


def test_a_layer_in_another_crs_is_warped_as_qgis_does(network, project, tmp_path):
    made = composed(network, project, guide=("relieve", "limite_parque"), facilities=("miradores", ))
    warp(project, layout_items.main_map(made.layout))
    own = tmp_path / "own.png"
    layout_export.EXPORT_FORMATS["png"].write(made.layout, own, DPI)
    assert drawn_by_us(network, made.layout, tmp_path / "ours.png") == 0
    assert unlike(own, tmp_path / "ours.png", 32) < 0.03


def bytes_of_images(owner):
    """The bytes of all images that an object leads to."""
    found, known, ahead = 0, set(), [owner]
    while ahead:
        one = ahead.pop()
        if id(one) in known or isinstance(one, (type, types.ModuleType, types.FunctionType)):
            continue
        known.add(id(one))
        found += one.sizeInBytes() if isinstance(one, QImage) else 0
        ahead += gc.get_referents(one)
    return found


def test_warped_images_are_made_when_they_are_drawn_and_not_kept(network, project, tmp_path):
    made = composed(network, project)
    warp(project, layout_items.main_map(made.layout))
    requests = plan_page(made.layout, DPI, True)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
    came = bytes_of_images(pieces)
    with drawn_locally([made.layout], requests, pieces) as drawing:
        assert layout_export.EXPORT_FORMATS["png"].write(made.layout, tmp_path / "ours.png", DPI) == 0
        kept = bytes_of_images(list(drawing.layers.values()))
    # a symbol of the window is reached too
    assert kept < came / 10


def test_a_layer_is_requested_and_drawn_within_the_extent_that_its_service_states(network, project, tmp_path):
    made = composed(network, project, guide=("relieve", ), facilities=("miradores", ),
                    extent=MapExtent(-4.2, 38.0, -2.9, 38.8), scale=None)
    layer = made.layers[0]
    whole = {request.layer_id: request.viewport for request in plan_page(made.layout, DPI, True)}
    layer.setDataSource(layer.source().replace("IgnoreReportedLayerExtents=1&", ""), layer.name(), "wms")
    clipped = {request.layer_id: request.viewport for request in plan_page(made.layout, DPI, True)}
    assert not layer.ignoreExtents() and clipped[layer.id()].width < whole[layer.id()].width
    own = tmp_path / "own.png"
    layout_export.EXPORT_FORMATS["png"].write(made.layout, own, DPI)
    assert drawn_by_us(network, made.layout, tmp_path / "ours.png") == 0
    assert unlike(own, tmp_path / "ours.png", 32) < 0.02


def composed_page(network, project, name, paper, orientation):
    page = PageSetup(paper, orientation, name)
    if name != "multiples":
        return composed(network, project, page=leaflet_page(network) if name == "leaflet" else page)
    known = known_records(network)
    days = entry_of(known[network.endpoints["precipitation"]], [f"precipitacion_201606{day:02d}" for day in (1, 2, 3)])
    return composed(network, project, base=None, overlays=(days, ), extent=REGION, page=page)


def telling_dpi(layout, as_image):
    """A resolution at which a map has other whole numbers of pixels by the page's own than by the export's."""
    maps = [item for item in layout_items.items_of_type(layout, QgsLayoutItemMap)
            if item.isVisible() and any(layer.providerType() == "wms" for layer in item.layers())]
    assert maps
    for dpi in range(40, 120):
        for item in maps:
            by_page = planning._page_dpi(layout, item, dpi, as_image)
            sizes = {(QSizeF(item.rect().size()) * (own / 25.4)).toSize().width() for own in (dpi, by_page)} | {
                -(QSizeF(item.rect().size()) * (own / 25.4)).toSize().height() for own in (dpi, by_page)}
            if len(sizes) > 2:
                return dpi
    return 60


@pytest.mark.parametrize(("page", "kinds"), [
    (page, ("pdf", "png") if ALL else (("pdf", "png")[number % 2], )) for number, page in enumerate(some(PAGES, 3))])
def test_every_map_of_a_page_is_drawn_as_it_was_planned(network, project, tmp_path, page, kinds):
    name, *_ = page
    made = composed_page(network, project, *page)
    for kind in kinds:
        form = layout_export.EXPORT_FORMATS[kind]
        dpi = telling_dpi(made.layout, form.as_image)
        network.reset()
        planned = [piece for request in plan_page(made.layout, dpi, form.as_image) for piece in request.pieces]
        # the leaflet's cover has a map too
        maps = 2 if name == "leaflet" else 1
        assert network.count("GetMap") == 0 and len(planned) == maps * len(made.plan.layers)
        assert drawn_by_us(network, made.layout, tmp_path / f"page.{kind}", dpi, form.as_image) == 0


def test_requests_state_the_resolution_that_qgis_writes_one_too_small(network, project):
    made = composed(network, project)
    network.reset()
    for dpi in (26, 64, 103, 128, 207, 256, 512):
        planned = addresses(plan_page(made.layout, dpi, True))
        assert len(planned) >= len(made.plan.layers) and network.count("GetMap") == 0
        assert {value for url in planned for name, value in query_parameters(url) if name == "DPI"} == {str(dpi)}


def test_a_map_that_is_drawn_in_another_way_than_planned_is_hatched_and_told(network, project, tmp_path):
    made = composed(network, project)
    requests = plan_page(made.layout, DPI, True)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
    network.reset()
    with drawn_locally([made.layout], requests, pieces) as drawing:
        layout_export.EXPORT_FORMATS["png"].write(made.layout, tmp_path / "other.png", DPI + 7)
        assert drawing.undrawn() == [layer.name() for layer in made.layers]
    assert network.count("GetMap") == 0
    image = QImage(str(tmp_path / "other.png"))
    assert any(image.pixelColor(x, image.height() // 2) == QColor(176, 0, 32) for x in range(image.width()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", some(["png", "pdf"], 2))
def test_a_map_that_qgis_draws_in_another_size_is_planned_anew_and_fetched_once(network, project, tmp_path, monkeypatch,
                                                                                kind):
    """Of a size with half a pixel QGIS takes the one or the other by the last bit of its computation."""
    made, options = composed(network, project), ExportOptions(DPI)
    layout_export.export_layouts(made.layout, tmp_path / f"planned.{kind}", kind, options)
    sizes = planning._drawn_size
    monkeypatch.setattr(planning, "_drawn_size", lambda *arguments: sizes(*arguments) + QSizeF(1, 0))
    QgsNetworkAccessManager.instance().cache().clear()
    network.reset()
    done = layout_export.export_layouts(made.layout, tmp_path / f"other.{kind}", kind, options)
    assert done.problems == ()
    queries = [seen["query"] for seen in network.requests if seen["request"] == "GetMap"]
    assert len(set(queries)) == len(queries) == 2 * len(made.layers), "once as planned, and once as drawn"
    if kind == "png":
        assert unlike(tmp_path / "planned.png", tmp_path / "other.png") == 0.0


def test_layers_that_stand_for_others_end_with_the_drawing_whoever_holds_an_error(network, project, tmp_path):
    """QGIS ended itself where another thread deleted them, with the error that held them."""
    made = composed(network, project)
    requests = plan_page(made.layout, DPI, True)
    pieces = tasks.run_and_wait(lambda feedback: fetch_pixels(requests, feedback, tmp_path), 60)
    layers = []
    with pytest.raises(CartoguideError) as failed, drawn_locally([made.layout], requests, pieces) as drawing:
        layers = list(map(weakref.ref, drawing.layers.values()))
        assert layers and all(layer() is not None for layer in layers)
        raise CartoguideError("the page is not complete")
    assert failed.value and [layer() for layer in layers] == [None] * len(layers)


def picture(colour, size=(60, 40), image_format=QImage.Format.Format_ARGB32, **points):
    image = QImage(*size, image_format)
    image.fill(QColor(colour))
    for value, (x, y) in points.items():
        image.setPixelColor(x, y, QColor(value))
    return image


WHOLE = ImagePiece(0, 0, 60, 40, 0, 0, (60, 40))


def test_what_pixels_say():
    assert judged_pixels(picture("#336699"), WHOLE) == ("#336699", True, (0, 0, 60, 40))
    assert judged_pixels(picture("#336699", red=(3, 3)), WHOLE)[:2] == ("", True)
    assert judged_pixels(picture("#00ffffff", black=(10, 20)), WHOLE) == ("", False, (10, 20, 1, 1))
    transparent = ("transparent", False, (0, 0, 0, 0))
    assert judged_pixels(picture("#00000000"), WHOLE) == judged_pixels(picture("#00ffffff"), WHOLE) == transparent
    # what lies in the margins is not on the map
    inner = replace(WHOLE, left=30, width=30, margin_left=30, requested=(60, 40))
    assert judged_pixels(picture("#00000000", black=(10, 20)), inner) == transparent
    assert judged_pixels(picture("#00000000", black=(40, 20)), inner) == ("", False, (10, 20, 1, 1))
    assert judged_pixels(picture("#336699", image_format=QImage.Format.Format_RGB32),
                         WHOLE)[1]


def png_of(image):
    from plugin.gis.runtime.images import png_bytes

    return {"type": "body", "text": png_bytes(image).decode("latin-1"), "encoding": "latin-1",
            "content_type": "image/png"}


@pytest.mark.slow
def test_an_overlay_that_hides_most_of_the_map_is_told(network, project, tmp_path):
    made = composed(network, project)
    width, height = size = plan_page(made.layout, DPI)[-1].pieces[0].piece.requested
    # it has transparency in its format, and none in its pixels
    for points in ({}, {"red": (3, 3), "blue": (9, 9)}):
        opaque = picture("#ffffff", size, **points)
        assert opaque.hasAlphaChannel()
        QgsNetworkAccessManager.instance().cache().clear()
        network.reset()
        network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": png_of(opaque)})
        remarks = layout_export.export_pdf(made.layout, tmp_path / f"opaque{len(points)}.pdf", DPI).remarks
        assert [remark.rule for remark in remarks] == ["opaque"] and "“Miradores”" in remarks[0].message
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor("#00000000"))
    for line in range(round(0.9 * height)):
        for column in range(width):
            image.setPixel(column, line, 0xFF0000FF if column % 7 else 0xFFFF0000)
    QgsNetworkAccessManager.instance().cache().clear()
    network.reset()
    network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": png_of(image)})
    remarks = layout_export.export_pdf(made.layout, tmp_path / "map.pdf", DPI).remarks
    assert [remark.rule for remark in remarks] == ["covering"] and "“Miradores”" in remarks[0].message


def test_pieces_of_one_colour_among_others_are_told():
    def trial(colour, **more):
        return TrialRequest("Relief", "Service", 0, (10, 10), single_colour=colour, pages=(1, ), **more)

    found, = image_findings([trial(""), trial("#ffffff"), trial("#ffffff")])
    assert found.rule == "empty" and "Of the 3 pieces" in found.message and "2 have" in found.message
    assert image_findings([trial(""), trial("transparent"), trial("")]) == ()
    assert "here at this scale" in image_findings([trial("#ffffff")])[0].message

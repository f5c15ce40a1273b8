"""Every export format, several pages, the stamp, and images fetched before drawing."""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import replace

import numpy as np
import pytest
from osgeo import gdal
from pypdf import PdfReader
from qgis.core import QgsLayoutExporter, QgsLayoutItemMap, QgsLayoutPoint, QgsLayoutSize, QgsPrintLayout
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtGui import QImage

from plugin.core.errors import Cancelled, CartoguideError
from plugin.gis.export import atlas, export_transaction, layout_export
from plugin.gis.export.atlas import remove_layouts, start_layouts
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.layouts import layout_items as ids
from plugin.gis.layouts import text_fitting
from plugin.gis.own_layers.references import refer_to
from plugin.gis.pages import layout_builder
from plugin.gis.pages.completeness_checks import IncompleteMap
from tests.pairwise import ALL, some
from tests.qgis.print_maps import cancelled_once_requested, colours, composed, pdf_text, pixels, times_requested
from tests.qgis.test_own_layers import own_points
from tests.slowness import slowness

DPI = 72
FAULT = {"match": {"request": "GetMap", "layer": "miradores"}, "action": {"type": "status", "code": 500}}
FAULTS = (FAULT["action"], {"type": "exception", "code": "LayerNotDefined", "text": "No hay capa"},
          {"type": "truncate", "share": 0.5}, {"type": "shorten", "share": 0.5}, {"type": "corrupt"})
RASTERS_AND_SVG = ("png", "jpeg", "svg", "geotiff")


@pytest.fixture
def made(network, project):
    return composed(network, project)


def test_jpeg_svg_and_geotiff_carry_what_they_can(made, network, tmp_path):
    done = layout_export.export_layouts(made.layout, tmp_path / "mapa.jpg", "jpeg", ExportOptions(DPI))
    assert {file.name for file in done.files} == {"mapa.jpg", "mapa.jgw"}
    assert colours(QImage(str(tmp_path / "mapa.jpg"))) > 100
    asked = network.count("GetMap")
    layout_export.export_layouts(made.layout, tmp_path / "mapa.tif", "geotiff", ExportOptions(DPI))
    assert network.count("GetMap") == asked, "the same pictures as the JPEG's"
    data = gdal.Open(str(tmp_path / "mapa.tif"))
    left, width, _, top, _, height = data.GetGeoTransform()
    extent = made.layout.itemById(ids.MAP).extent()
    assert "25830" in data.GetProjection() and left < extent.xMinimum() + 1.0 and top > extent.yMaximum()
    assert width == pytest.approx(75000 * 0.0254 / DPI, rel=0.003) and height == pytest.approx(-width, rel=0.003)
    about = data.GetMetadata()
    assert about["TIFFTAG_DOCUMENTNAME"] == "Despeñaperros a mano" and "Consejería" in about["TIFFTAG_COPYRIGHT"]
    layout_export.export_layouts(made.layout, tmp_path / "mapa.svg", "svg", ExportOptions(DPI))
    drawing = (tmp_path / "mapa.svg").read_text(encoding="utf-8")
    assert "Despeñaperros a mano" in drawing and "data:image/" in drawing
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".jgw", ".jpg", ".svg", ".tif"]


def path_of(folder, name, kind):
    return folder / f"{name}.{layout_export.EXPORT_FORMATS[kind].suffix}"


def test_no_format_leaves_a_file_that_could_pass_for_finished(made, network, tmp_path):
    for number, kind in enumerate(RASTERS_AND_SVG):
        # each fault is met by one format, and by each of them in the campaign
        for fault in FAULTS if ALL else FAULTS[number::len(RASTERS_AND_SVG)]:
            network.fault({**FAULT, "action": fault})
            with pytest.raises(IncompleteMap) as failed:
                layout_export.export_layouts(made.layout, path_of(tmp_path, "mapa", kind), kind,
                                             ExportOptions(DPI, attempts=1))
            assert "Miradores" in failed.value.user_text and list(tmp_path.iterdir()) == [], (kind, fault)


@pytest.mark.slow
def test_a_series_is_a_page_each_with_its_own_scale_and_a_fault_on_one_of_them_leaves_none(made, network, project,
                                                                                        tmp_path, wait_until):
    plans = [replace(made.plan, scale=scale) for scale in (40000.0, 100000.0)]
    found, named = [], ("40000", "100000")
    start_layouts(project, plans, [made.layers, made.layers], found.append, pytest.fail)
    pages, = wait_until(lambda: found)
    for number, kind in enumerate(some(("pdf", *RASTERS_AND_SVG), 2)):
        # the picture of the second page alone, at a resolution of which no picture is kept
        network.fault({"match": {"request": "GetMap", "layer": "miradores", "nth": 2},
                       "action": {"type": "exception", "code": "X", "text": "No"}})
        with pytest.raises(IncompleteMap) as failed:
            layout_export.export_layouts(pages, path_of(tmp_path, "serie", kind), kind,
                                         ExportOptions(DPI - 8 * number, attempts=1), names=named)
        assert "Miradores" in failed.value.user_text and list(tmp_path.iterdir()) == [], kind
    network.fault()
    path = tmp_path / "serie.pdf"
    layout_export.export_layouts(pages, path, "pdf", ExportOptions(DPI))
    info = subprocess.run(["pdfinfo", str(path)], capture_output=True, check=True).stdout.decode()
    assert re.search(r"Pages:\s+2", info) and "Despeñaperros a mano" in info
    text = pdf_text(path).replace("\u00a0", " ")
    assert "1:40 000" in text and "1:100 000" in text
    done = layout_export.export_layouts(pages, tmp_path / "serie.png", "png", ExportOptions(DPI), names=named)
    assert {file.name for file in done.files} == {
        "serie 40000.png", "serie 40000.pgw", "serie 100000.png", "serie 100000.pgw"}
    remove_layouts(pages)
    assert [layout.name() for layout in project.layoutManager().printLayouts()] == [made.layout.name()]


def test_a_cancel_before_the_legends_are_here_leaves_no_layout(made, network, project, wait_until, monkeypatch):
    def cancelled(*_):
        raise Cancelled

    before, ended = project.layoutManager().printLayouts(), []
    job = start_layouts(project, [replace(made.plan, scale=40000.0)], [made.layers], pytest.fail, pytest.fail)
    job.ended.connect(lambda: ended.append(True))
    assert len(project.layoutManager().printLayouts()) == len(before) + 1
    job.cancel()
    wait_until(lambda: ended)
    assert project.layoutManager().printLayouts() == before
    monkeypatch.setattr(atlas, "fetch_legends", cancelled)
    with pytest.raises(Cancelled):
        composed(network, project, title="Otro")
    assert project.layoutManager().printLayouts() == before


def test_a_cancel_in_the_middle_leaves_no_file_of_any_kind(made, network, tmp_path):
    for kind in layout_export.EXPORT_FORMATS:
        if kind == "geopdf" and not layout_export.geopdf_available():
            continue
        network.reset()
        network.fault({"match": {"request": "GetMap", "layer": "miradores"}, "action": {"type": "hang", "seconds": 90}})
        started = time.monotonic()
        with pytest.raises(Cancelled):
            layout_export.export_layouts(made.layout, path_of(tmp_path, "map", kind), kind, ExportOptions(DPI),
                                         cancelled_once_requested(network, "miradores"))
        # and a picture that was given up is asked for by nobody else: that would wait for the network's own limit
        assert list(tmp_path.iterdir()) == [] and time.monotonic() - started < 50 * slowness(), kind
        assert times_requested(network, "miradores") == 1, kind


def test_a_second_export_while_the_first_waits_is_whole_too(made, network, project, tmp_path):
    """The first handles events while it waits for its pictures: whatever happens there has its own files."""
    network.fault({"match": {"request": "GetMap", "layer": "miradores", "nth": 1},
                   "action": {"type": "delay", "seconds": 2}})
    # other pictures than those that the tests before have left in the cache
    second, options = [], ExportOptions(DPI + 7)

    def again():
        second.append(layout_export.export_layouts(made.layout, tmp_path / "second.png", "png", options))

    QTimer.singleShot(300, again)
    first = layout_export.export_layouts(made.layout, tmp_path / "first.pdf", "pdf", options)
    assert first.files and second[0].files[0].is_file()
    assert "Despeñaperros a mano" in pdf_text(tmp_path / "first.pdf")
    assert colours(QImage(str(tmp_path / "second.png"))) > 100
    assert sorted(file.name for file in tmp_path.iterdir()) == ["first.pdf", "second.pgw", "second.png"]


def test_geopdf_is_written_at_any_resolution_where_gdal_can_and_refused_in_words_where_not(made, tmp_path):
    path = tmp_path / "mapa.pdf"
    if layout_export.geopdf_available():
        # a map of the bundled templates is one picture in other formats, whose size in pixels is another
        for dpi in some([100, 96, 60, 120, 83], 2):
            layout_export.export_layouts(made.layout, path, "geopdf", ExportOptions(dpi))
            assert "25830" in gdal.Open(str(path)).GetProjection() or b"/OCG" in path.read_bytes()
            subprocess.run(["pdftoppm", "-r", "72", "-png", "-singlefile", str(path), str(tmp_path / "mapa")],
                           check=True)
            page = pixels(QImage(str(tmp_path / "mapa.png")))
            assert (page[0, :, :3].max(axis=1) < 100).all(), "the ground of the title reaches the edge of the paper"
    else:
        with pytest.raises(CartoguideError) as failed:
            layout_export.export_layouts(made.layout, path, "geopdf", ExportOptions(DPI))
        assert "GeoPDF" in failed.value.user_text and not path.exists()


def layer_names(path):
    """The layers of a GeoPDF as GDAL lists them, and the groups that the file itself has."""
    found = gdal.Open(str(path)).GetMetadata("LAYERS") or {}
    properties = PdfReader(str(path)).trailer["/Root"]["/OCProperties"]
    groups = [group.get_object()["/Name"] for group in properties["/OCGs"]]
    return [found[key] for key in sorted(found)], groups


@pytest.mark.skipif(not layout_export.geopdf_available(), reason="this GDAL writes no GeoPDF")
def test_a_geopdf_names_the_layers_of_the_map_as_qgis_alone_does_and_no_others(network, project, tmp_path):
    made = composed(network, project, own_layers=(refer_to(own_points(tmp_path), entries_below=1),))
    page = made.layout.itemById(ids.MAP)
    alone = QgsPrintLayout(project)
    alone.initializeDefaults()
    item = QgsLayoutItemMap(alone)
    alone.addLayoutItem(item)
    item.attemptResize(QgsLayoutSize(200, 150))
    item.setCrs(page.crs())
    item.setExtent(page.extent())
    item.setLayers(page.layers())
    settings = QgsLayoutExporter.PdfExportSettings()
    settings.writeGeoPdf, settings.dpi = True, DPI
    QgsLayoutExporter(alone).exportToPdf(str(tmp_path / "alone.pdf"), settings)
    layout_export.export_layouts(made.layout, tmp_path / "map.pdf", "geopdf", ExportOptions(DPI))
    layout_export.export_layouts(made.layout, tmp_path / "plain.pdf", "pdf", ExportOptions(DPI))
    names, groups = layer_names(tmp_path / "map.pdf")
    assert len(page.layers()) == 5 and len(names) >= 5
    assert names == layer_names(tmp_path / "alone.pdf")[0]
    assert {layer.name() for layer in page.layers()} <= set(groups)
    assert not any(name.startswith(("Cartoguide", "inset", "grid")) for name in groups)
    vectors = gdal.OpenEx(str(tmp_path / "map.pdf"), gdal.OF_VECTOR)
    assert [vectors.GetLayer(number).GetName() for number in range(vectors.GetLayerCount())] == ["Puntos propios"]
    # what was in the layers that are gone is drawn as before: location map and grid
    for name in ("map", "plain"):
        subprocess.run(["pdftoppm", "-r", "60", "-png", "-singlefile", str(tmp_path / f"{name}.pdf"),
                        str(tmp_path / name)], check=True)
    seen, plain = (pixels(QImage(str(tmp_path / f"{name}.png"))).astype(int) for name in ("map", "plain"))
    inset, per_mm = made.layout.itemById(ids.INSET).sceneBoundingRect(), 60 / 25.4
    rows, columns = (slice(round(start * per_mm) + 2, round(end * per_mm) - 2) for start, end in (
        (inset.top(), inset.bottom()), (inset.left(), inset.right())))
    for part in ((rows, columns), (slice(None, 480), slice(None, 690))):
        # GDAL rounds the page to whole points
        assert (abs(seen[part].mean(axis=(0, 1)) - plain[part].mean(axis=(0, 1))) < 4).all()
    assert plain[rows, columns].mean(axis=(0, 1)).min() < 240, "there is something in the location map"


def test_a_stamped_map_comes_only_when_asked_for_and_says_what_it_lacks(made, network, tmp_path):
    network.fault(FAULT)
    before = len(made.layout.items())
    done = layout_export.export_layouts(made.layout, tmp_path / "mapa.pdf", "pdf",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    text = pdf_text(tmp_path / "mapa.pdf")
    assert "MAPA INCOMPLETO" in text and "Miradores" in text and done.problems
    assert len(made.layout.items()) == before, "the layout itself has no stamp"
    network.reset()
    whole = layout_export.export_layouts(made.layout, tmp_path / "entero.pdf", "pdf",
                                         ExportOptions(DPI, stamp_incomplete=True))
    assert whole.problems == () and "INCOMPLETO" not in pdf_text(tmp_path / "entero.pdf")


def words_and_heights(path):
    """The words of a PDF's pages with their upper and lower edge in points."""
    listed = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, check=True).stdout.decode()
    return [(word, float(top), float(bottom))
            for top, bottom, word in re.findall(r'<word xMin="[^"]*" yMin="([^"]*)" xMax="[^"]*" yMax="([^"]*)">(.*?)<',
                                                listed)]


@pytest.mark.parametrize("count", [2, 14])
def test_no_line_of_a_stamp_is_cut(made, tmp_path, count):
    problems = [f"“Layer {number} of a long name”, “Roads and railways” and 11 more of “Facilities of public use in "
                f"protected areas”: the server answers with HTTP {500 + number} to all {number} attempts"
                for number in range(count)]
    with export_transaction.stamped_incomplete(made.layout, problems):
        layout_export.EXPORT_FORMATS["pdf"].write(made.layout, tmp_path / "mapa.pdf", DPI)
    fine = 150
    subprocess.run(["pdftoppm", "-r", str(fine), "-png", "-singlefile", str(tmp_path / "mapa.pdf"),
                    str(tmp_path / "mapa")], check=True)
    page = pixels(QImage(str(tmp_path / "mapa.png")))
    red = (page[..., 2] > 150) & (page[..., 1] < 130) & (page[..., 0] < 140)
    frame = np.flatnonzero(red.mean(axis=1) > 0.6) * 72 / fine
    words = [(word, top, bottom) for word, top, bottom in words_and_heights(tmp_path / "mapa.pdf")
             if word in ("INCOMPLETO:", "HTTP", "attempts", "…")]
    assert words[0][0] == "INCOMPLETO:" and {"HTTP", "attempts"} < {word for word, _, _ in words}
    assert all(frame.min() < top and bottom < frame.max() for _word, top, bottom in words), (frame, words)
    assert (words[-1][0] == "…") == (count == 14), "it says that there is more"
    assert frame.max() - frame.min() < 0.55 * len(page) * 72 / fine


@pytest.mark.slow
@pytest.mark.parametrize("covers", [False, True], ids=["in the middle", "all over the page"])
def test_a_stamp_covers_no_credit_or_the_export_says_so(made, network, tmp_path, covers):
    network.fault(FAULT)
    label, sheet = made.layout.itemById(ids.CREDITS), made.layout.pageCollection().page(0).rect()
    label.setZValue(5_000)
    label.setBackgroundEnabled(True)
    # a column from edge to edge leaves no place, and has fewer letters to look at than the whole page
    width = 60 if covers else sheet.width() - 24
    label.attemptMove(QgsLayoutPoint((sheet.width() - width) / 2, 2 if covers else sheet.height() / 2 - 15))
    label.attemptResize(QgsLayoutSize(width, sheet.height() - 4 if covers else 30))
    if covers:
        label.setText("\n".join([label.currentText()] * 9))
    assert not text_fitting.label_overflows(label), "it is the stamp alone that may hide a letter"
    done = layout_export.export_layouts(made.layout, tmp_path / "mapa.pdf", "pdf",
                                        ExportOptions(DPI, attempts=1, stamp_incomplete=True))
    words = words_and_heights(tmp_path / "mapa.pdf")
    stamp, = (top for word, top, _ in words if word == "INCOMPLETO:" or word == "INCOMPLETO")
    point = 25.4 / 72
    box = label.mapRectToScene(label.rect())
    if covers:
        assert any("cannot be read" in problem for problem in done.problems), done.problems
    else:
        assert not box.top() < stamp * point < box.bottom(), "the stamp is elsewhere"
        assert not any("cannot be read" in problem for problem in done.problems), done.problems


def test_the_drawing_asks_for_nothing_that_was_not_fetched_before(made, network, tmp_path, monkeypatch):
    # of each, other pictures: QGIS rounds the frame of the map otherwise in an image
    for kind, dpi, fetched in (("pdf", 150, 1), ("png", 150, 2), ("png", 96, 3)):
        form, asked = layout_export.EXPORT_FORMATS[kind], []

        def noted(layout, file, resolution, form=form, asked=asked):
            before = network.count("GetMap")
            result = form.write(layout, file, resolution)
            asked.append((before, network.count("GetMap")))
            return result

        with monkeypatch.context() as patched:
            patched.setitem(layout_export.EXPORT_FORMATS, kind, replace(form, write=noted))
            layout_export.export_layouts(made.layout, tmp_path / f"mapa {dpi}.{kind}", kind, ExportOptions(dpi))
        assert set(asked) == {(fetched * len(made.plan.layers), ) * 2}
    assert [need.title for need in layout_builder.layout_requirements(made.layout)]

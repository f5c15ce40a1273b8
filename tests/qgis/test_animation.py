"""A time series as an animated GIF: a frame for each moment with its date, its legend and every credit, or no file."""

from __future__ import annotations

import subprocess
from dataclasses import replace

import numpy
import pytest
from PIL import Image
from qgis.core import QgsFeedback, QgsLayoutItemLegend, QgsLegendStyle, QgsProcessingContext
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtWidgets import QApplication

from plugin.core.custommap.document import write_document
from plugin.core.custommap.model import CustomMap, MapEntry, MapExtent, StoredCredit
from plugin.core.errors import Cancelled, CartoguideError
from plugin.core.publication.animated_gif import GifWriter
from plugin.gis.export import atlas, layout_export, map_pipeline, raster_formats
from plugin.gis.export.export_transaction import ExportOptions
from plugin.gis.export.sealed_layouts import ExportFeedback
from plugin.gis.layouts import layout_items as ids
from plugin.gis.layouts.credit_legibility import measure_text, pixel_window
from plugin.gis.layouts.text_fitting import label_overflows
from plugin.gis.pages.completeness_checks import IncompleteMap
from plugin.gis.runtime import compat
from plugin.gis.services import service_cache
from plugin.ui.composer.map_series_dialog import AnimationDialog
from tests.pairwise import some
from tests.qgis.algorithm_runs import Heard, algorithm, registered_provider, use_network
from tests.qgis.print_maps import PARK, cancelled_once_requested, entry_of, known_records, small_map
from tests.written_files import metadata, rights

DAYS = 3
DATES = ["mié 1 jun 2016", "jue 2 jun 2016", "vie 3 jun 2016"]
#: pixels for each millimetre of a frame
SCALE = raster_formats.FRAME_DPI / 25.4
#: colour of the least rain
PALEST = (231, 243, 235)
FAULT = {"match": {"request": "GetMap", "layer": "precipitacion_20160603"}}


def rainy_map(network, **changes):
    """Days of the month's precipitation as a series, with the credit of its record."""
    known = known_records(network)
    names = tuple(f"precipitacion_201606{day:02d}" for day in range(DAYS, 0, -1))
    entry = replace(entry_of(known[network.endpoints["precipitation"]], names), moment="2016-06-02")
    return replace(CustomMap("Lluvia de junio", "es", overlays=(entry,), crs="EPSG:25830"), **changes), known


@pytest.fixture
def frames(network, project):
    return map_pipeline.compose_frames(project, *rainy_map(network))


@pytest.mark.slow
def test_frames_have_room_for_the_credits_of_three_services_and_a_long_legend(network, project):
    made, known = rainy_map(network)
    base = entry_of(known[network.endpoints["guide"]], ())
    over = entry_of(known[network.endpoints["facilities"]], ("miradores",))
    title = "Parque Natural de la Sierra de Cardeña y Montoro, Despeñaperros y los Valles de los Ríos Guarrizas"
    made = replace(made, base=base, overlays=(*made.overlays, over), title=title)
    for layout in map_pipeline.compose_frames(project, made, known).layouts:
        assert not label_overflows(layout.itemById(ids.CREDITS))
        assert layout.itemById(ids.TITLE).text() == title, "in two lines"
        assert "Sin lluvia o sin datos" not in legend_entries(layout), "what is below the rain may be of any colour"
        letters = compat.legend_font(layout.itemById(ids.LEGEND).legendSettings(), QgsLegendStyle.Style.SymbolLabel)
        assert letters.pointSizeF() / 72 * raster_formats.FRAME_DPI > 13, "pixels on a screen"


def legend_entries(layout):
    model = layout.itemById(ids.LEGEND).model()
    nodes = (node for layer in model.rootGroup().findLayers() for node in model.layerLegendNodes(layer, True))
    return [node.swatch.label for node in nodes if hasattr(node, "swatch")]


def export(frames, path, feedback=None, **options):
    return layout_export.export_layouts(frames.layouts, path, "gif", ExportOptions(300, **options), feedback)


def read_frames(path):
    """The frames as Pillow shows them, and their times in seconds."""
    found, times = [], []
    with Image.open(path) as image:
        assert image.info["loop"] == 0, "it is played again and again"
        for number in range(image.n_frames):
            image.seek(number)
            found.append(numpy.asarray(image.convert("RGB")))
            times.append(image.info["duration"] / 1000)
    return found, times


def area_of(layout, item_id):
    """The window of an item in a frame, in pixels."""
    item = layout.itemById(item_id)
    return pixel_window(QRectF(item.mapRectToScene(item.rect())), SCALE, (1280, 720))


def test_a_dry_day_has_the_legend_of_the_other_frames_and_the_file_says_which_days_it_shows(network, project, tmp_path):
    made, known = rainy_map(network)
    days = entry_of(known[network.endpoints["precipitation"]], ("precipitacion_20160602", "precipitacion_20160608"))
    area = MapExtent(-4.0, 38.0, -3.2, 38.7)
    frames = map_pipeline.compose_frames(project, replace(made, overlays=(days,), extent=area), known)
    path = tmp_path / "park.gif"
    export(frames, path)
    (wet, dry), _times = read_frames(path)
    window = area_of(frames.layouts[0], ids.LEGEND)
    assert cut(wet, window).std() > 20, "its classes"
    assert abs(cut(wet, window).astype(int) - cut(dry, window)).mean() < 1, "what is white on a white page?"
    map_window = area_of(frames.layouts[0], ids.MAP)
    assert cut(dry, map_window)[20:-20, 20:-20].min() > 250, "it was dry"
    shown = [moment for layout in frames.layouts for moment in ids.shown_moments(layout).values()]
    assert shown == ["2016-06-02", "2016-06-08"]


def cut(pixels, window):
    left, top, width, height = window
    return pixels[top:top + height, left:left + width]


def drawn_pages(layouts, folder):
    """The pages as QGIS draws them for themselves."""
    found = []
    for number, layout in enumerate(layouts):
        raster_formats.write_image(layout, folder / f"{number}.png", raster_formats.FRAME_DPI)
        with Image.open(folder / f"{number}.png") as image:
            found.append(numpy.asarray(image.convert("RGB")))
    return found


@pytest.mark.slow
def test_each_moment_is_a_frame_with_its_date_its_legend_and_its_credit(frames, network, tmp_path):
    asked = network.count("GetMap")
    path = tmp_path / "junio.gif"
    done = export(frames, path)
    assert [file.name for file in tmp_path.iterdir()] == ["junio.gif"] == [file.name for file in done.files]
    assert network.count("GetMap") - asked == done.request_count == DAYS, "one picture for each day"
    pictures, times = read_frames(path)
    assert len(pictures) == DAYS and {picture.shape for picture in pictures} == {(720, 1280, 3)}
    assert times == [1.0, 1.0, 3.0], "the last is seen longer"
    listed = subprocess.run(["identify", str(path)], capture_output=True, check=True).stdout.decode()
    assert len(listed.splitlines()) == DAYS

    assert [layout.itemById("label:1").text() for layout in frames.layouts] == DATES
    assert [layout.itemById(ids.FRAME_NUMBER).text() for layout in frames.layouts] == ["1 de 3", "2 de 3", "3 de 3"]
    pages = drawn_pages(frames.layouts, tmp_path)
    number_window = area_of(frames.layouts[0], ids.FRAME_NUMBER)
    assert (cut(pictures[1], number_window) != cut(pictures[0], number_window)).any()
    date_window = area_of(frames.layouts[0], "label:1")
    for number, picture in enumerate(pictures):
        differences = [abs(cut(picture, date_window).astype(int) - cut(page, date_window)).mean() for page in pages]
        assert numpy.argmin(differences) == number and sorted(differences)[1] > 3 * min(differences), differences
        layout = frames.layouts[number]
        for item_id, height in ((ids.CREDITS, 12), (ids.TITLE, 20)):
            window = area_of(layout, item_id)
            assert measure_text(cut(picture, window), cut(pages[number], window), height).is_legible, (number, item_id)
        assert "Consejería" in layout.itemById(ids.CREDITS).currentText()
        window = area_of(layout, ids.LEGEND)
        assert len(numpy.unique(cut(picture, window).reshape(-1, 3), axis=0)) > 10, "the colours of the scale"
        assert len(legend_entries(layout)) == 11 and legend_entries(layout)[0] == "Sin lluvia o sin datos"
        for shown in (cut(picture, area_of(layout, ids.MAP)), cut(picture, window)):
            assert (abs(shown.astype(int) - PALEST).max(axis=2) <= 4).sum() > 100, "the palest class, which is wide"
        assert (cut(picture, window) == cut(pictures[0], window)).all(), "the legend stays as it is"
        map_window = area_of(layout, ids.MAP)
        assert number == 0 or (cut(picture, map_window) != cut(pictures[number - 1], map_window)).any()
    # the file says of itself whose it is
    credit, = rights(path)
    assert "Consejería" in credit and metadata(path)["XMP-dc:Source"].startswith("http://127.0.0.1")
    with Image.open(path) as image:
        assert credit in image.info["comment"].decode()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "word"), [("gif", "Frame"), ("pdf", "Page"), ("png", "Page")])
def test_progress_names_each_page_and_goes_on_with_it_until_its_credits_are_read(frames, tmp_path, kind, word):
    feedback, texts, percents = ExportFeedback(), [], []
    feedback.stage_changed.connect(texts.append)
    feedback.progressChanged.connect(percents.append)
    layout_export.export_layouts(frames.layouts, tmp_path / f"map.{kind}", kind, ExportOptions(40), feedback)
    assert texts == [*(f"{word} {number} of {DAYS}" for number in range(1, DAYS + 1)),
                     *["Reading the credits of the written pages"] * DAYS]
    assert sorted(percents) == percents and len([one for one in percents if one >= 80]) >= 2 * DAYS, "it goes on"


@pytest.mark.slow
def test_a_day_that_does_not_come_leaves_no_file_but_one_whose_frames_all_say_so(frames, network, tmp_path):
    for action in some([{"type": "truncate", "share": 0.5}, {"type": "status", "code": 500},
                        {"type": "exception", "code": "X", "text": "No"}], 3):
        network.fault({**FAULT, "action": action})
        with pytest.raises(IncompleteMap) as failed:
            export(frames, tmp_path / "junio.gif", attempts=1)
        assert "3 de junio" in failed.value.user_text and list(tmp_path.iterdir()) == [], action
        network.reset()
    network.fault({**FAULT, "action": {"type": "status", "code": 500}})
    done = export(frames, tmp_path / "junio.gif", attempts=1, stamp_incomplete=True)
    stamped, _times = read_frames(tmp_path / "junio.gif")
    network.reset()
    assert export(frames, tmp_path / "whole.gif").files
    whole, _times = read_frames(tmp_path / "whole.gif")
    assert done.problems and all((one != other).mean() > 0.01 for one, other in zip(stamped, whole))


def without_credit(pixels, layout):
    left, top, width, height = area_of(layout, ids.CREDITS)
    painted = pixels.copy()
    painted[top:top + height, left:left + width] = 255
    return painted


@pytest.mark.slow
def test_a_cancel_in_the_middle_or_between_two_frames_leaves_no_file_nor_does_a_frame_without_its_credit(
        frames, network, tmp_path, monkeypatch):
    network.fault({**FAULT, "action": {"type": "hang", "seconds": 30}})
    with pytest.raises(Cancelled):
        export(frames, tmp_path / "junio.gif", cancelled_once_requested(network, FAULT["match"]["layer"]))
    assert list(tmp_path.iterdir()) == []
    network.reset()
    feedback, written, add = QgsFeedback(), [], GifWriter.add_frame

    def cancelling(writer, pixels, seconds):
        add(writer, pixels, seconds)
        written.append(seconds)
        if len(written) == 2:
            feedback.cancel()

    monkeypatch.setattr(GifWriter, "add_frame", cancelling)
    with pytest.raises(Cancelled):
        export(frames, tmp_path / "junio.gif", feedback)
    assert list(tmp_path.iterdir()) == [] and len(written) == 2
    label, band = (frames.layouts[2].itemById(name) for name in (ids.CREDITS, "band_accent"))
    for fault, said in (("unwritten credit", "Page 3"), ("lost frame", "2 of 3 frames"),
                        ("hidden label", "is not on the map"), ("covered label", "Page 3")):
        written.clear()

        def faulty(writer, pixels, seconds, fault=fault):
            written.append(seconds)
            if len(written) != 3 or fault != "lost frame":
                spoilt = len(written) == 3 and fault == "unwritten credit"
                add(writer, without_credit(pixels, frames.layouts[2]) if spoilt else pixels, seconds)

        monkeypatch.setattr(GifWriter, "add_frame", faulty)
        label.setVisibility(fault != "hidden label")
        if fault == "covered label":
            band.setZValue(5000)
            band.attemptSetSceneRect(label.mapRectToScene(label.rect()))
        with pytest.raises(IncompleteMap) as failed:
            export(frames, tmp_path / "junio.gif")
        assert said in failed.value.user_text and list(tmp_path.iterdir()) == [], fault


def test_credits_that_do_not_fit_a_frame_stop_the_export_and_go_to_no_other_page(network, project, tmp_path):
    made, _known = rainy_map(network)
    own = replace(made.overlays[0], record_id=None, credit=StoredCredit("Un crédito muy largo. " * 120))
    frames = map_pipeline.compose_frames(project, replace(made, overlays=(own,)), {})
    assert {layout.pageCollection().pageCount() for layout in frames.layouts} == {1}
    with pytest.raises(IncompleteMap) as failed:
        export(frames, tmp_path / "junio.gif")
    assert "credits do not fit" in failed.value.user_text and list(tmp_path.iterdir()) == []


def test_a_map_without_a_series_is_refused_with_the_reason(network, project):
    known = known_records(network)
    with pytest.raises(CartoguideError, match="no time series"):
        map_pipeline.compose_frames(project, small_map(network, known), known)
    assert project.layoutManager().printLayouts() == []


def test_a_series_of_a_park_has_frames_only_with_something_that_shows_where_it_lies(network, project):
    made, known = rainy_map(network, extent=PARK)
    with pytest.raises(CartoguideError, match="where an area as small as this lies"):
        map_pipeline.compose_frames(project, made, known)
    assert project.layoutManager().printLayouts() == []
    made = replace(made, base=entry_of(known[network.endpoints["guide"]], ("relieve",)))
    assert len(map_pipeline.compose_frames(project, made, known).layouts) == DAYS


@pytest.mark.slow
def test_the_steps_of_a_time_dimension_are_frames(network, project, tmp_path):
    mapfile = network.workdir / "precipitation.map"
    before = mapfile.read_text("utf-8")
    extra = '"wms_timeextent" "2016-06-01/2016-06-03/P1D" "wms_timedefault" "2016-06-01" "ows_title" "Estaciones met'
    try:
        mapfile.write_text(before.replace('"ows_title" "Estaciones met', extra), "utf-8")
        entry = MapEntry(network.endpoints["precipitation"], "Lluvia", layers=("estaciones",), styles=("",),
                         credit=StoredCredit("Red de prueba"))
        frames = map_pipeline.compose_frames(project, CustomMap("Lluvia", overlays=(entry,), crs="EPSG:25830"), {},
                                          service_cache.ServiceCache())
        network.reset()
        export(frames, tmp_path / "pasos.gif", frame_seconds=0.5)
    finally:
        mapfile.write_text(before, "utf-8")
    asked = [seen["parameters"] for seen in network.requests if seen["request"] == "GetMap"]
    days = sorted(own.get("TIME", "")[:10] for own in asked if "EXCEPTIONS" not in own)
    assert days == ["2016-06-01", "2016-06-02", "2016-06-03"]
    pictures, times = read_frames(tmp_path / "pasos.gif")
    assert (len(pictures), times) == (3, [0.5, 0.5, 1.5])


def test_the_frame_shows_what_the_page_shows(network, project):
    """A scale would be another one on the page of a frame: the area counts."""
    made, known = rainy_map(network, centre=(-4.5, 37.4), scale=2_000_000.0)
    frames = map_pipeline.compose_frames(project, made, known)
    item = frames.layouts[0].itemById(ids.MAP)
    assert 1_500_000 < item.scale() < 4_000_000 and frames.plan.scale == 2_000_000
    legends = [layout.itemById(ids.LEGEND) for layout in frames.layouts]
    assert all(isinstance(legend, QgsLayoutItemLegend) for legend in legends)
    titles = {tuple(group.name().replace("\n", " ") for group in legend.model().rootGroup().findGroups())
              for legend in legends}
    assert titles == {("Precipitación total diaria",)}, "the same heading on every frame"
    atlas.remove_layouts(frames.layouts)
    assert project.layoutManager().printLayouts() == []


@pytest.mark.slow
def test_a_frame_that_is_wider_than_the_page_ends_with_the_base_and_shows_all_of_the_page(network, project, tmp_path):
    made, known = rainy_map(network)
    made = replace(made, base=entry_of(known[network.endpoints["guide"]], ("relieve",)))
    frames = map_pipeline.compose_frames(project, made, known)
    export(frames, tmp_path / "parque.gif")
    pictures, _times = read_frames(tmp_path / "parque.gif")
    item = frames.layouts[0].itemById(ids.MAP)
    for picture in pictures:
        shown = cut(picture, area_of(frames.layouts[0], ids.MAP))[2:-2, 2:-2]
        is_white = (shown > 250).all(axis=2)
        assert not is_white.all(axis=0).any() and not is_white.all(axis=1).any(), "no blank strip in the frame"
    page = map_pipeline.compose_map(project, made, known).layout.itemById(ids.MAP)
    assert item.extent().buffered(1).contains(page.extent())


@pytest.mark.slow
def test_processing_exports_a_series_as_gif(network, monkeypatch, tmp_path, qgis_app):
    use_network(network, monkeypatch)
    made, _known = rainy_map(network)
    document = tmp_path / "junio.custommap.json"
    document.write_bytes(write_document(made))
    with registered_provider():
        heard = Heard()
        done, good = algorithm("exportcustommap").run(
            {"INPUT": str(document), "OUTPUT": str(tmp_path / "junio.gif"), "FRAME_SECONDS": 2},
            QgsProcessingContext(), heard)
    assert good, heard.errors
    assert "Consejería" in done["CREDITS"] and done["REQUESTS"] == DAYS
    pictures, times = read_frames(tmp_path / "junio.gif")
    assert (len(pictures), times) == (DAYS, [2.0, 2.0, 6.0])


@pytest.mark.slow
def test_the_menu_offers_an_animation_only_of_a_series_and_says_why_not(network, monkeypatch, open_dock, wait_until,
                                                                        tmp_path):
    use_network(network, monkeypatch)
    dock = open_dock()
    composer, actions = dock.composer, dock.composer_controller
    made, known = rainy_map(network)
    plain, series = tmp_path / "plain.custommap.json", tmp_path / "junio.custommap.json"
    plain.write_bytes(write_document(small_map(network, known)))
    series.write_bytes(write_document(made))

    actions.documents.open_file(plain)
    wait_until(lambda: len(actions.map.items) == 2 and not actions.map.adding, 60)
    composer.export.menu().aboutToShow.emit()
    assert not composer.animation.isEnabled() and "no time series" in composer.animation.toolTip()
    assert composer.export.menu().toolTipsVisible()

    actions.documents.open_file(series)
    wait_until(lambda: len(actions.map.items) == 1 and not actions.map.adding and actions.map.items[0].layer_ids, 60)
    composer.export.menu().aboutToShow.emit()
    assert composer.animation.isEnabled()
    path = tmp_path / "junio.gif"
    asked = []

    def save_file(*given, **_named):
        assert not dialog.isVisible()
        asked.append(given)
        return path

    monkeypatch.setattr(dock.prompts, "save_file", save_file)
    composer.animation.trigger()
    dialog, = [one for one in QApplication.topLevelWidgets() if isinstance(one, AnimationDialog) and one.isVisible()]
    assert dialog.seconds.value() == 1.0 and not asked
    dialog.seconds.setValue(0.1)
    assert dialog.seconds.value() == 0.4, "more than three frames in a second could be flashes"
    dialog.seconds.setValue(2.0)
    assert "3 frames, 10 s" in dialog.summary_label.text()
    dialog.export_button.click()
    wait_until(path.exists, 60)
    wait_until(lambda: "junio.gif" in dock.messages.history[-1][1], 60)
    assert "*.gif" in asked[0][2] and read_frames(path)[1] == [2.0, 2.0, 6.0]
    assert not [layout for layout in actions.map.project.layoutManager().printLayouts() if "–" in layout.name()]

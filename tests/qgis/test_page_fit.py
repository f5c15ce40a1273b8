"""The page of a new base: in the window and by Processing, the exported map is filled to its edges."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from qgis.core import QgsProject
from qgis.PyQt.QtGui import QImage

from plugin.app.maps.map_document import ExtentMode
from plugin.app.maps.map_state import AddMode, LayerChoice
from plugin.core.box import Box
from plugin.core.custommap.document import read_document
from plugin.core.custommap.model import MapExtent, MapRole, Orientation, PageSetup
from plugin.gis.export import layout_export
from plugin.gis.layouts import layout_items
from plugin.gis.pages import page_measurement
from plugin.gis.pages.layout_builder import build_layout
from plugin.gis.pages.page_measurement import PageMeasurement
from plugin.gis.runtime import settings
from tests.pairwise import some
from tests.qgis.algorithm_runs import registered_provider, run
from tests.qgis.print_maps import composed
from tests.qgis.print_maps import pixels as pixels_of
from tests.qgis.test_dock_map import added, choose, dock, few  # noqa: F401

DPI = 72


@pytest.fixture
def provider(qgis_app):
    with registered_provider() as one:
        yield one


def filled_share(layout, path):
    """The share of the map frame on the exported page whose pixels are not white, and whether an edge of it is."""
    image = QImage(str(path))
    assert abs(image.width() - layout.pageCollection().page(0).rect().width() * DPI / 25.4) < 2
    item = layout.itemById(layout_items.MAP)
    corner, size, pixels = item.pos(), item.rect().size(), DPI / 25.4
    # a pixel inside the frame's line
    left, top = round(corner.x() * pixels) + 2, round(corner.y() * pixels) + 2
    right, bottom = (round((corner.x() + size.width()) * pixels) - 2,
                     round((corner.y() + size.height()) * pixels) - 2)
    shown = pixels_of(image)[top:bottom, left:right, :3]
    white = shown.min(axis=2) > 253
    has_margin = any(edge.mean() > 0.5 for edge in (white[:, 0], white[:, -1], white[0], white[-1]))
    return 1 - white.mean(), has_margin


def add_base(dock, wait_until, layers=("relieve",), count=1):  # noqa: F811
    choose(dock, "Despeñaperros")
    endpoint = dock.session.endpoint(dock.view.record)
    dock.session.load_service(endpoint)
    wait_until(lambda: dock.session.services.get(endpoint) is not None, 30)
    dock.map.add(dock.view.record, endpoint, LayerChoice.of_names(layers, MapRole.BASE))
    wait_until(lambda: len(dock.map.items) == count and not dock.map.adding, 30)


@pytest.mark.slow
@pytest.mark.parametrize("orientation", some(Orientation, 2))
def test_the_first_base_fills_the_exported_page(dock, wait_until, tmp_path, orientation):  # noqa: F811
    dock.map.custom_map.change(page=PageSetup("A4", orientation, "guide"))
    dock.map.custom_map.begin()
    add_base(dock, wait_until)
    maps = dock.map
    assert maps.custom_map.extent_mode is ExtentMode.FITTED
    settings.set("export_dpi", DPI)
    dock.composer_controller.exporter.export(layout_export.ExportFormat.PNG, tmp_path / "page.png")
    wait_until(lambda: (tmp_path / "page.png").exists(), 60)
    plan = maps.plan()
    layout = build_layout(maps.project, plan, maps.mirror.qgis_layers(plan))
    share, has_margin = filled_share(layout, tmp_path / "page.png")
    assert share >= 0.97 and not has_margin


def test_adding_and_fitting_are_one_step(dock, wait_until):  # noqa: F811
    maps = dock.composer_controller.map
    before, mode = dock.map.chosen, dock.map.custom_map.extent_mode
    add_base(dock, wait_until)
    dock.composer_controller.refresh_view()
    assert dock.map.chosen.scale and "Despe" in maps.custom_map.history.undo_label
    maps.undo()
    assert not dock.map.stack and not maps.custom_map.history.can_undo
    assert (dock.map.chosen.page, dock.map.custom_map.extent_mode) == (before.page, mode)
    maps.redo()
    wait_until(lambda: len(dock.map.items) == 1 and not dock.map.adding, 30)
    assert dock.map.chosen.scale and dock.map.custom_map.extent_mode is ExtentMode.FITTED


def test_a_base_added_below_an_overlay_is_fitted_too(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY)
    maps, frames = dock.composer_controller.map, dock.composer_controller.page.frame
    former = dock.map.chosen.centre, dock.map.chosen.scale
    assert frames.fitted_state()["scale"] == former[1], "all that the overlay covers is on the page"
    add_base(dock, wait_until, count=2)
    dock.composer_controller.refresh_view()
    assert [item.role for item in dock.map.items] == [MapRole.BASE, MapRole.OVERLAY]
    assert dock.map.custom_map.extent_mode is ExtentMode.FITTED and frames.frame.share > 0.999
    assert dock.composer.page.meter.text() == "Fitted", "no picture says how much is filled"
    maps.undo()
    assert (dock.map.chosen.centre, dock.map.chosen.scale) == former and len(dock.map.items) == 1


def use_as_base(dock, word):  # noqa: F811
    """Choose "Use as base" in the row of the service whose title holds ``word``."""
    number = next(place for place, item in enumerate(dock.map.stack) if word in item.entry.title)
    dock.composer.rows.role_requested.emit(number, MapRole.BASE)
    dock.composer_controller.refresh_view()


def test_a_row_that_is_used_as_base_is_fitted_too(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY)
    added(dock, wait_until, "Despeñaperros", AddMode.AS_OVERLAY, 2)
    dock.composer_controller.refresh_view()
    former = dock.map.chosen.centre, dock.map.chosen.scale
    use_as_base(dock, "Despe")
    assert dock.map.custom_map.extent_mode is ExtentMode.FITTED and dock.map.chosen.scale < former[1]
    assert dock.composer_controller.page.frame.frame.share > 0.999
    assert dock.composer.page.meter.text() == "Fitted", "no picture says how much is filled"
    dock.composer_controller.map.undo()
    assert (dock.map.chosen.centre, dock.map.chosen.scale) == former
    dock.composer_controller.extent.set_scale(25_000.0)
    use_as_base(dock, "Despe")
    assert dock.map.chosen.scale == 25_000, "the person has chosen it"


@pytest.mark.parametrize("way", some(["opened again", "pressed Fit"], 2))
def test_a_page_that_is_fitted_follows_another_base(dock, wait_until, tmp_path, way):  # noqa: F811
    composing = dock.composer_controller
    composing.extent.set_extent(Box(-3.55, 38.35, -3.5, 38.4))
    add_base(dock, wait_until)
    added(dock, wait_until, "quipamientos", AddMode.AS_OVERLAY, 2)
    composing.refresh_view()
    composing.page.frame.fit()
    if way == "opened again":
        path = tmp_path / "fitted.custommap.json"
        composing.documents.save_to(path)
        QgsProject.instance().clear()
        wait_until(lambda: not dock.map.stack)
        composing.documents.open_file(path)
        wait_until(lambda: len(dock.map.items) == 2 and not dock.map.adding, 60)
    composing.refresh_view()
    first = dock.map.chosen.scale
    assert composing.page.frame.frame.share > 0.999
    use_as_base(dock, "quipam")
    assert dock.map.chosen.scale > 5 * first and composing.page.frame.frame.share > 0.999
    use_as_base(dock, "Despe")
    assert dock.map.chosen.scale == first
    composing.extent.set_extent(Box(-3.55, 38.35, -3.5, 38.4))
    placed = dock.map.chosen.extent
    use_as_base(dock, "quipam")
    assert dock.map.chosen.extent == placed and placed is not None


def shown_share(dock, wait_until):  # noqa: F811
    """Percent of the page's map that the window says is drawn, once the picture of the page is there."""
    composing = dock.composer_controller
    composing.page.preview.set_watched(True, 300)
    composing.refresh_view()
    wait_until(lambda: composing.page.preview.drawn_share is not None, 60)
    return int("".join(one for one in dock.composer.page.meter.text() if one.isdigit()))


@pytest.mark.usefixtures("page_picture")
def test_how_much_is_filled_is_said_when_it_is_measured_on_the_picture(dock, wait_until):  # noqa: F811
    add_base(dock, wait_until)
    composing, meter = dock.composer_controller, dock.composer.page.meter
    composing.refresh_view()
    composing.page.preview.set_watched(True, 300)
    assert composing.page.preview.drawn_share is None and meter.text() == "Fitted"
    assert shown_share(dock, wait_until) >= 99
    wait_until(lambda: "Fills" in meter.text())
    composing.map.set_title("Otro título")
    wait_until(lambda: composing.page.preview.is_drawing)
    wait_until(lambda: "Fills" not in meter.text() or not composing.page.preview.is_drawing)
    assert "Fills" not in meter.text(), "what was measured is another page"
    wait_until(lambda: "Fills" in meter.text())


@pytest.mark.slow
@pytest.mark.usefixtures("page_picture")
def test_a_page_that_nobody_placed_fits_every_template_and_the_document_says_so(
        dock, wait_until, tmp_path):  # noqa: F811
    add_base(dock, wait_until)
    composing, page = dock.composer_controller, dock.composer.page
    composing.refresh_view()
    assert page.extent.currentData() is ExtentMode.FITTED
    scales = set()
    for template, paper in (("guide", "A3"), ("leaflet", "A3"), ("guide", "A4")):
        composing.page._set_page(PageSetup(paper, Orientation.LANDSCAPE, template))
        assert shown_share(dock, wait_until) >= 99 and composing.page.frame.frame.share > 0.999
        scales.add(dock.map.chosen.scale)
    assert len(scales) > 1
    turned = next(one for one in Orientation if one is not dock.map.chosen.page.orientation)
    composing.page._set_page(replace(dock.map.chosen.page, orientation=turned))
    assert composing.page.frame.frame.share > 0.999 and dock.map.chosen.page.orientation is turned
    assert page.meter.text().startswith("Fitted") and "fitted" in page.summary.text()
    composing.documents.save_to(tmp_path / "fitted.custommap.json")
    assert json.loads((tmp_path / "fitted.custommap.json").read_text("utf-8"))["fitted"] is True
    composing.extent.set_scale(25_000.0)
    composing.refresh_view()
    assert dock.map.custom_map.extent_mode is ExtentMode.CUSTOM and not page.meter.text().startswith("Fitted")
    composing.documents.save_to(tmp_path / "placed.custommap.json")
    assert "fitted" not in json.loads((tmp_path / "placed.custommap.json").read_text("utf-8"))
    composing.page._set_page(replace(dock.map.chosen.page, paper="A3"))
    assert dock.map.chosen.scale == 25_000, "the person has placed the page"
    page.scale_changed.emit(None)
    assert dock.map.custom_map.extent_mode is ExtentMode.FITTED and dock.map.chosen.scale != 25_000


@pytest.mark.slow
@pytest.mark.usefixtures("page_picture")
def test_the_month_sheet_of_a_series_alone_shows_the_whole_region(dock, wait_until):  # noqa: F811
    added(dock, wait_until, "recipitaci", AddMode.AS_SERIES)
    composing, days = dock.composer_controller, list(dock.map.items[0].layer_ids.values())
    # a few days of it are drawn sooner
    dock.map.project.removeMapLayers(days[3:])
    composing.refresh_view()
    composing.page._set_page(replace(dock.map.chosen.page, template="multiples", paper="A3"))
    composing.refresh_view()
    frame, covered = composing.page.frame.frame, composing.page.frame._base_outline(dock.map.crs())
    assert frame.geometry.buffer(1, 1).contains(covered), "the whole region"
    drawn = shown_share(dock, wait_until)
    assert 20 < drawn < 100 * frame.share + 1, "what the series draws, and not the box around it"


def test_a_month_sheet_that_becomes_a_guide_map_is_fitted_as_one(dock, wait_until):  # noqa: F811
    """With another service small multiples are printed as a guide map, which kept the scale of a small one."""
    added(dock, wait_until, "recipitaci", AddMode.AS_SERIES)
    maps, composing = dock.map, dock.composer_controller
    composing.page._set_page(replace(maps.chosen.page, template="multiples", paper="A3"))
    small = maps.chosen.scale
    few(dock, wait_until, "quipamientos", "overlay", 2)
    assert maps.plan().page.template == "guide" and maps.custom_map.extent_mode is ExtentMode.FITTED
    assert maps.chosen.scale == maps.fit_page(False)["scale"] < small / 2
    maps.set_visible(1, False)
    assert maps.plan().page.template == "multiples" and maps.chosen.scale == small


def test_a_page_that_was_placed_by_hand_stays(dock, wait_until):  # noqa: F811
    dock.composer_controller.extent.set_extent(Box(-3.55, 38.35, -3.5, 38.4))
    placed = dock.map.chosen
    add_base(dock, wait_until)
    assert (dock.map.chosen.extent, dock.map.chosen.scale) == (placed.extent, placed.scale)


def test_another_base_fits_again_until_the_scale_is_chosen(dock, wait_until):  # noqa: F811
    add_base(dock, wait_until)
    maps, first = dock.map, dock.map.chosen.scale
    maps.commit(page=replace(maps.chosen.page, paper="A3"))
    add_base(dock, wait_until, ("relieve", "limite_parque"))
    assert maps.chosen.scale < first and maps.chosen.page.paper == "A3", "the same base on a larger page"
    dock.composer_controller.extent.set_scale(25_000.0)
    add_base(dock, wait_until, ("relieve",))
    assert maps.chosen.scale == 25_000


def test_processing_decides_as_the_window_does(dock, network, provider, wait_until, tmp_path):  # noqa: F811
    add_base(dock, wait_until)
    park_guide = next(path for path in network.records if "guide" in path.name or "guia" in path.name)
    run("buildcustommap", {"FILES": [str(park_guide)], "DOCUMENT": str(tmp_path / "built.custommap.json"),
                           "CRS": dock.map.crs()})
    built = read_document((tmp_path / "built.custommap.json").read_bytes())
    state = dock.map.chosen
    assert (built.page.orientation, built.extent, built.scale) == (state.page.orientation, None, state.scale)
    assert built.centre == pytest.approx(state.centre, abs=1e-4)
    turned = Orientation.PORTRAIT if state.page.orientation is Orientation.LANDSCAPE else Orientation.LANDSCAPE
    run("buildcustommap", {"FILES": [str(park_guide)], "DOCUMENT": str(tmp_path / "turned.custommap.json"),
                           "CRS": dock.map.crs(), "ORIENTATION": turned.value})
    assert json.loads((tmp_path / "turned.custommap.json").read_text("utf-8"))["page"]["orientation"] == turned.value


def test_a_document_without_an_area_fills_its_exported_page(network, tmp_path):
    project = QgsProject()
    made = composed(network, project, extent=None, guide=("relieve",), overlays=())
    assert made.document.scale and made.plan.scale == made.document.scale
    path = tmp_path / "page.png"
    layout_export.export_layouts(made.layout, path, layout_export.ExportFormat.PNG, layout_export.ExportOptions(DPI))
    share, has_margin = filled_share(made.layout, path)
    assert share >= 0.97 and not has_margin
    project.clear()


def test_a_stated_area_or_scale_is_kept(network):
    project = QgsProject()
    stated = MapExtent(-3.55, 38.35, -3.5, 38.4)
    assert composed(network, project, extent=stated).document.extent == stated
    project.clear()
    kept = composed(network, project, extent=None, scale=60_000.0)
    assert kept.document.scale == 60_000 and kept.document.centre is None
    project.clear()


def test_a_page_loaded_in_short_steps_is_measured_both_ways_without_being_loaded_again(project, monkeypatch):
    measurement, page = PageMeasurement(project), PageSetup()
    steps = list(measurement.preload(page, True, both_ways=True))
    assert len(steps) > 10, "the window responds between two of them"
    monkeypatch.setattr(page_measurement, "loading_steps", None)
    upright = replace(page, orientation=Orientation.PORTRAIT)
    (width, height), (turned_width, turned_height) = measurement.map_size(page), measurement.map_size(upright)
    assert turned_width < width and turned_height > height

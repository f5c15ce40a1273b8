"""The gallery of layout templates: small pages of the map that is composed, of which one is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from qgis.PyQt import sip
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QRegion

from plugin.core.custommap.model import Orientation, PageSetup
from plugin.core.pages.leaflet import LeafletTexts, TableSource
from plugin.gis.layouts import templates
from tests.qgis.print_maps import colours
from tests.qgis.test_dock_map import dock  # noqa: F401
from tests.qgis.test_page_fit import add_base


@pytest.fixture
def gallery(dock, wait_until):  # noqa: F811
    """The gallery of a map with a base."""
    add_base(dock, wait_until)
    dock.map.commit(page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    dock.composer_controller.refresh_view()
    dock.composer.page.gallery.click()
    shown = dock.composer_controller.page.gallery
    yield shown
    if not sip.isdeleted(shown):
        shown.close()


def names(gallery):
    return [item.data(Qt.ItemDataRole.UserRole).template.name for item in gallery._items()]


def test_a_template_is_chosen_by_a_click_or_by_keys_and_undone(dock, gallery, wait_until, qtbot):  # noqa: F811
    controller, maps = dock.composer_controller.page.template_pages, dock.composer_controller.map
    wait_until(lambda: gallery.list.count(), 30)
    row = names(gallery).index("sheet")
    place = gallery.list.visualItemRect(gallery._items()[row]).center()
    qtbot.mouseClick(gallery.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert dock.map.chosen.page.template == "sheet"
    dock.composer_controller.refresh_view()
    assert "✓" in gallery._items()[row].text() and "✓" not in gallery._items()[0].text()
    maps.undo()
    assert dock.map.chosen.page == PageSetup("A4", Orientation.LANDSCAPE, "guide")
    dock.composer_controller.refresh_view()
    gallery.list.setCurrentRow(0)
    for _ in range(row):
        qtbot.keyClick(gallery.list, Qt.Key.Key_Right)
    qtbot.keyClick(gallery.list, Qt.Key.Key_Return)
    assert dock.map.chosen.page.template == "sheet"
    assert controller.is_drawing, "the newest state is drawn"


def test_nothing_is_drawn_while_the_gallery_is_closed(dock, gallery, wait_until):  # noqa: F811
    controller = dock.composer_controller.page.template_pages
    wait_until(lambda: gallery.list.count(), 30)
    gallery.close()
    assert not controller.is_drawing
    dock.map.set_title("Unseen")
    assert not controller.is_drawing
    wait_until(lambda: dock.composer_controller.page.gallery is None, 10)
    dock.composer.page.gallery.click()
    assert controller.is_drawing


def test_the_page_that_is_chosen_keeps_its_colours(dock, gallery, wait_until):  # noqa: F811
    controller = dock.composer_controller.page.template_pages
    wait_until(lambda: gallery.list.count() and not controller.is_drawing, 60)
    place = gallery.list.visualItemRect(gallery._items()[0])
    place.setHeight(place.height() // 3)

    def picture(row):
        gallery.list.setCurrentRow(row)
        return gallery.list.viewport().grab(place.adjusted(60, 20, -60, 0)).toImage()

    assert picture(0) == picture(1)


def test_no_picture_of_another_shape_stays_below_the_words_of_its_page(dock, gallery, wait_until):  # noqa: F811
    controller = dock.composer_controller.page.template_pages
    wait_until(lambda: {"guide", "sheet"} <= controller._drawn, 120)
    guide = names(gallery).index("guide")
    assert "landscape" in gallery._items()[guide].text() and colours(picture_in(gallery, guide), 1) > 20
    controller.pages_changed.connect(lambda _pages: controller._end_drawing())
    controller.pages_changed.connect(lambda _pages: controller._waiting.clear())
    dock.map.commit(page=PageSetup("A4", Orientation.PORTRAIT, "guide"))
    wait_until(lambda: "portrait" in gallery._items()[guide].text(), 30)
    picture = picture_in(gallery, guide)
    assert picture.height() > picture.width(), "its caption says portrait"
    assert "guide" not in controller._drawn, "what has come of it is shown soon"


def picture_in(gallery, row):
    """The page in the square of an icon."""
    icon = gallery._items()[row].icon().pixmap(gallery.list.iconSize())
    return icon.copy(QRegion(icon.mask()).boundingRect()).toImage()


@pytest.mark.slow
@pytest.mark.usefixtures("page_picture")
def test_each_template_shows_the_persons_own_map_with_one_image_of_each_layer(dock, network,  # noqa: F811
                                                                             wait_until):
    layers = ("relieve", "limite_parque")
    add_base(dock, wait_until, layers)
    dock.map.commit(page=PageSetup("A4", Orientation.LANDSCAPE, "guide"))
    dock.composer_controller.refresh_view()
    wait_until(lambda: not dock.composer_controller.page.preview.is_drawing, 60)
    network.reset()
    drawn = {}
    controller = dock.composer_controller.page.template_pages
    controller.picture_changed.connect(lambda name, picture: drawn.update({name: picture}))
    dock.composer.page.gallery.click()
    wait_until(lambda: drawn and not controller.is_drawing, 120)
    gallery = dock.composer_controller.page.gallery
    assert names(gallery) == [template.name for template in templates.all_templates()]
    assert set(drawn) == set(names(gallery)) - {"multiples", "leaflet"}, "the map lacks something for these"
    assert gallery._items()[0].text() == "Guide map\nA4 landscape ✓"
    assert gallery._items()[0].data(Qt.ItemDataRole.AccessibleTextRole) == "Guide map, A4 landscape, chosen"
    gallery.close()
    assert network.count("GetMap") == len(layers), "all templates share it"
    assert network.count("GetStyles") == 0, "the picture of the page has the styles of the legends"
    # the relief is on every page
    assert all(picture.is_complete and colours(picture.image, 1) > 100 for picture in drawn.values())


def test_a_template_that_the_map_lacks_something_for_says_what_and_is_not_chosen(dock, gallery, wait_until,  # noqa: F811
                                                                                 qtbot):
    wait_until(lambda: gallery.list.count(), 30)

    def item():
        return gallery._items()[names(gallery).index("leaflet")]

    def says():
        return item().data(Qt.ItemDataRole.AccessibleDescriptionRole)

    def click():
        qtbot.mouseClick(gallery.list.viewport(), Qt.MouseButton.LeftButton,
                         pos=gallery.list.visualItemRect(item()).center())

    assert "needs a text for visitors" in says() and "Texts of the leaflet" in says() and item().toolTip()
    grey = picture_in(gallery, names(gallery).index("leaflet")).pixelColor(4, 4)
    assert 220 < grey.lightness() < 245, "no picture of a page that would not be printed"
    click()
    assert dock.map.chosen.page.template == "guide"
    texts = LeafletTexts("Un parque.", table=(TableSource(dock.map.chosen.base.endpoint, "senderos"),))
    dock.map.commit(page=replace(dock.map.chosen.page, leaflet=texts))
    wait_until(lambda: not says(), 30)
    click()
    assert dock.map.chosen.page.template == dock.map.plan().page.template == "leaflet"
    dock.map.commit(page=replace(dock.map.chosen.page, leaflet=replace(texts, table=())))
    assert dock.map.plan().page.template == "guide"

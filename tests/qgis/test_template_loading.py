"""A template that is loaded a few items at a time is the one that QGIS loads at once."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest
from qgis.core import (
    QgsLayoutFrame,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemMapOverview,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsProject,
    QgsReadWriteContext,
)
from qgis.PyQt.QtXml import QDomDocument

from plugin.gis.layouts import layout_items, template_loading, templates
from tests.pairwise import some

BUNDLED = sorted(templates.BUNDLED_FOLDER.glob("*.qpt"))


@pytest.fixture
def at_once(project, monkeypatch):
    """Loads a template at once, as QGIS does."""
    def load(path):
        with monkeypatch.context() as changed:
            changed.setattr(template_loading, "_take_parts", lambda document: [])
            return template_loading.load_template(project, path)

    return load


def in_parts(path):
    """The layout of a template, and the number of pauses while it was loaded."""
    steps, pauses = template_loading.loading_steps(QgsProject.instance(), path), 0
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value, pauses
        pauses += 1


def items_of(layout):
    """All items from the lowest to the topmost, and those of the same height in the order of drawing."""
    return sorted(layout_items.items_of_type(layout, QgsLayoutItem), key=lambda item: (
        item.zValue(), item.type(), item.id(), item.pos().x(), item.pos().y()))


def written(layout):
    """All that is saved of a layout, with the items' places in the list above instead of their random names."""
    document = QDomDocument()
    document.appendChild(layout.writeXml(document, QgsReadWriteContext()))
    places = {item.uuid(): f"item {place}" for place, item in enumerate(items_of(layout))}
    places.update({table.uuid(): f"table {place}" for place, table in enumerate(layout.multiFrames())})
    text = re.sub(r"\{[0-9a-f-]{36}\}", lambda found: places.get(found.group(), "nothing"), document.toString())
    # QGIS leaves a table's former name in its frames, where nothing has it. ``drawn`` compares the table itself
    text = re.sub(r' multiFrame(TemplateUuid)?="[^"]*"', "", text)
    root = ElementTree.fromstring(text)
    return sorted(ElementTree.canonicalize(ElementTree.tostring(child, encoding="unicode")) for child in root), \
        dict(root.attrib)


def drawn(layout):
    """What the items are now: kind, id, height, place, size, page, linked map, text, table, picture, group."""
    items = items_of(layout)
    maps = {item.uuid(): place for place, item in enumerate(items)}

    def link(item):
        if isinstance(item, (QgsLayoutItemLegend, QgsLayoutItemPicture, QgsLayoutItemScaleBar)):
            return maps[item.linkedMap().uuid()] if item.linkedMap() is not None else None
        if isinstance(item, QgsLayoutItemMap):
            return [maps[view.linkedMap().uuid()] if view.linkedMap() is not None else None
                    for view in item.overviews().asList()]
        if isinstance(item, QgsLayoutFrame):
            table = item.multiFrame()
            return table is not None and (layout.multiFrames().index(table), table.frameIndex(item))
        return item.text() if isinstance(item, QgsLayoutItemLabel) else None

    return [(item.type(), item.id(), item.zValue(), item.rect(), item.pos(), item.page(), item.isVisible(),
             item.itemRotation(), maps[item.parentGroup().uuid()] if item.parentGroup() else None,
             item.picturePath() if isinstance(item, QgsLayoutItemPicture) else None, link(item)) for item in items]


def assert_same(layout, other):
    assert drawn(layout) == drawn(other)
    assert written(layout) == written(other)
    model, others = layout.itemsModel(), other.itemsModel()
    assert [model.index(row, 2).data() for row in range(model.rowCount())] == [
        others.index(row, 2).data() for row in range(others.rowCount())]
    assert layout.undoStack().stack().count() == other.undoStack().stack().count()
    assert len({item.uuid() for item in items_of(layout)} | {item.uuid() for item in items_of(other)}) == 2 * len(
        items_of(layout)), "each layout has names of its own"


@pytest.mark.parametrize("path", some(BUNDLED, 4), ids=lambda path: path.stem)
def test_a_bundled_template_is_the_same_in_parts(at_once, path):
    layout, pauses = in_parts(path)
    assert pauses > len(items_of(layout)) / template_loading._ITEMS_AT_A_TIME, "it was loaded in parts"
    assert_same(layout, at_once(path))
    assert all(item.multiFrame() is not None for item in layout_items.items_of_type(layout, QgsLayoutFrame))
    linked = [item.linkedMap() for kind in (QgsLayoutItemScaleBar, QgsLayoutItemLegend)
              for item in layout_items.items_of_type(layout, kind)]
    assert linked and all(one is not None for one in linked), "links to maps are followed"


def own_template(layout, folder, change=lambda text: text):
    path = folder / "own.qpt"
    assert layout.saveAsTemplate(str(path), QgsReadWriteContext())
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    return path


def test_groups_and_items_at_one_height_are_the_same(at_once, tmp_path):
    path = templates.BUNDLED_FOLDER / "sheet-A4-portrait.qpt"
    for change in (lambda text: text, lambda text: re.sub(r'zValue="\d+"', 'zValue="4"', text),
                   lambda text: re.sub(r' templateUuid="[^"]*"', "", text),
                   lambda text: re.sub(r' uuid="[^"]*"', "", text)):
        layout = at_once(path)
        group = layout.groupItems([layout.itemById(name) for name in ("title", "subtitle", "north_arrow")])
        group.setId("group")
        own = own_template(layout, tmp_path, change)
        assert_same(in_parts(own)[0], at_once(own))
    assert layout_items.items_of_type(in_parts(own)[0], QgsLayoutItem)


def test_a_map_may_lie_below_those_that_show_its_area(at_once, tmp_path):
    layout = at_once(templates.BUNDLED_FOLDER / "multiples-A4-landscape.qpt")
    first, *others = layout_items.map_items(layout)
    for number, item in enumerate(others):
        item.overviews().addOverview(view := QgsLayoutItemMapOverview("area", item))
        view.setLinkedMap(others[number + 1] if number + 1 < len(others) else first)
    own = own_template(layout, tmp_path)
    made, pauses = in_parts(own)
    assert pauses > 10
    assert_same(made, at_once(own))
    views = [view for item in layout_items.map_items(made) for view in item.overviews().asList()]
    assert len(views) == len(others) and all(view.linkedMap() is not None for view in views)

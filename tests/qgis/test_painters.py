"""Painters of widgets end with their paint event, also where something holds the variables of its frame."""

from __future__ import annotations

import re
import sys

import pytest
from qgis.PyQt.QtGui import QColor, QImage, QPainter

from plugin.ui.composer.page_picture_view import PagePictureView
from plugin.ui.widgets.labels import ElidedLabel, LimitedLabel
from plugin.ui.widgets.map_preview import MapPreview


class HeldFrames:
    """Context that holds the frames of all paint events, as a traceback, a debugger or a profiler does."""

    def __enter__(self):
        self.painters = []
        sys.setprofile(self._note)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)

    def _note(self, frame, event, _argument):
        if event == "return" and frame.f_code.co_name == "paintEvent":
            self.painters += [value for value in frame.f_locals.values() if isinstance(value, QPainter)]


def image():
    made = QImage(20, 20, QImage.Format.Format_RGB32)
    made.fill(QColor("red"))
    return made


def preview(picture=None):
    made = MapPreview()
    made.image = picture
    return made


@pytest.mark.parametrize("make", (lambda: ElidedLabel("one"), lambda: LimitedLabel("one two"), preview,
                                  lambda: preview(image()), PagePictureView))
def test_a_painter_ends_with_its_paint_event(qtbot, make):
    widget = make()
    qtbot.addWidget(widget)
    widget.resize(200, 100)
    with HeldFrames() as held:
        widget.grab()
    assert held.painters and not any(painter.isActive() for painter in held.painters)


def test_a_preview_has_no_white_margins_where_the_data_of_a_service_end(qtbot):
    made, shown = preview(), QImage(360, 110, QImage.Format.Format_RGB32)
    shown.fill(QColor("white"))
    for x in range(120, 240):
        for y in range(110):
            shown.setPixelColor(x, y, QColor(10 * (x % 20), 100, 100))
    qtbot.addWidget(made)
    made.resize(372, 114)
    ground = made.grab().toImage().pixelColor(2, 2)
    made.show_state("loaded", "", shown)
    picture = made.grab().toImage()
    assert picture.pixelColor(60, 57) == ground and picture.pixelColor(186, 57) not in (ground, QColor("white"))


def test_painters_of_widgets_are_made_in_one_place(repository):
    found = {path.name for path in (repository / "plugin" / "ui").rglob("*.py")
             if re.search(r"QPainter\((?:self|device)", path.read_text("utf-8"))}
    assert found == {"theme.py"}

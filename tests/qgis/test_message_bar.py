"""The plugin's messages in QGIS's message bar, which lays all of them out again for each new one."""

from __future__ import annotations

import pytest
from qgis.gui import QgsMessageBar
from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import QTextBrowser, QWidget

from plugin.core.errors import CartoguideError
from plugin.ui.widgets.messages import InlineMessage, Messages


@pytest.fixture
def bar(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 300)
    bar = QgsMessageBar(window)
    bar.inline = InlineMessage(window)
    window.show()
    yield bar
    assert not sip.isdeleted(window)


def texts(bar):
    return [item.text() for item in bar.items()]


def test_messages_that_stay_do_not_pile_up_and_those_of_others_stay(bar, qtbot):
    messages = Messages(bar, bar.inline)
    bar.pushWarning("Another plugin", "Theirs.")
    for number in range(25):
        messages.show_warning(f"Warning {number}.", "detail")
        messages.show_error(CartoguideError(f"Error {number}."))
        messages.notify(f"Done {number}.", "Undo", lambda: None)
    shown = texts(bar)
    assert "Theirs." in shown
    assert bar.currentItem().text() == "Done 24."
    assert {"Done 24.", "Error 24.", "Warning 24."} <= set(shown), "the newest stay"
    assert len(shown) <= 11
    messages.clear()
    assert texts(bar) == ["Theirs."]


def test_an_export_is_reported_until_the_person_has_seen_it(bar, monkeypatch):
    messages, shown = Messages(bar, bar.inline), []
    push = bar.pushWidget
    monkeypatch.setattr(bar, "pushWidget", lambda item, level, seconds: (shown.append(seconds), push(item, level)))
    messages.notify("11 layers added.")
    messages.notify("Exported as map.pdf.", "Open", lambda: None, stays=True)
    assert shown == [6, 0]


def test_a_long_message_is_read_whole(bar, qtbot):
    """QGIS gives a message one line and a half."""
    text = "12 records read. " * 10
    Messages(bar, bar.inline).show_warning(text.strip(), "detail")
    bar.resize(600, bar.sizeHint().height())
    browser = bar.currentItem().findChild(QTextBrowser)
    one_line = browser.fontMetrics().lineSpacing()
    qtbot.waitUntil(lambda: browser.height() > 3 * one_line)
    assert browser.viewport().height() >= browser.document().size().height()
    assert not browser.verticalScrollBar().isVisible()
    Messages(bar, bar.inline).show_warning(text * 20)
    browser = bar.currentItem().findChild(QTextBrowser)
    qtbot.waitUntil(lambda: browser.height() > 3 * one_line)
    assert browser.height() < 9 * one_line, "the canvas stays in sight"


def test_what_made_room_is_in_qgiss_log(bar, qgis_app):
    logged = []

    def note(text, _tag, _level):
        logged.append(text)

    qgis_app.messageLog().messageReceived.connect(note)
    try:
        messages = Messages(bar, bar.inline)
        for number in range(30):
            messages.show_warning(f"Warning {number}.")
    finally:
        qgis_app.messageLog().messageReceived.disconnect(note)
    assert len(texts(bar)) < 30
    assert all(any(f"Warning {number}." in text for text in logged) for number in range(30))


def test_closing_a_message_that_made_room_does_no_harm(bar):
    messages = Messages(bar, bar.inline)
    closes = [messages.notify(f"Done {number}.") for number in range(30)]
    for close in closes:
        close()
    assert texts(bar) == []

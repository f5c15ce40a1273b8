"""The plugin's messages in QGIS's message bar, which lays all of them out again for each new one."""

from __future__ import annotations

import pytest
from qgis.gui import QgsMessageBar
from qgis.PyQt import sip
from qgis.PyQt.QtWidgets import QPushButton, QTextBrowser, QWidget

from plugin.app.window import MessageAction
from plugin.core.errors import CartoguideError
from plugin.ui.widgets.labels import PlainLabel
from plugin.ui.widgets.messages import DetailsDialog, InlineMessage, Messages
from tests.qgis.qgis_window import settle


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


def test_the_details_of_a_second_message_take_the_place_of_those_of_the_first(bar, qtbot):
    messages = Messages(bar, bar.inline)
    for text in ("First.", "Second."):
        messages.show_warning(text, f"Detail of {text}")
        next(button for button in bar.currentItem().findChildren(QPushButton) if button.text() == "Details…").click()
    settle()
    shown = [dialog for dialog in bar.inline.findChildren(DetailsDialog) if dialog.isVisible()]
    assert [dialog.findChild(PlainLabel).text() for dialog in shown] == ["Second."]


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


def assert_whole_text_is_visible(browser):
    """Assert that nothing of the text is scrolled away or cut, and that no empty line is below it."""
    text, view, line = browser.document().size(), browser.viewport(), browser.fontMetrics().lineSpacing()
    assert browser.horizontalScrollBar().maximum() == 0, "nothing is scrolled sideways"
    assert browser.verticalScrollBar().maximum() == 0, "nothing is scrolled"
    assert not browser.horizontalScrollBar().isVisible() and not browser.verticalScrollBar().isVisible()
    assert text.width() <= view.width() and text.height() <= view.height()
    # QGIS leaves a message a line and a half at least
    assert view.height() < max(text.height(), 2 * line) + line


@pytest.mark.parametrize("text", ["Removed.", "12 records of the catalogue were read. " * 3], ids=["short", "long"])
def test_a_message_is_whole_when_the_bar_becomes_narrow_and_wide_again(bar, qtbot, text):
    Messages(bar, bar.inline).notify(text.strip(), "Undo", lambda: None)
    browser = bar.currentItem().findChild(QTextBrowser)
    heights = []
    for width in (600, 440, 900, 480, 600):
        for _ in range(2):
            # QGIS's bar becomes as high as its message
            bar.resize(width, bar.sizeHint().height())
            settle()
        assert_whole_text_is_visible(browser)
        heights.append(browser.height())
    assert heights[0] == heights[-1]


def test_a_message_that_was_scrolled_in_a_narrow_bar_is_whole_in_a_wide_one(bar, qtbot):
    Messages(bar, bar.inline).show_warning("12 records of the catalogue were read. " * 8)
    browser = bar.currentItem().findChild(QTextBrowser)
    for width in (300, 900):
        for _ in range(2):
            bar.resize(width, bar.sizeHint().height())
            settle()
        assert browser.verticalScrollBar().isVisible() == (width == 300)
    assert_whole_text_is_visible(browser)


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


def test_a_message_goes_with_its_cause_and_none_stands_twice(bar):
    messages = Messages(bar, bar.inline)
    of_map, undone = messages.part(), []
    error = CartoguideError("The server does not respond.")
    messages.show_error(error)
    messages.show_error(error)
    of_map.notify("Removed.", "Undo", lambda: undone.append(1))
    of_map.show_warning("One layer is missing.", "detail")
    assert texts(bar) == ["One layer is missing.", "Removed.", "The server does not respond."]
    item = next(item for item in bar.items() if item.text() == "Removed.")
    item.findChild(QPushButton).click()
    assert undone == [1] and "Removed." not in texts(bar), "it cannot be undone twice"
    of_map.clear()
    assert texts(bar) == ["The server does not respond."]
    messages.withdraw(error)
    assert texts(bar) == []


def test_a_message_with_many_remedies_takes_no_width_from_the_docks(bar):
    messages, ran = Messages(bar, bar.inline), []
    labels = ["Usar la dirección del registro en todos", "Mostrar la instantánea", "Reintentar", "Dejarlos fuera"]
    actions = [MessageAction(label, lambda label=label: ran.append(label)) for label in labels]
    bar.parentWidget().resize(2000, 400)
    messages.show_warning_with_actions("Two services are missing.", actions, "detail")
    buttons = bar.currentItem().findChildren(QPushButton)
    assert [button.text() for button in buttons] == [*labels[:2], "More"]
    offered = buttons[-1].menu().actions()
    assert [action.text() for action in offered] == [*labels[2:], "Details…"]
    offered[0].trigger()
    assert ran == ["Reintentar"] and texts(bar) == []
    # a menu with one entry says less than its button
    bar.parentWidget().resize(820, 400)
    messages.show_warning_with_actions("Two services are missing.", actions[:2])
    assert [button.text() for button in bar.currentItem().findChildren(QPushButton)] == labels[:2]
    # large type, or a narrow window
    bar.parentWidget().resize(500, 400)
    messages.show_warning_with_actions("Two services are missing.", actions[:2])
    assert [button.text() for button in bar.currentItem().findChildren(QPushButton)] == [labels[0], "More"]


@pytest.mark.parametrize("width", [620, 744, 1100])
def test_a_message_wishes_for_no_more_width_than_there_is_and_its_text_has_most_of_it(bar, qtbot, width):
    """QGIS's window narrows its docks where the bar wishes for more."""
    bar.parentWidget().resize(width, 400)
    bar.resize(width, 100)
    bar.pushWarning("Another plugin", "Theirs.")
    text = "127.0.0.1:18499 refuses connections. 3 services missing: “Mapa guía”, “Precipitación total diari…”…"
    Messages(bar, bar.inline).show_warning_with_actions(text, [
        MessageAction(label, lambda: None)
        for label in ("Use the record's address for all", "Try again", "Leave them out")], "detail")
    settle()
    assert bar.sizeHint().width() <= width
    browser = bar.currentItem().findChild(QTextBrowser)
    buttons = bar.currentItem().findChildren(QPushButton)
    assert browser.width() >= width - sum(map(QWidget.width, buttons)) - 200, "the icon takes nothing of it"
    assert width < 700 or browser.width() > width / 4
    assert buttons[0].text() == "Use the record's address for all"


def test_the_frame_in_the_dock_closes_only_the_message_that_it_shows(bar):
    messages = Messages(None, bar.inline)
    close = messages.notify("Saved.")
    of_map = messages.part()
    of_map.show_warning("One layer is missing.")
    close()
    assert not bar.inline.isHidden() and bar.inline.text_label.text() == "One layer is missing."
    of_map.clear()
    assert bar.inline.isHidden()


@pytest.mark.parametrize("has_bar", [True, False], ids=["bar", "frame"])
def test_what_was_not_added_is_known_until_its_message_is_closed(bar, qtbot, has_bar):
    messages = Messages(bar if has_bar else None, bar.inline)
    messages.show_error(CartoguideError("The server does not respond."), not_added="Rain")
    messages.show_error(CartoguideError("“Snow” cannot be read."), not_added="Snow")
    assert messages.not_added() == ["Rain", "Snow"], "also of a message that another one lies on"
    if has_bar:
        bar.popWidget()
    else:
        bar.inline._close.click()
    qtbot.waitUntil(lambda: messages.not_added() == ["Rain"])
    messages.clear()
    assert not messages.not_added()

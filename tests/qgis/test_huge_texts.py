"""Records with texts of a megabyte in the dock: nothing crashes, the window is not held, each text begins as it does.

The texts are read and laid out in part: what a window shows is bounded. The whole text is in the XML tab.
"""

from __future__ import annotations

import time

import pytest
from lxml import etree
from qgis.PyQt.QtCore import QTimer

from plugin.core.records import read
from plugin.core.terms.clauses import MAX_TEXT
from plugin.gis.library import record_library
from plugin.gis.runtime.terms import terms_for
from plugin.ui.widgets.labels import LimitedLabel, PlainLabel, wrap_lines
from plugin.ui.widgets.rich_text import MAX_HTML_LENGTH, truncate_html
from tests.pairwise import ALL
from tests.slowness import LoopWatch

GMD = "{http://www.isotc211.org/2005/gmd}"
TERMS = "Uso libre citando la fuente: «Consejería de Medio Ambiente, 2014». No se permite el uso comercial. "
TEXTS = {"words": "palabra " * 130_000, "lines": "una línea\n" * 100_000, "one word": "a" * 1_000_000,
         "paragraphs": "un párrafo\n\n" * 80_000, "terms": TERMS * 10_000}
FIELDS = ("abstract", "useLimitation", "title", "keyword", "organisationName", "otherConstraints")
#: seconds in one piece that tell a text that is not bounded (3 s and more) from a busy machine
HELD = 1.5


@pytest.fixture(params=TEXTS if ALL else ["one word", "terms"])
def record(request, repository, tmp_path):
    """A file with a record whose texts are all huge."""
    tree = etree.parse(str(repository / "resources" / "records" / "park-guide.xml"))
    for field in FIELDS:
        element = next(tree.getroot().iter(GMD + field))
        for text in element.iter("{http://www.isotc211.org/2005/gco}CharacterString"):
            text.text = TEXTS[request.param]
    for address in tree.getroot().iter(GMD + "URL"):
        address.text = "http://127.0.0.1:1/wms?"
    next(tree.getroot().iter(GMD + "fileIdentifier"))[0].text = "huge"
    path = tmp_path / "huge.xml"
    path.write_bytes(etree.tostring(tree, encoding="UTF-8", xml_declaration=True))
    return path


@pytest.mark.slow
def test_the_window_is_not_held_by_texts_of_a_megabyte(open_dock, wait_until, record):
    dock = open_dock()
    for number in range(dock.view.tabs.count()):  # what is loaded and drawn once
        dock.view.tabs.setCurrentIndex(number)
    watch, beat, holds = LoopWatch(0.005), QTimer(), {}
    beat.timeout.connect(watch.tick)
    beat.start(5)

    def step(name, act, until=lambda: True):
        watch.start()
        act()
        wait_until(until)
        end = time.monotonic() + 0.2
        wait_until(lambda: time.monotonic() > end)
        holds[name] = round(watch.longest, 3)

    step("open", lambda: dock.session.open_paths([str(record)]),
         lambda: not dock.session.loading and dock.view.record is not None and dock.view.record.id == "huge")
    step("page", dock.pages.open_record)
    tabs = dock.view.tabs
    for number in (*range(1, tabs.count()), 0):
        step(tabs.tabText(number), lambda number=number: tabs.setCurrentIndex(number))
    step("width", lambda: dock.resize(500, 700))
    step("list", dock.pages.focus_list)
    beat.stop()
    print("held", holds)
    text = dock.view.record.abstract[:60].split("\n")[0]
    assert text in dock.view.overview.toPlainText() and text in dock.view.metadata.toPlainText()
    assert dock.view.header.title.text().startswith(text)
    assert text[:40] in dock.view.terms.fields.text()
    assert {name: held for name, held in holds.items() if held > HELD} == {}


def test_what_a_thread_has_read_the_window_does_not_read_again(repository, record, monkeypatch):
    from plugin.core.terms import reading

    found = read(record.read_bytes(), "huge")[0]
    assert len(found.use_limitations[0]) > MAX_TEXT
    record_library._read_long_terms(found)
    monkeypatch.setattr(reading, "split_clauses", lambda text: pytest.fail("read again"))
    assert terms_for(found).undecided


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_label_shows_the_beginning(qgis_app, qtbot, text):
    assert len(wrap_lines(text, qgis_app.font(), 300, 2)) <= 2
    for label in (PlainLabel(text), LimitedLabel(text)):
        qtbot.addWidget(label)
        label.show()
        label.grab()
        assert label.text()[:50] == text[:50] and len(label.text()) <= 20_000


@pytest.mark.parametrize("html", ["<p>" + "a&amp;b " * 200_000 + "</p>", "<p>" + "a" * 1_000_000 + "</p>",
                                  "<p>" + '<a href="https://a.example/">a</a> ' * 30_000 + "</p>"])
def test_html_of_one_paragraph_is_cut_between_words_of_html(html):
    cut = truncate_html(html)
    whole, _, note = cut.rpartition("<p>")
    assert "XML tab" in note and MAX_HTML_LENGTH * 0.9 < len(whole) <= MAX_HTML_LENGTH
    assert whole.rfind("<") <= whole.rfind(">") and "&" not in whole[-6:].rpartition(";")[2]

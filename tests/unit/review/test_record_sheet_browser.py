"""The record sheet in a real browser: its script runs under its policy, in every window, and nothing is fetched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plugin.core.records.model.record import Extent, OnlineResource, Overview, Record
from plugin.core.review.report.record_sheet import sheet_html
from plugin.core.terms import terms_for
from tests.chromium import PROGRAM, ChromiumPage

pytestmark = [pytest.mark.timeout(240), pytest.mark.skipif(PROGRAM is None, reason="Chromium is not installed")]

RECORDS = [
    Record("x", title=title, use_limitations=(f"CC BY 4.0. © {title}",), extents=(Extent(-7, -2, 36, 38),),
           date_stamp=date, overviews=(Overview("https://x.example/a.png"),),
           online=(OnlineResource("https://x.example/" + "very-long-address/" * 12, name="<img src=x>"),))
    for title, date in (("Zonas de agua", "2020-02-01"), ("Ámbito 10", None), ("Ámbito 9", "2021-03-01"))]


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with ChromiumPage(tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture
def page(browser, tmp_path):
    """The sheet of the records, opened."""
    (tmp_path / "sheet.html").write_text(sheet_html([(record, terms_for(record)) for record in RECORDS]), "utf-8")
    browser.show(1366, 768)
    browser.open(tmp_path / "sheet.html")
    return browser


def titles(page):
    return page.run("[...document.querySelectorAll('#records tr')].filter(row => !row.hidden)"
                    ".map(row => row.cells[0].innerText)")


def sort_states(page):
    return page.run("[...document.querySelectorAll('thead th')].map(h => h.getAttribute('aria-sort'))")


def test_nothing_is_refused_by_the_policy_and_nothing_is_fetched(page):
    requests = [event["params"]["request"]["url"] for event in page.events
                if event.get("method") == "Network.requestWillBeSent"]
    assert [url for url in requests if not url.startswith("file:")] == []
    refused = ("Log.entryAdded", "Runtime.exceptionThrown")
    assert [event for event in page.events if event.get("method") in refused] == []


def test_a_script_that_got_into_the_page_all_the_same_would_not_run(browser, tmp_path):
    text = sheet_html([(record, terms_for(record)) for record in RECORDS])
    evil = ('<script>window.evil = 1</script><img src="data:image/png;base64,x" onerror="window.evil = 2">'
            '<img src="https://x.example/a.png"><style>body { display: none }</style>'
            '<button id="foreign" onclick="window.evil = 3">x</button><p style="display: none" id="styled">x</p>')
    (tmp_path / "sheet.html").write_text(text.replace("<main>", f"<main>{evil}"), "utf-8")
    browser.open(tmp_path / "sheet.html")
    browser.click("#foreign")
    assert browser.run("[window.evil, getComputedStyle(document.body).display, "
                       "getComputedStyle(document.getElementById('styled')).display].join()") == ",block,block"
    planned = {event["params"]["requestId"] for event in browser.events
               if event.get("method") == "Network.requestWillBeSent"
               and event["params"]["request"]["url"].startswith("http")}
    refused = {event["params"]["requestId"] for event in browser.events
               if event.get("method") == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp"}
    assert planned and planned == refused
    assert titles(browser) == ["Ámbito 9", "Ámbito 10", "Zonas de agua"]


def test_the_credit_is_copied(page):
    page.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.click("#record-2 .copy")
    assert page.run("new Promise(done => setTimeout(() => navigator.clipboard.readText().then(done), 200))") == \
        page.run("document.querySelector('#record-2 .line').innerText")
    assert page.run("document.querySelector('#record-2 .copied').textContent") == "Copied."


def test_where_the_clipboard_is_closed_the_credit_is_marked(page):
    page.run("document.execCommand = () => false; "
             "Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#record-1 .copy")
    assert page.run("new Promise(done => setTimeout(() => done(getSelection().toString()), 100))") == \
        page.run("document.querySelector('#record-1 .line').innerText")
    assert "Ctrl+C" in page.run("document.querySelector('#record-1 .copied').textContent")


def test_the_list_is_sorted_by_its_headings_with_the_keyboard_too(page):
    assert titles(page) == ["Ámbito 9", "Ámbito 10", "Zonas de agua"]
    page.click("thead th:first-child button")
    assert titles(page) == ["Zonas de agua", "Ámbito 10", "Ámbito 9"]
    assert sort_states(page) == ["descending", None, None, None, None, None]
    page.run("document.querySelector('thead th:last-child button').focus()")
    page.press("Enter", 13, "\r")
    assert titles(page) == ["Zonas de agua", "Ámbito 9", "Ámbito 10"], "a record without a date is the last"
    page.press("Enter", 13, "\r")
    assert titles(page) == ["Ámbito 9", "Zonas de agua", "Ámbito 10"], "also in the other direction"
    assert sort_states(page)[5] == "descending"


def test_the_list_is_filtered_as_one_types_without_regard_to_accents_and_case(page):
    assert page.run("document.getElementById('shown').innerText") == "3 of 3 records shown"
    page.click("#filter")
    page.type("AMBITO 9")
    assert titles(page) == ["Ámbito 9"]
    assert page.run("document.getElementById('shown').innerText") == "1 of 3 records shown"
    page.run("document.getElementById('filter').select()")
    page.type("no such thing")
    assert titles(page) == [] and page.run("document.getElementById('shown').innerText") == "0 of 3 records shown"


def test_controls_and_pictures_have_names_for_screen_readers(page):
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}
    assert {("searchbox", "Filter the list"), ("button", "Copy the credit"), ("columnheader", "Title")} <= named
    assert ("image", "Map of the extent: west -7°, east -2°, south 36°, north 38°") in named
    assert not [role for role, name in named if role in ("button", "link", "searchbox", "image") and not name]


@pytest.mark.parametrize("width", [320, 400, 1366])
def test_a_window_of_any_width_is_not_scrolled_sideways(page, width):
    page.show(width, 700)
    assert page.run("document.documentElement.scrollWidth <= innerWidth")
    assert page.run("[...document.querySelectorAll('thead button, .copy')]"
                    ".every(button => button.getBoundingClientRect().width > 9)")


def luminance(colour):
    parts = [int(part) / 255 for part in colour[colour.index("(") + 1:-1].split(",")[:3]]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
def test_texts_stand_out_from_their_ground_in_light_and_dark(page, dark):
    page.show(1366, 768, dark)
    ground = page.run("getComputedStyle(document.body).backgroundColor")
    assert (luminance(ground) < 0.2) == dark
    for selector in ("h1", "a", ".aside", "section h3", ".fields th", ".fields td", "figcaption", "#shown"):
        ink = page.run(f"getComputedStyle(document.querySelector('{selector}')).color")
        lighter, darker = sorted((luminance(ink), luminance(ground)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 4.5, selector


def test_on_paper_it_is_light_and_without_controls(page):
    page.show(1366, 768, True, "print")
    assert luminance(page.run("getComputedStyle(document.body).backgroundColor")) == 1
    assert page.run("[...document.querySelectorAll('.copy, #filter, .back')].every(e => !e.offsetParent)")
    assert "https://" in page.run("getComputedStyle(document.querySelector('a.licence'), '::after').content")


def test_a_page_of_one_record_has_no_list(browser, tmp_path):
    record = replace(RECORDS[0], language="spa")
    (tmp_path / "one.html").write_text(sheet_html([(record, terms_for(record))]), "utf-8")
    browser.open(tmp_path / "one.html")
    assert browser.run("document.querySelectorAll('#list, .back').length") == 0
    assert browser.run("document.querySelector('h1').lang") == "es"
    assert [event for event in browser.events if event.get("method") == "Runtime.exceptionThrown"] == []

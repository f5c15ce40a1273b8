"""Widgets that show hostile texts: none is read as markup, opens a file, leads elsewhere or hides its order."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any, Iterator

import pytest
from qgis.gui import QgsMessageBar
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QPoint, Qt
from qgis.PyQt.QtGui import QDesktopServices, QImage, QTextDocument
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QPlainTextEdit,
    QTextBrowser,
    QTextEdit,
    QToolTip,
    QWidget,
)

from plugin.core.box import Box
from plugin.core.custommap.map_findings import MapFinding, Severity
from plugin.core.errors import CartoguideError
from plugin.core.featureinfo.queries import FeatureInfoQuery
from plugin.core.featureinfo.response_reading import read_feature_info
from plugin.core.library.query import SearchHit
from plugin.core.records.model.record import Record, ResourceKind
from plugin.core.review.report.html_fragments import html_link
from plugin.core.terms import terms_for
from plugin.core.text import printable
from plugin.core.wms.capabilities import parser
from plugin.gis.operations.identification import CanvasLayer, CanvasService, IdentifyResult
from plugin.ui.composer.findings_panel import FindingRow
from plugin.ui.composer.offline import SnapshotStateRow
from plugin.ui.identify import IdentifySection
from plugin.ui.record.compare_view import CompareView
from plugin.ui.record.record_view import RecordView
from plugin.ui.results.record_list import RecordListView, ResultListModel
from plugin.ui.service.add_layers_dialog import AddLayersDialog
from plugin.ui.widgets.labels import HtmlLabel, LinkLabel, PlainLabel
from plugin.ui.widgets.messages import DetailsDialog, InlineMessage, Messages
from plugin.ui.widgets.rich_text import RichTextView, open_link
from tests.foreign_text import DIRECTION_MARKS, OpenedFiles, hostile
from tests.marked_record import Marks
from tests.pairwise import some
from tests.slowness import slowness

LONG = "x" * 40_000


class HostileMarks(Marks):
    """A hostile text in each field."""

    def __init__(self, image: Path, tail: str = "") -> None:
        super().__init__()
        self._image, self._tail = image, tail

    def value(self, hint: Any, path: str) -> Any:
        value = super().value(hint, path)
        # no document gives a member of an enumeration another text
        is_text = isinstance(value, str) and not isinstance(value, Enum)
        return hostile(self._image, path) + self._tail if is_text else value


@pytest.fixture
def image(qgis_app, tmp_path):
    path = tmp_path / "seen.png"
    picture = QImage(8, 8, QImage.Format.Format_RGB32)
    picture.fill(0)
    assert picture.save(str(path))
    return path


@pytest.fixture
def opened(image):
    """How often the picture was opened: at the end of each test never, unless the test counted it."""
    watch = OpenedFiles(image)
    yield watch
    QApplication.processEvents()
    count = watch.count()
    watch.close()
    assert count == 0


def might_be_rich_text(text: str) -> bool:
    """Return whether Qt could take a text for HTML. PyQt 6 lacks Qt's own function: there any tag counts."""
    judge = getattr(Qt, "mightBeRichText", None)
    return judge(text) if judge is not None else re.search(r"<[!/]?[A-Za-z]", text) is not None


def model_texts(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[tuple[str, str]]:
    for row in range(model.rowCount(parent)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(parent)):
            index = model.index(row, column, parent)
            for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
                text = model.data(index, int(role))
                if isinstance(text, str):
                    yield "tooltip" if role == Qt.ItemDataRole.ToolTipRole else "plain", text
        yield from model_texts(model, model.index(row, 0, parent))


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """What a widget shows: pairs of how it is read ("plain", "html" or "tooltip") and the text."""
    if widget.toolTip():
        yield "tooltip", widget.toolTip()
    if isinstance(widget, QLabel):
        formats = {Qt.TextFormat.PlainText: "plain", Qt.TextFormat.RichText: "html"}
        yield formats.get(widget.textFormat(), "tooltip"), QLabel.text(widget)
    elif isinstance(widget, QTextEdit):
        yield "html", widget.toHtml()
    elif isinstance(widget, QPlainTextEdit):
        yield "plain", widget.toPlainText()
    elif isinstance(widget, (QAbstractItemView, QComboBox)) and widget.model() is not None:
        yield from model_texts(widget.model(), QModelIndex())
    elif isinstance(widget, QMenu):
        for action in widget.actions():
            yield "plain", action.text()
            if widget.toolTipsVisible():
                yield "tooltip", action.toolTip()


def faults_of(window: QWidget) -> list[str]:
    """What is wrong with any text of a window, after each was drawn and each tooltip shown."""
    found = []
    for widget in (window, *window.findChildren(QWidget)):
        if sip.isdeleted(widget) or widget.inherits("QTipLabel"):
            continue
        for way, text in texts_of(widget):
            where = f"{type(widget).__name__} {widget.objectName()}: {text[:200]!r}"
            if way == "tooltip":
                if might_be_rich_text(text):
                    found.append(f"rich: {where}")
                QToolTip.showText(QPoint(5, 5), text, widget)
            elif way == "html":
                found += [f"{problem}: {where}" for problem in html_faults(text)]
            if re.search(f"[{DIRECTION_MARKS}]", text):
                found.append(f"direction: {where}")
    QApplication.processEvents()
    window.grab()
    QToolTip.hideText()
    return found


def html_faults(html: str) -> list[str]:
    document = QTextDocument()
    document.setHtml(html)
    found, block = [], document.begin()
    while block.isValid():
        pieces = block.begin()
        while not pieces.atEnd():
            form = pieces.fragment().charFormat()
            # the plugin's own pictures are in memory, under a bare word
            if form.isImageFormat() and not re.fullmatch("[a-z-]+", form.toImageFormat().name()):
                found.append(f"image {form.toImageFormat().name()}")
            if form.isAnchor() and form.anchorHref() and not re.match("https?://[^/]|#", form.anchorHref()):
                found.append(f"link {form.anchorHref()}")
            pieces += 1
        block = block.next()
    return found


def test_the_harness_sees_an_opened_file_and_a_rich_text(qtbot, image):
    watch = OpenedFiles(image)
    careless = QLabel(hostile(image))
    careless.setToolTip(hostile(image))
    qtbot.addWidget(careless)
    careless.show()
    faults = faults_of(careless)
    assert any(fault.startswith("rich") for fault in faults) and any(fault.startswith("direct") for fault in faults)
    assert watch.count() > 0, "Qt opened the picture"
    watch.close()


@pytest.mark.parametrize("tail", some(["", LONG[:10_000]], 2), ids=len)
def test_a_record_with_hostile_fields(qtbot, image, opened, tail):
    started = time.monotonic()
    record = HostileMarks(image, tail).filled(Record)
    record = replace(record, kind=ResourceKind.SERVICE, title=f"{record.title}{LONG[:5000]}",
                     abstract=f"{record.abstract}{LONG}",
                     original=b"<a>\xe2\x80\xae" + hostile(image).encode() + b"</a>")
    terms = terms_for(record)
    view = RecordView(lambda data: None)
    qtbot.addWidget(view)
    view.resize(420, 700)
    view.show()
    view.show_record(record, terms, "http://127.0.0.1:9/wms")
    faults = []
    for row in range(view.tabs.count()):
        view.tabs.setCurrentIndex(row)
        QApplication.processEvents()
        faults += faults_of(view)
    compare = CompareView()
    qtbot.addWidget(compare)
    compare.show()
    compare.show_records(record, replace(record, title="other", abstract=None))
    faults += faults_of(compare)
    assert faults == []
    assert time.monotonic() - started < 60 * slowness()


def test_results_with_hostile_titles(qtbot, image, opened):
    text = hostile(image)
    hits = [SearchHit(number, str(number), text, "service", text, 2014, "", text, text, "yes", "yes",
                      "http://127.0.0.1:9/wms", "", False, None) for number in range(3)]
    view, model = RecordListView(), ResultListModel(lambda hit: hit.organisation, lambda hit: None)
    qtbot.addWidget(view)
    view.setModel(model)
    model.set_hits(hits, False)
    view.show()
    assert model.rowCount() == 3 and [fault for fault in faults_of(view) if not fault.startswith("direction")] == []


CAPABILITIES_TEXT = """<WMS_Capabilities xmlns="http://www.opengis.net/wms" xmlns:xlink="http://www.w3.org/1999/xlink"
 version="1.3.0"><Service><Name>WMS</Name><Title>{t}</Title><Abstract>{t}</Abstract><KeywordList><Keyword>{t}</Keyword>
</KeywordList><OnlineResource xlink:href="http://127.0.0.1:9/"/><ContactInformation><ContactPersonPrimary><ContactPerson>
{t}</ContactPerson><ContactOrganization>{t}</ContactOrganization></ContactPersonPrimary><ContactElectronicMailAddress>{t}
</ContactElectronicMailAddress></ContactInformation><Fees>{t}</Fees><AccessConstraints>{t}</AccessConstraints></Service>
<Capability><Request><GetCapabilities><Format>text/xml</Format><DCPType><HTTP><Get><OnlineResource
xlink:href="http://127.0.0.1:9/"/></Get></HTTP></DCPType></GetCapabilities><GetMap><Format>{t}</Format><DCPType><HTTP>
<Get><OnlineResource xlink:href="http://127.0.0.1:9/"/></Get></HTTP></DCPType></GetMap></Request><Exception><Format>XML</Format>
</Exception><Layer><Title>{t}</Title><CRS>EPSG:4326</CRS><Layer queryable="1"><Name>{t}</Name><Title>{t}</Title>
<Abstract>{t}</Abstract><KeywordList><Keyword>{t}</Keyword></KeywordList><CRS>{t}</CRS><Attribution><Title>{t}</Title><OnlineResource
xlink:href="javascript:b()"/></Attribution><MetadataURL type="{t}"><Format>{t}</Format><OnlineResource
xlink:href="file:///x"/></MetadataURL><Style><Name>{t}</Name><Title>{t}</Title></Style></Layer></Layer></Capability></WMS_Capabilities>"""


@pytest.mark.parametrize("tail", ["", LONG[:20_000]])
def test_a_service_with_hostile_texts(qtbot, image, opened, tail):
    from html import escape

    text = escape(hostile(image) + tail)
    service = parser.read_service(CAPABILITIES_TEXT.format(t=text).encode(), "service")
    record = Record("iso19139", id="a" * 40, kind=ResourceKind.SERVICE, title="A")
    view = RecordView(lambda data: None)
    qtbot.addWidget(view)
    view.show()
    view.show_record(record, terms_for(record), "http://127.0.0.1:9/wms")
    view.service.show_service(service, hostile(image))
    view.tabs.setCurrentWidget(view.service)
    faults = faults_of(view)
    for name in ("layers", "operations", "about"):
        page = getattr(view.service, name)
        page.show()
        faults += faults_of(page)
    dialog = AddLayersDialog(hostile(image), service, "EPSG:4326")
    qtbot.addWidget(dialog)
    dialog.show()
    assert faults + faults_of(dialog) == []


@pytest.mark.parametrize("media, body", [
    ("text/plain", "Layer '{t}'\n  a = {t}\n"), ("text/html", "<html><body><p>{t}</p></body></html>"),
    ("application/json", '{{"type": "FeatureCollection", "features": [{{"type": "Feature", "id": "a", '
                         '"geometry": null, "properties": {{"\\u202ename": "\\u202evalue"}}}}]}}'),
    ("application/vnd.ogc.gml", "<FeatureCollection><l_layer><l_feature><name>\u202eabc</name></l_feature></l_layer>"
                                "</FeatureCollection>")])
def test_answers_about_a_feature(qtbot, image, opened, media, body):
    text = hostile(image)
    query = FeatureInfoQuery(("l",), ("",), "EPSG:4326", Box(0, 0, 1, 1), 10, 10, 5, 5)
    answer = read_feature_info(body.format(t=text).encode(), media, media, query)
    section = IdentifySection(CanvasService("http://127.0.0.1:9/", text, (CanvasLayer("l", "", text),)))
    qtbot.addWidget(section)
    section.show()
    faults = faults_of(section)
    section.show_outcome(IdentifyResult((answer,), media, (media, printable(text)), (text,), 1.0, True, (), text))
    faults += faults_of(section)
    section.show_error(CartoguideError(text, text))
    assert faults + faults_of(section) == []


def test_messages_findings_and_rows(qtbot, image, opened):
    text = hostile(image)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(600, 300)
    bar, inline = QgsMessageBar(window), InlineMessage(window)
    window.show()
    for messages in (Messages(bar, inline), Messages(None, inline)):
        messages.show_error(CartoguideError(text, text))
        messages.notify(text, text, lambda: None)
    row = SnapshotStateRow(window)
    finding = FindingRow(MapFinding("rule", Severity.WARNING, text, text, text, None, None, text), window)
    details = DetailsDialog(text, text, window)
    for widget in (row, finding, details):
        widget.show()
    assert faults_of(bar) + faults_of(inline) + faults_of(finding) == []
    assert [fault for fault in faults_of(details) if "QPlainTextEdit" not in fault] == []
    shown = [browser.toPlainText() for browser in bar.findChildren(QTextBrowser)]
    assert any("<img src=" in words and "[% env(" in words for words in shown), "the text is there, to be read"


def test_labels_say_where_a_link_leads_and_nothing_but_the_web_is_opened(qtbot, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(url.toString()) or True)
    for address in ("file:///etc/passwd", "javascript:b()", "\\\\host\\share", "mailto:a@b.example", "ftp://a/b",
                    "smb://a/b", "data:text/html,x", "HTTPS:", "//a.example/b", "vbscript:x"):
        assert not open_link(address) and "<a " not in html_link(address, "text")
    assert open_link(" https://a.example/b?c=1&d=2 ") and asked == ["https://a.example/b?c=1&d=2"]
    label = LinkLabel('<a href="https://a.example/">a</a>')
    qtbot.addWidget(label)
    label.linkHovered.emit("https://a.example/")
    assert label.toolTip() == "https://a.example/"
    label.linkHovered.emit("#inner")
    assert label.toolTip() == ""
    view = RichTextView("page")
    qtbot.addWidget(view)
    view.show_html('<a href="https://a.example/">b</a>')
    view.show()
    signal = view.highlighted
    from qgis.PyQt.QtCore import QUrl

    signal.emit(QUrl("https://a.example/"))
    assert view.toolTip() == "https://a.example/"
    signal.emit(QUrl())
    assert view.toolTip() == ""


def test_the_labels_have_a_format(qtbot):
    for label, text_format in ((PlainLabel("a"), Qt.TextFormat.PlainText), (HtmlLabel("a"), Qt.TextFormat.RichText),
                               (LinkLabel("a"), Qt.TextFormat.RichText)):
        qtbot.addWidget(label)
        assert label.textFormat() == text_format
    assert PlainLabel("a\u202eb\x00").text() == "ab\ufffd"

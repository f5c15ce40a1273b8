"""F1 and Help open the guide's page about the focused widget. The guide's pictures are those of the running QGIS."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from qgis.PyQt.QtCore import QObject, Qt, QUrl, pyqtSlot
from qgis.PyQt.QtGui import QDesktopServices, QImage, QTextDocument
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QAction, QDialog, QDialogButtonBox, QMainWindow

from plugin.gis.runtime import guide_pages, i18n
from plugin.gis.runtime.guide_pages import GuideTopic
from plugin.ui.widgets import guide
from plugin.ui.widgets.guide import GuideWindow
from plugin.ui.widgets.theme import ThemeColours
from tests.slowness import patience


class Browser(QObject):
    """What the computer would show."""

    def __init__(self):
        super().__init__()
        self.shown = []

    @pyqtSlot(QUrl)
    def open(self, url):
        """Note the page."""
        self.shown.append(url.toLocalFile())


@pytest.fixture
def browser(qgis_app):
    seen = Browser()
    QDesktopServices.setUrlHandler("file", seen.open)
    yield seen
    QDesktopServices.unsetUrlHandler("file")


def names(browser):
    return [path.rsplit("/", 1)[1].split(".")[0] for path in browser.shown]


def test_f1_in_the_dock_opens_the_page_about_where_the_cursor_is(open_dock, browser):
    dock = open_dock()
    dock.view.tabs.setCurrentWidget(dock.view.terms)
    for widget in (dock.search, dock.composer.more, dock.view.tabs):
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        QTest.keyClick(widget, Qt.Key.Key_F1)
    dock.view.tabs.setCurrentWidget(dock.view.metadata)
    QTest.keyClick(dock.view.tabs, Qt.Key.Key_F1)
    assert names(browser) == ["records", "maps", "terms", "fields"]


def test_f1_in_the_dock_does_not_open_qgiss_own_help(open_dock, browser, qgis_app):
    window = QMainWindow()
    own = QAction("Help", window)
    own.setShortcut("F1")
    own_help = []
    own.triggered.connect(lambda: own_help.append(1))
    window.addAction(own)
    dock = open_dock()
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.show()
    dock.show()
    qgis_app.setActiveWindow(window)
    dock.search.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(dock.search, Qt.Key.Key_F1)
    assert names(browser) == ["records"]
    assert own_help == []
    window.setFocus()
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert own_help == [1], "outside the dock F1 is QGIS's"
    window.removeDockWidget(dock)
    dock.setParent(None)


def test_dialogs_have_a_help_button_that_says_the_plugins_words(qtbot, browser):
    from plugin.ui.settings.settings_form import SettingsDialog

    dialog = SettingsDialog()
    qtbot.addWidget(dialog)
    button = dialog.buttons.button(QDialogButtonBox.StandardButton.Help)
    assert button.text() == "Help"
    button.click()
    assert names(browser) == ["settings"]


@pytest.fixture
def no_browser(qgis_app, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(lambda url: False))
    yield
    guide.close()


def test_without_a_browser_the_guide_has_a_window_of_its_own(qgis_app, no_browser):
    guide.show(GuideTopic.FIRST_MAP)
    window = next(one for one in qgis_app.topLevelWidgets() if isinstance(one, GuideWindow) and one.isVisible())
    assert "Add as base map" in window.browser.toPlainText()
    name = re.search('img src="([^"]+)"', window.browser.toHtml()).group(1)
    picture = window.browser.loadResource(QTextDocument.ResourceType.ImageResource, QUrl(name))
    # one that fits as it is comes as the file
    picture = picture if isinstance(picture, QImage) else QImage.fromData(picture)
    assert 0 < picture.width() <= window.browser.viewport().width()
    guide.show(GuideTopic.RECORDS)
    guide.show(GuideTopic.TERMS)
    window.browser.backward()
    assert Path(window.browser.source().toLocalFile()).stem == "records"
    assert window.isVisible()
    guide.close()
    assert not window.isVisible()


def test_pages_have_their_style_in_a_web_browser(qgis_app, repository, load_tool, tmp_path, wait_until):
    """Qt WebKit comes with QGIS 3.22; the page is installed as the zip does, beside the style sheet."""
    page_type = pytest.importorskip("qgis.PyQt.QtWebKitWidgets", exc_type=ImportError).QWebPage
    tool, folder = load_tool("tools/guide"), tmp_path / "guide"
    (folder / "html" / "en").mkdir(parents=True)
    shutil.copy(repository / "resources" / "guide" / "guide.css", folder)
    (folder / "html" / "en" / "index.html").write_text(tool.rendered("en", "index"), encoding="utf-8")
    page, loaded = page_type(), []
    page.loadFinished.connect(loaded.append)
    page.mainFrame().load(QUrl.fromLocalFile(str(folder / "html" / "en" / "index.html")))
    wait_until(lambda: loaded)

    def style(selector, name):
        return page.mainFrame().evaluateJavaScript(
            f"getComputedStyle(document.querySelector('{selector}')).getPropertyValue('{name}')")

    assert style("table", "border-collapse") == "collapse"
    assert style("nav a", "display") == "block"
    assert style("img", "max-width") == "100%"


def test_the_guides_window_styles_its_pages(qgis_app, no_browser):
    guide.show(GuideTopic.PROBLEMS)
    window = next(one for one in qgis_app.topLevelWidgets() if isinstance(one, GuideWindow) and one.isVisible())
    document = window.browser.document()
    cursor = document.find("What it says")
    assert not cursor.isNull()
    cell = cursor.currentTable().cellAt(cursor)
    assert cell.format().background().color() == ThemeColours(window.browser).chip


def test_the_guides_window_has_the_size_of_qgiss_text(qgis_app, qtbot, no_browser):
    qgis = QMainWindow()
    qtbot.addWidget(qgis)
    # as QGIS sets the size that is chosen in its options
    qgis.setStyleSheet("* { font-size: 23pt }")
    dialog = QDialog(qgis)
    qgis.show()
    dialog.show()
    qgis_app.setActiveWindow(dialog)
    guide.show(GuideTopic.FIRST_MAP)
    window, = qgis.findChildren(GuideWindow)
    assert window.browser.document().defaultFont().pointSize() == 23
    dialog.setParent(None)
    dialog.deleteLater()
    qgis_app.processEvents()
    assert window.isVisible(), "it does not end with the dialog whose Help was pressed"


def test_the_guides_window_is_not_shut_out_by_a_modal_dialog(qtbot, no_browser):
    guide.show(GuideTopic.FIRST_MAP)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.setModal(True)
    dialog.show()
    guide.show(GuideTopic.SETTINGS)
    window = dialog.findChild(GuideWindow)
    assert window is not None and window.isVisible() and not window.isModal()


def test_a_page_is_in_the_persons_language_else_in_english(tmp_path, monkeypatch):
    for language in ("en", "es"):
        (tmp_path / "html" / language).mkdir(parents=True)
        (tmp_path / "html" / language / "terms.html").write_text("…")
    for locale, language in (("es_ES", "es"), ("es", "es"), ("en_US", "en"), ("de_DE", "en")):
        monkeypatch.setattr(guide_pages, "user_locale", lambda locale=locale: locale)
        assert guide_pages.page_path(GuideTopic.TERMS, tmp_path) == tmp_path / "html" / language / "terms.html"
    assert i18n.user_locale()


def test_every_page_that_help_leads_to_is_in_the_guide():
    for topic in GuideTopic:
        for language in ("en", "es"):
            assert (guide_pages.FOLDER / language / f"{topic.value}.md").is_file(), topic


def shown_pictures(repository):
    """The names of the pictures that the guide shows."""
    pages = (repository / "resources" / "guide" / "es").glob("*.md")
    return {name for page in pages for name in re.findall(r"\.\./pictures/es/([\w-]+\.png)", page.read_text("utf-8"))}


def test_every_picture_of_the_guide_can_be_taken(repository, load_tool):
    assert load_tool("tools/guide_pictures").names() == shown_pictures(repository)


@pytest.mark.display
@pytest.mark.timeout(560)
@pytest.mark.skipif("CARTOGUIDE_ALL_PICTURES" not in os.environ, reason="takes minutes: `make guide-test`")
def test_every_picture_of_the_guide_is_taken_in_the_running_qgis(repository, load_tool, tmp_path):
    load_tool("tools/guide_pictures").take(tmp_path / "es", "es", patience(360))
    taken = {path.name for path in (tmp_path / "es").iterdir()}
    assert taken == shown_pictures(repository)
    for name in taken:
        image = QImage(str(tmp_path / "es" / name))
        colours = {image.pixel(x, y) for x in range(0, image.width(), 5) for y in range(0, image.height(), 5)}
        assert len(colours) > 20, name

"""Text of others reaches Qt and QGIS only through the functions of ``core/text``: checked on the sources."""

from __future__ import annotations

import ast
import re
from typing import Iterator

import pytest

from tests.unit.repository.sources import SOURCES, everywhere, nodes, text

#: functions whose result no widget reads as markup
INERT = ("inert", "link_target")


def calls(source: str) -> Iterator[tuple[ast.Call, str]]:
    for node in nodes(source):
        if isinstance(node, ast.Call):
            yield node, ast.unparse(node.func)


def is_own_text(node: ast.AST) -> bool:
    """A literal, its translation without anything filled in but a number, or text that was made inert."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        return name in INERT or name == "tr" and all(keyword.arg == "n" for keyword in node.keywords)
    if isinstance(node, ast.IfExp):
        return is_own_text(node.body) and is_own_text(node.orelse)
    if isinstance(node, ast.BinOp):
        return is_own_text(node.left) and is_own_text(node.right)
    return isinstance(node, ast.BoolOp) and all(is_own_text(value) for value in node.values)


@pytest.mark.parametrize("expression, own", [
    ("'a'", True), ("tr('a')", True), ("tr('%n layers', n=layers)", True), ("tr('a {b}', b=b)", False), ("text", False),
    ("inert(text)", True), ("inert(text) if text else ''", True), ("f'{text}'", False), ("text or tr('a')", False)])
def test_the_rule_tells_own_text_from_other(expression, own):
    assert is_own_text(ast.parse(expression, mode="eval").body) is own


def test_no_label_guesses_its_format():
    """A QLabel without a set format reads a foreign text as HTML and opens the files that it names."""

    def find(source: str) -> Iterator[str]:
        if source == "plugin/ui/widgets/labels.py":
            return
        for node, name in calls(source):
            if name.split(".")[-1] in ("QLabel", "QMessageBox", "QErrorMessage", "QSplashScreen"):
                yield f"{source}:{node.lineno} {name}: use PlainLabel or HtmlLabel of ui/widgets/labels.py"
            elif "TextFormat.AutoText" in ast.unparse(node) or name.startswith(("QMessageBox.", "QToolTip.")):
                yield f"{source}:{node.lineno} {name}"

    assert everywhere(find) == []
    for name, text_format in (("PlainLabel", "PlainText"), ("HtmlLabel", "RichText")):
        body = text("plugin/ui/widgets/labels.py").split(f"class {name}(QLabel):")[1].split("\nclass ")[0]
        assert f"setTextFormat(Qt.TextFormat.{text_format})" in body


def test_tooltips_and_texts_of_desktop_dialogs_are_inert():
    """They have no format that could be set: Qt guesses it by the first tag. QGIS escapes Processing's feedback."""
    messages = ("createMessage", "pushMessage", "pushSuccess", "pushInfo", "pushWarning", "pushCritical", "logMessage")
    guessing = ("setToolTip", "setWhatsThis", "setLabelText", "QProgressDialog", "setInformativeText")

    def find(source: str) -> Iterator[str]:
        for node, name in calls(source):
            if name.split(".")[-1] in guessing and node.args:
                place = node.args[0 if len(node.args) == 1 or name == "QProgressDialog" else 1]
                # QGIS makes the tooltip of a parameter, from our own words, and it is HTML
                if not is_own_text(place) and ast.unparse(place) != "definition.toolTip()":
                    yield f"{source}:{node.lineno} {name}({ast.unparse(place)[:60]})"
            elif name.split(".")[-1] in messages and not name.startswith("feedback.") and not re.search(
                    r"\b(escaped|inert)\(", ast.unparse(node)):
                yield f"{source}:{node.lineno} {name}"
        for node in nodes(source):
            if isinstance(node, ast.If) and "ToolTipRole" in ast.unparse(node.test):
                returned = [part.value for child in node.body for part in ast.walk(child)
                            if isinstance(part, ast.Return) and part.value is not None]
                if not any("inert(" in ast.unparse(value) for value in returned):
                    yield f"{source}:{node.lineno} ToolTipRole"

    assert everywhere(find) == []


def test_text_is_escaped_for_html_in_one_place():
    doors = ("plugin/core/text.py", "plugin/core/featureinfo/safe_html.py")
    wrong = re.compile(r"from html import (?:.*, )?escape\b|\bhtml\.escape\(")
    assert [source for source in SOURCES if source not in doors and wrong.search(text(source))] == []


def test_tables_are_written_and_file_names_are_made_in_one_place():
    assert [source for source in SOURCES if re.search(r"\bcsv\.(writer|DictWriter)", text(source))] == [
        "plugin/core/csv_tables.py"]


def test_addresses_are_opened_in_one_place():
    """``open_link`` opens http and https only. The others open files that the plugin wrote."""
    found = {f"{source}: {ast.unparse(node)}" for source in SOURCES for node, name in calls(source)
             if name.endswith(("openUrl", "startfile", "webbrowser.open"))}
    assert found == {
        "plugin/ui/widgets/rich_text.py: QDesktopServices.openUrl(QUrl(address.strip()))",
        "plugin/ui/widgets/rich_text.py: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))",
        "plugin/ui/widgets/guide.py: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))"}
    # the guide's pages are the plugin's own
    assert [source for source in SOURCES if "setOpenExternalLinks(True)" in text(source)] == [
        "plugin/ui/widgets/guide.py"]


def test_only_the_guide_loads_what_its_pages_name():
    """A text browser loads files. The plugin's own view of HTML does not, and the guide's pages are its own."""
    found = {source for source in SOURCES for node in nodes(source)
             if isinstance(node, ast.ClassDef) and any("QTextBrowser" in ast.unparse(base) for base in node.bases)}
    assert found == {"plugin/ui/widgets/rich_text.py", "plugin/ui/widgets/guide.py"}
    assert [f"{source}:{node.lineno}" for source in SOURCES for node, name in calls(source)
            if name.split(".")[-1] in ("QTextBrowser", "QTextEdit", "QWebView", "QgsWebView")] == []

"""Nothing that PyQt6 or QGIS 4 lacks, nothing newer than QGIS 3.22 outside the one file for version differences."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Iterator

from tests.unit.repository.sources import nodes

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "plugin").rglob("*.py"))
COMPAT = "plugin/gis/runtime/compat.py"

GONE = {
    "exec_": "call exec()",
    "print_": "call print()",
    "QRegExp": "use QRegularExpression",
    "QRegExpValidator": "use QRegularExpressionValidator",
    "QDesktopWidget": "use QScreen",
    "QTextCodec": "decode in Python",
    "QNetworkConfigurationManager": "infer being offline from errors",
    "FollowRedirectsAttribute": "use RedirectPolicyAttribute",
    "QSignalMapper": "connect a lambda or a partial",
    "QMatrix": "use QTransform",
    "QStringList": "use a list",
    "QGLWidget": "use QOpenGLWidget",
    "QWebView": "QtWebKit is gone",
    "QWebPage": "QtWebKit is gone",
    "QItemDelegate": "use QStyledItemDelegate",
    "qApp": "use QApplication.instance()",
    "MidButton": "use MouseButton.MiddleButton",
    "fromTime_t": "use fromSecsSinceEpoch",
    "toTime_t": "use toSecsSinceEpoch",
    "resources_rc": "load icons by path",
}
NEWER_THAN_3_22 = (
    "QgsSettingsTree", "QgsGroupLayer", "QgsAbstractLayerMetadataProvider", "getLegendGraphicBlocking",
    "Qgis.GeometryType", "Qgis.LayerType", "Qgis.LayoutUnit", "Qgis.DistanceUnit", "Qgis.ProcessingSourceType",
    "Qgis.LayerFilter", "Qgis.ProjectReadFlag",
)
#: spellings of enums that the newest QGIS keeps only as monkey patches
MOVED_ENUMS = re.compile(
    r"QgsUnitTypes\.(DistanceUnit|AreaUnit|RenderUnit)|QgsWkbTypes\.(GeometryType|Type)\b|QgsProcessing\.SourceType|"
    r"QgsProcessing\w+\.Flag\b|QgsLayoutRenderContext\.Flag|LegendNodeRoles|\.setAutoUpdateModel")
FROM_WIDGETS = ("QAction", "QActionGroup", "QShortcut", "QFileSystemModel")


def walk(source: str) -> Iterator[ast.AST]:
    return nodes(source)


def elsewhere() -> list[str]:
    """Every source but the one for version differences."""
    return [source for source in SOURCES if source != COMPAT]


def names_of(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [alias.name for alias in node.names]
    return [name for name in (getattr(node, "attr", None), getattr(node, "id", None)) if isinstance(name, str)]


def dotted(node: ast.AST) -> str:
    """``name.attribute``, the form of the dotted names above; "" for any other node."""
    is_dotted = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return f"{node.value.id}.{node.attr}" if is_dotted else ""


def test_nothing_is_used_that_qt6_lacks():
    wrong = [
        f"{source}:{node.lineno} {name}: {GONE[name]}"
        for source in SOURCES for node in walk(source) for name in names_of(node) if name in GONE
    ]
    assert wrong == []


def test_actions_come_from_where_both_qt_versions_have_them():
    wrong = [
        f"{source}:{node.lineno} import {name} from QtWidgets"
        for source in SOURCES
        for node in walk(source)
        if isinstance(node, ast.ImportFrom) and node.module == "qgis.PyQt.QtGui"
        for name in names_of(node)
        if name in FROM_WIDGETS
    ]
    assert wrong == []


def test_a_drop_is_located_only_where_the_version_is_known():
    """QDropEvent.pos() is gone in Qt 6, which brought position()."""
    wrong = [
        f"{source}:{function.lineno}"
        for source in elsewhere()
        for function in walk(source)
        if isinstance(function, ast.FunctionDef) and re.match(r"(drop|drag)[A-Z]?\w*Event$", function.name)
        if re.search(rf"\b{function.args.args[-1].arg}\.(pos|position)\(\)", ast.unparse(function))
    ]
    assert wrong == []


def test_what_came_after_qgis_3_22_stays_in_the_file_for_version_differences():
    wrong = [
        f"{source}:{node.lineno} {name}"
        for source in elsewhere()
        for node in walk(source)
        for name in [*names_of(node), dotted(node)]
        if name in NEWER_THAN_3_22
    ]
    assert wrong == []


def test_enums_that_moved_are_named_in_the_file_for_version_differences():
    wrong = [
        f"{source}:{node.lineno} {ast.unparse(node)}"
        for source in [*elsewhere(), "tests/tools/template_drawing.py"]
        for node in walk(source)
        if isinstance(node, ast.Attribute) and MOVED_ENUMS.search(ast.unparse(node))
    ]
    assert wrong == []


def test_the_version_is_asked_for_in_one_file_only():
    asks = re.compile(r"QGIS_VERSION_INT|versionInt\(|PYQT_VERSION|QT_VERSION")
    assert [source for source in elsewhere() if asks.search((ROOT / source).read_text(encoding="utf-8"))] == []


def test_the_templates_name_the_style_of_every_font():
    """The numbers of weights differ: what is normal on Qt 5 is thinner than light on Qt 6."""
    templates = sorted((ROOT / "resources" / "templates").glob("*.qpt"))
    fonts = [(path.name, line) for path in templates for line in path.read_text(encoding="utf-8").splitlines()
             if re.search(r"<(text-style|LabelFont|styleFont) ", line)]
    assert len(templates) > 10 and len(fonts) > 10 * len(templates)
    named = re.compile(r'(?:namedStyle|\bstyle)="(?:Regular|Semibold)"')
    assert [(name, line.strip()[:90]) for name, line in fonts if not named.search(line)] == []


def test_forms_name_flat_enums():
    """PyQt5 reads scoped enums in .ui files wrongly; PyQt6 reads flat ones right."""
    scoped = re.compile(r"<(?:enum|set)>\w+::\w+::")
    forms = (ROOT / "plugin").rglob("*.ui")
    assert [form.name for form in forms if scoped.search(form.read_text(encoding="utf-8"))] == []

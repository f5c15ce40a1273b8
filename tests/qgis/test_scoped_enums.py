"""Every enum that the sources name is scoped, as Qt 6 demands, and exists in the QGIS that runs the test."""

from __future__ import annotations

import ast
import enum
import functools
import gc
import importlib
from pathlib import Path
from typing import Any, Iterator

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPAT = "plugin/gis/runtime/compat.py"
MODULES = ("qgis.core", "qgis.gui", "qgis.analysis", "qgis.PyQt")
QT_MODULES = tuple(f"qgis.PyQt.{name}" for name in ("QtCore", "QtGui", "QtWidgets", "QtNetwork", "QtXml"))
OF_GDAL = {"ShortName"}
FLAT_ON_BOTH = {"QVariant"}  # qgis.PyQt keeps its type names with Qt 6


@functools.cache
def nodes(module: ast.Module) -> list[ast.AST]:
    """Return all nodes of a module but those that say how a name is used, as ``ast.walk`` does in twice the time."""
    found: list[ast.AST] = [module]
    for node in found:
        for value in (getattr(node, name, None) for name in node._fields if name != "ctx"):
            found.extend(one for one in (value if isinstance(value, list) else (value,)) if isinstance(one, ast.AST))
    return found


@functools.cache
def attributes(module: ast.Module) -> list[ast.Attribute]:
    """Return the nodes of a module that take an attribute of something."""
    return [node for node in nodes(module) if isinstance(node, ast.Attribute)]


@functools.cache
def imported_classes(module: ast.Module) -> dict[str, Any]:
    """name in the source -> class, for everything that the source imports from QGIS and Qt, at any depth."""
    found: dict[str, Any] = {}
    for node in nodes(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(MODULES):
            for alias in node.names:
                value = getattr(importlib.import_module(node.module), alias.name, None)
                if isinstance(value, type):
                    found[alias.asname or alias.name] = value
    return found


def flat_enums(module: ast.Module) -> Iterator[str]:
    """``line: Class.Member`` where the member is a number-like constant whose enum is not named."""
    classes = imported_classes(module)
    for node in attributes(module):
        if isinstance(node.value, ast.Name) and node.value.id in classes:
            owner = classes[node.value.id]
            member = getattr(owner, node.attr, None)
            # with Qt 6, classes of Qt have no flat names at all
            absent = not hasattr(owner, node.attr) and node.attr in known_members()
            if owner.__name__ not in FLAT_ON_BOTH and (absent or is_enum_member(member)):
                yield f"{node.lineno}: {ast.unparse(node)}"


def is_enum_member(value: Any) -> bool:
    """Return whether a class attribute is a member of an enum: an integer of a type of its own, or of PyQt6's."""
    return type(value) not in (int, bool) and isinstance(value, (int, enum.Enum))


@functools.cache
def known_members() -> frozenset[str]:
    """Return the names of the members of all enums of Qt that begin with a capital. QGIS's own have all spellings."""
    found: set[str] = set()
    for module in QT_MODULES:
        for owner in vars(importlib.import_module(module)).values():
            if isinstance(owner, type):
                scopes = [owner, *(value for value in vars(owner).values() if isinstance(value, type))]
                found.update(name for scope in scopes for name, value in vars(scope).items()
                             if name[:1].isupper() and is_enum_member(value))
    return frozenset(found - OF_GDAL)


def is_scope(value: ast.AST, aliases: set[str]) -> bool:
    """Return whether an expression can be an enum or a class: its last name has a capital, or stands for one."""
    last = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return last.lstrip("_")[:1].isupper() or last in aliases


def enums_of_objects(module: ast.Module) -> Iterator[str]:
    """``line: object.Member`` where an enum's member is taken from an object, as only Qt 5 allows."""
    # `kinds = QDialogButtonBox.StandardButton`, `types = getattr(Qgis, "LayerType")`, `import sqlite3`, a parameter
    aliases = {"cls"}
    for node in nodes(module):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            aliases.update(alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign) and (not isinstance(node.value, ast.Call)
                                               or ast.unparse(node.value).startswith("getattr(")):
            aliases.update(target.id for target in node.targets if isinstance(target, ast.Name))
    called = {id(node.func) for node in nodes(module) if isinstance(node, ast.Call)}
    for node in attributes(module):
        if id(node) in called:
            continue
        if node.attr in known_members() and not is_scope(node.value, aliases):
            yield f"{node.lineno}: {ast.unparse(node)}"


def missing_members(module: ast.Module) -> Iterator[str]:
    """``line: Class.Enum.Member`` that this QGIS does not have."""
    classes = imported_classes(module)
    for node in attributes(module):
        if not isinstance(node.value, ast.Attribute):
            continue
        outer = node.value
        if isinstance(outer.value, ast.Name) and outer.value.id in classes:
            enum = getattr(classes[outer.value.id], outer.attr, None)
            if enum is None or (isinstance(enum, type) and not hasattr(enum, node.attr)):
                yield f"{node.lineno}: {ast.unparse(node)}"


@functools.cache
def parsed(folder: str) -> dict[str, ast.Module]:
    sources = sorted((ROOT / folder).rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in sources}


@pytest.fixture(autouse=True, scope="module")
def trees() -> Iterator[None]:
    """The collector would look through the trees again and again, here and in the files that share the process."""
    gc.disable()
    yield
    for cached in (nodes, attributes, imported_classes, parsed):
        cached.cache_clear()
    gc.enable()


def test_a_flat_enum_is_told_from_a_scoped_one(qgis_app):
    module = ast.parse(
        "from qgis.PyQt.QtCore import Qt\nfrom qgis.core import QgsTask\n"
        "a = Qt.UserRole\nb = Qt.ItemDataRole.UserRole\n"
        "c = QgsTask.CanCancel\nd = QgsTask.Flag.CanCancel\ne = QgsTask.Flag\n"
    )
    assert list(flat_enums(module)) == ["3: Qt.UserRole", "5: QgsTask.CanCancel"]


def test_a_member_taken_from_an_object_is_found(qgis_app):
    module = ast.parse(
        "from qgis.PyQt.QtWidgets import QMessageBox\n"
        "a = view.selectionModel().Select\nb = self.Ok\nc = self.box.Yes\nbox = QMessageBox()\nd = box.Cancel\n"
        "kinds = QMessageBox.StandardButton\ne = kinds.Ok\nf = QMessageBox.StandardButton.Ok\ng = view.Mine\n"
    )
    assert [found.split(": ")[1] for found in enums_of_objects(module)] == [
        "view.selectionModel().Select", "self.Ok", "self.box.Yes", "box.Cancel"]


def test_a_member_that_qgis_lacks_is_found(qgis_app):
    module = ast.parse("from qgis.PyQt.QtCore import Qt\na = Qt.ItemDataRole.UserRole\nb = Qt.ItemDataRole.NoRole\n")
    assert list(missing_members(module)) == ["3: Qt.ItemDataRole.NoRole"]


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["plugin", "tests"])
def test_all_enums_are_scoped(qgis_app, folder):
    assert [f"{source}:{found}" for source, module in parsed(folder).items() for found in flat_enums(module)] == []


@pytest.mark.parametrize("folder", ["plugin", "tests"])
def test_no_enum_is_taken_from_an_object(qgis_app, folder):
    sources = parsed(folder).items()
    assert [f"{source}:{found}" for source, module in sources for found in enums_of_objects(module)] == []


def test_all_enums_exist(qgis_app):
    here = {source: module for source, module in parsed("plugin").items() if source != COMPAT}
    if not here:
        pytest.skip("no source uses QGIS yet")
    assert [f"{source}:{found}" for source, module in here.items() for found in missing_members(module)] == []

"""The structure of the sources: who may import whom, no import circles, one name for one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, Set

import pytest

from tests.unit.repository.sources import (
    ROOT,
    SOURCES,
    circles,
    everywhere,
    functions,
    graph,
    imports,
    is_public_class,
    nodes,
    text,
    within,
)

NETWORKING = ("requests", "socket", "urllib.request", "http.client", "http.server", "ssl", "asyncio", "urllib3")
FORBIDDEN_IMPORTS = {
    "plugin/core/": ("qgis", "PyQt5", "PyQt6", "processing", *NETWORKING),
    "plugin/gis/": ("qgis.PyQt.QtWidgets", *NETWORKING),
    "plugin/app/": ("qgis.PyQt.QtWidgets", "lxml", "owslib", "qgis.PyQt.QtNetwork", "qgis.PyQt.QtXml", *NETWORKING),
    "plugin/processing/": ("qgis.PyQt.QtWidgets", "qgis.gui", "processing", *NETWORKING),
    "plugin/ui/": ("lxml", "owslib", "xml", "qgis.PyQt.QtNetwork", "qgis.PyQt.QtXml", *NETWORKING),
    "": ("PyQt5", "PyQt6", "xml.etree", "xml.sax", "xml.dom", "xml.parsers", "PySide2", "PySide6"),
}
#: layer to the layers that it may import; all imports of the plugin's own run along this table
MAY_IMPORT = {
    "core": {"core"},
    "gis": {"core", "gis"},
    "app": {"core", "gis", "app"},
    "ui": {"core", "gis", "app", "ui"},
    "integration": {"core", "gis", "app", "ui", "integration"},
    "processing": {"core", "gis", "processing"},
    "main": {"core", "gis", "app", "ui", "integration", "processing", "main"},
}
#: where the whole dock and the whole plugin may be handed to a function
WHOLE_WINDOW = ("plugin/ui/dock/", "plugin/main.py")


def layer(module: str) -> str:
    return module.split(".")[1] if module.count(".") else "main"


def test_the_sources_are_found():
    assert {"__init__.py", "plugin/core/i18n.py"} <= set(SOURCES)


def test_layers_import_no_library_that_they_must_not():
    def find(source: str) -> Iterator[str]:
        for folder, forbidden in FORBIDDEN_IMPORTS.items():
            for line, name in imports(source) if source.startswith(folder) else ():
                if within(name, forbidden):
                    yield f"{source}:{line} imports {name}"

    assert everywhere(find) == []


def test_every_layer_imports_only_layers_below_it():
    wrong = [f"{module} imports {other}" for module, others in graph().items() for other in sorted(others)
             if module != "plugin" and other != "plugin" and layer(other) not in MAY_IMPORT[layer(module)]]
    assert wrong == []


def test_every_import_of_the_plugin_s_own_leads_to_a_module():
    """mypy passes over a relative import with a dot too few or too many in a function."""
    def find(source: str) -> Iterator[str]:
        for line, name in imports(source) if source.startswith("plugin/") else ():
            if within(name, ("plugin",)) and not {name, name.rpartition(".")[0]} & graph().keys():
                yield f"{source}:{line} imports {name}"

    assert everywhere(find) == []


def test_no_files_import_each_other_in_a_circle():
    """Imports inside functions and under TYPE_CHECKING count: they tie files together just the same."""
    assert circles(graph()) == []


def test_no_packages_import_each_other_in_a_circle():
    packages: Dict[str, Set[str]] = defaultdict(set)
    for module, others in graph().items():
        own = package_of(module)
        packages[own].update(package_of(other) for other in others)
    arrows = {name: {other for other in others if other != name} for name, others in packages.items()}
    for others in list(arrows.values()):
        for other in others:
            arrows.setdefault(other, set())
    assert circles(arrows) == []


def test_no_two_rooms_of_the_core_import_each_other():
    """Imports inside functions and under TYPE_CHECKING count. A file beside the rooms is a room of its own here."""
    arrows: Dict[str, Set[str]] = defaultdict(set)
    for module, others in graph().items():
        if module.startswith("plugin.core."):
            arrows[core_room(module)].update(map(core_room, others))
    assert sorted(f"{room} and {other}" for room, others in arrows.items() for other in others
                  if room < other and room in arrows[other]) == []


def core_room(module: str) -> str:
    room = ".".join(module.split(".")[:3])
    return room if is_package(room) else module


def package_of(module: str) -> str:
    """The folder of a module; a file beside packages, and a package's own ``__init__``, stand for themselves."""
    parent = module.rpartition(".")[0]
    return module if is_package(module) or parent in parents_of_packages() else parent


def is_package(module: str) -> bool:
    return f"{module.replace('.', '/')}/__init__.py" in SOURCES


@lru_cache(maxsize=1)
def parents_of_packages() -> Set[str]:
    return {module.rpartition(".")[0] for module in graph() if is_package(module)}


def room_of(source: str) -> str:
    """The folder below a layer that a file is in. Processing, integration and files beside folders are rooms too."""
    parts = Path(source).parts[:-1]
    return "/".join(parts[:2] if parts[1:2] in (("processing",), ("integration",)) else parts[:3])


def test_no_room_grows_beyond_what_the_architecture_page_says():
    """Growth is written down in the table of rooms, with its reason, in the commit that brings it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Rooms")[1].split("\n## ")[0]
    said = {name: int(lines) for name, lines in re.findall(r"^\| `([\w/]+)` \| (\d+) \|$", page, re.M)}
    lines: Dict[str, int] = defaultdict(int)
    for source in SOURCES:
        if source.startswith("plugin/"):
            lines[room_of(source)] += len(text(source).splitlines())
    assert sorted(lines) == sorted(said)
    over = {room: f"{count} lines, {said[room]} said" for room, count in lines.items() if count > 1.05 * said[room]}
    assert over == {}


def test_no_public_class_name_is_used_twice():
    places: Dict[str, List[str]] = defaultdict(list)
    for source in SOURCES:
        for node in nodes(source):
            if is_public_class(node):
                places[node.name].append(source)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_only_the_dock_itself_takes_the_whole_dock_or_plugin():
    def find(source: str) -> Iterator[str]:
        if source.startswith(WHOLE_WINDOW):
            return
        for function in functions(source):
            given = function.node.args
            for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
                hint = ast.unparse(argument.annotation) if argument.annotation is not None else ""
                if "CartoguideDock" in hint or "CartoguidePlugin" in hint:
                    yield f"{source}:{function.node.lineno} {function.name}({argument.arg}: {hint})"

    assert everywhere(find) == []


@pytest.mark.parametrize("name", ["core", "gis", "app", "ui", "integration", "processing"])
def test_files_of_one_name_are_told_apart_by_their_packages(name):
    """Two files may share a name only where each one's package says whose it is; ``x/x.py`` says nothing."""
    places: Dict[str, List[str]] = defaultdict(list)
    stutters = []
    for source in SOURCES:
        path = Path(source)
        if source.startswith(f"plugin/{name}/") and path.name != "__init__.py":
            places[f"{path.parent.name}/{path.name}"].append(source)
            if path.stem == path.parent.name:
                stutters.append(source)
    assert {key: found for key, found in places.items() if len(found) > 1} == {}
    assert stutters == []


def test_one_module_measures_the_scale():
    """QGIS's own scale is not the ground's: what is shown or printed comes from the engine."""
    found = [f"{source}: {match.group()}" for source in SOURCES if not source.endswith("/ground_scale.py")
             for match in re.finditer(r"QgsDistanceArea|QgsScaleCalculator|measureLine|computeDistanceBearing",
                                      text(source))]
    assert found == []
